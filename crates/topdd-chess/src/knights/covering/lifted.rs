//! The spec of lifts: the spec of the paths below, with a value for each lift.

use std::ops::ControlFlow;
use topdd::{DdSpec, Portable, Step};

use topdd_graph::FromWords;

/// The crossings of a path below so far, or of an edge; see [`CoveringPaths`](super::CoveringPaths).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Crossing {
    /// An even number of times.
    Even,
    /// An odd number of times.
    Odd,
    /// The two things that a reflection keeps are used. The number of other crossings does not
    /// matter.
    Hinged,
}

impl Crossing {
    /// The sum of two crossings; `None` if both use the hinges, which a path does once at most.
    #[inline]
    pub(super) fn and(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Crossing::Hinged, Crossing::Hinged) => None,
            (Crossing::Hinged, _) | (_, Crossing::Hinged) => Some(Crossing::Hinged),
            _ if self == other => Some(Crossing::Even),
            _ => Some(Crossing::Odd),
        }
    }
}

/// The state of [`Lifted`]: the state of the path below, and its crossings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LiftedState<T> {
    below: T,
    crossing: Crossing,
}

impl<T: Portable> Portable for LiftedState<T> {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        self.below.write(out);
        (self.crossing as u8).write(out);
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let below = T::read(bytes)?;
        let crossing = match u8::read(bytes)? {
            0 => Crossing::Even,
            1 => Crossing::Odd,
            2 => Crossing::Hinged,
            _ => return None,
        };
        Some(Self { below, crossing })
    }
}

impl<T: FromWords> FromWords for LiftedState<T> {
    #[inline]
    fn from_words(words: &[u64]) -> Self {
        let [below @ .., crossing] = words else { unreachable!("a state has a crossing") };
        let crossing = match crossing {
            0 => Crossing::Even,
            1 => Crossing::Odd,
            _ => Crossing::Hinged,
        };
        Self { below: T::from_words(below), crossing }
    }

    #[inline]
    fn write_words(&self, words: &mut [u64]) {
        let [below @ .., crossing] = words else { unreachable!("a state has a crossing") };
        self.below.write_words(below);
        *crossing = self.crossing as u64;
    }
}

/// The crossings of all lifts of each value of each variable below. A value above is a position
/// in the concatenation of the lifts of all values below.
#[derive(Clone, Debug)]
pub(super) struct LiftTable {
    /// The crossing of each value above, variable by variable. `None` for a value that no path can
    /// take.
    crossings: Vec<Option<Crossing>>,
    /// For each variable, the start in `crossings` of each value below, and the end of the last.
    values: Vec<u32>,
    /// The start of each variable in `values`, and the length of `values`.
    variables: Vec<u32>,
}

impl Default for LiftTable {
    fn default() -> Self {
        Self { crossings: Vec::new(), values: Vec::new(), variables: vec![0] }
    }
}

impl LiftTable {
    /// Adds the next value below of the current variable.
    pub(super) fn push_value(&mut self, crossings: Vec<Option<Crossing>>) {
        self.values.push(self.crossings.len() as u32);
        self.crossings.extend(crossings);
    }

    /// Ends the current variable.
    pub(super) fn end_variable(&mut self) {
        self.values.push(self.crossings.len() as u32);
        self.variables.push(self.values.len() as u32);
    }

    /// The starts of the values below of a variable, and the end of the last.
    #[inline]
    fn starts(&self, variable: usize) -> &[u32] {
        &self.values[self.variables[variable] as usize..self.variables[variable + 1] as usize]
    }

    fn arity(&self, variable: usize) -> usize {
        let starts = self.starts(variable);
        (starts[starts.len() - 1] - starts[0]) as usize
    }
}

/// The spec of [`CoveringPaths`](super::CoveringPaths), made of the spec `S` of the paths below.
///
/// Each value of `S` is replaced by one value for each lift of its edges: a choice of one
/// [link](super::Link) for every edge, where the link of the last edge varies fastest. If `directed`,
/// variable 0 is the direction of the path. The spec never skips a variable, so its
/// solutions are the same under both rules.
#[derive(Clone, Debug)]
pub(super) struct Lifted<S> {
    below: S,
    table: LiftTable,
    accepted: [bool; 3],
    directed: bool,
}

impl<S: DdSpec> Lifted<S> {
    pub(super) fn new(below: S, table: LiftTable, accepted: [bool; 3], directed: bool) -> Self {
        Self { below, table, accepted, directed }
    }

    /// The step above of a step below, after `crossing`.
    #[inline]
    fn step(&self, step: Step<S::State>, crossing: Crossing) -> Step<LiftedState<S::State>> {
        match step {
            Step::One if !self.accepted[crossing as usize] => Step::Zero,
            Step::One => Step::One,
            Step::Zero => Step::Zero,
            Step::To(variable, below) => {
                Step::To(variable + usize::from(self.directed), LiftedState { below, crossing })
            }
        }
    }
}

impl<S: DdSpec> DdSpec for Lifted<S> {
    type State = LiftedState<S::State>;

    fn num_vars(&self) -> usize {
        self.below.num_vars() + usize::from(self.directed)
    }

    fn arity(&self, variable: usize) -> usize {
        match variable.checked_sub(usize::from(self.directed)) {
            None => 2,
            Some(variable) => self.table.arity(variable),
        }
    }

    fn root(&self) -> Step<Self::State> {
        match self.step(self.below.root(), Crossing::Even) {
            // The direction comes first; it needs no state of its own.
            Step::To(1, state) if self.directed => Step::To(0, state),
            step => step,
        }
    }

    #[inline]
    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        let Some(variable) = variable.checked_sub(usize::from(self.directed)) else {
            return Step::To(1, state.clone());
        };
        let starts = self.table.starts(variable);
        let way = starts[0] + value as u32;
        // The last value that starts there or before: values without a lift are skipped.
        let below = starts.partition_point(|&start| start <= way) - 1;
        let crossing = self.table.crossings[way as usize].and_then(|way| state.crossing.and(way));
        crossing.map_or(Step::Zero, |crossing| {
            self.step(self.below.child(&state.below, variable, below), crossing)
        })
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &Self::State,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Self::State>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(variable) = variable.checked_sub(usize::from(self.directed)) else {
            visit(0, Step::To(1, state.clone()))?;
            return visit(1, Step::To(1, state.clone()));
        };
        let starts = self.table.starts(variable);
        self.below.for_each_child(&state.below, variable, |value, step| {
            for way in starts[value]..starts[value + 1] {
                let crossing = self.table.crossings[way as usize];
                if let Some(crossing) = crossing.and_then(|way| state.crossing.and(way)) {
                    visit((way - starts[0]) as usize, self.step(step.clone(), crossing))?;
                }
            }
            ControlFlow::Continue(())
        })
    }

    fn describe(&self, state: &Self::State) -> String {
        format!("{}, crossed {:?}", self.below.describe(&state.below), state.crossing)
    }
}
