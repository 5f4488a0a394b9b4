//! SVG, without Graphviz.
//!
//! `layout` computes positions, `draw` writes the text.

mod draw;
mod layout;
#[cfg(test)]
mod tests;

use super::picture::Title;
use crate::diagram::{Diagram, DiagramRule};
use crate::query::DomainPass;
use crate::{Configurator, FileError};
use layout::Layout;

/// Options of [`Diagram::to_svg`].
///
/// ```
/// use topdd::{FileError, Zdd, format::SvgOptions};
///
/// let subsets = Zdd::full([2; 8])?; // 8 nodes
/// let small = SvgOptions::new().limit(5);
/// assert!(matches!(subsets.to_svg(&small), Err(FileError::TooLargeToDraw { nodes: 8, .. })));
/// assert!(subsets.to_svg(&SvgOptions::new())?.starts_with("<svg"));
/// # Ok::<(), topdd::FileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SvgOptions {
    limit: usize,
}

impl SvgOptions {
    /// The default limit: about as many nodes as can be distinguished in a picture.
    const LIMIT: usize = 500;

    /// Returns the defaults: at most 500 nodes.
    pub fn new() -> Self {
        SvgOptions { limit: Self::LIMIT }
    }

    /// Sets the maximum number of nodes that are drawn; there may be twice as many edges.
    pub fn limit(mut self, nodes: usize) -> Self {
        self.limit = nodes;
        self
    }
}

impl Default for SvgOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: DiagramRule> Diagram<R> {
    /// Draws a small diagram as SVG, legible on light and dark pages.
    ///
    /// Nodes are in rows by level, with the variable at the left, from the root at the top to the
    /// 1-terminal, a box, at the bottom. Edges have their values. Edges of several values to one
    /// child are drawn as one, and long edges to one child are bundled. The edge of value 0 of a
    /// two-valued node is dashed. The 0-terminal and the edges to it are left out, unless there is
    /// nothing else. The same diagram gives the same picture.
    ///
    /// Within each row nodes are ordered so that few edges cross, by the barycentres of
    /// their neighbours (Sugiyama, Tagawa and Toda, "Methods for visual understanding of
    /// hierarchical system structures", 1981).
    ///
    /// Cost: time and size grow with the nodes and with the levels that edges skip.
    ///
    /// # Errors
    ///
    /// [`FileError::TooLargeToDraw`] when there are more nodes than [`SvgOptions::limit`], or more than
    /// twice as many edges.
    pub fn to_svg(&self, options: &SvgOptions) -> Result<String, FileError> {
        picture(self, options, || None)
    }

    /// Writes the text of [`to_svg`](Diagram::to_svg).
    ///
    /// ```
    /// use topdd::{Zdd, format::SvgOptions};
    ///
    /// let mut picture = Vec::new();
    /// Zdd::full([2, 3])?.write_svg(&mut picture, &SvgOptions::new())?;
    /// assert!(picture.starts_with(b"<svg"));
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FileError::TooLargeToDraw`] where [`to_svg`](Diagram::to_svg) fails, and [`FileError::Io`] when
    /// `out` fails.
    pub fn write_svg<W: std::io::Write>(
        &self,
        mut out: W,
        options: &SvgOptions,
    ) -> Result<(), FileError> {
        let text = self.to_svg(options)?;
        out.write_all(text.as_bytes()).map_err(FileError::stream("write a picture"))
    }
}

impl<R: DiagramRule> Configurator<R> {
    /// Draws the diagram as [`Diagram::to_svg`] does, and marks the solutions that are left: their nodes and edges have
    /// the class `left`. The title of each of these nodes has the number of its completions that are left; the other
    /// nodes have 0.
    ///
    /// Cost: one pass down, and the cost of the picture.
    ///
    /// ```
    /// use topdd::format::SvgOptions;
    ///
    /// let mut party = topdd::bdd(&topdd::constraint::all_different([3; 3]))?.configure()?;
    /// party.choose(0, 2)?;
    /// let picture = party.to_svg(&SvgOptions::new()).expect("it is small");
    /// assert_eq!(picture.matches("\"node left\"").count(), 4);
    /// assert_eq!(picture.matches("\"node\"").count(), 3);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Diagram::to_svg`].
    pub fn to_svg(&self, options: &SvgOptions) -> Result<String, FileError> {
        picture(self.diagram(), options, || Some(self.part_left()))
    }
}

/// The picture of a diagram, with a part of it marked, which is computed if the diagram is small enough.
fn picture<'a, R: DiagramRule>(
    diagram: &'a Diagram<R>,
    options: &SvgOptions,
    part: impl FnOnce() -> Option<DomainPass<'a>>,
) -> Result<String, FileError> {
    let store = &*diagram.store;
    let (nodes, limit) = (diagram.node_count(), options.limit);
    // Counted for few nodes only.
    let edges = |most: usize| -> usize {
        let of_nodes = store.levels().flat_map(|level| (0..level.len()).map(move |n| (level, n)));
        of_nodes.take(most).map(|(l, n)| super::picture::arrows(store, &l, n).len()).sum()
    };
    let edges = if nodes > limit { nodes } else { edges(limit) };
    if nodes > limit || edges > limit.saturating_mul(2) {
        return Err(FileError::TooLargeToDraw { nodes, edges, limit });
    }
    let part = part();
    let part = part.as_ref();
    let layout = Layout::new(store, part);
    let title = Title { name: R::NAME, rule: R::RULE, store };
    let mut text = String::new();
    draw::draw(&mut text, &title, &layout, part).expect("writing to memory does not fail");
    Ok(text)
}
