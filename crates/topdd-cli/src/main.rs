//! The `topdd` command.

fn main() {}
