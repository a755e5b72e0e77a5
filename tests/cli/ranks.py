"""What the tests of several ranks (mpirun) share."""
import os
import pathlib
import shutil
import unittest

from program import MOREAU, ProgramTest

LIBRARY = pathlib.Path(shutil.which(MOREAU) or MOREAU).resolve().parent / "libmoreau_ranks.so"
HAS_RANKS = LIBRARY.exists() and shutil.which("mpirun") is not None
MPIRUN = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "--mca", "btl", "self,vader", "--mca",
          "btl_vader_single_copy_mechanism", "none"]

# Grains that fall into a tray and come to lie; a slope in a corner, and walls that shake.
TRAY = """\
dimension = {dimension}
seed = 4
gravity = 9.81
[time]
step = 1e-3
duration = {duration}
[output]
frames = 0.05
checkpoint = {checkpoint}
[material]
density = 2500
[law]
friction = 0.4
{law}
[[motion]]
name = "shake"
kind = "sinusoid"
amplitude = 0.002
direction = {up}
frequency = 8
[[wall]]
name = "tray"
box = {{ min = {low}, max = {high}, open = ["top"] }}
{shaken}
[[wall]]
{inner}
[[measure]]
quantity = "coordination"
every = 0.05
[[grains]]
count = {count}
arrangement = "lattice"
random_speed = 0.2
diameter = {{ uniform = [0.008, 0.012] }}
region = {{ box = [{base}, {top}] }}
"""


def tray(dimension, count, duration, law="", shaken=False, checkpoint=30):
    side = 0.06 if dimension == 3 else 0.16
    inner = f"plane = {{ normal = {[1] + [0] * (dimension - 2) + [1]}, point = {[0.015] + [0.0] * (dimension - 1)} }}"
    return TRAY.format(dimension=dimension, count=count, duration=duration, law=law, checkpoint=checkpoint, inner=inner,
                       up=[0] * (dimension - 1) + [1], low=[0.0] * dimension, high=[side] * (dimension - 1) + [1.0],
                       base=[0.0] * (dimension - 1) + [0.02], top=[side] * (dimension - 1) + [0.9],
                       shaken='motion = "shake"' if shaken else "")


@unittest.skipUnless(HAS_RANKS, "built without ranks")
class RanksTest(ProgramTest):
    def mpirun(self, ranks, *arguments, status=0, environment=None):
        process = self.start_ranks(ranks, *arguments, environment=environment)
        output, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, status, f"{output}\n{errors}")
        return output, errors

    def start_ranks(self, ranks, *arguments, environment=None):
        return self.start_command([*MPIRUN, "-n", ranks, MOREAU, *arguments], env={**os.environ, **(environment or {})})
