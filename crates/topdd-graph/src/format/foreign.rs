//! Formats of graphs that are not read, with the line of Python that converts them.

use super::FormatError;
use super::table::Separator;

/// A format that is not read.
struct Foreign {
    name: &'static str,
    /// The endings of its files.
    endings: &'static [&'static str],
    /// Modules to import beside networkx.
    imports: &'static str,
    /// The Python expression that loads the file `F`.
    load: &'static str,
}

const fn foreign(
    name: &'static str,
    endings: &'static [&'static str],
    load: &'static str,
) -> Foreign {
    Foreign { name, endings, imports: "", load }
}

const GML: Foreign = foreign("GML", &["gml"], "nx.read_gml('F')");
const GML_OF_NAMES: Foreign = foreign("GML", &[], "nx.read_gml('F', label='name')");
const GML_OF_IDS: Foreign = foreign("GML", &[], "nx.read_gml('F', label='id')");
const GEXF: Foreign = foreign("GEXF", &["gexf"], "nx.read_gexf('F')");
const PAJEK: Foreign = foreign("Pajek", &["net", "paj", "pajek"], "nx.read_pajek('F')");
const PAJEK_OF_NUMBERS: Foreign = Foreign {
    imports: ", igraph",
    ..foreign("Pajek", &[], "igraph.Graph.Read_Pajek('F').to_networkx()")
};
const GRAPH6: Foreign = foreign("graph6", &["g6"], "nx.read_graph6('F')");
const SPARSE6: Foreign = foreign("sparse6", &["s6"], "nx.read_sparse6('F')");
const DOT: Foreign = foreign("DOT", &["dot", "gv"], "nx.nx_pydot.read_dot('F')");
const MATRIX_MARKET: Foreign = Foreign {
    imports: ", scipy.io",
    ..foreign("MatrixMarket", &["mtx"], "nx.from_scipy_sparse_array(scipy.io.mmread('F'))")
};
const DIRECTED_MATRIX_MARKET: Foreign = Foreign {
    load: "nx.from_scipy_sparse_array(scipy.io.mmread('F'), create_using=nx.DiGraph)",
    ..MATRIX_MARKET
};
const NPZ: Foreign = Foreign {
    imports: ", scipy.sparse",
    ..foreign("NumPy", &["npz"], "nx.from_scipy_sparse_array(scipy.sparse.load_npz('F'))")
};
const NPY: Foreign = Foreign {
    imports: ", numpy",
    ..foreign("NumPy", &["npy"], "nx.from_numpy_array(numpy.load('F'))")
};
const PICKLE: Foreign = Foreign {
    imports: ", pickle",
    ..foreign("Python's pickle", &["pickle", "pkl", "gpickle"], "pickle.load(open('F', 'rb'))")
};
const LEDA: Foreign = foreign("LEDA", &["leda", "lgr", "gw"], "nx.read_leda('F')");
const LGL: Foreign = Foreign {
    imports: ", igraph",
    ..foreign("LGL", &["lgl"], "igraph.Graph.Read_Lgl('F', directed=False).to_networkx()")
};
const MULTILINE: Foreign =
    foreign("a list of neighbours on several lines", &[], "nx.read_multiline_adjlist('F')");
const MATRIX: Foreign = Foreign {
    imports: ", numpy",
    ..foreign("an adjacency matrix", &[], "nx.from_numpy_array(numpy.loadtxt('F'))")
};
const DIRECTED_MATRIX: Foreign =
    Foreign { load: "nx.from_numpy_array(numpy.loadtxt('F'), create_using=nx.DiGraph)", ..MATRIX };
const DIRECTED_NAMED_MATRIX: Foreign = Foreign {
    load: "nx.from_pandas_adjacency(pandas.read_csv('F', index_col=0, sep=None, engine='python').rename(index=str, columns=str), nx.DiGraph)",
    ..NAMED_MATRIX
};
const NAMED_MATRIX: Foreign = Foreign {
    imports: ", pandas",
    ..foreign(
        "an adjacency matrix with names",
        &[],
        "nx.from_pandas_adjacency(pandas.read_csv('F', index_col=0, sep=None, engine='python').rename(index=str, columns=str))",
    )
};
#[cfg(feature = "json")]
const RECORD_LINES: Foreign = Foreign {
    load: "nx.from_pandas_edgelist(pandas.read_json('F', lines=True), 'FROM', 'TO', True)",
    ..RECORDS
};
const IGRAPH_PICKLE: Foreign =
    Foreign { load: "pickle.load(open('F', 'rb')).to_networkx()", ..PICKLE };
