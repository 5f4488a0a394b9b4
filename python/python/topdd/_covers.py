"""The options of exact covers, in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple, cast

from topdd._errors import InputError
from topdd._numbers import check_order, whole
from topdd._sources import numbered


class Cover(NamedTuple):
    """An exact cover: the options, their items as positions, and how often each item is covered."""

    names: tuple[Any, ...]
    options: list[list[int]]
    times: list[tuple[int, int]]
    arguments: tuple[Any, Any, Any]
    """The arguments, of which none is an iterator."""


def cover(options: Any, items: Any, secondary: Any) -> Cover:
    """Return an exact cover. Options in a list are numbered."""
    if isinstance(options, Mapping):
        options = {name: _members(option, name) for name, option in cast("Mapping[Any, Any]", options).items()}
        named: dict[Any, list[Any]] = options
    else:
        check_order(options, "options")
        options = [_members(option, at) for at, option in enumerate(_listed(options, "options"))]
        named = dict(enumerate(cast("list[Any]", options)))
    lists = {name: _in_order(option) for name, option in named.items()}
    for name, option in lists.items():
        if not numbered(option, f"item of option {name!r},"):
            raise InputError(f"the option {name!r} has no items; leave it out")
    optional = [] if secondary is None else _in_order(_listed(secondary, "secondary"))
    is_optional = numbered(optional, "item")
    if items is None:
        known = dict.fromkeys(item for option in lists.values() for item in option)
        times = {item: (1, 1) for item in known if item not in is_optional}
    elif isinstance(items, Mapping):
        times = {item: _bounds(item, given, len(lists)) for item, given in cast("Mapping[Any, Any]", items).items()}
    else:
        items = _in_order(_listed(items, "items"))
        times = dict.fromkeys(numbered(items, "item"), (1, 1))
    position = numbered([*times, *optional], "item")
    times |= dict.fromkeys(optional, (0, 1))
    for name, option in lists.items():
        unknown = [item for item in option if item not in position]
        if unknown:
            raise InputError(f"the item {unknown[0]!r} of option {name!r} is neither in items nor in secondary; add it")
    covered = {item for option in lists.values() for item in option}
    for item, (low, _) in times.items():
        if low and item not in covered:
            raise InputError(f"no option has the item {item!r}, which must be covered; add one, or leave the item out")
    found = [[position[item] for item in option] for option in lists.values()]
    kept = None if secondary is None else optional
    return Cover(tuple(named), found, list(times.values()), (options, items, kept))


def _listed(given: Any, what: str) -> Any:
    """Return a list, or a set as it is."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InputError(f"{what} is {given!r}; give a list")
    return cast("Any", given) if isinstance(given, AbstractSet) else list(cast("Iterable[Any]", given))


def _members(option: Any, name: Any) -> Any:
    """Return the items of an option, which is kept if it is a list, a tuple or a set."""
    if isinstance(option, (list, tuple, AbstractSet)):
        return cast("Any", option)
    return _listed(option, f"the option {name!r}")


def _in_order(option: Any) -> list[Any]:
    """Return the items in an order that is the same in each process, which the order of a set is not."""
    if not isinstance(option, AbstractSet):
        return list(option)
    members = list(cast("AbstractSet[Any]", option))
    try:
        return sorted(members)
    except TypeError:
        return sorted(members, key=repr)


def _bounds(item: Any, given: Any, options: int) -> tuple[int, int]:
    """Return how often an item is covered, from a number or a pair of bounds; `None` is no bound."""
    is_pair = isinstance(given, tuple) and len(cast("tuple[Any, ...]", given)) == 2
    low, high = cast("tuple[Any, Any]", given if is_pair else (given, given))
    low = 0 if low is None else whole(low)
    high = max(options, low or 0) if high is None else whole(high)
    if low is None or high is None or not 0 <= low <= high < 2**32:
        raise InputError(f"the item {item!r} is covered {given!r} times; give a number from 0, or a pair (low, high)")
    return low, high
