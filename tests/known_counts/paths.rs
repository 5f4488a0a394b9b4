//! Paths and cycles of grids.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use topdd::Frontier;
use topdd_graph::families::{
    EdgeSets, grid_cycles, grid_hamiltonian_cycles, grid_hamiltonian_paths, grid_paths,
};

use super::{BOTH_WAYS, CountOnly, count};

/// The sweeps by edge and by vertex.
fn sweeps(paths: &EdgeSets) -> [(&'static str, Frontier<'static>); 2] {
    let by_vertex = paths.by_vertex().unwrap().frontier().unwrap();
    [("by edge", paths.frontier().unwrap()), ("by vertex", by_vertex)]
}

/// In both encodings, and both ways.
pub(super) fn assert_paths(name: &str, paths: &EdgeSets, known: impl Into<BigUint>) {
    let known = known.into();
    for way in BOTH_WAYS {
        for (encoding, sweep) in sweeps(paths) {
            assert_eq!(count(sweep, way), known, "{name} {encoding} {way:?}");
        }
    }
}

/// A007764, by the number of vertices on a side.
const GRID_PATHS: [u128; 11] = [
    0,
    1,
    2,
    12,
    184,
    8512,
    1262816,
    575780564,
    789360053252,
    3266598486981642,
    41044208702632496804,
];

#[test]
fn corner_to_corner_paths() {
    for (n, known) in (0..).zip(GRID_PATHS) {
        assert_paths(&format!("paths of {n} x {n}"), &grid_paths(n), known);
    }
}

/// A007764 again, where counts no longer fit into 64 bits.
#[test]
fn long_corner_to_corner_paths() {
    let known: BigUint = "182413291514248049241470885236".parse().unwrap();
    for (encoding, sweep) in sweeps(&grid_paths(12)) {
        assert_eq!(count(sweep, CountOnly), known, "{encoding}");
    }
}

/// A140517, by the number of vertices on a side; the sequence counts squares, one fewer.
#[test]
fn cycles() {
    for (n, known) in (0..).zip([0u32, 0, 1, 13, 213, 9349, 1222363, 487150371]) {
        assert_paths(&format!("cycles of {n} x {n}"), &grid_cycles(n, n), known);
    }
}

/// A003763, by the number of vertices on a side. The sequence has the even ones, and odd grids have none.
pub(super) const GRID_HAMILTONIAN_CYCLES: [u64; 11] =
    [0, 0, 1, 0, 6, 0, 1072, 0, 4638576, 0, 467260456608];

#[test]
fn hamiltonian_cycles() {
    for (n, known) in (0..).zip(GRID_HAMILTONIAN_CYCLES) {
        let name = format!("Hamiltonian cycles of {n} x {n}");
        assert_paths(&name, &grid_hamiltonian_cycles(n, n), known);
    }
}

/// A120443, by the number of vertices on a side.
pub(super) const GRID_HAMILTONIAN_PATHS: [u64; 7] = [0, 1, 4, 20, 276, 4324, 229348];

#[test]
fn hamiltonian_paths() {
    for (n, known) in (0..).zip(GRID_HAMILTONIAN_PATHS) {
        let name = format!("Hamiltonian paths of {n} x {n}");
        assert_paths(&name, &grid_hamiltonian_paths(n, n), known);
    }
}

/// The listed paths and cycles are paths and cycles, distinct and complete, by edge and by vertex.
#[test]
fn all_paths_are_paths() {
    for (paths, known) in [
        (grid_paths(1), 1),
        (grid_paths(3), 12),
        (grid_paths(5), 8512),
        (grid_cycles(5, 5), 9349),
        (grid_hamiltonian_cycles(6, 6), 1072),
        (grid_hamiltonian_paths(5, 5), 4324),
    ] {
        let by_vertex = paths.by_vertex().unwrap();
        let by_edge = paths.zdd().unwrap();
        let vertices = by_vertex.frontier().unwrap().zdd().unwrap();
        let sequence = |edges: Vec<usize>| paths.to_sequence(&edges).unwrap();
        let found: [BTreeSet<_>; 2] = [
            by_edge.iter().map(sequence).collect(),
            vertices
                .iter()
                .map(|values| sequence(by_vertex.elements_of(&values).unwrap()))
                .collect(),
        ];
        assert_eq!(found[0].len(), known, "{paths:?}");
        assert_eq!(found[0], found[1], "{paths:?}");
        for sequence in &found[0] {
            assert_eq!(paths.validate(sequence), Ok(()), "{paths:?}");
        }
    }
}
