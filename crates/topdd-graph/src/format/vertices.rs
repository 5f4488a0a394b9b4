//! Tables of vertices in CSV: a row for each, with its name, its weight and its position.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::columns::position;
use super::draft::composed;
use super::draft::failed;
use super::number::{DraftWeight, GivenWeight, GivenWeights, count_numbers};
use super::table::{self, CsvTable};
use super::{
    FormatError, Graph, GraphFile, GraphFormat, GraphReadOptions, Note, NoteKind, Remedy, known,
    text,
};
use crate::families::Unit;

/// Usual names of the column of weights, in lower case.
const WEIGHT: [&str; 6] = ["weight", "population", "pop", "inhabitants", "size", "value"];
/// Usual names of the columns of positions.
const X: [&str; 5] = ["x", "lon", "lng", "long", "longitude"];
const Y: [&str; 3] = ["y", "lat", "latitude"];
/// Names of the columns that have numbers and are neither weights nor positions.
const IDS: [&str; 5] = ["id", "index", "key", "number", ""];

/// The columns of a table of vertices that are read, by their positions.
struct VertexColumns {
    name: usize,
    weight: Option<usize>,
    /// Of x and y.
    place: Option<[usize; 2]>,
    decimal_comma: bool,
}

impl GraphFile {
    /// Adds the vertices of a table in CSV: their weights, their positions, and the vertices without edges. The table
    /// has a row for each vertex, and every vertex with edges must be in it.
    ///
    /// The first row has the names of the columns. The vertices are in the column in which the ends of edges are. The
    /// weight is the column `weight`, `population`, or the only other one with numbers; `x` and `y`, or longitude and
    /// latitude, are positions.
    /// [`GraphReadOptions::vertex_columns`] names the columns otherwise.
    ///
    /// ```
    /// # #[cfg(feature = "csv")] {
    /// use topdd_graph::format::{self, GraphReadOptions};
    ///
    /// let options = GraphReadOptions::default();
    /// let file = format::read_named("roads.csv", b"from,to,km\nBern,Basel,97\n", &options)?;
    /// let towns = b"name,population\nBasel,170\nBern,130\nChur,40\n";
    /// let file = file.with_vertices("towns.csv", towns, &options)?;
    /// assert_eq!(file.graph.vertex("Chur"), Some(2));
    /// assert_eq!(file.graph.vertex_weights(), Some(&[130, 170, 40][..]));
    /// # }
    /// # Ok::<(), topdd_graph::format::FormatError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A [`FormatError`] if the table cannot be read, if a vertex is there twice or lacks a row, or if several columns
    /// may be the weight.
    pub fn with_vertices(
        self,
        name: impl AsRef<Path>,
        bytes: &[u8],
        options: &GraphReadOptions,
    ) -> Result<Self, FormatError> {
        let path = name.as_ref();
        self.with_table(path, bytes, options).map_err(|error| error.in_file(path))
    }

