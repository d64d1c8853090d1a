"""Print a file with folders in the place of the names in braces, such as {human}.

python papers/scripts/filled.py student.toml human=HUMAN build=BUILD > filled.toml
"""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> None:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    for argument in sys.argv[2:]:
        name, _, folder = argument.partition("=")
        text = text.replace(f"{{{name}}}", folder)
    print(text)


if __name__ == "__main__":
    main()
