"""Walls on springs and dashpots: settlement, period, damping and rocking of a footing."""
import math
import unittest

from program import ProgramTest, scene

SOIL = """
{walls}
[[block]]
name = "footing"
size = [2, 0.5]
position = [0, 0.25]
{more}
[[measure]]
quantity = "bodies"
bodies = ["footing"]
every = 2e-4
"""


class Soil(ProgramTest):
    """A footing of 2000 kg on springs: 1e6 N/m settles by 0.02 m and swings with sqrt(k/m)."""

    def history(self, duration, walls, more=""):
        self.write("s.toml", scene(SOIL.format(walls=walls, more=more), step=2e-4, duration=duration, density=2000, friction=0.8))
        self.moreau("run", "s.toml", "--out", "run", "--force")
        return self.table("run", "measures/bodies")

    def test_settlement_and_period(self):
        wall = "[[wall]]\nplane = { normal = [0, 1] }\nsoil = { stiffness = 1e6, mass = 1e-3 }\n"
        rows = self.history(0.6, wall)
        omega = math.sqrt(1e6 / 2000)
        for row in rows:  # let go at rest on springs without load
            self.assertAlmostEqual(-float(row["displacement_y"]), 0.02 * (1 - math.cos(omega * float(row["time"]))), delta=2e-4)

    def test_ground_of_default_mass_does_not_slow_the_swing(self):
        """One plane, or ten strips under one footing, or two footings of very different weight: sqrt(k/m) to 1 %."""
        plane = "[[wall]]\nplane = { normal = [0, 1] }\nsoil = { stiffness = 1e6 }\n"
        strips = "".join(f"[[wall]]\nmesh = {{ points = [[{-1 + 0.2 * i}, -0.02], [{-0.9 + 0.2 * i}, 0], [{-0.8 + 0.2 * i}, -0.02]] }}\n"
                         f"soil = {{ stiffness = {1e6 / 10} }}\n" for i in range(10))
        beside = '[[wall]]\nmesh = { points = [[9, -0.02], [10, 0], [11, -0.02]] }\nsoil = { stiffness = 1e9 }\n'
        heavy = "[[block]]\nsize = [2, 2]\nposition = [10, 1.0]\nmass = 1e6\n"
        for walls, more in [(plane, ""), (strips, ""), (strips + beside, heavy)]:
            rows = self.history(1.0, walls, more)
            times = [float(r["time"]) for r in rows]
            up = [-float(r["displacement_y"]) - 0.02 for r in rows]
            crossings = [t0 - a * (t1 - t0) / (b - a) for t0, t1, a, b in zip(times, times[1:], up, up[1:]) if a < 0 <= b]
            period = (crossings[-1] - crossings[0]) / (len(crossings) - 1)
            self.assertGreater(len(crossings), 2)
            self.assertAlmostEqual(period, 2 * math.pi / math.sqrt(1e6 / 2000), delta=0.01 * period)

    def test_dashpot_brings_it_to_rest(self):
        wall = "[[wall]]\nplane = { normal = [0, 1] }\nsoil = { stiffness = 1e6, damping = 9e4, mass = 1e-3 }\n"
        rows = self.history(1.0, wall)
        self.assertAlmostEqual(-float(rows[-1]["displacement_y"]), 0.02, delta=1e-6)

    def test_strips_resist_rocking(self):
        """Ten strips with a ridge: moment over angle is sum k x^2."""
        count, k = 10, 1e6
        walls = "".join(f"[[wall]]\nmesh = {{ points = [[{-1 + 0.2 * i}, -0.02], [{-0.9 + 0.2 * i}, 0], [{-0.8 + 0.2 * i}, -0.02]] }}\n"
                        f"soil = {{ stiffness = {k}, damping = 3e4, mass = 1e-3 }}\n" for i in range(count))
        load = '[[block]]\nname = "load"\nsize = [0.2, 0.2]\nposition = [0.5, 0.6]\nmass = 400\n'
        rows = self.history(1.5, walls, load)
        turned, sunk = abs(float(rows[-1]["turned"])), -float(rows[-1]["displacement_y"])
        self.assertAlmostEqual(sunk, (2000 + 400) * 10 / (count * k), delta=0.003 * sunk)
        stiffness = sum(k * (-0.9 + 0.2 * i) ** 2 for i in range(count))
        self.assertAlmostEqual(turned, 400 * 10 * 0.5 / stiffness, delta=0.01 * turned)


if __name__ == "__main__":
    unittest.main()
