//! `topdd knights`.

use std::cell::OnceCell;

use num_bigint::BigUint;
use serde_json::json;
use topdd::{Frontier, QueryError, Zdd};
use topdd_apply::Family as ApplyFamily;
use topdd_chess::knights::{PathEncoding, TourReader};
use topdd_chess::{KnightsError, KnightsTours, Square};
use topdd_draw::{BoardPicture, Picture};
use topdd_graph::families::Unit;
use topdd_problem::{
    ElementWeights, Elements, Family, GraphElements, Subject, ToursEncoding, ToursProblem,
};

use super::{Classic, Conjoined, Identity, OnBoard, Problem, drawn, names, solved};
use crate::failure::Failure;
use crate::form::in_order;
use crate::{args, interrupt};

/// Makes the problem of a command line.
pub(crate) fn problem(asked: &args::Knights) -> Result<Box<dyn Problem>, Failure> {
    Ok(made(asked.problem()?, asked.engine.is_apply()))
}

/// The tours of a saved diagram.
pub(crate) fn saved(wanted: &ToursProblem) -> Box<dyn Problem> {
    made(wanted.clone(), false)
}

fn made(wanted: ToursProblem, is_apply: bool) -> Box<dyn Problem> {
    let (tours, identity) = (wanted.tours(), identity(&wanted, is_apply));
    Box::new(Knights { wanted, is_apply, tours, identity, reader: OnceCell::new() })
}

/// Converts the diagram of tours to paths or cycles of a graph of which each edge is a move, with a variable for each move.
/// `None` for a diagram with other variables, and for tours that are no sets of moves:
/// symmetric tours, tours with a direction, and tours by time.
pub(crate) fn by_move(
    wanted: &ToursProblem,
    zdd: &Zdd,
) -> Result<Option<(Zdd, Family, Elements)>, Failure> {
    let has_direction = wanted.directed && wanted.from.is_none() && wanted.to.is_none();
    if has_direction || wanted.symmetric.is_some() {
        return Ok(None);
    }
    let tours = wanted.tours();
    let paths = tours.paths().map_err(Failure::usage)?;
    let (zdd, order) = match wanted.encoding {
        ToursEncoding::Edge if zdd.arity_range().is_some_and(|arities| arities != (2..=2)) => {
            return Ok(None);
        }
        ToursEncoding::Edge => (zdd.clone(), (0..paths.graph().num_edges()).collect()),
        ToursEncoding::Square => {
            let by_square = paths.by_vertex().map_err(Failure::usage)?;
            let converted = by_square.to_edge_sets(zdd);
            interrupt::check()?;
            match converted {
                Ok(converted) => converted,
                Err(QueryError::DifferentVariables { .. }) => return Ok(None),
                Err(error) => return Err(Failure::Failed(error.to_string())),
            }
        }
        ToursEncoding::Time => return Ok(None),
    };
    let vertices: Vec<usize> = (0..paths.graph().num_vertices()).collect();
    let squares = tours.to_squares(&vertices);
    let places = squares.iter().map(|square| (square.col as f64, square.row as f64));
    let graph = paths.graph().clone().with_vertex_labels(names(&squares));
    let graph = graph.and_then(|graph| graph.with_positions(places));
    let graph = graph.expect("each vertex has one square");
    let place = |square: Option<Square>| squares.iter().position(|own| Some(*own) == square);
    let (from, to, hamiltonian) = (place(wanted.from), place(wanted.to), true);
    let family = if wanted.open {
        Family::Paths { from, to, hamiltonian }
    } else {
        Family::Cycles { hamiltonian }
    };
    let weights = ElementWeights::Ones;
    let graph = GraphElements::new(Some(family.clone()), Unit::Edge, graph);
    Ok(Some((zdd, family, in_order(graph, order, weights))))
}

