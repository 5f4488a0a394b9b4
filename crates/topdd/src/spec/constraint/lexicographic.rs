//! The lexicographic order of two rows of variables.

use super::Constraint;
use super::kind::{ConstraintKind, Outcome, Reader};
use crate::spec::Space;
use smallvec::SmallVec;

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
