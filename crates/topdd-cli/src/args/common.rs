//! The options that all problems share.

use std::num::{IntErrorKind, NonZero, ParseIntError};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use num_bigint::BigUint;
use topdd_problem::bounded::{BoundedOptions, parse_gap};
use topdd_problem::limits;

use super::picture::{Grid, Pictures};
use crate::memory::Remedies;
use crate::target::is_stdout;

/// The options that all problems share.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Common {
    #[command(flatten)]
    pub(crate) answer: Answer,

    #[command(flatten)]
    pub(crate) pictures: Pictures,

    #[command(flatten)]
    pub(crate) limits: Limits,

    /// Whether the question is about more than a count, which refuses --count-only.
    #[arg(skip)]
    pub(crate) needs_solutions: bool,

    #[command(flatten)]
    pub(crate) cluster: ProcessOptions,
}

/// The answer: which solutions are shown, and in which form.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Answer")]
pub(crate) struct Answer {
    /// Count without storing a diagram: less memory, but no solutions
    #[arg(long, conflicts_with_all = ["all", "limit", "nth", "sample", "dot", "save"])]
    pub(crate) count_only: bool,

    /// List all solutions, in the lexicographic order of values
    #[arg(long = "list", visible_alias = "all", conflicts_with_all = ["limit", "nth", "sample"])]
    pub(crate) all: bool,

    /// List the first K solutions
    #[arg(long, value_name = "K", conflicts_with_all = ["nth", "sample"])]
    #[arg(value_parser = whole::<usize>)]
    pub(crate) limit: Option<usize>,

    /// Show the solution of this rank; the first one has rank 0
    #[arg(long, value_name = "RANK", conflicts_with = "sample")]
    #[arg(value_parser = rank)]
    pub(crate) nth: Option<BigUint>,

    /// Show K different solutions at random, all with the same probability
    #[arg(long, value_name = "K", value_parser = whole::<usize>)]
    pub(crate) sample: Option<usize>,

    /// The seed of the sample; by default, a new one for each run, printed with the sample
    #[arg(long, value_name = "NUMBER", requires = "sample", value_parser = seed)]
    pub(crate) seed: Option<u64>,

    /// Write the diagram to a file, as Graphviz text
    ///
    /// Here and in other options, the file - is standard output, in place of the answer.
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,

    /// Save the diagram to a file, for `topdd list FILE` and others
    ///
    /// The file also contains the problem, so that `list` and `configure` show its solutions as this
    /// command does.
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// Print the count and nothing else; with an option that lists solutions, these alone, one on a line
    #[arg(long, short, conflicts_with = "json")]
    pub(crate) quiet: bool,

    /// Print one JSON object, for scripts
    ///
    /// Its members are `problem` (an object), `count` (a string, as it may be too large
    /// for the numbers of other programs), `states` (null with the apply engine), `nodes` (null
    /// without a diagram) and `solutions` (the first one, or the solutions of --list, --limit, --nth or
    /// --sample, each a list of squares, edges, vertices or literals). With --unique, `total` is the count of all
    /// solutions; with --sample, `seed` is the seed of the sample; with --best, `weights` are the weights
    /// of the solutions; with --width or --gap, there are also `bound` (a string), `gap` (a share of the weight), `proven` and `stopped_by`
    /// (gap, time, memory, cancel, or null), and `count` is null, or 0 if there is no solution; with --count-by-size, `counts_by_size` are the counts; with --element-counts, `usage` is a list of `name` and
    /// `count`; of a formula with weights, `weighted_count` is a fraction.
    #[arg(long)]
    pub(crate) json: bool,

    /// Write a line for each finished level, and a summary, to standard error
    #[arg(long)]
    pub(crate) report: bool,
}

impl Answer {
    /// Whether solutions are listed, other than the first one that is shown by default.
    pub(crate) fn is_listed(&self) -> bool {
        self.all || self.limit.is_some() || self.nth.is_some() || self.sample.is_some()
    }
}

