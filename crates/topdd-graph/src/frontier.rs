//! Operations on the frontier of both encodings: joining pieces, removing vertices, pruning.

use topdd::Step;

use super::mates::{Code, CodeLayout, Flags, INNER, Mates};
use super::path_problem::{PathProblem, PathRule, TooWide};
use super::plan::{DegreeConstraint, Later, PathPlan, VariableStep};

/// A [`PathPlan`] and the parameters of its problem.
#[derive(Clone, Debug)]
pub(super) struct MateFrontier<const W: usize> {
    plan: PathPlan<W>,
    root: Step<Mates<W>>,
    /// For each variable, the last earlier one whose step is the same; `usize::MAX` for none.
    like: Vec<usize>,
    pub(super) hamiltonian: bool,
    pub(super) cycles: bool,
    /// Whether the path has an end that is not fixed.
    pub(super) free_ends: bool,
    /// Directed graphs: whether the first vertex of the path is not fixed, and whether the last one is
    /// not.
    free: Option<[bool; 2]>,
}

/// The result of joining two pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joined {
    /// A longer piece.
    Open,
    /// The complete cycle or path.
    Whole,
}

impl<const W: usize> MateFrontier<W> {
    /// # Errors
    ///
    /// [`TooWide`] if `W` words are too few.
    pub(super) fn new(problem: &PathProblem) -> Result<Self, TooWide> {
        let widths = problem.schedule.widths;
        if widths.words > W {
            return Err(TooWide { slots: widths.slots, words: widths.words, most: W });
        }
        let plan = PathPlan::new(problem);
        let is_impossible = plan.last_decision.is_none() || problem.strands_a_vertex();
        let root = match (problem.is_single_vertex, plan.steps.len()) {
            (true, 0) => Step::One,
            (true, _) => Step::To(0, Mates::DONE),
            (false, _) if is_impossible => Step::Zero,
            (false, _) => Step::To(0, Mates::EMPTY),
        };
        let PathRule { cycle, hamiltonian, from, to, .. } = problem.rule;
        let free = [from, to].map(|end| !cycle && end.is_none());
        Ok(Self {
            like: plan.like(),
            plan,
            root,
            hamiltonian,
            cycles: cycle,
            free_ends: problem.rule.has_free_end(),
            free: problem.is_directed().then_some(free),
        })
    }

    pub(super) fn root(&self) -> Step<Mates<W>> {
        self.root
    }

    pub(super) fn num_vars(&self) -> usize {
        self.plan.steps.len()
    }

    /// The last earlier variable whose step is the same.
    pub(super) fn like(&self, variable: usize) -> Option<usize> {
        Some(self.like[variable]).filter(|&earlier| earlier < variable)
    }

    #[inline]
    pub(super) fn layout(&self) -> &CodeLayout<W> {
        &self.plan.layout
    }

    #[inline]
    pub(super) fn var_step(&self, variable: usize) -> &VariableStep<W> {
        &self.plan.steps[variable]
    }

    #[inline]
    pub(super) fn later(&self, var_step: &VariableStep<W>) -> &[Later] {
        &self.plan.later[var_step.later.0 as usize..var_step.later.1 as usize]
    }

    /// The code of the vertex of a variable step, in the state before the step.
    #[inline]
    pub(super) fn own_code(&self, var_step: &VariableStep<W>, state: &Mates<W>) -> Code {
        match var_step.own.place {
            Some(place) => self.layout().get(state, place),
            None => var_step.own.fresh,
        }
    }

    /// The frontier of a variable step before its decision: without the vertex of the step if this
    /// is its last step, and with the vertices that enter.
    #[inline]
    pub(super) fn opened(var_step: &VariableStep<W>, state: &Mates<W>) -> Mates<W> {
        state.map(|index, word| word & var_step.keep[index] | var_step.enter[index])
    }

