#!/usr/bin/env python3
"""Steps per second of balls in a turning drum: a mesh of some 20 000 triangles against a cylinder wall with two planes.

usage: bench/mesh.py [--balls 10000] [--settle 400] [--steps 100] [--turns 3] [--threads 2] [--moreau build/moreau]

Both runs settle first; then they take turns, and of each the fastest turn is compared. The ratio of the two is what counts: of the
steps per second, and of the processor's time, which a busy machine disturbs less.
"""
import argparse, csv, os, resource, shutil, statistics, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
parser = argparse.ArgumentParser()
parser.add_argument("--balls", type=int, default=10000)
parser.add_argument("--settle", type=int, default=400)
parser.add_argument("--steps", type=int, default=100)
parser.add_argument("--turns", type=int, default=3)
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--sides", type=int, default=200)
parser.add_argument("--rings", type=int, default=25)
parser.add_argument("--moreau", default=os.path.join(here, "..", "build", "moreau"))
options = parser.parse_args()

RADIUS, LENGTH, STEP = 0.1, 0.08, 2e-4
diameter = 0.1 * (10000 / options.balls) ** (1 / 3) * 0.042
SCENE = f"""
dimension = 3
seed = 1
gravity = 9.81
time = {{ step = {STEP}, duration = 1000.0 }}
material = {{ density = 2500 }}
law = {{ friction = 0.4 }}
contact = {{ rule = "predictive" }}
output = {{ frames = 0, series = {STEP}, checkpoint = 1e6 }}
[[motion]]
name = "turn"
kind = "rotation"
axis = [0, 1, 0]
rate = 3.0
[[grains]]
count = {options.balls}
diameter = {{ uniform = [{0.9 * diameter}, {1.1 * diameter}] }}
region = {{ box = [[-0.068, 0.003, -0.068], [0.068, {LENGTH - 0.003}, 0.068]] }}
"""
WALLS = {
    "cylinder": f"""
[[wall]]
cylinder = {{ radius = {RADIUS}, axis = [0, 1, 0] }}
surface = "turn"
[[wall]]
plane = {{ normal = [0, 1, 0] }}
surface = "turn"
[[wall]]
plane = {{ point = [0, {LENGTH}, 0], normal = [0, -1, 0] }}
surface = "turn"
""",
    "mesh": """
[[wall]]
mesh = "drum.stl"
motion = "turn"
""",
}


def rows_after(run, step):
    return [r for r in csv.DictReader(open(os.path.join(run, "series.csv"))) if int(r["step"]) > step]


with tempfile.TemporaryDirectory() as folder:
    said = subprocess.run([sys.executable, os.path.join(here, "..", "examples", "meshes", "make.py"), "drum", "--lifters", "0", "--sides", str(options.sides),
                           "--rings", str(options.rings), "-o", os.path.join(folder, "drum.stl")], check=True, capture_output=True, text=True)
    print(said.stdout.strip())
    threads = ["--threads", str(options.threads)]
    until = lambda steps: repr((steps + 0.5) * STEP)
    for name, wall in WALLS.items():
        open(os.path.join(folder, name + ".toml"), "w").write(SCENE + wall)
        subprocess.run([options.moreau, "run", os.path.join(folder, name + ".toml"), "--out", os.path.join(folder, name), "--until", until(options.settle), *threads],
                       check=True, capture_output=True)
    best, processor = {}, {}
    for turn in range(options.turns):
        for name in WALLS:
            run = os.path.join(folder, f"{name}-{turn}")
            shutil.copytree(os.path.join(folder, name), run)
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            subprocess.run([options.moreau, "resume", run, "--until", until(options.settle + options.steps), *threads], check=True, capture_output=True)
            processor[name] = min(processor.get(name, 1e9), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
            rows = rows_after(run, options.settle)
            seconds = {key[:-8]: 1e3 * statistics.mean(float(r[key]) for r in rows) for key in rows[0] if key.endswith("_seconds")}
            if name not in best or seconds["total"] < best[name][0]["total"]:
                best[name] = seconds, statistics.mean(int(r["contacts"]) for r in rows), statistics.mean(int(r["sweeps"]) for r in rows)
    for name, (seconds, contacts, sweeps) in best.items():
        print(f"{name}: {1e3 / seconds['total']:.1f} steps/s, {contacts:.0f} contacts, {sweeps:.1f} sweeps; ms: " +
              ", ".join(f"{k} {v:.2f}" for k, v in seconds.items()))
    print(f"mesh / cylinder: {best['cylinder'][0]['total'] / best['mesh'][0]['total']:.2f} of the steps per second")
    print(f"processor's time: {processor['cylinder'] / processor['mesh']:.2f} of it; per sweep {processor['cylinder'] / best['cylinder'][2] / (processor['mesh'] / best['mesh'][2]):.2f}")