/// The options of a bounded run.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct BoundedArgs {
    /// With --best 1, keep at most N states of each level, for problems that do not fit
    ///
    /// The run finds solutions, and a bound that no solution is better than. It improves both until they meet, which proves
    /// the solution, or until a limit ends it, which is no error. A wider run takes more time, and has better bounds;
    /// hundreds to some thousands are usual. Of several best solutions, one is shown. The states must
    /// merge: independent, dominating and covering vertex sets, cliques, edge sets by degrees, and linear constraints do.
    #[arg(long, value_name = "N", help_heading = "Answer", requires = "best", value_parser = width)]
    pub(crate) width: Option<NonZero<usize>>,

    /// With --best 1, end when weight and bound differ by at most this share of the weight, such as 5%
    ///
    /// Without --width, the levels of all threads take a quarter of the memory limit.
    #[arg(long, value_name = "SHARE", help_heading = "Answer", requires = "best", value_parser = parse_gap)]
    pub(crate) gap: Option<f64>,
}

impl BoundedArgs {
    /// The options of the run, if one is asked for.
    pub(crate) fn options(&self) -> Option<BoundedOptions> {
        let options = BoundedOptions { width: self.width, gap: self.gap };
        (options != BoundedOptions::default()).then_some(options)
    }
}

/// Reads a width.
fn width(text: &str) -> Result<NonZero<usize>, String> {
    NonZero::new(whole(text)?)
        .ok_or_else(|| "a level of width 0 has no states; write 1 or more".to_owned())
}

/// The limits of a run.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    /// The number of threads; by default, one for each core
    #[arg(long, value_name = "N", value_parser = limits::parse_threads)]
    pub(crate) threads: Option<usize>,

    /// Stop if the run needs more memory than this, such as 500MB or 4GiB; with --spill-to, spill instead
    ///
    /// By default, this is 70 percent of the memory that is free when the command starts: on the machine,
    /// in its container, or under `ulimit -v` or `ulimit -d`.
    #[arg(long, value_name = "SIZE", value_parser = limits::parse_bytes)]
    pub(crate) memory_limit: Option<usize>,

    /// Spill to files in this directory when the --memory-limit is reached
    ///
    /// The files have no names, so they disappear when the run ends, however it ends. With
    /// --checkpoint, the data is written to that directory instead.
    #[arg(long, value_name = "DIR")]
    pub(crate) spill_to: Option<PathBuf>,

    /// Save finished levels in this directory, so that the same command resumes a failed run
    ///
    /// The run resumes from the last saved level. Limits and threads may differ. Once the answer is
    /// printed and stored, the files are removed, except topdd-lock. Only files named topdd-* are
    /// changed. The additional runs of --most and --unique, for boards, have no checkpoint. The sweeps
    /// of `graph reliability` have directories of their own in it. With --width or --gap, it has the best solution
    /// and the open states instead of levels.
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Stop after this time, such as 10m, 1h30m, 500ms or 90 (seconds)
    #[arg(long, value_name = "TIME", value_parser = limits::parse_duration)]
    pub(crate) time_limit: Option<Duration>,

    /// When the command line was read.
    #[arg(skip)]
    pub(crate) start: StartTime,
}

impl Limits {
    /// The rest of the time limit, which also holds for the work before a sweep, such as the choice of an order.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.time_limit.map(|limit| limit.saturating_sub(self.start.elapsed()))
    }
}

/// The engine, for problems that have a formulation for both.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct EngineOption {
    /// The engine that builds the diagram
    ///
    /// The apply engine has its own formulations: queens by square, knight's tours by time and
    /// square. It ignores --encoding, runs on one thread, and has no --spill-to, --checkpoint
    /// or --profile. With --report it writes the live nodes of its manager and the
    /// nodes of the result so far, after each row or other constraint.
    #[arg(long, value_enum, default_value_t = Engine::Frontier, hide = true)]
    #[arg(help_heading = "Engine")]
    pub(crate) engine: Engine,
}

