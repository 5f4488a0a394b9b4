//! The page, the script, the library and brute force agree on every state.

use std::io::Read;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Parser;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use topdd::{AnyDiagram, Configurator, Decision, Status};
use topdd_problem::dialogue::Cell;
use topdd_problem::{CellTable, Nouns};

use super::*;
use crate::args::{Args, Command};
use crate::configure::{Configured, subject};

/// A problem of the command line: a board of queens, a symmetric one, one of other pieces, or a graph.
fn on_command_line(args: &str, check: impl FnOnce(&dyn Sides)) {
    let words = "topdd configure".split(' ').chain(args.split(' '));
    let Command::Configure(asked) = Args::parse_from(words).command else { panic!("{args}") };
    let Configured { diagram, table, .. } =
        subject(&asked, |file| file.display().to_string()).expect("a problem");
    let AnyDiagram::Zdd(zdd) = diagram else { panic!("{args}") };
    check(&start(zdd.configure().expect("solutions"), table));
}

/// A diagram of the other rule, with variables of several values.
fn chairs(check: impl FnOnce(&dyn Sides)) {
    let spec = topdd::constraint::all_different([3, 4, 4, 2]);
    let bdd = topdd::bdd(&spec).expect("a diagram");
    let arities = (0..bdd.num_vars()).map(|variable| bdd.arity(variable)).collect();
    let table = CellTable::list("chairs".to_owned(), arities, None, Nouns::VARIABLES);
    check(&start(bdd.configure().expect("solutions"), table));
}

fn start<R: DiagramRule>(
    configurator: Configurator<R>,
    table: impl Into<Arc<CellTable>>,
) -> Start<R> {
    Start { configurator, table: table.into(), weighing: None, seed: Some(1) }
}

/// The dialogue over some diagram.
trait Sides {
    /// Performs random commands, each a kind and the number of a cell, in all ways, and compares the states.
    fn agree(&self, cases: u32);
}

impl<R: DiagramRule> Sides for Start<R> {
    fn agree(&self, cases: u32) {
        let all: Vec<Vec<usize>> = self.configurator.diagram().iter().collect();
        let server = Server::start().expect("a server");
        let port = server.port;
        let (guard, is_over) = (Guard::with_secret(port, "secret"), &AtomicBool::new(false));
        let served = start(self.configurator.clone(), self.table.clone());
        thread::scope(|scope| {
            let is_done = || is_over.load(Ordering::Relaxed);
            scope.spawn(move || server.serve(guard, Arc::new(served), is_done));
            let strategy = prop::collection::vec((0..5usize, 0..64usize), 1..9);
            let config =
                ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
            let ended = TestRunner::new(config).run(&strategy, |commands| {
                let mut dialogue = AllWays::new(self, port, &all);
                for (kind, cell) in commands {
                    dialogue.perform(kind, cell);
                }
                Ok(())
            });
            is_over.store(true, Ordering::Relaxed);
            ended.expect("all agree");
        });
    }
}

/// The same dialogue in all ways.
struct AllWays<'a, R: DiagramRule> {
    start: &'a Start<R>,
    port: u16,
    all: &'a [Vec<usize>],
    scripted: topdd_problem::dialogue::Dialogue<R>,
    library: Configurator<R>,
    /// The decisions of the page, as commands.
    page: Vec<Value>,
}

impl<'a, R: DiagramRule> AllWays<'a, R> {
    fn new(start: &'a Start<R>, port: u16, all: &'a [Vec<usize>]) -> Self {
        let scripted = start.model();
        let library = start.configurator.clone();
        AllWays { start, port, all, scripted, library, page: Vec::new() }
    }

    /// Asks for the state after a command, as the page does.
    fn state(&self, command: &str) -> Value {
        let body = json!({ "decisions": self.page, "command": command }).to_string();
        let head = format!("POST /secret/state HTTP/1.1\r\nHost: localhost:{}\r\n", self.port);
        let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a server");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("a response");
        let (_, state) = response.split_once("\r\n\r\n").expect("a head");
        serde_json::from_str(state).unwrap_or_else(|_| panic!("{command}: {response}"))
    }

