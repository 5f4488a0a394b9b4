//! Graphviz DOT.

use super::shape::{Title, arrows};
use crate::diagram::store::{NodeId, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use std::fmt::Display;
use std::io::{self, BufWriter, Write};

impl<R: DiagramRule> Diagram<R> {
    /// Returns the diagram in the DOT language of Graphviz, for `dot -Tsvg` and similar programs.
    ///
    /// Nodes are in ranks by level and have the name of their variable, edges their values. Edges
    /// of several values to one child are drawn as one. The 0-terminal and the edges to it are left
    /// out, unless there is nothing else. The edge of value 0 of a two-valued node is dashed. An
    /// arrow enters the root. The title has the number of variables and the rule of skipped ones.
    ///
    /// Cost: linear in the edges.
    ///
    /// ```
    /// let dot = topdd::Zdd::from_solutions([2, 2], [[1, 0]])?.to_dot();
    /// assert!(dot.starts_with("digraph Zdd {") && dot.contains(r#"n2 [label="x0"]"#));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    #[doc(alias("to_dot_string", "Cudd_DumpDot"))]
    pub fn to_dot(&self) -> String {
        let mut text = Vec::new();
        self.write_dot(&mut text).expect("writing to memory does not fail");
        String::from_utf8(text).expect("DOT is written as text")
    }

    /// Writes the text of [`to_dot`](Diagram::to_dot) through a buffer.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn write_dot<W: Write>(&self, mut out: W) -> io::Result<()> {
        let title = Title { name: R::NAME, rule: R::RULE, store: &self.store };
        write(&title, &mut out)
    }
}

fn write(title: &Title<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (mut out, &Title { name, store, .. }) = (BufWriter::new(out), title);
    out.write_all(
        head(name, &format!("  label=\"{title}\";\n"), "shape=circle, margin=0.04").as_bytes(),
    )?;
    for level in store.levels().rev() {
        write!(out, "  {{ rank=same;")?;
        for position in 0..level.len() {
            let id = level.first + position as NodeId;
            write!(out, " n{id} [label=\"x{}\"];", level.variable)?;
        }
        writeln!(out, " }}")?;
    }
    match store.root {
        ZERO => writeln!(out, "  n0 [label=\"0\", shape=box];")?,
        _ => writeln!(out, "  n1 [label=\"1\", shape=box];")?,
    }
    writeln!(out, "  entry -> n{};", store.root)?;
    for level in store.levels().rev() {
        for position in 0..level.len() {
            let id = level.first + position as NodeId;
            for arrow in arrows(store, &level, position) {
                let attributes = edge_attributes(&arrow.label, arrow.is_zero);
                writeln!(out, "  n{id} -> n{}{attributes};", arrow.target)?;
            }
        }
    }
    writeln!(out, "}}")?;
    out.flush()
}

/// The start of a text: the name, the title as a line, the style of nodes and edges, and the start of the arrow that
/// enters the root.
pub(crate) fn head(name: &str, title: &str, nodes: &str) -> String {
    format!(
        "digraph {name} {{\n{title}  \
         graph [fontname=\"sans-serif\", labelloc=t, ranksep=0.5, nodesep=0.3];\n  \
         node [fontname=\"sans-serif\", {nodes}];\n  \
         edge [fontname=\"sans-serif\", fontsize=10, arrowsize=0.6];\n  \
         entry [shape=point, style=invis];\n"
    )
}

/// The attributes of an edge: its label, and dashes for the value 0 of a variable of two values.
pub(crate) fn edge_attributes(label: impl Display, is_zero: bool) -> String {
    let style = if is_zero { ", style=dashed" } else { "" };
    format!(" [label=\"{label}\"{style}]")
}

#[cfg(test)]
mod tests {
    use crate::{DdSpec, SpecExt, Step, bdd, zdd};

    /// Each variable from `first` on has a value of its list.
    struct Lists {
        first: usize,
        arities: Vec<usize>,
        allowed: Vec<&'static [usize]>,
    }

    impl DdSpec for Lists {
        type State = ();
        fn num_vars(&self) -> usize {
            self.arities.len()
        }
        fn arity(&self, variable: usize) -> usize {
            self.arities[variable]
        }
        fn root(&self) -> Step<()> {
            self.step(self.first)
        }
        fn child(&self, (): &(), variable: usize, value: usize) -> Step<()> {
            let allowed = self.allowed[variable - self.first].contains(&value);
            if allowed { self.step(variable + 1) } else { Step::Zero }
        }
    }

    impl Lists {
        fn step(&self, variable: usize) -> Step<()> {
            if variable == self.num_vars() { Step::One } else { Step::To(variable, ()) }
        }
    }

