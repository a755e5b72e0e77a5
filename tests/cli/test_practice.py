"""Measures of processes and masonry through the program, against the accounts that the run keeps by itself."""
import csv
import json
import math
import unittest

import h5py

from program import ProgramTest

BELT = """dimension = 2
gravity = 9.81
[time]
step = 1e-3
duration = 0.2
[material]
density = 1000
[law]
friction = 0.5
[[motion]]
name = "belt"
kind = "velocity"
velocity = [1, 0]
[[wall]]
name = "conveyor"
plane = { normal = [0, 1] }
surface = "belt"
[[grain]]
position = [0, 0.05]
radius = 0.05
[[grain]]
position = [0.3, 0.05]
radius = 0.05
[[sink]]
name = "end"
beyond = { point = [0.32, 0], direction = [1, 0] }
[[measure]]
quantity = "wall-drive"
every = 1e-3
[[measure]]
quantity = "exits"
since = "last"
every = 1e-3
[[measure]]
quantity = "flow"
plane = { point = [0.01, 0], normal = [1, 0] }
every = 0.1
"""

TWO_STONES = """dimension = 2
gravity = 9.81
[time]
step = 1e-3
duration = 0.1
[output]
frames = 0.05
[material]
density = 1000
[law]
friction = 0.5
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
"""


