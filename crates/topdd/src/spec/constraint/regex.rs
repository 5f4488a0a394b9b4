//! Regular expressions over values: a parser, and an automaton by subsets.

use super::automaton::Layers;
use super::{Constraint, ConstraintKind, check_value};
use crate::spec::Space;
use std::collections::HashMap;
use std::sync::Arc;

/// A regular expression over values; the kind of [`regex`].
#[derive(Clone, Debug)]
pub struct Regex(Arc<str>);

/// Requires that the values, from the first variable to the last, match `pattern` as a whole.
///
/// | pattern | matches |
/// | --- | --- |
/// | `7` | the value 7: each digit is a value of its own |
/// | `<12>` | the value 12 |
/// | `.` | any value |
/// | `[02-5<12>]`, `[^0]` | one of the listed values, any other value |
/// | `ab` | `a`, then `b` |
/// | `a\|b` | `a` or `b` |
/// | `a*`, `a+`, `a?` | `a` any number of times, at least once, at most once |
/// | `a{3}`, `a{2,}`, `a{2,4}` | `a` so many times |
/// | `(a)` | `a`, as a group |
///
/// A pattern must not name a value that no variable has, except in `[^..]` and as the end of a range.
/// Blanks are ignored, and an empty pattern or group matches no values at all. A pattern that cannot be
/// read makes the constraint invalid; the message names the position, counted in characters from 0.
///
/// States: the states of the smallest automaton that matches the rest of the values. The automaton of the
/// words of this length may be exponential in the pattern; one of more than 65536 states is refused, and
/// so are patterns of more than 65536 parts once repetitions are written out, with more than 100 groups
/// within one another, or with more than 4 repetitions of one item, as in `1*{2}`.
///
/// ```
/// use topdd::constraint::regex;
///
/// // The line of a nonogram with the clue 2, 1.
/// let line = regex(6, "0* 1{2} 0+ 1 0*");
/// assert_eq!(topdd::count(&line)?, 6u32.into());
///
/// let error = topdd::count(&regex(6, "0*(1{2}")).unwrap_err();
/// assert!(error.to_string().contains("position 7: expected `)`"), "{error}");
/// # Ok::<(), topdd::BuildError>(())
/// ```
///
/// Reference: K. Thompson, "Regular expression search algorithm", 1968.
pub fn regex(space: impl Into<Space>, pattern: impl Into<String>) -> Constraint<Regex> {
    Constraint::new(space, Regex(pattern.into().into()))
}

impl ConstraintKind for Regex {
    type Reader = Layers;

    fn name(&self) -> &'static str {
        "regex"
    }

    fn reader(&self, arities: &[usize]) -> Result<Layers, String> {
        let tree = Parser::parse(&self.0)?;
        tree.check_values(arities)?;
        let mut machine = Nfa { nodes: vec![Pattern::Match] };
        let start = machine.add(&tree, 0)?;
        machine.determine(start, arities)
    }
}

/// The maximum number of parts, and of states.
const LIMIT: usize = 1 << 16;
/// The maximum nesting of groups, and the maximum number of repetitions of an item, as in `1*{2}`: the
/// functions of a pattern are recursive.
const DEPTH: usize = 100;
const REPETITIONS: usize = 4;
/// The maximum number of nodes visited to make an automaton.
const WORK: usize = 1 << 24;

/// A set of values.
#[derive(Clone, Debug)]
struct ValueClass {
    negated: bool,
    ranges: Vec<(usize, usize)>,
}

impl ValueClass {
    fn contains(&self, value: usize) -> bool {
        let listed = self.ranges.iter().any(|&(first, last)| (first..=last).contains(&value));
        listed != self.negated
    }
}

/// A pattern.
#[derive(Clone, Debug)]
enum Tree {
    One(ValueClass),
    Sequence(Vec<Tree>),
    Either(Vec<Tree>),
    /// At least and at most so many times.
    Repeat(Box<Tree>, usize, Option<usize>),
}

