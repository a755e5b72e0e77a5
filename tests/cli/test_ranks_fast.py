"""Fast sweeps of several ranks (solver.ranks): other bits, said so; the same laws, tolerance and certificate."""
import json
import unittest

from ranks import RanksTest, tray

FAST = "[solver]\nranks = \"fast\"\n"


class FastSweeps(RanksTest):
    def test_are_certified_and_repeatable_and_told(self):
        self.write("scene.toml", tray(2, 60, 0.24))
        self.write("fast.toml", tray(2, 60, 0.24) + FAST)
        self.moreau("run", "scene.toml", "--out", "exact", "--threads", "1")
        self.mpirun(3, "run", "fast.toml", "--out", "fast", "--threads", "1")
        exact, fast = (self.json_of("info", run, "--json") for run in ("exact", "fast"))
        self.assertEqual((exact["run"]["fast_steps"], fast["run"]["fast_steps"]), (0, 240))
        self.assertEqual((exact["run"]["unconverged_steps"], fast["run"]["unconverged_steps"]), (0, 0))
        self.assertLessEqual(fast["residual"], 5e-3)
        self.assertLess(fast["run"]["worst_penetration"], 2 * exact["run"]["worst_penetration"] + 1e-6)
        self.assertLess(abs(fast["energy_error"]), 1e-9 * abs(fast["potential_energy"]))
        self.assertAlmostEqual(fast["potential_energy"], exact["potential_energy"], delta=0.01 * abs(exact["potential_energy"]))
        self.assertLess(fast["run"]["sweeps"], 1.5 * exact["run"]["sweeps"])
        (weight,) = self.measured("fast", "weight")  # the grains lie still by now
        self.assertAlmostEqual(weight["ground"] + weight["other_walls"], weight["weight"], delta=0.02 * weight["weight"])
        self.assertIn("fast sweeps", self.moreau("info", "fast"))
        self.assertIn("on 3 ranks, fast sweeps", (self.path("fast") / "log.txt").read_text())
        self.mpirun(3, "run", "fast.toml", "--out", "again", "--threads", "1")
        self.assert_same_run("fast", "again")

    def test_go_on_on_other_numbers_of_ranks_and_exactly(self):
        self.write("scene.toml", tray(2, 40, 0.1))
        self.mpirun(2, "run", "scene.toml", "--out", "run", "--threads", "1", "--until", "0.03", "--set", "solver.ranks=fast")
        self.mpirun(3, "resume", "run", "--threads", "1", "--until", "0.06")
        self.assertEqual(self.json_of("info", "run", "--json")["run"]["fast_steps"], 60)
        self.mpirun(2, "resume", "run", "--threads", "1", "--until", "0.08", "--set", "solver.ranks=exact")
        output, _ = self.mpirun(3, "resume", "run", "--threads", "1", "--json")
        summary = json.loads(output)
        self.assertEqual((summary["step"], summary["run"]["fast_steps"]), (100, 60))
        self.assertTrue(summary["complete"])

    def test_on_one_process_are_the_usual_ones(self):
        self.write("scene.toml", tray(2, 40, 0.05))
        self.moreau("run", "scene.toml", "--out", "usual", "--threads", "1")
        self.moreau("run", "scene.toml", "--out", "set", "--threads", "1", "--set", "solver.ranks=fast")
        self.assertEqual(self.state_hash("usual"), self.state_hash("set"))


if __name__ == "__main__":
    unittest.main()
