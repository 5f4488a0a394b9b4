//! The sweep over components, degrees and sums, one variable for each edge.
//!
//! The state contains, as far as the rules need them:
//!
//! - for each slot of the frontier, the label of its component: one plus the least slot of the
//!   component on the frontier. An empty slot has none, and neither has a vertex that can get no
//!   further edge;
//! - at the least slot of a component, its colour: the group that it belongs to, or none;
//! - for each slot, the degree so far, unless no future edge can make it illegal;
//! - the sums of weights, unless no future edge can make them illegal.

mod packed_degree;
mod plan;
mod total_degrees;

use super::layout::{Field, Removed, WordBits};
use super::sums::Sums;
use super::{FamilyError, check_words, step_after};
use plan::{CompositeStep, DegreeMerge, EndStep, Fields, IN, OUT, PendantRun, TOTAL, edge_steps};
use smallvec::SmallVec;
use topdd::spec::ArraySpec;
use topdd::{Forced, Step};

pub(super) use plan::CompositePlan;
pub(super) use total_degrees::TotalDegrees;

/// The spec of [`Rules`](super::conditions::Rules).
#[derive(Clone, Debug)]
pub(super) struct Composite {
    plan: CompositePlan,
    fields: Fields,
    steps: Vec<CompositeStep>,
    /// The bits of all labels and colours.
    component_bits: WordBits,
    /// By colour, the step after which all of its vertices have entered.
    all_entered: Vec<usize>,
    /// If all edges are in one component: by slot, its vertices, each as the step at which it enters and the
    /// indices of its degree codes.
    occupants: Vec<Vec<(usize, [u32; 3])>>,
    degree_merge: DegreeMerge,
    /// The first state and its step.
    root: (Step<()>, Vec<u64>),
}

impl Composite {
    /// # Errors
    ///
    /// [`FamilyError::TooWide`] if a state would be too long.
    pub(super) fn new(mut plan: CompositePlan) -> Result<Self, FamilyError> {
        let fields = plan.fields();
        if plan.sums.iter().any(|(sums, _)| sums.overflows()) {
            return Err(FamilyError::WeightsTooLarge);
        }
        // Every vertex on the frontier needs a code of its degree; otherwise there are no states.
        let has_states = !plan.degree_is_impossible();
        if has_states {
            check_words(plan.schedule.width, fields.words)?;
        }
        let mut all_entered = vec![0; plan.num_colours as usize + 1];
        for (&colour, &enters) in plan.colours.iter().zip(&plan.schedule.enters) {
            let last = &mut all_entered[colour as usize];
            *last = enters.max(*last);
        }
        let empty = vec![0; fields.words];
        let mut component_bits = empty.clone();
        for field in fields.labels.fields().iter().chain(&fields.colours) {
            field.set(&mut component_bits, u64::MAX);
        }
        let mut spec = Self {
            degree_merge: DegreeMerge::new(&plan, &fields),
            plan,
            fields,
            steps: Vec::new(),
            component_bits: WordBits::from_words(&component_bits),
            all_entered,
            occupants: Vec::new(),
            root: (Step::Zero, empty),
        };
        if has_states {
            spec.steps = edge_steps(&spec.plan, &spec.fields);
            spec.add_occupants();
            let mut words = vec![0; spec.fields.words];
            spec.root = (spec.make_root(&mut words), words);
        }
        Ok(spec)
    }

    fn add_occupants(&mut self) {
        if !self.plan.rules.single {
            return;
        }
        self.occupants = vec![Vec::new(); self.plan.schedule.width];
        for (step, scheduled) in self.plan.schedule.steps.iter().enumerate() {
            for (end, of_step) in scheduled.ends.iter().zip(&self.steps[step].ends) {
                if end.enters {
                    self.occupants[end.slot].push((step, of_step.codes));
                }
            }
        }
    }

    fn make_root(&self, words: &mut [u64]) -> Step<()> {
        let plan = &self.plan;
        let conflict = plan
            .rules
            .bounds
            .fixed
            .iter()
            .any(|&(step, _, value)| self.steps[step].fixed != Some(value));
        if conflict || plan.isolated_vertex_is_illegal() {
            return Step::Zero;
        }
        for (sums, field) in &plan.sums {
            match sums.root {
                Some(code) => field.set(words, code),
                None => return Step::Zero,
            }
        }
        if plan.is_done_at_once() {
            return self.done_at_root(words);
        }
        if self.steps.is_empty() {
            let is_legal = !(plan.rules.single && plan.rules.nonempty);
            return if is_legal { Step::One } else { Step::Zero };
        }
        Step::To(0, ())
    }

