#!/usr/bin/python3
"""Work, waiting, messages and bytes of runs on several ranks (docs/scaling.md) -> bench/results/ranks.csv.

    bench/ranks.py [--moreau PROGRAM] [--ranks 1,2,4] [--weak 2000,8000] [--strong 8000] [--steps 60]

Balls that lie in a box are made once by one process; then each number of ranks goes on from there. Weak: so many balls per rank, in a
box that grows along one side with the number of ranks. Strong: so many in all. Times are seconds of computing time of the rank that
computes most, so that other programs on the machine hardly count; waiting is what ranks spend looking for messages, which on fewer cores
than ranks says nothing of a network. All runs of one size must end with the same state hash.
"""
import argparse
import csv
import json
import pathlib
import re
import subprocess
import tempfile

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moreau", default="build/moreau")
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--weak", default="2000,8000")
    parser.add_argument("--strong", default="8000")
    parser.add_argument("--settle", type=float, default=0.25)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "results" / "ranks.csv")
    o = parser.parse_args()
    program = str(pathlib.Path(o.moreau).resolve())
    numbers = [int(n) for n in o.ranks.split(",")]
    cases = [("weak", int(n) * r, r, r) for n in o.weak.split(",") if n for r in numbers]
    cases += [("strong", int(n), 1, r) for n in o.strong.split(",") if n for r in numbers]
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    rows, settled = [], {}
    with tempfile.TemporaryDirectory(prefix="moreau-ranks-") as folder:
        folder = pathlib.Path(folder)
        for kind, count, blocks, ranks in cases:
            scene = folder / "scene.toml"
            end = o.settle + 5e-4 * o.steps
            scene.write_text(text_of(count, blocks, end))
            if (count, blocks) not in settled:
                run = settled[count, blocks] = folder / f"settled-{count}-{blocks}"
                subprocess.run([program, "run", scene, "--out", run, "--until", str(o.settle), "--json"], check=True, capture_output=True)
            run = folder / "run"
            subprocess.run(["rm", "-rf", run], check=True)
            subprocess.run(["cp", "-r", settled[count, blocks], run], check=True)
            before = json.loads((run / "summary.json").read_text())
            launcher = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
            seconds = subprocess.run(["/usr/bin/env", "time", "-f", "%U %S", *launcher, program, "resume", run, "--threads", "1", "--json"],
                                     check=True, capture_output=True, text=True)
            j = json.loads(seconds.stdout)
            sweeps = j["solver"]["sweeps"] - before["solver"]["sweeps"] if "solver" in j else 0
            efforts = log_of(run) if ranks > 1 else [(sum(float(x) for x in seconds.stderr.split()[-2:]), 0.0, 0, 0, 0)]
            rows.append({"kind": kind, "balls": count, "ranks": ranks, "steps": o.steps, "sweeps": sweeps,
                         "work_largest": max(e[0] for e in efforts), "work_all": sum(e[0] for e in efforts),
                         "waiting_largest": max(e[1] for e in efforts), "messages": max(e[2] for e in efforts),
                         "bytes": max(e[3] for e in efforts), "sums": efforts[0][4], "state_hash": j["state_hash"],
                         "version": version})
            print(rows[-1], flush=True)
    with open(o.out, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
