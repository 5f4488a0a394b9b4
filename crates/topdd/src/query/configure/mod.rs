//! Interactive decisions over a diagram.
//!
//! [`Configurator`] takes the decisions. `history` takes back and restores decisions, `remaining` contains
//! the queries of the solutions that are left, and `conflict` computes minimum sets of conflicting
//! decisions.

mod conflict;
mod history;
mod remaining;
#[cfg(test)]
mod tests;

use super::count::Counts;
use super::decision::{Conflict, Decision, Mask};
use super::domains::{only, standing, values_of};
use crate::QueryError;
use crate::diagram::{Diagram, DiagramRule, check_variable};
use crate::spec::PerValue;
use history::Change;
use num_bigint::BigUint;
use std::collections::HashSet;

/// Decisions taken one after the other, with all their consequences.
///
/// After each decision the domain of every variable is exact: it contains a value if and only if
/// some solution that agrees with all decisions has it. So no sequence of decisions ends in a dead
/// end. Decisions may be taken back in any order. An impossible decision is refused with a minimum
/// set of earlier decisions that rule it out.
///
/// Cost: each change of the decisions takes one pass up and one pass down over the diagram, on all
/// threads where levels are wide. The other methods read the result. The configurator shares the
/// nodes of the diagram, and stores a count for each of them as an [`Index`](crate::Index) does.
///
/// ```
/// use topdd::{Decision, QueryError, Status};
///
/// // Seatings of four guests on four chairs.
/// let seats = topdd::zdd(&topdd::constraint::all_different([4; 4]))?;
/// let mut party = seats.configure()?;
/// party.choose(0, 2)?;
/// party.choose(1, 3)?;
/// assert_eq!(*party.solutions_left(), 2u32.into());
/// assert_eq!(party.domain(2), [0, 1]);
/// party.forbid(2, 1)?;
/// assert_eq!(party.status(2, 0), Status::Forced);
/// assert_eq!(party.status(3, 1), Status::Forced);
///
/// // Guest 3 cannot have chair 3, because guest 1 has it.
/// let Err(QueryError::Impossible(conflict)) = party.choose(3, 3) else { panic!() };
/// assert_eq!(conflict.because, [Decision::is(1, 3)]);
/// party.take_back(Decision::is(1, 3))?;
/// party.choose(3, 3)?;
/// assert_eq!(party.solution(), [2, 1, 0, 3]);
/// # Ok::<(), topdd::QueryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Configurator<R: DiagramRule> {
    diagram: Diagram<R>,
    /// The decisions in force, in the order in which they were taken.
    decisions: Vec<Decision>,
    mask: Mask,
    counts: Counts,
    /// By variable and value, whether some solution that is left has the value.
    standing: PerValue<bool>,
    done: Vec<Change>,
    undone: Vec<Change>,
}

/// The status of a value of a variable; see [`Configurator::status`].
///
/// ```
/// use topdd::{Status, constraint};
///
/// let mut seats = topdd::zdd(&constraint::all_different([3; 3]))?.configure()?;
/// seats.choose(0, 2)?;
/// seats.forbid(1, 1)?;
/// let of = |variable| [0, 1, 2].map(|value| seats.status(variable, value));
/// assert_eq!(of(0), [Status::Impossible, Status::Impossible, Status::Chosen]);
/// assert_eq!(of(1), [Status::Forced, Status::Forbidden, Status::Impossible]);
/// # Ok::<(), topdd::QueryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Some solutions that are left have the value, and others do not.
    Free,
    /// The value was chosen by a decision.
    Chosen,
    /// The value was not chosen, but all solutions that are left have it.
    Forced,
    /// A decision forbids the value.
    Forbidden,
    /// No decision forbids the value, but no solution that is left has it.
    Impossible,
}

impl<R: DiagramRule> Diagram<R> {
    /// Starts a configuration: decisions taken one after the other. See [`Configurator`].
    ///
    /// Cost: one pass up and one pass down over the diagram.
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] when there are none.
    pub fn configure(&self) -> Result<Configurator<R>, QueryError> {
        if self.is_empty() {
            return Err(QueryError::NoSolutions);
        }
        let mask = Mask::all(&self.store.arities);
        let counts = Counts::new(&self.store, R::RULE, None);
        let standing = standing(&self.store, R::RULE, None);
        let (decisions, done, undone) = (Vec::new(), Vec::new(), Vec::new());
        let diagram = self.clone();
        Ok(Configurator { diagram, decisions, mask, counts, standing, done, undone })
    }
}

