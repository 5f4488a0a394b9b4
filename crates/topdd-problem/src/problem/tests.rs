use std::cell::RefCell;

use topdd::constraint;
use topdd_graph::Graph;
use topdd_graph::families::{EdgeSets, at_most};

use super::*;
use crate::board::{Placing, QueensEncoding, ToursEncoding};
use crate::condition::SumBounds;
use crate::condition::{On, Unlimited};
use crate::decimal::Scale;
use crate::family::Family;

fn sets(family: &Family, graph: &Graph) -> Arc<Problem> {
    Arc::new(Problem::Sets(family.sets(graph).unwrap()))
}

fn combined(operation: SetOperation, left: &Arc<Problem>, right: &Arc<Problem>) -> Arc<Problem> {
    Problem::combined(operation, left, right).unwrap()
}

fn count(problem: &Problem) -> u32 {
    let counted = problem.count(&Unlimited).unwrap();
    assert_eq!(problem.build(&Unlimited).unwrap().0.count(), counted);
    counted.try_into().unwrap()
}

fn queens(rows: usize, toroidal: bool) -> QueensProblem {
    let (given, forbidden) = (Vec::new(), Vec::new());
    let on =
        Placing { rows, cols: rows, given, forbidden, toroidal, maximal: false, symmetric: None };
    let (number, encoding) = (Some(rows), QueensEncoding::Cell);
    QueensProblem { on, superqueens: false, number, encoding }
}

#[test]
fn combinations_are_those_of_the_sets() {
    let grid = Graph::grid(2, 3);
    let [forests, matchings, all] =
        [Family::Forests, Family::Matchings, Family::EdgeSets].map(|family| sets(&family, &grid));
    let (a, b) = (count(&forests), count(&matchings));
    for (operation, number) in [
        (SetOperation::And, b),
        (SetOperation::Or, a),
        (SetOperation::Difference, a - b),
        (SetOperation::Xor, a - b),
    ] {
        assert_eq!(count(&combined(operation, &forests, &matchings)), number, "{operation:?}");
    }
    let others = combined(SetOperation::Xor, &forests, &all);
    assert_eq!(count(&others), 128 - a);
    let cycles = sets(&Family::Cycles { hamiltonian: false }, &grid);
    let chain = combined(SetOperation::Or, &combined(SetOperation::Or, &others, &cycles), &others);
    let Problem::Combined(Combination { operands, depth, parts, .. }) = &*chain else { panic!() };
    assert_eq!((operands.len(), *depth, *parts), (2, 2, 3));
    assert_eq!(count(&chain), 128 - a);
    let less = combined(SetOperation::Difference, &all, &forests);
    assert_eq!(count(&combined(SetOperation::Difference, &less, &cycles)), 128 - a - 3);
}

#[test]
fn a_condition_restricts_a_combination_as_it_restricts_its_diagram() {
    let grid = Graph::grid(2, 3);
    let both = combined(
        SetOperation::Xor,
        &sets(&Family::Forests, &grid),
        &sets(&Family::Cycles { hamiltonian: false }, &grid),
    );
    let (zdd, order, _) = both.build(&Unlimited).unwrap();
    let on = On { graph: Some(&grid), unit: Unit::Edge, order: &order };
    let weights = SumBounds {
        weights: vec![3; 7],
        least: Some(7),
        most: Some(12),
        scale: crate::decimal::Scale::default(),
    };
    for condition in [
        Condition::Size { least: Some(4), most: None },
        Condition::Elements { elements: vec![(2, 1)], taken: false },
        Condition::Vertices { vertices: vec![1, 4], taken: true },
        Condition::Cost(weights),
    ] {
        let all = || Ok::<_, ProblemError>(Problem::Sets(EdgeSets::all(&grid).into_any()));
        let before = both.with(&condition, all).unwrap();
        let after = condition.after(&zdd, on, &Unlimited).unwrap();
        assert_eq!(before.count(&Unlimited).unwrap(), after.count(), "{condition:?}");
        assert_eq!(before.count_by_size(&Unlimited).unwrap(), after.count_by_size());
    }
    let wrong = Condition::Elements { elements: vec![(99, 1)], taken: true };
    let refused = both.with(&wrong, || Ok(Problem::Sets(EdgeSets::all(&grid).into_any())));
    assert!(matches!(
        refused,
        Err(ProblemError::Family(topdd_graph::families::FamilyError::EdgeOutOfRange { .. }))
    ));
}

