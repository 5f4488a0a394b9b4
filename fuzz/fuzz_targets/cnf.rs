#![no_main]

use topdd_apply::{Function, Limits, Manager};

// Formulas of few variables only: the BDD of a formula may be exponentially large.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let manager = Manager::builder(12).max_nodes(10_000).build().expect("a small manager");
    let Ok(function) = manager.within(&Limits::new(), || manager.dimacs(text)) else { return };
    let again: Function = manager.dimacs(text).expect("it was read before");
    assert_eq!(function, again);
});
