//! A duty roster, made of constraints: the shift of each person on each day.
//!
//! Each day needs one person on the late shift and one or two on the early one. An early shift does not
//! follow a late one, no person has three late shifts in a row, and each has two days off.

use topdd::constraint::{occurrences, regex};
use topdd::spec::combine::all;
use topdd::{SpecExt, check};

const PEOPLE: [&str; 4] = ["Ada", "Bob", "Cem", "Dan"];
const DAYS: usize = 6;

/// The values of a variable.
const OFF: usize = 0;
const EARLY: usize = 1;
const LATE: usize = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Person p on day d is variable PEOPLE.len() * d + p: those of one day are close together.
    let space = [3; PEOPLE.len() * DAYS];
    let on_day = |d: usize| PEOPLE.len() * d..PEOPLE.len() * (d + 1);
    let of_person = |p: usize| (p..space.len()).step_by(PEOPLE.len());

    let staffed =
        (0..DAYS).map(|d| occurrences(space, [(EARLY, 1..=2), (LATE, 1..=1)]).on(on_day(d)));
    let rested = (0..PEOPLE.len()).map(|p| occurrences(space, [(OFF, 2..=DAYS)]).on(of_person(p)));
    // Off and early days, and one or two late ones with a day off after them.
    let pattern = "([01] | 2 2? 0)* (2 2?)?";
    let humane = (0..PEOPLE.len()).map(|p| regex(space, pattern).on(of_person(p)));
    let rosters = all(staffed.chain(rested)).and(all(humane));

    let zdd = topdd::zdd(&rosters)?;
    println!("{} rosters, for example", zdd.count());
    let roster = zdd.iter().next().expect("there is one");
    for (p, person) in PEOPLE.iter().enumerate() {
        let shifts: Vec<&str> =
            of_person(p).map(|variable| ["off  ", "early", "late "][roster[variable]]).collect();
        println!("  {person}: {}", shifts.join(" "));
    }

    // A verification against the rules as a predicate, on drawn rosters: 3^24 are too many to compare all.
    let right = |roster: &[usize]| {
        let times =
            |shifts: &[usize], shift| shifts.iter().filter(|&&other| other == shift).count();
        let person = |p: usize| of_person(p).map(|variable| roster[variable]).collect::<Vec<_>>();
        roster
            .chunks(PEOPLE.len())
            .all(|day| times(day, LATE) == 1 && (1..=2).contains(&times(day, EARLY)))
            && (0..PEOPLE.len()).map(person).all(|shifts| {
                times(&shifts, OFF) >= 2
                    && !shifts.windows(2).any(|two| two == [LATE, EARLY])
                    && !shifts.windows(3).any(|three| three == [LATE; 3])
            })
    };
    println!("{}", check::Verification::new().sampled().run(&rosters, right)?);
    Ok(())
}
