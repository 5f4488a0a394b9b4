//! `topdd knights` as its users run it.

use crate::support::{answer, refused};
use serde_json::Value;

#[test]
fn a_run_writes_count_states_nodes_and_draws_the_first_tour() {
    let out = answer("knights 6 6");
    let (facts, drawing) = out.split_once("\n\n").expect("a blank line before the board");
    let lines: Vec<&str> = facts.lines().collect();
    assert_eq!(lines[0], "closed knight's tours on 6x6, by square");
    assert_eq!(lines[1], "9862 solutions");
    assert!(lines[2].contains(" states, ") && lines[2].ends_with(" nodes"), "{}", lines[2]);
    // Seven lines of board after the names of all squares, each numbered once.
    let (names, board) = drawing.split_once('\n').expect("the names, then the board");
    assert_eq!(names.split(' ').count(), 2 + 36, "{names}");
    assert_eq!(board.lines().count(), 7);
    let mut numbers: Vec<usize> = board
        .lines()
        .take(6)
        .flat_map(|line| line.split_whitespace().skip(1))
        .map(|number| number.parse().expect("a number on every square"))
        .collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(1..=36));
}

#[test]
fn published_counts_in_every_encoding_with_and_without_a_diagram() {
    for (args, known) in [
        ("3 10", "16"),
        ("4 6", "0"),
        ("5 6", "8"),
        ("6 6", "9862"),
        ("3 4 --open", "8"),
        ("3 7 --open", "52"),
        ("4 5 --open", "82"),
        ("5 5 --open", "864"),
        ("5 5 --open --from a1", "304"),
        ("5 5 --open --to A1", "304"),
        ("5 5 --open --from b1", "0"),
    ] {
        for encoding in ["edge", "square", "time"] {
            // By time, the larger ones have too many states for a test.
            if encoding == "time" && !["3 4 --open", "3 7 --open", "4 5 --open"].contains(&args) {
                continue;
            }
            let count = answer(&format!("knights {args} --quiet --encoding {encoding}"));
            assert_eq!(count, format!("{known}\n"), "{args} by {encoding}");
            let facts = answer(&format!("knights {args} --limit 0 --encoding {encoding}"));
            assert!(facts.contains(&format!("\n{known} solutions\n")), "{args}: {facts}");
        }
    }
}

#[test]
fn small_boards_have_counts_too() {
    for args in ["0 0", "0 5 --open", "1 1", "1 7", "1 7 --open", "2 2", "2 9 --open", "3 3"] {
        assert_eq!(answer(&format!("knights {args} -q")), "0\n", "{args}");
    }
    let out = answer("knights 1 1 --open");
    assert!(out.contains("\n1 solution\n"), "{out}");
    assert!(out.ends_with("first solution: a1\n1 1\n  a\n"), "{out}");
}

#[test]
fn tours_are_listed_from_where_they_start_to_where_they_end() {
    let args = "knights 5 5 --open --from a1 --to e5 --all --json";
    let json: Value = serde_json::from_str(&answer(args)).expect("JSON");
    assert_eq!(json["problem"]["name"], "knights");
    assert_eq!(json["problem"]["open"], true);
    assert_eq!(json["problem"]["from"], "a1");
    let tours = json["solutions"].as_array().expect("a list");
    assert_eq!(json["count"], tours.len().to_string());
    for tour in tours {
        let squares = tour.as_array().expect("a list of squares");
        assert_eq!(squares.len(), 25);
        assert_eq!(squares[0], "a1");
        assert_eq!(squares[24], "e5");
    }
    let out = answer("knights 5 6 --all --encoding edge");
    assert_eq!(out.lines().filter(|line| line.starts_with("solution ")).count(), 8);
}

#[test]
fn contradictions_are_usage_errors() {
    refused(2, "knights", &["<BOARD>"]);
    refused(2, "knights 6x", &["6x", "6x8"]);
    refused(2, "knights 6x6 7", &["6x6", "7"]);
    refused(2, "knights 6 -6", &["-6", "whole number"]);
    refused(2, "knights 5 5 --from a1", &["--open"]);
    refused(2, "knights 5 5 --open --from a1 --missing a1", &["a1 is missing"]);
    refused(2, "knights 5 5 --missing f1", &["f1", "5x5", "a1 to e5"]);
    refused(2, "knights 5 5 --missing a1,", &["not a square"]);
    refused(2, "knights 5 5 --piece pawn", &["pawn", "knight", "2,3"]);
    refused(2, "knights 5 5 --leaper 0,0", &["0,0", "nowhere"]);
    refused(2, "knights 5 5 --symmetric=quarter-turn", &["half-turn"]);
    refused(2, "knights 5 6 --symmetric=diagonal", &["5x6", "square boards"]);
    refused(2, "knights 6 6 --symmetric --encoding time", &["--symmetric", "edge or square"]);
    refused(2, "knights 6 6 --symmetric --engine apply", &["--symmetric", "--engine frontier"]);
    refused(2, "knights 17 17 --encoding time", &["17x17", "--encoding time", "at most 256"]);
    refused(2, "knights 5 5 --open --from z9", &["z9", "5x5", "a1 to e5"]);
    refused(2, "knights 5 5 --open --from a1 --to a1", &["a1", "start and end"]);
    refused(2, "knights 6 6 --encoding row", &["row", "edge", "square"]);
    refused(2, "knights 99999999999 99999999999", &["too large"]);
    refused(2, "knights 99999999999999999999", &["the number 99999999999999999999 is too large"]);
}