impl<R: DiagramRule> Configurator<R> {
    /// Returns the diagram of the configuration, without the decisions.
    pub fn diagram(&self) -> &Diagram<R> {
        &self.diagram
    }

    /// Returns the number of variables.
    pub fn num_vars(&self) -> usize {
        self.diagram.num_vars()
    }

    /// Returns the number of values of a variable, possible or not.
    ///
    /// # Panics
    ///
    /// If there is no such variable; [`get_arity`](Configurator::get_arity) returns `None` then.
    #[track_caller]
    pub fn arity(&self, variable: usize) -> usize {
        self.diagram.arity(variable)
    }

    /// Returns the number of values of a variable; `None` if there is no such variable.
    ///
    /// ```
    /// use topdd::{Status, Zdd};
    ///
    /// let zdd = Zdd::from_solutions([2, 3], [[1, 2], [0, 0]])?;
    /// let mut game = zdd.configure()?;
    /// assert_eq!((game.get_arity(1), game.get_arity(2)), (Some(3), None));
    /// game.choose(0, 1)?;
    /// assert_eq!((game.get_domain(1), game.get_domain(2)), (Some(vec![2]), None));
    /// assert_eq!((game.get_status(1, 2), game.get_status(1, 3)), (Some(Status::Forced), None));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn get_arity(&self, variable: usize) -> Option<usize> {
        self.diagram.get_arity(variable)
    }

    /// Returns the decisions in force, in the order in which they were taken.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Returns the number of solutions that agree with all decisions. Never 0.
    pub fn solutions_left(&self) -> &BigUint {
        &self.counts.total
    }

    /// Returns the values that a variable has in the solutions that are left, in ascending order.
    /// Never empty.
    ///
    /// # Panics
    ///
    /// If there is no such variable; [`get_domain`](Configurator::get_domain) returns `None` then.
    #[track_caller]
    pub fn domain(&self, variable: usize) -> Vec<usize> {
        check_variable(variable, self.num_vars());
        values_of(self.standing(variable)).collect()
    }

    /// Returns the values that a variable has in the solutions that are left, in ascending order;
    /// `None` if there is no such variable.
    pub fn get_domain(&self, variable: usize) -> Option<Vec<usize>> {
        (variable < self.num_vars()).then(|| self.domain(variable))
    }

    /// Returns the value of a variable, if it has the same in all solutions that are left, whether
    /// it was chosen or is forced.
    ///
    /// # Panics
    ///
    /// If there is no such variable; [`get_domain`](Configurator::get_domain) returns `None` then.
    #[track_caller]
    pub fn value(&self, variable: usize) -> Option<usize> {
        check_variable(variable, self.num_vars());
        only(self.standing(variable))
    }

    /// Returns whether a value is chosen, forbidden, forced, impossible or free. Cost: linear in the
    /// number of decisions.
    ///
    /// # Panics
    ///
    /// If there is no such variable or value; [`get_status`](Configurator::get_status) returns
    /// `None` then.
    #[track_caller]
    pub fn status(&self, variable: usize, value: usize) -> Status {
        let arity = self.arity(variable);
        assert!(
            value < arity,
            "variable {variable} has no value {value}; its values are 0..{arity}"
        );
        self.status_of(variable, value)
    }

    /// Returns the [`status`](Configurator::status) of a value; `None` if there is no such variable
    /// or value.
    pub fn get_status(&self, variable: usize, value: usize) -> Option<Status> {
        (value < self.get_arity(variable)?).then(|| self.status_of(variable, value))
    }

    fn status_of(&self, variable: usize, value: usize) -> Status {
        let chosen = Decision::is(variable, value);
        let standing = self.standing(variable);
        let in_force = |decision| self.decisions.contains(&decision);
        match standing[value] {
            true if in_force(chosen) => Status::Chosen,
            true if only(standing).is_some() => Status::Forced,
            true => Status::Free,
            false if in_force(Decision::is_not(variable, value)) => Status::Forbidden,
            false => Status::Impossible,
        }
    }

    /// Returns the variables, with their values, that have the same value in all solutions that are
    /// left, though no decision chose it. Constants of the diagram are among them. In ascending order
    /// of variables.
    ///
    /// ```
    /// let seats = topdd::zdd(&topdd::constraint::all_different([3; 3]))?;
    /// let mut party = seats.configure()?;
    /// party.choose(0, 2)?;
    /// party.choose(1, 1)?;
    /// assert_eq!(party.forced(), [(2, 0)]);
    /// assert_eq!((party.value(0), party.value(2)), (Some(2), Some(0)));
    /// assert!(party.is_complete());
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn forced(&self) -> Vec<(usize, usize)> {
        let values = (0..self.num_vars())
            .filter_map(|variable| Some((variable, only(self.standing(variable))?)));
        let chosen: HashSet<&Decision> = self.decisions.iter().collect();
        values
            .filter(|&(variable, value)| !chosen.contains(&Decision::is(variable, value)))
            .collect()
    }

    /// Returns whether exactly one solution is left.
    pub fn is_complete(&self) -> bool {
        self.counts.total == BigUint::from(1u32)
    }

    /// [Decides](Configurator::decide) that a variable has a value.
    ///
    /// # Errors
    ///
    /// When the decision is impossible, or when there is no such variable or value. Then nothing
    /// changes.
    pub fn choose(&mut self, variable: usize, value: usize) -> Result<(), QueryError> {
        self.decide(Decision::is(variable, value))
    }

    /// [Decides](Configurator::decide) that a variable does not have a value.
    ///
    /// # Errors
    ///
    /// When the decision is impossible, or when there is no such variable or value. Then nothing
    /// changes.
    pub fn forbid(&mut self, variable: usize, value: usize) -> Result<(), QueryError> {
        self.decide(Decision::is_not(variable, value))
    }

    /// Takes a decision. A decision that is already in force changes nothing. A decision that follows from
    /// other decisions may be taken as well; it stays when the others are taken back.
    ///
    /// Cost: one pass up and one pass down over the diagram. For an impossible decision, the cost of
    /// [`why_not`](Configurator::why_not).
    ///
    /// ```
    /// use topdd::{Decision, QueryError};
    ///
    /// let mut party = topdd::zdd(&topdd::constraint::all_different([3; 3]))?.configure()?;
    /// party.decide(Decision::is(0, 2))?;
    /// let refused = party.decide(Decision::is(1, 2)).unwrap_err();
    /// assert!(matches!(refused, QueryError::Impossible(_)));
    /// assert_eq!(party.decisions(), [Decision::is(0, 2)]);
    /// # Ok::<(), QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the decision is impossible: [`QueryError::Impossible`] contains a minimum set of
    /// decisions that rule it out, and nothing changes. When there is no such variable or value.
    pub fn decide(&mut self, decision: Decision) -> Result<(), QueryError> {
        decision.check(&self.diagram.store.arities)?;
        if self.decisions.contains(&decision) {
            return Ok(());
        }
        if !self.is_possible(decision) {
            return Err(QueryError::Impossible(self.conflict(decision)));
        }
        self.changed(Change::Taken(vec![decision]));
        Ok(())
    }

    /// Takes decisions in this order, as one change. Decisions that are already in force change nothing.
    ///
    /// Cost: two passes up and one pass down over the diagram for all of them. If they conflict, some
    /// more passes up, and the cost of [`why_not`](Configurator::why_not).
    ///
    /// ```
    /// use topdd::{Decision, QueryError};
    ///
    /// let mut party = topdd::zdd(&topdd::constraint::all_different([3; 3]))?.configure()?;
    /// party.decide_all(&[Decision::is(0, 2), Decision::is_not(1, 1)])?;
    /// assert_eq!(party.solution(), [2, 0, 1]);
    /// party.undo();
    /// assert!(party.decisions().is_empty());
    ///
    /// let both = party.decide_all(&[Decision::is(0, 2), Decision::is(1, 2)]);
    /// let Err(QueryError::Impossible(conflict)) = both else { panic!() };
    /// assert_eq!(conflict.decision, Decision::is(1, 2));
    /// assert!(party.decisions().is_empty());
    /// # Ok::<(), QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a decision is impossible after the decisions before it in the list:
    /// [`QueryError::Impossible`] names the first one. When there is no such variable or value. Then
    /// nothing changes.
    pub fn decide_all(&mut self, decisions: &[Decision]) -> Result<(), QueryError> {
        let store = &self.diagram.store;
        let mut all = self.decisions.clone();
        let mut in_force: HashSet<Decision> = all.iter().copied().collect();
        for decision in decisions {
            decision.check(&store.arities)?;
            all.extend(in_force.insert(*decision).then_some(*decision));
        }
        let is_possible = |count: usize| {
            let mask = Mask::new(&store.arities, &all[..count]);
            Counts::new(store, R::RULE, Some(&mask)).total != BigUint::ZERO
        };
        let before = self.decisions.len();
        if !is_possible(all.len()) {
            let counts: Vec<usize> = (before + 1..all.len()).collect();
            let last = before + counts.partition_point(|&count| is_possible(count));
            let conflict = conflict::find(store, R::RULE, &all[..last], all[last]);
            return Err(QueryError::Impossible(conflict));
        }
        if all.len() > before {
            self.changed(Change::Taken(all.split_off(before)));
        }
        Ok(())
    }

    /// Returns a minimum set of decisions that rule out a value of a variable; `None` if the value
    /// is possible.
    ///
    /// Cost: at most some hundred passes over the diagram, usually a few. A minimum set is a minimum
    /// hitting set of sets that are found one by one (E. Moreno-Centeno and R. M. Karp, "The implicit
    /// hitting set approach to solve combinatorial optimization problems", 2013). If that takes too
    /// many passes, the result is minimal instead: without any one of its decisions it would not rule
    /// the value out. [`Conflict::smallest`] is `false` then.
    ///
    /// ```
    /// use topdd::Decision;
    ///
    /// let mut party = topdd::zdd(&topdd::constraint::all_different([3; 3]))?.configure()?;
    /// party.choose(0, 2)?;
    /// party.choose(1, 1)?;
    /// let conflict = party.why_not(2, 1)?.expect("guest 1 has chair 1");
    /// assert_eq!(conflict.because, [Decision::is(1, 1)]);
    /// let reason = party.why(2)?.expect("chair 0 is the only one left");
    /// assert_eq!(reason.because, [Decision::is(0, 2), Decision::is(1, 1)]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no such variable or value.
    pub fn why_not(&self, variable: usize, value: usize) -> Result<Option<Conflict>, QueryError> {
        let decision = Decision::is(variable, value);
        decision.check(&self.diagram.store.arities)?;
        Ok((!self.is_possible(decision)).then(|| self.conflict(decision)))
    }

    /// Returns the reason for the value that a variable has in all solutions that are left: a
    /// minimum set of decisions from which it follows, the empty set if it has that value in every
    /// solution of the diagram. `None` if it has several values.
    ///
    /// Cost as for [`why_not`](Configurator::why_not).
    ///
    /// # Errors
    ///
    /// When there is no such variable.
    pub fn why(&self, variable: usize) -> Result<Option<Conflict>, QueryError> {
        let num_vars = self.num_vars();
        if variable >= num_vars {
            return Err(QueryError::NoSuchVariable { variable, num_vars });
        }
        let value = self.value(variable);
        Ok(value.map(|value| self.conflict(Decision::is_not(variable, value))))
    }

    /// Returns the fewest decisions that have to be taken back before this one is possible, in the order
    /// in which they were taken; none if it is possible.
    /// [`decide_anyway`](Configurator::decide_anyway) takes them back.
    ///
    /// Cost: one pass up over the diagram. Such a set is a minimum correction set in the literature of
    /// constraints.
    ///
    /// ```
    /// use topdd::Decision;
    ///
    /// let mut party = topdd::zdd(&topdd::constraint::all_different([3; 3]))?.configure()?;
    /// party.choose(0, 2)?;
    /// party.choose(1, 1)?;
    /// assert_eq!(party.opposing(Decision::is(2, 1))?, [Decision::is(1, 1)]);
    /// party.decide_anyway(Decision::is(2, 1))?;
    /// assert_eq!(party.solution(), [2, 0, 1]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`QueryError::Impossible`], without reasons, when no solution of the diagram agrees with the
    /// decision. When there is no such variable or value.
    pub fn opposing(&self, decision: Decision) -> Result<Vec<Decision>, QueryError> {
        decision.check(&self.diagram.store.arities)?;
        conflict::opposing(&self.diagram.store, R::RULE, &self.decisions, decision).ok_or_else(
            || QueryError::Impossible(Conflict { decision, because: Vec::new(), smallest: true }),
        )
    }

    /// Returns for each value of a variable whether some solution that is left has it.
    fn standing(&self, variable: usize) -> &[bool] {
        self.standing.variable(variable)
    }

    /// Returns whether some solution that is left agrees with the decision.
    fn is_possible(&self, decision: Decision) -> bool {
        values_of(self.standing(decision.variable())).any(|value| decision.allows(value))
    }

    fn conflict(&self, decision: Decision) -> Conflict {
        conflict::find(&self.diagram.store, R::RULE, &self.decisions, decision)
    }

    /// Computes the consequences of the decisions.
    fn update(&mut self) {
        let store = &self.diagram.store;
        self.mask = Mask::new(&store.arities, &self.decisions);
        self.counts = Counts::new(store, R::RULE, Some(&self.mask));
        let masked = Some((&self.mask, &self.counts));
        self.standing = standing(store, R::RULE, masked);
    }
}
