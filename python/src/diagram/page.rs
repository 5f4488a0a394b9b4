//! The page of a configurator, and its picture in a notebook. `topdd/_configure.py` has the server.

use pyo3::prelude::*;
use serde_json::Value;
use topdd::{Goal, Weights};
use topdd_problem::decimal::Scale;
use topdd_problem::dialogue::page::{self, Guard};
use topdd_problem::{ElementWeights, Weighing};

use super::{Configurator, Diagram};
use crate::convert::{CONFIGURE, call};
use crate::errors::Outcome;

/// The status, the headers and the content of a response.
type Response = (u16, Vec<(&'static str, String)>, String);

impl Diagram {
    /// The weights of the graph, for the best completion on the page.
    pub(super) fn weighing(&self, py: Python<'_>) -> Outcome<Option<Weighing>> {
        let ElementWeights::Given(weights) = self.element_weights(py)? else { return Ok(None) };
        let scale = Scale::new(&weights);
        let weights: Option<Vec<i64>> = weights.into_iter().map(|one| scale.whole(one)).collect();
        Ok(weights.map(|weights| Weighing {
            weights: Weights::of_ones(weights),
            scale,
            goal: Goal::Minimum,
        }))
    }
}

#[pymethods]
impl Configurator {
    /// Opens the page of the configurator in a browser, and returns its address; with ``open=False`` it returns the address only.
    /// Decisions on the page are decisions of this object, too, and ``show`` again shows decisions that were made here.
    ///
    /// The program serves the page while it runs, to browsers of the same machine.
    #[pyo3(signature = (*, open=true))]
    fn show<'py>(slf: &Bound<'py, Self>, open: bool) -> Outcome<Bound<'py, PyAny>> {
        Ok(call(slf.py(), CONFIGURE, "show", (slf, open))?)
    }

    /// The number of rows and columns of the board; ``None`` without one.
    fn _board(&self) -> Option<(usize, usize)> {
        self.table.board().map(|board| (board.rows, board.cols))
    }

    /// The address of the page, with the decisions; `None` if no server was started. `port` is the port of one.
    #[pyo3(signature = (port=None))]
    fn _address(&self, port: Option<u16>) -> Option<String> {
        let guard = match port {
            Some(port) => self.guard.get_or_init(|| Guard::new(port)),
            None => self.guard.get()?,
        };
        Some(format!("{}#{}", guard.address(), page::fragment(&self.locked())))
    }

    /// Answers a request of the page: the status, the headers and the content.
    fn _answer(
        &self,
        method: &str,
        path: &str,
        host: Option<&str>,
        origin: Option<&str>,
        body: Vec<u8>,
        py: Python<'_>,
    ) -> Outcome<Response> {
        const TEXT: &str = "text/plain; charset=utf-8";
        let Some(guard) = self.guard.get() else { return Ok((503, Vec::new(), String::new())) };
        let (status, kind, content) =
            match (guard.check(path, host, origin), method, guard.rest(path)) {
                (Err((status, message)), ..) => (status, TEXT, message.to_owned()),
                (_, "GET", "") => (200, "text/html; charset=utf-8", page::html(guard.nonce())),
                (_, "GET", "build") => (200, "application/json", "null".to_owned()),
                (_, "GET", "map") => {
                    let map = page::map(&self.table, self.weighing.as_deref());
                    (200, "application/json", Value::from(map).to_string())
                }
                (_, "POST", name) => match self.posted(name, body, py)? {
                    Some(Ok(value)) => (200, "application/json", value.to_string()),
                    Some(Err(message)) => (400, TEXT, message),
                    None => (404, TEXT, "there is no such page".to_owned()),
                },
                _ => (404, TEXT, "there is no such page".to_owned()),
            };
        Ok((status, guard.headers(kind).to_vec(), content))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> Outcome<Bound<'py, PyAny>> {
        // A picture takes a pass over all nodes.
        const DRAWN: usize = 1 << 17;
        let is_small = slf.get().diagram.get().zdd.node_count() <= DRAWN;
        Ok(call(slf.py(), CONFIGURE, "html", (slf, is_small))?)
    }
}

impl Configurator {
    /// Answers a posted request. The decisions of a state that the page asks for become the decisions of this object.
    fn posted(
        &self,
        name: &str,
        body: Vec<u8>,
        py: Python<'_>,
    ) -> Outcome<Option<Result<Value, String>>> {
        let diagram = self.diagram.get();
        let mut model = diagram.model(&self.table, self.weighing.as_ref(), py)?;
        let path = name.to_owned();
        let (answer, decisions) = diagram.query(py, diagram.digits(), move |_| {
            let answer = page::answer(&mut model, &path, &body);
            Ok((answer, model.decisions().to_vec()))
        })?;
        let is_made = matches!(&answer, Some(Ok(state)) if state["refused"] == false);
        if is_made && decisions != self.locked().decisions() {
            let (model, ()) = self.run(py, move |model| model.replace_all(&decisions))?;
            *self.locked() = model;
        }
        Ok(answer)
    }
}
