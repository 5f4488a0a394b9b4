//! Values compared with one another: all different, in lexicographic order, and the order in which values occur first.

use super::{Constraint, ConstraintKind, Outcome, Reader, check_value};
use crate::spec::Space;
use smallvec::SmallVec;

/// Different values, with exceptions; the kind of [`all_different`].
#[derive(Clone, Debug)]
pub struct AllDifferent {
    except: Vec<usize>,
}

/// Requires that no two variables have the same value. [`except`](Constraint::except) allows some
/// values to occur any number of times.
///
/// A state is the set of the used values that a later variable may still take. It is cut off when
/// fewer values than variables are left.
///
/// States: at most `2^a` per variable, where `a` is the greatest arity; one bit per value.
///
/// ```
/// use topdd::constraint;
///
/// assert_eq!(topdd::count(&constraint::all_different([5; 5]))?, 120u32.into());
/// assert_eq!(topdd::count(&constraint::all_different([2, 3, 4]))?, 8u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn all_different(space: impl Into<Space>) -> Constraint<AllDifferent> {
    Constraint::new(space, AllDifferent { except: Vec::new() })
}

impl Constraint<AllDifferent> {
    /// Allows these values to occur any number of times. An earlier choice is replaced.
    ///
    /// ```
    /// use topdd::constraint;
    ///
    /// // Three seats, each of which is empty (0) or taken by one of two people.
    /// let seats = constraint::all_different([3; 3]).except([0]);
    /// assert_eq!(topdd::count(&seats)?, 13u32.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn except(self, values: impl IntoIterator<Item = usize>) -> Self {
        self.with(|different| different.except = values.into_iter().collect())
    }
}

/// The reader of different values.
#[derive(Clone, Debug)]
pub struct Used {
    arities: Vec<usize>,
    /// The greatest arity of the variables from each position on.
    greatest: Vec<usize>,
    /// The number of words of a set of values.
    words: usize,
    /// The values that may occur any number of times.
    except: Vec<usize>,
}

type Values = SmallVec<[u64; 2]>;

const WORD: usize = u64::BITS as usize;

impl ConstraintKind for AllDifferent {
    type Reader = Used;

    fn name(&self) -> &'static str {
        "all_different"
    }

    fn reader(&self, arities: &[usize]) -> Result<Used, String> {
        for &value in &self.except {
            check_value(arities, value)?;
        }
        let mut greatest = arities.to_vec();
        greatest.push(0);
        for position in (0..arities.len()).rev() {
            greatest[position] = greatest[position].max(greatest[position + 1]);
        }
        let words = greatest[0].div_ceil(WORD);
        Ok(Used { arities: arities.to_vec(), greatest, words, except: self.except.clone() })
    }
}

impl Used {
    /// Returns the status for the values used before `position`.
    #[inline]
    fn outcome(&self, mut used: Values, position: usize) -> Outcome<Values> {
        let arity = self.greatest[position];
        // Values that no later variable has are removed from the set.
        for (index, word) in used.iter_mut().enumerate() {
            let bits = arity.saturating_sub(index * WORD);
            if bits < WORD {
                *word &= (1 << bits) - 1;
            }
        }
        let taken: usize = used.iter().map(|word| word.count_ones() as usize).sum();
        let left = self.arities.len() - position;
        let repeats = self.except.iter().any(|&value| value < arity);
        if !repeats && arity - taken < left { Outcome::Broken } else { Outcome::Open(used) }
    }
}

impl Reader for Used {
    type State = Values;

    fn start(&self) -> Outcome<Values> {
        self.outcome(SmallVec::from_elem(0, self.words), 0)
    }

    #[inline]
    fn read(&self, used: &Values, position: usize, value: usize) -> Outcome<Values> {
        if self.except.contains(&value) {
            return self.outcome(used.clone(), position + 1);
        }
        let (index, bit) = (value / WORD, 1 << (value % WORD));
        if used[index] & bit != 0 {
            return Outcome::Broken;
        }
        let mut used = used.clone();
        used[index] |= bit;
        self.outcome(used, position + 1)
    }

    #[inline]
    fn forced(&self, used: &Values, position: usize) -> Option<usize> {
        let arity = self.arities[position];
        if arity > WORD || !self.except.is_empty() {
            return None;
        }
        // An arity is at least 1.
        let unused = !used[0] & (u64::MAX >> (WORD - arity));
        unused.is_power_of_two().then_some(unused.trailing_zeros() as usize)
    }

    /// The values that are used in both.
    fn merge(&self, one: &Values, other: &Values) -> Option<Values> {
        Some(one.iter().zip(other).map(|(one, other)| one & other).collect())
    }

