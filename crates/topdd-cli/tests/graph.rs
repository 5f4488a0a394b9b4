//! `topdd graph`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use crate::configure::fed;
use crate::support::{answer, file, grid, refused, topdd};

/// A square with one diagonal.
const KITE: &str = "a b 4\nb c 1\nc d 2\nd a 7\na c 3\n";

/// Families of the kite with their options, and their counts.
const FAMILIES: [(&str, usize); 49] = [
    ("paths --from a --to c", 3),
    ("paths", 19),
    ("paths --hamiltonian", 6),
    ("paths --from b --directed", 3),
    ("cycles", 3),
    ("cycles --hamiltonian", 1),
    ("trees", 8),
    ("subtrees", 21),
    ("forests", 24),
    ("rooted-forests --roots a,c", 4),
    ("steiner --terminals b,d", 10),
    ("steiner-subgraphs --terminals b,d", 16),
    ("connected", 14),
    ("connected --terminals a,b", 21),
    ("matchings", 8),
    ("matchings --at-least 2", 2),
    ("perfect-matchings", 2),
    ("degrees --degrees 2", 1),
    ("degrees --degrees 0,2", 4),
    ("degrees --distribution 0=any,1=2", 5),
    ("degrees --distribution 1=1-2,2=any,3=1", 4),
    ("degrees --distribution 0=4,9=any", 1),
    ("degrees --distribution 0=any,9=1", 0),
    ("degrees --directed --out-degrees 1 --in-degrees 1", 1),
    ("degrees --directed --in-degrees 1", 2),
    ("degrees --directed --degrees 0,2 --out-degrees 0,1", 3),
    ("b-matchings -b 2", 25),
    ("factors -b 2", 1),
    ("regular -k 2", 4),
    ("partitions -k 2", 6),
    ("partitions -k 2 --max-weight 2", 2),
    ("cuts", 7),
    ("cuts --from b --to d", 4),
    ("cuts --minimal", 6),
    ("cuts --minimal --from b --to d", 4),
    ("bipartite", 25),
    ("bicliques --sides 1,2", 8),
    ("bicliques --sides 3,1", 2),
    ("independent-sets", 6),
    ("independent-sets --distance 3", 5),
    ("cliques", 12),
    ("dominating-sets", 13),
    ("total-dominating-sets", 10),
    ("connected-dominating-sets", 12),
    ("vertex-covers", 6),
    ("connected-subgraphs", 14),
    ("connected-subgraphs --through b --avoid d", 4),
    ("colourings -k 3", 6),
    ("arborescences --from b --directed", 1),
];

#[test]
fn every_family_has_its_count() {
    let kite = file("kite.txt", KITE);
    for (family, count) in FAMILIES {
        let (what, options) = family.split_once(' ').unwrap_or((family, ""));
        let counted = answer(&format!("graph {what} {kite} --quiet {options}"));
        assert_eq!(counted, format!("{count}\n"), "{family}");
        if !family.contains("colourings") {
            // Partitions note that the vertices have no weights.
            let listed = topdd(&format!("graph {what} {kite} --list {options}")).out;
            assert_eq!(listed.matches("\nsolution ").count(), count, "{family}: {listed}");
        }
    }
}

#[test]
fn every_family_is_decided_on_as_its_saved_diagram_is() {
    let kite = file("decided.txt", KITE);
    let saved = kite.replace("decided.txt", "decided.tdd");
    // Titles differ, and stand at the end.
    let decided = |args: &str| {
        let lines = "left\nsample\ndecisions\nundo\nshow\nredo\nshow\n";
        let run = fed(&format!("configure {args} --seed 1"), lines);
        (
            run.code,
            run.out
                .lines()
                .filter(|line| !line.contains("decided."))
                .collect::<Vec<_>>()
                .join("\n"),
        )
    };
    for (family, count) in FAMILIES {
        let (what, options) = family.split_once(' ').unwrap_or((family, ""));
        topdd(&format!("graph {what} {kite} {options} --quiet --save {saved}"));
        let (code, out) = decided(&format!("graph {what} {kite} {options}"));
        assert_eq!(code, if count == 0 { 3 } else { 0 }, "{family}");
        assert_eq!((code, &out), (decided(&saved).0, &decided(&saved).1), "{family}");
        assert!(count == 0 || out.starts_with(&format!("{count}\n")), "{family}: {out}");
    }
}

#[test]
fn a_family_is_decided_on_only_by_options_that_define_it() {
    let kite = file("decided2.txt", KITE);
    refused(2, &format!("configure graph trees {kite} --best 3"), &["--best: not for decisions"]);
    refused(
        2,
        &format!("configure graph trees {kite} --roots a"),
        &["--roots: for rooted-forests"],
    );
    refused(2, &format!("configure graph arborescences {kite} --directed"), &["--from"]);
    refused(2, &format!("configure graph bushes {kite}"), &["bushes"]);
    refused(
        2,
        "configure graph",
        &["Sets of edges", "configure graph spanning-trees map.txt --web"],
    );
    refused(1, "configure graph trees nowhere.txt", &["cannot read nowhere.txt"]);
    refused(2, &format!("configure graph paths {kite} --from z"), &["z"]);
    refused(
        3,
        &format!("configure graph perfect-matchings {kite} --exactly 1 --web"),
        &["no solutions"],
    );
}

/// The square with one diagonal, and weights of its vertices.
const WEIGHTED: &str =
    "p edge 4 5\nn 1 2\nn 2 1\nn 3 2\nn 4 1\ne 1 2\ne 2 3\ne 3 4\ne 4 1\ne 1 3\n";

#[test]
fn weights_of_vertices_bound_blocks_and_degrees() {
    let weighted = file("bounds.col", WEIGHTED);
    for (family, count) in [
        ("b-matchings -b weights", "16"),
        ("factors -b weights", "2"),
        ("partitions -k 2 --min-weight 3", "2"),
        ("partitions -k 2 --max-weight 4", "4"),
        ("partitions -k 2 --min-weight 2 --max-weight 3", "2"),
    ] {
        let (what, options) = family.split_once(' ').expect("options");
        assert_eq!(
            answer(&format!("graph {what} {weighted} -q {options}")).trim(),
            count,
            "{family}"
        );
    }
    let out = answer(&format!("graph partitions {weighted} -k 2 --min-weight 3"));
    assert!(out.contains(", 2 blocks, each of weight at least 3\n2 solutions\n"), "{out}");
    let none = file("unweighted.txt", KITE);
    refused(2, &format!("graph factors {none} -b weights"), &["have no weights", "-b 2"]);
    let decimal = file("half.col", "p edge 2 1\nn 1 0.5\nn 2 1\ne 1 2\n");
    let negative = file("negative.col", "p edge 2 1\nn 1 -2\nn 2 1\ne 1 2\n");
    for (weights, wrong) in [(decimal, "0.5"), (negative, "-2")] {
        let words = format!("the weight {wrong} of the vertex 1 is no number of edges");
        refused(1, &format!("graph factors {weights} -b weights"), &[&words]);
    }
}

#[test]
fn solutions_are_counted_by_size_with_and_without_a_diagram() {
    let kite = file("sizes.txt", KITE);
    let forests = "\n0 edges: 1\n1 edge: 5\n2 edges: 10\n3 edges: 8\n";
    for options in ["", "--count-only"] {
        let out = answer(&format!("graph forests {kite} --count-by-size {options}"));
        assert!(out.contains("\n24 solutions\n") && out.contains(forests), "{out}");
    }
    let out = answer(&format!("graph cliques {kite} --count-by-size --count-only"));
    assert!(out.ends_with("\n0 vertices: 1\n1 vertex: 4\n2 vertices: 5\n3 vertices: 2\n"), "{out}");
    let json = r#""counts_by_size":["1","5","10","8"]"#;
    for options in ["", "--count-only"] {
        let out = answer(&format!("graph forests {kite} --count-by-size --json {options}"));
        assert!(out.contains(json) && out.contains("\"count\":\"24\""), "{out}");
    }
    assert!(!answer(&format!("graph forests {kite} --json")).contains("counts_by_size"));
    let out =
        answer(&format!("graph forests {kite} --through a --avoid a --count-by-size --count-only"));
    assert!(out.contains("\n0 solutions\n") && !out.contains("edges:"), "{out}");
}

