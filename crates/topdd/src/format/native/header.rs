//! The parts of a file beside the nodes: the header, the metadata section, and the checksums of blocks of a stream.

use super::NAME;
use crate::diagram::DiagramRule;
use crate::diagram::store::{FIRST_NODE, MAX_NODES, NodeId, NodeStore, StorePart};
use crate::error::Position;
use crate::format::metadata::Metadata;
use crate::spec::{Arities, Rule};
use crate::{FileError, FileRemedy};
use crc32fast::Hasher;

/// The first bytes of a file.
const MAGIC: [u8; 8] = *b"\x89topdd\r\n";
/// The major version in the low 16 bits; the minor version, 0, in the high ones.
const VERSION: u32 = 1;
/// Version 1.1: the file ends with metadata.
const VERSION_WITH_METADATA: u32 = 1 | 1 << 16;
const BYTE_ORDER: u32 = 0x0102_0304;

/// The bytes of the smallest metadata: one entry with an empty key and an empty value.
const MIN_METADATA_BYTES: u64 = 16;

/// The length of the header.
pub(super) const HEADER: usize = 96;

/// The number of items in each part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileHeader {
    pub(super) rule: Rule,
    pub(super) root: NodeId,
    pub(super) num_vars: u64,
    pub(super) arities: u64,
    pub(super) levels: u64,
    pub(super) reach: u64,
    pub(super) pairs: u64,
    pub(super) edges: u64,
    pub(super) starts: u64,
    pub(super) tables_sum: u32,
    /// Bytes of the metadata; 0 if there is none.
    pub(super) metadata: u64,
}

impl FileHeader {
    /// The header of a store whose tables have this checksum, with so many bytes of metadata.
    pub(super) fn for_store<R: DiagramRule>(
        store: &NodeStore,
        tables_sum: u32,
        metadata: u64,
    ) -> Self {
        FileHeader {
            rule: R::RULE,
            root: store.root,
            num_vars: store.arities.num_vars() as u64,
            arities: store.arities.table().len() as u64,
            levels: store.level_count() as u64,
            reach: store.reach.len() as u64,
            pairs: store.pairs.len() as u64,
            edges: store.edges.len() as u64,
            starts: store.starts.len() as u64,
            tables_sum,
            metadata,
        }
    }

    /// Bytes of the tables.
    pub(super) fn tables(&self) -> u64 {
        (4 * self.arities + 12 * self.levels + 4 * self.reach).next_multiple_of(8)
    }

    /// Bytes of the arrays.
    pub(super) fn arrays(&self) -> u64 {
        8 * self.pairs + 8 * self.edges + (4 * self.starts).next_multiple_of(8)
    }

    /// The number of checksums after the arrays.
    pub(super) fn sums(&self) -> u64 {
        self.arrays().div_ceil(BLOCK as u64) + 1
    }

    /// The byte at which the metadata starts.
    pub(super) fn metadata_start(&self) -> u64 {
        HEADER as u64 + self.tables() + self.arrays() + 4 * self.sums()
    }

    /// Bytes of the file.
    pub(super) fn length(&self) -> u64 {
        self.metadata_start() + self.metadata
    }

    /// The start of the `index`-th item of a part of the file.
    pub(super) fn offset(&self, part: StorePart, index: u64) -> u64 {
        let tables = HEADER as u64;
        let arrays = tables + self.tables();
        match part {
            StorePart::Root => 20,
            StorePart::Levels => tables + 4 * self.arities + 12 * index,
            StorePart::Reach => tables + 4 * self.arities + 12 * self.levels + 4 * index,
            StorePart::Pairs => arrays + 8 * index,
            StorePart::Edges => arrays + 8 * (self.pairs + index),
            StorePart::Starts => arrays + 8 * (self.pairs + self.edges) + 4 * index,
        }
    }

