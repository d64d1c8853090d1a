"""The types that every metric takes and returns: pairs or sets of texts in, scores out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from farthing.core.alignment import Alignment as Alignment
from farthing.core.arrays import Segments, Statistics, Vectors
from farthing.core.columns import Columns
from farthing.core.errors import UsageError
from farthing.core.frames import set_members, texts_of_column, texts_of_table
from farthing.core.records import ScoresRecord, arrow_table, pandas_frame
from farthing.core.signature import Signature
from farthing.core.texts import Texts, TextTable, as_table, counts_differ, reference_rows, wrong_text

if TYPE_CHECKING:
    import pandas
    import pyarrow

Need = Literal["reference", "source"]
Part: TypeAlias = np.ndarray | float  #: one value per pair, or one number for all
TextsOrVectors: TypeAlias = Sequence[str] | Vectors  #: the members of one set


@dataclass(frozen=True, slots=True)
class Pairs:
    """One system's outputs and what they are compared with.

    :param candidates: the texts to judge
    :param references: one list of references per candidate; the lists may differ in length or be empty
    :param sources: one text per candidate from which the candidate was made
    :param ids: one name per row
    :param system: the name of the system
    :param documents: one id per row of the document that it belongs to; intervals and tests resample whole documents
    """

    candidates: Sequence[str]
    references: Sequence[Sequence[str]]
    sources: Sequence[str] | None = None
    ids: Sequence[str] | None = None
    system: str = "system"
    documents: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.candidates, str) or isinstance(self.references, str):
            raise UsageError("candidates and references are lists, not single strings")
        for name in ("references", "sources", "ids", "documents"):
            column = getattr(self, name)
            if column is not None and len(column) != len(self.candidates):
                raise counts_differ(name, len(self.candidates), column)
        for name in ("candidates", "sources"):
            _check_texts(name, getattr(self, name) or ())
        for row, references in enumerate(self.references):
            if isinstance(references, str):
                raise UsageError(f"references of row {row + 1} is a string: give one list of references per candidate")
            _check_texts("references", references, row)

    @classmethod
    def of(
        cls,
        candidates: Pairs | Texts | TextTable,
        references: Texts | TextTable | None = None,
        sources: Texts | None = None,
        system: str | None = None,
        columns: Columns | None = None,
    ) -> Pairs:
        """Build pairs from lists, columns of data frames, arrays or generators, or from a whole table.

        :param candidates: one text per segment; or a table (a data frame, a dict of columns) with the references, too
        :param references: one text or a list of texts per candidate, or a table with one column per reference
        :param columns: the names of the columns of a table; the usual ones are guessed

        >>> Pairs.of(["a b"], ["a c"]).references
        [['a c']]
        >>> Pairs.of({"mt": ["a b"], "ref1": ["a c"], "ref2": ["b"]}).references
        [('a c', 'b')]
        """
        if isinstance(candidates, Pairs):
            pairs = candidates
        elif (table := as_table(candidates)) is not None:
            found = texts_of_table(table, columns)
            pairs = cls(
                found.candidates, found.references, found.sources, found.ids, documents=found.documents
            )  # fmt: skip
        else:
            texts = texts_of_column(candidates, "candidates")
            pairs = cls(texts, [[]] * len(texts))
        return replace(
            pairs,
            references=pairs.references if references is None else reference_rows(references),
            sources=pairs.sources if sources is None else texts_of_column(sources, "sources"),
            system=pairs.system if system is None else system,
        )

    def __len__(self) -> int:
        return len(self.candidates)

    def part(self, start: int, stop: int) -> Pairs:
        """Return the rows from `start` up to but not including `stop`; the object itself if these are all rows."""
        if start <= 0 and stop >= len(self):
            return self
        rows = slice(start, stop)
        optional = (self.sources, self.ids, self.documents)
        sources, ids, documents = (None if column is None else column[rows] for column in optional)
        return Pairs(self.candidates[rows], self.references[rows], sources, ids, self.system, documents)

    def chosen(self, rows: Sequence[int]) -> Pairs:
        """Return these rows, in this order."""
        optional = (self.sources, self.ids, self.documents)
        sources, ids, documents = (None if column is None else [column[row] for row in rows] for column in optional)
        candidates, references = [self.candidates[row] for row in rows], [self.references[row] for row in rows]
        return Pairs(candidates, references, sources, ids, self.system, documents)

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
            raise wrong_text(name, index if row is None else row, text)


@dataclass(frozen=True, slots=True)
class Sets:
    """Unordered collections of texts or vectors, of any sizes, for metrics of whole sets; the corpus may be empty."""

    generated: TextsOrVectors
    corpus: TextsOrVectors = ()
    system: str = "system"

    @classmethod
    def of(
        cls, generated: Sets | Texts | TextsOrVectors, corpus: Texts | TextsOrVectors | None, system: str = "system"
    ) -> Sets:
        """Build sets from vectors, from texts in any usual form, or from lists of texts, which are taken together.

        :param corpus: None for a metric that judges the generated set by itself
        """
        if isinstance(generated, Sets):
            return generated
        return cls(set_members(generated, "generated"), [] if corpus is None else set_members(corpus, "corpus"), system)


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
    :param or_source: True if sources may be given in the place of the references that it needs
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
    or_source: bool = False

    @property
    def arrow(self) -> str:
        """The direction in which a score gets better."""
        return "↑" if self.higher_is_better else "↓"


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
    :param draws: corpus scores of bootstrap samples, if the metric itself draws them
    """

    corpus: float
    segments: Segments | None
    signature: Signature
    parts: Mapping[str, Part] = field(default_factory=dict)
    statistics: Statistics | None = None
    notes: tuple[Note, ...] = ()
    system: str = "system"
    interval: tuple[float, float] | None = None
    draws: Segments | None = None

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
        return arrow_table(self.columns())

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas frame with one row per pair (pandas must be installed)."""
        return pandas_frame(self.columns())

    def __float__(self) -> float:
        """Return the corpus score."""
        return float(self.corpus)

    def __str__(self) -> str:
        lines = [f"{self.metric:<14} {self.corpus:>10.4f}"]
        lines += [f"  {name:<12} {float(np.mean(part)):>10.4f}" for name, part in self.parts.items()]
        lines += [] if self.segments is None else [f"  {'pairs':<12} {len(self.segments):>10}"]
        lines += [f"  note: {note}" for note in self.notes]
        return "\n".join([*lines, f"  {self.signature}"])

    def __repr__(self) -> str:
        count = "set" if self.segments is None else f"{len(self.segments)} pairs"
        return f"<Scores {self.metric} {self.corpus:.4f}, {count}>"

    def _repr_html_(self) -> str:
        from farthing.core.html import HtmlCell, html_table  # late: only notebooks need it

        count = [] if self.segments is None else [[HtmlCell("pairs"), HtmlCell(str(len(self.segments)))]]
        parts = [[HtmlCell(name), HtmlCell(f"{float(np.mean(part)):.4f}")] for name, part in self.parts.items()]
        score = [HtmlCell(self.metric, strong=True), HtmlCell(f"{self.corpus:.4f}", strong=True)]
        return html_table([], [score, *parts, *count], [*map(str, self.notes), str(self.signature)])
