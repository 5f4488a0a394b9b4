//! The families by name.

use super::*;

// As a function, a method of `Subset` has one lifetime only.
#[allow(clippy::redundant_closure_for_method_calls)]
#[test]
fn forests_trees_and_connected_sets_are_those_of_the_definition() {
    for graph in small_graphs(false) {
        assert_family(&EdgeSets::all(&graph), |_| true);
        assert_family(&forests(&graph), |s| s.is_forest());
        assert_family(&spanning_trees(&graph), |s| s.is_forest() && s.num_components() <= 1);
        assert_family(&connected(&graph), |s| s.num_components() <= 1);
        assert_family(&connected_edge_sets(&graph), |s| s.is_connected_with_edge());
    }
}

#[test]
fn matchings_are_those_of_the_definition() {
    for graph in small_graphs(false) {
        assert_family(&matchings(&graph), |s| s.vertices().all(|v| s.degree(v) <= 1));
    }
}

#[test]
fn rooted_forests_are_those_of_the_definition() {
    for graph in small_graphs(false) {
        let n = graph.num_vertices();
        for roots in [vec![], vec![0], vec![n.saturating_sub(1), 0]] {
            if n < 2 && !(roots.is_empty() || n == 1 && roots.len() == 1) {
                continue;
            }
            assert_family(&rooted_forests(&graph, &roots), |s| {
                let in_it = |c: usize| roots.iter().filter(|&&root| s.component[root] == c).count();
                s.is_forest() && s.vertices().all(|v| in_it(s.component[v]) == 1)
            });
        }
    }
}

#[test]
fn subtrees_and_steiner_trees_are_those_of_the_definition() {
    for graph in small_graphs(false) {
        let n = graph.num_vertices();
        assert_family(&subtrees(&graph), |s| s.is_forest() && s.is_connected_with_edge());
        for terminals in [vec![0], vec![0, n.saturating_sub(1)], vec![0, 1, n.saturating_sub(1)]] {
            if n < terminals.len() || check_distinct(&terminals) {
                continue;
            }
            let contains = |s: &Subset<'_>| {
                let first = s.component[terminals[0]];
                terminals.iter().all(|&t| s.component[t] == first)
            };
            let is_one = |s: &Subset<'_>| {
                contains(s) && s.ends().all(|(a, _)| s.component[a] == s.component[terminals[0]])
            };
            assert_family(&connecting(&graph, &terminals), contains);
            assert_family(&steiner_subgraphs(&graph, &terminals), is_one);
            assert_family(&steiner_trees(&graph, &terminals), |s| is_one(s) && s.is_forest());
        }
    }
}

/// Whether a list repeats a vertex.
fn check_distinct(list: &[usize]) -> bool {
    list.iter().enumerate().any(|(i, vertex)| list[..i].contains(vertex))
}

#[test]
fn degree_families_are_those_of_the_definition() {
    for graph in small_graphs(false) {
        let n = graph.num_vertices();
        let b: Vec<usize> = (0..n).map(|v| v % 3).collect();
        assert_family(&perfect_matchings(&graph), |s| s.vertices().all(|v| s.degree(v) == 1));
        assert_family(&b_matchings(&graph, &b), |s| s.vertices().all(|v| s.degree(v) <= b[v]));
        assert_family(&factors(&graph, &b), |s| s.vertices().all(|v| s.degree(v) == b[v]));
        assert_family(&regular_subgraphs(&graph, 2), |s| {
            s.vertices().all(|v| [0, 2].contains(&s.degree(v)))
        });
        let odd = vec![Degrees::of([1, 3, 5]); n];
        assert_family(&super::degrees(&graph, odd), |s| {
            s.vertices().all(|v| s.degree(v) % 2 == 1 && s.degree(v) < 6)
        });
    }
}

#[test]
fn degree_distributions_are_those_of_the_definition() {
    let (any, none) = (0..=usize::MAX, 0..=0);
    let distributions = [
        vec![any.clone(), 2..=2, any.clone()],
        vec![1..=2, any.clone(), none, 1..=1],
        vec![0..=1, 1..=usize::MAX, 2..=3, any.clone(), 0..=1],
        vec![any.clone(), any, 2..=2],
    ];
    let all = small_graphs(false).into_iter().chain(small_graphs(true));
    for (at, graph) in all.enumerate() {
        let bounds = &distributions[at % distributions.len()];
        let family = degree_distribution(&graph, bounds);
        if is_refused_for_directions(&family) {
            continue;
        }
        assert_family(&family, |s| {
            let with = |d: usize| s.vertices().filter(|&v| s.degree(v) == d).count();
            let within = bounds.iter().enumerate().all(|(d, bounds)| bounds.contains(&with(d)));
            within && s.vertices().all(|v| s.degree(v) < bounds.len())
        });
    }
}

