//! Combinations of specs: `and` of two specs, subsetting a diagram by a spec, and brute force give
//! equal diagrams.

use proptest::prelude::*;
use topdd::check::{RandomSpec, brute_force};
use topdd::diagram::{AnyValue, DiagramRule, ZeroSuppressed};
use topdd::{DdSpec, Diagram, Frontier, Portable, SpecExt, Step, Zdd};
use topdd_chess::queens::BoardEncoding;
use topdd_chess::{Queens, Square};
use topdd_graph::Graph;
use topdd_graph::families::{Order, cycles, hamiltonian_cycles};

// Boxed, so that the engine is compiled once for all combinations.
fn build<R: DiagramRule>(spec: impl DdSpec<State: Portable> + Send) -> Diagram<R> {
    Frontier::of(spec.boxed()).diagram().unwrap()
}

/// Compares all ways to compute the common solutions of two specs.
fn all_ways_agree<R: DiagramRule>(a: &RandomSpec, b: &RandomSpec) -> Result<(), TestCaseError> {
    let both = build::<R>(&a.and(b));
    prop_assert_eq!(&build::<R>(&b.and(a)), &both);

    // Subsetting: one diagram by the other spec, in either order, and diagram by diagram.
    let (of_a, of_b) = (build::<R>(a), build::<R>(b));
    prop_assert_eq!(&build::<R>(&(&of_a).and(b)), &both);
    prop_assert_eq!(&build::<R>(&a.and(&of_b)), &both);
    prop_assert_eq!(&build::<R>(&(&of_b).and(&of_a)), &both);

    // Brute force: the solutions of each by trying all assignments, and their intersection.
    let of_b = brute_force(b, R::RULE).unwrap();
    let mut shared = brute_force(a, R::RULE).unwrap();
    shared.retain(|solution| of_b.binary_search(solution).is_ok());
    prop_assert!(both.iter().eq(shared.iter().cloned()));
    prop_assert_eq!(&brute_force(&a.and(b), R::RULE).unwrap(), &shared);
    let listed = Diagram::<R>::from_solutions(a.arities(), &shared).unwrap();
    prop_assert_eq!(&listed, &both);

    // The other combinations of the same specs.
    let either = build::<R>(&a.or(b));
    prop_assert_eq!(&build::<R>(&a.xor(b)), &build::<R>(&(&either).and_not(&both)));
    prop_assert_eq!(&build::<R>(&a.and_not(b)), &build::<R>(&(&of_a).and_not(&both)));
    prop_assert_eq!(&build::<R>(&either.and(b.not())), &build::<R>(&a.and(b.not())));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 250,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn and_subset_and_brute_force_agree(
        arities in prop::collection::vec(1..=4_usize, 0..=6),
        seeds in any::<(u64, u64)>(),
    ) {
        let a = RandomSpec::over(arities.clone(), seeds.0);
        let b = RandomSpec::over(arities, seeds.1);
        all_ways_agree::<ZeroSuppressed>(&a, &b)?;
        all_ways_agree::<AnyValue>(&a, &b)?;
    }

    /// Combinations of diagrams under different rules: each diagram keeps its family.
    #[test]
    fn diagrams_of_one_rule_subset_those_of_the_other(
        arities in prop::collection::vec(1..=4_usize, 0..=6),
        seeds in any::<(u64, u64)>(),
    ) {
        let a = RandomSpec::over(arities.clone(), seeds.0);
        let b = RandomSpec::over(arities, seeds.1);
        let (zdd, bdd) = (build::<ZeroSuppressed>(&a), build::<AnyValue>(&b));
        let in_b = |solution: &Vec<usize>| bdd.contains(solution).unwrap();
        let shared: Vec<_> = zdd.iter().filter(in_b).collect();
        let as_zdd = build::<ZeroSuppressed>(&(&zdd).and(&bdd));
        let as_bdd = build::<AnyValue>(&(&zdd).and(&bdd));
        prop_assert!(as_zdd.iter().eq(shared.iter().cloned()));
        prop_assert!(as_bdd.iter().eq(shared));
        prop_assert_eq!(as_zdd.to_bdd().unwrap(), as_bdd);
    }
}

