"""Every command as a user or a script meets it when all goes well."""
import json
import re
import unittest

import h5py
import numpy

from program import BALLS, REPOSITORY, ProgramTest, poured

COMMANDS = ["new", "check", "run", "resume", "info", "draw", "measure", "equilibrium", "bench", "solve"]

RESTING = """\
dimension = 2
gravity = 9.81
[time]
step = 1e-3
duration = 1
[material]
density = 1
[law]
friction = 0.5
[wall]
plane = { normal = [0, 1] }
[grain]
position = [0, HEIGHT]
radius = 0.5
"""


class Help(ProgramTest):
    def test_program_lists_its_commands(self):
        text = self.moreau("--help")
        for command in COMMANDS:
            self.assertIn(f"\n  {command} ", text)
        self.assertRegex(self.moreau("--version"), r"^moreau \d+\.\d+\.\d+ \(\w+\)\n$")

    def test_every_command_explains_itself(self):
        for command in COMMANDS:
            with self.subTest(command):
                text = self.moreau(command, "--help")
                self.assertIn("Usage:", text)
                self.assertIn("--help", text)
                self.assertEqual(text, self.moreau(command, "-h"))


class NewAndCheck(ProgramTest):
    def test_new_scene_is_valid_and_runs(self):
        said = self.moreau("new", "pile")
        self.moreau("check", "pile.toml", "--strict")
        self.assertIn("pile.toml", said)
        scene = self.json_of("check", "pile.toml", "--json")
        self.assertTrue(scene["valid"])
        self.assertEqual((scene["title"], scene["dimension"]), ("pile", 3))
        self.assertIn("pile.toml is a valid scene", self.moreau("check", "pile.toml"))
        self.assertEqual([f.name for f in self.folder.iterdir()], ["pile.toml"])
        self.moreau("run", "pile.toml", "--until", "0.005")
        self.assertEqual(self.json_of("info", "pile-run", "--json")["step"], 10)

    def test_new_does_not_overwrite(self):
        self.write("pile.toml", "mine")
        self.assertIn("pile.toml exists already", self.refusal("new", "pile"))
        self.assertEqual(self.path("pile.toml").read_text(), "mine")
        self.assertIn("cannot be written", self.refusal("new", "no/such/folder/pile"))

    def test_new_like_an_example(self):
        examples = sorted((REPOSITORY / "examples").glob("*.toml"))
        for example in examples:
            self.assertIn(example.stem, self.moreau("new", "--help").replace("\n", " "))
        self.moreau("new", "mine", "--like", "arch")
        self.assertEqual(self.path("mine.toml").read_bytes(), (REPOSITORY / "examples" / "arch.toml").read_bytes())
        self.assertIn("there is no example 'arhc'; did you mean 'arch'?", self.refusal("new", "other", "--like", "arhc", status=2))
        self.assertFalse(self.path("other.toml").exists())

    def test_new_like_an_example_with_meshes_brings_its_meshes(self):
        folder = REPOSITORY / "examples" / "meshes"
        for example in sorted(folder.glob("*.toml")):
            named = re.findall(r'mesh = "([^"]+)"', example.read_text())
            self.path(example.stem).mkdir()
            said = self.moreau("new", f"{example.stem}/mine", "--like", example.stem)
            self.assertGreater(len(named), 0)
            for mesh in named:
                self.assertIn(f"{example.stem}/{mesh}", said)
                self.assertEqual((self.path(example.stem) / mesh).read_bytes(), (folder / mesh).read_bytes())
            self.moreau("check", f"{example.stem}/mine.toml")
        # A mesh that is there may stay if it is the same, and is never replaced.
        self.moreau("new", "mesh-drum/second", "--like", "mesh-drum")
        self.write("mesh-drum/drum.stl", "mine")
        self.assertIn("drum.stl exists already and is another mesh", self.refusal("new", "mesh-drum/third", "--like", "mesh-drum"))
        self.assertEqual(self.path("mesh-drum/drum.stl").read_text(), "mine")
        self.assertFalse(self.path("mesh-drum/third.toml").exists())

    def test_check_tells_which_bodies_have_a_name(self):
        scene = self.json_of("check", REPOSITORY / "examples" / "arch.toml", "--json")
        self.assertEqual(scene["names"]["arch"], [1, 15])
        self.assertEqual(scene["names"]["arch.key"], [8, 8])
        self.assertEqual(scene["blocks"], 18)

    def test_any_name_makes_a_valid_scene(self):
        for name in ['say "hi"', "back\\slash", "{braces}", "déjà vu", "two.dots"]:
            with self.subTest(name):
                self.moreau("new", name)
                self.assertTrue(self.json_of("check", name + ".toml", "--json")["valid"])

    def test_check_counts_what_is_there(self):
        scene = self.json_of("check", self.write("s.toml", poured()), "--json")
        self.assertEqual((scene["bodies"], scene["free_bodies"], scene["walls"], scene["sources"]), (40, 40, 3, 2))
        self.assertEqual(scene["steps"], 300)


