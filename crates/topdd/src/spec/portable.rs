//! States as bytes, for disk and for boxed specs.

use smallvec::{Array, SmallVec};

/// A value that can be written as bytes and read back.
///
/// [`Frontier::spill_to`](crate::Frontier::spill_to), [`Frontier::checkpoint`](crate::Frontier::checkpoint),
/// [`Frontier::of`](crate::Frontier::of) and [`SpecExt::boxed`](crate::SpecExt::boxed) need this of a
/// state; other uses of a spec do not. It is implemented for integers, `bool`, `char`,
/// `String`, tuples, arrays, `Option`, `Box`, `Vec` and `SmallVec`, and for the states of all
/// combinators; [`portable!`](crate::portable) implements it for a struct of such fields.
///
/// # Contract
///
/// - `read` returns a value equal to the one that `write` wrote, and takes exactly the bytes that
///   it wrote.
/// - Two values are equal if and only if `write` writes the same bytes for both. With a checkpoint or
///   several processes, a hash of the bytes assigns a state to its partition: equal states with
///   different bytes would not merge.
/// - On other bytes, `read` returns `None` or any value. It does not panic, and does not allocate
///   more memory than a small multiple of the bytes.
///
/// ```
/// use topdd::Portable;
///
/// let state = (7u32, vec![true, false], [1u8, 2, 3]);
/// let mut bytes = Vec::new();
/// state.write(&mut bytes);
/// let mut rest = &bytes[..];
/// assert_eq!(Portable::read(&mut rest), Some(state));
/// assert!(rest.is_empty());
/// ```
///
/// A function that returns a spec promises it in its type:
///
/// ```
/// use topdd::{DdSpec, Portable, SpecExt, constraint};
///
/// fn few() -> impl DdSpec<State: Portable> + Send { constraint::at_most(5, 2) }
/// assert_eq!(topdd::count(&few().boxed())?, 16u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
///
/// This does not compile:
///
/// ```compile_fail,E0277
/// use topdd::{DdSpec, SpecExt, constraint};
///
/// fn few() -> impl DdSpec + Send { constraint::at_most(5, 2) }
/// topdd::count(&few().boxed());
/// ```
#[diagnostic::on_unimplemented(
    note = "states that go to disk or to other processes have an encoding; for a struct of yours, \
            `topdd::portable!(Name {{ field, ... }});` implements it",
    note = "a function that returns a spec states it in its type: `impl DdSpec<State: topdd::Portable>`"
)]
pub trait Portable: Sized {
    /// Appends the value to `out`.
    fn write(&self, out: &mut Vec<u8>);

    /// Takes the value off the front of `bytes`; `None` if the bytes do not start with one.
    fn read(bytes: &mut &[u8]) -> Option<Self>;

    /// Returns the size in bytes of the memory that the value owns on the heap, without the value
    /// itself: 0 unless overridden. A [memory limit](crate::Frontier::memory_limit) counts it.
    ///
    /// ```
    /// use topdd::Portable;
    ///
    /// assert_eq!([7u64; 4].heap_bytes(), 0);
    /// assert!(vec![7u64; 4].heap_bytes() >= 32); // with the overhead of the allocator
    /// ```
    #[inline]
    fn heap_bytes(&self) -> usize {
        0
    }
}

/// Size in bytes of an allocation of `bytes` bytes, with the allocator's overhead.
fn allocated(bytes: usize) -> usize {
    const HEADER: usize = 16;
    if bytes == 0 { 0 } else { bytes + HEADER }
}

/// Size in bytes of the heap memory that values own.
fn owned<T: Portable>(values: &[T]) -> usize {
    if std::mem::needs_drop::<T>() { values.iter().map(T::heap_bytes).sum() } else { 0 }
}

