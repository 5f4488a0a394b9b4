#![allow(unsafe_code)]

use super::header::{BLOCK, Checksums, FileHeader, HEADER};
use super::load::Loaded;
use crate::check::RandomSpec;
use crate::diagram::{DiagramRule, ZeroSuppressed};
use crate::file::faulty::{Faulty, Loss, Plan, tempdir};
use crate::format::Metadata;
use crate::{
    AnyDiagram, Bdd, DdSpec, Diagram, FileError, Frontier, Position, Rule, SpecExt, Zdd, bdd, zdd,
};
use proptest::prelude::*;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

fn bytes<R: DiagramRule>(diagram: &Diagram<R>) -> Vec<u8> {
    let mut bytes = Vec::new();
    diagram.write_to(&mut bytes).unwrap();
    bytes
}

fn any_bytes(diagram: &AnyDiagram) -> Vec<u8> {
    let mut bytes = Vec::new();
    diagram.write_to(&mut bytes).unwrap();
    bytes
}

/// Small diagrams of every kind, by the names of their golden files.
fn golden() -> Vec<(&'static str, AnyDiagram)> {
    let long: Vec<usize> = (0..60).map(|variable| 1 + variable * 7 % 4).collect();
    let of = |arities: &[usize], seed| RandomSpec::over(arities.to_vec(), seed);
    let constant = |arities: &[usize], value: bool| {
        let is_it = |zdd: &Zdd| zdd.store.root == u32::from(value);
        (0..100).map(|seed| zdd(&of(arities, seed)).unwrap()).find(is_it).unwrap()
    };
    vec![
        ("zero-of-3", constant(&[2, 2, 2], false).into()),
        ("one-of-0", constant(&[], true).to_bdd().unwrap().into()),
        ("zdd-binary", zdd(&of(&[2; 6], 91)).unwrap().into()),
        ("bdd-binary", bdd(&of(&[2; 6], 91)).unwrap().into()),
        ("zdd-ternary", zdd(&of(&[3; 5], 132)).unwrap().into()),
        ("zdd-mixed", zdd(&of(&[3, 2, 1, 4, 2, 3, 2], 175)).unwrap().into()),
        ("bdd-mixed", bdd(&of(&[3, 2, 1, 4, 2, 3, 2], 175)).unwrap().into()),
        ("zdd-long", zdd(&of(&long, 104)).unwrap().into()),
        ("bdd-long", bdd(&of(&long, 104)).unwrap().into()),
    ]
}

fn golden_path(name: &str) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/native");
    PathBuf::from(folder).join(name).with_extension("tdd")
}

