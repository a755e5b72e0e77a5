"""The library of published experiments: verdicts, pages, pieces that are kept; and parts of the experiments done by hand."""
import importlib.util
import json
import os
import pathlib
import sys
import time
import unittest

import numpy as np
from scenes import FolderTest

import moreau as mo
from moreau.experiment import Laboratory, Report, Section, compared, measured, not_run, stated
from moreau.experiment.page import Circumstances, Quality, write_page, write_results
from moreau.experiment.packing import SMALLEST, against, hill, interval, power, unjudged
from moreau.experiment.vessel import patch

EXPERIMENTS = pathlib.Path(__file__).resolve().parents[2] / "experiments"


def script(experiment, name="run"):
    """A script of an experiment as a module."""
    spec = importlib.util.spec_from_file_location(f"{experiment}_{name}".replace("-", "_"), EXPERIMENTS / experiment / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(EXPERIMENTS / experiment))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


class ReportTest(FolderTest):
    def test_verdict_follows_the_tolerance_and_the_mean_over_runs(self):
        self.assertEqual(compared("x", 1.0, 1.05, 0.06).verdict, "agrees")
        self.assertEqual(compared("x", 1.0, 1.05, 0.04).verdict, "differs")
        self.assertEqual(compared("x", 1.0, [], 10.0).verdict, "differs")
        self.assertEqual(compared("x", 1.0, float("nan"), 1.0).verdict, "differs")
        row = compared("x", 2.0, [1.0, 2.0, 3.0], 0.1)
        self.assertEqual((row.verdict, row.computed_value, row.spread), ("agrees", 2.0, 1.0))
        self.assertAlmostEqual(row.standard_error, 3**-0.5)
        self.assertEqual(measured("x", 0.25).verdict, "shown")
        self.assertEqual(not_run("x", "1", "no time").verdict, "not run")

    def test_published_means_are_judged_by_enough_samples_of_their_size_only(self):
        self.assertEqual(against("x", 1.0, [1.0, 1.1, 0.9], 0.1, SMALLEST).verdict, "agrees")
        self.assertEqual(against("x", 1.0, [2.0, 2.1, 1.9], 0.1, SMALLEST).verdict, "differs")
        self.assertEqual(against("x", 1.0, [1.0, 1.1], 0.1, SMALLEST).verdict, "shown")
        self.assertEqual(against("x", 1.0, [1.0, 1.1, 0.9], 0.1, 100).verdict, "shown")
        self.assertEqual(unjudged(compared("x", 1.0, 2.0, 0.1)).verdict, "shown")

    def test_interval_of_a_mean_over_samples(self):
        random = np.random.default_rng(2)
        groups = {n: list(random.normal(1.0, 0.1, 50)) for n in (1, 2)}
        low, high = interval(groups, lambda g: float(np.mean([np.mean(v) for v in g.values()])))
        self.assertLess(low, 1.0)
        self.assertGreater(high, 1.0)
        self.assertAlmostEqual(high - low, 2 * 1.96 * 0.1 / 10, delta=0.012)

    def test_exponents_of_a_tail_and_of_a_size_law(self):
        random = np.random.default_rng(1)
        mu, error, count = hill(2e-6 * random.random(20000) ** (-1 / 0.5), 5e-6)
        self.assertLess(abs(mu - 0.5), 3 * error)
        self.assertLess(error, 0.01)
        self.assertAlmostEqual(count / 20000, 0.4**0.5, delta=0.02)
        p, error = power([100, 200, 400], [3.0, 3.0 * 2**-1.13, 3.0 * 4**-1.13], [0.1, 0.1, 0.1])
        self.assertAlmostEqual(p, -1.13, places=9)
        self.assertGreater(error, 0)


