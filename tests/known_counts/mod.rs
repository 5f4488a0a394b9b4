//! Published counts, in every formulation, by counting alone and by diagram.
//!
//! The counts are from the On-Line Encyclopedia of Integer Sequences; the comment at each table names
//! the sequence. Where the solutions are few, each is listed and verified by the definition of the
//! problem, without a spec.
//!
//! Long tests are ignored by default. This command runs them:
//!
//! ```sh
//! cargo test --release --workspace -- --ignored
//! ```

mod knights;
mod paths;
mod queens;

use num_bigint::BigUint;
use topdd::Frontier;

/// The method of counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// By a sweep that stores no diagram.
    CountOnly,
    /// By the diagram.
    Diagram,
}
use Way::{CountOnly, Diagram};

const BOTH_WAYS: [Way; 2] = [CountOnly, Diagram];

fn count(mut frontier: Frontier<'_>, way: Way) -> BigUint {
    match way {
        CountOnly => frontier.count().unwrap(),
        Diagram => frontier.zdd().unwrap().count(),
    }
}
