"""The types that every metric takes and returns: pairs or sets of texts in, scores out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

import numpy as np

from farthing.core.arrays import Indices, Matrix, Segments, Statistics, Vectors, Weights
from farthing.core.errors import InputError, UsageError
from farthing.core.signature import Signature

if TYPE_CHECKING:
    import pandas
    import pyarrow

Need = Literal["reference", "source"]
Part: TypeAlias = np.ndarray | float  #: one value per pair, or one number for all
TextsOrVectors: TypeAlias = Sequence[str] | Vectors  #: the members of one set
_NOTHING: Mapping[str, Part] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Pairs:
    """One system's outputs and what they are compared with.

    :param candidates: the texts to judge
    :param references: one list of references per candidate; the lists may differ in length or be empty
    :param sources: one text per candidate from which the candidate was made
    :param ids: one name per row
    :param system: the name of the system
    """

    candidates: Sequence[str]
    references: Sequence[Sequence[str]]
    sources: Sequence[str] | None = None
    ids: Sequence[str] | None = None
    system: str = "system"

    def __post_init__(self) -> None:
        if isinstance(self.candidates, str) or isinstance(self.references, str):
            raise UsageError("candidates and references are lists, not single strings")
        for name in ("references", "sources", "ids"):
            column = getattr(self, name)
            if column is not None and len(column) != len(self.candidates):
                raise UsageError(
                    f"{len(self.candidates)} candidates but {len(column)} {name}: give one entry per candidate"
                )
        for name in ("candidates", "sources"):
            _check_texts(name, getattr(self, name) or ())
        for row, references in enumerate(self.references):
            if isinstance(references, str):
                raise UsageError(f"references of row {row + 1} is a string: give one list of references per candidate")
            _check_texts("references", references, row)

    @classmethod
    def of(
        cls,
        candidates: Sequence[str],
        references: Sequence[str | Sequence[str]] | None = None,
        sources: Sequence[str] | None = None,
        system: str = "system",
    ) -> Pairs:
        """Build pairs; the reference of a candidate may be one string or a list of strings.

        >>> Pairs.of(["a b"], ["a c"]).references
        [['a c']]
        """
        if references is None:
            return cls(candidates, [[]] * len(candidates), sources, None, system)
        if isinstance(references, str):
            raise UsageError("references is a single string: give a list with one entry per candidate")
        return cls(candidates, [[r] if isinstance(r, str) else r for r in references], sources, None, system)

    def __len__(self) -> int:
        return len(self.candidates)

    def part(self, start: int, stop: int) -> Pairs:
        """Return the rows from `start` up to but not including `stop`; the object itself if these are all rows."""
        if start <= 0 and stop >= len(self):
            return self
        rows = slice(start, stop)
        sources, ids = (None if column is None else column[rows] for column in (self.sources, self.ids))
        return Pairs(self.candidates[rows], self.references[rows], sources, ids, self.system)

    def texts(self) -> list[str]:
        """Every candidate, then every reference, in order and with repetitions."""
        return [*self.candidates, *(text for references in self.references for text in references)]

    def single_references(self) -> tuple[list[int], list[str], list[str]]:
        """The same texts with one reference per row: each row's place here, its candidate and its reference.

        >>> Pairs(["a"], [["b", "c"]]).single_references()
        ([0, 0], ['a', 'a'], ['b', 'c'])
        """
        owners = [row for row, references in enumerate(self.references) for _ in references]
        return owners, [self.candidates[row] for row in owners], [text for row in self.references for text in row]

    @property
    def has_references(self) -> bool:
        """Whether at least one row has a reference."""
        return any(len(row) > 0 for row in self.references)


def _check_texts(name: str, texts: Sequence[object], row: int | None = None) -> None:
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            where = index if row is None else row
            raise InputError(
                f"{name} must be text, found {type(text).__name__}", line=where + 1, remedy="use '' for an empty text"
            )


@dataclass(frozen=True, slots=True)
class Sets:
    """Two unordered collections of texts or vectors, of any sizes, for metrics that compare whole sets."""

    generated: TextsOrVectors
    corpus: TextsOrVectors
    system: str = "system"


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the reader of a score should know, and the rows (counted from 0) that it concerns."""

    kind: str
    message: str
    rows: tuple[int, ...] = ()

    def shifted(self, by: int) -> Note:
        """Return the same note with `by` added to every row."""
        return Note(self.kind, self.message, tuple(row + by for row in self.rows))

    def __str__(self) -> str:
        if not self.rows:
            return f"{self.kind}: {self.message}"
        shown = ", ".join(str(row + 1) for row in self.rows[:5])
        more = f" and {len(self.rows) - 5} more" if len(self.rows) > 5 else ""
        return f"{self.kind}: {self.message} (row {shown}{more})"


