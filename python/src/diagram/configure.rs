//! The class `Configurator`: decisions one by one. The dialogue of `topdd-problem` has the decisions, their consequences and the
//! texts; this module finds elements and values, and makes objects of Python.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyList, PyTuple};
use topdd::diagram::ZeroSuppressed;
use topdd::{BigUint, Decision, QueryError, Status};
use topdd_graph::families::Unit;
use topdd_problem::dialogue::page::Guard;
use topdd_problem::dialogue::{Cell, Dialogue, Said, short, word};
use topdd_problem::names::{Name, Nouns};
use topdd_problem::{CellTable, GraphElements, Placement, Weighing};

use super::Diagram;
use crate::convert::{CONFIGURE, Integer, call};
use crate::errors::{Failure, Outcome, no_attribute};
use crate::family::Family;
use crate::graph::texts;
use crate::run::LimitArgs;
use crate::solution::Solution;
use crate::universe::Universe;

type Model = Dialogue<ZeroSuppressed>;

/// Decisions about the elements of a diagram, one by one, with all their consequences: ``Diagram.configure()`` starts it.
///
/// Elements of sets are chosen or forbidden; of assignments, values of variables. After each decision, the status of each element
/// is exact: it is ``free`` only if some solution that is left has it, and another one does not. So no dead end is ever reached. An
/// impossible decision is refused with the decisions that rule it out. A notebook shows the statuses.
///
/// >>> import topdd as td
/// >>> c = td.queens(6).configure()
/// >>> c.choose("b1").count(), c.status["d2"]
/// (1, 'forced')
/// >>> c.why("d2")
/// [('choose', 'b1')]
/// >>> c.undo().count()
/// 4
#[pyclass(frozen, module = "topdd")]
pub(crate) struct Configurator {
    pub(super) diagram: Py<Diagram>,
    pub(super) table: Arc<CellTable>,
    pub(super) weighing: Option<Arc<Weighing>>,
    model: Mutex<Model>,
    /// The guard of the server of the page, once there is one.
    pub(super) guard: OnceLock<Guard>,
}

#[pymethods]
impl Diagram {
    /// Starts decisions one by one: see ``Configurator``.
    ///
    /// >>> import topdd as td
    /// >>> c = td.constraints({"mon": ["early", "late"], "tue": ["early", "late", "off"]}).all_different().build().configure()
    /// >>> c.choose("mon", "early").status["tue"]
    /// {'early': 'impossible', 'late': 'free', 'off': 'free'}
    fn configure(slf: &Bound<'_, Self>) -> Outcome<Configurator> {
        let (diagram, py) = (slf.get(), slf.py());
        let table = Arc::new(diagram.cell_table(py)?);
        let weighing = diagram.weighing(py)?.map(Arc::new);
        let model = diagram.model(&table, weighing.as_ref(), py)?;
        let (model, guard) = (Mutex::new(model), OnceLock::new());
        Ok(Configurator { diagram: slf.clone().unbind(), table, weighing, model, guard })
    }
}

#[pymethods]
impl Family {
    /// Builds the diagram of all solutions, and starts decisions one by one: see ``Configurator``.
    ///
    /// >>> import topdd as td
    /// >>> c = td.Graph.cycle(4).spanning_trees().configure()
    /// >>> c.forbid((0, 1)).count()
    /// 1
    #[pyo3(signature = (**limits))]
    fn configure(&self, limits: Option<LimitArgs>, py: Python<'_>) -> Outcome<Configurator> {
        Diagram::configure(&Bound::new(py, self.build(py, limits)?)?)
    }
}

impl Diagram {
    /// A dialogue without decisions.
    pub(super) fn model(
        &self,
        table: &Arc<CellTable>,
        weighing: Option<&Arc<Weighing>>,
        py: Python<'_>,
    ) -> Outcome<Model> {
        let (table, weighing) = (table.clone(), weighing.cloned());
        self.query(py, self.digits(), move |zdd| {
            let configurator = zdd.configure().map_err(|error| match error {
                QueryError::NoSolutions => {
                    Failure::input("there are no solutions to decide on; take conditions back")
                }
                error => error.into(),
            })?;
            let seed = RandomState::new().hash_one(0);
            Ok(Dialogue::new(configurator, table, seed).with_weights(weighing))
        })
    }

