//! Tests of the places, texts and colours of cells.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{AssignmentPicture, CellValue, shortened};
use crate::svg::palette;

fn texts(words: &str) -> Vec<CellValue> {
    words.split_whitespace().map(|word| CellValue::Text(word.to_owned())).collect()
}

fn names(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

/// The place, the colour and the title of each cell, in the order of the document.
fn cells(svg: &str) -> Vec<([f64; 2], String, String)> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let cells = document.descendants().filter(|node| node.attribute("class") == Some("cell"));
    let cell = |node: roxmltree::Node<'_, '_>| {
        let at = ["x", "y"].map(|name| node.attribute(name).unwrap().parse().unwrap());
        let title = node.first_element_child().unwrap().text().unwrap();
        (at, node.attribute("fill").unwrap().to_owned(), title.to_owned())
    };
    cells.map(cell).collect()
}

/// The titles of cells, in lines from the top, each from the left.
fn rows(svg: &str) -> Vec<String> {
    let mut all = cells(svg);
    all.sort_by(|([x, y], ..), ([a, b], ..)| y.total_cmp(b).then(x.total_cmp(a)));
    let lines = all.chunk_by(|([_, y], ..), ([_, b], ..)| y.to_bits() == b.to_bits());
    let line = |line: &[([f64; 2], String, String)]| {
        line.iter().map(|(.., title)| title.as_str()).collect::<Vec<_>>().join(", ")
    };
    lines.map(line).collect()
}

fn labels(svg: &str) -> usize {
    svg.lines().filter(|line| line.contains("\"text\"") && line.contains(palette::QUIET)).count()
}

#[test]
fn pairs_are_rows_and_columns_in_the_order_in_which_they_occur_first() {
    let pairs = [["b", "y"], ["b", "x"], ["a", "x"]].map(|pair| pair.map(str::to_owned));
    let picture = AssignmentPicture::new(names("by bx ax"), texts("0 1")).pairs(&pairs);
    let svg = picture.picture(&[vec![0, 1, 1]], 1).to_string();
    assert_eq!(rows(&svg), ["by: 0, bx: 1", "ax: 1"]);
    let at: Vec<_> = cells(&svg).into_iter().map(|(at, ..)| at).collect();
    assert!(at[1][0] > at[0][0] && at[1][0].to_bits() == at[2][0].to_bits());
    assert_eq!(labels(&svg), 4);
    assert!(svg.contains("<title>1 assignment of 3 variables</title>"));
    assert!(svg.contains("<desc>by: 0; bx: 1; ax: 1</desc>"));
}

#[test]
fn rows_and_columns_that_count_have_no_labels() {
    for first in 0..3 {
        let pairs = [[0, 0], [0, 1], [1, 0], [1, 1]];
        let pairs = pairs.map(|pair| pair.map(|at: usize| (at + first).to_string()));
        let picture = AssignmentPicture::new(names("p q r s"), texts("7 8")).pairs(&pairs);
        let svg = picture.picture(&[vec![0, 1, 1, 0]], 1).to_string();
        assert_eq!(rows(&svg), ["p: 7, q: 8", "r: 8, s: 7"]);
        assert_eq!(labels(&svg), if first < 2 { 0 } else { 4 });
    }
}

#[test]
fn squares_are_on_a_board_with_the_first_row_below() {
    let values = vec![CellValue::False, CellValue::True];
    let picture = AssignmentPicture::new(names("a1 b1 a2 B2"), values.clone());
    let svg = picture.picture(&[vec![1, 0, 0, 1]], 1).to_string();
    assert_eq!(rows(&svg), ["a2: False, B2: True", "a1: True, b1: False"]);
    assert_eq!((svg.matches("class=\"mark\"").count(), labels(&svg)), (2, 4));
    let colours = cells(&svg).into_iter().map(|(_, fill, _)| fill).collect::<Vec<_>>();
    assert_eq!(colours, [&palette::class(0), palette::PAPER, palette::PAPER, &palette::class(0)]);
    // One line, a square that occurs twice, few squares of a large board, and longer names are in tables.
    for words in ["x1 x2 x3", "a1 A1 b2", "a1 b2 c3 d4 e5 f6", "mon1 mon2 tue1 tue2", "a1 b1 a2 b"]
    {
        let table = AssignmentPicture::new(names(words), values.clone());
        let count = table.names.len();
        let svg = table.picture(&[vec![0; count]], 1).to_string();
        assert_eq!(labels(&svg), count, "{words}");
    }
}

