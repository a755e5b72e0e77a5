"""Structures that stand beside a packing, without touching it, rest as they do alone."""
import math

import numpy as np

import moreau as mo
from scenes import FolderTest

HEAD = """\
dimension = 2
gravity = 9.81
time = {{ step = 1e-3, duration = 1 }}
contact = {{ rule = "{rule}" }}
material = {{ density = 1000 }}
law = {{ friction = 0.5 }}
[[wall]]
name = "floor"
plane = {{ normal = [0, 1] }}
[[wall]]
plane = {{ point = [8, 0], normal = [-1, 0] }}
[[block]]
name = "screen"
size = [0.5, 30]
position = [-0.25, 15]
fixed = true
"""


def disc(x, y, radius, mass):
    return f"[[grain]]\nposition = [{x!r}, {y!r}]\nradius = {radius}\nmass = {mass}\n"


def heap():
    """Rows of discs, every second shifted by a radius, behind the screen."""
    return "".join(disc(0.5 + k + 0.5 * (row % 2), 0.5 + row * math.sqrt(0.75), 0.5, 785.0) for row in range(9) for k in range(8 - row % 2))


def column(discs):
    return "".join(disc(-5.0, 0.5 + k, 0.5, 785.0) for k in range(discs))


def slab_on_bricks(heavy):
    return "".join(f"[[block]]\nsize = [1, 0.3]\nposition = [-5, {0.15 + 0.3 * k!r}]\nmass = {heavy if k == 5 else 1}\n" for k in range(6))


class BesideTest(FolderTest):
    def supports(self, text, steps):
        """Force on the floor left of the screen, over the weight there, step by step; and the course."""
        course = mo.Course(mo.Scene(text), threads=1)
        weight = 9.81 * course.bodies.mass[np.asarray(course.bodies.position)[:, 0] < -1.0].sum()
        found = []
        for _ in range(steps):
            course.step()
            contacts, x = course.contacts, np.asarray(course.bodies.position)[:, 0]
            below = (contacts.b < 0) & (x[contacts.a] < -1.0)
            found.append(contacts.normal_force[below].sum() / weight)
        return np.array(found), course

    def test_columns_and_heavy_bodies_on_light_ones(self):
        for name, structure in (("column of 60", column(60)), ("250 times the mass on five bricks", slab_on_bricks(250))):
            for rule in ("predictive", "midpoint"):
                with self.subTest(structure=name, rule=rule):
                    found, course = self.supports(HEAD.format(rule=rule) + structure + heap(), 120)
                    self.assertLess(np.abs(found[40:] - 1.0).max(), 1e-3, found[40:])
                    left = np.asarray(course.bodies.position)[:, 0] < -1.0
                    self.assertLess(np.linalg.norm(np.asarray(course.bodies.velocity)[left], axis=1).max(), 1e-6)

    def test_many_columns_beyond_the_size_of_one_structure(self):
        text = HEAD.format(rule="predictive") + "".join(disc(-5.0 - 2.0 * c, 0.5 + k, 0.5, 785.0) for c in range(31) for k in range(100))
        found, _ = self.supports(text, 20)
        self.assertLess(np.abs(found[5:] - 1.0).max(), 1e-3, found)


if __name__ == "__main__":
    import unittest
    unittest.main()
