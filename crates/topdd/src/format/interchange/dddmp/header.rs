//! The header, before the nodes.

use super::edge;
use crate::FileError;
use crate::format::interchange::ReadOptions;
use crate::format::interchange::nodes::Target;
use crate::format::interchange::scan::{FilePosition, Item, Scanner};
use crate::spec::{Arities, Rule};
use std::collections::HashSet;

/// The header, before the nodes.
pub(super) struct Header {
    pub(super) rule: Rule,
    /// Whether there is a word between the number of a node and its variable.
    pub(super) has_info: bool,
    pub(super) nodes: u64,
    pub(super) num_vars: usize,
    /// The levels of the variables that nodes are at, in ascending order.
    pub(super) levels: Vec<u32>,
    pub(super) root: (Target, FilePosition),
}

impl Header {
    pub(super) fn read(
        scanner: &mut Scanner<'_>,
        rule: Rule,
        options: &ReadOptions,
    ) -> Result<Self, FileError> {
        let mut version = false;
        let mut has_info = false;
        let (mut nodes, mut found, mut used, mut roots) = (None, None, None, None);
        let (mut num_vars, mut wanted) = (0, 0);
        let mut levels: Option<Vec<u32>> = None;
        let mut root = None;
        let mut seen = HashSet::new();
        loop {
            scanner.next_word("a line of the header, or .nodes")?;
            let key = scanner.word().to_owned();
            // A second line of the same name could contradict the first one.
            if key.starts_with('.') && !seen.insert(key.clone()) {
                return Err(scanner.bad(format!("expected {key} once, found it again")));
            }
            if !version && key != ".ver" && !key.starts_with('#') {
                return Err(scanner.expected(".ver"));
            }
            match key.as_str() {
                ".ver" => {
                    read_one_of(scanner, &["DDDMP-2.0", "DDDMP-3.0"], "DDDMP-2.0")?;
                    version = true;
                }
                ".mode" => read_one_of(scanner, &["A"], "A (only text is read, not binary)")?,
                ".varinfo" => has_info = number(scanner, "a number of 0 to 4", 4)? != 4,
                ".bdd" | ".add" if rule == Rule::AnyValue => {}
                ".zdd" if rule == Rule::ZeroSuppressed => {}
                ".bdd" | ".add" | ".zdd" => return Err(scanner.bad(of_other_rule(rule, &key))),
                ".nnodes" => nodes = Some(number(scanner, "the number of nodes", usize::MAX)?),
                ".nvars" => {
                    let number = number(scanner, "the number of variables", Arities::MAX_VARS)?;
                    num_vars = scanner.num_vars(number, options)?;
                    found = Some(number);
                }
                ".nsuppvars" => {
                    used = Some(number(scanner, "the number of variables used", usize::MAX)?);
                }
                ".ids" | ".permids" => {
                    let Some(found) = found else { return Err(scanner.expected(".nvars first")) };
                    let list = read_levels(scanner, found)?;
                    if used.is_some_and(|used| used != list.len()) {
                        return Err(scanner.expected("as many numbers as .nsuppvars says"));
                    }
                    if key == ".permids" {
                        levels = Some(list);
                    }
                    continue;
                }
                ".nroots" => {
                    let number = number(scanner, "the number of diagrams", usize::MAX)?;
                    wanted = scanner.root(number, options)?;
                    roots = Some(number);
                }
                ".rootids" => {
                    let Some(roots) = roots else { return Err(scanner.expected(".nroots first")) };
                    root = read_root(scanner, rule, roots, wanted)?;
                }
                ".dd" | ".varnames" | ".suppvarnames" | ".orderedvarnames" | ".auxids"
                | ".rootnames" | ".varpermids" | ".extraddinfo" => {
                    scanner.skip_line()?;
                    continue;
                }
                comment if comment.starts_with('#') => {
                    scanner.skip_line()?;
                    continue;
                }
                ".nodes" => break,
                _ => return Err(scanner.expected("a line of the header, or .nodes")),
            }
            scanner.end_of_line()?;
        }
        let missing = |key: &str| scanner.expected(&format!("{key} before the nodes"));
        let nodes = nodes.ok_or_else(|| missing(".nnodes"))? as u64;
        found.ok_or_else(|| missing(".nvars"))?;
        let root = root.ok_or_else(|| missing(".rootids"))?;
        let levels = match levels {
            Some(levels) => levels,
            None if used == Some(0) => Vec::new(),
            None => return Err(missing(".permids")),
        };
        scanner.end_of_line()?;
        Ok(Header { rule, has_info, nodes, num_vars, levels, root })
    }
}

fn number(scanner: &mut Scanner<'_>, expected: &str, most: usize) -> Result<usize, FileError> {
    scanner.word_on_line(expected)?;
    scanner.number_to(most, expected)
}

/// Reads levels up to the end of the line, and returns them in ascending order. Fails if two are equal.
fn read_levels(scanner: &mut Scanner<'_>, num_vars: usize) -> Result<Vec<u32>, FileError> {
    let mut list = Vec::new();
    while scanner.advance()? == Item::Word {
        let number: usize = scanner.number("the number of a variable")?;
        if number >= num_vars {
            let expected = format!("the number of a variable, less than .nvars ({num_vars})");
            return Err(scanner.expected(&expected));
        }
        list.push(number as u32);
    }
    list.sort_unstable();
    if let Some(&[twice, _]) = list.windows(2).find(|pair| pair[0] == pair[1]) {
        let message = format!("expected different variables, found {twice} twice");
        return Err(scanner.bad(message));
    }
    Ok(list)
}

/// Reads one of these words, from the same line.
fn read_one_of(scanner: &mut Scanner<'_>, words: &[&str], expected: &str) -> Result<(), FileError> {
    scanner.word_on_line(words[0])?;
    if words.contains(&scanner.word()) { Ok(()) } else { Err(scanner.expected(expected)) }
}

/// The message that a word shows that a diagram is not under this rule.
pub(super) fn of_other_rule(rule: Rule, word: &str) -> String {
    let other = match rule {
        Rule::AnyValue => "Zdd::read_dddmp",
        Rule::ZeroSuppressed => "Bdd::read_dddmp",
    };
    format!("expected a diagram under the other rule, found {word:?} (use {other})")
}

/// Reads so many roots, from the same line, and returns the one that is wanted.
fn read_root(
    scanner: &mut Scanner<'_>,
    rule: Rule,
    roots: usize,
    wanted: usize,
) -> Result<Option<(Target, FilePosition)>, FileError> {
    let mut root = None;
    for index in 0..roots {
        scanner.word_on_line("the number of a root")?;
        if index == wanted {
            root = Some((edge(scanner, rule)?, scanner.position()));
        }
    }
    Ok(root)
}
