"""Numbers of any type as whole numbers with a common denominator, and back, exactly."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, cast

from topdd._errors import InputError

Scale = tuple[int, str]
"""The denominator, and the type of results."""

WHOLE: Scale = (1, "int")
_MOST = 2**63 - 1


def _exact(value: Any, what: str) -> tuple[Fraction, str]:
    """Return a number as a fraction, a float by its shortest decimal form, and its type."""
    if isinstance(value, (bool, int)):
        return Fraction(int(value)), "int"
    if isinstance(value, (Decimal, Rational)):
        kind = "int" if isinstance(value, Rational) and type(value).__module__ == "numpy" else "fraction"
        try:
            return Fraction(value), kind
        except (ValueError, OverflowError):
            raise InputError(f"the {what} {value!r} is no finite number") from None
    if hasattr(value, "__index__"):
        return Fraction(value.__index__()), "int"
    if isinstance(value, str) or not hasattr(value, "__float__"):
        raise InputError(f"the {what} {value!r} is no number")
    number = float(value)
    if not math.isfinite(number):
        raise InputError(f"the {what} {value!r} is no finite number")
    return Fraction(repr(number)), "float"


def scaled(values: Sequence[Any], what: str) -> tuple[list[int], Scale]:
    """Return whole numbers that are the values times a common denominator."""
    exact = [_exact(value, what) for value in values]
    denominator = math.lcm(*(number.denominator for number, _ in exact))
    kinds = {kind for _, kind in exact}
    kind = next((kind for kind in ("fraction", "float") if kind in kinds), "int")
    whole = [int(number * denominator) for number, _ in exact]
    if sum(map(abs, whole)) > _MOST:
        raise InputError(f"the sum of the {what}s has too many digits; round them, or scale them down")
    return whole, (denominator, kind)


def restored(total: int, scale: Scale) -> Any:
    """Return a sum of the whole numbers as a sum of the values."""
    denominator, kind = scale
    if kind == "int":
        return total
    return total / denominator if kind == "float" else Fraction(total, denominator)


def bound(value: Any, scale: Scale, up: bool) -> int:
    """Return the greatest whole number that is no more than a bound, or the least that is no less."""
    if isinstance(value, float) and math.isinf(value):
        return _MOST if value > 0 else -_MOST
    exact = _exact(value, "bound")[0] * scale[0]
    return max(-_MOST, min(_MOST, math.ceil(exact) if up else math.floor(exact)))


def per_element(given: Any, objects: tuple[Any, ...], find: Callable[[Any], int], what: str) -> list[Any]:
    """Return a value for each element: from a mapping with all of them, a sequence, or one number for all."""
    if isinstance(given, Mapping):
        values: list[Any] = [None] * len(objects)
        for key, value in cast("Mapping[Any, Any]", given).items():
            values[find(key)] = value
        missing = [objects[at] for at, value in enumerate(values) if value is None]
        if missing:
            raise InputError(f"there is no {what} for {missing[0]!r}")
        return values
    if isinstance(given, str):
        raise InputError(f"{given!r} is no {what}; give a mapping, a sequence, or one number for all")
    try:
        values = list(given)
    except TypeError:
        return [given] * len(objects)
    if len(values) != len(objects):
        raise InputError(f"{len(values)} values of {what} were given, and {len(objects)} are needed")
    return values
