#!/usr/bin/env python3
"""Speed of blocks: runs the scenes of bench/scenes on one thread and prints what docs/performance.md says of them.

usage: bench/blocks.py [build/moreau]
"""
import csv, os, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
moreau = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "..", "build", "moreau")


def run(name, settings=""):
    """Rows of series.csv of a scene, with lines added to its [solver] table."""
    with tempfile.TemporaryDirectory() as folder:
        text = open(os.path.join(here, "scenes", name + ".toml")).read()
        if settings:
            text = text.replace("[solver]\n", "[solver]\n" + settings + "\n")
        scene, out = os.path.join(folder, "scene.toml"), os.path.join(folder, "run")
        open(scene, "w").write(text)
        subprocess.run([moreau, "run", scene, "--out", out, "--threads", "1"], check=True, capture_output=True)
        return [{k: float(v or "nan") for k, v in row.items()} for row in csv.DictReader(open(os.path.join(out, "series.csv")))]


def total(rows, key):
    return sum(row[key] for row in rows)


def say(title, rows):
    n, solve, step = len(rows), total(rows, "solve_seconds"), total(rows, "total_seconds")
    relaxations = sum(row["contacts"] * row["sweeps"] for row in rows)
    other = total(rows, "total_seconds") - solve
    fifty = solve * 50 * total(rows, "contacts") / relaxations
    sweeps = sorted(row["sweeps"] for row in rows)
    print(f"{title}: {total(rows, 'contacts') / n:.0f} contacts, {relaxations / solve * 1e-6:.1f} million relaxations/s, "
          f"{1e3 * step / n:.2f} ms a step, sweeps mean {total(rows, 'sweeps') / n:.0f} median {sweeps[n // 2]:.0f}, "
          f"unconverged {n - total(rows, 'converged'):.0f} of {n}, contacts not recalled "
          f"{total(rows, 'contacts') - total(rows, 'recalled'):.0f}; detection {100 * total(rows, 'detect_seconds') / (other + fifty):.0f} % "
          f"of a step of 50 sweeps", flush=True)


say("polyhedra, last 20 samples", run("polyhedra")[-20:])
say("wall of 2020 blocks at rest", run("wall-at-rest")[10:])
for extrapolation in ("false", "true"):
    say(f"shaken wall of 512 blocks, extrapolation = {extrapolation}", run("shaken-wall", f"extrapolation = {extrapolation}"))
