//! The steps of edges: what each of them does to a state.

use super::super::layout::WordBits;
use super::super::schedule::End;
use super::packed_degree::PackedDegree;
use super::plan::{Fields, IN, OUT, Plan, TOTAL};

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
pub(super) struct EdgeStep {
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

/// Returns the steps of all edges.
pub(super) fn edge_steps(plan: &Plan, fields: &Fields) -> Vec<EdgeStep> {
    let mut steps = Vec::new();
    let mut remaining = plan.ends_at.clone();
    let mut fixed = vec![None; plan.schedule.steps.len()];
    // Conflicting rules make the root the 0-terminal.
    for &(step, value) in &plan.rules.fixed {
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
        let degree = |end: &End| {
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
        steps.push(EdgeStep {
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
fn add_later_edges(plan: &Plan, fixed: &[Option<bool>], steps: &mut [EdgeStep]) {
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
