//! The class `Manager`: Boolean functions of named variables.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PySet, PyTuple};
use topdd::Bdd;
use topdd_apply::{Function as ApplyFunction, ReadOptions, Sifting};

use crate::attached::{Attached, Kept, SharedManager, Work, words};
use crate::convert::{FORMULAS, Integer, MANAGERS, Size, call};
use crate::diagram::Diagram;
use crate::errors::{Failure, Outcome};
use crate::function::{Cubes, Function, Replacement, operation};
use crate::run::{Limits, Task};

/// Boolean functions of named variables, with the methods of managers in the Python package dd.
///
/// ``variables`` are names: text with blanks, a list, or a dictionary of levels. ``memory`` limits the size of the manager,
/// and ``td.limits`` each call in a block. Functions that nothing refers to are freed when their memory is needed. Several
/// threads may use a manager, one at a time. ``len`` is the number of nodes, with the terminal.
///
/// >>> import topdd as td
/// >>> m = td.Manager("a b c")
/// >>> u = m.add_expr(r"(a \/ b) /\ ~ c")
/// >>> v = (m.var("a") | m.var("b")) & ~m.var("c")
/// >>> u == v, u.count(), m.exist(["a"], u) == ~m.var("c")
/// (True, 3, True)
/// >>> next(m.pick_iter(u))
/// {'a': False, 'b': True, 'c': False}
/// >>> u.build().including(("a", True)).count()
/// 2
#[pyclass(frozen, subclass, weakref, module = "topdd")]
pub(crate) struct Manager(pub(crate) Arc<SharedManager>);

