//! The content of a manifest: a sweep between two levels.

use super::super::report::LevelReport;
use super::super::run::Segment;
use super::Extent;
use crate::Portable;
use std::time::Duration;

/// A sweep between two levels.
#[derive(Clone, Debug)]
pub(in super::super) struct Manifest {
    pub(in super::super) known: u64,
    pub(in super::super) uncertain: u64,
    pub(in super::super) peak_bytes: usize,
    /// By the number of variables decided, the least significant byte first.
    pub(in super::super) ones: Vec<(usize, Vec<u8>)>,
    pub(in super::super) waiting: Vec<SavedLevel>,
    /// With the edges of a build: where each level is that is done.
    pub(in super::super) stored: Vec<SavedStored>,
    pub(in super::super) reports: Vec<LevelReport>,
}

crate::portable!(Manifest { known, uncertain, peak_bytes, ones, waiting, stored, reports });

/// A level that states have arrived at.
#[derive(Clone, Debug)]
pub(in super::super) struct SavedLevel {
    pub(in super::super) variable: usize,
    pub(in super::super) partitions: usize,
    /// How many limbs its numbers have.
    pub(in super::super) width: usize,
    /// The bits of the value of its weight, and its scale.
    pub(in super::super) weight: (u64, usize),
    pub(in super::super) first_far: Option<usize>,
    pub(in super::super) runs: Vec<SavedRun>,
    pub(in super::super) settled: bool,
    /// How much of what arrived came over edges that skip variables, by partition, if
    /// nothing more can.
    pub(in super::super) far_arrived: Option<Vec<u32>>,
    /// What arrived over such edges, if it has been set apart.
    pub(in super::super) far_arrivals: Vec<Vec<u32>>,
}

crate::portable!(SavedLevel {
    variable,
    partitions,
    width,
    weight,
    first_far,
    runs,
    settled,
    far_arrived,
    far_arrivals
});

/// States of a level in one file.
#[derive(Clone, Debug)]
pub(in super::super) struct SavedRun {
    pub(in super::super) blob: u64,
    pub(in super::super) bytes: u64,
    /// How many limbs its numbers have.
    pub(in super::super) width: usize,
    /// By partition.
    pub(in super::super) segments: Vec<Option<Segment>>,
}

crate::portable!(SavedRun { blob, bytes, width, segments });

/// A level that is done, with its edges.
#[derive(Clone, Debug)]
pub(in super::super) struct SavedStored {
    /// The file that its edges are in.
    pub(in super::super) blob: u64,
    pub(in super::super) bytes: u64,
    /// The file that describes it, and where.
    pub(in super::super) index: u64,
    pub(in super::super) index_bytes: u64,
    pub(in super::super) head: Extent,
}

crate::portable!(SavedStored { blob, bytes, index, index_bytes, head });

impl Portable for LevelReport {
    fn write(&self, out: &mut Vec<u8>) {
        let LevelReport { variable, states, edges, merged, bytes, disk_bytes, elapsed } = *self;
        (variable, states, edges, merged, bytes, disk_bytes, elapsed.as_nanos() as u64).write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        let (variable, states, edges, merged, bytes, disk_bytes, nanos) = Portable::read(input)?;
        let elapsed = Duration::from_nanos(nanos);
        Some(LevelReport { variable, states, edges, merged, bytes, disk_bytes, elapsed })
    }
}
