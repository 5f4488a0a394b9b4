//! The diagram itself: the widths of its levels, its picture, and the part that agrees with the decisions.

use serde::Deserialize;
use serde_json::{Value, json};
use topdd::diagram::DiagramRule;

use super::state;
use topdd_problem::dialogue::Dialogue;

/// The most nodes that are drawn.
const MAX_NODES: usize = 3000;
/// The most levels whose widths are listed.
const MAX_LEVELS: usize = 1000;

/// A request for the diagram.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DiagramRequest {
    decisions: Vec<String>,
}

/// Returns the diagram as JSON, with the part on the paths of the solutions that are left. An error says what is wrong
/// with the request.
pub(super) fn answer<R: DiagramRule>(
    model: &mut Dialogue<R>,
    body: &[u8],
) -> Result<Value, String> {
    let asked: DiagramRequest = state::read(body)?;
    state::decide_all(model, &asked.decisions)?;
    let widths = model.widths();
    let levels = widths.iter().take(MAX_LEVELS).enumerate();
    let levels = levels.map(|(variable, [nodes, left])| {
        json!({ "name": model.table().level_name(variable), "nodes": nodes, "left": left })
    });
    Ok(json!({
        "nodes": widths.iter().map(|[nodes, _]| nodes).sum::<usize>(),
        "left": widths.iter().map(|[_, left]| left).sum::<usize>(),
        "most": MAX_NODES,
        "variables": widths.len(),
        "levels": levels.collect::<Vec<_>>(),
        "picture": model.picture(MAX_NODES),
    }))
}
