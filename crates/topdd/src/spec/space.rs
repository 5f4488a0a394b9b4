//! The variables of a spec: their space, and their arities, checked once and stored small; an item for each value of each
//! variable, and products over ranges of variables.

use super::DdSpec;
use crate::{BuildError, QueryError};
use num_bigint::BigUint;
use num_traits::One;
use std::ops::{Range, RangeInclusive};
use std::sync::{Arc, OnceLock};

/// The variables of a spec, of a constraint or of weights: their number and the arity of each.
///
/// Conversions and constructors:
///
/// | from | variables |
/// | --- | --- |
/// | `n: usize` | `n` two-valued variables |
/// | `[9; 81]`, `vec![2, 3]`, `&[2, 3]` | one for each item, which is its arity |
/// | [`Space::uniform(n, arity)`](Space::uniform) | `n` variables of one arity |
/// | `&spec`, `&diagram` | the variables of a spec |
///
/// Size: constant where all arities are equal, one word per variable otherwise. Clones share it.
///
/// ```
/// use topdd::{Space, SpecExt, constraint};
///
/// let space = Space::from([2, 3, 4]);
/// assert_eq!((space.num_vars(), space.arity(2)), (3, 4));
/// assert_eq!((space.get_arity(3), Space::from(3).get_arity(3)), (None, None));
/// assert_eq!(Space::from(&vec![2, 3]).arity(1), 3);
/// assert_eq!(Space::from(5).arities().collect::<Vec<_>>(), [2; 5]);
/// assert_eq!(Space::uniform(2, 9).arities().collect::<Vec<_>>(), [9, 9]);
///
/// let digits = constraint::all_different([10; 3]);
/// let sum = constraint::sum_modulo(&digits, 9, 0); // over the same variables
/// assert_eq!(topdd::count(&digits.and(sum))?, 84u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Space(SpaceForm);

#[derive(Clone, Debug)]
enum SpaceForm {
    Uniform { num_vars: usize, arity: usize },
    Each(Arc<[usize]>),
}

impl Space {
    /// Returns `num_vars` variables of `arity` values each.
    pub fn uniform(num_vars: usize, arity: usize) -> Self {
        Space(SpaceForm::Uniform { num_vars, arity })
    }

    /// Returns the number of variables.
    pub fn num_vars(&self) -> usize {
        match &self.0 {
            SpaceForm::Uniform { num_vars, .. } => *num_vars,
            SpaceForm::Each(arities) => arities.len(),
        }
    }

    /// Returns the arity of `variable`.
    ///
    /// # Panics
    ///
    /// If there is no such variable; [`get_arity`](Space::get_arity) returns `None` then.
    #[inline]
    #[track_caller]
    pub fn arity(&self, variable: usize) -> usize {
        let Some(arity) = self.get_arity(variable) else {
            panic!("there is no variable {variable}; the variables are 0..{}", self.num_vars())
        };
        arity
    }

    /// Returns the arity of `variable`; `None` if there is no such variable.
    #[inline]
    pub fn get_arity(&self, variable: usize) -> Option<usize> {
        match &self.0 {
            SpaceForm::Uniform { num_vars, arity } => (variable < *num_vars).then_some(*arity),
            SpaceForm::Each(arities) => arities.get(variable).copied(),
        }
    }

    /// Returns the arities of all variables, from the root down.
    pub fn arities(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.num_vars()).map(|variable| self.arity(variable))
    }
}

/// Spaces are equal if their variables have equal arities.
impl PartialEq for Space {
    fn eq(&self, other: &Self) -> bool {
        self.num_vars() == other.num_vars() && self.arities().eq(other.arities())
    }
}

impl Eq for Space {}

impl From<usize> for Space {
    fn from(num_vars: usize) -> Self {
        Space::uniform(num_vars, 2)
    }
}

impl From<Vec<usize>> for Space {
    fn from(arities: Vec<usize>) -> Self {
        arities.as_slice().into()
    }
}

impl<const N: usize> From<[usize; N]> for Space {
    fn from(arities: [usize; N]) -> Self {
        arities.as_slice().into()
    }
}

