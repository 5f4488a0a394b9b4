//! Conjunctions of specs with few states, as rows of words.
//!
//! The states of an operand are numbered, and its steps are tables of the numbers. A state of the conjunction
//! has the number of each operand in bits of a row. An operand has its bits from its first variable to its last one;
//! before and after, other operands have them. So a step changes the bits of the operands that the variable concerns, and
//! copies the others as words.
//!
//! The engine finds the operands in lists and in chains of `and`, boxed or not, when a run starts. Fewer than half of the
//! operands may have no table, such as diagrams and specs with many states: if they are boxed, their states
//! stand beside the row.
//!
//! Gain: a count of ten queens by cell as 54 constraints takes a hundredth of the time of a list of states; a roster with
//! ten rules, a twentieth.

use super::super::{BoxedSpec, BoxedState, DdSpec, Forced, Object, Space, Step, WordSpec};
use super::propagation::propagate;
use super::tables::{Budget, DEAD, FREE, Steps, Table};
use crate::Map;
use crate::error::call_again;
use rapidhash::v3::rapidhash_v3;

/// An operand of a conjunction.
#[doc(hidden)]
pub struct Operand<'s> {
    spec: &'s dyn Conjunct,
    /// The most steps of its table.
    max_steps: usize,
    /// The operand with encoded states, if they have an encoding.
    pub(in crate::spec) boxed: Option<&'s dyn Object<BoxedState>>,
}

impl<'s> Operand<'s> {
    pub(in crate::spec) fn new<S: DdSpec>(spec: &'s S) -> Self {
        Operand { spec, max_steps: MAX_STEPS, boxed: None }
    }

    /// Limits the steps that are computed before the run, for closures that may be slow.
    pub(in crate::spec) fn of_closures(self) -> Self {
        Operand { max_steps: MAX_STEPS_OF_CLOSURES, ..self }
    }

    /// Returns the operand as a spec.
    pub(crate) fn boxed(&self) -> Option<BoxedSpec<'s>> {
        self.boxed.map(BoxedSpec::from)
    }
}

/// A spec as the operand of a conjunction.
trait Conjunct {
    /// Whether the operand may have a table.
    fn has_scope(&self) -> bool;

    /// Returns the steps of the operand. `None` if they are more than `max_steps` or than the budget, if its solutions
    /// depend on the rule, or if it breaks its contract: then the engine calls the spec itself.
    fn table(&self, max_steps: usize, budget: &mut Budget<'_>) -> Option<Table>;
}

/// The most steps of an operand, of one that consists of closures, and of all operands of a conjunction.
const MAX_STEPS: usize = 1 << 18;
const MAX_STEPS_OF_CLOSURES: usize = 1 << 14;
const MAX_STEPS_OF_ALL: usize = 1 << 20;

/// The greatest arity with operands beside the row: each value is tried on the row first, even if those operands have
/// few children.
const MAX_ARITY_BESIDE: usize = 64;

/// The maximum distance of a variable to an earlier one that is found to be alike.
const MAX_PERIOD: usize = 64;

impl<S: DdSpec> Conjunct for S {
    fn has_scope(&self) -> bool {
        self.scope().is_some()
    }

    fn table(&self, max_steps: usize, budget: &mut Budget<'_>) -> Option<Table> {
        let scope = self.scope()?;
        let mut own = Budget { steps: budget.steps.min(max_steps), ..*budget };
        budget.steps -= own.steps;
        // A state that panics may not be reached. If it is, the sweep locates the panic.
        let table = call_again(|| Table::new(self, &scope, &mut own));
        budget.steps += own.steps;
        table.flatten()
    }
}

/// A conjunction of tables: a spec whose states are rows of words.
pub(crate) struct Conjunction {
    space: Space,
    num_words: usize,
    /// The index of the kind of each variable.
    kinds_of: Vec<u32>,
    kinds: Vec<Kind>,
    /// The numbers of next states, or forced values, by the number of the state, one list after the other.
    lists: Vec<u16>,
}

/// The effect of variables that concern the same operands in the same way.
struct Kind {
    /// The operands that each value changes or refuses, one list after the other.
    changes: Vec<Place>,
    /// The start of each value's list, and the end of the last.
    starts: Vec<u32>,
    /// The operands that may force a value.
    forced: Vec<Place>,
}

/// The place of an operand's number in a row, and of a list for it.
#[derive(Clone, Copy)]
struct Place {
    word: u32,
    shift: u32,
    mask: u16,
    list: u32,
}

impl Place {
    #[inline]
    fn number(&self, words: &[u64]) -> u16 {
        (words[self.word as usize] >> self.shift) as u16 & self.mask
    }

