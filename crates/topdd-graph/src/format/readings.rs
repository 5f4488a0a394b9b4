//! Tests with files that earlier versions misread: mixed separators, words between the ends, first rows, comments.

use proptest::collection::vec;
use proptest::prelude::*;

use super::cases::named;
use super::*;

/// Name, content, and the edges as `a-b`, with `:weight` if they have weights, or the words of the refusal after `!`.
type Reading = (&'static str, &'static str, &'static str);

const READINGS: &[Reading] = &[
    // Blanks and another separator.
    ("a.txt", "1 2,4\n2 1,3\n3 2,4\n4 1,3\n", "!has the sign `,`"),
    ("a.txt", "a b 3,5\nb c 4,5\n", "a-b b-c without the weight of line 1"),
    ("a.txt", "a b\t3\nb c\t4\n", "a-b:3 b-c:4"),
    ("a.tsv", "a b\t3\nb c\t4\n", "!is no row of names of columns"),
    ("a.csv", "a b,c\nb a,c\n", "!is no row of names of columns"),
    ("a.csv", "New York,1\nLos Angeles,2\nNew Jersey,2\n", "!is no row of names of columns"),
    ("a.txt", "1 2\t4\n2 3\t1\n", "1-2:4 2-3:1"),
    (
        "a.txt",
        "% sym weighted\n1 2\t1\t115\n2 3\t1\t116\n",
        "!may be the numbers of vertices and edges",
    ),
    ("a.txt", "1 2;\n2 3;\n3 1;\n", "!has the sign `;`"),
    ("a.txt", "1,2;\n2,3;\n3,1;\n", "!has the sign `,`"),
    ("a.txt", "a b;\nb c;\nc a;\n", "!has the sign `;`"),
    ("a.txt", "1:2 4\n2:1 3\n", "!may be a vertex and its weight"),
    ("a.txt", "1:2,4\n2:1,3\n", "!has the sign `,`"),
    ("a.txt", "a:b c\nb:a\n", "!write a blank after the `:`"),
    ("a.txt", "x:1 x:2\nx:2 y:1\n", "x:1-x:2 x:2-y:1"),
    ("a.txt", "0,0;0,1\n0,1;1,1\n", "!has the sign `,`"),
    ("a.txt", "Room 1,Room 2\nRoom 2,Room 3\n", "!has the sign `,`"),
    ("a.csv", "time,from,to\n10:30,1,2\n9 30,2,3\n", "1-2 2-3 without the weight of line 2"),
    // A word between the ends.
    ("a.txt", "1 \u{2192} 2\n2 \u{2192} 3\n", "!with a word between"),
    ("a.txt", "1 <--> 2\n2 <--> 3\n", "!with a word between"),
    ("a.txt", "1 to 2\n2 to 3\n", "!with a word between"),
    ("a.txt", "1 pp 2\n2 pd 3\n3\n", "!with a word between"),
    ("a.txt", "1,pp,2\n2,pp,3\n", "!has the sign `,`"),
    ("a.txt", "a hub 5\nb hub 7\n", "a-hub:5 b-hub:7"),
    ("a.sif", "1 pp 2\n2 pd 3 4\n5\n", "!the file is SIF, which is not read"),
    (
        "a.sif",
        "New York\tpp\tReno\nReno\tpd\tNew York\tBern\n",
        "!the file is SIF, which is not read",
    ),
    ("a.txt", "edge 1 2\nedge 2 3\n", "!with a word before"),
    ("a.txt", "a to b\nb to c\n", "!such as 1,3"),
    ("a.txt", "New York 5\nReno 3\n", "!names with blanks"),
    ("a.txt", "1-2 5\n2-3 4\n", "!may be a vertex and its weight"),
    ("a.txt", "1. 2 3\n2. 1 3\n", "!has the sign `.`"),
    ("a.txt", "0) 1 2\n1) 0 2\n2) 0 1\n", "!has the sign `)`"),
    ("a.txt", "A->B: 5\nB->C: 3\n", "!has the sign `:`"),
    ("a.csv", "edge,weight\na-b,3\nb-c,4\n", "!none of them are usual names"),
    ("a.csv", "source,target\n#1,#2\n#2,#3\n", "#1-#2 #2-#3"),
    ("a.txt", "a\tb,3\nb\tc,4\n", "!has the sign `,`"),
    ("a.txt", "a:\n  - b\n  - c\nb:\n  - a\n", "!has the sign `:`"),
    ("a.txt", "edges:\n- [a, b]\n- [b, c]\n", "!has the sign `:`"),
    ("a.txt", "a-b\n {x}\n", "!has the sign `{`"),
    ("a.csv", "1,2\n,{x}\n", "!is no row of names of columns"),
    // Lists as Python prints them.
    ("a.txt", "a: ['b', 'c']\nb: ['a']\nc: ['a']\n", "!has the sign `:`"),
    (
        "a.txt",
        "'New York': ['Reno', 'Los Angeles'],\n'Reno': [],\n'Los Angeles': []\n",
        "!has the sign `:`",
    ),
    ("a.txt", "(0, 0): [(0, 1), (1, 0)]\n(0, 1): []\n(1, 0): []\n", "!has the sign `(`"),
    ("a.txt", "1: {2, 3}\n2: {1}\n3: {1}\n", "!has the sign `:`"),
    ("a.txt", "1: [2 3]\n2: [3]\n", "!has the sign `:`"),
    ("a.txt", "0: {1: {}, 3: {}}\n1: {0: {}}\n3: {0: {}}\n", "!has the sign `:`"),
    ("a.txt", "a: {'b': 3, 'c': 4}\nb: {'a': 3}\n", "!has the sign `:`"),
    ("a.txt", "1: 2(5) 3(7)\n2: 3(1)\n", "!has the sign `:`"),
    ("a.txt", "n:a: n:b n:c\nn:b:\nn:c:\n", "!has the sign `:`"),
    // Numbers of columns.
    ("a.csv", "0,1,2\na,b,3\nb,c,4\n", "!is no row of names of columns"),
    ("a.csv", "0,1\na,b\nb,c\nc,d\n", "!is no row of names of columns"),
    ("a.csv", ",0,1\n0,a,b\n1,b,c\n", "!is no row of names of columns"),
    ("a.csv", ",0,1,2\n0,a,b,3\n1,b,c,4\n", "!is no row of names of columns"),
    ("a.csv", "0,1\n1,2\n2,3\n", "!is no row of names of columns"),
    // Names of columns.
    ("a.csv", "person,friend\nann,bob\ncid,dan\n", "!none of them are usual names"),
    (
        "a.csv",
        "city_a,city_b\nOslo,Bergen\nParis,Lyon\nLyon,Nice\n",
        "!none of them are usual names",
    ),
    ("a.csv", "u,v\n1,2\n", "!none of them are usual names"),
    ("a.csv", "u,v\n1,2\n2,3\n", "!none of them are usual names"),
    ("a.txt", "id1 id2\n5 6\n", "!the names of columns"),
    ("a.txt", "city other\n1 2\n2 3\n", "!may be the names of columns"),
    ("a.csv", "person,group\nann,1\nbob,2\n", "!none of them are usual names"),
    ("a.csv", "a,b\nb,c\n", "!is no row of names of columns"),
    ("a.csv", "a,b,NA\nb,c,4\n", "!is no row of names of columns"),
    ("a.csv", "sep=;\nfrom;to;km\na;b;3\nb;c;4\n", "a-b:3 b-c:4"),
    ("a.csv", "My network,\nfrom,to\na,b\nb,c\n", "!is no row of names of columns"),
    ("a.csv", "My network\nfrom,to\na,b\nb,c\n", "!names 1 columns"),
    ("a.md", "| city | town |\n|---|---|\n| a | b |\n| b | c |\n", "!has the sign `|`"),
    // Matrices below the names of their columns.
    ("a.csv", "Oslo,Bergen,Voss\n0,1,1\n1,0,1\n1,1,0\n", "!none of them are usual names"),
    ("a.csv", "Oslo,Bergen,Voss\n0,1,1\n0,0,1\n1,1,0\n", "!none of them are usual names"),
    ("a.csv", "0,1,2\n0,1,1\n1,0,1\n1,1,0\n", "!is no row of names of columns"),
    ("a.csv", "from,to,km\n0,1,1\n1,0,1\n1,2,0\n", "0-1:1 1-0:1 1-2:0"),
    ("a.txt", "p q km\n1 2 3\n2 3 4\n3 1 5\n", "!may be the names of columns"),
    ("a.txt", "0 5 3\n2 0 4\n1 6 0\n", "!may be a row of a matrix"),
    // Vertices that begin as comments do.
    ("a.csv", "source,target,weight\n#a,#b,3\n#b,c,2\nd,#a,1\n", "#a-#b:3 #b-c:2 d-#a:1"),
    ("a.csv", "source,target,weight\n\"#a\",\"#b\",3\nd,\"#a\",1\n", "#a-#b:3 d-#a:1"),
    ("a.txt", "a #b\n#b c\nc a\n", "!may be a vertex or a comment"),
    ("a.txt", "a\t#b\tx\n", "!may be a vertex or a comment"),
    ("a.txt", "a # alone\nb c # two\n", "b-c"),
    // Sizes, and small files that are edges.
    ("a.txt", "3 6\n1 2\n2 3\n1 3\n", "!may be the numbers of vertices and edges"),
    ("a.txt", "3 2\n2 1\n", "3-2 2-1"),
    ("a.txt", "7 9\n9 8\n", "7-9 9-8"),
    // Sizes with a third number.
    ("a.txt", "4 5 0\n1 2\n2 3\n3 4\n4 1\n1 3\n", "!may be the numbers of vertices and edges"),
    ("a.txt", "5 5 9\n1 2\n2 3\n3 4\n4 5\n5 1\n", "!may be the numbers of vertices and edges"),
    ("a.txt", "3 3 0\n1 2\n", "!leave the line out"),
    ("a.txt", "3 2 1\na b\nb c\n", "!leave the line out"),
    ("a.txt", "1 2 5\n2 3\n3 4\n", "1-2 2-3 3-4 without the weight of line 2"),
    ("a.txt", "5 4 1\n0 1 10\n1 2 20\n2 3 30\n3 4 40\n", "!leave the line out"),
    ("a.txt", "3\n0 5 3\n5 0 4\n3 4 0\n", "!may be a row of a matrix"),
    ("a.csv", "Unnamed: 0,from,to\n0,a,b\n1,b,c\n", "a-b b-c"),
    // Numbers that pandas wrote with decimals.
    ("a.csv", "source,target\n1,2.0\n2,3.0\n3,1.0\n", "1-2 2-3 3-1"),
    ("a.csv", "source,target\n1,2.5\n2,3.0\n", "1-2.5 2-3.0"),
    ("a.txt", "1.0 2\n2 3.0\n", "1-2 2-3"),
];

/// The edges of a file, with the weights.
fn shown(file: &GraphFile) -> String {
    let graph = &file.graph;
    let edge = |(at, &(a, b)): (usize, &(usize, usize))| {
        let weight = file.edges.numbers.as_ref().map(|numbers| format!(":{}", numbers[at]));
        format!("{}-{}{}", graph.vertex_name(a), graph.vertex_name(b), weight.unwrap_or_default())
    };
    let error = file.edges.weight_error.as_ref().and_then(FormatError::line);
    let error = error.map(|line| format!("without the weight of line {line}"));
    graph.edges().iter().enumerate().map(edge).chain(error).collect::<Vec<_>>().join(" ")
}

#[test]
fn no_file_is_read_as_something_else() {
    let mut wrong = Vec::new();
    for &(name, text, expected) in READINGS {
        let found = match named(name, text) {
            Ok(file) => shown(&file),
            Err(error) => format!("!{error}"),
        };
        let is_right = match expected.strip_prefix('!') {
            Some(words) => found.starts_with('!') && found.contains(words),
            None => found == expected,
        };
        if !is_right {
            wrong.push(format!("{name}: {text:?}: {found}\n    expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_format_edges_reads_what_may_be_something_else() {
    for text in [
        "u v\n1 2\n",
        "1 pp 2\n2 pd 3\n",
        "4 4\n1 2\n",
        "1 2 4\n2 1 3\n3 2 4\n4 1 3\n",
        "1-2 5\n",
        "a\n",
    ] {
        let error = named("a.txt", text).unwrap_err();
        assert!(error.remedies().iter().any(|remedy| match remedy {
            Remedy::Format(formats) => formats.contains(&GraphFormat::EdgeList),
            _ => false,
        }));
        let options = GraphReadOptions {
            unchecked_weights: true,
            merge_directions: Some(false),
            ..GraphReadOptions::default()
        };
        let file = read(text.as_bytes(), GraphFormat::EdgeList, &options).unwrap();
        let rows = text.lines().filter(|line| line.contains([' ', '-'])).count();
        assert_eq!(file.graph.num_edges(), rows, "{text}");
    }
}

#[test]
fn columns_are_chosen_by_name_and_by_number() {
    let table = "road,city,town\nA1,Bern,Basel\nA2,Basel,Chur\n";
    let edges = |name: &str, text: &str, columns: &[&str]| {
        let options = GraphReadOptions {
            columns: columns.iter().copied().map(str::to_owned).collect(),
            ..GraphReadOptions::default()
        };
        read_named(name, text.as_bytes(), &options).map(|file| file.graph.num_edges())
    };
    assert!(edges("a.csv", table, &[]).unwrap_err().to_string().contains("usual names"));
    assert_eq!(edges("a.csv", table, &["2", "3"]), Ok(2));
    assert_eq!(edges("a.csv", table, &["city", "town"]), Ok(2));
    let rows = "A1,Bern,Basel\nA2,Basel,Chur\n";
    let error = edges("a.csv", rows, &["2", "3"]).unwrap_err().to_string();
    assert!(error.contains("is no row of names"), "{error}");
    assert_eq!(edges("a.txt", "1 x 2 5\n2 y 3 7\n", &["1", "3", "4"]), Ok(2));
    let error = edges("a.txt", "1 x 2 5\n", &["x", "3"]).unwrap_err().to_string();
    assert!(error.contains("has no column `x`"), "{error}");
}

#[cfg(feature = "json")]
#[test]
fn json_without_directed_has_edges_in_both_directions() {
    let json = |head: &str| {
        let text = format!(
            r#"{{{head}"nodes": [{{"id": 1}}, {{"id": 2}}], "links": [{{"source": 1, "target": 2, "value": 3}},
                {{"source": 2, "target": 1, "value": 3}}]}}"#
        );
        named("a.json", &text).unwrap()
    };
    let file = json("");
    assert_eq!((file.graph.num_edges(), file.notes.len()), (1, 1));
    assert_eq!(file.edges.attributes, ["value"]);
    assert_eq!(json(r#""directed": false, "#).graph.num_edges(), 2);
    assert_eq!(json(r#""directed": true, "#).graph.num_edges(), 2);
}

#[test]
fn directed_metis_has_both_directions() {
    let options = GraphReadOptions { directed: Some(true), ..GraphReadOptions::default() };
    let file = read(b"3 2 1\n2 5\n1 5 3 7\n2 7\n", GraphFormat::Metis, &options).unwrap();
    assert_eq!(file.graph.edges(), [(0, 1), (1, 0), (1, 2), (2, 1)]);
    assert_eq!(file.edges.lines, [2, 3, 3, 4].map(Some));
    assert_eq!(file.graph.weights(), Some(&[5, 5, 7, 7][..]));
}

#[cfg(feature = "graphml")]
#[test]
fn graphml_leaves_out_positions_that_are_no_numbers() {
    let text = |x: &str| {
        format!(
            "<graphml><graph edgedefault=\"undirected\"><node id=\"n0\"><data key=\"x\">{x}</data>\
             <data key=\"y\">1</data><data key=\"label\">Bern</data></node></graph></graphml>"
        )
    };
    let options =
        GraphReadOptions { label_attribute: Some("id".to_owned()), ..GraphReadOptions::default() };
    for (x, are_there) in [("nan", false), ("left", false), ("2", true)] {
        let file = read(text(x).as_bytes(), GraphFormat::GraphMl, &options).unwrap();
        assert_eq!(file.graph.positions().is_some(), are_there, "{x}");
        assert_eq!(file.graph.vertex("n0"), Some(0));
    }
    assert_eq!(named("a.graphml", &text("1")).unwrap().graph.vertex("Bern"), Some(0));
}

/// Parts of rows, with all signs that have a meaning.
const PARTS: &[&str] = &[
    "\n",
    "\n",
    " ",
    "\t",
    ",",
    ";",
    "|",
    "a",
    "b",
    "0",
    "1",
    "2.0",
    "-1",
    "->",
    "-",
    ":",
    ": ",
    "#",
    "#a",
    "%",
    "//",
    "\"",
    "'",
    "{",
    "}",
    " {}",
    " {'weight': 2}",
    "[",
    "]",
    "(",
    ")",
    "from",
    "to",
    "weight",
    "id",
    "sep=;",
    "=",
    ".",
    "\u{e5}",
];

proptest! {
    #[test]
    fn rows_of_any_parts_do_not_panic(
        parts in vec(prop::sample::select(PARTS), 0..24),
        name in prop::sample::select(&["a.txt", "a.csv", "a.tsv", "a.sif", "a.adjlist", "a.edges"][..]),
    ) {
        let text = parts.concat();
        let _ = named(name, &text);
        for format in [GraphFormat::EdgeList, GraphFormat::Csv, GraphFormat::AdjacencyList] {
            let options = GraphReadOptions { columns: ["1", "2"].map(str::to_owned).to_vec(), ..GraphReadOptions::default() };
            let _ = read(text.as_bytes(), format, &options);
        }
    }
}
