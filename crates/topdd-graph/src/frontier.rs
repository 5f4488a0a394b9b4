//! Operations on the frontier of both encodings: joining pieces, removing vertices, giving up.

use topdd::Step;

use super::mates::{Code, Flags, INNER, Layout, Mates};
use super::plan::{Later, Plan, Schedule, Turn, Watched};
use super::walks::{PathEncoding, Shape, WalkError, Walks};

/// A plan with the facts of its problem.
#[derive(Clone, Debug)]
pub(super) struct Frontier<const W: usize> {
    plan: Plan<W>,
    root: Step<Mates<W>>,
    pub(super) hamiltonian: bool,
    pub(super) cycles: bool,
    /// Whether the path has an end that is not fixed.
    pub(super) free_ends: bool,
}

/// The result of joining two pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joined {
    /// A longer piece.
    Open,
    /// The complete cycle or path.
    Whole,
}

impl<const W: usize> Frontier<W> {
    pub(super) fn new(walks: &Walks, encoding: PathEncoding) -> Result<Self, WalkError> {
        walks.check()?;
        let schedule = Schedule::new(walks, encoding);
        let widths = schedule.widths;
        if widths.words > W {
            let [bytes, most] = [widths.words, W].map(|words| words * size_of::<u64>());
            return Err(WalkError::TooWide { slots: widths.slots, bytes, most });
        }
        let plan = Plan::new(walks, encoding, &schedule);
        let graph = &walks.graph;
        let stranded = (0..graph.vertices()).any(|vertex| {
            graph.neighbours(vertex).is_empty() && (walks.hamiltonian || walks.is_fixed_end(vertex))
        });
        let root = match (walks.is_single_vertex(), plan.turns.len()) {
            (true, 0) => Step::One,
            (true, _) => Step::To(0, Mates::DONE),
            (false, turns) if turns == 0 || stranded => Step::Zero,
            (false, _) => Step::To(0, Mates::EMPTY),
        };
        Ok(Self {
            plan,
            root,
            hamiltonian: walks.hamiltonian,
            cycles: walks.shape == Shape::Cycle,
            free_ends: walks.shape == Shape::Path && (walks.from.is_none() || walks.to.is_none()),
        })
    }

    pub(super) fn root(&self) -> Step<Mates<W>> {
        self.root
    }

    pub(super) fn turns(&self) -> usize {
        self.plan.turns.len()
    }

    #[inline]
    pub(super) fn layout(&self) -> &Layout<W> {
        &self.plan.layout
    }

    #[inline]
    pub(super) fn turn(&self, variable: usize) -> &Turn<W> {
        &self.plan.turns[variable]
    }

    #[inline]
    pub(super) fn later(&self, turn: &Turn<W>) -> &[Later] {
        &self.plan.later[turn.later.0 as usize..turn.later.1 as usize]
    }

    /// The code of the vertex of this turn, in the state before the turn.
    #[inline]
    pub(super) fn own_code(&self, turn: &Turn<W>, state: &Mates<W>) -> Code {
        match turn.own.place {
            Some(place) => self.layout().get(state, place),
            None => turn.own.fresh,
        }
    }

    /// The frontier of a turn before its decision: without the vertex of the turn if this is its
    /// last, and with the vertices that enter.
    #[inline]
    pub(super) fn opened(turn: &Turn<W>, state: &Mates<W>) -> Mates<W> {
        let mut mates = *state;
        for (word, (keep, enter)) in mates.0.iter_mut().zip(turn.keep.iter().zip(&turn.enter)) {
            *word = *word & keep | enter;
        }
        mates
    }

