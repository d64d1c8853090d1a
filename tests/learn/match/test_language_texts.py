"""Texts by language."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import InputError
from farthing.learn.match.language_texts import texts_by_language

Write = Callable[[str, list[dict[str, object]]], Path]


def test_records_tell_their_languages(write: Write) -> None:
    pairs = write(
        "pairs.jsonl",
        [
            {"lp": "en-de", "source": "one", "candidate": "eins", "reference": ["ein", "eine"], "system": "A"},
            {"lp": "en-de", "split": "train", "source": "two", "candidate": "zwei", "score": 3},
            {"lp": "en-de", "split": "test", "source": "three", "candidate": "drei"},
        ],
    )
    similar = write("similar.jsonl", [{"lang": "fr", "candidate": "un", "reference": "deux"}, {"candidate": "trois"}])
    assert texts_by_language([pairs, similar]) == {
        "en": {"one", "two"}, "de": {"eins", "ein", "eine", "zwei"}, "fr": {"un", "deux"}, "similar": {"trois"},
    }  # fmt: skip


def test_tables_of_texts_and_test_sets(write: Write) -> None:
    parallel = write("parallel.jsonl", [{"split": "test", "premise": {"en": "one", "de": "eins"}, "hypothesis": None}])
    sets = write(
        "sets.jsonl",
        [{"lp": "cs-en", "source": ["a", "b"], "reference": ["c", " "], "systems": {"A": {"output": ["d", "e"]}}}],
    )
    assert texts_by_language([parallel]) == {}
    assert texts_by_language([sets], [parallel]) == {"cs": {"a", "b"}, "en": {"c", "d", "e", "one"}, "de": {"eins"}}


def test_columns_without_a_header(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "links.tsv.gz", "wt", encoding="utf-8") as stream:
        stream.write("deu\teins\tone\ncmn_Hans\t一\tfirst\n")
    (tmp_path / "captions_en_de.tsv").write_text("train\ttwo\tzwei\ntest_2016\tthree\tdrei\n")
    (tmp_path / "words_en.tsv").write_text("news\tfour\n")
    found = texts_by_language(tmp_path / name for name in ("links.tsv.gz", "captions_en_de.tsv", "words_en.tsv"))
    assert found == {
        "deu": {"eins"}, "cmn": {"一"}, "links": {"one", "first"}, "en": {"two", "four"}, "de": {"zwei"},
    }  # fmt: skip


def test_a_missing_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        texts_by_language([tmp_path / "none.jsonl"])
