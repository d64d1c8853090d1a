"""Where a text has its sentences."""

from __future__ import annotations

import re

_END = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+(?=[\"'“‘(]*[A-Z0-9])|\n+")


def sentences(text: str) -> list[str]:
    """Cut a text into sentences: at line ends, and after . ! ? if a capital or a digit follows.

    >>> sentences("It rained. Nobody came! Did you?")
    ['It rained.', 'Nobody came!', 'Did you?']
    """
    return [part.strip() for part in _END.split(text) if part.strip()]
