//! The command line of `topdd-bench`.

use std::path::PathBuf;

use topdd_problem::limits;

/// Measure topdd on problems with known counts.
///
/// Each case is built as a diagram and counted without one, on one thread and on two. Each
/// measurement is a process of its own, so that peak memory is measured for each. Each count is
/// compared with the published one. Without --memory-limit, the largest cases take several GB. The whole
/// table takes many minutes.
#[derive(Debug, clap::Parser)]
#[command(
    version,
    after_help = "Examples:
  topdd-bench --quick                       the small ones
  topdd-bench --quick --only queens         those with \"queens\" in the name
  topdd-bench --only \"tours 6x8\" --threads 2
  topdd-bench --memory-limit 4G --spill-to /tmp  the large ones spill to disk
  topdd-bench --quick --json                for a script

The table is Markdown. The time includes the sweep, the reduction and the count. states/s is the
number of states divided by this time; bytes/node is the size of the finished diagram."
)]
pub(crate) struct Args {
    /// Only cases whose names contain this; may be repeated, and all must match
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,

    /// The numbers of threads to measure with
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = [1, 2])]
    pub(crate) threads: Vec<usize>,

    /// Only the sizes that take about a second or less
    #[arg(long)]
    pub(crate) quick: bool,

    /// Print one JSON object per measurement, each on a line of its own
    #[arg(long)]
    pub(crate) json: bool,

    /// Limit the memory of each measurement, such as 500M or 4G
    #[arg(long, value_name = "SIZE", value_parser = limits::parse_bytes)]
    pub(crate) memory_limit: Option<usize>,

    /// Spill to files in this directory when the --memory-limit is reached
    #[arg(long, value_name = "DIR", requires = "memory_limit")]
    pub(crate) spill_to: Option<PathBuf>,
}
