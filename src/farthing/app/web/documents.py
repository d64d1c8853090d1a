"""What the OpenAPI document says beside the paths: answers, errors and the limits of a service."""

from __future__ import annotations

from typing import Any, TypeAlias

from pydantic import BaseModel

from farthing.app.web import bodies
from farthing.service.limits import Limits

JsonSchema: TypeAlias = dict[str, Any]  #: a part of an OpenAPI document

ERRORS = {
    400: "The body cannot be read.",
    401: "The token is missing or wrong.",
    403: "The request names a metric, an option or a host that is not offered here.",
    408: "The body did not arrive in time.",
    409: "The texts and the metrics do not fit together, such as a metric that needs sources without any.",
    413: "The request is larger than one may be.",
    422: "The body is not what this document says.",
    429: "Too much is waiting; Retry-After says when to come back.",
    500: "A failure of the service.",
    504: "The answer took longer than it may.",
}
RESPONSES: dict[int | str, dict[str, object]] = {
    status: {"model": bodies.ErrorAnswer, "description": text} for status, text in ERRORS.items()
}
# Keys of bodies whose lists a limit bounds, by the name of the limit.
BOUNDED_LISTS = {"pairs": "rows", "lists": "rows", "references": "references", "metrics": "metrics"}


def answers(model: type[BaseModel] | None, other: str = "") -> dict[int | str, dict[str, object]]:
    """Describe the answer of a path: JSON of a model, another media type, or either."""
    content: dict[str, object] = {other: {"schema": {"type": "string"}}} if other else {}
    described: dict[str, object] = {"description": "The answer."}
    if model is not None:
        described["model"] = model
    return {200: {**described, **({"content": content} if content else {})}}


def with_limits(document: JsonSchema, limits: Limits) -> JsonSchema:
    """Write the limits of a service into the schemas of its bodies."""
    for name, schema in document["components"]["schemas"].items():
        if name.endswith("Body"):
            for key, value in schema["properties"].items():
                _bound(key, value, limits)
    return document


def _bound(key: str, schema: JsonSchema, limits: Limits) -> None:
    if key == "resamples":
        schema["maximum"] = limits.resamples
    if key == "systems":
        schema["maxProperties"] = limits.systems
    most = BOUNDED_LISTS.get(key)
    items = schema.get("items")
    if most and schema.get("type") == "array" and not (key == "references" and _is_list(items)):
        schema["maxItems"] = getattr(limits, most)


def _is_list(items: object) -> bool:
    return isinstance(items, dict) and items.get("type") == "array"
