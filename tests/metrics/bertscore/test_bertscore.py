"""BERTScore by the paper: closed forms, brute force and properties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core.errors import InputError, SpecError
from farthing.core.registry import load
from farthing.core.types import Pairs
from farthing.metrics.bertscore.baselines import find_baseline
from farthing.metrics.bertscore.bertscore import BertScore
from farthing.scoring.engine import score_stretches
from farthing.text.idf import Idf

Tiny = Callable[..., Path]
TEXTS = [
    "the cat sat on the mat",
    "a dog was lying on the carpet watching rain",
    "the bank's warning",
    "rain",
    "nobody expected the report before the hard winter",
    "she survived another old bridge",
]
WEIRD = ["", " ", "\t\n", "x", "\x00\x07\x1b", "​", "[SEP]", "🙂", "word " * 5000, "a" * 3000]


@pytest.fixture
def tiny_bert(tiny_model: Tiny) -> str:
    return str(tiny_model("bert"))


def brute_force(model: str, candidate: str, reference: str, layer: int, weigh: Callable[[int], float]) -> np.ndarray:
    """The paper's formulas in plain loops over transformers' own hidden states."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer, network = AutoTokenizer.from_pretrained(model), AutoModel.from_pretrained(model).eval()

    def states(text: str) -> tuple[list[int], np.ndarray]:
        ids = tokenizer(text)["input_ids"]
        with torch.no_grad():
            hidden = network(torch.tensor([ids]), output_hidden_states=True).hidden_states[layer][0].double().numpy()
        return ids[1:-1], hidden[1:-1]

    (left_ids, left), (right_ids, right) = states(candidate), states(reference)
    cosine = [[a @ b / np.sqrt((a @ a) * (b @ b)) for b in right] for a in left]
    precision = sum(weigh(i) * max(row) for i, row in zip(left_ids, cosine, strict=True)) / sum(map(weigh, left_ids))
    columns = zip(*cosine, strict=True)
    recall = sum(weigh(i) * max(c) for i, c in zip(right_ids, columns, strict=True)) / sum(map(weigh, right_ids))
    return np.array([precision, recall, 2 * precision * recall / (precision + recall)])


@pytest.mark.parametrize("layer", [0, 1, 3])
def test_brute_force(tiny_bert: str, layer: int) -> None:
    scores = BertScore(model=tiny_bert, layer=layer).score(Pairs.of([TEXTS[0]], [TEXTS[1]]))
    found = [scores.parts["precision"][0], scores.parts["recall"][0], scores.corpus]  # type: ignore[index]
    assert found == pytest.approx(brute_force(tiny_bert, TEXTS[0], TEXTS[1], layer, lambda _: 1.0), abs=1e-6)


def test_brute_force_with_idf(tiny_bert: str) -> None:
    metric = BertScore(model=tiny_bert, layer=2, idf=True)
    metric = metric.prepared(metric.prepare([[Pairs.of(TEXTS, TEXTS[::-1])]]))
    assert metric.reference_weights is not None
    weights = metric.reference_weights
    expected = brute_force(tiny_bert, TEXTS[0], TEXTS[1], 2, lambda token: float(weights.weights([token])[0]))
    scores = metric.score(Pairs.of([TEXTS[0]], [TEXTS[1]]))
    assert [scores.parts["precision"][0], scores.parts["recall"][0], scores.corpus] == pytest.approx(expected, abs=1e-6)  # type: ignore[index]


def test_a_text_matches_itself_perfectly_and_scores_are_symmetric(tiny_bert: str) -> None:
    metric = BertScore(model=tiny_bert, layer=2)
    assert metric.score(Pairs.of(TEXTS, TEXTS)).segments == pytest.approx(np.ones(len(TEXTS)), abs=1e-6)
    there, back = metric.score(Pairs.of(TEXTS, TEXTS[::-1])), metric.score(Pairs.of(TEXTS[::-1], TEXTS))
    assert there.parts["precision"] == pytest.approx(back.parts["recall"], abs=1e-6)


@pytest.mark.parametrize("family", ["bert", "roberta", "t5"])
def test_batch_mates_order_batch_size_and_threads_do_not_matter(tiny_model: Tiny, family: str) -> None:
    model = str(tiny_model(family))
    alone = BertScore(model=model, layer=2, threads=1)
    single = [alone.score(Pairs.of([a], [b])).corpus for a in TEXTS for b in TEXTS]
    pairs = Pairs.of([a for a in TEXTS for _ in TEXTS], [b for _ in TEXTS for b in TEXTS])
    assert alone.score(pairs).segments == pytest.approx(single, abs=1e-5)
    order = np.random.default_rng(1).permutation(len(pairs))
    shuffled = Pairs.of([pairs.candidates[i] for i in order], [pairs.references[i] for i in order])
    assert alone.score(shuffled).segments == pytest.approx(np.array(single)[order], abs=1e-5)
    assert BertScore(model=model, layer=2, threads=3).score(pairs).segments == pytest.approx(single, abs=1e-5)
    alone.engine.encoder.tokens = 20
    try:
        assert alone.score(pairs).segments == pytest.approx(single, abs=1e-5)
    finally:
        alone.engine.encoder.tokens = 1024


