//! The shapes of nodes: the values that have an edge.

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
