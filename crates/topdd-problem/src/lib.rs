#![doc = include_str!("../README.md")]
//!
//! # Inner design
//!
//! A value of the type [`Problem`](problem::Problem) states which problem is solved and with which parameters. A front end
//! (the command, the Python package) converts the input of its user into this value; the functions of this crate do the
//! rest.
//!
//! ```text
//! text, objects ──▶ Family + conditions ──▶ GraphSets ──sweep──▶ Zdd ──▶ Elements: names, lines, pictures
//!  (front end)            │                                       │
//!                         └──────────── Record (JSON) ◀───────────┘   beside the diagram in a file
//! ```
//!
//! | module | owns |
//! | --- | --- |
//! | [`family`] | [`Family`]: a family of a graph with its parameters; its sets, its description in words, the roles of its vertices (start, end, root, terminal) |
//! | [`condition`] | [`Condition`]: what restricts a family before a sweep, or a diagram after it |
//! | [`board`] | queens, other pieces and tours, with their descriptions in words |
//! | [`bounded`] | the best solution within bounds: options, whether states merge, and the words for the end of a run |
//! | [`cover`] | exact covers: the order of their options, and their files |
//! | [`rules`] | [`Rules`]: variables with values, and the constraints and specs that they satisfy |
//! | [`opb`] | [`OpbFile`]: linear constraints over Boolean variables, and an objective, in a file |
//! | [`problem`] | [`Problem`]: a family, a board, an exact cover or rules, and combinations of several: count, build, predict |
//! | [`error`] | [`ProblemError`], and the digest of a problem |
//! | [`elements`] | what edges, vertices and colours are called; converts lists of names to the numbers of elements, and solutions to lines of text |
//! | [`names`] | one name: how it is printed, quoted and found |
//! | [`decimal`] | exact numbers with decimals: weights, bounds, probabilities |
//! | [`limits`] | reads and writes sizes in bytes, durations and numbers of threads as text |
//! | [`dialogue`] | decisions one by one: their consequences, reasons, undo, the texts of messages, and a page in the browser |
//! | [`record`] | what a saved diagram says about its problem: one writer, one reader |
//!
//! Elements are numbered by their problem: the edges or vertices of a graph in the order in which the graph was given.
//! Variables are numbered by a diagram, whose *order* has the element of each variable. Conditions and families are about
//! elements and vertices, never about variables.
//!
//! Errors about families, conditions and names are enums with data, and each front end writes the message with the names
//! of its own options or arguments. The modules `limits` and `dialogue` return finished messages.

pub mod board;
pub mod bounded;
pub mod condition;
pub mod cover;
pub mod decimal;
pub mod dialogue;
pub mod elements;
pub mod error;
pub mod family;
pub mod limits;
pub mod names;
pub mod opb;
pub mod problem;
pub mod record;
pub mod rules;

pub use board::{
    PiecesProblem, Placing, QueensEncoding, QueensProblem, TourSymmetry, ToursEncoding,
    ToursProblem, Turn,
};
pub use condition::{Condition, ConditionError, On, Run, SumBounds, Unlimited};
pub use cover::{Cover, CoverFile, CoverFileError};
pub use decimal::{Decimal, Scale};
pub use dialogue::{CellTable, Placement, Weighing};
pub use elements::{Element, GraphElements, GraphNames, GraphRecord, NameError};
pub use error::ProblemError;
pub use family::{DegreeCount, Family, FamilyKind, ParameterError, PerVertex};
pub use limits::Bytes;
pub use names::{Ambiguous, Name, NameIndex, Nouns};
pub use opb::{Objective, OpbError, OpbFile};
pub use problem::{Problem, SetOperation};
pub use record::{ElementWeights, Elements, Loss, Record, Subject};
pub use rules::Rules;