#[test]
fn paths_are_written_from_end_to_end() {
    let kite = file("line.txt", KITE);
    let out = answer(&format!("graph paths {kite} --from a --to c --best 3"));
    assert!(out.contains("\nweight 3: a - c\n"), "{out}");
    assert!(out.contains("\nweight 5: a - b - c\n"), "{out}");
    assert!(out.contains("\nweight 9: a - d - c\n"), "{out}");
    let out = answer(&format!("graph cycles {kite} --best 1 --max"));
    assert!(out.contains("weight 14: ") && out.matches(" - ").count() == 4, "{out}");
    let out = answer(&format!("graph paths {kite} --from b --directed --best 1 --max"));
    assert!(out.contains("weight 10: b > c > d > a"), "{out}");
}

#[test]
fn standard_input_and_formats_are_read() {
    for (format, text) in [
        ("dimacs", "p edge 3 2\ne 1 2\ne 2 3\n"),
        ("metis", "3 2\n2\n1 3\n2\n"),
        ("edges", "1 2\n2 3\n"),
        (
            "json",
            r#"{"nodes":[{"id":1},{"id":2},{"id":3}],"links":[{"source":1,"target":2},{"source":2,"target":3}]}"#,
        ),
    ] {
        let mut command =
            crate::support::command(&format!("graph paths - --format {format} --from 1 --json"));
        let mut run = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        run.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it is read");
        let output = run.wait_with_output().expect("the command ends");
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(
            text.contains("\"count\":\"2\"") && text.contains("\"edges\":[[\"1\",\"2\"]]"),
            "{format}: {text}"
        );
    }
}

#[test]
fn the_lines_of_a_benchmark_file_are_the_defaults() {
    let ladder = file("ladder.col", "p edge 4 4\ne 1 2\ne 3 4\ne 1 3\ne 2 4\nl 2\nt 1 4\n");
    let out = answer(&format!("graph paths {ladder}"));
    assert!(out.contains("from 1, to 4, at most 2\n2 solutions\n"), "{out}");
    assert_eq!(answer(&format!("graph paths {ladder} --quiet --at-most 1")), "0\n");
    assert_eq!(answer(&format!("graph paths {ladder} --quiet --from 1 --to 2 --at-most 4")), "2\n");
}

#[test]
fn short_paths_are_counted_without_a_sweep_over_the_edges() {
    let neighbours = (1..=400).flat_map(|v| [(v, v + 1), (v, v + 20)]);
    let edges: Vec<String> = neighbours
        .filter(|(a, b)| *b <= 400 && (*b == a + 20 || a % 20 > 0))
        .map(|(a, b)| format!("e {a} {b}\n"))
        .collect();
    let edges = edges.concat();
    let pair = file("pair.col", &format!("p edge 400 760\n{edges}l 40\nt 1 400\n"));
    // The shortest paths: 19 of 38 edges go down.
    assert_eq!(
        answer(&format!("graph paths {pair} --count-only --quiet --at-most 38")),
        "35345263800\n"
    );
    let any = file("any.col", &format!("p edge 400 760\n{edges}l 2\n"));
    assert_eq!(answer(&format!("graph paths {any} --count-only --quiet")), "2924\n");
    for limit in ["--memory-limit 1MB", "--time-limit 1ms"] {
        let run = topdd(&format!("graph paths {pair} --count-only --at-most 90 {limit}"));
        assert!(run.code == 1 && run.err.contains(limit.split(' ').next().unwrap()), "{run:?}");
    }
    let run = topdd(&format!("graph paths {pair} --count-only --at-most 90 --time-limit 1s"));
    assert!(run.code == 1 && run.err.contains("stopped at step "), "{run:?}");
    // A report is of the sweep over the edges.
    let run = topdd(&format!("graph paths {any} --count-only --report"));
    assert!(run.out.contains("2924 solutions"), "{run:?}");
    assert!(run.err.contains("over 760 levels"), "{run:?}");
}

#[test]
fn a_bound_on_a_sum_is_no_part_of_the_states_of_a_count() {
    let neighbours = (0..25).flat_map(|v| [(v, v + 1), (v, v + 5)]);
    let edges = neighbours.filter(|&(a, b)| b < 25 && (b == a + 5 || b % 5 > 0)).enumerate();
    let edges: Vec<String> =
        edges.map(|(i, (a, b))| format!("{a} {b} {}\n", 1 + i * 37 % 90)).collect();
    let grid = file("weighted-grid.txt", &edges.concat());
    let of_json = |args: &str| {
        let out = answer(&format!("graph trees {grid} --cost-at-most 900 --json {args}"));
        let out: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        (out["count"].as_str().unwrap().to_owned(), out["states"].as_u64().unwrap())
    };
    let (of_diagram, of_count) = (of_json(""), of_json("--count-only"));
    assert_eq!((&*of_diagram.0, &*of_count.0), ("9927975", "9927975"));
    assert!(20 * of_count.1 < of_diagram.1, "{of_count:?} {of_diagram:?}");
    // One sweep has all conditions, which a checkpoint can store.
    let dir = tempfile::tempdir().unwrap();
    let with_checkpoint = of_json(&format!("--count-only --checkpoint {}", dir.path().display()));
    assert!(with_checkpoint.0 == of_count.0 && with_checkpoint.1 > 20 * of_count.1);
    let args = format!("graph trees {grid} --cost-at-most 900 --at-least 24 --count-only");
    assert_eq!(answer(&format!("{args} --quiet")), "9927975\n");
    let run = topdd(&format!("{args} --report"));
    assert!(run.err.contains("over 39 levels"), "{run:?}");
    for limit in ["--memory-limit 1K", "--time-limit 1ms"] {
        let run = topdd(&format!("{args} {limit}"));
        assert!(run.code == 1 && run.err.contains(limit.split(' ').next().unwrap()), "{run:?}");
    }
}

#[test]
fn bad_files_are_refused_with_their_line() {
    for (name, content, words) in [
        (
            "ends.txt",
            "a b\nb c 1 e\n",
            ["line 2: `e` is one word too many", "add --format adjlist"],
        ),
        ("negative.txt", "0 1\n1 -2\n", ["line 2", "negative"]),
        ("range.col", "p edge 2 1\ne 1 3\n", ["line 2", "1 to 2"]),
        ("json.txt", "{\"nodes\": 1}\n", ["line 1", "add --format json"]),
        ("lists.graph", "a b\n", ["line 1", "it was read as metis; --format sets another format"]),
    ] {
        let path = file(name, content);
        refused(1, &format!("graph trees {path}"), &words);
    }
    refused(1, "graph trees /nowhere/at/all.txt", &["cannot read /nowhere/at/all.txt"]);
    let diagram = file("a-diagram.tdd", "");
    answer(&format!("queens 4 --quiet --save {diagram}"));
    refused(1, &format!("graph trees {diagram}"), &["is a saved diagram", "topdd count"]);
}

#[test]
fn wrong_weights_matter_only_where_weights_are_needed() {
    let decimals = file("decimals.txt", "a b\nb c 0.95\nc a 1\n");
    assert!(answer(&format!("graph info {decimals}")).contains("vertices    3"));
    assert_eq!(answer(&format!("graph paths {decimals} --from a --to c --quiet")), "2\n");
    let out = answer(&format!("graph reliability {decimals} -p 0.5 --quiet"));
    assert_eq!(out, "0.500000000000\n");
    let vertices = file("decimals.col", "p edge 2 1\nn 1 2.5\ne 1 2 7\n");
    assert!(answer(&format!("graph trees {vertices} --best 1")).contains("weight 7: 1-2"));
    let large = file("large-weights.txt", "a b 9007199254740993\nb c 9223372036854775808\n");
    refused(1, &format!("graph trees {large} --best 1"), &["line 1", "more than 15 digits"]);
}

