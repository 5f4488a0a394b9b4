//! The rules with their frontier, and the fields of a state.

use super::packed_degree::PackedDegree;
use crate::Graph;
use crate::families::degrees::{CodeMerge, DegreeCodes, Degrees};
use crate::families::layout::{
    Allocator, EdgeEnd, Field, LabelFields, ScheduledEdge, SlotSchedule, WordBits, bits_of,
};
use crate::families::rules::{Bounds, Groups, Rules};
use crate::families::sums::Sums;

/// The kinds of degrees.
pub(super) const TOTAL: usize = 0;
pub(super) const OUT: usize = 1;
pub(super) const IN: usize = 2;

/// The rules with their frontier.
// Each is a fact of its own about the rules.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Debug)]
pub(in crate::families) struct CompositePlan {
    pub(super) schedule: SlotSchedule,
    pub(super) rules: Rules,
    /// The sums of each rule, and the field of their codes, which [`fields`](CompositePlan::fields) chooses.
    pub(super) sums: Vec<(Sums, Field)>,
    /// By kind: the distinct sets of allowed degrees, and the index of the set of each vertex.
    pub(super) codes: [Vec<DegreeCodes>; 3],
    code_of: [Vec<u32>; 3],
    /// By kind: the number of ends of edges at each vertex.
    ends_at: [Vec<u32>; 3],
    /// The colour of each vertex; 0 for none.
    pub(super) colours: Vec<u32>,
    pub(super) num_colours: u32,
    /// Whether every vertex has colour 1.
    pub(super) uniform: bool,
    /// Whether only total degrees are bounded, and their codes fit into [`PackedDegree`].
    pub(super) packs_degrees: bool,
    pub(super) has_labels: bool,
    /// Whether the components may cease to matter.
    pub(super) may_drop_components: bool,
}

/// The fields of a state.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    pub(super) done: Field,
    /// Set once the only group is connected, so that the components do not matter any more.
    pub(super) dropped: Field,
    pub(super) labels: LabelFields,
    pub(super) colours: Vec<Field>,
    pub(super) degrees: [Vec<Field>; 3],
    pub(super) words: usize,
}

impl CompositePlan {
    pub(in crate::families) fn new(graph: &Graph, rules: &Rules, order: &[usize]) -> Self {
        let vertices = graph.num_vertices();
        let mut colours = vec![0; vertices];
        let mut num_colours = u32::from(rules.single);
        match &rules.groups {
            Groups::Any => {}
            Groups::All => {
                colours.fill(1);
                num_colours = 1;
            }
            Groups::Of(groups) => {
                for (colour, group) in groups.iter().enumerate() {
                    for &vertex in group {
                        colours[vertex] = colour as u32 + 1;
                    }
                }
                num_colours = num_colours.max(groups.len() as u32);
            }
        }
        let uniform = num_colours == 1 && vertices > 0 && colours.iter().all(|&c| c == 1);
        let mut codes: [Vec<DegreeCodes>; 3] = Default::default();
        let mut code_of: [Vec<u32>; 3] = Default::default();
        let mut ends_at: [Vec<u32>; 3] = Default::default();
        for kind in [TOTAL, OUT, IN] {
            if rules.degrees[kind].is_empty() {
                continue;
            }
            ends_at[kind] = vec![0; vertices];
            for &(a, b) in graph.edges() {
                ends_at[kind][a] += u32::from(kind != IN);
                ends_at[kind][b] += u32::from(kind != OUT);
            }
            // The distinct sets of degrees, each with the largest degree of its vertices.
            let mut seen = std::collections::HashMap::<&Degrees, u32>::new();
            let mut distinct: Vec<(&Degrees, u32)> = Vec::new();
            for (degrees, &ends) in rules.degrees[kind].iter().zip(&ends_at[kind]) {
                let code = *seen.entry(degrees).or_insert(distinct.len() as u32);
                if code as usize == distinct.len() {
                    distinct.push((degrees, 0));
                }
                let (_, most) = &mut distinct[code as usize];
                *most = ends.max(*most);
                code_of[kind].push(code);
            }
            let codes_of = |(degrees, most)| DegreeCodes::new(degrees, most as usize);
            codes[kind] = distinct.into_iter().map(codes_of).collect();
        }
        let packs_degrees = !codes[TOTAL].is_empty()
            && codes[OUT].is_empty()
            && codes[IN].is_empty()
            && codes[TOTAL].iter().all(PackedDegree::fits);
        let fixed = by_step(&rules.bounds.fixed, order);
        let bounds = Bounds { fixed, linear: Vec::new() };
        Self {
            packs_degrees,
            schedule: SlotSchedule::new(graph, order),
            sums: rules
                .bounds
                .linear
                .iter()
                .map(|rule| (Sums::new(rule, order), Field::default()))
                .collect(),
            codes,
            code_of,
            ends_at,
            colours,
            num_colours,
            uniform,
            has_labels: rules.acyclic || num_colours > 0 || rules.covered,
            may_drop_components: num_colours == 1
                && !uniform
                && !rules.acyclic
                && !rules.single
                && !rules.covered,
            rules: Rules { bounds, ..rules.clone() },
        }
    }