/// Whether the graph has both directions of an edge, and the family is an error therefore.
fn is_refused_for_directions(family: &EdgeSets) -> bool {
    let edges = family.graph().edges();
    let has_both = |&(a, b): &(usize, usize)| a != b && edges.contains(&(b, a));
    let is_refused = family.graph().is_directed() && edges.iter().any(has_both);
    let is_error =
        matches!(family.count(), Err(FamilyError::Graph(GraphError::BothDirections { .. })));
    assert_eq!(is_refused, is_error, "{:?}", family.graph());
    is_refused
}

#[test]
fn directions_that_do_not_count_are_refused_in_both_ways_and_noted_otherwise() {
    type Family = fn(&Graph) -> EdgeSets;

    let grid = Graph::grid(3, 3);
    let both = grid.edges().iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
    let both = Graph::directed(9, both).unwrap();
    let one_way = Graph::directed(9, grid.edges().iter().copied()).unwrap();
    let families: [(Family, bool); 10] = [
        (spanning_trees, true),
        (matchings, true),
        (cuts, true),
        (bipartite_subgraphs, true),
        (|graph| partitions(graph, 2), true),
        (|graph| degrees(graph, vec![2.into(); 9]), true),
        (|graph| EdgeSets::all(graph).and(at_most(2)), false),
        (|graph| EdgeSets::all(graph).and(through(4)).and(avoid(0)), false),
        (|graph| paths(graph, 0, 8), false),
        (|graph| arborescences(graph, 0), false),
    ];
    for (at, (family, ignores)) in families.into_iter().enumerate() {
        let error = family(&both).count().err();
        let is_refused =
            matches!(error, Some(FamilyError::Graph(GraphError::BothDirections { .. })));
        assert_eq!(is_refused, ignores, "{at}: {error:?}");
        assert!(family(&one_way).count().is_ok(), "{at}");
        assert_eq!(family(&one_way).ignores_directions(), ignores, "{at}");
        assert!(!family(&grid).ignores_directions(), "{at}");
    }
    let joined = both.merge_directions().unwrap();
    assert_eq!(spanning_trees(&joined).count().unwrap(), 192u32.into());
    let works = vec![0.9; both.num_edges()];
    let error = Reliability::new(&both, &works).probability().unwrap_err();
    assert!(matches!(error, FamilyError::Graph(GraphError::BothDirections { .. })), "{error}");
    let right = Reliability::new(&joined, &works[..12]).probability().unwrap();
    assert!((right - 0.94698).abs() < 1e-5, "{right}");
    assert!(Reliability::new(&both, &works).directed(0, 8).probability().is_ok());
}

#[test]
fn directed_families_are_those_of_the_definition() {
    for graph in small_graphs(true) {
        let n = graph.num_vertices();
        let out: Vec<_> = (0..n).map(|v| Degrees::of([v % 2, 2])).collect();
        let into = vec![Degrees::from(..2); n];
        assert_family(&directed_degrees(&graph, out.clone(), into), |s| {
            s.vertices().all(|v| out[v].contains(s.out_degree(v)) && s.in_degree(v) < 2)
        });
        for root in 0..n.min(2) {
            assert_family(&arborescences(&graph, root), |s| {
                let away = |v: usize| s.in_degree(v) == usize::from(v != root);
                s.is_forest() && s.num_components() == 1 && s.vertices().all(away)
            });
        }
    }
}

