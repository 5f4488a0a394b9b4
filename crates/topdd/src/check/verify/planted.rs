//! Thirty mistakes planted into twelve specs, and the kinds of samples that find them.
//!
//! The table is printed by `cargo test -p topdd --lib planted -- --nocapture`.

use super::samples::{AssignmentSource, CHANGES, ENDS, Origin, PATHS, SampleChange, Samples};
use super::{Verdicts, VerifyError};
use crate::check::Verification;
use crate::check::walk::walk;
use crate::spec::{BoxedSpec, ErasedSpec};
use crate::{Rule, SpecExt, Zdd, dp};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Instant;

/// Makes a spec: right for 0, and with a mistake for other numbers.
type Make = fn(usize) -> BoxedSpec<'static>;
type Predicate = fn(&[usize]) -> bool;

/// The specs, their predicates, and their mistakes from 1 on.
const CASES: [(&str, Make, Predicate, &[&str]); 14] = [
    ("permutations of 7 without falling 3", |wrong| unfalling(7, wrong), is_unfalling, &FALLING_2),
    ("permutations of 9 without falling 3", |wrong| unfalling(9, wrong), is_unfalling, &FALLING_2),
    (
        "permutations of 12 without falling 3",
        |wrong| unfalling(12, wrong),
        is_unfalling,
        &[FALLING_2[0], FALLING_2[1], "- 3 is forgotten as an end"],
    ),
    (
        "ten values three times, near their places",
        placed,
        is_placed,
        &["+ place 16 never has 5", "- place 22 may be 2 away"],
    ),
    ("sparse subsets", sparse, is_sparse, &["+ never 10 members", "- 13 and 14 may be"]),
    ("subsets with sum 100", sums, is_sum, &["+ 24 is never in", "- sum 101 with 24"]),
    ("5 of 29, and a flag", fives, is_five, &["+ 3 and 20 never together", "+ never flagged"]),
    (
        "words without 22 and 00000",
        words,
        is_word,
        &["+ 2 is never first", "+ never 212", "+ 2 ends no run at 17"],
    ),
    ("balanced brackets", brackets, is_balanced, &["+ depth at most 5", "- negative at 13"]),
    (
        "walks that avoid themselves",
        walks,
        is_walk,
        &["+ never ends upwards", "- returns to start"],
    ),
    (
        "paths in a grid, by edges",
        paths,
        is_path,
        &["+ edges 0 and 11 never both", "- a cycle at 16"],
    ),
    (
        "rosters",
        rosters,
        is_roster,
        &["+ person 0 never late at last", "- early after late on day 3"],
    ),
    ("queens, by row", queens, is_queens, &["+ never in the corner", "- no diagonal in row 4"]),
    ("rooks, by cell", rooks, is_rooks, &["+ two corners never both", "- column 3 twice"]),
];

const FALLING_2: [&str; 2] = ["+ the largest is never last", "+ 0 is never first"];

fn unfalling(n: usize, wrong: usize) -> BoxedSpec<'static> {
    // The used values; the largest value, and the largest end of a falling pair, both plus one.
    dp(n, (0u16, 0u8, 0u8))
        .arity(n)
        .step(move |&(used, largest, end), v, value| {
            let next = value as u8 + 1;
            let planted =
                wrong == 1 && v == n - 1 && value == n - 1 || wrong == 2 && v == 0 && value == 0;
            if used >> value & 1 == 1 || next < end || planted {
                return None;
            }
            let used = used | 1 << value;
            Some(match next > largest {
                true => (used, next, end),
                false if wrong == 3 && value == 3 => (used, largest, end),
                false => (used, largest, next),
            })
        })
        .accept(|_| true)
        .boxed()
}

fn is_permutation(values: &[usize]) -> bool {
    (0..values.len()).all(|i| !values[..i].contains(&values[i]))
}

fn is_unfalling(values: &[usize]) -> bool {
    let greater = |to: usize| (0..to).filter(move |&at| values[at] > values[to]);
    is_permutation(values)
        && (0..values.len()).all(|k| greater(k).all(|j| greater(j).next().is_none()))
}

