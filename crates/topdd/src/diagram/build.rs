//! Construction of diagrams: from specs, as constants, and from lists of solutions.

use super::reduce::{ReductionMemory, reduce};
use super::store::NodeStore;
use super::{AnyValue, Bdd, Diagram, DiagramRule, Zdd, ZeroSuppressed};
use crate::frontier::{Built, Engine, Peers};
use crate::spec::{Arities, DdSpec, Forced, Portable, Rule, Space, SpecExt, Step};
use crate::{BuildError, Frontier, QueryError};
use std::ops::ControlFlow;

impl<S> Frontier<'_, S> {
    /// Builds and reduces the ZDD of the spec: skipped variables are 0.
    ///
    /// Cost as for [`zdd`](crate::zdd()), within the limits that are set. Each call is a run of its
    /// own.
    ///
    /// ```
    /// use topdd::{Frontier, constraint};
    ///
    /// let pairs = constraint::exactly(8, 2);
    /// let mut frontier = Frontier::over(&pairs).memory_limit(1 << 20);
    /// assert_eq!(frontier.zdd()?.count(), 28u32.into());
    /// assert_eq!(frontier.bdd()?.count(), 28u32.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the spec breaks its contract, a limit is reached, the run is cancelled, or
    /// the diagram has more nodes than can be numbered.
    pub fn zdd(&mut self) -> Result<Zdd, BuildError> {
        self.diagram()
    }

    /// Builds and reduces the BDD of the spec: skipped variables may have any value. Cost as for
    /// [`zdd`](Frontier::zdd).
    ///
    /// # Errors
    ///
    /// When the spec breaks its contract, a limit is reached, the run is cancelled, or the diagram has
    /// more nodes than can be numbered.
    pub fn bdd(&mut self) -> Result<Bdd, BuildError> {
        self.diagram()
    }

    /// Builds and reduces the diagram of the spec under the rule `R`.
    ///
    /// For code that is generic over the rule; otherwise call [`zdd`](Frontier::zdd) or
    /// [`bdd`](Frontier::bdd).
    ///
    /// ```
    /// use topdd::{BuildError, DdSpec, Frontier, diagram::DiagramRule};
    ///
    /// fn nodes<R: DiagramRule>(spec: &impl DdSpec) -> Result<usize, BuildError> {
    ///     Ok(Frontier::over(spec).diagram::<R>()?.node_count())
    /// }
    ///
    /// let free = topdd::constraint::at_most(5, 5); // all assignments
    /// assert_eq!(nodes::<topdd::diagram::ZeroSuppressed>(&free)?, 5);
    /// assert_eq!(nodes::<topdd::diagram::AnyValue>(&free)?, 0);
    /// # Ok::<(), BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the spec breaks its contract, a limit is reached, the run is cancelled, or the diagram has
    /// more nodes than can be numbered.
    pub fn diagram<R: DiagramRule>(&mut self) -> Result<Diagram<R>, BuildError> {
        let store = store(&mut self.engine, R::RULE)?;
        Ok(Diagram::new(store))
    }

    /// Does the same as [`diagram`](Frontier::diagram), over the processes of a mesh: the first one
    /// receives the diagram, and the others `None`. Not covered by semantic versioning.
    #[doc(hidden)]
    pub fn diagram_in_first<R: DiagramRule>(&mut self) -> Result<Option<Diagram<R>>, BuildError> {
        Ok(store_in_first(&mut self.engine, R::RULE)?.map(Diagram::new))
    }
}

// Not generic, so it is compiled once.
fn store(engine: &mut Engine<'_>, rule: Rule) -> Result<NodeStore, BuildError> {
    let store = store_in_first(engine, rule)?;
    Ok(store.expect("of several processes, the others ask for the diagram in the first"))
}

/// Builds by the engine for boxed specs, which is compiled in this library.
pub(crate) fn boxed(
    spec: impl DdSpec<State: Portable> + Send,
    rule: Rule,
) -> Result<NodeStore, BuildError> {
    store(&mut Frontier::of(spec.boxed()).engine, rule)
}

