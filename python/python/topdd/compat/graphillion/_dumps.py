"""Diagrams as the text of Graphillion's ``dumps``, in the order of the universe."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from topdd import Diagram, FileError, InputError
from topdd.compat.graphillion._universe import Universe


def dumped(diagram: Diagram) -> str:
    """Return a line for each node, children first: its number, its variable from 1, and its children."""
    listed = Universe.graph().edge_sets().order(Universe.listed).build() & diagram
    nodes: Any = listed.to_networkx()
    names = {0: "B", 1: "T"}
    root: int = nodes.graph["root"]
    variables = {edge: 1 + at for at, edge in enumerate(Universe.listed)}
    lines: list[str] = []
    for node in sorted(nodes):
        if node in names:
            continue
        children = {value: child for _, child, value in nodes.out_edges(node, data="value")}
        low, high = (names.get(child, str(child)) for child in (children.get(0, 0), children[1]))
        lines.append(f"{node} {variables[nodes.nodes[node]['element']]} {low} {high}")
    return "\n".join([*lines] or [names[root]]) + "\n.\n"


def loaded(text: str) -> Diagram:
    """Return the diagram of a text."""
    graph = Universe.graph()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "dump")
        with open(path, "w") as file:
            file.write(text)
        try:
            listed = Diagram.load(path, graph=graph, elements=Universe.listed)
        except FileError as error:
            raise InputError(str(error).replace(path, "the text")) from None
    return graph.edge_sets().order("given").build() & listed
