"""What the tests of the program share: starting moreau as a user does, small scenes, comparing the folders of two runs."""
import csv
import ctypes
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

MOREAU = os.environ.get("MOREAU", "moreau")
SANITIZED = "ASAN_OPTIONS" in os.environ  # ./check address: a sanitizer reserves terabytes of addresses, which cannot be limited then
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

# Two sizes of discs poured into a box whose piston shakes the floor: sources, a moving wall, friction, restitution, several frames.
POURED = """\
title = "poured"
dimension = 2
seed = 3
gravity = 9.81
[time]
step = 1e-3
duration = {duration}
[output]
frames = 0.05
checkpoint = {checkpoint}
[material]
density = 1000
[law]
friction = 0.4
restitution = 0.1
[[motion]]
name = "shake"
kind = "sinusoid"
amplitude = 0.01
direction = [0, 1]
frequency = 5
[[wall]]
name = "tray"
box = {{ min = [0, 0], max = [1, 2], open = ["top"] }}
motion = "shake"
[[grains]]
count = 40
diameter = {{ bidisperse = [0.06, 0.09] }}
region = {{ box = [[0, 0.05], [1, 0.8]] }}
[[source]]
rate = 60
diameter = {{ uniform = [0.05, 0.08] }}
centre = [0.3, 0]
spread = 0.2
[[source]]
rate = 20
start = 0.1
radius = 0.04
centre = [0.75, 0]
"""

# The same in space, smaller.
BALLS = """\
title = "balls"
dimension = 3
gravity = 9.81
[time]
step = 1e-3
duration = 0.1
[output]
frames = 0.05
[material]
density = 1000
[law]
friction = 0.3
[wall]
plane = { normal = [0, 0, 1] }
[grains]
count = 20
diameter = 0.1
region = { box = [[-0.3, -0.3, 0], [0.3, 0.3, 0.5]] }
"""

# Alart's ball: a disc pushed by a wall against the friction of the floor and of the wall. Above friction 1 there is no solution.
#        |
#     O <|  V          mu = 1.5
#   ------
ALART = """\
dimension = 2
gravity = 9.81
[contact]
rule = "midpoint"

[time]
step = 1e-2
duration = 0.1
[solver]
max_sweeps = 200
on_limit = "{on_limit}"
[material]
density = 1
[law]
friction = 1.5
[[motion]]
name = "push"
kind = "velocity"
velocity = [-1, 0]
[[wall]]
plane = {{ normal = [0, 1] }}
[[wall]]
plane = {{ point = [0.5, 0], normal = [-1, 0] }}
motion = "push"
[grain]
position = [0, 0.5]
radius = 0.5
"""


def scene(things, *, dimension=2, seed=1, gravity=10, step=1e-3, duration=0.1, density=1000, friction=0.5, law="", output=""):
    """A scene of these things under the head that most small scenes share; without a duration where phases have one."""
    lasts = "" if duration is None else f"duration = {duration}"
    return f"""dimension = {dimension}
seed = {seed}
gravity = {gravity}
[time]
step = {step}
{lasts}
[output]
{output}
[material]
density = {density}
[law]
friction = {friction}
{law}
{things.lstrip()}"""


def tray(width=1, height=2):
    """Walls of a box without a lid."""
    return f"""[wall]
name = "tray"
box = {{ min = [0, 0], max = [{width}, {height}], open = ["top"] }}
"""


def lattice_of_discs(count, jitter=0.1):
    return f"""[grains]
count = {count}
arrangement = "lattice"
diameter = {{ uniform = [0.04, 0.06] }}
jitter = {jitter}
"""


def poured(duration=0.3, checkpoint=30):
    return POURED.format(duration=duration, checkpoint=checkpoint)


# Discs mixed, pressed by two pairs of walls and shaken, phase by phase, some of them ended by a condition.
PHASES = """\
title = "phases"
dimension = 2
seed = 5
[time]
step = 1e-2
[output]
checkpoint = 0.05
[material]
density = 1
[law]
friction = 0
restitution = 1
[[motion]]
name = "shake"
kind = "rest"
[[wall]]
name = "box"
box = { min = [-4, -4], max = [4, 4] }
[[wall]]
name = "belt"
plane = { point = [0, -3.9], normal = [0, 1] }
motion = "shake"
[[grains]]
count = 40
diameter = { uniform = [0.5, 1.0] }
region = { box = [[-4, -3.8], [4, 4]] }
random_speed = 1
[[piston]]
name = "across"
walls = ["box.left", "box.right"]
velocity = 0
[[piston]]
name = "upright"
walls = ["box.top"]
velocity = 0
[[phase]]
name = "mix"
end = { travelled = 0.5 }
[[phase]]
name = "press"
duration = 3
law = { friction = 0.2, restitution = 0 }
output = { frames = 1 }
piston = [{ name = "across", stress = 1 }, { name = "upright", force = 4 }]
[[phase]]
name = "shear"
step = 5e-3
radii = 0.99
motion = { name = "shake", kind = "sinusoid", amplitude = [0.2, 0], frequency = 2 }
piston = { name = "upright", velocity = 0.1 }
end = { strain = 0.01, piston = "upright" }
"""

