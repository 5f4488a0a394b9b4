//! The identity of the run that a checkpoint belongs to.

use crate::Portable;
use crate::spec::{Arities, Rule, Step};
use std::fmt::Write;

/// The facts that a run and a checkpoint must agree on for the run to resume it.
///
/// The caller's key names the problem: the library cannot compare specs. The other facts cost
/// nothing to compare, and detect some cases of one key used for two problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Identity {
    key: String,
    payload: String,
    rule: String,
    num_vars: usize,
    /// As [`Arities::table`].
    arities: Vec<u32>,
    /// The root step, its state encoded.
    root: Vec<u8>,
}

crate::portable!(Identity { key, payload, rule, num_vars, arities, root });

/// A fact in which a checkpoint differs from a run.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Difference {
    pub(in super::super) what: String,
    /// The value in the checkpoint.
    pub(in super::super) found: String,
    /// The value in the run.
    pub(in super::super) expected: String,
}

impl Identity {
    pub(in super::super) fn new(
        (key, payload): (&str, &str),
        rule: Rule,
        arities: &Arities,
        (root, state): (Step<()>, &[u8]),
    ) -> Self {
        let mut encoded = Vec::new();
        match root {
            Step::Zero => encoded.push(0),
            Step::One => encoded.push(1),
            Step::To(to, ()) => {
                encoded.push(2);
                to.write(&mut encoded);
                encoded.extend_from_slice(state);
            }
        }
        let rule = match rule {
            Rule::ZeroSuppressed => "zero-suppressed",
            Rule::AnyValue => "any value",
        };
        Identity {
            key: key.to_owned(),
            payload: payload.to_owned(),
            rule: rule.to_owned(),
            num_vars: arities.num_vars(),
            arities: arities.table().to_vec(),
            root: encoded,
        }
    }

    /// The first fact in which the checkpoint `self` differs from the run `run`.
    pub(in super::super) fn difference(&self, run: &Identity) -> Option<Difference> {
        let arity = |of: &Identity, variable: usize| {
            of.arities.get(variable).or(of.arities.first()).map_or(0, |&arity| arity)
        };
        let variable = (0..self.num_vars).find(|&v| arity(self, v) != arity(run, v));
        let variable = variable.unwrap_or(0);
        let facts = |of: &Identity| {
            [
                ("payload".to_owned(), of.payload.clone()),
                ("key".to_owned(), of.key.clone()),
                ("rule for skipped variables".to_owned(), of.rule.clone()),
                ("number of variables".to_owned(), of.num_vars.to_string()),
                (format!("arity of variable {variable}"), arity(of, variable).to_string()),
                ("size of the encoded root in bytes".to_owned(), of.root.len().to_string()),
                ("encoded root".to_owned(), hexadecimal(&of.root)),
            ]
        };
        let mut pairs = facts(self).into_iter().zip(facts(run));
        pairs
            .find(|(found, expected)| found.1 != expected.1)
            .map(|((what, found), expected)| Difference { what, found, expected: expected.1 })
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fact_tells_two_runs_apart() {
        let arities = |table: &[u32]| Arities::new(table.iter().copied());
        let identity = |key, payload, rule, table: &[u32], root| {
            Identity::new((key, payload), rule, &arities(table), root)
        };
        let root = || (Step::To(0, ()), &[7][..]);
        let zdd = Rule::ZeroSuppressed;
        let run = identity("key", "counts", zdd, &[2, 2, 3], root());
        assert_eq!(run.difference(&run), None);
        for (other, what, found) in [
            (identity("other", "counts", zdd, &[2, 2, 3], root()), "key", "other"),
            (identity("key", "edges", zdd, &[2, 2, 3], root()), "payload", "edges"),
            (
                identity("key", "counts", Rule::AnyValue, &[2, 2, 3], root()),
                "rule for skipped variables",
                "any value",
            ),
            (identity("key", "counts", zdd, &[2, 2], root()), "number of variables", "2"),
            (identity("key", "counts", zdd, &[2, 4, 3], root()), "arity of variable 1", "4"),
            (identity("key", "counts", zdd, &[2, 2, 2], root()), "arity of variable 2", "2"),
            (
                identity("key", "counts", zdd, &[2, 2, 3], (Step::One, &[])),
                "size of the encoded root in bytes",
                "1",
            ),
            (
                identity("key", "counts", zdd, &[2, 2, 3], (Step::To(0, ()), &[8])),
                "encoded root",
                "02000000000000000008",
            ),
        ] {
            let difference = other.difference(&run).unwrap();
            assert_eq!((&difference.what[..], &difference.found[..]), (what, found));
            assert_ne!(difference.found, difference.expected);
            assert_eq!(run.difference(&other).unwrap().expected, found);
        }
    }
}
