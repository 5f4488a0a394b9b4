//! The text of a file: unpacked, and decoded.

use std::borrow::Cow;

use super::FormatError;

/// The largest size in bytes of an unpacked file whose packed size does not justify more.
#[cfg(feature = "gzip")]
const MAX_UNPACKED: u64 = 64 << 20;

/// The largest ratio of the sizes of an unpacked and a packed file above [`MAX_UNPACKED`]. Graphs shrink to a
/// fifth or a twentieth; files that are made to fill memory shrink to a thousandth.
#[cfg(feature = "gzip")]
const MAX_RATIO: u64 = 100;

/// Packed files that are not unpacked here, by their first bytes, with the command that does.
const PACKED: [(&[u8], &str, &str); 3] = [
    (b"BZh", "bzip2", "bunzip2"),
    (b"\xfd7zXZ\0", "xz", "unxz"),
    (b"\x28\xb5\x2f\xfd", "zstd", "unzstd"),
];

/// The first bytes of gzip.
const GZIP: &[u8] = b"\x1f\x8b";

/// Returns the content of a file, unpacked if it is gzip.
///
/// # Errors
///
/// If the file is packed twice or by bzip2, xz or zstd, is cut off, or has a suspiciously large content.
pub fn unpack(bytes: &[u8]) -> Result<Cow<'_, [u8]>, FormatError> {
    let content =
        if bytes.starts_with(GZIP) { gunzip(bytes)?.into() } else { Cow::Borrowed(bytes) };
    if content.starts_with(GZIP) {
        return Err(FormatError::new("the file is packed twice; unpack it once with `gunzip`"));
    }
    match PACKED.iter().find(|(magic, ..)| content.starts_with(magic)) {
        Some((_, name, command)) => Err(FormatError::new(format!(
            "the file is packed by {name}; unpack it with `{command}`"
        ))),
        None => Ok(content),
    }
}

/// Returns the text of a file that is not packed, without a byte order mark. UTF-16 with a mark is decoded.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, FormatError> {
    let utf16 = match bytes {
        [0xff, 0xfe, rest @ ..] => Some((rest, u16::from_le_bytes as fn([u8; 2]) -> u16)),
        [0xfe, 0xff, rest @ ..] => Some((rest, u16::from_be_bytes as fn([u8; 2]) -> u16)),
        _ => None,
    };
    if let Some((rest, unit)) = utf16 {
        let (pairs, odd) = rest.as_chunks();
        let units: Vec<u16> = pairs.iter().map(|&pair| unit(pair)).collect();
        let text = String::from_utf16(&units).ok().filter(|_| odd.is_empty());
        return text.map(Cow::Owned).ok_or_else(|| {
            FormatError::new("the file begins as UTF-16 text and is none; save it as UTF-8")
        });
    }
    let text = str::from_utf8(bytes).map_err(|error| {
        let line = line_of(bytes, error.valid_up_to());
        FormatError::at(
            line,
            "the file is not UTF-8 text; if it is text in Latin-1, as older programs write it, convert it with \
             `iconv -f LATIN1 -t UTF-8`, or save it as UTF-8 (in Excel, as CSV UTF-8); otherwise check the format",
        )
    })?;
    if let Some(offset) = bytes.iter().position(|&byte| byte == 0) {
        return Err(FormatError::at(
            line_of(bytes, offset),
            "the file has bytes of zero, so it is no text in UTF-8; save it as UTF-8 text",
        ));
    }
    Ok(Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)))
}

#[cfg(feature = "gzip")]
fn gunzip(bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    use std::io::Read;

    let most = MAX_UNPACKED.max((bytes.len() as u64).saturating_mul(MAX_RATIO));
    let mut unpacked = Vec::new();
    let read = flate2::read::MultiGzDecoder::new(bytes).take(most + 1).read_to_end(&mut unpacked);
    if let Err(error) = read {
        return Err(FormatError::new(format!(
            "the file is gzip and cannot be unpacked: {error}; is it cut off?"
        )));
    }
    if unpacked.len() as u64 > most {
        return Err(FormatError::new(format!(
            "the file is gzip of {} bytes with more than {most} bytes of content; if that is right, unpack it \
             with `gunzip`",
            bytes.len()
        )));
    }
    Ok(unpacked)
}

#[cfg(not(feature = "gzip"))]
fn gunzip(_bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    Err(FormatError::new(
        "the file is gzip, and this program was built without it; unpack it with `gunzip`, or enable the feature \
         `gzip` of topdd-graph",
    ))
}

/// The line of a byte, counted from 1.
fn line_of(bytes: &[u8], offset: usize) -> usize {
    bytes[..offset].split(|&byte| byte == b'\n').count()
}