/// Metadata of all kinds: known keys, unknown ones, empty ones.
fn metadata() -> Metadata {
    let mut metadata = Metadata::new();
    metadata.set_problem("random, \u{2654} and \u{2655}");
    metadata.set(Metadata::VARIABLES, r#"["a","b \"c\"",""]"#);
    metadata.set(Metadata::VALUES, r#"[["no","yes"],[]]"#);
    metadata.set("test-more", "x\ny\0z");
    metadata.set("", "");
    metadata
}

/// Where the file changes, so must the version. `TOPDD_BLESS=1` writes the files anew.
#[test]
fn golden_files_are_written_and_read() {
    for (name, diagram) in golden() {
        let path = golden_path(name);
        if std::env::var_os("TOPDD_BLESS").is_some() {
            diagram.save(&path).unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), any_bytes(&diagram), "{name}");
        assert_eq!(AnyDiagram::load(&path).unwrap(), diagram, "{name}");
        // SAFETY: no test changes the golden files.
        let mapped = unsafe { [AnyDiagram::load_mapped(&path), AnyDiagram::load_trusted(&path)] };
        for mapped in mapped {
            assert_eq!(mapped.unwrap(), diagram, "{name}");
        }
    }
}

/// Files with metadata are equal to files without metadata, except for the version, the length, the
/// checksum of the header, and the section at the end.
#[test]
fn golden_files_with_metadata_differ_in_the_section_alone() {
    for (name, diagram) in golden() {
        let (plain, metadata) = (any_bytes(&diagram), metadata());
        let mut with = Vec::new();
        diagram.write_with(&mut with, &metadata).unwrap();
        assert_eq!(with.len(), plain.len() + metadata.size(), "{name}");
        assert_eq!(with[8..12], [1, 0, 1, 0], "{name}");
        let mut same = with[..plain.len()].to_vec();
        for range in [8..12, 24..32, 92..96] {
            same[range.clone()].copy_from_slice(&plain[range]);
        }
        assert_eq!(same, plain, "{name}");

        let (read, found) = AnyDiagram::read_with_metadata(&with[..]).unwrap();
        assert!(read == diagram && found == metadata, "{name}");
        let folder = tempdir();
        let path = folder.path().join("a.tdd");
        diagram.save_with(&path, &metadata).unwrap();
        assert_eq!(fs::read(&path).unwrap(), with, "{name}");
        let loaded = AnyDiagram::load_with_metadata(&path).unwrap();
        assert_eq!(loaded, (diagram.clone(), metadata), "{name}");
        // SAFETY: the file is this test's own.
        let mapped = unsafe { [AnyDiagram::load_mapped(&path), AnyDiagram::load_trusted(&path)] };
        for loaded in mapped.into_iter().chain([AnyDiagram::load(&path)]) {
            assert_eq!(loaded.unwrap(), diagram, "{name}");
        }
        let none = AnyDiagram::load_with_metadata(golden_path(name)).unwrap();
        assert_eq!(none, (diagram, Metadata::new()), "{name}");
    }
    let path = golden_path("with-metadata");
    let (_, diagram) = &golden()[5];
    if std::env::var_os("TOPDD_BLESS").is_some() {
        diagram.save_with(&path, &metadata()).unwrap();
    }
    assert_eq!(AnyDiagram::load_with_metadata(&path).unwrap(), (diagram.clone(), metadata()));
    let mut written = Vec::new();
    diagram.write_with(&mut written, &metadata()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), written);
}

#[test]
fn empty_metadata_is_not_stored() {
    let diagram = zdd(&RandomSpec::new(1)).unwrap();
    let mut written = Vec::new();
    diagram.write_with(&mut written, &Metadata::new()).unwrap();
    assert_eq!(written, bytes(&diagram));
    assert_eq!(Metadata::new().size(), 0);
}

#[test]
fn metadata_is_written_up_to_its_limit_and_not_beyond() {
    let diagram = zdd(&RandomSpec::new(1)).unwrap();
    let of_size = |size: usize| {
        let mut metadata = Metadata::new();
        metadata.set("k", "v".repeat(size - 4 - 8 - 1 - 4));
        metadata
    };
    let largest = of_size(Metadata::MAX_SIZE);
    assert_eq!(largest.size(), Metadata::MAX_SIZE);
    let mut written = Vec::new();
    diagram.write_with(&mut written, &largest).unwrap();
    let read = Zdd::read_with_metadata(&written[..]).unwrap();
    assert!(read == (diagram.clone(), largest));

    let larger = of_size(Metadata::MAX_SIZE + 1);
    let error = diagram.write_with(Vec::new(), &larger).unwrap_err();
    assert!(error.kind() == ErrorKind::InvalidInput && error.to_string().contains("at most"));
    let folder = tempdir();
    let path = folder.path().join("a.tdd");
    assert!(matches!(diagram.save_with(&path, &larger), Err(FileError::Io { .. })));
    assert!(!path.exists());

    // A header that announces more.
    let length = written.len() as u64 + 4;
    written[24..32].copy_from_slice(&length.to_le_bytes());
    repair(&mut written);
    let (at, message) = refused(&written);
    assert!(at == 24 && message.contains("for the metadata"), "{at}: {message}");
}

