//! Iterators over the solutions, also as sets of variables, and membership.

use crate::diagram::store::{FIRST_NODE, NodeId, NodeStore, ONE, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::{QueryError, Rule};
use std::cmp::Ordering;
use std::iter::{FusedIterator, Rev};
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
        Solutions { front: SolutionEnd::at(front), back: None, finished }
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
        Ok(Solutions { front: SolutionEnd::at(front), back: None, finished })
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
        solutions.back = Some(SolutionEnd::at(back));
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
    front: SolutionEnd,
    /// Made when the back is first requested.
    back: Option<SolutionEnd>,
    finished: bool,
}

/// One end of the remaining range.
#[derive(Clone, Debug)]
struct SolutionEnd {
    cursor: Cursor,
    /// Whether the cursor is at a solution that has not been returned yet.
    ready: bool,
}

impl SolutionEnd {
    fn at(cursor: Cursor) -> Self {
        SolutionEnd { cursor, ready: true }
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
            SolutionEnd::at(cursor)
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
    store: Arc<NodeStore>,
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
    fn new(store: &Arc<NodeStore>, rule: Rule) -> Self {
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

impl<R: DiagramRule> Diagram<R> {
    /// Returns the solutions as sets: for each, the variables with the value 1, in ascending order.
    ///
    /// Lazy, and in the order of [`iter`](Diagram::iter): lexicographic in the values, so that
    /// the empty set is first. Each set takes time linear in the number of variables at worst.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// let zdd = Zdd::from_solutions([2, 2, 2], [[0, 0, 0], [1, 0, 1], [0, 1, 0]])?;
    /// let sets: Vec<Vec<usize>> = zdd.iter_sets().collect();
    /// assert_eq!(sets, [vec![], vec![1], vec![0, 2]]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If a variable has other than two values. [`iter`](Diagram::iter) reads any diagram, and
    /// [`encode`](Diagram::encode) makes a two-valued one.
    #[doc(alias = "sets")]
    #[track_caller]
    pub fn iter_sets(&self) -> Sets {
        let arities = &self.store.arities;
        if let Some(variable) = arities.first_not_two_valued() {
            panic!(
                "variable {variable} has {} values, and only solutions over two-valued variables \
                 are sets (call iter, or encode the diagram first: Encoding::new and \
                 Diagram::encode)",
                arities.get(variable)
            );
        }
        Sets { solutions: self.iter() }
    }
}

/// The solutions of a two-valued diagram as sets of variables, an iterator from either end.
#[derive(Clone, Debug)]
pub struct Sets {
    solutions: Solutions,
}

/// The variables with the value 1.
pub(crate) fn members(solution: &[usize]) -> Vec<usize> {
    let ones = solution.iter().enumerate().filter(|&(_, &value)| value == 1);
    ones.map(|(variable, _)| variable).collect()
}

impl Iterator for Sets {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        self.solutions.advance().map(members)
    }
}

impl DoubleEndedIterator for Sets {
    fn next_back(&mut self) -> Option<Vec<usize>> {
        self.solutions.advance_back().map(members)
    }
}

impl FusedIterator for Sets {}

impl<R: DiagramRule> Diagram<R> {
    /// Returns whether `assignment`, one value for each variable, is a solution. Cost: one step for
    /// each node on its path.
    ///
    /// ```
    /// let few = topdd::zdd(&topdd::constraint::at_most(3, 1))?;
    /// assert!(few.contains(&[0, 1, 0])?);
    /// assert!(!few.contains(&[0, 1, 1])?);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one value for each variable, or a value is out of range.
    pub fn contains(&self, assignment: &[usize]) -> Result<bool, QueryError> {
        self.check_assignment(assignment)?;
        let mut cursor = self.store.cursor();
        for (variable, &value) in assignment.iter().enumerate() {
            let next = self.store.advance(R::RULE, cursor, variable, value);
            let Some(next) = next else { return Ok(false) };
            cursor = next;
        }
        Ok(cursor.is_solution())
    }

    /// Fails if the values are not an assignment to the variables of this diagram.
    pub(crate) fn check_assignment(&self, assignment: &[usize]) -> Result<(), QueryError> {
        self.store.arities.check_assignment(assignment)
    }
}

impl NodeStore {
    /// The position before the first variable.
    #[inline]
    pub(crate) fn cursor(&self) -> PathCursor {
        self.cursor_at(self.root, self.level_count())
    }

    /// Decides the next variable. `None` if no solution begins with the values decided.
    #[inline]
    pub(crate) fn advance(
        &self,
        rule: Rule,
        cursor: PathCursor,
        variable: usize,
        value: usize,
    ) -> Option<PathCursor> {
        if variable < cursor.variable {
            let allowed = rule.allows(value) && (cursor.node >= FIRST_NODE || cursor.node == ONE);
            return allowed.then_some(cursor);
        }
        let level = self.level(cursor.level);
        let child = level.child((cursor.node - level.first) as usize, value);
        (child >= FIRST_NODE || child == ONE).then(|| self.cursor_at(child, cursor.level))
    }

    /// The position at a node, which is below a level.
    #[inline]
    fn cursor_at(&self, node: NodeId, below: usize) -> PathCursor {
        if node < FIRST_NODE {
            return PathCursor { node, level: below, variable: usize::MAX };
        }
        let level = self.level_of(node, below);
        PathCursor { node, level, variable: self.level(level).variable }
    }
}

/// A position in a diagram between two variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathCursor {
    node: NodeId,
    /// The level of the node.
    level: usize,
    /// The variable of the node, which is decided next or later; `usize::MAX` at a terminal.
    variable: usize,
}

impl PathCursor {
    /// The node at which the undecided variables are decided, or the 1-terminal.
    pub(crate) fn node(self) -> NodeId {
        self.node
    }

    /// Whether the values decided are a solution, if all variables are decided.
    pub(crate) fn is_solution(self) -> bool {
        self.node == ONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::{both_rules, diagram_of, drawn_over, panic_of};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sets_are_the_ones_of_the_solutions_from_both_ends(seed: u64, num_vars in 0..6usize) {
            both_rules!(check(seed, num_vars));
        }
    }

    fn check<R: DiagramRule>(seed: u64, num_vars: usize) {
        let (diagram, solutions) = drawn_over::<R>(&vec![2; num_vars], seed);
        let expected: Vec<Vec<usize>> = solutions
            .iter()
            .map(|solution| (0..num_vars).filter(|&v| solution[v] == 1).collect())
            .collect();
        let sets = diagram.iter_sets();
        assert!(sets.clone().eq(expected.clone()));
        assert!(sets.rev().eq(expected.into_iter().rev()));
    }

    #[test]
    fn a_loop_over_the_sets_needs_no_unwrapping() {
        let mut sizes = Vec::new();
        for set in crate::Zdd::full([2; 2]).unwrap().iter_sets() {
            sizes.push(set.len());
        }
        assert_eq!(sizes, [0, 1, 1, 2]);
    }

    #[test]
    fn variables_of_other_arities_panic_at_the_line_of_the_caller() {
        let ternary = diagram_of::<crate::diagram::AnyValue>(&[2, 3], vec![vec![1, 2]]);
        let (at, message) = panic_of(|| ternary.iter_sets());
        assert_eq!(at, (file!().to_owned(), line!() - 1));
        assert!(message.starts_with("variable 1 has 3 values, and only"), "{message}");
    }
}
