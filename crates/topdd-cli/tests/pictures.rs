//! Pictures that the command writes.

use std::collections::BTreeMap;
use std::fs;

use crate::support::{answer, refused, scratch};
use resvg::tiny_skia::Pixmap;
use serde_json::Value;

/// Draws a picture and reads it.
fn svg(args: &str, name: &str) -> String {
    let path = scratch(name);
    answer(&format!("{args} --svg {}", path.display()));
    fs::read_to_string(path).expect("the picture")
}

/// Draws pixels and reads them.
fn png(args: &str, name: &str) -> Pixmap {
    let path = scratch(name);
    answer(&format!("{args} {}", path.display()));
    Pixmap::load_png(path).expect("a PNG file")
}

/// The colour of the pixel at a point of a picture that is so many units wide.
fn colour(map: &Pixmap, width: f32, x: f32, y: f32) -> String {
    let scale = map.width() as f32 / width;
    let pixel = map.pixel((x * scale) as u32, (y * scale) as u32).expect("a pixel");
    format!("{:02x}{:02x}{:02x}", pixel.red(), pixel.green(), pixel.blue())
}

fn titles(svg: &str) -> Vec<&str> {
    let parts = svg.split("<title>").skip(1);
    parts.map(|part| part.split("</title>").next().expect("an end")).collect()
}

fn solutions(args: &str) -> Vec<Vec<String>> {
    let json: Value = serde_json::from_str(&answer(&format!("{args} --json"))).expect("JSON");
    serde_json::from_value(json["solutions"].clone()).expect("lists of squares")
}

#[test]
fn the_board_that_is_shown_is_drawn() {
    let picture = svg("queens 8 --forbid b1", "board.svg");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    let titles = titles(&picture);
    assert_eq!(titles[0], "queens on 8x8, forbidden b1, by row: solution 0");
    assert_eq!(titles[1..], solutions("queens 8 --forbid b1")[0]);
    assert_eq!(picture.matches("class=\"forbidden\"").count(), 1);
    assert_eq!(svg("place kings 4 --most --given a1", "kings.svg").matches("\"king\"").count(), 4);
    assert_eq!(svg("queens 20 --first", "first.svg").matches("\"queen\"").count(), 20);
    assert!(svg("queens 5 --colouring", "colours.svg").contains("colourings by solutions"));
    // Standard output is unchanged.
    let path = scratch("quiet.svg");
    assert_eq!(answer(&format!("queens 8 --quiet --svg {}", path.display())), "92\n");
    assert!(path.exists());
}

#[test]
fn a_queen_has_its_colour_at_the_middle_of_its_square() {
    let map = png("queens 8 --png", "board.png");
    // 8 squares of 64, 54 at the left, 18 above and at the right, 45 below.
    assert_eq!((map.width(), map.height()), (1600, (1600.0f32 * 575.0 / 584.0).round() as u32));
    let queens = &solutions("queens 8")[0];
    for row in 0..8u8 {
        for col in 0..8u8 {
            let name = format!("{}{}", char::from(b'a' + col), row + 1);
            let [x, y] = [54.0 + 64.0 * f32::from(col), 18.0 + 64.0 * f32::from(7 - row)];
            let ground = if (row + col) % 2 == 0 { "c49f77" } else { "f1e4cf" };
            let piece = if queens.contains(&name) { "25272d" } else { ground };
            assert_eq!(colour(&map, 584.0, x + 32.0, y + 36.0), piece, "{name}");
            assert_eq!(colour(&map, 584.0, x + 2.0, y + 2.0), ground, "{name}");
        }
    }
}

#[test]
fn a_tour_of_a_rank_is_drawn() {
    let map = png("knights 6 6 --nth 5000 --png", "tour.png");
    assert_eq!((map.width(), map.height()), (1600, 1568));
    // The start, next to its number: it is in the corner.
    assert_eq!(colour(&map, 456.0, 54.0 + 18.0, 18.0 + 5.5 * 64.0), "1c7f47");
    let picture = svg("knights 6 6 --nth 5000", "tour.svg");
    let tour: Vec<String> = solutions("knights 6 6 --nth 5000")[0]
        .iter()
        .enumerate()
        .map(|(step, square)| format!("{}: {square}", step + 1))
        .collect();
    assert_eq!(titles(&picture)[1..], tour);
    assert!(titles(&picture)[0].ends_with("by square: solution 5000"));
    let hole = svg("knights 3x3 --missing b2", "hole.svg");
    assert_eq!(hole.matches("class=\"stop").count(), 8);
}

#[test]
fn many_solutions_are_on_one_sheet() {
    let boards = |picture: &str| picture.matches("<g class=\"board\"").count();
    let sheet = svg("queens 8 --unique --list --sheet 4x3", "all.svg");
    assert_eq!((boards(&sheet), sheet.matches("\"queen\"").count()), (12, 96));
    let listed = solutions("queens 8 --unique --list").concat();
    assert_eq!(titles(&sheet)[1..], listed);
    assert_eq!(boards(&svg("queens 8 --sheet 2x2", "four.svg")), 4);
    assert_eq!(boards(&svg("queens 8 --limit 3 --sheet 2x2", "three.svg")), 3);
    assert_eq!(boards(&svg("queens 8 --list", "usual.svg")), 12);
    assert_eq!(svg("queens 12 --sample 3 --seed 1", "a.svg").matches("\"queen\"").count(), 36);
    let [once, again] = ["a.svg", "b.svg"].map(|name| svg("queens 12 --sample 3 --seed 1", name));
    assert!(once == again && boards(&once) == 3);
    let out = answer(&format!("queens 6 --list --svg {}", scratch("listed.svg").display()));
    assert_eq!(out.matches("\nsolution ").count(), 4);
}

