//! The estimated number of states at a frontier, by the kind of value that a spec stores for each
//! vertex.

/// The value that a spec stores for each vertex of its frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    /// The other end of its piece of a path: paths and cycles.
    Mate,
    /// Its component: trees, forests, connected sets, reliability.
    Component,
    /// Its component, and the components that it must not join: partitions.
    Block,
    /// Its degree, up to a maximum: matchings, factors.
    Degree(usize),
    /// One of a number of values: vertex sets, colourings.
    Value(usize),
}

/// The objective of an order: the values on the frontier of a family, and the edges that its
/// members may contain.
///
/// The estimate of the states at a frontier is a product over its vertices:
///
/// | cost | value | factor |
/// | --- | --- | --- |
/// | [`mates`](Cost::mates), [`paths`](Cost::paths) | mate | 3 after one edge, then 4 |
/// | [`components`](Cost::components) | component | 4 |
/// | [`partitions`](Cost::partitions) | component, and its pairs that must stay apart | 8 |
/// | [`degrees`](Cost::degrees) | degree | the number of degrees that the processed edges allow |
/// | [`values`](Cost::values) | one of `k` | `k` |
///
/// The factors of mates and components are those by which the numbers of planar pairings (Motzkin
/// paths, with two colours after two edges) and of planar partitions (Catalan numbers) grow; that of
/// [`partitions`](Cost::partitions) was measured on grids. The estimate compares frontiers. As a number of states it is too large;
/// [`predict`](crate::predict::predict) is better.
///
/// # Example
///
/// ```
/// use topdd_graph::order::Cost;
///
/// let paths = Cost::paths(0, 8).max_length(10);
/// assert_ne!(paths, Cost::mates());
/// let others = [Cost::components(), Cost::degrees(2), Cost::values(3)];
/// assert!(!others.contains(&paths));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    stored: Stored,
    pub(super) ends: Option<(usize, usize)>,
    pub(super) max_length: Option<usize>,
}

/// The maximum of the estimate, in bits: sums of it must not overflow.
const MAX_BITS: f64 = 900.0;

impl Cost {
    fn new(stored: Stored) -> Self {
        Self { stored, ends: None, max_length: None }
    }

    /// Paths and cycles: the frontier stores the other end of each piece.
    pub fn mates() -> Self {
        Self::new(Stored::Mate)
    }

    /// Paths between two vertices, as [`mates`](Cost::mates). Edges on no such path are
    /// ignored by the estimate.
    pub fn paths(from: usize, to: usize) -> Self {
        Self { ends: Some((from, to)), ..Self::mates() }
    }

    /// Paths of at most `length` edges. Changes only [`paths`](Cost::paths).
    pub fn max_length(self, length: usize) -> Self {
        Self { max_length: Some(length), ..self }
    }

    /// Trees, forests, connected edge sets: the frontier stores components.
    pub fn components() -> Self {
        Self::new(Stored::Component)
    }

    /// Partitions: the frontier stores components, and which of them must stay apart.
    pub fn partitions() -> Self {
        Self::new(Stored::Block)
    }

    /// Families with degrees up to `max`: matchings (`max` is 1), factors, regular subgraphs.
    pub fn degrees(max: usize) -> Self {
        Self::new(Stored::Degree(max))
    }

    /// Families with one of `k` values for each vertex of the frontier: 2 for independent sets and
    /// cliques, 3 for dominating sets, the number of colours for colourings.
    pub fn values(k: usize) -> Self {
        Self::new(Stored::Value(k))
    }

    /// log2 of the factor of a vertex with `decided` processed edges.
    #[inline]
    pub(super) fn bits(&self, decided: usize) -> f64 {
        match self.stored {
            Stored::Mate if decided < 2 => 1.585,
            Stored::Mate | Stored::Component => 2.0,
            Stored::Block => 3.0,
            Stored::Degree(max) => (decided.min(max) as f64 + 1.0).log2(),
            Stored::Value(k) => (k as f64).max(1.0).log2(),
        }
        // A vertex that cannot make a difference still takes space in the state.
        .max(0.1)
    }

    /// The estimated states of a step with the given bits at its frontier.
    #[inline]
    pub(super) fn states(bits: f64) -> f64 {
        bits.clamp(0.0, MAX_BITS).exp2()
    }
}
