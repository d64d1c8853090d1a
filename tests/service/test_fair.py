"""Who is served when: by brute force over random queues."""

from __future__ import annotations

import random

from farthing.core.types import Pairs
from farthing.service.fair import FairQueue
from farthing.service.work import CallWork, ScoringWork


def rows(count: int, window: int = 400) -> ScoringWork:
    """Work of so many rows of 50 tokens each; a piece has two of them."""
    return ScoringWork(list, [Pairs(["x" * 92] * count, [["y" * 92]] * count)], window)


def test_a_window_holds_at_most_its_budget_but_always_something() -> None:
    queue = FairQueue()
    queue.add(rows(20))
    sizes = []
    while turns := queue.window(250):
        sizes.append(sum(turn.piece.tokens for turn in turns))
    assert sum(sizes) == 20 * 50
    assert all(0 < size <= 250 for size in sizes)
    huge = CallWork(lambda: None, 10_000)
    queue.add(huge)
    assert queue.window(250)[0].work is huge


def test_a_single_pair_passes_thousands_of_rows() -> None:
    queue = FairQueue()
    for _ in range(10):
        queue.add(rows(100))
    queue.window(1000)
    single = CallWork(lambda: None, 20)
    queue.add(single)
    assert queue.window(400)[0].work is single


def test_no_stream_of_single_pairs_starves_a_long_request() -> None:
    queue, long = FairQueue(), rows(40)
    queue.add(long)
    turns = 0
    while long.pieces and turns < 500:
        turns += 1
        queue.add(CallWork(lambda: None, 20))
        queue.add(CallWork(lambda: None, 20))
        queue.window(60)  # a third is left for the long request, whose pieces never fit beside another one
    assert not long.pieces


def test_all_is_served_once_and_pieces_keep_their_order() -> None:
    chance = random.Random(0)
    for _ in range(20):
        queue, works, seen = FairQueue(), [rows(chance.randint(1, 30)) for _ in range(chance.randint(1, 8))], []
        waiting = list(works)
        while waiting or queue:
            if waiting and chance.random() < 0.5:
                queue.add(waiting.pop())
            seen += queue.window(chance.randint(1, 500))
        for work in works:
            pieces = [piece for one, piece in seen if one is work]
            assert [piece.start for piece in pieces] == [0, *(piece.stop for piece in pieces[:-1])]
            assert pieces[-1].stop == work.rows


def test_equal_requests_are_served_in_the_order_of_their_arrival() -> None:
    queue, works = FairQueue(), [rows(50) for _ in range(4)]
    for work in works:
        queue.add(work)
    ended: list[int] = []
    while turns := queue.window(400):
        ended += [works.index(work) for work, _ in turns if not work.pieces]  # type: ignore[arg-type]
    assert list(dict.fromkeys(ended)) == [0, 1, 2, 3]


def test_no_request_ends_much_later_than_with_equal_shares() -> None:
    """The peer serves all waiting requests at once, in equal shares, token by token."""
    chance = random.Random(3)
    for _ in range(20):
        works = [rows(chance.randint(1, 40)) for _ in range(8)]
        sizes = [work.tokens for work in works]
        queue = FairQueue()
        for work in works:
            queue.add(work)
        ends, done = [0] * 8, 0
        while turns := queue.window(400):
            done += sum(piece.tokens for _, piece in turns)
            for work, _ in turns:
                ends[works.index(work)] = done  # type: ignore[arg-type]
        for size, end in zip(sizes, ends, strict=True):
            shared = sum(min(size, other) for other in sizes)
            assert end <= shared + 400


def test_cancelled_work_is_dropped() -> None:
    queue, work = FairQueue(), rows(10)
    queue.add(work)
    assert queue
    work.answer.cancel()
    assert not queue
    assert queue.window(1000) == []
    assert work.tokens == 0
