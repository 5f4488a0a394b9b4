//! Diagrams of a family, and its solutions.

use super::order::family_estimate;
use super::rules::LinearRule;
use super::{FamilyError, GraphSets};
use crate::Graph;
use crate::kind::{Any, Colours, Edges, OfSets, Unit, Vertices};
use crate::predict::{SHORT_SWEEP, predicted_states};
use std::marker::PhantomData;
use std::sync::Arc;
use topdd::rand_core::Rng;
use topdd::{BigUint, BuildError, Frontier, Goal, Limit, QueryError, Report, Weights, Zdd};

/// All edge sets of a family.
pub type EdgeSetDiagram = GraphDiagram<Edges>;

/// All vertex sets of a family.
pub type VertexSetDiagram = GraphDiagram<Vertices>;

/// All colourings of a graph.
pub type ColouringDiagram = GraphDiagram<Colours>;

/// All solutions of a family, as a diagram and the map between its variables and the elements, which are
/// the edges or the vertices of the graph.
///
/// Sets are lists of elements, ascending, by their numbers in the graph. A colouring is a list of colours,
/// one for each vertex. Variable `i` of the diagram is element
/// [`element_order`](GraphDiagram::element_order)`[i]`.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::{colourings, independent_sets, spanning_trees};
/// use topdd::Goal;
///
/// let square = Graph::new(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?.with_weights([4, 7, 1, 2])?;
/// let trees = spanning_trees(&square).zdd()?;
/// assert_eq!(trees.count(), 4u32.into());
/// assert!(trees.contains(&[0, 1, 3]));
/// let best: Vec<_> = trees.best(&trees.weights(), Goal::Minimum, 2)?.collect();
/// assert_eq!(best[0].elements, [0, 2, 3]);
/// assert_eq!([best[0].weight, best[1].weight], [7, 10]);
/// assert_eq!(trees.count_by_size(), [0u32, 0, 0, 4].map(Into::into));
/// assert_eq!(trees.element_counts(), [3u32; 4].map(Into::into));
/// assert_eq!([trees.minimum()?.weight, trees.maximum()?.weight], [7, 13]);
///
/// let other = trees.best(&[1, 0, 0, 0], Goal::Minimum, 1)?.next().unwrap();
/// assert_eq!((other.weight, other.elements), (0, vec![1, 2, 3]));
/// // Exactly three of the edges work.
/// assert!((trees.probability(&[0.5; 4])? - 0.25).abs() < 1e-12);
/// let first = trees.diagram().iter().next().unwrap();
/// assert!(trees.contains(&trees.elements_of(&first)));
/// assert!(!trees.is_empty() && trees.iter().all(|edges| edges.len() == 3));
/// assert_eq!(trees.variables()[trees.element_order()[0]], 0); // of the edge of variable 0
/// assert_eq!(trees.graph().num_edges(), 4);
///
/// let sets = independent_sets(&Graph::cycle(5).with_vertex_weights([3, 1, 4, 1, 5])?).zdd()?;
/// assert_eq!(sets.maximum()?.elements, [2, 4]);
///
/// let both = colourings(&Graph::cycle(4), 2).zdd()?;
/// assert!(both.iter().eq([[0, 1, 0, 1], [1, 0, 1, 0]]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphDiagram<G = Any> {
    graph: Arc<Graph>,
    unit: Unit,
    zdd: Zdd,
    /// The element of each variable.
    order: Arc<[usize]>,
    /// The variable of each element.
    variables: Vec<usize>,
    kind: PhantomData<G>,
}

/// A set and its weight.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BestSet {
    /// The sum of the weights of the elements.
    pub weight: i128,
    /// The edges, or vertices, ascending.
    pub elements: Vec<usize>,
}

impl<G> GraphDiagram<G> {
    pub(super) fn new(graph: Arc<Graph>, unit: Unit, zdd: Zdd, order: Vec<usize>) -> Self {
        let variables = crate::order::inverse(&order);
        Self { graph, unit, zdd, order: order.into(), variables, kind: PhantomData }
    }

    /// Returns the graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the diagram. Its variables are elements in another order; of colourings, its values are colours.
    pub fn diagram(&self) -> &Zdd {
        &self.zdd
    }

    /// Returns the element of each variable of the diagram.
    pub fn element_order(&self) -> &[usize] {
        &self.order
    }

    /// Returns the variable of the diagram of each element.
    pub fn variables(&self) -> &[usize] {
        &self.variables
    }

    /// Returns the number of solutions. Linear in the size of the diagram.
    pub fn count(&self) -> BigUint {
        self.zdd.count()
    }

    /// Returns whether there is no solution.
    pub fn is_empty(&self) -> bool {
        self.zdd.is_empty()
    }

