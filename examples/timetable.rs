//! A timetable, made of constraints: the hour of each lesson.
//!
//! There is one variable for each lesson, and its value is the hour. Lessons of one class or of one
//! teacher are in different hours; some are at fixed hours, or before others; and there are two rooms.

use topdd::constraint::{Constraint, all_different, lex_less, occurrences, table};
use topdd::spec::combine::all;
use topdd::{SpecExt, check};

/// Class, teacher and subject.
const LESSONS: [(char, &str, &str); 8] = [
    ('A', "Noether", "algebra"),
    ('A', "Noether", "number theory"),
    ('A', "Curie", "chemistry"),
    ('A', "Hopper", "programming"),
    ('B', "Noether", "algebra"),
    ('B', "Curie", "chemistry"),
    ('B', "Curie", "physics"),
    ('B', "Hopper", "programming"),
];
const HOURS: usize = 5;
const ROOMS: usize = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let space = [HOURS; LESSONS.len()];
    let lessons = |is: &dyn Fn(&(char, &str, &str)) -> bool| -> Vec<usize> {
        (0..LESSONS.len()).filter(|&lesson| is(&LESSONS[lesson])).collect()
    };
    let groups = [
        lessons(&|lesson| lesson.0 == 'A'),
        lessons(&|lesson| lesson.0 == 'B'),
        lessons(&|lesson| lesson.1 == "Noether"),
        lessons(&|lesson| lesson.1 == "Curie"),
        lessons(&|lesson| lesson.1 == "Hopper"),
    ];
    let apart = |group: &Vec<usize>| all_different(space).on(group.iter().copied());
    let rooms = occurrences(space, (0..HOURS).map(|hour| (hour, 0..=ROOMS)));
    let before = |one: usize, other: usize| lex_less(space, [one], [other]);
    // Hopper teaches in the last two hours only.
    let hopper: Constraint<_> = table(space, [[3, 4], [4, 3]]).on([3, 7]);

    let timetables = all(groups.iter().map(apart))
        .and(rooms)
        .and(before(0, 1)) // algebra before number theory
        .and(before(5, 6)) // chemistry before physics
        .and(hopper);
    let zdd = topdd::zdd(&timetables)?;
    println!("{} timetables, for example", zdd.count());
    let timetable = zdd.iter().next().expect("there is one");
    for hour in 0..HOURS {
        let now = (0..LESSONS.len()).filter(|&lesson| timetable[lesson] == hour);
        let names: Vec<String> = now
            .map(|lesson| {
                let (class, teacher, subject) = LESSONS[lesson];
                format!("{class}: {subject} ({teacher})")
            })
            .collect();
        println!("  hour {}: {}", hour + 1, names.join(", "));
    }

    let verified = check::verify(&timetables, |hours| {
        let differ = |group: &Vec<usize>| {
            group.iter().enumerate().all(|(i, &a)| group[..i].iter().all(|&b| hours[a] != hours[b]))
        };
        groups.iter().all(differ)
            && (0..HOURS).all(|hour| hours.iter().filter(|&&h| h == hour).count() <= ROOMS)
            && hours[0] < hours[1]
            && hours[5] < hours[6]
            && hours[3] >= 3
            && hours[7] >= 3
    })?;
    println!("{verified}");
    Ok(())
}
