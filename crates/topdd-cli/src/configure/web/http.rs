//! Requests over HTTP, each on a connection of its own, with bounds on time, bytes and connections. `hyper` reads and
//! writes them.
//!
//! The client may be any program of this machine. A request must arrive whole within [`PATIENCE`], and its response
//! must be read within the same time. At most [`MAX_OPEN`] connections are received or sent at once: a further one
//! closes the oldest, so that slow ones do not keep others out. At most [`AT_ONCE`] requests are answered at once, in
//! threads of their own; further ones wait, like those that are being received.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::net::Ipv4Addr;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::task::{self, AbortHandle, JoinError, LocalSet};
use tokio::time::{sleep, timeout};

use topdd_problem::dialogue::page::{Guard, MAX_BODY, Refusal};

use super::{Dialogue, Request, Response, check, refusal};
use crate::failure::Failure;

/// The interval at which the end and the bounds are checked.
const A_MOMENT: Duration = Duration::from_millis(50);
/// The time for a request to arrive, and for its response to be read.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time at the end for requests to be answered. After Ctrl-C, the process ends sooner.
const FAREWELL: Duration = Duration::from_secs(1);
/// The most connections that are received or sent at once.
const MAX_OPEN: usize = 64;
/// The most requests that are answered at once.
const AT_ONCE: usize = 16;
/// The most bytes of the first line and the headers of a request.
const MAX_HEAD: usize = 16 << 10;

/// A server on the loopback interface.
pub(super) struct Server {
    runtime: Runtime,
    listener: TcpListener,
    pub(super) port: u16,
}

impl Server {
    /// Listens on a port that the system chooses.
    pub(super) fn start() -> Result<Self, Failure> {
        let failed = |error: io::Error| {
            Failure::Failed(format!("cannot serve a page on 127.0.0.1: {error}"))
        };
        let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let bound = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)));
        let listener = bound.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        Ok(Server { runtime, listener, port })
    }

    /// Serves a dialogue to the requests that the guard lets through, until `is_done`.
    pub(super) fn serve(
        self,
        guard: Guard,
        dialogue: Arc<dyn Dialogue>,
        mut is_done: impl FnMut() -> bool,
    ) {
        let connections = Rc::new(Connections {
            open: RefCell::default(),
            places: Semaphore::new(AT_ONCE),
            guard: Arc::new(guard),
            dialogue,
        });
        LocalSet::new().block_on(&self.runtime, async {
            while !is_done() {
                connections.close_overdue();
                match timeout(A_MOMENT, self.listener.accept()).await {
                    Ok(Ok((stream, _))) => {
                        connections.attend(stream);
                        task::yield_now().await;
                    }
                    // Too many files are open, say.
                    Ok(Err(_)) => {
                        connections.close_oldest();
                        sleep(A_MOMENT / 10).await;
                    }
                    Err(_) => {}
                }
            }
            let end = Instant::now() + FAREWELL;
            while connections.are_answered() && Instant::now() < end {
                sleep(A_MOMENT / 10).await;
            }
        });
        self.runtime.shutdown_background();
    }
}

/// The connections of a server.
struct Connections {
    /// The connections that are received or sent, the oldest first. Some may have ended.
    open: RefCell<VecDeque<Connection>>,
    /// Places for requests that are answered.
    places: Semaphore,
    guard: Arc<Guard>,
    dialogue: Arc<dyn Dialogue>,
}

/// A connection that is received or sent.
struct Connection {
    task: AbortHandle,
    since: Instant,
    is_answered: bool,
}

impl Connections {
    /// Starts a task for a connection.
    fn attend(self: &Rc<Self>, stream: TcpStream) {
        let connections = Rc::clone(self);
        let task = task::spawn_local(async move {
            let service = service_fn(|request| connections.respond(request));
            let mut http = http1::Builder::new();
            http.keep_alive(false).half_close(true).max_buf_size(MAX_HEAD);
            // After an error, the client has its refusal, or has gone.
            let _ = http.serve_connection(TokioIo::new(stream), service).await;
        });
        self.push(task.abort_handle(), false);
    }

    fn push(&self, task: AbortHandle, is_answered: bool) {
        self.open.borrow_mut().push_back(Connection { task, since: Instant::now(), is_answered });
    }

    fn take(&self, id: task::Id) -> Option<Connection> {
        let mut open = self.open.borrow_mut();
        let position = open.iter().position(|connection| connection.task.id() == id)?;
        open.remove(position)
    }

    fn close_oldest(&self) {
        if let Some(oldest) = self.open.borrow_mut().pop_front() {
            oldest.task.abort();
        }
    }

    /// Closes the connections beyond the bounds on their number and time.
    fn close_overdue(&self) {
        self.open.borrow_mut().retain(|connection| !connection.task.is_finished());
        let is_overdue = |open: &VecDeque<Connection>| {
            open.len() > MAX_OPEN || open.front().is_some_and(|one| one.since.elapsed() > PATIENCE)
        };
        while is_overdue(&self.open.borrow()) {
            self.close_oldest();
        }
    }

    /// Whether a request is being answered, or its response sent.
    fn are_answered(&self) -> bool {
        let is_sent = |one: &Connection| one.is_answered && !one.task.is_finished();
        self.places.available_permits() < AT_ONCE || self.open.borrow().iter().any(is_sent)
    }

    /// Receives the request of the current task, and returns the response.
    async fn respond(&self, request: hyper::Request<Incoming>) -> Result<Response, JoinError> {
        let request = match self.receive(request).await {
            Ok(request) => request,
            Err((status, message)) => return Ok(refusal(&self.guard, status, message)),
        };
        let _place = self.places.acquire().await;
        // The bounds do not apply to the time of the answer.
        let own = self.take(task::id());
        let (dialogue, guard) = (Arc::clone(&self.dialogue), Arc::clone(&self.guard));
        let response = task::spawn_blocking(move || dialogue.answer(&request, &guard)).await;
        if let Some(own) = own {
            self.push(own.task, true);
        }
        response
    }

    /// Receives a request that the guard lets through.
    async fn receive(&self, request: hyper::Request<Incoming>) -> Result<Request, Refusal> {
        let (head, mut body) = request.into_parts();
        check(&self.guard, &head)?;
        match body.size_hint().exact() {
            None => return Err((411, "a request states its Content-Length")),
            Some(length) if length > MAX_BODY => {
                return Err((413, "a request has at most 4 MiB"));
            }
            Some(_) => {}
        }
        let mut bytes = Vec::new();
        while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
            let frame = frame.map_err(|_| (408, "the request was cut off"))?;
            bytes.extend_from_slice(&frame.into_data().unwrap_or_default());
        }
        Ok(Request::from_parts(head, bytes))
    }
}
