//! Magic squares of order 3, made of constraints: different numbers and equal sums.

use topdd::{SpecExt, check, constraint};

/// The cells of each line whose sum is 15: rows, columns and diagonals.
const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Cell (row, column) is variable 3 * row + column; value v is the number v + 1.
    let square = [9; 9];
    let number = |value: usize| i64::try_from(value + 1).expect("a small number");
    let sums = LINES.iter().fold(constraint::linear(square), |sums, line| {
        sums.equal(move |cell, value| if line.contains(&cell) { number(value) } else { 0 }, 15)
    });
    let magic = constraint::all_different(square).and(sums);
    assert_eq!(topdd::count(&magic)?, 8u32.into());

    // One of each eight that are rotations and reflections of each other: the least corner first, its greater neighbour last.
    let less = |a: usize, b: usize| constraint::lex_less(square, [a], [b]);
    let first = less(0, 2).and(less(0, 6)).and(less(0, 8)).and(less(2, 6));
    let squares = topdd::zdd(&(&magic).and(first))?;
    for square in &squares {
        for row in square.chunks(3) {
            println!("{} {} {}", row[0] + 1, row[1] + 1, row[2] + 1);
        }
    }
    assert_eq!(squares.count(), 1u32.into());

    // Nine variables of nine values have 387 million assignments: some are drawn.
    let verified = check::Verification::new().sampled().run(&magic, |square| {
        let sum = |line: &[usize; 3]| line.iter().map(|&cell| square[cell] + 1).sum::<usize>();
        (0..9).all(|number| square.contains(&number)) && LINES.iter().all(|line| sum(line) == 15)
    })?;
    println!("{verified}");
    Ok(())
}
