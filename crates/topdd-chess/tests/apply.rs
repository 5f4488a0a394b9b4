//! The classic formulations against the specs: the same solutions, and the same diagram.

use std::collections::BTreeSet;

use topdd_apply::{Error, Manager, ManagerLimit, assert_same};
use topdd_chess::knights::PathEncoding;
use topdd_chess::{
    KnightsError, KnightsTours, Leaper, Queens, QueensError, Square, Symmetry, queens,
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

/// Tours by time against the spec by vertex.
fn same_tours(tours: &KnightsTours) {
    let paths = tours.paths().unwrap();
    let vertices = paths.graph().num_vertices();
    let manager = Manager::new(vertices * vertices).unwrap();
    let mut calls = 0;
    let mut family = |tours: &KnightsTours| {
        calls = 0;
        let on_step = |done: usize, _: &_| {
            calls += 1;
            assert_eq!(done, calls);
        };
        tours.family(&manager, on_step).unwrap()
    };
    let (both, once) = (family(&tours.clone().directed()), family(tours));
    // Tours as the sets of their moves, which are the same in both directions.
    let moves = |tour: &[Square]| -> BTreeSet<[Square; 2]> {
        let next = tour.iter().skip(1).chain(tours.is_closed().then(|| &tour[0]));
        tour.iter().zip(next).map(|(&a, &b)| [a.min(b), a.max(b)]).collect()
    };
    let by_vertex = PathEncoding::ByVertex;
    let reader = tours.reader(by_vertex).unwrap();
    let zdd = tours.zdd(by_vertex).unwrap();
    let wanted: BTreeSet<_> =
        zdd.iter().map(|values| moves(&reader.read(&values).unwrap())).collect();
    let directions = tours.clone().directed().count().unwrap() / zdd.count().max(1u32.into());
    assert_eq!(both.count(), directions * zdd.count());
    // The sweep by time: the same diagrams, by either rule and engine.
    let reader = tours.reader_by_time().unwrap();
    for (family, tours) in [(&both, tours.clone().directed()), (&once, tours.clone())] {
        let mut frontier = tours.frontier_by_time().unwrap();
        let zdd = frontier.zdd().unwrap();
        assert_same!(zdd, family);
        assert_eq!(manager.family_of(&zdd).unwrap(), *family);
        assert_same!(frontier.bdd().unwrap(), family.to_function().unwrap());
        let mut found = BTreeSet::new();
        for solution in &zdd {
            let tour = reader.read(&solution).unwrap();
            assert_eq!(paths.validate(&tours.to_vertices(&tour).unwrap()), Ok(()));
            found.insert(moves(&tour));
        }
        assert_eq!(found, wanted);
    }
    assert_eq!(once.count(), wanted.len().into());
}

#[test]
fn tours_by_time() {
    let square = |name: &str| name.parse::<Square>().unwrap();
    same_tours(&KnightsTours::open(3, 4));
    same_tours(&KnightsTours::open(4, 5));
    same_tours(&KnightsTours::closed(3, 10));
    let wazir = |tours: KnightsTours| same_tours(&tours.piece(Leaper::wazir()));
    wazir(KnightsTours::closed(4, 4));
    wazir(KnightsTours::closed(3, 4));
    wazir(KnightsTours::open(3, 4));
    wazir(KnightsTours::open(3, 3).from(square("b2")));
    wazir(KnightsTours::open(3, 3).from(square("a1")).to(square("c3")));
    wazir(KnightsTours::open(3, 3).to(square("c1")));
    for squares in 0..3 {
        wazir(KnightsTours::open(1, squares));
        wazir(KnightsTours::closed(1, squares));
    }
}

#[test]
#[ignore = "takes seconds"]
fn tours_of_larger_boards_by_time() {
    same_tours(&KnightsTours::open(5, 5));
    same_tours(&KnightsTours::closed(5, 6));
}

#[test]
fn invalid_tours_by_time_are_errors() {
    let manager = Manager::new(100).unwrap();
    let refused = |tours: KnightsTours| tours.family(&manager, |_, _| ()).unwrap_err();
    let symmetric = KnightsTours::closed(6, 6).symmetric(Symmetry::Rotate180);
    assert_eq!(refused(symmetric), KnightsError::SymmetricByTime);
    let corner = Square::new(0, 0);
    assert_eq!(refused(KnightsTours::closed(6, 6).from(corner)), KnightsError::EndsOfClosed);
    let refused = refused(KnightsTours::open(3, 4));
    let unknown = |error: &KnightsError| {
        matches!(error, KnightsError::Apply(Error::UnknownVariable { num_vars: 100, .. }))
    };
    assert!(unknown(&refused), "{refused:?}");
}
