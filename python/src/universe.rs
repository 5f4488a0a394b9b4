//! The objects that solutions consist of, and their numbers.

use std::sync::Arc;

use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyString, PyTuple};
use topdd_chess::{Board, Piece};
use topdd_graph::families::Unit;
use topdd_problem::Family;

use crate::convert::{NUMBERS, Numbers, SOURCES, call, collected};
use crate::errors::{Failure, Outcome};
use crate::graph::GraphData;
use crate::values::Values;

/// Remedies where only sets will do.
pub(crate) const MEMBERS: &str = "including and excluding take pairs of an element and its value";
pub(crate) const PAIRS: &str = "make each pair of an element and a value an element of its own";
pub(crate) const WEIGHTS: &str = "give weights=, with a number for each value";

/// Objects of the user, numbered from 0.
#[derive(Debug)]
pub(crate) struct Elements {
    objects: Py<PyTuple>,
    /// The number of each object, and of its other names, such as both directions of an edge.
    index: Py<PyDict>,
    len: usize,
    /// The weights of all values of the elements, in queries without weights.
    pub(crate) objective: Objective,
}

/// The objective of a file.
#[derive(Clone, Debug, Default)]
pub(crate) enum Objective {
    #[default]
    None,
    One(Arc<Numbers>),
    /// Families with different ones were combined.
    Several,
}

impl Objective {
    /// The objective of a combination.
    pub(crate) fn combined(&self, other: &Self) -> Self {
        match (self, other) {
            (one, Objective::None) => one.clone(),
            (Objective::None, two) => two.clone(),
            (Objective::One(one), Objective::One(two)) if one.whole == two.whole => self.clone(),
            _ => Objective::Several,
        }
    }
}

impl Elements {
    /// Numbers objects in their order; `noun` names them in errors.
    pub(crate) fn new(objects: Bound<'_, PyTuple>, noun: &str) -> Outcome<Self> {
        let index = call(objects.py(), SOURCES, "numbered", (&objects, noun))?;
        Ok(Self::with_index(objects, index.cast_into().map_err(PyErr::from)?))
    }

    /// Makes elements from objects and the numbers of all their names.
    pub(crate) fn with_index(objects: Bound<'_, PyTuple>, index: Bound<'_, PyDict>) -> Self {
        let (len, objective) = (objects.len(), Objective::None);
        Self { len, objective, objects: objects.unbind(), index: index.unbind() }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn objects<'py>(&self, py: Python<'py>) -> &Bound<'py, PyTuple> {
        self.objects.bind(py)
    }

    pub(crate) fn object<'py>(
        &self,
        py: Python<'py>,
        number: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.objects.bind(py).get_item(number)
    }

    /// The objects of some numbers.
    pub(crate) fn several<'py>(
        &self,
        py: Python<'py>,
        numbers: impl IntoIterator<Item = usize>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        numbers.into_iter().map(|number| self.object(py, number)).collect()
    }

    /// The number of an object; `None` if it is none of the elements.
    pub(crate) fn find(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        match self.index.bind(object.py()).get_item(object) {
            Ok(Some(number)) => Ok(Some(number.extract()?)),
            Ok(None) => Ok(None),
            Err(error)
                if error.is_instance_of::<PyKeyError>(object.py())
                    || error.is_instance_of::<PyTypeError>(object.py()) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// A dictionary with a value for each element, which finds it by all of its names.
    pub(crate) fn mapping<'py>(
        &self,
        py: Python<'py>,
        values: impl IntoIterator<Item: IntoPyObject<'py>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mapping = PyDict::new(py);
        for (object, value) in self.objects(py).iter().zip(values) {
            mapping.set_item(object, value)?;
        }
        let index = self.index.bind(py);
        if index.len() == self.len {
            return Ok(mapping);
        }
        let arguments = (mapping.items(), self.objects(py), index);
        Ok(call(py, SOURCES, "EdgeDict", arguments)?.cast_into()?)
    }

    /// The same elements with another objective.
    pub(crate) fn with(&self, objective: Objective, py: Python<'_>) -> Self {
        let (objects, index) = (self.objects.clone_ref(py), self.index.clone_ref(py));
        Self { objects, index, objective, len: self.len }
    }

    fn same(&self, other: &Self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.objects.is(&other.objects) || self.objects.bind(py).eq(other.objects.bind(py))?)
    }
}

