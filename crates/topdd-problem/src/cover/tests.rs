//! Tilings and sudoku grids by their counts, and files.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::*;
use crate::{Problem, Unlimited};

type Cell = (i32, i32);

/// The placements of polyominoes on a board of squares, as the text of a file. Each shape is given by its rows, and is used
/// as often as its number says, if it has a name.
struct Tilings<'a> {
    rows: i32,
    columns: i32,
    shapes: &'a [(&'a str, usize, &'a str)],
    mirrored: bool,
}

impl Tilings<'_> {
    fn count(&self) -> u64 {
        let file = CoverFile::parse(&self.text()).unwrap();
        let count = Problem::Cover(file.cover).count(&Unlimited).unwrap();
        count.try_into().unwrap()
    }

    fn text(&self) -> String {
        let square =
            |(row, column): Cell| format!("{}{}", char::from(b'a' + column as u8), row + 1);
        let mut text = String::new();
        for (name, count, _) in self.shapes.iter().filter(|(name, ..)| !name.is_empty()) {
            write!(text, "{count}|{name} ").unwrap();
        }
        // Row by row, which is not the best order of a wide board.
        for row in 0..self.rows {
            for column in 0..self.columns {
                write!(text, "{} ", square((row, column))).unwrap();
            }
        }
        for (name, _, rows) in self.shapes {
            for shape in self.turned(rows) {
                let fits = |&(row, column): &Cell| {
                    let shape = shape.iter().map(|&(r, c)| (r + row, c + column));
                    shape
                        .clone()
                        .all(|(r, c)| r < self.rows && c < self.columns)
                        .then(|| shape.map(square).collect::<Vec<_>>().join(" "))
                };
                let places = (0..self.rows).flat_map(|r| (0..self.columns).map(move |c| (r, c)));
                for placed in places.filter_map(|place| fits(&place)) {
                    write!(text, "\n{name} {placed}").unwrap();
                }
            }
        }
        text
    }

    /// The turned, and mirrored, forms of a shape.
    fn turned(&self, rows: &str) -> BTreeSet<Vec<Cell>> {
        let cells = rows.split('/').zip(0..).flat_map(|(cells, row)| {
            cells.chars().zip(0..).filter(|(cell, _)| *cell == 'X').map(move |(_, c)| (row, c))
        });
        let mut cells: Vec<Cell> = cells.collect();
        let mut all = BTreeSet::new();
        for turn in 0..if self.mirrored { 8 } else { 4 } {
            let least = |of: fn(&Cell) -> i32| cells.iter().map(of).min().unwrap();
            let (row, column) = (least(|cell| cell.0), least(|cell| cell.1));
            let mut moved: Vec<Cell> = cells.iter().map(|&(r, c)| (r - row, c - column)).collect();
            moved.sort_unstable();
            all.insert(moved);
            for cell in &mut cells {
                *cell = if turn == 3 { (cell.0, -cell.1) } else { (cell.1, -cell.0) };
            }
        }
        all
    }
}

const PENTOMINOES: [(&str, usize, &str); 12] = [
    ("F", 1, ".XX/XX/.X"),
    ("I", 1, "XXXXX"),
    ("L", 1, "XXXX/X"),
    ("N", 1, "XX/.XXX"),
    ("P", 1, "XX/XX/X"),
    ("T", 1, "XXX/.X/.X"),
    ("U", 1, "X.X/XXX"),
    ("V", 1, "X/X/XXX"),
    ("W", 1, "X/XX/.XX"),
    ("X", 1, ".X/XXX/.X"),
    ("Y", 1, "XXXX/.X"),
    ("Z", 1, "XX/.X/.XX"),
];

fn pentominoes(rows: i32, columns: i32) -> u64 {
    // Each tiling in four positions.
    Tilings { rows, columns, shapes: &PENTOMINOES, mirrored: true }.count() / 4
}

#[test]
fn pentominoes_in_3x20() {
    assert_eq!(pentominoes(3, 20), 2);
}

#[test]
#[ignore = "takes seconds with optimisation"]
fn pentominoes_in_4x15_and_5x12_and_6x10() {
    assert_eq!([(4, 15), (5, 12), (6, 10)].map(|(r, c)| pentominoes(r, c)), [368, 1010, 2339]);
}

#[test]
fn ten_one_sided_tetrominoes_in_5x8() {
    let shapes = [
        ("I", 2, "XXXX"),
        ("O", 2, "XX/XX"),
        ("T", 2, "XXX/.X"),
        ("L", 1, "X/X/XX"),
        ("J", 1, ".X/.X/XX"),
        ("S", 1, ".XX/XX"),
        ("Z", 1, "XX/.XX"),
    ];
    for (rows, columns) in [(5, 8), (8, 5)] {
        assert_eq!(Tilings { rows, columns, shapes: &shapes, mirrored: false }.count(), 740);
    }
}

