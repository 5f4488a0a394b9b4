//! The targets of edges: steps, and forced steps.

/// The target of an edge of a spec; returned by [`DdSpec::root`](crate::DdSpec::root) and [`DdSpec::child`](crate::DdSpec::child).
///
/// ```
/// use topdd::Step;
///
/// let step = Step::To(3, 7);
/// assert_eq!(step.map(|state| state + 1), Step::To(3, 8));
/// assert!(!step.is_zero() && Step::<u8>::Zero.is_zero());
/// assert_eq!(Step::One.map(|state: u8| state + 1), Step::One);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step<S> {
    /// The 0-terminal: no solution goes this way.
    Zero,
    /// The 1-terminal: the values chosen so far make a solution. Variables not yet visited are
    /// skipped, and read by the [`Rule`](crate::Rule) of the diagram being built.
    One,
    /// A state at a later variable. Variables in between are skipped, and read by
    /// the [`Rule`](crate::Rule) of the diagram being built.
    To(usize, S),
}

impl<S> Step<S> {
    /// Returns whether this is the 0-terminal.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self, Step::Zero)
    }

    /// Returns the same step, with `f` applied to the state of a `To`. For a spec whose states contain the
    /// states of another spec.
    #[inline]
    pub fn map<T>(self, f: impl FnOnce(S) -> T) -> Step<T> {
        match self {
            Step::Zero => Step::Zero,
            Step::One => Step::One,
            Step::To(variable, state) => Step::To(variable, f(state)),
        }
    }
}

/// The values that a state may take, if that is cheap to determine; returned by [`DdSpec::forced`](crate::DdSpec::forced).
///
/// ```
/// use topdd::{Forced, Step};
///
/// // Value 2 is the only one, and its step may lead to the 0-terminal.
/// assert_eq!(Forced::to(2, Step::To(1, 'a')), Forced::Value(2, Step::To(1, 'a')));
/// assert_eq!(Forced::<char>::to(2, Step::Zero), Forced::Dead);
/// assert_eq!(Forced::to(2, Step::To(1, 'a')).map(|_| Step::<u8>::Zero), Forced::Dead);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forced<S> {
    /// Not determined: the state may take any values.
    Free,
    /// This value alone, with its step: every other value leads to the 0-terminal.
    Value(usize, Step<S>),
    /// No value: none leads to a solution.
    Dead,
}

impl<S> Forced<S> {
    /// Returns the only value and its step; [`Dead`](Forced::Dead) if the step is the 0-terminal.
    #[inline]
    pub fn to(value: usize, step: Step<S>) -> Self {
        if step.is_zero() { Forced::Dead } else { Forced::Value(value, step) }
    }

    /// Returns the same value, with `f` applied to its step; [`Dead`](Forced::Dead) if the new step is the
    /// 0-terminal.
    #[inline]
    pub fn map<T>(self, f: impl FnOnce(Step<S>) -> Step<T>) -> Forced<T> {
        match self {
            Forced::Free => Forced::Free,
            Forced::Value(value, step) => Forced::to(value, f(step)),
            Forced::Dead => Forced::Dead,
        }
    }
}
