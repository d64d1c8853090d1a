"""Runs every metric that needs no torch through the command, in a Python that has only a base install, or acts so.

    python tests/base_install.py [--only-base] [ENCODER]

With --only-base every package is blocked that a base install does not bring. Without ENCODER the set metrics take their
default, and the token metrics are left out, which have no embedded default.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "translation"

SPECS = {"judge": f'judge(replay="{EXAMPLE / "verdicts.jsonl"}")'}  # of metrics that must be told what to do


def base_distributions() -> set[str]:
    """Farthing and everything that it requires without an extra."""
    waiting, found = ["farthing"], set()
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in found:
            continue
        found.add(name)
        with contextlib.suppress(PackageNotFoundError):
            needed = [line for line in requires(name) or [] if "extra ==" not in line]
            waiting += [re.match(r"[\w.-]+", line)[0] for line in needed]  # type: ignore[index]
    return found


def block_the_rest() -> None:
    """Let every import of a package outside of a base install fail."""
    base = base_distributions()
    for module, owners in packages_distributions().items():
        if not any(owner.lower().replace("_", "-") in base for owner in owners):
            sys.modules[module] = None  # type: ignore[assignment]


def printed(*arguments: str) -> str:
    """What a command prints; a failure ends the program."""
    from farthing.app.cli.main import main

    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            main(list(arguments))
    except SystemExit as error:
        if error.code:
            raise
    return output.getvalue()


def groups(encoder: str | None) -> dict[str, list[str]]:
    """The specs of all metrics but those that need torch, by what they are compared with."""
    from farthing.core.registry import METRICS

    found: dict[str, list[str]] = {"reference": [], "source": []}
    for name in METRICS.builtin:
        metric = METRICS.get(name)
        about = metric.about
        if name == "comet":  # no estimator comes with the package
            continue
        if about.extra == "torch" or (encoder is None and metric.takes_encoder and about.level == "segment"):
            continue
        if "source" in about.needs:
            found["source"].append(f"{name}(monolingual=true)")
        else:
            found["reference"].append(SPECS.get(name, name))
    return found


def main(arguments: list[str]) -> None:
    if "--only-base" in arguments:
        block_the_rest()
    encoder = next((one for one in arguments if not one.startswith("-")), None)
    named = ["--encoder", encoder] if encoder else []
    texts = {"reference": "-r", "source": "-s"}
    scores: dict[str, float] = {}
    for kind, specs in groups(encoder).items():
        given = [str(EXAMPLE / "fluent.en"), texts[kind], str(EXAMPLE / "reference.en")]
        if specs:
            found = json.loads(printed("score", *given, "-m", ",".join(specs), *named, "-q", "--format", "json"))
            scores |= {one["metric"]: one["corpus"] for one in found["results"]}
    heavy = [name for name in ("torch", "transformers", "ot", "nltk", "rouge_score", "sklearn") if _is_here(name)]
    sys.stdout.write(json.dumps({"scores": scores, "heavy": heavy}) + "\n")


def _is_here(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


if __name__ == "__main__":
    main(sys.argv[1:])
