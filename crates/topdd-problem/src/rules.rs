//! Rules over variables with values: constraints, and specs of the user.

use std::fmt;
use std::sync::{Arc, OnceLock};

use topdd::{BoxedSpec, DdSpec, Frontier, Portable, Space, SpecExt, Zdd, constraint};
use topdd_apply::{Error as ApplyError, Function, Manager, clause_order, expression_names};

use crate::condition::{Condition, Run, value_weights};
use crate::error::{ProblemError, digest};

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

/// Makes the spec of a rule over the variables in an order.
type MakeSpec =
    dyn Fn(&[usize], &dyn Run) -> Result<BoxedSpec<'static>, ProblemError> + Send + Sync;

#[derive(Clone)]
struct Rule {
    make: Arc<MakeSpec>,
    digest: Option<u64>,
    order: RuleOrder,
}

/// The orders of the variables for which a rule has a spec.
#[derive(Clone)]
enum RuleOrder {
    /// The order of the space.
    Given,
    Any,
    /// Any; the contained order is the best.
    Best(Arc<[usize]>),
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
    /// [`ProblemError::Rule`] for a spec over other variables, and with the message of [`DdSpec::validate`].
    pub fn with<S>(mut self, spec: S, digest: Option<u64>) -> Result<Self, ProblemError>
    where
        S: DdSpec<State: Portable> + Clone + Send + 'static,
    {
        spec.validate().map_err(ProblemError::Rule)?;
        if Space::from(&spec) != self.space {
            return Err(ProblemError::Rule("the rule is over other variables".to_owned()));
        }
        let make = Arc::new(move |_: &[usize], _: &dyn Run| Ok(spec.clone().boxed()));
        self.rules.push(Rule { make, digest, order: RuleOrder::Given });
        Ok(self)
    }

    /// Adds a rule that has a spec over the variables in any order: `make(order, run)` makes it, within the limits of the
    /// run, where variable `i` of the spec stands for `order[i]`. Best is the order `best`.
    ///
    /// The sweep of several rules is in the best order of the first one, or in the order of the space if a rule has a spec in
    /// no other order.
    pub fn with_any_order(
        mut self,
        best: Vec<usize>,
        digest: Option<u64>,
        make: impl Fn(&[usize], &dyn Run) -> Result<BoxedSpec<'static>, ProblemError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let order = RuleOrder::Best(best.into());
        self.rules.push(Rule { make: Arc::new(make), digest, order });
        self
    }

    /// Adds the rule that an assignment is in a diagram. `compile(run)` makes the diagram, over the variables in the order
    /// `best`, when it is first needed; in another order, it is reordered.
    pub fn with_compiled(
        self,
        best: Vec<usize>,
        digest: u64,
        compile: impl Fn(&dyn Run) -> Result<Zdd, ProblemError> + Send + Sync + 'static,
    ) -> Self {
        let (own, compiled) = (best.clone(), OnceLock::new());
        self.with_any_order(best, Some(digest), move |order, run| {
            let zdd: &Zdd = if let Some(zdd) = compiled.get() {
                zdd
            } else {
                let zdd = compile(run)?;
                compiled.get_or_init(|| zdd)
            };
            if order == own {
                return Ok(zdd.clone().boxed());
            }
            let own = places(&own);
            let moved: Vec<usize> = order.iter().map(|&variable| own[variable]).collect();
            let reordered = zdd.reorder_with(&moved, |sweep| run.sweep(sweep, order.len()));
            Ok(reordered?.boxed())
        })
    }

