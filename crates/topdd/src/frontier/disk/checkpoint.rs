//! A directory that a run can be resumed from after any failure.
//!
//! A checkpoint is a manifest and the files of blocks that it names. A new manifest is written
//! next to the old one and replaces it by a rename. The order of operations keeps one complete
//! checkpoint on disk at every moment, also if the power fails:
//!
//! 1. Sync the new files of blocks, the new manifest, and the directory with their names.
//! 2. Rename the manifest. From here on the old or the new one may be the one that a later run
//!    finds, so the files that either names are *live*.
//! 3. Sync the directory. Only then are the files that the new one does not name garbage.
//!
//! Garbage is removed with best effort, by this run or the next one that opens the directory.
//! The lock file is never removed: another process may wait for it, and would then own a file
//! that a third process cannot see.

use super::{Blob, Directory, Disk, Extent, blocks_number, blocks_path, damaged};
use crate::Map;
use crate::error::Limit;
use crate::file::{Access, File, Files};
use crate::frontier::sample::Sample;
use crate::spec::{Arities, Rule, Step};
use crate::{BuildError, Portable, RunProperty};
use std::collections::{BTreeMap, HashSet};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const MANIFEST: &str = "topdd-manifest";
const NEW_MANIFEST: &str = "topdd-manifest.new";
const LOCK: &str = "topdd-lock";
/// The start of a manifest; the last character is the version of the format.
const MAGIC: &[u8; 20] = b"topdd checkpoint\0\0\rg";

/// The content of a checkpoint.
pub(in super::super) struct Manifest {
    /// The number and the size in bytes of each file of blocks.
    pub(in super::super) files: Vec<(u64, u64)>,
    /// Some states of the finished levels, which show whether the spec is the same.
    pub(in super::super) sample: Sample,
    /// The sweep, encoded.
    pub(in super::super) sweep: Vec<u8>,
}

crate::portable!(Manifest { files, sample, sweep });

/// A checkpoint directory, locked by this run.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    pub(in super::super) disk: Disk,
    identity: RunIdentity,
    /// The numbers of the files that the manifest in the directory may name.
    live: HashSet<u64>,
    /// The time at which the last checkpoint was complete, and its duration.
    last: Instant,
    took: Duration,
    /// Zero makes a checkpoint due after every level.
    least_interval: Duration,
    /// Of a manifest that is durable, but has not replaced the one before it: the numbers of the files
    /// that it names, its size on disk with them, and when it was begun.
    prepared: Option<(HashSet<u64>, u64, Instant)>,
    /// Other checkpoints of the run, which are removed when a new manifest is committed here or this
    /// one is removed.
    pub(in super::super) replaces: Vec<Checkpoint>,
    /// Directories of other numbers of processes. When this checkpoint is removed, so are the
    /// manifests and blocks in these, unless they belong to another run.
    pub(in super::super) earlier_directories: Vec<PathBuf>,
    /// Held for its lock.
    _lock: File,
}

impl Checkpoint {
    /// The default minimum time between two checkpoints. Levels that take less time are cheaper
    /// to compute again than to save.
    pub(in super::super) const MIN_INTERVAL: Duration = Duration::from_millis(50);

    /// How long a run waits for the lock. A run that was killed holds it until the kernel has
    /// taken its memory back and written its files.
    const LOCK_WAIT: Duration = Duration::from_secs(3);

