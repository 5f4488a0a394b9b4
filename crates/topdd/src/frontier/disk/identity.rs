//! The identity of the run that a checkpoint belongs to.

use crate::RunProperty;
use crate::spec::{Arities, Rule, Step};

/// The facts that a run and a checkpoint must agree on for the run to resume it.
///
/// The caller's key names the problem. The other facts cost nothing to compare, and detect some cases
/// of one key used for two problems; the [sample](super::super::sample) of states detects most others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Identity {
    /// Names and values. The last ones are stretches of variables of equal arity: if the number of
    /// variables agrees, the lists of two runs differ before the shorter one ends.
    facts: Vec<(String, String)>,
}

crate::portable!(Identity { facts });

impl Identity {
    /// `root` is the root step with the root state encoded.
    pub(in super::super) fn new(
        key: &str,
        payload: &str,
        rule: Rule,
        arities: &Arities,
        root: Step<Vec<u8>>,
    ) -> Self {
        let root = match root {
            Step::Zero => "0-terminal".to_owned(),
            Step::One => "1-terminal".to_owned(),
            Step::To(to, state) => {
                let state: Vec<String> = state.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{} at variable {to}", state.concat())
            }
        };
        let num_vars = arities.num_vars();
        let mut facts = vec![
            (RunProperty::Payload, payload.to_owned()),
            (RunProperty::Key, key.to_owned()),
            (RunProperty::Rule, rule.to_string()),
            (RunProperty::NumVars, num_vars.to_string()),
            (RunProperty::Root, root),
        ];
        // One fact for each stretch of equal arities.
        let all: Vec<usize> = (0..num_vars).map(|variable| arities.get(variable)).collect();
        let mut end = 0;
        for equal in all.chunk_by(PartialEq::eq) {
            end += equal.len();
            facts.push((RunProperty::Arities, format!("{} before variable {end}", equal[0])));
        }
        let facts = facts.into_iter().map(|(what, value)| (what.name().to_owned(), value));
        Identity { facts: facts.collect() }
    }

    /// The first fact in which the checkpoint `self` differs from the run `run`.
    pub(in super::super) fn difference(&self, run: &Identity) -> Option<Difference> {
        let mut pairs = self.facts.iter().zip(&run.facts);
        let (found, expected) = pairs.find(|(found, expected)| found != expected)?;
        // Other names are not written.
        let what = RunProperty::named(&found.0).unwrap_or(RunProperty::Key);
        Some(Difference { what, found: found.1.clone(), expected: expected.1.clone() })
    }
}

/// A fact in which a checkpoint differs from a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Difference {
    pub(in super::super) what: RunProperty,
    /// The value in the checkpoint.
    pub(in super::super) found: String,
    /// The value in the run.
    pub(in super::super) expected: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fact_tells_two_runs_apart() {
        let arities = |table: &[u32]| Arities::new(table.iter().copied());
        let identity = |key, payload, rule, table: &[u32], root| {
            Identity::new(key, payload, rule, &arities(table), root)
        };
        let root = || Step::To(0, vec![7]);
        let zdd = Rule::ZeroSuppressed;
        let run = identity("key", "counts", zdd, &[2, 2, 3], root());
        assert_eq!(run.difference(&run), None);
        for (other, what, found) in [
            (identity("other", "counts", zdd, &[2, 2, 3], root()), RunProperty::Key, "other"),
            (identity("key", "edges", zdd, &[2, 2, 3], root()), RunProperty::Payload, "edges"),
            (
                identity("key", "counts", Rule::AnyValue, &[2, 2, 3], root()),
                RunProperty::Rule,
                "any value",
            ),
            (identity("key", "counts", zdd, &[2, 2], root()), RunProperty::NumVars, "2"),
            (
                identity("key", "counts", zdd, &[2, 4, 3], root()),
                RunProperty::Arities,
                "2 before variable 1",
            ),
            (
                identity("key", "counts", zdd, &[2, 2, 2], root()),
                RunProperty::Arities,
                "2 before variable 3",
            ),
            (
                identity("key", "counts", zdd, &[2, 2, 3], Step::One),
                RunProperty::Root,
                "1-terminal",
            ),
            (
                identity("key", "counts", zdd, &[2, 2, 3], Step::To(1, vec![8])),
                RunProperty::Root,
                "08 at variable 1",
            ),
        ] {
            let difference = other.difference(&run).unwrap();
            assert_eq!((difference.what, &difference.found[..]), (what, found));
            assert_ne!(difference.found, difference.expected);
            assert_eq!(run.difference(&other).unwrap().expected, found);
        }
    }
}