impl<const N: usize> From<&[usize; N]> for Space {
    fn from(arities: &[usize; N]) -> Self {
        arities.as_slice().into()
    }
}

impl From<&Vec<usize>> for Space {
    fn from(arities: &Vec<usize>) -> Self {
        arities.as_slice().into()
    }
}

impl From<&[usize]> for Space {
    fn from(arities: &[usize]) -> Self {
        match arities.first() {
            Some(&first) if arities.iter().all(|&arity| arity == first) => {
                Space::uniform(arities.len(), first)
            }
            _ => Space(SpaceForm::Each(arities.into())),
        }
    }
}

impl<S: DdSpec + ?Sized> From<&S> for Space {
    fn from(spec: &S) -> Self {
        let arities = (0..spec.num_vars()).map(|variable| spec.arity(variable));
        arities.collect::<Vec<_>>().into()
    }
}

impl From<&Space> for Space {
    fn from(space: &Space) -> Self {
        space.clone()
    }
}

/// The number of variables and their arities.
#[derive(Clone, Debug)]
pub(crate) struct Arities {
    num_vars: usize,
    /// One entry when every variable has that arity (always, when there are no variables), one per
    /// variable otherwise. The form is unique, so `==` compares arities.
    table: Box<[u32]>,
    /// Where arities differ: for each variable, the sum of the logarithms of the arities before it.
    log2_sums: Box<[f64]>,
    /// Where arities differ: the products over aligned blocks of [`BLOCK`] variables.
    blocks: OnceLock<BlockProducts<BigUint>>,
}

/// The variables in the smallest block whose product is stored.
const BLOCK: usize = 64;

impl Arities {
    /// Returns the arities of the spec. Fails if there are too many variables, the spec is invalid, or
    /// an arity is 0 or too large.
    pub(crate) fn from_spec<S: DdSpec + ?Sized>(spec: &S) -> Result<Self, BuildError> {
        let num_vars = spec.num_vars();
        if num_vars > Self::MAX_VARS {
            return Err(BuildError::TooManyVariables { num_vars, limit: Self::MAX_VARS });
        }
        // This may look at every variable. The arities of an invalid spec may not be defined.
        spec.validate().map_err(|message| BuildError::InvalidSpec { message })?;
        let mut bad = None;
        let arities = (0..num_vars).map_while(|variable| {
            let arity = spec.arity(variable);
            if arity == 0 || arity > Self::MAX_ARITY {
                bad = Some(BuildError::BadArity { variable, arity, limit: Self::MAX_ARITY });
                return None;
            }
            Some(arity as u32)
        });
        let arities = Self::new(arities);
        bad.map_or(Ok(arities), Err)
    }

    /// Makes the table of a list of arities, none of which is 0.
    pub(crate) fn new(arities: impl Iterator<Item = u32>) -> Self {
        let mut table = Vec::new();
        let mut num_vars = 0;
        for arity in arities {
            match table.first() {
                // Uniform so far: the single entry stands for all variables before this one.
                Some(&first) if table.len() == 1 && num_vars > 1 && first != arity => {
                    table.resize(num_vars, first);
                    table.push(arity);
                }
                Some(&first) if table.len() == 1 && first == arity => {}
                _ => table.push(arity),
            }
            num_vars += 1;
        }
        if table.is_empty() {
            table.push(2);
        }
        Self::from_table(num_vars, table)
    }

    /// The arities of a table in canonical form: one entry if all variables have the same arity (2 if
    /// there are no variables), otherwise one entry for each variable.
    pub(crate) fn from_table(num_vars: usize, table: Vec<u32>) -> Self {
        debug_assert!(table.len() == 1 || table.len() == num_vars);
        let mut sum = 0.0;
        let log2_sums = if table.len() == 1 {
            Vec::new()
        } else {
            let before = table.iter().map(|&arity| {
                let this = sum;
                sum += f64::from(arity).log2();
                this
            });
            before.collect()
        };
        let (table, log2_sums) = (table.into_boxed_slice(), log2_sums.into_boxed_slice());
        Arities { num_vars, table, log2_sums, blocks: OnceLock::new() }
    }

