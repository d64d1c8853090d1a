"""`farthing cite`."""

from __future__ import annotations


def test_bibtex_and_plain_text(farthing) -> None:
    text = farthing("cite", "BLEU", "chrF++").stdout
    assert [line.partition("{")[2].rstrip(",") for line in text.splitlines() if line.startswith("@")] == [
        "farthing", "papineni2002", "post2018", "popovic2015", "popovic2017",
    ]  # fmt: skip
    lines = farthing("cite", "--format", "text").stdout.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("Kamal Eddine, Moussa and Shang, Guokan")


def test_an_unknown_metric_is_named(farthing) -> None:
    assert "did you mean 'bleu'" in farthing("cite", "blue", code=2).stderr
