//! Exact covers.

use super::{check_bounds, inclusive};
use crate::spec::{ArraySpec, Forced, Step};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::ops::{RangeBounds, RangeInclusive};
use std::sync::OnceLock;

/// The choices of options that cover each item as often as it asks for; made by [`exact_cover`].
#[derive(Clone, Debug)]
pub struct ExactCover {
    num_items: usize,
    /// The items of each option.
    options: Vec<Vec<usize>>,
    /// Items that are not covered once; the last bounds of an item hold.
    times: Vec<(usize, RangeInclusive<usize>)>,
    /// Computed on first use, since each setting changes it.
    steps: OnceLock<Result<CoverSteps, String>>,
}

/// Chooses options, each a set of items, such that each item is in exactly one chosen option. There is a two-valued
/// variable for each option: 1 if it is chosen.
///
/// The result is an [`ArraySpec`]: [`Frontier::of_arrays`](crate::Frontier::of_arrays) sweeps it, and
/// [`boxed`](ArraySpec::boxed) makes a spec that is combined with others. It has the same solutions under both rules.
///
/// Items are numbered `0..num_items`. [`times`](ExactCover::times) and [`secondary`](ExactCover::secondary) let items be
/// covered more often, or not at all. An option without items, with an item twice, or with an item beyond the last one is
/// an error of [`validate`](ArraySpec::validate).
///
/// A state has the items that are between their first and their last option, with the number of times that they are
/// covered. Options that an earlier choice excludes are passed at once.
///
/// States: at most `2^w` at an option, if `w` items have options both before it and from it on, and each is covered at most
/// once. So the order of the options matters. A good one is by the first item of each option, where the items are in an
/// order in which the items of an option are near each other: squares column by column, and the name of a piece after
/// all squares.
///
/// ```
/// use topdd::constraint::exact_cover;
/// use topdd::spec::ArraySpec;
/// use topdd::{Frontier, SpecExt, constraint};
///
/// // Options {2, 4}, {0, 3, 6}, ..: only the first, the fourth and the fifth cover each of seven items once.
/// let options = [vec![2, 4], vec![0, 3, 6], vec![1, 2, 5], vec![0, 3, 5], vec![1, 6], vec![3, 4, 6]];
/// let covers = Frontier::of_arrays(exact_cover(7, options)).zdd()?;
/// assert!(covers.iter().eq([[1, 0, 0, 1, 1, 0]]));
///
/// // Dominoes on a strip of two by four squares; `boxed` makes a spec that is combined with others.
/// let upright = (0..4).map(|column| vec![2 * column, 2 * column + 1]);
/// let lying = (0..6).map(|square| vec![square, square + 2]);
/// let strip = exact_cover(8, upright.chain(lying)).boxed();
/// assert_eq!(topdd::count(&strip)?, 5u32.into());
/// let two_upright = strip.and(constraint::exactly(10, 2).on([0, 1, 2, 3]));
/// assert_eq!(topdd::count(&two_upright)?, 3u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
///
/// Source: M. Nishino, N. Yasuda, S. Minato and M. Nagata, *Dancing with decision diagrams: a combined approach to exact
/// cover*, AAAI 2017, search from the same states, one path after the other.
#[doc(alias("dancing links", "DLX", "DXZ", "set partitioning", "tiling"))]
pub fn exact_cover<O: IntoIterator<Item = usize>>(
    num_items: usize,
    options: impl IntoIterator<Item = O>,
) -> ExactCover {
    let options = options.into_iter().map(|option| option.into_iter().collect()).collect();
    ExactCover { num_items, options, times: Vec::new(), steps: OnceLock::new() }
}

