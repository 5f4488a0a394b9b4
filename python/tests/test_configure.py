"""Decisions one by one against brute force over the listed solutions, the page, and errors."""

import json
import re
import threading
import urllib.error
import urllib.request
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import topdd as td
from test_limits import ctrl_c, interrupted

EDGES = [(0, 1, 2), (1, 2, 3), (2, 3, 1), (3, 0, 5), (0, 2, 4)]
PROBLEMS = {
    "edges": td.Graph(EDGES).paths(0, 2),
    "vertices": td.Graph.cycle(5).independent_sets(),
    "colours": td.Graph.cycle(4).colourings(3),
    "squares": td.queens(5),
    "options": td.exact_cover({name: list(name) for name in ("ab", "cd", "a", "b", "bc", "d", "c")}),
    "variables": td.constraints({"mon": ["early", "late"], "tue": ["early", "late", "off"], 3: [1, "1", 2.5]}).all_different(["mon", "tue"]).excluding((3, 2.5)),
    "formula": td.formula("(a | b) & ~(b & c) & (c | d)"),
    "objects": td.Diagram([{"x", ("y", 1)}, {("y", 1)}, {"z"}, set()]),
}
SETS = ("edges", "vertices", "squares", "options", "objects")


class Brute:
    """The same by lists of all solutions."""

    def __init__(self, diagram):
        self.is_set = not isinstance(diagram.configure().status[diagram.elements[0]], dict)
        self.all = [self.pairs(solution, diagram) for solution in diagram]
        self.places = sorted({pair for solution in self.all for pair in solution} | self.others(diagram), key=repr)

    def pairs(self, solution, diagram):
        members = set(solution)
        return frozenset((e, e in members) for e in diagram.elements) if self.is_set else frozenset(solution.items())

    def others(self, diagram):
        if self.is_set:
            return {(e, True) for e in diagram.elements}
        return {(e, value) for e, values in diagram.configure().status.items() for value in values}

    def agrees(self, solution, decision):
        method, *place = decision
        place = (*place, True) if self.is_set else tuple(place)
        return (place in solution) == (method == "choose")

    def left(self, decisions):
        return [s for s in self.all if all(self.agrees(s, decision) for decision in decisions)]

    def status(self, decisions, place):
        left = self.left(decisions)
        having = sum(place in solution for solution in left)
        arguments = place[:1] if self.is_set else place
        if 0 < having < len(left):
            return "free"
        if having:
            return "chosen" if ("choose", *arguments) in decisions else "forced"
        return "forbidden" if ("forbid", *arguments) in decisions else "impossible"

    def fewest(self, decisions, holds):
        """The least number of decisions in a subset for which `holds`."""
        sizes = range(len(decisions) + 1)
        return next(size for size in sizes if any(holds(list(some)) for some in combinations(decisions, size)))


def status_of(c, place):
    status = c.status[place[0]]
    return status[place[1]] if isinstance(status, dict) else status


BRUTE = {name: Brute(problem.build() if isinstance(problem, td.Family) else problem) for name, problem in PROBLEMS.items()}


def check_state(brute, c):
    left = brute.left(c.decisions)
    diagram = c.left()
    assert c.count() == len(left) == len(diagram)
    assert {brute.pairs(solution, diagram) for solution in diagram} == set(left)
    assert brute.pairs(c.complete(), diagram) in left
    for place in brute.places:
        if place[1] is not False or not brute.is_set:
            assert status_of(c, place) == brute.status(c.decisions, place)


def check_why(brute, c, place, arguments):
    decisions, status = c.decisions, status_of(c, place)
    reason = c.why(*arguments)
    if status == "free":
        assert reason == [] and " is free: " in reason.text
    elif status == "chosen":
        assert reason == [("choose", *arguments)]
    else:
        wrong = [s for s in brute.all if (place in s) != (status == "forced")]

        def excludes(some):
            return not any(all(brute.agrees(s, d) for d in some) for s in wrong)

        assert excludes(reason) and all(d in decisions for d in reason)
        assert len(reason) == brute.fewest(decisions, excludes)
        assert reason.text.startswith(str(reason)) and ("because" in str(reason) or reason == [])