    fn describe(&self, used: &Values) -> String {
        let used: Vec<usize> = (0..self.words * WORD)
            .filter(|value| used[value / WORD] >> (value % WORD) & 1 == 1)
            .collect();
        format!("used {used:?}")
    }
}

/// An order of two rows; the kind of [`lex_at_most`].
#[derive(Clone, Debug)]
pub struct Lexicographic {
    rows: [Vec<usize>; 2],
    strict: bool,
}

/// Requires that the values of the variables `left` are lexicographically at most the values of
/// `right`. The rows have the same length, and no variable is in them twice; their variables may be in any order.
///
/// States: the known values of the pairs with one known value. Rows whose variables alternate need one
/// pair. If one row comes before the other, all its values are stored.
///
/// ```
/// use topdd::constraint::lex_at_most;
///
/// assert_eq!(topdd::count(&lex_at_most([3; 4], [0, 1], [2, 3]))?, 45u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn lex_at_most(
    space: impl Into<Space>,
    left: impl IntoIterator<Item = usize>,
    right: impl IntoIterator<Item = usize>,
) -> Constraint<Lexicographic> {
    let rows = [left.into_iter().collect(), right.into_iter().collect()];
    Constraint::new(space, Lexicographic { rows, strict: false })
}

/// Requires that the values of the variables `left` are lexicographically less than the values of
/// `right`; otherwise like [`lex_at_most`], which states the cost.
///
/// ```
/// use topdd::constraint::lex_less;
///
/// assert_eq!(topdd::count(&lex_less([3; 4], [0, 1], [2, 3]))?, 36u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn lex_less(
    space: impl Into<Space>,
    left: impl IntoIterator<Item = usize>,
    right: impl IntoIterator<Item = usize>,
) -> Constraint<Lexicographic> {
    lex_at_most(space, left, right).with(|rows| rows.strict = true)
}

/// The reader of two rows.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The pair of each variable, and whether it is in the left row.
    roles: Vec<Option<(usize, bool)>>,
    pairs: usize,
    strict: bool,
}

/// The state of a pair: one of the constants below, and the known value of a half-read pair.
type Pair = (u8, u32);
const UNKNOWN: u8 = 0;
const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const LESS: u8 = 3;
const EQUAL: u8 = 4;
const GREATER: u8 = 5;

impl ConstraintKind for Lexicographic {
    type Reader = Comparison;

    fn name(&self) -> &'static str {
        "lex"
    }

    fn reader(&self, arities: &[usize]) -> Result<Comparison, String> {
        let [left, right] = &self.rows;
        if left.len() != right.len() {
            let (left, right) = (left.len(), right.len());
            return Err(format!("the left row has {left} variables and the right one {right}"));
        }
        let mut roles = vec![None; arities.len()];
        for (row, is_left) in [(left, true), (right, false)] {
            for (pair, &variable) in row.iter().enumerate() {
                let variables = arities.len();
                let role = roles.get_mut(variable).ok_or_else(|| {
                    format!("there is no variable {variable}: the constraint has {variables}")
                })?;
                if role.replace((pair, is_left)).is_some() {
                    return Err(format!("variable {variable} is in the rows twice"));
                }
            }
        }
        Ok(Comparison { roles, pairs: left.len(), strict: self.strict })
    }
}

impl Comparison {
    /// Returns the status if `equal` pairs are equal and `rest` is the state of the pairs after them.
    #[inline]
    fn outcome(&self, mut equal: usize, mut rest: SmallVec<[Pair; 4]>) -> Outcome<Compared> {
        // Pairs after the first difference do not matter.
        if let Some(first) = rest.iter().position(|&(known, _)| matches!(known, LESS | GREATER)) {
            rest.truncate(first + 1);
        }
        while rest.last().is_some_and(|&(known, _)| known == UNKNOWN) {
            rest.pop();
        }
        let same = rest.iter().take_while(|&&(known, _)| known == EQUAL).count();
        rest.drain(..same);
        equal += same;
        match rest.first() {
            Some((LESS, _)) => Outcome::Met,
            Some((GREATER, _)) => Outcome::Broken,
            None if equal == self.pairs && self.strict => Outcome::Broken,
            None if equal == self.pairs => Outcome::Met,
            _ => Outcome::Open((equal as u32, rest)),
        }
    }
}

/// The number of leading equal pairs, and the state of the pairs after them.
type Compared = (u32, SmallVec<[Pair; 4]>);

impl Reader for Comparison {
    type State = Compared;

