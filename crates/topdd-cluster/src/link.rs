//! Connections between processes that report a loss instead of panicking.
//!
//! The threads of timely that read and write connections panic on an error, and dropping their guard
//! then aborts the process. A [`PeerLink`] hides errors from the threads: it reports the loss of the other
//! process, blocks until the run has ended, and then ends the thread without a message. So nothing joins
//! the threads; [`PeerLinks::wait_closed`] waits until they have dropped their links.

use super::config::ProcessFailure;
use std::any::Any;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};
use timely::communication::allocator::zero_copy::stream::Stream;

/// A process that sends nothing for this long is lost. It sends a heartbeat more often.
pub(crate) const SILENCE: Duration = Duration::from_secs(8);

/// The state of the connections of this process.
#[derive(Debug)]
pub(crate) struct PeerLinks {
    state: Mutex<LinkState>,
    changed: Condvar,
    sent: AtomicU64,
    /// The number of links.
    open: AtomicUsize,
    streams: Vec<Option<TcpStream>>,
}

#[derive(Debug, Default)]
struct LinkState {
    lost: Vec<LinkLoss>,
    end: Option<RunEnd>,
}

/// The loss of a connection.
#[derive(Debug)]
struct LinkLoss {
    /// The rank of the process at the other end.
    rank: usize,
    reason: String,
    at: Instant,
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunEnd {
    /// All processes have finished: closed connections are no errors.
    Finished,
    /// The run failed: nothing is read or written any more.
    Failed,
}

impl PeerLinks {
    /// Takes the connections to the other processes.
    pub(crate) fn new(streams: Vec<Option<TcpStream>>) -> Arc<Self> {
        let (state, changed) = (Mutex::default(), Condvar::new());
        let (sent, open) = (AtomicU64::new(0), AtomicUsize::new(0));
        Arc::new(PeerLinks { state, changed, sent, open, streams })
    }

    /// The connections, for the threads that read and write them.
    pub(crate) fn open(self: &Arc<Self>) -> io::Result<Vec<Option<PeerLink>>> {
        let link = |(rank, stream): (usize, &Option<TcpStream>)| {
            let Some(stream) = stream else { return Ok(None) };
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(SILENCE))?;
            stream.set_write_timeout(Some(SILENCE))?;
            Ok(Some(PeerLink::new(stream.try_clone()?, rank, self)))
        };
        self.streams.iter().enumerate().map(link).collect()
    }

    // A poisoned lock is harmless: each field is written at once.
    fn state(&self) -> MutexGuard<'_, LinkState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes written to all connections.
    pub(crate) fn bytes_sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// The rank of a process that was lost at least `ago` ago, and the reason. Ranks in `goodbyes` have
    /// announced their end, and are not lost.
    pub(crate) fn lost(&self, ago: Duration, goodbyes: &[usize]) -> Option<ProcessFailure> {
        let state = self.state();
        let mut lost = state.lost.iter();
        let loss = lost.find(|loss| loss.at.elapsed() >= ago && !goodbyes.contains(&loss.rank))?;
        Some(ProcessFailure::lost(loss.rank, loss.reason.clone()))
    }

    pub(crate) fn is_lost(&self, rank: usize) -> bool {
        self.state().lost.iter().any(|loss| loss.rank == rank)
    }

    /// Ends the run, and releases the threads that wait for this.
    pub(crate) fn end(&self, end: RunEnd) {
        self.state().end.get_or_insert(end);
        self.changed.notify_all();
        if end == RunEnd::Failed {
            for stream in self.streams.iter().flatten() {
                // The connection may be closed already.
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
    }

    /// Waits until the threads of the connections have written everything and ended, at most `most`.
    pub(crate) fn wait_closed(&self, most: Duration) {
        let start = Instant::now();
        while self.open.load(Ordering::Acquire) > 0 && start.elapsed() < most {
            sleep(Duration::from_millis(1));
        }
    }

    /// Reports a loss, waits for the end of the run, and returns the end.
    fn lose(&self, rank: usize, reason: String) -> RunEnd {
        let mut state = self.state();
        state.lost.push(LinkLoss { rank, reason, at: Instant::now() });
        loop {
            if let Some(end) = state.end {
                return end;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Ends a thread of a connection without the message of a panic.
fn end_thread() -> ! {
    let silent: Box<dyn Any + Send> = Box::new("the run has ended");
    resume_unwind(silent)
}

/// A connection to another process.
pub(crate) struct PeerLink {
    stream: TcpStream,
    /// The rank of the process at the other end.
    rank: usize,
    links: Arc<PeerLinks>,
}

impl PeerLink {
    fn new(stream: TcpStream, rank: usize, links: &Arc<PeerLinks>) -> Self {
        links.open.fetch_add(1, Ordering::AcqRel);
        PeerLink { stream, rank, links: Arc::clone(links) }
    }
}

impl Drop for PeerLink {
    fn drop(&mut self) {
        self.links.open.fetch_sub(1, Ordering::AcqRel);
    }
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            format!("has not answered for {} seconds", SILENCE.as_secs())
        }
        _ => format!("closed its connection ({error})"),
    }
}

impl Read for PeerLink {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(0) => {
                    self.links.lose(self.rank, "closed its connection".to_owned());
                    end_thread();
                }
                Ok(bytes) => return Ok(bytes),
                Err(error) => {
                    self.links.lose(self.rank, reason(&error));
                    end_thread();
                }
            }
        }
    }
}

impl Write for PeerLink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.stream.write(bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(written) if written > 0 => {
                    self.links.sent.fetch_add(written as u64, Ordering::Relaxed);
                    return Ok(written);
                }
                failed => {
                    let error = failed.err().unwrap_or_else(|| ErrorKind::WriteZero.into());
                    if self.links.lose(self.rank, reason(&error)) == RunEnd::Failed {
                        end_thread();
                    }
                    // The other process has finished, and needs nothing more.
                    return Ok(bytes.len());
                }
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for PeerLink {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(PeerLink::new(self.stream.try_clone()?, self.rank, &self.links))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // The other process may have closed the connection before.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
