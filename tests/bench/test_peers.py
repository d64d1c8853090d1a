"""Other programs: their command lines, what they print, and what they cost."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from farthing.bench.peers import Peer, printed_scores, run_peer, scoring_seconds
from farthing.core.errors import MissingInput, UsageError
from farthing.core.types import Pairs

PYTHON = shlex.quote(sys.executable)
LENGTHS = f"mine={PYTHON} -c 'import sys; [print(len(line.split())) for line in open(sys.argv[1])]' {{candidates}}"


def test_a_command_line_with_files(tmp_path: Path) -> None:
    peer = Peer.of("mine=run -c {candidates} --both={references}:{sources}")
    assert peer.name == "mine"
    assert peer.filled(tmp_path) == [
        "run", "-c", f"{tmp_path}/candidates.txt", f"--both={tmp_path}/references.txt:{tmp_path}/sources.txt",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("run {candidates}", "is not of the form"),
        ("=run {candidates}", "is not of the form"),
        ("mine=", "is not of the form"),
        ("mine=run", "write {candidates}"),
        ("mine=run {candidate}", r"\{candidate\} stands for nothing"),
        ("mine=run 'x {candidates}", "No closing quotation"),
    ],
)
def test_mistakes_in_a_command(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Peer.of(text)


# what bert-score -s and comet-score print
BERT_SCORE = "m_L5_no-idf_version=0.3.12 P: 0.95 R: 0.94 F1: 0.945\n0.97\t0.95\t0.96\n0.93\t0.93\t0.93\n"
COMET = "h.txt\tSegment 0\tscore: 0.9\nh.txt\tSegment 1\tscore: -0.2\nh.txt\tscore: 0.35\n"


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        (BERT_SCORE, (0.96, 0.93)),
        (COMET, (0.9, -0.2)),
        ("1\n2e-3\n", (1.0, 0.002)),
        ("1\n2\n3\n", None),
        ("loading 2 models\nall done in 3 seconds\n", None),
        ("a 1\na 2\nb 1\nb 2\n", None),  # nobody knows which
    ],
)
def test_scores_among_other_lines(text: str, scores: tuple[float, ...] | None) -> None:
    assert printed_scores(text, 2) == scores


def test_a_run(tmp_path: Path, pairs: Pairs) -> None:
    found = run_peer(Peer.of(LENGTHS), pairs, tmp_path)
    assert found.scores == tuple(float(len(text.split())) for text in pairs.candidates)
    assert found.seconds > 0
    assert found.whole.memory is not None
    assert found.whole.memory > 1 << 20


def test_scores_in_a_file_and_line_ends_in_texts(tmp_path: Path) -> None:
    code = "import sys; open(sys.argv[2], 'w').writelines(str(i) + chr(10) for i, _ in enumerate(open(sys.argv[1])))"
    peer = Peer.of(f"mine={PYTHON} -c {shlex.quote(code)} {{references}} {{scores}} {{candidates}}")
    assert run_peer(peer, Pairs(["a", "b"], [["a\nb", "c"], ["d"]]), tmp_path).scores == (0.0, 1.0)


def test_a_failure_is_one_sentence(tmp_path: Path, pairs: Pairs) -> None:
    peer = Peer.of(f"mine={PYTHON} -c 'raise SystemExit(\"no such model\")' {{candidates}}")
    with pytest.raises(UsageError, match="the command mine failed with exit code 1: no such model"):
        run_peer(peer, pairs, tmp_path)


def test_texts_that_are_not_there(tmp_path: Path, pairs: Pairs) -> None:
    with pytest.raises(MissingInput, match="asks for sources"):
        run_peer(Peer.of("mine=run {candidates} {sources}"), pairs, tmp_path)
    with pytest.raises(MissingInput, match="asks for references"):
        run_peer(Peer.of("mine=run {candidates} {references}"), Pairs(["a"], [[]]), tmp_path)


def test_loading_is_not_scoring() -> None:
    assert scoring_seconds(10.0, 30.0, 11) == 2.0
    assert scoring_seconds(10.0, 9.0, 10) == 0.9  # chance: no more than the whole
    assert scoring_seconds(10.0, 10.0, 1) == 10.0
