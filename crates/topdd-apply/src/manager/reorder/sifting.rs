//! The options of sifting, and its report.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A function that is called with each report.
type OnReport = Arc<Mutex<dyn FnMut(&Sifted) + Send>>;

/// The options of sifting: [`Manager::sift_with`](crate::Manager::sift_with) sifts once, and
/// [`Manager::sift_automatically`](crate::Manager::sift_automatically) whenever the number of nodes has
/// doubled.
///
/// ```
/// use std::time::Duration;
/// use topdd_apply::{Manager, Sifting};
///
/// let sifting = Sifting::new()
///     .start_at(1000)
///     .time_limit(Duration::from_secs(10))
///     .on_report(|sifted| eprintln!("{sifted}"));
/// let manager = Manager::new(40)?;
/// manager.sift_automatically(sifting)?;
/// let f = manager.dnf((0..20).map(|v| [(v, true), (v + 20, true)]))?; // 2 097 150 nodes in the order 0..40
/// assert!(f.node_count() < 1000 && manager.statistics().siftings > 0);
/// # Ok::<(), topdd_apply::Error>(())
/// ```
#[derive(Clone)]
pub struct Sifting {
    pub(super) start_at: usize,
    pub(super) max_growth: f64,
    pub(super) max_swaps: u64,
    pub(super) time_limit: Option<Duration>,
    pub(super) converge: bool,
    /// Whether lower bounds end searches. They change the time, and no order.
    pub(super) bounded: bool,
    pub(super) groups: Vec<Vec<usize>>,
    pub(super) on_report: Option<OnReport>,
}

impl Default for Sifting {
    fn default() -> Self {
        Sifting {
            start_at: 4096,
            max_growth: 1.2,
            max_swaps: u64::MAX,
            time_limit: None,
            converge: false,
            bounded: true,
            groups: Vec::new(),
            on_report: None,
        }
    }
}

impl Sifting {
    /// Returns the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of nodes at which automatic sifting starts. The default is 4 096.
    pub fn start_at(self, nodes: usize) -> Self {
        Sifting { start_at: nodes, ..self }
    }

    /// Sets the factor by which the number of nodes may grow while a variable moves in one direction. The
    /// default is 1.2. Factors below 1 count as 1.
    #[doc(alias = "Cudd_SetMaxGrowth")]
    pub fn max_growth(self, factor: f64) -> Self {
        Sifting { max_growth: factor.max(1.0), ..self }
    }

    /// Limits the number of swaps of adjacent levels, not counting the way back of a variable to its best
    /// level. The default is no limit.
    #[doc(alias = "Cudd_SetSiftMaxSwap")]
    pub fn max_swaps(self, swaps: u64) -> Self {
        Sifting { max_swaps: swaps, ..self }
    }

    /// Limits the time of each sifting. The default is no limit.
    #[doc(alias = "Cudd_SetReorderingTimeLimit")]
    pub fn time_limit(self, time: Duration) -> Self {
        Sifting { time_limit: Some(time), ..self }
    }

    /// Repeats sifting until a round removes less than a hundredth of the nodes.
    #[doc(alias = "CUDD_REORDER_SIFT_CONVERGE")]
    pub fn converge(self) -> Self {
        Sifting { converge: true, ..self }
    }

    /// Keeps these variables on adjacent levels, in this order from the top down, so that they move
    /// together. Several calls add several groups. Variables that are not adjacent are first brought
    /// together below the first one.
    #[doc(alias = "Cudd_MakeTreeNode")]
    pub fn group(mut self, variables: impl IntoIterator<Item = usize>) -> Self {
        self.groups.push(variables.into_iter().collect());
        self
    }

    /// Sets a function that is called after each sifting. It must not use the manager or its handles.
    #[doc(alias = "Cudd_AddHook")]
    pub fn on_report(self, callback: impl FnMut(&Sifted) + Send + 'static) -> Self {
        Sifting { on_report: Some(Arc::new(Mutex::new(callback))), ..self }
    }
}

impl fmt::Debug for Sifting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sifting")
            .field("start_at", &self.start_at)
            .field("max_growth", &self.max_growth)
            .field("max_swaps", &self.max_swaps)
            .field("time_limit", &self.time_limit)
            .field("converge", &self.converge)
            .field("groups", &self.groups)
            .finish_non_exhaustive()
    }
}

/// The result of sifting; `Display` writes it on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sifted {
    /// The number of nodes before, without garbage.
    pub nodes_before: usize,
    /// The number of nodes after.
    pub nodes_after: usize,
    /// The number of swaps of adjacent levels.
    pub swaps: u64,
    /// The time.
    pub elapsed: Duration,
    /// Whether all variables were sifted: no limit of the [`Sifting`] was reached.
    pub complete: bool,
}

impl fmt::Display for Sifted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "sifted {} nodes to {} in {:.1?} ({} swaps{})",
            self.nodes_before,
            self.nodes_after,
            self.elapsed,
            self.swaps,
            if self.complete { "" } else { ", stopped at a limit" }
        )
    }
}
