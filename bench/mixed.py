#!/usr/bin/env python3
"""Kinds of contact side by side: balls alone, the same with a fixed block that touches nothing, with every tenth contact on a
shape, and under laws beyond Coulomb's; each on one thread.

usage: bench/mixed.py [build/moreau]

Each row: CPU seconds of the steps, relaxations a second in the solver, and both against balls alone under Coulomb's law.
"""
import csv, os, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
moreau = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "..", "build", "moreau")
mixed = open(os.path.join(here, "scenes", "mixed.toml")).read()
balls = mixed[: mixed.index("[[block]]")]
some_blocks = balls.replace("count = 1500", "count = 1410") + """[[blocks]]
count = 90
random = { vertices = 8, radius = 0.006 }
"""
scenes = {
    "balls": balls,
    "balls and an idle block": mixed,
    "balls and 6 % of polyhedra": some_blocks,
    "balls, cohesion": balls.replace("friction = 0.5", "friction = 0.5\ncohesion = 1e-3"),
    "balls, rolling resistance": balls.replace("friction = 0.5", "friction = 0.5\nrolling_friction = 0.1"),
}


def run(text):
    with tempfile.TemporaryDirectory() as folder:
        scene, out = os.path.join(folder, "scene.toml"), os.path.join(folder, "run")
        open(scene, "w").write(text)
        subprocess.run([moreau, "run", scene, "--out", out, "--threads", "1"], check=True, capture_output=True)
        return [{k: float(v or "nan") for k, v in row.items()} for row in csv.DictReader(open(os.path.join(out, "series.csv")))]


reference = None
for name, text in scenes.items():
    rows = run(text)
    solve, step = sum(r["solve_seconds"] for r in rows), sum(r["total_seconds"] for r in rows)
    relaxations = sum(r["contacts"] * r["sweeps"] for r in rows)
    rate, other = relaxations / solve, (step - solve) / len(rows)
    reference = reference or (rate, other)
    print(f"{name}: {step:.2f} s, {sum(r['contacts'] for r in rows) / len(rows):.0f} contacts, "
          f"{sum(r['sweeps'] for r in rows) / len(rows):.0f} sweeps a step, {rate * 1e-6:.1f} million relaxations/s "
          f"({rate / reference[0]:.2f} of balls), outside the solver {1e3 * other:.2f} ms a step ({other / reference[1]:.2f})",
          flush=True)
