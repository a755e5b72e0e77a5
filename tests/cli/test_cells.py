"""Periodic cells: regions add up to the whole, walls are stretched with the cell."""
import unittest

import h5py

from program import ProgramTest, scene

CELL = """
[cell]
min = [0, 0]
max = [1, 1]
{cell}
[[grains]]
count = 120
diameter = {{ uniform = [0.06, 0.09] }}
arrangement = "lattice"
velocities = {{ speed = 0.5 }}
"""


class PeriodicRegions(ProgramTest):
    def test_layers_and_cells_add_up_to_the_whole(self):
        for name, cell in (("sheared", 'rate = { xy = 2, xx = -0.3, yy = -0.3 }'), ("upright", "")):
            with self.subTest(name):
                self.write("s.toml", scene(CELL.format(cell=cell), seed=3, gravity=0, duration=0.2, friction=0.3))
                self.moreau("run", "s.toml", "--out", name)
                rows = self.json_of("measure", name, "stress", "solid-fraction", "load", "--region", "all", "--region", "layers:0.2", "--json", "-")
                whole, layers = rows["stress"][0], rows["stress"][1:]
                self.assertGreaterEqual(len(layers), 5)
                volume = sum(row["volume"] for row in layers)
                self.assertAlmostEqual(volume, rows["load"][0]["volume"], delta=1e-9)
                for component in ("stress_xx", "stress_yy", "stress_xy"):
                    self.assertAlmostEqual(sum(row[component] * row["volume"] for row in layers), whole[component] * volume,
                                           delta=1e-9 * abs(whole["stress_yy"]) + 1e-12)
                solid = rows["solid-fraction"]
                self.assertAlmostEqual(sum(row["solid_fraction"] * row["volume"] for row in solid[1:]), solid[0]["solid_fraction"] * volume, delta=2e-3)
                cells = self.measured(name, "voronoi")
                self.assertEqual(len(cells), 120)
                self.assertAlmostEqual(sum(row["cell"] for row in cells), rows["load"][0]["volume"], delta=1e-9)
                mapped = self.measured(name, "velocity-map", "--width", "0.25")
                self.assertEqual(sum(row["grains"] for row in mapped), 120)
                self.assertTrue(all(0 <= row["cell_y"] <= 1.25 for row in mapped))


class BorderOfTheCell(ProgramTest):
    """Two bodies that meet across the border do what they do inside the cell."""

    BODIES = {
        "blocks in the plane": (2, '[[block]]\nsize = [0.2, 0.3]\nposition = [{left}, 0.5]\nvelocity = [1, 0]\n'
                                   '[[block]]\nsize = [0.2, 0.2]\nposition = [{right}, 0.55]\nvelocity = [-1, 0]\n'),
        "block and disc": (2, '[[block]]\nsize = [0.2, 0.3]\nposition = [{left}, 0.5]\nvelocity = [1, 0]\n'
                              '[[grain]]\nradius = 0.1\nposition = [{right}, 0.55]\nvelocity = [-1, 0]\n'),
        "blocks in space": (3, '[[block]]\nsize = [0.2, 0.3, 0.3]\nposition = [{left}, 0.5, 0.5]\nvelocity = [1, 0, 0]\n'
                               '[[block]]\nsize = [0.2, 0.2, 0.2]\nposition = [{right}, 0.55, 0.5]\nvelocity = [-1, 0, 0]\n'),
    }

    def velocities(self, dimension, bodies, left, right, rule):
        low, high = ", ".join("0" * dimension), ", ".join("1" * dimension)
        self.write("s.toml", scene(f'[contact]\nrule = "{rule}"\n[solver]\ntolerance = 1e-11\n[cell]\nmin = [{low}]\nmax = [{high}]\n' + bodies.format(left=left, right=right),
                                   dimension=dimension, gravity=0, duration=0.3, friction=0.3))
        self.moreau("run", "s.toml", "--out", "run", "--force")
        with h5py.File(self.path("run") / "checkpoint.h5") as run:
            return [list(v) for v in run["state/bodies/velocity"][:]]

    def test_is_no_border(self):
        for name, (dimension, bodies) in self.BODIES.items():
            for rule in ("predictive", "midpoint"):
                with self.subTest(name, rule=rule):
                    inside = self.velocities(dimension, bodies, 0.35, 0.7, rule)
                    across = self.velocities(dimension, bodies, 0.85, 0.2, rule)
                    self.assertLess(inside[0][0], 0.9)  # they have met
                    for v, w in zip(inside, across):
                        for x, y in zip(v, w):
                            self.assertAlmostEqual(x, y, delta=1e-9)


WALLED_CELL = scene("""
[cell]
min = [0, 0]
max = [2, 1]
periodic = ["x"]
rate = { xx = 0.2 }
[[wall]]
name = "floor"
plane = { normal = [0, 1] }
[[grain]]
position = [0.5, 0.1]
radius = 0.1
[[grain]]
position = [1.5, 0.1]
radius = 0.1
""", duration=0.5)


FALL = """
[cell]
min = [0, 0]
max = [4, 6]
periodic = ["x"]
{cell}
[[wall]]
name = "floor"
plane = {{ normal = [0, 1] }}
[[grain]]
position = [1, 3]
radius = 0.5
[[grain]]
position = [3, 3]
radius = 0.5
"""


