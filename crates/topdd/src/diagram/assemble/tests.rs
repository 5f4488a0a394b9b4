//! Loose nodes against what they mean, and against the engine's canonical form.

use super::*;
use crate::check::RandomSpec;
use crate::diagram::{AnyValue, Diagram, DiagramRule, ZeroSuppressed};
use crate::{DdSpec, Frontier, Step};
use proptest::prelude::*;

/// Nodes as a spec: a state is a link.
struct Spec<'a> {
    num_vars: usize,
    rule: Rule,
    nodes: &'a [LooseNode],
    root: Link,
}

impl Spec<'_> {
    fn step(&self, link: Link) -> Step<u32> {
        match link.index() {
            None if link.is_complement() => Step::One,
            None => Step::Zero,
            Some(index) => Step::To(self.nodes[index].variable as usize, link.0),
        }
    }
}

impl DdSpec for Spec<'_> {
    type State = u32;
    fn num_vars(&self) -> usize {
        self.num_vars
    }
    fn root(&self) -> Step<u32> {
        self.step(self.root)
    }
    fn child(&self, &state: &u32, _: usize, value: usize) -> Step<u32> {
        let link = Link(state);
        let node = self.nodes[link.index().unwrap()];
        self.step(children(self.rule, node, link)[value])
    }
}

/// Nodes that lead to later variables, in any order.
fn loose() -> impl Strategy<Value = (usize, Vec<LooseNode>, Link)> {
    let node = (0..8u32, prop::array::uniform2(any::<(u8, bool)>()));
    (prop::collection::vec(node, 0..30), any::<(u8, bool)>(), 0..5usize).prop_map(
        |(drawn, root, more)| {
            let variables: Vec<u32> = drawn.iter().map(|node| node.0).collect();
            let link = |after: Option<u32>, (choice, complement): (u8, bool)| {
                let below: Vec<usize> = (0..variables.len())
                    .filter(|&index| after.is_none_or(|after| variables[index] > after))
                    .collect();
                let link = match choice as usize % (below.len() + 1) {
                    0 => Link::ZERO,
                    chosen => Link::to(below[chosen - 1]),
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
    root: Link,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(find_bad_edge(nodes), None);
    let built: Diagram<R> = Diagram::new(assemble(num_vars, R::RULE, nodes, root).unwrap());
    let spec = Spec { num_vars, rule: R::RULE, nodes, root };
    prop_assert_eq!(built, Frontier::over(&spec).diagram::<R>().unwrap());
    Ok(())
}

proptest! {
    #[test]
    fn as_the_engine_does((num_vars, nodes, root) in loose()) {
        compare::<ZeroSuppressed>(num_vars, &nodes, root)?;
        compare::<AnyValue>(num_vars, &nodes, root)?;
    }

    /// The nodes of a diagram make that diagram again, whatever their order.
    #[test]
    fn there_and_back(seed: u64, rotate in 0..20usize) {
        let zdd = crate::zdd(&RandomSpec::over(vec![2; 6], seed)).unwrap();
        let link = |id: NodeId| match id {
            ZERO => Link::ZERO,
            ONE => Link::ONE,
            _ => Link::to((id as usize - 2 + rotate) % zdd.node_count()),
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
        let built = assemble(6, Rule::ZeroSuppressed, &nodes, link(zdd.store.root)).unwrap();
        prop_assert_eq!(Diagram::<ZeroSuppressed>::new(built), zdd);
    }
}

/// The complement of a BDD has the other assignments; that of a ZDD has the empty set, too,
/// or no more.
#[test]
fn complements_mean_what_they_say() {
    let children = [Link::ZERO, Link::ONE];
    let nodes = [LooseNode { variable: 1, children }];
    let root = Link::to(0).complement();
    let bdd: Diagram<AnyValue> = Diagram::new(assemble(2, Rule::AnyValue, &nodes, root).unwrap());
    assert!(bdd.iter().eq([[0, 0], [1, 0]]));
    let zdd: Diagram<ZeroSuppressed> =
        Diagram::new(assemble(2, Rule::ZeroSuppressed, &nodes, root).unwrap());
    assert!(zdd.iter().eq([[0, 0], [0, 1]]));
}

#[test]
fn bad_edges_are_found() {
    let leads_to = |variable, child| LooseNode { variable, children: [Link::ZERO, child] };
    let bad = |nodes: &[LooseNode]| find_bad_edge(nodes).map(|bad| (bad.node, bad.value));
    assert_eq!(bad(&[leads_to(0, Link::to(1)), leads_to(1, Link::ONE)]), None);
    assert_eq!(bad(&[leads_to(0, Link::to(1)), leads_to(0, Link::ONE)]), Some((0, 1)));
    assert_eq!(bad(&[leads_to(0, Link::to(0))]), Some((0, 1)));
    assert_eq!(bad(&[leads_to(0, Link::to(1)), leads_to(1, Link::to(0))]), Some((1, 1)));
    assert_eq!(bad(&[leads_to(0, Link::to(7))]), Some((0, 1)));
}

/// Memory and time depend on the nodes, not on the variables.
#[test]
fn many_variables_cost_nothing() {
    let children = [Link::ZERO, Link::ONE];
    let last = Arities::MAX_VARS - 1;
    let nodes = [LooseNode { variable: last as u32, children }];
    let store = assemble(last + 1, Rule::ZeroSuppressed, &nodes, Link::to(0)).unwrap();
    assert_eq!(store.node_count(), 1);
    assert_eq!(store.variable_of(FIRST_NODE), last);
}

#[test]
fn deep_diagrams() {
    let n = 100_000;
    let below = |v: usize| if v + 1 == n { Link::ONE } else { Link::to(v + 1) };
    let node = |v| LooseNode { variable: v as u32, children: [below(v), Link::ZERO] };
    let nodes: Vec<_> = (0..n).map(node).collect();
    let store = assemble(n, Rule::AnyValue, &nodes, Link::to(0)).unwrap();
    assert_eq!(store.node_count(), n);
    let store = assemble(n, Rule::ZeroSuppressed, &nodes, Link::to(0)).unwrap();
    assert_eq!(store.root, ONE);
}
