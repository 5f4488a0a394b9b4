//! Reduction by several processes.
//!
//! Each process has the states that their hashes assign to it. The processes reduce the same level at
//! the same time:
//!
//! 1. Each reads and sorts the nodes of its states, as one process alone does.
//! 2. They agree on a range of heads (first children) for each process, by a sample.
//! 3. Each distinct node is sent to the process of its head, which merges equal nodes. These are
//!    then in the canonical order: the ids of a range follow the ids of the range before.
//! 4. The senders receive the ids of their nodes, and the first process receives the nodes.
//! 5. The ids of states with edges from other processes are sent to these.
//!
//! So the first process receives the levels of the diagram in their order, and its nodes have the ids
//! that one process would give them. A process has in memory, apart from the unreduced edges of its
//! states, the nodes of its states of a level, the nodes of its range, and the messages with both: a level
//! is not reduced in parts. This takes four exchanges for each level.

use super::children::{Arrivals, StateMap};
use super::level::{Bucket, LevelReducer, cut, size_of_all, sort, visit_distinct};
use super::nodes::{NodeBuffer, ReducibleNode};
use super::{LevelTask, NODE_LIMIT};
use crate::diagram::store::{Builder, Capacity, FIRST_NODE, NodeId};
use crate::frontier::unreduced::UnreducedLevel;
use crate::frontier::{Peers, Rank};
use crate::{BuildError, Portable};

/// Heads that a process contributes to the sample, for each process.
const SAMPLES: usize = 1 << 6;

/// The part of a reduction that several processes share.
pub(super) struct SharedReduction<'p> {
    pub(super) peers: Peers<'p>,
    /// The id of the next node of the diagram.
    pub(super) next_id: NodeId,
    /// The number of states of the last level, over all processes.
    pub(super) states: u64,
    /// The most bytes of the nodes of its range and of messages since
    /// [`take_peak`](SharedReduction::take_peak).
    peak: usize,
}

impl<'p> SharedReduction<'p> {
    pub(super) fn new(peers: Peers<'p>) -> Self {
        SharedReduction { peers, next_id: FIRST_NODE, states: 0, peak: 0 }
    }

    /// The most bytes of the nodes of its range and of messages since the last call.
    pub(super) fn take_peak(&mut self) -> usize {
        std::mem::take(&mut self.peak).max(self.peers.take_peak())
    }

    /// Reduces a level whose nodes are read by `own`. Writes the id of each state's node into `map`.
    /// Adds the nodes of all ranges to the store of the first process.
    pub(super) fn reduce<N: ReducibleNode>(
        &mut self,
        own: &mut LevelReducer<N>,
        task: &LevelTask<'_>,
        map: &StateMap,
        store: &mut Builder,
    ) -> Result<(), BuildError> {
        let Rank { rank: process, size: processes } = self.peers.rank();
        own.read(task, task.spans()?, Some(map), |_, _| true)?;
        let bounds = self.agree_on_ranges(&own.lists, task)?;
        let buckets = sort(task, &own.lists, map, &mut own.sorted)?;
        let mut parts = distinct_nodes(task, &own.lists, map, &buckets, &bounds)?;
        // Few heads make fewer ranges.
        parts.resize(processes, Vec::new());
        let received = self.peers.exchange(parts)?;

        let mut merger = LevelReducer::<N>::new();
        let replies = merger.merge_received(task, &received, &self.peers)?;
        let messages = received.iter().chain(&replies).map(Vec::len).sum::<usize>();
        self.peak = self.peak.max(merger.bytes() + messages);
        drop((received, merger));
        let replies = self.peers.exchange(replies)?;

        let mut ids: Vec<NodeId> = Vec::new();
        for mut reply in replies.iter().map(Vec::as_slice) {
            let (distinct, ranks): (u64, Vec<u32>) =
                Portable::read(&mut reply).ok_or_else(|| self.peers.unreadable())?;
            NODE_LIMIT.check(u64::from(self.next_id - FIRST_NODE) + distinct)?;
            ids.extend(ranks.into_iter().map(|rank| self.next_id + rank));
            if process == 0 && distinct > 0 {
                let mut lists = vec![NodeBuffer::<N>::default()];
                decode_nodes(reply, 0, 0, &mut lists[0], &self.peers)?;
                let sizes = lists[0].nodes.iter().map(N::size);
                let size = sizes.fold(Capacity::default(), Capacity::plus);
                let check = || task.sharing.check();
                store.push(task.level.variable, size, &check, |mut room| {
                    lists[0].nodes.iter().for_each(|node| node.put(&lists, &mut room));
                    Ok(vec![room])
                })?;
            }
            self.next_id += distinct as NodeId;
        }
        if ids.len() != size_of_all(&buckets).nodes() {
            return Err(self.peers.unreadable());
        }
        task.sharing.for_all(&buckets, |_, bucket| {
            bucket.visit(task, &own.lists, map, |node, _| {
                map.set(node.entry(), ids[map.get(node.entry()) as usize]);
            });
            Ok(())
        })?;
        Ok(())
    }

