//! JSON, for programs that do not use topdd.
//!
//! [`Diagram::write_json`] and [`Diagram::to_json`] write it, [`Diagram::read_json`] and
//! [`AnyDiagram::read_json`](crate::AnyDiagram::read_json) read it. A document is one object,
//! here of the family {{2}, {1, 2}} of {0, 1, 2}:
//!
//! ```json
//! {
//! "format": "topdd", "version": 1, "rule": "zero-suppressed",
//! "arities": [2, 2, 2],
//! "root": 3,
//! "levels": [
//! {"variable": 1, "nodes": [
//! {"id": 3, "edges": [[0, 2], [1, 2]]}
//! ]},
//! {"variable": 2, "nodes": [
//! {"id": 2, "edges": [[1, 1]]}
//! ]}
//! ]
//! }
//! ```
//!
//! | member | content |
//! | --- | --- |
//! | `format` | `"topdd"` |
//! | `version` | `1` |
//! | `rule` | the rule of skipped variables: `"zero-suppressed"` (0) or `"any-value"` |
//! | `metadata` | optional: the [`Metadata`], an object; lists of names are lists |
//! | `arities` | a list of the numbers of values of the variables, from the root down |
//! | `root` | the id of the root |
//! | `levels` | a list of the levels that have nodes, from the top |
//! | `variable` | the variable of a level |
//! | `nodes` | a list of its nodes |
//! | `id` | the id of a node; 0 and 1 are the terminals |
//! | `edges` | a list of pairs, of a value and the id of its child; those to the 0-terminal are left out |
//!
//! The text that topdd writes is canonical: the same family gives the same text. A text of another
//! program may differ from it: members, levels and edges may be in any order, members with other
//! names are ignored, ids may be any numbers from 2 on, nodes need not be reduced nor reached from
//! the root, and edges may lead to the 0-terminal. The reader reduces the diagram.

#[cfg(test)]
mod tests;

use super::Metadata;
#[allow(unused_imports, reason = "the docs link to it")]
use crate::Diagram;
use crate::diagram::store::{NodeId, NodeStore, ValueEdge};
use crate::diagram::{DiagramRule, build};
use crate::error::Position;
use crate::spec::{Arities, DdSpec, Rule, Step};
use crate::{AnyDiagram, Bdd, BuildError, FileError, Zdd};
use serde::Deserialize;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::ops::ControlFlow;

/// The name of this format in errors.
const NAME: &str = "JSON of topdd";
const FORMAT: &str = "topdd";
const VERSION: u64 = 1;
const ZERO_SUPPRESSED: &str = "zero-suppressed";
const ANY_VALUE: &str = "any-value";

impl<R: DiagramRule> Diagram<R> {
    /// Reads a diagram from [JSON](crate::format::json), to the end of the stream.
    ///
    /// Cost: memory for all nodes as a table, and a sweep, which reduces them.
    ///
    /// # Errors
    ///
    /// [`FileError::Io`] when the stream fails, [`FileError::Malformed`] when its text is not of this
    /// format, and [`FileError::OtherRule`] when its diagram is under the other rule.
    pub fn read_json<I: Read>(mut input: I) -> Result<Self, FileError> {
        let JsonContent { rule: found, table, .. } = content(&mut input)?;
        if found == R::RULE {
            Ok(Diagram::new(table.build(found)?))
        } else {
            Err(FileError::OtherRule { path: None, found, expected: R::RULE })
        }
    }
}

impl AnyDiagram {
    /// Reads a diagram from JSON, under either rule; see [`Diagram::read_json`].
    ///
    /// ```
    /// use topdd::{AnyDiagram, Bdd};
    ///
    /// let text = Bdd::full([2, 3])?.to_json();
    /// assert_eq!(AnyDiagram::read_json(text.as_bytes())?.count(), 6u32.into());
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the stream fails, or is not in this format.
    pub fn read_json<I: Read>(input: I) -> Result<Self, FileError> {
        Ok(Self::read_json_with_metadata(input)?.0)
    }

