//! Sums of weights, and their codes in states.

use super::rules::LinearRule;

/// The bounds of a sum before one step.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// The least and the greatest sum that is not yet illegal, as far as they can be reached.
    least: i128,
    most: i128,
    /// The sums that no future edge can make illegal.
    free_from: i128,
    free_to: i128,
}

impl Bounds {
    fn code(&self, sum: i128) -> Option<u64> {
        if sum < self.least || sum > self.most {
            None
        } else if (self.free_from..=self.free_to).contains(&sum) {
            Some(Sums::FREE)
        } else {
            Some((sum - self.least) as u64 + 1)
        }
    }
}

/// The codes of the sums of one rule, before each step and after the last.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    bounds: Vec<Bounds>,
    /// By step.
    weights: Vec<i64>,
    /// The number of bits of a code.
    pub(super) bits: u32,
    /// The code before the first step; `None` if no set is legal.
    pub(super) root: Option<u64>,
}

impl Sums {
    /// The code of a sum that no future edge can make illegal. Other codes are one plus the distance
    /// from the least sum that is not yet illegal.
    pub(super) const FREE: u64 = 0;

    pub(super) fn new(rule: &LinearRule, order: &[usize]) -> Self {
        let weights: Vec<i64> = order.iter().map(|&edge| rule.weights[edge]).collect();
        // The sums that the steps before each one can reach, and those after it can add.
        let mut reached = vec![(0, 0); weights.len() + 1];
        let mut left = reached.clone();
        let add = |(least, most): (i128, i128), weight: i64| {
            (least + i128::from(weight.min(0)), most + i128::from(weight.max(0)))
        };
        for (step, &weight) in weights.iter().enumerate() {
            reached[step + 1] = add(reached[step], weight);
        }
        for (step, &weight) in weights.iter().enumerate().rev() {
            left[step] = add(left[step + 1], weight);
        }
        let bounds: Vec<Bounds> = reached
            .iter()
            .zip(&left)
            .map(|(&(least, most), &(less, more))| Bounds {
                least: rule.least.saturating_sub(more).max(least),
                most: rule.most.saturating_sub(less).min(most),
                free_from: rule.least.saturating_sub(less),
                free_to: rule.most.saturating_sub(more),
            })
            .collect();
        let largest = bounds.iter().map(|b| (b.most - b.least + 1).max(0)).max().unwrap_or(0);
        let bits = u128::BITS - largest.unsigned_abs().leading_zeros();
        let root = bounds[0].code(0);
        Self { bounds, weights, bits, root }
    }

    /// The greatest number of codes before a step.
    pub(super) fn count(&self, step: usize) -> f64 {
        let Bounds { least, most, free_from, free_to } = self.bounds[step];
        let between = |from: i128, to: i128| to.saturating_sub(from).saturating_add(1).max(0);
        // All sums that are legal for good have one code.
        let free = between(free_from.max(least), free_to.min(most));
        (between(least, most) - free + i128::from(free > 0)).max(1) as f64
    }

    /// Whether a code may not fit into a field.
    pub(super) fn overflows(&self) -> bool {
        self.bits > 63
    }

    /// The code after a step.
    #[inline]
    pub(super) fn after(&self, code: u64, step: usize, taken: bool) -> Option<u64> {
        if code == Self::FREE {
            return Some(Sums::FREE);
        }
        let sum = self.bounds[step].least + i128::from(code - 1);
        let weight = if taken { i128::from(self.weights[step]) } else { 0 };
        self.bounds[step + 1].code(sum + weight)
    }

    /// The code before step `to` of a set that takes no edge from the step `from` on, which is not later.
    pub(super) fn unchanged(&self, code: u64, from: usize, to: usize) -> Option<u64> {
        if code == Self::FREE {
            return Some(Self::FREE);
        }
        self.bounds[to].code(self.bounds[from].least + i128::from(code - 1))
    }

    /// Whether the set is legal if no further edge is taken.
    pub(super) fn is_legal(&self, code: u64, step: usize) -> bool {
        // Without further edges the sum stays; it is legal if it is after the last step.
        self.unchanged(code, step, self.weights.len()).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_follow_the_sum_and_are_free_as_soon_as_possible() {
        let rule = LinearRule { weights: vec![3, -2, 5, 1], least: 2, most: 6 };
        let sums = Sums::new(&rule, &[2, 0, 3, 1]);
        for subset in 0..16 {
            let mut code = sums.root;
            let mut sum = 0;
            for (step, &edge) in [2, 0, 3, 1].iter().enumerate() {
                let taken = subset >> edge & 1 == 1;
                sum += if taken { rule.weights[edge] } else { 0 };
                code = code.and_then(|code| sums.after(code, step, taken));
            }
            assert_eq!(code.is_some(), (2..=6).contains(&sum), "{subset}");
        }
        let any = LinearRule { weights: vec![1; 4], least: 0, most: i128::MAX };
        assert_eq!(Sums::new(&any, &[0, 1, 2, 3]).root, Some(Sums::FREE));
    }
}
