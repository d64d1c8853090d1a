"""Inverse document frequency of tokens: rare ones say more."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from farthing.core.errors import InputError
from farthing.files.write import write_text


class Idf:
    """How many documents there are and in how many of them each token occurs.

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

    def weights(self, ids: Sequence[int] | np.ndarray) -> np.ndarray:
        """The weight of every token."""
        top = self.documents + 1
        return np.array([math.log(top / (self.counts.get(int(token), 0) + 1)) for token in ids], dtype=np.float32)

    @property
    def hash(self) -> str:
        """Twelve digits that name these counts."""
        text = json.dumps([self.documents, sorted(self.counts.items())])
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def state(self) -> dict[str, object]:
        """The counts as values that JSON can hold."""
        counts = {str(token): count for token, count in self.counts.items()}
        return {"documents": self.documents, "tokenizer": self.tokenizer, "counts": counts}

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> Idf:
        """The counts that :meth:`state` described."""
        counts = {int(token): int(count) for token, count in state["counts"].items()}
        return cls(int(state["documents"]), counts, str(state["tokenizer"]))

    def save(self, path: str | Path) -> None:
        """Write the counts as JSON."""
        write_text(path, json.dumps(self.state()))

    @classmethod
    def load(cls, path: str | Path, tokenizer: str | None = None) -> Idf:
        """Read counts that `save` wrote.

        :param tokenizer: the hash that the file must have been made with
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
