"""A run that must stop in the middle leaves the last good state, and says what is left without a word too much."""
import os
import re
import resource
import shutil
import signal
import subprocess
import unittest

from program import BALLS, MOREAU, SANITIZED, ProgramTest, poured

# A cell that widens a thousandfold in every step: the energy of its content overflows after some fifty, velocities much later.
RUNAWAY = """\
dimension = 2
[time]
step = 1
duration = 1e6
[output]
frames = 100
checkpoint = 1000
[material]
density = 1
[law]
friction = 0
[cell]
min = [0, 0]
max = [8, 8]
rate = { xx = 1e3, yy = 1e3 }
[[grains]]
count = 3
diameter = 1
random_speed = 1
"""

# 60 discs that fly through 400 widths of their cell in a step.
FAST = """\
dimension = 2
seed = 1
[time]
step = 0.01
duration = 0.05
[contact]
rule = "predictive"
[material]
density = 1.0
[law]
friction = 0.3
[cell]
min = [0.0, 0.0]
max = [24.0, 24.0]
[[grains]]
count = 60
diameter = { uniform = [0.7, 1.3] }
random_speed = 1e6
"""


class Rescue(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("s.toml", poured(duration=20, checkpoint=1000))

    def left(self, said):
        """Step up to which it claims to be safe, and what a resumed run then begins with."""
        found = re.search(r"up to step (\d+) \(t = \S+\) is safe, go on from there with: moreau resume run", said)
        self.assertIsNotNone(found, said)
        return int(found[1])

    def check_resumes(self, until="0.4"):
        """What was rescued goes on to the same bits."""
        self.moreau("run", "s.toml", "--out", "alone", "--until", until, "--threads", "1")
        self.moreau("resume", "run", "--until", until, "--threads", "1")
        self.assertEqual(self.state_hash("run"), self.state_hash("alone"))
        self.assertEqual(self.series("run"), self.series("alone"))

    def test_energy_that_overflows(self):
        self.write("r.toml", RUNAWAY)
        errors = self.start("run", "r.toml", "--out", "run").communicate(timeout=60)[1]
        found = re.search(r"became infinite or not a number in step (\d+) .*; the state before, of step (\d+) \(t = \S+\), is kept", errors)
        self.assertIsNotNone(found, errors)
        self.assertEqual(int(found[1]), int(found[2]) + 1)
        answer = self.json_of("info", "run", "--json")
        self.assertEqual(answer["step"], int(found[2]))
        self.assertGreater(answer["step"], 1)
        for row in self.series("run")[1:]:
            self.assertNotIn("nan", row)
            self.assertNotIn("inf", row)
        again = self.start("resume", "run")
        self.assertIn(f"in step {found[1]}", again.communicate(timeout=60)[1])
        self.assertEqual(again.returncode, 4)

    def test_hangup(self):
        process = self.start_until(50, "run", "s.toml", "--out", "run", "--threads", "1")
        process.send_signal(signal.SIGHUP)
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130)
        self.assertGreaterEqual(self.left(said), 50)
        self.check_resumes()

    def test_other_signals_that_ask_for_an_end(self):
        for name in ("SIGQUIT", "SIGXCPU"):  # Ctrl-\, and a batch job whose time is over
            with self.subTest(name):
                shutil.rmtree(self.path("run"), ignore_errors=True)
                process = self.start_until(50, "run", "s.toml", "--out", "run", "--threads", "1")
                process.send_signal(signal.Signals[name])
                output, errors = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 130, errors)
                self.assertIn("nothing is lost", output)
                self.assertGreaterEqual(self.json_of("info", "run", "--json")["step"], 50)

    def test_hangup_under_nohup(self):
        process = self.start_until(20, "run", "s.toml", "--out", "run", "--threads", "1",
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        rows = len(self.series("run"))
        self.wait_for_rows(process, "run", rows + 20)
        self.assertIsNone(process.poll())

    def test_output_that_nobody_reads_any_more(self):
        read, write = os.pipe()
        process = self.start("run", "s.toml", "--out", "run", "--threads", "1", stdout=write)
        os.close(write)
        os.read(read, 1)
        os.close(read)
        said = process.communicate(timeout=100)[1]
        self.assertEqual(process.returncode, 130, said)
        self.left(said)

    def test_series_removed_or_replaced(self):
        for k, remove in enumerate((lambda f: f.unlink(), lambda f: f.rename(f.with_suffix(".old")))):
            shutil.rmtree(self.path("run"), ignore_errors=True)
            process = self.start_until(20, "run", "s.toml", "--out", "run", "--threads", "1")
            remove(self.path("run") / "series.csv")
            said = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 1)
            self.assertIn("run/series.csv: was removed or replaced while it was being written", said)
            self.assertGreaterEqual(self.left(said), 19)

    def test_frames_removed(self):
        process = self.start_until(20, "run", "s.toml", "--out", "run", "--threads", "1")
        (self.path("run") / "frames").rename(self.path("elsewhere"))  # at once: the run goes on writing
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 1)
        self.assertRegex(said, r"run/frames/\w+\.\w+: (was removed while the run was being written|cannot be (written|put in place): No such file or directory)")
        self.left(said)
        self.moreau("resume", "run", "--until", "0.4", "--threads", "1")
        self.assertRegex((self.path("run") / "log.txt").read_text(), r"\d+ of the \d+ frames before step \d+ are missing")

    def test_folder_removed(self):
        process = self.start_until(20, "run", "s.toml", "--out", "run", "--threads", "1")
        self.path("run").rename(self.path("elsewhere"))
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 1)
        self.assertNotIn("safe", said)
        self.assertIn("the folder of the run is gone", said)
        self.assertFalse(self.path("run").exists())

    def test_writes_that_fail_leave_the_state_before(self):
        """The series meets the limit on file sizes long after the checkpoints have stopped growing."""
        process = self.start("run", "s.toml", "--out", "run", "--threads", "1",
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, 120_000)))
        said = process.communicate(timeout=100)[1]
        self.assertEqual(process.returncode, 1, said)
        self.assertIn("cannot be written: File too large", said)
        step = self.left(said)
        self.assertEqual(self.json_of("info", "run", "--json")["step"], step)
        if "series.csv" in said:
            self.assertEqual(step, len(self.series("run")) - 1)
        self.assertGreater(step, 0)
        self.check_resumes(until="0.6")


