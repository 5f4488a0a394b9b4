//! Interactive decisions over a diagram.
//!
//! [`Configurator`] takes the decisions. `history` takes back and restores decisions, `remaining` contains
//! the queries of the solutions that are left, and `conflict` computes minimum sets of conflicting
//! decisions.

mod conflict;
#[cfg(test)]
mod tests;

use super::count::Counts;
use super::decision::{Conflict, Decision, ValueMask};
use super::distribution::value_counts;
use super::domains::{DomainPass, only, standing, values_of};
use super::index::{Ranks, random_below};
use crate::QueryError;
use crate::diagram::store::NodeId;
use crate::diagram::{Diagram, DiagramRule, check_variable};
use crate::spec::PerValue;
use num_bigint::BigUint;
use rand_core::Rng;
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
    mask: ValueMask,
    counts: Counts,
    /// By variable and value, whether some solution that is left has the value.
    standing: PerValue<bool>,
    done: Vec<HistoryEntry>,
    undone: Vec<HistoryEntry>,
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
        let mask = ValueMask::all(&self.store.arities);
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
        self.changed(HistoryEntry::Taken(vec![decision]));
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
            let mask = ValueMask::new(&store.arities, &all[..count]);
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
            self.changed(HistoryEntry::Taken(all.split_off(before)));
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
        self.mask = ValueMask::new(&store.arities, &self.decisions);
        self.counts = Counts::new(store, R::RULE, Some(&self.mask));
        let masked = Some((&self.mask, &self.counts));
        self.standing = standing(store, R::RULE, masked);
    }
}

/// A change of the decisions that can be undone.
#[derive(Clone, Debug)]
enum HistoryEntry {
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
        self.changed(HistoryEntry::TakenBack(at, decision));
        Ok(())
    }

    /// Takes back all decisions; [`undo`](Configurator::undo) restores them.
    pub fn reset(&mut self) {
        if !self.decisions.is_empty() {
            self.changed(HistoryEntry::Replaced {
                before: self.decisions.clone(),
                after: Vec::new(),
            });
        }
    }

    /// Takes a decision anyway: takes back the [`opposing`](Configurator::opposing) decisions and takes
    /// this one, as one change. Returns those that it took back.
    ///
    /// Cost: two passes up and one pass down over the diagram.
    ///
    /// # Errors
    ///
    /// The errors of [`opposing`](Configurator::opposing). Then nothing changes.
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
        self.changed(HistoryEntry::Replaced { before, after });
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
            HistoryEntry::Taken(decisions) => {
                self.decisions.truncate(self.decisions.len() - decisions.len());
            }
            HistoryEntry::TakenBack(at, decision) => self.decisions.insert(*at, *decision),
            HistoryEntry::Replaced { before, .. } => self.decisions.clone_from(before),
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
    fn changed(&mut self, change: HistoryEntry) {
        self.undone.clear();
        self.apply(change);
    }

    fn apply(&mut self, change: HistoryEntry) {
        match &change {
            HistoryEntry::Taken(decisions) => self.decisions.extend(decisions),
            HistoryEntry::TakenBack(at, _) => {
                self.decisions.remove(*at);
            }
            HistoryEntry::Replaced { after, .. } => self.decisions.clone_from(after),
        }
        self.done.push(change);
        self.update();
    }
}

/// Queries of the solutions that are left.
impl<R: DiagramRule> Configurator<R> {
    /// Returns the first, in lexicographic order, of the solutions that are left. Cost: one path
    /// down.
    pub fn solution(&self) -> Vec<usize> {
        self.ranks().nth(&BigUint::ZERO)
    }

