//! The figures of sweeps, and predictions.

use std::sync::Arc;

use pyo3::prelude::*;

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
#[pyclass(frozen, module = "topdd")]
pub(crate) struct Prediction(pub(crate) topdd_graph::predict::Prediction);

#[pymethods]
impl Prediction {
    /// The number of states over all levels.
    #[getter]
    fn states(&self) -> f64 {
        self.0.states
    }

    /// The peak of memory of ``count``, in bytes.
    #[getter]
    fn count_bytes(&self) -> f64 {
        self.0.count_bytes
    }

    /// The peak of memory of ``build``, in bytes, without the reduction.
    #[getter]
    fn build_bytes(&self) -> f64 {
        self.0.build_bytes
    }

    /// The time of the sweep, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.seconds
    }

    /// Whether the sweep came to its end, so that nothing is estimated.
    #[getter]
    fn is_exact(&self) -> bool {
        self.0.is_exact
    }

    fn _repr_html_(&self) -> String {
        let rows = [
            ("states", format!("{:.3e}", self.0.states)),
            ("memory to count", format!("{:.3e} bytes", self.0.count_bytes)),
            ("memory to build", format!("{:.3e} bytes", self.0.build_bytes)),
            ("time", format!("{:.3} s", self.0.seconds)),
        ];
        let rows = rows.map(|(name, value)| format!("<tr><td>{name}</td><td>{value}</td></tr>"));
        format!("<table>{}</table>", rows.concat())
    }

    fn __repr__(&self) -> String {
        let about = if self.0.is_exact { "" } else { "about " };
        let (states, seconds) = (self.0.states, self.0.seconds);
        format!("<topdd.Prediction: {about}{states:.3e} states, {seconds:.3} s>")
    }
}
