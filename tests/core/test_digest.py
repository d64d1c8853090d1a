"""Digests against hashlib and known digits."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.core import digest as module
from farthing.core.digest import digest, digest_files, digest_json, digest_stream


def test_known_digits() -> None:
    # SHA-256 of "" and "abc", from FIPS 180-4's examples.
    assert digest() == "e3b0c44298fc"
    assert digest("abc") == "ba7816bf8f01"


@given(st.lists(st.one_of(st.text(st.characters(exclude_categories=["Cs"])), st.binary()), max_size=5))
def test_parts_count_as_one_text(parts: list[str | bytes]) -> None:
    whole = b"".join(part.encode() if isinstance(part, str) else part for part in parts)
    assert digest(*parts) == digest_stream(iter(parts)) == hashlib.sha256(whole).hexdigest()[:12]


def test_files_are_read_in_blocks_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 300)
    content = bytes(range(256)) * 5
    (tmp_path / "a").write_bytes(content[:1000])
    (tmp_path / "b").write_bytes(content[1000:])
    assert digest_files([tmp_path / "a", tmp_path / "b"]) == hashlib.sha256(content).hexdigest()[:12]


def test_json_ignores_the_order_of_keys_only() -> None:
    value = {"b": [1, 2], "a": "ä"}
    assert digest_json(value) == digest_json({"a": "ä", "b": [1, 2]}) != digest_json({"a": "ä", "b": [2, 1]})
    assert digest_json(value) == digest(json.dumps(value, sort_keys=True))
