//! Tests that cross crates. One program, because each takes seconds to link.

mod apply;
mod bounded;
mod combinations;
mod combine;
mod constraints;
mod dddmp;
mod graphillion;
mod known_counts;
mod links;
mod modules;
mod pitfalls;
mod planted_mistakes;
mod spec_against_brute_force;
