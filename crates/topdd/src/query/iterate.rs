//! Iterators over the solutions.

use crate::QueryError;
use crate::diagram::store::{FIRST_NODE, NodeId, Store, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::spec::Rule;
use std::cmp::Ordering;
use std::iter::Rev;
use std::sync::Arc;

impl<R: DiagramRule> Diagram<R> {
    /// Returns an iterator over the solutions in lexicographic order, in which variable 0 is the
    /// most significant.
    ///
    /// Lazy: the iterator contains one assignment, or two if it is advanced from both ends
    /// (`iter().rev()` is the descending order). It shares the nodes of the diagram, so it may
    /// outlive this handle. `for solution in &diagram` is the same. Each solution takes time linear
    /// in the number of variables at worst, and no memory.
    ///
    /// ```
    /// let zdd = topdd::Zdd::from_solutions([2, 3], [[1, 2], [0, 0]])?;
    /// let mut solutions = Vec::new();
    /// for solution in &zdd {
    ///     solutions.push(solution);
    /// }
    /// assert_eq!(solutions, [[0, 0], [1, 2]]);
    /// assert!(zdd.iter().rev().eq([[1, 2], [0, 0]]));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    #[doc(alias = "sat_valuations")]
    pub fn iter(&self) -> Solutions {
        let mut front = Cursor::new(&self.store, R::RULE);
        let finished = !front.start(Direction::Forward);
        Solutions { front: End::at(front), back: None, finished }
    }

    /// Returns the solutions in lexicographic order, from `start` on: the first is `start` itself
    /// if it is a solution, or else the next one after it. Cost as for [`iter`](Diagram::iter): the
    /// solutions before `start` are not visited.
    ///
    /// ```
    /// let zdd = topdd::Zdd::full([2; 3])?;
    /// let mut rest = zdd.iter_from(&[1, 0, 1])?;
    /// assert_eq!(rest.next(), Some(vec![1, 0, 1]));
    /// assert_eq!(rest.next(), Some(vec![1, 1, 0]));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one value for each variable, or a value is out of range.
    pub fn iter_from(&self, start: &[usize]) -> Result<Solutions, QueryError> {
        self.check_assignment(start)?;
        let mut front = Cursor::new(&self.store, R::RULE);
        let finished = !front.seek(Direction::Forward, start);
        Ok(Solutions { front: End::at(front), back: None, finished })
    }

    /// Returns the solutions in descending order, from `start` back to the first: the first
    /// returned is `start` itself if it is a solution, or else the next one before it. Cost as for
    /// [`iter`](Diagram::iter).
    ///
    /// ```
    /// let zdd = topdd::Zdd::full([2; 3])?;
    /// let mut rest = zdd.iter_back_from(&[1, 0, 1])?;
    /// assert_eq!(rest.next(), Some(vec![1, 0, 1]));
    /// assert_eq!(rest.next(), Some(vec![1, 0, 0]));
    /// assert_eq!(zdd.iter().next_back(), Some(vec![1, 1, 1]));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one value for each variable, or a value is out of range.
    pub fn iter_back_from(&self, start: &[usize]) -> Result<Rev<Solutions>, QueryError> {
        self.check_assignment(start)?;
        let mut solutions = self.iter();
        let mut back = Cursor::new(&self.store, R::RULE);
        solutions.finished |= !back.seek(Direction::Backward, start);
        solutions.back = Some(End::at(back));
        Ok(solutions.rev())
    }
}

/// The solutions in lexicographic order, lazily; see [`Diagram::iter`].
impl<R: DiagramRule> IntoIterator for &Diagram<R> {
    type Item = Vec<usize>;
    type IntoIter = Solutions;

    fn into_iter(self) -> Solutions {
        self.iter()
    }
}

/// The solutions of a diagram in lexicographic order; see [`Diagram::iter`].
///
/// As an iterator, from either end, it returns each solution as a new vector, with one value for
/// each variable. [`advance`](Solutions::advance) and [`advance_back`](Solutions::advance_back)
/// lend it instead, which saves a copy.
///
/// ```
/// let zdd = topdd::zdd(&topdd::constraint::exactly(3, 1))?;
/// let mut solutions = zdd.iter();
/// assert_eq!(solutions.next(), Some(vec![0, 0, 1]));
/// assert_eq!(solutions.advance(), Some(&[0, 1, 0][..]));
/// assert_eq!(solutions.advance_back(), Some(&[1, 0, 0][..]));
/// assert_eq!(solutions.next(), None);
/// # Ok::<(), topdd::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solutions {
    front: End,
    /// Made when the back is first requested.
    back: Option<End>,
    finished: bool,
}

/// One end of the remaining range.
#[derive(Clone, Debug)]
struct End {
    cursor: Cursor,
    /// Whether the cursor is at a solution that has not been returned yet.
    ready: bool,
}

impl End {
    fn at(cursor: Cursor) -> Self {
        End { cursor, ready: true }
    }

    /// Advances to the next solution from this end; `false` if the other end has returned it, or
    /// there is none.
    fn advance(&mut self, direction: Direction, other: Option<&Self>) -> bool {
        let ready = std::mem::replace(&mut self.ready, false);
        if !ready && !self.cursor.step(direction, self.cursor.values.len()) {
            return false;
        }
        let Some(other) = other else { return true };
        let order = self.cursor.values.cmp(&other.cursor.values);
        let met = if direction == Direction::Forward { Ordering::Less } else { Ordering::Greater };
        order == met || order == Ordering::Equal && other.ready
    }
}

