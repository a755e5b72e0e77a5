"""Contact laws beyond Coulomb as a user meets them: scenes that run, converge, and go on after an interruption."""
import unittest

import h5py
import numpy

from program import ALART, ProgramTest

# Balls falling into a box, with any law.
HEAP = """\
dimension = 3
seed = 1
gravity = 9.81
[time]
step = 1e-3
duration = 0.25
[output]
series = 0.001
[contact]
shocks = "{shocks}"
[material]
density = 1000
[law]
{law}
[wall]
box = {{ min = [0, 0, 0], max = [0.4, 0.4, 1], open = ["top"] }}
[grains]
count = 30
diameter = 0.1
region = {{ box = [[0, 0, 0], [0.4, 0.4, 0.5]] }}
"""

LAWS = {
    "cap": "friction = 0.5\nfriction_cap = 1",
    "static": "friction = 0.3\nstatic_friction = 0.5\nstatic_speed = 1e-3",
    "speeds": "friction = { speeds = [0, 1], values = [0.5, 0.2] }\nrestitution = { speeds = [0, 2], values = [0.8, 0.4] }",
    "cohesion": "friction = 0.5\ncohesion = 2",
    "rolling": "friction = 0.5\nrolling_friction = 0.1\npivoting_friction = 0.1",
    "ellipse": "friction = [0.2, 0.6]\nfriction_direction = [1, 0, 0]",
    "all": "friction = [0.2, 0.6]\nfriction_direction = [1, 1, 0]\nfriction_cap = 2\ncohesion = 1\nrolling_friction = 0.1\n"
           "static_friction = 0.3\nstatic_speed = 1e-3\nrestitution = 0.2",
}

# Three blocks of mass 1 hang from a ceiling shaken with an acceleration of up to 3: the upper joint, of strength 34, carries 3 (g + a).
MORTAR = """\
dimension = 2
gravity = 9.81
[time]
step = 1e-3
duration = 0.2
[solver]
tolerance = 1e-8
max_sweeps = 10000
[output]
series = 0.001
[material]
density = 4
[law]
friction = 0.5
joint = { cohesion = 30, tension = 17 }
[motion]
name = "shake"
kind = "sinusoid"
amplitude = 0.008443431970194815
direction = [0, 1]
frequency = 3
phase = 1.5707963267948966
[wall]
plane = { point = [0, -0.008443431970194815], normal = [0, -1] }
motion = "shake"
[[block]]
size = [0.5, 0.5]
position = [0, -0.25]
[[block]]
size = [0.5, 0.5]
position = [0, -0.75]
[[block]]
size = [0.5, 0.5]
position = [0, -1.25]
"""

# A column of four bricks in mortar that hangs from its fixed top brick; the second phase changes a law.
HUNG = """\
dimension = 2
gravity = 9.81
[time]
step = 1e-3
[output]
series = 0.001
[material]
name = "stone"
density = 2000
[law]
friction = 0.5
joint = {{ cohesion = 40000, tension = 20000 }}
[[block]]
size = [1, 0.5]
position = [0, 0]
fixed = true
{bricks}
[[phase]]
name = "rest"
duration = 0.02
[[phase]]
name = "other"
duration = 0.05
{change}
"""
BRICKS = "".join(f"[[block]]\nsize = [1, 0.5]\nposition = [0, {-0.5 * k}]\n" for k in range(1, 4))

# Five steel balls in a row, the first thrown at the others.
CRADLE = """\
dimension = 3
[time]
step = 1e-3
duration = 1e-3
[contact]
shocks = "sequential"
[material]
density = 1
[law]
friction = 0
restitution = 1
[[grain]]
position = [0, 0, 0]
radius = 0.5
velocity = [1, 0, 0]
"""


