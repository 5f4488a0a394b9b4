//! The problems that are measured, and their published counts.

use topdd::Frontier;
use topdd_chess::KnightsTours;
use topdd_chess::knights::PathEncoding;
use topdd_chess::queens::{self, Queens};
use topdd_graph::families::{EdgeSets, grid_hamiltonian_cycles, grid_paths};

/// A problem of the table.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) name: String,
    problem: Problem,
    /// The published count.
    pub(super) known: &'static str,
    /// Whether each of its measurements takes about a second or less.
    pub(super) quick: bool,
}

#[derive(Debug)]
enum Problem {
    Queens(Queens, queens::BoardEncoding),
    Paths(EdgeSets),
    Knights(KnightsTours),
}

impl Case {
    /// Makes the sweep over the spec.
    pub(super) fn frontier(&self) -> Result<Frontier<'static>, String> {
        match &self.problem {
            Problem::Queens(queens, by) => queens.frontier(*by).map_err(|error| error.to_string()),
            Problem::Paths(paths) => paths.frontier().map_err(|error| error.to_string()),
            Problem::Knights(tours) => {
                tours.frontier(PathEncoding::ByVertex).map_err(|error| error.to_string())
            }
        }
    }
}

/// The case of this name.
pub(super) fn named(name: &str) -> Option<Case> {
    all().into_iter().find(|case| case.name == name)
}

/// All cases, in the order of the table.
pub(super) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name: String, problem, known, quick| {
        cases.push(Case { name, problem, known, quick });
    };
    // A000170.
    let queens = [(12, "14200"), (13, "73712"), (14, "365596"), (15, "2279184"), (16, "14772512")];
    for (n, known) in queens {
        let problem = Problem::Queens(Queens::new(n), queens::BoardEncoding::Row);
        add(format!("queens by row {n}"), problem, known, n <= 13);
    }
    for (n, known) in &queens[..3] {
        let problem = Problem::Queens(Queens::new(*n), queens::BoardEncoding::Cell);
        add(format!("queens by cell {n}"), problem, known, *n <= 12);
    }
    // A007764.
    for (n, known) in [
        (12, "182413291514248049241470885236"),
        (13, "64528039343270018963357185158482118"),
        (14, "69450664761521361664274701548907358996488"),
        (15, "227449714676812739631826459327989863387613323440"),
    ] {
        let problem = Problem::Paths(grid_paths(n));
        add(format!("grid paths by edge {n}"), problem, known, n <= 12);
    }
    // A003763. By vertex it takes longer: that spec has no forced states.
    for (n, known) in [
        (12, "1076226888605605706"),
        (14, "56126499620491437281263608"),
        (16, "65882516522625836326159786165530572"),
    ] {
        let problem = Problem::Paths(grid_hamiltonian_cycles(n, n));
        add(format!("grid Hamiltonian cycles by edge {n}"), problem, known, n <= 14);
    }
    // A001230, A175881, A383661.
    for (rows, cols, known) in
        [(6, 6, "9862"), (6, 7, "1067638"), (6, 8, "55488142"), (7, 8, "34524432316")]
    {
        let problem = Problem::Knights(KnightsTours::closed(rows, cols));
        add(format!("closed knight's tours {rows}x{cols}"), problem, known, rows <= 6);
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_one_case_each() {
        for case in all() {
            assert_eq!(named(&case.name).expect("a case").known, case.known);
            assert_eq!(all().iter().filter(|other| other.name == case.name).count(), 1);
            assert!(case.known.parse::<num_bigint::BigUint>().is_ok(), "{}", case.known);
        }
        assert!(named("queens").is_none());
    }
}
