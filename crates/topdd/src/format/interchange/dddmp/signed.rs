//! BDDs with complemented edges, as CUDD demands them.

use crate::diagram::store::{NodeId, ONE, Store, ZERO};
use crate::format::interchange::write::for_each_node;
use std::collections::HashMap;

/// A BDD with complemented edges: negative numbers are complements, 1 is the terminal, and
/// the node at index `i` is `i + 2`. Edges of value 1 are not complemented.
pub(super) struct Signed {
    /// Variable, and children by value.
    pub(super) nodes: Vec<(u32, [i64; 2])>,
    pub(super) root: i64,
}

impl Signed {
    pub(super) fn from_store(store: &Store) -> Self {
        let mut nodes = Vec::new();
        // The signed number of each node of the store.
        let mut signed = Vec::with_capacity(store.node_count() + 2);
        signed.extend([-1i64, 1]);
        // A function and its complement are one node; both are on one level.
        let mut level = usize::MAX;
        let mut known: HashMap<[i64; 2], i64> = HashMap::new();
        let visited: Result<(), std::convert::Infallible> =
            for_each_node(store, |variable, _: NodeId, pair| {
                if std::mem::replace(&mut level, variable) != variable {
                    known.clear();
                }
                let [zero, one] = pair.map(|child| signed[child as usize]);
                let sign = one.signum();
                let number = *known.entry([zero * sign, one * sign]).or_insert_with_key(|&pair| {
                    nodes.push((variable as u32, pair));
                    i64::try_from(nodes.len()).expect("nodes have 32-bit numbers") + 1
                });
                signed.push(number * sign);
                Ok(())
            });
        let Ok(()) = visited;
        debug_assert!(signed[ZERO as usize] == -1 && signed[ONE as usize] == 1);
        let root = signed[store.root as usize];
        Signed { nodes, root }
    }
}