#[test]
fn heat_is_the_number_of_solutions_that_use_a_square() {
    for args in [
        "queens 6",
        "queens 6 --encoding cell",
        "place kings 4 --exactly 3",
        "queens 8 --symmetric",
    ] {
        let mut uses: BTreeMap<String, usize> = BTreeMap::new();
        let solutions = solutions(&format!("{args} --list"));
        for square in solutions.concat() {
            *uses.entry(square).or_default() += 1;
        }
        let picture = svg(&format!("{args} --heat"), "heat.svg");
        let titled = &titles(&picture)[1..];
        for title in titled {
            let square = title.split(':').next().expect("a square");
            let used = uses.get(square).copied().unwrap_or(0);
            assert_eq!(*title, format!("{square}: {used} of {}", solutions.len()), "{args}");
        }
        assert!(titled.len() == 16 || titled.len() == 36 || titled.len() == 64);
    }
}

#[test]
fn heat_of_tours_is_the_number_that_make_a_move() {
    let moves = |args: &str| {
        let picture = svg(&format!("{args} --heat"), "moves.svg");
        let mut moves: Vec<String> = titles(&picture)[1..].iter().map(|&t| t.to_owned()).collect();
        moves.sort();
        moves
    };
    let number = |title: &String| -> usize {
        let rest = title.split(": ").nth(1).expect("a number");
        rest.split(' ').next().expect("a number").parse().expect("a number")
    };
    // 8 closed tours of 30 moves, 82 open ones of 19.
    for (args, known) in [("knights 5x6", 240), ("knights 4x5 --open", 82 * 19)] {
        let by_square = moves(args);
        assert_eq!(by_square.iter().map(number).sum::<usize>(), known, "{args}");
        assert_eq!(by_square, moves(&format!("{args} --encoding edge")));
    }
    assert!(moves("knights 3x3").is_empty());
}

#[test]
fn widths_are_plotted() {
    let path = scratch("widths.svg");
    let plotted = |args: &str| {
        answer(&format!("{args} --profile {}", path.display()));
        fs::read_to_string(&path).expect("the plot")
    };
    let plot = plotted("queens 8");
    assert!(plot.contains("911 states, at most "), "{plot}");
    for line in ["states", "edges", "nodes"] {
        assert!(plot.contains(&format!("class=\"line {line}\"")), "{line}");
    }
    let plot = plotted("queens 8 --count-only");
    assert!(plot.contains("class=\"line edges\"") && !plot.contains("class=\"line nodes\""));
    assert!(plotted("queens 3x2").ends_with("</svg>\n"));
    let map = png("knights 5 6 --profile", "widths.png");
    assert_eq!((map.width(), map.height()), (1600, (1600.0f32 * 480.0 / 900.0).round() as u32));
}

#[test]
fn boards_are_unicode_unless_ascii_is_asked_for() {
    assert!(
        answer("queens 4").ends_with("4 · · ♛ ·\n3 ♛ · · ·\n2 · · · ♛\n1 · ♛ · ·\n  a b c d\n")
    );
    assert!(
        answer("queens 4 --ascii")
            .ends_with("4 . . Q .\n3 Q . . .\n2 . . . Q\n1 . Q . .\n  a b c d\n")
    );
    assert!(answer("place knights 2 --exactly 1").contains('♞'));
    assert!(answer("queens 9 --first --ascii").is_ascii());
    assert!(answer("knights 3x3 --missing b2 --ascii").contains('.'));
}

#[test]
fn pictures_that_cannot_be_drawn_are_errors() {
    let path = scratch("refused.svg");
    let _ = fs::remove_file(&path);
    let file = format!("--svg {}", path.display());
    refused(3, &format!("queens 3 {file}"), &["no solution to draw"]);
    refused(3, &format!("queens 3 --first {file}"), &["no solution to draw"]);
    for (args, words) in [
        ("queens 8 --count-only FILE", ["--count-only", "--svg"]),
        ("queens 8 --unique --heat FILE", ["--unique", "--heat"]),
        ("queens 7 --colouring --heat FILE", ["--colouring", "--heat"]),
        ("queens 8 --heat --sample 3 FILE", ["--heat", "--sample"]),
        ("queens 8 --heat --sheet 4x3 FILE", ["--heat", "--sheet"]),
        ("queens 8 --nth 3 --sheet 4x3 FILE", ["--nth", "--sheet"]),
        ("queens 8 --first --sheet 4x3 FILE", ["--first", "--sheet"]),
        ("queens 8 --sheet 4x3", ["--svg", "--png"]),
        ("queens 8 --heat", ["--svg", "--png"]),
        ("queens 8 --sheet 4 FILE", ["--sheet", "4x3"]),
        ("queens 8 --sheet 0x3 FILE", ["--sheet", "1x1"]),
        ("queens 8 --ascii --json", ["--ascii", "--json"]),
        ("queens 8 --profile a.jpg", ["--profile", ".svg or .png"]),
        ("queens 8 --engine apply --profile a.svg", ["--profile", "--engine frontier"]),
        ("knights 5x6 --encoding time --heat FILE", ["--heat", "--encoding time"]),
        ("knights 6x6 --symmetric --heat FILE", ["--heat", "--symmetric"]),
        ("knights 5x6 --directed --heat FILE", ["--heat", "--directed"]),
        ("knights 5x6 --engine apply --heat FILE", ["--heat", "--engine apply"]),
    ] {
        refused(2, &args.replace("FILE", &file), &words);
    }
    assert!(!path.exists());
    refused(1, "queens 4 --png no/such/folder/a.png", &["cannot write no/such/folder/a.png"]);
}
