//! Planted mistakes in joined specs.

use super::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// Ways down a triangle of numbers. A place is left out if the least total of a way to it is more than 12.
struct Triangle {
    plant: Plant,
    calls: AtomicU32,
}

#[derive(Clone, Copy, PartialEq)]
enum Plant {
    None,
    Impure,
    Backwards,
    Wrong,
    Panic,
}

const ROWS: [[u32; 6]; 5] = [
    [1, 5, 0, 0, 0, 0],
    [4, 1, 1, 0, 0, 0],
    [2, 2, 1, 9, 0, 0],
    [3, 1, 4, 1, 5, 0],
    [1, 1, 2, 3, 5, 8],
];

impl JoinSpec for Triangle {
    type State = usize;
    type Joined = u32;
    fn num_vars(&self) -> usize {
        5
    }
    fn root(&self) -> Step<(usize, u32)> {
        Step::To(0, (0, 0))
    }
    fn child(&self, place: &usize, least: &u32, row: usize, right: usize) -> Step<(usize, u32)> {
        assert!(self.plant != Plant::Panic || row < 3, "a planted panic");
        let more = if self.plant == Plant::Impure {
            self.calls.fetch_add(1, Ordering::Relaxed)
        } else {
            0
        };
        let most = if self.plant == Plant::Wrong && row == 2 { 6 } else { 12 };
        let total = least + ROWS[row][place + right] + more;
        if total > most {
            Step::Zero
        } else if row == 4 {
            Step::One
        } else {
            Step::To(
                if self.plant == Plant::Backwards { row } else { row + 1 },
                (place + right, total),
            )
        }
    }
    fn join(one: &u32, other: &u32) -> u32 {
        *one.min(other)
    }
}

/// The meaning, by the least totals of all ways to each place.
fn is_left(assignment: &[usize]) -> bool {
    let mut least = vec![0];
    let mut place = 0;
    for (row, &right) in assignment.iter().enumerate() {
        let mut next = vec![u32::MAX; row + 2];
        for (from, total) in least.iter().enumerate().filter(|(_, total)| **total < u32::MAX) {
            for to in [from, from + 1] {
                let sum = total + ROWS[row][to];
                if sum <= 12 {
                    next[to] = next[to].min(sum);
                }
            }
        }
        if least[place] == u32::MAX || least[place] + ROWS[row][place + right] > 12 {
            return false;
        }
        place += right;
        least = next;
    }
    true
}

fn check(plant: Plant) -> Result<Verified, JoinError> {
    joined(&Triangle { plant, calls: AtomicU32::new(0) }, is_left)
}

#[test]
fn a_right_spec_is_counted() {
    let solutions = check(Plant::None).unwrap();
    let all = (0..32_usize).filter(|bits| is_left(&[4, 3, 2, 1, 0].map(|bit| bits >> bit & 1)));
    assert_eq!(solutions.solutions(), Some(&all.count().into()));
}

#[test]
fn planted_mistakes_are_found() {
    assert!(matches!(check(Plant::Impure), Err(JoinError::Impure { variable: 0, value: 0, .. })));
    assert!(matches!(check(Plant::Backwards), Err(JoinError::Spec(BuildError::BadStep { .. }))));
    match check(Plant::Wrong) {
        Err(JoinError::Verify(VerifyError::Mismatch(found))) => {
            assert!(is_left(found.assignment()));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(check(Plant::Panic), Err(JoinError::Spec(BuildError::Panicked { .. }))));
}

/// Subsets of four numbers, whose parts are joined to a list.
struct Lists;

impl JoinSpec for Lists {
    type State = ();
    type Joined = Vec<u8>;
    fn num_vars(&self) -> usize {
        4
    }
    fn root(&self) -> Step<((), Vec<u8>)> {
        Step::To(0, ((), vec![0]))
    }
    fn child(&self, (): &(), list: &Vec<u8>, at: usize, value: usize) -> Step<((), Vec<u8>)> {
        let list = [&list[..], &[value as u8]].concat();
        if at == 3 { Step::One } else { Step::To(at + 1, ((), list)) }
    }
    fn join(one: &Vec<u8>, other: &Vec<u8>) -> Vec<u8> {
        [&one[..], other].concat()
    }
}

#[test]
fn a_join_that_depends_on_the_order_is_found() {
    let error = joined(&Lists, |_| true).unwrap_err();
    assert_eq!(
        error.to_string(),
        "at variable 1, `join` of ((), [0, 0]) and ((), [0, 1]) depends on their order; it must be commutative"
    );
}