    /// Returns the solution of a rank among the solutions that are left; see [`Index`](crate::Index).
    /// Cost: one path down.
    ///
    /// ```
    /// let mut party = topdd::zdd(&topdd::constraint::all_different([3; 3]))?.configure()?;
    /// party.choose(1, 0)?;
    /// assert_eq!(party.nth(&1u32.into())?, [2, 0, 1]); // after [1, 0, 2]
    /// assert_eq!(party.rank(&[2, 0, 1])?, Some(1u32.into()));
    /// assert_eq!(party.rank(&[0, 1, 2])?, None);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there are not more than `rank` solutions left.
    pub fn nth(&self, rank: &BigUint) -> Result<Vec<usize>, QueryError> {
        if *rank >= self.counts.total {
            let count = self.counts.total.clone();
            return Err(QueryError::RankOutOfRange { rank: rank.clone(), count });
        }
        Ok(self.ranks().nth(rank))
    }

    /// Returns the number of solutions that are left before this one in lexicographic order; `None` if
    /// the assignment is not a solution that is left. Cost as for [`nth`](Configurator::nth).
    ///
    /// # Errors
    ///
    /// When there is not one value for each variable, or a value is out of range.
    pub fn rank(&self, assignment: &[usize]) -> Result<Option<BigUint>, QueryError> {
        self.diagram.check_assignment(assignment)?;
        Ok(self.ranks().rank(assignment))
    }

    /// Returns one of the solutions that are left, each with the same probability, exactly. Cost: one
    /// path down.
    ///
    /// ```
    /// use rand::{SeedableRng, rngs::StdRng};
    ///
    /// let mut party = topdd::zdd(&topdd::constraint::all_different([3; 3]))?.configure()?;
    /// party.choose(1, 0)?;
    /// assert_eq!(party.sample(&mut StdRng::seed_from_u64(1))[1], 0);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn sample<G: Rng + ?Sized>(&self, rng: &mut G) -> Vec<usize> {
        self.ranks().nth(&random_below(&self.counts.total, rng))
    }

    /// Returns for each variable and each of its values the number of solutions left in which the
    /// variable has the value. Cost: one more pass down.
    ///
    /// ```
    /// let mut game = topdd::Zdd::full([2, 3])?.configure()?;
    /// game.forbid(1, 0)?;
    /// assert_eq!(game.value_counts(), [vec![2u32.into(); 2], [0u32, 2, 2].map(Into::into).to_vec()]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn value_counts(&self) -> Vec<Vec<BigUint>> {
        value_counts(&self.diagram.store, R::RULE, Some(&self.mask), &self.counts)
    }

    /// Returns the solutions that are left, as a diagram. Cost as for [`Diagram::restrict`].
    ///
    /// ```
    /// let mut game = topdd::Zdd::full([2, 3])?.configure()?;
    /// game.choose(0, 1)?;
    /// assert!(game.rest()?.iter().eq([[1, 0], [1, 1], [1, 2]]));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the result has more nodes than can be numbered.
    pub fn rest(&self) -> Result<Diagram<R>, QueryError> {
        self.diagram.restrict(&self.decisions)
    }

    /// Returns the number of nodes at each variable on the paths of the solutions that are left, from the
    /// root down: a part of [`Diagram::widths`]. Cost: one more pass down.
    ///
    /// ```
    /// let mut party = topdd::bdd(&topdd::constraint::all_different([3; 3]))?.configure()?;
    /// assert_eq!(party.widths_left(), [1, 3, 3]);
    /// party.choose(0, 2)?;
    /// assert_eq!(party.widths_left(), [1, 1, 2]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn widths_left(&self) -> Vec<usize> {
        let part = self.part_left();
        let mut widths = vec![0; self.num_vars()];
        for level in self.diagram.store.levels() {
            let ids = level.first..level.first + level.len() as NodeId;
            widths[level.variable] = ids.filter(|&id| part.has_node(id)).count();
        }
        widths
    }

    /// The part of the diagram on the paths of the solutions that are left.
    pub(crate) fn part_left(&self) -> DomainPass<'_> {
        let masked = Some((&self.mask, &self.counts));
        let part = DomainPass::new(&self.diagram.store, R::RULE, masked);
        part.run();
        part
    }

    fn ranks(&self) -> Ranks<'_> {
        Ranks::new(&self.diagram.store, R::RULE, Some(&self.mask), &self.counts)
    }
}