    /// The entry of the operand's list for a row.
    #[inline]
    fn entry(&self, lists: &[u16], words: &[u64]) -> u16 {
        lists[self.list as usize + usize::from(self.number(words))]
    }
}

impl Conjunction {
    /// Returns the conjunction of the operands of `spec` that have tables, and the indices of the others. `None` if
    /// half have none, or one of them has states without an encoding.
    pub(crate) fn split<S: DdSpec>(
        spec: &S,
        checks: bool,
        stops: &dyn Fn() -> bool,
    ) -> Option<(Self, Vec<usize>)> {
        let operands = spec.conjuncts();
        // With so many variables, the steps of an operand on all of them do not fit.
        if operands.len() < 2 || spec.num_vars() > MAX_STEPS_OF_ALL {
            return None;
        }
        // Tables are not made for nothing.
        let unsuited: Vec<_> =
            operands.iter().filter(|operand| !operand.spec.has_scope()).collect();
        if unsuited.len() * 2 >= operands.len()
            || unsuited.iter().any(|operand| operand.boxed.is_none())
        {
            return None;
        }
        let mut budget = Budget { steps: MAX_STEPS_OF_ALL, checks, stops };
        let (mut tables, mut rest) = (Vec::new(), Vec::new());
        for (index, operand) in operands.iter().enumerate() {
            match operand.spec.table(operand.max_steps, &mut budget) {
                Some(table) => tables.push(table),
                None => rest.push(index),
            }
            // Whatever the others are.
            if rest.len() * 2 >= operands.len()
                || rest.last() == Some(&index) && operand.boxed.is_none()
            {
                return None;
            }
        }
        let arities: Vec<usize> = (0..spec.num_vars()).map(|v| spec.arity(v)).collect();
        if !rest.is_empty() && arities.iter().any(|&arity| arity > MAX_ARITY_BESIDE) {
            return None;
        }
        propagate(&mut tables, &arities, stops);
        let space = Space::from(arities);
        Some((Self::from_tables(space, &tables), rest))
    }

    /// A hash of the tables, which is the same in every process.
    pub(crate) fn digest(&self) -> u64 {
        let mut bytes = Vec::new();
        let mut add = |numbers: &mut dyn Iterator<Item = u32>| {
            let start = bytes.len();
            bytes.extend(numbers.flat_map(u32::to_le_bytes));
            bytes.extend((bytes.len() - start).to_le_bytes());
        };
        add(&mut self.lists.iter().map(|&entry| entry.into()));
        add(&mut self.kinds_of.iter().copied());
        for Kind { changes, starts, forced } in &self.kinds {
            let places = changes.iter().chain(forced);
            add(&mut places.flat_map(|of| [of.word, of.shift, of.mask.into(), of.list]));
            add(&mut starts.iter().copied());
        }
        rapidhash_v3(&bytes)
    }

    fn from_tables(space: Space, tables: &[Table]) -> Self {
        let num_vars = space.num_vars();
        let (places, num_words) = places(num_vars, tables);
        let mut operands_of = vec![Vec::new(); num_vars];
        for (operand, table) in tables.iter().enumerate() {
            for &(variable, steps) in &table.scope {
                operands_of[variable].push((operand as u32, steps as u32));
            }
        }
        let mut spec = Conjunction {
            space,
            num_words,
            kinds_of: Vec::with_capacity(num_vars),
            kinds: Vec::new(),
            lists: Vec::new(),
        };
        let mut known = Map::default();
        for (variable, operands) in operands_of.into_iter().enumerate() {
            let arity = spec.space.arity(variable);
            let next = spec.kinds.len() as u32;
            let steps_of = |&(operand, at): &(u32, u32)| {
                (places[operand as usize], &tables[operand as usize].steps[at as usize])
            };
            let steps: Vec<_> = operands.iter().map(steps_of).collect();
            let kind = *known.entry((arity, operands)).or_insert(next);
            if kind == next {
                spec.add_kind(arity, &steps);
            }
            spec.kinds_of.push(kind);
        }
        spec
    }