    pub(super) fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let rule = match self.rule {
            Rule::ZeroSuppressed => 0,
            Rule::AnyValue => 1,
        };
        bytes[..8].copy_from_slice(&MAGIC);
        let version = if self.metadata > 0 { VERSION_WITH_METADATA } else { VERSION };
        let words = [version, BYTE_ORDER, rule, self.root];
        for (to, word) in bytes[8..24].chunks_exact_mut(4).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        let FileHeader { num_vars, arities, levels, reach, pairs, edges, starts, .. } = self;
        let numbers = [self.length(), num_vars, arities, levels, reach, pairs, edges, starts];
        for (to, number) in bytes[24..88].chunks_exact_mut(8).zip(numbers) {
            to.copy_from_slice(&number.to_le_bytes());
        }
        bytes[88..92].copy_from_slice(&self.tables_sum.to_le_bytes());
        let sum = crc32fast::hash(&bytes[..92]);
        bytes[92..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a header, and refuses one that no diagram has.
    pub(super) fn from_bytes(bytes: &[u8; HEADER]) -> Result<Self, FileError> {
        let word = |at: usize| {
            u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes make a word"))
        };
        let number = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        if bytes[..8] != MAGIC {
            return Err(if bytes[1..6] == MAGIC[1..6] {
                let message = "this was a topdd file, but its line breaks or its characters were changed (copy \
                               it as binary)";
                malformed(0, message)
            } else {
                malformed(0, "this is no topdd file").advised(FileRemedy::OtherFormat)
            });
        }
        if ![VERSION, VERSION_WITH_METADATA].contains(&word(8)) {
            let (major, minor) = (word(8) & 0xffff, word(8) >> 16);
            let message = format!(
                "the version of the format is {major}.{minor}, but this topdd reads 1.0 and 1.1 \
                 (use a newer topdd)"
            );
            return Err(malformed(8, message));
        }
        if word(92) != crc32fast::hash(&bytes[..92]) {
            return Err(malformed(
                0,
                "the header does not match its checksum: the file is damaged",
            ));
        }
        if word(12) != BYTE_ORDER {
            return Err(malformed(12, "the bytes of numbers are not in little-endian order"));
        }
        let rule = match word(16) {
            0 => Rule::ZeroSuppressed,
            1 => Rule::AnyValue,
            other => return Err(malformed(16, format!("there is no rule {other}"))),
        };
        let mut header = FileHeader {
            rule,
            root: word(20),
            num_vars: number(32),
            arities: number(40),
            levels: number(48),
            reach: number(56),
            pairs: number(64),
            edges: number(72),
            starts: number(80),
            tables_sum: word(88),
            metadata: 0,
        };
        header.check_counts()?;
        header.metadata = metadata_size(&header, number(24), word(8))?;
        Ok(header)
    }

    /// Refuses numbers of items that no diagram has.
    fn check_counts(&self) -> Result<(), FileError> {
        let &FileHeader { root, num_vars, arities, levels, reach, pairs, edges, starts, .. } = self;
        let most_vars = Arities::MAX_VARS as u64;
        // In this order no sum or product overflows.
        for (at, what, count, least, most) in [
            (32, "variables", num_vars, 0, most_vars),
            (40, "arities", arities, 1, num_vars.max(1)),
            (48, "levels", levels, 0, num_vars),
            (64, "two-valued nodes", pairs, 0, MAX_NODES),
            (72, "edges", edges, 0, u32::MAX.into()),
            (80, "starts", starts, 1, MAX_NODES + 1 - pairs.min(MAX_NODES)),
            (56, "references to levels", reach, 0, levels.min(most_vars).pow(2) / 2),
        ] {
            if !(least..=most).contains(&count) {
                let message = format!("there are {count} {what}, where {least} to {most} can be");
                return Err(malformed(at, message));
            }
        }
        if arities != 1 && arities != num_vars {
            let message = format!("there are {arities} arities for {num_vars} variables");
            return Err(malformed(40, message));
        }
        if u64::from(root) >= u64::from(FIRST_NODE) + pairs + starts - 1 {
            return Err(malformed(20, format!("there is no node {root}")));
        }
        Ok(())
    }
}

/// The size of the metadata, in a file of this length and version.
fn metadata_size(header: &FileHeader, length: u64, version: u32) -> Result<u64, FileError> {
    let parts = header.metadata_start();
    let size = length.checked_sub(parts);
    let fits = match (version, size) {
        (VERSION, size) => size == Some(0),
        (_, size) => size.is_some_and(|size| {
            size.is_multiple_of(4)
                && (MIN_METADATA_BYTES..=Metadata::MAX_SIZE as u64).contains(&size)
        }),
    };
    let message = match (version, size) {
        (_, Some(size)) if fits => return Ok(size),
        (VERSION, _) | (_, None) => {
            format!(
                "the length in the header is {length} bytes, but the parts of the file have {parts}"
            )
        }
        (_, Some(size)) => format!(
            "the header leaves {size} bytes for the metadata, which takes {} to {}, a multiple of 4",
            MIN_METADATA_BYTES,
            Metadata::MAX_SIZE
        ),
    };
    Err(malformed(24, message))
}

/// The error for a wrong byte.
pub(super) fn malformed(at: u64, message: impl Into<String>) -> FileError {
    let at = Position::Byte(at);
    FileError::Malformed { path: None, format: NAME, at, message: message.into(), remedy: None }
}

/// The section, which is empty without entries.
pub(super) fn metadata_to_bytes(metadata: &Metadata) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(metadata.size());
    if metadata.is_empty() {
        return bytes;
    }
    // No length exceeds 32 bits, as their sum is at most `Metadata::MAX_SIZE`.
    bytes.extend((metadata.iter().len() as u32).to_le_bytes());
    for (key, value) in metadata {
        for text in [key, value] {
            bytes.extend((text.len() as u32).to_le_bytes());
        }
        bytes.extend([key, value].iter().flat_map(|text| text.bytes()));
    }
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// Reads a section that starts at byte `start` of its file, and refuses bytes that [`metadata_to_bytes`] does
/// not write.
pub(super) fn metadata_from_bytes(bytes: &[u8], start: u64) -> Result<Metadata, FileError> {
    if bytes.is_empty() {
        return Ok(Metadata::new());
    }
    let wrong = |at: usize, message: String| Err(malformed(start + at as u64, message));
    let (content, sum) = bytes.split_at(bytes.len().saturating_sub(4));
    if sum != crc32fast::hash(content).to_le_bytes() {
        let message = "the metadata from here on does not match its checksum: the file is damaged";
        return wrong(0, message.to_owned());
    }
    let word = |at: usize| {
        let bytes = content.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
    };
    let count = word(0).unwrap_or(0);
    if count == 0 {
        return wrong(0, "the metadata has no entries".to_owned());
    }
    let (mut at, mut last, mut metadata) = (4, None, Metadata::new());
    for index in 0..count {
        let texts = word(at).zip(word(at + 4)).and_then(|(key, value)| {
            let value_at = (at + 8).checked_add(key)?;
            let end = value_at.checked_add(value)?;
            Some((content.get(at + 8..value_at)?, content.get(value_at..end)?, end))
        });
        let Some((key, value, end)) = texts else {
            return wrong(at, format!("entry {index} of the metadata is longer than the rest"));
        };
        let (Ok(key), Ok(value)) = (str::from_utf8(key), str::from_utf8(value)) else {
            return wrong(at, format!("entry {index} of the metadata is not UTF-8"));
        };
        if last.is_some_and(|last| last >= key) {
            return wrong(at, format!("the keys of the metadata do not ascend at {key:?}"));
        }
        last = Some(key);
        metadata.set(key, value);
        at = end;
    }
    if content.len() != at.next_multiple_of(4) || content[at..].iter().any(|&byte| byte != 0) {
        return wrong(at, "the metadata does not end behind its last entry".to_owned());
    }
    Ok(metadata)
}

/// The size in bytes of a block. Each block has a checksum.
pub(super) const BLOCK: usize = 1 << 20;

/// The checksums of blocks, computed from a stream of bytes.
#[derive(Debug, Default)]
pub(super) struct Checksums {
    done: Vec<u32>,
    block: Hasher,
    /// The number of bytes of the block so far.
    filled: usize,
}

impl Checksums {
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
