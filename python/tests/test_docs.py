"""The examples of all docstrings, of the README and of the page of the book."""

import doctest
import inspect
import pathlib
import subprocess
import sys

import pytest

import topdd

ROOT = pathlib.Path(__file__).parents[2]
NAMES = topdd.__all__


def docstrings(name):
    """The docstrings of an object and of its members."""
    value = getattr(topdd, name)
    yield name, inspect.getdoc(value) or ""
    if inspect.isclass(value):
        for member, method in vars(value).items():
            if not member.startswith("_"):
                yield f"{name}.{member}", inspect.getdoc(method) or ""


@pytest.mark.parametrize("name", ["topdd", *NAMES])
def test_the_examples_of_docstrings_hold(name):
    pairs = [("topdd", topdd.__doc__)] if name == "topdd" else docstrings(name)
    for where, text in pairs:
        assert text.strip(), f"{where} has no docstring"
        example = doctest.DocTestParser().get_doctest(text, {}, where, None, 0)
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        runner.run(example)
        assert runner.summarize(verbose=False).failed == 0, where


@pytest.mark.parametrize("example", ["network_reliability", "districts"])
def test_the_examples_draw_pictures(example, tmp_path):
    program = ROOT / "python" / "examples" / f"{example}.py"
    subprocess.run([sys.executable, program, tmp_path], check=True, capture_output=True)
    (picture,) = tmp_path.iterdir()
    assert picture.read_text().startswith("<svg")


@pytest.mark.parametrize("example, text", [
    ("roster", " rosters\n"), ("sudoku", "[[5 3 4 6 7 8 9 1 2]"), ("own_queens", "placements; the first is"),
    ("tournament", "tournaments are won by A alone"), ("knapsack", "packs of at most 8 kg"), ("pairs_of_options", "of 25 configurations"),
])
def test_the_examples_print_and_draw_solutions(example, text, tmp_path):
    program = ROOT / "python" / "examples" / f"{example}.py"
    done = subprocess.run([sys.executable, program], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert text in done.stdout
    (picture,) = tmp_path.iterdir()
    assert picture.name == f"{example}.svg" and picture.read_text().startswith("<svg")
    body = program.read_text().split('"""')[2]
    assert sum(bool(line.strip()) and "import" not in line for line in body.splitlines()) <= 15


@pytest.mark.parametrize("page", ["python/README.md", "docs/src/python.md", "docs/src/rules.md", "docs/src/from_dd.md", "docs/src/bounded.md"])
def test_the_programs_of_pages_run(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text()
    programs = [block.split("\n", 1)[1] for block in text.split("```")[1::2] if block.startswith("python\n")]
    assert programs
    names = {}
    for program in programs:
        exec(program, names)
