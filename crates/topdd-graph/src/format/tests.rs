//! Round trips of all formats, bad input with its line, and arbitrary bytes.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// The formats of this build.
fn formats() -> Vec<GraphFormat> {
    GraphFormat::ALL
        .iter()
        .map(|&(format, ..)| format)
        .filter(|&format| cfg!(feature = "graphml") || format != GraphFormat::GraphMl)
        .filter(|&format| cfg!(feature = "csv") || format != GraphFormat::Csv)
        .filter(|&format| cfg!(feature = "json") || format != GraphFormat::Json)
        .collect()
}

fn parsed(text: &str, format: GraphFormat) -> GraphFile {
    let options = GraphReadOptions { merge_directions: Some(false), ..GraphReadOptions::default() };
    read(text.as_bytes(), format, &options).unwrap()
}

#[cfg(feature = "json")]
/// A graph with everything that can be written: distinct labels of one word that are not numbers.
fn graphs() -> impl Strategy<Value = Graph> {
    let sizes = (1_usize..8, any::<bool>(), any::<[bool; 4]>());
    sizes.prop_flat_map(|(vertices, directed, parts)| {
        let edges = vec(((0..vertices, 0..vertices), -9_i64..9, "[a-z ]{0,3}"), 0..12);
        let labels = vec("[a-z&<>\"'é]{1,4}", vertices);
        let of_vertices = vec((any::<i64>(), (-8_i32..8, -8_i32..8)), vertices);
        (edges, labels, of_vertices).prop_map(move |(edges, labels, of_vertices)| {
            let ends = edges.iter().map(|&(ends, ..)| ends);
            let graph =
                if directed { Graph::directed(vertices, ends) } else { Graph::new(vertices, ends) };
            let mut graph = graph.unwrap();
            let [labelled, weighted, placed, heavy] = parts;
            if labelled {
                let distinct = labels.iter().enumerate().map(|(v, label)| format!("{label}{v}x"));
                graph = graph.with_vertex_labels(distinct).unwrap();
            }
            if weighted && !edges.is_empty() {
                graph = graph.with_weights(edges.iter().map(|edge| edge.1)).unwrap();
                graph = graph.with_edge_labels(edges.iter().map(|edge| edge.2.clone())).unwrap();
            }
            if placed {
                let half = |place: i32| f64::from(place) / 2.0;
                let places = of_vertices.iter().map(|&(_, (x, y))| (half(x), half(y)));
                graph = graph.with_positions(places).unwrap();
            }
            if heavy {
                graph = graph.with_vertex_weights(of_vertices.iter().map(|&(w, _)| w)).unwrap();
            }
            graph
        })
    })
}

/// A graph in each format.
const SAMPLES: [&str; 9] = [
    "a \"b c\" 2\n\"b c\" d {'weight': 3}\nd a -1\n# e\ne\n",
    "from,to,weight\na,\"b, c\",2\n\"b, c\",d,0.5\n",
    "a b c\nb \"c d\"\nc\n",
    "c edges\np sp 3 2\na 1 2 5\na 2 3 -6\nt 1 3\n",
    "3 2 011\n1 2 5\n2 1 5 3 6\n3 2 6\n",
    "<graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\"><default>5</default></key>\n\
     <graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"&amp;b\"/>\n\
     <edge source=\"a\" target=\"&amp;b\"><data key=\"w\">7</data></edge></graph></graphml>",
    "{\"directed\": true, \"nodes\": [{\"id\": \"a\", \"x\": 1, \"y\": 2}, {\"id\": 3}],\n\
     \"links\": [{\"source\": \"a\", \"target\": 3, \"weight\": 2.5}]}",
    "C~\n",
    ":Fa@x^\n",
];

#[test]
fn samples_are_graphs() {
    let options = GraphReadOptions { decimal_weights: true, ..GraphReadOptions::default() };
    for format in formats() {
        let file = read(SAMPLES[format as usize].as_bytes(), format, &options);
        assert!(file.is_ok(), "{format}: {file:?}");
    }
}

