"""Numbers of any type as whole numbers with a common denominator, and back.

The whole numbers are exact if their sum has at most 63 bits. If not, numbers of which some are floats are rounded to
about 17 digits of the sum of all of them.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence, Set
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, cast

from topdd._errors import InputError

Scale = tuple[int | Fraction, str, list[float] | None]
"""The denominator, the type of results, and the numbers themselves if they were rounded."""

WHOLE: Scale = (1, "int", None)
_MOST = 2**63 - 1
_ROUNDED = 10**18
"""The greatest sum of rounded numbers."""


def differs_from_itself(value: Any) -> bool:
    """Return whether a value is not equal to itself, or cannot be compared, as NaN and NA of pandas."""
    try:
        return bool(value != value)
    except TypeError:
        return True
    except ValueError:
        return False


def whole(value: Any) -> int | None:
    """Return a whole number of any type as an `int`; `None` for bools and other objects."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def check_order(given: Any, what: str) -> None:
    """Fail for a set, whose order is another one in each process."""
    if isinstance(given, (set, frozenset)):
        raise InputError(f"{what}: a set has no order; give a list, such as sorted(..)")


def check_comparable(value: Any, noun: str) -> None:
    """Fail for a value that is not equal to itself, or whose ``==`` returns no bool."""
    try:
        problem = None if value == value else "is not equal to itself"
    except Exception as error:
        raise InputError(f"the {noun} {value!r} cannot be compared ({error}); its == must return True or False") from error
    if problem is not None:
        raise InputError(f"the {noun} {value!r} {problem}; give another value")


def _exact(value: Any, what: str, *element: Any) -> tuple[Fraction, str]:
    """Return a number as a fraction, a float by its shortest decimal form, and its type.

    ``what`` and the element, if there is one, name it in errors.
    """
    if isinstance(value, (bool, int)):
        return Fraction(int(value)), "int"
    problem = "is no number"
    try:
        if isinstance(value, (Decimal, Rational)):
            kind = "int" if isinstance(value, Rational) and type(value).__module__ == "numpy" else "fraction"
            return Fraction(value), kind
        if hasattr(value, "__index__"):
            return Fraction(value.__index__()), "int"
        if isinstance(value, str):
            problem = "is text and no number; convert it, for instance by float()"
        elif hasattr(value, "__float__"):
            number = float(value)
            if math.isfinite(number):
                return Fraction(repr(number)), "float"
            problem = "is no finite number"
    except OverflowError:
        problem = "is no finite number"
    except (TypeError, ValueError):
        pass
    name = " of ".join([f"the {what}", *map(repr, element)])
    if value is None or differs_from_itself(value):
        raise InputError(f"{name} is missing" + ("" if value is None else f" ({value!r})"))
    raise InputError(f"{name}, {value!r}, {problem}")


def _float(number: Fraction, what: str, *element: Any) -> float:
    """Return a number as a float; ``what`` and the element, if there is one, name it in errors."""
    try:
        return float(number)
    except OverflowError:
        name = " of ".join([f"the {what}", *map(repr, element)])
        raise InputError(f"{name} is too large; give smaller numbers") from None


def floats(values: Sequence[Any], objects: Sequence[Any], what: str) -> list[float]:
    """Return the numbers of the elements as floats."""
    return [
        value if type(value) is float and math.isfinite(value) else _float(_exact(value, what, object)[0], what, object)
        for value, object in zip(values, objects)
    ]


def probabilities(values: Sequence[Any], objects: Sequence[Any], what: str) -> list[float]:
    """Return the probabilities of the elements."""
    numbers = floats(values, objects, what)
    for number, object in zip(numbers, objects):
        if not 0 <= number <= 1:
            raise InputError(f"the probability of {object!r} is {number}; it must be from 0 to 1")
    return numbers


