//! The variables and values that a constraint is on, and how a family gets a further rule.

use std::fmt::Debug;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use topdd::constraint::{Constraint, ConstraintKind, Count};
use topdd::{DdSpec, Portable};
use topdd_problem::error::digest;
use topdd_problem::{Problem, Rules, SetOperation};

use crate::convert::{Kept, check_order, is_set};
use crate::errors::{Failure, Outcome};
use crate::family::Family;
use crate::universe::Universe;
use crate::values::Values;

/// The variables of a constraint.
pub(crate) struct Scope<'a> {
    /// The method of the constraint.
    name: &'a str,
    universe: &'a Universe,
    /// In ascending order.
    pub(crate) variables: Vec<usize>,
    /// The position of each in the list of the user, if that is not in ascending order.
    pub(crate) moved: Option<Vec<usize>>,
}

impl<'a> Scope<'a> {
    /// The variables of a list, each of which may occur once; all without a list.
    fn new(name: &'a str, universe: &'a Universe, of: Option<&Kept<'_>>) -> Outcome<Self> {
        let Some(of) = of else {
            let variables = (0..universe.elements().len()).collect();
            return Ok(Self { name, universe, variables, moved: None });
        };
        let given = match universe.numbers(of) {
            Err(Failure::Input(_)) if universe.elements().find(of)?.is_some() => {
                return Err(Failure::Input(format!(
                    "{:?} is one variable; give a list of variables: of=[{:?}]",
                    **of, **of
                )));
            }
            given => given?,
        };
        let mut order: Vec<usize> = (0..given.len()).collect();
        order.sort_by_key(|&at| given[at]);
        let variables: Vec<usize> = order.iter().map(|&at| given[at]).collect();
        check_once(universe, &variables, of.py())?;
        // A set has no order that could be another one.
        let moved = (!order.is_sorted() && !is_set(of)).then_some(order);
        Ok(Self { name, universe, variables, moved })
    }

    /// Fails if the variables have another order in the list of the user, for constraints that read them one by one.
    pub(crate) fn in_order(self) -> Outcome<Self> {
        if self.moved.is_none() {
            return Ok(self);
        }
        Err(Failure::Input(format!(
            "{} reads its variables in the order of td.Variables; give them in this order, or change it there",
            self.name
        )))
    }

    pub(crate) fn arities(&self) -> Vec<usize> {
        self.variables.iter().map(|&variable| self.universe.arity(variable)).collect()
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = Values> + '_ {
        self.variables.iter().map(|&variable| self.universe.values(variable))
    }

    /// The longest list of values. The lists of the other variables must be beginnings of it, so that numbers mean the same values.
    pub(crate) fn common(&self, py: Python<'_>) -> Outcome<Values> {
        let Some(longest) = self.values().max_by_key(Values::len) else {
            return Ok(Values::Numbers(0));
        };
        for (values, &variable) in self.values().zip(&self.variables) {
            if !values.begin(&longest, py)? {
                let object = self.universe.elements().object(py, variable)?;
                return Err(Failure::Input(format!(
                    "{} compares values of several variables, and those of {object:?} have another order; give all \
                     of them the same values, and leave out some by excluding((variable, value))",
                    self.name
                )));
            }
        }
        Ok(longest)
    }

    /// The numbers of values that several variables have.
    pub(crate) fn common_numbers(&self, values: &Bound<'_, PyAny>) -> Outcome<Vec<usize>> {
        let common = self.common(values.py())?;
        let find = |value: &Bound<'_, PyAny>| {
            common.find(value)?.ok_or_else(|| {
                let name = self.name;
                Failure::Input(format!("{name}: none of the variables has the value {value:?}"))
            })
        };
        let values = listed(values, "values")?;
        values.iter().map(find).collect()
    }

    /// The positions of the variables with the numbers of the values that count.
    pub(crate) fn pairs(
        &self,
        values: Option<&Kept<'_>>,
        py: Python<'_>,
    ) -> Outcome<Vec<(usize, usize)>> {
        let listed = values.map(|values| listed(values, "values")).transpose()?;
        let mut found = vec![false; listed.as_ref().map_or(0, Vec::len)];
        let mut pairs = Vec::new();
        for (position, own) in self.values().enumerate() {
            let Some(listed) = &listed else {
                let Some(marked) = own.marked(py)? else {
                    let object = self.universe.elements().object(py, self.variables[position])?;
                    return Err(Failure::Input(format!(
                        "of the values {} of {object:?}, not exactly one is False or 0; list the values that count: values=[..]",
                        own.shown(py)?
                    )));
                };
                pairs.extend(marked.into_iter().map(|value| (position, value)));
                continue;
            };
            for (value, found) in listed.iter().zip(&mut found) {
                if let Some(number) = own.find(value)? {
                    *found = true;
                    pairs.push((position, number));
                }
            }
        }
        match found.iter().position(|found| !found) {
            Some(at) if !self.variables.is_empty() => {
                let value = &listed.unwrap_or_default()[at];
                Err(Failure::Input(format!("none of the variables has the value {value:?}")))
            }
            _ => Ok(pairs),
        }
    }

    /// The constraint on these variables, which it numbers from 0.
    pub(crate) fn place<K: ConstraintKind>(&self, constraint: Constraint<K>) -> Constraint<K> {
        let all = self.universe.elements().len();
        if self.variables.len() == all {
            return constraint;
        }
        constraint.on(self.variables.iter().copied())
    }
}

