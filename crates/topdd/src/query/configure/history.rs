//! Decisions taken back, and changes undone and redone.

use super::{Configurator, Decision, DiagramRule};
use crate::QueryError;

/// A change of the decisions that can be undone.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// Decisions were added at the end of the list.
    Taken(Vec<Decision>),
    /// A decision at this position of the list was taken back.
    TakenBack(usize, Decision),
    /// The list, `before`, was replaced by another one.
    Replaced { before: Vec<Decision>, after: Vec<Decision> },
}

impl<R: DiagramRule> Configurator<R> {
    /// Takes back a decision, whenever it was taken.
    ///
    /// Cost: one pass up and one pass down over the diagram.
    ///
    /// # Errors
    ///
    /// [`QueryError::NotDecided`] when it is not in force.
    pub fn take_back(&mut self, decision: Decision) -> Result<(), QueryError> {
        let at = self.decisions.iter().position(|&other| other == decision);
        let at = at.ok_or(QueryError::NotDecided { decision })?;
        self.changed(Change::TakenBack(at, decision));
        Ok(())
    }

    /// Takes back all decisions; [`undo`](Configurator::undo) restores them.
    pub fn reset(&mut self) {
        if !self.decisions.is_empty() {
            self.changed(Change::Replaced { before: self.decisions.clone(), after: Vec::new() });
        }
    }

    /// Takes a decision anyway: takes back the [`opposing`](Configurator::opposing) decisions and takes
    /// this one, as one change. Returns those that it took back.
    ///
    /// Cost: two passes up and one pass down over the diagram.
    ///
    /// # Errors
    ///
    /// As for [`opposing`](Configurator::opposing). Then nothing changes.
    pub fn decide_anyway(&mut self, decision: Decision) -> Result<Vec<Decision>, QueryError> {
        let opposing = self.opposing(decision)?;
        if opposing.is_empty() {
            self.decide(decision)?;
            return Ok(opposing);
        }
        let before = self.decisions.clone();
        let mut after = before.clone();
        after.retain(|other| !opposing.contains(other));
        after.push(decision);
        self.changed(Change::Replaced { before, after });
        Ok(opposing)
    }

    /// Undoes the last change, decisions taken or taken back; `false` if there is none.
    ///
    /// Cost: one pass up and one pass down over the diagram.
    ///
    /// ```
    /// use topdd::Decision;
    ///
    /// let mut game = topdd::Zdd::full([2, 3])?.configure()?;
    /// game.choose(0, 1)?;
    /// game.forbid(1, 2)?;
    /// game.reset();
    /// assert!(game.undo() && game.undo()); // the reset, and the second decision
    /// assert_eq!(game.decisions(), [Decision::is(0, 1)]);
    /// assert!(game.can_redo() && game.redo());
    /// assert_eq!(game.decisions(), [Decision::is(0, 1), Decision::is_not(1, 2)]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn undo(&mut self) -> bool {
        let Some(change) = self.done.pop() else { return false };
        match &change {
            Change::Taken(decisions) => {
                self.decisions.truncate(self.decisions.len() - decisions.len());
            }
            Change::TakenBack(at, decision) => self.decisions.insert(*at, *decision),
            Change::Replaced { before, .. } => self.decisions.clone_from(before),
        }
        self.undone.push(change);
        self.update();
        true
    }

    /// Repeats the last change undone, unless another change came since; `false` if there is none.
    /// Cost as for [`undo`](Configurator::undo).
    pub fn redo(&mut self) -> bool {
        let Some(change) = self.undone.pop() else { return false };
        self.apply(change);
        true
    }

    /// Returns whether there is a change to undo.
    pub fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    /// Returns whether there is a change to redo.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Makes a new change, which cannot be redone.
    pub(super) fn changed(&mut self, change: Change) {
        self.undone.clear();
        self.apply(change);
    }

    fn apply(&mut self, change: Change) {
        match &change {
            Change::Taken(decisions) => self.decisions.extend(decisions),
            Change::TakenBack(at, _) => {
                self.decisions.remove(*at);
            }
            Change::Replaced { after, .. } => self.decisions.clone_from(after),
        }
        self.done.push(change);
        self.update();
    }
}
