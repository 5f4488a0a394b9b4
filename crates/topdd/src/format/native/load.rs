//! Reading, as a stream or by mapping the file into memory.

use super::header::{BLOCK, Checksums, FileHeader, HEADER, malformed, metadata_from_bytes};
use crate::FileError;
use crate::diagram::store::{
    Array, LevelRecord, Mapping, NodeArrays, NodeStore, PartFault, StorePart,
};
use crate::diagram::{Diagram, DiagramRule};
use crate::error::Position;
use crate::file::{Access, Files};
use crate::format::metadata::Metadata;
use crate::frontier::CancelToken;
use crate::spec::{Arities, Rule};
use bytemuck::Pod;
use rayon::prelude::*;
use std::collections::TryReserveError;
use std::io::{ErrorKind, Read};
use std::path::Path;

impl<R: DiagramRule> Diagram<R> {
    /// Loads a file that [`save`](Diagram::save) wrote: reads all of it into memory and checks it.
    ///
    /// Cost: as many bytes of memory as the file has, and about 20 ns of CPU time for each node. The
    /// nodes are checked on all cores; reading and the checksums take one.
    ///
    /// # Errors
    ///
    /// Fails with [`FileError::Io`] if the file cannot be read, with
    /// [`FileError::Malformed`] if it is damaged or of another format, and with
    /// [`FileError::OtherRule`] if its diagram is under the
    /// other rule; [`AnyDiagram`](crate::AnyDiagram) takes either.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, FileError> {
        load(&Files::default(), path.as_ref()).and_then(Loaded::into_diagram_of(path.as_ref()))
    }

    /// Loads a file as [`load`](Diagram::load) does, and returns its metadata too: the metadata that
    /// [`save_with`](Diagram::save_with) stored, or none.
    ///
    /// # Errors
    ///
    /// Fails where [`load`](Diagram::load) fails.
    pub fn load_with_metadata(path: impl AsRef<Path>) -> Result<(Self, Metadata), FileError> {
        let loaded = load(&Files::default(), path.as_ref())?;
        loaded.with_metadata().map_err(|error| error.in_file(path.as_ref()))
    }

    /// Maps a file that [`save`](Diagram::save) wrote into memory and checks it.
    ///
    /// The nodes are not copied. Processes that map the same file share its pages, and the kernel
    /// drops pages when memory is short. The check makes two passes over the nodes on all cores:
    /// about 20 ns of CPU time per node if the file is cached.
    ///
    /// A pipe or device, and any file on a big-endian machine, is read as by
    /// [`load`](Diagram::load).
    ///
    /// # Safety
    ///
    /// The content of the file must not change while the diagram or a clone of it exists: no
    /// process may write to it in place or truncate it. Saving to the same path, renaming the
    /// file and removing it are allowed, because they leave the mapped content as it is.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// # let path = std::env::temp_dir().join(format!("topdd-doc-{}.tdd", std::process::id()));
    /// let subsets = Zdd::full([2; 4])?;
    /// subsets.save(&path)?;
    /// // SAFETY: no other process has the file open, and this one does not write to it.
    /// let mapped = unsafe { Zdd::load_mapped(&path)? };
    /// assert!(mapped == subsets);
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails where [`load`](Diagram::load) fails.
    #[allow(unsafe_code)]
    pub unsafe fn load_mapped(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        // SAFETY: the contract is the same, so the caller guarantees it.
        unsafe { map(path, Trust::Nothing) }.and_then(Loaded::into_diagram_of(path))
    }

    /// Maps a file into memory and checks its length and its tables, but not its nodes. The time
    /// does not depend on their number.
    ///
    /// Use it for a file that was checked before and has not changed since. If nodes are damaged,
    /// queries return wrong results or panic.
    ///
    /// # Safety
    ///
    /// The content of the file must not change while the diagram or a clone of it exists.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// # let path = std::env::temp_dir().join(format!("topdd-doc-trust-{}.tdd", std::process::id()));
    /// let subsets = Zdd::full([2; 4])?;
    /// subsets.save(&path)?;
    /// // SAFETY: no other process has the file open, and this one does not write to it.
    /// let mapped = unsafe { Zdd::load_trusted(&path)? };
    /// assert!(mapped == subsets);
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the file cannot be read, when its length, header or tables are damaged or of another format,
    /// or when its diagram is under the other rule.
    #[allow(unsafe_code)]
    pub unsafe fn load_trusted(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        // SAFETY: the contract is the same, so the caller guarantees it.
        unsafe { map(path, Trust::Nodes) }.and_then(Loaded::into_diagram_of(path))
    }

    /// Reads a diagram that [`write_to`](Diagram::write_to) wrote into memory, and checks it. Bytes
    /// after it stay in the stream.
    ///
    /// Cost as for [`load`](Diagram::load). Reads large blocks, so that a buffer is not needed. Memory
    /// is allocated as bytes are read, for any size that the header states.
    ///
    /// # Errors
    ///
    /// When the stream fails or ends too early, is damaged or of another format, or has a
    /// diagram under the other rule.
    pub fn read_from<I: Read>(mut input: I) -> Result<Self, FileError> {
        read(&mut input, None)?.into_diagram()
    }

    /// Reads a stream as [`read_from`](Diagram::read_from) does, and returns its metadata too.
    ///
    /// # Errors
    ///
    /// When the stream fails or ends too early, is damaged or of another format, or has a diagram under
    /// the other rule.
    pub fn read_with_metadata<I: Read>(mut input: I) -> Result<(Self, Metadata), FileError> {
        read(&mut input, None)?.with_metadata()
    }
}

