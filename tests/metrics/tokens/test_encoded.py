"""Encoded rows: the same vectors as encoding each text alone, every row once, each text once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.types import Pairs
from farthing.encoders.engine import Engine
from farthing.encoders.load import load_encoder
from farthing.metrics.tokens.encoded import EncodedRow, Needs, Place, encoded_rows

SYSTEMS = [
    Pairs.of(["the cat", "a dog", "rain"], [["the cat", "mat"], ["dog"], ["rain"]], ["cat", "", "the rain"]),
    Pairs.of(["a dog", "the mat"], [["the cat"], ["dog", "rain"]], ["cat", "mat"]),
]


@pytest.fixture
def engine(tiny_model: Callable[..., Path]) -> Engine:
    return Engine(load_encoder(str(tiny_model("bert"))), threads=1)


@pytest.mark.parametrize("needs", [{"reference"}, {"source"}, {"reference", "source"}, set()])
@pytest.mark.parametrize("stretch", [2, 4096])
def test_rows_have_the_texts_that_are_needed(
    engine: Engine, needs: set[str], stretch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farthing.metrics.tokens.encoded.STRETCH", stretch)
    wanted: Needs = frozenset(needs)  # type: ignore[arg-type]
    rows = dict(encoded_rows(engine, SYSTEMS, (1, 2), wanted))
    assert set(rows) == {Place(0, 0), Place(0, 1), Place(0, 2), Place(1, 0), Place(1, 1)}
    for place, row in rows.items():
        pairs = SYSTEMS[place.system]
        assert (row.source is not None) == ("source" in needs)
        texts = [pairs.candidates[place.row]]
        texts += pairs.references[place.row] if "reference" in needs else []
        texts += [pairs.sources[place.row]] if "source" in needs and pairs.sources else []
        assert len(row.texts) == len(texts)
        for encoded, text in zip(row.texts, texts, strict=True):
            [(_, alone)] = engine.encode([text], [2])
            assert encoded.ids.tolist() == alone.ids.tolist()
            assert np.allclose(encoded.states[2], alone.states[2], atol=1e-5)


def test_each_text_is_encoded_once(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    encode = engine.encode_contents
    monkeypatch.setattr(
        engine, "encode_contents", lambda contents, layers: asked.append(len(contents)) or encode(contents, layers)
    )
    list(encoded_rows(engine, SYSTEMS, (1,), frozenset({"reference", "source"})))
    texts = {
        *(t for p in SYSTEMS for t in (*p.candidates, *(p.sources or ()), *(r for row in p.references for r in row)))
    }
    assert sum(asked) == len(texts)


def test_texts_of_a_row_stand_in_order(engine: Engine) -> None:
    [(_, one)], [(_, two)], [(_, three)] = (engine.encode([text], [1]) for text in ("cat", "dog", "rain"))
    assert EncodedRow(one).texts == (one,)
    assert EncodedRow(one, (two,), three).texts == (one, two, three)
