"""moreau statics: what a packing bears where it stands, on the command line."""
import csv
import json
import unittest

try:
    import h5py
    import numpy as np
    from scipy.optimize import linprog
except ImportError:
    linprog = None

from pressed import pressed
from program import ProgramTest

# A ball resting on the floor under gravity.
RESTING = """\
dimension = 3
gravity = 9.81
[time]
step = 1e-3
duration = 0.3
[material]
density = 1000
[law]
friction = {friction}
[[wall]]
name = "floor"
plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }}
[[grain]]
radius = 0.1
position = [0, 0, 0.1]
"""


class Statics(ProgramTest):
    def test_a_scene_is_finished_and_its_range_drawn_and_written(self):
        self.write("pressed.toml", pressed(duration=0.05))
        found = self.json_of("statics", "pressed.toml", "--finish", "--load", "piston:upright", "--pivots", "2", "--draw", "f.png",
                             "--forces", "f.csv", "--json")
        self.assertTrue(found["isostatic"])
        self.assertEqual(found["contacts"], 2 * found["bodies"] + 2)
        self.assertEqual([found["normal_forces"][k] for k in ["hyperstatic", "hypostatic"]], [0, 0])
        self.assertLess(found["finish"]["residual"], 1e-11)
        least, most = found["supported"]
        self.assertLess(least, 0)
        self.assertGreater(most, 0)
        self.assertAlmostEqual(found["pivots"][0]["load"], most, places=9)
        self.assertEqual(found["pivots"][0]["opened"], found["opens_above"])
        self.assertGreater((self.folder / "f.png").stat().st_size, 1000)
        with open(self.folder / "f.csv", encoding="utf8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), found["contacts"])
        # At the end of the range the least force vanishes.
        self.assertAlmostEqual(min(float(r["exact"]) + most * float(r["per_unit_of_load"]) for r in rows), 0, places=9)

    def test_pivots_are_told_in_words(self):
        self.write("pressed.toml", 'units = { length = "cm", mass = "g", time = "s" }\n' + pressed(duration=0.05))
        said = self.moreau("statics", "pressed.toml", "--finish", "--load", "piston:upright", "--pivots", "2", "--draw", "f.svg")
        self.assertNotIn("{", said)
        self.assertRegex(said, r"\n  pivot 1 +at [\d.e-]+ of the load the contact of (bodies \d+ and \d+|body \d+ and wall \d+) opens by .*; upright has moved by ")
        picture = (self.folder / "f.svg").read_text()
        self.assertRegex(picture, r"[\d.]+ cm<")
        self.assertIn("[g cm/s²]", picture)

    def test_friction_gives_bounds_instead_of_ranges(self):
        self.write("resting.toml", RESTING.format(friction=0.4))
        self.moreau("run", "resting.toml", "--out", "run", "--threads", "1")
        found = self.json_of("statics", "run", "--load", "acceleration:0,0,-1", "--json")
        self.assertFalse(found["isostatic"])
        self.assertEqual(found["all_components"]["hypostatic"], 3)
        self.assertAlmostEqual(found["supported"][0], -9.81, places=4)  # weightless; upwards without limit
        self.assertIsNone(found["supported"][1])

    def loose(self, *arguments):
        """Numbers of the bodies that no contact of the list touches."""
        found = self.json_of("statics", *arguments, "--forces", "f.csv", "--json")
        with open(self.folder / "f.csv", encoding="utf8") as file:
            carrying = {int(row[end]) for row in csv.DictReader(file) for end in "ab" if int(row[end]) >= 0}
        return sorted(set(range(found["bodies"] + found["loose"])) - carrying)

    def test_a_load_on_a_body_that_nothing_touches_is_borne_by_nothing(self):
        self.write("pressed.toml", pressed(duration=0.05))
        where = ["pressed.toml", "--finish"]
        before = self.json_of("statics", *where, "--load", "piston:upright", "--json")
        loose = self.loose(*where)
        self.assertGreater(len(loose), 0)
        self.assertEqual(len(loose), before["loose"])
        # On one of them, and on all bodies, among which they are.
        for load in (f"force:{loose[0]}:1,0", "acceleration:0,-1"):
            found = self.json_of("statics", *where, "--load", load, "--json")
            self.assertEqual(found["supported"], [0, 0], load)
            self.assertEqual([found[k] for k in ("bodies", "loose", "isostatic")], [before["bodies"], before["loose"], True])
            self.assertIn("the isostatic list does not hold", self.refusal("statics", *where, "--load", load, "--pivots", "2"))
        self.assertIn("supported load     0 to 0", self.moreau("statics", *where, "--load", f"force:{loose[0]}:1,0"))
        self.assertNotIn("per_unit_of_load", self.path("f.csv").read_text())

    def test_one_file_for_two_outputs_is_refused(self):
        self.write("pressed.toml", pressed(duration=0.05))
        said = self.refusal("statics", "pressed.toml", "--finish", "--forces", "f.svg", "--draw", "./f.svg")
        self.assertIn("--forces and --draw name one file, ./f.svg; accepted: a file for each", said)
        self.assertFalse(self.path("f.svg").exists())

    def test_a_run_is_asked_for_another_friction(self):
        self.write("resting.toml", RESTING.format(friction=0.4))
        self.moreau("run", "resting.toml", "--out", "run", "--threads", "1")
        degrees = self.json_of("statics", "run", "--friction", "0.1", "--load", "acceleration:0,0,-1", "--json")
        self.assertEqual(degrees["all_components"]["hypostatic"], 3)
        without = self.json_of("statics", "run", "--friction", "0", "--load", "acceleration:0,0,-1", "--json")
        self.assertNotIn("all_components", without)
        self.assertIn("--friction", self.refusal("statics", "run", "--friction", "-1", status=2))

    def test_blocks_that_hardly_touch_are_said_to(self):
        stones = "".join(f"[[block]]\nsize = [1, 1]\nposition = [0, {0.5 + 1.002 * k}]\n" for k in range(5))
        self.write("open.toml", "dimension = 2\ngravity = 10\ntime = { step = 1e-3, duration = 1 }\nmaterial = { density = 1 }\n"
                   "law = { friction = 0.5 }\n[wall]\nplane = { normal = [0, 1] }\n" + stones)
        said = self.moreau("equilibrium", "open.toml", status=3)
        self.assertIn("between 5 free bodies: joints that are open by more than contact.distance", said)
        self.assertNotIn("contact.distance", self.moreau("equilibrium", "open.toml", "--set", "contact.distance=4e-3"))

    def test_mistakes_are_sentences(self):
        self.write("pressed.toml", pressed(duration=0.05))
        self.write("rough.toml", pressed(friction=0.3, duration=0.05))
        for arguments, words in [
            (["pressed.toml"], "no contact carries a force; run it first, or give --finish"),
            (["rough.toml", "--finish"], "friction between"),
            (["pressed.toml", "--finish", "--load", "piston:upwards"], "the scene has no piston 'upwards'"),
            (["pressed.toml", "--finish", "--load", "wind"], "there is no load 'wind'"),
            (["pressed.toml", "--finish", "--load", "gravity"], "the scene has no gravity"),
            (["pressed.toml", "--finish", "--load", "force:99:1,0"], "there is no body '99'"),
            (["pressed.toml", "--finish", "--load", "acceleration:1"], "2 numbers were expected"),
            (["pressed.toml", "--finish", "--load", "acceleration:1e308,1e308"], "1e+308 is no number that is accepted: at most 1e+30"),
            (["pressed.toml", "--finish", "--load", "cell:xx"], "no component of the cell"),
            (["pressed.toml", "--finish", "--pivots", "3"], "--pivots needs --load"),
            (["nowhere"], "nowhere"),
        ]:
            self.assertIn(words, self.refusal("statics", *arguments), arguments)


# The same discs from the lattice on by the quasi-static engine: its first step jams them, then the stress upright grows.
LOADED = pressed() + """\
[[phase]]
name = "load"
engine = "quasi-static"
step = 0.05
duration = 1.0
piston = { name = "upright", stress = { times = [0, 1], values = [1.0, 1.2] } }
"""


class QuasiStaticEngine(ProgramTest):
    def test_what_rests_bears_no_load_on_loose_bodies_by_any_command(self):
        self.write("loaded.toml", LOADED)
        self.moreau("run", "loaded.toml", "--out", "run", "--until", "0.05")
        self.moreau("statics", "run", "--forces", "f.csv")
        with open(self.folder / "f.csv", encoding="utf8") as file:
            carrying = {int(row[end]) for row in csv.DictReader(file) for end in "ab" if int(row[end]) >= 0}
        loose = min(set(range(64)) - carrying)
        self.assertEqual(self.json_of("statics", "run", "--load", f"force:{loose}:1,0", "--json")["supported"], [0, 0])
        found = self.json_of("elastic", "run", "--stiffness", "1e4", "--friction", "0.3", "--load", f"force:{loose}:1,0", "--json")
        self.assertAlmostEqual(found["static_bound"], 0, places=9)
        self.assertAlmostEqual(found["elastic_up_to"], 0, places=9)

    def test_a_phase_is_carried_and_resumed_with_the_same_bits(self):
        self.write("loaded.toml", LOADED)
        summary = self.json_of("run", "loaded.toml", "--out", "whole", "--threads", "1", "--json")
        self.assertEqual(summary["step"], 20)
        self.assertEqual(summary["run"]["unconverged_steps"], 0)
        self.moreau("run", "loaded.toml", "--until", "0.4", "--out", "part", "--threads", "1")
        self.moreau("resume", "part", "--threads", "1")
        self.assertEqual(self.state_hash("whole"), self.state_hash("part"))
        found = self.json_of("statics", "whole", "--load", "piston:upright", "--json")
        self.assertTrue(found["isostatic"])
        self.assertEqual(found["contacts"], 2 * found["bodies"] + 2)
        self.assertLess(found["imbalance"], 1e-10)

    def test_every_event_is_a_row_of_events_csv_also_after_a_resume(self):
        self.write("loaded.toml", LOADED)
        self.moreau("run", "loaded.toml", "--out", "whole", "--threads", "1")
        self.moreau("run", "loaded.toml", "--until", "0.4", "--out", "part", "--threads", "1")
        self.moreau("resume", "part", "--threads", "1")
        text = (self.folder / "whole" / "events.csv").read_text()
        self.assertEqual(text, (self.folder / "part" / "events.csv").read_text())
        events = list(csv.DictReader(text.splitlines()))
        self.assertGreater(len(events), 1)
        self.assertEqual((events[0]["opened_a"], events[0]["lost"]), ("-1", "0"))  # from the lattice, by programs alone
        self.assertGreater(int(events[0]["programs"]), 0)
        strain = float(events[0]["strain_upright"])
        for event in events[1:]:
            self.assertEqual(event["contacts"], event["freedoms"])
            self.assertLessEqual(int(event["gained_weak"]), int(event["gained"]))
            self.assertTrue(1 <= int(event["lost_weak"]) <= int(event["lost"]))  # the one that opens first has no force
            self.assertGreater(float(event["energy_released"]), 0.0)
            self.assertAlmostEqual(float(event["load_upright"]), 1.0 + 0.2 * float(event["time"]), places=12)
            self.assertGreaterEqual(float(event["strain_upright"]), strain)
            strain = float(event["strain_upright"])

    def test_friction_is_refused_with_the_place(self):
        self.write("rough.toml", LOADED.replace("friction = 0", "friction = 0.3"))
        self.assertIn("has the engine \"quasi-static\", but friction between", self.refusal("check", "rough.toml"))


# What each law bears, by hand: a block or grain at rest (or hanging) under g = 9.81, and how much more acceleration it takes.
FLOOR = "wall = { plane = { normal = [0, 1] } }\nblock = { size = [1, 0.2], position = [0, 0.1] }\n"
FLOOR_3D = "wall = { plane = { normal = [0, 0, 1] } }\nblock = { size = [1, 1, 0.2], position = [0, 0, 0.1] }\n"
SLAB = "[[block]]\nsize = [2, 2, 0.5]\nposition = [0, 0, {z}]\nfixed = true\n"
LAWS = {
    # |T| <= min(mu N, cap) at two points of a block of 200 kg
    "cap": (2, "9.81", "friction = 0.5, friction_cap = 100", FLOOR, "1,0", (-1.0, 1.0)),
    # what holds at rest
    "static": (2, "9.81", "friction = 0.2, static_friction = 0.5, static_speed = 1e-3", FLOOR, "1,0", (-4.905, 4.905)),
    "ellipse along": (3, "9.81", "friction = [0.2, 0.6], friction_direction = [1, 0, 0]", FLOOR_3D, "1,0,0", (-1.962, 1.962)),
    "ellipse across": (3, "9.81", "friction = [0.2, 0.6], friction_direction = [1, 0, 0]", FLOOR_3D, "0,1,0", (-5.886, 5.886)),
    # 1000 kg on 1 m2: shear 5000 + 0.5 * 9810 N at rest, 9707 of it in use
    "joint, shear": (3, "[9.707, 0, -9.81]", 'friction = 0.5, joint = { cohesion = 5e3, tension = 2e3, per = "area" }',
                     SLAB.format(z=-0.25) + "[[block]]\nsize = [1, 1, 0.05]\nposition = [0, 0, 0.025]\nmass = 1000\n", "1,0,0",
                     (-19.612, 0.198)),
    # hanging by 0.2 m2 of 10 kPa: 2000 N bear 200 kg up to an acceleration of 10
    "joint, tension": (3, "9.81", 'friction = 0.6, joint = { cohesion = 3e4, tension = 1e4, per = "area" }',
                       SLAB.format(z=1.25) + "[[block]]\nsize = [0.5, 0.4, 1]\nposition = [0, 0, 0.5]\nmass = 200\n", "0,0,-1",
                       (None, 0.19)),
    # a disc of 10 kg hanging by 100 N; pushed across it would roll off, however little
    "cohesion": (2, "9.81", "friction = 0.5, cohesion = 100",
                 "[[grain]]\nposition = [0, 0]\nradius = 0.1\nfixed = true\n[[grain]]\nposition = [0, -0.2]\nradius = 0.1\nmass = 10\n",
                 "0,-1", (None, 0.19)),
    # couple <= mu_r r N: rolls at a slope of mu_r
    "rolling": (3, "[4, 0, -8]", "friction = 0.9, rolling_friction = 0.8",
                "wall = { plane = { normal = [0, 0, 1] } }\ngrain = { position = [0, 0, 0.1], radius = 0.1 }\n", "1,0,0", (-10.4, 2.4)),
    # soil yields but bears
    "soil": (2, "9.81", "friction = 0.6", "wall = { plane = { normal = [0, 1] }, soil = { stiffness = 2e6, damping = 2.5e4 } }\n"
             "block = { size = [1, 1], position = [0, 0.5] }\n", "1,0", (-5.886, 5.886)),
}
BOUND = "dimension = {d}\ngravity = {g}\nmaterial = {{ density = 1000 }}\ntime = {{ step = 1e-3, duration = 0.01 }}\nlaw = {{ {law} }}\n"

PORTAL = BOUND.format(d=2, g=9.81, law="friction = 0.6") + """\
wall = { plane = { normal = [0, 1] } }
[[block]]
size = [0.5, 2]
position = [-1.5, 1]
[[block]]
size = [0.5, 2]
position = [1.5, 1]
[[block]]
size = [3.5, 0.5]
position = [0, 2.25]
"""
BRICKS = BOUND.format(d=2, g=9.81, law="friction = 0.5") + """\
wall = { plane = { normal = [0, 1] } }
[[brickwork]]
brick = [0.5, 0.25]
length = 2
courses = 4
"""


def own_bound(frame, mu, g):
    """Largest horizontal acceleration, by a linear program of our own over all contacts of a frame."""
    bodies, contacts = frame["bodies"], frame["contacts"]
    free = [i for i, m in enumerate(bodies["mass"][:])]
    x, mass = bodies["position"][:], bodies["mass"][:]
    a, b, p, n = (contacts[k][:] for k in ["a", "b", "point", "normal"])
    A, right = np.zeros((3 * len(free), 2 * len(a) + 1)), np.zeros(3 * len(free))
    for k in range(len(a)):
        for j, e in enumerate([n[k], np.array([-n[k][1], n[k][0]])]):
            for body, sign in [(a[k], 1), (b[k], -1)]:
                if body >= 0:
                    r = p[k] - x[body]
                    A[3 * body:3 * body + 3, 2 * k + j] += sign * np.array([e[0], e[1], r[0] * e[1] - r[1] * e[0]])
    for i in free:
        A[3 * i, -1], right[3 * i + 1] = mass[i], mass[i] * g
    cones = np.zeros((2 * len(a), 2 * len(a) + 1))
    for k in range(len(a)):
        for row, sign in [(2 * k, 1), (2 * k + 1, -1)]:
            cones[row, 2 * k], cones[row, 2 * k + 1] = -mu, sign
    cost = np.zeros(2 * len(a) + 1)
    cost[-1] = -1
    limits = [(0, None), (None, None)] * len(a) + [(0, None)]
    return linprog(cost, A_ub=cones, b_ub=np.zeros(2 * len(a)), A_eq=A / g, b_eq=right / g, bounds=limits, method="highs").x[-1]


class Bounds(ProgramTest):
    def supported(self, scene, load, *more):
        self.write("scene.toml", scene)
        self.moreau("run", "scene.toml", "--out", "run", "--threads", "1", "--force", *more)
        return self.json_of("statics", "run", "--load", "acceleration:" + load, "--json")

    def test_contacts_that_happen_to_carry_nothing_count(self):
        """A portal frame of rigid blocks topples where its posts do, at width over height of the posts: g / 4."""
        found = self.supported(PORTAL, "1,0")
        self.assertEqual(found["touching"], 8)
        for bound, expected in zip(found["supported"], [-9.81 / 4, 9.81 / 4]):
            self.assertAlmostEqual(bound, expected, delta=1e-5)

    @unittest.skipIf(linprog is None, "scipy and h5py are not there")
    def test_a_wall_of_bricks_bears_what_another_program_says(self):
        found = self.supported(BRICKS, "1,0")
        with h5py.File(self.folder / "run" / "trajectory.h5") as trajectory:
            last = sorted(k for k in trajectory if k.startswith("frame_"))[-1]
            expected = own_bound(trajectory[last], 0.5, 9.81)
        self.assertGreater(found["touching"], found["contacts"] - 1)
        for bound, sign in zip(found["supported"], [-1, 1]):
            self.assertAlmostEqual(bound, sign * expected, delta=2e-5 * expected)

    def test_a_block_on_a_mesh_slides_at_its_friction(self):
        """A block of side 1 on a plate of 128 triangles, mu = 0.4: it slides at mu g and lifts at its weight."""
        at = [x / 2 - 2 for x in range(9)]
        corners = [f"v {x} {y} 0" for y in at for x in at]
        squares = [9 * j + i + 1 for j in range(8) for i in range(8)]
        faces = [f"f {k} {k + 1} {k + 10}\nf {k} {k + 10} {k + 9}" for k in squares]
        self.write("plate.obj", "\n".join(corners + faces) + "\n")
        block = '[[wall]]\nname = "plate"\nmesh = "plate.obj"\n[[block]]\nsize = [1, 1, 1]\nposition = [0.1, 0.05, 0.5]\n'
        on_mesh = BOUND.format(d=3, g="[0, 0, -9.81]", law="friction = 0.4") + block
        for bound, expected in zip(self.supported(on_mesh, "1,0,0")["supported"], [-0.4 * 9.81, 0.4 * 9.81]):
            self.assertAlmostEqual(bound, expected, delta=1e-4)
        self.assertAlmostEqual(self.supported(on_mesh, "0,0,1")["supported"][1], 9.81, delta=1e-4)

    def test_laws_beyond_a_cone_bear_what_they_say(self):
        for name, (dimension, gravity, law, bodies, load, expected) in LAWS.items():
            with self.subTest(name):
                found = self.supported(BOUND.format(d=dimension, g=gravity, law=law) + bodies, load)
                for bound, value in zip(found["supported"], expected):
                    if value is None:
                        self.assertIsNone(bound)
                    else:
                        self.assertAlmostEqual(bound, value, delta=2e-5 * abs(value) + 1e-6)


if __name__ == "__main__":
    unittest.main()