/// The section of a file with other content, and right checksums.
#[test]
fn malformed_metadata_is_refused_with_its_position() {
    let diagram = zdd(&RandomSpec::new(1)).unwrap();
    let parts = bytes(&diagram);
    let with = |section: &[u8]| {
        let mut bytes = parts.clone();
        bytes[8..12].copy_from_slice(&[1, 0, 1, 0]);
        bytes.extend(section);
        bytes.extend([0; 4]);
        let length = bytes.len() as u64;
        bytes[24..32].copy_from_slice(&length.to_le_bytes());
        repair(&mut bytes);
        bytes
    };
    let entry = |key: &[u8], value: &[u8]| {
        let lengths = [key, value].map(|text| (text.len() as u32).to_le_bytes());
        [&lengths[0][..], &lengths[1], key, value].concat()
    };
    let count =
        |count: u32, entries: &[Vec<u8>]| [&count.to_le_bytes()[..], &entries.concat()].concat();
    let good = with(&count(1, &[entry(b"key", b"a")]));
    let (_, found) = Zdd::read_with_metadata(&good[..]).unwrap();
    assert!(found.iter().eq([("key", "a")]));

    let start = parts.len();
    for (section, at, expected) in [
        (count(0, &[entry(b"", b"")]), 0, "no entries"),
        (count(2, &[entry(b"", b"")]), 12, "longer than the rest"),
        (count(u32::MAX, &[entry(b"key", b"a")]), 16, "longer than the rest"),
        (count(1, &[entry(b"key", b"a"), vec![0; 4]]), 16, "does not end"),
        (count(1, &[entry(b"ke", b""), vec![0, 1]]), 14, "does not end"),
        (count(1, &[entry(b"k\xff", b"ab")]), 4, "not UTF-8"),
        (count(1, &[entry(b"ab", b"\xc3(")]), 4, "not UTF-8"),
        (count(2, &[entry(b"b", b""), entry(b"a", b"xy")]), 13, "do not ascend"),
        (count(2, &[entry(b"a", b""), entry(b"a", b"xy")]), 13, "do not ascend"),
        (count(1, &[[u32::MAX; 2].map(u32::to_le_bytes).concat()]), 4, "longer than the rest"),
    ] {
        let (found, message) = refused(&with(&section));
        assert_eq!(found, (start + at) as u64, "{message}");
        assert!(message.contains(expected), "{message}");
    }
    let mut damaged = good.clone();
    damaged[start + 5] ^= 1;
    assert!(refused(&damaged).1.contains("metadata from here on does not match"));
    let (at, message) = refused(&good[..good.len() - 1]);
    assert!(at == good.len() as u64 - 1 && message.contains("cut off"), "{at}: {message}");
    for (minor, expected) in
        [(0, "the parts of the file have"), (2, "1.2, but this topdd reads 1.0 and 1.1")]
    {
        let mut other = good.clone();
        other[10] = minor;
        repair(&mut other);
        assert!(refused(&other).1.contains(expected), "{}", refused(&other).1);
    }
    let mut none = parts.clone();
    none[10] = 1;
    repair(&mut none);
    assert!(refused(&none).1.contains("leaves 0 bytes for the metadata"));
}

/// The results of all functions that load a file.
fn load_all_ways<R: DiagramRule>(path: &Path) -> [Result<Diagram<R>, FileError>; 3] {
    // SAFETY: each test has a folder of its own and writes there only by `save`, or when these
    // diagrams are gone.
    unsafe { [Diagram::load(path), Diagram::load_mapped(path), Diagram::load_trusted(path)] }
}

/// The example of the docs, by hand.
#[test]
fn the_header_is_as_described() {
    let diagram = zdd(&RandomSpec::over(vec![2; 6], 91)).unwrap();
    let bytes = bytes(&diagram);
    assert_eq!(&bytes[..8], b"\x89topdd\r\n");
    assert_eq!(&bytes[8..20], [1, 0, 0, 0, 4, 3, 2, 1, 0, 0, 0, 0]);
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    assert_eq!(number(24), bytes.len() as u64);
    assert_eq!([number(32), number(40)], [6, 1]);
    assert_eq!([number(64), number(72), number(80)], [diagram.node_count() as u64, 0, 1]);
    let root = u32::from_le_bytes(bytes[20..24].try_into().unwrap());
    assert_eq!(root as usize, diagram.node_count() + 1);
}

