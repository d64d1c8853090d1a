"""MoverScore: against the published v2 code, against formulas written out straight, and in every corner."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import math
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from farthing.core.errors import SpecError
from farthing.core.types import Pairs
from farthing.encoders.protocol import EncodedText
from farthing.metrics.tokens.moverscore import MoverScore, read_words
from farthing.scoring.engine import score_stretches

HERE = Path(__file__).parent
CANDIDATES = [
    "the cat sat on the mat",
    "a dog, watching the rain!",
    "shares fell on Tuesday",
    "she studied birds for twenty years",
    "the bank's warning",
]
REFERENCES = [
    "the cat looked at the mat and sat",
    "the dog was watching it pour",
    "the bank's shares fell after three",
    "birds survive the winter",
    "please send the warning, tomorrow",
]


def published_pairs() -> tuple[list[str], list[str]]:
    spec = importlib.util.spec_from_file_location("make_moverscore", HERE / "make_moverscore.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pairs: tuple[list[str], list[str]] = module.pairs()
    return pairs


@pytest.mark.parametrize("weights", ["idf", "equal"])
def test_v2_is_the_published_code(dev_model: Callable[[str], Path], weights: str) -> None:
    """The published code, its distances in double precision, gave these on the same encoder: see make_moverscore.py."""
    expected = json.loads((HERE / "moverscore_v2.json").read_text())[weights]
    metric = MoverScore(model=str(dev_model("bert-tiny")), idf=weights == "idf", compat="moverscore_v2")
    assert np.allclose(metric.score(Pairs.of(*published_pairs())).segments, expected, atol=1e-5)


def texts_of(metric: MoverScore, texts: list[str]) -> list[EncodedText]:
    layers = range(1, metric.engine.encoder.layers[-1] + 1)
    encoded = dict(metric.engine.encode(texts, list(layers)))
    return [encoded[text] for text in texts]


def straight_idf(documents: list[EncodedText]) -> dict[int, float]:
    counts: dict[int, int] = {}
    for document in documents:
        for token in set(document.ids.tolist()):
            counts[token] = counts.get(token, 0) + 1
    return {token: math.log((len(documents) + 1) / (count + 1)) for token, count in counts.items()}


def straight_emd(left: np.ndarray, right: np.ndarray, cost: np.ndarray) -> float:
    rows, columns = cost.shape
    sums = np.concatenate([np.kron(np.eye(rows), np.ones(columns)), np.kron(np.ones(rows), np.eye(columns))])
    margins = np.concatenate([left / left.sum(), right / right.sum()])
    return float(linprog(cost.ravel(), A_eq=sums, b_eq=margins, method="highs").fun)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_v1_is_the_published_formula(tiny_model: Callable[..., Path], size: int) -> None:
    """Last five layers, power means, n-grams, squared costs, 1 - d: written out from the formula."""
    metric = MoverScore(model=str(tiny_model("bert", layers=6)), ngram=size, compat="moverscore")
    candidates, references = texts_of(metric, CANDIDATES), texts_of(metric, REFERENCES)
    token = metric.engine.encoder.tokenizer.token
    clouds = []
    for side in (candidates, references):
        idf = straight_idf(side)
        clouds.append([straight_v1(text, idf, token, size) for text in side])
    expected = []
    for (x, a), (y, b) in zip(*clouds, strict=True):
        cost = ((x[:, None] - y[None]) ** 2).sum(axis=-1)
        expected.append(1 - straight_emd(a, b, cost))
    found = metric.score(Pairs.of(CANDIDATES, REFERENCES)).segments
    assert np.allclose(found, expected, atol=1e-6)


def straight_v1(
    text: EncodedText, idf: dict[int, float], token: Callable[[int], str], size: int
) -> tuple[np.ndarray, np.ndarray]:
    layers = [text.states[layer].astype(float) for layer in range(2, 7)]
    layers = [layer / np.linalg.norm(layer, axis=1, keepdims=True) for layer in layers]
    joined = np.concatenate([np.min(layers, axis=0), np.mean(layers, axis=0), np.max(layers, axis=0)], axis=1)
    kept = [
        place
        for place, number in enumerate(text.ids.tolist())
        if token(number) not in set(string.punctuation) and "##" not in token(number)
    ]
    width = min(size, len(kept))
    points, weights = [], []
    for start in range(len(kept) - width + 1):
        window = kept[start : start + width]
        w = np.array([idf[int(text.ids[place])] for place in window])
        points.append((w[:, None] * joined[window]).sum(axis=0) / max(w.sum(), 1e-30))
        weights.append(w.sum())
    stacked = np.array(points)
    return stacked / np.maximum(np.linalg.norm(stacked, axis=1, keepdims=True), 1e-30), np.array(weights)


def test_effeval_bounds_as_coded(tiny_model: Callable[..., Path]) -> None:
    """Unweighted sums over all rows, dropped ones as zeros; scaled means."""
    folder = str(tiny_model("bert"))
    metric = MoverScore(model=folder, distance="rwmd", compat="effeval")
    token = metric.engine.encoder.tokenizer.token
    rwmd, wcd = [], []
    for pair in zip(texts_of(metric, REFERENCES), texts_of(metric, CANDIDATES), strict=True):
        rows = []
        for text in pair:
            states = text.states[3].astype(float).copy()
            for place, number in enumerate(text.ids.tolist()):
                if "##" in token(number) or token(number) in set(string.punctuation):
                    states[place] = 0
            rows.append(states)
        means = [side.mean(axis=0) / np.linalg.norm(side.mean(axis=0)) for side in rows]
        wcd.append(-np.linalg.norm(means[0] - means[1]))
        unit = [side / (np.linalg.norm(side, axis=1, keepdims=True) + 1e-30) for side in rows]
        cost = np.sqrt(((unit[0][:, None] - unit[1][None]) ** 2).sum(axis=-1))
        rwmd.append(-max(cost.min(axis=1).sum(), cost.min(axis=0).sum()))
    pairs = Pairs.of(CANDIDATES, REFERENCES)
    assert np.allclose(metric.score(pairs).segments, rwmd, atol=1e-6)
    metric = MoverScore(model=folder, distance="wcd", compat="effeval")
    assert np.allclose(metric.score(pairs).segments, wcd, atol=1e-6)


@pytest.mark.parametrize("variant", ["v1", "v2", "effeval"])
@pytest.mark.parametrize("ngram", [1, 2])
def test_bounds_are_below_the_exact_distance(tiny_model: Callable[..., Path], variant: Any, ngram: int) -> None:
    pairs = Pairs.of(CANDIDATES, REFERENCES)
    found = {
        distance: np.asarray(
            MoverScore(model=str(tiny_model("bert")), variant=variant, ngram=ngram, distance=distance)
            .score(pairs)
            .parts["distance"]
        )
        for distance in ("wmd", "rwmd", "wcd")
    }
    assert (found["rwmd"] <= found["wmd"] + 1e-9).all()
    assert (found["wcd"] <= found["wmd"] + 1e-9).all()
    assert (found["rwmd"] > 0).all()


@pytest.mark.parametrize("distance", ["wmd", "rwmd", "wcd"])
@pytest.mark.parametrize(
    ("variant", "compat"),
    [("v1", None), ("v2", None), ("effeval", None), ("v1", "moverscore"), ("v2", "moverscore_v2"), (None, "effeval")],
)
def test_never_nan(tiny_model: Callable[..., Path], variant: Any, distance: Any, compat: Any, tmp_path: Path) -> None:
    words = tmp_path / "stop.txt"
    words.write_text("the on\na")
    metric = MoverScore(
        model=str(tiny_model("bert")), variant=variant, distance=distance, compat=compat, ngram=2, stop_words=str(words)
    )
    long = "the cat sat on the mat " * 400
    candidates = ["", "cat", "the on a", "the cat", ". , !", "", long, "the cat sat"]
    references = ["the cat", "dog", "the a", "the cat", "? .", "", "the cat sat", long]
    assert np.isfinite(metric.score(Pairs.of(candidates, references)).segments).all()
    alone = metric.score(Pairs.of(["the cat"], ["a dog"]))  # all idf weights are zero
    assert np.isfinite(alone.segments).all()


def test_rules_for_odd_texts(tiny_model: Callable[..., Path]) -> None:
    folder = str(tiny_model("bert"))
    metric = MoverScore(model=folder)
    pairs = Pairs.of(["", "", "the cat", "the cat sat", ", '"], ["", "the cat", "the cat", "the cat sat", "the mat"])
    scores = metric.score(pairs)
    assert scores.segments[0] == 1  # two empty texts are equal
    assert scores.segments[1] == pytest.approx(1 / (1 + 2**0.5))  # an empty one is as far as unlike words are
    # equal texts weigh differently here, since candidates and references have idf of their own
    assert 0.9 < scores.segments[2] < 1
    assert (MoverScore(model=folder, idf=False).score(pairs).segments[2:4] == 1).all()
    assert {note.kind: note.rows for note in scores.notes}["dropped"] == (4,)
    single = metric.score(Pairs.of(["the cat"], ["a dog"]))
    assert [note.kind for note in single.notes] == ["idf"]
    assert single.segments[0] < 1
    assert (
        MoverScore(model=folder, compat="moverscore_v2").score(Pairs.of(["the cat"], ["a dog"])).segments[0] == 1
    )  # as published


def test_long_texts(tiny_model: Callable[..., Path]) -> None:
    pairs = Pairs.of(["the cat sat on the mat " * 400], ["the cat sat"])
    for policy in ("truncate", "window"):
        scores = MoverScore(model=str(tiny_model("bert")), long=policy, idf=False).score(pairs)
        assert np.isfinite(scores.segments).all()
        assert [note.kind for note in scores.notes] == (["truncated"] if policy == "truncate" else [])


@pytest.mark.parametrize("family", ["roberta", "t5", "mpnet", "distilbert"])
def test_any_encoder_and_equal_texts_score_one(tiny_model: Callable[..., Path], family: str) -> None:
    scores = MoverScore(model=str(tiny_model(family)), idf=False).score(Pairs.of(CANDIDATES, CANDIDATES))
    assert np.allclose(scores.segments, 1, atol=1e-12)


def test_subwords_are_known_for_every_way_of_marking(tiny_model: Callable[..., Path]) -> None:
    for family in ("bert", "roberta", "t5"):
        metric = MoverScore(model=str(tiny_model(family)))
        [text] = texts_of(metric, ["unexpected migrations, outside"])
        kept = metric.clouds.tokens.kept(text.ids[text.content])
        assert kept.sum() <= 3, family
        assert kept[0], family
        assert len(kept) > 3, family


def test_idf_of_each_system_is_its_own_and_stretches_do_not_matter(tiny_model: Callable[..., Path]) -> None:
    metric = MoverScore(model=str(tiny_model("bert")))
    systems = [Pairs.of(CANDIDATES, REFERENCES, system="a"), Pairs.of(CANDIDATES[::-1], REFERENCES, system="b")]
    systems[1] = Pairs.of(["the cat", *systems[1].candidates[1:]], REFERENCES, system="b")
    alone = [metric.score(pairs) for pairs in systems]

    def stretches() -> Any:
        for part in (slice(0, 2), slice(2, 5)):
            yield [Pairs(p.candidates[part], p.references[part], system=p.system) for p in systems]

    [together] = score_stretches([metric], stretches)
    for one, other in zip(alone, together, strict=True):
        assert np.allclose(one.segments, other.segments, atol=1e-6)
        assert one.signature == other.signature
    assert alone[0].signature != alone[1].signature  # the candidates' idf is named


def test_the_nearest_reference_counts_and_in_compat_the_mean(tiny_model: Callable[..., Path]) -> None:
    folder = str(tiny_model("bert"))
    one, two = Pairs.of(CANDIDATES, REFERENCES), Pairs.of(CANDIDATES, REFERENCES[::-1])
    both = Pairs.of(CANDIDATES, [list(row) for row in zip(REFERENCES, REFERENCES[::-1], strict=True)])
    scores = [MoverScore(model=folder, idf=False).score(pairs).segments for pairs in (one, two, both)]
    assert np.allclose(np.maximum(scores[0], scores[1]), scores[2])
    scores = [
        MoverScore(model=folder, idf=False, compat="moverscore_v2").score(pairs).segments for pairs in (one, two, both)
    ]
    assert np.allclose((scores[0] + scores[1]) / 2, scores[2])


def test_idf_from_a_corpus(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("the cat\nthe dog\na cat\n")
    metric = MoverScore(model=str(tiny_model("bert")), idf=str(corpus))
    pairs = Pairs.of(CANDIDATES, REFERENCES)
    whole = metric.score(pairs).segments
    assert np.allclose(whole[:1], metric.score(Pairs.of(CANDIDATES[:1], REFERENCES[:1])).segments, atol=1e-6)
    own = MoverScore(model=str(tiny_model("bert")), idf=str(corpus), candidate_idf=True).score(pairs)
    assert not np.allclose(own.segments, whole)
    assert "candidate_idf" in str(own.signature)
    one = MoverScore(model=str(tiny_model("bert")), candidate_idf=False).score(pairs)
    assert "candidate_idf" not in str(one.signature)
    same = MoverScore(model=str(tiny_model("bert")), candidate_idf=False).score(Pairs.of(REFERENCES, REFERENCES))
    assert np.allclose(same.segments, 1)  # with one set of weights equal texts are at distance 0


def test_wrong_options_are_sentences(tiny_model: Callable[..., Path]) -> None:
    with pytest.raises(SpecError, match="ngram=0"):
        MoverScore(model=str(tiny_model("bert")), ngram=0)
    with pytest.raises(SpecError, match="no layer 9"):
        MoverScore(model=str(tiny_model("bert")), layer=9)
    with pytest.raises(SpecError, match="compat=effeval implies variant=effeval, but variant=v1 was given"):
        MoverScore(model=str(tiny_model("bert")), variant="v1", compat="effeval")


def test_the_signature_names_the_program_and_its_variant(tiny_model: Callable[..., Path]) -> None:
    folder, pairs = str(tiny_model("bert")), Pairs.of(CANDIDATES, REFERENCES)
    for compat, variant in ((None, "v2"), ("moverscore", "v1"), ("moverscore_v2", "v2"), ("effeval", "effeval")):
        fields = MoverScore(model=folder, compat=compat).score(pairs).signature.fields  # type: ignore[arg-type]
        assert (fields["compat"], fields["variant"]) == (compat or "none", variant)


def test_a_file_of_stop_words_is_named_in_the_signature_and_is_an_asset(
    tiny_model: Callable[..., Path], tmp_path: Path
) -> None:
    words = tmp_path / "stop.txt"
    words.write_text("the on\na\n")
    assert read_words(str(words)) == {"the", "on", "a"}
    scores = MoverScore(model=str(tiny_model("bert")), stop_words=str(words)).score(Pairs.of(CANDIDATES, REFERENCES))
    assert scores.signature.fields["stop_words"] == hashlib.sha256(b"a\non\nthe").hexdigest()[:12]
    assert MoverScore.assets({"model": "m", "idf": True, "stop_words": str(words)}) == ["m", str(words)]
