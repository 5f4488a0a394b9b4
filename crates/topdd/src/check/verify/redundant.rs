//! States that a spec distinguishes although their futures are the same.

use super::Run;
use super::samples::Levels;
use crate::diagram::{Diagram, DiagramRule};
use crate::query::Cursor;
use crate::{DdSpec, Rule};
use std::collections::HashMap;
use std::fmt;

/// The number of states per node of the diagram from which on the states are compared.
const RATIO: usize = 10;

/// Two states of a spec with many more states than nodes that have the same future.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RedundantStates {
    rule: Rule,
    states: usize,
    nodes: usize,
    variable: usize,
    pair: [String; 2],
    /// Whether no solution follows from them.
    dead: bool,
}

impl Run<'_> {
    /// Returns two states at the first variable that has two with the same future, if there are many more states than
    /// nodes. Two states with solutions come before two without.
    pub(super) fn redundant_states<R: DiagramRule>(
        &self,
        diagram: &Diagram<R>,
        states: usize,
    ) -> Option<RedundantStates> {
        let (spec, store, nodes) = (self.spec, &*diagram.store, diagram.node_count());
        if states / RATIO < nodes.max(1) {
            return None;
        }
        // After a path that skips the variables before `to`. All paths to a state have the same future.
        let skip = |mut at: usize, mut cursor: Option<Cursor>, to| {
            while at < to {
                cursor = store.advance(R::RULE, cursor?, at, 0);
                at += 1;
            }
            cursor
        };
        let mut levels = Levels::new();
        levels.meet(spec.root_under(R::RULE), |to| skip(0, Some(store.cursor()), to));
        let mut dead = None;
        let mut left = self.states;
        while let Some((variable, level)) = levels.pop() {
            left = left.checked_sub(level.len())?;
            let mut by_future = HashMap::new();
            for (state, cursor) in &level {
                let Some(other) = by_future.insert(cursor.map(Cursor::node), state) else {
                    continue;
                };
                let found = || RedundantStates {
                    rule: R::RULE,
                    states,
                    nodes,
                    variable,
                    pair: [other, state].map(|state| spec.describe(state)),
                    dead: cursor.is_none(),
                };
                if cursor.is_some() {
                    return Some(found());
                }
                dead.get_or_insert_with(found);
            }
            for (state, cursor) in &level {
                for value in 0..spec.arity(variable) {
                    let next = |cursor| store.advance(R::RULE, cursor, variable, value);
                    let path = |to| skip(variable + 1, cursor.and_then(next), to);
                    levels.meet(spec.child(state, variable, value), path);
                }
            }
        }
        dead
    }
}

impl fmt::Display for RedundantStates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RedundantStates { rule, states, nodes, variable, pair: [one, other], dead } = self;
        write!(
            f,
            "the states remember too much: {states} states, but {nodes} nodes ({rule}); states {one} and \
             {other} at variable {variable} "
        )?;
        f.write_str(if *dead {
            "have no solution, so `Step::Zero` may come earlier"
        } else {
            "have the same future"
        })?;
        match differing_parts(one, other) {
            Some([one, other]) => write!(f, "; they differ in `{one}` and `{other}`"),
            None => write!(f, "; `describe` writes both alike"),
        }
    }
}

/// The elements in which two texts differ first, with the name of the field if there is one. An element ends at a comma
/// or bracket. `None` if the texts are the same.
fn differing_parts<'a>(one: &'a str, other: &'a str) -> Option<[&'a str; 2]> {
    if one == other {
        return None;
    }
    let pairs = one.char_indices().zip(other.chars());
    let mut same = pairs.take_while(|((_, a), b)| a == b);
    let common = same.by_ref().last().map_or(0, |((at, a), _)| at + a.len_utf8());
    let start_of = |end: usize| {
        let before = one[..end].rfind([',', '(', '[', '{']).map_or(0, |at| at + 1);
        before + (one[before..].len() - one[before..].trim_start().len()).min(end - before)
    };
    let parts = |start: usize| [one, other].map(|text| element(&text[start..]));
    let start = start_of(common);
    // The element around it, if the element has no name, or if only one text has it.
    let around = one[..start].rfind(['(', '[', '{']).map_or(0, start_of);
    let [first, second] = parts(start);
    let is_field = one[around..start].contains(": ") && !first.contains(": ");
    Some(parts(if is_field || first == second { around } else { start }))
}

