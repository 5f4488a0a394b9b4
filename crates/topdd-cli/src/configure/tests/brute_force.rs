//! After every command, on random boards, the board agrees with the list of all solutions.

use proptest::prelude::*;
use topdd::diagram::ZeroSuppressed;
use topdd::{Decision, Status};
use topdd_chess::Square;
use topdd_problem::dialogue::{Cell, Dialogue, STATUSES, Table};

use super::queens;

/// A cell, and whether it was chosen or forbidden.
type Taken = (Square, bool);

/// The dialogue by a list of solutions.
struct Oracle {
    solutions: Vec<Vec<Square>>,
    taken: Vec<Taken>,
    done: Vec<Vec<Taken>>,
    undone: Vec<Vec<Taken>>,
}

impl Oracle {
    fn left(&self, taken: &[Taken]) -> Vec<&Vec<Square>> {
        let agrees = |solution: &&Vec<Square>| {
            taken.iter().all(|(square, chosen)| solution.contains(square) == *chosen)
        };
        self.solutions.iter().filter(agrees).collect()
    }

    fn status(&self, square: Square) -> Status {
        let left = self.left(&self.taken);
        let with = left.iter().filter(|solution| solution.contains(&square)).count();
        match with {
            0 if self.taken.contains(&(square, false)) => Status::Forbidden,
            0 => Status::Impossible,
            _ if self.taken.contains(&(square, true)) => Status::Chosen,
            _ if with == left.len() => Status::Forced,
            _ => Status::Free,
        }
    }

    fn change(&mut self, taken: Vec<Taken>) {
        self.done.push(std::mem::replace(&mut self.taken, taken));
        self.undone.clear();
    }

    /// Makes a decision; `false` if that is impossible.
    fn decide(&mut self, decision: Taken) -> bool {
        if self.taken.contains(&decision) {
            return true;
        }
        let mut taken = self.taken.clone();
        taken.push(decision);
        let possible = !self.left(&taken).is_empty();
        if possible {
            self.change(taken);
        }
        possible
    }

    /// Takes back the decision about a square; `false` if there is none.
    fn free(&mut self, square: Square) -> bool {
        let mut taken = self.taken.clone();
        taken.retain(|decision| decision.0 != square);
        let any = taken.len() < self.taken.len();
        if any {
            self.change(taken);
        }
        any
    }
}

/// The signs of the squares, row by row from the top.
fn shown(model: &Dialogue<ZeroSuppressed>, rows: usize, cols: usize) -> Vec<Vec<char>> {
    let text = Table(model).to_string();
    let row = |line: &str| {
        line.split_whitespace().skip(1).filter_map(|sign| sign.chars().next()).collect()
    };
    let board: Vec<Vec<char>> = text.lines().take(rows).map(row).collect();
    assert!(board.len() == rows && board.iter().all(|row| row.len() == cols), "{text}");
    board
}

/// Decisions, as squares.
fn squares(model: &Dialogue<ZeroSuppressed>, decisions: &[Decision]) -> Vec<Taken> {
    let table = model.table();
    let of = |decision: &Decision| {
        let at = (decision.variable(), decision.value());
        let cell = table.cells().find(|&cell| table.at(cell) == Some(at)).expect("a cell");
        (square(cell), matches!(decision, Decision::Is { .. }))
    };
    decisions.iter().map(of).collect()
}

fn square(cell: Cell) -> Square {
    Square::new(cell.row, cell.col)
}

fn boards() -> impl Strategy<Value = (usize, usize, &'static str)> {
    let by_row =
        (1usize..6, 1usize..6, prop::sample::select(vec!["", "--toroidal", "--superqueens"]));
    let cell = prop::sample::select(vec!["--any", "--exactly 2", "--maximal", "--any --toroidal"]);
    let by_cell = (1usize..4, 1usize..4, cell);
    prop_oneof![3 => by_row, 1 => by_cell]
}

