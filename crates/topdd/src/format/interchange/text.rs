//! Reading and writing of the texts of other packages: their words, the nodes by the numbers that a file gives them, and the common parts of
//! the writers.

use super::ReadOptions;
use crate::diagram::assemble::{ChildLink, LooseNode, assemble, find_bad_edge};
use crate::diagram::store::{NodeId, NodeStore};
use crate::spec::{Arities, Rule};
use crate::{BuildError, FileError, FileRemedy, Position};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, BufRead, BufWriter, Write};
use std::str::FromStr;

/// A position in a text: the line, and the column in bytes, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FilePosition {
    line: usize,
    column: usize,
}

/// The start of a text.
const START: FilePosition = FilePosition { line: 1, column: 1 };
/// A byte order mark, with which some editors begin a text. It is skipped.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// The next item in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScannedItem {
    /// A word, which is in [`Scanner::word`].
    Word,
    LineEnd,
    End,
}

/// Reads words, which blanks separate, and line ends.
// Not generic, so it is compiled here.
pub(super) struct Scanner<'a> {
    format: &'static str,
    input: &'a mut dyn BufRead,
    /// Bytes that are words by themselves.
    marks: &'static [u8],
    /// The position of the next byte.
    next: FilePosition,
    /// The position of the last item.
    at: FilePosition,
    word: String,
    bytes: Vec<u8>,
    item: ScannedItem,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(
        format: &'static str,
        input: &'a mut dyn BufRead,
        marks: &'static [u8],
    ) -> Self {
        Scanner {
            format,
            input,
            marks,
            next: START,
            at: START,
            word: String::new(),
            bytes: Vec::new(),
            item: ScannedItem::End,
        }
    }

    /// The position of the last item.
    pub(super) fn position(&self) -> FilePosition {
        self.at
    }

    /// The last word.
    pub(super) fn word(&self) -> &str {
        &self.word
    }

    /// Goes to the next item.
    pub(super) fn advance(&mut self) -> Result<ScannedItem, FileError> {
        self.bytes.clear();
        self.item = self.scan()?;
        if self.at == START && self.bytes.starts_with(MARK) {
            self.bytes.drain(..MARK.len());
            if self.bytes.is_empty() {
                self.item = self.scan()?;
            }
        }
        self.word.clear();
        self.word.push_str(&String::from_utf8_lossy(&self.bytes));
        Ok(self.item)
    }

    fn scan(&mut self) -> Result<ScannedItem, FileError> {
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    return Err(FileError::stream(&format!("read the {}", self.format))(error));
                }
            };
            let in_word = !self.bytes.is_empty();
            let Some(&first) = buffer.first() else {
                if in_word {
                    return Ok(ScannedItem::Word);
                }
                self.at = self.next;
                return Ok(ScannedItem::End);
            };
            if !in_word {
                self.at = self.next;
                if first == b'\n' {
                    self.input.consume(1);
                    self.next = FilePosition { line: self.next.line + 1, column: 1 };
                    return Ok(ScannedItem::LineEnd);
                }
                if self.marks.contains(&first) {
                    self.bytes.push(first);
                    self.input.consume(1);
                    self.next.column += 1;
                    return Ok(ScannedItem::Word);
                }
                let blanks = buffer.iter().take_while(|&&byte| is_blank(byte)).count();
                if blanks > 0 {
                    self.input.consume(blanks);
                    self.next.column += blanks;
                    continue;
                }
            }
            let ends = |&byte: &u8| is_blank(byte) || byte == b'\n' || self.marks.contains(&byte);
            let length = buffer.iter().position(ends).unwrap_or(buffer.len());
            let ended = length < buffer.len();
            self.bytes.extend_from_slice(&buffer[..length]);
            self.input.consume(length);
            self.next.column += length;
            if ended {
                return Ok(ScannedItem::Word);
            }
        }
    }

    /// Goes to the next word, on this or a later line.
    pub(super) fn next_word(&mut self, expected: &str) -> Result<(), FileError> {
        loop {
            match self.advance()? {
                ScannedItem::Word => return Ok(()),
                ScannedItem::LineEnd => {}
                ScannedItem::End => return Err(self.expected(expected)),
            }
        }
    }

    /// Goes to the next word, which must be on this line.
    pub(super) fn word_on_line(&mut self, expected: &str) -> Result<(), FileError> {
        match self.advance()? {
            ScannedItem::Word => Ok(()),
            _ => Err(self.expected(expected)),
        }
    }

    /// Goes to the end of the line; fails if a word comes before it.
    pub(super) fn end_of_line(&mut self) -> Result<(), FileError> {
        match self.advance()? {
            ScannedItem::Word => Err(self.expected("the end of the line")),
            _ => Ok(()),
        }
    }

    /// Skips the rest of the line.
    pub(super) fn skip_line(&mut self) -> Result<(), FileError> {
        while self.item == ScannedItem::Word {
            self.advance()?;
        }
        Ok(())
    }

    /// Fails unless only empty lines are left.
    pub(super) fn end_of_text(&mut self) -> Result<(), FileError> {
        loop {
            match self.advance()? {
                ScannedItem::Word => return Err(self.expected("the end of the file")),
                ScannedItem::LineEnd => {}
                ScannedItem::End => return Ok(()),
            }
        }
    }

    /// The last word as a number.
    pub(super) fn number<N: FromStr>(&self, expected: &str) -> Result<N, FileError> {
        self.word.parse().map_err(|_| self.expected(expected))
    }

    /// The last word as a number of at most `most`.
    pub(super) fn number_to(&self, most: usize, expected: &str) -> Result<usize, FileError> {
        let number: usize = self.number(expected)?;
        if number > most {
            return Err(self.bad(format!("expected {expected}, at most {most}, found {number}")));
        }
        Ok(number)
    }

    /// The error that something else was expected instead of the last item.
    pub(super) fn expected(&self, expected: &str) -> FileError {
        /// Of a longer word, the first characters are shown.
        const SHOWN: usize = 40;
        let found = match self.item {
            ScannedItem::Word if self.word.chars().nth(SHOWN).is_some() => {
                format!("{:?}...", self.word.chars().take(SHOWN).collect::<String>())
            }
            ScannedItem::Word => format!("{:?}", self.word),
            ScannedItem::LineEnd => "the end of the line".to_owned(),
            ScannedItem::End => "the end of the file".to_owned(),
        };
        self.bad(format!("expected {expected}, found {found}"))
    }

    /// An error at the last item.
    pub(super) fn bad(&self, message: String) -> FileError {
        self.bad_at(self.at, message)
    }

    pub(super) fn bad_at(&self, at: FilePosition, message: String) -> FileError {
        bad(self.format, at, message)
    }

    /// Returns the number of variables, if the word just read is their number `found` in the file.
    pub(super) fn num_vars(&self, found: usize, options: &ReadOptions) -> Result<usize, FileError> {
        let num_vars = options.num_vars.unwrap_or(found);
        if num_vars < found {
            let message =
                format!("there are {found} variables here, but only {num_vars} were asked for");
            return Err(self.bad(message).advised(FileRemedy::MoreVariables));
        }
        if num_vars > Arities::MAX_VARS {
            return Err(BuildError::TooManyVariables { num_vars, limit: Arities::MAX_VARS }.into());
        }
        Ok(num_vars)
    }

    /// Returns the index of the diagram to be read, of so many.
    pub(super) fn root(&self, found: usize, options: &ReadOptions) -> Result<usize, FileError> {
        match options.root {
            Some(root) if root < found => Ok(root),
            Some(root) => Err(self.bad(format!(
                "diagram {root} was asked for, but there are {found}, numbered from 0"
            ))),
            None if found == 1 => Ok(0),
            None => {
                let message = format!("there are {found} diagrams here; say which one is meant");
                Err(self.bad(message).advised(FileRemedy::Root))
            }
        }
    }
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() && byte != b'\n' || byte == 0x0b
}