class Run(ProgramTest):
    def test_folder_holds_what_is_promised(self):
        said = self.moreau("run", self.write("s.toml", poured()))
        self.assertIn("state hash", said)
        self.assertIn("files in s-run", said)
        run = self.path("s-run")
        for name in ["scene.toml", "provenance.json", "trajectory.h5", "series.csv", "checkpoint.h5", "summary.json"]:
            self.assertTrue((run / name).exists(), name)
        self.assertEqual((run / "scene.toml").read_text(), poured())
        summary, info = json.loads((run / "summary.json").read_text()), self.json_of("info", "s-run", "--json")
        self.assertEqual(summary["outcome"], "finished")
        self.assertEqual(info.pop("newest_frame")["step"], info["step"])
        self.assertEqual({key: summary[key] for key in info}, info)
        self.assertTrue(info["complete"])
        self.assertEqual(info["step"], 300)
        self.assertAlmostEqual(info["time"], 0.3)
        with h5py.File(run / "trajectory.h5") as trajectory:
            self.assertEqual(len(trajectory["time"]), info["frames"])
            numpy.testing.assert_allclose(trajectory["time"][:], numpy.arange(7) * 0.05, atol=1e-9)
            last = trajectory[f"frame_{info['frames'] - 1:06}"]
            self.assertEqual(len(last["bodies/position"]), info["bodies"])
            self.assertEqual(len(last["contacts/force"]), info["contacts"])
            self.assertGreater(info["bodies"], 40)
        self.assertEqual(len(self.series("s-run")), 301)

    def test_fields_for_scripts(self):
        summary = self.json_of("run", self.write("s.toml", BALLS), "--json", "--out", "deep/run", "--threads", "1")
        info = self.json_of("info", "deep/run", "--json")
        for fields in (summary, info):
            for key in ["time", "step", "bodies", "contacts"]:
                self.assertGreater(fields[key], 0, key)
            for key in ["residual", "unbalanced", "max_penetration", "kinetic_energy"]:
                self.assertIsInstance(fields[key], float, key)
            self.assertRegex(fields["state_hash"], r"^[0-9a-f]{16,}$")
        self.assertEqual(info["threads"], 1)
        self.assertIn(info["state_hash"], self.moreau("info", "deep/run"))

    def test_hash_tells_states_apart(self):
        self.write("s.toml", BALLS)
        hashes = {self.json_of("run", "s.toml", "--json", "--out", f"r{i}", "--until", t)["state_hash"]
                  for i, t in enumerate(["0.001", "0.002", "0.003", "0.003"])}
        self.assertEqual(len(hashes), 3)

    def test_scene_through_a_pipe(self):
        self.moreau("run", "/dev/stdin", "--out", "run", "--until", "0.01", stdin=open(self.path(self.write("s.toml", BALLS))))
        self.assertEqual((self.path("run") / "scene.toml").read_text(), BALLS)
        process = self.start("run", "/dev/stdin", "--out", "piped", "--until", "0.01", stdin=-1)
        process.communicate(BALLS)
        self.assertEqual(process.returncode, 0)
        self.assertEqual((self.path("piped") / "scene.toml").read_text(), BALLS)
        self.moreau("resume", "piped", "--until", "0.02")

    def test_until_beyond_the_end_says_so(self):
        said = self.moreau("run", self.write("s.toml", BALLS), "--until", "7", "--out", "run")
        self.assertIn("ends at t = 0.1", said)
        self.assertTrue(self.json_of("info", "run", "--json")["complete"])


