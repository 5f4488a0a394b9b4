"""Limits, interrupts, progress, threads, forks, and bad arguments."""

import multiprocessing
import os
import signal
import threading
import time

import networkx as nx
import pytest

import topdd as td

HARD = td.Graph.grid(16, 16).paths(0, 255)
WIDE = td.Graph.grid(9, 9).forests()
GRID = td.Graph.grid(8, 8)
LARGE = [GRID.spanning_trees().order(GRID.edges).build(), GRID.connected().order(GRID.edges[::-1]).build()]
MANY = td.Graph.grid(5, 5).spanning_trees().build()
SUBSETS = ~td.Diagram([set()], elements=range(20000))


@pytest.fixture(scope="module")
def paths():
    return td.Graph.grid(8, 8).paths(0, 63).build()


@pytest.fixture(autouse=True)
def ctrl_c():
    """A shell that starts the tests in the background lets them ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted(call, after=0.3):
    """Seconds from a signal to the KeyboardInterrupt of a call."""
    sent = []

    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
        return time.monotonic() - sent[0]
    finally:
        timer.cancel()
        timer.join()


def is_idle(within):
    """Whether all threads of this process wait at some time within so many seconds."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        used = time.process_time()
        time.sleep(0.1)
        if time.process_time() - used < 0.02:
            return True
    return False


def combined(**limits):
    """An operator on two diagrams in opposite orders."""
    with td.limits(**limits):
        return LARGE[0] ^ LARGE[1]


def sliced(**limits):
    with td.limits(**limits):
        return MANY[: 2 * 10**7]


CALLS = {
    "count": lambda **limits: HARD.count(**limits),
    "count of paths with a bound": lambda **limits: HARD.at_most(140).count(**limits),
    "count_by_size": lambda **limits: HARD.count_by_size(**limits),
    "build": lambda **limits: HARD.build(**limits),
    "hitting_sets": lambda **limits: td.Graph.grid(7, 7).paths(0, 48).build().hitting_sets(**limits),
    "reliability": lambda **limits: td.Graph.grid(16, 16).reliability(p=0.5, **limits),
    "sample": lambda **limits: LARGE[0].sample(10**7, **limits),
    "algebra": combined,
    "shapley": lambda **limits: (~td.Diagram([set()], elements=range(1000))).shapley(**limits),
    "iteration": sliced,
}


# Queries have no limits of their own, and stop with the call.
QUERIES = {
    "loop": lambda: [None for _ in LARGE[0] if False],
    "count_by_size of a diagram": lambda: SUBSETS.count_by_size(),
    "element_counts": lambda: SUBSETS.element_counts(),
    "minimal": lambda: LARGE[1].minimal(),
    "cost_at_most": lambda: LARGE[1].cost_at_most(2 * 10**9, weights=[n**4 for n in range(len(GRID.edges))]),
}


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("name", [*CALLS, *QUERIES])
def test_ctrl_c_interrupts_within_a_fifth_of_a_second_and_the_work_ends(name):
    handler = signal.getsignal(signal.SIGINT)
    # On an idle machine, 0.2 s; the machine of a test may be busy.
    assert interrupted({**CALLS, **QUERIES}[name]) < 3
    assert signal.getsignal(signal.SIGINT) is handler
    assert td.Graph.grid(3, 3).paths(0, 8).count() == 12
    assert is_idle(within=5)


@pytest.mark.parametrize("name", CALLS)
def test_time_limits_are_timeout_errors(name):
    start = time.monotonic()
    with pytest.raises(TimeoutError) as error:
        CALLS[name](timeout=0.3)
    assert isinstance(error.value, td.TimeLimitError) and time.monotonic() - start < 30


@pytest.mark.parametrize("name", CALLS)
def test_memory_limits_are_memory_errors(name):
    with pytest.raises(MemoryError) as error:
        CALLS[name](memory="100kB" if name == "hitting_sets" else "1MB", timeout=60)
    assert isinstance(error.value, td.MemoryLimitError) and "memory" in str(error.value)


def test_limits_of_a_block_hold_for_operators(paths):
    with td.limits(timeout=0), pytest.raises(TimeoutError):
        paths & paths.graph.forests()
    with td.limits(memory=10**5), pytest.raises(MemoryError):
        WIDE.build()
    with td.limits(memory=1), td.limits(memory="1GB"):
        assert td.Graph.grid(3, 3).paths(0, 8).count() == 12
    assert td.Graph.grid(3, 3).paths(0, 8).count() == 12


