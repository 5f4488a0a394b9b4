//! The levels of states below one state, of limited width.

use super::Objective;
use super::costs::{CostModel, NEVER, OpenState, total};
use crate::Map;
use crate::error::BuildError;
use crate::frontier::Watch;
use crate::spec::DdSpec;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::mem::size_of;

/// The limits of levels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Width {
    /// The most states of a level.
    pub(super) states: usize,
    /// The most bytes of all levels.
    pub(super) bytes: usize,
}

/// How a level that is too wide is made narrow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Narrowing {
    /// States beyond the width are dropped: what is left are solutions.
    Restrict,
    /// States beyond the width are merged, and those without a merge are left for later: what is left is a bound.
    Relax,
}

/// The result of the levels below a state.
pub(super) struct Levels<State> {
    /// Whether no state was dropped, merged, or left.
    pub(super) is_exact: bool,
    /// Whether states were merged.
    pub(super) has_merged: bool,
    /// If relaxed, the states from which better solutions may be found: every solution that is not known begins with one of
    /// them.
    pub(super) cut: Vec<OpenState<State>>,
    /// The number of states.
    pub(super) states: u64,
}

/// The best solution so far, as the levels see it.
pub(super) trait Incumbent {
    /// The cost that a solution must be below.
    fn below(&self) -> i128;

    /// Whether the run ends.
    fn is_over(&self) -> bool;

    /// Takes a solution that costs less.
    fn improve(&self, cost: i128, values: &[u32]);
}

/// A state of the levels, without the state itself.
#[derive(Clone, Copy)]
struct WayNode {
    /// The least cost of an exact way to it: one that has met no merged state.
    exact: i128,
    /// The least cost of another way to it.
    relaxed: i128,
    /// The node before it on the best exact way, and the value there.
    parent: u32,
    value: u32,
    variable: u32,
    /// The node with which it was merged, or itself.
    alias: u32,
}

/// The most states of a group that a state is compared with, to see whether one dominates it.
const COMPARED: usize = 64;

/// No node: the 1-terminal as the end of an arc, and what is before the first node.
const NONE: u32 = u32::MAX;

/// A step from a node to a node.
struct WayArc {
    from: u32,
    to: u32,
    cost: i128,
}

/// The states at one variable.
struct StateLevel<State> {
    nodes: Map<State, u32>,
    /// The states in the order in which they were met.
    states: Vec<(State, u32)>,
}

impl<State> Default for StateLevel<State> {
    fn default() -> Self {
        StateLevel { nodes: Map::default(), states: Vec::new() }
    }
}

/// A state of a level, with a lower bound of the solutions through it.
struct Ranked<State> {
    state: State,
    node: u32,
    rank: i128,
}

/// A state at the edge of the exact ones.
struct CutState<State> {
    state: State,
    node: u32,
    /// The least cost of an exact way to it.
    cost: i128,
    /// Whether the levels do not go on from it.
    is_deferred: bool,
}

/// The levels while they are made.
struct Compiler<'c, 'p, S: DdSpec, O, I> {
    costs: &'c CostModel<'p, S, O>,
    incumbent: &'c I,
    watch: &'c Watch,
    narrowing: Narrowing,
    start: &'c OpenState<S::State>,
    nodes: Vec<WayNode>,
    arcs: Vec<WayArc>,
    levels: BTreeMap<usize, StateLevel<S::State>>,
    cut: Vec<CutState<S::State>>,
    /// The nodes from which the levels do not go on, with a lower bound of the costs from there.
    deferred: Vec<(u32, i128)>,
    progress: LevelProgress,
}

/// The progress of the levels.
struct LevelProgress {
    /// The number of states whose steps were taken.
    expanded: usize,
    /// The number of states of all levels up to the current one.
    popped: usize,
    /// Whether no state was dropped, merged, or deferred.
    is_exact: bool,
    /// Whether states were merged.
    has_merged: bool,
}

