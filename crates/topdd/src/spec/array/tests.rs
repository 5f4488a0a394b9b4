//! Array specs against the same specs with vectors as states.

use super::*;
use crate::spec::{Portable, Space};
use crate::{DdSpec, Frontier, Rule, SpecExt, check, constraint};
use rows::WordRow;
use smallvec::SmallVec;

const NUM_VARS: usize = 9;
const PERIOD: usize = 4;

/// Words of digits 0 to 2 in which every fourth digits sum to at most 3, and the whole sum is even. The sums
/// are `stride` items apart. The sum of a last digit is dropped.
struct Sums {
    stride: usize,
}

impl Sums {
    /// The place of the sum of a digit. The first sums to be dropped come last.
    fn place(&self, variable: usize) -> usize {
        (NUM_VARS - 1 - variable) % PERIOD * self.stride
    }

    fn next(is_odd: &mut u8, sum: &mut u16, variable: usize, value: usize) -> Step<()> {
        *is_odd ^= (value % 2) as u8;
        *sum += value as u16;
        match (*sum <= 3, variable + 1 < NUM_VARS, *is_odd) {
            (true, true, _) => Step::To(variable + 1, ()),
            (true, false, 0) => Step::One,
            _ => Step::Zero,
        }
    }
}

impl ArraySpec for Sums {
    type Head = u8; // whether the sum is odd
    type Item = u16;

    fn num_vars(&self) -> usize {
        NUM_VARS
    }

    fn arity(&self, _: usize) -> usize {
        3
    }

    fn len(&self, variable: usize) -> usize {
        (NUM_VARS - variable).min(PERIOD) * self.stride
    }

    fn root(&self, is_odd: &mut u8, sums: &mut [u16]) -> Step<()> {
        assert!(*is_odd == 0 && sums.len() == self.len(0) && sums.iter().all(|&sum| sum == 0));
        Step::To(0, ())
    }

    fn child(&self, is_odd: &mut u8, sums: &mut [u16], variable: usize, value: usize) -> Step<()> {
        assert!(sums[self.len(variable)..].iter().all(|&sum| sum == 0));
        Self::next(is_odd, &mut sums[self.place(variable)], variable, value)
    }

    fn like(&self, variable: usize) -> Option<usize> {
        variable.checked_sub(PERIOD).filter(|_| variable + PERIOD < NUM_VARS)
    }

    fn next_value(&self, _: &u8, sums: &[u16], variable: usize, from: usize) -> usize {
        if from + sums[self.place(variable)] as usize > 3 { usize::MAX } else { from }
    }

    fn forced(&self, is_odd: &mut u8, sums: &mut [u16], variable: usize) -> Forced<()> {
        if sums[self.place(variable)] == 3 {
            return Forced::to(0, self.child(is_odd, sums, variable, 0));
        }
        sums.fill(u16::MAX); // dropped
        Forced::Free
    }
}

/// The same spec, with vectors.
struct SumsInVectors(Sums);

impl DdSpec for SumsInVectors {
    type State = (u8, Vec<u16>);

    fn num_vars(&self) -> usize {
        NUM_VARS
    }

    fn arity(&self, _: usize) -> usize {
        3
    }

    fn root(&self) -> Step<(u8, Vec<u16>)> {
        Step::To(0, (0, vec![0; self.0.len(0)]))
    }

    fn child(&self, state: &(u8, Vec<u16>), variable: usize, value: usize) -> Step<(u8, Vec<u16>)> {
        let (mut is_odd, mut sums) = state.clone();
        let step = Sums::next(&mut is_odd, &mut sums[self.0.place(variable)], variable, value);
        sums.truncate(self.0.len(variable + 1));
        step.map(|()| (is_odd, sums))
    }
}

/// The longest state has 2 bytes for the head and 8 for each: 2, 3, 4, 6, 8, 16, 32, 64, 65 and 131 words.
const STRIDES: [usize; 10] = [1, 2, 3, 5, 7, 15, 31, 63, 64, 130];

