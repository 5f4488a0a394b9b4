//! `topdd knights`.

use std::cell::OnceCell;

use serde_json::{Value, json};
use topdd_apply::{Family, Manager};
use topdd_problems::SpecVisitor;
use topdd_problems::chess::knights::Encoding;
use topdd_problems::chess::{Board, KnightsTours, Square};
use topdd_problems::graph::{ByTimeError, Walks};

use super::{Classic, Problem, word};
use crate::failure::Failure;
use crate::{apply, args};

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

/// Boards of so many squares have as many variables by time as this squared.
const MOST_SQUARES_BY_TIME: usize = 1 << 8;

struct Knights<'a> {
    wanted: &'a args::Knights,
    tours: KnightsTours,
    /// What solutions are read with, made for the first of them.
    walks: OnceCell<Walks>,
}

impl Knights<'_> {
    fn applied(&self) -> bool {
        self.wanted.common.engine == args::Engine::Apply
    }

    /// What solutions are read with; there is one, so that the tours make sense.
    fn walks(&self) -> &Walks {
        self.walks
            .get_or_init(|| self.tours.walks().expect("there is a solution, so there was a spec"))
    }

    fn told_encoding(&self) -> String {
        if self.applied() { "time".to_owned() } else { word(&self.wanted.encoding) }
    }

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
        title + ", by " + &self.told_encoding()
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
            "encoding": self.told_encoding(),
            "engine": word(&self.wanted.common.engine),
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

    fn classic(&self) -> Result<Classic, Failure> {
        let walks = self.tours.walks().map_err(Failure::usage)?;
        let squares = walks.graph().vertices();
        if squares > MOST_SQUARES_BY_TIME {
            return Err(Failure::Usage(format!(
                "a {} board is too large for knight's tours by time: at most {} squares, or \
                 use --engine frontier",
                self.tours.board(),
                MOST_SQUARES_BY_TIME
            )));
        }
        let constraints = 2 * squares.max(1) - 1;
        Ok(Classic { variables: squares * squares, constraints, unit: "constraint" })
    }

    fn family(
        &self,
        manager: &Manager,
        conjoined: &mut dyn FnMut(usize, &Family),
    ) -> Result<Family, Failure> {
        let failed = |error| match error {
            ByTimeError::Apply(error) => apply::failed(&error),
            error => Failure::usage(error),
        };
        let walks = self.tours.walks().map_err(Failure::usage)?;
        let tours = walks.by_time(manager, |step, family| conjoined(step.done, family));
        let tours = tours.map_err(failed)?;
        // Tours have no direction.
        let once = walks.one_direction(manager).map_err(failed)?;
        tours.try_intersection(&once).map_err(|error| apply::failed(&error))
    }

    fn squares(&self, solution: &[usize]) -> Vec<Square> {
        let vertices = if self.applied() {
            // One variable for each time and square, of which one is 1 at each time.
            let squares = self.walks().graph().vertices();
            let visited = solution.iter().enumerate().filter(|&(_, &value)| value == 1);
            visited.map(|(variable, _)| variable % squares).collect()
        } else {
            self.walks()
                .to_sequence(self.encoding(), solution)
                .expect("what the diagram of a spec for tours lists is a tour")
        };
        self.tours.to_squares(&vertices)
    }

    fn draw(&self, squares: &[Square]) -> String {
        self.tours.board().draw_tour(squares).to_string()
    }
}
