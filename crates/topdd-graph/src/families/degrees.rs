//! Sets of allowed degrees, and the codes of degrees in states.

use std::ops::{Bound, RangeBounds};

/// The allowed degrees of a vertex.
///
/// ```
/// use topdd_graph::families::Degrees;
///
/// assert!(Degrees::from(2).contains(2));
/// assert!(Degrees::from(..=1).contains(0));
/// assert!(Degrees::from(1..).contains(1_000_000));
/// let even = Degrees::of([0, 2, 4]);
/// assert!(!even.contains(3) && !even.contains(6));
/// assert_eq!(Degrees::any(), Degrees::within(&(0..)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Degrees {
    /// The allowed degrees below `from`.
    allowed: Vec<bool>,
    /// Whether all degrees from `allowed.len()` up are allowed.
    unbounded: bool,
}

impl Degrees {
    /// Allows any degree.
    /// See the example of [`Degrees`].
    pub fn any() -> Self {
        Self { allowed: Vec::new(), unbounded: true }
    }

    /// Allows the given degrees.
    /// See the example of [`Degrees`].
    pub fn of(degrees: impl IntoIterator<Item = usize>) -> Self {
        let mut allowed = Vec::new();
        for degree in degrees {
            if degree >= allowed.len() {
                allowed.resize(degree + 1, false);
            }
            allowed[degree] = true;
        }
        Self { allowed, unbounded: false }.normal()
    }

    /// Allows the degrees in a range.
    /// See the example of [`Degrees`].
    pub fn within(range: &impl RangeBounds<usize>) -> Self {
        let start = match range.start_bound() {
            Bound::Included(&start) => start,
            Bound::Excluded(&start) => start + 1,
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&end) => Some(end + 1),
            Bound::Excluded(&end) => Some(end),
            Bound::Unbounded => None,
        };
        let allowed = (0..end.unwrap_or(start)).map(|degree| degree >= start).collect();
        Self { allowed, unbounded: end.is_none() }.normal()
    }

    /// Returns whether a degree is allowed.
    /// See the example of [`Degrees`].
    pub fn contains(&self, degree: usize) -> bool {
        self.allowed.get(degree).copied().unwrap_or(self.unbounded)
    }

    /// The largest allowed degree that is not above `most`.
    pub(super) fn largest_up_to(&self, most: usize) -> Option<usize> {
        if self.unbounded && most >= self.allowed.len() {
            return Some(most);
        }
        let end = self.allowed.len().min(most + 1);
        self.allowed[..end].iter().rposition(|&allowed| allowed)
    }

    /// The degrees that both allow.
    pub(super) fn and(&self, other: &Self) -> Self {
        let length = self.allowed.len().max(other.allowed.len());
        let allowed = (0..length).map(|d| self.contains(d) && other.contains(d)).collect();
        Self { allowed, unbounded: self.unbounded && other.unbounded }.normal()
    }

    /// Removes the highest degrees that the rest implies.
    fn normal(mut self) -> Self {
        while self.allowed.last() == Some(&self.unbounded) {
            self.allowed.pop();
        }
        self
    }
}

impl From<usize> for Degrees {
    fn from(degree: usize) -> Self {
        Self::within(&(degree..=degree))
    }
}

macro_rules! from_range {
    ($($range:ty),*) => {$(
        impl From<$range> for Degrees {
            fn from(range: $range) -> Self {
                Self::within(&range)
            }
        }
    )*};
}

from_range!(
    std::ops::Range<usize>,
    std::ops::RangeInclusive<usize>,
    std::ops::RangeFrom<usize>,
    std::ops::RangeTo<usize>,
    std::ops::RangeToInclusive<usize>
);

/// The code of a degree that no future edge can make illegal. Other codes are the degree plus one.
pub(super) const FREE: u64 = 0;

/// The codes of the degrees of the vertices with the same [`Degrees`].
#[derive(Clone, Debug)]
pub(super) struct DegreeCodes {
    /// For each degree, the number of edges to the next allowed one.
    to_allowed: Vec<u32>,
    /// For each degree, the number of further degrees up to which all are allowed; 0 if it is not
    /// allowed itself.
    slack: Vec<u32>,
}

impl DegreeCodes {
    pub(super) fn new(degrees: &Degrees) -> Self {
        let mut codes = Self { to_allowed: Vec::new(), slack: Vec::new() };
        // Unbounded degrees are free from `allowed.len()` up, and need one entry there.
        let length = degrees.allowed.len() + usize::from(degrees.unbounded);
        codes.to_allowed.resize(length, 0);
        codes.slack.resize(length, 0);
        for degree in (0..length).rev() {
            let is_last = degree + 1 == length;
            if degree == degrees.allowed.len() {
                codes.slack[degree] = u32::MAX;
            } else if degrees.allowed[degree] {
                if !is_last && codes.to_allowed[degree + 1] == 0 {
                    codes.slack[degree] = codes.slack[degree + 1].saturating_add(1);
                }
            } else {
                codes.to_allowed[degree] = codes.to_allowed[degree + 1] + 1;
            }
        }
        codes
    }

    /// The largest code.
    pub(super) fn largest(&self) -> u64 {
        self.to_allowed.len() as u64
    }

    /// The code of a degree with `remaining` ends of undecided edges; `None` if no allowed degree
    /// can be reached.
    #[inline]
    pub(super) fn code(&self, degree: u64, remaining: u32) -> Option<u64> {
        let to_allowed = *self.to_allowed.get(degree as usize)?;
        if to_allowed > remaining {
            return None;
        }
        let is_free = to_allowed == 0 && self.slack[degree as usize] >= remaining;
        Some(if is_free { FREE } else { degree + 1 })
    }

    /// The code after `ends` more ends of edges.
    #[inline]
    pub(super) fn after(&self, code: u64, ends: u64, remaining: u32) -> Option<u64> {
        if code == FREE { Some(FREE) } else { self.code(code - 1 + ends, remaining) }
    }

    /// Whether a vertex with this code can get no further edge.
    #[inline]
    pub(super) fn is_full(&self, code: u64) -> bool {
        code == self.largest()
    }

    /// Whether the degree of a code is allowed.
    #[inline]
    pub(super) fn is_allowed(&self, code: u64) -> bool {
        code == FREE || self.to_allowed[code as usize - 1] == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_degree_is_the_last_one_that_is_contained() {
        for degrees in
            [Degrees::any(), Degrees::of([]), Degrees::of([1, 3]), (2..).into(), (..=4).into()]
        {
            for most in 0..6 {
                let expected = (0..=most).rev().find(|&degree| degrees.contains(degree));
                assert_eq!(degrees.largest_up_to(most), expected, "{degrees:?} up to {most}");
            }
        }
    }
}
