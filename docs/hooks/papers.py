"""Write the pages of the papers while the site is built, from their captions and the stored results.

Any other page shows the tables of a stored result in the place of a line such as

    <!-- stored: bertscore table11 -->
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

PAPERS = str(Path(__file__).resolve().parents[2] / "papers")
STORED = re.compile(r"<!-- stored: (\S+) (\S+) -->")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add one page per paper, and one that lists them."""
    for name, text in _pages().pages().items():
        files.append(File.generated(config, f"papers/{name}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put stored tables in their places."""
    return STORED.sub(lambda found: _pages().stored_tables(found[1], found[2]), markdown)


def _pages() -> ModuleType:
    sys.path.insert(0, PAPERS)  # here, since mkdocs itself takes the first folder away after loading a hook
    try:
        import pages
    finally:
        sys.path.remove(PAPERS)
    return pages
