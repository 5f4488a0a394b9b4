"""The modules for programs of dd: the calls of its documentation, and a judge where dd is installed."""

import doctest
import importlib
import os

import pytest
from hypothesis import given, settings

import topdd as td
import topdd.compat.dd.autoref as _bdd
from test_managers import FORMULA, NAMES, ROWS, table
from topdd.compat.dd import cudd


@pytest.fixture(params=[_bdd, cudd], ids=["autoref", "cudd"])
def bdd(request):
    manager = request.param.BDD()
    manager.declare("x", "y", "z")
    return manager


def test_formulas_and_quantifiers(bdd):
    u, v = bdd.add_expr(r"x /\ y"), bdd.add_expr(r"z \/ ~ y")
    assert u & ~v == bdd.add_expr(r"x /\ y /\ ~ z") and bdd.to_expr(u) == "ite(x, y, FALSE)"
    w = bdd.add_expr(r"(x /\ y) <=> (~ z \/ ~ (y <=> x))  \* a comment")
    assert bdd.forall(["x", "y", "z"], w.equiv(bdd.apply("<=>", u, ~bdd.var("z") | (bdd.var("y") ^ bdd.var("x"))))) == bdd.true
    assert bdd.exist(["x"], u).to_expr() == "y" and bdd.add_expr(r"\E x:  x /\ y") == bdd.add_expr("y")
    assert bdd.add_expr(r"\A x:  \E y:  y \/ z") == bdd.true == bdd.quantify(bdd.var("y"), ["y"])
    assert bdd.add_expr(rf"x /\ {v}") == bdd.add_expr(r"x /\ (z \/ ~ y)") and bdd._add_int(int(u)) == u
    for op in ("and", "/\\", "&", "&&"):
        assert bdd.apply(op, bdd.var("x"), bdd.var("y")) == u


def test_substitutions_assignments_and_counts(bdd):
    bdd.declare("p", "q", "x")
    u = bdd.add_expr(r"x \/ (y /\ z)")
    assert bdd.let(dict(x="p", y="q"), u).support == {"p", "q", "z"} and bdd.let(dict(x=True, y=False), u) == bdd.true
    assert bdd.let(dict(x=bdd.add_expr(r"z \/ q")), u) == bdd.add_expr(r"z \/ q \/ (y /\ z)") == u.let(x=bdd.add_expr(r"z \/ q"))
    assert bdd.let(dict(x="p"), bdd.add_expr(r"x /\ ~ p")) == bdd.false
    assert bdd.pick(bdd.add_expr(r"x \/ y")) == {"x": False, "y": True} and bdd.pick(bdd.false) is None
    x = bdd.var("x")
    assert list(bdd.pick_iter(x)) == [{"x": True}] and x.count() == 1 and x.count(nvars=3) == 4 == len(list(bdd.pick_iter(x, ["x", "y", "z"])))
    assert list(bdd.pick_iter(bdd.add_expr(r"~ x /\ y"), care_vars=set())) == [{"x": False, "y": True}]
    assert bdd.cube(dict(x=True, y=False, z=True)) == bdd.add_expr(r"x /\ ~ y /\ z")


def test_nodes_and_levels(bdd):
    x, y = bdd.var("x"), bdd.var("y")
    assert bdd.succ(x) == (0, bdd.false, bdd.true) and bdd.var_levels == {"x": 0, "y": 1, "z": 2}
    assert (~x).negated and not x.negated and (x ^ y).negated and (~x).low == bdd.false and (x ^ y).high == y
    assert bdd.find_or_add("x", y, ~y) == x ^ y and bdd.support(x | y, as_levels=True) == {0, 1}
    assert bdd.add_var("w", level=1) == 1 and list(bdd.vars) == ["x", "w", "y", "z"] and bdd.add_var("w") == 1
    for level, advice in ((2, "has level 1, not 2"), (9, "from 0 to 4")):
        with pytest.raises(td.InputError, match=advice):
            bdd.add_var("w" if level == 2 else "v", level=level)
    bdd.reorder({"w": 0, "x": 3, "y": 1, "z": 2})
    assert bdd.level_of_var("x") == 3 and bdd.var_at_level(0) == "w"
    bdd.reorder()
    bdd.incref(x)
    bdd.decref(x, recursive=True)
    bdd.assert_consistent()
    assert bdd.configure(reordering=True) == {"reordering": False}