    /// The board, or the table of the variables, with names.
    fn cell_table(&self, py: Python<'_>) -> Outcome<CellTable> {
        let (universe, order) = (&self.universe, &self.order);
        let title = universe.kind();
        if let Universe::Squares(_, board, piece) = **universe {
            let puts = self.variables.iter().map(|&variable| (variable, 1)).collect();
            return Ok(CellTable::on_board(title, Placement { piece, board, puts }));
        }
        let arities = order.iter().map(|&element| universe.arity(element)).collect();
        if let Some(graph) = universe.graph() {
            let elements = GraphElements::new(None, universe.unit(), graph.labelled(py)?);
            let names = order.iter().map(|&element| elements.names()[element].clone()).collect();
            let nouns = if universe.unit() == Unit::Edge { Nouns::EDGES } else { Nouns::VERTICES };
            let table = CellTable::list(title, arities, Some(names), nouns);
            return Ok(table.with_graph(Some((elements, order.to_vec()))));
        }
        let names = texts(universe.elements().objects(py))?;
        let names = order.iter().map(|&element| Name::Label(names[element].clone())).collect();
        let table = CellTable::list(title, arities, Some(names), Nouns::VARIABLES);
        if !universe.has_values() {
            return Ok(table.with_sets());
        }
        let values = universe.value_lists(order, py)?.into_iter();
        let values = values.map(|values| texts(&PyTuple::new(py, values)?));
        Ok(table.with_values(&values.collect::<PyResult<Vec<_>>>()?))
    }
}

/// What a call is about: a value of a variable, and its cell.
struct Place {
    variable: usize,
    value: usize,
    cell: Cell,
}

