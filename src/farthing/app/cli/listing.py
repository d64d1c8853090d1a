"""The list of the commands of a group."""

from __future__ import annotations

import argparse
from collections.abc import Mapping


def print_listing(summary: str, commands: Mapping[str, str], program: str) -> None:
    """Print a group's help: its commands, one line each."""
    usage = f"{program} COMMAND [OPTIONS]"
    parser = argparse.ArgumentParser(prog=program, description=summary, add_help=False, usage=usage)
    names = parser.add_argument_group("commands")
    for name, text in commands.items():
        names.add_argument(name, help=text.replace("%", "%%"), nargs="?")
    parser.print_help()
