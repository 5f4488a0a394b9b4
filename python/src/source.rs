//! The problem of a family, without Python: what is swept when it is counted or built.

use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

use topdd::frontier::Report;
use topdd::{BigUint, BoxedSpec, Frontier, SpecExt, Zdd};
use topdd_chess::knights::PathEncoding;
use topdd_chess::queens::BoardEncoding;
use topdd_chess::{KnightsTours, Pieces, Queens};
use topdd_graph::Graph;
use topdd_graph::families::{
    Colourings, Condition, EdgeSets, GraphSets, OfSets, Order, SubgraphConstraint, VertexSets,
};
use topdd_graph::predict::{PilotLimit, Prediction};

use crate::errors::{Failure, Outcome};
use crate::run::Task;

/// The most operations inside of each other: their specs call each other, on the stack of a thread.
const MAX_DEPTH: usize = 64;

/// The most families that are combined. One that occurs twice in different operations counts twice.
const MAX_PARTS: usize = 4096;

/// The most conditions that one sweep checks.
const MAX_CONDITIONS: usize = 1 << 16;

/// An operation on families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    And,
    Or,
    Difference,
    Xor,
}

impl Operation {
    /// The spec of the combination of two specs over the same variables.
    pub(crate) fn of(
        self,
        left: BoxedSpec<'static>,
        right: BoxedSpec<'static>,
    ) -> BoxedSpec<'static> {
        match self {
            Operation::And => left.and(right).boxed(),
            Operation::Or => left.or(right).boxed(),
            Operation::Difference => left.and_not(right).boxed(),
            Operation::Xor => left.xor(right).boxed(),
        }
    }

    /// The spec of the combination of two specs, or of more for `&` and `|`.
    fn of_all(self, specs: Vec<BoxedSpec<'static>>) -> BoxedSpec<'static> {
        match (<[_; 2]>::try_from(specs), self) {
            (Ok([left, right]), _) => self.of(left, right),
            (Err(specs), Operation::Or) => topdd::any(specs).boxed(),
            (Err(specs), _) => topdd::all(specs).boxed(),
        }
    }

    pub(crate) fn sign(self) -> &'static str {
        match self {
            Operation::And => "&",
            Operation::Or => "|",
            Operation::Difference => "-",
            Operation::Xor => "^",
        }
    }
}

/// A family of a graph.
#[derive(Clone, Debug)]
pub(crate) enum Sets {
    Edges(EdgeSets),
    Vertices(VertexSets),
    Colours(Colourings),
}

/// Calls a method of the family, of any kind.
macro_rules! of_any {
    ($sets:expr, $family:ident => $call:expr) => {
        match $sets {
            Sets::Edges($family) => $call,
            Sets::Vertices($family) => $call,
            Sets::Colours($family) => $call,
        }
    };
}

impl Sets {
    pub(crate) fn graph(&self) -> &Graph {
        of_any!(self, family => family.graph())
    }

    /// The family with the variables in a given order.
    fn in_order(&self, order: &[usize]) -> Self {
        let order = Order::Custom(order.to_vec());
        match self {
            Sets::Edges(family) => Sets::Edges(family.clone().order(order)),
            Sets::Vertices(family) => Sets::Vertices(family.clone().order(order)),
            Sets::Colours(family) => Sets::Colours(family.clone().order(order)),
        }
    }

    /// The family with an order of the variables, which is checked.
    fn ordered(&self, order: &Order) -> Outcome<Self> {
        let sets = match self {
            Sets::Edges(family) => Sets::Edges(family.clone().order(order.clone())),
            Sets::Vertices(family) => Sets::Vertices(family.clone().order(order.clone())),
            Sets::Colours(family) => Sets::Colours(family.clone().order(order.clone())),
        };
        if *order != Order::Auto {
            of_any!(&sets, family => family.element_order())?;
        }
        Ok(sets)
    }

    fn num_conditions(&self) -> usize {
        of_any!(self, family => family.num_conditions())
    }

    /// Fails if the parameters of the family are wrong.
    fn check(&self) -> Outcome<()> {
        Ok(of_any!(self, family => family.check())?)
    }

    /// The sets that are also in another family; `None` if one sweep cannot check both.
    fn and(&self, other: &Self) -> Outcome<Option<Self>> {
        fn both<G: OfSets + Clone>(one: &GraphSets<G>, two: &GraphSets<G>) -> Option<GraphSets<G>> {
            (one.graph() == two.graph()).then(|| one.clone().and(two.clone()))
        }

        if self.num_conditions() + other.num_conditions() > MAX_CONDITIONS {
            return Err(Failure::Input(format!(
                "the family would have more than {MAX_CONDITIONS} conditions; build() the parts, and combine their \
                 diagrams"
            )));
        }
        Ok(match (self, other) {
            (Sets::Edges(one), Sets::Edges(two)) => both(one, two).map(Sets::Edges),
            (Sets::Vertices(one), Sets::Vertices(two)) => both(one, two).map(Sets::Vertices),
            _ => None,
        })
    }

