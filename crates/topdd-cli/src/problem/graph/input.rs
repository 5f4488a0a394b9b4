//! The graph of a command line: its file, and the names of its edges and vertices.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use topdd_graph::Graph;
use topdd_graph::format::{self, GraphFile, GraphFormat, GraphReadOptions};

use super::{Unit, word};
use crate::args::{self, What};
use crate::failure::Failure;

/// The name of standard input as a file.
const STDIN: &str = "-";

/// The name of a file in messages.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new(STDIN) { "standard input".to_owned() } else { path.display().to_string() }
}

pub(super) fn is_stdin(asked: &args::Graph) -> bool {
    asked.file == Path::new(STDIN)
}

/// Whether the file is standard input, by any of its names.
#[cfg(feature = "cluster")]
pub(super) fn is_input(asked: &args::Graph) -> bool {
    let names = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
    is_stdin(asked) || names.iter().any(|name| asked.file == Path::new(name))
}

/// Endings of graph files in formats that are not read.
const OTHER_ENDINGS: [&str; 8] = ["csv", "tsv", "gml", "gexf", "net", "dot", "mtx", "g6"];

/// Reads the graph.
pub(super) fn read(asked: &args::Graph) -> Result<GraphFile, Failure> {
    let name = name(&asked.file);
    refuse_overwriting(asked)?;
    if let (None, Some(ending)) = (asked.format, asked.file.extension().and_then(OsStr::to_str))
        && OTHER_ENDINGS.iter().any(|other| ending.eq_ignore_ascii_case(other))
    {
        return Err(Failure::Failed(format!(
            "{name}: topdd does not read files that end in .{ending}\nhint: write one edge per line, as \
             `a b weight`, or set the format with --format"
        )));
    }
    let bytes = if is_stdin(asked) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(&asked.file)
    };
    let bytes = bytes.map_err(|error| Failure::Failed(format!("cannot read {name}: {error}")))?;
    if bytes.starts_with(b"\x89topdd") {
        let hint = "read it with `topdd count`, `topdd list` or `topdd best`";
        return Err(Failure::Failed(format!(
            "{name} is a saved diagram, not a graph\nhint: {hint}"
        )));
    }
    let format = asked.format.unwrap_or_else(|| GraphFormat::of_path(&asked.file));
    // What needs whole weights checks them.
    let mut options = GraphReadOptions::default().decimal_weights(true);
    if asked.directed || asked.undirected {
        options = options.directed(asked.directed);
    }
    let mut file = format::read(&bytes, format, options).map_err(|error| {
        let place = error.line().map(|line| format!(", line {line}")).unwrap_or_default();
        // Advice of the library, in the words of the command line.
        let message = error.message().replace(
            "read all edges as directed or as undirected",
            "add --directed or --undirected",
        );
        let message = format!("{name}{place}: {message}");
        // The first line shows that it is another format.
        let early = asked.format.is_none() && error.line().is_none_or(|line| line == 1);
        let hint =
            format!("\nhint: it was read as {}; --format sets another format", format.name());
        Failure::Failed(if early { message + &hint } else { message })
    })?;
    refuse_other_separators(asked, &file, format)?;
    if asked.ignore_lines {
        file.max_length = None;
        file.terminals.clear();
    }
    Ok(file)
}

/// Refuses to write to the file of the graph.
fn refuse_overwriting(asked: &args::Graph) -> Result<(), Failure> {
    let Ok(graph) = fs::canonicalize(&asked.file) else { return Ok(()) };
    for (option, file) in asked.common.outputs() {
        if graph.is_file() && fs::canonicalize(file).is_ok_and(|file| file == graph) {
            return Err(Failure::Usage(format!(
                "{option} would overwrite the graph in {}; choose another name",
                asked.file.display()
            )));
        }
    }
    Ok(())
}

/// Refuses an edge list with commas between words: they would belong to the vertices.
fn refuse_other_separators(
    asked: &args::Graph,
    file: &GraphFile,
    format: GraphFormat,
) -> Result<(), Failure> {
    const SEPARATORS: [char; 2] = [',', ';'];
    let labels = file.graph.vertex_labels().unwrap_or(&[]);
    let edges = file.graph.edges();
    let separated = if edges.is_empty() {
        labels.iter().all(|label| label.contains(SEPARATORS))
    } else {
        edges.iter().all(|&(a, _)| labels.get(a).is_some_and(|a| a.ends_with(SEPARATORS)))
    };
    if format != GraphFormat::EdgeList || labels.is_empty() || !separated {
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "{}: the words have commas or semicolons; separate the ends of an edge by a space alone, as in `a b` or \
         `a b weight`",
        name(&asked.file)
    )))
}

