"""Constraints on variables against brute force, rules of Python against constraints, and their errors."""

import json
import pickle
import random
import re
import signal
import threading
import time
from itertools import groupby, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import topdd as td
from test_limits import ctrl_c, interrupted

VALUES = ["off", "day", "night"]
WEEK = td.constraints({"mon": VALUES, "tue": VALUES, "wed": VALUES[:2]})
FLAGS = td.constraints("abcd")


def brute(variables, holds):
    """The assignments for which a predicate holds."""
    names = list(variables)
    return {values for values in product(*variables.values()) if holds(dict(zip(names, values)))}


def found(family):
    return {solution.values() for solution in family.build()}


def marked(row, values):
    return sum(value in values for value in row)


@st.composite
def cases(draw):
    """Variables, of which the values of some are the first ones, some of them, and some values."""
    count = draw(st.integers(1, 5))
    variables = {f"x{at}": tuple(VALUES[: draw(st.integers(1, 3))]) for at in range(count)}
    of = sorted(draw(st.sets(st.sampled_from(list(variables)), min_size=1)))
    known = sorted({value for name in of for value in variables[name]})
    values = sorted(draw(st.sets(st.sampled_from(known), min_size=1)))
    return variables, of, values, draw(st.randoms(use_true_random=False))


def at_most(family, of, values, rng):
    k = rng.randrange(4)
    return family.at_most(k, of, values), lambda row: marked(row, values) <= k


def at_least(family, of, values, rng):
    k = rng.randrange(4)
    return family.at_least(k, of, values), lambda row: marked(row, values) >= k


def exactly(family, of, values, rng):
    k = rng.randrange(4)
    return family.exactly(k, of=of, values=values), lambda row: marked(row, values) == k


def between(family, of, values, rng):
    least = rng.randrange(3)
    most = least + rng.randrange(3)
    return family.between(least, most, of, values), lambda row: least <= marked(row, values) <= most


def linear(family, of, values, rng):
    weights = {name: {value: rng.choice([-2, 0, 1, 2.5]) for value in values if value in family.variables[name]} for name in of}
    sense, bound = rng.choice(["<=", ">=", "=="]), rng.choice([-1, 0, 1, 2.5, 3])
    holds = {"<=": lambda a: a <= bound, ">=": lambda a: a >= bound, "==": lambda a: a == bound}[sense]
    made = family.linear(rng.choice([weights, lambda name, value: weights.get(name, {}).get(value, 0)]), sense, bound)
    return made, lambda row: holds(sum(weights[name].get(value, 0) for name, value in zip(of, row)))


def sum_modulo(family, of, values, rng):
    modulus = rng.randrange(1, 4)
    remainder = rng.randrange(modulus)
    return family.sum_modulo(modulus, remainder, of, values), lambda row: marked(row, values) % modulus == remainder


def all_different(family, of, values, rng):
    ignoring = rng.choice([None, values])
    kept = lambda row: [value for value in row if value not in (ignoring or [])]
    return family.all_different(of, ignoring=ignoring), lambda row: len(set(kept(row))) == len(kept(row))


def occurrences(family, of, values, rng):
    bounds = {value: rng.choice([1, (0, 1), (1, 3)]) for value in values}
    pairs = {value: (bound, bound) if isinstance(bound, int) else bound for value, bound in bounds.items()}
    return family.occurrences(bounds, of), lambda row: all(a <= row.count(value) <= b for value, (a, b) in pairs.items())


def table(family, of, values, rng):
    order = rng.sample(range(len(of)), len(of))
    rows = list(product(*(family.variables[of[at]] for at in order)))
    rows = rng.sample(rows, min(3, len(rows)))
    return family.table(rows, [of[at] for at in order]), lambda row: tuple(row[at] for at in order) in rows


def automaton(family, of, values, rng):
    states = "st"
    edges = {(state, value): rng.choice(states) for state in states for value in values if rng.random() < 0.8}
    accept = [state for state in {"s", *(state for state, _ in edges)} if rng.random() < 0.7]

    def holds(row):
        state = "s"
        for value in row:
            state = edges.get((state, value))
        return state in accept

    return family.automaton("s", edges, accept, of), holds


