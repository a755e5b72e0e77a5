"""What a run says of itself: once, at every place where it is looked for; and --strict."""
import json
import unittest

from program import ALART, ProgramTest, scene, tray

# A ball that a step of half a second lets fall through the floor.
DROPPED = """\
dimension = 3
gravity = 9.81
[contact]
rule = "midpoint"

[time]
step = STEP
duration = 10
[material]
density = 1000
[law]
friction = 0.5
[wall]
name = "floor"
plane = { normal = [0, 0, 1] }
[grain]
position = [0, 0, 5]
radius = 0.1
"""

# A plate of a centimetre, a metre wide, that moves by more than its thickness in a step; FALLS is its velocity, TURNS its spin.
PLATE = scene("""
[block]
size = [1, 0.01]
position = [0, 5]
velocity = [0, FALLS]
spin = TURNS
""", gravity=0, duration=0.002)

# Discs that settle in a box, in a phase that asks for more rest than its time allows.
SETTLING = scene(tray() + """
[grains]
count = 20
diameter = 0.1
region = { box = [[0, 0.3], [1, 1]] }
[[phase]]
name = "settle"
duration = DURATION
end = { kinetic_energy = 1e-3, at_least = 0.05 }
[[phase]]
name = "rest"
duration = 0.02
""", gravity=9.81, duration=None, friction=0.3)

# A rod that strikes the floor with its tip while it turns: unequal coefficients of restitution create energy (Moreau 2004, 7.6).
CREATING = scene("""
[wall]
name = "floor"
plane = { normal = [0, 1] }
[block]
size = [2, 0.02]
position = [0, 0.7456]
angle = 0.8312
velocity = [0.01, -0.975]
spin = 2.483
""", gravity=0, duration=0.05, density=1, friction=0.6, law="restitution = 1")

# A ball between two walls that close on it: every shock with one makes it approach the other.
SHOCKS = scene("""
[contact]
shocks = "sequential"
[[motion]]
name = "right"
kind = "velocity"
velocity = [1, 0]
[[motion]]
name = "left"
kind = "velocity"
velocity = [-1, 0]
[[wall]]
plane = { point = [-0.5, 0], normal = [1, 0] }
motion = "right"
[[wall]]
plane = { point = [0.5, 0], normal = [-1, 0] }
motion = "left"
[grain]
position = [0, 0]
radius = 0.5
""", gravity=0, step=1e-2, duration=0.02, density=1, friction=0, law="restitution = 0")

# A block at rest under a piston, without gravity: nothing but rounding is exchanged.
PRESSED = scene("""
[block]
size = [1, 0.2]
position = [0, 0.1]
mass = 10
[[wall]]
plane = { normal = [0, 1] }
[[wall]]
name = "top"
plane = { point = [0, 0.2], normal = [0, -1] }
[[piston]]
name = "press"
walls = ["top"]
force = 1000
""", gravity=0, duration=0.3)


DRIVEN_PLATE = """\
dimension = 3
time = { step = 1e-3, duration = 0.02 }
material = { density = 2500 }
law = { friction = 0.3 }
[[grain]]
position = [0, 0, 0.05]
radius = 0.05
[[block]]
size = [0.01, 2, 2]
position = [-1.03, 0, 1.0]
motion = "push"
[[motion]]
name = "push"
kind = "velocity"
velocity = [SPEED, 0, 0]
"""

CLAMPED = """\
dimension = 2
gravity = 9.81
time = { step = 1e-3, duration = 0.5 }
material = { density = 1000 }
law = { friction = 0.5 }
[[wall]]
plane = { normal = [1, 0] }
[[wall]]
name = "right"
plane = { point = [0.3, 0], normal = [-1, 0] }
[[piston]]
name = "vise"
walls = ["right"]
force = 981
[[block]]
size = [0.3, 1]
position = [0.15, 0]
mass = 1
"""


