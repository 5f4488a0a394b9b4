"""The graph and the elements of diagrams in files and in pickles."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from topdd._errors import FileError, InputError
from topdd._numbers import decimals
from topdd._sources import Normal, named_edges, with_keys
from topdd._tables import texts
from topdd import _topdd
from topdd._topdd import Diagram, Family, Graph, Solution, Solutions

_STATE = "topdd-python"
"""The key of the graph or the elements of a diagram that Python has saved."""

_GRAPH, _ORDER, _WEIGHTS = "topdd-graph", "topdd-order", "topdd-weights"
"""The keys under which the command saves a graph, the element of each variable, and their weights."""

_LOST = ("unusable", "differ", "too-large")
"""The words of the command in place of weights that it does not have."""

_KINDS = {"edge": "weight", "vertex": "population"}
"""The numbers of a graph that are the weights of its edges or vertices."""


def restored_diagram(state: tuple[Any, ...], content: bytes, order: list[int]) -> Diagram:
    """Return the diagram of a pickle."""
    return Diagram._restore(state, content, order)


def restored_solution(state: tuple[Any, ...], values: bytes) -> Solution:
    """Return the solution of a pickle."""
    return Solution._restore(state, values)


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


def restored_family(calls: list[tuple[Any, ...]]) -> Family:
    """Return the family of a pickle."""
    made: list[Family] = []
    for owner, name, arguments, keywords in calls:
        if isinstance(owner, int):
            owner = made[owner]
        given: list[Any] = [made[place] for place in arguments] if name.startswith("__") else arguments
        made.append(getattr(_topdd if owner is None else owner, name)(*given, **keywords))
    return made[-1]


def _encoded(value: Any) -> Any:
    """Return an object as JSON can store it."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (tuple, list)):
        return {"tuple": [_encoded(part) for part in cast("list[Any]", value)]}
    if isinstance(value, Graph):
        graph: Normal = value.__reduce__()[1][0]
        return {"graph": _encoded(tuple(graph._replace(attributes=None, named=())))}
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if hasattr(value, "item"):
        return _encoded(value.item())
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
    if kind == "fraction":
        return Fraction(content)
    return Graph(Normal(*_decoded(content)))


def metadata(state: tuple[Any, ...], order: list[int]) -> dict[str, str]:
    """Return the metadata of a file, with a graph as the command stores it, too."""
    made = {_STATE: json.dumps(_encoded(state)), _ORDER: " ".join(map(str, order))}
    if isinstance(state[1], Graph):
        graph: Normal = state[1].__reduce__()[1][0]
        record = {
            "unit": state[0],
            "directed": graph.directed,
            "vertices": texts(graph.vertices),
            "edges": graph.ends,
        }
        made[_GRAPH] = json.dumps(record)
        kind = _KINDS.get(state[0])
        weights = None if kind is None else getattr(graph, kind)
        if weights is not None:
            words = decimals([weights[element] for element in order])
            made[_WEIGHTS] = "unusable" if words is None else " ".join(words)
        elif kind in dict(graph.unusable):
            made[_WEIGHTS] = "unusable"
    return made


def restored_metadata(
    known: Mapping[str, str], arities: list[int], graph: Graph | None, elements: Sequence[Any] | None
) -> tuple[tuple[Any, ...], list[int]]:
    """Return what the elements of a file are, and the element of each variable."""
    variables = len(arities)
    order = list(map(int, known[_ORDER].split())) if _ORDER in known else list(range(variables))
    if _STATE in known or _GRAPH in known:
        if elements is not None:
            raise FileError("the file contains its graph or its elements; leave out elements=")
        if _STATE in known:
            state: tuple[Any, ...] = _decoded(json.loads(known[_STATE]))
        else:
            state = _state_of_command(json.loads(known[_GRAPH]), known.get(_WEIGHTS) if graph is None else None, order, arities)
        return (state if graph is None else _with_graph(state, graph, _STATE in known)), order
    if graph is not None:
        return ("edge", graph, None, None, False), _order_in(graph, elements, known, variables)
    if elements is not None:
        return ("object", tuple(elements)), list(range(variables))
    names: list[str] = json.loads(known["variables"]) if "variables" in known else []
    return ("object", tuple(names) if len(names) == variables else tuple(range(variables))), list(range(variables))


def _with_graph(state: tuple[Any, ...], graph: Graph, of_python: bool) -> tuple[Any, ...]:
    """Return the state of a file with a graph of the user in place of its own, which must be the same."""
    own = state[1]
    if not isinstance(own, Graph):
        raise FileError(f"the file has sets of {state[0]}s, and not of a graph; leave out graph=")
    same = own == graph
    if not of_python:
        # The command has saved the text of the vertices, and no keys.
        normals: list[Normal] = [which.__reduce__()[1][0] for which in (own, graph)]
        forms = [(texts(normal.vertices), list(map(tuple, normal.ends)), normal.directed) for normal in normals]
        same = forms[0] == forms[1]
    if not same:
        raise FileError(
            f"{graph!r} is not the graph of the file, {own!r}, or has its vertices or edges in another order; "
            "leave out graph= to load that of the file"
        )
    return (state[0], graph, *state[2:])


def _order_in(graph: Graph, elements: Sequence[Any] | None, known: Mapping[str, str], variables: int) -> list[int]:
    if elements is None:
        return list(map(int, known[_ORDER].split())) if _ORDER in known else list(range(variables))
    index = named_edges(graph.__reduce__()[1][0])[1]
    try:
        # Graphillion's edges may have a weight as a third part.
        order = [index[edge] if edge in index else index[tuple(edge[:2])] for edge in elements]
    except (KeyError, TypeError) as missing:
        raise FileError(f"{missing} is no edge of the graph") from None
    if len(order) < len(graph.edges):
        order += sorted(set(range(len(graph.edges))).difference(order))
    return order


def _state_of_command(
    record: dict[str, Any], weights: str | None, order: list[int], arities: list[int]
) -> tuple[Any, ...]:
    """Return the graph that the command has saved. Its vertices are strings."""
    unit: str = record["unit"]
    kind = _KINDS.get(unit, "population")
    values: list[Any] | None = None
    unusable: tuple[tuple[str, str], ...] = ()
    if weights in _LOST:
        unusable = ((kind, f"the file has the graph without its weights, which are {weights}; give weights"),)
    elif weights is not None:
        values = [None] * len(order)
        try:
            for variable, word in zip(range(len(order)), weights.split(), strict=True):
                values[order[variable]] = int(word) if word.lstrip("-").isdigit() else float(word)
        except (ValueError, IndexError):
            raise FileError(f"the weights of the file, {weights[:60]!r}, cannot be read; give graph=") from None
    ends = [(a, b) for a, b in record["edges"]]
    weight, population = (values, None) if kind == "weight" else (None, values)
    vertices, directed = tuple(record["vertices"]), record["directed"]
    normal = Normal(vertices, ends, None, directed, weight, population=population, unusable=unusable)
    graph = Graph(with_keys(normal))
    if unit == "colour":
        return ("colour", graph, max(arities, default=2))
    return ("edge", graph, None, None, False) if unit == "edge" else ("vertex", graph)