#[test]
fn weights_with_decimals_are_added_exactly() {
    let roads = file("exact.txt", "a b 0.1\nb c 0.2\nc a 0.30\nc d 4\n");
    let out = answer(&format!("graph trees {roads} --best 2"));
    assert!(out.contains("\nweight 4.3: a-b b-c c-d\n\nweight 4.4: a-b c-a c-d\n"), "{out}");
    let saved = file("exact.tdd", "");
    let out = answer(&format!("graph trees {roads} --best 1 --json --save {saved}"));
    assert!(out.contains(r#""weights":["4.3"]"#), "{out}");
    assert!(answer(&format!("best {saved}")).starts_with("4.3: a-b b-c c-d\n"));
    let weights = file("exact-weights.txt", "a-b 1.5\nb-c -0.25\nc-a 1e-3\nc-d 2\n");
    let out = answer(&format!("best {saved} --weights {weights} --max --json"));
    assert!(out.contains(r#""weight":"3.501""#), "{out}");
    let json = file("exact-weights.json", "[[0,1.5],[0,2],[0,0.25],[0,0]]");
    assert!(answer(&format!("best {saved} --weights {json}")).starts_with("1.75: "));
    let large = file("exact-large.txt", "a-b 0.001\nb-c 9223372036854775807\nc-a 1\nc-d 1\n");
    let words = ["9223372036854775807 has more than 64 bits"];
    refused(1, &format!("best {saved} --weights {large}"), &words);

    let towns = file("exact.col", "p edge 3 2\nn 1 2.5\nn 2 0.75\nn 3 2.25\ne 1 2\ne 2 3\n");
    for (bounds, count) in [
        ("--min-weight 2.5", 1),
        ("--min-weight 2.25 --max-weight 3.25", 2),
        ("--max-weight 3.1 --avoid 1", 1),
        ("--min-weight 2.251", 1),
        ("--max-weight 2.999", 0),
    ] {
        let out = answer(&format!("graph partitions {towns} -k 2 {bounds} -q"));
        assert_eq!(out, format!("{count}\n"), "{bounds}");
    }
    let cover = answer(&format!("graph vertex-covers {towns} --best 1"));
    assert!(cover.contains("\nweight 0.75: 2\n"), "{cover}");
}

#[test]
fn directions_of_a_file_can_be_ignored() {
    let roads = file("roads.gr", "p sp 3 3\na 1 2 5\na 2 1 5\na 2 3 1\n");
    // With --undirected, edges in both directions would be refused for their own reason.
    for family in ["colourings -k 2", "cliques", "reliability -p 0.5"] {
        let (family, options) = family.split_once(' ').unwrap_or((family, ""));
        let run = topdd(&format!("graph {family} {roads} {options}"));
        let is_right = run.err.contains("--merge-directions") && !run.err.contains("--undirected");
        assert!(run.code == 2 && is_right, "{family}: {run:?}");
    }
    let one_way = file("one-way.gr", "p sp 2 1\na 1 2 5\n");
    refused(2, &format!("graph colourings {one_way} -k 2"), &["add --undirected"]);
    assert_eq!(answer(&format!("graph colourings {roads} -k 2 --merge-directions -q")), "2\n");
    assert_eq!(answer(&format!("graph trees {roads} --merge-directions -q")), "1\n");
    assert_eq!(answer(&format!("graph trees {roads} --merge-directions=no -q")), "2\n");
    refused(2, &format!("graph reliability {one_way} -p 0.5"), &["add --undirected"]);
    let mixed = r#"<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/>
        <edge source="a" target="b" directed="1"/><edge source="a" target="b"/></graph></graphml>"#;
    let mixed = file("mixed.graphml", mixed);
    refused(
        1,
        &format!("graph cycles {mixed}"),
        &["line 2", "add --directed, or add --undirected"],
    );
    assert_eq!(answer(&format!("graph cycles {mixed} --undirected -q")), "1\n");
    assert_eq!(answer(&format!("graph cycles {mixed} --directed -q")), "0\n");
    let kite = file("one-way.txt", KITE);
    let words = ["give --from and --to", "or write --undirected in place of --directed to"];
    refused(2, &format!("graph reliability {kite} -p 0.5 --directed"), &words);
}

#[test]
fn labels_may_have_commas_and_lists_may_be_long() {
    let tuples = r#"{"nodes":[{"id":[0,0]},{"id":[0,1]},{"id":"c"}],
        "edges":[{"source":[0,0],"target":[0,1]},{"source":[0,1],"target":"c"}]}"#;
    let path = file("tuples.json", tuples);
    let count = |options: &str| answer(&format!("graph {options} -q"));
    assert_eq!(count(&format!("steiner {path} --terminals [0,0],c")), "1\n");
    assert_eq!(count(&format!("steiner {path} --terminals c,[0,0],[0,1]")), "1\n");
    assert_eq!(count(&format!("paths {path} --avoid [0,0] --avoid c")), "0\n");
    assert_eq!(count(&format!("cliques {path} --through [0,0],[0,1]")), "1\n");
    refused(2, &format!("graph trees {path} --through c,[0,2]"), &["no vertex [0 in"]);
    refused(
        2,
        &format!("graph steiner {path} --terminals c,[0,1],c"),
        &["terminal c is given twice"],
    );
    // Both lists at once are a degree that no vertex has.
    assert_eq!(count(&format!("trees {path} --through c --avoid c")), "0\n");
}

#[test]
fn lines_of_a_benchmark_file_can_be_ignored() {
    let ladder = file("plain.col", "p edge 4 4\ne 1 2\ne 3 4\ne 1 3\ne 2 4\nl 2\nt 1 4\n");
    assert_eq!(answer(&format!("graph paths {ladder} --quiet")), "2\n");
    assert_eq!(answer(&format!("graph paths {ladder} --graph-only --quiet")), "12\n");
    let twice = file("twice.col", "p edge 2 1\ne 1 2\nt 1 1\n");
    refused(2, &format!("graph steiner {twice}"), &["terminal 1 is given twice"]);
}

#[test]
fn limits_hold_for_counts_by_size_and_from_the_start_of_the_run() {
    let wide = file("limited.txt", &grid(9, 9));
    answer(&format!("graph reliability {wide} -p 0.5 --memory-limit 1MiB"));
    let run =
        topdd(&format!("graph reliability {wide} -p 0.5 --count-by-size --memory-limit 1MiB"));
    assert!(run.code == 1 && run.err.contains("--memory-limit allows"), "{run:?}");
    // The order alone takes longer.
    let wide = file("ordered.txt", &grid(45, 45));
    let start = std::time::Instant::now();
    let run = topdd(&format!("graph forests {wide} --time-limit 100ms --count-only"));
    assert!(run.code == 1 && run.err.contains("longer than --time-limit 100ms"), "{run:?}");
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn saved_colourings_and_weights_keep_the_order_of_the_graph() {
    let kite = file("order.txt", &format!("{KITE}e b 3\n"));
    let saved = kite.replace("order.txt", "order.tdd");
    let run = answer(&format!("graph colourings {kite} -k 3 --save {saved} --list"));
    let lines = |text: &str, from: &str| -> Vec<String> {
        text.lines().filter_map(|line| Some(line.split_once(from)?.1.to_owned())).collect()
    };
    let listed = answer(&format!("list {saved}"));
    let colours = lines(&run, ": ");
    assert_eq!(listed.lines().collect::<Vec<_>>(), colours[..listed.lines().count()]);
    assert!(listed.lines().all(|line| line.starts_with("a=") && line.split(' ').count() == 5));

    let run = answer(&format!("graph trees {kite} --save {saved} --best 3"));
    assert!(answer(&format!("info {saved} --json")).contains("\"weights\":{\"given\""));
    assert_eq!(lines(&answer(&format!("best {saved} 3")), ": "), lines(&run, ": "));
    // The lines name edges: their numbers in the diagram are not those in the file.
    let weights = file("edges.txt", "\u{feff}a-c 100\nb-c 1 -7\na-b 1\nc-d 1\nd-a 1\ne-b 1\n");
    let best = answer(&format!("best {saved} --weights {weights} --max"));
    assert!(best.starts_with("103: ") && best.contains("a-c") && !best.contains("b-c"), "{best}");
    // Each edge has a weight.
    let some = file("some.txt", "a-c 100\nb-c -7\n");
    let words = ["some.txt, line 2: the file ends without a weight of "];
    refused(1, &format!("best {saved} --weights {some}"), &words);
    let numbers = file("numbers.txt", "0 1 5\n");
    refused(1, &format!("best {saved} --weights {numbers}"), &["line 1", "no edge or vertex"]);
    answer(&format!("graph perfect-matchings {} --save {saved}", file("bare.txt", "a b\n")));
    assert_eq!(answer(&format!("best {saved}")), "1: a-b\n");
}

#[test]
fn solutions_of_graphs_are_selected_as_those_of_files() {
    let g = file("selected.txt", "a b 1\nb c 2\nc d 3\nd a 4\na c 5\nd e 7\n\"x,y\" a 2\n");
    let (all, some) = (g.replace(".txt", ".tdd"), g.replace(".txt", "-some.tdd"));
    let mut tried = 0;
    for (family, options) in [
        ("spanning-trees", "--with b-a,d-e --without a-c"),
        ("spanning-trees", "--cost-at-most 16 --element-counts"),
        ("spanning-trees", "--with \"x,y\"-a --cost-at-least 17 --count-by-size"),
        ("matchings", "--maximal --count-by-size --element-counts"),
        ("matchings", "--maximal --without d-e"),
        ("matchings", "--cost-at-least 1 --minimal --element-counts"),
        ("forests", "--cost-at-least 11 --cost-at-most 12 --minimal"),
        ("independent-sets", "--maximal --count-by-size --element-counts"),
        ("independent-sets", "--with x,y --without a"),
        ("dominating-sets", "--minimal --cost-at-most 2 --element-counts"),
        ("vertex-covers", "--with a,d --maximal"),
    ] {
        answer(&format!("graph {family} {g} --quiet --save {all}"));
        // With a note, as vertices have no weights.
        let run = topdd(&format!("graph {family} {g} {options} --json --save {some}")).out;
        let of_run: serde_json::Value = serde_json::from_str(&run).expect("JSON");
        let of_file = answer(&format!("count {all} {options} --json"));
        let of_file: serde_json::Value = serde_json::from_str(&of_file).expect("JSON");
        for member in ["count", "counts_by_size", "usage"] {
            assert_eq!(of_run.get(member), of_file.get(member), "{family} {options}: {member}");
        }
        assert_ne!(of_run["count"], "0", "{family} {options}");
        // The record has the selection.
        let info = answer(&format!("info {some} --json"));
        let info: serde_json::Value = serde_json::from_str(&info).expect("JSON");
        let subject = &info["metadata"]["topdd-record"]["subject"];
        assert_eq!(subject["family"]["name"], family, "{info}");
        assert!(subject["conditions"].as_array().is_some_and(|all| !all.is_empty()), "{info}");
        tried += 1;
    }
    assert_eq!(tried, 11);
    let text = answer(&format!("graph matchings {g} --maximal --element-counts --with a-c"));
    assert!(text.starts_with("matchings of ") && text.contains(", with a-c, maximal\n"), "{text}");
    assert!(text.contains("\na-b: 0\n") && text.contains("\na-c: 1\nd-e: 1\n"), "{text}");
    assert_eq!(answer(&format!("graph trees {g} --count-only --cost-at-most 16 --quiet")), "2\n");
    for (args, word) in [
        ("trees --with a-x", "there is no edge a-x in"),
        ("cliques --with q", "there is no vertex q in"),
        ("trees --cost-at-least 2 --cost-at-most 1", "--cost-at-least is above --cost-at-most"),
        ("trees --cost-at-most x", "is not a decimal number"),
        ("matchings --maximal --count-only", "--maximal needs the diagram"),
        ("matchings --maximal --minimal", "cannot be used with"),
        ("matchings --element-counts --quiet", "cannot be used with"),
        ("colourings -k 3 --maximal", "--maximal: not for colourings"),
    ] {
        let (family, options) = args.split_once(' ').expect("options");
        refused(2, &format!("graph {family} {g} {options}"), &[word]);
    }
}

#[test]
fn quiet_prints_the_solutions_alone_where_some_are_asked_for() {
    let kite = file("quiet.txt", KITE);
    let quiet = |args: &str| topdd(&args.replace('G', &kite));
    let run = quiet("graph paths G --from a --to c --list -q");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let mut lines: Vec<&str> = run.out.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["a - b - c", "a - c", "a - d - c"]);
    for (args, number) in [
        ("graph paths G --best 2 --quiet", 2),
        ("graph matchings G --sample 3 --seed 1 --quiet", 3),
        ("graph matchings G --limit 2 --quiet", 2),
        ("graph matchings G --nth 0 --quiet", 1),
        ("graph colourings G -k 3 --list --quiet", 6),
        ("queens 6 --list --quiet", 4),
        ("queens 6 --sample 2 --quiet", 2),
        ("graph matchings G --quiet", 1),
    ] {
        let run = quiet(args);
        assert_eq!(
            (run.code, run.err.as_str(), run.out.lines().count()),
            (0, "", number),
            "{args}"
        );
    }
    assert_eq!(answer("queens 6 --limit 1 --quiet"), "b1 d2 f3 a4 c5 e6\n");
    assert_eq!(quiet("graph matchings G --nth 0 --quiet").out, "(empty)\n");
}

#[test]
fn partitions_are_written_as_blocks() {
    let path = file("blocks.txt", "a b\nb c\n");
    let saved = path.replace(".txt", ".tdd");
    let run = topdd(&format!("graph partitions {path} -k 2 --list --quiet --save {saved}"));
    let mut lines: Vec<&str> = run.out.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["a b | c", "a | b c"]);
    assert_eq!(answer(&format!("list {saved}")), run.out);
    let single = answer(&format!("graph partitions {path} -k 3 --list --quiet"));
    assert_eq!(single, "a | b | c\n");
}

#[test]
fn key_of_a_checkpoint_depends_on_the_labels() {
    // The edges are the same, and other vertices are called a and c.
    let digest = |text: &str| {
        let path = file("labels.txt", text);
        let out = answer(&format!("graph paths {path} --from a --to c --order given --json"));
        let out: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        out["problem"]["digest"].clone()
    };
    assert_ne!(digest("a b\nb c\nc a\n"), digest("b a\na c\nc b\n"));
}

#[test]
fn wrong_options_are_usage_errors() {
    let kite = file("wrong.txt", KITE);
    for (arguments, word) in [
        ("trees --from a", "--from: for paths"),
        ("colourings", "-k <K>"),
        ("partitions", "-k <K>"),
        ("steiner", "with --terminals"),
        ("arborescences", "--from <VERTEX>"),
        ("arborescences --from a", "add --directed"),
        ("degrees", "--degrees"),
        ("cliques --directed", "leave out --directed"),
        ("paths --from x", "there is no vertex x"),
        ("paths --from a --to a", "two different ends"),
        ("cycles --engine apply", "--engine: for queens and knights only"),
        ("reliability -p 0.5 --engine apply", "--engine: for"),
        ("info --engine apply", "--engine: for"),
        ("steiner --terminals ,", "missing in the list `,`"),
        ("forests --heat", "--svg"),
        ("info -k 3", "-k: for"),
        ("info --hamiltonian", "--hamiltonian: for"),
        ("info --avoid a", "--avoid: not for info"),
        ("info --save x.tdd", "--save: not for info"),
        ("predict --save x.tdd", "--save: not for predict"),
        ("predict -k 3", "-k: for"),
        ("colourings -k 99999999999", "colours are too many"),
        ("colourings -k 3 --count-by-size", "--count-by-size: not for colourings"),
        ("info --count-by-size", "--count-by-size: not for info"),
        ("trees --count-by-size --quiet", "cannot be used with"),
        ("trees --count-by-size --predict", "cannot be used with"),
        ("matchings -b 2", "-b: for b-matchings and factors only"),
        ("factors", "-b <B>"),
        ("bicliques", "--sides <A,B>"),
        ("bicliques --sides 2", "write two numbers"),
        ("bicliques --sides 0,2", "need at least one vertex"),
        ("bipartite --sides 1,2", "--sides: for bicliques only"),
        ("b-matchings -b x", "a whole number, or `weights`"),
        ("trees --max-weight 3", "--max-weight: for partitions only"),
        ("matchings --out-degrees 1", "--out-degrees: for degrees only"),
        ("degrees --in-degrees 1", "add --directed"),
        ("degrees --distribution 1=2,1=3", "the degree 1 twice"),
        ("degrees --distribution 1", "write DEGREE=NUMBER"),
        ("steiner --terminals a,a", "the terminal a is given twice"),
        ("trees --directed --undirected", "cannot be used with"),
    ] {
        let (what, options) = arguments.split_once(' ').unwrap_or((arguments, ""));
        refused(2, &format!("graph {what} {kite} {options}"), &[word]);
    }
    refused(3, &format!("graph trees {kite} --nth 8"), &["8 solutions"]);
}

#[test]
fn saved_diagrams_keep_the_names() {
    let kite = file("saved.txt", KITE);
    let saved = kite.replace("saved.txt", "saved.tdd");
    answer(&format!("graph perfect-matchings {kite} --save {saved}"));
    let listed = answer(&format!("list {saved}"));
    let mut lines: Vec<&str> = listed.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|line| line.split(' ').count() == 2), "{listed}");
    assert!(listed.contains("a-b") && listed.contains("d-a"), "{listed}");
    assert!(answer(&format!("list {saved} --json")).contains("[\"a\",\"b\"]"));
    assert!(answer(&format!("info {saved}")).contains("problem    perfect matchings of "));
    assert!(answer(&format!("list {saved} --values")).lines().all(|line| line.len() == 9));
}

