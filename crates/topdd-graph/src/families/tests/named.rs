//! The families by name.

use super::*;

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