impl Manager {
    /// Makes an object of the function that an operation returns.
    fn made(
        slf: &Bound<'_, Self>,
        operation: impl Fn(&mut Attached<'_>) -> Outcome<ApplyFunction> + Send + 'static,
    ) -> Outcome<Function> {
        let kept = slf.get().0.call(slf.py(), Work::Operation, move |attached| {
            operation(attached).map(|function| attached.keep(function))
        })?;
        Ok(Function::new(slf, kept))
    }

    /// Makes the function of an operator and its operands.
    pub(crate) fn operated(
        slf: &Bound<'_, Self>,
        op: &str,
        operands: &[&Bound<'_, Function>],
    ) -> Outcome<Function> {
        let operation = operation(op, operands.len())?;
        let operands = operands.iter().map(|u| Self::own(slf, u)).collect::<Outcome<Vec<_>>>()?;
        Self::made(slf, move |attached| {
            let operands = operands.iter().map(|u| attached.function(u));
            Ok(operation(&operands.collect::<Outcome<Vec<_>>>()?)?)
        })
    }

    /// Fails if the function is of another manager.
    pub(crate) fn own(slf: &Bound<'_, Self>, u: &Bound<'_, Function>) -> Outcome<Arc<Kept>> {
        if u.get().manager.is(slf) {
            return Ok(u.get().kept.clone());
        }
        Err(Failure::input(
            "the function is of another manager; u.bdd.copy(u, manager) copies it to this one",
        ))
    }

    /// Makes the function without some variables, by values of them: some, or all.
    pub(crate) fn quantified(
        slf: &Bound<'_, Self>,
        variables: &Bound<'_, PyAny>,
        u: &Bound<'_, Function>,
        is_all: bool,
    ) -> Outcome<Function> {
        let (u, names) = (Self::own(slf, u)?, words(variables)?);
        Self::made(slf, move |attached| {
            let (u, variables) = (attached.function(&u)?, attached.names.several(&names)?);
            Ok(if is_all { u.forall(variables) } else { u.exists(variables) }?)
        })
    }

    /// Makes the function of a diagram whose variables have these names. Declares those on which it depends.
    fn imported(slf: &Bound<'_, Self>, bdd: Bdd, names: Vec<String>) -> Outcome<Function> {
        Self::made(slf, move |attached| {
            let mut numbers = vec![0; bdd.num_vars()];
            for variable in bdd.support() {
                attached.declare(&names[variable..=variable])?;
                numbers[variable] = attached.names.number(&names[variable])?;
            }
            Ok(attached.manager.function_of_variables(&bdd, &numbers)?)
        })
    }

    /// The names of the variables, from the top down.
    fn levels(&self, py: Python<'_>) -> Outcome<Vec<String>> {
        self.0.call(py, Work::Operation, |attached| Ok(attached.ordered_names()))
    }
}

#[pymethods]
impl Manager {
    #[new]
    #[pyo3(signature = (variables=None, *, memory=None))]
    fn new(
        variables: Option<&Bound<'_, PyAny>>,
        memory: Option<Bound<'_, PyAny>>,
        py: Python<'_>,
    ) -> Outcome<Self> {
        let names = variables.map(words).transpose()?.unwrap_or_default();
        let limits = PyDict::new(py);
        limits.set_item("memory", memory)?;
        let manager = Self(SharedManager::new(Limits::new(py, Some(limits.unbind()))?.memory)?);
        manager.0.call(py, Work::Operation, move |attached| attached.declare(&names))?;
        Ok(manager)
    }

    /// Adds variables below all others, unless they exist.
    #[pyo3(signature = (*variables))]
    fn declare(&self, variables: &Bound<'_, PyTuple>) -> Outcome<()> {
        let names = words(variables)?;
        self.0.call(variables.py(), Work::Operation, move |attached| attached.declare(&names))
    }

    /// The level of each variable, from 0 at the top: a new dictionary.
    #[getter]
    fn vars<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyDict>> {
        let levels = PyDict::new(py);
        for (level, name) in self.levels(py)?.into_iter().enumerate() {
            levels.set_item(name, level)?;
        }
        Ok(levels)
    }

    /// Returns the level of a variable.
    fn level_of_var(&self, var: String, py: Python<'_>) -> Outcome<usize> {
        self.0.call(py, Work::Operation, move |attached| {
            attached.names.number(&var)?;
            Ok(attached.ordered_names().iter().position(|name| *name == var).expect("a level"))
        })
    }

    /// Returns the variable at a level.
    fn var_at_level(&self, level: isize, py: Python<'_>) -> Outcome<String> {
        let names = self.levels(py)?;
        let name = usize::try_from(level).ok().and_then(|level| names.get(level).cloned());
        name.ok_or_else(|| {
            Failure::Input(format!(
                "there is no level {level}; the variables have 0 to {}",
                names.len()
            ))
        })
    }

    /// The function that is true everywhere.
    #[getter(r#true)]
    fn all(slf: &Bound<'_, Self>) -> Outcome<Function> {
        Self::made(slf, |attached| Ok(attached.manager.constant(true)))
    }

    /// The function that is true nowhere.
    #[getter(r#false)]
    fn none(slf: &Bound<'_, Self>) -> Outcome<Function> {
        Self::made(slf, |attached| Ok(attached.manager.constant(false)))
    }

    /// Returns the function that is the value of a variable.
    fn var(slf: &Bound<'_, Self>, var: String) -> Outcome<Function> {
        Self::made(slf, move |attached| Ok(attached.manager.var(attached.names.number(&var)?)?))
    }

    /// Returns the function of an expression: text, or an expression of ``td.Bool``.
    ///
    /// Text is read as by ``td.formula``, with quantifiers, and a function in it is ``@`` and its number. Parentheses must
    /// group ``^`` beside ``|``, and ``->`` twice: dd would read them in another way.
    ///
    /// >>> import topdd as td
    /// >>> m = td.Manager("x y z")
    /// >>> u = m.add_expr(r"\E x, y: ite(x, y, z) <=> x")
    /// >>> m.add_expr(f"z & {u}") == m.var("z")
    /// True
    fn add_expr(slf: &Bound<'_, Self>, e: &Bound<'_, PyAny>) -> Outcome<Function> {
        let parts = call(slf.py(), FORMULAS, "expression_of", (e, None::<()>))?;
        let (text, _): (String, Option<Vec<String>>) = parts.extract()?;
        Self::made(slf, move |attached| {
            let read = attached.manager.expression_of_dd(&text, &attached.names.all);
            read.map_err(|error| match Failure::from(error) {
                Failure::Input(text) => {
                    Failure::Input(text.replace("add it to the names", "declare it"))
                }
                failure => failure,
            })
        })
    }

    /// Returns an expression of nested ``ite``, which ``add_expr`` reads.
    pub(crate) fn to_expr(slf: &Bound<'_, Self>, u: &Bound<'_, Function>) -> Outcome<String> {
        let kept = Self::own(slf, u)?;
        slf.get().0.call(slf.py(), Work::Pass, move |attached| {
            Ok(attached.function(&kept)?.to_expression(&attached.names.all)?)
        })
    }

    /// Returns the result of an operator: ``"and"``, ``"or"``, ``"xor"``, ``"not"``, ``"implies"``, ``"equiv"``, ``"diff"``,
    /// ``"ite"``, or a sign such as ``"&"``; ``"exists"`` and ``"forall"`` quantify the variables of ``u`` in ``v``.
    #[pyo3(signature = (op, u, v=None, w=None))]
    fn apply(
        slf: &Bound<'_, Self>,
        op: &str,
        u: &Bound<'_, Function>,
        v: Option<&Bound<'_, Function>>,
        w: Option<&Bound<'_, Function>>,
    ) -> Outcome<Function> {
        Self::operated(slf, op, &[Some(u), v, w].into_iter().flatten().collect::<Vec<_>>())
    }

    /// Returns ``u`` where ``g`` is true, and ``v`` elsewhere.
    fn ite(
        slf: &Bound<'_, Self>,
        g: &Bound<'_, Function>,
        u: &Bound<'_, Function>,
        v: &Bound<'_, Function>,
    ) -> Outcome<Function> {
        Self::operated(slf, "ite", &[g, u, v])
    }

    /// Returns a function with values, other variables or functions in the place of variables, all at once.
    ///
    /// >>> import topdd as td
    /// >>> m = td.Manager("x y z")
    /// >>> u = m.add_expr("x & ~y")
    /// >>> m.let({"x": "y", "y": "x"}, u) == m.add_expr("y & ~x")
    /// True
    /// >>> m.let({"x": True, "y": m.add_expr("x & z")}, u).to_expr()
    /// '(~ ite(x, z, FALSE))'
    pub(crate) fn r#let(
        slf: &Bound<'_, Self>,
        definitions: &Bound<'_, PyDict>,
        u: &Bound<'_, Function>,
    ) -> Outcome<Function> {
        let u = Self::own(slf, u)?;
        let definition = |(name, by): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((name.extract()?, Replacement::new(slf, &by)?))
        };
        let given = definitions.iter().map(definition).collect::<Outcome<Vec<(String, _)>>>()?;
        Self::made(slf, move |attached| {
            let (mut values, mut others) = (Vec::new(), Vec::new());
            for (name, replacement) in &given {
                let number = attached.names.number(name)?;
                match replacement {
                    Replacement::Value(value) => values.push((number, *value)),
                    Replacement::Name(name) => {
                        let by = attached.names.number(name)?;
                        others.push((number, attached.manager.var(by)?));
                    }
                    Replacement::Function(by) => others.push((number, attached.function(by)?)),
                }
            }
            // The replacements may have variables that get values.
            let u = attached.function(&u)?.restrict(values)?;
            Ok(u.substitute(others.iter().map(|(number, by)| (*number, by)))?)
        })
    }