/// The texts that identify the tours of a board.
fn identity(wanted: &ToursProblem, is_apply: bool) -> Identity {
    let unit = match wanted.encoding {
        ToursEncoding::Edge => "move",
        ToursEncoding::Square => "square",
        ToursEncoding::Time => "time and square",
    };
    let mut facts = json!(wanted);
    facts["name"] = "knights".into();
    facts["engine"] = if is_apply { "apply" } else { "frontier" }.into();
    let title = format!("{}, by {}", wanted.words(), wanted.encoding.word());
    let subject = Some(Subject::Tours(wanted.clone()));
    Identity { title, facts, formulation: "knights", unit, subject }
}

/// The most squares by time: the number of variables is the square of this.
const MAX_SQUARES_BY_TIME: usize = 1 << 8;

struct Knights {
    wanted: ToursProblem,
    is_apply: bool,
    tours: KnightsTours,
    identity: Identity,
    /// The reader of solutions, made for the first of them.
    reader: OnceCell<Option<TourReader>>,
}

impl Knights {
    /// The encoding over the graph; none by time.
    fn on_graph(&self) -> Option<PathEncoding> {
        match self.wanted.encoding {
            ToursEncoding::Edge => Some(PathEncoding::ByEdge),
            ToursEncoding::Square => Some(PathEncoding::ByVertex),
            ToursEncoding::Time => None,
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
            KnightsError::SymmetricByTime if self.is_apply => {
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

impl Problem for Knights {
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
        if !self.is_apply {
            return Ok(None);
        }
        let squares = self.applied_squares()?;
        let (variables, constraints) = (squares * squares, 2 * squares.max(1) - 1);
        let conjoin = move |manager: &_, has_diagram: bool, conjoined: &mut Conjoined<'_>| {
            let conjoined = |done, family: &ApplyFamily| conjoined(done, &|| family.node_count());
            let family = self.tours.family(manager, conjoined).map_err(|error| match error {
                KnightsError::Apply(error) => error.into(),
                error => self.refused(&error),
            })?;
            solved(&family, has_diagram)
        };
        let conjoin = Box::new(conjoin);
        Ok(Some(Classic { variables, constraints, unit: "constraint", conjoin }))
    }

    fn heats(&self) -> Result<(), Failure> {
        let refusals = [
            (self.is_apply, "with --engine apply; leave it out"),
            (self.on_graph().is_none(), "with --encoding time; use edge or square"),
            (self.wanted.symmetric.is_some(), "with --symmetric; leave one of them out"),
            (self.wanted.directed, "with --directed; leave it out, for moves count either way"),
        ];
        match refusals.into_iter().find(|(is_asked, _)| *is_asked) {
            None => Ok(()),
            Some((_, what)) => {
                Err(Failure::Usage(format!("--heat counts moves, which is not possible {what}")))
            }
        }
    }

    fn heat(&self, zdd: &Zdd, title: String) -> Result<Picture, Failure> {
        self.heats()?;
        let all = zdd.count();
        let mut moves = Vec::new();
        if let (Some(encoding), true) = (self.on_graph(), all != BigUint::ZERO) {
            let counts = zdd.value_counts();
            let counts = self.tours.move_counts(encoding, &counts);
            moves = counts.map_err(|error| self.refused(&error))?;
        }
        Ok(self.board().moves(moves, &all).title(title).picture())
    }
}

impl OnBoard for Knights {
    fn read(&self, solution: &[usize]) -> Option<Vec<Square>> {
        self.reader()?.read(solution).ok()
    }

    fn draw(&self, squares: &[Square], ascii: bool) -> String {
        drawn(&self.tours.board().draw_tour(squares), ascii)
    }

    fn picture(&self, squares: &[Square]) -> BoardPicture {
        self.board().tour(squares, self.tours.is_closed())
    }

    fn board(&self) -> BoardPicture {
        BoardPicture::new(self.tours.board()).missing(self.tours.missing_squares())
    }
}
