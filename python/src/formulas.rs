//! Formulas over Boolean variables: expressions, clauses, and linear constraints in files.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use topdd_apply::{CnfFile, expression_names};
use topdd_graph::format::unpack;
use topdd_problem::{OpbFile, Problem, Rules};

use crate::convert::{FORMULAS, Numbers, call, collected};
use crate::errors::{Failure, Outcome, bytes_of};
use crate::family::{Family, recipe};
use crate::run::short;
use crate::universe::{Objective, Universe};

/// The text of a file, which a pickle of its family has in place of the file.
struct Source<'py> {
    object: Bound<'py, PyAny>,
    name: String,
    text: String,
}

/// Reads a path, or an object with a method `read`. A file that is packed by gzip is unpacked.
fn source<'py>(file: &Bound<'py, PyAny>) -> Outcome<Source<'py>> {
    let py = file.py();
    let mut object = call(py, FORMULAS, "source_of", (file,))?;
    if object.is_none() {
        let path: PathBuf = file.extract().map_err(|_| {
            Failure::Input(format!("{file:?} is no file; give a path, or an open file"))
        })?;
        let bytes = bytes_of(&path)?;
        let text = unpack(&bytes)
            .map_err(|error| Failure::File(format!("{}: {error}", path.display())))?;
        let name = path.display().to_string();
        object = call(py, FORMULAS, "Source", (String::from_utf8_lossy(&text), name))?;
    }
    let (name, text) = (object.getattr("name")?.extract()?, object.extract()?);
    Ok(Source { object, name, text })
}

/// Boolean variables with these names.
pub(crate) fn booleans(names: Bound<'_, PyTuple>, objective: Objective) -> Outcome<Universe> {
    let py = names.py();
    let own = PyTuple::new(py, [false, true])?;
    let values = PyTuple::new(py, vec![own; names.len()])?;
    Universe::with_objective(names, &values, objective)
}

/// All solutions of the linear constraints over Boolean variables in an OPB file.
///
/// ``file`` is a path or an open file, which may be packed by gzip. Coefficients have any size. ``variables`` are the names of
/// all variables in their order, by default the variables of the file in the order in which they occur: families with the same
/// ``variables`` are combined by ``&``. The objective of the file has the default weights: ``build().best(1)`` has the least value, and for ``max:``, ``build().best(1, max=True)`` the greatest.
///
/// >>> import io
/// >>> import topdd as td
/// >>> bag = td.opb(io.StringIO("max: +4 a +5 b +7 c; +3 a +4 b +5 c <= 9;"))
/// >>> bag.count()
/// 7
/// >>> bag.build().best(1, max=True)
/// [(12, Solution({'a': False, 'b': True, 'c': True}))]
#[pyfunction]
#[pyo3(signature = (file, variables=None))]
pub(crate) fn opb(
    file: &Bound<'_, PyAny>,
    variables: Option<&Bound<'_, PyAny>>,
) -> Outcome<Family> {
    let (py, Source { object, name, text }) = (file.py(), source(file)?);
    let variables = variables.map(collected).transpose()?;
    let recipe = recipe(py, None::<()>, "opb", (object, &variables), ())?;
    let file = short(py, || {
        let file = OpbFile::parse(&text);
        file.map_err(|error| Failure::File(format!("{name}: {error}")))
    })?;
    let placed = call(py, FORMULAS, "placed", (file.names().to_vec(), variables))?;
    let (names, places): (Vec<String>, Vec<usize>) = placed.extract()?;
    let (file, rules) = short(py, || {
        let file = file.renumbered(&places, names);
        let rules = file.rules();
        Ok((file, rules))
    })?;
    let objective = match file.objective() {
        Some(objective) => Objective::One(Numbers::of_whole(py, objective.weights.concat())?),
        None => Objective::None,
    };
    let universe = booleans(PyTuple::new(py, file.names())?, objective)?;
    Family::new(universe, Problem::Rules(rules), recipe)
}

