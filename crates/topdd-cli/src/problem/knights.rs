//! `topdd knights`.

use std::cell::OnceCell;

use num_bigint::BigUint;
use serde_json::{Value, json};
use topdd::{Frontier, Zdd};
use topdd_apply::{Family, Manager};
use topdd_chess::knights::{PathEncoding, TourReader};
use topdd_chess::picture::BoardPicture;
use topdd_chess::{Board, KnightsError, KnightsTours, Square};

use super::{Classic, Problem, drawn, given_flags, square_names, squares_flag, word};
use crate::args::{self, KnightsEncoding};
use crate::failure::Failure;

/// Makes the problem of a command line.
pub(crate) fn of(wanted: &args::Knights) -> Box<dyn Problem + '_> {
    let Board { rows, cols } = wanted.board.0;
    let mut tours =
        if wanted.open { KnightsTours::open(rows, cols) } else { KnightsTours::closed(rows, cols) };
    tours = tours.piece(wanted.piece.clone()).missing(wanted.missing.iter().copied());
    if let Some(square) = wanted.from {
        tours = tours.from(square);
    }
    if let Some(square) = wanted.to {
        tours = tours.to(square);
    }
    if wanted.directed {
        tours = tours.directed();
    }
    if let Some(symmetry) = wanted.symmetric {
        tours = tours.symmetric(symmetry.of_board());
    }
    Box::new(Knights { wanted, tours, reader: OnceCell::new() })
}

/// The most squares by time: the number of variables is the square of this.
const MAX_SQUARES_BY_TIME: usize = 1 << 8;

struct Knights<'a> {
    wanted: &'a args::Knights,
    tours: KnightsTours,
    /// The reader of solutions, made for the first of them.
    reader: OnceCell<Option<TourReader>>,
}

impl Knights<'_> {
    fn applied(&self) -> bool {
        self.wanted.common.engine == args::Engine::Apply
    }

    /// The encoding; the apply engine has that by time only.
    fn encoding(&self) -> KnightsEncoding {
        if self.applied() { KnightsEncoding::Time } else { self.wanted.encoding }
    }

    /// The encoding over the graph; none by time.
    fn on_graph(&self) -> Option<PathEncoding> {
        match self.encoding() {
            KnightsEncoding::Edge => Some(PathEncoding::ByEdge),
            KnightsEncoding::Square => Some(PathEncoding::ByVertex),
            KnightsEncoding::Time => None,
        }
    }

    /// The reader of solutions; none if the problem has no spec.
    fn reader(&self) -> Option<&TourReader> {
        let reader = self.reader.get_or_init(|| match self.on_graph() {
            Some(encoding) => self.tours.reader(encoding).ok(),
            None => self.tours.reader_by_time().ok(),
        });
        reader.as_ref()
    }

    /// The board without the missing squares.
    fn board(&self) -> BoardPicture {
        BoardPicture::new(self.tours.board()).missing(self.tours.missing_squares())
    }

    /// The number of squares of tours for the apply engine, which must not be many.
    fn applied_squares(&self) -> Result<usize, Failure> {
        if self.wanted.symmetric.is_some() {
            return Err(self.refused(&KnightsError::SymmetricByTime));
        }
        let squares = self.squares().map_err(|error| self.refused(&error))?;
        if squares > MAX_SQUARES_BY_TIME {
            return Err(Failure::Usage(format!(
                "a {} board is too large for knight's tours by time: at most {} squares, or \
                 use --engine frontier",
                self.tours.board(),
                MAX_SQUARES_BY_TIME
            )));
        }
        Ok(squares)
    }

    /// The number of squares that are not missing.
    fn squares(&self) -> Result<usize, KnightsError> {
        Ok(self.tours.paths()?.graph().num_vertices())
    }

    /// The failure for tours that are refused, in the words of the command line.
    fn refused(&self, error: &KnightsError) -> Failure {
        match error {
            KnightsError::SymmetricByTime if self.applied() => {
                Failure::Usage("--symmetric is for --engine frontier only".to_owned())
            }
            KnightsError::SymmetricByTime => Failure::Usage(
                "--symmetric is not for --encoding time; use edge or square".to_owned(),
            ),
            KnightsError::TooLarge { board, most } if self.on_graph().is_none() => {
                Failure::Usage(format!(
                    "a {board} board is too large for --encoding time: at most {most} squares; \
                     ask for edge or square"
                ))
            }
            _ => Failure::usage(error),
        }
    }
}

