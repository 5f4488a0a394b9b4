//! The plan: the slot of each vertex in the frontier, turn by turn.
//!
//! A spec takes *turns*, one per variable. At its turn, a vertex decides about edges to
//! later neighbours: about one of them ([`PathEncoding::ByEdge`]) or about all of them
//! ([`PathEncoding::ByVertex`]). A vertex enters the frontier at the turn that decides its
//! first edge, and leaves it at the turn that decides its last one. All facts that do not depend on
//! the state are computed here once.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::mates::{Code, Flags, INNER, Layout, NO_FLAG, NOWHERE, Place, Reader, Widths};
use super::walks::{PathEncoding, Shape};
use super::{Graph, Walks};

/// The vertex of a turn, and the range of its later neighbours that the turn decides.
#[derive(Clone, Copy)]
struct Task {
    vertex: usize,
    first: usize,
    last: usize,
}

impl Task {
    fn decides<'g>(&self, graph: &'g Graph) -> &'g [usize] {
        &graph.later_neighbours(self.vertex)[self.first..self.last]
    }
}

/// The slot of each vertex, independent of the number of words in a state.
pub(super) struct Schedule {
    tasks: Vec<Task>,
    /// The turn at which each vertex enters, and its last turn. A vertex without edges never enters.
    enters: Vec<usize>,
    leaves: Vec<usize>,
    /// `None` for a vertex that enters and leaves at its own turn.
    slots: Vec<Option<usize>>,
    pub(super) widths: Widths,
}

const NEVER: usize = usize::MAX;

impl Schedule {
    pub(super) fn new(walks: &Walks, encoding: PathEncoding) -> Self {
        let graph = &walks.graph;
        let n = graph.vertices();
        let mut tasks = Vec::with_capacity(walks.num_vars(encoding));
        for vertex in 0..n {
            let later = graph.later_neighbours(vertex).len();
            match encoding {
                PathEncoding::ByVertex => tasks.push(Task { vertex, first: 0, last: later }),
                PathEncoding::ByEdge => {
                    tasks.extend((0..later).map(|first| Task { vertex, first, last: first + 1 }));
                }
            }
        }

        let mut enters = vec![NEVER; n];
        let mut leaves = vec![NEVER; n];
        for (turn, task) in tasks.iter().enumerate() {
            let decided = task.decides(graph);
            let own = (!decided.is_empty()).then_some(&task.vertex);
            for &vertex in own.into_iter().chain(decided) {
                enters[vertex] = enters[vertex].min(turn);
                leaves[vertex] = turn;
            }
        }

        let mut slots = vec![None; n];
        let mut free = BinaryHeap::new();
        let mut width = 0;
        for (turn, task) in tasks.iter().enumerate() {
            let own = task.vertex;
            // The vertex of the turn frees its slot first if this is its last turn: others enter after
            // its code has been read.
            if leaves[own] == turn {
                free.extend(slots[own].map(Reverse));
            }
            let stays = enters[own] == turn && leaves[own] > turn;
            let decided = task.decides(graph);
            let fresh = decided.iter().filter(|&&vertex| enters[vertex] == turn);
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
            let settled = decided.iter().filter(|&&vertex| leaves[vertex] == turn);
            free.extend(settled.filter_map(|&vertex| slots[vertex]).map(Reverse));
        }
        let widths = Widths::new(width, walks.shape == Shape::Path);
        Self { tasks, enters, leaves, slots, widths }
    }
}

/// The effect of a turn on the frontier.
#[derive(Clone, Debug)]
pub(super) struct Turn<const W: usize> {
    /// The bits that are kept: all but those of the vertex of the turn if this is its last.
    pub(super) keep: [u64; W],
    /// The codes of the vertices that enter.
    pub(super) enter: [u64; W],
    pub(super) own: Own,
    /// The most ends of the whole path that pieces may have now: two, less the fixed ends that have
    /// not entered yet.
    pub(super) ends: usize,
    /// Whether all vertices have entered.
    pub(super) all_entered: bool,
    /// Ranges of the lists of `Plan`.
    pub(super) later: (u32, u32),
    pub(super) leaving: (u32, u32),
    pub(super) watched: (u32, u32),
}