#[test]
fn limits_and_checkpoints_give_the_same_count() {
    let grid = file("grid.txt", &grid(7, 7));
    let paths = format!("graph paths {grid} --from 0.0 --to 6.6 --quiet");
    assert_eq!(answer(&paths), "575780564\n");
    let folder = PathBuf::from(&grid).parent().expect("a folder").join("spill");
    fs::create_dir_all(&folder).expect("a folder");
    let folder = folder.display();
    assert_eq!(answer(&format!("{paths} --memory-limit 2MiB --spill-to {folder}")), "575780564\n");
    assert_eq!(answer(&format!("{paths} --checkpoint {folder}")), "575780564\n");
    let run = topdd(&format!("{paths} --memory-limit 10KiB"));
    assert!(
        run.code == 1 && run.err.contains("--memory-limit allows") && run.err.contains("edge"),
        "{run:?}"
    );
}

#[test]
fn pictures_mark_the_solution() {
    let kite = file("drawn.txt", KITE);
    let svg = kite.replace("drawn.txt", "drawn.svg");
    let drawn = |arguments: &str| {
        answer(&format!("graph {arguments} --svg {svg}"));
        fs::read_to_string(&svg).expect("a picture")
    };
    let picture = drawn(&format!("trees {kite} --best 1"));
    assert_eq!(picture.matches("class=\"edge marked\"").count(), 3);
    assert_eq!(picture.matches("class=\"vertex\"").count(), 4);
    let sheet = drawn(&format!("cycles {kite} --list"));
    assert_eq!(sheet.matches("<g class=\"graph\"").count(), 3);
    let heat = drawn(&format!("independent-sets {kite} --heat"));
    assert!(heat.contains(" of 6</title>") && heat.contains("class=\"legend\""), "{heat}");
    drawn(&format!("colourings {kite} -k 3"));
    // Four blocks of one vertex each.
    let blocks = drawn(&format!("partitions {kite} -k 4"));
    let fill = |vertex: &str| vertex.split("fill=\"").nth(1).map(|fill| fill[..7].to_owned());
    let fills: std::collections::BTreeSet<_> =
        blocks.split("class=\"vertex\"").skip(1).map(fill).collect();
    assert_eq!(fills.len(), 4, "{blocks}");
    let png = kite.replace("drawn.txt", "drawn.png");
    answer(&format!("graph matchings {kite} --png {png}"));
    assert!(fs::read(png).expect("a picture").starts_with(b"\x89PNG"));
}

