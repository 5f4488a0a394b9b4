"""The graph and the elements of diagrams in files and in pickles."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from importlib import import_module
from types import MethodType
from typing import Any, cast

from topdd._errors import InputError
from topdd._sources import Normal
from topdd import _topdd
from topdd._topdd import Diagram, Family, Graph, Solution, Solutions

_KINDS: dict[str, type] = {"int": int, "float": float, "fraction": Fraction}
"""Numbers that JSON does not have, or not exactly, as texts."""

_SIGNS = {"__and__": "&", "__or__": "|", "__sub__": "-", "__xor__": "^", "__invert__": "-"}
"""The operators; ``~`` needs brackets as an operand, except on the left of a difference, which binds less."""
_LENGTH = 180
"""The most characters of a description."""
_PART = (_LENGTH - len(" ... ")) // 2


def restored_diagram(state: tuple[Any, ...], content: bytes, order: list[int]) -> Diagram:
    """Return the diagram of a pickle."""
    return Diagram._restore(state, content, order)


def restored_solution(state: tuple[Any, ...], values: bytes) -> Solution:
    """Return the solution of a pickle."""
    return Solutions._restore(state, 1, values)[0]


def restored_solutions(state: tuple[Any, ...], count: int, values: bytes) -> Solutions:
    """Return the solutions of a pickle."""
    return Solutions._restore(state, count, values)


def kept(value: Any) -> Any:
    """Return an argument of a family, or a copy of it if the user may change it."""
    if isinstance(value, Mapping):
        return {key: kept(part) for key, part in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list):
        return [kept(part) for part in cast("list[Any]", value)]
    if isinstance(value, set):
        return set(cast("set[Any]", value))
    return value.copy() if hasattr(value, "__array__") and hasattr(value, "copy") else value


def recipe(
    owner: Any, name: str, positional: Iterable[Any], keywords: Iterable[tuple[str, Any]]
) -> tuple[Any, ...]:
    """Return a call that makes a family: the graph or the call with the method, or `None`, the name and the arguments."""
    named = {keyword: kept(value) for keyword, value in keywords if value is not None}
    return owner, name, tuple(kept(value) for value in positional if value is not None), named


def calls_of(recipe: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Return the calls that make a family. A call follows the calls whose families it needs, and contains their positions."""
    calls: list[tuple[Any, ...]] = []
    at: dict[int, int] = {}
    graphs: dict[int, Graph] = {}
    waiting = [recipe]
    while waiting:
        call = waiting.pop()
        owner, name, arguments, keywords = call
        is_operator = name.startswith("__")
        families: list[Any] = [owner, *arguments] if is_operator else [owner]
        families = [part for part in families if isinstance(part, tuple)]
        first = [family for family in families if id(family) not in at]
        if id(call) in at:
            continue
        if first:
            waiting += [call, *first]
            continue
        if id(owner) in at:
            owner = at[id(owner)]
        elif isinstance(owner, Graph):
            owner = graphs.setdefault(id(owner.__reduce__()[1][0]), owner)
        if is_operator:
            arguments = [at[id(family)] for family in arguments]
        at[id(call)] = len(calls)
        calls.append((owner, name, arguments, keywords))
    return calls


class _Decorated:
    """The function of a decorated rule. Its name stands for the family, so that a pickle does not find it by name."""

    def __init__(self, module: str, name: str, position: int) -> None:
        self.arguments = (module, name, position)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return decorated, self.arguments


def decorated(module: str, name: str, position: int) -> Any:
    """Return an argument of the rule that a name of a module stands for."""
    import_module(module)
    arguments = _rule_named(module, name)
    if arguments is None:
        raise InputError(f"{name} of the module {module} is no family of a rule, as it was when a family was pickled")
    return arguments[position]


def _rule_named(module: str, name: str) -> tuple[Any, ...] | None:
    """Return the arguments of the rule of a family that a name of a module stands for."""
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, Family):
        return None
    call = found._recipe
    while isinstance(call[0], tuple):
        call = cast("tuple[Any, ...]", call[0])
    return call[2] if call[1] == "dp" else None


