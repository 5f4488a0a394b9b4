//! What an edge holds: its target, in 32 bits.

use bytemuck::{Pod, Zeroable};

/// The target of an edge, relative to the level of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    One,
    /// The state with this number at the next variable (an adjacent edge). Until the states there have
    /// numbers, the place of the state.
    Adjacent(u32),
    /// A state in a partition of a level beyond the next (a long edge). The arrivals there are in the order
    /// of the edges, which identifies the state.
    Long(LongTarget),
}

/// The target of a long edge, without the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LongTarget {
    /// The index of the way in [`UnreducedLevel::long`](super::UnreducedLevel::long).
    pub(crate) entry: u32,
    pub(crate) partition: u8,
}

/// An encoded [`Target`], or a node id in place of it. An arrival at a level is encoded as an adjacent edge
/// would be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct EdgeCode(u32);

/// The first byte of a packed code of three bytes.
const PACKED_LONG: u32 = u8::MAX as u32;

impl Target {
    /// The limit of the number of states of a level, exclusive.
    pub(crate) const MAX_STATES: u64 = (1 << 31) - 1;
    /// The limit of the partitions of a level, and of the processes that build a diagram.
    pub(crate) const MAX_PARTITIONS: usize = 1 << 7;
    /// The limit of the number of entries of [`UnreducedLevel::long`](super::UnreducedLevel::long).
    pub(crate) const MAX_LONG: u64 = 1 << 24;

    #[inline]
    pub(crate) fn code(self) -> EdgeCode {
        EdgeCode(match self {
            Target::One => 0,
            Target::Adjacent(number) => number + 1,
            Target::Long(LongTarget { entry, partition }) => {
                EdgeCode::LONG | entry << 7 | u32::from(partition)
            }
        })
    }
}

impl EdgeCode {
    const LONG: u32 = 1 << 31;
    /// The limit of a node id in a code, exclusive.
    pub(crate) const RESOLVED_LIMIT: u32 = Self::LONG;

    #[inline]
    pub(crate) fn is_long(self) -> bool {
        self.0 & Self::LONG != 0
    }

    /// The target of a long edge.
    #[inline]
    pub(crate) fn long(self) -> LongTarget {
        let code = self.0 & !Self::LONG;
        LongTarget { entry: code >> 7, partition: (code & 0x7f) as u8 }
    }

    /// The number of the target, or its place, if the edge is an adjacent one.
    #[inline]
    pub(in crate::frontier) fn adjacent(self) -> Option<u32> {
        let number = self.0.wrapping_sub(1);
        (u64::from(number) < Target::MAX_STATES).then_some(number)
    }

    /// For edges that are not long, 0 if the target is the 1-terminal, and the number of the state plus one
    /// otherwise.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// Encodes a node id in place of a target. In a level, either all codes are such ids or none is:
    /// the same bits mean a long edge otherwise. `id` must be below
    /// [`RESOLVED_LIMIT`](Self::RESOLVED_LIMIT).
    #[inline]
    pub(crate) fn resolved(id: u32) -> Self {
        EdgeCode(Self::LONG | id)
    }

    /// The node id that [`resolved`](Self::resolved) encoded.
    pub(crate) fn resolved_id(self) -> u32 {
        self.0 & !Self::LONG
    }

    /// The code of the target if its level has so many more states, or its own so many more entries,
    /// before it.
    pub(in crate::frontier) fn moved(self, states: u32, entries: u32) -> Self {
        match self.0 {
            0 => self,
            code if self.is_long() => EdgeCode(code + (entries << 7)),
            code => EdgeCode(code + states),
        }
    }

    /// Appends the packed code of an edge to the 1-terminal, or of a long edge to a level of one partition: a byte, and
    /// two more behind the last value of a byte. Entries have numbers in the order of their first edges, so that those of
    /// most edges are small.
    #[inline]
    pub(in crate::frontier) fn pack(entry: Option<u16>, out: &mut Vec<u8>) {
        let code = entry.map_or(0, |entry| u32::from(entry) + 1);
        out.push(code.min(PACKED_LONG) as u8);
        if code >= PACKED_LONG {
            out.extend(entry.unwrap_or_default().to_le_bytes());
        }
    }

    /// Appends `count` codes that were packed.
    pub(super) fn unpack(bytes: &[u8], count: usize, out: &mut Vec<EdgeCode>) {
        let mut bytes = bytes.iter().map(|&byte| u32::from(byte));
        let mut next = || bytes.next().expect("a byte for each code");
        let long = |entry| Target::Long(LongTarget { entry, partition: 0 });
        let codes = (0..count).map(|_| match next() {
            0 => Target::One.code(),
            PACKED_LONG => long(next() | next() << 8).code(),
            code => long(code - 1).code(),
        });
        out.extend(codes);
    }

    /// The code with its bytes in the order of files.
    pub(super) fn to_le(self) -> Self {
        EdgeCode(self.0.to_le())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_read_back() {
        let last = Target::MAX_STATES as u32 - 2;
        for (target, number) in [
            (Target::One, None),
            (Target::Adjacent(0), Some(0)),
            (Target::Adjacent(last), Some(last)),
        ] {
            assert!(!target.code().is_long());
            assert_eq!(target.code().adjacent(), number);
        }
        for (entry, partition) in [(0, 0), (Target::MAX_LONG as u32 - 1, 127)] {
            let target = LongTarget { entry, partition };
            let code = Target::Long(target).code();
            assert!(code.is_long() && code.adjacent().is_none());
            assert_eq!(code.long(), target);
        }
        let entries = [Some(0), None, Some(253), Some(254), None, Some(u16::MAX), Some(1)];
        let (mut bytes, mut codes) = (Vec::new(), Vec::new());
        for entry in entries {
            EdgeCode::pack(entry, &mut bytes);
        }
        EdgeCode::unpack(&bytes, entries.len(), &mut codes);
        let long = |entry: u16| Target::Long(LongTarget { entry: entry.into(), partition: 0 });
        assert!(codes.into_iter().eq(entries.map(|entry| entry.map_or(Target::One, long).code())));
    }
}