proptest! {
    #[cfg(feature = "json")]
    #[test]
    fn written_graphs_are_read_back(graph in graphs()) {
        let text = write(&graph).unwrap();
        prop_assert_eq!(parsed(&text, GraphFormat::Json).graph, graph, "{}", text);
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in vec(any::<u8>(), 0..64)) {
        for format in formats() {
            let _ = read(&bytes, format, &GraphReadOptions::default());
        }
    }

    #[test]
    fn almost_valid_text_does_not_panic(
        words in vec(prop::sample::select(WORDS), 0..40),
    ) {
        let text: String = words.concat();
        for format in formats() {
            let _ = read(text.as_bytes(), format, &GraphReadOptions { directed: Some(true), ..GraphReadOptions::default() });
        }
    }

    #[test]
    fn one_changed_byte_does_not_panic(at in any::<prop::sample::Index>(), byte: u8) {
        for format in formats() {
            let mut bytes = SAMPLES[format as usize].as_bytes().to_vec();
            bytes[at.index(SAMPLES[format as usize].len())] = byte;
            let _ = read(&bytes, format, &GraphReadOptions::default());
        }
    }
}

const WORDS: &[&str] = &[
    "\n",
    " ",
    "1",
    "2",
    "-1",
    "3 ",
    "p edge 3 2\n",
    "p sp 2 1\n",
    "e 1 2\n",
    "a 1 2 3\n",
    "t 1\n",
    "l 2\n",
    "99999999999999999999",
    "3 2 011\n",
    "2 1\n2\n1\n",
    "%",
    "#",
    "<graph edgedefault=\"directed\">",
    "<node id=\"1\"/>",
    "<edge source=\"1\" target=\"2\">",
    "</edge>",
    "</graph>",
    "<data key=\"x\">",
    "</data>",
    "{\"nodes\":[",
    "{\"id\":1}",
    ",",
    "],\"edges\":[",
    "{\"source\":1,\"target\":1}",
    "]}",
    "&lt;",
    ">>graph6<<",
    ">>sparse6<<:",
    "Cl",
];

