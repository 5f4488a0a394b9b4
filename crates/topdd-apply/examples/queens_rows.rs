//! Queens by rows, the classic formulation, as BDD or as ZDD:
//! `queens_rows bdd 11`, `queens_rows zdd 12`.
//!
//! A variable per square. The constraint of one square (a queen here, and none that it
//! attacks) is a chain; a row is the disjunction over its squares; the rows are conjoined
//! from the first to the last. Prints nodes, time and, where the system tells, peak memory.

use std::error::Error;
use std::time::Instant;
use topdd_apply::Manager;

/// The squares decided by a queen here: itself, and all that it attacks.
fn decided(n: usize, row: usize, column: usize) -> impl Iterator<Item = (usize, bool)> {
    (0..n * n).filter_map(move |square| {
        let (r, c) = (square / n, square % n);
        let attacked = r == row || c == column || r.abs_diff(row) == c.abs_diff(column);
        attacked.then_some((square, (r, c) == (row, column)))
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (kind, n) = match &arguments[..] {
        [kind, n] => (kind.as_str(), n.parse()?),
        _ => return Err("usage: queens_rows bdd|zdd <n>".into()),
    };
    let start = Instant::now();
    let manager = Manager::new(n * n)?;
    let (count, nodes) = if kind == "bdd" {
        let mut board = manager.constant(true);
        for r in 0..n {
            let mut row = manager.constant(false);
            for c in 0..n {
                row |= manager.cube(decided(n, r, c))?;
            }
            board &= row;
        }
        (board.count(), board.node_count())
    } else {
        let mut board = manager.power_set(0..n * n)?;
        for r in 0..n {
            let mut row = manager.empty();
            for c in 0..n {
                row |= manager.family_cube(decided(n, r, c))?;
            }
            board &= row;
        }
        (board.count(), board.node_count())
    };
    println!("queens {n} {kind}: {count} solutions, {nodes} nodes, {:.3?}", start.elapsed());
    println!("{}", manager.statistics());
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        status.lines().filter(|line| line.starts_with("VmHWM")).for_each(|line| println!("{line}"));
    }
    Ok(())
}
