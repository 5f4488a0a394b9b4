"""Variables with values, and the arguments of constraints on them."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, cast, overload

from topdd._errors import InputError
from topdd._numbers import check_comparable, check_order, whole
from topdd._sources import numbered
from topdd._topdd import Family, dp

_MOST = 2**63 - 1
_WORD = re.compile(r"\{[^}]*\}|<[^>]*>|\w")
"""A repetition, or a value in a regular expression."""


class Variables(Mapping[Any, tuple[Any, ...]]):
    """Variables with names, and the values of each: any hashable objects. Their order is the order of a sweep.

    They are given as a mapping from names to values; or as names, or a number of them from 0, and the values of all, or a
    number of them from 0; or as a list with the number of values of each. Without values, they are ``False`` and ``True``.
    A set of names or of values is refused, as it has no order.

    >>> import topdd as td
    >>> td.Variables({"mon": ["early", "late"], "tue": ["off"]})["mon"]
    ('early', 'late')
    >>> td.Variables(["a", "b"], range(3))["b"], td.Variables(9, 4)[8], td.Variables([3, 2])[0], td.Variables("ab")["a"]
    ((0, 1, 2), (0, 1, 2, 3), (0, 1, 2), (False, True))
    """

    __slots__ = ("_values",)

    def __init__(self, variables: Any, values: Any = None) -> None:
        self._values: dict[Any, tuple[Any, ...]] = dict(_pairs(variables, values))

    def __getitem__(self, name: Any) -> tuple[Any, ...]:
        return self._values[name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        # Mappings are equal in any order.
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return f"Variables({self._values!r})"


def _pairs(variables: Any, values: Any) -> Iterable[tuple[Any, tuple[Any, ...]]]:
    if isinstance(variables, Mapping):
        if values is not None:
            raise InputError("the mapping has the values; leave out values=")
        items = cast("Mapping[Any, Any]", variables).items()
        return [(name, _values(own, name)) for name, own in items]
    count = whole(variables)
    if count is not None:
        if count < 0:
            raise InputError(f"there are no {count} variables")
        variables = range(count)
    check_order(variables, "the variables")
    try:
        names = list(cast("Iterable[Any]", variables))
    except TypeError:
        raise InputError(f"{variables!r} are no variables; give a mapping, a list of names, or their number") from None
    if values is None and names and not isinstance(variables, range) and all(whole(name) is not None for name in names):
        return [(at, _values(arity, at)) for at, arity in enumerate(names)]
    own = (False, True) if values is None else _values(values, None)
    seen: set[Any] = set()
    for name in names:
        try:
            is_new = name not in seen
        except TypeError:
            raise InputError(f"the variable {name!r} is not hashable; use a string, a number or a tuple") from None
        check_comparable(name, "variable")
        if not is_new:
            raise InputError(f"the variable {name!r} is given twice")
        seen.add(name)
    return [(name, own) for name in names]


def _values(values: Any, name: Any) -> tuple[Any, ...]:
    of = "" if name is None else f" of {name!r}"
    count = whole(values)
    values = values if count is None else range(count)
    check_order(values, f"the values{of}")
    try:
        own: tuple[Any, ...] = tuple(cast("Iterable[Any]", values))
    except TypeError:
        raise InputError(f"the values{of} are {values!r}; give a list of values, or their number") from None
    numbered(own, "value")
    if not own:
        raise InputError(f"the variable{of} has no values" if of else "the variables have no values")
    return own


def variables_of(variables: Any, values: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the names of variables, and the values of each: a tuple, or their number if they are numbers from 0."""
    known = variables if isinstance(variables, Variables) and values is None else Variables(variables, values)
    made: dict[int, Any] = {}

    def short(own: tuple[Any, ...]) -> Any:
        is_range = all(type(value) is int and value == at for at, value in enumerate(own))
        return len(own) if is_range else own

    for own in known.values():
        if id(own) not in made:
            made[id(own)] = short(own)
    return tuple(known), tuple(made[id(own)] for own in known.values())


def terms(weights: Any) -> tuple[Any, Any]:
    """Return the variables of a sum, or `None` for all of them, and their weights."""
    if isinstance(weights, Mapping):
        mapping = cast("Mapping[Any, Any]", weights)
        return list(mapping), list(mapping.values())
    return None, weights