impl ExactCover {
    /// Covers each listed item a number of times within `bounds`, instead of once. An empty range is an error.
    ///
    /// ```
    /// use topdd::Frontier;
    /// use topdd::constraint::exact_cover;
    ///
    /// // Sets of edges of a triangle in which vertex 0 has degree 2 and the others any degree but 0.
    /// let edges = exact_cover(3, [[0, 1], [0, 2], [1, 2]]).times([0], 2..=2).times([1, 2], 1..);
    /// assert_eq!(Frontier::of_arrays(edges).count()?, 2u32.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    #[must_use]
    pub fn times(
        mut self,
        items: impl IntoIterator<Item = usize>,
        bounds: impl RangeBounds<usize>,
    ) -> Self {
        let bounds = inclusive(&bounds);
        self.times.extend(items.into_iter().map(|item| (item, bounds.clone())));
        self.steps = OnceLock::new();
        self
    }

    /// Covers each listed item at most once: `times(items, ..=1)`.
    #[must_use]
    pub fn secondary(self, items: impl IntoIterator<Item = usize>) -> Self {
        self.times(items, ..=1)
    }

    fn steps(&self) -> Result<&CoverSteps, &String> {
        self.steps.get_or_init(|| self.prepare()).as_ref()
    }

    fn prepare(&self) -> Result<CoverSteps, String> {
        let uses = self.uses()?;
        let mut items = Vec::with_capacity(self.num_items);
        for options in uses {
            items.push(CoverItem { options, bounds: 1..=1, field: None });
        }
        for (item, bounds) in &self.times {
            check_bounds(bounds).map_err(|message| format!("item {item}: {message}"))?;
            let item = items.get_mut(*item).ok_or_else(|| self.unknown(*item))?;
            item.bounds = bounds.clone();
        }
        Ok(CoverSteps::new(&self.options, &mut items))
    }

    /// The options with each item, in ascending order.
    fn uses(&self) -> Result<Vec<Vec<usize>>, String> {
        let mut uses = vec![Vec::new(); self.num_items];
        for (index, option) in self.options.iter().enumerate() {
            if option.is_empty() {
                return Err(format!("option {index} has no items; leave it out"));
            }
            for &item in option {
                let options = uses.get_mut(item).ok_or_else(|| self.unknown(item));
                let options = options.map_err(|message| format!("option {index}: {message}"))?;
                if options.last() == Some(&index) {
                    return Err(format!("option {index} has item {item} twice"));
                }
                options.push(index);
            }
        }
        Ok(uses)
    }

    fn unknown(&self, item: usize) -> String {
        format!("there is no item {item}: the number of items is {}", self.num_items)
    }
}

/// An item while its place in the state is chosen.
struct CoverItem {
    /// The options with the item, in ascending order.
    options: Vec<usize>,
    bounds: RangeInclusive<usize>,
    /// The place, from the first option on.
    field: Option<Field>,
}

/// The bits of a state that have the number of times that an item is covered, from its first to its last option.
///
/// They begin at a number from which the highest bit is reached when no further option may have the item. An item
/// without such a limit reaches it when it is covered often enough, and stays there. So one test of bits in a word
/// finds out whether an option may be chosen, and one addition chooses it.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: usize,
    unit: u64,
    /// The highest bit.
    full: u64,
    /// The number at the first option, and the least number after the last option, as multiples of the unit.
    start: u64,
    least: u64,
    /// Whether options are excluded when the field is full.
    is_limited: bool,
}

impl Field {
    fn mask(&self) -> u64 {
        self.full | (self.full - self.unit)
    }

    fn bits(&self) -> Bits {
        Bits { word: self.word, full: self.full, unit: self.unit }
    }
}

/// Bits of fields in one word.
#[derive(Clone, Copy, Debug, Default)]
struct Bits {
    word: usize,
    full: u64,
    unit: u64,
}

/// A field that ends or begins between two options.
#[derive(Clone, Copy, Debug)]
struct Change {
    word: usize,
    /// The bits that end.
    mask: u64,
    /// The least number in them for which the item is covered often enough.
    least: u64,
    /// The number with which a field begins.
    start: u64,
}

/// What an option changes.
#[derive(Clone, Debug, Default)]
struct CoverOption {
    /// The fields of items with a limit.
    limited: SmallVec<[Bits; 2]>,
    /// The fields of items without a limit.
    unlimited: Vec<Bits>,
    /// The item that most options from here on have in a row, and the first option without it. All of them are
    /// excluded if it is full.
    run: Bits,
    run_end: usize,
    /// The first change after the option.
    changes: usize,
}

