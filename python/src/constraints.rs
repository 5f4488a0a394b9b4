//! Constraints on variables with values. Each method wraps a constructor of [`topdd::constraint`].

use std::collections::HashSet;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use topdd::constraint::{self, Dfa, Literal};
use topdd_problem::condition::value_weights;
use topdd_problem::{Problem, Rules};

use crate::convert::{Kept, RULES, Size, call, check_order};
use crate::errors::{Failure, Outcome};
use crate::family::{Family, recipe};
use crate::scope::{listed, options};
use crate::universe::Universe;

/// All ways to give each variable one of its values.
///
/// ``variables`` are as for ``td.Variables``. Methods of the family add constraints, and operators combine families.
///
/// >>> import topdd as td
/// >>> week = td.constraints({"mon": ["early", "late"], "tue": ["early", "late", "off"]})
/// >>> week.count(), week.all_different().count()
/// (6, 4)
/// >>> week.all_different().including(("tue", "off")).build()[0]
/// Solution({'mon': 'early', 'tue': 'off'})
/// >>> td.constraints(9, 4).longest_run(2).count()
/// 178524
#[pyfunction]
#[pyo3(signature = (variables, values=None))]
pub(crate) fn constraints(
    variables: Kept<'_>,
    values: Option<Kept<'_>>,
    py: Python<'_>,
) -> Outcome<Family> {
    let recipe = recipe(py, None::<()>, "constraints", (&variables, &values), ())?;
    let parts = call(py, RULES, "variables_of", (variables, values))?;
    let (names, values): (Bound<'_, PyTuple>, Bound<'_, PyTuple>) = parts.extract()?;
    let universe = Universe::of_variables(names, &values)?;
    let rules = Rules::all(universe.arities());
    Family::new(universe, Problem::Rules(rules), recipe)
}

#[pymethods]
impl Family {
    /// Keeps the assignments in which at least ``least`` and at most ``most`` of the variables have one of the values; see
    /// ``at_most``.
    ///
    /// >>> import topdd as td
    /// >>> td.constraints(5).between(1, 2).count()
    /// 15
    #[pyo3(signature = (least, most, of=None, values=None))]
    fn between(
        &self,
        least: Size,
        most: Size,
        of: Option<Kept<'_>>,
        values: Option<Kept<'_>>,
        py: Python<'_>,
    ) -> Outcome<Self> {
        let between = constraint::between(self.arities(), least.0..=most.0);
        let bounds = PyTuple::new(py, [least.0, most.0])?;
        self.counting("between", between, &bounds, of.as_ref(), values.as_ref())
    }

