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
//! `.bdd`, `.add` (with the values 0 and 1 alone), `.zdd`, and names: `.varnames` (version 3.0),
//! `.suppvarnames`, `.orderedvarnames` and `.rootnames`. `.auxids`, `.varpermids` and lines that start
//! with `#` are skipped.
//!
//! Variables have the numbers of the file (`.ids`). If the order of the levels is another one, the
//! diagram is [reordered](Diagram::reorder), which may make it larger; [`Diagram::read_dddmp_by_level`] keeps
//! the order. [`ReadOptions::num_vars`] adds variables at the end. [`Diagram::read_dddmp_file`] also
//! returns the names, and all diagrams of a file.
//!
//! The writer adds no extra information, uses levels as numbers, and lists nodes level by level
//! from the bottom. A BDD has complemented edges in the form that CUDD requires: one terminal, and
//! no complement on an edge of value 1. A ZDD has OxiDD's names of terminals and no mark of its
//! kind, as OxiDD expects none. CUDD loads such a file as a BDD without solutions, and without an error:
//! write a BDD for it.
//!
//! G. Cabodi, S. Quer: the documentation of the package dddmp, part of CUDD.

mod header;

use super::ReadOptions;
use super::text::{
    ScannedNodes, ScannedTarget, Scanner, buffered, check_two_valued, for_each_node,
};
use crate::diagram::store::{NodeId, NodeStore, ONE, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::spec::Rule;
use crate::{FileError, QueryError};
use header::{DddmpHeader, Root, of_other_rule, under_other_rule};
use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::sync::Arc;

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
        let mut file = read(&mut input, options, true)?;
        Ok(file.diagrams.swap_remove(0))
    }

    /// Reads all diagrams of a file, or the diagram that the options select, with the names of the file.
    ///
    /// ```
    /// use topdd::{Bdd, format::interchange::ReadOptions};
    ///
    /// // The variable p is number 0, and below the variable q, number 1.
    /// let text = "\
    /// .ver DDDMP-2.0
    /// .mode A
    /// .varinfo 4
    /// .nnodes 3
    /// .nvars 2
    /// .nsuppvars 2
    /// .orderedvarnames q p
    /// .ids 0 1
    /// .permids 1 0
    /// .nroots 2
    /// .rootids 3 -2
    /// .rootnames both not-p
    /// .nodes
    /// 1 1 0 0
    /// 2 1 1 -1
    /// 3 0 2 -1
    /// .end
    /// ";
    /// let file = Bdd::read_dddmp_file(text.as_bytes(), &ReadOptions::new())?;
    /// assert_eq!(file.variable_names.unwrap(), ["p", "q"]);
    /// assert_eq!(file.root_names.unwrap(), ["both", "not-p"]);
    /// assert!(file.diagrams[0].iter().eq([[1, 1]]));
    /// assert!(file.diagrams[1].iter().eq([[0, 0], [0, 1]]));
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails where [`read_dddmp`](Diagram::read_dddmp) fails, but reads a file with several diagrams.
    pub fn read_dddmp_file<I: BufRead>(
        mut input: I,
        options: &ReadOptions,
    ) -> Result<DddmpFile<R>, FileError> {
        read(&mut input, options, false)
    }

    /// Reads a diagram over the variables that have nodes, in the order of their levels. Also returns their
    /// numbers. Takes linear time, because nothing is reordered.
    ///
    /// ```
    /// use topdd::{Bdd, format::interchange::ReadOptions};
    ///
    /// // The variable 2 above the variable 0.
    /// let text = "\
    /// .ver DDDMP-2.0
    /// .mode A
    /// .varinfo 4
    /// .nnodes 3
    /// .nvars 3
    /// .nsuppvars 2
    /// .ids 0 2
    /// .permids 2 0
    /// .nroots 1
    /// .rootids 3
    /// .nodes
    /// 1 1 0 0
    /// 2 1 1 -1
    /// 3 0 2 -1
    /// .end
    /// ";
    /// let (diagram, numbers) = Bdd::read_dddmp_by_level(text.as_bytes(), &ReadOptions::new())?;
    /// assert_eq!((diagram.num_vars(), numbers), (2, vec![2, 0]));
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails where [`read_dddmp`](Diagram::read_dddmp) fails.
    pub fn read_dddmp_by_level<I: BufRead>(
        mut input: I,
        options: &ReadOptions,
    ) -> Result<(Self, Vec<usize>), FileError> {
        let mut scanner = Scanner::new(FORMAT, &mut input, b"");
        let Parsed { header, nodes } = parse(&mut scanner, R::RULE, options, true)?;
        let Root { target, at } = header.roots[0];
        let store = nodes.build(R::RULE, header.variables.len(), target, at)?;
        let numbers = header.variables.iter().map(|&number| number as usize);
        Ok((Diagram::new(store), numbers.collect()))
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
        write(&self.store, R::RULE, None, &mut out)
    }

    /// Writes the diagram for CUDD or OxiDD with the names of the variables, each a word without blanks.
    ///
    /// ```
    /// use topdd::{Bdd, format::interchange::ReadOptions};
    ///
    /// let bdd = Bdd::from_solutions([2; 2], [[0, 1]])?;
    /// let mut text = Vec::new();
    /// bdd.write_dddmp_with_names(&mut text, &["p", "q"]).unwrap();
    /// let file = Bdd::read_dddmp_file(&text[..], &ReadOptions::new()).unwrap();
    /// assert_eq!(file.variable_names.unwrap(), ["p", "q"]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FileError::NotTwoValued`] when a variable has other than two values, and [`FileError::Io`] when
    /// `out` fails.
    ///
    /// # Panics
    ///
    /// Panics unless there is one word for each variable.
    pub fn write_dddmp_with_names<W: Write, N: AsRef<str>>(
        &self,
        mut out: W,
        names: &[N],
    ) -> Result<(), FileError> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        let is_word = |name: &&str| !name.is_empty() && !name.contains(char::is_whitespace);
        assert!(
            names.len() == self.num_vars() && names.iter().all(is_word),
            "one word without blanks for each of the {} variables",
            self.num_vars()
        );
        write(&self.store, R::RULE, Some(&names), &mut out)
    }
}

