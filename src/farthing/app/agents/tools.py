"""The tools that an agent can call: score, compare, align and metrics. They read texts only, and no file or address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Literal, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from farthing.core.errors import FarthingError
from farthing.core.types import Pairs
from farthing.core.version import __version__
from farthing.service.order import Order, Resampling
from farthing.service.service import Service

ABOUT = (
    "Scores generated texts against references or sources, offline and within milliseconds. Call metrics to see what "
    "there is; frugalscore, the default, judges meaning on a scale from about 0 to 100."
)
SegmentTexts = Annotated[list[str], Field(min_length=1, description="One text per segment.")]
ReferenceLists = Annotated[
    list[list[str]] | None, Field(description="For each segment a list of one or more references.")
]
Sources = Annotated[list[str] | None, Field(description="For each segment the text it was made from.")]
Metrics = Annotated[list[str], Field(description="Specs such as chrf or chrf(word_order=2); empty for the default.")]
_Given = ParamSpec("_Given")
_Reply = TypeVar("_Reply")


def agent_server(service: Service) -> MCPServer:
    """Return a server with four tools over a service that was started."""
    server = MCPServer("farthing", version=__version__, instructions=ABOUT, log_level="WARNING")
    reads = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    for tool in (_score(service), _compare(service), _align(service), _metrics(service)):
        server.add_tool(tool, annotations=reads, structured_output=True)
    return server


def told(tool: Callable[_Given, _Reply]) -> Callable[_Given, _Reply]:
    """Let a tool answer a mistake by its sentence, and nothing else."""

    @wraps(tool)
    def call(*given: _Given.args, **named: _Given.kwargs) -> _Reply:
        try:
            return tool(*given, **named)
        except FarthingError as error:
            raise ToolError(" ".join(str(error).split())) from None
        except TimeoutError:
            raise ToolError("the answer took longer than it may: send fewer rows at a time") from None

    return call


def _result(order: Order, seconds: float) -> dict[str, object]:
    return order.wait(seconds).comparison().to_dict()


def _score(service: Service) -> Callable[..., dict[str, object]]:
    @told
    def score(
        candidates: SegmentTexts,
        references: ReferenceLists = None,
        sources: Sources = None,
        metrics: Metrics = [],  # noqa: B006
    ) -> dict[str, object]:
        """Score texts against references, or against the sources they were made from: all together and one by one."""
        pairs = Pairs(candidates, [[]] * len(candidates) if references is None else references, sources)
        return _result(service.score([pairs], metrics), service.limits.seconds)

    return score


def _compare(service: Service) -> Callable[..., dict[str, object]]:
    @told
    def compare(
        systems: Annotated[
            dict[str, SegmentTexts], Field(min_length=2, description="The outputs of each system, by name.")
        ],
        references: ReferenceLists = None,
        sources: Sources = None,
        metrics: Metrics = [],  # noqa: B006
        test: Literal["bootstrap", "randomization"] = "bootstrap",
    ) -> dict[str, object]:
        """Tell which of several systems is better on the same segments, with intervals and a significance test."""
        order = service.compare(systems, references, sources, metrics, Resampling(test=test))
        return _result(order, service.limits.seconds)

    return compare


def _align(service: Service) -> Callable[..., dict[str, object]]:
    @told
    def align(
        candidate: Annotated[str, Field(description="The text to judge.")],
        reference: Annotated[str, Field(description="The text that it is compared with.")],
        metric: Annotated[
            str, Field(description="frugalscore or bertscore, with options; empty for the default.")
        ] = "",
    ) -> dict[str, object]:
        """Show which tokens of two texts match, and which words are likely wrong or missing."""
        return service.align(candidate, reference, metric).answer.result(service.limits.seconds)

    return align


def _metrics(service: Service) -> Callable[..., dict[str, object]]:
    @told
    def metrics() -> dict[str, object]:
        """List the metrics, what each needs, and the options and values that a spec may name."""
        forms: Sequence[object] = service.forms()
        return {"default": service.allowed.default, "metrics": forms}

    return metrics


def run_tools() -> None:
    """Offer the tools over standard input and output until the client goes away."""
    service = Service().start()
    try:
        agent_server(service).run("stdio")
    finally:
        service.close()
