"""The stemmer against NLTK's, which rouge-score and METEOR use."""

from __future__ import annotations

import gzip
import random
import re
from pathlib import Path

import pytest

from farthing.text.porter import stem

ENDINGS = (
    "s", "es", "ed", "ing", "eed", "ied", "ies", "y", "ational", "tional", "alli", "bli", "logi", "fulli", "ement",
    "ment", "ent", "ion", "tion", "e", "ll", "ness", "ative", "al", "ousli", "ization", "izer", "iti", "ance", "er",
)  # fmt: skip


@pytest.fixture(scope="module")
def nltk_stemmer() -> object:
    return pytest.importorskip("nltk.stem.porter", reason="nltk is not installed").PorterStemmer()


def check(words: set[str], stemmer: object) -> None:
    assert [word for word in sorted(words) if stem(word) != stemmer.stem(word)] == []  # type: ignore[attr-defined]


def test_equals_nltk_on_the_words_of_real_texts(shared: Path, nltk_stemmer: object) -> None:
    with gzip.open(shared / "data" / "human" / "wmt16_da_seg.jsonl.gz", "rt", encoding="utf-8") as lines:
        words = {word for line in lines for word in re.findall(r"[^\W_]+", line)}
    assert len(words) > 10_000
    check(words, nltk_stemmer)


def test_equals_nltk_on_made_up_words(nltk_stemmer: object) -> None:
    chance = random.Random(0)
    words = {
        "".join(chance.choices("aeiouybdlstwxz", k=chance.randint(0, 6)))
        + "".join(chance.choices(ENDINGS, k=chance.randint(0, 3)))
        for _ in range(20_000)
    }
    check(words | {"", "Y", "DYING", "skies", "İs", "yyyyyy"}, nltk_stemmer)


def test_the_paper_s_own_examples() -> None:
    examples = {"caresses": "caress", "ponies": "poni", "plastered": "plaster", "hopping": "hop", "happy": "happi",
                "relational": "relat", "triplicate": "triplic", "revival": "reviv", "probate": "probat",
                "controll": "control"}  # fmt: skip
    assert {word: stem(word) for word in examples} == examples