/// The content of a DDDMP file. See [`Diagram::read_dddmp_file`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DddmpFile<R: DiagramRule> {
    /// The diagrams, in the order of the file.
    pub diagrams: Vec<Diagram<R>>,
    /// The names of the diagrams, if the file has them.
    pub root_names: Option<Vec<String>>,
    /// The names of the variables, if the file has them.
    pub variable_names: Option<Vec<String>>,
}

/// Reads a file. With `one`, the file must have one diagram, or the options select one.
fn read<R: DiagramRule>(
    input: &mut dyn BufRead,
    options: &ReadOptions,
    one: bool,
) -> Result<DddmpFile<R>, FileError> {
    let mut scanner = Scanner::new(FORMAT, input, b"");
    let Parsed { mut header, nodes } = parse(&mut scanner, R::RULE, options, one)?;
    let links = nodes.link()?;
    let mut diagrams = Vec::with_capacity(header.roots.len());
    for &Root { target, at } in &header.roots {
        let store = links.build(R::RULE, header.variables.len(), target, at)?;
        diagrams.push(by_number(&Diagram::new(store), &header)?);
    }
    if let (Some(root), Some(names)) = (options.root, &mut header.root_names) {
        *names = vec![names.swap_remove(root)];
    }
    let DddmpHeader { root_names, variable_names, .. } = header;
    Ok(DddmpFile { diagrams, root_names, variable_names })
}

/// A file before its diagrams are built.
struct Parsed {
    header: DddmpHeader,
    nodes: ScannedNodes,
}

fn parse(
    scanner: &mut Scanner<'_>,
    rule: Rule,
    options: &ReadOptions,
    one: bool,
) -> Result<Parsed, FileError> {
    let mut header = DddmpHeader::read(scanner, rule, options)?;
    if one || options.root.is_some() {
        let root = scanner.root(header.roots.len(), options)?;
        header.roots = vec![header.roots[root]];
    }
    let mut nodes = ScannedNodes::new(FORMAT);
    for _ in 0..header.nodes {
        read_node(&header, scanner, &mut nodes)?;
    }
    scanner.next_word(".end")?;
    if scanner.word() != ".end" {
        return Err(scanner.expected(".end, as .nnodes says"));
    }
    scanner.end_of_text()?;
    Ok(Parsed { header, nodes })
}

