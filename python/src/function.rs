//! The class `Function`, and the iterator of its cubes.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyDict, PySet, PyTuple};
use topdd::SpecExt;
use topdd_apply::{Cubes as ApplyCubes, Error as ApplyError, Function as ApplyFunction};
use topdd_problem::condition::build;

use crate::attached::{Kept, Work};
use crate::convert::{Integer, Size};
use crate::diagram::Diagram;
use crate::errors::{Failure, Outcome};
use crate::formulas::booleans;
use crate::manager::Manager;
use crate::run::{LimitArgs, Limits, short};
use crate::universe::Objective;

/// A Boolean function of the variables of a ``td.Manager``.
///
/// The operators are ``~``, ``&``, ``|``, ``^`` and ``-`` (and not). Equal functions are equal objects, and ``<=`` is
/// whether one implies the other. ``u.build()`` is the diagram of the assignments that make it true.
///
/// >>> import topdd as td
/// >>> m = td.Manager("x y")
/// >>> x, y = m.var("x"), m.var("y")
/// >>> ~(x & y) == ~x | ~y, x & y <= x, (x | y).count(), sorted((x ^ y).support)
/// (True, True, 3, ['x', 'y'])
/// >>> x.implies(y)
/// <topdd.Function: ite(x, y, TRUE)>
#[pyclass(frozen, weakref, module = "topdd")]
pub(crate) struct Function {
    pub(crate) manager: Py<Manager>,
    pub(crate) kept: Arc<Kept>,
}

/// An operation on functions.
type Operation = fn(&[ApplyFunction]) -> Result<ApplyFunction, ApplyError>;

/// The operation of an operator's name or sign with so many operands.
pub(crate) fn operation(op: &str, operands: usize) -> Outcome<Operation> {
    let (arity, operation): (usize, Operation) = match op {
        "not" | "~" | "!" => (1, |f| Ok(!&f[0])),
        "and" | "&" | "&&" | "/\\" => (2, |f| f[0].try_and(&f[1])),
        "or" | "|" | "||" | "\\/" => (2, |f| f[0].try_or(&f[1])),
        "xor" | "^" | "#" => (2, |f| f[0].try_xor(&f[1])),
        "implies" | "=>" | "->" => (2, |f| f[0].implies(&f[1])),
        "equiv" | "<=>" | "<->" => (2, |f| f[0].iff(&f[1])),
        "diff" | "-" => (2, |f| f[0].try_and_not(&f[1])),
        "exists" | "\\E" => (2, |f| f[1].exists(f[0].support())),
        "forall" | "\\A" => (2, |f| f[1].forall(f[0].support())),
        "ite" => (3, |f| f[0].ite(&f[1], &f[2])),
        _ => {
            return Err(Failure::Input(format!(
                "there is no operator {op:?}; the operators are not, and, or, xor, implies, equiv, diff, exists, forall and \
                 ite"
            )));
        }
    };
    if arity == operands {
        return Ok(operation);
    }
    Err(Failure::Input(format!(
        "the operator {op:?} has {arity} operands, and {operands} are given"
    )))
}

impl Function {
    pub(crate) fn new(manager: &Bound<'_, Manager>, kept: Arc<Kept>) -> Self {
        Self { manager: manager.clone().unbind(), kept }
    }

    fn owner<'a, 'py>(slf: &'a Bound<'py, Self>) -> &'a Bound<'py, Manager> {
        slf.get().manager.bind(slf.py())
    }

