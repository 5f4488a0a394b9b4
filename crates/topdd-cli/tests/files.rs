//! The commands on saved diagrams.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{answer, case, command, refused, topdd};

/// A folder that no other test uses, with the 6-queens in `q6.tdd`.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("files").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    assert_eq!(answer(&format!("queens 6 --quiet --save {}/q6.tdd", folder.display())), "4\n");
    folder
}

/// The samples of seed 7.
const SEED_7: &str = "4 2 0 5 3 1\n3 0 4 1 5 2\n4 2 0 5 3 1\n2 5 1 4 0 3\n2 5 1 4 0 3\n";

/// The four solutions, as columns from row to row.
const ALL: &str = "1 3 5 0 2 4\n2 5 1 4 0 3\n3 0 4 1 5 2\n4 2 0 5 3 1\n";

#[test]
fn a_saved_diagram_is_described_and_counted() {
    let folder = folder("described");
    let q6 = folder.join("q6.tdd");
    let q6 = q6.display();
    assert_eq!(answer(&format!("count {q6}")), "4\n");
    assert_eq!(answer(&format!("count {q6} --json")), "{\"count\":\"4\"}\n");
    let info = answer(&format!("info {q6}"));
    for line in
        ["rule       ZDD", "variables  6, of 6 values each\n", "solutions  4\n", "nodes      "]
    {
        assert!(info.contains(line), "{info}");
    }
    let info: serde_json::Value =
        serde_json::from_str(&answer(&format!("info {q6} --json"))).expect("JSON");
    assert_eq!(info["count"], "4");
    assert_eq!(info["variables"], 6);
    assert_eq!(info["arities"]["most"], 6);
    assert_eq!(info["rule"], "zero-suppressed");
    assert_eq!(info["bytes"], fs::metadata(folder.join("q6.tdd")).expect("the file").len());
}

#[test]
fn solutions_are_listed_from_any_rank() {
    let folder = folder("listed");
    let list = |flags: &str| answer(&format!("list {}/q6.tdd --values {flags}", folder.display()));
    assert_eq!(list(""), ALL);
    assert_eq!(list("--limit 1"), "1 3 5 0 2 4\n");
    assert_eq!(list("--from 2"), "3 0 4 1 5 2\n4 2 0 5 3 1\n");
    assert_eq!(list("--from 1 --limit 1"), "2 5 1 4 0 3\n");
    assert_eq!(list("--limit 0"), "");
    assert_eq!(
        list("--from 2 --limit 1 --json"),
        "{\"from\":\"2\",\"solutions\":[[3,0,4,1,5,2]]}\n"
    );
    assert_eq!(list("--limit 0 --json"), "{\"from\":\"0\",\"solutions\":[]}\n");
    let file = format!("{}/q6.tdd", folder.display());
    refused(3, &format!("list {file} --from 4"), &["rank 4", "it has 4"]);
    let large = format!("list {file} --from 1000000000000000000000000000000000000000000");
    refused(3, &large, &["rank 1000000000000000000000000000000000000000000"]);
    refused(2, &format!("list {file} --from x"), &["whole number"]);
}

/// The lines with squares and the boards of an answer, without the lines about the run.
fn boards(out: &str) -> String {
    let from = out.find("solution 0:").expect("a first solution");
    out[from..].to_owned()
}

#[test]
fn a_file_is_listed_as_boards_as_its_problem_is() {
    let folder = folder("boards");
    let file = folder.join("a.tdd").display().to_string();
    for args in [
        "queens 6",
        "queens 6 --superqueens --given a5",
        "queens 5 --encoding cell --forbid a1,b2",
        "queens 5 --engine apply",
        "queens 3x5 --toroidal",
        "queens 4 --exactly 2 --maximal",
        "queens 4 --any",
        "queens 8 --symmetric",
        "queens 5 --superqueens --toroidal --exactly 1",
        "queens 5 --colouring",
        "place kings 4 --most",
        "place bishops 3 --maximal --given a1",
        "place rooks 4 --symmetric=90",
        "place superqueens 4x5 --exactly 2 --forbid c3 --toroidal",
        "knights 5x6",
        "knights 3x4 --open --encoding edge --from a1",
        "knights 3x4 --open --encoding time",
        "knights 3x4 --open --engine apply",
        "knights 5x6 --directed",
        "knights 6x6 --symmetric=half-turn",
        "knights 3x3 --missing b2",
        "knights 4x4 --piece king --missing a1 --open --from b1 --to d4",
    ] {
        let run = answer(&format!("{args} --list --save {file}"));
        let listed = answer(&format!("list {file}"));
        if run.contains("\n0 solutions\n") {
            assert_eq!(listed, "", "{args}");
            continue;
        }
        assert_eq!(listed, boards(&run), "{args}");
        let ascii = answer(&format!("{args} --list --ascii"));
        assert_eq!(answer(&format!("list {file} --ascii")), boards(&ascii), "{args}");
        let json: serde_json::Value =
            serde_json::from_str(&answer(&format!("{args} --list --json"))).expect("JSON");
        let of_file: serde_json::Value =
            serde_json::from_str(&answer(&format!("list {file} --json"))).expect("JSON");
        assert_eq!(of_file["solutions"], json["solutions"], "{args}");
        // The record has the problem as data.
        let info: serde_json::Value =
            serde_json::from_str(&answer(&format!("info {file} --json"))).expect("JSON");
        let subject = &info["metadata"]["topdd-record"]["subject"];
        let problem = ["queens", "pieces", "tours"]
            [usize::from(args.starts_with("place")) + 2 * usize::from(args.starts_with("knights"))];
        assert_eq!(subject["problem"], problem, "{args}: {info}");
    }
}