    /// Returns whether some values of variables make a function true, as a function of the others.
    fn exist(
        slf: &Bound<'_, Self>,
        qvars: &Bound<'_, PyAny>,
        u: &Bound<'_, Function>,
    ) -> Outcome<Function> {
        Self::quantified(slf, qvars, u, false)
    }

    /// Returns whether all values of variables make a function true, as a function of the others.
    fn forall(
        slf: &Bound<'_, Self>,
        qvars: &Bound<'_, PyAny>,
        u: &Bound<'_, Function>,
    ) -> Outcome<Function> {
        Self::quantified(slf, qvars, u, true)
    }

    /// Returns the conjunction of variables, or of the values that a dictionary gives them.
    fn cube(slf: &Bound<'_, Self>, dvars: &Bound<'_, PyAny>) -> Outcome<Function> {
        let values: Vec<(String, bool)> = match dvars.cast::<PyDict>() {
            Ok(values) => values.items().extract()?,
            Err(_) => words(dvars)?.into_iter().map(|name| (name, true)).collect(),
        };
        Self::made(slf, move |attached| {
            let literals =
                values.iter().map(|(name, value)| Ok((attached.names.number(name)?, *value)));
            Ok(attached.manager.cube(literals.collect::<Outcome<Vec<_>>>()?)?)
        })
    }

    /// Returns the number of assignments to ``nvars`` variables that make a function true, by default to the variables that it
    /// depends on.
    #[pyo3(signature = (u, nvars=None))]
    pub(crate) fn count(
        slf: &Bound<'_, Self>,
        u: &Bound<'_, Function>,
        nvars: Option<Size>,
    ) -> Outcome<Integer> {
        let kept = Self::own(slf, u)?;
        slf.get().0.call(slf.py(), Work::Pass, move |attached| {
            let u = attached.function(&kept)?;
            Ok(Integer(u.count_over(nvars.map_or_else(|| u.support().len(), |nvars| nvars.0))?))
        })
    }

