//! Graphs of well-known families, random graphs, and [named graphs](Graph::named).
//!
//! Where a family has a usual drawing, the vertices have positions.

mod named;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::f64::consts::TAU;

use super::Graph;

/// The numbers of vertices and edges of a generator are checked before anything is allocated.
#[track_caller]
fn product(a: usize, b: usize) -> usize {
    a.checked_mul(b).expect("the number of vertices overflows")
}

/// A graph whose ends and positions fit. Positions are right and down, as rows and columns are.
fn build(
    vertices: usize,
    edges: impl IntoIterator<Item = (usize, usize)>,
    position: impl Fn(usize) -> (f64, f64),
) -> Graph {
    let graph = Graph::new(vertices, edges).expect("the generator's edges have vertices as ends");
    placed(graph, position)
}

/// The graph with positions, which are right and down.
fn placed(graph: Graph, position: impl Fn(usize) -> (f64, f64)) -> Graph {
    let positions = (0..graph.num_vertices()).map(position);
    // Not `-y`: zero stays positive.
    graph
        .with_positions(positions.map(|(x, y)| (x, 0.0 - y)))
        .expect("there is one for each vertex")
}

/// A position on a circle around the origin, the first at the top, clockwise.
fn on_circle(place: usize, of: usize, radius: f64) -> (f64, f64) {
    let angle = TAU * place as f64 / of as f64;
    (radius * angle.sin(), -radius * angle.cos())
}

/// A radius at which neighbours on a circle are about one unit apart.
fn radius(vertices: usize) -> f64 {
    (vertices as f64 / TAU).max(0.5)
}

fn circular(vertices: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Graph {
    build(vertices, edges, |vertex| on_circle(vertex, vertices, radius(vertices)))
}

/// The edges of a board whose squares are numbered row by row: steps down and across to squares with larger numbers. They
/// ascend.
fn board(rows: usize, cols: usize, steps: &[(usize, isize)]) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for from in 0..product(rows, cols) {
        let (row, col) = (from / cols, from % cols);
        let target = |&(down, across): &(usize, isize)| {
            let col = col.checked_add_signed(across).filter(|&col| col < cols)?;
            (down < rows - row).then(|| (row + down) * cols + col)
        };
        let mut targets: Vec<usize> =
            steps.iter().filter_map(target).filter(|&to| to > from).collect();
        targets.sort_unstable();
        targets.dedup();
        edges.extend(targets.into_iter().map(|to| (from, to)));
    }
    edges
}

