"""The texts of rows by the names that prompts have for them."""

from __future__ import annotations

from collections.abc import Iterator

from farthing.core.types import Pairs


def row_fields(pairs: Pairs) -> Iterator[dict[str, str]]:
    """Yield the fields of each row; what a row does not have is left out.

    >>> list(row_fields(Pairs(["a"], [["b", "c"]])))
    [{'candidate': 'a', 'reference': 'b', 'references': 'b\\nc'}]
    """
    for row, candidate in enumerate(pairs.candidates):
        fields = {"candidate": candidate}
        if references := pairs.references[row]:
            fields |= {"reference": references[0], "references": "\n".join(references)}
        if pairs.sources is not None:
            fields["source"] = pairs.sources[row]
        yield fields
