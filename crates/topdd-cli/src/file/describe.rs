//! `topdd info` and `topdd count`.

use std::fs;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use num_traits::ToPrimitive;
use serde_json::{Value, json};
use topdd::format::Metadata;
use topdd::{AnyDiagram, BigInt, QueryError, Ratio, Rule, Weights};
use topdd_graph::families::Unit;
use topdd_problem::names::quote_between_commas;
use topdd_problem::{Bytes, Decimal, ElementWeights, Name, Record};

use super::formats::read_all;
use super::selection::{check_sets, open_selected};
use super::{Content, Named, either, name, print, weights};
use crate::args::{Count, Info, Input, PerItem};
use crate::failure::Failure;
use crate::form::Usage;
use crate::importance::{Measure, MeasureTable};
use crate::output;
use crate::progress::say;

/// `topdd count`.
pub(crate) fn count(asked: &Count) -> Result<(), Failure> {
    asked.selection.refuse_unused_weights(asked.p == Some(PerItem::Weights))?;
    if asked.is_of_one() {
        return count_one(asked, &open_selected(&asked.input, &asked.selection, false)?);
    }
    let all = read_all(&asked.input)?;
    if let [one] = &all[..] {
        return count_one(asked, &one.content);
    }
    let named = || all.iter().map(|of| (&of.name, of.content.diagram.count()));
    let object = || {
        let roots =
            named().map(|(name, count)| json!({ "root": name, "count": count.to_string() }));
        json!({ "roots": roots.collect::<Vec<_>>() })
    };
    let line =
        |(name, count): (&String, num_bigint::BigUint)| format!("{} {count}\n", on_a_line(name));
    output::answer(asked.input.json, object, || named().map(line).collect())
}

/// `topdd count` on one diagram, with a selection of its solutions or with more facts about them.
fn count_one(asked: &Count, content: &Content) -> Result<(), Failure> {
    let diagram = &content.diagram;
    let count = diagram.count().to_string();
    let for_sets = [
        ("--count-by-size", asked.by_size),
        ("-p", asked.p.is_some()),
        ("--importance", asked.importance),
    ];
    for (flag, given) in for_sets {
        if given {
            check_sets(content, flag, &asked.input)?;
        }
    }
    let sizes = asked.by_size.then(|| either!(diagram, diagram => diagram.count_by_size()));
    let works = asked.p.map(|p| works(content, asked, p)).transpose()?;
    let probability = works.as_ref().map(|works| {
        let found = either!(diagram, diagram => diagram.probability(works));
        found.expect("a probability for each value")
    });
    let uses = asked.element_counts.then(|| {
        let counts = either!(diagram, diagram => diagram.value_counts());
        content.form(false).usage(&counts)
    });
    let importance =
        asked.importance.then(|| importance(content, works.as_ref(), &asked.input)).transpose()?;
    print(|out| {
        if asked.input.json {
            let mut answer = json!({ "count": count });
            if let Some(sizes) = &sizes {
                answer["counts_by_size"] = output::texts(sizes).into();
            }
            if let Some(probability) = probability {
                answer["probability"] = probability.into();
            }
            if let Some(uses) = &uses {
                answer["usage"] = json!(uses);
            }
            if let Some(importance) = &importance {
                answer["importance"] = importance.json();
            }
            return writeln!(out, "{answer}");
        }
        writeln!(out, "{count}")?;
        if let Some(sizes) = &sizes {
            write!(out, "{}", output::by_size(sizes, unit(content)))?;
        }
        if let Some(probability) = probability {
            writeln!(out, "probability {}", output::probability(probability))?;
        }
        uses.iter().flatten().try_for_each(|usage| writeln!(out, "{usage}"))?;
        write!(out, "{}", importance.as_ref().map(MeasureTable::text).unwrap_or_default())
    })
}

/// The probabilities that elements fail and work.
fn works(content: &Content, asked: &Count, p: PerItem<f64>) -> Result<Weights<f64>, Failure> {
    let works = match p {
        PerItem::All(works) => vec![works; content.diagram.num_vars()],
        PerItem::Weights => weights_as_probabilities(content, asked)?,
    };
    Ok(works.into_iter().map(|works| [1.0 - works, works]).collect())
}

/// The most memory for which Shapley values are computed unasked.
const MAX_SHAPLEY_BYTES: usize = 1 << 30;