    #[test]
    fn a_small_zdd() {
        // {2} and {1, 2}, of {0, 1, 2}.
        let spec = Lists { first: 1, arities: vec![2; 3], allowed: vec![&[0, 1], &[1]] }.boxed();
        assert_eq!(
            zdd(&spec).unwrap().to_dot(),
            r#"digraph Zdd {
  label="Zdd over 3 variables: skipped variables are 0";
  graph [fontname="sans-serif", labelloc=t, ranksep=0.5, nodesep=0.3];
  node [fontname="sans-serif", shape=circle, margin=0.04];
  edge [fontname="sans-serif", fontsize=10, arrowsize=0.6];
  entry [shape=point, style=invis];
  { rank=same; n3 [label="x1"]; }
  { rank=same; n2 [label="x2"]; }
  n1 [label="1", shape=box];
  entry -> n3;
  n3 -> n2 [label="0", style=dashed];
  n3 -> n2 [label="1"];
  n2 -> n1 [label="1"];
}
"#
        );
    }

    /// Two families, each under its own rule, may have equal nodes.
    #[test]
    fn the_title_distinguishes_families_with_the_same_nodes() {
        let spec = |arities: &[usize]| {
            let allowed: Vec<&[usize]> = vec![&[0]];
            Lists { first: arities.len() - 1, arities: arities.to_vec(), allowed }.boxed()
        };
        let title = |dot: &str| dot.lines().nth(1).map(str::trim).unwrap().to_owned();
        for (arities, over) in [
            (&[2][..], "1 variable"),
            (&[2; 5], "5 variables"),
            (&[1, 1], "2 variables of 1 value"),
            (&[3; 2], "2 variables of 3 values"),
            (&[4, 2, 3], "3 variables of 2 to 4 values"),
        ] {
            let of_zdd = zdd(&spec(arities)).unwrap().to_dot();
            let of_bdd = bdd(&spec(arities)).unwrap().to_dot();
            let expected = format!("label=\"Zdd over {over}: skipped variables are 0\";");
            assert_eq!(title(&of_zdd), expected);
            let expected =
                format!("label=\"Bdd over {over}: skipped variables may have any value\";");
            assert_eq!(title(&of_bdd), expected);
        }
    }

    #[test]
    fn terminals() {
        let none = Lists { first: 0, arities: vec![2; 2], allowed: vec![&[], &[]] }.boxed();
        assert_eq!(
            zdd(&none).unwrap().to_dot(),
            r#"digraph Zdd {
  label="Zdd over 2 variables: skipped variables are 0";
  graph [fontname="sans-serif", labelloc=t, ranksep=0.5, nodesep=0.3];
  node [fontname="sans-serif", shape=circle, margin=0.04];
  edge [fontname="sans-serif", fontsize=10, arrowsize=0.6];
  entry [shape=point, style=invis];
  n0 [label="0", shape=box];
  entry -> n0;
}
"#
        );
        let nothing_to_choose =
            Lists { first: 0, arities: Vec::new(), allowed: Vec::new() }.boxed();
        assert_eq!(
            bdd(&nothing_to_choose).unwrap().to_dot(),
            r#"digraph Bdd {
  label="Bdd over 0 variables: skipped variables may have any value";
  graph [fontname="sans-serif", labelloc=t, ranksep=0.5, nodesep=0.3];
  node [fontname="sans-serif", shape=circle, margin=0.04];
  edge [fontname="sans-serif", fontsize=10, arrowsize=0.6];
  entry [shape=point, style=invis];
  n1 [label="1", shape=box];
  entry -> n1;
}
"#
        );
    }

    #[test]
    fn diagrams_of_more_than_two_values_are_refused() {
        let spec = Lists { first: 0, arities: vec![3, 2], allowed: vec![&[0, 2], &[0]] }.boxed();
        assert_eq!(
            bdd(&spec).unwrap().to_dot(),
            r#"digraph Bdd {
  label="Bdd over 2 variables of 2 to 3 values: skipped variables may have any value";
  graph [fontname="sans-serif", labelloc=t, ranksep=0.5, nodesep=0.3];
  node [fontname="sans-serif", shape=circle, margin=0.04];
  edge [fontname="sans-serif", fontsize=10, arrowsize=0.6];
  entry [shape=point, style=invis];
  { rank=same; n3 [label="x0"]; }
  { rank=same; n2 [label="x1"]; }
  n1 [label="1", shape=box];
  entry -> n3;
  n3 -> n2 [label="0, 2"];
  n2 -> n1 [label="0", style=dashed];
}
"#
        );
    }
}
