"""The card of an estimator says what its facts say."""

from __future__ import annotations

from farthing.students.estimator_card import estimator_card
from farthing.students.regressor import EstimatorShape

FACTS = {
    "estimator": {**EstimatorShape().facts(), "inputs": ["reference", "source"]},
    "parameters": 1234567,
    "trained_parameters": 4321,
    "held_out": {"wmt15": 0.4123, "kendall": 0.4123},
    "adapter": {"method": "pfeiffer"},
    "teacher": "comet(model=big)",
    "settings": {"epochs": 2, "patience": None},
    "licence": "Apache-2.0",
}


def test_the_card_tells_shape_training_and_use() -> None:
    card = estimator_card("mine", FACTS)
    for line in (
        "# mine", "| compares with | reference and source |", "| parameters | 1,234,567 |", "| adapter | pfeiffer |",
        "| parameters that learned | 4,321 |", "| held-out kendall | 0.4123 |", "| epochs | 2 |", "Apache-2.0",
        '    farthing score hyp.txt -r ref.txt -s src.txt -m "comet(model=mine)"',
    ):  # fmt: skip
        assert line in card
    assert "patience" not in card


def test_a_licence_without_commercial_use_stands_out() -> None:
    told = {**FACTS, "teacher_licence": "cc-by-nc-4.0", "non_commercial": True}
    card = estimator_card("mine", told)
    assert "The teacher's licence: cc-by-nc-4.0." in card
    assert "allows no commercial use" in card
    assert "allows no commercial use" not in estimator_card("mine", FACTS)