/// How sets of edges are read: the fixed ends of paths give the order of their vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EdgeReading {
    pub(crate) from: Option<usize>,
    pub(crate) to: Option<usize>,
    /// Whether the sets are partitions, so that pictures show the blocks.
    pub(crate) blocks: bool,
}

/// What the elements of solutions are.
#[derive(Clone, Debug)]
pub(crate) enum Universe {
    Graph(Arc<GraphData>, Domain),
    /// The squares of a board.
    Squares(Arc<Elements>, Board, Piece),
    Objects(Arc<Elements>),
    /// Variables, and the values of each.
    Variables(Arc<Elements>, Arc<[Values]>),
}

/// What the elements are in a graph.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Domain {
    Edges(EdgeReading),
    Vertices,
    /// The colours of the vertices: so many.
    Colours(usize),
}

impl Domain {
    pub(crate) fn of_family(family: &Family) -> Self {
        match *family {
            Family::Paths { from, to, .. } => {
                Domain::Edges(EdgeReading { from, to, blocks: false })
            }
            Family::Partitions { .. } => {
                Domain::Edges(EdgeReading { blocks: true, ..EdgeReading::default() })
            }
            Family::Colourings { colours } => Domain::Colours(colours),
            _ if family.unit() == Unit::Vertex => Domain::Vertices,
            _ => Domain::Edges(EdgeReading::default()),
        }
    }
}

impl Universe {
    pub(crate) fn of_edges(graph: &Arc<GraphData>) -> Self {
        Universe::Graph(graph.clone(), Domain::Edges(EdgeReading::default()))
    }

    pub(crate) fn of_board(py: Python<'_>, board: Board, piece: Piece) -> Outcome<Self> {
        let names = board.squares().map(|square| square.to_string()).collect::<Vec<_>>();
        let squares = Elements::new(PyTuple::new(py, names)?, "square")?;
        Ok(Universe::Squares(Arc::new(squares), board, piece))
    }

    pub(crate) fn of_objects(objects: Bound<'_, PyTuple>) -> Outcome<Self> {
        Ok(Universe::Objects(Arc::new(Elements::new(objects, "element")?)))
    }

    /// Variables, and the values of each: their number, or a tuple.
    pub(crate) fn of_variables(
        names: Bound<'_, PyTuple>,
        values: &Bound<'_, PyTuple>,
    ) -> Outcome<Self> {
        Self::with_objective(names, values, Objective::None)
    }

    /// Variables, the values of each, and the weights of all values for queries without weights.
    pub(crate) fn with_objective(
        names: Bound<'_, PyTuple>,
        values: &Bound<'_, PyTuple>,
        objective: Objective,
    ) -> Outcome<Self> {
        let (elements, values) = (Elements::new(names, "variable")?, Values::of_states(values)?);
        let elements = Elements { objective, ..elements };
        if elements.len() != values.len() {
            return Err(Failure::input("each variable needs values"));
        }
        Ok(Universe::Variables(Arc::new(elements), values))
    }

    pub(crate) fn elements(&self) -> &Elements {
        match self {
            Universe::Graph(graph, _) => graph.elements(self.unit()),
            Universe::Squares(elements, ..)
            | Universe::Objects(elements)
            | Universe::Variables(elements, _) => elements,
        }
    }

    pub(crate) fn graph(&self) -> Option<&Arc<GraphData>> {
        let Universe::Graph(graph, _) = self else { return None };
        Some(graph)
    }

    /// What a variable stands for. Elements without a graph are like vertices, and variables with values like colours.
    pub(crate) fn unit(&self) -> Unit {
        match self {
            Universe::Graph(_, Domain::Edges(_)) => Unit::Edge,
            Universe::Graph(_, Domain::Colours(_)) | Universe::Variables(..) => Unit::Colour,
            _ => Unit::Vertex,
        }
    }

    /// The shape of an array of so many solutions, or of one.
    pub(crate) fn shape(&self, count: Option<usize>) -> Vec<usize> {
        let of_one = match self {
            Universe::Squares(_, board, _) => vec![board.rows, board.cols],
            _ => vec![self.elements().len()],
        };
        count.into_iter().chain(of_one).collect()
    }