    /// The number of vertices that may still become an end of the whole path. `own` is the code of
    /// the vertex of the variable step if it has left the frontier.
    #[inline]
    pub(super) fn remaining_ends(
        &self,
        var_step: &VariableStep<W>,
        mates: &Mates<W>,
        own: Code,
    ) -> usize {
        if !self.free_ends {
            return 0;
        }
        let known = self.layout().ends(mates) + usize::from(own == self.layout().end);
        var_step.ends.saturating_sub(known)
    }

    /// Joins two pieces with the far ends `a` and `b`.
    // Measured: called, it keeps two words of codes from being held in registers.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn join(&self, mates: &mut Mates<W>, a: Code, b: Code) -> Joined {
        let end = self.layout().end;
        if a == end && b == end {
            return Joined::Whole;
        }
        // The end of the whole path has no mask, so setting its mate has no effect. That is cheaper
        // than an unpredictable branch.
        self.layout().set_mate(mates, a, b);
        self.layout().set_mate(mates, b, a);
        Joined::Open
    }

    /// Joins a later neighbour to a piece whose far end is `far`.
    #[inline]
    pub(super) fn attach(&self, mates: &mut Mates<W>, later: &Later, far: Code) -> Joined {
        let own = self.layout().get(mates, later.place);
        self.layout().set_mate(mates, later.name, INNER);
        // An untouched vertex is its own far end; `join` restores its mate.
        self.join(mates, own, far)
    }

    /// Joins two pieces of a directed path or cycle: one with this tail, before the edge, and one with
    /// this head, after it. Both are codes without the bit of a head.
    pub(super) fn join_directed(&self, mates: &mut Mates<W>, tail: Code, head: Code) -> Joined {
        let layout = self.layout();
        if tail == layout.end && head == layout.end {
            return Joined::Whole;
        }
        layout.set_mate(mates, tail, head);
        layout.set_mate(mates, head, tail | layout.head);
        Joined::Open
    }

    /// Makes the end of a piece, with this code, an end of the whole path.
    pub(super) fn end_piece(&self, mates: &mut Mates<W>, code: Code) -> Joined {
        let CodeLayout { end, head, .. } = *self.layout();
        if self.free.is_none() {
            self.join(mates, code, end)
        } else if code & head != 0 {
            self.join_directed(mates, code & !head, end)
        } else {
            self.join_directed(mates, end, code)
        }
    }

    /// Whether the end of a piece, with this code, may become an end of the whole path. `own` is as
    /// for [`remaining_ends`](MateFrontier::remaining_ends).
    pub(super) fn may_end_piece(
        &self,
        var_step: &VariableStep<W>,
        mates: &Mates<W>,
        own: Code,
        code: Code,
    ) -> bool {
        match self.free {
            None => self.remaining_ends(var_step, mates, own) > 0,
            Some(_) => self.may_be_end(mates, own)[usize::from(code & self.layout().head != 0)],
        }
    }

    /// In a directed graph, whether a vertex may become the first vertex of the path, and whether one
    /// may become the last. `own` is as for [`remaining_ends`](MateFrontier::remaining_ends).
    pub(super) fn may_be_end(&self, mates: &Mates<W>, own: Code) -> [bool; 2] {
        let CodeLayout { end, head, .. } = *self.layout();
        let [first, last] = self.free.unwrap_or_default();
        // The head of a piece whose tail is the first vertex; the tail of one whose head is the last.
        let is_open = |code: Code| own != code && self.layout().count(mates, code) == 0;
        [first && is_open(end | head), last && is_open(end)]
    }

    /// Returns the step from [`Mates::DONE`] after `variable`.
    #[inline]
    pub(super) fn done_after(&self, variable: usize) -> Step<Mates<W>> {
        if variable + 1 == self.num_vars() {
            Step::One
        } else {
            Step::To(variable + 1, Mates::DONE)
        }
    }

    /// Completes a variable step: removes the other vertices whose last step it is. Returns the
    /// 0-terminal if [`is_viable`](MateFrontier::is_viable) proves that the state has no solution.
    pub(super) fn finish(
        &self,
        variable: usize,
        var_step: &VariableStep<W>,
        mut mates: Mates<W>,
        mut joined: Joined,
    ) -> Step<Mates<W>> {
        if var_step.leaving.0 != var_step.leaving.1
            && joined == Joined::Open
            && !self.remove_leaving(var_step, &mut mates, &mut joined)
        {
            return Step::Zero;
        }
        if joined == Joined::Whole {
            let nothing_else = if self.hamiltonian {
                var_step.all_entered && mates == Mates::EMPTY
            } else {
                self.layout().no_piece(&mates)
            };
            return if nothing_else { self.done_after(variable) } else { Step::Zero };
        }
        if self.is_last_decision(variable) || !self.is_viable(var_step, &mates) {
            return Step::Zero;
        }
        Step::To(variable + 1, mates)
    }

    /// Whether no later variable decides an edge.
    #[inline]
    pub(super) fn is_last_decision(&self, variable: usize) -> bool {
        self.plan.last_decision == Some(variable)
    }

    /// Removes the other vertices whose last variable step it is. Returns `false` if one of them
    /// must not leave.
    #[inline(never)]
    fn remove_leaving(
        &self,
        var_step: &VariableStep<W>,
        mates: &mut Mates<W>,
        joined: &mut Joined,
    ) -> bool {
        for leaving in &self.plan.leaving[var_step.leaving.0 as usize..var_step.leaving.1 as usize]
        {
            let code = self.layout().get(mates, leaving.place);
            if code == INNER {
                continue;
            }
            if code == leaving.untouched {
                if self.hamiltonian {
                    return false;
                }
            } else if leaving.fixed_end || !self.may_end_piece(var_step, mates, INNER, code) {
                return false;
            } else {
                *joined = self.end_piece(mates, code);
            }
            self.layout().set_mate(mates, leaving.untouched, INNER);
            if *joined == Joined::Whole {
                return true;
            }
        }
        true
    }

    /// Whether the degree constraints can still be satisfied: a cheap necessary condition for a
    /// solution.
    ///
    /// - A vertex can get an edge to a neighbour that is not inner. The other end of its own piece
    ///   is excluded unless the edge closes an allowed cycle.
    /// - If a vertex can get exactly as many edges as it needs, all of them are forced. No vertex
    ///   can have more than two forced edges, or more than one if it already has an edge.
    /// - A vertex that lacks one edge becomes an end of the whole path. There are at most two ends.
    ///
    /// Only the constraints that the variable step may have tightened are checked and, with free
    /// ends, all constraints of vertices that may lack edges.
    #[inline]
    pub(super) fn is_viable(&self, var_step: &VariableStep<W>, mates: &Mates<W>) -> bool {
        let constraints = &self.plan.constraints
            [var_step.constraints.0 as usize..var_step.constraints.1 as usize];
        match constraints.len() {
            0 => true,
            // Two vertices hardly ever compete for edges.
            1 | 2 => self.constraints_hold::<false>(var_step, constraints, mates),
            _ => self.constraints_hold_jointly(var_step, constraints, mates),
        }
    }

    #[inline(never)]
    fn constraints_hold_jointly(
        &self,
        var_step: &VariableStep<W>,
        constraints: &[DegreeConstraint<W>],
        mates: &Mates<W>,
    ) -> bool {
        self.constraints_hold::<true>(var_step, constraints, mates)
    }

    /// Whether each constraint can be satisfied; with `COMPETE`, also whether the forced edges of
    /// different constraints are compatible.
    #[inline]
    fn constraints_hold<const COMPETE: bool>(
        &self,
        var_step: &VariableStep<W>,
        constraints: &[DegreeConstraint<W>],
        mates: &Mates<W>,
    ) -> bool {
        let layout = self.layout();
        let needs = self.needs(mates);
        // All ones exclude the mate of each vertex: the two ends of a piece must not be joined.
        let closing = if self.may_close(var_step, &needs.available) { 0 } else { u64::MAX };
        let mut missing = 0;
        // The vertices with at least one, two, three forced edges.
        let (mut once, mut twice, mut thrice) = ([0; W], [0; W], [0; W]);
        for constraint in constraints {
            let needed = needs.count(constraint);
            if needed == 0 {
                continue;
            }
            let mate = layout.flag_of(constraint.code.read(mates));
            let mut flags = constraint.neighbours;
            let mut edges = constraint.beyond as usize;
            for i in 0..CodeLayout::<W>::FLAG_WORDS {
                flags[i] &= needs.available[i] & !(mate[i] & closing);
                edges += up_to_three(flags[i]);
            }
            if edges < needed {
                // A fixed end cannot become a free end, and an end needs one edge.
                missing += 1;
                if !self.free_ends || needed - edges > 1 || constraint.fixed_end {
                    return false;
                }
            }
            if !COMPETE || edges != needed {
                continue;
            }
            for i in 0..CodeLayout::<W>::FLAG_WORDS {
                let must = flags[i];
                thrice[i] |= twice[i] & must;
                twice[i] |= once[i] & must;
                once[i] |= must;
            }
        }
        for i in 0..CodeLayout::<W>::FLAG_WORDS {
            missing += up_to_three(twice[i] & needs.one[i]) + up_to_three(thrice[i]);
        }
        missing == 0 || missing <= self.remaining_ends(var_step, mates, INNER)
    }

    /// Whether the two ends of a piece may be joined.
    #[inline]
    fn may_close(&self, var_step: &VariableStep<W>, available: &Flags<W>) -> bool {
        if !self.cycles || !self.hamiltonian {
            return self.cycles;
        }
        let available = &available[..CodeLayout::<W>::FLAG_WORDS];
        var_step.all_entered && available.iter().map(|&word| up_to_three(word)).sum::<usize>() <= 2
    }

    /// The number of edges that each vertex of the frontier needs.
    #[inline]
    pub(super) fn needs(&self, mates: &Mates<W>) -> VertexNeeds<W> {
        let available = self.layout().not_inner(mates);
        let ends = self.layout().ends_of_pieces(mates);
        let mut two = [0; W];
        if self.hamiltonian {
            for i in 0..CodeLayout::<W>::FLAG_WORDS {
                two[i] = available[i] & !ends[i];
            }
        }
        VertexNeeds { available, one: ends, two }
    }

    /// The number of edges that a constrained vertex needs and cannot get. Edges to the other end
    /// of its own piece are not excluded.
    #[inline]
    pub(super) fn deficit(constraint: &DegreeConstraint<W>, needs: &VertexNeeds<W>) -> usize {
        let mut edges = constraint.beyond as usize;
        for i in 0..CodeLayout::<W>::FLAG_WORDS {
            edges += up_to_three(constraint.neighbours[i] & needs.available[i]);
        }
        needs.count(constraint).saturating_sub(edges)
    }

    #[inline]
    pub(super) fn constraint(&self, later: &Later) -> Option<&DegreeConstraint<W>> {
        self.plan.constraints.get(later.constraint as usize)
    }
}

/// The flags of the vertices of the frontier that are not inner, of those that need one edge, and of
/// those that need two.
pub(super) struct VertexNeeds<const W: usize> {
    available: Flags<W>,
    one: Flags<W>,
    two: Flags<W>,
}

impl<const W: usize> VertexNeeds<W> {
    #[inline]
    fn count(&self, constraint: &DegreeConstraint<W>) -> usize {
        let (word, bit) = constraint.flag;
        let word = if CodeLayout::<W>::FLAG_WORDS == 1 { 0 } else { word };
        let one = self.one[word] >> bit & 1;
        let two = self.two[word] >> bit & 1;
        one as usize + 2 * two as usize + constraint.needs as usize
    }
}

/// The number of set bits, or three if there are more. Faster than `count_ones` without a population
/// count instruction, which portable builds do not use.
#[inline]
fn up_to_three(word: u64) -> usize {
    let less_one = word & word.wrapping_sub(1);
    let less_two = less_one & less_one.wrapping_sub(1);
    usize::from(word != 0) + usize::from(less_one != 0) + usize::from(less_two != 0)
}