    /// Keeps the assignments in which a sum has a bound: ``sense`` is ``"<="``, ``">="`` or ``"=="``.
    ///
    /// ``weights`` maps variables to numbers, by which their values are multiplied, or to mappings from values to numbers.
    /// Variables and values that it leaves out count 0, as the sum is of those it names; ``cost_at_most`` and ``best``, which sum
    /// over all variables, ask for each number.
    ///
    /// >>> import topdd as td
    /// >>> dice = td.constraints(["red", "blue"], range(1, 7))
    /// >>> dice.linear({"red": 1, "blue": 1}, ">=", 11).count()
    /// 3
    /// >>> shifts = td.constraints(3, ["day", "night"])
    /// >>> shifts.linear([{"night": 50}] * 3, "<=", 100).count()
    /// 7
    fn linear(&self, weights: Kept<'_>, sense: &str, bound: &Bound<'_, PyAny>) -> Outcome<Self> {
        self.check_variables("linear")?;
        let py = weights.py();
        let parts = call(py, RULES, "terms", (&weights,))?;
        let (of, given): (Option<Kept<'_>>, Bound<'_, PyAny>) = parts.extract()?;
        let scope = self.scope("linear", of.as_ref())?;
        let given = match (&of, &scope.moved) {
            (None, _) if given.is_callable() => given,
            (None, _) => self.universe.per_element(&given, "weight")?,
            (_, None) => given,
            (_, Some(order)) => order
                .iter()
                .map(|&at| given.get_item(at))
                .collect::<PyResult<Vec<_>>>()?
                .into_pyobject(py)?,
        };
        let numbers = self.universe.weigh(&given, &scope.variables, "weight", py)?;
        let whole = numbers.whole.clone();
        let coefficients = value_weights(&whole, scope.arities());
        let weight = move |variable: usize, value: usize| coefficients[variable][value];
        let linear = constraint::linear(self.arities());
        let (least, most) = (numbers.bound(bound, true), numbers.bound(bound, false));
        let linear = match sense {
            "<=" => linear.at_most(weight, most?),
            ">=" => linear.at_least(weight, least?),
            "==" | "=" => {
                let (least, most) = (least?, most?);
                if least > most {
                    // The bound has more decimals than the weights, so no sum is equal to it.
                    linear.equal(|_, _| 0, 1)
                } else {
                    linear.at_most(weight.clone(), most).at_least(weight, least)
                }
            }
            _ => {
                return Err(Failure::Input(format!(
                    "the sense {sense:?} is unknown; give \"<=\", \">=\" or \"==\""
                )));
            }
        };
        let constraint = scope.place(linear);
        let identity = (format!("{constraint:?}"), whole);
        let arguments = (&weights, sense, bound).into_pyobject(py)?;
        self.ruled(constraint, Some(&identity), "linear", &arguments, ())
    }

    /// Keeps the assignments in which the sum of whole numbers, or the number of variables with one of the ``values``, has a
    /// remainder.
    ///
    /// >>> import topdd as td
    /// >>> td.constraints(2, range(1, 7)).sum_modulo(6, 0).count()
    /// 6
    #[pyo3(signature = (modulus, remainder, of=None, values=None))]
    fn sum_modulo(
        &self,
        modulus: Size,
        remainder: Size,
        of: Option<Kept<'_>>,
        values: Option<Kept<'_>>,
        py: Python<'_>,
    ) -> Outcome<Self> {
        let (Size(modulus), Size(remainder)) = (modulus, remainder);
        let scope = self.scope("sum_modulo", of.as_ref())?;
        let constraint = if values.is_some() {
            let pairs = scope.pairs(values.as_ref(), py)?;
            constraint::sum_modulo(self.arities(), modulus, remainder).of_pairs(pairs)
        } else {
            let all = self.universe.value_lists(&scope.variables, py)?;
            let parts = call(py, RULES, "summed", (all, modulus))?;
            let (least, pairs): (usize, Option<Vec<(usize, usize)>>) = parts.extract()?;
            let left = if remainder < modulus {
                (remainder + modulus - least) % modulus
            } else {
                remainder
            };
            let constraint = constraint::sum_modulo(self.arities(), modulus, left);
            match pairs {
                Some(pairs) => constraint.of_pairs(pairs),
                None => constraint,
            }
        };
        let options = options(of.as_ref(), values.as_ref());
        self.constrained(scope.place(constraint), "sum_modulo", (modulus, remainder), options, py)
    }

    /// Keeps the assignments in which no two of the variables have the same value, except for ``ignoring`` some values.
    ///
    /// >>> import topdd as td
    /// >>> rooms = td.constraints(["ann", "bob", "eve"], [None, 1, 2])
    /// >>> rooms.all_different(ignoring=[None]).count()
    /// 13
    #[pyo3(signature = (of=None, *, ignoring=None))]
    fn all_different(
        &self,
        of: Option<Kept<'_>>,
        ignoring: Option<Kept<'_>>,
        py: Python<'_>,
    ) -> Outcome<Self> {
        let scope = self.scope("all_different", of.as_ref())?;
        let mut constraint = constraint::all_different(self.arities());
        match &ignoring {
            Some(values) => {
                constraint = constraint.except(scope.common_numbers(values)?);
            }
            None => drop(scope.common(py)?),
        }
        let options = (("of", &of), ("ignoring", &ignoring));
        self.constrained(scope.place(constraint), "all_different", (), options, py)
    }