/// The placements of one queen per row with no queen on the given squares.
struct Free {
    n: usize,
    forbidden: Vec<Square>,
}

impl DdSpec for Free {
    type State = ();
    fn num_vars(&self) -> usize {
        self.n
    }
    fn arity(&self, _row: usize) -> usize {
        self.n
    }
    fn root(&self) -> Step<()> {
        Step::To(0, ())
    }
    fn child(&self, (): &(), row: usize, col: usize) -> Step<()> {
        if self.forbidden.contains(&Square::new(row, col)) {
            Step::Zero
        } else if row + 1 == self.n {
            Step::One
        } else {
            Step::To(row + 1, ())
        }
    }
}

#[test]
fn forbidding_squares_of_a_board_is_subsetting_all_placements() {
    let n = 8;
    let all = Queens::new(n).zdd(BoardEncoding::Row).unwrap();
    let whole_row = (0..n).map(|col| Square::new(5, col)).collect();
    let diagonal = (0..n).map(|at| Square::new(at, at)).collect();
    let scattered = ["a1", "d2", "h4", "c7"].map(|name| name.parse().unwrap()).to_vec();
    for forbidden in [vec![], whole_row, diagonal, scattered] {
        let asked = Queens::new(n).forbid(forbidden.clone());
        let free = Free { n, forbidden };
        let subset: Zdd = build(&(&all).and(&free));
        assert_eq!(subset, asked.zdd(BoardEncoding::Row).unwrap());
        // The forward check removes states early; the diagram is the same.
        assert_eq!(subset, asked.clone().forward_check(false).zdd(BoardEncoding::Row).unwrap());
        assert_eq!(subset, build(&Queens::new(n).spec(BoardEncoding::Row).unwrap().and(free)));
        let squares = |values: &Vec<usize>| BoardEncoding::Row.squares(asked.board(), values);
        let filtered = all.iter().filter(|values| asked.is_solution(&squares(values)));
        assert!(filtered.eq(subset.iter()));
    }
}

/// The assignments with exactly `k` ones.
struct Exactly {
    vars: usize,
    ones: usize,
}

impl DdSpec for Exactly {
    type State = usize;
    fn num_vars(&self) -> usize {
        self.vars
    }
    fn root(&self) -> Step<usize> {
        Step::To(0, 0)
    }
    fn child(&self, &ones: &usize, variable: usize, value: usize) -> Step<usize> {
        let ones = ones + value;
        if ones > self.ones || ones + (self.vars - variable - 1) < self.ones {
            Step::Zero
        } else if variable + 1 == self.vars {
            Step::One
        } else {
            Step::To(variable + 1, ones)
        }
    }
}

/// The cycles through every vertex are those that have as many edges as there are vertices.
#[test]
fn hamiltonian_cycles_are_the_cycles_of_full_length() {
    let grid = Graph::grid(6, 6);
    let exactly = Exactly { vars: grid.edges().len(), ones: grid.num_vertices() };
    let cycles = cycles(&grid).order(Order::Given).spec().unwrap();
    let hamiltonian = hamiltonian_cycles(&grid).order(Order::Given);
    let by_edge = hamiltonian.frontier().unwrap().zdd().unwrap();
    assert_eq!(build::<ZeroSuppressed>(&(&cycles).and(&exactly)), by_edge);
    assert_eq!(build::<ZeroSuppressed>(&build::<ZeroSuppressed>(&cycles).and(&exactly)), by_edge);
    assert_eq!(by_edge.count(), 1072u32.into());
    let by_vertex = hamiltonian.by_vertex().unwrap().frontier().unwrap().zdd().unwrap();
    assert_eq!(by_vertex.count(), by_edge.count());
}
