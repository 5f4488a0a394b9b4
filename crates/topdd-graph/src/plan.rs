//! The plan: the precomputed data of each variable, and the slot of each vertex in the frontier.
//!
//! There is one *variable step* for each variable. It belongs to a vertex and decides edges to
//! later neighbours of that vertex: one edge ([`PathEncoding::ByEdge`]) or all of them
//! ([`PathEncoding::ByVertex`]). A vertex enters the frontier at the step that decides its
//! first edge, and leaves it at the step that decides its last edge. All data that do not depend on
//! the state are computed here once.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::mates::{Code, Flags, INNER, Layout, NO_FLAG, NO_SLOT, Place, Reader, Widths};
use super::walks::{PathEncoding, Shape};
use super::{SimpleGraph, Walks};

/// The vertex of a variable step, and the range of its later neighbours that the step decides.
#[derive(Clone, Copy)]
struct EdgeRange {
    vertex: usize,
    first: usize,
    last: usize,
}

impl EdgeRange {
    fn neighbours<'g>(&self, graph: &'g SimpleGraph) -> &'g [usize] {
        &graph.later_neighbours(self.vertex)[self.first..self.last]
    }
}

/// The slot of each vertex, independent of the number of words in a state.
pub(super) struct Schedule {
    ranges: Vec<EdgeRange>,
    /// The variable step at which each vertex enters; [`NEVER`] for a vertex without edges.
    enters: Vec<usize>,
    /// The last variable step of each vertex; [`NEVER`] for a vertex without edges.
    leaves: Vec<usize>,
    /// `None` for a vertex that enters and leaves at its own step.
    slots: Vec<Option<usize>>,
    pub(super) widths: Widths,
}

const NEVER: usize = usize::MAX;

impl Schedule {
    pub(super) fn new(walks: &Walks, encoding: PathEncoding) -> Self {
        let graph = &walks.graph;
        let n = graph.vertices();
        let mut ranges = Vec::with_capacity(walks.num_vars(encoding));
        for vertex in 0..n {
            let later = graph.later_neighbours(vertex).len();
            match encoding {
                PathEncoding::ByVertex => ranges.push(EdgeRange { vertex, first: 0, last: later }),
                PathEncoding::ByEdge => {
                    ranges.extend((0..later).map(|first| EdgeRange {
                        vertex,
                        first,
                        last: first + 1,
                    }));
                }
            }
        }

        let mut enters = vec![NEVER; n];
        let mut leaves = vec![NEVER; n];
        for (var_step, range) in ranges.iter().enumerate() {
            let decided = range.neighbours(graph);
            let own = (!decided.is_empty()).then_some(&range.vertex);
            for &vertex in own.into_iter().chain(decided) {
                enters[vertex] = enters[vertex].min(var_step);
                leaves[vertex] = var_step;
            }
        }

        let mut slots = vec![None; n];
        let mut free = BinaryHeap::new();
        let mut width = 0;
        for (var_step, range) in ranges.iter().enumerate() {
            let own = range.vertex;
            // The vertex of the step frees its slot first if this is its last step: others enter after
            // its code has been read.
            if leaves[own] == var_step {
                free.extend(slots[own].map(Reverse));
            }
            let stays = enters[own] == var_step && leaves[own] > var_step;
            let decided = range.neighbours(graph);
            let fresh = decided.iter().filter(|&&vertex| enters[vertex] == var_step);
            for &vertex in stays.then_some(&own).into_iter().chain(fresh) {
                let slot = free.pop().map_or_else(
                    || {
                        width += 1;
                        width - 1
                    },
                    |Reverse(slot)| slot,
                );
                slots[vertex] = Some(slot);
            }
            let leaving = decided.iter().filter(|&&vertex| leaves[vertex] == var_step);
            free.extend(leaving.filter_map(|&vertex| slots[vertex]).map(Reverse));
        }
        let widths = Widths::new(width, walks.shape == Shape::Path);
        Self { ranges, enters, leaves, slots, widths }
    }
}

