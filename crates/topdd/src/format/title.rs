//! What the nodes of a picture do not tell.

use crate::diagram::store::Store;
use crate::spec::Rule;
use std::fmt;

/// The title of a picture: two families may have the same nodes.
pub(super) struct Title<'a> {
    pub(super) name: &'static str,
    pub(super) rule: Rule,
    pub(super) store: &'a Store,
}

impl fmt::Display for Title<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arities = &self.store.arities;
        let number = arities.num_vars();
        let plural = if number == 1 { "" } else { "s" };
        write!(f, "{} over {number} variable{plural}", self.name)?;
        let values = (0..number).map(|variable| arities.get(variable));
        match (values.clone().min(), values.max()) {
            (None, _) | (Some(2), Some(2)) => {}
            (Some(1), Some(1)) => write!(f, " of 1 value")?,
            (Some(least), Some(most)) if least == most => write!(f, " of {most} values")?,
            (Some(least), most) => write!(f, " of {least} to {} values", most.unwrap_or(least))?,
        }
        f.write_str(match self.rule {
            Rule::ZeroSuppressed => ": skipped variables are 0",
            Rule::AnyValue => ": skipped variables may have any value",
        })
    }
}
