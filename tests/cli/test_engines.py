"""Phases that change the engine: lubricated, isostatic ends, elastic, soft; and what they refuse."""
import unittest

from program import ProgramTest

# Discs on a lattice between two pairs of walls that press with the stress 1.
SCENE = """\
dimension = 2
seed = 4
[time]
step = 0.01
[soft]
level = 1e4
pressure = 1.0
[[material]]
name = "grain"
density = 1.0
[[material]]
name = "plate"
density = 1.0
[law]
friction = 0
[[wall]]
name = "box"
material = "plate"
box = { min = [-3.05, -3.05], max = [3.05, 3.05] }
[[grains]]
material = "grain"
arrangement = "lattice"
count = 36
diameter = { uniform = [0.5, 1.0] }
[[piston]]
name = "across"
walls = ["box.left", "box.right"]
stress = 1.0
mass = 10.0
[[piston]]
name = "upright"
walls = ["box.bottom", "box.top"]
stress = 1.0
mass = 10.0
"""
PRESS = """\
[[phase]]
name = "press"
damping = 1.0
duration = 15
"""
FLOW = """\
[[phase]]
name = "flow"
engine = "lubricated"
step = {step}
duration = {duration}
"""
FINISH = """\
[[phase]]
name = "finish"
end = "isostatic"
"""
PROBE = """\
[[phase]]
name = "probe"
engine = "elastic"
step = 0.02
duration = 0.2
pair = { materials = ["grain", "grain"], friction = 0.25 }
piston = { name = "upright", stress = { times = [0, 0.2], values = [1.0, 1.2] } }
"""
SOFT = """\
[[phase]]
name = "on"
engine = "soft"
step = 2e-4
duration = 0.02
piston = { name = "upright", stress = 1.2 }
"""


class Engines(ProgramTest):
    def resumed_like(self, scene, until):
        self.write("scene.toml", scene)
        summary = self.json_of("run", "scene.toml", "--out", "whole", "--threads", "1", "--json")
        self.assertEqual(summary["run"]["unconverged_steps"], 0)
        self.moreau("run", "scene.toml", "--until", str(until), "--out", "part", "--threads", "1")
        self.moreau("resume", "part", "--threads", "1")
        self.assertEqual(self.state_hash("whole"), self.state_hash("part"))
        return summary

    def test_films_carry_a_packing_to_rest_and_the_finisher_closes_them(self):
        scene = SCENE + PRESS + FLOW.format(step=1.0, duration=20)
        scene += FLOW.format(step=1e3, duration=2e4).replace('"flow"', '"on"') + FINISH
        self.resumed_like(scene, 25.5)
        found = self.json_of("statics", "whole", "--load", "piston:upright", "--json")
        self.assertTrue(found["isostatic"])
        self.assertEqual(found["contacts"], 2 * found["bodies"] + 2)
        self.assertLess(found["imbalance"], 1e-10)

    def test_rigid_isostatic_elastic_and_soft_phases_follow_one_another(self):
        self.resumed_like(SCENE + PRESS + FINISH + PROBE + SOFT, 16.11)

    def test_a_list_that_bears_no_more_says_so(self):
        scene = SCENE + PRESS + FINISH + PROBE.replace("1.2]", "3.0]") + "solver = { on_limit = \"stop\" }\n"
        self.write("scene.toml", scene)
        process = self.start("run", "scene.toml", "--out", "run", "--threads", "1")
        errors = process.communicate(timeout=120)[1]
        self.assertEqual(process.returncode, 3, errors)
        self.assertIn("the last equilibrium of the contacts", errors)

    def test_refusals(self):
        for scene, words in [
            (SCENE.replace("friction = 0", "friction = 0.3") + FLOW.format(step=1, duration=1),
             ['has the engine "lubricated", but friction between', "accepted: round bodies without friction"]),
            (SCENE.replace("friction = 0", "friction = 0.3") + FINISH, ["is to end isostatic, but friction between"]),
            (SCENE.replace("level = 1e4\npressure = 1.0\n", "") + PRESS + PROBE,
             ['has the engine "elastic", but the law between', "has no stiffness", "'level' and 'pressure' under [soft]"]),
            (SCENE + PRESS + PROBE.replace("stress = { times = [0, 0.2], values = [1.0, 1.2] }", "velocity = 0.1"),
             ['has the engine "elastic", but the piston \'upright\' is given a velocity']),
            (SCENE + PRESS + FLOW.format(step=1, duration=1) + "lubricated = { viscosity = 0 }\n", ["viscosity", "> 0"]),
            (SCENE + PRESS + FLOW.format(step=1, duration=1) + 'lubricated = { law = "oil" }\n', ["law", "spheres", "cylinders"]),
            (SCENE + PRESS + PROBE + "elastic = { finest = 2 }\n", ["finest", "[1e-6, 1]"]),
            (SCENE + PRESS + FINISH.replace("isostatic", "hyperstatic"), ["end", "isostatic"]),
        ]:
            self.write("bad.toml", scene)
            text = self.refusal("check", "bad.toml")
            for word in words:
                self.assertIn(word, text)


if __name__ == "__main__":
    unittest.main()
