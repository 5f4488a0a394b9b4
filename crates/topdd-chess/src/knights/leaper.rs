//! Leapers: the pieces of tours.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A piece with one or more leaps. A leap `(a, b)` goes `a` squares along one side of the board and
/// `b` along the other, in any direction: (1, 2) for the knight, (0, 1) and (1, 1) for the king.
///
/// Leaps that are longer than the board make no moves. The name of a leaper
/// is its `Display`, and parses. Two numbers, such as `2,3`, and several leaps
/// joined by `+` parse too.
///
/// # Example
///
/// ```
/// use topdd_chess::Leaper;
///
/// let zebra: Leaper = "zebra".parse()?;
/// assert_eq!(zebra, Leaper::new(3, 2)?);
/// assert_eq!("3,2".parse(), Ok(zebra));
/// assert_eq!(Leaper::king().leaps(), [(0, 1), (1, 1)]);
/// assert_eq!("wazir+ferz".parse(), Ok(Leaper::king()));
/// assert_eq!("5,7".parse::<Leaper>()?.to_string(), "(5,7)-leaper");
/// assert!("0,0".parse::<Leaper>().is_err());
/// # Ok::<(), topdd_chess::LeaperError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub struct Leaper {
    /// The leaps, at least one, ascending, each as (shorter, longer); none is (0, 0).
    leaps: Vec<(usize, usize)>,
}

/// The reason why a text or a pair of numbers is no [`Leaper`].
///
/// ```
/// use topdd_chess::{Leaper, LeaperError};
///
/// assert_eq!(Leaper::new(0, 0), Err(LeaperError::Nowhere));
/// let error = "dragon".parse::<Leaper>().unwrap_err();
/// assert_eq!(error, LeaperError::Unknown { text: "dragon".to_owned() });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LeaperError {
    /// The leap (0, 0), which does not move.
    #[error("the leap (0,0) goes nowhere; give two numbers of which one is not 0")]
    Nowhere,
    /// A text that is neither a name of a piece nor two numbers.
    #[error(
        "`{text}` is not a leaper: write a name, such as {names}, or two numbers, such as 2,3",
        names = "knight, king, wazir, camel or zebra"
    )]
    Unknown {
        /// The text.
        text: String,
    },
}

/// The names of leapers in A. Dickins, *A Guide to Fairy Chess*, 1967.
const NAMES: [(&str, &[(usize, usize)]); 15] = [
    ("knight", &[(1, 2)]),
    ("king", &[(0, 1), (1, 1)]),
    ("wazir", &[(0, 1)]),
    ("ferz", &[(1, 1)]),
    ("dabbaba", &[(0, 2)]),
    ("alfil", &[(2, 2)]),
    ("threeleaper", &[(0, 3)]),
    ("camel", &[(1, 3)]),
    ("zebra", &[(2, 3)]),
    ("tripper", &[(3, 3)]),
    ("giraffe", &[(1, 4)]),
    ("stag", &[(2, 4)]),
    ("antelope", &[(3, 4)]),
    ("fiveleaper", &[(0, 5), (3, 4)]),
    ("gnu", &[(1, 2), (1, 3)]),
];

impl Leaper {
    /// Returns the leaper that goes `a` squares along one side of the board and `b` along the
    /// other.
    ///
    /// # Errors
    ///
    /// [`LeaperError::Nowhere`] if both are 0.
    pub fn new(a: usize, b: usize) -> Result<Self, LeaperError> {
        if (a, b) == (0, 0) {
            return Err(LeaperError::Nowhere);
        }
        Ok(Self { leaps: vec![(a.min(b), a.max(b))] })
    }

    /// Returns the knight, (1, 2).
    ///
    /// ```
    /// use topdd_chess::Leaper;
    ///
    /// assert_eq!(Leaper::knight().leaps(), [(1, 2)]);
    /// assert_eq!(Leaper::wazir().or(&Leaper::knight()).leaps(), [(0, 1), (1, 2)]);
    /// assert_eq!(Leaper::knight().to_string(), "knight");
    /// ```
    pub fn knight() -> Self {
        Self { leaps: vec![(1, 2)] }
    }

    /// Returns the wazir, (0, 1): a rook that moves by a single square. Its moves are the edges of
    /// a grid.
    pub fn wazir() -> Self {
        Self { leaps: vec![(0, 1)] }
    }

    /// Returns the king, (0, 1) and (1, 1).
    pub fn king() -> Self {
        Self { leaps: vec![(0, 1), (1, 1)] }
    }

    /// Returns the piece that has the leaps of both.
    pub fn or(mut self, other: &Leaper) -> Self {
        self.leaps.extend_from_slice(&other.leaps);
        self.leaps.sort_unstable();
        self.leaps.dedup();
        self
    }

    /// Returns the leaps in ascending order, each as (shorter, longer), in squares.
    pub fn leaps(&self) -> &[(usize, usize)] {
        &self.leaps
    }

