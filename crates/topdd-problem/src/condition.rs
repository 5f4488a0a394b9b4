//! A condition restricts a family before the sweep, or a diagram after it. Both ways give the same solutions.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use topdd::{
    BigUint, BoxedSpec, BuildError, DdSpec, Decision, Frontier, QueryError, SpecExt, Weights, Zdd,
    constraint,
};
use topdd_apply::{Error as ApplyError, Limits, Manager};
use topdd_graph::Graph;
use topdd_graph::families::{
    BoundedPaths, Degrees, EdgeSets, FamilyError, GraphSets, Order, SubgraphConstraint, Unit,
};

use crate::decimal::Scale;

/// A condition on the solutions of a problem. Elements are the numbers of edges, vertices or squares, in the order of
/// their problem.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::Order;
/// use topdd_problem::{Condition, Family, On, Unlimited};
///
/// let grid = Graph::grid(3, 3);
/// let sets = Family::Matchings.sets(&grid)?.order(Order::Given);
/// let through = Condition::Vertices { vertices: vec![4], taken: true };
/// let before = through.before(sets.clone()).zdd()?;
/// let on = On { graph: Some(&grid), unit: sets.unit(), order: &sets.element_order()? };
/// assert_eq!(through.after(sets.zdd()?.diagram(), on, &Unlimited)?, *before.diagram());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// The number of elements of a set is within bounds.
    Size {
        /// The least number.
        least: Option<usize>,
        /// The greatest number.
        most: Option<usize>,
    },
    /// All of some elements have a value, or none has: 1 for members of a set, or the colour of a vertex.
    Elements {
        /// The elements with their values.
        elements: Vec<(usize, usize)>,
        /// Whether all have their values; if not, none has.
        taken: bool,
    },
    /// Sets of edges have an edge at each of some vertices, or at none; sets of vertices contain all of them, or none.
    Vertices {
        /// The vertices.
        vertices: Vec<usize>,
        /// Whether all are met; if not, none is.
        taken: bool,
    },
    /// The sum of the weights of a set is within bounds.
    Cost(SumBounds),
    /// The set is no part of another one that satisfies the other conditions.
    Maximal,
    /// No other set that satisfies the other conditions is a part of the set.
    Minimal,
}

/// What the variables of a diagram stand for.
#[derive(Clone, Copy, Debug)]
pub struct On<'a> {
    /// The graph; `None` for other problems.
    pub graph: Option<&'a Graph>,
    /// What an element is. Elements without a graph are like vertices.
    pub unit: Unit,
    /// The element of each variable.
    pub order: &'a [usize],
}

/// How the sweeps of problems and conditions are run: within which limits.
pub trait Run {
    /// Sets the limits of a sweep over so many variables that builds a diagram.
    fn sweep<'a>(&self, frontier: Frontier<'a>, variables: usize) -> Frontier<'a> {
        let _ = variables;
        frontier
    }

    /// Sets the limits of a sweep over so many variables that builds no diagram.
    fn count_sweep<'a>(&self, frontier: Frontier<'a>, variables: usize) -> Frontier<'a> {
        let _ = variables;
        frontier
    }

    /// Counts paths with a bound on their number of edges, within the limits of the run. Returns `None` if the run must be a sweep, because
    /// it spills. `digest` identifies the problem for the key of a checkpoint. By default, a run with a checkpoint is a sweep.
    fn count_paths(
        &self,
        mut paths: BoundedPaths,
        digest: &dyn Fn() -> u64,
    ) -> Option<Result<BigUint, FamilyError>> {
        let _ = digest;
        (!self.has_checkpoint()).then(|| paths.count())
    }

    /// Returns whether the run of a problem writes a checkpoint.
    fn has_checkpoint(&self) -> bool {
        false
    }

    /// Sets the checkpoint of a sweep, if it writes one. `digest` identifies the problem.
    fn checkpoint<'a>(&self, frontier: Frontier<'a>, digest: &dyn Fn() -> u64) -> Frontier<'a> {
        let _ = digest;
        frontier
    }

    /// Makes a manager of the apply engine.
    ///
    /// # Errors
    ///
    /// The manager's errors, such as [`ApplyError::TooManyVariables`].
    fn manager(&self, variables: usize) -> Result<Manager, ApplyError> {
        Manager::new(variables)
    }

    /// The limits of operations of the apply engine.
    fn limits(&self) -> Limits {
        Limits::new()
    }
}

/// Runs without limits.
#[derive(Clone, Copy, Debug)]
pub struct Unlimited;

impl Run for Unlimited {}

/// Errors of conditions on diagrams.
#[derive(Debug, thiserror::Error)]
pub enum ConditionError {
    /// A condition on sets, and a variable that has other than two values.
    #[error("the condition is on sets, and variable {variable} has {values} values")]
    NoSets {
        /// The variable.
        variable: usize,
        /// The number of its values.
        values: usize,
    },
    /// A condition on vertices of a diagram without a graph.
    #[error("the condition is on the vertices of a graph, and the diagram has none")]
    NoGraph,
    /// The library refuses the condition.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// A sweep failed.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A query failed.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The apply engine failed.
    #[error(transparent)]
    Apply(#[from] ApplyError),
}

/// Bounds on the sum of the weights of elements, or of vertices, as whole numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SumBounds {
    /// The weight of each; of assignments, the weight of each value of the first element, then of the second, and so on.
    pub weights: Vec<i64>,
    /// The least sum.
    pub least: Option<i64>,
    /// The greatest sum.
    pub most: Option<i64>,
    /// The scale that made the weights whole.
    #[serde(default)]
    pub scale: Scale,
}

