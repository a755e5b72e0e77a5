#!/usr/bin/python3
"""Which source files may be compiled together (CMake's unity builds, MOREAU_UNITY).

Files compiled as one see what the others keep in their unnamed namespaces. Two files stay apart if both keep the same name, or
if one calls a function by a name that the other keeps. A file stays alone if it keeps a type named like one of a header, or a
function named like one that a header calls. Each of the others goes into the first group that is not full and holds none it
must be apart from. Reads text as clang-format leaves it: what an unnamed namespace holds begins in the first column.

    together.py HEADERS SIZE FILE...    HEADERS: a folder; one line GROUP:FILE for each file that is not alone
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


def groups(files, headers, size):
    """files: name -> text. The groups of names, in order."""
    types_of_headers = {name for text in headers for name in TYPE.findall(text)}
    calls_of_headers = {name for text in headers for name in called(text)}
    result = []
    for name, text in files.items():
        types, values = kept(text)
        if types & types_of_headers or values & calls_of_headers:
            continue
        own, calls = types | values, called(text)
        for group in result:
            if len(group) < size and not any(own & (o | c) or calls & o for _, o, c in group):
                break
        else:
            group = []
            result.append(group)
        group.append((name, own, calls))
    return [[name for name, _, _ in group] for group in result]


def self_test():
    def unnamed(text):
        return "namespace moreau {\nnamespace {\n" + text + "\n}  // namespace\nvoid f();\n}  // namespace moreau\n"

    def together(*texts, headers=(), size=9):
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
    assert together(weigh, pi, headers=["inline int g() { return weigh(2); }"]) == [["1"]]
    assert together(weigh, pi, headers=["struct A {\n  int weigh(int);\n};"]) == [["0", "1"]]
    assert together(unnamed("struct Form {\n  int a;\n};"), headers=["struct Form {\n"]) == []
    assert together(unnamed("template <int D>\nstatic Vec<D> weigh(Vec<D> a) {"), weigh) == [["0"], ["1"]]


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        headers = [path.read_text() for path in sorted(Path(sys.argv[1]).rglob("*.hpp"))]
        files = {path: Path(path).read_text() for path in sys.argv[3:]}
        for number, group in enumerate(groups(files, headers, int(sys.argv[2]))):
            if len(group) > 1:
                print("\n".join(f"{number}:{path}" for path in group))
