//! Panics of specs as errors.

use super::BuildError;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message of a panic.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("the panic has no message").to_owned()
}

/// Calls a function, and returns its panic as [`BuildError::Panicked`]. What the function changes must
/// not be used after an error.
pub(crate) fn caught<T, E: From<BuildError>>(call: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        Err(BuildError::Panicked { message: panic_message(&*panic) }.into())
    })
}
