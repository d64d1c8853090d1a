"""Refuse to build the package without its student, with a part of it, or with one that is too large."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILES = ("config.json", "encoder.onnx", "head.safetensors", "tokenizer.json", "card.md")
MOST = 85_000_000  # bytes of the encoder


class StudentHook(BuildHookInterface):
    """Checks the folder of the student before anything is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Stop with a sentence if the student cannot be shipped."""
        folder = Path(self.root) / "src" / "farthing_base" / "base"
        missing = [name for name in FILES if not (folder / name).is_file()]
        if missing:
            self.app.abort(f"{folder} has no {', '.join(missing)}: README.md says how the student is made")
        size = (folder / FILES[1]).stat().st_size
        if size > MOST:
            self.app.abort(f"{folder / FILES[1]} has {size / 1e6:.1f} MB; at most {MOST / 1e6:.0f} MB are shipped")
        facts = json.loads((folder / FILES[0]).read_text(encoding="utf-8"))["farthing"]
        weights, package = str(facts.get("version", 1)), str(self.metadata.version).partition(".")[0]
        if weights != package:
            self.app.abort(f"the weights have version {weights}, but the package is {self.metadata.version}")
