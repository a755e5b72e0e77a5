"""What stands, hangs or holds together keeps its contacts with default settings, whichever contact rule the scene has."""
import csv
import math
import unittest

from program import ProgramTest, scene

FLOOR = "[wall]\nplane = { normal = [0, 1] }\n"


def standing(friction, law="", wall=FLOOR, dimension=2):
    """Head of a scene of things that should stand; they are added to it."""
    return scene(wall, dimension=dimension, gravity=9.81, duration=0.2, friction=friction, law=law)


RULES = ("midpoint", "predictive")


class RowsTest(ProgramTest):
    def rows(self):
        with open(self.path("r") / "series.csv") as file:
            return list(csv.DictReader(file))


class Standing(RowsTest):
    def series(self, text, rule):
        self.write("s.toml", text)
        self.moreau("run", "s.toml", "--out", "r", "--force", "--threads", 1, "--set", f'contact.rule="{rule}"')
        return self.rows()

    def test_pyramid_of_discs(self):
        # A linear program for the forces has a solution from a friction of 0.4975 on.
        text = standing(0.9)
        for row in range(5):
            for k in range(5 - row):
                text += f"[[grain]]\nposition = [{0.2 * k + 0.1 * row!r}, {0.1 + 0.1 * math.sqrt(3) * row!r}]\nradius = 0.1\n"
        for rule in RULES:
            rows = self.series(text, rule)
            self.assertEqual({row["contacts"] for row in rows}, {"35"}, rule)
            self.assertLess(float(rows[-1]["max_speed"]), 1e-3, rule)

    def test_blocks_that_hang_by_their_cohesion(self):
        # Ten blocks of 98.1 N each, 49.05 kN for each of the two points of a joint.
        text = standing(0.5, "cohesion = 49050", "[wall]\nplane = { point = [0, 0], normal = [0, -1] }\n")
        for k in range(10):
            text += f"[[block]]\nsize = [0.1, 0.1]\nposition = [0, {-0.05 - 0.1 * k!r}]\n"
        for rule in RULES:
            rows = self.series(text, rule)
            self.assertEqual(rows[-1]["contacts"], "20", rule)
            self.assertLess(float(rows[-1]["max_speed"]), 5e-3, rule)  # half of h g

    def test_joints_of_a_pier_under_its_own_weight(self):
        text = standing(0.6, "joint = { cohesion = 2e5, tension = 1e5 }")
        for k in range(15):
            text += f"[[block]]\nsize = [0.4, 0.2]\nposition = [0, {0.1 + 0.2 * k!r}]\n"
        for rule in RULES:
            self.assertEqual({row["joints"] for row in self.series(text, rule)}, {"30"}, rule)

    def rests(self, text, rule, contacts, what):
        rows = self.series(text, rule)
        self.assertEqual(rows[-1]["contacts"], str(contacts), what)
        self.assertLess(float(rows[-1]["max_speed"]), 1e-6, what)
        summary = self.json_of("info", "r", "--json")["run"]
        self.assertEqual(summary["unconverged_steps"], 0, what)

    def test_heavy_disc_on_light_ones(self):
        # 1e8 to 1, in the plane; the one-step test finds the forces too.
        for count, heavy in ((3, 1e7), (3, 1e8), (5, 1e8), (9, 1e8)):
            text = standing(0.3)
            for k in range(count):
                text += f"[[grain]]\nposition = [0, {0.05 + 0.1 * k!r}]\nradius = 0.05\nmass = {heavy if k == count - 1 else 1}\n"
            for rule in RULES:
                self.rests(text, rule, count, (count, heavy, rule))
            found = self.json_of("equilibrium", "s.toml", "--json")
            self.assertTrue(found["possible"])
            self.assertLess(found["max_speed"], 1e-5 * found["velocity_scale"])

    def test_heavy_slab_on_columns_of_cubes(self):
        text = standing(0.4, wall="[wall]\nplane = { normal = [0, 0, 1] }\n", dimension=3)
        for x in (-0.4, 0.4):
            for y in (-0.4, 0.4):
                for k in range(3):
                    text += f"[[block]]\nsize = [0.1, 0.1, 0.1]\nposition = [{x}, {y}, {0.05 + 0.1 * k!r}]\nmass = 1\n"
        text += "[[block]]\nsize = [1, 1, 0.1]\nposition = [0, 0, 0.35]\nmass = 1e8\n"
        for rule in RULES:
            self.rests(text, rule, 64, rule)

    def test_columns_that_resist_rolling(self):
        discs = standing(0.3, "rolling_friction = 0.01")
        for k in range(50):
            discs += f"[[grain]]\nposition = [0, {0.05 + 0.1 * k!r}]\nradius = 0.05\n"
        bricks = standing(0.5, "rolling_friction = 0.01")
        for k in range(30):
            bricks += f"[[block]]\nsize = [0.4, 0.2]\nposition = [0, {0.1 + 0.2 * k!r}]\nmass = {1e4 if k == 29 else 80}\n"
        for rule in RULES:
            self.rests(discs, rule, 50, ("discs", rule))
            self.rests(bricks, rule, 60, ("bricks", rule))
            self.assertGreaterEqual(float(self.rows()[-1]["error"]), 0.0)  # estimated

    def test_laws_beyond_coulombs_carry_a_column(self):
        for law in ("friction_cap = 100", "cohesion = 50", "static_friction = 0.6\nstatic_speed = 1e-3"):
            text = standing(0.4, law)
            for k in range(40):
                text += f"[[grain]]\nposition = [0, {0.05 + 0.1 * k!r}]\nradius = 0.05\nmass = {1e4 if k == 39 else 1}\n"
            for rule in RULES:
                self.rests(text, rule, 40, (law, rule))


class Equilibrium(ProgramTest):
    def test_other_solvers_are_asked_before_the_answer_is_no(self):
        # 21 discs: a linear program has forces from a friction of 0.57 on.
        text = standing(0.9)
        for row in range(6):
            for k in range(6 - row):
                text += f"[[grain]]\nposition = [{0.2 * k + 0.1 * row!r}, {0.1 + 0.1 * math.sqrt(3) * row!r}]\nradius = 0.1\n"
        self.write("s.toml", text)
        found = self.json_of("equilibrium", "s.toml", "--json")
        self.assertTrue(found["possible"])
        self.write("s.toml", text.replace("friction = 0.9", "friction = 0.2"))
        found = self.json_of("equilibrium", "s.toml", "--json", status=3)
        self.assertFalse(found["possible"])


class Unsolvable(RowsTest):
    def test_every_step_without_a_bounded_solution_is_said_to_be_one(self):
        # Alart 2015: a wall pushes a ball along a floor; with friction above 1 at both there is none.
        text = scene("""
[[motion]]
name = "m"
kind = "velocity"
velocity = [2.0, 0]
[[wall]]
name = "f"
plane = { normal = [0, 1] }
[[wall]]
name = "w"
plane = { normal = [1, 0] }
motion = "m"
[[grain]]
position = [1, 1]
radius = 1.0
mass = 1.0
""", gravity=1, step=0.01, friction=1.1, output="series = 0")
        self.write("s.toml", text)
        self.moreau("run", "s.toml", "--out", "r", "--threads", 1)
        self.assertEqual([row["unbounded"] for row in self.rows()], ["1"] * 10)


if __name__ == "__main__":
    unittest.main()
