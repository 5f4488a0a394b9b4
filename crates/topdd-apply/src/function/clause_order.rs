//! The simplification of clauses by unit clauses, and an order of the variables of clauses.

use crate::Map;
use crate::error::Error;

/// A variable and the value for which the literal is true.
pub(super) type Literal = (usize, bool);
/// A disjunction of literals, no variable twice.
pub(super) type Clause = Vec<Literal>;

/// The number of literals that all searches for an order may read together.
const MAX_READS: usize = 1 << 23;
/// The maximum number of rounds of one search.
const MAX_ROUNDS: usize = 200;
/// The number of rounds without a shorter span after which a search ends.
const PATIENCE: usize = 20;
/// The number of variables from which clauses are traversed, in breadth and in depth.
const STARTS: usize = 4;

/// Clauses from which unit clauses are propagated.
#[derive(Debug)]
pub(super) struct Simplified {
    /// The literals that hold in each model, on different variables.
    pub(super) units: Vec<Literal>,
    /// Clauses of at least two literals, without the variables of `units`.
    pub(super) clauses: Vec<Clause>,
}

/// Propagates unit clauses, in linear time. Returns `None` if that finds a contradiction.
pub(super) fn simplify(mut clauses: Vec<Clause>) -> Option<Simplified> {
    let mut queue: Vec<Literal> = clauses.iter().filter(|c| c.len() == 1).map(|c| c[0]).collect();
    if clauses.iter().any(Vec::is_empty) {
        return None;
    }
    let mut values: Map<usize, bool> = Map::default();
    if !queue.is_empty() {
        let mut occurrences: Map<usize, Vec<usize>> = Map::default();
        for (index, clause) in clauses.iter().enumerate() {
            for literal in clause {
                occurrences.entry(literal.0).or_default().push(index);
            }
        }
        let mut satisfied = vec![false; clauses.len()];
        let mut open: Vec<usize> = clauses.iter().map(Vec::len).collect();
        while let Some((variable, value)) = queue.pop() {
            match values.insert(variable, value) {
                Some(old) if old != value => return None,
                Some(_) => continue,
                None => {}
            }
            for &index in &occurrences[&variable] {
                let clause = &clauses[index];
                if clause.contains(&(variable, value)) {
                    satisfied[index] = true;
                } else if !satisfied[index] {
                    open[index] -= 1;
                    match open[index] {
                        0 => return None,
                        1 => queue.extend(clause.iter().find(|l| !values.contains_key(&l.0))),
                        _ => {}
                    }
                }
            }
        }
        let mut satisfied = satisfied.into_iter();
        clauses.retain(|_| !satisfied.next().expect("one for each clause"));
        for clause in &mut clauses {
            clause.retain(|literal| !values.contains_key(&literal.0));
        }
    }
    let mut units: Vec<Literal> = values.into_iter().collect();
    units.sort_unstable();
    Some(Simplified { units, clauses })
}

