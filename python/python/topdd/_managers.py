"""Assignments of functions, and functions in files."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, cast

from topdd._errors import FileError, InputError
from topdd._topdd import Diagram, Function, Manager


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
    if kind not in ("json", "tdd", "dddmp", "dot"):
        raise InputError(f"{filename!s}: functions are written to files .json, .tdd, .dddmp and .dot, not {kind!r}")
    named = cast("Mapping[str, Any]", roots) if isinstance(roots, Mapping) else None
    functions: list[Any] = list(roots or ()) if named is None else list(named.values())
    if not functions or not all(isinstance(u, Function) and u in manager for u in functions):
        raise InputError("give roots=, a list of functions, or a dictionary of functions with names")
    if kind == "json":
        return _replace(filename, _json(manager, named, functions).encode())
    if len(functions) > 1:
        raise InputError(f"a file .{kind} has one function, and {len(functions)} are given; write each to a file, or a file .json")
    if kind == "tdd":
        return functions[0].build().save(filename)
    content, names = functions[0]._text(kind)
    if kind == "dot":
        label = re.compile(r'label="x(\d+)"')
        content = label.sub(lambda found: f"label={json.dumps(names[int(found[1])])}", content.decode()).encode()
    _replace(filename, content)


def _replace(filename: str | os.PathLike[str], content: bytes) -> None:
    """Write a file, which replaces another one only when it is complete."""
    part = Path(f"{os.fspath(filename)}.part")
    try:
        part.write_bytes(content)
        part.replace(filename)
    except OSError as error:
        raise FileError(f"cannot write {os.fspath(filename)}: {error.strerror}") from error


def _json(manager: Manager, names: Iterable[str] | None, functions: list[Function]) -> str:
    """Return functions in the format of dd: a line for each node, which is true where all variables are."""
    known: dict[Function, Any] = {manager.true: "T", manager.false: "F"}
    lines: list[str] = []

    def number(u: Function) -> Any:
        return known[u] if u in known else -known[~u]

    waiting = [~u if u.negated else u for u in functions]
    while waiting:
        u = waiting[-1]
        parts = [part for part in (u.low, u.high) if part is not None]
        first = [part for part in (~part if part.negated else part for part in parts) if part not in known]
        if first and u not in known:
            waiting += first
            continue
        waiting.pop()
        if u not in known:
            known[u] = len(lines) + 2
            low, high = (json.dumps(number(part)) for part in parts)
            lines.append(f'"{known[u]}": [{u.level}, {low}, {high}]')
    constants = {"T": 1, "F": -1}
    numbers = [constants.get(found, found) for found in map(number, functions)]
    roots = numbers if names is None else dict(zip(names, numbers))
    head = [f'"level_of_var": {json.dumps(manager.vars)}', f'"roots": {json.dumps(roots)}']
    return "{\n" + ",\n".join(head + lines) + "\n}\n"


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
        return [manager._read_dddmp(content)]
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
