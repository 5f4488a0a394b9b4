//! `topdd queens` as its users run it.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::{answer, command, refused};
use serde_json::Value;
use topdd_chess::{Queens, Square};

#[test]
fn a_run_writes_count_states_nodes_and_draws_the_first_solution() {
    let out = answer("queens 8");
    let (facts, drawing) = out.split_once("\n\n").expect("a blank line before the board");
    let lines: Vec<&str> = facts.lines().collect();
    assert_eq!(lines[0], "queens on 8x8, by row");
    assert_eq!(lines[1], "92 solutions");
    assert!(lines[2].starts_with("911 states, "), "{}", lines[2]);
    assert!(lines[2].ends_with(" nodes") && lines.len() == 3, "{}", lines[2]);
    assert_eq!(
        drawing,
        "first solution: a1 e2 h3 f4 c5 g6 b7 d8\n\
         8 · · · ♛ · · · ·\n\
         7 · ♛ · · · · · ·\n\
         6 · · · · · · ♛ ·\n\
         5 · · ♛ · · · · ·\n\
         4 · · · · · ♛ · ·\n\
         3 · · · · · · · ♛\n\
         2 · · · · ♛ · · ·\n\
         1 ♛ · · · · · · ·\n  \
           a b c d e f g h\n"
    );
}

#[test]
fn quiet_prints_the_count_and_nothing_else() {
    for (n, known) in [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724].into_iter().enumerate() {
        for encoding in ["row", "cell"] {
            for more in ["", "--count-only", "--no-forward-check"] {
                let args = format!("queens {n} --quiet --encoding {encoding} {more}");
                assert_eq!(answer(&args), format!("{known}\n"), "topdd {args}");
            }
        }
    }
    assert_eq!(answer("queens 12 -q"), "14200\n");
}

#[test]
fn boards_of_every_shape() {
    for (args, known) in [
        ("6x9", "2292"),
        ("2x64", "3906"),
        ("1x5", "5"),
        ("5x1", "0"),
        ("9x8", "0"),
        ("0x3", "1"),
        ("3x0", "0"),
        ("7 --toroidal", "28"),
        ("8 --toroidal", "0"),
        ("8 --given a1", "4"),
        ("8 --given a1,e2", "1"),
        ("8 --given a1 --given e2 --given H3", "1"),
        ("8 --given a1 --forbid e2,f2", "2"),
        ("8 --given a1,c2 --forbid b3", "0"),
    ] {
        assert_eq!(answer(&format!("queens -q {args}")), format!("{known}\n"), "{args}");
    }
}

#[test]
fn boards_without_solutions_or_squares_have_counts_too() {
    for args in ["queens 2", "queens 3", "queens 4x0 --all"] {
        let out = answer(args);
        assert!(out.contains("\n0 solutions\n") && !out.contains("\n\n"), "{args}: {out}");
    }
    let out = answer("queens 0");
    assert!(out.contains("\n1 solution\n"), "{out}");
    assert!(out.ends_with("first solution:\n(a board of 0x0 has no squares)\n"), "{out}");
    let out = answer("queens 1");
    // The only value of its only variable is 0, so the diagram is the 1-terminal.
    assert!(out.contains("\n1 solution\n1 state, 0 nodes\n"), "{out}");
    assert!(out.ends_with("\n\nfirst solution: a1\n1 ♛\n  a\n"), "{out}");
}

#[test]
fn count_only_stores_no_diagram() {
    let out = answer("queens 8 --count-only");
    assert!(out.contains("92 solutions\n911 states\n"), "{out}");
    assert!(!out.contains("node") && !out.contains('Q'), "{out}");
}

#[test]
fn solutions_are_listed_as_many_as_asked_for() {
    for (args, known) in [
        ("queens 6 --all", 4),
        ("queens 6 --all --encoding cell", 4),
        ("queens 8 --all", 92),
        ("queens 8 --limit 3", 3),
        ("queens 6 --limit 100", 4),
        ("queens 6 --limit 0", 0),
    ] {
        let out = answer(args);
        let heads: Vec<&str> = out.lines().filter(|line| line.starts_with("solution ")).collect();
        assert_eq!(heads.len(), known, "topdd {args}");
        for (place, head) in heads.iter().enumerate() {
            assert!(head.starts_with(&format!("solution {place}: ")), "{head}");
        }
    }
    assert!(
        answer("queens 4 --all --ascii")
            .contains("solution 1: c1 a2 d3 b4\n4 . Q . .\n3 . . . Q\n")
    );
}

