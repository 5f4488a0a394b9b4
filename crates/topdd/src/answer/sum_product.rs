//! Sums of products over all solutions, in any semiring whose values are stored in a fixed number of words.

use super::best::fingerprint;
use crate::error::ReportedError;
use crate::frontier::{Engine, Frontier, Payload};
use crate::query::{Semiring, Sum, Weights};
use crate::spec::{Arities, BlockProducts, Rule};
use crate::{BuildError, QueryError};
use std::any::type_name;
use std::ops::Range;
use std::sync::Arc;

impl<S> Frontier<'_, S> {
    /// Returns the sum over all solutions of the product of the weights of their values, in a
    /// semiring of your own. Skipped variables are read as 0: the result of
    /// `zdd()?.sum_product(semiring)`, without storing a diagram.
    ///
    /// Cost: one sweep, with a value for each state, one addition and one multiplication for each
    /// edge. If addition rounds, as the addition of floats does, the last digits of the result may depend on
    /// the number of threads and on the memory limit, because these determine the order of additions.
    ///
    /// A run resumes a checkpoint only if the semiring has the same type and the same weights. If it
    /// has other parameters, the key of the checkpoint must contain them.
    ///
    /// ```
    /// use topdd::{Frontier, Semiring};
    /// # use topdd::{DdSpec, Step};
    /// # struct Any; impl DdSpec for Any {
    /// #     type State = (); fn num_vars(&self) -> usize { 3 }
    /// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
    /// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
    /// #         if v == 2 { Step::One } else { Step::To(v + 1, ()) } } }
    ///
    /// /// The least weight, and the number of solutions that have it.
    /// struct Lightest([u32; 3]);
    ///
    /// impl Semiring for Lightest {
    ///     type Value = (Option<u32>, u64); // no weight: of nothing at all
    ///     fn zero(&self) -> Self::Value { (None, 0) }
    ///     fn one(&self) -> Self::Value { (Some(0), 1) }
    ///     fn add(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
    ///         match (a.0, b.0) {
    ///             (Some(x), Some(y)) if x == y => (Some(x), a.1 + b.1),
    ///             (Some(x), Some(y)) if x < y => *a,
    ///             (Some(_), None) => *a,
    ///             _ => *b,
    ///         }
    ///     }
    ///     fn multiply(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
    ///         (a.0.zip(b.0).map(|(x, y)| x + y), a.1 * b.1)
    ///     }
    ///     fn weight(&self, variable: usize, value: usize) -> Self::Value {
    ///         (Some(self.0[variable] * value as u32), 1)
    ///     }
    /// }
    ///
    /// // {} and {1}, as number 1 weighs nothing.
    /// assert_eq!(Frontier::over(&Any).sum_product(&Lightest([3, 0, 2]))?, (Some(0), 2));
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`count`](Frontier::count).
    pub fn sum_product<R: Semiring<Value: FixedWords>>(
        &mut self,
        semiring: &R,
    ) -> Result<R::Value, BuildError> {
        self.sum_product_under(Rule::ZeroSuppressed, semiring)
    }

    /// Does the same as [`sum_product`](Frontier::sum_product), with skipped variables read by `rule`.
    ///
    /// # Errors
    ///
    /// The errors of [`count`](Frontier::count).
    pub fn sum_product_under<R: Semiring<Value: FixedWords>>(
        &mut self,
        rule: Rule,
        semiring: &R,
    ) -> Result<R::Value, BuildError> {
        let payload = |arities| Ok(SumProduct::new(type_name::<R>(), semiring, arities, rule));
        sum_product(&mut self.engine, rule, payload)
    }

    /// Returns the probability that an assignment is a solution when each variable takes its values
    /// with the given probabilities, independently of the others. Skipped variables are read as 0:
    /// the result of `zdd()?.probability(probabilities)`, without storing a diagram.
    ///
    /// Cost and precision as for [`sum_product`](Frontier::sum_product) with `f64`.
    ///
    /// ```
    /// use topdd::{Frontier, Weights};
    /// # use topdd::{DdSpec, Step};
    /// # struct Both; impl DdSpec for Both {
    /// #     type State = (); fn num_vars(&self) -> usize { 2 }
    /// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
    /// #     fn child(&self, _: &(), v: usize, value: usize) -> Step<()> {
    /// #         if value == 0 { Step::Zero } else if v == 1 { Step::One } else { Step::To(v + 1, ()) } } }
    /// let odds = Weights::from(vec![vec![0.5, 0.5], vec![0.25, 0.75]]);
    /// assert_eq!(Frontier::over(&Both).probability(&odds)?, 0.375);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`count`](Frontier::count). Also fails if there is not one probability for each value
    /// of each variable, or the probabilities of a variable are not numbers of 0 to 1 whose sum is 1, within a
    /// millionth.
    pub fn probability(&mut self, probabilities: &Weights<f64>) -> Result<f64, QueryError> {
        self.probability_under(Rule::ZeroSuppressed, probabilities)
    }

    /// Does the same as [`probability`](Frontier::probability), with skipped variables read by `rule`.
    ///
    /// # Errors
    ///
    /// The errors of [`probability`](Frontier::probability).
    pub fn probability_under(
        &mut self,
        rule: Rule,
        probabilities: &Weights<f64>,
    ) -> Result<f64, QueryError> {
        sum_product(&mut self.engine, rule, |arities| {
            probabilities.check_probabilities(&arities)?;
            Ok(SumProduct::new("probabilities", probabilities, arities, rule))
        })
    }

    /// Returns the number of solutions modulo `modulus`, with skipped variables read as 0. Each state
    /// has one word, however large the count is.
    ///
    /// ```
    /// use topdd::Frontier;
    /// # use topdd::{DdSpec, Step};
    /// # struct Any; impl DdSpec for Any {
    /// #     type State = (); fn num_vars(&self) -> usize { 100 }
    /// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
    /// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
    /// #         if v == 99 { Step::One } else { Step::To(v + 1, ()) } } }
    /// // 2 to the power of 100.
    /// assert_eq!(Frontier::over(&Any).count_modulo(1_000_000_007)?, 976_371_285);
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`count`](Frontier::count).
    ///
    /// # Panics
    ///
    /// If `modulus` is 0.
    #[track_caller]
    pub fn count_modulo(&mut self, modulus: u64) -> Result<u64, BuildError> {
        self.count_modulo_under(Rule::ZeroSuppressed, modulus)
    }

    /// Does the same as [`count_modulo`](Frontier::count_modulo), with skipped variables read by
    /// `rule`.
    ///
    /// # Errors
    ///
    /// The errors of [`count`](Frontier::count).
    ///
    /// # Panics
    ///
    /// If `modulus` is 0.
    #[track_caller]
    pub fn count_modulo_under(&mut self, rule: Rule, modulus: u64) -> Result<u64, BuildError> {
        assert!(modulus > 0, "a count modulo 0 is not defined");
        let name = format!("residues modulo {modulus}");
        let semiring = Residues(modulus);
        let residue = sum_product(&mut self.engine, rule, |arities| {
            let payload = SumProduct::new(&name, &semiring, arities, rule);
            Ok::<_, BuildError>(SumProduct { modulus: Some(modulus), ..payload })
        });
        Ok(residue? % modulus)
    }
}

