"""Settings of judges."""

import pytest

from farthing.core.errors import UsageError
from farthing.core.schema import record
from farthing.learn.match.settings import MatchSettings


def test_a_table_of_a_recipe_names_the_fields() -> None:
    table = {"epochs": 2, "rate": 5e-5, "head_rate": 2e-3, "frozen": 2, "warm_up": 0.1, "decay": 0, "parts": False}
    settings = record(MatchSettings, table, "recipe.toml")
    assert settings == MatchSettings(2, 16, 5e-5, 0.1, head_rate=2e-3, frozen=2, decay=0.0, parts=False)


def test_wrong_values_get_a_sentence() -> None:
    with pytest.raises(UsageError, match="epochs, rate and clip must be above 0"):
        MatchSettings(epochs=0)
