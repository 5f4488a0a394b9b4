//! Small graphs: all of them up to isomorphism, and random ones.

use crate::Graph;

/// The largest numbers of vertices of the graphs, and of the digraphs, of which all are taken.
const LARGEST: [usize; 2] = [6, 4];

/// The empty graph, one graph of each isomorphism class of up to [`LARGEST`] vertices, all labelled
/// graphs of up to four vertices if undirected, and random multigraphs with loops of up to nine.
pub(in crate::families) fn small_graphs(directed: bool) -> Vec<Graph> {
    let make = |n: usize, edges: Vec<(usize, usize)>| {
        if directed { Graph::directed(n, edges) } else { Graph::new(n, edges) }.unwrap()
    };
    let mut graphs = vec![make(0, vec![])];
    for n in 1..=LARGEST[usize::from(directed)] {
        let pairs = pairs(n, directed);
        let subsets =
            if directed || n > 4 { classes(n, directed) } else { (0..1 << pairs.len()).collect() };
        for subset in subsets {
            let chosen = pairs.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
            // Of a graph, every second edge backwards.
            let edges =
                chosen.map(|(i, &(a, b))| if directed || i % 2 == 0 { (a, b) } else { (b, a) });
            graphs.push(make(n, edges.collect()));
        }
    }
    let mut seed = 12345u64;
    let mut draw = |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    for round in 0..72 {
        // The last ones have more vertices than those of which all graphs are taken.
        let (n, edges) = if round < 60 { (1 + draw(6), draw(10)) } else { (7 + draw(3), 11) };
        let edges = (0..edges).map(|_| {
            let (a, b) = (draw(n), draw(n));
            // Loops in every third graph.
            if a == b && round % 3 != 0 { (a, (a + 1) % n) } else { (a, b) }
        });
        let edges: Vec<_> = edges.collect();
        graphs.push(make(n, edges));
    }
    graphs
}

/// The pairs of vertices, ordered ones for digraphs.
fn pairs(n: usize, directed: bool) -> Vec<(usize, usize)> {
    let all = (0..n).flat_map(|b| (0..n).map(move |a| (a, b)));
    all.filter(|&(a, b)| a < b || directed && a != b).collect()
}

/// One graph of each isomorphism class on `n` vertices, as a set of [`pairs`]: the least one as a
/// number.
fn classes(n: usize, directed: bool) -> Vec<usize> {
    let pairs = pairs(n, directed);
    let index = |a: usize, b: usize| {
        let found = pairs.iter().position(|&pair| pair == (a, b) || !directed && pair == (b, a));
        found.expect("a pair of different vertices")
    };
    // Of each permutation of the vertices, the image of each pair.
    let images: Vec<Vec<usize>> = permutations(n)
        .iter()
        .map(|to| pairs.iter().map(|&(a, b)| index(to[a], to[b])).collect())
        .collect();
    let mut seen = vec![false; 1 << pairs.len()];
    let mut classes = Vec::new();
    for subset in 0..seen.len() {
        if seen[subset] {
            continue;
        }
        classes.push(subset);
        for image in &images {
            let moved = image.iter().enumerate().map(|(i, &to)| (subset >> i & 1) << to);
            seen[moved.sum::<usize>()] = true;
        }
    }
    classes
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for last in 0..n {
        let insert = |shorter: &Vec<usize>| -> Vec<Vec<usize>> {
            let at = |place: usize| [&shorter[..place], &[last], &shorter[place..]].concat();
            (0..=last).map(at).collect()
        };
        all = all.iter().flat_map(insert).collect();
    }
    all
}

/// The sequences A000088 and A000273 of the On-Line Encyclopedia of Integer Sequences.
#[test]
fn isomorphism_classes_have_the_known_numbers() {
    let numbers = |directed: bool| {
        let classes = (1..=LARGEST[usize::from(directed)]).map(|n| classes(n, directed).len());
        classes.collect::<Vec<_>>()
    };
    assert_eq!(numbers(false), [1, 2, 4, 11, 34, 156]);
    assert_eq!(numbers(true), [1, 3, 16, 218]);
}