/// The steps of a sweep over the options.
#[derive(Clone, Debug, Default)]
struct CoverSteps {
    num_words: usize,
    options: Vec<CoverOption>,
    /// The changes of all options, in their order. Those before the first option come first.
    changes: Vec<Change>,
    /// Whether some item has too few options.
    is_infeasible: bool,
}

impl CoverSteps {
    fn new(options: &[Vec<usize>], items: &mut [CoverItem]) -> Self {
        let too_few = |item: &CoverItem| item.options.len() < *item.bounds.start();
        let mut steps =
            CoverSteps { is_infeasible: items.iter().any(too_few), ..CoverSteps::default() };
        if steps.is_infeasible {
            return steps;
        }
        let mut places = Places::default();
        for (index, option) in options.iter().enumerate() {
            for &item in option {
                let item = &mut items[item];
                if item.options[0] == index {
                    item.field = places.take(item);
                    if let Some(Field { word, start, .. }) = item.field.filter(|f| f.start > 0) {
                        steps.changes.push(Change { word, mask: 0, least: 0, start });
                    }
                }
            }
            let fields = option.iter().filter_map(|&item| items[item].field);
            steps.options.push(CoverOption::new(fields, steps.changes.len()));
            for &item in option {
                if let (Some(field), Some(&last)) = (&items[item].field, items[item].options.last())
                    && last == index
                {
                    let (word, mask, least) = (field.word, field.mask(), field.least);
                    steps.changes.push(Change { word, mask, least, start: 0 });
                    places.give_back(field);
                }
            }
        }
        steps.num_words = places.num_words;
        steps.find_runs(options, items);
        steps
    }

    /// Finds the longest run of options from each one on that have an item in common.
    fn find_runs(&mut self, options: &[Vec<usize>], items: &[CoverItem]) {
        // The option at which an item was last seen, and the end of the run there.
        let mut runs = vec![(usize::MAX, 0); items.len()];
        for (index, option) in options.iter().enumerate().rev() {
            let found = &mut self.options[index];
            for &item in option {
                let (seen, end) = runs[item];
                let end = if seen == index + 1 { end } else { index + 1 };
                runs[item] = (index, end);
                if let Some(field) = items[item].field.filter(|field| field.is_limited)
                    && end > found.run_end
                {
                    (found.run, found.run_end) = (field.bits(), end);
                }
            }
        }
    }

    #[inline]
    fn is_excluded(&self, words: &[u64], option: usize) -> bool {
        self.options[option].limited.iter().any(|bits| words[bits.word] & bits.full != 0)
    }

    /// Adds an option that is not excluded.
    #[inline]
    fn choose(&self, words: &mut [u64], option: usize) {
        let option = &self.options[option];
        for bits in &option.limited {
            words[bits.word] += bits.unit;
        }
        for bits in &option.unlimited {
            if words[bits.word] & bits.full == 0 {
                words[bits.word] += bits.unit;
            }
        }
    }

    /// The changes between an option and a later one.
    #[inline]
    fn changes(&self, from: usize, to: usize) -> &[Change] {
        let end = self.options.get(to).map_or(self.changes.len(), |option| option.changes);
        &self.changes[self.options[from].changes..end]
    }

    /// Moves from an option to a later one. Fails if some item in between is not covered often enough.
    #[inline]
    fn pass(&self, words: &mut [u64], from: usize, to: usize) -> Step<()> {
        for change in self.changes(from, to) {
            let word = &mut words[change.word];
            if *word & change.mask < change.least {
                return Step::Zero;
            }
            *word = (*word & !change.mask) + change.start;
        }
        if to < self.options.len() { Step::To(to, ()) } else { Step::One }
    }
}

