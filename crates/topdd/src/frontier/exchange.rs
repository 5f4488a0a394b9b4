//! The part of a sweep over several processes that receives records of the others, and agrees with them
//! on levels. Records are sent where they are merged, by `Sweep::merge`.
//!
//! See [`remote`](super::remote).

use super::bound::UpperBound;
use super::chain::ForcedChain;
use super::merge::{LevelRecords, merge};
use super::monitor::Monitor;
use super::outbox::RecordLists;
use super::payload::{Ones, is_width};
use super::remote::{HEADER_BYTES, Owner, Peers, Received, RecordsHeader, WAIT, WINDOW};
use super::report::LevelReport;
use super::states::RouteHash;
use super::sweep::{Sweep, expected_states};
use super::widening::Widening;
use super::workers::for_all;
use crate::BuildError;
use crate::Portable;
use std::collections::BTreeMap;

/// The process that has the edges to some states, the header of their records, and the encoded records:
/// all states, then the words of each.
pub(super) type ReceivedRecords = (usize, RecordsHeader, Vec<u8>);

impl<'a> Sweep<'a> {
    /// Expands the level together with the other processes.
    pub(super) fn expand_with_peers(
        &mut self,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let mut batch = 0;
        while self.expansion.as_ref().is_some_and(|expansion| !expansion.is_expanded()) {
            self.expand_batch(monitor)?;
            self.peers().mesh.end_batch();
            batch += 1;
            while self.receive(monitor)?.is_some_and(|of_all| batch >= of_all + WINDOW) {}
        }
        self.peers().mesh.end_level();
        while self.receive(monitor)?.is_some() {}
        Ok(())
    }

    /// Waits for records, and merges them. Returns [`Received::batches`].
    fn receive(&mut self, monitor: &mut Monitor<'_, '_>) -> Result<Option<u64>, BuildError> {
        monitor.watch.check(None)?;
        let Received { messages, batches } = self.peers().mesh.receive(WAIT)?;
        if messages.is_empty() {
            return Ok(batches);
        }
        let expansion = self.expansion.as_ref().expect("a level is being expanded");
        let (variable, states, payload) = (expansion.variable, expansion.states, self.payload);
        let num_vars = self.arities.num_vars();
        let is_valid = |&RecordsHeader { to, count, width, .. }: &RecordsHeader| {
            to > variable && to < num_vars && count > 0 && is_width(payload, to, width)
        };
        let mut records: BTreeMap<usize, Vec<ReceivedRecords>> = BTreeMap::new();
        for (from, mut message) in messages {
            let start = message.len().saturating_sub(HEADER_BYTES);
            let header = RecordsHeader::read(&mut &message.split_off(start)[..]);
            let header = header.filter(is_valid).ok_or_else(|| self.peers().confused())?;
            records.entry(header.to).or_default().push((from, header, message));
        }
        let variable = Some(variable);
        for (to, received) in &records {
            let merged = self.merge_received((*to, received), (variable, states), monitor)?;
            let merged = merged.ok_or_else(|| self.peers().confused())?;
            self.expansion.iter_mut().for_each(|expansion| expansion.merged += merged);
        }
        self.enforce_limits(variable, monitor)?;
        Ok(batches)
    }