    /// Returns the table that [`from_table`](Arities::from_table) takes.
    pub(crate) fn table(&self) -> &[u32] {
        &self.table
    }

    /// Returns `num_vars` two-valued variables, at most [`MAX_VARS`](Self::MAX_VARS).
    pub(crate) fn two_valued(num_vars: usize) -> Self {
        debug_assert!(num_vars <= Self::MAX_VARS);
        let (table, log2_sums) = (Box::new([2]), Box::new([]));
        Arities { num_vars, table, log2_sums, blocks: OnceLock::new() }
    }

    /// Whether all variables have two values.
    pub(crate) fn are_two_valued(&self) -> bool {
        *self.table == [2]
    }

    /// Returns the first variable, if any, that does not have two values.
    pub(crate) fn first_not_two_valued(&self) -> Option<usize> {
        if self.table.len() == 1 {
            return (self.table[0] != 2 && self.num_vars > 0).then_some(0);
        }
        self.table.iter().position(|&arity| arity != 2)
    }

    /// The limit of variables. A position then fits in 32 bits and leaves one bit for a flag.
    pub(crate) const MAX_VARS: usize = (1 << 31) - 2;
    const MAX_ARITY: usize = u32::MAX as usize;

    pub(crate) fn num_vars(&self) -> usize {
        self.num_vars
    }

    #[inline]
    pub(crate) fn get(&self, variable: usize) -> usize {
        debug_assert!(variable < self.num_vars);
        if self.table.len() == 1 { self.table[0] as usize } else { self.table[variable] as usize }
    }

    /// The least and the greatest arity; `None` without variables. Constant time if all are equal.
    pub(crate) fn least_to_greatest(&self) -> Option<RangeInclusive<usize>> {
        let (least, greatest) = (self.table.iter().min()?, self.table.iter().max()?);
        (self.num_vars > 0).then_some(*least as usize..=*greatest as usize)
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        (0..self.num_vars).map(|variable| self.get(variable))
    }

    /// Returns the [`product`](Arities::product) if it fits in 64 bits and is found quickly.
    pub(crate) fn small_product(&self, range: Range<usize>) -> Option<u64> {
        // Bounds the loop where arities are 1.
        let few = range.len() <= 64;
        few.then(|| range.clone().try_fold(1u64, |p, v| p.checked_mul(self.get(v) as u64)))?
    }

    /// Returns the number of assignments to the variables of a range.
    ///
    /// Where arities differ, it is the product of few blocks. So many overlapping ranges take time in
    /// proportion to the size of the results.
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
        let of_few =
            |few: Range<usize>| -> BigUint { few.map(|v| BigUint::from(self.table[v])).product() };
        // The whole blocks in the range, and the variables before and after them.
        let (first, last) = (range.start.div_ceil(BLOCK), range.end / BLOCK);
        if first >= last {
            return of_few(range);
        }
        let blocks = self.blocks.get_or_init(|| BlockProducts::new(self.table.len() / BLOCK));
        let of_block = |block: usize| of_few(block * BLOCK..(block + 1) * BLOCK);
        let product = blocks.product(first..last, of_block, |a, b| a * b);
        let ends = of_few(range.start..first * BLOCK) * of_few(last * BLOCK..range.end);
        ends * product.expect("there are blocks")
    }

    /// An upper bound of the base-2 logarithm of [`Self::product`], above it by about a millionth.
    pub(crate) fn log2_product(&self, range: Range<usize>) -> f64 {
        if range.is_empty() {
            return 0.0;
        }
        let last = range.end - 1;
        let rounded = if self.table.len() == 1 {
            f64::from(self.table[0]).log2() * range.len() as f64
        } else {
            self.log2_sums[last] - self.log2_sums[range.start] + f64::from(self.table[last]).log2()
        };
        // The addend and the factor exceed the rounding errors.
        rounded * (1.0 + 1e-7) + 1e-6
    }

    /// Fails unless the values are an assignment to these variables.
    pub(crate) fn check_assignment(&self, assignment: &[usize]) -> Result<(), QueryError> {
        let (found, num_vars) = (assignment.len(), self.num_vars);
        if found != num_vars {
            return Err(QueryError::AssignmentLength { found, num_vars });
        }
        for (variable, &value) in assignment.iter().enumerate() {
            let arity = self.get(variable);
            if value >= arity {
                return Err(QueryError::ValueOutOfRange { variable, value, arity });
            }
        }
        Ok(())
    }

    pub(crate) fn bytes(&self) -> usize {
        let blocks = self.blocks.get().into_iter().flat_map(BlockProducts::iter);
        size_of_val(&*self.table)
            + size_of_val(&*self.log2_sums)
            + blocks.map(|product| product.bits() as usize / 8).sum::<usize>()
    }
}