    /// Returns the rule that clauses over so many variables hold: pairs of a variable and its value. If
    /// `shown` is given, ascending, only its variables are shown, and the others may have any value that fits. The apply engine joins the clauses
    /// when a sweep first needs them, in the [order](clause_order) that they prefer.
    ///
    /// ```
    /// use topdd_problem::{Problem, Rules, Unlimited};
    ///
    /// let clauses = vec![vec![(0, true), (1, true)], vec![(1, false), (2, true)]];
    /// let rules = Rules::of_clauses(3, clauses.clone(), None)?;
    /// assert_eq!(Problem::Rules(rules).count(&Unlimited)?, 4u32.into());
    /// let shown = Rules::of_clauses(3, clauses, Some(vec![0, 2]))?;
    /// assert_eq!(Problem::Rules(shown).count(&Unlimited)?, 3u32.into());
    /// # Ok::<(), topdd_problem::ProblemError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ProblemError::Apply`] if a clause has no such variable; [`ProblemError::Rule`] if `shown` has none, or is not ascending.
    pub fn of_clauses(
        variables: usize,
        clauses: Vec<Vec<(usize, bool)>>,
        shown: Option<Vec<usize>>,
    ) -> Result<Self, ProblemError> {
        let order = clause_order(variables, clauses.iter().map(|clause| clause.iter().copied()))?;
        if shown.as_ref().is_some_and(|shown| {
            !shown.is_sorted_by(|a, b| a < b) || shown.last().is_some_and(|&last| last >= variables)
        }) {
            return Err(ProblemError::Rule(
                "the variables shown are not in ascending order, or missing".to_owned(),
            ));
        }
        let digest = digest(&(&clauses, &shown));
        let place = places(&order);
        let place_of = |variable: usize| place[variable];
        let clauses = clauses.into_iter().filter_map(|clause| {
            let mut placed: Vec<_> = clause.into_iter().map(|(v, is)| (place_of(v), is)).collect();
            placed.sort_unstable();
            placed.dedup();
            // A clause with a literal and its negation holds.
            placed.windows(2).all(|pair| pair[0].0 != pair[1].0).then_some(placed)
        });
        let clauses: Vec<Vec<(usize, bool)>> = clauses.collect();
        let shown = shown.unwrap_or_else(|| (0..variables).collect());
        let mut places: Vec<usize> = shown.iter().map(|&variable| place_of(variable)).collect();
        places.sort_unstable();
        let best = places.iter().map(|&at| shown.binary_search(&order[at]).unwrap_or_default());
        let (best, hides) = (best.collect(), shown.len() < variables);
        let rules = Rules::all(vec![2; shown.len()]);
        Ok(rules.with_compiled(best, digest, move |run| {
            let hidden = (0..variables).filter(|at| places.binary_search(at).is_err());
            let manager = run.manager(variables)?;
            let zdd = manager.within(&run.limits(), || {
                let models = clause_models(&manager, clauses.iter().cloned(), hidden.clone())?;
                Ok::<_, ApplyError>(models.to_bdd()?.to_zdd()?)
            })?;
            if !hides {
                return Ok(zdd);
            }
            let spec = zdd.project_spec(&places)?;
            Ok(run.sweep(Frontier::of_boxed(spec.boxed()), places.len()).zdd()?)
        }))
    }

    /// Returns the rule that an [expression](topdd_apply::Manager::expression) over variables with these names holds. The apply engine
    /// compiles it when a sweep first needs it, with the variables in the order of the names.
    ///
    /// # Errors
    ///
    /// [`ProblemError::Apply`] if the text is malformed, or has other names.
    pub fn of_expression(text: String, names: Vec<String>) -> Result<Self, ProblemError> {
        expression_names(&text, Some(&names))?;
        let digest = digest(&(&text, &names));
        let order = (0..names.len()).collect();
        Ok(Rules::all(vec![2; names.len()]).with_compiled(order, digest, move |run| {
            let manager = run.manager(names.len())?;
            Ok(manager.within(&run.limits(), || {
                let function = manager.expression(&text, &names)?;
                Ok::<_, ApplyError>(function.to_bdd()?.to_zdd()?)
            })?)
        }))
    }

    /// Adds a condition, which has a spec in any order.
    fn conditioned<S>(
        mut self,
        digest: u64,
        make: impl Fn(&[usize]) -> S + Send + Sync + 'static,
    ) -> Result<Self, ProblemError>
    where
        S: DdSpec<State: Portable> + Send + 'static,
    {
        let given: Vec<usize> = (0..self.space.num_vars()).collect();
        make(&given).validate().map_err(ProblemError::Rule)?;
        let make = Arc::new(move |order: &[usize], _: &dyn Run| Ok(make(order).boxed()));
        self.rules.push(Rule { make, digest: Some(digest), order: RuleOrder::Any });
        Ok(self)
    }