#[test]
fn json_is_one_object() {
    let json = |args: &str| -> Value {
        serde_json::from_str(&answer(&format!("queens --json {args}"))).expect("JSON")
    };
    let first = json("8");
    assert_eq!(first["problem"]["name"], "queens");
    assert_eq!(first["problem"]["rows"], 8);
    assert_eq!(first["problem"]["encoding"], "row");
    assert_eq!(first["count"], "92");
    assert_eq!(first["states"], 911);
    assert!(first["nodes"].as_u64().is_some_and(|nodes| nodes > 0));
    assert_eq!(first["solutions"].as_array().map(Vec::len), Some(1));

    let all = json("4x4 --all --encoding cell --forbid d4");
    assert_eq!(all["problem"]["forbidden"][0], "d4");
    assert_eq!(all["solutions"].as_array().map(Vec::len), Some(2));
    assert_eq!(all["solutions"][0], serde_json::json!(["c1", "a2", "d3", "b4"]));

    let count = json("7 --toroidal --count-only --given a1");
    assert_eq!(count["problem"]["toroidal"], true);
    assert_eq!(count["problem"]["given"], serde_json::json!(["a1"]));
    assert_eq!(count["count"], "4");
    assert_eq!(count["nodes"], Value::Null);
    assert_eq!(count["solutions"], serde_json::json!([]));
}

#[test]
fn wrong_arguments_are_usage_errors() {
    refused(2, "queens", &["<BOARD>", "--help"]);
    refused(2, "queens eight", &["eight", "whole number"]);
    refused(2, "queens -3", &["-3", "whole number"]);
    refused(2, "queens 8 --count-only --all", &["--count-only", "--list"]);
    refused(2, "queens 8 --all --limit 2", &["--list", "--limit"]);
    refused(2, "queens 8 --quiet --json", &["--quiet", "--json"]);
    refused(2, "queens 8 --encoding diagonal", &["diagonal", "row", "cell"]);
    refused(2, "queens 8 --given a1,", &["is not a square"]);
    refused(2, "queens 8 --given 1a", &["`1a` is not a square", "a1"]);
    refused(2, "queens 8 --given i1", &["i1", "8x8", "a1 to h8"]);
    refused(2, "queens 8 --forbid a9", &["a9", "8x8"]);
    refused(2, "queens 8 --given a1,d4", &["a1 and d4 attack"]);
    refused(2, "queens 8 --given a1,c1", &["a1 and c1 attack"]);
    refused(2, "queens 8 --given a1 --forbid a1", &["a1", "both given and forbidden"]);
    refused(2, "queens 65", &["65x65", "at most 64"]);
    refused(2, "queens 99999999999x8", &["too many rows", "no solutions"]);
    refused(2, "queens 99999999999999999999999999", &["too large"]);
}

#[test]
fn limits_end_a_run_with_an_error_that_names_the_level() {
    let memory = "queens 14 --count-only --memory-limit 1MiB";
    refused(
        1,
        memory,
        &["--memory-limit allows, 1 MiB; stopped at row ", " of 14\nhint: allow more"],
    );
    let cells = "queens 14 --encoding cell --memory-limit 1MiB";
    refused(1, cells, &["stopped at square ", " of 196", "--count-only"]);
    let time = "queens 14 --time-limit 0.01";
    refused(1, time, &["--time-limit 10ms; stopped "]);
    refused(2, "queens 8 --threads 5000", &["--threads", "write a whole number from 1 to 1024"]);
    refused(2, "queens 8 --memory-limit 1X", &["no unit of bytes"]);
    assert_eq!(answer("queens 8 -q --memory-limit 1GiB --time-limit 60 --threads 2"), "92\n");
}

/// The drawings of an answer, each turned and mirrored in all ways, as sets of squares.
fn boards(out: &str) -> Vec<BTreeSet<(usize, usize)>> {
    let board = |block: &str| {
        let rows = block.lines().filter(|line| line.contains(['.', 'Q']));
        let mut rows: Vec<&str> = rows.filter(|line| !line.contains("solution")).collect();
        rows.reverse();
        let queens = rows.iter().enumerate().flat_map(|(row, line)| {
            let cells = line.split_whitespace().skip(1).enumerate();
            cells.filter(|&(_, cell)| cell == "Q").map(move |(col, _)| (row, col))
        });
        queens.collect()
    };
    out.split("\n\n").skip(1).map(board).collect()
}