/// How much each element matters, if elements work with their probabilities, or all solutions are equally likely.
fn importance(
    content: &Content,
    works: Option<&Weights<f64>>,
    input: &Input,
) -> Result<MeasureTable, Failure> {
    let diagram = &content.diagram;
    // The form has the names: it counts the uses of a variable, here its number and one.
    let numbers = (1..=diagram.num_vars()).map(|number| vec![0u32.into(), number.into()]);
    let usage = content.form(false).usage(&numbers.collect::<Vec<_>>());
    let variable = |usage: &Usage| usage.count.to_usize().and_then(|number| number.checked_sub(1));
    let (names, variables): (Vec<_>, Vec<_>) =
        usage.iter().filter_map(|usage| Some((usage.name.clone(), variable(usage)?))).unzip();
    let even = Weights::from(vec![vec![0.5, 0.5]; diagram.num_vars()]);
    let marginals = either!(diagram, diagram => diagram.marginals(works.unwrap_or(&even)));
    let marginals = marginals.map_err(|error| {
        let problem = match error {
            QueryError::NoWeight => "no solution has a probability above 0",
            _ => "no solution is selected",
        };
        Failure::Missing(format!("--importance: {}: {problem}", name(&input.file)))
    })?;
    let of_sets = "the variables have two values";
    let banzhaf = either!(diagram, diagram => diagram.banzhaf().expect(of_sets));
    // Exact Shapley values need a number of bits for each size, up and down.
    let num_vars = diagram.num_vars();
    let bytes = diagram.node_count().saturating_mul(num_vars * num_vars / 8);
    let shapley = (bytes <= MAX_SHAPLEY_BYTES)
        .then(|| either!(diagram, diagram => diagram.shapley().expect(of_sets)));
    if shapley.is_none() {
        say(format_args!(
            "note: Shapley values are left out, because they need about {}; `shapley` in Python computes them",
            Bytes(bytes)
        ));
    }
    let floats = |all: Vec<f64>| variables.iter().map(|&v| Measure::Float(all[v])).collect();
    let exact = |all: Vec<Ratio<BigInt>>| {
        variables.iter().map(|&v| Measure::Exact(all[v].clone())).collect()
    };
    let mut columns = vec![("marginal", floats(marginals.into_iter().map(|of| of[1]).collect()))];
    if let Some(works) = works {
        let birnbaum = either!(diagram, diagram => diagram.birnbaum(works));
        columns.push(("birnbaum", floats(birnbaum.expect("a probability for each value"))));
    }
    columns.push(("banzhaf", exact(banzhaf)));
    columns.extend(shapley.map(|shapley| ("shapley", exact(shapley))));
    Ok(MeasureTable { names, columns })
}

/// The weight of each element, which is its probability.
fn weights_as_probabilities(content: &Content, asked: &Count) -> Result<Vec<f64>, Failure> {
    let (path, file) = (asked.selection.weights.as_deref(), &asked.input.file);
    let have_weights = content.elements().is_none_or(|all| all.weights != ElementWeights::Ones);
    if path.is_none() && !have_weights {
        return Err(Failure::Usage(format!(
            "-p weights: {} has no weights; give --weights FILE, or one probability, such as -p 0.9",
            name(file)
        )));
    }
    let probability = |of_values: Vec<Decimal>| {
        let weight = of_values[1].to_string();
        let works = weight.parse().ok().filter(|works| (0.0..=1.0).contains(works));
        works.ok_or_else(|| {
            let file = name(path.unwrap_or(file));
            Failure::Failed(format!("-p weights: the weight {weight} in {file} is no probability"))
        })
    };
    weights::of(content, path, file)?.into_iter().map(probability).collect()
}

/// The word for a member of the sets in a file.
fn unit(content: &Content) -> &'static str {
    match content.elements().and_then(|elements| elements.graph).map(|graph| graph.unit()) {
        Some(Unit::Edge) => "edge",
        Some(Unit::Vertex | Unit::Colour) => "vertex",
        None => "member",
    }
}

/// The longest text of metadata that is printed, in characters.
const LONGEST: usize = 60;

/// The most binary digits of a number of solutions that `info` writes: more take seconds.
const MAX_WRITTEN_BITS: u64 = 1 << 20;

/// A text that may contain anything, on a line and cut at [`LONGEST`] characters. Control
/// characters, which a terminal would obey, are escaped.
fn on_a_line(text: &str) -> String {
    let shown = |letter: char| {
        if letter.is_control() { letter.escape_default().to_string() } else { letter.to_string() }
    };
    let line: String = text.chars().take(LONGEST).map(shown).collect();
    if text.chars().nth(LONGEST).is_some() { line + "..." } else { line }
}