    /// The root if the single component is a vertex without edges, so that no edge can be taken.
    fn done_at_root(&self, words: &mut [u64]) -> Step<()> {
        let plan = &self.plan;
        let legal = |(sums, field): &(Sums, Field)| sums.is_legal(field.get(words), 0);
        let sums_are_legal = plan.sums.iter().all(legal);
        let entering = (0..plan.colours.len()).filter(|&v| plan.schedule.enters[v] != usize::MAX);
        let may_be_empty = entering.into_iter().all(|vertex| plan.may_be_empty(vertex))
            && plan.rules.bounds.fixed.iter().all(|&(_, _, value)| !value);
        if plan.rules.nonempty || !sums_are_legal || !may_be_empty {
            Step::Zero
        } else if self.steps.is_empty() {
            Step::One
        } else {
            self.finish(words);
            Step::To(0, ())
        }
    }

    /// Makes the state after which no edge is taken.
    fn finish(&self, words: &mut [u64]) {
        words.fill(0);
        self.fields.done.set(words, 1);
    }

    #[inline]
    fn is_done(&self, words: &[u64]) -> bool {
        self.fields.done.get(words) == 1
    }

    #[inline]
    fn next(&self, step: usize) -> Step<()> {
        step_after(step, self.steps.len())
    }

    /// Updates the degrees; `None` if one of them becomes illegal.
    #[inline]
    fn count_degrees(&self, words: &mut [u64], step: &CompositeStep, taken: bool) -> Option<()> {
        if self.plan.packs_degrees {
            let [first, second] = step.ends.each_ref().map(|end| &end.degree);
            first.field.set(words, first.after(words, taken)?);
            // The first end of a loop counts both.
            if !step.is_loop {
                second.field.set(words, second.after(words, taken)?);
            }
            return Some(());
        }
        self.count_all_degrees(words, step, taken)
    }

    /// As [`count_degrees`](Self::count_degrees), for degrees of any kind.
    fn count_all_degrees(
        &self,
        words: &mut [u64],
        step: &CompositeStep,
        taken: bool,
    ) -> Option<()> {
        for kind in [TOTAL, OUT, IN] {
            if self.plan.codes[kind].is_empty() {
                continue;
            }
            for (side, end) in step.ends.iter().enumerate() {
                // Both ends of a loop at once: a code may not be read before all ends are counted.
                if step.is_loop && side == 1 {
                    continue;
                }
                let ends = match (step.is_loop, kind) {
                    (true, TOTAL) => 2,
                    (true, _) | (false, TOTAL) => 1,
                    (false, _) => u64::from(kind == OUT + side),
                };
                let field = self.fields.degrees[kind][end.slot];
                let codes = &self.plan.codes[kind][end.codes[kind] as usize];
                let ends = if taken { ends } else { 0 };
                let code = codes.after(field.get(words), ends, end.remaining[kind])?;
                field.set(words, code);
            }
        }
        Some(())
    }

    /// The labels of the ends of an edge.
    #[inline]
    fn labels(&self, words: &[u64], step: &CompositeStep) -> [u64; 2] {
        let [a, b] = &step.ends;
        [self.fields.labels.get(words, a.slot), self.fields.labels.get(words, b.slot)]
    }

    /// Joins the components of the ends of an edge; `None` if they must not be joined.
    #[inline]
    fn join(&self, words: &mut [u64], step: &CompositeStep) -> Option<()> {
        let [a, b] = self.labels(words, step);
        let (first, second) = (a.min(b), a.max(b));
        if first == second {
            if self.plan.rules.acyclic {
                return None;
            }
        } else {
            self.fields.labels.replace(words, second, first);
        }
        if self.plan.uniform || self.plan.num_colours == 0 {
            return Some(());
        }
        let keeps = self.fields.colours[first as usize - 1];
        let loses = self.fields.colours[second as usize - 1];
        let (colour, other) = (keeps.get(words), loses.get(words));
        if colour != 0 && other != 0 && colour != other {
            return None;
        }
        loses.set(words, 0);
        keeps.set(words, if self.plan.rules.single { 1 } else { colour | other });
        Some(())
    }

    /// Whether a vertex can get no further edge.
    #[inline]
    fn is_full(&self, words: &[u64], end: &EndStep) -> bool {
        if self.plan.packs_degrees {
            return end.degree.is_full(words);
        }
        let full = |kind: usize| {
            !self.plan.codes[kind].is_empty()
                && self.plan.codes[kind][end.codes[kind] as usize]
                    .is_full(self.fields.degrees[kind][end.slot].get(words))
        };
        full(TOTAL) || (full(OUT) && full(IN))
    }

