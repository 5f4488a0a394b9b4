"""Arguments of rules, formulas and covers: sets, iterators, numbers of other packages, objects with a strange ==, and pickles."""

import functools
import gc
import gzip
import io
import itertools
import operator
import os
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pytest

import topdd as td

WEEK = td.constraints({"mon": "dno", "tue": "dno", "wed": "dno"})


@pytest.mark.parametrize("call", [
    lambda: td.Variables({"a", "b"}),
    lambda: td.constraints(frozenset("ab"), 2),
    lambda: td.constraints({"a": {"x", "y"}}),
    lambda: td.constraints("ab", {"x", "y"}),
    lambda: td.Bool({"a", "b"}),
    lambda: td.formula("a | b", variables={"a", "b"}),
    lambda: td.cnf([["a", "b"]], variables={"a", "b"}),
    lambda: td.cnf([{"a", "b"}]),
    lambda: WEEK.table([{"d", "n", "o"}]),
    lambda: WEEK.table([("d", "n")], of={"mon", "tue"}),
    lambda: WEEK.precedence({"d", "n"}),
    lambda: WEEK.lex_less({"mon", "tue"}, ["tue", "wed"]),
    lambda: td.exact_cover({frozenset("ab"), frozenset("c")}),
    lambda: td.exact_cover({"r": [1]}).order({"r"}),
    lambda: td.Diagram([{"a"}], elements={"a", "b"}),
])
def test_a_set_is_refused_where_an_order_counts(call):
    with pytest.raises(td.InputError, match="a set has no order; give a list"):
        call()


def test_a_set_is_taken_where_no_order_counts():
    of, values = {"tue", "mon"}, {"n", "d"}
    assert WEEK.at_most(1, of=of, values=values).count() == WEEK.at_most(1, ["mon", "tue"], ["d", "n"]).count()
    assert WEEK.regex("d n", of=of).count() == WEEK.regex("d n", of=["mon", "tue"]).count() == 3
    assert td.cnf([{1, -2}, {2, 3}]).count() == 4 and td.cnf([{"a", "~b"}], variables="a b").count() == 3
    assert td.constraints({"a": 1, "b": 1}.keys(), 3).count() == 9


