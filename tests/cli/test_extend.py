"""Runs made longer, and what has come and gone since they began."""
import csv
import json
import shutil
import time
import unittest

import h5py

from program import ProgramTest, poured, scene
from test_draw import EMPTYING


class Extend(ProgramTest):
    def test_a_finished_run_is_made_longer(self):
        """By --until, or by the key: it is then the run that was as long from the beginning."""
        self.write("long.toml", poured(0.2))
        self.moreau("run", "long.toml", "--out", "whole")
        self.write("s.toml", poured(0.1))
        for run, words in (("a", ("--until", "0.2")), ("b", ("--set", "time.duration=0.2"))):
            self.moreau("run", "s.toml", "--out", run)
            self.assertIn("changed scene.toml", self.moreau("resume", run, *words))
            self.assertEqual(self.state_hash(run), self.state_hash("whole"))
            self.assertEqual(self.series(run), self.series("whole"))
            self.assertTrue(json.loads((self.path(run) / "summary.json").read_text())["complete"])
            self.assertIn("duration = 0.2", (self.path(run) / "scene.toml").read_text())
            self.assertIn("nothing to resume", self.moreau("resume", run))
        self.moreau("draw", "a", "--frame", "1")  # frames from before the change are still read

    def test_a_finished_run_goes_on_with_another_law(self):
        self.write("s.toml", poured(0.05))
        for run in ("a", "b"):
            self.moreau("run", "s.toml", "--out", run)
        self.moreau("resume", "a", "--set", "law.friction=0.2", "--until", "0.08")
        self.moreau("resume", "b", "--set", "law.friction=0.2", "--set", "time.duration=0.08")
        self.assertEqual(self.state_hash("a"), self.state_hash("b"))
        self.assertEqual((self.path("a") / "scene.toml").read_text(), (self.path("b") / "scene.toml").read_text())
        self.assertIn("friction = 0.2", (self.path("a") / "scene.toml").read_text())
        before = self.everything("a")
        for words in ((), ("--until", "0.01")):  # where no step is left in which it would act
            self.assertIn("no step is left", self.refusal("resume", "a", "--set", "law.friction=0.3", *words))
        self.assertIn("nothing to resume", self.moreau("resume", "a", "--set", "law.friction=0.2"))
        self.assertEqual(before, self.everything("a"))

    def test_a_refused_setting_leaves_the_run_as_it_is(self):
        self.write("s.toml", poured(0.05))
        self.moreau("run", "s.toml", "--out", "run")
        before = self.everything("run")
        self.assertIn("key 'time.duration' is -1", self.refusal("resume", "run", "--set", "time.duration=-1"))
        self.assertEqual(before, self.everything("run"))

    def test_a_cell_is_there_from_the_beginning_or_never(self):
        """Adding one to a run that has none ended in a broken program."""
        self.write("plain.toml", scene("[[grain]]\nposition = [0, 0]\nradius = 0.5\n"))
        self.write("cell.toml", (self.path("plain.toml")).read_text() + "[cell]\nmin = [-9, -9]\nmax = [9, 9]\n")
        for first, second, word in (("plain.toml", "cell.toml", "cannot have"), ("cell.toml", "plain.toml", "needs")):
            self.moreau("run", first, "--out", "first", "--force")
            self.assertIn(word + " a periodic cell", self.refusal("run", second, "--from", "first", "--out", "second"))
            if first == "plain.toml":
                before = self.everything("first")
                cell = "cell={min=[-9,-9],max=[9,9]}"
                self.assertIn("has a periodic cell where", self.refusal("resume", "first", "--set", cell, "--until", "0.2"))
                self.assertEqual(before, self.everything("first"))
            shutil.copy(self.path(second), self.path("first") / "scene.toml")
            self.assertIn("periodic cell where the checkpoint", self.refusal("resume", "first", "--changed", "--until", "9"))

    def test_killed_while_it_is_made_longer(self):
        """Whenever that is: the run has its old scene or the new one, and goes on."""
        self.write("s.toml", poured(0.1))
        self.moreau("run", "s.toml", "--out", "run")
        shutil.copytree(self.path("run"), self.path("alone"))
        self.moreau("resume", "alone", "--until", "0.2")
        for k in range(12):
            process = self.start("resume", "run", "--until", "0.2", "--threads", "1")
            time.sleep(0.03 * k)
            self.kill(process)
            self.moreau("info", "run")
        self.moreau("resume", "run", "--until", "0.2")
        self.assert_same_run("run", "alone")
        old, new = (self.path(name) / "scene.toml" for name in ("run", "alone"))
        text = new.read_text()
        new.rename(self.path("alone") / "scene.next.toml")  # killed between the checkpoint and the scene that belongs to it
        new.write_text(text.replace("duration = 0.2", "duration = 0.1"))
        self.assertIn("nothing to resume", self.moreau("resume", "alone"))
        self.assertEqual(new.read_text(), text)
        (self.path("run") / "scene.next.toml").write_text(text.replace("duration = 0.2", "duration = 0.3"))  # before both
        self.moreau("info", "run")
        self.assertEqual(sorted(f.name for f in self.path("run").glob("scene*")), ["scene.toml"])
        self.assertEqual(old.read_text(), text)

    def test_a_scene_edited_by_hand_is_not_taken_over_by_the_way(self):
        self.write("s.toml", poured(0.1))
        self.moreau("run", "s.toml", "--out", "run")
        scene = self.path("run") / "scene.toml"
        scene.write_text(scene.read_text().replace("friction = 0.4", "friction = 0.8"))
        before = self.everything("run")
        for words in (("--until", "0.2"), ("--set", "time.duration=0.2")):
            self.assertIn("scene.toml: was changed since the checkpoint", self.refusal("resume", "run", *words))
        self.assertEqual(before, self.everything("run"))
        self.moreau("resume", "run", "--until", "0.2", "--changed")

    def test_a_run_begins_where_another_has_come_to(self):
        """It goes on as that run would: same bodies, contacts and laws give the same positions; and it needs that run no longer."""
        self.write("a.toml", poured(0.1)), self.write("ab.toml", poured(0.2))
        self.moreau("run", "ab.toml", "--out", "whole")
        self.moreau("run", "a.toml", "--out", "a")
        said = self.moreau("run", "a.toml", "--from", "a", "--out", "b", "--until", "0.15")
        self.assertIn("go on with", said)
        self.assertNotIn("missing", said + (self.path("b") / "log.txt").read_text())
        shutil.rmtree(self.path("a"))
        said = self.moreau("resume", "b")
        self.assertIn("0.2 of 0.2, 100 steps of 0.001 after 100 of the run it has begun from", said)
        self.assertRegex(said, r"unconverged steps +0 of 100\n")
        with h5py.File(self.path("whole") / "trajectory.h5") as whole, h5py.File(self.path("b") / "trajectory.h5") as b:
            first, last = (sorted(name for name in b if name.startswith("frame_"))[k] for k in (0, -1))
            self.assertAlmostEqual(b[first].attrs["time"], 0.1)
            self.assertAlmostEqual(b[last].attrs["time"], 0.2)
            self.assertTrue((b[last]["bodies/position"][:] == whole["frame_000004"]["bodies/position"][:]).all())
        self.assertTrue(json.loads((self.path("b") / "summary.json").read_text())["complete"])
        self.assertNotIn("anew", said)
        self.write("p.toml", poured(0.1).replace("duration = 0.1\n", "") + '[[phase]]\nname = "fall"\nduration = 0.02\n[[phase]]\nname = "rest"\nduration = 0.02\n')
        self.moreau("run", "p.toml", "--out", "p", "--until", "0.03")
        self.assertIn("phases begin anew: 'fall', which p has been through, is made again", self.moreau("run", "p.toml", "--from", "p", "--out", "q", "--until", "0.04"))
        self.assertIn("phases begin anew", (self.path("q") / "log.txt").read_text())
        self.write("c.toml", poured(0.1).replace('name = "tray"', 'name = "bucket"'))
        self.assertIn("needs its walls in their order", self.refusal("run", "c.toml", "--from", "b", "--out", "c"))
        self.assertFalse(self.path("c").exists())

    def test_a_phase_is_made_longer_by_its_key(self):
        phases = poured(0.1).replace("duration = 0.1\n", "") + '''[[phase]]
name = "fall"
duration = 0.04
[[phase]]
name = "rest"
duration = 0.06
'''
        self.write("s.toml", phases)
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.05")
        before = self.everything("run")
        for setting, words in (("phase[fall].duration=0.05", "the phase 'fall' is over"), ("phase[fall].radii=0.9", "'fall', as which begins radii change"),
                               ("phase[rest].radii=0.9", "the phase 'rest', as which begins radii change"),
                               ("phase[fall].end={travelled=1}", "the phase 'fall' is over")):
            said = self.refusal("resume", "run", "--set", setting)
            self.assertRegex(said, f"^--set phase.*: run is at t = 0.05, and no step is left in which that would act: .*{words}")
        self.assertEqual(before, self.everything("run"))
        self.assertIn("phase[NAME].duration", self.moreau("resume", "run", "--until", "1"))
        self.moreau("resume", "run", "--set", "phase[rest].duration=0.08")
        self.assertAlmostEqual(self.json_of("info", "run", "--json")["time"], 0.12)
        self.assertIn("resumed with --set phase[rest].duration=0.08", (self.path("run") / "log.txt").read_text())
        soft = poured(0.1).replace("[law]", 'engine = "soft"\n[law]\nstiffness = 1e5')
        soft = soft.replace('engine = "soft"\n', "").replace("gravity = 9.81", 'gravity = 9.81\nengine = "soft"').replace("step = 1e-3", "step = 1e-5")
        self.write("soft.toml", soft)
        self.moreau("run", "soft.toml", "--out", "soft", "--until", "0.001")
        self.assertIn('no phase that is left has the engine "rigid"', self.refusal("resume", "soft", "--set", "contact.distance=0.1"))
        self.moreau("resume", "soft", "--set", "law.friction=0.2", "--until", "0.002")


