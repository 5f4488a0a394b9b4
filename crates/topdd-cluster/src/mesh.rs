//! The dataflow between the processes, and its thread.

use crate::link::{End, Links, SILENCE};
use crate::message::{Bytes, Control, Message, Time};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::mem::forget;
use std::net::TcpStream;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::{Input, Operator};
use timely::worker::Worker;
use topdd::BuildError;
use topdd::frontier::remote::{Mesh, Received};

/// The time between two heartbeats.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// The longest time that the thread of the dataflow sleeps.
const SLEEP: Duration = Duration::from_millis(500);
/// How long messages that a lost process sent are still delivered.
const DELIVERY: Duration = Duration::from_millis(500);
/// How long a process that has failed waits for the replies of the others.
const REPLY_WAIT: Duration = Duration::from_secs(1);

/// A request to the thread of the dataflow.
enum Command {
    Send {
        to: usize,
        bytes: Vec<u8>,
    },
    Advance(Time),
    /// Reports a failure to the other processes, and replies when it was sent.
    Fail(String, Sender<()>),
    Close,
}

/// News from the thread of the dataflow.
enum Event {
    Message {
        from: usize,
        level: u64,
        bytes: Vec<u8>,
    },
    /// All messages before this time were received; `None` stands for all.
    Frontier(Option<Time>),
    Goodbye {
        from: usize,
        level: u64,
    },
}

/// The processes of a cluster.
#[derive(Clone, Debug)]
pub(crate) struct Members {
    pub(crate) process: usize,
    pub(crate) addresses: Arc<[String]>,
}

impl Members {
    fn error(&self, process: usize, message: String) -> BuildError {
        BuildError::Process { process, address: self.addresses[process].clone(), message }
    }

    fn others(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.addresses.len()).filter(|&process| process != self.process)
    }
}

/// The end of the mesh in this process.
pub(crate) struct Connection {
    members: Members,
    key: String,
    commands: Sender<Command>,
    events: Receiver<Event>,
    thread: Option<JoinHandle<()>>,
    links: Arc<Links>,
    /// The time at which messages are sent.
    now: Time,
    /// The level whose messages are received: that of `now`, or the one before.
    level: u64,
    /// All messages before this time were received.
    frontier: Option<Time>,
    /// The last value of [`Received::batches`], or 0 in a new level.
    batches: u64,
    /// Received messages with their senders, by level: messages of later levels may arrive early.
    queue: BTreeMap<u64, Vec<(usize, Vec<u8>)>>,
    queued_bytes: usize,
    /// Bytes sent, by batch, that may not have been received.
    in_flight: VecDeque<(Time, usize)>,
    /// The processes that take part in no level from this one on.
    goodbyes: Vec<(usize, u64)>,
    /// The first failure of a process.
    failure: Arc<OnceLock<BuildError>>,
}

impl Connection {
    /// Starts the dataflow over these connections.
    pub(crate) fn start(
        members: Members,
        key: String,
        streams: Vec<Option<TcpStream>>,
    ) -> io::Result<Self> {
        let links = Links::new(streams);
        let sockets = links.open()?;
        let (commands, requests) = channel();
        let (news, events) = channel();
        let failure = Arc::new(OnceLock::new());
        let dataflow = Dataflow {
            members: members.clone(),
            links: Arc::clone(&links),
            news,
            failure: Arc::clone(&failure),
        };
        let hooks = Hooks::default();
        let local = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (builders, guard) =
            initialize_networking_from_sockets(local, sockets, members.process, 1, hooks)?;
        let builder = builders.into_iter().next().expect("one worker in each process");
        let thread = Builder::new().name("topdd-cluster".to_owned()).spawn(move || {
            let allocator = Allocator::Tcp(builder.build());
            let worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
            // Dropping it would join the threads of the connections, which may have ended early.
            forget(guard);
            dataflow.run(worker, &requests);
        })?;
        Ok(Connection {
            members,
            key,
            commands,
            events,
            thread: Some(thread),
            links,
            now: Time::START,
            level: Time::START.level,
            frontier: Some(Time::START),
            batches: 0,
            queue: BTreeMap::new(),
            queued_bytes: 0,
            in_flight: VecDeque::new(),
            goodbyes: Vec::new(),
            failure,
        })
    }

    /// Bytes written to the connections.
    pub(crate) fn bytes_sent(&self) -> u64 {
        self.links.bytes_sent()
    }