    /// Agrees on the least head of the range of each process but the first.
    fn agree_on_ranges<N: ReducibleNode>(
        &mut self,
        lists: &[NodeBuffer<N>],
        task: &LevelTask<'_>,
    ) -> Result<Vec<u64>, BuildError> {
        let processes = self.peers.rank().size;
        let nodes: usize = lists.iter().map(|list| list.nodes.len()).sum();
        let step = (nodes / (SAMPLES * processes)).max(1);
        let heads = lists.iter().flat_map(|list| list.nodes.iter().step_by(step).map(N::head));
        let own: (u64, Vec<u64>) = (task.level.nodes, heads.collect());
        let all = self.peers.gather(&own)?;
        self.states = all.iter().map(|(states, _)| states).sum();
        Ok(cut(all.into_iter().flat_map(|(_, heads)| heads).collect(), processes))
    }

    /// Exchanges the nodes of the targets of edges between processes. Returns the nodes to which the edges
    /// of this process lead.
    pub(super) fn exchange_arrivals(
        &mut self,
        level: &UnreducedLevel,
        arrivals: Vec<Arrivals>,
    ) -> Result<Vec<Arrivals>, BuildError> {
        let mut parts = vec![Vec::new(); self.peers.rank().size];
        for (source, target, nodes) in arrivals {
            let rank = level.rank_map.get(source).map_or(source, |&rank| rank.into());
            (source, target, nodes).write(&mut parts[rank]);
        }
        let received = self.peers.exchange(parts)?;
        let mut arrivals = Vec::new();
        for mut rest in received.iter().map(Vec::as_slice) {
            while !rest.is_empty() {
                let of = Arrivals::read(&mut rest);
                arrivals.push(of.ok_or_else(|| self.peers.unreadable())?);
            }
        }
        Ok(arrivals)
    }
}

/// The distinct nodes of a level, encoded, by the range of their heads. Sets the entry of each in the
/// map to its index among all.
fn distinct_nodes<N: ReducibleNode>(
    task: &LevelTask<'_>,
    lists: &[NodeBuffer<N>],
    map: &StateMap,
    buckets: &[Bucket<'_, N>],
    bounds: &[u64],
) -> Result<Vec<Vec<u8>>, BuildError> {
    let mut all = vec![Vec::new(); bounds.len() + 1];
    let work = buckets.iter().map(|bucket| (bucket, all.clone()));
    let encoded = visit_distinct(task, lists, map, work, 0, |node, parts| {
        let part = bounds.partition_point(|&bound| bound <= node.head());
        node.encode(lists, &mut parts[part]);
    })?;
    for parts in encoded {
        all.iter_mut().zip(parts).for_each(|(all, part)| all.extend(part));
    }
    Ok(all)
}

/// Appends encoded nodes to the list with the index `list`, with successive entries.
fn decode_nodes<N: ReducibleNode>(
    mut bytes: &[u8],
    mut entry: u32,
    list: usize,
    out: &mut NodeBuffer<N>,
    peers: &Peers<'_>,
) -> Result<(), BuildError> {
    while !bytes.is_empty() {
        N::decode(&mut bytes, entry, list, out).ok_or_else(|| peers.unreadable())?;
        entry += 1;
    }
    Ok(())
}

impl<N: ReducibleNode> LevelReducer<N> {
    /// Merges the nodes that each process sent. Returns the replies: the number of distinct nodes, the
    /// ranks among these of the nodes that the process sent, and for the first process the distinct
    /// nodes in order.
    fn merge_received(
        &mut self,
        task: &LevelTask<'_>,
        received: &[Vec<u8>],
        peers: &Peers<'_>,
    ) -> Result<Vec<Vec<u8>>, BuildError> {
        self.lists.clear();
        self.lists.resize_with(received.len(), NodeBuffer::default);
        let mut entries = 0;
        for (index, (bytes, list)) in received.iter().zip(&mut self.lists).enumerate() {
            task.sharing.check()?;
            decode_nodes(bytes, entries, index, list, peers)?;
            entries += list.nodes.len() as u32;
        }
        let mut map = StateMap::default();
        map.prepare(entries as usize, &|| task.sharing.check())?;
        let lists = &self.lists[..];
        let buckets = sort(task, lists, &map, &mut self.sorted)?;
        // One range: the distinct nodes of this process.
        let nodes = distinct_nodes(task, lists, &map, &buckets, &[])?;
        let distinct = size_of_all(&buckets).nodes();
        let mut ranks = (0..entries).map(|entry| map.get(entry));
        let replies = lists.iter().map(|list| {
            let ranks: Vec<u32> = ranks.by_ref().take(list.nodes.len()).collect();
            let mut reply = Vec::new();
            (distinct, ranks).write(&mut reply);
            reply
        });
        let mut replies: Vec<Vec<u8>> = replies.collect();
        replies[0].extend_from_slice(&nodes[0]);
        Ok(replies)
    }
}
