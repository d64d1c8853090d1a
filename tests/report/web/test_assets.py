"""The assets of the pages: found, joined in the order in which they need each other, and free of other hosts."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from farthing.core.errors import UsageError
from farthing.report.web.assets import joined_script, web_asset, web_assets

SCRIPTS = [name for name in web_assets() if name.endswith(".js")]
EXPORTED = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)


def test_an_unknown_asset_is_a_sentence() -> None:
    with pytest.raises(UsageError, match=r"list\.js"):
        web_asset("../assets.py")


def test_no_two_modules_export_the_same_name() -> None:
    names = [name for script in SCRIPTS for name in EXPORTED.findall(web_asset(script))]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("name", SCRIPTS)
def test_joined_scripts_have_no_imports_and_define_before_use(name: str) -> None:
    script = joined_script(name)
    assert not re.search(r"^(import|export) ", script, re.MULTILINE)
    own = {one for other in SCRIPTS for one in EXPORTED.findall(web_asset(other))}
    defined = re.findall(r"^(?:async )?(?:function|class|const) (\w+)", script, re.MULTILINE)
    assert len(defined) == len(set(defined))  # one scope: a private name of one module is none of another's
    for one in own & set(re.findall(r"new (\w+)", script)):  # classes must be defined before they are used
        assert script.index(f"class {one}") < script.index(f"new {one}")


@pytest.mark.parametrize("name", SCRIPTS)
def test_joined_scripts_are_valid(name: str) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed, so scripts are only checked in the browser")
    command = [node, "--check", "--input-type=module"]
    done = subprocess.run(command, input=joined_script(name), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", web_assets())
def test_assets_ask_no_other_host_and_make_no_markup_of_texts(name: str) -> None:
    text = web_asset(name).replace("http://www.w3.org/2000/svg", "")
    forbidden = (
        "http:",
        "https:",
        "@import",
        "url(",
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "eval(",
        "fetch(",
    )
    found = [word for word in forbidden if word in text]
    assert not found
