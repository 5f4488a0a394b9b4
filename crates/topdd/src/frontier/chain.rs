//! The forced nodes on the way of an edge.

/// The variables of the forced nodes that an edge skips: none, one, or two.
///
/// Each of the nodes has one edge, for value 1. It leads to the next node of the chain, and from
/// the last node to the target of the skipping edge.
// The first variable plus one, shifted by eight bits, and in the last byte the distance from there
// to the second variable. 0 stands for "none" in both places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ForcedChain(u64);

crate::portable!(ForcedChain { 0 });

impl ForcedChain {
    pub(crate) const EMPTY: ForcedChain = ForcedChain(0);

    /// Marks edges that lead from one process to another. They skip no forced nodes. The lists of
    /// their targets are by process instead of by partition.
    pub(crate) const BETWEEN_PROCESSES: ForcedChain = ForcedChain(u64::MAX);

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self == ForcedChain::EMPTY
    }

    /// The chain followed by a node at `variable`, which is later than all of its own. `None` if it
    /// has two nodes already, or the first one is more than 255 variables away.
    #[inline]
    pub(crate) fn extended(self, variable: usize) -> Option<Self> {
        if self.is_empty() {
            return Some(ForcedChain((variable as u64 + 1) << 8));
        }
        let distance = u8::try_from(variable as u64 + 1 - (self.0 >> 8)).ok()?;
        (self.0 as u8 == 0).then_some(ForcedChain(self.0 | u64::from(distance)))
    }

    /// The last variable, and the chain before it. `None` for the empty chain.
    pub(crate) fn split_last(self) -> Option<(usize, Self)> {
        let first = (self.0 >> 8).checked_sub(1)? as usize;
        let distance = usize::from(self.0 as u8);
        let before = if distance == 0 { ForcedChain::EMPTY } else { ForcedChain(self.0 & !0xff) };
        Some((first + distance, before))
    }

    /// The chain with variables counted from this one, which is before all of its own.
    pub(super) fn relative_to(self, variable: usize) -> Self {
        if self.is_empty() { self } else { ForcedChain(self.0 - ((variable as u64) << 8)) }
    }

    /// The opposite of [`relative_to`](ForcedChain::relative_to).
    pub(super) fn from(self, variable: usize) -> Self {
        if self.is_empty() { self } else { ForcedChain(self.0 + ((variable as u64) << 8)) }
    }

    /// A slot below `count`, a power of two, for the way to level `to` over this chain. Ways to
    /// levels close to `variable` mostly have different slots. Neither `to` nor a node of the chain
    /// may be before `variable`.
    #[inline]
    pub(super) fn slot(self, variable: usize, to: usize, count: usize) -> usize {
        let first = (self.0 >> 8) as usize;
        let first = if first == 0 { 0 } else { first - variable };
        // Found by exhaustive search: with these factors, all ways of up to six variables have
        // different slots out of 128.
        (to - variable + 15 * first + 21 * usize::from(self.0 as u8)) & (count - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_last_undoes_extended() {
        for first in [0, 1, 7, 1 << 40] {
            let one = ForcedChain::EMPTY.extended(first).unwrap();
            assert!(!one.is_empty());
            assert_eq!(one.split_last(), Some((first, ForcedChain::EMPTY)));
            for second in [first + 1, first + 2, first + 255] {
                let two = one.extended(second).unwrap();
                assert_eq!(two.split_last(), Some((second, one)));
                assert_eq!(two.extended(second + 1), None);
            }
            assert_eq!(one.extended(first + 256), None);
        }
        assert_eq!(ForcedChain::EMPTY.split_last(), None);
    }

    #[test]
    fn short_ways_have_different_slots() {
        for variable in [0, 5, 1000] {
            let mut ways = 0;
            let mut slots = std::collections::HashSet::new();
            for to in variable..=variable + 6 {
                let mut chains = vec![ForcedChain::EMPTY];
                for first in variable..to {
                    let one = ForcedChain::EMPTY.extended(first).unwrap();
                    chains.push(one);
                    chains.extend((first + 1..to).map(|second| one.extended(second).unwrap()));
                }
                ways += chains.len();
                slots.extend(chains.iter().map(|chain| chain.slot(variable, to, 128)));
            }
            assert_eq!(slots.len(), ways);
        }
    }
}
