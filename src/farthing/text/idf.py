"""Inverse document frequency of tokens: rare tokens say more."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypedDict

import numpy as np

from farthing.core.arrays import Indices, Weights
from farthing.core.digest import digest
from farthing.core.errors import InputError
from farthing.files.write import write_text


class IdfState(TypedDict):
    """Counts as values that JSON can hold; token ids are text, as the keys of JSON objects must be."""

    documents: int
    tokenizer: str
    counts: dict[str, int]


class Idf:
    """The number of documents, and in how many of them each token occurs.

    The weight of a token is ln((documents + 1) / (occurrences + 1)), of an unseen one ln(documents + 1).

    >>> idf = Idf.of([[7, 8, 7], [8]])
    >>> [round(float(weight), 3) for weight in idf.weights([7, 8, 9])]
    [0.405, 0.0, 1.099]
    """

    def __init__(self, documents: int, counts: Mapping[int, int], tokenizer: str = "") -> None:
        self.documents, self.counts, self.tokenizer = documents, dict(counts), tokenizer

    @classmethod
    def of(cls, documents: Iterable[Iterable[int]], tokenizer: str = "") -> Idf:
        """Count over documents of token ids; a document that comes twice counts twice.

        :param tokenizer: the hash of the tokenizer, which a saved file must agree with
        """
        counts: Counter[int] = Counter()
        number = 0
        for document in documents:
            counts.update(set(document))
            number += 1
        return cls(number, counts, tokenizer)

    def __add__(self, other: Idf) -> Idf:
        """Join the counts of two collections of documents."""
        counts = Counter(self.counts)
        counts.update(other.counts)
        return Idf(self.documents + other.documents, counts, self.tokenizer)

    def weights(self, ids: Sequence[int] | Indices) -> Weights:
        """Return the weight of every token."""
        total, counts = self.documents + 1, self.counts
        return np.array([math.log(total / (counts.get(int(token), 0) + 1)) for token in ids], dtype=np.float32)

    @property
    def hash(self) -> str:
        """Twelve digits that name these counts."""
        return digest(json.dumps([self.documents, sorted(self.counts.items())]))

    def state(self) -> IdfState:
        """Return the counts as values that JSON can hold; :meth:`of_state` reads them."""
        counts = {str(token): count for token, count in self.counts.items()}
        return {"documents": self.documents, "tokenizer": self.tokenizer, "counts": counts}

    @classmethod
    def of_state(cls, state: IdfState) -> Idf:
        """Return the counts that :meth:`state` described, before or after a round trip through JSON."""
        counts = {int(token): int(count) for token, count in state["counts"].items()}
        return cls(int(state["documents"]), counts, str(state["tokenizer"]))

    def save(self, path: str | Path) -> None:
        """Write the counts as JSON."""
        write_text(path, json.dumps(self.state()))

    @classmethod
    def load(cls, path: str | Path, tokenizer: str | None = None) -> Idf:
        """Read counts that :meth:`save` wrote.

        :param tokenizer: the hash of the tokenizer that the file must have been made with
        """
        try:
            idf = cls.of_state(json.loads(Path(path).read_text(encoding="utf-8")))
        except FileNotFoundError:
            raise InputError("there is no such file", path=str(path)) from None
        except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
            raise InputError(
                f"not a file of idf counts: {error}", path=str(path), remedy="make one by `farthing models idf`"
            ) from error
        if tokenizer is not None and idf.tokenizer != tokenizer:
            raise InputError(
                "the idf counts were made with another tokenizer", path=str(path), remedy="make them with this model"
            )
        return idf
