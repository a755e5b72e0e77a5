"""moreau elastic: a packing at rest loaded by increments, its contacts being springs with sliders."""
import csv
import math
import unittest

from program import ProgramTest

# A disc resting on two fixed ones whose normals rise at the angle of 60 degrees.
ON_TWO = """\
dimension = 2
gravity = 10.0
[time]
step = 1e-3
duration = 0.2
[material]
density = 1.0
[law]
friction = 0
[[grain]]
radius = 0.5
position = [0.0, 0.0]
fixed = true
[[grain]]
radius = 0.5
position = [1.0, 0.0]
fixed = true
[[grain]]
radius = 0.5
position = [0.5, 0.8660254037844386]
"""

RUN = ["elastic", "run", "--stiffness", "1e4"]


class Elastic(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("on_two.toml", ON_TWO)
        self.moreau("run", "on_two.toml", "--out", "run", "--threads", "1")

    def test_a_disc_laid_down_without_friction_opens_at_the_cotangent(self):
        found = self.json_of(*RUN, "--friction", "0.3", "--load", "acceleration:1,0", "--to", "10", "--step", "1", "--finest",
                             "1e-4", "--path", "path.csv", "--forces", "forces.csv", "--json")
        end = 10 / math.tan(math.radians(60))
        self.assertAlmostEqual(found["elastic_up_to"], end, places=4)
        self.assertAlmostEqual(found["static_bound"], end, places=4)
        self.assertAlmostEqual(found["last_equilibrium"], end, delta=1e-3)
        self.assertGreater(found["not_found_at"], found["last_equilibrium"])
        self.assertFalse(found["complete"])
        with open(self.folder / "path.csv", encoding="utf8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([float(row["load"]) for row in rows][:6], [0, 1, 2, 3, 4, 5])
        self.assertEqual(int(rows[0]["hyperstatic"]), 1)  # two contacts of two components, a disc of three freedoms
        with open(self.folder / "forces.csv", encoding="utf8") as file:
            weight = 10 * math.pi / 4
            forces = sorted(float(row["normal"]) for row in csv.DictReader(file))
        self.assertAlmostEqual(forces[1] / weight, 1 / math.sin(math.radians(60)), places=3)
        self.assertAlmostEqual(forces[0] / weight, 0, places=3)

    def test_a_load_that_is_borne_is_reached(self):
        found = self.json_of(*RUN, "--load", "acceleration:0,-1", "--to", "3", "--json")
        self.assertTrue(found["complete"])
        self.assertEqual(found["last_equilibrium"], 3)
        self.assertNotIn("not_found_at", found)
        self.assertIn("sets no limit", self.moreau(*RUN, "--load", "acceleration:0,-1"))

    def test_mistakes_are_sentences(self):
        for arguments, words in [
            (["run", "--stiffness", "1e4", "--load", "wind"], "there is no load 'wind'"),
            (["run", "--stiffness", "1e4", "--load", "piston:top"], "the scene has no piston 'top'"),
            ([*RUN[1:], "--load", "acceleration:0,-1", "--step", "1e-9"], "--step is 1e-09; accepted: at least 1e-06, a millionth of --to"),
            ([*RUN[1:], "--load", "acceleration:0,-1", "--finest", "1e-12"], "--finest is 1e-12; accepted: at least 5e-08, a millionth of --step"),
        ]:
            self.assertIn(words, self.refusal("elastic", *arguments), arguments)
        said = self.refusal(*RUN, "--load", "acceleration:0,-1", "--path", "p.csv", "--forces", "p.csv")
        self.assertIn("--path and --forces name one file, p.csv", said)
        self.assertFalse(self.path("p.csv").exists())
        self.path("link.csv").symlink_to("p.csv")
        self.assertIn("name one file", self.refusal(*RUN, "--load", "acceleration:0,-1", "--path", "p.csv", "--forces", "link.csv"))
        said = self.refusal(*RUN, "--load", "acceleration:0,-1", "--friction", "1e300", status=2)
        self.assertIn("'1e300' given where a number from 0 to 1e+30 is expected", said)
        said = self.refusal(*RUN, "--load", "acceleration:0,-1", "--tolerance", "1e-20", status=2)
        self.assertIn("'1e-20' given where a number from 1e-14 to 0.1 is expected", said)


if __name__ == "__main__":
    unittest.main()
