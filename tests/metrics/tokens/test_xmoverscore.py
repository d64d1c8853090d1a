"""XMoverScore against its formula written out, with remapping and a language model."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from scipy.optimize import linprog

import farthing
from farthing.core.errors import InputError, MissingInput, ModelError, SpecError
from farthing.core.types import Pairs
from farthing.encoders.remap import Remap, unit
from farthing.language.causal import CausalLanguageModel
from farthing.metrics.tokens.xmoverscore import XMoverScore

SOURCES = ["the cat looked at the mat", "the dog was watching it pour", "the bank's shares fell"]
CANDIDATES = ["the cat sat on the mat", "a dog, watching the rain", "shares"]
PAIRS = Pairs.of(CANDIDATES, None, SOURCES)


def straight(metric: XMoverScore, size: int, *, specials: bool, drop: float, map: np.ndarray | None) -> list[float]:
    """Means of consecutive vectors, scaled; a linear programme; small flows dropped as the code has it."""
    encoded = dict(metric.engine.encode([*SOURCES, *CANDIDATES], metric.layers))
    found = []
    for pair in zip(SOURCES, CANDIDATES, strict=True):
        sides = []
        for number, text in enumerate(pair):
            rows = encoded[text].states[metric.layers[0]].astype(float)
            rows = rows if specials else rows[encoded[text].content]
            rows = rows @ map if map is not None and number == 0 else rows
            width = min(size, len(rows))
            grams = np.array([rows[i : i + width].mean(axis=0) for i in range(len(rows) - width + 1)])
            sides.append(grams / np.linalg.norm(grams, axis=1, keepdims=True))
        cost = np.sqrt(((sides[0][:, None] - sides[1][None]) ** 2).sum(axis=-1))
        n, m = cost.shape
        sums = np.concatenate([np.kron(np.eye(n), np.ones(m)), np.kron(np.ones(n), np.eye(m))])
        margins = np.concatenate([np.full(n, 1 / n), np.full(m, 1 / m)])
        flow = linprog(cost.ravel(), A_eq=sums, b_eq=margins, method="highs-ds").x.reshape(n, m)
        if drop:
            flows = np.sort(flow[flow > 1e-12])
            flow = np.where(flow < flows[: max(1, int(drop * len(flows)))][-1], 0, flow)
        found.append(float((flow * cost).sum()))
    return found


@pytest.mark.parametrize("size", [1, 2])
def test_distance_is_the_formula(tiny_model: Callable[..., Path], size: int) -> None:
    metric = XMoverScore(model=str(tiny_model("bert")), ngram=size)
    expected = straight(metric, size, specials=False, drop=0, map=None)
    scores = metric.score(PAIRS)
    assert np.allclose(scores.parts["distance"], expected, atol=1e-6)
    assert np.allclose(scores.segments, 1 / (1 + np.array(expected)), atol=1e-6)
    effeval = XMoverScore(model=str(tiny_model("bert")), ngram=size, variant="effeval").score(PAIRS)
    assert np.allclose(effeval.segments, 1 - np.array(expected), atol=1e-6)


def test_compat_keeps_specials_and_drops_flows(tiny_model: Callable[..., Path]) -> None:
    metric = XMoverScore(model=str(tiny_model("bert")), compat="xmoverscore")
    assert metric.dropped == 0.3
    whole = straight(metric, 2, specials=True, drop=0, map=None)
    found = np.asarray(metric.score(PAIRS).parts["distance"])
    assert (found <= np.array(whole) + 1e-9).all()
    assert (found > 0.5 * np.array(whole)).all()
    # one source gram for every candidate gram has one plan only, so the dropped flows are known
    exact = XMoverScore(model=str(tiny_model("bert")), compat="xmoverscore", drop=0.0).score(PAIRS).parts["distance"]
    assert np.allclose(exact, whole, atol=1e-6)


def test_remapping_moves_the_source_only(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    folder = str(tiny_model("bert"))
    rotation, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(32, 32)))
    np.save(tmp_path / "clp.npy", rotation)
    metric = XMoverScore(model=folder, remap=str(tmp_path / "clp.npy"))
    expected = straight(metric, 2, specials=False, drop=0, map=rotation)
    assert np.allclose(metric.score(PAIRS).parts["distance"], expected, atol=1e-6)
    direction = unit(np.random.default_rng(1).normal(size=32))
    np.save(tmp_path / "umd.npy", 3 * direction)  # a vector of any length, as published files have it
    metric = XMoverScore(model=folder, remap=str(tmp_path / "umd.npy"))
    projection = np.eye(32) - np.outer(direction, direction)
    expected = straight(metric, 2, specials=False, drop=0, map=projection)
    assert np.allclose(metric.score(PAIRS).parts["distance"], expected, atol=1e-6)


def test_a_remapping_belongs_to_its_encoder(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    path = tmp_path / "map.safetensors"
    Remap("clp", np.eye(32), "0123456789ab", 3).save(path)
    with pytest.raises(ModelError, match="other weights"):
        XMoverScore(model=str(tiny_model("bert")), remap=str(path))
    Remap("clp", np.eye(8)).save(path)
    with pytest.raises(ModelError, match="8 dimensions"):
        XMoverScore(model=str(tiny_model("bert")), remap=str(path))
    Remap("umd", unit(np.ones(32)), "", 1).save(path)
    with pytest.raises(ModelError, match="layer 1"):
        XMoverScore(model=str(tiny_model("bert")), remap=str(path))
    path.write_text("no")
    with pytest.raises(InputError, match="not a remapping"):
        XMoverScore(model=str(tiny_model("bert")), remap=str(path))


@pytest.fixture(scope="session")
def tiny_lm(tiny_model: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random GPT-2 with the tokenizer of the tiny RoBERTa."""
    import torch
    import transformers

    folder = tmp_path_factory.mktemp("lm")
    for path in tiny_model("roberta").glob("tokenizer*.json"):
        shutil.copy(path, folder)
    size = len(transformers.AutoTokenizer.from_pretrained(folder))
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=size, n_embd=16, n_layer=2, n_head=2, n_positions=64, initializer_range=0.5
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def test_fluency_is_the_mean_log_likelihood(tiny_model: Callable[..., Path], tiny_lm: Path) -> None:
    """Without a begin token it is minus the loss that transformers reports."""
    import torch
    import transformers

    lm = CausalLanguageModel(str(tiny_lm), start=False)
    texts = [*CANDIDATES[:2], *SOURCES]
    model = transformers.GPT2LMHeadModel.from_pretrained(tiny_lm).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_lm)
    expected = []
    for text in texts:
        ids = torch.tensor([tokenizer(text, add_special_tokens=False)["input_ids"]])
        expected.append(-float(model(ids, labels=ids).loss.detach()))
    assert np.allclose(lm.scores(texts), expected, atol=1e-5)
    plain = XMoverScore(model=str(tiny_model("bert"))).score(PAIRS)
    scored = XMoverScore(model=str(tiny_model("bert")), lm=str(tiny_lm), lm_weight=0.2).score(PAIRS)
    assert np.allclose(scored.segments, plain.segments + 0.2 * np.asarray(scored.parts["fluency"]))
    assert (np.asarray(scored.parts["fluency"]) < 0).all()
    vocabulary = model.config.vocab_size
    assert lm.scores([""])[0] == pytest.approx(-math.log(vocabulary))


