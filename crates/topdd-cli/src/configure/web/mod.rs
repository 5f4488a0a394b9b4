//! The dialogue as a page in the browser, served on the loopback interface.
//!
//! The page holds the decisions, in the fragment of its address, and sends all of them with each request. So
//! the server keeps no session: a request is answered by a [`Model`] of its own, and two pages have their own
//! decisions.
//!
//! | module | contents |
//! | --- | --- |
//! | `state` | a request of the page, and the state that it shows, as JSON |
//! | `build` | the state of a diagram that is being built |
//! | `guard` | which requests are served at all |
//! | `http` | requests and responses on connections |
//! | `page.html`, `page.css`, `page.js`, `build.js` | the page, which is sent as one file |

mod build;
mod guard;
mod http;
mod state;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use rand::RngExt;
use serde_json::json;
use topdd::Configurator;
use topdd::diagram::DiagramRule;

use super::model::Model;
use crate::args::{How, SEEDS};
use crate::cell_table::CellTable;
use crate::failure::Failure;
use crate::interrupt;
use build::Build;
use guard::Guard;
use http::{Request, Response, Server};

/// The time for a build before there is a page that waits for it.
const SHORT: Duration = Duration::from_millis(200);
/// The time for a page to show why there is no diagram.
const FAREWELL: Duration = Duration::from_secs(3);
/// Bytes of the stack of a build: as much as the first thread of a process has.
const STACK: usize = 8 << 20;

/// The dialogue over a diagram of either rule.
pub(super) struct AnyDialogue(Box<dyn Dialogue>);

/// Answers to a page.
trait Dialogue: Send + Sync {
    /// Answers a request that the guard has let through.
    fn answer(&self, request: &Request, guard: &Guard) -> Response;
}

/// What is decided on: the models of all requests begin here.
struct Start<R: DiagramRule> {
    configurator: Configurator<R>,
    table: Arc<CellTable>,
    seed: Option<u64>,
}

impl<R: DiagramRule> Start<R> {
    fn model(&self) -> Model<R> {
        let seed = self.seed.unwrap_or_else(|| rand::rng().random_range(SEEDS));
        Model::new(self.configurator.clone(), Arc::clone(&self.table), seed)
    }
}

/// The dialogue that begins with this table. `seed` is the seed of samples.
pub(super) fn dialogue<R: DiagramRule>(
    configurator: Configurator<R>,
    table: CellTable,
    seed: Option<u64>,
) -> AnyDialogue {
    AnyDialogue(Box::new(Start { configurator, table: Arc::new(table), seed }))
}

/// Serves the page until Ctrl-C, and prints its address. Until `build` is done, the page shows its progress. A build
/// that fails ends the run; the page shows the message as `shown` returns it.
pub(super) fn run(
    how: &How,
    build: impl FnOnce() -> Result<AnyDialogue, Failure> + Send,
    shown: impl Fn(&str) -> String,
) -> Result<(), Failure> {
    let server = Server::start()?;
    let guard = Guard::new(server.port(), &secret());
    let state = Arc::new(Build::start());
    thread::scope(|scope| {
        let (sender, built) = mpsc::channel();
        let work = move || drop(sender.send(build()));
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.map_err(|error| Failure::Failed(format!("cannot start a thread: {error}")))?;
        if let Ok(done) = built.recv_timeout(SHORT) {
            state.finish(done?);
        }
        announce(&guard, how)?;
        let mut failed: Option<(Failure, Instant)> = None;
        let is_done = || {
            match built.try_recv() {
                Ok(Ok(dialogue)) => state.finish(dialogue),
                Ok(Err(failure)) => {
                    state.fail(shown(failure.message().unwrap_or_default()));
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

/// The page in one file.
fn page(nonce: &str) -> String {
    include_str!("page.html")
        .replace("NONCE", nonce)
        .replace("STYLE\n", include_str!("page.css"))
        .replace("SCRIPT\n", concat!(include_str!("page.js"), include_str!("build.js")))
}

/// A random word that nobody can guess.
fn secret() -> String {
    format!("{:032x}", rand::rng().random::<u128>())
}

impl<R: DiagramRule> Dialogue for Start<R> {
    fn answer(&self, request: &Request, guard: &Guard) -> Response {
        match (request.method().as_str(), guard.path(request)) {
            ("GET", "") => guard.page(&page(guard.nonce())),
            ("GET", "map") => guard.json(&json!(self.table.map())),
            ("POST", "state") => match state::answer(&mut self.model(), request.body()) {
                Ok(state) => guard.json(&state),
                Err(message) => guard.refusal(400, &message),
            },
            _ => guard.refusal(404, "there is no such page"),
        }
    }
}