#[test]
fn boards_pieces_directions_and_symmetries() {
    for (args, known) in [
        ("3x10", "16"),
        ("6", "9862"),
        ("5x5 --open --directed", "1728"),
        ("5x5 --open --directed --from a1", "304"),
        ("5X6 --directed", "16"),
        ("3x3 --missing b2", "1"),
        ("3x3 --open --holes b2 --directed", "16"),
        ("3x3 --missing b2,a1", "0"),
        ("4x4 --piece king", "2830"),
        ("6 6 --piece wazir", "1072"),
        ("4x4 --piece wazir --open", "276"),
        ("5x5 --leaper 1,2 --open", "864"),
        ("8x8 --piece camel", "0"),
        ("5x5 --piece 7,9", "0"),
        ("6x6 --symmetric", "78"),
        ("6x6 --symmetric=180", "78"),
        ("6x6 --symmetric=half-turn --directed --encoding edge", "156"),
        ("4x5 --open --symmetric", "6"),
        ("4x5 --open --symmetric --from a1 --to b1", "0"),
        ("6x6 --symmetric=diagonal", "0"),
        ("3x4 --open --encoding time --directed", "16"),
        ("3x4 --open --engine apply --directed", "16"),
        ("3x3 --missing b2 --engine apply", "1"),
    ] {
        assert_eq!(answer(&format!("knights {args} --quiet")), format!("{known}\n"), "{args}");
    }
    let title = answer("knights 3x3 --missing b2,a1,b2");
    assert!(title.starts_with("closed knight's tours on 3x3 without b2 a1, by "), "{title}");
    let out = answer("knights 4 4 --piece wazir --missing a1,d4 --open --encoding time");
    assert!(out.starts_with("open wazir's tours on 4x4 without a1 d4, by time\n"), "{out}");
}

#[test]
fn symmetric_and_directed_tours_are_listed_as_tours() {
    let json: Value =
        serde_json::from_str(&answer("knights 6x6 --symmetric --all --json")).expect("JSON");
    assert_eq!(json["problem"]["symmetric"], "half-turn");
    assert_eq!(json["problem"]["piece"], "knight");
    let tours = json["solutions"].as_array().expect("a list");
    assert_eq!(tours.len(), 78);
    for tour in tours {
        let square = |step: usize| -> (u8, u8) {
            let name = tour[step].as_str().expect("a name").as_bytes();
            (name[0] - b'a', name[1] - b'1')
        };
        for step in 0..36 {
            let (from, to) = (square(step), square((step + 1) % 36));
            let leap = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
            assert!(leap == (1, 2) || leap == (2, 1), "{tour}");
            let across = square((step + 18) % 36);
            assert_eq!((from.0 + across.0, from.1 + across.1), (5, 5), "{tour}");
        }
    }
    // One by its rank, and at random: the common options.
    let third = answer("knights 6x6 --symmetric --nth 3 --json");
    let third: Value = serde_json::from_str(&third).expect("JSON");
    assert_eq!(third["solutions"][0], tours[3]);
    for sampled in ["6x6 --symmetric", "6x6 --directed", "3x4 --open --encoding time"] {
        let sample = answer(&format!("knights {sampled} --sample 3 --seed 1 --json"));
        let sample: Value = serde_json::from_str(&sample).expect("JSON");
        assert_eq!(sample["solutions"].as_array().map(Vec::len), Some(3), "{sampled}");
    }
    let tours = |args: &str| -> Vec<Value> {
        let json: Value = serde_json::from_str(&answer(args)).expect("JSON");
        json["solutions"].as_array().expect("a list").clone()
    };
    let once = tours("knights 3x4 --open --all --json");
    let twice = tours("knights 3x4 --open --all --json --directed");
    assert_eq!(twice[..8], once);
    for tour in &once {
        let back: Vec<Value> = tour.as_array().expect("squares").iter().rev().cloned().collect();
        assert!(twice[8..].contains(&Value::from(back)), "{tour}");
    }
}

/// Boards that are too large are refused at once, or have no tour for a known reason.
#[test]
fn boards_that_are_too_large_are_refused_at_once() {
    for args in ["200 20000 --encoding edge", "200 20000", "300 300", "4999 201 --open"] {
        let board = args.split(' ').take(2).collect::<Vec<_>>().join("x");
        let hint = "use a narrower or a smaller one";
        refused(2, &format!("knights {args}"), &[&board, "too large", "at most", hint]);
    }
    for args in ["201 20001 --encoding edge", "1 1000000", "4 100000", "2 9999 --open", "9 9"] {
        assert_eq!(answer(&format!("knights {args} --quiet")), "0\n", "{args}");
        let out = answer(&format!("knights {args}"));
        assert!(out.contains("\n0 solutions\n0 states, 0 nodes\n"), "{out}");
    }
}

#[test]
fn limits_end_a_run_with_an_error() {
    let memory = "knights 8 8 --count-only --memory-limit 1MiB";
    refused(1, memory, &["--memory-limit allows, 1 MiB; stopped at square ", " of 64\n"]);
    let time = "knights 8 8 --count-only --time-limit 500ms --encoding edge";
    refused(1, time, &["--time-limit 500ms; stopped at move ", " of 168\n"]);
}
