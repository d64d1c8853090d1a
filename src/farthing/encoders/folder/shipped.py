"""The digests of the models that come with the package: a file that was changed or damaged since is not used.

`digests.json` beside this file has, for every embedded student, the digest of its encoder and that of encoder and head
together, which is the one that signatures print. `python -m farthing.encoders.folder.shipped` writes the file again
after the models were replaced on purpose.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Literal

from farthing.core.digest import digest_files
from farthing.core.errors import ModelError
from farthing.encoders.folder.locate import EMBEDDED
from farthing.encoders.tokens.tokenize import part_of

DIGESTS = Path(__file__).with_name("digests.json")
ShippedPart = Literal["encoder", "student"]
_ENCODERS = ("encoder.onnx", "tokens.safetensors", "lower.onnx")  # those of a student, or of one whose parts it shares


def check_shipped(folder: Path, part: ShippedPart, found: str) -> str:
    """Return a digest; raise an error if the folder is one of the package's own and its files are not as published."""
    own = folder.resolve()
    known = _known().get(own.name, {}).get(part) if own.parent == EMBEDDED else None
    if known is not None and known != found:
        raise ModelError(
            f"{folder} is damaged or was changed: its {part} has the digest {found}, published was {known}; "
            "install farthing again"
        )
    return found


@lru_cache(maxsize=1)
def _known() -> dict[str, dict[str, str]]:
    known: dict[str, dict[str, str]] = json.loads(DIGESTS.read_text(encoding="utf-8")) if DIGESTS.is_file() else {}
    return known


def shipped_digests() -> dict[str, dict[str, str]]:
    """Compute the digests of all embedded students."""
    found = {}
    for head in sorted(EMBEDDED.glob("*/head.safetensors")):
        files = [path for name in _ENCODERS if (path := part_of(head.parent, name)).is_file()]
        found[head.parent.name] = {"encoder": digest_files(files), "student": digest_files([*files, head])}
    return found


if __name__ == "__main__":
    DIGESTS.write_text(json.dumps(shipped_digests(), indent=1) + "\n", encoding="utf-8")
