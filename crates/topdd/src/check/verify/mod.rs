//! One verification of a spec: its contract, its diagrams, its count and its search.

mod all;
#[cfg(test)]
mod planted;
mod report;
mod samples;

use super::contract::{VisitLimits, Visited, visit};
use super::guard::{Guarded, Numbered};
use super::walk::{check_path, walk};
use crate::diagram::{AnyValue, DiagramRule, ZeroSuppressed};
use crate::error::panic_message;
use crate::query::PathCursor;
use crate::search::Search;
use crate::spec::ErasedSpec;
use crate::spec::contract::{REPEATS, check_universe};
use crate::{
    BigUint, BuildError, CancelToken, DdSpec, Diagram, Frontier, QueryError, Rule, SpecExt,
};
use all::ComparePart;
use samples::{Origin, SampledLevels};
use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use report::{Mismatch, Verdicts, Verified, VerifyError};

/// Checks the contract, the diagrams, the counts and the search of `spec`, under both rules, against a
/// predicate on assignments.
///
/// | checked | how |
/// | --- | --- |
/// | the contract of [`DdSpec`] | each state visited: steps lead onwards; `for_each_child` and `forced` agree with `child`, which repeats itself; `Eq` and `Hash` distinguish states with different futures |
/// | the same for states not visited, but for `Eq` and `Hash` | each state of the sweep, as by [`Frontier::checked`] |
/// | the meaning | each assignment walked by `child`, and looked up in the diagram built |
/// | the search | its solutions, in order, at most 2^18 |
/// | the count | by a sweep that builds no diagram, and of the diagram |
///
/// The predicate gets one value for each variable, from the root down. Up to 2^22 assignments, with at
/// most 2^28 values in total, all are compared, and only then does `verify` return `Ok`. Beyond this limit, samples are
/// compared. A difference is an error with its counterexample. Without a difference, the error is [`VerifyError::SamplesOnly`],
/// because samples prove nothing; [`Verification::sampled`] accepts them.
///
/// | sample | number | finds |
/// | --- | --- | --- |
/// | solutions of the diagram | all if at most 2^18, or else 1000 drawn | wrong solutions |
/// | uniform assignments | 1000 | errors where many assignments are solutions |
/// | walks from solutions: a value is changed, two are swapped or renamed to each other, or two blocks exchanged; the walk goes on where the predicate accepts | 20 changes from each of 1000 | missing solutions, and those around them |
/// | ends: a path to a state, followed by the end of another solution | about 100 000, spread over the levels | missing solutions: states that are wrongly distinguished, or refuse a value |
///
/// Thirty mistakes were planted into twelve specs of permutations, subsets, words, paths, rosters and boards. All were
/// found, each within a second in a debug build. Most were found by several kinds of samples. For each kind except the
/// uniform one, there is a mistake that it alone finds, or finds with at most a tenth of the samples of any other kind:
///
/// | mistake | samples up to the first that finds it |
/// | --- | --- |
/// | 5 of 29 numbers, and a flag: never with the flag | 5 changed values |
/// | ten values three times near their places: never the fifth at one place | 27 swaps; 98 renamings; 2910 exchanged blocks |
/// | six rooks by cell: never in two corners | 63 exchanged blocks; 8477 ends |
/// | eight queens by row: never in the corner | 41 renamings; 962 swaps; 1347 exchanged blocks |
/// | words: a letter does not end a run, at one place | 58 420 ends |
/// | a path in a grid by edges: never through two edges | 14 800 ends |
/// | a path in a grid by edges: a cycle beside it | 40 solutions; 14 500 ends |
/// | permutations of 12 without a falling subsequence of length 3: 12 is never last | 8 exchanged blocks; 9 swaps; 84 renamings |
///
/// The states on the paths of 100 solutions are checked as well. [`Verified`] reports the numbers, and
/// how many of the assignments not drawn from the solutions are solutions: if few are, missing
/// solutions would hardly be noticed. [`Verification`] changes the bounds.
///
/// A spec that skips variables has other solutions under the other rule. Either fix the rule by
/// [`read_as`](crate::SpecExt::read_as), or verify it under one rule, by [`Verification::under`].
///
/// # Limits
///
/// No check finds:
///
/// - a mistake that the predicate makes as well;
/// - a `child` that is impure so seldom that no repeated call returns another step;
/// - a mistake at assignments that were not compared, if samples are accepted. Small sizes are compared in full, so
///   verify a spec with a size at several small ones, which should use every value and every position.
///
/// A state that distinguishes more than necessary is no mistake, but costs time. From ten times as many states as nodes
/// of the diagram on, the report shows two states with the same future, and the part in which they differ.
///
/// # Cost
///
/// The time of two builds and two counts, and memory for the diagrams and all states. In addition, some
/// microseconds for each visited state, at most 200 000 states per rule, and less than a walk for each
/// assignment. All threads compare assignments; after three seconds, the remaining time is estimated on
/// standard error.
///
/// # Example
///
/// ```
/// use topdd::check;
///
/// // Subsets of 0..n without two consecutive members.
/// let apart = |n: usize| {
///     topdd::dp(n, false)
///         .step(|&last, _, value| (!(last && value == 1)).then_some(value == 1))
///         .accept(|_| true)
/// };
/// let right = |set: &[usize]| set.windows(2).all(|pair| pair != [1, 1]);
/// let verified = check::verify(&apart(10), right)?;
/// assert_eq!(
///     verified.to_string(),
///     "verified (zero-suppressed and any value): 144 solutions\n\
///      states: all 19\n\
///      assignments: all 1024"
/// );
///
/// // A state that forgets whether 1 is a member.
/// let forgets = topdd::dp(4, false)
///     .step(|&last, v, value| (!(last && value == 1)).then_some(value == 1 && v != 1))
///     .accept(|_| true);
/// let error = check::verify(&forgets, right).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "[0, 1, 1, 0] is a solution of `child`, the diagram and the search, but not of the predicate \
///      (zero-suppressed)\n\
///      root: state false at variable 0\n\
///      variable 0 = 0: state false at variable 1\n\
///      variable 1 = 1: state false at variable 2\n\
///      variable 2 = 1: state true at variable 3\n\
///      variable 3 = 0: the 1-terminal\n\
///      a solution"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The first breach of the contract, or else the least assignment about which the verdicts differ,
/// with the states on its path. A panic of the spec or the predicate is an error with the arguments of
/// the call.
///
/// A limit on states is no error: if the diagram has too many states, `child` is compared with the predicate without it,
/// on solutions found along `child`, and the report says so.
pub fn verify<S: DdSpec>(
    spec: &S,
    predicate: impl Fn(&[usize]) -> bool + Sync,
) -> Result<Verified, VerifyError> {
    Verification::new().run(spec, predicate)
}