impl Configurator {
    pub(super) fn locked(&self) -> MutexGuard<'_, Model> {
        self.model.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs work on a copy of the dialogue, which a call that is interrupted leaves behind.
    pub(super) fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Model) -> T + Send + 'static,
    ) -> Outcome<(Model, T)> {
        let mut model = self.locked().clone();
        let diagram = self.diagram.get();
        diagram.query(py, diagram.digits(), move |_| {
            let made = work(&mut model);
            Ok((model, made))
        })
    }

    /// Performs an action of the dialogue. A refusal is an error.
    fn act<'py>(
        slf: &Bound<'py, Self>,
        remedy: impl FnOnce(&Said) -> &'static str,
        action: impl FnOnce(&mut Model) + Send + 'static,
    ) -> Outcome<Bound<'py, Self>> {
        let (model, ()) = slf.get().run(slf.py(), action)?;
        if model.said().refused {
            return Err(Failure::Input(model.said().text.clone() + remedy(model.said())));
        }
        *slf.get().locked() = model;
        Ok(slf.clone())
    }

    /// Makes a decision about a place.
    fn decide<'py>(
        slf: &Bound<'py, Self>,
        element: &Bound<'py, PyAny>,
        value: Option<&Bound<'py, PyAny>>,
        decision: fn(usize, usize) -> Decision,
        call: &str,
    ) -> Outcome<Bound<'py, Self>> {
        let place = slf.get().place(element, value, call)?;
        let status = slf.get().locked().status(place.cell);
        let remedy = |said: &Said| match (said.because.is_empty(), call, status) {
            (true, ..) => "",
            (_, "choose", _) => "; anyway() takes back the fewest decisions that oppose it",
            (.., Some(Status::Forced)) => {
                "; anyway() forbids it, and takes back the fewest decisions"
            }
            _ => "; undo() or free() takes decisions back",
        };
        let decision = decision(place.variable, place.value);
        Self::act(slf, remedy, move |model| model.decide(decision))
    }

    fn place(
        &self,
        element: &Bound<'_, PyAny>,
        value: Option<&Bound<'_, PyAny>>,
        call: &str,
    ) -> Outcome<Place> {
        let (diagram, py) = (self.diagram.get(), element.py());
        let universe = &diagram.universe;
        if let (Some(value), false) = (value, universe.has_values()) {
            let both = PyTuple::new(py, [element, value])?;
            let noun = universe.noun();
            return Err(Failure::Input(match universe.elements().find(&both)? {
                Some(_) => {
                    format!("{both:?} is one {noun}; give it as one argument: {call}({both:?})")
                }
                None => format!(
                    "the solutions are {}, without values: choose takes one {noun}, and forbid excludes it",
                    universe.kind()
                ),
            }));
        }
        let number = universe.number(element)?;
        let variable = diagram.variables[number];
        let values = universe.values(number);
        let value = match value {
            Some(value) => universe.value_number(number, value)?,
            None if !universe.has_values() => 1,
            None => match (values.marked(py)?.as_deref(), self.only(variable, values.len())) {
                (_, Some(only)) if call == "why" => only,
                (Some(&[marked]), _)
                    if matches!(**universe, Universe::Variables(..)) && values.len() == 2 =>
                {
                    marked
                }
                _ => {
                    let example = values.object(py, 0)?;
                    return Err(Failure::Input(format!(
                        "{element:?} has the values {}; give one: {call}({element:?}, {example:?})",
                        values.shown(py)?
                    )));
                }
            },
        };
        Ok(Place { variable, value, cell: self.cell(number, value) })
    }

    /// The cell of an element and its value.
    fn cell(&self, element: usize, value: usize) -> Cell {
        match self.table.board() {
            Some(board) => Cell { row: element / board.cols, col: element % board.cols },
            None => Cell { row: self.diagram.get().variables[element], col: value },
        }
    }

    /// The value that a variable has in all solutions that are left.
    fn only(&self, variable: usize, values: usize) -> Option<usize> {
        let has = |col| self.locked().status(Cell { row: variable, col });
        (0..values).find(|&col| matches!(has(col), Some(Status::Chosen | Status::Forced)))
    }

    /// Decisions as tuples of a method and its arguments.
    fn tuples<'py>(&self, decisions: &[Decision], py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let diagram = self.diagram.get();
        let tuple = |&decision: &Decision| {
            let element = diagram.order[decision.variable()];
            let method = if matches!(decision, Decision::Is { .. }) { "choose" } else { "forbid" };
            let object = diagram.universe.elements().object(py, element)?;
            if diagram.universe.has_values() {
                let value = diagram.universe.value(element, decision.value(), py)?;
                return (method, object, value).into_pyobject(py);
            }
            (method, object).into_pyobject(py)
        };
        PyList::new(py, decisions.iter().map(tuple).collect::<PyResult<Vec<_>>>()?)
    }

    fn reason<'py>(&self, said: &Said, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        if said.refused && said.because.is_empty() {
            return Err(Failure::Input(said.text.clone()));
        }
        let decisions = self.tuples(&said.because, py)?;
        Ok(call(py, CONFIGURE, "Reason", (decisions, &said.text))?)
    }
}