/// Implements [`Portable`](crate::Portable) for a struct, by its fields in the order given,
/// each of which is [`Portable`](crate::Portable). A tuple struct names its fields `0`, `1`, .. The
/// parameters of a generic struct must be types.
///
/// ```
/// use topdd::Portable;
///
/// #[derive(Clone, PartialEq, Eq, Hash, Debug)]
/// struct Threats { columns: u32, rising: u64, falling: u64 }
/// topdd::portable!(Threats { columns, rising, falling });
///
/// #[derive(Clone, PartialEq, Eq, Hash, Debug)]
/// struct Mask(u64);
/// topdd::portable!(Mask { 0 });
///
/// let mut bytes = Vec::new();
/// Mask(5).write(&mut bytes);
/// assert_eq!(Mask::read(&mut &bytes[..]), Some(Mask(5)));
///
/// #[derive(Clone, PartialEq, Eq, Hash, Debug)]
/// struct Both<A, B> { a: A, b: B }
/// topdd::portable!(Both<A, B> { a, b });
/// ```
#[macro_export]
macro_rules! portable {
    ($name:ident $(<$($parameter:ident),+>)? { $($field:tt),+ $(,)? }) => {
        impl $(<$($parameter: $crate::Portable),+>)? $crate::Portable for $name $(<$($parameter),+>)? {
            #[inline]
            fn write(&self, out: &mut ::std::vec::Vec<u8>) {
                $($crate::Portable::write(&self.$field, out);)+
            }

            #[inline]
            fn read(bytes: &mut &[u8]) -> ::std::option::Option<Self> {
                // Fields are read in the order in which they were written.
                ::std::option::Option::Some($name { $($field: $crate::Portable::read(bytes)?),+ })
            }
            #[inline]
            fn heap_bytes(&self) -> usize {
                0 $(+ $crate::Portable::heap_bytes(&self.$field))+
            }
        }
    };
}

macro_rules! integers {
    ($($int:ty),+) => {$(
        impl Portable for $int {
            #[inline]
            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn read(bytes: &mut &[u8]) -> Option<Self> {
                let (value, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(<$int>::from_le_bytes(*value))
            }
        }
    )+};
}

integers!(u8, u16, u32, u64, u128, i8, i16, i32, i64, i128);

// The size is the same on every machine.
macro_rules! sizes {
    ($($size:ty as $wide:ty),+) => {$(
        impl Portable for $size {
            #[inline]
            fn write(&self, out: &mut Vec<u8>) {
                (*self as $wide).write(out);
            }

            #[inline]
            fn read(bytes: &mut &[u8]) -> Option<Self> {
                <$wide>::read(bytes)?.try_into().ok()
            }
        }
    )+};
}

sizes!(usize as u64, isize as i64);

impl Portable for bool {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        match u8::read(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Portable for char {
    fn write(&self, out: &mut Vec<u8>) {
        u32::from(*self).write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        char::from_u32(u32::read(bytes)?)
    }
}

impl<T: Portable> Portable for Option<T> {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        self.is_some().write(out);
        if let Some(value) = self {
            value.write(out);
        }
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some(if bool::read(bytes)? { Some(T::read(bytes)?) } else { None })
    }

    fn heap_bytes(&self) -> usize {
        self.as_ref().map_or(0, T::heap_bytes)
    }
}

impl<T: Portable> Portable for Box<T> {
    fn write(&self, out: &mut Vec<u8>) {
        (**self).write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        T::read(bytes).map(Box::new)
    }

    fn heap_bytes(&self) -> usize {
        allocated(size_of::<T>()) + (**self).heap_bytes()
    }
}

impl<T: Portable, const N: usize> Portable for [T; N] {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        for value in self {
            value.write(out);
        }
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let mut missing = false;
        let values = std::array::from_fn(|_| {
            let value = if missing { None } else { T::read(bytes) };
            missing |= value.is_none();
            value
        });
        // Only an array without a gap is unwrapped.
        if missing { None } else { Some(values.map(|value| value.expect("nothing is missing"))) }
    }

    fn heap_bytes(&self) -> usize {
        owned(self)
    }
}

/// Writes the number of values, then the values.
fn write_list<T: Portable>(values: &[T], out: &mut Vec<u8>) {
    values.len().write(out);
    for value in values {
        value.write(out);
    }
}

/// Reads a list that [`write_list`] wrote.
fn read_list<T: Portable, L: Default + Extend<T>>(bytes: &mut &[u8]) -> Option<L> {
    let count = usize::read(bytes)?;
    // Values are read one by one, so a wrong count does not cause a large allocation. Values of
    // size 0 have no such limit.
    if size_of::<T>() > 0 && count > bytes.len() {
        return None;
    }
    let mut values = L::default();
    for _ in 0..count {
        values.extend([T::read(bytes)?]);
    }
    Some(values)
}

impl<T: Portable> Portable for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        write_list(self, out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        read_list(bytes)
    }

    fn heap_bytes(&self) -> usize {
        allocated(self.capacity() * size_of::<T>()) + owned(self)
    }
}

