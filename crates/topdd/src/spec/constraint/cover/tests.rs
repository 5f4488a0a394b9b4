//! Exact covers against brute force.

use super::*;
use crate::{Frontier, Rule, SpecExt, check};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

/// Covers of up to six items, some of them secondary or with bounds.
fn covers() -> impl Strategy<Value = ExactCover> {
    let option = btree_set(0..6_usize, 1..4);
    let bounds = (0..3_usize, 0..4_usize).prop_map(|(least, more)| least..=least + more);
    (vec(option, 0..9), vec((0..6_usize, bounds), 0..4), btree_set(0..6_usize, 0..3)).prop_map(
        |(options, times, secondary)| {
            let cover = exact_cover(6, options).secondary(secondary);
            times.into_iter().fold(cover, |cover, (item, bounds)| cover.times([item], bounds))
        },
    )
}

/// Whether chosen options cover each item within its bounds.
fn covers_all(cover: &ExactCover, chosen: &[usize]) -> bool {
    (0..cover.num_items).all(|item| {
        let has_item =
            |&(option, &value): &(&Vec<usize>, &usize)| value == 1 && option.contains(&item);
        let count = cover.options.iter().zip(chosen).filter(has_item).count();
        let bounds = cover.times.iter().rev().find(|(of, _)| *of == item);
        bounds.map_or(count == 1, |(_, bounds)| bounds.contains(&count))
    })
}

proptest! {
    #[test]
    fn random_covers_are_those_of_brute_force(cover in covers()) {
        let verified = check::verify(&cover.clone().boxed(), |chosen| covers_all(&cover, chosen));
        prop_assert!(verified.unwrap().all_states());
    }

    #[test]
    fn any_number_of_threads_and_little_memory_give_the_same_bytes(cover in covers()) {
        let bytes = |sweep: Frontier<'_>| {
            let mut bytes = Vec::new();
            sweep.memory_limit(1 << 20).zdd().unwrap().write_to(&mut bytes).unwrap();
            bytes
        };
        let alone = bytes(Frontier::of_arrays(cover.clone()).threads(1));
        prop_assert_eq!(&alone, &bytes(Frontier::of_arrays(cover.clone()).threads(3)));
        prop_assert_eq!(&alone, &bytes(Frontier::of_boxed(cover.boxed())));
    }
}

#[test]
fn items_covered_several_times_share_words_and_free_them() {
    // A limit of six takes four bits: sixteen items in a word, or all items one after the other in the same bits.
    let options = |item: fn(usize) -> usize| (0..1000).map(move |option| [item(option)]);
    let beside = exact_cover(100, options(|option| option % 100)).times(0..100, 4..=6);
    assert_eq!(beside.steps().unwrap().num_words, 7);
    let in_blocks = exact_cover(100, options(|option| option / 10)).times(0..100, 4..=6);
    assert_eq!(in_blocks.steps().unwrap().num_words, 1);
    let count = crate::BigUint::from(210 + 252 + 210_u32).pow(100);
    assert_eq!(Frontier::of_arrays(in_blocks).count().unwrap(), count);
}

#[test]
fn without_options_or_items_there_is_one_choice_or_none() {
    let none = [[0; 0]; 0];
    let count = |cover| Frontier::of_arrays(cover).count().unwrap();
    assert_eq!(count(exact_cover(0, none)), 1u32.into());
    assert_eq!(count(exact_cover(1, none)), 0u32.into());
    assert_eq!(count(exact_cover(1, none).secondary([0])), 1u32.into());
    assert_eq!(count(exact_cover(2, [[0], [0]])), 0u32.into());
}

#[test]
fn bad_options_and_bounds_are_errors() {
    let expected = [
        (exact_cover(2, [vec![0], vec![]]), "option 1 has no items; leave it out"),
        (exact_cover(2, [[0, 2]]), "option 0: there is no item 2: the number of items is 2"),
        (exact_cover(2, [[1, 1]]), "option 0 has item 1 twice"),
        (exact_cover(2, [[0, 1]]).secondary([5]), "there is no item 5"),
        (exact_cover(2, [[0, 1]]).times([1], 3..3), "item 1: the range 3..=2 is empty"),
    ];
    for (cover, message) in expected {
        let error = Frontier::of_arrays(cover).count().unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn dominoes_on_a_chessboard() {
    let square = |row: usize, column: usize| 8 * column + row;
    let mut dominoes: Vec<[usize; 2]> = Vec::new();
    for (row, column) in (0..64).map(|index| (index % 8, index / 8)) {
        if row < 7 {
            dominoes.push([square(row, column), square(row + 1, column)]);
        }
        if column < 7 {
            dominoes.push([square(row, column), square(row, column + 1)]);
        }
    }
    let tilings = exact_cover(64, dominoes).boxed();
    assert_eq!(crate::count(&tilings).unwrap(), 12_988_816u32.into());
    check::contract(&tilings, Rule::ZeroSuppressed, 2000).unwrap();
}

/// A forced option of one operand leads the others to states without solutions.
#[test]
fn unions_of_covers_keep_their_contract() {
    let one = exact_cover(2, [vec![1], vec![0, 1], vec![0, 1]]);
    let two = exact_cover(3, [vec![0], vec![1, 2], vec![2]]);
    let covers = [one.clone(), two.clone()];
    let is_either = |chosen: &[usize]| covers.iter().any(|cover| covers_all(cover, chosen));
    let verified = check::verify(&one.boxed().or(two.boxed()), is_either).unwrap();
    assert!(verified.all_states());
    assert_eq!(verified.solutions(), Some(&3u32.into()));
}