impl EngineOption {
    pub(crate) fn is_apply(&self) -> bool {
        self.engine == Engine::Apply
    }
}

#[cfg(not(feature = "cluster"))]
fn without_cluster(_: &str) -> Result<(), &'static str> {
    Err("this command was built without the feature `cluster`; reinstall it with \
         `cargo install --path crates/topdd-cli --features cluster`")
}

/// The start of the run, from which its time is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StartTime(Instant);

impl Default for StartTime {
    fn default() -> Self {
        StartTime(Instant::now())
    }
}

impl StartTime {
    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// From the top down, level by level
    #[default]
    Frontier,
    /// By conjoining the diagrams of constraints: rows of queens, steps of knights, clauses
    Apply,
}

impl Common {
    /// Returns whether a diagram is built.
    pub(crate) fn needs_diagram(&self) -> bool {
        let Answer { count_only, quiet, .. } = self.answer;
        let shows_solutions = self.answer.is_listed() || self.needs_solutions;
        self.is_written() || shows_solutions || !(count_only || quiet)
    }

    /// Whether this process alone counts, without a diagram.
    pub(crate) fn only_counts(&self) -> bool {
        #[cfg(feature = "cluster")]
        let is_alone = self.cluster.processes.is_none() && self.cluster.hosts.is_none();
        #[cfg(not(feature = "cluster"))]
        let is_alone = true;
        is_alone && !self.needs_diagram()
    }

    /// Whether the diagram, or a picture of solutions, is written to a file.
    fn is_written(&self) -> bool {
        self.answer.dot.is_some() || self.answer.save.is_some() || self.pictures.to_file()
    }

    /// Whether a diagram is built that a count without it would save: whether --count-only may be added.
    pub(crate) fn could_count_only(&self) -> bool {
        let shows_solutions = self.answer.is_listed() || self.needs_solutions;
        self.needs_diagram() && !(shows_solutions || self.is_written())
    }

    /// The options that help when the run needs more memory.
    pub(crate) fn remedies(&self, engine: Engine, fewer_conditions: bool) -> Remedies {
        if engine == Engine::Apply {
            return Remedies::Apply;
        }
        Remedies::Run {
            spill: self.limits.spill_to.is_none(),
            count_only: self.could_count_only(),
            fewer_conditions,
        }
    }

    /// The options that name a file to be written, each with its file.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [
            ("--save", &self.answer.save),
            ("--dot", &self.answer.dot),
            ("--svg", &self.pictures.svg),
            ("--png", &self.pictures.png),
            ("--profile", &self.pictures.profile),
        ];
        files.into_iter().filter_map(|(option, file)| Some((option, file.as_deref()?)))
    }

    /// Whether a file is standard output. It replaces the answer.
    pub(crate) fn replaces_answer(&self) -> bool {
        self.outputs().any(|(_, file)| is_stdout(file))
    }

    /// Whether another process prints the answer.
    pub(crate) fn is_silent(&self) -> bool {
        self.cluster.process.is_some_and(|process| process > 0)
    }

    /// The number of solutions that are listed.
    pub(crate) fn listed(&self) -> usize {
        let room = self.pictures.sheet.map_or(1, Grid::boards);
        if self.answer.all { usize::MAX } else { self.answer.limit.unwrap_or(room) }
    }
}

/// The options that several processes share a run with, in a build without them.
#[cfg(not(feature = "cluster"))]
#[derive(Debug, Default, clap::Args)]
pub(crate) struct ProcessOptions {
    /// Fails, and names the feature.
    #[arg(long, aliases = ["hosts", "process"], hide = true, value_parser = without_cluster)]
    pub(crate) processes: Option<()>,
    #[arg(skip)]
    pub(crate) process: Option<usize>,
    #[arg(skip)]
    pub(crate) memory_share: Option<usize>,
}

