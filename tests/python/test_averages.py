"""Measures averaged over all steps of an interval, and compared with the start of a phase."""
import unittest

import numpy as np
from scenes import FolderTest

import moreau as mo

# Discs pressed between walls, then sheared; every step is sampled beside the averages.
SCENE = """\
dimension = 2
gravity = 0
[time]
step = 0.01
[contact]
rule = "predictive"
[[material]]
name = "grain"
density = 1.0
[law]
friction = 0.3
[[wall]]
name = "box"
box = { min = [-3, -3], max = [3, 3] }
[[grains]]
arrangement = "lattice"
count = 30
diameter = { uniform = [0.6, 0.9] }
[[piston]]
name = "across"
walls = ["box.left", "box.right"]
stress = 1.0
[[piston]]
name = "upright"
walls = ["box.bottom", "box.top"]
stress = 1.0
[[measure]]
name = "each"
quantity = "load"
every = 0.01
[[measure]]
name = "mean"
quantity = "load"
every = 0.1
average = 0.05
[[measure]]
name = "strain"
quantity = "loading"
every = 0.05
since = "phase"
[[phase]]
name = "press"
duration = 1.025
[[phase]]
name = "shear"
piston = { name = "upright", velocity = 0.1 }
duration = 0.5
"""


class AverageTest(FolderTest):
    def run_scene(self, name, **options):
        return mo.run(mo.Scene(SCENE), self.folder / name, threads=1, **options)

    def test_average_is_the_mean_over_all_steps_of_the_interval(self):
        run = self.run_scene("run")
        each, mean = run.measures["each"], run.measures["mean"]
        self.assertEqual(mean.rows, 15)
        for row in range(mean.rows):
            t, phase = mean.time[row], mean.phase[row]
            inside = (each.time > t - 0.05 + 0.005) & (each.time < t + 0.005) & (each.phase == phase)
            self.assertEqual(mean.averaged[row], inside.sum())
            self.assertEqual(mean.averaged[row], 5)
            for column in ("stress_xx", "stress_yy", "solid_fraction"):
                np.testing.assert_allclose(mean[column][row], each[column][inside].mean(), rtol=1e-12, atol=1e-14)
                np.testing.assert_allclose(mean[f"{column}_sd"][row], each[column][inside].std(), rtol=1e-9, atol=1e-13)

    def test_resumed_in_the_middle_of_an_interval_it_is_the_same(self):
        whole = self.run_scene("whole")
        self.run_scene("parts", until=0.77)  # two of the five steps of an interval are made
        self.moreau("resume", self.folder / "parts", "--threads", "1")
        for name in ("mean", "strain", "each"):
            files = [(run / "measures" / f"{name}.csv").read_text() for run in (whole.path, self.folder / "parts")]
            self.assertEqual(files[0], files[1])

    def test_strain_is_counted_from_the_start_of_the_phase(self):
        strain = self.run_scene("run").measures["strain"]
        shear = strain.only(strain.phase == "shear")
        column = "strain_y"
        height = mo.open(self.folder / "run").measures["each"]
        at_start = height["length_y"][height.phase == "press"][-1]
        for t, value in zip(shear.time, shear[column]):
            now = height["length_y"][np.argmin(abs(height.time - t))]
            self.assertAlmostEqual(value, np.log(at_start / now), 9)  # logarithmic
        self.assertLess(abs(shear[column][0]), 0.01)

    def test_average_longer_than_the_interval_is_refused(self):
        with self.assertRaisesRegex(mo.SceneError, "average' is 0.5; accepted: at most the time between samples, 0.1"):
            mo.Scene(SCENE.replace("average = 0.05", "average = 0.5"))


