//! The dataflow between the processes, and its thread.

use super::config::{ProcessFailure, ProcessRanks};
use super::link::{PeerLinks, RunEnd, SILENCE};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::RefCell;
use std::mem::forget;
use std::net::TcpStream;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use std::{fmt, io};
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::{Input, Operator};
use timely::worker::Worker;
use topdd::{BuildError, ProcessFault};

/// The time between two heartbeats.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// The longest time that the thread of the dataflow sleeps.
pub(crate) const SLEEP: Duration = Duration::from_millis(500);
/// How long messages that a lost process sent are still delivered.
const DELIVERY: Duration = Duration::from_millis(500);
/// How long a process that has failed waits for the replies of the other processes.
const REPLY_WAIT: Duration = Duration::from_secs(1);

/// A request to the thread of the dataflow.
enum DataflowCommand {
    /// Sends a message to a rank.
    Send {
        to: usize,
        bytes: Vec<u8>,
    },
    Advance(Time),
    /// Reports a failure to the other processes, and replies when it was sent.
    Fail(ProcessFailure, Sender<()>),
    Close,
}

/// News from the thread of the dataflow.
pub(crate) enum DataflowEvent {
    Message {
        from: usize,
        level: u64,
        bytes: Vec<u8>,
    },
    /// All messages before this time were received; `None` stands for all messages.
    Frontier(Option<Time>),
    Goodbye {
        from: usize,
        level: u64,
    },
}

/// The thread of the dataflow, as seen from the thread of the run.
pub(crate) struct DataflowThread {
    commands: Sender<DataflowCommand>,
    pub(crate) events: Receiver<DataflowEvent>,
    thread: Option<JoinHandle<()>>,
    links: Arc<PeerLinks>,
}

impl DataflowThread {
    /// Starts the dataflow over these streams. The thread sets `failure` if a process fails.
    pub(crate) fn start(
        ranks: &ProcessRanks,
        streams: Vec<Option<TcpStream>>,
        failure: &Arc<OnceLock<BuildError>>,
    ) -> io::Result<Self> {
        let links = PeerLinks::new(streams);
        let sockets = links.open()?;
        let (commands, requests) = channel();
        let (news, events) = channel();
        let dataflow = Dataflow {
            ranks: ranks.clone(),
            links: Arc::clone(&links),
            news,
            failure: Arc::clone(failure),
        };
        let hooks = Hooks::default();
        let local = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (builders, guard) =
            initialize_networking_from_sockets(local, sockets, ranks.rank, 1, hooks)?;
        let builder = builders.into_iter().next().expect("one worker in each process");
        let thread = Builder::new().name("topdd-cluster".to_owned()).spawn(move || {
            let allocator = Allocator::Tcp(builder.build());
            let worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
            // Dropping it would join the threads of the connections, which may have ended early.
            forget(guard);
            dataflow.run(worker, &requests);
        })?;
        Ok(DataflowThread { commands, events, thread: Some(thread), links })
    }

    /// Bytes written to the streams.
    pub(crate) fn bytes_sent(&self) -> u64 {
        self.links.bytes_sent()
    }

    pub(crate) fn send(&self, to: usize, bytes: Vec<u8>) {
        self.command(DataflowCommand::Send { to, bytes });
    }

    /// Sets the time of the messages that are sent from now on.
    pub(crate) fn advance(&self, to: Time) {
        self.command(DataflowCommand::Advance(to));
    }

    /// Reports a failure to the other processes, and waits until the report was sent.
    pub(crate) fn fail(&self, failure: ProcessFailure) {
        let (done, sent) = channel();
        self.command(DataflowCommand::Fail(failure, done));
        // The thread may have ended, or be slow: the others then see a closed connection.
        let _ = sent.recv_timeout(REPLY_WAIT + DELIVERY);
    }