def test_orders_do_not_depend_on_the_hashes_of_a_process():
    program = (
        "import topdd as td; items = {f'i{n}' for n in range(9)}; "
        "print(td.exact_cover({n: [f'i{n}', f'i{(n + 4) % 9}'][: 1 + n % 2] for n in range(9)}, items, secondary={'x', 'y', 'z'}).build().order)"
    )
    run = [sys.executable, "-c", program]
    orders = {subprocess.run(run, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout for seed in "123"}
    assert len(orders) == 1


def test_iterators_within_arguments_are_kept():
    made = {
        "values": td.constraints({"a": iter("xy"), "b": (n for n in range(3))}),
        "rows": WEEK.table(iter([iter("dno"), (c for c in "ood")])),
        "clauses": WEEK.clauses(iter([iter([("mon", "d"), ("tue", "!=", "d")])])),
        "counts": WEEK.occurrences({"d": 1}, of=iter(["mon", "tue"])),
        "cnf": td.cnf(iter([iter([1, 2]), iter([-2])])),
        "dp": td.dp({"a": iter([0, 1])}, 0, operator_step),
        "spec": td.spec(operator_step, elements={"a": iter([0, 1])}, root=0),
    }
    for name, family in made.items():
        again = pickle.loads(pickle.dumps(family))
        assert again.count() == family.count() > 0, name
        assert "object at" not in repr(family) or name in ("dp", "spec"), name


def operator_step(state, name, value):
    return (state + value) % 2


def test_whole_numbers_of_other_packages_are_whole_numbers():
    three = np.int64(3)
    assert td.constraints(three, np.int32(2)).count() == 8 and td.Variables([three, np.uint8(2)])[0] == (0, 1, 2)
    assert td.constraints(3).at_most(np.int64(1)).count() == td.constraints(3).between(np.int8(0), np.int8(1)).count() == 4
    assert WEEK.occurrences({"d": (np.int64(1), None)}).count() == 19 and td.cnf([[np.int64(1), np.int64(-2)]], variables=three).count() == 6
    assert td.exact_cover({"r": [1], "s": [1]}, items={1: np.int64(1)}).count() == 2


@pytest.mark.parametrize("number", [3.0, True, -1, "3", np.float64(2), np.bool_(True)])
def test_other_numbers_are_refused_by_each_method(number):
    for call in (
        lambda: td.constraints(4).at_most(number), lambda: td.constraints(4).between(0, number), lambda: td.constraints(4).longest_run(number),
        lambda: td.constraints(4).window(number, 0, 1), lambda: td.constraints(4).sum_modulo(number, 0), lambda: td.Graph.grid(number, 2),
        lambda: WEEK.occurrences({"d": number}), lambda: td.exact_cover({"r": [1]}, {1: number}), lambda: td.queens(number),
        lambda: td.constraints(4).build().at_most(number), lambda: td.cnf([[1]], variables=number),
    ):
        with pytest.raises(td.InputError):
            call()


class Odd:
    """An object whose == returns an array, or fails."""

    def __init__(self, result):
        self.result = result

    def __eq__(self, other):
        if self.result is None:
            raise RuntimeError("no comparison")
        return self.result

    def __hash__(self):
        return 1


@pytest.mark.parametrize("result", [None, np.array([True, False])])
def test_objects_that_cannot_be_compared_are_refused(result):
    for call in (lambda: td.constraints({"a": [Odd(result)]}), lambda: td.constraints([Odd(result)]), lambda: td.exact_cover({"r": [Odd(result)]})):
        with pytest.raises(td.InputError, match="cannot be compared .*; its == must return True or False"):
            call()
    with pytest.raises(td.InputError, match="is no literal"):
        WEEK.clauses([[("mon", Odd(result), "d")]])


def test_states_that_cannot_be_compared_or_hashed_are_named():
    arrays = td.dp(3, (0,), lambda state, at, value: (0,) if at == 0 else np.array([1, 2]))
    with pytest.raises(td.InputError, match=r"the state array\(\[1, 2\]\) is not hashable") as error:
        arrays.count()
    assert isinstance(error.value.__cause__, TypeError)
    strange = td.dp(3, (0,), lambda state, at, value: (0,) if at == 0 else Odd(np.array([True, False])))
    with pytest.raises(ValueError, match="neither true nor false|truth value of an array") as error:
        strange.count()
    assert any("in the step of element 1" in note for note in getattr(error.value, "__notes__", ["in the step of element 1"]))


def test_results_that_are_neither_true_nor_false_are_named():
    both = np.array([True, False])
    with pytest.raises(td.InputError, match=r"the predicate returned array\(\[ True, False\]\)"):
        td.constraints(2).verify(lambda solution: both)
    with pytest.raises(td.InputError, match="accept returned array"):
        td.dp(2, 0, lambda *_: 0, lambda state: both).count()


def test_equal_variables_have_equal_hashes():
    one, two = td.Variables({"a": 2, "b": 3}), td.Variables({"b": 3, "a": 2})
    assert one == two and hash(one) == hash(two) and len({one, two}) == 1


def test_accept_of_a_class_is_its_own_or_the_argument():
    class Rule(td.Spec):
        elements, root = 3, 0

        def step(self, state, element, value):
            return state + value

    class Own(Rule):
        def accept(self, state):
            return state == 1

    assert td.spec(Rule).count() == 8 and td.spec(Own).count() == 3
    assert td.spec(Rule, accept=lambda state: state == 2).count() == 3
    with pytest.raises(td.InputError, match="has accept; leave out accept="):
        td.spec(Own, accept=lambda state: state == 2)


def test_objectives_of_combinations():
    one = td.opb(io.StringIO("max: +4 a +5 b; +1 a +1 b <= 1;"))
    two = td.opb(io.StringIO("max: +1 a +9 b; +1 a +1 b >= 1;"))
    none = td.opb(io.StringIO("+1 a +1 b >= 1;"))
    for family in (one & none, none & one, none | one, one - none, one & one.at_most(1)):
        for diagram in (family.build(), pickle.loads(pickle.dumps(family.build()))):
            assert {weight for weight, _ in diagram.best(4)} <= {0, 4, 5, 9}
    assert (none.build() & one).best(1)[0][0] == 4
    for diagram in ((one & two).build(), one.build() & two, (one.build() | two.build()), pickle.loads(pickle.dumps((one & two).build()))):
        with pytest.raises(td.InputError, match="families with different objectives were combined; give weights="):
            diagram.best(1)
        assert diagram.best(1, weights={"a": 1, "b": 2})[0][0] in (0, 1)


def test_verification_has_its_limits():
    with pytest.raises(td.InputError, match="comparisons are of variables with at most 256 values, not 300"):
        td.constraints(1, 300).verify(lambda solution: True)
    assert "256 solutions" in td.constraints(1, 256).verify(lambda solution: solution[0] < 256)
    for name, value in {"memory": "1GB", "spill_to": "folder", "checkpoint": "folder"}.items():
        with pytest.raises(td.InputError, match=f"leave out {name}="):
            td.constraints(2).verify(lambda solution: True, **{name: value})


def test_a_trace_has_names_whatever_states_look_like():
    class State(str):
        __repr__ = str.__str__

    text = State("variable 99 = 7\nvalue 8 of variable 77")
    family = td.dp({"mon": ["late", "early"], "tue": ["late", "early"]}, text, lambda state, name, value: state)
    with pytest.raises(td.VerifyError) as error:
        family.verify(lambda solution: solution["tue"] == "late")
    assert str(error.value) == (
        "Solution({'mon': 'late', 'tue': 'early'}) is a solution of the family, but not of the predicate\n"
        f"root: state {text}\n'mon' = 'late': state {text} at 'tue'\n'tue' = 'early': a solution"
    )
    with pytest.raises(td.VerifyError, match=r"'tue' = 'early': no solution, by at_most") as error:
        family.at_most(0, values=["early"]).verify(lambda solution: solution["mon"] == "late")
    long = td.constraints(20).at_most(1)
    with pytest.raises(td.VerifyError, match=r"\n... \(4 of 20 variables\)\n4 = False: state"):
        long.verify(lambda solution: sum(solution.values()) == 0)


def test_limits_name_the_variable():
    slow = td.dp([f"x{n}" for n in range(60)], 1, lambda state, name, value: (state * 3 + value + len(name)) % 10**9)
    with pytest.raises(td.MemoryLimitError, match=r"was reached at variable 'x\d+' \(\d+ of 60\)"):
        slow.count(memory="2MB")
    with pytest.raises(td.TimeLimitError, match=r"was reached at variable 'x\d+' \(\d+ of 60\)|was reached$"):
        slow.count(timeout=0.3)
    with pytest.raises(td.MemoryLimitError, match=r"at edge \d+ of 1740"):
        td.Graph.grid(30, 30).paths(0, 899).count(memory="2MB", threads=1)


def test_a_damaged_archive_is_an_error_of_the_package():
    packed = gzip.compress(b"p cnf 2 1\n1 2 0\n" * 50)
    for damaged in (packed[:-12], packed[:12] + b"\xff" * 9 + packed[21:], packed[:30] + bytes(20) + packed[50:]):
        with pytest.raises(td.FileError):
            td.cnf(io.BytesIO(damaged))


def test_expressions_of_many_terms():
    b = td.Bool([f"x{n}" for n in range(3)])
    many = functools.reduce(operator.or_, itertools.islice(itertools.cycle(b), 100_000))
    assert td.formula(many).count() == 7 and pickle.loads(pickle.dumps(~many)).names == b.names
    assert repr(~(b.x0 & True) ^ b.x1) == "(~(x0 & True) ^ x1)"


class Failed(Exception):
    pass


@pytest.mark.parametrize("threads", [1, 2])
def test_the_exception_of_a_step_is_raised_and_not_kept(threads):
    raised = []

    def step(state, at, value):
        if at == 3:
            try:
                {}[at]
            except KeyError as error:
                failed = Failed("here")
                raised.append(weakref.ref(failed))
                raise failed from error
        return state + value

    family = td.dp(8, 0, step)
    for call in (lambda: family.count(threads=threads), lambda: family.build(threads=threads), lambda: family.verify(lambda s: True)):
        raised.clear()
        with pytest.raises(Failed, match="here") as error:
            call()
        assert any(ref() is error.value for ref in raised) and isinstance(error.value.__cause__, KeyError)
        del error
        gc.collect()
        assert all(ref() is None for ref in raised)


RULES = """
import topdd as td

@td.spec(elements=["a", "b", "c"], root=0)
def apart(state, name, value):
    return None if state and value else int(value)

@td.spec
class Few(td.Spec):
    elements, root = 4, 0
    def step(self, state, element, value):
        return state + value
    def accept(self, state):
        return state <= 1

narrow = apart.at_most(1)
"""


def test_families_of_decorated_rules_are_pickled(tmp_path, monkeypatch):
    (tmp_path / "own_rules.py").write_text(RULES)
    monkeypatch.syspath_prepend(tmp_path)
    import own_rules

    families = {"apart": own_rules.apart, "few": own_rules.Few, "narrow": own_rules.narrow, "both": own_rules.apart | own_rules.narrow}
    counts = {name: family.count() for name, family in families.items()}
    assert counts == {"apart": 5, "few": 5, "narrow": 4, "both": 5}
    content = pickle.dumps(families)
    assert {name: family.count() for name, family in pickle.loads(content).items()} == counts
    (tmp_path / "rules.pickle").write_bytes(content)
    program = "import pickle; print({name: family.count() for name, family in pickle.load(open('rules.pickle', 'rb')).items()})"
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert done.stdout.strip() == str(counts), done.stderr
    own_rules.apart = None
    with pytest.raises(td.InputError, match="apart of the module own_rules is no family of a rule"):
        pickle.loads(content)
