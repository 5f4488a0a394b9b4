//! The records that a process receives, from other processes or from a file of another number of them.

use crate::frontier::chain::ForcedChain;
use crate::frontier::child_records::RecordLists;
use crate::frontier::input::Input;
use crate::frontier::merge::{LevelRecords, merge};
use crate::frontier::monitor::{Monitor, Sharing};
use crate::frontier::pool::expected_states;
use crate::frontier::rank::Rank;
use crate::frontier::route::RouteHash;
use crate::frontier::state_type::EncodedRecords;
use crate::frontier::workers::for_all;
use crate::frontier::working_set::WorkingSet;
use crate::number::UpperBound;
use crate::{BuildError, Portable};
use std::collections::BTreeMap;

/// The description of a list of encoded records, behind them in a message.
pub(super) struct Header {
    pub(super) to: usize,
    pub(super) count: usize,
    /// The number of words of a record.
    pub(super) width: usize,
    /// A bound of the sum of their numbers.
    pub(super) bound: UpperBound,
}

crate::portable!(Header { to, count, width, bound });

impl Header {
    /// Size in bytes of an encoded header: three numbers and a bound.
    pub(super) const BYTES: usize = 4 * size_of::<u64>();

    /// Splits the header off the end of a message.
    pub(super) fn split_off(message: &mut Vec<u8>) -> Option<Self> {
        let start = message.len().checked_sub(Self::BYTES)?;
        Header::read(&mut &message.split_off(start)[..])
    }
}

/// Records of one process.
pub(super) struct Arrival {
    /// The rank of the process that has the edges to their states.
    pub(super) from: usize,
    pub(super) header: Header,
    /// The encoded states, then the words of each.
    pub(super) bytes: Vec<u8>,
}

/// The source of arrivals.
#[derive(Clone, Copy)]
pub(super) struct Source {
    /// The variable of the level that is being expanded. `None` for a file of another number of processes,
    /// which also has the states of others: only the states of this process are merged.
    pub(super) variable: Option<usize>,
    /// The number of states of that level.
    pub(super) states: u64,
}

/// The merge of arrivals, with memory that is used again.
pub(super) struct Arrivals {
    pub(super) rank: Rank,
    lists: Vec<Box<dyn RecordLists>>,
}

impl Arrivals {
    pub(super) fn new(rank: Rank) -> Self {
        Arrivals { rank, lists: Vec::new() }
    }

    /// Size in bytes of the memory for decoded records.
    pub(super) fn bytes(&self) -> usize {
        self.lists.iter().map(|lists| lists.bytes()).sum()
    }

    /// Merges arrivals into the level at `to`. Returns `None` if the bytes are no records.
    pub(super) fn merge(
        &mut self,
        to: usize,
        arrivals: &[Arrival],
        source: Source,
        set: &mut WorkingSet<'_>,
        monitor: &Monitor<'_, '_>,
    ) -> Result<Option<()>, BuildError> {
        let payload = set.input.payload;
        let count: usize = arrivals.iter().map(|arrival| arrival.header.count).sum();
        let sharing = monitor.sharing(source.variable, 2 * count);
        let level = set.data.pending.take(to).unwrap_or_else(|| {
            let width = payload.width(to, payload.limbs(to, arrivals[0].header.width));
            let expected = expected_states(to, source.states, &set.data.pending);
            Box::new(set.pool.level(expected, width))
        });
        let partitions = level.partitions.len();
        let Some(orders) = self.decode(arrivals, partitions, source, set.input, sharing) else {
            return Ok(None);
        };
        let mut records = LevelRecords::new(level);
        let bounds = arrivals.iter().map(|arrival| arrival.header.bound);
        records.bound = bounds.fold(UpperBound::ZERO, UpperBound::plus);
        let lists = self.lists[..arrivals.len()].iter_mut().flat_map(|lists| lists.lists());
        records.arrivals = lists.map(|lists| (0, lists)).collect();
        let mut places = vec![Vec::new(); partitions];
        records.places = payload.stores_edges().then_some(&mut places);
        let levels = BTreeMap::from([(to, records)]);
        merge(levels, &mut set.data.pending, set.input, &set.storage, sharing)?;
        if payload.stores_edges() {
            let mut places: Vec<_> = places.into_iter().map(Vec::into_iter).collect();
            set.data.pending.change(to, |level| {
                let between = ForcedChain::BETWEEN_PROCESSES;
                let index = level.find_or_add_incoming(between, self.rank.size);
                for (arrival, order) in arrivals.iter().zip(orders) {
                    // The order in which the records were sent.
                    let in_order = order.into_iter().map(|partition| {
                        let in_partition = &mut places[usize::from(partition)];
                        in_partition.next().expect("every record has a place")
                    });
                    level.incoming[index].places[arrival.from].extend(in_order);
                }
            });
        }
        Ok(Some(()))
    }

    /// Decodes arrivals, each into lists of its own, for a level of so many partitions. Returns the
    /// partitions of the records of each arrival, in order, if edges are stored, and an empty list
    /// otherwise. Returns `None` if the bytes are no records.
    fn decode(
        &mut self,
        arrivals: &[Arrival],
        partitions: usize,
        source: Source,
        input: Input<'_>,
        sharing: Sharing<'_>,
    ) -> Option<Vec<Vec<u8>>> {
        let (expander, stores) = (input.expander, input.payload.stores_edges());
        let rank = self.rank;
        let lists = &mut self.lists;
        lists.resize_with(lists.len().max(arrivals.len()), || expander.new_lists());
        let decode = |_, (arrival, lists): (&Arrival, &mut Box<dyn RecordLists>)| {
            let mut order = Vec::new();
            let mut partition_of = |route: RouteHash| {
                if source.variable.is_none() && route.rank(rank.size) != rank.rank {
                    return None;
                }
                let partition = route.partition(partitions);
                if stores {
                    order.push(partition as u8);
                }
                Some(partition)
            };
            lists.reset(partitions);
            let Header { count, width, .. } = arrival.header;
            let records = EncodedRecords { bytes: &arrival.bytes, count, width };
            expander.decode(records, &mut partition_of, &mut **lists)?;
            Some(order)
        };
        let decoded = for_all(sharing.workers, arrivals.iter().zip(lists), decode);
        decoded.into_iter().collect()
    }
}
