"""Managers of Boolean functions, compared with truth tables."""

import gc
import itertools
import json
import operator
import os
import threading
import time
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import topdd as td
from test_limits import ctrl_c, interrupted

NAMES = ["a", "b", "c", "d"]
ROWS = [dict(zip(NAMES, values)) for values in itertools.product([False, True], repeat=4)]

# Pairs of an expression and its truth table, a tuple of a value for each row.
VARIABLE = st.sampled_from(NAMES).map(lambda name: (name, tuple(row[name] for row in ROWS)))
CONSTANT = st.booleans().map(lambda value: (str(value).upper(), (value,) * 16))
BINARY = {
    "/\\": operator.and_, "&": operator.and_, "\\/": operator.or_, "|": operator.or_, "^": operator.xor, "#": operator.xor,
    "=>": operator.le, "->": operator.le, "<=>": operator.eq, "<->": operator.eq,
}


def cofactor(table, name, value):
    return tuple(table[ROWS.index({**row, name: value})] for row in ROWS)


def quantified(sign, name, table):
    join = operator.or_ if sign == "E" else operator.and_
    return tuple(map(join, cofactor(table, name, False), cofactor(table, name, True)))


def larger(inner):
    return st.one_of(
        inner.map(lambda f: (f"~ {f[0]}", tuple(not value for value in f[1]))),
        st.tuples(inner, st.sampled_from(sorted(BINARY)), inner).map(
            lambda f: (f"({f[0][0]} {f[1]} {f[2][0]})", tuple(map(BINARY[f[1]], f[0][1], f[2][1])))
        ),
        st.tuples(inner, inner, inner).map(
            lambda f: (f"ite({f[0][0]}, {f[1][0]},{f[2][0]})", tuple(g if x else h for x, g, h in zip(*(of[1] for of in f))))
        ),
        st.tuples(st.sampled_from("AE"), st.sampled_from(NAMES), inner).map(
            lambda f: (rf"(\{f[0]} {f[1]}: {f[2][0]})", quantified(f[0], f[1], f[2][1]))
        ),
    )


FORMULA = st.recursive(VARIABLE | CONSTANT, larger, max_leaves=12)


def table(u, names=NAMES):
    """The values of a function for all assignments."""
    return tuple(u.let(**row) == u.bdd.true for row in ROWS)


def of_table(m, values):
    u = m.false
    for row, value in zip(ROWS, values):
        u = u | m.cube(row) if value else u
    return u


@settings(max_examples=60, deadline=None)
@given(FORMULA, FORMULA, st.permutations(NAMES))
def test_functions_are_their_truth_tables(f, g, order):
    m = td.Manager(order)
    u, v = m.add_expr(f[0]), m.add_expr(g[0])
    for w, values in [
        (u, f[1]), (~u, [not x for x in f[1]]), (u & v, map(operator.and_, f[1], g[1])), (u | v, map(operator.or_, f[1], g[1])),
        (u ^ v, map(operator.xor, f[1], g[1])), (u - v, map(operator.gt, f[1], g[1])), (u.implies(v), map(operator.le, f[1], g[1])),
        (u.equiv(v), map(operator.eq, f[1], g[1])), (m.ite(u, v, ~v), map(operator.eq, f[1], g[1])),
        (m.forall(["b"], u), quantified("A", "b", f[1])), (u.exist("a", "d"), quantified("E", "a", quantified("E", "d", f[1]))),
        (m.let({"a": "b", "b": "a"}, u), [f[1][ROWS.index({**row, "a": row["b"], "b": row["a"]})] for row in ROWS]),
        (m.let({"c": v, "a": True}, u), [f[1][ROWS.index({**row, "c": g[1][i], "a": True})] for i, row in enumerate(ROWS)]),
    ]:
        values = tuple(values)
        assert w == of_table(m, values) and hash(w) == hash(of_table(m, values)) and table(w) == values
    assert (u <= v) == all(map(operator.le, f[1], g[1])) == (v >= u) and (u < v) == (u <= v and f[1] != g[1]) == (v > u)
    assert (u == v) == (f[1] == g[1]) != (u != v)
    assert u.negated == (not f[1][-1]) and m.add_expr(u.to_expr()) == u == m.add_expr(f"({u})")
    support = {name for name in NAMES if cofactor(f[1], name, False) != cofactor(f[1], name, True)}
    assert u.support == support and u.count(4) == sum(f[1]) == u.count() << (4 - len(support))
    m.reorder()
    assert table(u) == f[1]