# Four metres high, one wide: it lifts off where the ground accelerates by more than g / 4.
COLUMN = """dimension = 2
gravity = [{gravity}, -9.81]
[time]
step = 1e-3
duration = 0.3
[material]
density = 2000
[law]
friction = 0.7
[[motion]]
name = "quake"
kind = "accelerogram"
record = {{ times = [0, 1], accelerations = [1, 1] }}
scale = {scale}
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


class SafetyFactors(ProgramTest):
    """The same load multiplier by a linear program, by one step from rest, and by dynamics."""

    bound = 9.81 / 4

    def test_linear_program(self):
        self.write("s.toml", COLUMN.format(gravity=0, scale=0))
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.01")
        self.assertIn(f"-{self.bound:.4f} to {self.bound:.4f}", self.moreau("statics", "run", "--load", "acceleration:1,0"))

    def test_one_step(self):
        for factor, stands in ((0.99, True), (1.01, False)):
            self.write("s.toml", COLUMN.format(gravity=factor * self.bound, scale=0))
            process = self.start("equilibrium", "s.toml", "--tolerance", "1e-4", "--json")
            self.assertEqual(json.loads(process.communicate(timeout=60)[0])["possible"], stands, factor)

    def test_dynamics(self):
        for factor, stands in ((0.99, True), (1.03, False)):
            self.write("s.toml", COLUMN.format(gravity=0, scale=factor * self.bound))
            self.moreau("run", "s.toml", "--out", f"run{factor}")
            told = json.loads(self.moreau("measure", f"run{factor}", "joint-summary", "--opening", "1e-4", "--json", "-"))["joint-summary"][0]
            self.assertEqual(told["open"] + told["parted"] == 0, stands, told)


class Practice(ProgramTest):
    def rows(self, run, name):
        with open(self.path(run) / "measures" / f"{name}.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_power_of_a_belt_is_the_work_in_the_ledger(self):
        self.write("s.toml", BELT)
        self.moreau("run", "s.toml", "--out", "run")
        with open(self.path("run") / "series.csv", newline="") as file:
            work = float(list(csv.DictReader(file))[-1]["wall_work"])
        power = sum(float(row["power"]) for row in self.rows("run", "wall-drive")) * 1e-3
        self.assertGreater(work, 0.1)
        self.assertLess(abs(power - work), 1e-9 * work)

    def test_what_leaves_through_a_sink_is_listed_once_and_counted(self):
        self.write("s.toml", BELT)
        self.moreau("run", "s.toml", "--out", "run")
        exits = self.rows("run", "exits")
        self.assertEqual([(row["body"], row["sink"]) for row in exits], [("1", "end")])
        # It slides, with the acceleration mu g, until its lowest point has the speed of the belt (a disc: after 1 / (3 mu g)), then rolls at 1/3.
        sliding = 1 / (3 * 0.5 * 9.81)
        expected = sliding + 3 * (0.02 - 0.5 * 0.5 * 9.81 * sliding**2)
        self.assertLess(abs(float(exits[0]["residence"]) - expected), 2e-3)
        flow = [row for row in self.rows("run", "flow") if abs(float(row["time"]) - 0.2) < 1e-9]
        found = {row["through"]: (int(row["forward"]), int(row["backward"])) for row in flow}
        self.assertEqual(found, {"plane": (1, 0), "end": (1, 0)})
        mass = 1000 * math.pi * 0.05**2
        self.assertLess(abs(float(flow[0]["mass_rate"]) - mass / 0.2), 1e-6 * mass)

    def test_histories_and_joints_of_named_stones(self):
        self.write("s.toml", TWO_STONES)
        self.moreau("run", "s.toml", "--out", "run")
        told = json.loads(self.moreau("measure", "run", "bodies", "--body", "left", "--json", "-"))["bodies"]
        self.assertEqual([row["name"] for row in told], ["left"])
        self.assertLess(abs(told[0]["displacement_y"] + 0.01), 2e-5)  # the contact distance
        joints = json.loads(self.moreau("measure", "run", "joint-summary", "--opening", "1e-5", "--json", "-"))["joint-summary"][0]
        self.assertEqual((joints["joints"], joints["whole"]), (1, 1))
        self.assertIn("is 'lef'; did you mean 'left'?", self.refusal("measure", "run", "bodies", "--body", "lef"))
        self.assertIn("4 numbers", self.refusal("measure", "run", "flow", "--plane", "1,2"))
        self.moreau("draw", "run", "--colour", "joints", "--zoom", "2", "--look-at", "0", "0.5", "--width", "300")
        self.assertIn("zoom", self.refusal("draw", "run", "--zoom", "0"))

    def test_spectrum_of_a_sudden_acceleration_is_twice_it(self):
        self.write("s.toml", TWO_STONES.replace('kind = "velocity"\nvelocity = [0, -0.1]', 'kind = "accelerogram"\ndirection = [1, 0]\n'
                                                'record = { times = [0, 50], accelerations = [2, 2] }'))
        self.moreau("spectrum", "s.toml", "--damping", "0", "--csv", "s.csv", "--points", "10")
        with open(self.path("s.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 10)
        for row in rows:
            self.assertLess(abs(float(row["acceleration"]) - 4.0), 0.01)
        self.write("t.toml", TWO_STONES)
        self.assertIn("no motion of kind accelerogram", self.refusal("spectrum", "t.toml"))


BALLS = """dimension = 3
gravity = 9.81
[time]
step = 1e-3
duration = 0.03
[output]
frames = 0.01
{output}
[material]
density = 1000
[law]
friction = 0.5
[[wall]]
plane = {{ normal = [0, 0, 1] }}
[[grains]]
count = 60
diameter = {{ uniform = [0.08, 0.1] }}
region = {{ box = [[0, 0, 0], [0.5, 0.5, 0.5]] }}
"""


class Frames(ProgramTest):
    def test_constants_are_in_one_file_and_seen_through_links(self):
        self.write("s.toml", BALLS.format(output=""))
        self.moreau("run", "s.toml", "--out", "run")
        files = sorted(f.name for f in (self.path("run") / "frames").iterdir())
        self.assertEqual(files, ["constants_000000.h5"] + [f"frame_{k:06}.h5" for k in range(4)])
        with h5py.File(self.path("run") / "trajectory.h5") as trajectory:
            frame = trajectory["frame_000003"]
            self.assertEqual(frame["bodies/radius"].shape, (60,))
            self.assertEqual(frame["bodies/position"].shape, (60, 3))

    def test_reduced_frames_are_smaller_and_nearly_the_same(self):
        for name, output in (("full", ""), ("reduced", 'precision = "reduced"')):
            self.write(f"{name}.toml", BALLS.format(output=output))
            self.moreau("run", f"{name}.toml", "--out", name)
        full, reduced = (json.loads(self.moreau("measure", run, "weight", "solid-fraction", "--json", "-")) for run in ("full", "reduced"))
        self.assertAlmostEqual(full["weight"][0]["weight"], reduced["weight"][0]["weight"], delta=1e-8 * full["weight"][0]["weight"])
        self.assertAlmostEqual(full["weight"][0]["ground"], reduced["weight"][0]["ground"], delta=1e-4 * full["weight"][0]["weight"])
        self.assertEqual(self.json_of("info", "full", "--json")["state_hash"], self.json_of("info", "reduced", "--json")["state_hash"])
        for run in ("full", "reduced"):
            self.moreau("draw", run, "--frame", "3", "-o", f"{run}.png")

    def test_chosen_fields(self):
        self.write("s.toml", BALLS.format(output="fields = []"))
        self.moreau("run", "s.toml", "--out", "run")
        self.assertIn("was written without 'contacts'", self.refusal("measure", "run", "stress"))
        self.moreau("measure", "run", "velocities")
        self.moreau("draw", "run", "--frame", "3", "-o", "p.png")
        self.assertNotIn("contacts.pvd", self.moreau("export", "run", "--frames", "3"))
        self.write("s.toml", BALLS.format(output='fields = ["spinn"]'))
        self.assertIn("accepted: any of", self.refusal("check", "s.toml"))


HANGING = """dimension = {dimension}
gravity = 10
[time]
step = 1e-3
duration = 0.05
[solver]
tolerance = 1e-6
[material]
density = 1000
[law]
friction = 0.5
joint = {{ cohesion = {cohesion}, tension = {tension}, per = "area" }}
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
        self.write("s.toml", HANGING.format(dimension=dimension, cohesion=10 * tension, tension=tension, size=plan + [0.5],
                                            above=up + [0.25], below=up + [-0.25]))
        run = f"run{dimension}-{tension}"
        self.moreau("run", "s.toml", "--out", run)
        return run

    def test_strength_is_stress_times_area(self):
        for dimension in (2, 3):
            with self.subTest(dimension):
                run = self.hangs(dimension, 5050.0)
                joint = json.loads(self.moreau("measure", run, "joints", "--json", "-"))["joints"][0]
                self.assertEqual((joint["mortar"], joint["broken_points"]), ("intact", 0))
                run = self.hangs(dimension, 4950.0)
                broken = json.loads(self.moreau("measure", run, "broken-joints", "--json", "-"))["broken-joints"]
                self.assertEqual({row["how"] for row in broken}, {"opened"})
                self.assertAlmostEqual(broken[0]["broken_at"], 1e-3, delta=1e-9)
                self.assertEqual(len(broken), 2 if dimension == 2 else 4)
                with h5py.File(self.path(run) / "trajectory.h5") as trajectory:
                    self.assertEqual(len(trajectory["frame_000001/broken_joints/time"]), len(broken))


