//! How many solutions use each element.

use std::fmt;

use num_bigint::BigUint;
use serde::{Serialize, Serializer};

/// The number of solutions with an element, or with a value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Usage {
    /// As it is printed.
    name: String,
    /// The value, if the variable has more than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<usize>,
    #[serde(serialize_with = "text")]
    count: BigUint,
}

/// A number as a string: numbers of other programs may be too small for it.
fn text<S: Serializer>(count: &BigUint, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(count)
}

impl Usage {
    /// The number of solutions with an element.
    pub(crate) fn of_element(name: String, count: BigUint) -> Self {
        Usage { name, value: None, count }
    }

    /// The numbers of solutions with each value of a variable, or with the element that it stands for.
    pub(crate) fn of_variable(name: &str, counts: &[BigUint]) -> Vec<Self> {
        if let [_, count] = counts {
            return vec![Usage::of_element(name.to_owned(), count.clone())];
        }
        let of_value = |(value, count): (usize, &BigUint)| Usage {
            name: name.to_owned(),
            value: Some(value),
            count: count.clone(),
        };
        counts.iter().enumerate().map(of_value).collect()
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Some(value) => write!(f, "{}={value}: {}", self.name, self.count),
            None => write!(f, "{}: {}", self.name, self.count),
        }
    }
}
