//! A graph without its trees: the rest when vertices with one neighbour are removed repeatedly.
//!
//! A tree is processed from its leaves to its root, the subtree with the widest frontier first. So its
//! frontier is at most logarithmic, and only its root remains on the frontier.

use super::incidence::Incidence;

/// The vertices of the trees of a graph.
pub(super) struct Trees {
    /// The vertex to which a removed vertex was attached.
    parents: Vec<Option<usize>>,
    /// The removed vertices at each vertex, the one with the widest subtree first.
    children: Vec<Vec<usize>>,
}

impl Trees {
    /// Removes vertices with one neighbour while there are any. Of a component without cycles, one
    /// vertex remains, a leaf of it if it has any. Takes linear time.
    pub(super) fn new(graph: &Incidence, components: &[Vec<usize>]) -> Self {
        let num_vertices = graph.num_vertices();
        let mut degrees: Vec<usize> =
            (0..num_vertices).map(|vertex| graph.neighbours(vertex).len()).collect();
        for component in components {
            let sum: usize = component.iter().map(|&vertex| degrees[vertex]).sum();
            if sum < 2 * component.len() {
                // A tree. Its root is a leaf that is never removed.
                if let Some(&leaf) = component.iter().find(|&&vertex| degrees[vertex] == 1) {
                    degrees[leaf] = usize::MAX;
                }
            }
        }
        let mut trees =
            Self { parents: vec![None; num_vertices], children: vec![Vec::new(); num_vertices] };
        let mut removed = vec![false; num_vertices];
        // The width of the frontier while a subtree is processed.
        let mut widths = vec![1_usize; num_vertices];
        let mut leaves: Vec<usize> = (0..num_vertices).filter(|&v| degrees[v] == 1).collect();
        let mut next = 0;
        while let Some(&leaf) = leaves.get(next) {
            next += 1;
            let mut neighbours = graph.neighbours(leaf).iter();
            let parent = *neighbours.find(|&&other| !removed[other]).expect("it has one neighbour");
            removed[leaf] = true;
            trees.parents[leaf] = Some(parent);
            if graph.edges(leaf).iter().filter(|&&(_, other)| other == parent).count() > 1 {
                // The leaf itself is on the frontier between parallel edges.
                widths[leaf] = widths[leaf].max(2);
            }
            let siblings = &mut trees.children[parent];
            siblings.push(leaf);
            let last = siblings.len() - 1;
            let (widest, other) = if widths[leaf] > widths[siblings[0]] {
                siblings.swap(0, last);
                (leaf, siblings[last])
            } else {
                (siblings[0], leaf)
            };
            let beside = if last == 0 { 0 } else { widths[other] + 1 };
            widths[parent] = widths[parent].max(widths[widest]).max(beside);
            degrees[parent] -= 1;
            if degrees[parent] == 1 {
                leaves.push(parent);
            }
        }
        trees
    }

    /// Whether a vertex is part of no tree, or the remaining vertex of one.
    pub(super) fn is_kernel(&self, vertex: usize) -> bool {
        self.parents[vertex].is_none()
    }

    /// Appends the trees at a vertex to an order, each vertex after its subtree.
    pub(super) fn append(&self, vertex: usize, order: &mut Vec<usize>) {
        let mut path = vec![(vertex, 0)];
        while let Some(&mut (at, ref mut used)) = path.last_mut() {
            if let Some(&child) = self.children[at].get(*used) {
                *used += 1;
                path.push((child, 0));
            } else {
                path.pop();
                if at != vertex {
                    order.push(at);
                }
            }
        }
    }
}