    pub(crate) fn set_key(&mut self, key: &str) {
        key.clone_into(&mut self.key);
    }

    /// Waits until all processes call this.
    pub(crate) fn wait(mut self: &mut Self) -> Result<(), BuildError> {
        self.end_level();
        while self.receive(SLEEP)?.batches.is_some() {}
        Ok(())
    }

    fn command(&self, command: Command) {
        // If the thread has ended, it has reported an error.
        let _ = self.commands.send(command);
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }

    fn advance(&mut self, to: Time) {
        self.now = to;
        self.command(Command::Advance(to));
    }

    fn take_event(&mut self, event: Event) {
        match event {
            Event::Message { from, level, bytes } => {
                self.queued_bytes += bytes.len();
                self.queue.entry(level).or_default().push((from, bytes));
            }
            Event::Frontier(frontier) => {
                self.frontier = frontier;
                let reached = |time: Time| frontier.is_none_or(|frontier| time < frontier);
                while self.in_flight.front().is_some_and(|&(time, _)| reached(time)) {
                    self.in_flight.pop_front();
                }
            }
            Event::Goodbye { from, level } => self.goodbyes.push((from, level)),
        }
    }

    /// Returns the present value of [`Received::batches`].
    fn ended_batches(&self) -> Option<u64> {
        match self.frontier {
            Some(frontier) if frontier.level < self.level => Some(0),
            Some(frontier) if frontier.level == self.level => Some(frontier.batch),
            _ => None,
        }
    }

    /// The error of the mesh, if it failed or a process has left that is needed.
    fn check(&self) -> Result<(), BuildError> {
        if let Some(error) = self.failure.get() {
            return Err(error.clone());
        }
        match self.goodbyes.iter().find(|(_, level)| *level <= self.level) {
            Some(&(process, _)) => {
                Err(self.members.error(process, "ended before the run was done".to_owned()))
            }
            None => Ok(()),
        }
    }
}

impl Mesh for &mut Connection {
    fn processes(&self) -> usize {
        self.members.addresses.len()
    }

    fn process(&self) -> usize {
        self.members.process
    }

    fn address(&self, process: usize) -> &str {
        &self.members.addresses[process]
    }

    fn key(&self) -> &str {
        &self.key
    }

    fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), BuildError> {
        if let Some(error) = self.failure.get() {
            return Err(error.clone());
        }
        match self.in_flight.back_mut() {
            Some((time, bytes)) if *time == self.now => *bytes += message.len(),
            _ => self.in_flight.push_back((self.now, message.len())),
        }
        self.command(Command::Send { to, bytes: message });
        Ok(())
    }

    fn end_batch(&mut self) {
        self.advance(Time { batch: self.now.batch + 1, ..self.now });
    }

    fn end_level(&mut self) {
        self.advance(Time { level: self.now.level + 1, batch: 0 });
    }

    fn receive(&mut self, wait: Duration) -> Result<Received, BuildError> {
        let deadline = Instant::now() + wait;
        loop {
            while let Ok(event) = self.events.try_recv() {
                self.take_event(event);
            }
            let messages = self.queue.remove(&self.level).unwrap_or_default();
            let batches = self.ended_batches();
            if !messages.is_empty() || batches != Some(self.batches) {
                self.queued_bytes -= messages.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
                self.level += u64::from(batches.is_none());
                self.batches = batches.unwrap_or(0);
                return Ok(Received { messages, batches });
            }
            self.check()?;
            match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(event) => self.take_event(event),
                Err(RecvTimeoutError::Timeout) => return Ok(Received { messages, batches }),
                Err(RecvTimeoutError::Disconnected) => {
                    let message = "has no connection to the others any more".to_owned();
                    let error = self.members.error(self.members.process, message);
                    let _ = self.failure.set(error);
                }
            }
        }
    }

    fn bytes(&self) -> usize {
        self.queued_bytes + self.in_flight.iter().map(|(_, bytes)| bytes).sum::<usize>()
    }

    fn failure(&self) -> Arc<OnceLock<BuildError>> {
        Arc::clone(&self.failure)
    }

    fn fail(&mut self, message: &str) {
        if self.failure.get().is_none() {
            let (done, sent) = channel();
            self.command(Command::Fail(message.to_owned(), done));
            // The thread may have ended, or be slow: the others then see a closed connection.
            let _ = sent.recv_timeout(REPLY_WAIT + DELIVERY);
            let message = format!("failed before: {message}");
            // Another process may have failed at the same time.
            let _ = self.failure.set(self.members.error(self.members.process, message));
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.command(Command::Close);
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was reported there.
            let _ = thread.join();
        }
    }
}