    fn start(&self) -> Outcome<Compared> {
        self.outcome(0, SmallVec::new())
    }

    #[inline]
    fn read(&self, (equal, rest): &Compared, position: usize, value: usize) -> Outcome<Compared> {
        let open = || Outcome::Open((*equal, rest.clone()));
        let Some((pair, is_left)) = self.roles[position] else { return open() };
        // All earlier pairs are equal, hence read.
        let at = pair - *equal as usize;
        let decided = rest.last().is_some_and(|&(known, _)| matches!(known, LESS | GREATER));
        if decided && at >= rest.len() {
            return open();
        }
        let mut rest = rest.clone();
        if rest.len() <= at {
            rest.resize(at + 1, (UNKNOWN, 0));
        }
        let value = value as u32;
        rest[at] = match rest[at] {
            (LEFT, left) => (compare(left, value), 0),
            (RIGHT, right) => (compare(value, right), 0),
            _ => (if is_left { LEFT } else { RIGHT }, value),
        };
        self.outcome(*equal as usize, rest)
    }

    fn describe(&self, (equal, rest): &Compared) -> String {
        let text = |&(known, value): &Pair| match known {
            LEFT => format!("{value} and ?"),
            RIGHT => format!("? and {value}"),
            LESS => "less".to_owned(),
            EQUAL => "equal".to_owned(),
            GREATER => "greater".to_owned(),
            _ => "?".to_owned(),
        };
        let rest: Vec<String> = rest.iter().map(text).collect();
        format!(
            "{equal} equal, then {}",
            if rest.is_empty() { "?".into() } else { rest.join("; ") }
        )
    }
}

fn compare(left: u32, right: u32) -> u8 {
    match left.cmp(&right) {
        std::cmp::Ordering::Less => LESS,
        std::cmp::Ordering::Equal => EQUAL,
        std::cmp::Ordering::Greater => GREATER,
    }
}

/// An order in which values occur first; the kind of [`precedence`].
#[derive(Clone, Debug)]
pub struct Precedence(Vec<usize>);

/// Requires that no value of the list occurs before all values that precede it in the list. Other values
/// occur anywhere. A value that no variable has is an error.
///
/// This removes symmetric solutions where values are interchangeable, as the colours of a colouring are.
///
/// States: at most one more per variable than the list has values.
///
/// Reference: Y. C. Law and J. H. M. Lee, "Global constraints for integer and set value precedence", 2004.
///
/// ```
/// // Partitions of four items into at most three classes.
/// assert_eq!(topdd::count(&topdd::constraint::precedence([3; 4], [0, 1, 2]))?, 14u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn precedence(
    space: impl Into<Space>,
    values: impl IntoIterator<Item = usize>,
) -> Constraint<Precedence> {
    Constraint::new(space, Precedence(values.into_iter().collect()))
}

/// The reader of first occurrences.
#[derive(Clone, Debug)]
pub struct Firsts {
    values: usize,
    /// The position of each value in the list.
    places: Vec<Option<usize>>,
}

impl ConstraintKind for Precedence {
    type Reader = Firsts;

    fn name(&self) -> &'static str {
        "precedence"
    }

    fn reader(&self, arities: &[usize]) -> Result<Firsts, String> {
        let mut places = vec![None; arities.iter().copied().max().unwrap_or(0)];
        for (place, &value) in self.0.iter().enumerate() {
            check_value(arities, value)?;
            if let Some(Some(first)) = places.get(value) {
                return Err(format!("value {value} is listed twice, at {first} and {place}"));
            }
            if let Some(at) = places.get_mut(value) {
                *at = Some(place);
            }
        }
        Ok(Firsts { values: self.0.len(), places })
    }
}

impl Firsts {
    fn outcome(&self, seen: usize) -> Outcome<u32> {
        if seen == self.values { Outcome::Met } else { Outcome::Open(seen as u32) }
    }
}

impl Reader for Firsts {
    type State = u32;

    fn start(&self) -> Outcome<u32> {
        self.outcome(0)
    }

    #[inline]
    fn read(&self, &seen: &u32, _: usize, value: usize) -> Outcome<u32> {
        let seen = seen as usize;
        match self.places[value] {
            Some(place) if place > seen => Outcome::Broken,
            Some(place) if place == seen => self.outcome(seen + 1),
            _ => Outcome::Open(seen as u32),
        }
    }

    fn like(&self, position: usize) -> Option<usize> {
        position.checked_sub(1)
    }

    fn describe(&self, seen: &u32) -> String {
        format!("{seen} of {} seen", self.values)
    }
}