    fn with_table(
        mut self,
        path: &Path,
        bytes: &[u8],
        options: &GraphReadOptions,
    ) -> Result<Self, FormatError> {
        let bytes = text::unpack(bytes)?;
        known::refuse_marks(&bytes, GraphFormat::Csv)?;
        let text = text::decode(&bytes)?;
        if text.trim().is_empty() {
            return Err(FormatError::new("the table of vertices is empty"));
        }
        let table = table::read(&text, options)?;
        let columns = find(&table, &self.graph, options)?;
        let order = order(&table, columns.name, &self.graph)?;
        let isolated = order.len() - self.graph.num_vertices();
        let is_weighed =
            columns.weight.is_some() || isolated > 0 && self.vertices.weight_error.is_none();
        let given = self.given_weights(&table, &order, &columns);
        if isolated > 0 {
            let labels = order.iter().map(|&at| table.rows[at].word(columns.name).trim());
            let graph = self.graph.with_vertices(order.len()).with_vertex_labels(labels);
            self.graph = graph.map_err(|error| failed(&error))?;
        }
        if is_weighed {
            let weight = columns.weight.map(|at| &table.names[at]);
            let given = GivenWeights {
                unit: Unit::Vertex,
                attribute: weight.map_or(options.vertex_weight_name(), |name| name),
                are_declared: weight.is_some(),
                weights: given.iter().map(Option::as_ref).collect(),
            };
            self.vertices.lines = order.iter().map(|&at| Some(table.rows[at].line)).collect();
            // Without whole weights in the table, the graph has none either.
            let graph = self.graph.without_vertex_weights();
            self.graph = given.apply(graph, &mut self.vertices, options)?;
            self.vertices.weight_error =
                self.vertices.weight_error.map(|error| error.in_file(path));
            self.vertices.file = Some(path.to_owned());
        }
        if let Some(places) = columns.places(&table, &order) {
            self.graph = self.graph.with_positions(places).map_err(|error| failed(&error))?;
        }
        let weight = columns.weight.map(|at| format!("the weight `{}`", table.names[at]));
        let weight = weight.unwrap_or_else(|| "no weight".to_owned());
        let note =
            format!("the vertices have the name `{}` and {weight}", table.names[columns.name]);
        self.notes.push(Note::new(NoteKind::Columns, note));
        if isolated > 0 {
            let (vertices, have) =
                if isolated == 1 { ("vertex", "has") } else { ("vertices", "have") };
            let note = format!("{isolated} {vertices} of the table {have} no edges");
            self.notes.push(Note::new(NoteKind::Content, note));
        }
        Ok(self)
    }

    /// The weights of vertices in this order of rows: of a column, or those that the graph has already.
    fn given_weights(
        &self,
        table: &CsvTable<'_>,
        order: &[usize],
        columns: &VertexColumns,
    ) -> Vec<Option<GivenWeight>> {
        let Some(column) = columns.weight else {
            return (0..order.len()).map(|vertex| self.known_weight(vertex)).collect();
        };
        let words = order.iter().map(|&at| table.rows[at].word(column));
        words.map(|word| DraftWeight::given(word, columns.decimal_comma)).collect()
    }

    /// The weight that a vertex of the graph has.
    fn known_weight(&self, vertex: usize) -> Option<GivenWeight> {
        let whole = || self.graph.vertex_weights()?.get(vertex).copied().map(DraftWeight::Whole);
        let numbers = self.vertices.numbers.as_ref();
        let number = || DraftWeight::from_number(*numbers?.get(vertex)?);
        whole().or_else(number).map(Ok)
    }
}

impl VertexColumns {
    /// The positions of the vertices in this order of rows, if all have one.
    fn places(&self, table: &CsvTable<'_>, order: &[usize]) -> Option<Vec<(f64, f64)>> {
        let [x, y] = self.place?;
        let number = |at: usize, column: usize| {
            let number = DraftWeight::given(table.rows[at].word(column), self.decimal_comma)?;
            number.ok().map(DraftWeight::number)
        };
        order.iter().map(|&at| Some((number(at, x)?, number(at, y)?))).collect()
    }
}

/// Finds the columns.
fn find(
    table: &CsvTable<'_>,
    graph: &Graph,
    options: &GraphReadOptions,
) -> Result<VertexColumns, FormatError> {
    let names = &table.names;
    if options.vertex_columns.len() > 2 {
        let message = "name one or two columns of vertices: their names, and their weights";
        return Err(FormatError::new(message));
    }
    let chosen = options.vertex_columns.iter().map(|column| position(names, column, table.line));
    let chosen: Vec<usize> = chosen.collect::<Result<_, _>>()?;
    let known: HashSet<String> = (0..graph.num_vertices()).map(|v| graph.vertex_name(v)).collect();
    let name = match chosen.first() {
        Some(&name) => name,
        None => name_column(table, &known)?,
    };
    let by_name = options.vertex_columns.iter().any(|column| column.parse::<usize>().is_err());
    if !by_name && (known.contains(&names[name]) || !table.has_names()) {
        return Err(table::no_head(names, table.line));
    }
    let find = |usual: &[&str]| {
        let lower = |name: &String| usual.contains(&name.to_lowercase().as_str());
        names.iter().position(lower).filter(|&at| at != name)
    };
    let place = find(&X).zip(find(&Y)).map(|(x, y)| [x, y]);
    let weight = match chosen[..] {
        [] => weight_column(table, name, options)?,
        _ => chosen.get(1).copied(),
    };
    let numbers: Vec<usize> = weight.into_iter().chain(place.into_iter().flatten()).collect();
    let decimal_comma = table.has_decimal_comma(&numbers, options);
    Ok(VertexColumns { name, weight, place, decimal_comma })
}

