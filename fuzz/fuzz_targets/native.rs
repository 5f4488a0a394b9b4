#![no_main]

use topdd::AnyDiagram;

/// Corrects the length and the checksums, if the header states where they are.
fn mend(data: &mut [u8]) -> Option<()> {
    let length = data.len() as u64;
    data.get_mut(24..32)?.copy_from_slice(&length.to_le_bytes());
    let number = |data: &[u8], at: usize| {
        let bytes = data.get(at..at + 8)?.try_into().ok()?;
        usize::try_from(u64::from_le_bytes(bytes)).ok()
    };
    let sizes: Vec<usize> =
        (40..88).step_by(8).map(|at| number(data, at)).collect::<Option<_>>()?;
    let sum = |parts: &[(usize, usize)]| {
        let add =
            |sum: usize, &(count, size): &(usize, usize)| sum.checked_add(count.checked_mul(size)?);
        parts.iter().try_fold(0usize, add)?.checked_next_multiple_of(8)
    };
    let tables = sum(&[(sizes[0], 4), (sizes[1], 12), (sizes[2], 4)])?;
    let arrays = sum(&[(sizes[3], 8), (sizes[4], 8), (sizes[5], 4)])?;
    let nodes = tables.checked_add(96)?;
    let sums = nodes.checked_add(arrays)?;
    let checksum = crc32fast::hash(data.get(96..nodes)?);
    data[88..92].copy_from_slice(&checksum.to_le_bytes());
    let checksum = crc32fast::hash(&data[..92]);
    data[92..96].copy_from_slice(&checksum.to_le_bytes());
    let blocks: Vec<u32> = data.get(nodes..sums)?.chunks(1 << 20).map(crc32fast::hash).collect();
    let bytes: Vec<u8> = blocks.iter().flat_map(|sum| sum.to_le_bytes()).collect();
    let last = sums + bytes.len();
    let of_sums = crc32fast::hash(&bytes).to_le_bytes();
    data.get_mut(sums..last)?.copy_from_slice(&bytes);
    data.get_mut(last..last + 4)?.copy_from_slice(&of_sums);
    // Metadata follows in version 1.1.
    let section = last + 4;
    if data.len() >= section + 8 {
        let place = data.len() - 4;
        let sum = crc32fast::hash(&data[section..place]).to_le_bytes();
        data[place..].copy_from_slice(&sum);
    }
    Some(())
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut mended = data.to_vec();
    mend(&mut mended);
    for data in [data, &mended] {
        if let Ok((diagram, metadata)) = AnyDiagram::read_with_metadata(data) {
            let mut written = Vec::new();
            diagram.write_with(&mut written, &metadata).expect("memory takes all");
            // The rest of the stream is not read.
            assert!(data.starts_with(&written));
            if diagram.num_vars() < 1000 {
                diagram.count();
            }
        }
    }
});
