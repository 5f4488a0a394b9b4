//! The classic formulations against the specs: the same solutions, and the same diagram.

use std::collections::BTreeSet;

use topdd_apply::{Error, Manager, ManagerLimit, assert_same};
use topdd_chess::{KnightsTours, Queens, QueensError, Square, queens};
use topdd_graph::{
    ByTimeError, Directions, Graph, PathEncoding, PathError, Paths, grid_hamiltonian_cycles,
    grid_hamiltonian_paths, grid_paths,
};

/// Queens by both rules of the apply engine against the spec by cell.
fn same_queens(queens: &Queens) {
    let board = queens.board();
    let manager = Manager::new(board.rows * board.cols).unwrap();
    let mut steps = Vec::new();
    let function =
        queens.function(&manager, |row, board| steps.push((row, board.clone()))).unwrap();
    assert!(steps.iter().map(|(row, _)| *row).eq(0..board.rows));
    assert!(steps.last().is_none_or(|(_, last)| *last == function));
    let family = queens.family(&manager, |_, _| ()).unwrap();
    let mut frontier = queens.frontier(queens::BoardEncoding::Cell).unwrap();
    let (bdd, zdd) = (frontier.bdd().unwrap(), frontier.zdd().unwrap());
    assert_same!(bdd, function);
    assert_same!(zdd, family);
    assert_eq!(manager.family_of(&zdd).unwrap(), family);
    assert_eq!(manager.function_of(&bdd).unwrap(), function);
    assert_eq!(family.node_count(), zdd.node_count());
}

#[test]
fn queens_by_rows() {
    for n in 0..=8 {
        same_queens(&Queens::new(n));
    }
    same_queens(&Queens::on(3, 7));
    same_queens(&Queens::on(5, 4));
    same_queens(&Queens::new(7).toroidal(true));
    let square = |name: &str| name.parse::<Square>().unwrap();
    same_queens(&Queens::new(7).given([square("b3")]).forbid([square("a1"), square("d4")]));
}

#[test]
fn queens_in_larger_and_smaller_managers() {
    let larger = Manager::new(40).unwrap();
    assert_eq!(Queens::new(6).family(&larger, |_, _| ()).unwrap().count(), 4u32.into());
    assert_eq!(
        Queens::new(6).function(&larger, |_, _| ()).unwrap().count_over(36).unwrap(),
        4u32.into()
    );
    let smaller = Manager::new(35).unwrap();
    let unknown = QueensError::Apply(Error::UnknownVariable { variable: 35, num_vars: 35 });
    assert_eq!(Queens::new(6).function(&smaller, |_, _| ()).unwrap_err(), unknown);
    assert_eq!(Queens::new(6).family(&smaller, |_, _| ()).unwrap_err(), unknown);
    let limited = Manager::builder(64).max_nodes(3000).build().unwrap();
    let reached = QueensError::Apply(Error::LimitReached(ManagerLimit::Nodes(3000)));
    assert_eq!(Queens::new(8).function(&limited, |_, _| ()).unwrap_err(), reached);
}

/// Paths by time against the spec by vertex.
fn same_paths(paths: &Paths) {
    let vertices = paths.graph().vertices();
    let manager = Manager::new(vertices * vertices).unwrap();
    let mut calls = 0;
    let family = paths
        .by_time(&manager, |step, _| {
            calls += 1;
            assert!(step.done == calls && step.done <= step.total);
        })
        .unwrap();
    // Vertices in the order they are passed, as the sets of edges they are.
    let edges = |sequence: &[usize]| -> BTreeSet<(usize, usize)> {
        let closing = paths.ends() == (None, None) && paths.shape() == topdd_graph::Shape::Cycle;
        let next = sequence.iter().skip(1).chain(closing.then(|| &sequence[0]));
        sequence.iter().zip(next).map(|(&a, &b)| (a.min(b), a.max(b))).collect()
    };
    let mut found = BTreeSet::new();
    let mut directed = 0;
    for member in &family {
        let sequence: Vec<_> = member.iter().map(|variable| variable % vertices).collect();
        assert!(member.iter().map(|variable| variable / vertices).eq(0..vertices));
        assert_eq!(paths.validate(&sequence), Ok(()));
        found.insert(edges(&sequence));
        directed += 1;
    }
    let zdd = paths.zdd(PathEncoding::ByVertex).unwrap();
    let wanted: BTreeSet<_> = zdd
        .iter()
        .map(|solution| edges(&paths.to_sequence(PathEncoding::ByVertex, &solution).unwrap()))
        .collect();
    assert_eq!(found, wanted);
    let readings = if paths.ends() == (None, None) && vertices > 1 { 2 } else { 1 };
    assert_eq!(directed, readings * wanted.len());
    let once = &family & paths.one_direction(&manager).unwrap();
    assert_eq!(once.count(), wanted.len().into());
    // The spec by time: the same diagrams, by either rule and engine.
    for (family, directions) in [(&family, Directions::Both), (&once, Directions::One)] {
        let mut frontier = paths.frontier_by_time_in(directions).unwrap();
        let zdd = frontier.zdd().unwrap();
        assert_same!(zdd, family);
        assert_eq!(manager.family_of(&zdd).unwrap(), *family);
        assert_same!(frontier.bdd().unwrap(), family.to_function().unwrap());
        for solution in &zdd {
            assert_eq!(paths.validate(&paths.sequence_by_time(&solution).unwrap()), Ok(()));
        }
    }
    let used =
        |member: &Vec<usize>| edges(&member.iter().map(|v| v % vertices).collect::<Vec<_>>());
    assert_eq!(once.iter().map(|member| used(&member)).collect::<BTreeSet<_>>(), wanted);
}

#[test]
fn paths_by_time() {
    same_paths(&grid_hamiltonian_cycles(4, 4));
    same_paths(&grid_hamiltonian_cycles(3, 4));
    same_paths(&grid_hamiltonian_paths(3, 4));
    same_paths(&grid_hamiltonian_paths(3, 3).from(4));
    same_paths(&grid_hamiltonian_paths(3, 3).from(0).to(8));
    same_paths(&grid_hamiltonian_paths(3, 3).to(2));
    same_paths(&KnightsTours::open(3, 4).paths().unwrap());
    same_paths(&KnightsTours::open(4, 5).paths().unwrap());
    same_paths(&KnightsTours::closed(3, 10).paths().unwrap());
    for vertices in 0..3 {
        let edges = (1..vertices).map(|v| (v - 1, v));
        let graph = Graph::new(vertices, edges).unwrap();
        same_paths(&Paths::hamiltonian_paths(graph.clone()));
        same_paths(&Paths::hamiltonian_cycles(graph));
    }
}

#[test]
#[ignore = "takes seconds"]
fn knights_on_larger_boards_by_time() {
    same_paths(&KnightsTours::open(5, 5).paths().unwrap());
    same_paths(&KnightsTours::closed(5, 6).paths().unwrap());
}

#[test]
fn invalid_paths_are_errors() {
    let manager = Manager::new(100).unwrap();
    let refused = |paths: Paths| paths.by_time(&manager, |_, _| ()).unwrap_err();
    assert_eq!(refused(grid_paths(3)), ByTimeError::Paths(PathError::NotHamiltonian));
    assert!(matches!(refused(grid_hamiltonian_cycles(2, 2).from(0)), ByTimeError::Paths(_)));
    let refused = refused(grid_hamiltonian_paths(3, 4));
    let unknown = |error: &ByTimeError| {
        matches!(error, ByTimeError::Apply(Error::UnknownVariable { num_vars: 100, .. }))
    };
    assert!(unknown(&refused), "{refused:?}");
}