#[test]
fn ten_queens_up_to_symmetry() {
    let out = answer("queens 10 --unique --list --ascii");
    assert!(out.contains("\n92 solutions up to symmetry, of 724\n"), "{out}");
    let boards = boards(&out);
    assert_eq!(boards.len(), 92);
    let mut seen = BTreeSet::new();
    for board in boards {
        assert_eq!(board.len(), 10);
        let mut images: BTreeSet<BTreeSet<(usize, usize)>> = BTreeSet::new();
        for turns in 0..4 {
            let turned =
                board.iter().map(|&square| (0..turns).fold(square, |(row, col), _| (col, 9 - row)));
            let turned: BTreeSet<_> = turned.collect();
            images.insert(turned.iter().map(|&(row, col)| (row, 9 - col)).collect());
            images.insert(turned);
        }
        assert!(images.is_disjoint(&seen));
        seen.extend(images);
    }
    assert_eq!(seen.len(), 724);
}

#[test]
fn the_number_up_to_symmetry_is_the_same_in_any_way() {
    for (n, known) in (1..).zip([1, 0, 0, 1, 2, 1, 6, 12, 46, 92]) {
        for more in ["", "--encoding cell", "--engine apply"] {
            if n < 9 || more.is_empty() {
                let args = format!("queens {n} --unique -q {more}");
                assert_eq!(answer(&args), format!("{known}\n"), "{args}");
            }
        }
    }
    // Fewer symmetries: four of a rectangle, two with a corner given.
    let heads = |args: &str| answer(args).matches("\nsolution ").count().to_string() + "\n";
    for args in [
        "queens 4x6 --unique",
        "queens 8 --given a1 --unique",
        "queens 8 --forbid a1,h8 --unique",
        "queens 7 --toroidal --unique",
        "queens 8 --symmetric --unique",
        "queens 6 --exactly 4 --unique",
        "queens 5 --maximal --unique",
        "place bishops 4 --unique",
        "place kings 3 --any --unique",
    ] {
        assert_eq!(answer(&format!("{args} -q")), heads(&format!("{args} --list")), "{args}");
    }
}

#[test]
fn other_questions_about_queens() {
    for (args, known) in [
        ("10 --superqueens", "4"),
        ("10 --superqueens --encoding cell", "4"),
        ("6 --superqueens --engine apply", "0"),
        ("7 --superqueens --toroidal", "0"),
        ("3x8 --superqueens", "24"),
        ("6x9", "2292"),
        ("8 --symmetric=180", "4"),
        ("12 --symmetric=90", "8"),
        ("4 --exactly 1", "16"),
        ("8 --exactly 2", "1288"),
        ("8 --exactly 0", "1"),
        ("8 --exactly 9", "0"),
        ("4 --any", "87"),
        ("3 --maximal", "9"),
        ("8 --exactly 5 --maximal", "728"),
        ("8 --exactly 4 --maximal", "0"),
        ("5 --colouring", "2"),
        ("7 --colouring", "4"),
        ("8 --colouring", "0"),
    ] {
        assert_eq!(answer(&format!("queens -q {args}")), format!("{known}\n"), "{args}");
    }
    let out = answer("queens 5 --colouring --limit 1");
    assert!(out.starts_with("colourings by solutions of queens on 5x5, by colour\n2 solutions\n"));
    assert!(out.contains("\nsolution 0:\n5 "), "{out}");
    assert!(out.ends_with("\n1 1 2 3 4 5\n  a b c d e\n"), "{out}");
    let json: Value = serde_json::from_str(&answer("queens 5 --colouring --json")).expect("JSON");
    assert_eq!(json["problem"]["colouring"], true);
    assert_eq!(json["solutions"][0].as_array().map(Vec::len), Some(5));
    assert_eq!(json["solutions"][0][0][0], "a1");
}

