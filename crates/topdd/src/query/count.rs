//! The number of solutions of a diagram.

use crate::diagram::store::{FIRST_NODE, ONE};
use crate::diagram::{Diagram, DiagramRule};
use crate::frontier::number::{Number, Wide};
use crate::frontier::total;
use crate::spec::{Arities, Rule};
use num_bigint::BigUint;
use std::collections::HashMap;
use std::ops::Range;

impl<R: DiagramRule> Diagram<R> {
    /// The number of solutions: of assignments to all variables that the diagram admits.
    /// Exact, however large.
    ///
    /// One pass from the root down, which holds numbers for the levels that it is
    /// between only.
    pub fn count(&self) -> BigUint {
        // Numbers that turn out too narrow cost a restart: at most as much again as the
        // passes before it, all of them cheaper.
        self.count_in::<Wide<1>>()
            .or_else(|| self.count_in::<Wide<2>>())
            .or_else(|| self.count_in::<Wide<4>>())
            .or_else(|| self.count_in::<BigUint>())
            .expect("a number without a width is never too narrow")
    }

    /// The count in numbers of one width; `None` when one of them might not fit.
    fn count_in<N: Number>(&self) -> Option<BigUint> {
        let store = &*self.store;
        let arities = &store.arities;
        let multiplies = R::RULE == Rule::AnyValue;
        let bounded = N::CAPACITY.is_finite();
        // The number of assignments to the variables above that lead to each node of a
        // level, for the levels that some edge has reached.
        let mut arrivals: Vec<Option<Arrivals<N>>> = Vec::new();
        arrivals.resize_with(store.level_count(), || None);
        let mut ones: Vec<(usize, N)> = Vec::new();

        let mut skips = Skips { arities, factors: HashMap::new() };
        match store.root {
            ONE => ones.push((0, N::one())),
            root if root >= FIRST_NODE => {
                let index = store.level_count() - 1;
                let level = store.level(index);
                let mut top = Arrivals::new(level.len());
                let skipped = if multiplies { 0..level.variable } else { 0..0 };
                top.add(0, &skips.apply(&N::one(), skipped)?)?;
                arrivals[index] = Some(top);
            }
            _ => {}
        }
        for level in store.levels().rev() {
            let here = arrivals[level.index].take().expect("every node can be reached");
            skips.factors.clear();
            let mut done = N::zero();
            let mut done_weight = 0.0;
            for (index, number) in here.numbers.iter().enumerate() {
                for edge in level.edges(index) {
                    if edge.target == ONE {
                        done_weight += number.weight();
                        if bounded && done_weight >= N::CAPACITY {
                            return None;
                        }
                        done.add(number);
                        continue;
                    }
                    let below = store.level_of(edge.target, level.index);
                    let there = store.level(below);
                    let place = arrivals[below].get_or_insert_with(|| Arrivals::new(there.len()));
                    let position = (edge.target - there.first) as usize;
                    if multiplies {
                        let skipped = store.skipped(level.variable, Some(below));
                        place.add(position, &skips.apply(number, skipped)?)?;
                    } else {
                        place.add(position, number)?;
                    }
                }
            }
            if done.weight() > 0.0 || !bounded {
                ones.push((level.variable + 1, done));
            }
        }
        Some(total(arities, R::RULE, &ones))
    }
}

/// Multiplies numbers for skipped variables that may have any value.
struct Skips<'a> {
    arities: &'a Arities,
    /// What numbers are multiplied by, by the variable after the skipped ones; for the
    /// edges of one level.
    factors: HashMap<usize, BigUint>,
}

impl Skips<'_> {
    /// `None` when the result might not fit.
    fn apply<N: Number>(&mut self, number: &N, skipped: Range<usize>) -> Option<N> {
        if skipped.is_empty() {
            return Some(number.clone());
        }
        // Before the product, which may be large, is made.
        if N::CAPACITY.is_finite() {
            // A trace too much, so that rounding cannot make it too little.
            let log2 = self.arities.log2_product(skipped.clone()) + 1e-6;
            if log2.exp2() * number.weight() >= N::CAPACITY {
                return None;
            }
        }
        let arities = self.arities;
        let factor = self.factors.entry(skipped.end).or_insert_with(|| arities.product(skipped));
        Some(number.times(factor))
    }
}

/// Numbers for the nodes of a level.
struct Arrivals<N> {
    numbers: Vec<N>,
    /// At least the sum of their weights.
    weight: f64,
}

impl<N: Number> Arrivals<N> {
    fn new(nodes: usize) -> Self {
        Arrivals { numbers: vec![N::zero(); nodes], weight: 0.0 }
    }

    /// `None` when the sum might not fit.
    #[inline]
    fn add(&mut self, index: usize, number: &N) -> Option<()> {
        self.weight += number.weight();
        if N::CAPACITY.is_finite() && self.weight >= N::CAPACITY {
            return None;
        }
        self.numbers[index].add(number);
        Some(())
    }
}
