//! A run of the engine: the spec, the options, and the steps from the checkpoint to the result.

use super::alike::AlikeSweep;
use super::checkpoint::open_storage;
use super::disk::{Checkpoint, RunIdentity};
use super::edges::EdgeStore;
use super::exchange::{Alone, Exchange, Mesh, Peers};
use super::expander::{ForcedPolicy, Source, SweepInput};
use super::monitor::{Callbacks, Monitor, RunConfig, Watch};
use super::payload::{NoValues, Payload};
use super::report::Report;
use super::states::{StateNeeds, checks};
use super::sweep::{Sweep, Swept};
use super::unreduced::{EdgeTarget, UnreducedDiagram};
use super::workers::Workers;
use crate::BuildError;
use crate::error::{ReportedError, caught};
use crate::heap::HeapTrimmer;
use crate::spec::{Arities, Rule};
use std::sync::Arc;
use std::time::Instant;

/// All of a [`Frontier`] that does not depend on the type of the spec.
pub(crate) struct Engine<'a> {
    pub(super) source: Box<dyn Source + 'a>,
    pub(crate) config: RunConfig,
    pub(super) callbacks: Callbacks<'a>,
    pub(super) report: Report,
    /// The checkpoint of a run that is done, if it is kept.
    pub(super) finished: Option<Checkpoint>,
    /// The other processes of the run, if there are several.
    pub(super) mesh: Option<Box<dyn Mesh + 'a>>,
    /// The start of the last run.
    begun: Instant,
}

impl<'a> Engine<'a> {
    pub(super) fn new(source: Box<dyn Source + 'a>) -> Self {
        Engine {
            source,
            config: RunConfig::default(),
            callbacks: Callbacks::default(),
            report: Report::default(),
            finished: None,
            mesh: None,
            begun: Instant::now(),
        }
    }

    /// Drops the report and the checkpoint of the last run. Returns the arities of the spec.
    pub(crate) fn begin(&mut self) -> Result<Arities, BuildError> {
        // The last run may have kept its checkpoint, which locks the directory.
        self.finished = None;
        self.report = Report::default();
        self.begun = Instant::now();
        caught(|| self.source.arities())
    }

    /// Sweeps and computes words. Returns the payload that `payload` makes for the variables of the
    /// spec, and the words of the 1-terminal, if a path reaches it.
    pub(crate) fn words<P: Payload, E: From<BuildError> + ReportedError>(
        &mut self,
        rule: Rule,
        payload: impl FnOnce(Arc<Arities>) -> Result<P, E>,
    ) -> Result<(P, Option<Vec<u64>>), E> {
        let compute = || {
            let arities = Arc::new(self.begin()?);
            let payload = payload(Arc::clone(&arities))?;
            let words = self.words_over(&arities, rule, &payload)?;
            Ok((payload, words))
        };
        let computed = compute();
        self.tell_others(computed)
    }

    /// Reports a failure to the other processes, if there are any. The report then has the time until it.
    pub(crate) fn tell_others<T, E: ReportedError>(&mut self, done: Result<T, E>) -> Result<T, E> {
        if done.is_err() {
            self.report.stop_after(self.begun.elapsed());
        }
        if let (Err(error), Some(mesh)) = (&done, &mut self.mesh) {
            mesh.fail(error.fault(), &error.to_string());
        }
        done
    }

    /// As [`words`](Engine::words), for a run that has begun.
    pub(crate) fn words_over(
        &mut self,
        arities: &Arities,
        rule: Rule,
        payload: &dyn Payload,
    ) -> Result<Option<Vec<u64>>, BuildError> {
        let (swept, ..) = self.sweep(payload, rule, arities)?;
        self.finish(swept.storage.checkpoint);
        Ok(swept.ones)
    }

    /// Sweeps before the sweep of a run that has begun, for a payload that keeps its own result. Has
    /// the same limits, but no checkpoint and no callbacks.
    pub(crate) fn prepass(
        &mut self,
        arities: &Arities,
        rule: Rule,
        payload: &dyn Payload,
    ) -> Result<(), BuildError> {
        debug_assert!(self.is_alone(), "a prepass is not shared");
        let checkpoint = self.config.checkpoint.take();
        let callbacks = std::mem::take(&mut self.callbacks);
        let swept = self.sweep(payload, rule, arities).map(drop);
        self.config.checkpoint = checkpoint;
        self.callbacks = callbacks;
        swept
    }

    /// Whether there are no other processes.
    pub(crate) fn is_alone(&self) -> bool {
        self.mesh.is_none()
    }

