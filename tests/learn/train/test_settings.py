"""Settings that make no sense are refused."""

import pytest

from farthing.core.errors import UsageError
from farthing.learn.train.settings import Settings


@pytest.mark.parametrize(
    "changes",
    [{"epochs": 0}, {"batch": 0}, {"rate": 0.0}, {"warm_up": 1.0}, {"warm_up": -0.1}, {"clip": 0.0}, {"checks": 0}],
)
def test_wrong_settings_get_a_sentence_that_names_them(changes: dict[str, float]) -> None:
    [name] = changes
    with pytest.raises(UsageError, match=name.replace("_", "-")):
        Settings(**changes)  # type: ignore[arg-type]


def test_a_fraction_of_an_epoch_is_fine() -> None:
    assert Settings(epochs=0.5).epochs == 0.5