    /// Merges records from other processes into the level at `to`. `from` contains the variable of the
    /// level that they come from, and its number of states. Without a variable, they are from a file,
    /// and only those of this process are merged. Returns the number of records that met an equal
    /// state, or `None` if the bytes are no records.
    pub(super) fn merge_received(
        &mut self,
        (to, received): (usize, &[ReceivedRecords]),
        from: (Option<usize>, u64),
        monitor: &Monitor<'_, '_>,
    ) -> Result<Option<u64>, BuildError> {
        let ((variable, states), payload) = (from, self.payload);
        let count: usize = received.iter().map(|(_, header, _)| header.count).sum();
        let sharing = monitor.sharing(variable, 2 * count);
        let level = self.pending.take(to).unwrap_or_else(|| {
            let width = payload.width(to, payload.limbs(to, received[0].1.width));
            let expected = expected_states(to, states, &self.pending);
            Box::new(self.pool.level(expected, width))
        });
        let partitions = level.partitions.len();
        let (owner, expander) = (self.owner(), self.pool.expander);
        let lists = &mut self.received;
        lists.resize_with(lists.len().max(received.len()), || expander.new_lists());
        let stores = payload.stores_edges();
        let decode = |_, (of, lists): (&ReceivedRecords, &mut Box<dyn RecordLists>)| {
            let (_, header, bytes) = of;
            let mut order = Vec::new();
            let mut partition_of = |route: RouteHash| {
                // The file of another number of processes has the states of others, too.
                if variable.is_none() && route.process(owner.processes) != owner.process {
                    return None;
                }
                let partition = route.partition(partitions);
                if stores {
                    order.push(partition as u8);
                }
                Some(partition)
            };
            lists.reset(partitions);
            let size = (header.count, header.width);
            expander.decode(bytes, size, &mut partition_of, &mut **lists)?;
            Some(order)
        };
        let decoded = for_all(sharing.workers, received.iter().zip(&mut *lists), decode);
        let orders: Option<Vec<Vec<u8>>> = decoded.into_iter().collect();
        let Some(orders) = orders else { return Ok(None) };

        let mut records = LevelRecords::new(level);
        let bounds = received.iter().map(|(_, header, _)| header.bound);
        records.bound = bounds.fold(UpperBound::ZERO, UpperBound::plus);
        let lists = lists[..received.len()].iter_mut().flat_map(|lists| lists.lists());
        records.arrivals = lists.map(|lists| (0, lists)).collect();
        let mut places = vec![Vec::new(); partitions];
        records.places = stores.then_some(&mut places);
        let widening = Widening { storage: &self.storage, arities: self.arities, payload };
        let merged = merge(&widening, BTreeMap::from([(to, records)]), &mut self.pending, sharing)?;
        if stores {
            let mut places: Vec<_> = places.into_iter().map(Vec::into_iter).collect();
            self.pending.change(to, |level| {
                let index =
                    level.find_or_add_incoming(ForcedChain::BETWEEN_PROCESSES, owner.processes);
                for ((from, ..), order) in received.iter().zip(orders) {
                    // The order in which the records were sent.
                    let in_order = order.into_iter().map(|partition| {
                        let of_partition = &mut places[usize::from(partition)];
                        of_partition.next().expect("every record has a place")
                    });
                    level.incoming[index].places[*from].extend(in_order);
                }
            });
        }
        Ok(Some(merged))
    }

    /// The position of this process among all.
    pub(super) fn owner(&self) -> Owner {
        self.peers.as_ref().map_or(Owner::ALONE, Peers::owner)
    }

    fn peers(&mut self) -> &mut Peers<'a> {
        self.peers.as_mut().expect("the sweep has several processes")
    }

    /// Agrees with the other processes, if there are any, on the next level. Replaces the figures of the
    /// level by the totals. Returns whether to save a checkpoint; `None` if there are no other processes.
    pub(super) fn agree(
        &mut self,
        level: Option<&mut LevelReport>,
    ) -> Result<Option<bool>, BuildError> {
        let num_vars = self.arities.num_vars();
        let next = self.pending.keys().next().copied().unwrap_or(num_vars);
        let is_due = self.storage.is_due();
        let Some(peers) = &mut self.peers else { return Ok(None) };
        let report = level.as_deref().copied().unwrap_or_default();
        // `next` is the first pending variable, or the number of variables if there is none.
        let all = peers.gather(&(next, is_due, report))?;
        peers.next = all.iter().map(|of| of.0).min().unwrap_or(num_vars);
        if let Some(level) = level {
            let reports = || all.iter().map(|of| of.2);
            level.states = reports().map(|of| of.states).sum();
            level.edges = reports().map(|of| of.edges).sum();
            level.merged = reports().map(|of| of.merged).sum();
            level.bytes = reports().map(|of| of.bytes).sum();
            level.disk_bytes = reports().map(|of| of.disk_bytes).sum();
        }
        Ok(Some(all[0].1))
    }

    /// Combines the words of the 1-terminal of all processes.
    pub(super) fn gather_ones(&mut self) -> Result<(), BuildError> {
        let Some(peers) = &mut self.peers else { return Ok(()) };
        let own = self.ones.words.take();
        let all = peers.gather(&own)?;
        let num_vars = self.arities.num_vars();
        let mut ones = Ones { decided: num_vars, words: None };
        for words in all.into_iter().flatten() {
            if !is_width(self.payload, num_vars, words.len()) {
                return Err(peers.confused());
            }
            ones.add(self.payload, num_vars, &words);
        }
        self.ones = ones;
        Ok(())
    }
}