impl Problem for Knights<'_> {
    fn title(&self) -> String {
        let args::Knights { open, piece, missing, from, to, directed, symmetric, .. } = self.wanted;
        let kind = if *open { "open" } else { "closed" };
        let mut title = format!("{kind} {piece}'s tours on {}", self.tours.board());
        if !missing.is_empty() {
            title = title + " without " + &square_names(missing).join(" ");
        }
        for (preposition, end) in [("from", from), ("to", to)] {
            if let Some(square) = end {
                title = title + " " + preposition + " " + &square.to_string();
            }
        }
        if *directed {
            title += ", directed";
        }
        if let Some(symmetry) = symmetric {
            title = title + ", symmetric by " + &word(symmetry);
        }
        title + ", by " + &word(&self.encoding())
    }

    fn facts(&self) -> Value {
        let Board { rows, cols } = self.tours.board();
        let name = |end: Option<Square>| end.map(|square| square.to_string());
        json!({
            "name": "knights",
            "rows": rows,
            "cols": cols,
            "piece": self.wanted.piece.to_string(),
            "missing": square_names(&self.wanted.missing),
            "open": self.wanted.open,
            "from": name(self.wanted.from),
            "to": name(self.wanted.to),
            "directed": self.wanted.directed,
            "symmetric": self.wanted.symmetric.as_ref().map(word),
            "encoding": word(&self.encoding()),
            "engine": word(&self.wanted.common.engine),
        })
    }

    fn formulation(&self) -> &'static str {
        "knights"
    }

    fn unit(&self) -> &'static str {
        match self.encoding() {
            KnightsEncoding::Edge => "move",
            KnightsEncoding::Square => "square",
            KnightsEncoding::Time => "time and square",
        }
    }

    fn frontier(&self) -> Result<Frontier<'_>, Failure> {
        let frontier = match self.on_graph() {
            Some(encoding) => self.tours.frontier(encoding),
            None => self.tours.frontier_by_time(),
        };
        frontier.map_err(|error| self.refused(&error))
    }

    fn num_vars(&self) -> Result<usize, Failure> {
        let variables = match self.on_graph() {
            Some(encoding) => self.tours.num_vars(encoding),
            None => self.squares().map(|squares| squares.pow(2)),
        };
        variables.map_err(|error| self.refused(&error))
    }

    fn classic(&self) -> Result<Classic, Failure> {
        let squares = self.applied_squares()?;
        let constraints = 2 * squares.max(1) - 1;
        Ok(Classic { variables: squares * squares, constraints, unit: "constraint" })
    }

    fn family(
        &self,
        manager: &Manager,
        conjoined: &mut dyn FnMut(usize, &Family),
    ) -> Result<Family, Failure> {
        self.applied_squares()?;
        self.tours.family(manager, conjoined).map_err(|error| match error {
            KnightsError::Apply(error) => Failure::of_apply(&error),
            error => self.refused(&error),
        })
    }

    fn arguments(&self) -> Vec<String> {
        let args::Knights { piece, open, missing, from, to, directed, symmetric, .. } = self.wanted;
        let mut words = vec!["knights".to_owned(), self.tours.board().to_string()];
        if piece.to_string() != "knight" {
            words.extend(["--piece".to_owned(), piece.to_string()]);
        }
        words.extend(squares_flag("--missing", missing));
        words.extend(given_flags([("--open", *open), ("--directed", *directed)]));
        for (flag, square) in [("--from", from), ("--to", to)] {
            words.extend(square.iter().flat_map(|square| [flag.to_owned(), square.to_string()]));
        }
        words.extend(symmetric.iter().map(|symmetry| format!("--symmetric={}", word(symmetry))));
        if self.encoding() != KnightsEncoding::Square {
            words.extend(["--encoding".to_owned(), word(&self.encoding())]);
        }
        words
    }

    fn read(&self, solution: &[usize]) -> Option<Vec<Square>> {
        self.reader()?.read(solution).ok()
    }

    fn draw(&self, squares: &[Square], ascii: bool) -> String {
        drawn(&self.tours.board().draw_tour(squares), ascii)
    }

    fn picture(&self, squares: &[Square]) -> BoardPicture {
        self.board().tour(squares, self.tours.is_closed())
    }

    fn heats(&self) -> Result<(), Failure> {
        let refused = |what: &str| {
            Failure::Usage(format!("--heat counts moves, which is not possible {what}"))
        };
        if self.applied() {
            return Err(refused("with --engine apply; leave it out"));
        }
        if self.on_graph().is_none() {
            return Err(refused("with --encoding time; use edge or square"));
        }
        if self.wanted.symmetric.is_some() {
            return Err(refused("with --symmetric; leave one of them out"));
        }
        if self.wanted.directed {
            return Err(refused("with --directed; leave it out, for moves count either way"));
        }
        Ok(())
    }

    fn heat(&self, zdd: &Zdd) -> Result<BoardPicture, Failure> {
        self.heats()?;
        let all = zdd.count();
        let mut moves = Vec::new();
        if let (Some(encoding), true) = (self.on_graph(), all != BigUint::ZERO) {
            let counts = zdd.value_counts();
            let counts = self.tours.move_counts(encoding, &counts);
            moves = counts.map_err(|error| self.refused(&error))?;
        }
        Ok(self.board().moves(moves, &all))
    }
}
