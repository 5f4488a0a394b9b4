//! How many solutions have each element.

use std::fmt;

use num_bigint::BigUint;
use serde::{Serialize, Serializer};

use topdd_problem::names::Name;

/// The number of solutions with an element, or with a value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Usage {
    #[serde(serialize_with = "stored")]
    name: Name,
    /// The value, if the variable is not whether an element is in a set.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<usize>,
    #[serde(serialize_with = "text")]
    count: BigUint,
}

/// A name as a JSON string, which needs no other quotes.
fn stored<S: Serializer>(name: &Name, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&name.stored())
}

/// A number as a string: numbers of other programs may be too small for it.
fn text<S: Serializer>(count: &BigUint, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(count)
}

impl Usage {
    /// The number of solutions with an element.
    pub(crate) fn of_element(name: Name, count: BigUint) -> Self {
        Usage { name, value: None, count }
    }

    /// The numbers of solutions with each value of a variable.
    pub(crate) fn of_values(name: &Name, counts: &[BigUint]) -> Vec<Self> {
        let of_value = |(value, count): (usize, &BigUint)| Usage {
            name: name.clone(),
            value: Some(value),
            count: count.clone(),
        };
        counts.iter().enumerate().map(of_value).collect()
    }

    /// The number of solutions with the element that a variable of two values stands for, or the numbers with each value
    /// of another one.
    pub(crate) fn of_variable(name: &Name, counts: &[BigUint]) -> Vec<Self> {
        match counts {
            [_, count] => vec![Usage::of_element(name.clone(), count.clone())],
            _ => Usage::of_values(name, counts),
        }
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.printed();
        match self.value {
            Some(value) => write!(f, "{name}={value}: {}", self.count),
            None => write!(f, "{name}: {}", self.count),
        }
    }
}
