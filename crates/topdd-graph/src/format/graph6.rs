//! graph6 and sparse6 of nauty (`formats.txt` of its author): printable bytes, each with six bits.

use super::FormatError;
use super::draft::{Draft, DraftEdge};
use super::number::check_announced;

/// The only line of a file, its number from 1, and its graph without the header.
fn line<'a>(text: &'a str, header: &str) -> Result<(usize, &'a str), FormatError> {
    let mut lines = text.lines().map(str::trim).zip(1..).filter(|(line, _)| !line.is_empty());
    let Some((content, line)) = lines.next() else {
        return Err(FormatError::new("the file is empty"));
    };
    let content = content.strip_prefix(header).unwrap_or(content);
    if let Some((_, line)) = lines.next() {
        let message = "the file has several graphs; keep one line of it";
        return Err(FormatError::at(line, message));
    }
    Ok((line, content))
}

/// The number of vertices, and the bytes after it.
fn vertices<'a>(
    content: &'a str,
    text: &str,
    line: usize,
) -> Result<(usize, &'a [u8]), FormatError> {
    if let Some(sign) = content.chars().find(|sign| !('?'..='~').contains(sign)) {
        let message =
            format!("the sign `{}` is none of the format; check it", sign.escape_default());
        return Err(FormatError::at(line, message));
    }
    let bytes = content.as_bytes();
    let (head, length) = match bytes {
        [b'~', b'~', ..] => (2, 6),
        [b'~', ..] => (1, 3),
        _ => (0, 1),
    };
    let Some(digits) = bytes.get(head..head + length) else { return Err(cut_off(line)) };
    let count = digits.iter().fold(0, |sum, byte| sum << 6 | usize::from(byte - 63));
    check_announced(count, text, line)?;
    Ok((count, &bytes[head + length..]))
}

fn cut_off(line: usize) -> FormatError {
    FormatError::at(line, "the graph has not as many signs as its vertices need; is it cut off?")
}

/// The six bits of each byte, the highest first.
fn bits(bytes: &[u8]) -> impl Iterator<Item = bool> {
    bytes.iter().flat_map(|byte| (0..6).rev().map(move |place| (byte - 63) >> place & 1 == 1))
}

fn draft(count: usize, ends: impl Iterator<Item = (usize, usize)>, line: usize) -> Draft {
    let edges = ends.map(|ends| DraftEdge::new(ends, line)).collect();
    Draft { edges, ..Draft::numbered_from(0, count) }
}

/// Reads graph6: a bit for each pair of vertices, in the order (0,1), (0,2), (1,2), (0,3), ..
pub(super) fn read(text: &str) -> Result<Draft, FormatError> {
    let (line, content) = line(text, ">>graph6<<")?;
    let (count, bytes) = vertices(content, text, line)?;
    if bytes.len() as u128 != (count as u128 * count.saturating_sub(1) as u128 / 2).div_ceil(6) {
        return Err(cut_off(line));
    }
    let pairs = (1..count).flat_map(|to| (0..to).map(move |from| (from, to)));
    let ends = pairs.zip(bits(bytes)).filter(|(_, is_edge)| *is_edge).map(|(ends, _)| ends);
    Ok(draft(count, ends, line))
}

/// Reads sparse6: a bit that advances the larger end, and then the bits of an end, which is the larger one if it is above.
pub(super) fn read_sparse(text: &str) -> Result<Draft, FormatError> {
    let (line, content) = line(text, ">>sparse6<<")?;
    let Some(content) = content.strip_prefix(':') else {
        let message = "a graph of sparse6 begins with `:`; check the format";
        return Err(FormatError::at(line, message));
    };
    let (count, bytes) = vertices(content, text, line)?;
    let width = (usize::BITS - count.saturating_sub(1).leading_zeros()) as usize;
    let bits: Vec<bool> = bits(bytes).collect();
    let mut current = 0;
    let mut ends = Vec::new();
    for step in bits.chunks_exact(1 + width) {
        current += usize::from(step[0]);
        let end = step[1..].iter().fold(0, |sum, &bit| sum << 1 | usize::from(bit));
        if end >= count || current >= count {
            break;
        }
        if end > current {
            current = end;
        } else {
            ends.push((end, current));
        }
    }
    Ok(draft(count, ends.into_iter(), line))
}
