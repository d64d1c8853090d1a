"""Every source of pairs: counts, provenance, seeds, and what it does with a poor corpus."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import FarthingError, InputError, ModelError, UnknownName, UsageError
from farthing.language.seq2seq import Seq2Seq
from farthing.learn.pairs import make_source
from farthing.learn.pairs.base import TrainingPair
from farthing.learn.pairs.extractive import EXTRACTORS, extracted


def drawn(name: str, count: int = 10**6, seed: int = 0, **options: object) -> list[TrainingPair]:
    return list(islice(make_source(name, options).pairs(np.random.default_rng(seed)), count))


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    # lead takes the first two, the graph those that share words, frequency those full of the frequent word
    text = "Nobody came early. Then somebody called. Water water water. Green apples grow here. "
    text += "Green apples grow there. Water."
    rows = [{"document": f"{text} Number {n} won.", "summary": f"A call and water {n}."} for n in range(3)]
    path = tmp_path / "documents.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_five_summaries_give_ten_pairs(documents: Path, seq2seq: Path) -> None:
    pairs = drawn("summaries", corpus=str(documents), human="summary", models=[str(seq2seq)], sentences=2, longest=12)
    assert len(pairs) == 3 * 10
    made = {pair.generator for pair in pairs} | {pair.reference_generator for pair in pairs}
    assert made == {"human", "lead", "graph", "frequency", seq2seq.name}
    assert len({pair.document for pair in pairs}) == 3


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_extracted_sentences_are_the_documents(extractor: str) -> None:
    document = "Alpha beta gamma delta. Beta gamma delta epsilon. Zeta stands alone. Gamma delta epsilon alpha."
    summary = extracted(document, extractor, 2)
    assert all(sentence in document for sentence in summary.split(". "))
    assert "Zeta" not in summary  # it shares no word with any other sentence
    assert extracted("One.", extractor, 2) == "One."


def test_pivots_give_all_pairs_of_variants(corpus_file: Path, seq2seq: Path, tmp_path: Path) -> None:
    cache = tmp_path / "kept.sqlite"
    options = {"corpus": str(corpus_file), "pivots": [[str(seq2seq)] * 2], "longest": 8, "cache": str(cache)}
    pairs = drawn("backtranslation", 5, **options)
    assert len(pairs) == 5
    assert cache.stat().st_size > 0
    assert pairs == drawn("backtranslation", 5, **options)  # from the cache, and by the same seed
    assert {pair.generator for pair in pairs} <= {"given", f"{seq2seq.name}+{seq2seq.name}"}


def test_pivots_must_be_pairs(corpus_file: Path) -> None:
    with pytest.raises(UsageError, match="pairs of models"):
        make_source("backtranslation", {"corpus": str(corpus_file), "pivots": [["one"]]})


def test_denoising_by_a_seq2seq_model(corpus_file: Path, seq2seq: Path, corpus: list[str]) -> None:
    pairs = drawn("denoising", 4, corpus=str(corpus_file), model=str(seq2seq), longest=30)
    joined = " ".join(corpus * 2)
    assert all(pair.reference in joined and pair.reference_generator == "given" for pair in pairs)
    assert all(pair.generator == seq2seq.name for pair in pairs)


def test_denoising_by_a_masked_model_keeps_the_length(corpus_file: Path, make_bert) -> None:  # type: ignore[no-untyped-def]
    model = make_bert("BertForMaskedLM")
    for pair in drawn("denoising", 4, corpus=str(corpus_file), model=str(model), kind="masked", longest=20):
        assert "[MASK]" not in pair.candidate
        assert pair.candidate != pair.reference or len(pair.reference.split()) < 3


def test_answers_do_not_depend_on_batch_mates(seq2seq: Path, corpus: list[str]) -> None:
    model = Seq2Seq(str(seq2seq), longest=10)
    together = model.generate(corpus[:20])
    assert together == [model.generate([text])[0] for text in corpus[:20]]
    assert len(set(together)) > 1


def test_a_model_without_a_mask_cannot_denoise(corpus_file: Path, encoder: Path) -> None:
    with pytest.raises(ModelError):
        drawn("denoising", 1, corpus=str(corpus_file), model=str(encoder))


def test_perturbations_are_named_and_repeatable(corpus_file: Path) -> None:
    options = {"corpus": str(corpus_file), "variants": 2}
    pairs = drawn("perturbation", 300, **options)
    assert pairs == drawn("perturbation", 300, **options) != drawn("perturbation", 300, seed=1, **options)
    names = {name for pair in pairs for name in f"{pair.generator}+{pair.reference_generator}".split("+")}
    assert {"given", "drop", "swap", "repeat", "typo"} <= names
    assert all(pair.candidate != pair.reference for pair in pairs)


def test_unknown_change(corpus_file: Path) -> None:
    with pytest.raises(UnknownName, match="typo"):
        make_source("perturbation", {"corpus": str(corpus_file), "changes": ["typpo"]})


def test_groups_of_given_texts(tmp_path: Path) -> None:
    path = tmp_path / "groups.jsonl"
    rows = [{"id": "x", "texts": {"a": "1 2", "b": "1 3", "c": "1 2"}}, {"texts": ["p", "q", "r"]}]
    path.write_text("\n".join(map(json.dumps, rows)))
    pairs = drawn("outputs", file=str(path))
    assert len(pairs) == 1 + 3  # equal texts count once
    assert len(drawn("outputs", file=str(path), variants=2)) <= 2
    path.write_text('{"texts": "no list"}')
    with pytest.raises(InputError, match=":1: the column 'texts'"):
        drawn("outputs", file=str(path))


def test_random_pairs_use_a_text_once(corpus_file: Path, corpus: list[str]) -> None:
    pairs = drawn("random", corpus=str(corpus_file))
    used = [text for pair in pairs for text in (pair.candidate, pair.reference)]
    assert len(pairs) >= len(corpus) // 2 - 5
    assert len(used) <= len(corpus)


@pytest.mark.parametrize(("content", "words"), [("", "empty"), ("\n\n", "no text"), ("only one\n", "only one text")])
def test_poor_corpora(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "poor.txt"
    path.write_text(content)
    with pytest.raises(InputError, match=words):
        drawn("random", corpus=str(path))


def test_one_sentence_is_enough_to_be_perturbed(tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text("The old man saw 3 birds near the river.\n")
    assert drawn("perturbation", corpus=str(path))


def test_options_are_checked() -> None:
    with pytest.raises(FarthingError, match="needs the option corpus"):
        make_source("perturbation", {})
    with pytest.raises(UnknownName, match="did you mean 'denoising'"):
        make_source("denoisin", {})
