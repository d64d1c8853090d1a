"""Settings that cannot be are told."""

from __future__ import annotations

from typing import Any

import pytest

from farthing.core.errors import UsageError
from farthing.learn.regress.settings import RegressSettings


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"decay": 0.0}, "decay above 0"),
        ({"decay": 1.5}, "at most 1"),
        ({"encoder_rate": 0.0}, "encoder_rate must be above 0"),
        ({"dropout": 1.0}, "dropout from 0"),
        ({"limit": 3}, "at least 8 tokens"),
        ({"patience": 0}, "patience must be at least 1"),
        ({"epochs": 0}, "epochs, rate and clip must be above 0"),
    ],
)
def test_wrong_settings(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        RegressSettings(**changes)
