//! The plan: the precomputed data of each variable.
//!
//! There is one *variable step* for each variable. It belongs to a vertex and decides edges to
//! neighbours of that vertex: one edge (by edge), or all that are undecided
//! (by vertex). These neighbours are *later* than the vertex. A vertex enters the
//! frontier at the step that decides its first edge, and leaves it at the step that decides its last
//! edge. All data that do not depend on the state are computed here once.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::mates::{Code, CodeLayout, CodePosition, CodeReader, Flags, INNER, NO_FLAG, NO_SLOT};
use super::path_problem::{PathIncidence, PathProblem, PathSchedule};

/// The effect of a variable on the frontier.
#[derive(Clone, Debug)]
pub(super) struct VariableStep<const W: usize> {
    /// The bits that are kept: all, without the bits of the vertex of the step if this is its last.
    pub(super) keep: [u64; W],
    /// The codes of the vertices that enter.
    pub(super) enter: [u64; W],
    pub(super) own: Own,
    /// The maximum number of ends of the whole path on the frontier: two, minus the fixed ends that
    /// have not entered yet.
    pub(super) ends: usize,
    /// Whether all vertices have entered.
    pub(super) all_entered: bool,
    /// Ranges of the lists of `PathPlan`.
    pub(super) later: (u32, u32),
    pub(super) leaving: (u32, u32),
    pub(super) constraints: (u32, u32),
}

/// The vertex of a variable step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Own {
    /// The place of its code before the step; `None` if it enters now.
    pub(super) place: Option<CodePosition>,
    /// Its code if it enters now.
    pub(super) fresh: Code,
    /// The place of its code after the step; `None` if this is its last step.
    pub(super) stays: Option<CodePosition>,
    /// Its code while it is untouched.
    pub(super) untouched: Code,
    pub(super) fixed_end: bool,
    /// The number of its undecided edges after the step.
    pub(super) left: usize,
}

/// A neighbour whose edge a variable step decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Later {
    pub(super) place: CodePosition,
    /// The code of a mate of this vertex; also its own code while it is untouched.
    pub(super) name: Code,
    /// The index of its degree constraint, or `u32::MAX` if it has none.
    pub(super) constraint: u32,
}

/// A vertex, not the vertex of the variable step, without undecided edges after the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Leaving {
    pub(super) place: CodePosition,
    pub(super) untouched: Code,
    pub(super) fixed_end: bool,
}

/// A vertex and the edges that it can still get: it must reach degree two, or degree one as an end.
/// Listed only where the degree may become unreachable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct DegreeConstraint<const W: usize> {
    /// Its place, if it is on the frontier.
    pub(super) place: Option<CodePosition>,
    /// Its code; 0 if it is not on the frontier.
    pub(super) code: CodeReader<W>,
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
pub(super) struct PathPlan<const W: usize> {
    pub(super) layout: CodeLayout<W>,
    pub(super) steps: Vec<VariableStep<W>>,
    pub(super) later: Vec<Later>,
    pub(super) leaving: Vec<Leaving>,
    pub(super) constraints: Vec<DegreeConstraint<W>>,
    /// The last step that decides an edge.
    pub(super) last_decision: Option<usize>,
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

/// The distance within which the steps of a problem constrain vertices; see [`RADIUS_BY_EDGE`].
fn radius(problem: &PathProblem, incidence: &PathIncidence) -> usize {
    let degree = (0..problem.num_vertices()).map(|vertex| incidence.edges(vertex).len()).max();
    match problem.by_vertex {
        false if degree.is_none_or(|degree| degree <= SPARSE_DEGREE) => 0,
        false => RADIUS_BY_EDGE,
        true => RADIUS_BY_VERTEX,
    }
}

/// The state of the construction of a plan, after a step.
struct PlanProgress<'p> {
    problem: &'p PathProblem,
    incidence: PathIncidence,
    radius: usize,
    /// The number of undecided edges of each vertex.
    undecided: Vec<usize>,
    /// The vertices on the frontier.
    active: BTreeSet<usize>,
    /// The number of vertices that have not entered.
    to_enter: usize,
    /// See [`VariableStep::ends`].
    ends: usize,
}

impl<'p> PlanProgress<'p> {
    fn new(problem: &'p PathProblem) -> Self {
        let incidence = problem.incidence();
        let vertices = problem.num_vertices();
        Self {
            radius: radius(problem, &incidence),
            undecided: (0..vertices).map(|vertex| incidence.edges(vertex).len()).collect(),
            active: BTreeSet::new(),
            to_enter: vertices,
            ends: 2 - [problem.rule.from, problem.rule.to].into_iter().flatten().count(),
            problem,
            incidence,
        }
    }

    /// Whether a vertex is on the frontier after a step.
    fn is_active(&self, vertex: usize, var_step: usize) -> bool {
        let PathSchedule { enters, leaves, .. } = &self.problem.schedule;
        enters[vertex] <= var_step && var_step < leaves[vertex]
    }