@dataclass(frozen=True, slots=True)
class MetricInfo:
    """What a metric is and what it needs, for argument checks, help texts and docs.

    :param summary: one sentence
    :param paper: where it was published
    :param range: the lowest and the highest possible corpus score; None if there is no bound
    :param higher_is_better: False for distances and error rates
    :param needs: what must be given in addition to the candidates
    :param level: "segment" if every pair gets a score, "set" if only the whole set does
    :param extra: the extra of the package that it needs, if any
    :param shown: the parts that a table shows next to the score
    :param columns: the parts that a table shows in columns of their own, instead of the score
    """

    name: str
    summary: str
    paper: str
    range: tuple[float | None, float | None]
    higher_is_better: bool = True
    needs: frozenset[Need] = frozenset({"reference"})
    level: Literal["segment", "set"] = "segment"
    extra: str | None = None
    shown: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def arrow(self) -> str:
        """The direction in which a score gets better."""
        return "↑" if self.higher_is_better else "↓"


@dataclass(frozen=True, slots=True)
class Alignment:
    """Which candidate token matches which reference token, and how strongly.

    :param similarity: one row per candidate token, one column per reference token
    :param matches: the index of every candidate token's partner, -1 for none
    :param back_matches: the index of every reference token's partner, -1 for none
    """

    candidate_tokens: tuple[str, ...]
    reference_tokens: tuple[str, ...]
    similarity: Matrix
    matches: Indices
    back_matches: Indices
    candidate_weights: Weights
    reference_weights: Weights
    parts: Mapping[str, float] = field(default_factory=dict)


class NoteRecord(TypedDict):
    """A note as plain Python values."""

    kind: str
    message: str
    rows: list[int]


class ScoresRecord(TypedDict):
    """Scores as plain Python values, which JSON can hold."""

    system: str
    metric: str
    signature: str
    corpus: float
    ci: list[float] | None
    segments: list[float] | None
    parts: dict[str, object]
    notes: list[NoteRecord]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The result of one metric on one system.

    :param corpus: the score of the whole corpus or set
    :param segments: one score per pair; None for metrics of whole sets
    :param parts: further results by name, such as precision and recall: one value per pair, or one number
    :param statistics: sufficient statistics, one row per pair; the corpus score is computed from their sum
    :param notes: what the reader should know, such as truncated or empty rows and degenerate cases
    :param signature: everything that must be equal for the score to be equal
    :param interval: the 95 % interval of the corpus score, if the metric itself gives one
    """

    corpus: float
    segments: Segments | None
    signature: Signature
    parts: Mapping[str, Part] = field(default_factory=lambda: _NOTHING)
    statistics: Statistics | None = None
    notes: tuple[Note, ...] = ()
    system: str = "system"
    interval: tuple[float, float] | None = None

    @property
    def metric(self) -> str:
        """The metric's name."""
        return self.signature.metric

    def to_dict(self) -> ScoresRecord:
        """Return plain Python values, as `farthing score --format json` prints them."""
        return {
            "system": self.system,
            "metric": self.metric,
            "signature": str(self.signature),
            "corpus": self.corpus,
            "ci": None if self.interval is None else list(self.interval),
            "segments": None if self.segments is None else self.segments.tolist(),
            "parts": {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in self.parts.items()},
            "notes": [{"kind": n.kind, "message": n.message, "rows": list(n.rows)} for n in self.notes],
        }

    def columns(self) -> dict[str, np.ndarray]:
        """Return the arrays that have one value per pair: the segments, then the parts."""
        if self.segments is None:
            return {}
        per_row = {k: v for k, v in self.parts.items() if isinstance(v, np.ndarray) and v.shape == self.segments.shape}
        return {self.metric: self.segments, **{f"{self.metric}_{k}": v for k, v in per_row.items()}}

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table with one row per pair."""
        import pyarrow

        return pyarrow.table(self.columns())

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas frame with one row per pair (pandas must be installed)."""
        try:
            import pandas
        except ImportError as error:
            raise UsageError("to_pandas() needs pandas: pip install pandas") from error
        return pandas.DataFrame(self.columns())

    def __str__(self) -> str:
        head = f"{self.metric:<14} {self.corpus:>10.4f}"
        lines = [head]
        for name, part in self.parts.items():
            lines.append(f"  {name:<12} {float(np.mean(part)):>10.4f}")
        if self.segments is not None:
            lines.append(f"  {'pairs':<12} {len(self.segments):>10}")
        lines += [f"  note: {note}" for note in self.notes]
        return "\n".join([*lines, f"  {self.signature}"])

    def __repr__(self) -> str:
        count = "set" if self.segments is None else f"{len(self.segments)} pairs"
        return f"<Scores {self.metric} {self.corpus:.4f}, {count}>"

    def _repr_html_(self) -> str:
        from html import escape

        rows = [(self.metric, f"<b>{self.corpus:.4f}</b>")]
        rows += [(name, f"{float(np.mean(part)):.4f}") for name, part in self.parts.items()]
        rows += [("note", escape(str(note))) for note in self.notes]
        body = "".join(f"<tr><td>{escape(name)}</td><td>{value}</td></tr>" for name, value in rows)
        return f"<table>{body}<caption><code>{escape(str(self.signature))}</code></caption></table>"
