//! The header, before the nodes.

use super::edge;
use crate::format::interchange::ReadOptions;
use crate::format::interchange::text::{FilePosition, ScannedItem, ScannedTarget, Scanner};
use crate::spec::{Arities, Rule};
use crate::{FileError, FileRemedy};
use std::collections::HashSet;

/// The header, before the nodes.
pub(super) struct DddmpHeader {
    pub(super) rule: Rule,
    /// Whether there is a word between the number of a node and its variable.
    pub(super) has_info: bool,
    pub(super) nodes: u64,
    pub(super) num_vars: usize,
    /// The numbers of the variables that nodes are at, in the order of their levels.
    pub(super) variables: Vec<u32>,
    pub(super) variable_names: Option<Vec<String>>,
    pub(super) roots: Vec<Root>,
    pub(super) root_names: Option<Vec<String>>,
}

/// The root of a diagram.
#[derive(Clone, Copy)]
pub(super) struct Root {
    pub(super) target: ScannedTarget,
    pub(super) at: FilePosition,
}

/// The lines of a header as they are read.
#[derive(Default)]
struct HeaderLines {
    has_info: bool,
    nodes: Option<usize>,
    /// The number of variables in the file, and with the variables that the options add.
    found: Option<usize>,
    num_vars: usize,
    used: Option<usize>,
    ids: Option<Vec<u32>>,
    levels: Option<Vec<u32>>,
    root_count: Option<usize>,
    roots: Option<Vec<Root>>,
    names: VariableNames,
}

/// The names in a header.
#[derive(Default)]
struct VariableNames {
    /// The names of all variables, by number.
    all: Option<Vec<String>>,
    /// The names of all variables, by level.
    by_level: Option<Vec<String>>,
    /// The names of the variables that nodes are at, in the order of `.ids`.
    used: Option<Vec<String>>,
    roots: Option<Vec<String>>,
}

/// The number of variables up to which unnamed variables get names, if other variables have names.
const MAX_NAMED: usize = 1 << 16;

impl DddmpHeader {
    pub(super) fn read(
        scanner: &mut Scanner<'_>,
        rule: Rule,
        options: &ReadOptions,
    ) -> Result<Self, FileError> {
        let mut lines = HeaderLines::default();
        let mut seen = HashSet::new();
        loop {
            scanner.next_word("a line of the header, or .nodes")?;
            let key = scanner.word().to_owned();
            // A second line of the same name could contradict the first one.
            if key.starts_with('.') && !seen.insert(key.clone()) {
                return Err(scanner.bad(format!("expected {key} once, found it again")));
            }
            if key != ".ver" && !seen.contains(".ver") && !key.starts_with('#') {
                return Err(scanner.expected(".ver"));
            }
            if key == ".nodes" {
                break;
            }
            lines.read(&key, scanner, rule, options)?;
        }
        let header = lines.finish(scanner, rule)?;
        scanner.end_of_line()?;
        Ok(header)
    }
}

impl HeaderLines {
    /// Reads the line with this key.
    fn read(
        &mut self,
        key: &str,
        scanner: &mut Scanner<'_>,
        rule: Rule,
        options: &ReadOptions,
    ) -> Result<(), FileError> {
        match key {
            ".ver" => read_one_of(scanner, &["DDDMP-2.0", "DDDMP-3.0"], "DDDMP-2.0")?,
            ".mode" => read_one_of(scanner, &["A"], "A (only text is read, not binary)")?,
            ".varinfo" => self.has_info = number(scanner, "a number of 0 to 4", 4)? != 4,
            ".bdd" | ".add" if rule == Rule::AnyValue => {}
            ".zdd" if rule == Rule::ZeroSuppressed => {}
            ".bdd" | ".add" | ".zdd" => {
                return Err(of_other_rule(scanner.bad(under_other_rule(key)), rule));
            }
            ".nnodes" => self.nodes = Some(number(scanner, "the number of nodes", usize::MAX)?),
            ".nvars" => {
                let number = number(scanner, "the number of variables", Arities::MAX_VARS)?;
                self.num_vars = scanner.num_vars(number, options)?;
                self.found = Some(number);
            }
            ".nsuppvars" => {
                self.used = Some(number(scanner, "the number of variables used", usize::MAX)?);
            }
            ".nroots" => {
                self.root_count = Some(number(scanner, "the number of diagrams", usize::MAX)?);
            }
            ".rootids" => {
                let Some(count) = self.root_count else {
                    return Err(scanner.expected(".nroots first"));
                };
                self.roots = Some(read_roots(scanner, rule, count)?);
            }
            // Each list of names goes up to the end of its line.
            ".ids" => return self.read_numbers(scanner).map(|list| self.ids = Some(list)),
            ".permids" => return self.read_numbers(scanner).map(|list| self.levels = Some(list)),
            ".varnames" => return read_words(scanner).map(|list| self.names.all = Some(list)),
            ".orderedvarnames" => {
                return read_words(scanner).map(|list| self.names.by_level = Some(list));
            }
            ".suppvarnames" => return read_words(scanner).map(|list| self.names.used = Some(list)),
            ".rootnames" => return read_words(scanner).map(|list| self.names.roots = Some(list)),
            ".dd" | ".auxids" | ".varpermids" | ".extraddinfo" => return scanner.skip_line(),
            comment if comment.starts_with('#') => return scanner.skip_line(),
            _ => return Err(scanner.expected("a line of the header, or .nodes")),
        }
        scanner.end_of_line()
    }