#[test]
fn dominoes_in_8x8_and_trominoes_in_6x6() {
    let dominoes = Tilings { rows: 8, columns: 8, shapes: &[("", 0, "XX")], mirrored: false };
    assert_eq!(dominoes.count(), 12_988_816);
    let trominoes = Tilings { rows: 6, columns: 6, shapes: &[("", 0, "XX/X")], mirrored: false };
    assert_eq!(trominoes.count(), 162);
}

#[test]
fn sudoku_grids_of_4x4() {
    let mut items = BTreeSet::new();
    let mut options = String::new();
    for (row, column, digit) in (0..64).map(|n| (n / 16, n / 4 % 4, n % 4)) {
        let block = row / 2 * 2 + column / 2;
        let option = [
            format!("p{row}{column}"),
            format!("r{row}{digit}"),
            format!("c{column}{digit}"),
            format!("b{block}{digit}"),
        ];
        writeln!(options, "{}", option.join(" ")).unwrap();
        items.extend(option);
    }
    let items = items.into_iter().collect::<Vec<_>>().join(" ");
    let file = CoverFile::parse(&format!("{items}\n{options}")).unwrap();
    assert_eq!(Problem::Cover(file.cover).count(&Unlimited).unwrap(), 288u32.into());
}

#[test]
fn a_file_with_comments_secondary_items_and_bounds() {
    let text = "\u{feff}| a comment\r\n\r\n2|a 0:1|b  c | x  # items\n# another\na x\na  # an option\na b\nc\nx c\n";
    let file = CoverFile::parse(text).unwrap();
    assert_eq!(file.items(), ["a", "b", "c", "x"]);
    assert_eq!(file.option_names(), ["a x", "a", "a b", "c", "x c"]);
    // Two of the first three options, and one of the last two; x not twice.
    assert_eq!(Problem::Cover(file.cover).count(&Unlimited).unwrap(), 4u32.into());
}

#[test]
fn wrong_lines_are_errors_with_the_line() {
    let expected = [
        ("", "line 1: there are no items"),
        ("# nothing\n\n| here\n", "line 3: there are no items"),
        ("a b\n", "line 1: there are no options"),
        ("a b a\na\n", "line 1: the item `a` is listed twice"),
        ("a | b 2:3|c\na\n", "line 1: `2:3|c` has bounds"),
        ("2:x|a\na\n", "line 1: `2:x|a` is no item"),
        ("3:2|a\na\n", "line 1: `3:2|a` is no item"),
        ("a:b\na\n", "line 1: `a:b` is no item"),
        ("1| a\na\n", "line 1: `1|` is no item"),
        ("a b\n\na c\n", "line 3: there is no item `c`; add it to the line of items"),
        ("a b\na b a\n", "line 2: the item `a` occurs twice"),
        ("a | b\na b:red\n", "line 2: `b:red` has a colour"),
        ("a | b\na\nb\n", "line 3: all items of this option are secondary"),
        ("a b\na b\nb a\n", "line 3: these are the items of line 2"),
        ("| covers\na b 0:1|c\na\n", "line 2: no option has the item `b`, which must be covered"),
    ];
    for (text, message) in expected {
        let error = CoverFile::parse(text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{text:?}: {error}");
    }
}

#[test]
fn any_order_of_the_options_gives_the_same_covers() {
    let options = vec![vec![0, 1], vec![2], vec![0], vec![1, 2], vec![1], vec![0, 2]];
    let cover = Cover::new(vec![1..=1; 3], options);
    for order in [Order::Auto, Order::Given, Order::Custom(vec![5, 3, 1, 0, 2, 4])] {
        let problem = Problem::Cover(cover.clone()).ordered(&order).unwrap();
        assert_eq!(problem.count(&Unlimited).unwrap(), 4u32.into());
    }
    assert!(Problem::Cover(cover).ordered(&Order::Bfs).is_err());
    let wrong = Problem::Cover(Cover::new(vec![1..=1], vec![vec![0, 1]]));
    assert!(wrong.check().is_err());
}

#[test]
fn the_order_of_the_options_is_searched_once() {
    let cover = Cover::new(vec![1..=1; 3], vec![vec![0, 2], vec![1], vec![0], vec![1, 2]]);
    let order = cover.option_order();
    assert_eq!(cover.narrow.get(), Some(&order));
    assert_eq!(cover.clone().narrow.get(), Some(&order));
}
