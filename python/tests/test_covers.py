"""Exact covers against brute force."""

import os
import pickle
import subprocess
import sys
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import topdd as td

ITEMS = st.frozensets(st.integers(0, 4), min_size=1, max_size=3)


def brute(options, times):
    """Return the sets of options that cover each item as often as `times` says."""
    names = list(options)
    found = set()
    for size in range(len(names) + 1):
        for chosen in combinations(names, size):
            counts = {item: sum(item in options[name] for name in chosen) for item in times}
            if all(low <= counts[item] <= high for item, (low, high) in times.items()):
                found.add(frozenset(chosen))
    return found


@given(
    st.dictionaries(st.text("abc", min_size=1, max_size=2), ITEMS, max_size=7),
    st.dictionaries(st.integers(0, 4), st.sampled_from([(1, 1), (0, 1), (0, 2), (1, 3), (2, 2)])),
    st.frozensets(st.integers(0, 4), max_size=2),
)
def test_random_covers_are_those_of_brute_force(options, times, secondary):
    known = {item for option in options.values() for item in option}
    times = {item: times.get(item, (1, 1)) for item in known - secondary}
    cover = td.exact_cover(options, times, secondary=secondary)
    expected = brute(options, times | dict.fromkeys(secondary, (0, 1)))
    assert cover.count() == len(expected)
    assert {frozenset(solution) for solution in cover.build()} == expected
    assert pickle.loads(pickle.dumps(cover)).count() == len(expected)
    assert repr(pickle.loads(pickle.dumps(cover))) == repr(cover)


def test_options_in_lists_are_numbered_and_iterators_are_kept():
    cover = td.exact_cover(iter([iter("ab"), ["c"], ("a",), {"b", "c"}]))
    assert cover.count() == 2
    assert sorted(map(sorted, cover.build())) == [[0, 1], [2, 3]]
    assert repr(cover.order([3, 1, 0, 2])).endswith(".order([3, 1, 0, 2])>")
    assert cover.order([3, 1, 0, 2]).build().order == [3, 1, 0, 2]
    assert pickle.loads(pickle.dumps(cover)).count() == 2
    same = td.exact_cover([["a", "b"], ["c"], ["a"], ["b", "c"]])
    assert (cover & same).count() == (cover | same).count() == 2
    assert (cover - same).count() == 0


def test_conditions_hold_before_a_cover_is_built():
    edges = list(combinations(range(6), 2))
    cover = td.exact_cover({edge: edge for edge in edges}, {vertex: (0, 1) for vertex in range(6)})
    weights = {edge: edge[0] - 2 * edge[1] for edge in edges}
    diagram, every = cover.build(), td.Diagram([], elements=edges)
    for kept in (
        lambda f: f.including((0, 3)), lambda f: f.excluding((0, 3), (1, 2)), lambda f: f.exactly(2), lambda f: f.at_most(1),
        lambda f: f.at_least(3), lambda f: f.cost_at_most(-9, weights), lambda f: f.cost_at_least(2), lambda f: f.including((0, 3)).at_least(2),
        lambda f: f.at_least(2) | f.including((1, 2)), lambda f: f - f.excluding((0, 1)), lambda f: f & ~f.exactly(2),
    ):
        assert kept(cover).build() == kept(diagram) and kept(cover).count() == len(kept(diagram)) > 0
        assert pickle.loads(pickle.dumps(kept(cover))).count() == kept(cover).count()
    assert (~cover).count() == 2**15 - len(diagram) and (~cover).build() == ~diagram and ~~cover.build() == diagram
    assert cover.at_least(3).order(edges[::-1]).build().order == edges[::-1]
    assert (~every).count() == 2**15
    queens = td.queens(5)
    assert queens.including("a1").build() == queens.build().including("a1") and (~queens).count() == 2**25 - 10
    assert queens.cost_at_most(4).count() == 0 and queens.exactly(5).count() == 10


def test_bounds():
    edges = {"ab": "ab", "bc": "bc", "ca": "ca"}
    options = {name: list(ends) for name, ends in edges.items()}
    assert td.exact_cover(options, items={"a": 2, "b": (1, None), "c": (None, 2)}).count() == 2
    assert td.exact_cover(options, items=["a"], secondary=["b", "c"]).count() == 2
    assert td.exact_cover({}).count() == 1


def test_diagrams_of_covers_have_queries_and_files(tmp_path):
    cover = td.exact_cover({("a", 1): [1, 2], "b": [3], "c": [1], "d": [2, 3], "e": [2]})
    diagram = cover.build(memory="1GB", timeout=60)
    assert diagram.best(1, weights={("a", 1): 5, "b": 1, "c": 1, "d": 1, "e": 9})[0][0] == 2
    diagram.save(tmp_path / "cover.tdd")
    assert list(td.Diagram.load(tmp_path / "cover.tdd")) == list(diagram)


@pytest.mark.parametrize("call, advice", [
    (lambda: td.exact_cover({"r": []}), "the option 'r' has no items; leave it out"),
    (lambda: td.exact_cover({"r": [1, 1]}), "item of option 'r', 1 is given twice"),
    (lambda: td.exact_cover({"r": [1, 2]}, [1]), "the item 2 of option 'r' is neither in items nor in secondary"),
    (lambda: td.exact_cover({"r": [1]}, [1], secondary=[1]), "the item 1 is given twice"),
    (lambda: td.exact_cover({"r": [1]}, [1, 1]), "the item 1 is given twice"),
    (lambda: td.exact_cover({"r": [[1]]}), "not hashable"),
    (lambda: td.exact_cover({"r": "ab"}), "the option 'r' is 'ab'; give a list"),
    (lambda: td.exact_cover({"r": 3}), "the option 'r' is 3; give a list"),
    (lambda: td.exact_cover(3), "options is 3; give a list"),
    (lambda: td.exact_cover({"r": [1]}, {1: (2, 1)}), r"the item 1 is covered \(2, 1\) times; give a number"),
    (lambda: td.exact_cover({"r": [1]}, {1: -1}), "give a number from 0"),
    (lambda: td.exact_cover({"r": [1]}, {1: True}), "give a number from 0"),
    (lambda: td.exact_cover({"r": [1]}).order([]), "nowhere"),
    (lambda: td.exact_cover({"r": [1]}).order("bfs"), "the order of an exact cover"),
    (lambda: td.exact_cover({"r": [1]}, [1, 2]), "no option has the item 2, which must be covered; add one"),
    (lambda: td.exact_cover({}, items=["a"]), "no option has the item 'a'"),
    (lambda: td.exact_cover({"r": [1]}).including("s"), "there is no element 's'; the elements are 'r'"),
    (lambda: td.exact_cover({"r": [1]}).through("r"), "through is for sets of edges and of vertices"),
])
def test_bad_arguments_are_refused_with_advice(call, advice):
    with pytest.raises(td.InputError, match=advice):
        call()


def test_the_order_does_not_depend_on_the_hashes_of_a_process():
    program = (
        "import topdd as td; r = range(4); "
        "cover = {f'{a}{b}': {f'p{a}', f'q{b}'} for a in r for b in r}; print(td.exact_cover(cover).build().order)"
    )
    run = [sys.executable, "-c", program]
    orders = {subprocess.run(run, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout for seed in "123"}
    assert len(orders) == 1
