"""What goes wrong is said in one sentence on standard error, with a status other than 0, and harms nothing."""
import os
import stat
import subprocess
import unittest

from program import BALLS, MOREAU, ProgramTest


class WrongCommandLine(ProgramTest):
    def test_status_2_and_where_to_look(self):
        self.write("s.toml", BALLS)
        for arguments, sentence in {
            (): "command",
            ("rnu", "s.toml"): "'rnu'.*did you mean 'run'",
            ("frobnicate",): "'frobnicate'.*'check'",
            ("run",): "SCENE",
            ("run", "s.toml", "other.toml"): "other.toml",
            ("run", "s.toml", "--thread", "1"): "--thread",
            ("check", "s.toml", "--jsno"): "--jsno",
            ("run", "s.toml", "--threads", "0"): "threads",
            ("run", "s.toml", "--threads", "many"): "threads",
            ("run", "s.toml", "--threads", "0x2"): "threads: is '0x2'; accepted: auto, or a whole number",
            ("run", "s.toml", "--threads", "2.0"): "threads: is '2.0'",
            ("run", "s.toml", "--force", "--out", ""): "--out: is empty",
            ("run", "s.toml", "--from", ""): "--from: is empty",
            ("view", "run", "--html", ""): "--html: is empty",
            ("measure", "run", "--csv", ""): "--csv: is empty",
            ("new", ""): "NAME: is empty",
            ("draw", "run", "--frame", "0x1"): "--frame: is '0x1'; accepted: a number in decimal digits",
            ("run", "s.toml", "--until", "-1"): "until",
            ("run", "s.toml", "--until", "nan"): "until",
            ("equilibrium", "s.toml", "--tolerance", "nan"): "tolerance",
            ("run", "s.toml", "--out"): "out",
            ("bench", "--dimension", "4"): "dimension",
            ("bench", "--grains", "1"): "grains",
            ("bench", "--json", "--csv"): "csv",
            ("draw", "run", "--frame", "-1"): "frame",
            ("draw", "run", "--forces", "--no-forces"): "forces",
        }.items():
            with self.subTest(" ".join(arguments)):
                said = self.refusal(*arguments, status=2)
                self.assertRegex(said, sentence)
                self.assertRegex(said, r"\(see 'moreau( \w+)? --help'\)$")
        self.assertEqual([f.name for f in self.folder.iterdir()], ["s.toml"])

    def test_hint_names_the_command(self):
        self.assertIn("(see 'moreau run --help')", self.refusal("run", "--wrong", status=2))


class HabitsFromElsewhere(ProgramTest):
    """What users of other programs write first: the sentence says what is written here."""

    def test_options(self):
        self.write("x.toml", BALLS)
        for arguments, sentence in {
            ("run", "x.toml", "--dt", "1e-5"): "there is no option '--dt'; what the scene says is changed by --set time.step=VALUE",
            ("x.toml",): "'x.toml' is no command; to run this scene: moreau run x.toml",
            ("--hlep",): "there is no option '--hlep'; did you mean '--help'?",
            ("run", "--hlep"): "there is no option '--hlep'; did you mean '--help'?",
        }.items():
            self.assertIn(sentence, self.refusal(*arguments, status=2), arguments)

    def test_keys(self):
        self.write("comma.toml", BALLS.replace("9.81", "9,81"))
        self.write("x.toml", BALLS)
        self.write("sink.toml", BALLS + "[sink]\nbeyond = { point = [0, 0, -1], direction = [0, 0, -1] }\nrate = 3\n")
        for arguments, sentence in {
            ("check", "comma.toml"): "numbers are written with a point, as 9.81",
            ("check", "x.toml", "--set", "gravity=9,81"): "'9,81' is no number; did you mean 9.81?",
            ("check", "x.toml", "--set", "material.young=1e9"): "unknown key 'material.young'; rigid bodies have no stiffness",
            ("check", "sink.toml"): "unknown key 'sink.rate'; a sink takes every body that comes into its region",
        }.items():
            self.assertIn(sentence, self.refusal(*arguments), arguments)

    def test_blocks_that_overlap_are_told_by_their_names(self):
        head = BALLS.split("[grains]")[0]
        stones = "".join(f'[[block]]\nname = "{name}"\nsize = [1, 1, 1]\nposition = [{x}, 0, 0.5]\n' for name, x in (("keystone", 0), ("pier", 0.9)))
        self.write("s.toml", head + stones)
        self.assertRegex(self.refusal("check", "s.toml"), "'pier' .* overlaps 'keystone' .* by 0.1;")

    def test_options_of_pictures_that_do_nothing_say_so(self):
        self.write("s.toml", BALLS.replace("dimension = 3", "dimension = 2").replace("[0, 0, 1]", "[0, 1]").replace(
            "[[-0.3, -0.3, 0], [0.3, 0.3, 0.5]]", "[[-0.5, 0], [0.5, 1]]"))
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.01")
        for option, note in ((("--view", "top"), "--view does nothing in the plane"), (("--slice", "0.1"), "--slice does nothing in the plane"),
                             (("--thrust",), "--thrust is about blocks, and the scene has none")):
            drawn = self.start("draw", "run", "--output", "a.png", "--width", "300", *option)
            self.assertIn(f"note: {note}", drawn.communicate(timeout=120)[1])
            self.assertEqual(drawn.returncode, 0)


