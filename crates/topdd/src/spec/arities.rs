//! The arities of all variables, checked once and stored small.

use super::DdSpec;
use crate::Error;
use num_bigint::BigUint;
use num_traits::One;
use std::ops::Range;

/// How many variables there are and how many values each has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arities {
    num_vars: usize,
    /// One entry when every variable has that arity (always, when there are none),
    /// one per variable otherwise. One form for one meaning, so that `==` is right.
    table: Box<[u32]>,
}

impl Arities {
    /// Asks the spec for its variables and refuses what cannot be numbered.
    pub(crate) fn of<S: DdSpec + ?Sized>(spec: &S) -> Result<Self, Error> {
        let num_vars = spec.num_vars();
        if num_vars > Self::MAX_VARS {
            return Err(Error::TooManyVariables { num_vars, limit: Self::MAX_VARS });
        }
        let mut table = Vec::new();
        for variable in 0..num_vars {
            let arity = spec.arity(variable);
            if arity == 0 || arity > Self::MAX_ARITY {
                return Err(Error::BadArity { variable, arity, limit: Self::MAX_ARITY });
            }
            let arity = arity as u32;
            match table.first() {
                // Uniform so far: the single entry stands for all before this variable.
                Some(&first) if table.len() == 1 && variable > 1 && first != arity => {
                    table.resize(variable, first);
                    table.push(arity);
                }
                Some(&first) if table.len() == 1 && first == arity => {}
                _ => table.push(arity),
            }
        }
        if table.is_empty() {
            table.push(2);
        }
        Ok(Arities { num_vars, table: table.into_boxed_slice() })
    }

    /// Positions are 32-bit with a bit to spare for those who need a flag beside them.
    pub(crate) const MAX_VARS: usize = (1 << 31) - 2;
    pub(crate) const MAX_ARITY: usize = u32::MAX as usize;

    pub(crate) fn num_vars(&self) -> usize {
        self.num_vars
    }

    #[inline]
    pub(crate) fn get(&self, variable: usize) -> usize {
        debug_assert!(variable < self.num_vars);
        if self.table.len() == 1 { self.table[0] as usize } else { self.table[variable] as usize }
    }

    /// The number of assignments to the variables of a range.
    ///
    /// Divide and conquer, so that a long range costs a few large multiplications
    /// instead of many lopsided ones.
    pub(crate) fn product(&self, range: Range<usize>) -> BigUint {
        if range.is_empty() {
            return BigUint::one();
        }
        if self.table.len() == 1 {
            return if self.table[0] == 2 {
                BigUint::one() << range.len()
            } else {
                BigUint::from(self.table[0]).pow(range.len() as u32)
            };
        }
        if range.len() <= 16 {
            return range.map(|v| BigUint::from(self.table[v])).product();
        }
        let middle = usize::midpoint(range.start, range.end);
        self.product(range.start..middle) * self.product(middle..range.end)
    }

    /// The base-2 logarithm of [`Self::product`], for choosing widths.
    pub(crate) fn log2_product(&self, range: Range<usize>) -> f64 {
        if self.table.len() == 1 {
            f64::from(self.table[0]).log2() * range.len() as f64
        } else {
            range.map(|v| f64::from(self.table[v]).log2()).sum()
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Step;

    struct Mixed(Vec<usize>);
    impl DdSpec for Mixed {
        type State = ();
        fn num_vars(&self) -> usize {
            self.0.len()
        }
        fn arity(&self, variable: usize) -> usize {
            self.0[variable]
        }
        fn root(&self) -> Step<()> {
            Step::One
        }
        fn child(&self, (): &(), _: usize, _: usize) -> Step<()> {
            Step::Zero
        }
    }

    #[test]
    fn one_form_for_one_meaning() {
        for list in [
            vec![],
            vec![3],
            vec![2, 2],
            vec![2, 3],
            vec![5, 5, 5, 5],
            vec![5, 5, 5, 1],
            vec![1, 5, 5, 5],
            vec![4, 2, 4, 2, 2],
        ] {
            let arities = Arities::of(&Mixed(list.clone())).unwrap();
            assert_eq!((0..list.len()).map(|v| arities.get(v)).collect::<Vec<_>>(), list);
            assert_eq!(arities.num_vars(), list.len());
            let uniform = list.windows(2).all(|w| w[0] == w[1]);
            assert_eq!(arities.table.len() == 1, uniform || list.is_empty());
            let product: usize = list.iter().product();
            assert_eq!(arities.product(0..list.len()), BigUint::from(product));
            assert!((arities.log2_product(0..list.len()) - (product as f64).log2()).abs() < 1e-9);
        }
    }

    #[test]
    fn a_long_product_is_exact() {
        let list: Vec<usize> = (0..1000).map(|v| v % 7 + 1).collect();
        let arities = Arities::of(&Mixed(list.clone())).unwrap();
        let expected: BigUint = list[3..900].iter().map(|&a| BigUint::from(a)).product();
        assert_eq!(arities.product(3..900), expected);
    }

    #[test]
    fn arity_zero_is_refused() {
        let error = Arities::of(&Mixed(vec![2, 0])).unwrap_err();
        assert!(matches!(error, Error::BadArity { variable: 1, arity: 0, .. }));
    }
}
