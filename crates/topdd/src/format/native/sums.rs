//! The checksums of blocks of a stream.

use crc32fast::Hasher;

/// The size in bytes of a block. Each block has a checksum.
pub(super) const BLOCK: usize = 1 << 20;

/// The checksums of blocks, computed from a stream of bytes.
#[derive(Debug, Default)]
pub(super) struct Sums {
    done: Vec<u32>,
    block: Hasher,
    /// The number of bytes of the block so far.
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

    /// Returns the checksums of the blocks, followed by a checksum of the list, in the order of the file.
    pub(super) fn finish(mut self) -> Vec<u32> {
        if self.filled > 0 {
            self.end_block();
        }
        let bytes: Vec<u8> = self.done.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        self.done.push(crc32fast::hash(&bytes));
        self.done
    }
}
