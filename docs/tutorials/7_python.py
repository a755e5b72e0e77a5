#!/usr/bin/python3
"""Steps from Python: discs come to rest in a tray, then friction fades and the heap gives way. `--short`: a few discs."""
import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import moreau as mo

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--short", action="store_true", help="small and quick")
short = parser.parse_args().short
scene = mo.Scene({
    "title": "fading friction",
    "dimension": 2,
    "seed": 1,
    "gravity": 9.81,
    "time": {"step": 2e-3, "duration": 10.0},
    "material": [{"name": "grain", "density": 1000}],
    "law": {"friction": 0.5},
    "floor": {"extent": 1.5, "diameter": {"uniform": [0.03, 0.05]}},
    "grains": [{"count": 40 if short else 400, "diameter": {"uniform": [0.03, 0.05]},
                "region": {"box": [[-0.4, 0.06], [0.4, 1.2]]}}],
})
course = mo.Course(scene)
settle, end = (0.3, 0.5) if short else (1.5, 4.5)
course.run(until=settle)
print(course, course.report)

start = course.bodies.position.copy()
frictions, shares = [], []
for report in course.steps(until=end, every=0.05):
    friction = 0.5 * (end - course.time) / (end - settle)
    course.set_law("grain", friction=max(0.0, friction))
    moved = np.linalg.norm(course.bodies.position - start, axis=1)
    frictions.append(friction)
    shares.append((moved > 0.02).mean())

contacts = course.contacts
weight = 9.81 * course.bodies.mass[course.bodies.kind == 0].sum()
print(f"{len(contacts)} contacts; mean normal force {contacts.normal_force.mean() / weight:.2e} of the weight")
plt.plot(frictions, shares)
plt.xlabel("friction")
plt.ylabel("share of grains that moved by a radius")
plt.savefig("fading.png", dpi=150)