/// A verification with bounds of your own; [`verify`] has default bounds.
///
/// ```
/// use topdd::{Rule, check::Verification};
///
/// // Under one rule, and at most 2^12 assignments.
/// let spec = topdd::dp(12, 0).step(|n, _, value| Some(n + value)).accept(|&n| n <= 2);
/// let verified = Verification::new()
///     .under(Rule::ZeroSuppressed)
///     .max_assignments(1 << 12)
///     .run(&spec, |values| values.iter().sum::<usize>() <= 2)?;
/// assert_eq!(verified.solutions(), Some(&79u32.into()));
/// assert!(verified.all_states() && verified.all_assignments());
/// # Ok::<(), topdd::check::VerifyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Verification {
    rules: Vec<Rule>,
    assignments: u64,
    samples: usize,
    sampled: bool,
    states: usize,
    seed: u64,
    cancel: Option<CancelToken>,
}

/// The maximum number of steps taken from states: the larger the arity, the fewer states are
/// visited.
const STEPS: usize = 20_000_000;

/// The number of variables from which fewer assignments than the maximum are compared.
const VARIABLES: u64 = 64;

/// The maximum number of states of a diagram, per checked state.
const BUILT: u64 = 10;

impl Default for Verification {
    fn default() -> Self {
        Self::new()
    }
}

