//! The forced nodes on the way of an edge.

/// The variables of the forced nodes that an edge goes past: of none, of one, or of two.
///
/// Each of these nodes has one edge, for value 1, which leads to the next, and that of the last to
/// where the edge goes.
// The first variable, plus one, and the distance from there to the second, in the last byte; 0
// where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Via(u64);

impl Via {
    pub(crate) const NONE: Via = Via(0);

    #[inline]
    pub(crate) fn is_none(self) -> bool {
        self == Via::NONE
    }

    /// The same, and past a node at a later variable; `None` if that is one too many, or too far
    /// from the first.
    #[inline]
    pub(crate) fn past(self, variable: usize) -> Option<Self> {
        if self.is_none() {
            return Some(Via((variable as u64 + 1) << 8));
        }
        let distance = u8::try_from(variable as u64 + 1 - (self.0 >> 8)).ok()?;
        (self.0 as u8 == 0).then_some(Via(self.0 | u64::from(distance)))
    }

    /// The last variable, and what comes before it.
    pub(crate) fn last(self) -> Option<(usize, Self)> {
        let first = (self.0 >> 8).checked_sub(1)? as usize;
        let distance = usize::from(self.0 as u8);
        Some(if distance == 0 {
            (first, Via::NONE)
        } else {
            (first + distance, Via(self.0 & !u64::from(u8::MAX)))
        })
    }

    /// Numbers below `count`, a power of two, that tell ways to levels close to `variable`, which
    /// neither `to` nor any of the nodes is before, mostly from each other.
    #[inline]
    pub(super) fn number_of_way(self, variable: usize, to: usize, count: usize) -> usize {
        let first = (self.0 >> 8) as usize;
        let first = if first == 0 { 0 } else { first - variable };
        // Found by trying all: with these no two ways of up to six variables have the same number
        // of 128.
        (to - variable + 15 * first + 21 * usize::from(self.0 as u8)) & (count - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_past_is_told() {
        for first in [0, 1, 7, 1 << 40] {
            let one = Via::NONE.past(first).unwrap();
            assert!(!one.is_none());
            assert_eq!(one.last(), Some((first, Via::NONE)));
            for second in [first + 1, first + 2, first + 255] {
                let two = one.past(second).unwrap();
                assert_eq!(two.last(), Some((second, one)));
                assert_eq!(two.past(second + 1), None);
            }
            assert_eq!(one.past(first + 256), None);
        }
        assert_eq!(Via::NONE.last(), None);
    }

    #[test]
    fn short_ways_have_numbers_of_their_own() {
        for variable in [0, 5, 1000] {
            let mut ways = 0;
            let mut numbers = std::collections::HashSet::new();
            for to in variable..=variable + 6 {
                let mut vias = vec![Via::NONE];
                for first in variable..to {
                    let one = Via::NONE.past(first).unwrap();
                    vias.push(one);
                    vias.extend((first + 1..to).map(|second| one.past(second).unwrap()));
                }
                ways += vias.len();
                numbers.extend(vias.iter().map(|via| via.number_of_way(variable, to, 128)));
            }
            assert_eq!(numbers.len(), ways);
        }
    }
}
