//! A user-defined evaluator: the number of solutions by weight.
//!
//! A diagram is evaluated from the bottom up: each node's value is computed once, from
//! the values of its children, however many solutions pass through it. Here the solutions
//! are the subsets of `1..=n`, the weight is the sum of the members, and the value of a
//! node is a polynomial whose coefficient `w` counts the continuations of weight `w`.

use num_bigint::BigUint;
use topdd::{Children, DdSpec, Evaluator, Step};

/// The subsets of `1..=n` without two consecutive numbers; variable `v` is number `v + 1`.
struct Sparse {
    n: usize,
}

impl DdSpec for Sparse {
    type State = ();

    fn num_vars(&self) -> usize {
        self.n
    }

    fn root(&self) -> Step<()> {
        if self.n == 0 { Step::One } else { Step::To(0, ()) }
    }

    fn child(&self, (): &(), v: usize, taken: usize) -> Step<()> {
        // A member excludes the next number, which is skipped. A skipped
        // variable of a ZDD is 0, and so are all variables after an early 1-terminal.
        let next = v + 1 + taken;
        if next < self.n { Step::To(next, ()) } else { Step::One }
    }
}

/// Counts the solutions of a ZDD by their sum of `weights[variable] * value`.
struct Distribution {
    weights: Vec<usize>,
}

impl Evaluator for Distribution {
    /// `value[w]` is the number of continuations of weight `w`.
    type Value = Vec<BigUint>;

    fn zero(&mut self) -> Vec<BigUint> {
        vec![] // no continuation
    }

    fn one(&mut self) -> Vec<BigUint> {
        vec![1u32.into()] // one continuation, of weight 0
    }

    fn node(&mut self, variable: usize, children: Children<'_, Vec<BigUint>>) -> Vec<BigUint> {
        let mut ways = vec![];
        for child in children {
            // The variables in `child.skipped` are 0 in a ZDD and weigh nothing. In a
            // BDD they may have any value, and would have to be multiplied in here.
            let added = self.weights[variable] * child.value;
            let heaviest = added + child.to.len();
            ways.resize(heaviest.max(ways.len()), BigUint::ZERO);
            for (weight, count) in child.to.iter().enumerate() {
                ways[added + weight] += count;
            }
        }
        ways
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).map_or(Ok(8), |text| text.parse())?;
    let subsets = topdd::zdd(&Sparse { n })?;
    let ways = subsets.evaluate(&mut Distribution { weights: (1..=n).collect() });
    println!("{} subsets of 1..={n} without consecutive numbers, by sum:", subsets.count());
    for (sum, count) in ways.iter().enumerate() {
        println!("{sum:>4} {count:>6}");
    }

    // Sums of distinct parts no two of which are consecutive: up to n, no part can be
    // too large, so these are the Rogers-Ramanujan numbers, A003114.
    let known = [1u32, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 9, 10, 12, 14, 17, 19, 23, 26, 31];
    for (sum, known) in known.into_iter().enumerate().take(n + 1) {
        assert_eq!(ways[sum], known.into());
    }
    // Every subset has some weight.
    assert_eq!(subsets.count(), ways.iter().sum());
    Ok(())
}