    fn command(&self, command: DataflowCommand) {
        // If the thread has ended, it has reported an error.
        let _ = self.commands.send(command);
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Drop for DataflowThread {
    fn drop(&mut self) {
        self.command(DataflowCommand::Close);
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was reported there.
            let _ = thread.join();
        }
    }
}

/// The dataflow in its thread.
struct Dataflow {
    ranks: ProcessRanks,
    links: Arc<PeerLinks>,
    news: Sender<DataflowEvent>,
    failure: Arc<OnceLock<BuildError>>,
}

/// An input of the dataflow, of messages to other processes.
type MessageInput<T> =
    InputHandle<u64, timely::container::CapacityContainerBuilder<Vec<Message<T>>>>;

/// The inputs of the dataflow. A message is sent when the time of its input advances.
struct Inputs {
    /// The messages of the sweep, in levels and batches.
    sweep: MessageInput<MessageBytes>,
    /// Other messages, each at a time of its own.
    control: MessageInput<Control>,
    received: Rc<RefCell<ReceivedControl>>,
}

/// The control messages that were received.
#[derive(Default)]
struct ReceivedControl {
    /// The ranks that have announced their end, or reported a failure.
    left: Vec<usize>,
    /// The failure of the first process that failed.
    failure: Option<ProcessFailure>,
}

impl Dataflow {
    /// Runs the dataflow until it is closed, or the run fails.
    fn run(self, mut worker: Worker, requests: &Receiver<DataflowCommand>) {
        let mut inputs = self.build(&mut worker);
        let mut last_beat = Instant::now();
        loop {
            while let Ok(command) = requests.try_recv() {
                match command {
                    DataflowCommand::Send { to, bytes } => {
                        inputs.sweep.send(self.message(to, MessageBytes(bytes)));
                    }
                    DataflowCommand::Advance(time) => inputs.sweep.advance_to(time.to_stamp()),
                    DataflowCommand::Fail(failure, done) => {
                        let message = format!("failed: {}", failure.message);
                        self.send_failure(&mut inputs, ProcessFailure { message, ..failure });
                        self.end_failed(worker, inputs);
                        // The sender may not wait any longer.
                        let _ = done.send(());
                        return;
                    }
                    DataflowCommand::Close if self.failure.get().is_some() => {
                        return self.end_failed(worker, inputs);
                    }
                    DataflowCommand::Close => {
                        let level = Time::from_stamp(*inputs.sweep.time()).level;
                        self.send_all(&mut inputs, &Control::Goodbye(level));
                        return self.close(worker, inputs);
                    }
                }
            }
            if last_beat.elapsed() >= HEARTBEAT {
                last_beat = Instant::now();
                self.send_all(&mut inputs, &Control::Heartbeat);
            }
            worker.step_or_park(Some(SLEEP));
            if self.failure.get().is_none()
                && let Some(failure) = self.failed(&inputs)
            {
                // Each process repeats the first report before it ends: the others might otherwise
                // see its closed connection first, and name it instead of the process that failed.
                self.send_failure(&mut inputs, failure.clone());
                worker.step();
                let _ = self.failure.set(self.ranks.error(failure));
            }
        }
    }

    /// The failure that was reported, or the loss of a process.
    fn failed(&self, inputs: &Inputs) -> Option<ProcessFailure> {
        let ReceivedControl { left, failure } = &*inputs.received.borrow();
        failure.clone().or_else(|| self.links.lost(DELIVERY, left))
    }

    /// Builds the dataflow: messages, exchanged by destination.
    fn build(&self, worker: &mut Worker) -> Inputs {
        worker.dataflow(|scope| {
            let (sweep, stream) = scope.new_input();
            let by_rank = Exchange::new(|message: &Message<MessageBytes>| u64::from(message.to));
            let news = self.news.clone();
            let mut last = Some(Time::START);
            // The receiver of news is gone if the run has ended.
            stream.sink(by_rank, "sweep", move |(input, frontier)| {
                input.for_each(|time, messages: &mut Vec<Message<MessageBytes>>| {
                    let at = Time::from_stamp(*time.least().expect("a message has a time"));
                    for Message { from, content, .. } in messages.drain(..) {
                        let (from, level, bytes) = (from as usize, at.level, content.0);
                        let _ = news.send(DataflowEvent::Message { from, level, bytes });
                    }
                });
                let now = frontier.frontier().first().map(|&stamp| Time::from_stamp(stamp));
                if now != last {
                    last = now;
                    let _ = news.send(DataflowEvent::Frontier(now));
                }
            });
            let (control_input, stream) = scope.new_input();
            let by_rank = Exchange::new(|message: &Message<Control>| u64::from(message.to));
            let news = self.news.clone();
            let received = Rc::new(RefCell::new(ReceivedControl::default()));
            let control = Rc::clone(&received);
            stream.sink(by_rank, "control", move |(input, _)| {
                input.for_each(|_, messages: &mut Vec<Message<Control>>| {
                    for Message { from, content, .. } in messages.drain(..) {
                        let (from, mut control) = (from as usize, control.borrow_mut());
                        match content {
                            Control::Failure { rank, fault, message } => {
                                control.left.push(from);
                                let (rank, fault) = (rank as usize, fault.into());
                                control.failure.get_or_insert(ProcessFailure {
                                    rank,
                                    fault,
                                    message,
                                });
                            }
                            Control::Goodbye(level) => {
                                control.left.push(from);
                                // The receiver of news is gone if the run has ended.
                                let _ = news.send(DataflowEvent::Goodbye { from, level });
                            }
                            Control::Heartbeat => {}
                        }
                    }
                });
            });
            Inputs { sweep, control: control_input, received }
        })
    }

    fn message<T>(&self, to: usize, content: T) -> Message<T> {
        Message { to: to as u32, from: self.ranks.rank as u32, content }
    }

