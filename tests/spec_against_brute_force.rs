//! Random specs: the engine, the diagram and its queries compared with brute force, under both rules
//! and for mixed arities.

use proptest::prelude::*;
use topdd::check::strategies::specs;
use topdd::check::{RandomSpec, brute_force};
use topdd::diagram::DiagramRule;
use topdd::{Bdd, Children, DdSpec, Diagram, Evaluator, Frontier, Rule, Zdd};

/// Counts with an evaluator. The rule decides how it reads skipped variables.
struct CountBy<R: DiagramRule>(Diagram<R>);

impl<R: DiagramRule> CountBy<R> {
    fn factor(&self, skipped: std::ops::Range<usize>) -> u128 {
        match R::RULE {
            Rule::ZeroSuppressed => 1,
            Rule::AnyValue => skipped.map(|v| self.0.arity(v) as u128).product(),
        }
    }
}

impl<R: DiagramRule> Evaluator for CountBy<R> {
    type Value = u128;
    fn zero(&mut self) -> u128 {
        0
    }
    fn one(&mut self) -> u128 {
        1
    }
    fn node(&mut self, _: usize, children: Children<'_, u128>) -> u128 {
        children.map(|child| child.to * self.factor(child.skipped)).sum()
    }
    fn root(&mut self, skipped: std::ops::Range<usize>, value: u128) -> u128 {
        value * self.factor(skipped)
    }
}

fn assignments(spec: &impl DdSpec) -> Vec<Vec<usize>> {
    (0..spec.num_vars()).fold(vec![vec![]], |prefixes, v| {
        let extend =
            |p: Vec<usize>| (0..spec.arity(v)).map(move |value| [p.clone(), vec![value]].concat());
        prefixes.into_iter().flat_map(extend).collect()
    })
}

fn agrees<R: DiagramRule>(spec: &RandomSpec) -> Result<Diagram<R>, TestCaseError> {
    let expected = brute_force(spec, R::RULE).unwrap();
    let diagram: Diagram<R> = Frontier::over(spec).diagram().unwrap();
    let count = Frontier::over(spec).count_under(R::RULE).unwrap();
    prop_assert_eq!(&count, &expected.len().into());
    prop_assert_eq!(&diagram.count(), &count);
    prop_assert_eq!(diagram.is_empty(), expected.is_empty());
    prop_assert_eq!(diagram.iter().collect::<Vec<_>>(), expected.clone());
    prop_assert_eq!(diagram.evaluate(&mut CountBy(diagram.clone())), expected.len() as u128);
    prop_assert_eq!(diagram.widths().iter().sum::<usize>(), diagram.node_count());
    for assignment in assignments(spec) {
        let position = expected.binary_search(&assignment);
        prop_assert_eq!(diagram.contains(&assignment).unwrap(), position.is_ok());
        let rest = diagram.iter_from(&assignment).unwrap();
        let from = position.unwrap_or_else(|next| next);
        prop_assert_eq!(rest.collect::<Vec<_>>(), expected[from..].to_vec());
    }
    // A diagram is a spec of its own family.
    prop_assert_eq!(&topdd::frontier::Frontier::over(&diagram).diagram::<R>().unwrap(), &diagram);
    Ok(diagram)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn engine_and_diagram_agree_with_brute_force(spec in specs()) {
        let zdd = agrees::<topdd::diagram::ZeroSuppressed>(&spec)?;
        let bdd = agrees::<topdd::diagram::AnyValue>(&spec)?;
        let as_bdd: Bdd = zdd.to_bdd().unwrap();
        prop_assert_eq!(as_bdd.iter().collect::<Vec<_>>(), zdd.iter().collect::<Vec<_>>());
        prop_assert_eq!(as_bdd.to_zdd().unwrap(), zdd);
        let as_zdd: Zdd = bdd.to_zdd().unwrap();
        prop_assert_eq!(as_zdd.iter().collect::<Vec<_>>(), bdd.iter().collect::<Vec<_>>());
        prop_assert_eq!(as_zdd.to_bdd().unwrap(), bdd);
    }
}
