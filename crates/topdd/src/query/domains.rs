//! The values that variables have in the solutions.

use super::count::{Counts, SkippedFactor};
use super::decision::ValueMask;
use super::pass::{PART, Targets};
use crate::diagram::store::{FIRST_NODE, LevelView, NodeId, NodeStore, ONE, ValueEdge, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::frontier::Workers;
use crate::number::limbs::{from_limbs, is_zero};
use crate::spec::{PerValue, Rule};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

impl<R: DiagramRule> Diagram<R> {
    /// Returns for each variable the values that it has in some solution, in ascending order. All
    /// are empty if there are no solutions.
    ///
    /// Cost: one linear pass. A [`Configurator`](crate::Configurator) updates the domains with each
    /// decision.
    ///
    /// ```
    /// let zdd = topdd::Zdd::from_solutions([3; 2], [[0, 2], [1, 2]])?;
    /// assert_eq!(zdd.domains(), [vec![0, 1], vec![2]]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn domains(&self) -> Vec<Vec<usize>> {
        let standing = standing(&self.store, R::RULE, None);
        let of = |variable| values_of(standing.variable(variable)).collect();
        (0..self.num_vars()).map(of).collect()
    }

    /// Returns for each variable the value that it has in all solutions, if it has the same in all.
    /// All are `None` if there are no solutions.
    ///
    /// Cost: one linear pass.
    ///
    /// ```
    /// // Variable 0 must be 1, variable 1 need not.
    /// let zdd = topdd::Zdd::from_solutions([2; 2], [[1, 0], [1, 1]])?;
    /// assert_eq!(zdd.constants(), [Some(1), None]);
    /// assert_eq!(zdd.domains(), [vec![1], vec![0, 1]]);
    /// assert_eq!(zdd.support(), [0]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn constants(&self) -> Vec<Option<usize>> {
        let standing = standing(&self.store, R::RULE, None);
        let of = |variable| only(standing.variable(variable));
        (0..self.num_vars()).map(of).collect()
    }

    /// Returns the variables that matter, in ascending order: a variable matters if some solution
    /// becomes a non-solution when its value changes.
    ///
    /// The result is the same under both rules. ([`widths`](Diagram::widths) returns the
    /// number of nodes at each variable.) Cost: one linear pass.
    ///
    /// ```
    /// // Variable 1 may have either value.
    /// let zdd = topdd::Zdd::from_solutions([2; 2], [[1, 0], [1, 1]])?;
    /// assert_eq!(zdd.support(), [0]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    #[doc(alias("support_set", "Cudd_SupportIndex"))]
    pub fn support(&self) -> Vec<usize> {
        let store = &*self.store;
        let mut matters = vec![false; self.num_vars()];
        // Under the zero-suppressed rule a skipped variable matters, as it must be 0.
        let mut skipped = VariableRanges::new(self.num_vars());
        if store.root != ZERO {
            skipped.add(0..store.variable_of(store.root));
        }
        for level in store.levels() {
            let arity = store.arities.get(level.variable);
            let same_everywhere = |node| {
                let mut edges = level.edges(node);
                let first = edges.next().expect("no node is dead").target;
                edges.all(|edge| edge.target == first) && level.edges(node).count() == arity
            };
            matters[level.variable] = !(0..level.len()).all(same_everywhere);
            for &index in store.reach(level.index) {
                skipped.add(store.skipped(level.variable, Some(index as usize)));
            }
            if level.leads_to(ONE) {
                skipped.add(store.skipped(level.variable, None));
            }
        }
        if R::RULE == Rule::ZeroSuppressed {
            skipped.for_each(|variable| matters[variable] |= store.arities.get(variable) > 1);
        }
        (0..self.num_vars()).filter(|&variable| matters[variable]).collect()
    }
}

/// Returns the possible values of one variable.
pub(super) fn values_of(standing: &[bool]) -> impl Iterator<Item = usize> + '_ {
    standing.iter().enumerate().filter_map(|(value, &stands)| stands.then_some(value))
}

/// Returns the possible value of one variable, if it has one only.
pub(super) fn only(standing: &[bool]) -> Option<usize> {
    let mut values = values_of(standing);
    values.next().filter(|_| values.next().is_none())
}

/// A union of ranges of variables.
struct VariableRanges {
    /// By variable, the number of ranges that begin there, and the number of ranges that end before it.
    begin: Vec<u32>,
    end: Vec<u32>,
}

