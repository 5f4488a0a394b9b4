"""Boolean variables with operators, and the arguments of formulas."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from os import PathLike
from os.path import exists
from typing import Any, cast

from topdd._errors import FileError, InputError
from topdd._numbers import check_order, whole
from topdd._sources import numbered

_NAME = re.compile(r"[^\W\d][\w.\[\]]*")
_CONTENT = re.compile(r"[\n;]|^\s*p cnf")
"""What the content of a file has, and paths do not."""
_CONSTANTS = {"true", "false", "True", "False"}
_MOST_VARIABLES = 2**24


class Bool:
    """Boolean variables with names, for formulas: attributes or items of this object, with operators.

    The operators are ``~``, ``&``, ``|`` and ``^``, the methods ``implies`` and ``iff``. ``td.formula`` makes a family.

    >>> import topdd as td
    >>> b = td.Bool("a b c")
    >>> f = (b.a & ~b.b) | b.c.implies(b["a"])
    >>> f
    ((a & ~b) | (c -> a))
    >>> td.formula(f).build()[0]
    Solution({'a': False, 'b': False, 'c': False})
    """

    __slots__ = ("_known", "_names")

    def __init__(self, names: str | Iterable[str]) -> None:
        self._names = _names(names)
        self._known = frozenset(self._names)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, in their order."""
        return self._names

    def __getitem__(self, name: str) -> Expression:
        if not isinstance(cast("object", name), str) or name not in self._known:
            shown = ", ".join(self._names[:8]) + (", .." if len(self._names) > 8 else "")
            raise InputError(f"there is no variable {name!r}; the variables are {shown}")
        return Expression(name, self._names)

    def __getattr__(self, name: str) -> Expression:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except InputError as error:
            raise AttributeError(str(error)) from None

    def __iter__(self) -> Iterator[Expression]:
        return iter([Expression(name, self._names) for name in self._names])

    def __len__(self) -> int:
        return len(self._names)

    def __reduce__(self) -> tuple[Any, ...]:
        return Bool, (self._names,)

    def __repr__(self) -> str:
        return f"Bool({' '.join(self._names)!r})"


class Expression:
    """A formula over the variables of ``td.Bool``. Operators join formulas; ``td.formula`` compiles the text."""

    __slots__ = {"_parts": "The parts of the text.", "names": "The names of the variables of its ``td.Bool``."}

    def __init__(self, text: str, names: tuple[str, ...]) -> None:
        self._parts: tuple[str | bool | Expression, ...] = (text,)
        self.names = names

    def _made(self, *parts: str | bool | Expression) -> Expression:
        made = Expression("", self.names)
        made._parts = parts
        return made

    def _joined(self, sign: str, other: object, is_left: bool = True) -> Expression:
        if not isinstance(other, (Expression, bool)):
            return NotImplemented
        if isinstance(other, Expression) and other.names is not self.names and other.names != self.names:
            raise InputError("the operands have the variables of different td.Bool objects; make one with all of them")
        left, right = (self, other) if is_left else (other, self)
        return self._made("(", cast("bool | Expression", left), f" {sign} ", cast("bool | Expression", right), ")")

    def __and__(self, other: Expression | bool) -> Expression:
        return self._joined("&", other)

    def __or__(self, other: Expression | bool) -> Expression:
        return self._joined("|", other)

    def __xor__(self, other: Expression | bool) -> Expression:
        return self._joined("^", other)

    def __rand__(self, other: bool) -> Expression:
        return self._joined("&", other, False)

    def __ror__(self, other: bool) -> Expression:
        return self._joined("|", other, False)

    def __rxor__(self, other: bool) -> Expression:
        return self._joined("^", other, False)

    def __invert__(self) -> Expression:
        return self._made("~", self)

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        raise TypeError("expressions are not compared; write a.iff(b) for equal values, and a ^ b for different ones")

    def implies(self, other: Expression | bool) -> Expression:
        """Return the formula that holds unless this one does and the other does not."""
        return self._checked("->", other)

    def iff(self, other: Expression | bool) -> Expression:
        """Return the formula that holds if both hold, or none does."""
        return self._checked("<->", other)

    def _checked(self, sign: str, other: object) -> Expression:
        joined = cast("object", self._joined(sign, other))
        if not isinstance(joined, Expression):
            raise InputError(f"{other!r} is no expression of td.Bool, and neither True nor False")
        return joined

    def __bool__(self) -> bool:
        raise TypeError("an expression is neither true nor false; write &, | and ~ in place of and, or and not")

    def __reduce__(self) -> tuple[Any, ...]:
        return Expression, (repr(self), self.names)

    def __repr__(self) -> str:
        # Sums of many terms are as deep as they are long.
        texts: list[str] = []
        waiting: list[str | bool | Expression] = [self]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Expression):
                waiting += reversed(part._parts)
            else:
                texts.append(str(part))
        return "".join(texts)


class Source(str):
    """The text of a file, which is shown by its name."""

    name: str

    def __new__(cls, text: str, name: str) -> Source:
        source = super().__new__(cls, text)
        source.name = name
        return source

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return str(self), self.name

    def __repr__(self) -> str:
        return repr(self.name)


