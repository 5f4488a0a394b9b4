//! The interfaces of the states of a partition and of the records that merge into them.
//!
//! [`Table`](super::table::Table) implements [`States`] for each type of state. The rest of the sweep
//! does not depend on that type.

use super::blocks::Blocks;
use super::monitor::Check;
use super::numbering::{Place, Places};
use super::payload::Combiner;
use super::route::Pass;
use super::state_type::{EncodedRecords, State};
use crate::BuildError;
use std::any::Any;
use std::ops::Range;

/// Receives the places of the states that records meet.
pub(super) struct ArrivalList<'a> {
    pub(super) places: Places,
    pub(super) list: &'a mut Vec<Place>,
}

/// Receives the indices of the states that encoded states were merged into.
pub(super) struct NewIndices<'a> {
    /// The number of distinct states of earlier passes.
    pub(super) before: u32,
    /// The index for each encoded state, which counts from the first pass on.
    pub(super) list: &'a mut [u32],
}

/// The distinct states of a partition, in order of first arrival, each with the same number of words.
pub(super) trait States: Any + Send + Sync {
    /// An empty container of the same type and width.
    fn fresh(&self) -> Box<dyn States>;

    fn len(&self) -> usize;

    /// Sets the number of words of each state. It may decrease only if there are no states.
    fn set_width(&mut self, width: usize);

    /// Size in bytes of the states, their index, and the growth of the index that is due soon.
    fn bytes(&self) -> usize;

    /// Size in bytes of a state with its words, without the heap memory of the state.
    fn record_bytes(&self) -> usize;

    /// Size in bytes of the memory that the states own, if it is counted.
    fn heap(&self) -> usize;

    /// Removes all states. Their memory is kept.
    fn clear(&mut self);

    /// Merges records in order, and empties their list. `arrivals`, given if edges are stored,
    /// receives the place of the state of each record; words are ignored then. Otherwise words are
    /// combined, or added if there is no combiner. Returns the number of records that met an equal
    /// state.
    fn merge_from(
        &mut self,
        records: &mut dyn Records,
        combiner: Combiner<'_>,
        arrivals: Option<ArrivalList<'_>>,
        check: Check<'_>,
    ) -> Result<u64, BuildError>;

    /// Moves all states to their partitions in a level of `partitions` partitions. If there were n
    /// partitions before, the states of one go to every n-th of the new partitions. `to` contains
    /// these, in order. `moved`, if given, receives the new place of each state.
    fn repartition(
        &mut self,
        partitions: usize,
        to: &mut [Box<dyn States>],
        moved: Option<&mut Vec<Place>>,
        check: Check<'_>,
    ) -> Result<(), BuildError>;

    /// Appends the encodings of a range of states to `out`.
    fn write_states(&self, range: Range<usize>, out: &mut Vec<u8>);

    /// Appends the encodings of a range of states, and then their words, to `out`.
    fn write(&self, range: Range<usize>, out: &mut Vec<u8>);

    /// Merges states as [`write`](States::write) wrote them, in order, if `pass` takes them. Returns
    /// `None` if they are not such an encoding.
    fn merge_encoded(
        &mut self,
        states: EncodedRecords<'_>,
        pass: Pass,
        combiner: Combiner<'_>,
        new_indices: Option<NewIndices<'_>>,
    ) -> Option<()>;
}

/// The records for one partition: states in order, each with its words. The hash for the table is
/// computed when the records are merged, which costs less than storing it.
pub(super) trait Records: Any + Send {
    fn len(&self) -> usize;
}

impl<S: State> Records for Blocks<S> {
    fn len(&self) -> usize {
        Blocks::len(self)
    }
}

/// The value of a known type: all states of a run have one type.
pub(super) fn of_type<T: Any>(value: &mut dyn Any) -> &mut T {
    value.downcast_mut().expect("all states of a run have one type")
}
