"""moreau run --dump-problem: a step of a run as an FCLIB file; whoever solves it finds what the run found."""
import h5py
import numpy

from program import BALLS, ProgramTest, poured

EXACT = "[solver]\ntolerance = 1e-10\nunbalanced_tolerance = 1e-8\nmax_sweeps = 20000\n"

# A wall of bricks on a floor that is shaken, restitution included: blocks, moving wall, impacts.
BRICKS = """\
dimension = 2
gravity = 9.81
[time]
step = 1e-3
duration = 0.05
[material]
density = 1800
[law]
friction = 0.5
restitution = 0.3
[[motion]]
name = "shake"
kind = "sinusoid"
amplitude = 0.01
direction = [1, 0]
frequency = 8
[[wall]]
plane = { normal = [0, 1] }
motion = "shake"
[[brickwork]]
brick = [0.4, 0.2]
length = 1.6
courses = 4
"""

# Cubes dropped on one another, one of them turned.
CUBES = """\
dimension = 3
gravity = 9.81
[time]
step = 1e-3
duration = 0.1
[material]
density = 1000
[law]
friction = 0.4
restitution = 0.2
[[wall]]
plane = { normal = [0, 0, 1] }
[[block]]
size = [0.2, 0.2, 0.2]
position = [0, 0, 0.1]
[[block]]
size = [0.2, 0.2, 0.2]
position = [0.05, 0.03, 0.305]
velocity = [0.3, 0, -0.5]
[[block]]
size = [0.3, 0.2, 0.1]
position = [0.05, 0, 0.46]
velocity = [0, 0.2, -0.5]
"""


def exact(scene):
    return scene.replace("[time]", EXACT + "[time]", 1)


