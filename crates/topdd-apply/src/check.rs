//! Comparison of functions and families with specs, for tests of either.

use crate::error::Error;
use crate::{Family, Function};
use topdd::check::Difference;
use topdd::{DdSpec, Diagram, Frontier, diagram::DiagramRule};

/// The smallest assignment on which a diagram and a spec differ.
fn difference<R: DiagramRule, S: DdSpec>(
    diagram: &Diagram<R>,
    spec: &S,
    name: &'static str,
) -> Result<Option<Difference>, Error> {
    let built: Diagram<R> = Frontier::over(spec).diagram()?;
    Ok(diagram.differs_from(&built, [name, "the spec"])?)
}

impl Function {
    /// Returns the smallest assignment on which the function and `spec`, built as a BDD, differ;
    /// `None` if they are equal. A diagram of topdd is a spec, too.
    ///
    /// Variables correspond by number. The smallest assignment is the lexicographically first, by
    /// variable 0 first, independently of the order of the manager. Builds the diagram of the spec,
    /// [converts](Function::to_bdd) the function and, if they differ, builds their difference.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.var(0)? | manager.var(2)?;
    /// assert_eq!(f.differs_from(&f.to_bdd()?)?, None);
    ///
    /// let difference = f.differs_from(&manager.var(0)?.to_bdd()?)?.unwrap();
    /// assert_eq!(
    ///     difference.to_string(),
    ///     "[0, 0, 1] is a solution of the function, but not of the spec",
    /// );
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// - If the spec does not have the variables of the manager, with two values each.
    /// - If the spec breaks its contract.
    /// - If a diagram has more nodes than can be numbered.
    pub fn differs_from<S: DdSpec>(&self, spec: &S) -> Result<Option<Difference>, Error> {
        difference(&self.to_bdd()?, spec, "the function")
    }
}

impl Family {
    /// Returns the smallest set, written as an assignment, on which the family and `spec`, built
    /// as a ZDD, differ; `None` if they are equal. A diagram of topdd is a spec, too.
    ///
    /// Variables correspond by number. The smallest assignment is the lexicographically first, by
    /// variable 0 first, independently of the order of the manager. Builds the diagram of the spec,
    /// [converts](Family::to_zdd) the family and, if they differ, builds their difference.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![1, 2]])?;
    /// assert_eq!(f.differs_from(&f.to_zdd()?)?, None);
    ///
    /// let more = manager.family([vec![0], vec![0, 1], vec![1, 2]])?;
    /// let difference = f.differs_from(&more.to_zdd()?)?.unwrap();
    /// assert_eq!(
    ///     difference.to_string(),
    ///     "[1, 1, 0] is a solution of the spec, but not of the family",
    /// );
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Function::differs_from`].
    pub fn differs_from<S: DdSpec>(&self, spec: &S) -> Result<Option<Difference>, Error> {
        difference(&self.to_zdd()?, spec, "the family")
    }
}

#[cfg(test)]
mod tests {
    use crate::{Error, Manager};
    use topdd::check::{RandomSpec, Unequal, same};
    use topdd::{Rule, bdd, zdd};

    #[test]
    fn differs_from_returns_the_same_difference_as_comparing_specs() {
        let manager = Manager::builder(4).order([2, 0, 3, 1]).build().unwrap();
        let mut unequal = 0;
        for seed in 0..200 {
            let [a, b] = [seed, seed + 1000].map(|seed| RandomSpec::over(vec![2; 4], seed));
            let function = manager.function_of(&bdd(&a).unwrap()).unwrap();
            let family = manager.family_of(&zdd(&a).unwrap()).unwrap();
            assert_eq!(function.differs_from(&a), Ok(None));
            assert_eq!(family.differs_from(&a), Ok(None));
            let by_rule = [
                (Rule::AnyValue, function.differs_from(&b)),
                (Rule::ZeroSuppressed, family.differs_from(&b)),
            ];
            for (rule, found) in by_rule {
                let found = found.unwrap();
                unequal += usize::from(found.is_some());
                let expected = match same(&a, &b, rule) {
                    Err(Unequal::Differ(difference)) => Some(difference),
                    other => other.map(|()| None).unwrap(),
                };
                assert_eq!(
                    found.map(|found| (found.assignment, found.solution_of == "the spec")),
                    expected.map(|difference| {
                        (difference.assignment, difference.solution_of == "the second spec")
                    })
                );
            }
        }
        assert!(unequal > 200, "{unequal}");
    }

    #[test]
    fn spec_with_other_variables_is_an_error() {
        let manager = Manager::new(2).unwrap();
        let f = manager.var(0).unwrap();
        for arities in [vec![2; 3], vec![2, 3]] {
            let spec = RandomSpec::over(arities, 1);
            assert!(matches!(f.differs_from(&spec), Err(Error::Diagram(_))));
        }
    }
}