    /// Reads a diagram from JSON, under either rule, with its metadata.
    ///
    /// ```
    /// use topdd::{AnyDiagram, Zdd, format::Metadata};
    ///
    /// let (mut text, mut metadata) = (Vec::new(), Metadata::new());
    /// metadata.set_variable_names(["apple", "pear"]);
    /// Zdd::full([2, 2])?.write_json_with(&mut text, &metadata).expect("memory does not fail");
    /// assert!(String::from_utf8_lossy(&text).contains(r#""metadata": {"variables":["apple","pear"]}"#));
    /// let (diagram, found) = AnyDiagram::read_json_with_metadata(&text[..])?;
    /// assert_eq!((diagram.count(), found), (4u32.into(), metadata));
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the stream fails, or is not in this format.
    pub fn read_json_with_metadata<I: Read>(mut input: I) -> Result<(Self, Metadata), FileError> {
        let JsonContent { rule, table, metadata } = content(&mut input)?;
        let store = table.build(rule)?;
        let diagram = match rule {
            Rule::ZeroSuppressed => Zdd::new(store).into(),
            Rule::AnyValue => Bdd::new(store).into(),
        };
        Ok((diagram, metadata))
    }
}

/// A document as it is written.
#[derive(Deserialize)]
struct Document {
    format: String,
    version: u64,
    rule: String,
    #[serde(default)]
    metadata: Metadata,
    arities: Vec<u32>,
    root: u64,
    levels: Vec<JsonLevel>,
    /// A member of documents that another package writes.
    #[serde(default, rename = "level_of_var", deserialize_with = "refuse_dd")]
    _of_dd: (),
}

/// Fails, and names the package dd.
fn refuse_dd<'de, D: serde::Deserializer<'de>>(_: D) -> Result<(), D::Error> {
    Err(serde::de::Error::custom(
        "this is JSON of the Python package dd; write a DDDMP file instead, with `bdd.dump('NAME.dddmp', roots)` of dd.cudd",
    ))
}

#[derive(Deserialize)]
struct JsonLevel {
    variable: usize,
    nodes: Vec<JsonNode>,
}

#[derive(Deserialize)]
struct JsonNode {
    id: u64,
    edges: Vec<(u32, u64)>,
}

/// A document that was checked.
struct JsonContent {
    rule: Rule,
    table: NodeTable,
    metadata: Metadata,
}

/// Nodes by their positions in a table, as a spec.
struct NodeTable {
    arities: Vec<u32>,
    root: Step<u32>,
    /// The edges of each node by value, without edges to the 0-terminal.
    edges: Vec<Vec<(u32, Step<u32>)>>,
}

impl NodeTable {
    /// Builds the diagram of the spec.
    fn build(&self, rule: Rule) -> Result<NodeStore, BuildError> {
        build::boxed(self, rule)
    }
}

impl DdSpec for NodeTable {
    type State = u32;

    fn num_vars(&self) -> usize {
        self.arities.len()
    }

    fn arity(&self, variable: usize) -> usize {
        self.arities[variable] as usize
    }

    fn root(&self) -> Step<u32> {
        self.root
    }

    fn child(&self, &node: &u32, _: usize, value: usize) -> Step<u32> {
        let edges = &self.edges[node as usize];
        let found = edges.binary_search_by_key(&value, |&(value, _)| value as usize);
        found.map_or(Step::Zero, |position| edges[position].1)
    }

    fn for_each_child<B>(
        &self,
        &node: &u32,
        _: usize,
        mut visit: impl FnMut(usize, Step<u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let edges = &self.edges[node as usize];
        edges.iter().try_for_each(|&(value, step)| visit(value as usize, step))
    }
}

/// The error for an item that is not as it should be.
fn malformed(item: String, message: impl Into<String>) -> FileError {
    let at = Position::Item(item);
    FileError::Malformed { path: None, format: NAME, at, message: message.into(), remedy: None }
}

/// Skips a byte order mark, with which some editors begin a text.
fn skip_mark(input: &mut BufReader<&mut dyn Read>) -> io::Result<()> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    if input.fill_buf()?.starts_with(MARK) {
        input.consume(MARK.len());
    }
    Ok(())
}

