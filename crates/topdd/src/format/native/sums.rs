//! The checksums of blocks of a stream.

use crc32fast::Hasher;

/// Bytes of a block, of which each has a checksum.
pub(super) const BLOCK: usize = 1 << 20;

/// The checksums of the bytes passed through, block by block.
#[derive(Debug, Default)]
pub(super) struct Sums {
    done: Vec<u32>,
    block: Hasher,
    /// Bytes of the block so far.
    filled: usize,
}

impl Sums {
    pub(super) fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, rest) = bytes.split_at(bytes.len().min(BLOCK - self.filled));
            self.block.update(now);
            self.filled += now.len();
            bytes = rest;
            if self.filled == BLOCK {
                self.end_block();
            }
        }
    }

    fn end_block(&mut self) {
        self.done.push(std::mem::take(&mut self.block).finalize());
        self.filled = 0;
    }

    /// The checksums, and at the end that of these, as they are written.
    pub(super) fn finish(mut self) -> Vec<u32> {
        if self.filled > 0 {
            self.end_block();
        }
        let bytes: Vec<u8> = self.done.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        self.done.push(crc32fast::hash(&bytes));
        self.done
    }
}