impl Verification {
    /// Returns the bounds of [`verify`].
    pub fn new() -> Self {
        Verification {
            rules: vec![Rule::ZeroSuppressed, Rule::AnyValue],
            assignments: 1 << 22,
            samples: 1000,
            sampled: false,
            states: 200_000,
            seed: 0,
            cancel: None,
        }
    }

    /// Verifies under one rule only; the default is both.
    pub fn under(self, rule: Rule) -> Self {
        Verification { rules: vec![rule], ..self }
    }

    /// Compares all assignments if there are at most `most`; the default is 2^22. With more than 64 variables the
    /// limit is `64 * most` divided by the number of variables.
    pub fn max_assignments(self, most: u64) -> Self {
        Verification { assignments: most, ..self }
    }

    /// Accepts samples: where not all assignments are compared, the result is a [`Verified`] that says "sampled", and
    /// not [`VerifyError::SamplesOnly`].
    ///
    /// ```
    /// use topdd::check::{Verification, VerifyError, verify};
    ///
    /// let few = topdd::constraint::at_most(30, 3);
    /// let right = |set: &[usize]| set.iter().sum::<usize>() <= 3;
    /// let error = verify(&few, right).unwrap_err(); // 2^30 assignments are too many to compare all
    /// assert!(matches!(error, VerifyError::SamplesOnly { .. }));
    /// let verified = Verification::new().sampled().run(&few, right)?;
    /// assert!(!verified.all_assignments() && verified.to_string().starts_with("sampled"));
    /// # Ok::<(), VerifyError>(())
    /// ```
    pub fn sampled(self) -> Self {
        Verification { sampled: true, ..self }
    }

    /// Sets the number of assignments of each kind that are compared where not all are; the default
    /// is 1000. There are twenty times as many changes, and a hundred times as many paths to states with the end of
    /// another solution.
    ///
    /// ```
    /// use topdd::{check::Verification, constraint};
    ///
    /// let few = constraint::at_most(30, 3);
    /// let verified = Verification::new()
    ///     .sampled()
    ///     .samples(50)
    ///     .seed(7)
    ///     .run(&few, |set| set.iter().sum::<usize>() <= 3)?;
    /// assert!(verified.assignments() >= 50);
    /// # Ok::<(), topdd::check::VerifyError>(())
    /// ```
    pub fn samples(self, samples: usize) -> Self {
        Verification { samples, ..self }
    }

    /// Sets the maximum number of states checked under each rule; the default is 200 000. A diagram is built of at
    /// most ten times as many states. Without a diagram, `child` is compared with the predicate, and the result says
    /// so.
    pub fn max_states(self, most: usize) -> Self {
        Verification { states: most, ..self }
    }

    /// Sets the seed of the drawn assignments; the default is 0.
    pub fn seed(self, seed: u64) -> Self {
        Verification { seed, ..self }
    }

    /// Ends the verification soon after `token` is cancelled, with [`VerifyError::Failed`].
    pub fn cancel_with(self, token: &CancelToken) -> Self {
        Verification { cancel: Some(token.clone()), ..self }
    }

    /// Verifies `spec`; see [`verify`], which states the cost.
    ///
    /// # Errors
    ///
    /// Fails where [`verify`] fails: at the first breach of the contract, the first difference of the
    /// verdicts, a panic, or, unless they are accepted, samples.
    pub fn run<S: DdSpec>(
        &self,
        spec: &S,
        predicate: impl Fn(&[usize]) -> bool + Sync,
    ) -> Result<Verified, VerifyError> {
        // Only the walks of all assignments are compiled for the type of the spec. The rest is compiled once.
        let spec = Guarded::new(spec);
        let compare_part: &ComparePart<'_> =
            &|all, first, is_needed| all.compare_part(&spec, first, is_needed);
        spec.catch(|| self.run_erased(&ErasedSpec::new(&spec), &predicate, compare_part))
    }