class CellWithWalls(ProgramTest):
    def test_what_falls_together_is_stopped_by_the_floor(self):
        """Motion is seen from the centre of mass, from which these discs do not move; the floor does."""
        soft = "stiffness = 1e7\ndamping_ratio = 1"
        for engine, cell, law, step in (("rigid", "", "", 1e-3), ("rigid", "rate = { xx = 1e-6 }", "", 1e-3), ("soft", "", soft, 1e-4)):
            with self.subTest(engine=engine, cell=cell):
                self.write("s.toml", f'engine = "{engine}"\n' + scene(FALL.format(cell=cell), gravity=9.81, duration=1.5, step=step, law=law))
                self.moreau("run", "s.toml", "--out", "run", "--force")
                for row in self.measured("run", "bodies"):
                    self.assertAlmostEqual(row["position_y"], 0.5, delta=5e-3)

    def test_floor_is_stretched_with_the_cell(self):
        """Discs that stick to a floor which is stretched part as the cell grows: exp(rate t)."""
        self.write("s.toml", WALLED_CELL)
        self.moreau("run", "s.toml", "--out", "run")
        with h5py.File(self.path("run") / "trajectory.h5") as trajectory:
            frame = trajectory["frame_000001"]
            x, y = frame["bodies/position"][:, 0], frame["bodies/position"][:, 1]
            length = frame["cell/vectors"][0, 0]
            sliding = frame["contacts/relative_velocity"][:]
        self.assertAlmostEqual(length, 2 * (1 + 0.5 * 0.2 * 1e-3) ** 1000, delta=1e-9)  # by half steps
        self.assertAlmostEqual(x[1] - x[0], 0.5 * length, delta=1e-6)
        self.assertLess(abs(y - 0.1).max(), 1e-6)
        self.assertLess(abs(sliding).max(), 1e-8)

    def test_lid_presses_on_what_is_stretched(self):
        """Across the wall the stress is that of a piston; along it the cell follows its rate."""
        lid = """
[[wall]]
name = "lid"
plane = { point = [0, 0.2], normal = [0, -1] }
[[piston]]
walls = ["lid"]
force = 100
"""
        self.write("s.toml", WALLED_CELL.replace("gravity = 10", "gravity = 0") + lid)
        self.moreau("run", "s.toml", "--out", "run")
        force = {row["wall"]: row for row in self.measured("run", "wall-forces")}
        for wall in ("floor", "lid"):
            self.assertAlmostEqual(force[wall]["normal"], 100, delta=1e-6)
            self.assertAlmostEqual(force[wall]["tangential_x"], 0, delta=1e-6)
        with h5py.File(self.path("run") / "trajectory.h5") as trajectory:
            x = trajectory["frame_000001/bodies/position"][:, 0]
        self.assertAlmostEqual(x[1] - x[0], (1 + 0.5 * 0.2 * 1e-3) ** 1000, delta=1e-6)

    def test_stress_along_the_walls_is_what_the_cell_asks_for(self):
        """Three discs between floor and lid become a chain that bears stress x height, whatever the lid presses with (with friction the walls may take part of it)."""
        head = WALLED_CELL.split("[[grain]]")[0].replace("max = [2, 1]", "max = [0.7, 1]").replace("gravity = 10", "gravity = 0").replace("friction = 0.5", "friction = 0")
        discs = "".join(f"[[grain]]\nradius = 0.1\nposition = [{x}, 0.1]\n" for x in (0.1, 0.32, 0.57))
        self.write("s.toml", head.replace("rate = { xx = 0.2 }", "stress = { xx = 50 }\nmass = 20").replace("duration = 0.5", "duration = 1") + discs + """
[[wall]]
name = "lid"
plane = { point = [0, 0.2], normal = [0, -1] }
[[piston]]
walls = ["lid"]
force = 30
""")
        self.moreau("run", "s.toml", "--out", "run")
        self.assertLess(abs(float(self.table("run", "series")[-1]["energy_error"])), 1e-12)
        load = self.measured("run", "load")[0]
        self.assertAlmostEqual(load["stress_xx"], 50, delta=1e-4)
        self.assertAlmostEqual(load["stress_yy"] * load["length_x"], 30, delta=1e-4)
        self.assertAlmostEqual(load["length_x"], 0.6, delta=1e-6)
        self.assertAlmostEqual(load["length_y"], 0.2, delta=1e-6)
        with h5py.File(self.path("run") / "trajectory.h5") as trajectory:
            frame = trajectory["frame_000001"]
            across = abs(frame["contacts/force"][:, 0])[frame["contacts/b"][:] >= 0]
            speed = frame["bodies/velocity"][:]
        self.assertEqual(len(across), 3)  # one of them through the border of the cell
        self.assertLess(abs(across - 50 * 0.2).max(), 1e-4)
        self.assertLess(abs(speed - speed[0]).max(), 1e-6)  # they may drift together: nothing holds them along the walls

    def test_what_is_refused(self):
        self.write("s.toml", WALLED_CELL.replace("xx = 0.2", "yy = 0.2"))
        self.assertIn("not periodic (yy)", self.refusal("check", "s.toml"))
        self.write("s.toml", "engine = \"soft\"\n" + WALLED_CELL.replace("friction = 0.5", "friction = 0.5\nstiffness = 1e6"))
        self.assertIn("walls beside a cell that deforms", self.refusal("run", "s.toml", "--out", "soft"))


if __name__ == "__main__":
    unittest.main()
