//! Combinations of random diagrams in files against the algebra of sets.

use std::collections::BTreeSet;
use std::path::Path;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use topdd::format::Metadata;
use topdd::{Bdd, Zdd};

use super::*;
use crate::file::open_file;

const OPERATIONS: [SetOperation; 4] =
    [SetOperation::And, SetOperation::Or, SetOperation::Difference, SetOperation::Xor];

/// A family of sets of names.
type Sets = BTreeSet<BTreeSet<String>>;

fn algebra(left: &Sets, right: &Sets, operation: SetOperation) -> Sets {
    match operation {
        SetOperation::And => left & right,
        SetOperation::Or => left | right,
        SetOperation::Difference => left - right,
        SetOperation::Xor => left ^ right,
    }
}

/// Saves a random family over some of the elements, in a random order, and returns it.
fn random_family(path: &Path, mut names: Vec<String>, is_bdd: bool, rng: &mut ChaCha8Rng) -> Sets {
    names.shuffle(rng);
    let density = rng.random_range(0.0..1.0);
    let all = 0..1u32 << names.len();
    let values = |set: u32| (0..names.len()).map(|v| (set >> v & 1) as usize).collect::<Vec<_>>();
    let solutions: Vec<Vec<usize>> = all.filter(|_| rng.random_bool(density)).map(values).collect();
    let mut metadata = Metadata::new();
    metadata.set_variable_names(&names);
    let arities = vec![2; names.len()];
    if is_bdd {
        Bdd::from_solutions(arities, &solutions).unwrap().save_with(path, &metadata).unwrap();
    } else {
        Zdd::from_solutions(arities, &solutions).unwrap().save_with(path, &metadata).unwrap();
    }
    let members = |solution: &Vec<usize>| {
        names
            .iter()
            .zip(solution)
            .filter(|(_, value)| **value == 1)
            .map(|(n, _)| n.clone())
            .collect()
    };
    solutions.iter().map(members).collect()
}

/// The sets of names in a diagram.
fn sets(content: &Content) -> Sets {
    let names = content.metadata.variable_names().expect("names");
    let solutions = either!(&content.diagram, diagram => diagram.iter());
    let members = |solution: Vec<usize>| {
        names
            .iter()
            .zip(solution)
            .filter(|(_, value)| *value == 1)
            .map(|(n, _)| n.clone())
            .collect()
    };
    solutions.map(members).collect()
}

fn combined_files(files: [&Path; 2], operation: SetOperation) -> Result<Combined, Failure> {
    let contents = files.map(|file| open_file(file).expect("a diagram"));
    combined(
        [0, 1].map(|side| Operand { file: ["left", "right"][side], content: &contents[side] }),
        operation,
    )
}

fn message(failed: Result<Combined, Failure>) -> String {
    let Err(Failure::Failed(message)) = failed else { panic!("another outcome") };
    message
}

#[test]
fn random_pairs_of_named_families_agree_with_the_algebra_of_sets() {
    let folder = tempfile::tempdir().expect("a folder");
    let [left, right] = ["left.tdd", "right.tdd"].map(|name| folder.path().join(name));
    let mut rng = ChaCha8Rng::seed_from_u64(49);
    for round in 0..200 {
        let some = |rng: &mut ChaCha8Rng| -> Vec<String> {
            let names = ["a", "b-c", "c d", "d", "e,", "f"].map(str::to_owned);
            names.into_iter().filter(|_| rng.random_bool(0.8)).collect()
        };
        let first = some(&mut rng);
        // A BDD has no values for variables of the other diagram alone.
        let is_bdd = round % 4 == 3;
        let second = if is_bdd { first.clone() } else { some(&mut rng) };
        let of_left = random_family(&left, first, is_bdd, &mut rng);
        let of_right = random_family(&right, second, is_bdd && round % 8 == 3, &mut rng);
        let operation = OPERATIONS[round / 4 % 4];
        let Ok(Combined { content, .. }) = combined_files([&left, &right], operation) else {
            panic!("round {round} failed");
        };
        let expected = algebra(&of_left, &of_right, operation);
        assert_eq!(sets(&content), expected, "round {round}, {operation:?}");
        assert_eq!(content.diagram.count(), expected.len().into(), "round {round}");
    }
}