def regex(family, of, values, rng):
    listed = "".join(f"<{value}>" for value in values)
    first = f"<{values[0]}>"
    pattern, plain = rng.choice([
        (f"[{listed}]*", f"[{''.join(v[0] for v in values)}]*"), (f"({first}.?)*", f"({values[0][0]}.?)*"),
        (f"[^{first}]* {first}{{1,2}} .*", f"[^{values[0][0]}]*{values[0][0]}{{1,2}}.*"),
    ])
    return family.regex(pattern, of), lambda row: re.fullmatch(plain, "".join(value[0] for value in row))


def longest_run(family, of, values, rng):
    most, own = rng.randrange(3), rng.choice([None, values])
    runs = lambda row: [len(list(run)) for value, run in groupby(row) if own is None or value in own]
    return family.longest_run(most, of, own), lambda row: all(run <= most for run in runs(row))


def least_distance(family, of, values, rng):
    distance = rng.randrange(4)
    places = lambda row: [at for at, value in enumerate(row) if value in values]
    return (
        family.least_distance(distance, of, values),
        lambda row: all(b - a >= distance for a, b in zip(places(row), places(row)[1:])),
    )


def window(family, of, values, rng):
    width, least = rng.randrange(1, 4), rng.randrange(2)
    most = least + rng.randrange(2)
    return (
        family.window(width, least, most, of, values),
        lambda row: all(least <= marked(row[at : at + width], values) <= most for at in range(len(row) - width + 1)),
    )


def precedence(family, of, values, rng):
    listed = rng.sample(values, len(values))

    def holds(row):
        firsts = [row.index(value) if value in row else len(row) for value in listed]
        return all(a < b or b == len(row) for a, b in zip(firsts, firsts[1:]))

    return family.precedence(listed, of), holds


def clauses(family, of, values, rng):
    literals = lambda: [(name, rng.choice(["==", "!="]), rng.choice(family.variables[name])) for name in rng.choices(of, k=2)]
    given = [literals() for _ in range(rng.randrange(3))]
    holds = lambda row, literal: (row[of.index(literal[0])] == literal[2]) == (literal[1] == "==")
    short = [[(n, v) if sign == "==" else (n, sign, v) for n, sign, v in clause] for clause in given]
    return family.clauses(short), lambda row: all(any(holds(row, literal) for literal in clause) for clause in given)