@settings(max_examples=60, deadline=None)
@given(FORMULA, st.lists(st.sampled_from(NAMES), unique=True), st.permutations(NAMES))
def test_assignments_copies_and_diagrams(f, care, order):
    m, other = td.Manager(order), td.Manager(["x", *sorted(order)])
    u = m.add_expr(f[0])
    models = [row for row, value in zip(ROWS, f[1]) if value]
    picked = list(m.pick_iter(u, NAMES))
    assert sorted(map(tuple, (sorted(row.items()) for row in picked))) == sorted(tuple(row.items()) for row in models)
    assert len(list(m.pick_iter(u))) == u.count() and all(set(row) == u.support for row in m.pick_iter(u))
    for row in m.pick_iter(u, care):
        assert set(care) <= set(row) <= u.support | set(care) and u.let(**row) == m.true
    assert (u.pick() is None) == (u == m.false) and m.pick(u, care) == next(m.pick_iter(u, care), None)
    d = u.build()
    assert d.order == order and [dict(solution.items()) for solution in d] == sorted(models, key=lambda row: [row[v] for v in order])
    assert m.from_diagram(d) == u and other.from_diagram(d) == m.copy(u, other) == other.add_expr(f[0])
    assert d == td.formula(u.to_expr(), variables=order).build()
    assert m.copy(u, m) == u and other.copy(m.copy(u, other), m) == u


def test_names_levels_and_orders():
    m = td.Manager("a, b", memory="1GB")
    m.declare("c", "a")
    assert m.vars == {"a": 0, "b": 1, "c": 2} and m.var_at_level(2) == "c" and m.level_of_var("b") == 1
    u = m.add_expr("a & b | c")
    assert (u.var, u.level, u.low, u.high) == ("a", 0, m.var("c"), m.add_expr("b | c"))
    assert (m.true.var, m.true.level, m.true.low, m.false.high) == (None, 3, None, None)
    m.reorder({"b": 1, "c": 0, "a": 2})
    assert list(m.vars) == ["c", "b", "a"] and u.var == "c" and u == m.add_expr("a & b | c")
    m.reorder("a b c")
    assert list(m.vars) == ["a", "b", "c"] == list(td.Manager({"c": 2, "a": 0, "b": 1}).vars)
    assert repr(m.var("a") & m.var("b")) == "<topdd.Function: ite(a, b, FALSE)>" and "3 variables" in repr(m)
    assert m.cube("a b") == m.var("a") & m.var("b") and m.cube({"a": True, "b": False}) == m.add_expr("a & ~b")
    assert m.add_expr(td.Bool("a b").a) == m.var("a") and len(m.var("a")) == 2 == m.var("b").dag_size
    pairs = " | ".join(f"(p{i} & q{i})" for i in range(8))
    m = td.Manager([f"{of}{i}" for of in "pq" for i in range(8)])
    u = m.add_expr(pairs)
    assert len(u) == 511 and m.reorder() is None and len(u) == 17


def test_nodes_are_freed_and_managers_live_as_long_as_functions():
    m = td.Manager("a b c")
    u = m.add_expr("a & b ^ c")
    m.collect_garbage()
    assert len(m) > 1
    del u
    m.collect_garbage()
    assert len(m) == 1
    u, watch = m.var("a"), weakref.ref(m)
    del m
    gc.collect()
    assert u.bdd is watch() and u & u.bdd.var("b") == u.bdd.add_expr("a & b")
    del u
    gc.collect()
    assert watch() is None


HARD = " | ".join(f"(p{i} & q{i})" for i in range(30))
HARD_NAMES = [f"{of}{i}" for of in "pq" for i in range(30)]


def test_dynamic_reordering():
    names = [f"{of}{i}" for of in "pq" for i in range(14)]
    m = td.Manager(names)
    assert m.configure(reordering=True) == {"reordering": False} and m.configure() == {"reordering": True}
    u = m.add_expr(" | ".join(f"(p{i} & q{i})" for i in range(14)))
    assert len(u) < 5000 and u.count() == 4**14 - 3**14
    assert m.configure(reordering=False) == {"reordering": True}
    m = td.Manager(names)
    m.configure(reordering=True)
    u = m.false
    for i in range(14):
        u = u | m.var(f"p{i}") & m.var(f"q{i}")
    assert len(u) < 5000


def test_a_call_may_take_as_much_memory_as_its_limit_in_addition_to_that_of_the_manager():
    m = td.Manager(HARD_NAMES)
    u = m.add_expr(" | ".join(f"(p{i} & q{i})" for i in range(17)))
    with td.limits(memory="1MB"):
        assert (u & m.var("p0")).count() > 0 and u.count() == 4**17 - 3**17


