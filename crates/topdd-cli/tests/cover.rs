//! `topdd cover`.

use std::fs;

use serde_json::Value;

use crate::support::{answer, file, refused};

const STRIP: &str = "a1 b1 c1 d1 | x\na1 b1 x\nb1 c1\nc1 d1 x\na1\nd1 x\nc1 d1\n";

#[test]
fn answers_are_listed_as_json_and_read_again_from_files() {
    let strip = file("strip.txt", STRIP);
    // a1 b1 x, c1 d1; b1 c1 in the middle with d1 x.
    assert_eq!(answer(&format!("cover {strip} --quiet")), "2\n");
    let listed = answer(&format!("cover {strip} --list --quiet"));
    let mut lines: Vec<&str> = listed.lines().collect();
    lines.retain(|line| line.contains("x\""));
    assert_eq!(lines.len(), 2, "{listed}");
    let json: Value =
        serde_json::from_str(&answer(&format!("cover {strip} --list --json"))).unwrap();
    assert_eq!(json["problem"]["items"], 5);
    assert_eq!(json["problem"]["options"], 6);
    let solutions: Vec<String> =
        json["solutions"].as_array().unwrap().iter().map(ToString::to_string).collect();
    assert!(solutions.contains(&"[\"a1 b1 x\",\"c1 d1\"]".to_owned()), "{solutions:?}");
    let saved = file("strip.tdd", "");
    let svg = file("strip.svg", "");
    answer(&format!("cover {strip} --quiet --save {saved}"));
    let of_file = answer(&format!("list {saved}"));
    let of_run = answer(&format!("cover {strip} --list"));
    assert!(of_run.contains(of_file.trim_end()), "{of_run}{of_file}");
    assert!(of_file.contains("1 1 2 2") || of_file.contains("1 1 1 2"), "{of_file}");
    answer(&format!("cover {strip} --quiet --svg {svg} --limit 2"));
    assert!(fs::read_to_string(&svg).unwrap().starts_with("<svg"));
}

#[test]
fn items_that_are_no_squares_have_no_picture() {
    // Columns r and c would make a board with few of its squares.
    let rooks = file("rooks.txt", "r1 r2 c1 c2\nr1 c1\nr1 c2\nr2 c1\nr2 c2\n");
    assert_eq!(answer(&format!("cover {rooks} --quiet --limit 1")).lines().count(), 1);
    refused(
        2,
        &format!("cover {rooks} --svg a.svg"),
        &["not named as squares", "leave the option out"],
    );
    let strip = file("heat.txt", STRIP);
    refused(2, &format!("cover {strip} --svg a.svg --heat"), &["not for exact covers"]);
}

#[test]
fn failures_name_the_line_and_the_remedy() {
    for (text, message) in [
        ("", "line 1: there are no items; write them in the first line"),
        ("a b\na c\n", "line 2: there is no item `c`; add it to the line of items"),
        ("a b\nb b\n", "line 2: the item `b` occurs twice"),
        (
            "a | b\na b:red\n",
            "line 2: `b:red` has a colour, and colours are not supported; add a secondary item",
        ),
    ] {
        let wrong = file("wrong.txt", text);
        refused(1, &format!("cover {wrong}"), &["wrong.txt: ", message]);
    }
    refused(1, "cover missing.txt", &["cannot read missing.txt"]);
    let strip = file("other.txt", STRIP);
    refused(2, &format!("cover {strip} --save {strip}"), &["would overwrite the cover"]);
    refused(3, &format!("cover {strip} --nth 2"), &["no solution of rank 2"]);
}

#[test]
fn limits_and_checkpoints_hold() {
    // All matchings of a complete bipartite graph: the states are the subsets of one side.
    let items: Vec<String> = (0..18).flat_map(|n| [format!("p{n}"), format!("q{n}")]).collect();
    let options = (0..18).flat_map(|p| (0..18).map(move |q| format!("p{p} q{q}\n")));
    let text = format!("{}\n{}", items.join(" "), options.collect::<String>());
    let many = file("many.txt", &text);
    refused(1, &format!("cover {many} --quiet --memory-limit 1MiB"), &["--memory-limit allows"]);
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().display();
    let limits = format!("--count-only --memory-limit 8MB --checkpoint {folder}");
    assert_eq!(answer(&format!("cover {many} --quiet {limits}")), "6402373705728000\n");
}
