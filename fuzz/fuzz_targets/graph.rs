#![no_main]
//! All readers of graph files. The first byte chooses the format and the options, and 7 graph6, sparse6 or an edge list
//! whose format is not given.

use libfuzzer_sys::fuzz_target;
use topdd_graph::format::{self, GraphFormat, GraphReadOptions};

const FORMATS: [GraphFormat; 7] = [
    GraphFormat::EdgeList,
    GraphFormat::Csv,
    GraphFormat::AdjacencyList,
    GraphFormat::Dimacs,
    GraphFormat::Metis,
    GraphFormat::GraphMl,
    GraphFormat::Json,
];

fuzz_target!(|data: &[u8]| {
    let Some((&choice, bytes)) = data.split_first() else { return };
    let mut options = GraphReadOptions {
        decimal_weights: choice & 8 != 0,
        unchecked_weights: choice & 16 != 0,
        decimal_comma: choice & 40 == 40,
        ..GraphReadOptions::default()
    };
    if choice & 32 != 0 {
        options.merge_directions = Some(true);
    }
    if choice & 64 != 0 {
        options.directed = Some(choice & 128 != 0);
    } else if choice & 128 != 0 {
        options.columns = ["1", "2", "3"].map(str::to_owned).to_vec();
    }
    let file = match (FORMATS.get(usize::from(choice & 7)), choice >> 6) {
        (Some(&format), _) => format::read(bytes, format, &options),
        (None, 0) => format::read(bytes, GraphFormat::Graph6, &options),
        (None, 1) => format::read(bytes, GraphFormat::Sparse6, &options),
        (None, _) => format::read_named("graph.txt", bytes, &options),
    };
    let Ok(file) = file else { return };
    assert_eq!(file.edges.lines.len(), file.graph.num_edges());
    // A graph that is written is read back with as many vertices and edges.
    let kept = GraphReadOptions { merge_directions: Some(false), ..GraphReadOptions::default() };
    if let Ok(text) = format::write(&file.graph) {
        let again =
            format::read(text.as_bytes(), GraphFormat::Json, &kept).expect("it was written");
        assert_eq!(again.graph.num_edges(), file.graph.num_edges(), "{text}");
        assert_eq!(again.graph.num_vertices(), file.graph.num_vertices(), "{text}");
    }
});
