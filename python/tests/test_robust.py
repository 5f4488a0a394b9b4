"""Ten uses of each kind that break careless extensions: threads, forks, callbacks that fail, and vertices that have no hash."""

import contextlib
import multiprocessing
import os
import pathlib
import pickle
import platform
import shutil
import subprocess
import sys
import threading

import networkx as nx
import pytest

import topdd as td

GRID = td.Graph(nx.grid_2d_graph(3, 4), weight=range(1, 18), p=0.5)
FAMILY = GRID.forests()

# Each makes its result from a diagram, a family and an iterator that several threads or processes share.
USES = {
    "count": lambda d, f: f.count(),
    "build": lambda d, f: f.build() == d,
    "sizes": lambda d, f: (d.count_by_size(), f.count_by_size()),
    "positions": lambda d, f: (d[5], d[-1], d[3:9], d.rank(d[7])),
    "samples": lambda d, f: d.sample(100, seed=4),
    "arrays": lambda d, f: d.to_numpy().sum(),
    "hashes": lambda d, f: (hash(d), hash(d[3]), hash(d.graph)),
    "algebra": lambda d, f: ((d - f.at_most(3)) | d.exactly(2)).count(),
    "hitting sets": lambda d, f: d.at_least(10).hitting_sets().count(),
    "optima": lambda d, f: (d.best(9), d.cost_at_most(20).count()),
    "importance": lambda d, f: (d.marginals(), d.birnbaum(0.5), d.banzhaf(), d.shapley()),
    "counts": lambda d, f: (d.edge_counts(), d.probability(), d.graph.reliability([(0, 0), (2, 3)])),
    "files": lambda d, f: pickle.loads(pickle.dumps(d)) == d,
    "pictures": lambda d, f: (d.heat_map().svg, d[3].picture().svg, d.to_networkx().size()),
}


def all_uses(d, f):
    return [repr(use(d, f)) for use in USES.values()]


@pytest.mark.parametrize("name", USES)
def test_threads_share_one_object(name):
    expected = repr(USES[name](FAMILY.build(), FAMILY))
    diagram, family, results = FAMILY.build(), GRID.forests(), []
    start = threading.Barrier(4)

    def work():
        start.wait()
        results.append(repr(USES[name](diagram, family)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4


def in_child(queue, diagram, family):
    queue.put(all_uses(diagram, family))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_a_fork_after_use_computes_the_same():
    diagram = FAMILY.build()
    expected = all_uses(diagram, FAMILY)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue, diagram, FAMILY))
    child.start()
    assert queue.get(timeout=60) == expected
    child.join()


