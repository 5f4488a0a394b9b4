//! The extension module of the Python package `topdd`.
//!
//! | module | contents |
//! | --- | --- |
//! | `graph`, `graph_families`, `degrees` | the class `Graph`; its families; their arguments |
//! | `generators`, `reliability` | well-known graphs; the reliability of a network |
//! | `family`, `conditions` | the class `Family`; the conditions of families and diagrams |
//! | `diagram` | the class `Diagram`: sequence, algebra, queries, files, lists of sets |
//! | `solution`, `positions`, `universe` | the classes `Solution` and `Solutions`; indices and slices; the objects that solutions consist of |
//! | `run`, `errors` | limits, signals and progress; exceptions |
//! | `directions` | edges in both directions, names in two forms |
//! | `convert`, `weights` | numbers of Python and of Rust; weights and probabilities of elements |
//! | `puzzles`, `pictures`, `report` | boards; SVG; figures of sweeps |
//!
//! Objects of Python stay on the thread that holds the interpreter: work that may take long gets the data of the
//! libraries alone, and runs detached from the interpreter.

mod conditions;
mod convert;
mod degrees;
mod diagram;
mod directions;
mod errors;
mod family;
mod generators;
mod graph;
mod graph_families;
mod pictures;
mod positions;
mod puzzles;
mod reliability;
mod report;
mod run;
mod solution;
mod universe;
mod weights;

use pyo3::prelude::*;

// Free threading is not claimed, as it is not tested.
#[pymodule(name = "_topdd", gil_used = true)]
mod module {
    #[pymodule_export]
    use crate::convert::check_unread;
    #[pymodule_export]
    use crate::diagram::Diagram;
    #[pymodule_export]
    use crate::directions::{check_directions, later_directions, note_of_forms};
    #[pymodule_export]
    use crate::family::Family;
    #[pymodule_export]
    use crate::graph::Graph;
    #[pymodule_export]
    use crate::graph_families::families;
    #[pymodule_export]
    use crate::pictures::Picture;
    #[pymodule_export]
    use crate::puzzles::{knights, pieces, queens};
    #[pymodule_export]
    use crate::report::{Prediction, Report};
    #[pymodule_export]
    use crate::run::check_limits;
    #[pymodule_export]
    use crate::solution::{Solution, Solutions};
}
