"""Measuring a run: quantities, regions, files, mistakes, and measures sampled while it runs."""
import csv
import json
import unittest

import h5py
import numpy

from program import BALLS, ProgramTest, lattice_of_discs, poured, scene, tray

# Discs dropped into a box, to rest.
SETTLED = scene("""
[contact]
rule = "predictive"
[solver]
tolerance = 1e-6
unbalanced_tolerance = 1e-5
max_sweeps = 20000
""" + tray(0.5) + lattice_of_discs(60), seed=2, gravity=9.81, duration=1.2, friction=0.3, output="frames = 0.4\nseries = 0.1")


class Measure(ProgramTest):
    def settled(self):
        self.write("settled.toml", SETTLED)
        self.moreau("run", "settled.toml", "--out", "run", "--threads", "1")

    def test_list_needs_no_run_and_names_every_quantity_of_the_docs(self):
        listed = self.moreau("measure", "--list")
        for name in ["stress", "ground-pressure", "rigidity", "force-fit", "displacements"]:
            self.assertRegex(listed, rf"\n  {name} +\w")

    def test_balance_of_a_settled_sample(self):
        self.settled()
        found = self.json_of("measure", "run", "weight", "wall-forces", "stress-balance", "stress", "--json", "-")
        weight = found["weight"][0]
        self.assertAlmostEqual(weight["carried"], 1, delta=1e-3)
        vertical = sum(row["vertical"] for row in found["wall-forces"])
        self.assertAlmostEqual(-vertical / weight["weight"], weight["carried"], places=12)
        self.assertLess(found["stress-balance"][0]["difference"], 2e-3)
        stress = found["stress"][0]
        self.assertAlmostEqual(stress["stress_xy"] / stress["pressure"], stress["stress_yx"] / stress["pressure"], delta=1e-3)
        layers = self.json_of("measure", "run", "stress", "--region", "layers:0.07", "--json", "-")["stress"]
        total = sum(row["stress_yy"] * row["volume"] for row in layers)
        self.assertAlmostEqual(total, stress["stress_yy"] * stress["volume"], delta=1e-9 * total)

    def test_stress_of_a_column_of_blocks_is_half_its_weight_over_its_section(self):
        """The sample ends with the bodies, not with the balls that hold them."""
        blocks = "".join(f"[[block]]\nsize = [1, 1, 0.5]\nposition = [0, 0, {0.25 + 0.5 * i}]\n" for i in range(8))
        self.write("column.toml", "dimension = 3\ngravity = 9.81\nmaterial = { density = 2000 }\ntime = { step = 1e-3, duration = 0.02 }\n"
                   "law = { friction = 0.5 }\nwall = { plane = { normal = [0, 0, 1] } }\n" + blocks)
        self.moreau("run", "column.toml", "--out", "column", "--threads", "1")
        row = json.loads(self.moreau("measure", "column", "stress", "--json", "-"))["stress"][0]
        self.assertAlmostEqual(row["volume"], 4.0, delta=1e-5)
        self.assertAlmostEqual(row["stress_zz"], 8 * 1000 * 9.81 / 2, delta=2e-3 * 39240)

    def test_blocks_that_fill_their_box_fill_it(self):
        slabs = "".join(f"[[block]]\nsize = [1, 0.1]\nposition = [0.5, {0.05 + 0.1 * k}]\n" for k in range(3))
        self.write("slabs.toml", scene('[wall]\nbox = { min = [0, 0], max = [1, 0.3], open = ["top"] }\n' + slabs, gravity=9.81, duration=0.01))
        self.moreau("run", "slabs.toml", "--out", "run", "--threads", "1")
        found = self.json_of("measure", "run", "solid-fraction", "--json", "-")["solid-fraction"]
        self.assertAlmostEqual(found[0]["solid_fraction"], 1.0, delta=1e-9)

    def test_without_friction_weight_is_as_good_as_a_contact(self):
        # Two discs on a floor, a third on both: six contacts, six freedoms, nothing is loose.
        grains = "".join(f"[[grain]]\nposition = [{x}, {y}]\nradius = 0.1\n" for x, y in ((-0.15, 0.1), (0.15, 0.1), (0.0, 0.2322875655532295)))
        self.write("three.toml", scene('[wall]\nbox = { min = [-0.25, 0], max = [0.25, 2], open = ["top"] }\n' + grains, gravity=9.81,
                                       duration=0.05, friction=0))
        self.moreau("run", "three.toml", "--out", "run", "--threads", "1")
        found = self.json_of("measure", "run", "coordination", "rigidity", "--json", "-")
        contacts, degrees = found["coordination"][0], found["rigidity"][0]
        self.assertEqual((contacts["rattlers"], contacts["contacts"]), (0, 6))
        self.assertEqual((degrees["rank"], degrees["hyperstatic"], degrees["hypostatic"]), (6, 0, 0))

    def test_with_friction_a_ball_under_weight_may_stand_on_one_contact(self):
        # Three discs upon one another that roll and drag: each has one contact below it, and none is loose.
        grains = "".join(f"[[grain]]\nposition = [0, {0.1 + 0.2 * k}]\nradius = 0.1\n" for k in range(3))
        grains += "[[grain]]\nposition = [1, 0.1]\nradius = 0.1\nvelocity = [1, 0]\n"  # slides, so that there is friction
        grains += "[[grain]]\nposition = [3, 2]\nradius = 0.1\n"  # falls: touches nothing
        self.write("column.toml", scene("[wall]\nplane = { normal = [0, 1] }\n" + grains, gravity=9.81, duration=0.02, friction=0.3))
        self.moreau("run", "column.toml", "--out", "run", "--threads", "1")
        found = self.json_of("measure", "run", "coordination", "structure", "--json", "-")
        self.assertEqual((found["coordination"][0]["rattlers"], found["coordination"][0]["contacts"]), (1, 4))
        self.assertEqual([row["rattler"] for row in found["structure"]], [0, 0, 0, 0, 1])

    def test_a_run_that_was_stopped_is_measured_where_it_stands(self):
        self.write("s.toml", scene("[wall]\nplane = { normal = [0, 1] }\n[[grain]]\nposition = [0, 0.1]\nradius = 0.1\n", gravity=10, duration=0.1))
        self.moreau("run", "s.toml", "--out", "run", "--threads", "1", "--until", "0.02")
        self.assertIn("where the run stands, t = 0.02", self.moreau("measure", "run", "forces"))
        row = self.json_of("measure", "run", "forces", "--json", "-")["forces"][0]
        self.assertEqual((row["frame"], row["contacts"]), (-1, 1))
        self.assertAlmostEqual(row["time"], 0.02)
        self.assertIn("frame 0, t = 0", self.moreau("measure", "run", "forces", "--frame", "last"))

    def test_forces_of_rounding_are_not_fitted(self):
        self.write("smooth.toml", SETTLED.replace("friction = 0.3", "friction = 0"))
        self.moreau("run", "smooth.toml", "--out", "smooth", "--threads", "1")
        found = self.json_of("measure", "smooth", "force-fit", "forces", "--json", "-")
        tangential = [row for row in found["force-fit"] if row["component"] == "tangential"]
        self.assertEqual([(row["law"], row["contacts"]) for row in tangential], [("none: there are no such forces", 0)])
        self.assertEqual([row["largest"] for row in found["forces"] if row["component"] == "tangential"], [0])
        self.assertGreater(len([row for row in found["force-fit"] if row["component"] == "normal"]), 3)

    def test_files_hold_what_the_screen_shows(self):
        self.settled()
        self.assertIn("wrote m.csv", self.moreau("measure", "run", "coordination", "--frame", "all", "--csv", "m.csv"))
        with open(self.path("m.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["frame"] for row in rows], ["0", "1", "2", "3"])
        self.assertIn(rows[-1]["contacts"], self.moreau("measure", "run", "coordination"))
        self.moreau("measure", "run", "stress", "weight", "--csv", "m.csv")
        self.assertTrue(self.path("m-stress.csv").exists() and self.path("m-weight.csv").exists())
        self.moreau("measure", "run", "displacements", "voronoi", "--from", "0", "--hdf5", "m.h5")
        with h5py.File(self.path("m.h5")) as file, h5py.File(self.path("run/trajectory.h5")) as run:
            moved = run["frame_000003/bodies/position"][:] - run["frame_000000/bodies/position"][:]
            found = numpy.stack([file["displacements/displacement_x"][:], file["displacements/displacement_y"][:]], axis=1)
            self.assertEqual(numpy.abs(found - moved).max(), 0)
            self.assertEqual(len(file["voronoi/cell"]), 60)

    def test_stroboscopic_frames_are_one_period_apart(self):
        self.settled()
        found = self.json_of("measure", "run", "strain", "--period", "0.4", "--frame", "all", "--json", "-")["strain"]
        self.assertEqual([row["frame"] for row in found], [1, 2, 3])
        for row in found:
            self.assertAlmostEqual(row["time"] - row["since"], 0.4, places=9)
        self.assertIn("no frame lies one period", self.refusal("measure", "run", "strain", "--period", "0.3"))

    def test_every_quantity_of_one_frame_gives_a_table_or_says_why_not(self):
        self.settled()
        self.write("balls.toml", BALLS)
        self.moreau("run", "balls.toml", "--threads", "1")
        names = [line.split()[0] for line in self.moreau("measure", "--list").split("\n")[1:] if line.startswith("  ")]
        for run in ["run", "balls-run"]:
            for name in names:
                if name == "in":
                    continue
                with self.subTest(run=run, quantity=name):
                    process = self.start("measure", run, name, "--json", "-", "--strip", "0.1,0,0.1,0.4", "--strip", "0.05,0.2,0.2,0.2")
                    output, errors = process.communicate(timeout=60)
                    if process.returncode == 0:
                        self.assertGreater(len(json.loads(output)[name]), 0)
                    else:
                        self.assertTrue(errors.startswith(f"moreau: {name}: "), errors)

    def test_mistakes_are_one_sentence_with_the_nearest_word(self):
        self.settled()
        for arguments, sentence in [
            (["strss"], "there is no quantity 'strss', and nothing was measured; did you mean 'stress'?"),
            (["stress", "--region", "rign:1"], "there is no region 'rign'; did you mean 'ring'?"),
            (["stress", "--region", "ring:2,1"], "region 'ring:2,1' needs two radii, the smaller first"),
            (["stress", "--region", "box:1,2,3"], "region 'box:1,2,3' needs 4 numbers"),
            (["stress", "--region", "slice:z,0,1"], "region 'slice:z,0,1' needs an axis"),
            (["stress", "--region", "bulk:9"], "region 'bulk:9' is empty"),
            (["stress", "--region", "layer:nan,1"], "region 'layer:nan,1' needs two heights"),
            (["stress", "--region", "layers:1e-9"], "region 'layers:1e-9' has 10000 parts or more; accepted: a larger width"),
            (["stress", "--frame", "9"], "frame 9 does not exist; the run holds frames 0 to 3"),
            (["stress", "--frame", "first"], "--frame is 'first'; accepted"),
            (["strips"], "strips: no strip is given"),
            (["strips", "--strip", "1,2,3"], "--strip is '1,2,3'; accepted: four numbers"),
            (["fossil-layer", "--born", "3,2"], "--born is '3,2'; accepted: two times, the earlier first"),
            (["indeterminacy", "--contact", "99999"], "indeterminacy: contact 99999 does not exist"),
            (["stress", "--csv", "no/such/folder.csv"], "no/such/folder.csv"),
        ]:
            with self.subTest(arguments):
                self.assertIn(sentence, self.refusal("measure", "run", *arguments))
        self.assertIn("does not exist", self.refusal("measure", "nowhere"))
        self.assertIn("needs the folder of a run", self.refusal("measure", status=2))


class Plots(ProgramTest):
    def test_curves_of_measures_are_drawn_with_what_they_say(self):
        self.write("settled.toml", SETTLED)
        self.moreau("run", "settled.toml", "--out", "run", "--threads", "1")
        contacts = self.json_of("measure", "run", "forces", "--json", "-")["forces"][0]["contacts"]
        for plot, words in [
            ("forces", [f"normal, {contacts} contacts", "probability density"]),
            ("rose", ["contacts; directions of the normals", "order 2: amplitude"]),
            ("ground-pressure", ["distance to the axis", "pressure on the ground"]),
        ]:
            with self.subTest(plot):
                self.assertIn("wrote p.svg", self.moreau("draw", "run", "--plot", plot, "--frame", "3", "-o", "p.svg"))
                svg = self.path("p.svg").read_text()
                for word in words:
                    self.assertIn(word, svg)
        self.moreau("draw", "run", "--plot", "rose")
        self.assertTrue((self.path("run") / "rose.png").exists())
        self.assertIn("there is no plot 'rsoe'; did you mean 'rose'?", self.refusal("draw", "run", "--plot", "rsoe"))
        self.assertIn("fewer than 10 contact forces", self.refusal("draw", "run", "--plot", "forces", "--frame", "0"))


SAMPLED = """
[[measure]]
quantity = "stress"
every = 0.02
region = "layers:0.2"
[[measure]]
name = "floor"
quantity = "wall-forces"
every = 0.013
"""


class Sampled(ProgramTest):
    def measured(self, run):
        return {f.name: f.read_text() for f in sorted((self.path(run) / "measures").iterdir())}

    def test_interrupted_run_samples_as_an_uninterrupted_one(self):
        self.write("scene.toml", poured(0.3, 0.001) + SAMPLED)
        self.moreau("run", "scene.toml", "--out", "whole", "--threads", "1")
        process = self.start_until(120, "run", "scene.toml", "--out", "run", "--threads", "1")
        self.kill(process)
        self.moreau("resume", "run", "--threads", "1")
        self.assertEqual(self.measured("whole"), self.measured("run"))
        rows = list(csv.DictReader(self.measured("whole")["floor.csv"].splitlines()))
        self.assertEqual(sorted({int(row["step"]) for row in rows}), [13 * k for k in range(1, 24)])
        self.assertEqual({row["wall"] for row in rows}, {"tray.left", "tray.right", "tray.bottom"})
        self.assertEqual(self.state_hash("whole"), self.state_hash("run"))

    def test_sample_of_the_end_is_the_measure_of_the_last_frame(self):
        self.write("scene.toml", poured(0.1) + SAMPLED)
        self.moreau("run", "scene.toml", "--out", "run", "--threads", "1")
        sampled = [r for r in csv.DictReader(self.measured("run")["stress.csv"].splitlines()) if r["step"] == "100"]
        self.moreau("measure", "run", "stress", "--region", "layers:0.2", "--csv", "m.csv")
        with open(self.path("m.csv"), newline="") as file:
            frame = list(csv.DictReader(file))
        self.assertEqual(len(sampled), len(frame))
        for a, b in zip(sampled, frame):
            self.assertEqual({k: v for k, v in a.items() if k not in ("step", "phase")}, {k: v for k, v in b.items() if k != "frame"})

    def test_compared_samples_tell_what_the_frames_tell(self):
        """Since the start and since the last sample, and at the same point of each period of the shaker, also when cut."""
        entries = """
[[measure]]
name = "changes"
quantity = "contact-changes"
every = 0.05
since = "last"
[[measure]]
name = "moved"
quantity = "displacements"
every = 0.1
[[measure]]
name = "strobe"
quantity = "displacements"
motion = "shake"
phase = 0.25
"""
        self.write("scene.toml", poured(0.5) + entries)
        self.moreau("run", "scene.toml", "--out", "run", "--threads", "1")
        self.moreau("run", "scene.toml", "--out", "cut", "--threads", "1", "--until", "0.33")
        self.moreau("resume", "cut", "--threads", "2")
        for name in ["changes", "moved", "strobe"]:
            self.assertEqual(*[(self.path(run) / "measures" / f"{name}.csv").read_text() for run in ("run", "cut")])
        # Frames are taken every 0.05, frame k at time 0.05 k.
        sampled = self.csv_rows("run/measures/changes.csv")
        framed = self.json_of("measure", "run", "contact-changes", "--frame", "6", "--from", "5", "--json", "-")["contact-changes"][0]
        self.assertEqual([int(sampled[5][k]) for k in ("gained", "lost")], [framed["gained"], framed["lost"]])
        moved = [row for row in self.csv_rows("run/measures/moved.csv") if abs(float(row["time"]) - 0.4) < 1e-9]
        framed = self.json_of("measure", "run", "displacements", "--frame", "8", "--from", "0", "--json", "-")["displacements"]
        self.assertEqual([float(row["displacement_y"]) for row in moved], [row["displacement_y"] for row in framed])
        times = sorted({float(row["time"]) for row in self.csv_rows("run/measures/strobe.csv")})
        numpy.testing.assert_allclose(times, [0.05, 0.25, 0.45], atol=1e-9)  # the period is 0.2

    def csv_rows(self, name):
        with open(self.path(name), newline="") as file:
            return list(csv.DictReader(file))

    def test_replaced_run_leaves_no_measures_behind(self):
        self.write("scene.toml", poured(0.05) + SAMPLED)
        self.moreau("run", "scene.toml", "--out", "run", "--threads", "1")
        self.write("scene.toml", poured(0.05))
        self.moreau("run", "scene.toml", "--out", "run", "--threads", "1", "--force")
        self.assertFalse((self.path("run") / "measures").exists())

    def test_mistakes_are_found_before_anything_runs(self):
        for entry, sentence in [
            ('quantity = "stres"\nevery = 1', "is \"stres\", which is no quantity; did you mean 'stress'?"),
            ('quantity = "stress"\nevery = 1\nsince = "last"', "unknown key 'measure[1].since'"),
            ('quantity = "strain"\nevery = 1\nsince = "yesterday"', "one of 'start', 'last'"),
            ('quantity = "strain"\nmotion = "shak"', "no motion of this scene"),
            ('quantity = "strain"\nmotion = "shake"\nevery = 1', "only one of"),
            ('quantity = "strain"\nmotion = "shake"\nphase = 1', "in [0, 1)"),
            ('quantity = "stress"', "every"),
            ('quantity = "stress"\nevery = 0', "accepted: a number > 0"),
            ('quantity = "stress"\nevery = 1\nregion = "rings"', "needs a width > 0"),
            ('quantity = "stress"\nevery = 1\nname = "../x"', "as it names a file"),
            ('quantity = "stress"\nevery = 1\nregoin = "all"', "did you mean 'region'?"),
            ('quantity = "strips"\nevery = 1\nstrips = ["1,2,1,2"]', "two different points"),
            ('quantity = "stress"\nevery = 1\n[[measure]]\nquantity = "stress"\nevery = 2', "a name of its own"),
        ]:
            with self.subTest(entry):
                self.write("scene.toml", poured(0.05) + "[[measure]]\n" + entry + "\n")
                self.assertIn(sentence, self.refusal("check", "scene.toml"))


if __name__ == "__main__":
    unittest.main()