#[test]
fn info_shows_the_problem_and_names() {
    let folder = folder("metadata");
    let q6 = folder.join("q6.tdd").display().to_string();
    let info = answer(&format!("info {q6}"));
    assert!(info.contains("\nproblem    queens on 6x6, by row\n"), "{info}");
    assert!(info.contains("\nnames      row 1, row 2, row 3"), "{info}");
    assert!(info.contains("\nvalues     of variable 0: a1, b1, c1, d1, e1, f1\n"), "{info}");
    let json: serde_json::Value =
        serde_json::from_str(&answer(&format!("info {q6} --json"))).expect("JSON");
    assert_eq!(json["metadata"]["problem"], "queens on 6x6, by row");
    let values = &json["metadata"]["values"];
    assert!(values[0][0] == "a1" && values[5][3] == "d6", "{values}");
    assert_eq!(json["metadata"]["variables"][1], "row 2");
    let rooks = folder.join("rooks.tdd").display().to_string();
    answer(&format!("place rooks 2 --symmetric --quiet --save {rooks}"));
    let info = answer(&format!("info {rooks}"));
    assert!(info.contains("\nnames      a1 and b2, b1 and a2\n"), "{info}");
    assert!(info.contains("\nvalues     of variable 0: empty, a1 and b2\n"), "{info}");
    // Of other variables, the problem alone is kept.
    answer(&format!("convert {q6} {rooks} --encode one-hot"));
    let info = answer(&format!("info {rooks}"));
    assert!(info.contains("\nproblem ") && !info.contains("\nnames "), "{info}");
}