    /// Adds the lists of some operands with their steps at a variable.
    fn add_kind(&mut self, arity: usize, operands: &[(Place, &Steps)]) {
        let Conjunction { kinds, lists, .. } = self;
        let mut kind = Kind { changes: Vec::new(), starts: vec![0], forced: Vec::new() };
        for value in 0..arity {
            let (from, mut refusing) = (kind.changes.len(), 0);
            for &(place, steps) in operands {
                let list = lists.len();
                // A state that does not occur here stays the same.
                let next =
                    |(number, next): (u16, &Vec<u16>)| next.get(value).copied().unwrap_or(number);
                lists.extend((0..).zip(&steps.next).map(next));
                if (0..).zip(&lists[list..]).all(|(number, &next): (u16, _)| number == next) {
                    lists.truncate(list);
                    continue;
                }
                kind.changes.push(Place { list: list as u32, ..place });
                if lists[list..].contains(&DEAD) {
                    // Operands that may refuse the value come first.
                    let last = kind.changes.len() - 1;
                    kind.changes.swap(from + refusing, last);
                    refusing += 1;
                }
            }
            kind.starts.push(kind.changes.len() as u32);
        }
        for &(place, steps) in operands {
            if steps.forced.iter().any(|&forced| forced != FREE) {
                kind.forced.push(Place { list: lists.len() as u32, ..place });
                lists.extend(&steps.forced);
            }
        }
        kinds.push(kind);
    }

    #[inline]
    fn kind(&self, variable: usize) -> &Kind {
        &self.kinds[self.kinds_of[variable] as usize]
    }
}

impl Kind {
    #[inline]
    fn changes(&self, value: usize) -> &[Place] {
        &self.changes[self.starts[value] as usize..self.starts[value + 1] as usize]
    }
}

/// Returns the place of each operand, and the number of words of a row. Bits are free again after the last variable
/// of an operand.
fn places(num_vars: usize, tables: &[Table]) -> (Vec<Place>, usize) {
    let mut places = vec![Place { word: 0, shift: 0, mask: 0, list: 0 }; tables.len()];
    let range = |operand: usize| {
        let scope = &tables[operand].scope;
        let variable = |entry: Option<&(usize, usize)>| entry.map_or(0, |&(variable, _)| variable);
        (variable(scope.first()), variable(scope.last()))
    };
    let mut order: Vec<usize> = (0..tables.len()).collect();
    order.sort_by_key(|&operand| range(operand));
    // The first variable at which each bit of each word is free.
    let mut free_from: Vec<[usize; 64]> = vec![[0; 64]];
    for operand in order {
        let bits = tables[operand].bits as usize;
        let (first, last) = range(operand);
        let shift_in = |free: &[usize; 64]| {
            free.windows(bits.max(1)).position(|bits| bits.iter().all(|&from| from <= first))
        };
        let found =
            free_from.iter().enumerate().find_map(|(word, free)| Some((word, shift_in(free)?)));
        let (word, shift) = found.unwrap_or_else(|| {
            free_from.push([0; 64]);
            (free_from.len() - 1, 0)
        });
        free_from[word][shift..shift + bits].fill((last + 1).min(num_vars));
        let mask = ((1_u32 << bits) - 1) as u16;
        places[operand] = Place { word: word as u32, shift: shift as u32, mask, list: 0 };
    }
    (places, free_from.len())
}

impl WordSpec for Conjunction {
    fn space(&self) -> &Space {
        &self.space
    }

    fn arity(&self, variable: usize) -> usize {
        self.space.arity(variable)
    }

    fn num_words(&self) -> usize {
        self.num_words
    }

    fn num_words_at(&self, _: usize) -> usize {
        self.num_words
    }

    fn root(&self, _: &mut [u64]) -> Step<()> {
        Step::To(0, ())
    }