/// Numbers from 1 to the modulus, which stands for 0. Every weight is 1.
struct Residues(u64);

impl Residues {
    /// The residue of a positive number.
    fn residue(&self, number: u128) -> u64 {
        ((number - 1) % u128::from(self.0)) as u64 + 1
    }
}

impl Semiring for Residues {
    type Value = u64;

    fn zero(&self) -> u64 {
        self.0
    }

    fn one(&self) -> u64 {
        1
    }

    fn add(&self, a: &u64, b: &u64) -> u64 {
        self.residue(u128::from(*a) + u128::from(*b))
    }

    fn multiply(&self, a: &u64, b: &u64) -> u64 {
        self.residue(u128::from(*a) * u128::from(*b))
    }

    fn weight(&self, _: usize, _: usize) -> u64 {
        self.one()
    }

    fn is_one(&self, value: &u64) -> bool {
        *value == self.one()
    }
}

/// Returns the sum of products that `payload` makes for the variables of the spec.
fn sum_product<'s, S: Semiring<Value: FixedWords> + 's, E: From<BuildError> + ReportedError>(
    engine: &mut Engine<'_>,
    rule: Rule,
    payload: impl FnOnce(Arc<Arities>) -> Result<SumProduct<'s, S>, E>,
) -> Result<S::Value, E> {
    let (payload, words): (_, Option<Vec<u64>>) = engine.words::<_, E>(rule, payload)?;
    Ok(words.map_or_else(|| payload.semiring.zero(), |words| FixedWords::read(&words)))
}