def odds(values: Sequence[Any], objects: Sequence[Any], what: str) -> tuple[bool, list[tuple[Any, Any]]]:
    """Return whether all numbers are exact, and for each element the odds that it is not in a set, and that it is.

    ``what`` is ``p`` for probabilities, or the odds are 1 to the number. Odds of exact numbers are whole.
    """
    exact = [_exact(value, what, object) for value, object in zip(values, objects)]
    for (number, _), value, object in zip(exact, values, objects):
        if what == "p" and not 0 <= number <= 1:
            raise InputError(f"the probability of {object!r} is {value}; it must be from 0 to 1")
        if number < 0:
            raise InputError(f"the {what} of {object!r} is {value}; {what}s that are multiplied must be at least 0")
    if any(kind == "float" for _, kind in exact):
        numbers = floats(values, objects, what)
        return False, [(1 - number if what == "p" else 1.0, number) for number in numbers]
    # Fractions of numpy's integers have parts of their type.
    parts = [(int(number.numerator), int(number.denominator)) for number, _ in exact]
    return True, [(whole - part if what == "p" else whole, part) for part, whole in parts]


def scaled(values: Sequence[Any], objects: Sequence[Any], what: str) -> tuple[list[int], Scale]:
    """Return whole numbers that are the values of the elements times a common denominator."""
    fractions = [_exact(value, what, object) for value, object in zip(values, objects)]
    denominator = math.lcm(*(number.denominator for number, _ in fractions))
    kinds = {kind for _, kind in fractions}
    kind = next((kind for kind in ("fraction", "float") if kind in kinds), "int")
    whole = [int(number * denominator) for number, _ in fractions]
    if sum(map(abs, whole)) <= _MOST:
        return whole, (denominator, kind, None)
    if "float" not in kinds:
        raise InputError(f"the sum of the {what}s has too many digits; give floats, which are rounded")
    numbers = [number for number, _ in fractions]
    own = [_float(number, what, object) for number, object in zip(numbers, objects)]
    total = sum(map(abs, numbers), Fraction())
    _float(total, f"sum of the {what}s")
    factor = _factor(total)
    return [round(number * factor) for number in numbers], (factor, "float", own)


def _factor(total: Fraction) -> Fraction:
    """Return the greatest power of ten that keeps a sum within `_ROUNDED`."""
    factor = Fraction(10) ** (len(str(_ROUNDED)) - len(str(math.ceil(total))))
    while total * factor * 10 <= _ROUNDED:
        factor *= 10
    return factor if total * factor <= _ROUNDED else factor / 10


def decimals(values: Sequence[Any]) -> list[str] | None:
    """Return decimal numbers of at most 18 places for the command, rounded if need be; `None` if they are too large."""
    numbers = [_exact(value, "weight")[0] for value in values]
    total = sum(map(abs, numbers), Fraction())
    for places in range(19):
        if total * 10**places <= _MOST and all((number * 10**places).denominator == 1 for number in numbers):
            break
    else:
        places = min(18, len(str(int(_factor(total)))) - 1)
        if total * 10**places > _MOST:
            return None
    return [format(Decimal(round(number * 10**places)).scaleb(-places), "f") for number in numbers]


def restored(total: int, scale: Scale, members: Sequence[int] | None) -> Any:
    """Return the sum of the numbers of some elements, or of unknown ones, whose whole numbers sum up to `total`."""
    denominator, kind, own = scale
    if own is not None:
        return float(total / denominator) if members is None else math.fsum(own[member] for member in members)
    if kind == "int":
        return total
    return total / denominator if kind == "float" else Fraction(total, denominator)


def bound(value: Any, scale: Scale, up: bool) -> int:
    """Return the greatest whole number that is no more than a bound, or the least that is no less.

    Bounds on rounded numbers hold up to the fifteenth digit of the sum of all of them, and floats as bounds on sums of
    floats up to their own fifteenth digit: `best` returns rounded sums, and so does the `sum` of Python.
    """
    if isinstance(value, float) and math.isinf(value):
        return _MOST if value > 0 else -_MOST
    factor, kind, own = scale
    number, of_bound = _exact(value, "bound")
    number *= factor
    slack = Fraction()
    if own is not None:
        slack = len(own) + Fraction(math.fsum(map(abs, own))) * factor / 10**15
    elif kind == of_bound == "float":
        slack = abs(number) / 2**48
    number += -slack if up else slack
    return max(-_MOST, min(_MOST, math.ceil(number) if up else math.floor(number)))


