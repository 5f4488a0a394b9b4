//! The spec: that of the graph below, with a value for each lift.

use std::ops::ControlFlow;
use topdd::{DdSpec, Portable, Step};

/// How a walk below has crossed so far, or how an edge does; see [`Lifts`](super::Lifts).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Crossing {
    /// An even number of times.
    Even,
    /// An odd number of times.
    Odd,
    /// By two hinges, or what else a reflection keeps: how often otherwise does not matter.
    Hinged,
}

impl Crossing {
    /// One after the other. No walk has more than two hinges.
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

/// The state of [`Lifted`]: that of the walk below, and how it has crossed.
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

/// By variable below, the edges above of each value.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    /// How each value above crosses: all those of the first variable, then of the next. `None`
    /// for one that no walk can take.
    crossings: Vec<Option<Crossing>>,
    /// Where in `crossings` those of each value below start, and one more for each variable:
    /// where they end.
    values: Vec<u32>,
    /// Where in `values` each variable starts, and one more.
    variables: Vec<u32>,
}

impl Default for Ways {
    fn default() -> Self {
        Self { crossings: Vec::new(), values: Vec::new(), variables: vec![0] }
    }
}

impl Ways {
    /// The next value below of the variable at hand.
    pub(super) fn value(&mut self, crossings: Vec<Option<Crossing>>) {
        self.values.push(self.crossings.len() as u32);
        self.crossings.extend(crossings);
    }

    /// That was all of this variable.
    pub(super) fn variable(&mut self) {
        self.values.push(self.crossings.len() as u32);
        self.variables.push(self.values.len() as u32);
    }

    /// The starts of the values below, and their end.
    fn starts(&self, variable: usize) -> &[u32] {
        &self.values[self.variables[variable] as usize..self.variables[variable + 1] as usize]
    }

    fn arity(&self, variable: usize) -> usize {
        let starts = self.starts(variable);
        (starts[starts.len() - 1] - starts[0]) as usize
    }
}

/// The spec of [`Lifts`](super::Lifts), made of the spec `S` of the walks below.
///
/// Each value of `S` is split into one for each way to lift what it takes: for every edge,
/// the pairs of edges that lie over it, the last edge's varying first. A first variable says
/// the direction of the walk, if asked for. The spec never skips a variable, so it
/// means the same under both rules.
#[derive(Clone, Debug)]
pub(super) struct Lifted<S> {
    below: S,
    ways: Ways,
    accepted: [bool; 3],
    directed: bool,
}

impl<S: DdSpec> Lifted<S> {
    pub(super) fn new(below: S, ways: Ways, accepted: [bool; 3], directed: bool) -> Self {
        Self { below, ways, accepted, directed }
    }

    /// Where a step below leads above, having crossed so.
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
            Some(variable) => self.ways.arity(variable),
        }
    }

    fn root(&self) -> Step<Self::State> {
        match self.step(self.below.root(), Crossing::Even) {
            // The direction comes first; it needs no state of its own.
            Step::To(1, state) if self.directed => Step::To(0, state),
            step => step,
        }
    }

    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        let Some(variable) = variable.checked_sub(usize::from(self.directed)) else {
            return Step::To(1, state.clone());
        };
        let starts = self.ways.starts(variable);
        let way = starts[0] + value as u32;
        // The last that starts there or before: those without a way are passed over.
        let below = starts.partition_point(|&start| start <= way) - 1;
        let crossing = self.ways.crossings[way as usize].and_then(|way| state.crossing.and(way));
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
        let starts = self.ways.starts(variable);
        self.below.for_each_child(&state.below, variable, |value, step| {
            for way in starts[value]..starts[value + 1] {
                let crossing = self.ways.crossings[way as usize];
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