impl VariableRanges {
    fn new(num_vars: usize) -> Self {
        VariableRanges { begin: vec![0; num_vars + 1], end: vec![0; num_vars + 1] }
    }

    fn add(&mut self, run: Range<usize>) {
        if !run.is_empty() {
            self.begin[run.start] += 1;
            self.end[run.end] += 1;
        }
    }

    /// Visits each variable that is in some range.
    fn for_each(&self, mut visit: impl FnMut(usize)) {
        let mut open = 0;
        for variable in 0..self.begin.len() - 1 {
            open += self.begin[variable];
            open -= self.end[variable];
            if open > 0 {
                visit(variable);
            }
        }
    }
}

/// Returns for each value of each variable whether some solution has it; with a mask, some solution
/// that it allows. `counts` belong to the mask. Cost: one pass down.
pub(super) fn standing(
    store: &NodeStore,
    rule: Rule,
    masked: Option<(&ValueMask, &Counts)>,
) -> PerValue<bool> {
    let none = masked.is_some_and(|(_, counts)| counts.total == BigUint::ZERO);
    if store.root == ZERO || none {
        return PerValue::new(store.arities.iter(), |_, _| false);
    }
    DomainPass::new(store, rule, masked).run()
}

/// A pass down, and the part of the diagram on the paths of allowed solutions, which it finds.
pub(crate) struct DomainPass<'a> {
    store: &'a NodeStore,
    rule: Rule,
    masked: Option<(&'a ValueMask, &'a Counts)>,
    skips: SkippedFactor<'a>,
    /// By node, whether it is on the path of an allowed solution. Without a mask, every node is.
    reached: Option<Vec<AtomicBool>>,
}

/// The edges from one level to another.
struct Below {
    level: Option<usize>,
    skipped: Range<usize>,
    /// Whether no path may use such an edge.
    blocked: bool,
    /// Whether some path uses one.
    used: AtomicBool,
}

impl<'a> DomainPass<'a> {
    /// Prepares a pass over a diagram with solutions that the mask allows. `counts` belong to the mask.
    pub(super) fn new(
        store: &'a NodeStore,
        rule: Rule,
        masked: Option<(&'a ValueMask, &'a Counts)>,
    ) -> Self {
        let skips = SkippedFactor::new(&store.arities, rule, masked.map(|(mask, _)| mask));
        let reached = masked.map(|_| {
            let ids = FIRST_NODE..FIRST_NODE + store.node_count() as u32;
            // The root is the last node.
            ids.map(|id| AtomicBool::new(id == store.root)).collect()
        });
        DomainPass { store, rule, masked, skips, reached }
    }

    /// Runs the pass. Returns for each value of each variable whether some allowed solution has it.
    pub(super) fn run(&self) -> PerValue<bool> {
        let (store, rule) = (self.store, self.rule);
        let mut standing = PerValue::new(store.arities.iter(), |_, _| false);
        let workers = Workers::new(None).expect("the caller's threads are not too many");
        let mask = self.masked.map(|(mask, _)| mask);
        let mut skipped = VariableRanges::new(store.arities.num_vars());
        skipped.add(0..store.variable_of(store.root));
        let passing = store.passing();
        for level in store.levels().rev() {
            passing.stop_if_cancelled();
            let here = standing.variable_mut(level.variable);
            let targets = self.targets(&level);
            if workers.shares(level.len()) {
                let parts = (0..level.len()).into_par_iter().step_by(PART).map(|start| {
                    let mut standing = vec![false; here.len()];
                    let nodes = start..level.len().min(start + PART);
                    self.nodes(&level, nodes, &targets, &mut standing);
                    standing
                });
                let parts: Vec<Vec<bool>> = parts.collect();
                for part in parts {
                    here.iter_mut().zip(part).for_each(|(stands, here)| *stands |= here);
                }
            } else {
                self.nodes(&level, 0..level.len(), &targets, here);
            }
            for target in targets.iter().filter(|target| target.used.load(Ordering::Relaxed)) {
                skipped.add(target.skipped.clone());
            }
        }
        skipped.for_each(|variable| {
            let here = standing.variable_mut(variable);
            for (value, stands) in here.iter_mut().enumerate() {
                *stands |=
                    rule.allows(value) && mask.is_none_or(|mask| mask.values(variable)[value]);
            }
        });
        standing
    }

