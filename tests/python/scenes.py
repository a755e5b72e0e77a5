"""Small scenes, and a test that has a folder of its own."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import moreau as mo
from moreau.program import executable

sys.path.append(str(pathlib.Path(__file__).parent.parent / "cli"))
from pressed import pressed

# Discs without friction between two pairs of walls, jammed and then loaded upright by the quasi-static engine.
PRESSED = pressed(step=0.05) + """\
[[phase]]
name = "load"
engine = "quasi-static"
duration = 1.0
piston = { name = "upright", stress = { times = [0, 1], values = [1.0, 1.2] } }
"""

# Discs fall into a box, a source brings more.
POURED = """\
title = "poured"
dimension = 2
seed = 3
gravity = 9.81
[time]
step = 1e-3
duration = 0.2
[output]
frames = 0.05
[[material]]
name = "glass"
density = 1000
[law]
friction = 0.4
restitution = 0.1
[[wall]]
name = "tray"
box = { min = [0, 0], max = [1, 2], open = ["top"] }
[[grains]]
count = 40
diameter = { bidisperse = [0.06, 0.09] }
region = { box = [[0, 0.05], [1, 0.8]] }
[[source]]
rate = 60
diameter = { uniform = [0.05, 0.08] }
centre = [0.3, 0]
spread = 0.2
"""

# A ball in free flight.
FALLING = {
    "dimension": 3,
    "gravity": 10.0,
    "time": {"step": 0.01, "duration": 1.0},
    "material": {"density": 1.0},
    "law": {"friction": 0.5},
    "grain": [{"position": [0.0, 0.0, 100.0], "radius": 0.5, "velocity": [1.0, 0.0, 0.0]}],
}


class FolderTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def moreau(self, *arguments):
        return subprocess.run([executable(), *map(str, arguments)], cwd=self.folder, text=True, capture_output=True, check=False)

    def pour(self):
        return mo.Course(mo.Scene(POURED), threads=1)