    /// Sweeps and stores the edges. Does not [report a failure](Engine::tell_others).
    pub(crate) fn build(&mut self, rule: Rule) -> Result<Built<'_, 'a>, BuildError> {
        let arities = self.begin()?;
        let processes = self.mesh.as_ref().map_or(1, |mesh| mesh.processes());
        if processes > EdgeTarget::MAX_PARTITIONS {
            let (what, limit) =
                ("a cluster that builds a diagram", EdgeTarget::MAX_PARTITIONS as u64);
            return Err(BuildError::TooLarge { what, unit: "processes", limit });
        }
        let (swept, monitor, mesh) = self.sweep(&NoValues::Edges, rule, &arities)?;
        let root_is_one = swept.edges.levels.is_empty() && swept.ones.is_some();
        let checkpoint = swept.storage.checkpoint;
        let EdgeStore { levels, stack, classes, .. } = swept.edges;
        // The reduction cannot use the small pieces that the sweep has freed.
        let mut trimmer = HeapTrimmer::under(monitor.config.memory_limit);
        trimmer.note(monitor.report.peak_bytes);
        trimmer.note(stack.bytes());
        let unreduced = UnreducedDiagram { arities, levels, stack, classes, root_is_one };
        Ok(Built { unreduced, checkpoint, monitor, mesh })
    }

    /// Removes or keeps the checkpoint of a finished run.
    pub(crate) fn finish(&mut self, checkpoint: Option<Checkpoint>) {
        if self.config.keeps_checkpoint {
            self.finished = checkpoint;
        } else if let Some(checkpoint) = checkpoint {
            self.report.warnings = checkpoint.remove();
        }
    }

    /// Sweeps, together with the other processes of a mesh if there is one. A panic is an error.
    fn sweep(
        &mut self,
        payload: &dyn Payload,
        rule: Rule,
        arities: &Arities,
    ) -> Result<SweptRun<'_, 'a>, BuildError> {
        caught(move || {
            let Engine { source, config, callbacks, report, mesh, begun, .. } = self;
            let config = &*config;
            *report = Report::default();
            let mut watch = Watch::start(config.time_limit, config.cancel.clone());
            // The time limit includes the sweeps before this one.
            watch.start = *begun;
            watch.failure = mesh.as_ref().map(|mesh| mesh.failure());
            let workers = Workers::new(config.threads)?;
            let mut monitor = Monitor { config, callbacks, report, watch, workers };
            let needs = StateNeeds {
                portable_routes: config.checkpoint.is_some() || mesh.is_some(),
                heap_bytes: config.memory_limit.is_some(),
                checks: checks(config.checked),
            };
            let (expander, tables) = source.expander(needs, &monitor.watch);
            let expander = &*expander;
            monitor.watch.check(None)?;
            let input = SweepInput { expander, payload, arities, rule };
            let watch = &monitor.watch;
            let mut peers = mesh.as_deref_mut().map(|mesh| Peers::new(mesh, watch.clone()));
            if let Some(peers) = &mut peers {
                let key = config.checkpoint.as_ref().map(|(_, key)| key);
                peers.compare(&identity(&peers.key(key), input, tables))?;
            }
            let mut alone = Alone;
            let exchange: &mut dyn Exchange = match &mut peers {
                Some(peers) => peers,
                None => &mut alone,
            };
            let (storage, saved) =
                open_storage(config, watch, |key| identity(key, input, tables), exchange)?;
            let is_plain = storage.checkpoint.is_none() && exchange.rank().size == 1;
            let policy = ForcedPolicy::new(rule, payload, config.spill_limit().is_some());
            // Checks look at the states of each level.
            let begun = if is_plain && checks(config.checked).is_none() {
                AlikeSweep::run(input, policy, &mut monitor)?
            } else {
                None
            };
            let swept = Sweep::run(input, storage, saved, begun, exchange, &mut monitor)?;
            Ok((swept, monitor, mesh.as_deref_mut()))
        })
    }
}

/// The identity of a run with this key, whose expander has tables with this hash.
fn identity(key: &str, input: SweepInput<'_>, tables: u64) -> RunIdentity {
    let root = input.expander.root(input.rule, &mut |_| Vec::new()).map(|root| {
        let mut state = Vec::new();
        root.write_states(0..1, &mut state);
        if tables != 0 {
            // The numbers of states are the same for other operands.
            state.extend(tables.to_be_bytes());
        }
        state
    });
    RunIdentity::new(key, &input.payload.identity(), input.rule, input.arities, root)
}

/// A finished sweep with the monitor and the other processes of its run.
type SweptRun<'f, 'a> = (Swept, Monitor<'f, 'a>, Option<&'f mut (dyn Mesh + 'a)>);

/// The result of a sweep that stored the edges.
pub(crate) struct Built<'f, 'a> {
    pub(crate) unreduced: UnreducedDiagram,
    pub(crate) checkpoint: Option<Checkpoint>,
    /// For the reduction.
    pub(crate) monitor: Monitor<'f, 'a>,
    /// The other processes, which have the other parts of the diagram.
    pub(crate) mesh: Option<&'f mut (dyn Mesh + 'a)>,
}