    #[inline]
    fn child(
        &self,
        words: &mut [u64],
        variable: usize,
        value: &mut usize,
        skips: bool,
    ) -> Step<()> {
        let kind = self.kind(variable);
        if skips {
            let refuses = |value| {
                kind.changes(value).iter().any(|place| place.entry(&self.lists, words) == DEAD)
            };
            let arity = kind.starts.len() - 1;
            let next = (*value..arity).find(|&value| !refuses(value));
            *value = next.unwrap_or(arity);
            if next.is_none() {
                return Step::Zero;
            }
        }
        for place in kind.changes(*value) {
            let number = place.number(words);
            let next = self.lists[place.list as usize + usize::from(number)];
            if next == DEAD {
                return Step::Zero;
            }
            words[place.word as usize] ^= u64::from(number ^ next) << place.shift;
        }
        if variable + 1 < self.kinds_of.len() { Step::To(variable + 1, ()) } else { Step::One }
    }

    #[inline]
    fn forced(&self, words: &mut [u64], variable: usize) -> Forced<()> {
        let mut forced = FREE;
        for place in &self.kind(variable).forced {
            match place.entry(&self.lists, words) {
                FREE => {}
                DEAD => return Forced::Dead,
                value if forced == FREE || forced == value => forced = value,
                _ => return Forced::Dead,
            }
        }
        match forced {
            FREE => Forced::Free,
            value => {
                let mut value = usize::from(value);
                Forced::to(value, self.child(words, variable, &mut value, false))
            }
        }
    }

    fn like(&self, variable: usize) -> Option<usize> {
        let kind_of = |variable: usize| self.kinds_of[variable];
        // The last variable leads to the 1-terminal.
        let mut earlier = (0..variable).rev().take(MAX_PERIOD);
        earlier.find(|&v| kind_of(v) == kind_of(variable) && variable + 1 < self.kinds_of.len())
    }

    /// The engine alone makes conjunctions; runs that merge states have the operands.
    fn merge(&self, _: &mut [u64], _: &[u64], _: usize) -> bool {
        false
    }

    fn validate(&self) -> Result<(), String> {
        Ok(())
    }

    fn describe(&self, words: &[u64]) -> String {
        // Errors of operands with tables are found in the operands themselves.
        format!("row {words:x?}")
    }
}

#[cfg(test)]
mod tests {
    use super::Conjunction;
    use crate::check::{RandomSpec, brute_force};
    use crate::constraint::{self, is, is_not};
    use crate::spec::BoxedSpec;
    use crate::{BuildError, CancelToken, DdSpec, Frontier, Rule, SpecExt, all, any, dp};
    use fastrand::Rng;
    use proptest::prelude::*;
    use std::hash::{Hash, Hasher};

    type Boxed = BoxedSpec<'static>;

    /// Some variables and a value of each.
    fn pairs(rng: &mut Rng, arities: &[usize]) -> Vec<(usize, usize)> {
        (0..arities.len()).map(|at| (at, rng.usize(..arities[at]))).collect()
    }

    /// A constraint on some variables of the space, or on all.
    fn ready(rng: &mut Rng, space: &[usize]) -> Boxed {
        let is_all = rng.bool();
        let scope: Vec<usize> = (0..space.len()).filter(|_| is_all || rng.u8(..3) > 0).collect();
        let arities: Vec<usize> = scope.iter().map(|&variable| space[variable]).collect();
        let (pairs, value) = (pairs(rng, &arities), rng.usize(..3));
        let greatest = arities.iter().max().map_or(0, |greatest| greatest - 1);
        macro_rules! on {
            ($constraint:expr) => {
                if is_all { $constraint.boxed() } else { $constraint.on(scope).boxed() }
            };
        }
        match rng.usize(..12) {
            0 => on!(constraint::at_most(space, value).of_pairs(pairs)),
            1 => on!(constraint::exactly(space, value)),
            2 => on!(constraint::sum_modulo(space, value + 1, value)),
            3 => on!(constraint::window(space, 2, ..=1).of_pairs(pairs)),
            4 => on!(constraint::longest_run(space, value + 1)),
            5 => on!(constraint::least_distance(space, value + 1)),
            6 => on!(constraint::all_different(space).except([0].into_iter().take(arities.len()))),
            7 => {
                on!(constraint::table(space, [pairs.iter().map(|pair| pair.1).collect::<Vec<_>>()]))
            }
            8 => {
                let literal =
                    |&(at, value): &(usize, usize)| [is(at, value), is_not(at, value)][at % 2];
                on!(constraint::clauses(space, pairs.chunks(2).map(|two| two.iter().map(literal))))
            }
            9 => {
                on!(constraint::linear(space)
                    .at_most(|at, value| [1, -2, 3, 0][(at + value) % 4], 1))
            }
            10 => on!(constraint::precedence(space, 0..=greatest.min(1))),
            _ => on!(constraint::regex(space, "(0.?)*")),
        }
    }

