#!/usr/bin/python3
"""Work, waiting, messages and bytes of runs on several ranks (docs/scaling.md) -> bench/results/ranks.csv.

    bench/ranks.py [--moreau PROGRAM] [--ranks 1,2,4] [--weak 2000,8000] [--strong 8000] [--latency 10,50] [--steps 60]

Balls that lie in a box are made once by one process; then each number of ranks goes on from there. Weak: so many balls per rank, in a
box that grows along one side with the number of ranks. Strong: so many in all. Times are seconds of computing time of the rank that
computes most, so that other programs on the machine hardly count; waiting is what ranks spend looking for messages, which on fewer cores
than ranks says nothing of a network. Latency: the strong case on two ranks, each message delayed by so many microseconds
(MOREAU_ADDED_LATENCY), wall time beside that without. All runs of one size must end with the same state hash, or the script fails.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SCENE = """\
dimension = 3
seed = 7
gravity = 9.81
[time]
step = 5e-4
duration = {duration}
[output]
frames = 0
checkpoint = 3600
[material]
density = 2500
[law]
friction = 0.4
[wall]
box = {{ min = [0, 0, 0], max = [{length}, {side}, 10], open = ["top"] }}
[[grains]]
count = {count}
arrangement = "lattice"
random_speed = 0.1
diameter = {{ uniform = [0.008, 0.012] }}
"""


def text_of(count, blocks, duration):
    """Balls as high as the box is wide, `blocks` boxes side by side."""
    side = 0.0105 * (count / blocks) ** (1 / 3)
    return SCENE.format(count=count, length=round(side * blocks, 5), side=round(side, 5), duration=duration)


def log_of(run):
    rows = re.findall(r"rank (\d+) of (\d+): ([\d.]+) s of computing, ([\d.]+) s of waiting, (\d+) messages with (\d+) bytes, (\d+) sums",
                      (run / "log.txt").read_text())
    ranks = int(rows[-1][1])
    return [tuple(float(x) for x in row[2:]) for row in rows[-ranks:]]


def run(program, start, folder, ranks, latency=0.0):
    """Goes on with a copy of the run `start`: what each rank did, and what the steps were."""
    subprocess.run(["rm", "-rf", folder], check=True)
    subprocess.run(["cp", "-r", start, folder], check=True)
    before = json.loads((folder / "summary.json").read_text())["run"]
    launcher = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
    environment = {**os.environ, **({"MOREAU_ADDED_LATENCY": str(latency)} if latency else {})}
    used, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    output = subprocess.run([*launcher, program, "resume", folder, "--threads", "1", "--json"], check=True, capture_output=True, text=True,
                            env=environment).stdout
    wall, spent = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    alone = (spent.ru_utime - used.ru_utime + spent.ru_stime - used.ru_stime, 0.0, 0, 0, 0)
    j = json.loads(output)
    sweeps, relaxations = (j["run"][k] - before[k] for k in ("sweeps", "relaxations"))
    return log_of(folder) if ranks > 1 else [alone], sweeps, relaxations, wall, j["state_hash"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moreau", default="build/moreau")
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--weak", default="2000,8000")
    parser.add_argument("--strong", default="8000")
    parser.add_argument("--latency", default="")
    parser.add_argument("--settle", type=float, default=0.25)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "results" / "ranks.csv")
    o = parser.parse_args()
    program = str(pathlib.Path(o.moreau).resolve())
    numbers = [int(n) for n in o.ranks.split(",")]
    cases = [("weak", int(n) * r, r, r, 0.0) for n in o.weak.split(",") if n for r in numbers]
    cases += [("strong", int(n), 1, r, 0.0) for n in o.strong.split(",") if n for r in numbers]
    cases += [("latency", int(n), 1, 2, latency) for n in o.strong.split(",") if n
              for latency in [0.0, *(float(x) for x in o.latency.split(",") if x)] if o.latency]
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    rows, settled, hashes = [], {}, {}
    with tempfile.TemporaryDirectory(prefix="moreau-ranks-") as folder:
        folder = pathlib.Path(folder)
        for kind, count, blocks, ranks, latency in cases:
            size = count, blocks
            if size not in settled:
                scene = folder / "scene.toml"
                scene.write_text(text_of(count, blocks, o.settle + 5e-4 * o.steps))
                settled[size] = folder / f"settled-{count}-{blocks}"
                subprocess.run([program, "run", scene, "--out", settled[size], "--until", str(o.settle), "--json"], check=True,
                               capture_output=True)
            efforts, sweeps, relaxations, wall, state_hash = run(program, settled[size], folder / "run", ranks, latency)
            if hashes.setdefault(size, state_hash) != state_hash:
                sys.exit(f"{count} balls on {ranks} ranks end elsewhere than on others")
            rows.append({"kind": kind, "balls": count, "ranks": ranks, "latency_us": latency, "steps": o.steps, "sweeps": sweeps,
                         "relaxations": relaxations, "wall": round(wall, 3), "work_largest": max(e[0] for e in efforts),
                         "work_all": round(sum(e[0] for e in efforts), 3), "waiting_largest": max(e[1] for e in efforts),
                         "messages_per_sweep": round(max(e[2] for e in efforts) / sweeps, 2),
                         "bytes_per_sweep": round(max(e[3] for e in efforts) / sweeps), "sums_per_sweep": round(efforts[0][4] / sweeps, 2),
                         "state_hash": state_hash, "version": version})
            print(rows[-1], flush=True)
    with open(o.out, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
