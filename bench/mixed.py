#!/usr/bin/env python3
"""Kinds of contact side by side: balls alone, the same with a fixed block that touches nothing, with every tenth contact on a
shape, under laws beyond Coulomb's, and polyhedra alone; each on one thread. Writes bench/results/mixed.csv.

usage: bench/mixed.py [build/moreau] [--rounds 3] [--out FILE]

Each scene is run until the balls lie in the box, and from there on with steps of few and of many plain sweeps: the difference of the
two is what relaxations cost. Errors are not looked at, and nothing is finished by factorisations, which would be chance here. Seconds
are processor time of the whole program, which a busy machine disturbs least; the fastest of some rounds, in which the scenes take turns.
"""
import argparse, csv, os, resource, subprocess, tempfile

here = os.path.dirname(os.path.abspath(__file__))
parser = argparse.ArgumentParser()
parser.add_argument("moreau", nargs="?", default=os.path.join(here, "..", "build", "moreau"))
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--out", default=os.path.join(here, "results", "mixed.csv"))
options = parser.parse_args()

mixed = open(os.path.join(here, "scenes", "mixed.toml")).read().replace("[output]", "[solver]\nfinish = false\n[output]")
balls = mixed[: mixed.index("[[block]]")]
scenes = {
    "balls": balls,
    "balls and an idle block": mixed,
    "balls and 6 % of polyhedra": balls.replace("count = 1500", "count = 1410") + """[[blocks]]
count = 90
random = { vertices = 8, radius = 0.006 }
""",
    "balls, cohesion": balls.replace("friction = 0.5", "friction = 0.5\ncohesion = 1e-3"),
    "balls, capped friction": balls.replace("friction = 0.5", "friction = 0.5\nfriction_cap = 1.0"),
    "balls, rolling resistance": balls.replace("friction = 0.5", "friction = 0.5\nrolling_friction = 0.1"),
    "polyhedra": balls[: balls.index("[[grains]]")] + """[[blocks]]
count = 1500
random = { vertices = 10, radius = 0.006 }
""",
}
few, many, steps = 10, 110, 100
h, start = 1e-3, 0.25


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def going_on(run, folder, sweeps, count):
    """Seconds of `count` steps of so many sweeps from where a run has come to, and their contacts."""
    settings = ["solver.max_sweeps=%d" % sweeps, "solver.tolerance=1e-300", "solver.extrapolation=false",
                "time.duration=%r" % ((count + 0.5) * h)]
    scene, out = os.path.join(run, "scene.toml"), os.path.join(folder, "on")
    subprocess.run(["rm", "-rf", out], check=True)
    command = [options.moreau, "run", scene, "--from", run, "--out", out, "--threads", "1"]
    for setting in settings:
        command += ["--set", setting]
    seconds = processor_seconds(command)
    rows = [r for r in csv.DictReader(open(os.path.join(out, "series.csv"))) if float(r["time"]) > start + 0.5 * h]
    return seconds, sum(int(r["contacts"]) for r in rows), sum(int(r["contacts"]) * int(r["sweeps"]) for r in rows)


rows = {}
with tempfile.TemporaryDirectory() as folder:
    runs = {}
    for k, (name, text) in enumerate(scenes.items()):
        scene, runs[name] = os.path.join(folder, f"{k}.toml"), os.path.join(folder, f"run{k}")
        open(scene, "w").write(text)
        subprocess.run([options.moreau, "run", scene, "--out", runs[name], "--threads", "1"], check=True, capture_output=True)
        rows[name] = {"scene": name}
    for _ in range(options.rounds):
        for name, run in runs.items():
            row = rows[name]
            short, contacts, relaxed = going_on(run, folder, few, steps)
            long, _, more = going_on(run, folder, many, steps)
            row["contacts"] = contacts / steps
            row["few"] = min(row.get("few", 1e9), short)
            row["many"] = min(row.get("many", 1e9), long)
            row["relaxations"] = more - relaxed

for name, row in rows.items():
    seconds = (row["many"] - row["few"]) / row["relaxations"]
    row["nanoseconds_per_relaxation"] = 1e9 * seconds
    row["of_balls"] = rows["balls"]["nanoseconds_per_relaxation"] / row["nanoseconds_per_relaxation"]
    row["step_over_balls"] = (row["few"] + row["many"]) / (rows["balls"]["few"] + rows["balls"]["many"])
    print(f"{name}: {row['contacts']:.0f} contacts, {1e-6 / seconds:.1f} million relaxations/s ({row['of_balls']:.2f} of balls); "
          f"{1e3 * row['many'] / steps:.2f} ms a step of {many} sweeps; all steps {row['step_over_balls']:.3f} of balls", flush=True)
columns = ["scene", "contacts", "nanoseconds_per_relaxation", "of_balls", "few", "many", "step_over_balls"]
with open(options.out, "w", newline="") as f:
    writer = csv.DictWriter(f, columns, extrasaction="ignore")
    writer.writeheader()
    for row in rows.values():
        writer.writerow({k: v if isinstance(v, str) else f"{v:.4g}" for k, v in row.items()})