    /// A spec with the same solutions under both rules, whose states have an encoding.
    fn operand(rng: &mut Rng, space: &[usize], depth: usize) -> Boxed {
        if depth == 0 {
            return ready(rng, space);
        }
        let (a, b) = (operand(rng, space, depth - 1), operand(rng, space, depth - 1));
        match rng.usize(..10) {
            0 => a.or(b).boxed(),
            1 => a.not().boxed(),
            2 => a.xor(b).boxed(),
            3 => a.and_not(b).boxed(),
            4 => any([a, b, ready(rng, space)]).boxed(),
            5 => all([a, b, ready(rng, space)]).boxed(),
            6 => {
                let own = space.to_vec();
                let closures = dp(own.len(), 1).arity_by(move |variable| own[variable]);
                closures
                    .step_alike(|sum, value| Some((sum + 2 * value) % 5))
                    .accept(|sum| sum % 2 == 1)
                    .boxed()
            }
            7 => {
                let scope: Vec<usize> = (0..space.len()).step_by(2).collect();
                let inner: Vec<usize> = scope.iter().map(|&variable| space[variable]).collect();
                constraint::on(operand(rng, &inner, depth - 1), scope, space).boxed()
            }
            8 => RandomSpec::over(space.to_vec(), rng.u64(..)).read_as(Rule::AnyValue).boxed(),
            _ => a.and(b).boxed(),
        }
    }

    /// Compares the diagrams by rows with the diagrams of the spec itself, and with brute force.
    fn rows_are_right(spec: &impl DdSpec) -> Result<(), TestCaseError> {
        let by = |checked| Frontier::over(spec).checked(checked);
        let (zdd, bdd) = (by(false).zdd().unwrap(), by(false).bdd().unwrap());
        prop_assert_eq!(&zdd, &by(true).zdd().unwrap());
        prop_assert_eq!(&bdd, &by(true).bdd().unwrap());
        prop_assert!(zdd.iter().eq(brute_force(spec, Rule::ZeroSuppressed).unwrap()));
        prop_assert_eq!(by(false).count().unwrap(), zdd.count());
        prop_assert_eq!(by(false).count_bdd().unwrap(), bdd.count());
        let spilling = by(false).memory_limit(1 << 20).max_states(1 << 20);
        prop_assert_eq!(&{ spilling }.zdd().unwrap(), &zdd);
        Ok(())
    }

    proptest! {
        #[test]
        fn conjunctions_of_specs_with_few_states_have_their_common_solutions(
            space in prop::collection::vec(1..=4_usize, 1..=6),
            depths in prop::collection::vec(0..=2_usize, 2..=6),
            seed in 0..u64::MAX,
        ) {
            let mut rng = Rng::with_seed(seed);
            let list: Vec<Boxed> = depths.iter().map(|&depth| operand(&mut rng, &space, depth)).collect();
            rows_are_right(&all(&list))?;
            let chain = |one: Boxed, other| one.and(other).boxed();
            let mut rng = Rng::with_seed(seed);
            rows_are_right(&depths.iter().map(|&depth| operand(&mut rng, &space, depth)).reduce(chain).unwrap())?;
        }

        /// An operand that skips variables stands beside the row.
        #[test]
        fn other_operands_keep_their_states(
            space in prop::collection::vec(1..=4_usize, 1..=6),
            seed in 0..u64::MAX,
            others in 1..=2_usize,
        ) {
            let mut rng = Rng::with_seed(seed);
            let mut list: Vec<Boxed> = (0..4).map(|_| operand(&mut rng, &space, 1)).collect();
            for _ in 0..others {
                let other = RandomSpec::over(space.clone(), rng.u64(..)).boxed();
                list.insert(rng.usize(..=list.len()), other);
            }
            rows_are_right(&all(&list))?;
        }
    }

