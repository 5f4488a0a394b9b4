//! Problems and their combinations: what is swept when solutions are counted, or a diagram is built.

use std::fmt;
use std::sync::Arc;

use topdd::frontier::Report;
use topdd::spec::ArraySpec;
use topdd::{BigUint, BoxedSpec, Frontier, SpecExt, Weights, Zdd};
use topdd_chess::knights::PathEncoding;
use topdd_chess::queens::BoardEncoding;
use topdd_graph::families::{GraphSets, Order, Unit};
use topdd_graph::predict::{PilotLimit, Prediction};

use crate::board::{PiecesProblem, QueensProblem, ToursProblem};
use crate::condition::{Condition, Run, Unlimited};
use crate::cover::Cover;
use crate::error::{ProblemError, digest};
use crate::rules::Rules;

/// The most operations inside of each other: their specs call each other, on the stack of a thread.
const MAX_DEPTH: usize = 64;

/// The most problems that are combined. One that occurs twice in different operations counts twice.
const MAX_PARTS: usize = 4096;

/// The most conditions that one sweep checks.
const MAX_CONDITIONS: usize = 1 << 16;

/// An operation on the solutions of two problems with the same elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOperation {
    /// The solutions of both.
    And,
    /// The solutions of one of them, or of both.
    Or,
    /// The solutions of the first that are none of the second.
    Difference,
    /// The solutions of exactly one.
    Xor,
}

