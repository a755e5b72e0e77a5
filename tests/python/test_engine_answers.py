"""Scenes with answers by hand for the engines besides the rigid one, with default settings."""
import math
import unittest

import numpy as np

import moreau as mo
from scenes import FolderTest

HEAD = """\
dimension = {dimension}
engine = "{engine}"
{top}
[time]
step = {step}
duration = {duration}
[material]
density = 1.0
[law]
{law}
"""
PHASES = """\
dimension = 2
seed = 2
{top}
[time]
step = 0.01
[material]
density = 1.0
[law]
friction = 0
{law}
"""
FINISHED = """\
[[phase]]
name = "settle"
duration = {duration}
damping = 1
[[phase]]
name = "finish"
duration = 5
damping = 1
end = "isostatic"
"""


def floor(dimension: int) -> str:
    zeros = "0, " * (dimension - 1)
    return f'[[wall]]\nname = "floor"\nplane = {{ point = [{zeros}0], normal = [{zeros}1] }}\n'


def grain(*position: float, radius: float = 0.5, more: str = "") -> str:
    return f"[[grain]]\nposition = {list(position)}\nradius = {radius}\n{more}"


def on_walls(frame, component: int | None = None) -> np.ndarray:
    """Normal forces at walls, or a component of them."""
    contacts = frame.contacts
    walls = contacts.b < 0
    force = contacts.normal_force[walls]
    return force if component is None else force * contacts.normal[walls][:, component]


class RigidAfterSoftTest(unittest.TestCase):
    def test_overlaps_of_springs_stay_and_their_energy_is_booked(self) -> None:
        """Five discs on one another, at rest on their springs: nothing moves when they become rigid, whatever the step, and the energy of
        the springs, sum of (weight above)^2 / 2k, is dissipated."""
        stiffness, gravity = 2e4, 10.0
        springs = sum((n * gravity) ** 2 for n in range(1, 6)) / (2 * stiffness)
        for step in (2e-3, 2.5e-4):
            course = mo.Course(mo.Scene({
                "dimension": 2, "gravity": gravity, "time": {"step": 1e-4}, "material": {"density": 1.0}, "law": {"friction": 0.3, "stiffness": stiffness},
                "wall": {"plane": {"normal": [0, 1]}}, "grain": [{"position": [0, i + 0.5], "radius": 0.5, "mass": 1.0} for i in range(5)],
                "phase": [{"engine": "soft", "duration": 3.0, "damping": 5.0}, {"engine": "rigid", "step": step, "duration": 0.3, "damping": 0.0}]}))
            *_, soft = course.steps(until=3.0)
            self.assertAlmostEqual(soft.energy.elastic, springs, delta=1e-9)
            before = np.array(course.bodies.position)
            for rigid in course.steps(until=3.3):
                self.assertLess(rigid.energy.kinetic, 1e-20)
            self.assertLess(np.abs(course.bodies.position - before).max(), 1e-12)
            self.assertEqual(rigid.energy.elastic, 0.0)
            self.assertAlmostEqual(rigid.energy.dissipated - soft.energy.dissipated, springs, delta=1e-9)

    def test_discs_pressed_together_do_not_fly_apart(self) -> None:
        """Two discs that become rigid at the turning point of an impact have nothing left to part them."""
        course = mo.Course(mo.Scene({
            "dimension": 2, "time": {"step": 1e-4}, "material": {"density": 1.0}, "law": {"friction": 0.0, "stiffness": 1e4, "damping_ratio": 0.0},
            "grain": [{"position": [0, 0], "radius": 0.5, "mass": 1.0, "velocity": [1, 0]}, {"position": [1, 0], "radius": 0.5, "mass": 1.0, "velocity": [-1, 0]}],
            "phase": [{"engine": "soft", "duration": 0.0111}, {"engine": "rigid", "step": 1e-3, "duration": 0.05}]}))
        *_, last = course.steps(until=0.06)
        self.assertLess(last.energy.kinetic, 1e-12)
        self.assertAlmostEqual(last.energy.dissipated, 1.0, delta=1e-5)


