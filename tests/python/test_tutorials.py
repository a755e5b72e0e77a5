"""The scripts of the tutorials, in their short form."""
import ast
import os
import pathlib
import re
import subprocess
import sys
import tomllib

from scenes import FolderTest

TUTORIALS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "tutorials"


class TutorialTest(FolderTest):
    def reproduce(self, name, *made):
        done = subprocess.run([sys.executable, TUTORIALS / name, "--short"], cwd=self.folder, text=True, capture_output=True,
                              env={**os.environ, "MPLCONFIGDIR": str(self.folder)}, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for file in made:
            self.assertTrue((self.folder / file).read_bytes().startswith(b"\x89PNG"), file)
        return done.stdout

    def test_a_first_pile(self):
        self.assertIn("energy balance closed", self.reproduce("1_first_pile.py", "pile.png"))

    def test_the_scene_of_the_first_page_is_that_of_its_script(self):
        page = (TUTORIALS / "1-first-pile.md").read_text()
        scene = tomllib.loads(re.search(r"```toml\n(.*?)```", page, re.DOTALL)[1])
        calls = [node for node in ast.walk(ast.parse((TUTORIALS / "1_first_pile.py").read_text()))
                 if isinstance(node, ast.Call) and ast.unparse(node.func) == "mo.Scene"]
        of_script = eval(compile(ast.Expression(calls[0].args[0]), "scene", "eval"), {"short": False})
        self.assertEqual(scene, of_script)

    def test_biaxial_curves(self):
        self.assertIn("'finished' 'finished' 'finished' 'finished'", self.reproduce("2_biaxial.py", "biaxial.png"))

    def test_errors_against_step_tolerance_and_wall_mass(self):
        said = self.reproduce("3_convergence.py", "convergence.png")
        order = float(said.split("order of the step: ")[1].split()[0])
        self.assertTrue(0.8 < order < 2.2, said)
        light, heavy = (float(word.split(";")[0]) for word in said.split("noise of its stress: ")[1].replace("0.2: ", "").replace("10: ", "").split()[:2])
        self.assertLess(light, 0.05)
        self.assertGreater(heavy, light)

    def test_arch_and_earthquake(self):
        said = self.reproduce("4_arch.py", "arch.png", "arch-quake.png")
        least = float(said.split("from a thickness of ")[1].split()[0])
        self.assertTrue(0.08 < least < 0.13, said)

    def test_hopper_and_drum(self):
        said = self.reproduce("5_hopper_and_drum.py", "flow.png")
        self.assertIn("slope in the drum", said)
        share = float(said.split("per cm of depth, ")[1].split()[0])
        self.assertTrue(0.3 < share < 1.5, said)  # of the order of one: it flows

    def test_solver_study(self):
        said = self.reproduce("6_solver_study.py", "profile.png")
        self.assertEqual(said.count("not solved"), 0, said)
        self.assertIn("2 problems", said)

    def test_steps_from_python(self):
        self.assertIn("mean normal force", self.reproduce("7_python.py", "fading.png"))

    def test_incremental_dynamic_analysis(self):
        said = self.reproduce("8_incremental_dynamic_analysis.py", "ida.png")
        self.assertIn("motion 2: widest crack", said)
        weak, strong = map(float, said.split("motion 1: widest crack [")[1].split("]")[0].split())
        self.assertLess(weak, 1e-5)
        self.assertGreater(strong, 1e-3)

    def test_grain_shapes(self):
        said = self.reproduce("9_grain_shapes.py", "shapes.png")
        self.assertIn("18 grains", said)
