#!/usr/bin/env python3
"""Steps per second of a run from its checkpoint on: resumes a copy of the run folder and prints what its steps cost.

usage: bench/run_rate.py RUN --steps 300 [--threads 2] [--moreau build/moreau ...] [--pour-on]

With several programs they take turns, three times each, and the fastest of the three is printed: the machine is never quiet.
--pour-on lets the sources of the scene go on beyond their end.
"""
import argparse, csv, os, re, shutil, statistics, subprocess, tempfile

here = os.path.dirname(os.path.abspath(__file__))
parser = argparse.ArgumentParser()
parser.add_argument("run")
parser.add_argument("--steps", type=int, default=300)
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--moreau", nargs="+", default=[os.path.join(here, "..", "build", "moreau")])
parser.add_argument("--pour-on", action="store_true")
options = parser.parse_args()


def resume(moreau):
    with tempfile.TemporaryDirectory() as folder:
        run = os.path.join(folder, "run")
        shutil.copytree(options.run, run, ignore=shutil.ignore_patterns("*.vtp", "checkpoint.previous.h5"))
        scene = open(os.path.join(run, "scene.toml")).read()
        last = list(csv.DictReader(open(os.path.join(run, "series.csv"))))[-1]
        step, time = int(last["step"]), float(last["time"])
        h = time / step
        scene = re.sub(r"(?m)^series *=.*$", f"series = {h!r}", scene)
        scene = re.sub(r"(?m)^duration *=.*$", f"duration = {time + 1e6 * h!r}", scene)
        if options.pour_on:
            scene = re.sub(r"(?m)^end *=.*$", f"end = {time + 1e6 * h!r}", scene)
        open(os.path.join(run, "scene.toml"), "w").write(scene)
        subprocess.run([moreau, "resume", run, "--threads", str(options.threads), "--until", repr(time + (options.steps + 0.5) * h)],
                       check=True, capture_output=True)
        rows = [r for r in csv.DictReader(open(os.path.join(run, "series.csv"))) if int(r["step"]) > step]
    mean = lambda key: statistics.mean(float(r[key]) for r in rows)
    stages = {key[:-8]: 1e3 * mean(key) for key in rows[0] if key.endswith("_seconds")}
    return {"steps": len(rows), "contacts": statistics.median(int(r["contacts"]) for r in rows),
            "sweeps": (statistics.median(int(r["sweeps"]) for r in rows), mean("sweeps")), "stages": stages}


best = {}
for _ in range(3 if len(options.moreau) > 1 else 1):
    for moreau in options.moreau:
        result = resume(moreau)
        if moreau not in best or result["stages"]["total"] < best[moreau]["stages"]["total"]:
            best[moreau] = result
for moreau, r in best.items():
    print(f"{moreau}: {r['steps']} steps, {r['contacts']:.0f} contacts, sweeps {r['sweeps'][0]:.0f} (median) {r['sweeps'][1]:.1f} (mean), "
          f"{1e3 / r['stages']['total']:.1f} steps/s; ms: " + " ".join(f"{k} {v:.2f}" for k, v in r["stages"].items()))