/// Whether the degrees are those of paths with the given ends, or of cycles.
fn path_degrees(s: &Subset<'_>, path: &PathRuleOfTest) -> bool {
    let directed = s.graph.is_directed();
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for v in s.vertices() {
        let (out, into) = (s.out_degree(v), s.in_degree(v));
        match (directed, out, into) {
            (_, 0, 0) if path.hamiltonian => return false,
            (_, 0, 0) | (true, 1, 1) => {}
            (true, 1, 0) => first.push(v),
            (true, 0, 1) => last.push(v),
            (false, _, _) if out + into == 1 => first.push(v),
            (false, _, _) if out + into == 2 => {}
            _ => return false,
        }
    }
    if path.cycle {
        return first.is_empty() && last.is_empty();
    }
    if directed {
        first.len() == 1
            && last.len() == 1
            && path.from.is_none_or(|v| first == [v])
            && path.to.is_none_or(|v| last == [v])
    } else {
        first.len() == 2 && path.from.iter().chain(&path.to).all(|v| first.contains(v))
    }
}

#[derive(Clone, Copy, Default)]
struct PathRuleOfTest {
    cycle: bool,
    hamiltonian: bool,
    from: Option<usize>,
    to: Option<usize>,
}

#[test]
fn paths_and_cycles_are_those_of_the_definition() {
    for graph in small_graphs(false).into_iter().chain(small_graphs(true)) {
        let is_path = |rule: PathRuleOfTest| {
            move |s: &Subset<'_>| s.is_connected_with_edge() && path_degrees(s, &rule)
        };
        let any = PathRuleOfTest::default();
        let all = PathRuleOfTest { hamiltonian: true, ..any };
        assert_family(&all_paths(&graph), is_path(any));
        assert_family(&hamiltonian_paths(&graph), is_path(all));
        assert_family(&cycles(&graph), is_path(PathRuleOfTest { cycle: true, ..any }));
        assert_family(&hamiltonian_cycles(&graph), is_path(PathRuleOfTest { cycle: true, ..all }));
        let last = graph.num_vertices().saturating_sub(1);
        if last == 0 {
            continue;
        }
        let (from, to) = (Some(0), Some(last));
        assert_family(&paths_from(&graph, 0), is_path(PathRuleOfTest { from, ..any }));
        assert_family(&hamiltonian_paths_from(&graph, 0), is_path(PathRuleOfTest { from, ..all }));
        assert_family(&paths(&graph, 0, last), is_path(PathRuleOfTest { from, to, ..any }));
        assert_family(
            &hamiltonian_paths_between(&graph, 0, last),
            is_path(PathRuleOfTest { from, to, ..all }),
        );
    }
}

#[test]
fn partitions_are_those_of_the_definition() {
    for graph in small_graphs(false) {
        let n = graph.num_vertices();
        let weights: Vec<i64> = (0..n).map(|v| [2, 1, 3, -1][v % 4]).collect();
        let graph = graph.with_vertex_weights(weights).unwrap();
        for k in 0..4 {
            // Every edge within a component is taken.
            let is_partition = |s: &Subset<'_>| {
                let inner = |&e: &usize| {
                    let (a, b) = s.graph.edges()[e];
                    s.component[a] == s.component[b]
                };
                s.num_components() == k
                    && (0..s.graph.num_edges()).filter(inner).eq(s.edges.clone())
            };
            assert_family(&partitions(&graph, k), is_partition);
            // The second bounds exclude no block for being too heavy.
            for bounds in [1..=4, 2..=100] {
                assert_family(&balanced_partitions(&graph, k, bounds.clone()), |s| {
                    let weight = |block: usize| {
                        let in_it = s.vertices().filter(|&v| s.component[v] == block);
                        in_it.map(|v| s.graph.vertex_weight(v)).sum::<i64>()
                    };
                    let is_balanced = |v: usize| bounds.contains(&weight(s.component[v]));
                    is_partition(s) && s.vertices().all(is_balanced)
                });
            }
        }
    }
}

#[test]
fn cuts_are_those_of_the_definition() {
    for graph in small_graphs(false) {
        let n = graph.num_vertices();
        assert_family(&cuts(&graph), |s| {
            (1..(1usize << n).saturating_sub(1)).any(|side| {
                let cut = |&e: &usize| {
                    let (a, b) = s.graph.edges()[e];
                    side >> a & 1 != side >> b & 1
                };
                (0..s.graph.num_edges()).filter(cut).eq(s.edges.clone())
            })
        });
    }
}