    /// Performs a command on a cell in all ways, and compares the states.
    fn perform(&mut self, kind: usize, cell: usize) {
        let cells: Vec<Cell> = self.start.table.cells().collect();
        let cell = cells[cell % cells.len()];
        let word = ["choose", "forbid", "anyway", "why", "free"][kind];
        let command = format!("{word} {}", self.start.table.cell_name(cell));
        assert_eq!(self.start.table.parse(&self.start.table.cell_name(cell)), Ok(cell));
        let state = self.state(&command);
        let decisions = state["decisions"].as_array().expect("a list");
        self.page = decisions.iter().map(|decision| decision["command"].clone()).collect();
        let answer = self.scripted.command(&command).expect("a command");
        assert_eq!(
            (&state["message"], &state["refused"]),
            (&answer.text.into(), &json!(!answer.done))
        );
        let at = self.start.table.at(cell).expect("a cell");
        self.by_library(word, at);
        assert_eq!(self.scripted.decisions(), self.library.decisions(), "{command}");
        let left: Vec<&Vec<usize>> =
            self.all.iter().filter(|solution| self.is_left(solution)).collect();
        assert_eq!(state["left"], left.len().to_string());
        for &cell in &cells {
            let status = self.status(self.start.table.at(cell).expect("a cell"), &left);
            let shown = state["cells"][cell.row].as_str().expect("a row").as_bytes()[cell.col];
            let letters =
                [(b'c', Status::Chosen), (b'f', Status::Forced), (b'x', Status::Forbidden)];
            let others = [(b'.', Status::Free), (b'-', Status::Impossible)];
            let of_page = letters.iter().chain(&others).find(|(letter, _)| *letter == shown);
            let of_page = of_page.map(|(_, status)| *status);
            for found in [of_page, self.scripted.status(cell)] {
                assert_eq!(found, Some(status), "{command}: {}", self.start.table.cell_name(cell));
            }
        }
    }

    fn by_library(&mut self, word: &str, (variable, value): (usize, usize)) {
        let table = &self.start.table;
        let is = table.canonical(Decision::is(variable, value));
        let is_not = table.canonical(Decision::is_not(variable, value));
        let is_forced = !self.library.decisions().contains(&is)
            && self.library.status(variable, value) == Status::Forced;
        let taken = [is, is_not].into_iter().find(|of| self.library.decisions().contains(of));
        match word {
            "choose" => drop(self.library.decide(is)),
            "forbid" => drop(self.library.decide(is_not)),
            "anyway" => {
                let other_way = if is_forced { is_not } else { is };
                drop(self.library.decide_anyway(other_way));
            }
            "free" => {
                if let Some(taken) = taken {
                    self.library.take_back(taken).expect("taken");
                }
            }
            _ => {}
        }
    }

    fn is_left(&self, solution: &[usize]) -> bool {
        let agrees = |decision: &Decision| decision.allows(solution[decision.variable()]);
        self.library.decisions().iter().all(agrees)
    }

    /// The status of a value by the list of the solutions left.
    fn status(&self, (variable, value): (usize, usize), left: &[&Vec<usize>]) -> Status {
        let canonical = |decision| self.start.table.canonical(decision);
        let has = |decision| self.library.decisions().contains(&canonical(decision));
        let with = left.iter().filter(|solution| solution[variable] == value).count();
        match with {
            0 if has(Decision::is_not(variable, value)) => Status::Forbidden,
            0 => Status::Impossible,
            _ if has(Decision::is(variable, value)) => Status::Chosen,
            _ if with == left.len() => Status::Forced,
            _ => Status::Free,
        }
    }
}

/// The number of random sequences for each problem.
const CASES: u32 = 200;

#[test]
fn all_ways_agree_on_boards() {
    for args in ["queens 6", "queens 6 --symmetric", "queens 5 --any"] {
        on_command_line(args, |sides| sides.agree(CASES));
    }
}

#[test]
fn all_ways_agree_on_tables() {
    let map = std::env::temp_dir().join(format!("topdd-{}-map.txt", std::process::id()));
    std::fs::write(&map, "a b\nb c\nc d\nd a\na c\na c\n").expect("a file");
    on_command_line(&format!("graph spanning-trees {}", map.display()), |sides| sides.agree(CASES));
    std::fs::remove_file(map).expect("the file");
    chairs(|sides| sides.agree(CASES));
}

#[test]
fn a_table_is_shown_in_pages_of_rows() {
    let zdd = topdd::Zdd::full([2; 250]).expect("a diagram");
    let table = CellTable::list("many".to_owned(), vec![2; 250], None, Nouns::VARIABLES);
    let start = start(zdd.configure().expect("solutions"), table);
    let rows = |first: usize| {
        let body = json!({ "decisions": ["choose 249=1"], "first": first }).to_string();
        let state = page::answer(&mut start.model(), "state", body.as_bytes())
            .expect("a path")
            .expect("a state");
        (state["first"].clone(), state["cells"].as_array().unwrap().len())
    };
    assert_eq!(
        [rows(99), rows(200), rows(999)],
        [(json!(0), 100), (json!(200), 50), (json!(200), 50)]
    );
}
