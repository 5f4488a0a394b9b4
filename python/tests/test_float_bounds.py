"""Bounds that are floats include the sums that are reported as floats."""

import random

import topdd as td


def test_a_reported_weight_is_a_bound_that_includes_it():
    for seed in range(40):
        draw = random.Random(seed)
        grid = [(v, v + step) for v in range(9) for step in (1, 3) if v + step < 9 and (step == 3 or v % 3 < 2)]
        graph = td.Graph([(a, b, draw.random() * 10) for a, b in grid])
        paths = graph.paths(0, 8).build()
        least, most = paths.best(1)[0][0], paths.best(1, max=True)[0][0]
        assert len(paths.cost_at_most(least)) == 1
        assert len(paths.cost_at_least(most)) == 1
        assert graph.paths(0, 8).cost_at_most(least).count() == 1
        assert len(paths.cost_at_most(least * (1 - 1e-12))) == 0


def test_a_sum_of_python_is_a_bound_that_includes_it():
    graph = td.Graph([(0, 1, 0.7), (1, 2, 0.1)])
    assert 0.7 + 0.1 < 0.8
    assert graph.paths(0, 2).cost_at_most(0.7 + 0.1).count() == 1
    assert graph.paths(0, 2).cost_at_most(0.79).count() == 0
