"""The card of a student for many languages in Markdown: what was measured in which of them, and what was not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypedDict, cast

import numpy as np

from farthing.students.card import Failure, match_card, read_match_facts, scores_table, shared_parts, short_spec
from farthing.students.layout import CARD_FACTS, StudentFolder

MEAN = "mean"
# What the authors of multilingual-e5-small name in its card.
ENCODER_LANGUAGES = {
    "af": "Afrikaans", "am": "Amharic", "ar": "Arabic", "as": "Assamese", "az": "Azerbaijani", "be": "Belarusian",
    "bg": "Bulgarian", "bn": "Bengali", "br": "Breton", "bs": "Bosnian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh",
    "da": "Danish", "de": "German", "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish",
    "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French", "fy": "West Frisian",
    "ga": "Irish", "gd": "Scottish Gaelic", "gl": "Galician", "gu": "Gujarati", "ha": "Hausa", "he": "Hebrew",
    "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "is": "Icelandic",
    "it": "Italian", "ja": "Japanese", "jv": "Javanese", "ka": "Georgian", "kk": "Kazakh", "km": "Khmer",
    "kn": "Kannada", "ko": "Korean", "ku": "Kurdish", "ky": "Kyrgyz", "la": "Latin", "lo": "Lao", "lt": "Lithuanian",
    "lv": "Latvian", "mg": "Malagasy", "mk": "Macedonian", "ml": "Malayalam", "mn": "Mongolian", "mr": "Marathi",
    "ms": "Malay", "my": "Burmese", "ne": "Nepali", "nl": "Dutch", "no": "Norwegian", "om": "Oromo", "or": "Odia",
    "pa": "Punjabi", "pl": "Polish", "ps": "Pashto", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian",
    "sa": "Sanskrit", "sd": "Sindhi", "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian", "so": "Somali",
    "sq": "Albanian", "sr": "Serbian", "su": "Sundanese", "sv": "Swedish", "sw": "Swahili", "ta": "Tamil",
    "te": "Telugu", "th": "Thai", "tl": "Tagalog", "tr": "Turkish", "ug": "Uyghur", "uk": "Ukrainian", "ur": "Urdu",
    "uz": "Uzbek", "vi": "Vietnamese", "xh": "Xhosa", "yi": "Yiddish", "zh": "Chinese",
}  # fmt: skip
# The questions that a card tells, in this order: what is in the heading of its table, and its name in a cell.
QUESTIONS_TOLD = {
    "wmt16_to_russian": ("WMT16 English-Russian, segment Pearson (never trained on)", "WMT16"),
    "wmt16_to_english": ("WMT16 to-English, segment Pearson (never trained on)", "WMT16"),
    "stsb": ("STS-B, test split, Spearman", "STS-B"),
    "pawsx": ("PAWS-X, area under the curve (never trained on)", "PAWS-X"),
    "mqm21": ("WMT21 MQM, test documents, Kendall between the systems of one segment", "MQM"),
    "mqm20": ("WMT20 MQM, Kendall between the two systems of one segment (never trained on)", "MQM20"),
    "xnli": ("XNLI, Pearson with `small` of the same pair in English", "XNLI"),
    "mlqe": ("MLQE-PE, test split, segment Pearson", "MLQE"),
    "indic": ("WMT23 quality estimation, development split, segment Pearson (never trained on)", "QE23"),
    "mqm21_source": ("WMT21 MQM without references, test documents, Kendall as above", "MQM"),
}
_LIMITS = """A text of more than {limit} tokens is read in windows, and a note names its row. A text that is clearly
in a language without a figure above gets a note: its score is the student's own, and nobody knows how good it is.
Single facts (numbers, names, negation) weigh too little, as the failures show."""
_SCALES = {
    "reference": "Equal texts score 100 and no others do; unrelated texts score about 0, or a little below.",
    "source": """No output scores 100, since a translation never equals its source: 100 is what the best ones come near.