SOIL = """dimension = 2
gravity = 10
[time]
step = 2e-4
duration = {duration}
[output]
series = 2e-4
[material]
density = 2000
[law]
friction = 0.8
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

    def history(self, scene):
        self.write("s.toml", scene)
        self.moreau("run", "s.toml", "--out", "run", "--force")
        with open(self.path("run") / "measures" / "bodies.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        return [float(r["time"]) for r in rows], rows

    def test_settlement_and_period(self):
        wall = "[[wall]]\nplane = { normal = [0, 1] }\nsoil = { stiffness = 1e6, mass = 1e-3 }\n"
        times, rows = self.history(SOIL.format(duration=0.6, walls=wall, more=""))
        sunk = [-float(r["displacement_y"]) for r in rows]
        omega = math.sqrt(1e6 / 2000)
        for t, s in zip(times, sunk):  # let go at rest on springs without load
            self.assertAlmostEqual(s, 0.02 * (1 - math.cos(omega * t)), delta=2e-4)

    def test_dashpot_brings_it_to_rest(self):
        wall = "[[wall]]\nplane = { normal = [0, 1] }\nsoil = { stiffness = 1e6, damping = 9e4, mass = 1e-3 }\n"
        _, rows = self.history(SOIL.format(duration=1.0, walls=wall, more=""))
        self.assertAlmostEqual(-float(rows[-1]["displacement_y"]), 0.02, delta=1e-6)

    def test_strips_resist_rocking(self):
        """Ten strips with a ridge: moment over angle is sum k x^2."""
        count, k = 10, 1e6
        walls = "".join(f"[[wall]]\nmesh = {{ points = [[{-1 + 0.2 * i}, -0.02], [{-0.9 + 0.2 * i}, 0], [{-0.8 + 0.2 * i}, -0.02]] }}\n"
                        f"soil = {{ stiffness = {k}, damping = 3e4, mass = 1e-3 }}\n" for i in range(count))
        load = '[[block]]\nname = "load"\nsize = [0.2, 0.2]\nposition = [0.5, 0.6]\nmass = 400\n'
        _, rows = self.history(SOIL.format(duration=1.5, walls=walls, more=load))
        turned, sunk = abs(float(rows[-1]["turned"])), -float(rows[-1]["displacement_y"])
        self.assertAlmostEqual(sunk, (2000 + 400) * 10 / (count * k), delta=0.003 * sunk)
        stiffness = sum(k * (-0.9 + 0.2 * i) ** 2 for i in range(count))
        self.assertAlmostEqual(turned, 400 * 10 * 0.5 / stiffness, delta=0.01 * turned)


SLIDE = """dimension = 3
gravity = [2, 0, -9.81]
[time]
step = 1e-3
duration = 0.4
[material]
density = 1000
[law]
friction = 0.1
[[wall]]
name = "plate"
mesh = "plate.obj"
wear = true
[[block]]
size = [0.2, 0.2, 0.1]
position = [0.2, 0.5, 0.05]
velocity = [1, 0, 0]
"""


class Wear(ProgramTest):
    def test_work_of_friction_is_what_was_dissipated(self):
        n = 8
        vertices = "".join(f"v {i / n} {j / n} 0\n" for i in range(2 * n + 1) for j in range(n + 1))
        at = lambda i, j: i * (n + 1) + j + 1
        faces = "".join(f"f {at(i, j)} {at(i + 1, j)} {at(i + 1, j + 1)}\nf {at(i, j)} {at(i + 1, j + 1)} {at(i, j + 1)}\n"
                        for i in range(2 * n) for j in range(n))
        self.write("plate.obj", vertices + faces)
        self.write("s.toml", SLIDE)
        self.moreau("run", "s.toml", "--out", "run")
        rows = json.loads(self.moreau("measure", "run", "wear", "--json", "-"))["wear"]
        self.assertEqual(len(rows), 4 * n * n)
        with open(self.path("run") / "series.csv", newline="") as file:
            dissipated = float(list(csv.DictReader(file))[-1]["dissipated"])
        self.assertAlmostEqual(sum(row["work"] for row in rows), dissipated, delta=1e-6 * dissipated)
        self.assertTrue(all(abs(row["work"]) < 1e-12 for row in rows if row["middle_y"] < 0.3 or row["middle_y"] > 0.7))
        self.assertGreater(sum(row["work"] > 1e-6 for row in rows), 10)
        self.moreau("draw", "run", "-o", "p.png")
        self.assertIn("walls.pvd", self.moreau("export", "run"))
        self.moreau("run", "s.toml", "--out", "half", "--until", "0.2")
        self.moreau("resume", "half")
        self.assertEqual(self.json_of("info", "run", "--json")["state_hash"], self.json_of("info", "half", "--json")["state_hash"])


class Drawings(ProgramTest):
    scene = """dimension = 2