impl SumBounds {
    /// The bounds in words: `of cost at least 2.5`, `of cost at most 7`.
    pub(crate) fn words(&self, what: &str) -> Vec<String> {
        let bounds = [("least", self.least), ("most", self.most)].into_iter();
        let words = |(word, bound): (&str, Option<i64>)| {
            Some(format!("{what} at {word} {}", self.scale.text(bound?.into())))
        };
        bounds.filter_map(words).collect()
    }

    /// The bounds, of which those that are missing are the widest.
    pub(crate) fn range(&self) -> RangeInclusive<i64> {
        self.least.unwrap_or(i64::MIN)..=self.most.unwrap_or(i64::MAX)
    }

    /// The bounds as a constraint on sets.
    pub(crate) fn constraint(&self) -> SubgraphConstraint {
        let (least, most) = self.range().into_inner();
        SubgraphConstraint::Weight { weights: self.weights.clone(), least, most }
    }
}

impl Condition {
    /// Returns whether the condition compares solutions, so that only a diagram can be restricted by it.
    pub fn is_extreme(&self) -> bool {
        matches!(self, Condition::Maximal | Condition::Minimal)
    }

    /// Returns whether the condition names nothing, so that every solution satisfies it.
    pub fn is_empty(&self) -> bool {
        match self {
            Condition::Size { least, most } => least.is_none() && most.is_none(),
            Condition::Elements { elements, .. } => elements.is_empty(),
            Condition::Vertices { vertices, .. } => vertices.is_empty(),
            Condition::Cost(bounds) => bounds.least.is_none() && bounds.most.is_none(),
            Condition::Maximal | Condition::Minimal => false,
        }
    }

    /// Returns the family under the condition. [`is_extreme`](Condition::is_extreme) conditions leave it as it is.
    /// [`GraphSets::check`] reports errors.
    pub fn before(&self, sets: GraphSets) -> GraphSets {
        let element = |element, value, taken| SubgraphConstraint::Element { element, value, taken };
        match self {
            Condition::Size { least, most } => {
                let (least, most) = (least.unwrap_or(0), most.unwrap_or(usize::MAX));
                sets.and(SubgraphConstraint::Size { least, most })
            }
            Condition::Elements { elements, taken } => elements
                .iter()
                .fold(sets, |sets, &(index, value)| sets.and(element(index, value, *taken))),
            Condition::Vertices { vertices, taken } if sets.unit() == Unit::Edge => {
                let met = if *taken { Degrees::from(1..) } else { 0.into() };
                sets.and(SubgraphConstraint::Degree { vertices: vertices.clone(), degrees: met })
            }
            Condition::Vertices { vertices, taken } => {
                vertices.iter().fold(sets, |sets, &vertex| sets.and(element(vertex, 1, *taken)))
            }
            Condition::Cost(bounds) => sets.and(bounds.constraint()),
            Condition::Maximal | Condition::Minimal => sets,
        }
    }

    /// Returns the solutions of a diagram that satisfy the condition.
    ///
    /// # Errors
    ///
    /// A [`ConditionError`]: the condition is not for these solutions, or a limit of the run was reached.
    pub fn after(&self, zdd: &Zdd, on: On<'_>, run: &dyn Run) -> Result<Zdd, ConditionError> {
        let has_values = match self {
            Condition::Elements { .. } => true,
            Condition::Cost(_) => on.unit == Unit::Colour,
            _ => false,
        };
        if !has_values {
            check_sets(zdd)?;
        }
        let variables = zdd.num_vars();
        let decide = |elements: &mut dyn Iterator<Item = (usize, usize)>, taken| {
            let mut variable_of = vec![usize::MAX; variables];
            for (variable, &element) in on.order.iter().enumerate() {
                variable_of[element] = variable;
            }
            let decision = if taken { Decision::is } else { Decision::is_not };
            let of = |(element, value): (usize, usize)| decision(variable_of[element], value);
            let spec = zdd.restrict_spec(&elements.map(of).collect::<Vec<_>>())?;
            Ok(build(spec.boxed(), run)?)
        };
        match self {
            Condition::Size { least, most } => {
                let (least, most) = (least.unwrap_or(0), most.unwrap_or(usize::MAX));
                let size = constraint::between(vec![2; variables], least..=most);
                Ok(build(zdd.clone().boxed().and(size).boxed(), run)?)
            }
            Condition::Elements { elements, taken } => {
                decide(&mut elements.iter().copied(), *taken)
            }
            Condition::Vertices { vertices, taken } if on.unit != Unit::Edge => {
                decide(&mut vertices.iter().map(|&vertex| (vertex, 1)), *taken)
            }
            Condition::Vertices { .. } => {
                let graph = on.graph.ok_or(ConditionError::NoGraph)?;
                let order = Order::Custom(on.order.to_vec());
                let all = EdgeSets::all(graph).into_any().order(order);
                Ok(build(zdd.clone().boxed().and(self.before(all).spec()?).boxed(), run)?)
            }
            Condition::Cost(bounds) => {
                let weights: Weights<i64> = if has_values {
                    let mut arities = vec![0; variables];
                    for (variable, &element) in on.order.iter().enumerate() {
                        arities[element] = zdd.arity(variable);
                    }
                    let of_elements = value_weights(&bounds.weights, arities);
                    on.order.iter().map(|&element| of_elements[element].clone()).collect()
                } else {
                    Weights::of_ones(on.order.iter().map(|&element| bounds.weights[element]))
                };
                let least = bounds.least.map_or(i128::MIN, i128::from);
                within(zdd, &weights, least..=bounds.most.map_or(i128::MAX, i128::from), run)
            }
            Condition::Maximal | Condition::Minimal => {
                let manager = run.manager(variables)?;
                Ok(manager.within(&run.limits(), || {
                    let family = manager.family_of(zdd)?;
                    let extreme = match self {
                        Condition::Maximal => family.maximal(),
                        _ => family.minimal(),
                    };
                    extreme?.to_zdd()
                })?)
            }
        }
    }

