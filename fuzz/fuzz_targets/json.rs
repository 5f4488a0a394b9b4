#![no_main]

use topdd::AnyDiagram;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(diagram) = AnyDiagram::read_json(data) {
        let mut written = Vec::new();
        match &diagram {
            AnyDiagram::Zdd(zdd) => zdd.write_json(&mut written).expect("memory takes all"),
            AnyDiagram::Bdd(bdd) => bdd.write_json(&mut written).expect("memory takes all"),
        }
        assert!(AnyDiagram::read_json(&written[..]).expect("it was written here") == diagram);
    }
});