fn placed(wrong: usize) -> BoxedSpec<'static> {
    // How often each value was taken.
    dp(30, [0u8; 10])
        .arity(10)
        .step(move |&taken, v, value| {
            let most = if wrong == 2 && v == 22 { 2 } else { 1 };
            let planted = wrong == 1 && v == 16 && value == 5;
            let mut taken = taken;
            taken[value] += 1;
            // The values behind the place must have been taken three times.
            let all = (0..10).all(|value| v / 3 < value + 1 + most || taken[value] == 3);
            let fits = (v / 3).abs_diff(value) <= most && taken[value] <= 3 && !planted && all;
            fits.then_some(taken)
        })
        .accept(|taken| *taken == [3; 10])
        .boxed()
}

fn is_placed(values: &[usize]) -> bool {
    let times = |value| values.iter().filter(|&&other| other == value).count();
    (0..10).all(|value| times(value) == 3)
        && values.iter().enumerate().all(|(at, value)| (at / 3).abs_diff(*value) <= 1)
}

fn sparse(wrong: usize) -> BoxedSpec<'static> {
    let most = if wrong == 1 { 9 } else { 10 };
    dp(30, (false, 0u8))
        .step(move |&(last, count), v, value| {
            if value == 0 {
                return Some((false, count));
            }
            let beside = last && !(wrong == 2 && v == 14);
            (!beside && count < most).then_some((true, count + 1))
        })
        .accept(|_| true)
        .boxed()
}

fn is_sparse(set: &[usize]) -> bool {
    set.windows(2).all(|two| two != [1, 1]) && set.iter().sum::<usize>() <= 10
}

fn sums(wrong: usize) -> BoxedSpec<'static> {
    dp(24, (0usize, false))
        .step(move |&(sum, _), v, value| {
            let sum = sum + value * (v + 1);
            let planted = wrong == 1 && v == 23 && value == 1;
            (sum <= 101 && !planted).then_some((sum, v == 23 && value == 1))
        })
        .accept(move |&(sum, last)| sum == 100 || wrong == 2 && sum == 101 && last)
        .boxed()
}

fn is_sum(set: &[usize]) -> bool {
    set.iter().enumerate().map(|(v, value)| (v + 1) * value).sum::<usize>() == 100
}

fn fives(wrong: usize) -> BoxedSpec<'static> {
    dp(30, (0usize, false))
        .step(move |&(count, third), v, value| {
            if v == 29 {
                return (wrong != 2 || value == 0).then_some((count, third));
            }
            let planted = wrong == 1 && v == 20 && third && value == 1;
            let next = (count + value, third || v == 3 && value == 1);
            (!planted && count + value <= 5).then_some(next)
        })
        .accept(|&(count, _)| count == 5)
        .boxed()
}

fn is_five(set: &[usize]) -> bool {
    set[..29].iter().sum::<usize>() == 5
}

fn words(wrong: usize) -> BoxedSpec<'static> {
    // The last two letters, the number of ones, and the zeros at the end.
    dp(24, ([3usize; 2], 0usize, 0usize))
        .arity(3)
        .step(move |&([before, last], ones, zeros), v, letter| {
            let planted = wrong == 1 && v == 0 && letter == 2
                || wrong == 2 && [before, last, letter] == [2, 1, 2];
            let ends = letter == 2 && wrong == 3 && v == 17 && zeros == 4;
            let run = if letter == 0 { zeros + 1 } else { usize::from(ends) };
            let right = !(last == 2 && letter == 2) && run < 5 && !planted;
            right.then_some(([last, letter], (ones + usize::from(letter == 1)) % 3, run))
        })
        .accept(|&(_, ones, _)| ones == 0)
        .boxed()
}

fn is_word(word: &[usize]) -> bool {
    word.windows(2).all(|two| two != [2, 2])
        && word.windows(5).all(|five| five != [0; 5])
        && word.iter().filter(|&&letter| letter == 1).count() % 3 == 0
}

fn brackets(wrong: usize) -> BoxedSpec<'static> {
    dp(26, 0i32)
        .step(move |&depth, v, value| {
            let depth = depth + if value == 1 { 1 } else { -1 };
            let least = if wrong == 2 && v == 13 { -1 } else { 0 };
            let lifted = wrong == 2 && v == 14 && depth >= -2;
            let right = (depth >= least || lifted) && !(wrong == 1 && depth > 5);
            right.then_some(depth)
        })
        .accept(|&depth| depth == 0)
        .boxed()
}

