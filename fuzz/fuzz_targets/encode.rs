#![no_main]

use topdd::diagram::DiagramRule;
use topdd::format::interchange::ReadOptions;
use topdd::{Bdd, Code, Diagram, Encoding, FileError, Zdd};

/// Decodes any diagram, and encodes it again.
fn decode<R: DiagramRule>(read: Result<Diagram<R>, FileError>, encoding: &Encoding) {
    let Ok(diagram) = read else { return };
    let Ok(decoded) = diagram.decode_codes(encoding) else { return };
    let encoded = decoded.encode(encoding).expect("it has these variables");
    assert_eq!(encoded.count(), decoded.count());
    match diagram.decode(encoding) {
        Ok(strict) => assert!(strict == decoded && encoded == diagram),
        Err(_) => assert!(encoded != diagram),
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    // Three bytes for the encoding, then a Sapporo text of as many variables as it has.
    let Some((&[code, first, second], text)) = data.split_first_chunk::<3>() else { return };
    let code = [Code::OneHot, Code::Order, Code::Binary][usize::from(code) % 3];
    let arity = |byte: u8| usize::from(byte) % 6 + 1;
    let encoding = Encoding::new(code, [arity(first), arity(second), arity(first ^ second), 1]);
    let options = ReadOptions::new().num_vars(encoding.num_vars());
    decode(Zdd::read_sapporo(text, &options), &encoding);
    decode(Bdd::read_sapporo(text, &options), &encoding);
});