def test_padding_cannot_leak(tiny_bert: str) -> None:
    """Where a backend must pad (a GPU), a masked batch gives the same scores."""
    metric = BertScore(model=tiny_bert, layer=2)
    pairs = Pairs.of(TEXTS, TEXTS[::-1])
    expected = metric.score(pairs).segments
    metric.engine.encoder.slack = 1.0
    try:
        assert metric.score(pairs).segments == pytest.approx(expected, abs=1e-5)
    finally:
        metric.engine.encoder.slack = 0.0


def test_the_best_reference_is_that_of_the_best_f1(tiny_bert: str) -> None:
    metric = BertScore(model=tiny_bert, layer=2)
    single = [metric.score(Pairs.of([TEXTS[0]], [text])) for text in TEXTS[1:]]
    best = max(single, key=lambda scores: scores.corpus)
    both = metric.score(Pairs([TEXTS[0]], [TEXTS[1:]]))
    assert both.corpus == pytest.approx(best.corpus, abs=1e-6)
    assert both.parts["precision"] == pytest.approx(best.parts["precision"], abs=1e-6)
    assert both.parts["recall"] == pytest.approx(best.parts["recall"], abs=1e-6)


def test_all_layers_at_once_equal_each_alone(tiny_bert: str) -> None:
    pairs = Pairs.of(TEXTS, TEXTS[::-1])
    together = BertScore(model=tiny_bert, layer="all").score(pairs)
    for layer in range(4):
        alone = BertScore(model=tiny_bert, layer=layer).score(pairs)
        assert together.parts["layers_f1"][layer] == pytest.approx(alone.segments, abs=1e-6)  # type: ignore[index]


@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize("family", ["bert", "roberta", "t5"])
@pytest.mark.parametrize("long", ["truncate", "window"])
def test_weird_texts_have_a_value_and_no_nan(tiny_model: Tiny, idf: bool, family: str, long: Any) -> None:
    metric = BertScore(model=str(tiny_model(family)), layer=2, idf=idf, long=long)
    scores = metric.score(Pairs.of([a for a in WEIRD for _ in WEIRD], [b for _ in WEIRD for b in WEIRD]))
    sizes = [len(content) for content in metric.engine.encoder.tokenizer.contents(WEIRD)]
    longest = np.array([max(one, two) for one in sizes for two in sizes])
    # a float32 sum over n tokens may be off by n roundings of 2**-24, which shows over the windows of a long text
    windowed = (longest > metric.engine.encoder.tokenizer.room) & (long == "window")
    slack = np.where(windowed, longest * 2.0**-24, 1e-6)
    for values in (scores.segments, scores.parts["precision"], scores.parts["recall"]):
        assert np.isfinite(np.asarray(values)).all()
        assert (np.abs(np.asarray(values)) <= 1 + slack).all()
    assert {"empty"} <= {note.kind for note in scores.notes}
    assert ("truncated" in {note.kind for note in scores.notes}) == (long == "truncate")


def test_the_rule_for_empty_texts(tiny_bert: str) -> None:
    scores = BertScore(model=tiny_bert, layer=2).score(Pairs.of(["", "a cat", " "], ["a cat", "", ""]))
    assert scores.segments is not None
    assert scores.segments.tolist() == [0, 0, 1]
    assert [note.rows for note in scores.notes if note.kind == "empty"] == [(0, 2), (1, 2)]


def test_one_pair_with_idf_weighs_all_tokens_alike(tiny_bert: str) -> None:
    pairs = Pairs.of(["the dog sat"], ["the cat sat"])
    weighed, plain = (BertScore(model=tiny_bert, layer=2, idf=idf).score(pairs) for idf in (True, False))
    assert weighed.parts["recall"] == pytest.approx(plain.parts["recall"], abs=1e-6)
    assert [note.kind for note in weighed.notes] == ["idf"]