#[test]
fn tables_have_a_name_beside_each_cell_and_a_pleasant_shape() {
    for count in [0, 1, 2, 7, 28, 200, 1000] {
        let all: Vec<String> = (0..count).map(|at| format!("x{at}")).collect();
        let picture = AssignmentPicture::new(all, texts("on off")).picture(&[vec![1; count]], 1);
        assert_eq!((cells(picture.svg()).len(), labels(picture.svg())), (count, count));
        let (width, height) = picture.size();
        let shape = f64::from(width) / f64::from(height);
        assert!(count < 7 || (1.0..2.3).contains(&shape), "{count}: {width} x {height}");
    }
}

#[test]
fn several_assignments_are_side_by_side_with_the_same_colours() {
    let picture = AssignmentPicture::new(names("a b"), texts("x y")).title("all <four>");
    let all = [vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]];
    let svg = picture.picture(&all, 3).to_string();
    let places: Vec<&str> = svg.split("class=\"assignment\" transform=\"").skip(1).collect();
    assert_eq!(places.len(), 4);
    let cells = cells(&svg);
    for (fill, title) in cells.iter().map(|(_, fill, title)| (fill, title)) {
        assert_eq!(*fill, palette::class(usize::from(title.ends_with('y'))));
    }
    assert!(svg.contains("<title>all &lt;four&gt;</title>"));
    assert!(picture.picture(&[], 4).svg().ends_with("</svg>\n"));
}

#[test]
fn long_texts_are_shortened_and_are_titles_as_a_whole() {
    assert_eq!(shortened("early"), "early");
    for long in ["w".repeat(1_000_000), "a\u{301}".repeat(500), "日".repeat(40)] {
        let short = shortened(&long);
        assert!(short.ends_with('…') && short.chars().count() <= 65);
        assert!(long.starts_with(short.trim_end_matches('…')));
        let picture = AssignmentPicture::new(vec![long.clone()], texts("v"));
        let picture = picture.picture(&[vec![0]], 1);
        assert!(picture.size().0 < 550 && picture.svg().contains(&format!("<title>{long}: v<")));
    }
}

#[test]
fn texts_are_readable_on_all_colours() {
    let luminance = |colour: &str| {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    };
    for class in 0..256 {
        let colour = palette::class(class);
        let [one, two] = [colour.as_str(), palette::on(&colour)].map(luminance);
        // The Web Content Accessibility Guidelines require 3 of large text.
        let contrast = (one.max(two) + 0.05) / (one.min(two) + 0.05);
        assert!(contrast >= if class < 12 { 6.5 } else { 3.0 }, "{class} {colour}: {contrast}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn odd_names_and_values_are_xml_with_a_cell_for_each_variable(
        odd in proptest::collection::vec((any::<String>(), any::<String>()), 1..20),
        value in any::<String>(),
    ) {
        let pairs: Vec<[String; 2]> = odd.iter().cloned().map(|(row, col)| [row, col]).collect();
        let all: Vec<String> = odd.iter().map(|(row, col)| format!("{row}{col}")).collect();
        let values = vec![CellValue::Text(value), CellValue::Text("]]>&'\"<".to_owned())];
        let numbers: Vec<usize> = (0..all.len()).map(|at| at % 2).collect();
        for picture in [AssignmentPicture::new(all.clone(), values.clone()), AssignmentPicture::new(all.clone(), values).pairs(&pairs)] {
            let cells = cells(picture.picture(std::slice::from_ref(&numbers), 1).svg());
            let places: BTreeSet<_> = cells.iter().map(|(at, ..)| at.map(f64::to_bits)).collect();
            prop_assert_eq!(places.len(), all.len());
            prop_assert!(cells.iter().skip(1).step_by(2).all(|(.., title)| title.ends_with("]]>&'\"<")));
        }
    }
}
