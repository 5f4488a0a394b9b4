#![no_main]

use topdd::{Bdd, Zdd};
use topdd_fuzz::read_all;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    read_all(data, |text, options| Zdd::read_dddmp(text, options), |zdd, out| zdd.write_dddmp(out));
    read_all(data, |text, options| Bdd::read_dddmp(text, options), |bdd, out| bdd.write_dddmp(out));
});