    /// Reads different numbers below the number of variables, up to the end of the line.
    fn read_numbers(&self, scanner: &mut Scanner<'_>) -> Result<Vec<u32>, FileError> {
        let Some(found) = self.found else { return Err(scanner.expected(".nvars first")) };
        let mut list = Vec::new();
        while scanner.advance()? == ScannedItem::Word {
            let number: usize = scanner.number("the number of a variable")?;
            if number >= found {
                let expected = format!("the number of a variable, less than .nvars ({found})");
                return Err(scanner.expected(&expected));
            }
            list.push(number as u32);
        }
        let mut sorted = list.clone();
        sorted.sort_unstable();
        if let Some(&[twice, _]) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let message = format!("expected different variables, found {twice} twice");
            return Err(scanner.bad(message));
        }
        if self.used.is_some_and(|used| used != list.len()) {
            return Err(scanner.expected("as many numbers as .nsuppvars says"));
        }
        Ok(list)
    }

    fn finish(self, scanner: &Scanner<'_>, rule: Rule) -> Result<DddmpHeader, FileError> {
        let missing = |key: &str| scanner.expected(&format!("{key} before the nodes"));
        let nodes = self.nodes.ok_or_else(|| missing(".nnodes"))? as u64;
        let found = self.found.ok_or_else(|| missing(".nvars"))?;
        let roots = self.roots.ok_or_else(|| missing(".rootids"))?;
        let levels = match self.levels {
            Some(levels) => levels,
            None if self.used == Some(0) => Vec::new(),
            None => return Err(missing(".permids")),
        };
        let ids = self.ids.unwrap_or_else(|| levels.clone());
        if ids.len() != levels.len() {
            return Err(scanner.expected("as many numbers in .ids as in .permids"));
        }
        let mut by_level: Vec<(u32, u32)> = levels.into_iter().zip(ids.iter().copied()).collect();
        by_level.sort_unstable();
        let root_names = self.names.roots.clone().filter(|names| names.len() == roots.len());
        Ok(DddmpHeader {
            rule,
            has_info: self.has_info,
            nodes,
            num_vars: self.num_vars,
            variable_names: self.names.of_variables(&ids, &by_level, found, self.num_vars),
            variables: by_level.into_iter().map(|(_, id)| id).collect(),
            roots,
            root_names,
        })
    }
}

impl VariableNames {
    /// The names of all variables by number, if the file has names. `by_level` contains the levels and the
    /// numbers of the variables used. Variables without a name get their number as one.
    fn of_variables(
        self,
        ids: &[u32],
        by_level: &[(u32, u32)],
        found: usize,
        num_vars: usize,
    ) -> Option<Vec<String>> {
        let has_all = |names: &Vec<String>| names.len() == found;
        let by_level_names = self.by_level.filter(has_all);
        let is_complete = self.all.as_ref().is_some_and(has_all) || by_level_names.is_some();
        if num_vars > MAX_NAMED && !(is_complete && num_vars == found) {
            return None;
        }
        let mut names: Vec<Option<String>> = vec![None; num_vars];
        if let Some(all) = self.all.filter(has_all) {
            names.iter_mut().zip(all).for_each(|(name, of_file)| *name = Some(of_file));
        } else if let Some(ordered) = by_level_names {
            let mut ordered: Vec<Option<String>> = ordered.into_iter().map(Some).collect();
            for &(level, id) in by_level {
                names[id as usize] = ordered[level as usize].take();
            }
            // The numbers of the other variables are not in the file. No node is at them.
            let mut left = ordered.into_iter().flatten();
            names[..found]
                .iter_mut()
                .filter(|name| name.is_none())
                .for_each(|name| *name = left.next());
        } else {
            let used = self.used.filter(|names| names.len() == ids.len())?;
            for (&id, name) in ids.iter().zip(used) {
                names[id as usize] = Some(name);
            }
        }
        let named = names.into_iter().enumerate();
        let names: Vec<String> =
            named.map(|(id, name)| name.unwrap_or_else(|| id.to_string())).collect();
        let are_distinct = names.iter().collect::<HashSet<_>>().len() == names.len();
        are_distinct.then_some(names)
    }
}

/// Reads words up to the end of the line.
fn read_words(scanner: &mut Scanner<'_>) -> Result<Vec<String>, FileError> {
    let mut words = Vec::new();
    while scanner.advance()? == ScannedItem::Word {
        words.push(scanner.word().to_owned());
    }
    Ok(words)
}

fn number(scanner: &mut Scanner<'_>, expected: &str, most: usize) -> Result<usize, FileError> {
    scanner.word_on_line(expected)?;
    scanner.number_to(most, expected)
}

/// Reads one of the given words, from the same line.
fn read_one_of(scanner: &mut Scanner<'_>, words: &[&str], expected: &str) -> Result<(), FileError> {
    scanner.word_on_line(words[0])?;
    if words.contains(&scanner.word()) { Ok(()) } else { Err(scanner.expected(expected)) }
}

/// The message that a word shows that a diagram is not under the rule that is read.
pub(super) fn under_other_rule(word: &str) -> String {
    format!("expected a diagram under the other rule, found {word:?}")
}

/// The error with the advice to read a diagram under the other rule.
pub(super) fn of_other_rule(error: FileError, rule: Rule) -> FileError {
    error.advised(FileRemedy::Rule(match rule {
        Rule::AnyValue => Rule::ZeroSuppressed,
        Rule::ZeroSuppressed => Rule::AnyValue,
    }))
}

/// Reads so many roots, from the same line.
fn read_roots(scanner: &mut Scanner<'_>, rule: Rule, count: usize) -> Result<Vec<Root>, FileError> {
    let mut roots = Vec::new();
    for _ in 0..count {
        scanner.word_on_line("the number of a root")?;
        roots.push(Root { target: edge(scanner, rule)?, at: scanner.position() });
    }
    Ok(roots)
}
