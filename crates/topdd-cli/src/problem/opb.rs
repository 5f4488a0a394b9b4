//! `topdd opb`.

use serde_json::{Value, json};
use topdd::{Frontier, Goal, Weights};
use topdd_graph::format::unpack;
use topdd_problem::{
    Condition, ElementWeights, Elements, Name, OpbFile, Problem as Asked, Scale, Unlimited,
    Weighing,
};

use super::cnf::{given, literals};
use super::{Identity, Problem, Variables, files};
use crate::args::{self, Common, Engine};
use crate::failure::Failure;
use crate::form::Form;
use crate::output::counted;
use crate::{memory, run, sweep};

/// Counts the solutions of linear constraints, and shows some of them, or the best. The time limit includes reading the file
/// and the choice of an order.
pub(crate) fn run(asked: &args::Opb) -> Result<(), Failure> {
    let common = asked.common();
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
        files::refuse_overwriting(&asked.file, "constraints", common)?;
        let name = files::name(&asked.file);
        let bytes = files::read(&asked.file, "file of constraints")?;
        let failed = |error: &dyn std::fmt::Display| Failure::Failed(format!("{name}: {error}"));
        let text = unpack(&bytes).map_err(|error| failed(&error))?;
        let opb =
            OpbFile::parse(&String::from_utf8_lossy(&text)).map_err(|error| failed(&error))?;
        if asked.best.is_some() && opb.objective().is_none() {
            return Err(Failure::Usage(format!(
                "--best: {name} has no objective; add a line such as \"min: +1 x1;\", or leave --best out"
            )));
        }
        let names: Vec<Name> = opb.names().iter().cloned().map(Name::Label).collect();
        let mut rules = opb.rules();
        for (literal, taken) in given([&asked.with, &asked.without], names.clone(), &name)? {
            let condition = Condition::Elements { elements: vec![(literal, 1)], taken };
            rules = rules.under(&condition).map_err(Failure::usage)?;
        }
        let problem = Asked::Rules(rules);
        let order = problem.element_order().map_err(Failure::usage)?;
        let identity = identity(asked, &opb, &order, &bytes);
        let elements = Elements {
            names: order.iter().map(|&variable| names[variable].clone()).collect(),
            are_coloured: false,
            order,
            weights: ElementWeights::Ones,
            graph: None,
        };
        Ok(Constraints { asked, identity, opb, problem, elements })
    }
}

fn identity(asked: &args::Opb, opb: &OpbFile, order: &[usize], bytes: &[u8]) -> Identity {
    let file = files::name(&asked.file);
    let (variables, constraints) = (opb.names().len(), opb.num_constraints());
    let mut more = String::new();
    for (word, names) in [("with", &asked.with), ("without", &asked.without)] {
        if !names.is_empty() {
            more = format!("{more}, {word} {}", names.join(","));
        }
    }
    // The file may change while it keeps its name, and the order with the version.
    let order = order.iter().map(|&variable| (variable as u64).to_le_bytes());
    let digest = files::digest(files::digest(files::NO_DIGEST, [bytes]), order);
    Identity {
        title: format!(
            "solutions of {file}: {}, {}{more}",
            counted(constraints, "constraint"),
            counted(variables, "variable")
        ),
        facts: json!({
            "name": "opb",
            "file": file,
            "variables": variables,
            "constraints": constraints,
            "objective": opb.objective().map(|objective| match objective.goal {
                Goal::Minimum => "minimum",
                Goal::Maximum => "maximum",
            }),
            "with": asked.with,
            "without": asked.without,
            "digest": format!("{digest:016x}"),
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