/// The options that several processes share a run with.
#[cfg(feature = "cluster")]
#[derive(Debug, Default, clap::Args)]
pub(crate) struct ProcessOptions {
    /// Work together with other processes, whose addresses are the lines of this file
    ///
    /// All processes need the same file, problem and options. The first one has the diagram: it prints
    /// the answer and writes the files. The connections are neither authenticated nor encrypted: use a
    /// private network.
    #[arg(long, value_name = "FILE", help_heading = "Processes", requires = "process")]
    pub(crate) hosts: Option<PathBuf>,

    /// The line of --hosts with the address of this process; the first one is 0
    #[arg(long, value_name = "INDEX", help_heading = "Processes", requires = "hosts")]
    pub(crate) process: Option<usize>,

    /// Work in this many processes on this machine
    ///
    /// They share the cores, unless --threads is given, and the free memory. --memory-limit is the limit of each.
    #[arg(long, value_name = "N", help_heading = "Processes", conflicts_with = "hosts")]
    pub(crate) processes: Option<usize>,

    /// Stop, as for SIGTERM, when standard input ends
    ///
    /// Set by --processes for the processes that it starts: their standard input ends with its process.
    #[arg(long, hide = true, requires = "process")]
    pub(crate) until_input_ends: bool,

    /// The memory limit in bytes, unless --memory-limit is given
    ///
    /// Set by --processes for the processes that it starts: their share of the free memory.
    #[arg(long, hide = true, requires = "process")]
    pub(crate) memory_share: Option<usize>,
}

#[cfg(feature = "cluster")]
impl ProcessOptions {
    /// The option by which the run is shared, if one is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        match (&self.hosts, self.processes) {
            (Some(_), _) => Some("--hosts"),
            (None, Some(_)) => Some("--processes"),
            (None, None) => None,
        }
    }
}

/// A word of an option, its sentence in the help, and its meaning. A word without a sentence is not shown.
pub(super) type Word<T> = (&'static str, &'static str, T);

/// Reads one of some words.
pub(super) fn one_of<T: Clone + Send + Sync>(
    words: &'static [Word<T>],
) -> impl TypedValueParser<Value = T> {
    let shown = words
        .iter()
        .map(|&(word, help, _)| PossibleValue::new(word).help(help).hide(help.is_empty()));
    PossibleValuesParser::new(shown).map(|given| {
        let found = words.iter().find(|(word, ..)| *word == given);
        found.map(|(.., meaning)| meaning.clone()).expect("the parser has these words")
    })
}

/// Reads a whole number that is not negative.
pub(super) fn whole<T: FromStr<Err = ParseIntError>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => "the number is too large".to_owned(),
        _ => "write a whole number from 0".to_owned(),
    })
}

/// The seeds of random numbers, which all programs that read JSON keep exactly.
pub(crate) const SEEDS: Range<u64> = 0..1 << 53;

/// Reads a seed.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    let seed: u64 = whole(text)?;
    if !SEEDS.contains(&seed) {
        return Err(format!(
            "write a number below {}, which every program that reads JSON keeps exactly",
            SEEDS.end
        ));
    }
    Ok(seed)
}

/// Reads the rank of a solution, of any size.
pub(super) fn rank(text: &str) -> Result<BigUint, String> {
    text.parse().map_err(|_| "write a whole number; the first solution has rank 0".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_numbers_that_json_keeps() {
        assert_eq!((seed("0"), seed("9007199254740991")), (Ok(0), Ok((1 << 53) - 1)));
        for text in ["9007199254740992", "18446744073709551615"] {
            assert!(seed(text).unwrap_err().contains("below 9007199254740992"), "{text}");
        }
        assert!(seed("-1").is_err() && seed("x").is_err());
        assert!(seed("99999999999999999999").unwrap_err().contains("too large"));
    }

    #[test]
    fn ranks_are_read() {
        assert_eq!(rank("12345678901234567890123"), Ok(12345678901234567890123u128.into()));
        assert_eq!(rank("0"), Ok(BigUint::ZERO));
        assert!(rank("-1").is_err() && rank("one").is_err() && rank("").is_err());
    }
}
