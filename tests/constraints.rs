//! Ready constraints against predicates, over random arities, on all variables and on some.

use proptest::prelude::*;
use std::ops::RangeInclusive;
use topdd::check::strategies::specs;
use topdd::check::{self, Verification, verify};
use topdd::constraint::{self, Constraint, ConstraintKind, Dfa, Literal, is, is_not};
use topdd::spec::Automaton;
use topdd::{DdSpec, Frontier, Portable, Rule, Space, SpecExt};

/// Few variables of many are found by search.
#[test]
fn a_scope_of_few_variables_is_the_same_constraint() {
    for num_vars in [100, 1000] {
        let scope = [0, 57, num_vars - 1];
        let two = constraint::exactly(num_vars, 2).on(scope);
        assert_eq!(topdd::count(&two).unwrap(), topdd::BigUint::from(3u32) << (num_vars - 3));
        let sets = topdd::zdd(&two.and(constraint::at_most(num_vars, 2))).unwrap();
        let taken = |set: Vec<usize>| set.iter().all(|variable| scope.contains(variable));
        assert_eq!(sets.iter_sets().filter(|set| taken(set.clone())).count(), 3);
    }
}

/// Variables, some of which are free.
#[derive(Clone, Debug)]
struct Case {
    /// The arities of all variables.
    space: Vec<usize>,
    /// The variables that are not free.
    places: Vec<usize>,
    /// The arities of these.
    arities: Vec<usize>,
    /// The numbers that parameters are made from.
    draws: [usize; 8],
}

impl Case {
    const EMPTY: Case = Case { space: vec![], places: vec![], arities: vec![], draws: [0; 8] };

    /// Whether a drawn bit is set for a value of a variable.
    fn bit(&self, draw: usize, variable: usize, value: usize) -> bool {
        self.draws[draw] >> ((3 * variable + value) % 10) & 1 == 1
    }

    fn pairs(&self, draw: usize) -> Vec<(usize, usize)> {
        let values = self.arities.iter().enumerate();
        let pairs = values.flat_map(|(variable, &arity)| (0..arity).map(move |v| (variable, v)));
        pairs.filter(|&(variable, value)| self.bit(draw, variable, value)).collect()
    }

    fn bounds(&self, draw: usize) -> RangeInclusive<usize> {
        let least = self.draws[draw] % 4;
        least..=least + self.draws[draw] / 4 % 3
    }

    fn coefficient(draw: usize, variable: usize, value: usize) -> i64 {
        i64::try_from(draw * (7 * variable + 3 * value + 1) % 11).unwrap() - 5
    }

    /// Verifies a constraint on all variables, and on some of more.
    fn holds<K: ConstraintKind>(
        &self,
        make: impl Fn(Space) -> Constraint<K>,
        predicate: impl Fn(&[usize]) -> bool + Sync,
    ) -> Result<(), TestCaseError>
    where
        Constraint<K>: DdSpec<State: Portable> + Send,
    {
        // One engine for all: each of its own would take a second to compile.
        let verified = verify(&make(self.arities.clone().into()).boxed(), &predicate)?;
        prop_assert!(verified.all_states());
        let on_places = |values: &[usize]| {
            predicate(&self.places.iter().map(|&v| values[v]).collect::<Vec<_>>())
        };
        let placed = make(self.space.clone().into()).on(self.places.clone());
        let verified = verify(&placed.boxed(), on_places)?;
        prop_assert!(verified.all_states() && verified.all_assignments());
        Ok(())
    }

    /// As `holds`, for a constraint that names these values: it is refused if no variable has one of
    /// them, unless there are no variables.
    fn holds_for_values<K: ConstraintKind>(
        &self,
        values: &[usize],
        make: impl Fn(Space) -> Constraint<K>,
        predicate: impl Fn(&[usize]) -> bool + Sync,
    ) -> Result<(), TestCaseError>
    where
        Constraint<K>: DdSpec<State: Portable> + Send,
    {
        let greatest = self.arities.iter().max();
        match values.iter().find(|&value| greatest.is_some_and(|arity| value >= arity)) {
            None => self.holds(make, predicate),
            Some(value) => {
                let message = make(self.space.clone().into()).on(self.places.clone()).validate();
                let message = message.expect_err("a value that no variable has");
                let expected = format!("no variable has the value {value}");
                prop_assert!(message.ends_with(&expected), "{}", message);
                Ok(())
            }
        }
    }
}