#[cfg(feature = "json")]
const ADJACENCY_JSON: Foreign = Foreign {
    imports: ", json",
    ..foreign("the adjacency JSON of networkx", &[], "nx.adjacency_graph(json.load(open('F')))")
};
const CYTOSCAPE: Foreign = Foreign {
    imports: ", json",
    ..foreign("the JSON of Cytoscape", &["cyjs"], "nx.cytoscape_graph(json.load(open('F')))")
};
#[cfg(feature = "json")]
const RECORDS: Foreign = Foreign {
    imports: ", pandas",
    ..foreign(
        "a table in JSON",
        &[],
        "nx.from_pandas_edgelist(pandas.read_json('F'), 'FROM', 'TO', True)",
    )
};

/// The formats that an ending names.
const BY_ENDING: [&Foreign; 18] = [
    &GML,
    &GEXF,
    &PAJEK,
    &GRAPH6,
    &SPARSE6,
    &DOT,
    &MATRIX_MARKET,
    &NPZ,
    &NPY,
    &PICKLE,
    &LEDA,
    &LGL,
    &CYTOSCAPE,
    &TGF,
    &STP,
    &TSPLIB,
    &LGF,
    &UCINET,
];
const TGF: Foreign = foreign("TGF, a list of nodes, `#`, and a list of edges", &["tgf"], "");
const STP: Foreign = foreign("STP, a Steiner tree problem", &["stp"], "");
const TSPLIB: Foreign = foreign("TSPLIB, a travelling salesman problem", &["tsp", "atsp"], "");
const LGF: Foreign = foreign("LGF, the format of LEMON", &["lgf"], "");
const UCINET: Foreign = foreign("DL, the format of UCINET", &["dl"], "");

/// A file as the message names it.
#[derive(Clone, Copy)]
pub(super) struct FileName<'a>(pub(super) &'a str);

impl FileName<'_> {
    /// The ending in lower case, without a `.gz` after it.
    pub(super) fn ending(self) -> String {
        let name = self.0.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        name.rsplit_once('.').map(|(_, ending)| ending.to_owned()).unwrap_or_default()
    }

    /// The name for Python and the shell: `F` if it has signs that these would read otherwise.
    fn quoted(self) -> String {
        let is_plain = |sign: char| sign.is_alphanumeric() || "._-/ ".contains(sign);
        let plain = !self.0.is_empty() && self.0 != "-" && self.0.chars().all(is_plain);
        if plain { self.0.to_owned() } else { "F".to_owned() }
    }
}

impl Foreign {
    /// The error for a file in this format.
    fn error(&self, name: FileName<'_>) -> FormatError {
        let file = name.quoted();
        if self.load.is_empty() {
            return FormatError::new(format!(
                "the file is {}, which is not read; keep one edge per line, as `a b` or `a b weight`",
                self.name
            ));
        }
        let stem = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem);
        let mut message = format!(
            "the file is {}, which is not read; convert it to GraphML with: python -c \"import networkx as \
             nx{}; nx.write_graphml({}, '{stem}.graphml')\"",
            self.name,
            self.imports,
            self.load.replace("'F'", &format!("'{file}'")),
        );
        if self.name == NPZ.name {
            message += " (of a directed graph, with `, create_using=nx.DiGraph` after the array)";
        }
        if self.load.contains("'FROM'") {
            message += ", with the names of its columns in place of FROM and TO";
        }
        FormatError::new(message)
    }
}

/// Fails if the ending belongs to a format that is not read.
pub(super) fn refuse_ending(name: FileName<'_>) -> Result<(), FormatError> {
    let ending = name.ending();
    if ["xlsx", "xls", "ods", "numbers"].contains(&ending.as_str()) {
        return Err(spreadsheet());
    }
    match BY_ENDING.iter().find(|format| format.endings.contains(&ending.as_str())) {
        None => Ok(()),
        Some(format) => {
            let FormatError { line, message } = format.error(name);
            let message = message.replacen("the file is", "by its ending, the file is", 1);
            Err(FormatError { line, message: message + "; if it is another one, set the format" })
        }
    }
}

