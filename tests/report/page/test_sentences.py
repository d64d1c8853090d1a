"""What tests found, in words."""

from __future__ import annotations

from farthing.files.run import Run
from farthing.report.page.sentences import pair_tests
from farthing.report.page.sentences import test_sentences as sentences_of

RESULTS: dict[str, object] = {
    "test": {"name": "bootstrap", "baseline": "a", "resamples": 1000, "seed": 1},
    "findings": {
        "documents": 3,
        "disputed": ["c"],
        "metrics": [
            {
                "metric": "chrf",
                "ranks": [
                    {"system": "a", "rank": [1, 1], "cluster": 1},
                    {"system": "b", "rank": [2, 3], "cluster": 2},
                    {"system": "c", "rank": [2, 3], "cluster": 2},
                ],
                "pairs": [{"better": "a", "worse": "b", "difference": 2.5, "p_value": 0.01, "p_holm": 0.03}],
                "power": {"difference": 1.0, "needed": 12345, "size": 24, "smallest": 7.7654},
            }
        ],
    },
}


def test_everything_that_was_found_is_said() -> None:
    assert sentences_of(RESULTS) == [
        "Tested against a by paired bootstrap (1000 samples, seed 1); ≈ not significantly different (p >= 0.05).",
        "Whole documents were resampled, 3 of them; tests of so few say little.",
        "Ranks by chrf over all pairs (p < 0.05 after Holm's correction; | separates clusters): 1 a | 2-3 b, 2-3 c.",
        "The metrics contradict each other about c: read some of the texts.",
        "By chrf, a difference of 1 needs about 12,000 segments to be found in 80 % of tests; these 24 find 7.77.",
    ]
    assert sentences_of({}) == []


def test_pairs_have_corrected_p_values(tested_run: Run) -> None:
    [found] = pair_tests(RESULTS)
    assert (found.measure, found.better, found.worse, found.difference, found.p_value) == ("chrf", "a", "b", 2.5, 0.03)
    assert len(pair_tests(tested_run.results())) == 9  # three pairs by three metrics
