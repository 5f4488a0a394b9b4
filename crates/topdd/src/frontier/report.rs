//! The report of a run, level by level.

use crate::BuildError;
use std::fmt;
use std::time::Duration;

/// The figures of one level of a sweep. The callback of
/// [`Frontier::on_level`](crate::Frontier::on_level) receives one after the level is expanded. See the
/// example of [`Report`]. `Display` writes a line with labels; `{:#}` writes a row of the table that `{:#}` of
/// [`Report`] prints.
///
/// ```
/// use topdd::{Frontier, constraint};
///
/// let mut lines = Vec::new();
/// let few = constraint::at_most(3, 1);
/// Frontier::over(&few).on_level(|level| lines.push(level.to_string())).count()?;
/// assert!(lines[2].starts_with("variable 2: 2 states, 1 merged, 3 edges; "), "{}", lines[2]);
/// # Ok::<(), topdd::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LevelReport {
    /// The variable of the level.
    pub variable: usize,
    /// The number of distinct states at this variable. Excludes
    /// [forced](crate::DdSpec::forced) states that were followed and not stored.
    pub states: u64,
    /// The number of edges from these states, excluding edges to the 0-terminal.
    pub edges: u64,
    /// The number of edges to this level that led to a state already in it, so that two merged.
    pub merged: u64,
    /// Bytes held by the sweep after the level: states of later levels, tables, and the edges
    /// so far if a diagram is being built.
    pub bytes: usize,
    /// Bytes on disk after the level, spilled or in a checkpoint.
    pub disk_bytes: u64,
    /// Time since the start of the sweep.
    pub elapsed: Duration,
}

impl fmt::Display for LevelReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LevelReport { variable, states, edges, merged, .. } = *self;
        let [states, edges, merged] = [states, edges, merged].map(Grouped);
        let [memory, disk] =
            [self.bytes as u64, self.disk_bytes].map(|of| ByteCount(of).to_string());
        let seconds = self.elapsed.as_secs_f64();
        if f.alternate() {
            return write!(
                f,
                "{variable:>10} {states:>15} {edges:>15} {merged:>15} {memory:>11} {disk:>11} \
                 {seconds:>10.3}"
            );
        }
        write!(
            f,
            "variable {variable}: {states} states, {merged} merged, {edges} edges; {memory} in memory, \
             {disk} on disk, after {seconds:.3} s"
        )
    }
}

/// The figures of one level in reduction, which proceeds from the last variable to the first.
/// The callback of [`Frontier::on_reduced`](crate::Frontier::on_reduced) receives one after the
/// level is reduced.
///
/// `Display` writes a line with labels.
///
/// ```
/// use topdd::{Frontier, constraint};
///
/// let mut lines = Vec::new();
/// let few = constraint::at_most(3, 1);
/// Frontier::over(&few).on_reduced(|level| lines.push(level.to_string())).zdd()?;
/// assert!(lines[1].starts_with("variable 1: 2 states, 1 nodes; 1 states left, about "), "{}", lines[1]);
/// # Ok::<(), topdd::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReducedLevel {
    /// The variable of the level.
    pub variable: usize,
    /// The number of distinct states at this variable, as in [`LevelReport::states`].
    pub states: u64,
    /// The number of nodes of the reduced diagram at this variable. It may exceed the number of
    /// states, because forced states that were not stored are nodes as well.
    pub nodes: usize,
    /// Bytes held after the level: levels not yet reduced, tables, and the part of the diagram in
    /// memory.
    pub bytes: usize,
    /// Time since the start of the sweep.
    pub elapsed: Duration,
    /// The number of states not yet reduced.
    pub states_left: u64,
    /// The expected time for these states, at the mean time per state so far.
    pub time_left: Duration,
}

impl fmt::Display for ReducedLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReducedLevel { variable, states, nodes, bytes, states_left, .. } = *self;
        let [states, nodes, left] = [states, nodes as u64, states_left].map(Grouped);
        write!(
            f,
            "variable {variable}: {states} states, {nodes} nodes; {left} states left, about {:.3} s; {} in memory, after \
             {:.3} s",
            self.time_left.as_secs_f64(),
            ByteCount(bytes as u64),
            self.elapsed.as_secs_f64(),
        )
    }
}