    /// Returns all names of leapers that parse.
    ///
    /// ```
    /// use topdd_chess::Leaper;
    ///
    /// assert!(Leaper::names().all(|name| name.parse::<Leaper>().is_ok()));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|&(name, _)| name)
    }

    /// Whether every move goes to a square of the other colour.
    pub(super) fn changes_colour(&self) -> bool {
        self.leaps.iter().all(|&(a, b)| (a ^ b) % 2 == 1)
    }

    /// The longest way along a side of the board.
    pub(super) fn reach(&self) -> usize {
        self.leaps.iter().map(|&(_, longer)| longer).max().unwrap_or(0)
    }

    /// All moves as (lines down, places across), one of each two opposite moves: the one that goes
    /// down, or to the right along its line.
    pub(super) fn moves(&self) -> Vec<(usize, isize)> {
        let mut moves = Vec::new();
        for &(a, b) in &self.leaps {
            for (down, across) in [(a, b), (b, a)] {
                // A leap that overflows is longer than any board.
                let across = isize::try_from(across).unwrap_or(isize::MAX);
                moves.push((down, across));
                if down > 0 {
                    moves.push((down, -across));
                }
            }
        }
        moves.retain(|&(down, across)| down > 0 || across > 0);
        moves.sort_unstable();
        moves.dedup();
        moves
    }
}

impl Default for Leaper {
    /// The knight.
    fn default() -> Self {
        Self::knight()
    }
}

impl fmt::Display for Leaper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = NAMES.iter().find(|(_, leaps)| *leaps == self.leaps) {
            return f.pad(name);
        }
        let leaps: Vec<String> = self.leaps.iter().map(|(a, b)| format!("({a},{b})")).collect();
        f.pad(&format!("{}-leaper", leaps.join("+")))
    }
}

impl From<Leaper> for String {
    fn from(leaper: Leaper) -> Self {
        leaper.to_string()
    }
}

impl TryFrom<String> for Leaper {
    type Error = LeaperError;

    fn try_from(name: String) -> Result<Self, LeaperError> {
        name.parse()
    }
}

impl FromStr for Leaper {
    type Err = LeaperError;

    /// Reads a name, in small letters or capitals, or two numbers such as `2,3` or
    /// `(2,3)-leaper`; several of them if joined by `+`.
    fn from_str(text: &str) -> Result<Self, LeaperError> {
        let unknown = || LeaperError::Unknown { text: text.to_owned() };
        let one = |part: &str| {
            if let Some(&(_, leaps)) =
                NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(part))
            {
                return Ok(Leaper { leaps: leaps.to_vec() });
            }
            let bare = part.strip_prefix('(').and_then(|part| part.strip_suffix(')'));
            let (a, b) = bare.unwrap_or(part).split_once(',').ok_or_else(unknown)?;
            let number = |text: &str| {
                let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                // A number that overflows is longer than any board.
                digits.then(|| text.parse().unwrap_or(usize::MAX)).ok_or_else(unknown)
            };
            Leaper::new(number(a)?, number(b)?)
        };
        let bare = text.strip_suffix("-leaper").unwrap_or(text);
        let mut parts = bare.split('+').map(one);
        let first = parts.next().ok_or_else(unknown)??;
        parts.try_fold(first, |all, part| Ok(all.or(&part?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsing_the_display_of_a_leaper_returns_the_leaper() {
        for name in Leaper::names() {
            let leaper: Leaper = name.to_uppercase().parse().unwrap();
            assert_eq!(leaper.to_string(), name);
        }
        for text in ["(5,7)-leaper", "(1,2)+(5,7)-leaper", "(0,18446744073709551615)-leaper"] {
            assert_eq!(text.parse::<Leaper>().unwrap().to_string(), text);
        }
        assert_eq!("2,1".parse(), Ok(Leaper::knight()));
        assert_eq!("knight+camel".parse::<Leaper>().unwrap().to_string(), "gnu");
        assert_eq!("99999999999999999999999,1".parse(), Leaper::new(1, usize::MAX));
    }

    #[test]
    fn parsing_a_text_that_is_no_leaper_is_an_error_that_quotes_it() {
        for text in ["", "pawn", "1", "1,", ",1", "1,2,3", "-1,2", "1;2", "(1,2", "1,2+", "+", "é"]
        {
            let error = text.parse::<Leaper>().unwrap_err();
            assert_eq!(error, LeaperError::Unknown { text: text.to_owned() });
            assert!(error.to_string().contains("knight"), "{error}");
        }
        assert_eq!("0,0".parse::<Leaper>(), Err(LeaperError::Nowhere));
        assert_eq!("knight+0,0".parse::<Leaper>(), Err(LeaperError::Nowhere));
    }

    #[test]
    fn moves_are_one_of_each_two_opposite_ones() {
        assert_eq!(Leaper::knight().moves(), [(1, -2), (1, 2), (2, -1), (2, 1)]);
        assert_eq!(Leaper::wazir().moves(), [(0, 1), (1, 0)]);
        assert_eq!(Leaper::king().moves(), [(0, 1), (1, -1), (1, 0), (1, 1)]);
        assert_eq!("fiveleaper".parse::<Leaper>().unwrap().moves().len(), 6);
    }
}
