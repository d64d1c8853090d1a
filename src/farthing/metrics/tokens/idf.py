"""Idf weights for token metrics: references by what references say, each system's candidates by what they say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated, Self, TypedDict, cast

from farthing.core.metric import State
from farthing.core.specs import Value
from farthing.core.types import Pairs
from farthing.encoders.engine import Engine
from farthing.files.lines import lines
from farthing.metrics.tokens.base import RowResult, TokenMetric
from farthing.text.idf import Idf, IdfState

_BLOCK = 4096  # documents that the tokenizer reads together


class SidedState(TypedDict):
    """The counts of both sides as values that JSON can hold."""

    references: IdfState | None
    candidates: dict[str, IdfState]


@dataclass(frozen=True, slots=True)
class SidedIdf:
    """The counts of the references and those of every system's candidates; None weighs all tokens the same."""

    references: Idf | None = None
    candidates: Mapping[str, Idf] = field(default_factory=dict)

    def state(self) -> SidedState:
        """Return the counts as values that JSON can hold; :meth:`of_state` reads them."""
        return {
            "references": None if self.references is None else self.references.state(),
            "candidates": {system: idf.state() for system, idf in self.candidates.items()},
        }

    @classmethod
    def of_state(cls, state: SidedState) -> SidedIdf:
        """Return the counts that :meth:`state` described, before or after a round trip through JSON."""
        references = state["references"]
        own = {system: Idf.of_state(one) for system, one in state["candidates"].items()}
        return cls(None if references is None else Idf.of_state(references), own)

    def of_system(self, system: str) -> Idf | None:
        """Return the counts for a system's candidates: its own, else the references'."""
        return self.candidates.get(system, self.references)

    def fields(self, system: str) -> dict[str, Value]:
        """Return the part of a signature that names the counts."""
        fields: dict[str, Value] = {"idf": self.references.hash if self.references else False}
        own = self.candidates.get(system)
        return fields if own is None else {**fields, "candidate_idf": own.hash}


@dataclass(frozen=True, slots=True)
class IdfPlan:
    """What the options say about idf.

    :param idf: True counts the references, False weighs all tokens the same, else a file of counts or of texts
    :param own: weigh each system's candidates by their own counts
    :param specials: special tokens are counted, too
    """

    engine: Engine
    idf: bool | str
    own: bool
    specials: bool = False

    def given(self) -> SidedIdf | None:
        """Return the counts if no scored text is needed for them, else None."""
        if self.idf is False:
            return SidedIdf()
        return None if self.idf is True or self.own else SidedIdf(self._file())

    def counted(self, stretches: Iterable[Sequence[Pairs]]) -> SidedIdf:
        """Count the references, which all systems share, and each system's candidates, in one look at the corpus."""
        references, candidates = self.count([]), dict[str, Idf]()
        for systems in stretches:
            if self.idf is True:
                references += self.count(text for row in systems[0].references for text in row)
            for pairs in systems if self.own else ():
                more = self.count(pairs.candidates)
                known = candidates.get(pairs.system)
                candidates[pairs.system] = more if known is None else known + more
        return SidedIdf(references if self.idf is True else self._file(), candidates)

    def count(self, documents: Iterable[str]) -> Idf:
        """Count over documents, as the model cuts them into tokens."""
        tokenizer = self.engine.encoder.tokenizer
        end = None if self.engine.long == "window" else tokenizer.room
        contents = (content[:end] for block in _blocks(documents) for content in tokenizer.contents(block))
        return Idf.of(map(tokenizer.wrapped, contents) if self.specials else contents, tokenizer.hash)

    def _file(self) -> Idf:
        path = str(self.idf)
        if path.endswith(".json"):
            return Idf.load(path, self.engine.encoder.tokenizer.hash)
        return self.count(line for _, line in lines(path))


def _blocks(texts: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while block := list(islice(rest, _BLOCK)):
        yield block


@dataclass(kw_only=True, eq=False)
class IdfMetric(TokenMetric[RowResult]):
    """A token metric that may weigh tokens by idf, candidates and references apart."""

    idf: Annotated[bool | str, "weigh rare tokens more: true, a .json of counts, or a text file"] = True
    candidate_idf: Annotated[bool | None, "weigh candidates by their own counts; else only with idf=true"] = None
    plan: IdfPlan = field(init=False, repr=False)
    counts: SidedIdf | None = field(init=False, repr=False)  #: None until the corpus has been counted
    system: str = field(init=False, repr=False, default="")

    def __post_init__(self) -> None:
        """Read the counts that are given in a file."""
        super().__post_init__()
        self.plan = self.make_plan()
        self.counts = self.plan.given()

    def make_plan(self) -> IdfPlan:
        """Return what the options say about idf."""
        own = self.idf is True if self.candidate_idf is None else self.candidate_idf
        return IdfPlan(self.engine, self.idf, own)

    def prepare(self, stretches: Iterable[Sequence[Pairs]]) -> State | None:
        """Count the idf of all references and, if asked for, of each system's candidates."""
        return None if self.counts is not None else cast(State, self.plan.counted(stretches).state())

    def prepared(self, state: State) -> Self:
        """Return the metric with these counts."""
        return self.with_counts(SidedIdf.of_state(cast(SidedState, state)))

    def learned(self) -> State | None:
        """Return the counts, if there are any."""
        return None if self.counts is None else cast(State, self.counts.state())

    def with_counts(self, counts: SidedIdf) -> Self:
        """Return the metric with other counts."""
        changed = copy(self)
        changed.counts = counts
        return changed

    def for_system(self, system: str) -> Self:
        """Return the metric as it weighs one system's candidates."""
        changed = copy(self)
        changed.system = system
        return changed

    @property
    def candidate_weights(self) -> Idf | None:
        """The counts that the candidates of the chosen system are weighed by; None weighs all tokens the same."""
        return self.counts.of_system(self.system) if self.counts else None

    @property
    def reference_weights(self) -> Idf | None:
        """The counts that references are weighed by; None weighs all tokens the same."""
        return self.counts.references if self.counts else None

    def idf_fields(self) -> dict[str, Value]:
        """Return the part of a signature that names the counts."""
        return (self.counts or SidedIdf()).fields(self.system)