/// The report of a run. `Display` and `Debug` print a summary; `{:#}` adds a table with a row for each level.
///
/// ```
/// use topdd::{Frontier, constraint};
///
/// let few = constraint::at_most(3, 1);
/// let mut frontier = Frontier::over(&few);
/// let zdd = frontier.zdd()?;
/// let report = frontier.report();
/// assert_eq!((report.states(), report.edges(), report.merged()), (5, 8, 1));
/// assert_eq!((report.levels[1].variable, report.levels[1].states), (1, 2));
/// assert_eq!(report.nodes, Some(zdd.node_count()));
/// assert!(report.elapsed() >= report.sweep_time && report.warnings.is_empty());
/// println!("{report}"); // `{report:#}` adds a table of the levels
/// # Ok::<(), topdd::BuildError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The levels that have states, from the root down.
    pub levels: Vec<LevelReport>,
    /// The reduced levels, from the last variable up. For a finished diagram these are the
    /// [`levels`](Report::levels), and the levels whose states are all
    /// [forced](crate::DdSpec::forced).
    pub reduced: Vec<ReducedLevel>,
    /// The peak of the bytes held by the run: states, tables, records and edges. Heap memory of
    /// states is included under a memory limit.
    pub peak_bytes: usize,
    /// The peak of the bytes on disk; 0 if nothing was written.
    pub peak_disk_bytes: u64,
    /// The number of nodes of the reduced diagram without terminals. `None` if none was built.
    pub nodes: Option<usize>,
    /// The time from the root to the last level; of a run that failed before a level was reduced, the time until then.
    pub sweep_time: Duration,
    /// The time of the reduction; zero if no diagram was built.
    pub reduce_time: Duration,
    /// Errors that do not affect the result: files of a
    /// [checkpoint](crate::Frontier::checkpoint) that could not be removed after the run. Empty
    /// with [`keep_checkpoint`](crate::Frontier::keep_checkpoint):
    /// [`FinishedCheckpoint::remove`](crate::FinishedCheckpoint::remove) returns them instead.
    pub warnings: Vec<BuildError>,
    /// The time of the runs that this one resumes, which the times above include.
    pub(super) earlier_time: Duration,
}

impl Report {
    /// Returns the number of distinct states over all levels.
    pub fn states(&self) -> u64 {
        self.levels.iter().map(|level| level.states).sum()
    }

    /// Returns the number of edges over all levels, excluding edges to the 0-terminal.
    pub fn edges(&self) -> u64 {
        self.levels.iter().map(|level| level.edges).sum()
    }

    /// Returns the number of edges over all levels that led to a state already in its level. It is the same
    /// for all threads and limits.
    pub fn merged(&self) -> u64 {
        self.levels.iter().map(|level| level.merged).sum()
    }

    /// Returns the level with the most states.
    pub fn widest(&self) -> Option<&LevelReport> {
        self.levels.iter().max_by_key(|level| level.states)
    }

    /// All levels that have states or nodes, from the root down, with the nodes of those that
    /// have been reduced.
    fn rows(&self) -> Vec<(LevelReport, Option<usize>)> {
        let mut reduced = self.reduced.iter().rev().peekable();
        let mut rows = Vec::with_capacity(self.levels.len().max(self.reduced.len()));
        let mut without_states = LevelReport::default();
        for level in &self.levels {
            while let Some(of) = reduced.next_if(|of| of.variable < level.variable) {
                without_states.variable = of.variable;
                rows.push((without_states, Some(of.nodes)));
            }
            let of_level = reduced.next_if(|of| of.variable == level.variable);
            rows.push((*level, of_level.map(|of| of.nodes)));
            without_states = LevelReport { states: 0, edges: 0, merged: 0, ..*level };
        }
        rows
    }

    /// Notes that the run failed after this time.
    pub(super) fn stop_after(&mut self, time: Duration) {
        let all = self.earlier_time + time;
        if self.reduced.is_empty() {
            self.sweep_time = all;
        } else {
            self.reduce_time = all.saturating_sub(self.sweep_time);
        }
    }

