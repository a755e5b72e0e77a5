"""A run that is stopped, interrupted, killed or short of disk, and goes on, is bit for bit the run that was left alone."""
import json
import os
import random
import resource
import signal
import unittest

import h5py

from program import BALLS, CELL, PHASES, ProgramTest, poured


class Resume(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("s.toml", poured())

    def whole(self):
        self.moreau("run", "s.toml", "--out", "whole")

    def test_stopped_twice(self):
        self.whole()
        said = self.moreau("run", "s.toml", "--out", "run", "--until", "0.1234")
        self.assertIn("go on with: moreau resume run", said)
        self.moreau("resume", "run", "--until", "0.15")
        self.assertFalse(json.loads((self.path("run") / "summary.json").read_text())["complete"])
        said = self.moreau("resume", "run")
        self.assertNotIn("go on with", said)
        self.assert_same_run("run", "whole")
        log = (self.path("run") / "log.txt").read_text()
        self.assertRegex(log, r"(?s)resumed at t = 0\.123 \(step 123\)\n.*resumed at t = 0\.15 \(step 150\)\n")

    def test_steps_of_several_lengths_are_told_as_such(self):
        self.write("s.toml", poured(duration=0.04))
        self.moreau("run", "s.toml", "--out", "run")
        self.assertIn("0.04 of 0.04, 40 steps of 0.001\n", self.moreau("info", "run"))
        self.moreau("resume", "run", "--set", "time.step=5e-4", "--set", "time.duration=0.05")
        self.assertIn("0.05 of 0.05, 60 steps, the last one of 0.0005\n", self.moreau("info", "run"))
        self.assertIn("resumed with --set time.step=5e-4, --set time.duration=0.05 at t = 0.04 (step 40)\n", (self.path("run") / "log.txt").read_text())

    def test_in_space(self):
        self.write("s.toml", BALLS)
        self.whole()
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.07", "--threads", "2")
        self.moreau("resume", "run", "--threads", "1")
        self.assert_same_run("run", "whole")

    def test_through_phases(self):
        """Stopped in every phase and where one begins; pistons, motions that begin anew and conditions go on as they would."""
        self.write("s.toml", PHASES)
        self.whole()
        log = (self.path("whole") / "log.txt").read_text()
        for phase in ("mix", "press", "shear"):
            self.assertIn(f"phase '{phase}' ended", log)
        with h5py.File(self.path("whole") / "trajectory.h5") as trajectory:  # the last phase shrinks the grains
            first, last = (trajectory[sorted(name for name in trajectory if name.startswith("frame_"))[k]]["bodies"] for k in (0, -1))
            self.assertTrue(abs(last["radius"][:] / first["radius"][:] - 0.99).max() < 1e-14)
            self.assertTrue((last["mass"][:] == first["mass"][:]).all())
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.2", "--threads", "2")
        for until in ("0.9", "2", "4.2"):
            self.moreau("resume", "run", "--until", until)
        self.moreau("resume", "run")
        self.assert_same_run("run", "whole")
        self.assertIn("whole is finished", self.moreau("resume", "whole"))

    def test_in_a_periodic_cell(self):
        self.write("s.toml", CELL)
        self.whole()
        self.moreau("run", "s.toml", "--out", "run", "--until", "1.234", "--threads", "2")
        self.moreau("resume", "run", "--threads", "1")
        self.assert_same_run("run", "whole")

    def test_number_of_threads_does_not_matter(self):
        self.whole()
        for threads in (1, 2, 3):
            self.moreau("run", "s.toml", "--out", f"run{threads}", "--threads", threads)
            self.assert_same_run(f"run{threads}", "whole")

    def test_finished_run_is_left_alone(self):
        self.whole()
        before = self.everything("whole")
        self.assertIn("whole is finished (t = 0.3)", self.moreau("resume", "whole"))
        self.assertEqual(self.json_of("resume", "whole", "--json", "--until", "0.2"), json.loads((self.path("whole") / "summary.json").read_text()))
        self.assertEqual(self.everything("whole"), before)

    def test_time_already_passed(self):
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.1")
        before = self.everything("run")
        self.assertIn("already at t = 0.1", self.moreau("resume", "run", "--until", "0.05"))
        self.assertEqual(self.everything("run"), before)

    def test_from_elsewhere(self):
        """The folder may be moved, and named with a trailing slash or as the present folder."""
        self.whole()
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.1")
        self.path("run").rename(self.path("moved"))
        self.path("s.toml").unlink()
        self.moreau("resume", "moved/", "--until", "0.2")
        self.moreau("resume", ".", cwd=self.path("moved"))
        self.assert_same_run("moved", "whole")


class Quake(ProgramTest):
    """Ground that follows a recorded acceleration: the copy of the scene in the run holds the record."""

    SCENE = """\
dimension = 2
gravity = 9.81
[time]
step = 1e-3
duration = 0.2
[material]
density = 2000
[law]
friction = 0.5
[motion]
name = "quake"
kind = "accelerogram"
record = "quake.csv"
direction = [1, 0]
[[block]]
size = [4, 1]
position = [0, -0.5]
motion = "quake"
[[block]]
size = [1, 1]
position = [0, 0.5]
"""

    def test_resumed_without_the_file(self):
        self.write("s.toml", self.SCENE)
        self.write("quake.csv", "time, acceleration\n0, 0\n0.05, 8\n0.1, -8\n0.2, 0\n")
        self.moreau("run", "s.toml", "--out", "whole")
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.08")
        self.path("quake.csv").unlink()
        self.moreau("resume", "run")
        self.assert_same_run("run", "whole")
        self.assertIn("quake.csv, which does not exist", self.refusal("run", "s.toml", "--out", "other"))

    def test_friction_limits_what_the_ground_gives(self):
        """a = 8 t / 0.05 exceeds mu g = 4.905 at t = 0.0307: the block slides from then on, accelerated by mu g. While it
        sticks it has the velocity of the ground at the middle of the step, hence lags by half a step."""
        self.write("s.toml", self.SCENE.replace("duration = 0.2", "duration = 0.05\n[solver]\ntolerance = 1e-8"))
        self.write("quake.csv", "0 0\n0.05 8\n")
        self.moreau("run", "s.toml", "--out", "run")
        slip = 0.05 * 4.905 / 8
        speed = 0.5 * 4.905 * slip + 4.905 * (0.05 - slip) - 4.905 * 0.5e-3
        with h5py.File(sorted((self.path("run") / "frames").glob("*.h5"))[-1]) as frame:
            velocity = frame["bodies/velocity"][1]
        self.assertAlmostEqual(velocity[0], speed, delta=1e-4)
        self.assertAlmostEqual(velocity[1], 0, delta=1e-6)


class Interrupt(ProgramTest):
    def test_control_c_writes_a_checkpoint_and_says_how_to_go_on(self):
        self.write("s.toml", poured(duration=1))
        self.moreau("run", "s.toml", "--out", "whole")
        for sign in (signal.SIGINT, signal.SIGTERM):
            run = f"run{sign.value}"
            with self.subTest(sign.name):
                process = self.start_until(20, "run", "s.toml", "--out", run, run=run)
                process.send_signal(sign)
                process.send_signal(sign)  # as `timeout` does, to the program and to its group
                said, errors = process.communicate(timeout=60)
                self.assertEqual((process.returncode, errors), (130, ""))
                self.assertIn(f"moreau resume {run}", said)
                summary = json.loads((self.path(run) / "summary.json").read_text())
                self.assertEqual(summary["outcome"], "interrupted")
                self.assertEqual(summary["step"], len(self.series(run)) - 1)
                self.assertLess(summary["step"], 1000)
                self.moreau("resume", run)
                self.assert_same_run(run, "whole")


class Kill(ProgramTest):
    """kill -9 at random moments; the checkpoint interval of 0 makes most of them fall into the writing of a checkpoint or frame."""

    def killed_and_resumed(self, checkpoint, seed):
        chance = random.Random(seed)
        self.write("s.toml", poured(duration=0.12, checkpoint=checkpoint))
        self.moreau("run", "s.toml", "--out", "whole")
        landed = 0
        for attempt in range(3):
            run = f"run{attempt}"
            with self.subTest(run):
                command = ["run", "s.toml", "--out", run]
                for _ in range(2):
                    process = self.start_until(chance.randrange(120), *command, run=run)
                    self.kill(process)
                    landed += process.returncode == -signal.SIGKILL
                    self.assertGreater(self.json_of("info", run, "--json")["frames"], 0, "readable after the kill")
                    command = ["resume", run]
                self.moreau("resume", run)
                self.assert_same_run(run, "whole")
        self.assertGreater(landed, 0, "all runs were over before they could be killed")

    def test_between_checkpoints(self):
        self.killed_and_resumed(checkpoint=30, seed=1)

    def test_while_checkpoints_are_written(self):
        self.killed_and_resumed(checkpoint=1e-9, seed=2)

    def test_at_any_write(self):
        """Every state a kill can leave between two renames, made by hand."""
        self.write("s.toml", poured(duration=0.2))
        self.moreau("run", "s.toml", "--out", "whole")
        for name, damage in {
            "between the renames of a checkpoint": lambda run: (run / "checkpoint.h5").rename(run / "checkpoint.previous.h5"),
            "half a checkpoint": lambda run: (run / "checkpoint.h5.tmp").write_bytes((run / "checkpoint.h5").read_bytes()[:999]),
            "half a row": lambda run: (run / "series.csv").open("a").write("151,0.15"),
            "half a frame": lambda run: (run / "frames" / "frame_000004.h5.tmp").write_bytes(b"\x89HDF"),
            "frame without its trajectory": lambda run: (run / "frames" / "frame_000003.h5").write_bytes(
                (self.path("whole") / "frames" / "frame_000003.h5").read_bytes()),
            "no summary": lambda run: (run / "summary.json").unlink(),
        }.items():
            with self.subTest(name):
                self.moreau("run", "s.toml", "--out", "run", "--until", "0.12", "--force")
                damage(self.path("run"))
                self.moreau("info", "run")
                self.moreau("resume", "run")
                self.assert_same_run("run", "whole")

    def test_before_the_first_checkpoint(self):
        self.write("s.toml", poured(duration=0.2))
        self.moreau("run", "s.toml", "--out", "whole")
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.001")
        for name in ["checkpoint.h5", "checkpoint.previous.h5", "series.csv", "summary.json"]:
            (self.path("run") / name).unlink()
        self.assertIn("no checkpoint", self.refusal("info", "run"))
        self.moreau("resume", "run")
        self.assert_same_run("run", "whole")

    def test_after_the_last_checkpoint(self):
        self.write("s.toml", poured(duration=0.1))
        self.moreau("run", "s.toml", "--out", "run")
        summary = (self.path("run") / "summary.json").read_text()
        (self.path("run") / "summary.json").unlink()
        self.assertIn("finished", self.moreau("resume", "run"))
        self.assertEqual((self.path("run") / "summary.json").read_text(), summary)


class FullDisk(ProgramTest):
    """A limit on the size of files stands for a full disk: the same failing writes."""

    @staticmethod
    def limit(size):
        return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    def test_run_ends_with_a_sentence_and_goes_on_when_there_is_room(self):
        self.write("s.toml", poured(duration=0.15, checkpoint=0.02))
        self.moreau("run", "s.toml", "--out", "whole")
        largest = max(f.stat().st_size for f in self.path("whole").rglob("*"))
        for size in (largest // 3, largest * 6 // 10, largest * 9 // 10):  # the first too small even for the first checkpoint
            with self.subTest(size):
                sentence = self.refusal("run", "s.toml", "--out", "run", "--force", preexec_fn=self.limit(size))
                self.assertRegex(sentence, r"^run/\S+: cannot be written: File too large; .*moreau resume run$")
                if size > largest // 2:
                    self.moreau("info", "run")
                self.moreau("resume", "run")
                self.assert_same_run("run", "whole")

    def test_no_room_at_all_leaves_nothing(self):
        self.write("s.toml", poured())
        for size in (0, 100):
            self.assertIn("cannot be written", self.refusal("run", "s.toml", "--out", "deep/run", preexec_fn=self.limit(size)))
            self.assertEqual([f.name for f in self.folder.iterdir()], ["s.toml"])

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            self.assertIn("standard output", self.refusal("bench", "--grains", "50", "--steps", "1", "--json", stdout=full))


class Damage(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("s.toml", poured(duration=0.2))
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.06")
        self.moreau("resume", "run", "--until", "0.12")

    def damage(self, name, how):
        file = self.path("run") / name
        file.write_bytes(how(bytearray(file.read_bytes())))

    @staticmethod
    def flipped(content):
        for i in range(len(content) // 3, len(content), 50):
            content[i] ^= 0x55
        return content

    def test_newest_checkpoint_gives_way_to_the_one_before(self):
        self.moreau("run", "s.toml", "--out", "whole")
        for how in (lambda c: c[: len(c) // 2], lambda c: b"", self.flipped):
            self.damage("checkpoint.h5", how)
            self.assertLess(self.json_of("info", "run", "--json")["step"], 120)
            self.moreau("resume", "run", "--until", "0.12")
            self.assertIn("taking checkpoint.previous.h5", (self.path("run") / "log.txt").read_text())
        self.moreau("resume", "run")
        self.assert_same_run("run", "whole")

    def test_what_is_missing_is_said(self):
        (self.path("run") / "series.csv").unlink()
        (self.path("run") / "frames" / "frame_000001.h5").unlink()
        said = self.moreau("resume", "run", "--until", "0.14")
        self.assertIn("warning: series.csv is missing; it begins anew after step 120", said)
        self.assertIn("warning: 1 of the 3 frames before step 120 are missing", said)

    def test_tables_that_were_cut_are_told(self):
        self.write("m.toml", poured(duration=0.2) + '[[measure]]\nname = "c"\nquantity = "coordination"\nevery = 0.01\n')
        self.moreau("run", "m.toml", "--out", "sampled", "--until", "0.12")
        folder = self.path("sampled")
        lines = {name: len((folder / name).read_bytes().splitlines()) for name in ("series.csv", "measures/c.csv")}
        for name, kept in (("series.csv", 31), ("measures/c.csv", 5)):
            (folder / name).write_bytes(b"".join((folder / name).read_bytes().splitlines(True)[:kept]))
        said = self.moreau("resume", "sampled", "--until", "0.14")
        for name, kept in (("series.csv", 31), ("measures/c.csv", 5)):
            self.assertIn(f"warning: {name} has {kept} of its {lines[name]} lines up to step 120; it goes on after that step", said)
        self.assertNotIn("lines up to step", self.moreau("resume", "sampled"))  # said once; what is there is whole again

    def test_provenance_damaged(self):
        """Said before anything is computed, and not in the words of a library."""
        for content in (b"[1, 2]", b"{", b"\xff", b'{"version": 3}'):
            file = self.path("run") / "provenance.json"
            whole = file.read_bytes()
            file.write_bytes(content)
            for command in ("resume", "info"):
                self.assertEqual(self.refusal(command, "run"), "run/provenance.json: is damaged; version, commit, seed and threads of the run are expected in it")
            file.write_bytes(whole)
        self.assertEqual(self.json_of("info", "run", "--json")["step"], 120)

    def test_pipes_in_the_place_of_files(self):
        """A reader would wait for ever for their writer."""
        for name in ("scene.toml", "provenance.json", "checkpoint.h5"):
            file = self.path("run") / name
            whole = file.read_bytes()
            file.unlink()
            os.mkfifo(file)
            (self.path("run") / "checkpoint.previous.h5").unlink(missing_ok=True)
            for command in ("resume", "info", "draw") if name != "provenance.json" else ("resume", "info"):
                self.assertIn(f"run/{name}: is not a file", self.refusal(command, "run"))
            file.unlink()
            file.write_bytes(whole)

    def test_pipes_in_the_place_of_files_that_are_written(self):
        for name in ("log.txt", "series.csv", "checkpoint.h5.tmp", "summary.json.tmp", "trajectory.h5.tmp"):
            file = self.path("run") / name
            whole = file.read_bytes() if file.exists() else None
            file.unlink(missing_ok=True)
            os.mkfifo(file)
            before = {f: f.stat().st_size for f in self.path("run").rglob("*")}
            with self.subTest(name):
                self.assertIn(f"run/{name}: is not a file", self.refusal("resume", "run", "--until", "0.3"))
                if name == "series.csv":
                    self.assertIn("run/series.csv cannot be read", self.refusal("draw", "run", "--y", "time", "-o", "p.png"))
                    self.assertIn("run/series.csv: is not a file", self.start("ensemble", "run", "--curve", "contacts").communicate(timeout=60)[1])
                self.assertEqual({f: f.stat().st_size for f in self.path("run").rglob("*")}, before)
            file.unlink()
            if whole is not None:
                file.write_bytes(whole)

    def test_both_checkpoints_damaged(self):
        self.damage("checkpoint.h5", lambda c: c[:500])
        self.damage("checkpoint.previous.h5", self.flipped)
        before = self.everything("run")
        for command in ("resume", "info", "draw"):
            self.assertRegex(self.refusal(command, "run"), r"run/checkpoint.h5: .*; and run/checkpoint.previous.h5: ")
        self.assertEqual(self.everything("run"), before)
        self.moreau("draw", "run", "--frame", "1", "-o", "frame.png")

    def test_scene_edited_after_the_start(self):
        scene = self.path("run") / "scene.toml"
        text = scene.read_text()
        for edited, sentence in {
            text.replace("dimension = 2", "dimension = 2\nnonsense = 1"): r"^run/scene.toml:3:1: unknown key 'nonsense'",
            text[: text.rindex("[[source]]")]: r"run/scene.toml: does not fit the checkpoint",
            text[: text.index("[[wall]]")] + text[text.index("[[grains]]"):]: r"run/scene.toml: does not fit the checkpoint",
            BALLS: r"holds a run in 2 dimensions where 3 are expected",
        }.items():
            scene.write_text(edited)
            for command in ("resume", "info", "draw", "equilibrium"):
                with self.subTest(sentence + " " + command):
                    self.assertRegex(self.refusal(command, "run"), sentence)
        scene.write_text(text.replace("duration = 0.2", "duration = 0.25"))
        for command in (["resume", "run"], ["view", "run", "--html", "p.html"], ["draw", "run", "--y", "contacts", "-o", "p.png"],
                        ["ensemble", "run", "--value", "n=last(contacts)"]):
            self.assertRegex(self.refusal(*command), r"was changed since the checkpoint of this run was computed")
        self.assertFalse(self.path("p.html").exists() or self.path("p.png").exists())
        self.moreau("resume", "run", "--changed")
        self.assertEqual(self.json_of("info", "run", "--json")["step"], 250)


if __name__ == "__main__":
    unittest.main()