/// Parses a document.
fn parse(input: &mut dyn Read) -> Result<Document, FileError> {
    let mut input = BufReader::new(input);
    skip_mark(&mut input).map_err(FileError::stream("read a diagram"))?;
    serde_json::from_reader(input).map_err(|error| {
        if error.is_io() {
            return FileError::stream("read a diagram")(error.into());
        }
        let at = Position::Line(error.line(), error.column());
        // The text ends with the position, which `at` contains.
        let text = error.to_string();
        let message = text.split(" at line ").next().unwrap_or(&text).to_owned();
        FileError::Malformed { path: None, format: NAME, at, message, remedy: None }
    })
}

/// Reads a document, and refuses it if a variable, a value or a node that it names does not exist.
// Not generic, so it is compiled here.
fn content(input: &mut dyn Read) -> Result<JsonContent, FileError> {
    let Document { format, version, rule, metadata, arities, root, levels, .. } = parse(input)?;
    if format != FORMAT {
        let message = format!("{format:?} is not {FORMAT:?}: this is another kind of document");
        return Err(malformed("format".to_owned(), message));
    }
    if version != VERSION {
        let message = format!("this topdd reads version {VERSION} only, not {version}");
        return Err(malformed("version".to_owned(), message));
    }
    let rule = match &rule[..] {
        ZERO_SUPPRESSED => Rule::ZeroSuppressed,
        ANY_VALUE => Rule::AnyValue,
        other => {
            let message = format!("{other:?} is neither {ZERO_SUPPRESSED:?} nor {ANY_VALUE:?}");
            return Err(malformed("rule".to_owned(), message));
        }
    };
    if arities.len() > Arities::MAX_VARS {
        let (num_vars, limit) = (arities.len(), Arities::MAX_VARS);
        return Err(BuildError::TooManyVariables { num_vars, limit }.into());
    }
    if let Some(variable) = arities.iter().position(|&arity| arity == 0) {
        let message = "a variable has at least one value, not 0";
        return Err(malformed(format!("arities[{variable}]"), message));
    }
    let positions = Positions::new(&arities, &levels)?;
    let Some(root) = positions.step(root) else {
        return Err(malformed("root".to_owned(), format!("there is no node {root}")));
    };
    let mut table = NodeTable { arities, root, edges: Vec::with_capacity(positions.0.len()) };
    for (l, JsonLevel { variable, nodes }) in levels.into_iter().enumerate() {
        for (n, JsonNode { edges, .. }) in nodes.into_iter().enumerate() {
            let item = || format!("levels[{l}].nodes[{n}]");
            table.edges.push(positions.edges(variable, table.arities[variable], edges, item)?);
        }
    }
    Ok(JsonContent { rule, table, metadata })
}

/// The variable of each node and its position in the table, by the number of the node.
struct Positions(HashMap<u64, (usize, u32)>);

impl Positions {
    fn new(arities: &[u32], levels: &[JsonLevel]) -> Result<Self, FileError> {
        let mut positions = HashMap::new();
        for (l, level) in levels.iter().enumerate() {
            if level.variable >= arities.len() {
                let (variable, num_vars) = (level.variable, arities.len());
                let message = format!("there is no variable {variable}; there are {num_vars}");
                return Err(malformed(format!("levels[{l}].variable"), message));
            }
            for (n, node) in level.nodes.iter().enumerate() {
                let id = node.id;
                let item = || format!("levels[{l}].nodes[{n}].id");
                if id < 2 {
                    return Err(malformed(
                        item(),
                        "0 and 1 are the terminals: number nodes from 2 on",
                    ));
                }
                let Ok(position) = u32::try_from(positions.len()) else {
                    let limit = u64::from(u32::MAX);
                    return Err(
                        BuildError::TooLarge { what: "the diagram", unit: "nodes", limit }.into()
                    );
                };
                if positions.insert(id, (level.variable, position)).is_some() {
                    return Err(malformed(item(), format!("two nodes have the number {id}")));
                }
            }
        }
        Ok(Positions(positions))
    }

    /// The step to a node, or `None` if there is no such node.
    fn step(&self, id: u64) -> Option<Step<u32>> {
        match id {
            0 => Some(Step::Zero),
            1 => Some(Step::One),
            _ => self.0.get(&id).map(|&(variable, position)| Step::To(variable, position)),
        }
    }