class PageTest(FolderTest):
    def test_page_holds_its_figures_and_results_the_numbers(self):
        lab = Laboratory(EXPERIMENTS, self.folder, True, 1)
        section = Section("Numbers <1>", rows=[compared("a & b", 1.0, [1.0, 1.2], 0.2), stated("s", "so", "not so", False, "rule")])
        with lab.axes(section, "line.svg", "A \"line\"", xlabel="x") as axes:
            axes.plot([0, 1], [0, 1])
        with lab.axes(section, "line.png", "A line", xlabel="x") as axes:
            axes.plot([0, 1], [0, 1])
        report = Report(["protocol"], [section], ["choice"])
        quality = Quality()
        quality.add("one", 100, {"unconverged_steps": 3, "worst_residual": 0.01, "worst_error": 0.5}, ["it warns"])
        quality.add("two", 50, {"unconverged_steps": 0, "worst_residual": 0.02}, [])
        c = Circumstances("name", "Title", "Source", "moreau reproduce name", "1 (c)", True, 1.0, 2.0, quality)
        write_page(report, c, self.folder / "index.html")
        write_results(report, c, self.folder / "results.json")
        page = (self.folder / "index.html").read_text()
        self.assertEqual(page.count("data:image/svg+xml;base64,"), 1)
        self.assertEqual(page.count("data:image/png;base64,"), 1)
        for text in ("Numbers &lt;1&gt;", "a &amp; b", "3 of 150 steps did not converge", "Reduced form", "worst certified error 5.0e-01"):
            self.assertIn(text, page)
        results = json.loads((self.folder / "results.json").read_text())
        self.assertEqual((results["agrees"], results["differs"], results["shown"], results["unconverged_steps"]), (1, 1, 0, 3))
        self.assertEqual(results["warnings"], ["run one: it warns"])
        self.assertAlmostEqual(results["rows"][0]["standard_error"], 0.1)
        self.assertEqual(results["rows"][1]["rule"], "rule")


class PieceTest(FolderTest):
    def test_piece_is_kept_and_made_anew_when_it_is_of_something_else(self):
        calls = []

        def compute():
            calls.append(1)
            return {"x": np.arange(3), "y": np.float64(0.5)}

        for _ in range(2):
            lab = Laboratory(EXPERIMENTS, self.folder, True, 1)
            self.assertEqual(lab.piece("p", compute, grains=3), {"x": [0, 1, 2], "y": 0.5})
        self.assertEqual(len(calls), 1)
        lab.piece("p", compute, grains=4)
        self.assertEqual(len(calls), 2)
        with self.assertRaisesRegex(TypeError, "numbers, texts"):
            lab.piece("q", lambda: object())

    def test_run_is_kept_resumed_and_replaced(self):
        scene = mo.load(EXPERIMENTS / "classics" / "ping-pong.toml", {"time.duration": 0.05})
        lab = Laboratory(EXPERIMENTS, self.folder, True, 1)
        first = lab.run("ball", scene).summary
        again = lab.run("ball", scene).summary
        self.assertEqual(first, again)
        mo.run(scene, self.folder / "runs" / "half", until=0.02)
        self.assertEqual(lab.run("half", scene).summary["state_hash"], first["state_hash"])
        other = lab.run("ball", mo.load(EXPERIMENTS / "classics" / "ping-pong.toml", {"time.duration": 0.06})).summary
        self.assertGreater(other["step"], first["step"])
        self.assertEqual((lab.quality.runs, lab.quality.steps), (3, 2 * first["step"] + other["step"]))  # the one that was used twice is one run
        self.assertGreater(lab.effort.cpu_seconds, 0.0)

    def test_what_is_used_often_is_counted_once(self):
        scene = mo.load(EXPERIMENTS / "classics" / "ping-pong.toml", {"time.duration": 0.05})
        once = Laboratory(EXPERIMENTS, self.folder, True, 1)
        step = once.run("ball", scene).summary["step"]
        once.piece("p", lambda: 1)
        for file in ("runs/ball.effort.json", "pieces/p.effort.json"):
            (self.folder / file).write_text('{"seconds": 1000.0, "cpu_seconds": 500.0}')
        often = Laboratory(EXPERIMENTS, self.folder, True, 1)
        for _ in range(3):
            often.run("ball", scene)
            often.piece("p", lambda: 1)
        self.assertEqual((often.quality.runs, often.quality.steps), (1, step))
        self.assertAlmostEqual(often.effort.cpu_seconds, 1000.0, delta=100.0)
        self.assertAlmostEqual(often.effort.seconds, 2000.0, delta=200.0)


