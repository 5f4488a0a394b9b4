//! Seven problems as a new user would write them: by closures of at most 12 lines, or by constraints.

use topdd::check::{Verification, verify};
use topdd::constraint::{self, regex};
use topdd::spec::combine::all;
use topdd::{BigUint, DdSpec, SpecExt, dp};

/// The subsets of `1..=n` without differences 1 and 3 whose total is at most `most`.
fn sparse(n: usize, most: usize) -> impl DdSpec<State = (u8, usize)> {
    dp(n, (0u8, 0))
        .step(move |&(last, total), v, taken| {
            if taken == 0 {
                return Some((last << 1 & 7, total));
            }
            let total = total + v + 1;
            (last & 0b101 == 0 && total <= most).then_some((last << 1 & 7 | 1, total))
        })
        .accept(|_| true)
}

#[test]
fn subsets_without_differences_1_and_3() {
    assert_eq!(topdd::count(&sparse(30, 200)).unwrap(), 336_558u32.into());
    let verified = verify(&sparse(14, 40), |set| {
        let members: Vec<usize> = (1..=14).filter(|&number| set[number - 1] == 1).collect();
        let apart = |a: &usize| !members.contains(&(a + 1)) && !members.contains(&(a + 3));
        members.iter().all(apart) && members.iter().sum::<usize>() <= 40
    });
    assert!(verified.unwrap().all_assignments());
}

#[test]
fn words_without_three_equal_letters_in_a_row() {
    let letters = |n: usize| (0..n).map(|v| 3 + v % 3).collect::<Vec<_>>();
    let words = constraint::longest_run(letters(12), 2);
    assert_eq!(topdd::count(&words).unwrap(), 8_514_939u32.into());
    let right = |word: &[usize]| word.windows(3).all(|w| w[0] != w[1] || w[1] != w[2]);
    let verified = verify(&constraint::longest_run(letters(6), 2), right).unwrap();
    assert!(verified.all_states());
}

/// The last cell of a column, as far as it is decided.
const OPEN: u8 = 0; // no member, and no neighbour is one so far
const DOMINATED: u8 = 1;
const MEMBER: u8 = 2;

/// The independent dominating sets of the grid of `m` rows and six columns.
fn dominating(m: usize) -> impl DdSpec<State = [u8; 6]> {
    dp(6 * m, [DOMINATED; 6])
        .step(|&above, v, member| {
            let (mut cells, c) = (above, v % 6);
            let left = if c > 0 { above[c - 1] } else { DOMINATED };
            let beside = above[c] == MEMBER || left == MEMBER;
            let dead = [above[c] == OPEN, beside][member];
            cells[c.saturating_sub(1)] = left.max(member as u8); // a member dominates its left
            cells[c] = [u8::from(beside), MEMBER][member];
            (!dead).then_some(cells)
        })
        .accept(|cells| !cells.contains(&OPEN))
}

#[test]
fn independent_dominating_sets_of_a_grid() {
    assert_eq!(topdd::count(&dominating(6)).unwrap(), 4468u32.into());
    let verified = verify(&dominating(2), |set| {
        (0..12).all(|cell: usize| {
            let beside = |other: usize| {
                other < 12 && (other / 6).abs_diff(cell / 6) + (other % 6).abs_diff(cell % 6) == 1
            };
            let neighbours = (0..12).filter(|&other| beside(other) && set[other] == 1).count();
            (set[cell] == 1) == (neighbours == 0)
        })
    });
    assert!(verified.unwrap().all_assignments());
}

/// Motzkin paths of `n` steps, each down (0), level (1) or up (2), that end where they began.
fn motzkin(n: usize) -> impl DdSpec<State = usize> {
    dp(n, 0)
        .arity(3)
        .step(move |height, v, up| (height + up).checked_sub(1).filter(|&height| height < n - v))
        .accept(|&height| height == 0)
}

#[test]
fn motzkin_paths_have_the_published_counts() {
    assert_eq!(topdd::count(&motzkin(40)).unwrap(), 66_368_199_913_921_497u64.into());
    // (n + 2) M(n) = (2n + 1) M(n-1) + (3n - 3) M(n-2)
    let (mut before, mut last) = (BigUint::from(1u32), BigUint::from(1u32));
    for n in 2..=1000u32 {
        let next = (&last * (2 * n + 1) + &before * (3 * n - 3)) / (n + 2);
        before = std::mem::replace(&mut last, next);
    }
    assert_eq!(topdd::count(&motzkin(1000)).unwrap(), last);
    let verified = verify(&motzkin(9), |path| {
        let end = path.iter().try_fold(0usize, |height, &up| (height + up).checked_sub(1));
        end == Some(0)
    });
    assert_eq!(verified.unwrap().solutions(), Some(&835u32.into()));
}

