"""Idf weights for two sides: references by what references say, each system's candidates by what they say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from farthing.core.metric import State
from farthing.core.specs import Value
from farthing.core.types import Pairs
from farthing.encoders.engine import Engine
from farthing.metrics.bertscore.setup import in_blocks, read_documents
from farthing.text.idf import Idf


@dataclass(frozen=True, slots=True)
class SidedIdf:
    """The counts of the references and those of every system's candidates; None weighs all tokens the same."""

    references: Idf | None = None
    candidates: Mapping[str, Idf | None] = field(default_factory=dict)

    def state(self) -> State:
        """The counts as values that JSON can hold."""
        return {
            "references": self.references and self.references.state(),
            "candidates": {system: idf and idf.state() for system, idf in self.candidates.items()},
        }

    @classmethod
    def of_state(cls, state: State) -> SidedIdf:
        """The counts that :meth:`state` described."""
        own = cast(Mapping[str, State | None], state["candidates"])
        given = cast(State | None, state["references"])
        return cls(_idf(given), {name: _idf(one) for name, one in own.items()})

    def of_system(self, system: str) -> Idf | None:
        """The counts for a system's candidates: its own, else the references'."""
        return self.candidates.get(system, self.references)

    def fields(self, system: str) -> dict[str, Value]:
        """The part of a signature that names the counts."""
        own = self.of_system(system)
        found: dict[str, Value] = {"idf": self.references.hash if self.references else False}
        return found if own is self.references else found | {"candidate_idf": own.hash if own else False}


def _idf(state: State | None) -> Idf | None:
    return None if state is None else Idf.of_state(state)


def count_idf(engine: Engine, documents: Iterable[str], *, specials: bool = False) -> Idf:
    """Counts over documents, as the engine's model cuts them into tokens."""
    tokenizer = engine.encoder.tokenizer
    end = None if engine.long == "window" else tokenizer.room
    contents = (content[:end] for block in in_blocks(documents) for content in tokenizer.contents(block))
    return Idf.of(map(tokenizer.wrapped, contents) if specials else contents, tokenizer.hash)


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
        """The counts where no scored text need be seen for them, else None."""
        if self.idf is False:
            return SidedIdf()
        return None if self.idf is True or self.own else SidedIdf(self._file())

    def counted(self, stretches: Iterable[Sequence[Pairs]]) -> SidedIdf:
        """The counts of the references, which all systems share, and of each system's candidates, in one look."""
        references = Counts(self.engine, self.specials)
        candidates: dict[str, Counts] = {}
        for systems in stretches:
            if self.idf is True:
                references.add([text for row in systems[0].references for text in row])
            for pairs in systems if self.own else ():
                candidates.setdefault(pairs.system, Counts(self.engine, self.specials)).add(pairs.candidates)
        found = references.idf if self.idf is True else self._file()
        return SidedIdf(found, {system: counts.idf for system, counts in candidates.items()})

    def _file(self) -> Idf:
        path = str(self.idf)
        if path.endswith(".json"):
            return Idf.load(path, self.engine.encoder.tokenizer.hash)
        return count_idf(self.engine, read_documents(path), specials=self.specials)


class Counts:
    """Counts that grow stretch by stretch."""

    def __init__(self, engine: Engine, specials: bool) -> None:
        self.engine, self.specials = engine, specials
        self.idf = Idf(0, {}, engine.encoder.tokenizer.hash)

    def add(self, documents: Sequence[str]) -> None:
        """Count some more documents."""
        more = count_idf(self.engine, documents, specials=self.specials)
        counts = dict(self.idf.counts)
        for token, count in more.counts.items():
            counts[token] = counts.get(token, 0) + count
        self.idf = Idf(self.idf.documents + more.documents, counts, self.idf.tokenizer)
