//! The memory that a run may take: of the machine, of its container, and of the process.
//!
//! Under Linux, all of it is read from files in `/proc` and in the mounted control groups.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use crate::heap;

/// The number of cores that the process may use. It is read once: on Linux that opens three files,
/// which takes a sixth of the time of a small run.
pub(crate) static CORES: LazyLock<usize> =
    LazyLock::new(|| available_parallelism().map_or(1, NonZero::get));

/// A run takes at most this part of the free memory. The rest is for what its limit does not count: a
/// quarter of the limit and [`UNCOUNTED`] (see [`Frontier::memory_limit`](crate::Frontier::memory_limit)).
const SHARE: (u64, u64) = (7, 10);
/// Bytes beyond a quarter of a limit that a run may take as well.
const UNCOUNTED: u64 = 16 << 20;
/// The least limit, however little is free.
const MIN_BYTES: u64 = 1 << 20;
/// A limit of a control group from here on means that there is none. Without a limit, version 1 states the
/// largest multiple of a page.
const NO_LIMIT: u64 = 1 << 60;
/// Bytes of the stack of a thread. `ulimit -v` and `ulimit -d` count all of it when the thread starts.
const STACK: u64 = 2 << 20;
/// Threads of a process beside the threads of its runs: for signals, progress, limits and messages.
const OTHER_THREADS: u64 = 6;

/// Returns a memory limit with which a run fits into the memory that is free now, in bytes.
///
/// This is 70 percent of the least amount of this list:
///
/// | amount | from |
/// | --- | --- |
/// | free memory of the machine | `MemAvailable` in `/proc/meminfo` |
/// | what each control group of the process, such as a container, leaves of its limit | cgroup version 1 or 2 |
/// | the address space that is left under `ulimit -v` | `/proc/self/limits` |
/// | the data that is left under `ulimit -d` | `/proc/self/limits` |
///
/// Cached files that were not used lately count as free in a control group. If less than about 135 MB
/// are free, the limit is a smaller part: a run may exceed [its limit](crate::Frontier::memory_limit) by
/// a quarter and 16 MB, and this memory must be free, too. The limit is at least 1 MiB.
///
/// Under `ulimit -v`, threads that start after the call share one heap of glibc's allocator, because a heap of
/// a thread reserves 64 MiB of address space, mostly without using it. So call it before threads start.
///
/// The result is at most 10 milliseconds old. Reading the files takes less than a millisecond. Concurrent runs should
/// divide the amount. If the free memory is unknown, as on systems other than Linux, the result is `usize::MAX`, which
/// is no limit.
///
/// ```
/// use topdd::{Frontier, constraint};
///
/// let spec = constraint::at_most(30, 15);
/// let mut frontier = Frontier::over(&spec).memory_limit(topdd::available_memory());
/// assert_eq!(frontier.count()?, 614429672u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
#[must_use]
pub fn available_memory() -> usize {
    // Reading the files takes longer than a small call. In the meantime a process can fill little of the memory.
    static LAST: Mutex<Option<(Instant, usize)>> = Mutex::new(None);
    const VALID: Duration = Duration::from_millis(10);
    // A child keeps this lock if another thread held it during the fork, so nothing waits for it.
    let Ok(mut last) = LAST.try_lock() else { return read_available_memory() };
    match *last {
        Some((at, bytes)) if at.elapsed() < VALID => bytes,
        _ => {
            let bytes = read_available_memory();
            *last = Some((Instant::now(), bytes));
            bytes
        }
    }
}

fn read_available_memory() -> usize {
    let root = Path::new("/");
    if ProcessLimit::AddressSpace.limit(&limits_of_process(&root.join("proc"))).is_some() {
        heap::share_between_threads();
    }
    free_below(root, *CORES as u64).map_or(usize::MAX, limit_within)
}