/// The effect of a variable on the frontier.
#[derive(Clone, Debug)]
pub(super) struct VariableStep<const W: usize> {
    /// The bits that are kept: all but those of the vertex of the step if this is its last.
    pub(super) keep: [u64; W],
    /// The codes of the vertices that enter.
    pub(super) enter: [u64; W],
    pub(super) own: Own,
    /// The maximum number of ends of the whole path on the frontier: two, minus the fixed ends that
    /// have not entered yet.
    pub(super) ends: usize,
    /// Whether all vertices have entered.
    pub(super) all_entered: bool,
    /// Ranges of the lists of `Plan`.
    pub(super) later: (u32, u32),
    pub(super) leaving: (u32, u32),
    pub(super) constraints: (u32, u32),
}

/// The vertex of a variable step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    /// The place of its code before the step; `None` if it enters now.
    pub(super) place: Option<Place>,
    /// Its code if it enters now.
    pub(super) fresh: Code,
    /// The place of its code after the step; `None` if this is its last step.
    pub(super) stays: Option<Place>,
    /// Its code while it is untouched.
    pub(super) untouched: Code,
    pub(super) fixed_end: bool,
}

/// A neighbour whose edge a variable step decides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Later {
    pub(super) place: Place,
    /// The code of a mate of this vertex; also its own code while it is untouched.
    pub(super) name: Code,
    /// The index of its degree constraint, or `u32::MAX` if it has none.
    pub(super) constraint: u32,
}

/// A vertex, other than that of the variable step, without undecided edges after the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaving {
    pub(super) place: Place,
    pub(super) untouched: Code,
    pub(super) fixed_end: bool,
}

/// A vertex and the edges that it can still get: it must reach degree two, or degree one as an end.
/// Listed only where the degree may become unreachable.
#[derive(Clone, Debug)]
pub(super) struct DegreeConstraint<const W: usize> {
    /// Its place, if it is on the frontier.
    pub(super) place: Option<Place>,
    /// Its code; 0 if it is not on the frontier.
    pub(super) code: Reader<W>,
    /// The word and the bit of its flag; [`NO_FLAG`] if it is not on the frontier.
    pub(super) flag: (usize, u32),
    /// The number of edges that it needs while it is not on the frontier.
    pub(super) needs: u8,
    pub(super) fixed_end: bool,
    /// The number of its undecided edges to vertices that have not entered yet.
    pub(super) beyond: u8,
    /// The flags of its neighbours on the frontier by undecided edges.
    pub(super) neighbours: Flags<W>,
}

/// All variable steps, and the lists that they refer to by ranges.
#[derive(Clone, Debug)]
pub(super) struct Plan<const W: usize> {
    pub(super) layout: Layout<W>,
    pub(super) steps: Vec<VariableStep<W>>,
    pub(super) later: Vec<Later>,
    pub(super) leaving: Vec<Leaving>,
    pub(super) constraints: Vec<DegreeConstraint<W>>,
}

/// The maximum number of undecided edges of a constrained vertex: on a dense graph the lists would
/// take more memory than the pruning saves.
const CONSTRAINED_DEGREE: usize = 8;

/// The distance, in edges, from the decided edges within which vertices are constrained. At distance
/// one a vertex may have lost a neighbour; at distance two it may compete with others for an edge.
/// A step by edge leaves distance two to later steps. A larger distance prunes hardly more states and
/// costs time for each child.
const RADIUS_BY_EDGE: usize = 1;
const RADIUS_BY_VERTEX: usize = 2;

/// If no vertex has more edges than this, a step by edge constrains only the later end of its edge.
/// On a grid, distance one removes 1.5 percent of the states and costs a quarter of the time. On a
/// knight's graph it removes two of three states.
const SPARSE_DEGREE: usize = 4;

/// The distance within which the steps of an encoding constrain vertices; see [`RADIUS_BY_EDGE`].
fn radius(graph: &SimpleGraph, encoding: PathEncoding) -> usize {
    let degree = (0..graph.vertices()).map(|vertex| graph.neighbours(vertex).len()).max();
    match encoding {
        PathEncoding::ByEdge if degree.is_none_or(|degree| degree <= SPARSE_DEGREE) => 0,
        PathEncoding::ByEdge => RADIUS_BY_EDGE,
        PathEncoding::ByVertex => RADIUS_BY_VERTEX,
    }
}

