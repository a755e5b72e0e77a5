"""Strength of regular packings of equal grains that slide without rolling: known in closed form, against friction (Rowe 1962; Thornton
1979). Rolling is held by a large rolling friction, walls are smooth."""
import math
import unittest

import numpy as np

import moreau as mo

DIAMETER = 1.0


def layers(rows, columns):
    """Discs in rows, each in the hollows of the one below: centres, row by row, the longer rows outside."""
    for k in range(rows):
        n = columns - k % 2
        for i in range(n):
            yield [i - (n - 1) / 2, (k - (rows - 1) / 2) * math.sqrt(3) / 2]


def squares(rows, columns):
    """Balls in square layers, each in the hollows of the one below: the face-centred cubic packing."""
    for k in range(rows):
        n = columns - k % 2
        for i in range(n):
            for j in range(n):
                yield [i - (n - 1) / 2, j - (n - 1) / 2, (k - (rows - 1) / 2) * math.sqrt(0.5)]


def strength(places, friction, pairs, rolls=False):
    """Force on the upper over that on a side wall, while the packing is shortened and the sides exert a stress of 1."""
    places = np.array(list(places))
    half = [float(x) for x in places.max(axis=0) + DIAMETER / 2]
    grains = {"materials": ["grain", "grain"], "friction": friction, **({} if rolls else {"rolling_friction": 10.0})}
    course = mo.Course(mo.Scene({
        "dimension": places.shape[1], "time": {"step": 0.02, "duration": 1.0}, "solver": {"tolerance": 1e-6, "max_sweeps": 20000},
        "material": [{"name": "grain", "density": 1.0}, {"name": "plate", "density": 1.0}],
        "pair": [grains, {"materials": ["grain", "plate"], "friction": 0.0}],
        "wall": {"name": "box", "material": "plate", "box": {"min": [-x for x in half], "max": half}},
        "grain": [{"material": "grain", "position": [float(x) for x in place], "radius": DIAMETER / 2} for place in places],
        "piston": [*({"name": a + b, "walls": [f"box.{a}", f"box.{b}"], "stress": 1.0, "mass": 1e-3} for a, b in pairs),
                   {"name": "upright", "walls": ["box.bottom", "box.top"], "velocity": 1e-3}]}), threads=1)
    course.run(steps=10)  # the first steps set it in motion
    exerted = mo.measure(course, "wall-forces")
    force = dict(zip(exerted["wall"], exerted["normal"]))
    return force["box.top"] / force["box.right"]


class RegularPackingTest(unittest.TestCase):
    """An interface between two layers has so many contacts, whose forces are inclined by the angle of friction to their normals; n grains
    in the longer layers, so the walls see (n - 1) / n of what a packing without end would show: forces are compared."""

    def test_rods_have_the_strength_of_rowe(self):
        """tan(60) tan(60 + phi) for stresses: 2 (n - 1) contacts of an interface bear the load, one of them crosses an upright cut."""
        rows, columns = 7, 6
        for friction in (0.0, 0.1, 0.25, 0.4):
            expected = 2 * (columns - 1) / (rows - 1) * math.tan(math.pi / 3 + math.atan(friction))
            self.assertAlmostEqual(strength(layers(rows, columns), friction, [("left", "right")]) / expected, 1, delta=5e-3, msg=friction)

    def test_balls_have_the_strength_of_thornton(self):
        """2 (1 + mu) / (1 - mu) for stresses: 4 (n - 1)^2 contacts bear, 2 (n - 1) of them cross an upright cut, at 45 degrees to it."""
        rows, columns = 5, 4
        for friction in (0.0, 0.25, 0.5):
            expected = 2 * math.sqrt(2) * (columns - 1) / (rows - 1) * (1 + friction) / (1 - friction)
            found = strength(squares(rows, columns), friction, [("left", "right"), ("front", "back")])
            self.assertAlmostEqual(found / expected, 1, delta=5e-3, msg=friction)

    def test_rods_that_roll_are_weaker(self):
        slide, roll = (strength(layers(7, 6), 0.4, [("left", "right")], rolls) for rolls in (False, True))
        self.assertLess(roll, 0.6 * slide)


if __name__ == "__main__":
    unittest.main()
