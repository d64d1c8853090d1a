"""Everything a request asks for, scored over the queue: the same as the flow itself says."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import pytest

from farthing.core.errors import UsageError
from farthing.core.specs import parse_spec
from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.scoring.score import choose, score
from farthing.service.allowed import AllowedMetrics
from farthing.service.limits import Busy, Limits
from farthing.service.order import Order, Resampling
from farthing.service.work import CallWork
from farthing.service.worker import Worker

REFERENCES = [["the cat sat on the mat"], ["it rained"], ["nobody came"], ["two dogs"]] * 6
SYSTEMS = [
    Pairs(["a cat sat on a mat", "it rains", "nobody", "dogs"] * 6, REFERENCES, system="a"),
    Pairs(["cats", "it is raining", "nobody came", "two cats"] * 6, REFERENCES, system="b"),
]


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    made = Worker(Limits(window=64)).start()
    yield made
    made.close()


def order(
    worker: Worker, specs: Sequence[str], plan: Resampling | None = None, systems: Sequence[Pairs] = SYSTEMS
) -> Order:
    return Order(worker, [parse_spec(spec) for spec in specs], systems, sets=AllowedMetrics().is_set, resampling=plan)


@pytest.mark.parametrize("plan", [Resampling(), Resampling(intervals=True), Resampling(test="bootstrap", resamples=50)])
def test_a_comparison_is_that_of_the_flow(worker: Worker, plan: Resampling) -> None:
    specs = ["chrf", "markevaluate(model=nano)", "bleu"]
    found = order(worker, specs, plan).submit().wait(60).comparison()
    expected = score(
        choose(",".join(specs)), Given(SYSTEMS), intervals=plan.intervals, test=plan.test, resamples=plan.resamples
    )
    assert found.to_dict() == expected.to_dict()


def test_only_pairs_are_tested_by_randomization(worker: Worker) -> None:
    with pytest.raises(UsageError, match="distinct judges a set"):
        order(worker, ["distinct"], Resampling(test="randomization")).submit().wait(60).comparison()


def test_all_or_nothing_is_accepted() -> None:
    worker = Worker(Limits(queue=600, window=64))
    two = order(worker, ["chrf", "distinct"])
    assert len(two.works) == 2
    with pytest.raises(Busy):
        two.submit()
    assert worker.waiting == 0
    assert all(future.cancelled() for future in two.futures)
    worker.start().close()


def test_waiting_has_an_end(worker: Worker) -> None:
    worker.submit(CallWork(lambda: time.sleep(0.5), 1))
    late = order(worker, ["chrf"]).submit()
    with pytest.raises(TimeoutError):
        late.wait(0.01)
    assert late.futures[0].cancelled()


def test_a_check_sees_the_loaded_metric(worker: Worker) -> None:
    def refuse(metric: object) -> None:
        raise UsageError("not this one")

    asked = Order(worker, [parse_spec("chrf")], SYSTEMS[:1], sets=lambda spec: False, check=refuse).submit().wait(60)
    with pytest.raises(UsageError, match="not this one"):
        asked.scores()
    assert asked.rows == 24
    good = order(worker, ["chrf"]).submit().wait(60)
    assert good.metric().info.name == "chrf"
    with pytest.raises(UsageError, match="judges a set"):
        order(worker, ["distinct"]).submit().wait(60).metric()