def test_long_texts(tiny_bert: str) -> None:
    long = " ".join(TEXTS * 8)
    pairs = Pairs.of(["rain", long], ["rain", long + " the cat"])
    cut = BertScore(model=tiny_bert, layer=2).score(pairs)
    assert [(note.kind, note.rows) for note in cut.notes] == [("truncated", (1,))]
    assert cut.segments is not None
    assert cut.segments[1] == pytest.approx(1, abs=1e-6)  # the difference lies beyond the limit
    whole = BertScore(model=tiny_bert, layer=2, long="window").score(pairs)
    assert whole.notes == ()
    assert whole.segments is not None
    assert whole.segments[1] < 1 - 1e-5
    with pytest.raises(InputError, match="long=window"):
        BertScore(model=tiny_bert, layer=2, long="error").score(pairs)


def test_a_baseline_rescales_all_but_empty_texts(tiny_bert: str, tmp_path: Path) -> None:
    path = tmp_path / "baseline.tsv"
    path.write_text("LAYER,P,R,F\n0,0,0,0\n1,0.1,0.1,0.1\n2,0.2,0.3,0.4\n")
    pairs = Pairs.of(["the dog sat", ""], ["the cat sat", "a"])
    raw = BertScore(model=tiny_bert, layer=2).score(pairs)
    rescaled = BertScore(model=tiny_bert, layer=2, baseline=str(path)).score(pairs)
    assert raw.segments is not None
    assert rescaled.segments == pytest.approx([(raw.segments[0] - 0.4) / 0.6, 0])
    assert raw.signature.fields["baseline"] != rescaled.signature.fields["baseline"]
    with pytest.raises(InputError, match="no layer 3"):
        BertScore(model=tiny_bert, layer=3, baseline=str(path)).score(pairs)


def test_idf_is_saved_loaded_and_checked(tiny_bert: str, tiny_model: Tiny, tmp_path: Path) -> None:
    pairs = Pairs.of(TEXTS, TEXTS[::-1])
    corpus, counts = tmp_path / "corpus.txt", tmp_path / "idf.json"
    corpus.write_text("\n".join(TEXTS[::-1]) + "\n")
    from_references = BertScore(model=tiny_bert, layer=2, idf=True).score(pairs)
    metric = BertScore(model=tiny_bert, layer=2, idf=str(corpus))
    assert metric.score(pairs).segments == pytest.approx(from_references.segments, abs=1e-9)
    assert isinstance(metric.reference_weights, Idf)
    metric.reference_weights.save(counts)
    loaded = BertScore(model=tiny_bert, layer=2, idf=str(counts)).score(pairs)
    assert loaded.segments == pytest.approx(from_references.segments, abs=1e-9)
    assert loaded.signature == from_references.signature
    with pytest.raises(InputError, match="another tokenizer"):
        BertScore(model=str(tiny_model("roberta")), layer=2, idf=str(counts))


def test_idf_of_the_whole_corpus_does_not_depend_on_its_stretches(tiny_bert: str) -> None:
    pairs = Pairs.of(TEXTS, TEXTS[::-1])
    halves = [Pairs.of(TEXTS[:3], TEXTS[::-1][:3]), Pairs.of(TEXTS[3:], TEXTS[::-1][3:])]
    metric = BertScore(model=tiny_bert, layer=2, idf=True)
    [[streamed]] = score_stretches([metric], lambda: ([half] for half in halves))
    assert streamed.segments == pytest.approx(metric.score(pairs).segments, abs=1e-6)


def test_a_large_input_is_looked_at_in_stretches(tiny_bert: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [Pairs.of(TEXTS, TEXTS[::-1]), Pairs.of(TEXTS[:3], TEXTS[1:4])]
    metric = BertScore(model=tiny_bert, layer=2)
    expected = metric.score_systems(pairs)
    monkeypatch.setattr("farthing.metrics.tokens.encoded.STRETCH", 2)
    seen: list[int] = []
    tokenise = metric.engine.tokenise
    monkeypatch.setattr(metric.engine, "tokenise", lambda texts: seen.append(len(texts)) or tokenise(texts))
    for found, wanted in zip(metric.score_systems(pairs), expected, strict=True):
        assert found.segments == pytest.approx(wanted.segments, abs=1e-6)
    assert len(seen) == 3
    assert max(seen) <= 8


class Counting:
    """An encoder that remembers what it was asked for."""

    def __init__(self, encoder: Any) -> None:
        self.encoder, self.rows, self.asked = encoder, 0, set[tuple[int, ...]]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.encoder, name)

    def run(self, ids: np.ndarray, mask: np.ndarray | None, layers: Sequence[int]) -> list[np.ndarray]:
        self.rows += len(ids)
        self.asked.add(tuple(layers))
        found: list[np.ndarray] = self.encoder.run(ids, mask, layers)
        return found