class RefusedScene(ProgramTest):
    MISTAKES = {
        "unknown key": (BALLS.replace("friction", "frictoin"), r":12:1: .*friction"),
        "wrong type": (BALLS.replace("density = 1000", 'density = "heavy"'), r":10:11: .*density"),
        "not TOML": (BALLS.replace("[material]", "[material"), r":\d+:\d+: "),
        "negative": (BALLS.replace("diameter = 0.1", "diameter = -0.1"), r":17:12: .*-0.1"),
        "no room": (BALLS.replace("count = 20", "count = 20000"), r":\d+:\d+: .*20000"),
        "empty": ("", r":\d+:\d+: "),
    }

    def test_one_sentence_with_its_place_and_no_trace(self):
        for name, (scene, pattern) in self.MISTAKES.items():
            self.write("s.toml", scene)
            for arguments in (["run", "s.toml"], ["run", "s.toml", "--out", "run"], ["check", "s.toml"], ["equilibrium", "s.toml"]):
                with self.subTest(name + ": " + " ".join(arguments)):
                    self.assertRegex(self.refusal(*arguments), "^s.toml" + pattern)
                    self.assertEqual([f.name for f in self.folder.iterdir()], ["s.toml"])

    def test_as_json(self):
        self.write("s.toml", self.MISTAKES["negative"][0])
        answer = self.json_of("check", "s.toml", "--json", status=1)
        self.assertFalse(answer["valid"])
        self.assertRegex(answer["error"], r"^s.toml:17:12: ")
        self.assertFalse(self.json_of("check", "missing.toml", "--json", status=1)["valid"])

    def test_unreadable(self):
        self.path("binary.toml").write_bytes(bytes(range(256)))
        for file, pattern in {"missing.toml": "does not exist", ".": "folder", "binary.toml": r"binary.toml:\d+:\d+: "}.items():
            for command in ("check", "run"):
                with self.subTest(f"{command} {file}"):
                    self.assertRegex(self.refusal(command, file, "--out", "run") if command == "run" else self.refusal(command, file), pattern)
        self.assertEqual([f.name for f in self.folder.iterdir()], ["binary.toml"])

    def test_refused_scene_spares_the_run_that_was_to_be_replaced(self):
        self.moreau("run", self.write("s.toml", BALLS), "--out", "run", "--until", "0.01")
        before = self.everything("run")
        self.write("s.toml", self.MISTAKES["negative"][0])
        self.refusal("run", "s.toml", "--out", "run", "--force")
        self.assertEqual(self.everything("run"), before)


