"""Groups of options that the commands of learn share."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.app.cli.learn.options import (
    FinetuningOptions,
    OriginOptions,
    PairOptions,
    PeopleOptions,
    StartOptions,
    TrainingOptions,
    log_of,
)
from farthing.core.errors import InputError, ModelError, UnknownName
from farthing.core.progress import silent_log


def test_options_become_what_the_library_takes(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").touch()
    start = StartOptions("2x128", depth=1, tokenizer=str(tmp_path)).start()
    assert (start.name, start.tokenizer) == ("2x128", str(tmp_path))
    for wrong in (StartOptions("no-such-model"), StartOptions("2x128", tokenizer="no-such-model")):
        with pytest.raises(ModelError, match="'no-such-model' is not on this machine"):
            wrong.start()
    settings = TrainingOptions(epochs=0.5, batch=4, limit=64).settings()
    assert (settings.epochs, settings.batch, settings.limit, settings.rate) == (0.5, 4, 64, 3e-5)
    assert (FinetuningOptions().settings().epochs, FinetuningOptions().settings().rate) == (4, 2e-5)


def test_judged_pairs_by_column_and_group(judgements: Path) -> None:
    said: list[str] = []
    [data] = PeopleOptions("fluency", "lp", "*-en").read([str(judgements)], said.append)
    assert data.scores.tolist() == [0, -2, -4]
    assert PeopleOptions().read(None, said.append) == []
    with pytest.raises(UnknownName, match="did you mean 'en-de'"):
        PeopleOptions(groups="de-en,en-dee").read([str(judgements)], said.append)
    assert said == []


def test_sources_are_read_as_references(judgements: Path) -> None:
    assert PairOptions().columns("source").reference == ("source",)
    assert PairOptions(reference="src").columns("source").reference == ("src",)
    with pytest.raises(InputError, match="source"):
        PeopleOptions().read([str(judgements)], silent_log, "source")


def test_who_gave_the_scores(judgements: Path) -> None:
    assert OriginOptions().facts([str(judgements)], silent_log) == {}
    told = OriginOptions("MODEL-X, prompt direct", "its terms apply").facts([str(judgements)], silent_log)
    assert told == {"teacher": "MODEL-X, prompt direct", "licence": "its terms apply"}


def test_a_quiet_log_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert log_of(True) is silent_log
    log_of(False)("a line")
    assert capfd.readouterr().err == "a line\n"
