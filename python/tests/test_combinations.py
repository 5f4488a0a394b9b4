"""Combinations of many families, their descriptions, and the keys of checkpoints."""

import pytest

import topdd as td

GRID = td.Graph.grid(3, 3)


def test_hundreds_of_families_are_combined():
    union, sets = GRID.paths(0, 8), set(GRID.paths(0, 8).build())
    for number in range(500):
        source, most = number % 8, number % 12 + 1
        union = union | GRID.paths(source, 8).at_most(most)
    for source in range(8):
        longest = max(number % 12 + 1 for number in range(500) if number % 8 == source)
        sets |= set(GRID.paths(source, 8).at_most(longest).build())
    assert set(union.build()) == sets and union.count() == len(sets)
    queens = td.queens(6)
    for _ in range(300):
        queens = queens & td.queens(6)
    assert queens.count() == 4
    rest = GRID.edge_sets()
    for size in range(11):
        for vertex in range(9):
            rest = rest - GRID.edge_sets().exactly(size).avoid(vertex)
    assert rest.count() == sum(all(any(v in edge for edge in s) for v in range(9)) or len(s) > 10 for s in GRID.edge_sets().build())


def test_combinations_that_are_too_deep_are_refused():
    forests, cycles = GRID.forests(), GRID.cycles()
    deep = forests
    with pytest.raises(td.InputError, match=r"build\(\) the parts"):
        for _ in range(200):
            deep = forests - (cycles ^ deep)
    # The deepest one that is allowed has an answer.
    assert deep.count() == deep.build().count()
    for double in (lambda f: f ^ (f - cycles), lambda f: f & f.at_most(9), lambda f: f & f.cost_at_most(9)):
        doubled = GRID.paths(0, 8)
        with pytest.raises(td.InputError, match=r"build\(\) the parts"):
            for _ in range(40):
                doubled = double(doubled)


def test_a_family_with_itself_is_the_family():
    both = GRID.forests() | GRID.cycles()
    family = both
    for _ in range(40):
        family = family | family
        family = family & family
    assert repr(family) == "<topdd.Family: forests() | cycles()>" and family.count() == both.count()
    assert repr(both | GRID.matchings() | both) == "<topdd.Family: forests() | cycles() | matchings()>"
    assert (family ^ family).count() == 0 == (family - family).count()


def test_descriptions_are_short_and_have_brackets():
    a, b, c = GRID.forests(), GRID.cycles(), GRID.matchings()
    texts = {repr((a | b) & c), repr(a | (b & c)), repr(a | b | c), repr(a - (b - c)), repr(a - b - c), repr((a | b).at_most(3))}
    assert texts == {
        "<topdd.Family: (forests() | cycles()) & matchings()>",
        "<topdd.Family: forests() | (cycles() & matchings())>",
        "<topdd.Family: forests() | cycles() | matchings()>",
        "<topdd.Family: forests() - (cycles() - matchings())>",
        "<topdd.Family: forests() - cycles() - matchings()>",
        "<topdd.Family: (forests() | cycles()).at_most(3)>",
    }
    long = a
    for vertex in range(9):
        long = (long | b.through(vertex)).at_least(vertex)
    assert len(repr(long)) <= 200 and " ... " in repr(long)


def test_descriptions_are_calls_that_can_be_typed():
    g = GRID
    for made in (g.cuts(minimal=True), g.cuts(0, 8), g.cuts(0, 8, minimal=True), g.paths(hamiltonian=True), g.paths(0, hamiltonian=True),
                 g.subgraphs(vertex_groups=[[0, 8]], degrees=range(3), no_cycle=True), g.forests().cost_at_most(3, weights=[1] * 12),
                 g.forests().cost_at_least(2)):
        text = repr(made).removeprefix("<topdd.Family: ").removesuffix(">")
        assert eval(f"g.{text}").count() == made.count() and repr(eval(f"g.{text}")) == repr(made)
    for made in (td.queens(8), td.queens(4, 5), td.pieces("king", 3, exactly=2), td.knights(5, 6)):
        text = repr(made).removeprefix("<topdd.Family: ").removesuffix(">")
        assert repr(eval(f"td.{text}")) == repr(made)
    assert repr(td.queens(8)) == "<topdd.Family: queens(8)>"


PAIRS = {
    "weights": lambda g, one: g.paths(0, 143).cost_at_most(100, weights=[1] * 264 if one else [1] * 263 + [2]),
    "populations": lambda g, one: td.Graph(g.edges, population=[1] * 143 + [1 if one else 2]).partitions(3, population=(20, 90)),
    "brackets": lambda g, one: (
        (g.paths(0, 143) | g.cycles()) & g.edge_sets().at_most(60) if one else g.paths(0, 143) | (g.cycles() & g.edge_sets().at_most(60))
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_checkpoints_of_other_families_are_refused(name, tmp_path):
    def stop(done, total, text):
        if (tmp_path / "topdd-manifest").exists():
            raise InterruptedError

    g = td.Graph.grid(12, 12)
    with pytest.raises(InterruptedError):
        PAIRS[name](g, True).count(checkpoint=tmp_path, progress=stop, threads=1)
    with pytest.raises(td.FileError, match="another run"):
        PAIRS[name](g, False).count(checkpoint=tmp_path, timeout=60)


def test_checkpoints_do_not_depend_on_the_other_calls(tmp_path):
    def stop(done, total, text):
        if (tmp_path / "topdd-manifest").exists():
            raise InterruptedError

    def made():
        return td.Graph.grid(12, 12).paths(0, 143) | td.Graph.grid(12, 12).paths(0, 142)

    with pytest.raises(InterruptedError):
        made().count(checkpoint=tmp_path, progress=stop, threads=1)
    right = td.Graph.grid(12, 12).paths(0, 142)
    right.predict(timeout=0.1)
    with pytest.raises(InterruptedError):
        # Another checkpoint replaces the first one: it was accepted.
        first = (tmp_path / "topdd-manifest").read_bytes()

        def later(done, total, text):
            if (tmp_path / "topdd-manifest").exists() and (tmp_path / "topdd-manifest").read_bytes() != first:
                raise InterruptedError

        (td.Graph.grid(12, 12).paths(0, 143) | right).count(checkpoint=tmp_path, progress=later, threads=1)
