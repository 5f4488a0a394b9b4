//! Queens: a ready-made spec with variables of many values, and queries of its diagram.
//!
//! `cargo run --release --example queens -- 10` takes another size than 8.

use topdd_chess::Queens;
use topdd_chess::queens::BoardEncoding;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).map_or(Ok(8), |text| text.parse())?;

    // `Queens` is the problem. By row there is one variable per row, whose value is the column
    // of the queen.
    let queens = Queens::new(n);
    let mut frontier = queens.frontier(BoardEncoding::Row)?;
    let zdd = frontier.zdd()?;
    println!("{} ways to place {n} queens", zdd.count());
    println!("{}\n", frontier.report());

    // The diagram has every solution. The iterator returns them in lexicographic order.
    if let Some(first) = zdd.iter().next() {
        println!("The first, {first:?}:");
        let squares = BoardEncoding::Row.squares(queens.board(), &first);
        print!("{}", queens.board().draw_queens(&squares));

        // Membership costs one walk down; so does an iterator from any solution.
        assert!(zdd.contains(&first)?);
        assert_eq!(zdd.iter_from(&first)?.next(), Some(first));
    }

    // A count without a diagram stores no edges.
    assert_eq!(frontier.count()?, zdd.count());
    println!("\nCounted without a diagram:\n{}", frontier.report());

    // One two-valued variable per square gives the same solutions as sets of squares.
    let by_cell = queens.zdd(BoardEncoding::Cell)?;
    assert_eq!(by_cell.count(), zdd.count());
    let cells = by_cell.iter().map(|values| BoardEncoding::Cell.squares(queens.board(), &values));
    assert!(cells.take(1000).all(|squares| queens.is_solution(&squares)));
    if n == 8 {
        assert_eq!(zdd.count(), 92u32.into());
    }
    Ok(())
}
