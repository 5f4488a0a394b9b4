//! The spec of a run, of a type that the engine does not name.

use super::expander::{Expander, SpecExpander};
use super::state_type::Needs;
use crate::BuildError;
use crate::spec::{
    Arities, BoxedSpec, Codec, DdSpec, FixedRows, Portable, Rows, SpecExt, WordSpec,
};
use std::marker::PhantomData;

/// A spec of hidden type.
pub(super) trait Source: Send {
    /// The arities of the spec. Fails if its `validate` does.
    fn arities(&self) -> Result<Arities, BuildError>;

    /// The expander of its states for a run.
    fn expander(&self, needs: Needs) -> Box<dyn Expander + '_>;

    /// The spec itself; fails if it cannot be boxed.
    fn into_spec<'s>(self: Box<Self>) -> Result<BoxedSpec<'s>, BuildError>
    where
        Self: 's;
}

/// A spec, and the encoding of its states if they may go to disk.
pub(super) struct SpecSource<S: DdSpec, B> {
    spec: S,
    codec: Option<Codec<S::State>>,
    boxing: PhantomData<fn() -> B>,
}

/// A way to box a spec.
pub(super) trait Boxing<S> {
    fn boxed<'s>(spec: S) -> Result<BoxedSpec<'s>, BuildError>
    where
        S: 's;
}

/// None: the states have no encoding, or are joined, which only an engine does.
pub(super) struct NotBoxed;

/// As any spec whose states have an encoding.
pub(super) struct ByEncoding;

/// As an array spec.
pub(super) struct AsRows;

impl<S> Boxing<S> for NotBoxed {
    fn boxed<'s>(_: S) -> Result<BoxedSpec<'s>, BuildError>
    where
        S: 's,
    {
        let message = "a `JoinSpec` is no spec: only a sweep joins its states; build its diagram, \
                       which is a spec";
        Err(BuildError::InvalidSpec { message: message.to_owned() })
    }
}

impl<S: DdSpec<State: Portable> + Send> Boxing<S> for ByEncoding {
    fn boxed<'s>(spec: S) -> Result<BoxedSpec<'s>, BuildError>
    where
        S: 's,
    {
        Ok(spec.boxed())
    }
}

impl<W: WordSpec, const N: usize, const EXACT: bool> Boxing<FixedRows<W, N, EXACT>> for AsRows {
    fn boxed<'s>(spec: FixedRows<W, N, EXACT>) -> Result<BoxedSpec<'s>, BuildError>
    where
        W: 's,
    {
        Ok(Rows::new(spec.into_inner()).into())
    }
}

impl<'r> Boxing<Rows<'r>> for AsRows {
    fn boxed<'s>(spec: Rows<'r>) -> Result<BoxedSpec<'s>, BuildError>
    where
        'r: 's,
    {
        Ok(spec.into())
    }
}

impl<S: DdSpec, B> SpecSource<S, B> {
    pub(super) fn new(spec: S, codec: Option<Codec<S::State>>) -> Self {
        SpecSource { spec, codec, boxing: PhantomData }
    }
}

impl<S: DdSpec + Send, B: Boxing<S>> Source for SpecSource<S, B> {
    fn arities(&self) -> Result<Arities, BuildError> {
        Arities::from_spec(&self.spec)
    }

    fn expander(&self, needs: Needs) -> Box<dyn Expander + '_> {
        Box::new(SpecExpander::new(&self.spec, self.codec, needs))
    }

    fn into_spec<'s>(self: Box<Self>) -> Result<BoxedSpec<'s>, BuildError>
    where
        Self: 's,
    {
        B::boxed(self.spec)
    }
}

/// The source of an array spec whose states are stored as rows of `N` words.
pub(super) fn fixed_rows<'a, W, const N: usize, const EXACT: bool>(spec: W) -> Box<dyn Source + 'a>
where
    W: WordSpec + 'a,
{
    let spec = FixedRows::<W, N, EXACT>::new(spec);
    Box::new(SpecSource::<_, AsRows>::new(spec, Some(Codec::new())))
}

/// The source of an array spec as an object. The engine is compiled once for each size of rows, so large sizes
/// are sparse.
pub(super) fn rows<'a>(spec: Rows<'a>) -> Box<dyn Source + 'a> {
    match spec.num_words() {
        0..=1 => fixed_rows::<_, 1, false>(spec),
        2 => fixed_rows::<_, 2, false>(spec),
        3..=4 => fixed_rows::<_, 4, false>(spec),
        5..=8 => fixed_rows::<_, 8, false>(spec),
        9..=16 => fixed_rows::<_, 16, false>(spec),
        _ => Box::new(SpecSource::<_, AsRows>::new(spec, Some(Codec::new()))),
    }
}
