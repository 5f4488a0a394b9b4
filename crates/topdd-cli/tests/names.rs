//! Names in text and JSON, and the same names read back.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{answer, command, file, refused, topdd};

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// The answer to arguments, some of which may have blanks.
fn answer_with(words: &str, args: &[&str]) -> String {
    let output = command(words).args(args).output().expect("the command starts");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "topdd {words} {args:?}: {err}");
    String::from_utf8(output.stdout).expect("text")
}

/// The lines that `configure` prints for a script.
fn script(saved: &str, lines: &str) -> String {
    let mut run = command(&format!("configure {saved} --script"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    run.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it is read");
    String::from_utf8(run.wait_with_output().expect("the command ends").stdout).expect("text")
}

const LABELS: [&str; 14] = [
    "a",
    "a b",
    "a-b",
    "b-c",
    "c",
    "a->c",
    "x,y",
    "say \"hi\"",
    "back\\slash",
    "#2",
    "c#2",
    "x=1",
    "ü",
    "",
];

/// The graph in the JSON of networkx with these labels and pairs of them as edges.
fn graph(labels: &[&str], edges: &[(&str, &str)], is_directed: bool) -> String {
    let nodes: Vec<Value> = labels.iter().map(|label| json!({ "id": label })).collect();
    let edges: Vec<Value> =
        edges.iter().map(|(a, b)| json!({ "source": a, "target": b })).collect();
    json!({ "directed": is_directed, "nodes": nodes, "edges": edges }).to_string()
}

/// A graph with an edge between any two of the strange labels, one of them twice.
fn strange_graph(is_directed: bool) -> String {
    let pairs = (1..LABELS.len()).flat_map(|b| (0..b).map(move |a| (LABELS[a], LABELS[b])));
    let edges: Vec<_> = pairs.chain([("a", "b-c")]).collect();
    graph(&LABELS, &edges, is_directed)
}

/// The solutions in the text of a run, each a line.
fn lines(out: &str) -> Vec<String> {
    let of_solution = |line: &str| {
        let (head, rest) = line.split_once(": ")?;
        head.starts_with("solution ").then(|| rest.to_owned())
    };
    out.lines().filter_map(of_solution).collect()
}

#[test]
fn printed_edges_are_read_by_weights_and_scripts() {
    for is_directed in [false, true] {
        let path = file(&format!("strange-{is_directed}.json"), &strange_graph(is_directed));
        let saved = path.replace(".json", ".tdd");
        let one = "--degrees 0,1 --at-least 1 --at-most 1";
        // With a note about directions.
        let out = topdd(&format!("graph degrees {path} {one} --list --save {saved}")).out;
        let names = lines(&out);
        assert_eq!(names.len(), LABELS.len() * (LABELS.len() - 1) / 2 + 1);
        let distinct: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(distinct.len(), names.len());
        let mut saved_names: Vec<String> =
            answer(&format!("list {saved}")).lines().map(str::to_owned).collect();
        saved_names.sort_unstable();
        assert!(distinct.into_iter().eq(&saved_names));

        let weights: Vec<String> =
            names.iter().zip(1..).map(|(name, weight)| format!("{name} {weight}\n")).collect();
        let weights = file("strange-weights.txt", &weights.concat());
        let best = answer(&format!("best {saved} --weights {weights} 1000"));
        let expected: Vec<String> =
            names.iter().zip(1..).map(|(name, weight)| format!("{weight}: {name}")).collect();
        assert_eq!(best.lines().collect::<Vec<_>>(), expected);

        let commands: Vec<String> = names
            .iter()
            .map(|name| format!("choose {name} # it\nis {name} = 1\nfree {name}=1\n"))
            .collect();
        let replies = script(&saved, &commands.concat());
        for (name, reply) in names.iter().zip(replies.lines().collect::<Vec<_>>().chunks(3)) {
            assert!(reply[0].starts_with(&format!("{name} chosen: 1 of ")), "{reply:?}");
            assert_eq!(reply[1], "chosen");
            assert!(reply[2].starts_with(&format!("taken back: {name} chosen: ")), "{reply:?}");
        }
    }
}

#[test]
fn printed_vertices_are_read_by_options_weights_and_scripts() {
    let path = file("vertices.json", &strange_graph(false));
    let saved = path.replace(".json", ".tdd");
    let out =
        answer(&format!("graph cliques {path} --at-least 1 --at-most 1 --list --save {saved}"));
    let names = lines(&out);
    assert_eq!(names.len(), LABELS.len());
    let weights: Vec<String> =
        names.iter().zip(1..).map(|(name, weight)| format!("{name},{weight}\n")).collect();
    let weights = file("vertex-weights.txt", &weights.concat());
    let best = answer(&format!("best {saved} --weights {weights} 100 --json"));
    let best = parse(&best);
    for (place, name) in names.iter().enumerate() {
        let label = &best["best"][place]["solution"][0];
        assert!(LABELS.iter().any(|other| label == other), "{label}");
        // Each printed name and each label, alone and in a list, is the same vertex.
        let run = format!("graph independent-sets {path} --json --at-least 1");
        let label = label.as_str().expect("a label");
        for text in [name, label] {
            if text.is_empty() {
                continue;
            }
            let out = parse(&answer_with(&run, &["--through", text]));
            assert_eq!(out["solutions"], json!([[label]]), "{text}");
        }
        let list = format!("{name},c,\"ü\"");
        let out = parse(&answer_with(
            &format!("graph cliques {path} --json --at-most 3"),
            &["--through", &list],
        ));
        let mut expected: Vec<&str> =
            LABELS.into_iter().filter(|&other| [label, "c", "ü"].contains(&other)).collect();
        expected.dedup();
        assert_eq!(out["solutions"][0], json!(expected), "{list}");
        if !["c", "ü"].contains(&label) {
            let ends = format!("--from={name}");
            let out = parse(&answer_with(
                &format!("graph paths {path} --json --at-most 1"),
                &[&ends, "--to", "ü"],
            ));
            assert_eq!(out["solutions"][0]["vertices"], json!([label, "ü"]), "{name}");
        }
        let replies = script(&saved, &format!("choose {name}\n"));
        assert!(replies.starts_with(&format!("{name} chosen: 1 of ")), "{replies}");
    }
    let colours = path.replace(".json", "-colours.tdd");
    let pair = file("pair.json", &graph(&["x=1", "x"], &[("x=1", "x")], false));
    let out = answer(&format!("graph colourings {pair} -k 3 --list --save {colours}"));
    assert!(lines(&out).contains(&"\"x=1\"=0 x=1".to_owned()), "{out}");
    let replies = script(&colours, "choose x=1\nchoose \"x=1\"=2\n");
    assert!(replies.starts_with("x = 1: 2 of 6 left\n\"x=1\" = 2: 1 of 6 left\n"), "{replies}");
}

#[test]
fn edges_with_equal_letters_differ() {
    let labels = ["a", "b-c", "a-b", "c"];
    let path = file("equal.json", &graph(&labels, &[("a", "b-c"), ("a-b", "c")], false));
    let saved = path.replace(".json", ".tdd");
    let out = answer(&format!("graph matchings {path} --list --at-least 1 --save {saved}"));
    let mut listed = lines(&out);
    listed.sort_unstable();
    assert_eq!(listed, ["\"a-b\"-c", "a-\"b-c\"", "a-\"b-c\" \"a-b\"-c"]);
    let weights = file("equal.txt", "a-b-c 5\n");
    refused(1, &format!("best {saved} --weights {weights}"), &["several edges", "in quotes"]);
    let info = parse(&answer(&format!("info {saved} --json")));
    let mut names: Vec<&str> = info["metadata"]["variables"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["\"a-b\"-c", "a-\"b-c\""]);
    assert_eq!(info["metadata"]["topdd-record"]["graph"]["edges"], json!([[0, 1], [2, 3]]));
}

#[test]
fn json_has_ends_paths_blocks_and_colours_in_runs_and_in_files() {
    let line = file("line.txt", "a b 2\nb c 3\n");
    let triangle = file("triangle.txt", "a b\nb c\nc a\n");
    let parallel = file("parallel.txt", "b a\na b\n");
    let single = file("single.txt", "a b\nc\n");
    let labelled = file(
        "labelled.json",
        r#"{"nodes":[{"id":"a"},{"id":"b"}],"edges":[{"source":"a","target":"b","label":"A 1"}]}"#,
    );
    for (family, expected) in [
        (
            format!("paths {line} --from c --to a"),
            json!([{ "edges": [["a", "b"], ["b", "c"]], "numbers": [0, 1], "vertices": ["c", "b", "a"] }]),
        ),
        (
            format!("paths {line} --directed --from a --at-least 2"),
            json!([{ "edges": [["a", "b"], ["b", "c"]], "numbers": [0, 1], "vertices": ["a", "b", "c"] }]),
        ),
        (
            format!("cycles {triangle}"),
            json!([{ "edges": [["a", "b"], ["b", "c"], ["c", "a"]], "numbers": [0, 1, 2],
                "vertices": ["a", "b", "c", "a"] }]),
        ),
        (
            format!("trees {parallel} --merge-directions=no"),
            json!([
                { "edges": [["a", "b"]], "numbers": [1] },
                { "edges": [["b", "a"]], "numbers": [0] },
            ]),
        ),
        (
            format!("partitions {single} -k 2"),
            json!([{ "edges": [["a", "b"]], "numbers": [0], "blocks": [["a", "b"], ["c"]] }]),
        ),
        (
            format!("partitions {single} -k 3"),
            json!([{ "edges": [], "numbers": [], "blocks": [["a"], ["b"], ["c"]] }]),
        ),
        (
            format!("trees {labelled}"),
            json!([{ "edges": [["a", "b"]], "numbers": [0], "labels": ["A 1"] }]),
        ),
        (format!("cliques {line} --through b,c"), json!([["b", "c"]])),
        (
            format!("colourings {single} -k 2 --nth 1"),
            json!([{ "vertices": ["a", "b", "c"], "colours": [0, 1, 1] }]),
        ),
        (
            format!("matchings {line} --best 1 --max"),
            json!([{ "edges": [["b", "c"]], "numbers": [1] }]),
        ),
    ] {
        let saved = file("family.tdd", "");
        let out = parse(&answer(&format!("graph {family} --json --save {saved} --order given")));
        let shown = out["solutions"].as_array().expect("a list").len();
        let all = !family.contains("--nth") && !family.contains("--best");
        let out = if all {
            parse(&answer(&format!("graph {family} --json --list --order given")))
        } else {
            out
        };
        if all {
            assert!(shown <= 1);
            let listed = parse(&answer(&format!("list {saved} --json")));
            assert_eq!(listed["solutions"], expected, "{family}");
            let json = file("family.json", "");
            answer(&format!("convert {saved} {json}"));
            assert_eq!(parse(&answer(&format!("list {json} --json"))), listed, "{family}");
        }
        assert_eq!(out["solutions"], expected, "{family}");
        if family.contains("--best") {
            let best = parse(&answer(&format!("best {saved} --max --json")));
            assert_eq!(best["best"][0]["solution"], expected[0], "{family}");
        }
        if family.contains("--nth") {
            let nth = parse(&answer(&format!("list {saved} --from 1 --limit 1 --json")));
            assert_eq!(nth["solutions"], expected, "{family}");
        }
    }
}

#[test]
fn files_of_other_versions_are_read_without_their_record() {
    use topdd::format::Metadata;
    let saved = file("older.tdd", "");
    for (key, value) in [("topdd-command", "graph matchings map.txt"), ("topdd-record", "{\"a\":")]
    {
        let mut metadata = Metadata::new();
        metadata.set(key, value);
        metadata.set_variable_names(["a-b", "New York-L.A."]);
        topdd::Zdd::full([2, 2]).expect("a diagram").save_with(&saved, &metadata).expect("saved");
        let run = crate::support::topdd(&format!("list {saved} --from 3"));
        assert_eq!((run.code, run.out.as_str()), (0, "1 1\n"));
        assert!(run.err.contains("is of another version of topdd, or damaged"), "{run:?}");
        assert_eq!(run.err.matches("note:").count(), 1, "{run:?}");
    }
}

#[test]
fn values_with_names_are_shown_and_read_by_them() {
    use topdd::format::Metadata;
    let saved = file("shifts.tdd", "");
    let mut metadata = Metadata::new();
    metadata.set("topdd-record", r#"{"order":[1,0]}"#);
    metadata.set_variable_names(["tue", "mon"]);
    metadata.set_value_names([vec!["off", "early"], vec!["early", "a = b", "off"]]);
    topdd::Zdd::full([2, 3]).expect("a diagram").save_with(&saved, &metadata).expect("saved");
    let list = answer(&format!("list {saved} --limit 2"));
    assert_eq!(list, "mon=early tue=off\nmon=\"a = b\" tue=off\n");
    let selected = answer(&format!("list {saved} --with mon=off,tue=early --json"));
    assert_eq!(parse(&selected)["solutions"][0], json!(["mon=off", "tue=early"]));
    assert_eq!(answer(&format!("list {saved} --values --limit 1")), "0 0\n");
    let count = answer(&format!("count {saved} --element-counts"));
    assert!(count.contains("mon=\"a = b\": 2\n") && count.contains("tue=early: 3\n"), "{count}");
    let lines = script(&saved, "choose mon=\"a = b\"\nwhy mon=early\n");
    assert!(lines.contains("mon cannot be early, because of: mon = \"a = b\""), "{lines}");
    refused(2, &format!("list {saved} --with mon=late"), &["mon has no value `late`"]);
    // Names that do not fit leave numbers.
    metadata.set_value_names([vec!["off", "early"], vec!["early", "early", "off"]]);
    topdd::Zdd::full([2, 3]).expect("a diagram").save_with(&saved, &metadata).expect("saved");
    let selected = answer(&format!("list {saved} --with mon=2,tue=1"));
    assert_eq!(selected, "mon=2 tue\n");
}

#[test]
fn conversion_keeps_names_or_says_that_it_does_not() {
    let path = file("kept.txt", "a b\nb c\n");
    let saved = path.replace(".txt", ".tdd");
    answer(&format!("graph trees {path} --quiet --save {saved}"));
    let json = saved.replace(".tdd", ".json");
    answer(&format!("convert {saved} {json}"));
    let document = parse(&fs::read_to_string(&json).expect("the file"));
    assert_eq!(document["metadata"]["variables"].as_array().map(Vec::len), Some(2));
    let again = path.replace(".txt", "-again.tdd");
    answer(&format!("convert {json} {again}"));
    assert!(fs::read(&again).expect("the file") == fs::read(&saved).expect("the file"));
    for ending in ["sapporo", "libbdd"] {
        let run = crate::support::topdd(&format!("convert {saved} {saved}.{ending}"));
        assert!(run.code == 0 && run.err.contains("has no names of variables"), "{run:?}");
    }
}
