"""schemathesis asks the service what its OpenAPI document promises; a small, seeded form of `make fuzz`."""

from __future__ import annotations

import pytest

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

from hypothesis import HealthCheck, settings  # noqa: E402

from farthing.app.web.application import create_app  # noqa: E402
from farthing.app.web.guard import Access  # noqa: E402
from farthing.service.service import Service  # noqa: E402

APP = create_app(Service(), Access(hosts=()))
SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", APP)


@SCHEMA.parametrize()
@settings(max_examples=12, derandomize=True, suppress_health_check=list(HealthCheck))
def test_answers_are_as_promised(case: schemathesis.Case) -> None:
    case.call_and_validate()