/// `topdd info` on a file with several diagrams, or none.
fn roots(asked: &Info, all: &[Named]) -> Result<(), Failure> {
    let sizes = |of: &Named| (of.content.diagram.num_vars(), of.content.diagram.node_count());
    let object = || {
        let root = |of: &Named| {
            let (variables, nodes) = sizes(of);
            json!({ "root": of.name, "variables": variables, "nodes": nodes })
        };
        let file = asked.input.file.display().to_string();
        json!({ "file": file, "roots": all.iter().map(root).collect::<Vec<_>>() })
    };
    output::answer(asked.input.json, object, || {
        let root = |of: &Named| {
            let (variables, nodes) = sizes(of);
            format!("{:<10} {variables} variables, {nodes} nodes\n", on_a_line(&of.name))
        };
        let file = format!("file       {}\n", name(&asked.input.file));
        let diagrams = format!("diagrams   {}; choose one with --root\n", all.len());
        file + &diagrams + &all.iter().map(root).collect::<String>()
    })
}

/// `topdd info`.
pub(crate) fn info(asked: &Info) -> Result<(), Failure> {
    let mut all = read_all(&asked.input)?;
    if all.len() != 1 {
        return roots(asked, &all);
    }
    let path = &asked.input.file;
    let content = all.swap_remove(0).content;
    // A pipe has no size.
    let bytes = fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len());
    if asked.input.json {
        let facts = facts(path, bytes, &content);
        return print(|out| writeln!(out, "{facts}"));
    }
    print(|out| {
        let size = bytes.map(|bytes| format!(" ({})", Bytes(bytes as usize))).unwrap_or_default();
        writeln!(out, "file       {}{size}", name(path))?;
        write_diagram(out, &content.diagram)?;
        write_metadata(out, &content)
    })
}

/// The facts as JSON.
fn facts(path: &Path, bytes: Option<u64>, Content { diagram, metadata }: &Content) -> Value {
    let solutions = diagram.count();
    let arities = either!(diagram, diagram => diagram.arity_range());
    let widest = either!(diagram, diagram => diagram.widest());
    json!({
        "file": path.display().to_string(),
        "bytes": bytes,
        "rule": match diagram.rule() {
            Rule::AnyValue => "any-value",
            Rule::ZeroSuppressed => "zero-suppressed",
        },
        "variables": diagram.num_vars(),
        "arities": arities.map(|all| json!({ "least": all.start(), "most": all.end() })),
        "count": (solutions.bits() <= MAX_WRITTEN_BITS).then(|| solutions.to_string()),
        "nodes": diagram.node_count(),
        "widest": widest.map(|(v, nodes)| json!({ "variable": v, "nodes": nodes })),
        "metadata": metadata,
    })
}

/// Writes the rule, the variables, and the numbers of solutions and nodes.
fn write_diagram(out: &mut dyn Write, diagram: &AnyDiagram) -> io::Result<()> {
    let meaning = match diagram.rule() {
        Rule::AnyValue => "BDD: skipped variables may have any value",
        Rule::ZeroSuppressed => "ZDD: skipped variables are 0",
    };
    writeln!(out, "rule       {meaning}")?;
    let arities = either!(diagram, diagram => diagram.arity_range());
    let values = match arities.map(RangeInclusive::into_inner) {
        None => String::new(),
        Some((least, most)) if least == most => format!(", of {most} values each"),
        Some((least, most)) => format!(", of {least} to {most} values"),
    };
    writeln!(out, "variables  {}{values}", diagram.num_vars())?;
    let solutions = diagram.count();
    if solutions.bits() <= MAX_WRITTEN_BITS {
        writeln!(out, "solutions  {solutions}")?;
    } else {
        let bits = solutions.bits() - 1;
        writeln!(out, "solutions  at least 2^{bits}; `topdd count` writes the number in full")?;
    }
    let widest = either!(diagram, diagram => diagram.widest());
    let widest = widest.map(|(v, nodes)| format!(", the most at variable {v}: {nodes}"));
    writeln!(out, "nodes      {}{}", diagram.node_count(), widest.unwrap_or_default())
}

/// Writes the problem, the names and the entries of other programs.
fn write_metadata(out: &mut dyn Write, content: &Content) -> io::Result<()> {
    let metadata = &content.metadata;
    if let Some(problem) = metadata.problem() {
        writeln!(out, "problem    {}", on_a_line(problem))?;
    }
    if let Some(names) = content.names() {
        let names: Vec<_> = names.iter().map(Name::between_commas).collect();
        writeln!(out, "names      {}", on_a_line(&names.join(", ")))?;
    }
    if let Some(names) = metadata.value_names().unwrap_or_default().first() {
        let names: Vec<_> = names.iter().map(|name| quote_between_commas(name)).collect();
        writeln!(out, "values     of variable 0: {}", on_a_line(&names.join(", ")))?;
    }
    let named = [Metadata::PROBLEM, Metadata::VARIABLES, Metadata::VALUES];
    let is_other = |key: &str| !(named.contains(&key) || Record::is_key(key));
    for (key, value) in metadata.iter().filter(|(key, _)| is_other(key)) {
        writeln!(out, "{:<10} {}", on_a_line(key), on_a_line(value))?;
    }
    Ok(())
}