    /// Locks a directory, and returns the manifest whose index `choose` returns: 0 for the committed
    /// one, 1 for the one that had not replaced it when the last run ended, or none.
    ///
    /// # Errors
    ///
    /// Fails if the directory cannot be used, another run holds its lock, or its checkpoint is
    /// damaged or of another run. Calls `check` while it waits
    /// for the lock: a time limit ends the wait, and any other error is returned. A failure changes nothing in the directory except the lock file.
    pub(in super::super) fn open(
        dir: Directory<'_>,
        identity: RunIdentity,
        least_interval: Duration,
        choose: impl FnOnce(&[Option<Manifest>; 2]) -> Result<Option<usize>, BuildError>,
        check: impl Fn() -> Result<(), BuildError>,
    ) -> Result<(Self, Option<Manifest>), BuildError> {
        let Directory { files, path: dir } = dir;
        let path = dir.join(LOCK);
        let lock =
            files.open(&path, Access::Lock).map_err(BuildError::io("create the file", &path))?;
        let start = Instant::now();
        while !lock.try_lock().map_err(BuildError::io("lock", &path))? {
            let waited = match check() {
                // The other run is the reason why this one has not begun.
                Err(BuildError::LimitReached { limit: Limit::Time(_), .. }) => true,
                checked => checked.map(|()| start.elapsed() >= Self::LOCK_WAIT)?,
            };
            if waited {
                return Err(BuildError::DirectoryInUse { path: dir.to_owned() });
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let mut found = read_manifests(Directory { files, path: dir }, &identity)?;
        let choice = choose(&found)?;
        if choice == Some(1) {
            let (from, to) = (dir.join(NEW_MANIFEST), dir.join(MANIFEST));
            files.rename(&from, &to).map_err(BuildError::io("rename", &from))?;
        }
        let live = found[choice.unwrap_or(0)].iter().flat_map(|of| &of.files);
        let live = live.map(|&(number, _)| number).collect();
        let manifest = choice.and_then(|choice| found[choice].take());
        // A manifest that this run sees, or sees removed, may not be durable yet.
        files.sync_dir(dir).map_err(BuildError::io("sync", dir))?;
        let last_number = numbers(files, dir)?.into_iter().max();
        let disk = Disk::named(files, dir, last_number.map_or(0, |number| number + 1));
        disk.usage.set(manifest.as_ref().map_or(0, Manifest::bytes));
        let checkpoint = Checkpoint {
            disk,
            identity,
            live,
            last: Instant::now(),
            took: Duration::ZERO,
            least_interval,
            prepared: None,
            replaces: Vec::new(),
            earlier_directories: Vec::new(),
            _lock: lock,
        };
        checkpoint.remove_garbage();
        Ok((checkpoint, manifest))
    }

    /// Whether the next checkpoint is due: the time since the last one was complete must be at
    /// least the time that the last one took.
    pub(in super::super) fn is_due(&self) -> bool {
        let wait = self.least_interval.max(self.took);
        self.least_interval.is_zero() || self.last.elapsed() >= wait
    }

    /// Makes a new checkpoint durable, next to the old one. [`commit`](Checkpoint::commit) then
    /// replaces the old one. `begun` is when copying the levels began. `blobs` must contain every
    /// file that the encoded `sweep` refers to.
    pub(in super::super) fn prepare(
        &mut self,
        begun: Instant,
        sample: Sample,
        sweep: Vec<u8>,
        blobs: &[Arc<Blob>],
        check: impl Fn() -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let named = blobs.iter().filter_map(|blob| Some((blob.number?, &**blob)));
        let named: BTreeMap<u64, &Blob> = named.collect();
        for (number, blob) in &named {
            check()?;
            if !self.live.contains(number) {
                blob.sync()?;
            }
        }
        let files = named.iter().map(|(&number, blob)| (number, blob.bytes)).collect();
        let manifest = Manifest { files, sample, sweep };
        let mut body = Vec::new();
        self.identity.write(&mut body);
        manifest.write(&mut body);
        let bytes = [&MAGIC[..], &crc32fast::hash(&body).to_le_bytes(), &body].concat();
        let path = self.disk.dir.join(NEW_MANIFEST);
        let write = || {
            let file = self.disk.files.open(&path, Access::Overwrite)?;
            (&file).write_all(&bytes)?;
            file.sync()
        };
        write().map_err(BuildError::io("write", &path))?;
        self.sync_dir()?;
        let named: HashSet<u64> = named.into_keys().collect();
        self.live.extend(&named);
        self.prepared = Some((named, manifest.bytes(), begun));
        Ok(())
    }

    /// Replaces the old checkpoint by the prepared one.
    pub(in super::super) fn commit(&mut self) -> Result<(), BuildError> {
        let Some((named, bytes, begun)) = self.prepared.take() else { return Ok(()) };
        let path = self.disk.dir.join(NEW_MANIFEST);
        let renamed = self.disk.files.rename(&path, &self.disk.dir.join(MANIFEST));
        renamed.map_err(BuildError::io("rename", &path))?;
        self.sync_dir()?;
        self.live = named;
        self.remove_garbage();
        self.disk.usage.set(bytes);
        self.last = Instant::now();
        self.took = begun.elapsed();
        // This one is resumed even if one of them cannot be removed.
        self.replaces.drain(..).for_each(|other| drop(other.remove()));
        Ok(())
    }

    /// Removes the checkpoint of a run that is done. Returns the errors. If removing the manifest
    /// failed, the other files stay, so that the same run can resume it.
    pub(in super::super) fn remove(mut self) -> Vec<BuildError> {
        // First and durably: a manifest must not outlive the files that it names.
        let manifest = self.disk.dir.join(MANIFEST);
        let removed =
            self.disk.files.remove(&manifest).map_err(BuildError::io("remove", &manifest));
        if let Err(error) = removed.and_then(|()| self.sync_dir()) {
            return vec![error];
        }
        self.live.clear();
        let mut errors = self.remove_garbage();
        errors.extend(self.replaces.drain(..).flat_map(Checkpoint::remove));
        for dir in &self.earlier_directories {
            let (files, identity) = (&self.disk.files, self.identity.clone());
            let other = Directory { files, path: dir };
            let in_use = || Err(BuildError::DirectoryInUse { path: dir.clone() });
            let has_files = numbers(files, dir).is_ok_and(|numbers| !numbers.is_empty());
            let found = read_manifests(other, &identity).unwrap_or_default();
            if !has_files && found.iter().all(Option::is_none) {
                continue;
            }
            // It may be in use, or contain the checkpoint of another run.
            if let Ok((other, _)) =
                Self::open(other, identity, Duration::ZERO, |_| Ok(Some(0)), in_use)
            {
                errors.extend(other.remove());
            }
        }
        errors
    }

    /// Removes the files that no manifest names. Returns the errors of failed removals.
    fn remove_garbage(&self) -> Vec<BuildError> {
        // If the names cannot be read, no file is known to be garbage.
        let numbers = match numbers(&self.disk.files, &self.disk.dir) {
            Ok(numbers) => numbers,
            Err(error) => return vec![error],
        };
        let garbage = numbers.into_iter().filter(|number| !self.live.contains(number));
        let garbage = garbage.map(|number| blocks_path(&self.disk.dir, number));
        let remove = |path: PathBuf| {
            self.disk.files.remove(&path).map_err(BuildError::io("remove", &path)).err()
        };
        // A prepared manifest stays: other processes may have replaced theirs.
        let manifest = self.prepared.is_none().then(|| self.disk.dir.join(NEW_MANIFEST));
        garbage.chain(manifest).filter_map(remove).collect()
    }

    fn sync_dir(&self) -> Result<(), BuildError> {
        self.disk.files.sync_dir(&self.disk.dir).map_err(BuildError::io("sync", &self.disk.dir))
    }
}

impl Drop for Checkpoint {
    fn drop(&mut self) {
        self.remove_garbage();
    }
}

/// The checkpoint of a run other than a sweep, such as a search: a directory with blocks of bytes, from which the run can go on.
///
/// A new save replaces the previous one only when the new save is durable. So after the first save, the directory always has one
/// complete save, also if the power fails. A `RunCheckpoint`, and then its [`FinishedCheckpoint`], locks the directory until it is
/// dropped. [`Frontier::checkpoint`](crate::Frontier::checkpoint) is for sweeps.
///
/// ```
/// use topdd::frontier::RunCheckpoint;
///
/// # let dir = std::env::temp_dir().join(format!("topdd-doc-run-{}", std::process::id()));
/// # std::fs::create_dir_all(&dir).unwrap();
/// let (mut checkpoint, saved) = RunCheckpoint::open(&dir, "primes", "a list", || Ok(()))?;
/// assert!(saved.is_none());
/// checkpoint.save(|blocks| {
///     blocks.append(&[2, 3, 5])?;
///     blocks.append(&[7, 11])?;
///     Ok(())
/// })?;
/// drop(checkpoint);
///
/// let (checkpoint, saved) = RunCheckpoint::open(&dir, "primes", "a list", || Ok(()))?;
/// let saved = saved.unwrap();
/// assert_eq!((saved.len(), saved.read(0)?, saved.read(1)?), (2, vec![2, 3, 5], vec![7, 11]));
/// assert!(checkpoint.finish().remove().is_empty());
/// # std::fs::remove_dir_all(&dir).unwrap();
/// # Ok::<(), topdd::BuildError>(())
/// ```
#[derive(Debug)]
pub struct RunCheckpoint(Checkpoint);

impl RunCheckpoint {
    /// Locks a directory, and returns the blocks of the last save in it, if there is one. Its `key` and `payload` must be the same.
    /// `payload` describes the content of the blocks and their format: change it when the format changes. While the run waits for the
    /// lock, it calls `check`. Blocks are read on demand.
    ///
    /// # Errors
    ///
    /// [`BuildError::DirectoryInUse`] if another run holds the lock for three seconds, [`BuildError::OtherCheckpoint`] if the directory
    /// has the checkpoint of another run, [`BuildError::Damaged`] if the save cannot be read, [`BuildError::Io`] if the directory
    /// does not exist or cannot be used, and the errors of `check`. After an error, the saved blocks are still there.
    pub fn open(
        dir: impl AsRef<Path>,
        key: &str,
        payload: &str,
        check: impl Fn() -> Result<(), BuildError>,
    ) -> Result<(Self, Option<SavedBlocks>), BuildError> {
        let directory = Directory { files: &Files::default(), path: dir.as_ref() };
        Self::open_over(directory, key, payload, &Arities::new(std::iter::empty()), check)
    }

    /// Opens the checkpoint of a run over variables. A run that resumes compares the saved values on paths from the root with the spec.
    pub(crate) fn open_over(
        directory: Directory<'_>,
        key: &str,
        payload: &str,
        arities: &Arities,
        check: impl Fn() -> Result<(), BuildError>,
    ) -> Result<(Self, Option<SavedBlocks>), BuildError> {
        let identity = RunIdentity::new(key, payload, Rule::ZeroSuppressed, arities, Step::Zero);
        let choose = |found: &[Option<Manifest>; 2]| Ok(found[0].is_some().then_some(0));
        let interval = Checkpoint::MIN_INTERVAL;
        let (checkpoint, manifest) =
            Checkpoint::open(directory, identity, interval, choose, check)?;
        let saved = manifest.map(|manifest| SavedBlocks::new(&manifest, &checkpoint.disk));
        Ok((RunCheckpoint(checkpoint), saved.transpose()?))
    }

    /// Returns whether the next save is due: as much time has passed since the last save as it took, and at least 50 milliseconds. A
    /// run that saves only when a save is due spends at most half of its time on saves.
    pub fn is_due(&self) -> bool {
        self.0.is_due()
    }

    /// Replaces the saved blocks by the blocks that `write` appends. Cost: one write and sync of the new blocks; until `save` returns,
    /// the old and the new blocks are both on the disk.
    ///
    /// # Errors
    ///
    /// [`BuildError::Io`], and the errors of `write`. The directory then has the previous blocks; if the last sync failed, perhaps the
    /// new ones.
    pub fn save(
        &mut self,
        write: impl FnOnce(&mut BlockWriter) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let begun = Instant::now();
        let blob = self.0.disk.create()?;
        let save = || {
            let mut blocks = BlockWriter { blob, extents: Vec::new() };
            write(&mut blocks)?;
            let BlockWriter { blob, extents } = blocks;
            let mut written = Vec::new();
            extents.write(&mut written);
            self.0.prepare(begun, Sample::default(), written, &[Arc::new(blob)], || Ok(()))?;
            self.0.commit()
        };
        let saved = save();
        if saved.is_err() {
            // The blocks that were written may fill the disk.
            self.0.remove_garbage();
        }
        saved
    }

    /// The checkpoint of the run that is done. Its files stay until it is removed.
    pub fn finish(self) -> FinishedCheckpoint {
        FinishedCheckpoint(self.0)
    }
}

/// The blocks of a [`RunCheckpoint`] while they are written.
#[derive(Debug)]
pub struct BlockWriter {
    blob: Blob,
    extents: Vec<Extent>,
}

impl BlockWriter {
    /// Appends a block, with one call of the system: blocks of a few megabytes are best. Returns the index of the block.
    ///
    /// # Errors
    ///
    /// [`BuildError::Io`].
    pub fn append(&mut self, block: &[u8]) -> Result<usize, BuildError> {
        self.extents.push(self.blob.append(block)?);
        Ok(self.extents.len() - 1)
    }
}

/// The blocks that a run has saved in a [`RunCheckpoint`], in their order.
#[derive(Debug)]
pub struct SavedBlocks {
    dir: PathBuf,
    blob: Arc<Blob>,
    extents: Vec<Extent>,
}

impl SavedBlocks {
    fn new(manifest: &Manifest, disk: &Disk) -> Result<Self, BuildError> {
        let blob = manifest.blobs(disk)?.into_values().next();
        let extents: Option<Vec<Extent>> = Portable::read(&mut &manifest.sweep[..]);
        let (Some(blob), Some(extents)) = (blob, extents) else {
            return Err(unreadable(&disk.dir));
        };
        Ok(SavedBlocks { dir: disk.dir.clone(), blob, extents })
    }

    /// The number of blocks.
    #[expect(
        clippy::len_without_is_empty,
        reason = "a run that saves knows whether it saves blocks"
    )]
    pub fn len(&self) -> usize {
        self.extents.len()
    }

