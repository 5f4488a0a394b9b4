//! Requests over HTTP, each on a connection of its own, with bounds on time, bytes and connections.
//!
//! The client may be any program of this machine. A request must arrive whole within [`PATIENCE`], and its response
//! must be read within the same time. At most [`MAX_OPEN`] connections are received or sent at once: a further one
//! closes the oldest, so that slow ones do not keep others out. At most [`AT_ONCE`] requests are answered at once.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::guard::{self, Guard};
use crate::failure::Failure;
use crate::interrupt;

/// The interval at which the end is checked.
const A_MOMENT: Duration = Duration::from_millis(50);
/// The time for a request to arrive, and for its response to be read.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time for a client to close its connection after a response.
const FAREWELL: Duration = Duration::from_secs(1);
/// The most connections that are received or sent at once.
const MAX_OPEN: usize = 64;
/// The most requests that are answered at once.
const AT_ONCE: usize = 16;
/// The most bytes of the first line and the headers of a request.
const MAX_HEAD: usize = 16 << 10;
/// The most headers of a request.
const MAX_HEADERS: usize = 64;

/// A request.
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    headers: Vec<(String, String)>,
    /// Empty while the headers are checked.
    pub(super) body: Vec<u8>,
}

impl Request {
    /// The value of a header.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let header = self.headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        header.map(|(_, value)| &value[..])
    }
}

/// A response.
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
}

impl Response {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let header = |(name, value): &(&str, String)| [name, ": ", value, "\r\n"].concat();
        let headers: String = self.headers.iter().map(header).collect();
        let Response { status, body, .. } = self;
        // Browsers show the number, and no reason.
        let response = format!(
            "HTTP/1.1 {status} -\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        out.write_all(response.as_bytes())
    }
}

/// A server on the loopback interface.
pub(super) struct Server {
    port: u16,
    accepted: Receiver<TcpStream>,
    connections: Arc<Connections>,
}

/// The connections of a server.
#[derive(Default)]
struct Connections {
    /// The connections that are received or sent, the oldest first.
    open: Mutex<VecDeque<Arc<TcpStream>>>,
    /// The number of requests that are answered.
    in_service: AtomicUsize,
}

impl Server {
    /// Listens on a port that the system chooses.
    pub(super) fn start() -> Result<Self, Failure> {
        let failed = |error: io::Error| {
            Failure::Failed(format!("cannot serve a page on 127.0.0.1: {error}"))
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let (sender, accepted) = mpsc::sync_channel(MAX_OPEN);
        let connections = Arc::new(Connections::default());
        let in_thread = Arc::clone(&connections);
        interrupt::start_thread(move || {
            loop {
                if let Ok((stream, _)) = listener.accept() {
                    if sender.send(stream).is_err() {
                        return;
                    }
                } else {
                    // Too many files are open, say.
                    in_thread.close_oldest();
                    thread::sleep(A_MOMENT / 10);
                }
            }
        })?;
        Ok(Server { port, accepted, connections })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Answers the requests that the guard lets through, until `is_done`.
    pub(super) fn serve(
        &self,
        guard: &Guard,
        mut is_done: impl FnMut() -> bool,
        answer: &(dyn Fn(&Request) -> Response + Sync),
    ) {
        let connections = &self.connections;
        thread::scope(|scope| {
            while !is_done() {
                let Ok(stream) = self.accepted.recv_timeout(A_MOMENT) else { continue };
                let stream = Arc::new(stream);
                let work = move || connections.attend(&stream, guard, answer);
                // Without a thread, the connection is closed.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            for stream in connections.open().iter() {
                let _ = stream.shutdown(Shutdown::Read);
            }
        });
    }
}

impl Connections {
    fn open(&self) -> MutexGuard<'_, VecDeque<Arc<TcpStream>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close_oldest(&self) {
        if let Some(oldest) = self.open().pop_front() {
            let _ = oldest.shutdown(Shutdown::Both);
        }
    }

    /// Performs work with a connection, which may be closed meanwhile for the sake of newer ones.
    fn while_open<T>(&self, stream: &Arc<TcpStream>, work: impl FnOnce(Timed<'_>) -> T) -> T {
        if self.open().len() >= MAX_OPEN {
            self.close_oldest();
        }
        self.open().push_back(Arc::clone(stream));
        let done = work(Timed { stream, until: Instant::now() + PATIENCE });
        self.open().retain(|other| !Arc::ptr_eq(other, stream));
        done
    }

    /// Reads the request of a connection, and writes the response.
    fn attend(
        &self,
        stream: &Arc<TcpStream>,
        guard: &Guard,
        answer: &(dyn Fn(&Request) -> Response + Sync),
    ) {
        let request = self.while_open(stream, |mut stream| receive(&mut stream, guard));
        let response = match request {
            Ok(request) => self.answer(guard, || answer(&request)),
            Err(Some(refusal)) => refusal,
            Err(None) => return,
        };
        self.while_open(stream, |mut stream| {
            if response.write(&mut stream).is_ok() {
                // A connection that is closed with bytes to be read loses the response.
                let _ = stream.stream.shutdown(Shutdown::Write);
                stream.until = Instant::now() + FAREWELL;
                let _ = io::copy(&mut stream, &mut io::sink());
            }
        });
    }

    fn answer(&self, guard: &Guard, answer: impl FnOnce() -> Response) -> Response {
        struct Place<'a>(&'a AtomicUsize);
        impl Drop for Place<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::Relaxed);
            }
        }
        let before = self.in_service.fetch_add(1, Ordering::Relaxed);
        let _place = Place(&self.in_service);
        if before < AT_ONCE {
            answer()
        } else {
            guard.refusal(503, "too many requests at once; try again")
        }
    }
}

