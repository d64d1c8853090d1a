"""Signatures: one line, equal for equal settings."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from farthing.core.signature import Signature
from farthing.core.version import __version__

TEXT = st.text(max_size=8)


@given(st.dictionaries(st.sampled_from("abc"), st.one_of(TEXT, st.integers(), st.booleans(), st.none())))
def test_a_signature_is_one_line_that_no_value_can_break_apart(fields: dict[str, str | int | bool | None]) -> None:
    text = str(Signature("x", fields, "0"))
    assert "\n" not in text
    plain = {key: value for key, value in fields.items() if not (isinstance(value, str) and set(value) & set("|\r\n"))}
    if plain == fields:
        assert len(text.split("|")) == 2 + len(fields)


def test_fields_keep_their_order_and_the_version_ends_the_line() -> None:
    assert str(Signature("x", {"b": True, "a": [1, "two words"]})) == (
        f'x|b:true|a:[1, "two words"]|farthing:{__version__}'
    )


def test_the_short_form_is_eight_digits_of_sha256() -> None:
    signature = Signature("x", {"a": 1}, "0")
    assert signature.short == f"x#{hashlib.sha256(b'x|a:1|farthing:0').hexdigest()[:8]}"
    first, second = Signature("x", {"model": "a|b\nc"}, "0"), Signature("x", {"model": "a"}, "0")
    assert "\n" not in str(first)
    assert first.short != second.short


def test_a_field_that_only_some_stretches_have_is_kept() -> None:
    plain, whole = Signature("x", {"a": 1, "b": 2}, "0"), Signature("x", {"a": 1, "b": 2, "long": "window"}, "0")
    assert str(Signature.merged([plain, whole, plain])) == "x|a:1|b:2|long:window|farthing:0"
    assert Signature.merged([whole, plain]) == whole


def test_signatures_agree_if_no_field_says_otherwise() -> None:
    plain, whole = Signature("x", {"a": [1]}, "0"), Signature("x", {"a": [1], "long": "window"}, "0")
    assert plain.agrees(whole)
    assert whole.agrees(plain)
    for other in (Signature("x", {"a": [2]}, "0"), Signature("y", {"a": [1]}, "0"), Signature("x", {"a": [1]}, "1")):
        assert not plain.agrees(other)
    assert not whole.agrees(Signature("x", {"a": [1], "long": "truncate"}, "0"))


def test_stretches_merge_and_what_differs_becomes_var() -> None:
    stretches = [Signature("x", {"nrefs": n, "model": "m"}, "0") for n in (1, 1, 2)]
    assert Signature.merged(stretches[:2]) == stretches[0]
    assert str(Signature.merged(stretches)) == "x|nrefs:var|model:m|farthing:0"
