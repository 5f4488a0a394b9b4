//! Membership.

use crate::diagram::store::{FIRST_NODE, NodeId, ONE, Store};
use crate::diagram::{Diagram, DiagramRule};
use crate::{QueryError, Rule};

impl<R: DiagramRule> Diagram<R> {
    /// Returns whether `assignment`, one value for each variable, is a solution. Cost: one step for
    /// each node on its path.
    ///
    /// ```
    /// let few = topdd::zdd(&topdd::constraint::at_most(3, 1))?;
    /// assert!(few.contains(&[0, 1, 0])?);
    /// assert!(!few.contains(&[0, 1, 1])?);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one value for each variable, or a value is out of range.
    pub fn contains(&self, assignment: &[usize]) -> Result<bool, QueryError> {
        self.check_assignment(assignment)?;
        let mut cursor = self.store.cursor();
        for (variable, &value) in assignment.iter().enumerate() {
            let next = self.store.advance(R::RULE, cursor, variable, value);
            let Some(next) = next else { return Ok(false) };
            cursor = next;
        }
        Ok(cursor.is_solution())
    }

    /// Fails if the values are not an assignment to the variables of this diagram.
    pub(crate) fn check_assignment(&self, assignment: &[usize]) -> Result<(), QueryError> {
        self.store.arities.check_assignment(assignment)
    }
}

impl Store {
    /// The position before the first variable.
    #[inline]
    pub(crate) fn cursor(&self) -> Cursor {
        self.cursor_at(self.root, self.level_count())
    }

    /// Decides the next variable. `None` if no solution begins with the values decided.
    #[inline]
    pub(crate) fn advance(
        &self,
        rule: Rule,
        cursor: Cursor,
        variable: usize,
        value: usize,
    ) -> Option<Cursor> {
        if variable < cursor.variable {
            let allowed = rule.allows(value) && (cursor.node >= FIRST_NODE || cursor.node == ONE);
            return allowed.then_some(cursor);
        }
        let level = self.level(cursor.level);
        let child = level.child((cursor.node - level.first) as usize, value);
        (child >= FIRST_NODE || child == ONE).then(|| self.cursor_at(child, cursor.level))
    }

    /// The position at a node, which is below a level.
    #[inline]
    fn cursor_at(&self, node: NodeId, below: usize) -> Cursor {
        if node < FIRST_NODE {
            return Cursor { node, level: below, variable: usize::MAX };
        }
        let level = self.level_of(node, below);
        Cursor { node, level, variable: self.level(level).variable }
    }
}

/// A position in a diagram between two variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    node: NodeId,
    /// The level of the node.
    level: usize,
    /// The variable of the node, which is decided next or later; `usize::MAX` at a terminal.
    variable: usize,
}

impl Cursor {
    /// The node at which the undecided variables are decided, or the 1-terminal.
    pub(crate) fn node(self) -> NodeId {
        self.node
    }

    /// Whether the values decided are a solution, if all variables are decided.
    pub(crate) fn is_solution(self) -> bool {
        self.node == ONE
    }
}