#[test]
fn diagrams_of_a_million_variables_are_read_back() {
    let arities: Vec<usize> = (0..1_000_000).map(|variable| 2 + variable % 2).collect();
    for (arities, most) in [(arities, 4_001_000), (vec![2; 1_000_000], 1_000)] {
        let spec = RandomSpec::over(Vec::new(), 0);
        let spec = Wide { arities, inner: spec }.boxed();
        let diagram = zdd(&spec).unwrap();
        let bytes = bytes(&diagram);
        assert!(bytes.len() < most, "{}", bytes.len());
        assert!(Zdd::read_from(&bytes[..]).unwrap() == diagram);
    }
}

/// A constant over many variables.
struct Wide {
    arities: Vec<usize>,
    inner: RandomSpec,
}

impl DdSpec for Wide {
    type State = u32;
    fn num_vars(&self) -> usize {
        self.arities.len()
    }
    fn arity(&self, variable: usize) -> usize {
        self.arities[variable]
    }
    fn root(&self) -> crate::Step<u32> {
        self.inner.root()
    }
    fn child(&self, _: &u32, _: usize, _: usize) -> crate::Step<u32> {
        crate::Step::Zero
    }
}

/// The error for an input that is not a diagram.
fn refused(bytes: &[u8]) -> (u64, String) {
    match AnyDiagram::read_from(bytes).map(|diagram| diagram.rule()) {
        Err(FileError::Malformed { at: Position::Byte(at), message, path: None, .. }) => {
            (at, message)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn errors_name_the_position_and_the_fault() {
    let good = fs::read(golden_path("zdd-mixed")).unwrap();
    assert_eq!(refused(b"").0, 0);
    assert!(refused(b"").1.contains("cut off"));
    for text in [&b"digraph Zdd {"[..], b"{}", &[0; 200]] {
        let (at, message) = refused(text);
        assert!(at == 0 && message.contains("no topdd file"), "{at}: {message}");
    }
    let (at, message) = refused(&good[..40]);
    assert!(at == 40 && message.contains("cut off"), "{at}: {message}");
    let (at, message) = refused(&good[..good.len() - 1]);
    assert!(at == good.len() as u64 - 1 && message.contains("cut off"), "{at}: {message}");
    for (byte, expected_at, expected) in [
        (5, 0, "no topdd file"),
        (6, 0, "line breaks"),
        (8, 8, "newer topdd"),
        (50, 0, "header"),
        (HEADER, HEADER as u64, "tables"),
    ] {
        let mut bad = good.clone();
        bad[byte] ^= 2;
        let (at, message) = refused(&bad);
        assert_eq!(at, expected_at, "{message}");
        assert!(message.contains(expected), "{message}");
    }
    let mut bad = good.clone();
    *bad.last_mut().unwrap() ^= 1;
    assert!(refused(&bad).1.contains("checksums"));
    let header = FileHeader::from_bytes(good.first_chunk().unwrap()).unwrap();
    let nodes = HEADER as u64 + header.tables();
    let mut bad = good;
    bad[nodes as usize + 9] ^= 1;
    let (at, message) = refused(&bad);
    assert!(at == nodes && message.contains("the nodes from here"), "{at}: {message}");
}

#[test]
fn a_file_is_named_in_its_errors() {
    let folder = tempdir();
    let path = folder.path().join("a.tdd");
    let message = Zdd::load(&path).unwrap_err().to_string();
    assert!(message.contains("a.tdd") && message.contains("check the name"), "{message}");

    fs::copy(golden_path("bdd-mixed"), &path).unwrap();
    let error = Zdd::load(&path).unwrap_err();
    let (found, expected) = (Rule::AnyValue, Rule::ZeroSuppressed);
    assert_eq!(error, FileError::OtherRule { path: Some(path.clone()), found, expected });
    assert!(Bdd::load(&path).is_ok());

    for name in ["zdd-mixed", "zdd-long"] {
        let good = fs::read(golden_path(name)).unwrap();
        for bad in [&good[..good.len() - 4], &[&good[..], b"more"].concat()] {
            fs::write(&path, bad).unwrap();
            for error in load_all_ways::<ZeroSuppressed>(&path).map(Result::unwrap_err) {
                let message = error.to_string();
                assert!(message.contains("a.tdd: topdd file, byte "), "{message}");
                assert!(matches!(error, FileError::Malformed { path: Some(_), .. }));
            }
        }
    }
    let missing = folder.path().join("missing/a.tdd");
    let message = zdd(&RandomSpec::new(1)).unwrap().save(&missing).unwrap_err().to_string();
    assert!(message.contains("could not save") && message.contains("missing"), "{message}");
    assert!(message.contains("create the directory") && !message.contains(".topdd-"), "{message}");
}

#[test]
fn saving_replaces_a_file_as_a_whole() {
    let folder = tempdir();
    let path = folder.path().join("a.tdd");
    let [first, second] = ["zdd-long", "zdd-mixed"].map(golden_path).map(|p| Zdd::load(p).unwrap());
    first.save(&path).unwrap();
    // It is mapped while another takes its place, and its own.
    let [_, loaded, _] = load_all_ways::<ZeroSuppressed>(&path).map(Result::unwrap);
    assert!(loaded.store.is_mapped());
    loaded.save(&path).unwrap();
    second.save(&path).unwrap();
    assert!(loaded == first && loaded.count() == first.count());
    assert!(Zdd::load(&path).unwrap() == second);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    #[cfg(unix)]
    {
        let link = folder.path().join("link.tdd");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        first.save(&link).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(Zdd::load(&path).unwrap() == first);
        fs::remove_file(&path).unwrap();
        second.save(&link).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(Zdd::load(&path).unwrap() == second);
    }
}

/// After any fault the file has its old content or all of the new. A temporary file is left only
/// if all later calls fail, too.
#[test]
fn a_fault_while_saving_leaves_the_old_file_or_the_new_one() {
    let folder = tempdir();
    let path = folder.path().join("a.tdd");
    let [old, new] = ["zdd-long", "zdd-mixed"].map(golden_path).map(|p| Zdd::load(p).unwrap());
    let contents = [bytes(&old), bytes(&new)];
    let save = |plan, loss: Option<Loss>| {
        for left in fs::read_dir(folder.path()).unwrap() {
            fs::remove_file(left.unwrap().path()).unwrap();
        }
        fs::write(&path, &contents[0]).unwrap();
        let faulty = Faulty::new(folder.path(), plan);
        let saved = new.save_on(&faulty.files(), &path, &Metadata::new());
        if let Some(loss) = loss {
            faulty.lose_power(loss);
        }
        let found = fs::read(&path).unwrap();
        assert!(contents.contains(&found), "{plan:?}, {loss:?}");
        match saved {
            Ok(()) => assert_eq!(found, contents[1], "{plan:?}, {loss:?}"),
            Err(FileError::Io(io)) => assert_eq!(io.path(), Some(&*path), "{plan:?}"),
            Err(error) => panic!("{plan:?}: {error}"),
        }
        let left = fs::read_dir(folder.path()).unwrap().count();
        assert!(left == 1 || matches!(plan, Plan::Broken(_) | Plan::PowerLoss(_)), "{plan:?}");
        faulty.calls()
    };
    let calls = save(Plan::Nothing, None);
    assert!(calls > 7, "{calls}");
    for call in 0..calls {
        for kind in [ErrorKind::Other, ErrorKind::StorageFull, ErrorKind::Interrupted] {
            save(Plan::Fail(call, kind), None);
        }
        save(Plan::Short(call), None);
        save(Plan::Broken(call), None);
        for seed in 0..8 {
            for loss in [Loss::All, Loss::Nothing, Loss::Later(seed), Loss::Some(seed)] {
                save(Plan::PowerLoss(call), Some(loss));
            }
        }
    }
    // A save that succeeded is durable.
    for seed in 0..20 {
        save(Plan::PowerLoss(calls), Some(Loss::Some(seed)));
    }
}

#[test]
fn a_fault_while_loading_returns_the_diagram_or_an_error() {
    let path = golden_path("zdd-long");
    let diagram = Zdd::load(&path).unwrap();
    let empty = tempdir();
    let load = |plan| {
        let faulty = Faulty::new(empty.path(), plan);
        let loaded = super::load::load(&faulty.files(), &path).and_then(Loaded::into_diagram);
        match loaded {
            Ok(loaded) => assert!(loaded == diagram, "{plan:?}"),
            Err(FileError::Io(io)) => assert_eq!(io.path(), Some(&*path), "{plan:?}"),
            Err(error) => panic!("{plan:?}: {error}"),
        }
        faulty.calls()
    };
    let calls = load(Plan::Nothing);
    assert!(calls > 5, "{calls}");
    for call in 0..calls {
        load(Plan::Fail(call, ErrorKind::Other));
        load(Plan::Fail(call, ErrorKind::Interrupted));
        load(Plan::Short(call));
        load(Plan::Broken(call));
    }
}

#[test]
fn bytes_after_a_diagram_stay_in_the_stream() {
    let diagrams = golden();
    let all: Vec<u8> = diagrams.iter().flat_map(|(_, diagram)| any_bytes(diagram)).collect();
    let mut rest = &all[..];
    for (name, diagram) in &diagrams {
        assert_eq!(AnyDiagram::read_from(&mut rest).unwrap(), *diagram, "{name}");
    }
    assert!(rest.is_empty());
}

/// Makes all checksums right, as in a forged file.
fn repair(bytes: &mut [u8]) {
    if bytes.len() < HEADER {
        return;
    }
    let number = |bytes: &[u8], at: usize| {
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize
    };
    let put = |bytes: &mut [u8], at: usize, sum: u32| {
        if let Some(place) = bytes.get_mut(at..at.saturating_add(4)) {
            place.copy_from_slice(&sum.to_le_bytes());
        }
    };
    let [arities, levels, reach, pairs, edges, starts] =
        [40, 48, 56, 64, 72, 80].map(|at| number(bytes, at).min(1 << 20));
    let tables = (4 * arities + 12 * levels + 4 * reach).next_multiple_of(8);
    let start = (HEADER + tables).min(bytes.len());
    let sum = crc32fast::hash(&bytes[HEADER..start]);
    put(bytes, 88, sum);
    let arrays = 8 * pairs + 8 * edges + (4 * starts).next_multiple_of(8);
    let end = (start + arrays).min(bytes.len());
    let mut sums = Checksums::default();
    sums.update(&bytes[start..end]);
    for (index, sum) in sums.finish().into_iter().enumerate() {
        put(bytes, end + 4 * index, sum);
    }
    let section = end + 4 * (arrays.div_ceil(BLOCK) + 1);
    if bytes.len() >= section + 8 {
        let place = bytes.len() - 4;
        let sum = crc32fast::hash(&bytes[section..place]);
        put(bytes, place, sum);
    }
    let sum = crc32fast::hash(&bytes[..92]);
    put(bytes, 92, sum);
}

/// An input is a reduced diagram, and written again as the same bytes; or reading it is an error
/// with its position.
fn is_read_or_refused(bytes: &[u8]) {
    let from_stream = AnyDiagram::read_with_metadata(bytes);
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), bytes).unwrap();
    let from_file = AnyDiagram::load_with_metadata(file.path());
    // SAFETY: the file is this test's own.
    let mapped = unsafe { AnyDiagram::load_mapped(file.path()) };
    assert_eq!(mapped.ok(), from_file.as_ref().ok().map(|(diagram, _)| diagram.clone()));
    match (from_stream, from_file) {
        (Ok((diagram, metadata)), from_file) => {
            let mut written = Vec::new();
            diagram.write_with(&mut written, &metadata).unwrap();
            assert!(bytes.starts_with(&written));
            match from_file {
                Ok(other) => {
                    assert!(written.len() == bytes.len() && other == (diagram.clone(), metadata));
                }
                Err(error) => assert!(written.len() < bytes.len(), "{error}"),
            }
            match &diagram {
                AnyDiagram::Zdd(zdd) => is_as_built(zdd),
                AnyDiagram::Bdd(bdd) => is_as_built(bdd),
            }
        }
        (Err(from_stream), from_file) => {
            for error in [from_stream, from_file.unwrap_err()] {
                let FileError::Malformed { at: Position::Byte(at), .. } = error else {
                    panic!("{error:?}");
                };
                assert!(at <= bytes.len() as u64, "{error} of {}", bytes.len());
            }
        }
    }
}

fn is_as_built<R: DiagramRule>(diagram: &Diagram<R>) {
    // Lying about the number of variables is no lie where there are no nodes.
    if diagram.num_vars() < 1000 {
        assert!(Frontier::over(diagram).diagram::<R>().unwrap() == *diagram);
        assert_eq!(diagram.iter().take(10).count().min(1), usize::from(!diagram.is_empty()));
    }
}

/// A change to the bytes of a file.
#[derive(Clone, Debug)]
enum Change {
    Byte(prop::sample::Index, u8),
    Word(prop::sample::Index, u32),
    /// A number of the header.
    Count(usize, u64),
    Swap(prop::sample::Index, prop::sample::Index),
    Truncate(prop::sample::Index),
    Extend(Vec<u8>),
}

fn change() -> impl Strategy<Value = Change> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        (index(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        (index(), 0..12u32).prop_map(|(at, word)| Change::Word(at, word)),
        (0..8usize, 0..20u64).prop_map(|(at, count)| Change::Count(at, count)),
        (0..8usize, any::<u64>(), 0..64u32)
            .prop_map(|(at, count, shift)| Change::Count(at, count >> shift)),
        (index(), index()).prop_map(|(a, b)| Change::Swap(a, b)),
        index().prop_map(Change::Truncate),
        prop::collection::vec(any::<u8>(), 1..20).prop_map(Change::Extend),
    ]
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let words = bytes.len() / 4;
        match self {
            _ if words < 4 => {}
            Change::Byte(at, byte) => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            Change::Word(at, word) => {
                let at = 4 * at.index(words);
                bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
            }
            Change::Count(at, count) => {
                let at = 24 + 8 * at;
                if let Some(place) = bytes.get_mut(at..at + 8) {
                    place.copy_from_slice(&count.to_le_bytes());
                }
            }
            Change::Swap(a, b) => {
                let (a, b) = (4 * a.index(words), 4 * b.index(words));
                for byte in 0..4 {
                    bytes.swap(a + byte, b + byte);
                }
            }
            Change::Truncate(at) => bytes.truncate(at.index(bytes.len())),
            Change::Extend(more) => bytes.extend(more),
        }
    }
}