fn is_balanced(word: &[usize]) -> bool {
    let end = word.iter().try_fold(0usize, |depth, &value| match value {
        1 => Some(depth + 1),
        _ => depth.checked_sub(1),
    });
    end == Some(0)
}

/// The cell of a board of 5 x 5 after a step up, down, left or right.
fn beside(cell: usize, direction: usize) -> Option<usize> {
    let (row, column) = (cell / 5, cell % 5);
    match direction {
        0 => cell.checked_sub(5),
        1 => (row < 4).then_some(cell + 5),
        2 => (column > 0).then(|| cell - 1),
        _ => (column < 4).then_some(cell + 1),
    }
}

fn walks(wrong: usize) -> BoxedSpec<'static> {
    dp(12, (1u32 << 12, 12usize))
        .arity(4)
        .step(move |&(visited, cell), v, direction| {
            let cell = beside(cell, direction)?;
            let again = visited >> cell & 1 == 1 && !(wrong == 2 && cell == 12);
            let planted = wrong == 1 && v == 11 && direction == 0;
            (!again && !planted).then_some((visited | 1 << cell, cell))
        })
        .accept(|_| true)
        .boxed()
}

fn is_walk(directions: &[usize]) -> bool {
    let mut cells = vec![12];
    directions.iter().all(|&direction| {
        let next = beside(cells[cells.len() - 1], direction);
        let next = next.filter(|next| !cells.contains(next));
        cells.extend(next);
        next.is_some()
    })
}

/// The edges of a grid of 4 x 4.
fn edges() -> Vec<[usize; 2]> {
    let right = |at: usize| (at % 4 < 3).then_some([at, at + 1]);
    let down = |at: usize| (at < 12).then_some([at, at + 4]);
    (0..16).flat_map(|at| [right(at), down(at)]).flatten().collect()
}

fn paths(wrong: usize) -> BoxedSpec<'static> {
    let (edges, inner) = (edges(), 16u8);
    let start: Vec<u8> = (0..16).collect();
    let last_edge = |vertex: usize| edges.iter().rposition(|edge| edge.contains(&vertex));
    let last: Vec<usize> = (0..16).filter_map(last_edge).collect();
    // The other end of the path at each vertex; whether edge 0 is taken.
    dp(24, (start, false))
        .step(move |(mates, first), v, taken| {
            let mut mates = mates.clone();
            let [a, b] = edges[v];
            if taken == 1 {
                let [end_a, end_b] = [mates[a], mates[b]];
                let cycle = usize::from(end_a) == b;
                let is_wrong = cycle && !(wrong == 2 && v == 16) || wrong == 1 && v == 11 && *first;
                if end_a == inner || end_b == inner || is_wrong {
                    return None;
                }
                mates[a] = inner;
                mates[b] = inner;
                if !cycle {
                    mates[usize::from(end_a)] = end_b;
                    mates[usize::from(end_b)] = end_a;
                }
            }
            for at in [a, b].into_iter().filter(|&at| last[at] == v && at > 0 && at < 15) {
                if mates[at] != inner && usize::from(mates[at]) != at {
                    return None;
                }
                mates[at] = inner;
            }
            Some((mates, *first || v == 0 && taken == 1))
        })
        .accept(|(mates, _)| mates[0] == 15)
        .boxed()
}

fn is_path(taken: &[usize]) -> bool {
    let edges: Vec<[usize; 2]> =
        edges().into_iter().zip(taken).filter(|(_, taken)| **taken == 1).map(|of| of.0).collect();
    let (mut at, mut length, mut before) = (0, 0, None);
    // Follows the only way on from the first corner.
    loop {
        let here = edges.iter().enumerate().filter(|(_, edge)| edge.contains(&at));
        let mut on = here.clone().filter(|(i, _)| Some(*i) != before);
        let allowed = if before.is_none() || at == 15 { 1 } else { 2 };
        if here.clone().count() != allowed {
            return false;
        }
        let Some((i, edge)) = on.next() else { break };
        (at, before, length) = (edge[0] + edge[1] - at, Some(i), length + 1);
        if length > edges.len() {
            return false;
        }
    }
    at == 15 && length == edges.len()
}