class EngineAnswersTest(FolderTest):
    def last(self, text: str):
        return mo.run(mo.Scene(text), self.folder / "run", threads=1, force=True).frames[-1]

    def test_a_soft_ball_rebounds_to_the_square_of_its_restitution(self):
        text = HEAD.format(dimension=3, engine="soft", top="gravity = 10", step=1e-5, duration=0.7, law="friction = 0\nstiffness = 1e4\nrestitution = 0.5")
        run = mo.run(mo.Scene(text + "[output]\nframes = 0.005\n" + floor(3) + grain(0, 0, 1.1, radius=0.1)), self.folder / "run", threads=1)
        height = np.array([frame.position[0][2] - 0.1 for frame in run.frames])
        self.assertAlmostEqual(height[height.argmin():].max(), 0.25, delta=0.003)

    def test_of_a_soft_row_of_discs_only_the_last_goes_on(self):
        text = HEAD.format(dimension=2, engine="soft", top="", step=1e-5, duration=0.4, law="friction = 0\nstiffness = 1e6\ndamping_ratio = 0")
        frame = self.last(text + "".join(grain(1.05 * k, 0, more="velocity = [1, 0]\n" if k == 0 else "") for k in range(5)))
        np.testing.assert_allclose(frame.velocity[:, 0], [0, 0, 0, 0, 1], atol=2e-5)

    def test_soft_discs_and_balls_roll_and_slide_down_a_slope(self):
        for dimension, degrees, friction, share in ((2, 20, 0.6, 2 / 3), (3, 20, 0.6, 5 / 7), (2, 60, 0.2, None)):
            angle = math.radians(degrees)
            along, down = 10 * math.sin(angle), 10 * math.cos(angle)
            gravity = [along, *[0] * (dimension - 2), -down]
            text = HEAD.format(dimension=dimension, engine="soft", top=f"gravity = {gravity}", step=4e-5, duration=1.0, law=f"friction = {friction}\nstiffness = 3e5")
            speed = self.last(text + floor(dimension) + grain(*[0] * (dimension - 1), 0.5)).velocity[0][0]
            self.assertAlmostEqual(speed, share * along if share else along - friction * down, delta=2e-3 * speed)

    def test_the_lowest_of_ten_soft_balls_bears_them_all(self):
        text = HEAD.format(dimension=3, engine="soft", top="gravity = 10\ndamping = 3", step=1e-4, duration=5, law="friction = 0.2\nstiffness = 1e5")
        box = '[[wall]]\nname = "tube"\nbox = { min = [-0.5, -0.5, 0], max = [0.5, 0.5, 12] }\n'
        frame = self.last(text + box + "".join(grain(0, 0, 0.5 + k, radius=0.4999) for k in range(10)))
        self.assertAlmostEqual(on_walls(frame, 2).sum(), 10 * frame.mass.sum(), delta=1e-6)

    def test_a_film_under_a_ball_thins_exponentially(self):
        text = HEAD.format(dimension=3, engine="lubricated", top="gravity = 1", step=0.01, duration=2, law="friction = 0")
        frame = self.last(text + floor(3) + grain(0, 0, 0.505))
        self.assertAlmostEqual(frame.contacts.gap[0], 0.005 * math.exp(-2 * (math.pi / 6) / (6 * math.pi * 0.25)), delta=1e-9)

    def test_springs_of_an_elastic_phase_yield_by_force_over_stiffness(self):
        box = """[[wall]]\nname = "box"\nbox = { min = [0, 0], max = [1, 1] }\n"""
        pistons = "".join(f'[[piston]]\nname = "{name}"\nwalls = ["box.{low}", "box.{high}"]\nstress = 1.0\n'
                          for name, low, high in (("across", "left", "right"), ("upright", "bottom", "top")))
        probe = '[[phase]]\nname = "probe"\nengine = "elastic"\nstep = 0.1\nduration = 1\npiston = { name = "upright", stress = { times = [0, 1], values = [1, 1.1] } }\n'
        frame = self.last(PHASES.format(top="", law="stiffness = 1000") + box + pistons + grain(0.5, 0.5, radius=0.49) + FINISHED.format(duration=5) + probe)
        self.assertAlmostEqual(frame.wall_shift["box.bottom"][1], 0.01 + 0.098 / 1000, delta=1e-7)

    def test_the_stress_asked_of_an_elastic_phase_is_the_stress_found(self):
        # A square lattice of discs of diameter 1: C11 = k_n, C12 = 0, however large the pressure is beside k_n.
        discs = "".join(grain(i, j) for i in range(4) for j in range(4))
        for stiffness, step in ((1000, 0.25), (100, 1.0)):
            text = PHASES.replace("friction = 0\n", "friction = 0.5\n").format(top="", law=f"stiffness = {stiffness}\ntangential_stiffness = {0.4 * stiffness}")
            cell = "[cell]\nmin = [0, 0]\nmax = [4, 4]\nstress = { xx = 1, yy = 1 }\n"
            probe = f"""[[phase]]\nname = "press"\nduration = 0.1\n[[phase]]\nname = "probe"\nengine = "elastic"\nstep = {step}\nduration = 1
cell = {{ stress = {{ xx = 1, yy = {{ times = [0, 1], values = [1, 1.5] }} }} }}\n"""
            course = mo.Course(mo.Scene(text + cell + discs + probe), threads=1)
            course.run(until=0.1)
            before = mo.measure(course, "load")
            course.run()
            after = mo.measure(course, "load")
            self.assertAlmostEqual(after["stress_yy"][0], 1.5, delta=1e-8)
            self.assertAlmostEqual(after["stress_xx"][0], 1.0, delta=1e-8)
            # Of a row along y: sigma L_x / 4 = f = f0 + k_n dl; both sides change.
            length_x, length_y = after["length_x"][0], after["length_y"][0]
            self.assertAlmostEqual(1.5 * length_x - before["length_x"][0], stiffness * (before["length_y"][0] - length_y), delta=1e-7)
            self.assertAlmostEqual(length_y - before["length_y"][0], stiffness * (before["length_x"][0] - length_x), delta=1e-7)

    def test_pistons_under_stress_press_on_faces_as_large_as_they_are(self):
        discs = "".join(grain(i + 0.5, j + 0.5) for i in range(2) for j in range(2))
        walls = '[[wall]]\nname = "box"\nbox = { min = [0, 0], max = [2, 2] }\n' + "".join(
            f'[[piston]]\nname = "{name}"\nwalls = ["box.{wall}"]\nstress = 1\n' for name, wall in (("x", "right"), ("y", "top")))
        probe = """[[phase]]\nname = "press"\nduration = 0.3\n[[phase]]\nname = "probe"\nengine = "elastic"\nstep = 1\nduration = 1
piston = { name = "y", stress = { times = [0, 1], values = [1, 1.1] } }\n"""
        course = mo.Course(mo.Scene(PHASES.format(top="", law="stiffness = 100") + walls + discs + probe), threads=1)
        course.run(until=0.3)
        shift = {name: values.copy() for name, values in course.frame().wall_shift.items()}
        course.run()
        x, y = (shift[wall][d] - course.frame().wall_shift[wall][d] for wall, d in (("box.right", 0), ("box.top", 1)))
        # Each of two rows has three springs: f = f0 + k s / 3, and 2 f = stress x (2 - the other's shortening).
        self.assertAlmostEqual(200 * y / 3, 1.1 * (2 - x) - 2, delta=1e-6)
        self.assertAlmostEqual(200 * x / 3, -y, delta=1e-6)

    def test_discs_under_their_weight_are_finished_also_where_some_lie_on_the_floor_alone(self):
        box = '[[wall]]\nname = "box"\nbox = { min = [0, 0], max = [10, 20] }\n'
        grains = "[[grains]]\ncount = 40\ndiameter = { uniform = [0.5, 1.0] }\nregion = { box = [[0, 0], [10, 8]] }\n"
        frame = self.last(PHASES.format(top="gravity = 10", law="") + box + grains + FINISHED.format(duration=5))
        self.assertAlmostEqual(on_walls(frame, 1).sum() / (10 * frame.mass.sum()), 1.0, delta=1e-12)
        # Each body: the contacts balance its weight.
        contacts, resultant = frame.contacts, np.zeros_like(frame.position)
        push = contacts.normal_force[:, None] * contacts.normal
        np.add.at(resultant, contacts.a, push)
        inside = contacts.b >= 0
        np.subtract.at(resultant, contacts.b[inside], push[inside])
        resultant[:, 1] -= 10 * frame.mass
        self.assertLess(np.abs(resultant).max(), 1e-10)

    def test_a_cell_that_is_periodic_in_one_direction_is_finished_between_its_walls(self):
        cell = '[cell]\nmin = [0, 0]\nmax = [8, 12]\nperiodic = ["x"]\n'
        walls = "".join(f'[[wall]]\nname = "{name}"\nplane = {{ point = [0, {y}], normal = [0, {n}] }}\n' for name, y, n in (("bottom", 0, 1), ("top", 12, -1)))
        piston = '[[piston]]\nname = "lid"\nwalls = ["top"]\nstress = 1.0\n'
        grains = "[[grains]]\ncount = 64\ndiameter = { uniform = [0.5, 1.0] }\nregion = { box = [[0, 0], [8, 12]] }\n"
        frame = self.last(PHASES.format(top="", law="") + cell + walls + piston + grains + FINISHED.format(duration=30))
        self.assertAlmostEqual(on_walls(frame).sum(), 2 * 8.0, delta=1e-9)
        carrying = len(np.unique(np.concatenate([frame.contacts.a, frame.contacts.b[frame.contacts.b >= 0]])))
        self.assertEqual(len(frame.contacts), 2 * carrying + 1 - 1)  # the lid moves, and everything may shift along x


if __name__ == "__main__":
    unittest.main()