/// An error at a position.
pub(super) fn bad(format: &'static str, at: FilePosition, message: String) -> FileError {
    let at = Position::Line(at.line, at.column);
    FileError::Malformed { path: None, format, at, message, remedy: None }
}

/// The target of an edge in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScannedTarget {
    Zero,
    One,
    /// The node of this number, or its complement.
    Number {
        number: u64,
        complement: bool,
    },
}

/// A node with numbers that may not have been read yet.
struct Read {
    number: u64,
    variable: u32,
    children: [ScannedTarget; 2],
    at: FilePosition,
}

/// The nodes read so far, by their numbers in the file.
pub(super) struct ScannedNodes {
    format: &'static str,
    /// Hashed with random keys, so that no file can have only numbers that collide.
    links: HashMap<u64, ChildLink>,
    read: Vec<Read>,
}

impl ScannedNodes {
    pub(super) fn new(format: &'static str) -> Self {
        ScannedNodes { format, links: HashMap::new(), read: Vec::new() }
    }

    /// Adds a node; the number of variables may still be unknown.
    pub(super) fn node(
        &mut self,
        number: u64,
        variable: usize,
        children: [ScannedTarget; 2],
        at: FilePosition,
    ) -> Result<(), FileError> {
        if self.read.len() >= ChildLink::MAX_NODES {
            let limit = ChildLink::MAX_NODES as u64;
            return Err(BuildError::TooLarge { what: "the file", unit: "nodes", limit }.into());
        }
        self.name(number, ChildLink::to(self.read.len()), at)?;
        self.read.push(Read { number, variable: variable as u32, children, at });
        Ok(())
    }

    /// Adds a terminal with this number.
    pub(super) fn terminal(
        &mut self,
        number: u64,
        one: bool,
        at: FilePosition,
    ) -> Result<(), FileError> {
        self.name(number, if one { ChildLink::ONE } else { ChildLink::ZERO }, at)
    }

    fn name(&mut self, number: u64, link: ChildLink, at: FilePosition) -> Result<(), FileError> {
        match self.links.entry(number) {
            Entry::Vacant(entry) => {
                entry.insert(link);
                Ok(())
            }
            Entry::Occupied(_) => Err(bad(
                self.format,
                at,
                format!("expected a new node, found another one with the number {number}"),
            )),
        }
    }

