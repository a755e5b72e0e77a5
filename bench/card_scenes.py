#!/usr/bin/env python3
"""Scenes of every kind that a graphics card takes, made there and by the processor: the same state hash, and what a step costs.

usage: bench/card_scenes.py [--moreau build/moreau] [--threads 16] [--grains 20000] [--steps 200] [--only NAME ...] [--csv FILE]

Each scene is run by the processor until its grains touch, then resumed from there by both. Exit status 1 if hashes differ. The
poured pile has its own number of grains; blocks are a fifth of the grains, or a fiftieth where they are among balls, and as many in the bed of blocks.
"""
import argparse, csv, json, os, shutil, statistics, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
parser = argparse.ArgumentParser()
parser.add_argument("--moreau", default=os.path.join(here, "..", "build", "moreau"))
parser.add_argument("--threads", type=int, default=16)
parser.add_argument("--grains", type=int, default=20000)
parser.add_argument("--steps", type=int, default=200)
parser.add_argument("--before", type=int, default=600, help="steps until they touch")
parser.add_argument("--prepare", help="the device that makes these steps; without: cpu, above 50 000 grains the first of --devices")
parser.add_argument("--devices", nargs="+", default=["gpu", "cpu"])
parser.add_argument("--only", nargs="*", default=[])
parser.add_argument("--csv")
options = parser.parse_args()

HEAD = """dimension = 3
seed = 1
gravity = 1.0
time = {{ step = 0.005, duration = {duration} }}
material = {{ density = 1.0 }}
law = {{ friction = 0.4 }}
output = {{ frames = {duration}, series = 0.005, checkpoint = 1e9 }}
"""
GRAINS = f"""[[grains]]
arrangement = "lattice"
count = {options.grains}
diameter = {{ uniform = [0.7, 1.0] }}
random_speed = 0.5
"""


def side(depth):
    return max(4.0, round((options.grains * 1.1 / depth) ** (1 / 2), 1)) if depth else round(1.01 * (int(options.grains ** (1 / 3)) + 2), 1)


def box(width, height):
    return f'[[wall]]\nname = "box"\nbox = {{ min = [0, 0, 0], max = [{width}, {width}, {height}] }}\n'


def floor_of_cell(width):
    return f'[[wall]]\nname = "floor"\nplane = {{ normal = [0, 0, 1] }}\n[cell]\nmin = [0, 0, 0]\nmax = [{width}, {width}, 40.0]\nperiodic = ["x", "y"]\n'


def pistons(width):
    text = '[[wall]]\nname = "box"\n' + f"box = {{ min = [0, 0, 0], max = [{width}, {width}, {width}] }}\n"
    for name, low, high in (("x", "left", "right"), ("y", "front", "back"), ("z", "bottom", "top")):
        text += f'[[piston]]\nname = "{name}"\nwalls = ["box.{low}", "box.{high}"]\nstress = 5.0\n'
    return text


def cell(width, control):
    return f"[cell]\nmin = [0, 0, 0]\nmax = [{width}, {width}, {width}]\n{control}\n"


BLOCKS = f"""[[blocks]]
count = {options.grains // 5}
random = {{ vertices = 10, radius = 0.5, aspect = [1, 0.8, 0.6] }}
"""
PRESSED = "stress = { xx = 5.0, yy = 5.0, zz = 5.0 }"
SCENES = {
    "box": lambda: GRAINS + box(side(20), 60),
    "periodic chute": lambda: "tilt = { from = 0.25, to = 0.45, rate = 0.1, axis = [0, 1, 0] }\n" + GRAINS + floor_of_cell(side(20)),
    "pistons": lambda: GRAINS + pistons(side(0)),
    "drag": lambda: "damping = 0.5\n" + GRAINS + box(side(20), 60),
    "poured pile": None,  # scenes/poured-pile.toml
    "cohesion": lambda: GRAINS + box(side(20), 60),
    "rolling": lambda: GRAINS + box(side(20), 60),
    "cell under stress": lambda: GRAINS + cell(side(0), PRESSED),
    "sheared cell": lambda: GRAINS + cell(side(0), PRESSED + "\nrate = { xy = 0.2 }"),
    "blocks": lambda: BLOCKS + box(round((options.grains / 5) ** (1 / 3) + 1, 1), round(2 * (options.grains / 5) ** (1 / 3), 1)),
    # As many polyhedra as grains, some eight upon one another.
    "bed of blocks": lambda: BLOCKS.replace(f"count = {options.grains // 5}", f"count = {options.grains}") + box(round((options.grains / 8) ** (1 / 2) + 1, 1), 24),
    "balls among blocks": lambda: GRAINS + BLOCKS.replace(f"count = {options.grains // 5}", f"count = {options.grains // 50}") + box(side(20), 60),
    "restitution": lambda: GRAINS.replace("random_speed = 0.5", "random_speed = 2.0") + box(side(20), 60),
}


