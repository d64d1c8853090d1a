"""The package of meta-evaluation, which imports its modules on first use."""

from __future__ import annotations

import subprocess
import sys

import pytest

import farthing


def test_import_of_the_package_stays_light() -> None:
    code = (
        "import sys, farthing, farthing.meta; "
        "print([m for m in ('scipy', 'torch', 'matplotlib', 'pandas', 'sacrebleu') if m in sys.modules]); "
        "farthing.meta.correlate, farthing.meta.williams; "
        "print([m for m in ('scipy', 'torch', 'matplotlib', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "[]"]


def test_every_public_name_exists() -> None:
    assert all(callable(getattr(farthing.meta, name)) for name in farthing.meta.__all__)
    with pytest.raises(AttributeError, match=r"'farthing\.meta' has no attribute 'corelate'"):
        farthing.meta.corelate  # noqa: B018
