"""The signature of a score: all that must be equal for the score to be equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from farthing.core.digest import digest
from farthing.core.specs import Value, format_value
from farthing.core.version import __version__


@dataclass(frozen=True, slots=True)
class Signature:
    """Metric, settings and versions of a score, printed as one line for a paper.

    Equal signatures mean equal scores: the fields hold the metric's options and everything else that changes the
    score (a library's own signature, digests of weights and corpora).

    >>> Signature("chrf", {"nrefs": 1, "nc": 6}, version="0.1.0")
    Signature('chrf|nrefs:1|nc:6|farthing:0.1.0')
    """

    metric: str
    fields: Mapping[str, Value] = field(default_factory=dict)
    version: str = __version__

    @classmethod
    def merged(cls, signatures: Sequence[Signature]) -> Signature:
        """Merge the signatures of several stretches of one input; a field in which they differ becomes `var`.

        A field that only some of them have is about texts that the others do not have.

        >>> Signature.merged([Signature("x", {"nrefs": 1}, "0"), Signature("x", {"nrefs": 2, "long": "window"}, "0")])
        Signature('x|nrefs:var|long:window|farthing:0')
        """
        most = max(signatures, key=lambda one: len(one.fields))
        fields = {
            key: value if all(other.fields.get(key, value) == value for other in signatures) else "var"
            for key, value in most.fields.items()
        }
        return cls(most.metric, fields, most.version)

    def agrees(self, other: Signature) -> bool:
        """Tell whether scores of one spec can be compared: all fields that both signatures have are equal."""
        both = self.fields.keys() & other.fields.keys()
        equal = all(_plain(self.fields[key]) == _plain(other.fields[key]) for key in both)
        return equal and (self.metric, self.version) == (other.metric, other.version)

    def __str__(self) -> str:
        parts = [f"{key}:{_plain(value)}" for key, value in self.fields.items()]
        return "|".join([self.metric, *parts, f"farthing:{self.version}"])

    def __repr__(self) -> str:
        return f"Signature({str(self)!r})"

    @property
    def short(self) -> str:
        """The metric and eight hexadecimal digits, for a table or a file name."""
        return f"{self.metric}#{digest(str(self))[:8]}"


def _plain(value: Value) -> str:
    """Return text unchanged, or quoted if it contains a separator or a line break."""
    if isinstance(value, str) and not set(value) & set("|\n\r"):
        return value
    return format_value(value)
