"""Settings of cross-encoders."""

import pytest

from farthing.core.errors import UsageError
from farthing.learn.cross.settings import CrossSettings


def test_the_defaults_are_the_papers() -> None:
    settings = CrossSettings()
    assert (settings.epochs, settings.batch, settings.rate, settings.warm_up) == (3, 32, 3e-5, 0.06)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"limit": 7}, "at least 8 tokens"),
        ({"patience": 0}, "patience"),
        ({"epochs": 0}, "epochs"),
        ({"checks": 0}, "checks"),
    ],
)
def test_wrong_settings_get_a_sentence(changes: dict[str, float], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        CrossSettings(**changes)  # type: ignore[arg-type]
