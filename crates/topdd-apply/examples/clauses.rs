//! Compares orders in which the clauses of a CNF are conjoined: as given, one by one; sorted as by
//! `Manager::cnf`, one by one; and by `Manager::cnf`.
//!
//! ```sh
//! cargo run --release -p topdd-apply --example clauses
//! ```

use std::time::Instant;
use topdd_apply::{Error, Function, Manager};

type Clause = Vec<(usize, bool)>;

/// Queens that do not attack each other, one in each row: variable `row * n + column`.
fn queens(n: usize) -> (usize, Vec<Clause>) {
    let row = |row: usize| (0..n).map(|column| (row * n + column, true)).collect();
    let mut clauses: Vec<Clause> = (0..n).map(row).collect();
    for a in 0..n * n {
        for b in a + 1..n * n {
            let (rows, columns) = (b / n - a / n, (b % n).abs_diff(a % n));
            if rows == 0 || columns == 0 || rows == columns {
                clauses.push(vec![(a, false), (b, false)]);
            }
        }
    }
    (n * n, clauses)
}

/// Proper colourings of a grid graph with three colours: variable `3 * vertex + colour`.
fn colourings(rows: usize, columns: usize) -> (usize, Vec<Clause>) {
    let vertices = rows * columns;
    let mut clauses = Vec::new();
    for vertex in 0..vertices {
        clauses.push((0..3).map(|colour| (3 * vertex + colour, true)).collect());
        for colour in 0..3 {
            let other = (colour + 1) % 3;
            clauses.push(vec![(3 * vertex + colour, false), (3 * vertex + other, false)]);
            let right = (vertex % columns + 1 < columns).then_some(vertex + 1);
            for neighbour in right.into_iter().chain(Some(vertex + columns)) {
                if neighbour < vertices {
                    let both = [vertex, neighbour].map(|v| (3 * v + colour, false));
                    clauses.push(both.to_vec());
                }
            }
        }
    }
    (3 * vertices, clauses)
}

/// Random clauses of three of `n` variables.
fn random(n: usize, count: usize) -> (usize, Vec<Clause>) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |below: usize| {
        // The xorshift generator of Marsaglia.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % below
    };
    let mut clauses = Vec::new();
    while clauses.len() < count {
        let clause: Clause = (0..3).map(|_| (draw(n), draw(2) == 0)).collect();
        if clause[0].0 != clause[1].0 && clause[0].0 != clause[2].0 && clause[1].0 != clause[2].0 {
            clauses.push(clause);
        }
    }
    (n, clauses)
}

fn one_by_one(manager: &Manager, clauses: &[Clause]) -> Result<Function, Error> {
    clauses.iter().try_fold(manager.constant(true), |all, clause| {
        all.try_and(&manager.clause(clause.iter().copied())?)
    })
}

fn main() -> Result<(), Error> {
    println!(
        "{:<22} {:<18} {:>12} {:>11} {:>10}",
        "problem", "order", "lookups", "peak nodes", "time"
    );
    for (name, (num_vars, clauses)) in [
        ("queens 8", queens(8)),
        ("3-colourings 6x6", colourings(6, 6)),
        ("random 40, 120", random(40, 120)),
    ] {
        let mut sorted = clauses.clone();
        sorted.sort_by_key(|clause| std::cmp::Reverse(clause.iter().min().copied()));
        let mut results = Vec::new();
        for order in ["as given, a loop", "sorted, a loop", "cnf"] {
            let manager = Manager::new(num_vars)?;
            let start = Instant::now();
            let f = match order {
                "as given, a loop" => one_by_one(&manager, &clauses)?,
                "sorted, a loop" => one_by_one(&manager, &sorted)?,
                _ => manager.cnf(clauses.iter().cloned())?,
            };
            let time = start.elapsed();
            let statistics = manager.statistics();
            let (lookups, peak) = (statistics.cache_lookups, statistics.peak_nodes);
            println!("{name:<22} {order:<18} {lookups:>12} {peak:>11} {time:>10.1?}");
            results.push(f.count());
        }
        assert!(results.iter().all(|count| *count == results[0]));
    }
    Ok(())
}
