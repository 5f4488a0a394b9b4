//! The metadata section of a file, behind the checksums of the nodes.

use super::header::malformed;
use crate::FileError;
use crate::format::metadata::Metadata;

/// The section, which is empty without entries.
pub(super) fn to_bytes(metadata: &Metadata) -> Vec<u8> {
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

/// Reads a section that starts at byte `start` of its file, and refuses bytes that [`to_bytes`] does
/// not write.
pub(super) fn of_bytes(bytes: &[u8], start: u64) -> Result<Metadata, FileError> {
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
