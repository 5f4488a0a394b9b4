//! The spec author's test kit.
