#!/usr/bin/python3
"""Flow: how fast a silo empties, and how steep the grains lie in a turning drum. `--short`: few grains, a moment."""
import argparse
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import moreau as mo

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--short", action="store_true", help="small and quick")
short = parser.parse_args().short
examples = pathlib.Path(__file__).resolve().parents[2] / "examples"

# 1. The silo: a wall of grains above a gate that drops at t = 0.6 s. What is below the outlet, or taken out further down by the sink, has left.
scene = mo.load(examples / "hopper.toml", {"grains.count": 150, "time.duration": 1.2} if short else {})
course = mo.Course(scene)
times, left = [], []
for report in course.steps(every=0.01):
    kind = course.bodies.kind
    gone = (kind == 3) | ((kind == 0) & (course.bodies.position[:, 1] < 0.0))
    times.append(report.time)
    left.append(float(course.bodies.mass[gone].sum()))
times, left = np.array(times), np.array(left)
flowing = (left > 0.1 * left[-1]) & (left < 0.7 * left[-1])
if flowing.sum() < 3:
    sys.exit("the silo does not flow")
rate = np.polyfit(times[flowing], left[flowing], 1)[0]
# Beverloo in the plane: W = C rho_b sqrt(g) (D - k d)^(3/2), C about 0.58 with k about 1.4 in three dimensions; of the order of one here.
outlet, diameter = 3.5, 0.35
scale = 2.5 * 0.8 * np.sqrt(981.0) * (outlet - 1.4 * diameter) ** 1.5
print(f"the silo empties at {rate:.3g} g/s per cm of depth, {rate / scale:.2f} of rho sqrt(g) (D - 1.4 d)^(3/2)")

# 2. The drum: slope of the surface in time.
course = mo.Course(mo.load(examples / "drum.toml", {"grains.count": 120} if short else {}))
slopes = []
for report in course.steps(until=0.6 if short else 6.0, every=0.02):
    if report.contacts > 0.5 * report.bodies:  # they have fallen
        slopes.append((report.time, mo.surface_slope(course)[0]))
slopes = np.array(slopes)
late = slopes[len(slopes) // 2:, 1]
print(f"slope in the drum: {late.mean():.1f} degrees, between {late.min():.1f} and {late.max():.1f}")

figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
axes[0].plot(times, left)
axes[0].set(xlabel="time [s]", ylabel="mass that has left [g/cm]", title="hopper")
axes[1].plot(*slopes.T)
axes[1].set(xlabel="time [s]", ylabel="slope [degrees]", title="drum")
figure.savefig("flow.png", dpi=150)