    /// Enters and removes the vertices of a step.
    fn advance(&mut self, var_step: usize) {
        let PathSchedule { enters, leaves, .. } = &self.problem.schedule;
        let decided = self.problem.decided(var_step);
        let own = self.problem.vertex(var_step);
        for &vertex in std::iter::once(&own).chain(decided) {
            if enters[vertex] == var_step {
                self.to_enter -= 1;
                self.active.insert(vertex);
                self.ends += usize::from(self.problem.rule.is_fixed_end(vertex));
            }
            if leaves[vertex] == var_step {
                self.active.remove(&vertex);
            }
        }
        for &vertex in decided {
            self.undecided[vertex] -= 1;
            self.undecided[own] -= 1;
        }
    }
}

impl<const W: usize> PathPlan<W> {
    /// For each variable, the last earlier one whose step is the same; `usize::MAX` for none.
    pub(super) fn like(&self) -> Vec<usize> {
        let range = |(start, end): (u32, u32)| start as usize..end as usize;
        let mut last = HashMap::new();
        let like = |(variable, step): (usize, &VariableStep<W>)| {
            let &VariableStep { keep, enter, own, ends, all_entered, .. } = step;
            let first = step.constraints.0;
            let later = self.later[range(step.later)].iter();
            // The numbers of constraints count from the first one of the step.
            let later: Vec<Later> = later
                .map(|later| match later.constraint {
                    u32::MAX => *later,
                    constraint => Later { constraint: constraint - first, ..*later },
                })
                .collect();
            let leaving = &self.leaving[range(step.leaving)];
            let constraints = &self.constraints[range(step.constraints)];
            let is_last = variable + 1 == self.steps.len();
            let decides_last = self.last_decision == Some(variable);
            let content = (later, leaving, constraints);
            let facts = (keep, enter, own, ends, all_entered, content, is_last, decides_last);
            last.insert(facts, variable).unwrap_or(usize::MAX)
        };
        self.steps.iter().enumerate().map(like).collect()
    }

    pub(super) fn new(problem: &PathProblem) -> Self {
        let PathSchedule { enters, leaves, slots, widths } = &problem.schedule;
        let mut plan = Self {
            layout: CodeLayout::<W>::new(*widths),
            steps: Vec::with_capacity(problem.num_vars()),
            later: Vec::new(),
            leaving: Vec::new(),
            constraints: Vec::new(),
            last_decision: problem.last_decision(),
        };
        let mut progress = PlanProgress::new(problem);
        for var_step in 0..problem.num_vars() {
            let own = problem.vertex(var_step);
            let decided = problem.decided(var_step);
            let mut keep = [u64::MAX; W];
            let mut enter = [0; W];

            // Without edges to decide, the step has no vertex.
            let own_slot = slots[own].filter(|_| !decided.is_empty());
            let own_place = own_slot.map(|slot| plan.layout.place(slot));
            let own_untouched = own_slot.map_or(NO_SLOT, |slot| plan.layout.untouched(slot));
            if let (Some(place), true) = (own_place, leaves[own] == var_step) {
                keep[place.word as usize] &= !plan.layout.mask(place);
            }
            let own_fresh = if enters[own] == var_step {
                plan.fresh(problem, own, own_untouched)
            } else {
                INNER
            };
            for &vertex in std::iter::once(&own).chain(decided) {
                if let (Some(slot), true) = (slots[vertex], enters[vertex] == var_step) {
                    let place = plan.layout.place(slot);
                    let code = plan.fresh(problem, vertex, plan.layout.untouched(slot));
                    enter[place.word as usize] |= code << place.shift;
                }
            }
            progress.advance(var_step);
            let constraints = plan.constrain(&progress, var_step);
            let (later_start, leaving_start) = (plan.later.len(), plan.leaving.len());
            for &vertex in decided {
                plan.decide(problem, var_step, vertex, constraints.clone());
            }

            plan.steps.push(VariableStep {
                keep,
                enter,
                own: Own {
                    place: own_place.filter(|_| enters[own] < var_step && var_step <= leaves[own]),
                    fresh: own_fresh,
                    stays: own_place.filter(|_| var_step < leaves[own]),
                    untouched: own_untouched,
                    fixed_end: problem.rule.is_fixed_end(own),
                    left: progress.undecided[own],
                },
                ends: progress.ends,
                all_entered: progress.to_enter == 0,
                later: (later_start as u32, plan.later.len() as u32),
                leaving: (leaving_start as u32, plan.leaving.len() as u32),
                constraints: (constraints.start, constraints.end),
            });
        }
        plan
    }

    /// The code of a vertex that enters.
    fn fresh(&self, problem: &PathProblem, vertex: usize, untouched: Code) -> Code {
        let rule = &problem.rule;
        if rule.from == Some(vertex) {
            // In a directed graph, the edge that it needs leads out.
            self.layout.end | self.layout.head
        } else if rule.to == Some(vertex) {
            self.layout.end
        } else {
            untouched
        }
    }