#[test]
fn positions_point_up_unless_asked_otherwise() {
    let roads = file("map.csv", "from,to\nOslo,Rome\n");
    let places = file("places.csv", "name,longitude,latitude\nOslo,10.7,59.9\nRome,12.5,41.9\n");
    let svg = roads.replace("map.csv", "map.svg");
    let height_of_oslo = |flag: &str| {
        let run = topdd(&format!("graph trees {roads} --vertices {places} {flag} --svg {svg}"));
        assert_eq!(run.code, 0, "{run:?}");
        let picture = fs::read_to_string(&svg).expect("a picture");
        let heights: Vec<f64> = picture
            .split(" cy=\"")
            .skip(1)
            .map(|part| part.split('"').next().expect("an end").parse().expect("a number"))
            .collect();
        heights[1] - heights[0]
    };
    assert!(height_of_oslo("") > 50.0);
    assert!(height_of_oslo("--y-down") < -50.0);
    refused(2, &format!("graph trees {roads} --y-down"), &["--y-down", "--svg"]);
}

#[cfg(feature = "png")]
#[test]
fn a_png_without_a_font_for_a_name_has_a_note() {
    // A character for private use, which no font has.
    let graph = file("private.txt", "a \u{10fffd}\n");
    let png = graph.replace("private.txt", "private.png");
    let run = topdd(&format!("graph trees {graph} --png {png}"));
    assert!(run.code == 0 && run.err.contains("\u{10fffd}; "), "{run:?}");
    assert!(run.err.contains("write an SVG"), "{run:?}");
    let run = topdd(&format!("graph trees {} --png {png}", file("latin.txt", "a b\n")));
    assert!(!run.err.contains("SVG"), "{run:?}");
}

#[test]
fn predictions_of_small_runs_are_exact() {
    let kite = file("predicted.txt", KITE);
    let out = answer(&format!("graph predict {kite}"));
    assert_eq!(out.lines().count(), 9, "{out}");
    for family in ["paths ", "spanning-trees ", "dominating-sets "] {
        let line = out.lines().find(|line| line.starts_with(family)).expect("a line");
        // Memory is always an estimate.
        let estimates = line.split_whitespace().map(|word| word.starts_with('~'));
        let expected = [false, false, false, true, false, true, false, false, false];
        assert!(estimates.eq(expected), "{line}");
    }
    let json = answer(&format!("graph predict {kite} --json --from a --to c"));
    assert!(json.contains("\"what\":\"matchings\"") && !json.contains("\"exact\":false"), "{json}");
}

#[test]
fn options_of_a_family_hold_for_its_prediction() {
    let kite = file("one.txt", KITE);
    let out = answer(&format!("graph trees {kite} --predict"));
    assert!(out.lines().count() == 2 && out.contains("\nspanning-trees "), "{out}");
    let states = |options: &str| {
        let out = answer(&format!("graph paths {kite} --predict --json {options}"));
        let (_, states) = out.split_once("\"states\":").expect("states");
        states.split(',').next().map(str::to_owned).expect("a number")
    };
    assert_ne!(states(""), states("--from a --to c --at-most 1"));
    let out = answer(&format!("graph reliability {kite} -p 0.5 --predict"));
    assert!(out.starts_with("the reductions leave no edge"), "{out}");
    let grid = file("blocks.txt", &grid(4, 4));
    let out = answer(&format!("graph reliability {grid} -p 0.5 --predict"));
    assert!(out.contains("\nreliability "), "{out}");
}

#[test]
fn the_file_of_the_graph_is_not_overwritten() {
    let kite = file("kept.txt", KITE);
    for option in ["--save", "--dot", "--svg"] {
        let args = format!("graph cycles {kite} {option} {kite}");
        refused(2, &args, &[option, "would overwrite the graph", "another name"]);
    }
    refused(2, &format!("graph cycles {kite} --save c.json"), &["not .json", "topdd convert"]);
    refused(2, &format!("graph cycles {kite} --svg c.png"), &["--png"]);
    refused(2, &format!("graph cycles {kite} --png c.svg"), &["--svg"]);
    let svg = answer(&format!("graph cycles {kite} --svg -"));
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
}

#[test]
fn numbers_that_cannot_be_read_are_explained() {
    let kite = file("numbers.txt", KITE);
    for option in
        ["--at-least -1", "--at-most 1e3", "--best -2", "--limit x", "--sample -1", "--degrees 1-3"]
    {
        refused(2, &format!("graph degrees {kite} {option}"), &["write a whole number from 0"]);
    }
    refused(2, &format!("graph cycles {kite} --threads 0"), &["write a whole number from 1"]);
    refused(2, &format!("graph regular {kite} -k {}", "9".repeat(30)), &["is too large"]);
    refused(2, &format!("graph cycles {kite} --at-least 5 --at-most 3"), &["above --at-most"]);
    refused(2, &format!("graph paths {kite} --from -1"), &["there is no vertex -1"]);
    refused(2, &format!("graph degrees {kite} --distribution 1=5-2"), &["2=3-5"]);
    refused(2, &format!("graph rooted-forests {kite} --roots a,,b"), &["a name is missing"]);
    assert_eq!(answer(&format!("graph rooted-forests {kite} --roots a, -q")), "8\n");
}

