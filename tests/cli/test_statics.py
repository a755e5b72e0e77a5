"""moreau statics: what a packing bears where it stands, on the command line."""
import csv
import json
import unittest

from pressed import pressed
from program import ProgramTest

# A ball resting on the floor under gravity.
RESTING = """\
dimension = 3
gravity = 9.81
[time]
step = 1e-3
duration = 0.3
[material]
density = 1000
[law]
friction = {friction}
[[wall]]
name = "floor"
plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }}
[[grain]]
radius = 0.1
position = [0, 0, 0.1]
"""


class Statics(ProgramTest):
    def test_a_scene_is_finished_and_its_range_drawn_and_written(self):
        self.write("pressed.toml", pressed(duration=0.05))
        found = self.json_of("statics", "pressed.toml", "--finish", "--load", "piston:upright", "--pivots", "2", "--draw", "f.png",
                             "--forces", "f.csv", "--json")
        self.assertTrue(found["isostatic"])
        self.assertEqual(found["contacts"], 2 * found["bodies"] + 2)
        self.assertEqual([found["normal_forces"][k] for k in ["hyperstatic", "hypostatic"]], [0, 0])
        self.assertLess(found["finish"]["residual"], 1e-11)
        least, most = found["supported"]
        self.assertLess(least, 0)
        self.assertGreater(most, 0)
        self.assertAlmostEqual(found["pivots"][0]["load"], most, places=9)
        self.assertEqual(found["pivots"][0]["opened"], found["opens_above"])
        self.assertGreater((self.folder / "f.png").stat().st_size, 1000)
        with open(self.folder / "f.csv", encoding="utf8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), found["contacts"])
        # At the end of the range the least force vanishes.
        self.assertAlmostEqual(min(float(r["exact"]) + most * float(r["per_unit_of_load"]) for r in rows), 0, places=9)

    def test_friction_gives_bounds_instead_of_ranges(self):
        self.write("resting.toml", RESTING.format(friction=0.4))
        self.moreau("run", "resting.toml", "--out", "run", "--threads", "1")
        found = self.json_of("statics", "run", "--load", "acceleration:0,0,-1", "--json")
        self.assertFalse(found["isostatic"])
        self.assertEqual(found["all_components"]["hypostatic"], 3)
        self.assertAlmostEqual(found["supported"][0], -9.81, places=4)  # weightless; upwards without limit
        self.assertIsNone(found["supported"][1])

    def test_mistakes_are_sentences(self):
        self.write("pressed.toml", pressed(duration=0.05))
        self.write("rough.toml", pressed(friction=0.3, duration=0.05))
        for arguments, words in [
            (["pressed.toml"], "no contact carries a force; run it first, or give --finish"),
            (["rough.toml", "--finish"], "friction between"),
            (["pressed.toml", "--finish", "--load", "piston:upwards"], "the scene has no piston 'upwards'"),
            (["pressed.toml", "--finish", "--load", "wind"], "there is no load 'wind'"),
            (["pressed.toml", "--finish", "--load", "gravity"], "the scene has no gravity"),
            (["pressed.toml", "--finish", "--load", "force:99:1,0"], "needs the number of a free body"),
            (["pressed.toml", "--finish", "--load", "acceleration:1"], "2 numbers were expected"),
            (["pressed.toml", "--finish", "--load", "cell:xx"], "no component of the cell"),
            (["pressed.toml", "--finish", "--pivots", "3"], "--pivots needs --load"),
            (["nowhere"], "nowhere"),
        ]:
            self.assertIn(words, self.refusal("statics", *arguments), arguments)


# The same discs from the lattice on by the quasi-static engine: its first step jams them, then the stress upright grows.
LOADED = pressed() + """\
[[phase]]
name = "load"
engine = "quasi-static"
step = 0.05
duration = 1.0
piston = { name = "upright", stress = { times = [0, 1], values = [1.0, 1.2] } }
"""


class QuasiStaticEngine(ProgramTest):
    def test_a_phase_is_carried_and_resumed_with_the_same_bits(self):
        self.write("loaded.toml", LOADED)
        summary = self.json_of("run", "loaded.toml", "--out", "whole", "--threads", "1", "--json")
        self.assertEqual(summary["step"], 20)
        self.assertEqual(summary["run"]["unconverged_steps"], 0)
        self.moreau("run", "loaded.toml", "--until", "0.4", "--out", "part", "--threads", "1")
        self.moreau("resume", "part", "--threads", "1")
        self.assertEqual(self.state_hash("whole"), self.state_hash("part"))
        found = self.json_of("statics", "whole", "--load", "piston:upright", "--json")
        self.assertTrue(found["isostatic"])
        self.assertEqual(found["contacts"], 2 * found["bodies"] + 2)
        self.assertLess(found["imbalance"], 1e-10)

    def test_every_event_is_a_row_of_events_csv_also_after_a_resume(self):
        self.write("loaded.toml", LOADED)
        self.moreau("run", "loaded.toml", "--out", "whole", "--threads", "1")
        self.moreau("run", "loaded.toml", "--until", "0.4", "--out", "part", "--threads", "1")
        self.moreau("resume", "part", "--threads", "1")
        text = (self.folder / "whole" / "events.csv").read_text()
        self.assertEqual(text, (self.folder / "part" / "events.csv").read_text())
        events = list(csv.DictReader(text.splitlines()))
        self.assertGreater(len(events), 1)
        strain = 0.0
        for event in events:
            self.assertEqual(event["contacts"], event["freedoms"])
            self.assertGreater(float(event["energy_released"]), 0.0)
            self.assertAlmostEqual(float(event["load_upright"]), 1.0 + 0.2 * float(event["time"]), places=12)
            self.assertGreaterEqual(float(event["strain_upright"]), strain)
            strain = float(event["strain_upright"])

    def test_friction_is_refused_with_the_place(self):
        self.write("rough.toml", LOADED.replace("friction = 0", "friction = 0.3"))
        self.assertIn("has the engine \"quasi-static\", but friction between", self.refusal("check", "rough.toml"))


if __name__ == "__main__":
    unittest.main()