class Descriptors(ProgramTest):
    """Every sampled measure is an open table."""

    def setUp(self):
        super().setUp()
        self.write("s.toml", BALLS + "".join(f'[[measure]]\nname = "m{k}"\nquantity = "stress"\nevery = 0.001\n' for k in range(60)))

    def limited(self, soft, hard):
        return self.start("run", "s.toml", "--out", "run", "--threads", "1", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard)))

    def test_more_are_asked_for(self):
        process = self.limited(40, 200)
        self.assertEqual((process.communicate(timeout=60)[1], process.returncode), ("", 0))

    def test_too_few_leave_the_state_before(self):
        process = self.limited(40, 40)
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 1)
        self.assertRegex(said, r"Too many open files; what was computed up to step \d+ \(t = \S+\) is safe, go on from there with: moreau resume run")
        self.moreau("resume", "run")


@unittest.skipIf(SANITIZED, "memory cannot be limited under a sanitizer")
class Memory(ProgramTest):
    def limited(self, megabytes):
        size = megabytes * 1024 * 1024
        return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))

    def test_scene_that_would_need_too_much_says_how_much(self):
        self.write("s.toml", FAST)
        process = self.start("run", "s.toml", "--out", "run", "--threads", "1", preexec_fn=self.limited(4000))
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 1)
        self.assertRegex(said, r"would need \S+ [GT]B of memory, and \S+ [MG]B can be had; what was computed up to step 0 ")
        usage = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        self.assertLess(usage, 1500)  # megabytes, of all programs of this test

    def test_no_words_of_the_language_when_memory_ends(self):
        self.write("s.toml", BALLS.replace("count = 20", "count = 40000").replace("0.3, -0.3, 0", "3, -3, 0").replace("0.3, 0.3, 0.5", "3, 3, 8"))
        least = next(m for m in range(40, 1000, 4) if self.start("--version", preexec_fn=self.limited(m)).wait() == 0)  # for the libraries
        landed = 0
        for megabytes in range(least + 4, least + 60, 8):
            process = self.start("run", "s.toml", "--out", f"run{megabytes}", "--threads", "1", preexec_fn=self.limited(megabytes))
            output, said = process.communicate(timeout=100)
            if process.returncode == 0:
                break
            landed += 1
            self.assertEqual(process.returncode, 1, said)
            self.assertNotIn("bad_alloc", said)
            self.assertRegex(said, "^moreau: .*(memory|failure of the machine)")
        self.assertGreater(landed, 0)


class Streams(ProgramTest):
    """Standard streams that are closed or full harm nothing."""

    def status(self, command):
        return subprocess.run(["sh", "-c", command], cwd=self.folder, timeout=60, env={**os.environ, "M": MOREAU}).returncode

    def test_errors_that_nobody_hears(self):
        self.write("s.toml", BALLS)
        for where in ("2>&-", "2>/dev/full", ">&- 2>&-", "<&- 2>&-", ">/dev/full 2>/dev/full"):
            with self.subTest(where):
                self.assertEqual(self.status(f'"$M" run missing.toml {where}'), 1)
                self.assertEqual(self.status(f'"$M" nonsense {where}'), 2)

    def test_closed_stream_is_not_mistaken_for_a_file(self):
        self.write("s.toml", BALLS)
        self.moreau("run", "s.toml", "--out", "alone", "--threads", "1")
        for k, where in enumerate(("2>&-", ">&- 2>&-", "<&- >&- 2>&-")):
            with self.subTest(where):
                self.status(f'"$M" run s.toml --out run{k} --threads 1 {where}')
                self.assert_same_run(f"run{k}", "alone")


if __name__ == "__main__":
    unittest.main()