#[test]
fn files_of_other_formats_are_refused() {
    for (name, content, words) in [
        (
            "plain.txt",
            ">>sparse6<<:Cda\n",
            ["line 1: the file begins as one in", "add --format sparse6"],
        ),
        (
            "dimacs.txt",
            "c\np edge 2 1\ne 1 2\n",
            ["line 2: the file begins as", "add --format dimacs"],
        ),
        ("formula.txt", "p cnf 2 1\n1 2 0\n", ["a formula in CNF", "with `topdd cnf`"]),
        (
            "square.gml",
            "graph [\n  node [\n    id 0\n  ]\n]\n",
            ["is GML, which is not read", "json"],
        ),
        ("square.gv", "graph { a -- b; }\n", ["the file is DOT, which is not read", "graphml"]),
        ("matrix.txt", "0 1 0\n1 0 1\n0 1 0\n", ["line 1", "may be a row of a matrix"]),
        ("tuples.txt", "0,0 0,1\n", ["has the sign `,`", "in double quotes, or add --format csv"]),
    ] {
        refused(1, &format!("graph trees {}", file(name, content)), &words);
    }
    let tuples = file("tuples.txt", "\"0,0\" \"0,1\"\n(0, 1) \"0,1\"\n");
    assert_eq!(answer(&format!("graph trees {tuples} -q")), "1\n");
    let unsure = file("unsure.txt", "1 2 1\n2 3\n3 4 2\n");
    refused(1, &format!("graph trees {unsure}"), &["line 1", "--format adjlist or --format edges"]);
    assert_eq!(answer(&format!("graph trees {unsure} --format edges -q")), "1\n");
    assert_eq!(
        answer(&format!("graph trees {unsure} --format adjlist --merge-directions=no -q")),
        "2\n"
    );
    let dimacs = file("dimacs.txt", "c\np edge 2 1\ne 1 2\n");
    assert_eq!(answer(&format!("graph trees {dimacs} --format dimacs -q")), "1\n");
    refused(
        2,
        &format!("graph trees {dimacs} --format gml"),
        &["the formats are edges, csv, adjlist"],
    );
}

#[test]
fn tables_are_read_with_their_columns() {
    let roads =
        file("roads.csv", "road;from;to;km;toll\nA1;Bern;Basel;97;0.5\nA2;Basel;Chur;200;1\n");
    let run = topdd(&format!("graph trees {roads} --best 1"));
    assert!(run.out.contains("weight 297: Bern-Basel Basel-Chur"), "{run:?}");
    assert!(run.err.contains("the edges are `from` to `to`, and their weight is `km`"), "{run:?}");
    assert_eq!(
        answer(&format!("graph reliability {roads} --p-attribute toll -q")),
        "0.500000000000\n"
    );
    let named = answer(&format!("graph trees {roads} --columns to,from,toll"));
    assert!(named.contains("1 solution"), "{named}");
    for (options, words) in [
        ("trees --columns from,town", "there is no column `town`"),
        ("trees --columns from", "two or three"),
        ("trees --weight-attribute miles", "the attributes are from, km, road, to, toll"),
        ("reliability --p-attribute km", "the weight 97 of the edge Bern-Basel is no probability"),
    ] {
        let (what, options) = options.split_once(' ').expect("options");
        refused(1, &format!("graph {what} {roads} {options}"), &[words]);
    }
    refused(
        2,
        &format!("graph trees {roads} --p-attribute toll"),
        &["--p-attribute: for reliability only"],
    );
}

#[test]
fn remedies_of_unsure_tables_work() {
    for (name, content, words, edges) in [
        ("p.csv", "person,friend\nann,bob\ncid,dan\n", "--columns person,friend", "2"),
        ("c.txt", "1 pp 2\n2 pp 3\n", "--columns 1,3", "2"),
        ("w.csv", "road,city,town\nA1,Bern,Basel\nA2,Basel,Chur\n", "--columns", "2"),
        ("b.csv", "from bus,to bus\nann,bob\n", "--columns 'from bus,to bus'", "1"),
    ] {
        let path = file(name, content);
        let remedy = match words {
            "--columns" => "--columns city,town",
            "--columns 'from bus,to bus'" => "--columns 1,2",
            words => words,
        };
        refused(1, &format!("graph info {path}"), &[words]);
        let read = |options: &str| answer(&format!("graph info {path} {options} --json"));
        let count = |json: &str| {
            let json: serde_json::Value = serde_json::from_str(json).expect("JSON");
            json["edges"].to_string()
        };
        assert_eq!(count(&read(remedy)), edges, "{content}");
    }
    // The first row has names, also if numbers choose the columns.
    let roads = file("n.csv", "road,city,town\nA1,Bern,Basel\nA2,Basel,Chur\n");
    let edges = answer(&format!("graph info {roads} --columns 2,3 --json"));
    assert!(edges.contains("\"edges\":2"), "{edges}");
    let rows = file("rows.csv", "A1,Bern,Basel\nA2,Basel,Chur\n");
    refused(1, &format!("graph info {rows} --columns 2,3"), &["is no row of names of columns"]);
}

#[test]
fn options_without_effect_are_refused() {
    let table = file("km.csv", "from,to,km,miles\na,b,3,2\nb,c,5,4\n");
    let best = |options: &str| answer(&format!("graph trees {table} {options} --best 1"));
    assert!(best("--columns from,to --weight-attribute km").contains("weight 8: "));
    assert!(best("--columns from,to,miles").contains("weight 6: "));
    assert!(best("--columns 1,2 --weight-attribute km").contains("weight 8: "));
    let p = file("p2.csv", "from,to,p\na,b,0.5\nb,c,0.5\n");
    assert_eq!(
        answer(&format!("graph reliability {p} --columns from,to --p-attribute p -q")),
        "0.250000000000\n"
    );
    let dimacs = file("o.col", "p edge 2 1\ne 1 2\n");
    let json = file(
        "o.json",
        r#"{"directed": false, "nodes": [{"id": 1}, {"id": 2}], "edges": [{"source": 1, "target": 2}, {"source": 2, "target": 1}]}"#,
    );
    for (path, options, words) in [
        (&table, "--columns from,to,miles --weight-attribute km", "the attribute `km`; choose one"),
        (
            &table,
            "--label-attribute zzz",
            "is read as `csv`, which has no attributes of vertices; leave out --label-attribute",
        ),
        (&dimacs, "--label-attribute zzz", "leave out --label-attribute"),
        (
            &dimacs,
            "--columns 1,2",
            "is read as `dimacs`, which has no columns; leave out --columns",
        ),
        (&json, "--columns 1,2", "leave out --columns"),
    ] {
        refused(1, &format!("graph trees {path} {options}"), &[words]);
    }
    assert_eq!(answer(&format!("graph trees {json} -q")), "2\n");
    assert_eq!(answer(&format!("graph trees {json} --merge-directions -q")), "1\n");
    refused(2, &format!("graph trees {json} --directed --merge-directions"), &["cannot be used"]);
    refused(2, &format!("graph trees {json} --merge-directions=some"), &["write yes or no"]);
    // A file of METIS has both directions.
    let metis = file("o.metis", "3 2\n2\n1 3\n2\n");
    for (from, to) in [(1, 3), (3, 1)] {
        let paths = format!("graph paths {metis} --directed --from {from} --to {to} -q");
        assert_eq!(answer(&paths), "1\n");
    }
}

#[test]
fn weights_under_another_name_are_noted() {
    let json = r#"{"nodes": [{"id": 1, "people": 5}, {"id": 2}], "links": [{"source": 1, "target": 2, "length": 30, "value": "x"}]}"#;
    let path = file("length.json", json);
    let run = topdd(&format!("graph trees {path} --best 1"));
    assert!(
        run.err.contains("they have numbers under length: --weight-attribute 'length'"),
        "{run:?}"
    );
    let run = topdd(&format!("graph trees {path} --best 1 --weight-attribute length"));
    assert!(run.out.contains("weight 30") && !run.err.contains("note"), "{run:?}");
    let run = topdd(&format!("graph partitions {path} -k 1 --min-weight 2"));
    assert!(run.err.contains("the vertices of") && run.err.contains("under people"), "{run:?}");
    assert!(!topdd(&format!("graph trees {path}")).err.contains("note"), "without weights");
}

