"""A step without solution is told honestly: the run stops, or goes on with warnings, as the scene wishes."""
import json
import unittest

from program import ALART, ProgramTest, lattice_of_discs, scene, tray


class AlartsBall(ProgramTest):
    def test_stop(self):
        process = self.start("run", self.write("s.toml", ALART.format(on_limit="stop")), "--out", "run")
        said, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, said + errors)
        self.assertEqual(errors.count("\n"), 1)
        self.assertIn("did not converge", errors)
        summary = json.loads((self.path("run") / "summary.json").read_text())
        self.assertEqual(summary["outcome"], "sweep_limit")
        self.assertFalse(summary["converged"])
        self.assertEqual(summary["run"]["unconverged_steps"], 1)
        self.assertIn("did not converge", (self.path("run") / "log.txt").read_text())
        self.assertEqual(self.json_of("info", "run", "--json")["step"], 1)

    def test_warn(self):
        said = self.moreau("run", self.write("s.toml", ALART.format(on_limit="warn")), "--out", "run")
        summary = json.loads((self.path("run") / "summary.json").read_text())
        self.assertEqual((summary["outcome"], summary["step"]), ("finished", 10))
        count = summary["run"]["unconverged_steps"]
        self.assertGreater(count, 5)
        warnings = [line for line in said.splitlines() if line.startswith("warning: ")]
        self.assertEqual(len(warnings), 6, said)  # five, and where the others are
        self.assertIn("  warning: no impulses can satisfy the laws of contact", said)
        self.assertIn("are wedged: impulses at 2 contacts of body 0, wall", said)
        self.assertIn("log.txt", warnings[-1])
        self.assertEqual((self.path("run") / "log.txt").read_text().count("did not converge"), count)
        self.assertRegex(said, rf"unconverged steps +{count} of 10")
        self.assertIn(f"({count} unconverged)", said)

    def test_growth_without_bound_is_told(self):
        for on_limit, status in (("stop", 3), ("warn", 0)):
            process = self.start("run", self.write("s.toml", ALART.format(on_limit=on_limit)), "--out", on_limit)
            said = "".join(process.communicate(timeout=60))
            self.assertEqual(process.returncode, status, said)
            self.assertIn("the impulses grow from sweep to sweep", said)
            self.assertGreater(json.loads((self.path(on_limit) / "summary.json").read_text())["run"]["unbounded_steps"], 0)

    def test_below_the_critical_friction_all_is_well(self):
        scene = ALART.format(on_limit="stop").replace("friction = 1.5", "friction = 0.5")
        self.assertEqual(self.json_of("run", self.write("s.toml", scene), "--json")["run"]["unconverged_steps"], 0)


TOUCHING = """\
dimension = 2
time = { step = 1e-2, duration = 0.05 }
material = { density = 1 }
law = { friction = 0.3 }
[[grain]]
position = [0, 0]
radius = 0.5
[[grain]]
position = [1, 0]
radius = 0.5
"""


class NothingHappens(ProgramTest):
    def test_error_is_zero(self):
        """Two discs that touch, at rest, without gravity: no velocity to compare an error with."""
        self.write("s.toml", TOUCHING)
        self.moreau("run", "s.toml", "--out", "run")
        header, *rows = self.series("run")
        self.assertEqual({row[header.index("contacts")] for row in rows}, {"1"})
        self.assertEqual({row[header.index("error")] for row in rows}, {"0"})


# Discs that fall and are given too few sweeps.
HURRIED = scene("[solver]\nmax_sweeps = 30\n" + tray(0.6, 4) + lattice_of_discs(150), seed=2, gravity=9.81, step=2e-3, duration=0.6,
                output="series = 2e-3")


class Converged(ProgramTest):
    def test_no_step_beyond_its_tolerances_is_called_so(self):
        """Owed momentum counts unless a factorisation has brought it, and an error as large as what a step brings is never right."""
        self.write("s.toml", HURRIED)
        self.moreau("run", "s.toml", "--out", "run", "--threads", "1")
        header, *rows = self.series("run")
        limit, seen = 0, {0: 0, 1: 0}
        for row in rows:
            value = {name: float(text) for name, text in zip(header, row) if text}
            if value["sweeps"] < 30:
                continue
            limit += 1
            seen[int(value["converged"])] += 1
            if value["converged"]:
                # Finishing parts beside the packing alone, after which there is no error of the whole, brings nothing that the packing owes.
                self.assertTrue(value["unbalanced"] <= 0.05 or (value["factorisations"] > 0 and "error" in value), value)
                self.assertLessEqual(value.get("error", 0.0), 1.0)  # not every step is looked at
            if value["factorisations"] > 0 and "error" in value:
                self.assertAlmostEqual(value["unbalanced"], value["error"], delta=1e-5 + 1e-3 * value["error"])
        self.assertGreater(limit, 10)
        self.assertGreater(min(seen.values()), 0, seen)


if __name__ == "__main__":
    unittest.main()
