"""Blocks that slide over the seams of a flat floor, fall along walls of bricks or miss each other narrowly are not held by corners.
Default settings; the answers are those of a floor, a wall or a flight without seams."""
import unittest

from program import ProgramTest, scene

RULES = ("midpoint", "predictive")


def block(size, position, more=""):
    return f"[[block]]\nsize = {size}\nposition = {position}\n{more}"


def tiles(dimension, count, width, first):
    """Fixed blocks side by side, their tops at height 0."""
    depth = [1.0] * (dimension - 2)
    return "".join(block([width] + depth + [0.5], [first + width * k] + [0.0] * (dimension - 2) + [-0.25], "fixed = true\n") for k in range(count))


def shaft(dimension, gap):
    """Two stacks of fixed bricks, and between them a brick that nothing holds, its lower corners at the seams of theirs."""
    depth = [0.5] * (dimension - 2)
    text = "".join(block([0.5] + depth + [0.3], [side * (0.45 + gap)] + [0.0] * (dimension - 2) + [-0.3 * k], "fixed = true\n")
                   for k in range(5) for side in (-1, 1))
    return text + block([0.4] + depth + [0.3], [0.0] * dimension, 'name = "free"\n')


class Passing(ProgramTest):
    def end(self, text, rule="predictive", body="free"):
        self.write("s.toml", text)
        self.moreau("run", "s.toml", "--out", "r", "--force", "--threads", 1, "--set", f'contact.rule="{rule}"')
        return self.measured("r", "bodies", "--body", body)[-1]

    def test_blocks_slide_over_seams_as_over_a_floor(self):
        # They come to rest after v^2 / (2 mu g), upright.
        for dimension, speed, count, width, first in ((2, 4.0, 9, 0.4, 0.13), (3, 4.0, 9, 0.4, 0.13), (2, 0.1, 2, 20.0, -9.84949031600408)):
            depth = [0.3] * (dimension - 2)
            rest = [0.0] * (dimension - 1)
            text = scene(tiles(dimension, count, width, first) +
                         block([0.3] + depth + [0.2], [0.0] * (dimension - 1) + [0.1], f'name = "free"\nvelocity = {[speed] + rest}\n'),
                         dimension=dimension, gravity=9.81, duration=2.0, friction=0.3)
            for rule in RULES:
                row = self.end(text, rule)
                way = speed**2 / (2 * 0.3 * 9.81)
                self.assertAlmostEqual(row["displacement_x"] / way, 1.0, delta=2e-3, msg=f"{rule}, {dimension}-D, {speed} m/s")
                self.assertAlmostEqual(row["turned"], 0.0, delta=1e-6)

    def test_discs_roll_over_seams_without_being_slowed(self):
        text = scene(tiles(2, 6, 0.4, 0.13) + "[[grain]]\nname = \"free\"\nradius = 0.02\nposition = [0, 0.02]\nvelocity = [2, 0]\n", gravity=9.81,
                     duration=1.0, friction=0.0)
        row = self.end(text)
        self.assertAlmostEqual(row["velocity_x"], 2.0, delta=1e-9)
        self.assertAlmostEqual(row["position_y"], 0.02, delta=1e-6)

    def test_a_brick_falls_along_walls_of_bricks(self):
        # From rest at the seams, and 1 mm clear of the walls: free fall, but for the order of h.
        for dimension in (2, 3):
            for gap in (0.0, 1e-3):
                for rule in RULES:
                    row = self.end(scene(shaft(dimension, gap), dimension=dimension, gravity=9.81, duration=0.4, friction=0.0), rule)
                    fall = row["displacement_" + "yz"[dimension - 2]]
                    self.assertAlmostEqual(fall, -0.5 * 9.81 * 0.16, delta=2e-3, msg=f"{rule}, {dimension}-D, gap {gap}")
        self.write("s.toml", scene(shaft(2, 0.0), gravity=9.81, friction=0.0))
        self.assertIn("not shown to be an equilibrium", self.moreau("equilibrium", "s.toml", status=3))

    def test_static_bounds_do_not_count_on_corners_that_are_passed(self):
        # A block as wide as the tile it stands on: with its neighbours it has corners in common, and slides over them at mu g.
        for dimension in (2, 3):
            depth = [0.4] * (dimension - 2)
            block_on_top = block([0.4] + depth + [0.2], [0.4 + 0.13] + [0.0] * (dimension - 2) + [0.1], 'name = "free"\n')
            text = scene(tiles(dimension, 3, 0.4, 0.13) + block_on_top, dimension=dimension, gravity=9.81, duration=0.05, friction=0.3)
            self.write("s.toml", text)
            self.moreau("run", "s.toml", "--out", "r", "--force", "--threads", 1)
            across = ",".join(["1"] + ["0"] * (dimension - 1))
            least, most = self.json_of("statics", "r", "--load", f"acceleration:{across}", "--json")["supported"]
            self.assertAlmostEqual(least, -0.3 * 9.81, delta=1e-4, msg=f"{dimension}-D")
            self.assertAlmostEqual(most, 0.3 * 9.81, delta=1e-4, msg=f"{dimension}-D")

    def test_a_column_falls_into_the_hole_below_it(self):
        # Free bricks in stack bond, the lowest of the middle column left out.
        text = "[[wall]]\nbox = { min = [0, 0], max = [1.2, 5], open = [\"top\"] }\n"
        for row in range(4):
            for column in range(3):
                if (row, column) != (0, 1):
                    text += block([0.4, 0.3], [0.2 + 0.4 * column, 0.15 + 0.3 * row], f'name = "b{column}{row}"\n')
        for name, fall in (("b11", -0.3), ("b13", -0.3), ("b03", 0.0)):
            row = self.end(scene(text, gravity=9.81, duration=0.6, friction=0.0), body=name)
            self.assertAlmostEqual(row["displacement_y"], fall, delta=1e-6, msg=name)

    def test_blocks_that_miss_each_other_keep_their_velocities(self):
        for clearance in (1e-3, 1e-4):
            text = block([0.2, 0.2], [-0.5, 0], 'name = "free"\nvelocity = [4, 0]\n') + block([0.2, 0.2], [0.5, 0.2 + clearance], "velocity = [-4, 0]\n")
            row = self.end(scene(text, gravity=0, duration=0.5))
            self.assertAlmostEqual(row["velocity_x"], 4.0, delta=1e-12)
            self.assertAlmostEqual(row["spin"], 0.0, delta=1e-12)

    def test_blocks_that_meet_are_stopped(self):
        # Face to face, half beside each other, and by a tenth of a millimetre: nothing passes through.
        for offset in (0.0, 0.1, 0.1999):
            text = block([0.2, 0.2], [-0.5, 0], 'name = "free"\nvelocity = [4, 0]\n') + block([0.2, 0.2], [0.5, offset], "velocity = [-4, 0]\n")
            row = self.end(scene(text, gravity=0, duration=0.5))
            self.assertLess(row["velocity_x"], 1e-9 if offset == 0.0 else 3.9, offset)
            self.assertLess(max(float(line["max_penetration"]) for line in self.table("r", "series")), 1e-6, offset)


if __name__ == "__main__":
    unittest.main()