    /// Adds a condition on the values of variables, or on the number of them that are not 0, or on their costs. Other
    /// conditions compare vertices or solutions.
    ///
    /// # Errors
    ///
    /// [`ProblemError::NoRule`] for other conditions; the errors of [`with`](Rules::with).
    pub fn under(self, condition: &Condition) -> Result<Self, ProblemError> {
        let digest = digest(condition);
        let fits = match condition {
            Condition::Elements { elements, .. } => elements.iter().all(|&(element, value)| {
                element < self.space.num_vars() && value < self.space.arity(element)
            }),
            Condition::Cost(bounds) => bounds.weights.len() == self.space.arities().sum::<usize>(),
            _ => true,
        };
        if !fits {
            return Err(ProblemError::Rule("the condition is for other variables".to_owned()));
        }
        let space = self.space.clone();
        let in_order = move |order: &[usize]| ordered(&space, order);
        match condition.clone() {
            Condition::Size { least, most } => {
                let (least, most) = (least.unwrap_or(0), most.unwrap_or(usize::MAX));
                self.conditioned(digest, move |order| {
                    constraint::between(in_order(order), least..=most)
                })
            }
            Condition::Elements { elements, taken } => self.conditioned(digest, move |order| {
                let literal = if taken { constraint::is } else { constraint::is_not };
                let places = places(order);
                let clauses =
                    elements.iter().map(|&(element, value)| [literal(places[element], value)]);
                constraint::clauses(in_order(order), clauses)
            }),
            Condition::Cost(bounds) => {
                let weights: Arc<[Vec<i64>]> =
                    value_weights(&bounds.weights, self.space.arities()).into();
                let (least, most) = bounds.range().into_inner();
                self.conditioned(digest, move |order| {
                    let order: Arc<[usize]> = order.into();
                    let weight = || {
                        let (weights, order) = (weights.clone(), order.clone());
                        move |variable: usize, value: usize| weights[order[variable]][value]
                    };
                    let linear = constraint::linear(in_order(&order));
                    linear.at_most(weight(), most).at_least(weight(), least)
                })
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

    /// Whether there are specs in the order of the space only.
    pub(crate) fn have_given_order(&self) -> bool {
        self.rules.iter().any(|rule| matches!(rule.order, RuleOrder::Given))
    }

    /// Returns the variable of the space for each variable of a sweep.
    pub(crate) fn element_order(&self) -> Vec<usize> {
        let best = self.rules.iter().find_map(|rule| match &rule.order {
            RuleOrder::Best(order) => Some(order.to_vec()),
            RuleOrder::Given | RuleOrder::Any => None,
        });
        best.filter(|_| !self.have_given_order())
            .unwrap_or_else(|| (0..self.space.num_vars()).collect())
    }

    pub(crate) fn frontier(
        &self,
        order: &[usize],
        run: &dyn Run,
    ) -> Result<Frontier<'static>, ProblemError> {
        if self.have_given_order() && !order.is_sorted() {
            return Err(ProblemError::OtherOrder);
        }
        let specs = self.rules.iter().map(|rule| (rule.make)(order, run));
        let mut specs: Vec<_> = specs.collect::<Result<_, _>>()?;
        Ok(Frontier::of_boxed(match specs.len() {
            0 => constraint::clauses(ordered(&self.space, order), [[]; 0]).boxed(),
            1 => specs.remove(0),
            _ => topdd::all(specs).boxed(),
        }))
    }
}

/// Returns the models of clauses, each once for the variables that are not hidden: hidden variables are false.
///
/// # Errors
///
/// The errors and limits of [`Manager::cnf_exists`].
pub fn clause_models<C>(
    manager: &Manager,
    clauses: impl IntoIterator<Item = C>,
    hidden: impl Iterator<Item = usize> + Clone,
) -> Result<Function, ApplyError>
where
    C: IntoIterator<Item = (usize, bool)>,
{
    let models = manager.cnf_exists(clauses, hidden.clone())?;
    models.try_and(&manager.cube(hidden.map(|variable| (variable, false)))?)
}

/// The space with its variables in an order.
fn ordered(space: &Space, order: &[usize]) -> Space {
    order.iter().map(|&variable| space.arity(variable)).collect::<Vec<_>>().into()
}

/// The place of each variable in an order.
pub(crate) fn places(order: &[usize]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    for (place, &variable) in order.iter().enumerate() {
        places[variable] = place;
    }
    places
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
