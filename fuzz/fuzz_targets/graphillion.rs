#![no_main]

use topdd::Zdd;
use topdd_fuzz::read_all;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    read_all(
        data,
        |text, options| Zdd::read_graphillion(text, options),
        |zdd, out| zdd.write_graphillion(out),
    );
});
