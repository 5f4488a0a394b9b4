//! Exact covers as problems: the order of their options, and their files.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use topdd::constraint::{self, ExactCover};
use topdd::spec::ArraySpec;
use topdd_graph::Graph;
use topdd_graph::families::{Order, Unit};
use topdd_graph::order::{Cost, find_orders};

use crate::names::without_comment;

/// The most pairs of items in options for which an order of the items is searched.
const MAX_PAIRS: usize = 1 << 18;

/// Another order of the items replaces the given one if log2 of its estimate is lower by more than this.
const CLEARLY: f64 = 6.0;

/// An exact cover: options, each a set of items, are chosen such that each item is covered as often as it asks for.
///
/// ```
/// use topdd_problem::{Cover, Problem, Unlimited};
///
/// // Two ways to cover three items, of which the last is optional.
/// let cover = Cover::new(vec![1..=1, 1..=1, 0..=1], vec![vec![0, 1], vec![0, 2], vec![1], vec![1, 2]]);
/// assert_eq!(Problem::Cover(cover).count(&Unlimited)?, 2u32.into());
/// # Ok::<(), topdd_problem::ProblemError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cover {
    /// How often each item is covered.
    times: Vec<RangeInclusive<usize>>,
    /// The items of each option.
    options: Vec<Vec<usize>>,
    /// The order of the options in which a sweep decides them.
    order: Order,
    /// The order that was searched, if it was.
    narrow: Arc<OnceLock<Vec<usize>>>,
}

impl Cover {
    /// Makes the problem from the number of times that each item is covered, and the items of each option.
    pub fn new(times: Vec<RangeInclusive<usize>>, options: Vec<Vec<usize>>) -> Self {
        Self { times, options, order: Order::Auto, narrow: Arc::default() }
    }

    /// Returns the option of each variable. The first call chooses an order, in up to some seconds.
    pub fn option_order(&self) -> Vec<usize> {
        match &self.order {
            Order::Custom(order) => order.clone(),
            Order::Auto if self.check().is_ok() => {
                self.narrow.get_or_init(|| self.narrow_order()).clone()
            }
            _ => (0..self.options.len()).collect(),
        }
    }

    /// Returns the problem with another order of the options; `None` for an order that only graphs have, or that does not
    /// have each option once.
    pub fn ordered(mut self, order: &Order) -> Option<Self> {
        let fits = match order {
            Order::Auto | Order::Given => true,
            Order::Custom(order) => {
                let mut sorted = order.clone();
                sorted.sort_unstable();
                sorted.into_iter().eq(0..self.options.len())
            }
            _ => false,
        };
        self.order = order.clone();
        fits.then_some(self)
    }

    /// Returns the constraint over options in an order.
    pub fn spec(&self, order: &[usize]) -> ExactCover {
        let options = order.iter().map(|&option| self.options[option].iter().copied());
        let cover = constraint::exact_cover(self.times.len(), options);
        let times = self.times.iter().enumerate().filter(|(_, times)| **times != (1..=1));
        times.fold(cover, |cover, (item, times)| cover.times([item], times.clone()))
    }

    /// Checks items and bounds.
    ///
    /// # Errors
    ///
    /// The message of [`exact_cover`](constraint::exact_cover).
    pub fn check(&self) -> Result<(), String> {
        self.spec(&(0..self.options.len()).collect::<Vec<_>>()).validate()
    }

    /// The order with the least estimated states, of the given order and the orders by the first item of each option, for
    /// several orders of the items. The given order of the items often follows the structure of a board, which has fewer
    /// states than the estimate, so another one has to be clearly better.
    fn narrow_order(&self) -> Vec<usize> {
        let given: Vec<usize> = (0..self.options.len()).collect();
        let mut least = (self.estimate(&given), given);
        for (index, items) in self.item_orders().into_iter().enumerate() {
            let order = self.by_items(&items);
            let estimate = self.estimate(&order) + if index == 0 { 0.0 } else { CLEARLY };
            if estimate < least.0 {
                least = (estimate, order);
            }
        }
        least.1
    }

