"""The limits of all calls in a block."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

from topdd._topdd import check_limits

if TYPE_CHECKING:
    from typing_extensions import Unpack

_current: ContextVar[dict[str, Any]] = ContextVar("topdd limits")


class Event(Protocol):
    """What cancels calls: a `threading.Event`, or another object with this method."""

    def is_set(self) -> bool: ...


class Limits(TypedDict, total=False):
    """The limits of a call: sizes and times are numbers, or texts such as ``"4GB"`` and ``"10m"``."""

    memory: int | float | str | None
    timeout: float | str | None
    threads: int | None
    spill_to: str | os.PathLike[str] | None
    checkpoint: str | os.PathLike[str] | None
    progress: bool | Callable[[int, int, str], object] | None
    cancel: Event | None


def limits(**values: Unpack[Limits]) -> AbstractContextManager[None]:
    """Set limits for all calls in a block, operators included.

    They are the keyword arguments of `Family.build`: ``memory``, ``timeout`` (of each call), ``threads``, ``spill_to``,
    ``checkpoint``, ``progress`` and ``cancel``, and are checked at once. A call may have limits of its own. ``cancel`` is a
    `threading.Event`: when another thread or a task of asyncio calls its ``set()``, calls fail with a `CancelledError`.

    >>> import topdd as td
    >>> grid = td.Graph.grid(4, 4)
    >>> with td.limits(memory="1GB", timeout=10):
    ...     both = grid.paths(0, 15).build() & grid.edge_sets().at_most(8)
    >>> both.count()
    56
    """
    check_limits(**values)
    return _block(dict(values))


@contextmanager
def _block(values: dict[str, Any]) -> Generator[None]:
    token = _current.set(merged(values))
    try:
        yield
    finally:
        _current.reset(token)


def merged(values: dict[str, Any] | None) -> dict[str, Any]:
    """Return the limits of a call: its own, and for others those of the block."""
    return {**_current.get({}), **(values or {})}
