//! The examples of the README and of pages of the book that use several crates, as tests.

/// See the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// See the page of the book.
#[cfg(doctest)]
#[doc = include_str!("../../docs/src/apply.md")]
struct Apply;