class AheadTest(FolderTest):
    """Runs and pieces that several processes make."""

    def noted(self, name, value=1.0):
        """A piece that notes which process made it."""
        def compute():
            with open(self.folder / "calls.txt", "a") as file:
                file.write(f"{name} {os.getpid()}\n")
            time.sleep(0.2)
            return value
        return compute

    def calls(self):
        return [line.split() for line in (self.folder / "calls.txt").read_text().splitlines()]

    def test_other_processes_make_each_piece_once_and_the_experiment_finds_them(self):
        lab = Laboratory(EXPERIMENTS, self.folder, True, 1, jobs=3)
        pieces = {f"p{k}": float(k) for k in range(6)}

        def shared():
            """Lasts until all three processes want it, and a second longer."""
            while len(list(self.folder.glob("*.began"))) < 3:
                time.sleep(0.01)
            time.sleep(1.0)
            return self.noted("shared")()

        def task(name, value):
            (self.folder / f"{name}.began").touch()
            # A piece that several tasks need, as a packing is needed by several tests, is made once: the others wait.
            lab.piece("shared", shared)
            lab.piece(name, self.noted(name, value))

        lab.ahead([lambda k=k, v=v: task(k, v) for k, v in pieces.items()])
        made = self.calls()
        self.assertEqual(sorted(name for name, _ in made), ["p0", "p1", "p2", "p3", "p4", "p5", "shared"])
        self.assertEqual(len({process for _, process in made} - {str(os.getpid())}), 3)
        self.assertEqual({k: lab.piece(k, self.noted(k, -1.0)) for k in pieces}, pieces)
        self.assertEqual(self.calls(), made)
        self.assertEqual(list(self.folder.rglob("*.lock")), [])

    def test_one_process_makes_nothing_ahead(self):
        lab = Laboratory(EXPERIMENTS, self.folder, True, 1)
        lab.ahead([lambda: self.fail("made ahead")])
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_failure_is_told_when_the_experiment_comes_to_it(self):
        def fails():
            raise ValueError("no equilibrium")

        lab = Laboratory(EXPERIMENTS, self.folder, True, 1, jobs=2)
        lab.ahead([lambda: lab.piece("bad", fails), lambda: lab.piece("good", self.noted("good"))])
        self.assertEqual([name for name, _ in self.calls()], ["good"])
        with self.assertRaisesRegex(ValueError, "no equilibrium"):
            lab.piece("bad", fails)

    def test_time_of_other_processes_is_counted_once(self):
        def busy():
            end = time.process_time() + 0.5
            while time.process_time() < end:
                pass
            return 0

        lab = Laboratory(EXPERIMENTS, self.folder, True, 1, jobs=2)
        lab.ahead([lambda k=k: lab.piece(f"p{k}", busy) for k in range(4)])
        for k in range(4):
            lab.piece(f"p{k}", busy)
        self.assertGreater(lab.effort.cpu_seconds, 2.0)
        self.assertLess(lab.effort.cpu_seconds, 3.0)

    def test_a_lock_that_was_left_by_a_killed_process_holds_nobody_up(self):
        (self.folder / "pieces").mkdir()
        (self.folder / "pieces" / "p.json.lock").touch()
        self.assertEqual(Laboratory(EXPERIMENTS, self.folder, True, 1).piece("p", lambda: 2), 2)
        self.assertFalse((self.folder / "pieces" / "p.json.lock").exists())


class SamplesTest(FolderTest):
    def seeds(self, *options):
        return Laboratory(EXPERIMENTS, self.folder, False, 1, *options).samples({1024: 20, 1936: 8, 3025: 5})

    def test_number_of_samples_of_all_sizes_or_of_some(self):
        self.assertEqual(self.seeds(), {1024: range(1, 21), 1936: range(1, 9), 3025: range(1, 6)})
        self.assertEqual(self.seeds(6), {1024: range(1, 7), 1936: range(1, 7), 3025: range(1, 6)})
        self.assertEqual(self.seeds({1936: 3, 4900: 2}), {1024: range(1, 21), 1936: range(1, 4), 3025: range(1, 6)})
        self.assertEqual(self.seeds({1936: 3}, 1936), {1024: range(1, 21), 1936: range(1, 4)})


class VesselTest(FolderTest):
    def test_rotation_and_rms_of_a_patch_that_turns(self):
        class Turned:
            random = np.random.default_rng(1)
            place = random.uniform(0, 1, (200, 2))
            position = np.array([place, place + 0.01 * np.column_stack([-place[:, 1], place[:, 0]]) + [0.3, 0.4]])

        found = patch(Turned, 0, 1, (0, 0), (1, 1))
        self.assertAlmostEqual(found.rotation, 0.01, 12)
        self.assertAlmostEqual(found.rms, 0.5, 2)


