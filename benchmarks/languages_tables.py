"""Write the tables of docs/languages.md from measured numbers.

    python benchmarks/languages_tables.py quality.json robustness.json docs/languages.md

A table stands between `<!-- table: NAME -->` and `<!-- end -->`; what stood there before is replaced.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from farthing.students.card import short_spec
from farthing.students.language_card import QUESTIONS_TOLD, figures_by_language, language_name

MULTI, SOURCE = "frugalscore(size=multi)", "frugalscore(size=source)"
MEASURES = {
    "wmt16_to_russian": "WMT16 English-Russian, Pearson",
    "wmt16_to_english": "WMT16 to-English, six pairs, Pearson",
    "stsb": "STS-B, ten languages, Spearman",
    "pawsx": "PAWS-X, seven languages, area under the curve",
    "mqm21": "WMT21 MQM, Kendall",
    "mqm20": "WMT20 MQM, Kendall",
    "xnli": "XNLI, fifteen languages, Pearson with `small` in English",
    "mlqe": "MLQE-PE, seven pairs, Pearson",
    "indic": "English to four Indian languages, Pearson",
    "mqm21_source": "WMT21 MQM, Kendall",
}
Figures = dict[str, dict[str, dict[str, float]]]


def table(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def decimal(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}".replace("0.", ".", 1)


def asked(quality: Figures, spec: str) -> str:
    """One row per question that the student answered, one column per metric; means over languages."""
    names = [name for name in MEASURES if name in quality.get(spec, {})]
    if not names:
        return "Not measured yet."
    specs = [
        spec,
        *(one for one in quality if not one.startswith("frugalscore") and any(n in quality[one] for n in names)),
    ]
    rows = []
    for name in names:
        groups = list(quality[spec][name])
        shown = groups if name.startswith("mqm") else ["mean" if "mean" in groups else groups[0]]
        for group in shown:
            cells = [decimal(quality[one].get(name, {}).get(group)) for one in specs]
            rows.append([MEASURES[name] + (f", {group}" if len(shown) > 1 else ""), *cells])
    return table(["data", *map(short_spec, specs)], rows)


def languages(quality: Figures, robustness: Figures) -> str:
    """One row per language with a figure or an order, for both students."""
    students = {"multi": (MULTI, False), "source": (SOURCE, True)}
    found = {name: figures_by_language(quality.get(spec, {}), sourced) for name, (spec, sourced) in students.items()}
    order = {name: robustness.get(spec, {}).get("languages", {}) for name, (spec, _) in students.items()}
    codes = {code for name in students for code in (*found[name], *order[name])}
    rows = []
    for code in sorted(codes, key=language_name):
        row = [language_name(code), code]
        for name in students:
            told = found[name].get(code, {})
            row.append(", ".join(f"{QUESTIONS_TOLD[one][1]} {decimal(value)}" for one, value in told.items()))
            row.append(f"{100 * order[name][code]:.1f} %" if code in order[name] else "")
        rows.append([cell or "–" for cell in row])
    return table(["language", "code", "`multi`", "order", "`source`", "order"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("quality", "robustness", "page"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    quality, robustness = (json.loads(path.read_text()) for path in (given.quality, given.robustness))
    made = {"multi": asked(quality, MULTI), "source": asked(quality, SOURCE)}
    made["languages"] = languages(quality, robustness)
    text = given.page.read_text(encoding="utf-8")
    for name, lines in made.items():
        place = re.compile(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text = place.sub(lambda found, lines=lines: f"{found[1]}\n{lines}\n\n{found[2]}", text)
    given.page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
