//! Saved diagrams of graphs: as text, combined, and with the weights of the graph.

use std::fs;

use serde_json::{Value, json};

use crate::support::{answer, refused, topdd};

/// A folder with some graphs, and the paths of files in it.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in [
            ("kite.txt", "a b 0.5\nb c 0.25\nc d 0.75\nd a 0.5\na c 1\n"),
            ("line.txt", "a b 1\nb c 2\nc d 3\n"),
            ("tail.txt", "c b 2\nc e 5\n\"x y\" c 1\na b 1\n"),
            ("works.txt", "a-b 0.5\nb-c 0\na-c 0\nc-d 1\nd-a 1\n"),
            ("some.txt", "a-b 0.5\nb-c 0\na-c 0\n"),
        ] {
            fs::write(folder.path().join(name), text).expect("a file");
        }
        Files(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Saves a family of a graph, and returns the file.
    fn save(&self, family: &str, graph: &str, options: &str) -> String {
        let saved = self.path(&format!("{family}-{graph}-{}.tdd", options.replace(' ', "")));
        let graph = self.path(&format!("{graph}.txt"));
        answer(&format!("graph {family} {graph} {options} --save {saved} -q"));
        saved
    }
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// The lines of a text, ascending.
fn sorted(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines.join("\n")
}

#[test]
fn saved_solutions_are_listed_as_by_the_run() {
    let files = Files::new();
    for (family, options) in [
        ("paths", "--from a"),
        ("paths", ""),
        ("cycles", ""),
        ("matchings", ""),
        ("independent-sets", ""),
        ("partitions", "-k 2"),
        ("colourings", "-k 3"),
    ] {
        let run = format!("graph {family} {} {options} --list -q", files.path("kite.txt"));
        let saved = files.save(family, "kite", options);
        assert_eq!(answer(&format!("list {saved}")), answer(&run), "{family}");
    }
}

#[test]
fn names_of_element_counts_are_plain_strings_in_json() {
    let files = Files::new();
    let run = format!("graph matchings {} --element-counts --json", files.path("tail.txt"));
    let of_file = format!("count {} --element-counts --json", files.save("matchings", "tail", ""));
    for out in [run, of_file].map(|args| parse(&answer(&args))) {
        assert_eq!(out["usage"][2], json!({ "name": "\"x y\"-c", "count": "2" }));
    }
    let cliques = files.save("cliques", "tail", "");
    let out = parse(&answer(&format!("count {cliques} --element-counts --json")));
    assert_eq!(out["usage"][3], json!({ "name": "x y", "count": "2" }));
    assert!(answer(&format!("count {cliques} --element-counts")).contains("\"x y\": 2\n"));
}

#[test]
fn combinations_of_two_graphs_are_of_their_union() {
    let files = Files::new();
    let both = files.path("both.tdd");
    let (line, tail) = (files.save("matchings", "line", ""), files.save("matchings", "tail", ""));
    let run = topdd(&format!("combine {line} or {tail} --list --save {both}"));
    assert!(run.err.contains("keeps the union of both graphs and the names\n"), "{}", run.err);
    let sets = "\"x y\"-c\n(empty)\n9\na-b\na-b \"x y\"-c\na-b c-d\na-b c-e\nb-c\nc-d\nc-e";
    assert_eq!(sorted(&run.out), sets);
    // The weights of both, and the names in a file of weights.
    assert_eq!(answer(&format!("best {both} 2 --max")), "6: a-b c-e\n5: c-e\n");
    let (line, tail) = (files.save("cliques", "line", ""), files.save("cliques", "tail", ""));
    let json = topdd(&format!("combine {line} or {tail} --list --json")).out;
    assert_eq!(parse(&json)["solutions"].as_array().map(Vec::len), Some(12), "{json}");
    assert!(json.contains("[\"c\",\"x y\"]"), "{json}");
    // Edges and vertices have no graph in common, and names all the same.
    let mixed = topdd(&format!("combine {line} or {both} --list"));
    assert!(mixed.err.contains("the names of the variables alone"), "{}", mixed.err);
    assert!(mixed.out.contains("\nc-d a-b\n") && mixed.out.contains("\na b\n"), "{}", mixed.out);
}

#[test]
fn the_same_problem_in_two_orders_is_combined_as_one_problem() {
    let files = Files::new();
    let orders = ["given", "bfs", "auto"].map(|order| format!("--from d --order {order}"));
    let saved = orders.map(|options| files.save("paths", "kite", &options));
    let both = files.path("both.tdd");
    for other in &saved[1..] {
        let run = topdd(&format!("combine {} and {other} --save {both}", saved[0]));
        assert_eq!((run.out, run.err), (answer(&format!("count {other}")), String::new()));
        assert!(fs::read(&both).expect("a file") == fs::read(&saved[0]).expect("a file"));
    }
}

#[test]
fn probabilities_of_elements_are_weights() {
    let files = Files::new();
    let saved = files.save("matchings", "kite", "");
    // Only the set of a-c alone, which always works.
    let out = answer(&format!("count {saved} -p weights"));
    assert_eq!(out, "8\nprobability 0.046875000000\n");
    let trees = files.save("spanning-trees", "kite", "");
    let works = files.path("works.txt");
    assert_eq!(
        answer(&format!("count {trees} -p weights --weights {works}")),
        "8\nprobability 0.500000000000\n"
    );
    // An edge that is not in the file of weights has no probability.
    let some = format!("count {trees} -p weights --weights {}", files.path("some.txt"));
    refused(1, &some, &["some.txt, line 3: the file ends without a weight of "]);
    let line = files.save("matchings", "line", "");
    refused(
        1,
        &format!("count {line} -p weights"),
        &["-p weights: the weight", "is no probability"],
    );
    let cliques = files.save("cliques", "line", "");
    refused(2, &format!("count {cliques} -p weights"), &["has no weights", "--weights FILE"]);
    refused(2, &format!("count {trees} -p 1.5"), &["a number from 0 to 1"]);
    refused(2, &format!("count {trees} --weights {works}"), &["-p weights", "topdd best"]);
}

#[test]
fn colourings_take_colours_of_vertices() {
    let files = Files::new();
    let kite = files.path("kite.txt");
    let colourings = |options: &str| answer(&format!("graph colourings {kite} -k 3 {options}"));
    assert_eq!(colourings("--with a=0,b=1 --list -q"), "a=0 b=1 c=2 d=1\n");
    assert_eq!(colourings("--with a=0 --without b=1,d=2 --count-only -q"), "0\n");
    assert_eq!(colourings("--without a=0 -q"), "4\n");
    let run = colourings("--with a=0 --element-counts");
    assert!(run.contains(", 3 colours, with a=0\n") && run.contains("\nb=0: 0\nb=1: 1\n"), "{run}");
    // Also of two colours, whose variables are like the variables of sets.
    let saved = files.save("colourings", "line", "-k 2");
    let counts = answer(&format!("count {saved} --element-counts"));
    assert!(counts.starts_with("2\na=0: 1\na=1: 1\nb=0: 1\n"), "{counts}");
    for (options, words) in [
        ("--with a", &["a has no colour", "such as a=0"][..]),
        ("--with a=3", &["a=3 names none of the 3 colours"]),
        ("--without a=x", &["--without: a=x names none"]),
        ("--with z=0", &["there is no vertex z"]),
        ("--element-counts --count-only", &["cannot be used with"]),
    ] {
        refused(2, &format!("graph colourings {kite} -k 3 {options}"), words);
    }
}

#[test]
fn minimal_cuts_are_minimal_among_those_that_other_options_select() {
    let files = Files::new();
    let kite = files.path("kite.txt");
    let saved = files.save("cuts", "kite", "--from a --to c");
    for options in [
        "--minimal",
        "--maximal",
        "--minimal --without a-b",
        "--minimal --with a-b,b-c",
        "--minimal --cost-at-most 1.8",
        "--minimal --cost-at-least 2",
    ] {
        let run = answer(&format!("graph cuts {kite} --from a --to c --list -q {options}"));
        assert_eq!(sorted(&run), sorted(&answer(&format!("list {saved} {options}"))), "{options}");
    }
    // The minimal cuts are a family of their own.
    assert_eq!(answer(&format!("graph cuts {kite} --minimal --at-most 2 --count-only -q")), "2\n");
    let options = format!("graph cuts {kite} --minimal --with a-b --count-only");
    refused(2, &options, &["--minimal needs the diagram"]);
    let negative = files.path("negative.txt");
    fs::write(&negative, "a b 1\nb c -1\n").expect("a file");
    // A part may cost more than the whole, so the cuts are compared after the sweep.
    let options = format!("graph cuts {negative} --minimal --cost-at-most 0 --list --quiet");
    assert_eq!(answer(&options), "b-c\n");
}

#[test]
fn problems_of_other_parameters_are_no_common_problem() {
    let files = Files::new();
    let both = files.path("both.tdd");
    let tables = ["1", "2"].map(|limit| {
        let table = files.path(&format!("limits-{limit}.csv"));
        let rows: String = ["a", "b", "c", "d"].map(|v| format!("{v},{limit}\n")).concat();
        fs::write(&table, format!("name,weight\n{rows}")).expect("a file");
        let (graph, saved) = (files.path("kite.txt"), files.path(&format!("{limit}.tdd")));
        answer(&format!(
            "graph b-matchings {graph} -b weights --vertices {table} --save {saved} -q"
        ));
        saved
    });
    let run = topdd(&format!("combine {} difference {} --save {both}", tables[1], tables[0]));
    assert!(run.err.contains("note"), "{}", run.err);
    let info = answer(&format!("info {both} --json"));
    assert!(!info.contains("\"each\""), "{info}");
}
