//! Formats of graphs that are not read, with the line of Python that converts them.

use super::FormatError;
use super::table::Separator;

/// A format that is not read.
pub(super) struct Foreign {
    pub(super) name: &'static str,
    /// The endings of its files.
    pub(super) endings: &'static [&'static str],
    /// Modules to import beside networkx.
    pub(super) imports: &'static str,
    /// The Python expression that loads the file `F`.
    pub(super) load: &'static str,
    /// Advice after the line, about what the file does not state.
    pub(super) advice: &'static str,
}

pub(super) const fn foreign(
    name: &'static str,
    endings: &'static [&'static str],
    load: &'static str,
) -> Foreign {
    Foreign { name, endings, imports: "", load, advice: "" }
}

/// Advice for tables whose columns the user has to name.
pub(super) const NAMES_OF_COLUMNS: &str = ", with the names of its columns in place of FROM and TO";

pub(super) const GML: Foreign = foreign("GML", &["gml"], "nx.read_gml('F')");
pub(super) const GML_OF_NAMES: Foreign = foreign("GML", &[], "nx.read_gml('F', label='name')");
pub(super) const GML_OF_IDS: Foreign = foreign("GML", &[], "nx.read_gml('F', label='id')");
/// igraph writes parallel edges without announcing them, and networkx reads ASCII only.
pub(super) const GML_FOR_IGRAPH: Foreign = Foreign {
    imports: ", igraph",
    ..foreign("GML", &[], "igraph.Graph.Read_GML('F').to_networkx()")
};
pub(super) const GEXF: Foreign = foreign("GEXF", &["gexf"], "nx.read_gexf('F')");
pub(super) const PAJEK: Foreign = foreign("Pajek", &["net", "paj", "pajek"], "nx.read_pajek('F')");
pub(super) const PAJEK_OF_NUMBERS: Foreign = Foreign {
    imports: ", igraph",
    ..foreign("Pajek", &[], "igraph.Graph.Read_Pajek('F').to_networkx()")
};
pub(super) const GRAPH6: Foreign = foreign("graph6", &["g6"], "nx.read_graph6('F')");
pub(super) const SPARSE6: Foreign = foreign("sparse6", &["s6"], "nx.read_sparse6('F')");
pub(super) const DOT: Foreign = foreign("DOT", &["dot", "gv"], "nx.nx_pydot.read_dot('F')");
/// pydot reads no attribute `name`, which igraph writes.
pub(super) const DOT_OF_NAMES: Foreign = Foreign {
    imports: ", pydot",
    load: "(lambda g: nx.relabel_nodes(g, {v: d.pop('label', v).strip(chr(34)) for v, d in g.nodes(data=True)}))\
           (nx.nx_pydot.from_pydot(pydot.graph_from_dot_data(open('F', encoding='utf-8').read()\
           .replace('    name=', '    label='))[0]))",
    ..DOT
};
pub(super) const MATRIX_MARKET: Foreign = Foreign {
    imports: ", scipy.io, scipy.sparse",
    ..foreign(
        "MatrixMarket",
        &["mtx"],
        "nx.from_scipy_sparse_array(scipy.sparse.coo_array(scipy.io.mmread('F')))",
    )
};
pub(super) const DIRECTED_MATRIX_MARKET: Foreign = Foreign {
    load: "nx.from_scipy_sparse_array(scipy.sparse.coo_array(scipy.io.mmread('F')), create_using=nx.DiGraph)",
    ..MATRIX_MARKET
};
const NPZ: Foreign = Foreign {
    imports: ", scipy.sparse",
    advice: " (of a directed graph, with `, create_using=nx.DiGraph` after the array)",
    ..foreign("NumPy", &["npz"], "nx.from_scipy_sparse_array(scipy.sparse.load_npz('F'))")
};
const NPY: Foreign = Foreign {
    imports: ", numpy",
    advice: NPZ.advice,
    ..foreign("NumPy", &["npy"], "nx.from_numpy_array(numpy.load('F'))")
};
const DENSE_NPZ: Foreign =
    Foreign { load: "nx.from_numpy_array(next(iter(numpy.load('F').values())))", ..NPY };
