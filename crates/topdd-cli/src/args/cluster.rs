//! The options that several processes share a run with.

use std::path::PathBuf;

/// The options that several processes share a run with.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Cluster {
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

impl Cluster {
    /// The option by which the run is shared, if one is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        match (&self.hosts, self.processes) {
            (Some(_), _) => Some("--hosts"),
            (None, Some(_)) => Some("--processes"),
            (None, None) => None,
        }
    }
}
