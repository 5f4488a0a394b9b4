//! Any spec on some variables of a larger space.

use crate::spec::combine::Unreduced;
use crate::spec::{DdSpec, Forced, Rule, Space, Step, root_without_rule};
use std::ops::ControlFlow;

/// A spec on some variables of a larger space; made by [`on`].
#[derive(Clone, Debug)]
pub struct On<S> {
    spec: S,
    space: Space,
    /// The variable of the space for each variable of the spec.
    variables: Vec<usize>,
    /// The variable of the spec for each variable of the space, or [`FREE`].
    positions: Vec<u32>,
    /// The first free variable from each variable of the space on, or its number of variables.
    next_free: Vec<usize>,
}

/// The position of a variable that is free.
const FREE: u32 = u32::MAX;

/// Applies `spec` to some variables of `space`, in ascending order, and leaves the others free under both
/// rules: variable `i` of the spec becomes `variables[i]`.
///
/// Variables that the spec itself skips are read by the rule of the diagram being built; the others
/// take any value. ([`SpecExt::relabel`] skips the others, which makes them 0 in a ZDD.)
///
/// Cost: in a ZDD each state occurs once more at each free variable that it passes; in a BDD the
/// states are the spec's own.
///
/// ```
/// use topdd::{SpecExt, constraint};
///
/// let edges = topdd::dp(2, 0).step(|n, _, value| Some(n + value)).accept(|&n| n == 1);
/// let spec = constraint::on(&edges, [0, 2], [2, 3, 2]);
/// assert_eq!(topdd::count(&spec)?, 6u32.into());
/// assert_eq!(topdd::count_bdd(&spec)?, 6u32.into());
/// // Variables left out by `relabel` are 0 in a ZDD.
/// let forced = (&edges).relabel(vec![0, 2], vec![2, 3, 2]);
/// assert_eq!(topdd::count(&forced)?, 2u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
///
/// [`SpecExt::relabel`]: crate::SpecExt::relabel
pub fn on<S: DdSpec>(
    spec: S,
    variables: impl IntoIterator<Item = usize>,
    space: impl Into<Space>,
) -> On<S> {
    let (space, variables) = (space.into(), variables.into_iter().collect::<Vec<_>>());
    let num_vars = space.num_vars();
    let mut positions = vec![FREE; num_vars];
    for (position, &variable) in variables.iter().enumerate() {
        // `validate` refuses a variable out of range.
        if let Some(at) = positions.get_mut(variable) {
            *at = position as u32;
        }
    }
    let mut next_free = vec![num_vars; num_vars + 1];
    for variable in (0..num_vars).rev() {
        let free = positions[variable] == FREE;
        next_free[variable] = if free { variable } else { next_free[variable + 1] };
    }
    On { spec, space, variables, positions, next_free }
}

/// The state of a spec [`on`] some variables: the state of the spec, at a variable of the spec.
pub type Placed<T> = Unreduced<T>;

impl<S: DdSpec> On<S> {
    /// Translates a step of the spec to the space, where variables from `next` on are not yet visited.
    #[inline]
    fn place(&self, rule: Rule, step: Step<S::State>, next: usize) -> Step<Placed<S::State>> {
        let num_vars = self.space.num_vars();
        let (target, state) = match step {
            Step::Zero => return Step::Zero,
            Step::One => (num_vars, Unreduced::One(rule)),
            Step::To(at, state) => {
                let variable = u32::try_from(at).unwrap_or(u32::MAX);
                // A variable out of range stays so, for the engine to report.
                let out_of_range = || at.max(num_vars);
                let target = self.variables.get(at).copied().unwrap_or_else(out_of_range);
                let state = Unreduced::To { variable, rule, state };
                if target >= num_vars {
                    return Step::To(target, state);
                }
                (target, state)
            }
        };
        // A skipped variable may have any value here, so the free ones need no visit.
        let free = if rule == Rule::AnyValue { num_vars } else { self.next_free[next] };
        match free.min(target) {
            variable if variable < num_vars => Step::To(variable, state),
            _ => Step::One,
        }
    }