impl<T: Portable> Portable for Box<[T]> {
    fn write(&self, out: &mut Vec<u8>) {
        write_list(self, out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        read_list::<T, Vec<T>>(bytes).map(Vec::into_boxed_slice)
    }

    fn heap_bytes(&self) -> usize {
        allocated(size_of_val(&**self)) + owned(self)
    }
}

impl<A: Array> Portable for SmallVec<A>
where
    A::Item: Portable,
{
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        write_list(self, out);
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        read_list(bytes)
    }

    fn heap_bytes(&self) -> usize {
        let spilled = if self.spilled() { self.capacity() * size_of::<A::Item>() } else { 0 };
        allocated(spilled) + owned(self)
    }
}

impl Portable for String {
    fn write(&self, out: &mut Vec<u8>) {
        write_list(self.as_bytes(), out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        String::from_utf8(Vec::read(bytes)?).ok()
    }

    fn heap_bytes(&self) -> usize {
        allocated(self.capacity())
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))+) => {$(
        impl<$($name: Portable),*> Portable for ($($name,)*) {
            #[inline]
            fn write(&self, _out: &mut Vec<u8>) {
                $(self.$index.write(_out);)*
            }

            #[inline]
            fn read(_bytes: &mut &[u8]) -> Option<Self> {
                Some(($($name::read(_bytes)?,)*))
            }

            #[inline]
            fn heap_bytes(&self) -> usize {
                0 $(+ self.$index.heap_bytes())*
            }
        }
    )+};
}

tuples! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}

/// The functions that write and read states: [`Portable`] as a value, so that the engine does not
/// require it of every state.
pub(crate) struct Codec<S> {
    write: fn(&S, &mut Vec<u8>),
    /// Writes the parts that `Eq` compares: all, unless states that are joined may be equal and yet differ.
    write_key: fn(&S, &mut Vec<u8>),
    read: ReadMany<S>,
    heap_bytes: fn(&S) -> usize,
    /// Joins the first state with an equal one, if equal states may differ.
    join: Option<fn(&mut S, S)>,
}

/// Reads a number of states and passes each to a function, with its encoding.
type ReadMany<S> = fn(&mut &[u8], usize, &mut dyn FnMut(S, &[u8])) -> Option<()>;

impl<S> Clone for Codec<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Codec<S> {}

impl<S: Portable> Codec<S> {
    pub(crate) fn new() -> Self {
        Codec {
            write: S::write,
            write_key: S::write,
            heap_bytes: S::heap_bytes,
            join: None,
            read: |bytes, count, take| {
                for _ in 0..count {
                    let from = *bytes;
                    let state = S::read(bytes)?;
                    take(state, &from[..from.len() - bytes.len()]);
                }
                Some(())
            },
        }
    }
}