class Draw(ProgramTest):
    def test_png_and_svg(self):
        for scene, name in [(poured(0.2), "plane"), (BALLS, "space")]:
            self.moreau("run", self.write(name + ".toml", scene))
            run = name + "-run"
            with self.subTest(name):
                self.assertIn("wrote", self.moreau("draw", run))
                self.assertTrue((self.path(run) / "picture.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n"))
                self.moreau("draw", run, "-o", "a.svg", "--frame", "1", "--colour", "pressure", "--no-forces", "--width", "300")
                self.assertIn("<svg", self.path("a.svg").read_text()[:300])
                view = ["--view", "top"] if name == "space" else []
                self.moreau("draw", run, "--output", "b.png", "--color", "radius", *view, "--forces", "--width", "300")
                drawn = self.start("draw", run, "--output", "c.png", "--thrust", "--hinges", "--width", "300")
                self.assertIn("note: --thrust is about blocks, and the scene has none", drawn.communicate(timeout=120)[1])
                self.assertEqual(drawn.returncode, 0)
                self.assertTrue(self.path("b.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n"))

    def test_latest_state_is_the_last_frame(self):
        self.moreau("run", self.write("s.toml", poured(0.2)))
        for file, frame in [("last.svg", ["--frame", "4"]), ("latest.svg", [])]:
            self.moreau("draw", "s-run", "-o", file, *frame)
        self.assertEqual(self.path("last.svg").read_bytes(), self.path("latest.svg").read_bytes())

    def test_numbers_with_leading_zeros_are_decimal(self):
        self.moreau("run", self.write("s.toml", poured(0.2)), "--set", "output.frames=0.01")
        pictures = {}
        for number in ["8", "10", "000010"]:
            self.moreau("draw", "s-run", "--no-title", "-o", number + ".svg", "--frame", number)
            pictures[number] = self.path(number + ".svg").read_bytes()
        self.assertEqual(pictures["000010"], pictures["10"])
        self.assertNotEqual(pictures["10"], pictures["8"])


class Equilibrium(ProgramTest):
    def test_disc_on_the_ground_can_rest(self):
        answer = self.json_of("equilibrium", self.write("s.toml", RESTING.replace("HEIGHT", "0.5")), "--json", "--forces", "f.csv")
        self.assertTrue(answer["possible"])
        self.assertEqual(answer["contacts"], 1)
        self.assertAlmostEqual(answer["mean_force"], 9.81 * numpy.pi / 4, places=6)
        header, row = [line.split(",") for line in self.path("f.csv").read_text().splitlines()]
        self.assertAlmostEqual(float(row[header.index("force_y")]), 9.81 * numpy.pi / 4, places=6)
        self.assertIn("a possible equilibrium", self.moreau("equilibrium", "s.toml"))
        self.assertEqual(sorted(f.name for f in self.folder.iterdir()), ["f.csv", "s.toml"])

    def test_disc_in_the_air_cannot(self):
        self.write("s.toml", RESTING.replace("HEIGHT", "0.6"))
        self.assertFalse(self.json_of("equilibrium", "s.toml", "--json", status=3)["possible"])
        self.assertIn("not shown to be an equilibrium", self.moreau("equilibrium", "s.toml", status=3))

    def test_scale_without_gravity_is_not_that_of_gravity(self):
        self.write("s.toml", RESTING.replace("HEIGHT", "0.5"))
        self.assertIn("(h |g|)", self.moreau("equilibrium", "s.toml"))
        self.write("free.toml", RESTING.replace("HEIGHT", "0.5").replace("gravity = 9.81\n", ""))
        said = self.moreau("equilibrium", "free.toml")
        self.assertNotIn("|g|", said)
        self.assertIn("there is no gravity", said)

    def test_state_of_a_run(self):
        self.moreau("run", self.write("s.toml", RESTING.replace("HEIGHT", "0.5")), "--until", "0.05")
        before = self.everything("s-run")
        self.assertTrue(self.json_of("equilibrium", "s-run", "--json")["possible"])
        self.assertEqual(self.everything("s-run"), before)


class Bench(ProgramTest):
    def test_numbers_for_scripts(self):
        small = ["bench", "--grains", "300", "--steps", "2", "--sweeps", "5"]
        one = self.json_of(*small, "--json")
        for key in ["relaxations_per_second", "bytes_per_contact", "bytes_per_body", "contacts"]:
            self.assertGreater(one[key], 0, key)
        self.assertAlmostEqual(sum(one["stages"].values()), 1.0)
        self.assertEqual(self.json_of(*small, "--json", "--threads", "2")["state_hash"], one["state_hash"])
        header, row = [line.split(",") for line in self.moreau(*small, "--csv").splitlines()]
        self.assertEqual(row[header.index("state_hash")], one["state_hash"])
        self.assertIn(one["state_hash"], self.moreau(*small))
        self.assertGreater(self.json_of(*small, "--json", "--dimension", "2")["contacts"], 0)


if __name__ == "__main__":
    unittest.main()
