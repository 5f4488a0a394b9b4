//! The dialogue as a page in the browser, served on the loopback interface.
//!
//! The page holds the decisions, in the fragment of its address, and sends all of them with each request. So
//! the server keeps no session: a request is answered by a [`Dialogue`](topdd_problem::dialogue::Dialogue) of its own, and two pages have their own
//! decisions.
//!
//! | module | contents |
//! | --- | --- |
//! | `answers` | the state of the dialogue, pages of solutions, and the diagram, as JSON |
//! | `guard` | which requests are served at all |
//! | `http` | requests and responses on connections |
//! | `page/` | the page, which is sent as one file |

mod answers;
mod guard;
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

use guard::Guard;
use http::Server;
use rand::RngExt;
use serde_json::{Value, json};
use topdd::diagram::DiagramRule;
use topdd_problem::dialogue;

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
    let guard = Guard::new(server.port, &secret());
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

/// The script of the page.
const SCRIPT: [&str; 10] = [
    include_str!("page/dialogue.js"),
    include_str!("page/address.js"),
    include_str!("page/board.js"),
    include_str!("page/viewer.js"),
    include_str!("page/map.js"),
    include_str!("page/views.js"),
    include_str!("page/solutions.js"),
    include_str!("page/diagram.js"),
    include_str!("page/build.js"),
    include_str!("page/main.js"),
];

/// The page in one file.
fn page(nonce: &str) -> String {
    include_str!("page/page.html")
        .replace("NONCE", nonce)
        .replace("STYLE\n", include_str!("page/page.css"))
        .replace("SCRIPT\n", &SCRIPT.concat())
}

/// A random word that nobody can guess.
fn secret() -> String {
    format!("{:032x}", rand::rng().random::<u128>())
}

impl<R: DiagramRule> Start<R> {
    /// The map of the graph, if there is one. It has weights only if they differ, and absent elements weigh nothing.
    fn map(&self) -> Option<Value> {
        let mut map = self.table.map()?;
        if let (Some(weighing), true) = (&self.weighing, self.table.has_sets()) {
            let all = |value| (0..self.table.rows()).map(move |v| weighing.of_value(v, value));
            let weights: Vec<String> = all(1).collect();
            if all(0).all(|weight| weight == "0") && weights.iter().any(|w| *w != weights[0]) {
                map["weights"] = weights.into();
            }
        }
        Some(map)
    }
}

impl<R: DiagramRule> Dialogue for Start<R> {
    fn answer(&self, request: &Request, guard: &Guard) -> Response {
        let posted =
            |answer: fn(&mut dialogue::Dialogue<R>, &[u8]) -> Result<Value, String>| match answer(
                &mut self.model(),
                request.body(),
            ) {
                Ok(value) => guard.json(&value),
                Err(message) => guard.refusal(400, &message),
            };
        match (request.method().as_str(), guard.path(request)) {
            ("GET", "") => guard.page(&page(&guard.nonce)),
            ("GET", "map") => guard.json(&json!(self.map())),
            ("POST", "state") => posted(answers::state),
            ("POST", "solutions") => posted(answers::solutions),
            ("POST", "diagram") => posted(answers::diagram),
            _ => guard.refusal(404, "there is no such page"),
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
        match (request.method().as_str(), guard.path(request), self.built.get()) {
            ("GET", "build", _) => guard.json(&self.state()),
            (_, _, Some(Ok(dialogue))) => dialogue.answer(request, guard),
            ("GET", "", _) => guard.page(&page(&guard.nonce)),
            ("POST", "stop", _) => {
                // As after Ctrl-C: the build may be in a step that cannot be interrupted.
                let message = match interrupt::start_thread(interrupt::stop) {
                    Ok(()) => {
                        "The build was stopped, and topdd has ended. Run the command again to start anew."
                    }
                    Err(_) => "topdd cannot be stopped from here; press Ctrl-C in its terminal.",
                };
                guard.json(&json!({ "ended": message }))
            }
            _ => guard.refusal(503, "the diagram is being built"),
        }
    }
}