class Traffic(ProgramTest):
    def test_what_has_left_is_counted_from_the_beginning(self):
        """Rows ten steps apart miss nothing, and the last one tells what the summary does."""
        self.write("s.toml", EMPTYING.format(checkpoint=30))
        self.moreau("run", "s.toml", "--out", "run", "--threads", "1")
        rows = self.table("run", "series")
        removed, mass = [int(r["removed"]) for r in rows], [float(r["removed_mass"]) for r in rows]
        self.assertEqual(removed, sorted(removed))
        self.assertEqual(mass, sorted(mass))
        summary = json.loads((self.path("run") / "summary.json").read_text())
        self.assertGreater(removed[-1], 5)
        self.assertEqual(removed[-1], summary["removed_bodies"])
        self.assertEqual(removed[-1] + int(rows[-1]["bodies"]), 53)
        discs = 1000 * 3.14159265 / 4
        self.assertTrue(removed[-1] * discs * 0.05**2 < mass[-1] < removed[-1] * discs * 0.08**2)

    def test_what_has_come_is_counted_too(self):
        self.write("s.toml", poured(0.2).replace("[output]", "[output]\nseries = 0.05"))
        self.moreau("run", "s.toml", "--out", "run", "--threads", "1")
        last = self.table("run", "series")[-1]
        self.assertEqual(int(last["inserted"]), int(last["bodies"]) - 40)
        self.assertGreater(float(last["inserted_mass"]), 0)