    /// Reads a block into memory.
    ///
    /// # Errors
    ///
    /// [`BuildError::Io`], or [`BuildError::Damaged`] if the block is damaged or there is none of this index.
    pub fn read(&self, index: usize) -> Result<Vec<u8>, BuildError> {
        let Some(&extent) = self.extents.get(index) else { return Err(self.damaged()) };
        let mut block = Vec::new();
        self.blob.read(extent, &mut block)?;
        Ok(block)
    }

    /// The error for a block whose content cannot be decoded.
    pub fn damaged(&self) -> BuildError {
        unreadable(&self.dir)
    }
}

/// The error for saved blocks that cannot be decoded.
fn unreadable(dir: &Path) -> BuildError {
    damaged(dir, "the saved blocks cannot be decoded")
}

/// Reads the committed and the prepared manifest of a directory, where they exist.
///
/// # Errors
///
/// Fails if one of them cannot be read or is of another run, or if the committed one is damaged.
pub(in super::super) fn read_manifests(
    Directory { files, path: dir }: Directory<'_>,
    identity: &RunIdentity,
) -> Result<[Option<Manifest>; 2], BuildError> {
    let committed = read_manifest(files, &dir.join(MANIFEST), identity)?;
    let prepared = match read_manifest(files, &dir.join(NEW_MANIFEST), identity) {
        // It was never complete.
        Err(BuildError::Damaged { .. }) => None,
        // The other processes of its run may have committed theirs. Without this one, that run would
        // have no checkpoint that all its processes can resume.
        read => read?,
    };
    Ok([committed, prepared])
}

