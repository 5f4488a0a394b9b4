//! `topdd combine`.

use std::collections::HashSet;

use num_bigint::BigUint;
use serde_json::json;
use topdd::diagram::DiagramRule;
use topdd::{AnyDiagram, BoxedSpec, BuildError, Diagram, Frontier, QueryError, Rule, SpecExt};
use topdd_problem::record::{self, Kept};
use topdd_problem::{Ambiguous, Name, NameIndex, SetOperation};

use super::formats::read;
use super::{Content, either, name, print, refuse_other_format};
use crate::args::{Combine, Input};
use crate::failure::Failure;
use crate::form::{Head, Shown, write_object};
use crate::interrupt;
use crate::progress::say;
use crate::target::Target;

#[cfg(test)]
mod tests;

/// `topdd combine`.
pub(crate) fn combine(asked: &Combine) -> Result<(), Failure> {
    let Combine { input, operation, other, .. } = asked;
    let other = Input { file: other.clone(), ..input.clone() };
    if input.is_stdin() && other.is_stdin() {
        return Err(Failure::usage("only one of the files can be standard input"));
    }
    let mut save = None;
    if let Some(path) = &asked.save {
        refuse_other_format(path)?;
        let target = save.insert(Target::at(path)?);
        if target.is_stdout() && input.json {
            let message = "--save and --json would both be written to standard output; name a file";
            return Err(Failure::usage(message));
        }
    }
    let contents = [read(input)?, read(&other)?];
    let files = [name(&input.file), name(&other.file)];
    let operands = [0, 1].map(|side| Operand { file: &files[side], content: &contents[side] });
    let Combined { content, notes } = combined(operands, *operation)?;
    for note in notes {
        say(format_args!("note: {note}"));
    }
    if let Some(target) = save {
        let is_stdout = target.is_stdout();
        target.write(|out| content.diagram.write_with(out, &content.metadata))?;
        if is_stdout {
            return Ok(());
        }
    }
    write(asked, &content)
}

/// Writes the count, and the solutions that are asked for.
fn write(asked: &Combine, content: &Content) -> Result<(), Failure> {
    let count = content.diagram.count().to_string();
    let form = content.form(asked.drawn.values);
    let limit = if asked.list { usize::MAX } else { asked.limit.unwrap_or(0) };
    let solutions = either!(&content.diagram, diagram => diagram.iter()).take(limit);
    print(|out| {
        if !asked.input.json {
            writeln!(out, "{count}")?;
            let shown = Shown::new(Head::Numbered(BigUint::ZERO), solutions);
            return shown.write(out, &*form, asked.drawn.ascii);
        }
        let nodes = content.diagram.node_count();
        if !asked.list && asked.limit.is_none() {
            return writeln!(out, "{}", json!({ "count": count, "nodes": nodes }));
        }
        let members = [("count", Some(count.into())), ("nodes", Some(nodes.into()))];
        write_object(out, members, "solutions", solutions.map(|solution| form.json(&solution)))
    })
}

/// The combination of two diagrams, with messages about it.
struct Combined {
    content: Content,
    notes: Vec<String>,
}

/// Combines two diagrams.
fn combined(operands: [Operand<'_>; 2], operation: SetOperation) -> Result<Combined, Failure> {
    let matching = Matching::new(operands)?;
    let [left, right] = operands.map(|operand| &operand.content.diagram);
    let diagram = built(&matching, [left, right], operation).map_err(|error| match error {
        QueryError::Build(BuildError::Cancelled { .. }) => {
            Failure::Interrupted("interrupted while the diagrams were combined".to_owned())
        }
        error => Failure::Failed(error.to_string()),
    })?;
    let mut notes = matching.notes;
    let word = match operation {
        SetOperation::And => "and",
        SetOperation::Or => "or",
        SetOperation::Difference => "without",
        SetOperation::Xor => "xor",
    };
    let (metadata, kept) = record::combined(
        operands.map(|operand| &operand.content.metadata),
        &matching.variables,
        matching.names.as_deref(),
        word,
    );
    let [left, right] = operands.map(|operand| operand.file);
    let different = "the files are of different problems; the result keeps";
    notes.extend(match kept {
        Kept::All => None,
        Kept::Graph { is_union, has_weights } => {
            let graph = if is_union { "the union of both graphs" } else { "the graph" };
            let weights = if has_weights {
                String::new()
            } else {
                format!(
                    ", and no weights: the weights of {left} and {right} differ; for `topdd best` and bounds of the \
                     cost, give --weights FILE"
                )
            };
            Some(format!("{different} {graph} and the names{weights}"))
        }
        Kept::Names => Some(format!("{different} the names of the variables alone")),
    });
    Ok(Combined { content: Content { diagram, metadata }, notes })
}

/// Builds the combination of two diagrams, by the rule of the first.
fn built(
    matching: &Matching,
    [left, right]: [&AnyDiagram; 2],
    operation: SetOperation,
) -> Result<AnyDiagram, QueryError> {
    let boxed = |diagram: &AnyDiagram, side| -> Result<BoxedSpec<'static>, QueryError> {
        either!(diagram, diagram => {
            let (diagram, places) = matching.aligned(diagram, side)?;
            Ok(diagram.relabel(places, &matching.arities[..]).boxed())
        })
    };
    let spec = operation.combine([boxed(left, 0)?, boxed(right, 1)?]);
    let mut frontier = Frontier::over(&spec).cancel_with(interrupt::token());
    Ok(match left {
        AnyDiagram::Zdd(_) => frontier.zdd()?.into(),
        AnyDiagram::Bdd(_) => frontier.bdd()?.into(),
    })
}

