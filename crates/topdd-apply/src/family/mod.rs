//! Families of sets as ZDDs.
//!
//! `make` makes families of variables, `sets` combines them as sets of sets, `algebra`
//! combines their members, `order` compares members by inclusion, and `query` has the queries.
//! `operations` implements the operations.

mod algebra;
mod make;
pub(crate) mod operations;
mod order;
mod query;
mod sets;
#[cfg(test)]
mod tests;

pub use query::Members;

use crate::error::Error;
use crate::manager::Manager;
use crate::manager::handle::{Handle, LISTED, LISTED_NODES, operators};
use operations::Plain;
use std::fmt;
use topdd::diagram::ZeroSuppressed;

/// A family of sets of variables of a [`Manager`].
///
/// A handle: cloning and dropping take constant time, and a handle keeps its nodes alive.
/// Two families of one manager are equal (`==`) if and only if they have the same members. The
/// comparison takes constant time.
///
/// The operations are defined by Minato (*Zero-suppressed BDDs for set manipulation in combinatorial
/// problems*, 1993) and by Knuth (*The Art of Computer Programming*, 7.1.4, exercises 203 to 207 and 236
/// to 237). In the definitions, small letters are members: *a* of this family, *b* of the other.
///
/// # Cost
///
/// | operations | time and new nodes |
/// | --- | --- |
/// | `==`, `clone`, [`is_empty`](Family::is_empty) | constant |
/// | `\|`, `&`, `-`, `^` and the methods of the same meaning | at most the product of the numbers of nodes |
/// | [`is_subset`](Family::is_subset), [`is_disjoint`](Family::is_disjoint) | the same time at most, no nodes |
/// | [`top_variable`](Family::top_variable), [`low`](Family::low), [`high`](Family::high) | constant |
/// | [`subset0`](Family::subset0), [`subset1`](Family::subset1), [`change`](Family::change) | linear in the nodes |
/// | [`exactly`](Family::exactly) | at most the number of nodes times `k + 1` |
/// | passes: [`count`](Family::count), [`support`](Family::support), ... | linear in the nodes, with a copy of them |
/// | all other operations | exponential in the worst case; often near the product |
///
/// Results of the operations are cached, so a repeated operation may take constant time.
///
/// In the examples of the methods, `manager` is a [`Manager`] of a few variables.
///
/// # Errors
///
/// Where a method returns a `Result`, the errors are: the other handle belongs to another manager
/// ([`MixedManagers`](crate::Error::MixedManagers)), there is no such variable, or a limit of the
/// manager was reached, or its token cancelled ([`within`](Manager::within)). The operators `|`, `&`,
/// `-`, `^` and the methods [`union`](Family::union), [`intersection`](Family::intersection),
/// [`difference`](Family::difference) and [`symmetric_difference`](Family::symmetric_difference) panic
/// on an error, at the line of the caller; the methods `try_*` return the error.
///
/// ```
/// use topdd_apply::Manager;
///
/// let manager = Manager::new(3)?;
/// let f = manager.family([vec![], vec![0, 1], vec![2]])?;
/// let g = manager.family([vec![2], vec![1]])?;
/// assert_eq!((&f | &g).count(), 4u32.into());
/// assert_eq!(&f & &g, manager.family([[2]])?);
/// assert_eq!(format!("{f:?}"), "Family({{}, {2}, {0, 1}})");
/// assert_eq!(&f - &g, manager.family([vec![], vec![0, 1]])?);
/// # Ok::<(), topdd_apply::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Family(pub(crate) Handle<ZeroSuppressed>);

impl Family {
    /// Returns the manager of the family.
    pub fn manager(&self) -> &Manager {
        self.0.manager()
    }

    /// Applies a unary operation.
    #[expect(clippy::needless_pass_by_value, reason = "they are units")]
    pub(crate) fn single<O: Plain>(&self, operation: O) -> Result<Family, Error> {
        let made =
            self.0.manager().make_restartable(|store| store.single(&operation, self.0.edge()));
        made.map(Family)
    }

    /// Applies a binary operation.
    #[expect(clippy::needless_pass_by_value, reason = "they are units")]
    fn pair<O: Plain>(&self, operation: O, other: &Family) -> Result<Family, Error> {
        self.0.binary(&other.0, |store, f, g| store.pair(&operation, f, g)).map(Family)
    }
}

operators! { Family:
    BitOr bitor BitOrAssign bitor_assign "|" by try_union;
    BitAnd bitand BitAndAssign bitand_assign "&" by try_intersection;
    Sub sub SubAssign sub_assign "-" by try_difference;
    BitXor bitxor BitXorAssign bitxor_assign "^" by try_symmetric_difference;
}

/// Lists at most 20 members. For a family of more than a thousand nodes, writes only their number.
impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.0.read(|store, edge| store.count_nodes(&[edge]));
        if nodes > LISTED_NODES {
            return write!(f, "Family({nodes} nodes)");
        }
        f.write_str("Family({")?;
        for (index, member) in self.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            if index == LISTED {
                f.write_str("..")?;
                break;
            }
            f.write_str("{")?;
            for (position, variable) in member.into_iter().enumerate() {
                write!(f, "{}{variable}", if position == 0 { "" } else { ", " })?;
            }
            f.write_str("}")?;
        }
        f.write_str("})")
    }
}
