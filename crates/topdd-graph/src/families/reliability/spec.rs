//! The spec of a network: the sets of working edges and vertices that connect its terminals.

use super::network::Network;
use crate::Graph;
use crate::families::FamilyError;
use crate::families::layout::SlotSchedule;
use topdd::Step;
use topdd::spec::ArraySpec;

/// The maximum number of slots: a label and a bit must fit into a byte.
pub(super) const MAX_SLOTS: usize = 127;

/// One end of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct NetworkEnd {
    pub(super) slot: u8,
    /// The byte of the vertex if it enters here and always works; 0 otherwise.
    pub(super) enters: u8,
    pub(super) leaves: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum ElementDecision {
    /// A vertex enters a slot with this byte if it works.
    Vertex {
        slot: u8,
        byte: u8,
    },
    Edge {
        ends: [NetworkEnd; 2],
        is_loop: bool,
        all_entered: bool,
    },
}

/// The sets of working edges, and of working vertices among those that may fail, which connect all
/// terminals. Skipped variables are read as any value.
///
/// A state has a byte for each slot of the frontier: twice the label of the component of its vertex,
/// plus 1 if the component has a terminal. The label is one plus the least slot of the component. A
/// vertex that failed has byte 0, as an empty slot.
#[derive(Clone, Debug)]
pub(super) struct Connecting {
    plan: NetworkPlan,
}

/// The decisions of a network in an order of its edges.
#[derive(Clone, Debug)]
pub(super) struct NetworkPlan {
    pub(super) decisions: Vec<ElementDecision>,
    /// Of each variable, the edge, or `None` for a vertex that may fail, and the probability.
    pub(super) items: Vec<(Option<usize>, f64)>,
    pub(super) slots: usize,
    /// The constant that the family is, if it needs no decision.
    pub(super) constant: Option<bool>,
    pub(super) terminals: Vec<EnteringTerminal>,
}

/// A terminal, and where it enters: the decision of an edge, and a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct EnteringTerminal {
    pub(super) vertex: usize,
    pub(super) place: (usize, u8),
}

impl NetworkPlan {
    /// `graph` has the vertices and edges of the network.
    ///
    /// # Errors
    ///
    /// [`FamilyError::TooWide`] if more than [`MAX_SLOTS`] vertices are on the frontier at once.
    pub(super) fn new(
        network: &Network,
        graph: &Graph,
        order: &[usize],
    ) -> Result<Self, FamilyError> {
        let schedule = SlotSchedule::new(graph, order);
        let slots = schedule.width;
        if slots > MAX_SLOTS {
            return Err(FamilyError::TooWide { slots, bytes: slots, most: MAX_SLOTS });
        }
        let terminals = || (0..network.num_vertices()).filter(|&v| network.is_terminal[v]);
        let constant = if network.num_terminals() < 2 {
            Some(true)
        } else if terminals().any(|vertex| schedule.enters[vertex] == usize::MAX) {
            Some(false)
        } else {
            None
        };
        let all_entered = terminals().map(|vertex| schedule.enters[vertex]).max().unwrap_or(0);
        let mut decisions = Vec::with_capacity(order.len());
        let mut items = Vec::with_capacity(order.len());
        let mut entering = Vec::new();
        for (step, (&edge, scheduled)) in order.iter().zip(&schedule.steps).enumerate() {
            let distinct = if scheduled.is_loop { 1 } else { 2 };
            let byte = |vertex: usize, slot: usize| {
                (2 * (slot + 1) + usize::from(network.is_terminal[vertex])) as u8
            };
            for end in scheduled.ends[..distinct].iter().filter(|end| end.enters) {
                if network.vertex_works[end.vertex] < 1.0 {
                    let (slot, byte) = (end.slot as u8, byte(end.vertex, end.slot));
                    decisions.push(ElementDecision::Vertex { slot, byte });
                    items.push((None, network.vertex_works[end.vertex]));
                }
            }
            for end in
                scheduled.ends.iter().filter(|end| end.enters && network.is_terminal[end.vertex])
            {
                let place = (decisions.len(), end.slot as u8);
                entering.push(EnteringTerminal { vertex: end.vertex, place });
            }
            let ends = scheduled.ends.map(|end| {
                let is_sure = network.vertex_works[end.vertex] >= 1.0;
                let enters = if end.enters && is_sure { byte(end.vertex, end.slot) } else { 0 };
                NetworkEnd { slot: end.slot as u8, enters, leaves: end.leaves }
            });
            let all_entered = step >= all_entered;
            decisions.push(ElementDecision::Edge { ends, is_loop: scheduled.is_loop, all_entered });
            items.push((Some(edge), network.edge_works[edge]));
        }
        Ok(Self { decisions, items, slots, constant, terminals: entering })
    }
}

