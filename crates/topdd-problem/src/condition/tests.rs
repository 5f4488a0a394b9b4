use topdd_graph::families::Order;

use super::*;
use crate::decimal::Scale;
use crate::family::Family;

/// Conditions on sets of elements of a graph of so many vertices and edges.
fn conditions(elements: usize) -> Vec<Condition> {
    let weights: Vec<i64> = (0..).map(|at| at % 4 - 1).take(elements).collect();
    let cost = |least, most| {
        let scale = Scale::default();
        Condition::Cost(SumBounds { weights: weights.clone(), least, most, scale })
    };
    vec![
        Condition::Size { least: Some(1), most: None },
        Condition::Size { least: None, most: Some(3) },
        Condition::Size { least: Some(2), most: Some(2) },
        Condition::Elements { elements: vec![(0, 1), (2, 1)], taken: true },
        Condition::Elements { elements: vec![(1, 1)], taken: false },
        Condition::Vertices { vertices: vec![0, 4], taken: true },
        Condition::Vertices { vertices: vec![3], taken: false },
        cost(Some(0), None),
        cost(Some(-1), Some(1)),
    ]
}

#[test]
fn conditions_before_and_after_a_sweep_have_equal_solutions() {
    let grid = Graph::grid(2, 3);
    let families = [
        Family::Forests,
        Family::Paths { from: Some(0), to: None, hamiltonian: false },
        Family::IndependentSets { distance: None },
        Family::EdgeSets,
        Family::VertexSets,
    ];
    for family in families {
        let all = family.sets(&grid).unwrap().order(Order::Bfs);
        let order = all.element_order().unwrap();
        let on = On { graph: Some(&grid), unit: all.unit(), order: &order };
        let diagram = all.zdd().unwrap();
        for condition in conditions(order.len()) {
            let before = condition.before(all.clone()).zdd().unwrap();
            let after = condition.after(diagram.diagram(), on, &Unlimited).unwrap();
            assert_eq!(&after, before.diagram(), "{family:?}, {condition:?}");
        }
    }
}

#[test]
fn colourings_take_colours_only() {
    let grid = Graph::grid(2, 2);
    let family = Family::Colourings { colours: 3 };
    let all = family.sets(&grid).unwrap().order(Order::Given);
    let on = On { graph: Some(&grid), unit: Unit::Colour, order: &[0, 1, 2, 3] };
    let diagram = all.zdd().unwrap();
    for taken in [true, false] {
        let fixed = Condition::Elements { elements: vec![(0, 2), (3, 1)], taken };
        let before = fixed.before(all.clone()).zdd().unwrap();
        assert_eq!(&fixed.after(diagram.diagram(), on, &Unlimited).unwrap(), before.diagram());
    }
    let small = Condition::Size { least: None, most: Some(1) };
    assert_eq!(small.before(all).check(), Err(FamilyError::SetConstraint));
    let refused = small.after(diagram.diagram(), on, &Unlimited);
    assert!(matches!(refused, Err(ConditionError::NoSets { variable: 0, values: 3 })));
}

#[test]
fn extremes_are_those_of_the_diagram() {
    let path = Graph::path(4);
    let all = Family::Matchings.sets(&path).unwrap().order(Order::Given);
    let on = On { graph: Some(&path), unit: Unit::Edge, order: &[0, 1, 2] };
    let diagram = all.zdd().unwrap();
    let kept =
        |condition: Condition| condition.after(diagram.diagram(), on, &Unlimited).unwrap().count();
    assert_eq!(kept(Condition::Maximal), 2u32.into());
    assert_eq!(kept(Condition::Minimal), 1u32.into());
}

#[test]
fn conditions_that_keep_parts_are_known() {
    let keep = conditions(7).into_iter().map(|condition| condition.keeps_parts());
    let kept: Vec<bool> = keep.collect();
    assert_eq!(kept, [false, true, false, false, true, false, true, false, false]);
}