fn cases() -> impl Strategy<Value = Case> {
    let variables = prop::collection::vec((1..=4usize, prop::bool::weighted(0.25)), 0..=6);
    (variables, prop::array::uniform8(0..1024usize)).prop_map(|(variables, draws)| Case {
        space: variables.iter().map(|&(arity, _)| arity).collect(),
        places: (0..variables.len()).filter(|&v| !variables[v].1).collect(),
        arities: variables.iter().filter(|(_, free)| !free).map(|&(arity, _)| arity).collect(),
        draws,
    })
}

fn marked(values: &[usize], pairs: &[(usize, usize)]) -> Vec<bool> {
    values.iter().enumerate().map(|(v, &value)| pairs.contains(&(v, value))).collect()
}

fn count(marks: &[bool]) -> usize {
    marks.iter().filter(|&&mark| mark).count()
}

fn nonzero(values: &[usize]) -> Vec<bool> {
    values.iter().map(|&value| value != 0).collect()
}

/// The values as a text that the crate's own patterns are not needed for: a matcher by backtracking.
fn matches(pattern: &[Part], values: &[usize]) -> bool {
    let Some((part, rest)) = pattern.split_first() else { return values.is_empty() };
    let Part { values: class, least, most, .. } = part;
    (*least..=*most).any(|times| {
        times <= values.len()
            && values[..times].iter().all(|value| class.contains(value))
            && matches(rest, &values[times..])
    })
}

/// A class that is repeated.
struct Part {
    text: String,
    values: Vec<usize>,
    /// The values that the pattern names, other than as the end of a range.
    named: Vec<usize>,
    least: usize,
    most: usize,
}

impl Part {
    fn of(draw: usize) -> Self {
        let (class, values, named) = match draw % 5 {
            0 => (".", vec![0, 1, 2, 3], vec![]),
            1 => ("[0-1]", vec![0, 1], vec![0]),
            2 => ("[^0]", vec![1, 2, 3], vec![]),
            3 => ("(2|<3>)", vec![2, 3], vec![2, 3]),
            _ => (" 1", vec![1], vec![1]),
        };
        let (times, least, most) = match draw / 5 % 6 {
            0 => ("", 1, 1),
            1 => ("*", 0, 9),
            2 => ("+", 1, 9),
            3 => ("?", 0, 1),
            4 => ("{2}", 2, 2),
            _ => ("{1,2}", 1, 2),
        };
        Part { text: format!("{class}{times}"), values, named, least, most }
    }
}

/// An automaton that counts drawn values, and refuses some.
#[derive(Clone)]
struct Letters {
    arities: Vec<usize>,
    of: Case,
}

impl Letters {
    fn accepts_word(&self, values: &[usize]) -> bool {
        let counted = values.iter().enumerate().filter(|&(v, &value)| self.of.bit(6, v, value));
        let refused = |(v, &value): (usize, &usize)| self.of.bit(7, v + 2, value) && value > 1;
        !values.iter().enumerate().any(refused) && self.accepts(&(counted.count() % 3))
    }
}

impl Automaton for Letters {
    type State = usize;

    fn num_vars(&self) -> usize {
        self.arities.len()
    }

    fn arity(&self, variable: usize) -> usize {
        self.arities[variable]
    }

    fn start(&self) -> usize {
        0
    }

    fn next(&self, &state: &usize, variable: usize, value: usize) -> Option<usize> {
        let refused = self.of.bit(7, variable + 2, value) && value > 1;
        let counts = usize::from(self.of.bit(6, variable, value));
        (!refused).then_some((state + counts) % 3)
    }

    fn accepts(&self, state: &usize) -> bool {
        self.of.draws[5] >> state & 1 == 1
    }

    fn validate(&self) -> Result<(), String> {
        if self.arities.contains(&7) { Err("too many letters".to_owned()) } else { Ok(()) }
    }
}