impl<S> Codec<S> {
    /// Returns the codec of states that are joined where they are equal. `write_key` writes the
    /// parts that `Eq` compares.
    pub(crate) fn joining(self, write_key: fn(&S, &mut Vec<u8>), join: fn(&mut S, S)) -> Self {
        Codec { write_key, join: Some(join), ..self }
    }

    /// Returns the function that joins a state with an equal one, if equal states may differ. Without
    /// it, [`write`](Codec::write) and [`write_key`](Codec::write_key) write the same bytes.
    #[inline]
    pub(crate) fn join(&self) -> Option<fn(&mut S, S)> {
        self.join
    }

    /// Appends to `out` the part of a state that `Eq` sees.
    #[inline]
    pub(crate) fn write_key(&self, state: &S, out: &mut Vec<u8>) {
        (self.write_key)(state, out);
    }

    /// Appends a state to `out`.
    #[inline]
    pub(crate) fn write(&self, state: &S, out: &mut Vec<u8>) {
        (self.write)(state, out);
    }

    /// Size in bytes of the memory that a state owns on the heap.
    #[inline]
    pub(crate) fn heap_bytes(&self, state: &S) -> usize {
        (self.heap_bytes)(state)
    }

    /// Takes `count` states off the front of `bytes`, and passes each to `take` with its encoding;
    /// `None` if the bytes contain fewer.
    pub(crate) fn read(
        &self,
        bytes: &mut &[u8],
        count: usize,
        mut take: impl FnMut(S, &[u8]),
    ) -> Option<()> {
        (self.read)(bytes, count, &mut take)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip<T: Portable + PartialEq + std::fmt::Debug>(value: &T) {
        let mut bytes = vec![9];
        value.write(&mut bytes);
        bytes.push(9);
        let mut rest = &bytes[1..];
        assert_eq!(T::read(&mut rest).as_ref(), Some(value));
        assert_eq!(rest, [9]);
        // Reading fails if the bytes are cut short.
        for end in 1..bytes.len() - 1 {
            assert_eq!(T::read(&mut &bytes[1..end]), None);
        }
    }

    proptest! {
        #[test]
        fn values_read_back(
            numbers in any::<(u8, u16, u32, u64, i128, usize)>(),
            list in prop::collection::vec(any::<(bool, Option<char>)>(), 0..9),
            words in any::<[u64; 3]>(),
            text in any::<String>(),
        ) {
            round_trip(&numbers);
            round_trip(&list);
            round_trip(&SmallVec::<[_; 2]>::from_vec(list.clone()));
            round_trip(&(list.into_boxed_slice(), Box::new(words)));
            round_trip(&text);
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = Vec::<(u8, bool)>::read(&mut &bytes[..]);
            let _ = <[Option<char>; 3]>::read(&mut &bytes[..]);
            let _ = String::read(&mut &bytes[..]);
        }
    }

    #[test]
    fn memory_on_the_heap_counts_with_its_header() {
        assert_eq!((7u32, [1u8; 3], Some('x')).heap_bytes(), 0);
        assert_eq!(Vec::<u32>::new().heap_bytes(), 0);
        assert_eq!(vec![0u32; 10].into_boxed_slice().heap_bytes(), 56);
        assert_eq!(Some(Box::new(5u64)).heap_bytes(), 24);
        assert_eq!((Vec::<u8>::with_capacity(4), String::with_capacity(3)).heap_bytes(), 39);
        let nested: Vec<Vec<u8>> = [Vec::with_capacity(1), Vec::with_capacity(2)].into();
        assert_eq!(nested.heap_bytes(), 2 * size_of::<Vec<u8>>() + 16 + 17 + 18);
        let inline = SmallVec::<[u64; 2]>::from_slice(&[1, 2]);
        let spilled = SmallVec::<[u64; 2]>::from_vec(Vec::with_capacity(3));
        assert_eq!((inline.heap_bytes(), spilled.heap_bytes()), (0, 40));
    }
}
