"""The forms of the metrics come from the metrics themselves."""

from __future__ import annotations

import json

import pytest

from farthing.core.registry import METRICS, metric_options
from farthing.core.specs import Spec
from farthing.service.allowed import AllowedMetrics
from farthing.service.catalogue import MetricForm, metric_forms

FORMS = metric_forms(AllowedMetrics())


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form["name"])
def test_a_form_says_what_the_metric_says(form: MetricForm) -> None:
    about = METRICS.get(form["name"]).about
    assert (form["summary"], form["higher_is_better"], form["level"]) == (
        about.summary,
        about.higher_is_better,
        about.level,
    )
    for option in form["options"]:
        assert option["help"] == metric_options(form["name"])[option["name"]].help
        if option["choices"] is not None:
            assert option["default"] in option["choices"]
        else:
            assert option["low"] <= option["default"] <= option["high"]  # type: ignore[operator]
        AllowedMetrics().spec(str(Spec(form["name"], {option["name"]: option["default"]})))


def test_forms_are_json_and_offer_only_students_that_are_here(with_english_only: None) -> None:
    [form] = [one for one in metric_forms(AllowedMetrics()) if one["name"] == "frugalscore"]
    assert json.loads(json.dumps(form)) == form
    [size] = [option for option in form["options"] if option["name"] == "size"]
    assert size["choices"] == [None, "small", "tiny", "nano"]
    assert form["aligns"]