/// The items of a collection.
pub(crate) fn listed<'py>(
    given: &Bound<'py, PyAny>,
    noun: &str,
) -> Outcome<Vec<Bound<'py, PyAny>>> {
    let refused = || Failure::Input(format!("give a list of {noun}, not {given:?}"));
    if given.is_instance_of::<PyString>() {
        return Err(refused());
    }
    let items = given.try_iter().map_err(|_| refused())?;
    Ok(items.collect::<PyResult<_>>()?)
}

impl Family {
    /// Whether a size is a number of variables with values. Other families have no arguments for these.
    pub(crate) fn counts_values(&self, name: &str, is_given: bool) -> Outcome<bool> {
        let has_values = matches!(self.universe, Universe::Variables(..));
        if is_given && !has_values {
            self.check_variables(&format!("{name} with of= or values="))?;
        }
        Ok(has_values)
    }

    pub(crate) fn check_variables(&self, name: &str) -> Outcome<()> {
        match self.universe {
            Universe::Variables(..) => Ok(()),
            _ => Err(Failure::Input(format!(
                "{name} is for variables with values, which td.constraints(variables) makes; this family has {}",
                self.universe.kind()
            ))),
        }
    }

    pub(crate) fn scope<'a>(&'a self, name: &'a str, of: Option<&Kept<'_>>) -> Outcome<Scope<'a>> {
        self.check_variables(name)?;
        Scope::new(name, &self.universe, of)
    }

    /// The space of all variables.
    pub(crate) fn arities(&self) -> Vec<usize> {
        self.universe.arities()
    }

    /// The family with a further rule, made by a method with these arguments. `identity` tells the rule from others.
    pub(crate) fn ruled<'py, S>(
        &self,
        spec: S,
        identity: Option<&dyn Debug>,
        name: &str,
        arguments: &Bound<'py, PyTuple>,
        keywords: impl IntoPyObject<'py>,
    ) -> Outcome<Self>
    where
        S: DdSpec<State: Portable> + Clone + Send + 'static,
    {
        let all = Rules::all(self.arities()).with(spec, identity.map(|text| digest(&text)));
        let rule = Arc::new(Problem::Rules(all?));
        let problem = match &*self.problem {
            Problem::Rules(rules) if rules.is_empty() => rule,
            _ => Problem::combined(SetOperation::And, &self.problem, &rule)?,
        };
        self.called(problem, name, arguments, keywords)
    }

    /// The family with a ready constraint.
    pub(crate) fn constrained<'py, K>(
        &self,
        constraint: Constraint<K>,
        name: &str,
        arguments: impl IntoPyObject<
            'py,
            Target = PyTuple,
            Output = Bound<'py, PyTuple>,
            Error: Into<PyErr>,
        >,
        keywords: impl IntoPyObject<'py>,
        py: Python<'py>,
    ) -> Outcome<Self>
    where
        K: ConstraintKind + Send + 'static,
        Constraint<K>: DdSpec<State: Portable> + Send,
    {
        let text = format!("{constraint:?}");
        let arguments = arguments.into_pyobject(py).map_err(Into::into)?;
        self.ruled(constraint, Some(&text), name, &arguments, keywords)
    }

    /// The family with bounds on the number of values.
    pub(crate) fn counting(
        &self,
        name: &str,
        constraint: Constraint<Count>,
        bounds: &Bound<'_, PyTuple>,
        of: Option<&Kept<'_>>,
        values: Option<&Kept<'_>>,
    ) -> Outcome<Self> {
        let py = bounds.py();
        let scope = self.scope(name, of)?;
        let constraint = scope.place(constraint.of_pairs(scope.pairs(values, py)?));
        self.constrained(constraint, name, bounds.clone(), options(of, values), py)
    }

    /// The family with a constraint on two rows of variables, which `make` makes.
    pub(crate) fn lexicographic<K>(
        &self,
        name: &str,
        make: fn(Vec<usize>, Vec<usize>, Vec<usize>) -> Constraint<K>,
        rows: [Kept<'_>; 2],
    ) -> Outcome<Self>
    where
        K: ConstraintKind + Send + 'static,
        Constraint<K>: DdSpec<State: Portable> + Send,
    {
        self.check_variables(name)?;
        let py = rows[0].py();
        for (row, what) in rows.iter().zip(["left", "right"]) {
            check_order(row, what)?;
        }
        let [left, right] = [self.universe.numbers(&rows[0])?, self.universe.numbers(&rows[1])?];
        let mut variables = [&left[..], &right].concat();
        variables.sort_unstable();
        check_once(&self.universe, &variables, py)?;
        Scope { name, universe: &self.universe, variables, moved: None }.common(py)?;
        let constraint = make(self.arities(), left, right);
        let [left, right] = rows;
        self.constrained(constraint, name, (left, right), (), py)
    }
}

/// Fails if one of the variables, in ascending order, occurs twice.
fn check_once(universe: &Universe, variables: &[usize], py: Python<'_>) -> Outcome<()> {
    let Some(pair) = variables.windows(2).find(|pair| pair[0] == pair[1]) else { return Ok(()) };
    let object = universe.elements().object(py, pair[0])?;
    Err(Failure::Input(format!("the variable {object:?} is given twice")))
}

/// The keyword arguments that most constraints have.
pub(crate) fn options<'a, 'py>(
    of: Option<&'a Kept<'py>>,
    values: Option<&'a Kept<'py>>,
) -> [(&'static str, Option<&'a Kept<'py>>); 2] {
    [("of", of), ("values", values)]
}