impl Connecting {
    pub(super) fn new(plan: NetworkPlan) -> Self {
        Self { plan }
    }
}

/// Joins two components, which have different bytes.
#[inline]
fn join(state: &mut [u8], a: u8, b: u8) {
    let both = a.min(b) & !1 | (a | b) & 1;
    for byte in state {
        if *byte == a || *byte == b {
            *byte = both;
        }
    }
}

/// Removes the vertex in a slot. Returns whether it was the last of a component with a terminal.
#[inline]
fn remove(state: &mut [u8], slot: u8) -> bool {
    let byte = std::mem::take(&mut state[usize::from(slot)]);
    if byte == 0 || byte >> 1 != slot + 1 {
        // It failed, or it is not the least slot of its component.
        return false;
    }
    let Some(next) = state.iter().position(|&other| other == byte) else { return byte & 1 == 1 };
    let label = 2 * (next as u8 + 1) + (byte & 1);
    for other in &mut state[next..] {
        if *other == byte {
            *other = label;
        }
    }
    false
}

/// Whether at most one component has a terminal.
#[inline]
fn is_connected(state: &[u8]) -> bool {
    let mut with_terminal = state.iter().filter(|&&byte| byte & 1 == 1);
    with_terminal.next().is_none_or(|first| with_terminal.all(|other| other == first))
}

impl ArraySpec for Connecting {
    type Head = ();
    // Without a remainder, loops over the bytes are vectorised.
    type Item = [u8; 8];

    fn num_vars(&self) -> usize {
        self.plan.decisions.len()
    }

    fn len(&self, _: usize) -> usize {
        self.plan.slots.div_ceil(8)
    }

    fn root(&self, (): &mut (), _: &mut [[u8; 8]]) -> Step<()> {
        match self.plan.constant {
            Some(true) => Step::One,
            Some(false) => Step::Zero,
            None => Step::To(0, ()),
        }
    }

    fn child(&self, (): &mut (), state: &mut [[u8; 8]], variable: usize, value: usize) -> Step<()> {
        let state = state.as_flattened_mut();
        let (ends, is_loop, all_entered) = match self.plan.decisions[variable] {
            ElementDecision::Vertex { slot, byte } => {
                state[usize::from(slot)] = if value == 1 { byte } else { 0 };
                return Step::To(variable + 1, ());
            }
            ElementDecision::Edge { ends, is_loop, all_entered } => (ends, is_loop, all_entered),
        };
        for end in ends {
            state[usize::from(end.slot)] |= end.enters;
        }
        let (a, b) = (state[usize::from(ends[0].slot)], state[usize::from(ends[1].slot)]);
        if value == 1 && a != b && a != 0 && b != 0 {
            join(state, a, b);
        }
        if all_entered && is_connected(state) {
            return Step::One;
        }
        let distinct = if is_loop { &ends[..1] } else { &ends[..] };
        for end in distinct.iter().filter(|end| end.leaves) {
            if remove(state, end.slot) {
                return Step::Zero;
            }
        }
        // At the last edge, all vertices leave, and a component with a terminal with them.
        Step::To(variable + 1, ())
    }
}
