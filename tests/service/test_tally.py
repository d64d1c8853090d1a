"""Counts and their text form."""

from __future__ import annotations

from farthing.service.tally import LATELY, UNMEASURED, Tally


def test_speed_follows_what_was_measured() -> None:
    tally = Tally()
    assert tally.wait(int(UNMEASURED)) == 1
    for _ in range(100):
        tally.scored(1, 500, 0.05)
    assert abs(tally.wait(10_000) - 1) < 0.01
    tally.scored(0, 0, 1.0)  # nothing was read, so nothing was learned of the speed
    assert tally.speed > 9_000
    assert 0 < LATELY < 1


def test_the_text_is_what_prometheus_reads() -> None:
    tally = Tally()
    tally.scored(3, 40, 0.5)
    tally.answered("/v1/score", 200, 0.02)
    tally.answered("/v1/score", 409, 2.0)
    lines = tally.prometheus(7, 2).splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert values["farthing_pairs_total"] == "3"
    assert values["farthing_queue_tokens"] == "7"
    assert values['farthing_requests_total{path="/v1/score",status="409"}'] == "1"
    assert values['farthing_request_seconds_bucket{le="0.03"}'] == "1"
    assert values['farthing_request_seconds_bucket{le="3"}'] == "2"
    assert values["farthing_request_seconds_count"] == "2"
    named = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    assert all(
        name.partition("{")[0].removesuffix("_bucket").removesuffix("_sum").removesuffix("_count") in named
        for name in values
    )
    assert tally.prometheus(0, 0).endswith("\n")
