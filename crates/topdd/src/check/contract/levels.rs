//! The states of the levels that were reached, with the paths to them.

use super::{Bounds, Visited};
use crate::Step;
use crate::draw::Reservoir;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::Arc;

/// The maximum number of arrivals at equal states that are followed.
const TWINS: usize = 8;

/// The path to a state: the last decision, with the path before it.
#[derive(Clone)]
pub(super) struct Path(Option<Arc<Decision>>);

struct Decision {
    variable: usize,
    value: usize,
    before: Path,
}

impl Path {
    pub(super) const ROOT: Path = Path(None);

    /// Returns the path with one more decision.
    pub(super) fn then(&self, variable: usize, value: usize) -> Path {
        Path(Some(Arc::new(Decision { variable, value, before: self.clone() })))
    }

    pub(super) fn describe(&self) -> String {
        let mut values = Vec::new();
        let mut path = self;
        while let Path(Some(decision)) = path {
            values.push(format!("{}={}", decision.variable, decision.value));
            path = &decision.before;
        }
        values.reverse();
        if values.is_empty() { "the root".to_owned() } else { format!("by {}", values.join(" ")) }
    }
}

impl Drop for Decision {
    /// Drops a long path in a loop. The derived drop would recurse.
    fn drop(&mut self) {
        let mut before = self.before.0.take();
        while let Some(mut decision) = before.and_then(Arc::into_inner) {
            before = decision.before.0.take();
        }
    }
}

/// Equal states of a level, each with a path to it: the first, the last and a sample of the states between
/// them. The first and the last, reached by the least and by the greatest values, often differ most.
pub(super) struct Class<State>(Reservoir<(State, Path)>);

impl<State> Class<State> {
    pub(super) fn twins(&self) -> &[(State, Path)] {
        self.0.items()
    }
}

pub(super) struct Level<State> {
    /// In the order of their first arrivals.
    pub(super) classes: Vec<Class<State>>,
    class_of: HashMap<State, usize>,
}

/// The levels that have been reached and not yet visited.
pub(super) struct Levels<State> {
    pub(super) pending: BTreeMap<usize, Level<State>>,
    pub(super) visited: Visited,
    bounds: Bounds,
}

impl<State: Clone + Eq + Hash> Levels<State> {
    pub(super) fn new(bounds: Bounds) -> Self {
        let visited = Visited { states: 0, all: true };
        Levels { pending: BTreeMap::new(), visited, bounds }
    }

    /// Adds the state of a step, and the path by which it was reached, to its class.
    pub(super) fn meet(&mut self, step: Step<State>, path: impl FnOnce() -> Path) {
        let Step::To(variable, state) = step else {
            return;
        };
        let empty = || Level { classes: Vec::new(), class_of: HashMap::new() };
        let level = self.pending.entry(variable).or_insert_with(empty);
        let Some(&class) = level.class_of.get(&state) else {
            let full = level.classes.len() >= self.bounds.per_level;
            if full || self.visited.states >= self.bounds.states {
                self.visited.all = false;
            } else {
                self.visited.states += 1;
                level.class_of.insert(state.clone(), level.classes.len());
                let mut class = Class(Reservoir::default());
                class.0.push((state, path()), TWINS);
                level.classes.push(class);
            }
            return;
        };
        level.classes[class].0.push((state, path()), TWINS);
    }
}
