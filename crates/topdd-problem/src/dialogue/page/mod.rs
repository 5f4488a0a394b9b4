//! The page of the dialogue in a browser: the page itself, the answers to its requests, and which requests a server answers.
//! A front end has the server, on the loopback interface.
//!
//! The page holds the decisions, in the fragment of its address, and sends all of them with each request. So the server keeps
//! no session: a request is answered by a [`Dialogue`] of its own, and two pages have their own decisions.
//!
//! | module | contents |
//! | --- | --- |
//! | `answers` | the state of the dialogue, pages of solutions, and the diagram, as JSON |
//! | `guard` | which requests are answered at all, and the headers of the answers |
//! | `assets/` | the page, which is sent as one file |

mod answers;
mod guard;

use serde_json::Value;
use topdd::diagram::DiagramRule;

use super::{CellTable, Dialogue, Weighing};
pub use guard::{Guard, MAX_BODY, Refusal};

/// The script of the page.
const SCRIPT: [&str; 10] = [
    include_str!("assets/dialogue.js"),
    include_str!("assets/address.js"),
    include_str!("assets/board.js"),
    include_str!("assets/viewer.js"),
    include_str!("assets/map.js"),
    include_str!("assets/views.js"),
    include_str!("assets/solutions.js"),
    include_str!("assets/diagram.js"),
    include_str!("assets/build.js"),
    include_str!("assets/main.js"),
];

/// Returns the page in one file. `nonce` is the word of its [`Guard`].
pub fn html(nonce: &str) -> String {
    include_str!("assets/page.html")
        .replace("NONCE", nonce)
        .replace("STYLE\n", include_str!("assets/page.css"))
        .replace("SCRIPT\n", &SCRIPT.concat())
}

/// Returns the map of the graph; `None` without a graph. It has weights only if they differ, and absent elements weigh
/// nothing.
pub fn map(table: &CellTable, weighing: Option<&Weighing>) -> Option<Value> {
    let mut map = table.map()?;
    if let (Some(weighing), true) = (weighing, table.has_sets()) {
        let all = |value| (0..table.rows()).map(move |v| weighing.of_value(v, value));
        let weights: Vec<String> = all(1).collect();
        if all(0).all(|weight| weight == "0") && weights.iter().any(|w| *w != weights[0]) {
            map["weights"] = weights.into();
        }
    }
    Some(map)
}

/// Answers a request of the page that was posted to the path `name` with a body in JSON, by a dialogue without decisions; `None`
/// if there is no such path.
///
/// # Errors
///
/// A message that says what is wrong with the request.
pub fn answer<R: DiagramRule>(
    model: &mut Dialogue<R>,
    name: &str,
    body: &[u8],
) -> Option<Result<Value, String>> {
    match name {
        "state" => Some(answers::state(model, body)),
        "solutions" => Some(answers::solutions(model, body)),
        "diagram" => Some(answers::diagram(model, body)),
        _ => None,
    }
}

/// Returns the fragment of an address that has the decisions of a dialogue.
pub fn fragment<R: DiagramRule>(model: &Dialogue<R>) -> String {
    let commands = model.decisions().iter().map(|&decision| model.table().command(decision));
    commands.map(|command| percent_encoded(&command)).collect::<Vec<_>>().join(",")
}

/// A text in which all bytes but letters and digits are escaped, as in an address.
fn percent_encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}
