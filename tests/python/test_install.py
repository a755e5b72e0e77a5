"""What is installed: a C++ program that links it, the experiments found beside the program, man page and completions."""
import pathlib
import re
import shutil
import subprocess
import unittest

from scenes import FolderTest

import moreau as mo

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(mo.__file__).parents[2]


def done(*words, **options):
    result = subprocess.run([str(word) for word in words], text=True, capture_output=True, check=False, **options)
    if result.returncode != 0:
        raise AssertionError(f"{words}\n{result.stdout}\n{result.stderr}")
    return result.stdout


class InstallTest(FolderTest):
    def test_a_program_that_links_the_package_makes_the_same_bits(self):
        prefix, example = self.folder / "prefix", self.folder / "example"
        done("cmake", "--install", BUILD, "--prefix", prefix)
        for file in ("bin/moreau", "share/man/man1/moreau.1", "share/moreau/experiments/classics/run.py",
                     "share/bash-completion/completions/moreau", "share/moreau/examples/pile.toml"):
            self.assertTrue((prefix / file).exists(), file)
        pages = prefix / "share" / "doc" / "moreau"
        for link in re.findall(r"\]\(([^)#:]+)[^):]*\)", (pages / "README.md").read_text()):
            self.assertTrue((pages / link).exists(), link)
        done("cmake", "-S", ROOT / "examples" / "cpp", "-B", example, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
        done("cmake", "--build", example)
        said = done(example / "pour", ROOT / "examples" / "drop.toml", "0.05")
        course = mo.Course(mo.load(ROOT / "examples" / "drop.toml"), threads=1)
        course.run(until=0.05)
        self.assertIn(f"state {course.hash}", said)
        environment = {"PATH": "/usr/bin:/bin"}
        self.assertIn("stone-arch", done(prefix / "bin" / "moreau", "reproduce", env=environment))


class ManualTest(FolderTest):
    def commands(self):
        said = self.moreau("--help").stdout.split("Subcommands:")[1]
        return [line.split()[0] for line in said.splitlines() if line.startswith("  ") and line[2] != " "]

    def test_man_page_names_every_command(self):
        page = (ROOT / "packaging" / "moreau.1").read_text()
        for command in self.commands():
            self.assertIn(f"\n.B {command}\n", page)

    def test_bash_completes_commands_options_and_experiments(self):
        def completed(*words):
            script = (f"source {ROOT / 'packaging' / 'completion.bash'}; COMP_WORDS=({' '.join(words)} ''); COMP_CWORD={len(words)}; "
                      f"COMP_WORDS[{len(words)}]=$1; compopt() {{ :; }}; _moreau {mo.program.executable()}; echo ${{COMPREPLY[@]}}")
            return lambda start: done("bash", "-c", script, "bash", start).split()

        self.assertEqual(completed("moreau")("re"), ["resume", "reproduce"])
        self.assertEqual(sorted(completed("moreau")("")), sorted(self.commands()))
        self.assertIn("--threads", completed("moreau", "run")("--"))
        self.assertIn("--smooth", completed("moreau", "ensemble")("--"))
        self.assertEqual(completed("moreau", "reproduce")("cl"), ["classics"])

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_completes_commands_options_and_experiments(self):
        """The file as zsh reads it, with what it calls of the shell's own completion told instead of shown."""
        def completed(*words):
            script = ("compadd() { print -l -- ${(P)2} }; _describe() { print -l -- ${(P)2} }; _files() { print FILES }; "
                      f"moreau() {{ {mo.program.executable()} \"$@\" }}; words=({' '.join(words)}); CURRENT={len(words)}; "
                      f"tell() {{ source {ROOT / 'packaging' / 'completion.zsh'} }}; tell")
            return done("zsh", "-f", "-c", script).splitlines()

        self.assertEqual(sorted(line.split(":")[0] for line in completed("moreau", "''")), sorted(self.commands()))
        self.assertIn("--threads", completed("moreau", "run", "--"))
        self.assertIn("--smooth", completed("moreau", "ensemble", "--"))
        self.assertIn("classics", completed("moreau", "reproduce", "''"))
        self.assertEqual(completed("moreau", "run", "''"), ["FILES"])


if __name__ == "__main__":
    unittest.main()
