//! The examples of the README, which use several crates, as tests.

/// See the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
