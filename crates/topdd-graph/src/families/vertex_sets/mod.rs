//! Families of vertex sets, and colourings, by a sweep over the vertices.
//!
//! A decided vertex is on the frontier until all its neighbours are decided. The state has, for each
//! vertex of the frontier: one bit (independent sets, vertex covers), two bits (dominating sets), its
//! component (connected sets), or its colour.

mod connected;
mod packed;
mod schedule;
#[cfg(test)]
mod tests;

use super::conditions::check_sums;
use super::rules::LinearRule;
use super::{FamilyError, SubgraphConstraint, check_length};
use crate::Graph;
use crate::order::Cost;
use connected::{Cliques, Connected};
use packed::Packed;
use schedule::VertexSchedule;
use std::ops::RangeInclusive;
use topdd::spec::{ArraySpec, Automaton, Unrolled};
use topdd::{Frontier, SpecExt, constraint};

pub(super) use connected::smallest_first;
pub(super) use packed::VertexRule;
pub(super) use schedule::label_bits;

/// One of the conditions of a family of vertex sets.
#[derive(Clone, Debug)]
pub(super) enum VertexPart {
    Rule(VertexRule),
    /// Independent at this distance.
    Distance(usize),
    Connected {
        dominating: bool,
    },
    Cliques,
    Size(RangeInclusive<usize>),
    Weight {
        weights: Vec<i64>,
        range: RangeInclusive<i64>,
    },
    /// Vertices that are members, or are none.
    Fixed(Vec<(usize, bool)>),
}

/// The values on the frontier of a family.
pub(super) fn cost(parts: &[VertexPart]) -> Cost {
    let has = |condition: fn(&VertexPart) -> bool| parts.iter().any(condition);
    if has(|part| matches!(part, VertexPart::Connected { .. })) {
        Cost::components()
    } else if has(|part| {
        matches!(part, VertexPart::Rule(VertexRule::Dominating | VertexRule::TotalDominating))
    }) {
        Cost::values(3)
    } else {
        Cost::values(2)
    }
}

/// The conditions of colourings.
#[derive(Clone, Debug)]
pub(super) struct ColourPart {
    /// The number of colours.
    pub(super) colours: usize,
    /// A vertex, a colour, and whether the vertex has it.
    pub(super) fixed: Vec<(usize, usize, bool)>,
}

impl ColourPart {
    /// Adds a constraint, which is the colour of a vertex.
    pub(super) fn constrain(
        &mut self,
        graph: &Graph,
        constraint: &SubgraphConstraint,
    ) -> Result<(), FamilyError> {
        let (vertices, colours) = (graph.num_vertices(), self.colours);
        match *constraint {
            SubgraphConstraint::Element { element: vertex, .. } if vertex >= vertices => {
                Err(FamilyError::VertexOutOfRange { vertex, vertices })
            }
            SubgraphConstraint::Element { value: colour, .. } if colour >= colours => {
                Err(FamilyError::ColourOutOfRange { colour, colours })
            }
            SubgraphConstraint::Element { element, value, taken } => {
                self.fixed.push((element, value, taken));
                Ok(())
            }
            _ => Err(FamilyError::SetConstraint),
        }
    }
}

impl VertexPart {
    pub(super) fn num_conditions(&self) -> usize {
        match self {
            VertexPart::Fixed(fixed) => fixed.len(),
            _ => 1,
        }
    }

    /// Holds for every set.
    pub(super) const ANY: VertexPart = VertexPart::Size(0..=usize::MAX);

    /// Adds the condition to others.
    pub(super) fn add_to(self, parts: &mut Vec<VertexPart>) {
        if let VertexPart::Fixed(new) = &self {
            for old in parts.iter_mut() {
                if let VertexPart::Fixed(fixed) = old {
                    fixed.extend(new);
                    return;
                }
            }
        }
        parts.push(self);
    }