class WallTest(FolderTest):
    """The stress that walls exert differs from the one asked by what accelerates them (2 M dw/dt = 2 F + sum of c . P / h)."""

    def sheared(self, count, half, seed):
        text = SCENE.replace("count = 30", f"count = {count}").replace("[-3, -3], max = [3, 3]", f"[{-half}, {-half}], max = [{half}, {half}]")
        return f"seed = {seed}\n" + text.replace("duration = 1.025", "duration = 15.0").replace("velocity = 0.1", "velocity = 0.02")

    def side_stress(self, course):
        """Mean of both walls of the piston that is under stress."""
        walls, load = mo.measure(course, "wall-forces"), mo.measure(course, "load")
        sides = [k for k, name in enumerate(walls["wall"]) if name in ("box.left", "box.right")]
        return walls["normal"][sides].mean() / load["length_y"][0]

    def test_default_walls_exert_the_stress_that_is_asked(self):
        """Step by step while samples are sheared: within 5 % of what is asked. Among 30 discs, contacts that come or go accelerate the walls as much in
        some samples, with solutions to 1e-9 as well: half of them must do. The start, walls that move at once, is a jolt."""
        for count, half, seeds in ((30, 3.0, range(1, 8)), (120, 6.0, range(1, 3))):
            spreads = []
            for seed in seeds:
                course = mo.Course(mo.Scene(self.sheared(count, half, seed)), threads=1)
                while course.phase != "shear":
                    course.run(steps=50)
                course.run(steps=20)
                stresses = [self.side_stress(course) for _ in course.steps(until=course.time + 0.4)]
                self.assertAlmostEqual(np.mean(stresses), 1.0, 1)
                spreads.append(np.std(stresses))
            self.assertLess(np.median(spreads) if count == 30 else max(spreads), 0.05)

    def test_the_jolt_when_walls_begin_to_move_is_that_of_the_exact_solution(self):
        every_step = '[[measure]]\nname = "walls"\nquantity = "wall-forces"\nevery = 0.01\n[[phase]]\nname = "press"'
        largest = 0.0
        for seed in range(1, 5):
            stresses = []
            text = self.sheared(30, 3.0, seed).replace('[[phase]]\nname = "press"', every_step)
            for name, exactly in ((f"default{seed}", ()), (f"exact{seed}", ("--set", "solver.tolerance=1e-9"))):
                mo.run(mo.Scene(text), self.folder / name, threads=1, until=15.0)
                self.moreau("resume", self.folder / name, "--threads", "1", "--until", "15.01", *exactly)
                measures = mo.open(self.folder / name).measures
                walls, height = measures["walls"], measures["each"]["length_y"][-1]
                last = walls.only((walls.time > 15.005) & np.isin(walls["wall"], ["box.left", "box.right"]))
                self.assertEqual(last.rows, 2)
                stresses.append(last["normal"].mean() / height)
            self.assertLess(abs(stresses[0] - stresses[1]), 0.03, seed)
            largest = max(largest, abs(stresses[1] - 1.0))
        self.assertGreater(largest, 0.1)  # it is one

    def test_a_wall_that_is_a_piston_of_its_own_exerts_in_every_step_what_is_asked(self):
        for count, half, pressed in ((120, 6.0, 12), (300, 9.3, 25)):  # until they are at rest
            text = SCENE.replace("count = 30", f"count = {count}").replace("[-3, -3], max = [3, 3]", f"[{-half}, {-half}], max = [{half}, {half}]")
            text = text.replace("duration = 1.025", f"duration = {pressed}").replace("velocity = 0.1", "velocity = 0.02")
            text = text.replace('name = "across"\nwalls = ["box.left", "box.right"]', 'name = "west"\nwalls = ["box.left"]\nstress = 1.0\n'
                                '[[piston]]\nname = "east"\nwalls = ["box.right"]')
            course = mo.Course(mo.Scene(text), threads=1)
            while course.phase != "shear":
                course.run(steps=50)
            course.run(steps=20)  # the start is a jolt
            stress = {"box.left": [], "box.right": []}
            for _ in course.steps(until=course.time + 0.3):
                walls, height = mo.measure(course, "wall-forces"), mo.measure(course, "load")["length_y"][0]
                for name, values in stress.items():
                    values.append(walls["normal"][list(walls["wall"]).index(name)] / height)
            for name, values in stress.items():
                self.assertAlmostEqual(np.mean(values), 1.0, 1, (count, name))
                self.assertLess(np.std(values), 0.05, (count, name))


class DirectionTest(FolderTest):
    def test_classes_hold_0_and_90_degrees_in_their_middle_and_walls_are_left_out(self):
        course = mo.Course(mo.Scene({
            "dimension": 2, "gravity": 10, "time": {"step": 1e-3, "duration": 1.0}, "material": {"density": 1.0}, "law": {"friction": 0.3},
            "wall": [{"plane": {"normal": [0, 1]}}],
            "grain": [{"position": [0, 0.5], "radius": 0.5, "fixed": False}, {"position": [0, 1.5], "radius": 0.5}]}), threads=1)
        course.run(steps=20)
        rose = mo.measure(course, "orientations")
        rose = rose.only(rose["set"] == "all")
        self.assertEqual(rose["contacts"].sum(), 1)
        upright = int(np.argmax(rose["contacts"]))
        self.assertAlmostEqual(0.5 * (rose["from_degrees"][upright] + rose["to_degrees"][upright]), -90.0)
        middles = 0.5 * (rose["from_degrees"] + rose["to_degrees"])
        self.assertTrue(np.isclose(middles, 0.0).any())
        self.assertEqual(mo.measure(course, "fabric")["contacts"][0], 1)
        self.assertEqual(mo.measure(course, "fabric", walls=True)["contacts"][0], 2)


if __name__ == "__main__":
    unittest.main()
