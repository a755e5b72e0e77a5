#!/usr/bin/python3
"""How long a step, how small a tolerance, how heavy a wall: errors against each of them. `--short`: fewer points."""
import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

import moreau as mo

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--short", action="store_true", help="small and quick")
short = parser.parse_args().short


def swung(step):
    """A disc slides without friction in a circular trough, let go at 45 degrees: angle after one second against the equation of the
    pendulum, t'' = -g sin(t) / (R - r)."""
    start, length = 0.25 * np.pi, 0.9
    place = [length * float(np.sin(start)), -length * float(np.cos(start))]
    course = mo.Course(mo.Scene({
        "dimension": 2, "gravity": 9.81, "time": {"step": step, "duration": 2.0}, "material": {"density": 1000}, "law": {"friction": 0},
        "contact": {"rule": "midpoint"}, "wall": {"circle": {"radius": 1.0}}, "grain": [{"position": place, "radius": 0.1}]}), threads=1)
    course.run(until=1.0)
    exact = solve_ivp(lambda t, y: [y[1], -9.81 * np.sin(y[0]) / length], (0.0, course.time), [start, 0.0], rtol=1e-11, atol=1e-12).y[0, -1]
    x, y = course.bodies.position[0]
    return abs(float(np.arctan2(x, -y)) - exact)


def settled(count=100):
    """Discs that have come to rest in a box: a run to go on from with other tolerances."""
    scene = {"dimension": 2, "seed": 1, "gravity": 9.81, "time": {"step": 1e-3, "duration": 1.0 if short else 2.0},
             "contact": {"rule": "predictive"}, "material": {"density": 1000}, "law": {"friction": 0.4},
             "wall": {"box": {"min": [0, 0], "max": [1, 4], "open": ["top"]}},
             "grains": [{"count": 40 if short else count, "diameter": {"uniform": [0.06, 0.1]}, "region": {"box": [[0, 0], [1, 3]]}}]}
    mo.run(mo.Scene(scene), "settled", force=True)
    return scene


def one_step(scene, tolerance):
    """Velocities after one step from the packing at rest, over g h, and the sweeps it took."""
    changed = {**scene, "time": {**scene["time"], "duration": 10.0},
               "solver": {"tolerance": tolerance, "unbalanced_tolerance": min(0.5, 10 * tolerance), "max_sweeps": 100000}}
    course = mo.open("settled").course(threads=1, scene=mo.Scene(changed))
    report = course.step()
    return np.asarray(course.bodies.velocity) / (9.81 * 1e-3), report.certificate.sweeps


def wall_noise(mass):
    """Standard deviation of the stress of a pair of walls over what is asked, step by step, while a small sample is sheared."""
    scene = {"dimension": 2, "time": {"step": 0.01}, "contact": {"rule": "predictive"}, "material": {"density": 1.0},
             "law": {"friction": 0.3}, "wall": [{"name": "box", "box": {"min": [-4, -4], "max": [4, 4]}}],
             "grains": [{"arrangement": "lattice", "count": 49, "diameter": {"uniform": [0.6, 1.0]}}],
             "piston": [{"name": "across", "walls": ["box.left", "box.right"], "stress": 1.0, "mass": mass},
                        {"name": "upright", "walls": ["box.bottom", "box.top"], "stress": 1.0, "mass": mass}],
             "phase": [{"name": "press", "duration": 6.0 if short else 12.0},
                       {"name": "shear", "piston": {"name": "upright", "velocity": 0.02}, "duration": 5.0}]}
    course = mo.Course(mo.Scene(scene), threads=1)
    while course.phase == "press":
        course.run(steps=10)
    course.run(steps=100)
    stress = []
    for _ in range(100 if short else 300):
        course.step()
        walls, height = mo.measure(course, "wall-forces"), mo.measure(course, "load")["length_y"][0]
        sides = [k for k, name in enumerate(walls["wall"]) if name in ("box.left", "box.right")]
        stress.append(walls["normal"][sides].mean() / height)
    return float(np.std(stress))


steps = [1e-2, 2e-3] if short else [2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4]
tolerances = [1e-1, 1e-3] if short else [1e-1, 3e-2, 1e-2, 5e-3, 2e-3, 1e-3, 3e-4, 1e-4]
masses = [0.2, 10.0] if short else [0.05, 0.2, 1.0, 5.0, 20.0]
angle = [swung(step) for step in steps]
scene = settled()
exact, _ = one_step(scene, 1e-9)
found = [one_step(scene, tolerance) for tolerance in tolerances]
left = [float(np.sqrt(((velocity - exact) ** 2).sum(axis=1).mean())) for velocity, _ in found]
noise = [wall_noise(mass) for mass in masses]
order = np.polyfit(np.log(steps), np.log(angle), 1)[0]
print(f"order of the step: {order:.2f}")
print("tolerance, error of the velocities over g h, sweeps:", *(f"{t:g}: {e:.1e}, {n};" for t, e, (_, n) in zip(tolerances, left, found)))
print("mass of a wall, noise of its stress:", *(f"{m:g}: {n:.1e};" for m, n in zip(masses, noise)))

figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
axes[0].loglog(steps, angle, "o-")
axes[0].set(xlabel="time step [s]", ylabel="error after 1 s [rad]", title="disc in a trough")
axes[1].loglog(tolerances, np.maximum(left, 1e-12), "o-")
axes[1].set(xlabel="solver.tolerance", ylabel="rms error of velocities / (g h)", title="one step of a packing")
sweeps = axes[1].twinx()
sweeps.loglog(tolerances, [n for _, n in found], "s--", color="0.6")
sweeps.set_ylabel("sweeps of a step", color="0.6")
axes[2].loglog(masses, noise, "o-")
axes[2].axhline(0.05, color="0.6", linestyle=":")
axes[2].set(xlabel="mass of a wall", ylabel="sd of the stress / asked", title="noise of a wall")
figure.savefig("convergence.png", dpi=150)
