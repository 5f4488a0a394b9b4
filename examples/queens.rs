//! Queens.
fn main() {}
