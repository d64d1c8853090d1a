"""Tables of MQM errors: weights, raters, references."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import InputError
from farthing.meta.read.mqm import penalty, read_mqm


def put(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.parametrize(
    ("category", "severity", "weight"),
    [
        ("Accuracy/Mistranslation", "Major", 5),
        ("Non-translation!", "Major", 25),
        ("Fluency/Grammar", "Minor", 1),
        ("Fluency/Punctuation", "Minor", 0.1),
        ("Style/Awkward", "Neutral", 0),
        ("No-error", "No-error", 0),
    ],
)
def test_weights_of_errors(category: str, severity: str, weight: float) -> None:
    assert penalty(category, severity) == weight


def test_errors_are_summed_by_rater_and_averaged(tmp_path: Path) -> None:
    head = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    rows = [
        "A\td\t1\t2\tr1\ts\ta <v>bad</v> one\tAccuracy/Addition\tMajor",
        "A\td\t1\t2\tr1\ts\t<v>a</v> bad one\tFluency/Punctuation\tMinor",
        "A\td\t1\t2\tr2\ts\ta bad one\tNo-error\tNo-error",
    ]
    put(tmp_path, {"mqm.tsv": head + "\n".join(rows) + "\n", "ref.txt": "first\nsecond\n"})
    found = read_mqm(str(tmp_path / "mqm.tsv"), str(tmp_path / "ref.txt"))
    assert found.texts.candidates == ["a bad one"]
    assert list(found.texts.references[0]) == ["second"]
    assert found.judged().tolist() == [pytest.approx(-(5.1 + 0) / 2)]
    (tmp_path / "ref.txt").write_text("first\n")
    with pytest.raises(InputError, match="seg_id 2, but there are 1 references"):
        read_mqm(str(tmp_path / "mqm.tsv"), str(tmp_path / "ref.txt"))
