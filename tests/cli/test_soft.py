"""The soft engine as a user meets it: run, stopped and gone on with, other threads, phases that change engine, mistakes."""
import unittest

from program import ProgramTest

SCENE = """
dimension = 2
engine = "rigid"
seed = 3
gravity = 10
[time]
step = 0.005
[soft]
level = 2000
pressure = 10
integrator = "gear"
[material]
density = 1
[law]
friction = 0.3
[[wall]]
name = "box"
box = { min = [0, 0], max = [8, 8] }
[[grains]]
count = 40
diameter = { uniform = [0.6, 1.0] }
arrangement = "lattice"
[[phase]]
name = "fall"
duration = 0.3
[[phase]]
name = "yield"
engine = "soft"
step = 0.0001
duration = 0.06
output = { frames = 0.02, series = 0.001 }
[[phase]]
name = "again"
engine = "rigid"
step = 0.005
duration = 0.05
"""


class Soft(ProgramTest):
    def test_stopped_in_every_phase_and_on_other_threads(self):
        self.write("s.toml", SCENE)
        self.moreau("run", "s.toml", "--out", "whole", "--threads", "1")
        for k, until in enumerate(("0.1", "0.3", "0.3001", "0.32", "0.36")):
            run = f"run{k}"
            self.moreau("run", "s.toml", "--out", run, "--until", until, "--threads", "2")
            self.moreau("resume", run, "--threads", "1")
            self.assert_same_run(run, "whole")
        self.moreau("draw", "whole", "--width", "300")

    def test_elastic_energy_is_in_the_series(self):
        self.write("s.toml", SCENE)
        summary = self.json_of("run", "s.toml", "--out", "run", "--until", "0.35", "--json")
        self.assertGreater(summary["elastic_energy"], 0.0)
        self.assertTrue(summary["converged"])

    def test_step_too_large_is_refused_with_the_number_that_would_do(self):
        self.write("s.toml", SCENE.replace("step = 0.0001", "step = 0.02"))
        said = self.refusal("check", "s.toml")
        self.assertIn("accepted: at most", said)

    def test_step_too_large_for_what_a_source_will_bring_is_refused_before_it_comes(self):
        """Two bodies alike on a spring k with dashpots of ratio z: check and run must give one limit."""
        scene = ('dimension = 2\nengine = "soft"\ngravity = 9.81\ntime = {{ step = {step}, duration = 0.3 }}\n'
                 "material = {{ density = 1 }}\nlaw = {{ friction = 0.5, stiffness = 5e4, damping_ratio = 0.5 }}\n"
                 'wall = {{ box = {{ min = [0, 0], max = [5, 20], open = ["top"] }} }}\n'
                 "[[source]]\nrate = 20\ncount = 3\ndiameter = 0.9\ncentre = [2.5, 2]\nspread = 1\n")
        self.write("s.toml", scene.format(step=1e-2))
        limit = float(self.refusal("check", "s.toml").split("at most ")[1].split()[0])
        self.write("s.toml", scene.format(step=0.999 * limit))
        self.moreau("check", "s.toml")
        self.moreau("run", "s.toml", "--out", "run", "--threads", "1")  # does not refuse when the first body is there


if __name__ == "__main__":
    unittest.main()
