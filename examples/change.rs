//! Variables of different arities: the ways to pay a sum with the coins in a purse.
//!
//! A solution is the number of coins used of each kind. There is one variable per kind,
//! and its values are `0..=` the number of such coins: a purse with one fifty and seven
//! tens makes a variable of two values and one of eight.
//!
//! `cargo run --release --example change -- 135` pays another sum.

use topdd::{DdSpec, Rule, Step, check};

/// The ways to pay `sum` exactly.
struct Change {
    /// The value and the number of coins of each kind; the largest first,
    /// so that a sum that is too high shows early.
    purse: Vec<(usize, usize)>,
    sum: usize,
}

impl DdSpec for Change {
    /// The sum still to be paid. The coins used so far make no difference later.
    type State = usize;

    fn num_vars(&self) -> usize {
        self.purse.len()
    }

    fn arity(&self, kind: usize) -> usize {
        self.purse[kind].1 + 1 // from none of them to all
    }

    fn root(&self) -> Step<usize> {
        Step::To(0, self.sum)
    }

    fn child(&self, &open: &usize, kind: usize, coins: usize) -> Step<usize> {
        let (worth, _) = self.purse[kind];
        match open.checked_sub(coins * worth) {
            None => Step::Zero, // paid too much
            // Nothing left to pay. The remaining kinds are skipped, and a skipped
            // variable of a ZDD is 0: none of those coins is used.
            Some(0) => Step::One,
            Some(_) if kind + 1 == self.num_vars() => Step::Zero, // out of coins
            Some(open) => Step::To(kind + 1, open),
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sum: usize = std::env::args().nth(1).map_or(Ok(100), |text| text.parse())?;
    let purse = vec![(50, 1), (25, 4), (10, 7), (5, 10), (1, 40)];
    let spec = Change { purse: purse.clone(), sum };
    let ways = topdd::zdd(&spec)?;
    println!("{} ways to pay {sum} from this purse, for example", ways.count());
    for solution in ways.iter().take(3) {
        // `solution[kind]` is the value of the variable: the number of these coins.
        let coins = purse.iter().zip(&solution).filter(|&(_, &coins)| coins > 0);
        let parts: Vec<String> =
            coins.map(|((worth, _), coins)| format!("{coins} x {worth}")).collect();
        println!("  {}", parts.join(" + "));
    }

    // A check on a small case. Brute force tries all ways to
    // take coins from the purse, 36080 here, and shares no code with the engine.
    assert!(ways.iter().eq(check::brute_force(&spec, Rule::ZeroSuppressed)?));
    // With coins to spare, a dollar can be changed in 292 ways (Graham, Knuth and
    // Patashnik, "Concrete Mathematics", section 7.1).
    let plenty = [50, 25, 10, 5, 1].map(|worth| (worth, 100 / worth)).to_vec();
    assert_eq!(topdd::count(&Change { purse: plenty, sum: 100 })?, 292u32.into());
    Ok(())
}
