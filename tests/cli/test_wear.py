"""Work of friction on the faces of a mesh."""
import unittest

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


if __name__ == "__main__":
    unittest.main()
