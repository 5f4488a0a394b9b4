//! Counts, degrees and invariants of the generators.

use num_bigint::BigInt;

use super::*;

/// The distances from a vertex; `None` where there is no way.
fn distances(graph: &Graph, from: usize) -> Vec<Option<usize>> {
    let mut distances = vec![None; graph.num_vertices()];
    distances[from] = Some(0);
    let mut queue = std::collections::VecDeque::from([from]);
    while let Some(vertex) = queue.pop_front() {
        for other in graph.neighbours(vertex) {
            if distances[other].is_none() {
                distances[other] = distances[vertex].map(|distance| distance + 1);
                queue.push_back(other);
            }
        }
    }
    distances
}

fn diameter(graph: &Graph) -> usize {
    let all = (0..graph.num_vertices()).flat_map(|vertex| distances(graph, vertex));
    all.map(|distance| distance.expect("the graph is connected")).max().unwrap()
}

/// The length of a shortest cycle: the way around each edge, and the edge.
fn girth(graph: &Graph) -> Option<usize> {
    let around = |edge: usize| {
        let (a, b) = graph.edges()[edge];
        let others = graph.edges().iter().enumerate().filter(|(other, _)| *other != edge);
        let without = Graph::new(graph.num_vertices(), others.map(|(_, &ends)| ends)).unwrap();
        distances(&without, a)[b].map(|distance| distance + 1)
    };
    (0..graph.num_edges()).filter_map(around).min()
}

fn triangles(graph: &Graph) -> usize {
    let joined = |a, b| graph.edges().iter().any(|&edge| edge == (a, b) || edge == (b, a));
    let n = graph.num_vertices();
    let triples =
        (0..n).flat_map(|a| (a + 1..n).flat_map(move |b| (b + 1..n).map(move |c| (a, b, c))));
    triples.filter(|&(a, b, c)| joined(a, b) && joined(b, c) && joined(a, c)).count()
}

/// The number of spanning trees, by Kirchhoff's theorem and E. H. Bareiss's elimination.
fn spanning_trees(graph: &Graph) -> BigInt {
    let n = graph.num_vertices() - 1;
    let mut matrix = vec![vec![BigInt::ZERO; n]; n];
    for &(a, b) in graph.edges() {
        for (row, col, sign) in [(a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)] {
            if row < n && col < n {
                matrix[row][col] += sign;
            }
        }
    }
    let mut last = BigInt::from(1);
    for k in 0..n {
        // The matrix is positive definite for a connected graph: no pivot is 0.
        for i in k + 1..n {
            for j in k + 1..n {
                let cross = &matrix[i][j] * &matrix[k][k] - &matrix[i][k] * &matrix[k][j];
                matrix[i][j] = cross / &last;
            }
        }
        last = matrix[k][k].clone();
    }
    last
}

fn is_simple(graph: &Graph) -> bool {
    let mut edges: Vec<_> = graph.edges().iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    edges.sort_unstable();
    edges.iter().all(|(a, b)| a != b) && edges.windows(2).all(|pair| pair[0] != pair[1])
}

#[test]
fn named_graphs_have_their_invariants() {
    // Name, vertices, edges, degree if regular, girth, diameter.
    let invariants = [
        ("chvatal", 12, 24, Some(4), 4, 2),
        ("clebsch", 16, 40, Some(5), 4, 2),
        ("cube", 8, 12, Some(3), 4, 3),
        ("desargues", 20, 30, Some(3), 6, 5),
        ("dodecahedron", 20, 30, Some(3), 5, 5),
        ("dyck", 32, 48, Some(3), 6, 5),
        ("florentine-families", 15, 20, None, 3, 5),
        ("franklin", 12, 18, Some(3), 4, 3),
        ("frucht", 12, 18, Some(3), 3, 4),
        ("grotzsch", 11, 20, None, 4, 2),
        ("heawood", 14, 21, Some(3), 6, 3),
        ("icosahedron", 12, 30, Some(5), 3, 3),
        ("karate", 34, 78, None, 3, 5),
        ("mcgee", 24, 36, Some(3), 7, 4),
        ("mobius-kantor", 16, 24, Some(3), 6, 4),
        ("nauru", 24, 36, Some(3), 6, 4),
        ("octahedron", 6, 12, Some(4), 3, 2),
        ("pappus", 18, 27, Some(3), 6, 4),
        ("petersen", 10, 15, Some(3), 5, 2),
        ("tetrahedron", 4, 6, Some(3), 3, 1),
        ("truncated-tetrahedron", 12, 18, Some(3), 3, 3),
        ("tutte-coxeter", 30, 45, Some(3), 8, 4),
        ("usa", 48, 105, None, 3, 11),
    ];
    assert!(Graph::names().eq(invariants.iter().map(|invariant| invariant.0)));
    for (name, vertices, edges, degree, shortest, widest) in invariants {
        let graph = Graph::named(name).unwrap();
        assert_eq!((graph.num_vertices(), graph.num_edges()), (vertices, edges), "{name}");
        assert!(is_simple(&graph), "{name}");
        if let Some(degree) = degree {
            assert!((0..vertices).all(|vertex| graph.degree(vertex) == degree), "{name}");
        }
        assert_eq!((girth(&graph), diameter(&graph)), (Some(shortest), widest), "{name}");
    }
}