impl SetOperation {
    /// Returns the spec of the combination of two specs over the same variables.
    pub fn combine(self, [left, right]: [BoxedSpec<'static>; 2]) -> BoxedSpec<'static> {
        match self {
            SetOperation::And => left.and(right).boxed(),
            SetOperation::Or => left.or(right).boxed(),
            SetOperation::Difference => left.and_not(right).boxed(),
            SetOperation::Xor => left.xor(right).boxed(),
        }
    }

    /// The spec of the combination of two specs, or of more for [`And`](SetOperation::And) and [`Or`](SetOperation::Or).
    fn of_all(self, specs: Vec<BoxedSpec<'static>>) -> BoxedSpec<'static> {
        match (<[_; 2]>::try_from(specs), self) {
            (Ok(both), _) => self.combine(both),
            (Err(specs), SetOperation::Or) => topdd::any(specs).boxed(),
            (Err(specs), _) => topdd::all(specs).boxed(),
        }
    }

    /// Returns the sign: `&`, `|`, `-`, `^`.
    pub fn sign(self) -> &'static str {
        match self {
            SetOperation::And => "&",
            SetOperation::Or => "|",
            SetOperation::Difference => "-",
            SetOperation::Xor => "^",
        }
    }
}

/// A problem, or a combination of several with the same elements. Variables stand for edges, vertices, colours, squares or options,
/// or for themselves.
///
/// ```
/// use std::sync::Arc;
/// use topdd_graph::Graph;
/// use topdd_problem::{Family, SetOperation, Problem, Unlimited};
///
/// let grid = Graph::grid(3, 3);
/// let sets = |family: Family| Ok::<_, topdd_problem::ParameterError>(Arc::new(Problem::Sets(family.sets(&grid)?)));
/// let (forests, matchings) = (sets(Family::Forests)?, sets(Family::Matchings)?);
/// let others = Problem::combined(SetOperation::Difference, &forests, &matchings)?;
/// assert_eq!(
///     others.count(&Unlimited)?,
///     forests.count(&Unlimited)? - matchings.count(&Unlimited)?,
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Problem {
    /// A family of a graph, with conditions.
    Sets(GraphSets),
    /// Queens.
    Queens(QueensProblem),
    /// Other pieces.
    Pieces(PiecesProblem),
    /// Tours, as sets of moves.
    Tours(ToursProblem, GraphSets),
    /// An exact cover, as sets of options.
    Cover(Cover),
    /// Assignments of values to variables.
    Rules(Rules),
    /// A combination.
    Combined(Combination),
}

/// A combination of two problems, or of more for `&` and `|`.
#[derive(Clone, Debug)]
pub struct Combination {
    operation: SetOperation,
    operands: Vec<Arc<Problem>>,
    /// The number of operations inside of each other.
    depth: usize,
    /// The number of problems that are no combinations.
    parts: usize,
}

impl Combination {
    fn new(operation: SetOperation, operands: Vec<Arc<Problem>>) -> Result<Self, ProblemError> {
        let (mut depth, mut parts) = (1, 0);
        for operand in &operands {
            let (inner, of_operand) = match &**operand {
                Problem::Combined(inner) => (inner.depth, inner.parts),
                _ => (0, 1),
            };
            depth = depth.max(inner + 1);
            parts += of_operand;
        }
        if depth > MAX_DEPTH || parts > MAX_PARTS {
            return Err(ProblemError::TooManyParts { parts: MAX_PARTS, depth: MAX_DEPTH });
        }
        Ok(Self { operation, operands, depth, parts })
    }
}

impl Problem {
    /// Makes the problem of tours.
    ///
    /// # Errors
    ///
    /// [`ProblemError::Tours`] for squares and symmetries that the board does not have.
    pub fn tours(tours: ToursProblem) -> Result<Self, ProblemError> {
        let moves = tours.tours().paths()?.into_any();
        Ok(Problem::Tours(tours, moves))
    }

    /// Returns the combination of two problems. Chains of one operation become one combination, and the sets of two families of
    /// one graph one family.
    ///
    /// # Errors
    ///
    /// [`ProblemError::TooManyConditions`], [`ProblemError::TooManyParts`].
    pub fn combined(
        operation: SetOperation,
        left: &Arc<Self>,
        right: &Arc<Self>,
    ) -> Result<Arc<Self>, ProblemError> {
        let is_chain = matches!(operation, SetOperation::And | SetOperation::Or);
        if is_chain && Arc::ptr_eq(left, right) {
            return Ok(left.clone());
        }
        if let (Problem::Sets(one), Problem::Sets(two), SetOperation::And) =
            (&**left, &**right, operation)
        {
            check_conditions(one.num_conditions() + two.num_conditions())?;
            // One sweep checks no two colourings.
            if one.unit() == two.unit() && one.unit() != Unit::Colour && one.graph() == two.graph()
            {
                return Ok(Arc::new(Problem::Sets(one.clone().and(two.clone()))));
            }
        }
        if let (Problem::Rules(one), Problem::Rules(two), SetOperation::And) =
            (&**left, &**right, operation)
        {
            check_conditions(one.len() + two.len())?;
            if one.space() != two.space() {
                return Err(ProblemError::Rule(
                    "the rules are over different variables".to_owned(),
                ));
            }
            return Ok(Arc::new(Problem::Rules(one.clone().and(two))));
        }
        let operands = match &**left {
            _ if is_chain => {
                let mut operands = left.operands_of(operation).to_vec();
                for operand in right.operands_of(operation) {
                    if !operands.iter().any(|other| Arc::ptr_eq(other, operand)) {
                        operands.push(operand.clone());
                    }
                }
                operands
            }
            // All that is removed is removed at once.
            Problem::Combined(inner)
                if operation == SetOperation::Difference && inner.operation == operation =>
            {
                let removed = Self::combined(SetOperation::Or, &inner.operands[1], right)?;
                vec![inner.operands[0].clone(), removed]
            }
            _ => vec![left.clone(), right.clone()],
        };
        if operands.len() == left.operands_of(operation).len() && is_chain {
            return Ok(left.clone());
        }
        Ok(Arc::new(Problem::Combined(Combination::new(operation, operands)?)))
    }

    /// Returns the problem under a condition. `all` makes all sets of its elements, or all assignments, for a combination.
    ///
    /// # Errors
    ///
    /// [`ProblemError::Family`] for a condition that is not for these elements, the errors of
    /// [`combined`](Problem::combined), and the errors of `all`.
    pub fn with<E: From<ProblemError>>(
        self: &Arc<Self>,
        condition: &Condition,
        all: impl FnOnce() -> Result<Problem, E>,
    ) -> Result<Arc<Self>, E> {
        let is_alone = matches!(**self, Problem::Sets(_) | Problem::Rules(_));
        let all = if is_alone { (**self).clone() } else { all()? };
        let kept = Arc::new(all.under(condition)?);
        Ok(if is_alone { kept } else { Self::combined(SetOperation::And, self, &kept)? })
    }

    /// Adds a condition to a problem that is no board and no combination.
    fn under(self, condition: &Condition) -> Result<Self, ProblemError> {
        match self {
            Problem::Sets(sets) => {
                let sets = condition.before(sets);
                check_conditions(sets.num_conditions())?;
                sets.check()?;
                Ok(Problem::Sets(sets))
            }
            Problem::Rules(rules) => {
                check_conditions(rules.len() + 1)?;
                Ok(Problem::Rules(rules.under(condition)?))
            }
            _ => Err(ProblemError::NoRule),
        }
    }

    /// Checks the parameters, without a sweep.
    ///
    /// # Errors
    ///
    /// The errors of families and boards.
    pub fn check(&self) -> Result<(), ProblemError> {
        match self {
            Problem::Sets(sets) => Ok(sets.check()?),
            Problem::Queens(_) | Problem::Pieces(_) => self.frontier(&[], &Unlimited).map(drop),
            Problem::Cover(cover) => cover.check().map_err(ProblemError::Cover),
            Problem::Tours(..) | Problem::Rules(_) | Problem::Combined(_) => Ok(()),
        }
    }

    /// The operands, if the problem is a combination by this operation; else itself.
    fn operands_of(self: &Arc<Self>, operation: SetOperation) -> &[Arc<Self>] {
        match &**self {
            Problem::Combined(inner) if inner.operation == operation => &inner.operands,
            _ => std::slice::from_ref(self),
        }
    }

    /// Returns the problem with an order of the variables; of a combination, the order of its first problem.
    ///
    /// # Errors
    ///
    /// [`ProblemError::FixedOrder`]; [`FamilyError::BadOrder`](topdd_graph::families::FamilyError::BadOrder) for an order that is no permutation.
    pub fn ordered(&self, order: &Order) -> Result<Self, ProblemError> {
        match self {
            Problem::Sets(sets) => {
                let sets = sets.clone().order(order.clone());
                if *order != Order::Auto {
                    sets.element_order()?;
                }
                Ok(Problem::Sets(sets))
            }
            Problem::Combined(inner) => {
                let mut ordered = inner.clone();
                ordered.operands[0] = Arc::new(ordered.operands[0].ordered(order)?);
                Ok(Problem::Combined(ordered))
            }
            Problem::Cover(cover) => {
                let ordered = cover.clone().ordered(order).map(Problem::Cover);
                ordered.ok_or(ProblemError::NoCoverOrder)
            }
            Problem::Queens(_) | Problem::Pieces(_) | Problem::Tours(..) | Problem::Rules(_) => {
                Err(ProblemError::FixedOrder)
            }
        }
    }

    /// Returns the element of each variable. Choosing an order may take a fraction of a second.
    ///
    /// # Errors
    ///
    /// The errors of families and boards.
    pub fn element_order(&self) -> Result<Vec<usize>, ProblemError> {
        match self {
            Problem::Sets(sets) | Problem::Tours(_, sets) => Ok(sets.element_order()?),
            Problem::Queens(queens) if queens.is_in_rows() => {
                Ok((0..queens.queens().num_vars(BoardEncoding::Cell)).collect())
            }
            Problem::Queens(queens) => Ok((0..queens.pieces().num_vars()?).collect()),
            Problem::Pieces(pieces) => Ok((0..pieces.pieces().num_vars()?).collect()),
            Problem::Cover(cover) => Ok(cover.option_order()),
            Problem::Rules(rules) => Ok(rules.element_order()),
            Problem::Combined(inner) => {
                let given = inner.operands.iter().find(|operand| operand.has_given_order());
                given.unwrap_or(&inner.operands[0]).element_order()
            }
        }
    }

    /// Whether the problem has rules with specs in the order of their variables only.
    fn has_given_order(&self) -> bool {
        match self {
            Problem::Rules(rules) => rules.have_given_order(),
            Problem::Combined(inner) => inner.operands.iter().any(|part| part.has_given_order()),
            _ => false,
        }
    }

    /// Makes a sweep with the variables in this order. Formulas are compiled first, within the limits of the run.
    ///
    /// # Errors
    ///
    /// The errors of families and boards, and of the limits of the run.
    pub fn frontier(
        &self,
        order: &[usize],
        run: &dyn Run,
    ) -> Result<Frontier<'static>, ProblemError> {
        Ok(match self {
            Problem::Sets(sets) | Problem::Tours(_, sets) => in_order(sets, order).frontier()?,
            Problem::Queens(queens) if queens.is_in_rows() => {
                queens.queens().frontier(BoardEncoding::Cell)?
            }
            Problem::Queens(queens) => queens.pieces().frontier()?,
            Problem::Pieces(pieces) => pieces.pieces().frontier()?,
            Problem::Cover(cover) => Frontier::of_boxed(cover.spec(order).boxed()),
            Problem::Rules(rules) => rules.frontier(order, run)?,
            Problem::Combined(Combination { operation, operands, .. }) => {
                let specs = operands.iter().map(|operand| operand.spec(order, run));
                Frontier::of_boxed(operation.of_all(specs.collect::<Result<_, _>>()?))
            }
        })
    }

    /// Makes the spec with the variables in this order.
    ///
    /// # Errors
    ///
    /// As [`frontier`](Problem::frontier).
    pub fn spec(&self, order: &[usize], run: &dyn Run) -> Result<BoxedSpec<'static>, ProblemError> {
        Ok(self.frontier(order, run)?.into_spec()?)
    }

