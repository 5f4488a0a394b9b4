//! The problem of a family, without Python: what is swept when it is counted or built.

use std::sync::Arc;

use topdd::{BoxedSpec, Frontier, SpecExt};
use topdd_chess::knights::PathEncoding;
use topdd_chess::queens::BoardEncoding;
use topdd_chess::{KnightsTours, Pieces, Queens};
use topdd_graph::Graph;
use topdd_graph::families::{
    Colourings, Condition, EdgeSets, GraphSets, OfSets, Order, SubgraphConstraint, VertexSets,
};
use topdd_graph::predict::{PilotLimit, Prediction};

use crate::errors::{Failure, Outcome};

/// An operation on two families.
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

    /// The sets that are also in another family; `None` if one sweep cannot check both.
    pub(crate) fn and(&self, other: &Self) -> Option<Self> {
        fn both<G: OfSets + Clone>(one: &GraphSets<G>, two: &GraphSets<G>) -> Option<GraphSets<G>> {
            (one.graph() == two.graph()).then(|| one.clone().and(two.clone()))
        }
        match (self, other) {
            (Sets::Edges(one), Sets::Edges(two)) => both(one, two).map(Sets::Edges),
            (Sets::Vertices(one), Sets::Vertices(two)) => both(one, two).map(Sets::Vertices),
            _ => None,
        }
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
    Combined {
        operation: Operation,
        operands: [Arc<Source>; 2],
    },
}

impl Source {
    /// The element of each variable. Choosing it may take a fraction of a second.
    pub(crate) fn order(&self) -> Outcome<Vec<usize>> {
        match self {
            Source::Sets(sets) => Ok(of_any!(sets, family => family.element_order())?),
            Source::Queens(queens) => Ok((0..queens.num_vars(BoardEncoding::Cell)).collect()),
            Source::Pieces(pieces) => Ok((0..pieces.num_vars()?).collect()),
            Source::Tours(sets, _) => Ok(sets.element_order()?),
            Source::Combined { operands, .. } => operands[0].order(),
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
            Source::Combined { operation, operands: [left, right] } => {
                Frontier::of_boxed(operation.of(left.spec(order)?, right.spec(order)?))
            }
        })
    }

    /// The same as a spec.
    pub(crate) fn spec(&self, order: &[usize]) -> Outcome<BoxedSpec<'static>> {
        Ok(self.frontier(order)?.into_spec()?)
    }

    /// A sweep that has the same number of solutions, and is faster where possible.
    pub(crate) fn counting(&self) -> Outcome<(Frontier<'static>, Vec<usize>)> {
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