#[test]
fn named_graphs_have_their_spanning_trees() {
    for (name, trees) in [
        ("petersen", "2000"),
        ("heawood", "50421"),
        ("cube", "384"),
        ("octahedron", "384"),
        ("dodecahedron", "5184000"),
        ("icosahedron", "5184000"),
        ("tetrahedron", "16"),
        ("usa", "75391005254911073411255"),
    ] {
        let graph = Graph::named(name).unwrap();
        assert_eq!(spanning_trees(&graph).to_string(), trees, "{name}");
    }
    assert_eq!(triangles(&Graph::named("karate").unwrap()), 45);
    assert_eq!(Graph::named("karate").unwrap().degree(33), 17);
}

#[test]
fn families_have_their_sizes_and_degrees() {
    for (rows, cols) in [(1, 1), (1, 4), (2, 2), (3, 2), (3, 5), (6, 4)] {
        let squares = (rows - 1) * (cols - 1);
        let sides = rows * (cols - 1) + cols * (rows - 1);
        let king = Graph::king(rows, cols);
        assert_eq!((king.num_vertices(), king.num_edges()), (rows * cols, sides + 2 * squares));
        let triangular = Graph::triangular(rows, cols);
        assert_eq!(triangular.num_edges(), sides + squares);
        if rows > 1 && cols > 1 {
            assert_eq!(triangles(&triangular), 2 * squares);
            assert_eq!(triangles(&king), 4 * squares);
        }
        let hex = Graph::hex(rows, cols);
        assert_eq!(hex.num_vertices(), 2 * (rows + 1) * (cols + 1) - 2);
        // Euler's formula, with the outer face.
        assert_eq!(hex.num_edges(), hex.num_vertices() + rows * cols - 1);
        assert!((0..hex.num_vertices()).all(|vertex| (2..=3).contains(&hex.degree(vertex))));
        assert_eq!((girth(&hex), hex.num_components()), (Some(6), 1));
        for graph in [king, triangular, hex, Graph::torus(rows, cols)] {
            assert!(is_simple(&graph));
        }
    }
    let torus = Graph::torus(3, 4);
    assert!((0..12).all(|vertex| torus.degree(vertex) == 4));
    let cube = Graph::hypercube(3);
    assert_eq!((cube.num_edges(), diameter(&cube), spanning_trees(&cube)), (12, 3, 384.into()));
    assert_eq!(spanning_trees(&Graph::complete(7)), 7_i32.pow(5).into()); // A. Cayley
    assert_eq!(
        spanning_trees(&Graph::complete_bipartite(3, 4)),
        (3_i32.pow(3) * 4_i32.pow(2)).into()
    );
    assert_eq!(spanning_trees(&Graph::wheel(5)), 121.into()); // a Lucas number less 2
    assert_eq!(spanning_trees(&Graph::ladder(4)), 56.into());
    assert_eq!(spanning_trees(&Graph::cycle(9)), 9.into());
    assert_eq!((diameter(&Graph::path(6)), diameter(&Graph::star(6))), (5, 2));
}

#[test]
fn smallest_graphs_of_families_exist() {
    let sizes = |graph: Graph| (graph.num_vertices(), graph.num_edges());
    assert_eq!(sizes(Graph::king(0, 3)), (0, 0));
    assert_eq!(sizes(Graph::hex(0, 3)), (0, 0));
    assert_eq!(sizes(Graph::torus(0, 0)), (0, 0));
    assert_eq!(sizes(Graph::torus(2, 2)), (4, 4));
    assert_eq!(sizes(Graph::hypercube(0)), (1, 0));
    assert_eq!(sizes(Graph::complete(0)), (0, 0));
    assert_eq!(sizes(Graph::complete_bipartite(0, 2)), (2, 0));
    assert_eq!(sizes(Graph::wheel(0)), (1, 0));
    assert_eq!(sizes(Graph::wheel(2)), (3, 3));
    assert_eq!(sizes(Graph::ladder(0)), (0, 0));
    assert_eq!((sizes(Graph::cycle(0)), sizes(Graph::cycle(2))), ((0, 0), (2, 1)));
    assert_eq!((sizes(Graph::path(0)), sizes(Graph::path(1))), ((0, 0), (1, 0)));
    assert_eq!(sizes(Graph::star(0)), (1, 0));
    assert_eq!(sizes(Graph::random_gnp(0, 0.5, 1)), (0, 0));
    assert_eq!(sizes(Graph::random_gnm(1, 0, 1)), (1, 0));
}

#[test]
fn random_graphs_are_the_same_everywhere() {
    // The first numbers of the published generator with seed 1234567.
    let mut random = SplitMix(1_234_567);
    assert_eq!(
        [random.next(), random.next()],
        [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
    );
    let graph = Graph::random_gnm(6, 15, 3);
    assert!(graph.edges() == Graph::complete(6).edges(), "all pairs");
    for seed in 0..20 {
        let graph = Graph::random_gnm(9, 12, seed);
        assert!(graph.num_edges() == 12 && is_simple(&graph));
        assert!(graph.edges().is_sorted());
    }
    // Of 4950 pairs about 10 %: more than six standard deviations off would be a fault.
    let edges = Graph::random_gnp(100, 0.1, 5).num_edges();
    assert!((365..625).contains(&edges), "{edges}");
    assert_eq!(Graph::random_gnp(20, 0.0, 1).num_edges(), 0);
}