def _by_name(given: Any, position: int) -> Any:
    """Return an argument of a rule; a function that a decorator has replaced, or its class, by its name."""
    holder = type(given.__self__) if isinstance(given, MethodType) else given
    module, name = getattr(holder, "__module__", None), getattr(holder, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return given
    arguments = _rule_named(module, name) or ()
    is_own = position < len(arguments) and callable(given) and arguments[position] == given
    return _Decorated(module, name, position) if is_own else given


def pickled(recipe: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Return the calls that make a family, for a pickle."""
    calls: list[tuple[Any, ...]] = []
    for owner, name, arguments, keywords in calls_of(recipe):
        if name == "dp":
            arguments = (*arguments[:2], *(_by_name(given, at) for at, given in enumerate(arguments[2:], 2)))
        calls.append((owner, name, arguments, keywords))
    return calls


def described(recipe: tuple[Any, ...]) -> str:
    """Return the calls and operators that make a family as text. A long text is shortened in the middle."""
    made: list[tuple[str, str]] = []

    def operand(at: int, of: str = "") -> str:
        """Return a text in brackets, unless it is a call or a chain of the same operator."""
        text, sign = made[at]
        return text if sign in ("", of) else f"({text})"

    for owner, name, arguments, keywords in calls_of(recipe):
        sign = _SIGNS.get(name, "")
        if name == "__invert__":
            text = f"~{operand(owner)}"
        elif sign:
            text = f"{operand(owner, sign)} {sign} {operand(arguments[0])}"
        else:
            shown = [*map(repr, arguments), *(f"{keyword}={value!r}" for keyword, value in keywords.items())]
            call = f"{name}({', '.join(shown)})"
            text = f"{operand(owner)}.{call}" if isinstance(owner, int) else call
        made.append((text if len(text) <= _LENGTH else f"{text[:_PART]} ... {text[-_PART:]}", sign))
    return made[-1][0]


def restored_family(calls: list[tuple[Any, ...]]) -> Family:
    """Return the family of a pickle."""
    made: list[Family] = []
    for owner, name, arguments, keywords in calls:
        if isinstance(owner, int):
            owner = made[owner]
        given: list[Any] = [made[place] for place in arguments] if name.startswith("__") else arguments
        made.append(getattr(_topdd if owner is None else owner, name)(*given, **keywords))
    return made[-1]


def encoded(state: tuple[Any, ...]) -> str:
    """Return what the elements of a diagram are, as JSON."""
    return json.dumps(_encoded(state))


def decoded(state: str) -> tuple[Any, ...]:
    """Return what the elements of a diagram are."""
    return _decoded(json.loads(state))


def _encoded(value: Any) -> Any:
    """Return an object as JSON can store it."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, (int, float)) and (abs(value) < 2**63 if isinstance(value, int) else math.isfinite(value)):
        return value
    if isinstance(value, (tuple, list)):
        return {"tuple": [_encoded(part) for part in cast("list[Any]", value)]}
    if isinstance(value, Graph):
        graph: Normal = value.__reduce__()[1][0]
        return {"graph": _encoded(tuple(graph._replace(attributes=None, named=())))}
    for kind, of in _KINDS.items():
        if isinstance(value, of):
            return {kind: str(value)}
    item: Any = getattr(cast("object", value), "item", None)
    if item is not None:
        return _encoded(item())
    raise InputError(
        f"{value!r} cannot be saved; use strings, numbers or tuples as vertices and elements, or pickle the diagram"
    )


def _decoded(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    kind: str
    content: Any
    ((kind, content),) = cast("dict[str, Any]", value).items()
    if kind == "tuple":
        return tuple(_decoded(part) for part in content)
    return _KINDS[kind](content) if kind in _KINDS else Graph(Normal(*_decoded(content)))
