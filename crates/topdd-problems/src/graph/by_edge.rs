//! One variable per edge.

use topdd::{DdSpec, Step};

use super::frontier::{Frontier, Joined};
use super::mates::{INNER, Mates};
use super::walks::{Encoding, WalkError, Walks};

/// The spec of [`Walks`] with one two-valued variable per edge: variable `e` is edge
/// number `e` of [`Graph::edges`](super::Graph::edges), its value 1 where the edge is
/// taken. A solution is the set of its edges.
///
/// The state is the *mate* array of the frontier, packed into `W` words: for each vertex
/// with decided and undecided edges, the other end of the piece of path it ends. This
/// is the frontier method, Simpath: D. E. Knuth, *The Art of Computer Programming* 4A,
/// 7.1.4, exercise 225; K. Sekine and H. Imai, *Counting the number of paths in a graph
/// via BDDs*, IEICE Trans. Fundamentals E80-A (1997).
///
/// The spec never skips a variable, so it means the same under both rules.
///
/// # Example
///
/// ```
/// use topdd::{DdSpec, Step};
/// use topdd_problems::graph::{ByEdge, Graph, Walks};
///
/// let triangle = Walks::cycles(Graph::new(3, [(0, 1), (0, 2), (1, 2)])?);
/// let spec = ByEdge::<1>::new(&triangle)?;
/// let Step::To(0, mut state) = spec.root() else { unreachable!() };
/// for edge in 0..2 {
///     let Step::To(next, child) = spec.child(&state, edge, 1) else { unreachable!() };
///     assert_eq!(next, edge + 1);
///     state = child;
/// }
/// assert_eq!(spec.child(&state, 2, 1), Step::One); // the cycle closes
/// assert_eq!(spec.child(&state, 2, 0), Step::Zero);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ByEdge<const W: usize = 2> {
    frontier: Frontier<W>,
}

impl<const W: usize> ByEdge<W> {
    /// The spec of `walks`.
    ///
    /// # Errors
    ///
    /// - [`WalkError::TooWide`] if `W` words are too few, with the number that would do;
    ///   [`Walks::visit`] chooses it for you.
    /// - The others of [`WalkError`] if the fixed ends make no sense.
    pub fn new(walks: &Walks) -> Result<Self, WalkError> {
        Ok(Self { frontier: Frontier::new(walks, Encoding::ByEdge)? })
    }
}

impl<const W: usize> DdSpec for ByEdge<W> {
    type State = Mates<W>;

    fn num_vars(&self) -> usize {
        self.frontier.turns()
    }

    fn root(&self) -> Step<Mates<W>> {
        self.frontier.root()
    }

    #[inline]
    fn child(&self, state: &Mates<W>, edge: usize, value: usize) -> Step<Mates<W>> {
        let frontier = &self.frontier;
        if *state == Mates::DONE {
            return if value == 0 { frontier.done_after(edge) } else { Step::Zero };
        }
        let turn = frontier.turn(edge);
        let own = frontier.own_code(turn, state);
        let mut mates = Frontier::opened(turn, state);
        let end = frontier.layout().end;

        if value == 0 {
            if turn.own.stays.is_some() || own == INNER {
                return frontier.finish(edge, turn, mates, Joined::Open);
            }
            if own == turn.own.untouched {
                if frontier.hamiltonian {
                    return Step::Zero;
                }
                return frontier.finish(edge, turn, mates, Joined::Open);
            }
            // It leaves with a single edge: an end of the whole path.
            if turn.own.fixed_end || frontier.room(turn, &mates, own) == 0 {
                return Step::Zero;
            }
            let joined = frontier.join(&mut mates, own, end);
            return frontier.finish(edge, turn, mates, joined);
        }

        let [later] = frontier.later(turn) else { unreachable!("an edge has one larger end") };
        if own == INNER || frontier.layout().get(&mates, later.place) == INNER {
            return Step::Zero;
        }
        // A newcomer may have the slot of one that leaves untouched, so that the name of the
        // newcomer is its code: only who is not untouched has a mate to compare with.
        let untouched = own == turn.own.untouched;
        if !untouched && own == later.name {
            // They are the two ends of one piece.
            if !frontier.cycles {
                return Step::Zero;
            }
            frontier.layout().set(&mut mates, later.place, INNER);
            if let Some(place) = turn.own.stays {
                frontier.layout().set(&mut mates, place, INNER);
            }
            return frontier.finish(edge, turn, mates, Joined::Whole);
        }
        let mut far = own;
        if let Some(place) = turn.own.stays {
            frontier.layout().set(&mut mates, place, INNER);
        } else if untouched {
            // Its only edge: an end of the whole path.
            if frontier.room(turn, &mates, own) == 0 {
                return Step::Zero;
            }
            far = end;
        }
        let joined = frontier.attach(&mut mates, later.place, far);
        frontier.finish(edge, turn, mates, joined)
    }

    /// An edge to a vertex that has both its edges cannot be taken, and so on; after the
    /// last edge of the path or cycle none can.
    #[inline]
    fn bypass(&self, state: &Mates<W>, edge: usize) -> Option<Step<Mates<W>>> {
        if *state == Mates::DONE {
            return Some(Step::One);
        }
        let frontier = &self.frontier;
        let turn = frontier.turn(edge);
        let own = frontier.own_code(turn, state);
        let impossible = own == INNER || {
            let [later] = frontier.later(turn) else { unreachable!("an edge has one larger end") };
            let mates = Frontier::opened(turn, state);
            if frontier.layout().get(&mates, later.place) == INNER {
                true
            } else if own == turn.own.untouched {
                // Its only edge would make it an end of the whole path.
                turn.own.stays.is_none() && frontier.room(turn, &mates, own) == 0
            } else {
                own == later.name && !frontier.cycles
            }
        };
        impossible.then(|| self.child(state, edge, 0))
    }

    fn describe(&self, state: &Mates<W>) -> String {
        format!("{state:?}")
    }
}
