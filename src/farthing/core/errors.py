"""Everything that Farthing raises on purpose.

    FarthingError
    ├── UsageError          the call is wrong; the message says how to call instead
    │   ├── SpecError       a metric spec that does not parse or that has a wrong option
    │   ├── UnknownName     an unknown metric, column or model; the message lists close matches
    │   ├── MissingInput    a metric needs a source or a reference that was not given
    │   └── MissingExtra    an optional dependency is not installed; the message names the pip command
    ├── InputError          a file or a record that cannot be read; the message names file, line and remedy
    ├── OutputError         a result that cannot be written; an existing file is left unchanged
    ├── ModelError          a model that is missing or broken; the message says how to get it
    └── GateFailed          a score or a comparison is not as good as was asked for

Every error prints as one sentence. The command line turns it into exit code 2, and a failed gate into 3.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class FarthingError(Exception):
    """The root of every error that Farthing raises on purpose."""


class UsageError(FarthingError):
    """The call is wrong; the message says how to call instead."""


class SpecError(UsageError):
    """A metric spec that does not parse, or that sets an option to a wrong value."""


class UnknownName(UsageError):
    """An unknown name, with what is close to it and what there is.

    >>> str(UnknownName("metric", "chrff", ["bleu", "chrf"]))
    "unknown metric 'chrff'; did you mean 'chrf'? (there are: bleu, chrf)"
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = sorted(known)
        near = difflib.get_close_matches(name, self.known, n=1, cutoff=0.5)
        guess = f"; did you mean {near[0]!r}?" if near else ";"
        listing = f"(there are: {', '.join(self.known)})" if self.known else "(there are none)"
        super().__init__(f"unknown {kind} {name!r}{guess} {listing}")


class MissingInput(UsageError):
    """A metric needs sources or references that the data does not have."""


class MissingExtra(UsageError):
    """An optional dependency is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra {extra!r}: pip install 'farthing[{extra}]'")


class InputError(FarthingError):
    """A file or record that cannot be read.

    >>> str(InputError("not UTF-8 at byte 7", path="a.txt", line=3, remedy="save it as UTF-8"))
    'a.txt:3: not UTF-8 at byte 7 (save it as UTF-8)'
    """

    def __init__(self, problem: str, *, path: str = "", line: int | None = None, remedy: str = "") -> None:
        self.path, self.line, self.remedy = path, line, remedy
        place = f"{path}:{line}: " if path and line else f"{path}: " if path else f"row {line}: " if line else ""
        super().__init__(f"{place}{problem}" + (f" ({remedy})" if remedy else ""))


class OutputError(FarthingError):
    """A result that cannot be written; an existing file is left unchanged."""


class ModelError(FarthingError):
    """A model that is missing, broken or of the wrong kind."""


class GateFailed(FarthingError):
    """A score or a comparison is not as good as was asked for.

    :param printed: the result itself, to be printed before the reason
    """

    def __init__(self, reason: str, printed: str = "") -> None:
        self.printed = printed
        super().__init__(reason)