fn spreadsheet() -> FormatError {
    FormatError::new(
        "the file is a spreadsheet; save its sheet of edges as CSV, with one edge per row",
    )
}

/// Fails if the bytes, which may be no text, are plainly in another format.
pub(super) fn refuse_bytes(bytes: &[u8], name: FileName<'_>) -> Result<(), FormatError> {
    let format = if bytes.starts_with(b"PK\x03\x04") {
        if name.ending() != "npz" {
            return Err(spreadsheet().or_archive());
        }
        &NPZ
    } else if bytes.starts_with(b"\x93NUMPY") {
        &NPY
    } else if matches!(bytes, [0x80, 2..=5, ..]) {
        if bytes.windows(6).any(|word| word == b"igraph") { &IGRAPH_PICKLE } else { &PICKLE }
    } else {
        return Ok(());
    };
    Err(format.error(name))
}

impl FormatError {
    fn or_archive(mut self) -> Self {
        self.message =
            self.message.replacen("is a spreadsheet", "is an archive, such as a spreadsheet", 1);
        self
    }
}

/// Fails if the text is plainly in a format that is not read.
pub(super) fn refuse_text(text: &str, name: FileName<'_>) -> Result<(), FormatError> {
    match by_content(text) {
        Some(format) => Err(format.error(name)),
        None => Ok(()),
    }
}

/// The format that the first words of a text name.
fn by_content(text: &str) -> Option<&'static Foreign> {
    let text = text.trim_start();
    if text.starts_with(">>graph6<<") || text.starts_with(">>digraph6<<") {
        return Some(&GRAPH6);
    }
    if text.starts_with(">>sparse6<<") {
        return Some(&SPARSE6);
    }
    if text.starts_with("%%MatrixMarket") {
        let first = text.lines().next().unwrap_or_default();
        return Some(if first.ends_with("general") {
            &DIRECTED_MATRIX_MARKET
        } else {
            &MATRIX_MARKET
        });
    }
    if let Some(format) = by_keyword(text) {
        return Some(format);
    }
    if text.starts_with('<') {
        let head: String = text.chars().take(2000).collect();
        return head.contains("<gexf").then_some(&GEXF);
    }
    if is_dot(text) {
        return Some(&DOT);
    }
    if let Some(gml) = gml(text) {
        return Some(gml);
    }
    pajek(text)
}

/// The format whose keyword begins a text, or a line.
fn by_keyword(text: &str) -> Option<&'static Foreign> {
    let first = text.lines().next().unwrap_or_default().to_ascii_lowercase();
    let has_line = |words: &[&str]| {
        text.lines().any(|line| words.contains(&line.split([':', ' ']).next().unwrap_or_default()))
    };
    if first.starts_with("leda.graph") {
        Some(&LEDA)
    } else if first.starts_with("33d32945") || has_line(&["SECTION"]) && has_line(&["END"]) {
        Some(&STP)
    } else if has_line(&["EDGE_WEIGHT_TYPE"]) || has_line(&["NODE_COORD_SECTION"]) {
        Some(&TSPLIB)
    } else if has_line(&["@nodes", "@arcs", "@edges"]) {
        Some(&LGF)
    } else if first.starts_with("dl ") && first.contains('=') {
        Some(&UCINET)
    } else {
        None
    }
}

/// GML: `graph [`, after comments and entries such as `Creator "..."`.
fn gml(text: &str) -> Option<&'static Foreign> {
    let mut lines = text.lines().map(str::trim);
    let mut lines = lines.by_ref().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let start = lines.by_ref().find(|line| {
        let key = line.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        !["creator", "version", "comment"].contains(&key.as_str())
    })?;
    let rest = start.strip_prefix("graph")?.trim_start();
    if !(rest.starts_with('[') || rest.is_empty() && lines.next()?.starts_with('[')) {
        return None;
    }
    let has = |key: &str| text.lines().any(|line| line.trim_start().starts_with(key));
    Some(if has("label ") || text.contains(" label ") {
        &GML
    } else if has("name ") {
        &GML_OF_NAMES
    } else {
        &GML_OF_IDS
    })
}

