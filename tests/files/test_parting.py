"""Where two files of different lengths part: found in texts whose lines were dropped, joined or cut."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.files.inputs import Inputs
from farthing.files.parting import corresponding, where_they_part

SHARED = Path(os.environ.get("FARTHING_SHARED", Path(__file__).resolve().parents[2].parent / "shared"))
NAMES = ("hyp", "ref")


@pytest.fixture(scope="module")
def texts() -> tuple[list[str], list[str]]:
    """Real outputs and their references."""
    path = SHARED / "data" / "human" / "wmt18_toen_systems.jsonl.gz"
    if not path.exists():
        pytest.skip("the shared data are not here")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        record = json.loads(file.readline())
    system = next(iter(record["systems"].values()))
    return list(system.get("output", system) if isinstance(system, dict) else system), list(record["reference"])


@pytest.mark.parametrize("place", [0, 1, 57, 400, 1500])
def test_a_dropped_line_is_found(texts: tuple[list[str], list[str]], place: int) -> None:
    outputs, references = texts
    message = where_they_part(NAMES, outputs[:place] + outputs[place + 1 :], references)
    number = int(message.split(" of ref has")[0].rsplit(" ", 1)[1])
    assert abs(number - 1 - place) <= 2, message
    assert message.endswith("has no counterpart in hyp")


def test_the_first_of_many_breaks_is_found(texts: tuple[list[str], list[str]]) -> None:
    outputs, references = texts
    dropped = np.random.default_rng(1).choice(np.arange(300, len(outputs)), 100, replace=False)
    kept = [line for place, line in enumerate(outputs) if place not in set(dropped.tolist())]
    found = corresponding(kept, references)
    assert found is not None
    assert abs(found - dropped.min()) <= 3


def test_joined_lines_are_found(texts: tuple[list[str], list[str]]) -> None:
    outputs, references = texts
    joined = [*outputs[:40], " ".join(outputs[40:43]), *outputs[43:]]
    assert where_they_part(NAMES, joined, references) == (
        "; they correspond up to line 40, then line 41 of hyp holds lines 41 to 43 of ref"
    )
    assert "line 41 of ref holds lines 41 to 43 of hyp" in where_they_part(
        NAMES, outputs, [*references[:40], " ".join(references[40:43]), *references[43:]]
    )


def test_paragraphs_against_sentences(texts: tuple[list[str], list[str]]) -> None:
    outputs, references = texts
    paragraphs = [" ".join(outputs[place : place + 5]) for place in range(0, 1000, 5)]
    message = where_they_part(NAMES, paragraphs, references[:1000])
    assert "line 1 of hyp holds lines 1 to 5 of ref" in message or "as long as 5." in message
    assert "a line of hyp is as long as" in where_they_part(NAMES, [" ".join(outputs)], references)


def test_missing_ends_and_what_cannot_be_told() -> None:
    lines = [f"{word} is line of the text {word}" for word in ("seven", "apple", "quick", "zebra", "night")]
    assert where_they_part(NAMES, lines[:3], lines) == "; they correspond up to line 3, then ref goes on"
    assert where_they_part(NAMES, ["one"], ["два", "три", "четыре и так далее, далее, далее"]) == ""


def test_the_command_is_told_about_resegmenting(tmp_path: Path) -> None:
    for name, count in (("a.txt", 3), ("r.txt", 4), ("s.txt", 3)):
        (tmp_path / name).write_text("".join(f"line {number}\n" for number in range(count)))
    a, r, s = (str(tmp_path / name) for name in ("a.txt", "r.txt", "s.txt"))
    with pytest.raises(UsageError, match=r"line counts differ: .*a.txt has 3, .*r.txt has 4 .*--resegment"):
        Inputs([a], [r], s).pairs()
    with pytest.raises(UsageError) as caught:
        Inputs([r], [r], s).pairs()
    assert "--resegment" not in str(caught.value)
