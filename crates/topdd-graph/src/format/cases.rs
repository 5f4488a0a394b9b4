//! Tests with files as networkx, igraph, scipy, pandas and people write them: each is read as its author meant it, or
//! refused.

use super::*;

pub(super) fn named(name: &str, text: &str) -> Result<GraphFile, FormatError> {
    let options = GraphReadOptions {
        decimal_weights: true,
        unchecked_weights: true,
        ..GraphReadOptions::default()
    };
    read_named(name, text.as_bytes(), &options)
}

/// Name, content, vertices, edges, and a word of the note; no note if that is empty.
type Readable = (&'static str, &'static str, [usize; 2], &'static str);

const PAIRS: &str = "in both directions";

const READABLE: &[Readable] = &[
    // Lists of neighbours.
    ("a.adjlist", "#gen.py\n# GMT Thu Nov 26 2026\n# \n0 1 3\n1 2\n2 3\n3\n", [4, 4], ""),
    ("a.txt", "0 1\n1 2\n2 3\n3\n", [4, 3], ""),
    ("a.adjlist", "1 2 4\n2 1 3\n3 2 4\n4 1 3\n", [4, 4], PAIRS),
    // networkx states its name in the first lines, and writes a line for each vertex.

    // Edges with weights.
    ("a.txt", "1 2 5\n2 3 4\n3 1 7\n", [3, 3], ""),
    ("a.txt", "1 2 10\n2 3\n3 1 20\n", [3, 3], ""),
    ("a.txt", "0\n1\n2\n0 1 2\n", [3, 1], ""),
    ("a.edges", "1 2 1\n2 3\n3 4 2\n", [4, 3], ""),
    // First rows with sizes.
    ("a.txt", "5 5\n1 2\n2 5\n1 1\n", [3, 4], ""),
    // Comments and separators.
    ("a.edges", "%\n1 2\n2 3\n3 1\n", [3, 3], ""),
    ("a.txt", "// edges\n1 2 // first\n2 3 % second\n3 1 # third\n", [3, 3], ""),
    ("a.txt", "\"New York\" \"Los Angeles\" 3\n", [2, 1], ""),
    ("a.txt", "(0, 0) (0, 1) {}\n(0, 1) (1, 1) {}\n", [3, 2], ""),
    ("a.txt", "\u{feff}a b\r\nb c\r\n", [3, 2], ""),
    // The default of networkx.
    ("a.edgelist", "a b {}\nb c {'weight': 2}\nc a {}\n", [3, 3], ""),
    ("a.edgelist", "x y {'weight': nan}\nx z {'weight': inf}\n", [3, 2], ""),
    // Names of columns.

    // Whole numbers as NumPy and pandas write them.
    (
        "a.txt",
        "0.000e+00 1.000e+00\n1.000e+00 2.000e+00\n2.000e+00 3.000e+00\n",
        [4, 3],
        "whole numbers",
    ),
    ("a.csv", "source,target\n1.0,2.0\n2.0,3.0\n", [3, 2], "whole numbers"),
    ("a.txt", "1.5 2.0\n2.0 3.0\n", [3, 2], ""),
    // Edges in both directions.
    ("a.col", "p edge 3 6\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 1 3\ne 3 1\n", [3, 3], PAIRS),
    ("a.txt", "a b 3\nb a 3\nb c 4\nc b 4\n", [3, 2], PAIRS),
    ("a.txt", "a b\na b\nb c\nb b\nb a\n", [3, 5], ""),
    ("a.txt", "a b\nb a\nb c\nc b\nc d\n", [4, 5], "parallel edges"),
    // DIMACS by content and other endings.
    ("a.col", "p edge 3 6\ne 2 1\ne 3 1\ne 3 2\n", [3, 3], "edges twice"),
    ("a.col", "p edge 3 3 72\ne 2 1\ne 3 1\ne 3 2\n", [3, 3], "one word more"),
    ("a.clq", "c a comment\np edge 3 3\ne 1 2\ne 2 3\ne 1 3\n", [3, 3], ""),
    ("a.gr", "c of PACE\np tw 4 3\n1 2\n2 3\n3 4\n", [4, 3], ""),
    // A first row that is an edge to itself, or sizes that are wrong.
    ("a.txt", "3 3\n1 2\n2 2\n3 1\n4 1\n", [4, 5], ""),
];

#[test]
fn files_are_read_as_their_author_meant_them() {
    let mut wrong = Vec::new();
    for &(name, text, sizes, note) in READABLE {
        match named(name, text) {
            Ok(file) => {
                let found = [file.graph.num_vertices(), file.graph.num_edges()];
                let notes: Vec<String> = file.notes.iter().map(Note::to_string).collect();
                let is_noted = notes.iter().any(|n| n.contains(note));
                if found != sizes
                    || notes.is_empty() != note.is_empty()
                    || !(is_noted || note.is_empty())
                {
                    wrong.push(format!("{name}: {text:?}: {found:?} {notes:?}"));
                }
            }
            Err(error) => wrong.push(format!("{name}: {text:?}: !{error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[cfg(feature = "csv")]
#[test]
fn tables_are_read_by_their_names() {
    let weights = |name: &str, text: &str| {
        let file = named(name, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(file.graph.num_vertices(), 3, "{text}");
        file.edges.numbers
    };
    for (name, text, expected) in [
        ("a.csv", "from,to,km\na,b,3\nb,c,4\n", Some(vec![3.0, 4.0])),
        ("a.csv", ",source,target,weight\n0,a,b,1.0\n1,b,c,2.0\n", Some(vec![1.0, 2.0])),
        ("a.csv", "# roads\nsource,target\nNew York,Reno\nReno,\"Paris, TX\"\n", None),
        (
            "a.csv",
            "Source;Target;Type;Id;Label;Weight\n0;1;Undirected;0;;1.5\n1;2;Undirected;1;;2\n",
            Some(vec![1.5, 2.0]),
        ),
        ("a.tsv", "source\ttarget\tweight\na\tb\t1\nb\tc\t2\n", Some(vec![1.0, 2.0])),
        ("a.csv", "from|to|n\na|b|1\nb|c|2\n", Some(vec![1.0, 2.0])),
    ] {
        assert_eq!(weights(name, text), expected, "{text}");
    }
    let text = "road,start,end,km,toll\nA1,Bern,Basel,97,1\nA2,Basel,Chur,200,0\n";
    for columns in [["start", "end", "toll"], ["2", "3", "5"]] {
        let options = GraphReadOptions {
            columns: columns.into_iter().map(str::to_owned).collect(),
            ..GraphReadOptions::default()
        };
        let file = read_named("a.csv", text.as_bytes(), &options).unwrap();
        assert_eq!(file.graph.weights(), Some(&[1, 0][..]));
        assert_eq!(
            (file.graph.vertex("Chur"), file.edges.lines),
            (Some(2), vec![Some(2), Some(3)])
        );
    }
    let options = GraphReadOptions {
        weight_attribute: Some("toll".to_owned()),
        ..GraphReadOptions::default()
    };
    let file = read_named("a.csv", text.as_bytes(), &options).unwrap();
    assert_eq!(file.graph.weights(), Some(&[1, 0][..]));
    let directed = "Source,Target,Type\n0,1,Directed\n1,2,Directed\n";
    assert!(named("a.csv", directed).unwrap().graph.is_directed());
}

/// Name, content, the element and the attribute of the error, and words of it.
type Unreadable = (&'static str, &'static str, &'static str, &'static str);

#[test]
fn numbers_that_are_missing_or_unreadable_are_errors_with_their_line_and_element() {
    let unreadable: &[Unreadable] = &[
        ("a.txt", "a b 1\nb c\n", "line 2", "the edge b-c has no `weight`; write it"),
        ("a.csv", "from,to,km\na,b,1\nb,c,\n", "line 3", "the edge b-c has no `km`"),
        ("a.csv", "from,to,weight\na,b,\nb,c,\n", "line 2", "the edge a-b has no `weight`"),
        ("a.csv", "from,to,km\na,b,1\nb,c,3 m\n", "line 3", "`3 m`, a number with a unit"),
        (
            "a.csv",
            "from,to,far\na,b,1 km\nb,c,2 km\n",
            "line 2",
            "the edge a-b has the `far` `1 km`",
        ),
        (
            "a.csv",
            "from,to,far\na,b,1\nb,c,?\nc,d,2\n",
            "line 3",
            "`?`, which is not a finite number",
        ),
        ("a.csv", "from,to,km\na,b,\"1,5\"\nb,c,2\n", "line 2", "may have a decimal comma"),
        ("a.csv", "from;to;km\na;b;1,500\nb;c;2,250\n", "line 2", "separators of thousands"),
        ("a.csv", "from;to;km\na;b;1,5\nb;c;2.25\n", "line 3", "a point among decimal commas"),
        ("a.csv", "from;to;km\na;b;1,5\nb;c;2.250\n", "line 3", "separators of thousands"),
        ("a.csv", "from;to;km\na;b;900\nb;c;2.250\n", "line 3", "separators of thousands"),
        ("a.csv", "from;to;km\na;b;-12.500\nb;c;\n", "line 2", "separators of thousands"),
        ("a.tsv", "from\tto\tkm\na\tb\t1,5\nb\tc\t2\n", "line 2", "may have a decimal comma"),
        ("a.edgelist", "a b {'weight': 2}\nb c {}\n", "line 2", "the edge b-c has no `weight`"),
        ("a.col", "p edge 3 2\ne 1 2 5\ne 2 3\n", "line 3", "the edge 2-3 has no `weight`"),
        ("a.gr", "p sp 2 1\na 1 2 x\n", "line 2", "the edge 1->2 has the `weight` `x`"),
    ];
    for (name, text, line, words) in unreadable {
        let file = named(name, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let error = file.edges.weight_error.expect(text);
        assert!(error.number().is_some() && file.graph.weights().is_none(), "{text}");
        let error = error.to_string();
        assert!(error.starts_with(&format!("{name}, {line}: ")), "{text}: {error}");
        assert!(error.contains(words), "{text}: {error}");
        // Without the option, reading fails.
        let strict = read_named(name, text.as_bytes(), &GraphReadOptions::default());
        assert_eq!(strict.unwrap_err().to_string(), error, "{text}");
    }
    let node = |weight: &str| {
        format!("<node id=\"{weight}\"><data key=\"weight\">{weight}</data></node>\n")
    };
    let graphml = format!(
        "<graphml><graph edgedefault=\"undirected\">\n{}<node id=\"b\"/></graph></graphml>",
        node("7")
    );
    for (name, text, place, words) in [
        (
            "a.json",
            r#"{"nodes": [{"id": 1, "weight": null}, {"id": 2, "weight": 3}], "edges": []}"#,
            "a.json, line 1: ",
            "the vertex 1 has no",
        ),
        (
            "a.json",
            r#"{"nodes": [{"id": 1, "weight": "3,5"}], "edges": []}"#,
            "a.json, line 1: ",
            "decimal comma",
        ),
        ("a.graphml", &graphml, "a.graphml, line 3: ", "the vertex b has no `weight`"),
        ("a.col", "p edge 2 1\nn 1 5\ne 1 2\n", "a.col: ", "the vertex 2 has no `weight`"),
    ] {
        let error = named(name, text).expect(text).vertices.weight_error.expect(text).to_string();
        assert!(error.starts_with(place) && error.contains(words), "{error}");
    }
}

#[test]
fn decimal_commas_are_read_by_option_or_between_semicolons() {
    let semicolons = named("a.csv", "from;to;l\u{e4}nge\na;b;30,5\nb;c;7,25\n").unwrap();
    assert_eq!(semicolons.edges.numbers, Some(vec![30.5, 7.25]));
    assert!(semicolons.notes.iter().any(|note| note.to_string().contains("decimal comma")));
    // Points with three digits behind them are decimal beside other points, and between other signs.
    for (text, numbers) in [
        ("from;to;km\na;b;1.250\nb;c;2.5\n", [1.25, 2.5]),
        ("from;to;km\na;b;1.250\nb;c;0.125\n", [1.25, 0.125]),
        ("from,to,km\na,b,1.250\nb,c,2.125\n", [1.25, 2.125]),
    ] {
        assert_eq!(named("a.csv", text).unwrap().edges.numbers, Some(numbers.to_vec()), "{text}");
    }
    let edges = || named("a.txt", "a b\n").unwrap();
    let vertices = |text: &str| {
        let options = GraphReadOptions { decimal_weights: true, ..GraphReadOptions::default() };
        edges().with_vertices("v.csv", text.as_bytes(), &options)
    };
    let error = vertices("name;weight\na;900\nb;1.250\n").unwrap_err();
    assert!(error.to_string().contains("separators of thousands; leave them out, or write a point and another number of decimals"), "{error}");
    let file = vertices("name;weight;x;y\na;900;0.5;1\nb;1.250;2;3\n").unwrap();
    assert_eq!(file.vertices.numbers, Some(vec![900.0, 1.25]));
    let options = GraphReadOptions {
        decimal_weights: true,
        decimal_comma: true,
        ..GraphReadOptions::default()
    };
    for (name, text) in [
        ("a.txt", "a b 30,5\nb c 7,25\n"),
        ("a.tsv", "from\tto\tkm\na\tb\t30,5\nb\tc\t7,25\n"),
        ("a.csv", "from,to,km\na,b,\"30,5\"\nb,c,\"7,25\"\n"),
        ("a.edgelist", "a b {'weight': '30,5'}\nb c {'weight': '7,25'}\n"),
    ] {
        let file =
            read_named(name, text.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(file.edges.numbers, Some(vec![30.5, 7.25]), "{text}");
    }
    let thousands = read_named("a.csv", b"from;to;km\na;b;1,500\nb;c;20\n", &options).unwrap();
    assert_eq!(thousands.edges.numbers, Some(vec![1.5, 20.0]));
    let places = b"name;lat;lon;people\na;59,9;10,7;1,5\nb;1,5;2;3\nc;1;2;4\n";
    let file = semicolons
        .with_vertices(
            "p.csv",
            places,
            &GraphReadOptions { decimal_weights: true, ..GraphReadOptions::default() },
        )
        .unwrap();
    assert_eq!(file.vertices.numbers, Some(vec![1.5, 3.0, 4.0]));
    assert_eq!(file.graph.positions().unwrap()[0], (10.7, 59.9));
}

#[test]
fn empty_files_are_refused() {
    for (text, words) in [
        ("", "is empty"),
        (" \n\n", "is empty"),
        ("\u{feff}", "is empty"),
        ("from,to,km\n", "no row"),
    ] {
        for name in ["a.txt", "a.csv", "a.col", "a.graph", "a.graphml", "a.json", "a.adjlist"] {
            let error = named(name, text).err().map(|error| error.to_string());
            let is_table = text.contains("from") && !name.ends_with("csv");
            assert!(
                is_table || error.as_ref().is_some_and(|error| error.contains(words)),
                "{name}: {text:?}: {error:?}"
            );
        }
    }
    for (format, ..) in GraphFormat::ALL {
        let error = read(b"\n", format, &GraphReadOptions::default()).unwrap_err();
        assert!(error.to_string().contains("is empty"), "{error}");
    }
}

#[test]
fn a_name_in_two_forms_is_noted() {
    let note = |text: &str| {
        named("a.txt", text)
            .unwrap()
            .notes
            .iter()
            .map(Note::to_string)
            .collect::<Vec<_>>()
            .join("; ")
    };
    let both = note("Z\u{fc}rich Bern\nZu\u{308}rich Chur\n");
    assert!(both.contains(r"`Z\u{fc}rich` and `Zu\u{308}rich` are the same name"), "{both}");
    assert_eq!(note("Z\u{fc}rich Bern\nBern Chur\n"), "");
    let file = named("a.csv", "from,to\nZ\u{fc}rich,Bern\n").unwrap();
    let error = file.with_vertices(
        "v.csv",
        "name\nBern\nZu\u{308}rich\n".as_bytes(),
        &GraphReadOptions::default(),
    );
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("v.csv: ") && error.contains("another form of Unicode"), "{error}");
}

#[test]
fn a_digraph_with_both_directions_of_an_edge_is_not_read_as_undirected() {
    let streets = "p sp 3 4\na 1 2 5\na 2 1 5\na 2 3 6\na 1 3 6\n";
    let read = |merge_directions: Option<bool>| {
        let options = GraphReadOptions {
            merge_directions,
            directed: Some(false),
            ..GraphReadOptions::default()
        };
        read(streets.as_bytes(), GraphFormat::Dimacs, &options).map(|file| file.graph.num_edges())
    };
    let error = read(None).unwrap_err();
    assert_eq!(error.line(), Some(3));
    assert!(
        error.to_string().contains("the edges 1->2 and 2->1 would be two parallel edges"),
        "{error}"
    );
    assert_eq!((read(Some(true)), read(Some(false))), (Ok(3), Ok(4)));
}

/// Name, content, and words of the refusal.
const REFUSED: &[(&str, &str, &str)] = &[
    ("a.txt", "1 2 1\n2 3\n3 4 2\n", "may be a vertex and its neighbours"),
    ("a.txt", "1 2 4\n2 1 3\n3 2 4\n4 1 3\n", "may be a vertex and its neighbours"),
    ("a.txt", "1 2 3 4\n2 5\n", "`adjlist`"),
    ("a.txt", "4 3\n1 2\n2 3\n3 4\n", "numbers of vertices and edges"),
    ("a.txt", "4\n0 1\n1 2\n2 3\n", "may be the numbers of vertices and edges"),
    ("a.txt", "4 4 3\n2 1\n3 2\n4 3\n", "may be the numbers of vertices and edges"),
    ("a.txt", "4 4\n2 4\n1 3\n2 4\n1 3\n", "may be the numbers of vertices and edges"),
    ("a.txt", "6 4\n1 2\n2 3\n3 4\n4 1\n", "vertices"),
    ("a.txt", "0 1\n1 0\n", "may be a row of a matrix"),
    ("a.txt", "0 1 0\n0 0 1\n1 0 0\n", "may be a row of a matrix"),
    ("a.txt", "0 463 356\n463 0 102\n356 102 0\n", "may be a row of a matrix"),
    ("a.txt", "0.0e+00 1.0e+00\n1.0e+00 0.0e+00\n", "may be a row of a matrix"),
    ("a.txt", "0 1 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n", "may be a row of a matrix"),
    ("a.csv", "0,1,0\n1,0,1\n0,1,0\n", "is no row of names of columns"),
    ("a.csv", ",x,y,z\nx,0,1,0\ny,1,0,1\nz,0,1,0\n", "is no row of names of columns"),
    ("a.csv", "lat,lon\n1.5,2.5\n", "none of them are usual names"),
    ("a.csv", "name,population\nOslo,7\nVoss,1\n", "none of them are usual names"),
    ("a.txt", "1 2,3\n2 3\n", "has the sign `,`"),
    ("a.csv", "name\nOslo\nVoss\n", "a single column"),
    ("a.csv", "Id,Label\n0,Oslo\n1,Voss\n2,Bergen\n", "GraphReadOptions::columns"),
    ("a.csv", "city,town,length,toll\na,b,3,1\nb,c,4,1\n", "GraphReadOptions::columns"),
    ("a.txt", "a b friend\nb c enemy\n", "`friend` is no number"),
    ("a.txt", "a -> b\nb -> c\n", "is no number"),
    ("a.txt", "a->b\nb->c\n", "an edge, as all lines"),
    ("a.txt", "a--b\nb--c\n", "an edge, as all lines"),
    ("a.txt", "a, b 3\nb, c 4\n", "has the sign `,`"),
    ("a.txt", "a %b\n", "may be a vertex or a comment"),
    ("a.txt", "New York Reno {'weight': 3}\n", "one word too many"),
    ("a.txt", "0 2\n1 {}\n3 {}\n1 0\n", "an end of the edge is missing"),
    ("a.txt", "# Oslo\nBergen 3\nVoss 1\n# Bergen\nVoss 4\n", "may be a vertex and its weight"),
    ("a.txt", "1 First\n2 Second\n#\n1 2 road\n", "may be the names of columns"),
    ("a.txt", "e 1 2\ne 2 3\n", "with a word before"),
    ("a.txt", "1: 2 4\n2: 1\n", "has the sign `:`"),
    ("a.txt", "a b 3\nb a 5\n", "differ in `weight`: 3 and 5"),
    ("a.csv", "a,b,3\nb,a,5\n", "is no row of names of columns"),
    ("a.csv", "from,to,km\na,b,4\nb,c,1,5\n", "put a number with a decimal comma in double quotes"),
    ("a.csv", "a,b,4\nb,c,-1,5\n", "put a number with a decimal comma in double quotes"),
    ("a.csv", "from;to;km\na;b;4\nb;c;1;5\n", "put a number with a decimal comma in double quotes"),
    ("a.csv", "from,to,km\na,b,4\nb,c,1,x\n", "put a number with a decimal comma in double quotes"),
    ("a.csv", "1,2,4\n1,3,2\n2,3,1,5\n", "put a number with a decimal comma in double quotes"),
    ("a.txt", "1 2 4\n1 3 2\n2 3 1 5\n", "`5` is one word too many; write `a b`"),
    (
        "a.gml",
        "graph [\n  node [\n    id 0\n    label \"a\"\n  ]\n]\n",
        "the file is GML, which is not read",
    ),
    (
        "a.txt",
        "Creator \"igraph\"\nVersion 1\ngraph\n[\n  node\n  [\n    id 0\n  ]\n]\n",
        "the file is GML, which is not read",
    ),
    (
        "a.xml",
        "<?xml version='1.0'?>\n<gexf version=\"1.2\">\n",
        "the file is GEXF, which is not read",
    ),
    ("a.txt", "*vertices 2\n1 a\n2 b\n*edges\n1 2\n", "the file is Pajek, which is not read"),
    ("a.pajek", "*Vertices 4\n*Edges\n1 2\n", "the file is Pajek, which is not read"),
    ("a.txt", ">>graph6<<Cl\n", "begins as one in the format `graph6`"),
    ("a.txt", ">>sparse6<<:Cda\n", "begins as one in the format `sparse6`"),
    ("a.txt", ":Cda\n", "an edge, as all lines"),
    ("a.gv", "a b\n", "the file is DOT, which is not read"),
    ("a.txt", "strict digraph \"G\" {\n0 -> 1;\n}\n", "the file is DOT, which is not read"),
    (
        "a.txt",
        "/* Created by igraph */\ngraph {\n  0 -- 1;\n}\n",
        "the file is DOT, which is not read",
    ),
    (
        "a.txt",
        "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1\n",
        "the file is Matrix Market, which is not read",
    ),
    ("a.txt", "LEDA.GRAPH\nvoid\n", "the file is LEDA, which is not read"),
    // What Python converts with other calls.
    (
        "a.adjlist",
        "#gen.py\n# GMT Fri Nov 27 2026\n# \nNew York Los Angeles\nLos Angeles\n",
        "`York` has no line of its own",
    ),
    ("a.txt", "a|1\nb|{}\nb|0\n", "has the sign `|`"),
    (
        "a.txt",
        "%%MatrixMarket matrix coordinate real general\n%\n2 2 2\n1 2 1\n2 1 1\n",
        "the file is Matrix Market, which is not read",
    ),
    (
        "a.dot",
        "graph {\n  0 [\n    name=\"a\"\n  ];\n  0 -- 1;\n}\n",
        "the file is DOT, which is not read",
    ),
    (
        "a.gml",
        "Creator \"igraph version 1\"\nVersion 1\ngraph\n[\n node\n [\n name \"a\"\n ]\n]\n",
        "the file is GML, which is not read",
    ),
    (
        "a.gml",
        "graph [\n  node [\n    id 0\n    label \"\u{e5}\"\n  ]\n]\n",
        "the file is GML, which is not read",
    ),
    ("a.npz", "PK\u{3}\u{4}arr_0.npy", "the file is an array of NumPy, which is not read"),
    ("a.txt", "1 0 1\n1 1 0\n0 1 1\n0 0 0\n", "may be a row of a matrix"),
    ("a.txt", "1 0 1 1\n1 1 0 0\n", "one word too many"),
    ("a.html", "<table border=\"1\">\n<tr></tr></table>", "the file is HTML, which is not read"),
    (
        "a.xml",
        "<?xml version='1.0'?>\n<data><row><a>1</a><b>2</b></row></data>",
        "no element `graph`",
    ),
    ("a.tex", "\\documentclass{report}\n", "has the sign `{`"),
    ("a.txt", "p cnf 2 1\n1 2 0\n", "a formula in CNF"),
    ("a.npz", "PK\u{3}\u{4}", "the file is an array of NumPy, which is not read"),
    ("a.txt", "n 3\nm 3\n1 2\n2 3\n3 1\n", "may be the names of columns"),
    ("a.txt", "3 vertices\n1 2\n2 3\n", "may be the names of columns"),
    ("a.txt", "Nodes: 3\nEdges: 2\n1 2\n2 3\n", "has the sign `:`"),
    ("a.stp", "33D32945 STP File, STP Format Version 1.0\nSECTION Graph\nNodes 2\n", "STP"),
    ("a.txt", "NAME: x\nTYPE: TSP\nDIMENSION: 1\nNODE_COORD_SECTION\n1 0 0\n", "TSPLIB"),
    ("a.txt", "@nodes\nlabel\n1\n2\n@arcs\n label\n1 2 0\n", "LGF"),
    ("a.txt", "dl n=2 format=edgelist1\ndata:\n1 2\n", "UCINET"),
    ("a.gr", "p tw 3 2\n1 2\n2 3 4\n", "two numbers"),
    ("a.xlsx", "PK\u{3}\u{4}", "the file is a spreadsheet or another archive, which is not read"),
    // These were read by their content.
    ("a.txt", "0 1 3\n1 2\n2 3\n3\n", "may be a vertex and its neighbours"),
    ("a.txt", "a b c\nb c\nc\n", "may be a vertex and its neighbours"),
    ("a.txt", "0 1 2 3 4\n1 2 3 4\n2 3 4\n3 4\n4\n", "may be a vertex and its neighbours"),
    ("a.txt", "0 1 2 3 4 5\n1\n2\n3\n4\n5\n", "may be a vertex and its neighbours"),
    ("a.txt", "0,1,3\n1,2\n2,3\n3\n", "has the sign `,`"),
    ("a.txt", "New York|Los Angeles|Reno\nLos Angeles|Reno\nReno\n", "has the sign `|`"),
    ("a.txt", "1: 2 4\n2: 1 3\n3: 2 4\n4: 3 1\n", "has the sign `:`"),
    ("a.txt", "1: 2, 4\n2: 3\n3: 4\n4:\n", "has the sign `:`"),
    (
        "a.adjlist",
        "#gen.py\n# GMT Fri Nov 27 2026\n# \nNew York,Reno,S\u{e3}o Paulo\nReno\nS\u{e3}o Paulo\n",
        "no line of its own",
    ),
    ("a.txt", "1 2 1\n2 3 1\n3 1 1\n", "may be a vertex and its neighbours"),
    ("a.txt", "4 4\n1 2\n2 3\n3 4\n4 1\n", "may be the numbers of vertices and edges"),
    ("a.txt", "4 5\n0 1\n1 2\n2 3\n3 0\n0 2\n", "may be the numbers of vertices and edges"),
    ("a.txt", "3 2\n1 2 5\n2 3 6\n", "may be the numbers of vertices and edges"),
    ("a.txt", "3 3\na b\nb c\nc a\n", "may be the numbers of vertices and edges"),
    ("a.txt", "a|b\nb|c\n", "has the sign `|`"),
    ("a.txt", "a;b\nb;c\n", "has the sign `;`"),
    ("a.txt", "a, b, 3\nb, c, 4\n", "has the sign `,`"),
    ("a.txt", "0,0 0,1\n0,1 1,1\n", "has the sign `,`"),
    ("a.txt", "New York\tLos Angeles\t3\nNew York\tReno\n", "one word too many"),
    ("a.edgelist", "a,b,{}\nb,c,{'weight': 2.5, 'road': 'A1, A2'}\n", "has the sign `,`"),
    ("a.edgelist", "New York\tReno\t{'weight': 3}\nReno\tLos Angeles\t{}\n", "one word too many"),
    ("a.txt", "from to weight\na b 3\nb c 4\n", "may be the names of columns"),
    ("a.txt", "source target\na b\nb c\n", "may be the names of columns"),
    ("a.txt", "x y km\na b 3\nb c 4\n", "is no number"),
    ("a.txt", "p q strength\na b 3\nb c 4\n", "is no number"),
    ("a.txt", " source target weight\n0 a b 7\n1 b c 2\n", "may be the names of columns"),
    ("a.txt", "   source  target\n0  a  b\n1  b  c\n", "may be the names of columns"),
    (
        "a.txt",
        "\"from\" \"to\" \"w\"\n\"1\" \"a b\" \"c\" 3\n\"2\" \"c\" \"d\" 4\n",
        "may be the names of columns",
    ),
    (
        "a.md",
        "| from | to | km |\n|:--|---|--:|\n| a | b | 3 |\n| b | c | 4 |\n",
        "has the sign `|`",
    ),
    ("a.txt", "+--+--+\n|from|to|\n+--+--+\n|a|b|\n|b|c|\n+--+--+\n", "has the sign `|`"),
    ("a.txt", "c\np col 2 1\ne 1 2\n", "begins as one in the format `dimacs`"),
    ("a.txt", "p td 3 2\n1 2\n2 3\n", "begins as one in the format `dimacs`"),
    ("a.txt", "3 3\n1 2\n2 3\n3 1\n4 1\n", "may be the numbers of vertices and edges"),
];

#[test]
fn what_cannot_be_decided_is_refused_with_the_remedy() {
    let mut wrong = Vec::new();
    for &(name, text, words) in REFUSED {
        match named(name, text) {
            Ok(file) => wrong.push(format!("{name}: {text:?}: {:?}", file.graph.edges())),
            Err(error) if error.to_string().contains(words) => {}
            Err(error) => wrong.push(format!("{name}: {text:?}: !{error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_format_that_is_given_decides() {
    let edges = |text: &str, format| {
        let options = GraphReadOptions { unchecked_weights: true, ..GraphReadOptions::default() };
        let file = read(text.as_bytes(), format, &options).unwrap();
        (file.graph.num_vertices(), file.graph.num_edges(), file.notes.len())
    };
    assert_eq!(edges("1 2 1\n2 3\n3 4 2\n", GraphFormat::EdgeList), (4, 3, 0));
    assert_eq!(edges("1 2 3\n2 4\n", GraphFormat::AdjacencyList), (4, 3, 0));
    assert_eq!(edges("4 4\n1 2\n", GraphFormat::EdgeList), (3, 2, 0));
    assert_eq!(edges("0 1\n1 0\n0 0\n", GraphFormat::EdgeList).0, 2);
    let error = read(b">>sparse6<<:Cda\n", GraphFormat::EdgeList, &GraphReadOptions::default());
    assert_eq!(error.unwrap_err().remedies(), [Remedy::Format(vec![GraphFormat::Sparse6])]);
    // Files of edges by their ending may have third words that are vertices.
    assert_eq!(named("a.edges", "1 2 1\n2 3 1\n3 1 1\n").unwrap().graph.num_edges(), 3);
}

/// graph6 of this graph, by the definition of the format.
fn graph6(graph: &Graph) -> String {
    let pair = |&(a, b): &(usize, usize)| (a.min(b), a.max(b));
    let edges: Vec<_> = graph.edges().iter().map(pair).collect();
    let pairs = (1..graph.num_vertices()).flat_map(|to| (0..to).map(move |from| (from, to)));
    let bits: Vec<u8> = pairs.map(|pair| u8::from(edges.contains(&pair))).collect();
    let mut bytes = size(graph.num_vertices());
    for part in bits.chunks(6) {
        bytes.push(
            63 + part.iter().zip([32, 16, 8, 4, 2, 1]).map(|(bit, value)| bit * value).sum::<u8>(),
        );
    }
    String::from_utf8(bytes).unwrap()
}

fn size(vertices: usize) -> Vec<u8> {
    match vertices {
        0..63 => vec![63 + vertices as u8],
        _ => [vertices >> 18, vertices >> 12, vertices >> 6, vertices]
            .iter()
            .enumerate()
            .map(|(at, part)| if at == 0 { b'~' } else { 63 + (part & 63) as u8 })
            .collect(),
    }
}

/// sparse6 of a graph whose edges are sorted by their larger ends: each is a bit and its smaller end, after its larger end
/// was set.
fn sparse6(vertices: usize, edges: &[(usize, usize)]) -> String {
    let width = usize::BITS - (vertices - 1).leading_zeros();
    let mut bits = Vec::new();
    let mut push = |advance: bool, end: usize| {
        bits.push(advance);
        bits.extend((0..width).rev().map(|place| end >> place & 1 == 1));
    };
    let mut current = 0;
    for &(from, to) in edges {
        if to > current + 1 {
            push(false, to);
            push(false, from);
        } else {
            push(to == current + 1, from);
        }
        current = to;
    }
    // Bits of 1 at the end are no edge.
    bits.resize(bits.len().div_ceil(6) * 6, true);
    let byte = |part: &[bool]| 63 + part.iter().fold(0, |sum, &bit| sum << 1 | u8::from(bit));
    let bytes: Vec<u8> = size(vertices).into_iter().chain(bits.chunks(6).map(byte)).collect();
    format!(":{}", String::from_utf8(bytes).unwrap())
}

/// The ends of each edge, which is undirected, in ascending order.
fn sorted_edges(graph: &Graph) -> Vec<(usize, usize)> {
    let ends = graph.edges().iter().map(|&(a, b)| (a.min(b), a.max(b)));
    let mut edges: Vec<_> = ends.collect();
    edges.sort_unstable();
    edges
}

#[test]
fn graph6_and_sparse6_are_read() {
    let edges = |name: &str, text: &str| {
        named(name, text).unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    // Known strings: a square, a path of nauty's formats.txt, an example of networkx, and the 7 vertices of sparse6 there.
    assert_eq!(edges("a.g6", ">>graph6<<Cl\n").graph.edges(), [(0, 1), (1, 2), (0, 3), (2, 3)]);
    assert_eq!(edges("a.g6", "DQc\n").graph.edges(), [(0, 2), (1, 3), (0, 4), (3, 4)]);
    assert_eq!(edges("a.g6", "A_\n").graph.edges(), [(0, 1)]);
    assert_eq!(edges("a.s6", ">>sparse6<<:An\n").graph.edges(), [(0, 1)]);
    assert_eq!(edges("a.s6", ">>sparse6<<:Cda\n").graph.num_edges(), 4);
    let file = edges("a.s6", ":Fa@x^\n").graph;
    assert_eq!((file.num_vertices(), file.edges()), (7, &[(0, 1), (0, 2), (1, 2), (5, 6)][..]));
    for (rows, columns) in [(1, 1), (2, 3), (5, 5), (9, 11)] {
        let grid = Graph::grid(rows, columns);
        assert_eq!(sorted_edges(&edges("a.g6", &graph6(&grid)).graph), sorted_edges(&grid));
    }
    let sorted = [(0, 1), (1, 1), (0, 2), (0, 2), (3, 7), (50, 90), (90, 99)];
    let file = edges("a.s6", &sparse6(100, &sorted)).graph;
    assert_eq!((file.num_vertices(), file.edges()), (100, &sorted[..]));
    for (name, text, words) in [
        ("a.g6", "C\n", "is it cut off?"),
        ("a.g6", "Cl\nCl\n", "several graphs"),
        ("a.g6", "C l\n", "the sign ` `"),
        ("a.g6", "~~~~~~~~\n", "too many"),
        ("a.s6", "Cda\n", "begins with `:`"),
        ("a.s6", ":\n", "is it cut off?"),
    ] {
        let error = named(name, text).unwrap_err();
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
}

/// The remedies of an error are data, which a front end words.
#[test]
fn remedies_are_data() {
    let remedies = |name: &str, text: &str| named(name, text).unwrap_err().remedies().to_vec();
    let format = |format| Remedy::Format(vec![format]);
    assert_eq!(remedies("a.txt", "4 4\n1 2\n2 3\n3 4\n4 1\n"), [format(GraphFormat::EdgeList)]);
    assert_eq!(remedies("a.txt", "a,b\n"), [format(GraphFormat::Csv)]);
    assert_eq!(remedies("a.txt", "p edge 2 1\ne 1 2\n"), [format(GraphFormat::Dimacs)]);
    assert_eq!(remedies("a.txt", "p cnf 2 1\n1 2 0\n"), [Remedy::Formula]);
    let person = Remedy::Columns(["person", "friend"].map(str::to_owned).into());
    assert_eq!(remedies("a.csv", "person,friend\nann,bob\n"), [person]);
    // Of more columns, the first two need not be the ends.
    let roads = remedies("a.csv", "road,start,finish\nA8,a,b\nA9,b,c\n");
    assert_eq!(roads, [Remedy::Columns(Vec::new())]);
    let error = named("a.txt", "a b 3\nb a 5\n").unwrap_err();
    assert!(matches!(
        error.fault(),
        FormatFault::Directions(crate::GraphError::DifferentDirections { .. })
    ));
    assert_eq!(error.worded(|_| String::new()), error.fault().to_string());
    let comma =
        named("a.csv", "from,to,km\na,b,\"1,5\"\nb,c,2\n").unwrap().edges.weight_error.unwrap();
    assert_eq!(comma.remedies(), [Remedy::DecimalComma]);
}

#[test]
fn pairs_are_joined_or_kept() {
    let edges = |text: &str, merge: Option<bool>| {
        let options = GraphReadOptions { merge_directions: merge, ..GraphReadOptions::default() };
        read(text.as_bytes(), GraphFormat::EdgeList, &options).map(|file| file.graph.num_edges())
    };
    let (all, some) = ("a b 3\nb c 4\nb a 3\nc b 4\n", "a b\nb c\nb a\n");
    assert_eq!(edges(all, None), Ok(2));
    assert_eq!(edges(all, Some(false)), Ok(4));
    assert_eq!(edges(some, None), Ok(3));
    assert_eq!(edges(some, Some(true)), Ok(2));
    assert_eq!(edges("a b 3\nb a 5\n", Some(false)), Ok(2));
    assert_eq!(edges("a b 3\nb a 5\n", Some(true)).unwrap_err().line(), Some(2));
    let options = GraphReadOptions { directed: Some(false), ..GraphReadOptions::default() };
    let text = b"p sp 2 2\na 1 2 7\na 2 1 7\n";
    let file = read(text, GraphFormat::Dimacs, &options).unwrap();
    assert_eq!((file.graph.num_edges(), file.graph.weights()), (1, Some(&[7][..])));
}

#[test]
fn marks_and_encodings_are_read() {
    let units: Vec<u8> =
        "\u{feff}a\tÅ\r\nÅ\tc\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let options = GraphReadOptions::default();
    assert_eq!(read_named("a.txt", &units, &options).unwrap().graph.vertex("Å"), Some(1));
    let error = read_named("a.txt", b"a \xc5\n", &options).unwrap_err();
    assert!(error.to_string().contains("iconv -f LATIN1"), "{error}");
    for packed in [&b"BZh9"[..], b"\xfd7zXZ\0"] {
        assert!(read_named("a.txt", packed, &options).unwrap_err().to_string().contains("unpack"));
    }
}

#[cfg(feature = "gzip")]
#[test]
fn gzip_is_unpacked_within_bounds() {
    use std::io::Write;

    let packed = |content: &[u8]| {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        writer.write_all(content).unwrap();
        writer.finish().unwrap()
    };
    let options = GraphReadOptions::default();
    let file = read_named("a.col.gz", &packed(b"p edge 2 1\ne 1 2\n"), &options).unwrap();
    assert_eq!(file.format, GraphFormat::Dimacs);
    let bomb = packed(&vec![b'\n'; 80 << 20]);
    let error = read_named("a.gz", &bomb, &options).unwrap_err();
    assert!(error.to_string().contains("unpack it with `gunzip`"), "{error}");
    let half = &packed(b"a b\nb c\n")[..20];
    assert!(read_named("a.gz", half, &options).unwrap_err().to_string().contains("cut off"));
}

#[cfg(feature = "json")]
#[test]
fn attributes_of_json_are_chosen() {
    let text = r#"{"directed": false, "nodes": [{"id": 0, "city": "Oslo"}, {"id": 1, "city": "Voss"}],
        "edges": [{"source": 0, "target": 1, "weight": "NaN", "km": 5, "note": "NaN"}]}"#;
    let options = GraphReadOptions {
        weight_attribute: Some("km".to_owned()),
        label_attribute: Some("city".to_owned()),
        ..GraphReadOptions::default()
    };
    let graph = read(text.as_bytes(), GraphFormat::Json, &options).unwrap().graph;
    assert_eq!((graph.vertex("Voss"), graph.weight(0)), (Some(1), 5));
    let error = read(text.as_bytes(), GraphFormat::Json, &GraphReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("`NaN`, which is not a finite number"), "{error}");
    let options = GraphReadOptions {
        weight_attribute: Some("miles".to_owned()),
        ..GraphReadOptions::default()
    };
    let error = read(text.as_bytes(), GraphFormat::Json, &options).unwrap_err();
    assert!(error.to_string().contains("the attributes are city, km, note, weight"), "{error}");
    for (text, words) in [
        (
            r#"{"nodes": [{"id": 0}], "adjacency": [[]]}"#,
            "is the adjacency JSON of networkx, which is not read",
        ),
        (
            r#"{"elements": {"nodes": [], "edges": []}}"#,
            "is the JSON of Cytoscape, which is not read",
        ),
        (r#"{"type": "FeatureCollection", "features": []}"#, "is GeoJSON, which is not read"),
        (r#"{"nodes": [{"id": NaN}], "edges": []}"#, "not node-link JSON: expected value"),
        (r#"[{"from": "a", "to": "b"}]"#, "write an object with nodes and edges, not a list"),
        (r#"{"nodes": [{"name": 1}], "edges": []}"#, "missing field `id`"),
        (
            r#"{"directed": false, "vertices": [{"id": 1}], "arcs": [{}]}"#,
            "the members nodes and edges",
        ),
        (r#"{"0": [1, 2], "1": [0], "2": []}"#, "the members nodes and edges"),
    ] {
        let error = named("a.json", text).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[cfg(feature = "graphml")]
#[test]
fn names_and_wrong_weights_of_graphml_are_read() {
    let igraph = "<graphml><key id=\"v_name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n\
        <graph edgedefault=\"undirected\"><node id=\"n0\"><data key=\"v_name\">Oslo</data></node>\n\
        <node id=\"n1\"><data key=\"v_name\">Bergen</data></node><edge source=\"n0\" target=\"n1\"/></graph></graphml>";
    assert_eq!(named("a.graphml", igraph).unwrap().graph.vertex("Bergen"), Some(1));
    let nan = "<graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n\
        <graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/><node id=\"c\"/>\n\
        <edge source=\"a\" target=\"b\"><data key=\"w\">1.5</data></edge>\n\
        <edge source=\"b\" target=\"c\"><data key=\"w\">nan</data></edge>\n\
        <edge source=\"a\" target=\"c\"/></graph></graphml>";
    let file = named("a.graphml", nan).unwrap();
    assert_eq!((file.format, file.graph.num_edges()), (GraphFormat::GraphMl, 3));
    assert_eq!(file.edges.weight_error.unwrap().line(), Some(4));
}

/// Names in double quotes, as rows of words have them.
fn in_quotes(names: &[&str]) -> Vec<String> {
    let quoted = |name: &&str| name.replace('\\', "\\\\").replace('"', "\\\"");
    names.iter().map(|name| format!("\"{}\"", quoted(name))).collect()
}

/// Names with the signs of separators, comments and other formats.
#[test]
fn names_with_signs_are_read_in_quotes() {
    let signs = ["a|b", "%c", "*vertices", ">>graph6<<", "#", "d:", "{}", "(e,"];
    let names = in_quotes(&signs);
    let lines = |separator: &str| {
        let lines = names.windows(2).map(|pair| pair.join(separator) + "\n");
        lines.collect::<String>()
    };
    for (format, text) in [
        (GraphFormat::EdgeList, lines(" ")),
        (GraphFormat::AdjacencyList, lines(" ")),
        (GraphFormat::Csv, "from,to\n".to_owned() + &lines(",")),
    ] {
        let file = read(text.as_bytes(), format, &GraphReadOptions::default()).unwrap();
        assert_eq!(file.graph.vertex_labels().unwrap(), signs, "{text}");
        assert_eq!(file.graph.num_edges(), 7, "{text}");
    }
}

#[cfg(feature = "csv")]
#[test]
fn tables_of_vertices_are_read() {
    let with = |table: &str, options: GraphReadOptions| {
        let options =
            GraphReadOptions { decimal_weights: true, unchecked_weights: true, ..options };
        let file = read_named("a.csv", b"from,to,km\nNew York,Reno,3\nReno,Oslo,4\n", &options)?;
        file.with_vertices("v.csv", table.as_bytes(), &options)
    };
    let read = |table: &str| {
        with(table, GraphReadOptions::default()).unwrap_or_else(|error| panic!("{table}: {error}"))
    };
    for table in [
        "name,population\nReno,1\nOslo,2\nNew York,3\n",
        "id;name;inhabitants\n7;Oslo;2\n8;New York;3\n9;Reno;1\n",
        "town\tlat\tlon\tpeople\nOslo\t59.9\t10.7\t2\nNew York\t1\t2\t3\nReno\t3\t4\t1\n",
        "\u{feff}population,name\r\n2,Oslo\r\n\r\n3,\"New York\"\r\n1,Reno\r\n",
    ] {
        let graph = read(table).graph;
        assert_eq!(graph.vertex_weights(), Some(&[3, 1, 2][..]), "{table}");
        assert_eq!((graph.weights(), graph.num_edges()), (Some(&[3, 4][..]), 2), "{table}");
        assert_eq!(graph.positions().is_some(), table.contains("\tlat\t"), "{table}");
    }
    let isolated = read("name\nNew York\nReno\nOslo\nVoss\n");
    assert_eq!(isolated.graph.vertex("Voss"), Some(3));
    assert_eq!((isolated.graph.vertex_weights(), isolated.graph.num_components()), (None, 2));
    assert!(
        isolated.notes.last().unwrap().to_string().contains("1 vertex of the table has no edges")
    );
    for (row, words) in [
        ("Oslo,", "v.csv, line 3: the vertex Oslo has no `population`; write it"),
        ("Oslo,3 k", "v.csv, line 3: the vertex Oslo has the `population` `3 k`"),
    ] {
        let missing = read(&format!("name,population\nReno,1\n{row}\nNew York,3\n"));
        let error = missing.vertices.weight_error.unwrap().to_string();
        assert!(error.contains(words), "{error}");
    }
    // A vertex of the table alone has no weight, where the graph has the weights.
    let json = br#"{"nodes": [{"id": "a", "weight": 2}], "edges": []}"#;
    let options = GraphReadOptions { unchecked_weights: true, ..GraphReadOptions::default() };
    let file = super::read(json, GraphFormat::Json, &options).unwrap();
    let more = file.clone().with_vertices("v.csv", b"name\na\nb\n", &options).unwrap();
    let error = more.vertices.weight_error.unwrap().to_string();
    assert_eq!(error, "v.csv, line 3: the vertex b has no `weight`; write it");
    let same = file.with_vertices("v.csv", b"name\na\n", &options).unwrap();
    assert_eq!((same.vertices.weight_error, same.graph.vertex_weight(0)), (None, 2));
    let unit = read("town,people\nReno,1 k\nOslo,2 k\nNew York,3 k\n");
    assert_eq!(unit.vertices.weight_error.unwrap().line(), Some(4));
    let options = || GraphReadOptions::default();
    let table = "name,area,people\nReno,1,5\nOslo,2,6\nNew York,3,7\n";
    for columns in [["name", "people"], ["1", "3"]] {
        let file = with(
            table,
            GraphReadOptions {
                vertex_columns: columns.into_iter().map(str::to_owned).collect(),
                ..options()
            },
        )
        .unwrap();
        assert_eq!(file.graph.vertex_weights(), Some(&[7, 5, 6][..]));
    }
    for (table, words) in [
        ("Oslo,2\nNew York,3\nReno,1\n", "`Oslo,2` is no row of names of columns"),
        (table, "area or people; set `GraphReadOptions::vertex_columns`"),
        ("name,population\nReno,1\nOslo,2\n", "`New York` of the graph is not in the table"),
        ("name\nReno\nReno\nOslo\nNew York\n", "line 3: the vertex `Reno` is in the table twice"),
        ("name\na\nb\n", "no column"),
        ("", "is empty"),
        ("name,x\n,1\nReno,2\n", "has no name"),
    ] {
        let error = with(table, options()).expect_err(table).to_string();
        assert!(error.contains(words), "{table}: {error}");
    }
    let error = with(
        table,
        GraphReadOptions { vertex_columns: ["city"].map(str::to_owned).to_vec(), ..options() },
    )
    .unwrap_err()
    .to_string();
    assert!(error.contains("no column `city`; the first row has name, area, people"), "{error}");
}

#[cfg(feature = "csv")]
#[test]
fn weights_of_a_table_take_the_place_of_others_and_keep_their_file() {
    let options = GraphReadOptions {
        decimal_weights: true,
        unchecked_weights: true,
        ..GraphReadOptions::default()
    };
    let text = b"p edge 2 1\nn 1 5\nn 2 7\ne 1 2\n";
    let file = read(text, GraphFormat::Dimacs, &options).unwrap();
    let with = |table: &[u8]| file.clone().with_vertices("v.csv", table, &options).unwrap();
    let decimal = with(b"name,weight\n1,0.5\n2,2\n");
    assert_eq!(decimal.vertices.numbers, Some(vec![0.5, 2.0]));
    assert_eq!(decimal.graph.vertex_weights(), None);
    assert_eq!(with(b"name,weight\n1,\n2,2\n").graph.vertex_weights(), None);
    assert_eq!(with(b"name,weight\n1,1\n2,2\n").graph.vertex_weights(), Some(&[1, 2][..]));
    // An error of the graph is of no line of the table.
    let wrong = br#"{"nodes": [{"id": "a", "weight": 1}, {"id": "b"}], "edges": []}"#;
    let file = read(wrong, GraphFormat::Json, &options).unwrap();
    let before = file.vertices.weight_error.clone();
    assert!(before.is_some());
    let placed = file.with_vertices("v.csv", b"name,x,y\na,1,2\nb,3,4\n", &options).unwrap();
    assert_eq!(placed.vertices.weight_error, before);
}

/// Whether a column is the weight, by its words: a number is enough, unless the others are more, and all different.
#[cfg(feature = "csv")]
#[test]
fn columns_that_are_half_unreadable_are_weights_and_columns_of_names_are_not() {
    for (words, line) in [
        (["30", "n/a", "40", "n/a"], Some(3)),
        (["30", "n/a", "n/a", "n/a"], Some(3)),
        (["30", "?", "?", "-"], Some(3)),
        (["", "", "", ""], Some(2)),
        (["?", "30 m", "unknown", "?"], Some(2)),
        (["Main St", "101", "High St", "Low St"], None),
        (["A", "B", "C", "1"], None),
        (["A", "1", "C", "1"], None),
        (["Main St", "", "", ""], None),
    ] {
        let rows = |ends: fn(usize) -> String| -> String {
            let row = |(word, at)| format!("{},{word}\n", ends(at));
            words.iter().zip(0..).map(row).collect::<Vec<_>>().concat()
        };
        let edges = rows(|at| format!("v,w{at}"));
        let file = named("e.csv", &format!("from,to,strength\n{edges}")).unwrap();
        assert_eq!(file.graph.num_edges(), 4);
        let error = file.edges.weight_error.as_ref().and_then(FormatError::line);
        assert_eq!(error, line, "{words:?}");
        let options = GraphReadOptions { unchecked_weights: true, ..GraphReadOptions::default() };
        let rows = rows(|at| format!("w{at}"));
        let cycle = b"w0 w1\nw1 w2\nw2 w3\nw3 w0\n";
        let file = read(cycle, GraphFormat::EdgeList, &options).unwrap();
        let table = format!("name,people\n{rows}");
        let file = file.with_vertices("v.csv", table.as_bytes(), &options).unwrap();
        let error = file.vertices.weight_error.as_ref().and_then(FormatError::line);
        assert_eq!(error, line, "{words:?}");
    }
    // Other columns decide.
    let table = b"name,street,people\na,Main St,30\nb,5,31\nc,High St,\n";
    let options = GraphReadOptions { unchecked_weights: true, ..GraphReadOptions::default() };
    let file = named("e.txt", "a b\nb c\n").unwrap().with_vertices("v.csv", table, &options);
    let error = file.unwrap().vertices.weight_error.unwrap();
    assert_eq!((error.line(), error.number().unwrap().attribute.as_str()), (Some(4), "people"));
}

#[cfg(feature = "csv")]
#[test]
fn a_wrong_number_does_not_make_the_names_of_columns_a_vertex() {
    let options = GraphReadOptions { unchecked_weights: true, ..GraphReadOptions::default() };
    let file = named("e.txt", "A B\n").unwrap();
    let read = |table: &str| {
        let read = file.clone().with_vertices("v.csv", table.as_bytes(), &options).expect(table);
        (read.graph.num_vertices(), read.vertices.weight_error.and_then(|error| error.line()))
    };
    for (table, line) in [
        ("ward,pop\nA,30\nB,3 m\n", Some(3)),
        ("ward,pop\nA,x\nB,y\n", Some(2)),
        ("ward,folk\nA,30\nB,n/a\n", Some(3)),
        ("ward,folk\nA,3 m\nB,4 m\n", Some(2)),
        ("ward,folk\nA,\nB,\n", Some(2)),
        (",ward\n0,A\n1,B\n", None),
    ] {
        assert_eq!(read(table), (2, line), "{table}");
    }
    // Rows of vertices alone.
    for table in [
        "C,3 m\nA,4\nB,5\n",
        "C,\nA,4\nB,5\n",
        "C,?\nA,4\nB,5\n",
        "C,\nA,\nB,\n",
        "C,5\nA,5\nB,5\n",
        "A\nB\n",
    ] {
        let error =
            file.clone().with_vertices("v.csv", table.as_bytes(), &options).expect_err(table);
        assert!(error.to_string().contains("is no row of names of columns"), "{table}: {error}");
    }
}

#[test]
fn numbers_that_cannot_be_read_have_the_remedy_for_their_kind() {
    for (text, words) in [
        ("30,5", "set `GraphReadOptions::decimal_comma`"),
        (
            "1,250",
            "separators of thousands; leave them out, or write a point and another number of decimals",
        ),
        (
            "1,234,567",
            "separators of thousands; leave them out, or write a point and another number of decimals",
        ),
        (
            "-1.234.567",
            "separators of thousands; leave them out, or write a point and another number of decimals",
        ),
        (
            "1.234,5",
            "separators of thousands; leave them out, or write a point and another number of decimals",
        ),
        ("3m", "a number with a unit; write the number alone"),
        ("$30", "a number with a unit; write the number alone"),
        ("inf", "which is not a finite number; correct it"),
        ("..", "which is not a finite number; correct it"),
    ] {
        let file = format!("p edge 2 1\ne 1 2 {text}\n");
        let error = named("a.col", &file).unwrap().edges.weight_error.unwrap();
        assert!(error.to_string().ends_with(words), "{error}");
    }
    // The option counts in DIMACS files, too; then a point is wrong.
    let options = GraphReadOptions {
        decimal_weights: true,
        decimal_comma: true,
        ..GraphReadOptions::default()
    };
    let text = |weight: &str| format!("p edge 2 1\nn 1 0,25\nn 2 1\ne 1 2 {weight}\n");
    let read = |weight: &str| read(text(weight).as_bytes(), GraphFormat::Dimacs, &options);
    let file = read("30,5").unwrap();
    assert_eq!(file.edges.numbers, Some(vec![30.5]));
    assert_eq!(file.vertices.numbers, Some(vec![0.25, 1.0]));
    let error = read("30.5").unwrap_err();
    assert!(error.to_string().contains("with a point among decimal commas"), "{error}");
}

/// A first line that begins with a sign of several bytes is no line of LGL.
#[test]
fn a_first_line_may_begin_with_any_sign() {
    for first in ["╙─", "é"] {
        let file = named("a.txt", &format!("{first}\nVoss 1\n# Bergen\nVoss 4.5\n")).unwrap();
        assert_eq!(file.graph.vertex(first), Some(0), "{:?}", file.notes);
    }
}

/// Names with quotes and colons look like Python's lists of neighbours.
#[test]
fn names_with_quotes_and_colons_are_read_back() {
    let labels = ["e\"", "cted\":", "x\\\":", "{\": 0}]}", "'a': b", "c:"];
    let names = in_quotes(&labels);
    let edges: Vec<String> = names[1..].iter().map(|name| format!("{} {name}", names[0])).collect();
    for (format, text) in
        [(GraphFormat::EdgeList, edges.join("\n")), (GraphFormat::AdjacencyList, names.join(" "))]
    {
        let again = read(text.as_bytes(), format, &GraphReadOptions::default()).unwrap();
        assert_eq!(again.graph.vertex_labels().unwrap(), labels, "{text}");
        assert!(again.graph.edges().iter().copied().eq((1..6).map(|to| (0, to))), "{text}");
    }
}