/// Each text fails at the line, with a message that contains the words.
fn assert_bad(format: GraphFormat, cases: &[(&str, Option<usize>, &str)]) {
    for &(text, line, words) in cases {
        let error = read(text.as_bytes(), format, &GraphReadOptions::default()).expect_err(text);
        assert_eq!(error.line(), line, "{text}: {error}");
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
}

#[test]
fn bad_edge_lists_name_the_line() {
    assert_bad(
        GraphFormat::EdgeList,
        &[
            ("a b 1\n# c\nb c 1.5\n", Some(3), "`1.5` is not a whole number"),
            ("0 1\n1 -2\n", Some(2), "-2 is negative"),
            ("-7\n", Some(1), "number vertices from 0"),
            ("a b 3 c\n", Some(1), "one word too many"),
            ("a b 99999999999999999999\n", Some(1), "64 bits"),
            ("a b nan\n", Some(1), "`nan`, which is not a finite number"),
            ("a b -inf\n", Some(1), "`-inf`, which is not a finite number"),
            ("a b 1e400\n", Some(1), "`1e400`, which is not a finite number"),
        ],
    );
    let error =
        read(b"a b\n\xff c\n", GraphFormat::EdgeList, &GraphReadOptions::default()).unwrap_err();
    assert_eq!((error.line(), error.to_string().contains("UTF-8")), (Some(2), true));
}

#[test]
fn bad_dimacs_files_name_the_line() {
    assert_bad(
        GraphFormat::Dimacs,
        &[
            ("c only\n", None, "no line `p`"),
            ("c\ne 1 2\n", Some(2), "`p edge VERTICES EDGES` first"),
            ("p edge 3 1\ne 1 4\n", Some(2), "out of range; the vertices are 1 to 3"),
            ("p edge 3 1\ne 0 1\n", Some(2), "out of range"),
            ("p edge 3 1\ne -1 2\n", Some(2), "`-1` is negative"),
            ("p edge 3 1\ne 1\n", Some(2), "two ends"),
            ("p edge 3 1\ne 1 2 x\n", Some(2), "`x`, which is not a finite number"),
            ("p edge 3 1\ne 1 x\n", Some(2), "`x` is not a number"),
            ("c\np edge 3 3\ne 1 2\n", Some(2), "announces 3 edges, and the file has 1"),
            ("p edge 3\n", Some(1), "p edge VERTICES EDGES"),
            ("p max 3 1\nn 1 s\n", Some(1), "or `p sp VERTICES EDGES`"),
            ("p edge 3 1\np edge 3 1\n", Some(2), "second line `p`"),
            ("p edge 2 1\ne 1 2\nl 3\nl 4\n", Some(4), "second line `l`"),
            ("p edge 99999999999999999999 1\n", Some(1), "too large"),
            ("p edge 99999999999999 1\n", Some(1), "too many for a file"),
            ("p edge 3 1\na 1 2 3\n", Some(2), "after `p edge`, write"),
            ("p sp 3 1\ne 1 2\n", Some(2), "after `p sp`, write"),
            ("p sp 3 1\na 1 2\n", Some(2), "two ends and a weight"),
            ("p edge 3 0\nt 4\n", Some(2), "out of range"),
            ("p edge 3 0\nl\n", Some(2), "one length"),
            ("p edge 3 0\nx 1\n", Some(2), "c, p, e, a, n, l or t"),
        ],
    );
}

#[test]
fn bad_metis_files_name_the_line() {
    assert_bad(
        GraphFormat::Metis,
        &[
            ("% only\n", None, "the file is empty"),
            ("2\n", Some(1), "VERTICES EDGES"),
            ("2 1 2\n2\n1\n", Some(1), "a format such as"),
            ("2 1\n2\n", Some(1), "announces 2 vertices, and 1 lines follow"),
            ("99999999999999 1\n2\n1\n", Some(1), "lines follow"),
            ("2 1\n2\n\n", Some(1), "announces 1 edges, and the lists have 1 neighbours"),
            ("3 1\n2\n3\n\n", Some(2), "2 is a neighbour of 1, and 1 is none of 2"),
            ("3 2\n2\n1 3\n1\n", Some(3), "3 is a neighbour of 2, and 2 is none of 3"),
            ("2 2\n2\n1\n", Some(1), "announces 2 edges, and the lists have 2 neighbours"),
            ("2 1\n3\n1\n", Some(2), "out of range"),
            ("2 1\n1\n1\n", Some(2), "METIS has no loops"),
            ("2 1\n2 2\n1 1\n", Some(2), "no parallel edges"),
            ("2 1 1\n2 5\n1\n", Some(3), "no weight"),
            ("2 1 1\n2 5\n1 6\n", Some(3), "differ in `weight`: 5 and 6"),
            ("2 1 11\n\n1 1 1\n", Some(2), "sizes and weights are needed"),
            ("2 1\n-2\n1\n", Some(2), "negative"),
        ],
    );
}

#[cfg(feature = "json")]
#[test]
fn bad_json_names_the_line() {
    assert_bad(
        GraphFormat::Json,
        &[
            ("{", Some(1), "not node-link JSON"),
            ("{\"nodes\": [],\n\"edges\": [}", Some(2), "not node-link JSON"),
            ("{\"nodes\": []}", Some(1), "edges"),
            ("[]", Some(1), "write an object with nodes and edges, not a list"),
            ("{\"nodes\":\n[[1]], \"edges\": []}", Some(2), "an object with id"),
            (
                "{\"nodes\": [{\"id\": 1}], \"edges\": [\n[1, 1]]}",
                Some(2),
                "this edge cannot be read: write an object with source and target",
            ),
            ("{\"nodes\":\n[{\"id\": 1},\n{\"id\": 1}], \"links\": []}", Some(3), "there twice"),
            ("{\"nodes\":\n[{\"id\": {}}], \"edges\": []}", Some(2), "neither a text, a number"),
            ("{\"nodes\":\n[{\"name\": 1}], \"edges\": []}", Some(2), "missing field `id`"),
            ("{\"nodes\": [{\"id\": 1}], \"edges\": [\n{\"source\": 1}]}", Some(2), "`target`"),
            (
                "{\"nodes\": [{\"id\": 1}], \"edges\": [\n{\"source\": 1, \"target\": 2}]}",
                Some(2),
                "which is no node",
            ),
            (
                "{\"nodes\": [{\"id\": 1}], \"edges\": [\n{\"source\": 1, \"target\": 1, \"weight\": 0.5}]}",
                Some(2),
                "not a whole number",
            ),
        ],
    );
}

#[cfg(feature = "graphml")]
#[test]
fn bad_graphml_names_the_line() {
    let graph = |inner: &str| {
        format!("<graphml>\n<graph edgedefault=\"undirected\">\n{inner}</graph></graphml>")
    };
    let cases = [
        ("<a/>".to_owned(), None, "no element `graph`"),
        ("<graphml>\n<graph/></graphml>".to_owned(), Some(2), "edgedefault"),
        ("<graphml>\n<graph edgedefault=\"directed\">\n".to_owned(), Some(3), "cut off"),
        (graph("<node/>"), Some(3), "no attribute `id`"),
        (
            "<graphml>\n<graph edgedefault=\"Directed\"/></graphml>".to_owned(),
            Some(2),
            "`Directed` is no direction",
        ),
        (graph("</graph>\n<graph>"), Some(4), "second"),
        (graph("<node id=\"a\"/>\n<node id=\"a\"/>"), Some(4), "there twice"),
        (graph("<node id=\"a\"/>\n<edge source=\"a\"/>"), Some(4), "no attribute `target`"),
        (graph("<node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/>"), Some(4), "no node"),
        (graph("<node id=\"a\"><graph edgedefault=\"directed\"/></node>"), Some(3), "nested"),
        (graph("<hyperedge/>"), Some(3), "hyperedge"),
        (graph("<node id=\"a\"></edge>"), Some(3), "not XML"),
        (
            graph("<node id=\"a\"/><edge source=\"a\" target=\"a\" directed=\"yes\"/>"),
            Some(3),
            "write `true` or `false`",
        ),
        (
            graph("<node id=\"a\"><data key=\"weight\">x</data></node>"),
            Some(3),
            "`x`, which is not a finite number",
        ),
        (graph("<node id=\"a\"><data key=\"weight\"/></node>"), Some(3), "has no `weight`"),
    ];
    for (text, line, words) in &cases {
        assert_bad(GraphFormat::GraphMl, &[(text, *line, words)]);
    }
}

#[test]
fn instances_of_the_counting_competition_are_read() {
    let file = parsed("c no\np edge 4 3\ne 1 2\ne 2 3\ne 3 4\nl 14\nt 1 4\n", GraphFormat::Dimacs);
    assert_eq!((file.max_length, &file.terminals[..]), (Some(14), &[0, 3][..]));
    assert_eq!(file.graph.vertex("4"), Some(3));
    assert_eq!(file.edges.lines, [Some(3), Some(4), Some(5)]);
}

#[test]
fn metis_examples_of_the_manual_are_read() {
    // The graph of figure 2 of the manual.
    let plain = "7 11\n5 3 2\n1 3 4\n5 4 2 1\n2 3 6 7\n1 3 6\n5 4 7\n6 4\n";
    let file = parsed(plain, GraphFormat::Metis);
    assert_eq!((file.graph.num_vertices(), file.graph.num_edges()), (7, 11));
    let weighted = "7 11 011\n4 5 1 3 2 2 1\n2 1 1 3 2 4 1\n5 5 3 4 2 2 2 1 2\n3 2 1 3 2 6 2 7 5\n\
                    1 1 1 3 3 6 2\n6 5 2 4 2 7 6\n2 6 6 4 5\n";
    let file = parsed(weighted, GraphFormat::Metis);
    assert_eq!(file.graph.vertex_weights().unwrap(), [4, 2, 5, 3, 1, 6, 2]);
    assert_eq!((0..11).map(|edge| file.graph.weight(edge)).sum::<i64>(), 27);
}

#[cfg(feature = "json")]
#[test]
fn files_of_networkx_are_read() {
    let text = r#"{"directed": true, "multigraph": true, "graph": {}, "nodes": [{"id": 0, "pos": [1, 2]}, {"id": "b",
        "pos": [0.5, 0]}], "links": [{"source": 0, "target": "b", "key": 0, "weight": 2.0}]}"#;
    let graph = parsed(text, GraphFormat::Json).graph;
    assert!(graph.is_directed());
    assert_eq!(graph.positions().unwrap(), [(1.0, 2.0), (0.5, 0.0)]);
    assert_eq!((graph.vertex("b"), graph.weight(0)), (Some(1), 2));
}