/// Makes the levels below `start`, each of at most `width` states.
pub(super) fn compile<S: DdSpec, O: Objective<S>>(
    costs: &CostModel<'_, S, O>,
    start: &OpenState<S::State>,
    width: Width,
    narrowing: Narrowing,
    incumbent: &impl Incumbent,
    watch: &Watch,
) -> Result<Levels<S::State>, BuildError> {
    let mut compiler = Compiler {
        costs,
        incumbent,
        watch,
        narrowing,
        start,
        nodes: Vec::new(),
        arcs: Vec::new(),
        levels: BTreeMap::new(),
        cut: Vec::new(),
        deferred: Vec::new(),
        progress: LevelProgress { expanded: 0, popped: 0, is_exact: true, has_merged: false },
    };
    compiler.meet(start.variable, start.state.clone(), start.cost, true, NONE, 0);
    while let Some((variable, level)) = compiler.levels.pop_first() {
        compiler.check_now(variable)?;
        compiler.progress.popped += level.states.len();
        let mut states = compiler.promising(variable, level.states)?;
        let width = compiler.width(variable, width);
        if states.len() > width {
            compiler.narrow(variable, &mut states, width)?;
        }
        for (index, Ranked { state, node, .. }) in states.into_iter().enumerate() {
            compiler.check(index, variable)?;
            compiler.expand(variable, state, node)?;
        }
    }
    compiler.finish()
}

/// The least cost so far, of one thread.
struct LeastFound(Cell<i128>);

impl Incumbent for LeastFound {
    fn below(&self) -> i128 {
        self.0.get()
    }

    fn is_over(&self) -> bool {
        false
    }

    fn improve(&self, cost: i128, _: &[u32]) {
        self.0.set(cost);
    }
}

/// The cost of a good solution from `open` on, by narrow levels; [`NEVER`] if they find none.
pub(crate) fn some_cost<S: DdSpec, O: Objective<S>>(
    costs: &CostModel<'_, S, O>,
    open: &OpenState<S::State>,
    watch: &Watch,
) -> Result<i128, BuildError> {
    let best = LeastFound(Cell::new(NEVER));
    for states in [1, 32, 1024] {
        let width = Width { states, bytes: usize::MAX };
        if compile(costs, open, width, Narrowing::Restrict, &best, watch)?.is_exact {
            break;
        }
    }
    Ok(best.below())
}

impl<S: DdSpec, O: Objective<S>, I: Incumbent> Compiler<'_, '_, S, O, I> {
    /// Returns the node of a state that a way of this cost leads to.
    fn meet(
        &mut self,
        variable: usize,
        state: S::State,
        cost: i128,
        is_exact: bool,
        parent: u32,
        value: usize,
    ) -> u32 {
        let Self { nodes, levels, .. } = self;
        let level = levels.entry(variable).or_default();
        let number = *level.nodes.entry(state).or_insert_with_key(|state| {
            let number = nodes.len() as u32;
            level.states.push((state.clone(), number));
            let variable = variable as u32;
            let (exact, relaxed) = (NEVER, NEVER);
            nodes.push(WayNode { exact, relaxed, parent: NONE, value: 0, variable, alias: number });
            number
        });
        let node = &mut nodes[number as usize];
        if !is_exact {
            node.relaxed = node.relaxed.min(cost);
        } else if cost < node.exact {
            *node = WayNode { exact: cost, parent, value: value as u32, ..*node };
        }
        number
    }

    /// The most states at a variable. Nodes, arcs and cut states stay to the end, and states are in a list and in a table.
    fn width(&self, variable: usize, width: Width) -> usize {
        let num_vars = self.costs.num_vars();
        let of_state = 2 * size_of::<S::State>();
        let of_cut =
            size_of::<CutState<S::State>>() + size_of::<OpenState<S::State>>() + 4 * num_vars;
        let used = self.nodes.len() * size_of::<WayNode>()
            + self.arcs.len() * size_of::<WayArc>()
            + self.cut.len() * of_cut
            + (self.nodes.len() - self.progress.popped) * of_state;
        // A state takes as much as those before it. Later levels often have fewer states.
        let per_state = 2 * of_state + 1 + used / self.progress.expanded.max(1);
        let levels = (num_vars - variable).div_ceil(2);
        width.states.min(width.bytes.saturating_sub(used) / levels / per_state).max(1)
    }

    /// Returns the states that may lead to a better solution, without those that another one dominates.
    fn promising(
        &mut self,
        variable: usize,
        states: Vec<(S::State, u32)>,
    ) -> Result<Vec<Ranked<S::State>>, BuildError> {
        let below = self.incumbent.below();
        let mut promising = Vec::with_capacity(states.len());
        for (index, (state, node)) in states.into_iter().enumerate() {
            self.check(index, variable)?;
            let rank = self.costs.through(self.cost(node), &state, variable);
            if rank < below {
                promising.push(Ranked { state, node, rank });
            }
        }
        self.remove_dominated(variable, &mut promising)?;
        Ok(promising)
    }

