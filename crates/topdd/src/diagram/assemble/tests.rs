//! Assembled diagrams compared with the meaning of the nodes.

use super::*;
use crate::check::RandomSpec;
use crate::diagram::store::{FIRST_NODE, NodeId, ONE, ZERO};
use crate::diagram::{AnyValue, Diagram, DiagramRule, Zdd, ZeroSuppressed};
use crate::spec::Arities;
use proptest::prelude::*;

fn built<R: DiagramRule>(num_vars: usize, nodes: Vec<LooseNode>, root: ChildLink) -> Diagram<R> {
    Diagram::new(assemble(R::RULE, num_vars, nodes, root).unwrap())
}

/// Returns whether the values of all variables from `from` on are a solution of the link.
fn contains(
    rule: Rule,
    nodes: &[LooseNode],
    link: ChildLink,
    from: usize,
    values: &[usize],
) -> bool {
    let plain = link.index().is_some_and(|index| {
        let LooseNode { variable, children } = nodes[index];
        let at = variable as usize;
        let skipped = values[from..at].iter().all(|&value| rule.allows(value));
        skipped && contains(rule, nodes, children[values[at]], at + 1, values)
    });
    // The complementary function, or the family with the empty set added or removed.
    plain ^ (link.is_complement() && values[from..].iter().all(|&value| rule.allows(value)))
}

/// Nodes that lead to later variables, in any order.
fn loose() -> impl Strategy<Value = (usize, Vec<LooseNode>, ChildLink)> {
    let node = (0..8u32, prop::array::uniform2(any::<(u8, bool)>()));
    (prop::collection::vec(node, 0..30), any::<(u8, bool)>(), 0..5usize).prop_map(
        |(drawn, root, more)| {
            let variables: Vec<u32> = drawn.iter().map(|node| node.0).collect();
            let link = |after: Option<u32>, (choice, complement): (u8, bool)| {
                let below: Vec<usize> = (0..variables.len())
                    .filter(|&index| after.is_none_or(|after| variables[index] > after))
                    .collect();
                let link = match choice as usize % (below.len() + 1) {
                    0 => ChildLink::ZERO,
                    chosen => ChildLink::to(below[chosen - 1]),
                };
                link.complement_if(complement)
            };
            let nodes = drawn.iter().map(|&(variable, children)| LooseNode {
                variable,
                children: children.map(|child| link(Some(variable), child)),
            });
            (8 + more, nodes.collect(), link(None, root))
        },
    )
}

fn compare<R: DiagramRule>(
    num_vars: usize,
    nodes: &[LooseNode],
    root: ChildLink,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(find_bad_edge(nodes), None);
    let diagram: Diagram<R> = built(num_vars, nodes.to_vec(), root);
    prop_assert_eq!(diagram.num_vars(), num_vars);
    prop_assert_eq!(diagram.store.check_nodes(R::RULE), Ok(()));
    for bits in 0..1usize << num_vars {
        let values: Vec<usize> = (0..num_vars).map(|variable| bits >> variable & 1).collect();
        let expected = contains(R::RULE, nodes, root, 0, &values);
        prop_assert_eq!(diagram.contains(&values).unwrap(), expected, "{:?}", values);
    }
    Ok(())
}

proptest! {
    #[test]
    fn loose_nodes_make_the_reduced_diagram_of_their_solutions((num_vars, nodes, root) in loose()) {
        compare::<ZeroSuppressed>(num_vars, &nodes, root)?;
        compare::<AnyValue>(num_vars, &nodes, root)?;
    }

    /// The nodes of a diagram, in any order, make that diagram again.
    #[test]
    fn nodes_of_a_diagram_make_that_diagram(seed: u64, rotate in 0..20usize) {
        let zdd = crate::zdd(&RandomSpec::over(vec![2; 6], seed)).unwrap();
        let link = |id: NodeId| match id {
            ZERO => ChildLink::ZERO,
            ONE => ChildLink::ONE,
            _ => ChildLink::to((id as usize - 2 + rotate) % zdd.node_count()),
        };
        let mut nodes = Vec::new();
        for level in zdd.store.levels() {
            for position in 0..level.len() {
                let children = [0, 1].map(|value| link(level.child(position, value)));
                nodes.push(LooseNode { variable: level.variable as u32, children });
            }
        }
        if !nodes.is_empty() {
            let turn = rotate % nodes.len();
            nodes.rotate_right(turn);
        }
        let built: Zdd = built(6, nodes, link(zdd.store.root));
        prop_assert_eq!(built, zdd);
    }
}

/// The complement of a BDD has the other assignments; the complement of a ZDD differs in the empty set.
#[test]
fn a_complement_has_the_other_solutions_or_the_other_empty_set() {
    let children = [ChildLink::ZERO, ChildLink::ONE];
    let nodes = [LooseNode { variable: 1, children }];
    let root = ChildLink::to(0).complement_if(true);
    let bdd: Diagram<AnyValue> = built(2, nodes.to_vec(), root);
    assert!(bdd.iter().eq([[0, 0], [1, 0]]));
    let zdd: Zdd = built(2, nodes.to_vec(), root);
    assert!(zdd.iter().eq([[0, 0], [0, 1]]));
}

#[test]
fn bad_edges_are_found() {
    let leads_to = |variable, child| LooseNode { variable, children: [ChildLink::ZERO, child] };
    assert_eq!(find_bad_edge(&[leads_to(0, ChildLink::to(1)), leads_to(1, ChildLink::ONE)]), None);
    assert_eq!(
        find_bad_edge(&[leads_to(0, ChildLink::to(1)), leads_to(0, ChildLink::ONE)]),
        Some((0, 1))
    );
    assert_eq!(find_bad_edge(&[leads_to(0, ChildLink::to(0))]), Some((0, 1)));
    assert_eq!(
        find_bad_edge(&[leads_to(0, ChildLink::to(1)), leads_to(1, ChildLink::to(0))]),
        Some((1, 1))
    );
    assert_eq!(find_bad_edge(&[leads_to(0, ChildLink::to(7))]), Some((0, 1)));
}

/// Memory and time depend on the nodes, not on the variables.
#[test]
fn variables_without_nodes_cost_nothing() {
    let children = [ChildLink::ZERO, ChildLink::ONE];
    let last = Arities::MAX_VARS - 1;
    let nodes = [LooseNode { variable: last as u32, children }];
    let zdd: Zdd = built(last + 1, nodes.to_vec(), ChildLink::to(0));
    assert_eq!((zdd.num_vars(), zdd.node_count()), (last + 1, 1));
    assert_eq!(zdd.store.variable_of(FIRST_NODE), last);
}

#[test]
fn a_hundred_thousand_levels_are_assembled() {
    let n = 100_000;
    let below = |v: usize| if v + 1 == n { ChildLink::ONE } else { ChildLink::to(v + 1) };
    let node = |v| LooseNode { variable: v as u32, children: [below(v), ChildLink::ZERO] };
    let nodes: Vec<_> = (0..n).map(node).collect();
    let bdd: Diagram<AnyValue> = built(n, nodes.clone(), ChildLink::to(0));
    assert_eq!(bdd.node_count(), n);
    let zdd: Zdd = built(n, nodes, ChildLink::to(0));
    assert_eq!(zdd.store.root, ONE);
}