fn goes_around<R: DiagramRule>(diagram: &Diagram<R>) {
    let written = bytes(diagram);
    let read = Diagram::<R>::read_from(&written[..]).unwrap();
    assert!(read == *diagram && bytes(&read) == written);
    assert_eq!(read.count(), diagram.count());
    let folder = tempdir();
    let path = folder.path().join("a.tdd");
    diagram.save(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), written);
    for loaded in load_all_ways::<R>(&path) {
        let loaded = loaded.unwrap();
        assert!(loaded == *diagram && bytes(&loaded) == written);
        assert_eq!(loaded.count(), diagram.count());
        assert!(loaded.iter().take(20).eq(diagram.iter().take(20)));
    }
}

proptest! {
    #[test]
    fn written_diagrams_are_read_back(seed: u64, long: bool) {
        let spec = if long {
            RandomSpec::over((0..50).map(|v| 1 + (seed >> v) as usize % 3).collect(), seed)
        } else {
            RandomSpec::new(seed)
        };
        goes_around(&zdd(&spec).unwrap());
        goes_around(&bdd(&spec).unwrap());
    }

    #[test]
    fn changed_files_are_refused_or_read(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec(change(), 1..4),
        repaired: bool,
    ) {
        let mut names: Vec<_> = golden().iter().map(|(name, _)| *name).collect();
        names.push("with-metadata");
        let mut bytes = fs::read(golden_path(names[which.index(names.len())])).unwrap();
        for change in &changes {
            change.apply(&mut bytes);
        }
        if repaired {
            repair(&mut bytes);
        }
        is_read_or_refused(&bytes);
    }
}

/// Each byte of a small file, changed and made to look right.
#[test]
fn each_changed_byte_is_refused_or_read() {
    for name in ["zdd-mixed", "bdd-binary", "one-of-0", "with-metadata"] {
        let good = fs::read(golden_path(name)).unwrap();
        for at in 0..good.len() {
            for change in [1, 0x80] {
                let mut bytes = good.clone();
                bytes[at] ^= change;
                refused(&bytes);
                repair(&mut bytes);
                is_read_or_refused(&bytes);
            }
        }
    }
}