def test_indices_of_cudd():
    bdd = cudd.BDD(memory_estimate=2**30)
    assert [bdd.add_var(name, index=index) for index, name in enumerate("xy")] == [0, 1] == [bdd.add_var(name) for name in "xy"]
    assert bdd.insert_var("z", 0) == 0 and list(bdd.vars) == ["z", "x", "y"]
    with pytest.raises(td.InputError, match="index=7: variables have the indices"):
        bdd.add_var("w", index=7)


def test_functions_of_the_modules(bdd):
    x, y, z = (bdd.var(name) for name in "xyz")
    assert _bdd.image(x.implies(y), x, {"y": "x"}, {"x"}) == x and _bdd.preimage(x.equiv(y), x, {"x": "y"}, {"y"}) == x
    assert _bdd.image(x | y, z, {}, {"x"}, forall=True) == y & z
    assert cudd.and_exists(x, y, ["x"]) == y and cudd.or_forall(x, ~y, ["x", "y"]) == bdd.false
    assert cudd.count_nodes([x & y, x & z, x & y]) == 5
    other = _bdd.BDD()
    _bdd.copy_vars(bdd, other)
    u = _bdd.copy_bdd(x & ~z, other)
    assert u == other.add_expr("x & ~z") and bdd.copy(x, bdd) == x
    _bdd.reorder(other, {"z": 0, "y": 1, "x": 2})
    assert u.var == "z" and _bdd.copy_bdd(u, bdd) == x & ~z


def test_the_elevator(bdd):
    """Backwards from a set of states to all that reach it, as in the example of the documentation."""
    lift = _bdd.BDD()
    lift.declare("x0", "x0'", "x1", "x1'")
    step = lift.add_expr(
        r"((~ x0 /\ ~ x1) => ((~ x0' /\ ~ x1') \/ (x0' /\ ~ x1'))) /\ ((x0 /\ ~ x1) => ~ (x0' /\ x1')) /\ "
        r"((~ x0 /\ x1) => ((~ x0' /\ x1') \/ (x0' /\ ~ x1'))) /\ ~ (x0 /\ x1)"
    )
    reached, last, target = lift.false, None, lift.add_expr(r"~ x0 /\ x1")
    while reached != last:
        last = reached
        moved = lift.let({"x0": "x0'", "x1": "x1'"}, reached)
        reached = reached | target | lift.quantify(step & moved, {"x0'", "x1'"})
    assert reached == lift.add_expr(r"~ (x0 /\ x1)") and reached.to_expr() == "(~ ite(x0, x1, FALSE))"


def test_files(bdd, tmp_path):
    u, v = bdd.add_expr(r"(z /\ x) \/ ~ y"), bdd.add_expr("x ^ y")
    assert repr(bdd).startswith("<topdd.BDD: 3 variables")
    bdd.dump(str(tmp_path / "f.json"), {"u": u, "v": v})
    assert bdd.load(str(tmp_path / "f.json")) == {"u": u, "v": v}
    bdd.dump(str(tmp_path / "f.dddmp"), [u])
    assert bdd.load(str(tmp_path / "f.dddmp"), levels=False) == [u]
    bdd.dump(str(tmp_path / "all.dot"))
    text = (tmp_path / "all.dot").read_text()
    assert text.count("shape=plaintext") == 2 and all(f'label="{name}"' in text for name in "xyz") and "odot" in text
    with pytest.raises(ValueError):
        bdd.dump(str(tmp_path / "f.json"), [])