/// The JSON that networkx 3.6 writes for a `grid_2d_graph`, and for a graph with attributes under the names that
/// have a meaning here.
#[cfg(feature = "json")]
#[test]
fn tuples_and_other_attributes_of_networkx_are_read() {
    let grid = r#"{"directed": false, "multigraph": false, "graph": {}, "nodes": [{"id": [0, 0]}, {"id": [0, -1]}],
        "edges": [{"source": [0, 0], "target": [0, -1]}]}"#;
    let graph = parsed(grid, GraphFormat::Json).graph;
    assert_eq!((graph.vertex("[0,0]"), graph.vertex("[0,-1]")), (Some(0), Some(1)));
    let attributes = r#"{"directed": false, "multigraph": false, "graph": {}, "nodes": [
        {"pos": [0, 1, 2], "x": "left", "y": 3, "id": "a"}, {"pos": [1, 1, 0.5], "label": "B", "id": "b"}],
        "edges": [{"label": 7, "weight": 2.0, "source": "a", "target": "b"}]}"#;
    let graph = parsed(attributes, GraphFormat::Json).graph;
    assert_eq!(graph.edge_labels().unwrap(), ["7"]);
    assert_eq!(graph.positions().unwrap(), [(0.0, 1.0), (1.0, 1.0)]);
}

