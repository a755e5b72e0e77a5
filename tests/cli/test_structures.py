"""Which scenes are looked at in every step: columns and heavy bodies on light ones, not grains that fall, mixtures of sizes and heaps of
rocks, in which a look costs as much as many sweeps. What is not looked at in every step is looked at in every 50th."""
import csv
import unittest

from program import ProgramTest

HEAD = """\
dimension = 3
seed = 1
gravity = 1.0
time = {{ step = 0.005, duration = {duration} }}
law = {{ friction = 0.4 }}
output = {{ frames = 10, series = 0.005 }}
material = [{{ name = "glass", density = 1.0 }}, {{ name = "lead", density = 1e5 }}]
[[wall]]
name = "box"
box = {{ min = [0, 0, 0], max = [{width}, {width}, {height}] }}
material = "glass"
"""
GRAINS = """\
[[grains]]
arrangement = "lattice"
count = {count}
diameter = {{ uniform = {sizes} }}
random_speed = 0.5
material = "glass"
"""
ROCKS = """\
[[blocks]]
count = 350
random = { vertices = 10, radius = 0.5, aspect = [1, 0.8, 0.6] }
random_speed = 0.5
material = "glass"
"""
HEAVY = """\
[[grain]]
material = "lead"
position = [1.6, 1.6, 20]
radius = 1
velocity = [0, 0, -20]
"""


class StructuresTest(ProgramTest):
    def looked_at(self, scene, contacts):
        """Share of the steps with at least so many contacts."""
        self.moreau("run", self.write("scene.toml", scene), "--out", "run", "--force", "--threads", "1")
        with open(self.path("run") / "series.csv") as file:
            rows = [row for row in csv.DictReader(file) if int(row["contacts"]) >= contacts]
        self.assertGreater(len(rows), 50)
        return sum(row["error"] != "" for row in rows) / len(rows)

    def test_grains_that_fall_are_not(self):
        scene = HEAD.format(duration=1.0, width=10, height=40) + GRAINS.format(count=1500, sizes=[0.7, 1.0])
        self.assertLess(self.looked_at(scene, 300), 0.1)

    def test_mixtures_of_sizes_are_not(self):
        scene = HEAD.format(duration=2.0, width=7, height=120) + GRAINS.format(count=900, sizes=[0.2, 1.5])
        self.assertLess(self.looked_at(scene, 80), 0.2)

    def test_heaps_of_rocks_are_not(self):
        scene = HEAD.format(duration=8.0, width=4, height=40) + ROCKS
        self.assertLess(self.looked_at(scene, 520), 0.1)

    def test_columns_are(self):
        column = "".join(f'[[grain]]\nposition = [2, 2, {0.5 + k}]\nradius = 0.5\nmaterial = "glass"\n' for k in range(60))
        self.assertEqual(self.looked_at(HEAD.format(duration=0.5, width=4, height=80) + column, 60), 1.0)

    def test_heavy_balls_on_light_ones_are(self):
        scene = HEAD.format(duration=2.5, width=3.2, height=40) + GRAINS.format(count=80, sizes=[0.9, 1.0]) + HEAVY
        self.assertGreater(self.looked_at(scene, 110), 0.8)


if __name__ == "__main__":
    unittest.main()
