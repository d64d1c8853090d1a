"""`farthing help`: what does a command do?"""

from __future__ import annotations

from typing import Annotated

from farthing.app.cli import typed
from farthing.app.cli.main import COMMANDS, print_commands


def show_help(
    command: Annotated[
        list[str] | None, typed.Argument(help="A command, and the sub-command of a group.", completes="command")
    ] = None,
) -> None:
    """Show what a command does, and its options; without a name, list the commands.

    Examples:
      farthing help
      farthing help score
      farthing help learn pairs
    """
    if not command:
        print_commands()
        return
    name, *inner = command
    typed.run(COMMANDS.get(name), [*inner, "--help"], f"farthing {name}")