    /// Fails if the run must stop: looks at it once in many calls.
    fn check(&self, index: usize, variable: usize) -> Result<(), BuildError> {
        if index % 1024 == 1023 { self.check_now(variable) } else { Ok(()) }
    }

    fn check_now(&self, variable: usize) -> Result<(), BuildError> {
        if self.incumbent.is_over() {
            return Err(BuildError::Cancelled { variable: Some(variable) });
        }
        self.watch.check(Some(variable))
    }

    fn remove_dominated(
        &mut self,
        variable: usize,
        states: &mut Vec<Ranked<S::State>>,
    ) -> Result<(), BuildError> {
        let objective = self.costs.objective;
        let mut groups: Map<u64, Vec<usize>> = Map::default();
        for (index, ranked) in states.iter().enumerate() {
            if let Some(group) = objective.group(&ranked.state, variable) {
                groups.entry(group).or_default().push(index);
            }
        }
        let mut dominated = vec![false; states.len()];
        for mut group in groups.into_values().filter(|group| group.len() > 1) {
            group.sort_by_key(|&index| (self.cost(states[index].node), index));
            // Only a state with an exact way dominates: what it stands for is found. Each is compared with the best ones.
            let mut kept: Vec<usize> = Vec::new();
            for (position, index) in group.into_iter().enumerate() {
                self.check(position, variable)?;
                let (state, cost) = (&states[index].state, self.cost(states[index].node));
                let better = kept.iter().take(COMPARED).copied().find(|&other| {
                    self.nodes[states[other].node as usize].exact <= cost
                        && objective.dominates(&states[other].state, state, variable)
                });
                if let Some(better) = better {
                    dominated[index] = true;
                    // The costs from the better one on are a bound of those from this one on.
                    self.nodes[states[index].node as usize].alias = states[better].node;
                } else {
                    kept.push(index);
                }
            }
        }
        let mut dominated = dominated.into_iter();
        states.retain(|_| dominated.next() == Some(false));
        Ok(())
    }

    /// The least cost of a way to a node.
    fn cost(&self, node: u32) -> i128 {
        let WayNode { exact, relaxed, .. } = self.nodes[node as usize];
        exact.min(relaxed)
    }

    /// Keeps at most `width` states of a level. The others are dropped or merged, and those without a merge are deferred.
    fn narrow(
        &mut self,
        variable: usize,
        states: &mut Vec<Ranked<S::State>>,
        width: usize,
    ) -> Result<(), BuildError> {
        self.progress.is_exact = false;
        states.sort_by_key(|ranked| (ranked.rank, ranked.node));
        if self.narrowing == Narrowing::Restrict {
            states.truncate(width);
            return Ok(());
        }
        let tail = states.split_off(width - 1);
        let mut merged = tail[0].state.clone();
        let (mut members, mut deferred) = (vec![&tail[0]], Vec::new());
        for (index, ranked) in tail.iter().enumerate().skip(1) {
            self.check(index, variable)?;
            match self.costs.spec.merge(&merged, &ranked.state, variable) {
                Some(whole) => {
                    merged = whole;
                    members.push(ranked);
                }
                None => deferred.push(ranked),
            }
        }
        // A state alone is not merged: it is one of the kept ones.
        let kept = if members.len() == 1 { members.pop() } else { None };
        states.extend(kept.map(|Ranked { state, node, rank }| Ranked {
            state: state.clone(),
            node: *node,
            rank: *rank,
        }));
        for (ranked, is_deferred) in
            members.iter().map(|of| (of, false)).chain(deferred.iter().map(|of| (of, true)))
        {
            let WayNode { exact: cost, .. } = self.nodes[ranked.node as usize];
            if cost < NEVER {
                let (state, node) = (ranked.state.clone(), ranked.node);
                self.cut.push(CutState { state, node, cost, is_deferred });
            }
            if is_deferred {
                self.deferred.push((ranked.node, self.costs.bound(&ranked.state, variable)));
            }
        }
        if !members.is_empty() {
            self.progress.has_merged = true;
            let members: Vec<u32> = members.iter().map(|ranked| ranked.node).collect();
            self.add_merged(variable, states, merged, &members);
        }
        Ok(())
    }