/// All models of a formula in conjunctive normal form.
///
/// ``formula`` is a DIMACS file, by its path or open, which may be packed by gzip, or a list of clauses. A clause is a list of
/// literals: numbers of variables from 1, negative for a negation, or names, with ``~`` or ``-`` before a negation.
/// ``variables`` are the names of all variables in their order, or their number; by default those that occur. The variables of
/// a file have the names that its comments give, or numbers from 1; with lines ``c p show``, models are over these variables.
///
/// >>> import topdd as td
/// >>> td.cnf([[1, 2], [-2, 3]]).count()
/// 4
/// >>> td.cnf([["rain", "sun"], ["~rain", "wet"]]).including(("rain", True)).count()
/// 2
#[pyfunction]
#[pyo3(signature = (formula, variables=None))]
pub(crate) fn cnf(
    formula: &Bound<'_, PyAny>,
    variables: Option<&Bound<'_, PyAny>>,
) -> Outcome<Family> {
    let py = formula.py();
    let variables = variables.map(collected).transpose()?;
    // An open file is an iterator, too.
    let is_file = formula.hasattr("read")?;
    let formula = if is_file { formula.clone() } else { collected(formula)? };
    let listed = call(py, FORMULAS, "clauses_of", (&formula, &variables))?;
    if !listed.is_none() {
        let recipe = recipe(py, None::<()>, "cnf", (&formula, &variables), ())?;
        let (names, clauses): (Bound<'_, PyTuple>, Vec<Vec<(usize, bool)>>) = listed.extract()?;
        let count = names.len();
        let rules = short(py, || Ok(Rules::of_clauses(count, clauses, None)?))?;
        return Family::new(booleans(names, Objective::None)?, Problem::Rules(rules), recipe);
    }
    let Source { object, name, text } = source(&formula)?;
    let recipe = recipe(py, None::<()>, "cnf", (object, &variables), ())?;
    let file = short(py, || {
        let file = CnfFile::parse_named(&name, &text);
        let file = file.map_err(|error| Failure::File(format!("{name}: {error}")))?;
        if file.weights().is_some() {
            return Err(Failure::File(format!(
                "{name} has weights, which td.cnf does not use; remove their lines, or count by `topdd cnf`"
            )));
        }
        Ok(file)
    })?;
    let all: Vec<usize> = (0..file.num_vars()).collect();
    let shown = file.shown().unwrap_or(&all);
    let own = match file.names() {
        Some(names) => PyTuple::new(py, shown.iter().map(|&of| &names[of]))?,
        None => PyTuple::new(py, shown.iter().map(|&of| of + 1))?,
    };
    let placed = call(py, FORMULAS, "placed", (own.to_list(), variables))?;
    let (names, places): (Bound<'_, PyTuple>, Vec<usize>) = placed.extract()?;
    let count = names.len();
    let rules = short(py, || {
        // The variables that are not shown follow the others.
        let mut numbers: Vec<Option<usize>> = vec![None; file.num_vars()];
        shown.iter().zip(places).for_each(|(&of, place)| numbers[of] = Some(place));
        let mut next = count..;
        let numbers: Vec<usize> =
            numbers.into_iter().map(|number| number.or_else(|| next.next()).unwrap_or(0)).collect();
        let moved = |clause: &Vec<(usize, bool)>| {
            clause.iter().map(|&(variable, value)| (numbers[variable], value)).collect()
        };
        let clauses = file.clauses().iter().map(moved).collect();
        let hidden = file.num_vars() - shown.len();
        let visible = (hidden > 0).then(|| (0..count).collect());
        Ok(Rules::of_clauses(count + hidden, clauses, visible)?)
    })?;
    Family::new(booleans(names, Objective::None)?, Problem::Rules(rules), recipe)
}

/// All models of a formula: a text, or an expression of the variables of ``td.Bool``.
///
/// Operators, from the one that binds most: ``~``, ``&``, ``^``, ``|``, ``->``, ``<->``; constants are ``True`` and ``False``.
/// ``variables`` are the names of all variables in their order, on which the size of the diagram depends: a list, or text with
/// blanks. By default they are the names of a text in the order in which they occur, or all variables of ``td.Bool``.
///
/// >>> import topdd as td
/// >>> td.formula("(a | b) & ~c").count()
/// 3
/// >>> td.formula("a -> b", variables="a b c").count()
/// 6
/// >>> b = td.Bool("a b c")
/// >>> td.formula((b.a & ~b.b) | b.c.implies(b.a)).count()
/// 6
#[pyfunction]
#[pyo3(signature = (expression, variables=None))]
pub(crate) fn formula(
    expression: &Bound<'_, PyAny>,
    variables: Option<&Bound<'_, PyAny>>,
) -> Outcome<Family> {
    let (py, variables) = (expression.py(), variables.map(collected).transpose()?);
    let parts = call(py, FORMULAS, "expression_of", (expression, &variables))?;
    let (text, names): (String, Option<Vec<String>>) = parts.extract()?;
    let (text, names, rules) = short(py, || {
        let names = match names {
            Some(names) => names,
            None => expression_names(&text, None::<&[String]>)?,
        };
        let rules = Rules::of_expression(text.clone(), names.clone())?;
        Ok((text, names, rules))
    })?;
    let names = PyTuple::new(py, names)?;
    let recipe = recipe(py, None::<()>, "formula", (text, names.to_list()), ())?;
    Family::new(booleans(names, Objective::None)?, Problem::Rules(rules), recipe)
}