/// The store of the diagram, if this is the first or the only process.
fn store_in_first(engine: &mut Engine<'_>, rule: Rule) -> Result<Option<NodeStore>, BuildError> {
    let built = engine.build(rule).and_then(|built| {
        let Built { unreduced, checkpoint, mut monitor, mesh } = built;
        let peers = mesh.map(|mesh| Peers::new(mesh, monitor.watch.clone()));
        let store =
            reduce(ReductionMemory::for_run(&monitor), unreduced, rule, &mut monitor, peers)?;
        Ok((store, checkpoint))
    });
    let (store, checkpoint) = engine.tell_others(built)?;
    engine.finish(checkpoint);
    Ok(store)
}

/// Builds and reduces the ZDD of `spec`: skipped variables are 0. The short form of
/// [`Frontier::zdd`], without limits.
///
/// Cost: one call of [`DdSpec::for_each_child`] for each state. Memory: all edges, and the states of
/// the levels in progress. Then a reduction sorts the nodes of each level. Both run on the threads
/// of the current rayon pool.
///
/// ```
/// let zdd = topdd::zdd(&topdd::constraint::at_most(4, 2))?;
/// assert_eq!(zdd.count(), 11u32.into()); // 1 + 4 + 6 subsets of at most 2 of 4
/// # Ok::<(), topdd::BuildError>(())
/// ```
///
/// # Errors
///
/// When the spec breaks its contract, or the diagram has more nodes than can be numbered.
pub fn zdd<S: DdSpec>(spec: &S) -> Result<Zdd, BuildError> {
    Frontier::over(spec).zdd()
}

/// Builds and reduces the BDD of `spec`: skipped variables may have any value. The short form of
/// [`Frontier::bdd`], without limits. Cost as for [`zdd`].
///
/// ```
/// // Variable 0 is 1. Variables 1 and 2 are free, so they have no nodes.
/// let first = topdd::constraint::at_least(3, 1).on([0]);
/// assert_eq!(topdd::bdd(&first)?.count(), 4u32.into());
/// assert_eq!(topdd::bdd(&first)?.node_count(), 1);
/// # Ok::<(), topdd::BuildError>(())
/// ```
///
/// # Errors
///
/// When the spec breaks its contract, or the diagram has more nodes than can be numbered.
pub fn bdd<S: DdSpec>(spec: &S) -> Result<Bdd, BuildError> {
    Frontier::over(spec).bdd()
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the same family as a diagram under the rule `Q`.
    ///
    /// Cost: a sweep over the nodes. The result may be larger: each node occurs once more at each
    /// variable that edges to it skip, so it has at most `num_vars` times as many nodes.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// let zdd = Zdd::from_solutions([2; 3], [[0, 1, 0]])?;
    /// let bdd = zdd.to_bdd()?;
    /// assert_eq!((zdd.node_count(), bdd.node_count()), (1, 3));
    /// assert!(bdd.iter().eq(zdd.iter()));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the result has more nodes than can be numbered.
    pub fn to_rule<Q: DiagramRule>(&self) -> Result<Diagram<Q>, BuildError> {
        Frontier::over(self).diagram()
    }
}

impl Diagram<ZeroSuppressed> {
    /// Returns the same family as a BDD. Cost as for [`to_rule`](Diagram::to_rule).
    ///
    /// # Errors
    ///
    /// When the result has more nodes than can be numbered.
    pub fn to_bdd(&self) -> Result<Bdd, BuildError> {
        self.to_rule()
    }
}

impl Diagram<AnyValue> {
    /// Returns the same family as a ZDD. Cost as for [`to_rule`](Diagram::to_rule).
    ///
    /// ```
    /// use topdd::{Bdd, Zdd};
    ///
    /// assert_eq!(Bdd::full([2; 3])?.to_zdd()?, Zdd::full([2; 3])?);
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the result has more nodes than can be numbered.
    pub fn to_zdd(&self) -> Result<Zdd, BuildError> {
        self.to_rule()
    }
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the diagram without solutions over the variables of `space`, such as `[2, 3, 4]` or the
    /// variables of another diagram, `&other`.
    ///
    /// Cost: linear in the number of variables.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// let none = Zdd::empty([2, 3, 4])?;
    /// assert!(none.is_empty());
    /// assert_eq!((none.num_vars(), none.arity(2)), (3, 4));
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When an arity is 0 or above `u32::MAX`, or there are more than 2^31 - 2 variables.
    pub fn empty(space: impl Into<Space>) -> Result<Self, BuildError> {
        Frontier::over(&Constant { space: space.into(), full: false }).threads(1).diagram()
    }

