"""What the tests of a run found, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from farthing.report.page.content import PairTest
from farthing.scoring.findings import FEW_DOCUMENTS, SAME
from farthing.scoring.resampling import LEVEL

_Results = Mapping[str, object]  #: what is in results.json


def pair_tests(results: _Results) -> list[PairTest]:
    """Return the tests of all pairs of systems; the p-values are corrected for their number."""
    return [
        PairTest(str(one["metric"]), *_tested_pair(pair))
        for one in _metrics(results)
        for pair in cast("Sequence[Mapping[str, object]]", one.get("pairs", ()))
    ]


def _tested_pair(pair: Mapping[str, object]) -> tuple[str, str, float, float]:
    return str(pair["better"]), str(pair["worse"]), cast(float, pair["difference"]), cast(float, pair["p_holm"])


def test_sentences(results: _Results) -> list[str]:
    """Say what was tested and what came out, one sentence each; nothing if nothing was tested."""
    findings = cast("Mapping[str, object]", results.get("findings", {}))
    return [*_tested(results), *_documents(findings), *_ranks(results), *_disputed(findings), *_power(results)]


def _metrics(results: _Results) -> Sequence[Mapping[str, object]]:
    findings = cast("Mapping[str, object]", results.get("findings", {}))
    return cast("Sequence[Mapping[str, object]]", findings.get("metrics", ()))


def _tested(results: _Results) -> Iterator[str]:
    test = cast("Mapping[str, object]", results.get("test", {}))
    if test:
        how = f"{test['resamples']} samples, seed {test['seed']}"
        same = f"{SAME} not significantly different (p >= {LEVEL})."
        yield f"Tested against {test['baseline']} by paired {test['name']} ({how}); {same}"


def _documents(findings: Mapping[str, object]) -> Iterator[str]:
    if "documents" in findings:
        count = cast(int, findings["documents"])
        few = "; tests of so few say little" if count < FEW_DOCUMENTS else ""
        yield f"Whole documents were resampled, {count} of them{few}."


def _ranks(results: _Results) -> Iterator[str]:
    for one in _metrics(results):
        clusters: dict[int, list[str]] = {}
        for entry in cast("Sequence[Mapping[str, object]]", one.get("ranks", ())):
            first, last = cast("tuple[int, int]", entry["rank"])
            rank = str(first) if first == last else f"{first}-{last}"
            clusters.setdefault(cast(int, entry["cluster"]), []).append(f"{rank} {entry['system']}")
        if clusters:
            listed = " | ".join(", ".join(members) for members in clusters.values())
            corrected = f"p < {LEVEL} after Holm's correction; | separates clusters"
            yield f"Ranks by {one['metric']} over all pairs ({corrected}): {listed}."


def _disputed(findings: Mapping[str, object]) -> Iterator[str]:
    if names := cast("Sequence[str]", findings.get("disputed", ())):
        yield f"The metrics contradict each other about {', '.join(names)}: read some of the texts."


def _power(results: _Results) -> Iterator[str]:
    for one in _metrics(results):
        if power := cast("Mapping[str, float]", one.get("power", {})):
            needed = float(f"{power['needed']:.2g}")  # an estimate with two digits
            yield (
                f"By {one['metric']}, a difference of {power['difference']:g} needs about {needed:,.0f} segments "
                f"to be found in 80 % of tests; these {power['size']:,} find {power['smallest']:.3g}."
            )
