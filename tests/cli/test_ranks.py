"""Runs on several ranks (mpirun): the same folder and state hash as one process, whatever their number; and what happens when one of
them is lost. Skipped where the program was built without ranks."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

from program import MOREAU, REPOSITORY, ProgramTest

LIBRARY = pathlib.Path(shutil.which(MOREAU) or MOREAU).resolve().parent / "libmoreau_ranks.so"
HAS_RANKS = LIBRARY.exists() and shutil.which("mpirun") is not None
MPIRUN = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "--mca", "btl", "self,vader", "--mca",
          "btl_vader_single_copy_mechanism", "none", "-n"]

# Grains that fall into a tray and come to lie; a slope in a corner, and walls that shake.
TRAY = """\
dimension = {dimension}
seed = 4
gravity = 9.81
[time]
step = 1e-3
duration = {duration}
[output]
frames = 0.05
checkpoint = {checkpoint}
[material]
density = 2500
[law]
friction = 0.4
{law}
[[motion]]
name = "shake"
kind = "sinusoid"
amplitude = 0.002
direction = {up}
frequency = 8
[[wall]]
name = "tray"
box = {{ min = {low}, max = {high}, open = ["top"] }}
{shaken}
[[wall]]
{inner}
[[measure]]
quantity = "coordination"
every = 0.05
[[grains]]
count = {count}
arrangement = "lattice"
random_speed = 0.2
diameter = {{ uniform = [0.008, 0.012] }}
region = {{ box = [{base}, {top}] }}
"""


def tray(dimension, count, duration, law="", shaken=False, checkpoint=30):
    side = 0.06 if dimension == 3 else 0.16
    inner = f"plane = {{ normal = {[1] + [0] * (dimension - 2) + [1]}, point = {[0.015] + [0.0] * (dimension - 1)} }}"
    return TRAY.format(dimension=dimension, count=count, duration=duration, law=law, checkpoint=checkpoint, inner=inner,
                       up=[0] * (dimension - 1) + [1], low=[0.0] * dimension, high=[side] * (dimension - 1) + [1.0],
                       base=[0.0] * (dimension - 1) + [0.02], top=[side] * (dimension - 1) + [0.9],
                       shaken='motion = "shake"' if shaken else "")


@unittest.skipUnless(HAS_RANKS, "built without ranks")
class RanksTest(ProgramTest):
    def mpirun(self, ranks, *arguments, status=0, environment=None):
        process = self.start_ranks(ranks, *arguments, environment=environment)
        output, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, status, f"{output}\n{errors}")
        return output, errors

    def start_ranks(self, ranks, *arguments, environment=None):
        process = subprocess.Popen([*MPIRUN, str(ranks), MOREAU, *map(str, arguments)], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
        self.addCleanup(self.stop, process)
        return process


class SameBits(RanksTest):
    def compare(self, text, counts):
        self.write("scene.toml", text)
        self.moreau("run", "scene.toml", "--out", "alone", "--threads", "1")
        for ranks in counts:
            self.mpirun(ranks, "run", "scene.toml", "--out", f"on{ranks}", "--threads", "1")
            self.assert_same_run("alone", f"on{ranks}")

    def test_discs_in_a_tray(self):
        self.compare(tray(2, 100, 0.12), (2, 4))

    def test_balls_that_bounce_in_a_shaken_tray(self):
        self.compare(tray(3, 120, 0.06, "restitution = 0.3", shaken=True), (3,))

    def test_a_few_discs_with_more_ranks_than_bodies_near_each_other(self):
        self.compare(tray(2, 5, 0.05), (4,))


# Scenes of tests/cli/test_golden.py of every kind, a few steps each: a structure, sources and sinks, driven blocks, a mesh, joints, a cell
# that deforms, pistons, polyhedra.
SHORT = {"arch": 0.003, "conveyor": 0.02, "hopper": 0.006, "meshes/mesh-drum": 0.004, "mortar-wall": 0.004, "shear-cell": 0.12,
         "triaxial": 0.12, "polyhedra": 0.004}


class GoldenScenes(RanksTest):
    def compare(self, name, ranks):
        scene = REPOSITORY / "examples" / f"{name}.toml"
        command = ["run", scene, "--until", SHORT[name], "--out", "run", "--force", "--threads", "1", "--json"]
        alone, output = self.json_of(*command), self.mpirun(ranks, *command)[0]
        self.assertEqual(json.loads(output)["state_hash"], alone["state_hash"])

    def test_of_every_kind_have_the_same_bits(self):
        for k, name in enumerate(sorted(SHORT)):
            with self.subTest(scene=name):
                self.compare(name, 2 + k % 2)


# A plate that carries two rows of discs: more than 64 contacts at one body.
PLATE = """\
dimension = 2
seed = 2
gravity = 9.81
time = { step = 1e-3, duration = 0.04 }
material = { density = 2500 }
law = { friction = 0.4 }
contact = { rule = "predictive" }
[[wall]]
box = { min = [0, 0], max = [1, 1], open = ["top"] }
[[block]]
size = [0.98, 0.05]
position = [0.5, 0.0251]
[[grains]]
count = 190
arrangement = "lattice"
diameter = { uniform = [0.0097, 0.01] }
region = { box = [[0.005, 0.0502], [0.995, 0.3]] }
"""


class CrowdedBodies(RanksTest):
    def test_a_plate_with_more_contacts_than_colours(self):
        self.write("scene.toml", PLATE)
        command = ["run", "scene.toml", "--out", "run", "--force", "--threads", "1", "--json"]
        alone = self.json_of(*command)
        self.assertGreater(alone["contacts"], 64)
        self.assertEqual(json.loads(self.mpirun(3, *command)[0])["state_hash"], alone["state_hash"])


class ResumedRuns(RanksTest):
    def test_on_another_number_of_ranks(self):
        self.write("scene.toml", tray(2, 80, 0.1))
        self.moreau("run", "scene.toml", "--out", "alone", "--threads", "1")
        self.mpirun(3, "run", "scene.toml", "--out", "parts", "--threads", "1", "--until", "0.03")
        self.moreau("resume", "parts", "--threads", "1", "--until", "0.06")
        self.mpirun(2, "resume", "parts", "--threads", "1")
        self.assert_same_run("alone", "parts")


class LostRanks(RanksTest):
    def ranks_of(self, launcher):
        """Process ids of the ranks, rank 0 first."""
        found = {}
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                parent = int(re.search(r"^PPid:\s*(\d+)", (folder / "status").read_text(), re.M).group(1))
                rank = re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", (folder / "environ").read_bytes())
            except (OSError, AttributeError):
                continue
            if parent == launcher and rank:
                found[int(rank.group(1))] = int(folder.name)
        return [found[r] for r in sorted(found)]

    def begin(self, environment=None):
        self.write("scene.toml", tray(2, 200, 20, checkpoint=0.1))
        process = self.start_ranks(3, "run", "scene.toml", "--out", "run", "--threads", "1", environment=environment)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (self.path("run") / "checkpoint.h5").exists():
            time.sleep(0.1)
        time.sleep(1.0)
        ranks = self.ranks_of(process.pid)
        self.assertEqual(len(ranks), 3)
        return process, ranks

    def test_a_killed_rank_ends_the_run_with_a_sentence_and_a_checkpoint(self):
        process, ranks = self.begin()
        os.kill(ranks[1], signal.SIGKILL)
        output, errors = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("moreau resume", errors)
        self.assertGreater(self.json_of("info", "run", "--json")["step"], 0)
        self.mpirun(2, "resume", "run", "--threads", "1", "--until", "20.001")

    def test_a_rank_that_hangs_is_noticed(self):
        process, ranks = self.begin({"MOREAU_LONGEST_SILENCE": "2"})
        os.kill(ranks[2], signal.SIGSTOP)
        try:
            output, errors = process.communicate(timeout=60)
        finally:
            try:
                os.kill(ranks[2], signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("silent", errors)


class Refusals(RanksTest):
    def refused(self, text, words):
        self.write("scene.toml", text)
        _, errors = self.mpirun(2, "run", "scene.toml", "--out", "run", status=1)
        sentences = [line for line in errors.splitlines() if line.startswith("moreau: ")]
        self.assertEqual(len(sentences), 1, errors)
        self.assertIn(words, sentences[0])
        self.assertFalse(self.path("run").exists())

    def test_scenes_that_cannot_be_shared_yet(self):
        self.refused(tray(2, 20, 0.1).replace("[law]", '[contact]\nshocks = "sequential"\n[law]'), "shocks")

    def test_mistakes_are_told_once(self):
        self.refused(tray(2, 20, 0.1).replace("friction = 0.4", "friction = -1"), "friction")


if __name__ == "__main__":
    unittest.main()