/// The parts of a file that are not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Trust {
    Nothing,
    /// The nodes of a mapped file.
    Nodes,
}

/// A diagram under the rule of its file, and its metadata.
pub(in crate::format) struct Loaded {
    pub(in crate::format) rule: Rule,
    pub(in crate::format) store: NodeStore,
    pub(in crate::format) metadata: Metadata,
}

impl Loaded {
    /// As [`into_diagram`](Loaded::into_diagram), with the name of the file in errors.
    fn into_diagram_of<R: DiagramRule>(
        path: &Path,
    ) -> impl FnOnce(Loaded) -> Result<Diagram<R>, FileError> {
        move |loaded| loaded.into_diagram().map_err(|error| error.in_file(path))
    }

    fn with_metadata<R: DiagramRule>(mut self) -> Result<(Diagram<R>, Metadata), FileError> {
        let metadata = std::mem::take(&mut self.metadata);
        Ok((self.into_diagram()?, metadata))
    }

    pub(in crate::format) fn into_diagram<R: DiagramRule>(self) -> Result<Diagram<R>, FileError> {
        let Loaded { rule: found, store, .. } = self;
        if found == R::RULE {
            Ok(Diagram::new(store))
        } else {
            Err(FileError::OtherRule { path: None, found, expected: R::RULE })
        }
    }
}

/// Reads a file into memory.
pub(in crate::format) fn load(files: &Files, path: &Path) -> Result<Loaded, FileError> {
    let file = files.open(path, Access::Read).map_err(FileError::io(READ, path))?;
    let length = file.len().map_err(FileError::io(READ, path))?;
    read(&mut &file, length).map_err(|error| of_file(error, path))
}

/// Maps a file into memory. Reads it if it is not a regular file, or on a big-endian machine.
///
/// # Safety
///
/// The content of the file must not change while the result or a clone of it exists.
#[allow(unsafe_code)]
pub(in crate::format) unsafe fn map(path: &Path, trust: Trust) -> Result<Loaded, FileError> {
    let files = Files::default();
    let file = files.open(path, Access::Read).map_err(FileError::io(READ, path))?;
    let length = file.len().map_err(FileError::io(READ, path))?;
    if length.is_none() || cfg!(target_endian = "big") {
        return load(&files, path);
    }
    // SAFETY: the contract is the same, so the caller guarantees it.
    let mapping = unsafe { Mapping::new(&file) };
    let mapping = mapping.map_err(FileError::io("map into memory", path))?;
    loaded(&mapping, trust).map_err(|error| of_file(error, path))
}

const READ: &str = "read a diagram from";

/// The error of a reader, with the name of its file.
fn of_file(error: FileError, path: &Path) -> FileError {
    match error {
        FileError::Io(error) => error.on(READ, path).into(),
        error => error.in_file(path),
    }
}

/// Refuses a file whose length differs from the length in its header.
fn check_length(header: &FileHeader, found: u64) -> Result<(), FileError> {
    let expected = header.length();
    let message = match found {
        _ if found == expected => return Ok(()),
        _ if found < expected => {
            format!("the file ends here, where it should have {expected} bytes: it was cut off")
        }
        _ => format!("the diagram ends here, but the file has {} bytes more", found - expected),
    };
    Err(malformed(found.min(expected), message))
}

