#!/usr/bin/python3
"""Checks that every room of src/moreau includes only the rooms it may know.

Who may know whom is read from CMakeLists.txt: the moreau_room(...) lines, and for the command line the libraries linked to the
program `moreau`, for the Python module those linked to it in src/python/CMakeLists.txt. A room may include itself, the rooms it names, and those that these may include. Standard library only.

    check_includes.py ROOT        exit status 1, one line per mistake, if an include is not allowed
    check_includes.py --self-test tries the checker on a small tree with every kind of mistake
"""

import re
import sys
import tempfile
from pathlib import Path

ROOM = re.compile(r"^\s*moreau_room\(\s*(\w+)([^)]*)\)", re.MULTILINE)
PROGRAM = re.compile(r"^\s*target_link_libraries\(\s*moreau\s+(?:PRIVATE|PUBLIC)([^)]*)\)", re.MULTILINE)
MODULE = re.compile(r"^\s*target_link_libraries\(\s*moreau_python\s+(?:PRIVATE|PUBLIC)([^)]*)\)", re.MULTILINE)
QUOTED = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
ANGLED = re.compile(r"^\s*#\s*include\s*<(moreau/[^>]+)>")
SOURCES = {".cpp", ".hpp", ".h", ".cu", ".cuh", ".inl"}


def rooms_named(words):
    return {word.removeprefix("moreau_") for word in words.split() if word.startswith("moreau_") and word != "moreau_flags"}


def direct_knowledge(cmake):
    """Room -> rooms it names, as written in CMakeLists.txt."""
    text = re.sub(r"#[^\n]*", "", cmake)
    knows = {name: rooms_named(rest) for name, rest in ROOM.findall(text)}
    if program := PROGRAM.search(text):
        knows["cli"] = rooms_named(program.group(1))
    if module := MODULE.search(text):
        knows["python"] = rooms_named(module.group(1))
    return knows


def all_knowledge(knows, mistakes):
    """The transitive closure; a circle or an unknown room is a mistake."""
    closed = {}

    def close(room, path):
        if room in path:
            mistakes.append("CMakeLists.txt: rooms know each other in a circle: " + " -> ".join([*path, room]))
            return set()
        if room not in closed:
            reached = set(knows[room])
            for other in sorted(knows[room]):
                if other in knows:
                    reached |= close(other, [*path, room])
                else:
                    mistakes.append(f"CMakeLists.txt: room '{room}' names '{other}', which is no room")
            closed[room] = reached
        return closed[room]

    for room in sorted(knows):
        close(room, [])
    return closed


def check(root):
    """All mistakes under `root`, as sentences, and the number of files looked at."""
    mistakes = []
    source = root / "src" / "moreau"
    lists = [root / "CMakeLists.txt", root / "src" / "python" / "CMakeLists.txt"]
    knows = all_knowledge(direct_knowledge("\n".join(file.read_text() for file in lists if file.exists())), mistakes)
    if not knows:
        mistakes.append("CMakeLists.txt: no moreau_room(...) line was found")
    files = sorted(f for f in source.rglob("*") if f.suffix in SOURCES)
    for file in files:
        name, inside = file.relative_to(root), file.relative_to(source)
        if len(inside.parts) < 2:
            mistakes.append(f"{name}: lies in no room")
            continue
        room = inside.parts[0]
        if room not in knows:
            mistakes.append(f"{name}: room '{room}' has no moreau_room(...) line in CMakeLists.txt")
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            found = QUOTED.match(line) or ANGLED.match(line)
            if not found:
                continue
            parts = Path(found.group(1)).parts
            if parts[0] != "moreau" or len(parts) < 3:
                mistakes.append(f'{name}:{number}: "{found.group(1)}" is not written from the root, as in "moreau/room/file.hpp"')
            elif parts[1] != room and parts[1] not in knows[room]:
                mistakes.append(f"{name}:{number}: room '{room}' may not know '{parts[1]}'")
    return mistakes, len(files)


def self_test():
    tree = {
        "CMakeLists.txt": "moreau_room(base TBB::tbb)\nmoreau_room(law moreau_base)\n# moreau_room(base moreau_law)\n"
        "moreau_room(solver moreau_law)\ntarget_link_libraries(moreau PRIVATE moreau_solver CLI11::CLI11)\n",
        "src/moreau/base/hash.hpp": "#pragma once\n",
        "src/moreau/solver/good.cpp": '#include <vector>\n#include "moreau/solver/a.hpp"\n#include "moreau/base/hash.hpp"\n',
        "src/moreau/cli/good.cpp": '#include "moreau/law/law.hpp"\n',
    }
    wrong = {
        ("src/moreau/base/up.hpp", '#include "moreau/law/law.hpp"\n'): "may not know 'law'",
        ("src/moreau/law/angled.hpp", "#  include <moreau/solver/a.hpp>\n"): "may not know 'solver'",
        ("src/moreau/law/relative.hpp", '#include "../base/hash.hpp"\n'): "not written from the root",
        ("src/moreau/attic/old.hpp", "#pragma once\n"): "has no moreau_room",
        ("src/moreau/loose.hpp", "#pragma once\n"): "lies in no room",
        ("CMakeLists.txt", "moreau_room(base moreau_law)\nmoreau_room(law moreau_base)\n"): "in a circle",
        ("CMakeLists.txt", "moreau_room(base moreau_cellar)\n"): "which is no room",
        ("CMakeLists.txt", "project(moreau)\n"): "no moreau_room",
    }

    def mistakes_of(files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check(Path(folder))[0]

    failures = []
    if found := mistakes_of(tree):
        failures.append(f"a correct tree was refused: {found}")
    for (name, text), expected in wrong.items():
        found = mistakes_of({**tree, name: text})
        if not any(expected in sentence for sentence in found):
            failures.append(f"{name} with {text!r}: expected '{expected}', found {found}")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        mistakes, right = self_test(), "self-test: every mistake was found"
    elif len(arguments) == 1:
        mistakes, count = check(Path(arguments[0]))
        right = f"{count} files: every include is allowed"
        if count == 0:
            mistakes.append(f"{arguments[0]}: no source files were found")
    else:
        print(__doc__, file=sys.stderr)
        return 2
    for sentence in mistakes:
        print(sentence)
    print(f"{len(mistakes)} mistakes" if mistakes else right)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
