"""Measures of processes and masonry through the program, against the accounts that the run keeps by itself."""
import csv
import json
import math
import unittest

from program import ProgramTest

BELT = """dimension = 2
gravity = 9.81
[time]
step = 1e-3
duration = 0.2
[material]
density = 1000
[law]
friction = 0.5
[[motion]]
name = "belt"
kind = "velocity"
velocity = [1, 0]
[[wall]]
name = "conveyor"
plane = { normal = [0, 1] }
surface = "belt"
[[grain]]
position = [0, 0.05]
radius = 0.05
[[grain]]
position = [0.3, 0.05]
radius = 0.05
[[sink]]
name = "end"
beyond = { point = [0.32, 0], direction = [1, 0] }
[[measure]]
quantity = "wall-drive"
every = 1e-3
[[measure]]
quantity = "exits"
since = "last"
every = 1e-3
[[measure]]
quantity = "flow"
plane = { point = [0.01, 0], normal = [1, 0] }
every = 0.1
"""

TWO_STONES = """dimension = 2
gravity = 9.81
[time]
step = 1e-3
duration = 0.1
[output]
frames = 0.05
[material]
density = 1000
[law]
friction = 0.5
[[motion]]
name = "lift"
kind = "velocity"
velocity = [0, -0.1]
[[block]]
name = "ground"
size = [2, 1]
position = [0, -0.5]
motion = "lift"
[[block]]
name = "left"
size = [1, 1]
position = [-0.5, 0.5]
[[block]]
name = "shelf"
size = [1, 0.2]
position = [1.6, 0.1]
fixed = true
"""


# Four metres high, one wide: it lifts off where the ground accelerates by more than g / 4.
COLUMN = """dimension = 2
gravity = [{gravity}, -9.81]
[time]
step = 1e-3
duration = 0.3
[material]
density = 2000
[law]
friction = 0.7
[[motion]]
name = "quake"
kind = "accelerogram"
record = {{ times = [0, 1], accelerations = [1, 1] }}
scale = {scale}
direction = [1, 0]
[[block]]
name = "ground"
size = [4, 1]
position = [0, -0.5]
motion = "quake"
[[brickwork]]
name = "column"
brick = [1, 1]
length = 1
courses = 4
origin = [-0.5, 0]
"""


class SafetyFactors(ProgramTest):
    """The same load multiplier by a linear program, by one step from rest, and by dynamics."""

    bound = 9.81 / 4

    def test_linear_program(self):
        self.write("s.toml", COLUMN.format(gravity=0, scale=0))
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.01")
        self.assertIn(f"-{self.bound:.4f} to {self.bound:.4f}", self.moreau("statics", "run", "--load", "acceleration:1,0"))

    def test_one_step(self):
        for factor, stands in ((0.99, True), (1.01, False)):
            self.write("s.toml", COLUMN.format(gravity=factor * self.bound, scale=0))
            process = self.start("equilibrium", "s.toml", "--tolerance", "1e-4", "--json")
            self.assertEqual(json.loads(process.communicate(timeout=60)[0])["possible"], stands, factor)

    def test_dynamics(self):
        for factor, stands in ((0.99, True), (1.03, False)):
            self.write("s.toml", COLUMN.format(gravity=0, scale=factor * self.bound))
            self.moreau("run", "s.toml", "--out", f"run{factor}")
            told = json.loads(self.moreau("measure", f"run{factor}", "joint-summary", "--opening", "1e-4", "--json", "-"))["joint-summary"][0]
            self.assertEqual(told["open"] + told["parted"] == 0, stands, told)


class Practice(ProgramTest):
    def rows(self, run, name):
        with open(self.path(run) / "measures" / f"{name}.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_power_of_a_belt_is_the_work_in_the_ledger(self):
        self.write("s.toml", BELT)
        self.moreau("run", "s.toml", "--out", "run")
        with open(self.path("run") / "series.csv", newline="") as file:
            work = float(list(csv.DictReader(file))[-1]["wall_work"])
        power = sum(float(row["power"]) for row in self.rows("run", "wall-drive")) * 1e-3
        self.assertGreater(work, 0.1)
        self.assertLess(abs(power - work), 1e-9 * work)

    def test_what_leaves_through_a_sink_is_listed_once_and_counted(self):
        self.write("s.toml", BELT)
        self.moreau("run", "s.toml", "--out", "run")
        exits = self.rows("run", "exits")
        self.assertEqual([(row["body"], row["sink"]) for row in exits], [("1", "end")])
        # It slides, with the acceleration mu g, until its lowest point has the speed of the belt (a disc: after 1 / (3 mu g)), then rolls at 1/3.
        sliding = 1 / (3 * 0.5 * 9.81)
        expected = sliding + 3 * (0.02 - 0.5 * 0.5 * 9.81 * sliding**2)
        self.assertLess(abs(float(exits[0]["residence"]) - expected), 2e-3)
        flow = [row for row in self.rows("run", "flow") if abs(float(row["time"]) - 0.2) < 1e-9]
        found = {row["through"]: (int(row["forward"]), int(row["backward"])) for row in flow}
        self.assertEqual(found, {"plane": (1, 0), "end": (1, 0)})
        mass = 1000 * math.pi * 0.05**2
        self.assertLess(abs(float(flow[0]["mass_rate"]) - mass / 0.2), 1e-6 * mass)

    def test_histories_and_joints_of_named_stones(self):
        self.write("s.toml", TWO_STONES)
        self.moreau("run", "s.toml", "--out", "run")
        told = json.loads(self.moreau("measure", "run", "bodies", "--body", "left", "--json", "-"))["bodies"]
        self.assertEqual([row["name"] for row in told], ["left"])
        self.assertLess(abs(told[0]["displacement_y"] + 0.01), 2e-5)  # the contact distance
        joints = json.loads(self.moreau("measure", "run", "joint-summary", "--opening", "1e-5", "--json", "-"))["joint-summary"][0]
        self.assertEqual((joints["joints"], joints["whole"]), (1, 1))
        self.assertIn("is 'lef'; did you mean 'left'?", self.refusal("measure", "run", "bodies", "--body", "lef"))
        self.assertIn("4 numbers", self.refusal("measure", "run", "flow", "--plane", "1,2"))
        self.moreau("draw", "run", "--colour", "joints", "--zoom", "2", "--look-at", "0", "0.5", "--width", "300")
        self.assertIn("zoom", self.refusal("draw", "run", "--zoom", "0"))

    def test_spectrum_of_a_sudden_acceleration_is_twice_it(self):
        self.write("s.toml", TWO_STONES.replace('kind = "velocity"\nvelocity = [0, -0.1]', 'kind = "accelerogram"\ndirection = [1, 0]\n'
                                                'record = { times = [0, 50], accelerations = [2, 2] }'))
        self.moreau("spectrum", "s.toml", "--damping", "0", "--csv", "s.csv", "--points", "10")
        with open(self.path("s.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 10)
        for row in rows:
            self.assertLess(abs(float(row["acceleration"]) - 4.0), 0.01)
        self.write("t.toml", TWO_STONES)
        self.assertIn("no motion of kind accelerogram", self.refusal("spectrum", "t.toml"))


if __name__ == "__main__":
    unittest.main()
