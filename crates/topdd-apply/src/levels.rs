//! Diagrams of topdd over the variables of a manager in another order.

use crate::error::Error;
use crate::{Function, Limits, Manager};
use std::collections::HashSet;
use topdd::Bdd;

impl Function {
    /// Converts the function to a BDD of topdd over all variables of the manager, in the order of the
    /// manager: variable `i` is variable [`order`](Manager::order)`()[i]`.
    ///
    /// Takes linear time. [`Function::to_bdd`] has the order of the numbers of the variables.
    ///
    /// ```
    /// use topdd_apply::Manager;
    ///
    /// let manager = Manager::builder(3).order([2, 0, 1]).build()?;
    /// let f = manager.var(0)? & !manager.var(2)?;
    /// let bdd = f.to_bdd_by_level()?;
    /// assert_eq!(manager.function_of_variables(&bdd, &[2, 0, 1])?, f);
    /// let other = Manager::new(8)?; // with other numbers
    /// let copy = other.function_of_variables(&bdd, &[5, 7, 6])?;
    /// assert_eq!(copy, other.var(7)? & !other.var(5)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Function::to_bdd`].
    pub fn to_bdd_by_level(&self) -> Result<Bdd, Error> {
        self.0.by_level(&Limits::new())
    }
}

impl Manager {
    /// Converts a BDD of topdd to a function: variable `i` of the diagram becomes `variables[i]`. A variable on which
    /// the diagram does not depend may get any number.
    ///
    /// Takes linear time if the variables have ascending levels.
    ///
    /// # Errors
    ///
    /// The errors of [`Manager::function_of`]. Also fails if `variables` is not as long as the diagram has variables, or
    /// if two variables get the same number.
    pub fn function_of_variables(&self, bdd: &Bdd, variables: &[usize]) -> Result<Function, Error> {
        let (found, given) = (bdd.num_vars(), variables.len());
        if found != given {
            let reason = format!("it has {found} variables, and {given} numbers are given");
            return Err(Error::Mismatch { reason });
        }
        let mut levels = vec![0; found];
        let mut seen = HashSet::new();
        for number in bdd.support() {
            let (variable, arity) = (variables[number], bdd.arity(number));
            levels[number] = self.level(variable)?;
            if !seen.insert(variable) {
                return Err(Error::RepeatedVariable { variable });
            }
            if arity != 2 {
                let reason = format!("variable {number} has {arity} values; encode it first");
                return Err(Error::Mismatch { reason });
            }
        }
        self.import_at(bdd, &levels).map(Function)
    }
}

#[cfg(test)]
mod tests {
    use crate::strategies::{functions, managers, orders};
    use crate::{Error, Manager};
    use proptest::prelude::*;
    use topdd::Bdd;

    proptest! {
        /// Variable `v` of the first manager is variable `renamed[v] + 2` of the second one.
        #[test]
        fn diagrams_by_level_keep_the_function(
            f in managers(5).prop_flat_map(|manager| functions(&manager)),
            other in managers(8), renamed in orders(5),
        ) {
            let manager = f.manager();
            let bdd = f.to_bdd_by_level().unwrap();
            prop_assert_eq!(&manager.function_of_variables(&bdd, &manager.order()).unwrap(), &f);
            let numbers: Vec<usize> = manager.order().iter().map(|&v| renamed[v] + 2).collect();
            let copy = other.function_of_variables(&bdd, &numbers).unwrap();
            let pairs = (0..5).map(|v| (v, renamed[v] + 2));
            let expected = other.copy_function(&f).unwrap().rename(pairs).unwrap();
            prop_assert_eq!(copy, expected);
        }
    }

    #[test]
    fn variables_that_do_not_fit_are_errors() {
        let manager = Manager::new(2).unwrap();
        let both = (manager.var(0).unwrap() & manager.var(1).unwrap()).to_bdd_by_level().unwrap();
        let read = |bdd: &Bdd, variables: &[usize]| manager.function_of_variables(bdd, variables);
        assert!(matches!(read(&both, &[0]), Err(Error::Mismatch { .. })));
        assert_eq!(read(&both, &[1, 1]), Err(Error::RepeatedVariable { variable: 1 }));
        let unknown = Err(Error::UnknownVariable { variable: 2, num_vars: 2 });
        assert_eq!(read(&both, &[0, 2]), unknown);
        let digit = topdd::bdd(&topdd::constraint::all_different([3; 2])).unwrap();
        assert!(matches!(read(&digit, &[0, 1]), Err(Error::Mismatch { .. })));
        let first = manager.var(0).unwrap().to_bdd_by_level().unwrap();
        assert_eq!(read(&first, &[0, 9]), manager.var(0));
    }
}
