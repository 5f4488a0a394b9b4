//! The edges that lead to states of other processes.

use crate::error::SizeLimit;
use crate::frontier::chain::ForcedChain;
use crate::frontier::edges::EdgeStore;
use crate::frontier::rank::Rank;
use crate::{BuildError, Portable};
use std::collections::BTreeMap;

const SENT_LIMIT: SizeLimit = SizeLimit {
    what: "a level",
    unit: "edges from one process to another",
    limit: u32::MAX as u64,
};

/// For each later variable, the number of edges that were sent to each process.
#[derive(Debug, Default)]
pub(in super::super) struct SentEdges(BTreeMap<usize, Vec<u32>>);

impl Portable for SentEdges {
    fn write(&self, out: &mut Vec<u8>) {
        let sent: Vec<_> = self.0.iter().map(|(to, sent)| (*to, sent.clone())).collect();
        sent.write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let sent = Vec::<(usize, Vec<u32>)>::read(bytes)?;
        Some(SentEdges(sent.into_iter().collect()))
    }
}

impl SentEdges {
    /// Forgets the edges to variables up to this one.
    pub(super) fn forget_up_to(&mut self, variable: usize) {
        self.0 = self.0.split_off(&(variable + 1));
    }

    /// Adds all edges of another list.
    pub(super) fn append(&mut self, other: &mut SentEdges) {
        self.0.append(&mut other.0);
    }

    /// Counts edges from the last level to states of a process at `to`. Returns the index
    /// in [`UnreducedLevel::long`](crate::frontier::unreduced::UnreducedLevel::long) of such edges.
    pub(super) fn note(
        &mut self,
        to: usize,
        Rank { rank, size }: Rank,
        count: usize,
        edges: &mut EdgeStore,
    ) -> Result<u32, BuildError> {
        let sent = self.0.entry(to).or_insert_with(|| vec![0; size]);
        let starts = || sent.clone().into_boxed_slice();
        let entry = edges.entry(to, ForcedChain::BETWEEN_PROCESSES, starts)?;
        let total = u64::from(sent[rank]) + count as u64;
        SENT_LIMIT.check(total)?;
        sent[rank] = total as u32;
        Ok(entry)
    }
}