def summed(values: list[list[Any]], modulus: int) -> tuple[int, list[tuple[int, int]] | None]:
    """Return the sum of the least values of variables modulo a number, and what is added: each variable's position in its values,
    if it is `None`, or one for each pair of a variable and the position of its value.

    Fails unless the values are consecutive whole numbers in their order, or each variable has at most two.
    """
    total = 0
    pairs: list[tuple[int, int]] = []
    is_ascending, is_short = True, True
    for variable, own in enumerate(values):
        numbers = [int(value) if isinstance(value, bool) else whole(value) for value in own]
        known = sorted(number for number in numbers if number is not None)
        is_ascending &= numbers == known
        is_short &= len(own) <= 2
        if len(known) < len(own) or known[-1] - known[0] != len(own) - 1 or not (is_ascending or is_short):
            raise InputError(
                f"the values {own!r} are no consecutive whole numbers; list the values that count: values=[..]"
            )
        total += known[0]
        pairs += [(variable, numbers.index(known[-1]))] if len(own) == 2 else []
    return total % modulus if modulus else 0, None if is_ascending else pairs


def counts_of(counts: Any) -> tuple[list[Any], list[tuple[int, int]]]:
    """Return values, and the bounds on the number of each."""
    if not isinstance(counts, Mapping):
        raise InputError(f"give a mapping from values to numbers or pairs of bounds, not {counts!r}")
    values: list[Any] = []
    bounds: list[tuple[int, int]] = []
    for value, count in cast("Mapping[Any, Any]", counts).items():
        given = list(cast("Iterable[Any]", count)) if isinstance(count, (tuple, list)) else [count, count]
        whole_ends = [bound if end is None else whole(end) for end, bound in zip(given, (0, _MOST))]
        ends = [end for end in whole_ends if end is not None and 0 <= end <= _MOST]
        if len(given) != 2 or len(ends) != 2:
            raise InputError(f"the value {value!r} has {count!r}; give a whole number, or a pair of the least and the greatest")
        if ends[0] > ends[1]:
            raise InputError(f"the value {value!r} has {count!r}; the first number is the least one")
        values.append(value)
        bounds.append((ends[0], ends[1]))
    return values, bounds


def automaton_of(start: Any, edges: Any, accept: Any) -> tuple[list[tuple[int, int]], list[Any], list[int]]:
    """Return the edges of an automaton by numbers of states, of which the start has 0, their values, and the last states."""
    numbers: dict[Any, int] = {}

    def number(state: Any) -> int:
        try:
            return numbers.setdefault(state, len(numbers))
        except TypeError:
            raise InputError(f"the state {state!r} is not hashable; use strings, numbers or tuples") from None

    number(start)
    if not isinstance(edges, Mapping):
        raise InputError("edges is a mapping from pairs (state, value) to the next state")
    steps: list[tuple[int, int]] = []
    values: list[Any] = []
    for key, target in cast("Mapping[Any, Any]", edges).items():
        if not isinstance(key, tuple) or len(cast("tuple[Any, ...]", key)) != 2:
            raise InputError(f"the edge {key!r} is no pair (state, value)")
        state, value = cast("tuple[Any, Any]", key)
        steps.append((number(state), number(target)))
        values.append(value)
    if isinstance(accept, str) or not isinstance(accept, Iterable):
        raise InputError(f"accept is a list of states, not {accept!r}")
    known = len(numbers)
    last = [number(state) for state in cast("Iterable[Any]", accept)]
    for state, at in numbers.items():
        if at >= known:
            raise InputError(f"the state {state!r} of accept has no edge, and is not the start")
    return steps, values, last


def pattern_of(pattern: str, values: list[Any]) -> str:
    """Return a regular expression with numbers in the place of values."""
    numbers: dict[str, int] = {}
    for at, value in enumerate(values):
        first = numbers.setdefault(str(value), at)
        if first != at:
            raise InputError(f"the values {values[first]!r} and {value!r} are both written {value}; rename one of them")

    def replaced(found: re.Match[str]) -> str:
        text = found.group()
        if text.startswith("{"):
            return text
        name = text[1:-1].strip() if text.startswith("<") else text
        number = numbers.get(name)
        if number is None and name in ("0", "1") and set(values) <= {False, True} and bool(int(name)) in values:
            number = values.index(bool(int(name)))
        if number is None:
            names = " ".join(text if len(text) == 1 else f"<{text}>" for text in list(numbers)[:12])
            raise InputError(f"position {found.start()} of the pattern: there is no value {name!r}; the values are {names}")
        # A text of the same length, so that positions in errors are right. Blanks do not matter.
        return str(number) if len(text) == 1 and number < 10 else f"<{number}>".ljust(len(text))

    return _WORD.sub(replaced, pattern)