/// The column with most of the vertices that have edges.
fn name_column(table: &CsvTable<'_>, vertices: &HashSet<String>) -> Result<usize, FormatError> {
    let found = |column: usize| {
        let is_vertex = |word: &str| vertices.contains(word.trim());
        usize::from(is_vertex(&table.names[column]))
            + table.column(column).filter(|word| is_vertex(word)).count()
    };
    // The first of the best ones.
    let best = (0..table.names.len()).rev().max_by_key(|&column| found(column)).unwrap_or(0);
    match vertices.iter().min().filter(|_| found(best) == 0) {
        None => Ok(best),
        Some(first) => Err(FormatError::new(format!(
            "no column of the table of vertices has the vertices of the edges, such as `{first}`"
        ))),
    }
}

/// The column of weights; an error if it may be one of several.
fn weight_column(
    table: &CsvTable<'_>,
    name: usize,
    options: &GraphReadOptions,
) -> Result<Option<usize>, FormatError> {
    let names = &table.names;
    let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let asked = options.weight_attribute.as_ref();
    let asked = asked.and_then(|asked| names.iter().position(|other| other == asked));
    let usual = || WEIGHT.iter().find_map(|usual| lower.iter().position(|name| name == usual));
    if let Some(weight) = asked.or_else(usual).filter(|&at| at != name) {
        return Ok(Some(weight));
    }
    let is_other = |&at: &usize| {
        at == name || [&X[..], &Y, &IDS].iter().any(|usual| usual.contains(&lower[at].as_str()))
    };
    let candidates: Vec<usize> = (0..names.len()).filter(|at| !is_other(at)).collect();
    // The weights of the only one may be missing in all rows.
    let is_numeric = |at: &usize| {
        count_numbers(table.column(*at)).is_some_and(|count| count > 0 || candidates.len() == 1)
    };
    let numeric: Vec<usize> = candidates.iter().copied().filter(is_numeric).collect();
    if numeric.len() > 1 {
        let names: Vec<&str> = numeric.iter().map(|&at| &names[at][..]).collect();
        let message = format!("the weight of the vertices may be {}", names.join(" or "));
        return Err(FormatError::new(message).or(Remedy::VertexColumns));
    }
    Ok(numeric.first().copied())
}

/// The row of each vertex: of the vertices of the graph, and then of the vertices without edges.
fn order(table: &CsvTable<'_>, name: usize, graph: &Graph) -> Result<Vec<usize>, FormatError> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (at, row) in table.rows.iter().enumerate() {
        let label = row.word(name).trim();
        if label.is_empty() {
            return Err(FormatError::at(row.line, "the vertex has no name; write it"));
        }
        if places.insert(label, at).is_some() {
            return Err(FormatError::at(
                row.line,
                format!("the vertex `{label}` is in the table twice; leave one of its rows out"),
            ));
        }
    }
    let mut order = Vec::with_capacity(table.rows.len());
    for vertex in 0..graph.num_vertices() {
        let label = graph.vertex_name(vertex);
        let place = places.remove(&label[..]);
        order.push(place.ok_or_else(|| not_in_table(&label, places.keys()))?);
    }
    let mut isolated: Vec<usize> = places.into_values().collect();
    isolated.sort_unstable();
    order.extend(isolated);
    Ok(order)
}

/// The error for a vertex that is none of the others of the table.
fn not_in_table<'a>(label: &str, mut others: impl Iterator<Item = &'a &'a str>) -> FormatError {
    let is_same = |other: &&&str| !other.is_ascii() && composed(other) == composed(label);
    FormatError::new(match others.find(is_same) {
        Some(other) => format!(
            "the vertex `{}` of the graph is `{}` in the table of vertices, the same name in another form of Unicode; \
             write one of them only",
            label.escape_default(),
            other.escape_default()
        ),
        None => format!(
            "the vertex `{label}` of the graph is not in the table of vertices; add its row, or correct the name in \
             one of the files"
        ),
    })
}
