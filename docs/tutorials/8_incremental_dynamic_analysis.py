#!/usr/bin/python3
"""Incremental dynamic analysis of a facade: three ground motions, each scaled from weak to strong, the widest crack and the share of open
joints against the spectral acceleration. Goes on where it was left. `--motions N`: only so many. `--short`: a slender pier, two motions, few scales."""
import argparse
import pathlib
import tomllib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import moreau as mo

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--short", action="store_true", help="a slender pier, two motions, few scales")
parser.add_argument("--motions", type=int, choices=(1, 2, 3), help="only so many of the three ground motions")
options = parser.parse_args()
short = options.short
here = pathlib.Path(__file__).resolve().parent
motions = options.motions or (2 if short else 3)
scales = [2.0, 9.0] if short else [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
step = 0.02


def record(seed, length):
    """Filtered noise under an envelope, of greatest acceleration 1: a stand-in for a record of your own (file = "RSN123.AT2")."""
    random = np.random.default_rng(seed)
    times = np.arange(0, length, step)
    noise = np.convolve(random.normal(size=times.size), np.hanning(9), "same")
    shaped = noise * np.sin(np.pi * times / length) ** 0.5
    shaped[0] = shaped[-1] = 0
    return times, shaped / np.abs(shaped).max()


def spectral_acceleration(times, accelerations, period, damping=0.05):
    """Largest acceleration of an oscillator on this ground, by exact steps for linear pieces (Nigam and Jennings)."""
    omega, h = 2 * np.pi / period, times[1] - times[0]
    a = np.array([[0, 1], [-omega**2, -2 * damping * omega]])
    values, vectors = np.linalg.eig(a)
    forward = (vectors @ np.diag(np.exp(values * h)) @ np.linalg.inv(vectors)).real
    constant = np.linalg.solve(a, forward - np.eye(2)) @ [0, -1]
    slope = np.linalg.solve(a, constant - h * np.array([0, -1]))
    state, largest = np.zeros(2), 0.0
    for now, then in zip(accelerations, accelerations[1:]):
        state = forward @ state + constant * now + slope * (then - now) / h
        largest = max(largest, omega**2 * abs(state[0]))
    return largest


figure, (ground, cracks, joints) = plt.subplots(1, 3, figsize=(14, 4.2), layout="constrained")
for seed in range(1, motions + 1):
    length = 0.6 if short else 2.0
    times, accelerations = record(seed, length)
    scene = tomllib.loads((here.parents[1] / "examples" / "facade.toml").read_text())
    scene["motion"][0]["record"] = {"times": times.tolist(), "accelerations": accelerations.tolist()}
    scene["time"]["duration"] = length + (0.2 if short else 1.0)
    scene["measure"][0]["opening"] = 1e-4  # a tenth of a millimetre: what a person would call a crack
    if short:
        scene["brickwork"][0] |= {"length": 0.7, "courses": 6, "openings": []}
        scene["time"]["step"] = 2e-3
        scene["measure"] = scene["measure"][:1]
    name = f"ida-{'short-' if short else ''}{seed}"
    pathlib.Path(name + ".toml").write_text(mo.toml_text.document(scene))
    sweep = mo.sweep(name + ".toml", {"motion[quake].scale": scales}, jobs=2, folder=name,
                     data="measures/joint-summary.csv",
                     values={"crack": "max(widest)", "all": "last(joints)", "whole": "last(whole)", "slid": "last(slid)"})
    table = sweep.table
    strength = spectral_acceleration(times, accelerations, 0.3) * np.array(scales) / 9.81
    opened = 1 - (table["whole"] + table["slid"]) / table["all"]
    ground.plot(np.array(scales) / 9.81, table["crack"], "o-", label=f"motion {seed}")
    cracks.plot(strength, table["crack"], "o-")
    joints.plot(strength, opened, "o-")
    print(f"motion {seed}: widest crack {np.array2string(np.asarray(table['crack']), precision=3)} m, open {np.array2string(np.asarray(opened), precision=3)}")
ground.set(xlabel="greatest acceleration of the ground [g]", ylabel="widest crack at any time [m]", yscale="log")
cracks.set(xlabel="spectral acceleration at 0.3 s [g]", ylabel="widest crack at any time [m]", yscale="log")
joints.set(xlabel="spectral acceleration at 0.3 s [g]", ylabel="share of joints open at the end")
ground.legend()
figure.savefig("ida.png", dpi=120)