    /// The numbers of operands in a row and beside it, and of words of the row.
    fn split(spec: &impl DdSpec) -> Option<(usize, usize)> {
        let (rows, rest) = Conjunction::split(spec, true, &|| false)?;
        Some((super::WordSpec::num_words(&rows), rest.len()))
    }

    #[test]
    fn operands_are_found_in_lists_and_chains() {
        let pair = |at: usize| constraint::at_most(100, 1).on([at, at + 1]);
        // One bit each, at one variable; bits are used again.
        assert_eq!(split(&all((0..99).map(pair))), Some((1, 0)));
        let star = |at: usize| constraint::at_most(100, 1).on([0, at]);
        assert_eq!(split(&all((1..99).map(star))), Some((2, 0)));
        assert_eq!(split(&pair(0).and(pair(5)).and(pair(7)).boxed()), Some((1, 0)));
        let boxed = |spec: Boxed, at| spec.and(pair(at)).boxed();
        assert_eq!(split(&(1..50).fold(pair(0).boxed(), boxed)), Some((1, 0)));
        // Specs with many states, and specs that skip variables, have no numbers.
        let far = dp(100, 0u64).step(|sum, at, value| Some(sum + ((value as u64) << (at % 50))));
        let far = || far.clone().accept(|sum| sum % 3 == 0);
        assert_eq!(split(&all([far().boxed(), pair(0).boxed(), pair(1).boxed()])), Some((1, 1)));
        assert_eq!(split(&(1..9).fold(far().boxed(), boxed)), Some((1, 1)));
        assert_eq!(split(&far().and(pair(0))), None);
        let skips = pair(0).relabel(0..100, 100);
        assert_eq!(split(&all([skips.boxed(), pair(0).boxed(), pair(1).boxed()])), Some((1, 1)));
        // One spec, and operations that are no conjunction.
        assert_eq!(split(&pair(0)), None);
        assert_eq!(split(&pair(0).or(pair(1))), None);
    }

    #[test]
    fn a_row_may_have_any_number_of_words() {
        for operands in [2, 16, 17, 64, 120, 250, 300] {
            let sum = |at: usize| constraint::sum_modulo([4; 6], 500 + at, 9).boxed();
            let spec = all((0..operands).map(sum));
            // Four bits for sums up to 15.
            assert_eq!(split(&spec), Some((operands.div_ceil(16), 0)));
            // The number of rolls of six dice from 0 to 3 with a sum of 9.
            assert_eq!(Frontier::over(&spec).count().unwrap(), 580u32.into());
        }
    }

    #[test]
    fn alike_variables_stay_alike() {
        let spec = all([
            constraint::window(500, 5, 1..=2).boxed(),
            constraint::sum_modulo(500, 7, 3).boxed(),
            constraint::longest_run(500, 3).boxed(),
        ]);
        let mut sweep = Frontier::over(&spec).checked(false).threads(1);
        let count = sweep.count().unwrap();
        assert_eq!(count, Frontier::over(&spec).checked(true).count().unwrap());
        let (rows, _) = Conjunction::split(&spec, true, &|| false).unwrap();
        let is_alike = |&variable: &usize| super::WordSpec::like(&rows, variable).is_some();
        assert!((0..500).filter(is_alike).count() > 480);
    }

    #[test]
    fn rows_spill_and_resume() {
        let dir = tempfile::tempdir().unwrap();
        let line = |at: usize| constraint::sum_modulo([3; 12], 5 + at, 2).on((at..12).step_by(2));
        let spec = all((0..4).map(line)).boxed();
        let count = Frontier::over(&spec).checked(true).count().unwrap();
        let sweep = || Frontier::over(&spec).checkpoint(dir.path(), "rows");
        let stopped = sweep().max_states(200).count().unwrap_err();
        assert!(matches!(stopped, BuildError::LimitReached { .. }), "{stopped}");
        assert_eq!(sweep().count().unwrap(), count);
        let spilled = Frontier::over(&spec).memory_limit(1 << 20).spill_to(dir.path()).count();
        assert_eq!(spilled.unwrap(), count);
    }

