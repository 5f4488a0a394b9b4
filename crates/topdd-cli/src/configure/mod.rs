//! `topdd configure`: decisions over a board or a diagram, one by one.
//!
//! The library's `Configurator` computes the consequences of decisions.
//!
//! | module | contents |
//! | --- | --- |
//! | `model` | the state of the dialogue, and its actions; no screen |
//! | `terminal` | the dialogue at the terminal: drawing and keys; the feature `tui` |
//! | `web` | the dialogue as a page in the browser; the feature `web` |
//! | `script` | the same dialogue in lines of text |
//! | `end` | the decisions and the final table on standard output |

mod end;
#[cfg_attr(not(feature = "tui"), allow(dead_code, reason = "some is for the screen"))]
mod model;
mod script;
#[cfg(feature = "tui")]
mod terminal;
#[cfg(all(test, feature = "tui"))]
mod tests;
#[cfg(feature = "web")]
mod web;

use std::io::{self, BufWriter, IsTerminal, Write};

use rand::RngExt;
use topdd::diagram::DiagramRule;
use topdd::{AnyDiagram, Diagram, QueryError, Zdd};
use topdd_chess::Pieces;
use topdd_chess::queens::BoardEncoding;

use crate::args::{Common, Configure, How, OnBoard, PiecesPlaced, QueensPlaced, SEEDS};
use crate::cell_table::CellTable;
use crate::failure::Failure;
use crate::file::{self, Content};
use crate::interrupt;
use crate::outcome::Outcome;
use crate::problem::{Placement, place, queens};
use crate::saved;
use crate::sweep::Sweep;
use model::Model;

/// Runs the dialogue of a command line.
pub(crate) fn run(asked: &Configure) -> Result<(), Failure> {
    match (&asked.board, &asked.file) {
        (Some(OnBoard::Queens(asked)), _) => {
            let (zdd, table) = queens_board(&asked.placed)?;
            over(&zdd, table, &asked.how)
        }
        (Some(OnBoard::Place(asked)), _) => {
            let (zdd, table) = pieces_board(&asked.placed)?;
            over(&zdd, table, &asked.how)
        }
        (None, Some(path)) => {
            let Content { diagram, metadata } = file::open_file(path)?;
            // A page does not name folders of this machine.
            let name =
                path.file_name().filter(|_| asked.how.browser.web).unwrap_or(path.as_os_str());
            let title = name.to_string_lossy().into_owned();
            let table = saved::table(title, &diagram, &metadata, asked.values);
            match &diagram {
                AnyDiagram::Zdd(zdd) => over(zdd, table, &asked.how),
                AnyDiagram::Bdd(bdd) => over(bdd, table, &asked.how),
            }
        }
        (None, None) => {
            Err(Failure::Usage("name what to configure: queens, place, or a file".to_owned()))
        }
    }
}

/// The solutions of queens, and their board.
fn queens_board(placed: &QueensPlaced) -> Result<(Zdd, CellTable), Failure> {
    let (title, queens) = (queens::described(placed), queens::queens(placed));
    if placed.anywhere().is_some() {
        return by_square(title, &queens::placements(placed, &queens));
    }
    let common = dialogue();
    let sweep = Sweep::asked(&common, "row");
    let variables = queens.num_vars(BoardEncoding::Row);
    let frontier = queens.frontier(BoardEncoding::Row).map_err(Failure::usage)?;
    let outcome = sweep.run(frontier, variables, None)?;
    let board = placed.on.board.0;
    let puts = board.squares().map(|square| (square.row, square.col)).collect();
    Ok((
        diagram(outcome),
        CellTable::on_board(title, Placement { piece: queens.piece(), board, puts }),
    ))
}

/// The solutions of other pieces, and their board.
fn pieces_board(placed: &PiecesPlaced) -> Result<(Zdd, CellTable), Failure> {
    let (pieces, title) = place::pieces(placed, &dialogue())?;
    by_square(title, &pieces)
}

/// The placements of pieces, a variable for each square, and their board.
fn by_square(title: String, pieces: &Pieces) -> Result<(Zdd, CellTable), Failure> {
    let common = dialogue();
    let outcome = Sweep::asked(&common, "square").of_pieces(pieces)?;
    let placement = place::placement_of(pieces).expect("the sweep had these variables");
    Ok((diagram(outcome), CellTable::on_board(title, placement)))
}

/// The options of a diagram for the dialogue.
fn dialogue() -> Common {
    Common { is_dialogue: true, ..Common::default() }
}

fn diagram(outcome: Outcome) -> Zdd {
    outcome.zdd.expect("the sweep was asked for a diagram")
}

/// Runs the dialogue over a diagram, and writes its result.
fn over<R: DiagramRule>(diagram: &Diagram<R>, table: CellTable, how: &How) -> Result<(), Failure> {
    let configurator = diagram.configure().map_err(|error| match error {
        QueryError::NoSolutions => {
            Failure::Missing(format!("{}: there are no solutions to decide on", table.title()))
        }
        error => Failure::Failed(error.to_string()),
    })?;
    interrupt::note("while deciding".to_owned());
    if how.browser.web {
        #[cfg(feature = "web")]
        return web::run(configurator, table, how);
        #[cfg(not(feature = "web"))]
        return Err(Failure::Usage("this topdd was built without the feature `web`".to_owned()));
    }
    let seed = how.seed.unwrap_or_else(|| rand::rng().random_range(SEEDS));
    let mut model = Model::new(configurator, table, seed);
    let mut out = BufWriter::new(io::stdout());
    if how.script || !io::stdin().is_terminal() {
        script::run(&mut model, io::stdin().lock(), &mut out, how.json)?;
    } else if io::stderr().is_terminal() {
        #[cfg(feature = "tui")]
        terminal::run(&mut model)?;
        #[cfg(not(feature = "tui"))]
        return Err(Failure::Usage(
            "this topdd was built without the feature `tui`, and cannot draw on the terminal; add \
             --script"
                .to_owned(),
        ));
    } else {
        return Err(Failure::Usage(
            "standard error is no terminal to draw on; with --script, commands are read from \
             standard input"
                .to_owned(),
        ));
    }
    interrupt::check()?;
    end::write(&model, how.json, &mut out)
        .and_then(|()| out.flush())
        .map_err(|error| Failure::of_stdout(&error))
}
