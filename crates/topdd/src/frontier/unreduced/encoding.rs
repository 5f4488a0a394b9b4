//! The encoding of edges and nodes: the code of the target of an edge, and the shapes of nodes.

use bytemuck::{Pod, Zeroable};

/// The target of an edge, relative to the level of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeTarget {
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

/// An encoded [`EdgeTarget`], or a node id in place of it. An arrival at a level is encoded as an adjacent edge
/// would be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct EdgeCode(u32);

impl EdgeTarget {
    /// The limit of the number of states of a level, exclusive.
    pub(crate) const MAX_STATES: u64 = (1 << 31) - 1;
    /// The limit of the partitions of a level, and of the processes that build a diagram.
    pub(crate) const MAX_PARTITIONS: usize = 1 << 7;
    /// The limit of the number of entries of [`UnreducedLevel::long`](super::UnreducedLevel::long).
    pub(crate) const MAX_LONG: u64 = 1 << 24;

    #[inline]
    pub(crate) fn code(self) -> EdgeCode {
        EdgeCode(match self {
            EdgeTarget::One => 0,
            EdgeTarget::Adjacent(number) => number + 1,
            EdgeTarget::Long(LongTarget { entry, partition }) => {
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
        (u64::from(number) < EdgeTarget::MAX_STATES).then_some(number)
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

    /// The code with its bytes in the order of files.
    pub(super) fn to_le(self) -> Self {
        EdgeCode(self.0.to_le())
    }
}

/// Up to this arity, the shape of a node is one byte with a bit for each value. Beyond it, the
/// shape is the number of edges and the distances between their values, as variable-length integers
/// with seven bits in a byte.
const MASK_ARITY: usize = 8;

/// An encoder of the shapes of nodes.
pub(crate) struct ShapeWriter {
    masks: bool,
    /// The values of the node being written.
    values: Vec<u32>,
    mask: u8,
}

impl ShapeWriter {
    pub(crate) fn new(arity: usize) -> Self {
        ShapeWriter { masks: arity <= MASK_ARITY, values: Vec::new(), mask: 0 }
    }

    /// Adds an edge for `value` to the current node. Values must ascend.
    #[inline]
    pub(crate) fn edge(&mut self, value: u32) {
        if self.masks {
            self.mask |= 1 << value;
        } else {
            self.values.push(value);
        }
    }

    /// Writes the shape of the current node, and begins the next one.
    #[inline]
    pub(crate) fn end_node(&mut self, out: &mut Vec<u8>) {
        if self.masks {
            out.push(self.mask);
            self.mask = 0;
        } else {
            self.end_values(out);
        }
    }

    // A separate function keeps `end_node` short enough to be inlined into the loop over the nodes.
    #[inline(never)]
    fn end_values(&mut self, out: &mut Vec<u8>) {
        write_varint(out, self.values.len() as u32);
        let mut next = 0;
        for &value in &self.values {
            write_varint(out, value - next);
            next = value + 1;
        }
        self.values.clear();
    }
}

/// A decoder of the shapes of nodes.
pub(crate) struct ShapeReader<'a> {
    masks: bool,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> ShapeReader<'a> {
    pub(crate) fn new(arity: usize, bytes: &'a [u8]) -> Self {
        ShapeReader { masks: arity <= MASK_ARITY, bytes: bytes.iter() }
    }

    /// Returns the next byte: up to [`MASK_ARITY`], the values of the edges of the next node.
    #[inline]
    pub(crate) fn next_byte(&mut self) -> u8 {
        *self.bytes.next().expect("a shape for every node")
    }

    /// Passes the values of the edges of the next node to `edge`, in order.
    #[inline]
    pub(crate) fn next_node(&mut self, mut edge: impl FnMut(u32)) {
        if self.masks {
            let mut mask = self.next_byte();
            while mask != 0 {
                edge(mask.trailing_zeros());
                mask &= mask - 1;
            }
        } else {
            let mut next = 0;
            for _ in 0..self.read_varint() {
                let value = next + self.read_varint();
                edge(value);
                next = value + 1;
            }
        }
    }

    #[inline]
    fn read_varint(&mut self) -> u32 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.next_byte();
            value |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return value;
            }
            shift += 7;
        }
    }
}

#[inline]
fn write_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn targets_read_back() {
        let last = EdgeTarget::MAX_STATES as u32 - 2;
        for (target, number) in [
            (EdgeTarget::One, None),
            (EdgeTarget::Adjacent(0), Some(0)),
            (EdgeTarget::Adjacent(last), Some(last)),
        ] {
            assert!(!target.code().is_long());
            assert_eq!(target.code().adjacent(), number);
        }
        for (entry, partition) in [(0, 0), (EdgeTarget::MAX_LONG as u32 - 1, 127)] {
            let target = LongTarget { entry, partition };
            let code = EdgeTarget::Long(target).code();
            assert!(code.is_long() && code.adjacent().is_none());
            assert_eq!(code.long(), target);
        }
    }

    proptest! {
        #[test]
        fn shapes_read_back(
            nodes in prop::collection::vec(prop::collection::btree_set(0u32..9, 0..9), 0..50),
            wide in prop::collection::vec(prop::collection::btree_set(0u32..4_000_000_000, 0..9), 0..50),
        ) {
            for (arity, nodes) in [(9, nodes.clone()), (usize::MAX, wide), (8, nodes)] {
                let mut writer = ShapeWriter::new(arity);
                let mut bytes = Vec::new();
                let nodes: Vec<BTreeSet<u32>> = nodes
                    .into_iter()
                    .map(|n| n.into_iter().filter(|&v| (v as usize) < arity).collect())
                    .collect();
                for node in &nodes {
                    for &value in node {
                        writer.edge(value);
                    }
                    writer.end_node(&mut bytes);
                }
                let mut reader = ShapeReader::new(arity, &bytes);
                for node in &nodes {
                    let mut read = BTreeSet::new();
                    reader.next_node(|value| { read.insert(value); });
                    prop_assert_eq!(node, &read);
                }
                prop_assert!(reader.bytes.next().is_none());
            }
        }
    }
}