fn commands() -> impl Strategy<Value = Vec<(&'static str, usize)>> {
    let often = vec!["choose", "choose", "forbid", "free"];
    let seldom = vec!["undo", "redo", "undo", "clear", "sample", "why"];
    let word = prop_oneof![4 => prop::sample::select(often), 1 => prop::sample::select(seldom)];
    prop::collection::vec((word, 0..25usize), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn statuses_agree_with_brute_force(
        (rows, cols, more) in boards(),
        commands in commands(),
    ) {
        let args = format!("{rows}x{cols} {more}");
        let Some(solutions) = listed(&args, rows, cols) else { return Ok(()) };
        let mut model = queens(&args);
        let mut oracle =
            Oracle { solutions, taken: Vec::new(), done: Vec::new(), undone: Vec::new() };
        for (word, at) in commands {
            let here = Square::new(at % rows, at / rows % cols);
            let needs_square = matches!(word, "choose" | "forbid" | "free" | "why");
            let line = if needs_square { format!("{word} {here}") } else { word.to_owned() };
            let answer = model.command(&line).expect("a command");
            let done = match word {
                "choose" => oracle.decide((here, true)),
                "forbid" => oracle.decide((here, false)),
                "free" => oracle.free(here),
                "undo" => oracle.done.pop().map(|before| {
                    oracle.undone.push(std::mem::replace(&mut oracle.taken, before));
                }).is_some(),
                "redo" => oracle.undone.pop().map(|after| {
                    oracle.done.push(std::mem::replace(&mut oracle.taken, after));
                }).is_some(),
                "clear" => {
                    if !oracle.taken.is_empty() {
                        oracle.change(Vec::new());
                    }
                    true
                }
                "sample" => {
                    // It is a random one that agrees with the decisions.
                    let sampled = squares(&model, model.decisions());
                    prop_assert!(sampled.starts_with(&oracle.taken));
                    prop_assert_eq!(oracle.left(&sampled).len(), 1);
                    if sampled.len() > oracle.taken.len() {
                        oracle.change(sampled);
                    }
                    true
                }
                _ => true,
            };
            prop_assert_eq!(answer.done, done, "{} {}", line, answer.text);
            prop_assert_eq!(&squares(&model, model.decisions()), &oracle.taken);

            // Reasons for a refusal suffice, and each of them is needed.
            if matches!(word, "choose" | "forbid") && !done {
                let because = squares(&model, &answer.because);
                let with = |because: &[Taken]| {
                    let mut all = because.to_vec();
                    all.push((here, word == "choose"));
                    oracle.left(&all).len()
                };
                prop_assert_eq!(with(&because), 0);
                for out in 0..because.len() {
                    let mut fewer = because.clone();
                    fewer.remove(out);
                    prop_assert!(with(&fewer) > 0, "{} is not needed", out);
                }
            }

            prop_assert_eq!(model.left(), &oracle.left(&oracle.taken).len().into());
            for (row, signs) in shown(&model, rows, cols).iter().rev().enumerate() {
                for (col, &sign) in signs.iter().enumerate() {
                    let status = oracle.status(Square::new(row, col));
                    prop_assert_eq!(sign, model.table().sign(status), "{}", line);
                }
            }
        }
    }
}

/// All solutions by the definition, each tried; `None` if there are none.
fn listed(args: &str, rows: usize, cols: usize) -> Option<Vec<Vec<Square>>> {
    use crate::args::{Args, Command};
    use clap::Parser;

    let words = "topdd queens".split(' ').chain(args.split_whitespace());
    let Command::Queens(asked) = Args::parse_from(words).command else { panic!("queens") };
    let pieces = asked.placed.problem(topdd_problem::QueensEncoding::Cell);
    let pieces = pieces.expect("a board").pieces();
    let squares: Vec<Square> = pieces.board().squares().collect();
    let candidates: Vec<Vec<Square>> = if asked.placed.anywhere().is_some() {
        let set = |bits: usize| {
            let bit = |at: &usize| bits >> at & 1 == 1;
            (0..squares.len()).filter(bit).map(|at| squares[at]).collect()
        };
        (0..1 << squares.len()).map(set).collect()
    } else {
        let in_rows = |number: usize| {
            let digit = |row: usize| number / cols.pow(row as u32) % cols;
            (0..rows).map(|row| Square::new(row, digit(row))).collect()
        };
        (0..cols.pow(rows as u32)).map(in_rows).collect()
    };
    let solutions: Vec<_> = candidates
        .into_iter()
        .filter(|squares: &Vec<Square>| pieces.is_solution(squares))
        .collect();
    (!solutions.is_empty()).then_some(solutions)
}

#[test]
fn signs_of_statuses_differ() {
    for args in ["4", "4 --any"] {
        let model = queens(args);
        let mut signs = STATUSES.map(|status| model.table().sign(status)).to_vec();
        signs.sort_unstable();
        signs.dedup();
        assert_eq!(signs.len(), STATUSES.len());
    }
}