    /// A sweep that has the same number of solutions, and is faster where possible, with its variables.
    fn counting(&self, run: &dyn Run) -> Result<(Frontier<'static>, Vec<usize>), ProblemError> {
        match self {
            Problem::Queens(queens) if queens.is_in_rows() => {
                let (queens, rows) = (queens.queens(), BoardEncoding::Row);
                Ok((queens.frontier(rows)?, (0..queens.num_vars(rows)).collect()))
            }
            Problem::Tours(tours, _) => {
                let (tours, squares) = (tours.tours(), PathEncoding::ByVertex);
                Ok((tours.frontier(squares)?, (0..tours.num_vars(squares)?).collect()))
            }
            _ => {
                let order = self.element_order()?;
                Ok((self.frontier(&order, run)?, order))
            }
        }
    }

    /// Counts the solutions. A sweep with a checkpoint has all conditions; of others, the library chooses.
    ///
    /// # Errors
    ///
    /// The errors of families and boards, and of the limits of the run.
    pub fn count(&self, run: &dyn Run) -> Result<BigUint, ProblemError> {
        if let Problem::Sets(sets) = self
            && let Some(paths) = sets.bounded_paths()
            && let Some(count) = run.count_paths(paths, &|| self.digest(&[]))
        {
            return Ok(count?);
        }
        match self {
            Problem::Sets(sets) if !run.has_checkpoint() => {
                let variables = sets.element_order()?.len();
                Ok(sets.count_with(|sweep| run.count_sweep(sweep, variables))?.0)
            }
            _ => {
                self.check_checkpoint(run)?;
                let (frontier, order) = self.counting(run)?;
                let sweep = run.count_sweep(frontier, order.len());
                Ok(run.checkpoint(sweep, &|| self.digest(&order)).count()?)
            }
        }
    }

