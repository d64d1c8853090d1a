"""idf against the formula and against bert_score's own counting."""

from __future__ import annotations

from math import log
from pathlib import Path

import pytest

from farthing.core.errors import InputError
from farthing.text.idf import Idf

DOCUMENTS = [[1, 2, 2, 3], [2, 3], [3], [3]]


def test_the_formula() -> None:
    idf = Idf.of(DOCUMENTS)
    assert idf.weights([1, 2, 3, 9]) == pytest.approx([log(5 / 2), log(5 / 3), log(5 / 5), log(5 / 1)])


def test_bert_score_counts_the_same() -> None:
    from bert_score.utils import get_idf_dict

    class Split:
        def build_inputs_with_special_tokens(self, ids: list[int]) -> list[int]:
            return ids

        def encode(self, text: str, **_: object) -> list[int]:
            return [int(word) for word in text.split()]

        model_max_length = 100

    theirs = get_idf_dict([" ".join(map(str, document)) for document in DOCUMENTS], Split(), nthreads=0)
    assert Idf.of(DOCUMENTS).weights([1, 2, 3, 9]) == pytest.approx([theirs[token] for token in (1, 2, 3, 9)])


def test_saved_counts_come_back(tmp_path: Path) -> None:
    idf = Idf.of(DOCUMENTS, tokenizer="abc")
    idf.save(tmp_path / "idf.json")
    again = Idf.load(tmp_path / "idf.json", "abc")
    assert (again.hash, again.documents, again.counts) == (idf.hash, 4, idf.counts)
    with pytest.raises(InputError, match="another tokenizer"):
        Idf.load(tmp_path / "idf.json", "xyz")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"documents": "x", "counts": {}, "tokenizer": ""}'])
def test_broken_files_are_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "idf.json"
    path.write_text(content)
    with pytest.raises(InputError, match=r"idf.json: not a file of idf counts"):
        Idf.load(path)
    with pytest.raises(InputError, match="no such file"):
        Idf.load(tmp_path / "none.json")
