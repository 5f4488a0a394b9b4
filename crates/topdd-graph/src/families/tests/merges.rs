//! Bounded runs over the families whose states merge.

use super::small_graphs;
use crate::Graph;
use crate::families::*;
use topdd::{Bounded, BoxedSpec, Goal, QueryError, Weights, check};

/// Compares bounded runs of tiny widths with the optimum and the count.
fn compare(name: &str, graph: &Graph, spec: &BoxedSpec<'_>) {
    let weights =
        Weights::of_ones((0_i64..).take(topdd::DdSpec::num_vars(spec)).map(|v| v * 5 % 7 - 1));
    let zdd = topdd::zdd(spec).unwrap();
    check::contract(spec, topdd::Rule::ZeroSuppressed, 300).unwrap();
    for goal in [Goal::Minimum, Goal::Maximum] {
        let best = match zdd.best(&weights, goal, 1).map(|mut best| best.next()) {
            Err(QueryError::NoSolutions) => None,
            best => best.unwrap().map(|best| best.weight),
        };
        let run = || Bounded::over(spec).width(2);
        let solved = |mut run: Bounded<'_, _>| match goal {
            Goal::Minimum => run.minimize(&weights).unwrap(),
            Goal::Maximum => run.maximize(&weights).unwrap(),
        };
        let (proven, stopped) = (solved(run()), solved(run().max_states(1)));
        assert!(proven.is_proven(), "{name} of {graph:?}");
        assert_eq!(proven.weight(), best, "{name} of {graph:?}");
        if let (Some(best), Some(bound)) = (best, stopped.bound()) {
            let is_better = |a: i128, b: i128| if goal == Goal::Minimum { a <= b } else { a >= b };
            assert!(is_better(bound, best), "{name} of {graph:?}: {bound} for {best}");
        }
    }
    let bounds = Bounded::over(spec).width(2).count_bounds().unwrap();
    let upper = bounds.upper().unwrap_or_else(|| panic!("{name} of {graph:?} has no upper bound"));
    assert!(*bounds.lower() <= zdd.count() && zdd.count() <= *upper, "{name} of {graph:?}");
}

#[test]
fn bounded_runs_of_vertex_sets_prove_the_optimum() {
    for graph in small_graphs(false).iter().step_by(5) {
        let sets = [
            ("independent sets", independent_sets(graph)),
            ("distant sets", independent_sets_at_distance(graph, 3)),
            ("covers", vertex_covers(graph)),
            ("dominating sets", dominating_sets(graph)),
            ("total dominating sets", total_dominating_sets(graph)),
            ("cliques", cliques(graph)),
            ("kernels", independent_sets(graph).and(dominating_sets(graph))),
        ];
        let weights: Vec<i64> = (0_i64..).take(graph.num_vertices()).map(|v| v % 3 + 1).collect();
        for (name, sets) in sets {
            compare(name, graph, &sets.spec().unwrap());
            let bounded = sets.clone().and(at_least(1)).and(at_most(3));
            compare(name, graph, &bounded.spec().unwrap());
            let heavy = sets
                .and(cost_at_least(weights.clone(), 4))
                .without([0].into_iter().filter(|_| graph.num_vertices() > 0));
            compare(name, graph, &heavy.spec().unwrap());
        }
    }
}

#[test]
fn bounded_runs_of_edge_sets_with_degrees_prove_the_optimum() {
    for graph in small_graphs(false).iter().step_by(5) {
        let all: Vec<usize> = (0..graph.num_vertices()).collect();
        let with_degrees = |degrees: Degrees| {
            let vertices = all.clone();
            EdgeSets::all(graph).and(SubgraphConstraint::Degree { vertices, degrees })
        };
        for (name, sets) in [
            ("matchings", matchings(graph)),
            ("perfect matchings", perfect_matchings(graph)),
            ("edge covers", with_degrees(Degrees::from(1..))),
            ("degrees from 2", with_degrees(Degrees::from(2..))),
            ("degrees 0, 2 and 3", with_degrees(Degrees::of([0, 2, 3]))),
        ] {
            compare(name, graph, &sets.spec().unwrap());
            compare(name, graph, &sets.clone().and(at_least(2)).spec().unwrap());
            compare(name, graph, &sets.and(exactly(3)).spec().unwrap());
        }
    }
}