    /// The condition of a constraint.
    pub(super) fn constraint(
        graph: &Graph,
        constraint: SubgraphConstraint,
    ) -> Result<Self, FamilyError> {
        let needed = graph.num_vertices();
        match constraint {
            SubgraphConstraint::Size { least, most } => Ok(VertexPart::Size(least..=most)),
            SubgraphConstraint::Weight { weights, .. } if weights.len() != needed => {
                let (what, given) = ("weights of vertices", weights.len());
                Err(FamilyError::WrongLength { what, given, needed })
            }
            SubgraphConstraint::Weight { weights, least, most } => {
                // `linear` needs sums that fit, whatever the bounds are.
                check_sums(&weights, i64::MIN, i64::MAX)?;
                Ok(VertexPart::Weight { weights, range: least..=most })
            }
            SubgraphConstraint::Element { element: vertex, .. } if vertex >= needed => {
                Err(FamilyError::VertexOutOfRange { vertex, vertices: needed })
            }
            SubgraphConstraint::Element { element, value, taken } => {
                Ok(VertexPart::Fixed(vec![(element, taken == (value == 1))]))
            }
            _ => Err(FamilyError::EdgeConstraint),
        }
    }

    /// The bound on a sum, or on the size, that the condition is.
    pub(super) fn linear_rule(&self, vertices: usize) -> Option<LinearRule> {
        match self {
            VertexPart::Size(size) => Some(LinearRule {
                weights: vec![1; vertices],
                least: *size.start() as i128,
                most: (*size.end()).min(vertices) as i128,
            }),
            VertexPart::Weight { weights, range } => Some(LinearRule {
                weights: weights.clone(),
                least: (*range.start()).into(),
                most: (*range.end()).into(),
            }),
            _ => None,
        }
    }

    /// Makes a sweep over the condition alone.
    pub(super) fn frontier(
        &self,
        graph: &Graph,
        order: &[usize],
    ) -> Result<Frontier<'static>, FamilyError> {
        let vertices = graph.num_vertices();
        let spec = match self {
            VertexPart::Rule(rule) => return packed_frontier(graph, order, *rule),
            VertexPart::Distance(distance) => {
                let close = closer_than(graph, *distance)?;
                return packed_frontier(&close, order, VertexRule::Independent);
            }
            VertexPart::Connected { dominating } => {
                Connected::new(VertexSchedule::new(graph, order), *dominating)?.boxed()
            }
            VertexPart::Cliques => {
                Cliques::new(graph, order).read_as(topdd::Rule::ZeroSuppressed).boxed()
            }
            VertexPart::Size(size) => {
                let (least, most) = (*size.start(), (*size.end()).min(vertices));
                if least > most {
                    constraint::at_least(vertices, vertices + 1).boxed()
                } else {
                    constraint::between(vertices, least..=most).boxed()
                }
            }
            VertexPart::Weight { weights, range } => {
                let ones: Vec<i64> = order.iter().map(|&vertex| weights[vertex]).collect();
                let (least, most) = (*range.start(), *range.end());
                let weight = move |variable: usize, value: usize| match value {
                    0 => 0,
                    _ => ones[variable],
                };
                let sums = constraint::linear(vertices).at_least(weight.clone(), least);
                sums.at_most(weight, most).boxed()
            }
            VertexPart::Fixed(fixed) => {
                let members = fixed.iter().map(|&(vertex, member)| (vertex, 1, member));
                Unrolled(Fixed::new(2, order, members)).boxed()
            }
        };
        Ok(Frontier::of_boxed(spec))
    }
}

/// The solutions in which some variables have given values, or have other ones.
#[derive(Clone, Debug)]
struct Fixed {
    arity: usize,
    /// By variable, values, and whether the variable has them.
    values: Vec<Vec<(usize, bool)>>,
}

