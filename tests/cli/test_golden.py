"""State hashes of scenes of all kinds: the same on any number of threads and with any instruction set, and those of golden.csv
once they are recorded there.

A change that is meant to change bits records them anew: MOREAU_RECORD=1 MOREAU=build/moreau python3 -m unittest test_golden
(from tests/cli), and says so in its commit.
"""
import csv
import os
import pathlib
import subprocess

from program import MOREAU, REPOSITORY, ProgramTest

RECORDED = pathlib.Path(__file__).with_name("golden.csv")

# Balls in a box: enough contacts for sweeps in single precision, and every law beyond Coulomb's.
BALLS = """\
dimension = {dimension}
seed = 1
gravity = 9.81
[time]
step = 1e-3
duration = 0.12
[contact]
rule = "predictive"
[material]
density = 2500
[law]
friction = 0.5
{law}
[wall]
box = {{ min = {low}, max = {high}, open = ["top"] }}
[[grains]]
count = {count}
arrangement = "lattice"
random_speed = 0.1
diameter = {{ uniform = [0.008, 0.012] }}
{more}
"""


def balls(dimension, count, law="", more=""):
    side = 0.07 if dimension == 3 else 0.2
    return BALLS.format(dimension=dimension, law=law, count=count, low=[0.0] * dimension, more=more,
                        high=[side] * (dimension - 1) + [1.0])


# Examples until this time, and scenes of this page.
EXAMPLES = {"arch": 0.05, "meshes/mesh-drum": 0.05, "meshes/mesh-hopper": 0.05, "meshes/mesh-screw": 0.05, "column-2d": 0.02, "conveyor": 0.2, "cylinder": 0.1, "drum": 0.1, "hopper": 0.1, "masonry-wall": 0.03,
            "mortar-wall": 0.03, "oedometer": 1.0, "pile": 0.2, "planks": 0.05, "polyhedra": 0.02, "rocking": 0.1, "shaken-box": 0.1,
            "shear-cell": 1.0, "triaxial": 0.5}
SCENES = {
    "balls": balls(3, 700),
    "discs": balls(2, 1200),
    "balls-rolling": balls(3, 700, "rolling_friction = 0.1\nrestitution = 0.2"),
    "balls-cohesion": balls(3, 700, "cohesion = 1e-3"),
    "balls-and-polyhedra": balls(3, 600, more="[[blocks]]\ncount = 40\nrandom = { vertices = 8, radius = 0.006 }"),
}


def instruction_sets():
    """Those that this machine has, the widest first."""
    flags = pathlib.Path("/proc/cpuinfo").read_text() if os.path.exists("/proc/cpuinfo") else ""
    sets = [name for name, flag in (("avx512", "avx512vl"), ("avx2", "avx2")) if f" {flag} " in flags or f" {flag}\n" in flags]
    return [name for name in sets + ["sse2"]
            if subprocess.run([MOREAU, "--instructions", name, "bench", "--grains", "10", "--steps", "1"],
                              capture_output=True).returncode == 0]


class GoldenHashes(ProgramTest):
    def hash_of(self, name, *instructions, threads):
        if name in EXAMPLES:
            scene, until = REPOSITORY / "examples" / f"{name}.toml", ["--until", str(EXAMPLES[name])]
        else:
            scene, until = self.write(f"{name}.toml", SCENES[name]), []
        return self.json_of(*instructions, "run", scene, *until, "--out", "run-" + name.replace("/", "-"), "--force", "--threads", str(threads),
                            "--json")["state_hash"]

    def test_the_same_on_any_threads_and_instructions(self):
        if os.environ.get("MOREAU_RECORD"):
            with open(RECORDED, "w", newline="") as file:
                csv.writer(file).writerows([["scene", "state_hash"]] +
                                           [[n, self.hash_of(n, threads=1)] for n in sorted([*EXAMPLES, *SCENES])])
        names = sorted([*EXAMPLES, *SCENES])
        recorded = {}
        if RECORDED.exists():
            recorded = {row["scene"]: row["state_hash"] for row in csv.DictReader(open(RECORDED))}
            self.assertEqual(sorted(recorded), names)
        sets = instruction_sets()
        self.assertIn("sse2", sets)
        for name in names:
            expected = recorded.get(name) or self.hash_of(name, threads=1)
            for threads, instructions in [(1, sets[0]), (2, sets[-1]), (3, sets[len(sets) // 2]), (7, sets[0])]:
                with self.subTest(scene=name, threads=threads, instructions=instructions):
                    self.assertEqual(self.hash_of(name, "--instructions", instructions, threads=threads), expected)
        for name in ("balls", "discs", "arch"):  # more threads than most machines have cores: short scenes of every kind of loop
            with self.subTest(scene=name, threads=16):
                self.assertEqual(self.hash_of(name, threads=16), recorded.get(name) or self.hash_of(name, threads=1))
