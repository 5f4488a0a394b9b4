//! Rules over variables with values: constraints, and specs of the user.

use std::fmt;
use std::sync::Arc;

use topdd::{BoxedSpec, DdSpec, Frontier, Portable, Space, SpecExt, constraint};

use crate::condition::{Condition, value_weights};
use crate::problem::ProblemError;

/// Variables with values, and the rules that must all hold. Without rules, all assignments are solutions.
///
/// A sweep checks all rules at once, as [`topdd::all`] of their specs. The order of the variables is the order of the space.
///
/// ```
/// use topdd::{Space, constraint};
/// use topdd_problem::{Problem, Rules, Unlimited};
///
/// let space = Space::uniform(3, 4);
/// let different = constraint::all_different(&[4; 3]);
/// let ends = constraint::at_most(&[4; 3], 0).on([2]);
/// let rules = Rules::all(space).with(different, Some(1))?.with(ends, Some(2))?;
/// assert_eq!(Problem::Rules(rules).count(&Unlimited)?, 6u32.into());
/// # Ok::<(), topdd_problem::ProblemError>(())
/// ```
#[derive(Clone)]
pub struct Rules {
    space: Space,
    rules: Vec<Rule>,
}

/// Makes the spec of a rule.
type MakeSpec = dyn Fn() -> BoxedSpec<'static> + Send + Sync;

#[derive(Clone)]
struct Rule {
    make: Arc<MakeSpec>,
    digest: Option<u64>,
}

impl Rules {
    /// Returns the rules that all assignments satisfy.
    pub fn all(space: impl Into<Space>) -> Self {
        Self { space: space.into(), rules: Vec::new() }
    }

    /// Returns the variables.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Adds a rule over the same variables. The digest tells its checkpoint from others; a rule without a digest has states that
    /// the next process does not know, so its runs keep no checkpoint.
    ///
    /// # Errors
    ///
    /// [`ProblemError::Rule`] with the message of [`DdSpec::validate`].
    pub fn with<S>(mut self, spec: S, digest: Option<u64>) -> Result<Self, ProblemError>
    where
        S: DdSpec<State: Portable> + Clone + Send + 'static,
    {
        spec.validate().map_err(ProblemError::Rule)?;
        self.rules.push(Rule { make: Arc::new(move || spec.clone().boxed()), digest });
        Ok(self)
    }

    /// Adds a condition on the values of variables, or on the number of them that are not 0, or on their costs. Those compare
    /// no vertices and no solutions.
    ///
    /// # Errors
    ///
    /// [`ProblemError::NoRule`] for other conditions; the errors of [`with`](Rules::with).
    pub fn under(self, condition: &Condition) -> Result<Self, ProblemError> {
        let (digest, space) = (crate::problem::digest(condition), self.space.clone());
        match condition {
            Condition::Size { least, most } => {
                let (least, most) = (least.unwrap_or(0), most.unwrap_or(usize::MAX));
                self.with(constraint::between(space, least..=most), Some(digest))
            }
            Condition::Elements { elements, taken } => {
                let literal = if *taken { constraint::is } else { constraint::is_not };
                let clauses = elements.iter().map(|&(variable, value)| [literal(variable, value)]);
                self.with(constraint::clauses(space, clauses), Some(digest))
            }
            Condition::Cost(bounds) => {
                let weights = value_weights(&bounds.weights, space.arities());
                let (least, most) = bounds.range().into_inner();
                let weight =
                    Arc::new(move |variable: usize, value: usize| weights[variable][value]);
                let linear = constraint::linear(space).at_most(weight_of(&weight), most);
                self.with(linear.at_least(weight_of(&weight), least), Some(digest))
            }
            _ => Err(ProblemError::NoRule),
        }
    }

    /// Returns the assignments that satisfy both. A rule that both have is checked once.
    pub(crate) fn and(mut self, other: &Self) -> Self {
        let is_new =
            |rule: &&Rule| !self.rules.iter().any(|own| Arc::ptr_eq(&own.make, &rule.make));
        let new: Vec<Rule> = other.rules.iter().filter(is_new).cloned().collect();
        self.rules.extend(new);
        self
    }

    /// Returns the number of rules.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Returns whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Whether each rule has a digest.
    pub(crate) fn are_resumable(&self) -> bool {
        self.rules.iter().all(|rule| rule.digest.is_some())
    }

    pub(crate) fn frontier(&self) -> Frontier<'static> {
        let mut specs: Vec<_> = self.rules.iter().map(|rule| (rule.make)()).collect();
        Frontier::of_boxed(match specs.len() {
            0 => constraint::clauses(self.space.clone(), [[]; 0]).boxed(),
            1 => specs.remove(0),
            _ => topdd::all(specs).boxed(),
        })
    }
}

/// A function that returns the weight of a value of a variable.
fn weight_of<F: Fn(usize, usize) -> i64 + Send + Sync>(
    shared: &Arc<F>,
) -> impl Fn(usize, usize) -> i64 + Send + Sync + use<F> {
    let shared = shared.clone();
    move |variable, value| shared(variable, value)
}

/// The text of which digests are made.
impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digests = self.rules.iter().map(|rule| rule.digest);
        f.debug_struct("Rules")
            .field("arities", &self.space.arities().collect::<Vec<_>>())
            .field("rules", &digests.collect::<Vec<_>>())
            .finish()
    }
}
