//! After every key, on random boards, the screen agrees with the list of all solutions.

use proptest::prelude::*;
use topdd::diagram::ZeroSuppressed;
use topdd::{Decision, Status};
use topdd_chess::Square;

use super::{press, queens, screen};
use crate::cell_table::{Cell, STATUSES};
use crate::configure::model::Model;

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

    /// Decides, or takes back; `false` if that is impossible.
    fn toggle(&mut self, decision: Taken) -> bool {
        let mut taken = self.taken.clone();
        match taken.iter().position(|&other| other == decision) {
            Some(at) => drop(taken.remove(at)),
            None => taken.push(decision),
        }
        let possible = !self.left(&taken).is_empty();
        if possible {
            self.change(taken);
        }
        possible
    }
}

/// The sign on each square, read off the screen, row by row from the top.
fn shown(lines: &[String], rows: usize, cols: usize) -> Vec<Vec<char>> {
    let board: Vec<Vec<char>> = lines
        .iter()
        .filter(|line| line.contains('│'))
        .map(|line| line.split('│').skip(1).take(cols))
        .map(|cells| cells.map(|cell| cell.chars().nth(1).expect("a sign")).collect())
        .collect();
    assert!(board.len() == rows && board.iter().all(|row| row.len() == cols), "{lines:#?}");
    board
}

/// Decisions, as squares.
fn squares(model: &Model<ZeroSuppressed>, decisions: &[Decision]) -> Vec<Taken> {
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

fn keys() -> impl Strategy<Value = Vec<&'static str>> {
    let often = vec!["left", "right", "up", "down", "tab", "enter", "enter", "x"];
    let seldom = vec!["u", "r", "u", "c", "s", "?"];
    let key = prop_oneof![4 => prop::sample::select(often), 1 => prop::sample::select(seldom)];
    prop::collection::vec(key, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn statuses_agree_with_brute_force(
        (rows, cols, more) in boards(),
        keys in keys(),
    ) {
        let args = format!("{rows}x{cols} {more}");
        let Some(solutions) = listed(&args, rows, cols) else { return Ok(()) };
        let mut model = queens(&args);
        let mut oracle =
            Oracle { solutions, taken: Vec::new(), done: Vec::new(), undone: Vec::new() };
        for key in keys {
            let here = square(model.cursor());
            press(&mut model, key);
            let done = match key {
                "enter" => oracle.toggle((here, true)),
                "x" => oracle.toggle((here, false)),
                "u" => oracle.done.pop().map(|before| {
                    oracle.undone.push(std::mem::replace(&mut oracle.taken, before));
                }).is_some(),
                "r" => oracle.undone.pop().map(|after| {
                    oracle.done.push(std::mem::replace(&mut oracle.taken, after));
                }).is_some(),
                "c" => {
                    if !oracle.taken.is_empty() {
                        oracle.change(Vec::new());
                    }
                    true
                }
                "s" => {
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
            // The message stays while the cursor moves.
            if matches!(key, "enter" | "x" | "u" | "r" | "c" | "s") {
                prop_assert_eq!(!model.said().refused, done, "{} {}", key, model.said().text);
            }
            prop_assert_eq!(&squares(&model, model.decisions()), &oracle.taken);

            // Reasons for a refusal suffice, and each of them is needed.
            if matches!(key, "enter" | "x") && !done {
                let because = squares(&model, &model.said().because);
                let with = |because: &[Taken]| {
                    let mut all = because.to_vec();
                    all.push((here, key == "enter"));
                    oracle.left(&all).len()
                };
                prop_assert_eq!(with(&because), 0);
                for out in 0..because.len() {
                    let mut fewer = because.clone();
                    fewer.remove(out);
                    prop_assert!(with(&fewer) > 0, "{} is not needed", out);
                }
            }

            let lines = screen(&model);
            let (left, all) = (oracle.left(&oracle.taken).len(), oracle.solutions.len());
            prop_assert!(lines[0].ends_with(&format!(" {left} of {all} left")), "{}", lines[0]);
            let shown = shown(&lines, rows, cols);
            for (row, signs) in shown.iter().rev().enumerate() {
                for (col, &sign) in signs.iter().enumerate() {
                    let status = oracle.status(Square::new(row, col));
                    prop_assert_eq!(sign, model.table().sign(status), "{:#?}", lines);
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
    let pieces = asked.placed.problem(topdd_problem::QueensEncoding::Cell).pieces();
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
fn signs_differ_without_colour() {
    for args in ["4", "4 --any"] {
        let model = queens(args);
        let mut signs = STATUSES.map(|status| model.table().sign(status)).to_vec();
        signs.sort_unstable();
        signs.dedup();
        assert_eq!(signs.len(), STATUSES.len());
    }
}