#[pymethods]
impl Configurator {
    /// Decides that an element is in the solution, or that a variable has a value. The value of a variable with the values
    /// ``False`` and ``True`` is ``True`` by default. Returns the configurator, as all methods that change it do.
    /// ``forbid``, ``anyway``, ``opposing`` and ``why`` have the same arguments.
    ///
    /// Fails if no solution that is left allows it: the message has the decisions that rule it out.
    ///
    /// >>> import topdd as td
    /// >>> c = td.queens(6).configure().choose("b1")
    /// >>> c.choose("b3")
    /// Traceback (most recent call last):
    ///     ...
    /// topdd.InputError: no queen can stand on b3, because of: queen on b1; anyway() takes back the fewest decisions that oppose it
    #[pyo3(signature = (element, value=None))]
    fn choose<'py>(
        slf: &Bound<'py, Self>,
        element: &Bound<'py, PyAny>,
        value: Option<&Bound<'py, PyAny>>,
    ) -> Outcome<Bound<'py, Self>> {
        Self::decide(slf, element, value, Decision::is, "choose")
    }

    /// Decides that an element is not in the solution, or that a variable has another value.
    #[pyo3(signature = (element, value=None))]
    fn forbid<'py>(
        slf: &Bound<'py, Self>,
        element: &Bound<'py, PyAny>,
        value: Option<&Bound<'py, PyAny>>,
    ) -> Outcome<Bound<'py, Self>> {
        Self::decide(slf, element, value, Decision::is_not, "forbid")
    }

    /// Chooses an element or value anyway, or forbids a forced one, and takes back the fewest decisions that oppose it, which
    /// ``opposing`` returns beforehand.
    ///
    /// >>> import topdd as td
    /// >>> c = td.queens(6).configure().choose("b1").forbid("a6")
    /// >>> c.opposing("c1"), c.anyway("c1").decisions
    /// ([('choose', 'b1')], [('forbid', 'a6'), ('choose', 'c1')])
    #[pyo3(signature = (element, value=None))]
    fn anyway<'py>(
        slf: &Bound<'py, Self>,
        element: &Bound<'py, PyAny>,
        value: Option<&Bound<'py, PyAny>>,
    ) -> Outcome<Bound<'py, Self>> {
        let cell = slf.get().place(element, value, "anyway")?.cell;
        let action = move |model: &mut Model| {
            if let Some(decision) = model.other_way(cell) {
                model.decide_anyway(decision);
            }
        };
        Self::act(slf, |_| "", action)
    }

    /// Returns the decisions that ``anyway`` would take back.
    #[pyo3(signature = (element, value=None))]
    fn opposing<'py>(
        &self,
        element: &Bound<'py, PyAny>,
        value: Option<&Bound<'py, PyAny>>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let (cell, py) = (self.place(element, value, "opposing")?.cell, element.py());
        let opposing =
            move |model: &mut Model| model.other_way(cell).map(|way| model.opposing(way));
        self.reason(&self.run(py, opposing)?.1.unwrap_or_default(), py)
    }

    /// Returns the decisions that force an element or value, or make it impossible: as few as possible. Without a value, a
    /// variable is explained that has only one value left. ``print`` shows them in a sentence.
    ///
    /// >>> import topdd as td
    /// >>> c = td.queens(6).configure().choose("b1")
    /// >>> print(c.why("b3"))
    /// no queen can stand on b3, because of: queen on b1
    #[pyo3(signature = (element, value=None))]
    fn why<'py>(
        &self,
        element: &Bound<'py, PyAny>,
        value: Option<&Bound<'py, PyAny>>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let (cell, py) = (self.place(element, value, "why")?.cell, element.py());
        self.reason(&self.run(py, move |model| model.why(cell))?.1, py)
    }

    /// Takes back the decision about an element or a value; without a value, all decisions about a variable.
    #[pyo3(signature = (element, value=None))]
    fn free<'py>(
        slf: &Bound<'py, Self>,
        element: &Bound<'py, PyAny>,
        value: Option<&Bound<'py, PyAny>>,
    ) -> Outcome<Bound<'py, Self>> {
        let remedy = |_: &Said| "; decisions lists the decisions";
        let diagram = slf.get().diagram.get();
        if value.is_none() && diagram.universe.has_values() {
            let variable = diagram.variables[diagram.universe.number(element)?];
            return Self::act(slf, remedy, move |model| model.free_variable(variable));
        }
        let cell = slf.get().place(element, value, "free")?.cell;
        Self::act(slf, remedy, move |model| model.free(cell))
    }

    /// Takes back the last change. Fails if there is none.
    fn undo<'py>(slf: &Bound<'py, Self>) -> Outcome<Bound<'py, Self>> {
        Self::act(slf, |_| "", Model::undo)
    }

    /// Makes the change again that was undone last. Fails if there is none.
    fn redo<'py>(slf: &Bound<'py, Self>) -> Outcome<Bound<'py, Self>> {
        Self::act(slf, |_| "", Model::redo)
    }

    /// Takes back all decisions, which ``undo`` makes again.
    fn clear<'py>(slf: &Bound<'py, Self>) -> Outcome<Bound<'py, Self>> {
        Self::act(slf, |_| "", Model::clear)
    }

    /// Returns a completion: the first solution that agrees with all decisions. ``left().sample()`` returns one at random.
    ///
    /// >>> import topdd as td
    /// >>> td.queens(6).configure().choose("b1").complete()
    /// Solution(['b1', 'd2', 'f3', 'a4', 'c5', 'e6'])
    fn complete(&self, py: Python<'_>) -> Outcome<Solution> {
        let (_, first) = self.run(py, |model| model.list_from(&BigUint::ZERO, 1).pop())?;
        let values = first.map(|listed| listed.values).unwrap_or_default();
        let diagram = self.diagram.get();
        Ok(Solution { universe: diagram.universe.clone(), values: diagram.row()(&values) })
    }

    /// Returns the ``k`` best completions, as ``Diagram.best`` does.
    ///
    /// >>> import topdd as td
    /// >>> square = td.Graph([(0, 1, 4), (1, 2, 7), (2, 3, 1), (3, 0, 2)])
    /// >>> square.spanning_trees().configure().choose((1, 2)).best(1)
    /// [(10, Solution([(1, 2), (2, 3), (3, 0)]))]
    #[pyo3(signature = (k=None, weights=None, *, max=false, **limits))]
    fn best<'py>(
        &self,
        k: Option<&Bound<'py, PyAny>>,
        weights: Option<&Bound<'py, PyAny>>,
        max: bool,
        limits: Option<LimitArgs>,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let again = limits.as_ref().map(|limits| limits.clone_ref(py));
        self.left(limits, py)?.best(k, weights, max, again, py)
    }

    /// Returns the diagram of the solutions that agree with all decisions.
    #[pyo3(signature = (**limits))]
    fn left(&self, limits: Option<LimitArgs>, py: Python<'_>) -> Outcome<Diagram> {
        let (model, diagram) = (self.locked().clone(), self.diagram.get());
        let rest = diagram.long(py, limits, move |_, _| Ok(model.rest()?))?;
        Ok(diagram.with(rest))
    }

    /// Returns the number of solutions that agree with all decisions.
    fn count(&self) -> Integer {
        Integer(self.locked().left().clone())
    }

    /// The decisions, in their order: tuples of a method and its arguments, such as ``("choose", "a1")``.
    #[getter]
    fn decisions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let decisions = self.locked().decisions().to_vec();
        self.tuples(&decisions, py)
    }

    /// The status of each element: ``chosen`` or ``forbidden`` by a decision, ``forced`` or ``impossible`` by others, or ``free``.
    /// Of assignments, a dictionary for each variable, with the status of each value.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyDict>> {
        let universe = &self.diagram.get().universe;
        let values =
            |element| if universe.has_values() { 0..universe.arity(element) } else { 1..2 };
        let words = |model: &Model, element| -> Vec<_> {
            let status = |value| model.status(self.cell(element, value)).map(word);
            values(element).map(status).collect()
        };
        let elements = 0..universe.elements().len();
        let all: Vec<_> = {
            let model = self.locked();
            elements.map(|element| words(&model, element)).collect()
        };
        if !universe.has_values() {
            return Ok(universe.elements().mapping(py, all.iter().map(|words| words[0]))?);
        }
        let of_values = |(element, words): (usize, &Vec<_>)| {
            let pairs = universe.values(element).objects(py)?.into_iter().zip(words);
            pairs.map(|(value, word)| (value, *word)).into_py_dict(py)
        };
        let all = all.iter().enumerate().map(of_values).collect::<PyResult<Vec<_>>>()?;
        Ok(universe.elements().mapping(py, all)?)
    }

    /// What the last change did, in a sentence.
    #[getter]
    fn message(&self) -> String {
        self.locked().said().text.clone()
    }

    fn __getattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(no_attribute(slf.as_any(), name))
    }

    fn __repr__(&self) -> String {
        let model = self.locked();
        let (left, all) = (short(model.left()), short(model.all()));
        let decisions = match model.decisions().len() {
            1 => "1 decision".to_owned(),
            count => format!("{count} decisions"),
        };
        format!("<topdd.Configurator: {left} of {all} solutions left, {decisions}>")
    }
}
