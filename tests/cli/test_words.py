"""What the program says when little things are wrong: the option, the value, the status."""
import json
import os
import shutil
import subprocess

from program import MOREAU, ProgramTest, poured


class Words(ProgramTest):
    def test_values_of_options_that_exist(self):
        self.write("s.toml", poured(0.05))
        self.assertIn("'foo' is not one of sse2", self.refusal("--instructions", "foo", "run", "s.toml", status=2))
        self.assertIn("'foo' is not one of auto", self.refusal("check", "s.toml", "--device", "foo", status=2))
        self.assertIn("is -1; accepted: numbers of steps", self.refusal("run", "s.toml", "--dump-problem", "-1", status=2))
        self.assertIn("9223372036854775807", self.refusal("check", "s.toml", "--set", "seed=1e19"))
        for steps in ("1.5", "3x", "99999999999999999999"):
            self.assertIn(f"is {steps}; accepted: numbers of steps", self.refusal("run", "s.toml", "--dump-problem", steps, status=2))
        for value in ("law.friction=1e400", "seed=18446744073709551615", "law.friction=-1e400", "seed=+99999999999999999999"):
            self.assertIn(f"--set {value}: a number out of range", self.refusal("check", "s.toml", "--set", value))
        said = self.refusal("check", "s.toml", "--set", "time.duration=1e30")
        self.assertTrue(said.startswith("--set time.duration=1e30: key 'time.duration' is 1e+30"), said)
        said = self.refusal("check", "s.toml", "--set", "time.step=1e-30")
        self.assertTrue(said.startswith("--set time.step=1e-30: key 'time.step' is 1e-30"), said)
        self.assertIn("/dev/null is a device", self.refusal("new", "/dev/null"))
        self.assertIn("needs the folder of a run", self.refusal("measure", status=2))
        said = self.refusal("new", "a", "--like", "qqqqqqqqqq", status=2)
        self.assertIn("accepted: ", said)
        self.assertNotIn("...", said)

    def test_what_cannot_be_written_is_an_error(self):
        with open("/dev/full", "w") as full:
            for words in (("--help",), ("--version",)):
                self.assertEqual(self.start(*words, stdout=full).wait(timeout=60), 1)

    def test_what_became_of_a_run_is_told_where_its_table_cannot_be(self):
        self.write("s.toml", poured(0.05))
        with open("/dev/full", "w") as full:
            said = self.refusal("run", "s.toml", "--out", "run", "--until", "0.02", stdout=full)
            self.assertIn("cannot be written; what was computed up to step 20 (t = 0.02) is safe, go on from there with: moreau resume run", said)
            for _ in range(2):  # to its end; and once more, when there is nothing to do
                self.assertEqual(self.refusal("resume", "run", stdout=full), "the standard output cannot be written; the run in run is finished")

    def test_control_characters_stay_in_the_file(self):
        self.write("s.toml", poured(0.05).replace('"poured"', r'"a\u001b[31mred\u0007\u0085b"'))
        self.assertIn("a?[31mred??b", self.moreau("check", "s.toml"))
        said = self.moreau("run", "s.toml", "--out", "run")
        self.assertIn("a?[31mred??b", said)
        self.assertNotIn("\x1b[31m", said + self.moreau("info", "run"))

    def test_commands_to_be_typed_execute_nothing_else(self):
        """A folder may have been named by a stranger."""
        self.write("s.toml", poured(0.05))
        for name in ("$(touch taken)", "a b; touch taken", "-rf"):
            lines = self.moreau("run", "s.toml", "--out", name, "--until", "0.02").splitlines()
            command = lines[-1].removeprefix("go on with: moreau ")
            done = subprocess.run(["sh", "-c", f'"$M" {command}'], cwd=self.folder, env={**os.environ, "M": MOREAU}, capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertFalse(self.path("taken").exists())

    def test_the_files_named_are_those_that_are_there(self):
        self.write("s.toml", poured(0.05) + '[[measure]]\nname = "z"\nquantity = "coordination"\nevery = 0.01\n')
        line = next(line for line in self.moreau("run", "s.toml", "--out", "run").splitlines() if line.startswith("files in"))
        names = [word.strip().split(" ")[0].rstrip("/") for word in line.split(": ", 1)[1].split(",")]
        self.assertIn("measures", names)
        for name in names:
            self.assertTrue((self.path("run") / name).exists(), line)

    def test_names_and_numbers_are_in_words(self):
        self.write("s.toml", poured(0.05) + '[[block]]\nname = "left slope"\nsize = [0.1, 0.1]\nposition = [0.5, 1.5]\n')
        said = self.moreau("check", "s.toml")
        self.assertRegex(said, r"names +left slope \d+\n")
        self.assertNotIn("{", said)

    def test_pictures_of_what_rests_are_coloured_by_contacts(self):
        self.write("s.toml", "dimension = 2\ngravity = 0\ntime = { step = 1e-3, duration = 2e-3 }\nmaterial = { density = 1 }\nlaw = { friction = 0.5 }\n"
                   "grain = [{ position = [0, 0], radius = 1 }, { position = [2, 0], radius = 1 }]\n")
        self.moreau("run", "s.toml", "--out", "rest")
        self.moreau("draw", "rest", "-o", "a.svg")
        self.assertNotIn("speed", (self.folder / "a.svg").read_text())
        self.moreau("draw", "rest", "-o", "b.svg", "--colour", "speed")
        self.assertIn("speed", (self.folder / "b.svg").read_text())


class WithoutEffect(ProgramTest):
    def test_keys_that_only_place_bodies_are_refused_once_they_are_placed(self):
        still = poured(0.1).split("[[source]]")[0]
        self.write("s.toml", still)
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.05")
        before = self.everything("run")
        for setting in ("material.density=9", "grains.count=30", "seed=4", "grains.diameter=0.05"):
            said = self.refusal("resume", "run", "--set", setting)
            self.assertIn(f"--set {setting}", said)
            self.assertIn("has no effect", said)
        self.assertEqual(before, self.everything("run"))
        self.moreau("resume", "run", "--set", "law.friction=0.1", "--until", "0.07")
        self.moreau("resume", "run", "--set", "output.frames=0.01")

    def test_a_scene_edited_to_other_bodies_is_warned_about(self):
        self.write("s.toml", poured(0.1).split("[[source]]")[0])
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.05")
        file = self.path("run") / "scene.toml"
        text = file.read_text()
        file.write_text(text.replace("count = 40", "count = 30"))
        self.assertIn("places other bodies", self.moreau("resume", "run", "--changed", "--until", "0.06"))
        shutil.rmtree(self.path("run"))
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.05")
        file.write_text(file.read_text().replace("friction = 0.4", "friction = 0.3"))
        self.assertNotIn("places other bodies", self.moreau("resume", "run", "--changed"))
        self.assertTrue(json.loads((self.path("run") / "summary.json").read_text())["complete"])

    def test_a_name_ends_no_line(self):
        # It would stand in tables, a row of which it would break in two.
        self.write("s.toml", poured(0.05) + '\n[[grain]]\nname = "left\\nright"\nradius = 0.01\nposition = [0, 2]\n')
        self.assertIn('is "left?right", with characters that', self.refusal("check", "s.toml"))

    def test_no_fall_is_foreseen_where_nothing_falls(self):
        for engine in ("elastic", "lubricated"):
            self.write("s.toml", "dimension = 2\ngravity = 9.81\ntime = { step = 1e-3 }\nmaterial = { density = 1 }\n"
                       "law = { friction = 0, stiffness = 1e5 }\n"
                       "wall = { box = { min = [0, 0], max = [1, 9] } }\ngrain = { position = [0.5, 0.5], radius = 0.5 }\n"
                       f'[[phase]]\nduration = 0.1\n[[phase]]\nengine = "{engine}"\nduration = 1\nstep = 0.5\ngravity = 19.62\n')
            self.assertNotIn("radii in one step", self.moreau("check", "s.toml"), engine)