/// Returns a number of threads with which a run fits into the machine: one for each core, or fewer if
/// `ulimit -v` or `ulimit -d` leaves too little room for their stacks. Both limits count a whole stack when its thread starts.
///
/// [`available_memory`] leaves room for the stacks of this many threads of a run, and of as many threads of queries.
/// Under these limits, a run with [threads of its own](crate::Frontier::threads) starts no more threads than this. If the
/// system started a thread and then refused its memory, the standard library or the C library would end the process.
///
/// Takes less than a millisecond.
///
/// ```
/// use topdd::{Frontier, constraint};
///
/// let spec = constraint::at_most(30, 15);
/// let mut frontier = Frontier::over(&spec).threads(topdd::available_threads());
/// assert_eq!(frontier.count()?, 614429672u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
#[must_use]
pub fn available_threads() -> usize {
    threads_with_room(None).unwrap_or(*CORES)
}

/// The most threads that have room for stacks of so many bytes, at most one for each core; `None` without a limit.
pub(crate) fn threads_with_room(stack_bytes: Option<usize>) -> Option<usize> {
    let stack = stack_bytes.map_or(STACK, |bytes| bytes as u64);
    threads_below(Path::new("/"), *CORES as u64, stack)
}

/// Like [`threads_with_room`], by the files of a system with this root directory and so many cores.
fn threads_below(root: &Path, cores: u64, stack: u64) -> Option<usize> {
    let left = left_of_process(&root.join("proc")).min()?;
    let for_stacks = (left / 2).saturating_sub(OTHER_THREADS * STACK);
    let threads = (for_stacks / (2 * stack)).clamp(1, cores);
    usize::try_from(threads).ok()
}

/// Of the memory that a process may still take, the part for the stacks of threads that are still to start: at most
/// half. A run has `threads` of them, and the queries of its diagram as many.
fn stacks(left: u64, threads: u64) -> u64 {
    ((2 * threads + OTHER_THREADS) * STACK).min(left / 2)
}

/// The memory limit of a run that fits into so many free bytes.
fn limit_within(free: u64) -> usize {
    let share = free / SHARE.1 * SHARE.0;
    let with_slack = free.saturating_sub(UNCOUNTED) / 5 * 4;
    usize::try_from(share.min(with_slack).max(MIN_BYTES)).unwrap_or(usize::MAX)
}

/// The free memory in bytes, by the files of a system with this root directory. `None` if they state
/// nothing.
fn free_below(root: &Path, threads: u64) -> Option<u64> {
    let proc = root.join("proc");
    let of_process = left_of_process(&proc).map(|left| left - stacks(left, threads));
    let free = [machine(&proc), control_groups(root, &proc)];
    free.into_iter().flatten().chain(of_process).min()
}

/// The free memory of the machine.
fn machine(proc: &Path) -> Option<u64> {
    kibibytes(&read(&proc.join("meminfo"))?, "MemAvailable:")
}

/// A limit of the process, as `ulimit` sets it.
#[derive(Clone, Copy, Debug)]
enum ProcessLimit {
    /// `ulimit -v`: memory that is reserved or used.
    AddressSpace,
    /// `ulimit -d`: memory that may be written to.
    Data,
}

/// The file that states the limits of the process.
fn limits_of_process(proc: &Path) -> String {
    read(&proc.join("self/limits")).unwrap_or_default()
}

/// What the process may still take, under each limit that it has.
fn left_of_process(proc: &Path) -> impl Iterator<Item = u64> {
    let limits = limits_of_process(proc);
    let both = [ProcessLimit::AddressSpace, ProcessLimit::Data];
    both.into_iter().filter_map(move |limit| limit.left(proc, &limits))
}

impl ProcessLimit {
    /// The limit in bytes, in the file of limits. `None` if there is none.
    fn limit(self, limits: &str) -> Option<u64> {
        let name = match self {
            ProcessLimit::AddressSpace => "Max address space",
            ProcessLimit::Data => "Max data size",
        };
        let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
        // `unlimited` is no number.
        line.split_ascii_whitespace().next()?.parse().ok()
    }

    /// What the process may still take.
    fn left(self, proc: &Path, limits: &str) -> Option<u64> {
        let limit = self.limit(limits)?;
        let name = match self {
            ProcessLimit::AddressSpace => "VmSize:",
            ProcessLimit::Data => "VmData:",
        };
        let used = kibibytes(&read(&proc.join("self/status"))?, name).unwrap_or(0);
        Some(limit.saturating_sub(used))
    }
}

