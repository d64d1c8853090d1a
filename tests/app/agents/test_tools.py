"""The tools as an agent's program uses them: over standard input and output, and in this process."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

import farthing

mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")

from farthing.app.agents.tools import agent_server  # noqa: E402
from farthing.service.service import Service  # noqa: E402


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    started = Service().start()
    yield started
    started.close()


def asked(server: object, talk: Callable[[Any], Awaitable[None]]) -> None:
    async def run() -> None:
        async with mcp.Client(server) as client:
            await talk(client)

    asyncio.run(asyncio.wait_for(run(), 120))


def said(result: Any) -> str:
    return " ".join(part.text for part in result.content)


def test_a_client_over_stdio_lists_tools_scores_and_reads_a_sentence() -> None:
    command = ["-c", "from farthing.app.cli.main import main; main(['mcp'])"]
    server = mcp.StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))

    async def talk(client: Any) -> None:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == {"score", "compare", "align", "metrics"}
        texts = {"candidates": ["the cat sat", "a b"], "references": [["a cat sat down"], ["a b"]]}
        found = await client.call_tool("score", {**texts, "metrics": ["chrf", "frugalscore(size=nano)"]})
        assert not found.is_error
        for result in found.structured_content["results"]:
            spec = {"chrf": "chrf", "frugalscore": "frugalscore(size=nano)"}[result["metric"]]
            expected = farthing.score(texts["candidates"], texts["references"], spec)
            assert result["corpus"] == pytest.approx(expected.corpus, abs=1e-9)
        bad = await client.call_tool("score", {**texts, "metrics": ["frugalscore(model=/etc/passwd)"]})
        assert bad.is_error
        assert "the option 'model' of frugalscore is not offered here" in said(bad)
        assert "Traceback" not in said(bad)

    asked(server, talk)


def test_compare_align_and_metrics(service: Service) -> None:
    async def talk(client: Any) -> None:
        systems = {"a": ["the cat sat"], "b": ["dogs"]}
        found = await client.call_tool(
            "compare", {"systems": systems, "references": [["the cat"]], "metrics": ["chrf"]}
        )
        assert [one["system"] for one in found.structured_content["results"]] == ["a", "b"]
        assert found.structured_content["test"]["name"] == "bootstrap"
        aligned = await client.call_tool("align", {"candidate": "the cat", "reference": "a cat"})
        assert aligned.structured_content["candidate"] == ["the", "cat"]
        listed = await client.call_tool("metrics", {})
        assert "chrf" in [one["name"] for one in listed.structured_content["metrics"]]
        assert json.loads(said(listed))["default"] == "frugalscore"

    asked(agent_server(service), talk)


@pytest.mark.parametrize(
    ("tool", "given", "sentence"),
    [
        ("score", {"candidates": ["a"], "metrics": ["chrf"]}, "chrf needs a reference"),
        ("score", {"candidates": ["a"], "references": [["b"], ["c"]]}, "1 candidates but 2 references"),
        ("compare", {"systems": {"a": ["x"], "b": ["x", "y"]}}, "different numbers of outputs"),
        ("align", {"candidate": "a", "reference": "b", "metric": "chrf"}, "cannot show which tokens match"),
    ],
)
def test_a_mistake_gets_a_sentence(service: Service, tool: str, given: dict[str, object], sentence: str) -> None:
    async def talk(client: Any) -> None:
        answer = await client.call_tool(tool, given)
        assert answer.is_error
        assert sentence in said(answer)

    asked(agent_server(service), talk)