impl Fixed {
    /// Makes the spec in an order of the vertices, from vertices, values, and whether they have them.
    fn new(
        arity: usize,
        order: &[usize],
        fixed: impl Iterator<Item = (usize, usize, bool)>,
    ) -> Self {
        let variables = crate::order::inverse(order);
        let mut values = vec![Vec::new(); order.len()];
        for (vertex, value, taken) in fixed {
            values[variables[vertex]].push((value, taken));
        }
        Self { arity, values }
    }
}

impl Automaton for Fixed {
    type State = ();

    fn num_vars(&self) -> usize {
        self.values.len()
    }

    fn arity(&self, _: usize) -> usize {
        self.arity
    }

    fn start(&self) {}

    fn next(&self, (): &(), variable: usize, value: usize) -> Option<()> {
        let fits = |&(fixed, taken): &(usize, bool)| (value == fixed) == taken;
        self.values[variable].iter().all(fits).then_some(())
    }

    fn accepts(&self, (): &()) -> bool {
        true
    }
}

/// Makes a sweep over the packed spec.
fn packed_frontier(
    graph: &Graph,
    order: &[usize],
    rule: VertexRule,
) -> Result<Frontier<'static>, FamilyError> {
    let packed = Packed::new(&VertexSchedule::new(graph, order), rule);
    check_length(&packed, packed.num_slots())?;
    Ok(Frontier::of_arrays(packed))
}

/// The largest number of colours, which are the values of a variable.
const MAX_COLOURS: usize = u32::MAX as usize;

/// Makes a sweep over the colourings, in an order of the vertices.
pub(super) fn colouring_frontier(
    graph: &Graph,
    part: &ColourPart,
    order: &[usize],
) -> Result<Frontier<'static>, FamilyError> {
    let colours = part.colours;
    if colours > MAX_COLOURS {
        return Err(FamilyError::TooManyColours { colours, most: MAX_COLOURS });
    }
    let vertices = graph.num_vertices();
    if colours == 0 && vertices > 0 {
        // A variable needs a value: of one colour, none is allowed.
        let loops = Graph::new(vertices, (0..vertices).map(|vertex| (vertex, vertex)))?;
        return packed_frontier(&loops, order, VertexRule::Colouring(1));
    }
    let frontier = packed_frontier(graph, order, VertexRule::Colouring(colours))?;
    if part.fixed.is_empty() {
        return Ok(frontier);
    }
    let fixed = Unrolled(Fixed::new(colours, order, part.fixed.iter().copied())).boxed();
    Ok(Frontier::of_boxed(frontier.into_spec()?.and(fixed).boxed()))
}

/// The largest number of edges of a graph of pairs that are closer than a distance.
const MAX_PAIRS: usize = 1 << 24;

/// The graph in which vertices closer than `distance`, and not the same, are neighbours. A vertex with
/// a loop keeps it from distance 2 on.
pub(super) fn closer_than(graph: &Graph, distance: usize) -> Result<Graph, FamilyError> {
    let vertices = graph.num_vertices();
    let mut edges = Vec::new();
    let mut found = vec![usize::MAX; vertices];
    let mut near = Vec::new();
    for start in 0..vertices {
        if distance < 2 {
            break;
        }
        near.clear();
        near.push(start);
        found[start] = start;
        let (mut from, mut has_loop) = (0, false);
        // Level by level, up to distance - 1.
        for _ in 1..distance {
            let to = near.len();
            if from == to {
                break;
            }
            for place in from..to {
                let vertex = near[place];
                for other in graph.neighbours(vertex) {
                    if found[other] != start {
                        found[other] = start;
                        near.push(other);
                    } else if vertex == start && other == start {
                        has_loop = true;
                    }
                }
            }
            from = to;
        }
        edges.extend(near[1..].iter().filter(|&&other| other > start).map(|&other| (start, other)));
        if has_loop {
            edges.push((start, start));
        }
        if edges.len() > MAX_PAIRS {
            return Err(FamilyError::TooManyPairs { distance, most: MAX_PAIRS });
        }
    }
    Ok(Graph::new(vertices, edges)?)
}