/// Minimal cuts by the definition: without the edges, two vertices are not connected, and with any of them, they are.
#[test]
fn cuts_between_and_minimal_cuts_are_those_of_the_definition() {
    for graph in small_graphs(false) {
        let n = graph.num_vertices();
        let without = |removed: &[usize]| {
            let rest = (0..graph.num_edges()).filter(|edge| !removed.contains(edge));
            Subset::new(&graph, rest.collect())
        };
        let is_minimal = |s: &Subset<'_>, separates: &dyn Fn(&Subset<'_>) -> bool| {
            separates(&without(&s.edges))
                && s.edges.iter().all(|kept| {
                    let others = s.edges.iter().copied().filter(|edge| edge != kept);
                    !separates(&without(&others.collect::<Vec<_>>()))
                })
        };
        assert_family(&minimal_cuts(&graph), |s| is_minimal(s, &|rest| rest.num_components() > 1));
        for (a, b) in [(0, 1), (n / 2, n.saturating_sub(1))] {
            if a >= b || b >= n {
                continue;
            }
            assert_family(&minimal_cuts_between(&graph, a, b), |s| {
                is_minimal(s, &|rest| rest.component[a] != rest.component[b])
            });
            let separating: Vec<_> = (0..1usize << n)
                .filter(|side| side >> a & 1 != side >> b & 1)
                .map(|side| {
                    let is_cut = |&edge: &usize| {
                        let (v, w) = graph.edges()[edge];
                        side >> v & 1 != side >> w & 1
                    };
                    (0..graph.num_edges()).filter(is_cut).collect::<Vec<_>>()
                })
                .collect();
            assert_family(&cuts_between(&graph, a, b), |s| separating.contains(&s.edges));
        }
    }
    let graph = Graph::cycle(4);
    let wrong = FamilyError::VertexOutOfRange { vertex: 4, vertices: 4 };
    assert_eq!(minimal_cuts_between(&graph, 0, 4).count(), Err(wrong));
    let twice = FamilyError::RepeatedVertex { vertex: 1 };
    assert_eq!(cuts_between(&graph, 1, 1).count(), Err(twice));
    // Splits of a board into two connected parts: A068416 of the On-Line Encyclopedia of Integer Sequences.
    for (n, count) in [(2, 6u32), (3, 53), (4, 627), (5, 16_213), (6, 1_123_743)] {
        assert_eq!(minimal_cuts(&Graph::grid(n, n)).count(), Ok(count.into()));
    }
    // The bonds of a complete graph are the splits into two sides.
    assert_eq!(minimal_cuts(&Graph::complete(9)).count(), Ok(255u32.into()));
}

#[test]
fn bipartite_subgraphs_are_those_of_the_definition() {
    for graph in small_graphs(false) {
        let n = graph.num_vertices();
        assert_family(&bipartite_subgraphs(&graph), |s| {
            (0..1usize << n).any(|side| s.ends().all(|(a, b)| side >> a & 1 != side >> b & 1))
        });
    }
}

#[test]
fn bicliques_are_those_of_the_definition() {
    for (at, graph) in small_graphs(false).into_iter().enumerate() {
        let [a, b] = [[1, 1], [1, 2], [2, 2], [3, 1], [2, 3], [3, 3]][at % 6];
        let family = bicliques(&graph, a, b);
        let joins = |v: usize, w: usize| {
            move |&&(x, y): &&(usize, usize)| (v, w) == (x, y) || (w, v) == (x, y)
        };
        let n = graph.num_vertices();
        if (0..n).any(|v| (0..=v).any(|w| graph.edges().iter().filter(joins(v, w)).count() > 1)) {
            assert_eq!(family.count(), Err(FamilyError::ParallelEdges { family: "bicliques" }));
            continue;
        }
        assert_family(&family, |s| {
            let used: Vec<usize> = s.vertices().filter(|&v| s.degree(v) > 0).collect();
            s.edges.len() == a * b
                && used.len() == a + b
                && (0..1usize << used.len()).any(|side| {
                    let on = |at: usize| (0..used.len()).filter(move |i| side >> i & 1 == at);
                    on(0).count() == a
                        && on(0)
                            .all(|i| on(1).all(|j| s.ends().any(|e| joins(used[i], used[j])(&&e))))
                })
        });
    }
    let error = FamilyError::NoVertices { what: "both sides of bicliques" };
    assert_eq!(bicliques(&Graph::grid(2, 2), 0, 1).count(), Err(error));
    let huge = bicliques(&Graph::grid(2, 2), usize::MAX, usize::MAX);
    assert_eq!(huge.count().unwrap(), 0u32.into());
}

