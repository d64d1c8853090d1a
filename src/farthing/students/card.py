"""The card of a student in Markdown: what it is, how good it is, how it was made, and its limits.

Everything here formats given facts; nothing is measured. The facts of a student of the kind cross are in its
config.json. Those of a student that matches tokens are :class:`MatchFacts`, which its folder may keep as card.json.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict, cast

from farthing.encoders.backends.embedded import FILES as ENCODERS
from farthing.students.layout import CARD_FACTS, StudentFolder

ABOVE = "above the equal text"  #: in a table of damage: how many damaged texts score above the equal text
LIMITS = (
    "It knows what its teacher knew and inherits its faults; it was never shown what is not in its pairs.",
    "The score is a raw number on the teacher's scale: not clipped, and an exact copy need not get the highest.",
    "Candidate and reference are not interchangeable unless `symmetric=true`.",
    "Pairs over the token limit are truncated; `long=window` reads them whole.",
)
NON_COMMERCIAL = (
    "**The teacher's licence allows no commercial use.** What was learned from its scores may fall under the same "
    "terms."
)
_INTEGER = "Eight-bit products deviate a little from the original; compare only scores of the same precision."
_MATCH_LIMITS = """English only. A text of more than {limit} tokens is read in windows, and a note names its row. The
score says how close a text is to its reference: an equally good text in other words gets less, and single facts
(numbers, names, negation) weigh too little, as the failures show. An empty text scores lowest against one that
is not empty."""


class Quality(TypedDict, total=False):
    """What was measured of one metric.

    :param wmt16: segment Pearson per language pair, and their mean
    :param tasks: segment Pearson per task, and their mean
    :param summaries: segment Pearson with the mean of all that people judged of summaries, and their mean
    :param paws: the area under the curve of PAWS
    :param damage: by kind of damage the share of texts that score below the equal text, and :data:`ABOVE`
    :param typical: mean and quartiles of the scores of WMT16's systems
    :param agreement: Pearson with the teacher, by the teacher's name
    """

    wmt16: dict[str, float]
    tasks: dict[str, float]
    summaries: dict[str, float]
    paws: float
    damage: dict[str, float]
    typical: list[float]
    agreement: dict[str, float]


class Failure(TypedDict):
    """A pair that a student judges wrongly, and why; `same` if people would score it high."""

    candidate: str
    reference: str
    why: str
    same: bool
    score: float


class MatchFacts(TypedDict):
    """The facts of a student that matches tokens.

    :param quality: what was measured of it and of its rivals, by spec
    :param sections: further paragraphs by their titles
    :param origin: where the starting weights came from, and their licence
    """

    spec: str
    recipe: str
    quality: dict[str, Quality]
    sections: dict[str, str]
    failures: list[Failure]
    origin: str


def cross_card(name: str, facts: Mapping[str, object]) -> str:
    """Write the card of a student of the kind cross from the facts in its config.json."""
    other = "-s src.txt" if facts.get("against") == "source" else "-r ref.txt"
    parts = [
        f"# {name}",
        "A FrugalScore student: a small cross-encoder that learnt the scores of a metric, of a judge or of people.",
        facts_table("What it is", _identity(facts)),
        facts_table("How good it is", _quality(facts)),
        facts_table("How it was trained", _training(facts)),
        "## Limits\n\n" + "\n".join(f"- {line}" for line in _limits(facts)),
        f"## Licence\n\n{licence_text(facts)}",
        f'## Use\n\n    farthing score hyp.txt {other} -m "frugalscore(model={name})"',
    ]
    if facts.get("recipe"):
        recipe = json.dumps(facts["recipe"], indent=2, ensure_ascii=False)
        parts.append(f"## Recipe of the pairs\n\n```json\n{recipe}\n```")
    return "\n\n".join(parts) + "\n"


def licence_text(facts: Mapping[str, object]) -> str:
    """Return what is known of the licence, and of that of the scores it learned from."""
    lines = [str(facts.get("licence", "unknown"))]
    teacher = facts.get("teacher_licence")
    if teacher:
        lines.append(f"The teacher's licence: {teacher}.")
    if facts.get("non_commercial"):
        lines.append(NON_COMMERCIAL)
    return "\n\n".join(lines)


def _identity(facts: Mapping[str, object]) -> dict[str, object]:
    tuned = fact_group(facts, "finetuned")
    teacher = facts.get("teacher", None if tuned else "unknown")
    names = tuned.get("human")
    return {
        "teacher": teacher and f"`{teacher}`",
        "teacher's signature": teacher and f"`{facts.get('teacher_signature') or 'unknown'}`",
        "fine-tuned on": ", ".join(map(str, names)) if isinstance(names, list) else None,
        "whose scores are by": tuned.get("scores_by"),
        "compares with": facts.get("against"),
        "parameters": f"{facts.get('parameters', 0):,}",
        "precision": facts.get("precision"),
        "last layer cut to its first row": "yes" if facts.get("cut_to_first_row") else "no",
    }


def _quality(facts: Mapping[str, object]) -> dict[str, object]:
    held, export = fact_group(facts, "held_out"), fact_group(facts, "export")
    teacher, human = fact_group(facts, "teacher_agreement"), fact_group(facts, "human_agreement")
    tuned = dict(fact_group(fact_group(facts, "finetuned"), "validation"))
    tuned.pop("best_epoch", None)
    return {
        "Pearson with the teacher, held-out pairs": held.get("pearson"),
        "Spearman with the teacher, held-out pairs": held.get("spearman"),
        "Pearson with the teacher, pairs of the export": teacher.get("pearson"),
        **{f"Pearson with the scores, held-out pairs of {name}": value for name, value in tuned.items()},
        "Pearson with people": f"{human['pearson']} ({human['data']})" if human else None,
        "pairs per second, one core, when exported": export.get("speed"),
        "largest difference to the trained model": export.get("difference"),
        "Pearson with the trained model": export.get("pearson"),
    }


def _training(facts: Mapping[str, object]) -> dict[str, object]:
    start = fact_group(facts, "start")
    return {
        "pairs": facts.get("pairs"),
        "pairs of the fine-tuning": fact_group(facts, "finetuned").get("pairs"),
        "started from": str(start.get("name", "")).rstrip("/").rpartition("/")[2] or None,
        "layers kept": start.get("depth"),
        "seconds": facts.get("training_seconds"),
        **{name: value for name, value in fact_group(facts, "settings").items() if value is not None},
    }


def _limits(facts: Mapping[str, object]) -> list[str]:
    return [*LIMITS, *([_INTEGER] if facts.get("precision") == "int8" else [])]


def fact_group(facts: Mapping[str, object], name: str) -> Mapping[str, object]:
    """Return facts that are kept together under a name; none if there are none."""
    group = facts.get(name)
    return group if isinstance(group, Mapping) else {}


def facts_table(title: str, rows: Mapping[str, object]) -> str:
    """Format facts as a table under a title; those that are None are left out."""
    shown = {name: value for name, value in rows.items() if value is not None}
    lines = [f"| {name} | {_number(value)} |" for name, value in shown.items()]
    return "\n".join([f"## {title}", "", "| | |", "|---|---|", *lines])


def _number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def read_match_facts(folder: StudentFolder) -> MatchFacts:
    """Read the facts that a folder keeps for its card."""
    return cast(MatchFacts, json.loads((folder.path / CARD_FACTS).read_text(encoding="utf-8")))


def shared_parts(folder: StudentFolder) -> str:
    """Name the student whose encoder, lowest layers or tokenizer is used, if it is not the student's own."""
    part = next((name for name in ("encoder", "tokenizer") if name in folder.facts), None)
    own = part == "encoder" and (folder.path / ENCODERS[folder.kind]).is_file()
    named = "lowest layers and the vocabulary" if own else part
    return f" beside the {named} of `{folder.facts[part]}`" if part else ""


