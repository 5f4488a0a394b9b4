//! Reductions of a network that keep its reliability up to a factor.
//!
//! | reduction | applies to | replaced by |
//! | --- | --- | --- |
//! | parallel | two edges between the same vertices | one edge, works if one of them does |
//! | loop, failure | a loop, an edge or a vertex that never works | nothing |
//! | contraction | an edge that always works, with such ends | one vertex |
//! | leaf | a vertex with one edge | a factor if it is a terminal, else nothing |
//! | series | a vertex with two edges, no terminal | one edge, works if all three do |
//! | terminal series | a terminal with two edges to terminals | a factor and one edge |
//! | blocks | a vertex that separates terminals | a factor for each side, the vertex a terminal |
//! | irrelevant block | a block on no path between terminals | nothing |
//!
//! Reference: A. Satyanarayana and R. K. Wood, *A linear-time algorithm for computing K-terminal
//! reliability in series-parallel networks*, SIAM Journal on Computing 14 (1985).

use std::collections::BTreeMap;

use crate::Graph;
use crate::order::blocks;

/// A network of vertices and edges that work with given probabilities. Terminals always work.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Network {
    pub(super) edges: Vec<(usize, usize)>,
    pub(super) edge_works: Vec<f64>,
    pub(super) vertex_works: Vec<f64>,
    pub(super) is_terminal: Vec<bool>,
}

impl Network {
    pub(super) fn num_vertices(&self) -> usize {
        self.vertex_works.len()
    }

    fn graph(&self) -> Graph {
        let graph = Graph::new(self.num_vertices(), self.edges.iter().copied());
        graph.expect("the ends are vertices")
    }

    pub(super) fn num_terminals(&self) -> usize {
        self.is_terminal.iter().filter(|&&is_terminal| is_terminal).count()
    }

    /// Reduces the network to a factor and the networks of its blocks, of which no reduction applies
    /// to any. The reliability is the product of all of them. A factor of 0 has no networks.
    ///
    /// Takes time O(m log m) for m edges.
    pub(super) fn reduced(self) -> (f64, Vec<Network>) {
        let mut factor = 1.0;
        let mut done = Vec::new();
        let mut pending = vec![self];
        while let Some(network) = pending.pop() {
            let mut reduction = NetworkReduction::new(&network);
            reduction.run();
            factor *= reduction.factor;
            let smaller = reduction.network();
            if smaller.num_terminals() < 2 {
                continue;
            }
            let Some((of_cuts, mut parts)) = smaller.split() else { return (0.0, Vec::new()) };
            factor *= of_cuts;
            if factor == 0.0 {
                return (0.0, Vec::new());
            }
            match &mut parts[..] {
                // A block with new terminals or fewer edges may be reduced again.
                [only] if *only == network => done.append(&mut parts),
                _ => pending.append(&mut parts),
            }
        }
        (factor, done)
    }

    /// Splits the network into the blocks that separate its terminals, of which there are two or
    /// more; `None` if the terminals are in different components. Returns the probability that the
    /// vertices between these blocks work, which become terminals.
    fn split(&self) -> Option<(f64, Vec<Network>)> {
        if !self.is_terminal_connected() {
            return None;
        }
        let blocks = blocks(&self.graph());
        let members: Vec<Vec<usize>> = blocks.iter().map(|block| self.ends(block)).collect();
        // Of each vertex, the number of remaining blocks, and the exclusive or of their indices.
        let mut blocks_of = vec![(0, 0); self.num_vertices()];
        for (index, members) in members.iter().enumerate() {
            for &vertex in members {
                blocks_of[vertex].0 += 1;
                blocks_of[vertex].1 ^= index;
            }
        }
        // Of each block, the number of its vertices that are terminals or in another block. A path
        // between terminals passes through two of them.
        let is_needed = |vertex: usize, count: usize| self.is_terminal[vertex] || count > 1;
        let mut needed: Vec<usize> = members
            .iter()
            .map(|members| members.iter().filter(|&&v| is_needed(v, blocks_of[v].0)).count())
            .collect();
        let mut irrelevant: Vec<usize> = (0..blocks.len()).filter(|&b| needed[b] < 2).collect();
        let mut is_relevant = vec![true; blocks.len()];
        while let Some(block) = irrelevant.pop() {
            is_relevant[block] = false;
            for &vertex in &members[block] {
                let (count, indices) = &mut blocks_of[vertex];
                *count -= 1;
                *indices ^= block;
                if *count == 1 && !self.is_terminal[vertex] {
                    needed[*indices] -= 1;
                    if needed[*indices] == 1 {
                        irrelevant.push(*indices);
                    }
                }
            }
        }
        let mut factor = 1.0;
        let mut whole = self.clone();
        for (vertex, &(count, _)) in blocks_of.iter().enumerate() {
            if count > 1 && !self.is_terminal[vertex] {
                factor *= self.vertex_works[vertex];
                whole.vertex_works[vertex] = 1.0;
                whole.is_terminal[vertex] = true;
            }
        }
        let mut local = vec![0; self.num_vertices()];
        let relevant = (0..blocks.len()).filter(|&block| is_relevant[block]);
        let parts = relevant.map(|block| whole.part(&blocks[block], &members[block], &mut local));
        Some((factor, parts.collect()))
    }

