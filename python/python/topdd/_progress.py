"""Progress of long calls: a bar of tqdm if it is installed, a line of text, or a callback."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol


class Shown(Protocol):
    """Where progress is shown."""

    def update(self, done: int, total: int, text: str) -> None: ...

    def close(self) -> None: ...


class _Callback:
    def __init__(self, callback: Callable[[int, int, str], object]) -> None:
        self._callback: Callable[[int, int, str], object] | None = callback

    def update(self, done: int, total: int, text: str) -> None:
        # After an exception, it is not called again.
        callback, self._callback = self._callback, None
        if callback is not None:
            callback(done, total, text)
            self._callback = callback

    def close(self) -> None:
        pass


class _Nothing:
    def update(self, done: int, total: int, text: str) -> None:
        pass

    def close(self) -> None:
        pass


class _Text:
    def __init__(self) -> None:
        self._last = ""

    def update(self, done: int, total: int, text: str) -> None:
        line = f"\rlevel {done} of {total}, {text}"
        if total and line != self._last:
            sys.stderr.write(line.ljust(len(self._last)))
            sys.stderr.flush()
            self._last = line

    def close(self) -> None:
        if self._last:
            sys.stderr.write("\n")


class _Bar:
    def __init__(self, tqdm: Any) -> None:
        self._bar: Any = tqdm(unit="level", leave=False)

    def update(self, done: int, total: int, text: str) -> None:
        self._bar.total = total or None
        self._bar.set_postfix_str(text, refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def shown(progress: bool | Callable[[int, int, str], object]) -> Shown:
    """Return where progress is shown, for the argument ``progress`` of a call."""
    if not isinstance(progress, bool):
        return _Callback(progress)
    if not progress:
        return _Nothing()
    try:
        tqdm: Any = import_module("tqdm.auto").tqdm
    except ImportError:
        return _Text()
    return _Bar(tqdm)
