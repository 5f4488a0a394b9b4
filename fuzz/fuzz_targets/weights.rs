#![no_main]
//! The reader of files of weights, which is a part of the command. The first line has the number of values of each
//! variable, the lines after it up to an empty one have labels, and the rest is the file.

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;

use topdd_problem::{Decimal, Name};
use topdd_problem::names::Sign;

#[allow(dead_code)]
#[path = "../../crates/topdd-cli/src/file/weight_lines.rs"]
mod weights;

/// The most labels of an input.
const MAX_LABELS: usize = 8;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some((arities, text)) = text.split_once('\n') else { return };
    let arities: Vec<usize> = arities.bytes().map(|byte| usize::from(byte % 8)).collect();
    let (labels, text) = text.split_once("\n\n").unwrap_or((text, ""));
    let _ = weights::parse(text, &arities, None);
    let mut seen = HashSet::new();
    let labels: Vec<&str> =
        labels.split('\n').filter(|label| seen.insert(*label)).take(MAX_LABELS).collect();
    for names in [vertices(&labels), edges(&labels, Sign::Line), edges(&labels, Sign::Arrow)] {
        let mut arities = arities.clone();
        arities.resize(names.len(), 2);
        let _ = weights::parse(text, &arities, Some(&names));
        printed_names_are_read(&names);
    }
});

fn vertices(labels: &[&str]) -> Vec<Name> {
    labels.iter().map(|label| Name::Label((*label).to_owned())).collect()
}

/// Two parallel edges between all ends, and an edge of each label.
fn edges(labels: &[&str], sign: Sign) -> Vec<Name> {
    let mut names = Vec::new();
    for (at, from) in labels.iter().enumerate() {
        let first = if sign == Sign::Arrow { 0 } else { at };
        for to in &labels[first..] {
            let ends = |nth| Name::Ends {
                from: (*from).to_owned(),
                sign,
                to: (*to).to_owned(),
                nth,
            };
            names.extend([ends(1), ends(2)]);
        }
    }
    names.extend(labels.iter().map(|label| Name::EdgeLabel((*label).to_owned())));
    names
}

/// A file of the names as they are printed has a weight for each of them.
fn printed_names_are_read(names: &[Name]) {
    for arity in [2, 3] {
        let line = |(at, name): (usize, &Name)| match arity {
            2 => format!("{} {at}\n", name.printed()),
            _ => format!("{} 2 {at}\n", name.printed()),
        };
        let text: String = names.iter().enumerate().map(line).collect();
        let read = weights::parse(&text, &vec![arity; names.len()], Some(names));
        let last = |weights: &Vec<Decimal>| weights.last().copied();
        let read = read.map(|read| read.iter().map(last).collect::<Vec<_>>());
        let expected: Vec<_> = (0..names.len()).map(|at| Some(Decimal::from(at as i64))).collect();
        assert_eq!(read.as_deref(), Ok(&expected[..]), "{text}");
    }
}