/// The part of the mesh that runs in the thread of the dataflow.
struct Dataflow {
    members: Members,
    links: Arc<Links>,
    news: Sender<Event>,
    failure: Arc<OnceLock<BuildError>>,
}

/// An input of the dataflow, of messages to other processes.
type MessageInput<T> =
    InputHandle<u64, timely::container::CapacityContainerBuilder<Vec<Message<T>>>>;

/// The inputs of the dataflow. A message is sent when the time of its input advances.
struct Inputs {
    /// The messages of the sweep, in levels and batches.
    sweep: MessageInput<Bytes>,
    /// Other messages, each at a time of its own.
    control: MessageInput<Control>,
    received: Rc<RefCell<Ends>>,
}

/// The messages of other processes about their ends.
#[derive(Default)]
struct Ends {
    /// The processes that have announced their end, or reported a failure.
    left: Vec<usize>,
    /// The process that failed, and the message of its error.
    failure: Option<(usize, String)>,
}

impl Dataflow {
    /// Runs the dataflow until it is closed, or the run fails.
    fn run(self, mut worker: Worker, requests: &Receiver<Command>) {
        let mut inputs = self.build(&mut worker);
        let mut last_beat = Instant::now();
        loop {
            while let Ok(command) = requests.try_recv() {
                match command {
                    Command::Send { to, bytes } => {
                        inputs.sweep.send(self.message(to, Bytes(bytes)));
                    }
                    Command::Advance(time) => inputs.sweep.advance_to(time.to_stamp()),
                    Command::Fail(message, done) => {
                        self.send_failure(
                            &mut inputs,
                            self.members.process,
                            format!("failed: {message}"),
                        );
                        self.end_failed(worker, inputs);
                        // The sender may not wait any longer.
                        let _ = done.send(());
                        return;
                    }
                    Command::Close if self.failure.get().is_some() => {
                        return self.end_failed(worker, inputs);
                    }
                    Command::Close => {
                        let level = Time::of_stamp(*inputs.sweep.time()).level;
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
                && let Some((process, message)) = self.failed(&inputs)
            {
                // Each process repeats the first report before it ends: the others might otherwise
                // see its closed connection first, and name it instead of the process that failed.
                self.send_failure(&mut inputs, process, message.clone());
                worker.step();
                let _ = self.failure.set(self.members.error(process, message));
            }
        }
    }

    /// The process whose failure was reported, or that was lost.
    fn failed(&self, inputs: &Inputs) -> Option<(usize, String)> {
        let Ends { left, failure } = &*inputs.received.borrow();
        failure.clone().or_else(|| self.links.lost(DELIVERY, left))
    }

    /// Builds the dataflow: messages, exchanged by destination.
    fn build(&self, worker: &mut Worker) -> Inputs {
        worker.dataflow(|scope| {
            let (sweep, stream) = scope.new_input();
            let by_process = Exchange::new(|message: &Message<Bytes>| u64::from(message.to));
            let news = self.news.clone();
            let mut last = Some(Time::START);
            // The receiver of news is gone if the run has ended.
            stream.sink(by_process, "sweep", move |(input, frontier)| {
                input.for_each(|time, messages: &mut Vec<Message<Bytes>>| {
                    let at = Time::of_stamp(*time.least().expect("a message has a time"));
                    for Message { from, content, .. } in messages.drain(..) {
                        let (from, level, bytes) = (from as usize, at.level, content.0);
                        let _ = news.send(Event::Message { from, level, bytes });
                    }
                });
                let now = frontier.frontier().first().map(|&stamp| Time::of_stamp(stamp));
                if now != last {
                    last = now;
                    let _ = news.send(Event::Frontier(now));
                }
            });
            let (control, stream) = scope.new_input();
            let by_process = Exchange::new(|message: &Message<Control>| u64::from(message.to));
            let news = self.news.clone();
            let received = Rc::new(RefCell::new(Ends::default()));
            let ends = Rc::clone(&received);
            stream.sink(by_process, "control", move |(input, _)| {
                input.for_each(|_, messages: &mut Vec<Message<Control>>| {
                    for Message { from, content, .. } in messages.drain(..) {
                        let (from, mut ends) = (from as usize, ends.borrow_mut());
                        match content {
                            Control::Failure { process, message } => {
                                ends.left.push(from);
                                ends.failure.get_or_insert((process as usize, message));
                            }
                            Control::Goodbye(level) => {
                                ends.left.push(from);
                                // The receiver of news is gone if the run has ended.
                                let _ = news.send(Event::Goodbye { from, level });
                            }
                            Control::Heartbeat => {}
                        }
                    }
                });
            });
            Inputs { sweep, control, received }
        })
    }

    fn message<T>(&self, to: usize, content: T) -> Message<T> {
        Message { to: to as u32, from: self.members.process as u32, content }
    }

    fn send_all(&self, inputs: &mut Inputs, content: &Control) {
        for to in self.members.others() {
            inputs.control.send(self.message(to, content.clone()));
        }
        inputs.control.advance_to(inputs.control.time() + 1);
    }

    fn send_failure(&self, inputs: &mut Inputs, process: usize, message: String) {
        self.send_all(inputs, &Control::Failure { process: process as u32, message });
    }

    /// Whether no other process needs a message of this one.
    fn all_have_left(&self, received: &RefCell<Ends>) -> bool {
        let left = &received.borrow().left;
        self.members.others().all(|process| left.contains(&process) || self.links.is_lost(process))
    }

    /// Waits until all processes have reported the failure, and closes the connections.
    fn end_failed(&self, mut worker: Worker, inputs: Inputs) {
        let deadline = Instant::now() + REPLY_WAIT;
        // At least one step, which sends the failure.
        worker.step();
        while !self.all_have_left(&inputs.received) && Instant::now() < deadline {
            worker.step_or_park(Some(SLEEP / 50));
        }
        self.links.end(End::Failed);
        // Dropping these would write to queues whose threads have ended.
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
        // Not before: without this input, a level would end for the others in which this process does
        // not take part.
        drop(sweep);
        drop(worker);
        self.links.end(End::Finished);
        self.links.wait_closed(SILENCE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// Two ends of a connection.
    fn connected() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let dialled = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (dialled, listener.accept().unwrap().0)
    }

    #[test]
    fn a_loss_that_one_process_sees_is_named_by_all() {
        let addresses: Arc<[String]> = ["a", "b", "c"].map(str::to_owned).into();
        let start = |process, streams| {
            let members = Members { process, addresses: Arc::clone(&addresses) };
            Connection::start(members, String::new(), streams).unwrap()
        };
        let (first_to_second, second_to_first) = connected();
        let (first_to_lost, lost_to_first) = connected();
        // It stays silent, as that of a machine without power.
        let (second_to_lost, _lost_to_second) = connected();
        let first = start(0, vec![None, Some(first_to_second), Some(first_to_lost)]);
        let mut second = start(1, vec![Some(second_to_first), None, Some(second_to_lost)]);
        drop(lost_to_first);
        let begun = Instant::now();
        let ends = std::thread::spawn(move || {
            let mut first = first;
            first.wait().unwrap_err()
        });
        let error = second.wait().unwrap_err().to_string();
        assert!(error.contains("process 2 (c)"), "{error}");
        assert_eq!(ends.join().unwrap().to_string(), error);
        assert!(begun.elapsed() < SILENCE / 2, "{:?}", begun.elapsed());
    }

    #[test]
    fn a_process_that_leaves_does_not_end_a_level_for_the_others() {
        let addresses: Arc<[String]> = ["a", "b"].map(str::to_owned).into();
        for waits_first in [false, true].repeat(5) {
            let (first_to_second, second_to_first) = connected();
            let start = |process, stream| {
                let members = Members { process, addresses: Arc::clone(&addresses) };
                let mut streams = vec![Some(stream)];
                streams.insert(process, None);
                Connection::start(members, String::new(), streams).unwrap()
            };
            let mut first = start(0, first_to_second);
            let second = start(1, second_to_first);
            let waits = std::thread::spawn(move || first.wait().unwrap_err().to_string());
            if waits_first {
                std::thread::sleep(Duration::from_millis(50));
            }
            drop(second);
            let error = waits.join().unwrap();
            assert!(error.contains("process 1 (b) ended before the run was done"), "{error}");
        }
    }
}