    /// The number of vertices that may still become an end of the whole path. `own` is the code of
    /// the vertex of the turn if it has left the frontier.
    #[inline]
    pub(super) fn room(&self, turn: &Turn<W>, mates: &Mates<W>, own: Code) -> usize {
        if !self.free_ends {
            return 0;
        }
        let known = self.layout().ends(mates) + usize::from(own == self.layout().end);
        turn.ends.saturating_sub(known)
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

    /// Gives a later neighbour its second edge, to a piece whose far end is `far`.
    #[inline]
    pub(super) fn attach(&self, mates: &mut Mates<W>, later: &Later, far: Code) -> Joined {
        let own = self.layout().get(mates, later.place);
        self.layout().set_mate(mates, later.name, INNER);
        // An untouched vertex is its own far end; `join` restores its mate.
        self.join(mates, own, far)
    }

    /// The step of the state after completion.
    #[inline]
    pub(super) fn done_after(&self, variable: usize) -> Step<Mates<W>> {
        if variable + 1 == self.turns() { Step::One } else { Step::To(variable + 1, Mates::DONE) }
    }

    /// Ends a turn: removes the other vertices whose last turn it is. Returns the 0-terminal if the
    /// state has no solution, as far as [`is_viable`](Frontier::is_viable) detects that.
    pub(super) fn finish(
        &self,
        variable: usize,
        turn: &Turn<W>,
        mut mates: Mates<W>,
        mut joined: Joined,
    ) -> Step<Mates<W>> {
        if turn.leaving.0 != turn.leaving.1
            && joined == Joined::Open
            && !self.settle(turn, &mut mates, &mut joined)
        {
            return Step::Zero;
        }
        if joined == Joined::Whole {
            let nothing_else = if self.hamiltonian {
                turn.all_entered && mates == Mates::EMPTY
            } else {
                self.layout().no_piece(&mates)
            };
            return if nothing_else { self.done_after(variable) } else { Step::Zero };
        }
        if variable + 1 == self.turns() || !self.is_viable(turn, &mates) {
            return Step::Zero;
        }
        Step::To(variable + 1, mates)
    }

    /// Removes the other vertices whose last turn it is; returns whether that is possible.
    #[inline(never)]
    fn settle(&self, turn: &Turn<W>, mates: &mut Mates<W>, joined: &mut Joined) -> bool {
        for leaving in &self.plan.leaving[turn.leaving.0 as usize..turn.leaving.1 as usize] {
            let code = self.layout().get(mates, leaving.place);
            if code == INNER {
                continue;
            }
            if code == leaving.untouched {
                if self.hamiltonian {
                    return false;
                }
            } else if leaving.fixed_end || self.room(turn, mates, INNER) == 0 {
                return false;
            } else {
                // It is an end of the whole path.
                *joined = self.join(mates, code, self.layout().end);
            }
            self.layout().set_mate(mates, leaving.untouched, INNER);
            if *joined == Joined::Whole {
                return true;
            }
        }
        true
    }

    /// Whether, as far as is cheap to see, all can still get the edges they need.
    ///
    /// A vertex can get an edge to a neighbour that is not inner, but not to the other
    /// end of its own piece, unless that closes a cycle that is wanted. Who can get just
    /// what it needs must get it, and no vertex can be what more than two must get, or
    /// more than one if it has an edge already. A vertex without one of these edges
    /// becomes an end of the whole path, which has at most two.
    ///
    /// It looks only at those whom this turn may have changed something for, and at all who
    /// run short where ends are free.
    #[inline]
    pub(super) fn is_viable(&self, turn: &Turn<W>, mates: &Mates<W>) -> bool {
        let watched = &self.plan.watched[turn.watched.0 as usize..turn.watched.1 as usize];
        match watched.len() {
            0 => true,
            // Two vertices hardly ever compete for edges.
            1 | 2 => self.have_enough::<false>(turn, watched, mates),
            _ => self.have_enough_all(turn, watched, mates),
        }
    }

    #[inline(never)]
    fn have_enough_all(&self, turn: &Turn<W>, watched: &[Watched<W>], mates: &Mates<W>) -> bool {
        self.have_enough::<true>(turn, watched, mates)
    }

    /// Whether each watched vertex can get the edges it needs; with `COMPETE`, whether all of them
    /// can at the same time.
    #[inline]
    fn have_enough<const COMPETE: bool>(
        &self,
        turn: &Turn<W>,
        watched: &[Watched<W>],
        mates: &Mates<W>,
    ) -> bool {
        let layout = self.layout();
        let needs = self.needs(mates);
        // Excludes the mate of each vertex if the two ends of a piece must not be joined.
        let closing = if self.may_close(turn, &needs.available) { 0 } else { u64::MAX };
        let mut missing = 0;
        // The vertices that at least one, two, three others must be joined to.
        let (mut once, mut twice, mut thrice) = ([0; W], [0; W], [0; W]);
        for watched in watched {
            let needed = needs.of(watched);
            if needed == 0 {
                continue;
            }
            let mate = layout.flag_of(watched.code.read(mates));
            let mut flags = watched.neighbours;
            let mut edges = watched.beyond as usize;
            for i in 0..Layout::<W>::FLAG_WORDS {
                flags[i] &= needs.available[i] & !(mate[i] & closing);
                edges += up_to_three(flags[i]);
            }
            if edges < needed {
                // Only a vertex that is no fixed end may become an end, and an end needs an edge.
                missing += 1;
                if !self.free_ends || needed - edges > 1 || watched.fixed_end {
                    return false;
                }
            }
            if !COMPETE || edges != needed {
                continue;
            }
            for i in 0..Layout::<W>::FLAG_WORDS {
                let must = flags[i];
                thrice[i] |= twice[i] & must;
                twice[i] |= once[i] & must;
                once[i] |= must;
            }
        }
        for i in 0..Layout::<W>::FLAG_WORDS {
            missing += up_to_three(twice[i] & needs.one[i]) + up_to_three(thrice[i]);
        }
        missing == 0 || missing <= self.room(turn, mates, INNER)
    }

    /// Whether the two ends of a piece may be joined.
    #[inline]
    fn may_close(&self, turn: &Turn<W>, available: &Flags<W>) -> bool {
        if !self.cycles || !self.hamiltonian {
            return self.cycles;
        }
        let available = &available[..Layout::<W>::FLAG_WORDS];
        turn.all_entered && available.iter().map(|&word| up_to_three(word)).sum::<usize>() <= 2
    }

    /// The number of edges that each vertex of the frontier needs.
    #[inline]
    pub(super) fn needs(&self, mates: &Mates<W>) -> Needs<W> {
        let available = self.layout().not_inner(mates);
        let ends = self.layout().ends_of_pieces(mates);
        let mut two = [0; W];
        if self.hamiltonian {
            for i in 0..Layout::<W>::FLAG_WORDS {
                two[i] = available[i] & !ends[i];
            }
        }
        Needs { available, one: ends, two }
    }

    /// The number of edges that a watched vertex needs and cannot get, ignoring its piece.
    #[inline]
    pub(super) fn lacks(watched: &Watched<W>, needs: &Needs<W>) -> usize {
        let mut edges = watched.beyond as usize;
        for i in 0..Layout::<W>::FLAG_WORDS {
            edges += up_to_three(watched.neighbours[i] & needs.available[i]);
        }
        needs.of(watched).saturating_sub(edges)
    }

    #[inline]
    pub(super) fn watched(&self, later: &Later) -> Option<&Watched<W>> {
        self.plan.watched.get(later.watch as usize)
    }
}

/// The flags of the vertices of the frontier that are not inner, of those that need one edge, and of
/// those that need two.
pub(super) struct Needs<const W: usize> {
    available: Flags<W>,
    one: Flags<W>,
    two: Flags<W>,
}

impl<const W: usize> Needs<W> {
    #[inline]
    fn of(&self, watched: &Watched<W>) -> usize {
        let (word, bit) = watched.flag;
        let word = if Layout::<W>::FLAG_WORDS == 1 { 0 } else { word };
        let one = self.one[word] >> bit & 1;
        let two = self.two[word] >> bit & 1;
        one as usize + 2 * two as usize + watched.needs as usize
    }
}

/// The number of set bits, or three if there are more. Portable programs cannot use the instruction
/// that counts bits.
#[inline]
fn up_to_three(word: u64) -> usize {
    let less_one = word & word.wrapping_sub(1);
    let less_two = less_one & less_one.wrapping_sub(1);
    usize::from(word != 0) + usize::from(less_one != 0) + usize::from(less_two != 0)
}
