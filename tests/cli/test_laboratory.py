"""Samples prepared and loaded from scenes, against published numbers and exact counts."""
import csv
import unittest

from program import REPOSITORY, ProgramTest


class Laboratory(ProgramTest):
    def scene(self, name, *changes):
        text = (REPOSITORY / "examples" / f"{name}.toml").read_text()
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.write("s.toml", text)

    def measured(self, run, quantity):
        self.moreau("measure", run, quantity, "--csv", self.path("table.csv"))
        with open(self.path("table.csv")) as file:
            return list(csv.DictReader(file))

    def test_isotropic_compression_of_frictionless_discs(self):
        """Combe 2001, sec. 2.3, with 100 discs: solid fraction 0.8434 - 0.42 / sqrt(N), mean force 0.740 + 1.24 / sqrt(N), exact
        isostaticity with the two freedoms of the walls. The mean force of one sample scatters by 0.04 (eight seeds): that of four is
        compared."""
        forces = []
        for seed in (5, 6, 7, 8):
            self.scene("isotropic", ("16.05", "5.02"), ("1024", "100"), ("duration = 30", "duration = 15"),
                       ("seed = 1", f"seed = {seed}"))
            run = f"run-{seed}"
            self.moreau("run", "s.toml", "--out", run)
            load = self.measured(run, "load")[0]
            self.assertAlmostEqual(float(load["stress_xx"]), 1.0, delta=2e-3)
            self.assertAlmostEqual(float(load["stress_yy"]), 1.0, delta=2e-3)
            self.assertAlmostEqual(float(load["solid_fraction"]), 0.8434 - 0.042, delta=0.015)
            forces.append(next(float(row["mean"]) for row in self.measured(run, "forces") if row["component"] == "normal"))
            rigidity = self.measured(run, "rigidity")[0]
            self.assertEqual(int(rigidity["freedoms"]), 2 * int(rigidity["grains"]) + 2)
            self.assertEqual((int(rigidity["hyperstatic"]), int(rigidity["hypostatic"])), (0, 0))
            self.assertLess(float(self.measured(run, "balance")[0]["force_residual"]), 1e-11)
            last = self.table(run, "series")[-1]  # of what stands in the end
            self.assertEqual((int(last["contacts"]) - int(last["open"]), float(last["max_speed"])), (int(rigidity["forces"]), 0.0))
        self.assertAlmostEqual(sum(forces) / len(forces), 0.740 + 0.124, delta=0.03)

    def test_isotropic_compression_in_a_periodic_cell(self):
        """Without friction: as many contacts as freedoms, 2 N + 2 of which the two translations of the whole meet no contact."""
        self.scene("shear-cell", ("friction = 0.3", "friction = 0.0"), ("[24.0, 24.0]", "[12.0, 12.0]"), ("count = 400", "count = 90"),
                   ('name = "shear"\nduration = 60\ncell = { rate = { xx = 0.0, xy = 0.05 } }', 'name = "settle"\nduration = 150\n'
                    'step = 0.02\ndamping = 0.3\nsolver = { tolerance = 1e-5, unbalanced_tolerance = 1e-2, max_sweeps = 5000 }\n'
                    'end = { force_residual = 1e-4, at_least = 1.0 }'))
        self.moreau("run", "s.toml", "--out", "run")
        load = self.measured("run", "load")[0]
        self.assertAlmostEqual(float(load["stress_xx"]), 1.0, delta=2e-3)
        self.assertAlmostEqual(float(load["stress_yy"]), 1.0, delta=2e-3)
        rigidity = self.measured("run", "rigidity")[0]
        self.assertEqual(int(rigidity["freedoms"]), 2 * int(rigidity["grains"]) + 2)
        self.assertEqual((int(rigidity["hyperstatic"]), int(rigidity["hypostatic"])), (0, 2))
        self.assertIn("periodic cell", self.refusal("measure", "run", "stress-balance"))  # not defined there, and said so

    def test_cell_that_collapses_is_reported_and_loses_nothing(self):
        self.scene("shear-cell", ("[24.0, 24.0]", "[12.0, 12.0]"), ("count = 400", "count = 4"),
                   ("stress = { xx = 1.0, yy = 1.0 }", "rate = { xx = -3.0 }"))
        errors = self.moreau("run", "s.toml", "--out", "run", status=6)
        self.assertIn("narrower than two of the largest bodies", (self.path("run") / "log.txt").read_text(), errors)
        self.moreau("info", "run")


if __name__ == "__main__":
    unittest.main()
