"""Scores of judged outputs: computed by group, kept on disk, or read from elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core import registry
from farthing.core.errors import InputError, UsageError
from farthing.core.specs import parse_spec
from farthing.core.types import Pairs
from farthing.meta.external import read_scored
from farthing.meta.human import judgements_of
from farthing.meta.judgements import Judgements
from farthing.meta.scored import score_judgements
from farthing.meta.store import ScoreStore, fingerprint, identity

TEXTS = {
    ("de-en", "A", 1): ("the cat sat on the mat", "the cat sat on a mat"),
    ("de-en", "A", 2): ("a dog barked at the postman", "the dog barked at a postman"),
    ("de-en", "B", 1): ("cats sit on mats", "the cat sat on a mat"),
    ("de-en", "B", 2): ("dogs bark", "the dog barked at a postman"),
    ("cs-en", "C", 1): ("we went home by train", "we took the train home"),
    ("cs-en", "D", 2): ("it rains today again", "today it is raining again"),
}


def judged(**more: Any) -> Judgements:
    rows = [
        {"lp": lp, "system": system, "segment_id": segment, "candidate": candidate, "reference": reference, **more}
        for (lp, system, segment), (candidate, reference) in TEXTS.items()
    ]
    return judgements_of(enumerate(rows, start=1), "human.jsonl")


@pytest.mark.parametrize("spec", ["bleu", "chrf(word_order=2)", "ter"])
def test_scores_are_the_metrics_own(spec: str, tmp_path: Path) -> None:
    found = score_judgements(judged(), parse_spec(spec), ScoreStore(tmp_path))
    metric = registry.load(spec)
    expected = [metric.score(Pairs.of([c], [r])).segments[0] for c, r in TEXTS.values()]
    assert found.values == pytest.approx(np.array(expected))
    turned = -found.values if spec == "ter" else found.values
    assert found.oriented.tolist() == turned.tolist()


def test_a_system_is_scored_as_a_whole_by_the_metric_itself(tmp_path: Path) -> None:
    data = judged()
    found = score_judgements(data, parse_spec("bleu"), ScoreStore(tmp_path))
    whole = [registry.load("bleu").score(Pairs.of(*_of_system(name))).corpus for name in "AB"]
    assert found.of_systems(data.grids()[0]) == pytest.approx(np.array(whole))


def _of_system(name: str) -> tuple[list[str], list[str]]:
    rows = [texts for (_, system, _), texts in TEXTS.items() if system == name]
    return [candidate for candidate, _ in rows], [reference for _, reference in rows]


def test_a_second_time_nothing_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = score_judgements(judged(), parse_spec("chrf"), ScoreStore(tmp_path))
    monkeypatch.setattr(registry, "load", lambda spec: pytest.fail("the metric was loaded"))
    again = score_judgements(judged(), parse_spec("chrf"), ScoreStore(tmp_path))
    assert again.values.tolist() == first.values.tolist()
    assert again.signature == first.signature


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


def test_progress_counts_every_output(tmp_path: Path) -> None:
    for _ in range(2):
        told: list[int] = []
        score_judgements(judged(), parse_spec("chrf"), ScoreStore(tmp_path), told.append)
        assert sum(told) == len(TEXTS)


def test_scores_from_a_file_row_by_row(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("".join(f"{number}\n" for number in range(6)))
    found = read_scored(f"mine={path}", judged())
    assert found.values.tolist() == [0, 1, 2, 3, 4, 5]
    assert read_scored(f"mine={path}", judged(), lower=["mine"]).oriented.tolist() == [0, -1, -2, -3, -4, -5]
    path.write_text("1\n2\n")
    with pytest.raises(InputError, match=r"x.txt: 2 scores, but human.jsonl has 6 rows"):
        read_scored(f"mine={path}", judged())
    path.write_text("1\ntwo\n")
    with pytest.raises(InputError, match=r"x.txt:2: 'two'"):
        read_scored(f"mine={path}", judged())


def test_scores_of_a_file_follow_rows_that_were_left_out(tmp_path: Path) -> None:
    rows = [{"candidate": f"c{n}", "reference": "r" if n != 1 else "", "score": n} for n in range(3)]
    data = judgements_of(enumerate(rows, start=1), "human.jsonl")
    (tmp_path / "x.txt").write_text("10\n11\n12\n")
    assert read_scored(f"mine={tmp_path / 'x.txt'}", data).values.tolist() == [10, 12]


def test_scores_from_a_column_and_by_system(tmp_path: Path) -> None:
    table = tmp_path / "x.jsonl"
    table.write_text("".join(json.dumps({"comet": n}) + "\n" for n in range(6)))
    assert read_scored(f"mine={table}:comet", judged()).values.tolist() == [0, 1, 2, 3, 4, 5]
    with pytest.raises(InputError, match="no column 'bleurt'"):
        read_scored(f"mine={table}:bleurt", judged())
    with pytest.raises(InputError, match="which column"):
        read_scored(f"mine={table}", judged())
    joined = tmp_path / "y.tsv"
    joined.write_text("lp\tsystem\tsegment\tcomet\ncs-en\tC\t1\t0.5\nde-en\tB\t2\t0.25\n")
    found = read_scored(f"mine={joined}:comet", judged()).values
    assert (found[4], found[3]) == (0.5, 0.25)
    joined.write_text("lp\tsystem\tcomet\nde-en\tA\t0.5\nde-en\tB\t0.25\n")
    whole = read_scored(f"mine={joined}:comet", judged())
    assert whole.of_systems(judged().grids()[0]).tolist() == [0.5, 0.25]


@pytest.mark.parametrize("text", ["x.txt", "=x.txt", "name="])
def test_score_files_need_a_name(text: str) -> None:
    with pytest.raises(UsageError, match="name=file"):
        read_scored(text, judged())
