"""The card of an exported student: what it is, what it was made from, how good and how fast it is, and its limits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

LIMITS = (
    "It knows what its teacher knew and inherits its faults; it was never shown what is not in its pairs.",
    "The score is a raw number on the teacher's scale: not clipped, and an exact copy need not get the highest.",
    "Candidate and reference are not interchangeable unless `symmetric=true`.",
    "Pairs over the token limit are cut; `long=window` reads them whole.",
)
_INTEGER = "Eight-bit products deviate a little from the original; compare only scores of the same precision."


def card(name: str, facts: Mapping[str, Any]) -> str:
    """The card in Markdown."""
    parts = [
        f"# {name}",
        "A FrugalScore student: a small cross-encoder that learnt the scores of another metric.",
        _table("What it is", _identity(facts)),
        _table("How good it is", _quality(facts)),
        _table("How it was trained", _training(facts)),
        "## Limits\n\n" + "\n".join(f"- {line}" for line in _limits(facts)),
        f"## Licence\n\n{facts.get('licence', 'unknown')}",
        f'## Use\n\n    farthing score hyp.txt -r ref.txt -m "frugalscore(model={name})"',
    ]
    if facts.get("recipe"):
        recipe = json.dumps(facts["recipe"], indent=2, ensure_ascii=False)
        parts.append(f"## Recipe of the pairs\n\n```json\n{recipe}\n```")
    return "\n\n".join(parts) + "\n"


def _identity(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "teacher": f"`{facts.get('teacher', 'unknown')}`",
        "teacher's signature": f"`{facts.get('teacher_signature') or 'unknown'}`",
        "parameters": f"{facts.get('parameters', 0):,}",
        "precision": facts.get("precision"),
        "last layer cut to its first row": "yes" if facts.get("cut_to_first_row") else "no",
    }


def _quality(facts: Mapping[str, Any]) -> dict[str, Any]:
    held, export = facts.get("held_out") or {}, facts.get("export") or {}
    teacher, human = facts.get("teacher_agreement") or {}, facts.get("human_agreement") or {}
    return {
        "Pearson with the teacher, held-out pairs": held.get("pearson"),
        "Spearman with the teacher, held-out pairs": held.get("spearman"),
        "Pearson with the teacher, pairs of the export": teacher.get("pearson"),
        "Pearson with people": f"{human['pearson']} ({human['data']})" if human else None,
        "pairs a second, one core, when exported": export.get("speed"),
        "largest difference to the trained model": export.get("difference"),
        "Pearson with the trained model": export.get("pearson"),
    }


def _training(facts: Mapping[str, Any]) -> dict[str, Any]:
    start = facts.get("start") or {}
    return {
        "pairs": facts.get("pairs"),
        "started from": start.get("name", "").rstrip("/").rpartition("/")[2] or None,
        "layers kept": start.get("layers"),
        "seconds": facts.get("training_seconds"),
        **{name: value for name, value in (facts.get("settings") or {}).items() if value is not None},
    }


def _limits(facts: Mapping[str, Any]) -> list[str]:
    return [*LIMITS, *([_INTEGER] if facts.get("precision") == "int8" else [])]


def _table(title: str, rows: Mapping[str, Any]) -> str:
    shown = {name: value for name, value in rows.items() if value is not None}
    lines = [f"| {name} | {_number(value)} |" for name, value in shown.items()]
    return "\n".join([f"## {title}", "", "| | |", "|---|---|", *lines])


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
