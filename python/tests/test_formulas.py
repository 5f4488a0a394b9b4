"""Formulas, clauses and linear constraints against brute force, and their bad input."""

import gzip
import io
import itertools
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import topdd as td

NAMES = "a b c d".split()
ALL = [dict(zip(NAMES, values)) for values in itertools.product([False, True], repeat=4)]


def expressions():
    """Pairs of the text of a formula and a text that Python evaluates."""
    leaves = st.sampled_from([(name, name) for name in NAMES] + [("True", "True"), ("false", "False")])
    signs = {"&": "{} and {}", "|": "{} or {}", "^": "bool({}) != bool({})", "->": "not {} or {}", "<->": "bool({}) == bool({})"}

    def wider(inner):
        def joined(sign, left, right):
            return f"({left[0]}{sign} {right[0]})", "(" + signs[sign].format(f"({left[1]})", f"({right[1]})") + ")"

        return st.builds(joined, st.sampled_from(list(signs)), inner, inner) | inner.map(lambda f: (f"~{f[0]}", f"(not {f[1]})"))

    return st.recursive(leaves, wider, max_leaves=8)


def sets(family):
    return sorted(tuple(solution[name] for name in NAMES) for solution in family.build())


@settings(max_examples=60, deadline=None)
@given(expressions(), expressions())
def test_formulas_have_the_models_of_python(one, two):
    holds = [[bool(eval(text, {}, dict(values))) for values in ALL] for _, text in (one, two)]
    families = [td.formula(text, variables=NAMES) for text, _ in (one, two)]
    for family, table in zip(families, holds):
        assert sets(family) == [tuple(values.values()) for values, held in zip(ALL, table) if held]
        assert family.count() == sum(table)
    both = list(zip(*holds))
    assert (families[0] & families[1]).count() == sum(a and b for a, b in both)
    assert (families[0] - families[1]).count() == sum(a and not b for a, b in both)
    assert (~families[0]).count() == 16 - sum(holds[0])


CLAUSES = st.lists(st.lists(st.integers(1, 4).flatmap(lambda v: st.sampled_from([v, -v])), max_size=4), max_size=6)


