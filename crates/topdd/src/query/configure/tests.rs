use super::*;
use crate::query::testing::{Draw, both_rules, drawn, free, panic_of};
use crate::{DdSpec, Rule, SpecExt, Step};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;

proptest! {
    #[test]
    fn agrees_with_the_list_of_solutions(seed: u64) {
        both_rules!(check(seed));
    }
}

/// Takes decisions and takes them back at random, and compares the results of all methods with a
/// list of solutions.
fn check<R: DiagramRule>(seed: u64) {
    let (diagram, solutions) = drawn::<R>(seed);
    if solutions.is_empty() {
        assert_eq!(diagram.configure().unwrap_err(), QueryError::NoSolutions);
        return;
    }
    let mut configurator = diagram.configure().unwrap();
    let mut draw = Draw(seed);
    let mut rng = StdRng::seed_from_u64(seed);
    // The decisions after each change that is not undone, and the current position.
    let mut history = vec![Vec::new()];
    let mut at = 0;
    for _ in 0..12 {
        let variable = (diagram.num_vars() > 0).then(|| draw.below(diagram.num_vars()));
        let mut after = history[at].clone();
        match (draw.below(9), variable) {
            (0, _) => {
                assert_eq!(configurator.undo(), at > 0);
                at = at.saturating_sub(1);
                after.clone_from(&history[at]);
            }
            (1, _) => {
                assert_eq!(configurator.redo(), at + 1 < history.len());
                at = (at + 1).min(history.len() - 1);
                after.clone_from(&history[at]);
            }
            (2, _) if !after.is_empty() => {
                let decision = after.remove(draw.below(after.len()));
                configurator.take_back(decision).unwrap();
            }
            (3, _) if draw.below(3) == 0 => {
                configurator.reset();
                after.clear();
            }
            (8, Some(variable)) => {
                let decision = Decision::is(variable, draw.below(diagram.arity(variable)));
                decide_anyway(&mut configurator, &solutions, &mut after, decision);
            }
            (6, Some(_)) => after = decide_some(&mut configurator, &solutions, after, &mut draw),
            (kind, Some(variable)) => {
                let value = draw.below(diagram.arity(variable));
                let decision = match kind {
                    4 | 5 => Decision::is_not(variable, value),
                    _ => Decision::is(variable, value),
                };
                match configurator.decide(decision) {
                    Ok(()) if after.contains(&decision) => {}
                    Ok(()) => after.push(decision),
                    Err(QueryError::Impossible(conflict)) => {
                        assert_eq!(conflict.decision, decision);
                        check_conflict(&solutions, &after, &conflict);
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            _ => {}
        }
        if after != history[at] {
            history.truncate(at + 1);
            history.push(after);
            at += 1;
        }
        assert_eq!(
            (configurator.can_undo(), configurator.can_redo()),
            (at > 0, at + 1 < history.len())
        );
        check_state(&configurator, &solutions, &history[at], &mut rng);
    }
}

/// Takes a decision anyway, and checks that the fewest decisions are taken back.
fn decide_anyway<R: DiagramRule>(
    configurator: &mut Configurator<R>,
    solutions: &[Vec<usize>],
    decisions: &mut Vec<Decision>,
    decision: Decision,
) {
    let agree = solutions.iter().filter(|solution| decision.allows(solution[decision.variable()]));
    let violated = |solution: &Vec<usize>| {
        decisions.iter().filter(|other| !other.allows(solution[other.variable()])).count()
    };
    let Some(fewest) = agree.map(violated).min() else {
        let Err(QueryError::Impossible(conflict)) = configurator.decide_anyway(decision) else {
            panic!("no solution agrees with {decision}");
        };
        assert!(conflict.because.is_empty());
        return;
    };
    let opposing = configurator.opposing(decision).unwrap();
    assert_eq!(configurator.decide_anyway(decision).unwrap(), opposing);
    assert_eq!(opposing.len(), fewest);
    decisions.retain(|other| !opposing.contains(other));
    if !decisions.contains(&decision) {
        decisions.push(decision);
    }
}

/// Takes some decisions at random as one change, and returns the decisions in force.
fn decide_some<R: DiagramRule>(
    configurator: &mut Configurator<R>,
    solutions: &[Vec<usize>],
    before: Vec<Decision>,
    draw: &mut Draw,
) -> Vec<Decision> {
    let mut some = || {
        let variable = draw.below(configurator.num_vars());
        let value = draw.below(configurator.arity(variable));
        [Decision::is, Decision::is_not][draw.below(2)](variable, value)
    };
    let decisions = [some(), some(), some()];
    let mut all = before.clone();
    let impossible = decisions.iter().find(|decision| {
        if !all.contains(decision) {
            all.push(**decision);
        }
        agree(solutions, &all).is_empty()
    });
    match (configurator.decide_all(&decisions), impossible) {
        (Ok(()), None) => all,
        (Err(QueryError::Impossible(conflict)), Some(decision)) => {
            assert_eq!((conflict.decision, all.pop()), (*decision, Some(*decision)));
            check_conflict(solutions, &all, &conflict);
            before
        }
        (done, impossible) => panic!("{done:?} {impossible:?}"),
    }
}

fn agree<'a>(solutions: &'a [Vec<usize>], decisions: &[Decision]) -> Vec<&'a Vec<usize>> {
    let agrees = |s: &&Vec<usize>| decisions.iter().all(|d| d.allows(s[d.variable()]));
    solutions.iter().filter(agrees).collect()
}

/// No smaller set of decisions rules the decision out; by trying them all.
fn check_conflict(solutions: &[Vec<usize>], decisions: &[Decision], conflict: &Conflict) {
    let rules_out = |set: &[Decision]| {
        let mut all = set.to_vec();
        all.push(conflict.decision);
        agree(solutions, &all).is_empty()
    };
    assert!(rules_out(&conflict.because));
    assert!(conflict.smallest);
    for set in 0..1u32 << decisions.len() {
        if (set.count_ones() as usize) < conflict.because.len() {
            let members = decisions.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
            assert!(!rules_out(&members.map(|(_, &decision)| decision).collect::<Vec<_>>()));
        }
    }
    let places = conflict.because.iter().map(|d| decisions.iter().position(|other| other == d));
    assert!(places.clone().all(|place| place.is_some()) && places.is_sorted());
}

/// The nodes and edges that solutions pass through are marked, by walks of all solutions.
fn check_part<R: DiagramRule>(configurator: &Configurator<R>, left: &[&Vec<usize>]) {
    let store = &configurator.diagram.store;
    let mut passed = HashSet::new();
    for solution in left {
        let mut node = store.root;
        for (variable, &value) in solution.iter().enumerate() {
            if store.variable_of(node) == variable {
                passed.insert((node, value));
            }
            node = store.follow(node, variable, value);
        }
    }
    let part = configurator.part_left();
    let mut widths = vec![0; configurator.num_vars()];
    for level in store.levels() {
        for position in 0..level.len() {
            let id = level.first + position as u32;
            let has = |value| passed.contains(&(id, value));
            let is_passed = (0..configurator.arity(level.variable)).any(has);
            assert_eq!(part.has_node(id), is_passed);
            widths[level.variable] += usize::from(is_passed);
            for edge in level.edges(position) {
                assert_eq!(part.has_edge(&level, position, edge), has(edge.value as usize));
            }
        }
    }
    assert_eq!(configurator.widths_left(), widths);
    let shape = configurator.shape(usize::MAX).unwrap();
    let left = shape.nodes.iter().filter(|node| node.completions.is_some());
    assert_eq!(left.count(), widths.iter().sum::<usize>());
}

fn check_state<R: DiagramRule>(
    configurator: &Configurator<R>,
    solutions: &[Vec<usize>],
    decisions: &[Decision],
    rng: &mut StdRng,
) {
    let left = agree(solutions, decisions);
    assert_eq!(configurator.decisions(), decisions);
    assert_eq!(*configurator.solutions_left(), left.len().into());
    assert_eq!(configurator.is_complete(), left.len() == 1);
    assert_eq!(configurator.solution(), *left[0]);
    assert!(left.contains(&&configurator.sample(rng)));
    check_part(configurator, &left);
    for (rank, solution) in solutions.iter().enumerate() {
        let among = left.iter().position(|other| *other == solution);
        assert_eq!(configurator.rank(solution).unwrap(), among.map(BigUint::from));
        let found = configurator.nth(&rank.into());
        assert_eq!(found.ok().as_ref(), left.get(rank).copied());
    }
    assert!(configurator.rest().unwrap().iter().eq(left.iter().map(|s| (*s).clone())));
    let mut forced = Vec::new();
    let counts = configurator.value_counts();
    for variable in 0..configurator.num_vars() {
        let has = |value: usize| left.iter().any(|solution| solution[variable] == value);
        let domain: Vec<usize> =
            (0..configurator.arity(variable)).filter(|&value| has(value)).collect();
        assert_eq!(configurator.domain(variable), domain);
        let only = (domain.len() == 1).then(|| domain[0]);
        assert_eq!(configurator.value(variable), only);
        if let Some(conflict) = configurator.why(variable).unwrap() {
            assert_eq!(conflict.decision, Decision::is_not(variable, domain[0]));
            check_conflict(solutions, decisions, &conflict);
        } else {
            assert!(only.is_none());
        }
        assert_eq!(counts[variable].len(), configurator.arity(variable));
        for (value, found) in counts[variable].iter().enumerate() {
            let count = left.iter().filter(|solution| solution[variable] == value).count();
            assert_eq!(*found, count.into());
            let chosen = decisions.contains(&Decision::is(variable, value));
            let forbidden = decisions.contains(&Decision::is_not(variable, value));
            let expected = match has(value) {
                true if chosen => Status::Chosen,
                true if only.is_some() => Status::Forced,
                true => Status::Free,
                false if forbidden => Status::Forbidden,
                false => Status::Impossible,
            };
            assert_eq!(configurator.status(variable, value), expected);
            if expected == Status::Forced {
                forced.push((variable, value));
            }
            match configurator.why_not(variable, value).unwrap() {
                None => assert!(has(value)),
                Some(conflict) => {
                    assert!(!has(value));
                    check_conflict(solutions, decisions, &conflict);
                }
            }
        }
    }
    assert_eq!(configurator.forced(), forced);
}

/// One queen per row of a board; a state is the queens so far.
struct Queens {
    n: usize,
}

impl DdSpec for Queens {
    type State = Vec<usize>;
    fn num_vars(&self) -> usize {
        self.n
    }
    fn arity(&self, _: usize) -> usize {
        self.n
    }
    fn root(&self) -> Step<Vec<usize>> {
        Step::To(0, Vec::new())
    }
    fn child(&self, above: &Vec<usize>, row: usize, column: usize) -> Step<Vec<usize>> {
        let attacked = (1..)
            .zip(above.iter().rev())
            .any(|(far, &queen)| queen == column || queen + far == column || column + far == queen);
        if attacked {
            return Step::Zero;
        }
        if row + 1 == self.n {
            return Step::One;
        }
        let mut queens = above.clone();
        queens.push(column);
        Step::To(row + 1, queens)
    }
}

#[test]
fn decisions_on_queens_force_and_rule_out_values() {
    let queens = crate::zdd(&Queens { n: 8 }.boxed()).unwrap();
    let mut board = queens.configure().unwrap();
    assert!(board.forced().is_empty());
    board.choose(0, 0).unwrap();
    assert_eq!(*board.solutions_left(), 4u32.into());
    // On the diagonal, and because of no other decision.
    let conflict = board.why_not(1, 1).unwrap().unwrap();
    assert_eq!(conflict.because, [Decision::is(0, 0)]);
    assert_eq!(
        conflict.to_string(),
        "variable 1 = 1 is impossible: variable 0 = 0 rules it out (take that back first)"
    );
    board.choose(1, 4).unwrap();
    assert_eq!(*board.solutions_left(), 1u32.into());
    assert_eq!(board.forced().len(), 6);
    assert_eq!(board.solution(), [0, 4, 7, 5, 2, 6, 1, 3]);
    // A choice of a forced value stays when the decision that forces it is taken back.
    board.choose(2, 7).unwrap();
    board.take_back(Decision::is(1, 4)).unwrap();
    assert_eq!(board.decisions(), [Decision::is(0, 0), Decision::is(2, 7)]);
    let error = board.take_back(Decision::is(1, 4)).unwrap_err();
    assert_eq!(error, QueryError::NotDecided { decision: Decision::is(1, 4) });
}

#[test]
fn counts_have_any_size() {
    let spec = free(700);
    check_many(&crate::zdd(&spec).unwrap());
    check_many(&crate::bdd(&spec).unwrap());
}

fn check_many<R: DiagramRule>(diagram: &Diagram<R>) {
    let mut free = diagram.configure().unwrap();
    free.choose(3, 1).unwrap();
    free.forbid(350, 0).unwrap();
    let left = BigUint::from(1u32) << 698;
    assert_eq!(*free.solutions_left(), left);
    let last = free.nth(&(&left - 1u32)).unwrap();
    assert_eq!(last, [1; 700]);
    assert_eq!(free.rank(&last), Ok(Some(left - 1u32)));
    assert_eq!(free.rank(&[0; 700]), Ok(None));
    assert_eq!(free.solution().iter().sum::<usize>(), 2);
    assert_eq!(free.value_counts()[350], [BigUint::ZERO, BigUint::from(1u32) << 698]);
    assert_eq!(free.value_counts()[0], [BigUint::from(1u32) << 697, BigUint::from(1u32) << 697]);
    assert_eq!(free.forced(), [(350, 1)]);
}

/// The last of many variables is the parity of the others, so all decisions are needed.
#[test]
fn a_conflict_may_need_all_decisions() {
    struct Even;
    impl DdSpec for Even {
        type State = bool;
        fn num_vars(&self) -> usize {
            40
        }
        fn root(&self) -> Step<bool> {
            Step::To(0, true)
        }
        fn child(&self, &even: &bool, variable: usize, value: usize) -> Step<bool> {
            match (variable, even == (value == 0)) {
                (39, true) => Step::One,
                (39, false) => Step::Zero,
                (_, even) => Step::To(variable + 1, even),
            }
        }
    }
    let mut parity = crate::bdd(&Even.boxed()).unwrap().configure().unwrap();
    (0..39).for_each(|variable| parity.choose(variable, variable % 2).unwrap());
    let conflict = parity.why_not(39, 0).unwrap().unwrap();
    assert_eq!(conflict.because.len(), 39);
    assert!(conflict.smallest);
}

#[test]
fn variables_values_and_ranks_out_of_range_are_refused() {
    for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
        let spec = free(2);
        let mut free = match rule {
            Rule::ZeroSuppressed => crate::zdd(&spec).unwrap().to_bdd().unwrap(),
            Rule::AnyValue => crate::bdd(&spec).unwrap(),
        }
        .configure()
        .unwrap();
        let variable = QueryError::NoSuchVariable { variable: 2, num_vars: 2 };
        let value = QueryError::ValueOutOfRange { variable: 0, value: 2, arity: 2 };
        assert_eq!(free.choose(2, 0), Err(variable.clone()));
        assert_eq!(free.forbid(0, 2), Err(value.clone()));
        let late = [Decision::is(0, 1), Decision::is(2, 0)];
        assert_eq!(free.decide_all(&late), Err(variable.clone()));
        assert_eq!(free.why(2), Err(variable));
        assert_eq!(free.why_not(0, 2), Err(value));
        assert_eq!((free.get_arity(2), free.get_domain(2)), (None, None));
        assert_eq!((free.get_status(0, 2), free.get_status(2, 0)), (None, None));
        let line = line!() + 1;
        let panics = [
            panic_of(|| free.domain(2)),
            panic_of(|| free.value(2)),
            panic_of(|| free.arity(2)),
            panic_of(|| free.status(2, 0)),
        ];
        for (at, message) in panics {
            assert!(at.0 == file!() && (line..line + 5).contains(&at.1), "{at:?}");
            assert_eq!(message, "there is no variable 2; the variables are 0..2");
        }
        let (_, message) = panic_of(|| free.status(0, 2));
        assert_eq!(message, "variable 0 has no value 2; its values are 0..2");
        assert!(free.decisions().is_empty() && !free.undo() && !free.redo());
    }
}