class StaticsTest(FolderTest):
    HEAD = ("dimension = 2\ngravity = 10\n[time]\nstep = 0.1\nduration = 0.1\n[material]\ndensity = 1\n[law]\nfriction = 0.5\n"
            "[[wall]]\nplane = { normal = [0, 1] }\n")

    @classmethod
    def setUpClass(cls):
        cls.statics = staticmethod(script("indeterminacy").Statics)

    def test_block_on_the_ground_can_squeeze_the_ground_between_its_corners(self):
        s = self.statics(mo.Scene(self.HEAD + "[block]\nsize = [2, 1]\nposition = [0, 0.5]\n"))
        self.assertEqual(s.count, 2)
        self.assertAlmostEqual(s.weight, 2.0)
        for contact in range(2):  # both corners carry half the weight; the horizontal forces cancel, up to friction
            found = s.exact_set(contact)
            np.testing.assert_allclose(found[:, 0], 0.5, atol=1e-9)
            np.testing.assert_allclose([found[:, 1].min(), found[:, 1].max()], [-0.25, 0.25], atol=1e-9)

    def test_set_without_bound_is_told(self):
        s = self.statics(mo.Scene(self.HEAD + "[[wall]]\nplane = { point = [-1, 0], normal = [1, 0] }\n[[wall]]\nplane = { point = [1, 0], "
                                              "normal = [-1, 0] }\n[contact]\ndistance = 1e-6\n[grain]\nposition = [0, 1]\nradius = 1\n"))
        self.assertEqual(s.count, 3)
        for contact in np.flatnonzero(np.abs(s.normal[:, 0]) > 0.5):  # the walls may pinch the disc as they like
            self.assertIsNone(s.normal_range(contact))


class SweepingTest(FolderTest):
    """Moreau's sweeping process (Moreau 2003, sec. 3; 2004, sec. 2)."""

    @classmethod
    def setUpClass(cls):
        cls.sweeping = script("classics", "sweeping")

    def test_catching_up_is_the_projection_and_leaves_inner_points_alone(self):
        np.testing.assert_array_equal(self.sweeping.catching_up(np.array([0.3, 0.4]), 0.5), [0.3, 0.4])
        np.testing.assert_allclose(self.sweeping.catching_up(np.array([-3.0, 4.0]), 0.0), [-0.6, 0.8], rtol=1e-15)

    def test_catching_up_converges_to_the_tractrix_with_order_one(self):
        errors = [np.linalg.norm(self.sweeping.follow(0.1 / 2**k, True)[-1] - self.sweeping.tractrix(2.0)) for k in range(5)]
        np.testing.assert_allclose(errors, [0.01691, 0.00863, 0.00436, 0.00219, 0.00110], atol=5.1e-6)
        np.testing.assert_allclose(np.divide(errors[:-1], errors[1:]), 2.0, atol=0.05)

    def test_explicit_scheme_ends_outside(self):
        for h, listed in ((0.1, 0.049), (0.05, 0.0244), (0.025, 0.0121), (0.0125, 0.0060)):
            path = self.sweeping.follow(h, False)
            error = np.linalg.norm(path[-1] - self.sweeping.tractrix(2.0))
            self.assertLess(abs(error - listed), 0.02 * listed)
            self.assertGreater(self.sweeping.beyond(path), 0.9 * error)

    def test_lazy_selector_rests_inside_and_when_the_boundary_recedes(self):
        step = self.sweeping.lazy_selector
        for inside in ([-0.5, 0.0], [1.0, 0.0]):  # the front of the disc moves away
            np.testing.assert_array_equal(step(np.array(inside), 0.0, 0.1), inside)
        np.testing.assert_allclose(step(np.array([-1.0, 0.0]), 0.0, 0.1), [-0.9, 0.0])  # the rear pushes

    def test_distance_between_two_points_never_grows(self):  # Moreau 2003
        a, b = np.array([-0.9, 0.3]), np.array([0.2, -0.95])
        before = start = np.linalg.norm(a - b)
        for k in range(1, 300):
            a, b = self.sweeping.catching_up(a, 0.02 * k), self.sweeping.catching_up(b, 0.02 * k)
            now = np.linalg.norm(a - b)
            self.assertLessEqual(now, before + 1e-15)
            before = now
        self.assertLess(before, 0.5 * start)


if __name__ == "__main__":
    unittest.main()