impl Tree {
    /// Fails if the pattern names a value that no variable has.
    fn check_values(&self, arities: &[usize]) -> Result<(), String> {
        match self {
            Tree::One(ValueClass { negated: true, .. }) => Ok(()),
            Tree::One(ValueClass { ranges, .. }) => {
                ranges.iter().try_for_each(|&(first, _)| check_value(arities, first))
            }
            Tree::Sequence(trees) | Tree::Either(trees) => {
                trees.iter().try_for_each(|tree| tree.check_values(arities))
            }
            Tree::Repeat(tree, ..) => tree.check_values(arities),
        }
    }
}

struct Parser {
    characters: Vec<char>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn parse(pattern: &str) -> Result<Tree, String> {
        let mut parser = Parser { characters: pattern.chars().collect(), at: 0, depth: 0 };
        let tree = parser.either()?;
        match parser.peek() {
            None => Ok(tree),
            Some(found) => Err(parser.error(&format!("unexpected `{found}`"))),
        }
    }

    fn error(&self, message: &str) -> String {
        format!("position {}: {message}", self.at)
    }

    /// Returns the next character that is not blank.
    fn peek(&mut self) -> Option<char> {
        while self.characters.get(self.at).is_some_and(|next| next.is_whitespace()) {
            self.at += 1;
        }
        self.characters.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.take(wanted) { Ok(()) } else { Err(self.error(&format!("expected `{wanted}`"))) }
    }

    fn either(&mut self) -> Result<Tree, String> {
        let mut branches = vec![self.sequence()?];
        while self.take('|') {
            branches.push(self.sequence()?);
        }
        Ok(Tree::Either(branches))
    }

    fn sequence(&mut self) -> Result<Tree, String> {
        let mut items = Vec::new();
        while self.peek().is_some_and(|next| next != '|' && next != ')') {
            let mut item = self.item()?;
            let mut repetitions = 0;
            while let Some((least, most)) = self.repetition()? {
                repetitions += 1;
                if repetitions > REPETITIONS {
                    let message = format!("more than {REPETITIONS} repetitions of one item");
                    return Err(self.error(&message));
                }
                item = Tree::Repeat(Box::new(item), least, most);
            }
            items.push(item);
        }
        Ok(Tree::Sequence(items))
    }

    fn item(&mut self) -> Result<Tree, String> {
        if self.take('.') {
            return Ok(Tree::One(ValueClass { negated: true, ranges: Vec::new() }));
        }
        if self.take('[') {
            return self.class().map(Tree::One);
        }
        if self.take('(') {
            self.depth += 1;
            if self.depth > DEPTH {
                return Err(self.error(&format!("more than {DEPTH} groups within one another")));
            }
            let tree = self.either()?;
            self.depth -= 1;
            self.expect(')')?;
            return Ok(tree);
        }
        let value = self.value()?;
        Ok(Tree::One(ValueClass { negated: false, ranges: vec![(value, value)] }))
    }

    fn class(&mut self) -> Result<ValueClass, String> {
        let negated = self.take('^');
        let mut ranges = Vec::new();
        while !self.take(']') {
            let first = self.value()?;
            let last = if self.take('-') { self.value()? } else { first };
            if last < first {
                return Err(self.error(&format!("the range {first}-{last} is empty")));
            }
            ranges.push((first, last));
        }
        Ok(ValueClass { negated, ranges })
    }

    fn value(&mut self) -> Result<usize, String> {
        if self.take('<') {
            let value = self.number()?;
            self.expect('>')?;
            return Ok(value);
        }
        match self.peek().and_then(|next| next.to_digit(10)) {
            Some(digit) => {
                self.at += 1;
                Ok(digit as usize)
            }
            None => Err(self.error("expected a value")),
        }
    }

    fn number(&mut self) -> Result<usize, String> {
        self.peek();
        let from = self.at;
        while self.characters.get(self.at).is_some_and(char::is_ascii_digit) {
            self.at += 1;
        }
        let digits: String = self.characters[from..self.at].iter().collect();
        digits.parse().map_err(|_| {
            self.at = from;
            self.error("expected a number")
        })
    }