    fn run_erased(
        &self,
        spec: &ErasedSpec<'_>,
        predicate: &(dyn Fn(&[usize]) -> bool + Sync),
        compare_part: &ComparePart<'_>,
    ) -> Result<Verified, VerifyError> {
        check_universe(spec)?;
        let arities: Vec<usize> = (0..spec.num_vars()).map(|v| spec.arity(v)).collect();
        let assignments = arities
            .iter()
            .try_fold(1u64, |product, &arity| product.checked_mul(arity as u64))
            .filter(|&assignments| assignments <= self.assignments.max(1))
            .filter(|assignments| {
                let steps = assignments.saturating_mul(arities.len() as u64);
                steps <= self.assignments.saturating_mul(VARIABLES).max(STEPS as u64)
            });
        let arity = arities.iter().max().map_or(1, |&arity| arity);
        let mut run = VerificationRun {
            spec,
            numbered: Numbered::new(spec),
            predicate,
            compare_part,
            settings: self,
            states: self.states.min(STEPS / arity).max(1),
            assignments,
            verified: Verified::new(self.rules.clone(), &arities),
        };
        let under = |rule| self.rules.contains(&rule);
        let zdd = under(Rule::ZeroSuppressed).then(|| run.under::<ZeroSuppressed>()).transpose()?;
        let bdd = under(Rule::AnyValue).then(|| run.under::<AnyValue>()).transpose()?;
        if let (Some(Some(zdd)), Some(Some(bdd)), None) = (zdd, bdd, assignments) {
            run.compare_diagrams(&zdd, &bdd)?;
        }
        if run.verified.all_assignments() || self.sampled {
            Ok(run.verified)
        } else {
            Err(run.verified.into_error())
        }
    }
}

/// A verification in progress.
struct VerificationRun<'a> {
    spec: &'a ErasedSpec<'a>,
    /// The spec, for sweeps.
    numbered: Numbered<'a>,
    predicate: &'a (dyn Fn(&[usize]) -> bool + Sync),
    compare_part: &'a ComparePart<'a>,
    settings: &'a Verification,
    /// The number of states checked under each rule.
    states: usize,
    /// The number of assignments, if all are compared.
    assignments: Option<u64>,
    verified: Verified,
}

