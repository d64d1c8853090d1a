"""Which languages an encoder can read, as far as its folder says."""

from __future__ import annotations

import re
from pathlib import Path

from farthing.core.errors import SpecError
from farthing.encoders.folder.layout import CONFIG
from farthing.encoders.folder.locate import locate
from farthing.encoders.tokens.tokenize import read_json

LISTS = ("languages", "reads", "measured")  #: where a student's facts may list languages
_HEAD = re.compile(r"\A---\n(.*?)\n---", re.DOTALL)  # the facts at the top of a model card
_LANGUAGES = re.compile(r"^languages?:[ \t]*(\[.*?\]|\S.*)?((?:\n[ \t]*-[ \t]*\S.*)*)", re.MULTILINE)
_NAMES = {"en": "English"}
_CODE = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")


def known_languages(folder: Path) -> frozenset[str]:
    """Return the codes of the languages that an encoder reads; empty if nothing says which.

    A student's configuration lists those that it reads or, if it reads all, was measured in; other models have a card.
    """
    told = read_json(folder / CONFIG, missing_ok=True).get("farthing")
    facts = told if isinstance(told, dict) else {}
    for key in LISTS:
        if isinstance(facts.get(key), list):
            return frozenset(map(str, facts[key]))
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