fn rosters(wrong: usize) -> BoxedSpec<'static> {
    // The last shift and the days off of each of four people; the early and the late shifts of the day.
    dp(20, ([0u8; 4], [0u8; 4], [0u8; 2]))
        .arity(3)
        .step(move |&(mut last, mut off, mut day), v, shift| {
            let (date, person) = (v / 4, v % 4);
            let tired = last[person] == 2 && !(wrong == 2 && date == 3 && person == 1);
            match shift {
                0 => off[person] = (off[person] + 1).min(1),
                1 if day[0] < 2 && !tired => day[0] += 1,
                2 if day[1] < 1 && !(wrong == 1 && date == 4 && person == 0) => day[1] += 1,
                _ => return None,
            }
            last[person] = shift as u8;
            if person == 3 {
                if day[0] == 0 || day[1] == 0 {
                    return None;
                }
                day = [0; 2];
            }
            Some((last, off, day))
        })
        .accept(|(_, off, _)| off.iter().all(|&days| days >= 1))
        .boxed()
}

fn is_roster(shifts: &[usize]) -> bool {
    let times = |day: &[usize], shift| day.iter().filter(|&&other| other == shift).count();
    let person = |p: usize| shifts.iter().skip(p).step_by(4).copied().collect::<Vec<_>>();
    shifts.chunks(4).all(|day| times(day, 2) == 1 && (1..=2).contains(&times(day, 1)))
        && (0..4).map(person).all(|own| own.contains(&0) && own.windows(2).all(|two| two != [2, 1]))
}

fn queens(wrong: usize) -> BoxedSpec<'static> {
    dp(8, (0u8, 0u8, 0u8))
        .arity(8)
        .step(move |&(columns, left, right), row, column| {
            let bit = 1u8 << column;
            let planted = wrong == 1 && row == 0 && column == 0;
            let seen = if wrong == 2 && row == 4 { right } else { left | right };
            let free = (columns | seen) & bit == 0 && !planted;
            free.then_some((columns | bit, (left | bit) << 1, (right | bit) >> 1))
        })
        .accept(|_| true)
        .boxed()
}

fn is_queens(columns: &[usize]) -> bool {
    (0..columns.len())
        .all(|b| (0..b).all(|a| ![0, b - a].contains(&columns[a].abs_diff(columns[b]))))
}

fn rooks(wrong: usize) -> BoxedSpec<'static> {
    // The columns with a rook, whether this row and the first cell have one.
    dp(36, (0u8, false, false))
        .step(move |&(columns, row, corner), v, value| {
            let (here, last) = (v % 6, v % 6 == 5);
            if value == 0 {
                return (!last || row).then_some((columns, row && !last, corner));
            }
            let planted = wrong == 1 && v == 35 && corner;
            let taken = columns >> here & 1 == 1;
            let bit = if wrong == 2 && here == 3 { 0 } else { 1 << here };
            (!row && !taken && !planted).then_some((columns | bit, !last, corner || v == 0))
        })
        .accept(|_| true)
        .boxed()
}

fn is_rooks(cells: &[usize]) -> bool {
    let one = |cells: Vec<usize>| cells.iter().sum::<usize>() == 1;
    let column = |c: usize| one(cells.iter().skip(c).step_by(6).copied().collect());
    cells.chunks(6).all(|row| one(row.to_vec())) && (0..6).all(column)
}

/// The number of solutions drawn for each kind.
const DRAWN: usize = 1000;

type Judge<'a> = Box<dyn Fn(&[usize]) -> Result<Verdicts, VerifyError> + 'a>;

