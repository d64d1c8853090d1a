"""The names that `farthing.meta` offers, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import farthing.meta


def test_every_name_can_be_fetched() -> None:
    for name in farthing.meta.__all__:
        assert callable(getattr(farthing.meta, name))
    with pytest.raises(AttributeError, match="no attribute 'corelate'"):
        _ = farthing.meta.corelate


def test_import_of_the_package_stays_light() -> None:
    code = (
        "import sys, farthing, farthing.meta; "
        "print([m for m in ('scipy', 'torch', 'matplotlib', 'pandas', 'sacrebleu') if m in sys.modules]); "
        "farthing.meta.correlate, farthing.meta.williams; "
        "print([m for m in ('scipy', 'torch', 'matplotlib', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "[]"]
