//! Answers without a diagram beside the plain count; see `README.md` in this directory.
//!
//! `-- --quick` runs smaller cases.

use std::error::Error;
use std::time::Instant;
use topdd::{Frontier, Weights, Zdd};
use topdd_chess::{Queens, queens};
use topdd_graph::families::grid_paths;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Runs a question and prints a row of the table: the seconds and the peak memory of the sweep.
fn row<T>(
    frontier: &mut Frontier<'_>,
    name: &str,
    ask: impl FnOnce(&mut Frontier<'_>) -> Result<T>,
) -> Result<T> {
    let begun = Instant::now();
    let answer = ask(frontier)?;
    let seconds = begun.elapsed().as_secs_f64();
    let mebibytes = frontier.report().peak_bytes as f64 / f64::from(1 << 20);
    println!("| {name} | {seconds:.2} s | {mebibytes:.1} MiB |");
    Ok(answer)
}

/// All answers of one problem. `shape` has the variables of the problem.
fn answers(name: &str, mut frontier: Frontier<'_>, shape: &Zdd) -> Result<()> {
    println!("\n| {name} | time | peak memory |\n| --- | ---: | ---: |");
    let sizes = Weights::from_fn(shape, |_, value| i64::try_from(value).expect("small values"));
    let odds = Weights::from_fn(shape, |variable, _| 1.0 / shape.arity(variable) as f64);
    let count = row(&mut frontier, "count", |frontier| Ok(frontier.count()?))?;
    let by_size = row(&mut frontier, "by weight", |frontier| Ok(frontier.count_by(&sizes)?))?;
    assert_eq!(by_size.values().sum::<topdd::BigUint>(), count);
    let least =
        row(&mut frontier, "minimum weight", |frontier| Ok(frontier.minimum_weight(&sizes)?))?;
    let best = row(&mut frontier, "minimum", |frontier| Ok(frontier.minimum(&sizes)?))?;
    assert_eq!((least, Some(&least)), (best.weight, by_size.keys().next()));
    row(&mut frontier, "probability", |frontier| Ok(frontier.probability(&odds)?))?;
    let residue = row(&mut frontier, "count modulo", |frontier| Ok(frontier.count_modulo(97)?))?;
    assert_eq!(topdd::BigUint::from(residue), count % 97u32);
    Ok(())
}

fn main() -> Result<()> {
    let is_quick = std::env::args().any(|argument| argument == "--quick" || argument == "--test");
    let (board, grid) = if is_quick { (10, 9) } else { (14, 13) };
    let queens = Queens::new(board).frontier(queens::BoardEncoding::Row);
    let shape = Zdd::full(vec![board; board])?;
    answers(&format!("queens by row {board}"), queens?, &shape)?;
    let paths = grid_paths(grid).frontier()?;
    let shape = Zdd::full(vec![2; 2 * grid * (grid - 1)])?;
    answers(&format!("grid paths by edge {grid}"), paths, &shape)
}