    /// The sets that satisfy a constraint.
    pub(crate) fn constrained(&self, constraint: SubgraphConstraint) -> Outcome<Self> {
        let condition = constraint;
        Ok(match self {
            Sets::Edges(family) => {
                Sets::Edges(family.clone().and(Condition::Constraint(condition)))
            }
            Sets::Vertices(family) => {
                Sets::Vertices(family.clone().and(Condition::Constraint(condition)))
            }
            Sets::Colours(_) => {
                return Err(Failure::input(
                    "this is for sets, and these are colourings; including and excluding take pairs (vertex, colour)",
                ));
            }
        })
    }
}

/// The problem of a family.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Sets(Sets),
    Queens(Queens),
    Pieces(Pieces),
    /// Tours as sets of moves, and the tours themselves.
    Tours(EdgeSets, KnightsTours),
    Combined(Combination),
}

/// A combination of two problems, or of more for `&` and `|`.
#[derive(Clone, Debug)]
pub(crate) struct Combination {
    operation: Operation,
    operands: Vec<Arc<Source>>,
    /// The number of operations inside of each other.
    depth: usize,
    /// The number of problems that are no combinations.
    parts: usize,
}

impl Combination {
    /// Fails if the combination is too deep or too large to be swept at once.
    fn new(operation: Operation, operands: Vec<Arc<Source>>) -> Outcome<Self> {
        let (mut depth, mut parts) = (1, 0);
        for operand in &operands {
            let (inner, of_operand) = match &**operand {
                Source::Combined(inner) => (inner.depth, inner.parts),
                _ => (0, 1),
            };
            depth = depth.max(inner + 1);
            parts += of_operand;
        }
        if depth > MAX_DEPTH || parts > MAX_PARTS {
            return Err(Failure::Input(format!(
                "at most {MAX_PARTS} families are combined before they are built, by at most {MAX_DEPTH} operators \
                 inside of each other; build() the parts, and combine their diagrams"
            )));
        }
        Ok(Self { operation, operands, depth, parts })
    }
}

impl Source {
    /// The combination of two problems. Chains of one operator become one combination.
    pub(crate) fn combined(
        operation: Operation,
        left: &Arc<Source>,
        right: &Arc<Source>,
    ) -> Outcome<Arc<Source>> {
        let is_chain = matches!(operation, Operation::And | Operation::Or);
        if is_chain && Arc::ptr_eq(left, right) {
            return Ok(left.clone());
        }
        if let (Source::Sets(one), Source::Sets(two), Operation::And) =
            (&**left, &**right, operation)
            && let Some(both) = one.and(two)?
        {
            return Ok(Arc::new(Source::Sets(both)));
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
            Source::Combined(inner)
                if operation == Operation::Difference && inner.operation == operation =>
            {
                let removed = Source::combined(Operation::Or, &inner.operands[1], right)?;
                vec![inner.operands[0].clone(), removed]
            }
            _ => vec![left.clone(), right.clone()],
        };
        if operands.len() == left.operands_of(operation).len() && is_chain {
            return Ok(left.clone());
        }
        Ok(Arc::new(Source::Combined(Combination::new(operation, operands)?)))
    }

    /// Fails if the parameters of a family of a graph are wrong.
    pub(crate) fn check(&self) -> Outcome<()> {
        if let Source::Sets(sets) = self { sets.check() } else { Ok(()) }
    }

    /// The operands, if the problem is a combination by this operation; else itself.
    fn operands_of(self: &Arc<Self>, operation: Operation) -> &[Arc<Source>] {
        match &**self {
            Source::Combined(inner) if inner.operation == operation => &inner.operands,
            _ => std::slice::from_ref(self),
        }
    }

    /// A digest of the whole problem with the variables in this order: graph, conditions, weights and operands.
    pub(crate) fn digest(&self, order: &[usize]) -> u64 {
        digest_of(&Ordered { source: self, order })
    }

    /// The problem with an order of the variables; of a combination, the order of its first family.
    pub(crate) fn ordered(&self, order: &Order) -> Outcome<Self> {
        Ok(match self {
            Source::Sets(sets) => Source::Sets(sets.ordered(order)?),
            Source::Combined(inner) => {
                let mut ordered = inner.clone();
                ordered.operands[0] = Arc::new(ordered.operands[0].ordered(order)?);
                Source::Combined(ordered)
            }
            Source::Queens(_) | Source::Pieces(_) | Source::Tours(..) => {
                return Err(Failure::input(
                    "the order of a board is fixed; order() is for families of a graph",
                ));
            }
        })
    }