impl VerificationRun<'_> {
    /// Verifies the spec under one rule. Returns its diagram, unless it has too many states.
    fn under<R: DiagramRule>(&mut self) -> Result<Option<Diagram<R>>, VerifyError> {
        let visited = self.contract(R::RULE)?;
        self.verified.visited(visited);
        let most = (self.states as u64).saturating_mul(BUILT);
        let build = || {
            let frontier =
                Frontier::of_boxed((&self.numbered).boxed()).max_states(most).checked(false);
            match &self.settings.cancel {
                Some(token) => frontier.cancel_with(token),
                None => frontier,
            }
        };
        // `None` if there are too many states.
        let within_limit = |error| match error {
            BuildError::LimitReached { .. } => Ok(None),
            BuildError::Violation(violation) => Err(VerifyError::Violation(*violation)),
            error => Err(VerifyError::Failed { rule: R::RULE, error: error.into() }),
        };
        // Checks the states that were not visited.
        let diagram = build().checked(!visited.all).diagram();
        let diagram: Option<Diagram<R>> = diagram.map(Some).or_else(within_limit)?;
        let solutions = diagram.as_ref().map(Diagram::count);
        let compared = match self.assignments {
            Some(assignments) => self.compare_all(diagram.as_ref(), assignments)?,
            None => self.compare_samples(diagram.as_ref().zip(solutions.as_ref()))?,
        };
        let accepted =
            compared.all.then(|| BigUint::from(compared.tally(Origin::Uniform).accepted));
        let Some((diagram, solutions)) = diagram.zip(solutions) else {
            self.verified.without_diagram(R::RULE, most);
            self.verified.compared(compared, accepted);
            return Ok(None);
        };
        let swept = build()
            .count_under(R::RULE)
            .map_err(|error| VerifyError::Failed { rule: R::RULE, error: error.into() })?;
        if swept != solutions || accepted.is_some_and(|accepted| accepted != solutions) {
            // The cause may be a breach that shows seldom.
            self.contract(R::RULE)?;
            return Err(VerifyError::Count { rule: R::RULE, swept, diagram: solutions });
        }
        self.verified.compared(compared, Some(solutions));
        if let Some(redundant) = self.redundant_states(&diagram, visited.states) {
            self.verified.redundant.get_or_insert(redundant);
        }
        Ok(Some(diagram))
    }

    /// Visits the states of the spec: all, or else some of each level.
    fn contract(&self, rule: Rule) -> Result<Visited, VerifyError> {
        let bounds = VisitLimits { states: self.states, per_level: usize::MAX, hashes: true };
        let visited = visit(self.spec, rule, bounds)?;
        if visited.all {
            return Ok(visited);
        }
        let per_level = (self.states / self.spec.num_vars()).max(1);
        let deep = visit(self.spec, rule, VisitLimits { per_level, ..bounds })?;
        Ok(Visited { states: visited.states.max(deep.states), all: false })
    }

    /// A search that ends when the verification is cancelled.
    fn search(&self, rule: Rule) -> Search<'_, ErasedSpec<'_>> {
        let search = Search::over(self.spec).rule(rule);
        match &self.settings.cancel {
            Some(token) => search.cancel_with(token),
            None => search,
        }
    }

    /// Returns the verdicts on an assignment. `diagram` is the verdict of the diagram, if there is one.
    fn judge(
        &self,
        rule: Rule,
        assignment: &[usize],
        diagram: Option<bool>,
    ) -> Result<Verdicts, VerifyError> {
        Ok(Verdicts {
            predicate: predicate_accepts(self.predicate, assignment)?,
            child: walk(self.spec, rule, assignment, |_| {})?,
            diagram,
            search: None,
        })
    }

    /// Compares the diagrams of the two rules, which both were compared with the predicate.
    fn compare_diagrams(
        &self,
        zdd: &Diagram<ZeroSuppressed>,
        bdd: &Diagram<AnyValue>,
    ) -> Result<(), VerifyError> {
        let failed = |error: QueryError| VerifyError::Failed { rule: Rule::AnyValue, error };
        let as_bdd = zdd.to_bdd().map_err(|error| failed(error.into()))?;
        let differs = as_bdd.differs_from(bdd, ["the ZDD", "the BDD"]);
        let differs = differs.map_err(|error| failed(error.into()))?;
        let Some(difference) = differs else { return Ok(()) };
        let assignment = difference.assignment;
        let predicate = predicate_accepts(self.predicate, &assignment)?;
        // The predicate differs from one of the two.
        let in_zdd = as_bdd.contains(&assignment).map_err(failed)?;
        let rule = if in_zdd == predicate { Rule::AnyValue } else { Rule::ZeroSuppressed };
        let diagram = in_zdd == (rule == Rule::ZeroSuppressed);
        let verdicts = self.judge(rule, &assignment, Some(diagram))?;
        Err(self.mismatch(rule, &assignment, verdicts))
    }

    fn mismatch(&self, rule: Rule, assignment: &[usize], verdicts: Verdicts) -> VerifyError {
        let path = check_path(self.spec, rule, assignment, REPEATS);
        match path.and_then(|()| Mismatch::new(self.spec, rule, assignment, verdicts)) {
            Ok(mismatch) => VerifyError::Mismatch(Box::new(mismatch)),
            Err(violation) => VerifyError::Violation(violation),
        }
    }
}

/// Returns whether the predicate accepts an assignment.
fn predicate_accepts(
    predicate: &dyn Fn(&[usize]) -> bool,
    assignment: &[usize],
) -> Result<bool, VerifyError> {
    catch_unwind(AssertUnwindSafe(|| predicate(assignment))).map_err(|panic| {
        VerifyError::PredicatePanicked {
            assignment: assignment.to_vec(),
            message: panic_message(&*panic),
        }
    })
}

