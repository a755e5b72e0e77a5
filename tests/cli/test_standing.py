"""What stands, hangs or holds together keeps its contacts with default settings, whichever contact rule the scene has."""
import csv
import math
import unittest

from program import ProgramTest

HEAD = """\
dimension = 2
gravity = 9.81

[time]
step = 0.001
duration = 0.2

[material]
density = 1000
"""
RULES = ("midpoint", "predictive")


class Standing(ProgramTest):
    def series(self, scene, rule):
        self.write("s.toml", scene)
        self.moreau("run", "s.toml", "--out", "r", "--force", "--threads", 1, "--set", f'contact.rule="{rule}"')
        return list(csv.DictReader(open(self.path("r") / "series.csv")))

    def test_pyramid_of_discs(self):
        # A linear program for the forces has a solution from a friction of 0.4975 on.
        scene = HEAD + "[law]\nfriction = 0.9\n[wall]\nplane = { normal = [0, 1] }\n"
        for row in range(5):
            for k in range(5 - row):
                scene += f"[[grain]]\nposition = [{0.2 * k + 0.1 * row!r}, {0.1 + 0.1 * math.sqrt(3) * row!r}]\nradius = 0.1\n"
        for rule in RULES:
            rows = self.series(scene, rule)
            self.assertEqual({row["contacts"] for row in rows}, {"35"}, rule)
            self.assertLess(float(rows[-1]["max_speed"]), 1e-3, rule)

    def test_blocks_that_hang_by_their_cohesion(self):
        # Ten blocks of 98.1 N each, 49.05 kN for each of the two points of a joint.
        scene = HEAD + "[law]\nfriction = 0.5\ncohesion = 49050\n[wall]\nplane = { point = [0, 0], normal = [0, -1] }\n"
        for k in range(10):
            scene += f"[[block]]\nsize = [0.1, 0.1]\nposition = [0, {-0.05 - 0.1 * k!r}]\n"
        for rule in RULES:
            rows = self.series(scene, rule)
            self.assertEqual(rows[-1]["contacts"], "20", rule)
            self.assertLess(float(rows[-1]["max_speed"]), 5e-3, rule)  # half of h g

    def test_joints_of_a_pier_under_its_own_weight(self):
        scene = HEAD + "[law]\nfriction = 0.6\njoint = { cohesion = 2e5, tension = 1e5 }\n[wall]\nplane = { normal = [0, 1] }\n"
        for k in range(15):
            scene += f"[[block]]\nsize = [0.4, 0.2]\nposition = [0, {0.1 + 0.2 * k!r}]\n"
        for rule in RULES:
            self.assertEqual({row["joints"] for row in self.series(scene, rule)}, {"30"}, rule)


if __name__ == "__main__":
    unittest.main()
