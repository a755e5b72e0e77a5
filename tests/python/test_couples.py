"""What laws that resist rolling give to walls and bodies, in measures: against the balance of moments of a body that does not speed up."""
import unittest

import numpy as np

import moreau as mo
from scenes import FolderTest

DRUM = """\
dimension = 2
gravity = 10
time = { step = 1e-3, duration = 2.0 }
material = { density = 1000.0 }
law = { friction = 0.8, rolling_friction = 0.1 }
motion = { name = "turn", kind = "rotation", rate = 1.0 }
wall = { name = "drum", circle = { centre = [0, 0], radius = 1.0 }, surface = "turn" }
grain = { radius = 0.1, position = [0.08955317, -0.89553173], spin = 10.0 }
"""
SLOPE = """\
dimension = 3
gravity = [1.9866933079506122, 0, -9.800665778412416]
material = {{ density = 1000.0 }}
time = {{ step = 1e-3 }}
law = {{ friction = 0.8, rolling_friction = 0.4 }}
wall = {{ name = "floor", plane = {{ normal = [0, 0, 1] }} }}
grain = {{ name = "ball", radius = 0.1, position = [0, 0, 0.1] }}
output = {{ frames = 1.0, precision = "{precision}" }}
[[phase]]
duration = 1.0
end = {{ moment_residual = 1e-6, force_residual = 1e-6 }}
"""


class CouplesTest(FolderTest):
    def test_a_disc_in_a_drum_takes_the_torque_of_its_weight(self):
        # Its moment about the axis does not change: the torque on the drum is m g x, the power that times the rate, which the ledger
        # of the run has as work of the walls.
        course = mo.Course(mo.Scene(DRUM), threads=1)
        for _ in course.steps(until=1.0):
            pass
        work, power, torque, weight = course.report.energy.wall_work, [], [], []
        while course.time < 2.0 - 1e-9:
            course.step()
            drive = mo.measure(course, "wall-drive")
            power.append(drive["power"][0]), torque.append(drive["torque"][0])
            weight.append(course.bodies.mass[0] * 10 * course.bodies.position[0][0])
        self.assertAlmostEqual(np.mean(power) / (course.report.energy.wall_work - work), 1.0, delta=1e-9)
        self.assertAlmostEqual(-np.mean(torque) / np.mean(weight), 1.0, delta=2e-3)
        self.assertAlmostEqual(np.mean(power) / np.mean(weight), 1.0, delta=2e-3)

    def test_a_ball_held_by_its_couple_is_balanced(self):
        for precision in ("full", "reduced"):
            run = mo.run(mo.Scene(SLOPE.format(precision=precision)), self.folder / "run", threads=1, force=True)
            frame = run.frames[-1]
            self.assertLess(frame.time, 0.1)  # its conditions hold
            self.assertAlmostEqual(norm(frame.contacts.couple[0]) / (0.1 * abs(frame.contacts.force[0][0])), 1.0, delta=1e-3)
            self.assertLess(mo.measure(run, "balance")["moment_residual"][0], 1e-3)
            forces = mo.measure(run, "body-forces")
            moment = max(abs(forces[f"moment_{d}"][0]) for d in "xyz")
            self.assertLess(moment, 1e-3 * norm(frame.contacts.couple[0]))


def norm(vector) -> float:
    return float(np.linalg.norm(vector))


if __name__ == "__main__":
    unittest.main()