/// Rows for an order: the variables dealt to both in turn, or by halves.
fn rows(case: &Case) -> [Vec<usize>; 2] {
    let half = case.arities.len() / 2;
    let alternate = case.draws[0].is_multiple_of(2);
    let row = |which: usize| {
        (0..half).map(move |i| if alternate { 2 * i + which } else { which * half + i })
    };
    let mut rows = [row(0).collect::<Vec<_>>(), row(1).collect()];
    if case.draws[0].is_multiple_of(3) {
        rows[1].reverse();
    }
    rows
}

fn compare(rows: &[Vec<usize>; 2], values: &[usize]) -> std::cmp::Ordering {
    let [left, right] = [0, 1].map(|row: usize| rows[row].iter().map(|&v| values[v]));
    left.cmp(right)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn counts_are_within_bounds(case in cases()) {
        let (bounds, pairs) = (case.bounds(0), case.pairs(1));
        let k = case.draws[2] % 4;
        case.holds(|s| constraint::at_most(s, k), |v| count(&nonzero(v)) <= k)?;
        case.holds(|s| constraint::at_least(s, k), |v| count(&nonzero(v)) >= k)?;
        case.holds(|s| constraint::exactly(s, k), |v| count(&nonzero(v)) == k)?;
        case.holds(
            |s| constraint::between(s, bounds.clone()).of_pairs(pairs.clone()),
            |v| bounds.contains(&count(&marked(v, &pairs))),
        )?;
    }

    #[test]
    fn sums_are_within_bounds(case in cases()) {
        let [a, b, c] = [0, 1, 2].map(|i| case.draws[i]);
        let bound = |i: usize| i64::try_from(case.draws[i] % 9).unwrap() - 4;
        let sum = |draw: usize, values: &[usize]| -> i64 {
            values.iter().enumerate().map(|(v, &value)| Case::coefficient(draw, v, value)).sum()
        };
        case.holds(
            |s| constraint::linear(s).equal(move |v, value| Case::coefficient(a, v, value), bound(3)),
            |values| sum(a, values) == bound(3),
        )?;
        case.holds(
            |s| {
                constraint::linear(s)
                    .at_most(move |v, value| Case::coefficient(b, v, value), bound(4))
                    .at_least(move |v, value| Case::coefficient(c, v, value), bound(5))
            },
            |values| sum(b, values) <= bound(4) && sum(c, values) >= bound(5),
        )?;
        let modulus = case.draws[6] % 5 + 1;
        let remainder = case.draws[7] % modulus;
        case.holds(
            |s| constraint::sum_modulo(s, modulus, remainder),
            |values| values.iter().sum::<usize>() % modulus == remainder,
        )?;
        let pairs = case.pairs(5);
        case.holds(
            |s| constraint::sum_modulo(s, modulus, remainder).of_pairs(pairs.clone()),
            |values| count(&marked(values, &pairs)) % modulus == remainder,
        )?;
    }

    #[test]
    fn values_occur_as_they_should(case in cases()) {
        case.holds(constraint::all_different, |values| {
            (1..values.len()).all(|i| !values[..i].contains(&values[i]))
        })?;
        let except = [vec![0], vec![1, 0], vec![2], vec![]][case.draws[4] % 4].clone();
        case.holds_for_values(
            &except,
            |s| constraint::all_different(s).except(except.clone()),
            |values| {
                let different = |i: usize| {
                    except.contains(&values[i]) || !values[..i].contains(&values[i])
                };
                (1..values.len()).all(different)
            },
        )?;
        let bounds = [(1, case.bounds(0)), (3, case.bounds(1)), (0, 0..=case.draws[2] % 3)];
        let times = |values: &[usize], value| values.iter().filter(|&&v| v == value).count();
        case.holds_for_values(
            &[1, 3],
            |s| constraint::occurrences(s, bounds.clone()),
            |values| bounds.iter().all(|(value, range)| range.contains(&times(values, *value))),
        )?;
        let bounds = &bounds[2..];
        case.holds(
            |s| constraint::occurrences(s, bounds.iter().cloned()),
            |values| bounds.iter().all(|(value, range)| range.contains(&times(values, *value))),
        )?;
        let list = [[2, 0, 1], [0, 1, 2], [1, 3, 0]][case.draws[3] % 3];
        let first = |values: &[usize], wanted: usize| {
            values.iter().position(|&value| value == wanted).unwrap_or(values.len())
        };
        case.holds_for_values(
            &list,
            |s| constraint::precedence(s, list),
            |values| list.windows(2).all(|pair| {
                let [before, after] = [0, 1].map(|i: usize| first(values, pair[i]));
                before < after || after == values.len()
            }),
        )?;
    }

    #[test]
    fn tuples_are_those_of_the_table(case in cases()) {
        let all = case.arities.iter().fold(vec![vec![]], |prefixes: Vec<Vec<usize>>, &arity| {
            let longer = |p: Vec<usize>| (0..arity).map(move |v| [&p[..], &[v]].concat());
            prefixes.into_iter().flat_map(longer).collect()
        });
        let modulus = case.draws[0] % 5 + 1;
        let picked = |i: &usize| (i * (case.draws[1] | 1) + case.draws[2]).is_multiple_of(modulus);
        let mut tuples: Vec<_> = (0..all.len()).filter(picked).map(|i| all[i].clone()).collect();
        tuples.reverse();
        tuples.extend(tuples.first().cloned());
        case.holds(|s| constraint::table(s, tuples.clone()), |v| tuples.iter().any(|t| t == v))?;
    }

    #[test]
    fn words_are_those_of_the_automaton(case in cases()) {
        // Three states and drawn edges.
        let target = |from: usize, value: usize| {
            let draw = case.draws[from] >> (2 * value) & 3;
            (draw < 3).then_some(draw)
        };
        let accepts = |state: usize| case.draws[3] >> state & 1 == 1;
        let dfa = || {
            let edges = (0..3).flat_map(|from| (0..4).map(move |value| (from, value)));
            let dfa = edges.fold(Dfa::new(1), |dfa, (from, value)| match target(from, value) {
                Some(to) => dfa.edge(from, value, to),
                None => dfa,
            });
            (0..3).filter(|&state| accepts(state)).fold(dfa, Dfa::accept)
        };
        case.holds(|s| constraint::regular(s, dfa()), |values| {
            let end = values.iter().try_fold(1, |state, &value| target(state, value));
            end.is_some_and(accepts)
        })?;
        let letters = || Letters { arities: case.arities.clone(), of: case.clone() };
        case.holds(|s| constraint::automaton(s, letters()), |values| letters().accepts_word(values))?;
        let parts: Vec<Part> = case.draws[4..7].iter().map(|&draw| Part::of(draw)).collect();
        let pattern: String = parts.iter().map(|part| &part.text[..]).collect();
        let mut named: Vec<usize> = parts.iter().flat_map(|part| part.named.clone()).collect();
        case.holds_for_values(
            &named,
            |s| constraint::regex(s, pattern.clone()),
            |values| matches(&parts, values),
        )?;
        let either = format!("({pattern})|3*");
        named.push(3);
        case.holds_for_values(
            &named,
            |s| constraint::regex(s, either.clone()),
            |values| matches(&parts, values) || values.iter().all(|&value| value == 3),
        )?;
    }

    #[test]
    fn longest_run_and_least_distance_hold(case in cases()) {
        let most = case.draws[0] % 4;
        let runs = |values: &[usize], bounded: &dyn Fn(usize) -> bool| {
            values.chunk_by(|a, b| a == b).all(|run| run.len() <= most || !bounded(run[0]))
        };
        case.holds(|s| constraint::longest_run(s, most), |values| runs(values, &|_| true))?;
        case.holds_for_values(
            &[1],
            |s| constraint::longest_run(s, most).of_values([1]),
            |values| runs(values, &|value| value == 1),
        )?;
        let (distance, pairs) = (case.draws[1] % 5, case.pairs(2));
        let apart = |marks: &[bool]| {
            let at: Vec<usize> = (0..marks.len()).filter(|&v| marks[v]).collect();
            at.windows(2).all(|pair| pair[1] - pair[0] >= distance)
        };
        case.holds(|s| constraint::least_distance(s, distance), |v| apart(&nonzero(v)))?;
        case.holds(
            |s| constraint::least_distance(s, distance).of_pairs(pairs.clone()),
            |values| apart(&marked(values, &pairs)),
        )?;
        let (width, bounds) = (case.draws[3] % 4 + 1, case.bounds(4));
        case.holds(
            |s| constraint::window(s, width, bounds.clone()),
            |values| nonzero(values).windows(width).all(|window| bounds.contains(&count(window))),
        )?;
        case.holds(
            |s| constraint::window(s, width, bounds.clone()).of_pairs(pairs.clone()),
            |values| {
                marked(values, &pairs).windows(width).all(|window| bounds.contains(&count(window)))
            },
        )?;
    }

    #[test]
    fn clauses_hold(case in cases()) {
        let literal = |draw: usize| -> Option<Literal> {
            let variable = draw % 7 % case.arities.len().max(1);
            let value = draw / 7 % case.arities.get(variable)?;
            Some(if draw.is_multiple_of(2) { is(variable, value) } else { is_not(variable, value) })
        };
        let lists: Vec<Vec<usize>> =
            case.draws.chunks(2).map(|draws| vec![draws[0], draws[1], draws[0] + draws[1]]).collect();
        let clauses: Vec<Vec<Literal>> = lists
            .iter()
            .map(|draws| draws[..=draws[0] % 3].iter().filter_map(|&draw| literal(draw)).collect())
            .collect();
        let holds = |draw: usize, values: &[usize]| {
            let variable = draw % 7 % values.len();
            (values[variable] == draw / 7 % case.arities[variable]) == (draw.is_multiple_of(2))
        };
        case.holds(
            |s| constraint::clauses(s, clauses.clone()),
            |values| {
                !values.is_empty()
                    && lists.iter().all(|draws| draws[..=draws[0] % 3].iter().any(|&d| holds(d, values)))
            },
        )?;
        case.holds(|s| constraint::clauses(s, Vec::<Vec<Literal>>::new()), |_| true)?;
    }

    #[test]
    fn rows_are_in_order(case in cases()) {
        let rows = rows(&case);
        let [left, right] = &rows;
        case.holds(
            |s| constraint::lex_at_most(s, left.clone(), right.clone()),
            |values| compare(&rows, values).is_le(),
        )?;
        case.holds(
            |s| constraint::lex_less(s, left.clone(), right.clone()),
            |values| compare(&rows, values).is_lt(),
        )?;
    }

    /// Any spec, also one that skips variables: these are read by the rule, and the free ones are free.
    #[test]
    fn a_spec_on_some_variables_leaves_the_others_free(
        spec in specs(),
        free in prop::collection::vec((0..=5usize, 1..=3usize), 0..4),
    ) {
        let mut space: Vec<(usize, bool)> = spec.arities().iter().map(|&a| (a, false)).collect();
        for (at, arity) in free {
            space.insert(at.min(space.len()), (arity, true));
        }
        let places: Vec<usize> = (0..space.len()).filter(|&v| !space[v].1).collect();
        let arities: Vec<usize> = space.iter().map(|&(arity, _)| arity).collect();
        let placed = constraint::on(&spec, places.clone(), arities).boxed();
        for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
            let verified = Verification::new().under(rule).run(&placed, |values| {
                let own: Vec<usize> = places.iter().map(|&v| values[v]).collect();
                check::accepts(&spec, rule, &own).unwrap()
            })?;
            prop_assert!(verified.all_states());
        }
    }

    #[test]
    fn constraints_combine_with_specs_and_with_one_another(spec in specs(), k in 0..4usize) {
        let space = Space::from(&spec);
        let combined =
            (&spec).and(constraint::at_most(&space, k)).and(constraint::longest_run(&space, 1)).boxed();
        for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
            let verified = Verification::new().under(rule).run(&combined, |values| {
                check::accepts(&spec, rule, values).unwrap()
                    && count(&nonzero(values)) <= k
                    && values.windows(2).all(|pair| pair[0] != pair[1])
            })?;
            prop_assert!(verified.all_states());
        }
    }
}

