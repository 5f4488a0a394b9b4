//! `topdd cnf`.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::One;
use serde_json::{Value, json};
use topdd::constraint::{self, is};
use topdd::{Decision, Frontier, SpecExt, Weights, Zdd};
use topdd_apply::{CnfFile, Function, Manager, clause_order};
use topdd_problem::rules::clause_models;
use topdd_problem::{CellTable, Elements, Name, Nouns};

use super::files::ProblemFile;
use super::{Classic, Conjoined, Identity, Problem, Variables};
use crate::args::{self, Common, Engine};
use crate::failure::{Failure, Swept};
use crate::file::decisions;
use crate::form::Form;
use crate::output::counted;
use crate::{interrupt, memory, run, sweep};

/// Counts the models of a formula, and shows some of them. The time limit includes reading the file and the choice of
/// an order.
pub(crate) fn run(asked: &args::Cnf) -> Result<(), Failure> {
    let mut common = asked.common();
    sweep::end_at_limit(&common)?;
    let problem = Models::read(asked, &common)?;
    let is_projected_later = problem.shown.is_some() && asked.engine == Engine::Frontier;
    common.needs_solutions = problem.cnf.weights().is_some() || is_projected_later;
    if common.needs_solutions && common.answer.count_only {
        let what = if is_projected_later {
            "a count over some variables by --engine frontier"
        } else {
            "a weighted count"
        };
        return Err(Failure::Usage(format!("{what} needs the diagram; leave out --count-only")));
    }
    memory::set_remedies(common.remedies(asked.engine, false));
    run::run(&problem, &common)
}

/// The models of a formula.
struct Models<'a> {
    asked: &'a args::Cnf,
    identity: Identity,
    cnf: CnfFile,
    /// The variable of the formula for each variable of the sweep.
    order: Vec<usize>,
    /// The variables of the formula for the variables of the final diagram.
    elements: Elements,
    /// The variables of the diagram that are counted over, ascending; `None` for all.
    shown: Option<Vec<usize>>,
    /// The clauses over the variables of the diagram.
    clauses: Vec<Vec<(usize, bool)>>,
}

impl<'a> Models<'a> {
    fn read(asked: &'a args::Cnf, common: &Common) -> Result<Self, Failure> {
        let file = ProblemFile::read(&asked.file, "formula", common)?;
        let cnf = CnfFile::parse_named(&file.name, &file.text());
        let cnf = cnf.map_err(|error| file.failed(error))?;
        let of_formula = cnf.clauses().iter().map(|clause| clause.iter().copied());
        let order = clause_order(cnf.num_vars(), of_formula).map_err(Failure::usage)?;
        let mut place = vec![0; order.len()];
        for (variable, &of) in order.iter().enumerate() {
            place[of] = variable;
        }
        let literal = |&(of, value): &(usize, bool)| (place[of], value);
        let clauses = cnf.clauses().iter().map(|clause| clause.iter().map(literal).collect());
        let names = (0..cnf.num_vars()).map(|variable| Name::Label(name_of(&cnf, variable)));
        let given = given([&asked.with, &asked.without], names.collect(), &file.name)?;
        let clauses = clauses.chain(given.iter().map(|of| vec![literal(of)])).collect();
        let shown = cnf.shown().map(|shown| {
            let mut shown: Vec<usize> = shown.iter().map(|&of| place[of]).collect();
            shown.sort_unstable();
            shown
        });
        let identity = identity(asked, &cnf, &order, &file);
        let counted_over = match &shown {
            Some(shown) => shown.iter().map(|&variable| order[variable]).collect(),
            None => order.clone(),
        };
        let elements = Elements::named(counted_over, |of| name_of(&cnf, of));
        Ok(Models { asked, identity, cnf, order, elements, shown, clauses })
    }

    /// The models, in which variables that are not counted over are false.
    fn conjoin(&self, manager: &Manager) -> Result<Function, topdd_apply::Error> {
        interrupt::note("while the clauses were joined".to_owned());
        let shown = self.shown.as_ref();
        let is_hidden =
            |variable: &usize| shown.is_some_and(|s| s.binary_search(variable).is_err());
        let hidden = (0..self.order.len()).filter(is_hidden);
        let clauses = self.clauses.iter().map(|clause| clause.iter().copied());
        clause_models(manager, clauses, hidden)
    }
}

/// The name of a variable of a formula: its number, if the file has no names.
fn name_of(cnf: &CnfFile, variable: usize) -> String {
    cnf.names().map_or_else(|| (variable + 1).to_string(), |names| names[variable].clone())
}

/// The literals that --with and --without ask for, of variables with these names.
pub(super) fn given(
    [with, without]: [&Vec<String>; 2],
    names: Vec<Name>,
    file: &str,
) -> Result<Vec<(usize, bool)>, Failure> {
    if with.is_empty() && without.is_empty() {
        return Ok(Vec::new());
    }
    let arities = vec![2; names.len()];
    let table = CellTable::list(file.to_owned(), arities, Some(names), Nouns::VARIABLES);
    let decisions = decisions(&table, [with, without])?;
    let literal = |decision: &Decision| (decision.variable(), decision.allows(1));
    Ok(decisions.iter().map(literal).collect())
}

