#!/usr/bin/python3
"""Biaxial tests for several frictions and seeds, and the figure of stress and volume against strain. `--short`: few small ones."""
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import moreau as mo

short = "--short" in sys.argv
here = pathlib.Path(__file__).resolve().parent
frictions = [0.1, 0.4] if short else [0.1, 0.2, 0.3, 0.5, 0.8]
settings = {"phase[shear].pair.friction": frictions}
if short:
    settings |= {"grains.count": [60], "wall.box": [{"min": [-4.1, -4.1], "max": [4.1, 4.1]}], "phase[mix].end": [{"travelled": 0.5}],
                 "phase[press].duration": [6], "phase[settle].duration": [2], "phase[settle].end.at_least": [1.0],
                 "phase[shear].end.strain": [0.01]}
sweep = mo.sweep(here.parents[1] / "examples" / "biaxial.toml", settings, seeds=range(1, 3 if short else 5), jobs=2,
                 folder="biaxial-sweep")
print(sweep.table["status"])


def shear_curves(run):
    """Strain upright, stress ratio q/p and change of volume, of the phase `shear`."""
    load = run.measures["load"]
    load = load.only(load["phase"] == "shear")
    x, y = load["length_x"], load["length_y"]
    strain = 1 - y / y[0]
    along, across = load["stress_yy"], load["stress_xx"]
    return strain, (along - across) / (along + across), x * y / (x[0] * y[0]) - 1


def smoothed(values, width):
    """Means over `width` readings: one reading of a wall between rigid grains is noise."""
    count = len(values) // width
    return values[: count * width].reshape(count, width).mean(axis=1)


figure, (stress, volume) = plt.subplots(2, 1, sharex=True, figsize=(6, 7))
width, end = (2, 0.008) if short else (10, 0.048)
for friction in frictions:
    runs = mo.Ensemble(run for _, run in sweep.runs(friction=friction))
    for axis, k in ((stress, 1), (volume, 2)):
        strain, mean, error = runs.curve(lambda run: [smoothed(shear_curves(run)[i], width) for i in (0, k)],
                                         np.linspace(0, end, 40))
        line, = axis.plot(100 * strain, mean, label=f"friction {friction}")
        axis.fill_between(100 * strain, mean - error, mean + error, color=line.get_color(), alpha=0.3, linewidth=0)
stress.set_ylabel("(stress along - across) / (along + across)")
volume.set_ylabel("change of volume")
volume.set_xlabel("strain [%]")
stress.legend()
figure.tight_layout()
figure.savefig("biaxial.png", dpi=150)
