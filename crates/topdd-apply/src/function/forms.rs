//! Conversion of functions from cubes, CNF, DNF and truth tables.

use super::clause_order::{Clause, Simplified, simplify};
use super::{CnfFile, Function, clause_order};
use crate::Map;
use crate::error::Error;
use crate::manager::Manager;
use crate::store::{Edge, Store};

/// The number of clauses that are conjoined in one operation. Small in tests, so that few clauses make several
/// clusters.
const CLUSTER: usize = if cfg!(test) { 2 } else { 16 };
/// The largest ratio of the size of the support to the number of variables at which these are quantified.
/// A few variables of many often leave a function with more nodes. Small in tests, so that some wait.
const SHARE: usize = if cfg!(test) { 1 } else { 6 };

impl Manager {
    /// Returns the conjunction of literals; true if there are none.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// assert_eq!(manager.cube([(0, true), (2, false)])?, manager.var(0)? & !manager.var(2)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a variable does not exist or is given twice, or if a limit is reached.
    #[doc(alias("Cudd_bddComputeCube", "Cudd_CubeArrayToBdd", "mk_conjunctive_clause"))]
    pub fn cube(
        &self,
        literals: impl IntoIterator<Item = (usize, bool)>,
    ) -> Result<Function, Error> {
        let literals = self.literals(literals)?;
        self.make(|store| store.cube(&literals)).map(Function)
    }

    /// Returns the disjunction of literals; false if there are none.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// assert_eq!(manager.clause([(0, true), (2, false)])?, manager.var(0)? | !manager.var(2)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a variable does not exist or is given twice, or if a limit is reached.
    #[doc(alias = "mk_disjunctive_clause")]
    pub fn clause(
        &self,
        literals: impl IntoIterator<Item = (usize, bool)>,
    ) -> Result<Function, Error> {
        Ok(!self.cube(literals.into_iter().map(|(variable, value)| (variable, !value)))?)
    }

    /// Returns the disjunction of cubes, in any order: see [`cnf`](Manager::cnf) for the order in which
    /// they are joined.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let f = manager.dnf([[(0, true), (1, false)], [(0, false), (1, true)]])?;
    /// assert_eq!(f, manager.var(0)? ^ manager.var(1)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a variable does not exist or is given twice in a cube, or if a limit is reached.
    #[doc(alias = "mk_dnf")]
    pub fn dnf<C: IntoIterator<Item = (usize, bool)>>(
        &self,
        cubes: impl IntoIterator<Item = C>,
    ) -> Result<Function, Error> {
        // The negation of a DNF is the conjunction of the negated cubes, which are clauses.
        let negate = |cube: C| cube.into_iter().map(|(v, value)| (v, !value));
        Ok(!self.cnf(cubes.into_iter().map(negate))?)
    }

    /// Returns the conjunction of clauses, in any order. [`clause_order`](crate::clause_order) finds an
    /// order of the variables with few nodes.
    ///
    /// The order of the clauses in the list hardly matters. Unit clauses are propagated. The others are
    /// sorted by their topmost variables, from the bottom of the diagrams up; clauses with the same
    /// topmost variable keep the order of the list. Then they are conjoined in pairs, in a balanced tree.
    /// So both operands have variables in common, and similar sizes. A loop that conjoins the clauses one
    /// by one may take many times as long, most of all in an order from the top down:
    ///
    /// | clauses of | one by one, as listed | one by one, sorted | `cnf` |
    /// | --- | ---: | ---: | ---: |
    /// | 8 queens | 151 ms | 17 ms | 1.0 ms |
    /// | 3-colourings of a 6x6 grid | 277 ms | 7.5 ms | 1.1 ms |
    /// | 120 random clauses of 3 of 40 variables | 6.0 s | 401 ms | 150 ms |
    ///
    /// The command `cargo run --release -p topdd-apply --example clauses` repeats the measurements.
    /// [`dnf`](Manager::dnf) joins its cubes in the same order.
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
    /// If a variable does not exist or is given twice in a clause, or if a limit is reached.
    #[doc(alias = "mk_cnf")]
    pub fn cnf<C: IntoIterator<Item = (usize, bool)>>(
        &self,
        clauses: impl IntoIterator<Item = C>,
    ) -> Result<Function, Error> {
        self.cnf_exists(clauses, [])
    }

