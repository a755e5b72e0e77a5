"""The scripts of the tutorials, in their short form."""
import os
import pathlib
import subprocess
import sys

from scenes import FolderTest

TUTORIALS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "tutorials"


class TutorialTest(FolderTest):
    def carry_out(self, name, *made):
        done = subprocess.run([sys.executable, TUTORIALS / name, "--short"], cwd=self.folder, text=True, capture_output=True,
                              env={**os.environ, "MPLCONFIGDIR": str(self.folder)}, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for file in made:
            self.assertTrue((self.folder / file).read_bytes().startswith(b"\x89PNG"), file)
        return done.stdout

    def test_a_first_pile(self):
        self.assertIn("energy balance closed", self.carry_out("1_first_pile.py", "pile.png"))

    def test_biaxial_curves(self):
        self.assertIn("'finished' 'finished' 'finished' 'finished'", self.carry_out("2_biaxial.py", "biaxial.png"))

    def test_steps_from_python(self):
        self.assertIn("mean normal force", self.carry_out("7_python.py", "fading.png"))
