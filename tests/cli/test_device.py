"""Where steps are made does not show in the result: runs with the loops of a card, made by the processor in shuffled order, runs that
change place in the middle, and what is said where a card cannot be used."""
import os

from program import ProgramTest
from test_golden import SCENES, balls

POURED = balls(2, 1200, more="""\
[[source]]
rate = 200
diameter = { uniform = [0.008, 0.012] }
spread = 0.08
centre = [0.1, 0]
[[sink]]
region = { box = [[0.08, 0.0], [0.12, 0.012]] }
""")


class Device(ProgramTest):
    def summary(self, scene, device, *more, command="run"):
        folder = [] if command == "resume" else ["--out", f"run-{device}", "--force"]
        return self.json_of(command, scene, *more, *folder, "--threads", "2", "--device", device, "--json")

    def test_the_same_result_on_both(self):
        for name, text, until in (("discs", SCENES["discs"], "0.06"), ("poured", POURED, "0.06")):
            scene = self.write(f"{name}.toml", text)
            here, there = (self.summary(scene, device, "--until", until) for device in ("cpu", "imitation"))
            self.assertEqual(here["state_hash"], there["state_hash"], name)
            self.assertEqual(here["run"]["card_steps"], 0)
            self.assertGreater(there["run"]["card_steps"], 10, name)
        self.assertGreater(there["removed_bodies"], 0)
        self.assertGreater(there["inserted_bodies"], 0)

    def test_the_same_result_under_laws_and_among_blocks(self):
        # Blocks whose friction depends on speeds are no whole steps there.
        slow = SCENES["balls-and-polyhedra"].replace("friction = 0.5", "friction = 0.5\nstatic_friction = 0.6\nstatic_speed = 1e-3")
        for name, text, until, word in (("balls-cohesion", SCENES["balls-cohesion"], "0.1", "card_steps"),
                                        ("balls-and-polyhedra", SCENES["balls-and-polyhedra"], "0.12", "card_steps"),
                                        ("slow-polyhedra", slow, "0.12", "card_swept_steps")):
            scene = self.write(f"{name}.toml", text)
            here, there = (self.summary(scene, device, "--until", until) for device in ("cpu", "imitation"))
            self.assertEqual(here["state_hash"], there["state_hash"], name)
            self.assertEqual(here["run"][word], 0)
            self.assertGreater(there["run"][word], 5, name)
        self.assertIn("made by the processor but for their sweeps", self.moreau("info", "run-imitation"))

    def test_a_run_changes_place(self):
        scene = self.write("discs.toml", SCENES["discs"])
        whole = self.summary(scene, "cpu", "--until", "0.06")["state_hash"]
        for first, second in (("cpu", "imitation"), ("imitation", "cpu")):
            self.summary(scene, first, "--until", "0.05")
            moved = self.summary(f"run-{first}", second, "--until", "0.06", command="resume")
            self.assertEqual(moved["state_hash"], whole, f"{first} to {second}")
            self.assertGreater(moved["run"]["card_steps"], 5)
            told = self.moreau("info", f"run-{first}")
            self.assertIn(f"on a graphics card    {moved['run']['card_steps']} of 60 steps", told)

    def test_no_card(self):
        scene = self.write("discs.toml", SCENES["discs"])
        hidden = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}  # where there is one
        sentence = self.refusal("run", scene, "--device", "gpu", "--out", "none", status=2, env=hidden)
        self.assertIn("no graphics card can be used", sentence)
        sentence = self.refusal("run", scene, "--device", "tpu", "--out", "none", status=2)
        self.assertIn("'tpu' is not one of auto, cpu, gpu", sentence)