    /// Returns the position of a variable in the spec and the state there; `None` if the variable is free.
    #[inline]
    fn own<'a>(
        &self,
        state: &'a Placed<S::State>,
        variable: usize,
    ) -> Option<(usize, Rule, &'a S::State)> {
        match state {
            Unreduced::To { variable: at, rule, state } if *at == self.positions[variable] => {
                Some((*at as usize, *rule, state))
            }
            _ => None,
        }
    }

    /// Returns the step past a free variable, for a state under the zero-suppressed rule.
    #[inline]
    fn pass(&self, state: &Placed<S::State>, variable: usize) -> Step<Placed<S::State>> {
        let step = match state {
            Unreduced::One(_) => Step::One,
            Unreduced::To { variable, state, .. } => Step::To(*variable as usize, state.clone()),
        };
        self.place(Rule::ZeroSuppressed, step, variable + 1)
    }
}

impl<S: DdSpec> DdSpec for On<S> {
    type State = Placed<S::State>;

    fn num_vars(&self) -> usize {
        self.space.num_vars()
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        self.space.arity(variable)
    }

    fn root(&self) -> Step<Self::State> {
        root_without_rule(self)
    }

    fn root_under(&self, rule: Rule) -> Step<Self::State> {
        self.place(rule, self.spec.root_under(rule), 0)
    }

    #[inline]
    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        match self.own(state, variable) {
            Some((at, rule, state)) => {
                self.place(rule, self.spec.child(state, at, value), variable + 1)
            }
            None => self.pass(state, variable),
        }
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &Self::State,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Self::State>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some((at, rule, state)) = self.own(state, variable) else {
            let step = self.pass(state, variable);
            return (0..self.arity(variable)).try_for_each(|value| visit(value, step.clone()));
        };
        self.spec.for_each_child(state, at, |value, step| {
            visit(value, self.place(rule, step, variable + 1))
        })
    }

    #[inline]
    fn forced(&self, state: &Self::State, variable: usize) -> Forced<Self::State> {
        match self.own(state, variable) {
            // The step may skip variables that must be 0, which is possible under the other rule
            // only.
            Some((at, Rule::ZeroSuppressed, state)) => {
                let place = |step| self.place(Rule::ZeroSuppressed, step, variable + 1);
                self.spec.forced(state, at).map(place)
            }
            _ => Forced::Free,
        }
    }

    fn merge(&self, one: &Self::State, other: &Self::State, _: usize) -> Option<Self::State> {
        one.merge(other, &self.spec)
    }

    fn scope(&self) -> Option<Vec<usize>> {
        self.spec.scope().map(|_| self.variables.clone())
    }

    fn validate(&self) -> Result<(), String> {
        self.spec.validate()?;
        let (own, places) = (self.spec.num_vars(), self.variables.len());
        if own != places {
            return Err(format!("`on` places {places} variables, but the spec has {own}"));
        }
        let named = |message| format!("`on`: {message}");
        check_places(&self.variables, self.space.num_vars()).map_err(named)?;
        for (own, &variable) in self.variables.iter().enumerate() {
            let (from, to) = (self.spec.arity(own), self.space.arity(variable));
            if from != to {
                return Err(format!(
                    "`on` places variable {own}, of arity {from}, on variable {variable}, of arity \
                     {to}; they must be equal"
                ));
            }
        }
        Ok(())
    }

    fn describe(&self, state: &Self::State) -> String {
        match state {
            Unreduced::To { variable, state, .. } => {
                format!("{} at its variable {variable}", self.spec.describe(state))
            }
            Unreduced::One(_) => "its 1-terminal".to_owned(),
        }
    }

    fn refused_by(&self, state: &Self::State, variable: usize, value: usize) -> Option<String> {
        let (at, _, inner) = self.own(state, variable)?;
        self.spec.refused_by(inner, at, value)
    }
}

/// Fails if variables are out of range or not in ascending order.
pub(super) fn check_places(places: &[usize], num_vars: usize) -> Result<(), String> {
    if u32::try_from(num_vars).is_err() {
        return Err(format!(
            "{num_vars} variables are too many; at most {} are possible",
            u32::MAX
        ));
    }
    if let Some(variable) = places.iter().find(|&&variable| variable >= num_vars) {
        return Err(format!("there is no variable {variable}: the space has {num_vars} variables"));
    }
    match places.windows(2).find(|pair| pair[0] >= pair[1]) {
        None => Ok(()),
        Some(pair) => Err(format!(
            "variables must be given in ascending order, each once, but {} comes after {}",
            pair[1], pair[0]
        )),
    }
}
