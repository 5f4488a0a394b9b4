//! The operations in progress, on stacks that a collection of nodes can see.

use super::Edge;
use super::cache::{FIRST_TAG, Key};

/// A pair of operands whose result is being computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairFrame {
    pub(crate) a: Edge,
    pub(crate) b: Edge,
    /// The operands on the high side.
    pub(crate) high: (Edge, Edge),
    /// The result on the low side, or [`PENDING`].
    pub(crate) low: Edge,
    /// The level, and in the top bit the flag to be combined with the result.
    pub(crate) level: u32,
}

/// A result that is not yet computed; no edge is so large.
pub(crate) const PENDING: Edge = Edge(u32::MAX);

impl PairFrame {
    pub(crate) fn for_each(&self, mut visit: impl FnMut(Edge)) {
        [self.a, self.b, self.high.0, self.high.1].into_iter().for_each(&mut visit);
        if self.low != PENDING {
            visit(self.low);
        }
    }
}

/// The operands of a call; the third is the tag of the operation unless it has three.
pub(crate) type Call = Key;

/// The calls that a call is split into, and the level of the node that is split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    pub(crate) level: u32,
    pub(crate) len: u8,
    pub(crate) calls: [Call; 4],
}

impl Split {
    pub(crate) fn new<const N: usize>(level: u32, calls: [Call; N]) -> Self {
        let mut all = [[Edge::ZERO; 3]; 4];
        all[..N].copy_from_slice(&calls);
        Split { level, len: N as u8, calls: all }
    }
}

/// A call whose result is being computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallFrame {
    pub(crate) call: Call,
    pub(crate) split: Split,
    pub(crate) results: [Edge; 4],
    /// The number of results.
    pub(crate) done: u8,
    /// The flag to be combined with the result by exclusive or.
    pub(crate) flag: u32,
}

impl CallFrame {
    pub(crate) fn for_each(&self, mut visit: impl FnMut(Edge)) {
        let calls = self.split.calls[..usize::from(self.split.len)].iter();
        let words = calls.flatten().chain(&self.call).chain(&self.results);
        words.copied().filter(|edge| edge.0 < FIRST_TAG).for_each(&mut visit);
    }
}
