//! Formats by the endings of their files, and formats that are known by name and not read.

use super::{FormatError, FormatFault, GraphFormat, Known, Remedy};

/// First words, in lower case, of formats that are read.
const MARKS: [(GraphFormat, &[&str]); 5] = [
    (GraphFormat::GraphMl, &["<graphml", "<?xml"]),
    (GraphFormat::Json, &["{"]),
    (GraphFormat::Graph6, &[">>graph6<<"]),
    (GraphFormat::Sparse6, &[">>sparse6<<"]),
    (GraphFormat::Dimacs, &["p edge ", "p edges ", "p col ", "p sp ", "p tw ", "p td "]),
];

const FORMULA: &str = "a formula in CNF";

/// The names of formats that are not read, with the endings of their files, and first words in lower case.
const NOT_READ: [(&str, &[&str], &[&str]); 23] = [
    ("GML", &["gml"], &["graph [", "creator \""]),
    (FORMULA, &["cnf", "wcnf"], &["p cnf", "p wcnf"]),
    ("GEXF", &["gexf"], &["<gexf"]),
    ("Pajek", &["net", "paj", "pajek"], &["*vertices", "*network", "*arcs", "*edges", "*matrix"]),
    ("DOT", &["dot", "gv"], &["graph {", "digraph ", "strict graph ", "strict digraph "]),
    ("Matrix Market", &["mtx"], &["%%matrixmarket"]),
    ("TSPLIB", &["tsp", "atsp", "hcp", "vrp"], &["name :", "name:"]),
    ("GeoJSON", &["geojson"], &[]),
    ("MATPOWER", &["m"], &["function mpc"]),
    ("a hypergraph of `p hs`", &["hgr"], &["p hs"]),
    ("STP, a Steiner tree problem", &["stp"], &["33d32945"]),
    ("digraph6", &["d6"], &[">>digraph6<<"]),
    ("LEDA", &["leda", "lgr", "gw"], &["leda.graph"]),
    ("LGF, the format of LEMON", &["lgf"], &["@nodes"]),
    ("DL, the format of UCINET", &["dl"], &["dl n"]),
    ("SIF", &["sif"], &[]),
    ("LGL", &["lgl"], &[]),
    ("TGF", &["tgf"], &[]),
    ("the JSON of Cytoscape", &["cyjs"], &[]),
    ("HTML", &["html", "htm"], &["<!doctype html", "<html", "<table"]),
    ("a spreadsheet or another archive", &["xlsx", "xls", "ods", "numbers"], &["pk\u{3}\u{4}"]),
    ("an array of NumPy", &["npy", "npz"], &["\u{fffd}numpy"]),
    ("Python's pickle", &["pickle", "pkl", "gpickle"], &["\u{fffd}\u{4}", "\u{fffd}\u{5}"]),
];

fn not_read(line: Option<usize>, name: &'static str) -> FormatError {
    let error = FormatError::of_fault(line, FormatFault::NotRead(name));
    if name == FORMULA { error.or(Remedy::Formula) } else { error }
}

/// Returns the format of a file by the ending of its name.
pub(super) fn by_name(name: &str) -> Result<(GraphFormat, Known), FormatError> {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    if let Some((name, ..)) = NOT_READ.iter().find(|(_, endings, _)| endings.contains(&ending)) {
        return Err(not_read(None, name));
    }
    let known = GraphFormat::ALL.iter().find(|(_, _, endings)| endings.contains(&ending));
    let default = (GraphFormat::EdgeList, Known::ByDefault);
    Ok(known.map_or(default, |&(format, ..)| (format, Known::ByEnding)))
}

/// Fails if the first words of a file belong to another format.
pub(super) fn refuse_marks(bytes: &[u8], format: GraphFormat) -> Result<(), FormatError> {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]).to_lowercase();
    let text = text.trim_start_matches('\u{feff}');
    let is_comment = |line: &str| {
        let is_sign = ["#", "//", "/*", "%"].iter().any(|sign| line.starts_with(sign));
        line.is_empty()
            || is_sign && !line.starts_with("%%m")
            || line.starts_with("c ")
            || line == "c"
    };
    let mut lines = text.lines().map(str::trim).zip(1..).skip_while(|(line, _)| is_comment(line));
    let Some((first, line)) = lines.next() else { return Ok(()) };
    let more = lines.map(|(line, _)| line);
    let head = std::iter::once(first).chain(more).flat_map(str::split_whitespace);
    let head = head.collect::<Vec<_>>().join(" ");
    let has_mark = |marks: &&[&str]| {
        marks.iter().any(|mark| match mark.strip_prefix('<') {
            Some(_) => head.starts_with('<') && head.contains(mark),
            None => head.starts_with(mark),
        })
    };
    let is_dot = head.starts_with("graph ") && first.ends_with('{');
    let mut others = NOT_READ.iter();
    if let Some((name, ..)) =
        others.find(|(name, _, marks)| has_mark(marks) || is_dot && *name == "DOT")
    {
        return Err(not_read(Some(line), name));
    }
    match MARKS.iter().find(|(_, marks)| has_mark(marks)) {
        Some((other, _)) if *other != format => {
            let message = format!(
                "the file begins as one in the format `{other}`, and is read as `{format}`"
            );
            Err(FormatError::at(line, message).or(Remedy::Format(vec![*other])))
        }
        _ => Ok(()),
    }
}
