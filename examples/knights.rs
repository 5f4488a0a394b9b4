//! Knight's tours and grid paths: ready-made specs over any graph.
//!
//! `cargo run --release --example knights -- 5 8` takes another board than 6 x 6.

use topdd_chess::KnightsTours;
use topdd_chess::knights::PathEncoding;
use topdd_graph::families::grid_paths;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let rows: usize = args.next().map_or(Ok(6), |text| text.parse())?;
    let cols: usize = args.next().map_or(Ok(rows), |text| text.parse())?;

    // Closed tours are the Hamiltonian cycles of the graph of the knight's moves. In this
    // encoding there is a variable per square, whose value is the set of later squares next to it
    // on the tour.
    let tours = KnightsTours::closed(rows, cols);
    let mut frontier = tours.frontier(PathEncoding::ByVertex)?;
    let zdd = frontier.zdd()?;
    println!("{} closed tours of the {} board", zdd.count(), tours.board());
    println!("{}", frontier.report());

    if let Some(first) = zdd.iter().next() {
        // A solution is the set of moves; this puts the squares in order. The validator uses the graph
        // only, not the spec.
        let squares = tours.reader(PathEncoding::ByVertex)?.read(&first)?;
        tours.paths()?.validate(&tours.to_vertices(&squares)?)?;
        print!("\nThe first:\n{}", tours.board().draw_tour(&squares));
    }
    if (rows, cols) == (6, 6) {
        assert_eq!(zdd.count(), 9862u32.into());
    }

    // A count stores no edges.
    assert_eq!(frontier.count()?, zdd.count());
    println!("\nCounted without a diagram:\n{}", frontier.report());

    // The paths from corner to corner of a grid of 8 x 8 vertices, in one line.
    let paths = grid_paths(8).count()?;
    println!("\n{paths} paths from corner to corner of a grid of 8 x 8 vertices");
    assert_eq!(paths, 789360053252u64.into());
    Ok(())
}