def source_of(file: Any) -> Source | None:
    """Return the text of an open file, or `None` for a path."""
    if isinstance(file, Source):
        return file
    if isinstance(file, str) and _CONTENT.search(file) and not exists(file):
        raise InputError("the text is the content of a file, and no path; give io.StringIO(text), or the path")
    if not hasattr(file, "read"):
        return None
    content: Any = cast("Any", file).read()
    name = str(getattr(file, "name", "the file"))
    if isinstance(content, bytes):
        if content.startswith(b"\x1f\x8b"):
            try:
                content = gzip.decompress(content)
            except (OSError, EOFError, zlib.error) as error:
                raise FileError(f"{name}: {error}") from None
        content = content.decode(errors="replace")
    return Source(content, name)


def clauses_of(formula: Any, variables: Any) -> tuple[tuple[Any, ...], list[list[tuple[int, bool]]]] | None:
    """Return the names of variables, and clauses as pairs of a variable and its value; `None` for a file."""
    if isinstance(formula, (str, PathLike)) or hasattr(formula, "read"):
        return None
    if isinstance(formula, list):
        for clause in cast("list[Any]", formula):
            if isinstance(clause, str):
                raise InputError(f"the clause {clause!r} is a text; give a list of literals, such as [{clause!r}]")
    try:
        clauses = [[_literal(literal) for literal in clause] for clause in cast("Iterable[Iterable[Any]]", formula)]
    except TypeError:
        raise InputError(f"{formula!r} is no file and no list of clauses, such as [[1, -2], [2, 3]]") from None
    found = dict.fromkeys(name for clause in clauses for name, _ in clause)
    numbers = [name for name in found if not isinstance(name, str)]
    if variables is None and not numbers:
        check_order(formula, "the clauses, which use the variables in their order without variables=")
        for clause in cast("Iterable[Any]", formula):
            check_order(clause, "the clauses, which use the variables in their order without variables=")
    if numbers and len(numbers) < len(found):
        raise InputError("some literals are numbers and others names; write all in one way")
    if variables is not None:
        names = _given(variables)
    elif numbers:
        if max(numbers) > _MOST_VARIABLES:
            raise InputError(f"the variable {max(numbers)} is too large; number the variables from 1")
        names = tuple(range(1, max(numbers) + 1))
    else:
        names = tuple(found)
    index = dict(zip(found, positions_of(list(found), names)))
    return names, [[(index[name], value) for name, value in clause] for clause in clauses]


def _given(variables: Any) -> tuple[Any, ...]:
    """Return the names of all variables, from a number or a list."""
    count = whole(variables)
    if count is not None:
        if not 0 <= count <= _MOST_VARIABLES:
            raise InputError(f"variables={count}: give a number from 0 to {_MOST_VARIABLES}")
        return tuple(range(1, count + 1))
    check_order(variables, "variables")
    if not isinstance(variables, Iterable):
        raise InputError(f"variables={variables!r}: give a number, or a list of names")
    return _names(variables) if isinstance(variables, str) else tuple(cast("Iterable[Any]", variables))


def placed(found: list[Any], variables: Any) -> tuple[tuple[Any, ...], list[int]]:
    """Return the names of all variables, and the positions of those of a file among them."""
    names = tuple(found) if variables is None else _given(variables)
    return names, positions_of(found, names)


def positions_of(found: list[Any], names: tuple[Any, ...]) -> list[int]:
    """Return the positions of the variables of a formula."""
    index = numbered(names, "variable")
    for name in found:
        if name not in index:
            raise InputError(f"the variable {name!r} is not among the {len(names)} of variables=; add it")
    return [index[name] for name in found]


def _literal(literal: Any) -> tuple[Any, bool]:
    if isinstance(literal, str):
        name = literal.lstrip("~-")
        if name and len(literal) - len(name) < 2:
            return name, name == literal
    elif number := whole(literal):
        return abs(number), number > 0
    raise InputError(f"{literal!r} is no literal; write 3 or -3 for variable 3, or \"a\" or \"~a\" for a name")


def expression_of(expression: Any, variables: Any) -> tuple[str, list[str] | None]:
    """Return a formula as text, and the names of its variables; `None` for those of the text."""
    names = None if variables is None else list(_names(variables))
    if isinstance(expression, Expression):
        return repr(expression), list(expression.names) if names is None else names
    if isinstance(expression, bool):
        return str(expression), names
    if not isinstance(expression, str):
        raise InputError(f"{expression!r} is no formula; give text such as \"(a | b) & ~c\", or an expression of td.Bool")
    return expression, names


def _names(given: Any) -> tuple[str, ...]:
    check_order(given, "the names of variables")
    names: tuple[Any, ...] = tuple(given.replace(",", " ").split() if isinstance(given, str) else given)
    for name in names:
        if not isinstance(name, str) or not _NAME.fullmatch(name) or name in _CONSTANTS:
            raise InputError(
                f"{name!r} is no name of a variable of a formula; begin with a letter or _, and use letters, digits, _, ., [ and ]"
            )
    if len(set(names)) < len(names):
        raise InputError(f"a name is given twice: {' '.join(names)}")
    return names