    pub(super) fn fields(&mut self) -> Fields {
        let slots = self.schedule.width;
        let mut allocator = Allocator::default();
        let done = allocator.field(u32::from(self.rules.single));
        let dropped = allocator.field(u32::from(self.may_drop_components));
        let label_bits = if self.has_labels { bits_of(slots as u64) } else { 0 };
        let labels = LabelFields::new(&mut allocator, slots, label_bits);
        let colour_bits = if self.uniform { 0 } else { bits_of(self.num_colours.into()) };
        let colours = allocator.fields(slots, colour_bits);
        let degrees = [TOTAL, OUT, IN].map(|kind| {
            let largest = self.codes[kind].iter().map(DegreeCodes::largest).max().unwrap_or(0);
            allocator.fields(slots, bits_of(largest))
        });
        for (sums, field) in &mut self.sums {
            *field = allocator.field(sums.bits);
        }
        let words = allocator.words();
        Fields { done, dropped, labels, colours, degrees, words }
    }

    /// The code of a vertex without decided edges; `None` if no degree is legal.
    pub(super) fn fresh_degree(&self, kind: usize, vertex: usize) -> Option<u64> {
        let codes = &self.codes[kind][self.code_of[kind][vertex] as usize];
        codes.code(0, self.ends_at[kind][vertex])
    }

    /// Whether a vertex may stay without edges, if the component of its colour is elsewhere.
    pub(super) fn may_be_empty(&self, vertex: usize) -> bool {
        let may_be_zero = |kind: usize| {
            self.codes[kind].is_empty() || self.rules.degrees[kind][vertex].contains(0)
        };
        self.colours[vertex] == 0 && (0..3).all(may_be_zero)
    }

    /// The end of a pendant edge that is on the frontier before the step, if the other end may stay without
    /// an edge.
    pub(super) fn centre(&self, step: &ScheduledEdge, fixed: Option<bool>) -> Option<usize> {
        let is_leaf = |end: &EdgeEnd| end.enters && end.leaves;
        let [first, second] = &step.ends;
        let leaf = match (first.enters, second.enters) {
            (false, true) if is_leaf(second) => 1,
            (true, false) if is_leaf(first) => 0,
            _ => return None,
        };
        let may_be_empty = self.may_be_empty(step.ends[leaf].vertex) && !self.rules.covered;
        (may_be_empty && fixed != Some(true)).then_some(1 - leaf)
    }

    /// Whether the vertices without edges break a rule.
    pub(super) fn isolated_vertex_is_illegal(&self) -> bool {
        let mut members = vec![0usize; self.num_colours as usize + 1];
        for &colour in &self.colours {
            members[colour as usize] += 1;
        }
        let isolated = |vertex: &usize| self.schedule.enters[*vertex] == usize::MAX;
        (0..self.colours.len()).filter(isolated).any(|vertex| {
            let colour = self.colours[vertex] as usize;
            // Its component has no other vertex, and with `single` no edge is elsewhere.
            (colour > 0 && members[colour] > 1) || (colour == 0 && self.rules.covered)
        })
    }

