"""Scores kept on disk: under which name, and what a broken store does."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.specs import parse_spec
from farthing.core.types import Pairs
from farthing.meta.human import judgements_of
from farthing.meta.judgements import Judgements
from farthing.meta.scored import score_judgements
from farthing.meta.store import ScoreStore, fingerprint, identity


def judged() -> Judgements:
    """Six outputs of two language pairs."""
    places = [
        ("de-en", "A", 1),
        ("de-en", "A", 2),
        ("de-en", "B", 1),
        ("de-en", "B", 2),
        ("cs-en", "C", 1),
        ("cs-en", "D", 2),
    ]
    rows = [
        {"lp": lp, "system": system, "segment_id": n, "candidate": f"{system} says {n}", "reference": f"r {lp} {n}"}
        for lp, system, n in places
    ]
    return judgements_of(enumerate(rows, start=1), "human.jsonl")


def test_kept_scores_know_their_texts_and_their_metric(tmp_path: Path) -> None:
    store, spec = ScoreStore(tmp_path), parse_spec("chrf")
    score_judgements(judged(), spec, store)
    pairs = [Pairs.of(["a"], ["b"])]
    assert store.get(spec, pairs) is None
    assert fingerprint([Pairs.of(["a", "b"], ["c", "d"])]) != fingerprint([Pairs.of(["a", "b"], ["c", "e"])])
    assert fingerprint([Pairs.of(["ab"], ["c"])]) != fingerprint([Pairs.of(["a"], ["bc"])])
    assert identity(parse_spec("chrf")) != identity(parse_spec("chrf(beta=3)"))
    model = tmp_path / "model.bin"
    model.write_text("weights")
    before = identity(parse_spec(f"x(model={model})"))
    model.write_text("other weights")
    assert identity(parse_spec(f"x(model={model})")) != before


def test_fresh_broken_and_absent_stores(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    spec, data = parse_spec("chrf"), judged()
    first = score_judgements(data, spec, ScoreStore(tmp_path)).values
    for file in tmp_path.iterdir():
        file.write_bytes(b"broken")
    assert score_judgements(data, spec, ScoreStore(tmp_path)).values.tolist() == first.tolist()
    assert score_judgements(data, spec, ScoreStore(tmp_path, fresh=True)).values.tolist() == first.tolist()
    assert score_judgements(data, spec, ScoreStore(None)).values.tolist() == first.tolist()
    (tmp_path / "file").write_text("")
    assert score_judgements(data, spec, ScoreStore(tmp_path / "file")).values.tolist() == first.tolist()
    assert "scores are not kept" in caplog.text
