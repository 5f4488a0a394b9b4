"""The message for an attribute that an object does not have."""

from __future__ import annotations

from difflib import get_close_matches

_GRAPHILLION = {
    "graph_size": "exactly",
    "smaller": "at_most",
    "larger": "at_least",
    "cost_le": "cost_at_most",
    "cost_ge": "cost_at_least",
    "min_iter": "best",
    "max_iter": "best",
    "rand_iter": "sample",
    "choice": "sample",
    "supergraphs": "supersets_of",
    "subgraphs": "subsets_of",
    "blocking": "hitting_sets",
    "dump": "save",
    "trees": "spanning_trees",
    "f_factors": "factors",
    "regular_graphs": "regular_subgraphs",
}
"""Names of Graphillion, and the names here."""


def missing(cls: type, name: str) -> str:
    """Return the message, with the most similar name."""
    text = f"'topdd.{cls.__name__}' object has no attribute '{name}'"
    names = [] if name.startswith("_") else [known for known in dir(cls) if not known.startswith("_")]
    here = _GRAPHILLION.get(name)
    similar = [here] if here in names else get_close_matches(name, names, n=1, cutoff=0.75)
    return f"{text}; did you mean '{similar[0]}'?" if similar else text