def lexicographic(family, of, values, rng):
    names = rng.sample(of, len(of) // 2 * 2)
    left, right = names[::2], names[1::2]
    at = lambda row, names: [VALUES.index(row[of.index(name)]) for name in names]
    if rng.random() < 0.5:
        return family.lex_less(left, right), lambda row: at(row, left) < at(row, right)
    return family.lex_at_most(left, right), lambda row: at(row, left) <= at(row, right)


CONSTRAINTS = [
    at_most, at_least, exactly, between, linear, sum_modulo, all_different, occurrences, table, automaton, regex, longest_run,
    least_distance, window, precedence, clauses, lexicographic,
]


class Known:
    """A family that knows its variables."""

    def __init__(self, variables):
        self.variables, self.family = variables, td.constraints(variables)

    def __getattr__(self, name):
        return getattr(self.family, name)


@pytest.mark.parametrize("constraint", CONSTRAINTS)
@settings(max_examples=60, deadline=None)
@given(case=cases())
def test_each_constraint_has_the_assignments_of_its_definition(constraint, case):
    variables, of, values, rng = case
    family, holds = constraint(Known(variables), of, values, rng)
    expected = brute(variables, lambda a: holds([a[name] for name in of]))
    assert found(family) == expected
    assert family.count() == len(expected)
    again = pickle.loads(pickle.dumps(family)) if constraint is not linear else family
    assert again.build() == family.build()


@settings(max_examples=60, deadline=None)
@given(case=cases(), names=st.lists(st.sampled_from(CONSTRAINTS), min_size=2, max_size=5))
def test_combinations_are_those_of_the_sets(case, names):
    variables, of, values, rng = case
    known = Known(variables)
    made = [constraint(known, of, values, rng) for constraint in names]
    one, two = made[0][0], made[1][0]
    a, b, every = found(one), found(two), brute(variables, lambda _: True)
    assert found(one & two) == a & b and found(one | two) == a | b
    assert found(one - two) == a - b and found(one ^ two) == a ^ b and found(~one) == every - a
    chained = known.family
    for family, _ in made:
        chained &= family
    assert found(chained) == brute(variables, lambda s: all(holds([s[n] for n in of]) for _, holds in made))
    assert one.build() & two == (one & two).build() == one & two.build()


def test_solutions_read_as_dictionaries_tables_and_arrays():
    d = WEEK.all_different(["mon", "tue"]).including({"mon": "night"}, ("wed", "day")).build()
    assert [dict(s) for s in d] == [{"mon": "night", "tue": tue, "wed": "day"} for tue in ("off", "day")]
    solution = d[0]
    assert solution["tue"] == "off" and {**solution} == dict(solution.items()) and len(solution) == 3
    assert solution == {"mon": "night", "tue": "off", "wed": "day"} and solution in d and d.rank(dict(solution)) == 0
    assert repr(solution) == "Solution({'mon': 'night', 'tue': 'off', 'wed': 'day'})"
    assert d.to_numpy().tolist() == [list(s.values()) for s in d] and solution.to_numpy().tolist() == ["night", "off", "day"]
    assert d.to_dataframe().to_dict("records") == [dict(s) for s in d]
    assert d.element_counts() == {"mon": {"off": 0, "day": 0, "night": 2}, "tue": {"off": 1, "day": 1, "night": 0}, "wed": {"off": 0, "day": 2}}
    assert pickle.loads(pickle.dumps(d)) == d and pickle.loads(pickle.dumps(d[:])) == d[:]
    mixed = td.constraints({"a": [1, 2], "b": [None, "x"], "c": [True, False], "d": 3}).build()
    assert mixed.to_numpy().shape == (24, 4) and mixed.to_dataframe().dtypes["a"] == np.int64
    assert mixed.to_numpy()[-1].tolist() == [2, "x", False, 2]
    assert FLAGS.exactly(2).build().to_numpy().dtype == bool
    assert td.constraints(3, range(1, 4)).build().sample(10, seed=1).to_numpy().max() == 3
    with pytest.raises(td.InputError, match="this is one of sets of edges"):
        td.Graph.path(2).forests().build()[0].keys()


def test_diagrams_of_variables_are_saved_with_names_and_values(tmp_path):
    d = WEEK.at_most(1, values=["night"]).build()
    d.save(tmp_path / "week.tdd")
    loaded = td.Diagram.load(tmp_path / "week.tdd")
    assert loaded == d and dict(loaded[3]) == dict(d[3])
    assert loaded.best(1, weights=lambda day, value: value == "day") == d.best(1, weights=lambda day, value: value == "day")


def test_conditions_and_queries_of_variables():
    cost = {"mon": {"night": 5}, "tue": {"night": 3, "day": 1}, "wed": {}}
    d = WEEK.build()
    for family in (WEEK, WEEK | WEEK.all_different(["mon", "tue"])):
        kept = family.cost_at_most(4, cost).cost_at_least(1, cost)
        assert kept.build() == d.cost_at_most(4, cost).cost_at_least(1, cost)
        assert kept.count() == 8
        assert family.excluding(("mon", "off"), {"tue": "day"}).build() == d.excluding(("mon", "off"), ("tue", "day"))
    assert [weight for weight, _ in d.best(3, cost, max=True)] == [8, 8, 6]
    dice = td.constraints(["red", "blue"], range(1, 7)).build()
    weight, solution = dice.best(1, {"red": 1, "blue": -0.5})[0]
    assert weight == -2.0 and dict(solution) == {"red": 1, "blue": 6}
    chosen = FLAGS.at_least(2).build()
    assert chosen.count_by_size() == [0, 0, 6, 4, 1] and chosen.exactly(2) == FLAGS.exactly(2).build()
    assert chosen.minimal() == chosen.exactly(2) and chosen.best(1)[0][0] == 2
    assert chosen.probability(0.5) == 11 / 16 and chosen.element_counts()["a"] == {False: 4, True: 7}
    assert (~chosen).count() == 5 and chosen & ~chosen == FLAGS.at_most(0).build() & chosen


def test_variables_are_given_in_several_forms():
    for variables in (
        td.Variables({0: [0, 1], 1: [0, 1]}), {0: range(2), 1: (0, 1)}, td.Variables([2, 2]), td.Variables(2, 2), td.Variables(range(2), 2),
    ):
        assert td.constraints(variables).build() == td.constraints(2, 2).build()
    assert td.constraints(x for x in "ab").count() == 4 and td.constraints({}).count() == 1 and td.constraints(0).build()[0] == {}
    assert list(td.Variables("ab", "xy").items()) == [("a", ("x", "y")), ("b", ("x", "y"))]
    assert repr(td.constraints(3, 2).at_most(1)) == "<topdd.Family: constraints(3, 2).at_most(1)>"
    cells = [(row, column) for row in range(2) for column in range(2)]
    assert td.constraints(cells, range(1, 3)).all_different(cells[:2]).including(((0, 0), 2)).count() == 4


@pytest.mark.parametrize("call, advice", [
    (lambda: td.constraints({"a": []}), "'a' has no values"),
    (lambda: td.constraints({"a": [1, 1]}), "the value 1 is given twice"),
    (lambda: td.constraints({"a": [[1]]}), r"the value \[1\] is not hashable"),
    (lambda: td.constraints(["a", "a"]), "'a' is given twice"),
    (lambda: td.constraints([["a"]]), "not hashable"),
    (lambda: td.constraints(-1), "there are no -1 variables"),
    (lambda: td.constraints(3.5), "3.5 are no variables"),
    (lambda: td.constraints({"a": 2}, 3), "leave out values="),
    (lambda: td.constraints(3, 300).build(), "at most 256 values, not 300"),
    (lambda: WEEK.at_most(1, ["sun"], ["day"]), "there is no variable 'sun'; the variables are 'mon', 'tue', 'wed'"),
    (lambda: WEEK.at_most(1), "of the values 'off', 'day', 'night' of 'mon', not exactly one is False or 0; list the values that count"),
    (lambda: WEEK.at_most(1, values=["late"]), "none of the variables has the value 'late'"),
    (lambda: WEEK.at_most(1, ["wed"], ["night"]), "none of the variables has the value 'night'"),
    (lambda: WEEK.at_most(1, values="day"), "give a list of values, not 'day'"),
    (lambda: WEEK.at_most(-1, values=["day"]), "k=-1: give a whole number"),
    (lambda: WEEK.exactly(1, ["mon", "mon"], ["day"]), "'mon' is given twice"),
    (lambda: WEEK.between(2, 1, values=["day"]), "empty"),
    (lambda: WEEK.linear({"mon": 2}, "<=", 3), "the value 'off' of 'mon' is no number; give a mapping"),
    (lambda: WEEK.linear({"mon": {"late": 2}}, "<=", 3), "there is no value 'late' of 'mon'"),
    (lambda: WEEK.linear({"sun": {}}, "<=", 3), "there is no variable 'sun'"),
    (lambda: FLAGS.linear([1, 2], "<=", 3), "2 values of weight were given, and 4 are needed"),
    (lambda: FLAGS.linear({"a": None}, "<=", 3), "the weight of 'a' is missing"),
    (lambda: FLAGS.linear({"a": 1}, "<", 3), 'the sense "<" is unknown; give "<=", ">=" or "=="'),
    (lambda: WEEK.sum_modulo(2, 0), "are no consecutive whole numbers"),
    (lambda: FLAGS.sum_modulo(2, 2), "no sum is 2 modulo 2"),
    (lambda: td.constraints({"a": "xy", "b": "yx"}).all_different(), "those of '[ab]' have another order"),
    (lambda: WEEK.occurrences({"late": 1}), "none of the variables has the value 'late'"),
    (lambda: WEEK.occurrences({"day": "x"}), "give a whole number, or a pair"),
    (lambda: WEEK.occurrences(["day"]), "give a mapping"),
    (lambda: WEEK.table([("day",)]), "has 1 values for 3 variables"),
    (lambda: WEEK.table([("day", "day", "night")]), "there is no value 'night' of 'wed'; its values are 'off', 'day'"),
    (lambda: WEEK.automaton(0, {("x", "day", 1): 0}, [0]), "is no pair"),
    (lambda: WEEK.automaton(0, {(0, "day"): 0}, [7]), "the state 7 of accept has no edge"),
    (lambda: WEEK.automaton(0, {(0, "day"): []}, [0]), r"the state \[\] is not hashable"),
    (lambda: WEEK.automaton(0, {(0, "late"): 0}, [0]), "none of the variables has the value 'late'"),
    (lambda: WEEK.regex("<late>*"), "there is no value 'late'; the values are <off> <day> <night>"),
    (lambda: WEEK.regex("(<day>"), r"expected `\)`"),
    (lambda: WEEK.longest_run(1, ["wed", "mon"]), "longest_run reads its variables in the order of td.Variables"),
    (lambda: WEEK.window(70, 1, 2, values=["day"]), "a window has 1 to 64 variables"),
    (lambda: WEEK.window(2, 2, 1, values=["day"]), "is empty"),
    (lambda: WEEK.precedence(["day", "day"]), "the value 'day' is given twice"),
    (lambda: WEEK.clauses([[("mon",)]]), r"is no literal; give \(variable, value\)"),
    (lambda: WEEK.clauses([[("mon", "<", "day")]]), "is no literal"),
    (lambda: WEEK.clauses([[("mon", "late")]]), "there is no value 'late' of 'mon'"),
    (lambda: WEEK.lex_less(["mon"], ["tue", "wed"]), "the left row has 1 variables and the right one 2"),
    (lambda: WEEK.including("mon"), "'mon' is no pair of a variable and a value"),
    (lambda: WEEK.through("mon"), "through is for sets"),
    (lambda: WEEK.order("given"), "the order of a board, or of variables, is fixed"),
    (lambda: WEEK.predict(), "predictions are for families of a graph"),
    (lambda: WEEK.build().best(1), "other than two values"),
    (lambda: WEEK.build().rank({"mon": "day"}), "give a value for each variable"),
    (lambda: WEEK & FLAGS, "the families have 3 and 4 variables"),
    (lambda: FLAGS & td.constraints("abce"), "differ in a variable, which is 'd' in one and 'e' in the other; give both the same variables"),
    (lambda: WEEK.at_most(1, of="mon", values=["day"]), r"'mon' is one variable; give a list of variables: of=\['mon'\]"),
    (lambda: td.constraints([(0, 1)]).at_most(1, of=(0, 1)), r"give a list of variables: of=\[\(0, 1\)\]"),
    (lambda: td.Variables(["a"], ["x", "y", "x"]), "the value 'x' is given twice"),
    (lambda: td.Variables({"a": [1, True]}), "the value True is given twice"),
    (lambda: FLAGS & td.constraints("abcd", 3), "differ in the values of 'a', which are False, True and 0, 1, 2"),
    (lambda: WEEK.lex_less(["mon", "mon"], ["tue", "wed"]), "the variable 'mon' is given twice"),
    (lambda: WEEK.occurrences({"day": (3, 2)}), "the value 'day' has .3, 2.; the first number is the least one"),
    (lambda: WEEK.regex("<day> {3,2}"), "position 10: the greater number of times comes first"),
    (lambda: WEEK & td.Graph.path(3).forests(), "one of the families has assignments, and the other sets of edges"),
    (lambda: td.Graph.path(3).forests().window(2, 0, 1), "window is for variables with values"),
    (lambda: td.Graph.path(3).forests().at_most(1, of=[(0, 1)]), "at_most with of= or values= is for variables with values"),
    (lambda: td.dp(3, 0, 5), "step=5: give a function"),
    (lambda: td.dp(3, 0, lambda *_: 0, 5), "accept=5: give a function"),
    (lambda: td.dp(3, None, lambda *_: 0), "None stands for no state"),
    (lambda: td.dp(3, [], lambda *_: 0), r"the state \[\] is not hashable"),
    (lambda: td.spec(lambda *_: 0, elements=3), "give elements= and root="),
    (lambda: td.spec(elements=3)(lambda *_: 0), "give elements= and root="),
    (lambda: FLAGS.verify(5), "predicate=5: give a function"),
])
def test_wrong_arguments_are_refused(call, advice):
    with pytest.raises((td.InputError, TypeError), match=advice) as error:
        call()
    assert "::" not in str(error.value)


def apart(state, at, value):
    return None if state and value else value


APART = td.dp(20, 0, apart)


class Apart(td.Spec):
    elements, root = td.Variables(20), 0

    def step(self, state, element, value):
        return apart(state, element, value)


def test_the_same_rule_has_the_same_diagram_bytes_in_each_form(tmp_path):
    decorated = td.spec(elements=20, root=0)(apart)
    forms = [APART, td.spec(Apart), td.spec(Apart()), decorated, td.constraints(20).least_distance(2)]
    forms.append(td.dp(20, 0, lambda state, at, value: max(state - 1, 0) if not value else None if state else 1))
    files = []
    for family in forms:
        for threads in (1, 2):
            family.build(threads=threads).save(tmp_path / "d.tdd")
            files.append((tmp_path / "d.tdd").read_bytes())
    assert len(set(files)) == 1 and APART.count() == 17711
    assert pickle.loads(pickle.dumps(td.spec(Apart))).count() == 17711


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**9), count=st.integers(0, 5), modulus=st.integers(1, 5))
def test_a_rule_has_the_assignments_of_its_steps(seed, count, modulus):
    rng = random.Random(seed)
    variables = {f"x{at}": tuple(range(rng.randrange(1, 4))) for at in range(count)}
    table = {(s, n, v): rng.choice([None, *range(modulus)]) for s in range(modulus) for n in variables for v in variables[n]}
    good = [state for state in range(modulus) if rng.random() < 0.6]

    def holds(assignment):
        state = 0
        for name, value in assignment.items():
            state = table.get((state, name, value))
        return state in good

    rule = td.dp(variables, 0, lambda *key: table[key], lambda state: state in good)
    assert found(rule) == brute(variables, holds)
    assert rule.count() == rule.build().count() and found(~rule) == brute(variables, lambda a: not holds(a))
    both = rule & td.constraints(variables).all_different()
    assert found(both) == brute(variables, lambda a: holds(a) and len(set(a.values())) == len(a))
    assert "all" in rule.verify(lambda solution: holds(dict(solution)))


