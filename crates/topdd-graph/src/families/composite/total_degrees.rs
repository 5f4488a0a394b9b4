//! The sweep over total degrees alone, by tables.

use super::Composite;
use super::packed_degree::PackedDegree;
use super::plan::{CompositeStep, DegreeMerge, PendantRun, TOTAL};
use crate::families::step_after;
use topdd::spec::ArraySpec;
use topdd::{Forced, Step};

/// The step of an edge.
#[derive(Clone, Debug)]
struct TableStep {
    /// The ends of the edge; of a loop, the first stands for both.
    ends: [PackedDegree; 2],
    pendants: PendantRun,
}

impl TableStep {
    fn new(step: &CompositeStep, entering: [Option<u64>; 2]) -> Self {
        let mut ends = step.ends.map(|end| end.degree);
        for (end, code) in ends.iter_mut().zip(entering) {
            if let Some(code) = code {
                end.enter(code);
            }
            if let Some(fixed) = step.fixed {
                end.fix(fixed);
            }
        }
        if step.is_loop {
            ends[1] = PackedDegree::default();
        }
        Self { ends, pendants: step.pendants }
    }

    /// The codes of both ends after the step; `None` if one of them is illegal.
    #[inline]
    fn after(&self, words: &[u64], taken: bool) -> Option<[u64; 2]> {
        let [a, b] = &self.ends;
        let codes = [a.next_code(words, taken), b.next_code(words, taken)];
        // One branch for both: each is taken by half of the states, at random.
        let largest = codes[0].max(codes[1]);
        (largest != PackedDegree::ILLEGAL).then_some(codes)
    }
}

/// The spec of rules that bound total degrees and fix edges, and do nothing else. It has the states of
/// [`Composite`]. A sweep takes half of the time: the tables add the vertices that enter and know the
/// fixed edges, and a vertex that leaves is free.
#[derive(Clone, Debug)]
pub(crate) struct TotalDegrees {
    /// None if there are no states.
    steps: Vec<TableStep>,
    num_vars: usize,
    num_words: usize,
    degree_merge: DegreeMerge,
    root: Step<()>,
}

impl TotalDegrees {
    /// The spec of the same family; `None` if there are other rules.
    pub(crate) fn from_rules(composite: &Composite) -> Option<Self> {
        let plan = &composite.plan;
        if !plan.packs_degrees || plan.has_labels || !plan.sums.is_empty() {
            return None;
        }
        let steps = composite.steps.iter().zip(&plan.schedule.steps);
        let steps = steps.map(|(step, scheduled)| {
            let entering = scheduled
                .ends
                .map(|end| end.enters.then(|| plan.fresh_degree(TOTAL, end.vertex)).flatten());
            TableStep::new(step, entering)
        });
        Some(Self {
            steps: steps.collect(),
            num_vars: composite.num_vars(),
            num_words: composite.fields.words,
            degree_merge: composite.degree_merge.clone(),
            root: composite.root.0,
        })
    }

    #[inline]
    fn step(&self, words: &mut [u64], variable: usize, codes: [u64; 2]) -> Step<()> {
        let [a, b] = &self.steps[variable].ends;
        a.field.set(words, codes[0]);
        b.field.set(words, codes[1]);
        step_after(variable, self.steps.len())
    }
}

impl ArraySpec for TotalDegrees {
    type Head = ();
    type Item = u64;

    fn num_vars(&self) -> usize {
        self.num_vars
    }

    fn len(&self, _: usize) -> usize {
        self.num_words
    }

    fn root(&self, (): &mut (), _: &mut [u64]) -> Step<()> {
        self.root
    }

    #[inline]
    fn child(&self, (): &mut (), words: &mut [u64], variable: usize, value: usize) -> Step<()> {
        let codes = self.steps[variable].after(words, value == 1);
        codes.map_or(Step::Zero, |codes| self.step(words, variable, codes))
    }

    #[inline]
    fn forced(&self, (): &mut (), words: &mut [u64], mut variable: usize) -> Forced<()> {
        let mut step = &self.steps[variable];
        let PendantRun { centre, last } = step.pendants;
        if last > variable && step.ends[centre].is_full(words) {
            variable = last;
            step = &self.steps[variable];
        }
        let (value, codes) = match (step.after(words, false), step.after(words, true)) {
            (Some(_), Some(_)) => return Forced::Free,
            (None, None) => return Forced::Dead,
            (Some(codes), None) => (0, codes),
            (None, Some(codes)) => (1, codes),
        };
        Forced::to(value, self.step(words, variable, codes))
    }

    fn merge(&self, (): &mut (), words: &mut [u64], (): &(), other: &[u64], _: usize) -> bool {
        self.degree_merge.apply(words, other);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::CompositePlan;
    use super::*;
    use crate::Graph;
    use crate::families::degrees::Degrees;
    use crate::families::rules::{Bounds, Rules};
    use proptest::prelude::*;
    use topdd::Frontier;

    fn composite(graph: &Graph, degrees: Vec<Degrees>, fixed: Vec<(usize, bool)>) -> Composite {
        let fixed = fixed.into_iter().map(|(edge, taken)| (edge, 1, taken)).collect();
        let bounds = Bounds { fixed, ..Bounds::NONE };
        let degrees = [degrees, Vec::new(), Vec::new()];
        let order: Vec<usize> = (0..graph.num_edges()).collect();
        let plan = CompositePlan::new(graph, &Rules { degrees, bounds, ..Rules::NONE }, &order);
        Composite::new(plan).unwrap()
    }

    proptest! {
        /// Loops, parallel and pendant edges among them.
        #[test]
        fn tables_describe_the_same_family(
            edges in prop::collection::vec((0..6_usize, 0..6_usize), 0..12),
            degrees in prop::collection::vec(prop::collection::vec(0..7_usize, 1..6), 6),
            fixed in prop::collection::vec((0..12_usize, any::<bool>()), 0..3),
        ) {
            let graph = Graph::new(6, edges).unwrap();
            let degrees = degrees.into_iter().map(Degrees::of).collect();
            let fixed = fixed.into_iter().filter(|&(edge, _)| edge < graph.num_edges()).collect();
            let composite = composite(&graph, degrees, fixed);
            let tables = TotalDegrees::from_rules(&composite).expect("there are only total degrees");
            let by_tables = Frontier::of_arrays(tables).zdd().unwrap();
            prop_assert_eq!(by_tables, Frontier::of_arrays(composite).zdd().unwrap());
        }
    }

    #[test]
    fn a_full_centre_skips_its_pendant_edges() {
        let n = 50;
        let star = Graph::new(n, (1..n).map(|leaf| (0, leaf))).unwrap();
        let composite = composite(&star, vec![Degrees::from(..=1); n], Vec::new());
        let tables = TotalDegrees::from_rules(&composite).unwrap();
        let mut words = vec![0; tables.len(0)];
        assert_eq!(tables.child(&mut (), &mut words, 0, 1), Step::To(1, ()));
        assert_eq!(tables.forced(&mut (), &mut words, 1), Forced::Value(0, Step::One));
    }
}
