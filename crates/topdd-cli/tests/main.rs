//! The command as its users run it. One program, because each takes seconds to link.

mod bounded;
mod checkpoint;
#[cfg(feature = "cluster")]
mod cluster;
mod cnf;
mod command;
mod configure;
mod cover;
mod docs;
mod files;
mod graph;
mod knights;
mod memory;
mod names;
mod numbers;
mod opb;
#[cfg(feature = "png")]
mod pictures;
mod queens;
mod saved_graphs;
mod spill;
mod support;
#[cfg(feature = "web")]
mod web;
