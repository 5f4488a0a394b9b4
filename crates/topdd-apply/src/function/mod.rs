//! Boolean functions as BDDs with complement edges.
//!
//! `boolean` combines them, `quantify` and `substitute` take variables away or put
//! others for them, `query` asks, `forms` makes them from and into cubes, CNF and DNF.
//! How the operations work is in `operations`.

mod boolean;
mod dimacs;
mod forms;
pub(crate) mod operations;
mod quantify;
mod query;
mod substitute;
#[cfg(test)]
mod tests;

pub use query::{Assignments, Clauses, Cubes};

use crate::manager::Manager;
use crate::manager::handle::{Handle, operators};
use crate::store::AnyValue;
use std::fmt;

/// A Boolean function of the variables of a [`Manager`].
///
/// A handle: cloning and dropping are cheap, and what it needs lives as long as it does.
/// Two functions of one manager are equal (`==`) if and only if they have the same value
/// for every assignment; that is one comparison, as is the negation one flip.
///
/// Where a method answers a `Result`, the errors are: the other handle belongs to another
/// manager ([`MixedManagers`](crate::Error::MixedManagers)), there is no such variable, or
/// a limit of the manager was reached. The operators `!`, `&`, `|`, `^` are for daily use,
/// and panic on these; their twins `try_and`, `try_or`, `try_xor` answer them.
///
/// ```
/// use topdd_apply::Manager;
///
/// let manager = Manager::new(2)?;
/// let (x, y) = (manager.var(0)?, manager.var(1)?);
/// assert_eq!(!(&x & &y), !&x | !&y);
/// assert_eq!(x.try_and(&y)?, &x & &y);
/// # Ok::<(), topdd_apply::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Function(pub(crate) Handle<AnyValue>);

impl Function {
    /// The manager of the function.
    pub fn manager(&self) -> &Manager {
        self.0.manager()
    }
}

operators! { Function:
    BitAnd bitand BitAndAssign bitand_assign by try_and;
    BitOr bitor BitOrAssign bitor_assign by try_or;
    BitXor bitxor BitXorAssign bitxor_assign by try_xor;
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

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({:?})", self.0.edge())
    }
}
