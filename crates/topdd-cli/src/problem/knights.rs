//! `topdd knights`.

use std::cell::OnceCell;

use serde_json::{Value, json};
use topdd_problems::SpecVisitor;
use topdd_problems::chess::knights::Encoding;
use topdd_problems::chess::{Board, KnightsTours, Square};
use topdd_problems::graph::Walks;

use super::{Problem, word};
use crate::args;
use crate::failure::Failure;

/// The problem that is asked.
pub(crate) fn of(wanted: &args::Knights) -> impl Problem + use<'_> {
    let (rows, cols) = (wanted.rows, wanted.cols);
    let mut tours =
        if wanted.open { KnightsTours::open(rows, cols) } else { KnightsTours::closed(rows, cols) };
    if let Some(square) = wanted.from {
        tours = tours.from(square);
    }
    if let Some(square) = wanted.to {
        tours = tours.to(square);
    }
    Knights { wanted, tours, walks: OnceCell::new() }
}

struct Knights<'a> {
    wanted: &'a args::Knights,
    tours: KnightsTours,
    /// What solutions are read with, made for the first of them.
    walks: OnceCell<Walks>,
}

impl Knights<'_> {
    fn encoding(&self) -> Encoding {
        match self.wanted.encoding {
            args::KnightsEncoding::Edge => Encoding::ByEdge,
            args::KnightsEncoding::Square => Encoding::ByVertex,
        }
    }
}

impl Problem for Knights<'_> {
    fn title(&self) -> String {
        let kind = if self.wanted.open { "open" } else { "closed" };
        let mut title = format!("{kind} knight's tours on {}", self.tours.board());
        for (preposition, end) in [("from", self.wanted.from), ("to", self.wanted.to)] {
            if let Some(square) = end {
                title = title + " " + preposition + " " + &square.to_string();
            }
        }
        title + ", by " + &word(&self.wanted.encoding)
    }

    fn facts(&self) -> Value {
        let Board { rows, cols } = self.tours.board();
        let name = |end: Option<Square>| end.map(|square| square.to_string());
        json!({
            "name": "knights",
            "rows": rows,
            "cols": cols,
            "open": self.wanted.open,
            "from": name(self.wanted.from),
            "to": name(self.wanted.to),
            "encoding": word(&self.wanted.encoding),
        })
    }

    fn unit(&self) -> &'static str {
        match self.wanted.encoding {
            args::KnightsEncoding::Edge => "move",
            args::KnightsEncoding::Square => "square",
        }
    }

    fn visit<V: SpecVisitor>(&self, visitor: V) -> Result<V::Output, Failure> {
        self.tours.visit(self.encoding(), visitor).map_err(Failure::usage)
    }

    fn squares(&self, solution: &[usize]) -> Vec<Square> {
        let walks = self
            .walks
            .get_or_init(|| self.tours.walks().expect("there is a solution, so there was a spec"));
        let vertices = walks
            .to_sequence(self.encoding(), solution)
            .expect("what the diagram of a spec for tours lists is a tour");
        self.tours.to_squares(&vertices)
    }

    fn draw(&self, squares: &[Square]) -> String {
        self.tours.board().draw_tour(squares).to_string()
    }
}
