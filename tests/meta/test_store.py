"""Scores kept on disk: under which name, and what a broken store does."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.specs import parse_spec
from farthing.core.types import Pairs
from farthing.meta.judgements import Judgements
from farthing.meta.scored import score_judgements
from farthing.meta.store import ScoreStore, fingerprint, identity


def test_kept_scores_know_their_texts_and_their_metric(tmp_path: Path, six_judged: Judgements) -> None:
    store, spec = ScoreStore(tmp_path), parse_spec("chrf")
    score_judgements(six_judged, spec, store)
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


def test_fresh_broken_and_absent_stores(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, six_judged: Judgements
) -> None:
    spec, data = parse_spec("chrf"), six_judged
    first = score_judgements(data, spec, ScoreStore(tmp_path)).values
    for file in tmp_path.iterdir():
        file.write_bytes(b"broken")
    assert score_judgements(data, spec, ScoreStore(tmp_path)).values.tolist() == first.tolist()
    assert score_judgements(data, spec, ScoreStore(tmp_path, fresh=True)).values.tolist() == first.tolist()
    assert score_judgements(data, spec, ScoreStore(None)).values.tolist() == first.tolist()
    (tmp_path / "file").write_text("")
    assert score_judgements(data, spec, ScoreStore(tmp_path / "file")).values.tolist() == first.tolist()
    assert "scores are not kept" in caplog.text
