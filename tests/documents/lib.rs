//! The examples of the README and of the book as tests. Most use several crates.
//!
//! `tests/links.rs` checks that each page with an example is in this list.

/// Makes the examples of each document doctests.
macro_rules! documents {
    ($($name:ident: $path:literal)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!($path)]
            struct $name;
        )*
    };
}

documents! {
    Readme: "../../README.md"
    Apply: "../../docs/src/apply.md"
    Bounded: "../../docs/src/bounded.md"
    Cluster: "../../docs/src/cluster.md"
    Constraints: "../../docs/src/constraints.md"
    Covers: "../../docs/src/covers.md"
    Files: "../../docs/src/files.md"
    FromTdzdd: "../../docs/src/from_tdzdd.md"
    Graphs: "../../docs/src/graphs.md"
    Queries: "../../docs/src/queries.md"
    Runs: "../../docs/src/runs.md"
    Spec: "../../docs/src/spec.md"
    Tutorial: "../../docs/src/tutorial.md"
}
