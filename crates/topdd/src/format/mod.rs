//! Diagrams as files and pictures.
//!
//! | format | written by | read by | for |
//! | --- | --- | --- | --- |
//! | [`native`] | [`save`], [`write_to`] | [`load`], [`read_from`] | keeping a diagram |
//! | [JSON](json) | [`write_json`] | [`read_json`] | other programs |
//! | DOT | [`write_dot`], [`to_dot`] | | pictures by Graphviz |
//! | SVG | [`write_svg`](crate::Diagram::write_svg), [`to_svg`](crate::Diagram::to_svg) | | pictures of small diagrams, by topdd alone |
//! | CSV | [`write_widths_csv`] | | the nodes at each variable, for a table or a plot |
//! | [others](interchange) | `write_...` | `read_...` | two-valued diagrams: Sapporo, Graphillion, DDDMP, lib-bdd |
//!
//! All are methods of [`Diagram`](crate::Diagram). Where it is not known which rule a file's
//! diagram is read by, [`AnyDiagram`] reads either. Writers stream: none copies the nodes.
//! Readers answer an [`Error`](crate::Error) that says where the input is wrong, and never ask
//! for more memory than a small multiple of what they have been given.
//!
//! [`save`]: crate::Diagram::save
//! [`load`]: crate::Diagram::load
//! [`write_to`]: crate::Diagram::write_to
//! [`read_from`]: crate::Diagram::read_from
//! [`write_json`]: crate::Diagram::write_json
//! [`read_json`]: crate::Diagram::read_json
//! [`write_dot`]: crate::Diagram::write_dot
//! [`to_dot`]: crate::Diagram::to_dot
//! [`write_widths_csv`]: crate::Diagram::write_widths_csv

mod any;
mod csv;
mod dot;
pub mod interchange;
pub mod json;
pub mod native;
mod picture;
mod svg;

pub use crate::file::AtomicFile;
pub use any::AnyDiagram;
pub use svg::SvgOptions;