#[test]
fn variables_without_names_are_matched_by_number_with_any_number_of_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let save = |name: &str, arities: &[usize], solutions: &[Vec<usize>]| {
        Zdd::from_solutions(arities, solutions).unwrap().save(place(name)).unwrap();
    };
    let (left, right) = (vec![vec![0, 2, 1], vec![1, 1, 0]], vec![vec![1, 1, 0], vec![2, 0, 0]]);
    save("left.tdd", &[3, 3, 2], &left);
    save("right.tdd", &[3, 3, 2], &right);
    let [left_set, right_set] = [left, right].map(|all| all.into_iter().collect::<BTreeSet<_>>());
    for operation in OPERATIONS {
        let done = combined_files([&place("left.tdd"), &place("right.tdd")], operation);
        let Ok(Combined { content, notes }) = done else { panic!("{operation:?}") };
        let found: BTreeSet<Vec<usize>> =
            either!(&content.diagram, diagram => diagram.iter()).collect();
        let expected = match operation {
            SetOperation::And => &left_set & &right_set,
            SetOperation::Or => &left_set | &right_set,
            SetOperation::Difference => &left_set - &right_set,
            SetOperation::Xor => &left_set ^ &right_set,
        };
        assert_eq!((found, notes), (expected, Vec::new()), "{operation:?}");
    }
    save("short.tdd", &[3, 3], &[]);
    save("other.tdd", &[3, 2, 2], &[]);
    let with_left =
        |name: &str| message(combined_files([&place("left.tdd"), &place(name)], SetOperation::Or));
    let short = with_left("short.tdd");
    assert!(
        short.contains("left has 3 variables and right has 2") && short.contains("hint: "),
        "{short}"
    );
    let other = with_left("other.tdd");
    assert!(other.contains("variable 1 has 3 values in left and 2 in right"), "{other}");
}

#[test]
fn variables_that_cannot_be_matched_by_name_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let save = |file: &str, names: &[&str], arity: usize| {
        let mut metadata = Metadata::new();
        metadata.set_variable_names(names.iter().copied());
        let zdd = Zdd::full(vec![arity; names.len()]).unwrap();
        zdd.save_with(place(file), &metadata).unwrap();
        zdd.to_bdd()
            .unwrap()
            .save_with(place(&file.replace(".tdd", "-bdd.tdd")), &metadata)
            .unwrap();
    };
    save("ab.tdd", &["a", "b"], 2);
    save("bc.tdd", &["b", "c"], 2);
    save("aa.tdd", &["a", "a"], 2);
    save("ternary.tdd", &["b", "c"], 3);
    save("alone.tdd", &["c"], 3);
    let both =
        |left: &str, right: &str| combined_files([&place(left), &place(right)], SetOperation::And);
    let Ok(Combined { notes, content }) = both("ab.tdd", "bc.tdd") else { panic!("combined") };
    assert_eq!(content.diagram.count(), 2u32.into());
    assert!(
        notes[0] == "right has no variable a; no solution of right uses it"
            && notes[1] == "left has no variable c; no solution of left uses it"
            && notes[2].contains("the names of the variables alone"),
        "{notes:?}"
    );
    Zdd::full([2; 2]).unwrap().save(place("unnamed.tdd")).unwrap();
    let Ok(Combined { notes, .. }) = both("ab.tdd", "unnamed.tdd") else { panic!("combined") };
    assert!(notes[0].contains("matched by number, as right has no names"), "{notes:?}");
    for (left, right, word) in [
        ("ab-bdd.tdd", "bc-bdd.tdd", "not both ZDDs"),
        ("ab.tdd", "bc-bdd.tdd", "not both ZDDs"),
        ("ab.tdd", "aa.tdd", "several variables of right have the name a"),
        ("aa.tdd", "ab.tdd", "several variables of left have the name a"),
        ("ab.tdd", "ternary.tdd", "variable b has 2 values in left and 3 in right"),
        ("ab.tdd", "alone.tdd", "is a variable of right only"),
    ] {
        let message = message(both(left, right));
        assert!(message.contains(word), "{left}, {right}: {message}");
    }
}
