from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import InputError
from farthing.files.toml import read_toml


def test_tables_lists_and_numbers_come_back(tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_text('seed = 1\n[plan]\nrate = 3e-5\n[[parts]]\nfile = "ä.txt"\n', encoding="utf-8")
    assert read_toml(path) == {"seed": 1, "plan": {"rate": 3e-5}, "parts": [{"file": "ä.txt"}]}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"a = = 1\n", "broken TOML: "), (b'a = "\xff"\n', "broken TOML: .*utf-8"), (b"", "the file is empty")],
)
def test_what_is_not_toml_is_a_sentence_with_the_file(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "r.toml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=rf"r\.toml: {sentence}"):
        read_toml(path)


def test_a_file_that_is_missing_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_toml(tmp_path / "none.toml")