    /// Keeps the assignments in which each of some values occurs so often: ``counts`` maps values to numbers, or to pairs of
    /// the least and the greatest number.
    ///
    /// >>> import topdd as td
    /// >>> td.constraints(5, "abc").occurrences({"a": 2, "b": (1, 2)}).count()
    /// 60
    #[pyo3(signature = (counts, of=None))]
    fn occurrences(&self, counts: Kept<'_>, of: Option<Kept<'_>>, py: Python<'_>) -> Outcome<Self> {
        let scope = self.scope("occurrences", of.as_ref())?;
        let parts = call(py, RULES, "counts_of", (&counts,))?;
        let (values, bounds): (Bound<'_, PyAny>, Vec<(usize, usize)>) = parts.extract()?;
        let values = scope.common_numbers(&values)?;
        let bounds = values.into_iter().zip(bounds.into_iter().map(|(least, most)| least..=most));
        let constraint = scope.place(constraint::occurrences(self.arities(), bounds));
        self.constrained(constraint, "occurrences", (&counts,), (("of", of),), py)
    }

    /// Keeps the assignments in which the values of the variables are one of the ``rows``.
    ///
    /// >>> import topdd as td
    /// >>> td.constraints({"day": ["sat", "sun"], "shift": [1, 2, 3]}).table([("sat", 1), ("sun", 3)]).count()
    /// 2
    #[pyo3(signature = (rows, of=None))]
    fn table(&self, rows: Kept<'_>, of: Option<Kept<'_>>, py: Python<'_>) -> Outcome<Self> {
        of.as_ref().map_or(Ok(()), |of| check_order(of, "of"))?;
        let scope = self.scope("table", of.as_ref())?;
        let mut tuples = Vec::new();
        for row in listed(&rows, "rows")? {
            check_order(&row, "a row")?;
            let values = listed(&row, "values for each row")?;
            if values.len() != scope.variables.len() {
                let (variables, values) = (scope.variables.len(), values.len());
                return Err(Failure::Input(format!(
                    "the row {row:?} has {values} values for {variables} variables"
                )));
            }
            let number = |(position, &variable): (usize, &usize)| {
                let at = scope.moved.as_ref().map_or(position, |order| order[position]);
                self.universe.value_number(variable, &values[at])
            };
            tuples
                .push(scope.variables.iter().enumerate().map(number).collect::<Outcome<Vec<_>>>()?);
        }
        let constraint = scope.place(constraint::table(self.arities(), tuples));
        self.constrained(constraint, "table", (rows,), (("of", of),), py)
    }

    /// Keeps the assignments whose values, one variable after the other, are a word of a deterministic finite automaton.
    ///
    /// ``edges`` maps pairs of a state and a value to the next state; a value without an edge is rejected. ``accept`` lists
    /// the states in which a word may end.
    ///
    /// >>> import topdd as td
    /// >>> edges = {(0, "day"): 0, (0, "night"): 1, (1, "day"): 0}
    /// >>> td.constraints(5, ["day", "night"]).automaton(0, edges, [0, 1]).count()
    /// 13
    #[pyo3(signature = (start, edges, accept, of=None))]
    fn automaton(
        &self,
        start: &Bound<'_, PyAny>,
        edges: &Bound<'_, PyAny>,
        accept: Kept<'_>,
        of: Option<Kept<'_>>,
        py: Python<'_>,
    ) -> Outcome<Self> {
        let scope = self.scope("automaton", of.as_ref())?.in_order()?;
        let parts = call(py, RULES, "automaton_of", (start, edges, &accept))?;
        let (steps, values, accepting): (Vec<(usize, usize)>, Bound<'_, PyAny>, Vec<usize>) =
            parts.extract()?;
        let values = scope.common_numbers(&values)?;
        let edges_of = steps.into_iter().zip(values);
        let dfa = edges_of.fold(Dfa::new(0), |dfa, ((from, to), value)| dfa.edge(from, value, to));
        let dfa = accepting.into_iter().fold(dfa, Dfa::accept);
        let constraint = scope.place(constraint::regular(self.arities(), dfa));
        self.constrained(constraint, "automaton", (start, edges, accept), (("of", of),), py)
    }

    /// Keeps the assignments whose values, one variable after the other, match a regular expression as a whole.
    ///
    /// A value is written as its text, in angle brackets if that has more than one character: ``"<day>* (<night>{2} <day>+)?"``.
    /// ``.``, ``[..]``, ``[^..]``, ``|``, ``*``, ``+``, ``?``, ``{2}``, ``{2,}``, ``{2,4}`` and groups are as usual, and blanks do
    /// not matter.
    ///
    /// >>> import topdd as td
    /// >>> td.constraints(6, "01").regex("0* 1{2} 0+ 1 0*").count()
    /// 6
    #[pyo3(signature = (pattern, of=None))]
    fn regex(&self, pattern: &str, of: Option<Kept<'_>>, py: Python<'_>) -> Outcome<Self> {
        let scope = self.scope("regex", of.as_ref())?.in_order()?;
        let values = scope.common(py)?.objects(py)?;
        let numbered: String = call(py, RULES, "pattern_of", (pattern, values))?.extract()?;
        let constraint = scope.place(constraint::regex(self.arities(), numbered));
        self.constrained(constraint, "regex", (pattern,), (("of", of),), py)
    }

    /// Keeps the assignments in which no value, or none of the ``values``, occurs more than ``most`` times in a row.
    ///
    /// >>> import topdd as td
    /// >>> td.constraints(4, ["day", "night"]).longest_run(2, values=["night"]).count()
    /// 13
    #[pyo3(signature = (most, of=None, values=None))]
    fn longest_run(
        &self,
        most: Size,
        of: Option<Kept<'_>>,
        values: Option<Kept<'_>>,
        py: Python<'_>,
    ) -> Outcome<Self> {
        let scope = self.scope("longest_run", of.as_ref())?.in_order()?;
        let mut constraint = constraint::longest_run(self.arities(), most.0);
        match &values {
            Some(values) => {
                constraint = constraint.of_values(scope.common_numbers(values)?);
            }
            None => drop(scope.common(py)?),
        }
        let options = options(of.as_ref(), values.as_ref());
        self.constrained(scope.place(constraint), "longest_run", (most.0,), options, py)
    }

    /// Keeps the assignments in which variables with one of the ``values`` are at least ``distance`` apart, counted in the list of
    /// the variables; see ``at_most`` for the values.
    ///
    /// >>> import topdd as td
    /// >>> td.constraints(6).least_distance(3).count()
    /// 13
    #[pyo3(signature = (distance, of=None, values=None))]
    fn least_distance(
        &self,
        distance: Size,
        of: Option<Kept<'_>>,
        values: Option<Kept<'_>>,
        py: Python<'_>,
    ) -> Outcome<Self> {
        let scope = self.scope("least_distance", of.as_ref())?.in_order()?;
        let pairs = scope.pairs(values.as_ref(), py)?;
        let constraint = constraint::least_distance(self.arities(), distance.0).of_pairs(pairs);
        let options = options(of.as_ref(), values.as_ref());
        self.constrained(scope.place(constraint), "least_distance", (distance.0,), options, py)
    }

    /// Keeps the assignments in which among any ``width`` consecutive variables at least ``least`` and at most ``most`` have
    /// one of the values; see ``at_most``. A window has at most 64 variables.
    ///
    /// >>> import topdd as td
    /// >>> td.constraints(14, ["off", "on"]).window(7, 1, 5, values=["on"]).count()
    /// 12435
    #[pyo3(signature = (width, least, most, of=None, values=None))]
    fn window(
        &self,
        width: Size,
        least: Size,
        most: Size,
        of: Option<Kept<'_>>,
        values: Option<Kept<'_>>,
        py: Python<'_>,
    ) -> Outcome<Self> {
        let scope = self.scope("window", of.as_ref())?.in_order()?;
        let pairs = scope.pairs(values.as_ref(), py)?;
        let constraint = constraint::window(self.arities(), width.0, least.0..=most.0);
        let constraint = scope.place(constraint.of_pairs(pairs));
        let options = options(of.as_ref(), values.as_ref());
        self.constrained(constraint, "window", (width.0, least.0, most.0), options, py)
    }

    /// Keeps the assignments in which the ``values`` occur for the first time in this order: one that occurs is after the first
    /// of those before it in the list. It keeps one of several solutions that differ by names of values only.
    ///
    /// >>> import topdd as td
    /// >>> td.constraints(4, "abcd").precedence(list("abcd")).count()
    /// 15
    #[pyo3(signature = (values, of=None))]
    fn precedence(&self, values: Kept<'_>, of: Option<Kept<'_>>, py: Python<'_>) -> Outcome<Self> {
        check_order(&values, "values")?;
        let scope = self.scope("precedence", of.as_ref())?.in_order()?;
        let numbers = scope.common_numbers(&values)?;
        let mut seen = HashSet::new();
        if let Some(at) = numbers.iter().position(|number| !seen.insert(number)) {
            let value = listed(&values, "values")?.swap_remove(at);
            return Err(Failure::Input(format!("precedence: the value {value:?} is given twice")));
        }
        let constraint = scope.place(constraint::precedence(self.arities(), numbers));
        self.constrained(constraint, "precedence", (values,), (("of", of),), py)
    }

    /// Keeps the assignments in which each clause holds. A clause is a list of literals, one of which must hold: a pair of a
    /// variable and a value, or a triple with ``"!="`` or ``"=="`` between them.
    ///
    /// >>> import topdd as td
    /// >>> light = td.constraints({"lamp": ["off", "red", "green"], "horn": [False, True]})
    /// >>> light.clauses([[("lamp", "!=", "red"), ("horn", True)]]).count()
    /// 5
    fn clauses(&self, clauses: Kept<'_>, py: Python<'_>) -> Outcome<Self> {
        self.check_variables("clauses")?;
        let literal = |given: &Bound<'_, PyAny>| -> Outcome<Literal> {
            let parts = call(py, RULES, "literal_of", (given,))?;
            let (pair, is): (Bound<'_, PyAny>, bool) = parts.extract()?;
            let (variable, value) = self.universe.pair(&pair)?;
            let make = if is { constraint::is } else { constraint::is_not };
            Ok(make(variable, value))
        };
        let mut read = Vec::new();
        for clause in listed(&clauses, "clauses")? {
            let literals = listed(&clause, "literals for each clause")?;
            read.push(literals.iter().map(literal).collect::<Outcome<Vec<_>>>()?);
        }
        let constraint = constraint::clauses(self.arities(), read);
        self.constrained(constraint, "clauses", (clauses,), (), py)
    }

    /// Keeps the assignments in which the values of the variables ``left`` are at most the values of ``right`` in lexicographic
    /// order: at the first difference, the left value is before the right one in the list of values.
    ///
    /// >>> import topdd as td
    /// >>> td.constraints("abcd", 2).lex_at_most("ab", "cd").count()
    /// 10
    fn lex_at_most(&self, left: Kept<'_>, right: Kept<'_>) -> Outcome<Self> {
        self.lexicographic("lex_at_most", constraint::lex_at_most, [left, right])
    }

    /// Keeps the assignments in which the values of the variables ``left`` are less than the values of ``right``; see ``lex_at_most``.
    ///
    /// >>> import topdd as td
    /// >>> td.constraints("abcd", 2).lex_less("ab", "cd").count()
    /// 6
    fn lex_less(&self, left: Kept<'_>, right: Kept<'_>) -> Outcome<Self> {
        self.lexicographic("lex_less", constraint::lex_less, [left, right])
    }
}