    /// Asks a question about the function.
    fn query<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: Work,
        query: impl Fn(&ApplyFunction) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let kept = self.kept.clone();
        self.manager.get().0.call(py, work, move |attached| query(&attached.function(&kept)?))
    }

    /// A part of the diagram of the function, or of its negation if that is true where all variables are.
    fn part(slf: &Bound<'_, Self>, value: bool) -> Outcome<Option<Self>> {
        let (py, this) = (slf.py(), slf.get());
        let kept = this.kept.clone();
        let part = this.manager.get().0.call(py, Work::Operation, move |attached| {
            let u = attached.function(&kept)?;
            let u = if is_true_at_ones(&u)? { u } else { !u };
            let part = if value { u.high() } else { u.low() };
            Ok(part.map(|part| attached.keep(part)))
        })?;
        Ok(part.map(|kept| Self::new(this.manager.bind(py), kept)))
    }

    /// Whether the function implies another one of the manager.
    fn implied(&self, py: Python<'_>, by: &Self) -> Outcome<bool> {
        let kept = by.kept.clone();
        let this = self.kept.clone();
        self.manager.get().0.call(py, Work::Operation, move |attached| {
            Ok(attached.function(&kept)?.leq(&attached.function(&this)?)?)
        })
    }
}

/// Whether the function is true where all variables are.
fn is_true_at_ones(u: &ApplyFunction) -> Outcome<bool> {
    Ok(u.eval(&vec![true; u.manager().num_vars()])?)
}

#[pymethods]
impl Function {
    /// The manager of the function.
    #[getter]
    fn bdd(&self, py: Python<'_>) -> Py<Manager> {
        self.manager.clone_ref(py)
    }

    fn __invert__(slf: &Bound<'_, Self>) -> Outcome<Self> {
        Manager::operated(Self::owner(slf), "not", &[slf])
    }