    /// The element of each variable. Choosing it may take a fraction of a second.
    pub(crate) fn order(&self) -> Outcome<Vec<usize>> {
        match self {
            Source::Sets(sets) => Ok(of_any!(sets, family => family.element_order())?),
            Source::Queens(queens) => Ok((0..queens.num_vars(BoardEncoding::Cell)).collect()),
            Source::Pieces(pieces) => Ok((0..pieces.num_vars()?).collect()),
            Source::Tours(sets, _) => Ok(sets.element_order()?),
            Source::Combined(inner) => inner.operands[0].order(),
        }
    }

    /// A sweep with the variables in this order.
    pub(crate) fn frontier(&self, order: &[usize]) -> Outcome<Frontier<'static>> {
        Ok(match self {
            Source::Sets(sets) => of_any!(&sets.in_order(order), family => family.frontier())?,
            Source::Queens(queens) => queens.frontier(BoardEncoding::Cell)?,
            Source::Pieces(pieces) => pieces.frontier()?,
            Source::Tours(sets, _) => {
                sets.clone().order(Order::Custom(order.to_vec())).frontier()?
            }
            Source::Combined(Combination { operation, operands, .. }) => {
                let specs = operands.iter().map(|operand| operand.spec(order));
                Frontier::of_boxed(operation.of_all(specs.collect::<Outcome<_>>()?))
            }
        })
    }

    /// The same as a spec.
    pub(crate) fn spec(&self, order: &[usize]) -> Outcome<BoxedSpec<'static>> {
        Ok(self.frontier(order)?.into_spec()?)
    }

    /// A sweep that has the same number of solutions, and is faster where possible.
    fn counting(&self) -> Outcome<(Frontier<'static>, Vec<usize>)> {
        if let Source::Queens(queens) = self {
            let rows = (0..queens.num_vars(BoardEncoding::Row)).collect();
            return Ok((queens.frontier(BoardEncoding::Row)?, rows));
        }
        if let Source::Tours(_, tours) = self {
            let encoding = PathEncoding::ByVertex;
            return Ok((tours.frontier(encoding)?, (0..tours.num_vars(encoding)?).collect()));
        }
        let order = self.order()?;
        Ok((self.frontier(&order)?, order))
    }

    /// Counts the solutions. A sweep with a checkpoint has all conditions; of others, the library chooses.
    pub(crate) fn count(&self, task: &Task) -> Outcome<BigUint> {
        let (frontier, order) = match self {
            Source::Sets(sets) if !task.has_checkpoint() => {
                return of_any!(sets, family => {
                    let variables = family.element_order()?.len();
                    Ok(family.count_with(|sweep| task.counting(sweep, variables, None))?)
                });
            }
            _ => self.counting()?,
        };
        let key = || self.digest(&order);
        Ok(task.counting(frontier, order.len(), Some(&key)).count()?)
    }

    /// Builds the diagram, as [`count`](Source::count). Returns also the element of each variable.
    pub(crate) fn build(&self, task: &Task) -> Outcome<(Zdd, Vec<usize>, Report)> {
        let order = self.order()?;
        if let (Source::Sets(sets), false) = (self, task.has_checkpoint()) {
            let (zdd, report) = of_any!(sets, family => {
                let (built, report) =
                    family.zdd_with(|sweep| task.building(sweep, order.len(), None))?;
                (built.diagram().clone(), report)
            });
            return Ok((zdd, order, report));
        }
        let key = || self.digest(&order);
        let mut frontier = task.building(self.frontier(&order)?, order.len(), Some(&key));
        let zdd = frontier.zdd()?;
        Ok((zdd, order, frontier.report().clone()))
    }

    /// Predicts the size of a sweep.
    pub(crate) fn predict(&self, limit: PilotLimit) -> Outcome<Prediction> {
        match self {
            Source::Sets(sets) => Ok(of_any!(sets, family => family.predict(limit))?),
            _ => Err(Failure::input(
                "predictions are for families of a graph, not for combinations and boards",
            )),
        }
    }
}

/// A problem with the variables in an order, as the text of which the digest is made.
struct Ordered<'a> {
    source: &'a Source,
    order: &'a [usize],
}

impl fmt::Debug for Ordered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.order;
        match self.source {
            // The order that a family chooses for itself, now or later, does not matter.
            Source::Sets(sets) => write!(f, "{:?}", sets.in_order(order)),
            Source::Tours(sets, _) => {
                write!(f, "{:?}", sets.clone().order(Order::Custom(order.to_vec())))
            }
            Source::Queens(_) | Source::Pieces(_) => write!(f, "{:?} {order:?}", self.source),
            Source::Combined(Combination { operation, operands, .. }) => {
                write!(f, "{operation:?}")?;
                let operands = operands.iter().map(|source| Ordered { source, order });
                f.debug_list().entries(operands).finish()
            }
        }
    }
}

/// A digest of the text of a value, the same in each process.
pub(crate) fn digest_of(value: &impl fmt::Debug) -> u64 {
    struct Digest(DefaultHasher);

    impl fmt::Write for Digest {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }

    let mut digest = Digest(DefaultHasher::new());
    write!(digest, "{value:?}").expect("a digest takes any text");
    digest.0.finish()
}