/// For each state the sum over all paths to it of the product of the weights of their values.
struct SumProduct<'s, S: Semiring> {
    /// The name of the semiring in checkpoints.
    name: &'s str,
    semiring: &'s S,
    arities: Arc<Arities>,
    rule: Rule,
    products: BlockProducts<S::Value>,
    /// If the semiring is [`Residues`].
    modulus: Option<u64>,
}

impl<'s, S: Semiring<Value: FixedWords>> SumProduct<'s, S> {
    fn new(name: &'s str, semiring: &'s S, arities: Arc<Arities>, rule: Rule) -> Self {
        let products = BlockProducts::new(arities.num_vars());
        SumProduct { name, semiring, arities, rule, products, modulus: None }
    }

    /// Replaces `out` by the product of a factor and the value in some words.
    fn multiply(&self, factor: Option<S::Value>, words: &[u64], out: &mut Vec<u64>) {
        out.clear();
        match factor.filter(|factor| !self.semiring.is_one(factor)) {
            None => out.extend_from_slice(words),
            Some(factor) => {
                out.resize(self.lanes(0), 0);
                self.semiring.multiply(&FixedWords::read(words), &factor).write(out);
            }
        }
    }
}

impl<S: Semiring<Value: FixedWords>> Payload for SumProduct<'_, S> {
    fn identity(&self) -> String {
        let weights = (0..self.arities.num_vars()).flat_map(|variable| {
            let values = 0..self.arities.get(variable);
            values.map(move |value| self.semiring.weight(variable, value))
        });
        let all = [self.semiring.zero(), self.semiring.one()].into_iter().chain(weights);
        let words = all.flat_map(|value| {
            let mut words = vec![0; S::Value::WORDS];
            value.write(&mut words);
            words
        });
        format!("sums of products of {} with weights {:016x}", self.name, fingerprint(words))
    }

    fn lanes(&self, _: usize) -> usize {
        // A value without words would look like a sweep without words.
        S::Value::WORDS.max(1)
    }

    fn skips(&self) -> bool {
        self.modulus.is_none() || self.rule == Rule::AnyValue
    }

    fn modulus(&self) -> Option<u64> {
        self.modulus
    }

    fn root(&self) -> Vec<u64> {
        let mut words = vec![0; self.lanes(0)];
        self.semiring.one().write(&mut words);
        words
    }

    fn step(&self, words: &[u64], variable: usize, value: usize, out: &mut Vec<u64>) {
        self.multiply(Some(self.semiring.weight(variable, value)), words, out);
    }

    fn skip(&self, words: &[u64], skipped: Range<usize>, out: &mut Vec<u64>) {
        let SumProduct { semiring, arities, rule, products, .. } = self;
        let sum = Sum { arities, rule: *rule, semiring: *semiring, products };
        self.multiply(sum.skip_product(skipped), words, out);
    }

    fn combine(&self, _: usize, into: &mut [u64], from: &[u64]) {
        let sum = self.semiring.add(&FixedWords::read(into), &FixedWords::read(from));
        sum.write(into);
    }
}

/// A value that is stored in a fixed number of words of 64 bits.
///
/// The values of a [`Semiring`](crate::Semiring) whose sums are computed without a diagram, by
/// [`Frontier::sum_product`](crate::Frontier::sum_product). It is implemented for integers, floats,
/// `bool`, options, arrays, and tuples of up to four values.
///
/// ```
/// use topdd::answer::FixedWords;
///
/// /// A number modulo a prime, and whether it was ever reduced.
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// struct Residue { number: u64, reduced: bool }
///
/// impl FixedWords for Residue {
///     const WORDS: usize = <(u64, bool)>::WORDS;
///     fn write(self, words: &mut [u64]) { (self.number, self.reduced).write(words) }
///     fn read(words: &[u64]) -> Self {
///         let (number, reduced) = FixedWords::read(words);
///         Residue { number, reduced }
///     }
/// }
///
/// let mut words = [0; Residue::WORDS];
/// let residue = Residue { number: 7, reduced: true };
/// residue.write(&mut words);
/// assert_eq!((words, Residue::read(&words)), ([7, 1], residue));
/// ```
pub trait FixedWords: Copy {
    /// The number of words.
    const WORDS: usize;