/// DOT: `[strict] graph|digraph [ID] {`, after comments.
fn is_dot(text: &str) -> bool {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if rest.starts_with("//") || rest.starts_with('#') {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
        } else {
            break;
        }
    }
    let Some((head, _)) = rest.split_once('{') else { return false };
    let head = head.to_ascii_lowercase();
    let mut words = head.split_whitespace().peekable();
    words.next_if_eq(&"strict");
    matches!(words.next(), Some("graph" | "digraph")) && !head.contains('\n')
        || matches!(head.trim(), "graph" | "digraph" | "strict graph" | "strict digraph")
}

/// Pajek: a line such as `*Vertices 4`, after comments.
fn pajek(text: &str) -> Option<&'static Foreign> {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('%'))?;
    let first = first.trim_start().to_ascii_lowercase();
    let keys = ["*vertices", "*network", "*edges", "*arcs", "*edgeslist", "*arcslist", "*matrix"];
    if !keys.iter().any(|key| first.starts_with(key)) {
        return None;
    }
    // networkx needs the names of the vertices.
    let mut lines =
        text.lines().skip_while(|line| !line.to_ascii_lowercase().starts_with("*vertices"));
    let after = lines.nth(1).unwrap_or("1");
    Some(if after.starts_with('*') { &PAJEK_OF_NUMBERS } else { &PAJEK })
}

/// A format that the rows of a text show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForeignRows {
    Graph6,
    Sparse6,
    Lgl,
    Tgf,
    Multiline,
    Matrix,
    DirectedMatrix,
    NamedMatrix,
    DirectedNamedMatrix,
}

/// The error for rows in another format.
pub(super) fn refuse_rows(
    rows: ForeignRows,
    separator: Separator,
    name: FileName<'_>,
) -> FormatError {
    let format = match rows {
        ForeignRows::Graph6 => &GRAPH6,
        ForeignRows::Sparse6 => &SPARSE6,
        ForeignRows::Lgl => &LGL,
        ForeignRows::Tgf => &TGF,
        ForeignRows::Multiline => &MULTILINE,
        ForeignRows::Matrix => &MATRIX,
        ForeignRows::DirectedMatrix => &DIRECTED_MATRIX,
        ForeignRows::NamedMatrix => &NAMED_MATRIX,
        ForeignRows::DirectedNamedMatrix => &DIRECTED_NAMED_MATRIX,
    };
    let mut error = format.error(name);
    error.message = error.message.replacen("the file is", "the file looks like", 1);
    if let (Separator::Sign(sign), Some(at)) = (separator, error.message.find("numpy.loadtxt('")) {
        let close = error.message[at..].find(')').map_or(at, |close| at + close);
        error
            .message
            .insert_str(close, &format!(", delimiter='{}'", char::from(sign).escape_default()));
    }
    if matches!(rows, ForeignRows::Matrix | ForeignRows::DirectedMatrix | ForeignRows::Lgl) {
        error.message += "; to read its lines as edges, set the format `edges`";
    }
    error
}

/// Fails if the text is JSON of another layout.
#[cfg(feature = "json")]
pub(super) fn refuse_json(text: &str, name: FileName<'_>) -> Result<(), FormatError> {
    use serde::Deserialize;
    use serde::de::IgnoredAny;

    #[derive(Deserialize)]
    struct Members {
        adjacency: Option<IgnoredAny>,
        elements: Option<IgnoredAny>,
        nodes: Option<IgnoredAny>,
    }
    let text = text.trim_start();
    if let Some(rest) = text.strip_prefix('[') {
        let are_objects = rest.trim_start().starts_with('{');
        return if are_objects { Err(RECORDS.error(name)) } else { Ok(()) };
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Members>();
    let Some(Ok(members)) = values.next() else { return Ok(()) };
    if members.nodes.is_none() && matches!(values.next(), Some(Ok(_))) {
        return Err(RECORD_LINES.error(name));
    }
    match members {
        Members { adjacency: Some(_), .. } => Err(ADJACENCY_JSON.error(name)),
        Members { elements: Some(_), nodes: None, .. } => Err(CYTOSCAPE.error(name)),
        Members { nodes: None, .. } if has_columns(text) => Err(RECORDS.error(name)),
        Members { .. } => Ok(()),
    }
}

/// Whether the text is an object of objects, as pandas writes columns.
#[cfg(feature = "json")]
fn has_columns(text: &str) -> bool {
    let object: Result<serde_json::Map<String, serde_json::Value>, _> = serde_json::from_str(text);
    object.is_ok_and(|object| object.len() > 1 && object.values().all(serde_json::Value::is_object))
}
