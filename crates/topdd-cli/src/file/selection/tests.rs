//! Selections from random families against brute force.

use std::collections::BTreeSet;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use topdd::format::Metadata;
use topdd::{Bdd, Zdd};
use topdd_problem::{Decimal, Scale};

use super::*;

const NAMES: [&str; 5] = ["a", "b-c", "c d", "e,f", "g"];

/// A set as the values of variables.
type Set = Vec<usize>;

fn is_part(part: &Set, whole: &Set) -> bool {
    part != whole && part.iter().zip(whole).all(|(part, whole)| part <= whole)
}

/// Draws a selection.
fn drawn(rng: &mut ChaCha8Rng) -> FileSelection {
    let mut selection = FileSelection::default();
    let Selection { with, without, cost_at_least, cost_at_most } = &mut selection.selection;
    let quoted =
        |name: &&str| if name.contains(',') { format!("{name:?}") } else { (*name).to_owned() };
    for list in [with, without] {
        let names: Vec<String> =
            NAMES.iter().filter(|_| rng.random_bool(0.1)).map(quoted).collect();
        if !names.is_empty() {
            list.push(names.join(","));
        }
    }
    for (bound, range) in [(cost_at_least, -8..4), (cost_at_most, 4..12)] {
        *bound = rng.random_bool(0.5).then(|| Decimal::from(rng.random_range(range)));
    }
    match rng.random_range(0..3) {
        0 => selection.extremes.maximal = true,
        1 => selection.extremes.minimal = true,
        _ => {}
    }
    selection
}

/// The sets of a family that a selection keeps, with these weights.
fn expected(family: &BTreeSet<Set>, asked: &FileSelection, weights: &[i64; 5]) -> BTreeSet<Set> {
    let Selection { with, without, cost_at_least, cost_at_most } = &asked.selection;
    let is_named = |lists: &[String], v: usize| lists.iter().any(|list| list.contains(NAMES[v]));
    let whole = |bound: Decimal| Scale::new([]).whole(bound).expect("a whole number");
    let is_kept = |set: &Set| {
        let cost: i64 = set
            .iter()
            .zip(weights)
            .filter(|(value, _)| **value == 1)
            .map(|(_, weight)| weight)
            .sum();
        (0..5).all(|v| set[v] == 1 || !is_named(with, v))
            && (0..5).all(|v| set[v] == 0 || !is_named(without, v))
            && cost_at_least.is_none_or(|least| whole(least) <= cost)
            && cost_at_most.is_none_or(|most| cost <= whole(most))
    };
    let kept: BTreeSet<Set> = family.iter().filter(|set| is_kept(set)).cloned().collect();
    let crate::args::Extremes { maximal, minimal } = asked.extremes;
    let is_extreme = |set: &Set| {
        !(maximal && kept.iter().any(|other| is_part(set, other))
            || minimal && kept.iter().any(|other| is_part(other, set)))
    };
    kept.iter().filter(|set| is_extreme(set)).cloned().collect()
}

#[test]
fn random_selections_agree_with_brute_force() {
    let folder = tempfile::tempdir().expect("a folder");
    let weights_file = folder.path().join("weights.txt");
    let mut rng = ChaCha8Rng::seed_from_u64(49);
    let mut metadata = Metadata::new();
    metadata.set_variable_names(NAMES);
    for round in 0..200 {
        let density = rng.random_range(0.1..1.0);
        let sets = (0..32).filter(|_| rng.random_bool(density));
        let sets = sets.map(|set| (0..5).map(|v| set >> v & 1).collect::<Set>());
        let family: BTreeSet<Set> = sets.collect();
        let diagram: AnyDiagram = if round % 2 == 0 {
            Zdd::from_solutions([2; 5], &family).unwrap().into()
        } else {
            Bdd::from_solutions([2; 5], &family).unwrap().into()
        };
        let content = Content { diagram, metadata: metadata.clone() };
        let weights: [i64; 5] = std::array::from_fn(|_| rng.random_range(-4..8));
        let lines = weights.iter().enumerate().map(|(v, weight)| format!("{v} 1 {weight}\n"));
        std::fs::write(&weights_file, lines.collect::<String>()).expect("written");
        let mut asked = drawn(&mut rng);
        asked.weights = Some(weights_file.clone());
        let Ok(diagram) = selected(&content, &Input::default(), &asked, false) else {
            panic!("round {round}: {asked:?}");
        };
        let found: BTreeSet<Set> = either!(&diagram, diagram => diagram.iter()).collect();
        assert_eq!(found, expected(&family, &asked, &weights), "round {round}: {asked:?}");
    }
}

#[test]
fn selections_that_do_not_fit_are_refused() {
    let named = |arity: usize| {
        let mut metadata = Metadata::new();
        metadata.set_variable_names(["a", "b"]);
        Content { diagram: Zdd::full([arity; 2]).unwrap().into(), metadata }
    };
    let message = |content: &Content, change: fn(&mut FileSelection)| {
        let mut asked = FileSelection::default();
        change(&mut asked);
        match selected(content, &Input::default(), &asked, false) {
            Err(Failure::Usage(message)) => message,
            other => panic!("{}", other.is_ok()),
        }
    };
    let (sets, ternary) = (named(2), named(3));
    for (content, change, word) in [
        (
            &sets,
            (|s| s.selection.with = vec!["a,x".to_owned()]) as fn(&mut FileSelection),
            "there is no variable x in ",
        ),
        (
            &sets,
            |s| s.selection.with = vec![String::new()],
            "--with: a name is missing in the list",
        ),
        (
            &sets,
            |s| s.selection.cost_at_least = Some(1.into()),
            "no weights; give a file of weights",
        ),
        (&ternary, |s| s.extremes.minimal = true, "--minimal is for sets, and variable 0"),
        (&ternary, |s| s.selection.without = vec!["a".to_owned()], "`a` is no variable and value"),
    ] {
        let message = message(content, change);
        assert!(message.contains(word), "{message}");
    }
    let crossed = Selection {
        cost_at_least: Some(2.into()),
        cost_at_most: Some(1.into()),
        ..Selection::default()
    };
    let Err(Failure::Usage(crossed)) = whole_bounds([].iter(), &crossed.cost_bounds()) else {
        panic!("bounds")
    };
    assert!(crossed.contains("--cost-at-least is above --cost-at-most"), "{crossed}");
    let mut asked = FileSelection::default();
    asked.selection.with = vec!["a=2,b=0".to_owned()];
    let Ok(diagram) = selected(&ternary, &Input::default(), &asked, false) else {
        panic!("selected")
    };
    assert!(either!(&diagram, diagram => diagram.iter()).eq([vec![2, 0]]));
}
