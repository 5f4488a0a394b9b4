//! The identity of the run that a checkpoint belongs to.

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
            ("payload", payload.to_owned()),
            ("key", key.to_owned()),
            ("rule for skipped variables", rule.to_string()),
            ("number of variables", num_vars.to_string()),
            ("encoded root", root),
        ];
        // One fact for each stretch of equal arities.
        let all: Vec<usize> = (0..num_vars).map(|variable| arities.get(variable)).collect();
        let mut end = 0;
        for equal in all.chunk_by(PartialEq::eq) {
            end += equal.len();
            facts.push(("list of arities", format!("{} before variable {end}", equal[0])));
        }
        let facts = facts.into_iter().map(|(what, value)| (what.to_owned(), value));
        Identity { facts: facts.collect() }
    }

    /// The first fact in which the checkpoint `self` differs from the run `run`: its name, and its
    /// values in the checkpoint and in the run.
    pub(in super::super) fn difference(&self, run: &Identity) -> Option<(String, String, String)> {
        let mut pairs = self.facts.iter().zip(&run.facts);
        let (found, expected) = pairs.find(|(found, expected)| found != expected)?;
        Some((found.0.clone(), found.1.clone(), expected.1.clone()))
    }
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
            (identity("other", "counts", zdd, &[2, 2, 3], root()), "key", "other"),
            (identity("key", "edges", zdd, &[2, 2, 3], root()), "payload", "edges"),
            (
                identity("key", "counts", Rule::AnyValue, &[2, 2, 3], root()),
                "rule for skipped variables",
                "any value",
            ),
            (identity("key", "counts", zdd, &[2, 2], root()), "number of variables", "2"),
            (
                identity("key", "counts", zdd, &[2, 4, 3], root()),
                "list of arities",
                "2 before variable 1",
            ),
            (
                identity("key", "counts", zdd, &[2, 2, 2], root()),
                "list of arities",
                "2 before variable 3",
            ),
            (identity("key", "counts", zdd, &[2, 2, 3], Step::One), "encoded root", "1-terminal"),
            (
                identity("key", "counts", zdd, &[2, 2, 3], Step::To(1, vec![8])),
                "encoded root",
                "08 at variable 1",
            ),
        ] {
            let difference = other.difference(&run).unwrap();
            assert_eq!((&difference.0[..], &difference.1[..]), (what, found));
            assert_ne!(difference.1, difference.2);
            assert_eq!(run.difference(&other).unwrap().2, found);
        }
    }
}
