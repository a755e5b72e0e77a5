#!/usr/bin/python3
"""How long a step, how small a tolerance, how heavy a wall: errors against each of them. `--short`: fewer points."""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import moreau as mo

short = "--short" in sys.argv


def rolled(step):
    """A ball let go on a slope of 30 degrees with friction 0.5 rolls by g sin(30°) t² / 3 in the plane (disc: I = m r²/2). Relative
    error of the way after half a second."""
    slope = np.radians(30.0)
    course = mo.Course(mo.Scene({
        "dimension": 2, "gravity": [9.81 * float(np.sin(slope)), -9.81 * float(np.cos(slope))],
        "time": {"step": step, "duration": 0.5}, "material": {"density": 1000}, "law": {"friction": 0.5},
        "wall": {"plane": {"normal": [0, 1]}}, "grain": [{"position": [0, 0.1], "radius": 0.1}]}), threads=1)
    course.run()
    exact = 9.81 * np.sin(slope) * course.time**2 / 3.0
    return abs(course.bodies.position[0, 0] / exact - 1.0)


def settled(count=100):
    """Discs that have come to rest in a box: a run to go on from with other tolerances."""
    scene = {"dimension": 2, "seed": 1, "gravity": 9.81, "time": {"step": 1e-3, "duration": 1.0 if short else 2.0},
             "contact": {"rule": "predictive"}, "material": {"density": 1000}, "law": {"friction": 0.4},
             "wall": {"box": {"min": [0, 0], "max": [1, 4], "open": ["top"]}},
             "grains": [{"count": 40 if short else count, "diameter": {"uniform": [0.06, 0.1]}, "region": {"box": [[0, 0], [1, 3]]}}]}
    mo.run(mo.Scene(scene), "settled", force=True)
    return scene


def floor_error(scene, tolerance):
    """Deviation of the force on the floor from the weight, rms over twenty steps, and the sweeps of a step."""
    changed = {**scene, "time": {**scene["time"], "duration": 10.0},
               "solver": {"tolerance": tolerance, "unbalanced_tolerance": min(0.5, 10 * tolerance), "max_sweeps": 20000}}
    course = mo.open("settled").course(threads=1, scene=mo.Scene(changed))
    course.run(steps=5)
    errors, sweeps = [], []
    for _ in range(20):
        sweeps.append(course.step().certificate.sweeps)
        errors.append(mo.measure(course, "weight")["carried"][0] - 1.0)
    return float(np.sqrt(np.mean(np.square(errors)))), float(np.mean(sweeps))


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
tolerances = [1e-1, 1e-3] if short else [1e-1, 3e-2, 1e-2, 5e-3, 1e-3, 1e-4, 1e-5]
masses = [0.2, 10.0] if short else [0.05, 0.2, 1.0, 5.0, 20.0]
way = [rolled(step) for step in steps]
scene = settled()
floor = [floor_error(scene, tolerance) for tolerance in tolerances]
noise = [wall_noise(mass) for mass in masses]
order = np.polyfit(np.log(steps), np.log(way), 1)[0]
print(f"order of the step: {order:.2f}")
print("tolerance, error of the floor force, sweeps:", *(f"{t:g}: {e:.1e}, {s:.0f};" for t, (e, s) in zip(tolerances, floor)))
print("mass of a wall, noise of its stress:", *(f"{m:g}: {n:.1e};" for m, n in zip(masses, noise)))

figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
axes[0].loglog(steps, way, "o-")
axes[0].set(xlabel="time step [s]", ylabel="relative error", title="way of a rolling disc")
axes[1].loglog(tolerances, [e for e, _ in floor], "o-")
axes[1].set(xlabel="solver.tolerance", ylabel="rms error / weight", title="force on the floor")
sweeps = axes[1].twinx()
sweeps.loglog(tolerances, [s for _, s in floor], "s--", color="0.6")
sweeps.set_ylabel("sweeps of a step", color="0.6")
axes[2].loglog(masses, noise, "o-")
axes[2].axhline(0.05, color="0.6", linestyle=":")
axes[2].set(xlabel="mass of a wall", ylabel="sd of the stress / asked", title="noise of a wall")
figure.savefig("convergence.png", dpi=150)