    /// Returns the diagram of all assignments to the variables of `space`.
    ///
    /// It has one node for each variable of more than one value under [`Rule::ZeroSuppressed`], and
    /// none under [`Rule::AnyValue`]. Cost: linear in the number of variables.
    ///
    /// ```
    /// use topdd::{Bdd, Zdd};
    ///
    /// let all = Zdd::full([2, 3, 4])?;
    /// assert_eq!((all.count(), all.node_count()), (24u32.into(), 3));
    /// assert_eq!(Bdd::full([2, 3, 4])?.node_count(), 0);
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When an arity is 0 or above `u32::MAX`, or there are more than 2^31 - 2 variables.
    pub fn full(space: impl Into<Space>) -> Result<Self, BuildError> {
        Frontier::over(&Constant { space: space.into(), full: true }).threads(1).diagram()
    }

    /// Returns the diagram of a list of solutions over the variables of `space`.
    ///
    /// A solution has one value for each variable. The list may be in any order and name a
    /// solution more than once.
    ///
    /// Cost: one sort of the list, which is copied, and a sweep of at most one state for each
    /// value in it.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// let zdd = Zdd::from_solutions([2, 3], [[1, 2], [0, 0], [1, 2]])?;
    /// assert_eq!(zdd.iter().collect::<Vec<_>>(), [[0, 0], [1, 2]]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// - When the variables are refused as by [`empty`](Diagram::empty).
    /// - [`QueryError::AssignmentLength`] and [`QueryError::ValueOutOfRange`] when a solution is not an
    ///   assignment to these variables.
    pub fn from_solutions(
        space: impl Into<Space>,
        solutions: impl IntoIterator<Item: AsRef<[usize]>>,
    ) -> Result<Self, QueryError> {
        let list = SolutionList::new(space, solutions)?;
        Ok(Frontier::over(&list).diagram()?)
    }
}

/// All assignments, or none.
struct Constant {
    space: Space,
    full: bool,
}

impl DdSpec for Constant {
    /// All variables so far are decided, each by any value.
    type State = ();

    fn num_vars(&self) -> usize {
        self.space.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.space.arity(variable)
    }

    fn root(&self) -> Step<()> {
        self.root_under(Rule::ZeroSuppressed)
    }

    fn root_under(&self, rule: Rule) -> Step<()> {
        match rule {
            _ if !self.full => Step::Zero,
            // Skipped variables have any value.
            Rule::AnyValue => Step::One,
            Rule::ZeroSuppressed => self.step(0),
        }
    }

    fn child(&self, (): &(), variable: usize, _value: usize) -> Step<()> {
        self.step(variable + 1)
    }
}

impl Constant {
    fn step(&self, next: usize) -> Step<()> {
        if next == self.space.num_vars() { Step::One } else { Step::To(next, ()) }
    }
}

/// A sorted list of different solutions as a spec; a state is a range of the list.
struct SolutionList {
    space: Space,
    solutions: Vec<Vec<usize>>,
}

impl SolutionList {
    fn new(
        space: impl Into<Space>,
        solutions: impl IntoIterator<Item: AsRef<[usize]>>,
    ) -> Result<Self, QueryError> {
        let mut list = SolutionList { space: space.into(), solutions: Vec::new() };
        let arities = Arities::from_spec(&list)?;
        for solution in solutions {
            let solution = solution.as_ref();
            arities.check_assignment(solution)?;
            list.solutions.push(solution.to_vec());
        }
        list.solutions.sort_unstable();
        list.solutions.dedup();
        Ok(list)
    }

    fn step(&self, next: usize, from: usize, to: usize) -> Step<(usize, usize)> {
        if from == to {
            Step::Zero
        } else if next == self.space.num_vars() {
            Step::One
        } else {
            Step::To(next, (from, to))
        }
    }
}

