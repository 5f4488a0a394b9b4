//! Well-known graphs by name.
//!
//! Cubic graphs with a Hamiltonian cycle are in LCF notation (J. Lederberg 1965, H. S. M. Coxeter,
//! R. Frucht and D. L. Powers, *Zero-symmetric graphs*, 1981): vertex `i` of the cycle is joined to
//! vertex `i + jumps[i mod length]`.

use super::super::Graph;
use super::{build, circular, on_circle, ring};

type Maker = fn() -> Graph;

/// The graphs in LCF notation: name, number of vertices and jumps.
const LCF: &[(&str, usize, &[isize])] = &[
    ("cube", 8, &[3, -3]),
    ("desargues", 20, &[5, -5, 9, -9]),
    ("dodecahedron", 20, &[10, 7, 4, -4, -7, 10, -4, 7, -7, 4]),
    ("dyck", 32, &[5, -5, 13, -13]),
    ("franklin", 12, &[5, -5]),
    ("frucht", 12, &[-5, -2, -4, 2, 5, -2, 2, 5, -2, -5, 4, 2]),
    ("heawood", 14, &[5, -5]),
    ("mcgee", 24, &[12, 7, -7]),
    ("mobius-kantor", 16, &[5, -5]),
    ("nauru", 24, &[5, -9, 7, -7, 9, -5]),
    ("pappus", 18, &[5, 7, -7, 7, -7, -5]),
    ("truncated-tetrahedron", 12, &[2, 6, -2]),
    ("tutte-coxeter", 30, &[-13, -9, 7, -7, 9, 13]),
];

/// The other graphs, by their names.
const OTHERS: &[(&str, Maker)] = &[
    ("chvatal", || circular(12, from_text(include_str!("chvatal.txt")).edges().iter().copied())),
    ("clebsch", clebsch),
    ("florentine-families", || from_text(include_str!("florentine-families.txt"))),
    ("grotzsch", grotzsch),
    ("icosahedron", icosahedron),
    ("karate", || from_text(include_str!("karate.txt"))),
    ("octahedron", octahedron),
    ("petersen", petersen),
    ("tetrahedron", || Graph::complete(4)),
    ("usa", || from_text(include_str!("usa.txt"))),
];

impl Graph {
    /// Returns a well-known graph by its name, one of [`names`](Graph::names); `None` for another.
    ///
    /// `usa` has the 48 contiguous states of the United States, with their postal codes as labels, and
    /// an edge for each border of more than a point (D. E. Knuth, *The Stanford GraphBase*, 1993).
    /// `karate` is W. W. Zachary's club (*An information flow model for conflict and fission in small
    /// groups*, 1977), with members 1 to 34.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::Graph;
    ///
    /// let petersen = Graph::named("petersen").unwrap();
    /// assert_eq!((petersen.num_vertices(), petersen.num_edges()), (10, 15));
    /// let usa = Graph::named("usa").unwrap();
    /// assert_eq!(usa.degree(usa.vertex("ME").unwrap()), 1);
    /// assert_eq!(Graph::named("unknown"), None);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        let lcf = LCF.iter().find(|(other, ..)| *other == name);
        let lcf = lcf.map(|&(_, vertices, jumps)| by_lcf(vertices, jumps));
        lcf.or_else(|| OTHERS.iter().find(|(other, _)| *other == name).map(|(_, make)| make()))
    }

    /// Returns the names of [named graphs](Graph::named), in alphabetical order.
    ///
    /// ```
    /// assert!(topdd_graph::Graph::names().any(|name| name == "petersen"));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        let mut names: Vec<_> = LCF
            .iter()
            .map(|&(name, ..)| name)
            .chain(OTHERS.iter().map(|&(name, _)| name))
            .collect();
        names.sort_unstable();
        names.into_iter()
    }
}

