"""The published tables against those of the installed bert_score."""

from __future__ import annotations

from farthing.metrics.bertscore.published import LAYERS, layer_for, model_for


def test_the_published_tables() -> None:
    import bert_score.utils as published

    assert dict(published.model2layers) == dict(LAYERS)
    for language in ("en", "zh", "tr", "en-sci", "de", "xx"):
        assert model_for(language) == published.lang2model[language]
    assert layer_for("nothing", "also-nothing") is None


def test_the_first_known_name_counts_and_a_folder_is_known_by_its_last_part() -> None:
    assert layer_for("bert-base-uncased", "roberta-large") == LAYERS["bert-base-uncased"]
    assert layer_for("unknown", "/models/roberta-large/") == LAYERS["roberta-large"]
    assert layer_for("mpnet-base") == LAYERS["microsoft/mpnet-base"]