/// # Generators
///
/// All take time linear in the size of the graph, other than [`random_gnp`](Graph::random_gnp), and
/// panic if the number of vertices overflows.
impl Graph {
    /// Makes the graph of `rows` times `cols` vertices, each joined to the next in its row and in its
    /// column. Vertex `row * cols + col` is in `row` and `col`.
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::grid(2, 3).edges()[0], (0, 1));
    /// ```
    pub fn grid(rows: usize, cols: usize) -> Self {
        Self::leaper(rows, cols, 0, 1)
    }

    /// Makes the graph of a knight's moves on a board of `rows` times `cols` squares, numbered row by
    /// row: `row * cols + col`.
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::knight(8, 8).num_edges(), 168);
    /// ```
    pub fn knight(rows: usize, cols: usize) -> Self {
        Self::leaper(rows, cols, 1, 2)
    }

    /// Makes the graph of the moves of a leaper: `a` squares along one side of the board and `b` along
    /// the other, such as the knight (1, 2) or the camel (1, 3). Squares are numbered row by row. The
    /// leaper (0, 0) does not move: its graph has no edges. The edges ascend, each as (smaller, larger).
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::leaper(2, 4, 1, 3).edges(), [(0, 7), (3, 4)]);
    /// ```
    pub fn leaper(rows: usize, cols: usize, a: usize, b: usize) -> Self {
        let [along, across] = [a, b].map(|squares| isize::try_from(squares).unwrap_or(isize::MAX));
        let edges = board(rows, cols, &[(a, across), (a, -across), (b, along), (b, -along)]);
        Self::new(rows * cols, edges).expect("targets are squares of the board")
    }

    /// Makes the graph of a king's moves on a board of `rows` times `cols` squares: vertex `row * cols + col`.
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::king(8, 8).num_edges(), 210);
    /// ```
    pub fn king(rows: usize, cols: usize) -> Self {
        let place = |vertex: usize| ((vertex % cols) as f64, (vertex / cols) as f64);
        build(rows * cols, board(rows, cols, &[(0, 1), (1, -1), (1, 0), (1, 1)]), place)
    }

    /// Makes the triangular lattice: the grid of `rows` times `cols` vertices, with one diagonal in
    /// each square, from `row * cols + col` to the next row and column.
    ///
    /// ```
    /// let graph = topdd_graph::Graph::triangular(3, 3);
    /// assert_eq!(graph.num_edges(), 16);
    /// assert_eq!(graph.degree(4), 6);
    /// ```
    pub fn triangular(rows: usize, cols: usize) -> Self {
        let height = 3_f64.sqrt() / 2.0;
        let place = |vertex: usize| {
            let (row, col) = ((vertex / cols) as f64, (vertex % cols) as f64);
            (col - row / 2.0, row * height)
        };
        build(rows * cols, board(rows, cols, &[(0, 1), (1, 0), (1, 1)]), place)
    }

    /// Makes the honeycomb of `rows` times `cols` hexagons: `2 (rows+1) (cols+1) - 2` vertices, column
    /// by column. Empty without hexagons.
    ///
    /// ```
    /// let benzene = topdd_graph::Graph::hex(1, 1);
    /// assert_eq!((benzene.num_vertices(), benzene.num_edges()), (6, 6));
    /// ```
    pub fn hex(rows: usize, cols: usize) -> Self {
        if rows == 0 || cols == 0 {
            return Self::empty(0);
        }
        // A brick wall without the two corners that no hexagon has.
        let tall = product(rows, 2) + 2;
        product(tall, cols + 1);
        let corners = [(0, tall - 1), (cols, if cols % 2 == 1 { tall - 1 } else { 0 })];
        let places: Vec<(usize, usize)> = (0..=cols)
            .flat_map(|col| (0..tall).map(move |row| (col, row)))
            .filter(|place| !corners.contains(place))
            .collect();
        let number = |place: (usize, usize)| places.binary_search(&place).ok();
        let mut edges = Vec::new();
        for (vertex, &(col, row)) in places.iter().enumerate() {
            edges.extend(number((col, row + 1)).map(|below| (vertex, below)));
            if col % 2 == row % 2 {
                edges.extend(number((col + 1, row)).map(|right| (vertex, right)));
            }
        }
        let height = 3_f64.sqrt() / 2.0;
        let place = |vertex: usize| {
            let (col, row) = places[vertex];
            let shift = if row % 2 == 0 { 0.0 } else { (col % 2) as f64 - 0.5 };
            ((col + col / 2) as f64 + shift, row as f64 * height)
        };
        build(places.len(), edges, place)
    }

    /// Makes the grid of `rows` times `cols` vertices whose rows and columns are cycles. One of fewer
    /// than three vertices is a path, so that the graph is simple.
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::torus(4, 5).num_edges(), 40);
    /// ```
    pub fn torus(rows: usize, cols: usize) -> Self {
        let vertices = product(rows, cols);
        let next = |place: usize, of: usize| match place + 1 {
            next if next < of => Some(next),
            _ => (of > 2).then_some(0),
        };
        let mut edges = Vec::new();
        for row in 0..rows {
            for col in 0..cols {
                let vertex = row * cols + col;
                edges.extend(next(col, cols).map(|col| (vertex, row * cols + col)));
                edges.extend(next(row, rows).map(|row| (vertex, row * cols + col)));
            }
        }
        build(vertices, edges, |vertex| ((vertex % cols) as f64, (vertex / cols) as f64))
    }

    /// Makes the hypercube: vertices that differ in one of `dimension` bits are joined.
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::hypercube(4).num_edges(), 32);
    /// ```
    pub fn hypercube(dimension: usize) -> Self {
        let vertices = u32::try_from(dimension).ok().and_then(|bits| 1_usize.checked_shl(bits));
        let vertices = vertices.expect("the number of vertices overflows");
        let edges = (0..vertices).flat_map(|vertex| {
            let others = (0..dimension).map(move |bit| (vertex, vertex | 1 << bit));
            others.filter(|(vertex, other)| vertex != other)
        });
        // A parallel projection: even bits go right, odd ones down, each a little aslant.
        let place = |vertex: usize| {
            (0..dimension).filter(|bit| vertex >> bit & 1 == 1).fold((0.0, 0.0), |(x, y), bit| {
                let side = (1_u64 << (bit / 2)) as f64;
                if bit % 2 == 0 { (x + side, y + side / 3.0) } else { (x + side / 3.0, y + side) }
            })
        };
        build(vertices, edges, place)
    }

    /// Makes the graph of `vertices` vertices without edges.
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::empty(3).num_components(), 3);
    /// ```
    pub fn empty(vertices: usize) -> Self {
        circular(vertices, [])
    }

    /// Makes the complete graph: every two of `vertices` vertices are joined.
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::complete(5).num_edges(), 10);
    /// ```
    pub fn complete(vertices: usize) -> Self {
        circular(vertices, (0..vertices).flat_map(|a| (a + 1..vertices).map(move |b| (a, b))))
    }

    /// Makes the complete bipartite graph: each of the first `left` vertices is joined to each of the
    /// `right` others.
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::complete_bipartite(3, 3).num_edges(), 9);
    /// ```
    pub fn complete_bipartite(left: usize, right: usize) -> Self {
        let vertices = left.checked_add(right).expect("the number of vertices overflows");
        let edges = (0..left).flat_map(|a| (left..vertices).map(move |b| (a, b)));
        let height = left.max(right) as f64 - 1.0;
        let spread = |place: usize, of: usize| match of {
            0 | 1 => height / 2.0,
            _ => height * place as f64 / (of as f64 - 1.0),
        };
        build(vertices, edges, |vertex| {
            if vertex < left {
                (0.0, spread(vertex, left))
            } else {
                (2.0, spread(vertex - left, right))
            }
        })
    }

    /// Makes the wheel: vertex 0, the hub, is joined to each vertex of a [cycle](Graph::cycle) of the
    /// `rim` others.
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::wheel(5).num_edges(), 10);
    /// ```
    pub fn wheel(rim: usize) -> Self {
        let spokes = (1..=rim).map(|vertex| (0, vertex));
        let edges = spokes.chain(ring(rim).map(|(a, b)| (a + 1, b + 1)));
        build(rim + 1, edges, |vertex| match vertex {
            0 => (0.0, 0.0),
            _ => on_circle(vertex - 1, rim, radius(rim).max(1.0)),
        })
    }

    /// Makes the ladder: two paths of `rungs` vertices, with a rung between each two of the same position.
    /// Vertices `2 i` and `2 i + 1` are rung `i`.
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::ladder(4).num_edges(), 10);
    /// ```
    pub fn ladder(rungs: usize) -> Self {
        Self::placed_grid(rungs, 2)
    }

    fn placed_grid(rows: usize, cols: usize) -> Self {
        let grid = Self::grid(rows, cols);
        placed(grid, |vertex: usize| ((vertex % cols) as f64, (vertex / cols) as f64))
    }

    /// Makes the cycle of `vertices` vertices: 0, 1, .., and back to 0. With fewer than three, a path.
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::cycle(5).num_edges(), 5);
    /// ```
    pub fn cycle(vertices: usize) -> Self {
        circular(vertices, ring(vertices))
    }

    /// Makes the path of `vertices` vertices: 0, 1, ..
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::path(5).edges(), [(0, 1), (1, 2), (2, 3), (3, 4)]);
    /// ```
    pub fn path(vertices: usize) -> Self {
        let edges = (1..vertices).map(|vertex| (vertex - 1, vertex));
        build(vertices, edges, |vertex| (vertex as f64, 0.0))
    }

    /// Makes the star: vertex 0 is joined to each of `leaves` others.
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::star(6).degree(0), 6);
    /// ```
    pub fn star(leaves: usize) -> Self {
        build(leaves + 1, (1..=leaves).map(|leaf| (0, leaf)), |vertex| match vertex {
            0 => (0.0, 0.0),
            _ => on_circle(vertex - 1, leaves, radius(leaves).max(1.0)),
        })
    }

    /// Makes a random graph: each pair of vertices is joined with the same probability, independently
    /// (E. N. Gilbert, *Random graphs*, 1959). The same seed gives the same graph on every machine.
    /// Takes time quadratic in the number of vertices.
    ///
    /// # Panics
    ///
    /// If the probability is not in `0.0..=1.0`.
    ///
    /// ```
    /// use topdd_graph::Graph;
    ///
    /// let graph = Graph::random_gnp(100, 0.1, 1);
    /// assert_eq!(graph, Graph::random_gnp(100, 0.1, 1));
    /// assert_eq!(Graph::random_gnp(9, 1.0, 1).num_edges(), 36);
    /// ```
    pub fn random_gnp(vertices: usize, probability: f64, seed: u64) -> Self {
        assert!(
            (0.0..=1.0).contains(&probability),
            "the probability {probability} is not in 0..=1"
        );
        let mut random = SplitMix(seed);
        // Exact: a power of two only changes the exponent.
        let below = (probability * (1_u64 << 53) as f64) as u64;
        let pairs = (0..vertices).flat_map(|a| (a + 1..vertices).map(move |b| (a, b)));
        let edges: Vec<_> = pairs.filter(|_| random.next() >> 11 < below).collect();
        Self::new(vertices, edges).expect("the ends are vertices")
    }

    /// Makes a random graph of `edges` edges, each set of pairs with the same probability (P. Erdős and
    /// A. Rényi, *On random graphs I*, 1959). Edges are in ascending order. The same seed gives the
    /// same graph on every machine. Sampled by R. W. Floyd's method (J. Bentley, *Programming pearls*,
    /// CACM 30, 1987).
    ///
    /// # Panics
    ///
    /// If there are fewer than `edges` pairs of vertices.
    ///
    /// ```
    /// assert_eq!(topdd_graph::Graph::random_gnm(50, 100, 7).num_edges(), 100);
    /// ```
    pub fn random_gnm(vertices: usize, edges: usize, seed: u64) -> Self {
        let pairs = vertices as u128 * (vertices as u128).saturating_sub(1) / 2;
        let pairs = u64::try_from(pairs).expect("the number of pairs overflows");
        let wanted = edges as u64;
        assert!(wanted <= pairs, "{vertices} vertices have {pairs} pairs, fewer than {edges}");
        let mut random = SplitMix(seed);
        let mut chosen = BTreeSet::new();
        for last in pairs - wanted..pairs {
            let pair = random.below(last + 1);
            if !chosen.insert(pair) {
                chosen.insert(last);
            }
        }
        let (mut first, mut start) = (0, 0);
        let edges = chosen.into_iter().map(|pair| {
            // The pairs with the smaller vertex `first` begin at `start`.
            while pair - start >= (vertices - 1 - first) as u64 {
                start += (vertices - 1 - first) as u64;
                first += 1;
            }
            (first, first + 1 + (pair - start) as usize)
        });
        Self::new(vertices, edges).expect("the ends are vertices")
    }
}

/// The edges of a cycle; of a path if there are fewer than three vertices.
fn ring(vertices: usize) -> impl Iterator<Item = (usize, usize)> {
    let closing = (vertices > 2).then(|| (vertices - 1, 0));
    (1..vertices).map(|vertex| (vertex - 1, vertex)).chain(closing)
}

/// The generator of random numbers `SplitMix64` (G. L. Steele, D. Lea and C. H. Flood, *Fast splittable
/// pseudorandom number generators*, 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// A number below `bound`, each with the same probability (D. Lemire, *Fast random integer
    /// generation in an interval*, 2019).
    fn below(&mut self, bound: u64) -> u64 {
        let unfair = bound.wrapping_neg() % bound;
        loop {
            let wide = u128::from(self.next()) * u128::from(bound);
            if wide as u64 >= unfair {
                return (wide >> 64) as u64;
            }
        }
    }
}