class Warned(ProgramTest):
    def test_rounding_without_gravity_is_no_energy_created(self):
        self.write("pressed.toml", PRESSED)
        self.moreau("run", "pressed.toml", "--out", "run", "--strict", "--threads", "1")
        self.assertEqual(self.warnings(), {})

    def warnings(self, run="run"):
        return {w["kind"]: w for w in self.json_of("info", run, "--json")["warnings"]}

    def said_once(self, output, run, kind):
        """The sentence stands once in the table, once in the log, once in the summary."""
        warning = self.warnings(run)[kind]
        summary = json.loads((self.path(run) / "summary.json").read_text())
        self.assertEqual([w["sentence"] for w in summary["warnings"] if w["kind"] == kind], [warning["sentence"]])
        self.assertEqual(output.count(f"warning: {warning['sentence']}\n"), 1, output)
        logged = [line for line in (self.path(run) / "log.txt").read_text().splitlines() if "warning: " in line]
        self.assertEqual(len(logged), len(self.warnings(run)), logged)
        return warning

    def test_ball_below_the_floor_is_said(self):
        self.write("s.toml", DROPPED.replace("STEP", "0.5"))
        output = self.moreau("run", "s.toml", "--out", "run")
        deep = self.said_once(output, "run", "penetration")
        self.assertGreater(deep["value"], 5)
        self.assertIn("body 0", deep["where"])
        self.assertIn("wall 'floor'", deep["where"])
        self.assertEqual(deep["count"], 20 + 1 - deep["step"])  # from then on in every step
        self.assertIn("overlap by up to", deep["sentence"])
        far = self.said_once(output, "run", "travel")
        self.assertGreater(far["value"], 10)
        self.assertEqual(set(self.warnings()), {"penetration", "travel"})

    def test_same_ball_with_a_sensible_step_is_not_warned_of(self):
        self.write("s.toml", DROPPED.replace("STEP", "2e-4").replace("duration = 10", "duration = 1.2"))
        output = self.moreau("run", "s.toml", "--out", "run")
        self.assertEqual(self.warnings(), {})
        self.assertRegex(output, r"\n  warnings +none\n")
        self.assertFalse((self.path("run") / "log.txt").exists())  # nothing was said

    def test_thin_blocks_are_measured_by_their_thickness(self):
        for falls, turns, path in ((-20, 0, 4), (0, 40, 4), (-4, 0, None), (0, 8, None)):
            self.write("s.toml", PLATE.replace("FALLS", str(falls)).replace("TURNS", str(turns)))
            self.moreau("run", "s.toml", "--out", "run", "--force")
            foreseen = {w["kind"]: w["value"] for w in self.json_of("check", "s.toml", "--json")["warnings"]}
            for said in (foreseen, {kind: w["value"] for kind, w in self.warnings().items()}):
                self.assertEqual(set(said), {"travel"} if path else set(), (falls, turns))
                if path:  # of the fastest point, in halves of the thickness
                    self.assertAlmostEqual(said["travel"], path, delta=0.01)

    def test_driven_body_that_sweeps_past_grains_in_a_step(self):
        """What it passes unseen lies within its thickness and the diameter of a grain."""
        for speed, path in ((400.0, 2 * 400.0 * 1e-3 / (0.01 + 0.1)), (20.0, None)):
            self.write("s.toml", DRIVEN_PLATE.replace("SPEED", str(speed)))
            self.moreau("run", "s.toml", "--out", "run", "--force")
            self.assertEqual({kind: round(w["value"], 6) for kind, w in self.warnings().items()}, {"travel": round(path, 6)} if path else {})

    def test_block_clamped_by_a_piston_falls_nowhere(self):
        self.write("s.toml", CLAMPED)
        self.assertEqual(self.json_of("check", "s.toml", "--json")["warnings"], [])

    def test_check_foresees_it(self):
        self.write("s.toml", DROPPED.replace("STEP", "0.5"))
        self.assertEqual([w["kind"] for w in self.json_of("check", "s.toml", "--json")["warnings"]], ["travel"])
        output = self.moreau("check", "s.toml")
        self.assertEqual(output.count("warning: "), 1)
        self.assertEqual(self.moreau("check", "s.toml", "--strict", status=5), output)
        self.write("good.toml", DROPPED.replace("STEP", "2e-4"))
        self.moreau("check", "good.toml", "--strict")

    def test_restitution_under_the_predictive_rule_is_foreseen(self):
        text = ('dimension = 2\ngravity = 0\ntime = { step = 0.01, duration = 1 }\nmaterial = { density = 1 }\n'
                 'law = { friction = 0, restitution = 1 }\ncontact = { rule = "predictive" }\n')
        text += "".join(f"[[grain]]\nposition = [{2 * k}, 0]\nradius = 0.5\n" for k in range(3))
        self.write("s.toml", text)
        self.assertIn("does not bounce", self.moreau("check", "s.toml"))
        self.write("s.toml", text.replace("predictive", "midpoint"))
        self.assertNotIn("does not bounce", self.moreau("check", "s.toml"))
        phases = text.replace(", duration = 1", "") + '[[phase]]\nname = "mix"\nduration = 0.5\n[[phase]]\nname = "press"\nduration = 0.5\n'
        self.write("s.toml", phases + "law = { friction = 0 }\n")
        self.assertIn("does not bounce", self.moreau("check", "s.toml"))
        self.write("s.toml", phases + "law = { restitution = 0 }\n")
        self.assertNotIn("does not bounce", self.moreau("check", "s.toml"))

    def test_resumed_run_counts_on(self):
        self.write("s.toml", DROPPED.replace("STEP", "0.5"))
        self.moreau("run", "s.toml", "--out", "whole")
        self.moreau("run", "s.toml", "--out", "parts", "--until", "3")
        output = self.moreau("resume", "parts")
        self.assertEqual(self.warnings("whole"), self.warnings("parts"))
        self.said_once(output, "parts", "penetration")

    def test_phase_ended_by_its_time_limit_is_said(self):
        self.write("s.toml", SETTLING.replace("DURATION", "0.1"))
        output = self.moreau("run", "s.toml", "--out", "run")
        late = self.said_once(output, "run", "time_limit")
        self.assertEqual((late["value"], late["step"]), (0.1, 100))
        self.assertRegex(late["sentence"], r"phase 'settle' ended after its duration of 0\.1 although kinetic_energy was [\d.]+ \(asked: at most 0\.001\)")
        self.write("s.toml", SETTLING.replace("DURATION", "3"))
        self.moreau("run", "s.toml", "--out", "long")
        self.assertNotIn("time_limit", self.warnings("long"))

    def test_created_energy_is_said(self):
        self.write("s.toml", CREATING)
        output = self.moreau("run", "s.toml", "--out", "run")
        created = self.said_once(output, "run", "energy")
        summary = self.json_of("info", "run", "--json")
        self.assertAlmostEqual(created["value"], -summary["dissipated"], delta=1e-9)
        self.write("equal.toml", CREATING.replace("restitution = 1", "restitution = 1\ntangential_restitution = 1"))
        self.moreau("run", "equal.toml", "--out", "equal")
        self.assertNotIn("energy", self.warnings("equal"))

    def test_shocks_without_end_are_said(self):
        self.write("s.toml", SHOCKS)
        output = self.moreau("run", "s.toml", "--out", "run")
        self.assertEqual(self.said_once(output, "run", "shocks")["count"], 2)

    def test_strict_run_stops_at_the_first_with_a_checkpoint(self):
        # Nothing to foresee: the ball becomes too fast on its way.
        self.write("s.toml", DROPPED.replace("STEP", "0.02"))
        process = self.start("run", "s.toml", "--out", "run", "--strict")
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 5, output)
        self.assertIn("radii in one step", errors)
        self.assertEqual(errors.count("\n"), 1)
        summary = json.loads((self.path("run") / "summary.json").read_text())
        self.assertEqual(summary["outcome"], "warned")
        self.assertEqual(summary["step"], summary["warnings"][0]["step"])
        self.assertEqual(self.state_hash("run"), summary["state_hash"])
        self.assertIn("radii in one step", self.refusal("resume", "run", "--strict", status=5))
        self.moreau("resume", "run")
        self.moreau("run", "s.toml", "--out", "whole")
        self.assert_same_run("run", "whole")

    def test_strict_run_of_a_scene_with_warnings_leaves_nothing(self):
        self.write("s.toml", DROPPED.replace("STEP", "0.5"))
        self.assertIn("--strict", self.refusal("run", "s.toml", "--out", "run", "--strict", status=5))
        self.assertFalse(self.path("run").exists())