#[test]
fn edges_in_both_directions_are_one_edge_with_a_note() {
    let both = file("both.col", "p edge 3 6\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 1 3\ne 3 1\n");
    let run = topdd(&format!("graph trees {both}"));
    assert!(run.out.contains("3 vertices and 3 edges\n3 solutions"), "{run:?}");
    assert!(
        run.err.contains("note: ") && run.err.contains("keep both with --merge-directions=no"),
        "{run:?}"
    );
    assert_eq!(answer(&format!("graph trees {both} -q")), "3\n");
    assert_eq!(answer(&format!("graph trees {both} -q --merge-directions=no")), "12\n");
    let roads = file("both.gr", "p sp 2 2\na 1 2 5\na 2 1 6\n");
    let words = ["line 3", "differ in `weight`: 5 and 6", "--directed", "--merge-directions=no"];
    for options in ["--undirected", "--merge-directions"] {
        refused(1, &format!("graph trees {roads} {options}"), &words);
    }
    assert_eq!(answer(&format!("graph trees {roads} --merge-directions=no -q")), "2\n");
    // The error of a table names ways that end: weights that are left out, and parallel edges.
    let table = file("both.csv", "from,to,km\na,b,5\nb,a,6\n");
    let words = ["make them equal, or add --columns 1,2, or keep both with --merge-directions=no"];
    refused(1, &format!("graph trees {table}"), &words);
    for option in ["--columns 1,2", "--columns from,to"] {
        assert_eq!(answer(&format!("graph trees {table} {option} -q")), "1\n");
    }
    assert_eq!(answer(&format!("graph trees {table} --merge-directions=no -q")), "2\n");
    // A family that ignores directions would count both.
    let words = [
        "spanning-trees of ",
        "both.gr: directions do not count here, and the edges 1->2 and 2->1 would be two parallel edges",
        "join such pairs with --merge-directions\n",
    ];
    refused(2, &format!("graph trees {roads}"), &words);
    for follows in ["cycles", "trees --merge-directions=no", "degrees --out-degrees 1"] {
        assert!(!topdd(&format!("graph {follows} {roads}")).err.contains("note: "), "{follows}");
    }
    let plain = file("plain.txt", "a b 1\nb a 1\nb c 2\n");
    for family in ["trees", "matchings", "cuts --from a --to c", "partitions -k 2"] {
        let words = ["edges a->b and b->a would", "--merge-directions in place of --directed\n"];
        refused(2, &format!("graph {family} {plain} --directed"), &words);
    }
    assert_eq!(answer(&format!("graph paths {plain} --directed --from a -q")), "2\n");
    let run = topdd(&format!("graph predict {plain} --directed"));
    assert!(run.out.contains("\ncycles ") && !run.out.contains("trees"), "{run:?}");
    assert!(run.err.contains("note: families without a row: directions do not count"), "{run:?}");
}

#[test]
fn graphs_that_are_not_connected_are_noted() {
    let parts = file("parts.txt", "a b\nc d\n");
    for (family, words) in [
        ("trees", "it has 2 components, so the number of solutions is 0"),
        ("cycles --hamiltonian", "2 components"),
        ("connected", "2 components"),
        ("partitions -k 1", "2 components"),
        ("reliability -p 0.5", "so the probability is 0"),
        ("paths --from a --to c", "a and c are in different components"),
        ("steiner --terminals a,d", "a and d are in different components"),
    ] {
        let (what, options) = family.split_once(' ').unwrap_or((family, ""));
        let run = topdd(&format!("graph {what} {parts} {options}"));
        assert!(run.code == 0 && run.err.contains(words), "{family}: {run:?}");
    }
    assert_eq!(answer(&format!("graph trees {parts} -q")), "0\n");
    assert!(!topdd(&format!("graph paths {parts} --from a --to b")).err.contains("note"));
}

#[test]
fn weights_that_no_question_needs_are_not_checked() {
    let wrong = file("wrong.txt", "a b 1.5\nb c nan\na c\n");
    assert_eq!(answer(&format!("graph trees {wrong} -q")), "3\n");
    let words = ["line 2", "the edge b-c has the `weight` `nan`, which is not a finite number"];
    refused(1, &format!("graph trees {wrong} --best 1"), &words);
    refused(1, &format!("graph reliability {wrong} -p weights"), &words);
}

#[test]
fn runs_that_cannot_fit_are_warned_about() {
    let grid = file("large.txt", &grid(9, 9));
    let run = topdd(&format!("graph forests {grid} --memory-limit 200KiB --order bfs"));
    assert_eq!(run.code, 1, "{run:?}");
    for words in
        ["warning: this run is expected to take", "--memory-limit allows 200 KiB", "--spill-to DIR"]
    {
        assert!(run.err.contains(words), "`{words}` is not in: {}", run.err);
    }
    assert!(run.err.contains("--count-only ("), "{}", run.err);
    let run = topdd(&format!("graph forests {grid} --memory-limit 2GiB --count-only"));
    assert!(run.code == 0 && !run.err.contains("warning"), "{run:?}");
}

#[test]
fn warning_names_a_bound_on_the_size_where_small_sets_take_much_less() {
    let squares: Vec<(i32, i32)> = (0..36).map(|square| (square / 6, square % 6)).collect();
    let attacks = |a: (i32, i32), b: (i32, i32)| {
        a < b && (a.0 == b.0 || a.1 == b.1 || (a.0 - b.0).abs() == (a.1 - b.1).abs())
    };
    let pairs = squares.iter().flat_map(|&a| squares.iter().map(move |&b| (a, b)));
    let edges = pairs.filter(|&(a, b)| attacks(a, b));
    let lines = edges.map(|(a, b)| format!("{}{} {}{}", a.0, a.1, b.0, b.1));
    let queen = file("queen.txt", &lines.collect::<Vec<_>>().join("\n"));
    let run = topdd(&format!("graph dominating-sets {queen} --memory-limit 10MiB --count-only"));
    let hint = "look for small sets, with --at-most (6: ";
    assert!(run.code == 1 && run.err.contains(hint), "{run:?}");
    let run = topdd(&format!(
        "graph dominating-sets {queen} --at-most 12 --memory-limit 1MiB --count-only"
    ));
    assert!(run.err.contains("warning: ") && !run.err.contains("look for small sets"), "{run:?}");
}

#[test]
fn reliability_is_a_probability() {
    let kite = file("reliable.txt", KITE);
    let out = answer(&format!("graph reliability {kite} -p 0.9 --count-by-size"));
    // Eight spanning trees of three edges, five sets of four edges, and all five edges.
    assert!(out.contains(", edges work with 0.9\n0.976860000000\n"), "{out}");
    assert!(out.ends_with("\n3 edges: 8\n4 edges: 5\n5 edges: 1\n"), "{out}");
    let quiet = |options: &str| answer(&format!("graph reliability {kite} --quiet {options}"));
    assert_eq!(quiet("-p 0.9 --terminals a,c"), "0.996390000000\n");
    assert_eq!(quiet("-p 0.9 --terminals a,c --order given --threads 1"), "0.996390000000\n");
    assert_eq!(quiet("-p 0.9 --terminals a,c --vertex-p 0.5"), "0.241149375000\n");
    assert_eq!(quiet("-p 0"), "0.000000000000\n");
    let weighted = file("weighted.txt", "a b 0.5\nb c 0.25\na c 0\n");
    let out = answer(&format!("graph reliability {weighted} -p weights --json"));
    assert!(out.contains("\"probability\":0.125") && out.contains("\"blocks\":0"), "{out}");
    let ladder = file("reliable.col", "p edge 3 2\ne 1 2\ne 2 3\nt 1 2\n");
    assert_eq!(answer(&format!("graph reliability {ladder} -p 0.5 -q")), "0.500000000000\n");

    let wrong = file("wrong-weights.txt", "a b 0.5\nb c 2\n");
    refused(1, &format!("graph reliability {wrong} -p weights"), &["line 2", "no probability"]);
    for (arguments, words) in [
        (format!("reliability {kite}"), "-p <P>"),
        (format!("reliability {kite} -p 1.5"), "from 0 to 1"),
        (format!("reliability {kite} -p 0.5 --list"), "--list: not for reliability"),
        (format!("reliability {kite} -p 0.5 --at-most 3"), "--at-most"),
        (format!("trees {kite} -p 0.5"), "-p: for reliability only"),
        (format!("reliability {ladder} -p weights"), "have no weights"),
    ] {
        refused(2, &format!("graph {arguments}"), &[words]);
    }
}

