//! The messages between processes, and their times.

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use topdd::ProcessFault;

/// A message to one process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Message<T> {
    /// The rank of the receiver.
    pub(crate) to: u32,
    /// The rank of the sender.
    pub(crate) from: u32,
    pub(crate) content: T,
}

/// The content of a message that does not come from a sweep.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Control {
    /// The process of a rank failed, with this message. All processes send it to all others.
    Failure { rank: u32, fault: ReportedFault, message: String },
    /// The sender takes part in no level from this one on.
    Goodbye(u64),
    /// The sender is alive.
    Heartbeat,
}

/// The kind of a failure that a process reports.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum ReportedFault {
    Failed,
    Checkpoint,
    Lost,
    Different,
    Unreadable,
}

impl From<ProcessFault> for ReportedFault {
    fn from(fault: ProcessFault) -> Self {
        match fault {
            ProcessFault::Checkpoint => ReportedFault::Checkpoint,
            ProcessFault::Lost => ReportedFault::Lost,
            ProcessFault::Different => ReportedFault::Different,
            ProcessFault::Unreadable => ReportedFault::Unreadable,
            _ => ReportedFault::Failed,
        }
    }
}

impl From<ReportedFault> for ProcessFault {
    fn from(fault: ReportedFault) -> Self {
        match fault {
            ReportedFault::Failed => ProcessFault::Failed,
            ReportedFault::Checkpoint => ProcessFault::Checkpoint,
            ReportedFault::Lost => ProcessFault::Lost,
            ReportedFault::Different => ProcessFault::Different,
            ReportedFault::Unreadable => ProcessFault::Unreadable,
        }
    }
}

/// Bytes that are encoded and decoded as a whole.
#[derive(Clone)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BytesVisitor;

        impl Visitor<'_> for BytesVisitor {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }
        }

        deserializer.deserialize_byte_buf(BytesVisitor)
    }
}

/// A level and a batch of it, in lexicographic order.
///
/// A `u64` is the timestamp in the dataflow: the level in the high half, and the batch in the low
/// one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Time {
    pub(crate) level: u64,
    pub(crate) batch: u64,
}

impl Time {
    pub(crate) const START: Time = Time { level: 0, batch: 0 };

    pub(crate) fn to_stamp(self) -> u64 {
        debug_assert!(self.level < 1 << 32 && self.batch < 1 << 32, "halves of a word");
        self.level << 32 | self.batch
    }

    pub(crate) fn from_stamp(stamp: u64) -> Self {
        Time { level: stamp >> 32, batch: stamp & u64::from(u32::MAX) }
    }
}
