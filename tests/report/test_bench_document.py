"""The document of a bench: it is what the schema says, and the schema says no less."""

from __future__ import annotations

import json
from copy import deepcopy

import jsonschema
import pytest

from farthing.bench.bench import BenchResult
from farthing.report.bench_document import bench_document, bench_schema


def as_json(result: BenchResult) -> dict:
    return json.loads(json.dumps(bench_document(result), allow_nan=False))


def test_the_document_fits_the_schema(bench_result: BenchResult) -> None:
    jsonschema.Draft202012Validator.check_schema(bench_schema())
    jsonschema.validate(as_json(bench_result), bench_schema())


@pytest.mark.parametrize(
    "path",
    [
        ("machine",),
        ("rows", 0, "warm", "median"),
        ("rows", 0, "notes"),
        ("estimate", "formula"),
        ("training", 0, "forward"),
    ],
)
def test_the_schema_misses_what_is_left_out(bench_result: BenchResult, path: tuple[str | int, ...]) -> None:
    document = as_json(bench_result)
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, bench_schema())


def test_the_schema_knows_no_other_keys(bench_result: BenchResult) -> None:
    document = deepcopy(as_json(bench_result))
    document["rows"][0]["speed"] = 1
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, bench_schema())


def test_estimates_are_labelled_and_fronts_are_named(bench_result: BenchResult) -> None:
    document = as_json(bench_result)
    assert "not a measurement" in document["estimate"]["assumptions"]
    assert "kWh x grid" in document["estimate"]["formula"]
    assert document["fronts"][0] == {"data": "judged", "cost": "time", "labels": ["chrf"]}
    assert document["rows"][0]["warm"]["values"] == pytest.approx([0.05, 0.15, 0.1])
