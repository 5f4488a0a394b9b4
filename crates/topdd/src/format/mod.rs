//! Diagrams as text and files.

mod dot;
