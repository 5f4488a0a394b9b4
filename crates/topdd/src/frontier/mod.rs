//! The engine: a breadth-first sweep over the states of a spec.
//!
//! | file | contents |
//! | --- | --- |
//! | `builder` | [`Frontier`]: every option, each with a default, and the calls that run |
//! | `engine`, `source`, `input` | a run: from the checkpoint to the result; `source` alone names the type of the spec |
//! | `sweep` | the order of the steps, level by level |
//! | `expansion`, `batch` | the level in progress, and the expansion of its next states |
//! | `alike` | the sweep over alike variables, in place of `sweep`: each state is expanded once for all of them |
//! | `expander`, `child_records` | calls of the spec, and the records of children by destination |
//! | `merge`, `table`, `index` | merging the records of a batch: where equal states meet in the hash table of a partition |
//! | `states`, `state_type`, `blocks` | the interface of a partition to the sweep, and the states and their encoding in it |
//! | `route`, `rank` | the process, the partition and the pass of a state, by its hash |
//! | `level`, `numbering`, `pool` | pending levels, the places and numbers of their states, the reuse of partitions |
//! | `payload` | values carried with the states: edges, words, or numbers that grow (`number`) |
//! | `edges`, `unreduced`, `chain` | the edges, level by level, for `diagram` to reduce |
//! | `budget` | the policy of the memory limit: what is spilled, how large a batch is |
//! | `working_set` | the data of a sweep, kept within the limit |
//! | `spill_file` | states on disk: written, and read back by `SpilledPartition::read` (for a batch from `LevelExpansion::open`) |
//! | `checkpoint`, `snapshot`, `resume` | saving the data between two levels, and finding it again |
//! | `storage`, `disk` | the directories of a run, and files of blocks in them |
//! | `sample` | a hash of the steps of some states of each level, to notice that the spec of a checkpoint has changed |
//! | `exchange`, `remote` | the other processes of a run, the connection to them, and what happens if one fails |
//! | `monitor`, `cancel` | progress, and the check that stops a run: limits, cancellation, a failed process |
//! | `report`, `finished`, `workers`, `checks` | figures of a run, its result with the checkpoint, threads, checks of states |
//!
//! Nothing here depends on diagrams. The type of the states is behind a few traits: `expander::Expander`
//! makes children, `child_records` contains their records, and `states::States` the states of a partition. Nearly all
//! of the rest is compiled once; `payload` names the exceptions.

mod alike;
mod batch;
mod blocks;
mod budget;
mod builder;
mod cancel;
pub(crate) mod chain;
mod checkpoint;
mod checks;
mod child_records;
mod disk;
mod edges;
mod engine;
mod exchange;
mod expander;
mod expansion;
mod finished;
mod index;
mod input;
mod level;
mod merge;
mod monitor;
mod numbering;
mod payload;
mod pool;
mod rank;
#[doc(hidden)]
pub mod remote;
mod report;
mod resume;
mod route;
mod sample;
mod snapshot;
mod source;
mod spill_file;
mod state_type;
mod states;
mod storage;
mod sweep;
mod table;
pub(crate) mod unreduced;
mod workers;
mod working_set;

pub use builder::Frontier;
pub use cancel::CancelToken;
pub use finished::FinishedCheckpoint;
pub use report::{LevelReport, ReducedLevel, Report};

pub(crate) use engine::{Built, Engine};
pub(crate) use exchange::Peers;
pub(crate) use monitor::{Monitor, Sharing, Watch};
pub(crate) use payload::Payload;
pub(crate) use rank::Rank;
pub(crate) use workers::{Workers, for_all};