#[cfg(feature = "graphml")]
#[test]
fn defaults_of_graphml_keys_are_read() {
    let text = r#"<graphml><key id="d0" for="edge" attr.name="weight" attr.type="long"><default>5</default></key>
        <key id="d1" for="node" attr.name="weight"><default> 7 </default></key>
        <graph edgedefault="undirected"><node id="(0, 0)"/><node id="b"><data key="d1">1</data></node>
        <edge source="(0, 0)" target="b"/><edge source="b" target="b"><data key="d0">3</data></edge></graph></graphml>"#;
    let graph = parsed(text, GraphFormat::GraphMl).graph;
    assert_eq!((graph.weights(), graph.vertex_weights()), (Some(&[5, 3][..]), Some(&[7, 1][..])));
}

#[cfg(feature = "graphml")]
#[test]
fn labels_of_gephi_and_yed_are_read_if_they_are_distinct() {
    let gephi = |labels: [&str; 2]| {
        let node = |id: usize| {
            let label = labels[id];
            format!(
                "<node id=\"{id}\">\n<data key=\"label\">{label}</data>\n<data key=\"size\">10.0</data>\n\
                 <data key=\"x\">-266.5</data>\n<data key=\"y\">{id}.5</data>\n</node>\n"
            )
        };
        let text = format!(
            "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n\
             <key attr.name=\"label\" attr.type=\"string\" for=\"node\" id=\"label\"/>\n\
             <key attr.name=\"Edge Label\" attr.type=\"string\" for=\"edge\" id=\"edgelabel\"/>\n\
             <key attr.name=\"weight\" attr.type=\"double\" for=\"edge\" id=\"weight\"/>\n\
             <graph edgedefault=\"undirected\">\n{}{}<edge id=\"0\" source=\"0\" target=\"1\">\n\
             <data key=\"weight\">2.0</data>\n</edge>\n</graph>\n</graphml>\n",
            node(0),
            node(1)
        );
        parsed(&text, GraphFormat::GraphMl).graph
    };
    let graph = gephi(["Myriel", "Napoleon"]);
    assert_eq!((graph.vertex("Napoleon"), graph.weight(0)), (Some(1), 2));
    assert_eq!(graph.positions().unwrap()[1], (-266.5, 1.5));
    assert_eq!(gephi(["same", "same"]).vertex("1"), Some(1));

    let node = |id: &str, label: &str| {
        format!(
            r##"<node id="{id}"><data key="d6"><y:ShapeNode><y:Geometry height="30.0" width="40.0" x="10.0" y="20.0"/>
            <y:NodeLabel alignment="center" textColor="#000000">{label}<y:LabelModel/></y:NodeLabel>
            <y:Shape type="rectangle"/></y:ShapeNode></data></node>"##
        )
    };
    let yed = format!(
        r#"<graphml xmlns:y="http://www.yworks.com/xml/graphml"><key for="port" id="d0" yfiles.type="portgraphics"/>
        <key for="node" id="d6" yfiles.type="nodegraphics"/><key for="edge" id="d10" yfiles.type="edgegraphics"/>
        <graph edgedefault="directed" id="G">{}{}<edge id="e0" source="n0" target="n1"><data key="d10"><y:PolyLineEdge>
        <y:EdgeLabel>ferry<y:LabelModel/></y:EdgeLabel></y:PolyLineEdge></data></edge></graph>
        <data key="d7"><y:Resources/></data></graphml>"#,
        node("n0", "Bern"),
        node("n1", "")
    );
    let graph = parsed(&yed, GraphFormat::GraphMl).graph;
    assert_eq!((graph.vertex("Bern"), graph.vertex("n1")), (Some(0), Some(1)));
    assert_eq!(graph.edge_labels().unwrap(), ["ferry"]);
    assert_eq!(graph.positions().unwrap()[0], (30.0, 35.0));
}