#[test]
fn boards_are_counted_as_they_are_built() {
    assert_eq!(count(&Problem::Queens(queens(6, false))), 4);
    assert_eq!(count(&Problem::Queens(queens(5, true))), 10);
    let tours = ToursProblem {
        rows: 5,
        cols: 6,
        piece: topdd_chess::Leaper::knight(),
        missing: Vec::new(),
        open: false,
        from: None,
        to: None,
        directed: false,
        symmetric: None,
        encoding: ToursEncoding::Edge,
    };
    let tours = Problem::tours(tours).unwrap();
    assert_eq!(count(&tours), 8);
    assert!(matches!(tours.ordered(&Order::Given), Err(ProblemError::FixedOrder)));
    let limit = PilotLimit::default();
    assert!(matches!(tours.predict(limit), Err(ProblemError::NoPrediction)));
}

#[test]
fn what_is_too_large_for_one_sweep_is_refused() {
    let path = Graph::path(3);
    let (mut deep, forests) = (sets(&Family::Matchings, &path), sets(&Family::Forests, &path));
    let refused = (0..=MAX_DEPTH).find_map(|at| {
        let operation = if at % 2 == 0 { SetOperation::Xor } else { SetOperation::Difference };
        match Problem::combined(operation, &forests, &deep) {
            Ok(deeper) => deep = deeper,
            Err(error) => return Some((at, error)),
        }
        None
    });
    let Some((MAX_DEPTH, ProblemError::TooManyParts { .. })) = refused else {
        panic!("{refused:?}")
    };
}

/// Runs that write checkpoints, and the digests of their problems.
struct Checkpoints(RefCell<Vec<u64>>);

impl Run for Checkpoints {
    fn has_checkpoint(&self) -> bool {
        true
    }

    fn checkpoint<'a>(&self, frontier: Frontier<'a>, digest: &dyn Fn() -> u64) -> Frontier<'a> {
        self.0.borrow_mut().push(digest());
        frontier
    }
}

#[test]
fn the_digest_of_a_checkpoint_tells_problems_apart() {
    let (grid, ring) = (Graph::grid(2, 2), Graph::cycle(4));
    let run = Checkpoints(RefCell::default());
    let given = |problem: Arc<Problem>| problem.ordered(&Order::Given).unwrap();
    let forests = given(sets(&Family::Forests, &grid));
    for problem in [
        &forests,
        &given(sets(&Family::Forests, &ring)),
        &given(sets(&Family::Matchings, &grid)),
        &forests.ordered(&Order::Custom(vec![3, 2, 1, 0])).unwrap(),
        &forests,
    ] {
        problem.count(&run).unwrap();
    }
    let mut digests = run.0.borrow().clone();
    assert_eq!(digests.first(), digests.last());
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 4);
    // By default, a run with a checkpoint counts short paths by a sweep, which writes the checkpoint.
    let paths = Family::Paths { from: Some(0), to: Some(3), hamiltonian: false };
    let short = paths.sets(&grid).unwrap().and(at_most(2));
    assert!(short.bounded_paths().is_some());
    assert_eq!(Problem::Sets(short).count(&run).unwrap(), 2u32.into());
    assert_eq!(run.0.into_inner().len(), 6);
}