    /// Checks and sorts the edges of a node at a variable of this arity. `item` names the node.
    fn edges(
        &self,
        variable: usize,
        arity: u32,
        edges: Vec<(u32, u64)>,
        item: impl Fn() -> String,
    ) -> Result<Vec<(u32, Step<u32>)>, FileError> {
        let edge = |(e, (value, child))| {
            let fault = |message: String| Err(malformed(format!("{}.edges[{e}]", item()), message));
            match self.step(child) {
                _ if value >= arity => fault(format!(
                    "variable {variable} has no value {value}; its values are 0..{arity}"
                )),
                None => fault(format!("there is no node {child}")),
                Some(Step::To(to, _)) if to <= variable => fault(format!(
                    "node {child} is at variable {to}, but a child is at a later one than {variable}"
                )),
                Some(to) => Ok((value, to)),
            }
        };
        let edges = edges.into_iter().enumerate().map(edge);
        let mut edges = edges.collect::<Result<Vec<_>, FileError>>()?;
        edges.sort_by_key(|&(value, _)| value);
        if let Some(twice) = edges.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let message = format!("there are two edges for value {}", twice[0].0);
            return Err(malformed(item(), message));
        }
        edges.retain(|(_, to)| !to.is_zero());
        Ok(edges)
    }
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the diagram as [JSON](crate::format::json).
    ///
    /// Cost: linear in the nodes, some tens of bytes for each.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// let zdd = Zdd::from_solutions([2, 3], [[1, 2]])?;
    /// let text = zdd.to_json();
    /// assert!(text.contains(r#"{"id": 2, "edges": [[2, 1]]}"#)); // value 2 leads to the 1-terminal
    /// assert_eq!(Zdd::read_json(text.as_bytes()).unwrap(), zdd);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn to_json(&self) -> String {
        let mut text = Vec::new();
        self.write_json(&mut text).expect("writing to memory does not fail");
        String::from_utf8(text).expect("JSON is written as text")
    }

    /// Writes the text of [`to_json`](Diagram::to_json) through a buffer.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn write_json<W: Write>(&self, out: W) -> io::Result<()> {
        self.write_json_with(out, &Metadata::new())
    }

    /// Writes the text of [`to_json`](Diagram::to_json) with metadata, which
    /// [`AnyDiagram::read_json_with_metadata`](crate::AnyDiagram::read_json_with_metadata) reads; see its example.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn write_json_with<W: Write>(&self, mut out: W, metadata: &Metadata) -> io::Result<()> {
        write(&self.store, R::RULE, metadata, &mut out)
    }
}

fn write(
    store: &NodeStore,
    rule: Rule,
    metadata: &Metadata,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let rule = match rule {
        Rule::ZeroSuppressed => ZERO_SUPPRESSED,
        Rule::AnyValue => ANY_VALUE,
    };
    writeln!(out, "{{")?;
    writeln!(out, "\"format\": \"{FORMAT}\", \"version\": {VERSION}, \"rule\": \"{rule}\",")?;
    if !metadata.is_empty() {
        write!(out, "\"metadata\": ")?;
        serde_json::to_writer(&mut out, metadata)?;
        writeln!(out, ",")?;
    }
    write!(out, "\"arities\": [")?;
    for variable in 0..store.arities.num_vars() {
        write!(out, "{}{}", comma(variable), store.arities.get(variable))?;
    }
    writeln!(out, "],")?;
    writeln!(out, "\"root\": {},", store.root)?;
    write!(out, "\"levels\": [")?;
    for (place, level) in store.levels().rev().enumerate() {
        let after = if place == 0 { "" } else { "," };
        write!(out, "{after}\n{{\"variable\": {}, \"nodes\": [", level.variable)?;
        for position in 0..level.len() {
            let after = if position == 0 { "" } else { "," };
            let id = level.first + position as NodeId;
            write!(out, "{after}\n{{\"id\": {id}, \"edges\": [")?;
            for (place, ValueEdge { value, target }) in level.edges(position).enumerate() {
                write!(out, "{}[{value}, {target}]", comma(place))?;
            }
            write!(out, "]}}")?;
        }
        write!(out, "\n]}}")?;
    }
    writeln!(out, "\n]\n}}")?;
    out.flush()
}

fn comma(place: usize) -> &'static str {
    if place == 0 { "" } else { ", " }
}