#[test]
fn pieces_are_placed() {
    for (args, known) in [
        ("bishops 6", "53744"),
        ("kings 6 --any", "202841"),
        ("kings 8 --most", "281571"),
        ("bishops 4 --most", "16"),
        ("rooks 5", "120"),
        ("knights 4 --any", "1365"),
        ("queens 8", "92"),
        ("superqueens 10", "4"),
        ("rooks 4 --maximal", "24"),
        ("kings 3x5 --exactly 6", "1"),
        ("kings 3 --exactly 6", "0"),
        ("kings 0", "1"),
        ("kings 0 --exactly 1", "0"),
        ("kings 1x90 --any", "7540113804746346429"),
        ("kings 4 --toroidal --any", "133"),
        ("rooks 5 --given a1 --forbid b2", "18"),
        ("rooks 4 --symmetric=180", "8"),
    ] {
        assert_eq!(answer(&format!("place -q {args}")), format!("{known}\n"), "{args}");
    }
    let out = answer("place bishops 3 --most --ascii");
    assert!(out.starts_with("as many bishops as can be, 4, on 3x3\n8 solutions\n"), "{out}");
    assert!(out.contains("\nfirst solution: ") && out.contains(" B "), "{out}");
    let json: Value = serde_json::from_str(&answer("place kings 4 --most --json")).expect("JSON");
    assert_eq!(json["problem"]["piece"], "kings");
    assert_eq!(json["problem"]["number"], 4);
    assert_eq!(json["count"], "79");
}

#[test]
fn one_solution_by_its_rank_and_some_at_random() {
    let list = answer("queens 8 --list");
    let heads: Vec<&str> = list.lines().filter(|line| line.starts_with("solution ")).collect();
    for rank in [0, 50, 91] {
        for unique in ["", "--unique"] {
            let out = answer(&format!("queens 8 --nth {} {unique}", rank.min(11)));
            assert!(out.contains(&format!("\nsolution {}: ", rank.min(11))), "{out}");
        }
        assert!(answer(&format!("queens 8 --nth {rank}")).contains(heads[rank]));
    }
    let unique = answer("queens 8 --unique --list");
    let third = unique.lines().find(|line| line.starts_with("solution 3: ")).expect("12 of them");
    assert!(answer("queens 8 --unique --nth 3").contains(third));

    let sample = |args: &str| -> Value {
        serde_json::from_str(&answer(&format!("queens 8 --json --sample {args}"))).expect("JSON")
    };
    let drawn = sample("20 --seed 7");
    assert_eq!(drawn["seed"], 7);
    assert_eq!(drawn["solutions"], sample("20 --seed 7")["solutions"]);
    assert_ne!(drawn["solutions"], sample("20 --seed 8")["solutions"]);
    let different = |drawn: &Value| {
        let solutions = drawn["solutions"].as_array().expect("a list");
        solutions.iter().map(ToString::to_string).collect::<BTreeSet<_>>().len()
    };
    assert_eq!(different(&drawn), 20);
    // One of few classes, and most of them.
    for wanted in [3, 11, 12] {
        let drawn = sample(&format!("{wanted} --unique --seed 1"));
        assert_eq!(different(&drawn), wanted);
        assert_eq!((&drawn["count"], &drawn["total"]), (&"12".into(), &"92".into()));
        for solution in drawn["solutions"].as_array().expect("a list") {
            let squares: Vec<&str> =
                solution.as_array().expect("squares").iter().filter_map(Value::as_str).collect();
            assert!(unique.contains(&squares.join(" ")), "{squares:?}");
        }
    }
    assert!(sample("1")["seed"].is_u64());
    assert!(answer("queens 8 --sample 2 --seed 1").contains("\nsample 1 of seed 1: "));
}