class Dump(ProgramTest):
    def body_velocities(self, frame):
        free = frame["bodies/kind"][:] == 0
        v, s = frame["bodies/velocity"][:][free], frame["bodies/spin"][:][free]
        return numpy.hstack([v, s.reshape(len(v), -1)]).ravel()

    def check(self, scene, step, until, least_contacts):
        """Steps `step`, the last of the run: solved again from the file, bodies move as in the run's last frame."""
        self.write("s.toml", exact(scene))
        self.moreau("run", "s.toml", "--out", "g", "--until", until, "--dump-problem", step, "--dump-form", "global", "--threads", 1)
        self.moreau("run", "s.toml", "--out", "l", "--until", until, "--dump-problem", step, "--threads", 1)
        name = f"problem_{step:06}.hdf5"
        said = self.json_of("solve", f"g/{name}", "--tolerance", "1e-10", "--json", "--output", "global.hdf5")
        self.assertTrue(said["converged"])
        self.assertGreaterEqual(said["contacts"], least_contacts)
        self.assertGreater(said["stick"] + said["slide"], 0)
        with h5py.File(self.path("global.hdf5")) as f, h5py.File(self.path(f"g/{name}")) as given:
            scale = abs(f["solution/v"][:]).max()
            numpy.testing.assert_allclose(f["solution/v"][:], given["solution/v"][:], atol=1e-7 * scale)
            v = f["solution/v"][:]
        with h5py.File(self.path("g/checkpoint.h5")) as checkpoint:
            names = []
            checkpoint.visit(names.append)
            velocity = next(n for n in names if n.endswith("velocity") and "bod" in n)
            spin = velocity[: -len("velocity")] + "spin"
            after = numpy.hstack([checkpoint[velocity][:], checkpoint[spin][:].reshape(len(checkpoint[velocity]), -1)])
        with h5py.File(self.path(f"g/{name}")) as given:
            numpy.testing.assert_allclose(v, after[given["moreau/free_bodies"][:]].ravel(), atol=1e-7 * scale)
        self.json_of("solve", f"l/{name}", "--tolerance", "1e-10", "--json", "--output", "local.hdf5")
        with h5py.File(self.path("local.hdf5")) as f, h5py.File(self.path(f"l/{name}")) as given, h5py.File(self.path("global.hdf5")) as g:
            numpy.testing.assert_allclose(f["solution/u"][:], given["solution/u"][:], atol=1e-7 * scale)
            numpy.testing.assert_allclose(f["solution/u"][:], g["solution/u"][:], atol=1e-7 * scale)
            self.assertEqual(given["moreau/bodies"].shape, (said["contacts"], 2))

    def test_small_packing_on_a_shaken_floor(self):
        self.check(poured(), 290, 0.29, 15)

    def test_balls_in_space(self):
        self.check(BALLS.replace("duration = 0.1", "duration = 0.4"), 350, 0.35, 15)

    def test_bricks_on_a_shaken_floor(self):
        self.check(BRICKS, 20, 0.02, 30)

    def test_packing_whose_gravity_is_tilted(self):
        self.check(poured() + "[tilt]\nfrom = 0.3\nto = 1.2\nrate = 2\n", 290, 0.29, 15)

    def test_cubes_in_space(self):
        self.check(CUBES, 10, 0.01, 8)  # while the velocities are unique: sliding cubes have several solutions

    def test_first_step_and_several_steps(self):
        self.write("s.toml", BALLS)
        self.moreau("run", "s.toml", "--out", "r", "--until", 0.03, "--dump-problem", 1, "--dump-problem", 30)
        self.assertEqual(sorted(p.name for p in self.path("r").glob("problem*")), ["problem_000001.hdf5", "problem_000030.hdf5"])
        self.moreau("resume", "r", "--until", 0.05, "--dump-problem", 40)
        self.assertTrue(self.path("r/problem_000040.hdf5").exists())
        self.moreau("run", "s.toml", "--out", "r", "--force", "--until", 0.01)
        self.assertEqual(list(self.path("r").glob("problem*")), [])

    def test_dumping_does_not_change_the_run(self):
        self.write("s.toml", poured(0.1))
        self.moreau("run", "s.toml", "--out", "one")
        self.moreau("run", "s.toml", "--out", "two", "--dump-problem", 50)
        self.assert_same_run("one", "two")

    def test_warm_start_of_a_step_needs_fewer_sweeps(self):
        self.write("s.toml", exact(BALLS.replace("duration = 0.1", "duration = 0.6")))
        self.moreau("run", "s.toml", "--out", "r", "--dump-problem", 600, "--threads", 1, "--set", 'contact.rule="midpoint"')
        cold, warm = (self.json_of("solve", "r/problem_000600.hdf5", "--solver", "gauss-seidel", "--tolerance", "1e-6", "--json", *flag)
                      for flag in ((), ("--warm",)))
        self.assertLess(warm["iterations"], cold["iterations"])


class DumpMistakes(ProgramTest):
    def test_step_that_is_not_made(self):
        self.write("s.toml", BALLS)
        self.assertIn("--dump-problem 101: this run makes the steps 1 to 100", self.refusal("run", "s.toml", "--dump-problem", 101))
        self.assertIn("--dump-problem 0", self.refusal("run", "s.toml", "--dump-problem", 0))
        self.assertFalse(self.path("s-run").exists())

    def test_laws_that_the_form_does_not_hold(self):
        self.write("s.toml", BALLS.replace("friction = 0.3", "friction = 0.3\ncohesion = 0.1"))
        self.assertIn("a contact law beyond Coulomb's cone", self.refusal("run", "s.toml", "--dump-problem", 1))

    def test_no_guess_to_start_from(self):
        self.write("s.toml", BALLS)
        self.moreau("run", "s.toml", "--out", "r", "--dump-problem", 90)
        with h5py.File(self.path("r/problem_000090.hdf5"), "r+") as f:
            del f["guesses"]
        self.assertIn("guesses/1/r", self.refusal("solve", "r/problem_000090.hdf5", "--warm"))