/// Reads the manifest of a directory, if there is one.
fn read_manifest(
    files: &Files,
    path: &Path,
    identity: &RunIdentity,
) -> Result<Option<Manifest>, BuildError> {
    let damaged = |message| damaged(path, message);
    let file = match files.open(path, Access::Read) {
        // Only this means that there is no checkpoint.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(BuildError::io("read", path))?,
    };
    let mut bytes = Vec::new();
    (&file).read_to_end(&mut bytes).map_err(BuildError::io("read", path))?;
    let Some(mut body) = bytes.strip_prefix(MAGIC) else {
        return Err(damaged("it is not a checkpoint of this version of topdd"));
    };
    let checksum = u32::read(&mut body);
    if checksum != Some(crc32fast::hash(body)) {
        return Err(damaged("it does not match its checksum"));
    }
    let found =
        RunIdentity::read(&mut body).ok_or_else(|| damaged("its identity is incomplete"))?;
    if let Some(IdentityDifference { what, found, expected }) = found.difference(identity) {
        let path = path.parent().unwrap_or(path).to_owned();
        return Err(BuildError::OtherCheckpoint { path, what, found, expected });
    }
    let manifest = Manifest::read(&mut body).ok_or_else(|| damaged("it is incomplete"))?;
    Ok(Some(manifest))
}

