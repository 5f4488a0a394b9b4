//! Every family of large graphs: paths, stars and caterpillars take linear time, and no recursion.

use topdd::{DdSpec, Forced, Frontier, Step};
use topdd_graph::Graph;
use topdd_graph::families::*;

/// A path, a star, and a caterpillar: every second vertex hangs at the one before it.
fn long_graphs(n: usize) -> [(&'static str, Graph); 3] {
    let caterpillar = |v: usize| (if v % 2 == 1 { v - 1 } else { v - 2 }, v);
    let caterpillar = Graph::new(n, (1..n).map(caterpillar)).expect("a tree");
    [("path", Graph::path(n)), ("star", Graph::star(n - 1)), ("caterpillar", caterpillar)]
}

type Made = Result<Frontier<'static>, FamilyError>;

/// The sweep of every family of a graph, by name. The last vertex is one end of paths.
fn sweeps(graph: &Graph, order: &Order) -> Vec<(&'static str, Made)> {
    let mut sweeps: Vec<(&str, Made)> = Vec::new();
    for (name, family) in edge_sets(graph) {
        sweeps.push((name, family.order(order.clone()).frontier()));
    }
    for (name, family) in vertex_sets(graph) {
        // Cliques have an order of their own.
        let order = if name == "cliques" { Order::Auto } else { order.clone() };
        sweeps.push((name, family.order(order).frontier()));
    }
    sweeps.push(("colourings", colourings(graph, 3).order(order.clone()).frontier()));
    sweeps
}

/// Bounds on weights are small: the states of a family with sums have one for each sum.
fn edge_sets(graph: &Graph) -> Vec<(&'static str, EdgeSets)> {
    let n = graph.num_vertices();
    let mut families = vec![
        ("all", EdgeSets::all(graph)),
        ("connected groups", connected_groups(graph, &[]).and(forests(graph)).and(at_most(3))),
        ("forests", forests(graph)),
        ("spanning trees", spanning_trees(graph)),
        ("subtrees", subtrees(graph)),
        ("connected", connected(graph)),
        ("connected edge sets", connected_edge_sets(graph)),
        ("matchings", matchings(graph)),
        ("small matchings", matchings(graph).and(at_most(3))),
        ("perfect matchings", perfect_matchings(graph)),
        ("b-matchings", b_matchings(graph, &vec![2; n])),
        ("factors", factors(graph, &vec![1; n])),
        ("regular", regular_subgraphs(graph, 2)),
        ("degrees", degrees(graph, vec![Degrees::of([1, 3]); n])),
        ("degree distribution", degree_distribution(graph, &[0..=n, 2..=2, 0..=n])),
        ("all paths", all_paths(graph)),
        ("hamiltonian paths", hamiltonian_paths(graph)),
        ("cycles", cycles(graph)),
        ("hamiltonian cycles", hamiltonian_cycles(graph)),
        ("partitions", partitions(graph, 2)),
        ("balanced partitions", balanced_partitions(graph, 2, 1..=3)),
        ("heavy partitions", balanced_partitions(graph, 3, 4..=i64::MAX)),
        ("cuts", cuts(graph)),
        ("bipartite", bipartite_subgraphs(graph)),
        ("bicliques", bicliques(graph, 1, 2)),
    ];
    if let Some(last) = n.checked_sub(1).filter(|&last| last > 0) {
        families.extend([
            ("rooted forests", rooted_forests(graph, &[0, last])),
            ("steiner trees", steiner_trees(graph, &[0, last])),
            ("steiner subgraphs", steiner_subgraphs(graph, &[0, last])),
            ("connecting", connecting(graph, &[0, last])),
            ("paths", paths(graph, 0, last)),
            ("paths from a vertex", paths_from(graph, 0).and(at_most(3))),
            ("hamiltonian paths from a vertex", hamiltonian_paths_from(graph, 0)),
            ("hamiltonian paths between two", hamiltonian_paths_between(graph, 0, last)),
        ]);
    }
    families
}

fn vertex_sets(graph: &Graph) -> Vec<(&'static str, VertexSets)> {
    vec![
        ("vertex sets", VertexSets::all(graph)),
        ("independent sets", independent_sets(graph)),
        ("independent sets at distance 3", independent_sets_at_distance(graph, 3)),
        ("cliques", cliques(graph)),
        ("dominating sets", dominating_sets(graph)),
        ("total dominating sets", total_dominating_sets(graph)),
        ("connected dominating sets", connected_dominating_sets(graph)),
        ("vertex covers", vertex_covers(graph)),
        ("connected induced subgraphs", connected_induced_subgraphs(graph)),
    ]
}

/// Digraphs: each edge away from vertex 0.
fn directed(graph: &Graph) -> Vec<(&'static str, Made)> {
    let n = graph.num_vertices();
    let graph = Graph::directed(n, graph.edges().iter().copied()).expect("a digraph");
    let free = || vec![Degrees::any(); n];
    vec![
        ("arborescences", arborescences(&graph, 0).frontier()),
        ("directed degrees", directed_degrees(&graph, free(), free()).frontier()),
        ("directed paths", all_paths(&graph).frontier()),
        ("directed cycles", cycles(&graph).frontier()),
    ]
}

/// Sweeps over every family of the long graphs, which has a constant number of states for each
/// variable, or is refused. The number of solutions modulo a prime needs no long numbers.
fn sweep_all(n: usize, order: &Order) {
    for (name, graph) in long_graphs(n) {
        for (family, sweep) in sweeps(&graph, order).into_iter().chain(directed(&graph)) {
            let mut sweep = match sweep {
                Ok(sweep) => sweep,
                // All leaves of a star are at distance 2.
                Err(FamilyError::TooManyPairs { .. }) if name == "star" => continue,
                Err(error) => panic!("{family} of a {name}: {error}"),
            };
            // Checks of debug builds follow each forced state to its end.
            sweep = sweep.checked(false);
            let start = std::time::Instant::now();
            let count = sweep.count_modulo(1_000_000_007).expect("a sweep");
            let states = sweep.report().states();
            println!("{family} of a {name}: {states} states, {:?}, {count}", start.elapsed());
            assert!(states <= 24 * n as u64, "{family} of a {name}: {states} states");
        }
        let works = vec![0.999; graph.num_edges()];
        let network = Reliability::new(&graph, &works).reduced().expect("probabilities");
        assert!(network.blocks().is_empty() && network.factor() < 1.0);
    }
}

#[test]
fn families_of_ten_thousand_edges_take_linear_time() {
    sweep_all(10_001, &Order::Given);
}

/// A matched centre excludes all other edges of a star. If that took one forced step for each edge, the
/// sweep would take quadratic time without more states.
#[test]
fn full_centre_of_a_star_skips_its_other_edges_in_one_step() {
    let star = Graph::star(1000);
    for family in [
        matchings(&star),
        matchings(&star).and(at_most(3)),
        matchings(&star).and(forests(&star)),
        b_matchings(&star, &vec![2; 1001]),
    ] {
        let spec = family.order(Order::Given).spec().expect("a family");
        let mut step = spec.root();
        let mut forced = 0;
        // Takes the first edges while there is a choice, and then the forced ones.
        while let Step::To(variable, state) = step {
            step = match spec.forced(&state, variable) {
                Forced::Free => spec.child(&state, variable, 1),
                Forced::Value(_, next) => {
                    forced += 1;
                    next
                }
                Forced::Dead => panic!("two edges are a solution"),
            };
        }
        assert!(matches!(step, Step::One) && forced <= 2, "{forced} forced steps");
    }
}

/// Quadratic time would be minutes here.
#[test]
fn estimates_of_a_large_star_take_linear_time() {
    let star = Graph::star(300_000);
    for (name, family) in edge_sets(&star) {
        let family = family.order(Order::Given);
        let bits = family.frontier_bits().expect("an order");
        let widest = bits.iter().copied().fold(0.0, f64::max);
        assert!(bits.len() == 300_000 && widest < 5.01, "{name}: {widest} bits");
    }
}

/// For the release profile: most sweeps take a few seconds.
#[test]
#[ignore = "minutes, and gigabytes of memory"]
fn families_of_a_million_edges_take_linear_time() {
    sweep_all(1_000_001, &Order::Auto);
}

/// Diagrams as deep as the graph is long.
#[test]
#[ignore = "minutes, and gigabytes of memory"]
fn diagrams_of_a_million_edges_are_built() {
    let (_, path) = &long_graphs(1_000_001)[0];
    let matchings = matchings(path).zdd().expect("a sweep");
    assert_eq!(matchings.maximum().expect("a matching").weight, 500_000);
    let independent = independent_sets(path).zdd().expect("a sweep");
    assert_eq!(independent.maximum().expect("a set").weight, 500_001);
    let paths = paths(path, 0, 1_000_000).zdd().expect("a sweep");
    assert_eq!(paths.count(), 1_u32.into());
    assert_eq!(paths.iter().next().map(|path| path.len()), Some(1_000_000));
}

/// The search for an order is bounded on dense graphs, too.
#[test]
#[ignore = "seconds, and gigabytes of memory"]
fn dense_graphs_are_refused_in_seconds() {
    let dense = Graph::complete(4200);
    let refused = independent_sets(&dense).count();
    assert!(matches!(refused, Err(FamilyError::TooWide { .. })), "{refused:?}");
}

#[test]
fn empty_graphs_pass_through_every_family() {
    for n in [0, 1, 2] {
        let graph = Graph::empty(n);
        for (family, sweep) in sweeps(&graph, &Order::Auto).into_iter().chain(directed_of(&graph)) {
            let count = sweep.and_then(|mut sweep| Ok(sweep.count()?));
            let count = count.unwrap_or_else(|error| panic!("{family}: {error}"));
            // Vertex sets at most, and colourings.
            assert!(count <= 9_u32.into(), "{family}: {count}");
        }
        let reliability = Reliability::new(&graph, &[]).probability();
        assert_eq!(reliability, Ok(if n > 1 { 0.0 } else { 1.0 }));
    }
}

/// [`directed`], without a root in a graph that has no vertex.
fn directed_of(graph: &Graph) -> Vec<(&'static str, Made)> {
    if graph.num_vertices() == 0 { Vec::new() } else { directed(graph) }
}