MANY_CALLS = """
import os, pathlib, topdd as td
log = pathlib.Path(os.environ["DETACH_LOG"])
grid = td.Graph.grid(3, 3)
family, diagram = grid.paths(0, 8), grid.paths(0, 8).build()
calls = [family.count, family.build, lambda: diagram & diagram, lambda: diagram.best(1), diagram.sample]
for number in range(500):
    calls[number % len(calls)]()
    if number == 100:
        at_first = log.stat().st_size
assert family.count() == 12
assert log.stat().st_size == at_first > 0, (log.stat().st_size, at_first)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc" or platform.machine() != "x86_64", reason="a library for glibc")
def test_threads_are_started_once_and_stay(tmp_path):
    source = pathlib.Path(__file__).parents[2] / "crates/topdd/tests/slow_detach.c"
    compiler = shutil.which("cc")
    if compiler is None or not source.exists():
        pytest.skip("a C compiler and a checkout are needed")
    library = tmp_path / "slow_detach.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    environment = {**os.environ, "LD_PRELOAD": str(library), "DETACH_LOG": str(tmp_path / "calls")}
    run = subprocess.run([sys.executable, "-c", MANY_CALLS], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


class Failure(BaseException):
    """An exception that no handler of the package may take."""


def fail(*_):
    raise Failure


class Vertex:
    """A vertex with a method that fails once it is armed."""

    armed = None

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        if Vertex.armed == "hash":
            raise Failure
        return hash(self.name)

    def __eq__(self, other):
        if Vertex.armed == "eq":
            raise Failure
        return isinstance(other, Vertex) and self.name == other.name

    def __repr__(self):
        if Vertex.armed == "repr":
            raise Failure
        return f"Vertex({self.name!r})"


class Number:
    """A weight whose conversion fails."""

    __float__ = __index__ = __round__ = fail


class Weights(dict):
    """A mapping that fails when it is read."""

    __getitem__ = __iter__ = keys = items = get = fail


def members(*first):
    yield from first
    raise Failure


def nested(done, total, text):
    # A callback may use the package itself, and then fail.
    assert td.Graph.grid(4, 4).paths(0, 15).count() == 184
    raise Failure


@contextlib.contextmanager
def armed(method):
    Vertex.armed = method
    try:
        yield
    finally:
        Vertex.armed = None


A, B, C = (Vertex(name) for name in "abc")
ABC = td.Graph([(A, B), (B, C), (C, A)])


@pytest.mark.parametrize("call", [
    lambda: td.Graph.grid(6, 6).forests().count(progress=fail),
    lambda: td.Graph.grid(6, 6).forests().build(progress=nested),
    lambda: td.Graph.grid(6, 6).forests().build().hitting_sets(progress=fail),
    lambda: td.Diagram(members({1, 2})),
    lambda: td.Diagram([members(1, 2)]),
    lambda: td.Diagram([{1}], elements=members(1, 2)),
    lambda: td.Graph(members((1, 2))),
    lambda: GRID.steiner_trees(members((0, 0))),
    lambda: FAMILY.order(members(GRID.edges[0])),
    lambda: FAMILY.cost_at_most(Number()),
    lambda: FAMILY.build().best(1, weights=Weights()),
    lambda: FAMILY.build().probability(Weights()),
    lambda: members(GRID.edges[0]) in FAMILY.build(),
    lambda: FAMILY.build().rank(members(GRID.edges[0])),
])
def test_exceptions_of_callbacks_are_raised(call):
    with pytest.raises(Failure):
        call()
    assert GRID.paths((0, 0), (2, 3)).count() == 38


@pytest.mark.parametrize("method, call", [
    ("hash", lambda: ABC.paths(A, B)),
    ("hash", lambda: ABC.forests().through(A)),
    ("hash", lambda: {A} in ABC.independent_sets().build()),
    ("hash", lambda: ABC.spanning_trees().build().element_counts()),
    ("hash", lambda: td.Graph([(A, B)])),
    ("eq", lambda: ABC.paths(Vertex("a"), B)),
    ("eq", lambda: td.Diagram([{A}]) | td.Diagram([{Vertex("a")}])),
    ("eq", lambda: ABC == td.Graph([(Vertex("a"), B), (B, C), (C, A)])),
    ("repr", lambda: repr(ABC.steiner_trees([A, B]))),
    ("repr", lambda: repr(ABC.spanning_trees().build()[0])),
])
def test_exceptions_of_vertices_are_raised(method, call):
    with armed(method), pytest.raises(Failure):
        call()
    assert ABC.spanning_trees().count() == 3


@pytest.mark.parametrize("call", [
    lambda: td.Graph([([1], 2)]),
    lambda: td.Graph([(1, 2)], vertices=[1, 2, {}]),
    lambda: td.Diagram([[[1]]]),
    lambda: td.Diagram([{1}], elements=[1, [2]]),
    lambda: GRID.paths([0], (2, 3)),
    lambda: GRID.forests().through([0]),
    lambda: GRID.forests().avoid({}),
    lambda: GRID.steiner_trees([[0], [1]]),
    lambda: GRID.colourings(3).including(([0], 1)),
    lambda: GRID.independent_sets().excluding({0}),
    lambda: GRID.reliability([[0]]),
    lambda: GRID.subgraphs(vertex_groups=[[[0]]]),
    lambda: FAMILY.build().rank([[1]]),
    lambda: [[1]] in FAMILY.build(),
    lambda: FAMILY.order([[1]]),
])
def test_objects_without_a_hash_are_input_errors(call):
    with pytest.raises(td.InputError):
        call()