    /// Returns the condition in words, as a title has them: `at most 3`, `with a-b`. `element` returns the name of an
    /// element with its value, and `vertex` the name of a vertex.
    pub fn words(
        &self,
        element: impl Fn((usize, usize)) -> String,
        vertex: impl Fn(usize) -> String,
    ) -> Vec<String> {
        let listed = |word: &str, names: Vec<String>| match &names[..] {
            [] => Vec::new(),
            names => vec![format!("{word} {}", names.join(" "))],
        };
        match self {
            Condition::Size { least: Some(least), most: Some(most) } if least == most => {
                vec![format!("exactly {least}")]
            }
            Condition::Size { least, most } => {
                let bounds = [("at least", least), ("at most", most)].into_iter();
                bounds.filter_map(|(word, bound)| Some(format!("{word} {}", (*bound)?))).collect()
            }
            Condition::Elements { elements, taken } => {
                let word = if *taken { "with" } else { "without" };
                listed(word, elements.iter().map(|&of| element(of)).collect())
            }
            Condition::Vertices { vertices, taken } => {
                let word = if *taken { "through" } else { "avoiding" };
                listed(word, vertices.iter().map(|&of| vertex(of)).collect())
            }
            Condition::Cost(bounds) => bounds.words("of cost"),
            Condition::Maximal => vec!["maximal".to_owned()],
            Condition::Minimal => vec!["minimal".to_owned()],
        }
    }

    /// Returns whether each part of a set that satisfies the condition satisfies it as well, so that the minimal sets
    /// that do are the minimal ones of all.
    pub fn keeps_parts(&self) -> bool {
        match self {
            Condition::Size { least, .. } => least.is_none(),
            Condition::Elements { elements, taken } => !taken || elements.is_empty(),
            Condition::Vertices { vertices, taken } => !taken || vertices.is_empty(),
            Condition::Cost(bounds) => {
                bounds.least.is_none() && bounds.weights.iter().all(|&weight| weight >= 0)
            }
            Condition::Maximal | Condition::Minimal => false,
        }
    }
}

/// Splits a list with the weights of all values of all elements into a list for each element.
pub fn value_weights(weights: &[i64], arities: impl IntoIterator<Item = usize>) -> Vec<Vec<i64>> {
    let mut rest = weights.iter().copied();
    arities.into_iter().map(|arity| rest.by_ref().take(arity).collect()).collect()
}

/// Returns the solutions of a diagram whose weights sum up to a value within bounds.
///
/// # Errors
///
/// The errors of [`Zdd::within`], and of the limits of the run.
pub fn within(
    zdd: &Zdd,
    weights: &Weights<i64>,
    bounds: RangeInclusive<i128>,
    run: &dyn Run,
) -> Result<Zdd, ConditionError> {
    let variables = zdd.num_vars();
    Ok(zdd.within_with(weights, bounds, |sweep| run.sweep(sweep, variables))?)
}

/// Builds the diagram of a spec.
///
/// # Errors
///
/// A [`BuildError`], also of the limits of the run.
pub fn build(spec: BoxedSpec<'_>, run: &dyn Run) -> Result<Zdd, BuildError> {
    let variables = spec.num_vars();
    run.sweep(Frontier::of_boxed(spec), variables).zdd()
}

/// Fails unless all variables have two values.
///
/// # Errors
///
/// [`ConditionError::NoSets`].
pub fn check_sets(zdd: &Zdd) -> Result<(), ConditionError> {
    let values = |variable: usize| zdd.arity(variable);
    match (0..zdd.num_vars()).find(|&variable| values(variable) != 2) {
        Some(variable) => Err(ConditionError::NoSets { variable, values: values(variable) }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