    /// Whether some vertex can have no legal degree.
    pub(super) fn degree_is_impossible(&self) -> bool {
        [TOTAL, OUT, IN].into_iter().any(|kind| {
            (0..self.code_of[kind].len()).any(|vertex| self.fresh_degree(kind, vertex).is_none())
        })
    }

    /// Whether a vertex without edges is the whole component of colour 1 in a rule of a single one.
    pub(super) fn is_done_at_once(&self) -> bool {
        self.rules.single
            && self
                .schedule
                .enters
                .iter()
                .zip(&self.colours)
                .any(|(&enters, &colour)| enters == usize::MAX && colour == 1)
    }

    /// Adds the fields of a vertex that enters.
    pub(super) fn enter(&self, fields: &Fields, words: &mut [u64], end: &EdgeEnd) {
        if self.has_labels {
            fields.labels.set(words, end.slot, end.slot as u64 + 1);
            if !self.uniform {
                fields.colours[end.slot].set(words, self.colours[end.vertex].into());
            }
        }
        for kind in [TOTAL, OUT, IN] {
            if !self.codes[kind].is_empty() {
                let code = self.fresh_degree(kind, end.vertex).expect("a degree is possible");
                fields.degrees[kind][end.slot].set(words, code);
            }
        }
    }
}

/// The given values of edges, by the step of the edge in place of the edge.
fn by_step(fixed: &[(usize, usize, bool)], order: &[usize]) -> Vec<(usize, usize, bool)> {
    if fixed.is_empty() {
        return Vec::new();
    }
    let steps = crate::order::inverse(order);
    fixed.iter().map(|&(edge, value, taken)| (steps[edge], 1, taken == (value == 1))).collect()
}

/// One end of the edge of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndStep {
    pub(super) slot: usize,
    pub(super) leaves: bool,
    /// By kind: the index of the degree codes, and the number of ends of undecided edges after the
    /// step.
    pub(super) codes: [u32; 3],
    pub(super) remaining: [u32; 3],
    /// Used if the rules have packed degrees.
    pub(super) degree: PackedDegree,
}

#[derive(Clone, Debug)]
pub(super) struct CompositeStep {
    /// The fields of the vertices that enter.
    pub(super) enter: WordBits,
    /// The degrees of the vertices that leave.
    pub(super) leave: WordBits,
    pub(super) ends: [EndStep; 2],
    pub(super) is_loop: bool,
    pub(super) fixed: Option<bool>,
    /// Whether some states can only take the edge: a vertex leaves, or may lack edges.
    pub(super) may_need_edge: bool,
    /// Whether all vertices that enter later may stay without edges.
    pub(super) rest_may_be_empty: bool,
    /// The pendant edges from here on that one state may leave out together.
    pub(super) pendants: PendantRun,
}

/// Consecutive steps whose edges join one vertex, the centre, to vertices that have no other edge and
/// may stay without one. A state in which the centre can get no further edge takes none of them, and is
/// the same before each of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendantRun {
    /// The end of each edge that is the centre.
    pub(super) centre: usize,
    /// The last step of the run; the step itself if there is no run.
    pub(super) last: usize,
}

/// The degrees of states, where two states are merged.
#[derive(Clone, Debug)]
pub(super) struct DegreeMerge(Vec<(Field, CodeMerge)>);

impl DegreeMerge {
    pub(super) fn new(plan: &CompositePlan, fields: &Fields) -> Self {
        let kinds = [TOTAL, OUT, IN].into_iter().filter(|&kind| !plan.codes[kind].is_empty());
        let of_kind = |kind: usize| {
            let merge = DegreeCodes::merge(&plan.codes[kind]);
            fields.degrees[kind].iter().map(move |&field| (field, merge))
        };
        Self(kinds.flat_map(of_kind).collect())
    }