    /// Returns whether an allowed solution passes through a node, after the pass.
    pub(crate) fn has_node(&self, id: NodeId) -> bool {
        let reached =
            |all: &Vec<AtomicBool>| all[(id - FIRST_NODE) as usize].load(Ordering::Relaxed);
        id < FIRST_NODE || self.reached.as_ref().is_none_or(reached)
    }

    /// Returns whether an allowed solution uses an edge of a node of this level, after the pass.
    pub(crate) fn has_edge(&self, level: &LevelView<'_>, node: usize, edge: ValueEdge) -> bool {
        let (below, position) = match edge.target {
            id if id < FIRST_NODE => (None, id as usize),
            id => {
                let index = self.store.level_of(id, level.index);
                (Some(index), (id - self.store.level(index).first) as usize)
            }
        };
        let skipped = self.store.skipped(level.variable, below);
        self.has_node(level.first + node as NodeId)
            && !self.skips.is_zero(&skipped)
            && self.allows(level, edge, below, position)
    }

    /// Returns the number of allowed ways to complete an assignment from a node on, which is on the path of
    /// an allowed solution; `None` without a mask.
    pub(crate) fn completions(&self, level: &LevelView<'_>, node: usize) -> Option<BigUint> {
        self.masked.map(|(_, counts)| from_limbs(counts.below(Some(level.index), node)))
    }

    /// Whether the mask allows the value of an edge, and a solution below its target.
    fn allows(
        &self,
        level: &LevelView<'_>,
        edge: ValueEdge,
        below: Option<usize>,
        position: usize,
    ) -> bool {
        self.masked.is_none_or(|(mask, counts)| {
            mask.values(level.variable)[edge.value as usize]
                && !is_zero(counts.below(below, position))
        })
    }

    fn targets(&self, level: &LevelView<'_>) -> Targets<Below> {
        Targets::new(self.store, level, |index| {
            let skipped = self.store.skipped(level.variable, index);
            let blocked = self.skips.is_zero(&skipped);
            Below { level: index, skipped, blocked, used: AtomicBool::new(false) }
        })
    }

    /// Marks the children of the reached nodes of a level.
    fn nodes(
        &self,
        level: &LevelView<'_>,
        nodes: Range<usize>,
        targets: &Targets<Below>,
        standing: &mut [bool],
    ) {
        let of = |id: u32| (id - FIRST_NODE) as usize;
        for node in nodes {
            let id = level.first + node as u32;
            if self.reached.as_ref().is_some_and(|all| !all[of(id)].load(Ordering::Relaxed)) {
                continue;
            }
            for edge in level.edges(node) {
                let (below, position) = targets.get(edge.target);
                if below.blocked || !self.allows(level, edge, below.level, position) {
                    continue;
                }
                standing[edge.value as usize] = true;
                // Written only once, as all threads read it.
                if !below.used.load(Ordering::Relaxed) {
                    below.used.store(true, Ordering::Relaxed);
                }
                if let Some(reached) = self.reached.as_ref().filter(|_| edge.target >= FIRST_NODE) {
                    reached[of(edge.target)].store(true, Ordering::Relaxed);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::{both_rules, drawn};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_the_list_of_solutions(seed: u64) {
            both_rules!(check(seed));
        }
    }

    fn check<R: DiagramRule>(seed: u64) {
        let (diagram, solutions) = drawn::<R>(seed);
        let variables = 0..diagram.num_vars();
        let domain = |variable: usize| -> Vec<usize> {
            let has = |value: &usize| solutions.iter().any(|s| s[variable] == *value);
            (0..diagram.arity(variable)).filter(has).collect()
        };
        let domains: Vec<_> = variables.clone().map(domain).collect();
        assert_eq!(diagram.domains(), domains);
        let constant = |domain: &Vec<usize>| (domain.len() == 1).then(|| domain[0]);
        assert_eq!(diagram.constants(), domains.iter().map(constant).collect::<Vec<_>>());
        let matters = |&variable: &usize| {
            solutions.iter().any(|solution| {
                (0..diagram.arity(variable)).any(|value| {
                    let mut changed = solution.clone();
                    changed[variable] = value;
                    !solutions.contains(&changed)
                })
            })
        };
        assert_eq!(diagram.support(), variables.filter(matters).collect::<Vec<_>>());
    }
}
