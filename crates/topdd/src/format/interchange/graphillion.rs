//! The dump of a `setset` or `GraphSet` of Graphillion.
//!
//! A ZDD: one line for each node, children before parents and the root last, then a line with a
//! dot:
//!
//! ```text
//! <number> <variable> <child of value 0> <child of value 1>
//! .
//! ```
//!
//! Nodes have different numbers; a child is a number or a terminal, `B` for the 0-terminal
//! (bottom) and `T` for the 1-terminal (top). A terminal that is the root is on a line by
//! itself. Empty lines before the dot are skipped.
//!
//! Variables are the elements of Graphillion's universe, numbered from 1 at the root:
//! variable `v` in topdd is `v + 1` in the file. The file does not contain their number: it is the
//! greatest number in the file, or [`ReadOptions::num_vars`] if that is more. Nor does it contain
//! the members of the universe, which may be edges of a graph: `setset.loads` and `GraphSet.loads`
//! use the universe that is set when they are called, in its order.
//!
//! T. Inoue, H. Iwashita, J. Kawahara, S. Minato: "Graphillion: software library for very large
//! sets of labeled graphs", International Journal on Software Tools for Technology Transfer
//! 18, 2016.

use super::ReadOptions;
use super::text::{
    ScannedItem, ScannedNodes, ScannedTarget, Scanner, buffered, check_two_valued, for_each_node,
};
use crate::FileError;
use crate::diagram::Zdd;
use crate::diagram::store::{NodeStore, ONE, ZERO};
use crate::spec::{Arities, Rule};
use std::io::{BufRead, Write};

const FORMAT: &str = "Graphillion dump";

impl Zdd {
    /// Reads a dump of Graphillion; see [`graphillion`](super::graphillion).
    ///
    /// ```
    /// use topdd::{Zdd, format::interchange::ReadOptions};
    ///
    /// let options = ReadOptions::new().num_vars(3);
    /// let zdd = Zdd::read_graphillion("4 2 T T\n.".as_bytes(), &options)?;
    /// assert!(zdd.iter().eq([[0, 0, 0], [0, 1, 0]]));
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is not such a dump, has more variables than the options say, or cannot
    /// be read.
    #[doc(alias = "load")]
    pub fn read_graphillion<I: BufRead>(
        mut input: I,
        options: &ReadOptions,
    ) -> Result<Zdd, FileError> {
        Ok(Zdd::new(read(&mut input, options)?))
    }

    /// Writes a dump for Graphillion; see [`graphillion`](super::graphillion).
    ///
    /// ```
    /// let mut dump = Vec::new();
    /// topdd::Zdd::from_solutions([2; 3], [[0, 1, 0]])?.write_graphillion(&mut dump).unwrap();
    /// assert_eq!(dump, b"2 2 B T\n.\n"); // the set {2}: variables are numbered from 1
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FileError::NotTwoValued`] when a variable has other than two values, and [`FileError::Io`]
    /// when `out` fails.
    #[doc(alias = "dump")]
    pub fn write_graphillion<W: Write>(&self, mut out: W) -> Result<(), FileError> {
        write(&self.store, &mut out)
    }
}

fn read(input: &mut dyn BufRead, options: &ReadOptions) -> Result<NodeStore, FileError> {
    let mut scanner = Scanner::new(FORMAT, input, b"");
    let mut nodes = ScannedNodes::new(FORMAT);
    let mut terminal = None;
    let most = options.num_vars.unwrap_or(Arities::MAX_VARS).min(Arities::MAX_VARS);
    let mut num_vars = 0;
    loop {
        match scanner.advance()? {
            ScannedItem::LineEnd => continue,
            ScannedItem::End if terminal.is_some() => {
                return Err(scanner.expected("a line with a dot"));
            }
            ScannedItem::End => return Err(scanner.expected("a node, or a line with a dot")),
            ScannedItem::Word => {}
        }
        let at = scanner.position();
        match (scanner.word(), nodes.last(), terminal) {
            (".", None, None) => return Err(scanner.expected("a node or a terminal, B or T")),
            (".", ..) => break,
            (_, _, Some(_)) => return Err(scanner.expected("a line with a dot")),
            ("B", None, None) => terminal = Some(ScannedTarget::Zero),
            ("T", None, None) => terminal = Some(ScannedTarget::One),
            _ => {
                let number = scanner.number("the number of a node")?;
                scanner.word_on_line("a variable")?;
                let variable = scanner.number_to(most, "a variable, from 1")?;
                if variable == 0 {
                    return Err(scanner.expected("a variable, from 1"));
                }
                num_vars = num_vars.max(variable);
                let children = [child(&mut scanner)?, child(&mut scanner)?];
                nodes.node(number, variable - 1, children, at)?;
            }
        }
        scanner.end_of_line()?;
    }
    let end = scanner.position();
    scanner.end_of_text()?;
    let num_vars = scanner.num_vars(num_vars, options)?;
    let last = nodes.last().map(|number| ScannedTarget::Number { number, complement: false });
    let root = terminal.or(last).unwrap_or(ScannedTarget::Zero);
    nodes.build(Rule::ZeroSuppressed, num_vars, root, end)
}

fn write(store: &NodeStore, out: &mut dyn Write) -> Result<(), FileError> {
    check_two_valued(FORMAT, store)?;
    buffered(FORMAT, out, |out| {
        match store.root {
            ZERO => writeln!(out, "B")?,
            ONE => writeln!(out, "T")?,
            _ => {}
        }
        for_each_node(store, |variable, id, pair| {
            write!(out, "{id} {}", variable + 1)?;
            for child in pair {
                match child {
                    ZERO => write!(out, " B")?,
                    ONE => write!(out, " T")?,
                    _ => write!(out, " {child}")?,
                }
            }
            writeln!(out)
        })?;
        writeln!(out, ".")
    })
}

fn child(scanner: &mut Scanner<'_>) -> Result<ScannedTarget, FileError> {
    const EXPECTED: &str = "a child: B, T or the number of a node";
    scanner.word_on_line(EXPECTED)?;
    Ok(match scanner.word() {
        "B" => ScannedTarget::Zero,
        "T" => ScannedTarget::One,
        _ => ScannedTarget::Number { number: scanner.number(EXPECTED)?, complement: false },
    })
}
