"""Types: the hints of the module agree with its code, and the stubs name what the extension has."""
import ast
import importlib.util
import inspect
import pathlib
import subprocess
import sys
import unittest

from scenes import FolderTest

import moreau
import moreau.experiment
from moreau import _core

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "src" / "python" / "moreau"


class StubTest(FolderTest):
    def test_stubs_name_everything_that_the_extension_has_and_nothing_else(self):
        tree = ast.parse((PACKAGE / "_core.pyi").read_text())
        named = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        there = {name for name in dir(_core) if not name.startswith("_")}
        self.assertEqual(set(named), there)
        for name, node in named.items():
            if not isinstance(node, ast.ClassDef):
                continue
            members = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            members |= {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
            real = {member for member in dir(getattr(_core, name)) if not member.startswith("_")}
            if not issubclass(getattr(_core, name), BaseException):
                self.assertEqual({member for member in members if not member.startswith("_")}, real, name)

    def test_what_is_promised_is_there(self):
        for name in moreau.__all__:
            self.assertTrue(hasattr(moreau, name), name)

    def test_everything_public_says_what_it_is(self):
        things = {name: getattr(moreau, name) for name in moreau.__all__ if not name.startswith("_")}
        things |= {f"experiment.{name}": thing for name, thing in vars(moreau.experiment).items()
                   if not name.startswith("_") and getattr(thing, "__module__", "").startswith("moreau.experiment")}
        silent = [name for name, thing in things.items() if not (thing.__doc__ or "").strip()]
        members = 0
        for name, thing in things.items():
            for member, value in vars(thing).items() if inspect.isclass(thing) else ():
                function = getattr(value, "__func__", value)
                if member.startswith("_") or not (callable(function) or inspect.isdatadescriptor(function)):
                    continue
                members += 1
                if not (getattr(function, "__doc__", None) or "").strip():
                    silent.append(f"{name}.{member}")
        self.assertGreater(members, 100)
        self.assertEqual(silent, [])


@unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
class TypeTest(FolderTest):
    def test_hints_agree_with_the_code(self):
        done = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir=/dev/null", str(PACKAGE)], text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