def test_a_sweep_that_spills_has_the_same_answer(tmp_path):
    family = td.Graph.grid(10, 10).forests()
    d = family.build(memory="8MB", spill_to=tmp_path)
    assert d.count() == family.count() and d.report.peak_disk_bytes > 0


@pytest.mark.parametrize("bounded", [False, True])
def test_a_count_resumes_at_its_checkpoint(bounded, tmp_path):
    family = td.Graph.grid(12, 12).paths(0, 143)
    if bounded:
        family = family.at_most(80)

    def stop(done, total, text):
        if (tmp_path / "topdd-manifest").exists():
            raise InterruptedError

    with pytest.raises(InterruptedError):
        family.count(checkpoint=tmp_path, progress=stop, threads=1)
    with pytest.raises(td.FileError, match="another run"):
        family.at_most(5).count(checkpoint=tmp_path)
    count = family.count() if bounded else 182413291514248049241470885236
    assert family.count(checkpoint=tmp_path) == count
    assert [file.name for file in tmp_path.iterdir()] == ["topdd-lock"]
    with pytest.raises(OSError):
        family.count(checkpoint=tmp_path / "none")


def test_progress_is_reported_and_its_exceptions_are_raised(capsys):
    seen = []
    with pytest.raises(TimeoutError):
        HARD.count(progress=lambda done, total, text: seen.append((done, total, text)), timeout=0.5)
    assert len(seen) > 2 and 0 < seen[-1][0] <= seen[-1][1] and "states" in seen[-1][2]

    def fail(done, total, text):
        raise ZeroDivisionError

    start = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        HARD.count(progress=fail)
    assert time.monotonic() - start < 2
    assert td.Graph.grid(4, 4).paths(0, 15).count(progress=True) == 184


def test_progress_ends_at_its_own_total_and_stops_after_an_exception():
    family = td.Graph.grid(6, 6).paths(0, 35)
    for call in (family.count, family.build, family.count_by_size):
        seen = []
        call(progress=lambda *stage: seen.append(stage))
        assert seen[-1][0] == seen[-1][1] == (120 if call == family.build else 60)
    calls = []

    def fail(done, total, text):
        calls.append(done)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        HARD.count(progress=fail)
    with pytest.raises(ZeroDivisionError):
        family.count(progress=fail)
    assert len(calls) == 2


def test_limits_are_checked_at_once():
    for bad in ({"memroy": 3}, {"memory": "lots"}, {"timeout": -1}, {"progress": 3}, {"threads": 0}):
        with pytest.raises((td.InputError, TypeError)):
            td.limits(**bad)
        with pytest.raises((td.InputError, TypeError)):
            G.forests().count(**bad)
    assert G.forests().count(memory=4e9) == G.forests().count()
    for call in (HARD.count, lambda **limits: td.Graph.grid(7, 7).paths(0, 48).build().hitting_sets(**limits)):
        with pytest.raises(td.TimeLimitError, match=r"limit of 0\.3 seconds \(raise timeout\)"):
            call(timeout=0.3)


def test_operators_on_other_orders_and_complements_have_limits(paths):
    names = list(range(16))
    other = td.Diagram([{n, 15 - n} for n in names[:8]], elements=names)
    turned = td.Diagram([{n, 15 - n} for n in names[:8]], elements=[n for pair in zip(names[:8], names[:7:-1]) for n in pair])
    assert other == turned and (other - turned).count() == 0 and (~other).count() == 2**16 - 8
    for call in (lambda: ~paths, lambda: turned & other, lambda: other.isdisjoint(turned)):
        with td.limits(timeout=0), pytest.raises(TimeoutError):
            call()
    wide = td.Graph.grid(8, 8).forests().build()
    with td.limits(memory=10**5), pytest.raises(MemoryError):
        ~wide


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_interrupts_queries_of_diagrams_and_lists_of_sets():
    elements = list(range(6000))
    sets = td.Diagram([set()], elements=elements)
    wide = ~sets
    assert interrupted(wide.count_by_size) < 3
    assert interrupted(lambda: td.Diagram({n % 1000} for n in iter(lambda: 1, 0))) < 3


def test_lists_of_sets_take_the_memory_of_their_members():
    sets = [{n, n + 1} for n in range(20000)]
    with td.limits(memory="100MB"):
        d = td.Diagram(sets)
    assert d.count() == 20000 and set(d[:20]) == {frozenset(s) for s in (d[n] for n in range(20))}
    with td.limits(memory="100kB"), pytest.raises(MemoryError):
        td.Diagram(sets)
    assert {frozenset(s) for s in td.Diagram([[1, 1, 2], [], [2], (2,), {2, 1}])} == {frozenset(), frozenset([2]), frozenset([1, 2])}
    assert td.Diagram([]).count() == 0 and td.Diagram([[]]).count() == 1


