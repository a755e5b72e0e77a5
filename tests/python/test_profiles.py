"""Profiles across a flow and slopes of free surfaces, of what is known beforehand."""
import unittest
import warnings

import numpy as np

import moreau as mo
from moreau.profiles import fitted_slope
from scenes import FolderTest

SCENE = {"dimension": 2, "seed": 2, "time": {"step": 1e-3, "duration": 1.0}, "material": {"density": 1.0}, "law": {"friction": 0.3},
         "grains": [{"arrangement": "lattice", "count": 361, "diameter": {"uniform": [0.5, 1.0]}, "region": {"box": [[0, 0], [20, 20]]}}]}


class ProfileTest(FolderTest):
    def test_a_linear_profile_is_found(self):
        course = mo.Course(mo.Scene(SCENE), threads=1)
        velocity = course.bodies.writable("velocity")
        velocity[:, 0] = 2.0 * course.bodies.position[:, 1] + 1.0
        velocity[:, 1] = 0.5
        table = mo.profile(course, along="y", width=2.0)
        np.testing.assert_allclose(table["velocity_y"], 0.5)
        line = np.polyfit(table["y"], table["velocity_x"], 1)
        self.assertAlmostEqual(line[0], 2.0, delta=0.05)
        self.assertLess(abs(table["velocity_x"] - np.polyval(line, table["y"])).max(), 1.0)  # bodies lie off the middle of their slab
        self.assertEqual(table["bodies"].sum(), 361)
        area = np.pi * (np.asarray(course.bodies.radius) ** 2).sum()
        both = mo.profile([course.frame(), course.frame()], along="y", width=2.0)
        np.testing.assert_allclose(both["velocity_x"], table["velocity_x"])
        np.testing.assert_allclose(both["velocity_x_error"], 0.0, atol=1e-12)
        self.assertAlmostEqual((table["solid_fraction"] * 2.0 * 20.0).sum(), area, delta=0.15 * area)
        with self.assertRaisesRegex(ValueError, "along is 'z'; accepted: x, y"):
            mo.profile(course, along="z")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaisesRegex(ValueError, "width is 1e-300, and of cells so narrow the volume is lost"):
                mo.profile(course, along="y", width=1e-300)

    def test_a_folder_is_the_newest_frame_of_its_run(self):
        heap = {**SCENE, "gravity": 10.0, "time": {"step": 1e-3, "duration": 0.3}, "wall": {"box": {"min": [0, 0], "max": [20, 40], "open": ["top"]}}, "output": {"frames": 0.3}}
        run = mo.run(mo.Scene(heap), self.folder / "run")
        name = str(self.folder / "run")
        np.testing.assert_array_equal(mo.profile(name, width=2.0)["bodies"], mo.profile(run, width=2.0)["bodies"])
        self.assertEqual(mo.surface_slope(name), mo.surface_slope(run))
        with self.assertRaisesRegex(TypeError, "a Course, a Frame, a Run or its folder, not of int"):
            mo.surface_slope(3)

    def test_a_slope_is_found_and_walls_do_not_count(self):
        random = np.random.default_rng(4)
        x = random.uniform(-10, 10, 4000)
        y = random.uniform(-8, 0, 4000) + np.tan(np.radians(25.0)) * x
        y[abs(x) > 8] += 3.0  # heaped up at the walls
        angle, error = fitted_slope(x, y, 1.0)
        self.assertAlmostEqual(angle, 25.0, delta=1.0)
        self.assertLess(error, 0.5)
        with self.assertRaisesRegex(ValueError, "a slope needs three"):
            fitted_slope([0.0, 1.0], [0.0, 1.0], 1.0)

    def test_a_bed_at_rest_is_level_and_grains_in_flight_do_not_count(self):
        scene = {"dimension": 2, "gravity": 10, "time": {"step": 1e-2, "duration": 9.0}, "material": {"density": 1.0}, "law": {"friction": 0.3},
                 "wall": [{"plane": {"normal": [0, 1]}}],
                 "grain": [{"position": [k, 0.5], "radius": 0.5} for k in range(12)] + [{"position": [11.0, 7.0], "radius": 0.5}]}
        course = mo.Course(mo.Scene(scene), threads=1)
        course.run(steps=3)
        angle, _ = mo.surface_slope(course)
        self.assertAlmostEqual(angle, 0.0, delta=0.01)


if __name__ == "__main__":
    unittest.main()