    /// Writes the value to [`WORDS`](FixedWords::WORDS) words.
    fn write(self, words: &mut [u64]);

    /// Reads a value from the words that [`write`](FixedWords::write) wrote.
    fn read(words: &[u64]) -> Self;
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl FixedWords for $type {
            const WORDS: usize = 1;

            fn write(self, words: &mut [u64]) {
                words[0] = self as u64;
            }

            fn read(words: &[u64]) -> Self {
                words[0] as $type
            }
        }
    )*};
}

integers!(u8, u16, u32, u64, usize, i8, i16, i32);

macro_rules! by_conversion {
    ($($type:ty as $words:ty: $write:expr, $read:expr;)*) => {$(
        impl FixedWords for $type {
            const WORDS: usize = <$words>::WORDS;

            fn write(self, words: &mut [u64]) {
                let write: fn(Self) -> $words = $write;
                write(self).write(words);
            }

            fn read(words: &[u64]) -> Self {
                let read: fn($words) -> Self = $read;
                read(FixedWords::read(words))
            }
        }
    )*};
}

by_conversion! {
    bool as u8: u8::from, |byte| byte != 0;
    f32 as u32: f32::to_bits, f32::from_bits;
    f64 as u64: f64::to_bits, f64::from_bits;
    u128 as [u64; 2]: |n| [n as u64, (n >> 64) as u64], |[a, b]| u128::from(b) << 64 | u128::from(a);
    i64 as u64: i64::cast_unsigned, u64::cast_signed;
    isize as usize: isize::cast_unsigned, usize::cast_signed;
    i128 as u128: i128::cast_unsigned, u128::cast_signed;
}

impl<T: FixedWords, const N: usize> FixedWords for [T; N] {
    const WORDS: usize = N * T::WORDS;

    fn write(self, words: &mut [u64]) {
        for (i, value) in self.into_iter().enumerate() {
            value.write(&mut words[i * T::WORDS..][..T::WORDS]);
        }
    }

    fn read(words: &[u64]) -> Self {
        std::array::from_fn(|i| T::read(&words[i * T::WORDS..][..T::WORDS]))
    }
}

impl<T: FixedWords> FixedWords for Option<T> {
    const WORDS: usize = 1 + T::WORDS;

    fn write(self, words: &mut [u64]) {
        words.fill(0);
        if let Some(value) = self {
            words[0] = 1;
            value.write(&mut words[1..]);
        }
    }

    fn read(words: &[u64]) -> Self {
        (words[0] != 0).then(|| T::read(&words[1..]))
    }
}

macro_rules! tuples {
    ($($($name:ident $value:ident)+;)*) => {$(
        impl<$($name: FixedWords),+> FixedWords for ($($name,)+) {
            const WORDS: usize = 0 $(+ $name::WORDS)+;

            fn write(self, words: &mut [u64]) {
                let ($($value,)+) = self;
                let mut rest = words;
                $(
                    let (words, after) = rest.split_at_mut($name::WORDS);
                    $value.write(words);
                    rest = after;
                )+
                let _ = rest;
            }

            fn read(words: &[u64]) -> Self {
                let mut rest = words;
                let mut next = |count| {
                    let (words, after) = rest.split_at(count);
                    rest = after;
                    words
                };
                ($($name::read(next($name::WORDS)),)+)
            }
        }
    )*};
}

tuples! { A a; A a B b; A a B b C c; A a B b C c D d; }

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn survives<T: FixedWords + PartialEq>(value: T) -> bool {
        let mut words = vec![u64::MAX; T::WORDS];
        value.write(&mut words);
        T::read(&words) == value
    }

    proptest! {
        #[test]
        fn values_survive(a: i8, b: u128, c: i128, d: bool, e: u64, f: i64) {
            prop_assert!(survives((a, b, Some(c), [[d, !d], [d, d]])));
            prop_assert!(survives(f64::from_bits(e)) || f64::from_bits(e).is_nan());
            prop_assert!(survives((None::<u16>, Some((e, f)), a as f32)));
        }
    }
}