const PICKLE: Foreign = Foreign {
    imports: ", pickle",
    ..foreign("Python's pickle", &["pickle", "pkl", "gpickle"], "pickle.load(open('F', 'rb'))")
};
pub(super) const LEDA: Foreign = Foreign {
    advice: "; the labels of its edges are then the attribute `label`, which may be chosen as their weight; \
             parallel edges become one",
    ..foreign("LEDA", &["leda", "lgr", "gw"], "nx.read_leda('F')")
};
const LGL: Foreign = Foreign {
    imports: ", igraph",
    ..foreign("LGL", &["lgl"], "igraph.Graph.Read_Lgl('F', directed=False).to_networkx()")
};
const MULTILINE: Foreign = Foreign {
    advice: " (of a directed graph, with nx.MultiDiGraph)",
    ..foreign(
        "a list of neighbours on several lines",
        &[],
        "nx.read_multiline_adjlist('F', create_using=nx.MultiGraph)",
    )
};
const MATRIX: Foreign = Foreign {
    imports: ", numpy",
    ..foreign("an adjacency matrix", &[], "nx.from_numpy_array(numpy.loadtxt('F'))")
};
const DIRECTED_MATRIX: Foreign =
    Foreign { load: "nx.from_numpy_array(numpy.loadtxt('F'), create_using=nx.DiGraph)", ..MATRIX };
const INCIDENCE_MATRIX: Foreign = Foreign {
    name: "an incidence matrix",
    load: "nx.MultiGraph([c.nonzero()[0].tolist() for c in numpy.loadtxt('F').T])",
    ..MATRIX
};
const BIADJACENCY_MATRIX: Foreign = Foreign {
    name: "a matrix of two sets of vertices",
    imports: ", numpy, scipy.sparse",
    load: "nx.bipartite.from_biadjacency_matrix(scipy.sparse.coo_array(numpy.loadtxt('F')))",
    ..MATRIX
};
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
const HEADED_MATRIX: Foreign = Foreign {
    imports: ", pandas",
    advice: "; to read its rows as edges, choose their columns with `GraphReadOptions::columns`",
    ..foreign(
        "an adjacency matrix below the names of its columns",
        &[],
        "nx.from_pandas_adjacency((lambda d: d.set_axis(d.columns))(pandas.read_csv('F', sep=None, engine='python')))",
    )
};
const DIRECTED_HEADED_MATRIX: Foreign = Foreign {
    load: "nx.from_pandas_adjacency((lambda d: d.set_axis(d.columns))(pandas.read_csv('F', sep=None, engine='python')), nx.DiGraph)",
    ..HEADED_MATRIX
};
const IGRAPH_PICKLE: Foreign =
    Foreign { load: "pickle.load(open('F', 'rb')).to_networkx()", ..PICKLE };
const TABLE_PICKLE: Foreign = Foreign {
    imports: ", pandas",
    load: "nx.from_pandas_edgelist(pandas.read_pickle('F'), 'FROM', 'TO', True)",
    advice: NAMES_OF_COLUMNS,
    ..PICKLE
};
pub(super) const HTML: Foreign = Foreign {
    imports: ", pandas",
    advice: NAMES_OF_COLUMNS,
    ..foreign(
        "HTML",
        &["html", "htm"],
        "nx.from_pandas_edgelist(pandas.read_html('F', encoding='utf-8')[0], 'FROM', 'TO', True)",
    )
};
pub(super) const XML_TABLE: Foreign = Foreign {
    imports: ", pandas",
    advice: NAMES_OF_COLUMNS,
    ..foreign(
        "XML without a graph",
        &[],
        "nx.from_pandas_edgelist(pandas.read_xml('F'), 'FROM', 'TO', True)",
    )
};
pub(super) const LATEX: Foreign = foreign("LaTeX", &["tex"], "");
pub(super) const CYTOSCAPE: Foreign = Foreign {
    imports: ", json",
    ..foreign("the JSON of Cytoscape", &["cyjs"], "nx.cytoscape_graph(json.load(open('F')))")
};