    #[track_caller]
    fn check_length(&self, solution: &[usize]) {
        let (values, variables) = (solution.len(), self.order.len());
        assert!(values == variables, "the solution has {values} values, for {variables} variables");
    }
}

impl<G: OfSets> GraphDiagram<G> {
    /// Returns the sets, in the lexicographic order of the diagram.
    pub fn iter(&self) -> impl Iterator<Item = Vec<usize>> + use<G> {
        let order = self.order.clone();
        self.zdd.iter_sets().map(move |set| {
            let mut elements: Vec<usize> =
                set.into_iter().map(|variable| order[variable]).collect();
            elements.sort_unstable();
            elements
        })
    }

    /// Returns whether a set of elements, in any order, is in the family. An element that the graph does
    /// not have is in no set.
    pub fn contains(&self, elements: &[usize]) -> bool {
        let mut solution = vec![0; self.order.len()];
        for &element in elements {
            match self.variables.get(element) {
                Some(&variable) => solution[variable] = 1,
                None => return false,
            }
        }
        self.zdd.contains(&solution).expect("one value for each variable")
    }

    /// Returns the weight of each element in the graph; 1 for each if it has none.
    pub fn weights(&self) -> Vec<i64> {
        let weight = |element| match self.unit {
            Unit::Edge => self.graph.weight(element),
            Unit::Vertex | Unit::Colour => self.graph.vertex_weight(element),
        };
        (0..self.order.len()).map(weight).collect()
    }

    /// The weights of elements as weights of variables. The query refuses a list of the wrong length.
    fn by_variable<T: Copy + Default>(&self, weights: &[T]) -> Weights<T> {
        if weights.len() == self.order.len() {
            Weights::of_ones(self.order.iter().map(|&element| weights[element]))
        } else {
            Weights::of_ones(weights.iter().copied())
        }
    }

    /// Returns the set of least weight, by the weights of the graph, or by the number of elements if
    /// it has none.
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no set.
    pub fn minimum(&self) -> Result<BestSet, QueryError> {
        self.best(&self.weights(), Goal::Minimum, 1)?.next().ok_or(QueryError::NoSolutions)
    }

    /// Returns the set of greatest weight, by the weights of the graph, or by the number of elements
    /// if it has none.
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no set.
    pub fn maximum(&self) -> Result<BestSet, QueryError> {
        self.best(&self.weights(), Goal::Maximum, 1)?.next().ok_or(QueryError::NoSolutions)
    }

    /// Returns the `k` best sets, the best first, by one weight for each element, such as the
    /// [`weights`](GraphDiagram::weights) of the graph.
    ///
    /// # Errors
    ///
    /// The errors of [`Diagram::best`](topdd::Diagram::best).
    pub fn best(
        &self,
        weights: &[i64],
        goal: Goal,
        k: usize,
    ) -> Result<impl Iterator<Item = BestSet> + use<G>, QueryError> {
        let order = self.order.clone();
        let best = self.zdd.best(&self.by_variable(weights), goal, k)?;
        Ok(best.map(move |best| BestSet {
            weight: best.weight,
            elements: elements_of(&order, &best.solution),
        }))
    }

    /// Returns one set at random, each with the same probability. Linear in the size of the
    /// diagram; for many, see [`Diagram::index`](topdd::Diagram::index).
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no set.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<usize>, QueryError> {
        Ok(self.elements_of(&self.zdd.sample(rng)?))
    }

    /// Returns the elements of a solution of the diagram, ascending.
    ///
    /// # Panics
    ///
    /// If `solution` does not have one value for each variable.
    #[track_caller]
    pub fn elements_of(&self, solution: &[usize]) -> Vec<usize> {
        self.check_length(solution);
        elements_of(&self.order, solution)
    }

    /// Returns the number of sets of each size, from 0 to the largest.
    pub fn count_by_size(&self) -> Vec<BigUint> {
        self.zdd.count_by_size()
    }

    /// Returns, for each element, the number of sets that contain it.
    pub fn element_counts(&self) -> Vec<BigUint> {
        let mut counts = self.zdd.value_counts();
        self.variables.iter().map(|&variable| counts[variable].pop().unwrap_or_default()).collect()
    }

    /// Returns the probability that the elements that work are a set of the family, if element `e` works with
    /// probability `works[e]`, independently of the others.
    ///
    /// # Errors
    ///
    /// The errors of [`Diagram::probability`](topdd::Diagram::probability).
    pub fn probability(&self, works: &[f64]) -> Result<f64, QueryError> {
        let ones = self.by_variable(works);
        let both = (0..ones.num_vars()).map(|v| [1.0 - ones.variable(v)[1], ones.variable(v)[1]]);
        self.zdd.probability(&both.collect())
    }
}

