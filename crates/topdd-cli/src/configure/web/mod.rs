//! The dialogue as a page in the browser, served on the loopback interface.
//!
//! The page holds the decisions, in the fragment of its address, and sends all of them with each request. So
//! the server keeps no session: a request is answered by a [`Model`] of its own, and two pages have their own
//! decisions.
//!
//! | module | contents |
//! | --- | --- |
//! | `state` | a request of the page, and the state that it shows, as JSON |
//! | `guard` | which requests are served at all |
//! | `page.html`, `page.css`, `page.js` | the page, which is sent as one file |

mod guard;
mod state;
#[cfg(test)]
mod tests;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rand::RngExt;
use serde_json::json;
use tiny_http::{Header, Method, Request, Response, Server};
use topdd::Configurator;
use topdd::diagram::DiagramRule;

use super::model::Model;
use crate::args::{How, SEEDS};
use crate::cell_table::CellTable;
use crate::failure::Failure;
use crate::interrupt;
use guard::Guard;

/// The interval at which signals are checked.
const A_MOMENT: Duration = Duration::from_millis(50);
/// The most requests that are served at once.
const AT_ONCE: usize = 16;

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

/// Serves the page until Ctrl-C, and prints its address.
pub(super) fn run<R: DiagramRule>(
    configurator: Configurator<R>,
    table: CellTable,
    how: &How,
) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::Failed(format!("cannot serve a page on 127.0.0.1: {error}"))
    };
    let server = Server::http("127.0.0.1:0").map_err(|error| failed(&error))?;
    let port = server.server_addr().to_ip().map_or(0, |address| address.port());
    let guard = Guard::new(port, &secret());
    let address = guard.address();
    writeln!(io::stdout(), "{address}\n(Ctrl-C ends)")
        .map_err(|error| Failure::of_stdout(&error))?;
    if how.browser.open
        && let Err(error) = open::that_detached(&address)
    {
        eprintln!("note: no browser could be opened ({error}); open the address yourself");
    }
    let start = Start { configurator, table: Arc::new(table), seed: how.seed };
    serve(&server, &guard, &start).map_err(|error| failed(&error))
}

/// The page in one file.
fn page(nonce: &str) -> String {
    include_str!("page.html")
        .replace("NONCE", nonce)
        .replace("STYLE\n", include_str!("page.css"))
        .replace("SCRIPT\n", include_str!("page.js"))
}

/// A random word that nobody can guess.
fn secret() -> String {
    format!("{:032x}", rand::rng().random::<u128>())
}

/// Answers requests until the run is stopped.
fn serve<R: DiagramRule>(server: &Server, guard: &Guard, start: &Start<R>) -> io::Result<()> {
    // Each request in service holds a clone, also while it unwinds.
    let in_service = Arc::new(());
    thread::scope(|scope| {
        while !interrupt::token().is_cancelled() {
            let Some(request) = server.recv_timeout(A_MOMENT)? else { continue };
            // A page that was closed gets no answer; that is no error of the server.
            if let Err(refusal) = guard.check(&request) {
                let _ = request.respond(refusal);
            } else if Arc::strong_count(&in_service) > AT_ONCE {
                let _ = request.respond(guard.refusal(503, "too many requests at once; try again"));
            } else {
                let held = Arc::clone(&in_service);
                scope.spawn(move || {
                    answer(request, guard, start);
                    drop(held);
                });
            }
        }
        Ok(())
    })
}

/// Answers a request that the guard has let through.
fn answer<R: DiagramRule>(mut request: Request, guard: &Guard, start: &Start<R>) {
    let response = match (request.method(), guard.path(&request)) {
        (Method::Get, "") => guard.page(&page(guard.nonce())),
        (Method::Get, "map") => guard.json(&json!(start.table.map())),
        (Method::Post, "state") => {
            let mut body = Vec::new();
            let read = request.as_reader().take(guard::MOST + 1).read_to_end(&mut body);
            match read {
                Err(_) => guard.refusal(400, "the request was cut off"),
                Ok(length) if length as u64 > guard::MOST => guard.too_large(),
                Ok(_) => match state::answer(&mut start.model(), &body) {
                    Ok(state) => guard.json(&state),
                    Err(message) => guard.refusal(400, &message),
                },
            }
        }
        _ => guard.refusal(404, "there is no such page"),
    };
    let _ = request.respond(response);
}

/// The body of a response.
type Body = Response<io::Cursor<Vec<u8>>>;

fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).expect("names and values are ASCII")
}
