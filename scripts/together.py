#!/usr/bin/python3
"""Which source files may be compiled together (CMake's unity builds, MOREAU_UNITY).

Files compiled as one see what the others keep in their unnamed namespaces. Two files stay apart if both keep the same name, if
one calls a function by a name that the other keeps, or if one keeps a type named like one of a header that the other sees, or a
function named like one that such a header calls. Each file goes into the first group that is not full and holds none it must be
apart from. Reads text as clang-format leaves it: what an unnamed namespace holds begins in the first column.

    together.py HEADERS SIZE FILE...    HEADERS: the folder that includes start from; one line GROUP:FILE for each file that is not alone
    together.py --self-test
"""

import re
import sys
from pathlib import Path

TYPE = re.compile(r"(?:template\s*<.*>\s*)?(?:struct|class|enum class|enum|union)\s+(\w+)\s*(?:\{|:|final\b|$)", re.MULTILINE)
ALIAS = re.compile(r"using (\w+) =")
VALUE = re.compile(r"[\w:\s&*\[\],]*?\b(\w+)\s*[(={\[;]")  # or function
FURTHER = re.compile(r",\s*(\w+)\s*[={;]")  # double a = 1.0, b = 2.0;
CALL = re.compile(r"(\w+[&*>]*\s+)?(?<![\w.>:])(\w+)\s*\(")  # or declaration: a type stands before the name
VERBS = ("return", "throw", "else", "case", "co_return")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
NOT_KEPT = ("namespace", "using ", "template", "TEST", "TYPED_TEST", "INSTANTIATE", "RC_GTEST")


def kept(text):
    """Names that a file keeps to itself: types, and values and functions."""
    types, values = set(), set()
    inside = False
    text = re.sub(r'R"(\w*)\(.*?\)\1"|\[\[\w[^\]\n]*\]\] ', "", text, flags=re.DOTALL)
    for line in re.sub(r",\n\s+", ", ", text).splitlines():
        if line.startswith("namespace {"):
            inside = True
        elif line.startswith("}  // namespace"):
            inside = False
        elif (inside or line.startswith("static ")) and re.match(r"[A-Za-z_]", line):
            if found := TYPE.match(line) or ALIAS.match(line):
                types.add(found[1])
            elif not line.startswith(NOT_KEPT):
                while (shorter := re.sub(r"<[^<>]*>", "", line)) != line:
                    line = shorter
                if found := VALUE.match(line):
                    values |= {found[1], *FURTHER.findall(line[found.end() :])}
    return types, values


def called(text):
    text = re.sub(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|//[^\n]*', "", text, flags=re.DOTALL)
    return {name for before, name in CALL.findall(text) if not before or before.strip() in VERBS}


class Headers:
    """What the headers that a file sees, itself or through others, define and call. texts: path, as includes name it -> text."""

    def __init__(self, texts):
        self.included = {path: [other for other in INCLUDE.findall(text) if other in texts] for path, text in texts.items()}
        self.types = {path: set(TYPE.findall(text)) for path, text in texts.items()}
        self.calls = {path: called(text) for path, text in texts.items()}

    def seen_by(self, text):
        seen, to_see = set(), [path for path in INCLUDE.findall(text) if path in self.included]
        while to_see:
            path = to_see.pop()
            if path not in seen:
                seen.add(path)
                to_see += self.included[path]
        return set().union(*(self.types[path] for path in seen)), set().union(*(self.calls[path] for path in seen))


class Source:
    def __init__(self, text, headers):
        self.types, self.values = kept(text)
        self.own, self.calls = self.types | self.values, called(text)
        self.seen_types, self.seen_calls = headers.seen_by(text)

    def disturbs(self, other):
        return self.own & (other.own | other.calls) or self.types & other.seen_types or self.values & other.seen_calls


def groups(files, headers, size):
    """files: name -> text; headers likewise. The groups of names, in order."""
    headers = Headers(headers)
    result = []
    for name, text in files.items():
        source = Source(text, headers)
        for group in result:
            if len(group) < size and not any(source.disturbs(other) or other.disturbs(source) for _, other in group):
                break
        else:
            group = []
            result.append(group)
        group.append((name, source))
    return [[name for name, _ in group] for group in result]


def self_test():
    def unnamed(text):
        return "namespace moreau {\nnamespace {\n" + text + "\n}  // namespace\nvoid f();\n}  // namespace moreau\n"

    def together(*texts, headers={}, size=9):
        return groups({str(i): text for i, text in enumerate(texts)}, headers, size)

    chunk, pi = unnamed("constexpr double chunk = 1;"), unnamed("constexpr double pi = 3;")
    assert together(chunk, pi) == [["0", "1"]]
    assert together(chunk, pi, chunk) == [["0", "1"], ["2"]]
    assert together(chunk, chunk.replace("double", "std::array<int, 2>")) == [["0"], ["1"]]
    assert together(pi, pi.replace("namespace {", "namespace b {")) == [["0", "1"]]
    assert together(chunk, pi, unnamed("struct Other {"), size=2) == [["0", "1"], ["2"]]
    assert together(pi, pi.replace("pi", "g = 9.81,\n    pi")) == [["0"], ["1"]]
    weigh = unnamed("double weigh(int) {\n  int chunk = 1;\n}")
    assert together(weigh, chunk) == [["0", "1"]]
    assert together(weigh, weigh.replace("double", "[[noreturn]] double")) == [["0"], ["1"]]
    assert together(weigh, "void f() { weigh(1); }") == [["0"], ["1"]]
    assert together(weigh, "void f() { a.weigh(1), a::weigh(1); }") == [["0", "1"]]
    seeing = '#include "b.hpp"\n' + pi
    calling = {"a.hpp": "inline int g() { return weigh(2); }", "b.hpp": '#include "a.hpp"\n'}
    assert together(weigh, seeing, headers=calling) == [["0"], ["1"]]
    assert together(seeing, weigh, headers=calling) == [["0"], ["1"]]
    assert together(weigh, pi, headers=calling) == [["0", "1"]]
    assert together(weigh, seeing, headers={"b.hpp": "struct A {\n  int weigh(int);\n};"}) == [["0", "1"]]
    assert together(unnamed("struct Form {\n  int a;\n};"), seeing, headers={"b.hpp": "struct Form {\n"}) == [["0"], ["1"]]
    assert together(unnamed("template <int D>\nstatic Vec<D> weigh(Vec<D> a) {"), weigh) == [["0"], ["1"]]


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        top = Path(sys.argv[1])
        headers = {str(path.relative_to(top)): path.read_text() for path in sorted(top.rglob("*.hpp"))}
        files = {path: Path(path).read_text() for path in sys.argv[3:]}
        for number, group in enumerate(groups(files, headers, int(sys.argv[2]))):
            if len(group) > 1:
                print("\n".join(f"{number}:{path}" for path in group))