#[test]
fn array_states_give_the_diagrams_of_vectors() {
    for stride in STRIDES {
        let vectors = SumsInVectors(Sums { stride });
        let zdd = crate::zdd(&vectors).unwrap();
        let states =
            |report: &crate::Report| report.levels.iter().map(|level| level.states).sum::<u64>();
        let expected = states(Frontier::over(&vectors).profile_under(Rule::AnyValue).unwrap());
        let typed = Frontier::of_arrays(Sums { stride });
        let boxed = Frontier::of_boxed(Sums { stride }.boxed());
        for sweep in [typed, boxed] {
            let mut sweep = sweep.checked(true);
            assert_eq!(sweep.zdd().unwrap(), zdd, "{stride}");
            assert_eq!(sweep.bdd().unwrap(), crate::bdd(&vectors).unwrap(), "{stride}");
            assert_eq!(states(sweep.profile_under(Rule::AnyValue).unwrap()), expected, "{stride}");
            assert!(states(sweep.profile().unwrap()) < expected, "forced states are not stored");
            let spec = sweep.into_spec().unwrap();
            assert_eq!(crate::zdd(&spec).unwrap(), zdd);
            assert!(spec.into_rows().is_ok(), "the engine stores its states as they are");
        }
    }
}

#[test]
fn array_states_as_a_part_of_other_specs_are_the_same() {
    for stride in [1, 130] {
        let arrays = Sums { stride }.boxed();
        let few = constraint::sum_modulo(Space::uniform(NUM_VARS, 3), 3, 1);
        let expected = SumsInVectors(Sums { stride }).and(&few);
        let expected = crate::count(&expected).unwrap();
        assert_eq!(crate::count(&(&arrays).and(&few)).unwrap(), expected);
        for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
            check::contract(&arrays, rule, 2000).unwrap();
        }
        let Step::To(0, root) = arrays.root() else { panic!("the root is a state") };
        assert_eq!(arrays.describe(&root)[..10], "(0, [0, 0, 0, 0]"[..10]);
    }
}

#[test]
fn long_states_spill_and_are_read_back() {
    for stride in [1, 130] {
        let dir = tempfile::tempdir().unwrap();
        let sweep = Frontier::of_arrays(Sums { stride });
        let mut sweep = sweep.memory_limit(1 << 20).spill_to(dir.path());
        assert_eq!(sweep.zdd().unwrap(), crate::zdd(&SumsInVectors(Sums { stride })).unwrap());
    }
}

#[test]
fn states_read_back_and_short_bytes_are_refused() {
    for words in [&[][..], &[1], &[1, 2, 3, 4, u64::MAX]] {
        let state = WordRow(SmallVec::from_slice(words));
        let mut bytes = Vec::new();
        state.write(&mut bytes);
        let mut rest = &bytes[..];
        assert_eq!(WordRow::read(&mut rest), Some(state));
        assert!(rest.is_empty());
        for end in 0..bytes.len() {
            assert_eq!(WordRow::read(&mut &bytes[..end]), None);
        }
    }
}

/// A spec that leads backwards, or beyond its last variable.
struct Leads(usize);

impl ArraySpec for Leads {
    type Head = [u16; 2];
    type Item = [u8; 3];

    fn num_vars(&self) -> usize {
        3
    }

    fn len(&self, variable: usize) -> usize {
        variable
    }

    fn root(&self, _: &mut [u16; 2], _: &mut [[u8; 3]]) -> Step<()> {
        Step::To(1, ())
    }

    fn child(&self, _: &mut [u16; 2], _: &mut [[u8; 3]], _: usize, _: usize) -> Step<()> {
        Step::To(self.0, ())
    }
}

#[test]
fn steps_to_wrong_variables_are_errors() {
    for to in [0, 1, 3, usize::MAX] {
        let error = Frontier::of_arrays(Leads(to)).count().unwrap_err();
        assert!(matches!(error, crate::BuildError::BadStep { .. }), "{error}");
    }
}

/// A spec whose states are too long from variable 1 on.
struct Long(usize);

impl ArraySpec for Long {
    type Head = [u16; 2];
    type Item = u64;

    fn num_vars(&self) -> usize {
        3
    }

    fn len(&self, variable: usize) -> usize {
        if variable == 0 { 1 } else { self.0 }
    }

    fn root(&self, _: &mut [u16; 2], _: &mut [u64]) -> Step<()> {
        panic!("no state is made")
    }

    fn child(&self, _: &mut [u16; 2], _: &mut [u64], _: usize, _: usize) -> Step<()> {
        panic!("no state is made")
    }
}

#[test]
fn states_that_are_too_long_are_an_error() {
    for len in [(1 << 27) + 1, usize::MAX] {
        let error = Frontier::of_arrays(Long(len)).count().unwrap_err();
        let expected = format!("`len` of variable 1 is {len}; at most {} items", 1 << 27);
        assert!(error.to_string().contains(&expected), "{error}");
    }
}
