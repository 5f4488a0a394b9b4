//! `topdd knights`.

use std::cell::OnceCell;

use num_bigint::BigUint;
use serde_json::{Value, json};
use topdd::{Frontier, QueryError, Zdd};
use topdd_apply::Family;
use topdd_chess::knights::{PathEncoding, TourReader};
use topdd_chess::{Board, KnightsError, KnightsTours, Square};
use topdd_draw::BoardPicture;
use topdd_graph::Graph;

use super::{
    Classic, Computation, Conjoined, Identity, Presentation, Problem, drawn, given_flags, names,
    square_names, squares_flag, word,
};
use crate::args::{self, KnightsEncoding};
use crate::failure::Failure;
use crate::interrupt;

/// Makes the problem of a command line.
pub(crate) fn problem(wanted: &args::Knights) -> Box<dyn Problem + '_> {
    let tours = tours(wanted);
    let identity = identity(wanted, tours.board());
    Box::new(Knights { wanted, tours, identity, reader: OnceCell::new() })
}

fn tours(wanted: &args::Knights) -> KnightsTours {
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
    tours
}

/// Tours as paths or cycles of a graph of which each edge is a move.
pub(crate) struct ByMove {
    /// The tours, with a variable for each move.
    pub(crate) zdd: Zdd,
    /// The moves, between squares at their places.
    pub(crate) graph: Graph,
    /// The edge of each variable.
    pub(crate) order: Vec<usize>,
    /// The arguments of `topdd` for the same family of a graph; its file, `moves`, need not exist.
    pub(crate) arguments: Vec<String>,
}

/// Converts the diagram of tours. `None` for a diagram with other variables, and for tours that are no sets of moves:
/// symmetric tours, tours with a direction, and tours by time.
pub(crate) fn by_move(wanted: &args::Knights, zdd: &Zdd) -> Result<Option<ByMove>, Failure> {
    let has_direction = wanted.directed && wanted.from.is_none() && wanted.to.is_none();
    if has_direction || wanted.symmetric.is_some() {
        return Ok(None);
    }
    let tours = tours(wanted);
    let family = tours.paths().map_err(Failure::usage)?;
    let (zdd, order) = match encoding(wanted) {
        KnightsEncoding::Edge if zdd.arity_range().is_some_and(|arities| arities != (2..=2)) => {
            return Ok(None);
        }
        KnightsEncoding::Edge => (zdd.clone(), (0..family.graph().num_edges()).collect()),
        KnightsEncoding::Square => {
            let by_square = family.by_vertex().map_err(Failure::usage)?;
            let converted = by_square.to_edge_sets(zdd);
            interrupt::check()?;
            match converted {
                Ok(converted) => converted,
                Err(QueryError::DifferentVariables { .. }) => return Ok(None),
                Err(error) => return Err(Failure::Failed(error.to_string())),
            }
        }
        KnightsEncoding::Time => return Ok(None),
    };
    let vertices: Vec<usize> = (0..family.graph().num_vertices()).collect();
    let squares = tours.to_squares(&vertices);
    let places = squares.iter().map(|square| (square.col as f64, square.row as f64));
    let graph = family.graph().clone().with_vertex_labels(names(&squares));
    let graph = graph.and_then(|graph| graph.with_positions(places));
    let graph = graph.expect("each vertex has one square");
    let family = if wanted.open { "paths" } else { "cycles" };
    let mut arguments = ["graph", family, "moves", "--hamiltonian"].map(str::to_owned).to_vec();
    arguments.extend(ends(wanted));
    Ok(Some(ByMove { zdd, graph, order, arguments }))
}

/// The encoding; the apply engine has only the encoding by time.
fn encoding(wanted: &args::Knights) -> KnightsEncoding {
    if wanted.engine.is_apply() { KnightsEncoding::Time } else { wanted.encoding }
}