/// The text up to the comma or the bracket that ends an element.
fn element(text: &str) -> &str {
    let mut depth = 0usize;
    let end = text.find(|letter| match letter {
        '(' | '[' | '{' => {
            depth += 1;
            false
        }
        ')' | ']' | '}' if depth > 0 => {
            depth -= 1;
            false
        }
        ')' | ']' | '}' => true,
        ',' => depth == 0,
        _ => false,
    });
    text[..end.unwrap_or(text.len())].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Verification, verify};

    #[test]
    fn texts_differ_in_an_element_with_its_name() {
        for (one, other, parts) in [
            ("(3, 17, true)", "(3, 19, true)", ["17", "19"]),
            ("7", "12", ["7", "12"]),
            ("S { used: 5, last: 2 }", "S { used: 5, last: 31 }", ["last: 2", "last: 31"]),
            (
                "S { used: {1, 3}, n: 1 }",
                "S { used: {1, 4, 5}, n: 1 }",
                ["used: {1, 3}", "used: {1, 4, 5}"],
            ),
            ("[1, 2, 3]", "[1, 2]", ["[1, 2, 3]", "[1, 2]"]),
            ("and(few: 1 so far, 2)", "and(few: 2 so far, 2)", ["few: 1 so far", "few: 2 so far"]),
            ("\u{e9}a", "\u{e9}b", ["\u{e9}a", "\u{e9}b"]),
        ] {
            assert_eq!(differing_parts(one, other), Some(parts), "{one} and {other}");
        }
        assert_eq!(differing_parts("same", "same"), None);
    }

    #[test]
    fn states_that_remember_too_much_are_shown_with_the_part_that_differs() {
        // Which numbers are members, where their number would do.
        let spec = crate::dp(9, 0u16)
            .step(|set, v, value| Some(set | (value as u16) << v))
            .accept(|set| set.is_power_of_two());
        let right = |set: &[usize]| set.iter().sum::<usize>() == 1;
        let text = verify(&spec, right).unwrap().to_string();
        let line = text.lines().find(|line| line.contains("remember too much"));
        let line = line.unwrap_or_else(|| panic!("{text}"));
        assert!(line.contains("511 states, but 9 nodes (zero-suppressed)"), "{line}");
        assert!(line.ends_with("have the same future; they differ in `2` and `1`"), "{line}");
        // Where the number of members is the state, there is no such line.
        let text = verify(&crate::constraint::exactly(9, 1), right).unwrap().to_string();
        assert!(!text.contains("remember"), "{text}");
    }

    #[test]
    fn states_without_a_solution_are_called_dead() {
        let spec = crate::dp(9, (0u16, false))
            .step(|&(set, dead), v, value| Some((set | (value as u16) << v, dead || value == 1)))
            .accept(|&(_, dead)| !dead);
        let verified = Verification::new().run(&spec, |set| set.iter().all(|&v| v == 0)).unwrap();
        let text = verified.to_string();
        assert!(text.contains("have no solution, so `Step::Zero` may come earlier"), "{text}");
    }

    #[test]
    fn many_skipped_variables_are_no_mistake_of_the_states() {
        // A ZDD has no nodes for the variables that are 0.
        let first = crate::dp(40, false).step(|&taken, v, value| match (taken, value) {
            (true, 1) => None,
            (false, 1) if v > 2 => None,
            _ => Some(taken || value == 1),
        });
        let spec = first.accept(|&taken| taken);
        let right =
            |set: &[usize]| set.iter().sum::<usize>() == 1 && set[..3].iter().sum::<usize>() == 1;
        let verified = Verification::new().sampled().run(&spec, right).unwrap();
        assert!(
            verified.states() >= 40 && !verified.to_string().contains("remember"),
            "{verified}"
        );
    }
}
