//! Tables of vertices: a row for each, with its name, its weight and its position.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::column_names::{
    count_numbers, have_unsure_points, is_name, is_value, shows_decimal_comma,
};
use super::foreign::{self, FileName};
use super::number::{DraftWeight, GivenWeights, NumberError};
use super::table::{self, Row, Separator};
use super::unicode::composed;
use super::{FormatError, Graph, GraphFile, GraphReadOptions, text};
use crate::families::Unit;

/// Usual names of the column of weights, in lower case.
const WEIGHT: [&str; 6] = ["weight", "population", "pop", "inhabitants", "size", "value"];
/// Usual names of the columns of positions.
const X: [&str; 5] = ["x", "lon", "lng", "long", "longitude"];
const Y: [&str; 3] = ["y", "lat", "latitude"];
/// Names of the columns that have numbers and are neither weights nor positions.
const IDS: [&str; 5] = ["id", "index", "key", "number", ""];
/// Usual names of the column of names.
const NAMES: [&str; 9] =
    ["name", "id", "label", "node", "vertex", "town", "city", "place", "station"];

/// The columns of a table of vertices.
struct Columns {
    name: usize,
    weight: Option<usize>,
    position: Option<[usize; 2]>,
    decimal_comma: bool,
    /// The names of all columns, if the first row had them.
    names: Option<Vec<String>>,
}

