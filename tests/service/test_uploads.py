"""Files that a client sends."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from farthing.core.errors import FarthingError
from farthing.service.uploads import UploadRole, read_upload


def test_lines_and_tables() -> None:
    assert read_upload("a.txt", b"one\ntwo\n")["systems"] == {"a.txt": ["one", "two"]}
    table = read_upload("b.csv", b"mt,ref,src\nx,y,z\n")
    assert table == {"systems": {"b.csv": ["x"]}, "references": [["y"]], "sources": ["z"]}
    long = b'{"system": "p", "id": "1", "mt": "a", "ref": "r"}\n{"system": "q", "id": "1", "mt": "b", "ref": "r"}\n'
    assert read_upload("c.jsonl", long)["systems"] == {"p": ["a"], "q": ["b"]}
    assert read_upload("noname", b"one\n")["systems"] == {"noname": ["one"]}


@pytest.mark.parametrize(("role", "key"), [("references", "references"), ("sources", "sources")])
def test_other_roles(role: UploadRole, key: str) -> None:
    found = read_upload("r.txt", b"one\ntwo\n", role)
    assert found[key] == ([["one"], ["two"]] if key == "references" else ["one", "two"])  # type: ignore[literal-required]
    assert found["systems"] == {}


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("bad.txt", b"fine\n\xff\xfe\n", "bad.txt:2: not UTF-8"),
        ("bad.jsonl", b"{", "bad.jsonl"),
        ("empty.txt", b"", "empty.txt"),
        ("../../etc/passwd", b"\0\0", "passwd: the file is no text"),
        ("a<b>.csv", b"mt,ref\nx\n", "a_b_.csv"),
        ("x.csv", gzip.compress(b"mt,ref\na,b\n", mtime=0), "x.csv: the file is compressed"),
        ("x.csv", b"PK\x03\x04", "x.csv: is a zip archive"),
    ],
)
def test_a_broken_file_gets_a_sentence_with_its_name_and_no_path(name: str, content: bytes, sentence: str) -> None:
    with pytest.raises(FarthingError) as caught:
        read_upload(name, content)
    assert sentence in str(caught.value)
    assert "upload" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "../../secret.csv",
        "/etc/secret.csv",
        "..\\..\\secret.csv",
        "C:\\secret.csv",
        "a/../secret.csv",
        "secret.csv\0.csv",
    ],
)
def test_a_name_leads_nowhere(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is a file of that name read, nor one written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.csv").write_text("mt,ref\nsecret,secret\n")
    found = read_upload(name, b"mt,ref\nx,y\n")
    assert list(found["systems"].values()) == [["x"]]
    assert not any(set(system) & set("/\\:\0") for system in found["systems"])
    assert (tmp_path / "secret.csv").read_text() == "mt,ref\nsecret,secret\n"
    assert list(tmp_path.iterdir()) == [tmp_path / "secret.csv"]
