"""Work of friction on the faces of a mesh."""
import unittest

from box_mesh import CORNERS, SIDES, off
from picture import pixels
from program import ProgramTest, scene

SLIDE = scene("""
[[wall]]
name = "plate"
mesh = "plate.obj"
wear = true
[[block]]
size = [0.2, 0.2, 0.1]
position = [0.2, 0.5, 0.05]
velocity = [1, 0, 0]
""", dimension=3, gravity=[2, 0, -9.81], duration=0.4, friction=0.1)


class Wear(ProgramTest):
    def test_work_of_friction_is_what_was_dissipated(self):
        n = 8
        vertices = "".join(f"v {i / n} {j / n} 0\n" for i in range(2 * n + 1) for j in range(n + 1))
        at = lambda i, j: i * (n + 1) + j + 1
        faces = "".join(f"f {at(i, j)} {at(i + 1, j)} {at(i + 1, j + 1)}\nf {at(i, j)} {at(i + 1, j + 1)} {at(i, j + 1)}\n"
                        for i in range(2 * n) for j in range(n))
        self.write("plate.obj", vertices + faces)
        self.write("s.toml", SLIDE)
        self.moreau("run", "s.toml", "--out", "run")
        rows = self.measured("run", "wear")
        self.assertEqual(len(rows), 4 * n * n)
        dissipated = float(self.table("run", "series")[-1]["dissipated"])
        self.assertAlmostEqual(sum(row["work"] for row in rows), dissipated, delta=1e-6 * dissipated)
        self.assertTrue(all(abs(row["work"]) < 1e-12 for row in rows if row["middle_y"] < 0.3 or row["middle_y"] > 0.7))
        self.assertGreater(sum(row["work"] > 1e-6 for row in rows), 10)
        self.moreau("draw", "run", "-o", "p.png")
        self.assertIn("walls.pvd", self.moreau("export", "run"))
        self.moreau("run", "s.toml", "--out", "half", "--until", "0.2")
        self.moreau("resume", "half")
        self.assertEqual(self.state_hash("run"), self.state_hash("half"))


# A box of twelve triangles with a ball in it, a plate behind the ball and one before it.
CONTENT = scene("""
[[wall]]
name = "plate"
mesh = "plate.off"
[[wall]]
name = "box"
mesh = "box.off"
wear = true
[[grain]]
position = [-1.5, 0, 0.5]
radius = 0.5
velocity = [0.5, 0, 0]
""", dimension=3, gravity=10, duration=0.1, friction=0.5)


class Content(ProgramTest):
    def pictures(self, plate_y, *options):
        corners = [(x, plate_y, z) for x in (-2, 2) for z in (0.01, 2)]
        self.write("plate.off", off(corners, [(0, 2, 3), (0, 3, 1)]))
        self.write("box.off", off(CORNERS, SIDES))
        self.write("s.toml", CONTENT)
        self.moreau("run", "s.toml", "--out", "run", "--force")
        self.moreau("draw", "run", "--view", "front", "--no-title", *options, "-o", "p.png")
        return pixels(self.path("p.png").read_bytes()).astype(int)

    def test_wear_does_not_colour_what_lies_behind_it(self):
        worn, plain = self.pictures(1.5, "--colour", "none", "--azimuth", "20"), self.pictures(1.5, "--colour", "none", "--no-wear")
        red = lambda image: (image[..., 0] - image[..., 1] > 12).sum()
        self.assertEqual(red(plain), 0)
        # The bottom is worn, and seen edge-on; the front is not, and what is seen through it keeps its colour.
        self.assertLess(red(worn[:, :worn.shape[1] * 3 // 4]), 0.01 * worn.shape[0] * worn.shape[1])

    def test_a_mesh_within_another_is_painted_among_the_bodies(self):
        steel = lambda image: (image[..., 2] - image[..., 0] > 20).sum()
        ball = lambda image: ((image[..., 0] < 110) & (image[..., 2] > image[..., 1] + 20) & (image[..., 2] < 150)).sum()
        behind, before = self.pictures(1.5, "--colour", "speed", "--range", "0,100"), self.pictures(-1.5, "--colour", "speed", "--range", "0,100")
        self.assertGreater(steel(behind), 20000)  # not painted over by the far side of the box
        self.assertGreater(steel(before), 20000)
        self.assertGreater(ball(behind), 4 * ball(before) + 1000)  # which covers the ball


if __name__ == "__main__":
    unittest.main()
