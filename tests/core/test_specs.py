"""The spec grammar: what is written is read, and what is printed reads back."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.core.errors import SpecError
from farthing.core.specs import Spec, format_value, parse_spec, parse_specs

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,8}", fullmatch=True)
SCALARS = st.one_of(
    st.text(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans(), st.none()
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4), max_leaves=8)
# another spelling of a metric, such as EM, is read as the metric's own name
METRIC_NAMES = NAMES.filter(lambda name: Spec(name, {}) == parse_spec(name))
SPECS = st.builds(Spec, METRIC_NAMES, st.dictionaries(NAMES, VALUES, max_size=4))


@given(st.lists(SPECS, min_size=1, max_size=3))
def test_printed_specs_read_back(specs: list[Spec]) -> None:
    assert parse_specs(", ".join(map(str, specs))) == specs


@given(VALUES)
def test_values_keep_their_type(value: object) -> None:
    [read] = parse_spec(f"x(v={format_value(value)})").options.values()  # type: ignore[arg-type]
    assert repr(read) == repr(value)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(SpecError):
        assert parse_specs(text)


def test_example_of_every_kind() -> None:
    spec = parse_spec("""bertscore(layer=5, idf=true, model="/my models/x", tags=['a b', c], eps=1e-3, base=none)""")
    assert spec.name == "bertscore"
    assert dict(spec.options) == {
        "layer": 5,
        "idf": True,
        "model": "/my models/x",
        "tags": ["a b", "c"],
        "eps": 0.001,
        "base": None,
    }


def test_canonical_form_does_not_depend_on_order_or_spaces() -> None:
    assert str(parse_spec("x( b = 2,a='q' )")) == str(parse_spec("x(a=q,b=2)")) == "x(a=q, b=2)"


def test_windows_and_unix_paths_need_no_quotes() -> None:
    assert parse_spec(r"m(model=/a/b-c_d.e)").options["model"] == "/a/b-c_d.e"
    assert parse_spec(r"m(model=C:\models\x)").options["model"] == r"C:\models\x"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "a metric is expected"),
        ("bleu,", "a metric's name"),
        ("bleu(", "an option's name"),
        ("bleu(x)", "expected '='"),
        ("bleu(x=)", "a value"),
        ("bleu(x=1", "expected ','"),
        ("bleu(x='a)", "a closing '"),
        ("bleu(x=1,x=2)", "sets 'x' twice"),
        ("bleu(x=[1,)", "a value"),
        ("bleu chrf", "expected ','"),
    ],
)
def test_mistakes_are_named_with_their_place(text: str, expected: str) -> None:
    with pytest.raises(SpecError, match=expected.replace("(", r"\(")):
        parse_specs(text)


def test_one_spec_is_not_two() -> None:
    with pytest.raises(SpecError, match="expected one metric, found 2"):
        parse_spec("bleu,chrf")


def test_a_name_may_end_in_two_plus_signs_and_its_options_may_be_overruled() -> None:
    assert str(parse_spec("chrF++")) == "chrf(word_order=2)"
    assert str(parse_spec("chrf++(word_order=1, beta=3)")) == "chrf(beta=3, word_order=1)"
    assert [str(spec) for spec in parse_specs("chrf,chrf++ , rougeL")] == [
        "chrf", "chrf(word_order=2)", "rouge(type=rougeL)",
    ]  # fmt: skip
    with pytest.raises(SpecError, match=r"found '\+'"):
        parse_spec("chrf+")
