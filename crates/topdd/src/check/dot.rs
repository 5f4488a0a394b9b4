//! The states of a spec as a picture.

use super::Violation;
use super::guard::guarded;
use crate::format::dot::{edge_attributes, head};
use crate::spec::contract::{check_root, check_step, check_universe};
use crate::spec::{DdSpec, ErasedSpec, Rule, Step};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Returns the states of `spec` and their steps, before any reduction, in the DOT language of Graphviz.
///
/// States are in ranks by variable and are labelled by [`DdSpec::describe`], edges by their values. The
/// edge of value 0 of a variable of two values is dashed. Edges to the 0-terminal are left out.
/// [`Diagram::to_dot`](crate::Diagram::to_dot) draws the reduced diagram.
///
/// Draws at most `limit` states, level by level; a dotted edge leads from a state to `...` if a child of
/// it is not drawn. Calls `child` once for each state and value, and never `for_each_child` or
/// `forced`. Takes time and memory for the states drawn.
///
/// ```
/// use topdd::{Rule, check};
///
/// let even = topdd::dp(2, 0)
///     .describe(|ones| format!("{ones} ones"))
///     .step(|ones, _, value| Some((ones + value) % 2))
///     .accept(|&ones| ones == 0);
/// let dot = check::to_dot(&even, Rule::ZeroSuppressed, 100)?;
/// assert!(dot.contains(r#"s1 [label="0 ones"]; s2 [label="1 ones"];"#));
/// assert!(dot.contains(r#"s0 -> s2 [label="1"];"#));
/// # Ok::<(), check::Violation>(())
/// ```
///
/// # Errors
///
/// If the spec is invalid or panics, or a step leads backwards or out of range.
pub fn to_dot<S: DdSpec>(spec: &S, rule: Rule, limit: usize) -> Result<String, Violation> {
    guarded(spec, |spec| draw(spec, rule, limit))
}

fn draw(spec: &ErasedSpec<'_>, rule: Rule, limit: usize) -> Result<String, Violation> {
    check_universe(spec)?;
    let root = spec.root_under(rule);
    check_root(spec, &root)?;
    let mut picture = Picture {
        pending: BTreeMap::new(),
        count: 0,
        limit,
        edges: "  one [label=\"1\", style=solid];\n".to_owned(),
    };
    let mut ranks = String::new();
    picture.edge("entry", root, "");
    while let Some((variable, level)) = picture.pending.pop_first() {
        write!(ranks, "  {{ rank=same; v{variable} [label=\"{variable}\", shape=plaintext];")
            .expect(MEMORY);
        for (state, id) in &level.in_order {
            let label = escape(&spec.describe(state));
            write!(ranks, " s{id} [label=\"{label}\"];").expect(MEMORY);
            let mut complete = true;
            for value in 0..spec.arity(variable) {
                let step = spec.child(state, variable, value);
                check_step(spec, state, variable, value, &step)?;
                let is_zero = value == 0 && spec.arity(variable) == 2;
                let attributes = edge_attributes(value, is_zero);
                complete &= picture.edge(&format!("s{id}"), step, &attributes);
            }
            if !complete {
                let more = "[label=\"...\", shape=plaintext]";
                writeln!(picture.edges, "  more{id} {more};\n  s{id} -> more{id} [style=dotted];")
                    .expect(MEMORY);
            }
        }
        ranks.push_str(" }\n");
    }
    Ok(head("States", "", "shape=box, style=rounded") + &ranks + &picture.edges + "}\n")
}

const MEMORY: &str = "writing to memory does not fail";

/// A picture in progress.
struct Picture<State> {
    /// The levels with states that are not yet drawn.
    pending: BTreeMap<usize, DotLevel<State>>,
    /// The number of states.
    count: usize,
    limit: usize,
    edges: String,
}

struct DotLevel<State> {
    /// The states with their ids, in the order of arrival.
    in_order: Vec<(State, usize)>,
    ids: HashMap<State, usize>,
}

impl<State: Clone + Eq + std::hash::Hash> Picture<State> {
    /// Draws an edge, unless its target is the 0-terminal, and adds its target to the pending states.
    /// Returns `false` if the target is beyond the limit.
    fn edge(&mut self, from: &str, step: Step<State>, attributes: &str) -> bool {
        let target = match step {
            Step::Zero => return true,
            Step::One => "one".to_owned(),
            Step::To(variable, state) => {
                let Some(id) = self.id(variable, state) else { return false };
                format!("s{id}")
            }
        };
        writeln!(self.edges, "  {from} -> {target}{attributes};").expect(MEMORY);
        true
    }

    /// Returns the id of a state; `None` beyond the limit.
    fn id(&mut self, variable: usize, state: State) -> Option<usize> {
        let known = self.pending.get(&variable).and_then(|level| level.ids.get(&state));
        if let Some(&id) = known {
            return Some(id);
        }
        if self.count == self.limit {
            return None;
        }
        let empty = || DotLevel { in_order: Vec::new(), ids: HashMap::new() };
        let level = self.pending.entry(variable).or_insert_with(empty);
        let id = self.count;
        self.count += 1;
        level.in_order.push((state.clone(), id));
        level.ids.insert(state, id);
        Some(id)
    }
}

/// Escapes a text for a label.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint;

    #[test]
    fn a_picture_shows_states_steps_and_terminals() {
        let spec = crate::dp(2, "a\"").step(|s, _, v| (v == 0).then_some(*s)).accept(|_| true);
        let dot = to_dot(&spec, Rule::AnyValue, 10).unwrap();
        let expected = r#"  { rank=same; v0 [label="0", shape=plaintext]; s0 [label="\"a\\\"\""]; }
  { rank=same; v1 [label="1", shape=plaintext]; s1 [label="\"a\\\"\""]; }
  one [label="1", style=solid];
  entry -> s0;
  s0 -> s1 [label="0", style=dashed];
  s1 -> one [label="0", style=dashed];
}
"#;
        assert!(dot.ends_with(expected), "{dot}");
    }

    #[test]
    fn states_beyond_the_limit_are_left_out() {
        let spec = constraint::at_most(6, 3);
        let all = to_dot(&spec, Rule::AnyValue, 1000).unwrap();
        let states = |dot: &str| (0..100).filter(|id| dot.contains(&format!(" s{id} ["))).count();
        assert!(!all.contains("..."));
        let drawn = states(&all);
        assert!(drawn > 10);
        let some = to_dot(&spec, Rule::AnyValue, 5).unwrap();
        assert_eq!(states(&some), 5);
        assert!(some.contains("style=dotted"));
        assert_eq!(to_dot(&spec, Rule::AnyValue, drawn), Ok(all));
    }

    /// Never leaves its first variable.
    struct Stuck;
    impl DdSpec for Stuck {
        type State = u8;
        fn num_vars(&self) -> usize {
            3
        }
        fn root(&self) -> Step<u8> {
            Step::To(0, 7)
        }
        fn child(&self, state: &u8, variable: usize, _: usize) -> Step<u8> {
            Step::To(variable, *state)
        }
    }

    #[test]
    fn a_terminal_root_and_a_broken_contract() {
        let none = crate::dp(0, ()).step(|(), _, _| Some(())).accept(|()| true);
        assert!(to_dot(&none, Rule::AnyValue, 9).unwrap().contains("entry -> one;"));
        let error = to_dot(&Stuck, Rule::AnyValue, 9).unwrap_err();
        assert!(matches!(error, Violation::Backwards { .. }));
    }
}