fn by_lcf(vertices: usize, jumps: &[isize]) -> Graph {
    let chords = (0..vertices).filter_map(|vertex| {
        let jump = jumps[vertex % jumps.len()];
        let to = (vertex + vertices).wrapping_add_signed(jump) % vertices;
        // Each chord is there from both sides.
        (vertex < to).then_some((vertex, to))
    });
    circular(vertices, ring(vertices).chain(chords))
}

/// Two rings of five vertices: the outer one is a cycle, the inner one a star of five points.
fn petersen() -> Graph {
    let edges = (0..5).map(|i| (i, (i + 1) % 5));
    let edges = edges.chain((0..5).map(|i| (i, i + 5)));
    let edges = edges.chain((0..5).map(|i| (i + 5, (i + 2) % 5 + 5)));
    build(10, edges, |vertex| on_circle(vertex % 5, 5, if vertex < 5 { 2.0 } else { 1.0 }))
}

/// A ring of five vertices, five copies of them, each joined to the neighbours of its original, and a
/// vertex joined to all copies (J. Mycielski, *Sur le coloriage des graphs*, 1955).
fn grotzsch() -> Graph {
    let edges = (0..5).map(|i| (i, (i + 1) % 5));
    let edges = edges.chain((0..5).flat_map(|i| [(i + 5, (i + 1) % 5), (i + 5, (i + 4) % 5)]));
    let edges = edges.chain((5..10).map(|copy| (copy, 10)));
    build(11, edges, |vertex| match vertex {
        10 => (0.0, 0.0),
        _ => on_circle(vertex % 5, 5, if vertex < 5 { 2.0 } else { 1.0 }),
    })
}

fn octahedron() -> Graph {
    let edges = (0..6).flat_map(|a| (a + 1..6).map(move |b| (a, b)));
    circular(6, edges.filter(|(a, b)| b - a != 3))
}

/// Two poles, 0 and 11, and two rings of five vertices.
fn icosahedron() -> Graph {
    let mut edges = Vec::new();
    for i in 0..5 {
        let (upper, lower) = (1 + i, 6 + i);
        let (next_upper, next_lower) = (1 + (i + 1) % 5, 6 + (i + 1) % 5);
        edges.extend([(0, upper), (upper, next_upper), (upper, lower), (upper, next_lower)]);
        edges.extend([(lower, next_lower), (lower, 11)]);
    }
    // Without crossings, the faces of the pole 11 around it, and the pole 0 far outside.
    build(12, edges, |vertex| match vertex {
        0 => (0.0, -7.0),
        11 => (0.0, 0.0),
        1..=5 => on_circle(2 * (vertex - 1) + 1, 10, 3.0),
        _ => on_circle(2 * (vertex - 6), 10, 1.0),
    })
}

/// The 4-cube with its long diagonals (A. Clebsch, 1868).
fn clebsch() -> Graph {
    let cube = Graph::hypercube(4);
    let edges = cube.edges().iter().copied().chain((0..8).map(|vertex| (vertex, 15 - vertex)));
    circular(16, edges)
}

/// Reads the file of a graph: vertices `NAME` or `NAME@X,Y`, and edges `A-B` whose other ends are numbered as they come. Lines
/// with `#` are comments.
fn from_text(text: &str) -> Graph {
    let (mut names, mut places, mut edges): (Vec<&str>, Vec<_>, Vec<_>) = Default::default();
    let mut number = |name| {
        names.iter().position(|other| *other == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        })
    };
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    for word in lines.flat_map(str::split_whitespace) {
        if let Some((name, place)) = word.split_once('@') {
            number(name);
            let (x, y) = place.split_once(',').expect("a place has two numbers");
            places.extend(x.parse().ok().zip(y.parse().ok()));
        } else if let Some((a, b)) = word.split_once('-') {
            edges.push((number(a), number(b)));
        } else {
            number(word);
        }
    }
    let graph = Graph::new(names.len(), edges).expect("the ends are vertices");
    let graph = graph.with_vertex_labels(names).expect("there is one for each vertex");
    if places.is_empty() { graph } else { graph.with_positions(places).expect("one for each") }
}
