//! A file system for tests, on a directory of the real one: it fails a chosen call, or loses
//! power at a chosen call.

use super::machine::Machine;
use super::{Access, FileSystem, Files, OpenFile};
use memmap2::Mmap;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The planned fault, and the index of the call (from 0) at which it happens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Plan {
    Nothing,
    /// The call fails once, without effect. A sync that fails loses the writes since the last.
    Fail(usize, ErrorKind),
    /// The call fails once, but has its effect.
    FailAfter(usize),
    /// The call, if it reads or writes, reads or writes only half of the bytes.
    Short(usize),
    /// The call and all that follow fail.
    Broken(usize),
    /// As [`Broken`](Plan::Broken). Afterwards [`Faulty::lose_power`] may be called.
    PowerLoss(usize),
}

/// The unsynced changes that a power loss discards.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Loss {
    All,
    Nothing,
    /// All after a pseudo-random point, chosen separately for the names and for each file.
    Later(u64),
    /// A pseudo-random subset. A write that is kept may be truncated.
    Some(u64),
}

/// A directory for files of faulty file systems: in memory where the system has such a place. Faults
/// and power losses are simulated, so a disk would only make the tests slower.
pub(crate) fn tempdir() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// A file system with planned faults. Clones share their state.
#[derive(Clone, Debug)]
pub(crate) struct Faulty(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    plan: Plan,
    calls: usize,
    kinds: BTreeSet<&'static str>,
    dir: PathBuf,
    names: BTreeMap<PathBuf, u64>,
    durable_names: BTreeMap<PathBuf, u64>,
    /// Changes of names since the directory was synced.
    renames: Vec<NameChange>,
    contents: HashMap<u64, Content>,
    next: u64,
}

#[derive(Clone, Debug)]
enum NameChange {
    Insert(PathBuf, u64),
    Rename(PathBuf, PathBuf, u64),
    Remove(PathBuf),
}

impl NameChange {
    fn apply(&self, names: &mut BTreeMap<PathBuf, u64>) {
        match self {
            NameChange::Insert(path, file) => {
                names.insert(path.clone(), *file);
            }
            NameChange::Rename(from, to, file) => {
                if names.get(from) == Some(file) {
                    names.remove(from);
                }
                names.insert(to.clone(), *file);
            }
            NameChange::Remove(path) => {
                names.remove(path);
            }
        }
    }
}

/// The content of a file: the durable part, and the writes since, each with its offset.
#[derive(Debug, Default)]
struct Content {
    durable: Vec<u8>,
    writes: Vec<(usize, Vec<u8>)>,
}

impl Content {
    fn write((offset, bytes): &(usize, Vec<u8>), to: &mut Vec<u8>) {
        let end = offset + bytes.len();
        to.resize(to.len().max(end), 0);
        to[*offset..end].copy_from_slice(bytes);
    }
}

/// The effect of a call.
#[derive(PartialEq, Eq)]
enum Call {
    Whole,
    Half,
    /// The full effect, and then a failure.
    Failing,
}

impl Call {
    /// The result of a call that has had its effect.
    fn result(self) -> io::Result<()> {
        if self == Call::Failing {
            Err(io::Error::other("failed after its effect"))
        } else {
            Ok(())
        }
    }
}

impl Plan {
    /// The faults that a save may meet in a call, each with the loss if it is one of power.
    pub(crate) fn of_save(call: usize) -> impl Iterator<Item = (Self, Option<Loss>)> {
        let kinds = [ErrorKind::Other, ErrorKind::StorageFull];
        let failures = kinds.into_iter().map(move |kind| (Plan::Fail(call, kind), None));
        let others = [Plan::FailAfter(call), Plan::Short(call), Plan::Broken(call)];
        let losses = [Loss::All, Loss::Nothing, Loss::Later(1), Loss::Some(2)];
        let losses = losses.into_iter().map(move |loss| (Plan::PowerLoss(call), Some(loss)));
        failures.chain(others.map(|plan| (plan, None))).chain(losses)
    }
}

