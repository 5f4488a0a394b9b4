//! Universes of combinations, and universes as tuples in pickles and files.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::convert::{Numbers, Size};
use crate::errors::Outcome;
use crate::graph::{Graph, GraphData};
use crate::puzzles::{board, piece_named};
use crate::universe::{Domain, EdgeReading, Objective, Universe};

impl Universe {
    /// The universe of combinations with solutions of another one, which is the same: without the weights, objectives,
    /// probabilities and populations that are different.
    pub(crate) fn combined(&self, other: &Self, py: Python<'_>) -> Outcome<Self> {
        Ok(match (self, other) {
            (Universe::Graph(one, _), Universe::Graph(two, _)) => {
                self.on(GraphData::combined(one, two, py)?)
            }
            (Universe::Variables(one, values), Universe::Variables(two, _)) => {
                let objective = one.objective.combined(&two.objective);
                Universe::Variables(Arc::new(one.with(objective, py)), values.clone())
            }
            _ => self.clone(),
        })
    }

    /// The universe with another graph in place of its own.
    pub(crate) fn on(&self, graph: Arc<GraphData>) -> Self {
        match self {
            Universe::Graph(_, part) => Universe::Graph(graph, *part),
            _ => self.clone(),
        }
    }

    /// The universe as a tuple, for pickles and files: what the elements are, and the objects that make them.
    pub(crate) fn state<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyTuple>> {
        Ok(match self {
            Universe::Graph(graph, part) => {
                let graph = Graph(graph.clone());
                match *part {
                    Domain::Edges(EdgeReading { from, to, blocks }) => {
                        ("edge", graph, from, to, blocks).into_pyobject(py)?
                    }
                    Domain::Vertices => ("vertex", graph).into_pyobject(py)?,
                    Domain::Colours(colours) => ("colour", graph, colours).into_pyobject(py)?,
                }
            }
            Universe::Squares(_, board, piece) => {
                ("square", board.rows, board.cols, piece.to_string()).into_pyobject(py)?
            }
            Universe::Objects(elements) => ("object", elements.objects(py)).into_pyobject(py)?,
            Universe::Variables(elements, values) => {
                let values = values.iter().map(|values| values.state(py));
                let values = PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)?;
                let objects = elements.objects(py);
                match &elements.objective {
                    Objective::None => ("variable", objects, values).into_pyobject(py)?,
                    Objective::One(weights) => {
                        let weights = PyTuple::new(py, &weights.whole)?;
                        ("variable", objects, values, weights).into_pyobject(py)?
                    }
                    Objective::Several => {
                        ("variable", objects, values, py.None()).into_pyobject(py)?
                    }
                }
            }
        })
    }

    /// The universe of a tuple that [`state`](Universe::state) has made.
    pub(crate) fn of_state(state: &Bound<'_, PyTuple>) -> Outcome<Self> {
        let unit: String = state.get_item(0)?.extract()?;
        if unit == "object" {
            return Universe::of_objects(state.get_item(1)?.cast_into().map_err(PyErr::from)?);
        }
        if unit == "variable" {
            let tuple = |at: usize| state.get_item(at)?.cast_into::<PyTuple>().map_err(PyErr::from);
            let objective = match state.get_item(3) {
                Err(_) => Objective::None,
                Ok(weights) if weights.is_none() => Objective::Several,
                Ok(weights) => Objective::One(Numbers::of_whole(state.py(), weights.extract()?)?),
            };
            return Universe::with_objective(tuple(1)?, &tuple(2)?, objective);
        }
        if unit == "square" {
            let (_, rows, cols, piece): (String, Size, Size, String) = state.extract()?;
            let (board, piece) = (board(rows, Some(cols))?, piece_named(&piece)?);
            return Universe::of_board(state.py(), board, piece);
        }
        let graph = state.get_item(1)?;
        let graph = graph.cast::<Graph>().map_err(PyErr::from)?.get().0.clone();
        let part = match unit.as_str() {
            "edge" => {
                let (_, _, from, to, blocks): Edges<'_> = state.extract()?;
                let end = |end: Option<usize>| end.filter(|&end| end < graph.core.num_vertices());
                Domain::Edges(EdgeReading { from: end(from), to: end(to), blocks })
            }
            "colour" => Domain::Colours(state.get_item(2)?.extract()?),
            _ => Domain::Vertices,
        };
        Ok(Universe::Graph(graph, part))
    }
}

/// The parts of the tuple for edges.
type Edges<'py> = (String, Bound<'py, PyAny>, Option<usize>, Option<usize>, bool);