/// The numbers of the files of blocks in a directory.
fn numbers(files: &Files, dir: &Path) -> Result<Vec<u64>, BuildError> {
    let names = files.list(dir).map_err(BuildError::io("list", dir))?;
    Ok(names.iter().filter_map(|name| blocks_number(name.to_str()?)).collect())
}

impl Manifest {
    /// Opens the files that it names, in its directory.
    pub(in super::super) fn blobs(&self, disk: &Disk) -> Result<Map<u64, Arc<Blob>>, BuildError> {
        let open = |&(number, bytes): &(u64, u64)| {
            Ok((number, Arc::new(Blob::open(disk, number, bytes)?)))
        };
        self.files.iter().map(open).collect()
    }

    /// The bytes in the files that it names.
    fn bytes(&self) -> u64 {
        self.files.iter().map(|&(_, bytes)| bytes).sum()
    }
}

/// The facts that a run and a checkpoint must agree on for the run to resume it.
///
/// The caller's key names the problem. The other facts cost nothing to compare, and detect some cases
/// of one key used for two problems; the [sample](crate::frontier::sample) of states detects most others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct RunIdentity {
    /// Names and values. The last ones are stretches of variables of equal arity: if the number of
    /// variables agrees, the lists of two runs differ before the shorter one ends.
    facts: Vec<(String, String)>,
}

