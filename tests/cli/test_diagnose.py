"""Confined problems, named: a step without bounded solution in the log of a run, and moreau solve --diagnose."""
import json
import resource

import numpy

from program import ALART, ProgramTest
from test_solve import sliding_block


class Diagnose(ProgramTest):
    def dumped(self, friction, speed, form="local"):
        scene = ALART.format(on_limit="warn").replace("friction = 1.5", f"friction = {friction}").replace("velocity = [-1, 0]", f"velocity = [{-speed}, 0]")
        self.write("s.toml", scene)
        self.moreau("run", "s.toml", "--out", "r", "--force", "--until", 0.01, "--dump-problem", 1, "--dump-form", form)
        return "r/problem_000001.hdf5"

    def diagnosis(self, file, status=0, *more):
        return json.loads(self.moreau("solve", file, "--diagnose", "--json", "--max-cpu", 0.5, *more, status=status))["diagnosis"]

    def test_log_names_the_wedged_bodies(self):
        self.write("s.toml", ALART.format(on_limit="warn"))
        self.moreau("run", "s.toml", "--out", "r")
        log = self.path("r/log.txt").read_text()
        self.assertIn("no bounded solution", log)
        self.assertIn("wedged: impulses at 2 contacts of body 0, wall", log)

    def test_map_of_the_ball_between_walls(self):
        for form in ("local", "global"):
            for friction in (0.5, 0.95, 1.05, 2.0):
                with self.subTest(form=form, friction=friction):
                    d = self.diagnosis(self.dumped(friction, 1.0, form), 3 if friction > 1 else 0)
                    self.assertEqual(d["existence"], "none" if friction > 1 else "solution")
                    self.assertEqual(d["wedged"], friction > 1)
                    if friction > 1:
                        self.assertIn("body 0, wall", d["wedge_bodies"])
                        self.assertAlmostEqual(d["least_power"], -0.5)
                    else:
                        self.assertEqual(d["indeterminacy"], 0)

    def test_pinched_ball_is_indeterminate_and_its_least_force_is_its_weight(self):
        d = self.diagnosis(self.dumped(1.5, 0.0), 0, "--bounds", 0, "--bounds", 1)
        self.assertEqual(d["existence"], "solution")
        self.assertEqual(d["indeterminacy"], 1)
        weight = 3.141592653589793 * 0.25 * 9.81 * 0.01
        least = sorted(r["least"] for r in d["ranges"])
        self.assertAlmostEqual(least[0], 0.0, delta=1e-8)
        self.assertAlmostEqual(least[1], weight, delta=1e-6 * weight)
        self.assertEqual([r["most"] for r in d["ranges"]], ["infinite", "infinite"])

    def test_words_for_people(self):
        said = self.moreau("solve", self.dumped(1.5, 1.0), "--diagnose", "--max-cpu", 0.5, status=3)
        self.assertIn("THERE IS NO SOLUTION", said)
        self.assertIn("body 0, wall", said)
        self.assertIn("indeterminate: 1 independent", self.moreau("solve", self.dumped(1.5, 0.0), "--diagnose"))

    def test_files_without_names_and_contacts_that_are_not_there(self):
        sliding_block()(self.folder / "block.hdf5")
        d = self.diagnosis("block.hdf5", 0, "--bounds", 0)
        self.assertEqual((d["existence"], d["wedged"], d["indeterminacy"]), ("solution", False, 0))
        self.assertAlmostEqual(d["ranges"][0]["most"], 2.0, delta=1e-6)
        self.assertIn("--bounds 1: the problem has the contacts 0 to 0", self.refusal("solve", "block.hdf5", "--bounds", 1))

    def test_painleves_three_solutions_are_listed(self):
        sliding_block(W=[[1.0, 1.0], [1.0, 2.0]], q=[0.1, 1.0], mu=[2.0], spacedim=2)(self.folder / "rod.hdf5")
        d = self.diagnosis("rod.hdf5")
        self.assertEqual([s["modes"] for s in d["isolated_solutions"]], ["o", "k", "s"])
        self.assertTrue(d["isolated_complete"])
        said = self.moreau("solve", "rod.hdf5", "--diagnose")
        self.assertIn("3 solutions found, no other exists", said)

    def test_diagnosis_keeps_the_time(self):
        """Discs in a row between walls that close, none of them fixed: the modes of all contacts are many."""
        size = 40
        H = numpy.zeros((3 * size, 2 * (size + 1)))
        for c in range(size + 1):
            for k, (x, y) in enumerate(((0.0, 1.0), (1.0, 0.0))):
                if c < size:
                    H[3 * c:3 * c + 3, 2 * c + k] += [x, y, x]
                if c > 0:
                    H[3 * c - 3:3 * c, 2 * c + k] -= [x, y, -x]
        W = H.T @ numpy.diag([1.0, 1.0, 2.0] * size) @ H
        q = H.T @ (numpy.sin(numpy.arange(3.0 * size)))
        sliding_block(W=W, q=q, mu=[0.4] * (size + 1), spacedim=2)(self.folder / "row.hdf5")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.moreau("solve", "row.hdf5", "--diagnose", "--json", "--tolerance", "1e-300", "--max-cpu", "0.5", status=3)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1.0)
