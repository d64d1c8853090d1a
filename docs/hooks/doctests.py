"""Show the examples of docstrings as code: `>>>` lines and what they print become fenced blocks."""

from __future__ import annotations

import re

import griffe

EXAMPLE = re.compile(r"^(?P<lines>>>> .*(?:\n(?!\s*$).*)*)", re.MULTILINE)


class Doctests(griffe.Extension):
    """Rewrites docstrings while they are loaded."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Fence the examples of one docstring."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(r"```pycon\n\g<lines>\n```", obj.docstring.value)