/// Returns an order of the variables, from the top down, that places the variables of each clause near
/// each other. With it, the diagram of the [conjunction](crate::Manager::cnf) of the clauses often has far
/// fewer nodes than in the order `0..num_vars`.
///
/// Unit clauses are propagated first. FORCE then starts with the order `0..num_vars`, and with orders in
/// which traversals of the clauses, in breadth and in depth, meet the variables. Of all orders on the
/// way, the one with the least total span is returned. The span of a clause is the number of levels
/// between its first and its last variable.
///
/// Time: at most some tenths of a second, and a few passes over the clauses.
///
/// Source: FORCE, F. A. Aloul, I. L. Markov and K. A. Sakallah, *FORCE: a fast and easy-to-implement
/// variable-ordering heuristic*, GLSVLSI 2003.
///
/// ```
/// use topdd_apply::{Manager, clause_order};
///
/// let pairs = (0..10).map(|v| [(v, true), (v + 10, true)]);
/// let manager = Manager::builder(20).order(clause_order(20, pairs.clone())?).build()?;
/// assert_eq!(manager.cnf(pairs.clone())?.node_count(), 20);
/// assert_eq!(Manager::new(20)?.cnf(pairs)?.node_count(), 2046);
/// # Ok::<(), topdd_apply::Error>(())
/// ```
///
/// # Errors
///
/// If a variable of a clause is not in `0..num_vars`.
#[doc(alias("FORCE", "MINCE", "centre of gravity"))]
pub fn clause_order<C: IntoIterator<Item = (usize, bool)>>(
    num_vars: usize,
    clauses: impl IntoIterator<Item = C>,
) -> Result<Vec<usize>, Error> {
    let mut sorted = Vec::new();
    for clause in clauses {
        let mut clause: Clause = clause.into_iter().collect();
        clause.sort_unstable();
        clause.dedup();
        if let Some(&(variable, _)) = clause.last().filter(|last| last.0 >= num_vars) {
            return Err(Error::UnknownVariable { variable, num_vars });
        }
        // A clause with a literal and its negation is true.
        if clause.windows(2).all(|pair| pair[0].0 != pair[1].0) {
            sorted.push(clause);
        }
    }
    let clauses = simplify(sorted).map_or_else(Vec::new, |simplified| simplified.clauses);
    let mut order: Vec<usize> = (0..num_vars).collect();
    let positions = Hypergraph::new(num_vars, &clauses).find_positions();
    order.sort_unstable_by_key(|&variable| positions[variable]);
    Ok(order)
}

/// The variables of clauses, and the clauses of variables.
struct Hypergraph {
    clauses: Vec<Vec<usize>>,
    occurrences: Vec<Vec<usize>>,
}

impl Hypergraph {
    fn new(num_vars: usize, clauses: &[Clause]) -> Self {
        let mut occurrences = vec![Vec::new(); num_vars];
        for (index, clause) in clauses.iter().enumerate() {
            for literal in clause {
                occurrences[literal.0].push(index);
            }
        }
        let clauses = clauses.iter().map(|c| c.iter().map(|literal| literal.0).collect()).collect();
        Hypergraph { clauses, occurrences }
    }

    /// The position of each variable in the best order found.
    fn find_positions(&self) -> Vec<usize> {
        let mut best: Vec<usize> = (0..self.occurrences.len()).collect();
        let mut least = self.span(&best);
        let literals: usize = self.clauses.iter().map(Vec::len).sum();
        let searches = 1 + 2 * STARTS;
        let rounds = (MAX_READS / (searches * literals.max(1))).min(MAX_ROUNDS);
        let mut by_degree = best.clone();
        by_degree.sort_by_key(|&variable| std::cmp::Reverse(self.occurrences[variable].len()));
        by_degree.truncate(STARTS);
        let traversals = by_degree
            .into_iter()
            .flat_map(|first| [false, true].map(|in_depth| self.traverse(first, in_depth)));
        for start in std::iter::once(best.clone()).chain(traversals) {
            self.pull_together(start, rounds.max(1), |positions, span| {
                if span < least {
                    least = span;
                    best.clone_from_slice(positions);
                }
            });
        }
        best
    }

    /// The sum over the clauses of the distance between their first and their last position.
    fn span(&self, positions: &[usize]) -> usize {
        let span = |clause: &Vec<usize>| {
            let places = clause.iter().map(|&variable| positions[variable]);
            places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
        };
        self.clauses.iter().map(span).sum()
    }

    /// The positions in which a traversal of the clauses meets the variables.
    fn traverse(&self, first: usize, in_depth: bool) -> Vec<usize> {
        let num_vars = self.occurrences.len();
        let mut positions = vec![usize::MAX; num_vars];
        let mut expanded = vec![false; self.clauses.len()];
        let mut queue = std::collections::VecDeque::new();
        let mut len = 0;
        for start in std::iter::once(first).chain(0..num_vars) {
            queue.push_back(start);
            while let Some(variable) = if in_depth { queue.pop_back() } else { queue.pop_front() } {
                if positions[variable] != usize::MAX {
                    continue;
                }
                positions[variable] = len;
                len += 1;
                for &clause in &self.occurrences[variable] {
                    if !std::mem::replace(&mut expanded[clause], true) {
                        queue.extend(&self.clauses[clause]);
                    }
                }
            }
        }
        positions
    }

