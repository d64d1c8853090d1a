"""The table of sources: every line of it works, and options are checked."""

from __future__ import annotations

import pytest

from farthing.core.errors import FarthingError, UnknownName
from farthing.core.options import options_of
from farthing.learn.pairs.sources import SOURCES, file_option, make_source


@pytest.mark.parametrize("name", SOURCES.builtin)
def test_every_source_says_its_name_and_explains_its_options(name: str) -> None:
    build = SOURCES.get(name)
    assert getattr(build, "name", None) == name
    options = options_of(build)
    assert all(option.help for option in options.values())
    assert options[file_option(name)].default is ...  # the input must be given


def test_options_are_checked() -> None:
    with pytest.raises(FarthingError, match="needs the option corpus"):
        make_source("perturbation", {})
    with pytest.raises(UnknownName, match="did you mean 'denoising'"):
        make_source("denoisin", {})
    with pytest.raises(FarthingError, match="variants=two is not integer"):
        make_source("perturbation", {"corpus": "x", "variants": "two"})


def test_inputs_go_by_one_of_two_names() -> None:
    assert file_option("perturbation") == "corpus"
    assert file_option("outputs") == file_option("systems") == "file"