    fn __and__(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> Outcome<Self> {
        Manager::operated(Self::owner(slf), "and", &[slf, other])
    }

    fn __or__(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> Outcome<Self> {
        Manager::operated(Self::owner(slf), "or", &[slf, other])
    }

    fn __xor__(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> Outcome<Self> {
        Manager::operated(Self::owner(slf), "xor", &[slf, other])
    }

    fn __sub__(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> Outcome<Self> {
        Manager::operated(Self::owner(slf), "diff", &[slf, other])
    }

    /// Returns the function that is false only where this one is true and the other false.
    fn implies(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> Outcome<Self> {
        Manager::operated(Self::owner(slf), "implies", &[slf, other])
    }

    /// Returns the function that is true where both have the same value.
    fn equiv(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> Outcome<Self> {
        Manager::operated(Self::owner(slf), "equiv", &[slf, other])
    }

    /// Returns ``u`` where this function is true, and ``v`` elsewhere.
    fn ite(slf: &Bound<'_, Self>, u: &Bound<'_, Self>, v: &Bound<'_, Self>) -> Outcome<Self> {
        Manager::operated(Self::owner(slf), "ite", &[slf, u, v])
    }

    /// Returns the function with values, variables or functions in the place of variables; see ``Manager.let``.
    #[pyo3(signature = (**definitions))]
    fn r#let(slf: &Bound<'_, Self>, definitions: Option<&Bound<'_, PyDict>>) -> Outcome<Self> {
        let none = PyDict::new(slf.py());
        Manager::r#let(Self::owner(slf), definitions.unwrap_or(&none), slf)
    }

    /// Returns whether some values of the variables make the function true.
    #[pyo3(signature = (*variables))]
    fn exist(slf: &Bound<'_, Self>, variables: &Bound<'_, PyTuple>) -> Outcome<Self> {
        Manager::quantified(Self::owner(slf), variables, slf, false)
    }

    /// Returns whether all values of the variables make the function true.
    #[pyo3(signature = (*variables))]
    fn forall(slf: &Bound<'_, Self>, variables: &Bound<'_, PyTuple>) -> Outcome<Self> {
        Manager::quantified(Self::owner(slf), variables, slf, true)
    }

    /// Returns the number of assignments to ``nvars`` variables that make the function true, by default to its own.
    #[pyo3(signature = (nvars=None))]
    fn count(slf: &Bound<'_, Self>, nvars: Option<Size>) -> Outcome<Integer> {
        Manager::count(Self::owner(slf), slf, nvars)
    }

    /// Returns an assignment that makes the function true, or ``None``; see ``Manager.pick_iter``.
    #[pyo3(signature = (care_vars=None))]
    fn pick<'py>(
        slf: &Bound<'py, Self>,
        care_vars: Option<&Bound<'py, PyAny>>,
    ) -> Outcome<Bound<'py, PyAny>> {
        Manager::pick(Self::owner(slf), slf, care_vars)
    }

    /// The set of variables that the function depends on.
    #[getter]
    fn support<'py>(slf: &Bound<'py, Self>) -> Outcome<Bound<'py, PySet>> {
        Manager::support(Self::owner(slf), slf)
    }

    /// The variable at the root of the diagram; ``None`` for a constant.
    #[getter]
    pub(crate) fn var(&self, py: Python<'_>) -> Outcome<Option<String>> {
        let kept = self.kept.clone();
        self.manager.get().0.call(py, Work::Operation, move |attached| {
            let top = attached.function(&kept)?.top_variable();
            Ok(top.map(|number| attached.names.all[number].clone()))
        })
    }

    /// The level of the root; the number of variables for a constant.
    #[getter]
    pub(crate) fn level(&self, py: Python<'_>) -> Outcome<usize> {
        self.query(py, Work::Operation, |u| Ok(u.level().unwrap_or(u.manager().num_vars())))
    }

    /// The part of the diagram for the value false of ``var``: of the function, or of its negation if ``negated``.
    #[getter]
    pub(crate) fn low(slf: &Bound<'_, Self>) -> Outcome<Option<Self>> {
        Self::part(slf, false)
    }

    /// The part of the diagram for the value true of ``var``: of the function, or of its negation if ``negated``.
    #[getter]
    pub(crate) fn high(slf: &Bound<'_, Self>) -> Outcome<Option<Self>> {
        Self::part(slf, true)
    }

    /// Whether the function is false where all variables are true: then ``low`` and ``high`` are of its negation.
    #[getter]
    fn negated(&self, py: Python<'_>) -> Outcome<bool> {
        self.query(py, Work::Operation, |u| Ok(!is_true_at_ones(u)?))
    }

    /// The number of nodes of the diagram, with the terminal, as ``len``. A function and its negation share all nodes.
    #[getter]
    fn dag_size(&self, py: Python<'_>) -> Outcome<usize> {
        self.query(py, Work::Pass, |u| Ok(u.node_count() + 1))
    }

    fn __len__(&self, py: Python<'_>) -> Outcome<usize> {
        self.dag_size(py)
    }

    fn __bool__(&self) -> Outcome<bool> {
        Err(PyTypeError::new_err(
            "a function is neither true nor false; compare it with m.true or m.false, and write &, | and ~ in place of and, \
             or and not",
        )
        .into())
    }

    /// Returns an expression of the function; see ``Manager.to_expr``.
    fn to_expr(slf: &Bound<'_, Self>) -> Outcome<String> {
        Manager::to_expr(Self::owner(slf), slf)
    }

    /// Builds the diagram of the assignments to all variables of the manager that make the function true, in its order.
    ///
    /// >>> import topdd as td
    /// >>> m = td.Manager("rain wet sun")
    /// >>> d = m.add_expr("(rain -> wet) & ~sun").build()
    /// >>> len(d), d[0], m.from_diagram(d.including(("wet", True))).to_expr()
    /// (3, Solution({'rain': False, 'wet': False, 'sun': False}), '(~ ite(wet, sun, TRUE))')
    #[pyo3(signature = (**limits))]
    fn build(&self, limits: Option<LimitArgs>, py: Python<'_>) -> Outcome<Diagram> {
        let (shared, kept) = (self.manager.get().0.clone(), self.kept.clone());
        let (zdd, names, order) = Limits::new(py, limits)?.run(py, move |task| {
            let (bdd, names, order) = shared.attach_within(task, &|attached| {
                let u = attached.function(&kept)?;
                let bdd = u.to_bdd_by_level()?;
                Ok((bdd, attached.names.all.clone(), attached.manager.order()))
            })?;
            Ok((build(bdd.boxed(), task)?, names, order))
        })?;
        Ok(Diagram::new(booleans(PyTuple::new(py, names)?, Objective::None)?, zdd, order))
    }

    fn _dddmp(&self, py: Python<'_>) -> Outcome<Vec<u8>> {
        let kept = self.kept.clone();
        self.manager.get().0.call(py, Work::Pass, move |attached| {
            let (names, mut text) = (attached.ordered_names(), Vec::new());
            if let Some(name) =
                names.iter().find(|name| name.is_empty() || name.contains(char::is_whitespace))
            {
                return Err(Failure::Input(format!(
                    "a file .dddmp has words as names, and not {name:?}"
                )));
            }
            let bdd = attached.function(&kept)?.to_bdd_by_level()?;
            bdd.write_dddmp_with_names(&mut text, &names)?;
            Ok(text)
        })
    }

    fn __richcmp__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        compare: CompareOp,
    ) -> Outcome<Py<PyAny>> {
        let py = slf.py();
        let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        let (this, that) = (slf.get(), other.get());
        Manager::own(this.manager.bind(py), other)?;
        let is_equal = this.kept.key() == that.kept.key();
        let holds = match compare {
            CompareOp::Eq => is_equal,
            CompareOp::Ne => !is_equal,
            CompareOp::Le => that.implied(py, this)?,
            CompareOp::Ge => this.implied(py, that)?,
            CompareOp::Lt => !is_equal && that.implied(py, this)?,
            CompareOp::Gt => !is_equal && this.implied(py, that)?,
        };
        Ok(holds.into_pyobject(py).map_err(PyErr::from)?.to_owned().into_any().unbind())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.kept.key().hash(&mut hasher);
        hasher.finish()
    }