#[test]
fn conditions_and_combinations_are_those_of_the_definition() {
    let graphs = small_graphs(false).into_iter().chain(small_graphs(true));
    for graph in graphs.filter(|graph| graph.num_vertices() > 2) {
        let (n, m) = (graph.num_vertices(), graph.num_edges());
        let weights: Vec<i64> = (0..m).map(|e| [3, -1, 2][e % 3]).collect();
        let sums = SubgraphConstraint::Weight { weights: weights.clone(), least: 0, most: 5 };
        let degree =
            |vertex, degrees| SubgraphConstraint::Degree { vertices: vec![vertex], degrees };
        let mut combined = connected_groups(&graph, &[vec![0, n - 1], vec![1]])
            .and(degree(0, Degrees::of([1, 3])))
            .and(degree(1, Degrees::from(..3)))
            .and(at_least(1))
            .and(at_most(4))
            .and(sums);
        let no_cycle = m % 2 == 0;
        if no_cycle {
            combined = combined.and(forests(&graph));
        }
        let sum = |s: &Subset<'_>| s.edges.iter().map(|&e| weights[e]).sum::<i64>();
        if is_refused_for_directions(&combined) {
            continue;
        }
        assert_family(&combined, |s| {
            s.component[0] == s.component[n - 1]
                && s.component[0] != s.component[1]
                && [1, 3].contains(&s.degree(0))
                && s.degree(1) < 3
                && (1..=4).contains(&s.edges.len())
                && (!no_cycle || s.is_forest())
                && (0..=5).contains(&sum(s))
        });
        let rule = PathRuleOfTest { from: Some(0), to: Some(n - 1), ..Default::default() };
        let constrained = paths(&graph, 0, n - 1).and(at_most(3)).and(avoid(1));
        assert_family(&constrained, |s| {
            s.is_connected_with_edge()
                && path_degrees(s, &rule)
                && s.edges.len() <= 3
                && s.degree(1) == 0
        });
        let cycle = PathRuleOfTest { cycle: true, ..Default::default() };
        let (least, most) = (cost_at_least(&weights[..], 1), cost_at_most(&weights[..], 6));
        let constrained = cycles(&graph).and(least).and(most).and(at_least(1)).and(through(1));
        assert_family(&constrained, |s| {
            s.is_connected_with_edge()
                && path_degrees(s, &cycle)
                && (1..=6).contains(&sum(s))
                && s.degree(1) > 0
        });
        if m > 1 {
            let some = forests(&graph).with([m - 1]).without([0]);
            assert_family(&some, |s| {
                s.is_forest() && s.edges.contains(&(m - 1)) && !s.edges.contains(&0)
            });
        }
        let none = forests(&graph).with([m]).count().unwrap_err();
        assert_eq!(none, FamilyError::EdgeOutOfRange { edge: m, edges: m });
        // Two families that no single sweep can check.
        assert_family(&subtrees(&graph).and(cuts(&graph)).and(through(0)), |s| {
            let is_cut = (1..(1usize << n) - 1).any(|side| {
                let cut = |&e: &usize| {
                    let (a, b) = s.graph.edges()[e];
                    side >> a & 1 != side >> b & 1
                };
                (0..m).filter(cut).eq(s.edges.clone())
            });
            s.is_forest() && s.is_connected_with_edge() && is_cut && s.degree(0) > 0
        });
    }
}

#[test]
fn minimum_degrees_count_both_ends_of_a_loop() {
    let loops = Graph::new(2, [(0, 0), (0, 1), (0, 0)]).unwrap();
    for least in 0..4 {
        let at_least = vec![Degrees::from(least..), Degrees::any()];
        assert_family(&degrees(&loops, at_least), |s| s.degree(0) >= least);
    }
    let looped = |s: &Subset<'_>| s.degree(0) > 0;
    assert_family(&EdgeSets::all(&loops).and(through(0)), looped);
}