def test_metrics_and_systems_share_one_pass(tiny_bert: str) -> None:
    metrics = [BertScore(model=tiny_bert, layer=layer, idf=idf) for layer, idf in ((1, False), (3, True), (1, True))]
    expected = [[metric.score(pairs).segments for pairs in systems()[0]] for metric in metrics]
    counting = Counting(metrics[0].engine.encoder)
    for metric in metrics:
        metric.engine.encoder = counting  # type: ignore[assignment]
    found = score_stretches(metrics, systems)
    assert counting.rows == len({*TEXTS})  # each text once, for all metrics, systems and references
    assert counting.asked == {(1, 3)}
    for row, wanted in zip(found, expected, strict=True):
        for scores, segments in zip(row, wanted, strict=True):
            assert scores.segments == pytest.approx(segments, abs=1e-6)


def systems() -> list[list[Pairs]]:
    return [[Pairs.of(TEXTS, TEXTS[::-1], system="a"), Pairs.of(TEXTS[2:] + TEXTS[:2], TEXTS[::-1], system="b")]]


def test_layers_that_nobody_published_are_named(tiny_bert: str) -> None:
    scores = BertScore(model=tiny_bert).score(Pairs.of(["a"], ["b"]))
    assert scores.signature.fields["layer"] == 2
    assert [note.kind for note in scores.notes] == ["layer"]
    with pytest.raises(SpecError, match=r"no layer 9 \(there are: 0, 1, 2, 3\)"):
        BertScore(model=tiny_bert, layer=9)
    with pytest.raises(SpecError, match="give layer="):
        BertScore(model=tiny_bert, compat="bert_score")


def test_alignment(tiny_bert: str) -> None:
    metric = load(f'bertscore(model="{tiny_bert}", layer=2)')
    found = metric.align("the cat sat", "the cat sat")
    assert found.candidate_tokens == ("the", "cat", "sat")
    assert found.matches.tolist() == found.back_matches.tolist() == [0, 1, 2]
    assert found.parts == pytest.approx({"precision": 1, "recall": 1, "f1": 1})
    other = metric.align("the dog", "rain on the mat")
    best = other.similarity.max(axis=1)
    assert other.parts["precision"] == pytest.approx(best.mean(), abs=1e-6)


@pytest.mark.parametrize(
    "options", ["", "idf=true", "drop_punctuation=true", "drop_subwords=true, idf=true", "power_means=2",
                "idf=true, candidate_idf=true", "drop_punctuation=true, power_means=2"],
)  # fmt: skip
def test_an_alignment_shows_what_was_scored(tiny_bert: str, options: str) -> None:
    """Whatever is switched on: the weighted means of the shown matches are the precision and the recall."""
    metric = load(f'bertscore(model="{tiny_bert}", layer=2, {options})'.replace(", )", ")"))
    found = metric.align("the cats sat , on the mat .", "rain : a cat sat on mats")
    assert len(found.candidate_tokens) == len(found.candidate_weights) == found.similarity.shape[0]
    assert ("," in found.candidate_tokens) == ("drop_punctuation" not in options)
    for name, best, weights in (
        ("precision", found.similarity.max(axis=1), found.candidate_weights),
        ("recall", found.similarity.max(axis=0), found.reference_weights),
    ):
        assert found.parts[name] == pytest.approx(np.average(best, weights=weights), abs=1e-5)


def test_signature_names_all_that_moves_a_score(tiny_bert: str) -> None:
    fields = BertScore(model=tiny_bert, layer=2).score(Pairs.of(["a"], ["b"])).signature.fields
    assert {"model", "weights", "tokenizer", "backend", "dtype", "long", "layer", "idf", "baseline", "compat"} <= set(
        fields
    )


def test_assets_are_the_model_and_the_files_that_make_the_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FARTHING_MODELS", str(tmp_path))
    assert BertScore.assets({"model": None, "lang": "zh", "idf": True}) == ["bert-base-chinese"]
    assert BertScore.assets({"model": "mine", "idf": "counts.json", "baseline": "b.tsv"}) == [
        "mine",
        "counts.json",
        "b.tsv",
    ]
    published = BertScore.assets({"model": None, "lang": "en", "baseline": True})
    assert published == ["roberta-large", str(find_baseline("roberta-large", "en"))]
    assert BertScore.assets({"model": "mine", "lang": "en", "baseline": True}) == ["mine"]


def test_a_remark_on_the_best_reference_is_kept(tiny_bert: str) -> None:
    metric = BertScore(model=tiny_bert, layer=2, drop_punctuation=True)
    for references in ([", '"], [", '", "rain"]):
        scores = metric.score(Pairs([", '"], [references]))
        assert [note.kind for note in scores.notes] == ["dropped"]