#[cfg(feature = "graphml")]
#[test]
fn large_graphml_is_read_in_linear_time() {
    // Counting lines from the start of the file at each element would take minutes.
    let nodes: Vec<String> = (0..60_000).map(|id| format!("<node id=\"{id}\"/>\n")).collect();
    let nodes = nodes.concat();
    let text = format!(
        "<graphml>\n<graph edgedefault=\"directed\">\n{nodes}<edge source=\"0\" target=\"1\"/></graph></graphml>"
    );
    assert_eq!(parsed(&text, GraphFormat::GraphMl).edges.lines, [Some(60_003)]);
}

#[cfg(feature = "graphml")]
#[test]
fn directions_of_graphml_are_booleans_and_agree_unless_set() {
    let text = |default: &str, own: &str| {
        format!(
            "<graphml><graph edgedefault=\"{default}\"><node id=\"a\"/><node id=\"b\"/>\n\
             <edge source=\"a\" target=\"b\"/>\n<edge source=\"b\" target=\"a\" directed=\"{own}\"/>\n\
             </graph></graphml>"
        )
    };
    for (default, own, directed) in
        [("directed", ["1", "true"], true), ("undirected", ["0", "false"], false)]
    {
        for own in own {
            let graph = parsed(&text(default, own), GraphFormat::GraphMl).graph;
            assert_eq!(graph.is_directed(), directed, "{own}");
        }
    }
    for (default, own) in [("directed", "0"), ("undirected", "1")] {
        let mixed = text(default, own);
        assert_bad(GraphFormat::GraphMl, &[(&mixed, Some(3), "in a graph that is")]);
        for directed in [false, true] {
            let options =
                GraphReadOptions { directed: Some(directed), ..GraphReadOptions::default() };
            let file = read(mixed.as_bytes(), GraphFormat::GraphMl, &options).unwrap();
            assert_eq!(file.graph.is_directed(), directed);
        }
    }
}

#[cfg(all(feature = "graphml", feature = "json"))]
#[test]
fn ids_may_be_negative_numbers() {
    let graphml = "<graphml><graph edgedefault=\"undirected\"><node id=\"-5\"/></graph></graphml>";
    let json = r#"{"nodes": [{"id": -5}], "edges": []}"#;
    for (text, format) in [(graphml, GraphFormat::GraphMl), (json, GraphFormat::Json)] {
        assert_eq!(parsed(text, format).graph.vertex("-5"), Some(0));
    }
}

#[cfg(feature = "graphml")]
#[test]
fn graphml_with_keys_and_entities_is_read() {
    let text = "<?xml version='1.0' encoding='utf-8'?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\
        <key id=\"d0\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>\
        <graph edgedefault=\"undirected\"><edge source=\"a&amp;b\" target=\"c\"><data key=\"d0\"> 7 </data></edge>\
        <node id=\"c\"/><node id=\"a&#38;b\"/></graph></graphml>";
    let graph = parsed(text, GraphFormat::GraphMl).graph;
    assert_eq!((graph.vertex("a&b"), graph.weight(0)), (Some(1), 7));
    assert_eq!(graph.edges(), [(1, 0)]);
}

#[test]
fn decimal_weights_are_numbers_of_the_file_if_asked_for() {
    let options = GraphReadOptions { decimal_weights: true, ..GraphReadOptions::default() };
    let text = b"p sp 2 1\nn 1 1\nn 2 0.5\na 1 2 7\n";
    let file = read(text, GraphFormat::Dimacs, &options).unwrap();
    assert_eq!((file.graph.weights(), file.graph.vertex_weights()), (Some(&[7][..]), None));
    assert_eq!(
        (file.edges.numbers, file.vertices.numbers),
        (Some(vec![7.0]), Some(vec![1.0, 0.5]))
    );
    let error = read(text, GraphFormat::Dimacs, &GraphReadOptions::default()).unwrap_err();
    assert_eq!(error.line(), Some(3));
}

#[test]
fn options_and_format_names_are_read() {
    let one_way = GraphReadOptions { directed: Some(true), ..GraphReadOptions::default() };
    let file = read(b"a b\nb a\n", GraphFormat::EdgeList, &one_way).unwrap();
    assert!(file.graph.is_directed());
    assert_eq!(file.graph.edges(), [(0, 1), (1, 0)]);
    for (format, name, _) in GraphFormat::ALL {
        assert_eq!((name.parse(), format.name()), (Ok(format), name));
    }
    assert!(
        "xls"
            .parse::<GraphFormat>()
            .unwrap_err()
            .to_string()
            .contains("edges, csv, adjlist, dimacs")
    );
}