fn elements_of(order: &[usize], solution: &[usize]) -> Vec<usize> {
    let ones = order.iter().zip(solution).filter(|&(_, &value)| value == 1);
    let mut elements: Vec<usize> = ones.map(|(&element, _)| element).collect();
    elements.sort_unstable();
    elements
}

impl ColouringDiagram {
    /// Returns the colourings, in the lexicographic order of the diagram.
    pub fn iter(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        self.zdd.iter().map(|solution| self.colours_of(&solution))
    }

    /// Returns the colour of each vertex in a solution of the diagram.
    ///
    /// # Panics
    ///
    /// If `solution` does not have one value for each variable.
    #[track_caller]
    pub fn colours_of(&self, solution: &[usize]) -> Vec<usize> {
        self.check_length(solution);
        self.variables.iter().map(|&variable| solution[variable]).collect()
    }

    /// Returns one colouring at random, each with the same probability. Linear in the size of the
    /// diagram.
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no colouring.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<usize>, QueryError> {
        Ok(self.colours_of(&self.zdd.sample(rng)?))
    }
}

/// Builds a diagram, and returns it with the report.
fn built(mut sweep: Frontier<'_>) -> Result<(Zdd, Report), BuildError> {
    let zdd = sweep.zdd()?;
    Ok((zdd, sweep.report().clone()))
}

impl<G> GraphSets<G> {
    /// Builds the diagram of all solutions: one sweep and a reduction, whose size
    /// [`predict`](GraphSets::predict) estimates.
    ///
    /// With bounds on sums of weights, whose sums are a part of the states, the diagram without the bounds is often much
    /// faster to build. If a sweep without them has few states, or at most a quarter of those predicted with them, this
    /// builds that diagram, and takes its sets [`within`](topdd::Diagram::within) the bounds. The result is the same.
    ///
    /// # Errors
    ///
    /// The errors of [`count`](GraphSets::count).
    pub fn zdd(&self) -> Result<GraphDiagram<G>, FamilyError> {
        Ok(self.zdd_with(|sweep| sweep)?.0)
    }

    /// Builds the diagram as [`zdd`](GraphSets::zdd), with the report of the sweep over the graph; `configure` sets limits
    /// on each of its sweeps, as for [`count_with`](GraphSets::count_with).
    ///
    /// # Errors
    ///
    /// The errors of [`count`](GraphSets::count).
    pub fn zdd_with(
        &self,
        configure: impl for<'f> Fn(Frontier<'f>) -> Frontier<'f>,
    ) -> Result<(GraphDiagram<G>, Report), FamilyError> {
        let order = self.element_order()?;
        let (zdd, report) = match self.bounded_afterwards(&order, &configure)? {
            Some(built) => built,
            None => built(configure(self.frontier_in(&order)?))?,
        };
        Ok((GraphDiagram::new(self.graph.clone(), self.unit(), zdd, order), report))
    }

    /// Returns the diagram, from the diagram without bounds on sums of weights, with the report of the sweep of the latter;
    /// `None` if there are no such bounds, or if the sweep without them is not much shorter, or takes too much memory.
    pub(super) fn bounded_afterwards(
        &self,
        order: &[usize],
        configure: &dyn for<'f> Fn(Frontier<'f>) -> Frontier<'f>,
    ) -> Result<Option<(Zdd, Report)>, FamilyError> {
        let (rest, sums) = self.parts.split_sums();
        if sums.is_empty() {
            return Ok(None);
        }
        let bounded = self.frontier_in(order)?;
        let without_bounds =
            |most: u64| match built(configure(rest.frontier(&self.graph, order)?).max_states(most))
            {
                Ok(built) => Ok(Some(built)),
                Err(BuildError::LimitReached {
                    limit: Limit::States(_) | Limit::Bytes(_), ..
                }) => Ok(None),
                Err(error) => Err(FamilyError::from(error)),
            };
        let mut first = without_bounds(SHORT_SWEEP)?;
        if first.is_none() {
            let estimate = || family_estimate(&self.parts, &self.graph, order);
            let most = predicted_states(configure(bounded), order.len(), estimate)? / 4;
            if most > SHORT_SWEEP {
                first = without_bounds(most)?;
            }
        }
        let Some((mut zdd, report)) = first else { return Ok(None) };
        for LinearRule { weights, least, most } in sums {
            let ones = order.iter().map(|&element| weights[element]);
            zdd = zdd.within_with(&Weights::of_ones(ones), least..=most, configure)?;
        }
        Ok(Some((zdd, report)))
    }
}
