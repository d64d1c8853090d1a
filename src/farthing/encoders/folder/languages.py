"""Which languages an encoder can read, as far as its folder says."""

from __future__ import annotations

import re
from pathlib import Path

from farthing.core.errors import SpecError
from farthing.encoders.folder.layout import CONFIG
from farthing.encoders.folder.locate import EMBEDDED, locate
from farthing.encoders.tokens.tokenize import read_json

_HEAD = re.compile(r"\A---\n(.*?)\n---", re.DOTALL)  # the facts at the top of a model card
_LANGUAGES = re.compile(r"^languages?:[ \t]*(\[.*?\]|\S.*)?((?:\n[ \t]*-[ \t]*\S.*)*)", re.MULTILINE)
_NAMES = {"en": "English"}
_CODE = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")


def known_languages(folder: Path) -> frozenset[str]:
    """Return the codes of the languages that an encoder reads; empty if nothing says which.

    A student's configuration may list them; Farthing's own students read English; other models have a card.
    """
    facts = read_json(folder / CONFIG, missing_ok=True).get("farthing")
    listed = facts.get("languages") if isinstance(facts, dict) else None
    if isinstance(listed, list):
        return frozenset(map(str, listed))
    if folder.resolve().parent == EMBEDDED:
        return frozenset({"en"})
    card = folder / "README.md"
    return card_languages(card.read_text(encoding="utf-8", errors="replace")) if card.is_file() else frozenset()


def card_languages(text: str) -> frozenset[str]:
    """Return the languages at the top of a model card.

    >>> sorted(card_languages("---\\nlanguage:\\n- en\\n- de\\ntags: [x]\\n---\\n# Model"))
    ['de', 'en']
    """
    head = _HEAD.match(text)
    found = _LANGUAGES.search(head[1]) if head else None
    return frozenset(_CODE.findall(f"{found[1] or ''} {found[2]}")) if found else frozenset()


def check_multilingual(metric: str, model: str) -> None:
    """Raise an error if a metric that compares two languages is given an encoder of one."""
    languages = known_languages(locate(model))
    if len(languages) == 1 and languages != {"multilingual"}:
        [language] = languages
        raise SpecError(
            f"{metric} compares two languages, but {model} reads only {_NAMES.get(language, language)}: name a "
            "multilingual encoder (model=), or pass monolingual=true if source and candidate are in one language"
        )