fn loaded(file: &Mapping, trust: Trust) -> Result<Loaded, FileError> {
    let bytes = file.bytes();
    let Some(head) = bytes.first_chunk::<HEADER>() else { return Err(too_short(bytes)) };
    let header = FileHeader::from_bytes(head)?;
    check_length(&header, bytes.len() as u64)?;
    // All lengths fit, because the file is in memory.
    let start = HEADER + header.tables() as usize;
    let tables = &bytes[HEADER..start];
    let words = tables.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("4")));
    let words: Vec<u32> = words.collect();
    let tables = Tables::from_words(&header, &words, crc32fast::hash(tables))?;
    let (bytes, metadata) = bytes.split_at(header.metadata_start() as usize);
    if trust == Trust::Nothing {
        let (arrays, sums) = bytes[start..].split_at(header.arrays() as usize);
        let mut found: Vec<u32> = arrays.par_chunks(BLOCK).map(crc32fast::hash).collect();
        found.push(crc32fast::hash(&sums[..sums.len() - 4]));
        let expected = sums.chunks_exact(4).map(|s| u32::from_le_bytes(s.try_into().expect("4")));
        check_sums(&header, &found, &expected.collect::<Vec<_>>())?;
    }
    let place = |part| header.offset(part, 0) as usize;
    let nodes = NodeArrays {
        pairs: Array::Mapped(file.array(place(StorePart::Pairs), header.pairs as usize)),
        edges: Array::Mapped(file.array(place(StorePart::Edges), header.edges as usize)),
        starts: Array::Mapped(file.array(place(StorePart::Starts), header.starts as usize)),
    };
    let padding =
        place(StorePart::Starts) + 4 * header.starts as usize..start + header.arrays() as usize;
    check_padding(padding.start, &bytes[padding])?;
    let store = tables.into_store(&header, nodes)?;
    if trust == Trust::Nothing {
        check_nodes(&header, &store)?;
    }
    let metadata = metadata_from_bytes(metadata, header.metadata_start())?;
    Ok(Loaded { rule: header.rule, store, metadata })
}

/// Reads a stream, or a file of a known length.
pub(in crate::format) fn read(
    input: &mut dyn Read,
    length: Option<u64>,
) -> Result<Loaded, FileError> {
    let mut input = Stream { input, at: 0, length };
    let mut head = [0; HEADER];
    let found = input.fill(&mut head)?;
    if found < HEADER {
        return Err(too_short(&head[..found]));
    }
    let header = FileHeader::from_bytes(&head)?;
    if let Some(length) = length {
        check_length(&header, length)?;
    }
    let (tables, sum) = input.words::<u32>(header.tables() / 4, None)?;
    let tables = Tables::from_words(&header, &tables, sum)?;
    let mut sums = Checksums::default();
    let (pairs, _) = input.words(header.pairs, Some(&mut sums))?;
    let (edges, _) = input.words(header.edges, Some(&mut sums))?;
    let (mut starts, _) = input.words(header.starts.next_multiple_of(2), Some(&mut sums))?;
    let padding = starts.split_off(header.starts as usize);
    let after = header.offset(StorePart::Starts, header.starts);
    check_padding(after as usize, bytemuck::cast_slice(&padding))?;
    let (expected, _) = input.words(header.sums(), None)?;
    check_sums(&header, &sums.finish(), &expected)?;
    let nodes = NodeArrays {
        pairs: Array::Memory(pairs),
        starts: Array::Memory(starts),
        edges: Array::Memory(edges),
    };
    let store = tables.into_store(&header, nodes)?;
    check_nodes(&header, &store)?;
    let metadata = metadata_from_bytes(&input.bytes(header.metadata)?, header.metadata_start())?;
    Ok(Loaded { rule: header.rule, store, metadata })
}

/// A stream that counts its bytes.
struct Stream<'a> {
    input: &'a mut dyn Read,
    at: u64,
    /// If it is known.
    length: Option<u64>,
}

impl Stream<'_> {
    /// Reads until the buffer is full or the stream ends; returns the number of bytes read.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, FileError> {
        if let Some(token) = CancelToken::of_queries() {
            token.stop_query();
        }
        let mut filled = 0;
        while filled < buffer.len() {
            match self.input.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(FileError::stream("read a diagram")(error));
                }
            }
        }
        self.at += filled as u64;
        Ok(filled)
    }

    /// Reads so many bytes.
    fn bytes(&mut self, count: u64) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < count {
            let start = bytes.len();
            bytes.resize(start + (count - start as u64).min(BLOCK as u64) as usize, 0);
            if self.fill(&mut bytes[start..])? < bytes.len() - start {
                return Err(self.cut_off());
            }
        }
        Ok(bytes)
    }

    /// The error for an input that ends here.
    fn cut_off(&self) -> FileError {
        malformed(self.at, "the input ends here, before the end of the diagram: it was cut off")
    }

    /// Reads so many items, which are made of words, and returns them and their checksum.
    fn words<T: Pod>(
        &mut self,
        count: u64,
        mut sums: Option<&mut Checksums>,
    ) -> Result<(Vec<T>, u32), FileError> {
        let mut items: Vec<T> = Vec::new();
        if self.length.is_some() {
            // The file has so many bytes: its length was checked.
            let refused = |error: TryReserveError| {
                let error = std::io::Error::new(ErrorKind::OutOfMemory, error);
                FileError::stream("read a diagram")(error)
            };
            items.try_reserve_exact(count as usize).map_err(refused)?;
        }
        let mut hasher = crc32fast::Hasher::new();
        while (items.len() as u64) < count {
            let start = items.len();
            let more = (count - start as u64).min((BLOCK / size_of::<T>()) as u64);
            items.resize(start + more as usize, T::zeroed());
            let new = &mut items[start..];
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(new);
            if self.fill(bytes)? < bytes.len() {
                return Err(self.cut_off());
            }
            match &mut sums {
                Some(sums) => sums.update(bytes),
                None => hasher.update(bytes),
            }
            for word in bytemuck::cast_slice_mut::<T, u32>(new) {
                *word = u32::from_le(*word);
            }
        }
        items.shrink_to_fit();
        Ok((items, hasher.finalize()))
    }
}

