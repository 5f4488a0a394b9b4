//! Values that are all different.

use super::Constraint;
use super::kind::{ConstraintKind, Outcome, Reader, check_value};
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

    fn describe(&self, used: &Values) -> String {
        let used: Vec<usize> = (0..self.words * WORD)
            .filter(|value| used[value / WORD] >> (value % WORD) & 1 == 1)
            .collect();
        format!("used {used:?}")
    }
}
