"""The network: used only if it is asked for, and never if it is forbidden."""

from __future__ import annotations

import pytest

from farthing.core.network import asks_for_network, is_offline, is_online


@pytest.mark.parametrize(
    ("settings", "online"),
    [
        ({}, False),
        ({"FARTHING_ONLINE": "1"}, True),
        ({"FARTHING_ONLINE": "Yes"}, True),
        ({"FARTHING_ONLINE": "0"}, False),
        ({"FARTHING_ONLINE": "1", "HF_HUB_OFFLINE": "1"}, False),
    ],
)
def test_asked_for_and_not_forbidden(monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], online: bool) -> None:
    for name in ("FARTHING_ONLINE", "FARTHING_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert is_online() is online
    assert is_offline() is ("HF_HUB_OFFLINE" in settings)
    assert asks_for_network() is (settings.get("FARTHING_ONLINE") in ("1", "Yes"))