    fn __int__(&self, py: Python<'_>) -> Outcome<i64> {
        self.query(py, Work::Operation, |u| Ok(u.number()))
    }

    fn __str__(&self, py: Python<'_>) -> Outcome<String> {
        Ok(format!("@{}", self.__int__(py)?))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> Outcome<String> {
        const SHOWN: usize = 8;
        let nodes = slf.get().dag_size(slf.py())?;
        let text = if nodes > SHOWN { format!("{nodes} nodes") } else { Self::to_expr(slf)? };
        Ok(format!("<topdd.Function: {text}>"))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.manager)
    }
}

/// What takes the place of a variable.
pub(crate) enum Replacement {
    Value(bool),
    Name(String),
    Function(Arc<Kept>),
}

impl Replacement {
    pub(crate) fn new(manager: &Bound<'_, Manager>, given: &Bound<'_, PyAny>) -> Outcome<Self> {
        if let Ok(function) = given.cast::<Function>() {
            return Manager::own(manager, function).map(Replacement::Function);
        }
        let value = given.extract().map(Replacement::Value);
        value.or_else(|_| given.extract().map(Replacement::Name)).map_err(|_| {
            Failure::Input(format!(
                "{given:?} takes no place of a variable; give True, False, a name, or a function"
            ))
        })
    }
}

/// The paths of a diagram to true: dictionaries of the variables on each path.
#[pyclass(frozen, module = "topdd._topdd")]
pub(crate) struct Cubes {
    cubes: Mutex<ApplyCubes>,
    names: Vec<String>,
}

impl Cubes {
    pub(crate) fn new(cubes: ApplyCubes, names: Vec<String>) -> Self {
        Self { cubes: Mutex::new(cubes), names }
    }
}

#[pymethods]
impl Cubes {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> Outcome<Option<Bound<'py, PyDict>>> {
        let cube =
            short(py, || Ok(self.cubes.lock().unwrap_or_else(PoisonError::into_inner).next()))?;
        let Some(cube) = cube else { return Ok(None) };
        let values = PyDict::new(py);
        for (number, value) in cube {
            values.set_item(&self.names[number], value)?;
        }
        Ok(Some(values))
    }
}
