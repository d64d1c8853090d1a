"""BARTScore against the likelihood written out token by token, and its behaviour under memory pressure."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core.errors import MissingInput, ModelError, SpecError
from farthing.core.types import Pairs
from farthing.language.batches import is_out_of_memory, run_batches
from farthing.language.likelihood import Likelihood
from farthing.metrics.bartscore import BartScore

CANDIDATES = ["the cat sat on the mat", "a dog, watching the rain", "shares fell", "she studied birds for years"]
REFERENCES = ["the cat looked at the mat", "the dog was watching it pour", "the bank's shares fell", "winter"]


def straight(folder: Path, source: str, target: str) -> float:
    """Mean log p(token | tokens before it, source) over all target tokens, one decoder call a token, no batch."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.BartForConditionalGeneration.from_pretrained(folder).eval()
    inputs, labels = (torch.tensor([tokenizer(text)["input_ids"]]) for text in (source, target))
    total = 0.0
    with torch.no_grad():
        for step in range(labels.shape[1]):
            start = torch.tensor([[model.config.decoder_start_token_id]])
            decoder = torch.cat([start, labels[:, :step]], dim=1)
            logits = model(input_ids=inputs, decoder_input_ids=decoder).logits[0, -1]
            total += float(torch.log_softmax(logits.double(), dim=-1)[labels[0, step]])
    return total / labels.shape[1]


def test_each_direction_is_the_straight_likelihood(tiny_bart: Path) -> None:
    pairs = Pairs.of(CANDIDATES, REFERENCES, REFERENCES[::-1])
    precision = [straight(tiny_bart, r, c) for c, r in zip(CANDIDATES, REFERENCES, strict=True)]
    recall = [straight(tiny_bart, c, r) for c, r in zip(CANDIDATES, REFERENCES, strict=True)]
    faithful = [straight(tiny_bart, s, c) for c, s in zip(CANDIDATES, REFERENCES[::-1], strict=True)]
    expected = {"precision": precision, "recall": recall, "faithfulness": faithful}
    for direction, values in expected.items():
        found = BartScore(model=str(tiny_bart), direction=direction).score(pairs)  # type: ignore[arg-type]
        assert np.allclose(found.segments, values, atol=1e-5), direction
    scores = BartScore(model=str(tiny_bart)).score(pairs)
    assert np.allclose(scores.segments, (np.array(precision) + recall) / 2, atol=1e-5)
    assert np.allclose(scores.parts["precision"], precision, atol=1e-5)


def test_prompts_are_averaged(tiny_bart: Path) -> None:
    pairs = Pairs.of(CANDIDATES[:2], REFERENCES[:2])
    for side in ("source", "target"):
        metric = BartScore(
            model=str(tiny_bart),
            direction="recall",
            prompts=["that is,", "such as,"],
            prompt_side=side,  # type: ignore[arg-type]
        )
        expected = []
        for candidate, reference in zip(CANDIDATES[:2], REFERENCES[:2], strict=True):
            runs = [
                straight(tiny_bart, f"{candidate} {p},", reference)  # as the published program joins them
                if side == "source"
                else straight(tiny_bart, candidate, f"{p}, {reference}")
                for p in ("that is", "such as")
            ]
            expected.append(np.mean(runs))
        assert np.allclose(metric.score(pairs).segments, expected, atol=1e-5)


def test_several_references(tiny_bart: Path) -> None:
    both = Pairs.of(CANDIDATES, [[r, s] for r, s in zip(REFERENCES, REFERENCES[::-1], strict=True)])
    singles = [
        BartScore(model=str(tiny_bart)).score(Pairs.of(CANDIDATES, side)).segments
        for side in (REFERENCES, REFERENCES[::-1])
    ]
    best = BartScore(model=str(tiny_bart)).score(both)
    assert np.allclose(best.segments, np.maximum(*singles), atol=1e-5)
    parts = np.asarray(best.parts["precision"]) + np.asarray(best.parts["recall"])
    assert np.allclose(best.segments, parts / 2, atol=1e-5)  # both parts are of the reference that was taken
    mean = BartScore(model=str(tiny_bart), references="mean").score(both).segments
    assert np.allclose(mean, np.mean(singles, axis=0), atol=1e-5)


def test_batches_do_not_matter_and_out_of_memory_shrinks_them(tiny_bart: Path, monkeypatch: Any) -> None:
    pairs = Pairs.of(CANDIDATES * 3, REFERENCES * 3)
    whole = BartScore(model=str(tiny_bart)).score(pairs).segments
    single = BartScore(model=str(tiny_bart), tokens=1).score(pairs).segments
    assert np.allclose(whole, single, atol=1e-5)
    original, sizes = Likelihood._run, []

    def scarce(self: Likelihood, sources: list[Any], targets: list[Any]) -> Sequence[float]:
        sizes.append(len(sources))
        if len(sources) > 1:
            raise RuntimeError("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: not enough memory: you tried …")
        return original(self, sources, targets)

    monkeypatch.setattr(Likelihood, "_run", scarce)
    assert np.allclose(BartScore(model=str(tiny_bart)).score(pairs).segments, whole, atol=1e-5)
    assert max(sizes) > 1


