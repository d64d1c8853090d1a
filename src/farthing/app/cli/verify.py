"""`farthing verify`: is the metric of a signature here, exactly as it was?"""

from __future__ import annotations

from typing import Annotated

from farthing.app.cli import typed

DIFFERS = 1  #: the exit code if something differs, as that of diff


def verify(
    signature: Annotated[str, typed.Argument(help="The line below a table of scores, in quotes.")],
    metric: Annotated[
        str | None,
        typed.Option(
            "-m",
            "--metric",
            help="The metric here that should be the same; by default as the signature says.",
            completes="metric",
        ),
    ] = None,
) -> str:
    """Check whether the metric of a signature is here, with the same version and weights, or print what differs.

    The exit code is 0 if scores from here can be compared with those of the signature, and 1 if something differs.
    Examples:
      farthing verify "chrf|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0|farthing:0.1.0"
      farthing verify "bertscore|model:minilm|weights:0123456789ab|farthing:0.1.0" -m "bertscore(model=./minilm)"
    """
    from farthing.scoring.verification import verify_signature

    found = verify_signature(signature, metric)
    unchecked = [f"depends on the texts, not checked: {', '.join(found.unchecked)}"] if found.unchecked else []
    if found.problem:
        return typed.Answer(f"differs: {found.problem}", DIFFERS)
    if not found.same:
        lines = [f"  {one.field}: {one.told} in the signature, {one.here} here" for one in found.differences]
        return typed.Answer("\n".join([f"differs: {found.spec} is not the same here", *lines, *unchecked]), DIFFERS)
    return "\n".join([f"the same: {found.spec} with this version and these weights is here", *unchecked])
