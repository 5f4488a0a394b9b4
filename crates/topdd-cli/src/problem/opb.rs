//! `topdd opb`.

use serde_json::{Value, json};
use topdd::{Frontier, Goal, Weights};
use topdd_problem::bounded::BoundedOptions;
use topdd_problem::{
    Condition, Elements, Name, OpbFile, Problem as Asked, Scale, Unlimited, Weighing,
};

use super::cnf::{decided, given, literals};
use super::files::ProblemFile;
use super::{Identity, Problem, Variables};
use crate::args::{self, Common, Engine};
use crate::failure::Failure;
use crate::form::Form;
use crate::output::counted;
use crate::{interrupt, memory, run, sweep};

/// Counts the solutions of linear constraints, and shows some of them, or the best. The time limit includes reading the file
/// and the choice of an order.
pub(crate) fn run(asked: &args::Opb) -> Result<(), Failure> {
    let common = asked.common();
    if asked.bounded.options().is_some() {
        interrupt::wait_for_main();
    }
    sweep::end_at_limit(&common)?;
    let problem = Constraints::read(asked, &common)?;
    memory::set_remedies(common.remedies(Engine::Frontier, false));
    run::run(&problem, &common)
}

/// Linear constraints over Boolean variables.
struct Constraints<'a> {
    asked: &'a args::Opb,
    identity: Identity,
    opb: OpbFile,
    problem: Asked,
    /// The variables of the file for the variables of the sweep.
    elements: Elements,
}

impl<'a> Constraints<'a> {
    fn read(asked: &'a args::Opb, common: &Common) -> Result<Self, Failure> {
        let file = ProblemFile::read(&asked.file, "file of constraints", common)?;
        let opb = OpbFile::parse(&file.text()).map_err(|error| file.failed(error))?;
        if asked.best.is_some() && opb.objective().is_none() {
            return Err(Failure::Usage(format!(
                "--best: {} has no objective; add a line such as \"min: +1 x1;\", or leave --best out",
                file.name
            )));
        }
        let names: Vec<Name> = opb.names().iter().cloned().map(Name::Label).collect();
        let mut rules = opb.rules();
        for (literal, taken) in given([&asked.with, &asked.without], names, &file.name)? {
            let condition = Condition::Elements { elements: vec![(literal, 1)], taken };
            rules = rules.under(&condition).map_err(Failure::usage)?;
        }
        let problem = Asked::Rules(rules);
        let order = problem.element_order().map_err(Failure::usage)?;
        let identity = identity(asked, &opb, &order, &file);
        let elements = Elements::named(order, |variable| opb.names()[variable].clone());
        Ok(Constraints { asked, identity, opb, problem, elements })
    }
}

fn identity(asked: &args::Opb, opb: &OpbFile, order: &[usize], file: &ProblemFile) -> Identity {
    let (variables, constraints) = (opb.names().len(), opb.num_constraints());
    Identity {
        title: format!(
            "solutions of {}: {}, {}{}",
            file.name,
            counted(constraints, "constraint"),
            counted(variables, "variable"),
            decided([&asked.with, &asked.without]),
        ),
        facts: json!({
            "name": "opb",
            "file": file.name,
            "variables": variables,
            "constraints": constraints,
            "objective": opb.objective().map(|objective| match objective.goal {
                Goal::Minimum => "minimum",
                Goal::Maximum => "maximum",
            }),
            "with": asked.with,
            "without": asked.without,
            "digest": file.digest(order),
        }),
        formulation: "opb",
        unit: "variable",
        subject: None,
    }
}

impl Problem for Constraints<'_> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn frontier(&self) -> Result<Frontier<'_>, Failure> {
        self.problem.frontier(&self.elements.order, &Unlimited).map_err(Failure::usage)
    }

    fn num_vars(&self) -> Result<usize, Failure> {
        Ok(self.elements.order.len())
    }

    fn best(&self) -> Option<(usize, Weighing)> {
        let (k, objective) = self.asked.best.zip(self.opb.objective())?;
        let weights = self.elements.order.iter().map(|&of| objective.weights[of].to_vec());
        let weights: Weights<i64> = weights.collect();
        Some((k, Weighing { weights, scale: Scale::new([]), goal: objective.goal }))
    }

    fn bounded(&self) -> Option<BoundedOptions> {
        self.asked.bounded.options()
    }

    fn variables(&self) -> Option<Variables<'_>> {
        Some(Variables::Elements(&self.elements))
    }
}

impl Form for Constraints<'_> {
    fn line(&self, solution: &[usize]) -> String {
        literals(&self.elements, solution, true).join(" ")
    }

    fn json(&self, solution: &[usize]) -> Value {
        literals(&self.elements, solution, false).into()
    }
}