def broken(state, at, value):
    return 1 / (3 - at) if value else state


@pytest.mark.parametrize("rule, kind, text, noted", [
    (broken, ZeroDivisionError, "division by zero", "element 3 with value True from state"),
    (lambda *_: [1], td.InputError, r"the state \[1\] is not hashable; give tuples", "element 0 with value"),
    (lambda *_: {}[2], KeyError, "2", "element 0 with value"),
    (lambda a, b: 0, TypeError, "positional argument", "element 0 with value"),
])
@pytest.mark.parametrize("threads", [1, 2])
def test_exceptions_of_a_step_come_through_with_their_place(rule, kind, text, noted, threads):
    family = td.dp(5, 0, rule)
    for call in (family.count, family.build, (family & td.constraints(5).at_most(4)).count, (family | APART_OF_5).count):
        with pytest.raises(kind, match=text) as error:
            call(threads=threads)
        assert any(noted in note for note in getattr(error.value, "__notes__", [noted]))
    with pytest.raises(kind, match=text):
        family.verify(lambda solution: True)
    with pytest.raises(kind, match=text):
        family & td.constraints(5).build()


APART_OF_5 = td.dp(5, 0, apart)


def test_exceptions_of_accept_and_of_predicates_come_through():
    with pytest.raises(ZeroDivisionError) as error:
        td.dp(2, "s", lambda *_: "t", lambda state: 1 / 0).count()
    assert getattr(error.value, "__notes__", ["in accept of state 't'"]) == ["in accept of state 't'"]
    with pytest.raises(KeyError, match="nowhere"):
        FLAGS.verify(lambda solution: {}["nowhere"])


