#!/usr/bin/python3
"""Biaxial tests of 2 000 discs for five frictions and four seeds, with standard errors: stress and volume against strain, strength
against friction beside published values. Goes on where it was left. `--short`: few small samples."""
import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import moreau as mo

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--short", action="store_true", help="small and quick")
short = parser.parse_args().short
here = pathlib.Path(__file__).resolve().parent
frictions = [0.0, 0.4] if short else [0.0, 0.1, 0.25, 0.5, 0.8]
count, half, strain_end = (60, 4.1, 0.02) if short else (2000, 22.6, 0.12)
settings = {"phase[shear].pair.friction": frictions, "grains.count": [count], "time.step": [0.01 if short else 0.04],
            "wall.box": [{"min": [-half, -half], "max": [half, half]}], "phase[mix].end": [{"travelled": 0.5 if short else 2.0}],
            "phase[press].duration": [6 if short else 20], "phase[settle].duration": [2 if short else 20],
            "phase[settle].end.at_least": [1.0 if short else 3.0], "phase[shear].piston.velocity": [0.01 if short else 0.05],
            "phase[shear].end.strain": [strain_end], "measure.every": [0.5], "measure.average": [0.5]}
sweep = mo.sweep(here.parents[1] / "examples" / "biaxial.toml", settings, seeds=range(1, 3 if short else 5), jobs=2,
                 folder="biaxial-short" if short else "biaxial-sweep")
print(sweep.table["status"])


def shear_curves(run):
    """Strain upright, stress ratio q/p and change of volume, of the phase `shear`: means over all steps of each interval."""
    load = run.measures["load"]
    load = load.only(load["phase"] == "shear")
    x, y = load["length_x"], load["length_y"]
    along, across = load["stress_yy"], load["stress_xx"]
    return 1 - y / y[0], (along - across) / (along + across), x * y / (x[0] * y[0]) - 1


def first(run):
    """Mean over the first interval: what the sample bears before it has moved much."""
    return shear_curves(run)[1][0]


def peak(run):
    """Largest mean over a twentieth of the test."""
    ratio = shear_curves(run)[1]
    width = max(1, len(ratio) // 20)
    return max(ratio[k:k + width].mean() for k in range(len(ratio) - width + 1))


def critical(run):
    """Mean over the last third of the strain."""
    strain, ratio, _ = shear_curves(run)
    return ratio[strain > 2 / 3 * strain[-1]].mean()


figure, (stress, volume, strength) = plt.subplots(1, 3, figsize=(14, 4.5), layout="constrained")
places = np.linspace(0.0005, 0.9 * strain_end, 40)
summary = []
for friction in frictions:
    runs = mo.Ensemble(run for _, run in sweep.runs(friction=friction))
    for axis, k in ((stress, 1), (volume, 2)):
        strain, mean, error = runs.curve(lambda run: [shear_curves(run)[i] for i in (0, k)], places)
        line, = axis.plot(100 * strain, mean, label=f"friction {friction}")
        axis.fill_between(100 * strain, mean - error, mean + error, color=line.get_color(), alpha=0.3, linewidth=0)
    summary.append([runs.mean(value) for value in (first, peak, critical, lambda run: float(run.measures["load"]["solid_fraction"][-1]))])
    print(f"friction {friction}: " + ", ".join(f"{name} {mean.value:.4f} ± {mean.error:.4f}" for name, mean in zip(
        ("first interval", "peak", "last third", "solid fraction at the end"), summary[-1])) + f" ({len(runs)} seeds)")
for k, name in enumerate(("first interval", "peak", "last third of the test")):
    strength.errorbar(frictions, [row[k].value for row in summary], [row[k].error for row in summary], marker="o", capsize=3, label=name)
# Combe 2001, table 5.2 (discs of the same sizes, prepared the same way): deviator q over lateral stress up to which the contacts of the
# start bear it, mean and deviation of 26 samples of 1024; the ratio here is q / (2 + q).
q, spread = np.array([0.402, 0.750, 1.147]), np.array([0.030, 0.050, 0.080])
strength.errorbar([0.1, 0.25, 0.5], q / (2 + q), 2 * spread / (2 + q) ** 2, fmt="k*", markersize=9, capsize=3, label="end of the strict regime (Combe 2001)")
stress.set(xlabel="strain [%]", ylabel="(stress along - across) / (along + across)")
volume.set(xlabel="strain [%]", ylabel="change of volume")
strength.set(xlabel="friction", ylabel="(stress along - across) / (along + across)", ylim=(0, None))
volume.legend(loc="upper left")  # where there are no curves
strength.legend()
figure.savefig("biaxial.png", dpi=150)
