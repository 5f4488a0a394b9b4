//! The engine: a breadth-first sweep over the states of a spec.
//!
//! | file | contents |
//! | --- | --- |
//! | `builder` | [`Frontier`]: every option, each with a default, and the calls that run |
//! | `engine` | a run: from the checkpoint to the result |
//! | `sweep`, `expansion` | the order of the steps, level by level; the level in progress, batch by batch |
//! | `alike` | the sweep over alike variables, as long as it pays: each state is expanded once for all of them; then `sweep` goes on |
//! | `expander`, `child_records` | calls of the spec, and the records of children by destination; checks of states |
//! | `batch` | the expansion of one batch of states by the threads, and the merge of their children |
//! | `merge`, `table` | merging the records of a batch: where equal states meet in the hash table of a partition |
//! | `states` | the states of a partition, their hashes and encoding; the process, the partition and the pass of a state |
//! | `level`, `places` | pending levels, the places and numbers of their states, the reuse of partitions |
//! | `payload` | values carried with the states: edges, words, or natural numbers of several words (`crate::number`) |
//! | `edges`, `unreduced` | the edges, level by level, for `diagram` to reduce |
//! | `memory` | the data of a sweep, kept within the memory limit, and the policy: what is spilled, how large a batch is; `monitor` ends a run that exceeds the limit |
//! | `spill_file` | states on disk: written, and read back by `SpilledPartition::read` (for a batch from `LevelExpansion::open`) |
//! | `checkpoint` | finding a checkpoint, saving the data between two levels, and resuming it |
//! | `disk` | the directories of a run, files of blocks in them, and the files of a checkpoint |
//! | `sample` | a hash of the steps of some states of each level, to notice that the spec of a checkpoint has changed |
//! | `exchange` | the other processes of a run, the connection to them, and what happens if one fails |
//! | `monitor` | progress, and the check that stops a run: limits, cancellation, a failed process |
//! | `report`, `workers` | figures of a run, threads |
//!
//! Nothing here depends on diagrams. The type of the states is behind a few traits: `expander::Expander`
//! makes children, `child_records` contains their records, and `states::States` the states of a partition. Nearly all
//! of the rest is compiled once; `payload` names the exceptions.

mod alike;
mod batch;
mod builder;
mod checkpoint;
mod child_records;
mod disk;
mod edges;
mod engine;
mod exchange;
mod expander;
mod expansion;
mod level;
mod memory;
mod merge;
mod monitor;
mod payload;
mod places;
mod report;
mod sample;
mod spill_file;
mod states;
mod sweep;
mod table;
pub(crate) mod unreduced;
mod workers;

pub use builder::Frontier;
pub use disk::{BlockWriter, FinishedCheckpoint, RunCheckpoint, SavedBlocks};
pub use monitor::CancelToken;
pub use report::{LevelReport, ReducedLevel, Report};

pub(crate) use disk::Directory;
pub(crate) use engine::{Built, Engine};
pub(crate) use exchange::Peers;
#[doc(hidden)]
pub use exchange::{Mesh, Received};
pub(crate) use monitor::{Monitor, Sharing, Watch};
pub(crate) use payload::Payload;
pub(crate) use states::Rank;
pub(crate) use workers::{Workers, for_all};
