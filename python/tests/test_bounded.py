"""The best solution, and counts, within bounds."""

import itertools
import os
import random
import threading

import pytest

import topdd as td
from test_limits import ctrl_c, interrupted


def graphs():
    draw = random.Random(7)
    for n in (6, 9, 11):
        pairs = itertools.combinations(range(n), 2)
        yield td.Graph([(a, b, draw.randint(1, 9)) for a, b in pairs if draw.random() < 0.4], vertices=range(n))


@pytest.mark.parametrize("name", ["independent_sets", "vertex_covers", "cliques", "dominating_sets", "matchings"])
@pytest.mark.parametrize("greatest", [False, True])
def test_proven_weights_are_those_of_the_diagram(name, greatest):
    for graph in graphs():
        for family in (getattr(graph, name)(), getattr(graph, name)().at_least(1).at_most(4)):
            best = family.bounded(max=greatest, width=2)
            if not family.build():
                assert best.proven and best.solution is None
                continue
            ((weight, _),) = family.build().best(1, max=greatest)
            assert (best.weight, best.bound, best.gap, best.proven) == (weight, weight, 0.0, True)
            assert best.solution in family.build()
            near = family.bounded(max=greatest, width=1, gap="60%", threads=1)
            sides = [near.bound, weight, near.weight]
            assert sides == sorted(sides, reverse=greatest)


def brute(values, uses, room):
    every = itertools.product((0, 1), repeat=len(values))
    return max(sum(map(int.__mul__, t, values)) for t in every if sum(map(int.__mul__, t, uses)) <= room)


def test_constraints_fractions_and_files(tmp_path):
    draw = random.Random(3)
    for _ in range(5):
        values, uses = ([draw.randint(1, 30) for _ in range(10)] for _ in "ab")
        bag = td.constraints(10, [0, 1]).linear(dict(enumerate(uses)), "<=", 60)
        best = bag.bounded(dict(enumerate(values)), max=True, width=3, threads=2)
        assert best.proven and best.weight == brute(values, uses, 60)
        halves = bag.bounded({i: value / 2 for i, value in enumerate(values)}, max=True, width=3)
        assert halves.bound == halves.weight == best.weight / 2
        assert isinstance(halves.bound, float)
    file = tmp_path / "bag.opb"
    file.write_text("max: +4 a +5 b +7 c; +3 a +4 b +5 c <= 9;")
    best = td.opb(file).bounded(max=True, width=2)
    assert best.weight == 12 and set(best.solution) == {("a", False), ("b", True), ("c", True)}
    none = td.constraints(3, 2).at_least(2).at_most(1).bounded(width=5)
    assert (none.solution, none.weight, none.bound, none.proven) == (None, None, None, True)
    assert "no solution" in repr(none)


def test_better_solutions_are_reported_and_their_exceptions_come_through():
    grid = td.Graph.grid(6, 6).independent_sets()
    seen = []
    best = grid.bounded(max=True, width=5, threads=1, on_better=lambda weight, solution: seen.append((weight, len(solution))))
    assert seen == sorted(seen) and seen[-1] == (best.weight, best.weight) == (18, 18)

    def fail(weight, solution):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        grid.bounded(max=True, width=5, on_better=fail)


def hard():
    draw = random.Random(1)
    return td.Graph([pair for pair in itertools.combinations(range(120), 2) if draw.random() < 0.08]).independent_sets().order("given")


def test_a_limit_ends_a_run_with_what_is_known():
    family = hard()
    # With little memory, the deepest states come first, so that the run goes on.
    for limits in ({"timeout": 0.5}, {"timeout": 0.5, "memory": "8MB"}):
        best = family.bounded(max=True, width=20, **limits)
        end = best.stopped_by
        assert end in ("time", "memory") and not best.proven and best.weight < best.bound
        assert 0 < best.gap == pytest.approx((best.bound - best.weight) / best.weight)
        assert f"stopped by {end}" in repr(best)
    event = threading.Event()
    threading.Timer(0.5, event.set).start()
    best = family.bounded(max=True, width=20, cancel=event)
    assert best.stopped_by == "cancel" and best.weight < best.bound
    texts = []
    family.bounded(max=True, width=20, timeout=0.5, progress=lambda done, total, text: texts.append(text))
    assert any("bound" in text for text in texts)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_is_an_exception(ctrl_c):
    assert interrupted(lambda: hard().bounded(max=True, width=20, timeout=60)) < 3


def test_rules_of_the_user_merge():
    sizes, room = [5, 7, 4, 3, 6, 8, 2, 9], 20

    class Packing(td.Spec):
        elements, root = td.Variables(8, [0, 1]), 20

        def step(self, room, item, taken):
            return room - sizes[item] * taken if room >= sizes[item] * taken else None

        def merge(self, one, other):
            return max(one, other)

    family = td.spec(Packing())
    assert family.bounded(max=True, width=2).weight == max(map(sum, family.build().to_numpy().tolist()))
    lower, upper = family.count_bounds(width=2)
    assert lower <= family.count() <= upper
    alone = td.dp(8, room, lambda room, item, taken: room - sizes[item] * taken if room >= sizes[item] * taken else None)
    assert alone.bounded(max=True, width=2).weight == family.bounded(max=True).weight
    assert alone.count_bounds(width=2)[1] is None and alone.count() == family.count()

    def fail(one, other):
        raise ZeroDivisionError("in merge")

    broken = td.dp(8, 0, lambda state, item, taken: state + taken, merge=fail)
    with pytest.raises(ZeroDivisionError, match="in merge"):
        broken.count_bounds(width=2)


def test_counts_are_within_their_bounds_and_estimates_near():
    for family in (td.constraints(30, [0, 1]).at_most(9), td.Graph.grid(5, 5).independent_sets()):
        count = family.count()
        lower, upper = family.count_bounds(width=6)
        assert lower <= count <= upper
        assert family.count_bounds() == (count, count)
        estimate = family.estimate_count(2000, seed=2, width=6)
        assert estimate.low <= count <= estimate.high and estimate.samples == 2000
        assert repr(estimate) == repr(family.estimate_count(2000, seed=2, width=6))
    with pytest.raises(td.TimeLimitError):
        hard().count_bounds(width=100_000, timeout=0.01)


@pytest.mark.parametrize("arguments, text", [
    ({"width": 0}, "width=0"), ({"width": 1.5}, "width=1.5"), ({"gap": -1}, "gap=-1"), ({"gap": "much"}, "5%"),
    ({"on_better": 3}, "on_better=3"), ({"weights": [1]}, "weight"),
])
def test_wrong_arguments_are_refused(arguments, text):
    with pytest.raises(td.InputError, match=text):
        td.Graph.cycle(5).matchings().bounded(**arguments)


def test_families_that_do_not_merge_are_refused():
    for family in (td.Graph.grid(3, 3).spanning_trees(), td.Graph.grid(3, 3).paths(0, 8), td.queens(5)):
        with pytest.raises(td.InputError, match="do not merge"):
            family.bounded(width=10)
