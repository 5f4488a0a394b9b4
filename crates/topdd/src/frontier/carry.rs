//! What travels with a state in a sweep.

use super::number::Number;
use crate::Portable;
use num_bigint::BigUint;
use std::marker::PhantomData;

/// What a sweep carries beside the states, and what becomes of it when equal states meet.
///
/// The one engine is generic over this: building keeps the edges, counting keeps a
/// number, a width profile keeps nothing.
pub(crate) trait Carry: 'static {
    /// What travels with one state.
    type Cargo: Clone + Send + Sync;
    /// Whether the sweep stores the edges it walks.
    const EDGES: bool;
    /// Whether the cargo is a number, which skipped variables may multiply.
    const NUMBERS: bool;
    /// What the root starts with.
    fn start() -> Self::Cargo;
    /// Equal states meet.
    fn merge(into: &mut Self::Cargo, from: &Self::Cargo);
    /// The cargo after variables with `factor` assignments were skipped.
    fn skip(cargo: &Self::Cargo, factor: &BigUint) -> Self::Cargo;
    /// How large the cargo is; sums of weights are held against [`Carry::CAPACITY`].
    fn weight(cargo: &Self::Cargo) -> f64;
    /// When weights reach this, the cargo needs a wider type.
    const CAPACITY: f64;
    /// The cargo that changes nothing when it is merged.
    fn nothing() -> Self::Cargo;

    /// How [`write`](Carry::write) writes cargos.
    const LAYOUT: u8;
    /// Appends a cargo to `out`.
    fn write(cargo: &Self::Cargo, out: &mut Vec<u8>);
    /// Takes `count` cargos off the front of `bytes`, which were written in this layout, by
    /// this carry or one with narrower numbers; `None` if they are not all there.
    fn read(
        layout: u8,
        bytes: &mut &[u8],
        count: usize,
        take: impl FnMut(Self::Cargo),
    ) -> Option<()>;

    /// Whether a sum of this weight fits the cargo.
    #[inline]
    fn fits(weight: f64) -> bool {
        Self::CAPACITY.is_infinite() || weight < Self::CAPACITY
    }
}

/// Carries the edges: the sweep stores the unreduced diagram.
pub(crate) struct Build;

impl Carry for Build {
    type Cargo = ();
    const EDGES: bool = true;
    const NUMBERS: bool = false;
    const CAPACITY: f64 = f64::INFINITY;
    #[inline]
    fn start() {}
    #[inline]
    fn merge((): &mut (), (): &()) {}
    fn skip((): &(), _: &BigUint) {}
    #[inline]
    fn weight((): &()) -> f64 {
        0.0
    }
    fn nothing() {}
    const LAYOUT: u8 = 0;
    fn write((): &(), _: &mut Vec<u8>) {}
    fn read(layout: u8, _: &mut &[u8], count: usize, mut take: impl FnMut(())) -> Option<()> {
        (0..count).for_each(|_| take(()));
        (layout == 0).then_some(())
    }
}

/// Carries nothing: the sweep only sees how wide the levels are.
pub(crate) struct Profile;

impl Carry for Profile {
    type Cargo = ();
    const EDGES: bool = false;
    const NUMBERS: bool = false;
    const CAPACITY: f64 = f64::INFINITY;
    #[inline]
    fn start() {}
    #[inline]
    fn merge((): &mut (), (): &()) {}
    fn skip((): &(), _: &BigUint) {}
    #[inline]
    fn weight((): &()) -> f64 {
        0.0
    }
    fn nothing() {}
    const LAYOUT: u8 = 0;
    fn write((): &(), _: &mut Vec<u8>) {}
    fn read(layout: u8, _: &mut &[u8], count: usize, mut take: impl FnMut(())) -> Option<()> {
        (0..count).for_each(|_| take(()));
        (layout == 0).then_some(())
    }
}

/// Carries the number of assignments that lead to a state.
pub(crate) struct Count<N>(PhantomData<N>);

impl<N: Number> Carry for Count<N> {
    type Cargo = N;
    const EDGES: bool = false;
    const NUMBERS: bool = true;
    const CAPACITY: f64 = N::CAPACITY;
    fn start() -> N {
        N::one()
    }
    #[inline]
    fn merge(into: &mut N, from: &N) {
        into.add(from);
    }
    fn skip(cargo: &N, factor: &BigUint) -> N {
        cargo.times(factor)
    }
    #[inline]
    fn weight(cargo: &N) -> f64 {
        cargo.weight()
    }
    fn nothing() -> N {
        N::zero()
    }
    // So many limbs each; if none, as many as they are told to have in front.
    const LAYOUT: u8 = N::LIMBS;
    #[inline]
    fn write(cargo: &N, out: &mut Vec<u8>) {
        cargo.with_limbs(|limbs| {
            if N::LIMBS == 0 {
                (limbs.len() as u32).write(out);
            }
            for limb in limbs {
                limb.write(out);
            }
        });
    }
    fn read(layout: u8, bytes: &mut &[u8], count: usize, mut take: impl FnMut(N)) -> Option<()> {
        let mut limbs = Vec::new();
        for _ in 0..count {
            let width = if layout == 0 { u32::read(bytes)? } else { layout.into() };
            limbs.clear();
            for _ in 0..width {
                limbs.push(u64::read(bytes)?);
            }
            take(N::from_limbs(&limbs));
        }
        Some(())
    }
}
