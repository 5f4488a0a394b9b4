//! Numbers that are missing, and small files of the kinds that people have.

use crate::support::{answer, case, file, refused, topdd};

/// Command lines with a file after the family, and the answer with `--quiet`, or the best solution and its weight.
const VALUES: &[(&str, &str, &str)] = &[
    ("trees", "square.adjlist", "4"),
    ("cycles", "square.adjlist", "1"),
    ("trees", "square.s6", "4"),
    ("trees", "percent.edges", "3"),
    ("cycles", "slashes.txt", "1"),
    ("trees", "default.edgelist", "3"),
    ("trees", "both-directions.col", "3"),
    ("cycles", "both-directions.col", "1"),
    ("trees", "twice-announced.col", "3"),
    ("trees", "extra-word.col", "3"),
    ("trees", "comment.clq", "3"),
    ("trees --through Oslo,Bergen,Voss", "name.graphml", "1"),
    ("trees", "nan.graphml", "3"),
    ("cycles", "nan.graphml", "1"),
    ("trees", "empty-cell.csv", "3"),
    ("paths --from Moor --to Tal", "empty-cell.csv", "2"),
    ("reliability -p 0.5", "empty-cell.csv", "0.500000000000"),
    ("paths --from Moor --to Tal --best 1", "decimal-comma.csv", "19.75: Moor - See - Tal"),
    ("trees", "decimals.txt", "3"),
    ("trees --best 1", "decimals.txt", "3.5: a-b b-c"),
    ("trees", "roads.txt", "13006422498974375808252"),
    ("trees", "roads.json", "13006422498974375808252"),
    ("paths --from Town_0 --to Town_14 --at-most 11", "roads.txt", "571"),
    ("trees", "roads-small-weights.json", "13006422498974375808252"),
    (
        "paths --from 9000001 --to 9000003 --weight-attribute length --best 1",
        "streets.graphml",
        "2592.75: 9000001 > 9000002 > 9000003",
    ),
    ("trees --merge-directions --weight-attribute length", "streets.graphml", "7"),
];

/// Command lines with a file after the family, and words of the refusal.
const REFUSALS: &[(&str, &str, &[&str])] = &[
    (
        "info",
        "header-n-m.txt",
        &[
            "header-n-m.txt, line 1: `4 4` may be the numbers of vertices and edges",
            "add --format edges",
        ],
    ),
    (
        "info",
        "both-ends.txt",
        &["both-ends.txt, line 1: `a|b` has the sign `|`", "add --format csv"],
    ),
    ("info", "both-ends.txt --format csv", &["add one, such as from,to,weight"]),
    (
        "info",
        "triangle.hcp",
        &["triangle.hcp: the file is TSPLIB, which is not read", "graphml, json"],
    ),
    (
        "info",
        "wards.json",
        &["wards.json, line 1: the file is the adjacency JSON of networkx, which is not"],
    ),
    (
        "trees --best 1",
        "default.edgelist",
        &["default.edgelist, line 1: the edge a-b has no `weight`"],
    ),
    (
        "trees --best 1",
        "nan.graphml",
        &["nan.graphml, line 5: the edge b-c has the `weight` `nan`, which is not"],
    ),
    (
        "paths --best 1",
        "empty-cell.csv",
        &["empty-cell.csv, line 4: the edge See-Tal has no `km`; write it"],
    ),
    ("reliability -p weights", "empty-cell.csv", &["empty-cell.csv, line 4: the edge See-Tal"]),
    (
        "matchings --cost-at-most 13",
        "empty-cell.csv",
        &["empty-cell.csv, line 4: the edge See-Tal"],
    ),
];

