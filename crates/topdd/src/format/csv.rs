//! Tables of widths.

use crate::diagram::{Diagram, DiagramRule};
use std::io::{self, Write};

impl<R: DiagramRule> Diagram<R> {
    /// Writes the width of each level as comma-separated values: a line of names,
    /// `variable,arity,nodes`, and a line for each variable from the root down. Cost: linear in the
    /// number of variables.
    ///
    /// ```
    /// let mut text = Vec::new();
    /// topdd::Zdd::full([2; 3])?.write_widths_csv(&mut text).expect("memory does not fail");
    /// assert_eq!(text, b"variable,arity,nodes\n0,2,1\n1,2,1\n2,2,1\n");
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn write_widths_csv<W: Write>(&self, mut out: W) -> io::Result<()> {
        writeln!(out, "variable,arity,nodes")?;
        let mut levels = self.store.levels().rev().peekable();
        for variable in 0..self.num_vars() {
            let level = levels.next_if(|level| level.variable == variable);
            let nodes = level.map_or(0, |level| level.len());
            writeln!(out, "{variable},{},{nodes}", self.arity(variable))?;
        }
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use crate::check::RandomSpec;
    use crate::{bdd, zdd};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_table_is_of_the_widths(seed: u64) {
            let spec = RandomSpec::new(seed);
            let diagram = zdd(&spec).unwrap();
            let (mut text, mut of_bdd) = (Vec::new(), Vec::new());
            diagram.write_widths_csv(&mut text).unwrap();
            bdd(&spec).unwrap().write_widths_csv(&mut of_bdd).unwrap();
            let text = String::from_utf8(text).unwrap();
            prop_assert_eq!(of_bdd.split(|&byte| byte == b'\n').count(), text.split('\n').count());
            let mut lines = text.lines();
            prop_assert_eq!(lines.next(), Some("variable,arity,nodes"));
            let most = diagram.widths().into_iter().max().filter(|&width| width > 0);
            let first = diagram.widths().into_iter().position(|width| Some(width) == most);
            prop_assert_eq!(diagram.widest(), first.zip(most));
            for (variable, width) in diagram.widths().into_iter().enumerate() {
                let line = format!("{variable},{},{width}", spec.arities()[variable]);
                prop_assert_eq!(lines.next(), Some(&line[..]));
            }
            prop_assert_eq!(lines.next(), None);
        }
    }
}
