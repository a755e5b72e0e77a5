"""Sweeps as a user meets them, and what ensembles say."""
import csv
import signal
import subprocess
import time
import unittest

import numpy as np

import moreau as mo
from moreau.program import executable
from scenes import POURED, FolderTest

SHORT = POURED.replace("duration = 0.2", "duration = 0.02")


class SweepTest(FolderTest):
    def table(self, name="out"):
        with open(self.folder / name / "table.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_every_combination_is_run_and_told(self):
        file = self.write("a.toml", SHORT)
        sweep = mo.sweep(file, {"law.friction": [0.1, 0.3]}, seeds=[1, 2], jobs=2, folder=self.folder / "out",
                         values={"most": "max(contacts)", "end": "last(time)"})
        table = sweep.table
        self.assertEqual(table["status"].tolist(), ["finished"] * 4)
        self.assertEqual(list(zip(table["law.friction"], table["seed"])), [(0.1, 1), (0.1, 2), (0.3, 1), (0.3, 2)])
        np.testing.assert_allclose(table["end"], 0.02)
        runs = list(sweep.runs(friction=0.3))
        self.assertEqual([values["seed"] for values, _ in runs], [1, 2])
        course = mo.Course(mo.load(file, {"law.friction": 0.3, "seed": 2}), threads=1)
        course.run()
        self.assertEqual(course.hash, runs[1][1].summary["state_hash"])
        self.assertEqual(table["most"][3], runs[1][1].series["contacts"].max())
        with self.assertRaisesRegex(KeyError, "no key 'fiction'"):
            list(sweep.runs(fiction=1))
        self.assertEqual(sweep.failures, {})

    def test_the_same_command_goes_on_and_another_is_refused(self):
        self.write("a.toml", SHORT)
        command = ("sweep", "a.toml", "--set", "law.friction=0.1,0.2", "--out", "out")
        first = self.moreau(*command)
        self.assertEqual(first.returncode, 0)
        self.assertTrue(first.stdout.startswith("2 runs in out, 1 at a time; each is told when it has ended\n[1/2]"), first.stdout)
        before = {f: f.stat().st_mtime_ns for f in (self.folder / "out" / "runs").rglob("*") if f.is_file()}
        again = self.moreau(*command)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("2 of 2 runs are there already", again.stdout)
        self.assertEqual(before, {f: f.stat().st_mtime_ns for f in (self.folder / "out" / "runs").rglob("*") if f.is_file()})
        for words in (("--set", "law.restitution=0.1"), ("--set", "law.friction=0.1", "--seeds", "1:2")):
            other = self.moreau("sweep", "a.toml", *words, "--out", "out")
            self.assertEqual(other.returncode, 1)
            self.assertIn("holds a sweep of another scene or of other keys", other.stderr)
        self.assertEqual(before, {f: f.stat().st_mtime_ns for f in (self.folder / "out" / "runs").rglob("*") if f.is_file()})
        replaced = self.moreau("sweep", "a.toml", "--set", "law.restitution=0.1", "--out", "out", "--force")
        self.assertEqual(replaced.returncode, 0, replaced.stderr)
        self.assertEqual([row["law.restitution"] for row in self.table()], ["0.1"])

    def test_further_values_add_runs_and_leave_those_that_are_there(self):
        self.write("a.toml", SHORT)
        self.assertEqual(self.moreau("sweep", "a.toml", "--set", "law.friction=0.1,0.2", "--seeds", "1:2", "--out", "out",
                                     "--value", "end=last(time)").returncode, 0)
        hashes = [row["state_hash"] for row in self.table()]
        added = self.moreau("sweep", "a.toml", "--set", "law.friction=0.2:0.3:0.1", "--seeds", "2:3", "--out", "out")
        self.assertEqual(added.returncode, 0, added.stderr)
        self.assertIn("3 runs are added to the 4", added.stdout)
        table = self.table()
        self.assertEqual([(row["run"], row["law.friction"], row["seed"]) for row in table],
                         [("0001", "0.1", "1"), ("0002", "0.1", "2"), ("0003", "0.2", "1"), ("0004", "0.2", "2"),
                          ("0005", "0.2", "3"), ("0006", "0.3", "2"), ("0007", "0.3", "3")])
        self.assertEqual([row["state_hash"] for row in table[:4]], hashes)
        np.testing.assert_allclose([float(row["end"]) for row in table], 0.02)  # asked for once, told again
        self.assertEqual(len(mo.Sweep(self.folder / "out")), 7)
        self.assertEqual(self.moreau("sweep", "a.toml", "--set", "law.friction=0.15", "--seeds", "1", "--out", "out").returncode, 0)
        self.assertEqual([values["law.friction"] for values, _ in mo.Sweep(self.folder / "out").ensembles()], [0.1, 0.15, 0.2, 0.3])  # in order
        with self.assertRaisesRegex(mo.StoreError, "mo.Sweep"):
            mo.open(self.folder / "out")
        with self.assertRaisesRegex(mo.StoreError, "not the folder of a sweep"):
            mo.Sweep(self.folder / "out" / "runs" / "0001")

    def test_values_that_are_there_in_another_spelling_add_nothing(self):
        self.write("a.toml", SHORT)
        self.assertEqual(self.moreau("sweep", "a.toml", "--set", "law.friction=0.1,0.2", "--out", "out").returncode, 0)
        again = self.moreau("sweep", "a.toml", "--set", "law.friction=0.10,2e-1,0.3", "--out", "out")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("1 runs are added to the 2", again.stdout)
        self.assertEqual([row["law.friction"] for row in self.table()], ["0.1", "0.2", "0.3"])

    def test_numbers_that_are_none_are_told(self):
        self.write("a.toml", SHORT)
        done = self.moreau("sweep", "a.toml", "--seeds", "1", "--out", "out", "--value", "a=mean(time/0)")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"time/0 is no finite number in any of its \d+ rows")

    def test_doubts_are_told(self):
        file = self.write("a.toml", SHORT)
        with self.assertWarnsRegex(mo.DoubtfulRun, "steps that did not converge"):
            sweep = mo.sweep(file, {"solver.max_sweeps": [1], "solver.finish": [False], "solver.tolerance": [1e-9],
                                    "time.duration": [0.3]}, folder=self.folder / "out")
        self.assertGreater(sweep.table["unconverged_steps"][0], 0)
        self.assertGreaterEqual(sweep.table["worst_penetration"][0], 0)
        with self.assertWarnsRegex(mo.DoubtfulRun, "did not converge"):
            run = mo.run(file, self.folder / "run", settings={"solver.max_sweeps": 1, "solver.finish": False,
                                                              "solver.tolerance": 1e-9, "time.duration": 0.3})
        course = run.course(threads=1)
        self.assertEqual(course.unconverged, run.summary["run"]["unconverged_steps"])
        self.assertIn("did not converge", course.warnings[-1])

    def test_a_run_that_was_killed_is_resumed(self):
        self.write("a.toml", POURED.replace("duration = 0.2", "duration = 1.0"))
        command = [executable(), "sweep", "a.toml", "--seeds", "1:2", "--out", "out"]
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        series = self.folder / "out" / "runs" / "0001" / "series.csv"
        limit = time.monotonic() + 60
        while time.monotonic() < limit and not (series.exists() and series.read_bytes().count(b"\n") > 20):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 130)
        self.assertEqual(self.table()[0]["status"], "interrupted")
        done = self.moreau(*command[1:])
        self.assertEqual(done.returncode, 0, done.stderr)
        whole = mo.Course(mo.load(self.folder / "a.toml", {"seed": 1}), threads=1)
        whole.run()
        self.assertEqual(self.table()[0]["state_hash"], whole.hash)

    def test_runs_that_until_has_stopped_are_not_finished(self):
        self.write("a.toml", POURED.replace("duration = 0.2", "duration = 0.06"))
        command = ("sweep", "a.toml", "--out", "out", "--value", "end=last(time)")
        done = self.moreau(*command, "--seeds", "1:2", "--until", "0.02")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("0 of 2 runs are finished, 2 stopped by --until", done.stdout)
        self.assertEqual([(row["status"], round(float(row["end"]), 9)) for row in self.table()], [("stopped", 0.02)] * 2)
        self.assertEqual(len(list(mo.Sweep(self.folder / "out").runs())), 2)  # all of them alike
        again = self.moreau(*command, "--seeds", "1:2", "--until", "0.02")
        self.assertIn("2 of 2 runs are there already", again.stdout)
        self.assertEqual(self.moreau(*command, "--seeds", "1").returncode, 0)  # carries on all that are there
        self.assertEqual([row["status"] for row in self.table()], ["finished"] * 2)
        mixed = self.moreau(*command, "--seeds", "3", "--until", "0.02")
        self.assertEqual(mixed.returncode, 0, mixed.stderr)
        self.assertIn("do not end alike", mixed.stderr)
        self.assertEqual([row["status"] for row in self.table()], ["finished", "finished", "stopped"])
        self.assertEqual([values["seed"] for values, _ in mo.Sweep(self.folder / "out").runs()], [1, 2])
        said = self.moreau("ensemble", "out")
        self.assertEqual(said.stderr, "moreau: warning: out: 1 of its 3 runs is not finished and left out; stopped by --until, and others went farther: "
                                      "0003 (t = 0.02)\n")
        self.assertRegex(said.stdout, r"2 +0\.06 +")

    def test_of_runs_stopped_at_several_times_the_latest_count(self):
        self.write("a.toml", POURED.replace("duration = 0.2", "duration = 0.06"))
        for seed, until in (("1", "0.0404"), ("2", "0.02")):  # between two steps, too
            self.assertEqual(self.moreau("sweep", "a.toml", "--seeds", seed, "--until", until, "--out", "out").returncode, 0)
        said = self.moreau("ensemble", "out", "--value", "end=last(time)")
        self.assertEqual(said.stderr, "moreau: warning: out: its runs are not finished: they are taken up to t = 0.04, where --until has stopped them\n"
                                      "moreau: warning: out: 1 of its 2 runs is not finished and left out; stopped by --until, and others went farther: "
                                      "0002 (t = 0.02)\n")

    def test_failures_are_listed(self):
        self.write("a.toml", SHORT.replace("duration = 0.02", "duration = 0.5"))
        done = self.moreau("sweep", "a.toml", "--set", "solver.on_limit=stop", "--set",
                           "solver.tolerance=1e-9", "--set", "solver.finish=false", "--set", "solver.max_sweeps=1", "--out", "out")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("failed: 0001", done.stdout)
        self.assertIn("did not converge", self.table()[0]["reason"])

    def test_wrong_values_are_told_before_anything_runs(self):
        self.write("a.toml", SHORT)
        for words, sentence in ((("--set", "law.friction=0.1,-2"), "--set law.friction=-2: key 'law.friction' is -2"),
                                (("--set", "law.friction=0.1,"), "a value is missing"),
                                (("--seeds", "8:1"), "--seeds is '8:1'; accepted: FIRST:LAST"),
                                (("--seeds", "1:2", "--value", "peak"), "accepted: NAME=FUNCTION(FORMULA)"),
                                (("--seeds", "1:2", "--value", "a=median(time)"), "there is no function 'median'"),
                                (("--seeds", "1:2", "--value", "contacts=last(contacts)"), "has a column 'contacts' already; accepted: another name"),
                                (("--seeds", "1:2", "--value", "seed=last(time)"), "has a column 'seed' already, of what is varied; accepted: another name"),
                                (("--set", "law.friction=0.1,0.2", "--value", "law.friction=last(time)"), "has a column 'law.friction' already, of what is varied"),
                                (("--seeds", "1:2", "--value", "a=last(time)", "--value", "a=max(time)"), "--value names 'a' twice"),
                                (("--seeds", "1:2", "--value", "a=max(contcats)"), "there is no column 'contcats'"),
                                (("--seeds", "1:2", "--value", "a=max(contacts)", "--only", "phse=x"), "there is no column 'phse'"),
                                (("--set", "law.friction=0.5:0.1:0.1"), "'0.5:0.1:0.1' is no range"),
                                (("--set", "law.friction=0.1:0.5:0"), "'0.1:0.5:0' is no range"),
                                (("--set", "law.friction=0.1:0.5"), "FIRST:LAST of whole numbers"),
                                (("--set", "seed=1,2", "--seeds", "3,4"), "seeds are given twice"),
                                (("--seeds", "1,2,1"), "seed is 1 twice"),
                                (("--set", "law.friction=0.1,0.10"), "law.friction is 0.10 twice (0.1 and 0.10)"),
                                (("--set", "law.friction=0.1:0.3:0.1,2e-1"), "(0.2 and 2e-1)"),
                                (("--set", "law.friction=1,1.0"), "(1 and 1.0)"),
                                (("--set", "law.friction=0.1", "--set", "law.friction=0.2"), "--set law.friction is given twice"),
                                (("--set", "grains.count=3,4", "--set", "grains[1].count=5,6"), "have the same scene"),
                                (("--set", "law.friction=0.1,1e400"), "a number out of range"),
                                ((), "a sweep needs something to change")):
            done = self.moreau("sweep", "a.toml", "--out", "out", *words)
            self.assertEqual(done.returncode, 1, words)
            self.assertIn(sentence, done.stderr)
            self.assertFalse((self.folder / "out").exists())

    def test_a_column_that_a_measure_lacks_is_no_success(self):
        self.write("a.toml", SHORT + '[[measure]]\nquantity = "coordination"\nevery = 0.01\n')
        done = self.moreau("sweep", "a.toml", "--seeds", "1:1", "--out", "out", "--data", "measures/coordination.csv", "--value",
                           "a=max(heights)")
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no column 'heights'", done.stderr)

    def test_curves_of_several_runs_share_a_picture(self):
        self.write("a.toml", SHORT)
        self.assertEqual(self.moreau("sweep", "a.toml", "--seeds", "1:2", "--out", "out").returncode, 0)
        runs = ["out/runs/0001", "out/runs/0002"]
        done = self.moreau("draw", *runs, "--y", "contacts", "--only", "time>0.01", "-o", "a.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / "a.svg").read_text()
        self.assertTrue("seed = 1" in text and "seed = 2" in text)
        done = self.moreau("draw", *runs, "--y", "contacts", "--label", "first", "--label", "second", "-o", "b.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue("second" in (self.folder / "b.svg").read_text())
        self.assertIn("there are 2 curves", self.moreau("draw", *runs, "--y", "contacts", "--label", "a", "--label", "b", "--label", "c").stderr)
        self.assertIn("draw shows one run, not 2", self.moreau("draw", *runs).stderr)
        self.assertIn("no row of", self.moreau("draw", *runs, "--y", "contacts", "--only", "time>9").stderr)
        self.assertIn("accepted: COLUMN=VALUE", self.moreau("draw", *runs, "--y", "contacts", "--only", "time~9").stderr)
        self.assertIn("no row of", self.moreau("draw", *runs, "--y", "contacts", "--phase", "shear").stderr)


class EnsembleTest(FolderTest):
    def test_means_and_standard_errors(self):
        runs = mo.Ensemble([1.0, 2.0, 4.0])
        mean = runs.mean(lambda run: run)
        self.assertAlmostEqual(mean.value, 7 / 3)
        self.assertAlmostEqual(mean.error, np.sqrt(((1 - 7 / 3) ** 2 + (2 - 7 / 3) ** 2 + (4 - 7 / 3) ** 2) / 2 / 3))
        x, value, error = runs.curve(lambda slope: (np.array([0.0, 1.0]), slope * np.array([0.0, 1.0])), [0.5, 2.0])
        self.assertAlmostEqual(value[0], 7 / 6)
        self.assertAlmostEqual(error[0], mean.error / 2)
        self.assertTrue(np.isnan(value[1]))
        self.assertTrue(np.isnan(mo.Ensemble([3.0]).mean(lambda run: run).error))
        with self.assertRaises(ValueError):
            mo.Ensemble([])

    def test_pooled_histograms_and_kolmogorov_smirnov(self):
        random = np.random.default_rng(1)
        samples = [random.normal(size=4000) for _ in range(4)]
        runs = mo.Ensemble(samples)
        histogram = runs.histogram(lambda run: run, bins=np.linspace(-3, 3, 13))
        self.assertAlmostEqual((histogram.density * np.diff(histogram.edges)).sum(), 1.0)
        self.assertEqual(len(runs.pooled(lambda run: run)), 16000)
        self.assertGreater(mo.ks_test(runs.pooled(lambda run: run), "norm").pvalue, 1e-3)
        self.assertGreater(mo.ks_test(samples[0], samples[1]).pvalue, 1e-3)
        self.assertLess(mo.ks_test(samples[0], samples[1] + 0.2).pvalue, 1e-6)
        uniform = mo.ks_test([0.1, 0.5], lambda x: np.clip(x, 0, 1))
        self.assertAlmostEqual(uniform.statistic, 0.5)  # the step at 0.5 from 1/2 to 1 over F = 0.5


if __name__ == "__main__":
    unittest.main()
