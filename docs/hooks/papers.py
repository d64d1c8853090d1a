"""Write the pages of the papers while the site is built, from their captions and the stored results."""

from __future__ import annotations

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PAPERS = str(Path(__file__).resolve().parents[2] / "papers")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add one page per paper, and one that lists them."""
    sys.path.insert(0, PAPERS)  # here, since mkdocs itself takes the first folder away after loading a hook
    try:
        from pages import pages
    finally:
        sys.path.remove(PAPERS)
    for name, text in pages().items():
        files.append(File.generated(config, f"papers/{name}.md", content=text))
    return files