    /// Adds a later neighbour of a variable step to the lists.
    fn decide(
        &mut self,
        problem: &PathProblem,
        var_step: usize,
        vertex: usize,
        mut constraints: Range<u32>,
    ) {
        let slot = problem.schedule.slots[vertex].expect("a later neighbour has a slot");
        let place = self.layout.place(slot);
        let untouched = self.layout.untouched(slot);
        let constraint = constraints
            .find(|&i| self.constraints[i as usize].place == Some(place))
            .unwrap_or(u32::MAX);
        self.later.push(Later { place, name: untouched, constraint });
        if problem.schedule.leaves[vertex] == var_step {
            let fixed_end = problem.rule.is_fixed_end(vertex);
            self.leaving.push(Leaving { place, untouched, fixed_end });
        }
    }

    /// Adds the degree constraints that a variable step may violate, and returns their range. They
    /// constrain vertices within some undecided edges of the decided edges: vertices on the
    /// frontier with few undecided edges, and vertices nearly all of whose edges lead to the frontier.
    fn constrain(&mut self, progress: &PlanProgress<'_>, var_step: usize) -> Range<u32> {
        let start = self.constraints.len() as u32;
        let PlanProgress { problem, incidence, undecided, radius, .. } = progress;
        let rule = &problem.rule;
        // Between two vertices, parallel edges may be a cycle: more edges than neighbours.
        let decides = !problem.decided(var_step).is_empty();
        if !decides || problem.is_directed() || problem.num_vertices() <= 2 {
            return start..start;
        }
        // With free ends, each missing edge anywhere makes an end, and there are at most two ends.
        let adds_up = rule.has_free_end();
        for vertex in progress.constrained(var_step, adds_up) {
            let mut neighbours = [0; W];
            let mut beyond = 0;
            // The neighbours with too few decided edges to be inner.
            let mut sure = 0;
            for other in incidence.after(vertex, var_step) {
                let slot = problem.schedule.slots[other];
                if let Some(slot) = slot.filter(|_| progress.is_active(other, var_step)) {
                    let (word, bit) = self.layout.flag(self.layout.place(slot));
                    neighbours[word] |= 1 << bit;
                    let decided = incidence.edges(other).len() - undecided[other];
                    sure += u8::from(decided + usize::from(rule.is_fixed_end(other)) < 2);
                } else {
                    beyond += 1;
                }
            }
            // A vertex with one neighbour beyond the frontier can always get one edge. Only in a
            // Hamiltonian path or cycle does it need two, and no mate is excluded then. At distance
            // zero there are too few constraints for competition.
            let enough = if rule.hamiltonian { 2 } else { 1 };
            let always = beyond >= 1 && beyond + sure >= enough && *radius == 0 && !adds_up;
            if beyond < enough && !always {
                let slot = problem.schedule.slots[vertex];
                let slot = slot.filter(|_| progress.is_active(vertex, var_step));
                let place = slot.map(|slot| self.layout.place(slot));
                self.constraints.push(DegreeConstraint {
                    place,
                    code: self.layout.reader(place),
                    needs: match slot {
                        Some(_) => 0,
                        None => 2 - u8::from(rule.is_fixed_end(vertex)),
                    },
                    flag: place.map_or(NO_FLAG, |place| self.layout.flag(place)),
                    fixed_end: rule.is_fixed_end(vertex),
                    beyond,
                    neighbours,
                });
            }
        }
        start..self.constraints.len() as u32
    }
}

impl PlanProgress<'_> {
    /// The vertices whose degrees a variable step may make impossible; with `anywhere`, also those
    /// far from its edges.
    fn constrained(&self, var_step: usize, anywhere: bool) -> BTreeSet<usize> {
        let PlanProgress { problem, incidence, undecided, active, .. } = self;
        let few = |vertex: &usize| undecided[*vertex] <= CONSTRAINED_DEGREE;
        let mut look: BTreeSet<usize> = active.iter().copied().filter(few).collect();
        if problem.rule.hamiltonian {
            for vertex in look.clone() {
                look.extend(incidence.after(vertex, var_step).filter(few));
            }
        }
        look.retain(|&vertex| anywhere || self.is_near(vertex, var_step, self.radius));
        look
    }

    /// Whether a vertex is within so many undecided edges of the edges that a step decides. Starts at
    /// the vertex, which has few undecided edges, while the vertices of the step may have many.
    fn is_near(&self, vertex: usize, var_step: usize, distance: usize) -> bool {
        let PlanProgress { problem, incidence, radius, .. } = self;
        problem.decided(var_step).contains(&vertex)
            || *radius > 0 && problem.vertex(var_step) == vertex
            || distance > 0
                && incidence
                    .after(vertex, var_step)
                    .any(|other| self.is_near(other, var_step, distance - 1))
    }
}