def test_threads_of_python_share_diagrams(paths):
    expected = paths.count()
    results, iterator = [], iter(paths[:20000])

    def work(seed):
        results.append((paths.count(), paths.sample(50, seed=seed) == paths.sample(50, seed=seed), td.queens(6).count()))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [(expected, True, 4)] * 6
    shared, seen = iter(td.Graph.grid(5, 5).paths(0, 24).build()), []
    threads = [threading.Thread(target=lambda: seen.extend(shared)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8512 == len(set(seen))


def test_other_threads_run_during_a_sweep():
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.01)

    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(TimeoutError):
        HARD.count(timeout=0.5)
    done.set()
    thread.join()
    assert len(ticks) > 10


def count_in_child(queue):
    queue.put((td.Graph.grid(7, 7).paths(0, 48).count(), td.Graph.grid(6, 6).forests().build().count()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_a_forked_process_computes():
    expected = (td.Graph.grid(7, 7).paths(0, 48).count(), td.Graph.grid(6, 6).forests().build().count())
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=count_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == expected
    child.join()


G = td.Graph(nx.grid_2d_graph(3, 3))
D = G.forests().build()


@pytest.mark.parametrize("limits", [
    {"memory": "lots"}, {"memory": -1}, {"memory": 0}, {"memory": 1.5}, {"memory": "-3GB"}, {"memory": []},
    {"timeout": -1}, {"timeout": float("nan")}, {"timeout": "soon"}, {"threads": 0}, {"threads": -2}, {"threads": 10**6},
    {"threads": "all"}, {"spill_to": 3}, {"checkpoint": 3}, {"speed": 3}, {"time_limit": 3},
])
def test_bad_limits_are_refused(limits):
    for call in (G.forests().count, G.forests().build, D.minimal):
        with pytest.raises((td.InputError, TypeError)):
            call(**limits)


def test_texts_of_limits_mean_what_they_mean_to_the_command():
    for memory, size in [("2kB", 2000), ("2 K", 2000), ("2KiB", 2048), ("1.5Ki", 1536), (2000.0, 2000)]:
        with pytest.raises(td.MemoryLimitError, match=f"limit of {size} bytes"):
            WIDE.build(memory=memory)
    with pytest.raises(td.TimeLimitError, match=r"the limit of 0\.2 seconds \(raise timeout\) was reached"):
        HARD.count(timeout="200ms")
    assert G.forests().count(timeout="1h30m") == G.forests().count()


@pytest.mark.parametrize("call", [
    lambda: G.paths((0, 0), (9, 9)),
    lambda: G.paths((0, 0), [1]),
    lambda: G.paths((0, 0), (0, 0)),
    lambda: G.paths(target=(0, 0)),
    lambda: G.steiner_trees([]),
    lambda: G.steiner_trees("ab"),
    lambda: G.steiner_trees([(0, 0), (0, 0)]),
    lambda: G.steiner_trees(3),
    lambda: G.partitions(-1),
    lambda: G.partitions("two"),
    lambda: G.partitions(2, population=(1, 2)),
    lambda: td.Graph([(0, 1)], population=[1, 2]).partitions(2, population=(3, 1)),
    lambda: td.Graph([(0, 1)], population=[1, 2]).partitions(2, population=3),
    lambda: G.arborescences((0, 0)),
    lambda: G.degrees(-1),
    lambda: G.degrees({(9, 9): 1}),
    lambda: G.degrees("ab"),
    lambda: G.degrees(out=1),
    lambda: G.b_matchings({(0, 0): 1}),
    lambda: G.factors(-1),
    lambda: G.degree_distribution({0: "x"}),
    lambda: G.cuts((0, 0)),
    lambda: G.cuts((0, 0), (0, 0)),
    lambda: G.bicliques(0, 1),
    lambda: G.colourings(-1),
    lambda: G.colourings(300).build(),
    lambda: G.colourings(2).at_most(3),
    lambda: G.subgraphs(vertex_groups=[[(9, 9)]]),
    lambda: G.subgraphs(vertex_groups=[[(0, 0)], [(0, 0), (1, 1)]]),
    lambda: G.subgraphs(num_edges=[1, 3]),
    lambda: G.forests().at_most(-1),
    lambda: G.forests().at_most(1.5),
    lambda: G.forests().through((9, 9)),
    lambda: G.forests().including(((0, 0), (9, 9))),
    lambda: G.forests().cost_at_most("cheap"),
    lambda: G.forests().cost_at_most(float("nan")),
    lambda: G.forests().cost_at_most(3, weights=[1]),
    lambda: G.forests() & G.independent_sets(),
    lambda: G.forests() | td.queens(4),
    lambda: G.forests().predict(timeout=-1),
    lambda: (G.forests() | G.cycles()).predict(),
    lambda: G.predict("to_networkx"),
    lambda: G.reliability([(9, 9)], p=0.5),
    lambda: G.reliability([(0, 0)]),
    lambda: G.reliability([(0, 0)], p=2),
    lambda: G.reliability([(0, 0)], source=(0, 0), p=0.5),
    lambda: G.to_undirected().reliability(source=(0, 0), p=0.5),
    lambda: D.best(-1),
    lambda: D.best(1, weights={((0, 0), (0, 1)): 1}),
    lambda: D.best(1, weights=[float("nan")] * 12),
    lambda: D.probability(),
    lambda: D.probability(-1),
    lambda: D.vertex_counts(),
    lambda: D.marginals(-1),
    lambda: D.exactly(3).marginals(0),
    lambda: D.marginals(1, p=0.5),
    lambda: D.marginals(p=1.5),
    lambda: D.marginals("x"),
    lambda: D.marginals([1]),
    lambda: D.marginals({((0, 0), (9, 9)): 1}),
    lambda: D.birnbaum(),
    lambda: D.birnbaum(-0.5),
    lambda: D.birnbaum(2),
    lambda: D.birnbaum([float("nan")] * 12),
    lambda: D.birnbaum(0.5, memory="x"),
    lambda: D.banzhaf(timeout=-1),
    lambda: (D - D).marginals(),
    lambda: G.colourings(2).build().marginals(),
    lambda: G.colourings(2).build().birnbaum(0.5),
    lambda: G.colourings(2).build().banzhaf(),
    lambda: G.colourings(2).build().shapley(),
    lambda: D.sample(-1),
    lambda: D.sample(2, seed=-1),
    lambda: D.sample(2, seed="x"),
    lambda: D.rank([((0, 0), (9, 9))]),
    lambda: G.colourings(2).build().count_by_size(),
    lambda: G.colourings(2).build().minimal(),
    lambda: D.including(3),
    lambda: D.exactly(-1),
    lambda: D.subsets_of(3),
    lambda: D.union(3),
    lambda: D.to_dataframe("excel"),
    lambda: td.Diagram(3),
    lambda: td.Diagram(["ab"]),
    lambda: td.Diagram([[[]]]),
    lambda: td.Diagram([{1}], elements=[2]),
    lambda: td.Diagram([{1}], elements=[1, 1]),
    lambda: td.Diagram([{object()}]).save("x.tdd"),
    lambda: td.queens(10**6),
    lambda: td.queens(8, given=["z9"]),
    lambda: td.queens(8, given=["nowhere"]),
    lambda: td.pieces("pawn", 4),
    lambda: td.knights(3, 3, closed=False, start="z9"),
    lambda: td.knights(4, 4, piece="pawn"),
    lambda: td.Diagram([{1}]).heat_map(),
    lambda: td.Graph.grid(60, 60).picture(),
    lambda: td.Graph.grid(2, 2).picture().save("x.pdf"),
])
def test_bad_arguments_are_input_errors(call):
    with pytest.raises(td.InputError) as error:
        call()
    assert len(str(error.value)) > 10 and "::" not in str(error.value)


@pytest.mark.parametrize("call", [
    lambda: G.paths(1, 2, 3), lambda: D["a"], lambda: D[1.5], lambda: D[::0], lambda: G.forests() & 3, lambda: D < 3,
    lambda: G.predict("vertices"), lambda: G.frobnicate(), lambda: td.Diagram.load("/does/not/exist"), lambda: td.queens(-1), lambda: td.queens("8"),
    lambda: setattr(G, "vertices", ()), lambda: G.cycles(hamiltonian="maybe"), lambda: D.sample(1.5),
])
def test_other_bad_calls_are_exceptions(call):
    with pytest.raises(Exception) as error:
        call()
    assert not isinstance(error.value, (td.InternalError, SystemError))


def test_forged_files_are_errors(tmp_path):
    path = tmp_path / "d.tdd"
    D.save(path)
    content = path.read_bytes()
    for cut in range(0, len(content), max(1, len(content) // 40)):
        forged = tmp_path / "forged.tdd"
        forged.write_bytes(content[:cut] + bytes([content[cut] ^ 0x55]) + content[cut + 1 :])
        try:
            td.Diagram.load(forged)
        except (td.Error, ValueError):
            pass
        forged.write_bytes(content[:cut])
        with pytest.raises(td.Error):
            td.Diagram.load(forged)