class Careless:
    def __init__(self, seen, forgotten):
        self.seen, self.forgotten = seen, forgotten

    def __eq__(self, other):
        return self.seen == other.seen

    def __hash__(self):
        return hash(self.seen)


def test_false_equality_impurity_and_wrong_predicates_are_found():
    forgets = td.dp(5, Careless(0, 0), lambda s, at, v: None if s.forgotten == 1 else Careless(s.seen, s.forgotten + v))
    with pytest.raises(td.InputError, match="are equal, but .* let __eq__ and __hash__ compare all that step reads"):
        forgets.count()
    draws = random.Random(1)
    with pytest.raises(td.VerifyError, match="when it is called again; it must be a pure function"):
        td.dp(5, 0, lambda *_: draws.random()).verify(lambda solution: True)
    right = lambda days: not any(days[at] and days[at + 1] for at in range(4))
    assert "13 solutions" in APART_OF_5.verify(right)
    with pytest.raises(td.VerifyError, match="is a solution of the family, but not of the predicate") as error:
        APART_OF_5.verify(lambda days: right(days) and not days[2])
    assert dict(error.value.solution) == {0: False, 1: False, 2: True, 3: False, 4: False}
    assert "2 = True: state True at 3" in str(error.value)
    with pytest.raises(td.VerifyError, match="proves nothing"):
        td.constraints(40).at_most(2).verify(lambda s: sum(s.values()) <= 2)
    assert "sampled" in td.constraints(40).at_most(2).verify(lambda s: sum(s.values()) <= 2, sampled=True)
    assert "all 16" in td.Graph.cycle(4).forests().verify(lambda edges: len(edges) < 4)


