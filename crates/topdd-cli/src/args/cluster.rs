//! The options that several processes share a run with.

use std::path::PathBuf;

/// The options that several processes share a run with.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Cluster {
    /// Count together with other processes, whose addresses are the lines of this file
    ///
    /// All processes need the same file and the same problem. The first one prints the answer. Only
    /// for counts: with --count-only or --quiet. The connections are neither authenticated nor
    /// encrypted: use a private network.
    #[arg(long, value_name = "FILE", help_heading = "Processes", requires = "process")]
    pub(crate) hosts: Option<PathBuf>,

    /// The line of --hosts with the address of this process; the first one is 0
    #[arg(long, value_name = "INDEX", help_heading = "Processes", requires = "hosts")]
    pub(crate) process: Option<usize>,

    /// Count in this many processes on this machine
    ///
    /// They share the cores, unless --threads is given. --memory is the limit of each. Only for
    /// counts: with --count-only or --quiet.
    #[arg(long, value_name = "N", help_heading = "Processes", conflicts_with = "hosts")]
    pub(crate) processes: Option<usize>,
}

impl Cluster {
    /// The option of these that is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        match (&self.hosts, self.processes) {
            (Some(_), _) => Some("--hosts"),
            (None, Some(_)) => Some("--processes"),
            (None, None) => None,
        }
    }
}
