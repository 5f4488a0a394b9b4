//! The figures of sweeps, and predictions.

use std::sync::Arc;

use pyo3::prelude::*;
use topdd_graph::predict;

/// The report of the sweep that built a diagram: states, memory and time.
#[pyclass(frozen, module = "topdd")]
pub(crate) struct Report {
    report: Arc<topdd::frontier::Report>,
    noun: &'static str,
}

impl Report {
    pub(crate) fn new(report: Arc<topdd::frontier::Report>, noun: &'static str) -> Self {
        Self { report, noun }
    }
}

#[pymethods]
impl Report {
    /// The number of states over all levels.
    #[getter]
    fn states(&self) -> u64 {
        self.report.states()
    }

    /// The largest number of bytes that the sweep had in memory.
    #[getter]
    fn peak_bytes(&self) -> usize {
        self.report.peak_bytes
    }

    /// The largest number of bytes that the sweep had on disk.
    #[getter]
    fn peak_disk_bytes(&self) -> u64 {
        self.report.peak_disk_bytes
    }

    /// The time of the sweep and of the reduction, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.report.elapsed().as_secs_f64()
    }

    /// The number of states of each level, as pairs of the variable and the number.
    #[getter]
    fn levels(&self) -> Vec<(usize, u64)> {
        self.report.levels.iter().map(|level| (level.variable, level.states)).collect()
    }

    fn _repr_html_(&self) -> String {
        let profile = topdd_draw::profile(&self.report, self.noun, "states of each level");
        format!("<pre>{}</pre>{profile}", self.report)
    }

    fn __str__(&self) -> String {
        format!("{:#}", self.report)
    }

    fn __repr__(&self) -> String {
        format!("<topdd.Report: {} states, {:.3} s>", self.states(), self.seconds())
    }
}

/// The predicted size of a sweep.
#[pyclass(frozen, get_all, module = "topdd")]
pub(crate) struct Prediction {
    /// The number of states over all levels.
    states: f64,
    /// The peak of memory of ``count``, in bytes.
    count_bytes: f64,
    /// The peak of memory of ``build``, in bytes, without the reduction.
    build_bytes: f64,
    /// The time of the sweep, in seconds.
    seconds: f64,
    /// Whether the sweep came to its end, so that nothing is estimated.
    is_exact: bool,
}

impl From<predict::Prediction> for Prediction {
    fn from(of: predict::Prediction) -> Self {
        let predict::Prediction { states, count_bytes, build_bytes, seconds, is_exact, .. } = of;
        Self { states, count_bytes, build_bytes, seconds, is_exact }
    }
}

#[pymethods]
impl Prediction {
    fn _repr_html_(&self) -> String {
        let rows = [
            ("states", format!("{:.3e}", self.states)),
            ("memory to count", format!("{:.3e} bytes", self.count_bytes)),
            ("memory to build", format!("{:.3e} bytes", self.build_bytes)),
            ("time", format!("{:.3} s", self.seconds)),
        ];
        let rows = rows.map(|(name, value)| format!("<tr><td>{name}</td><td>{value}</td></tr>"));
        format!("<table>{}</table>", rows.concat())
    }

    fn __repr__(&self) -> String {
        let about = if self.is_exact { "" } else { "about " };
        let (states, seconds) = (self.states, self.seconds);
        format!("<topdd.Prediction: {about}{states:.3e} states, {seconds:.3} s>")
    }
}