    /// Returns [`exists`](Function::exists) of the [conjunction](Manager::cnf) of clauses. Quantifies
    /// variables when all clauses with them are conjoined, so that the diagram of the whole conjunction,
    /// which may be far larger, is not built. Variables that are few beside the others of the clauses
    /// wait until more clauses are conjoined.
    ///
    /// Source: early quantification, J. R. Burch, E. M. Clarke and D. E. Long, *Symbolic model checking with
    /// partitioned transition relations*, VLSI 1991.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let clauses = [[(0, false), (1, true)], [(1, false), (2, true)]];
    /// let f = manager.cnf_exists(clauses, [1])?;
    /// assert_eq!(f, manager.var(0)?.implies(&manager.var(2)?)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`cnf`](Manager::cnf).
    #[doc(alias("bucket elimination", "early quantification", "projection"))]
    pub fn cnf_exists<C: IntoIterator<Item = (usize, bool)>>(
        &self,
        clauses: impl IntoIterator<Item = C>,
        variables: impl IntoIterator<Item = usize>,
    ) -> Result<Function, Error> {
        let clauses: Vec<Clause> = clauses.into_iter().map(|c| c.into_iter().collect()).collect();
        let mut quantified = vec![false; self.num_vars()];
        for variable in variables {
            self.level(variable)?;
            quantified[variable] = true;
        }
        let _parts = self.inner.watch.start_parts()?;
        self.check_clauses(&clauses)?;
        let Some(Simplified { mut units, mut clauses }) = simplify(clauses) else {
            return Ok(self.constant(false));
        };
        units.retain(|unit| !quantified[unit.0]);
        // Sorted, adjacent clauses share variables, so that the lower joins stay small.
        let order = self.order_copy();
        clauses.sort_by_cached_key(|clause| {
            std::cmp::Reverse(clause.iter().map(|&(v, _)| order.level_of(v)).min())
        });
        let units = self.cube(units)?;
        let Some(last) = clauses.len().div_ceil(CLUSTER).checked_sub(1) else { return Ok(units) };
        let local = local_variables(&clauses, &quantified);
        let height = usize::BITS - last.leading_zeros();
        let all = Joins { manager: self, clauses: &clauses, local }.part((height, 0))?;
        all.function.exists(all.local)?.try_and(&units)
    }

    /// Fails if a variable does not exist or is twice in a clause.
    fn check_clauses(&self, clauses: &[Clause]) -> Result<(), Error> {
        let mut variables: Vec<usize> = Vec::new();
        for clause in clauses {
            variables.clear();
            variables.extend(clause.iter().map(|literal| literal.0));
            variables.sort_unstable();
            variables.last().map_or(Ok(0), |&last| self.level(last))?;
            if let Some(pair) = variables.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(Error::RepeatedVariable { variable: pair[0] });
            }
        }
        Ok(())
    }

    /// Returns the conjunction of a few clauses.
    fn conjoin(&self, clauses: &[Clause]) -> Result<Function, Error> {
        let negation = self.make(|store| {
            let order = self.inner.order.borrow();
            let negate = |store: &mut Store<_>, clause: &Clause| {
                let level = |&(v, value): &(usize, bool)| (order.level_of(v), !value);
                let mut cube: Vec<_> = clause.iter().map(level).collect();
                cube.sort_unstable();
                store.cube(&cube)
            };
            store.balanced(clauses, negate, Store::or)
        })?;
        let negation = Function(negation);
        let clauses = !&negation;
        self.inner.function_roots.drop_intermediate(negation);
        Ok(clauses)
    }

    /// Returns the conjunction of clauses in signed notation: `v + 1` is variable `v`, `-(v + 1)`
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
    /// If a literal is 0; and as for [`cube`](Manager::cube).
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

    /// Returns the function of a truth table: its value for each assignment to all variables of the
    /// manager, in lexicographic order, variable 0 counting most.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let f = manager.function_of_table(&[false, false, true, false])?;
    /// assert_eq!(f, manager.var(0)? & !manager.var(1)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there are not 2<sup>n</sup> values for `n` variables, or if a limit is reached.
    pub fn function_of_table(&self, values: &[bool]) -> Result<Function, Error> {
        let (num_vars, found) = (self.num_vars(), values.len());
        if u32::try_from(num_vars).ok().and_then(|n| 1_usize.checked_shl(n)) != Some(found) {
            return Err(Error::TableLength { found, num_vars });
        }
        let order = self.order();
        let made = self.make(|store| {
            let base = store.stacks.kept.len();
            // In the order of the manager, whose topmost variable counts most.
            for position in 0..found {
                let bits = order.iter().enumerate().map(|(level, &variable)| {
                    (position >> (num_vars - 1 - level) & 1) << (num_vars - 1 - variable)
                });
                store.keep(Edge(u32::from(values[bits.sum::<usize>()])));
            }
            for level in (0..num_vars as u32).rev() {
                let pairs = (store.stacks.kept.len() - base) / 2;
                for pair in 0..pairs {
                    let (lo, hi) = (
                        store.stacks.kept[base + 2 * pair],
                        store.stacks.kept[base + 2 * pair + 1],
                    );
                    store.stacks.kept[base + pair] = store.mk(level, lo, hi)?;
                }
                store.stacks.kept.truncate(base + pairs);
            }
            Ok(store.stacks.kept[base])
        });
        made.map(Function)
    }

    /// Returns the conjunction of the clauses of a text in DIMACS CNF format; [`CnfFile`] has the format.
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
    /// If the text is malformed, with the line; or a limit is reached.
    #[doc(alias = "Dddmp_cuddBddLoadCnf")]
    pub fn dimacs(&self, text: &str) -> Result<Function, Error> {
        self.cnf(CnfFile::parse_within(text, Some(self.num_vars()))?.into_clauses())
    }
}