#[test]
fn each_small_file_gives_its_value_or_is_refused() {
    let line = |family: &str, name: &str| match family.split_once(' ') {
        Some((family, options)) => format!("graph {family} {} {options}", case(name)),
        None => format!("graph {family} {}", case(name)),
    };
    for &(family, name, value) in VALUES {
        let is_best = family.contains("--best");
        let quiet = if is_best { "" } else { "--quiet" };
        let run = topdd(&format!("{} {quiet}", line(family, name)));
        let is_right = if is_best {
            run.out.ends_with(&format!("\nweight {value}\n"))
        } else {
            run.out.trim() == value
        };
        assert!(run.code == 0 && is_right, "{family} {name}: {run:?}");
    }
    for &(family, name, words) in REFUSALS {
        refused(1, &line(family, name), words);
    }
    // Both directions of a street are no parallel edges.
    let words = ["the edges 9000001->9000002 and 9000002->9000001 would", "--merge-directions"];
    refused(2, &line("trees", "streets.graphml"), &words);
    let roots =
        ["--columns", "from_bus,to_bus,r_ohm", "--roots", "变电站 A,变电站 B", "--best", "1"];
    let feeder =
        crate::support::command(&line("rooted-forests", "feeder.csv")).args(roots).output();
    let out = String::from_utf8(feeder.expect("it starts").stdout).expect("text");
    assert!(out.contains("\n69 solutions\n") && out.contains("\nweight 0.6: "), "{out}");
}

#[test]
fn vertex_tables_name_their_own_file_and_line() {
    let (graph, table) = (case("chance.txt"), case("chance-missing.csv"));
    let words = ["chance-missing.csv, line 3: the vertex b has no `weight`; write it"];
    for family in [
        "reliability -p 0.9 --vertex-p weights",
        "vertex-covers --best 1",
        "b-matchings -b weights",
    ] {
        let (family, options) = family.split_once(' ').expect("options");
        let line = format!("graph {family} {graph} --vertices {table} {options}");
        refused(1, &line, &words);
    }
    // The table is right for what needs no weights.
    assert_eq!(answer(&format!("graph trees {graph} --vertices {table} -q")), "1\n");
    let high = file("high.csv", "name,weight\na,0.9\nb,2\nc,0.9\n");
    let line = format!("graph reliability {graph} --vertices {high} -p 1 --vertex-p weights");
    refused(1, &line, &["high.csv, line 3: the weight 2 of the vertex b is no probability"]);
}

#[test]
fn info_adds_decimals_and_names_a_missing_weight() {
    let decimals = case("decimals.txt");
    assert!(answer(&format!("graph info {decimals}")).ends_with("\nweight      6.5 in all\n"));
    let json = |path: &str| {
        let out = topdd(&format!("graph info {path} --json")).out;
        serde_json::from_str::<serde_json::Value>(&out).expect("JSON")
    };
    assert_eq!(json(&decimals)["weight"], "6.5");
    assert_eq!(json(&case("chance.txt"))["weight"], serde_json::Value::Null);
    let missing = json(&case("empty-cell.csv"));
    let why = missing["weight_error"].as_str().expect("a reason");
    assert!(missing["weight"].is_null() && why.ends_with("the edge See-Tal has no `km`; write it"));
    let out = topdd(&format!("graph info {}", case("empty-cell.csv"))).out;
    assert!(out.contains("\nweight      unknown: ") && out.contains("line 4"), "{out}");
}

#[test]
fn decimal_commas_are_named_and_read_by_an_option() {
    let tabs = file("comma.tsv", "from\tto\tkm\na\tb\t1,5\nb\tc\t0,25\n");
    refused(
        1,
        &format!("graph trees {tabs} --best 1"),
        &["comma.tsv, line 2: ", "add --decimal-comma"],
    );
    let best = topdd(&format!("graph trees {tabs} --best 1 --decimal-comma")).out;
    assert!(best.contains("\nweight 1.75: a-b b-c\n"), "{best}");
    let commas = file("commas.csv", "from,to,km\na,b,4\n");
    let words = ["the table has a single column", "leave out --decimal-comma"];
    refused(1, &format!("graph trees {commas} --best 1 --decimal-comma"), &words);
}

#[test]
fn units_in_cells_are_no_numbers() {
    for (name, text) in [
        ("u.csv", "from,to,km\na,b,1\nb,c,3 m\n"),
        ("u.csv", "from,to,far\na,b,1 m\nb,c,3 m\n"),
        ("u.tsv", "from\tto\tfar\na\tb\t1\nb\tc\t3 m\nc\td\t2\n"),
    ] {
        let path = file(name, text);
        assert_eq!(topdd(&format!("graph trees {path} -q")).out, "1\n");
        let words = ["a number with a unit; write the number alone"];
        refused(1, &format!("graph trees {path} --best 1"), &words);
    }
}

