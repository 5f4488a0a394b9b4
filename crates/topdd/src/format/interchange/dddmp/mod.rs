//! DDDMP, version 2.0, as text: the files of CUDD, which OxiDD also reads and writes.
//!
//! A file has a BDD, or a ZDD in the form of OxiDD and of an extension of CUDD. It has a header,
//! one line for each node, and an end:
//!
//! ```text
//! .ver DDDMP-2.0
//! .mode A                    text; B is binary, and not read
//! .varinfo 4                 the second item in lines of nodes: 4 is none
//! .nnodes 4                  nodes, terminals included
//! .nvars 3                   variables
//! .nsuppvars 2               variables that have nodes
//! .ids 0 2                   their numbers
//! .permids 0 2               their levels, 0 at the root
//! .nroots 1
//! .rootids -4
//! .nodes
//! <number> [<info>] <variable> <child of value 1> <child of value 0>
//! .end
//! ```
//!
//! The child of value 1 comes first. Children are numbers of nodes; a minus sign means
//! the complement, which only BDDs have. Both children of a terminal are 0, and instead of the
//! variable it has its value: `1`, `T` (of a ZDD `B`, the base family) or `0`, `F` (`E`, the
//! empty family). A file with `B` or `E` is not read as a BDD. The variable of any other node is an
//! index into the variables that have nodes, in the order of their levels. Also read are `.dd`,
//! `.bdd`, `.add` (with the values 0 and 1 alone), `.zdd`, `.varnames` (version 3.0),
//! `.suppvarnames`, `.orderedvarnames`, `.auxids`, `.rootnames`, `.varpermids` and lines that start
//! with `#`; names are skipped.
//!
//! Variables in topdd are the levels of the file; its numbers of variables are ignored.
//! [`ReadOptions::num_vars`] adds variables at the end.
//!
//! The writer adds no extra information, uses levels as numbers, and lists nodes level by level
//! from the bottom. A BDD has complemented edges in the form that CUDD requires: one terminal, and
//! no complement on an edge of value 1. A ZDD has OxiDD's names of terminals and no mark of its
//! kind, as OxiDD expects none.
//!
//! G. Cabodi, S. Quer: the documentation of the package dddmp, part of CUDD.

mod header;
mod signed;

use super::ReadOptions;
use super::nodes::{Nodes, Target};
use super::scan::Scanner;
use super::write::{buffered, check_two_valued, for_each_node};
use crate::FileError;
use crate::diagram::store::Store;
use crate::diagram::{Diagram, DiagramRule};
use crate::spec::Rule;
use header::{Header, of_other_rule};
use signed::Signed;
use std::io::{BufRead, Write};

const FORMAT: &str = "DDDMP text";

impl<R: DiagramRule> Diagram<R> {
    /// Reads a diagram of CUDD or OxiDD, under the rule of the type that this is called on. See
    /// [`dddmp`](crate::format::interchange::dddmp).
    ///
    /// ```
    /// use topdd::{Bdd, format::interchange::ReadOptions};
    ///
    /// let text = "\
    /// .ver DDDMP-2.0
    /// .mode A
    /// .varinfo 4
    /// .nnodes 3
    /// .nvars 3
    /// .nsuppvars 2
    /// .ids 0 2
    /// .permids 0 2
    /// .nroots 1
    /// .rootids -3
    /// .nodes
    /// 1 1 0 0
    /// 2 1 1 -1
    /// 3 0 1 2
    /// .end
    /// ";
    /// let neither = Bdd::read_dddmp(text.as_bytes(), &ReadOptions::new())?;
    /// assert!(neither.iter().eq([[0, 0, 0], [0, 1, 0]]));
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is not in this format, is marked as of the other rule or has terminals of a ZDD
    /// and is read as a BDD, has more variables than the options say, or cannot be read; when it has several diagrams and the options do
    /// not say which one is meant.
    #[doc(alias("Dddmp_cuddBddLoad", "import"))]
    pub fn read_dddmp<I: BufRead>(mut input: I, options: &ReadOptions) -> Result<Self, FileError> {
        Ok(Diagram::new(read(&mut input, R::RULE, options)?))
    }

    /// Writes the diagram for CUDD or OxiDD. See [`dddmp`](crate::format::interchange::dddmp).
    ///
    /// ```
    /// use topdd::{Bdd, format::interchange::ReadOptions};
    ///
    /// let bdd = Bdd::from_solutions([2; 3], [[0, 0, 1], [0, 1, 1]])?;
    /// let mut text = Vec::new();
    /// bdd.write_dddmp(&mut text).unwrap();
    /// assert!(text.starts_with(b".ver DDDMP-2.0"));
    /// assert_eq!(Bdd::read_dddmp(&text[..], &ReadOptions::new()).unwrap(), bdd);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FileError::NotTwoValued`] when a variable has other than two values, and [`FileError::Io`]
    /// when `out` fails.
    #[doc(alias("Dddmp_cuddBddStore", "export"))]
    pub fn write_dddmp<W: Write>(&self, mut out: W) -> Result<(), FileError> {
        write(&self.store, R::RULE, &mut out)
    }
}