    fn send_all(&self, inputs: &mut Inputs, content: &Control) {
        for to in self.ranks.remote() {
            inputs.control.send(self.message(to, content.clone()));
        }
        inputs.control.advance_to(inputs.control.time() + 1);
    }

    fn send_failure(&self, inputs: &mut Inputs, failure: ProcessFailure) {
        let ProcessFailure { rank, fault, message } = failure;
        let (rank, fault) = (rank as u32, fault.into());
        self.send_all(inputs, &Control::Failure { rank, fault, message });
    }

    /// Whether no other process waits for a message of this process.
    fn all_have_left(&self, received: &RefCell<ReceivedControl>) -> bool {
        let left = &received.borrow().left;
        self.ranks.remote().all(|rank| left.contains(&rank) || self.links.is_lost(rank))
    }

    /// Waits until all processes have reported the failure, and closes the connections.
    fn end_failed(&self, mut worker: Worker, inputs: Inputs) {
        let deadline = Instant::now() + REPLY_WAIT;
        // At least one step, which sends the failure.
        worker.step();
        while !self.all_have_left(&inputs.received) && Instant::now() < deadline {
            worker.step_or_park(Some(SLEEP / 50));
        }
        self.links.end(RunEnd::Failed);
        // Dropping inputs and worker would write to queues whose threads have ended.
        forget(inputs);
        forget(worker);
    }

    /// Waits until all processes have announced their end, and all messages were sent.
    fn close(&self, mut worker: Worker, inputs: Inputs) {
        let Inputs { sweep, control, received } = inputs;
        drop(control);
        // At least one step, which announces the end of this process.
        worker.step();
        while !self.all_have_left(&received) {
            worker.step_or_park(Some(SLEEP / 50));
        }
        // The input is dropped last. Without it, a level in which this process takes no part would end
        // for the other processes.
        drop(sweep);
        drop(worker);
        self.links.end(RunEnd::Finished);
        self.links.wait_closed(SILENCE);
    }
}

/// A message to one process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Message<T> {
    /// The rank of the receiver.
    pub(crate) to: u32,
    /// The rank of the sender.
    pub(crate) from: u32,
    pub(crate) content: T,
}

/// The content of a message that does not come from a sweep.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Control {
    /// The process of a rank failed, with this message. All processes send it to all others.
    Failure { rank: u32, fault: ReportedFault, message: String },
    /// The sender takes part in no level from this one on.
    Goodbye(u64),
    /// The sender is alive.
    Heartbeat,
}

/// The kind of a failure that a process reports.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum ReportedFault {
    Failed,
    Checkpoint,
    Lost,
    Different,
    Unreadable,
}

impl From<ProcessFault> for ReportedFault {
    fn from(fault: ProcessFault) -> Self {
        match fault {
            ProcessFault::Checkpoint => ReportedFault::Checkpoint,
            ProcessFault::Lost => ReportedFault::Lost,
            ProcessFault::Different => ReportedFault::Different,
            ProcessFault::Unreadable => ReportedFault::Unreadable,
            _ => ReportedFault::Failed,
        }
    }
}

impl From<ReportedFault> for ProcessFault {
    fn from(fault: ReportedFault) -> Self {
        match fault {
            ReportedFault::Failed => ProcessFault::Failed,
            ReportedFault::Checkpoint => ProcessFault::Checkpoint,
            ReportedFault::Lost => ProcessFault::Lost,
            ReportedFault::Different => ProcessFault::Different,
            ReportedFault::Unreadable => ProcessFault::Unreadable,
        }
    }
}

/// Bytes that are encoded and decoded as a whole.
#[derive(Clone)]
pub(crate) struct MessageBytes(pub(crate) Vec<u8>);

impl fmt::Debug for MessageBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl Serialize for MessageBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for MessageBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BytesVisitor;

        impl Visitor<'_> for BytesVisitor {
            type Value = MessageBytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<MessageBytes, E> {
                Ok(MessageBytes(bytes.to_vec()))
            }

            fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<MessageBytes, E> {
                Ok(MessageBytes(bytes))
            }
        }

        deserializer.deserialize_byte_buf(BytesVisitor)
    }
}

/// A level and a batch of it, in lexicographic order.
///
/// A `u64` is the timestamp in the dataflow: the level in the high half, and the batch in the low
/// one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Time {
    pub(crate) level: u64,
    pub(crate) batch: u64,
}

impl Time {
    pub(crate) const START: Time = Time { level: 0, batch: 0 };

    fn to_stamp(self) -> u64 {
        debug_assert!(self.level < 1 << 32 && self.batch < 1 << 32, "halves of a word");
        self.level << 32 | self.batch
    }

    fn from_stamp(stamp: u64) -> Self {
        Time { level: stamp >> 32, batch: stamp & u64::from(u32::MAX) }
    }
}
