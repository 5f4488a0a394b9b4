//! Paths and cycles: by name, on the mate frontier, and with one variable for each vertex.

use super::FamilyError;
use super::conditions::{EdgePart, add_bounds};
use super::degrees::Degrees;
use super::rules::{Bounds, LinearRule, Rules};
use super::sums::{Sums, frontier_of_sums};
use crate::Graph;
use crate::order::edges_on_paths;
use crate::path_problem::{PathProblem, PathRule, TooWide};
use topdd::{Frontier, SpecExt};

impl From<TooWide> for FamilyError {
    fn from(TooWide { slots, words, most }: TooWide) -> Self {
        Self::too_wide(slots, words, most)
    }
}

/// The largest number of edges, if a bound on a sum of positive weights implies one.
pub(super) fn max_edges(bounds: &Bounds) -> Option<usize> {
    let most = |rule: &LinearRule| {
        let least = rule.weights.iter().copied().min().filter(|&least| least > 0)?;
        usize::try_from(rule.most / i128::from(least)).ok()
    };
    bounds.linear.iter().filter_map(most).min()
}

/// The ends of the paths and their largest number of edges, if a family is all paths between two vertices of an undirected
/// graph, or between any two, with a bound on the number of edges and no other condition.
pub(super) fn bounded_paths(
    parts: &[EdgePart],
    bounds: &Bounds,
) -> Option<(Option<(usize, usize)>, usize)> {
    let [EdgePart::Paths(PathRule { cycle: false, hamiltonian: false, from, to, .. })] = *parts
    else {
        return None;
    };
    let [rule] = &bounds.linear[..] else { return None };
    if !(rule.is_size() && rule.least <= 1 && bounds.fixed.is_empty())
        || from.is_some() != to.is_some()
    {
        return None;
    }
    Some((from.zip(to), usize::try_from(rule.most).ok()?))
}

/// By edge, whether it is known to be in no member: edges that must be left, those at a vertex
/// that must be avoided, and those on no path between the fixed ends.
pub(super) fn left_edges(parts: &[EdgePart], bounds: &Bounds, graph: &Graph) -> Vec<bool> {
    let mut left = vec![false; graph.num_edges()];
    for &(edge, value, taken) in &bounds.fixed {
        left[edge] |= taken != (value == 1);
    }
    for part in parts {
        match *part {
            EdgePart::Rules(ref rules) => {
                for (vertex, degrees) in rules.degrees[0].iter().enumerate() {
                    if *degrees == Degrees::from(0) {
                        graph.incident(vertex).iter().for_each(|&edge| left[edge] = true);
                    }
                }
            }
            EdgePart::Paths(PathRule { cycle: false, from: Some(from), to: Some(to), .. })
                if from.max(to) < graph.num_vertices() && from != to =>
            {
                let occurs = edges_on_paths(graph, from, to, max_edges(bounds));
                left.iter_mut().zip(occurs).for_each(|(left, occurs)| *left |= !occurs);
            }
            _ => {}
        }
    }
    left
}

/// Makes a sweep over all parts, some of which are paths or cycles.
pub(super) fn frontier(
    parts: &[EdgePart],
    bounds: &Bounds,
    graph: &Graph,
    order: &[usize],
) -> Result<Frontier<'static>, FamilyError> {
    let left = left_edges(parts, bounds, graph);
    let mut bounds = bounds.clone();
    bounds.fixed.retain(|&(_, value, taken)| taken == (value == 1));
    // The last bound on a sum goes into the states of the paths, and the others are specs of their own.
    let bound = bounds.linear.pop();
    let mut paths = Vec::new();
    let mut others = Vec::new();
    for part in parts {
        match part {
            EdgePart::Paths(rule) => paths.push(*rule),
            EdgePart::Rules(rules) => {
                let rest = rules.without_left();
                if rest != Rules::NONE {
                    others.push(EdgePart::Rules(rest));
                }
            }
            other => others.push(other.clone()),
        }
    }
    if bounds != Bounds::NONE {
        add_bounds(&mut others, bounds);
    }
    let sums = bound.as_ref().map(|rule| Sums::new(rule, order));
    if sums.as_ref().is_some_and(Sums::overflows) {
        return Err(FamilyError::WeightsTooLarge);
    }
    let mut specs = Vec::new();
    for rule in &paths {
        let problem = PathProblem::in_order(graph, order, *rule, &left);
        let mut loops = loop_cycles(graph, rule, &left);
        if loops == Rules::NONE && paths.len() == 1 && others.is_empty() {
            return bounded_frontier(&problem, sums);
        }
        let mut spec = bounded_frontier(&problem, sums.clone())?.into_spec()?;
        if loops != Rules::NONE {
            loops.bounds.linear.extend(bound.clone());
            let loops = EdgePart::Rules(loops).frontier(graph, order)?.into_spec()?;
            spec = topdd::any(vec![spec, loops]).boxed();
        }
        specs.push(spec);
    }
    for part in &others {
        specs.push(part.frontier(graph, order)?.into_spec()?);
    }
    Ok(Frontier::of(topdd::all(specs)))
}

/// Makes a sweep over paths or cycles, with a bound on a sum if there is one.
fn bounded_frontier(
    problem: &PathProblem,
    sums: Option<Sums>,
) -> Result<Frontier<'static>, FamilyError> {
    Ok(match sums {
        Some(sums) => frontier_of_sums(problem, sums)?,
        None => problem.frontier()?,
    })
}

/// The rules of single loops if these are cycles of the rule; [`Rules::NONE`] if there are none.
fn loop_cycles(graph: &Graph, rule: &PathRule, left: &[bool]) -> Rules {
    let is_loop = |edge: &usize| graph.edges()[*edge].0 == graph.edges()[*edge].1;
    let edges = graph.num_edges();
    let may_be_cycle = rule.cycle && (!rule.hamiltonian || graph.num_vertices() == 1);
    if !may_be_cycle || !(0..edges).any(|edge| is_loop(&edge) && !left[edge]) {
        return Rules::NONE;
    }
    let fixed = (0..edges).filter(|edge| !is_loop(edge) || left[*edge]);
    let bounds = Bounds {
        fixed: fixed.map(|edge| (edge, 1, false)).collect(),
        linear: vec![LinearRule { weights: vec![1; edges], least: 1, most: 1 }],
    };
    Rules { bounds, ..Rules::NONE }
}

impl Rules {
    /// The same rules without those on edges that paths leave anyway.
    fn without_left(&self) -> Self {
        let mut rules = self.clone();
        let says_nothing =
            |degrees: &Degrees| *degrees == Degrees::any() || *degrees == Degrees::from(0);
        if rules.degrees[0].iter().all(says_nothing) {
            rules.degrees[0].clear();
        }
        rules
    }
}
