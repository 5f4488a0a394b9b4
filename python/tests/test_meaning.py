"""Values are read by their meaning, and not by their position in the list of the values."""

import pickle

import pytest

import topdd as td

NAMES = "abc"
FORWARD = td.constraints(NAMES, [False, True]).clauses([[("a", True), ("b", True)]])
BACKWARD = td.constraints(NAMES, [True, False]).clauses([[("a", True), ("b", True)]])
MIXED = td.constraints({"a": [True, False], "b": [0, 1], "c": [1, 0]}).clauses([[("a", True), ("b", 1)]])

QUERIES = {
    "count_by_size": lambda d: d.count_by_size(),
    "best": lambda d: [weight for weight, _ in d.best(9)],
    "greatest": lambda d: dict(d.best(1, max=True)[0][1]),
    "weight": lambda d: sorted(solution.weight for solution in d),
    "probability": lambda d: d.probability([0.25, 0.5, 0.75]),
    "marginals": lambda d: d.marginals(),
    "marginals of weights": lambda d: d.marginals([1, 2, 3]),
    "birnbaum": lambda d: d.birnbaum([0.25, 0.5, 0.75]),
    "banzhaf": lambda d: d.banzhaf(),
    "shapley": lambda d: d.shapley(),
    "linear": lambda d: [weight for weight, _ in d.best(9, {"a": 2, "b": 3, "c": 5})],
    "of values": lambda d: d.element_counts(),
}
SETS = {
    "at_most": lambda d: d.at_most(1),
    "at_least": lambda d: d.at_least(3),
    "exactly": lambda d: d.exactly(2),
    "cost": lambda d: d.cost_at_most(1),
    "minimal": lambda d: d.minimal(),
    "maximal": lambda d: d.maximal(),
    "hitting_sets": lambda d: d.hitting_sets(),
    "join": lambda d: d.join(d.at_most(1)),
    "meet": lambda d: d.meet(d.at_most(1)),
    "quotient": lambda d: d.quotient(d.minimal()),
    "supersets_of": lambda d: d.supersets_of(d.exactly(2)),
    "subsets_of": lambda d: d.subsets_of(d.exactly(2)),
    "flip": lambda d: d.flip("a", "c"),
}
OF_FAMILIES = {
    "at_most": lambda f: f.at_most(1),
    "at_least": lambda f: f.at_least(3),
    "between": lambda f: f.between(1, 2),
    "window": lambda f: f.window(2, 1, 1),
    "least_distance": lambda f: f.least_distance(2),
    "cost": lambda f: f.cost_at_most(1),
    "sum_modulo": lambda f: f.sum_modulo(2, 0),
    "sum of two": lambda f: f.sum_modulo(3, 2, of="bc"),
    "linear": lambda f: f.linear({"a": 1, "b": 2, "c": 3}, ">=", 4),
    "clauses": lambda f: f.clauses([[("a", 0), ("c", "!=", 1)]]),
    "regex": lambda f: f.regex("1 0 .") if f is not MIXED else f.including(("a", 1), ("b", 0)),
}


def sets(diagram):
    return {frozenset(name for name, value in solution.items() if value) for solution in diagram}


@pytest.mark.parametrize("family", [BACKWARD, MIXED])
def test_the_true_value_is_that_of_a_member_wherever_it_is(family):
    forward, diagram = FORWARD.build(), family.build()
    for name, query in QUERIES.items():
        assert query(diagram) == query(forward), name
    for name, query in SETS.items():
        assert sets(query(diagram)) == sets(query(forward)), name
    for name, query in OF_FAMILIES.items():
        assert sets(query(family).build()) == sets(query(FORWARD).build()), name
    assert family.count_by_size() == FORWARD.count_by_size() == [0, 2, 3, 1]


@pytest.mark.parametrize("values", [["yes", "no"], ["no", "yes"], [1, 2], [0, None]])
def test_values_of_which_none_is_false_need_a_choice(values):
    family = td.constraints("ab", values)
    diagram = family.build()
    for name, query in QUERIES.items():
        if name not in ("of values", "linear"):
            with pytest.raises(td.InputError, match="not clear which of the values .* of 'a'"):
                query(diagram)
    for query in (family.count_by_size, lambda: diagram.at_most(1), diagram.minimal, diagram.hitting_sets, lambda: diagram.join(diagram)):
        with pytest.raises(td.InputError, match="use the values False and True"):
            query()
    with pytest.raises(td.InputError, match="not exactly one is False or 0; list the values that count"):
        family.at_most(1)
    assert family.at_most(1, values=values[:1]).count() == 3
    assert [weight for weight, _ in diagram.best(9, lambda name, value: value == values[0])] == [0, 1, 1, 2]


def test_a_variable_that_is_always_true_counts():
    assert td.constraints({"a": [True], "b": [False, True], "c": [False]}).at_most(1).count() == 1


def test_sums_of_values_in_another_order():
    assert td.constraints({"a": [3, 2], "b": [5, 6], "c": [7]}).sum_modulo(10, 5).build()[0].values() == (3, 5, 7)
    with pytest.raises(td.InputError, match="no consecutive whole numbers"):
        td.constraints({"a": [2, 1, 0]}).sum_modulo(2, 0)
    with pytest.raises(td.InputError, match="no consecutive whole numbers"):
        td.constraints({"a": [1, 0], "b": 3}).sum_modulo(2, 0)


def test_digits_of_a_pattern_stand_for_the_values():
    for values in ([False, True], [True, False]):
        assert [dict(s) for s in td.constraints("ab", values).regex("1 0").build()] == [{"a": True, "b": False}]
    assert td.constraints("ab", [True]).regex("1*").count() == 1
    with pytest.raises(td.InputError, match="there is no value '0'; the values are <True>"):
        td.constraints("ab", [True]).regex("0*")


def test_steps_get_the_objects_of_each_variable():
    seen = set()

    def step(state, name, value):
        seen.add((name, type(value)))
        return state

    assert td.dp({"a": [0, 1], "b": [False, True], "c": [0.0, 1.0]}, 0, step).count() == 8
    assert seen == {("a", int), ("b", bool), ("c", float)}