#[test]
fn rules_are_counted_and_combined_as_their_assignments() {
    let space = [3, 2, 3];
    let all = Problem::Rules(Rules::all(space));
    let rule = |spec| Arc::new(Problem::Rules(Rules::all(space).with(spec, Some(1)).unwrap()));
    let different = rule(constraint::all_different(space));
    let apart = rule(constraint::all_different(space).on([0, 1]));
    let (none, both) = (count(&all), combined(SetOperation::And, &different, &apart));
    assert!(matches!(&*both, Problem::Rules(rules) if rules.len() == 2));
    assert_eq!((none, count(&different), count(&apart), count(&both)), (18, 4, 12, 4));
    assert_eq!(count(&combined(SetOperation::Xor, &Arc::new(all.clone()), &apart)), 6);
    let with = |problem: &Arc<Problem>, condition: &Condition| {
        count(&problem.with(condition, || Ok::<_, ProblemError>(all.clone())).unwrap())
    };
    let elements = vec![(0, 2), (1, 1)];
    let taken = Condition::Elements { elements: elements.clone(), taken: true };
    let left = Condition::Elements { elements, taken: false };
    let weights = vec![0, 1, 5, 0, 1, 0, 1, 5];
    let cost = SumBounds { weights, least: Some(2), most: Some(6), scale: Scale::default() };
    let either = combined(SetOperation::Or, &different, &apart);
    for (condition, of_apart) in [(taken, 3), (left, 3), (Condition::Cost(cost), 7)] {
        assert_eq!(with(&apart, &condition), of_apart, "{condition:?}");
        assert_eq!(with(&either, &condition), of_apart, "{condition:?}");
        let (zdd, order, _) = apart.build(&Unlimited).unwrap();
        let on = On { graph: None, unit: Unit::Colour, order: &order };
        assert_eq!(condition.after(&zdd, on, &Unlimited).unwrap().count(), of_apart.into());
    }
    let refused = apart.with(&Condition::Maximal, || Ok(all.clone()));
    assert!(matches!(refused, Err(ProblemError::NoRule)));
    assert!(matches!(apart.ordered(&Order::Given), Err(ProblemError::FixedOrder)));
}

#[test]
fn rules_without_digests_keep_no_checkpoint() {
    let rules = |digest| {
        let rules = Rules::all(3).with(constraint::at_most(3, 1), digest).unwrap();
        Problem::Rules(rules)
    };
    let run = Checkpoints(RefCell::default());
    for digest in [1, 2, 1] {
        rules(Some(digest)).count(&run).unwrap();
    }
    let digests = run.0.take();
    assert!(digests[0] == digests[2] && digests[0] != digests[1]);
    assert!(matches!(rules(None).count(&run), Err(ProblemError::NoCheckpoint)));
    let refused = Rules::all(3).with(constraint::at_most(3, 1).on([7]), None);
    assert!(matches!(refused, Err(ProblemError::Rule(message)) if message.contains("variable 7")));
}

#[test]
fn rules_over_other_variables_are_refused() {
    let refused = |result: Result<Rules, ProblemError>, part: &str| {
        let error = result.map(drop).unwrap_err();
        assert!(matches!(&error, ProblemError::Rule(reason) if reason.contains(part)), "{error}");
    };
    let all = Rules::all(3);
    refused(all.clone().with(constraint::at_most(4, 1), None), "other variables");
    refused(all.clone().with(constraint::all_different([3; 3]), None), "other variables");
    let clauses = || vec![vec![(0, true), (2, false)]];
    for shown in [vec![1, 0], vec![1, 1], vec![3]] {
        refused(Rules::of_clauses(3, clauses(), Some(shown)), "ascending");
    }
    assert!(Rules::of_clauses(3, clauses(), Some(vec![0, 2])).is_ok());
    for elements in [vec![(3, 1)], vec![(0, 2)]] {
        refused(
            all.clone().under(&Condition::Elements { elements, taken: true }),
            "other variables",
        );
    }
    let cost =
        SumBounds { weights: vec![0, 1], least: None, most: Some(1), scale: Scale::default() };
    refused(all.clone().under(&Condition::Cost(cost)), "other variables");
    let [two, three] = [Rules::all(2), all].map(|rules| Arc::new(Problem::Rules(rules)));
    let both = Problem::combined(SetOperation::And, &two, &three);
    assert!(matches!(both, Err(ProblemError::Rule(_))));
}
