"""Whether the network may be used: only if the user asks for it."""

from __future__ import annotations

import os

ONLINE = "FARTHING_ONLINE"  # the environment variable that allows the network
_OFFLINE = ("FARTHING_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")


def is_online() -> bool:
    """Tell whether the user has allowed the network, by --online or $FARTHING_ONLINE, and has not forbidden it."""
    return asks_for_network() and not is_offline()


def asks_for_network() -> bool:
    """Tell whether the user has allowed the network."""
    return _is_set(ONLINE)


def is_offline() -> bool:
    """Tell whether the user has forbidden the network."""
    return any(map(_is_set, _OFFLINE))


def _is_set(variable: str) -> bool:
    return os.environ.get(variable, "").lower() in ("1", "true", "yes", "on")