    /// The ends of some edges, ascending.
    fn ends(&self, edges: &[usize]) -> Vec<usize> {
        let ends = edges.iter().flat_map(|&edge| [self.edges[edge].0, self.edges[edge].1]);
        let mut ends: Vec<usize> = ends.collect();
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// The network of some edges and their ends. `local` has space for an index of each vertex.
    fn part(&self, edges: &[usize], ends: &[usize], local: &mut [usize]) -> Network {
        for (index, &vertex) in ends.iter().enumerate() {
            local[vertex] = index;
        }
        let mut edges = edges.to_vec();
        edges.sort_unstable();
        Network {
            edges: edges
                .iter()
                .map(|&e| self.edges[e])
                .map(|(a, b)| (local[a], local[b]))
                .collect(),
            edge_works: edges.iter().map(|&edge| self.edge_works[edge]).collect(),
            vertex_works: ends.iter().map(|&vertex| self.vertex_works[vertex]).collect(),
            is_terminal: ends.iter().map(|&vertex| self.is_terminal[vertex]).collect(),
        }
    }

    fn is_terminal_connected(&self) -> bool {
        let components = self.graph().components();
        let mut terminals = (0..self.num_vertices()).filter(|&vertex| self.is_terminal[vertex]);
        let first = terminals.next();
        terminals.all(|other| first.is_none_or(|first| components[first] == components[other]))
    }
}

/// A network while local reductions are applied to it.
struct NetworkReduction {
    factor: f64,
    /// The neighbours of each vertex, with the probability of the edge. Ordered, so that every run
    /// rounds alike.
    neighbours: Vec<BTreeMap<usize, f64>>,
    vertex_works: Vec<f64>,
    is_terminal: Vec<bool>,
    is_removed: Vec<bool>,
    num_terminals: usize,
    /// The vertices to which a reduction may apply.
    open: Vec<usize>,
    /// The edges that always work, by their ends. Some may have changed since.
    sure: Vec<(usize, usize)>,
}

impl NetworkReduction {
    fn new(network: &Network) -> Self {
        let vertices = network.num_vertices();
        let mut reduction = Self {
            factor: 1.0,
            neighbours: vec![BTreeMap::new(); vertices],
            vertex_works: network.vertex_works.clone(),
            is_terminal: network.is_terminal.clone(),
            is_removed: vec![false; vertices],
            num_terminals: network.num_terminals(),
            open: (0..vertices).rev().collect(),
            sure: Vec::new(),
        };
        for (&(a, b), &works) in network.edges.iter().zip(&network.edge_works) {
            reduction.add(a, b, works);
        }
        reduction
    }

    /// Adds an edge, merged with one between the same vertices.
    fn add(&mut self, a: usize, b: usize, works: f64) {
        if a == b || works == 0.0 {
            return;
        }
        for (vertex, other) in [(a, b), (b, a)] {
            let both = self.neighbours[vertex].entry(other).or_insert(0.0);
            // Not below either of them, also after rounding.
            *both = (*both + works * (1.0 - *both)).min(1.0);
        }
        if self.neighbours[a][&b] >= 1.0 {
            self.sure.push((a, b));
        }
    }