    /// Counts the sets of each size, from 0 to the largest, by a sweep over the sets.
    ///
    /// # Errors
    ///
    /// As [`count`](Problem::count).
    pub fn count_by_size(&self, run: &dyn Run) -> Result<Vec<BigUint>, ProblemError> {
        self.check_checkpoint(run)?;
        let order = self.element_order()?;
        let sweep = run.count_sweep(self.frontier(&order, run)?, order.len());
        let ones = Weights::of_ones(vec![1; order.len()]);
        let mut sizes = Vec::new();
        for (size, count) in run.checkpoint(sweep, &|| self.digest(&order)).count_by(&ones)? {
            sizes.resize(usize::try_from(size).unwrap_or_default(), BigUint::ZERO);
            sizes.push(count);
        }
        Ok(sizes)
    }

    /// Builds the diagram, by the sweeps of [`count`](Problem::count). Returns also the element of each variable.
    ///
    /// # Errors
    ///
    /// As [`count`](Problem::count).
    pub fn build(&self, run: &dyn Run) -> Result<(Zdd, Vec<usize>, Report), ProblemError> {
        self.check_checkpoint(run)?;
        let order = self.element_order()?;
        if let (Problem::Sets(sets), false) = (self, run.has_checkpoint()) {
            let (built, report) = sets.zdd_with(|sweep| run.sweep(sweep, order.len()))?;
            return Ok((built.diagram().clone(), order, report));
        }
        let sweep = run.sweep(self.frontier(&order, run)?, order.len());
        let mut sweep = run.checkpoint(sweep, &|| self.digest(&order));
        let zdd = sweep.zdd()?;
        Ok((zdd, order, sweep.report().clone()))
    }

