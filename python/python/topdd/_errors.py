"""The exceptions. Each is a `topdd.Error`, and also of the built-in class that fits."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """The base of all errors of topdd."""

    __module__ = "topdd"


class InputError(Error, ValueError):
    """An argument that a call refuses."""

    __module__ = "topdd"


class MemoryLimitError(Error, MemoryError):
    """The memory limit was reached."""

    __module__ = "topdd"


class TimeLimitError(Error, TimeoutError):
    """The time limit was reached."""

    __module__ = "topdd"


class CancelledError(Error, RuntimeError):
    """The event `cancel` of the limits was set."""

    __module__ = "topdd"


class FileError(Error, OSError):
    """A file could not be read or written, or its content does not fit.

    It has `errno`, `strerror` and `filename` if the system refused.
    """

    __module__ = "topdd"


class MissingFileError(FileError, FileNotFoundError):
    """A file that does not exist."""

    __module__ = "topdd"


class RankError(Error, IndexError):
    """A position that no solution has."""

    __module__ = "topdd"


class TooManyError(Error, OverflowError):
    """More solutions than `len` can return, or than fit into memory."""

    __module__ = "topdd"


class InputWarning(UserWarning):
    """A decision about an input that a user should know, such as directions that do not count."""

    __module__ = "topdd"


class VerifyError(Error, AssertionError):
    """A rule and a predicate that differ, a rule that breaks its contract, or a comparison of samples only.

    ``solution`` is the least assignment about which they differ, or ``None``.
    """

    __module__ = "topdd"

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.solution: Any = None


class InternalError(Error, RuntimeError):
    """A fault of topdd itself."""

    __module__ = "topdd"
