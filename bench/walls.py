#!/usr/bin/python3
"""How steadily walls hold the stress that is asked of them: samples of discs, pressed, brought to rest, then shortened at a strain rate of
2e-3; standard deviations over 400 single steps of what the walls across exert, over what is asked. Writes bench/results/walls.csv.

usage: PYTHONPATH=build/python bench/walls.py [--discs 12 30 60 120 400 2000] [--seeds 1 2 3] [--mass FACTOR ...]

`pair`: left and right are one piston and move as mirror images; `own`: each wall is a piston of its own. FACTOR multiplies the default
mass of the walls. Columns: `wall` (the worse of the two walls), `mean` (of the two), `sample` (stress of the sample, `load`), `wall_25`
(means over 25 steps of the worse wall), `off` (how far the mean over all steps is from what is asked), `sweeps` of a step.
"""
import argparse
import csv
import pathlib

import numpy as np

import moreau as mo

HERE = pathlib.Path(__file__).resolve().parent
RATE = 2e-3  # per unit of time; the inertial number is about as large: diameters, density and stress are of order one


def scene(count, seed, own, factor):
    half = 0.5 * 1.02 * np.ceil(np.sqrt(count)) + 0.1
    mass = factor * 0.05 * 0.458 * np.sqrt(count)  # twentieth of a layer: mean area of a disc times N / sqrt(N)
    across = [{"name": side, "walls": [f"box.{side}"], "stress": 1.0, "mass": mass} for side in ("left", "right")] if own else \
        [{"name": "across", "walls": ["box.left", "box.right"], "stress": 1.0, "mass": mass}]
    return mo.Scene({
        "dimension": 2, "seed": seed, "time": {"step": 0.02}, "contact": {"rule": "predictive"},
        "material": [{"name": "grain", "density": 1.0}, {"name": "plate", "density": 1.0}],
        "pair": [{"materials": ["grain", "grain"], "friction": 0.3}, {"materials": ["grain", "plate"], "friction": 0.0}],
        "wall": [{"name": "box", "material": "plate", "box": {"min": [-half, -half], "max": [half, half]}}],
        "grains": [{"material": "grain", "arrangement": "lattice", "count": count, "diameter": {"uniform": [0.5, 1.0]}, "random_speed": 1.0}],
        "piston": [*across, {"name": "upright", "walls": ["box.bottom", "box.top"], "stress": 1.0, "mass": mass}],
        "phase": [{"name": "press", "duration": 20}, {"name": "settle", "damping": 1.0, "duration": 20},
                  {"name": "shear", "damping": 0.0, "piston": {"name": "upright", "velocity": RATE * 0.43 * np.sqrt(count)}, "duration": 100}]})


def row(count, seed, own, factor):
    course = mo.Course(scene(count, seed, own, factor), threads=1)
    while course.phase != "shear":
        course.run(steps=10)
    course.run(steps=100)
    walls, sample, sweeps = [], [], []
    for _ in range(400):
        sweeps.append(course.step().certificate.sweeps)
        forces, load = mo.measure(course, "wall-forces"), mo.measure(course, "load")
        exerted = dict(zip(forces["wall"], forces["normal"]))
        walls.append([exerted[f"box.{side}"] / load["length_y"][0] for side in ("left", "right")])
        sample.append(load["stress_xx"][0])
    walls = np.array(walls)
    blocks = walls.reshape(16, 25, 2).mean(axis=1)
    return {"discs": count, "seed": seed, "walls": "own" if own else "pair", "mass": factor, "wall": walls.std(axis=0).max(), "mean": walls.mean(axis=1).std(),
            "sample": np.std(sample), "wall_25": blocks.std(axis=0).max(), "off": abs(walls.mean() - 1), "sweeps": np.mean(sweeps),
            "unconverged": course.totals["unconverged_steps"]}


parser = argparse.ArgumentParser()
parser.add_argument("--discs", type=int, nargs="+", default=[12, 30, 60, 120, 400, 2000])
parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
parser.add_argument("--mass", type=float, nargs="+", default=[1.0])
parser.add_argument("--out", default=HERE / "results" / "walls.csv")
options = parser.parse_args()

rows = []
for count in options.discs:
    for own in (False, True):
        for factor in options.mass:
            for seed in options.seeds:
                rows.append({key: f"{value:.2g}" if isinstance(value, float) else value for key, value in row(count, seed, own, factor).items()})
                print(*(f"{key} {value}" for key, value in rows[-1].items()), sep="  ", flush=True)
with open(options.out, "w", newline="") as file:
    writer = csv.DictWriter(file, rows[0])
    writer.writeheader()
    writer.writerows(rows)