def match_card(folder: StudentFolder, facts: MatchFacts) -> str:
    """Write the card of a student that matches tokens."""
    mean, low, high = facts["quality"][facts["spec"]]["typical"]
    lines = [
        f"# Farthing {folder.name}",
        "",
        f"A student of the kind `{folder.kind}`, {folder.bytes / 1e6:.1f} MB{shared_parts(folder)}, "
        "for English from a sentence to a paragraph.",
        f"Version {folder.version} of its weights, made by `farthing learn student {facts['recipe']}`.",
        "",
        "## Measured",
        "",
        *_measured(facts),
        "## Scale",
        "",
        "Equal texts score 100 and no others do; unrelated texts score about 0, or a little below.",
        f"The outputs of WMT16's systems have a mean of {mean:.0f}; a quarter of them score below {low:.0f},",
        f"a quarter above {high:.0f}.",
        "The corpus score is the mean of the segments.",
        "",
        "## Failures",
        "",
        "| candidate | reference | what people see | score |",
        "|---|---|---|---|",
        *map(_failure, facts["failures"]),
        "",
        "## Limits",
        "",
        _MATCH_LIMITS.format(limit=folder.limit),
        "",
        "## Licence and origin",
        "",
        f"Starting weights: {facts['origin']}. The student is under Farthing's own licence, Apache-2.0.",
        "",
    ]
    return "\n".join(lines)


