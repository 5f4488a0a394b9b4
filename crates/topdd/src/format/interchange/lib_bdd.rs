//! The text form of biodivine's lib-bdd.
//!
//! A BDD: nodes of three numbers each, separated by bars, with a bar at either end:
//!
//! ```text
//! |<variable>,<child of value 0>,<child of value 1>|...|
//! ```
//!
//! A child is the index of a node in this list, from 0. The first two are the terminals: `n,0,0` is the
//! 0-terminal and `n,1,1` the 1-terminal, where `n` is the number of variables. The root is the last
//! node. So `|n,0,0|` is false, and `|n,0,0|n,1,1|` is true. Blanks and line ends may separate the
//! parts.
//!
//! Variables count from 0 at the root, as in topdd. lib-bdd has at most 65535 variables.
//!
//! topdd writes the nodes level by level from the bottom, lib-bdd depth first. So a text of lib-bdd
//! that is read and written again is another text of the same BDD.

use super::ReadOptions;
use super::text::{
    ScannedItem, ScannedNodes, ScannedTarget, Scanner, buffered, check_two_valued, for_each_node,
};
use crate::FileError;
use crate::diagram::Bdd;
use crate::diagram::store::{NodeStore, ZERO};
use crate::spec::{Arities, Rule};
use std::io::{BufRead, Write};

const FORMAT: &str = "lib-bdd text";
/// The most variables of lib-bdd.
const MAX_VARS: usize = u16::MAX as usize;

impl Bdd {
    /// Reads a BDD of lib-bdd; see [`lib_bdd`](super::lib_bdd).
    ///
    /// ```
    /// use topdd::{Bdd, format::interchange::ReadOptions};
    ///
    /// let text = "|2,0,0|2,1,1|1,1,0|0,0,2|"; // a and not b
    /// let bdd = Bdd::read_lib_bdd(text.as_bytes(), &ReadOptions::new())?;
    /// assert!(bdd.iter().eq([[1, 0]]));
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is not in this form, has more variables than the options say, or cannot be
    /// read.
    pub fn read_lib_bdd<I: BufRead>(mut input: I, options: &ReadOptions) -> Result<Bdd, FileError> {
        Ok(Bdd::new(read(&mut input, options)?))
    }

    /// Writes the BDD for lib-bdd; see [`lib_bdd`](super::lib_bdd).
    ///
    /// ```
    /// let mut text = Vec::new();
    /// topdd::Bdd::from_solutions([2; 2], [[1, 0], [1, 1]])?.write_lib_bdd(&mut text).unwrap();
    /// assert_eq!(text, b"|2,0,0|2,1,1|0,0,1|"); // variable 0 itself
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FileError::NotTwoValued`] when a variable has other than two values,
    /// [`FileError::TooLargeForFormat`] when there are more than 65535 variables, and
    /// [`FileError::Io`] when `out` fails.
    pub fn write_lib_bdd<W: Write>(&self, mut out: W) -> Result<(), FileError> {
        write(&self.store, &mut out)
    }
}

fn read(input: &mut dyn BufRead, options: &ReadOptions) -> Result<NodeStore, FileError> {
    let mut scanner = Scanner::new(FORMAT, input, b"|,");
    let mut nodes = ScannedNodes::new(FORMAT);
    mark(&mut scanner, "|")?;
    let found = number(&mut scanner, "the number of variables", Arities::MAX_VARS)?;
    let num_vars = scanner.num_vars(found, options)?;
    let mut at = scanner.position();
    terminal(&mut scanner, 0)?;
    nodes.terminal(0, false, at)?;
    let mut last = 0;
    while next_node(&mut scanner)? {
        last += 1;
        at = scanner.position();
        if last == 1 {
            let same: usize = scanner.number("the number of variables")?;
            if same != found {
                return Err(scanner.expected(&format!("the number of variables, {found}")));
            }
            terminal(&mut scanner, 1)?;
            nodes.terminal(1, true, at)?;
            continue;
        }
        let variable: usize = scanner.number("a variable")?;
        if variable >= found {
            return Err(scanner.expected(&format!("a variable, one of 0..{found}")));
        }
        let zero = child(&mut scanner)?;
        let one = child(&mut scanner)?;
        mark(&mut scanner, "|")?;
        nodes.node(last, variable, [zero, one], at)?;
    }
    nodes.build(
        Rule::AnyValue,
        num_vars,
        ScannedTarget::Number { number: last, complement: false },
        at,
    )
}

fn write(store: &NodeStore, out: &mut dyn Write) -> Result<(), FileError> {
    check_two_valued(FORMAT, store)?;
    let num_vars = store.arities.num_vars();
    if num_vars > MAX_VARS {
        return Err(FileError::TooLargeForFormat {
            format: FORMAT,
            unit: "variables",
            limit: MAX_VARS as u64,
            found: num_vars as u64,
        });
    }
    buffered(FORMAT, out, |out| {
        write!(out, "|{num_vars},0,0|")?;
        if store.root != ZERO {
            write!(out, "{num_vars},1,1|")?;
        }
        // The numbers are the same here and there, and the root is the last node.
        for_each_node(store, |variable, _, [zero, one]| write!(out, "{variable},{zero},{one}|"))
    })
}

/// Reads this mark.
fn mark(scanner: &mut Scanner<'_>, mark: &str) -> Result<(), FileError> {
    let expected = if mark == "," { "a comma" } else { "a bar" };
    scanner.next_word(expected)?;
    if scanner.word() == mark { Ok(()) } else { Err(scanner.expected(expected)) }
}

fn number(scanner: &mut Scanner<'_>, expected: &str, most: usize) -> Result<usize, FileError> {
    scanner.next_word(expected)?;
    scanner.number_to(most, expected)
}

/// Reads the rest of a terminal, after the number of variables.
fn terminal(scanner: &mut Scanner<'_>, value: usize) -> Result<(), FileError> {
    for _ in 0..2 {
        mark(scanner, ",")?;
        let expected = format!("{value}, as this is the {value}-terminal");
        let found = number(scanner, &expected, usize::MAX)?;
        if found != value {
            return Err(scanner.expected(&expected));
        }
    }
    mark(scanner, "|")
}

/// Goes to the next node, if there is one.
fn next_node(scanner: &mut Scanner<'_>) -> Result<bool, FileError> {
    loop {
        match scanner.advance()? {
            ScannedItem::Word => return Ok(true),
            ScannedItem::LineEnd => {}
            ScannedItem::End => return Ok(false),
        }
    }
}

fn child(scanner: &mut Scanner<'_>) -> Result<ScannedTarget, FileError> {
    mark(scanner, ",")?;
    let index = number(scanner, "the index of a node", usize::MAX)?;
    Ok(ScannedTarget::Number { number: index as u64, complement: false })
}