/// What the control groups of the process leave of their limits.
fn control_groups(root: &Path, proc: &Path) -> Option<u64> {
    let groups = read(&proc.join("self/cgroup"))?;
    let mounts = read(&proc.join("self/mountinfo"))?;
    let mounts = mounts.lines().filter_map(Mount::parse);
    let of_mount = |mount: Mount| {
        let group = groups.lines().find_map(|line| mount.version.group_in(line))?;
        mount.directories(root, group).iter().filter_map(|dir| mount.version.left_in(dir)).min()
    };
    mounts.filter_map(of_mount).min()
}

/// The version of a hierarchy of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

impl Version {
    /// The group that a line of `/proc/self/cgroup` states for memory.
    fn group_in(self, line: &str) -> Option<&str> {
        let mut fields = line.splitn(3, ':');
        let (id, controllers, group) = (fields.next()?, fields.next()?, fields.next()?);
        let is_this = match self {
            Version::One => controllers.split(',').any(|controller| controller == "memory"),
            Version::Two => id == "0" && controllers.is_empty(),
        };
        is_this.then_some(group)
    }

    /// What the group of a directory leaves of its limit; `None` without a limit.
    fn left_in(self, dir: &Path) -> Option<u64> {
        let (limits, usage, reclaimable): (&[&str], _, _) = match self {
            Version::One => {
                (&["memory.limit_in_bytes"], "memory.usage_in_bytes", "total_inactive_file ")
            }
            Version::Two => (&["memory.max", "memory.high"], "memory.current", "inactive_file "),
        };
        let number = |file: &&str| read(&dir.join(file))?.trim().parse().ok();
        let stat = read(&dir.join("memory.stat")).unwrap_or_default();
        let in_stat =
            |name| stat.lines().find_map(|line| line.strip_prefix(name)?.parse::<u64>().ok());
        // Version 1 states the least limit of the groups above as well, which may not be mounted.
        let of_hierarchy = match self {
            Version::One => in_stat("hierarchical_memory_limit "),
            Version::Two => None,
        };
        let limits = limits.iter().filter_map(number).chain(of_hierarchy);
        let limit = limits.filter(|&limit| limit < NO_LIMIT).min()?;
        let usage = number(&usage)?;
        let cached = in_stat(reclaimable);
        Some(limit.saturating_sub(usage.saturating_sub(cached.unwrap_or(0))))
    }
}

/// A mounted hierarchy of control groups that may limit memory.
#[derive(Debug, PartialEq, Eq)]
struct Mount {
    version: Version,
    /// The group that is mounted.
    group: String,
    point: PathBuf,
}

impl Mount {
    /// Reads a line of `/proc/self/mountinfo`. `None` if it is another mount.
    fn parse(line: &str) -> Option<Self> {
        let (mount, file_system) = line.split_once(" - ")?;
        let mut mount = mount.split(' ').skip(3);
        let (group, point) = (unescaped(mount.next()?), unescaped(mount.next()?));
        let mut file_system = file_system.split(' ');
        let version = match (file_system.next()?, file_system.nth(1)) {
            ("cgroup2", _) => Version::Two,
            ("cgroup", Some(options)) if options.split(',').any(|option| option == "memory") => {
                Version::One
            }
            _ => return None,
        };
        Some(Mount { version, group, point: point.into() })
    }

    /// The directories of a group and of the groups that contain it, as far as they are mounted.
    fn directories(&self, root: &Path, group: &str) -> Vec<PathBuf> {
        let point = root.join(self.point.strip_prefix("/").unwrap_or(&self.point));
        // In a container, the path may be a path of the host, or lead out of the mounted part
        // (`/../..`).
        let below = Path::new(group).strip_prefix(&self.group).unwrap_or(Path::new(""));
        let is_below =
            below.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        let below = if is_below { below } else { Path::new("") };
        below.ancestors().map(|group| point.join(group)).collect()
    }
}

/// A path of `/proc/self/mountinfo` without its escapes: blanks, tabs, line ends and backslashes are octal
/// numbers there.
fn unescaped(path: &str) -> String {
    let codes = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
    codes.iter().fold(path.to_owned(), |path, (code, letter)| path.replace(code, letter))
}

/// The number of bytes in the line of a file with this name.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1 << 10)
}

/// The content of a file, if it can be read.
fn read(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests;
