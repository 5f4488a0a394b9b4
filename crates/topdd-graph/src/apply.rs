//! The classic formulation of Hamiltonian paths and cycles, for the apply engine: by time steps.
//!
//! There is one variable for each time and vertex, ordered by time. It is a member of a set if
//! the path is at that vertex at that time. The transition relation of one time step requires a
//! move from a vertex to a neighbour. The relations are conjoined, from the last time step to the
//! first. Then each vertex is constrained to occur exactly once.

use thiserror::Error;
use topdd_apply::{Family, Manager};

use super::by_time::Times;
use super::{PathError, Paths};

/// The progress of [`Paths::by_time`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByTimeStep {
    /// The number of constraints conjoined so far: time steps first, then vertices.
    pub done: usize,
    /// The number of constraints.
    pub total: usize,
}

/// Errors of [`Paths::by_time`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ByTimeError {
    /// The paths are not Hamiltonian, or their fixed ends are invalid.
    #[error(transparent)]
    Paths(#[from] PathError),
    /// The apply engine failed.
    #[error(transparent)]
    Apply(#[from] topdd_apply::Error),
}

/// The constraints, built as families of `manager`.
struct Relations<'a> {
    manager: &'a Manager,
    times: Times,
}

impl Paths {
    /// Builds the family of Hamiltonian paths and cycles by time: variable `time * vertices + vertex` is a
    /// member if the path is at that vertex at that time. The spec with the same
    /// variables and each path once is [`spec_by_time`](Paths::spec_by_time).
    ///
    /// Paths are directed here. A path with free ends occurs twice (unless it is a
    /// single vertex), and so does a cycle, which starts at vertex 0. A fixed start is the
    /// first vertex and a fixed end the last.
    ///
    /// `on_step` is called after each constraint, with the progress and the conjunction so far.
    /// There are `2 * vertices - 1` constraints, and so as many intersections. The intermediate
    /// families may be exponentially larger than the result; a limit of the manager bounds them.
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
    /// - [`ByTimeError::Paths`] if the paths are not Hamiltonian or a fixed end is invalid.
    /// - [`ByTimeError::Apply`] if the manager has fewer than `vertices * vertices` variables or
    ///   reaches a limit.
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

    /// Builds the family of the sets of variables [by time](Paths::by_time) that have the
    /// canonical direction. Its intersection with [`by_time`](Paths::by_time) contains each path
    /// once. If an end is fixed, so is the direction, and the result is the power set.
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
    /// The errors of [`by_time`](Paths::by_time).
    pub fn one_direction(&self, manager: &Manager) -> Result<Family, ByTimeError> {
        let times = Times::new(self)?;
        let vertices = times.vertices();
        let Some(first) = times.direction_time() else {
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
    /// The transition relation from `time` to `time + 1`: one vertex now, a neighbour
    /// next, no constraint at all other times.
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

    /// The sets that contain `vertex` at exactly one time, without a constraint on other vertices.
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
