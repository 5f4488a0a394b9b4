"""Assignments of functions, and functions in files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, cast

from topdd._errors import FileError, InputError
from topdd._topdd import Diagram, Function, Manager

_PICTURES = ("svg", "png", "pdf")
"""The files that Graphviz writes."""


def pick_iter(manager: Manager, u: Function, care_vars: Iterable[str] | None) -> Iterator[dict[str, bool]]:
    """Return an iterator of the assignments for which a function is true."""
    support = manager.support(u)
    care = [name for name in manager.vars if name in support] if care_vars is None else _words(care_vars)
    for name in care:
        manager.level_of_var(name)
    return _assignments(manager._cubes(u), care)


def _assignments(cubes: Iterable[dict[str, bool]], care: list[str]) -> Iterator[dict[str, bool]]:
    for cube in cubes:
        free = [name for name in care if name not in cube]
        for values in product((False, True), repeat=len(free)):
            yield {**cube, **dict(zip(free, values))}


def pick(manager: Manager, u: Function, care_vars: Iterable[str] | None) -> dict[str, bool] | None:
    """Return the first assignment for which a function is true."""
    return next(pick_iter(manager, u, care_vars), None)


def _words(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names.replace(",", " ").split() if isinstance(names, str) else names))


def dump(manager: Manager, filename: str | os.PathLike[str], roots: Any, filetype: str | None) -> None:
    """Write functions to a file."""
    kind = filetype or Path(filename).suffix.lower()[1:]
    if kind not in ("json", "tdd", "dddmp", "dot", *_PICTURES):
        raise InputError(f"{filename!s}: functions are written to files .json, .tdd, .dddmp and .dot, and pictures .svg, .png and .pdf")
    if roots is None and kind in ("dot", *_PICTURES):
        roots = manager._functions()
    roots = [roots] if isinstance(roots, Function) else roots
    names: list[str] | None = list(cast("Mapping[str, Any]", roots)) if isinstance(roots, Mapping) else None
    functions: list[Any] = list(cast("Any", roots or ())) if names is None else list(cast("Any", roots).values())
    if not functions or not all(isinstance(u, Function) and u in manager for u in functions):
        raise InputError("give roots=, a function, a list of functions, or a dictionary of functions with names")
    if kind in ("tdd", "dddmp") and len(functions) > 1:
        raise InputError(f"a file .{kind} has one function, and {len(functions)} are given; write each to a file, or a file .json")
    if kind == "tdd":
        functions[0].build().save(filename)
    elif kind == "dddmp":
        _replace(filename, functions[0]._dddmp())
    elif kind == "json":
        _replace(filename, _json(manager, names, functions).encode())
    else:
        _replace(filename, _picture(_dot(names, functions).encode(), kind))


def _replace(filename: str | os.PathLike[str], content: bytes) -> None:
    """Write a file, which replaces another one only when it is complete."""
    part = Path(f"{os.fspath(filename)}.part")
    try:
        part.write_bytes(content)
        part.replace(filename)
    except OSError as error:
        raise FileError(f"cannot write {os.fspath(filename)}: {error.strerror}") from error


def _picture(text: bytes, kind: str) -> bytes:
    """Return the picture of Graphviz."""
    if kind == "dot":
        return text
    if shutil.which("dot") is None:
        raise InputError(f"a picture .{kind} needs the program dot; install Graphviz, or write a file .dot")
    done = subprocess.run(["dot", f"-T{kind}"], input=text, capture_output=True, check=False)
    if done.returncode:
        raise FileError(f"the program dot failed: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


_Part = tuple[Function, Function, Function]


def nodes_of(functions: list[Function]) -> tuple[dict[Function, int], list[_Part]]:
    """Return the numbers of functions and of the parts of their diagrams, and all nodes, each after its parts.

    A node is a function that is true where all variables are, with its parts. Its negation has the negative number.
    """
    true = functions[0].bdd.true
    numbers: dict[Function, int] = {true: 1, ~true: -1}
    nodes: list[_Part] = []
    waiting = [~u if u.negated else u for u in functions]
    while waiting:
        u = waiting[-1]
        low, high = u.low, u.high
        if u in numbers or low is None or high is None:
            waiting.pop()
        elif first := [~part if part.negated else part for part in (low, high) if part not in numbers]:
            waiting += first
        else:
            nodes.append((u, low, high))
            numbers[u], numbers[~u] = len(nodes) + 1, -len(nodes) - 1
    return numbers, nodes


def _json(manager: Manager, names: list[str] | None, functions: list[Function]) -> str:
    """Return functions in the format of dd, a line for each node."""
    numbers, nodes = nodes_of(functions)
    constants = {1: '"T"', -1: '"F"'}
    roots = [numbers[u] for u in functions]
    named = json.dumps(roots if names is None else dict(zip(names, roots)))
    lines = [f'"level_of_var": {json.dumps(manager.vars)}', f'"roots": {named}']
    for u, *parts in nodes:
        low, high = (constants.get(numbers[part], str(numbers[part])) for part in parts)
        lines.append(f'"{numbers[u]}": [{u.level}, {low}, {high}]')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _dot(names: list[str] | None, functions: list[Function]) -> str:
    """Return functions as a graph for Graphviz: dashed edges lead to the parts for false, and a dot negates the part."""
    numbers, nodes = nodes_of(functions)
    lines = ["digraph Functions {", "  edge [arrowhead=none];", '  n1 [label="TRUE", shape=box];']

    def edge(tail: str, u: Function, style: str) -> str:
        negated = ", dir=both, arrowtail=odot" if numbers[u] < 0 else ""
        return f"  {tail} -> n{abs(numbers[u])} [style={style}{negated}];"

    for at, u in enumerate(functions):
        name = f"@{numbers[u]}" if names is None else names[at]
        lines += [f"  r{at} [label={json.dumps(name)}, shape=plaintext];", edge(f"r{at}", u, "solid")]
    levels: dict[int, list[str]] = {}
    for u, low, high in nodes:
        node = f"n{numbers[u]}"
        levels.setdefault(u.level, []).append(node)
        lines += [f"  {node} [label={json.dumps(u.var)}];", edge(node, low, "dashed"), edge(node, high, "solid")]
    ranks = [f"  {{ rank=same; {'; '.join(level)} }}" for level in levels.values()]
    return "\n".join([*lines, *ranks, "}\n"])


def load(manager: Manager, filename: str | os.PathLike[str]) -> Any:
    """Return the functions of a file."""
    kind = Path(filename).suffix.lower()[1:]
    if kind == "tdd":
        diagram = Diagram.load(filename)
        manager.declare(*diagram.order)
        return [manager.from_diagram(diagram)]
    if kind not in ("json", "dddmp"):
        raise InputError(f"{filename!s}: functions are read from files .json, .tdd and .dddmp, not {kind!r}")
    try:
        content = Path(filename).read_bytes()
    except OSError as error:
        raise FileError(f"cannot read {os.fspath(filename)}: {error.strerror}") from error
    if kind == "dddmp":
        return manager._read_dddmp(content)
    try:
        return _loaded(manager, json.loads(content))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FileError(f"{os.fspath(filename)} is no file of functions in the format of dd: {error!r}") from error


def _loaded(manager: Manager, content: dict[str, Any]) -> Any:
    names: dict[str, int] = content.pop("level_of_var")
    roots: Any = content.pop("roots")
    manager.declare(*sorted(names, key=names.__getitem__))
    var_at = {level: name for name, level in names.items()}
    known: dict[int, Function] = {1: manager.true}

    def function(number: Any) -> Function:
        number = {"T": 1, "F": -1}.get(number, number)
        return known[number] if number > 0 else ~known[-number]

    for number, (level, low, high) in content.items():
        known[int(number)] = manager.var(var_at[level]).ite(function(high), function(low))
    if isinstance(roots, dict):
        return {name: function(number) for name, number in cast("dict[str, Any]", roots).items()}
    return [function(number) for number in roots]