def is_equal(one: Any, two: Any) -> bool:
    """Return whether two values are the same; NaN is the same as NaN, and arrays are if all of their values are."""
    try:
        return one is two or bool(one == two) or bool(one != one and two != two)
    except (TypeError, ValueError):
        return repr(one) == repr(two)


def per_element(given: Any, objects: Sequence[Any], find: Callable[[Any], int], what: str, noun: str) -> list[Any]:
    """Return the value of each element: from a mapping, a series with an index, a sequence, or one for all.

    A value that a mapping does not have is `None`. ``find`` raises a `KeyError` for what is no element.
    """
    advice = ""
    if not isinstance(given, Mapping) and not callable(getattr(given, "index", len)):
        given = _of_series(given, what)
        advice = "; a series goes by its index, and series.tolist() by the order of the elements"
    if isinstance(given, Mapping):
        values: list[Any] = [None] * len(objects)
        keys: dict[int, Any] = {}
        for key, value in cast("Mapping[Any, Any]", given).items():
            try:
                at = find(key)
            except KeyError:
                raise InputError(f"{what}: there is no {noun} {key!r}{advice}") from None
            first = keys.setdefault(at, key)
            if first is not key and not is_equal(values[at], value):
                both = f"{first!r} and {key!r} are the same {noun}"
                raise InputError(f"{both}, and its {what} is {values[at]!r} and {value!r}; give one of them")
            values[at] = value
        return values
    if isinstance(given, (str, Set)):
        raise InputError(f"{given!r} is no {what}; give a mapping, a sequence, or one number for all")
    try:
        values = list(given)
    except TypeError:
        return [given] * len(objects)
    if len(values) != len(objects):
        raise InputError(f"{len(values)} values of {what} were given, and {len(objects)} are needed")
    return values


def per_value(
    given: Any, objects: Sequence[Any], values: Sequence[Sequence[Any]], what: str
) -> tuple[tuple[Any, ...], list[Any]]:
    """Return all pairs of an element and a value, and the number of each.

    ``given`` has an item for each element: a number, by which the values are multiplied, or a mapping from values, in which
    others have 0; or is a function of an element and a value.
    """
    pairs: list[Any] = []
    numbers: list[Any] = []
    for at, (name, own) in enumerate(zip(objects, values)):
        item: Any = None if callable(given) else given[at]
        if isinstance(item, Mapping):
            of_values, known = cast("Mapping[Any, Any]", item), set(own)
            for value in of_values:
                if value not in known:
                    raise InputError(f"{what}: there is no value {value!r} of {name!r}; its values are {list(own)!r}")
        for value in own:
            pairs.append((name, value))
            if callable(given):
                numbers.append(given(name, value))
            elif isinstance(item, Mapping):
                numbers.append(cast("Mapping[Any, Any]", item).get(value, 0))
            else:
                numbers.append(_product(item, value, what, name))
    return tuple(pairs), numbers


def _product(number: Any, value: Any, what: str, name: Any) -> Any:
    """Return a number times a value, exactly: a float if one of them is."""
    factor, kind = _exact(number, what, name)
    try:
        other, of_value = _exact(value, "value")
    except InputError:
        raise InputError(
            f"the value {value!r} of {name!r} is no number; give a mapping from its values to their {what}s"
        ) from None
    product = factor * other
    if "float" in (kind, of_value):
        return float(product)
    return product if "fraction" in (kind, of_value) else int(product)


def _of_series(given: Any, what: str) -> dict[Any, Any]:
    """Return the numbers of a series of pandas, or of any object like it, by its index."""
    try:
        index, values = list(given.index), given.tolist()
        made = dict(zip(index, values))
    except (AttributeError, TypeError):
        kind = type(given).__name__
        raise InputError(f"the index of this {kind} cannot be read as a series; give a mapping or a list as {what}") from None
    if len(made) < len(index):
        raise InputError(f"the index of the {what} has an element twice")
    return made