    /// Returns the time of sweep and reduction together; of a run that failed, the time until then.
    pub fn elapsed(&self) -> Duration {
        self.sweep_time + self.reduce_time
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            writeln!(
                f,
                "{:>10} {:>15} {:>15} {:>15} {:>11} {:>11} {:>10} {:>15}",
                "variable", "states", "edges", "merged", "memory", "disk", "seconds", "nodes"
            )?;
            for (level, nodes) in self.rows() {
                let nodes = nodes.map(|nodes| Grouped(nodes as u64));
                let nodes = nodes.map_or("-".to_owned(), |nodes| nodes.to_string());
                writeln!(f, "{level:#} {nodes:>15}")?;
            }
        }
        let seconds = self.sweep_time.as_secs_f64();
        write!(
            f,
            "{} states, {} edges ({} merged) over {} levels in {seconds:.3} s",
            Grouped(self.states()),
            Grouped(self.edges()),
            Grouped(self.merged()),
            self.levels.len(),
        )?;
        if seconds >= 0.01 {
            write!(f, " ({} states/s)", Rate(self.states() as f64 / seconds))?;
        }
        if let Some(nodes) = self.nodes {
            write!(
                f,
                "; reduced to {} nodes in {:.3} s",
                Grouped(nodes as u64),
                self.reduce_time.as_secs_f64()
            )?;
        }
        if let Some(widest) = self.widest() {
            write!(
                f,
                "; widest level: variable {} with {} states",
                widest.variable,
                Grouped(widest.states)
            )?;
        }
        write!(f, "; peak {}", ByteCount(self.peak_bytes as u64))?;
        if self.peak_disk_bytes > 0 {
            write!(f, " and {} on disk", ByteCount(self.peak_disk_bytes))?;
        }
        Ok(())
    }
}

/// The text of `Display`: the levels may be many.
impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Displays digits in groups of three.
struct Grouped(u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
        f.pad(&groups.collect::<Vec<_>>().join(" "))
    }
}

/// Displays a rate, with two digits below a million.
struct Rate(f64);

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 >= 1e6 {
            return write!(f, "{:.1} M", self.0 / 1e6);
        }
        let grain = 10_f64.powf((self.0.max(1.0).log10().floor() - 1.0).max(0.0));
        Grouped(((self.0 / grain).round() * grain) as u64).fmt(f)
    }
}

/// Displays a number of bytes with a binary unit.
struct ByteCount(u64);

impl fmt::Display for ByteCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as f64;
        for (unit, size) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] {
            if self.0 >> size > 0 {
                return write!(f, "{:.1} {unit}", bytes / f64::from(1 << size));
            }
        }
        write!(f, "{} B", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Limit;
    use crate::{DdSpec, Frontier, Step};

    /// Two variables, of which the first has so many values that the time limit ends its level.
    struct Wide;

    impl DdSpec for Wide {
        type State = usize;

        fn num_vars(&self) -> usize {
            2
        }

        fn arity(&self, variable: usize) -> usize {
            [1 << 31, 2][variable]
        }

        fn root(&self) -> Step<usize> {
            Step::To(0, 0)
        }

        fn child(&self, _: &usize, variable: usize, value: usize) -> Step<usize> {
            if variable == 0 { Step::To(1, value % 3) } else { Step::One }
        }
    }

    #[test]
    fn report_of_a_failed_run_has_the_time_of_the_level_that_was_not_finished() {
        let limit = Duration::from_millis(30);
        let fails: [fn(&mut Frontier<'_, Wide>) -> BuildError; 2] =
            [|frontier| frontier.count().unwrap_err(), |frontier| frontier.zdd().unwrap_err()];
        for fail in fails {
            let mut frontier = Frontier::over(&Wide).time_limit(limit);
            assert!(matches!(
                fail(&mut frontier),
                BuildError::LimitReached { limit: Limit::Time(_), .. }
            ));
            let report = frontier.report();
            assert!(report.elapsed() >= limit && report.levels.is_empty(), "{report}");
        }
        // The time of the runs that this one resumes is counted, too.
        let mut report = Report { earlier_time: limit, sweep_time: limit, ..Report::default() };
        report.stop_after(2 * limit);
        assert_eq!(report.elapsed(), 3 * limit);
    }

    #[test]
    fn numbers_are_grouped_and_bytes_have_units() {
        assert_eq!(Grouped(0).to_string(), "0");
        assert_eq!(Grouped(999).to_string(), "999");
        assert_eq!(Grouped(1_234_567).to_string(), "1 234 567");
        assert_eq!(format!("{:>7}", Grouped(1234)), "  1 234");
        for (rate, text) in [
            (0.0, "0"),
            (7.4, "7"),
            (31_234.0, "31 000"),
            (99_600.0, "100 000"),
            (999_999.0, "1 000 000"),
            (2_340_000.0, "2.3 M"),
        ] {
            assert_eq!(Rate(rate).to_string(), text);
        }
        assert_eq!(ByteCount(512).to_string(), "512 B");
        assert_eq!(ByteCount(3 << 29).to_string(), "1.5 GiB");
    }
}
