"""Stones and their joints through the program: safety factors three ways, mortar, bonds, histories, spectra."""
import json
import unittest

import h5py

from program import REPOSITORY, ProgramTest, scene

TWO_STONES = scene("""
[[motion]]
name = "lift"
kind = "velocity"
velocity = [0, -0.1]
[[block]]
name = "ground"
size = [2, 1]
position = [0, -0.5]
motion = "lift"
[[block]]
name = "left"
size = [1, 1]
position = [-0.5, 0.5]
[[block]]
name = "shelf"
size = [1, 0.2]
position = [1.6, 0.1]
fixed = true
""", gravity=9.81, output="frames = 0.05")

# Four metres high, one wide: it lifts off where the ground accelerates by more than g / 4.
COLUMN = """
[[motion]]
name = "quake"
kind = "accelerogram"
record = { times = [0, 1], accelerations = [1, 1] }
scale = SCALE
direction = [1, 0]
[[block]]
name = "ground"
size = [4, 1]
position = [0, -0.5]
motion = "quake"
[[brickwork]]
name = "column"
brick = [1, 1]
length = 1
courses = 4
origin = [-0.5, 0]
"""


def column(scale=0.0):
    return scene(COLUMN.replace("SCALE", str(scale)), gravity=[0, -9.81], duration=0.3, density=2000, friction=0.7)


class SafetyFactors(ProgramTest):
    """The same load multiplier by a linear program, by one step from rest, and by dynamics."""

    bound = 9.81 / 4

    def test_linear_program(self):
        self.write("s.toml", column())
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.01")
        self.assertIn(f"-{self.bound:.4f} to {self.bound:.4f}", self.moreau("statics", "run", "--load", "acceleration:1,0"))

    def test_tower_of_the_examples_lifts_off_at_its_width_over_its_height(self):
        self.moreau("run", REPOSITORY / "examples" / "tower.toml", "--set", "motion.scale=0", "--out", "run", "--until", "0.01")
        for bound in self.json_of("statics", "run", "--load", "acceleration:1,0,0", "--json")["supported"]:
            self.assertAlmostEqual(abs(bound), 9.81 * 3 / 12, delta=1e-3)

    def test_one_step(self):
        for factor, stands in ((0.99, True), (1.01, False)):
            self.write("s.toml", column())
            across = f"gravity=[{factor * self.bound}, -9.81]"
            process = self.start("equilibrium", "s.toml", "--set", across, "--tolerance", "1e-4", "--json")  # its status tells the same
            self.assertEqual(json.loads(process.communicate(timeout=60)[0])["possible"], stands, factor)

    def test_dome_without_tension_by_one_step(self):
        # Heyman: 0.042 of the radius. Where four stones meet diagonal ones touch along edges, which they pass when it falls.
        dome = "[dome]\nradius = 5\nthickness = {}\ncourses = 8\nstones = 8\noculus = 0.12\n"
        for thickness, stands in ((0.038, False), (0.046, True)):
            self.write("s.toml", scene(dome.format(5 * thickness), dimension=3, gravity=9.81, density=2000, friction=0.9))
            found = self.json_of("equilibrium", "s.toml", "--json", status=0 if stands else 3)
            self.assertEqual((found["possible"], found["passes"]), (stands, not stands), thickness)

    def test_what_one_step_leaves_unjudged_is_said(self):
        # Two bricks beside two others, corner on corner. With Coulomb's law corners are judged; with a joint of mortar they are not.
        stack = "[[block]]\nsize = [4, 1]\nposition = [0, -0.5]\nfixed = true\n" + "".join(
            f"[[block]]\nsize = [1, 1]\nposition = [{x}, {y}]\n" for x in (-0.5, 0.5) for y in (0.5, 1.5))
        for law, unjudged in (("", None), ("joint = { cohesion = 10, tension = 1 }", "a contact law beyond Coulomb's cone")):
            self.write("s.toml", scene(stack, gravity=9.81, law=law))
            found = self.json_of("equilibrium", "s.toml", "--json")
            self.assertEqual((found["possible"], found["unjudged"]), (True, unjudged))
        self.assertIn("was not judged: a contact law beyond Coulomb's cone", self.moreau("equilibrium", "s.toml"))

    def test_dynamics(self):
        for factor, stands in ((0.99, True), (1.03, False)):
            self.write("s.toml", column(scale=factor * self.bound))
            self.moreau("run", "s.toml", "--out", f"run{factor}")
            told = self.measured(f"run{factor}", "joint-summary", "--opening", "1e-4")[0]
            self.assertEqual(told["open"] + told["parted"] == 0, stands, told)