gravity = 10
[time]
step = 1e-3
duration = 1.0
[material]
density = 1000
[law]
friction = 0.5
[[wall]]
mesh = "{file}"
[[grain]]
radius = 0.1
position = [0.5, 0.3]
"""

    def test_svg_path_is_a_wall(self):
        self.write("floor.svg", '<svg xmlns="http://www.w3.org/2000/svg"><!-- <path d="M 0 -9 h 1"/> -->'
                                '<path style="fill:none" d="m 0,-1 v 1 h 1 V -1"/></svg>')
        self.write("s.toml", self.scene.format(file="floor.svg"))
        self.moreau("run", "s.toml", "--out", "run")
        self.path("floor.svg").unlink()
        with h5py.File(self.path("run") / "trajectory.h5") as trajectory:
            y = trajectory["frame_000001/bodies/position"][0, 1]
        self.assertAlmostEqual(y, 0.1, delta=1e-4)
        self.moreau("resume", "run", "--until", "1.1")

    def test_wrong_drawings_are_refused(self):
        for text, sentence in (("", "has no path"), ('<path d="L 1 1"/>', "does not begin with M"), ('<path d="M 0 0 L 1"/>', "a number is expected"),
                               ('<g transform="scale(2)"><path d="M0 0H1"/></g>', "transform"), ('<path d="M 0 0 X 3"/>', "command 'X'"),
                               ('<path d="M 0 0', "ends within an attribute"), ('<path d="M 0 0 H 1e99"/>', "a number is expected")):
            with self.subTest(text):
                self.write("bad.svg", text)
                self.write("s.toml", self.scene.format(file="bad.svg"))
                self.assertIn(sentence, self.refusal("check", "s.toml"))

    def test_vertices_from_a_table(self):
        self.write("stone.csv", "x,y\n0,0\n1,0\n1,2\n0,2\n")
        scene = "dimension = 2\n[time]\nstep = 1e-3\nduration = 2e-3\n[material]\ndensity = 3\n[law]\nfriction = 0\n[block]\nvertices = {}\n"
        for name, value in (("file", '"stone.csv"'), ("array", "[[0, 0], [1, 0], [1, 2], [0, 2]]")):
            self.write(f"{name}.toml", scene.format(value))
            self.moreau("run", f"{name}.toml", "--out", name)
        self.path("stone.csv").unlink()
        self.assertEqual(self.json_of("info", "file", "--json")["state_hash"], self.json_of("info", "array", "--json")["state_hash"])
        self.write("stone.csv", "0,0\n1,zero\n")
        self.assertIn("stone.csv", self.refusal("check", "file.toml"))


CELL = """dimension = 2
seed = 3
[time]
step = 1e-3
duration = 0.2
[material]
density = 1000
[law]
friction = 0.3
[cell]
min = [0, 0]
max = [1, 1]
{cell}
[[grains]]
count = 120
diameter = {{ uniform = [0.06, 0.09] }}
arrangement = "lattice"
velocities = {{ speed = 0.5 }}
"""


class PeriodicRegions(ProgramTest):
    def test_layers_and_cells_add_up_to_the_whole(self):
        for name, cell in (("sheared", 'rate = { xy = 2, xx = -0.3, yy = -0.3 }'), ("upright", "")):
            with self.subTest(name):
                self.write("s.toml", CELL.format(cell=cell))
                self.moreau("run", "s.toml", "--out", name)
                rows = json.loads(self.moreau("measure", name, "stress", "solid-fraction", "load", "--region", "all", "--region", "layers:0.2", "--json", "-"))
                whole, layers = rows["stress"][0], rows["stress"][1:]
                self.assertGreaterEqual(len(layers), 5)
                volume = sum(row["volume"] for row in layers)
                self.assertAlmostEqual(volume, rows["load"][0]["volume"], delta=1e-9)
                for component in ("stress_xx", "stress_yy", "stress_xy"):
                    self.assertAlmostEqual(sum(row[component] * row["volume"] for row in layers), whole[component] * volume,
                                           delta=1e-9 * abs(whole["stress_yy"]) + 1e-12)
                solid = rows["solid-fraction"]
                self.assertAlmostEqual(sum(row["solid_fraction"] * row["volume"] for row in solid[1:]), solid[0]["solid_fraction"] * volume, delta=2e-3)
                cells = json.loads(self.moreau("measure", name, "voronoi", "--json", "-"))["voronoi"]
                self.assertEqual(len(cells), 120)
                self.assertAlmostEqual(sum(row["cell"] for row in cells), rows["load"][0]["volume"], delta=1e-9)
                mapped = json.loads(self.moreau("measure", name, "velocity-map", "--width", "0.25", "--json", "-"))["velocity-map"]
                self.assertEqual(sum(row["grains"] for row in mapped), 120)
                self.assertTrue(all(0 <= row["cell_y"] <= 1.25 for row in mapped))


WALLED_CELL = """dimension = 2
gravity = 10
[time]
step = 1e-3
duration = 0.5
[material]
density = 1000
[law]
friction = 0.5
[cell]
min = [0, 0]
max = [2, 1]
periodic = ["x"]
rate = {{ xx = {rate} }}
[[wall]]
name = "floor"
plane = {{ normal = [0, 1] }}
[[grain]]
position = [0.5, 0.1]
radius = 0.1
[[grain]]
position = [1.5, 0.1]
radius = 0.1
"""


class CellWithWalls(ProgramTest):
    def test_floor_is_stretched_with_the_cell(self):
        """Discs that stick to a floor which is stretched part as the cell grows: exp(rate t)."""
        self.write("s.toml", WALLED_CELL.format(rate=0.2))
        self.moreau("run", "s.toml", "--out", "run")
        with h5py.File(self.path("run") / "trajectory.h5") as trajectory:
            frame = trajectory["frame_000001"]
            x, y = frame["bodies/position"][:, 0], frame["bodies/position"][:, 1]
            length = frame["cell/vectors"][0, 0]
            sliding = frame["contacts/relative_velocity"][:]
        self.assertAlmostEqual(length, 2 * (1 + 0.5 * 0.2 * 1e-3) ** 1000, delta=1e-9)  # by half steps
        self.assertAlmostEqual(x[1] - x[0], 0.5 * length, delta=1e-6)
        self.assertLess(abs(y - 0.1).max(), 1e-6)
        self.assertLess(abs(sliding).max(), 1e-8)

    def test_what_is_refused(self):
        self.write("s.toml", WALLED_CELL.format(rate=0.2).replace("xx = 0.2", "yy = 0.2"))
        self.assertIn("not periodic (yy)", self.refusal("check", "s.toml"))
        self.write("s.toml", WALLED_CELL.format(rate=0.2).replace("rate = { xx = 0.2 }", "stress = { xx = 1 }"))
        self.assertIn("accepted with walls: rates", self.refusal("check", "s.toml"))


class Inlet(ProgramTest):
    def test_grains_come_through_the_faces_of_a_mesh(self):
        self.write("inlet.csv", "0,1\n1,1\n")
        self.write("s.toml", """dimension = 2