    #[test]
    fn mistakes_of_operands_are_found() {
        let fine = || constraint::at_most(6, 3).boxed();
        let panics = dp(6, 0).step(|_, at, _| if at == 3 { panic!("at 3") } else { Some(0) });
        let error = crate::count(&all([fine(), panics.accept(|_| true).boxed()])).unwrap_err();
        assert!(error.to_string().contains("at 3"), "{error}");
        // `Eq` of the states compares less than the steps depend on.
        let unequal = dp(6, Careless(0)).step(|&Careless(sum), at, value| {
            (at < 3 || sum != 1).then_some(Careless(sum + value))
        });
        let spec = all([fine(), fine(), unequal.accept(|_| true).boxed()]);
        // So it gets no table, and stands beside the row, where the encodings of states are compared.
        let expected = brute_force(&spec, Rule::ZeroSuppressed).unwrap().len();
        assert_eq!(Frontier::over(&spec).count().unwrap(), expected.into());
    }

    /// A number that is equal to every other.
    #[derive(Clone, Debug)]
    struct Careless(usize);

    impl PartialEq for Careless {
        fn eq(&self, _: &Self) -> bool {
            true
        }
    }

    impl Eq for Careless {}

    impl Hash for Careless {
        fn hash<H: Hasher>(&self, _: &mut H) {}
    }

    crate::portable!(Careless { 0 });

    /// The root has the number 0 in each conjunction, so checkpoints are told apart by the tables.
    #[test]
    fn checkpoints_of_other_operands_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let spec = |limit: usize| {
            let step =
                |&left: &usize, at, value| if at < 10 { left.checked_sub(value) } else { Some(0) };
            let at_first = dp(40, limit).step(step).accept(|_| true).boxed();
            all([at_first, constraint::at_most(40, 3).on(20..40).boxed()])
        };
        let (one, two) = (spec(1), spec(2));
        let sweep = |spec| {
            let frontier = Frontier::over(spec).checkpoint(dir.path(), "same");
            frontier.on_files(&crate::file::Files::default())
        };
        sweep(&one).max_states(60).count().unwrap_err();
        let error = sweep(&two).count().unwrap_err();
        assert!(error.to_string().contains("root"), "{error}");
        assert_eq!(sweep(&one).count().unwrap(), Frontier::over(&one).count().unwrap());
    }

    /// The lists of entries are the same, and their places are not.
    #[test]
    fn tables_of_other_variables_have_other_digests() {
        let digest = |first: [usize; 2], second: [usize; 2]| {
            let apart = |scope| constraint::all_different(vec![2; 4]).on(scope).boxed();
            let spec = all([apart(first), apart(second)]);
            Conjunction::split(&spec, false, &|| false).unwrap().0.digest()
        };
        let digests = [digest([0, 1], [2, 3]), digest([0, 2], [1, 3]), digest([0, 3], [1, 2])];
        assert!(digests[0] != digests[1] && digests[1] != digests[2] && digests[0] != digests[2]);
        assert_eq!(digests[0], digest([0, 1], [2, 3]));
    }

    #[test]
    fn a_run_that_must_stop_makes_no_tables() {
        let spec = all([constraint::at_most(6, 3).boxed(), constraint::exactly(6, 2).boxed()]);
        assert!(Conjunction::split(&spec, false, &|| false).is_some());
        assert!(Conjunction::split(&spec, false, &|| true).is_none());
        // The next run makes them.
        let token = CancelToken::new();
        token.cancel();
        let mut frontier = Frontier::over(&spec).cancel_with(&token);
        assert!(matches!(frontier.count(), Err(BuildError::Cancelled { .. })));
    }

    /// A forced value that needs more than 16 bits.
    #[test]
    fn variables_of_many_values_are_counted() {
        const ARITY: usize = 70_001;
        let marked = (0..2).flat_map(|variable| (0..ARITY - 1).map(move |value| (variable, value)));
        let apart = constraint::least_distance([ARITY; 2], 2).of_pairs(marked);
        let spec = all([apart.boxed(), constraint::sum_modulo([ARITY; 2], 1, 0).boxed()]);
        assert_eq!(Frontier::over(&spec).count().unwrap(), (2 * ARITY as u64 - 1).into());
    }
}
