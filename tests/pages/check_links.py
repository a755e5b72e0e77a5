#!/usr/bin/python3
"""Checks that files which pages speak of are there: links to files of the project, and names of source files.

    check_links.py ROOT    exit status 1, one line per mistake
"""

import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
SOURCE = re.compile(r"(?:`|\| )((?:[a-z]+/)+[a-z_0-9]+\.(?:hpp|cpp))(?:`| \|)")


def mistakes(root):
    pages = [root / "README.md", root / "CHANGELOG.md", *sorted((root / "docs").rglob("*.md"))]
    for page in pages:
        for number, line in enumerate(page.read_text().splitlines(), 1):
            place = f"{page.relative_to(root)}:{number}"
            for target in LINK.findall(line):
                if "://" not in target and not target.startswith("mailto:") and not (page.parent / target).exists():
                    yield f"{place}: {target} is not there"
            if page.name == "CHANGELOG.md":
                continue  # what was there then
            for name in SOURCE.findall(line):
                if not any((root / folder / name).exists() for folder in ("", "src", "src/moreau")):
                    yield f"{place}: no source file {name}"


if __name__ == "__main__":
    found = list(mistakes(Path(sys.argv[1])))
    print("\n".join(found) or "every file that a page speaks of is there")
    sys.exit(1 if found else 0)
