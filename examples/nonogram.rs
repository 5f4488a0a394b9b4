//! A nonogram, made of constraints: a regular expression for each line.
//!
//! The clue `2 1` of a line stands for a block of two black cells and then one of a single cell,
//! with white cells between them. As a pattern over the cells, 0 white and 1 black: `0* 1{2} 0+ 1{1} 0*`.

use topdd::constraint::regex;
use topdd::spec::combine::all;

const ROWS: [&str; 8] = ["3", "2 1", "4 2", "6", "5", "6", "4", "1 1"];
const COLUMNS: [&str; 8] = ["0", "2 1", "8", "1 5", "7", "5", "4", "2"];

/// The pattern of a clue.
fn pattern(clue: &str) -> String {
    let blocks: Vec<String> = clue.split(' ').map(|length| format!("1{{{length}}}")).collect();
    format!("0* {} 0*", blocks.join(" 0+ "))
}

fn main() -> Result<(), topdd::BuildError> {
    let (height, width) = (ROWS.len(), COLUMNS.len());
    let cells = height * width;
    // Cell (row, column) is variable row * width + column.
    let rows = ROWS.iter().enumerate().map(|(row, clue)| {
        let start = row * width;
        regex(cells, pattern(clue)).on(start..start + width)
    });
    let columns = COLUMNS.iter().enumerate().map(|(column, clue)| {
        let in_column = (column..cells).step_by(width);
        regex(cells, pattern(clue)).on(in_column)
    });
    let pictures = topdd::zdd(&all(rows.chain(columns)))?;

    println!("{} solution, found through {} nodes", pictures.count(), pictures.node_count());
    for picture in &pictures {
        for row in picture.chunks(width) {
            let line: String = row.iter().map(|&cell| [' ', '#'][cell]).collect();
            println!("{line}");
        }
    }
    assert_eq!(pictures.count(), 1u32.into());
    Ok(())
}