def _measured(facts: MatchFacts) -> list[str]:
    quality = facts["quality"]
    names = {spec: short_spec(spec) for spec in quality}
    curve = {names[spec]: {"area under the curve": row["paws"]} for spec, row in quality.items()}
    return [
        *scores_table(
            "WMT16 to-English, segment Pearson (never trained on)",
            {names[spec]: row["wmt16"] for spec, row in quality.items()},
        ),
        *scores_table("Other tasks, segment Pearson", {names[spec]: row["tasks"] for spec, row in quality.items()}),
        *scores_table("Summaries, the mean of all that people judged, segment Pearson", _answers(facts, "summaries")),
        *scores_table("PAWS, English", curve),
        *_damage(quality[facts["spec"]]["damage"]),
        *_agreement(quality[facts["spec"]].get("agreement", {}), facts["spec"]),
        *(line for title, text in facts["sections"].items() for line in (f"### {title}", "", text, "")),
    ]


def _answers(facts: MatchFacts, question: Literal["summaries"]) -> dict[str, dict[str, float]]:
    """Return the answers of those metrics that were asked."""
    return {short_spec(spec): row[question] for spec, row in facts["quality"].items() if question in row}


def scores_table(title: str, values: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Format correlations, one row per metric; nothing if no metric has any."""
    if not values:
        return []
    columns: Sequence[str] = list(next(iter(values.values())))
    lines = [f"### {title}", "", f"| metric | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for name, row in values.items():
        cells = [f"{row[column]:.3f}".replace("0.", ".", 1) for column in columns]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return [*lines, ""]


def _damage(shares: Mapping[str, float]) -> list[str]:
    shown = {name: f"{value:.0f}" if name == ABOVE else f"{value:.3f}" for name, value in shares.items()}
    return [
        "### Damage to WMT16 references: share of texts that score below the equal text by 0.7 points or more",
        "",
        f"| {' | '.join(shown)} |",
        "|---" * len(shown) + "|",
        f"| {' | '.join(shown.values())} |",
        "",
    ]


def _agreement(correlations: Mapping[str, float], spec: str) -> list[str]:
    """Tell how the student agrees with its teachers; with itself it need not be told."""
    told = [
        f"Its scores of WMT16's outputs have a Pearson correlation of {value:.3f} with those of `{teacher}`."
        for teacher, value in correlations.items()
        if f"={teacher})" not in spec
    ]
    return ["### Agreement with the teacher", "", *told, ""] if told else []


def _failure(one: Failure) -> str:
    wanted = f"{one['why']}; should be {'high' if one['same'] else 'low'}"
    return f"| {one['candidate']} | {one['reference']} | {wanted} | {one['score']:.0f} |"


def short_spec(spec: str) -> str:
    """Name a spec without the place of its model."""
    if "/" not in spec:
        return spec
    return spec.partition("(")[0] + " over " + spec.rpartition("/")[2].partition(",")[0].rstrip(")")