@settings(max_examples=60, deadline=None)
@given(CLAUSES)
def test_clauses_have_the_models_of_brute_force(clauses):
    holds = [values for values in itertools.product([False, True], repeat=4)
             if all(any(values[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)]
    family = td.cnf(clauses, variables=4)
    assert family.count() == len(holds)
    diagram = family.build()
    assert sorted(tuple(s[v] for v in range(1, 5)) for s in diagram) == holds
    assert diagram.to_numpy().shape == (len(holds), 4)
    named = [[("" if x > 0 else "~") + NAMES[abs(x) - 1] for x in clause] for clause in clauses]
    assert sets(td.cnf(named, variables=NAMES)) == holds
    text = f"p cnf 4 {len(clauses)}\n" + "".join(" ".join(map(str, [*clause, 0])) + "\n" for clause in clauses)
    assert td.cnf(io.StringIO(text)).count() == len(holds)
    # The order of td.constraints, in which a family that was built before has another order.
    other = td.constraints({v: [False, True] for v in range(1, 5)}).at_most(2)
    expected = sum(sum(values) <= 2 for values in holds)
    assert (family & other).count() == (other & family).count() == expected
    assert (diagram & other.build()).count() == family.at_most(2).count() == expected


def test_expressions_of_variables_are_formulas():
    b = td.Bool("a b c")
    f = (b.a & ~b.b) | b.c.implies(b.a)
    assert td.formula(f).build() == td.formula("a & ~b | (c -> a)", variables="a b c").build()
    assert td.formula(b.a.iff(b["b"]) ^ True).count() == 4 and td.formula(False | b.a).count() == 4
    assert [repr(v) for v in b] == ["a", "b", "c"] and len(b) == 3
    assert repr(pickle.loads(pickle.dumps(f))) == repr(f)
    family = td.formula(f)
    assert pickle.loads(pickle.dumps(family)).build() == family.build()


def test_files_are_read_from_paths_and_open_files(tmp_path):
    path = tmp_path / "bag.opb"
    text = "min: +2 x1 -3 ~x2;\n+1 x1 +1 x2 +1 x3 = 2;\n"
    path.write_text(text)
    (tmp_path / "bag.opb.gz").write_bytes(gzip.compress(text.encode()))
    for file in (path, str(path), tmp_path / "bag.opb.gz", io.BytesIO(gzip.compress(text.encode())), io.StringIO(text)):
        bag = td.opb(file)
        assert bag.count() == 3
        assert bag.build().best(1)[0][0] == -1
    path.write_text("+1 x1 >= 1;")
    family = td.opb(path)
    path.unlink()
    again = pickle.loads(pickle.dumps(family))
    assert again.count() == 1 and "bag.opb" in repr(again)
    diagram = pickle.loads(pickle.dumps(bag.build()))
    assert diagram.best(1)[0][0] == -1 and bag.cost_at_most(-1).count() == 1
    shown = td.cnf(io.StringIO("c p show 1 3 0\np cnf 3 2\n-1 2 0\n-2 3 0\n"))
    assert shown.count() == 3 and [[name for name, _ in s] for s in shown.build()] == [[1, 3]] * 3


@settings(max_examples=40, deadline=None)
@given(order=st.permutations("abcdx"), signs=st.lists(st.sampled_from("+-"), min_size=3, max_size=3))
def test_files_over_the_same_variables_are_combined(order, signs):
    one = f"min: +3 b {signs[0]}2 ~a; +1 b +1 a +2 c >= 2;"
    two = f"{signs[1]}2 d {signs[2]}1 a +1 b <= 1;"
    families = [td.opb(io.StringIO(text), variables=order) for text in (one, two)]
    both = families[0] & pickle.loads(pickle.dumps(families[1]))
    sign = {"+": 1, "-": -1}
    assignments = [dict(zip(order, values)) for values in itertools.product([False, True], repeat=5)]
    right = [
        s for s in assignments
        if s["b"] + s["a"] + 2 * s["c"] >= 2 and sign[signs[1]] * 2 * s["d"] + sign[signs[2]] * s["a"] + s["b"] <= 1
    ]
    assert {frozenset(s.items()) for s in both.build()} == {frozenset(s.items()) for s in right}
    value = lambda s: 3 * s["b"] + sign[signs[0]] * 2 * (not s["a"])  # noqa: E731
    assert both.build().best(1)[0][0] == min(map(value, right))
    # Of a DIMACS file, of which one variable is not shown.
    text = "c p show 1 3 4 0\np cnf 4 3\n1 2 0\n-2 3 0\n-1 4 0\n"
    names = [{"a": 1, "b": 3, "c": 4}.get(name, name) for name in order]
    file = td.cnf(io.StringIO(text), variables=names)
    plain = td.cnf(io.StringIO(text))
    assert list(file.build().elements) == names and file.count() == 4 * plain.count()
    assert {tuple(s[v] for v in (1, 3, 4)) for s in file.build()} == {s.values() for s in plain.build()}


@pytest.mark.parametrize(("call", "words"), [
    (lambda: td.formula("a & & b"), "column 5: expected a name"),
    (lambda: td.formula("a & d", variables="a b"), "no variable has the name"),
    (lambda: td.formula("a", variables="a a"), "given twice"),
    (lambda: td.formula("a", variables=["a", "b-c"]), "no name of a variable"),
    (lambda: td.formula(3), "is no formula"),
    (lambda: td.Bool("a True"), "no name of a variable"),
    (lambda: td.Bool("a")["b"], "the variables are a"),
    (lambda: td.Bool("a").a & td.Bool("b").b, "different td.Bool objects"),
    (lambda: td.Bool("a").a.implies(3), "no expression"),
    (lambda: td.cnf([[1, 0]]), "0 is no literal"),
    (lambda: td.cnf([[1, "a"]]), "write all in one way"),
    (lambda: td.cnf([["--a"]]), "no literal"),
    (lambda: td.cnf([[1, 5]], variables=4), "the variable 5 is not among the 4 of variables="),
    (lambda: td.cnf(3), "no file and no list of clauses"),
    (lambda: td.cnf([[10**9]]), "too large"),
    (lambda: td.opb("+1 x1 >= 1;\n"), "give io.StringIO(text)"),
    (lambda: td.opb("min: +1 a;"), "give io.StringIO(text)"),
    (lambda: td.cnf("p cnf 2 0"), "give io.StringIO(text)"),
    (lambda: td.opb(3), "is no file"),
    (lambda: td.opb(io.StringIO("+1 a +1 b >= 1;"), variables="b c"), "the variable 'a' is not among the 2"),
    (lambda: td.cnf(io.StringIO("p cnf 2 0"), variables=[1, 1, 2]), "the variable 1 is given twice"),
    (lambda: td.opb(io.StringIO("+1 a +1 b >= 1;")) & td.opb(io.StringIO("+1 b +1 a >= 1;")), "in one order: by one td.Variables, or by variables="),
])
def test_wrong_arguments_are_refused(call, words):
    with pytest.raises(td.InputError, match="(?s).*" + words.replace("(", r"\(").replace(")", r"\)")):
        call()


@pytest.mark.parametrize(("call", "text", "words"), [
    (td.opb, "+1 x1 x2 >= 1;", "the file: OPB, line 1: the product with x2 is nonlinear"),
    (td.cnf, "p cnf 1 1\n2 0\n", "DIMACS, line 2"),
    (td.cnf, "p cnf 1 1\nc p weight 1 0.5 0\n1 0\n", "has weights"),
])
def test_files_are_refused_with_their_line(call, text, words):
    with pytest.raises(td.FileError, match=words):
        call(io.StringIO(text))
    with pytest.raises(td.MissingFileError):
        call("missing")


def test_limits_hold_while_formulas_are_compiled():
    n = 40
    pairs = " & ".join(f"(x{i} <-> y{i})" for i in range(n))
    family = td.formula(pairs, variables=[f"x{i}" for i in range(n)] + [f"y{i}" for i in range(n)])
    with pytest.raises(td.TimeLimitError):
        family.count(timeout=0.3, memory="2GB")
    with pytest.raises(td.MemoryLimitError):
        family.count(memory="10MB")
    assert td.formula(pairs).count() == 2**n


def test_the_algebra_of_members_is_that_of_sets():
    one, two = [{1, 2}, {3}, set()], [{2}, {2, 3}]
    d, e = td.Diagram(one), td.Diagram(two)
    made = lambda sets: {frozenset(s) for s in sets}  # noqa: E731
    assert set(d.join(e)) == made(a | b for a in one for b in two)
    assert set(d.meet(e)) == made(a & b for a in one for b in two)
    assert set(d.flip(1, 3)) == made(a ^ {1, 3} for a in one)
    assert set(d.quotient([2])) == made([{1}]) and set(d.remainder([2])) == made([{3}, set()])
    with pytest.raises(td.InputError, match="empty"):
        d.quotient(d - d)
    with pytest.raises(td.InputError):
        d.flip(9)