impl PartialEq for Arities {
    fn eq(&self, other: &Self) -> bool {
        // The other fields follow from the compared fields.
        self.num_vars == other.num_vars && self.table == other.table
    }
}

impl Eq for Arities {}

/// An item for each value of each variable, in one allocation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PerValue<T> {
    items: Vec<T>,
    /// The start of the items of each variable; at the end, the number of all items.
    starts: Vec<usize>,
}

impl<T> PerValue<T> {
    pub(crate) fn new(
        arities: impl IntoIterator<Item = usize>,
        mut item: impl FnMut(usize, usize) -> T,
    ) -> Self {
        let mut all = PerValue { items: Vec::new(), starts: vec![0] };
        for (variable, arity) in arities.into_iter().enumerate() {
            all.items.extend((0..arity).map(|value| item(variable, value)));
            all.starts.push(all.items.len());
        }
        all
    }

    #[inline]
    pub(crate) fn num_vars(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the items of the values of a variable.
    #[inline]
    pub(crate) fn variable(&self, variable: usize) -> &[T] {
        &self.items[self.starts[variable]..self.starts[variable + 1]]
    }

    /// Returns the variable before `variable` if it has the same items.
    pub(crate) fn equal_before(&self, variable: usize) -> Option<usize>
    where
        T: PartialEq,
    {
        variable.checked_sub(1).filter(|&before| self.variable(before) == self.variable(variable))
    }

    #[inline]
    pub(crate) fn variable_mut(&mut self, variable: usize) -> &mut [T] {
        &mut self.items[self.starts[variable]..self.starts[variable + 1]]
    }

    /// Returns the item of a value.
    #[inline]
    pub(crate) fn get(&self, variable: usize, value: usize) -> &T {
        &self.items[self.starts[variable] + value]
    }

    pub(crate) fn map<V>(&self, change: impl FnMut(&T) -> V) -> PerValue<V> {
        PerValue { items: self.items.iter().map(change).collect(), starts: self.starts.clone() }
    }

    /// Returns the items of each variable as a list.
    pub(crate) fn into_lists(self) -> Vec<Vec<T>> {
        let mut items = self.items.into_iter();
        self.starts.windows(2).map(|of| items.by_ref().take(of[1] - of[0]).collect()).collect()
    }
}

/// By variable, the items of its values.
impl<T, V: IntoIterator<Item = T>> FromIterator<V> for PerValue<T> {
    fn from_iter<I: IntoIterator<Item = V>>(variables: I) -> Self {
        let mut all = PerValue { items: Vec::new(), starts: vec![0] };
        for items in variables {
            all.items.extend(items);
            all.starts.push(all.items.len());
        }
        all
    }
}

/// The products over aligned blocks of factors: of one, of two, of four, and so on.
///
/// Each is computed on first use, and no other: where values grow with the number of factors, as
/// weights with few common values do, a product that no range needs may be larger than everything
/// else together.
#[derive(Clone, Debug)]
pub(crate) struct BlockProducts<V> {
    len: usize,
    blocks: OnceLock<Vec<Box<[OnceLock<V>]>>>,
}

impl<V: Clone> BlockProducts<V> {
    /// Makes an empty table for `len` factors.
    pub(crate) fn new(len: usize) -> Self {
        BlockProducts { len, blocks: OnceLock::new() }
    }

