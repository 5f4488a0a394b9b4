//! Sweeps over specs that no library contains: limits, disk, threads, alike variables, forced states, joined states, wide
//! numbers, and problems with published counts. In this crate, because tests that cross crates are not
//! optimised.

mod alike;
mod disk;
mod forced;
mod joined;
mod panics;
mod seven_problems;
mod spec_changes;
mod threads;
mod wide_counts;