class Facade(ProgramTest):
    """The facade of the examples. Its pinnacle, 1.4 m high and 0.35 wide, lifts off first, where the ground accelerates by g / 4."""

    scene = REPOSITORY / "examples" / "facade.toml"
    bound = 9.81 * 0.35 / 1.4

    def shaken(self, scale):
        """A run over the highest pulse of the record, and the largest acceleration of its ground."""
        self.moreau("run", self.scene, "--set", f"motion.scale={scale}", "--out", f"run{scale}", "--until", "0.8")
        speed = [float(row["velocity_x"]) for row in self.table(f"run{scale}/measures", "bodies") if row["name"] == "ground"]
        return f"run{scale}", max(abs(after - before) for before, after in zip(speed, speed[1:])) / 0.01

    def test_opens_first_where_the_linear_program_says_and_not_below(self):
        self.moreau("run", self.scene, "--set", "motion.scale=0", "--out", "rest", "--until", "0.01")
        told = self.json_of("statics", "rest", "--load", "acceleration:1,0", "--json")
        for found in told["supported"]:
            self.assertAlmostEqual(abs(found), self.bound, delta=1e-3)
        moving = {i for i, (x, y) in enumerate(told["failure"]) if abs(x) + abs(y) > 1e-6}

        run, peak = self.shaken(0.98 * self.bound / 1.225)  # the correction of the record makes its highest pulse 1.225 of its scale
        self.assertLess(0.97 * self.bound, peak)
        self.assertLess(peak, self.bound)
        self.assertLess(max(float(row["widest"]) for row in self.table(f"{run}/measures", "joint-summary")), 1e-7)

        run, peak = self.shaken(1.05 * self.bound / 1.225)
        self.assertLess(self.bound, peak)
        joints = [row for row in self.measured(run, "joints", "--opening", "1e-4") if row["state"] in ("open", "parted")]
        self.assertEqual([{row["name_a"], row["name_b"]} & {"pinnacle"} for row in joints], [{"pinnacle"}])
        self.assertEqual([row["a"] in moving for row in joints], [not (row["b"] in moving) for row in joints])
        self.assertGreater(joints[0]["opening"], 5e-4)


