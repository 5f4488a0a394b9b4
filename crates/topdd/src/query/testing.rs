//! The common part of tests: diagrams drawn at random, with their solutions as a
//! list.

use crate::check::{RandomSpec, brute_force};
use crate::diagram::{Diagram, DiagramRule};
use crate::query::Semiring;
use crate::{BoxedSpec, DdSpec, Frontier, SpecExt, Step, Weights};

/// Calls a check under both rules.
macro_rules! both_rules {
    ($check:ident($($argument:expr),*)) => {
        $check::<crate::diagram::ZeroSuppressed>($($argument),*);
        $check::<crate::diagram::AnyValue>($($argument),*);
    };
}
pub(crate) use both_rules;

/// Returns a diagram over variables of mixed arities, and its solutions in lexicographic order.
pub(crate) fn drawn<R: DiagramRule>(seed: u64) -> (Diagram<R>, Vec<Vec<usize>>) {
    of_spec(&RandomSpec::new(seed))
}

/// Returns a diagram over these variables, and its solutions in lexicographic order.
pub(crate) fn drawn_over<R: DiagramRule>(
    arities: &[usize],
    seed: u64,
) -> (Diagram<R>, Vec<Vec<usize>>) {
    of_spec(&RandomSpec::over(arities.to_vec(), seed))
}

fn of_spec<R: DiagramRule>(spec: &RandomSpec) -> (Diagram<R>, Vec<Vec<usize>>) {
    let diagram = Frontier::over(spec).threads(1).diagram().unwrap();
    (diagram, brute_force(spec, R::RULE).unwrap())
}

/// Returns the diagram of the given solutions.
pub(crate) fn diagram_of<R: DiagramRule>(
    arities: &[usize],
    solutions: Vec<Vec<usize>>,
) -> Diagram<R> {
    Diagram::from_solutions(arities, solutions).unwrap()
}

/// The file and line, and the message, of the panic of `f`.
pub(crate) fn panic_of<T>(f: impl FnOnce() -> T) -> ((String, u32), String) {
    use std::cell::{Cell, RefCell};
    use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
    use std::sync::Once;
    thread_local! {
        static WAITS: Cell<bool> = const { Cell::new(false) };
        static AT: RefCell<Option<(String, u32)>> = const { RefCell::new(None) };
    }
    static HOOK: Once = Once::new();
    // One hook for the process: on a thread that expects a panic it stores the location.
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if WAITS.get() {
                AT.set(info.location().map(|at| (at.file().to_owned(), at.line())));
            } else {
                before(info);
            }
        }));
    });
    WAITS.set(true);
    let result = catch_unwind(AssertUnwindSafe(f));
    WAITS.set(false);
    let location = AT.take().expect("the panic has a location");
    let payload = result.err().expect("a panic");
    let message = payload.downcast_ref::<String>().cloned();
    let message = message.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()));
    (location, message.expect("a message"))
}

// Boxed, so that the engine is compiled once for all tests.

/// Returns all assignments to two-valued variables.
pub(crate) fn free(num_vars: usize) -> BoxedSpec<'static> {
    Free { num_vars }.boxed()
}

/// Returns the spec of exactly one 1: each level skips all that follow.
pub(crate) fn once(num_vars: usize) -> BoxedSpec<'static> {
    Once { num_vars }.boxed()
}

/// Returns the words of two times `half` letters that read the same from both ends: wide levels in the middle.
pub(crate) fn palindromes(half: usize) -> BoxedSpec<'static> {
    Palindromes { half }.boxed()
}

struct Free {
    num_vars: usize,
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

struct Once {
    num_vars: usize,
}

impl DdSpec for Once {
    type State = ();

    fn num_vars(&self) -> usize {
        self.num_vars
    }

    fn root(&self) -> Step<()> {
        Step::To(0, ())
    }

    fn child(&self, (): &(), variable: usize, value: usize) -> Step<()> {
        match value {
            1 => Step::One,
            _ if variable + 1 == self.num_vars => Step::Zero,
            _ => Step::To(variable + 1, ()),
        }
    }
}

struct Palindromes {
    half: usize,
}

impl DdSpec for Palindromes {
    type State = u32;

    fn num_vars(&self) -> usize {
        2 * self.half
    }

    fn root(&self) -> Step<u32> {
        Step::To(0, 0)
    }

    fn child(&self, &word: &u32, variable: usize, value: usize) -> Step<u32> {
        if variable < self.half {
            Step::To(variable + 1, word << 1 | value as u32)
        } else if word & 1 != value as u32 {
            Step::Zero
        } else if variable + 1 == 2 * self.half {
            Step::One
        } else {
            Step::To(variable + 1, word >> 1)
        }
    }
}

/// Numbers of a fixed sequence, for weights and choices in tests.
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    /// A weight between -3 and 3, so that many are equal.
    pub(crate) fn weight(&mut self) -> i64 {
        [-3, -2, -1, 0, 1, 2, 3][self.below(7)]
    }
}

/// Numbers modulo a prime, which show every missing or extra product and sum.
pub(crate) struct Modulo(pub(crate) Weights<u64>);

const PRIME: u64 = (1 << 31) - 1;

impl Semiring for Modulo {
    type Value = u64;

    fn zero(&self) -> u64 {
        0
    }

    fn one(&self) -> u64 {
        1
    }

    fn add(&self, a: &u64, b: &u64) -> u64 {
        (a + b) % PRIME
    }

    fn multiply(&self, a: &u64, b: &u64) -> u64 {
        a * b % PRIME
    }

    fn weight(&self, variable: usize, value: usize) -> u64 {
        self.0.variable(variable)[value]
    }
}