/// The error for an input that ends within the header.
fn too_short(bytes: &[u8]) -> FileError {
    let mut head = [0; HEADER];
    head[..bytes.len()].copy_from_slice(bytes);
    match FileHeader::from_bytes(&head) {
        // The first bytes belong to another kind of file.
        Err(FileError::Malformed { at: Position::Byte(0), message, .. })
            if !b"\x89topdd".starts_with(&bytes[..bytes.len().min(6)]) =>
        {
            malformed(0, message)
        }
        _ => malformed(bytes.len() as u64, "the file ends here, within its header: it was cut off"),
    }
}

/// The tables of a file.
struct Tables {
    arities: Arities,
    records: Vec<LevelRecord>,
    reach: Vec<u32>,
}

impl Tables {
    /// Reads the tables from words with this checksum.
    fn from_words(header: &FileHeader, words: &[u32], sum: u32) -> Result<Self, FileError> {
        if sum != header.tables_sum {
            let message =
                "the tables from here on do not match their checksum: the file is damaged";
            return Err(malformed(HEADER as u64, message));
        }
        let (arities, rest) = words.split_at(header.arities as usize);
        let (records, rest) = rest.split_at(3 * header.levels as usize);
        let (reach, padding) = rest.split_at(header.reach as usize);
        let after = header.offset(StorePart::Reach, header.reach);
        check_padding(after as usize, bytemuck::cast_slice(padding))?;
        if let Some(variable) = arities.iter().position(|&arity| arity == 0) {
            let at = HEADER + 4 * variable;
            return Err(malformed(at as u64, format!("variable {variable} has no values")));
        }
        let one_would_do = arities.len() > 1 && arities.iter().all(|&arity| arity == arities[0]);
        if one_would_do || header.num_vars == 0 && arities[0] != 2 {
            let message = "the arities are equal, but not written as such";
            return Err(malformed(HEADER as u64, message));
        }
        Ok(Tables {
            arities: Arities::from_table(header.num_vars as usize, arities.to_vec()),
            records: bytemuck::cast_slice(records).to_vec(),
            reach: reach.to_vec(),
        })
    }

    fn into_store(self, header: &FileHeader, nodes: NodeArrays) -> Result<NodeStore, FileError> {
        let Tables { arities, records, reach } = self;
        NodeStore::from_parts(arities, header.root, &records, reach, nodes)
            .map_err(|fault| at_fault(header, fault))
    }
}

/// Checks that the nodes are a reduced diagram.
fn check_nodes(header: &FileHeader, store: &NodeStore) -> Result<(), FileError> {
    store.check_nodes(header.rule).map_err(|fault| at_fault(header, fault))
}

fn at_fault(header: &FileHeader, fault: PartFault) -> FileError {
    malformed(header.offset(fault.part, fault.index as u64), fault.message)
}

fn check_padding(start: usize, bytes: &[u8]) -> Result<(), FileError> {
    match bytes.iter().position(|&byte| byte != 0) {
        None => Ok(()),
        Some(place) => Err(malformed((start + place) as u64, "padding is not 0")),
    }
}

/// Compares the checksums of the arrays with the checksums in the file. The last one is the checksum
/// of the list of the others.
fn check_sums(header: &FileHeader, found: &[u32], expected: &[u32]) -> Result<(), FileError> {
    let start = HEADER as u64 + header.tables();
    let end = start + header.arrays();
    let Some(wrong) = found.iter().zip(expected).position(|(found, expected)| found != expected)
    else {
        return Ok(());
    };
    if wrong + 1 == found.len() {
        let message = "the checksums from here on do not match theirs: the file is damaged";
        return Err(malformed(end, message));
    }
    let from = start + (wrong * BLOCK) as u64;
    let to = end.min(from + BLOCK as u64);
    let message = format!(
        "the nodes from here to byte {to} do not match their checksum: the file is damaged"
    );
    Err(malformed(from, message))
}