class Stones(ProgramTest):
    def test_histories_and_joints_of_named_stones(self):
        self.write("s.toml", TWO_STONES)
        self.moreau("run", "s.toml", "--out", "run")
        told = self.measured("run", "bodies", "--body", "left")
        self.assertEqual([row["name"] for row in told], ["left"])
        self.assertLess(abs(told[0]["displacement_y"] + 0.01), 2e-5)  # the contact distance
        joints = self.measured("run", "joint-summary", "--opening", "1e-5")[0]
        self.assertEqual((joints["joints"], joints["whole"]), (1, 1))
        self.assertIn("is 'lef'; did you mean 'left'?", self.refusal("measure", "run", "bodies", "--body", "lef"))
        self.assertIn("4 numbers", self.refusal("measure", "run", "flow", "--plane", "1,2"))
        self.moreau("draw", "run", "--colour", "joints", "--zoom", "2", "--look-at", "0", "0.5", "--width", "300")
        self.assertIn("zoom", self.refusal("draw", "run", "--zoom", "0"))

    def test_joints_are_told_by_the_names_of_their_stones(self):
        self.write("s.toml", scene("""
[[wall]]
name = "ground"
plane = { normal = [0, 1] }
[[arch]]
name = "gate"
radius = 1
thickness = 0.3
stones = 5
centre = [0, 0.5]
[[block]]
name = "load"
size = [0.2, 0.1]
position = [3, 0.05]
"""))
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.002")
        pairs = {frozenset((row["name_a"], row["name_b"])) for row in self.measured("run", "joints")}
        self.assertLessEqual({frozenset(p) for p in (("gate 1", "gate 2"), ("gate 2", "gate.key"), ("gate.key", "gate 4"), ("load", "ground"))}, pairs)
        # What is told is accepted.
        forces = [self.measured("run", "bodies", "--body", body) for body in ("gate.key", "gate 3")]
        numbers = [[{name: value for name, value in row.items() if isinstance(value, (int, float))} for row in rows] for rows in forces]
        self.assertEqual(*numbers)
        self.assertIn("gate 99", self.refusal("measure", "run", "bodies", "--body", "gate 99"))
        self.json_of("statics", "run", "--load", "force:gate 3:0,-1", "--json")
        said = self.refusal("statics", "run", "--load", "force:gate:0,-1")
        self.assertRegex(said, r"'gate' is \d+ bodies, and one is needed: 'gate 1' to 'gate \d+', by their numbers \d+ to \d+;")
        self.write("b.toml", self.path("s.toml").read_text() + '[[measure]]\nquantity = "bodies"\nbodies = ["gate 3"]\nevery = 0.001\n')
        self.moreau("run", "b.toml", "--out", "b", "--until", "0.002")
        self.assertEqual({row["name"] for row in self.table("b", "measures/bodies")}, {"gate 3"})

    def test_spectrum_of_a_sudden_acceleration_is_twice_it(self):
        self.write("s.toml", TWO_STONES.replace('kind = "velocity"\nvelocity = [0, -0.1]', 'kind = "accelerogram"\ndirection = [1, 0]\n'
                                                'record = { times = [0, 50], accelerations = [2, 2] }'))
        self.moreau("spectrum", "s.toml", "--damping", "0", "--csv", "s.csv", "--points", "10")
        rows = self.table(".", "s")
        self.assertEqual(len(rows), 10)
        for row in rows:
            self.assertLess(abs(float(row["acceleration"]) - 4.0), 0.01)
        # What is drawn has the units of the scene; without names, the letters of all pictures.
        self.assertRegex(self.moreau("spectrum", "s.toml", "--damping", "0"), r"at most 4(\.\d+)? L/T², at a period of [\d.]+ T\n")
        self.write("u.toml", 'units = { length = "cm", time = "s" }\n' + self.path("s.toml").read_text())
        self.assertRegex(self.moreau("spectrum", "u.toml", "--damping", "0"), r"at most 4(\.\d+)? cm/s², at a period of [\d.]+ s\n")
        self.assertNotEqual(self.path("s-spectrum.png").read_bytes(), self.path("u-spectrum.png").read_bytes())
        self.write("t.toml", TWO_STONES)
        self.assertIn("no motion of kind accelerogram", self.refusal("spectrum", "t.toml"))
        # A record of 50 is not followed in pieces of 1e-9, nor are periods of a million records looked for.
        self.assertIn("lasts 50; accepted: at least 5e-05", self.refusal("spectrum", "s.toml", "--shortest", "1e-9"))
        self.assertIn("lasts 50; accepted: at most 5e+07", self.refusal("spectrum", "s.toml", "--longest", "1e9"))


HANGING = """
[solver]
tolerance = 1e-6
[[block]]
size = {size}
position = {above}
fixed = true
[[block]]
size = {size}
position = {below}
[[measure]]
quantity = "broken-joints"
every = 0.01
"""


class Mortar(ProgramTest):
    """A block of 1000 kg/m^3, half a metre high, hangs by its upper face: the joint bears 5000 N per m^2."""

    def hangs(self, dimension, tension):
        plan = [0.8] if dimension == 2 else [0.8, 0.3]
        up = [0.0] * (dimension - 1)
        self.write("s.toml", scene(HANGING.format(size=plan + [0.5], above=up + [0.25], below=up + [-0.25]), dimension=dimension, duration=0.05,
                                   law=f'joint = {{ cohesion = {10 * tension}, tension = {tension}, per = "area" }}'))
        run = f"run{dimension}-{tension}"
        self.moreau("run", "s.toml", "--out", run)
        return run

    def test_strength_is_stress_times_area(self):
        for dimension in (2, 3):
            with self.subTest(dimension):
                run = self.hangs(dimension, 5050.0)
                joint = self.measured(run, "joints")[0]
                self.assertEqual((joint["mortar"], joint["broken_points"]), ("intact", 0))
                run = self.hangs(dimension, 4950.0)
                broken = self.measured(run, "broken-joints")
                self.assertEqual({row["how"] for row in broken}, {"opened"})
                self.assertAlmostEqual(broken[0]["broken_at"], 1e-3, delta=1e-9)
                self.assertEqual(len(broken), 2 if dimension == 2 else 4)
                with h5py.File(self.path(run) / "trajectory.h5") as trajectory:
                    self.assertEqual(len(trajectory["frame_000001/broken_joints/time"]), len(broken))