crate::portable!(RunIdentity { facts });

impl RunIdentity {
    /// `root` is the root step with the root state encoded.
    pub(in super::super) fn new(
        key: &str,
        payload: &str,
        rule: Rule,
        arities: &Arities,
        root: Step<Vec<u8>>,
    ) -> Self {
        let root = match root {
            Step::Zero => "0-terminal".to_owned(),
            Step::One => "1-terminal".to_owned(),
            Step::To(to, state) => {
                let state: Vec<String> = state.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{} at variable {to}", state.concat())
            }
        };
        let num_vars = arities.num_vars();
        let mut facts = vec![
            (RunProperty::Payload, payload.to_owned()),
            (RunProperty::Key, key.to_owned()),
            (RunProperty::Rule, rule.to_string()),
            (RunProperty::NumVars, num_vars.to_string()),
            (RunProperty::Root, root),
        ];
        // One fact for each stretch of equal arities.
        let all: Vec<usize> = (0..num_vars).map(|variable| arities.get(variable)).collect();
        let mut end = 0;
        for equal in all.chunk_by(PartialEq::eq) {
            end += equal.len();
            facts.push((RunProperty::Arities, format!("{} before variable {end}", equal[0])));
        }
        let facts = facts.into_iter().map(|(what, value)| (what.name().to_owned(), value));
        RunIdentity { facts: facts.collect() }
    }

