//! `topdd knights`.

use serde_json::{Value, json};
use topdd_problems::SpecVisitor;
use topdd_problems::chess::knights::{Encoding, KnightsError, KnightsTours};
use topdd_problems::chess::{Board, Square};

use super::{Problem, word};
use crate::args;
use crate::failure::Failure;

/// The problem that is asked.
pub(crate) fn of(asked: &args::Knights) -> impl Problem + use<'_> {
    let (rows, cols) = (asked.rows, asked.cols);
    let mut tours =
        if asked.open { KnightsTours::open(rows, cols) } else { KnightsTours::closed(rows, cols) };
    if let Some(square) = asked.from {
        tours = tours.from(square);
    }
    if let Some(square) = asked.to {
        tours = tours.to(square);
    }
    Asked { asked, tours }
}

struct Asked<'a> {
    asked: &'a args::Knights,
    tours: KnightsTours,
}

impl Asked<'_> {
    fn encoding(&self) -> Encoding {
        match self.asked.encoding {
            args::KnightsEncoding::Edge => Encoding::Edge,
            args::KnightsEncoding::Square => Encoding::Square,
        }
    }
}

impl Problem for Asked<'_> {
    fn title(&self) -> String {
        let kind = if self.asked.open { "open" } else { "closed" };
        let mut title = format!("{kind} knight's tours on {}", self.tours.board());
        for (preposition, end) in [("from", self.asked.from), ("to", self.asked.to)] {
            if let Some(square) = end {
                title = title + " " + preposition + " " + &square.to_string();
            }
        }
        title + ", by " + &word(&self.asked.encoding)
    }

    fn facts(&self) -> Value {
        let Board { rows, cols } = self.tours.board();
        let name = |end: Option<Square>| end.map(|square| square.to_string());
        json!({
            "name": "knights",
            "rows": rows,
            "cols": cols,
            "open": self.asked.open,
            "from": name(self.asked.from),
            "to": name(self.asked.to),
            "encoding": word(&self.asked.encoding),
        })
    }

    fn unit(&self) -> &'static str {
        match self.asked.encoding {
            args::KnightsEncoding::Edge => "move",
            args::KnightsEncoding::Square => "square",
        }
    }

    fn visit<V: SpecVisitor>(&self, visitor: V) -> Result<V::Output, Failure> {
        self.tours.visit(self.encoding(), visitor).map_err(|error| match error {
            // In the words of the command line, which knows no words of state.
            KnightsError::TooWide(_) | KnightsError::TooManySquares { .. } => {
                Failure::usage(format!(
                    "a {} board is too large for knight's tours; use one whose shorter side is \
                     at most 200",
                    self.tours.board()
                ))
            }
            _ => Failure::usage(error),
        })
    }

    fn squares(&self, solution: &[usize]) -> Vec<Square> {
        self.tours
            .to_squares(self.encoding(), solution)
            .expect("what the diagram of a spec for tours lists is a tour")
    }

    fn draw(&self, squares: &[Square]) -> String {
        self.tours.board().draw_tour(squares).to_string()
    }
}
