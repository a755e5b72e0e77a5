"""Phases that change the engine: lubricated, isostatic ends, elastic, soft; and what they refuse."""
import signal
import time
import unittest

from pressed import pressed
from program import ProgramTest

SCENE = pressed(36, plates=True, top="soft = { level = 1e4, pressure = 1.0 }\n")
ROUGH = pressed(36, plates=True, friction=0.3, top="soft = { level = 1e4, pressure = 1.0 }\n")
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

    def test_stiffness_that_the_elastic_engine_reads_is_not_called_unread(self):
        self.write("scene.toml", SCENE + PRESS + FINISH + PROBE)
        self.assertNotIn("level", self.moreau("check", "scene.toml"))
        self.write("idle.toml", SCENE + PRESS)
        self.assertIn("soft.level", self.moreau("check", "idle.toml"))

    def test_small_displacements_keep_the_contacts_of_their_beginning(self):
        fixed = SOFT.replace('"on"', '"fixed"') + "soft = { level = 1e4, pressure = 1.0, small_displacements = true }\n"
        self.resumed_like(SCENE + PRESS + FINISH + fixed + SOFT, 15.03)
        self.write("bad.toml", SCENE + fixed)
        self.assertIn("none does; accepted: a phase before it", self.refusal("run", "bad.toml", "--out", "bad"))

    def test_a_step_that_is_said_to_be_accepted_is_accepted_in_all_phases(self):
        rough = SOFT.replace('"on"', '"rough"') + 'pair = { materials = ["grain", "grain"], friction = 0.25 }\n'
        scene = (SCENE + PRESS + SOFT + rough).replace("2e-4", "0.1")
        self.write("bad.toml", scene)
        said = self.refusal("check", "bad.toml")
        self.assertIn("phase 'on': the time step is 0.1", said)
        accepted = said.split("in all phases with this engine: at most ")[1].strip()
        self.write("good.toml", scene.replace("step = 0.1", f"step = {accepted}"))
        self.moreau("check", "good.toml")

    def test_why_no_error_of_velocities_is_estimated(self):
        self.write("s.toml", SCENE + SOFT)
        self.assertIn("not estimated: only by the rigid engine, and here the engine is soft", self.moreau("run", "s.toml", "--out", "run"))
        self.assertEqual(self.json_of("info", "run", "--json")["engine"], "soft")

    def test_a_cell_that_nothing_opposes_is_refused_with_a_sentence(self):
        """It shrank within one step until a body had any number of images."""
        for dimension in (2, 3):
            x = ["0, " * (dimension - 1) + "0", "2, " * (dimension - 1) + "2"]
            for engine in ("lubricated", "quasi-static"):
                for cell in ("stress = { xx = 1 }", "stress = { xx = 1 }\nrate = { xy = 0.1 }"):
                    with self.subTest(f"{engine}, {dimension}, {cell}"):
                        self.write("s.toml", f"""\
dimension = {dimension}
engine = "{engine}"
time = {{ step = 1e-3, duration = 0.05 }}
material = {{ density = 1 }}
law = {{ friction = 0 }}
[cell]
min = [{x[0]}]
max = [{x[1]}]
{cell}
[[grains]]
count = 1
radius = 0.2
""")
                        process = self.start("run", "s.toml", "--out", "run", "--force")
                        output, errors = process.communicate(timeout=60)
                        if engine == "lubricated":
                            self.assertEqual(process.returncode, 6, output + errors)
                            self.assertRegex(errors, "^moreau: the periodic cell became narrower than two of the largest bodies in step ")
                        elif "rate" in cell:
                            self.assertIn("only loads change, but the cell is given a rate of xy", errors)
                        else:  # which leaves the cell as it is where the programs lead too far
                            self.assertRegex(output + errors, r"became narrower than two of the largest bodies|unconverged steps +[1-9]")

    def test_ctrl_c_ends_a_step_that_lasts(self):
        """The finisher needs a minute or more for so many discs, all in one step; what was there before the step is what is left."""
        self.write("s.toml", pressed(2500, step=0.05, duration=1.0, top='engine = "quasi-static"\n'))
        process = self.start("run", "s.toml", "--out", "run")
        time.sleep(3)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, output + errors)
        self.assertIn("interrupted at t = 0 (step 0), within the step after it; nothing is lost", output)
        self.assertLess(time.monotonic() - begin, 60)
        self.assertEqual(self.json_of("info", "run", "--json")["step"], 0)

    def test_films_that_find_no_way_ten_times_end_the_run(self):
        grain = "[[grain]]\nradius = 0.4\nposition = [{}, 0]\n"
        self.write("tight.toml", "dimension = 2\nengine = \"lubricated\"\ngravity = 0\ntime = { step = 0.01 }\n"
                   "material = { density = 1 }\nlaw = { friction = 0 }\n"
                   "wall = { name = \"box\", box = { min = [-0.9, -0.6], max = [0.9, 0.6] } }\n" + grain.format(-0.42) + grain.format(0.42)
                   + "[[phase]]\nname = \"tight\"\nradii = 1.25\nduration = 1\n")
        process = self.start("run", "tight.toml", "--out", "run", "--threads", "1")
        errors = process.communicate(timeout=120)[1]
        self.assertEqual(process.returncode, 3, errors)
        self.assertIn("so did the 9 steps before", errors)
        self.assertEqual(self.json_of("info", "run", "--json")["step"], 10)

    def test_refusals_name_the_line_of_the_phase(self):
        self.write("bad.toml", ROUGH + FLOW.format(step=1, duration=1))
        line = ROUGH.count("\n") + 1
        self.assertIn(f"bad.toml:{line}:", self.refusal("check", "bad.toml"))

    def test_a_motion_that_nothing_takes_is_said(self):
        motion = '[[motion]]\nname = "shake"\nkind = "velocity"\nvelocity = [1, 0]\n'
        self.write("idle.toml", SCENE + PRESS + motion)
        self.assertIn("nothing moves with the motion 'shake'", self.moreau("check", "idle.toml"))
        self.write("taken.toml", SCENE + PRESS + motion + '[[wall]]\nplane = { point = [0, -50], normal = [0, 1] }\nmaterial = "plate"\nmotion = "shake"\n')
        self.assertNotIn("shake", self.moreau("check", "taken.toml"))

    def test_elastic_energy_is_told(self):
        self.write("s.toml", SCENE + PRESS + SOFT)
        self.assertRegex(self.moreau("run", "s.toml", "--out", "run"), r"energy +kinetic .*, elastic [0-9.e+-]+, dissipated")

    def test_refusals(self):
        for scene, words in [
            (ROUGH + FLOW.format(step=1, duration=1),
             ['has the engine "lubricated", but friction between', "accepted: round bodies without friction"]),
            (ROUGH + FINISH, ["is to end isostatic, but friction between"]),
            (pressed(36, plates=True) + PRESS + PROBE,
             ['has the engine "elastic", but the law between', "has no stiffness", "'level' and 'pressure' under [soft]"]),
            (SCENE + PRESS + PROBE.replace("stress = { times = [0, 0.2], values = [1.0, 1.2] }", "velocity = 0.1"),
             ['has the engine "elastic", but the piston \'upright\' is given a velocity']),
            (SCENE + PRESS + FLOW.format(step=1, duration=1) + "lubricated = { viscosity = 0 }\n", ["viscosity", "> 0"]),
            (SCENE + PRESS + FLOW.format(step=1, duration=1) + 'lubricated = { law = "oil" }\n', ["law", "spheres", "cylinders"]),
            (SCENE + PRESS + PROBE + "elastic = { finest = 2 }\n", ["finest", "[1e-6, 1]"]),
            (SCENE + PRESS + FINISH.replace("isostatic", "hyperstatic"), ["end", "isostatic"]),
            (pressed(36, plates=True) + PRESS + SOFT, ["have no stiffness, which the soft engine needs", "'level' and 'pressure'"]),
            (SCENE + PRESS + SOFT.replace("2e-4", "0.1"), ["with which the soft engine is not stable; accepted: at most"]),
            (SCENE.replace("mass = 10.0", "mass = 1e-6") + PRESS + SOFT, ["of the piston 'across' of mass 1e-06"]),
        ]:
            self.write("bad.toml", scene)
            text = self.refusal("check", "bad.toml")
            for word in words:
                self.assertIn(word, text)


if __name__ == "__main__":
    unittest.main()