    /// Orders of the items in which items with a common option are near each other, and the given order. Items with most
    /// others in common options, such as the names of pieces, come last.
    fn item_orders(&self) -> Vec<Vec<usize>> {
        let num_items = self.times.len();
        let mut orders = vec![(0..num_items).collect::<Vec<_>>()];
        let pairs: usize = self.options.iter().map(|option| option.len() * option.len() / 2).sum();
        if pairs > MAX_PAIRS {
            return orders;
        }
        let mut joined = BTreeSet::new();
        for option in &self.options {
            for (at, &a) in option.iter().enumerate() {
                joined.extend(option[..at].iter().map(|&b| (a.min(b), a.max(b))));
            }
        }
        let mut degrees = vec![0; num_items];
        for &(a, b) in &joined {
            degrees[a] += 1;
            degrees[b] += 1;
        }
        let is_hub = |item: usize| 4 * degrees[item] >= 3 * num_items;
        joined.retain(|&(a, b)| !is_hub(a) && !is_hub(b));
        let graph = Graph::new(num_items, joined).expect("the ends are items");
        // These orders have narrow frontiers in reverse; both directions are among the orders.
        orders.extend(find_orders(&graph, Unit::Vertex, &Cost::values(2)));
        for order in &mut orders {
            order.sort_by_key(|&item| is_hub(item));
        }
        orders
    }

    /// The options by their first item in an order of the items, then by the next one.
    fn by_items(&self, items: &[usize]) -> Vec<usize> {
        let mut ranks = vec![0; items.len()];
        for (rank, &item) in items.iter().enumerate() {
            ranks[item] = rank;
        }
        let ranks_of = |option: &Vec<usize>| {
            let mut ranks: Vec<usize> = option.iter().map(|&item| ranks[item]).collect();
            ranks.sort_unstable();
            ranks
        };
        let keys: Vec<Vec<usize>> = self.options.iter().map(ranks_of).collect();
        let mut order: Vec<usize> = (0..self.options.len()).collect();
        order.sort_by(|&a, &b| keys[a].cmp(&keys[b]));
        order
    }

    /// log2 of the estimated states of an order at its widest option: a product over the items that are between their first
    /// and their last option.
    fn estimate(&self, order: &[usize]) -> f64 {
        let mut uses = vec![0_usize; self.times.len()];
        for &item in self.options.iter().flatten() {
            uses[item] += 1;
        }
        let values_of = |item: usize| (*self.times[item].end()).min(uses[item]) as f64 + 1.0;
        let mut left = uses.clone();
        let (mut bits, mut widest) = (0.0, 0.0_f64);
        for &option in order {
            for &item in &self.options[option] {
                if left[item] == uses[item] {
                    bits += values_of(item).log2();
                }
                left[item] -= 1;
                if left[item] == 0 {
                    bits -= values_of(item).log2();
                }
            }
            widest = widest.max(bits);
        }
        widest
    }
}

/// The exact cover of a file, with the names of its items.
///
/// The first line has the items; `|` stands before secondary ones, which are covered at most once. `2:3|a` is an item that
/// is covered two or three times, and `2|a` twice. Each further line is an option: some of the items. Empty lines, lines
/// that start with `|`, and text from ` #` on are comments. It is the form of D. E. Knuth, *The Art of Computer Programming* 4B (2022),
/// section 7.2.2.1, without colours.
///
/// ```
/// use topdd_problem::CoverFile;
///
/// let file = CoverFile::parse("| Knuth's example\na b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n")?;
/// assert_eq!(file.option_names()[1], "a d g");
/// let error = CoverFile::parse("a b | x\na x:A\n").unwrap_err();
/// assert!(error.to_string().starts_with("line 2: `x:A` has a colour"));
/// # Ok::<(), topdd_problem::CoverFileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CoverFile {
    /// The problem.
    pub cover: Cover,
    items: Vec<String>,
}

/// The error for a text that is no exact cover.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct CoverFileError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub problem: String,
}

impl CoverFile {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// [`CoverFileError`] for an unknown or repeated item, an item without options, an empty list, a colour, or bounds that
    /// cannot be read.
    pub fn parse(text: &str) -> Result<Self, CoverFileError> {
        let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
        let lines = lines.filter(|(_, line)| !line.starts_with('|'));
        let lines = lines.map(|(index, line)| (index + 1, without_comment(line)));
        let mut lines = lines.filter(|(_, line)| !line.is_empty());
        let last = text.lines().count().max(1);
        let missing = |problem: &str| CoverFileError { line: last, problem: problem.to_owned() };
        let (first, header) = lines
            .next()
            .ok_or_else(|| missing("there are no items; write them in the first line"))?;
        let in_header = |problem| CoverFileError { line: first, problem };
        let items = Items::parse(header).map_err(in_header)?;
        let mut options = Vec::new();
        let mut known = HashMap::new();
        for (line, text) in lines {
            let option = items.option(text).and_then(|option| {
                let mut sorted = option.clone();
                sorted.sort_unstable();
                match known.insert(sorted, line) {
                    None => Ok(option),
                    Some(first) => Err(format!(
                        "these are the items of line {first}; leave one of the lines out, or add a secondary item to it"
                    )),
                }
            });
            options.push(option.map_err(|problem| CoverFileError { line, problem })?);
        }
        if options.is_empty() {
            return Err(missing("there are no options; write one in each line after the items"));
        }
        items.check_options(&options).map_err(in_header)?;
        let Items { names, times, .. } = items;
        Ok(Self { cover: Cover::new(times, options), items: names })
    }

