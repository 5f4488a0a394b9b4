//! The dialogue as a page in the browser, served on the loopback interface.
//!
//! [`page`] has the page and the answers to its requests, and `http` requests and responses on connections.

mod http;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod view_tests;

use std::io::{self, Write};
use std::sync::mpsc::{self, TryRecvError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use http::Server;
use hyper::header::{HOST, HeaderName, ORIGIN};
use hyper::http::request::Parts;
use serde_json::{Value, json};
use topdd::diagram::DiagramRule;
use topdd_problem::dialogue::page::{self, Guard, Refusal};

use super::Start;
use crate::args::How;
use crate::failure::Failure;
use crate::{interrupt, progress};

/// The time for a build before there is a page that waits for it.
const SHORT: Duration = Duration::from_millis(200);
/// The time for a page to show why there is no diagram.
const FAREWELL: Duration = Duration::from_secs(3);
/// Bytes of the stack of a build: as much as the first thread of a process has.
const STACK: usize = 8 << 20;

/// A request that has arrived whole.
type Request = hyper::Request<Vec<u8>>;
/// A response.
type Response = hyper::Response<String>;

/// Answers to a page: the dialogue over a diagram of either rule, or its build.
pub(super) trait Dialogue: Send + Sync {
    /// Answers a request that the guard has let through.
    fn answer(&self, request: &Request, guard: &Guard) -> Response;
}

/// Serves the page until Ctrl-C, and prints its address. Until `build` is done, the page shows its progress. A build
/// that fails ends the run; the page shows the message.
pub(super) fn run(
    how: &How,
    build: impl FnOnce() -> Result<Box<dyn Dialogue>, Failure> + Send,
) -> Result<(), Failure> {
    progress::show_on_page();
    let server = Server::start()?;
    let guard = Guard::new(server.port);
    let state = Arc::new(Build::start());
    thread::scope(|scope| {
        let (sender, built) = mpsc::channel();
        let work = move || drop(sender.send(build()));
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.map_err(|error| Failure::Failed(format!("cannot start a thread: {error}")))?;
        if let Ok(done) = built.recv_timeout(SHORT) {
            state.finish(Ok(done?));
        }
        announce(&guard, how).inspect_err(|_| interrupt::token().cancel())?;
        let mut failed: Option<(Failure, Instant)> = None;
        let is_done = || {
            match built.try_recv() {
                Ok(Ok(dialogue)) => state.finish(Ok(dialogue)),
                Ok(Err(failure)) => {
                    state.finish(Err(failure.message().unwrap_or_default().to_owned()));
                    failed = Some((failure, Instant::now() + FAREWELL));
                }
                // The build has panicked.
                Err(TryRecvError::Disconnected) if !state.is_finished() && failed.is_none() => {
                    return true;
                }
                Err(_) => {}
            }
            let is_over = failed.as_ref().is_some_and(|(_, end)| Instant::now() >= *end);
            is_over || interrupt::token().is_cancelled()
        };
        server.serve(guard, state.clone(), is_done);
        match failed {
            Some((failure, _)) => Err(failure),
            None if state.is_finished() => Ok(()),
            // Interrupted: the build says how far it came.
            None => built.recv().map_or_else(|_| interrupt::check(), |done| done.map(drop)),
        }
    })
}

/// Prints the address, and opens it if that is asked for.
fn announce(guard: &Guard, how: &How) -> Result<(), Failure> {
    let address = guard.address();
    writeln!(io::stdout(), "{address}\n(Ctrl-C ends)")
        .map_err(|error| Failure::of_stdout(&error))?;
    if how.browser.open
        && let Err(error) = open::that_detached(&address)
    {
        eprintln!("note: no browser could be opened ({error}); open the address yourself");
    }
    Ok(())
}

/// Checks a request, whose body may still arrive.
fn check(guard: &Guard, request: &Parts) -> Result<(), Refusal> {
    let header =
        |name: HeaderName| request.headers.get(name).map(|value| value.to_str().unwrap_or(""));
    guard.check(request.uri.path(), header(HOST), header(ORIGIN))
}

/// An error, as a sentence.
fn refusal(guard: &Guard, status: u16, message: &str) -> Response {
    response(guard, status, "text/plain; charset=utf-8", message.to_owned())
}

fn html(guard: &Guard) -> Response {
    response(guard, 200, "text/html; charset=utf-8", page::html(guard.nonce()))
}

fn json(guard: &Guard, value: &Value) -> Response {
    response(guard, 200, "application/json", value.to_string())
}

fn response(guard: &Guard, status: u16, kind: &str, body: String) -> Response {
    let start = hyper::Response::builder().status(status);
    let headers = guard.headers(kind).into_iter();
    let response = headers.fold(start, |response, (name, value)| response.header(name, value));
    response.body(body).expect("the status and the headers are valid")
}

impl<R: DiagramRule> Dialogue for Start<R> {
    fn answer(&self, request: &Request, guard: &Guard) -> Response {
        match (request.method().as_str(), guard.rest(request.uri().path())) {
            ("GET", "") => html(guard),
            ("GET", "map") => json(guard, &page::map(&self.table, self.weighing.as_deref()).into()),
            ("POST", name) => match page::answer(&mut self.model(), name, request.body()) {
                Some(Ok(value)) => json(guard, &value),
                Some(Err(message)) => refusal(guard, 400, &message),
                None => refusal(guard, 404, "there is no such page"),
            },
            _ => refusal(guard, 404, "there is no such page"),
        }
    }
}

/// The build of a diagram.
struct Build {
    start: Instant,
    /// The dialogue, once the diagram is built, or the reason why there is none.
    built: OnceLock<Result<Box<dyn Dialogue>, String>>,
}

impl Build {
    fn start() -> Self {
        Build { start: Instant::now(), built: OnceLock::new() }
    }

    fn finish(&self, built: Result<Box<dyn Dialogue>, String>) {
        let _ = self.built.set(built);
    }

    /// Whether the diagram is built.
    fn is_finished(&self) -> bool {
        matches!(self.built.get(), Some(Ok(_)))
    }

    /// The state of the build: `null` if it is finished; or `ended`, a message; or `reached`, in words, with `done` of
    /// `all` levels if that is known.
    fn state(&self) -> Value {
        match self.built.get() {
            None => {}
            Some(Ok(_)) => return Value::Null,
            Some(Err(message)) => {
                let ended = format!("There is no diagram, and topdd has ended: {message}");
                return json!({ "ended": ended });
            }
        }
        let seconds = self.start.elapsed().as_secs();
        match progress::reached() {
            Some(reached) => json!({
                "reached": format!("{}, {seconds} s", reached.text),
                "done": reached.done,
                "all": reached.all,
            }),
            None => json!({ "reached": format!("preparing, {seconds} s") }),
        }
    }
}

impl Dialogue for Build {
    fn answer(&self, request: &Request, guard: &Guard) -> Response {
        match (request.method().as_str(), guard.rest(request.uri().path()), self.built.get()) {
            ("GET", "build", _) => json(guard, &self.state()),
            (_, _, Some(Ok(dialogue))) => dialogue.answer(request, guard),
            ("GET", "", _) => html(guard),
            ("POST", "stop", _) => {
                // As after Ctrl-C: the build may be in a step that cannot be interrupted.
                let message = match interrupt::start_thread(interrupt::stop) {
                    Ok(()) => {
                        "The build was stopped, and topdd has ended. Run the command again to start anew."
                    }
                    Err(_) => "topdd cannot be stopped from here; press Ctrl-C in its terminal.",
                };
                json(guard, &json!({ "ended": message }))
            }
            _ => refusal(guard, 503, "the diagram is being built"),
        }
    }
}