    /// The number of the last node.
    pub(super) fn last(&self) -> Option<u64> {
        self.read.last().map(|node| node.number)
    }

    /// Returns whether a node has an odd number.
    pub(super) fn any_odd(&self) -> bool {
        self.read.iter().any(|node| node.number % 2 == 1)
    }

    /// Changes the targets of edges by a function.
    pub(super) fn map_targets(&mut self, map: impl Fn(ScannedTarget) -> ScannedTarget) {
        for target in self.read.iter_mut().flat_map(|node| &mut node.children) {
            *target = map(*target);
        }
    }

    /// Counts the variables from the other end.
    pub(super) fn turn_over(&mut self, num_vars: usize) {
        for node in &mut self.read {
            node.variable = num_vars as u32 - 1 - node.variable;
        }
    }

    /// Builds the diagram of a root, which the file names at this position.
    pub(super) fn build(
        self,
        rule: Rule,
        num_vars: usize,
        root: ScannedTarget,
        root_at: FilePosition,
    ) -> Result<NodeStore, FileError> {
        self.link()?.build(rule, num_vars, root, root_at)
    }

    /// Finds the targets of all edges.
    pub(super) fn link(self) -> Result<LinkedNodes, FileError> {
        let ScannedNodes { format, links, read } = self;
        let mut nodes = Vec::with_capacity(read.len());
        for node in &read {
            let mut children = [ChildLink::ZERO; 2];
            for (child, &target) in children.iter_mut().zip(&node.children) {
                *child = link(&links, target).map_err(|missing| {
                    let of = node.number;
                    let message = format!("node {of} leads to node {missing}, which is not there");
                    bad(format, node.at, message)
                })?;
            }
            nodes.push(LooseNode { variable: node.variable, children });
        }
        if let Some((node, value)) = find_bad_edge(&nodes) {
            let child = nodes[node].children[value].index().map(|child| &read[child]);
            let to = child.map_or(0, |child| child.variable);
            let Read { number, variable, at, .. } = read[node];
            let child = child.map_or(0, |child| child.number);
            return Err(bad(
                format,
                at,
                format!(
                    "node {number} leads to node {child}, but edges must go down: counted from \
                     the root, these are at the variables {variable} and {to}"
                ),
            ));
        }
        Ok(LinkedNodes { format, links, nodes })
    }
}

/// The link to the target of an edge, or the number of the node if it is missing.
fn link(links: &HashMap<u64, ChildLink>, target: ScannedTarget) -> Result<ChildLink, u64> {
    match target {
        ScannedTarget::Zero => Ok(ChildLink::ZERO),
        ScannedTarget::One => Ok(ChildLink::ONE),
        ScannedTarget::Number { number, complement } => {
            links.get(&number).map(|link| link.complement_if(complement)).ok_or(number)
        }
    }
}

/// The nodes of a file with links to their children.
pub(super) struct LinkedNodes {
    format: &'static str,
    links: HashMap<u64, ChildLink>,
    nodes: Vec<LooseNode>,
}

impl LinkedNodes {
    /// Builds the diagram of a root, which the file names at this position.
    pub(super) fn build(
        &self,
        rule: Rule,
        num_vars: usize,
        root: ScannedTarget,
        root_at: FilePosition,
    ) -> Result<NodeStore, FileError> {
        let root = link(&self.links, root).map_err(|missing| {
            let message = format!("node {missing} is said to be the root, but is not there");
            bad(self.format, root_at, message)
        })?;
        Ok(assemble(rule, num_vars, self.nodes.clone(), root)?)
    }
}

/// Refuses a diagram with variables that are not two-valued.
pub(super) fn check_two_valued(format: &'static str, store: &NodeStore) -> Result<(), FileError> {
    match store.arities.first_not_two_valued() {
        None => Ok(()),
        Some(variable) => {
            let arity = store.arities.get(variable);
            Err(FileError::NotTwoValued { format, variable, arity })
        }
    }
}

/// Writes through a buffer.
pub(super) fn buffered(
    format: &'static str,
    out: &mut dyn Write,
    body: impl FnOnce(&mut BufWriter<&mut dyn Write>) -> io::Result<()>,
) -> Result<(), FileError> {
    let mut out = BufWriter::new(out);
    body(&mut out)
        .and_then(|()| out.flush())
        .map_err(FileError::stream(&format!("write the {format}")))
}

/// Visits the nodes, children before parents: variable, number and, by value, children.
pub(super) fn for_each_node<E>(
    store: &NodeStore,
    mut visit: impl FnMut(usize, NodeId, [NodeId; 2]) -> Result<(), E>,
) -> Result<(), E> {
    let mut passing = store.passing();
    for level in store.levels() {
        if let crate::diagram::store::Nodes::Pairs(pairs) = level.nodes {
            for (id, &pair) in (level.first..).zip(pairs) {
                visit(level.variable, id, pair)?;
            }
        }
        passing.level_done(&level);
    }
    Ok(())
}