impl CoverOption {
    fn new(fields: impl Iterator<Item = Field>, changes: usize) -> Self {
        let mut option = CoverOption { changes, ..CoverOption::default() };
        for field in fields {
            let same_word = |bits: &&mut Bits| bits.word == field.word;
            if !field.is_limited {
                option.unlimited.push(field.bits());
            } else if let Some(bits) = option.limited.iter_mut().find(same_word) {
                bits.full |= field.full;
                bits.unit |= field.unit;
            } else {
                option.limited.push(field.bits());
            }
        }
        option
    }
}

/// The places of fields in a state. A place is used again after the last option of an item.
#[derive(Default)]
struct Places {
    num_words: usize,
    /// The number of bits used in the last word.
    used: u32,
    /// Words and units of free places, by the number of bits.
    free: BTreeMap<u32, Vec<(usize, u64)>>,
}

impl Places {
    /// Takes a place for an item; `None` if the item may be covered any number of times.
    fn take(&mut self, item: &CoverItem) -> Option<Field> {
        let (least, most) = (*item.bounds.start(), *item.bounds.end());
        let is_limited = most < item.options.len();
        if !is_limited && least == 0 {
            return None;
        }
        let limit = if is_limited { most } else { least };
        let above = limit.max(1).next_power_of_two();
        let width = above.trailing_zeros() + 1;
        let (word, unit) = self.free.entry(width).or_default().pop().unwrap_or_else(|| {
            if self.num_words == 0 || self.used + width > u64::BITS {
                self.num_words += 1;
                self.used = 0;
            }
            self.used += width;
            (self.num_words - 1, 1 << (self.used - width))
        });
        let start = (above - limit) as u64;
        let least = (start + least as u64) * unit;
        let full = above as u64 * unit;
        Some(Field { word, unit, full, start: start * unit, least, is_limited })
    }

    fn give_back(&mut self, field: &Field) {
        let width = (field.full / field.unit).trailing_zeros() + 1;
        self.free.entry(width).or_default().push((field.word, field.unit));
    }
}

impl ArraySpec for ExactCover {
    type Head = ();
    type Item = u64;

    fn num_vars(&self) -> usize {
        self.options.len()
    }

    fn len(&self, _: usize) -> usize {
        self.steps().map_or(0, |steps| steps.num_words)
    }

    fn root(&self, (): &mut (), words: &mut [u64]) -> Step<()> {
        match self.steps() {
            Ok(steps) if !steps.is_infeasible => {
                let Some(first) = steps.options.first() else { return Step::One };
                for change in &steps.changes[..first.changes] {
                    words[change.word] += change.start;
                }
                Step::To(0, ())
            }
            // `validate` refuses errors.
            _ => Step::Zero,
        }
    }

    #[inline]
    fn child(&self, (): &mut (), words: &mut [u64], option: usize, value: usize) -> Step<()> {
        let Ok(steps) = self.steps() else { return Step::Zero };
        if value == 1 {
            if steps.is_excluded(words, option) {
                return Step::Zero;
            }
            steps.choose(words, option);
        }
        steps.pass(words, option, option + 1)
    }

    /// Passes all excluded options at once, and takes an option that is the last one for an item.
    #[inline]
    fn forced(&self, (): &mut (), words: &mut [u64], option: usize) -> Forced<()> {
        let Ok(steps) = self.steps() else { return Forced::Dead };
        let mut next = option;
        while next < steps.options.len() && steps.is_excluded(words, next) {
            let CoverOption { run, run_end, .. } = steps.options[next];
            let end = if words[run.word] & run.full == 0 { next + 1 } else { run_end };
            if steps.pass(words, next, end).is_zero() {
                return Forced::Dead;
            }
            next = end;
        }
        if next > option {
            let is_end = next == steps.options.len();
            return Forced::Value(0, if is_end { Step::One } else { Step::To(next, ()) });
        }
        let misses = |change: &Change| words[change.word] & change.mask < change.least;
        if steps.changes(option, option + 1).iter().any(misses) {
            return Forced::to(1, self.child(&mut (), words, option, 1));
        }
        Forced::Free
    }

    fn validate(&self) -> Result<(), String> {
        self.steps().map(|_| ()).map_err(|message| format!("`exact_cover`: {message}"))
    }
}

#[cfg(test)]
mod tests;