@settings(max_examples=20, deadline=None)
@given(st.lists(FORMULA, min_size=1, max_size=3))
def test_files(tmp_path_factory, formulas):
    folder = tmp_path_factory.mktemp("functions")
    m, other = td.Manager(NAMES), td.Manager(["b", "x", "a"])
    functions = [m.add_expr(text) for text, _ in formulas]
    m.dump(folder / "f.json", functions)
    assert m.load(folder / "f.json") == functions
    assert [table(u) for u in other.load(folder / "f.json")] == [values for _, values in formulas]
    named = {f"f{i}": u for i, u in enumerate(functions)}
    m.dump(folder / "f", named, filetype="json")
    (folder / "f").rename(folder / "named.json")
    assert m.load(folder / "named.json") == named
    for kind in ("tdd", "dddmp"):
        m.dump(folder / f"f.{kind}", functions[:1])
        assert m.load(folder / f"f.{kind}") == functions[:1]
    assert td.Manager().load(folder / "f.tdd")[0].count(4) == sum(formulas[0][1])
    m.dump(folder / "f.dot", functions[:1])
    assert all(f'label="{name}"' in (folder / "f.dot").read_text() for name in functions[0].support)


def test_a_file_of_dd(tmp_path):
    """As dd 0.6 writes it."""
    (tmp_path / "dd.json").write_text(
        '{\n"level_of_var": {"x": 0, "y": 1, "z": 2},\n"roots": {"u": -8, "v": 8, "t": 1},\n"5": [2, "F", "T"],\n'
        '"6": [1, -5, "T"],\n"7": [1, "F", 5],\n"8": [0, -6, 7]\n}\n'
    )
    m = td.Manager()
    roots = m.load(tmp_path / "dd.json")
    u = m.add_expr(r"(x ^ y) \/ ~ z")
    assert roots == {"u": u, "v": ~u, "t": m.true}
    m.dump(tmp_path / "own.json", u)
    lines = (tmp_path / "own.json").read_text().splitlines()
    assert lines[1:3] == ['"level_of_var": {"x": 0, "y": 1, "z": 2},', '"roots": [-5],']
    assert json.loads("{" + lines[-2] + "}") == {"5": [0, -4, 3]}


def dumped(u):
    u.bdd.dump("f.dddmp", [u])


M, OTHER = td.Manager("a b c"), td.Manager("a b c")
U = M.add_expr("a & b | c")


@pytest.mark.parametrize("call, advice", [
    (lambda: M.var("x"), r'no variable "x"; declare\("x"\)'),
    (lambda: M.level_of_var("x"), 'no variable "x"'),
    (lambda: M.var_at_level(3), "no level 3"),
    (lambda: M.var_at_level(-1), "no level -1"),
    (lambda: U & OTHER.var("a"), "another manager"),
    (lambda: U == OTHER.var("a"), "another manager"),
    (lambda: OTHER.var("a") in M, "another manager"),
    (lambda: M.let({"a": OTHER.var("a")}, U), "another manager"),
    (lambda: M.count(OTHER.var("a")), "another manager"),
    (lambda: M.dump("f.json", [OTHER.true]), "another manager"),
    (lambda: M.let({"a": 3}, U), "3 takes no place"),
    (lambda: M.let({"x": True}, U), 'no variable "x"'),
    (lambda: M.let({"a": "x"}, U), 'no variable "x"'),
    (lambda: M.exist(["a", "x"], U), 'no variable "x"'),
    (lambda: M.exist([3], U), "no list of names"),
    (lambda: M.cube({"x": True}), 'no variable "x"'),
    (lambda: M.pick_iter(U, ["x"]), 'no variable "x"'),
    (lambda: M.count(U, 2), "depends on 3 variables"),
    (lambda: M.count(U, -1), "-1: give a whole number"),
    (lambda: M.apply("nand", U, U), 'no operator "nand"; the operators are not, and'),
    (lambda: M.apply("and", U), '"and" has 2 operands, and 1 are given'),
    (lambda: M.add_expr("a & x"), 'column 5: no variable has the name "x"; declare it'),
    (lambda: M.add_expr("a &"), "column 4"),
    (lambda: M.add_expr("a ^ b | c"), "column 7: add parentheses"),
    (lambda: M.add_expr("a -> b -> c"), "add parentheses"),
    (lambda: M.add_expr("@123456"), "no function of the manager has the number 123456"),
    (lambda: M.add_expr(3), "3 is no formula"),
    (lambda: M.reorder(["a", "b"]), "each variable of the manager once"),
    (lambda: M.reorder({"a": 0, "b": 0, "c": 1}), "are not 0, 1, 2"),
    (lambda: M.from_diagram(td.Graph.cycle(3).cycles()), "is no name of a variable"),
    (lambda: M.from_diagram(td.constraints(["a"], 3)), "two values"),
    (lambda: M.from_diagram(3), "3 is no diagram"),
    (lambda: M.dump("f.txt", [U]), "written to files .json, .tdd"),
    (lambda: M.dump("f.json"), "give roots=, a function, a list"),
    (lambda: M.dump("f.json", []), "give roots="),
    (lambda: M.dump("f.json", [3]), "give roots="),
    (lambda: td.Manager().dump("f.dot"), "give roots="),
    (lambda: M.dump("f.dddmp", [td.Manager(["a b"]).var("a b")]), "another manager"),
    (lambda: dumped(td.Manager(["a b"]).var("a b")), "words as names, and not .a b."),
    (lambda: M.dump("f.tdd", [U, ~U]), "a file .tdd has one function, and 2 are given"),
    (lambda: M.load("f.pickle"), "not 'pickle'"),
    (lambda: td.Manager(3), "3 is no list of names"),
    (lambda: td.Manager("a", memory="much"), "memory='much' is no size"),
])
def test_bad_arguments(call, advice):
    with pytest.raises(td.InputError, match=advice):
        call()


