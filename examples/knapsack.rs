//! A knapsack, made of constraints: all packings, and the best ones.
//!
//! There is one variable for each kind of item, and its value is the number taken. The diagram has
//! all packings, so it serves several queries: their number, and the best ones.

use topdd::{Goal, SpecExt, Weights, check, constraint};

/// Name, weight, volume, worth, and how many there are.
const ITEMS: [(&str, i64, i64, i64, usize); 7] = [
    ("tent", 24, 30, 60, 1),
    ("stove", 9, 6, 21, 1),
    ("sleeping bag", 11, 14, 33, 2),
    ("water", 10, 5, 15, 4),
    ("rope", 7, 4, 9, 3),
    ("book", 4, 2, 5, 5),
    ("torch", 2, 1, 4, 2),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kinds: Vec<usize> = ITEMS.iter().map(|item| item.4 + 1).collect();
    let times = |number: usize| i64::try_from(number).expect("a small number");
    let fits = constraint::linear(kinds.clone())
        .at_most(move |item, taken| ITEMS[item].1 * times(taken), 60)
        .at_most(move |item, taken| ITEMS[item].2 * times(taken), 50);
    // The stove needs water.
    let rules = constraint::clauses(kinds, [[constraint::is_not(1, 1), constraint::is_not(3, 0)]]);
    let packings = fits.and(rules);

    let zdd = topdd::zdd(&packings)?;
    println!("{} packings; the best are", zdd.count());
    let worth = Weights::from_fn(&packings, |item, taken| ITEMS[item].3 * times(taken));
    for best in zdd.best(&worth, Goal::Maximum, 3)? {
        let taken = ITEMS.iter().zip(&best.solution).filter(|(_, taken)| **taken > 0);
        let names: Vec<String> = taken.map(|(item, taken)| format!("{taken} {}", item.0)).collect();
        println!("  {}: {}", best.weight, names.join(", "));
    }

    let verified = check::verify(&packings, |taken| {
        let total = |of: fn(&(&str, i64, i64, i64, usize)) -> i64| -> i64 {
            ITEMS.iter().zip(taken).map(|(item, &taken)| of(item) * times(taken)).sum()
        };
        total(|item| item.1) <= 60 && total(|item| item.2) <= 50 && (taken[1] == 0 || taken[3] > 0)
    })?;
    println!("{verified}");
    Ok(())
}
