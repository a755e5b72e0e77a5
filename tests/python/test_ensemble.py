"""`moreau ensemble` as a user meets it, against the same numbers taken from the files by hand."""
import csv
import json
import shutil
import signal
import subprocess
import time
import unittest

import numpy as np
from scipy import stats

import moreau as mo
from moreau.formula import FormulaError, evaluate, keep, told
from moreau.program import executable
from scenes import POURED, FolderTest

SHORT = POURED.replace("duration = 0.2", "duration = 0.1")


class EnsembleCommandTest(FolderTest):
    def sweep(self):
        """Two frictions, three seeds; long enough for grains to lie on one another."""
        done = self.moreau("sweep", self.write("a.toml", POURED), "--set", "law.friction=0.1,0.5", "--seeds", "1:3", "--out", "out",
                           "--value", "most=max(contacts)")
        self.assertEqual(done.returncode, 0, done.stderr)
        return mo.Sweep(self.folder / "out")

    def asked(self, *words):
        done = self.moreau("ensemble", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def refused(self, *words):
        done = self.moreau("ensemble", *words)
        self.assertNotEqual(done.returncode, 0)
        self.assertTrue(done.stderr.startswith("moreau: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_one_run_has_no_error(self):
        done = self.moreau("sweep", self.write("a.toml", SHORT), "--set", "law.friction=0.1,0.5", "--out", "out", "--value", "most=max(contacts)")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = self.asked("out")
        self.assertNotIn("nan", said)
        self.assertEqual(said.count("one run"), 2)

    def test_the_same_run_is_counted_once(self):
        file = self.write("a.toml", SHORT)
        for seed in (1, 2):
            self.assertEqual(self.moreau("run", file, "--out", f"r{seed}", "--set", f"seed={seed}").returncode, 0)
        two = self.asked("r1", "r2", "--value", "n=last(contacts)", "--json")
        shutil.copytree(self.folder / "r1", self.folder / "copy")
        done = self.moreau("ensemble", "r1", "r2", "r1", "./r1", "copy", "--value", "n=last(contacts)", "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)), (0, json.loads(two)), done.stderr)
        self.assertEqual(json.loads(two)[0]["runs"], 2)
        self.assertEqual(done.stderr.count("is named twice (as r1): it is counted once"), 2, done.stderr)
        self.assertIn("moreau: warning: copy has come to the same state as r1: it is counted once", done.stderr)
        with self.assertWarnsRegex(mo.DoubtfulRun, "counted once"):
            runs = mo.Ensemble([mo.open(self.folder / "r1"), mo.open(self.folder / "r1")])
        self.assertTrue(len(runs) == 1 and np.isnan(runs.mean(lambda run: run.summary["contacts"]).error))

    def test_a_seed_on_which_nothing_depends_is_no_chance(self):
        scene = self.write("b.toml", "dimension = 2\ngravity = 1\ntime = { step = 1e-2, duration = 0.1 }\nmaterial = { density = 1 }\n"
                           "law = { friction = 0.5 }\ngrain = { position = [0, 1], radius = 1 }\nwall = { plane = { normal = [0, 1] } }\n")
        self.assertEqual(self.moreau("sweep", scene, "--seeds", "1:3", "--out", "out").returncode, 0)
        done = self.moreau("ensemble", "out", "--value", "n=last(contacts)", "--json")
        self.assertEqual(json.loads(done.stdout)[0]["runs"], 1, done.stderr)
        self.assertEqual(done.stderr.count("counted once"), 2, done.stderr)
        self.assertIn("out is named twice", self.refused("out", "./out", "--value", "n=last(contacts)"))

    def test_what_is_not_finished_is_told(self):
        file = self.write("a.toml", SHORT)
        self.assertEqual(self.moreau("run", file, "--out", "run", "--until", "0.05").returncode, 0)
        done = self.moreau("ensemble", "run", "--value", "n=last(contacts)")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "moreau: warning: run is not finished: it has come to t = 0.05 of 0.1\n")
        self.assertEqual(self.moreau("sweep", file, "--seeds", "1:2", "--out", "out").returncode, 0)
        (self.folder / "out" / "runs" / "0002" / "summary.json").unlink()
        table = self.folder / "out" / "table.csv"
        table.write_text(table.read_text().replace("0002,2,finished", "0002,2,interrupted"))
        self.assertIn("out: 1 of its 2 runs is not finished and left out", self.moreau("ensemble", "out", "--value", "n=last(contacts)").stderr)

    def test_a_sweep_in_its_first_run(self):
        file = self.write("a.toml", SHORT.replace("duration = 0.1", "duration = 100"))
        sweep = subprocess.Popen([executable(), "sweep", file, "--seeds", "1:2", "--out", "out"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        try:
            limit = time.monotonic() + 60
            while time.monotonic() < limit and not (self.folder / "out" / "runs" / "0001" / "series.csv").exists():
                time.sleep(0.01)
            done = self.moreau("ensemble", "out", "--value", "n=last(contacts)")
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, "moreau: warning: out: 2 of its 2 runs are not finished and left out\nmoreau: out: no run has finished\n")
            (self.folder / "out" / "table.csv").unlink()
            self.assertIn("out: has no table.csv", self.refused("out", "--value", "n=last(contacts)"))
            done = self.moreau("ensemble", "out/runs/0001", "--value", "n=last(contacts)")
            self.assertRegex(done.stderr, r"^moreau: warning: out/runs/0001 is not finished: it has come to t = [\d.e-]+ of 100\n")
        finally:
            sweep.send_signal(signal.SIGINT)
            sweep.wait(60)

    def test_streams_and_files_that_cannot_be_written_are_told(self):
        self.assertEqual(self.moreau("run", self.write("a.toml", SHORT), "--out", "run").returncode, 0)
        command = f'"{executable()}" ensemble run --value "n=last(contacts)"'
        for redirected in (">/dev/full", ">&-"):
            done = subprocess.run(["sh", "-c", f"{command} {redirected}"], cwd=self.folder, text=True, capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (1, "moreau: the standard output cannot be written\n"), redirected)
        done = subprocess.run(["bash", "-c", f"{command} | true"], cwd=self.folder, text=True, capture_output=True, check=False)
        self.assertEqual(done.stderr, "")
        (self.folder / "old.csv").write_text("old")
        self.assertIn("full: cannot be written: No space left on device", self.refused("run", "--value", "n=last(contacts)", "--csv", "/dev/full"))
        self.assertIn("nowhere/a.csv: cannot be written: No such file", self.refused("run", "--value", "n=last(contacts)", "--csv", "nowhere/a.csv"))
        self.assertIn("accepted: a name that ends in .png", self.refused("run", "--curve", "contacts", "-o", "a.xyz"))
        self.asked("run", "--value", "n=last(contacts)", "--csv", "old.csv")
        self.assertTrue((self.folder / "old.csv").read_text().startswith("ensemble,"))
        self.assertEqual([f.name for f in self.folder.iterdir() if "tmp" in f.name], [])

    def test_times_that_miss_by_roundings_are_meant(self):
        columns = {"time": np.array([1.2, 1.2499999999999178, 1.3])}
        for condition, count in (("time=1.25", 1), ("time>=1.25", 2), ("time>1.25", 1), ("time<=1.25", 2), ("time<1.25", 1)):
            self.assertEqual(len(keep(columns, condition)["time"]), count, condition)

    def test_means_curves_histograms_and_tests_are_those_of_the_files(self):
        sweep = self.sweep()
        series = {f: [run.series for _, run in sweep.runs(friction=f)] for f in (0.1, 0.5)}

        rows = json.loads(self.asked("out", "--value", "end=last(contacts / bodies)", "--json"))
        self.assertEqual([row["law.friction"] for row in rows], [0.1, 0.5])
        for row in rows:
            each = [s["contacts"][-1] / s["bodies"][-1] for s in series[row["law.friction"]]]
            self.assertAlmostEqual(row["end"], np.mean(each))
            self.assertAlmostEqual(row["end_error"], np.std(each, ddof=1) / np.sqrt(3))
            self.assertEqual(row["runs"], 3)
        for row in json.loads(self.asked("out", "--json")):  # what the sweep has told
            self.assertAlmostEqual(row["most"], np.mean([s["contacts"].max() for s in series[row["law.friction"]]]))

        said = self.asked("out", "--curve", "contacts", "--points", "11", "--only", "time>0.05", "-o", "curve.png", "--csv", "curve.csv",
                          "--label", "smooth", "--label", "rough", "--x-label", "time [s]")
        self.assertEqual(said, "wrote curve.png\nwrote curve.csv\n")
        self.assertTrue((self.folder / "curve.png").read_bytes().startswith(b"\x89PNG"))
        with open(self.folder / "curve.csv", newline="") as file:
            curve = [row for row in csv.DictReader(file) if row["ensemble"] == "rough"]
        self.assertEqual(len(curve), 11)
        self.assertGreater(float(curve[0]["x"]), 0.05)
        x = float(curve[4]["x"])
        each = [np.interp(x, s["time"], s["contacts"]) for s in series[0.5]]
        self.assertAlmostEqual(float(curve[4]["mean"]), np.mean(each))
        self.assertAlmostEqual(float(curve[4]["error"]), np.std(each, ddof=1) / np.sqrt(3))

        all_forces = {f: [run.frames[-1].contacts.normal_force for _, run in sweep.runs(friction=f)] for f in (0.1, 0.5)}
        forces = {f: np.concatenate([one[one > 1e-6 * one[one > 0].mean()] for one in runs]) for f, runs in all_forces.items()}
        self.assertLess(len(forces[0.1]), sum(map(len, all_forces[0.1])))  # some touch without a push
        mean = json.loads(self.asked("out", "--data", "contacts", "--value", "f=mean(normal_force)", "--json"))[0]
        measured = [mo.measure(run, "forces") for _, run in sweep.runs(friction=0.1)]
        self.assertAlmostEqual(mean["f"], np.mean([m.only(np.asarray(m["component"]) == "normal")["mean"][0] for m in measured]))
        every = json.loads(self.asked("out", "--data", "all-contacts", "--ks", "normal_force", "--against", "expon", "--json"))
        self.assertEqual(every[0]["values"], sum(map(len, all_forces[0.1])))
        bins = json.loads(self.asked("out", "--data", "contacts", "--histogram", "normal_force", "--bins", "8", "--json"))
        smooth = [row for row in bins if row["ensemble"] == "friction 0.1"]
        self.assertAlmostEqual(sum(row["density"] * (row["to"] - row["from"]) for row in smooth), 1.0)
        inside = np.sum((forces[0.1] >= smooth[0]["from"]) & (forces[0.1] < smooth[0]["to"]))
        self.assertAlmostEqual(smooth[0]["density"] * (smooth[0]["to"] - smooth[0]["from"]), inside / len(forces[0.1]))

        two = json.loads(self.asked("out", "--data", "contacts", "--ks", "normal_force", "--json"))
        expected = stats.ks_2samp(forces[0.1], forces[0.5])
        self.assertEqual(len(two), 1)
        self.assertAlmostEqual(two[0]["D"], expected.statistic)
        self.assertAlmostEqual(two[0]["p"], expected.pvalue)
        one = json.loads(self.asked("out", "--data", "contacts", "--ks", "normal_force", "--against", "expon:0,2", "--json"))
        expected = stats.kstest(forces[0.5], "expon", args=(0, 2))
        self.assertAlmostEqual(one[1]["D"], expected.statistic)
        self.assertIn("seldom independent", self.asked("out", "--data", "bodies", "--ks", "speed", "--against", "norm"))

        self.asked("out", "--data", "coordination", "--value", "z=mean(coordination)")  # a quantity of moreau measure
        self.asked("out/runs/0001", "out/runs/0002", "--value", "end=last(time)")
        groups = sweep.ensembles()
        self.assertEqual([(values, len(runs)) for values, runs in groups], [({"law.friction": 0.1}, 3), ({"law.friction": 0.5}, 3)])
        self.assertEqual(len(sweep.ensembles(chance=("seed", "friction"))), 1)

        self.asked("out", "--value", "end=last(contacts)", "--value", "most=max(contacts)", "-o", "value.svg", "--x", "friction")
        figure = (self.folder / "value.svg").read_text()
        for word in ("law.friction", "end = last(contacts)", "most = max(contacts)", "mean of 3 runs; bars: ± standard error"):
            self.assertIn(f"<!-- {word} -->", figure)
        self.asked("out", "--curve", "kinetic", "-o", "curve.svg", "--label", "smooth", "--label", "rough")
        figure = (self.folder / "curve.svg").read_text()
        for word in ("smooth", "rough", "mean of 3 runs; band: ± standard error"):
            self.assertIn(f"<!-- {word} -->", figure)
        self.asked("out", "-o", "told.png")  # the values that the sweep has told
        self.assertTrue((self.folder / "told.png").read_bytes().startswith(b"\x89PNG"))

        for words, sentence in ((("out", "--value", "a=max(contcats)"), "there is no column 'contcats'; did you mean 'contacts'?"),
                                (("out", "--value", "peak"), "accepted: NAME=FUNCTION(FORMULA)"),
                                (("out", "--value", "a=mode(time)"), "there is no function 'mode'"),
                                (("out", "--value", "dt=max(time)-min(time)"), "one function around all, as dt=mean(max(time)-min(time))"),
                                (("out", "--value", "r=140/mean(time)"), "one function around all, as r=mean(140/mean(time))"),
                                (("out", "--value", "a=last(time)", "--x", "nonsense"), "--x belongs to --curve"),
                                (("out", "--value", "a=last(time)", "--x", "nonsense", "-o", "a.png"), "a key of the sweep: law.friction"),
                                (("out", "--curve", "time", "--label", "a"), "there are 2 ensembles"),
                                (("out", "--ks", "time", "-o", "a.png"), "a test is printed"),
                                (("out", "--ks", "time", "--against", "gauss"), "a continuous distribution of scipy.stats"),
                                (("out", "--curve", "time", "--data", "measures/no.csv"), "does not exist"),
                                (("out", "--curve", "time", "--data", "contcats"), "a quantity of moreau measure"),
                                (("out", "--curve", "time", "--only", "time>9"), "no row of series.csv is left"),
                                (("out", "--data", "forces", "--value", "f=mean(mean)"), "accepted: --only component=normal"),
                                (("out", "--data", "fabric", "--value", "a=mean(anisotropy)"), "several set (all, weak, strong)"),
                                (("out", "--value", "a=max(time)", "--only", "time=abc"), "'time' is a column of numbers; accepted: a number"),
                                (("out", "--curve", "__import__('os')"), "there is no function"),
                                (("out", "--curve", "time", "--ks", "time"), "one at a time"),
                                (("out/runs/0001", "--ks", "time"), "needs two ensembles"),
                                (("nowhere", "--curve", "time"), "nowhere"),
                                (("out", "--histogram", "time", "--bins", "1000000000000"), "--bins is 1000000000000; accepted: a whole number from 1 to 1000000"),
                                (("out", "--curve", "time", "--points", "1000000000000"), "--points is 1000000000000; accepted: a whole number from 2 to 1000000"),
                                (("out", "--curve", "time", "--smooth", "nan"), "--smooth is nan; accepted: a width"),
                                (("out", "--curve", "time", "--smooth=-1"), "--smooth is -1; accepted: a width"),
                                (("out", "--value", "v=last(time/0)"), "--value v=last(time/0) is inf; accepted: a formula that is a finite number"),
                                (("out", "--value", "v=max(0/(0*time))"), "--value v=max(0/(0*time)) is nan"),
                                (("out", "--value", "v=last(time)", "--value", "v=max(time)"), "--value names 'v', a column that is there already"),
                                (("out", "--value", "law.friction=last(time)"), "--value names 'law.friction', a column that is there already"),
                                (("out", "--histogram", "0/(0*time)"), "is nowhere a finite number"),
                                (("out", "--ks", "time", "--against", "norm:nan,1"), "parameters of norm: none, then its place and scale"),
                                (("out", "--ks", "time", "--against", "norm:0,-1"), "parameters of norm: none, then its place and scale"),
                                (("out", "--curv", "time", "--bins", "x"), "--bins")):
            self.assertIn(sentence, self.refused(*words), words)
        self.assertIn("usage: moreau ensemble", self.asked("--help"))
        plan = self.folder / "out" / "sweep.json"
        plan.write_text(plan.read_text()[:40])
        self.assertIn("sweep.json: is damaged", self.refused("out", "--curve", "time"))


    def test_rows_of_several_things_at_one_instant_are_not_mixed(self):
        text = SHORT + "".join(f'[[measure]]\nname = "{name}"\nquantity = "{name}"\nevery = 0.02\n' for name in ("forces", "structure"))
        self.assertEqual(self.moreau("run", self.write("a.toml", text), "--out", "one").returncode, 0)
        forces, bodies = ("one", "--data", "measures/forces.csv"), ("one", "--data", "measures/structure.csv")
        for words in ((*forces, "--curve", "mean"), (*forces, "--curve", "mean", "--x", "time"), (*forces, "--value", "f=mean(mean)"), (*forces, "--value", "f=last(mean)")):
            self.assertIn("several component (normal, tangential) at one instant", said := self.refused(*words), words)
            self.assertIn("--only component=normal", said)
        only = json.loads(self.asked(*forces, "--only", "component=normal", "--value", "f=mean(mean)", "--value", "g=max(mean)", "--json"))[0]
        table = mo.open(self.folder / "one").measures["forces"]
        self.assertAlmostEqual(only["f"], table["mean"][table["component"] == "normal"].mean())
        self.asked(*forces, "--only", "component=normal", "--curve", "mean", "--points", "3")
        self.assertEqual(json.loads(self.asked(*forces, "--value", "g=max(mean)", "--json"))[0]["g"], table["mean"].max())
        self.assertIn("several body (0, 1, 2, 3, 4, 5, 6, 7, ...) at one instant", self.refused(*bodies, "--curve", "carrying_contacts"))
        self.asked(*bodies, "--only", "body=3", "--curve", "carrying_contacts", "--points", "3")
        self.asked(*bodies, "--value", "z=mean(carrying_contacts)")  # of many equal ones

    def test_a_curve_that_goes_back_says_where_and_what_to_choose(self):
        self.assertEqual(self.moreau("run", self.write("a.toml", SHORT), "--out", "one").returncode, 0)
        table = "step,time,phase,radius,height,share\n" + "".join(
            f"{step},{step / 10},,{radius},{height},{radius + height}\n" for step in (1, 2) for radius in (0.1, 0.2) for height in (-1, 0, 1))
        (self.folder / "one" / "measures").mkdir(exist_ok=True)
        (self.folder / "one" / "measures" / "rings.csv").write_text(table)
        rings = ("one", "--data", "measures/rings.csv", "--curve", "share", "--points", "3")
        said = self.refused(*rings, "--x", "height")
        self.assertIn("measures/rings.csv: height, along which the curve goes, falls from 1 to -1 after row 3; rows of several step and radius", said)
        self.asked(*rings, "--x", "height", *said.split(", as ")[1].split())
        self.assertIn("radius, along which the curve goes, stays at 0.1 after row 1; rows of several step and height", self.refused(*rings, "--x", "radius"))
        self.assertIn("--x that increases", self.refused("one", "--curve", "kinetic", "--x", "3 - time"))

    def test_a_curve_through_rows_of_several_walls_is_refused(self):
        self.write("a.toml", SHORT.replace("dimension = 2", 'dimension = 2\nunits = { length = "m", mass = "kg", time = "s" }')
                   + '[[measure]]\nquantity = "wall-drive"\nevery = 0.01\n')
        self.assertEqual(self.moreau("run", "a.toml", "--out", "run").returncode, 0)
        said = self.refused("run", "--data", "measures/wall-drive.csv", "--curve", "force_y")
        self.assertIn("has rows of several wall (tray.left", said)
        choice = said.split("accepted: ")[1].split(",")[0].split()
        self.asked("run", "--data", "measures/wall-drive.csv", "--curve", "force_y", *choice, "-o", "curve.svg")
        figure = (self.folder / "curve.svg").read_text()
        for word in ("time [s]", "force_y [kg m/s²]"):
            self.assertIn(f"<!-- {word} -->", figure)


class FormulaTest(FolderTest):
    def test_formulas_are_read_and_never_executed(self):
        columns = {"a": np.array([1.0, 2.0, 4.0]), "b": np.array([1, 1, 2]), "phase": np.array(["x", "y", "y"])}
        np.testing.assert_allclose(evaluate("-(a + 2*b)/b", columns), [-3, -4, -4])
        np.testing.assert_allclose(evaluate("a / mean(a)", columns), columns["a"] / (7 / 3))
        np.testing.assert_allclose(evaluate("sqrt(abs(-a)) + 1e-1", columns), np.sqrt(columns["a"]) + 0.1)
        np.testing.assert_allclose(evaluate("3", columns), [3, 3, 3])
        for wrong in ("a +", "c", "a.shape", "a[0]", "phase", "open('x')", "a if b else a", "lambda: a", "a and b", "mean(a, b)"):
            with self.assertRaises(FormulaError, msg=wrong):
                evaluate(wrong, columns)
        np.testing.assert_allclose(keep(columns, "phase=y")["a"], [2, 4])
        np.testing.assert_allclose(keep(columns, "a>=2")["b"], [1, 2])
        np.testing.assert_allclose(keep(columns, "b=1")["a"], [1, 2])
        self.assertEqual(told("peak = max(a / b)"), ("peak", "max", "a / b"))

    def test_where_x_stays_the_curve_jumps(self):
        """From the first y of those of one x to the last, at which it is their mean, not whichever comes last."""
        runs = mo.Ensemble([1.0])
        _, y, _ = runs.curve(lambda _: ([0, 0, 1, 1, 1, 2], [4, 0, 1, 5, 3, 4]), [0, 0.5, 1 - 1e-9, 1, 1 + 1e-9, 1.5, 2])
        np.testing.assert_allclose(y, [2, 0.5, 1, 3, 3, 3.5, 4], atol=1e-7)
        with self.assertRaisesRegex(ValueError, "must increase; that of 1.0 goes from 2 back to 1 after its point 2"):
            runs.curve(lambda _: ([0, 2, 1], [0, 0, 0]), [0, 1])
        with self.assertRaisesRegex(TypeError, "first a function of a run"):
            runs.curve([0, 1], lambda _: ([0, 1], [0, 1]))

    def test_smoothing_keeps_lines_and_quiets_noise(self):
        x = np.linspace(0, 1, 201)
        places = np.linspace(0, 1, 7)
        _, line, _ = mo.Ensemble([2.0]).curve(lambda slope: (x, slope * x), places, smooth=0.2)
        np.testing.assert_allclose(line, 2 * places, atol=1e-12)
        noise = np.random.default_rng(3).normal(size=201)
        _, rough, _ = mo.Ensemble([0]).curve(lambda _: (x, noise), x[50:150])
        _, quiet, _ = mo.Ensemble([0]).curve(lambda _: (x, noise), x[50:150], smooth=0.2)
        self.assertLess(quiet.std(), 0.4 * rough.std())


if __name__ == "__main__":
    unittest.main()