# Discs in a periodic cell, pressed from all sides and sheared.
CELL = """\
title = "cell"
dimension = 2
seed = 5
[time]
step = 1e-2
duration = 4
[output]
frames = 1
checkpoint = 0.05
[material]
density = 1
[law]
friction = 0.3
[cell]
min = [0, 0]
max = [8, 8]
stress = { xx = 1, yy = 1 }
rate = { xy = 0.3 }
[[grains]]
count = 50
diameter = { uniform = [0.5, 1.0] }
random_speed = 1
"""


def die_with_parent():
    """For a process about to start: it must not outlive tests that are killed."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class ProgramTest(unittest.TestCase):
    """Each test has a folder of its own, in which the program is started."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="moreau-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def path(self, name):
        return self.folder / name

    def write(self, name, text):
        self.path(name).write_text(text)
        return name

    def start(self, *arguments, **options):
        return self.start_command([MOREAU, *arguments], **options)

    def start_command(self, command, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": self.folder, **options}
        process = subprocess.Popen([*map(str, command)], **options)
        self.addCleanup(self.stop, process)
        return process

    @staticmethod
    def stop(process):
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()

    def moreau(self, *arguments, status=0, **options):
        """Standard output of a command that ends with this status."""
        process = self.start(*arguments, **options)
        output, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, status, f"moreau {' '.join(map(str, arguments))}\n{output}\n{errors}")
        if status == 0:
            self.assertEqual(errors, "")
        return output

    def refusal(self, *arguments, status=1, **options):
        """The one sentence on standard error of a command that must fail, having said nothing else."""
        process = self.start(*arguments, **options)
        output, errors = process.communicate(timeout=120)
        said = f"moreau {' '.join(map(str, arguments))}\n{output}\n{errors}"
        self.assertEqual(process.returncode, status, said)
        self.assertTrue(errors.startswith("moreau: ") and errors.endswith("\n") and errors.count("\n") == 1, said)
        return errors[len("moreau: "):-1]

    def json_of(self, *arguments, **options):
        return json.loads(self.moreau(*arguments, **options))

    def measured(self, run, quantity, *options):
        """Rows of a quantity, as `measure` tells them."""
        return self.json_of("measure", run, quantity, *options, "--json", "-")[quantity]

    def table(self, run, name):
        """Rows of a CSV file in the folder of a run."""
        with open(self.path(run) / f"{name}.csv", newline="") as file:
            return list(csv.DictReader(file))

    def state_hash(self, run):
        return self.json_of("info", run, "--json")["state_hash"]

    def wait_for_rows(self, process, run, rows, seconds=60):
        """Until the run has computed so many steps, or has ended."""
        series = self.path(run) / "series.csv"
        limit = time.monotonic() + seconds
        while process.poll() is None and time.monotonic() < limit:
            if series.exists() and series.read_bytes().count(b"\n") > rows:
                return
            time.sleep(0.001)

    def start_until(self, rows, *arguments, run="run", **options):
        """A run in the middle of its work."""
        process = self.start(*arguments, **options)
        self.wait_for_rows(process, run, rows)
        return process

    def kill(self, process):
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)

    def series(self, run):
        """Rows of the series without the columns of seconds, which no two executions share."""
        with open(self.path(run) / "series.csv", newline="") as file:
            rows = list(csv.reader(file))
        kept = [i for i, name in enumerate(rows[0]) if not name.endswith("_seconds")]
        self.assertTrue(all(len(row) == len(rows[0]) for row in rows))
        return [[row[i] for i in kept] for row in rows]

    def files(self, run):
        """Name and content of all that must not depend on how often the run was interrupted."""
        root = self.path(run)
        names = [root / "scene.toml", root / "trajectory.h5", *root.glob("*.pvd"), *(root / "frames").iterdir()]
        return {str(name.relative_to(root)): name.read_bytes() for name in names}

    def everything(self, run):
        """Name, content and time of all files: to see that nothing was touched."""
        return {str(f): (f.read_bytes(), f.stat().st_mtime_ns) for f in self.path(run).rglob("*") if f.is_file()}

    def assert_same_run(self, one, two):
        self.assertEqual(self.state_hash(one), self.state_hash(two))
        self.assertEqual(self.series(one), self.series(two))
        first, second = self.files(one), self.files(two)
        self.assertEqual(sorted(first), sorted(second))
        for name in first:
            self.assertTrue(first[name] == second[name], f"{name} differs")
        leftovers = [f.name for run in (one, two) for f in self.path(run).rglob("*.tmp")]
        self.assertEqual(leftovers, [])