/// A connection that is read and written until a time.
struct Timed<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl Timed<'_> {
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(bytes)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Reads a request that the guard lets through. The error is the refusal; `None` for a request that was cut off.
fn receive(stream: &mut impl Read, guard: &Guard) -> Result<Request, Option<Response>> {
    let mut bytes = Vec::new();
    let (mut request, length) = loop {
        let mut part = [0; 4096];
        match stream.read(&mut part) {
            Ok(0) | Err(_) => return Err(None),
            Ok(read) => bytes.extend_from_slice(&part[..read]),
        }
        match head(&bytes) {
            Some(Ok(found)) => break found,
            Some(Err(())) => return Err(Some(guard.refusal(400, "this is no request of HTTP"))),
            None if bytes.len() < MAX_HEAD => {}
            None => return Err(Some(guard.refusal(431, "the headers are too long"))),
        }
    };
    guard.check(&request).map_err(Some)?;
    if request.header("Transfer-Encoding").is_some() {
        return Err(Some(guard.refusal(411, "a request states its Content-Length")));
    }
    let body = request.header("Content-Length").map_or(Ok(0), str::parse);
    let body: usize =
        body.map_err(|_| Some(guard.refusal(400, "the Content-Length is no number")))?;
    if body > guard::MOST {
        return Err(Some(
            guard.refusal(413, &format!("a request has at most {} bytes", guard::MOST)),
        ));
    }
    request.body = bytes.split_off(length);
    request.body.truncate(body);
    let left = (body - request.body.len()) as u64;
    match stream.take(left).read_to_end(&mut request.body) {
        Ok(read) if read as u64 == left => Ok(request),
        _ => Err(Some(guard.refusal(408, "the request was cut off, or came too slowly"))),
    }
}

/// The first line and the headers of a request, and their length; `None` if they go on.
fn head(bytes: &[u8]) -> Option<Result<(Request, usize), ()>> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let length = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return None,
        Err(_) => return Some(Err(())),
    };
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let header = |header: &httparse::Header<'_>| {
        (header.name.to_owned(), String::from_utf8_lossy(header.value).into_owned())
    };
    let headers = parsed.headers.iter().map(header).collect();
    let (method, path) = (text(parsed.method), text(parsed.path));
    Some(Ok((Request { method, path, headers, body: Vec::new() }, length)))
}
