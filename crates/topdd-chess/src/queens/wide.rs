//! Specs of wide boards, and of superqueens: their states are arrays of masks, for which the engine is compiled
//! in the library.

use std::marker::PhantomData;

use topdd::spec::ArraySpec;
use topdd::{DdSpec, Forced, Frontier, Step};

use super::mask::Mask;
use super::threats::Memory;

/// A spec of queens whose states are masks of type `M`.
pub(super) trait MaskSpec<M: Mask>: DdSpec<State: Memory<M>> {
    /// The least value, from `value` on, that may lead elsewhere than to the 0-terminal; the arity or more
    /// if there is none.
    fn next_value(&self, state: &Self::State, variable: usize, value: usize) -> usize;
}

/// Makes a sweep over a spec of queens.
pub(super) fn frontier<M, Q>(spec: Q) -> Frontier<'static>
where
    M: Mask + topdd::bytemuck::Pod,
    Q: MaskSpec<M> + Send + 'static,
{
    Frontier::of_boxed(Wide { spec, mask: PhantomData }.boxed())
}

/// A spec of queens whose states are arrays of masks.
struct Wide<M, Q> {
    spec: Q,
    mask: PhantomData<M>,
}

/// Writes the state of a step.
fn write<M: Mask, S: Memory<M>>(step: Step<S>, masks: &mut [M]) -> Step<()> {
    step.map(|state| state.write_masks(masks))
}

impl<M: Mask + topdd::bytemuck::Pod, Q: MaskSpec<M> + Send> ArraySpec for Wide<M, Q> {
    type Head = ();
    type Item = M;

    fn num_vars(&self) -> usize {
        self.spec.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.spec.arity(variable)
    }

    fn len(&self, _: usize) -> usize {
        Q::State::MASKS
    }

    fn root(&self, (): &mut (), masks: &mut [M]) -> Step<()> {
        write(self.spec.root(), masks)
    }

    fn child(&self, (): &mut (), masks: &mut [M], variable: usize, value: usize) -> Step<()> {
        write(self.spec.child(&Q::State::of_masks(masks), variable, value), masks)
    }

    fn next_value(&self, (): &(), masks: &[M], variable: usize, from: usize) -> usize {
        self.spec.next_value(&Q::State::of_masks(masks), variable, from)
    }

    fn forced(&self, (): &mut (), masks: &mut [M], variable: usize) -> Forced<()> {
        let forced = self.spec.forced(&Q::State::of_masks(masks), variable);
        forced.map(|step| write(step, masks))
    }

    fn describe(&self, (): &(), masks: &[M]) -> String {
        self.spec.describe(&Q::State::of_masks(masks))
    }
}