    fn blocks(&self) -> &[Box<[OnceLock<V>]>] {
        self.blocks.get_or_init(|| {
            let half = |size: &usize| (*size > 1).then_some(size / 2);
            let sizes = std::iter::successors(Some(self.len), half);
            sizes.map(|size| (0..size).map(|_| OnceLock::new()).collect()).collect()
        })
    }

    /// Returns the base-2 logarithm of the size of the largest block that starts at the start of a range,
    /// which is not empty, and ends within.
    pub(crate) fn block_level(range: Range<usize>) -> usize {
        range.start.trailing_zeros().min(range.len().ilog2()) as usize
    }

    /// Returns the product over a range of factors; `None` of no factors. `factor` returns the factor
    /// of an index.
    pub(crate) fn product(
        &self,
        range: Range<usize>,
        factor: impl Fn(usize) -> V,
        multiply: impl Fn(&V, &V) -> V,
    ) -> Option<V> {
        let mut product: Option<V> = None;
        let mut at = range.start;
        while at < range.end {
            let level = Self::block_level(at..range.end);
            let block = self.block(level, at >> level, &factor, &multiply);
            product = Some(match product {
                None => block.clone(),
                Some(product) => multiply(&product, block),
            });
            at += 1 << level;
        }
        product
    }

    /// Returns the product over a block of 2^`level` factors, the block of index `at` of this size.
    fn block(
        &self,
        level: usize,
        at: usize,
        factor: &impl Fn(usize) -> V,
        multiply: &impl Fn(&V, &V) -> V,
    ) -> &V {
        // Missing blocks only, from the smallest up.
        if self.blocks()[level][at].get().is_none() {
            for lower in 0..=level {
                let within = at << (level - lower)..(at + 1) << (level - lower);
                for (index, block) in within.clone().zip(&self.blocks()[lower][within]) {
                    let part = |index: usize| {
                        self.blocks()[lower - 1][index].get().expect("smaller blocks come first")
                    };
                    block.get_or_init(|| match lower {
                        0 => factor(index),
                        _ => multiply(part(2 * index), part(2 * index + 1)),
                    });
                }
            }
        }
        self.blocks()[level][at].get().expect("it was made")
    }

    /// Returns the products computed so far.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &V> {
        self.blocks.get().into_iter().flatten().flatten().filter_map(OnceLock::get)
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
    fn equal_arities_have_equal_tables() {
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
            let arities = Arities::from_spec(&Mixed(list.clone())).unwrap();
            assert_eq!((0..list.len()).map(|v| arities.get(v)).collect::<Vec<_>>(), list);
            assert_eq!(arities.num_vars(), list.len());
            let uniform = list.windows(2).all(|w| w[0] == w[1]);
            assert_eq!(arities.table.len() == 1, uniform || list.is_empty());
            let product: usize = list.iter().product();
            assert_eq!(arities.product(0..list.len()), BigUint::from(product));
            let above = arities.log2_product(0..list.len()) - (product as f64).log2();
            assert!((0.0..1e-4).contains(&above), "{list:?}: {above}");
        }
    }

    #[test]
    fn a_long_product_is_exact() {
        let list: Vec<usize> = (0..1000).map(|v| v % 7 + 1).collect();
        let arities = Arities::from_spec(&Mixed(list.clone())).unwrap();
        for range in [3..900, 0..1000, 64..128, 63..129, 0..64, 70..100, 128..129, 1..1000, 5..5] {
            let expected: BigUint = list[range.clone()].iter().map(|&a| BigUint::from(a)).product();
            assert_eq!(arities.product(range), expected);
        }
    }

    #[test]
    fn arity_zero_is_refused() {
        let error = Arities::from_spec(&Mixed(vec![2, 0])).unwrap_err();
        assert!(matches!(error, BuildError::BadArity { variable: 1, arity: 0, .. }));
    }
}