impl<const W: usize> Plan<W> {
    pub(super) fn new(walks: &Walks, encoding: PathEncoding, schedule: &Schedule) -> Self {
        let graph = &walks.graph;
        let Schedule { ranges, enters, leaves, slots, widths } = schedule;
        let layout = Layout::<W>::new(*widths);
        let mut plan = Self {
            layout,
            steps: Vec::with_capacity(ranges.len()),
            later: Vec::new(),
            leaving: Vec::new(),
            constraints: Vec::new(),
        };
        let mut undecided: Vec<usize> =
            (0..graph.vertices()).map(|vertex| graph.neighbours(vertex).len()).collect();
        let mut to_enter = graph.vertices();
        let mut ends = 2 - [walks.from, walks.to].into_iter().flatten().count();
        let radius = radius(graph, encoding);
        // The vertices on the frontier after each step.
        let mut active = BTreeSet::new();

        for (var_step, range) in ranges.iter().enumerate() {
            let own = range.vertex;
            let decided = range.neighbours(graph);
            let mut keep = [u64::MAX; W];
            let mut enter = [0; W];

            let own_place = slots[own].map(|slot| plan.layout.place(slot));
            let is_last = leaves[own] == var_step;
            let own_untouched = slots[own].map_or(NO_SLOT, |slot| plan.layout.untouched(slot));
            if let (Some(place), true) = (own_place, is_last) {
                keep[place.word as usize] &= !plan.layout.mask(place);
            }
            let fresh = |vertex: usize, untouched: Code| {
                if walks.is_fixed_end(vertex) { plan.layout.end } else { untouched }
            };
            let own_fresh = if enters[own] == var_step { fresh(own, own_untouched) } else { INNER };
            for &vertex in std::iter::once(&own).chain(decided) {
                if enters[vertex] != var_step {
                    continue;
                }
                to_enter -= 1;
                active.insert(vertex);
                ends += usize::from(walks.is_fixed_end(vertex));
                if let Some(slot) = slots[vertex] {
                    let place = plan.layout.place(slot);
                    enter[place.word as usize] |=
                        fresh(vertex, plan.layout.untouched(slot)) << place.shift;
                }
            }
            for &vertex in decided {
                undecided[vertex] -= 1;
                undecided[own] -= 1;
            }

            for vertex in std::iter::once(&own).chain(decided) {
                if leaves[*vertex] == var_step {
                    active.remove(vertex);
                }
            }
            let constraints =
                plan.constrain(walks, schedule, var_step, &active, &undecided, radius);
            let (later_start, leaving_start) = (plan.later.len(), plan.leaving.len());
            for &vertex in decided {
                plan.decide(walks, schedule, (var_step, vertex), constraints);
            }

            plan.steps.push(VariableStep {
                keep,
                enter,
                own: Own {
                    place: own_place.filter(|_| enters[own] < var_step && var_step <= leaves[own]),
                    fresh: own_fresh,
                    stays: own_place.filter(|_| var_step < leaves[own]),
                    untouched: own_untouched,
                    fixed_end: walks.is_fixed_end(own),
                },
                ends,
                all_entered: to_enter == 0,
                later: (later_start as u32, plan.later.len() as u32),
                leaving: (leaving_start as u32, plan.leaving.len() as u32),
                constraints,
            });
        }
        plan
    }

    /// Adds a later neighbour of a variable step to the lists.
    fn decide(
        &mut self,
        walks: &Walks,
        schedule: &Schedule,
        (var_step, vertex): (usize, usize),
        constraints: (u32, u32),
    ) {
        let slot = schedule.slots[vertex].expect("a later neighbour has a slot");
        let place = self.layout.place(slot);
        let untouched = self.layout.untouched(slot);
        let constraint = (constraints.0..constraints.1)
            .find(|&i| self.constraints[i as usize].place == Some(place))
            .unwrap_or(u32::MAX);
        self.later.push(Later { place, name: untouched, constraint });
        if schedule.leaves[vertex] == var_step {
            let fixed_end = walks.is_fixed_end(vertex);
            self.leaving.push(Leaving { place, untouched, fixed_end });
        }
    }