    /// Adds a state merged from these nodes to a level.
    fn add_merged(
        &mut self,
        variable: usize,
        states: &mut Vec<Ranked<S::State>>,
        state: S::State,
        members: &[u32],
    ) {
        let cost = members.iter().map(|&node| self.cost(node)).min().unwrap_or(NEVER);
        let equal = states.iter().position(|ranked| ranked.state == state);
        let node = if let Some(index) = equal {
            states[index].node
        } else {
            let node = self.nodes.len() as u32;
            let (exact, relaxed) = (NEVER, NEVER);
            let (parent, variable) = (NONE, variable as u32);
            self.nodes.push(WayNode { exact, relaxed, parent, value: 0, variable, alias: node });
            states.push(Ranked { state, node, rank: cost });
            node
        };
        let relaxed = &mut self.nodes[node as usize].relaxed;
        *relaxed = (*relaxed).min(cost);
        for &member in members {
            self.nodes[member as usize].alias = node;
        }
    }

    /// Takes the steps of a state.
    fn expand(&mut self, variable: usize, state: S::State, number: u32) -> Result<(), BuildError> {
        self.progress.expanded += 1;
        let node = self.nodes[number as usize];
        let is_exact = node.relaxed == NEVER;
        let (cost, costs) = (node.exact.min(node.relaxed), self.costs);
        let below = self.incumbent.below();
        costs.each_step(&state, variable, |value, step_cost, next| {
            let cost = cost + step_cost;
            let Some((to, next)) = next else {
                if self.narrowing == Narrowing::Relax {
                    self.arcs.push(WayArc { from: number, to: NONE, cost: step_cost });
                }
                if is_exact && cost < self.incumbent.below() {
                    let mut values = self.values(number, costs.num_vars());
                    values[variable] = value as u32;
                    self.incumbent.improve(cost, &values);
                }
                return;
            };
            if cost + costs.rest[to] >= below {
                return;
            }
            let to = self.meet(to, next, cost, is_exact, number, value);
            if self.narrowing == Narrowing::Relax {
                self.arcs.push(WayArc { from: number, to, cost: step_cost });
            }
        })?;
        // Ways that have met a merged state lead here as well.
        if !is_exact && node.exact < NEVER {
            self.cut.push(CutState { state, node: number, cost: node.exact, is_deferred: false });
        }
        Ok(())
    }

    /// The values on the best exact way to a node, in a list of `len` values.
    fn values(&self, mut number: u32, len: usize) -> Vec<u32> {
        let mut values = self.start.values.to_vec();
        values.resize(len, 0);
        while let WayNode { parent, value, .. } = self.nodes[number as usize]
            && parent != NONE
        {
            values[self.nodes[parent as usize].variable as usize] = value;
            number = parent;
        }
        values
    }

    fn finish(self) -> Result<Levels<S::State>, BuildError> {
        // The least costs from each node on. All arcs from later variables come after those from earlier ones.
        let mut to_go = vec![NEVER; self.nodes.len()];
        for &(node, bound) in &self.deferred {
            to_go[node as usize] = bound;
        }
        let place = |mut node: u32| {
            while self.nodes[node as usize].alias != node {
                node = self.nodes[node as usize].alias;
            }
            node as usize
        };
        for (index, arc) in self.arcs.iter().rev().enumerate() {
            self.check(index, self.start.variable)?;
            let after = if arc.to == NONE { 0 } else { to_go[place(arc.to)] };
            let from = &mut to_go[arc.from as usize];
            *from = (*from).min(arc.cost + after);
        }
        let below = self.incumbent.below();
        let mut cut = Vec::new();
        for (index, CutState { state, node, cost, is_deferred }) in self.cut.iter().enumerate() {
            self.check(index, self.start.variable)?;
            let (variable, cost) = (self.nodes[*node as usize].variable as usize, *cost);
            let mut bound = self.costs.bound(state, variable);
            if !is_deferred {
                bound = bound.max(to_go[place(*node)]);
            }
            let bound = total(cost, bound).max(self.start.bound);
            if bound < below {
                let values = self.values(*node, variable).into();
                cut.push(OpenState { variable, state: state.clone(), cost, bound, values });
            }
        }
        let states = self.nodes.len() as u64;
        Ok(Levels {
            is_exact: self.progress.is_exact,
            has_merged: self.progress.has_merged,
            cut,
            states,
        })
    }
}