/// A diagram to be combined with another one, and the name of its file.
#[derive(Clone, Copy)]
struct Operand<'a> {
    file: &'a str,
    content: &'a Content,
}

impl Operand<'_> {
    fn num_vars(self) -> usize {
        self.content.diagram.num_vars()
    }
}

/// The variables of both operands together, in a common order: the order of the left operand, in which each variable
/// that it does not have follows the variable that it follows in the right operand.
struct Matching {
    arities: Vec<usize>,
    /// The variable of each operand for each common variable, if it has it.
    variables: Vec<[Option<usize>; 2]>,
    /// The names of the common variables.
    names: Option<Vec<Name>>,
    /// Messages about the match by number, and about variables that only one operand has.
    notes: Vec<String>,
}

impl Matching {
    /// Matches the variables of two operands.
    fn new(operands: [Operand<'_>; 2]) -> Result<Self, Failure> {
        let names = operands.map(|operand| operand.content.names());
        let [left, right] = operands.map(Operand::num_vars);
        let partners = match &names {
            [Some(left), Some(right)] if left != right => partners(operands, left, right)?,
            _ if left == right => (0..right).map(Some).collect(),
            _ => return Err(different_numbers(operands)),
        };
        let variables = common_order(left, &partners);
        let mut notes = Vec::new();
        if let [Some(_), None] | [None, Some(_)] = &names {
            let file = unnamed(operands).file;
            notes.push(format!("variables are matched by number, as {file} has no names of them"));
        }
        // Variables that are matched by number have the names of either operand.
        let name = |&[left, right]: &[Option<usize>; 2]| {
            let in_operand = |side: usize, variable: Option<usize>| {
                Some(names[side].as_ref()?[variable?].clone())
            };
            in_operand(0, left).or_else(|| in_operand(1, right))
        };
        let names: Option<Vec<Name>> = variables.iter().map(name).collect();
        let names = names.filter(|names| !names.is_empty());
        let mut matching = Matching { arities: Vec::new(), variables, names, notes };
        matching.arities = matching.arities_in(operands)?;
        matching.check_values(operands)?;
        matching.check_alone(operands)?;
        Ok(matching)
    }

    /// The number of values of each common variable. Fails if a variable has others in the other operand.
    fn arities_in(&self, operands: [Operand<'_>; 2]) -> Result<Vec<usize>, Failure> {
        let arities = operands.map(|operand| operand.content.arities());
        let arity = |(common, variables): (usize, &[Option<usize>; 2])| {
            let arity = |side: usize| variables[side].map(|v| arities[side][v]);
            match [arity(0), arity(1)] {
                [Some(here), Some(there)] if here != there => Err(Failure::Failed(format!(
                    "variable {} has {here} values in {} and {there} in {}; combine files of the same encoding",
                    self.name(common),
                    operands[0].file,
                    operands[1].file
                ))),
                [here, there] => Ok(here.or(there).expect("an operand has it")),
            }
        };
        self.variables.iter().enumerate().map(arity).collect()
    }

    /// Fails if the values of a common variable have other names in the other operand.
    fn check_values(&self, operands: [Operand<'_>; 2]) -> Result<(), Failure> {
        let values = operands.map(|operand| operand.content.metadata.value_names());
        let [Some(left), Some(right)] = values else { return Ok(()) };
        for (common, variables) in self.variables.iter().enumerate() {
            let [Some(here), Some(there)] = variables.map(|variable| variable) else { continue };
            if let (Some(here), Some(there)) = (left.get(here), right.get(there))
                && here != there
            {
                return Err(Failure::Failed(format!(
                    "the values of {} are {} in {}, and {} in {}; combine files with equal values",
                    self.name(common),
                    here.join(", "),
                    operands[0].file,
                    there.join(", "),
                    operands[1].file
                )));
            }
        }
        Ok(())
    }

    /// The name of a common variable in messages.
    fn name(&self, common: usize) -> String {
        self.names.as_ref().map_or_else(|| common.to_string(), |names| names[common].printed())
    }

    /// Writes a note about variables that only one operand has. Fails if the other does not determine their values.
    fn check_alone(&mut self, operands: [Operand<'_>; 2]) -> Result<(), Failure> {
        for side in [0, 1] {
            let is_alone = |common: &usize| self.variables[*common][1 - side].is_none();
            let alone: Vec<usize> = (0..self.variables.len()).filter(is_alone).collect();
            let Some(&first) = alone.first() else { continue };
            let [here, other] = [operands[side].file, operands[1 - side].file];
            let of_more = alone.iter().find(|&&common| self.arities[common] != 2);
            let are_sets =
                |operand: &Operand<'_>| operand.content.diagram.rule() == Rule::ZeroSuppressed;
            let why = match of_more {
                Some(&common) => Some(format!("has {} values", self.arities[common])),
                None if operands.iter().all(are_sets) => None,
                None => Some("may have any value, as the diagrams are not both ZDDs".to_owned()),
            };
            if let Some(why) = why {
                return Err(Failure::Failed(format!(
                    "{} is a variable of {here} only, and {why}, so {other} does not determine its value\nhint: save \
                     both diagrams over the same variables",
                    self.name(of_more.copied().unwrap_or(first))
                )));
            }
            let mut some: Vec<String> =
                alone.iter().take(4).map(|&common| self.name(common)).collect();
            if alone.len() > some.len() {
                some.push(format!("..; {} in all", alone.len()));
            }
            let some = some.join(", ");
            self.notes.push(match alone.len() {
                1 => format!("{other} has no variable {some}; no solution of {other} uses it"),
                _ => format!("{other} has no variables {some}; no solution of {other} uses them"),
            });
        }
        Ok(())
    }

    /// The diagram of an operand in the common order, and the common variable of each of its variables.
    fn aligned<R: DiagramRule>(
        &self,
        diagram: &Diagram<R>,
        side: usize,
    ) -> Result<(Diagram<R>, Vec<usize>), QueryError> {
        let common = self.variables.iter().enumerate();
        let pairs = common.filter_map(|(common, of)| Some((common, of[side]?)));
        let (places, order): (Vec<usize>, Vec<usize>) = pairs.unzip();
        Ok((diagram.reorder(&order)?, places))
    }
}

/// The left variable of each right one, by name.
fn partners(
    [left, right]: [Operand<'_>; 2],
    left_names: &[Name],
    right_names: &[Name],
) -> Result<Vec<Option<usize>>, Failure> {
    let ambiguous = |name: &Name, file: &str| {
        Failure::Failed(format!(
            "several variables of {file} have the name {}, so they cannot be matched by name\nhint: `topdd info --json` \
             lists the names; save the diagram with different names",
            name.printed()
        ))
    };
    let index = NameIndex::new(left_names);
    let find = |name: &Name| index.find(&name.printed());
    let partners =
        right_names.iter().map(|name| find(name).map_err(|Ambiguous| ambiguous(name, left.file)));
    let partners: Vec<Option<usize>> = partners.collect::<Result<_, _>>()?;
    let mut seen = HashSet::new();
    let twice =
        |(_, partner): &(&Name, &Option<usize>)| partner.is_some_and(|left| !seen.insert(left));
    match right_names.iter().zip(&partners).find(twice) {
        Some((name, _)) => Err(ambiguous(name, right.file)),
        None => Ok(partners),
    }
}

/// The common order of `left` variables, and of the right ones whose left variables are `partners`.
fn common_order(left: usize, partners: &[Option<usize>]) -> Vec<[Option<usize>; 2]> {
    let mut keyed: Vec<_> =
        (0..left).map(|left| ((Some(left), None), [Some(left), None])).collect();
    let mut before = None;
    for (right, &partner) in partners.iter().enumerate() {
        match partner {
            Some(left) => {
                keyed[left].1[1] = Some(right);
                before = partner;
            }
            None => keyed.push(((before, Some(right)), [None, Some(right)])),
        }
    }
    // By the left variable before each, which comes first itself.
    keyed.sort_unstable_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, variables)| variables).collect()
}

/// The first operand without names of variables, where there is one.
fn unnamed([left, right]: [Operand<'_>; 2]) -> Operand<'_> {
    if left.content.names().is_none() { left } else { right }
}

/// The failure for diagrams without names, of different numbers of variables.
fn different_numbers([left, right]: [Operand<'_>; 2]) -> Failure {
    Failure::Failed(format!(
        "{} has {} variables and {} has {}, and they cannot be matched by name, because {} has no names of variables\n\
         hint: `topdd graph --save` stores names, and so does a program, with Metadata::set_variable_names",
        left.file,
        left.num_vars(),
        right.file,
        right.num_vars(),
        unnamed([left, right]).file
    ))
}