def check_anyway(brute, c, place, arguments):
    before, status = c.decisions, status_of(c, place)
    wanted = ("forbid" if status == "forced" else "choose", *arguments)
    possible = [s for s in brute.all if brute.agrees(s, wanted)]
    if not possible:
        for call in (c.anyway, c.opposing):
            with pytest.raises(td.InputError, match="in every solution"):
                call(*arguments)
        return
    opposing = c.opposing(*arguments)
    c.anyway(*arguments)
    assert [d for d in before if d not in opposing] == [d for d in c.decisions if d in before and d != wanted] or wanted in before
    assert wanted in c.decisions and len(c.decisions) >= len(before) - len(opposing)

    def suffices(taken_back):
        return any(all(brute.agrees(s, d) for d in before if d not in taken_back) for s in possible)

    assert suffices(opposing) and len(opposing) == brute.fewest(before, suffices)


@pytest.mark.parametrize("name", PROBLEMS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_decisions_agree_with_lists_of_solutions(name, data):
    brute, c = BRUTE[name], PROBLEMS[name].configure()
    history, undone = [[]], []
    places = [place for place in brute.places if not (brute.is_set and place[1] is False)]
    for _ in range(data.draw(st.integers(1, 7))):
        method = data.draw(st.sampled_from(["choose", "forbid", "anyway", "why", "undo", "redo", "free", "clear"]))
        place = data.draw(st.sampled_from(places))
        arguments = place[:1] if brute.is_set else place
        before = c.decisions
        if method in ("choose", "forbid"):
            possible = brute.left([*before, (method, *arguments)])
            if possible:
                assert getattr(c, method)(*arguments) is c
                assert c.decisions == [*before, (method, *arguments)] or (method, *arguments) in before
            else:
                with pytest.raises(td.InputError, match="because of|in every solution"):
                    getattr(c, method)(*arguments)
                assert c.decisions == before
        elif method == "why":
            check_why(brute, c, place, arguments)
        elif method == "anyway":
            check_anyway(brute, c, place, arguments)
        elif method == "clear":
            assert c.clear().decisions == [] and c.count() == len(brute.all)
        elif method == "free":
            own = [d for d in before if d[1:] == arguments]
            if own:
                assert [d for d in before if d != own[0]] == c.free(*arguments).decisions
            else:
                with pytest.raises(td.InputError, match="nothing is decided about"):
                    c.free(*arguments)
        elif (method == "undo" and len(history) > 1) or (method == "redo" and undone):
            getattr(c, method)()
            came, went = (history, undone) if method == "undo" else (undone, history)
            went.append(came.pop())
            assert c.decisions == history[-1]
        else:
            if method in ("undo", "redo"):
                with pytest.raises(td.InputError, match=f"nothing to {method}"):
                    getattr(c, method)()
        if method not in ("undo", "redo") and c.decisions != before:
            history.append(c.decisions)
            undone = []
        check_state(brute, c)
    while len(history) > 1:
        history.pop()
        assert c.undo().decisions == history[-1]


def test_the_best_completions_are_the_best_of_what_is_left():
    c = td.Graph(EDGES).spanning_trees().configure().choose((3, 0))
    assert c.best(3) == c.left().best(3) and [weight for weight, _ in c.best()] == sorted(w for w, _ in c.best())
    assert c.best(1, max=True)[0][0] == max(weight for weight, _ in c.best())
    weights = {(0, 1): 1, (1, 2): 0, (2, 3): 0, (3, 0): 0, (0, 2): 7}
    assert c.best(1, weights) == c.left().best(1, weights)
    values = PROBLEMS["variables"].configure().forbid("mon", "late")
    assert values.best(1, lambda element, value: value == "late") == values.left().best(1, lambda _, value: value == "late")


def test_both_directions_of_an_edge_and_values_of_two_are_one_word():
    c = td.Graph(EDGES).spanning_trees().configure().choose((1, 0))
    assert c.decisions == [("choose", (0, 1))] and c.status[1, 0] == c.status[0, 1] == "chosen"
    c = td.formula("a | b").configure().forbid("a")
    assert c.decisions == [("forbid", "a", True)] and c.status["b"] == {False: "impossible", True: "forced"}
    assert c.why("b") == [("forbid", "a", True)] and c.why("a") == [("forbid", "a", True)]
    c = td.Graph.cycle(4).colourings(2).configure().choose(0, 1)
    assert c.why(1) == [("choose", 0, 1)] and str(c.why(1)) == "1 must be 0, because of: 0 = 1"


def test_a_variable_alone_frees_its_decisions():
    c = PROBLEMS["variables"].configure().forbid("tue", "early").choose("mon", "early").forbid("tue", "off")
    assert c.free("tue").decisions == [("choose", "mon", "early")] and "taken back: tue" in c.message
    assert len(c.undo().decisions) == 3 and c.redo().free("mon").decisions == [] and c.count() == len(PROBLEMS["variables"].build())
    assert td.formula("a | b").configure().choose("a", False).free("a").decisions == []
    assert td.Graph.cycle(4).colourings(3).configure().choose(0, 1).free(0).decisions == []
    assert repr(c.why("tue", "off")).startswith("<no decisions: tue = off is free: ") and repr(c.undo().why("mon")) == "[('choose', 'mon', 'early')]"


def test_errors_say_what_to_do():
    queens, graph = td.queens(5).configure(), td.Graph(EDGES).paths(0, 2).configure()
    week = PROBLEMS["variables"].configure().choose("mon", "early")
    for call, message in [
        (lambda: queens.choose("z9"), "'z9' is no square; Diagram.elements lists them"),
        (lambda: queens.choose("a1", True), "without values: choose takes one square"),
        (lambda: graph.choose(0, 1), r"\(0, 1\) is one edge; give it as one argument: choose\(\(0, 1\)\)"),
        (lambda: graph.why((0, 9)), "is no edge of the graph"),
        (lambda: week.choose("wed", "off"), "there is no variable 'wed'; the variables are 'mon', 'tue', 3"),
        (lambda: week.choose("tue", "of"), "there is no value 'of' of 'tue'; its values are 'early', 'late', 'off'"),
        (lambda: week.forbid("tue"), r"'tue' has the values .*; give one: forbid\('tue', 'early'\)"),
        (lambda: week.why("tue"), "give one: why"),
        (lambda: week.choose("tue", "early"), r"tue cannot be early, because of: mon = early; anyway\(\) takes back"),
        (lambda: week.forbid("mon", "early"), "mon must be early, because of: mon = early; undo"),
        (lambda: td.queens(6).configure().choose("b1").forbid("d2"), r"because of: queen on b1; anyway\(\) forbids it"),
        (lambda: week.free("tue"), "nothing is decided about tue; decisions lists the decisions"),
        (lambda: week.free("wed"), "there is no variable 'wed'"),
        (lambda: week.redo(), "there is nothing to redo"),
        (lambda: td.Diagram([]).configure(), "there are no solutions to decide on"),
        (lambda: (td.queens(3) & td.queens(3)).configure(), "there are no solutions to decide on"),
        (lambda: week.best("x"), "is no number of solutions"),
    ]:
        with pytest.raises(td.InputError, match=message):
            call()
    with pytest.raises(TypeError, match="hashable|unhashable|no square|list"):
        try:
            queens.choose(["a1"])
        except td.InputError as error:
            raise TypeError(str(error)) from None
    with pytest.raises(AttributeError, match="did you mean 'choose'"):
        queens.chose("a1")
    with pytest.raises(TypeError):
        td.Configurator()


def test_a_call_that_is_stopped_changes_nothing(ctrl_c):
    family, cancelled = td.Graph.grid(9, 9).paths(0, 80), threading.Event()
    cancelled.set()
    c = family.configure(timeout=100).choose((0, 1))
    before = (c.decisions, c.count())
    for call in (lambda: c.choose((1, 2)), lambda: c.why((0, 9)), c.undo, c.left, family.configure):
        with td.limits(cancel=cancelled), pytest.raises(td.CancelledError):
            call()
    assert (c.decisions, c.count()) == before and c.choose((1, 2)).count() < before[1]
    wide = td.constraints({at: range(2) for at in range(5000)}).exactly(2500).build().configure
    assert interrupted(wide, after=0.1) < 3


def test_a_notebook_shows_statuses():
    for name, problem in PROBLEMS.items():
        text = problem.configure()._repr_html_()
        assert text.count("<tr>") and "free" in text, name
    c = td.Diagram([{"<b>"}, {"c"}]).configure().choose("<b>")
    assert "&lt;b&gt;" in c._repr_html_() and "<b>" not in c._repr_html_()
    assert repr(c) == "<topdd.Configurator: 1 of 2 solutions left, 1 decision>"
    assert "<svg" in PROBLEMS["edges"].configure()._repr_html_()


def ask(address, name, body=None, **headers):
    request = urllib.request.Request(address + name, body and json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as response:
        return response.read().decode()


def test_the_page_has_the_decisions_and_changes_them():
    c = PROBLEMS["variables"].configure().choose("mon", "early")
    address, fragment = c.show(open=False).split("#")
    assert fragment == "choose%20mon%3Dearly" and re.match(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/$", address)
    assert ask(address, "").startswith("<!DOCTYPE html>") and ask(address, "build") == "null" == ask(address, "map")
    state = json.loads(ask(address, "state", {"decisions": ["choose mon=early"]}))
    assert state["left"] == str(c.count()) and c.decisions == [("choose", "mon", "early")] and c.message == "mon = early"
    ask(address, "state", {"decisions": ["choose mon=early"], "command": "forbid tue=off"})
    assert c.decisions == [("choose", "mon", "early"), ("forbid", "tue", "off")]
    assert c.undo().decisions == [("choose", "mon", "early")]
    refused = json.loads(ask(address, "state", {"decisions": ["choose mon=early", "choose tue=early"]}))
    assert refused["refused"] and c.decisions == [("choose", "mon", "early")]
    solutions = json.loads(ask(address, "solutions", {"decisions": ["choose mon=early"]}))
    assert [s["text"].split()[0] for s in solutions["solutions"]] == ["mon=early"] * c.count()
    assert c.show(open=False) == f"{address}#{fragment}"
    for name, headers, status in [
        ("nothing", {}, 404), ("", {"Host": "example.org"}, 403), ("", {"Origin": "http://example.org"}, 403),
    ]:
        with pytest.raises(urllib.error.HTTPError) as error:
            ask(address, name, **headers)
        assert error.value.code == status
    with pytest.raises(urllib.error.HTTPError, match="403"):
        ask(address[:-3] + "0/", "")
    with pytest.raises(urllib.error.HTTPError, match="400"):
        ask(address, "state", {"decisions": ["choose mon=never"]})


def test_the_page_of_each_kind_of_problem_reads_its_own_names():
    for problem in PROBLEMS.values():
        c = problem.configure()
        place = next(e for e, s in c.status.items() if "free" in (s.values() if isinstance(s, dict) else [s]))
        values = c.status[place]
        c.choose(place, *([v for v in values if values[v] == "free"][:1] if isinstance(values, dict) else []))
        address, fragment = c.show(open=False).split("#")
        command = urllib.request.unquote(fragment)
        state = json.loads(ask(address, "state", {"decisions": [command]}))
        assert not state["refused"] and state["left"] == str(c.count()) and len(c.decisions) == 1
