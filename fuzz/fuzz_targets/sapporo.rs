#![no_main]

use topdd::{Bdd, Zdd};
use topdd_fuzz::read_all;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    read_all(
        data,
        |text, options| Zdd::read_sapporo(text, options),
        |zdd, out| zdd.write_sapporo(out),
    );
    read_all(
        data,
        |text, options| Bdd::read_sapporo(text, options),
        |bdd, out| bdd.write_sapporo(out),
    );
});