    /// Removes a vertex from its component; returns the colour of the component if it has no other
    /// vertex on the frontier.
    #[inline]
    fn remove(&self, words: &mut [u64], slot: usize) -> Option<u64> {
        let next = match self.fields.labels.remove(words, slot) {
            Removed::Other => return None,
            Removed::Least { next } => Some(next),
            Removed::Last => None,
        };
        let colour = self.fields.colours[slot].get(words);
        self.fields.colours[slot].set(words, 0);
        match next {
            None => Some(if self.plan.uniform { 1 } else { colour }),
            Some(next) => {
                self.fields.colours[next].set(words, colour);
                None
            }
        }
    }

    /// Whether a component may be complete after a step.
    fn may_close(&self, words: &[u64], step: usize, colour: u64) -> bool {
        if colour == 0 {
            return !self.plan.rules.covered;
        }
        if self.all_entered[colour as usize] > step {
            return false;
        }
        if self.plan.uniform {
            return self.fields.labels.all_zero(words);
        }
        self.fields.colours.iter().all(|field| field.get(words) != colour)
    }

    /// The step after the single component is complete.
    fn close_single(&self, words: &mut [u64], step: usize) -> Step<()> {
        let legal = |(sums, field): &(Sums, Field)| sums.is_legal(field.get(words), step + 1);
        let degrees_are_legal = [TOTAL, OUT, IN].into_iter().all(|kind| {
            let codes = &self.plan.codes[kind];
            codes.is_empty() || self.degrees_are_legal(words, kind, step)
        });
        let is_legal = degrees_are_legal
            && self.plan.sums.iter().all(legal)
            && self.steps[step].rest_may_be_empty;
        if !is_legal {
            return Step::Zero;
        }
        self.finish(words);
        self.next(step)
    }

    /// Whether all vertices that stay on the frontier have legal degrees.
    fn degrees_are_legal(&self, words: &[u64], kind: usize, step: usize) -> bool {
        self.occupants.iter().zip(&self.fields.degrees[kind]).all(|(occupants, field)| {
            // An empty slot has the code of a free degree.
            let entered = occupants.partition_point(|&(enters, _)| enters <= step);
            let vertex = occupants[..entered].last();
            vertex.is_none_or(|(_, codes)| {
                self.plan.codes[kind][codes[kind] as usize].is_allowed(field.get(words))
            })
        })
    }

    /// The step of a state, not [finished](Composite::finish), to which the vertices that enter have
    /// been added.
    #[inline]
    pub(super) fn decide(&self, words: &mut [u64], variable: usize, taken: bool) -> Step<()> {
        let step = &self.steps[variable];
        if step.fixed.is_some_and(|fixed| fixed != taken) {
            return Step::Zero;
        }
        for (sums, field) in &self.plan.sums {
            match sums.after(field.get(words), variable, taken) {
                Some(code) => field.set(words, code),
                None => return Step::Zero,
            }
        }
        if self.count_degrees(words, step, taken).is_none() {
            return Step::Zero;
        }
        if !self.plan.has_labels {
            step.leave.clear_in(words);
            return self.next(variable);
        }
        if self.has_dropped_components(words) {
            return self.drop_components(words, variable);
        }
        if taken && self.join(words, step).is_none() {
            return Step::Zero;
        }
        let mut closed_single = false;
        for end in &step.ends {
            if !(end.leaves || taken && self.is_full(words, end)) {
                continue;
            }
            if let Some(colour) = self.remove(words, end.slot) {
                if !self.may_close(words, variable, colour) {
                    return Step::Zero;
                }
                closed_single |= self.plan.rules.single && colour == 1;
            }
        }
        if self.plan.may_drop_components && self.group_is_connected(words, variable) {
            return self.drop_components(words, variable);
        }
        step.leave.clear_in(words);
        if closed_single {
            return self.close_single(words, variable);
        }
        if variable + 1 == self.steps.len() && self.plan.rules.single && self.plan.rules.nonempty {
            return Step::Zero;
        }
        self.next(variable)
    }

    /// Whether the components do not matter any more.
    #[inline]
    fn has_dropped_components(&self, words: &[u64]) -> bool {
        self.plan.may_drop_components && self.fields.dropped.get(words) == 1
    }

    /// Drops the components, which do not matter any more.
    #[inline]
    fn drop_components(&self, words: &mut [u64], variable: usize) -> Step<()> {
        self.component_bits.clear_in(words);
        self.fields.dropped.set(words, 1);
        self.steps[variable].leave.clear_in(words);
        self.next(variable)
    }

    /// Whether the only group is in one component.
    #[inline]
    fn group_is_connected(&self, words: &[u64], variable: usize) -> bool {
        self.all_entered[1] <= variable
            && self.fields.colours.iter().filter(|field| field.get(words) != 0).count() <= 1
    }

    /// Adds the vertices that enter at a variable.
    #[inline]
    fn open(&self, words: &mut [u64], variable: usize) {
        self.steps[variable].enter.set_in(words);
    }