/// A conjunction of some clauses.
struct ConjunctionPart {
    function: Function,
    /// The variables to quantify that are in no other part.
    local: Vec<usize>,
}

/// A node of a balanced tree over clusters: its height, and its position among the nodes of this height. The
/// leaves are the clusters.
type Join = (u32, usize);

/// The conjunction of clusters of clauses in a balanced tree.
struct Joins<'a> {
    manager: &'a Manager,
    clauses: &'a [Clause],
    local: Map<Join, Vec<usize>>,
}

impl Joins<'_> {
    /// Conjoins the clusters below a node of the tree, depth first, so that few parts exist at a time.
    fn part(&mut self, join: Join) -> Result<ConjunctionPart, Error> {
        let (height, position) = join;
        let local = self.local.remove(&join).unwrap_or_default();
        let part = if height == 0 {
            let cluster = self.clauses.chunks(CLUSTER).nth(position).expect("a cluster");
            ConjunctionPart { function: self.manager.conjoin(cluster)?, local }
        } else {
            let left = self.part((height - 1, 2 * position))?;
            if (2 * position + 1) << (height - 1) >= self.clauses.len().div_ceil(CLUSTER) {
                return Ok(left);
            }
            let right = self.part((height - 1, 2 * position + 1))?;
            let function = left.function.try_and(&right.function)?;
            self.manager.inner.function_roots.drop_intermediate((left.function, right.function));
            ConjunctionPart { function, local: [left.local, right.local, local].concat() }
        };
        self.shrink(part)
    }

    /// Quantifies the local variables if they are a large share of the support.
    fn shrink(&self, part: ConjunctionPart) -> Result<ConjunctionPart, Error> {
        let ConjunctionPart { function, local } = part;
        if local.is_empty() || SHARE * local.len() < function.support().len() {
            return Ok(ConjunctionPart { function, local });
        }
        let shrunk = function.exists(local)?;
        self.manager.inner.function_roots.drop_intermediate(function);
        Ok(ConjunctionPart { function: shrunk, local: Vec::new() })
    }
}

/// For each join, the quantified variables all of whose clauses it conjoins, but no earlier one.
fn local_variables(clauses: &[Clause], quantified: &[bool]) -> Map<Join, Vec<usize>> {
    let mut clusters: Map<usize, (usize, usize)> = Map::default();
    for (cluster, clauses) in clauses.chunks(CLUSTER).enumerate() {
        for &(variable, _) in clauses.iter().flatten().filter(|literal| quantified[literal.0]) {
            clusters.entry(variable).or_insert((cluster, cluster)).1 = cluster;
        }
    }
    let mut local: Map<Join, Vec<usize>> = Map::default();
    for (variable, (first, last)) in clusters {
        let height = usize::BITS - (first ^ last).leading_zeros();
        local.entry((height, first >> height)).or_default().push(variable);
    }
    local
}

impl Function {
    /// Returns the conjunction of the clauses of a text in [DIMACS CNF format](Manager::dimacs), in a new
    /// manager of as many variables as the text declares. [`clause_order`](crate::clause_order) finds their
    /// order.
    ///
    /// ```
    /// use topdd_apply::Function;
    ///
    /// let f = Function::from_dimacs("p cnf 3 2\n1 2 0\n-1 -2 0\n")?;
    /// assert_eq!((f.manager().num_vars(), f.count()), (3, 4u32.into()));
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is malformed, with the line; or if there are too many variables.
    pub fn from_dimacs(text: &str) -> Result<Function, Error> {
        let cnf = CnfFile::parse(text)?;
        let order = clause_order(cnf.num_vars(), cnf.clauses().iter().cloned())?;
        Manager::builder(cnf.num_vars()).order(order).build()?.cnf(cnf.into_clauses())
    }
}