    /// The noun for an element.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Universe::Squares(..) => "square",
            Universe::Objects(_) => "element",
            Universe::Variables(..) => "variable",
            Universe::Graph(..) => self.unit().noun(),
        }
    }

    /// The noun for several elements.
    pub(crate) fn nouns(&self) -> String {
        match self.noun() {
            "vertex" => "vertices".to_owned(),
            noun => format!("{noun}s"),
        }
    }

    /// The number of the value with which each element is in a set. Fails unless solutions are sets, with the name of the call
    /// and a remedy. Assignments are like sets if each variable has two values, of which one is false.
    pub(crate) fn member_values(
        &self,
        call: &str,
        remedy: &str,
        py: Python<'_>,
    ) -> Outcome<Vec<usize>> {
        let values = match self {
            Universe::Graph(_, Domain::Colours(_)) => {
                return Err(Failure::Input(format!(
                    "{call} is for sets, and these are colourings; {remedy}"
                )));
            }
            Universe::Variables(_, values) => values,
            _ => return Ok(vec![1; self.elements().len()]),
        };
        if values.iter().any(|values| values.len() != 2) {
            return Err(Failure::Input(format!(
                "{call} is for sets, and some variables have other than two values; {remedy}"
            )));
        }
        let member = |(element, values): (usize, &Values)| match values.marked(py)?.as_deref() {
            Some(&[member]) => Ok(member),
            _ => Err(Failure::Input(format!(
                "{call} is for sets, and it is not clear which of the values {} of {:?} is that of a member; use the \
                 values False and True; {remedy}",
                values.shown(py)?,
                self.elements().object(py, element)?
            ))),
        };
        values.iter().enumerate().map(member).collect()
    }

    /// Fails unless solutions are sets, with the name of the call and a remedy.
    pub(crate) fn check_sets(&self, call: &str, remedy: &str, py: Python<'_>) -> Outcome<()> {
        self.member_values(call, remedy, py).map(drop)
    }

    /// The number of an element.
    pub(crate) fn number(&self, object: &Bound<'_, PyAny>) -> Outcome<usize> {
        if let Some(number) = self.elements().find(object)? {
            return Ok(number);
        }
        Err(Failure::Input(match self {
            Universe::Graph(graph, Domain::Edges(_)) if graph.vertices.find(object)?.is_some() => {
                format!(
                    "{object:?} is a vertex, and no edge (u, v); through and avoid take vertices"
                )
            }
            Universe::Graph(_, Domain::Edges(_)) => {
                format!("{object:?} is no edge of the graph; Graph.edges lists them")
            }
            Universe::Graph(graph, _) => return graph.vertex(object),
            Universe::Squares(..) => {
                format!("{object:?} is no square; Diagram.elements lists them")
            }
            Universe::Objects(elements) | Universe::Variables(elements, _) => {
                let objects = elements.objects(object.py());
                let shown = objects.iter().take(8).map(|object| format!("{object:?}"));
                let more = if objects.len() > 8 { ", .." } else { "" };
                let (shown, nouns) = (shown.collect::<Vec<_>>().join(", "), self.nouns());
                format!("there is no {} {object:?}; the {nouns} are {shown}{more}", self.noun())
            }
        }))
    }

    /// The numbers and values of the elements that are the arguments of a call. The arguments for assignments are pairs of an
    /// element and a value.
    pub(crate) fn arguments(
        &self,
        given: &Bound<'_, PyTuple>,
        call: &str,
    ) -> Outcome<Vec<(usize, usize)>> {
        if self.has_values() {
            return self.pairs(given);
        }
        let noun = self.noun();
        match self.numbers(given) {
            Ok(numbers) => Ok(numbers.into_iter().map(|number| (number, 1)).collect()),
            Err(Failure::Input(_)) if self.elements().find(given)?.is_some() => {
                Err(Failure::Input(format!(
                    "{given:?} is one {noun}; give it as one argument: {call}({given:?})"
                )))
            }
            Err(Failure::Input(message)) => Err(Failure::Input(match given.get_item(0) {
                Ok(list) if given.len() == 1 && self.numbers(&list).is_ok() => {
                    format!("give each {noun} as an argument, with a star: {call}(*{list:?})")
                }
                _ => message,
            })),
            Err(error) => Err(error),
        }
    }

    /// The numbers of some elements.
    pub(crate) fn numbers(&self, objects: &Bound<'_, PyAny>) -> Outcome<Vec<usize>> {
        let iterator = PyIterator::from_object(&collected(objects)?).map_err(|_| {
            Failure::Input(format!("{objects:?} is no collection of {}", self.nouns()))
        })?;
        iterator.map(|object| self.number(&object?)).collect()
    }

    /// Fails unless these are the numbers of all elements, once each.
    pub(crate) fn check_all(&self, numbers: &[usize], py: Python<'_>) -> Outcome<()> {
        let (elements, noun) = (self.elements(), self.noun());
        let mut counts = vec![0; elements.len()];
        for &number in numbers {
            counts[number] += 1;
        }
        let Some(at) = counts.iter().position(|&count| count != 1) else { return Ok(()) };
        let (object, what) =
            (elements.object(py, at)?, if counts[at] == 0 { "nowhere" } else { "twice" });
        Err(Failure::Input(format!(
            "the order has the {noun} {object:?} {what}; give each of the {} {} once",
            elements.len(),
            self.nouns()
        )))
    }

    /// A variable of a sweep in words, with its element if that is known.
    pub(crate) fn place(
        &self,
        variable: usize,
        element: Option<usize>,
        py: Python<'_>,
    ) -> Outcome<String> {
        let (noun, elements) = (self.noun(), self.elements());
        let place = format!("{} of {}", variable + 1, elements.len());
        Ok(match element {
            Some(element) => format!("{noun} {:?} ({place})", elements.object(py, element)?),
            None => format!("{noun} {place}"),
        })
    }

    /// What the solutions are.
    pub(crate) fn kind(&self) -> String {
        match self {
            Universe::Graph(_, Domain::Colours(_)) => "colourings".to_owned(),
            Universe::Variables(..) => "assignments".to_owned(),
            _ => format!("sets of {}", self.nouns()),
        }
    }

    /// Fails unless both have the same elements in the same order, and mean the same by them.
    pub(crate) fn check_same(&self, other: &Self, what: &str, py: Python<'_>) -> Outcome<()> {
        if self.same(other, py)? {
            return Ok(());
        }
        let (one, two) = (self.kind(), other.kind());
        Err(Failure::Input(if one == two {
            format!("the {what} {}", self.difference(other, py)?)
        } else {
            format!("one of the {what} has {one}, and the other {two}; combine those of one kind")
        }))
    }

    /// The first difference of two universes of one kind.
    fn difference(&self, other: &Self, py: Python<'_>) -> Outcome<String> {
        if self.graph().is_some() {
            return Ok("are of different graphs".to_owned());
        }
        let (one, two, noun) = (self.elements(), other.elements(), self.noun());
        let remedy = match self {
            Universe::Variables(..) => {
                "; give both the same variables in one order: by one td.Variables, or by variables="
            }
            _ => "",
        };
        if one.len() != two.len() {
            return Ok(format!("have {} and {} {}{remedy}", one.len(), two.len(), self.nouns()));
        }
        for at in 0..one.len() {
            let (own, others) = (one.object(py, at)?, two.object(py, at)?);
            if !own.eq(&others)? {
                return Ok(format!(
                    "differ in a {noun}, which is {own:?} in one and {others:?} in the other{remedy}"
                ));
            }
            let [own_values, others_values] = [self.values(at), other.values(at)];
            if !own_values.same(&others_values, py)? {
                let (one, two) = (own_values.shown(py)?, others_values.shown(py)?);
                return Ok(format!("differ in the values of {own:?}, which are {one} and {two}"));
            }
        }
        Ok("are of different kinds".to_owned())
    }

    /// Whether both have the same elements in the same order, and mean the same by them.
    pub(crate) fn same(&self, other: &Self, py: Python<'_>) -> Outcome<bool> {
        Ok(self.noun() == other.noun()
            && self.same_values(other, py)?
            && match (self.graph(), other.graph()) {
                (Some(one), Some(two)) => one.same(two, py)?,
                _ => self.elements().same(other.elements(), py)?,
            })
    }

    /// A weight for each element: from an attribute of the graph, a mapping, a sequence in the order of the elements, or
    /// one for all.
    pub(crate) fn per_element<'py>(
        &self,
        given: &Bound<'py, PyAny>,
        what: &str,
    ) -> Outcome<Bound<'py, PyAny>> {
        let py = given.py();
        if let (Some(graph), true) = (self.graph(), given.is_instance_of::<PyString>()) {
            let arguments = (graph.normal(py), given, what, self.noun());
            return Ok(call(py, SOURCES, "attribute", arguments)?);
        }
        let objects = self.elements().objects(py);
        let find = self.elements().index.bind(py).getattr("__getitem__")?;
        Ok(call(py, NUMBERS, "per_element", (given, objects, find, what, self.noun()))?)
    }
}
