"""`farthing mcp`: metrics as tools for agents."""

from __future__ import annotations

from farthing.core.errors import MissingExtra


def mcp() -> None:
    """Offer score, compare, align and metrics as tools to agents, over standard input and output.

    An agent's program starts the command itself, by the Model Context Protocol. The tools read the texts that they are
    given and nothing else: no file, no address, no download.

    Example: farthing mcp
    """
    try:
        from farthing.app.agents.tools import run_tools
    except ModuleNotFoundError as error:
        raise MissingExtra("farthing mcp", "mcp") from error
    run_tools()
