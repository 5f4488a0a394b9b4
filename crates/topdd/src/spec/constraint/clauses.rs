//! Clauses, and listed tuples.

use super::automaton::Layers;
use super::{Constraint, ConstraintKind, Outcome, Reader, check_pair};
use crate::spec::Space;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A statement about one variable; made by [`is`] and [`is_not`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    variable: usize,
    value: usize,
    equal: bool,
}

impl Literal {
    fn holds(self, value: usize) -> bool {
        (self.value == value) == self.equal
    }
}

/// Returns the literal that holds when `variable` has `value`.
pub fn is(variable: usize, value: usize) -> Literal {
    Literal { variable, value, equal: true }
}

/// Returns the literal that holds when `variable` does not have `value`.
pub fn is_not(variable: usize, value: usize) -> Literal {
    Literal { variable, value, equal: false }
}

/// A formula in conjunctive normal form; the kind of [`clauses`].
#[derive(Clone, Debug)]
pub struct Cnf(Arc<[Vec<Literal>]>);

/// Requires that each clause has a literal that holds: a formula in conjunctive normal form, for any
/// arities.
///
/// A state is the list of open clauses: the clauses with earlier literals that all are false. A clause
/// without literals never holds.
///
/// States: at most `2^c` per variable, where `c` clauses have literals both before it and from it on.
///
/// ```
/// use topdd::constraint::{clauses, is, is_not};
///
/// // If variable 0 is 2, variable 1 is not 0; one of the two is 1.
/// let formula = clauses([3, 3], [[is_not(0, 2), is_not(1, 0)], [is(0, 1), is(1, 1)]]);
/// let solutions = [[0, 1], [1, 0], [1, 1], [1, 2], [2, 1]];
/// assert!(topdd::zdd(&formula)?.iter().eq(solutions));
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn clauses<C: IntoIterator<Item = Literal>>(
    space: impl Into<Space>,
    clauses: impl IntoIterator<Item = C>,
) -> Constraint<Cnf> {
    let clauses = clauses.into_iter().map(|clause| clause.into_iter().collect()).collect();
    Constraint::new(space, Cnf(clauses))
}

/// The reader of clauses.
#[derive(Clone, Debug)]
pub struct Unsatisfied {
    /// The clauses with a literal of each variable, in ascending order.
    parts: Vec<Vec<ClausePart>>,
    /// The number of variables up to the last that has a literal.
    end: usize,
    /// Whether some clause has no literal.
    empty: bool,
}

/// The literals of a clause on one variable.
#[derive(Clone, Debug)]
struct ClausePart {
    clause: u32,
    literals: SmallVec<[Literal; 2]>,
    first: bool,
    last: bool,
}

impl ConstraintKind for Cnf {
    type Reader = Unsatisfied;

    fn name(&self) -> &'static str {
        "clauses"
    }

    fn reader(&self, arities: &[usize]) -> Result<Unsatisfied, String> {
        let mut parts: Vec<Vec<ClausePart>> = vec![Vec::new(); arities.len()];
        for (clause, literals) in self.0.iter().enumerate() {
            let mut by_variable = BTreeMap::<usize, SmallVec<[Literal; 2]>>::new();
            for &literal in literals {
                check_pair(arities, literal.variable, literal.value)
                    .map_err(|message| format!("clause {clause}: {message}"))?;
                by_variable.entry(literal.variable).or_default().push(literal);
            }
            let count = by_variable.len();
            for (at, (variable, literals)) in by_variable.into_iter().enumerate() {
                let (first, last) = (at == 0, at + 1 == count);
                parts[variable].push(ClausePart { clause: clause as u32, literals, first, last });
            }
        }
        let end = parts.iter().rposition(|parts| !parts.is_empty()).map_or(0, |last| last + 1);
        Ok(Unsatisfied { parts, end, empty: self.0.iter().any(Vec::is_empty) })
    }
}

impl Reader for Unsatisfied {
    /// The clauses, in ascending order.
    type State = SmallVec<[u32; 4]>;

    fn start(&self) -> Outcome<Self::State> {
        match (self.empty, self.end) {
            (true, _) => Outcome::Broken,
            (false, 0) => Outcome::Met,
            (false, _) => Outcome::Open(SmallVec::new()),
        }
    }

    #[inline]
    fn read(&self, open: &Self::State, position: usize, value: usize) -> Outcome<Self::State> {
        let mut open = open.clone();
        for ClausePart { clause, literals, first, last } in &self.parts[position] {
            let holds = literals.iter().any(|literal| literal.holds(value));
            // A clause that began and is not open held before.
            match (open.binary_search(clause), holds) {
                (place, false) if *last && (*first || place.is_ok()) => return Outcome::Broken,
                (Err(place), false) if *first => open.insert(place, *clause),
                (Ok(place), true) => {
                    open.remove(place);
                }
                _ => {}
            }
        }
        // No clause is open after the end: its last literal decided it.
        if position + 1 == self.end { Outcome::Met } else { Outcome::Open(open) }
    }

    /// The clauses that are open in both.
    fn merge(&self, one: &Self::State, other: &Self::State) -> Option<Self::State> {
        Some(one.iter().copied().filter(|clause| other.binary_search(clause).is_ok()).collect())
    }

    fn describe(&self, open: &Self::State) -> String {
        format!("open clauses {open:?}")
    }
}

/// A list of allowed tuples; the kind of [`table`].
#[derive(Clone, Debug)]
pub struct Table(Arc<[Vec<usize>]>);

/// Requires that the values are one of the listed tuples, each with one value per variable.
///
/// States: the states of the smallest automaton that accepts the tuples, at most one per tuple and
/// variable.
///
/// ```
/// use topdd::constraint;
///
/// let tuples = [[0, 2, 1], [1, 1, 1], [2, 0, 0]];
/// let table = constraint::table([3, 3, 2], tuples);
/// assert!(topdd::zdd(&table)?.iter().eq(tuples));
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn table<T: Into<Vec<usize>>>(
    space: impl Into<Space>,
    tuples: impl IntoIterator<Item = T>,
) -> Constraint<Table> {
    let mut tuples: Vec<Vec<usize>> = tuples.into_iter().map(Into::into).collect();
    tuples.sort_unstable();
    tuples.dedup();
    Constraint::new(space, Table(tuples.into()))
}

impl ConstraintKind for Table {
    type Reader = Layers;

    fn name(&self) -> &'static str {
        "table"
    }

    fn reader(&self, arities: &[usize]) -> Result<Layers, String> {
        for tuple in self.0.iter() {
            if tuple.len() != arities.len() {
                let (values, wanted) = (tuple.len(), arities.len());
                return Err(format!("tuple {tuple:?} has {values} values, not {wanted}"));
            }
            let mut pairs = tuple.iter().copied().enumerate();
            pairs
                .try_for_each(|(position, value)| check_pair(arities, position, value))
                .map_err(|message| format!("tuple {tuple:?}: {message}"))?;
        }
        Ok(Layers::of_tuples(arities, &self.0))
    }
}