/// A kind of sample.
enum Kind {
    Uniform,
    Solutions,
    /// Walks from solutions by these changes.
    Walks(&'static [SampleChange]),
    Ends,
}

impl Kind {
    /// Returns the number of samples up to the first that finds the mistake. `None` if none does.
    fn find(&self, spec: &BoxedSpec<'_>, zdd: &Zdd, right: Predicate) -> Option<u64> {
        let erased = ErasedSpec::new(spec);
        let (count, found) = (Cell::new(0), Cell::new(None));
        let judge: Judge<'_> = Box::new(|assignment: &[usize]| {
            count.set(count.get() + 1);
            let verdicts = Verdicts {
                predicate: right(assignment),
                child: walk(&erased, Rule::ZeroSuppressed, assignment, |_| {})?,
                diagram: None,
                search: None,
            };
            if found.get().is_none() && !verdicts.agree() {
                found.set(Some(count.get()));
            }
            Ok(verdicts)
        });
        let mut samples = Samples::new(&erased, Rule::ZeroSuppressed, 0, judge);
        let mut rng = fastrand::Rng::with_seed(1);
        let mut index = zdd.index();
        let drawn = (0..DRAWN).filter_map(|_| index.draw(&mut rng).unwrap());
        let drawn: Vec<Vec<usize>> = drawn.collect();
        if let Kind::Ends = self {
            samples.compare_ends(&drawn[..ENDS.1.min(drawn.len())], DRAWN * PATHS).unwrap();
        }
        for solution in &drawn {
            match self {
                Kind::Uniform => samples.compare_uniform().unwrap(),
                Kind::Solutions => drop(samples.compare(Origin::Solution, solution).unwrap()),
                Kind::Walks(changes) => samples.compare_walk(solution, changes, CHANGES).unwrap(),
                Kind::Ends => {}
            }
            if found.get().is_some() {
                break;
            }
        }
        found.get()
    }
}

const KINDS: [(&str, Kind); 8] = [
    ("solutions", Kind::Solutions),
    ("uniform", Kind::Uniform),
    ("value", Kind::Walks(&[SampleChange::Value])),
    ("swap", Kind::Walks(&[SampleChange::Swap])),
    ("blocks", Kind::Walks(&[SampleChange::Blocks])),
    ("rename", Kind::Walks(&[SampleChange::Rename])),
    ("ends", Kind::Ends),
    ("all walks", Kind::Walks(&SampleChange::ALL)),
];

/// The kinds that find a mistake alone, or with a tenth of the samples of the others. Uniform samples do not, but they
/// alone are independent of the spec, which may have no solution.
const EARNED: [&str; 6] = ["blocks", "ends", "rename", "solutions", "swap", "value"];

#[test]
fn each_planted_mistake_is_found_and_each_kind_of_sample_is_the_best_for_one() {
    println!("| mistake | {} | time |", KINDS.map(|(name, _)| name).join(" | "));
    println!("| --- |{} --- |", " --- |".repeat(KINDS.len()));
    let (mut mistakes, mut unfound, mut earned) = (0, Vec::new(), BTreeSet::new());
    for (name, make, right, planted) in CASES {
        let zdd = crate::zdd(&make(0)).unwrap();
        assert!(zdd.iter().take(1000).all(|solution| right(&solution)), "{name}");
        println!("| **{name}**: {} |{} |", zdd.count(), " |".repeat(KINDS.len()));
        for (number, mistake) in planted.iter().enumerate() {
            mistakes += 1;
            let wrong = make(number + 1);
            let wrong_zdd = crate::zdd(&wrong).unwrap();
            assert!(zdd != wrong_zdd, "{name}: {mistake}");
            let counts = KINDS.map(|(_, kind)| kind.find(&wrong, &wrong_zdd, right));
            let kinds = KINDS.iter().zip(counts).take(KINDS.len() - 1);
            let mut best: Vec<(u64, &str)> =
                kinds.filter_map(|((kind, _), count)| Some((count?, *kind))).collect();
            best.sort_unstable();
            if best.get(1).is_none_or(|&(next, _)| best[0].0 * 10 <= next) {
                earned.insert(best[0].1);
            }
            // Samples only, as for a spec of which not all assignments can be compared.
            let begun = Instant::now();
            if Verification::new().sampled().max_assignments(1).run(&wrong, right).is_ok() {
                unfound.push(format!("{name}: {mistake}"));
            }
            let millis = begun.elapsed().as_millis();
            let cells = counts.map(|count| count.map_or(String::new(), |count| count.to_string()));
            println!("| {mistake} | {} | {millis} ms |", cells.join(" | "));
        }
    }
    assert_eq!(mistakes, 30);
    assert!(unfound.is_empty(), "{unfound:?}");
    assert!(earned.iter().eq(&EARNED), "{earned:?}");
}