impl DdSpec for SolutionList {
    type State = (usize, usize);

    fn num_vars(&self) -> usize {
        self.space.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.space.arity(variable)
    }

    fn root(&self) -> Step<(usize, usize)> {
        self.step(0, 0, self.solutions.len())
    }

    fn child(
        &self,
        &(from, to): &(usize, usize),
        variable: usize,
        value: usize,
    ) -> Step<(usize, usize)> {
        let range = &self.solutions[from..to];
        let start = from + range.partition_point(|solution| solution[variable] < value);
        let end = from + range.partition_point(|solution| solution[variable] <= value);
        self.step(variable + 1, start, end)
    }

    fn for_each_child<B>(
        &self,
        &(from, to): &(usize, usize),
        variable: usize,
        mut visit: impl FnMut(usize, Step<(usize, usize)>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut start = from;
        while start < to {
            let value = self.solutions[start][variable];
            let rest = &self.solutions[start..to];
            let end = start + rest.partition_point(|solution| solution[variable] == value);
            visit(value, self.step(variable + 1, start, end))?;
            start = end;
        }
        ControlFlow::Continue(())
    }

    fn forced(&self, &(from, to): &(usize, usize), variable: usize) -> Forced<(usize, usize)> {
        let (first, last) = (self.solutions[from][variable], self.solutions[to - 1][variable]);
        if first == last {
            Forced::to(first, self.step(variable + 1, from, to))
        } else {
            Forced::Free
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::{Draw, both_rules};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_list_in_any_order_gives_the_diagram_of_its_solutions(seed: u64) {
            both_rules!(check_list(seed));
        }

        #[test]
        fn constants_have_all_assignments_or_none(
            arities in proptest::collection::vec(1..4usize, 0..5),
        ) {
            both_rules!(check_constants(&arities));
        }
    }

    fn check_list<R: DiagramRule>(seed: u64) {
        let mut draw = Draw(seed);
        let arities: Vec<usize> = (0..draw.below(5)).map(|_| 1 + draw.below(3)).collect();
        let drawn: Vec<Vec<usize>> = (0..draw.below(12))
            .map(|_| arities.iter().map(|&arity| draw.below(arity)).collect())
            .collect();
        let diagram = Diagram::<R>::from_solutions(arities.clone(), &drawn).unwrap();
        let mut expected = drawn.clone();
        expected.sort();
        expected.dedup();
        assert_eq!(diagram.iter().collect::<Vec<_>>(), expected);
        // The diagram as a spec gives the canonical form once more.
        assert_eq!(Frontier::over(&diagram).diagram::<R>().unwrap(), diagram);
    }

    fn check_constants<R: DiagramRule>(arities: &[usize]) {
        let (empty, full) =
            (Diagram::<R>::empty(arities).unwrap(), Diagram::<R>::full(arities).unwrap());
        assert_eq!((empty.count(), empty.num_vars()), (0u32.into(), arities.len()));
        let all: usize = arities.iter().product();
        assert_eq!(full.count(), all.into());
        assert_eq!(full.complement().unwrap(), empty);
        assert_eq!(empty.complement().unwrap(), full);
        for (variable, &arity) in arities.iter().enumerate() {
            assert_eq!((empty.arity(variable), full.arity(variable)), (arity, arity));
        }
    }

    #[test]
    fn impossible_arities_and_solutions_are_refused() {
        use crate::Zdd;
        assert!(matches!(Zdd::empty([2, 0]), Err(BuildError::BadArity { variable: 1, .. })));
        assert!(matches!(Zdd::full([0]), Err(BuildError::BadArity { variable: 0, .. })));
        let short = Zdd::from_solutions([2, 2], [vec![0]]);
        assert_eq!(short, Err(QueryError::AssignmentLength { found: 1, num_vars: 2 }));
        let large = Zdd::from_solutions([2, 2], [[0, 2]]);
        assert_eq!(large, Err(QueryError::ValueOutOfRange { variable: 1, value: 2, arity: 2 }));
    }
}
