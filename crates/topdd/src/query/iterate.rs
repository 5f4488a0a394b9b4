//! The solutions one by one.

use crate::Error;
use crate::diagram::store::{FIRST_NODE, LevelView, NodeId, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::spec::Rule;

impl<R: DiagramRule> Diagram<R> {
    /// The solutions in lexicographic order, the value of variable 0 counting most.
    ///
    /// Lazy: nothing is computed before it is asked for, and the iterator holds one
    /// assignment. It shares the nodes of the diagram, so it may outlive this handle.
    pub fn iter(&self) -> Solutions<R> {
        Solutions::new(self.clone())
    }

    /// The solutions in lexicographic order, from `start` on: the first is `start` itself
    /// if it is a solution, or else the next one after it.
    ///
    /// ```
    /// # use topdd::{DdSpec, Step};
    /// # struct Any; impl DdSpec for Any {
    /// #     type State = (); fn num_vars(&self) -> usize { 3 }
    /// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
    /// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
    /// #         if v == 2 { Step::One } else { Step::To(v + 1, ()) } } }
    /// let zdd = topdd::zdd(&Any)?;
    /// let mut rest = zdd.iter_from(&[1, 0, 1])?;
    /// assert_eq!(rest.next(), Some(vec![1, 0, 1]));
    /// assert_eq!(rest.next(), Some(vec![1, 1, 0]));
    /// # Ok::<(), topdd::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When `start` has not as many values as there are variables, or a value that its
    /// variable does not have.
    pub fn iter_from(&self, start: &[usize]) -> Result<Solutions<R>, Error> {
        self.check_assignment(start)?;
        let mut solutions = Solutions::new(self.clone());
        solutions.seek(start);
        Ok(solutions)
    }
}

impl<R: DiagramRule> IntoIterator for &Diagram<R> {
    type Item = Vec<usize>;
    type IntoIter = Solutions<R>;

    fn into_iter(self) -> Solutions<R> {
        self.iter()
    }
}

/// The solutions of a diagram in lexicographic order; see [`Diagram::iter`].
///
/// As an iterator it answers each solution as a vector of its own, with one value for
/// each variable. [`advance`](Solutions::advance) lends it instead, which spares a copy
/// where there are many variables.
#[derive(Clone, Debug)]
pub struct Solutions<R: DiagramRule> {
    diagram: Diagram<R>,
    values: Vec<usize>,
    /// For each variable, where the walk along `values` stands when it comes to it.
    places: Vec<Place>,
    /// The next solution is in `values` already.
    ready: bool,
    finished: bool,
}

/// A node and its level, or the 1-terminal, at a variable or skipping it.
#[derive(Clone, Copy, Debug)]
struct Place {
    node: NodeId,
    /// Meaningless for the terminal.
    level: u32,
    /// The variable of the node; the number of variables for the terminal.
    variable: u32,
}

impl<R: DiagramRule> Solutions<R> {
    fn new(diagram: Diagram<R>) -> Self {
        let num_vars = diagram.num_vars();
        let root = diagram.store.root;
        let mut solutions = Solutions {
            values: vec![0; num_vars],
            places: vec![Place { node: ZERO, level: 0, variable: 0 }; num_vars],
            ready: true,
            finished: root == ZERO,
            diagram,
        };
        if !solutions.finished {
            let place = solutions.place(root, solutions.diagram.store.level_count());
            solutions.complete(0, place);
        }
        solutions
    }

    /// Goes to the next solution and lends it; `None` after the last.
    pub fn advance(&mut self) -> Option<&[usize]> {
        if !self.ready && !self.finished {
            self.finished = !self.raise(self.values.len());
        }
        self.ready = false;
        if self.finished { None } else { Some(&self.values) }
    }

    /// The place of `node`, which is on one of the lowest `below` levels or a terminal.
    fn place(&self, node: NodeId, below: usize) -> Place {
        let store = &self.diagram.store;
        if node < FIRST_NODE {
            return Place { node, level: 0, variable: store.arities.num_vars() as u32 };
        }
        let level = store.level_of(node, below);
        Place { node, level: level as u32, variable: store.level(level).variable as u32 }
    }

    fn level(&self, place: Place) -> LevelView<'_> {
        self.diagram.store.level(place.level as usize)
    }

    /// The least value of `variable` from `from` on that has solutions, seen from where
    /// the walk stands there, and the place it leads to.
    #[inline]
    fn choose(&self, variable: usize, from: usize) -> Option<(usize, Place)> {
        let place = self.places[variable];
        if place.variable as usize > variable {
            let most = match R::RULE {
                Rule::ZeroSuppressed => 1,
                Rule::AnyValue => self.diagram.store.arities.get(variable),
            };
            return (from < most).then_some((from, place));
        }
        let level = self.level(place);
        let edge = level.edge_from((place.node - level.first) as usize, from)?;
        Some((edge.value as usize, self.place(edge.target, place.level as usize)))
    }

    /// Gives the variables from `variable` on their least values.
    fn complete(&mut self, variable: usize, mut place: Place) {
        for variable in variable..self.values.len() {
            self.places[variable] = place;
            // Every node of a reduced diagram has a solution below it.
            let (value, next) = self.choose(variable, 0).expect("no node is dead");
            self.values[variable] = value;
            place = next;
        }
    }

    /// Goes to the least solution that has a greater value at some variable before `end`
    /// and the same values before that one; `false` when there is none.
    fn raise(&mut self, end: usize) -> bool {
        for variable in (0..end).rev() {
            if let Some((value, next)) = self.choose(variable, self.values[variable] + 1) {
                self.values[variable] = value;
                self.complete(variable + 1, next);
                return true;
            }
        }
        false
    }

    /// Goes to the first solution that is not before `start`.
    fn seek(&mut self, start: &[usize]) {
        if self.finished {
            return;
        }
        let mut place = self.place(self.diagram.store.root, self.diagram.store.level_count());
        for (variable, &wanted) in start.iter().enumerate() {
            self.places[variable] = place;
            let Some((value, next)) = self.choose(variable, wanted) else {
                self.finished = !self.raise(variable);
                return;
            };
            self.values[variable] = value;
            if value > wanted {
                self.complete(variable + 1, next);
                return;
            }
            place = next;
        }
    }
}

impl<R: DiagramRule> Iterator for Solutions<R> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        self.advance().map(<[usize]>::to_vec)
    }
}

impl<R: DiagramRule> std::iter::FusedIterator for Solutions<R> {}