Outputs that have nothing to do with the source score about 0, or below. Compare scores of one language pair only.""",
}


class LanguageFailure(Failure):
    """A pair that a student judges wrongly, with its language or language pair; `reference` may be a source."""

    language: str


class Robustness(TypedDict):
    """How a student judges outputs that are no translations.

    :param unrelated: of unrelated texts in many scripts: the mean score, and how many are above 60 and 99
    :param ordered: by kind the share of bad outputs below a real translation
    :param languages: the same share by language of the output
    """

    unrelated: dict[str, float]
    ordered: dict[str, float]
    languages: dict[str, float]


class LanguageFacts(TypedDict):
    """The facts of a student for many languages.

    :param gpt4: whether its weights learned from answers of GPT-4
    :param quality: by spec (its own and its rivals'), question and language or language pair: the figure
    :param sections: further paragraphs by their titles
    :param origin: where the starting weights came from, and their licence
    """

    spec: str
    recipe: str
    gpt4: bool
    quality: dict[str, dict[str, dict[str, float]]]
    robustness: Robustness
    sections: dict[str, str]
    failures: list[LanguageFailure]
    origin: str


def written_card(folder: StudentFolder) -> str:
    """Write the card of a student from the facts in its folder, whatever it reads."""
    facts = read_language_facts(folder)
    return language_card(folder, facts) if "robustness" in facts else match_card(folder, read_match_facts(folder))


def read_language_facts(folder: StudentFolder) -> LanguageFacts:
    """Read the facts that a folder keeps for its card."""
    return cast(LanguageFacts, json.loads((folder.path / CARD_FACTS).read_text(encoding="utf-8")))


def language_of(group: str, sourced: bool) -> str:
    """Return the language that a figure of a group says most about.

    With references it is that of the outputs; without, the one of a pair that is not English.

    >>> language_of("cs-en", False), language_of("cs-en", True), language_of("en-gu", True), language_of("ja", False)
    ('en', 'cs', 'gu', 'ja')
    """
    first, _, second = group.partition("-")
    return (first if second == "en" else second) if sourced and second else second or first


def language_figures(facts: LanguageFacts, sourced: bool) -> dict[str, dict[str, float]]:
    """Return by language and question what was measured of the student."""
    return figures_by_language(facts["quality"].get(facts["spec"], {}), sourced)


def figures_by_language(quality: Mapping[str, Mapping[str, float]], sourced: bool) -> dict[str, dict[str, float]]:
    """Sort figures by language and question; several pairs of one language are averaged.

    :param quality: by question and language or language pair
    :param sourced: whether outputs were compared with sources
    """
    found: dict[str, dict[str, list[float]]] = {}
    for question in filter(quality.__contains__, QUESTIONS_TOLD):
        for group, value in quality[question].items():
            if group != MEAN:
                found.setdefault(language_of(group, sourced), {}).setdefault(question, []).append(value)
    return {
        language: {question: float(np.mean(values)) for question, values in questions.items()}
        for language, questions in sorted(found.items(), key=lambda one: language_name(one[0]))
    }


def measured_languages(facts: LanguageFacts, sourced: bool) -> list[str]:
    """Return the codes of the languages with a figure, for `measured` in config.json.

    Without references every figure is about a pair with English, so English is measured, too.
    """
    return sorted({*language_figures(facts, sourced), *(["en"] if sourced else [])})


def language_name(code: str) -> str:
    """Return the English name of a language, or its code if there is none."""
    return ENCODER_LANGUAGES.get(code, code)


def language_card(folder: StudentFolder, facts: LanguageFacts) -> str:
    """Write the card of a student for many languages."""
    against = folder.against
    lines = [
        f"# Farthing {folder.name}",
        "",
        f"A student of the kind `{folder.kind}`, {folder.bytes / 1e6:.1f} MB{shared_parts(folder)}, "
        f"that compares a text with its {against} in many languages.",
        f"Version {folder.version} of its weights, made by `farthing learn student {facts['recipe']}`. "
        + _learned(facts["gpt4"]),
        "",
        "## Languages",
        "",
        *_languages(facts, against == "source"),
        "## Measured",
        "",
        *_measured(facts),
        *_robustness(facts["robustness"]),
        *(line for title, text in facts["sections"].items() for line in (f"### {title}", "", text, "")),
        "## Scale",
        "",
        _SCALES[against],
        "The corpus score is the mean of the segments.",
        "",
        "## Failures",
        "",
        f"| language | candidate | {against} | what people see | score |",
        "|---|---|---|---|---|",
        *map(_failure, facts["failures"]),
        "",
        "## Limits",
        "",
        _LIMITS.format(limit=folder.limit),
        "",
        "## Licence and origin",
        "",
        f"Starting weights: {facts['origin']}. The student is under Farthing's own licence, Apache-2.0.",
        "",
    ]
    return "\n".join(lines)


def _learned(gpt4: bool) -> str:
    return f"Its weights learned {'' if gpt4 else 'nothing '}from answers of GPT-4{' among others' if gpt4 else ''}."


def _languages(facts: LanguageFacts, sourced: bool) -> list[str]:
    measured, order = language_figures(facts, sourced), facts["robustness"]["languages"]
    told = {*measured, *order}
    rest = ", ".join(name for code, name in ENCODER_LANGUAGES.items() if code not in {*told, "en"})
    rows = [
        f"| {language_name(code)} | {code} | {_figures(measured.get(code, {}))} | {_share(order.get(code))} |"
        for code in sorted(told, key=language_name)
    ]
    return [
        "| language | code | measured | bad outputs below a real translation |",
        "|---|---|---|---|",
        *rows,
        "",
        f"Not measured, though the authors of the encoder name them: {rest}.",
        "",
    ]


def _figures(values: Mapping[str, float]) -> str:
    told = [f"{QUESTIONS_TOLD[question][1]} {_decimal(value)}" for question, value in values.items()]
    return ", ".join(told) or "not measured"


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def _decimal(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1)


def _measured(facts: LanguageFacts) -> list[str]:
    """Lay out one table per question, with a row for the student and for every rival that answered it."""
    lines: list[str] = []
    for question, (title, _) in QUESTIONS_TOLD.items():
        answers = {short_spec(spec): found[question] for spec, found in facts["quality"].items() if question in found}
        if short_spec(facts["spec"]) in answers:
            lines += scores_table(title, answers)
    return lines


def _robustness(found: Robustness) -> list[str]:
    mean, high, alike = (found["unrelated"][name] for name in ("mean", "above 60", "above 99"))
    return [
        "### Bad outputs that score below a real translation",
        "",
        f"| {' | '.join(found['ordered'])} |",
        "|---" * len(found["ordered"]) + "|",
        f"| {' | '.join(map(_share, found['ordered'].values()))} |",
        "",
        f"Unrelated texts in more than twenty scripts have a mean score of {mean:.1f}; {high:.0f} of them are above 60",
        f"and {alike:.0f} above 99.",
        "",
    ]


def _failure(one: LanguageFailure) -> str:
    wanted = f"{one['why']}; should be {'high' if one['same'] else 'low'}"
    return f"| {one['language']} | {one['candidate']} | {one['reference']} | {wanted} | {one['score']:.0f} |"
