//! Reduction by several processes.
//!
//! Each process has the states that their hashes assign to it. The processes reduce the same level at
//! the same time:
//!
//! 1. Each reads and sorts the nodes of its states, as one process alone does.
//! 2. They agree on a range of heads (first children) for each process, by a sample.
//! 3. Each distinct node is sent to the process of its head, which merges equal nodes. These are
//!    then in the canonical order: the ids of a range follow those of the range before.
//! 4. The senders receive the ids of their nodes, and the first process receives the nodes.
//! 5. The ids of states with edges from other processes are sent to these.
//!
//! So the first process receives the levels of the diagram in their order, and its nodes have the ids
//! that one process would give them. A process has in memory, apart from the unreduced edges of its
//! states, the nodes of its states of a level, those of its range, and the messages with both: a level is
//! not reduced in parts. This takes four exchanges for each level.

use super::super::store::{Builder, Capacity, FIRST_NODE, NodeId};
use super::children::Arrivals;
use super::level::LevelReducer;
use super::map::StateMap;
use super::node::{List, Node};
use super::sort::{Bucket, cut, number, sort};
use super::{EDGES, LevelTask, NODES, Reduction};
use crate::frontier::unreduced::UnreducedLevel;
use crate::frontier::{Owner, Peers};
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

/// The figures of a process for a level: its states, and heads of some of its nodes.
struct LevelSample {
    states: u64,
    heads: Vec<u64>,
}

crate::portable!(LevelSample { states, heads });

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
    pub(super) fn reduce<N: Node>(
        &mut self,
        own: &mut LevelReducer<N>,
        task: &LevelTask<'_>,
        map: &StateMap,
        store: &mut Builder,
    ) -> Result<(), BuildError> {
        let check = &|| task.sharing.check();
        let Owner { process, processes } = self.peers.owner();
        own.read_all(task, map)?;
        let bounds = self.agree_on_ranges(&own.lists, task)?;
        let buckets = sort(task, &own.lists, map, &mut own.sorted)?;
        let nodes = distinct_nodes(task, &own.lists, map, &buckets, &bounds)?;
        let (mut parts, mut counts): (Vec<Vec<u8>>, Vec<usize>) = nodes.into_iter().unzip();
        // Few heads make fewer ranges.
        parts.resize(processes, Vec::new());
        counts.resize(processes, 0);
        let received = self.peers.exchange(parts, check)?;

        let mut range = LevelReducer::<N>::new();
        let (ranks, distinct) = range.merge_received(task, &received, &self.peers)?;
        let lists = received.iter().map(Vec::len).sum::<usize>() + distinct.0.len();
        let ranks_bytes = ranks.iter().map(Vec::len).sum::<usize>() * size_of::<u32>();
        self.peak = self.peak.max(range.bytes() + lists + ranks_bytes);
        drop((received, range));
        let distinct_count = distinct.1 as u64;
        let reply = |(to, ranks): (usize, Vec<u32>)| {
            let mut reply = Vec::with_capacity(8 + 4 * ranks.len());
            reply.extend_from_slice(&distinct_count.to_le_bytes());
            reply.extend(ranks.into_iter().flat_map(u32::to_le_bytes));
            if to == 0 {
                reply.extend_from_slice(&distinct.0);
            }
            reply
        };
        let replies = ranks.into_iter().enumerate().map(reply).collect();
        let replies = self.peers.exchange(replies, check)?;

        let mut ids: Vec<NodeId> = Vec::with_capacity(counts.iter().sum());
        let mut first = self.next_id;
        for (reply, count) in replies.iter().zip(counts) {
            let split = reply.split_at_checked(8 + 4 * count);
            let (head, nodes) = split.ok_or_else(|| self.peers.confused())?;
            let (distinct, ranks) = head.split_at(8);
            let distinct = u64::from_le_bytes(distinct.try_into().expect("eight bytes"));
            NODES.check(u64::from(first - FIRST_NODE) + distinct)?;
            ids.extend(words(ranks).map(|rank| first + rank));
            if process == 0 && distinct > 0 {
                push_nodes::<N>(store, task, nodes, distinct as usize)?
                    .ok_or_else(|| self.peers.confused())?;
            }
            first += distinct as NodeId;
        }
        self.next_id = first;
        task.sharing.for_all(&buckets, |_, bucket| {
            bucket.visit(task, &own.lists, map, |node, _| {
                map.set(node.entry(), ids[map.get(node.entry()) as usize]);
            });
            Ok(())
        })?;
        Ok(())
    }

    /// Agrees on the least head of the range of each process but the first.
    fn agree_on_ranges<N: Node>(
        &mut self,
        lists: &[List<N>],
        task: &LevelTask<'_>,
    ) -> Result<Vec<u64>, BuildError> {
        let processes = self.peers.owner().processes;
        let nodes: usize = lists.iter().map(|list| list.nodes.len()).sum();
        let step = (nodes / (SAMPLES * processes)).max(1);
        let heads = lists.iter().flat_map(|list| list.nodes.iter().step_by(step).map(N::head));
        let own = LevelSample { states: task.level.nodes, heads: heads.collect() };
        let all = self.peers.gather(&own, &|| task.sharing.check())?;
        self.states = all.iter().map(|of| of.states).sum();
        Ok(cut(all.into_iter().flat_map(|of| of.heads).collect(), processes))
    }

    /// Exchanges the nodes of the targets of edges between processes. Returns those of the edges that
    /// this process has.
    pub(super) fn exchange_arrivals(
        &mut self,
        level: &UnreducedLevel,
        arrivals: Vec<Arrivals>,
        check: &dyn Fn() -> Result<(), BuildError>,
    ) -> Result<Vec<Arrivals>, BuildError> {
        let mut parts = vec![Vec::new(); self.peers.owner().processes];
        for Arrivals { source, target, nodes } in arrivals {
            let holder = level.holders.get(source).map_or(source, |&holder| holder.into());
            (source, target, nodes.len()).write(&mut parts[holder]);
            parts[holder].extend(nodes.into_iter().flat_map(NodeId::to_le_bytes));
        }
        let received = self.peers.exchange(parts, check)?;
        let mut arrivals = Vec::new();
        for mut rest in received.iter().map(Vec::as_slice) {
            while !rest.is_empty() {
                let of = read_arrivals(&mut rest).ok_or_else(|| self.peers.confused())?;
                arrivals.push(of);
            }
        }
        Ok(arrivals)
    }
}

