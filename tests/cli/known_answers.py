"""What the tests of scenes with known answers share: their pieces, and runs under both contact rules."""
import json
import math

import h5py
import numpy

from program import ProgramTest, scene

G = 10.0
RULES = ("midpoint", "predictive")


def plane(normal, point=None, extra=""):
    at = "" if point is None else f", point = {list(point)}"
    return f"[[wall]]\nplane = {{ normal = {list(normal)}{at} }}\n{extra}"


def ball(position, radius, extra=""):
    return f"[[grain]]\nposition = {list(position)}\nradius = {radius!r}\n{extra}"


def block(shape, position=None, extra=""):
    at = "" if position is None else f"position = {list(position)}\n"
    return f"[[block]]\n{shape}\n{at}{extra}"


def box(size, position, extra=""):
    return block(f"size = {list(size)}", position, extra)


FLOOR2, FLOOR3 = plane([0, 1]), plane([0, 0, 1])


def down_a_slope(angle, dimension=2):
    """Gravity as a block on a plane inclined by this angle feels it."""
    return [G * math.sin(angle), *[0.0] * (dimension - 2), -G * math.cos(angle)]


class Result:
    """First and last frame of a run, and the forces of its last step."""

    def __init__(self, folder):
        with h5py.File(folder / "trajectory.h5") as run:
            names = sorted(name for name in run if name.startswith("frame_"))
            first, last = run[names[0]], run[names[-1]]
            self.time = float(last.attrs["time"])
            self.start, self.position = first["bodies/position"][:], last["bodies/position"][:]
            self.velocity, self.spin = last["bodies/velocity"][:], last["bodies/spin"][:]
            self.mass = last["bodies/mass"][:]
            self.a, self.b = last["contacts/a"][:], last["contacts/b"][:]
            self.force, self.normal, self.point = (last[f"contacts/{name}"][:] for name in ("force", "normal", "point"))
        self.summary = json.loads((folder / "summary.json").read_text())

    @property
    def moved(self):
        return float(numpy.linalg.norm(self.position - self.start, axis=1).max())

    @property
    def speed(self):
        return float(numpy.linalg.norm(self.velocity, axis=1).max())

    def between(self, a, b):
        """Force on body a by body b, or by wall ~b."""
        ours, theirs = (self.a == a) & (self.b == b), (self.a == b) & (self.b == a)
        return self.force[ours].sum(axis=0) - self.force[theirs].sum(axis=0)

    def pushed(self, a, b):
        return float(numpy.linalg.norm(self.between(a, b)))


class KnownTest(ProgramTest):
    def run_scene(self, things, rule=None, expected=(), **head):
        head = {"gravity": G, **head}
        self.write("s.toml", scene(things, **head))
        self.moreau("run", "s.toml", "--out", "r", "--force", "--threads", 1, *(("--set", f'contact.rule="{rule}"') if rule else ()))
        result = Result(self.path("r"))
        self.assertEqual(result.summary["run"]["unconverged_steps"], 0)
        self.assertEqual([w for w in result.summary["warnings"] if w["kind"] not in expected], [])
        return result

    def rests(self, things, *, size=1.0, still=1e-6, **head):
        """The results under both rules of something that stands: it has not moved, and does not move."""
        results = []
        for rule in RULES:
            head = {"duration": 0.3, **head}
            result = self.run_scene(things, rule, **head)
            self.assertLess(result.speed, still * G * head.get("step", 1e-3) * 1e3, rule)
            # Under the midpoint rule what was open by a rounding is caught after falling for a step or two.
            self.assertLess(result.moved, 3.0 * G * head.get("step", 1e-3) ** 2 + 1e-9 * size, rule)
            results.append(result)
        return results

    def near(self, found, expected, share=1e-3, scale=None):
        self.assertLess(abs(found - expected), share * (abs(expected) if scale is None else scale), f"{found} instead of {expected}")