    /// The first fact in which the checkpoint `self` differs from the run `run`.
    pub(in super::super) fn difference(&self, run: &RunIdentity) -> Option<IdentityDifference> {
        let mut pairs = self.facts.iter().zip(&run.facts);
        let (found, expected) = pairs.find(|(found, expected)| found != expected)?;
        // Other names are not written.
        let what = RunProperty::named(&found.0).unwrap_or(RunProperty::Key);
        Some(IdentityDifference { what, found: found.1.clone(), expected: expected.1.clone() })
    }
}

/// A fact in which a checkpoint differs from a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct IdentityDifference {
    pub(in super::super) what: RunProperty,
    /// The value in the checkpoint.
    pub(in super::super) found: String,
    /// The value in the run.
    pub(in super::super) expected: String,
}

/// The checkpoint of a run that is done.
///
/// While this exists, no other run can use its directory. Unless it is
/// [removed](FinishedCheckpoint::remove), the same call resumes it and returns the result again. See
/// the example of [`Frontier::keep_checkpoint`](crate::Frontier::keep_checkpoint).
#[derive(Debug)]
#[must_use = "the checkpoint stays until it is removed"]
pub struct FinishedCheckpoint(pub(in super::super) Checkpoint);

impl FinishedCheckpoint {
    /// Removes the files of the checkpoint. Returns the errors; an empty list means success.
    ///
    /// If the manifest could not be removed, the next run with the same key resumes it.
    /// Otherwise the next run in the directory removes the remaining files.
    #[must_use = "the files may not have been removed"]
    pub fn remove(self) -> Vec<BuildError> {
        self.0.remove()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fact_tells_two_runs_apart() {
        let arities = |table: &[u32]| Arities::new(table.iter().copied());
        let identity = |key, payload, rule, table: &[u32], root| {
            RunIdentity::new(key, payload, rule, &arities(table), root)
        };
        let root = || Step::To(0, vec![7]);
        let zdd = Rule::ZeroSuppressed;
        let run = identity("key", "counts", zdd, &[2, 2, 3], root());
        assert_eq!(run.difference(&run), None);
        for (other, what, found) in [
            (identity("other", "counts", zdd, &[2, 2, 3], root()), RunProperty::Key, "other"),
            (identity("key", "edges", zdd, &[2, 2, 3], root()), RunProperty::Payload, "edges"),
            (
                identity("key", "counts", Rule::AnyValue, &[2, 2, 3], root()),
                RunProperty::Rule,
                "any value",
            ),
            (identity("key", "counts", zdd, &[2, 2], root()), RunProperty::NumVars, "2"),
            (
                identity("key", "counts", zdd, &[2, 4, 3], root()),
                RunProperty::Arities,
                "2 before variable 1",
            ),
            (
                identity("key", "counts", zdd, &[2, 2, 2], root()),
                RunProperty::Arities,
                "2 before variable 3",
            ),
            (
                identity("key", "counts", zdd, &[2, 2, 3], Step::One),
                RunProperty::Root,
                "1-terminal",
            ),
            (
                identity("key", "counts", zdd, &[2, 2, 3], Step::To(1, vec![8])),
                RunProperty::Root,
                "08 at variable 1",
            ),
        ] {
            let difference = other.difference(&run).unwrap();
            assert_eq!((difference.what, &difference.found[..]), (what, found));
            assert_ne!(difference.found, difference.expected);
            assert_eq!(run.difference(&other).unwrap().expected, found);
        }
    }
}