#[test]
fn weights_that_are_half_unreadable_are_refused_and_not_taken_as_ones() {
    for text in [
        "from,to,strength\na,b,30\nb,c,n/a\n",
        "from,to,strength\na,b,30\nb,c,\n",
        "from,to,strength\na,b,\nb,c,\n",
    ] {
        let path = file("half.csv", text);
        assert_eq!(answer(&format!("graph trees {path} --count-only -q")), "1\n");
        let words = [if text.contains("30") { "line 3: " } else { "line 2: " }, "`strength`"];
        refused(1, &format!("graph trees {path} --best 1"), &words);
    }
    let edges = file("half.txt", "a b\n");
    let people = file("people.csv", "name,people\na,30\nb,?\n");
    let words = ["people.csv, line 3: the vertex b has the `people` `?`"];
    refused(1, &format!("graph vertex-covers {edges} --vertices {people} --best 1"), &words);
    let wards = file("wards.csv", "ward,pop\na,30\nb,3 m\n");
    assert_eq!(answer(&format!("graph trees {edges} --vertices {wards} -q")), "1\n");
}

#[test]
fn weights_of_a_table_with_decimals_take_the_place_of_those_of_the_graph() {
    let graph = file("n.col", "p edge 3 2\nn 1 1\nn 2 9\nn 3 1\ne 1 2\ne 2 3\n");
    let table = file("n.csv", "name,weight\n1,3\n2,0.5\n3,3\n");
    let best = topdd(&format!("graph vertex-covers {graph} --vertices {table} --best 1")).out;
    assert!(best.contains("\nweight 0.5: 2\n"), "{best}");
    // A table of positions is not where a weight of the graph is wrong.
    let json = "{\"nodes\": [{\"id\": \"a\", \"weight\": 1},\n{\"id\": \"b\"}], \"edges\": []}";
    let graph = file("n.json", json);
    let positions = file("positions.csv", "name,x,y\na,1,2\nb,3,4\n");
    let line = format!("graph vertex-covers {graph} --vertices {positions} --best 1");
    for line in [line.clone(), format!("{line} --format json")] {
        let run = topdd(&line);
        let is_right = run.err.contains("the vertex b has no `weight`")
            && run.err.contains("n.json")
            && !run.err.contains("positions.csv, ")
            && !run.err.contains("positions.csv: the vertex");
        assert!(run.code == 1 && is_right, "{run:?}");
    }
}

#[test]
fn empty_files_of_graphs_are_refused() {
    for name in ["e.txt", "e.csv", "e.col", "e.metis", "e.graphml", "e.json", "e.adjlist"] {
        let path = file(name, "\n");
        refused(1, &format!("graph trees {path}"), &[name, "the file is empty"]);
        assert!(!topdd(&format!("graph info {path}")).err.contains("hint: "), "{name}");
    }
    refused(1, "graph trees - --format edges", &["standard input: the file is empty"]);
}

#[test]
fn a_name_in_two_forms_of_unicode_is_noted() {
    let path = file("forms.txt", "Z\u{fc}rich Bern\nZu\u{308}rich Chur\n");
    let run = topdd(&format!("graph forests {path}"));
    let note = r"note: FILE: `Z\u{fc}rich` and `Zu\u{308}rich` are the same name in two forms";
    assert!(run.err.contains(&note.replace("FILE", &path)), "{run:?}");
    assert!(!topdd(&format!("graph forests {path} -q")).err.contains("note"));
}

/// What needs the weights of edges, or of vertices.
const NEEDS_EDGES: &[&str] = &[
    "trees --best 1",
    "trees --best 1 --max",
    "matchings --cost-at-most 9",
    "reliability -p weights",
];
const NEEDS_VERTICES: &[&str] = &[
    "vertex-covers --best 1",
    "cliques --cost-at-least 1",
    "partitions -k 2 --min-weight 1",
    "partitions -k 2 --max-weight 9",
    "b-matchings -b weights",
    "factors -b weights",
    "reliability -p 0.5 --vertex-p weights",
];