    /// Makes the degrees with all completions of both in the place of the first ones.
    pub(super) fn apply(&self, words: &mut [u64], other: &[u64]) {
        for (field, merge) in &self.0 {
            field.set(words, merge(field.get(words), field.get(other)));
        }
    }
}

/// Returns the steps of all edges.
pub(super) fn edge_steps(plan: &CompositePlan, fields: &Fields) -> Vec<CompositeStep> {
    let mut steps = Vec::new();
    let mut remaining = plan.ends_at.clone();
    let mut fixed = vec![None; plan.schedule.steps.len()];
    // Conflicting rules make the root the 0-terminal.
    for &(step, _, value) in &plan.rules.bounds.fixed {
        fixed[step] = Some(value);
    }
    for (step, scheduled) in plan.schedule.steps.iter().enumerate() {
        let mut enter = vec![0; fields.words];
        let mut leave = enter.clone();
        for (side, end) in scheduled.ends.iter().enumerate() {
            for kind in [TOTAL, OUT, IN] {
                let counts = kind == TOTAL || kind == OUT + side;
                if counts && !remaining[kind].is_empty() {
                    remaining[kind][end.vertex] -= 1;
                }
            }
            if end.enters {
                plan.enter(fields, &mut enter, end);
            }
            if end.leaves {
                for kind in [TOTAL, OUT, IN] {
                    fields.degrees[kind][end.slot].set(&mut leave, u64::MAX);
                }
            }
        }
        let degree = |end: &EdgeEnd| {
            if !plan.packs_degrees {
                return PackedDegree::default();
            }
            let codes = &plan.codes[TOTAL][plan.code_of[TOTAL][end.vertex] as usize];
            let ends = if scheduled.is_loop { 2 } else { 1 };
            let field = fields.degrees[TOTAL][end.slot];
            PackedDegree::new(field, codes, ends, remaining[TOTAL][end.vertex])
        };
        let ends = scheduled.ends.map(|end| EndStep {
            degree: degree(&end),
            slot: end.slot,
            leaves: end.leaves,
            codes: std::array::from_fn(|kind| {
                plan.code_of[kind].get(end.vertex).copied().unwrap_or(0)
            }),
            remaining: std::array::from_fn(|kind| {
                remaining[kind].get(end.vertex).copied().unwrap_or(0)
            }),
        });
        steps.push(CompositeStep {
            enter: WordBits::from_words(&enter),
            leave: WordBits::from_words(&leave),
            ends,
            is_loop: scheduled.is_loop,
            may_need_edge: fixed[step].is_some()
                || ends.iter().any(|end| end.leaves || end.remaining.contains(&1)),
            fixed: fixed[step],
            rest_may_be_empty: true,
            pendants: PendantRun { centre: 0, last: step },
        });
    }
    add_later_edges(plan, &fixed, &mut steps);
    steps
}

/// Adds to each step what is known of later ones, from the last to the first: the vertices that enter later, edges to be
/// taken, and runs of pendant edges.
fn add_later_edges(plan: &CompositePlan, fixed: &[Option<bool>], steps: &mut [CompositeStep]) {
    let mut may_be_empty = true;
    for (step, scheduled) in plan.schedule.steps.iter().enumerate().rev() {
        steps[step].rest_may_be_empty = may_be_empty;
        if let Some(centre) = plan.centre(scheduled, fixed[step]) {
            let next = plan.schedule.steps.get(step + 1);
            let continues = next.is_some_and(|next| {
                let run = steps[step + 1].pendants;
                plan.centre(next, fixed[step + 1]).is_some()
                    && next.ends[run.centre].vertex == scheduled.ends[centre].vertex
            });
            let last = if continues { steps[step + 1].pendants.last } else { step };
            steps[step].pendants = PendantRun { centre, last };
        }
        may_be_empty &= fixed[step] != Some(true);
        for end in scheduled.ends.iter().filter(|end| end.enters) {
            may_be_empty &= plan.may_be_empty(end.vertex);
        }
    }
}
