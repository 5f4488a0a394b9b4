//! A panic of a spec, of a semiring or of a callback is an error, wherever it occurs.

use std::hash::{Hash, Hasher};
use topdd::spec::JoinSpec;
use topdd::{
    BuildError, DdSpec, Frontier, Portable, QueryError, Rule, Search, Semiring, Step, Weights,
};

/// The method that panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Site {
    NumVars,
    Arity,
    Validate,
    Root,
    Child,
    ForEachChild,
    Forced,
    Eq,
    Hash,
    Write,
}

/// A state that may panic in a comparison, a hash or an encoding.
#[derive(Clone, Debug)]
struct Fragile(u32, Site);

impl PartialEq for Fragile {
    fn eq(&self, other: &Self) -> bool {
        assert!(self.1 != Site::Eq, "in Eq");
        self.0 == other.0
    }
}

impl Eq for Fragile {}

impl Hash for Fragile {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        assert!(self.1 != Site::Hash, "in Hash");
        self.0.hash(hasher);
    }
}

impl Portable for Fragile {
    fn write(&self, out: &mut Vec<u8>) {
        assert!(self.1 != Site::Write, "in Write");
        self.0.write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some(Fragile(u32::read(bytes)?, Site::Write))
    }
}

/// Sequences with states that merge, and a method that panics.
struct Fails(Site);

impl Fails {
    fn at(&self, site: Site) {
        assert!(self.0 != site, "in {site:?}");
    }
}

impl DdSpec for Fails {
    type State = Fragile;

    fn num_vars(&self) -> usize {
        self.at(Site::NumVars);
        5
    }

    fn arity(&self, _: usize) -> usize {
        self.at(Site::Arity);
        3
    }

    fn validate(&self) -> Result<(), String> {
        self.at(Site::Validate);
        Ok(())
    }

    fn root(&self) -> Step<Fragile> {
        self.at(Site::Root);
        Step::To(0, Fragile(0, self.0))
    }

    fn child(&self, state: &Fragile, variable: usize, value: usize) -> Step<Fragile> {
        self.at(Site::Child);
        let next = (state.0 + value as u32) % 2;
        if variable < 4 { Step::To(variable + 1, Fragile(next, self.0)) } else { Step::One }
    }

    fn forced(&self, _: &Fragile, _: usize) -> topdd::Forced<Fragile> {
        self.at(Site::Forced);
        topdd::Forced::Free
    }

    fn for_each_child<B>(
        &self,
        state: &Fragile,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Fragile>) -> std::ops::ControlFlow<B>,
    ) -> std::ops::ControlFlow<B> {
        self.at(Site::ForEachChild);
        (0..3).try_for_each(|value| visit(value, self.child(state, variable, value)))
    }
}

/// Sequences that merge, and whose joined parts panic.
struct FailsToJoin;

impl JoinSpec for FailsToJoin {
    type State = u32;
    type Joined = u8;

    fn num_vars(&self) -> usize {
        5
    }

    fn root(&self) -> Step<(u32, u8)> {
        Step::To(0, (0, 0))
    }

    fn child(&self, _: &u32, _: &u8, variable: usize, _: usize) -> Step<(u32, u8)> {
        if variable < 4 { Step::To(variable + 1, (0, 0)) } else { Step::One }
    }

    fn join(_: &u8, _: &u8) -> u8 {
        panic!("in Join")
    }
}

/// The message of the panic of an error.
fn message(error: BuildError) -> String {
    match error {
        BuildError::Panicked { message } | BuildError::SpecPanicked { message, .. } => message,
        error => panic!("{error}"),
    }
}

#[test]
fn a_panic_of_any_method_of_a_spec_is_an_error() {
    use Site::{Arity, Child, Eq, ForEachChild, Forced, Hash, NumVars, Root, Validate, Write};
    let weights = Weights::from(vec![vec![0, 1, 2]; 5]);
    for site in [NumVars, Arity, Validate, Root, Child, ForEachChild, Forced, Eq, Hash] {
        let expected = format!("in {site:?}");
        let spec = Fails(site);
        for threads in [1, 2] {
            let mut frontier = Frontier::over(&spec).threads(threads);
            assert_eq!(message(frontier.count().unwrap_err()), expected);
            assert_eq!(message(frontier.zdd().unwrap_err()), expected);
            assert_eq!(message(frontier.profile().map(drop).unwrap_err()), expected);
            let QueryError::Build(error) = frontier.count_by(&weights).unwrap_err() else {
                panic!("{site:?}")
            };
            assert_eq!(message(error), expected);
        }
        // A search does not compare states before one is dead, and follows no forced states.
        if !matches!(site, Eq | Hash | Forced) {
            assert_eq!(message(Search::over(&spec).first().unwrap_err()), expected);
        }
    }
    let (dir, spec) = (tempfile::tempdir().unwrap(), Fails(Write));
    let mut frontier = Frontier::over(&spec).checkpoint(dir.path(), "key");
    assert_eq!(message(frontier.count().unwrap_err()), "in Write");
    assert_eq!(message(Frontier::joining(FailsToJoin).zdd().unwrap_err()), "in Join");
}

#[test]
fn a_search_that_panicked_is_over() {
    let spec = Fails(Site::Child);
    let mut search = Search::over(&spec).rule(Rule::AnyValue);
    let mut found = search.iter();
    assert_eq!(message(found.next().unwrap().unwrap_err()), "in Child");
    assert!(found.next().is_none());
}

#[test]
fn panics_of_semirings_and_callbacks_are_errors() {
    /// Whether a sum panics, or a product.
    struct Bad(bool);
    impl Semiring for Bad {
        type Value = u64;
        fn zero(&self) -> u64 {
            0
        }
        fn one(&self) -> u64 {
            1
        }
        fn add(&self, a: &u64, b: &u64) -> u64 {
            assert!(!self.0, "in add");
            a | b
        }
        fn multiply(&self, a: &u64, b: &u64) -> u64 {
            assert!(self.0, "in multiply");
            a & b
        }
        fn weight(&self, _: usize, _: usize) -> u64 {
            1
        }
    }
    let words = topdd::constraint::at_most(6, 3);
    let mut frontier = Frontier::over(&words);
    assert_eq!(message(frontier.sum_product(&Bad(true)).unwrap_err()), "in add");
    assert_eq!(message(frontier.sum_product(&Bad(false)).unwrap_err()), "in multiply");
    let mut frontier = Frontier::over(&words).on_level(|_| panic!("in on_level"));
    assert_eq!(message(frontier.count().unwrap_err()), "in on_level");
}