/// A format: the name of a file, and a triangle whose numbers, with what belongs to them, are in `«` and `»`.
struct Format {
    name: &'static str,
    text: &'static str,
    needs: &'static [&'static str],
    /// Options of all commands.
    options: &'static str,
}

const FORMATS: &[Format] = &[
    Format {
        name: "f.txt", text: "a b« 1»\nb c« 1»\nc a« 1»\n", needs: NEEDS_EDGES, options: ""
    },
    Format {
        name: "f.csv",
        text: "from,to,km\na,b,«1»\nb,c,«1»\nc,a,«1»\n",
        needs: NEEDS_EDGES,
        options: "",
    },
    Format {
        name: "named.csv",
        text: "from,to,km,toll\na,b,9,«1»\nb,c,9,«1»\nc,a,9,«1»\n",
        needs: &["reliability --p-attribute toll", "trees --best 1 --weight-attribute toll"],
        options: "",
    },
    Format {
        name: "f.tsv",
        text: "from\tto\tw\na\tb\t«1»\nb\tc\t«1»\nc\ta\t«1»\n",
        needs: NEEDS_EDGES,
        options: "",
    },
    Format {
        name: "f.edgelist",
        text: "a b {«'weight': 1»}\nb c {«'weight': 1»}\nc a {«'weight': 1»}\n",
        needs: NEEDS_EDGES,
        options: "",
    },
    Format {
        name: "e.col",
        text: "p edge 3 3\ne 1 2« 1»\ne 2 3« 1»\ne 3 1« 1»\n",
        needs: NEEDS_EDGES,
        options: "",
    },
    Format {
        name: "v.col",
        text: "p edge 3 3\n«n 1 1»\n«n 2 1»\n«n 3 1»\ne 1 2\ne 2 3\ne 3 1\n",
        needs: NEEDS_VERTICES,
        options: "",
    },
    Format {
        name: "e.gr",
        text: "p sp 3 3\na 1 2« 1»\na 2 3« 1»\na 3 1« 1»\n",
        needs: NEEDS_EDGES,
        options: "--undirected",
    },
    Format {
        name: "e.metis",
        text: "3 3 1\n2 «1» 3 «1»\n1 «1» 3 «1»\n1 «1» 2 «1»\n",
        needs: NEEDS_EDGES,
        options: "",
    },
    Format {
        name: "v.metis",
        text: "3 3 10\n«1» 2 3\n«1» 1 3\n«1» 1 2\n",
        needs: NEEDS_VERTICES,
        options: "",
    },
    Format {
        name: "e.graphml",
        text: "<graphml><graph edgedefault=\"undirected\">\n<node id=\"a\"/><node id=\"b\"/><node id=\"c\"/>\n\
            <edge source=\"a\" target=\"b\">«<data key=\"p\">1</data>»</edge>\n\
            <edge source=\"b\" target=\"c\"><data key=\"p\">«1»</data></edge>\n\
            <edge source=\"c\" target=\"a\">«<data key=\"p\">1</data>»</edge>\n</graph></graphml>\n",
        needs: NEEDS_EDGES,
        options: "--weight-attribute p",
    },
    Format {
        name: "v.graphml",
        text: "<graphml><graph edgedefault=\"undirected\">\n<node id=\"a\">«<data key=\"weight\">1</data>»</node>\n\
            <node id=\"b\"><data key=\"weight\">«1»</data></node>\n<node id=\"c\">«<data key=\"weight\">1</data>»</node>\n\
            <edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"c\"/><edge source=\"c\" target=\"a\"/>\n\
            </graph></graphml>\n",
        needs: NEEDS_VERTICES,
        options: "",
    },
    Format {
        name: "e.json",
        text: "{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"c\"}], \"edges\": [\n\
            {\"source\": \"a\", \"target\": \"b\"«, \"weight\": 1»},\n{\"source\": \"b\", \"target\": \"c\"«, \"weight\": 1»},\n\
            {\"source\": \"c\", \"target\": \"a\"«, \"weight\": 1»}]}\n",
        needs: NEEDS_EDGES,
        options: "",
    },
    Format {
        name: "v.json",
        text: "{\"nodes\": [\n{\"id\": \"a\"«, \"TOTPOP\": 1»},\n{\"id\": \"b\"«, \"TOTPOP\": 1»},\n{\"id\": \"c\"«, \"TOTPOP\": 1»}\n\
            ], \"edges\": [{\"source\": \"a\", \"target\": \"b\"}, {\"source\": \"b\", \"target\": \"c\"},\n\
            {\"source\": \"c\", \"target\": \"a\"}]}\n",
        needs: NEEDS_VERTICES,
        options: "--weight-attribute TOTPOP",
    },
    Format {
        name: "towns.csv",
        text: "name,population\na,«1»\nb,«1»\nc,«1»\n",
        needs: NEEDS_VERTICES,
        options: "--vertices towns.csv",
    },
];