/// The failure for a file with directed edges.
pub(super) fn is_directed(asked: &args::Graph) -> Failure {
    let (what, name) = (word(&asked.what), name(&asked.file));
    let verb = if asked.what == What::Reliability { "is" } else { "are" };
    Failure::Usage(format!(
        "{what} {verb} for undirected graphs, and {name} has directed edges; add --undirected to \
         ignore their directions"
    ))
}

/// Fails if edges, or vertices, have weights with decimals; `needs` is what they are for.
pub(super) fn check_whole(
    asked: &args::Graph,
    file: &GraphFile,
    unit: Unit,
    needs: &str,
) -> Result<(), Failure> {
    let (weights, numbers) = match unit {
        Unit::Edge => (file.graph.weights(), &file.edge_numbers),
        Unit::Vertex | Unit::Colour => (file.graph.vertex_weights(), &file.vertex_numbers),
    };
    let (None, Some(numbers)) = (weights, numbers) else { return Ok(()) };
    let decimal = numbers.iter().position(|number| number.fract() != 0.0);
    let by_size = |&a: &usize, &b: &usize| numbers[a].abs().total_cmp(&numbers[b].abs());
    // Without decimals, the largest one has more than 64 bits.
    let Some(at) = decimal.or_else(|| (0..numbers.len()).max_by(by_size)) else { return Ok(()) };
    let place = match unit {
        Unit::Edge => format!("line {}", file.edge_lines[at]),
        Unit::Vertex | Unit::Colour => format!("vertex {}", file.graph.vertex_name(at)),
    };
    Err(Failure::Failed(format!(
        "{}, {place}: the weight {} is not a whole number of 64 bits, which {needs} needs; scale or round it",
        name(&asked.file),
        numbers[at],
    )))
}

/// The names of the edges: their labels if these are distinct, the labels of their ends otherwise. An
/// edge without a label has the name of its ends. Of parallel edges, the second and later ones have a
/// number.
pub(super) fn edge_names(graph: &Graph) -> Vec<String> {
    let sign = if graph.is_directed() { "->" } else { "-" };
    let mut seen: HashMap<(usize, usize), usize> = HashMap::new();
    let by_ends = graph.edges().iter().map(|&(a, b)| {
        let ends = if graph.is_directed() { (a, b) } else { (a.min(b), a.max(b)) };
        let count = seen.entry(ends).and_modify(|count| *count += 1).or_insert(1);
        let name = format!("{}{sign}{}", graph.vertex_name(a), graph.vertex_name(b));
        if *count > 1 { format!("{name}#{count}") } else { name }
    });
    let by_ends: Vec<String> = by_ends.collect();
    let labels = graph.edge_labels().unwrap_or(&by_ends);
    let named = labels.iter().zip(&by_ends);
    let named = named.map(|(label, ends)| if label.is_empty() { ends } else { label });
    let named: Vec<String> = named.cloned().collect();
    let are_distinct = named.iter().collect::<HashSet<_>>().len() == named.len();
    if are_distinct { named } else { by_ends }
}

/// The numbers of vertices and edges, for titles.
pub(super) fn size(graph: &Graph) -> String {
    let (vertices, edges) = (graph.num_vertices(), graph.num_edges());
    let vertex = if vertices == 1 { "vertex" } else { "vertices" };
    let edge = if edges == 1 { "edge" } else { "edges" };
    format!("{vertices} {vertex} and {edges} {edge}")
}

/// A hash of the graph, of the order of its variables, and of the words of the command line, equal on every
/// machine (the 64-bit hash of G. Fowler, L. C. Noll and K.-P. Vo).
pub(super) fn digest(graph: &Graph, order: &[usize], words: &[String]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let directed = usize::from(graph.is_directed());
    let ends = graph.edges().iter().flat_map(|&(a, b)| [a, b]);
    for number in
        [graph.num_vertices(), directed].into_iter().chain(ends).chain(order.iter().copied())
    {
        add(&(number as u64).to_le_bytes());
    }
    // The words name vertices by their labels.
    for word in graph.vertex_labels().unwrap_or(&[]).iter().chain(words) {
        add(word.as_bytes());
    }
    format!("{hash:016x}")
}
