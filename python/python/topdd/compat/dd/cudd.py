"""The class ``BDD`` of the module ``dd.cudd``, and its functions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from topdd._errors import InputError
from topdd._managers import nodes_of
from topdd._topdd import Manager
from topdd.compat.dd import autoref
from topdd.compat.dd.autoref import Function, copy_bdd, copy_vars, reorder

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["BDD", "Function", "and_exists", "copy_bdd", "copy_vars", "count_nodes", "or_forall", "reorder"]


class BDD(autoref.BDD):
    """A manager with all methods of the class in dd. ``memory_estimate`` is the limit of its memory in bytes."""

    def __new__(cls, memory_estimate: float | None = None, initial_cache_size: int | None = None) -> Self:
        return Manager.__new__(cls, memory=memory_estimate)

    def add_var(self, var: str, level: int | None = None, index: int | None = None) -> int:
        """Add a variable, unless it exists. Its index is the next one."""
        if index not in (None, list(self.vars).index(var) if var in self.vars else len(self.vars)):
            raise InputError(f"index={index}: variables have the indices 0, 1, 2, .. in the order in which they are added")
        return super().add_var(var, level)

    def insert_var(self, var: str, level: int) -> int:
        """Add a variable at a level."""
        return self.add_var(var, level)


def and_exists(u: Function, v: Function, qvars: Iterable[str]) -> Function:
    """Return whether some values of variables make both functions true."""
    return (u & v).exist(*qvars)


def or_forall(u: Function, v: Function, qvars: Iterable[str]) -> Function:
    """Return whether all values of variables make one of the functions true."""
    return (u | v).forall(*qvars)


def count_nodes(functions: Iterable[Function]) -> int:
    """Return the number of nodes of several functions together, with the terminal."""
    return len(nodes_of(list(functions))[1]) + 1