@pytest.mark.parametrize("compat", ["xmoverscore", "effeval"])
def test_the_published_terms_of_the_language_model(
    tiny_model: Callable[..., Path], tiny_lm: Path, compat: Literal["xmoverscore", "effeval"]
) -> None:
    """No begin token; minus the loss (EffEval), or its exponential divided by the number of tokens; 0 for one token."""
    import torch
    import transformers

    model = transformers.GPT2LMHeadModel.from_pretrained(tiny_lm).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_lm)
    candidates = [*CANDIDATES[:2], "the"]
    expected = []
    for text in candidates:
        ids = torch.tensor([tokenizer(text, add_special_tokens=False)["input_ids"]])
        if ids.shape[1] <= 1:
            expected.append(0.0)
            continue
        loss = float(model(ids, labels=ids).loss.detach())
        expected.append(-loss if compat == "effeval" else (1 / math.exp(loss)) ** (1 / ids.shape[1]))
    metric = XMoverScore(model=str(tiny_model("bert")), lm=str(tiny_lm), compat=compat)
    scores = metric.score(Pairs.of(candidates, None, SOURCES))
    assert np.allclose(scores.parts["fluency"], expected, atol=1e-5)
    assert np.allclose(scores.segments, scores.parts["mover"] + 0.1 * np.array(expected), atol=1e-5)
    assert scores.signature.fields["lm_start"] is False


def test_compat_implies_the_variant(tiny_model: Callable[..., Path]) -> None:
    assert XMoverScore(model=str(tiny_model("bert")), compat="effeval").variant == "effeval"
    with pytest.raises(SpecError, match="compat=effeval implies variant=effeval, but variant=published was given"):
        XMoverScore(model=str(tiny_model("bert")), compat="effeval", variant="published")


def test_never_nan(tiny_model: Callable[..., Path], tiny_lm: Path) -> None:
    long = "the cat sat on the mat " * 400
    pairs = Pairs.of(["", "cat", "the cat", "", long, "the"], None, ["the cat", "dog", "the cat", "", "the cat", long])
    for options in (
        {},
        {"compat": "xmoverscore"},
        {"compat": "effeval", "distance": "rwmd"},
        {"distance": "rwmd"},
        {"distance": "wcd"},
        {"lm": str(tiny_lm)},
    ):
        scores = XMoverScore(model=str(tiny_model("bert")), **options).score(pairs)  # type: ignore[arg-type]
        assert np.isfinite(scores.segments).all(), options
    plain = XMoverScore(model=str(tiny_model("bert"))).score(pairs)
    assert plain.segments[2] == plain.segments[3] == 1
    assert [note.message for note in plain.notes if note.kind == "empty"] == [
        "the candidate has no text",
        "a source has no text",
    ]


def test_no_reference_is_asked_for_but_a_source_is(tiny_model: Callable[..., Path]) -> None:
    with pytest.raises(MissingInput, match="needs a source"):
        XMoverScore(model=str(tiny_model("bert"))).score(Pairs.of(CANDIDATES, SOURCES))


@pytest.mark.parametrize("name", ["xmoverscore", "sentsim"])
def test_an_english_encoder_is_refused_in_one_sentence(name: str) -> None:
    with pytest.raises(SpecError, match=f"{name} compares two languages, but nano reads only English"):
        farthing.load(f"{name}(model=nano)")
    scores = farthing.load(f"{name}(model=nano, monolingual=true)").score(PAIRS)  # type: ignore[union-attr]
    assert np.isfinite(scores.corpus)
