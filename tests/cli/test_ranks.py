"""Runs on several ranks (mpirun): the same folder, frames, checkpoints and hash as on one process."""
import json
import os
import shutil
import subprocess
import unittest

import h5py

from program import MOREAU, REPOSITORY
from ranks import RanksTest, tray


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

    def test_discs_in_a_tray_that_is_tilted(self):
        self.compare(tray(2, 80, 0.1) + "[tilt]\nto = 0.5\nrate = 4\nstart = 0.02\n", (3,))

    def test_balls_in_a_cell_that_keeps_its_shape(self):
        self.compare(tray(3, 120, 0.08).replace('box = {', 'plane = { normal = [0, 0, 1] } #') +
                     '[cell]\nmin = [0, 0, 0]\nmax = [0.06, 0.06, 1]\nperiodic = ["x", "y"]\n', (2,))

    def test_messages_in_pieces(self):
        self.write("scene.toml", tray(2, 60, 0.06))
        self.moreau("run", "scene.toml", "--out", "alone", "--threads", "1")
        self.mpirun(3, "run", "scene.toml", "--out", "pieces", "--threads", "1", environment={"MOREAU_LARGEST_MESSAGE": "1000"})
        self.assert_same_run("alone", "pieces")

    def test_a_few_discs_with_more_ranks_than_bodies_near_each_other(self):
        self.compare(tray(2, 5, 0.05), (4,))


# Examples of every kind, most of them also in tests/cli/test_golden.py, a few steps each: a structure, sources and sinks, driven blocks,
# meshes, one of which wears, joints, a cell that deforms, pistons, polyhedra, a drum that turns, a block that rocks, soil.
SHORT = {"arch": 0.003, "conveyor": 0.02, "drum": 0.01, "hopper": 0.006, "meshes/mesh-drum": 0.004, "meshes/mesh-mixer": 0.004,
         "mortar-wall": 0.004, "oedometer": 0.1, "polyhedra": 0.004, "rocking": 0.01, "shear-cell": 0.12, "soil": 0.01,
         "triaxial": 0.12}


class GoldenScenes(RanksTest):
    def compare(self, name, ranks):
        scene = REPOSITORY / "examples" / f"{name}.toml"
        command = ["run", scene, "--until", SHORT[name], "--out", "run", "--force", "--threads", "1", "--json"]
        alone, output = self.json_of(*command), self.mpirun(ranks, *command)[0]
        self.assertEqual(json.loads(output)["state_hash"], alone["state_hash"])

    def test_of_every_kind_have_the_same_bits(self):
        for k, name in enumerate(sorted(SHORT)):
            with self.subTest(scene=name):
                self.compare(name, 2 + k % 3)


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


def has_namespaces():
    return subprocess.run(["unshare", "--map-root-user", "--net", "ip", "link", "add", "a0", "type", "veth", "peer", "name", "b0"],
                          capture_output=True).returncode == 0 if shutil.which("ip") and shutil.which("unshare") else False


class TwoMachines(RanksTest):
    def test_that_reach_each_other_by_a_network_alone(self):
        if not has_namespaces():
            self.skipTest("no network namespaces here")
        self.write("scene.toml", tray(2, 60, 0.04))
        self.moreau("run", "scene.toml", "--out", "alone", "--threads", "1")
        process = self.start_command([REPOSITORY / "bench" / "ranks_cluster.sh", MOREAU, "run", "scene.toml", "--out", "there", "--threads", "1"],
                                     env={**os.environ, "MOREAU_ADDED_LATENCY": "20"})
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, errors)
        self.assert_same_run("alone", "there")


class DumpedProblems(RanksTest):
    def test_are_those_of_one_process(self):
        self.write("scene.toml", tray(2, 60, 0.06))
        for command, out in ((self.moreau, "alone"), (lambda *words: self.mpirun(2, *words), "on2")):
            command("run", "scene.toml", "--out", out, "--threads", "1", "--dump-problem", "45", "--dump-problem", "50")
        self.assert_same_run("alone", "on2")
        for step in (45, 50):
            one, two = (self.problem(run, step) for run in ("alone", "on2"))
            self.assertIn("fclib_local/W/x", one)
            self.assertEqual(one, two)

    def problem(self, run, step):
        """Name and bytes of every list of numbers."""
        found = {}
        with h5py.File(self.path(run) / f"problem_{step:06}.hdf5") as file:
            file.visititems(lambda name, item: found.update({name: item[()].tobytes()})
                            if isinstance(item, h5py.Dataset) and item.dtype.kind in "fi" else None)
        return found


if __name__ == "__main__":
    unittest.main()
