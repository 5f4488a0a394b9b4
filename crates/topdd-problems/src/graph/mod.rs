//! Problems on graphs.
