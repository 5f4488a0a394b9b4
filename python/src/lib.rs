//! The extension module of the Python package `topdd`.
//!
//! | module | contents |
//! | --- | --- |
//! | `graph`, `graph_families`, `degrees` | the class `Graph`; its families; their arguments |
//! | `generators`, `reliability` | well-known graphs; the reliability of a network |
//! | `family`, `conditions` | the class `Family`; the conditions of families and diagrams |
//! | `bounded` | the best solution, and counts, within bounds |
//! | `constraints`, `scope`, `values` | constraints on variables; their arguments; the values of variables, and colours of vertices |
//! | `formulas` | formulas, clauses, and linear constraints in files |
//! | `manager`, `function`, `attached` | the classes `Manager` and `Function`; managers between and during calls |
//! | `specs`, `verify` | rules that are functions of Python; their comparison with a predicate |
//! | `diagram` | the class `Diagram`: sequence, algebra, queries, files, lists of sets |
//! | `solution`, `positions` | the classes `Solution` and `Solutions`; indices and slices |
//! | `universe`, `state` | the objects that solutions consist of; their combinations, pickles and files |
//! | `run`, `errors` | limits, signals and progress; exceptions |
//! | `directions` | edges in both directions, names in two forms |
//! | `convert`, `weights` | numbers and other arguments of Python; weights and probabilities of elements |
//! | `puzzles`, `pictures`, `report` | boards and exact covers; SVG; figures of sweeps |
//!
//! Objects of Python stay on the thread that holds the interpreter: work that may take long gets the data of the
//! libraries alone, and runs detached from the interpreter.

mod attached;
mod bounded;
mod conditions;
mod constraints;
mod convert;
mod degrees;
mod diagram;
mod directions;
mod errors;
mod family;
mod formulas;
mod function;
mod generators;
mod graph;
mod graph_families;
mod manager;
mod pictures;
mod positions;
mod puzzles;
mod reliability;
mod report;
mod run;
mod scope;
mod solution;
mod specs;
mod state;
mod universe;
mod values;
mod verify;
mod weights;

use pyo3::prelude::*;

// Free threading is not claimed, as it is not tested.
#[pymodule(name = "_topdd", gil_used = true)]
mod module {
    #[pymodule_export]
    use crate::{
        bounded::{BoundedBest, CountEstimate},
        constraints::constraints,
        convert::check_unread,
        diagram::{Configurator, Diagram},
        directions::{check_directions, later_directions, note_of_forms},
        family::Family,
        formulas::{cnf, formula, opb},
        function::{Cubes, Function},
        graph::Graph,
        graph_families::families,
        manager::Manager,
        pictures::Picture,
        puzzles::{exact_cover, knights, pieces, queens},
        report::{Prediction, Report},
        run::check_limits,
        solution::{Solution, Solutions},
        specs::dp,
    };
}