def test_other_errors_are_not_taken_for_memory() -> None:
    def broken(rows: list[int]) -> Sequence[float]:
        raise RuntimeError("shapes do not match")

    def never(rows: list[int]) -> Sequence[float]:
        raise MemoryError

    with pytest.raises(RuntimeError, match="shapes"):
        run_batches(broken, [3, 3])
    with pytest.raises(ModelError, match="single text"):
        run_batches(never, [3, 3])
    assert is_out_of_memory(RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB"))


def test_odd_texts(tiny_bart: Path) -> None:
    long = "the cat sat on the mat " * 400
    scores = BartScore(model=str(tiny_bart)).score(
        Pairs.of(["", "cat", "the cat", "", long], ["the cat", "dog", "the cat", "", "the cat"])
    )
    assert np.isfinite(scores.segments).all()
    assert (scores.segments <= 0).all()
    assert {note.kind: note.rows for note in scores.notes}["truncated"] == (4,)


def test_wrong_use_is_a_sentence(tiny_bart: Path, tiny_model: Callable[..., Path]) -> None:
    with pytest.raises(MissingInput, match="source"):
        BartScore(model=str(tiny_bart), direction="faithfulness").score(Pairs.of(CANDIDATES, REFERENCES))
    with pytest.raises(SpecError, match="prompts"):
        BartScore(model=str(tiny_bart), prompts=[])
    with pytest.raises(ModelError):
        BartScore(model=str(tiny_model("bert")))
    free = BartScore(model=str(tiny_bart), direction="faithfulness").score(Pairs.of(CANDIDATES, None, REFERENCES))
    assert len(free.segments) == 4  # no reference is asked for


def test_parts_and_needs_follow_the_direction(tiny_bart: Path) -> None:
    pairs = Pairs.of(CANDIDATES, REFERENCES, REFERENCES)
    for direction in ("precision", "recall", "faithfulness"):
        metric = BartScore(model=str(tiny_bart), direction=direction)  # type: ignore[arg-type]
        assert metric.info.needs == ({"source"} if direction == "faithfulness" else {"reference"})
        scores = metric.score(pairs)
        assert not scores.parts
        assert f"direction:{direction}" in str(scores.signature)
    assert set(BartScore(model=str(tiny_bart)).score(pairs).parts) == {"precision", "recall"}


def test_mean_over_differing_numbers_of_references(tiny_bart: Path) -> None:
    """Rows with one, two and three references, against every reference scored alone."""
    references = [REFERENCES[:1], REFERENCES[:2], REFERENCES[:3]]
    metric = BartScore(model=str(tiny_bart), references="mean")
    found = metric.score(Pairs.of(CANDIDATES[:3], references))
    alone = [
        np.mean([metric.score(Pairs.of([candidate], [text])).corpus for text in row])
        for candidate, row in zip(CANDIDATES, references, strict=False)
    ]
    assert np.allclose(found.segments, alone, atol=1e-5)
    assert "nrefs:var" in str(found.signature)


def test_translation_likelihood_of_a_real_model(dev_model: Callable[[str], Path]) -> None:
    """A right translation is likelier than wrong ones, by a real fr-en model."""
    metric = BartScore(model=str(dev_model("opus-fr-en")), direction="faithfulness")
    sources = ["Le chat est assis sur le tapis."] * 3
    candidates = ["The cat is sitting on the mat.", "The mat is sitting on the cat.", "Shares fell on Tuesday."]
    found = metric.score(Pairs.of(candidates, None, sources)).segments
    assert found[0] > found[1] > found[2]


@pytest.mark.filterwarnings("ignore:Recommended")  # Marian's tokenizer recommends a package
def test_real_weights_give_the_loss_of_transformers(dev_model: Callable[[str], Path], shared: Path) -> None:
    """The published score of a pair is minus the loss that transformers computes for it, one pair at a time."""
    import torch
    import transformers

    folder = dev_model("opus-fr-en")
    texts = json.loads((shared / "golden" / "peers_on_real_weights.json").read_text(encoding="utf-8"))["texts"]
    references, candidates = texts["reference"], texts["candidate"]
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    expected = []
    with torch.no_grad():
        for reference, candidate in zip(references, candidates, strict=True):
            labels = tokenizer(text_target=candidate, return_tensors="pt").input_ids
            expected.append(-model(**tokenizer(reference, return_tensors="pt"), labels=labels).loss.item())
    found = BartScore(model=str(folder), direction="precision").score(Pairs.of(candidates, references))
    assert np.abs(found.segments - expected).max() < 1e-5


def test_nothing_is_written_about_long_texts(tiny_bart: Path, caplog: pytest.LogCaptureFixture) -> None:
    import transformers

    transformers.utils.logging.enable_propagation()
    try:
        scores = BartScore(model=str(tiny_bart)).score(Pairs.of(["the cat " * 100], ["the dog " * 100]))
    finally:
        transformers.utils.logging.disable_propagation()
    assert [note.kind for note in scores.notes] == ["truncated"]
    assert not caplog.records
