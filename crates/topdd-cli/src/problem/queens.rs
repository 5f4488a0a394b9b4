//! `topdd queens`.

use serde_json::{Value, json};
use topdd_apply::{Family, Manager};
use topdd_problems::SpecVisitor;
use topdd_problems::chess::Square;
use topdd_problems::chess::queens::{Encoding, Queens, QueensError};

use super::{Classic, Problem, names, word};
use crate::failure::Failure;
use crate::{apply, args};

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
    fn applied(&self) -> bool {
        self.asked.common.engine == args::Engine::Apply
    }

    fn encoding(&self) -> Encoding {
        match self.asked.encoding {
            _ if self.applied() => Encoding::Cell,
            args::QueensEncoding::Row => Encoding::Row,
            args::QueensEncoding::Cell => Encoding::Cell,
        }
    }

    fn told_encoding(&self) -> String {
        match self.encoding() {
            Encoding::Row => word(&args::QueensEncoding::Row),
            Encoding::Cell => word(&args::QueensEncoding::Cell),
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
        title + ", by " + &self.told_encoding()
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
            "encoding": self.told_encoding(),
            "engine": word(&self.asked.common.engine),
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

    fn classic(&self) -> Result<Classic, Failure> {
        // Refuses what makes no sense before there is a manager.
        self.queens.by_cell().map_err(Failure::usage)?;
        let board = self.queens.board();
        let variables = board.rows * board.cols;
        Ok(Classic { variables, constraints: board.rows, unit: "row" })
    }

    fn family(
        &self,
        manager: &Manager,
        conjoined: &mut dyn FnMut(usize, &Family),
    ) -> Result<Family, Failure> {
        let family = self.queens.family(manager, |row, family| conjoined(row + 1, family));
        family.map_err(|error| match error {
            QueensError::Apply(error) => apply::failed(&error),
            error => Failure::usage(error),
        })
    }

    fn squares(&self, solution: &[usize]) -> Vec<Square> {
        self.encoding().squares(self.queens.board(), solution)
    }

    fn draw(&self, squares: &[Square]) -> String {
        self.queens.board().draw_queens(squares).to_string()
    }
}
