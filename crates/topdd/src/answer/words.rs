//! Values that are stored in a fixed number of words.

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
