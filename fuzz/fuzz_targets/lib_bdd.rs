#![no_main]

use topdd::Bdd;
use topdd_fuzz::read_all;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    read_all(
        data,
        |text, options| Bdd::read_lib_bdd(text, options),
        |bdd, out| bdd.write_lib_bdd(out),
    );
});
