//! The steps of a spec from encoded states.

use super::SpecExpander;
use crate::BuildError;
use crate::frontier::monitor::Check;
use crate::frontier::sample::StepsHash;
use crate::spec::{DdSpec, Step};
use std::ops::ControlFlow;

/// The steps of encoded states, whatever their type is.
pub(in crate::frontier) trait EncodedSteps {
    /// Adds the steps of `count` encoded states, in the order of their values, to a hash. Returns `None` if
    /// the bytes are not such states.
    ///
    /// # Errors
    ///
    /// Fails with the error of `check`.
    fn hash_steps(
        &self,
        states: &[u8],
        count: usize,
        variable: usize,
        steps: &mut StepsHash,
        check: Check<'_>,
    ) -> Result<Option<()>, BuildError>;
}

impl<Spec: DdSpec> EncodedSteps for SpecExpander<'_, Spec> {
    fn hash_steps(
        &self,
        mut states: &[u8],
        count: usize,
        variable: usize,
        steps: &mut StepsHash,
        check: Check<'_>,
    ) -> Result<Option<()>, BuildError> {
        let codec = self.state_type.codec();
        let (mut encoding, mut result) = (Vec::new(), Ok(()));
        let read = codec.read(&mut states, count, |state, _| {
            if result.is_ok() {
                result = check();
            }
            if result.is_err() {
                return;
            }
            steps.begin_state();
            let flow = self.spec.for_each_child(&state, variable, |value, step| {
                encoding.clear();
                match step {
                    Step::Zero => return ControlFlow::Continue(()),
                    Step::One => steps.add(value, None, &[]),
                    Step::To(to, child) => {
                        codec.write(&child, &mut encoding);
                        steps.add(value, Some(to), &encoding);
                    }
                }
                match steps.check(check) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => ControlFlow::Break(error),
                }
            });
            if let ControlFlow::Break(error) = flow {
                result = Err(error);
            }
        });
        result?;
        Ok(read.filter(|()| states.is_empty()))
    }
}
