"""Graphs of other packages, tables and lists of edges, in one normal form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, cast
from warnings import warn

from topdd._errors import InputError, InputWarning
from topdd._numbers import check_comparable, floats, is_equal, per_element, probabilities
from topdd._topdd import check_directions, check_unread, later_directions, note_of_forms


class Attributes(NamedTuple):
    """The attributes that the edges and vertices of a graph have in its source."""

    edges: list[dict[str, Any]]
    vertices: list[dict[str, Any]]


class Normal(NamedTuple):
    """A graph: vertices, and edges as positions of their ends."""

    vertices: tuple[Any, ...]
    ends: list[tuple[int, int]]
    keys: list[Any] | None = None
    directed: bool = False
    weight: list[Any] | None = None
    p: list[float] | None = None
    vertex_p: list[float] | None = None
    population: list[Any] | None = None
    pos: list[tuple[float, float]] | None = None
    board: tuple[int, int] | None = None
    attributes: Attributes | None = None
    named: tuple[str, ...] = ()
    """The fields that are attributes of the source."""
    unusable: tuple[tuple[str, str], ...] = ()
    """The fields whose numbers cannot be used, with the reasons, for calls that need them."""


class _Draft:
    """A source: its vertices and edges, with their attributes."""

    def __init__(self, directed: bool = False) -> None:
        self.vertices: dict[Any, dict[str, Any]] = {}
        self.edges: list[tuple[Any, Any, Mapping[str, Any]]] = []
        self.keys: list[Any] | None = None
        self.directed = directed
        self.is_list = False
        """Whether the source lists edges, and does not state whether they have directions."""
        self.has_triples = False
        """Whether edges were given as triples with weights."""

    def vertex(self, vertex: Any, attributes: Mapping[str, Any] | None = None) -> None:
        try:
            self.vertices.setdefault(vertex, {}).update(attributes or {})
        except TypeError:
            raise InputError(f"the vertex {vertex!r} is not hashable; use a string, a number or a tuple") from None

    def edge(self, a: Any, b: Any, attributes: Mapping[str, Any]) -> None:
        self.vertex(a)
        self.vertex(b)
        self.edges.append((a, b, attributes))


def graph(
    source: Any,
    *,
    vertices: Iterable[Any] | None = None,
    directed: bool | None = None,
    weight: Any = ...,
    p: Any = None,
    vertex_p: Any = None,
    population: Any = None,
    pos: Any = None,
) -> Normal:
    """Return the normal form of any source. Without ``weight``, it is the attribute of this name, if there is one."""
    if isinstance(source, Normal):
        _check(source)
        return source
    check_unread(vertices)
    first: list[Any] = [] if vertices is None else list(vertices)
    draft = _read(source, directed, first)
    loses_directions = draft.directed and directed is False
    if directed is not None:
        draft.directed = directed
    objects = tuple(draft.vertices)
    _warn_of_forms(objects)
    index = {vertex: at for at, vertex in enumerate(objects)}
    ends = [(index[a], index[b]) for a, b, _ in draft.edges]
    of_edges = [attributes for _, _, attributes in draft.edges]
    of_vertices = list(draft.vertices.values())
    own = weight is ...
    if own:
        weight = "weight" if any("weight" in of for of in of_edges) else None
    if loses_directions:
        check_directions(objects, ends)
    elif directed is None and draft.is_list:
        _warn_of_directions(objects, ends)
    plain = with_keys(Normal(objects, ends, draft.keys, draft.directed))
    names = _names(plain)

    @cache
    def edge_index() -> dict[Any, int]:
        return named_edges(plain)[1]

    def edges(given: Any, what: str) -> list[Any]:
        return _values(given, of_edges, names, lambda name: edge_index()[name], what, "edge")

    def members(given: Any, what: str) -> list[Any]:
        return _values(given, of_vertices, objects, index.__getitem__, what, "vertex")

    unusable: tuple[tuple[str, str], ...] = ()
    try:
        weights = None if weight is None else edges(weight, "weight")
        if own:
            floats(weights or [], names, "weight")
    except InputError as error:
        if not own or draft.has_triples:
            raise
        weights, unusable = None, (("weight", f"{error}; give weights, or weight=None to the graph for 1 each"),)
    fields = {"weight": weight, "p": p, "population": population, "pos": pos}
    named = tuple(field for field, given in fields.items() if isinstance(given, str))
    kept = Attributes([dict(of) for of in of_edges], [dict(of) for of in of_vertices])
    return plain._replace(
        attributes=kept if any(kept.edges) or any(kept.vertices) else None,
        named=named,
        unusable=unusable,
        weight=weights,
        p=None if p is None else probabilities(edges(p, "p"), names, "p"),
        vertex_p=None if vertex_p is None else probabilities(members(vertex_p, "vertex_p"), objects, "vertex_p"),
        population=None if population is None else members(population, "population"),
        pos=None if pos is None else _positions(members(pos, "pos"), objects),
    )


def numbered(objects: Iterable[Any], noun: str) -> dict[Any, int]:
    """Return the position of each object."""
    index: dict[Any, int] = {}
    for at, value in enumerate(objects):
        try:
            first = index.setdefault(value, at)
        except TypeError:
            raise InputError(f"the {noun} {value!r} is not hashable; use a string, a number or a tuple") from None
        if first != at:
            raise InputError(f"the {noun} {value!r} is given twice")
        check_comparable(value, noun)
    return index


def combined(one: Normal, two: Normal) -> Normal:
    """Return the graph of combinations of solutions of two graphs that are the same: without the numbers that differ."""
    reasons = dict(one.unusable)
    for field in ("weight", "population", "p", "vertex_p", "attributes"):
        reason = dict(two.unusable).get(field)
        if not is_equal(getattr(one, field), getattr(two, field)):
            given = "p" if field.endswith("p") else "weights"
            reason = f"the graphs of the solutions that were combined differ in {field}; give {given}"
        if reason is not None:
            reasons.setdefault(field, reason)
    if len(reasons) == len(one.unusable):
        return one
    lost: dict[str, Any] = dict.fromkeys(reasons.keys() - dict(one.unusable))
    return one._replace(unusable=tuple(reasons.items()), **lost)


def _check(plain: Normal) -> None:
    """Fail if the lists of a graph, which may be from a forged pickle, do not fit its edges and vertices."""
    of_edges, of_vertices = (plain.keys, plain.weight, plain.p), (plain.population, plain.vertex_p)
    for elements, lists in (plain.ends, of_edges), (plain.vertices, of_vertices):
        if any(numbers is not None and len(numbers) != len(elements) for numbers in lists):
            raise InputError("the lists of a graph do not have the lengths of its edges and vertices")
    probabilities(plain.p or [], plain.ends, "p")
    probabilities(plain.vertex_p or [], plain.vertices, "vertex_p")


def _warn_of_forms(vertices: tuple[Any, ...]) -> None:
    """Warn of two vertices whose names are the same text in two forms of Unicode."""
    note = note_of_forms(vertices)
    if note is not None:
        warn(note, InputWarning, stacklevel=3)


def _warn_of_directions(vertices: tuple[Any, ...], ends: list[tuple[int, int]]) -> None:
    """Warn of edges in both directions in a list, which does not state whether it is of directed edges."""
    try:
        check_directions(vertices, ends)
    except InputError as error:
        warn(f"{error} of Graph(.., directed=True), or give directed=False to keep both", InputWarning, stacklevel=3)


def is_joined(merge: Any) -> bool:
    """Return whether edges in both directions are joined."""
    if merge is not False and merge != "equal":
        raise InputError(f'merge={merge!r}: give "equal" to join edges in both directions, or False to keep both')
    return merge == "equal"


def undirected(plain: Normal, merge: Any) -> Normal:
    """Return the graph without directions, with pairs of edges in both directions refused, joined, or kept."""
    joined = None if merge is None else is_joined(merge)
    if not plain.directed:
        if joined:
            _refuse_both_directions(plain)
        return plain
    if joined:
        plain = _merged(plain)
    elif joined is None:
        check_directions(plain.vertices, plain.ends)
    return with_keys(plain._replace(directed=False))


def _refuse_both_directions(plain: Normal) -> None:
    """Fail if an undirected graph was made of edges in both directions."""
    try:
        check_directions(plain.vertices, plain.ends)
    except InputError as error:
        raise InputError(
            "the graph is undirected, so its edges in both directions are parallel edges; make it with directed=True, and "
            "join them then"
        ) from error


def _merged(plain: Normal) -> Normal:
    """Join edges in opposite directions that have the same attributes and numbers."""

    def numbers(edge: int) -> dict[str, Any]:
        attributes = dict(plain.attributes.edges[edge]) if plain.attributes else {}
        own = {"weight": plain.weight, "p": plain.p}
        return attributes | {name: values[edge] for name, values in own.items() if values is not None}

    def difference(edge: int, other: int) -> tuple[str, str, str] | None:
        one, two = numbers(edge), numbers(other)
        names = (name for name in dict.fromkeys([*one, *two]) if not is_equal(one.get(name), two.get(name)))
        return next(((str(name), repr(one.get(name)), repr(two.get(name))) for name in names), None)

    removed = set(later_directions(plain.vertices, plain.ends, difference))

    def kept(values: list[Any]) -> list[Any]:
        return [value for edge, value in enumerate(values) if edge not in removed]

    attributes = plain.attributes
    return plain._replace(
        ends=kept(plain.ends),
        keys=plain.keys and kept(plain.keys),
        weight=plain.weight and kept(plain.weight),
        p=plain.p and kept(plain.p),
        attributes=attributes and attributes._replace(edges=kept(attributes.edges)),
    )


def with_keys(plain: Normal) -> Normal:
    """Number parallel edges, if there are any, and they have no keys, or equal ones without their directions."""
    pairs = [(a, b) if plain.directed or a <= b else (b, a) for a, b in plain.ends]
    if plain.keys is not None and (plain.directed or len(set(zip(pairs, plain.keys))) == len(pairs)):
        return plain
    seen: dict[tuple[int, int], int] = {}
    keys: list[Any] = []
    for pair in pairs:
        keys.append(seen.get(pair, 0))
        seen[pair] = keys[-1] + 1
    return plain._replace(keys=keys if any(keys) else None)


def _names(plain: Normal) -> tuple[Any, ...]:
    pairs = [(plain.vertices[a], plain.vertices[b]) for a, b in plain.ends]
    if plain.keys is None:
        return tuple(pairs)
    return tuple((*pair, key) for pair, key in zip(pairs, plain.keys))


def named_edges(plain: Normal) -> tuple[tuple[Any, ...], dict[Any, int]]:
    """Return the edges as tuples of their ends, with their keys, and the position of each edge by all of its names.

    The names of an undirected edge have both directions. A name without a key is for an edge without parallel ones.
    """
    edges = _names(plain)
    index: dict[Any, int] = {}
    parallel: set[Any] = set()
    for at, edge in enumerate(edges):
        if edge in index:
            raise InputError(f"the edge {edge!r} is given twice; give parallel edges different keys")
        for name in (edge,) if plain.directed else (edge, (edge[1], edge[0], *edge[2:])):
            index[name] = at
            if index.setdefault(name[:2], at) != at:
                parallel.add(name[:2])
    for name in parallel:
        del index[name]
    return edges, index


class EdgeDict(dict[Any, Any]):
    """A dictionary over the edges of a graph, which finds each edge by all of its names."""

    def __init__(self, items: Iterable[tuple[Any, Any]], edges: tuple[Any, ...], index: Mapping[Any, int]) -> None:
        super().__init__(items)
        self._edges, self._index = edges, index

    def _key(self, name: Any) -> Any:
        at = self._index.get(name)
        return name if at is None else self._edges[at]

    def __missing__(self, name: Any) -> Any:
        key = self._key(name)
        if not super().__contains__(key):
            raise KeyError(name)
        return self[key]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(self._key(name))

    def __setitem__(self, name: Any, value: Any) -> None:
        super().__setitem__(self._key(name), value)

    def __delitem__(self, name: Any) -> None:
        super().__delitem__(self._key(name))

    def __reduce__(self) -> tuple[Any, ...]:
        return EdgeDict, (list(self.items()), self._edges, self._index)

    def get(self, name: Any, default: Any = None) -> Any:
        return super().get(self._key(name), default)

    def setdefault(self, name: Any, default: Any = None) -> Any:
        return super().setdefault(self._key(name), default)

    def pop(self, name: Any, *default: Any) -> Any:
        return super().pop(self._key(name), *default)


def _values(
    given: Any,
    attributes: Sequence[Mapping[str, Any]],
    objects: tuple[Any, ...],
    find: Callable[[Any], int],
    what: str,
    noun: str,
) -> list[Any]:
    """Return the value of each edge or vertex, for the name of an attribute, a mapping, a sequence, or a number."""
    if not isinstance(given, str):
        return per_element(given, objects, find, what, noun)
    return _of_attribute(given, attributes, objects, what, noun)


def _of_attribute(
    given: str, attributes: Sequence[Mapping[str, Any]], objects: tuple[Any, ...], what: str, noun: str
) -> list[Any]:
    """Return the value of an attribute for each edge or vertex."""
    if not any(given in of for of in attributes) and attributes:
        known = sorted({str(name) for of in attributes for name in of})
        listed = f"the attributes are {', '.join(known)}" if known else "there are none"
        raise InputError(f"{what}={given!r}: no {noun} has this attribute; {listed}")
    for name, of in zip(objects, attributes):
        if of.get(given) is None:
            raise InputError(f"{what}={given!r}: the {noun} {name!r} does not have this attribute")
    return [of[given] for of in attributes]


def attribute(plain: Normal, name: str, what: str, noun: str) -> list[Any]:
    """Return the value of an attribute of the source for each edge or vertex."""
    objects = _names(plain) if noun == "edge" else plain.vertices
    kept = plain.attributes or Attributes([], [])
    attributes = kept.edges if noun == "edge" else kept.vertices
    return _of_attribute(name, attributes or [{} for _ in objects], objects, what, noun)


def _positions(values: list[Any], objects: tuple[Any, ...]) -> list[tuple[float, float]]:
    pairs: list[tuple[float, float]] = []
    for pair, vertex in zip(values, objects):
        try:
            x, y = pair
            pairs.append((float(x), float(y)))
        except (TypeError, ValueError):
            raise InputError(f"the pos of {vertex!r}, {pair!r}, is no pair of numbers") from None
    if any(value - value != 0 for pair in pairs for value in pair):
        raise InputError("pos: each position must be a pair of finite numbers")
    return pairs


def _read(source: Any, directed: bool | None, vertices: list[Any]) -> _Draft:
    package = type(source).__module__.split(".")[0] if source is not None else ""
    draft = _Draft()
    for vertex in vertices:
        draft.vertex(vertex)
    if hasattr(source, "tocoo"):
        return _from_matrix(draft, source, directed)
    if hasattr(source, "is_multigraph") and hasattr(source, "adj"):
        return _from_networkx(draft, source)
    if package == "rustworkx":
        return _from_rustworkx(draft, source)
    if package == "igraph":
        return _from_igraph(draft, source)
    if package in ("pandas", "polars") or (hasattr(source, "columns") and hasattr(source, "shape")):
        return _from_table(draft, source)
    if source is None:
        return draft
    kind = type(source).__name__
    if isinstance(source, (str, bytes, Mapping)):
        raise InputError(
            f"{kind} is no source of a graph; give a graph of another package, a table, or edges, and "
            "read a file with Graph.read(path)"
        )
    return _from_edges(draft, source, directed)


def _from_edges(draft: _Draft, source: Any, directed: bool | None) -> _Draft:
    shape: tuple[int, ...] = getattr(source, "shape", ())
    if len(shape) == 2 and shape[0] == shape[1]:
        raise InputError(
            "a square array may be a list of edges or an adjacency matrix; give array.tolist() for edges, or "
            "scipy.sparse.coo_array(array) for a matrix"
        )
    draft.is_list = True
    check_unread(source)
    try:
        edges = iter(source)
    except TypeError:
        raise InputError(f"{source!r} is no graph and no collection of edges") from None
    triples: list[tuple[Any, ...]] = []
    for edge in edges:
        try:
            parts = None if isinstance(edge, (str, bytes)) else tuple(edge)
        except TypeError:
            parts = None
        if parts is None or len(parts) not in (2, 3):
            raise InputError(f"the edge {edge!r} is no pair (u, v), and no triple (u, v, weight or attributes)")
        attributes: Mapping[str, Any] = {}
        if len(parts) == 3:
            if isinstance(parts[2], Mapping):
                attributes = cast("Mapping[str, Any]", parts[2])
            else:
                draft.has_triples, attributes = True, {"weight": parts[2]}
                triples.append(parts)
        draft.edge(parts[0], parts[1], attributes)
    if _are_keys(triples, directed):
        raise InputError(
            "the third parts of parallel edges look like keys, and not like weights; give the graph itself, or edges "
            "(u, v, {'weight': w})"
        )
    return draft


def _are_keys(triples: list[tuple[Any, ...]], directed: bool | None) -> bool:
    """Return whether some edges are parallel, and the third parts count the edges of the same ends from 0."""
    of_pairs: dict[Any, list[Any]] = {}
    of_ends: dict[Any, list[Any]] = {}
    for a, b, key in triples:
        of_pairs.setdefault((a, b), []).append(key)
        of_ends.setdefault(frozenset((a, b)), []).append(key)
    groups = [list(of_pairs.values())] + ([] if directed else [list(of_ends.values())])
    return any(
        any(len(keys) > 1 for keys in lists) and all(keys == list(range(len(keys))) for keys in lists)
        for lists in groups
    )


def _from_networkx(draft: _Draft, graph: Any) -> _Draft:
    draft.directed = graph.is_directed()
    for vertex, attributes in graph.nodes(data=True):
        draft.vertex(vertex, attributes)
    if graph.is_multigraph():
        keys: list[Any] = []
        for a, b, key, attributes in graph.edges(keys=True, data=True):
            draft.edge(a, b, attributes)
            keys.append(key)
        draft.keys = keys
        return draft
    for a, b, attributes in graph.edges(data=True):
        draft.edge(a, b, attributes)
    return draft


def _attributes(value: Any) -> Mapping[str, Any]:
    """Return what a graph of rustworkx stores with an edge, as attributes."""
    if isinstance(value, Mapping):
        return cast("Mapping[str, Any]", value)
    return {} if value is None else {"weight": value}


def _distinct(names: list[Any]) -> bool:
    """Return whether there are names, hashable and different."""
    try:
        return 0 < len(set(names)) == len(names)
    except TypeError:
        return False


def _from_rustworkx(draft: _Draft, graph: Any) -> _Draft:
    draft.directed = type(graph).__name__ == "PyDiGraph"
    nodes: dict[int, Any] = {index: graph[index] for index in graph.node_indices()}
    # Without payloads that differ, vertices are the indices of the nodes.
    names = nodes if _distinct(list(nodes.values())) else {index: index for index in nodes}
    for index, payload in nodes.items():
        draft.vertex(names[index], _attributes(payload))
    for a, b, payload in graph.weighted_edge_list():
        draft.edge(names[a], names[b], _attributes(payload))
    return draft


def _from_igraph(draft: _Draft, graph: Any) -> _Draft:
    draft.directed = graph.is_directed()
    names: list[Any] = list(graph.vs["name"]) if "name" in graph.vs.attributes() else []
    # Without names that differ, vertices are their indices.
    if not _distinct(names):
        names = list(range(graph.vcount()))
    for vertex in graph.vs:
        draft.vertex(names[vertex.index], vertex.attributes())
    for edge in graph.es:
        draft.edge(names[edge.source], names[edge.target], edge.attributes())
    return draft


_ENDS = (("source", "target"), ("from", "to"), ("u", "v"))
"""The names of the columns with the ends of edges, in any case."""


def _end_columns(columns: list[str]) -> tuple[int, int]:
    """Return the columns with the ends of edges: by their names, or else the first two."""
    lower = [name.lower() for name in columns]
    pairs = [pair for pair in _ENDS if all(end in lower for end in pair)]
    named = [end for pair in pairs or _ENDS for end in pair if end in lower]
    if len(pairs) > 1 or any(lower.count(end) > 1 for end in named):
        raise InputError(f"several columns may be the ends of edges: {', '.join(columns)}; leave out or rename some")
    if pairs:
        return lower.index(pairs[0][0]), lower.index(pairs[0][1])
    for pair in _ENDS:
        for at, end in enumerate(pair):
            if end in lower and lower.index(end) != at:
                raise InputError(
                    f"there is a column {end!r}, and none {pair[1 - at]!r}; name the columns of the ends of edges "
                    f"{pair[0]!r} and {pair[1]!r}"
                )
    return 0, 1


def _from_table(draft: _Draft, table: Any) -> _Draft:
    draft.is_list = True
    columns = [str(name) for name in table.columns]
    if len(columns) < 2:
        raise InputError("a table of edges has at least two columns: the ends of each edge")
    if len(set(columns)) < len(columns):
        raise InputError(f"two columns of the table have the same name; the columns are {', '.join(columns)}")
    index = getattr(table, "index", ())
    if not callable(index) and len(index) > 1 and list(index) == list(table.columns):
        raise InputError(
            "the rows and the columns of the table have the same names; make an adjacency matrix a graph by "
            "networkx.from_pandas_adjacency, or name the columns of a list of edges"
        )
    a, b = _end_columns(columns)
    lists: list[list[Any]] = [table[name].to_list() for name in table.columns]
    for row in zip(*lists):
        if any(end is None or end != end for end in (row[a], row[b])):
            raise InputError(f"the edge {row!r} has an end without a value")
        attributes = {name: row[at] for at, name in enumerate(columns) if at not in (a, b)}
        draft.edge(row[a], row[b], attributes)
    return draft


def _from_matrix(draft: _Draft, matrix: Any, directed: bool | None) -> _Draft:
    entries = matrix.tocoo().copy()
    entries.sum_duplicates()
    if len(entries.shape) != 2 or entries.shape[0] != entries.shape[1]:
        raise InputError(f"an adjacency matrix is square, and this has the shape {entries.shape}")
    pairs = {(int(a), int(b)): value for a, b, value in zip(entries.row, entries.col, entries.data.tolist()) if value}
    floats(list(pairs.values()), list(pairs), "weight")
    symmetric = all(pairs.get((b, a)) == value for (a, b), value in pairs.items())
    if directed is None and not symmetric:
        raise InputError("the matrix is not symmetric; give directed=True, or a symmetric one")
    if directed is False and any(pairs.get((b, a), value) != value for (a, b), value in pairs.items()):
        raise InputError("the matrix has different values for both directions of an edge; give directed=True")
    draft.directed = bool(directed)
    for vertex in range(entries.shape[0]):
        draft.vertex(vertex)
    for (a, b), value in sorted(pairs.items()):
        if draft.directed or a <= b or (b, a) not in pairs:
            draft.edge(a, b, {"weight": value})
    return draft