class Endless(ProgramTest):
    def test_a_phase_that_can_never_end_stops_the_run_with_a_sentence(self):
        text = scene(tray() + """
[grain]
position = [0.5, 0.5]
radius = 0.1
[[phase]]
name = "mix"
end = { travelled = 4 }
[[phase]]
name = "rest"
duration = 0.01
""", gravity=0, duration=None)
        self.write("s.toml", text)
        process = self.start("run", "s.toml", "--out", "run", "--threads", "1")
        said, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 7, errors)
        self.assertRegex(errors, r"^moreau: phase 'mix' can never end: it asks for a mean path of 4, .*\(step 1000, t = 1\).*moreau resume run --set 'phase\[mix\].duration=T'\n$")
        summary = json.loads((self.path("run") / "summary.json").read_text())
        self.assertEqual((summary["outcome"], summary["step"], summary["complete"]), ("endless", 1000, False))
        self.assertIn("phase 'mix' can never end", (self.path("run") / "log.txt").read_text())
        self.moreau("resume", "run", "--set", "phase[mix].duration=1.5")
        self.assertTrue(json.loads((self.path("run") / "summary.json").read_text())["complete"])
        # To a time that is given it is made all the same.
        self.moreau("run", "s.toml", "--out", "until", "--until", "1.2")

    def test_steps_that_did_not_converge_are_no_silence(self):
        self.write("s.toml", ALART.format(on_limit="warn"))
        said = self.moreau("run", "s.toml", "--out", "run", "--threads", "1")
        count = json.loads((self.path("run") / "summary.json").read_text())["run"]["unconverged_steps"]
        self.assertGreater(count, 0)
        self.assertRegex(said, rf"\n  warnings +(\d+, and )?{count} steps? did not converge\n")


if __name__ == "__main__":
    unittest.main()
