//! The order of the variables.

use crate::error::Error;
use std::ops::Range;

/// The order of the variables: a permutation of variables and levels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// Empty for the identity, and so is `variable_at`.
    level_of: Vec<u32>,
    variable_at: Vec<u32>,
}

impl Order {
    pub(crate) fn level_of(&self, variable: usize) -> u32 {
        self.level_of.get(variable).copied().unwrap_or(variable as u32)
    }

    pub(crate) fn variable_at(&self, level: u32) -> usize {
        self.variable_at.get(level as usize).copied().unwrap_or(level) as usize
    }

    pub(crate) fn is_identity(&self) -> bool {
        self.variable_at.iter().enumerate().all(|(level, &variable)| level == variable as usize)
    }

    /// The order that lists all variables from the top down.
    pub(crate) fn new(variables: &[usize], num_vars: usize) -> Result<Self, Error> {
        let refused = |reason: String| Error::NotAPermutation { num_vars, reason };
        if variables.len() != num_vars {
            return Err(refused(format!("it names {} variables", variables.len())));
        }
        let mut level_of = vec![u32::MAX; num_vars];
        for (level, &variable) in variables.iter().enumerate() {
            let own_level = level_of
                .get_mut(variable)
                .ok_or_else(|| refused(format!("it names variable {variable}")))?;
            if *own_level != u32::MAX {
                return Err(refused(format!("it names variable {variable} twice")));
            }
            *own_level = level as u32;
        }
        let variable_at = variables.iter().map(|&variable| variable as u32).collect();
        Ok(Order { level_of, variable_at })
    }

    /// Adds variables below all others.
    pub(crate) fn extend(&mut self, variables: Range<usize>) {
        if !self.variable_at.is_empty() {
            let variables = variables.start as u32..variables.end as u32;
            self.variable_at.extend(variables.clone());
            self.level_of.extend(variables);
        }
    }

    /// Swaps the variables of two adjacent levels of `num_vars`.
    pub(crate) fn swap(&mut self, upper: usize, num_vars: usize) {
        if self.variable_at.is_empty() {
            self.variable_at = (0..num_vars as u32).collect();
            self.level_of = (0..num_vars as u32).collect();
        }
        self.variable_at.swap(upper, upper + 1);
        for level in [upper, upper + 1] {
            self.level_of[self.variable_at[level] as usize] = level as u32;
        }
    }
}
