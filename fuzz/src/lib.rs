//! Common parts of the targets.

use std::fmt::Debug;
use topdd::format::interchange::ReadOptions;
use topdd::{Diagram, FileError, diagram::DiagramRule};

/// Reads `data` in the ways that options make a difference; a diagram that can be read is written and
/// read again.
pub fn read_all<R: DiagramRule>(
    data: &[u8],
    read: impl Fn(&[u8], &ReadOptions) -> Result<Diagram<R>, FileError>,
    write: impl Fn(&Diagram<R>, &mut Vec<u8>) -> Result<(), FileError>,
) where
    Diagram<R>: Debug,
{
    for options in [ReadOptions::new(), ReadOptions::new().num_vars(50).root(1)] {
        let Ok(diagram) = read(data, &options) else { continue };
        let mut text = Vec::new();
        match write(&diagram, &mut text) {
            Ok(()) => {
                let options = ReadOptions::new().num_vars(diagram.num_vars());
                assert_eq!(read(&text, &options).expect("it was written here"), diagram);
            }
            Err(FileError::TooLargeForFormat { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
}