    /// Adds the degree constraints that a variable step may violate, and returns their range. They
    /// are those of vertices within `radius` undecided edges of the decided edges: vertices on the
    /// frontier with few undecided edges, and vertices nearly all of whose edges lead to the frontier.
    fn constrain(
        &mut self,
        walks: &Walks,
        schedule: &Schedule,
        var_step: usize,
        active: &BTreeSet<usize>,
        undecided: &[usize],
        radius: usize,
    ) -> (u32, u32) {
        let graph = &walks.graph;
        let Schedule { ranges, enters, leaves, slots, .. } = schedule;
        let range = ranges[var_step];
        let start = self.constraints.len();
        // An edge is decided by its smaller end, in the order of the larger ones.
        let next = graph.later_neighbours(range.vertex).get(range.last);
        let is_undecided = |a: usize, b: usize| {
            let (smaller, larger) = (a.min(b), a.max(b));
            smaller > range.vertex
                || smaller == range.vertex && next.is_some_and(|&next| larger >= next)
        };
        let is_active = |vertex: usize| enters[vertex] <= var_step && var_step < leaves[vertex];
        let few = |vertex: &usize| undecided[*vertex] <= CONSTRAINED_DEGREE;
        let close = active.iter().filter(|vertex| few(vertex));
        let mut look: BTreeSet<usize> = close.clone().copied().collect();
        if walks.hamiltonian {
            for &vertex in close {
                look.extend(
                    graph
                        .neighbours(vertex)
                        .iter()
                        .filter(|other| few(other) && is_undecided(vertex, **other)),
                );
            }
        }
        // The step does not affect vertices far from its edges.
        let mut near: BTreeSet<usize> = range.neighbours(graph).iter().copied().collect();
        if radius > 0 {
            near.insert(range.vertex);
        }
        for _ in 0..radius {
            let reached = near.iter().flat_map(|&vertex| {
                graph.neighbours(vertex).iter().filter(move |&&o| is_undecided(vertex, o))
            });
            near = reached.chain(&near).copied().collect();
        }
        // With free ends, each missing edge anywhere makes an end, and there are at most two ends.
        let adds_up = walks.shape == Shape::Path && (walks.from.is_none() || walks.to.is_none());
        look.retain(|vertex| adds_up || near.contains(vertex));
        for vertex in look {
            let mut neighbours = [0; W];
            let mut beyond = 0;
            // The neighbours with too few decided edges to be inner.
            let mut sure = 0;
            for &other in graph.neighbours(vertex).iter().filter(|&&o| is_undecided(vertex, o)) {
                if let Some(slot) = slots[other].filter(|_| is_active(other)) {
                    let (word, bit) = self.layout.flag(self.layout.place(slot));
                    neighbours[word] |= 1 << bit;
                    let decided = graph.neighbours(other).len() - undecided[other];
                    sure += u8::from(decided + usize::from(walks.is_fixed_end(other)) < 2);
                } else {
                    beyond += 1;
                }
            }
            // A vertex with one neighbour beyond the frontier can always get one edge. Only in a
            // Hamiltonian walk does it need two, and no mate is excluded then. At distance zero
            // there are too few constraints for competition.
            let enough = if walks.hamiltonian { 2 } else { 1 };
            let always = beyond >= 1 && beyond + sure >= enough && radius == 0 && !adds_up;
            if beyond < enough && !always {
                let slot = slots[vertex].filter(|_| is_active(vertex));
                let place = slot.map(|slot| self.layout.place(slot));
                self.constraints.push(DegreeConstraint {
                    place,
                    code: self.layout.reader(place),
                    needs: match slot {
                        Some(_) => 0,
                        None => 2 - u8::from(walks.is_fixed_end(vertex)),
                    },
                    flag: place.map_or(NO_FLAG, |place| self.layout.flag(place)),
                    fixed_end: walks.is_fixed_end(vertex),
                    beyond,
                    neighbours,
                });
            }
        }
        (start as u32, self.constraints.len() as u32)
    }
}