/// The vertex of a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    /// The place of its code before the turn; `None` if it enters now.
    pub(super) place: Option<Place>,
    /// Its code if it enters now.
    pub(super) fresh: Code,
    /// Where its code is after this turn, unless it is the last.
    pub(super) stays: Option<Place>,
    /// Its code while it is untouched.
    pub(super) untouched: Code,
    pub(super) fixed_end: bool,
}

/// A neighbour that a turn decides about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Later {
    pub(super) place: Place,
    /// The code of a mate of this vertex; also its own code while it is untouched.
    pub(super) name: Code,
    /// Its index in the list of watched vertices, or `u32::MAX`.
    pub(super) watch: u32,
}

/// A vertex, other than that of the turn, without undecided edges after the turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaving {
    pub(super) place: Place,
    pub(super) untouched: Code,
    pub(super) fixed_end: bool,
}

/// A vertex that may be unable to get the edges it needs.
#[derive(Clone, Debug)]
pub(super) struct Watched<const W: usize> {
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

/// All turns.
#[derive(Clone, Debug)]
pub(super) struct Plan<const W: usize> {
    pub(super) layout: Layout<W>,
    pub(super) turns: Vec<Turn<W>>,
    pub(super) later: Vec<Later>,
    pub(super) leaving: Vec<Leaving>,
    pub(super) watched: Vec<Watched<W>>,
}

/// The most undecided edges of a watched vertex: on a dense graph the lists would take more memory
/// than the pruning saves.
const WATCHED_DEGREE: usize = 8;

/// The distance from the decided edges within which vertices are watched. At distance one a vertex may
/// have lost a neighbour; at distance two it may compete with others for an edge. A turn by edge
/// leaves the rest to later turns. A larger distance finds hardly more and costs time for each child.
const RADIUS_BY_EDGE: usize = 1;
const RADIUS_BY_VERTEX: usize = 2;

/// If no vertex has more edges than this, a turn by edge watches the later end of its edge only. On a
/// grid, one step further removes 1.5 percent of the states and costs a quarter of the time. On a
/// knight's graph it removes two of three states.
const SPARSE_DEGREE: usize = 4;

/// The distance within which the turns of an encoding watch vertices; see [`RADIUS_BY_EDGE`].
fn radius(graph: &Graph, encoding: PathEncoding) -> usize {
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
        let Schedule { tasks, enters, leaves, slots, widths } = schedule;
        let layout = Layout::<W>::new(*widths);
        let mut plan = Self {
            layout,
            turns: Vec::with_capacity(tasks.len()),
            later: Vec::new(),
            leaving: Vec::new(),
            watched: Vec::new(),
        };
        let mut undecided: Vec<usize> =
            (0..graph.vertices()).map(|vertex| graph.neighbours(vertex).len()).collect();
        let mut to_enter = graph.vertices();
        let mut ends = 2 - [walks.from, walks.to].into_iter().flatten().count();
        let radius = radius(graph, encoding);
        // The vertices on the frontier after each turn.
        let mut active = BTreeSet::new();

        for (turn, task) in tasks.iter().enumerate() {
            let own = task.vertex;
            let decided = task.decides(graph);
            let mut keep = [u64::MAX; W];
            let mut enter = [0; W];

            let own_place = slots[own].map(|slot| plan.layout.place(slot));
            let is_last = leaves[own] == turn;
            let own_untouched = slots[own].map_or(NOWHERE, |slot| plan.layout.untouched(slot));
            if let (Some(place), true) = (own_place, is_last) {
                keep[place.word as usize] &= !plan.layout.mask(place);
            }
            let fresh = |vertex: usize, untouched: Code| {
                if walks.is_fixed_end(vertex) { plan.layout.end } else { untouched }
            };
            let own_fresh = if enters[own] == turn { fresh(own, own_untouched) } else { INNER };
            for &vertex in std::iter::once(&own).chain(decided) {
                if enters[vertex] != turn {
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
                if leaves[*vertex] == turn {
                    active.remove(vertex);
                }
            }
            let watched = plan.watch(walks, schedule, turn, &active, &undecided, radius);
            let (later_start, leaving_start) = (plan.later.len(), plan.leaving.len());
            for &vertex in decided {
                plan.decide(walks, schedule, (turn, vertex), watched);
            }

            plan.turns.push(Turn {
                keep,
                enter,
                own: Own {
                    place: own_place.filter(|_| enters[own] < turn && turn <= leaves[own]),
                    fresh: own_fresh,
                    stays: own_place.filter(|_| turn < leaves[own]),
                    untouched: own_untouched,
                    fixed_end: walks.is_fixed_end(own),
                },
                ends,
                all_entered: to_enter == 0,
                later: (later_start as u32, plan.later.len() as u32),
                leaving: (leaving_start as u32, plan.leaving.len() as u32),
                watched,
            });
        }
        plan
    }

    /// Adds the facts about a later neighbour that a turn needs.
    fn decide(
        &mut self,
        walks: &Walks,
        schedule: &Schedule,
        (turn, vertex): (usize, usize),
        watched: (u32, u32),
    ) {
        let slot = schedule.slots[vertex].expect("a later neighbour has a slot");
        let place = self.layout.place(slot);
        let untouched = self.layout.untouched(slot);
        let watch = (watched.0..watched.1)
            .find(|&i| self.watched[i as usize].place == Some(place))
            .unwrap_or(u32::MAX);
        self.later.push(Later { place, name: untouched, watch });
        if schedule.leaves[vertex] == turn {
            let fixed_end = walks.is_fixed_end(vertex);
            self.leaving.push(Leaving { place, untouched, fixed_end });
        }
    }

    /// Lists the vertices that may lack edges because of this turn: within `radius` undecided edges of
    /// the decided ones, those on the frontier with few undecided edges, and those whose edges nearly
    /// all lead to the frontier.
    fn watch(
        &mut self,
        walks: &Walks,
        schedule: &Schedule,
        turn: usize,
        active: &BTreeSet<usize>,
        undecided: &[usize],
        radius: usize,
    ) -> (u32, u32) {
        let graph = &walks.graph;
        let Schedule { tasks, enters, leaves, slots, .. } = schedule;
        let task = tasks[turn];
        let start = self.watched.len();
        // An edge is decided by its smaller end, in the order of the larger ones.
        let next = graph.later_neighbours(task.vertex).get(task.last);
        let is_undecided = |a: usize, b: usize| {
            let (smaller, larger) = (a.min(b), a.max(b));
            smaller > task.vertex
                || smaller == task.vertex && next.is_some_and(|&next| larger >= next)
        };
        let is_active = |vertex: usize| enters[vertex] <= turn && turn < leaves[vertex];
        let few = |vertex: &usize| undecided[*vertex] <= WATCHED_DEGREE;
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
        // The turn does not affect vertices far from its edges.
        let mut near: BTreeSet<usize> = task.decides(graph).iter().copied().collect();
        if radius > 0 {
            near.insert(task.vertex);
        }
        for _ in 0..radius {
            let reached = near.iter().flat_map(|&vertex| {
                graph.neighbours(vertex).iter().filter(move |&&o| is_undecided(vertex, o))
            });
            near = reached.chain(&near).copied().collect();
        }
        // With free ends, each lacking edge anywhere is an end, and there are at most two.
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
            // A vertex with one neighbour to come can always get one edge, and only the
            // Hamiltonian need two, which none of them has a mate to get it from. With few that
            // are watched none competes.
            let enough = if walks.hamiltonian { 2 } else { 1 };
            let always = beyond >= 1 && beyond + sure >= enough && radius == 0 && !adds_up;
            if beyond < enough && !always {
                let slot = slots[vertex].filter(|_| is_active(vertex));
                let place = slot.map(|slot| self.layout.place(slot));
                self.watched.push(Watched {
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
        (start as u32, self.watched.len() as u32)
    }
}