    /// Moves each variable to the mean of the centres of its clauses, round after round, and shows each
    /// order with its span.
    fn pull_together(
        &self,
        mut positions: Vec<usize>,
        rounds: usize,
        mut show: impl FnMut(&[usize], usize),
    ) {
        let mean = |sum: usize, len: usize| sum as f64 / len as f64;
        let (mut least, mut stale) = (usize::MAX, 0);
        for _ in 0..rounds {
            let span = self.span(&positions);
            show(&positions, span);
            stale = if span < least { 0 } else { stale + 1 };
            least = least.min(span);
            if stale == PATIENCE {
                break;
            }
            let centres: Vec<f64> = self
                .clauses
                .iter()
                .map(|clause| mean(clause.iter().map(|&v| positions[v]).sum(), clause.len()))
                .collect();
            let place = |(variable, clauses): (usize, &Vec<usize>)| {
                let sum: f64 = clauses.iter().map(|&clause| centres[clause]).sum();
                let lone = clauses.is_empty();
                let place =
                    if lone { positions[variable] as f64 } else { sum / clauses.len() as f64 };
                (place, variable)
            };
            let mut places: Vec<(f64, usize)> =
                self.occurrences.iter().enumerate().map(place).collect();
            places.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for (position, (_, variable)) in places.into_iter().enumerate() {
                positions[variable] = position;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{clause_order, simplify};
    use crate::{Error, Manager};

    #[test]
    fn scattered_chain_of_implications_has_a_linear_diagram() {
        let n = 101;
        let link = |i: usize| [(i * 37 % n, false), ((i + 1) * 37 % n, true)];
        let chain = || (0..n - 1).map(link);
        let manager = Manager::builder(n).order(clause_order(n, chain()).unwrap()).build().unwrap();
        let f = manager.cnf(chain()).unwrap();
        assert_eq!(f.count(), (n + 1).into());
        assert!(f.node_count() < 3 * n, "{}", f.node_count());
    }

    #[test]
    fn hub_of_a_unit_clause_does_not_pull_variables_together() {
        let n = 40;
        let pairs = (0..n / 2).map(|v| vec![(v, true), (v + n / 2, true)]);
        let hub = (0..n).map(|v| vec![(n, true), (v, false)]);
        let clauses: Vec<_> = hub.chain(pairs).chain([vec![(n, true)]]).collect();
        let order = clause_order(n + 1, clauses.clone()).unwrap();
        let manager = Manager::builder(n + 1).order(order).build().unwrap();
        assert_eq!(manager.cnf(clauses).unwrap().node_count(), n + 1);
    }

    #[test]
    fn units_are_propagated_until_none_is_left() {
        let chain = (0..9).map(|v| vec![(v, false), (v + 1, true)]);
        let rest = vec![(8, false), (10, true), (11, true)];
        let clauses: Vec<_> = chain.chain([rest, vec![(0, true)]]).collect();
        let found = simplify(clauses.clone()).unwrap();
        assert_eq!(found.units, (0..10).map(|v| (v, true)).collect::<Vec<_>>());
        assert_eq!(found.clauses, [[(10, true), (11, true)]]);
        let both = clauses.iter().cloned().chain([vec![(9, false)]]);
        assert!(simplify(both.collect()).is_none());
        assert!(simplify(vec![vec![]]).is_none());
    }

    #[test]
    fn orders_of_odd_clauses_are_permutations() {
        let odd = [vec![], vec![(1, true), (1, false)], vec![(2, true), (2, true)]];
        assert_eq!(clause_order(3, odd), Ok(vec![0, 1, 2]));
        let none: [[(usize, bool); 0]; 0] = [];
        assert_eq!(clause_order(0, none), Ok(vec![]));
        let unknown = clause_order(3, [[(0, true), (3, true)]]);
        assert_eq!(unknown, Err(Error::UnknownVariable { variable: 3, num_vars: 3 }));
    }
}