    fn repetition(&mut self) -> Result<Option<(usize, Option<usize>)>, String> {
        let times = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                self.at += 1;
                let least = self.number()?;
                let most = match (self.take(','), self.peek()) {
                    (false, _) => Some(least),
                    (true, Some('}')) => None,
                    (true, _) => Some(self.number()?),
                };
                if most.is_some_and(|most| most < least) {
                    return Err(self.error("the greater number of times comes first"));
                }
                self.expect('}')?;
                return Ok(Some((least, most)));
            }
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(times))
    }
}

/// A nondeterministic automaton.
struct Nfa {
    nodes: Vec<Pattern>,
}

enum Pattern {
    Match,
    /// Reads a value of the class and goes to that node.
    Read(ValueClass, usize),
    /// Goes to either node without reading.
    Split(usize, usize),
}

/// The nodes that a search has visited, and the number of visits of all searches.
struct Visits {
    seen: Vec<bool>,
    work: usize,
}

impl Nfa {
    fn push(&mut self, node: Pattern) -> Result<usize, String> {
        if self.nodes.len() >= LIMIT {
            return Err(format!("the pattern has more than {LIMIT} parts"));
        }
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }

    /// Adds the nodes that match `tree` and then go to `next`; returns the first of them.
    fn add(&mut self, tree: &Tree, next: usize) -> Result<usize, String> {
        match tree {
            Tree::One(class) => self.push(Pattern::Read(class.clone(), next)),
            Tree::Sequence(items) => {
                items.iter().rev().try_fold(next, |next, item| self.add(item, next))
            }
            Tree::Either(branches) => {
                let (first, others) = branches.split_first().expect("there is a branch");
                let first = self.add(first, next)?;
                others.iter().try_fold(first, |first, branch| {
                    let branch = self.add(branch, next)?;
                    self.push(Pattern::Split(first, branch))
                })
            }
            Tree::Repeat(tree, least, most) => {
                let mut start = next;
                if let Some(most) = most {
                    for _ in *least..*most {
                        let once = self.add(tree, start)?;
                        start = self.push(Pattern::Split(once, next))?;
                    }
                } else {
                    start = self.push(Pattern::Match)?;
                    let once = self.add(tree, start)?;
                    self.nodes[start] = Pattern::Split(once, next);
                }
                for _ in 0..*least {
                    let nodes = self.nodes.len();
                    start = self.add(tree, start)?;
                    // Repeating an empty pattern changes nothing.
                    if self.nodes.len() == nodes {
                        break;
                    }
                }
                Ok(start)
            }
        }
    }

    /// Returns the nodes that match or read, and that the given nodes reach without reading, in
    /// ascending order.
    fn reached(&self, from: impl Iterator<Item = usize>, visits: &mut Visits) -> Vec<usize> {
        let Visits { seen, work } = visits;
        let mut nodes: Vec<usize> =
            from.filter(|&node| !std::mem::replace(&mut seen[node], true)).collect();
        let mut at = 0;
        while let Some(&node) = nodes.get(at) {
            at += 1;
            if let Pattern::Split(one, other) = self.nodes[node] {
                let next = [one, other].into_iter();
                nodes.extend(next.filter(|&next| !std::mem::replace(&mut seen[next], true)));
            }
        }
        *work += nodes.len();
        for &node in &nodes {
            seen[node] = false;
        }
        nodes.retain(|&node| !matches!(self.nodes[node], Pattern::Split(..)));
        nodes.sort_unstable();
        nodes
    }

