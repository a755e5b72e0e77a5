#!/usr/bin/python3
"""An arch: does it stand, how thin may it be, what shakes it down? `--short`: a coarser search."""
import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import moreau as mo

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--short", action="store_true", help="small and quick")
short = parser.parse_args().short


def arch(thickness, shake=0.0, frequency=2.0, friction=0.8, duration=3.0):
    """A semicircular arch of mean radius 1 m on supports that move sideways: `shake` times g at most, ten periods at most."""
    amplitude = shake * 9.81 / (2 * np.pi * frequency) ** 2
    scene = {"title": "arch", "dimension": 2, "gravity": 9.81, "time": {"step": 1e-3, "duration": duration},
             "contact": {"rule": "predictive"}, "material": {"density": 2000}, "law": {"friction": friction},
             "wall": {"name": "ground", "plane": {"normal": [0, 1]}},
             "arch": {"inner_radius": 1 - thickness / 2, "outer_radius": 1 + thickness / 2, "stones": 15}, "output": {"frames": 0.05}}
    if shake > 0:
        scene["motion"] = [{"name": "quake", "kind": "sinusoid", "direction": [1, 0], "amplitude": amplitude, "frequency": frequency}]
        scene["wall"]["motion"] = "quake"
        scene["arch"]["motion"] = "quake"
    return mo.Scene(scene)


def falls(scene):
    """The key stone comes down by a twentieth of the radius."""
    course = mo.Course(scene, threads=1)
    stones = scene.named["arch"]
    key = stones[len(stones) // 2]
    start = course.bodies.position[key, 1]
    for _ in course.steps(every=0.05):
        if course.bodies.position[key, 1] < start - 0.05:
            return True
    return False


# 1. One step from rest tells whether an arch can stand; bisection finds how thin it may be (Milankovitch 1907: 0.1075 of the radius
#    for a semicircle of many stones that cannot slide).
low, high = 0.05, 0.2
while high - low > (0.02 if short else 1e-3):
    middle = 0.5 * (low + high)
    low, high = (low, middle) if mo.equilibrium(arch(middle))["possible"] else (middle, high)
print(f"an arch of 15 stones stands from a thickness of {high:.3f} of its radius on")

# 2. The earthquake: which acceleration brings down an arch of given thickness?
thicknesses = [0.2] if short else [0.14, 0.17, 0.2, 0.25]
critical = []
for thickness in thicknesses:
    low, high = 0.0, 1.5
    while high - low > (0.4 if short else 0.05):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if falls(arch(thickness, middle, duration=1.0 if short else 3.0)) else (middle, high)
    critical.append(0.5 * (low + high))
    print(f"thickness {thickness}: falls at about {critical[-1]:.2f} g, 2 Hz")

run = mo.run(arch(thicknesses[0], 1.5 if short else 1.3 * critical[0], duration=0.3 if short else 3.0), "arch-run", force=True)
mo.draw(run, "arch.png", hinges=True, thrust=True, colour="none", frame=len(run.frames) // 2)
plt.plot(thicknesses, critical, "o-")
plt.xlabel("thickness / radius")
plt.ylabel("acceleration that brings it down / g")
plt.savefig("arch-quake.png", dpi=150)