fn read(input: &mut dyn BufRead, rule: Rule, options: &ReadOptions) -> Result<Store, FileError> {
    let mut scanner = Scanner::new(FORMAT, input, b"");
    let header = Header::read(&mut scanner, rule, options)?;
    let mut nodes = Nodes::new(FORMAT);
    for _ in 0..header.nodes {
        read_node(&header, &mut scanner, &mut nodes)?;
    }
    scanner.next_word(".end")?;
    if scanner.word() != ".end" {
        return Err(scanner.expected(".end, as .nnodes says"));
    }
    scanner.end_of_text()?;
    let (root, at) = header.root;
    nodes.build(rule, header.num_vars, root, at)
}

fn write(store: &Store, rule: Rule, out: &mut dyn Write) -> Result<(), FileError> {
    check_two_valued(FORMAT, store)?;
    let signed = match rule {
        Rule::AnyValue => Some(Signed::of(store)),
        Rule::ZeroSuppressed => None,
    };
    let mut used: Vec<usize> = store.levels().map(|level| level.variable).collect();
    used.reverse();
    // One terminal, or two.
    let count = signed.as_ref().map_or(store.node_count() + 2, |signed| signed.nodes.len() + 1);
    let root = signed.as_ref().map_or(i64::from(store.root) + 1, |signed| signed.root);
    buffered(FORMAT, out, |out| {
        writeln!(out, ".ver DDDMP-2.0\n.mode A\n.varinfo 4")?;
        writeln!(out, ".nnodes {count}\n.nvars {}", store.arities.num_vars())?;
        writeln!(out, ".nsuppvars {}", used.len())?;
        for key in [".ids", ".permids"] {
            write!(out, "{key}")?;
            used.iter().try_for_each(|variable| write!(out, " {variable}"))?;
            writeln!(out)?;
        }
        writeln!(out, ".nroots 1\n.rootids {root}\n.nodes")?;
        // Levels come from the bottom up, and their variables are at the end of `used`.
        let mut index = used.len();
        let mut last = usize::MAX;
        let mut index_of = |variable: usize| {
            index -= usize::from(std::mem::replace(&mut last, variable) != variable);
            index
        };
        if let Some(signed) = &signed {
            writeln!(out, "1 1 0 0")?;
            for (number, &(variable, [zero, one])) in (2u64..).zip(&signed.nodes) {
                writeln!(out, "{number} {} {one} {zero}", index_of(variable as usize))?;
            }
        } else {
            writeln!(out, "1 E 0 0\n2 B 0 0")?;
            for_each_node(store, |variable, id, pair| {
                let [number, zero, one] = [id, pair[0], pair[1]].map(|id| u64::from(id) + 1);
                writeln!(out, "{number} {} {one} {zero}", index_of(variable))
            })?;
        }
        writeln!(out, ".end")
    })
}

/// Reads the line of a node.
fn read_node(
    header: &Header,
    scanner: &mut Scanner<'_>,
    nodes: &mut Nodes,
) -> Result<(), FileError> {
    scanner.next_word("a node")?;
    let at = scanner.position();
    let number = scanner.number("the number of a node")?;
    if header.has_info {
        scanner.word_on_line("what .varinfo says")?;
    }
    scanner.word_on_line("a variable, or the value of a terminal")?;
    let (variable, variable_at) = (scanner.word().to_owned(), scanner.position());
    let expected = "the number of a child";
    scanner.word_on_line(expected)?;
    if scanner.word() == "0" {
        scanner.word_on_line("0, as the first child says that this is a terminal")?;
        if scanner.word() != "0" {
            return Err(scanner.expected("0, as the first child says that this is a terminal"));
        }
        let Some((one, of_zdd)) = terminal(&variable) else {
            let message = format!(
                "expected the value of a terminal, 0 or 1 (or F or T, E or B), found {variable:?}"
            );
            return Err(scanner.bad_at(variable_at, message));
        };
        if of_zdd && header.rule == Rule::AnyValue {
            return Err(scanner.bad_at(variable_at, of_other_rule(header.rule, &variable)));
        }
        nodes.terminal(number, one, at)?;
        return scanner.end_of_line();
    }
    let one = edge(scanner, header.rule)?;
    scanner.word_on_line(expected)?;
    let zero = edge(scanner, header.rule)?;
    let level = variable.parse().ok().and_then(|index: usize| header.levels.get(index));
    let Some(&level) = level else {
        let message = format!(
            "expected the index of a variable used, less than {}, found {variable:?}",
            header.levels.len()
        );
        return Err(scanner.bad_at(variable_at, message));
    };
    nodes.node(number, level as usize, [zero, one], at)?;
    scanner.end_of_line()
}

/// The last word as the number of a node, or of the complement of one.
fn edge(scanner: &Scanner<'_>, rule: Rule) -> Result<Target, FileError> {
    let expected = "the number of a node, not 0";
    let complement = scanner.word().starts_with('-');
    if complement && rule == Rule::ZeroSuppressed {
        return Err(scanner.expected("the number of a node without a sign, as this is a ZDD"));
    }
    let number: i64 = scanner.number(expected)?;
    match number.unsigned_abs() {
        0 => Err(scanner.expected(expected)),
        number => Ok(Target::Number { number, complement }),
    }
}

/// The terminal that a word means, and whether it is the word for one of a ZDD.
fn terminal(word: &str) -> Option<(bool, bool)> {
    match word {
        "1" | "T" | "t" | "true" | "True" | "TRUE" | "⊤" => Some((true, false)),
        "0" | "F" | "f" | "false" | "False" | "FALSE" | "⊥" => Some((false, false)),
        "B" | "b" | "{∅}" => Some((true, true)),
        "E" | "e" | "∅" => Some((false, true)),
        _ => None,
    }
}
