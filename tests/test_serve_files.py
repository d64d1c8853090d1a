"""What docs/serve.md shows is what the service answers, and the files around it say what the service does."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from fastapi.testclient import TestClient

from farthing.app.cli.serve import serve
from farthing.app.cli.typed import build
from farthing.app.web.application import create_app
from farthing.app.web.documents import ERRORS
from farthing.app.web.guard import Access
from farthing.service.limits import Limits
from farthing.service.service import Service

PROJECT = Path(__file__).resolve().parents[1]
PAGE = (PROJECT / "docs" / "serve.md").read_text(encoding="utf-8")
CALLS = re.compile(r"```bash\n(curl .*?)```\n\n```json\n(.*?)```", re.DOTALL)
VERSION = re.compile(r"\bversion:[\w.]+")


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(Service(), Access(hosts=()))) as made:
        yield made


@pytest.mark.parametrize(("call", "shown"), CALLS.findall(PAGE))
def test_the_page_shows_what_the_service_answers(client: TestClient, call: str, shown: str) -> None:
    words = shlex.split(call)
    headers = dict(words[place + 1].split(": ", 1) for place, word in enumerate(words) if word == "-H")
    body = words[words.index("-d") + 1]
    address = next(word for word in words if word.startswith("http://127.0.0.1:8000/"))
    answer = client.post(address.removeprefix("http://127.0.0.1:8000"), content=body, headers=headers)
    found, expected = (
        [json.loads(VERSION.sub("version", line)) for line in text.splitlines()] for text in (answer.text, shown)
    )
    assert found == expected


def test_the_page_names_every_path_option_and_status(client: TestClient) -> None:
    for path in client.get("/openapi.json").json()["paths"]:
        assert path in PAGE
    parser, _ = build(serve, "farthing serve")
    unknown = set(re.findall(r"`(--[a-z-]+)", PAGE)) - set(parser._option_string_actions)
    assert unknown == set()
    assert all(str(status) in PAGE for status in ERRORS if status in (403, 409, 413, 422, 429, 504))


def test_the_page_tells_the_limits_that_hold() -> None:
    limits = Limits()
    for value in (limits.body, limits.rows, limits.characters, limits.queue, limits.window, limits.seconds):
        assert f"{value:,.0f}" in PAGE


def test_the_container_runs_the_command_with_an_extra_that_there_is() -> None:
    text = (PROJECT / "Containerfile").read_text(encoding="utf-8")
    extras = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(re.findall(r"farthing\[(\w+)\]", text)) <= set(extras)
    [entry] = re.findall(r"^ENTRYPOINT (\[.*\])$", text, re.MULTILINE)
    program, command, *options = json.loads(entry)
    assert (program, command) == ("farthing", "serve")
    build(serve, "farthing serve")[0].parse_args(options)
    for source in re.findall(r"^COPY (?!--)(.*) \S+$", text, re.MULTILINE):
        assert all((PROJECT / name).exists() for name in source.split())


def test_the_unit_of_systemd_starts_the_command() -> None:
    [line] = re.findall(r"^ExecStart=\S+/farthing serve (.*)$", PAGE, re.MULTILINE)
    build(serve, "farthing serve")[0].parse_args(shlex.split(line))
    [stop] = re.findall(r"^TimeoutStopSec=(\d+)$", PAGE, re.MULTILINE)
    assert int(stop) > Limits().seconds