#[test]
fn bounds_beyond_all_degrees_are_as_those_at_the_largest_one() {
    let grid = Graph::grid(3, 3);
    let (huge, all) = (usize::MAX, 4096u32);
    assert_eq!(b_matchings(&grid, &[huge; 9]).count().unwrap(), all.into());
    assert_eq!(regular_subgraphs(&grid, huge).count().unwrap(), 1u32.into());
    assert_eq!(regular_subgraphs(&grid, 1_000_000_000_000).count().unwrap(), 1u32.into());
    let sets = |allowed: Degrees| degrees(&grid, vec![allowed; 9]).count().unwrap();
    assert_eq!(sets((huge..).into()), 0u32.into());
    assert_eq!(sets((..huge).into()), all.into());
    assert_eq!(sets(Degrees::of([0, 2, 4, huge])), 16u32.into());
    let distribution = |bounds: &[_]| degree_distribution(&grid, bounds).count().unwrap();
    assert_eq!(distribution(&vec![0..=huge; 100]), all.into());
    assert_eq!(distribution(&[0..=huge, 0..=huge, huge..=huge]), 0u32.into());
    let of_degree_5 = [vec![0..=huge; 5], vec![1..=huge]].concat();
    assert_eq!(distribution(&of_degree_5), 0u32.into());
    let single = connected_edge_sets(&grid).and(b_matchings(&grid, &[huge; 9]));
    assert_eq!(single.count().unwrap(), connected_edge_sets(&grid).count().unwrap());
}

#[test]
fn equal_ends_of_a_path_are_an_error() {
    let grid = Graph::grid(2, 2);
    let error = FamilyError::EqualEnds { vertex: 3 };
    assert_eq!(paths(&grid, 3, 3).count(), Err(error.clone()));
    assert_eq!(hamiltonian_paths_between(&grid, 3, 3).count(), Err(error));
}

/// A 3-regular graph whose frontier is thousands of vertices wide: a cycle and a random matching.
fn sparse_and_wide(n: usize) -> Graph {
    let mut state = 1u64;
    let mut ends: Vec<usize> = (0..n).collect();
    for last in (1..n).rev() {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ends.swap(last, (state >> 33) as usize % (last + 1));
    }
    let matching = ends.chunks_exact(2).map(|pair| (pair[0], pair[1]));
    Graph::new(n, (0..n).map(|v| (v, (v + 1) % n)).chain(matching)).unwrap()
}

#[test]
fn wide_frontiers_of_sparse_graphs_are_refused_at_once() {
    // Anything of the square of the width, or of edges times width, would take gigabytes.
    let n = 30_000;
    let graph = sparse_and_wide(n);
    let terminals = [0, n / 2];
    let sets = [
        forests(&graph),
        spanning_trees(&graph),
        connected(&graph),
        matchings(&graph),
        perfect_matchings(&graph),
        connected_edge_sets(&graph),
        rooted_forests(&graph, &terminals),
        subtrees(&graph),
        steiner_trees(&graph, &terminals),
        steiner_subgraphs(&graph, &terminals),
        connecting(&graph, &terminals),
        b_matchings(&graph, &vec![2; n]),
        factors(&graph, &vec![1; n]),
        regular_subgraphs(&graph, 2),
        degree_distribution(&graph, &[0..=n, 2..=2]),
        paths(&graph, 0, n / 2),
        paths_from(&graph, 0),
        all_paths(&graph),
        cycles(&graph),
        hamiltonian_cycles(&graph),
        hamiltonian_paths(&graph),
        partitions(&graph, 2),
        balanced_partitions(&graph, 2, 1..=30_000),
        cuts(&graph),
        minimal_cuts(&graph),
        minimal_cuts_between(&graph, 0, n / 2),
    ];
    for (at, sets) in sets.into_iter().enumerate() {
        let error = sets.order(Order::Given).frontier().err();
        assert!(matches!(error, Some(FamilyError::TooWide { .. })), "family {at}: {error:?}");
    }
    for sets in [
        independent_sets(&graph),
        independent_sets_at_distance(&graph, 3),
        dominating_sets(&graph),
        total_dominating_sets(&graph),
        vertex_covers(&graph),
    ] {
        let error = sets.order(Order::Given).frontier().err();
        assert!(matches!(error, Some(FamilyError::TooWide { .. })), "{error:?}");
    }
    let error = colourings(&graph, 3).order(Order::Given).frontier().err();
    assert!(matches!(error, Some(FamilyError::TooWide { .. })), "{error:?}");
    let works = vec![0.5; graph.num_edges()];
    let network = Reliability::new(&graph, &works).order(Order::Given);
    assert!(matches!(network.probability(), Err(FamilyError::TooWide { .. })));
}
