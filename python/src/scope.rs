//! The variables and values that a constraint is on, and how a family gets a further rule.

use std::fmt::Debug;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use topdd::constraint::{self, Constraint, ConstraintKind};
use topdd::{DdSpec, Portable};
use topdd_problem::error::digest;
use topdd_problem::{Problem, Rules, SetOperation};

use crate::convert::{collected, in_order, is_set};
use crate::errors::{Failure, Outcome};
use crate::family::Family;
use crate::universe::Universe;
use crate::values::Values;

pub(crate) type Given<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// The variables of a constraint.
pub(crate) struct Scope<'a> {
    universe: &'a Universe,
    /// In ascending order.
    pub(crate) variables: Vec<usize>,
    /// The position of each in the list of the user, if that is not in ascending order.
    pub(crate) moved: Option<Vec<usize>>,
}

impl<'a> Scope<'a> {
    /// The variables of a list, each of which may occur once; all without a list.
    fn new(universe: &'a Universe, of: Given<'_, '_>) -> Outcome<Self> {
        let Some(of) = of else {
            let variables = (0..universe.elements().len()).collect();
            return Ok(Self { universe, variables, moved: None });
        };
        let given = universe.numbers(of)?;
        let mut order: Vec<usize> = (0..given.len()).collect();
        order.sort_by_key(|&at| given[at]);
        let variables: Vec<usize> = order.iter().map(|&at| given[at]).collect();
        if let Some(pair) = variables.windows(2).find(|pair| pair[0] == pair[1]) {
            let object = universe.elements().object(of.py(), pair[0])?;
            return Err(Failure::Input(format!("the variable {object:?} is given twice")));
        }
        // A set has no order that could be another one.
        let moved = (!order.is_sorted() && !is_set(of)).then_some(order);
        Ok(Self { universe, variables, moved })
    }

    /// Fails if the variables have another order in the list of the user, for constraints that read them one by one.
    pub(crate) fn in_order(self, name: &str) -> Outcome<Self> {
        if self.moved.is_none() {
            return Ok(self);
        }
        Err(Failure::Input(format!(
            "{name} reads its variables in the order of td.Variables; give them in this order, or change it there"
        )))
    }

    pub(crate) fn arities(&self) -> Vec<usize> {
        self.variables.iter().map(|&variable| self.universe.arity(variable)).collect()
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = Values> + '_ {
        self.variables.iter().map(|&variable| self.universe.values(variable))
    }

    /// The longest list of values. The lists of the other variables must be beginnings of it, so that numbers mean the same values.
    pub(crate) fn common(&self, name: &str, py: Python<'_>) -> Outcome<Values> {
        let Some(longest) = self.values().max_by_key(Values::len) else {
            return Ok(Values::Numbers(0));
        };
        for (values, &variable) in self.values().zip(&self.variables) {
            if !values.begin(&longest, py)? {
                let object = self.universe.elements().object(py, variable)?;
                return Err(Failure::Input(format!(
                    "{name} compares values of several variables, and those of {object:?} have another order; give all \
                     of them the same values, and leave out some by excluding((variable, value))"
                )));
            }
        }
        Ok(longest)
    }

    /// The numbers of values that several variables have.
    pub(crate) fn common_numbers(
        &self,
        name: &str,
        values: &Bound<'_, PyAny>,
    ) -> Outcome<Vec<usize>> {
        let common = self.common(name, values.py())?;
        let find = |value: &Bound<'_, PyAny>| {
            common.find(value)?.ok_or_else(|| {
                Failure::Input(format!("{name}: none of the variables has the value {value:?}"))
            })
        };
        listed(values, "values")?.iter().map(find).collect()
    }

    /// The positions of the variables with the numbers of the values that count.
    pub(crate) fn pairs(
        &self,
        values: Given<'_, '_>,
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
    let items = collected(given)?.try_iter().map_err(|_| refused())?;
    Ok(items.collect::<PyResult<_>>()?)
}

impl Family {
    /// Whether a size is a number of variables with values. Other families have no arguments for these.
    pub(crate) fn counts_values(&self, name: &str, given: Given<'_, '_>) -> Outcome<bool> {
        let has_values = matches!(self.universe, Universe::Variables(..));
        if given.is_some() && !has_values {
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

    pub(crate) fn scope(&self, name: &str, of: Given<'_, '_>) -> Outcome<Scope<'_>> {
        self.check_variables(name)?;
        Scope::new(&self.universe, of)
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
        bounds: &Bound<'_, PyTuple>,
        of: Given<'_, '_>,
        values: Given<'_, '_>,
    ) -> Outcome<Self> {
        let py = bounds.py();
        let (of, values) = (kept(of)?, kept(values)?);
        let scope = self.scope(name, of.as_ref())?;
        let k: usize = bounds.get_item(0)?.extract()?;
        let pairs = scope.pairs(values.as_ref(), py)?;
        let constraint = match name {
            "at_most" => constraint::at_most(self.arities(), k),
            "at_least" => constraint::at_least(self.arities(), k),
            "exactly" => constraint::exactly(self.arities(), k),
            _ => constraint::between(self.arities(), k..=bounds.get_item(1)?.extract()?),
        };
        let constraint = scope.place(constraint.of_pairs(pairs));
        self.constrained(
            constraint,
            name,
            bounds.clone(),
            options(of.as_ref(), values.as_ref()),
            py,
        )
    }

    pub(crate) fn lexicographic(
        &self,
        name: &str,
        left: &Bound<'_, PyAny>,
        right: &Bound<'_, PyAny>,
    ) -> Outcome<Self> {
        self.check_variables(name)?;
        let py = left.py();
        let (left, right) = (in_order(left, "left")?, in_order(right, "right")?);
        let rows = [self.universe.numbers(&left)?, self.universe.numbers(&right)?];
        let mut variables = rows.concat();
        variables.sort_unstable();
        variables.dedup();
        Scope { universe: &self.universe, variables, moved: None }.common(name, py)?;
        let [first, second] = rows;
        let make = if name == "lex_less" { constraint::lex_less } else { constraint::lex_at_most };
        let constraint = make(self.arities(), first, second);
        self.constrained(constraint, name, (left, right), (), py)
    }
}

/// An argument that an iterator may have given, as a list.
pub(crate) fn kept<'py>(given: Given<'_, 'py>) -> Outcome<Option<Bound<'py, PyAny>>> {
    given.map(collected).transpose()
}

/// The keyword arguments that most constraints have.
pub(crate) fn options<'a, 'py>(
    of: Given<'a, 'py>,
    values: Given<'a, 'py>,
) -> [(&'static str, Given<'a, 'py>); 2] {
    [("of", of), ("values", values)]
}