impl Faulty {
    /// Wraps `dir`, which must exist. Its present content is durable. A power loss affects no
    /// other directory.
    pub(crate) fn new(dir: &Path, plan: Plan) -> Self {
        let mut state = State {
            plan,
            calls: 0,
            kinds: BTreeSet::new(),
            dir: dir.to_owned(),
            names: BTreeMap::new(),
            durable_names: BTreeMap::new(),
            renames: Vec::new(),
            contents: HashMap::new(),
            next: 0,
        };
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let content = Content { durable: fs::read(&path).unwrap(), writes: Vec::new() };
            let file = state.insert(&path, content);
            state.durable_names.insert(path, file);
        }
        state.renames.clear();
        Faulty(Arc::new(Mutex::new(state)))
    }

    pub(crate) fn files(&self) -> Files {
        Files(Arc::new(self.clone()))
    }

    /// Restarts the count of calls, with another plan. Unsynced changes stay unsynced.
    pub(crate) fn again(&self, plan: Plan) {
        let mut state = self.lock();
        (state.plan, state.calls) = (plan, 0);
    }

    /// The number of calls so far.
    pub(crate) fn calls(&self) -> usize {
        self.lock().calls
    }

    /// The kinds of calls so far.
    pub(crate) fn kinds(&self) -> BTreeSet<&'static str> {
        self.lock().kinds.clone()
    }

    /// Replaces the content of the directory by a possible result of a power loss.
    pub(crate) fn lose_power(&self, loss: Loss) {
        let state = self.lock();
        let mut random = Random(match loss {
            Loss::Later(seed) | Loss::Some(seed) => seed,
            Loss::All | Loss::Nothing => 0,
        });
        let mut names = state.durable_names.clone();
        for change in random.kept(loss, &state.renames) {
            change.apply(&mut names);
        }
        for entry in fs::read_dir(&state.dir).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        for (path, file) in names {
            let Content { durable, writes } = &state.contents[&file];
            let mut content = durable.clone();
            for (offset, bytes) in random.kept(loss, writes) {
                let mut bytes = bytes.clone();
                if matches!(loss, Loss::Some(_)) && random.below(4) == 0 {
                    bytes.truncate(random.below(bytes.len() as u64 + 1) as usize);
                }
                Content::write(&(*offset, bytes), &mut content);
            }
            fs::write(path, content).unwrap();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call of a kind, and fails it if that is planned. If the power fails during this
    /// call, runs `lost` to record its effect, which [`lose_power`](Faulty::lose_power) keeps or
    /// discards.
    fn call(&self, kind: &'static str, lost: impl FnOnce(&mut State)) -> io::Result<Call> {
        let mut state = self.lock();
        let this = state.calls;
        state.calls += 1;
        state.kinds.insert(kind);
        let broken = || Err(io::Error::other("the disk is gone"));
        match state.plan {
            Plan::Fail(at, kind) if at == this => Err(kind.into()),
            Plan::Short(at) if at == this => Ok(Call::Half),
            Plan::FailAfter(at) if at == this => Ok(Call::Failing),
            Plan::Broken(at) if this >= at => broken(),
            Plan::PowerLoss(at) if this >= at => {
                if this == at {
                    lost(&mut state);
                }
                broken()
            }
            _ => Ok(Call::Whole),
        }
    }

    fn open_file(&self, file: Option<u64>, inner: Box<dyn OpenFile>) -> Box<dyn OpenFile> {
        Box::new(FaultyFile { system: self.clone(), file, inner, position: Mutex::new(0) })
    }
}

impl State {
    fn insert(&mut self, path: &Path, content: Content) -> u64 {
        let file = self.next;
        self.next += 1;
        self.contents.insert(file, content);
        self.change(NameChange::Insert(path.to_owned(), file));
        file
    }

    fn change(&mut self, change: NameChange) {
        change.apply(&mut self.names);
        self.renames.push(change);
    }
}

impl FileSystem for Faulty {
    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn OpenFile>> {
        self.call("open", |_| ())?;
        let inner = Machine.open(path, access)?;
        let mut state = self.lock();
        let known = state.names.get(path).copied();
        let file = match (known, access) {
            // Truncating a file is modelled as replacing it by a new one.
            (Some(file), Access::Read | Access::Write | Access::Lock) => file,
            _ => state.insert(path, Content::default()),
        };
        drop(state);
        Ok(self.open_file(Some(file), inner))
    }

    fn create_unnamed(&self, dir: &Path) -> io::Result<Box<dyn OpenFile>> {
        self.call("create_unnamed", |_| ())?;
        Ok(self.open_file(None, Machine.create_unnamed(dir)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let change = |state: &mut State| {
            if let Some(&file) = state.names.get(from) {
                state.change(NameChange::Rename(from.to_owned(), to.to_owned(), file));
            }
        };
        let call = self.call("rename", change)?;
        Machine.rename(from, to)?;
        change(&mut self.lock());
        call.result()
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let change = |state: &mut State| state.change(NameChange::Remove(path.to_owned()));
        let call = self.call("remove", change)?;
        Machine.remove(path)?;
        change(&mut self.lock());
        call.result()
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<OsString>> {
        self.call("list", |_| ())?;
        Machine.list(dir)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        let call = self.call("sync_dir", |_| ())?;
        let mut state = self.lock();
        assert_eq!(dir, state.dir);
        state.durable_names = state.names.clone();
        state.renames.clear();
        call.result()
    }
}

#[derive(Debug)]
struct FaultyFile {
    system: Faulty,
    /// `None` if it has no name.
    file: Option<u64>,
    inner: Box<dyn OpenFile>,
    position: Mutex<usize>,
}

impl FaultyFile {
    /// Counts a call that transfers `length` bytes. Returns how many it may transfer.
    fn transfer(
        &self,
        kind: &'static str,
        length: usize,
        lost: impl FnOnce(&mut State),
    ) -> io::Result<usize> {
        Ok(match self.system.call(kind, lost)? {
            Call::Whole | Call::Failing => length,
            Call::Half => length.div_ceil(2),
        })
    }
}

impl OpenFile for FaultyFile {
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.transfer("read", buffer.len(), |_| ())?;
        self.inner.read(&mut buffer[..length])
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let length = self.transfer("read_at", buffer.len(), |_| ())?;
        self.inner.read_at(&mut buffer[..length], offset)
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut position = self.position.lock().unwrap_or_else(PoisonError::into_inner);
        let write = |state: &mut State, bytes: &[u8]| {
            if let Some(content) = self.file.and_then(|file| state.contents.get_mut(&file)) {
                content.writes.push((*position, bytes.to_owned()));
            }
        };
        let length = self.transfer("write", bytes.len(), |state| write(state, bytes))?;
        let written = self.inner.write(&bytes[..length])?;
        write(&mut self.system.lock(), &bytes[..written]);
        *position += written;
        Ok(written)
    }

    fn sync(&self) -> io::Result<()> {
        let call = self.system.call("sync", |_| ());
        let mut state = self.system.lock();
        if let Some(content) = self.file.and_then(|file| state.contents.get_mut(&file)) {
            for write in std::mem::take(&mut content.writes) {
                // After a failed sync, the system treats lost writes as written.
                if call.is_ok() {
                    Content::write(&write, &mut content.durable);
                }
            }
        }
        call.and_then(Call::result)
    }

    fn len(&self) -> io::Result<Option<u64>> {
        self.system.call("len", |_| ())?;
        self.inner.len()
    }

    fn set_permissions(&self, permissions: Permissions) -> io::Result<()> {
        self.system.call("set_permissions", |_| ())?;
        self.inner.set_permissions(permissions)
    }

    fn try_lock(&self) -> io::Result<bool> {
        self.system.call("try_lock", |_| ())?;
        self.inner.try_lock()
    }

    #[allow(unsafe_code)]
    unsafe fn map(&self) -> io::Result<Mmap> {
        self.system.call("map", |_| ())?;
        // SAFETY: the contract is the same, so the caller guarantees it.
        unsafe { self.inner.map() }
    }
}

/// Splitmix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    /// The changes that a power loss leaves.
    fn kept<'c, T>(&mut self, loss: Loss, changes: &'c [T]) -> Vec<&'c T> {
        match loss {
            Loss::All => Vec::new(),
            Loss::Nothing => changes.iter().collect(),
            Loss::Later(_) => {
                let count = self.below(changes.len() as u64 + 1) as usize;
                changes[..count].iter().collect()
            }
            Loss::Some(_) => changes.iter().filter(|_| self.below(2) == 0).collect(),
        }
    }
}