impl Solutions {
    /// Advances to the next solution and lends it; `None` after the last.
    pub fn advance(&mut self) -> Option<&[usize]> {
        self.finished |=
            !self.finished && !self.front.advance(Direction::Forward, self.back.as_ref());
        if self.finished { None } else { Some(&self.front.cursor.values) }
    }

    /// Advances to the next solution from the back and lends it; `None` before the first.
    pub fn advance_back(&mut self) -> Option<&[usize]> {
        if self.finished {
            return None;
        }
        let back = self.back.get_or_insert_with(|| {
            let mut cursor = Cursor::new(&self.front.cursor.store, self.front.cursor.rule);
            cursor.start(Direction::Backward);
            End::at(cursor)
        });
        self.finished = !back.advance(Direction::Backward, Some(&self.front));
        if self.finished { None } else { Some(&back.cursor.values) }
    }
}

impl Iterator for Solutions {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        self.advance().map(<[usize]>::to_vec)
    }
}

impl DoubleEndedIterator for Solutions {
    fn next_back(&mut self) -> Option<Vec<usize>> {
        self.advance_back().map(<[usize]>::to_vec)
    }
}

impl std::iter::FusedIterator for Solutions {}

/// A direction of the lexicographic order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

/// A cursor from solution to solution.
#[derive(Clone, Debug)]
struct Cursor {
    store: Arc<Store>,
    rule: Rule,
    /// The current solution.
    values: Vec<usize>,
    /// For each variable, the node at that variable on the path along `values`.
    path: Vec<PathNode>,
}

/// A node and its level, or the 1-terminal, at a variable or skipping it.
#[derive(Clone, Copy, Debug)]
struct PathNode {
    node: NodeId,
    /// Meaningless for the terminal.
    level: u32,
    /// The variable of the node; the number of variables for the terminal.
    variable: u32,
}

impl Cursor {
    /// Makes a cursor before its first solution.
    fn new(store: &Arc<Store>, rule: Rule) -> Self {
        let num_vars = store.arities.num_vars();
        let nowhere = PathNode { node: ZERO, level: 0, variable: 0 };
        Cursor {
            values: vec![0; num_vars],
            path: vec![nowhere; num_vars],
            store: Arc::clone(store),
            rule,
        }
    }

    /// Goes to the first solution in this direction; `false` if there is none.
    fn start(&mut self, direction: Direction) -> bool {
        let Some(place) = self.root() else { return false };
        self.complete(direction, 0, place);
        true
    }

    /// Returns the place of the root; `None` if it is the 0-terminal.
    fn root(&self) -> Option<PathNode> {
        let store = &self.store;
        (store.root != ZERO).then(|| self.place(store.root, store.level_count()))
    }

    /// Returns the place of `node`, which is on one of the lowest `below` levels or a terminal.
    fn place(&self, node: NodeId, below: usize) -> PathNode {
        let store = &self.store;
        if node < FIRST_NODE {
            return PathNode { node, level: 0, variable: store.arities.num_vars() as u32 };
        }
        let level = store.level_of(node, below);
        PathNode { node, level: level as u32, variable: store.level(level).variable as u32 }
    }

    /// Returns the first value of `variable` in this direction, from `from` on, that has solutions
    /// from the current place, and the place it leads to.
    #[inline]
    fn choose(
        &self,
        direction: Direction,
        variable: usize,
        from: usize,
    ) -> Option<(usize, PathNode)> {
        let place = self.path[variable];
        if place.variable as usize > variable {
            let most = match self.rule {
                Rule::ZeroSuppressed => 0,
                Rule::AnyValue => self.store.arities.get(variable) - 1,
            };
            return match direction {
                Direction::Forward => (from <= most).then_some((from, place)),
                Direction::Backward => Some((from.min(most), place)),
            };
        }
        let level = self.store.level(place.level as usize);
        let position = (place.node - level.first) as usize;
        let edge = match direction {
            Direction::Forward => level.edge_from(position, from),
            Direction::Backward => level.edge_to(position, from),
        }?;
        Some((edge.value as usize, self.place(edge.target, place.level as usize)))
    }

    /// Sets the variables from `variable` on to their first values in this direction.
    fn complete(&mut self, direction: Direction, variable: usize, mut place: PathNode) {
        for variable in variable..self.values.len() {
            self.path[variable] = place;
            let from = match direction {
                Direction::Forward => 0,
                Direction::Backward => self.store.arities.get(variable) - 1,
            };
            // Every node of a reduced diagram has a solution below it.
            let (value, next) = self.choose(direction, variable, from).expect("no node is dead");
            self.values[variable] = value;
            place = next;
        }
    }

    /// Goes to the next solution in this direction that differs at some variable before `end`;
    /// `false` if there is none.
    fn step(&mut self, direction: Direction, end: usize) -> bool {
        for variable in (0..end).rev() {
            let value = self.values[variable];
            let from = match direction {
                Direction::Forward => Some(value + 1),
                Direction::Backward => value.checked_sub(1),
            };
            if let Some((value, next)) =
                from.and_then(|from| self.choose(direction, variable, from))
            {
                self.values[variable] = value;
                self.complete(direction, variable + 1, next);
                return true;
            }
        }
        false
    }

    /// Goes to `start`, or else to the next solution in this direction; `false` if there is none.
    fn seek(&mut self, direction: Direction, start: &[usize]) -> bool {
        let Some(mut place) = self.root() else { return false };
        for (variable, &wanted) in start.iter().enumerate() {
            self.path[variable] = place;
            let Some((value, next)) = self.choose(direction, variable, wanted) else {
                return self.step(direction, variable);
            };
            self.values[variable] = value;
            if value != wanted {
                self.complete(direction, variable + 1, next);
                return true;
            }
            place = next;
        }
        true
    }
}
