//! `topdd queens`.

use serde_json::{Value, json};
use topdd_problems::SpecVisitor;
use topdd_problems::chess::Square;
use topdd_problems::chess::queens::{Encoding, Queens};

use super::{Problem, names, word};
use crate::args;
use crate::failure::Failure;

/// The problem that is asked.
pub(crate) fn of(asked: &args::Queens) -> impl Problem + use<'_> {
    let [rows, cols] = [asked.rows, asked.cols].map(|side| side.or(asked.size).unwrap_or(0));
    let queens = Queens::on(rows, cols)
        .given(asked.given.iter().copied())
        .forbid(asked.forbid.iter().copied())
        .toroidal(asked.toroidal)
        .forward_check(!asked.no_forward_check);
    Asked { asked, queens }
}

struct Asked<'a> {
    asked: &'a args::Queens,
    queens: Queens,
}

impl Asked<'_> {
    fn encoding(&self) -> Encoding {
        match self.asked.encoding {
            args::QueensEncoding::Row => Encoding::Row,
            args::QueensEncoding::Cell => Encoding::Cell,
        }
    }
}

impl Problem for Asked<'_> {
    fn title(&self) -> String {
        let mut title = format!("queens on {}", self.queens.board());
        if self.asked.toroidal {
            title += ", toroidal";
        }
        for (word, squares) in [("given", &self.asked.given), ("forbidden", &self.asked.forbid)] {
            if !squares.is_empty() {
                title = title + ", " + word + " " + &names(squares).join(" ");
            }
        }
        title + ", by " + &word(&self.asked.encoding)
    }

    fn facts(&self) -> Value {
        let board = self.queens.board();
        json!({
            "name": "queens",
            "rows": board.rows,
            "cols": board.cols,
            "toroidal": self.asked.toroidal,
            "given": names(&self.asked.given),
            "forbidden": names(&self.asked.forbid),
            "encoding": word(&self.asked.encoding),
        })
    }

    fn unit(&self) -> &'static str {
        match self.asked.encoding {
            args::QueensEncoding::Row => "row",
            args::QueensEncoding::Cell => "square",
        }
    }

    fn visit<V: SpecVisitor>(&self, visitor: V) -> Result<V::Output, Failure> {
        self.queens.visit(self.encoding(), visitor).map_err(Failure::usage)
    }

    fn squares(&self, solution: &[usize]) -> Vec<Square> {
        self.encoding().squares(self.queens.board(), solution)
    }

    fn draw(&self, squares: &[Square]) -> String {
        self.queens.board().draw_queens(squares).to_string()
    }
}
