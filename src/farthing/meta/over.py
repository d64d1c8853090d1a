"""Several values of one option, such as k=1,2,3: which of them agrees best with people?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from farthing.core.errors import UsageError
from farthing.core.registry import metric_options
from farthing.core.specs import Spec, Value, parse_spec
from farthing.core.types import Note
from farthing.meta.study import Study


@dataclass(frozen=True, slots=True)
class Over:
    """An option of metrics, and the values that are tried."""

    option: str
    values: tuple[Value, ...]

    @classmethod
    def of(cls, text: str) -> Over:
        """Read an option and its values.

        >>> Over.of("k=1,2,5")
        Over(option='k', values=(1, 2, 5))
        """
        option, found, rest = text.partition("=")
        if not found or not rest.strip():
            raise UsageError(f"--over {text} is not of the form option=value,value")
        values = parse_spec(f"over(values=[{rest}])").options["values"]
        return cls(option.strip(), tuple(values) if isinstance(values, list) else (values,))

    def variants(self, spec: Spec) -> list[Spec]:
        """Return the metric with each of the values, or as it is if it has no such option or names a value itself."""
        if self.option not in metric_options(spec.name) or self.option in spec.options:
            return [spec]
        return [spec.with_options({self.option: value}) for value in self.values]


def spread_specs(specs: Sequence[Spec], over: Over | None) -> list[Spec]:
    """Return all variants of all metrics; at least one metric must have the option. None changes nothing."""
    if over is None:
        return list(specs)
    found = [variant for spec in specs for variant in over.variants(spec)]
    if len(found) == len(specs) and len(over.values) > 1:
        raise UsageError(f"none of the metrics has an option {over.option!r} that is not set")
    return found


def with_best(found: Study, specs: Sequence[Spec], over: Over | None) -> Study:
    """Add notes that say for every metric which value agrees best with people, on the mean of the groups."""
    notes = [note for spec in specs for note in _best_note(found, spec, over)] if over else []
    return replace(found, notes=(*found.notes, *notes))


def _best_note(found: Study, spec: Spec, over: Over) -> Iterator[Note]:
    variants = over.variants(spec)
    means = dict(zip(map(str, over.values), (found.mean(str(one)) for one in variants), strict=False))
    known = {value: mean for value, mean in means.items() if mean is not None}
    if len(variants) > 1 and known:
        best = max(known, key=lambda value: abs(known[value]))
        chosen = f"{spec} with {over.option}={best}: {known[best]:.3f}"
        yield Note("best", f"{chosen}; it was chosen on these data, so it is too good for others")
