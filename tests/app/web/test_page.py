"""The page and its parts are served, and ask for nothing from elsewhere."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient

from farthing.app.web.page import asset_names, asset_text


def test_every_part_that_the_page_names_is_there(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    parts = re.findall(r'(?:href|src)="(assets/[^"]+)"', page.text)
    assert len(parts) > 4
    for part in parts:
        assert client.get(f"/{part}").status_code == 200


@pytest.mark.parametrize("name", sorted(asset_names()))
def test_a_part_imports_only_other_parts(client: TestClient, name: str) -> None:
    text = asset_text(name)
    assert client.get(f"/assets/{name}").text == text
    for other in re.findall(r'from "\./([^"]+)"', text):
        assert other in asset_names()
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert "innerHTML" not in text


def test_nothing_else_is_served(client: TestClient) -> None:
    for name in ("nothing.js", "..%2fpage.py", "__init__.py", "index.html"):
        assert client.get(f"/assets/{name}").status_code == 404