    /// Removes a vertex with its edges, and returns its neighbours.
    fn remove(&mut self, vertex: usize) -> BTreeMap<usize, f64> {
        self.is_removed[vertex] = true;
        self.num_terminals -= usize::from(std::mem::take(&mut self.is_terminal[vertex]));
        let neighbours = std::mem::take(&mut self.neighbours[vertex]);
        for &other in neighbours.keys() {
            self.neighbours[other].remove(&vertex);
            self.open.push(other);
        }
        neighbours
    }

    /// Makes a vertex a terminal, which must work.
    fn make_terminal(&mut self, vertex: usize) {
        if !std::mem::replace(&mut self.is_terminal[vertex], true) {
            self.factor *= std::mem::replace(&mut self.vertex_works[vertex], 1.0);
            self.num_terminals += 1;
            self.open.push(vertex);
            // A terminal beside it may have two terminals as neighbours now.
            self.open.extend(self.neighbours[vertex].keys());
            let sure = self.neighbours[vertex].iter().filter(|&(_, &works)| works >= 1.0);
            self.sure.extend(sure.map(|(&other, _)| (vertex, other)));
        }
    }

    fn run(&mut self) {
        while self.num_terminals > 1 {
            if let Some((a, b)) = self.sure.pop() {
                self.contract(a, b);
            } else if let Some(vertex) = self.open.pop() {
                if !self.is_removed[vertex] {
                    self.reduce(vertex);
                }
            } else {
                return;
            }
        }
    }

    /// Applies a reduction to a vertex if there is one.
    fn reduce(&mut self, vertex: usize) {
        let is_terminal = self.is_terminal[vertex];
        let mut ends = self.neighbours[vertex].iter().map(|(&other, &works)| (other, works));
        match (ends.next(), ends.next(), ends.next()) {
            _ if self.vertex_works[vertex] == 0.0 && !is_terminal => {
                self.remove(vertex);
            }
            (None, ..) if !is_terminal => {
                self.remove(vertex);
            }
            (Some((other, works)), None, _) => {
                if is_terminal {
                    self.factor *= works;
                    self.make_terminal(other);
                }
                self.remove(vertex);
            }
            (Some((a, first)), Some((b, second)), None) if !is_terminal => {
                let works = first * self.vertex_works[vertex] * second;
                self.remove(vertex);
                self.add(a, b, works);
            }
            (Some((a, first)), Some((b, second)), None)
                if self.is_terminal[a] && self.is_terminal[b] =>
            {
                // One of the edges must work; if both do, they also connect their other ends.
                let one_works = first + second * (1.0 - first);
                self.factor *= one_works;
                self.remove(vertex);
                self.add(a, b, first * second / one_works);
            }
            _ => {}
        }
    }

    /// Contracts an edge if it and both of its ends always work. The vertex with fewer edges is
    /// removed, so that each edge moves O(log m) times.
    fn contract(&mut self, a: usize, b: usize) {
        let is_sure = [a, b].iter().all(|&vertex| self.vertex_works[vertex] >= 1.0);
        if !is_sure || self.neighbours[a].get(&b).is_none_or(|&works| works < 1.0) {
            return;
        }
        let (keeps, goes) =
            if self.neighbours[a].len() < self.neighbours[b].len() { (b, a) } else { (a, b) };
        if self.is_terminal[goes] {
            self.make_terminal(keeps);
        }
        for (neighbour, works) in self.remove(goes) {
            self.add(keeps, neighbour, works);
            self.open.push(neighbour);
        }
        self.open.push(keeps);
    }

    /// The network that remains.
    fn network(self) -> Network {
        let mut local = vec![0; self.is_removed.len()];
        let mut rest = Network::default();
        for vertex in (0..local.len()).filter(|&vertex| !self.is_removed[vertex]) {
            local[vertex] = rest.num_vertices();
            rest.vertex_works.push(self.vertex_works[vertex]);
            rest.is_terminal.push(self.is_terminal[vertex]);
        }
        for (vertex, neighbours) in self.neighbours.iter().enumerate() {
            for (&other, &works) in neighbours.range(vertex + 1..) {
                rest.edges.push((local[vertex], local[other]));
                rest.edge_works.push(works);
            }
        }
        rest
    }
}