fn message<S: DdSpec>(spec: &S) -> String {
    spec.validate().unwrap_err()
}

#[test]
fn automata_over_other_variables_are_refused() {
    let letters = |arities: &[usize]| Letters { arities: arities.to_vec(), of: Case::EMPTY };
    assert_eq!(
        message(&constraint::automaton([2; 3], letters(&[2; 4]))),
        "`automaton`: the automaton reads 4 variables, but there are 3"
    );
    assert_eq!(
        message(&constraint::automaton([2, 2], letters(&[2, 3]))),
        "`automaton`: variable 1 has arity 3 in the automaton and 2 in the space"
    );
    assert_eq!(
        message(&constraint::automaton([7], letters(&[7]))),
        "`automaton`: too many letters"
    );
}

#[test]
fn settings_out_of_range_are_refused_with_a_message() {
    let no_variable = "there is no variable 5: the constraint has 3 variables";
    let pair = constraint::at_most([2; 3], 1).of_pairs([(5, 0)]);
    assert_eq!(message(&pair), format!("`at_most`: {no_variable}"));
    let value = constraint::least_distance([2; 3], 1).of_pairs([(1, 2)]);
    assert_eq!(
        message(&value),
        "`least_distance`: variable 1 of the constraint takes values 0..2, not 2 (give the arities \
         first, as in `[3; 24]`)"
    );
    assert_eq!(
        message(&constraint::at_most([2; 3], 1).on([2, 1])),
        "`at_most`: variables must be given in ascending order, each once, but 1 comes after 2"
    );
    assert_eq!(
        message(&constraint::all_different([2; 3]).on([1, 3])),
        "`all_different`: there is no variable 3: the space has 3 variables"
    );
    let huge =
        constraint::linear([2; 3]).at_most(|_, value| if value == 1 { i64::MAX / 4 } else { 0 }, 0);
    assert!(message(&huge).contains("does not fit into 63 bits"));
    assert_eq!(message(&constraint::sum_modulo(3, 2, 2)), "`sum_modulo`: no sum is 2 modulo 2");
    assert!(message(&constraint::table([2; 2], [[0, 0, 1]])).contains("has 3 values, not 2"));
    assert!(message(&constraint::table([2; 2], [[0, 2]])).contains("[0, 2]: variable 1 of the"));
    let twice = Dfa::new(0).edge(0, 1, 0).edge(0, 1, 2);
    assert_eq!(
        message(&constraint::regular(3, twice)),
        "`regular`: two edges of value 1 leave state 0"
    );
    assert_eq!(
        message(&constraint::longest_run(3, 1).of_values([2])),
        "`longest_run`: no variable has the value 2"
    );
    assert_eq!(message(&constraint::regex(5, "<12>*")), "`regex`: no variable has the value 12");
    assert_eq!(message(&constraint::between(5, 0..0)), "`between`: the range 1..=0 is empty");
    #[expect(clippy::reversed_empty_ranges)]
    let empty = constraint::occurrences(5, [(0, 3..=1)]);
    assert_eq!(message(&empty), "`occurrences`: value 0: the range 3..=1 is empty");
    #[expect(clippy::reversed_empty_ranges)]
    let empty = constraint::between(5, 4..=2);
    assert_eq!(message(&empty), "`between`: the range 4..=2 is empty");
    #[expect(clippy::reversed_empty_ranges)]
    let empty = constraint::window(5, 4, 3..=1);
    assert_eq!(message(&empty), "`window`: the range 3..=1 is empty");
    assert_eq!(
        message(&constraint::precedence(3, [0, 1, 2])),
        "`precedence`: no variable has the value 2"
    );
    assert!(message(&constraint::occurrences(5, [(2, 0..=1)])).ends_with("has the value 2"));
    assert!(message(&constraint::all_different(5).except([2])).ends_with("has the value 2"));
    assert!(message(&constraint::window(3, 0, 0..=0)).contains("1 to 64 variables, not 0"));
    assert!(message(&constraint::precedence(3, [1, 0, 1])).contains("value 1 is listed twice"));
    assert!(
        message(&constraint::clauses(3, [[is(5, 0)]])).contains("clause 0: there is no variable 5")
    );
    assert!(
        message(&constraint::lex_less(3, [0, 1], [2])).contains("the left row has 2 variables")
    );
    assert!(
        message(&constraint::lex_less(3, [0, 1], [2, 1]))
            .contains("variable 1 is in the rows twice")
    );
    assert!(message(&constraint::at_most([2, 0], 1)).contains("variable 1 has arity 0"));
    let spec = constraint::at_most(2, 1);
    assert!(
        message(&constraint::on(&spec, [0], 3)).contains("places 1 variables, but the spec has 2")
    );
    assert!(message(&constraint::on(&spec, [0, 2], [2, 2, 3])).contains("they must be equal"));
}