fn read_arrivals(bytes: &mut &[u8]) -> Option<Arrivals> {
    let (source, target, count): (usize, usize, usize) = Portable::read(bytes)?;
    let (nodes, rest) = bytes.split_at_checked(count.checked_mul(size_of::<NodeId>())?)?;
    *bytes = rest;
    Some(Arrivals { source, target, nodes: words(nodes).collect() })
}

/// Encoded nodes, and their number.
type EncodedNodes = (Vec<u8>, usize);

/// The words of a message.
fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let words = bytes.chunks_exact(4);
    words.map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
}

/// The distinct nodes of a level by the range of their heads. Sets the entry of each in the map to its
/// index among all.
fn distinct_nodes<N: Node>(
    task: &LevelTask<'_>,
    lists: &[List<N>],
    map: &StateMap,
    buckets: &[Bucket<'_, N>],
    bounds: &[u64],
) -> Result<Vec<EncodedNodes>, BuildError> {
    let new = || -> Vec<EncodedNodes> { vec![(Vec::new(), 0); bounds.len() + 1] };
    let work = buckets.iter().map(|bucket| (bucket, new()));
    let encoded = number(task, lists, map, work, 0, |node, parts| {
        let part = bounds.partition_point(|&bound| bound <= node.head());
        node.encode(lists, &mut parts[part].0);
        parts[part].1 += 1;
    })?;
    let mut all = new();
    for parts in encoded {
        for ((all, total), (part, count)) in all.iter_mut().zip(parts) {
            all.extend_from_slice(&part);
            *total += count;
        }
    }
    Ok(all)
}

/// Appends encoded nodes, which are in order, to the store. Returns `None` if they are not encoded so.
fn push_nodes<N: Node>(
    store: &mut Builder,
    task: &LevelTask<'_>,
    mut bytes: &[u8],
    count: usize,
) -> Result<Option<()>, BuildError> {
    let mut lists = vec![List::<N>::default()];
    for _ in 0..count {
        if N::decode(&mut bytes, (0, 0), &mut lists[0]).is_none() {
            return Ok(None);
        }
    }
    let size = lists[0].nodes.iter().fold(Capacity::default(), |size, of| size.plus(of.size()));
    EDGES.check((store.edge_count() + size.edges) as u64)?;
    store.push(task.level.variable, size, &|| task.sharing.check(), |mut room, reach| {
        let mut reach = reach.clone();
        lists[0].nodes.iter().for_each(|node| node.put(&lists, &mut room, &mut reach));
        Ok(vec![reach.into_levels()])
    })?;
    Ok(Some(()))
}

impl<N: Node> LevelReducer<N> {
    /// Merges the nodes that each process sent. Returns, for each of them, the ranks of its nodes
    /// among the distinct ones, and these in order.
    fn merge_received(
        &mut self,
        task: &LevelTask<'_>,
        received: &[Vec<u8>],
        peers: &Peers<'_>,
    ) -> Result<(Vec<Vec<u32>>, EncodedNodes), BuildError> {
        self.lists.clear();
        self.lists.resize_with(received.len(), List::default);
        let mut entries = 0;
        let mut firsts = Vec::with_capacity(received.len());
        for (index, (bytes, list)) in received.iter().zip(&mut self.lists).enumerate() {
            task.sharing.check()?;
            firsts.push(entries);
            let mut bytes = &bytes[..];
            while !bytes.is_empty() {
                let decoded = N::decode(&mut bytes, (index, entries), list);
                decoded.ok_or_else(|| peers.confused())?;
                entries += 1;
            }
        }
        let mut map = StateMap::default();
        map.prepare(entries as usize, &|| task.sharing.check())?;
        let lists = &self.lists[..];
        let buckets = sort(task, lists, &map, &mut self.sorted)?;
        // One range: the distinct nodes of this process.
        let parts = distinct_nodes(task, lists, &map, &buckets, &[])?;
        let distinct = parts.into_iter().next().expect("there is one range");
        let ends = firsts.iter().copied().skip(1).chain([entries]);
        let ranks = firsts.iter().zip(ends);
        let ranks = ranks.map(|(&first, end)| (first..end).map(|entry| map.get(entry)).collect());
        Ok((ranks.collect(), distinct))
    }
}

impl Reduction<'_, '_, '_, '_> {
    /// The sum over all processes of the capacity that the first process needs.
    pub(super) fn gather_capacity(
        peers: &mut Peers<'_>,
        most: Capacity,
        check: &dyn Fn() -> Result<(), BuildError>,
    ) -> Result<Capacity, BuildError> {
        let process = peers.owner().process;
        let all = peers.gather(&(most.pairs, most.sparse, most.edges), check)?;
        if process > 0 {
            return Ok(Capacity::default());
        }
        let all = all.into_iter();
        let all = all.map(|(pairs, sparse, edges)| Capacity { pairs, sparse, edges });
        Ok(all.fold(Capacity::default(), Capacity::plus))
    }
}
