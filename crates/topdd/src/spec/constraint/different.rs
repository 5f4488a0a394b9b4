//! Values that are all different.

use super::Constraint;
use super::kind::{Kind, Outcome, Reader};
use crate::spec::Space;
use smallvec::SmallVec;

/// A constraint without settings; the kind of [`all_different`], which has an example.
#[derive(Clone, Copy, Debug)]
pub struct AllDifferent;

/// Requires that no two variables have the same value.
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
    Constraint::new(space, AllDifferent)
}

/// The reader of different values.
#[derive(Clone, Debug)]
pub struct Used {
    /// The greatest arity of the variables from each position on.
    arities: Vec<usize>,
    /// The number of words of a set of values.
    words: usize,
}

type Values = SmallVec<[u64; 2]>;

const WORD: usize = u64::BITS as usize;

impl Kind for AllDifferent {
    type Reader = Used;

    fn name(&self) -> &'static str {
        "all_different"
    }

    fn reader(&self, arities: &[usize]) -> Result<Used, String> {
        let mut greatest = arities.to_vec();
        greatest.push(0);
        for position in (0..arities.len()).rev() {
            greatest[position] = greatest[position].max(greatest[position + 1]);
        }
        Ok(Used { words: greatest[0].div_ceil(WORD), arities: greatest })
    }
}

impl Used {
    /// Returns the status for the values used before `position`.
    #[inline]
    fn settle(&self, mut used: Values, position: usize) -> Outcome<Values> {
        let arity = self.arities[position];
        // Values that no later variable has are removed from the set.
        for (index, word) in used.iter_mut().enumerate() {
            let bits = arity.saturating_sub(index * WORD);
            if bits < WORD {
                *word &= (1 << bits) - 1;
            }
        }
        let taken: usize = used.iter().map(|word| word.count_ones() as usize).sum();
        let left = self.arities.len() - 1 - position;
        if arity - taken < left { Outcome::Broken } else { Outcome::Open(used) }
    }
}

impl Reader for Used {
    type State = Values;

    fn start(&self) -> Outcome<Values> {
        self.settle(SmallVec::from_elem(0, self.words), 0)
    }

    #[inline]
    fn read(&self, used: &Values, position: usize, value: usize) -> Outcome<Values> {
        let (index, bit) = (value / WORD, 1 << (value % WORD));
        if used[index] & bit != 0 {
            return Outcome::Broken;
        }
        let mut used = used.clone();
        used[index] |= bit;
        self.settle(used, position + 1)
    }

    fn describe(&self, used: &Values) -> String {
        let used: Vec<usize> = (0..self.words * WORD)
            .filter(|value| used[value / WORD] >> (value % WORD) & 1 == 1)
            .collect();
        format!("used {used:?}")
    }
}