def slow(state, at, value):
    return (state * 3 + value + at) % 10**9


SLOW = td.dp(60, 1, slow)
CALLS = {
    "count": SLOW.count,
    "build": SLOW.build,
    "combined": (SLOW & td.constraints(60).at_most(40)).count,
    "verify": lambda **limits: td.constraints(22).at_most(3).verify(lambda s: sum(s.values()) <= 3, **limits),
}


@pytest.mark.parametrize("name", CALLS)
def test_limits_hold_in_rules(name, ctrl_c):
    call = CALLS[name]
    assert interrupted(call) < 3
    with pytest.raises(td.TimeLimitError):
        call(timeout=0.3)
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    with pytest.raises(td.CancelledError):
        call(cancel=cancel)
    with pytest.raises(td.InputError, match="memory"):
        call(memory="x")
    if name != "verify":
        with pytest.raises(td.MemoryLimitError):
            call(memory="2MB")
        seen = []
        with pytest.raises(td.TimeLimitError):
            call(timeout=0.4, progress=lambda *stage: seen.append(stage))
        assert seen
        with pytest.raises(td.InputError, match="keeps no checkpoint"):
            call(checkpoint="folder")


def test_other_threads_run_while_a_rule_is_swept():
    ticks = []
    worker = threading.Thread(target=lambda: [ticks.append(time.sleep(0.01)) for _ in range(10)])
    worker.start()
    with pytest.raises(td.TimeLimitError):
        SLOW.count(timeout=1)
    worker.join(5)
    assert len(ticks) == 10
    counts = []
    threads = [threading.Thread(target=lambda: counts.append(APART.count())) for _ in range(4)]
    [thread.start() for thread in threads], [thread.join() for thread in threads]
    assert counts == [17711] * 4


def test_a_rule_with_spilled_states_has_the_same_count(tmp_path):
    rule = td.dp(16, 1, slow)
    assert rule.count(memory="4MB", spill_to=tmp_path) == rule.count() == 2**16


def test_saved_files_have_the_names_of_values(tmp_path):
    def values(variables):
        td.constraints(variables).build().save(tmp_path / "d.tdd")
        found = re.search(rb'values.{0,8}?(\[\[.*?\]\])', (tmp_path / "d.tdd").read_bytes(), re.S)
        return found and json.loads(found[1])

    assert values({"mon": ["early", "late"], "tue": [1.5, (2, "x")]}) == [["early", "late"], ["1.5", "(2, 'x')"]]
    assert values({"a": [1, "1"], "b": [False, True]}) == [["1", "'1'"], ["False", "True"]]
    assert values({"a": [False, True], "b": [0, 1, 2]}) is None
