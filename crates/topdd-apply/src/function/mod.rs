//! Boolean functions as BDDs with complement edges.
//!
//! `boolean` combines functions, `quantify` removes variables, `substitute` replaces them, `query`
//! has the queries, `forms` converts from and to cubes, CNF and DNF, with `clause_order`, and
//! `expression` parses text. `dimacs` reads files, with `weight`. `operations` implements the operations.

mod boolean;
mod clause_order;
mod dimacs;
mod expression;
mod forms;
pub(crate) mod operations;
mod other_format;
mod quantify;
mod query;
mod substitute;
#[cfg(test)]
mod tests;
mod weight;

pub use clause_order::clause_order;
pub use dimacs::CnfFile;
pub use query::{Assignments, Clauses, Cubes};

use crate::manager::Manager;
use crate::manager::handle::{Handle, LISTED, LISTED_NODES, operators};
use std::fmt;
use topdd::diagram::AnyValue;

/// A Boolean function of the variables of a [`Manager`].
///
/// A handle: cloning and dropping take constant time, and a handle keeps its nodes alive.
/// Two functions of one manager are equal (`==`) if and only if they have the same value
/// for every assignment.
///
/// # Cost
///
/// | operations | time and new nodes |
/// | --- | --- |
/// | `==`, `!`, `clone`, [`is_true`](Function::is_true) | constant |
/// | `&`, `\|`, `^`, `-`, [`implies`](Function::implies), [`iff`](Function::iff) | at most the product of the numbers of nodes |
/// | [`leq`](Function::leq), [`is_disjoint`](Function::is_disjoint) | the same time at most, no nodes |
/// | [`top_variable`](Function::top_variable), [`low`](Function::low), [`high`](Function::high) | constant |
/// | [`restrict`](Function::restrict), [`cofactors`](Function::cofactors) | linear in the nodes |
/// | passes: [`count`](Function::count), [`support`](Function::support), ... | linear in the nodes, with a copy of them |
/// | [`exists`](Function::exists) and other quantifiers, [`substitute`](Function::substitute), ... | exponential in the worst case |
///
/// Results of the operations are cached, so a repeated operation may take constant time.
///
/// Source: BDDs with complement edges, K. S. Brace, R. L. Rudell and R. E. Bryant, *Efficient
/// implementation of a BDD package*, DAC 1990.
///
/// In the examples of the methods, `manager` is a [`Manager`] of a few variables.
///
/// # Errors
///
/// Where a method returns a `Result`, the errors are: the other handle belongs to another manager
/// ([`MixedManagers`](crate::Error::MixedManagers)), there is no such variable, or a limit of the
/// manager was reached, or its token cancelled ([`within`](Manager::within)). The operators `&`, `|`,
/// `^` and `-` (and not) panic on an error, at the line of the caller; [`try_and`](Function::try_and),
/// [`try_or`](Function::try_or), [`try_xor`](Function::try_xor) and
/// [`try_and_not`](Function::try_and_not) return the error.
///
/// ```
/// use topdd_apply::Manager;
///
/// let manager = Manager::new(2)?;
/// let (x, y) = (manager.var(0)?, manager.var(1)?);
/// assert_eq!(!(&x & &y), !&x | !&y);
/// assert_eq!(&x - &y, &x & !&y);
/// assert_eq!(x.try_and(&y)?, &x & &y);
/// assert_eq!(format!("{:?}", &x ^ &y), "Function(!0 & 1 | 0 & !1)"); // disjoint cubes
/// # Ok::<(), topdd_apply::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Function(pub(crate) Handle<AnyValue>);

impl Function {
    /// Returns the manager of the function.
    pub fn manager(&self) -> &Manager {
        self.0.manager()
    }
}

operators! { Function:
    BitAnd bitand BitAndAssign bitand_assign "&" by try_and;
    BitOr bitor BitOrAssign bitor_assign "|" by try_or;
    BitXor bitxor BitXorAssign bitxor_assign "^" by try_xor;
    Sub sub SubAssign sub_assign "-" by try_and_not;
}

impl std::ops::Not for &Function {
    type Output = Function;

    fn not(self) -> Function {
        Function(self.0.manager().handle(self.0.edge() ^ 1))
    }
}

impl std::ops::Not for Function {
    type Output = Function;

    fn not(self) -> Function {
        !&self
    }
}

/// Lists at most 20 [cubes](Function::cubes), where `!2` means that variable 2 is false. For a
/// function of more than a thousand nodes, writes only their number.
impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_true() || self.is_false() {
            return write!(f, "Function({})", self.is_true());
        }
        let nodes = self.node_count();
        if nodes > LISTED_NODES {
            return write!(f, "Function({nodes} nodes)");
        }
        f.write_str("Function(")?;
        for (index, cube) in self.cubes().enumerate() {
            f.write_str(if index == 0 { "" } else { " | " })?;
            if index == LISTED {
                f.write_str("..")?;
                break;
            }
            for (position, (variable, value)) in cube.into_iter().enumerate() {
                let and = if position == 0 { "" } else { " & " };
                let not = if value { "" } else { "!" };
                write!(f, "{and}{not}{variable}")?;
            }
        }
        f.write_str(")")
    }
}
