//! The classic formulation of tours, for the apply engine: by time steps.
//!
//! There is one variable for each time and vertex, ordered by time. It is a member of a set if
//! the tour is at that vertex at that time. The transition relation of one time step requires a
//! move from a vertex to a neighbour. The relations are conjoined, from the last time step to the
//! first. Then each vertex is constrained to occur exactly once.

use topdd_apply::{Family, Manager};

use super::by_time::Times;
use super::{KnightsError, KnightsTours};

/// The constraints, built as families of `manager`.
struct Relations<'a> {
    manager: &'a Manager,
    times: Times,
}

impl KnightsTours {
    /// Builds the tours as a family: variable `time * squares + square` is a member if the piece is on that
    /// square at that time. [`spec_by_time`](KnightsTours::spec_by_time) has the
    /// same variables and tours.
    ///
    /// `on_step` is called after each constraint, with the number of constraints so far and their conjunction.
    /// There are `2 * squares - 1` constraints, and so as many intersections. Until then, a tour with free ends
    /// occurs in both directions; another intersection keeps one unless the tours are
    /// [`directed`](KnightsTours::directed). The intermediate families may be exponentially larger than the
    /// result; a limit of the manager bounds them.
    ///
    /// ```
    /// use topdd_apply::Manager;
    /// use topdd_chess::{KnightsTours, Leaper};
    ///
    /// let tours = KnightsTours::closed(4, 4).piece(Leaper::wazir());
    /// let manager = Manager::new(16 * 16)?;
    /// assert_eq!(tours.family(&manager, |_, _| ())?.count(), 6u32.into());
    /// assert_eq!(tours.directed().family(&manager, |_, _| ())?.count(), 12u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// - [`KnightsError::SymmetricByTime`] for symmetric tours.
    /// - [`KnightsError::Apply`] if the manager has fewer than `squares * squares` variables or reaches a limit.
    /// - Another [`KnightsError`] for wrong parameters.
    pub fn family(
        &self,
        manager: &Manager,
        mut on_step: impl FnMut(usize, &Family),
    ) -> Result<Family, KnightsError> {
        let times = Times::new(&self.paths_in_order()?);
        if self.symmetry.is_some() {
            return Err(KnightsError::SymmetricByTime);
        }
        let vertices = times.vertices();
        if times.too_few() {
            return Ok(manager.empty());
        }
        if vertices == 1 {
            return Ok(manager.singleton(0)?);
        }
        let relations = Relations { manager, times };
        let mut all: Option<Family> = None;
        for (done, time) in (0..vertices - 1).rev().enumerate() {
            let step = relations.step(time)?;
            let next = match all {
                None => step,
                Some(all) => all.try_intersection(&step)?,
            };
            on_step(done + 1, &next);
            all = Some(next);
        }
        let mut all = all.expect("there are at least two vertices");
        for vertex in 0..vertices {
            all = all.try_intersection(&relations.once(vertex)?)?;
            on_step(vertices + vertex, &all);
        }
        match relations.times.direction_time() {
            Some(first) if !self.directed => {
                Ok(all.try_intersection(&relations.one_direction(first)?)?)
            }
            _ => Ok(all),
        }
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

    /// The sets in which the vertex at the time `first` is smaller than the last vertex: one direction of
    /// each tour. An open tour starts at the smaller of its ends; a closed one goes from vertex 0 to the
    /// smaller of the two vertices next to it.
    fn one_direction(&self, first: usize) -> Result<Family, topdd_apply::Error> {
        let Relations { manager, times } = self;
        let vertices = times.vertices();
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
