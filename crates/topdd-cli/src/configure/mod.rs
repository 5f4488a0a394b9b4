//! `topdd configure`: decisions over a board or a diagram, one by one.
//!
//! What follows from decisions is known by the library's `Configurator`. `model` is the
//! dialogue with it: an action makes a new state, and there is no screen in it. `ground` is what
//! is decided on, in words and signs: a board or a table of variables. `view` draws a
//! state into a buffer, with `table` and `palette`; `keys` says which key is which action; and
//! `terminal` brings these together on a screen. `script` holds the same dialogue in
//! lines of text, and `end` tells what was decided.

pub(crate) mod args;
mod end;
mod ground;
mod keys;
mod model;
mod palette;
mod script;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod view;

use std::io::{self, BufWriter, IsTerminal, Write};

use topdd::diagram::DiagramRule;
use topdd::{AnyDiagram, Diagram, QueryError, Zdd};
use topdd_chess::queens::BoardEncoding;
use topdd_chess::{Piece, Pieces};

use crate::args::{Common, PiecesPlaced, QueensPlaced};
use crate::failure::Failure;
use crate::file;
use crate::interrupt;
use crate::problem::{place, queens};
use crate::run::{Outcome, Sweep};
use args::{Configure, How, OnBoard};
use ground::Ground;
use model::Model;

/// Holds the dialogue that is asked for.
pub(crate) fn run(asked: &Configure) -> Result<(), Failure> {
    match (&asked.board, &asked.file) {
        (Some(OnBoard::Queens(asked)), _) => {
            let (zdd, ground) = queens_board(&asked.placed)?;
            over(&zdd, ground, &asked.how)
        }
        (Some(OnBoard::Place(asked)), _) => {
            let (zdd, ground) = pieces_board(&asked.placed)?;
            over(&zdd, ground, &asked.how)
        }
        (None, Some(path)) => {
            let title = path.display().to_string();
            match file::open_file(path)? {
                AnyDiagram::Zdd(zdd) => over(&zdd, Ground::list(title, &zdd), &asked.how),
                AnyDiagram::Bdd(bdd) => over(&bdd, Ground::list(title, &bdd), &asked.how),
            }
        }
        (None, None) => Err(Failure::Usage("say what to configure: queens, or a file".to_owned())),
    }
}

/// The solutions that queens are asked for, and their board.
fn queens_board(placed: &QueensPlaced) -> Result<(Zdd, Ground), Failure> {
    let (title, queens) = (queens::described(placed), queens::of(placed));
    if placed.anywhere().is_some() {
        return by_square(title, &queens::placements(placed, &queens));
    }
    let common = Common::default();
    let sweep = Sweep::asked(&common, "row");
    let variables = queens.num_vars(BoardEncoding::Row);
    let (piece, frontier) = if placed.superqueens {
        (Piece::Superqueen, queens.superqueens().frontier(BoardEncoding::Row))
    } else {
        (Piece::Queen, queens.frontier(BoardEncoding::Row))
    };
    let outcome = sweep.run(frontier.map_err(Failure::usage)?, variables)?;
    Ok((diagram(outcome), Ground::of_rows(title, piece, placed.board())))
}

/// The same of any pieces.
fn pieces_board(placed: &PiecesPlaced) -> Result<(Zdd, Ground), Failure> {
    let (pieces, title) = place::of(placed, &Common::default())?;
    by_square(title, &pieces)
}

/// The placements of pieces, a variable for each square, and their board.
fn by_square(title: String, pieces: &Pieces) -> Result<(Zdd, Ground), Failure> {
    let common = Common::default();
    let outcome = Sweep::asked(&common, "square").of_pieces(pieces)?;
    Ok((diagram(outcome), Ground::of_pieces(title, pieces).map_err(Failure::usage)?))
}

fn diagram(outcome: Outcome) -> Zdd {
    outcome.zdd.expect("the sweep was asked for a diagram")
}

/// Holds the dialogue over a diagram, and tells how it ended.
fn over<R: DiagramRule>(diagram: &Diagram<R>, ground: Ground, how: &How) -> Result<(), Failure> {
    let configurator = diagram.configure().map_err(|error| match error {
        QueryError::NoSolutions => {
            Failure::Failed(format!("{}: there are no solutions to decide on", ground.title()))
        }
        error => Failure::Failed(error.to_string()),
    })?;
    // What comes now is not the sweep any more.
    interrupt::note("while deciding".to_owned());
    let seed = how.seed.unwrap_or_else(rand::random);
    let mut model = Model::new(configurator, ground, seed);
    let mut out = BufWriter::new(io::stdout());
    if how.script || !io::stdin().is_terminal() {
        script::run(&mut model, io::stdin().lock(), &mut out, how.json)?;
    } else if io::stderr().is_terminal() {
        terminal::run(&mut model)?;
    } else {
        return Err(Failure::Usage(
            "standard error is no terminal to draw on; with --script, commands are read from \
             standard input"
                .to_owned(),
        ));
    }
    end::tell(&model, how.json, &mut out)
        .and_then(|()| out.flush())
        .map_err(|error| Failure::of_stdout(&error))?;
    interrupt::check()
}