/// The diagram over all variables by their numbers, from a diagram over the variables used by their levels.
fn by_number<R: DiagramRule>(
    diagram: &Diagram<R>,
    header: &DddmpHeader,
) -> Result<Diagram<R>, FileError> {
    let mut order: Vec<usize> = (0..header.variables.len()).collect();
    order.sort_unstable_by_key(|&level| header.variables[level]);
    let diagram = diagram.reorder(&order).map_err(|error| match error {
        QueryError::Build(error) => error,
        _ => unreachable!("the order is a permutation"),
    })?;
    let mut numbers = header.variables.clone();
    numbers.sort_unstable();
    let store = Arc::unwrap_or_clone(diagram.store);
    Ok(Diagram::new(store.at_variables(header.num_vars, &numbers)))
}

fn write(
    store: &NodeStore,
    rule: Rule,
    names: Option<&[&str]>,
    out: &mut dyn Write,
) -> Result<(), FileError> {
    check_two_valued(FORMAT, store)?;
    let signed = match rule {
        Rule::AnyValue => Some(Signed::from_store(store)),
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
        if let Some(names) = names {
            let of_used: Vec<&str> = used.iter().map(|&variable| names[variable]).collect();
            writeln!(out, ".suppvarnames {}", of_used.join(" "))?;
            writeln!(out, ".orderedvarnames {}", names.join(" "))?;
        }
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
    header: &DddmpHeader,
    scanner: &mut Scanner<'_>,
    nodes: &mut ScannedNodes,
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
            let error = scanner.bad_at(variable_at, under_other_rule(&variable));
            return Err(of_other_rule(error, header.rule));
        }
        nodes.terminal(number, one, at)?;
        return scanner.end_of_line();
    }
    let one = edge(scanner, header.rule)?;
    scanner.word_on_line(expected)?;
    let zero = edge(scanner, header.rule)?;
    let level = variable.parse().ok().filter(|&index: &usize| index < header.variables.len());
    let Some(level) = level else {
        let message = format!(
            "expected the index of a variable used, less than {}, found {variable:?}",
            header.variables.len()
        );
        return Err(scanner.bad_at(variable_at, message));
    };
    nodes.node(number, level, [zero, one], at)?;
    scanner.end_of_line()
}

/// The last word as the number of a node, or of the complement of one.
fn edge(scanner: &Scanner<'_>, rule: Rule) -> Result<ScannedTarget, FileError> {
    let expected = "the number of a node, not 0";
    let complement = scanner.word().starts_with('-');
    if complement && rule == Rule::ZeroSuppressed {
        return Err(scanner.expected("the number of a node without a sign, as this is a ZDD"));
    }
    let number: i64 = scanner.number(expected)?;
    match number.unsigned_abs() {
        0 => Err(scanner.expected(expected)),
        number => Ok(ScannedTarget::Number { number, complement }),
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

/// A BDD with complemented edges: negative numbers are complements, 1 is the terminal, and
/// the node at index `i` is `i + 2`. Edges of value 1 are not complemented.
struct Signed {
    /// Variable, and children by value.
    nodes: Vec<(u32, [i64; 2])>,
    root: i64,
}

impl Signed {
    fn from_store(store: &NodeStore) -> Self {
        let mut nodes = Vec::new();
        // The signed number of each node of the store.
        let mut signed = Vec::with_capacity(store.node_count() + 2);
        signed.extend([-1i64, 1]);
        // A function and its complement are one node; both are on one level.
        let mut level = usize::MAX;
        let mut known: HashMap<[i64; 2], i64> = HashMap::new();
        let visited: Result<(), std::convert::Infallible> =
            for_each_node(store, |variable, _: NodeId, pair| {
                if std::mem::replace(&mut level, variable) != variable {
                    known.clear();
                }
                let [zero, one] = pair.map(|child| signed[child as usize]);
                let sign = one.signum();
                let number = *known.entry([zero * sign, one * sign]).or_insert_with_key(|&pair| {
                    nodes.push((variable as u32, pair));
                    i64::try_from(nodes.len()).expect("nodes have 32-bit numbers") + 1
                });
                signed.push(number * sign);
                Ok(())
            });
        let Ok(()) = visited;
        debug_assert!(signed[ZERO as usize] == -1 && signed[ONE as usize] == 1);
        let root = signed[store.root as usize];
        Signed { nodes, root }
    }
}
