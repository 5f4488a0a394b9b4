//! Membership.

use crate::QueryError;
use crate::diagram::store::{FIRST_NODE, ONE};
use crate::diagram::{Diagram, DiagramRule};

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
        let mut node = self.store.root;
        let mut below = self.store.level_count();
        let mut next = 0;
        loop {
            let level = (node >= FIRST_NODE).then(|| self.store.level_of(node, below));
            let at = level.map_or(self.num_vars(), |index| self.store.level(index).variable);
            if node < FIRST_NODE && node != ONE {
                return Ok(false);
            }
            if !assignment[next..at].iter().all(|&value| R::RULE.allows(value)) {
                return Ok(false);
            }
            let Some(index) = level else {
                return Ok(true);
            };
            let level = self.store.level(index);
            node = level.child((node - level.first) as usize, assignment[at]);
            next = at + 1;
            below = index;
            if below == 0 && node >= FIRST_NODE {
                unreachable!("children are below their parents");
            }
        }
    }

    /// Fails if the values are not an assignment to the variables of this diagram.
    pub(crate) fn check_assignment(&self, assignment: &[usize]) -> Result<(), QueryError> {
        self.store.arities.check_assignment(assignment)
    }
}