@pytest.mark.skipif(os.name != "posix", reason="a program of the shell")
@pytest.mark.parametrize("script, raised", [(None, "install Graphviz"), ("cat; echo $1", None), ("echo no >&2; exit 1", "dot failed: no")])
def test_pictures_are_those_of_graphviz(bdd, tmp_path, monkeypatch, script, raised):
    folder = tmp_path / "programs"
    folder.mkdir()
    if script is not None:
        (folder / "dot").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "dot").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder) + ("" if script is None else os.pathsep + os.environ["PATH"]))
    u = bdd.add_expr("x ^ y")
    if raised is None:
        bdd.dump(str(tmp_path / "f"), {"both": u}, filetype="pdf")
        assert (tmp_path / "f").read_text().endswith("}\n-Tpdf\n") and 'label="both"' in (tmp_path / "f").read_text()
    else:
        with pytest.raises(td.Error, match=raised):
            bdd.dump(str(tmp_path / "f.svg"), [u])
        assert not (tmp_path / "f.svg").exists()


@pytest.mark.parametrize("module", ["autoref", "cudd"])
def test_dd_agrees(module, tmp_path_factory):
    """Where dd is installed, its answers and its files are the same."""
    dd = pytest.importorskip("dd." + module)
    own = importlib.import_module("topdd.compat.dd." + module)
    folder = tmp_path_factory.mktemp(module)

    @settings(max_examples=30, deadline=None)
    @given(FORMULA)
    def agrees(f):
        theirs, ours = dd.BDD(), own.BDD()
        theirs.declare(*NAMES)
        ours.declare(*NAMES)
        u, v = theirs.add_expr(f[0]), ours.add_expr(f[0])
        assert table(v) == f[1] == tuple(theirs.let(row, u) == theirs.true for row in ROWS)
        assert (u.support, u.count(), u.negated, len(u), theirs.to_expr(u)) == (v.support, v.count(), v.negated, len(v), v.to_expr())
        for care in (None, ["a", "b"], NAMES):
            both = [{tuple(sorted(row.items())) for row in m.pick_iter(w, care)} for m, w in ((theirs, u), (ours, v))]
            assert both[0] == both[1]
        ours.dump(str(folder / "ours.json"), {"f": v})
        assert theirs.load(str(folder / "ours.json")) == {"f": u}
        if u.support:  # dd.cudd writes the addresses of constants
            theirs.dump(str(folder / "theirs.json"), [u])
            assert ours.load(str(folder / "theirs.json")) == [v]
        if module == "cudd":
            ours.dump(str(folder / "ours.dddmp"), [v])
            assert theirs.load(str(folder / "ours.dddmp")) == [u]
            theirs.dump(str(folder / "theirs.dddmp"), [u])
            assert ours.load(str(folder / "theirs.dddmp")) == [v]

    agrees()


def test_the_example_of_the_module_holds():
    assert doctest.testmod(_bdd).attempted > 4 and doctest.testmod(_bdd).failed == 0


def test_arguments_have_the_names_of_dd(bdd):
    u = bdd.add_expr(e=r"x /\ y")
    assert bdd.exist(qvars=["x"], u=u) == bdd.var(var="y")
    assert bdd.forall(qvars=["x"], u=u) == bdd.false
    assert bdd.quantify(u=u, qvars=["x"], forall=False) == bdd.var("y")
    assert bdd.cube(dvars={"x": True, "y": True}) == u == bdd.let(definitions={"z": True}, u=u)
    bdd.reorder(var_order={"z": 0, "y": 1, "x": 2})
    assert bdd.var_at_level(level=0) == "z" and bdd.count(u=u, nvars=3) == 2
    assert bdd.pick(u=u, care_vars={"x", "y"}) == {"x": True, "y": True}
    bdd.incref(u=u)
    bdd.decref(u=u, _direct=True)
