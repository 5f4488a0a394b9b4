//! One weight per variable and value.

use crate::QueryError;
use crate::diagram::check_variable;
use crate::spec::{Arities, PerValue, Space};

/// A weight for each value of each variable.
///
/// By the query, the weight of a solution is the sum of the weights of its values
/// ([`minimum`](crate::Diagram::minimum)) or their product
/// ([`probability`](crate::Diagram::probability)). Every query checks that the weights fit the
/// variables of the diagram. Size: one `W` for each value, and one word for each variable.
///
/// ```
/// use topdd::{Weights, Zdd};
///
/// // Two dice: the points of values 0 to 5 of each, by a function and as a list.
/// let dice = Zdd::full([6; 2])?;
/// let pips = Weights::from_fn(&dice, |_die, value| value as i64 + 1);
/// assert_eq!(pips, Weights::from(vec![vec![1, 2, 3, 4, 5, 6]; 2]));
/// assert_eq!(dice.maximum(&pips)?.weight, 12);
///
/// // Two-valued variables of which value 1 has a weight. The type of a weight is `i64` by default.
/// let prices: Weights = Weights::of_ones([30, 5, 20]);
/// assert_eq!(prices, Weights::from(vec![vec![0, 30], vec![0, 5], vec![0, 20]]));
/// # Ok::<(), topdd::QueryError>(())
/// ```
///
/// With the feature `serde`, weights are (de)serialised as a list of lists: by variable, the
/// weights of its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        into = "Vec<Vec<W>>",
        from = "Vec<Vec<W>>",
        bound(
            serialize = "W: Clone + serde::Serialize",
            deserialize = "W: serde::Deserialize<'de>"
        )
    )
)]
pub struct Weights<W = i64>(PerValue<W>);

impl<W> Weights<W> {
    /// Makes weights by a function of variable and value. `space` names the variables: a spec or a
    /// diagram, `[6; 2]`, or any other source of a [`Space`].
    pub fn from_fn(space: impl Into<Space>, weight: impl FnMut(usize, usize) -> W) -> Self {
        Weights(PerValue::new(space.into().arities(), weight))
    }

    /// Makes weights of two-valued variables, from the weight of the value 1 of each. The weight of the
    /// values 0 is `W::default()`.
    pub fn of_ones(weights: impl IntoIterator<Item = W>) -> Self
    where
        W: Default,
    {
        weights.into_iter().map(|weight| [W::default(), weight]).collect()
    }

    /// Returns the number of variables.
    pub fn num_vars(&self) -> usize {
        self.0.num_vars()
    }

    /// Returns the weights of the values of a variable, by value.
    ///
    /// ```
    /// let prices = topdd::Weights::of_ones([30, 5]);
    /// assert_eq!((prices.num_vars(), prices.variable(1)), (2, &[0, 5][..]));
    /// assert_eq!(prices.get_variable(2), None);
    /// ```
    ///
    /// # Panics
    ///
    /// If there is no such variable; [`get_variable`](Weights::get_variable) returns `None` then.
    #[inline]
    #[track_caller]
    pub fn variable(&self, variable: usize) -> &[W] {
        check_variable(variable, self.num_vars());
        self.0.variable(variable)
    }

    /// Returns the weights of the values of a variable; `None` if there is no such variable.
    pub fn get_variable(&self, variable: usize) -> Option<&[W]> {
        (variable < self.num_vars()).then(|| self.variable(variable))
    }

    /// Returns the weight of a value; `None` if there is no such variable or value.
    ///
    /// ```
    /// let prices = topdd::Weights::of_ones([30, 5]);
    /// assert_eq!((prices.get(1, 1), prices.get(1, 2), prices.get(2, 0)), (Some(&5), None, None));
    /// ```
    pub fn get(&self, variable: usize, value: usize) -> Option<&W> {
        self.get_variable(variable)?.get(value)
    }

    /// Returns weights of the same shape: `change` of each weight.
    ///
    /// ```
    /// use topdd::Weights;
    ///
    /// let euros = Weights::of_ones([30, 5]);
    /// assert_eq!(euros.map(|euros| euros * 100), Weights::of_ones([3000, 500]));
    /// ```
    pub fn map<V>(&self, change: impl FnMut(&W) -> V) -> Weights<V> {
        Weights(self.0.map(change))
    }

    /// Fails if there is not one weight for each value of each variable.
    pub(crate) fn check(&self, arities: &Arities) -> Result<(), QueryError> {
        let (found, num_vars) = (self.num_vars(), arities.num_vars());
        if found != num_vars {
            return Err(QueryError::WeightsLength { found, num_vars });
        }
        for variable in 0..num_vars {
            let (found, arity) = (self.variable(variable).len(), arities.get(variable));
            if found != arity {
                return Err(QueryError::WeightsArity { variable, found, arity });
            }
        }
        Ok(())
    }
}

/// For each variable the weights of its values.
impl<W, V: IntoIterator<Item = W>> FromIterator<V> for Weights<W> {
    fn from_iter<I: IntoIterator<Item = V>>(variables: I) -> Self {
        Weights(variables.into_iter().collect())
    }
}

/// For each variable the weights of its values.
impl<W> From<Vec<Vec<W>>> for Weights<W> {
    fn from(variables: Vec<Vec<W>>) -> Self {
        variables.into_iter().collect()
    }
}

/// By variable, the weights of its values.
impl<W> From<Weights<W>> for Vec<Vec<W>> {
    fn from(weights: Weights<W>) -> Self {
        weights.0.into_lists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::panic_of;

    #[test]
    fn weights_out_of_range_panic_at_the_line_of_the_caller() {
        let weights = Weights::from(vec![vec![1, 2], vec![3]]);
        let (at, message) = panic_of(|| weights.variable(2).len());
        assert_eq!(at, (file!().to_owned(), line!() - 1));
        assert_eq!(message, "there is no variable 2; the variables are 0..2");
        assert_eq!((weights.get_variable(1), weights.get_variable(2)), (Some(&[3][..]), None));
    }

    #[test]
    fn weights_convert_to_lists_and_back() {
        let lists = vec![vec![1, 2], vec![], vec![3]];
        assert_eq!(Vec::from(Weights::from(lists.clone())), lists);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn weights_and_decisions_survive_serialisation() {
        use crate::Decision;
        let weights = Weights::from(vec![vec![1, 2], vec![3]]);
        let json = serde_json::to_string(&weights).unwrap();
        assert_eq!(json, "[[1,2],[3]]");
        assert_eq!(serde_json::from_str::<Weights<i64>>(&json).unwrap(), weights);
        let decisions = [Decision::is(3, 0), Decision::is_not(1, 2)];
        let json = serde_json::to_string(&decisions).unwrap();
        let expected = r#"[{"is":{"variable":3,"value":0}},{"is_not":{"variable":1,"value":2}}]"#;
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<[Decision; 2]>(&json).unwrap(), decisions);
        let of_before = json.replace("is_not", "not");
        assert_eq!(serde_json::from_str::<[Decision; 2]>(&of_before).unwrap(), decisions);
    }
}
