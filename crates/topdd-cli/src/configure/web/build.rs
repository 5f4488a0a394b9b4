//! A diagram that is being built while the page waits for it.

use std::sync::OnceLock;
use std::time::Instant;

use serde_json::{Value, json};

use super::guard::Guard;
use super::{AnyDialogue, Dialogue, Request, Response, page};
use crate::interrupt;
use crate::progress;

/// The dialogue, once its diagram is built, or the reason why there is none.
pub(super) struct Build {
    start: Instant,
    dialogue: OnceLock<AnyDialogue>,
    failure: OnceLock<String>,
}

impl Build {
    pub(super) fn start() -> Self {
        Build { start: Instant::now(), dialogue: OnceLock::new(), failure: OnceLock::new() }
    }

    pub(super) fn finish(&self, dialogue: AnyDialogue) {
        let _ = self.dialogue.set(dialogue);
    }

    pub(super) fn fail(&self, message: String) {
        let _ = self.failure.set(message);
    }

    /// Whether the diagram is built.
    pub(super) fn is_finished(&self) -> bool {
        self.dialogue.get().is_some()
    }

    /// The state of the build: `null` if it is finished; or `ended`, a message; or `reached`, in words, with `done` of
    /// `all` levels if that is known.
    fn state(&self) -> Value {
        if self.is_finished() {
            return Value::Null;
        }
        if let Some(message) = self.failure.get() {
            return json!({ "ended": format!("There is no diagram, and topdd has ended: {message}") });
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
        match (request.method().as_str(), guard.path(request), self.dialogue.get()) {
            ("GET", "build", _) => guard.json(&self.state()),
            (_, _, Some(AnyDialogue(dialogue))) => dialogue.answer(request, guard),
            ("GET", "", None) => guard.page(&page(guard.nonce())),
            ("POST", "stop", None) => {
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