/// For each of the numbers, the text without it, and the line where it was.
fn without_one(text: &str) -> impl Iterator<Item = (String, usize)> {
    let count = text.matches('«').count();
    (0..count).map(move |left_out| {
        let parts = text.split(['«', '»']).enumerate();
        let line = text.split('«').take(left_out + 1).collect::<String>().matches('\n').count() + 1;
        let kept = parts.filter(|(at, _)| *at != 2 * left_out + 1);
        (kept.map(|(_, part)| part).collect(), line)
    })
}

#[test]
fn a_number_left_out_is_refused_with_its_place_in_each_format() {
    for Format { name, text, needs, options } in FORMATS {
        let graph = file("triangle.txt", "a b\nb c\nc a\n");
        let write = |text: &str| {
            let path = file(name, text);
            match options.strip_prefix("--vertices ") {
                Some(_) => (graph.clone(), format!("--vertices {path}")),
                None => (path, (*options).to_owned()),
            }
        };
        let line = |need: &str, text: &str| {
            let ((path, options), (family, more)) = (write(text), need.split_once(' ').unwrap());
            format!("graph {family} {path} {options} {more}")
        };
        let complete: String = text.split(['«', '»']).collect();
        for need in *needs {
            let run = topdd(&line(need, &complete));
            assert_eq!(run.code, 0, "{need} {name}: {run:?}");
            for (number, (text, at)) in without_one(text).enumerate() {
                let vertex = format!("{name}: the vertex {} has no `weight`", number + 1);
                let place = format!("{name}, line {at}: ");
                let words = match *name {
                    "v.col" => &vertex,
                    // The next number is taken for the weight, and the lists do not agree.
                    "v.metis" => "v.metis, line ",
                    _ => &place,
                };
                refused(1, &line(need, &text), &[words]);
            }
        }
        // What needs no number is answered; METIS and `p sp` have a place for each number.
        let has_places = name.ends_with("metis") || name.ends_with("gr");
        for (text, _) in without_one(text).filter(|_| !has_places) {
            assert_eq!(topdd(&line("trees -q", &text)).out, "3\n", "{name}: {text}");
        }
    }
}

#[test]
fn a_graph_without_any_number_still_weighs_one_each() {
    let graph = file("ones.txt", "a b\nb c\nc a\n");
    let run = topdd(&format!("graph trees {graph} --best 1"));
    assert!(run.out.contains("\nweight 2: "), "{run:?}");
    let run = topdd(&format!("graph partitions {graph} -k 2 --min-weight 2 -q"));
    assert_eq!((run.code, &run.out[..]), (0, "0\n"));
    // A column of weights without any is no such graph.
    let empty = file("none.csv", "from,to,km\na,b,\nb,c,\n");
    refused(
        1,
        &format!("graph trees {empty} --best 1"),
        &["none.csv, line 2: the edge a-b has no `km`"],
    );
}

#[test]
fn sums_beyond_64_bits_are_refused_where_a_bound_needs_them() {
    let big = file("big.txt", "a b 9000000000000000000\nb c 9000000000000000000\n");
    let too_large = ["the weights are too large"];
    refused(2, &format!("graph forests {big} --cost-at-least 1"), &too_large);
    assert_eq!(answer(&format!("graph forests {big} --cost-at-most 1 --quiet")), "1\n");
    let vertices =
        file("big.csv", "name,weight\na,9000000000000000000\nb,9000000000000000000\nc,1\n");
    let sets = format!("graph independent-sets {big} --vertices {vertices}");
    refused(2, &format!("{sets} --cost-at-least 1"), &too_large);
}