    /// Fails if the run writes a checkpoint that no later run could resume.
    fn check_checkpoint(&self, run: &dyn Run) -> Result<(), ProblemError> {
        if run.has_checkpoint() && !self.is_resumable() {
            return Err(ProblemError::NoCheckpoint);
        }
        Ok(())
    }

    /// Returns whether another process can resume the checkpoint of a sweep: all rules have digests.
    pub fn is_resumable(&self) -> bool {
        match self {
            Problem::Rules(rules) => rules.are_resumable(),
            Problem::Combined(inner) => inner.operands.iter().all(|operand| operand.is_resumable()),
            _ => true,
        }
    }

    /// Predicts the size of a sweep.
    ///
    /// # Errors
    ///
    /// [`ProblemError::NoPrediction`] if the problem is no family of a graph.
    pub fn predict(&self, limit: PilotLimit) -> Result<Prediction, ProblemError> {
        match self {
            Problem::Sets(sets) => Ok(sets.predict(limit)?),
            _ => Err(ProblemError::NoPrediction),
        }
    }

    /// Returns a digest of the whole problem with the variables in this order: graph, conditions, weights and operands.
    pub fn digest(&self, order: &[usize]) -> u64 {
        digest(&Ordered { problem: self, order })
    }
}

fn check_conditions(conditions: usize) -> Result<(), ProblemError> {
    if conditions > MAX_CONDITIONS {
        return Err(ProblemError::TooManyConditions { most: MAX_CONDITIONS });
    }
    Ok(())
}

fn in_order(sets: &GraphSets, order: &[usize]) -> GraphSets {
    sets.clone().order(Order::Custom(order.to_vec()))
}

/// A problem with the variables in an order, as the text of which the digest is made.
struct Ordered<'a> {
    problem: &'a Problem,
    order: &'a [usize],
}

impl fmt::Debug for Ordered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.order;
        match self.problem {
            // The order that a family chooses for itself, now or later, does not matter.
            Problem::Sets(sets) | Problem::Tours(_, sets) => {
                write!(f, "{:?}", in_order(sets, order))
            }
            Problem::Cover(cover) => write!(f, "{:?}", cover.spec(order)),
            Problem::Queens(_) | Problem::Pieces(_) | Problem::Rules(_) => {
                write!(f, "{:?} {order:?}", self.problem)
            }
            Problem::Combined(Combination { operation, operands, .. }) => {
                write!(f, "{operation:?}")?;
                let operands = operands.iter().map(|problem| Ordered { problem, order });
                f.debug_list().entries(operands).finish()
            }
        }
    }
}

#[cfg(test)]
mod tests;