class Balance(ProgramTest):
    def test_free_fall_is_no_equilibrium(self):
        """A phase that asks for balance does not end while its grains are in the air, but when they rest."""
        self.write("s.toml", scene("""
[[wall]]
plane = { normal = [0, 1] }
[[grain]]
position = [0, 0.05]
radius = 0.05
[[grain]]
position = [0.5, 0.15]
radius = 0.05
[[phase]]
name = "rest"
duration = 2
end = { force_residual = 1e-3 }
""", gravity=9.81, duration=None))
        self.moreau("run", "s.toml", "--out", "run")
        self.assertGreater(self.json_of("info", "run", "--json")["time"], 0.14)  # sqrt(2 x 0.1 / 9.81) in the air
        self.assertLess(self.json_of("info", "run", "--json")["time"], 1.9)


class NamedBodies(ProgramTest):
    def test_the_force_on_a_named_grain_is_its_share_of_the_weight(self):
        self.write("s.toml", scene("""
[[grain]]
name = "anvil"
position = [0, 0]
radius = 0.5
fixed = true
[[wall]]
box = { min = [-0.5, -2], max = [0.5, 3], open = ["top"] }
[[grain]]
name = "load"
position = [0, 1]
radius = 0.5
[[measure]]
quantity = "body-forces"
every = 0.05
""", density=1))
        self.moreau("run", "s.toml", "--out", "run")
        table = json.loads(self.moreau("measure", "run", "body-forces", "--json", "-"))["body-forces"]
        weight = 10 * 3.14159265358979 / 4
        self.assertEqual([row["body"] for row in table], ["anvil", "load"])
        self.assertAlmostEqual(table[0]["force_y"], -weight, delta=1e-3 * weight)
        self.assertAlmostEqual(table[1]["force_y"], weight, delta=1e-3 * weight)
        self.assertTrue((self.path("run") / "measures" / "body-forces.csv").exists())
        self.write("t.toml", (self.path("s.toml")).read_text().replace('"load"', '"anvil"'))
        self.assertIn('already the name of the body at line', self.refusal("check", "t.toml"))


if __name__ == "__main__":
    unittest.main()
