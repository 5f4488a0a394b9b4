"""The class ``BDD`` of the module ``dd.autoref``, and its functions.

>>> import topdd.compat.dd.autoref as _bdd
>>> bdd = _bdd.BDD()
>>> bdd.declare("x", "y", "z")
>>> u = bdd.add_expr(r"x /\\ ~ y")
>>> v = _bdd.image(u, bdd.var("x"), {"y": "z"}, {"x"})
>>> v.to_expr(), bdd.quantify(u, ["y"], forall=True) == bdd.false
('(~ z)', True)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from topdd._errors import InputError
from topdd._topdd import Function, Manager

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["BDD", "Function", "copy_bdd", "copy_vars", "image", "preimage", "reorder"]


class BDD(Manager):
    """A manager with all methods of the class in dd; those that are not in dd are methods of ``td.Manager``."""

    def __new__(cls, levels: Mapping[str, int] | None = None) -> Self:
        return super().__new__(cls, levels)

    @property
    def var_levels(self) -> dict[str, int]:
        """The level of each variable."""
        return self.vars

    def add_var(self, var: str, level: int | None = None) -> int:
        """Add a variable, below all others or at a level, unless it exists, and return its level."""
        order = list(self.vars)
        if var not in order:
            if level is not None and not 0 <= level <= len(order):
                raise InputError(f"level={level}: give a level from 0 to {len(order)}")
            self.declare(var)
            if level is not None and level < len(order):
                order.insert(level, var)
                self.reorder(order)
        elif level not in (None, order.index(var)):
            raise InputError(f"the variable {var!r} has level {order.index(var)}, not {level}; reorder moves it")
        return self.level_of_var(var)

    def support(self, u: Function, as_levels: bool = False) -> set[Any]:
        """Return the variables that a function depends on, or their levels."""
        support = super().support(u)
        return {self.level_of_var(name) for name in support} if as_levels else support

    def quantify(self, u: Function, qvars: Iterable[str], forall: bool = False) -> Function:
        """Return whether some values of variables make a function true, or whether all do."""
        return self.forall(qvars, u) if forall else self.exist(qvars, u)

    def succ(self, u: Function) -> tuple[int, Function | None, Function | None]:
        """Return the level of a function, and its parts ``low`` and ``high``."""
        return u.level, u.low, u.high

    def find_or_add(self, var: str, low: Function, high: Function) -> Function:
        """Return the function ``high`` where a variable is true, and ``low`` elsewhere."""
        return self.ite(self.var(var), high, low)

    def load(self, filename: str | os.PathLike[str], levels: bool = True) -> Any:
        """Read the functions of a file. Variables keep their levels."""
        return super().load(filename)

    def incref(self, u: Function) -> None:
        """Do nothing: a manager keeps each function that Python refers to."""

    def decref(self, u: Function, recursive: bool = False, **options: Any) -> None:
        """Do nothing: a manager frees each function that Python does not refer to."""

    def assert_consistent(self) -> None:
        """Do nothing: a manager is always consistent."""

    def _add_int(self, i: int) -> Function:
        return self.add_expr(f"@{i}")


def image(
    trans: Function, source: Function, rename: Mapping[str, str], qvars: Iterable[str], forall: bool = False
) -> Function:
    """Return the conjunction of two functions, without the variables ``qvars``, and then with others renamed."""
    both = trans & source
    return both.bdd.let(dict(rename), (both.forall if forall else both.exist)(*qvars))


def preimage(
    trans: Function, target: Function, rename: Mapping[str, str], qvars: Iterable[str], forall: bool = False
) -> Function:
    """Return the conjunction of two functions, with variables of the second renamed, and then without ``qvars``."""
    both = trans & target.bdd.let(dict(rename), target)
    return (both.forall if forall else both.exist)(*qvars)


def reorder(bdd: Manager, order: Mapping[str, int] | None = None) -> None:
    """Search for an order of the variables with few nodes, or bring them into one."""
    bdd.reorder(order)


def copy_vars(source: Manager, target: Manager) -> None:
    """Declare the variables of one manager in another one."""
    target.declare(*source.vars)


def copy_bdd(u: Function, target: Manager) -> Function:
    """Return a copy of a function in another manager."""
    return u.bdd.copy(u, target)