/// The number of states per node of the diagram from which on the states are compared.
const RATIO: usize = 10;

/// Two states of a spec with many more states than nodes that have the same future.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RedundantStates {
    rule: Rule,
    states: usize,
    nodes: usize,
    variable: usize,
    pair: [String; 2],
    /// Whether no solution follows from them.
    dead: bool,
}

impl VerificationRun<'_> {
    /// Returns two states at the first variable that has two with the same future, if there are many more states than
    /// nodes. Two states with solutions come before two without.
    fn redundant_states<R: DiagramRule>(
        &self,
        diagram: &Diagram<R>,
        states: usize,
    ) -> Option<RedundantStates> {
        let (spec, store, nodes) = (self.spec, &*diagram.store, diagram.node_count());
        if states / RATIO < nodes.max(1) {
            return None;
        }
        // After a path that skips the variables before `to`. All paths to a state have the same future.
        let skip = |mut at: usize, mut cursor: Option<PathCursor>, to| {
            while at < to {
                cursor = store.advance(R::RULE, cursor?, at, 0);
                at += 1;
            }
            cursor
        };
        let mut levels = SampledLevels::new();
        levels.meet(spec.root_under(R::RULE), |to| skip(0, Some(store.cursor()), to));
        let mut dead = None;
        let mut left = self.states;
        while let Some((variable, level)) = levels.pop() {
            left = left.checked_sub(level.len())?;
            let mut by_future = HashMap::new();
            for (state, cursor) in &level {
                let Some(other) = by_future.insert(cursor.map(PathCursor::node), state) else {
                    continue;
                };
                let found = || RedundantStates {
                    rule: R::RULE,
                    states,
                    nodes,
                    variable,
                    pair: [other, state].map(|state| spec.describe(state)),
                    dead: cursor.is_none(),
                };
                if cursor.is_some() {
                    return Some(found());
                }
                dead.get_or_insert_with(found);
            }
            for (state, cursor) in &level {
                for value in 0..spec.arity(variable) {
                    let next = |cursor| store.advance(R::RULE, cursor, variable, value);
                    let path = |to| skip(variable + 1, cursor.and_then(next), to);
                    levels.meet(spec.child(state, variable, value), path);
                }
            }
        }
        dead
    }
}

impl fmt::Display for RedundantStates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RedundantStates { rule, states, nodes, variable, pair: [one, other], dead } = self;
        write!(
            f,
            "the states remember too much: {states} states, but {nodes} nodes ({rule}); states {one} and \
             {other} at variable {variable} "
        )?;
        f.write_str(if *dead {
            "have no solution, so `Step::Zero` may come earlier"
        } else {
            "have the same future"
        })?;
        match differing_parts(one, other) {
            Some([one, other]) => write!(f, "; they differ in `{one}` and `{other}`"),
            None => write!(f, "; `describe` writes both alike"),
        }
    }
}

/// The elements in which two texts differ first, with the name of the field if there is one. An element ends at a comma
/// or bracket. `None` if the texts are the same.
fn differing_parts<'a>(one: &'a str, other: &'a str) -> Option<[&'a str; 2]> {
    if one == other {
        return None;
    }
    let pairs = one.char_indices().zip(other.chars());
    let mut same = pairs.take_while(|((_, a), b)| a == b);
    let common = same.by_ref().last().map_or(0, |((at, a), _)| at + a.len_utf8());
    let start_of = |end: usize| {
        let before = one[..end].rfind([',', '(', '[', '{']).map_or(0, |at| at + 1);
        before + (one[before..].len() - one[before..].trim_start().len()).min(end - before)
    };
    let parts = |start: usize| [one, other].map(|text| element(&text[start..]));
    let start = start_of(common);
    // The element around it, if the element has no name, or if only one text has it.
    let around = one[..start].rfind(['(', '[', '{']).map_or(0, start_of);
    let [first, second] = parts(start);
    let is_field = one[around..start].contains(": ") && !first.contains(": ");
    Some(parts(if is_field || first == second { around } else { start }))
}

