"""Who may be let in, and by which token."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.app.web.guard import LOOPBACK
from farthing.app.web.server import access_of, read_token
from farthing.core.errors import UsageError


def test_the_token_comes_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FARTHING_TOKEN", raising=False)
    assert read_token(None) is None
    monkeypatch.setenv("FARTHING_TOKEN", "0123456789abcdef")
    assert read_token(None) == "0123456789abcdef"
    file = tmp_path / "token"
    file.write_text("another-token-of-length\n", encoding="utf-8")
    assert read_token(file) == "another-token-of-length"
    file.write_text("short", encoding="utf-8")
    with pytest.raises(UsageError, match="shorter than 16 characters"):
        read_token(file)
    monkeypatch.setenv("FARTHING_TOKEN", "short")
    with pytest.raises(UsageError, match=r"\$FARTHING_TOKEN"):
        read_token(None)


def test_other_machines_need_a_token_unless_somebody_says_so() -> None:
    assert access_of("127.0.0.1", None, ["here"], False).hosts == [*LOOPBACK, "here"]
    assert access_of("127.0.0.1", "t", [], False).hosts == []
    with pytest.raises(UsageError, match="set a token"):
        access_of("0.0.0.0", None, [], False)
    assert access_of("0.0.0.0", None, [], True).token is None
    assert access_of("0.0.0.0", "t", ["me"], False).token == "t"