# Mortar between all stones, and between piers and ground: forces are indeterminate, and some joints are at their strength long before the arch fails.
PUSHED_ARCH = """\
dimension = 2
gravity = 9.81
time = { step = 1e-3, duration = 0.18 }
output = { frames = 1, series = 0.01 }
material = { density = 2200 }
law = { friction = 0.7, joint = { cohesion = 2e5, tension = 1e5, per = "area" } }
[[motion]]
name = "quake"
kind = "accelerogram"
record = { times = [0, 0.3], accelerations = [5, 7.1] }
scale = 1
direction = [1, 0]
baseline = "none"
[[block]]
name = "ground"
size = [20, 0.5]
position = [0, -0.25]
motion = "quake"
[nave]
span = 4
thickness = 0.5
stones = 11
wall = 1.2
height = 3
courses = 6
footings = false
"""


class PushedArch(ProgramTest):
    """An arch on piers whose ground accelerates more and more."""

    def test_breaks_where_the_linear_program_says_whatever_the_tolerance(self):
        self.write("s.toml", PUSHED_ARCH)
        self.moreau("run", "s.toml", "--set", "motion.scale=0", "--out", "rest", "--until", "0.002")
        bound = abs(self.json_of("statics", "rest", "--load", "acceleration:1,0", "--json")["supported"][0])
        self.assertAlmostEqual(bound, 6.132, delta=1e-3)
        for name, step, more in (("default", 1e-3, []), ("tight", 1e-3, ["solver.tolerance=1e-6"]), ("sweeps", 1e-3, ["solver.finish=false", "solver.tolerance=1e-6"]),
                                 ("half", 5e-4, ["time.step=5e-4"])):
            with self.subTest(name):
                self.moreau("run", "s.toml", "--out", name, *(word for key in more for word in ("--set", key)))
                broken = self.measured(name, "broken-joints")
                first = min(row["broken_at"] for row in broken)
                self.assertGreater(first, (bound - 5) / 7)
                self.assertLess(first, (bound - 5) / 7 + 2.5 * step)  # the step that holds it, and until the motion is told from errors
                self.assertGreaterEqual(sum(row["broken_at"] == first for row in broken), 4)  # hinges of a mechanism


class Bonds(ProgramTest):
    def test_flemish_wall_fills_its_volume(self):
        """Stretchers of 0.25 x 0.12, headers 0.12 wide through both leaves; a header over the middle of each stretcher."""
        wall = """
[[wall]]
plane = { normal = [0, 0, 1] }
[[brickwork]]
brick = [0.25, 0.12, 0.07]
length = 2.22
courses = 6
"""
        mass = {}
        for bond in ("flemish", "english"):
            self.write(f"{bond}.toml", scene(f'{wall}bond = "{bond}"\n', dimension=3, duration=1e-2, density=1))
            self.moreau("run", f"{bond}.toml", "--out", bond, "--until", "1e-3")
            with h5py.File(self.path(bond) / "trajectory.h5") as trajectory:
                frame = trajectory["frame_000000"]
                mass[bond] = frame["bodies/mass"][:].sum()
                if bond == "flemish":
                    place = frame["bodies/position"][:]
        volume = 2.22 * 0.24 * 0.42
        for bond in mass:
            self.assertAlmostEqual(mass[bond], volume, delta=1e-12)
        course = abs(place[:, 2] - 0.035) < 1e-9
        header = course & (abs(place[:, 1] - 0.12) < 1e-9)
        self.assertEqual((header.sum(), (course & ~header).sum()), (6, 12))
        above = (abs(place[:, 2] - 0.105) < 1e-9) & (abs(place[:, 1] - 0.12) < 1e-9)
        stretchers = sorted({round(x, 6) for x in place[course & ~header][:, 0]})
        self.assertTrue(all(any(abs(x - s) < 1e-6 for s in stretchers) for x in place[above][1:-1, 0]))


if __name__ == "__main__":
    unittest.main()