/// The text up to the comma or the bracket that ends an element.
fn element(text: &str) -> &str {
    let mut depth = 0usize;
    let end = text.find(|letter| match letter {
        '(' | '[' | '{' => {
            depth += 1;
            false
        }
        ')' | ']' | '}' if depth > 0 => {
            depth -= 1;
            false
        }
        ')' | ']' | '}' => true,
        ',' => depth == 0,
        _ => false,
    });
    text[..end.unwrap_or(text.len())].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Verification;

    #[test]
    fn texts_differ_in_an_element_with_its_name() {
        for (one, other, parts) in [
            ("(3, 17, true)", "(3, 19, true)", ["17", "19"]),
            ("7", "12", ["7", "12"]),
            ("S { used: 5, last: 2 }", "S { used: 5, last: 31 }", ["last: 2", "last: 31"]),
            (
                "S { used: {1, 3}, n: 1 }",
                "S { used: {1, 4, 5}, n: 1 }",
                ["used: {1, 3}", "used: {1, 4, 5}"],
            ),
            ("[1, 2, 3]", "[1, 2]", ["[1, 2, 3]", "[1, 2]"]),
            ("and(few: 1 so far, 2)", "and(few: 2 so far, 2)", ["few: 1 so far", "few: 2 so far"]),
            ("\u{e9}a", "\u{e9}b", ["\u{e9}a", "\u{e9}b"]),
        ] {
            assert_eq!(differing_parts(one, other), Some(parts), "{one} and {other}");
        }
        assert_eq!(differing_parts("same", "same"), None);
    }

    #[test]
    fn states_that_remember_too_much_are_shown_with_the_part_that_differs() {
        // Which numbers are members, where their number would do.
        let spec = crate::dp(9, 0u16)
            .step(|set, v, value| Some(set | (value as u16) << v))
            .accept(|set| set.is_power_of_two());
        let right = |set: &[usize]| set.iter().sum::<usize>() == 1;
        let text = verify(&spec, right).unwrap().to_string();
        let line = text.lines().find(|line| line.contains("remember too much"));
        let line = line.unwrap_or_else(|| panic!("{text}"));
        assert!(line.contains("511 states, but 9 nodes (zero-suppressed)"), "{line}");
        assert!(line.ends_with("have the same future; they differ in `2` and `1`"), "{line}");
        // Where the number of members is the state, there is no such line.
        let text = verify(&crate::constraint::exactly(9, 1), right).unwrap().to_string();
        assert!(!text.contains("remember"), "{text}");
    }

    #[test]
    fn states_without_a_solution_are_called_dead() {
        let spec = crate::dp(9, (0u16, false))
            .step(|&(set, dead), v, value| Some((set | (value as u16) << v, dead || value == 1)))
            .accept(|&(_, dead)| !dead);
        let verified = Verification::new().run(&spec, |set| set.iter().all(|&v| v == 0)).unwrap();
        let text = verified.to_string();
        assert!(text.contains("have no solution, so `Step::Zero` may come earlier"), "{text}");
    }

    #[test]
    fn many_skipped_variables_are_no_mistake_of_the_states() {
        // A ZDD has no nodes for the variables that are 0.
        let first = crate::dp(40, false).step(|&taken, v, value| match (taken, value) {
            (true, 1) => None,
            (false, 1) if v > 2 => None,
            _ => Some(taken || value == 1),
        });
        let spec = first.accept(|&taken| taken);
        let right =
            |set: &[usize]| set.iter().sum::<usize>() == 1 && set[..3].iter().sum::<usize>() == 1;
        let verified = Verification::new().sampled().run(&spec, right).unwrap();
        assert!(
            verified.states() >= 40 && !verified.to_string().contains("remember"),
            "{verified}"
        );
    }
}
