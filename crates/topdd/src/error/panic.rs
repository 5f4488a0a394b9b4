//! Panics of specs as errors.

use super::BuildError;
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::thread;

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

thread_local! {
    /// Whether this thread is in [`call_again`].
    static CALLS_AGAIN: Cell<bool> = const { Cell::new(false) };
}

/// Calls a part of a spec that has panicked, to find the call that panics. Returns `None` if it does. Its panic
/// prints no message, because the first panic has printed one.
///
/// The first call wraps the panic hook of the process: the hook before it is called for all other panics.
pub(crate) fn call_again<T>(call: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    // The hook cannot be changed in a destructor that runs because of a panic.
    if !thread::panicking() {
        HOOK.call_once(|| {
            let before = take_hook();
            set_hook(Box::new(move |info| {
                if !CALLS_AGAIN.get() {
                    before(info);
                }
            }));
        });
    }
    let outer = CALLS_AGAIN.replace(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    CALLS_AGAIN.set(outer);
    result.ok()
}

/// Returns the text of the state at which a spec has panicked, from a call of `describe`, which may panic, too.
pub(crate) fn describe_after_panic(describe: impl FnOnce() -> String) -> String {
    call_again(describe).unwrap_or_else(|| "(describe panicked, too)".to_owned())
}