#[test]
fn a_space_without_variables_has_one_solution() {
    fn one<S: DdSpec>(spec: &S) {
        assert_eq!(topdd::count(spec), Ok(1u32.into()));
    }
    let space = || Space::uniform(0, 3);
    one(&constraint::longest_run(space(), 4).of_values([0]));
    one(&constraint::regex(space(), "0* 2*"));
    one(&constraint::occurrences(space(), [(2, 0..=1)]));
    one(&constraint::all_different(space()).except([0]));
    one(&constraint::sum_modulo(space(), 3, 0).of_pairs((0..0).map(|v| (v, 1))));
    one(&constraint::precedence(space(), [0, 1]));
    one(&constraint::window(space(), 2, 1..=1));
    one(&constraint::least_distance(space(), 2));
}

#[test]
fn all_different_with_exceptions_needs_no_more_states_than_occurrences() {
    let space = Space::uniform(6, 9);
    let different = constraint::all_different(&space).except([0]);
    let occurrences = constraint::occurrences(&space, (1..9).map(|value| (value, 0..=1)));
    assert_eq!(topdd::zdd(&different).unwrap(), topdd::zdd(&occurrences).unwrap());
    let states = |verified: check::Verified| verified.states();
    let right =
        |values: &[usize]| (1..6).all(|i| values[i] == 0 || !values[..i].contains(&values[i]));
    let [few, many] =
        [states(verify(&different, right).unwrap()), states(verify(&occurrences, right).unwrap())];
    assert!(few <= many, "{few} states and {many}");
}