/// The texts that identify the tours of a board.
fn identity(wanted: &args::Knights, board: Board) -> Identity {
    let unit = match encoding(wanted) {
        KnightsEncoding::Edge => "move",
        KnightsEncoding::Square => "square",
        KnightsEncoding::Time => "time and square",
    };
    Identity {
        title: title(wanted, board),
        facts: facts(wanted, board),
        formulation: "knights",
        unit,
        arguments: arguments(wanted, board),
    }
}

fn title(wanted: &args::Knights, board: Board) -> String {
    let args::Knights { open, piece, missing, from, to, directed, symmetric, .. } = wanted;
    let kind = if *open { "open" } else { "closed" };
    let mut title = format!("{kind} {piece}'s tours on {board}");
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
    title + ", by " + &word(&encoding(wanted))
}

fn facts(wanted: &args::Knights, board: Board) -> Value {
    let name = |end: Option<Square>| end.map(|square| square.to_string());
    json!({
        "name": "knights",
        "rows": board.rows,
        "cols": board.cols,
        "piece": wanted.piece.to_string(),
        "missing": square_names(&wanted.missing),
        "open": wanted.open,
        "from": name(wanted.from),
        "to": name(wanted.to),
        "directed": wanted.directed,
        "symmetric": wanted.symmetric.as_ref().map(word),
        "encoding": word(&encoding(wanted)),
        "engine": word(&wanted.engine.engine),
    })
}

fn arguments(wanted: &args::Knights, board: Board) -> Vec<String> {
    let args::Knights { piece, open, missing, directed, symmetric, .. } = wanted;
    let mut words = vec!["knights".to_owned(), board.to_string()];
    if piece.to_string() != "knight" {
        words.extend(["--piece".to_owned(), piece.to_string()]);
    }
    words.extend(squares_flag("--missing", missing));
    words.extend(given_flags([("--open", *open), ("--directed", *directed)]));
    words.extend(ends(wanted));
    words.extend(symmetric.iter().map(|symmetry| format!("--symmetric={}", word(symmetry))));
    if encoding(wanted) != KnightsEncoding::Square {
        words.extend(["--encoding".to_owned(), word(&encoding(wanted))]);
    }
    words
}

/// The options of the ends of tours.
fn ends(wanted: &args::Knights) -> impl Iterator<Item = String> {
    let ends = [("--from", wanted.from), ("--to", wanted.to)].into_iter();
    ends.filter_map(|(flag, square)| Some([flag.to_owned(), square?.to_string()])).flatten()
}

/// The most squares by time: the number of variables is the square of this.
const MAX_SQUARES_BY_TIME: usize = 1 << 8;

struct Knights<'a> {
    wanted: &'a args::Knights,
    tours: KnightsTours,
    identity: Identity,
    /// The reader of solutions, made for the first of them.
    reader: OnceCell<Option<TourReader>>,
}

impl Knights<'_> {
    /// The encoding over the graph; none by time.
    fn on_graph(&self) -> Option<PathEncoding> {
        match encoding(self.wanted) {
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
            KnightsError::SymmetricByTime if self.wanted.engine.is_apply() => {
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

impl Computation for Knights<'_> {
    fn identity(&self) -> &Identity {
        &self.identity
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

    fn classic(&self) -> Result<Option<Classic<'_>>, Failure> {
        if !self.wanted.engine.is_apply() {
            return Ok(None);
        }
        let squares = self.applied_squares()?;
        let (variables, constraints) = (squares * squares, 2 * squares.max(1) - 1);
        let conjoin = move |manager: &_, conjoined: &mut dyn FnMut(usize, &Conjoined)| {
            let conjoined =
                |done, family: &Family| conjoined(done, &Conjoined::Family(family.clone()));
            self.tours.family(manager, conjoined).map(Conjoined::Family).map_err(
                |error| match error {
                    KnightsError::Apply(error) => Failure::of_apply(&error),
                    error => self.refused(&error),
                },
            )
        };
        let conjoin = Box::new(conjoin);
        Ok(Some(Classic { variables, constraints, unit: "constraint", conjoin }))
    }
}

impl Presentation for Knights<'_> {
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
        if self.wanted.engine.is_apply() {
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
