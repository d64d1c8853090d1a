"""What a run tells."""

from farthing.learn.train.history import History, check_line, loss_line


def test_the_last_check() -> None:
    assert History().last == {}
    history = History([{"step": 1, "loss": 0.5}], [{"step": 1, "pearson": 0.1}, {"step": 2, "pearson": 0.3}])
    assert history.last == {"step": 2, "pearson": 0.3}
    assert history.facts() == {"steps": history.steps, "checks": history.checks}


def test_lines_tell_progress_quality_and_time() -> None:
    line = check_line(5, 20, {"loss": 0.123456, "pearson": 0.5, "spearman": 0.25}, 600)
    assert line == "step 5/20: held-out loss 0.12346, Pearson 0.5000, Spearman 0.2500; about 10 min left"
    assert loss_line(5, 20, [{"loss": 3.0}, {"loss": 0.5}], 29) == "step 5/20: training loss 0.5000; about 0 min left"
