//! What the tests of this room share: diagrams drawn at random, with their solutions as a
//! list.

use crate::check::{RandomSpec, brute_force};
use crate::diagram::{Diagram, DiagramRule};
use crate::{DdSpec, Frontier, Step};

/// Calls a check under both rules.
macro_rules! both_rules {
    ($check:ident($($argument:expr),*)) => {
        $check::<crate::diagram::ZeroSuppressed>($($argument),*);
        $check::<crate::diagram::AnyValue>($($argument),*);
    };
}
pub(super) use both_rules;

/// A diagram over variables of mixed arities, and its solutions in lexicographic order.
pub(super) fn drawn<R: DiagramRule>(seed: u64) -> (Diagram<R>, Vec<Vec<usize>>) {
    of_spec(&RandomSpec::new(seed))
}

/// A diagram over these variables, and its solutions in lexicographic order.
pub(super) fn drawn_over<R: DiagramRule>(
    arities: &[usize],
    seed: u64,
) -> (Diagram<R>, Vec<Vec<usize>>) {
    of_spec(&RandomSpec::over(arities.to_vec(), seed))
}

fn of_spec<R: DiagramRule>(spec: &RandomSpec) -> (Diagram<R>, Vec<Vec<usize>>) {
    let diagram = Frontier::over(spec).threads(1).diagram().unwrap();
    (diagram, brute_force(spec, R::RULE).unwrap())
}

/// A diagram that has just these solutions.
pub(super) fn diagram_of<R: DiagramRule>(
    arities: &[usize],
    solutions: Vec<Vec<usize>>,
) -> Diagram<R> {
    Frontier::over(&Table { arities: arities.to_vec(), solutions }).threads(1).diagram().unwrap()
}

/// A list of solutions in lexicographic order as a spec; a state is a range of them.
struct Table {
    arities: Vec<usize>,
    solutions: Vec<Vec<usize>>,
}

impl Table {
    fn step(&self, next: usize, from: usize, to: usize) -> Step<(usize, usize)> {
        if from == to {
            Step::Zero
        } else if next == self.arities.len() {
            Step::One
        } else {
            Step::To(next, (from, to))
        }
    }
}

impl DdSpec for Table {
    type State = (usize, usize);

    fn num_vars(&self) -> usize {
        self.arities.len()
    }

    fn arity(&self, variable: usize) -> usize {
        self.arities[variable]
    }

    fn root(&self) -> Step<(usize, usize)> {
        self.step(0, 0, self.solutions.len())
    }

    fn child(
        &self,
        &(from, to): &(usize, usize),
        variable: usize,
        value: usize,
    ) -> Step<(usize, usize)> {
        let range = &self.solutions[from..to];
        let start = from + range.partition_point(|solution| solution[variable] < value);
        let end = from + range.partition_point(|solution| solution[variable] <= value);
        self.step(variable + 1, start, end)
    }
}

/// All assignments to two-valued variables.
pub(super) struct Free {
    pub(super) num_vars: usize,
}

impl DdSpec for Free {
    type State = ();

    fn num_vars(&self) -> usize {
        self.num_vars
    }

    fn root(&self) -> Step<()> {
        Step::To(0, ())
    }

    fn child(&self, (): &(), variable: usize, _: usize) -> Step<()> {
        if variable + 1 == self.num_vars { Step::One } else { Step::To(variable + 1, ()) }
    }
}

/// Numbers of a fixed sequence, for weights and choices in tests.
pub(super) struct Draw(pub(super) u64);

impl Draw {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    /// A weight between -3 and 3, so that many are equal.
    pub(super) fn weight(&mut self) -> i64 {
        [-3, -2, -1, 0, 1, 2, 3][self.below(7)]
    }
}
