"""The scripts of the tutorials, in their short form."""
import ast
import os
import pathlib
import re
import subprocess
import sys
import tomllib

import moreau as mo
from scenes import FolderTest

TUTORIALS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "tutorials"


class TutorialTest(FolderTest):
    def work_through(self, name, *made):
        done = subprocess.run([sys.executable, TUTORIALS / name, "--short"], cwd=self.folder, text=True, capture_output=True,
                              env={**os.environ, "MPLCONFIGDIR": str(self.folder)}, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for file in made:
            self.assertTrue((self.folder / file).read_bytes().startswith(b"\x89PNG"), file)
        return done.stdout

    def test_scripts_tell_what_they_do_and_refuse_what_they_do_not_know(self):
        for script in sorted(TUTORIALS.glob("[1-9]_*.py")):
            helped = subprocess.run([sys.executable, script, "--help"], cwd=self.folder, text=True, capture_output=True, timeout=60, check=False)
            self.assertEqual(helped.returncode, 0, helped.stderr)
            self.assertIn("--short", helped.stdout)
            wrong = subprocess.run([sys.executable, script, "--shrot"], cwd=self.folder, text=True, capture_output=True, timeout=60, check=False)
            self.assertEqual(wrong.returncode, 2, script)
            self.assertIn("--shrot", wrong.stderr)

    def block(self, page):
        (text,) = re.findall(r"^```python\n(.*?)^```", (TUTORIALS / page).read_text(), re.DOTALL | re.MULTILINE)
        return text

    def test_python_of_the_pages_runs_as_it_stands_there(self):
        """With nothing but what the page itself has made before: the sweep of the second one, smaller."""
        small = {"grains.count": 25, "wall.box": {"min": [-3, -3], "max": [3, 3]}, "phase[mix].end": {"travelled": 0.1}, "phase[press].duration": 1.0,
                 "phase[settle].duration": 0.2, "phase[settle].end.at_least": 0.1, "phase[shear].piston.velocity": 0.05, "phase[shear].end.strain": 0.01}
        mo.sweep(self.write("b.toml", mo.load(TUTORIALS.parents[1] / "examples" / "biaxial.toml", small).text), {"phase[shear].pair.friction": [0.3]},
                 seeds=range(1, 3), folder=self.folder / "biaxial")
        for page in ("2-biaxial.md", "7-python.md"):
            done = subprocess.run([sys.executable, "-c", self.block(page)], cwd=self.folder, text=True, capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_first_pile(self):
        self.assertIn("energy balance closed", self.work_through("1_first_pile.py", "pile.png"))

    def test_the_scene_of_the_first_page_is_that_of_its_script(self):
        page = (TUTORIALS / "1-first-pile.md").read_text()
        scene = tomllib.loads(re.search(r"```toml\n(.*?)```", page, re.DOTALL)[1])
        calls = [node for node in ast.walk(ast.parse((TUTORIALS / "1_first_pile.py").read_text()))
                 if isinstance(node, ast.Call) and ast.unparse(node.func) == "mo.Scene"]
        of_script = eval(compile(ast.Expression(calls[0].args[0]), "scene", "eval"), {"short": False})
        self.assertEqual(scene, of_script)

    def test_biaxial_curves(self):
        self.assertIn("'finished' 'finished' 'finished' 'finished'", self.work_through("2_biaxial.py", "biaxial.png"))

    def test_errors_against_step_tolerance_and_wall_mass(self):
        said = self.work_through("3_convergence.py", "convergence.png")
        order = float(said.split("order of the step: ")[1].split()[0])
        self.assertTrue(0.8 < order < 2.2, said)
        light, heavy = (float(word.split(";")[0]) for word in said.split("noise of its stress: ")[1].replace("0.2: ", "").replace("10: ", "").split()[:2])
        self.assertLess(light, 0.05)
        self.assertGreater(heavy, light)

    def test_arch_and_earthquake(self):
        said = self.work_through("4_arch.py", "arch.png", "arch-quake.png")
        least = float(said.split("from a thickness of ")[1].split()[0])
        self.assertTrue(0.08 < least < 0.13, said)

    def test_hopper_and_drum(self):
        said = self.work_through("5_hopper_and_drum.py", "flow.png")
        self.assertIn("slope in the drum", said)
        share = float(said.split("per cm of depth, ")[1].split()[0])
        self.assertTrue(0.3 < share < 1.5, said)  # of the order of one: it flows

    def test_solver_study(self):
        said = self.work_through("6_solver_study.py", "profile.png")
        self.assertEqual(said.count("not solved"), 0, said)
        self.assertIn("2 problems", said)

    def test_steps_from_python(self):
        self.assertIn("mean normal force", self.work_through("7_python.py", "fading.png"))

    def test_incremental_dynamic_analysis(self):
        said = self.work_through("8_incremental_dynamic_analysis.py", "ida.png")
        self.assertIn("motion 2: widest crack", said)
        weak, strong = map(float, said.split("motion 1: widest crack [")[1].split("]")[0].split())
        self.assertLess(weak, 1e-5)
        self.assertGreater(strong, 1e-3)

    def test_grain_shapes(self):
        said = self.work_through("9_grain_shapes.py", "shapes.png")
        self.assertIn("18 grains", said)