    /// Returns the names of the items.
    pub fn items(&self) -> &[String] {
        &self.items
    }

    /// Returns the names of the options: their items, between blanks.
    pub fn option_names(&self) -> Vec<String> {
        let name = |option: &Vec<usize>| {
            option.iter().map(|&item| &self.items[item][..]).collect::<Vec<_>>().join(" ")
        };
        self.cover.options.iter().map(name).collect()
    }
}

/// The items of a file.
#[derive(Default)]
struct Items {
    names: Vec<String>,
    times: Vec<RangeInclusive<usize>>,
    /// The number of items that are not secondary.
    num_primary: usize,
    numbers: HashMap<String, usize>,
}

impl Items {
    fn parse(line: &str) -> Result<Self, String> {
        let mut items = Items::default();
        let mut is_secondary = false;
        for word in line.split_whitespace() {
            if word == "|" && !is_secondary {
                is_secondary = true;
                continue;
            }
            let (times, name) = match word.split_once('|') {
                None if is_secondary => (0..=1, word),
                None => (1..=1, word),
                Some((times, name)) => (bounds(times).ok_or_else(|| malformed(word))?, name),
            };
            if word.contains('|') && is_secondary {
                return Err(format!(
                    "`{word}` has bounds, and the items after | are covered at most once; write it before the |"
                ));
            }
            if name.is_empty() || name.contains(['|', ':']) {
                return Err(malformed(word));
            }
            if items.numbers.insert(name.to_owned(), items.names.len()).is_some() {
                return Err(format!("the item `{name}` is listed twice; leave one out"));
            }
            items.names.push(name.to_owned());
            items.times.push(times);
            items.num_primary += usize::from(!is_secondary);
        }
        if items.num_primary == 0 {
            return Err(
                "there is no item before the |; write those that must be covered there".to_owned()
            );
        }
        Ok(items)
    }

    /// Fails if an item that must be covered is in none of the options.
    fn check_options(&self, options: &[Vec<usize>]) -> Result<(), String> {
        let covered: BTreeSet<usize> = options.iter().flatten().copied().collect();
        let is_left = |&item: &usize| *self.times[item].start() > 0 && !covered.contains(&item);
        match (0..self.names.len()).find(is_left) {
            None => Ok(()),
            Some(item) => Err(format!(
                "no option has the item `{}`, which must be covered; add one, or leave the item out",
                self.names[item]
            )),
        }
    }

    /// The items of an option.
    fn option(&self, line: &str) -> Result<Vec<usize>, String> {
        let (mut option, mut found) = (Vec::new(), HashSet::new());
        for word in line.split_whitespace() {
            let Some(&item) = self.numbers.get(word) else {
                return Err(match word.split_once(':') {
                    Some((name, _)) if self.numbers.contains_key(name) => format!(
                        "`{word}` has a colour, and colours are not supported; add a secondary item to each two \
                         options whose colours of `{name}` differ"
                    ),
                    _ => format!("there is no item `{word}`; add it to the line of items"),
                });
            };
            if !found.insert(item) {
                return Err(format!("the item `{word}` occurs twice; leave one out"));
            }
            option.push(item);
        }
        if option.iter().all(|&item| item >= self.num_primary) {
            return Err("all items of this option are secondary, so it could always be added; leave it out, or add a \
                        primary item such as 0:1|name"
                .to_owned());
        }
        Ok(option)
    }
}

/// The bounds `low:high`, or the number `n`, before the `|` of an item.
fn bounds(text: &str) -> Option<RangeInclusive<usize>> {
    let (low, high) = text.split_once(':').unwrap_or((text, text));
    let (low, high) = (low.parse().ok()?, high.parse().ok()?);
    (low <= high).then_some(low..=high)
}

fn malformed(word: &str) -> String {
    format!(
        "`{word}` is no item; write a name without | and :, or bounds from low to high before it, such as 0:2|name"
    )
}

#[cfg(test)]
mod tests;