    /// Returns the set of the variables that a function depends on.
    pub(crate) fn support<'py>(
        slf: &Bound<'py, Self>,
        u: &Bound<'_, Function>,
    ) -> Outcome<Bound<'py, PySet>> {
        let kept = Self::own(slf, u)?;
        let names = slf.get().0.call(slf.py(), Work::Pass, move |attached| {
            let support = attached.function(&kept)?.support();
            Ok(support.into_iter().map(|v| attached.names.all[v].clone()).collect::<Vec<_>>())
        })?;
        Ok(PySet::new(slf.py(), names)?)
    }

    /// Returns an assignment that makes a function true, or ``None``; see ``pick_iter``.
    #[pyo3(signature = (u, care_vars=None))]
    pub(crate) fn pick<'py>(
        slf: &Bound<'py, Self>,
        u: &Bound<'py, Function>,
        care_vars: Option<&Bound<'py, PyAny>>,
    ) -> Outcome<Bound<'py, PyAny>> {
        Ok(call(slf.py(), MANAGERS, "pick", (slf, u, care_vars))?)
    }

    /// Returns an iterator of the assignments that make a function true, as dictionaries.
    ///
    /// They have the variables ``care_vars``, by default those that the function depends on. With fewer, they have in addition
    /// the variables on their path in the diagram; others may have any value.
    ///
    /// >>> import topdd as td
    /// >>> m = td.Manager("x y")
    /// >>> list(m.pick_iter(m.var("x"), care_vars=["x", "y"]))
    /// [{'x': True, 'y': False}, {'x': True, 'y': True}]
    #[pyo3(signature = (u, care_vars=None))]
    fn pick_iter<'py>(
        slf: &Bound<'py, Self>,
        u: &Bound<'py, Function>,
        care_vars: Option<&Bound<'py, PyAny>>,
    ) -> Outcome<Bound<'py, PyAny>> {
        Ok(call(slf.py(), MANAGERS, "pick_iter", (slf, u, care_vars))?)
    }

    fn _cubes(slf: &Bound<'_, Self>, u: &Bound<'_, Function>) -> Outcome<Cubes> {
        let kept = Self::own(slf, u)?;
        slf.get().0.call(slf.py(), Work::Pass, move |attached| {
            Ok(Cubes::new(attached.function(&kept)?.cubes(), attached.names.all.clone()))
        })
    }

    /// Returns a copy of a function in another manager, by the names of the variables. Declares those that are missing.
    fn copy(
        slf: &Bound<'_, Self>,
        u: &Bound<'_, Function>,
        other: &Bound<'_, Self>,
    ) -> Outcome<Function> {
        let kept = Self::own(slf, u)?;
        let (bdd, names) = slf.get().0.call(slf.py(), Work::Pass, move |attached| {
            Ok((attached.function(&kept)?.to_bdd_by_level()?, attached.ordered_names()))
        })?;
        Self::imported(other, bdd, names)
    }

    /// Returns the function that is true for the solutions of a diagram or family, whose elements are names of variables: those
    /// in a set are true, and those with the value that is not false. Declares variables that are missing.
    ///
    /// >>> import topdd as td
    /// >>> m = td.Manager("a b c")
    /// >>> m.from_diagram(td.formula("a -> c")) == m.add_expr("a => c")
    /// True
    fn from_diagram(slf: &Bound<'_, Self>, diagram: &Bound<'_, PyAny>) -> Outcome<Function> {
        let py = slf.py();
        let is_family = diagram.hasattr("build")?;
        let built = if is_family { diagram.call_method0("build")? } else { diagram.clone() };
        let refused = || Failure::Input(format!("{diagram:?} is no diagram and no family"));
        let (zdd, sets, elements) =
            built.cast::<Diagram>().map_err(|_| refused())?.get().named(py)?;
        let name = |element: &Bound<'_, PyAny>| {
            element.extract().map_err(|_| {
                Failure::Input(format!("the element {element:?} is no name of a variable"))
            })
        };
        let names = elements.iter().map(name).collect::<Outcome<Vec<String>>>()?;
        let bdd =
            Limits::new(py, None)?.run(py, move |task| Ok(sets.apply(&zdd, task)?.to_bdd()?))?;
        Self::imported(slf, bdd, names)
    }

    /// Moves each variable to the level with the fewest nodes, or brings the variables into an order: a list of names, or a
    /// dictionary of levels.
    #[pyo3(signature = (var_order=None))]
    fn reorder(&self, var_order: Option<&Bound<'_, PyAny>>, py: Python<'_>) -> Outcome<()> {
        let order = var_order.map(words).transpose()?;
        self.0.call(py, Work::Operation, move |attached| match &order {
            None => Ok(attached.manager.sift().map(drop)?),
            Some(names) => attached.reorder(names),
        })
    }

    /// Sets whether the variables are reordered whenever the number of nodes has doubled, and returns the settings before.
    #[pyo3(signature = (*, reordering=None))]
    fn configure<'py>(
        &self,
        reordering: Option<bool>,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyDict>> {
        let before = self.0.call(py, Work::Operation, move |attached| {
            let before = attached.manager.sifts_automatically();
            if let Some(reordering) = reordering {
                attached.manager.sift_automatically(reordering.then(Sifting::new))?;
            }
            Ok(before)
        })?;
        let settings = PyDict::new(py);
        settings.set_item("reordering", before)?;
        Ok(settings)
    }

    /// Frees the nodes of functions that nothing refers to. Calls do so by themselves when they need memory.
    fn collect_garbage(&self, py: Python<'_>) -> Outcome<()> {
        self.0.call(py, Work::Pass, |attached| {
            attached.manager.collect();
            Ok(())
        })
    }

    /// Writes functions to a file: ``roots`` is one, a list of them, or a dictionary with their names.
    ///
    /// The ending, or ``filetype``, decides: ``.json`` is the format of dd, ``.dot`` a picture for Graphviz, and ``.svg``,
    /// ``.png`` and ``.pdf`` the picture, if Graphviz is installed; by default of all functions that something refers to. Files of one function are ``.tdd``, its diagram, which
    /// ``td.Diagram.load`` and the command ``topdd`` read, and ``.dddmp``, the format of CUDD.
    #[pyo3(signature = (filename, roots=None, filetype=None))]
    fn dump(
        slf: &Bound<'_, Self>,
        filename: &Bound<'_, PyAny>,
        roots: Option<&Bound<'_, PyAny>>,
        filetype: Option<&str>,
    ) -> Outcome<()> {
        call(slf.py(), MANAGERS, "dump", (slf, filename, roots, filetype))?;
        Ok(())
    }

    /// Reads the functions of a file ``.json``, ``.tdd`` or ``.dddmp``: a list, or a dictionary if they have names.
    ///
    /// Declares the variables of the file. In a file ``.dddmp`` without names, variables are in the order in which they were declared.
    fn load<'py>(
        slf: &Bound<'py, Self>,
        filename: &Bound<'py, PyAny>,
    ) -> Outcome<Bound<'py, PyAny>> {
        Ok(call(slf.py(), MANAGERS, "load", (slf, filename))?)
    }

    fn _read_dddmp(slf: &Bound<'_, Self>, text: Vec<u8>) -> Outcome<Vec<Function>> {
        let (py, options) = (slf.py(), ReadOptions::new());
        let read = move |_: &Task| Ok(Bdd::read_dddmp_file(&text[..], &options)?);
        let file = Limits::new(py, None)?.run(py, read)?;
        let mut names = match file.variable_names {
            Some(names) => names,
            None => {
                slf.get().0.call(py, Work::Operation, |attached| Ok(attached.names.all.clone()))?
            }
        };
        let most = file.diagrams.iter().map(Bdd::num_vars).max().unwrap_or(0);
        names.extend((names.len()..most).map(|number| format!("x{number}")));
        file.diagrams.into_iter().map(|bdd| Self::imported(slf, bdd, names.clone())).collect()
    }

    /// The functions that Python refers to.
    fn _functions(slf: &Bound<'_, Self>) -> Outcome<Vec<Function>> {
        let kept = slf.get().0.call(slf.py(), Work::Operation, |attached| {
            let functions = attached.manager.functions().into_iter();
            Ok(functions.map(|function| attached.keep(function)).collect::<Vec<_>>())
        })?;
        Ok(kept.into_iter().map(|kept| Function::new(slf, kept)).collect())
    }

    fn __len__(&self, py: Python<'_>) -> Outcome<usize> {
        self.0.call(py, Work::Operation, |attached| {
            Ok(attached.manager.statistics().function_nodes + 1)
        })
    }

    fn __contains__(slf: &Bound<'_, Self>, u: &Bound<'_, Function>) -> Outcome<bool> {
        Self::own(slf, u).map(|_| true)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> Outcome<String> {
        let (this, name) = (slf.get(), slf.get_type().name()?);
        let (variables, nodes) = (this.levels(slf.py())?.len(), this.__len__(slf.py())?);
        Ok(format!("<topdd.{name}: {variables} variables, {nodes} nodes>"))
    }
}
