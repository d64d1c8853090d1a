"""The card of an estimator in Markdown: what it is, how good it is, how it was made, its limits and its licence.

Everything here formats facts that are in config.json; nothing is measured.
"""

from __future__ import annotations

from collections.abc import Mapping

from farthing.students.card import fact_group, facts_table, licence_text
from farthing.students.regressor import SHAPE

LIMITS = (
    "The score is a raw number on the scale of the training scores: not clipped, and comparable only between outputs "
    "that the same estimator scored.",
    "Each text is one vector, so single facts (numbers, names, negation) weigh little.",
    "A text over the token limit is truncated; `long=window` reads it whole.",
)


def estimator_card(name: str, facts: Mapping[str, object]) -> str:
    """Write the card from the facts in config.json."""
    flags = {"reference": "-r ref.txt", "source": "-s src.txt"}
    inputs = fact_group(facts, SHAPE).get("inputs")
    needed = " ".join(flags[str(side)] for side in inputs) if isinstance(inputs, list | tuple) else ""
    parts = [
        f"# {name}",
        "An estimator as COMET: one vector per text, features of candidate, reference and source, and a head.",
        facts_table("What it is", _identity(facts)),
        facts_table("How good it is", _quality(facts)),
        facts_table("How it was trained", _training(facts)),
        "## Limits\n\n" + "\n".join(f"- {line}" for line in LIMITS),
        f"## Licence\n\n{licence_text(facts)}",
        f'## Use\n\n    farthing score hyp.txt {needed} -m "comet(model={name})"',
    ]
    return "\n\n".join(parts) + "\n"


def _identity(facts: Mapping[str, object]) -> dict[str, object]:
    shape = dict(fact_group(facts, SHAPE))
    inputs = shape.pop("inputs", None)
    shown = {key.replace("_", " "): value for key, value in shape.items() if value not in (None, False)}
    return {
        "compares with": " and ".join(map(str, inputs)) if isinstance(inputs, list | tuple) else None,
        "encoder": facts.get("encoder_name"),
        "parameters": f"{facts.get('parameters', 0):,}",
        "precision": facts.get("precision"),
        **shown,
    }


def _quality(facts: Mapping[str, object]) -> dict[str, object]:
    export = fact_group(facts, "export")
    checks = {f"held-out {name}": value for name, value in fact_group(facts, "held_out").items()}
    return {
        **checks,
        "rows per second, one core, when exported": export.get("speed"),
        "largest difference to the trained model": export.get("difference"),
        "Pearson with the trained model": export.get("pearson"),
    }


def _training(facts: Mapping[str, object]) -> dict[str, object]:
    adapter = fact_group(facts, "adapter")
    trained = facts.get("trained_parameters")
    return {
        "data": facts.get("data"),
        "rows": facts.get("rows"),
        "synthetic rows": facts.get("synthetic_rows") or None,
        "teacher": facts.get("teacher"),
        "adapter": adapter.get("method"),
        "parameters that learned": f"{trained:,}" if isinstance(trained, int) else None,
        "seconds": facts.get("training_seconds"),
        **{key.replace("_", " "): value for key, value in fact_group(facts, "settings").items() if value is not None},
    }