#[test]
fn states_are_described() {
    let trace = |values: &[usize]| {
        let spec = constraint::exactly(4, 1).on([0, 2]);
        check::trace(&spec, Rule::AnyValue, values).unwrap().to_string()
    };
    assert!(trace(&[1, 0, 0, 1]).contains("variable 0 = 1: state exactly: 1 so far at variable 1"));
    assert!(trace(&[1, 0, 0, 1]).contains("variable 2 = 0: state exactly: met at variable 3"));
}

#[test]
fn forced_states_are_not_stored() {
    fn states(spec: &impl DdSpec) -> [u64; 2] {
        let mut frontier = Frontier::over(spec);
        let zdd = frontier.profile().unwrap().states();
        [zdd, frontier.profile_under(Rule::AnyValue).unwrap().states()]
    }
    // One state per variable remains: the one in which the variable may be marked.
    let [forced, all] = states(&constraint::least_distance(100, 10));
    assert!(forced <= 100 && all > 900, "{forced} of {all}");
    let [forced, all] = states(&constraint::all_different([5; 5]));
    assert!(forced < all, "{forced} of {all}");
    for bounds in [0..=2, 5..=7] {
        let [forced, all] = states(&constraint::window(40, 7, bounds));
        assert!(forced < all / 2, "{forced} of {all}");
    }
}

#[test]
fn ranges_may_be_open() {
    let count = |constraint: constraint::Constraint<constraint::Count>| topdd::count(&constraint);
    for (open, closed) in [
        (count(constraint::between(6, 2..)), count(constraint::between(6, 2..=6))),
        (count(constraint::between(6, ..3)), count(constraint::between(6, 0..=2))),
        (count(constraint::between(6, ..)), count(constraint::between(6, 0..=6))),
    ] {
        assert_eq!(open, closed);
    }
    let open = constraint::occurrences([3; 6], [(0, 2..), (1, 1..)]);
    let closed = constraint::occurrences([3; 6], [(0, 2..=6), (1, 1..=6)]);
    assert_eq!(topdd::zdd(&open), topdd::zdd(&closed));
    let open = constraint::window(8, 3, 1..);
    assert_eq!(topdd::zdd(&open), topdd::zdd(&constraint::window(8, 3, 1..=3)));
}