#[test]
fn reliability_takes_a_probability_for_each_vertex_and_directed_paths() {
    let kite = file("vertex-p-kite.txt", KITE);
    let towns = file("vertex-p-towns.csv", "name,works\na,1\nb,0.5\nc,1\nd,0\n");
    let options = format!("--vertices {towns} -p 0.5 --vertex-p weights --terminals a,c -q");
    // The edge a-c, or the path through b.
    assert_eq!(answer(&format!("graph reliability {kite} {options}")), "0.562500000000\n");
    let half = file("vertex-p.col", "p edge 2 1\nn 1 0.5\nn 2 1\ne 1 2\n");
    assert_eq!(
        answer(&format!("graph reliability {half} -p 1 --vertex-p weights -q")),
        "0.500000000000\n"
    );
    // The attribute of edges is not the weight of vertices.
    let text = r#"{"nodes":[{"id":"a","weight":0.5,"q":0.9},{"id":"b","weight":0.5,"q":0.9}],
        "edges":[{"source":"a","target":"b","weight":7,"q":0.5}]}"#;
    let own =
        format!("graph reliability {} --p-attribute q --vertex-p weights -q", file("q.json", text));
    assert_eq!(answer(&own), "0.125000000000\n");
    let text = r#"<graphml><key id="q" attr.name="q"/><key id="w" attr.name="weight"/><graph edgedefault="undirected">
        <node id="a"><data key="w">0.5</data></node><node id="b"><data key="w">0.5</data><data key="q">0.9</data></node>
        <edge source="a" target="b"><data key="q">0.5</data><data key="w">7</data></edge></graph></graphml>"#;
    let own = own.replace("q.json", "q.graphml");
    file("q.graphml", text);
    assert_eq!(answer(&own), "0.125000000000\n");
    let directed = format!("graph reliability {kite} --directed -p 0.5 --from");
    assert_eq!(answer(&format!("{directed} a --to c -q")), "0.625000000000\n");
    let out = answer(&format!("{directed} c --to b --count-by-size"));
    assert!(
        out.contains(", from c, to b\n0.125000000000\n")
            && out.ends_with("3 edges: 1\n4 edges: 2\n5 edges: 1\n"),
        "{out}"
    );
    let none = file("vertex-p.txt", "a b\n");
    let wrong = file("vertex-p-wrong.col", "p edge 2 1\nn 1 1\nn 2 5\ne 1 2\n");
    for (code, arguments, words) in [
        (2, format!("{none} -p 1 --vertex-p weights"), "the vertices of"),
        (
            1,
            format!("{wrong} -p 1 --vertex-p weights"),
            "the weight 5 of the vertex 2 is no probability",
        ),
        (2, format!("{none} -p 1 --from a --to b"), "give --terminals"),
        (2, format!("{none} -p 1 --directed --terminals a,b"), "give --from and --to"),
        (2, format!("{none} -p 1 --directed --from a --to a"), "two different ends"),
    ] {
        refused(code, &format!("graph reliability {arguments}"), &[words]);
    }
}

#[test]
fn notes_state_what_a_family_ignores_or_lacks() {
    let plain = file("noted.txt", "a b\nb c\n");
    let note = |arguments: &str| topdd(&format!("graph {arguments}")).err;
    let ignored = "note: cuts: the directions of edges do not count\n";
    assert!(note(&format!("cuts {plain} --directed --from a --to c")).contains(ignored));
    let forests = ignored.replace("cuts", "forests");
    assert!(note(&format!("forests {plain} --directed")).contains(&forests));
    for quiet in [
        format!("cuts {plain} --from a --to c"),
        format!("cuts {plain} --directed --quiet"),
        format!("paths {plain} --directed"),
    ] {
        assert!(!note(&quiet).contains("note: "), "{quiet}");
    }
    let weighted = file("noted-weights.txt", "a b 1\nb c 2\n");
    for (family, elements) in [("matchings", "edges"), ("cliques", "vertices")] {
        let ones = format!("note: the {elements} have no weights, so each weighs 1; ");
        assert!(note(&format!("{family} {plain} --cost-at-most 1")).contains(&ones), "{family}");
    }
    assert!(!note(&format!("matchings {weighted} --cost-at-most 1")).contains("note: "));
}

#[test]
fn graphml_is_read_by_its_ending() {
    let text = r#"<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="w" for="edge" attr.name="weight" attr.type="int"/>
  <graph edgedefault="undirected">
    <node id="a"/><node id="b"/><node id="c"/>
    <edge source="a" target="b"><data key="w">3</data></edge>
    <edge source="b" target="c"><data key="w">4</data></edge>
    <edge source="c" target="a"><data key="w">5</data></edge>
  </graph>
</graphml>"#;
    let triangle = file("triangle.graphml", text);
    let out = answer(&format!("graph trees {triangle} --best 1"));
    assert!(out.contains("\n3 solutions\n") && out.contains("\nweight 7: a-b b-c\n"), "{out}");
}

#[test]
fn configure_names_the_edges() {
    let kite = file("decided.txt", KITE);
    let saved = kite.replace("decided.txt", "decided.tdd");
    answer(&format!("graph perfect-matchings {kite} --save {saved}"));
    let mut run = crate::support::command(&format!("configure {saved}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let lines = b"choose a-b\nwhy b-c=1\nchoose d-a\nchoose e-f\n";
    run.stdin.take().expect("a pipe").write_all(lines).expect("it is read");
    let output = run.wait_with_output().expect("the command ends");
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(
        out.starts_with("a-b chosen: 1 of 2 left\nb-c cannot be chosen, because of: a-b chosen\n"),
        "{out}"
    );
    assert!(out.contains("refused: d-a cannot be chosen"), "{out}");
    assert!(err.contains("there is no edge e-f in "), "{err}");
}

#[test]
fn info_shows_facts() {
    let loops = file("loops.txt", "a b\na b\nb b\nc\n");
    let out = answer(&format!("graph info {loops}"));
    for line in [
        "vertices    3",
        "edges       3",
        "components  2",
        "degrees     0 to 4",
        "loops       1",
        "parallel    1",
    ] {
        assert!(out.contains(line), "{out}");
    }
    let json = answer(&format!("graph info {loops} --json"));
    assert!(json.contains("\"bipartite\":false") && json.contains("\"parallel\":1"), "{json}");
    // Parallel edges have names of their own.
    assert!(answer(&format!("graph matchings {loops} --list")).contains("a-b#2"));
}

#[test]
fn edges_have_their_labels_if_these_are_distinct() {
    let listed = |labels: [&str; 3]| {
        let edge = |(end, label)| format!(r#"{{"source":"a","target":"{end}","label":"{label}"}}"#);
        let edges: Vec<String> = ["b", "b", "c"].into_iter().zip(labels).map(edge).collect();
        let nodes = r#"{"id":"a"},{"id":"b"},{"id":"c"}"#;
        let text = format!(r#"{{"nodes":[{nodes}],"edges":[{}]}}"#, edges.join(","));
        answer(&format!("graph connected {} --best 1 --max", file("labels.json", &text)))
    };
    assert!(listed(["x", "y", "z"]).ends_with("weight 3: x y z\n"));
    assert!(listed(["x", "", ""]).ends_with("weight 3: x a-b#2 a-c\n"));
    for labels in [["x", "x", "z"], ["a-c", "y", ""]] {
        assert!(listed(labels).ends_with("weight 3: a-b a-b#2 a-c\n"), "{labels:?}");
    }
}

#[test]
fn paths_and_cycles_name_their_parallel_edges() {
    let graph = file("parallel.txt", "a b\na b\nb c\nb b\nb a\n");
    let out = answer(&format!("graph paths {graph} --from a --to c --list"));
    for edge in ["a-b", "a-b#2", "b-a#3"] {
        assert!(out.contains(&format!(": a - b - c ({edge})\n")), "{out}");
    }
    let out = answer(&format!("graph cycles {graph} --list"));
    assert!(out.contains(": b - b\n") && out.contains(" (a-b, a-b#2)\n"), "{out}");
    // Edges in opposite directions are not parallel.
    let out = answer(&format!("graph cycles {graph} --directed --list"));
    assert!(out.contains(" > a (a->b#2)\n") || out.contains(" > b (a->b#2)\n"), "{out}");
    assert!(!out.contains("b->a"), "{out}");
}

#[test]
fn graphs_without_edges_are_described_in_the_singular_and_without_a_sign() {
    let single = file("single.adjlist", "a\n");
    let out = answer(&format!("graph trees {single}"));
    assert!(out.contains(", 1 vertex and 0 edges\n1 solution\n"), "{out}");
    let out = answer(&format!("graph predict {single}"));
    assert!(!out.contains(" -0"), "{out}");
}
