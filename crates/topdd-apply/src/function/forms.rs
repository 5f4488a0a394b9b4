//! Functions from and into cubes, CNF and DNF.

use super::{Function, dimacs};
use crate::error::Error;
use crate::manager::Manager;
use crate::store::Edge;

impl Manager {
    /// The conjunction of literals; true if there are none.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// assert_eq!(manager.cube([(0, true), (2, false)])?, manager.var(0)? & !manager.var(2)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a variable does not exist or is given twice, or a limit is reached.
    pub fn cube(
        &self,
        literals: impl IntoIterator<Item = (usize, bool)>,
    ) -> Result<Function, Error> {
        let literals = self.literals(literals)?;
        self.make(|store| store.cube(&literals)).map(Function)
    }

    /// The disjunction of literals; false if there are none.
    ///
    /// # Errors
    ///
    /// As for [`cube`](Manager::cube).
    pub fn clause(
        &self,
        literals: impl IntoIterator<Item = (usize, bool)>,
    ) -> Result<Function, Error> {
        Ok(!self.cube(literals.into_iter().map(|(variable, value)| (variable, !value)))?)
    }

    /// The disjunction of cubes.
    ///
    /// # Errors
    ///
    /// As for [`cube`](Manager::cube).
    pub fn dnf<C: IntoIterator<Item = (usize, bool)>>(
        &self,
        cubes: impl IntoIterator<Item = C>,
    ) -> Result<Function, Error> {
        let cubes =
            cubes.into_iter().map(|cube| self.literals(cube)).collect::<Result<Vec<_>, _>>()?;
        self.disjoin(&cubes)
    }

    /// The conjunction of clauses.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let f = manager.cnf([vec![(0, true), (1, true)], vec![(0, false), (1, false)]])?;
    /// assert_eq!(f, manager.var(0)? ^ manager.var(1)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`cube`](Manager::cube).
    pub fn cnf<C: IntoIterator<Item = (usize, bool)>>(
        &self,
        clauses: impl IntoIterator<Item = C>,
    ) -> Result<Function, Error> {
        // The negation of a CNF is the disjunction of the negated clauses, which are cubes.
        let cubes = clauses
            .into_iter()
            .map(|clause| self.literals(clause.into_iter().map(|(v, value)| (v, !value))))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(!self.disjoin(&cubes)?)
    }

    /// The disjunction of cubes, pairwise in a balanced tree.
    fn disjoin(&self, cubes: &[Vec<(u32, bool)>]) -> Result<Function, Error> {
        let mut cubes: Vec<_> = cubes.iter().collect();
        // Neighbours share variables, so that the first rounds stay small.
        cubes.sort_by_key(|cube| std::cmp::Reverse(cube.first().map(|literal| literal.0)));
        let made = self.make(|store| {
            // Each waiting function with the number of rounds it has been through.
            let mut waiting: Vec<(u32, Edge)> = Vec::new();
            for cube in cubes {
                let mut function = store.cube(cube)?;
                let mut rounds = 0;
                while let Some(&(_, other)) = waiting.last().filter(|last| last.0 == rounds) {
                    function = store.or(other, function)?;
                    waiting.pop();
                    store.kept.pop();
                    rounds += 1;
                }
                waiting.push((rounds, store.keep(function)));
            }
            let mut all = Edge::ZERO;
            for (_, function) in waiting.into_iter().rev() {
                all = store.or(function, all)?;
            }
            Ok(all)
        });
        made.map(Function)
    }

    /// The conjunction of clauses in signed notation: `v + 1` is variable `v`, `-(v + 1)`
    /// its negation.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// assert_eq!(manager.cnf_signed([[1, 2], [-1, -2]])?, manager.var(0)? ^ manager.var(1)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a literal is 0; and as for [`cube`](Manager::cube).
    pub fn cnf_signed<C: IntoIterator<Item = i32>>(
        &self,
        clauses: impl IntoIterator<Item = C>,
    ) -> Result<Function, Error> {
        let clauses = clauses.into_iter().enumerate().map(|(clause, literals)| {
            literals
                .into_iter()
                .map(|literal| match literal.unsigned_abs() {
                    0 => Err(Error::ZeroLiteral { clause }),
                    name => Ok((name as usize - 1, literal > 0)),
                })
                .collect::<Result<Vec<_>, _>>()
        });
        self.cnf(clauses.collect::<Result<Vec<_>, _>>()?)
    }

    /// The conjunction of the clauses of a text in DIMACS CNF format: comment lines that
    /// start with `c`, a line `p cnf <variables> <clauses>`, and clauses that end with 0.
    /// A literal that a clause has twice counts once; a clause with a literal and its
    /// negation is true.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let f = manager.dimacs("c exactly one\np cnf 2 2\n1 2 0\n-1 -2 0\n")?;
    /// assert_eq!(f, manager.var(0)? ^ manager.var(1)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is malformed, with the line; or a limit is reached.
    pub fn dimacs(&self, text: &str) -> Result<Function, Error> {
        self.cnf(dimacs::clauses(text, self.num_vars())?)
    }
}