/// Metadata of another program, which does not fit the diagram.
#[test]
fn foreign_metadata_draws_no_board_and_does_no_harm() {
    use topdd::format::Metadata;
    let folder = folder("foreign");
    let zdd = topdd::Zdd::load(folder.join("q6.tdd")).expect("a diagram");
    let file = folder.join("foreign.tdd");
    let with = |record: &str| {
        let mut metadata = Metadata::new();
        metadata.set_problem("a \u{1b}[31mred\nproblem");
        metadata.set("topdd-record", record);
        metadata.set("values", "left or right");
        zdd.save_with(&file, &metadata).expect("saved");
    };
    let path = file.display().to_string();
    let queens = |size: &str, more: &str| {
        format!(
            r#"{{"subject":{{"problem":"queens",{size},"given":[],"forbidden":[],"toroidal":false,"maximal":false,"symmetric":null,"super":false,"number":6,{more}}}}}"#
        )
    };
    let kings = |size: &str, number: &str| {
        format!(
            r#"{{"subject":{{"problem":"pieces","piece":"kings",{size},"given":[],"forbidden":[],"toroidal":false,"maximal":false,"symmetric":null,"number":{number}}}}}"#
        )
    };
    let tours = |size: &str, more: &str| {
        format!(
            r#"{{"subject":{{"problem":"tours",{size},"directed":false,"from":null,"to":null,{more}}}}}"#
        )
    };
    let open = r#""missing":[],"open":true,"symmetric":null"#;
    for record in [
        String::new(),
        "{}".to_owned(),
        "[]".to_owned(),
        r#"{"order":[0,1,2,3,4,9]}"#.to_owned(),
        r#"{"order":[0,0,0,0,0,0]}"#.to_owned(),
        queens(r#""rows":8,"cols":8"#, r#""encoding":"row""#),
        queens(r#""rows":6,"cols":7"#, r#""encoding":"row""#),
        queens(r#""rows":6,"cols":6"#, r#""encoding":"cell""#),
        queens(r#""rows":99999999999,"cols":99999999999"#, r#""encoding":"row""#),
        queens(r#""rows":6,"cols":4000000000"#, r#""encoding":"row""#),
        queens(r#""rows":6,"cols":6"#, r#""encoding":"colour""#),
        queens(r#""rows":-6,"cols":6"#, r#""encoding":"row""#),
        kings(r#""rows":100,"cols":100"#, "null"),
        kings(r#""rows":2,"cols":3"#, "null"),
        tours(r#""rows":6,"cols":6"#, &format!(r#""piece":"knight",{open},"encoding":"square""#)),
        tours(r#""rows":2,"cols":3"#, &format!(r#""piece":"knight",{open},"encoding":"edge""#)),
        tours(r#""rows":6,"cols":1"#, &format!(r#""piece":"0,1",{open},"encoding":"square""#)),
        tours(r#""rows":7,"cols":1"#, &format!(r#""piece":"0,1",{open},"encoding":"edge""#)),
        tours(
            r#""rows":5000,"cols":5000"#,
            &format!(r#""piece":"knight",{open},"encoding":"time""#),
        ),
    ] {
        with(&record);
        let run = crate::support::topdd(&format!("list {path}"));
        assert_eq!(run.code, 0, "{record}: {run:?}");
        // Where the number of variables happens to be right, solutions are none of the problem.
        let lines = run.out.lines().filter(|line| !line.is_empty());
        let values: Vec<&str> =
            lines.map(|line| line.rsplit("values ").next().expect("a line")).collect();
        let is_board = record.contains("\"rows\":2,\"cols\":3") && record.contains("kings");
        assert!(values == ALL.lines().collect::<Vec<_>>() || is_board, "{record}: {run:?}");
        let left = topdd_with(&["configure", &path], "left\n");
        assert!(left.contains("4\n"), "{record}: {left}");
    }
    let info = answer(&format!("info {path}"));
    assert!(!info.contains('\u{1b}') && info.contains("a \\u{1b}[31mred\\nproblem"), "{info}");
    with(&queens(r#""rows":6,"cols":6"#, r#""encoding":"row""#));
    assert!(answer(&format!("list {path}")).contains("solution 0: b1 d2 f3"));
}

/// The output of the command with this input.
fn topdd_with(args: &[&str], input: &str) -> String {
    let mut file = tempfile::tempfile().expect("a file");
    std::io::Write::write_all(&mut file, input.as_bytes()).expect("written");
    std::io::Seek::rewind(&mut file).expect("a file has a start");
    let output = command(&args.join(" ")).stdin(file).output().expect("the command starts");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_saved_board_is_configured_as_its_problem_is() {
    let folder = folder("configured");
    let file = folder.join("a.tdd").display().to_string();
    let moves = "choose a1\nwhy b1\nshow\nsample\n";
    for args in ["queens 6", "queens 8 --symmetric", "place kings 4 --exactly 3"] {
        answer(&format!("{args} --quiet --save {file}"));
        let run = topdd_with(&["configure", args, "--seed", "1"], moves);
        let of_file = topdd_with(&["configure", &file, "--seed", "1"], moves);
        // But for the title.
        let title = |text: &str| text.lines().position(|line| line.contains("solutions left"));
        let rest = |text: &str| {
            let at = title(text).expect("what is left");
            let lines = text.lines().enumerate().filter(|(place, _)| *place + 1 != at);
            lines.map(|(_, line)| line.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(rest(&of_file), rest(&run), "{args}");
    }
}

#[test]
fn samples_are_the_same_for_the_same_seed() {
    let folder = folder("sampled");
    let sample =
        |flags: &str| answer(&format!("sample {}/q6.tdd --values {flags}", folder.display()));
    let drawn = sample("5 --seed 7");
    assert_eq!(drawn.lines().count(), 5);
    assert!(drawn.lines().all(|line| ALL.contains(line)));
    // The samples of seed 7 are the same on every machine.
    assert_eq!(drawn, SEED_7);
    assert_eq!(sample("4 --distinct"), ALL);
    assert_eq!(sample("").lines().count(), 1);
    assert_eq!(sample("0"), "");
    let json = sample("1 --seed 7 --json");
    assert!(json.starts_with("{\"seed\":7,\"solutions\":[["), "{json}");
    let file = format!("{}/q6.tdd", folder.display());
    refused(3, &format!("sample {file} 5 --distinct"), &["5 different", "it has 4"]);
    let large = format!("sample {file} --seed 9007199254740992");
    refused(2, &large, &["write a number below 9007199254740992", "JSON keeps exactly"]);
    assert_eq!(sample("1 --seed 9007199254740991").lines().count(), 1);
}

#[test]
fn the_best_come_first() {
    let folder = folder("best");
    let weights = folder.join("w.txt");
    fs::write(&weights, "variable,value,weight\n0,1,10 # the first row\n0,4,-3\n5 4 1\n")
        .expect("written");
    let best = |flags: &str| {
        let (file, weights) = (folder.join("q6.tdd"), weights.display());
        answer(&format!("best {} --values --weights {weights} {flags}", file.display()))
    };
    assert_eq!(best(""), "-3: 4 2 0 5 3 1\n");
    assert_eq!(best("9"), "-3: 4 2 0 5 3 1\n0: 2 5 1 4 0 3\n0: 3 0 4 1 5 2\n11: 1 3 5 0 2 4\n");
    assert_eq!(best("--max"), "11: 1 3 5 0 2 4\n");
    assert_eq!(
        best("--max --json"),
        "{\"goal\":\"maximum\",\"best\":[{\"solution\":[1,3,5,0,2,4],\"weight\":\"11\"}]}\n"
    );
    let of_json = folder.join("w.json");
    let rows = format!(
        "[{}]",
        ["[0,10,0,0,-3,0]", &["[0,0,0,0,0,0]"; 4].join(","), "[0,0,0,0,1,0]"].join(",")
    );
    fs::write(&of_json, rows).expect("written");
    let file = format!("{}/q6.tdd", folder.display());
    let by_json = answer(&format!("best {file} --values 9 --weights {}", of_json.display()));
    assert_eq!(by_json, best("9"));

    fs::write(&weights, "0 1 1\n0 6 1\n").expect("written");
    let flags = format!("best {file} --weights {}", weights.display());
    refused(1, &flags, &["w.txt, line 2", "0 to 5"]);
    let missing = ["cannot read missing.txt", "hint: such a file has a line for each value"];
    refused(1, &format!("best {file} --weights missing.txt"), &missing);
    refused(2, &format!("best {file}"), &["--weights"]);
}

#[test]
fn families_of_a_graph_are_combined() {
    let folder = folder("combined");
    let place = |name: &str| folder.join(name).display().to_string();
    // A square with a diagonal.
    fs::write(place("g.txt"), "a b 1\nb c 2\nc d 3\nd a 4\na c 5\n").expect("written");
    let (g, trees, paths) = (place("g.txt"), place("trees.tdd"), place("paths.tdd"));
    answer(&format!("graph spanning-trees {g} --quiet --save {trees}"));
    answer(&format!("graph paths {g} --from b --quiet --order given --save {paths}"));
    let run = topdd(&format!("combine {trees} and {paths} --save {} --list", place("both.tdd")));
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(
        run.err,
        "note: the files are of different problems; the result keeps the graph and the names\n"
    );
    // The paths through all vertices.
    let mut lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.remove(0), "4");
    lines.sort_unstable();
    assert_eq!(lines, ["a-b c-d a-c", "a-b c-d d-a", "b-c c-d d-a", "b-c d-a a-c"]);
    // The result has the graph: its names and weights.
    let both = place("both.tdd");
    assert_eq!(answer(&format!("best {both}")), "8: a-b c-d d-a\n");
    let json = answer(&format!("best {both} --json"));
    assert!(json.contains("{\"edges\":[["), "{json}");
    let info = answer(&format!("info {both}"));
    assert!(
        info.contains("\nproblem    (spanning trees of ") && !info.contains("\ncommand "),
        "{info}"
    );
    assert_eq!(
        answer(&format!("combine {both} difference {both} --json")),
        "{\"count\":\"0\",\"nodes\":0}\n"
    );
    let first = answer(&format!("combine {both} or {both} --limit 1 --json"));
    let first: serde_json::Value = serde_json::from_str(&first).expect("JSON");
    assert_eq!(
        (first["count"].as_str(), first["solutions"].as_array().map(Vec::len)),
        (Some("4"), Some(1))
    );

    // Files of the same problem keep it.
    let q6 = place("q6.tdd");
    assert!(answer(&format!("combine {q6} or {q6} --limit 1")).starts_with("4\nsolution 0: b1 d2"));
    let piped =
        command(&format!("combine {q6} xor {q6} --save -")).output().expect("the command starts");
    assert!(piped.stdout.starts_with(b"\x89topdd"), "{piped:?}");

    refused(
        1,
        &format!("combine {q6} and {trees}"),
        &["\"row 1\" is a variable of", "q6.tdd only", "has 6 values", "hint: "],
    );
    refused(2, "combine - and -", &["standard input"]);
    refused(2, &format!("combine {q6} and {q6} --save a.json"), &["convert"]);
    refused(2, &format!("combine {q6} and {q6} --save - --json"), &["both"]);
    refused(2, &format!("combine {q6} minus {q6}"), &["and, or, difference, xor"]);
    refused(1, &format!("combine {q6} and missing.tdd"), &["cannot read missing.tdd"]);
}

#[test]
fn solutions_are_selected() {
    let folder = folder("selected");
    let place = |name: &str| folder.join(name).display().to_string();
    let (q6, g, saved) = (place("q6.tdd"), place("g.txt"), place("g.tdd"));
    // Boards by their squares, variables by their numbers.
    assert_eq!(answer(&format!("count {q6} --with b1")), "1\n");
    assert_eq!(answer(&format!("count {q6} --without b1,c1")), "2\n");
    assert_eq!(answer(&format!("list {q6} --values --with 0=1")), "1 3 5 0 2 4\n");
    let usage = answer(&format!("count {q6} --element-counts"));
    assert!(usage.starts_with("4\na1: 0\nb1: 1\n") && usage.lines().count() == 37, "{usage}");
    refused(2, &format!("count {q6} --with a9"), &["--with: ", "a9 is not on the 6x6 board"]);
    refused(2, &format!("count {q6} --maximal"), &["--maximal is for sets", "--encode one-hot"]);
    refused(2, &format!("count {q6} -p 0.5"), &["-p is for sets"]);
    refused(2, &format!("count {q6} --cost-at-most 5"), &["with --weights"]);
    refused(2, &format!("count {q6} --maximal --minimal"), &["cannot be used with"]);

    // A square with a diagonal.
    fs::write(place("g.txt"), "a b 1\nb c 2\nc d 3\nd a 4\na c 5\n").expect("written");
    answer(&format!("graph matchings {g} --quiet --save {saved}"));
    let count = |options: &str| answer(&format!("count {saved} {options}"));
    assert_eq!(count(""), "8\n");
    assert_eq!(count("--with a-b --count-by-size"), "2\n1 edge: 1\n2 edges: 1\n");
    assert_eq!(count("--maximal --element-counts"), "3\na-b: 1\nb-c: 1\nc-d: 1\nd-a: 1\na-c: 1\n");
    assert_eq!(count("--minimal"), "1\n");
    assert_eq!(count("--cost-at-least 4 --cost-at-most 5"), "3\n");
    // 1/32 for each of the 8 matchings.
    assert_eq!(count("-p 0.5"), "8\nprobability 0.250000000000\n");
    let json: serde_json::Value =
        serde_json::from_str(&count("--maximal --element-counts --count-by-size -p 0.5 --json"))
            .expect("JSON");
    assert_eq!(json["counts_by_size"], serde_json::json!(["0", "1", "2"]));
    assert_eq!(json["usage"][4], serde_json::json!({ "name": "a-c", "count": "1" }));
    assert_eq!((&json["count"], &json["probability"]), (&"3".into(), &0.09375.into()));
    assert_eq!(answer(&format!("list {saved} --without a-b,a-c --cost-at-least 5")), "b-c d-a\n");
    assert_eq!(
        answer(&format!("best {saved} --cost-at-least 2 --maximal 2")),
        "4: a-b c-d\n5: a-c\n"
    );
    assert_eq!(answer(&format!("sample {saved} --with a-c")), "a-c\n");
    fs::write(place("w.txt"), "a-b 1\nb-c 1\nc-d 1\nd-a 1\na-c 0\n").expect("written");
    let cheap =
        answer(&format!("list {saved} --maximal --weights {} --cost-at-most 0", place("w.txt")));
    assert_eq!(cheap, "a-c\n");
    let others = "b-c 1\nd-a 1\na-c 1\n";
    fs::write(place("w.txt"), format!("a-b 0.1\nc-d 0.25\n{others}")).expect("written");
    let decimal = format!("list {saved} --with a-b --weights {}", place("w.txt"));
    assert_eq!(answer(&format!("{decimal} --cost-at-least 0.35")), "a-b c-d\n");
    assert_eq!(answer(&format!("{decimal} --cost-at-most 0.349")), "a-b\n");
    // The sum has more than 64 bits.
    let weights = format!("a-b 9000000000000000000\nc-d 9000000000000000000\n{others}");
    fs::write(place("w.txt"), weights).expect("written");
    let large = format!("--with a-b --weights {}", place("w.txt"));
    assert_eq!(answer(&format!("count {saved} {large} --cost-at-least 9")), "2\n");
    assert_eq!(answer(&format!("count {saved} {large} --cost-at-most 9000000000000000000")), "1\n");
    for command in ["count", "list", "sample"] {
        let unused = format!("{command} {saved} --maximal --weights {}", place("w.txt"));
        refused(2, &unused, &["--weights is for", "--cost-at-most", "topdd best"]);
    }
    refused(
        2,
        &format!("count {saved} --with a-x"),
        &["--with: there is no edge a-x in ", "; it has 5 edges: "],
    );
    refused(
        2,
        &format!("count {saved} --cost-at-least 5 --cost-at-most 4"),
        &["--cost-at-least is above"],
    );
    refused(3, &format!("sample {saved} --with a-b,a-c"), &["no solution in ", " is selected"]);
    refused(3, &format!("list {saved} --maximal --from 3"), &["rank 3 in ", ": 3 are selected; "]);
    let distinct = format!("sample {saved} 2 --distinct --with a-c");
    refused(3, &distinct, &["no 2 different solutions in ", ": 1 is selected\n"]);
}

#[test]
fn importance_is_a_table_of_elements() {
    let folder = folder("importance");
    let place = |name: &str| folder.join(name).display().to_string();
    let (g, saved) = (place("g.txt"), place("g.tdd"));
    // A link, and two parallel ones behind it.
    fs::write(place("g.txt"), "a b 0.5\nb c 0.25\nb c 1\n").expect("written");
    answer(&format!("graph connected {g} --quiet --save {saved}"));
    let count = |options: &str| answer(&format!("count {saved} {options}"));
    let zeros = "0.000000000000";
    assert_eq!(
        count("--importance"),
        "3\n\
         element  marginal        banzhaf         shapley\n\
         a-b      1.000000000000  0.750000000000  0.666666666667\n\
         b-c      0.666666666667  0.250000000000  0.166666666667\n\
         b-c#2    0.666666666667  0.250000000000  0.166666666667\n"
    );
    let with_p = count("--importance -p weights");
    assert!(with_p.starts_with("3\nprobability 0.500000000000\nelement  marginal"), "{with_p}");
    let lines: Vec<Vec<&str>> =
        with_p.lines().skip(3).map(|line| line.split_whitespace().collect()).collect();
    let birnbaum: Vec<&str> = lines.iter().map(|line| line[2]).collect();
    assert_eq!(birnbaum, ["1.000000000000", zeros, "0.375000000000"]);
    let json: serde_json::Value =
        serde_json::from_str(&count("--importance -p 0.5 --with a-b --json")).expect("JSON");
    let link = serde_json::json!({
        "name": "a-b", "marginal": 1.0, "birnbaum": 0.75, "banzhaf": "3/4", "shapley": "2/3",
    });
    assert_eq!(json["importance"][0], link);

    // Shapley values of many variables take memory unasked.
    let star: Vec<String> = (0..2200).map(|leaf| format!("hub l{leaf}")).collect();
    fs::write(place("star.txt"), star.join("\n")).expect("written");
    answer(&format!("graph edge-sets {} --quiet --save {saved}.star", place("star.txt")));
    let run = topdd(&format!("count {saved}.star --importance"));
    assert!(run.err.contains("Shapley values are left out"), "{}", run.err);
    assert!(run.out.ends_with("hub-l2199  0.500000000000  0.000000000000\n"), "{}", run.out);

    let reliability = |options: &str| answer(&format!("graph reliability {g} {options}"));
    let text = reliability("-p weights --importance");
    assert!(
        text.ends_with(&format!(
            "element  birnbaum\na-b      1.000000000000\nb-c      {zeros}\nb-c#2    0.375000000000\n"
        )),
        "{text}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&reliability("-p 0.5 --importance --json")).expect("JSON");
    assert_eq!(json["importance"][1], serde_json::json!({ "name": "b-c", "birnbaum": 0.25 }));
    let json: serde_json::Value =
        serde_json::from_str(&reliability("-p 0.5 --json")).expect("JSON");
    assert!(json["importance"].is_null());
    let vertices = format!("graph reliability {g} -p 0.5 --vertex-p 0.5 --importance");
    refused(2, &vertices, &["--vertex-p", "--importance"]);

    let q6 = place("q6.tdd");
    refused(2, &format!("count {q6} --importance"), &["--importance is for sets"]);
    let none = format!("count {saved} --without a-b --importance");
    refused(3, &none, &["--importance: ", "no solution is selected"]);
    let never = format!("count {saved} -p 0 --importance");
    refused(3, &never, &["no solution has a probability above 0"]);
}

#[test]
fn weights_that_are_not_known_are_not_taken_as_ones() {
    let folder = folder("lost-weights");
    let place = |name: &str| folder.join(name).display().to_string();
    let [m, graph] = ["m.tdd", "g.txt"].map(place);
    let save = |text: &str, family: &str, name: &str| {
        fs::write(&graph, text).expect("written");
        topdd(&format!("graph {family} {graph} --quiet --save {}", place(name)))
    };
    save("a b 1\nb c 20\nc d 300\n", "matchings", "m.tdd");
    save("a b 1\nb c 20\nc d 301\n", "forests", "other.tdd");
    save("a b 1\nb c 20\nc d 300\n", "forests", "same.tdd");
    save("a b\nb c\nc d\n", "forests", "none.tdd");
    save("a b\nb c\nc d\n", "matchings", "ones.tdd");
    let both = place("both.tdd");
    let combine = |left: &str, right: &str| {
        topdd(&format!("combine {left} and {} --save {both}", place(right))).err
    };
    assert!(!combine(&m, "same.tdd").contains("weights"));
    assert_eq!(answer(&format!("best {both} --max")), "301: a-b c-d\n");
    for other in ["other.tdd", "none.tdd"] {
        let note = combine(&m, other);
        let words = format!("the weights of {m} and {} differ", place(other));
        assert!(note.contains(&words) && note.contains("--weights FILE"), "{note}");
        let differ = ["both.tdd has no weights: ", "combined differ; give --weights FILE"];
        refused(2, &format!("best {both}"), &differ);
        refused(2, &format!("count {both} --cost-at-most 2"), &differ);
        assert_eq!(answer(&format!("count {both}")), "5\n");
    }
    assert!(!combine(&place("ones.tdd"), "none.tdd").contains("weights"));
    assert_eq!(answer(&format!("best {both} --max")), "2: a-b c-d\n");

    let saved = place("unusable.tdd");
    fs::write(&graph, "a b 0.1234567890123456\nb c nan\n").expect("written");
    let note = topdd(&format!("graph matchings {graph} --save {saved}")).err;
    assert!(note.contains("note: the weights are not saved: ") && note.contains("g.txt, line "));
    refused(2, &format!("best {saved}"), &["cannot be used; give --weights FILE"]);
}

#[test]
fn diagrams_are_converted() {
    let folder = folder("converted");
    let q6 = folder.join("q6.tdd");
    let convert = |from: &str, to: &str| {
        let [from, to] = [from, to].map(|name| folder.join(name).display().to_string());
        assert_eq!(answer(&format!("convert {from} {to}")), "");
        fs::read(to).expect("the file")
    };
    let starts = |bytes: Vec<u8>, text: &str| {
        assert!(bytes.starts_with(text.as_bytes()), "{}", String::from_utf8_lossy(&bytes));
    };
    starts(convert("q6.tdd", "q6.dot"), "digraph Zdd {");
    starts(convert("q6.tdd", "q6.SVG"), "<svg ");
    starts(convert("q6.tdd", "q6.csv"), "variable,arity,nodes\n0,6,1\n1,6,");
    starts(convert("q6.tdd", "q6.json"), "{\n\"format\": \"topdd\"");
    // Its own format and JSON keep the metadata.
    assert_eq!(convert("q6.tdd", "same.tdd"), fs::read(&q6).expect("the file"));
    convert("q6.json", "again.tdd");
    assert_eq!(convert("again.tdd", "again.json"), fs::read(folder.join("q6.json")).unwrap());
    assert_eq!(convert("q6.json", "again.tdd"), fs::read(&q6).expect("the file"));
    assert_eq!(answer(&format!("list {}/q6.json --values", folder.display())), ALL);
    let (q6, out) = (q6.display(), folder.join("out"));
    let out = out.display();
    let json = answer(&format!("convert {q6} {out} --to dot --json"));
    assert!(json.contains("\"format\":\"dot\""), "{json}");

    refused(
        2,
        &format!("count {}/q6.dot", folder.display()),
        &["dot is written, but not read", "`topdd graph` reads graphs"],
    );
    refused(2, &format!("convert {q6} {out}.png"), &["out.png", "tdd, json, dot", "--to"]);
    refused(2, &format!("convert {q6} {out} --to png"), &["--to png", "tdd, json, dot"]);
    refused(1, &format!("convert {q6} {out}.svg --max-nodes 3"), &["--max-nodes", ".csv"]);
    assert!(!folder.join("out.svg").exists());
    refused(1, &format!("convert {q6} {out}/a.dot"), &["cannot write"]);
    let missing = format!("convert {q6} {}/missing/a.dot", folder.display());
    refused(1, &missing, &["cannot write", "hint: create the directory"]);
}

/// There and back through the formats of other packages, whose variables have two values.
#[test]
fn two_valued_formats_are_written_and_read() {
    let folder = folder("two-valued");
    let q6 = folder.join("q6.tdd");
    let q6 = q6.display();
    let place = |name: &str| folder.join(name).display().to_string();
    for (code, num_vars) in [("one-hot", 36), ("order", 30), ("binary", 18)] {
        let json = answer(&format!("convert {q6} {} --encode {code} --json", place("two.tdd")));
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(json["variables"].as_array().map(Vec::len), Some(num_vars), "{json}");
        let listed = answer(&format!("list {}", place("two.tdd")));
        for (ending, flags) in [
            ("sapporo", "--rule zdd"),
            ("graphillion", ""),
            ("dddmp", "--rule zdd"),
            ("libbdd", ""),
        ] {
            let (two, other) = (place("two.tdd"), place(&format!("two.{ending}")));
            let as_zdd = if ending == "dddmp" { "--as zdd" } else { "" };
            let converted = topdd(&format!("convert {two} {other} {as_zdd}"));
            assert_eq!((converted.code, &converted.out[..]), (0, ""));
            assert_eq!(converted.err.contains("set_universe(range(1"), ending == "graphillion");
            let flags = format!("{flags} --variables {num_vars}");
            assert_eq!(answer(&format!("count {other} {flags}")), "4\n");
            assert_eq!(answer(&format!("list {other} {flags}")), listed, "{ending}");
        }
    }
    let out = place("out.graphillion");
    refused(1, &format!("convert {q6} {out}"), &["6 values", "hint: ", "--encode one-hot"]);
    refused(2, &format!("count {}", place("two.sapporo")), &["--rule zdd", "--rule bdd"]);
    refused(2, &format!("count {} --rule zdd", place("two.libbdd")), &["BDD", "--rule bdd"]);
    let flags = "--variables 3";
    refused(1, &format!("count {} {flags}", place("two.graphillion")), &["line ", "at most 3"]);
    let root = format!("count {} --rule zdd --root 2", place("two.dddmp"));
    refused(1, &root, &["has 1 diagrams: 0", "--root 0"]);
    refused(1, &format!("count {}", place("two.dddmp")), &["line 12", "add --rule zdd"]);
    fs::write(place("zdd.dddmp"), ".ver DDDMP-2.0\n.zdd\n").expect("written");
    refused(1, &format!("count {}", place("zdd.dddmp")), &["line 2", "add --rule zdd"]);
}

/// A ZDD is written for CUDD as a BDD: CUDD reads every DDDMP file as one.
#[test]
fn a_zdd_is_written_to_dddmp_as_a_bdd_of_the_same_solutions() {
    let folder = folder("zdd-to-dddmp");
    let place = |name: &str| folder.join(name).display().to_string();
    answer(&format!("convert {} {} --encode one-hot", place("q6.tdd"), place("two.tdd")));
    let run = topdd(&format!("convert {} {}", place("two.tdd"), place("two.dddmp")));
    assert!(run.err.contains("note: ") && run.err.contains("--as zdd"), "{}", run.err);
    let flags = "--variables 36";
    let [listed, read] = ["two.tdd", &format!("two.dddmp {flags}")]
        .map(|name| answer(&format!("list {}", place(name))));
    assert_eq!(listed, read);
}

/// The file of CUDD has two functions, of variables whose order is another one than their numbers.
#[test]
fn dddmp_files_have_several_diagrams_and_names() {
    let folder = folder("dddmp");
    let text = include_str!("../../topdd/src/format/interchange/golden/dddmp-cudd.txt");
    let file = folder.join("two.dddmp");
    fs::write(&file, text).expect("written");
    let file = file.display();
    assert_eq!(answer(&format!("count {file}")), "f 40\ng 32\n");
    assert_eq!(answer(&format!("count {file} --root g")), "32\n");
    assert_eq!(answer(&format!("count {file} --root 0")), "40\n");
    let roots = answer(&format!("count {file} --json"));
    assert_eq!(
        roots,
        "{\"roots\":[{\"count\":\"40\",\"root\":\"f\"},{\"count\":\"32\",\"root\":\"g\"}]}\n"
    );
    assert!(answer(&format!("info {file}")).contains("f          6 variables"));
    refused(1, &format!("list {file}"), &["2 diagrams: f, g", "--root f"]);
    let tdd = folder.join("g.tdd").display().to_string();
    answer(&format!("convert {file} {tdd} --root g"));
    assert!(answer(&format!("info {tdd}")).contains("names      a, b, c, d, e, f"));
}

/// The support is p and r; q is named in the order of the levels alone, which runs the other way.
#[test]
fn dddmp_files_name_variables_without_a_node_and_list_values_by_number() {
    let file = case("names.dddmp");
    assert!(answer(&format!("info {file}")).contains("names      p, q, r\n"));
    assert_eq!(answer(&format!("list {file}")), "0 0 1\n0 1 1\n");
    assert_eq!(answer(&format!("count {file} --with q,r --without p")), "1\n");
}

/// A header may announce any number of variables.
#[test]
fn info_of_a_huge_dddmp_header_answers_at_once() {
    let folder = folder("huge-header");
    let file = folder.join("huge.dddmp");
    let text = ".ver DDDMP-2.0\n.mode A\n.varinfo 4\n.nnodes 2\n.nvars 200000000\n.nsuppvars 1\n.ids 5\n\
                .permids 5\n.nroots 1\n.rootids 2\n.nodes\n1 1 0 0\n2 0 1 -1\n.end\n";
    fs::write(&file, text).expect("written");
    let info = answer(&format!("info {}", file.display()));
    assert!(
        info.contains("variables  200000000") && info.contains("at least 2^199999999"),
        "{info}"
    );
}

#[test]
fn graphillion_dumps_say_which_universe_loads_them() {
    let folder = folder("universe");
    let place = |name: &str| folder.join(name).display().to_string();
    fs::write(folder.join("square.txt"), "a b\nb c\nc d\nd a\n").expect("written");
    let saved = place("paths.tdd");
    answer(&format!(
        "graph paths {} --from a --to c --order given --save {saved}",
        place("square.txt")
    ));
    let run = topdd(&format!("convert {saved} {}", place("paths.graphillion")));
    let universe = "GraphSet.set_universe([('a', 'b'), ('b', 'c'), ('c', 'd'), ('d', 'a')], traversal='as-is')";
    assert!(run.err.contains(universe), "{}", run.err);
}

#[test]
fn a_minus_is_standard_input_or_output() {
    let folder = folder("minus");
    let q6 = folder.join("q6.tdd");
    let json = answer(&format!("convert {} - --to json", q6.display()));
    assert!(json.starts_with("{\n\"format\": \"topdd\""), "{json}");
    fs::write(folder.join("q6.json"), json).expect("written");
    fs::write(folder.join("text"), "2 1 B T\n.\n").expect("written");
    let from = |name: &str, args: &str| {
        let file = fs::File::open(folder.join(name)).expect("the file");
        command(args).stdin(file).output().expect("the command starts")
    };
    for name in ["q6.tdd", "q6.json"] {
        assert_eq!(from(name, "list - --values").stdout, ALL.as_bytes());
    }
    let info = String::from_utf8(from("q6.tdd", "info -").stdout).expect("text");
    assert!(info.starts_with("file       standard input"), "{info}");
    assert_eq!(from("text", "count - --read-as graphillion").stdout, b"1\n");
    let unknown = from("text", "count -");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("--read-as"), "{unknown:?}");
    fs::write(folder.join("nothing"), "").expect("written");
    let empty = from("nothing", "count -");
    assert!(String::from_utf8_lossy(&empty.stderr).contains("standard input cannot be read"));
    refused(2, &format!("convert {} - --to json --json", q6.display()), &["both"]);
}

/// A mapped file must not be changed in place: the process would be killed.
#[test]
#[cfg(unix)]
fn a_file_is_converted_to_itself_by_another_name() {
    let folder = folder("itself");
    let place = |name: &str| folder.join(name).display().to_string();
    // One set of many: large enough to be mapped.
    let line = |(node, variable): (usize, usize)| {
        let child = if node == 1 { "T".to_owned() } else { (node - 1).to_string() };
        format!("{node} {variable} B {child}\n")
    };
    let text: String = (1..).zip((1..=50_000).rev()).map(line).collect();
    fs::write(place("one.graphillion"), text + ".\n").expect("written");
    assert_eq!(answer(&format!("convert {} {}", place("one.graphillion"), place("one.tdd"))), "");
    std::os::unix::fs::symlink("one.tdd", folder.join("link.tdd")).expect("a link");
    let before = fs::read(place("one.tdd")).expect("the file");
    assert!(before.len() > 1 << 20);
    assert_eq!(answer(&format!("convert {} {}", place("one.tdd"), place("link.tdd"))), "");
    assert!(fs::read(place("one.tdd")).expect("the file") == before);
    assert!(folder.join("link.tdd").is_symlink());
}

#[test]
fn files_that_are_no_diagrams_are_refused() {
    let folder = folder("refused");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("written");
        path.display().to_string()
    };
    let good = fs::read(folder.join("q6.tdd")).expect("the file");
    refused(1, "info missing.tdd", &["cannot read missing.tdd", "hint: --save"]);
    let cut = file("cut.tdd", &good[..good.len() - 7]);
    refused(1, &format!("count {cut}"), &["cut.tdd", "topdd file", "byte ", "cut off"]);
    let mut bad = good.clone();
    bad[120] ^= 1;
    refused(1, &format!("list {}", file("bad.tdd", &bad)), &["bad.tdd", "checksum", "damaged"]);
    let other = file("other.tdd", b"digraph {}");
    refused(1, &format!("sample {other}"), &["other.tdd", "no topdd file"]);
    let json = file("bad.json", b"{\n\"format\": 1}");
    refused(1, &format!("info {json}"), &["bad.json", "JSON", "line 2"]);

    let none = folder.join("none.tdd");
    let none = none.display();
    assert_eq!(answer(&format!("queens 3 --quiet --save {none}")), "0\n");
    assert_eq!(answer(&format!("list {none}")), "");
    refused(3, &format!("sample {none}"), &["no solutions"]);
    refused(3, &format!("list {none} --from 0"), &["rank 0", "it has 0"]);
    refused(2, &format!("queens 3 --count-only --save {none}"), &["--count-only"]);
}

/// The commands that the help shows are run as they stand there.
#[test]
fn examples_in_the_help_run() {
    let folder = folder("examples");
    fs::rename(folder.join("q6.tdd"), folder.join("q10.tdd")).expect("renamed");
    assert_eq!(answer(&format!("queens 10 --quiet --save {}/q10.tdd", folder.display())), "724\n");
    answer(&format!("queens 10 --given a1 --quiet --save {}/a1.tdd", folder.display()));
    fs::write(folder.join("weights.txt"), "0 3 100\n").expect("written");
    let mut ran = 0;
    for help in ["info", "count", "list", "sample", "best", "combine", "convert"] {
        for line in answer(&format!("help {help}")).lines() {
            let Some(example) = line.strip_prefix("  topdd ") else { continue };
            let args = example.split("  ").next().expect("the command before its explanation");
            let output = command(args).current_dir(&folder).output().expect("the command starts");
            let notes = String::from_utf8_lossy(&output.stderr);
            let only_notes = notes.lines().all(|line| line.starts_with("note: "));
            assert!(output.status.success() && only_notes, "{example}: {output:?}");
            ran += 1;
        }
    }
    assert!(ran >= 16, "{ran} examples");
}