    /// The last of the pendant edges from a step on that the state leaves out together; the step itself
    /// if there are none. `None` if it is clear that no edge set is legal. Makes it the state before that
    /// last step. Without this, a star would take time quadratic in its edges.
    #[inline]
    fn skip_pendants(&self, words: &mut [u64], variable: usize) -> Option<usize> {
        let PendantRun { centre, last } = self.steps[variable].pendants;
        if last == variable {
            return Some(variable);
        }
        let centre = &self.steps[variable].ends[centre];
        let has_no_label = self.plan.has_labels
            && !self.has_dropped_components(words)
            && self.fields.labels.get(words, centre.slot) == 0;
        if !has_no_label && !self.is_full(words, centre) {
            return Some(variable);
        }
        for (sums, field) in &self.plan.sums {
            field.set(words, sums.unchanged(field.get(words), variable, last)?);
        }
        Some(last)
    }

    /// Whether the edge must be taken, if it can be, in a state to which the vertices that enter have
    /// been added.
    #[inline]
    fn must_take(&self, words: &[u64], variable: usize) -> bool {
        if let &[word] = words {
            return self.decide(&mut [word], variable, false).is_zero();
        }
        let mut left: SmallVec<[u64; 16]> = SmallVec::from_slice(words);
        self.decide(&mut left, variable, false).is_zero()
    }

    /// Whether it is clear at once that the edge cannot be taken, in a state to which the vertices that
    /// enter have been added.
    #[inline]
    fn cannot_take(&self, words: &[u64], step: &CompositeStep) -> bool {
        if step.fixed == Some(false) {
            return true;
        }
        let [a, b] = &step.ends;
        if self.plan.has_labels && !self.has_dropped_components(words) {
            let [first, second] = self.labels(words, step);
            // A vertex without a label can get no further edge.
            if first == 0 || second == 0 || self.plan.rules.acyclic && first == second {
                return true;
            }
        }
        self.is_full(words, a) || self.is_full(words, b)
    }
}

impl ArraySpec for Composite {
    type Head = ();
    type Item = u64;

    fn num_vars(&self) -> usize {
        // Without a possible degree there are no steps.
        self.plan.schedule.steps.len()
    }

    fn len(&self, _: usize) -> usize {
        self.fields.words
    }

    fn root(&self, (): &mut (), words: &mut [u64]) -> Step<()> {
        // Without variables, there are no words.
        if let Step::To(..) = self.root.0 {
            words.copy_from_slice(&self.root.1);
        }
        self.root.0
    }

    #[inline]
    fn child(&self, (): &mut (), words: &mut [u64], variable: usize, value: usize) -> Step<()> {
        if self.is_done(words) {
            return if value == 0 { self.next(variable) } else { Step::Zero };
        }
        self.open(words, variable);
        self.decide(words, variable, value == 1)
    }

    #[inline]
    fn forced(&self, (): &mut (), words: &mut [u64], variable: usize) -> Forced<()> {
        if self.is_done(words) {
            return Forced::Value(0, Step::One);
        }
        let Some(variable) = self.skip_pendants(words, variable) else {
            return Forced::Dead;
        };
        self.open(words, variable);
        let step = &self.steps[variable];
        if self.cannot_take(words, step) {
            Forced::to(0, self.decide(words, variable, false))
        } else if step.may_need_edge && self.must_take(words, variable) {
            Forced::to(1, self.decide(words, variable, true))
        } else {
            Forced::Free
        }
    }

    /// Components do not merge.
    fn merge(&self, (): &mut (), words: &mut [u64], (): &(), other: &[u64], step: usize) -> bool {
        if self.plan.has_labels {
            return false;
        }
        self.degree_merge.apply(words, other);
        for (sums, field) in &self.plan.sums {
            field.set(words, sums.merge(field.get(words), field.get(other), step));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::degrees::Degrees;
    use super::super::rules::Rules;
    use super::*;
    use crate::Graph;

    #[test]
    fn legal_degrees_are_found_without_a_scan_of_later_steps() {
        // The first and the last edge are at one vertex, which stays on the frontier.
        let n = 100_000;
        let edges = (0..n).map(|vertex| (vertex, (vertex + 1) % n));
        let graph = Graph::new(n, edges).unwrap();
        let degrees = [vec![Degrees::from(..=2); n], Vec::new(), Vec::new()];
        let rules = Rules { single: true, degrees, ..Rules::NONE };
        let order: Vec<usize> = (0..n).collect();
        let spec = Composite::new(CompositePlan::new(&graph, &rules, &order)).unwrap();
        let words = vec![0; spec.fields.words];
        assert!((0..n).all(|step| spec.degrees_are_legal(&words, TOTAL, step)));
    }
}
