//! `topdd queens` as its users run it.

#[allow(dead_code, unreachable_pub)]
mod support;

use serde_json::Value;
use support::{answer, refused};

#[test]
fn a_normal_run_tells_count_states_nodes_time_and_draws_the_first_solution() {
    let out = answer("queens 8");
    let (facts, drawing) = out.split_once("\n\n").expect("a blank line before the board");
    let lines: Vec<&str> = facts.lines().collect();
    assert_eq!(lines[0], "queens on 8x8, by row");
    assert_eq!(lines[1], "92 solutions");
    assert!(lines[2].starts_with("911 states, "), "{}", lines[2]);
    assert!(lines[2].contains(" nodes, ") && lines[2].ends_with(" s"), "{}", lines[2]);
    assert_eq!(
        drawing,
        "first solution: a1 e2 h3 f4 c5 g6 b7 d8\n\
         8 . . . Q . . . .\n\
         7 . Q . . . . . .\n\
         6 . . . . . . Q .\n\
         5 . . Q . . . . .\n\
         4 . . . . . Q . .\n\
         3 . . . . . . . Q\n\
         2 . . . . Q . . .\n\
         1 Q . . . . . . .\n  \
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
        ("--rows 6 --cols 9", "2292"),
        ("--rows 2 --cols 64", "3906"),
        ("--rows 1 --cols 5", "5"),
        ("--rows 5 --cols 1", "0"),
        ("--rows 9 --cols 8", "0"),
        ("--rows 0 --cols 3", "1"),
        ("--rows 3 --cols 0", "0"),
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
fn boards_without_solutions_or_squares_are_answered_too() {
    for args in ["queens 2", "queens 3", "queens --rows 4 --cols 0 --all"] {
        let out = answer(args);
        assert!(out.contains("\n0 solutions\n") && !out.contains("\n\n"), "{args}: {out}");
    }
    let out = answer("queens 0");
    assert!(out.contains("\n1 solution\n"), "{out}");
    assert!(out.ends_with("first solution:\n(a board of 0x0 has no squares)\n"), "{out}");
    let out = answer("queens 1");
    // The only value of its only variable is 0, so the diagram is the 1-terminal.
    assert!(out.contains("\n1 solution\n1 state, 0 nodes, "), "{out}");
    assert!(out.ends_with("\n\nfirst solution: a1\n1 Q\n  a\n"), "{out}");
}

#[test]
fn count_only_stores_no_diagram() {
    let out = answer("queens 8 --count-only");
    assert!(out.contains("92 solutions\n911 states, "), "{out}");
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
            assert!(head.starts_with(&format!("solution {}: ", place + 1)), "{head}");
        }
    }
    assert!(answer("queens 4 --all").contains("solution 2: c1 a2 d3 b4\n4 . Q . .\n3 . . . Q\n"));
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
    assert!(first["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0));
    assert_eq!(first["solutions"].as_array().map(Vec::len), Some(1));

    let all = json("--rows 4 --cols 4 --all --encoding cell --forbid d4");
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
fn what_makes_no_sense_is_refused_as_usage() {
    refused(2, "queens", &["<N>", "--help"]);
    refused(2, "queens eight", &["eight", "whole number"]);
    refused(2, "queens -3", &["-3", "whole number"]);
    refused(2, "queens --rows 3", &["--cols"]);
    refused(2, "queens 8 --rows 3 --cols 3", &["--rows"]);
    refused(2, "queens 8 --count-only --all", &["--count-only", "--all"]);
    refused(2, "queens 8 --all --limit 2", &["--all", "--limit"]);
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
    refused(2, "queens --rows 99999999999 --cols 8", &["too many rows", "no solutions"]);
    refused(2, "queens 99999999999999999999999999", &["whole number"]);
}

#[test]
fn limits_end_a_run_with_an_error_that_says_how_far_it_came() {
    let memory = "queens 14 --count-only --memory 1M";
    refused(1, memory, &["--memory allows, 1 MiB; stopped at row ", " of 14\nhint: allow more"]);
    let cells = "queens 14 --encoding cell --memory 1M";
    refused(1, cells, &["stopped at square ", " of 196", "--count-only"]);
    let time = "queens 14 --time-limit 0.01";
    refused(1, time, &["--time-limit allows, 0.01 s; stopped at row ", " of 14\n"]);
    refused(2, "queens 8 --threads 5000", &["--threads 5000", "at most 1024"]);
    refused(2, "queens 8 --memory 1X", &["unknown unit"]);
    assert_eq!(answer("queens 8 -q --memory 1G --time-limit 60 --threads 2"), "92\n");
}