/// The decisions of --with and --without, after other words of a title.
pub(super) fn decided(decisions: [&Vec<String>; 2]) -> String {
    let words = ["with", "without"].into_iter().zip(decisions);
    let words = words.filter(|(_, names)| !names.is_empty());
    words.map(|(word, names)| format!(", {word} {}", names.join(","))).collect::<Vec<_>>().concat()
}

/// The literals of a solution in the order of the variables of the file, `-` before those that are false.
pub(super) fn literals(elements: &Elements, solution: &[usize], is_quoted: bool) -> Vec<String> {
    let mut variables: Vec<usize> = (0..solution.len()).collect();
    variables.sort_unstable_by_key(|&variable| elements.order[variable]);
    let literal = |variable: usize| {
        let sign = if solution[variable] == 0 { "-" } else { "" };
        let name = &elements.names[variable];
        let name = if is_quoted { name.printed() } else { name.stored() };
        format!("{sign}{name}")
    };
    variables.into_iter().map(literal).collect()
}

fn identity(asked: &args::Cnf, cnf: &CnfFile, order: &[usize], file: &ProblemFile) -> Identity {
    let (variables, clauses) = (cnf.num_vars(), cnf.num_clauses());
    let shown = cnf.shown().map(<[usize]>::len);
    let over = shown.map_or_else(String::new, |shown| format!(", over {shown} of them"));
    Identity {
        title: format!(
            "models of {}: {}, {}{over}{}",
            file.name,
            counted(clauses, "clause"),
            counted(variables, "variable"),
            decided([&asked.with, &asked.without]),
        ),
        facts: json!({
            "name": "cnf",
            "file": file.name,
            "variables": variables,
            "clauses": clauses,
            "shown": shown,
            "weighted": cnf.weights().is_some(),
            "with": asked.with,
            "without": asked.without,
            "digest": file.digest(order),
            "engine": if asked.engine == Engine::Apply { "apply" } else { "frontier" },
        }),
        formulation: "cnf",
        unit: "variable",
        subject: None,
    }
}

impl Problem for Models<'_> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn frontier(&self) -> Result<Frontier<'_>, Failure> {
        let literal = |&(variable, value): &(usize, bool)| is(variable, usize::from(value));
        let clauses = self.clauses.iter().map(|clause| clause.iter().map(literal));
        let spec = constraint::clauses(vec![2; self.order.len()], clauses);
        Ok(Frontier::of_boxed(spec.boxed()))
    }

    fn num_vars(&self) -> Result<usize, Failure> {
        Ok(self.order.len())
    }

    fn classic(&self) -> Result<Option<Classic<'_>>, Failure> {
        if self.asked.engine == Engine::Frontier {
            return Ok(None);
        }
        let conjoin = |manager: &Manager, has_diagram: bool, conjoined: &mut Conjoined<'_>| {
            let models = self.conjoin(manager)?;
            conjoined(1, &|| models.node_count());
            let zdd = || Ok::<_, topdd_apply::Error>(models.to_bdd()?.to_zdd()?);
            Ok((models.count(), has_diagram.then(zdd).transpose()?))
        };
        let (variables, conjoin) = (self.order.len(), Box::new(conjoin));
        Ok(Some(Classic { variables, constraints: 1, unit: "formula", conjoin }))
    }

    fn select(&self, zdd: &Zdd) -> Result<Option<Zdd>, Failure> {
        let Some(shown) = &self.shown else { return Ok(None) };
        let spec = zdd.project_spec(shown).map_err(Failure::usage)?;
        let common = self.asked.common();
        let projected = sweep::within_limits(Frontier::of_boxed(spec.boxed()), &common).zdd();
        interrupt::check()?;
        let swept = Swept { unit: "variable", variables: shown.len(), common: &common };
        projected.map(Some).map_err(|error| swept.failed(&error))
    }

    fn weighted_count(&self, zdd: &Zdd) -> Option<Ratio<BigInt>> {
        let weights = self.cnf.weights()?;
        let weights = self.elements.order.iter().map(|&of| &weights[of]);
        let mut denominator = BigInt::one();
        // Multiples of a unit of each variable.
        let scaled: Weights<BigInt> = weights
            .map(|[no, yes]| {
                let [d, e] = [no, yes].map(Ratio::denom);
                let common = if d == e { d.clone() } else { d * e };
                denominator *= &common;
                [(no, d), (yes, e)].map(|(weight, of)| weight.numer() * (&common / of))
            })
            .collect();
        Some(Ratio::new(zdd.sum_product(&scaled), denominator))
    }

    fn variables(&self) -> Option<Variables<'_>> {
        Some(Variables::Elements(&self.elements))
    }
}

impl Form for Models<'_> {
    fn line(&self, solution: &[usize]) -> String {
        literals(&self.elements, solution, true).join(" ")
    }

    fn json(&self, solution: &[usize]) -> Value {
        let has_names = self.cnf.names().is_some();
        let value = |literal: String| match literal.parse::<i64>() {
            Ok(number) if !has_names => json!(number),
            _ => json!(literal),
        };
        literals(&self.elements, solution, false).into_iter().map(value).collect()
    }
}
