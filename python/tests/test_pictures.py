"""Pictures of assignments: the places, texts and colours of their cells, and what has no picture."""

import pickle
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import topdd as td

SVG = "{http://www.w3.org/2000/svg}"
WEEK = td.constraints([(week, day) for week in range(2) for day in ("Mon", "Tue", "Wed")], ["off", "day", "<b>"])


def cells(picture):
    """The title of each cell, with its place from the left and from the top in its group, and its colour."""
    groups = ElementTree.fromstring(picture.svg).iter(f"{SVG}g")
    all_cells = [[c for c in group if c.get("class") == "cell"] for group in groups if group.get("class") == "assignment"]
    places = []
    for group in all_cells:
        ranks = [sorted({float(c.get(axis)) for c in group}) for axis in "xy"]
        places.append({c[0].text: (*[r.index(float(c.get(a))) for r, a in zip(ranks, "xy")], c.get("fill")) for c in group})
    return places


def test_pairs_are_a_grid_with_the_values_in_their_cells():
    solution = WEEK.including(((0, "Tue"), "<b>"), ((1, "Wed"), "day")).build()[0]
    (found,) = cells(solution.picture())
    assert {title: place[:2] for title, place in found.items()} == {
        f"{name}: {value}": (("Mon", "Tue", "Wed").index(name[1]), name[0]) for name, value in solution.items()
    }
    colours = {title.split(": ")[1]: place[2] for title, place in found.items()}
    assert len(set(colours.values())) == len(colours) == 3
    assert solution._repr_svg_() == solution.picture().svg == pickle.loads(pickle.dumps(solution)).picture().svg
    # The same value has the same colour in all solutions, and twelve are side by side.
    several = cells(WEEK.build()[:40].picture())
    assert len(several) == 12 and len({(t.split(": ")[1], place[2]) for group in several for t, place in group.items()}) <= 3


def test_squares_are_a_board_and_true_is_a_mark():
    @td.spec(elements=["a1", "b1", "a2", "b2"], root=0)
    def one(count, square, value):
        return None if count and value else count + value

    solution = one.including(("b1", True)).build()[0]
    (found,) = cells(solution.picture())
    assert {title: place[:2] for title, place in found.items()} == {
        "a1: False": (0, 1), "b1: True": (1, 1), "a2: False": (0, 0), "b2: False": (1, 0),
    }
    assert solution.picture().svg.count('class="mark"') == 1


def test_half_tables_and_others_are_where_their_names_say():
    games = td.constraints({(a, b): (a, b) for a, b in ("AB", "AC", "BC")})
    (found,) = cells(games.build()[0].picture())
    assert [place[:2] for place in found.values()] == [(0, 0), (1, 0), (1, 1)]
    for names in (["mon", "tue"], [("a", 1), "b"], [(1, "x"), ("1", "x")], [("a", 1, 2), ("b", 1, 2)], [(at, at) for at in range(9)]):
        (found,) = cells(td.constraints(names, 2).build()[0].picture())
        assert set(found) == {f"{name}: 0" for name in names}
        assert td.constraints(names, 2).build()[0].picture().svg.count('class="text"') == 2 * len(names)
    # 1, True and "1" are different values, 1 and "1" with the same text.
    mixed = td.constraints({"a": [True, False], "b": [1, 0], "c": ["1", "0"]}).build()
    assert any({"a: True", "b: 1", "c: 1"} == set(found) for found in cells(mixed[:].picture()))
    assert mixed[:].picture().svg.count('class="mark"') == 4


def test_large_assignments_and_others_have_no_picture():
    solution = td.constraints(1001).at_most(0).build()[:]
    for call in (solution.picture, solution[0].picture, td.exact_cover({"r1": {1}}).build()[0].picture):
        with pytest.raises(td.InputError, match="graphs and variables of at most 1000"):
            call()
    assert solution._repr_svg_() is None and solution[0]._repr_svg_() is None
    assert len(cells(td.constraints(1000).at_most(0).build()[0].picture())[0]) == 1000
    assert td.constraints([]).build()[:].picture().svg.endswith("</svg>\n")
    assert td.constraints(2).build()[:0]._repr_svg_() is None
    assert td.formula("a & b").build()[0].picture().svg.count('class="mark"') == 2


class Odd:
    def __str__(self):
        raise ZeroDivisionError


def test_exceptions_of_names_come_through():
    with pytest.raises(ZeroDivisionError):
        td.constraints([Odd()]).build()[0].picture()


@settings(max_examples=40, deadline=None)
@given(names=st.lists(st.text(), min_size=1, unique=True), value=st.text(), is_pair=st.booleans())
def test_any_text_is_xml(names, value, is_pair):
    variables = [(name, "x") for name in names] if is_pair else names
    (found,) = cells(td.constraints(variables, [value]).build()[0].picture())
    assert len(found) <= len(names)
