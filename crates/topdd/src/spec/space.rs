//! The variables of a spec.

use super::DdSpec;
use std::sync::Arc;

/// The variables of a spec, of a constraint or of weights: their number and the arity of each.
///
/// Conversions and constructors:
///
/// | from | variables |
/// | --- | --- |
/// | `n: usize` | `n` two-valued variables |
/// | `[9; 81]`, `vec![2, 3]`, `&[2, 3]` | one for each item, which is its arity |
/// | [`Space::uniform(n, arity)`](Space::uniform) | `n` variables of one arity |
/// | `&spec`, `&diagram` | the variables of a spec |
///
/// Size: constant where all arities are equal, one word per variable otherwise. Clones share it.
///
/// ```
/// use topdd::{Space, SpecExt, constraint};
///
/// let space = Space::from([2, 3, 4]);
/// assert_eq!((space.num_vars(), space.arity(2)), (3, 4));
/// assert_eq!((space.get_arity(3), Space::from(3).get_arity(3)), (None, None));
/// assert_eq!(Space::from(&vec![2, 3]).arity(1), 3);
/// assert_eq!(Space::from(5).arities().collect::<Vec<_>>(), [2; 5]);
/// assert_eq!(Space::uniform(2, 9).arities().collect::<Vec<_>>(), [9, 9]);
///
/// let digits = constraint::all_different([10; 3]);
/// let sum = constraint::sum_modulo(&digits, 9, 0); // over the same variables
/// assert_eq!(topdd::count(&digits.and(sum))?, 84u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Space(Form);

#[derive(Clone, Debug)]
enum Form {
    Uniform { num_vars: usize, arity: usize },
    Each(Arc<[usize]>),
}

impl Space {
    /// Returns `num_vars` variables of `arity` values each.
    pub fn uniform(num_vars: usize, arity: usize) -> Self {
        Space(Form::Uniform { num_vars, arity })
    }

    /// Returns the number of variables.
    pub fn num_vars(&self) -> usize {
        match &self.0 {
            Form::Uniform { num_vars, .. } => *num_vars,
            Form::Each(arities) => arities.len(),
        }
    }

    /// Returns the arity of `variable`.
    ///
    /// # Panics
    ///
    /// If there is no such variable; [`get_arity`](Space::get_arity) returns `None` then.
    #[inline]
    #[track_caller]
    pub fn arity(&self, variable: usize) -> usize {
        let Some(arity) = self.get_arity(variable) else {
            panic!("there is no variable {variable}; the variables are 0..{}", self.num_vars())
        };
        arity
    }

    /// Returns the arity of `variable`; `None` if there is no such variable.
    #[inline]
    pub fn get_arity(&self, variable: usize) -> Option<usize> {
        match &self.0 {
            Form::Uniform { num_vars, arity } => (variable < *num_vars).then_some(*arity),
            Form::Each(arities) => arities.get(variable).copied(),
        }
    }

    /// Returns the arities of all variables, from the root down.
    pub fn arities(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.num_vars()).map(|variable| self.arity(variable))
    }
}

impl From<usize> for Space {
    fn from(num_vars: usize) -> Self {
        Space::uniform(num_vars, 2)
    }
}

impl From<Vec<usize>> for Space {
    fn from(arities: Vec<usize>) -> Self {
        arities.as_slice().into()
    }
}

impl<const N: usize> From<[usize; N]> for Space {
    fn from(arities: [usize; N]) -> Self {
        arities.as_slice().into()
    }
}

impl<const N: usize> From<&[usize; N]> for Space {
    fn from(arities: &[usize; N]) -> Self {
        arities.as_slice().into()
    }
}

impl From<&Vec<usize>> for Space {
    fn from(arities: &Vec<usize>) -> Self {
        arities.as_slice().into()
    }
}

impl From<&[usize]> for Space {
    fn from(arities: &[usize]) -> Self {
        match arities.first() {
            Some(&first) if arities.iter().all(|&arity| arity == first) => {
                Space::uniform(arities.len(), first)
            }
            _ => Space(Form::Each(arities.into())),
        }
    }
}

impl<S: DdSpec + ?Sized> From<&S> for Space {
    fn from(spec: &S) -> Self {
        let arities = (0..spec.num_vars()).map(|variable| spec.arity(variable));
        arities.collect::<Vec<_>>().into()
    }
}

impl From<&Space> for Space {
    fn from(space: &Space) -> Self {
        space.clone()
    }
}