impl GraphFile {
    /// Adds the vertices of a table in CSV: their weights, their positions, and the vertices without edges. The table
    /// has a row for each vertex, and every vertex with edges must be in it.
    ///
    /// The column of names is the one that has all vertices with edges. The weight is the column `weight`,
    /// `population`, or the only other one with numbers; `x` and `y`, or longitude and latitude, are positions.
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
        let name = path.to_string_lossy();
        foreign::refuse_bytes(bytes, FileName(&name))?;
        let text = text::decode(bytes)?;
        let (mut rows, has_semicolons) = rows(&text, options)?;
        let mut columns = find(&mut rows, &self.graph, options)?;
        columns.find_decimal_comma(&rows, has_semicolons, options);
        let order = order(&rows, columns.name, &self.graph)?;
        let isolated = order.len() - self.graph.num_vertices();
        let is_weighted = self.graph.vertex_weights().is_some() || self.vertex_numbers.is_some();
        self.graph = with_isolated(&self.graph, &rows, &order, columns.name)?;
        if columns.weight.is_some() {
            self.set_weights(&rows, &order, &columns, options)?;
            self.vertex_weight_error = self.vertex_weight_error.map(|error| error.in_file(path));
            self.vertex_file = Some(path.to_owned());
        } else if isolated > 0 && is_weighted {
            let first = order.len() - isolated;
            let error = self.lacks_weight(first, rows[order[first]].line, options);
            if !options.unchecked_weights {
                return Err(error);
            }
            (self.vertex_numbers, self.vertex_weight_error) = (None, Some(error.in_file(path)));
        }
        self.set_positions(&rows, &order, &columns)?;
        if let Some(names) = &columns.names {
            let weight = columns
                .weight
                .map_or("no weight".to_owned(), |at| format!("the weight `{}`", names[at]));
            self.notes
                .push(format!("the vertices have the name `{}` and {weight}", names[columns.name]));
        }
        if isolated > 0 {
            let (vertices, have) =
                if isolated == 1 { ("vertex", "has") } else { ("vertices", "have") };
            self.notes.push(format!("{isolated} {vertices} of the table {have} no edges"));
        }
        Ok(self)
    }

    fn set_weights(
        &mut self,
        rows: &[Row<'_>],
        order: &[usize],
        columns: &Columns,
        options: &GraphReadOptions,
    ) -> Result<(), FormatError> {
        let Some(column) = columns.weight else { return Ok(()) };
        let weight = |&at: &usize| DraftWeight::given(rows[at].word(column), columns.decimal_comma);
        let given: Vec<_> = order.iter().map(weight).collect();
        self.vertex_lines = order.iter().map(|&at| Some(rows[at].line)).collect();
        let lines = self.vertex_lines.iter().copied();
        let name = columns.names.as_ref().and_then(|names| names.get(column));
        let given = GivenWeights {
            unit: Unit::Vertex,
            attribute: name.map_or("weight", |name| name),
            are_declared: true,
            weights: given.iter().map(Option::as_ref).zip(lines).collect(),
        };
        let read = given.read(|vertex| self.graph.vertex_name(vertex), options)?;
        // Without whole weights in the table, the graph has none either.
        let graph = self.graph.clone().without_vertex_weights();
        self.graph = match read.whole {
            Some(whole) => graph.with_vertex_weights(whole).map_err(|error| failed(&error))?,
            None => graph,
        };
        (self.vertex_numbers, self.vertex_weight_error) = (read.numbers, read.error);
        Ok(())
    }

    /// The error for a vertex that the table adds without a weight.
    fn lacks_weight(&self, vertex: usize, line: usize, options: &GraphReadOptions) -> FormatError {
        let number = NumberError {
            unit: Unit::Vertex,
            index: vertex,
            element: self.graph.vertex_name(vertex),
            attribute: options.vertex_weight_name().to_owned(),
            text: None,
        };
        FormatError::of_number(Some(line), number)
    }

    fn set_positions(
        &mut self,
        rows: &[Row<'_>],
        order: &[usize],
        columns: &Columns,
    ) -> Result<(), FormatError> {
        let Some([x, y]) = columns.position else { return Ok(()) };
        let number = |at: usize, column: usize| {
            let number = DraftWeight::given(rows[at].word(column), columns.decimal_comma)?;
            number.ok().map(DraftWeight::number)
        };
        let place = |&at: &usize| Some((number(at, x)?, number(at, y)?));
        if let Some(places) = order.iter().map(place).collect::<Option<Vec<_>>>() {
            self.graph =
                self.graph.clone().with_positions(places).map_err(|error| failed(&error))?;
        }
        Ok(())
    }
}

impl Columns {
    /// Decides whether weights and positions have a decimal comma.
    fn find_decimal_comma(
        &mut self,
        rows: &[Row<'_>],
        has_semicolons: bool,
        options: &GraphReadOptions,
    ) {
        let columns: Vec<usize> =
            self.weight.into_iter().chain(self.position.into_iter().flatten()).collect();
        let words = || rows.iter().flat_map(|row| columns.iter().map(|&column| row.word(column)));
        let have_commas = || words().any(shows_decimal_comma) || have_unsure_points(words());
        self.decimal_comma = options.decimal_comma || has_semicolons && have_commas();
    }
}

fn failed(error: &crate::GraphError) -> FormatError {
    FormatError::new(error.to_string())
}

/// The rows of a table, and whether semicolons separate their words; a line without separators is one word.
fn rows<'a>(
    text: &'a str,
    options: &GraphReadOptions,
) -> Result<(Vec<Row<'a>>, bool), FormatError> {
    let separator = match table::separator(text, options) {
        Separator::Blanks if text.contains('\t') => Separator::Sign(b'\t'),
        Separator::Blanks => Separator::Sign(b','),
        separator @ Separator::Sign(_) => separator,
    };
    let rows = table::rows(text, separator)?;
    if rows.is_empty() {
        return Err(FormatError::new("the table of vertices is empty"));
    }
    Ok((rows, separator == Separator::Sign(b';')))
}

/// Finds the columns, and removes the row of their names.
fn find(
    rows: &mut Vec<Row<'_>>,
    graph: &Graph,
    options: &GraphReadOptions,
) -> Result<Columns, FormatError> {
    let names: Vec<String> = rows[0].words.iter().map(|word| word.trim().to_owned()).collect();
    let chosen = chosen(&names, options)?;
    let name = match chosen.first() {
        Some(&name) => name,
        None => name_column(rows, graph)?,
    };
    let known: HashSet<String> = (0..graph.num_vertices()).map(|v| graph.vertex_name(v)).collect();
    let by_name = options.vertex_columns.iter().any(|column| column.parse::<usize>().is_err());
    let is_header = by_name || !known.contains(&names[name]) && is_header(rows, &names, name);
    if !is_header {
        let weight =
            if chosen.is_empty() { only_numbers(rows, &[name]) } else { chosen.get(1).copied() };
        return Ok(Columns { name, weight, position: None, decimal_comma: false, names: None });
    }
    rows.remove(0);
    let find = |usual: &[&str]| {
        let lower = |name: &String| usual.contains(&name.to_lowercase().as_str());
        names.iter().position(lower).filter(|&at| at != name)
    };
    let position = find(&X).zip(find(&Y)).map(|(x, y)| [x, y]);
    let weight = match chosen[..] {
        [] => weight_column(rows, &names, name, options)?,
        _ => chosen.get(1).copied(),
    };
    Ok(Columns { name, weight, position, decimal_comma: false, names: Some(names) })
}

/// The positions of the columns that the options name.
fn chosen(names: &[String], options: &GraphReadOptions) -> Result<Vec<usize>, FormatError> {
    let position = |column: &String| {
        let number = || column.parse::<usize>().ok()?.checked_sub(1).filter(|&at| at < names.len());
        names.iter().position(|name| name == column).or_else(number).ok_or_else(|| {
            FormatError::at(
                1,
                format!("there is no column `{column}`; the first row has {}", names.join(", ")),
            )
        })
    };
    if options.vertex_columns.len() > 2 {
        return Err(FormatError::new(
            "name one or two columns of vertices: their names, and their weights",
        ));
    }
    options.vertex_columns.iter().map(position).collect()
}

/// The column with most of the vertices that have edges.
fn name_column(rows: &[Row<'_>], graph: &Graph) -> Result<usize, FormatError> {
    let width = rows.iter().map(|row| row.words.len()).max().unwrap_or(0);
    let vertices: HashSet<String> =
        (0..graph.num_vertices()).map(|vertex| graph.vertex_name(vertex)).collect();
    let found = |column: usize| {
        let words = rows.iter().filter_map(|row| row.words.get(column));
        words.map(|word| word.trim()).filter(|word| vertices.contains(*word)).count()
    };
    // The first of the best ones.
    let best = (0..width).rev().max_by_key(|&column| found(column)).unwrap_or(0);
    if found(best) == 0 && !vertices.is_empty() {
        return Err(FormatError::new(format!(
            "no column of the table of vertices has the vertices of the edges, such as `{}`",
            graph.vertex_name(0)
        )));
    }
    Ok(best)
}

/// Whether the first row has names of columns: a usual one, or one above numbers. The numbers of rows are under
/// an empty one.
fn is_header(rows: &[Row<'_>], names: &[String], name: usize) -> bool {
    let is_above_numbers = |column: usize| {
        let mut words =
            rows[1..].iter().filter_map(|row| row.words.get(column)).map(|word| &**word);
        if column == name {
            // Some vertices may have numbers as names.
            return is_name(&names[name]) && !rows[1..].is_empty() && words.all(is_value);
        }
        let numbers = words.clone().next().and_then(|_| count_numbers(words));
        let (word, is_first) = (&names[column], column == 0);
        numbers.is_some_and(|numbers| is_name(word) || is_first && word.is_empty() && numbers > 0)
    };
    let is_usual = |column: usize| {
        let usual: &[&str] = if column == name { &NAMES } else { &WEIGHT };
        usual.contains(&names[column].to_lowercase().as_str())
    };
    (0..names.len()).any(|column| is_usual(column) || is_above_numbers(column))
}

/// The only column of numbers beside others.
fn only_numbers(rows: &[Row<'_>], others: &[usize]) -> Option<usize> {
    match columns_of_numbers(rows, others)[..] {
        [one] => Some(one),
        _ => None,
    }
}

/// The columns of numbers beside others.
fn columns_of_numbers(rows: &[Row<'_>], others: &[usize]) -> Vec<usize> {
    let width = rows.iter().map(|row| row.words.len()).max().unwrap_or(0);
    let numbers = |column: usize| count_numbers(rows.iter().map(|row| row.word(column)));
    let columns = (0..width).filter(|column| !others.contains(column));
    columns.filter(|&column| numbers(column).is_some_and(|numbers| numbers > 0)).collect()
}

/// The column of weights in a table with names; an error if it may be one of several.
fn weight_column(
    rows: &[Row<'_>],
    names: &[String],
    name: usize,
    options: &GraphReadOptions,
) -> Result<Option<usize>, FormatError> {
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
    let others: Vec<usize> = (0..names.len()).filter(is_other).collect();
    let numeric = columns_of_numbers(rows, &others);
    if numeric.len() > 1 {
        let candidates: Vec<&str> =
            numeric.iter().filter_map(|&at| names.get(at)).map(String::as_str).collect();
        return Err(FormatError::new(format!(
            "the weight of the vertices may be {}; choose the columns with `GraphReadOptions::vertex_columns`",
            candidates.join(" or ")
        )));
    }
    let mut further = (0..names.len()).filter(|at| !others.contains(at));
    let only = further.next().filter(|_| further.next().is_none());
    let is_empty = |&at: &usize| count_numbers(rows.iter().map(|row| row.word(at))) == Some(0);
    Ok(numeric.first().copied().or_else(|| only.filter(is_empty)))
}

/// The row of each vertex: of the vertices of the graph, and then of the vertices without edges.
fn order(rows: &[Row<'_>], name: usize, graph: &Graph) -> Result<Vec<usize>, FormatError> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        let label = row.words.get(name).map_or("", |word| word.trim());
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
    let mut order = Vec::with_capacity(rows.len());
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

/// The graph with the vertices of the rows in this order, the first of which it has.
fn with_isolated(
    graph: &Graph,
    rows: &[Row<'_>],
    order: &[usize],
    name: usize,
) -> Result<Graph, FormatError> {
    if order.len() == graph.num_vertices() {
        return Ok(graph.clone());
    }
    let edges = graph.edges().iter().copied();
    let make = if graph.is_directed() { Graph::directed } else { Graph::new };
    let mut made = make(order.len(), edges).map_err(|error| failed(&error))?;
    let labels = order.iter().map(|&at| rows[at].words[name].trim().to_owned());
    made = made.with_vertex_labels(labels).map_err(|error| failed(&error))?;
    if let Some(weights) = graph.weights() {
        made = made.with_weights(weights.iter().copied()).map_err(|error| failed(&error))?;
    }
    if let Some(labels) = graph.edge_labels() {
        made = made.with_edge_labels(labels).map_err(|error| failed(&error))?;
    }
    Ok(made)
}
