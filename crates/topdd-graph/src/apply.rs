//! The classic formulation of Hamiltonian walks, for the apply engine: by time steps.
//!
//! One variable for each time and vertex, time by time, which is a member where the walk
//! is at that vertex at that time. The transition relation of one step says that the walk
//! goes from one vertex to a neighbour; all are conjoined, from the last step to the
//! first. Then, vertex by vertex, the walk must be there exactly once.

use thiserror::Error;
use topdd_apply::{Family, Manager};

use super::by_time::Times;
use super::{WalkError, Walks};

/// The progress of [`Walks::by_time`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByTimeStep {
    /// The constraints that are conjoined: steps in time first, then vertices.
    pub done: usize,
    /// All that there are.
    pub total: usize,
}

/// Errors of [`Walks::by_time`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ByTimeError {
    /// The walks may leave out vertices, or their ends make no sense.
    #[error(transparent)]
    Walks(#[from] WalkError),
    /// The apply engine could not go on.
    #[error(transparent)]
    Apply(#[from] topdd_apply::Error),
}

/// Makes the constraints.
struct Relations<'a> {
    manager: &'a Manager,
    times: Times,
}

impl Walks {
    /// The Hamiltonian walks by time steps: variable `time * vertices + vertex` is a member
    /// where the walk is at that vertex at that time. The spec with the same
    /// variables and each walk once is [`spec_by_time`](Walks::spec_by_time).
    ///
    /// Walks are directed here: a path between free ends counts twice (unless it is a
    /// single vertex), and so does a cycle, which starts at vertex 0. A fixed start is the
    /// first vertex and a fixed end the last.
    ///
    /// `on_step` gets after each constraint how far it is, and what is conjoined so far.
    ///
    /// ```
    /// use topdd_apply::Manager;
    /// use topdd_graph::grid_hamiltonian_cycles;
    ///
    /// let cycles = grid_hamiltonian_cycles(4, 4);
    /// let manager = Manager::new(16 * 16)?;
    /// let directed = cycles.by_time(&manager, |_, _| ())?;
    /// assert_eq!(directed.count(), 12u32.into()); // 6 cycles
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`ByTimeError`]; the manager needs a variable for each time and vertex.
    pub fn by_time(
        &self,
        manager: &Manager,
        mut on_step: impl FnMut(ByTimeStep, &Family),
    ) -> Result<Family, ByTimeError> {
        let relations = Relations { manager, times: Times::new(self)? };
        let vertices = relations.times.vertices();
        if relations.times.too_few() {
            return Ok(manager.empty());
        }
        if vertices == 1 {
            return Ok(manager.singleton(0)?);
        }
        let total = vertices - 1 + vertices;
        let mut all: Option<Family> = None;
        for (done, time) in (0..vertices - 1).rev().enumerate() {
            let step = relations.step(time)?;
            let next = match all {
                None => step,
                Some(all) => all.try_intersection(&step)?,
            };
            on_step(ByTimeStep { done: done + 1, total }, &next);
            all = Some(next);
        }
        let mut all = all.expect("there are at least two vertices");
        for vertex in 0..vertices {
            all = all.try_intersection(&relations.once(vertex)?)?;
            on_step(ByTimeStep { done: vertices + vertex, total }, &all);
        }
        Ok(all)
    }

    /// The sets of variables [by time](Walks::by_time) in which an undirected walk has
    /// one direction only: to intersect with, for each walk once. Everything, where an end
    /// is fixed and so is the direction.
    ///
    /// A path starts at the smaller of its ends; a cycle goes from vertex 0 to the smaller
    /// of the two vertices next to it.
    ///
    /// ```
    /// use topdd_apply::Manager;
    /// use topdd_graph::grid_hamiltonian_cycles;
    ///
    /// let cycles = grid_hamiltonian_cycles(4, 4);
    /// let manager = Manager::new(16 * 16)?;
    /// let once = cycles.by_time(&manager, |_, _| ())? & cycles.one_direction(&manager)?;
    /// assert_eq!(once.count(), 6u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the manager has not a variable for each time and vertex, or a limit is reached.
    pub fn one_direction(&self, manager: &Manager) -> Result<Family, ByTimeError> {
        let times = Times::new(self)?;
        let vertices = times.vertices();
        let Some(first) = times.told_at() else {
            return Ok(manager.power_set(0..vertices * vertices)?);
        };
        let last = vertices - 1;
        let mut all = manager.empty();
        for vertex in (0..vertices).rev() {
            let mut after =
                manager.singletons((vertex + 1..vertices).map(|v| times.variable(last, v)))?;
            for variable in (times.variable(first + 1, 0)..times.variable(last, 0)).rev() {
                after = manager.family_node(variable, &after, &after)?;
            }
            all = manager.family_node(times.variable(first, vertex), &all, &after)?;
        }
        for variable in (0..times.variable(first, 0)).rev() {
            all = manager.family_node(variable, &all, &all)?;
        }
        Ok(all)
    }
}

impl Relations<'_> {
    /// The relation of the step from this time to the next: one vertex now, a neighbour
    /// next, anything at all other times.
    fn step(&self, time: usize) -> Result<Family, topdd_apply::Error> {
        let Relations { manager, times } = self;
        let vertices = times.vertices();
        let after = (time + 2) * vertices..vertices * vertices;
        let below = manager.power_set(after)?;
        let mut now = manager.empty();
        for vertex in (0..vertices).rev() {
            if !times.allowed(time, vertex) {
                continue;
            }
            let mut next = manager.empty();
            for &neighbour in times.neighbours(vertex).iter().rev() {
                if times.allowed(time + 1, neighbour) {
                    let variable = times.variable(time + 1, neighbour);
                    next = manager.family_node(variable, &next, &below)?;
                }
            }
            now = manager.family_node(times.variable(time, vertex), &now, &next)?;
        }
        for variable in (0..time * vertices).rev() {
            now = manager.family_node(variable, &now, &now)?;
        }
        Ok(now)
    }

    /// The walks that are at this vertex at exactly one time, wherever they are otherwise.
    fn once(&self, vertex: usize) -> Result<Family, topdd_apply::Error> {
        let Relations { manager, times } = self;
        let vertices = times.vertices();
        let (mut not_yet, mut been) = (manager.empty(), manager.base());
        for time in (0..vertices).rev() {
            for other in (0..vertices).rev() {
                let variable = times.variable(time, other);
                if other == vertex {
                    not_yet = manager.family_node(variable, &not_yet, &been)?;
                } else {
                    not_yet = manager.family_node(variable, &not_yet, &not_yet)?;
                    been = manager.family_node(variable, &been, &been)?;
                }
            }
        }
        Ok(not_yet)
    }
}
