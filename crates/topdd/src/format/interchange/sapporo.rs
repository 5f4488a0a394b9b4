//! The text of SAPPOROBDD, and of TdZdd, which writes it for SAPPOROBDD to read.
//!
//! A ZDD or a BDD; the text does not state which. It consists of words, separated by blanks or line
//! ends:
//!
//! ```text
//! _i <variables>
//! _o <diagrams>
//! _n <nodes>
//! <number> <level> <child of value 0> <child of value 1>     for each node
//! <root>                                                     for each diagram
//! ```
//!
//! A child or a root is a number or a terminal, `F` for the 0-terminal and `T` for the
//! 1-terminal.
//!
//! Levels count from 1 at the *bottom*: variable `v` of `n` in topdd is level `n - v` in the file.
//! TdZdd and SAPPOROBDD write the level of the root as the number of variables. Further variables
//! above it are added by [`ReadOptions::num_vars`]. topdd writes the full number of variables.
//!
//! Two dialects of numbers are read. In SAPPOROBDD nodes have even numbers, and an odd number
//! means the complement of the node with the even number before it: of a BDD, the other
//! function; of a ZDD, the family with the empty set removed or added. If a node itself has an odd
//! number, odd numbers are not complements. TdZdd numbers the nodes 2, 4, 6, ... and has no
//! complements, which is valid in both dialects. topdd writes this, children before parents.
//!
//! S. Minato: "Zero-suppressed BDDs for set manipulation in combinatorial problems", DAC 1993,
//! has the attributed edges of ZDDs.

use super::ReadOptions;
use super::text::{
    ScannedNodes, ScannedTarget, Scanner, buffered, check_two_valued, for_each_node,
};
use crate::FileError;
use crate::diagram::store::{NodeId, NodeStore, ONE, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::spec::{Arities, Rule};
use std::io::{BufRead, Write};

const FORMAT: &str = "Sapporo text";
const CHILD: &str = "a child: F, T or the number of a node";
const ROOT: &str = "a root: F, T or the number of a node";

impl<R: DiagramRule> Diagram<R> {
    /// Reads a diagram of SAPPOROBDD or TdZdd, under the rule of the type that this is called on; the
    /// text does not state it. See [`sapporo`](crate::format::interchange::sapporo).
    ///
    /// ```
    /// use topdd::{Bdd, Zdd, format::interchange::ReadOptions};
    ///
    /// // As SAPPOROBDD exports it: the root is complemented.
    /// let text = b"_i 2 _o 1 _n 2  2 1 F T  4 2 2 T  5";
    /// let bdd = Bdd::read_sapporo(&text[..], &ReadOptions::new())?;
    /// assert!(bdd.iter().eq([[0, 0]])); // neither of the two
    /// let zdd = Zdd::read_sapporo(&text[..], &ReadOptions::new())?;
    /// assert!(zdd.iter().eq([[0, 0], [0, 1], [1, 0]])); // one of the two, or none
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is not in this format, has more variables than the options say, or cannot
    /// be read; when it has several diagrams and the options do not say which one is meant.
    pub fn read_sapporo<I: BufRead>(
        mut input: I,
        options: &ReadOptions,
    ) -> Result<Self, FileError> {
        Ok(Diagram::new(read(&mut input, R::RULE, options)?))
    }

    /// Writes the diagram for SAPPOROBDD, as TdZdd does. See
    /// [`sapporo`](crate::format::interchange::sapporo).
    ///
    /// ```
    /// let mut text = Vec::new();
    /// topdd::Zdd::from_solutions([2; 3], [[1, 0, 0]])?.write_sapporo(&mut text).unwrap();
    /// assert_eq!(text, b"_i 3\n_o 1\n_n 1\n2 3 F T\n2\n"); // variable 0 has level 3
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FileError::NotTwoValued`] when a variable has other than two values, and [`FileError::Io`]
    /// when `out` fails.
    pub fn write_sapporo<W: Write>(&self, mut out: W) -> Result<(), FileError> {
        write(&self.store, &mut out)
    }
}

fn read(
    input: &mut dyn BufRead,
    rule: Rule,
    options: &ReadOptions,
) -> Result<NodeStore, FileError> {
    let mut scanner = Scanner::new(FORMAT, input, b"");
    let levels = header(&mut scanner, "_i", Arities::MAX_VARS)?;
    let num_vars = scanner.num_vars(levels, options)?;
    let roots = header(&mut scanner, "_o", usize::MAX)?;
    let root = scanner.root(roots, options)?;
    let count = header(&mut scanner, "_n", usize::MAX)?;
    let mut nodes = ScannedNodes::new(FORMAT);
    for _ in 0..count {
        scanner.next_word("the number of a node")?;
        let at = scanner.position();
        let number = scanner.number("the number of a node")?;
        scanner.next_word("a level")?;
        let level = scanner.number_to(levels, "a level, from 1")?;
        if level == 0 {
            return Err(scanner.expected("a level, from 1"));
        }
        let children = [target(&mut scanner, CHILD)?, target(&mut scanner, CHILD)?];
        nodes.node(number, level - 1, children, at)?;
    }
    let mut found = (ScannedTarget::Zero, scanner.position());
    for index in 0..roots {
        let target = target(&mut scanner, ROOT)?;
        if index == root {
            found = (target, scanner.position());
        }
    }
    scanner.end_of_text()?;
    nodes.turn_over(num_vars);
    let complements = !nodes.any_odd();
    if complements {
        nodes.map_targets(complement);
    }
    let (root, at) = found;
    nodes.build(rule, num_vars, if complements { complement(root) } else { root }, at)
}

fn write(store: &NodeStore, out: &mut dyn Write) -> Result<(), FileError> {
    check_two_valued(FORMAT, store)?;
    let num_vars = store.arities.num_vars();
    buffered(FORMAT, out, |out| {
        writeln!(out, "_i {num_vars}\n_o 1\n_n {}", store.node_count())?;
        let text = |id: NodeId| match id {
            ZERO => "F".to_owned(),
            ONE => "T".to_owned(),
            _ => (2 * (u64::from(id) - 1)).to_string(),
        };
        for_each_node(store, |variable, id, [zero, one]| {
            let level = num_vars - variable;
            writeln!(out, "{} {level} {} {}", text(id), text(zero), text(one))
        })?;
        writeln!(out, "{}", text(store.root))
    })
}

/// Reads a line of the header.
fn header(scanner: &mut Scanner<'_>, key: &str, most: usize) -> Result<usize, FileError> {
    scanner.next_word(key)?;
    if scanner.word() != key {
        return Err(scanner.expected(key));
    }
    let expected = format!("the number after {key}");
    scanner.next_word(&expected)?;
    scanner.number_to(most, &expected)
}

/// Reads where an edge leads.
fn target(scanner: &mut Scanner<'_>, expected: &str) -> Result<ScannedTarget, FileError> {
    scanner.next_word(expected)?;
    Ok(match scanner.word() {
        "F" => ScannedTarget::Zero,
        "T" => ScannedTarget::One,
        _ => ScannedTarget::Number { number: scanner.number(expected)?, complement: false },
    })
}

/// The target of a number, where odd ones are complements.
fn complement(target: ScannedTarget) -> ScannedTarget {
    match target {
        ScannedTarget::Number { number, .. } => {
            ScannedTarget::Number { number: number & !1, complement: number % 2 == 1 }
        }
        terminal => terminal,
    }
}