class ExistingFolder(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("s.toml", BALLS)

    def test_run_is_not_overwritten_without_force(self):
        self.moreau("run", "s.toml")
        before = self.everything("s-run")
        self.assertRegex(self.refusal("run", "s.toml", "--until", "0.01"), r"^s-run: already holds a run; .*--force")
        self.assertEqual(self.everything("s-run"), before)

    def test_force_replaces_the_run_and_spares_the_rest(self):
        self.moreau("run", "s.toml")
        (self.path("s-run") / "notes.txt").write_text("mine")
        self.moreau("run", "s.toml", "--until", "0.01", "--force")
        self.assertEqual(self.json_of("info", "s-run", "--json")["step"], 10)
        self.assertEqual(len(self.series("s-run")), 11)
        self.assertEqual(len(list((self.path("s-run") / "frames").glob("frame_*.h5"))), 1)
        self.assertEqual((self.path("s-run") / "notes.txt").read_text(), "mine")

    def test_replaced_by_its_own_scene(self):
        self.moreau("run", "s.toml")
        self.moreau("run", "s-run/scene.toml", "--out", "s-run", "--force", "--until", "0.01")
        self.assertEqual((self.path("s-run") / "scene.toml").read_text(), BALLS)

    def test_folder_of_something_else_is_never_touched(self):
        self.path("photos").mkdir()
        self.write("photos/cat.jpg", "miaow")
        for force in ([], ["--force"]):
            self.assertIn("holds no run", self.refusal("run", "s.toml", "--out", "photos", *force))
        self.assertIn("is a file", self.refusal("run", "s.toml", "--out", "s.toml", "--force"))
        self.assertEqual(self.path("photos/cat.jpg").read_text(), "miaow")
        self.assertEqual(self.path("s.toml").read_text(), BALLS)
        self.path("empty").mkdir()
        self.moreau("run", "s.toml", "--out", "empty", "--until", "0.01")

    def test_two_at_once(self):
        self.write("long.toml", BALLS.replace("duration = 0.1", "duration = 100"))
        working = self.start_until(5, "run", "long.toml", "--out", "run")
        for arguments in (["resume", "run"], ["run", "s.toml", "--out", "run", "--force"]):
            self.assertIn("another moreau is at work", self.refusal(*arguments))
        self.assertGreater(self.json_of("info", "run", "--json")["bodies"], 0)
        self.kill(working)
        self.moreau("resume", "run", "--until", "0.1")

    def test_not_a_run(self):
        self.path("empty").mkdir()
        for command in ("info", "resume", "draw", "equilibrium"):
            with self.subTest(command):
                self.assertRegex(self.refusal(command, "empty"), r"^empty: is not the folder of a run")
        for command in ("info", "resume", "draw"):
            with self.subTest(command):
                self.assertRegex(self.refusal(command, "missing"), r"^missing: does not exist")
                self.assertRegex(self.refusal(command, "s.toml"), r"^s.toml: is not the folder of a run")


class Draw(ProgramTest):
    def test_what_cannot_be_drawn(self):
        self.moreau("run", self.write("s.toml", BALLS), "--out", "run")
        for arguments, sentence in {
            ("--frame", "3"): "frame 3 does not exist; run holds frames 0 to 2",
            ("--colour", "smell"): "smell.*speed",
            ("--view", "behind"): "behind.*top",
            ("--width", "0"): "0",
            ("--width", "1000000"): "1000000",
            ("-o", "picture.jpg"): "jpg.*png",
            ("-o", "no/such/picture.png"): "no/such/picture.png",
        }.items():
            with self.subTest(" ".join(arguments)):
                self.assertRegex(self.refusal("draw", "run", *arguments), sentence)
        self.assertEqual(sorted(f.name for f in self.folder.iterdir()), ["run", "s.toml"])
        self.assertFalse((self.path("run") / "picture.png").exists())


class Permission(ProgramTest):
    """As a user without rights; the administrator, who has all of them, becomes nobody."""

    def setUp(self):
        super().setUp()
        self.nobody = {}
        if os.geteuid() == 0:
            self.nobody = {"preexec_fn": lambda: (os.setgid(65534), os.setuid(65534))}
            try:
                subprocess.run([MOREAU, "--version"], check=True, stdout=subprocess.DEVNULL, **self.nobody)
            except (PermissionError, subprocess.SubprocessError):
                self.skipTest("the program is in a folder closed to nobody")
        self.folder.chmod(0o755)
        self.write("s.toml", BALLS)

    def close(self, path, mode):
        path.chmod(mode)
        self.addCleanup(path.chmod, 0o755)

    def test_folder_that_cannot_be_written(self):
        self.close(self.folder, 0o555)
        self.assertRegex(self.refusal("run", "s.toml", **self.nobody), r"^s-run: cannot be made: Permission denied$")
        self.assertIn("cannot be written", self.refusal("new", "pile", **self.nobody))

    def test_scene_that_cannot_be_read(self):
        self.close(self.path("s.toml"), 0o000)
        self.assertRegex(self.refusal("check", "s.toml", **self.nobody), r"^s.toml:1:1: the file cannot be opened")
        self.assertRegex(self.refusal("run", "s.toml", **self.nobody), r"^s.toml:1:1: the file cannot be opened")

    def test_run_that_may_only_be_read(self):
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.05")
        before = self.everything("run")
        for path in [*self.path("run").rglob("*"), self.path("run")]:
            self.close(path, 0o555 if stat.S_ISDIR(path.stat().st_mode) else 0o444)
        self.assertEqual(self.json_of("info", "run", "--json", **self.nobody)["step"], 50)
        self.assertRegex(self.refusal("resume", "run", **self.nobody), r"^run/\S+: cannot be written: Permission denied")
        self.assertIn("picture.png", self.refusal("draw", "run", **self.nobody))
        self.assertEqual(self.everything("run"), before)


if __name__ == "__main__":
    unittest.main()
