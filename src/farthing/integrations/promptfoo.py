"""An assertion for promptfoo: the output is similar enough to a reference.

In a Python file, here farthing_assert.py:

    from farthing.integrations.promptfoo import get_assert

and in promptfooconfig.yaml:

    assert:
      - type: python
        value: file://farthing_assert.py
        config: { metric: chrf, threshold: 60, reference: expected }
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import TypeAlias, TypedDict, cast

from farthing.core.errors import FarthingError, MissingInput, UsageError
from farthing.core.registry import DEFAULT, load_pairs_metric
from farthing.core.types import MetricInfo, Need, Pairs
from farthing.scoring.engine import score_stretches

PromptFields: TypeAlias = Mapping[str, object]
OPTIONS = ("metric", "threshold", "reference", "source")

# The keys are promptfoo's, and `pass` can be no attribute.
GradingResult = TypedDict(
    "GradingResult", {"pass": bool, "score": float, "reason": str, "namedScores": dict[str, float]}
)


def get_assert(output: object, context: Mapping[str, object]) -> GradingResult:
    """Compare an output with the variables of a test, as `config` says.

    :param context: what promptfoo knows of the test; its `config` has
        `metric` (a spec), `threshold` (on the metric's own scale; without one every output passes),
        `reference` (the name of the variable with the reference, or a list of names; "reference" by default) and
        `source` (the name of the variable with the source, for metrics that look at it, and for the default metric if
        the test has no reference)
    :returns: promptfoo's result: the metric's own score in `namedScores`, and as `score` the same from 0 to 1

    >>> test = {"vars": {"reference": "the cat sat down"}, "config": {"metric": "ter", "threshold": 30}}
    >>> get_assert("the cat sat", test)["reason"]
    'ter 25.00, at most 30 is asked for'
    """
    try:
        return _graded(
            output, cast(PromptFields, context.get("vars") or {}), cast(PromptFields, context.get("config") or {})
        )
    except FarthingError as error:
        return {"pass": False, "score": 0.0, "reason": str(error), "namedScores": {}}


def _graded(output: object, variables: PromptFields, config: PromptFields) -> GradingResult:
    unknown = [name for name in config if name not in OPTIONS]
    if unknown:
        raise UsageError(f"config has {unknown[0]!r}, but takes only {', '.join(OPTIONS)}")
    text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    metric = load_pairs_metric(str(config.get("metric", DEFAULT)))
    needs = _needs(metric.info, variables, config)
    references = _variables(variables, config.get("reference", "reference")) if "reference" in needs else []
    sources = _variables(variables, config.get("source", "source")) if "source" in needs else None
    [[scores]] = score_stretches([metric], lambda: [[Pairs([text], [references], sources)]])
    number = float(scores.corpus)
    passed, asked = _judged(number, metric.info, config.get("threshold"))
    return {
        "pass": passed,
        "score": unit_score(number, metric.info, passed),
        "reason": f"{metric.info.name} {number:.2f}{asked}",
        "namedScores": {metric.info.name: number},
    }


def _needs(info: MetricInfo, variables: PromptFields, config: PromptFields) -> Collection[Need]:
    """Return what the output is compared with: the source, if the metric allows it and the test has no reference."""
    referenced, sourced = "reference" in {*config, *variables}, str(config.get("source", "source")) in variables
    return {"source"} if info.or_source and sourced and not referenced else info.needs


def _variables(variables: PromptFields, names: object) -> list[str]:
    """Return the texts of some variables."""
    found: list[str] = []
    for name in map(str, names if isinstance(names, list) else [names]):
        if name not in variables:
            raise MissingInput(
                f"the test has no variable {name!r} (there are: {', '.join(sorted(variables)) or 'none'}); "
                "name the one with the reference in config: { reference: … }"
            )
        value = variables[name]
        found += map(str, value) if isinstance(value, list) else [str(value)]
    return found


def _judged(number: float, info: MetricInfo, threshold: object) -> tuple[bool, str]:
    """Say whether a score passes, and what was asked for."""
    if threshold is None:
        return True, ""
    if not isinstance(threshold, int | float):
        raise UsageError(f"threshold is {threshold!r}: give a number on the scale of {info.name}")
    if info.higher_is_better:
        return number >= threshold, f", at least {threshold:g} is asked for"
    return number <= threshold, f", at most {threshold:g} is asked for"


def unit_score(number: float, info: MetricInfo, passed: bool) -> float:
    """Put a score on promptfoo's scale, where 1 is best; ends that the metric's scale lacks count as 0 and 100.

    >>> chrf = MetricInfo("chrf", "", "", (0, 100))
    >>> unit_score(25.0, chrf, True)
    0.25
    """
    low, high = (end if given is None else given for given, end in zip(info.range, (0, 100), strict=True))
    if low >= high:  # such as the logarithm of a probability
        return float(passed)
    share = min(max((number - low) / (high - low), 0.0), 1.0)
    return share if info.higher_is_better else 1 - share