seed = 2
gravity = 10
[time]
step = 1e-3
duration = 0.4
[material]
density = 1000
[law]
friction = 0.5
[[wall]]
plane = { normal = [0, 1] }
[[source]]
rate = 1000
diameter = 0.002
inlet = { mesh = "inlet.csv", position = [3, 0] }
""")
        self.moreau("run", "s.toml", "--out", "run")
        with h5py.File(self.path("run") / "trajectory.h5") as trajectory:
            x = trajectory["frame_000001/bodies/origin"][:, 0]
        self.assertEqual(len(x), 400)
        self.assertTrue(3 <= x.min() < 3.05 and 3.95 < x.max() <= 4)
        self.assertAlmostEqual(x.mean(), 3.5, delta=4 / math.sqrt(12 * 400))
        self.write("s.toml", (self.path("s.toml").read_text()).replace("[[source]]", "[[source]]\nspread = 1"))
        self.assertIn("one of the two ways", self.refusal("check", "s.toml"))


class Bonds(ProgramTest):
    def test_flemish_wall_fills_its_volume(self):
        """Stretchers of 0.25 x 0.12, headers 0.12 wide through both leaves; a header over the middle of each stretcher."""
        scene = """dimension = 3
gravity = 9.81
[time]
step = 1e-3
duration = 1e-2
[material]
density = 1
[law]
friction = 0.6
[[wall]]
plane = {{ normal = [0, 0, 1] }}
[[brickwork]]
bond = "{bond}"
brick = [0.25, 0.12, 0.07]
length = 2.22
courses = 6
"""
        mass = {}
        for bond in ("flemish", "english"):
            self.write(f"{bond}.toml", scene.format(bond=bond))
            self.moreau("run", f"{bond}.toml", "--out", bond, "--until", "1e-3")
            with h5py.File(self.path(bond) / "trajectory.h5") as trajectory:
                frame = trajectory["frame_000000"]
                mass[bond] = frame["bodies/mass"][:].sum()
                if bond == "flemish":
                    place, shape = frame["bodies/position"][:], frame["bodies/shape"][:]
                    vertices, first = frame["shapes/vertex"][:], frame["shapes/first_vertex"][:]
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
