//! One weight per variable and value.

use crate::QueryError;
use crate::diagram::store::Store;
use crate::spec::DdSpec;

/// A weight for each value of each variable.
///
/// What a solution weighs is, by the question asked, the sum of the weights of its values
/// ([`minimum`](crate::Diagram::minimum)) or their product
/// ([`probability`](crate::Diagram::probability)). Every question checks that the weights
/// fit the variables of the diagram.
///
/// ```
/// use topdd::Weights;
/// # use topdd::{DdSpec, Step};
/// # struct Dice; impl DdSpec for Dice {
/// #     type State = (); fn num_vars(&self) -> usize { 2 }
/// #     fn arity(&self, _: usize) -> usize { 6 }
/// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
/// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
/// #         if v == 1 { Step::One } else { Step::To(v + 1, ()) } } }
///
/// // Two dice: what value 0 to 5 of each stands for, by function and one by one.
/// let pips = Weights::from_fn(&Dice, |_die, value| value as i64 + 1);
/// assert_eq!(pips, Weights::from(vec![vec![1, 2, 3, 4, 5, 6]; 2]));
/// assert_eq!(topdd::bdd(&Dice)?.maximum(&pips)?.weight, 12);
///
/// // Two-valued variables of which value 1 weighs something.
/// let prices = Weights::of_ones([30, 5, 20]);
/// assert_eq!(prices, Weights::from(vec![vec![0, 30], vec![0, 5], vec![0, 20]]));
/// # Ok::<(), topdd::QueryError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Weights<W> {
    weights: Vec<W>,
    /// Where those of each variable start, and at the end where they stop.
    starts: Vec<usize>,
}

impl<W> Weights<W> {
    /// The weight of each value is what `weight` answers of variable and value. The
    /// variables are those of a spec, and a diagram is one.
    pub fn from_fn<S, F>(spec: &S, mut weight: F) -> Self
    where
        S: DdSpec + ?Sized,
        F: FnMut(usize, usize) -> W,
    {
        let mut all = Self::new();
        for variable in 0..spec.num_vars() {
            all.weights.extend((0..spec.arity(variable)).map(|value| weight(variable, value)));
            all.starts.push(all.weights.len());
        }
        all
    }

    /// For two-valued variables: the weights of their values 1; values 0 have the weight
    /// `W::default()`.
    pub fn of_ones(weights: impl IntoIterator<Item = W>) -> Self
    where
        W: Default,
    {
        weights.into_iter().map(|weight| [W::default(), weight]).collect()
    }

    fn new() -> Self {
        Weights { weights: Vec::new(), starts: vec![0] }
    }

    /// The number of variables.
    pub fn num_vars(&self) -> usize {
        self.starts.len() - 1
    }

    /// The weights of the values of a variable; `None` if there is no such variable.
    pub fn variable(&self, variable: usize) -> Option<&[W]> {
        let end = *self.starts.get(variable.checked_add(1)?)?;
        Some(&self.weights[self.starts[variable]..end])
    }

    /// The weight of a value; `None` if there is no such variable or value.
    pub fn get(&self, variable: usize, value: usize) -> Option<&W> {
        self.variable(variable)?.get(value)
    }

    /// The weights that `change` makes of these.
    pub fn map<V>(&self, change: impl FnMut(&W) -> V) -> Weights<V> {
        Weights { weights: self.weights.iter().map(change).collect(), starts: self.starts.clone() }
    }

    /// The weights of a variable that is known to be there.
    #[inline]
    pub(super) fn of(&self, variable: usize) -> &[W] {
        &self.weights[self.starts[variable]..self.starts[variable + 1]]
    }

    /// Refuses weights of another shape than the variables of a diagram.
    pub(super) fn check(&self, store: &Store) -> Result<(), QueryError> {
        let (found, num_vars) = (self.num_vars(), store.arities.num_vars());
        if found != num_vars {
            return Err(QueryError::WeightsLength { found, num_vars });
        }
        for variable in 0..num_vars {
            let (found, arity) = (self.of(variable).len(), store.arities.get(variable));
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
        let mut all = Self::new();
        for weights in variables {
            all.weights.extend(weights);
            all.starts.push(all.weights.len());
        }
        all
    }
}

/// For each variable the weights of its values.
impl<W> From<Vec<Vec<W>>> for Weights<W> {
    fn from(variables: Vec<Vec<W>>) -> Self {
        variables.into_iter().collect()
    }
}