/// The formats that an ending names.
const BY_ENDING: [&Foreign; 20] = [
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
    &HTML,
    &LATEX,
];
const TGF: Foreign = foreign("TGF, a list of nodes, `#`, and a list of edges", &["tgf"], "");
pub(super) const STP: Foreign = foreign("STP, a Steiner tree problem", &["stp"], "");
pub(super) const TSPLIB: Foreign =
    foreign("TSPLIB, the format of tours", &["tsp", "atsp", "hcp"], "");
pub(super) const LGF: Foreign = foreign("LGF, the format of LEMON", &["lgf"], "");
pub(super) const UCINET: Foreign = foreign("DL, the format of UCINET", &["dl"], "");

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
    pub(super) fn error(&self, name: FileName<'_>) -> FormatError {
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
        message += self.advice;
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
            let error = format.error(name);
            let message = error.message.replacen("the file is", "by its ending, the file is", 1);
            let message = message + "; if it is another one, set the format";
            Err(FormatError { message, ..error })
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
    let has = |word: &[u8]| bytes.windows(word.len()).any(|part| part == word);
    let format = if bytes.starts_with(b"PK\x03\x04") {
        if name.ending() != "npz" {
            return Err(spreadsheet().or_archive());
        }
        if has(b"indices.npy") || !has(b".npy") { &NPZ } else { &DENSE_NPZ }
    } else if bytes.starts_with(b"\x93NUMPY") {
        &NPY
    } else if matches!(bytes, [0x80, 2..=5, ..]) {
        if has(b"igraph") {
            &IGRAPH_PICKLE
        } else if has(b"pandas") {
            &TABLE_PICKLE
        } else {
            &PICKLE
        }
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

/// A format that the rows of a text show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForeignRows {
    Graph6,
    Sparse6,
    Lgl,
    Tgf,
    Multiline,
    Incidence,
    Biadjacency,
    Matrix,
    DirectedMatrix,
    NamedMatrix,
    DirectedNamedMatrix,
    /// A matrix below the names of its columns.
    HeadedMatrix,
    DirectedHeadedMatrix,
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
        ForeignRows::Incidence => &INCIDENCE_MATRIX,
        ForeignRows::Biadjacency => &BIADJACENCY_MATRIX,
        ForeignRows::Matrix => &MATRIX,
        ForeignRows::DirectedMatrix => &DIRECTED_MATRIX,
        ForeignRows::NamedMatrix => &NAMED_MATRIX,
        ForeignRows::DirectedNamedMatrix => &DIRECTED_NAMED_MATRIX,
        ForeignRows::HeadedMatrix => &HEADED_MATRIX,
        ForeignRows::DirectedHeadedMatrix => &DIRECTED_HEADED_MATRIX,
    };
    let mut error = format.error(name);
    error.message = error.message.replacen("the file is", "the file looks like", 1);
    if let Separator::Sign(sign) = separator {
        let delimiter = format!(", delimiter='{}'", char::from(sign).escape_default());
        for call in ["numpy.loadtxt('", "nx.read_multiline_adjlist('"] {
            if let Some(at) = error.message.find(call).map(|at| at + call.len()) {
                let end = error.message[at..].find('\'').map_or(at, |quote| at + quote + 1);
                error.message.insert_str(end, &delimiter);
            }
        }
    }
    let may_be_edges = [
        ForeignRows::Matrix,
        ForeignRows::DirectedMatrix,
        ForeignRows::Incidence,
        ForeignRows::Biadjacency,
        ForeignRows::Lgl,
    ];
    if may_be_edges.contains(&rows) {
        error.message += "; to read its lines as edges, set the format `edges`";
    }
    error
}
