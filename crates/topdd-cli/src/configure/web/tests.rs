//! The page, the script, the model and the library agree on every state.

use clap::Parser;
use proptest::prelude::*;
use serde_json::{Value, json};
use topdd::diagram::DiagramRule;
use topdd::{Configurator, Decision, Status};

use super::*;
use crate::args::{Args, Command, OnBoard};
use crate::cell_table::Cell;
use crate::configure::{pieces_board, queens_board, script};
use crate::names::Nouns;

/// A problem by its number: boards of queens, symmetric ones and of other pieces, and tables.
fn with_start(number: usize, check: impl FnOnce(&dyn Sides)) {
    let boards = ["queens 6", "queens 6 --symmetric", "queens 5 --any", "place kings 3 --most"];
    if let Some(args) = boards.get(number) {
        let words = "topdd configure".split(' ').chain(args.split(' '));
        let Command::Configure(asked) = Args::parse_from(words).command else { panic!("{args}") };
        let (zdd, table) = match asked.board {
            Some(OnBoard::Queens(asked)) => queens_board(&asked.placed),
            Some(OnBoard::Place(asked)) => pieces_board(&asked.placed),
            None => panic!("{args}"),
        }
        .expect("a board");
        return check(&start(zdd.configure().expect("solutions"), table));
    }
    let spec = topdd::constraint::all_different([3, 4, 4, 2]);
    let bdd = topdd::bdd(&spec).expect("a diagram");
    let arities = (0..bdd.num_vars()).map(|variable| bdd.arity(variable)).collect();
    let table = CellTable::list("chairs".to_owned(), arities, None, Nouns::VARIABLES);
    check(&start(bdd.configure().expect("solutions"), table));
}

fn start<R: DiagramRule>(configurator: Configurator<R>, table: CellTable) -> Start<R> {
    Start { configurator, table: Arc::new(table), seed: Some(1) }
}

/// The dialogue over some diagram.
trait Sides {
    fn agree(&self, commands: &[(usize, usize)]);
}

impl<R: DiagramRule> Sides for Start<R> {
    /// Performs commands, each a kind and the number of a cell, in all four ways, and compares the states.
    fn agree(&self, commands: &[(usize, usize)]) {
        let cells: Vec<Cell> = self.table.cells().collect();
        let mut scripted = self.model();
        let mut library = self.configurator.clone();
        let mut decisions: Vec<Value> = Vec::new();
        for &(kind, cell) in commands {
            let cell = cells[cell % cells.len()];
            let (variable, value) = self.table.at(cell).expect("a cell");
            let word = ["choose", "forbid", "anyway", "why", "free"][kind];
            let command = format!("{word} {}", self.table.cell_name(cell));
            assert_eq!(self.table.parse(&self.table.cell_name(cell)), Ok(cell));
            let body = json!({ "decisions": decisions, "command": command }).to_string();
            let page = state::answer(&mut self.model(), body.as_bytes()).expect("a state");
            decisions = page["decisions"]
                .as_array()
                .unwrap()
                .iter()
                .map(|d| d["command"].clone())
                .collect();

            let answer = script::answer(&mut scripted, &command).expect("a command");
            assert_eq!(page["message"], answer.text);
            assert_eq!(page["refused"], !answer.done);

            let (is, is_not) = (Decision::is(variable, value), Decision::is_not(variable, value));
            match word {
                "choose" => drop(library.decide(is)),
                "forbid" => drop(library.decide(is_not)),
                "free" => {
                    let taken = [is, is_not].into_iter().find(|d| library.decisions().contains(d));
                    if let Some(taken) = taken {
                        library.take_back(taken).expect("taken");
                    }
                }
                "anyway" => {
                    let is_there =
                        matches!(library.status(variable, value), Status::Chosen | Status::Forced);
                    drop(library.decide_anyway(if is_there { is_not } else { is }));
                }
                _ => {}
            }
            assert_eq!(scripted.decisions(), library.decisions());
            assert_eq!(page["left"], library.solutions_left().to_string());
            for &cell in &cells {
                let (variable, value) = self.table.at(cell).expect("a cell");
                let shown = page["cells"][cell.row].as_str().unwrap().as_bytes()[cell.col];
                let status = match library.status(variable, value) {
                    Status::Chosen => b'c',
                    Status::Forced => b'f',
                    Status::Free => b'.',
                    Status::Forbidden => b'x',
                    Status::Impossible => b'-',
                };
                assert_eq!(shown, status, "{command}: {}", self.table.cell_name(cell));
                assert_eq!(scripted.status(cell), library.get_status(variable, value));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn page_script_and_library_agree(
        number in 0..5usize,
        commands in prop::collection::vec((0..5usize, 0..64usize), 1..9),
    ) {
        with_start(number, |sides| sides.agree(&commands));
    }
}

#[test]
fn a_table_is_shown_in_pages_of_rows() {
    let zdd = topdd::Zdd::full([2; 250]).expect("a diagram");
    let table = CellTable::list("many".to_owned(), vec![2; 250], None, Nouns::VARIABLES);
    let start = start(zdd.configure().expect("solutions"), table);
    let rows = |first: usize| {
        let body = json!({ "decisions": ["choose 249=1"], "first": first }).to_string();
        let state = state::answer(&mut start.model(), body.as_bytes()).expect("a state");
        (state["first"].clone(), state["cells"].as_array().unwrap().len())
    };
    assert_eq!(
        [rows(0), rows(200), rows(999)],
        [(json!(0), 100), (json!(200), 50), (json!(250), 0)]
    );
}