def test_bad_types_and_files(tmp_path):
    for call in (lambda: U & 3, lambda: U and U, lambda: bool(U), lambda: U < 3, lambda: M.ite(U, U, 3), lambda: M.configure(order=1)):
        with pytest.raises(TypeError):
            call()
    assert U != 3 and U is not None
    for text in ("", "{}", "[1]", '{"level_of_var": {"a": 0}, "roots": [5]}', '{"level_of_var": {"a": 0}, "roots": [2], "2": [1, "F", "T"]}'):
        (tmp_path / "f.json").write_text(text)
        with pytest.raises(td.FileError, match="format of dd"):
            M.load(tmp_path / "f.json")
    (tmp_path / "f.dddmp").write_text("none")
    for name in ("f.dddmp", "absent.json", "absent.tdd"):
        with pytest.raises(td.FileError):
            M.load(tmp_path / name)
    with pytest.raises(td.FileError, match="cannot write"):
        M.dump(tmp_path / "absent" / "f.json", [U])


def test_limits_hold_and_leave_the_manager_usable():
    m = td.Manager(HARD_NAMES)
    u = m.var("p0") & m.var("q0")
    with td.limits(timeout=0.2), pytest.raises(td.TimeLimitError):
        m.add_expr(HARD)
    with td.limits(memory="20MB"), pytest.raises(td.MemoryLimitError):
        m.add_expr(HARD)
    with pytest.raises(td.MemoryLimitError):
        td.Manager(HARD_NAMES, memory="20MB").add_expr(HARD)
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    with td.limits(cancel=stop), pytest.raises(td.CancelledError):
        m.add_expr(HARD)
    with pytest.raises(td.TimeLimitError):
        m.true.build(timeout=0)
    assert u == m.add_expr("p0 & q0")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_interrupts(ctrl_c):
    m = td.Manager(HARD_NAMES)
    assert interrupted(lambda: m.add_expr(HARD)) < 3
    assert m.var("p0").count() == 1


def test_threads_take_turns():
    m = td.Manager([f"x{i}" for i in range(40)])
    parities = {}

    def work(first):
        u = m.false
        for i in range(first, 40, 4):
            u = u ^ m.var(f"x{i}")
        parities[first] = u

    threads = [threading.Thread(target=work, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    u = parities[0] ^ parities[1] ^ parities[2] ^ parities[3]
    assert u.count() == 2**39 and len(u) == 41


def test_other_threads_run_during_an_operation():
    m = td.Manager(HARD_NAMES)
    failed = []

    def work():
        with td.limits(timeout=0.5):
            try:
                m.add_expr(HARD)
            except td.TimeLimitError as error:
                failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    ticks = 0
    while thread.is_alive():
        time.sleep(0.01)
        ticks += 1
    assert failed and ticks > 5
    with td.limits(timeout=60):
        assert m.var("p0").count() == 1


def test_missing_variables_of_diagrams_are_declared():
    m = td.Manager("b")
    u = m.from_diagram(td.formula("a -> b & c | d"))
    assert list(m.vars) == ["b", "a", "c", "d"] and u == m.add_expr("a -> b & c | d")
    other = td.Manager()
    assert m.copy(m.add_expr("c & ~a"), other) == other.add_expr("c & ~a") and list(other.vars) == ["a", "c"]