#[test]
fn latin_rectangles_have_the_published_counts() {
    // Column by column: cell (r, c) is variable r + rows * c.
    let latin = |rows: usize, columns: usize| {
        let cells = vec![columns; rows * columns];
        let line = |variables: Vec<usize>| constraint::all_different(cells.clone()).on(variables);
        let down = (0..columns).map(|c| line((rows * c..rows * (c + 1)).collect()));
        let across = (0..rows).map(|r| line((r..rows * columns).step_by(rows).collect()));
        all(down.chain(across))
    };
    assert_eq!(topdd::count(&latin(3, 6)).unwrap(), 15_321_600u32.into());
    let verified = verify(&latin(2, 4), |cells| {
        let differ = |a: usize, b: usize| cells[a] != cells[b];
        let lines = (0..8).flat_map(|a| (0..a).map(move |b| (a, b)));
        lines.filter(|(a, b)| a / 2 == b / 2 || a % 2 == b % 2).all(|(a, b)| differ(a, b))
    });
    assert_eq!(verified.unwrap().solutions(), Some(&216u32.into()));
}

/// The patterns of the lines of a nonogram.
fn nonogram(rows: &[&str], columns: &[&str]) -> impl DdSpec<State: topdd::Portable> + Send {
    let (height, width) = (rows.len(), columns.len());
    let line = |clue: &str, cells: Vec<usize>| {
        let blocks: Vec<String> = clue.split(' ').map(|block| format!("1{{{block}}}")).collect();
        regex(height * width, format!("0*{}0*", blocks.join("0+"))).on(cells)
    };
    let across = rows.iter().enumerate();
    let across = across.map(|(r, clue)| line(clue, (r * width..(r + 1) * width).collect()));
    let down = columns.iter().enumerate();
    let down = down.map(|(c, clue)| line(clue, (c..height * width).step_by(width).collect()));
    all(across.chain(down))
}

#[test]
fn a_nonogram_has_the_solutions_of_its_clues() {
    let rows = ["3", "2 1", "4 2", "6", "5", "6", "4", "1 1"];
    let columns = ["0", "2 1", "8", "1 5", "7", "5", "4", "2"];
    let solutions: Vec<_> = topdd::zdd(&nonogram(&rows, &columns)).unwrap().iter().collect();
    let picture: Vec<String> = solutions[0]
        .chunks(8)
        .map(|row| row.iter().map(|&cell| if cell == 1 { '#' } else { '.' }).collect())
        .collect();
    let duck = [
        "..###...", ".##.#...", ".####.##", "..######", "..#####.", ".######.", "..####..",
        "..#..#..",
    ];
    assert_eq!((solutions.len(), picture), (1, duck.map(String::from).to_vec()));
    let blocks = |cells: &[usize]| {
        let runs = cells.chunk_by(|a, b| a == b).filter(|run| run[0] == 1);
        runs.map(|run| run.len().to_string()).collect::<Vec<_>>().join(" ")
    };
    let (rows, columns) = (["1 1", "1", "2"], ["1 1", "1", "1", "1"]);
    let verified = verify(&nonogram(&rows, &columns), |cells| {
        let column = |c: usize| (c..12).step_by(4).map(|cell| cells[cell]).collect::<Vec<_>>();
        cells.chunks(4).map(blocks).eq(rows) && (0..4).map(|c| blocks(&column(c))).eq(columns)
    });
    assert!(verified.unwrap().solutions() > Some(&0u32.into()));
}

/// Shifts of some people on some days, by day: 0 off, 1 early, 2 late. Each day one is late and one or two
/// are early; none is early after being late, or late three days in a row; all have `off` days off.
fn roster(people: usize, days: usize, off: usize) -> impl DdSpec<State: topdd::Portable> + Send {
    let shifts = move || vec![3; people * days];
    let day = move |d: usize| {
        let needed = [(1, 1..=2), (2, 1..=1)];
        constraint::occurrences(shifts(), needed).on(people * d..people * (d + 1))
    };
    let person = move |p: usize| {
        let own = || (p..people * days).step_by(people);
        let rested = regex(shifts(), "([01] | 22?0)* (22?)?").on(own());
        rested.and(constraint::occurrences(shifts(), [(0, off..=days)]).on(own()))
    };
    all((0..days).map(day)).and(all((0..people).map(person)))
}

#[test]
fn a_roster_satisfies_its_rules() {
    // Counted by trying all rows of allowed days.
    assert_eq!(topdd::count(&roster(3, 7, 2)).unwrap(), 7212u32.into());
    assert_eq!(topdd::count(&roster(4, 5, 2)).unwrap(), 124_752u32.into());
    let right = |people: usize, off: usize, shifts: &[usize]| {
        let times = |day: &[usize], shift| day.iter().filter(|&&other| other == shift).count();
        let staffed = |day: &[usize]| times(day, 2) == 1 && (1..=2).contains(&times(day, 1));
        let rested = |p: usize| {
            let own: Vec<usize> = shifts.iter().skip(p).step_by(people).copied().collect();
            let late = own.windows(3).any(|three| three == [2, 2, 2]);
            times(&own, 0) >= off && !late && own.windows(2).all(|two| two != [2, 1])
        };
        shifts.chunks(people).all(staffed) && (0..people).all(rested)
    };
    let verified = verify(&roster(3, 3, 1).boxed(), |shifts| right(3, 1, shifts)).unwrap();
    assert!(verified.all_assignments() && verified.solutions() > Some(&0u32.into()));
    let few = Verification::new().sampled().max_assignments(10_000).samples(100);
    let verified = few.run(&roster(3, 7, 2).boxed(), |shifts| right(3, 2, shifts)).unwrap();
    assert!(!verified.all_assignments() && verified.all_solutions());
}
