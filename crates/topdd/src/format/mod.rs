//! Diagrams as files and pictures.
//!
//! | format | written by | read by | for |
//! | --- | --- | --- | --- |
//! | [`native`] | [`save`], [`write_to`] | [`load`], [`read_from`] | keeping a diagram |
//! | JSON, with the feature `json` | `write_json` | `read_json` | other programs |
//! | DOT | [`write_dot`], [`to_dot`] | | pictures by Graphviz |
//! | SVG | [`write_svg`](crate::Diagram::write_svg), [`to_svg`](crate::Diagram::to_svg) | | pictures of small diagrams, by topdd alone |
//! | CSV | [`write_widths_csv`] | | the nodes at each variable, for a table or a plot |
//! | [others](interchange) | `write_...` | `read_...` | two-valued diagrams: Sapporo, Graphillion, DDDMP, lib-bdd |
//!
//! A native file may carry [`Metadata`]: the problem, and names of variables and values.
//!
//! ```
//! use topdd::Zdd;
//!
//! let zdd = Zdd::from_solutions([2, 3], [[1, 2], [0, 0]])?;
//! let (mut native, mut csv) = (Vec::new(), Vec::new());
//! zdd.write_to(&mut native).unwrap();
//! assert_eq!(Zdd::read_from(&native[..]).unwrap(), zdd);
//! zdd.write_widths_csv(&mut csv).unwrap();
//! assert_eq!(csv, b"variable,arity,nodes\n0,2,1\n1,3,1\n");
//! # Ok::<(), topdd::QueryError>(())
//! ```
//!
//! All are methods of [`Diagram`](crate::Diagram). [`AnyDiagram`] reads files of either
//! rule. Writers stream: none copies the nodes. Readers return an [`Error`](crate::FileError) with the
//! position where the input is wrong, and allocate at most a small multiple of the input's size.
//!
//! [`save`]: crate::Diagram::save
//! [`load`]: crate::Diagram::load
//! [`write_to`]: crate::Diagram::write_to
//! [`read_from`]: crate::Diagram::read_from
//! [`write_dot`]: crate::Diagram::write_dot
//! [`to_dot`]: crate::Diagram::to_dot
//! [`write_widths_csv`]: crate::Diagram::write_widths_csv

mod any;
mod csv;
mod dot;
pub mod interchange;
#[cfg(feature = "json")]
pub mod json;
mod metadata;
pub mod native;
mod picture;
mod svg;

pub use crate::file::AtomicFile;
pub use any::AnyDiagram;
pub use metadata::{Iter as MetadataIter, Metadata};
pub use svg::SvgOptions;