LAWS = {  # instead of friction alone
    "restitution": "friction = 0.3, restitution = 0.6",
    "cohesion": "friction = 0.4, cohesion = 0.3",  # that of a grain's weight
    "rolling": "friction = 0.4, rolling_friction = 0.1, pivoting_friction = 0.05",
    "sheared cell": "friction = 0.4, rolling_friction = 0.1",
}


def run(*command):
    done = subprocess.run([options.moreau, *command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def made_there(summary):  # steps, or the sweeps of steps
    return summary["run"].get("card_steps", 0) + summary["run"].get("card_swept_steps", 0)


def measured(name, folder):
    scene, start = os.path.join(folder, "scene.toml"), os.path.join(folder, "start")
    h, before = (2e-4, 800) if name == "poured pile" else (0.005, options.before)
    if name == "poured pile":
        shutil.copy(os.path.join(here, "scenes", "poured-pile.toml"), scene)
    else:
        with open(scene, "w") as file:
            head = HEAD.format(duration=(options.before + options.steps) * h)
            head = head.replace("friction = 0.4", LAWS.get(name, "friction = 0.4"))
            if "cell" in name:
                head = head.replace("gravity = 1.0", "gravity = 0.0")
            file.write(head + SCENES[name]())
    run("run", scene, "--out", start, "--threads", str(options.threads), "--device", options.prepare or (options.devices[0] if options.grains > 50000 else "cpu"),
        "--until", repr((before + 0.5) * h))
    rows = []
    for device in options.devices:
        there = os.path.join(folder, device)
        shutil.copytree(start, there)
        run("resume", there, "--threads", str(options.threads), "--device", device, "--until", repr((before + options.steps + 0.5) * h))
        summary = json.load(open(os.path.join(there, "summary.json")))
        steps = [r for r in csv.DictReader(open(os.path.join(there, "series.csv"))) if int(r["step"]) > before + 1]
        seconds = sorted(float(r["total_seconds"]) for r in steps)
        work = sum(int(r["contacts"]) * int(r["sweeps"]) for r in steps)  # relaxations
        bodies = int(steps[-1]["bodies"]) if name == "poured pile" else options.grains
        rows.append({"scene": name, "grains": bodies, "device": device, "threads": options.threads,
                     "contacts": statistics.median(int(r["contacts"]) for r in steps), "sweeps": statistics.mean(int(r["sweeps"]) for r in steps),
                     "steps": len(steps), "card_steps": made_there(summary) - made_there(json.load(open(os.path.join(start, "summary.json")))), "seconds_mean": statistics.mean(seconds),
                     "seconds_median": statistics.median(seconds), "relaxations_per_second": work / max(1e-9, sum(float(r["solve_seconds"]) for r in steps)), "state_hash": summary.get("state_hash") or summary["run"].get("state_hash"),
                     "commit": summary.get("commit", "")})
    return rows


table, equal = [], True
for scene_name in SCENES:
    if options.only and scene_name not in options.only:
        continue
    with tempfile.TemporaryDirectory() as work:
        rows = measured(scene_name, work)
    equal &= len({row["state_hash"] for row in rows}) == 1
    for row in rows:
        print(f"{row['scene']:16} {row['device']:4} {row['contacts']:8.0f} contacts {row['sweeps']:6.1f} sweeps, mean {1e3 * row['seconds_mean']:8.2f} ms, "
              f"{1e-9 * row['relaxations_per_second']:.3f} G relaxations a second of solving, "
              f"median {1e3 * row['seconds_median']:8.2f} ms, {row['card_steps']} steps on the card, {row['state_hash']}", flush=True)
    table += rows
    if options.csv:  # as they come
        with open(options.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, table[0].keys())
            writer.writeheader(), writer.writerows(table)
sys.exit(0 if equal else 1)