#[test]
fn contradictory_arguments_are_refused() {
    refused(2, "queens 8 --exactly 5 --encoding row", &["--exactly", "--encoding row"]);
    refused(2, "queens 8 --any --no-forward-check", &["--any", "--no-forward-check"]);
    refused(2, "queens 8 --exactly 5 --any", &["--exactly", "--any"]);
    refused(2, "queens 8 --colouring --unique", &["--colouring", "--unique"]);
    refused(2, "queens 12 --colouring", &["12x12", "at most 11x11"]);
    refused(2, "queens 6x8 --symmetric=90", &["6x8", "90 degrees", "square"]);
    refused(2, "queens 8 --symmetric=45", &["45", "180", "90"]);
    refused(2, "queens 8 --any --engine apply", &["--engine frontier"]);
    refused(2, "queens 5 --colouring --engine apply", &["--engine frontier"]);
    refused(2, "queens 8 --superqueens --given a1,b3", &["superqueens", "a1 and b3 attack"]);
    refused(2, "queens 8 --exactly 3 --given i1", &["i1", "8x8"]);
    refused(2, "queens 30 --any", &["30x30", "899 bits"]);
    refused(2, "queens 8 --nth -1", &["whole number"]);
    refused(2, "queens 8 --nth 3 --sample 2", &["--nth", "--sample"]);
    refused(2, "queens 8 --nth 3 --all", &["--nth", "--list"]);
    refused(2, "queens 8 --nth 3 --count-only", &["--nth", "--count-only"]);
    refused(2, "queens 8 --seed 3", &["--sample"]);
    refused(3, "queens 8 --nth 92", &["no solution of rank 92", "there are 92 solutions"]);
    refused(3, "queens 8 --nth 12 --unique", &["no solution of rank 12", "12 solutions"]);
    refused(3, "queens 3 --sample 1", &["no sample of 1", "there are 0 solutions"]);
    refused(2, "place kings", &["<BOARD>"]);
    refused(2, "place pawns 8", &["pawns", "kings"]);
    refused(2, "place kings 8 --any --most", &["--any", "--most"]);
    refused(2, "place kings 8 --exactly 3 --any", &["--exactly", "--any"]);
    refused(2, "place kings 8 --given a1,b2", &["kings", "a1 and b2 attack"]);
    refused(2, "place kings 8 --given a1 --forbid a1", &["a1", "both given and forbidden"]);
    refused(2, "place kings 100", &["100x100", "4096"]);
    refused(2, "place kings 8 --engine apply", &["--engine: for queens and knights only"]);
    refused(2, "place kings eight", &["whole number"]);
}

#[test]
#[cfg(unix)]
fn a_signal_stops_the_run_and_reports_the_level() {
    for (signal, args) in [
        ("-INT", "queens 20 --count-only"),
        ("-INT", "queens 14 --engine apply -q"),
        ("-INT", "place bishops 16 --any"),
        ("-TERM", "queens 20 --count-only"),
    ] {
        let mut run = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        thread::sleep(Duration::from_millis(400));
        let pid = run.id().to_string();
        assert!(run.try_wait().unwrap().is_none(), "{args} is still at work");
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        let mut waited = 0;
        while run.try_wait().unwrap().is_none() {
            // A run that does not stop at all takes minutes.
            assert!(waited < 300, "{args} is still running");
            thread::sleep(Duration::from_millis(100));
            waited += 1;
        }
        let output = run.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{args}: {err}");
        assert!(err.starts_with("interrupted ") && err.contains(" of "), "{args}: {err}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn one_solution_by_search() {
    for n in [1, 4, 8, 25, 26, 27, 28, 29, 30, 31, 64] {
        let json: Value =
            serde_json::from_str(&answer(&format!("queens {n} --first --json"))).expect("JSON");
        assert_eq!(json["count"], Value::Null);
        let names = json["solutions"][0].as_array().expect("a solution");
        let queens: Vec<Square> =
            names.iter().map(|name| name.as_str().unwrap().parse().unwrap()).collect();
        assert!(Queens::new(n).is_solution(&queens), "{queens:?}");
    }
    for (args, word) in [
        ("queens 3", "no solution"),
        ("queens 9x8", "no solution"),
        ("queens 8 --toroidal", "no solution"),
        ("queens 13 --toroidal", "one solution: "),
        ("queens 20 --superqueens", "one solution: "),
        ("queens 8 --exactly 5 --maximal", "one solution: "),
        ("queens 12 --symmetric=90", "one solution: "),
        ("queens 31 --given a1,c2", "one solution: a1 c2 "),
    ] {
        let out = answer(&format!("{args} --first"));
        assert!(out.contains(&format!("\n{word}")), "{args}: {out}");
    }
    refused(2, "queens 65 --first", &["65x65", "at most 64"]);
    refused(2, "queens 8 --first --unique", &["--first", "--unique"]);
    refused(2, "queens 8 --first --count-only", &["--first", "--count-only"]);
    refused(2, "queens 8 --first --engine apply", &["--first", "--engine"]);
}