def literal_of(literal: Any) -> tuple[tuple[Any, Any], bool]:
    """Return the pair of a variable and a value, and whether the variable has it."""
    parts = tuple(cast("Iterable[Any]", literal)) if isinstance(literal, (tuple, list)) else ()
    if len(parts) == 2:
        return (parts[0], parts[1]), True
    if len(parts) == 3 and isinstance(parts[1], str) and parts[1] in ("==", "!="):
        return (parts[0], parts[2]), parts[1] == "=="
    raise InputError(f'{literal!r} is no literal; give (variable, value), or (variable, "!=", value)')


class Spec(ABC):
    """A rule of your own as a class; `td.spec` makes a family of an instance.

    >>> import topdd as td
    >>> class Apart(td.Spec):
    ...     root = 0
    ...     def __init__(self, days):
    ...         self.elements = td.Variables(days, ["off", "on"])
    ...     def step(self, state, element, value):
    ...         on = int(value == "on")
    ...         return None if state and on else on
    >>> td.spec(Apart(10)).count()
    144
    """

    elements: Any
    """The variables, as for `td.Variables`."""
    root: Any
    """The first state."""

    @abstractmethod
    def step(self, state: Any, element: Any, value: Any) -> Any:
        """Return the state after ``element`` has got ``value``; `None` rejects the value."""

    def accept(self, state: Any) -> bool:
        """Return whether the state after the last element is good."""
        return True

    def merge(self, one: Any, other: Any) -> Any:
        """Return a state from which all values are accepted that one of both accepts, or `None`; for `Family.bounded`."""
        return None


@overload
def spec(rule: Any, *, elements: Any = None, root: Any = ..., accept: Callable[[Any], object] | None = None) -> Family: ...
@overload
def spec(
    rule: None = None, *, elements: Any = None, root: Any = ..., accept: Callable[[Any], object] | None = None
) -> Callable[[Callable[[Any, Any, Any], Any]], Family]: ...
def spec(rule: Any = None, *, elements: Any = None, root: Any = ..., accept: Any = None) -> Any:
    """Return the family of a rule: of an object or class like `Spec`, or of a function ``step(state, element, value)``.

    ``elements`` are as for `td.Variables`, ``root`` is the first state. See `td.dp` for states and results.

    >>> import topdd as td
    >>> @td.spec(elements=["mon", "tue", "wed"], root=0)
    ... def at_most_once(state, day, works):
    ...     return None if state and works else state + works
    >>> at_most_once.count(), at_most_once.including(("tue", True)).build()[0]["tue"]
    (4, True)
    """
    if rule is None:
        return lambda step: spec(step, elements=elements, root=root, accept=accept)  # pyright: ignore
    if isinstance(rule, type):
        rule = rule()
    if hasattr(rule, "step"):
        for name, is_given in (("elements", elements is not None), ("root", root is not ...)):
            if is_given and hasattr(rule, name):
                raise InputError(f"the rule {rule!r} has {name}; leave out {name}=")
            if not is_given and not hasattr(rule, name):
                raise InputError(f"the rule {rule!r} has no {name}; add it to the class, or give {name}=")
        own: Any = getattr(rule, "accept", None)
        has_accept = own is not None and getattr(own, "__func__", own) is not Spec.accept
        if has_accept and accept is not None:
            raise InputError(f"the rule {rule!r} has accept; leave out accept=")
        elements, root = getattr(rule, "elements", elements), getattr(rule, "root", root)
        merge: Any = getattr(rule, "merge", None)
        if getattr(merge, "__func__", merge) is Spec.merge:
            merge = None
        return dp(elements, root, rule.step, own if has_accept else accept, merge)
    if elements is None or root is ...:
        raise InputError("give elements= and root=, the variables and the first state")
    return dp(elements, root, rule, accept)


def note(error: BaseException, element: Any, value: Any, state: Any) -> None:
    """Add to an exception where a step was."""
    _add(error, f"in the step of element {element!r} with value {value!r} from state {state!r}")


def note_of_accept(error: BaseException, state: Any) -> None:
    """Add to an exception for which state `accept` was called."""
    _add(error, f"in accept of state {state!r}")


def _add(error: BaseException, text: str) -> None:
    # Python 3.10 has no notes.
    if hasattr(error, "add_note") and text not in getattr(error, "__notes__", ()):
        error.add_note(text)


def unequal(one: Any, two: Any, element: Any, value: Any, next_one: Any, next_two: Any) -> str:
    """Return the message for equal states with different steps."""
    return (
        f"the states {one!r} and {two!r} are equal, but {value!r} of {element!r} leads from one to {next_one!r}, and from the "
        f"other to {next_two!r}; let __eq__ and __hash__ compare all that step reads"
    )