class Laws(ProgramTest):
    def test_heaps_converge_and_resume(self):
        for name, law in LAWS.items():
            with self.subTest(name):
                self.write(f"{name}.toml", HEAP.format(law=law, shocks="together"))
                summary = self.json_of("run", f"{name}.toml", "--out", name, "--json", "--threads", "1")
                self.assertEqual(summary["run"]["unconverged_steps"], 0)
                header, *rows = self.series(name)
                energy = [[float(row[header.index(column)]) for column in ("energy_error", "potential")] for row in rows]
                for error, potential in energy:
                    self.assertLess(abs(error), 1e-9 * max(abs(p) for _, p in energy), potential)
                self.moreau("run", f"{name}.toml", "--out", f"{name}-parts", "--until", "0.111", "--threads", "2")
                self.moreau("resume", f"{name}-parts")
                self.assert_same_run(name, f"{name}-parts")

    def test_heap_with_sequential_shocks(self):
        self.write("s.toml", HEAP.format(law="friction = 0.4\nrestitution = 0.6", shocks="sequential"))
        summary = self.json_of("run", "s.toml", "--out", "whole", "--json", "--threads", "1")
        self.assertEqual(summary["run"]["unconverged_steps"], 0)
        self.moreau("run", "s.toml", "--out", "parts", "--until", "0.15", "--threads", "2")
        self.moreau("resume", "parts")
        self.assert_same_run("parts", "whole")

    def test_cap_makes_the_ball_between_walls_solvable(self):
        scene = ALART.format(on_limit="stop")
        self.write("coulomb.toml", scene)
        self.start("run", "coulomb.toml", "--out", "coulomb").communicate(timeout=60)
        self.assertGreater(self.json_of("info", "coulomb", "--json")["run"]["unconverged_steps"], 0)
        self.write("orowan.toml", scene.replace("friction = 1.5\n", "friction = 1.5\nfriction_cap = 20\n"))
        self.assertEqual(self.json_of("run", "orowan.toml", "--out", "orowan", "--json")["run"]["unconverged_steps"], 0)

    def test_joints_break_and_their_number_survives_a_resume(self):
        self.write("s.toml", MORTAR)
        self.moreau("run", "s.toml", "--out", "whole", "--threads", "1")
        header, *rows = self.series("whole")
        joints = [int(row[header.index("joints")]) for row in rows if row[0] != "0"]
        self.assertEqual(joints[0], 6)
        self.assertEqual(joints, sorted(joints, reverse=True))
        self.assertEqual(joints[-1], 4)  # the upper joint has gone; the rest falls as one
        half = next(i for i, n in enumerate(joints) if n < 6) + 5
        self.moreau("run", "s.toml", "--out", "parts", "--until", str(half * 1e-3), "--threads", "2")
        self.moreau("resume", "parts")
        self.assert_same_run("parts", "whole")

    def test_cradle(self):
        row = "".join(f"[[grain]]\nposition = [{x}, 0, 0]\nradius = 0.5\n" for x in (1, 2, 3, 4))
        self.write("s.toml", CRADLE + row)
        self.moreau("run", "s.toml", "--out", "run")
        with h5py.File(self.path("run/checkpoint.h5")) as checkpoint:
            velocity = checkpoint["state/bodies/velocity"][:]
        numpy.testing.assert_allclose(velocity, [[0, 0, 0]] * 4 + [[1, 0, 0]], atol=1e-12)  # the last one alone goes on

    def test_joints_stay_under_the_law_of_a_phase(self):
        changes = {"law": "law = { friction = 0.4 }", "pair": 'pair = { materials = ["stone", "stone"], friction = 0.4 }', "off": "law = { joint = false }"}
        for name, change in changes.items():
            with self.subTest(name):
                self.write(f"{name}.toml", HUNG.format(bricks=BRICKS, change=change))
                self.moreau("run", f"{name}.toml", "--out", name, "--threads", "1")
                header, *rows = self.series(name)
                joints = {phase: {int(row[header.index("joints")]) for row in rows if row[header.index("phase")] == phase and row[0] != "0"} for phase in ("rest", "other")}
                self.assertEqual(joints, {"rest": {6}, "other": {0 if name == "off" else 6}})
                self.moreau("run", f"{name}.toml", "--out", f"{name}-parts", "--until", "0.04", "--threads", "2")
                self.moreau("resume", f"{name}-parts")
                self.assert_same_run(name, f"{name}-parts")
        self.moreau("check", "law.toml", "--set", "phase[other].law.friction=0.3")
        self.assertIn("cohesion / friction", self.refusal("check", "law.toml", "--set", "phase[other].law.friction=3"))


if __name__ == "__main__":
    unittest.main()