    /// Returns the deterministic automaton whose states are sets of nodes, unrolled. Only sets that are
    /// reached by fewer values than there are variables have edges.
    fn determine(&self, start: usize, arities: &[usize]) -> Result<Layers, String> {
        let arity = arities.iter().copied().max().unwrap_or(0);
        let mut visits = Visits { seen: vec![false; self.nodes.len()], work: 0 };
        let mut sets = vec![self.reached([start].into_iter(), &mut visits)];
        let mut ids: HashMap<Vec<usize>, usize> = [(sets[0].clone(), 0)].into();
        let mut edges: Vec<Vec<(usize, usize)>> = Vec::new();
        // The number of values that reach the next set, and the end of the sets that so many reach.
        let (mut depth, mut end) = (0, 1);
        while let Some(set) = sets.get(edges.len()).cloned() {
            if edges.len() == end {
                (depth, end) = (depth + 1, sets.len());
            }
            if depth == arities.len() {
                edges.resize(sets.len(), Vec::new());
                break;
            }
            let mut of_set = Vec::new();
            for value in 0..arity {
                let reads = set.iter().filter_map(|&node| match &self.nodes[node] {
                    Pattern::Read(class, next) if class.contains(value) => Some(*next),
                    _ => None,
                });
                visits.work += set.len();
                let to = self.reached(reads, &mut visits);
                if visits.work > WORK {
                    return Err(
                        "the automaton is too large: its states are too many parts of the \
                                pattern at the same time"
                            .to_owned(),
                    );
                }
                if to.is_empty() {
                    continue;
                }
                let next = sets.len();
                let id = *ids.entry(to).or_insert_with_key(|to| {
                    sets.push(to.clone());
                    next
                });
                of_set.push((value, id));
            }
            if sets.len() > LIMIT {
                return Err(format!("the automaton has more than {LIMIT} states"));
            }
            edges.push(of_set);
        }
        let matches = |set: &Vec<usize>| set.contains(&0);
        let accepting: Vec<bool> = sets.iter().map(matches).collect();
        Ok(Layers::unroll(arities, 0, &edges, &accepting))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::DdSpec;

    fn message(pattern: &str) -> String {
        regex([3; 2], pattern).validate().unwrap_err()
    }

    #[test]
    fn errors_name_the_position() {
        assert_eq!(message("0(1"), "`regex`: position 3: expected `)`");
        assert_eq!(message("0)"), "`regex`: position 1: unexpected `)`");
        assert_eq!(message("0 * x"), "`regex`: position 4: expected a value");
        assert_eq!(message("*"), "`regex`: position 0: expected a value");
        assert_eq!(message("[0-"), "`regex`: position 3: expected a value");
        assert_eq!(message("[2-1]"), "`regex`: position 4: the range 2-1 is empty");
        assert_eq!(message("1{}"), "`regex`: position 2: expected a number");
        assert_eq!(
            message("1{3,2}"),
            "`regex`: position 5: the greater number of times comes first"
        );
        assert_eq!(message("1{3"), "`regex`: position 3: expected `}`");
        assert_eq!(message("<7"), "`regex`: position 2: expected `>`");
        assert!(message("<99999999999999999999>").contains("position 1: expected a number"));
    }

    #[test]
    fn patterns_too_large_for_an_automaton_are_refused() {
        assert!(message("((.{1000}){1000}){1000}").contains("more than 65536 parts"));
        assert!(message(&"(".repeat(200)).contains("more than 100 groups"));
        // The 20th value from the end is 1: a million subsets.
        let long = |pattern: &str| regex([3; 40], pattern).validate().unwrap_err();
        assert!(long(".*1.{20}").contains("more than 65536 states"));
        let wide = format!(".*1.{{12}}({})", vec!["."; 3000].join("|"));
        assert!(long(&wide).contains("automaton is too large"));
        let nested = "1".to_owned() + &"*".repeat(1_000_000);
        assert!(message(&nested).contains("position 6: more than 4 repetitions of one item"));
        let deepest = "(".repeat(100) + "1" + &"*{1}*{1})".repeat(100);
        assert_eq!(regex([3; 2], deepest).validate(), Ok(()));
        // Repetitions of an empty pattern end.
        assert_eq!(regex([3; 2], "(()*)+{5}(|1)* (){99999999}").validate(), Ok(()));
    }

    #[test]
    fn automata_are_no_larger_than_the_variables_need() {
        let count = |num_vars: usize, pattern: &str| {
            crate::count(&regex(crate::Space::uniform(num_vars, 2), pattern)).unwrap()
        };
        assert_eq!(count(2, ".*1.{20}"), 0u32.into());
        assert_eq!(count(10, ".*1.{8}"), 512u32.into());
        assert_eq!(count(5, ".*.{0,16000}"), 32u32.into());
        assert_eq!(count(0, "1*"), 1u32.into());
        assert_eq!(count(0, "1+"), 0u32.into());
    }
}
