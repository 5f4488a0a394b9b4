//! The numbers of Graphillion 2.1 for a grid of nine vertices, by the methods that the page on Python names in
//! "Coming from Graphillion". The comments name Graphillion's methods where the names differ.

use std::error::Error;

use topdd::Goal;
use topdd_apply::{Family, Manager};
use topdd_graph::Graph;
use topdd_graph::families::{
    EdgeSets, Order, Reliability, SubgraphConstraint, all_paths, arborescences, at_least,
    b_matchings, balanced_partitions, bicliques, cliques, connected_edge_sets, connected_groups,
    connected_induced_subgraphs, cycles, degree_distribution, exactly, factors, forests,
    hamiltonian_cycles, hamiltonian_paths, hamiltonian_paths_between, hamiltonian_paths_from,
    matchings, partitions, paths, paths_from, perfect_matchings, regular_subgraphs, rooted_forests,
    spanning_trees, steiner_subgraphs, steiner_trees, subtrees, through,
};

#[test]
fn families_have_the_numbers_of_graphillion() -> Result<(), Box<dyn Error>> {
    let g = Graph::grid(3, 3); // vertices 0 to 8, row by row
    let through_all =
        |family: EdgeSets| [0, 4, 8].into_iter().fold(family, |f, v| f.and(through(v)));
    let mut b = [1; 9];
    b[4] = 2;
    let degrees: Vec<usize> = (0..9).map(|v| g.degree(v)).collect();
    let any = 0..=usize::MAX;
    let distribution = [any.clone(), 4..=4, any.clone(), any.clone()];
    let letter = [any.clone(), 1..=1, any, 1..=1];
    for (family, graphillion) in [
        (EdgeSets::all(&g), 4096),
        (steiner_subgraphs(&g, &[0, 4, 8]), 910), // connected_components([0, 4, 8])
        (subtrees(&g), 1093),                     // trees()
        (steiner_trees(&g, &[0]), 750),           // trees(0)
        (spanning_trees(&g), 192),                // trees(is_spanning=True)
        (forests(&g), 3102),                      // graphs(no_loop=True)
        (rooted_forests(&g, &[0, 8]), 288),       // forests([0, 8], is_spanning=True)
        (cycles(&g), 13),
        (hamiltonian_cycles(&g), 0),
        (paths(&g, 0, 8), 12),
        (paths_from(&g, 0), 78),
        (all_paths(&g), 322),
        (hamiltonian_paths_between(&g, 0, 8), 2),
        (hamiltonian_paths_from(&g, 0), 8),
        (hamiltonian_paths(&g), 20),
        (matchings(&g), 131),
        (perfect_matchings(&g), 0),
        (b_matchings(&g, &[2; 9]), 1888), // k_matchings(2)
        (b_matchings(&g, &b), 181),
        (factors(&g, &[2; 9]), 0),  // k_factors(2)
        (factors(&g, &degrees), 1), // f_factors
        (regular_subgraphs(&g, 2).and(connected_edge_sets(&g)), 13),
        (degree_distribution(&g, &distribution), 1230),
        (degree_distribution(&g, &letter).and(connected_edge_sets(&g)), 128), // letter_P_graphs
        (bicliques(&g, 2, 2), 4),
        (steiner_trees(&g, &[0, 4, 8]), 490),
        (through_all(cycles(&g)), 2),     // steiner_cycles
        (through_all(all_paths(&g)), 76), // steiner_paths
        (partitions(&g, 2), 53),
        (balanced_partitions(&g, 2, 4..=5), 16),
    ] {
        assert_eq!(family.count()?, (graphillion as u32).into());
    }
    assert_eq!(cliques(&g).and(exactly(2)).count()?, 12u32.into());
    assert_eq!(connected_induced_subgraphs(&g).and(at_least(2)).count()?, 209u32.into());
    let heavy = SubgraphConstraint::Weight { weights: (0..9).collect(), least: 10, most: 17 };
    assert_eq!(connected_induced_subgraphs(&g).and(heavy).and(at_least(2)).count()?, 50u32.into());
    let reliability = Reliability::new(&g, &[0.9; 12]).terminals(&[0, 8]).probability()?;
    assert!((reliability - 0.972502171407).abs() < 1e-12);
    let groups = connected_groups(&g, &[vec![0, 8], vec![2]]);
    assert_eq!(groups.count()?, 337u32.into());
    let one_way = Graph::directed(3, [(0, 1), (1, 2), (2, 0)])?;
    assert_eq!(cycles(&one_way).count()?, 1u32.into());
    assert_eq!(arborescences(&one_way, 0).count()?, 1u32.into());
    Ok(())
}

#[test]
fn queries_and_algebra_have_the_numbers_of_graphillion() -> Result<(), Box<dyn Error>> {
    let g = Graph::grid(3, 3);
    let all = paths(&g, 0, 8).order(Order::Given).zdd()?;
    let center = paths(&g, 0, 8).and(through(4)).order(Order::Given).zdd()?;

    // Queries and set operations.
    assert_eq!((all.count(), center.count()), (12u32.into(), 10u32.into()));
    assert!(all.contains(&[0, 2, 4, 9]) && all.count_by_size()[4] == 6u32.into());
    assert!(all.contains(&all.sample(&mut rand::rng())?));
    let longest = all.best(&[1; 12], Goal::Maximum, 3)?;
    assert!(longest.map(|path| path.weight).eq([8, 8, 6]));
    let around = all.diagram() - center.diagram();
    assert!(around.count() == 2u32.into() && center.diagram().is_subset(all.diagram())?);
    assert_eq!(all.diagram().complement()?.count(), 4084u32.into());

    // The algebra of families; the numbers are those of Graphillion.
    let manager = Manager::new(g.num_edges())?;
    let f = manager.family_of(all.diagram())?;
    let over = |each: &dyn Fn(usize) -> Result<Family, topdd_apply::Error>| {
        (0..12).try_fold(manager.empty(), |sum, variable| sum.try_union(&each(variable)?))
    };
    let hitting = manager.power_set(0..12)?.supersets_of(&f.minimal_hitting_sets()?)?;
    let complements = (0..12).try_fold(f.clone(), |f, variable| f.change(variable))?;
    for (family, graphillion) in [
        (f.join(&f)?, 75),
        (f.meet(&f)?, 56),
        (f.minimal()?, 12),
        (f.maximal()?, 12),
        (hitting, 2961),
        (f.minimal_hitting_sets()?, 30),
        (complements, 12),
        (over(&|v| f.subset1(v))?, 64),            // remove_some_edge
        (over(&|v| f.subset0(v)?.change(v))?, 80), // add_some_edge
    ] {
        assert_eq!(family.count(), (graphillion as u32).into());
    }
    assert_eq!(f.to_zdd()?, *all.diagram());
    Ok(())
}
