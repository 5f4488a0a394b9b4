//! Families of subgraphs: sets of edges of any graph that follow rules.
//!
//! A function such as [`forests`] or [`independent_sets`] returns a [`GraphSets`]: a graph, the conditions
//! of the family, and the order of the variables. It is of edge sets ([`EdgeSets`]), of vertex sets ([`VertexSets`])
//! or of colourings ([`Colourings`]). [`GraphSets::and`] combines sets with other families of the same graph and with
//! [constraints](SubgraphConstraint).
//!
//! | method | result |
//! | --- | --- |
//! | [`GraphSets::count`] | the number of solutions, without a diagram |
//! | [`GraphSets::zdd`] | all of them, as [`GraphDiagram`] |
//! | [`GraphSets::frontier`] | a sweep: limits, threads, files, checkpoints, progress |
//! | [`GraphSets::spec`] | a spec, to combine with others |
//!
//! Paths, cycles, arborescences, and out- and in-degrees follow the directions of a directed graph. For other families of
//! edge sets directions do not count, and a graph with both directions of an edge is an error:
//! [`Graph::merge_directions`](crate::Graph::merge_directions) joins them. Vertex sets and colourings are of undirected
//! graphs.
//!
//! Edges are numbered in the order in which the graph was given, in every argument and in every
//! result. The order of the variables is the library's own choice; see [`Order`].
//!
//! ```
//! use topdd_graph::Graph;
//! use topdd_graph::families::{at_most, forests, spanning_trees};
//!
//! let square = Graph::new(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?.with_weights([4, 7, 1, 2])?;
//! assert_eq!(spanning_trees(&square).count()?, 4u32.into());
//! assert_eq!(forests(&square).and(at_most(1)).count()?, 5u32.into());
//!
//! let trees = spanning_trees(&square).zdd()?;
//! assert_eq!(trees.minimum()?.elements, [0, 2, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounded_paths;
mod composite;
mod conditions;
mod count;
mod cut;
mod degrees;
mod diagram;
mod edge_families;
mod graph_sets;
mod layout;
mod order;
mod partition;
mod parts;
mod path_families;
mod paths;
mod reliability;
mod rules;
mod sequence;
mod sums;
#[cfg(test)]
mod tests;
mod vertex_families;
mod vertex_sets;

use super::GraphError;
use thiserror::Error;
use topdd::Step;

pub use crate::kind::{Any, Colours, Edges, OfSets, Unit, Vertices};
pub use bounded_paths::{BoundedPaths, PathMethod, PathProgress};
pub use conditions::{
    SubgraphConstraint, at_least, at_most, avoid, cost_at_least, cost_at_most, exactly, through,
};
pub use degrees::Degrees;
pub use diagram::{BestSet, ColouringDiagram, EdgeSetDiagram, GraphDiagram, VertexSetDiagram};
pub use edge_families::*;
pub use graph_sets::{Colourings, Condition, EdgeSets, GraphSets, VertexSets};
pub use order::Order;
pub use path_families::*;
pub use reliability::{NetworkBlock, ReducedNetwork, Reliability};
pub use sequence::{Flaw, SequenceError};
pub use vertex_families::*;

/// The largest number of words of a state.
const MAX_WORDS: usize = 64;

/// The step of a spec without skipped variables.
#[inline]
fn step_after(variable: usize, num_vars: usize) -> Step<()> {
    if variable + 1 == num_vars { Step::One } else { Step::To(variable + 1, ()) }
}

/// Refuses states that are too long. To be called before anything of that size is made for each step.
fn check_words(slots: usize, words: usize) -> Result<(), FamilyError> {
    if words > MAX_WORDS {
        return Err(FamilyError::too_wide(slots, words, MAX_WORDS));
    }
    Ok(())
}

