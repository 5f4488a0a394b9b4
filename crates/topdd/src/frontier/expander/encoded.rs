//! The steps of a spec from encoded states.

use super::SpecExpander;
use crate::frontier::route::RouteHash;
use crate::frontier::state_type::StateType;
use crate::spec::{DdSpec, Step};
use std::ops::ControlFlow;

/// The steps of encoded states. The sample sweep does not depend on their type.
pub(in crate::frontier) trait EncodedSteps {
    /// Passes the steps of an encoded state to `visit`, in the order of their values: the value, and the
    /// step with the encoded child. `buffer` is one of the caller's.
    fn for_each_step(
        &self,
        state: &[u8],
        variable: usize,
        buffer: &mut Vec<u8>,
        visit: &mut dyn FnMut(usize, Step<EncodedChild<'_>>),
    );

    /// Joins an encoded state with an equal one. Returns `None` if equal states do not differ.
    fn join_encoded(&self, state: &[u8], arrived: &[u8]) -> Option<Vec<u8>>;
}

/// A state of a sample.
pub(in crate::frontier) struct EncodedChild<'a> {
    /// The hash of the part of its encoding that is not joined.
    pub(in crate::frontier) hash: u64,
    pub(in crate::frontier) encoding: &'a [u8],
}

impl<Spec: DdSpec> EncodedSteps for SpecExpander<'_, Spec> {
    fn for_each_step(
        &self,
        mut state: &[u8],
        variable: usize,
        buffer: &mut Vec<u8>,
        visit: &mut dyn FnMut(usize, Step<EncodedChild<'_>>),
    ) {
        let codec = self.state_type.codec();
        let mut key = Vec::new();
        let read = codec.read(&mut state, 1, |state, _| {
            let _ = self.spec.for_each_child(&state, variable, |value, step| {
                let step = step.map(|child| {
                    buffer.clear();
                    codec.write(&child, buffer);
                    match codec.join() {
                        None => RouteHash::from_encoding(buffer),
                        Some(_) => StateType::portable_route(codec, &child, &mut key),
                    }
                });
                visit(value, step.map(|hash| EncodedChild { hash: hash.bits(), encoding: buffer }));
                ControlFlow::<()>::Continue(())
            });
        });
        read.expect("`Portable::read` reads what `write` has written");
    }

    fn join_encoded(&self, state: &[u8], arrived: &[u8]) -> Option<Vec<u8>> {
        let codec = self.state_type.codec();
        let join = codec.join()?;
        let both = [state, arrived].concat();
        let mut joined = None;
        let read = codec.read(&mut &both[..], 2, |state, _| match &mut joined {
            None => joined = Some(state),
            Some(joined) => join(joined, state),
        });
        read.expect("`Portable::read` reads what `write` has written");
        let mut encoded = Vec::new();
        codec.write(&joined.expect("two states were read"), &mut encoded);
        Some(encoded)
    }
}