/// Errors of families of subgraphs.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FamilyError {
    /// The graph is not of the kind that the family needs.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A directed graph is needed.
    #[error(
        "the graph is undirected, and {family} need directions; make it with `Graph::directed`"
    )]
    Undirected {
        /// The family.
        family: &'static str,
    },
    /// A vertex that the graph does not have.
    #[error("vertex {vertex} is out of range: the vertices are 0..{vertices}")]
    VertexOutOfRange {
        /// The vertex.
        vertex: usize,
        /// The number of vertices.
        vertices: usize,
    },
    /// A colour that the colourings do not have.
    #[error("colour {colour} is out of range: the colours are 0..{colours}")]
    ColourOutOfRange {
        /// The colour.
        colour: usize,
        /// The number of colours.
        colours: usize,
    },
    /// An edge that the graph does not have.
    #[error("edge {edge} is out of range: the edges are 0..{edges}")]
    EdgeOutOfRange {
        /// The edge.
        edge: usize,
        /// The number of edges.
        edges: usize,
    },
    /// A vertex in two groups, or twice in a list.
    #[error("vertex {vertex} is given twice; give it once")]
    RepeatedVertex {
        /// The vertex.
        vertex: usize,
    },
    /// A path with one vertex as both ends.
    #[error("vertex {vertex} is both ends of the path; give two different ones, or use `cycles`")]
    EqualEnds {
        /// The vertex.
        vertex: usize,
    },
    /// Variables for vertices of a family that is not one of paths or cycles alone.
    #[error("by vertex, the sets must be paths or cycles, without other conditions; use edges")]
    NotPaths,
    /// More colours than a variable has values.
    #[error("{colours} colours are too many; give at most {most}")]
    TooManyColours {
        /// The number of colours.
        colours: usize,
        /// The largest number of colours.
        most: usize,
    },
    /// A graph with parallel edges, where directions do not matter.
    #[error(
        "the graph has parallel edges, and {family} need one without; keep one edge of each pair"
    )]
    ParallelEdges {
        /// The family.
        family: &'static str,
    },
    /// A list without vertices where at least one is needed.
    #[error("{what} need at least one vertex")]
    NoVertices {
        /// The argument or family that needs vertices.
        what: &'static str,
    },
    /// A list of weights or of degrees of the wrong length.
    #[error("{given} {what} were given, and {needed} are needed")]
    WrongLength {
        /// The items of the list.
        what: &'static str,
        /// The length of the list.
        given: usize,
        /// The length that it must have.
        needed: usize,
    },
    /// Sums of weights that do not fit into 63 bits.
    #[error("the weights are too large: their sums must fit into 63 bits; scale them down")]
    WeightsTooLarge,
    /// A number that is no probability.
    #[error("number {at} of the probabilities is {value}; it must be from 0 to 1")]
    BadProbability {
        /// The position in the list.
        at: usize,
        /// The number.
        value: f64,
    },
    /// A vertex that may fail, in an answer about edges alone.
    #[error("vertex {vertex} may fail, and edge sets are counted for vertices that always work")]
    FailingVertex {
        /// The vertex.
        vertex: usize,
    },
    /// Families of different graphs were combined.
    #[error("the families are of different graphs; combine families of the same graph")]
    DifferentGraphs,
    /// A family of edge sets, vertex sets or colourings was combined with a family of another kind.
    #[error(
        "one family is of edges, of vertices or of colours, and the other is not; combine two of one kind"
    )]
    DifferentKinds,
    /// An order of edges, or of vertices, that is not a permutation of them.
    #[error("the order of the {unit} is no permutation of 0..{elements}")]
    BadOrder {
        /// What the variables stand for.
        unit: Unit,
        /// The number of edges or vertices.
        elements: usize,
    },
    /// The frontier is too wide for a state.
    #[error(
        "a frontier of {slots} vertices needs states of {bytes} bytes, and there is room for \
         {most}; give a better order of the edges"
    )]
    TooWide {
        /// The largest number of vertices on the frontier at once.
        slots: usize,
        /// The size in bytes that a state would need.
        bytes: usize,
        /// The largest size of a state, in bytes.
        most: usize,
    },
    /// A graph that [`PathMethod::Heads`] does not take.
    #[error(
        "paths are counted by heads in graphs of at most {most} vertices without parallel edges; leave the choice of the method open"
    )]
    NotForHeads {
        /// The largest number of vertices.
        most: usize,
    },
    /// A constraint on edges was combined with a family of vertex sets.
    #[error(
        "the constraint is on edges; of vertex sets, constrain the number or the weight of the \
         vertices, or single vertices by `with` and `without`"
    )]
    EdgeConstraint,
    /// A constraint on sets was combined with colourings.
    #[error(
        "the constraint is on sets, and colourings are none; give vertices their colours by `with` and `without`"
    )]
    SetConstraint,
    /// Too many pairs of vertices are within a distance.
    #[error(
        "more than {most} pairs of vertices are closer than {distance}; choose a smaller distance"
    )]
    TooManyPairs {
        /// The distance.
        distance: usize,
        /// The largest number of pairs.
        most: usize,
    },
    /// The frontier engine failed.
    #[error(transparent)]
    Build(#[from] topdd::BuildError),
    /// A query of the diagram failed.
    #[error(transparent)]
    Query(#[from] topdd::QueryError),
}

impl FamilyError {
    /// The error for a state that needs `words` words, of which there are `most`.
    fn too_wide(slots: usize, words: usize, most: usize) -> Self {
        let [bytes, most] = [words, most].map(|words| words * size_of::<u64>());
        Self::TooWide { slots, bytes, most }
    }
}
