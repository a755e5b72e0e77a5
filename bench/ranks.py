#!/usr/bin/python3
"""Work, waiting, messages, bytes and memory of runs on several ranks (docs/scaling.md) -> bench/results/ranks.csv, ranks-model.csv.

    bench/ranks.py [--moreau PROGRAM] [--ranks 1,2,4] [--weak 4000,16000] [--strong 16000] [--latency 10,50] [--steps 40] [--few 5]
                   [--sweeps 50] [--repeat 3]
    bench/ranks.py --balance           a pile that is poured and a hopper that empties -> bench/results/ranks-balance.csv
    bench/ranks.py --model             the model alone, from the rows that are there

Balls that lie in a box are made once by one process (on a graphics card where there is one); then each number of ranks goes on from there on
processors, with exact and with fast sweeps, as many in a step as it needs or just as many as `--sweeps` says. Weak:
so many balls per rank, in a box that grows along one side with the number of ranks. Apart: as many processes of one rank as weak has ranks, at the
same moment, with nothing between them: what they lose is lost to the machine (memory, clock), not to ranks. Strong: so many in all. Each case is run for a few
steps and for many; the difference is what is told, so that starting, reading and writing do not count. Cases take turns, and the least of
their repetitions is taken: other programs on the machine can only add. Work is seconds of computing time of the rank that computes most,
without the time in which it looks for messages. Latency: the strong case on two ranks, each message and each stage of a sum delayed by so
many microseconds (MOREAU_ADDED_LATENCY). All exact runs of one size must end with the same state hash, or the script fails.

The model: a rank computes t_c per relaxation, and o per message, b per byte and s per sum over ranks besides; the four are fitted to the
work of all rows (no network is in it: that is added as numbers of a machine, see docs/scaling.md).
"""
import argparse
import concurrent.futures
import csv
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
STEP = 5e-4
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
LINE = re.compile(r"rank (\d+) of (\d+): ([\d.]+) s of computing, ([\d.]+) s of waiting, (\d+) messages with (\d+) bytes, (\d+) sums over "
                  r"ranks, (\d+) divisions of the bodies and (\d+) choices of ghosts in ([\d.]+) s, ([\d.]+) MB")


def text_of(count, blocks, duration):
    """Balls as high as the box is wide, `blocks` boxes side by side."""
    side = 0.0105 * (count / blocks) ** (1 / 3)
    return SCENE.format(count=count, length=round(side * blocks, 5), side=round(side, 5), duration=duration)


def efforts_of(log):
    """What each rank did: computing, waiting, messages, bytes, sums, divisions, choices, seconds of these, memory in MB."""
    rows = LINE.findall(log)
    return [tuple(float(x) for x in row[2:]) for row in rows[-int(rows[-1][1]):]]


def launched(program, ranks):
    launcher = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", str(ranks)]
    return [*(launcher if ranks > 1 else []), program]


def run(program, start, folder, ranks, steps, mode, latency, sweeps):
    """Goes on with a copy of the run `start` for so many steps; `sweeps` in each, or as many as it needs (0)."""
    subprocess.run(["rm", "-rf", folder], check=True)
    subprocess.run(["cp", "-r", start, folder], check=True)
    before = json.loads((folder / "summary.json").read_text())
    environment = {**os.environ, **({"MOREAU_ADDED_LATENCY": str(latency)} if latency else {})}
    until = before["time"] + STEP * steps
    limit = ["--set", f"solver.max_sweeps={sweeps}", "--set", "solver.tolerance=1e-12", "--set", "solver.finish=false"] if sweeps else []
    device = ["--device", "cpu"] if ranks == 1 else []  # ranks have no other
    process = subprocess.Popen([*launched(program, ranks), "resume", folder, "--threads", "1", "--json", "--until", str(until), "--set",
                                f"solver.ranks={mode}", *limit, *device], stdout=subprocess.PIPE, text=True, env=environment)
    output = process.stdout.read()
    _, status, spent = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{before['bodies']} balls on {ranks} ranks: the run failed")
    alone = (spent.ru_utime + spent.ru_stime, 0.0, 0, 0, 0, 0, 0, 0.0, spent.ru_maxrss / 1000)
    j = json.loads(output)
    made, relaxed = (j["run"][k] - before["run"][k] for k in ("sweeps", "relaxations"))
    efforts = efforts_of((folder / "log.txt").read_text()) if ranks > 1 else [alone]
    return {"sweeps": made, "relaxations": relaxed, "wall": j["run"]["computing_seconds"] - before["run"]["computing_seconds"],
            "efforts": efforts, "state_hash": j["state_hash"], "unconverged": j["run"]["unconverged_steps"]}


def run_apart(program, start, folder, copies, steps, sweeps):
    """As `run`, by as many processes of one rank at the same moment, each with a run of its own: what the machine itself takes from each."""
    with concurrent.futures.ThreadPoolExecutor(copies) as pool:
        ends = list(pool.map(lambda k: run(program, start, folder.with_name(f"apart-{k}"), 1, steps, "exact", 0.0, sweeps), range(copies)))
    return {**ends[0], "wall": max(end["wall"] for end in ends), "efforts": [end["efforts"][0] for end in ends],
            "relaxations": sum(end["relaxations"] for end in ends)}


def difference(more, few):
    """A row of the table, without the case."""
    per_rank = [[a - b for a, b in zip(x, y)] for x, y in zip(more["efforts"], few["efforts"])]
    sweeps, relaxations = more["sweeps"] - few["sweeps"], more["relaxations"] - few["relaxations"]
    most = lambda k: max(rank[k] for rank in per_rank)
    return {"sweeps": sweeps, "relaxations": relaxations, "wall": round(more["wall"] - few["wall"], 3), "work_largest": round(most(0), 3),
            "work_mean": round(sum(rank[0] for rank in per_rank) / len(per_rank), 3), "waiting_least": round(min(r[1] for r in per_rank), 3),
            "messages_per_sweep": round(most(2) / sweeps, 2), "bytes_per_sweep": round(most(3) / sweeps),
            "sums_per_sweep": round(per_rank[0][4] / sweeps, 2), "choices": int(most(6)), "dividing": round(most(7), 3),
            "memory_rank_0": round(more["efforts"][0][8], 1), "memory_others": round(max([e[8] for e in more["efforts"][1:]], default=0.0), 1),
            "unconverged": more["unconverged"], "state_hash": more["state_hash"]}


def solved(matrix, right):
    """Gauss."""
    n = len(right)
    rows = [row[:] + [r] for row, r in zip(matrix, right)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k:
                f = rows[i][k] / rows[k][k]
                rows[i] = [a - f * b for a, b in zip(rows[i], rows[k])]
    return [rows[k][n] / rows[k][k] for k in range(n)]


def fitted(rows):
    """Seconds per relaxation, per message and per sum, by least squares of relative errors. Bytes cost what a copy costs (1 / 5 GB/s):
    beside messages of some kilobytes they cannot be told apart."""
    terms, values = [], []
    for row in rows:
        if float(row["latency_us"]) > 0 or row["kind"] == "apart":
            continue
        r, sweeps, work = int(row["ranks"]), float(row["sweeps"]), float(row["work_mean"])
        t = [float(row["relaxations"]) / r, float(row["messages_per_sweep"]) * sweeps, float(row["sums_per_sweep"]) * sweeps]
        terms.append([x / work for x in t])
        values.append(1.0 - float(row["bytes_per_sweep"]) * sweeps / 5e9 / work)
    matrix = [[sum(t[i] * t[j] for t in terms) for j in range(3)] for i in range(3)]
    right = [sum(t[i] * v for t, v in zip(terms, values)) for i in range(3)]
    found = solved(matrix, right)
    errors = [abs(sum(c * x for c, x in zip(found, t)) - v) for t, v in zip(terms, values)]
    return found, max(errors)


def sweep_time(balls, ranks, found, network, fast):
    """Parts of one sweep of a rank with so many balls: work, messages and their latency, bytes, sums. `network`: latency, bytes/s, a stage
    of a sum. Counts as measured: 2.35 contacts per ball, about 6 n^(2/3) shared balls, each handed on twice per sweep in 12 colours (exact),
    or sent once to one other rank (fast); 24 bytes each; 6 large neighbours; 1.2 sums per sweep."""
    contact, message, total = found
    latency, bandwidth, stage = network
    shared = min(balls, 6 * balls ** (2 / 3)) if ranks > 1 else 0
    colours = (1 if fast else 12) if ranks > 1 else 0
    work = 2.35 * balls * contact
    messages = colours * (latency + 6 * max(0.0, message))
    bytes_ = (1 if fast else 2) * shared * 24 / bandwidth
    sums = 1.2 * (max(0.0, total) + stage * math.ceil(math.log2(ranks))) if ranks > 1 else 0.0
    return work, messages, bytes_, sums


NETWORKS = {"cluster": (2e-6, 10e9, 2e-6), "10 us": (10e-6, 10e9, 10e-6), "50 us": (50e-6, 1.2e9, 50e-6)}


def write_model(rows, out):
    found, worst = fitted(rows)
    table = [{"network": "fit", "balls_per_rank": "", "ranks": "", "balls": "", "sweeps": "", "work_us": round(1e9 * found[0], 2),
              "messages_us": round(1e6 * found[1], 2), "bytes_us": "", "sums_us": round(1e6 * found[2], 2), "efficiency": round(worst, 3)}]
    for name, network in NETWORKS.items():
        for balls, ranks in ((1e5, 16), (62500, 16), (1e5, 1e3), (1e5, 1e5), (1e4, 1e5), (1e3, 1e5)):
            for fast in (False, True):
                parts = sweep_time(balls, ranks, found, network, fast)
                table.append({"network": name, "balls_per_rank": int(balls), "ranks": int(ranks), "balls": f"{balls * ranks:.2g}",
                              "sweeps": "fast" if fast else "exact", **{k: round(1e6 * p, 1) for k, p in
                              zip(("work_us", "messages_us", "bytes_us", "sums_us"), parts)}, "efficiency": round(parts[0] / sum(parts), 3)})
    write(out.with_name("ranks-model.csv"), table)
    print(f"fitted: {1e9 * found[0]:.1f} ns per relaxation, {1e6 * found[1]:.1f} us per message, {1e6 * found[2]:.1f} us per sum; "
          f"largest error of a row {100 * worst:.0f} %")
    for row in table[1:]:
        print(*row.values(), sep="\t")


def write(out, rows):
    with open(out, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


HEAD = """\
dimension = 2
seed = 5
gravity = 9.81
time = { step = 5e-4, duration = 0.6 }
output = { checkpoint = 3600 }
material = { density = 2500 }
"""
POURED = HEAD + """\
law = { friction = 0.4 }
wall = { box = { min = [0, 0], max = [1.2, 1], open = ["top"] } }
[[source]]
rate = 4000
diameter = { uniform = [0.009, 0.011] }
centre = [0.4, 0.9]
spread = 0.1
"""
EMPTIED = HEAD + """\
law = { friction = 0.3 }
[[wall]]
plane = { normal = [1, 1], point = [0.08, 0.3] }
[[wall]]
plane = { normal = [-1, 1], point = [0.92, 0.3] }
[[wall]]
plane = { normal = [1, 0], point = [0, 0] }
[[wall]]
plane = { normal = [-1, 0], point = [1, 0] }
[[grains]]
count = 2500
arrangement = "lattice"
diameter = { uniform = [0.009, 0.011] }
region = { box = [[0.02, 0.4], [0.98, 1.2]] }
[[sink]]
beyond = { direction = [0, -1] }
"""


def balance(program, numbers, out):
    rows = []
    with tempfile.TemporaryDirectory(prefix="moreau-ranks-") as folder:
        folder = pathlib.Path(folder)
        for name, text in (("poured", POURED), ("emptied", EMPTIED)):
            scene = folder / f"{name}.toml"
            scene.write_text(text)
            for ranks in numbers:
                place = folder / f"{name}-{ranks}"
                output = subprocess.run([*launched(program, ranks), "run", scene, "--out", place, "--threads", "1", "--json"], check=True,
                                        capture_output=True, text=True).stdout
                j, log = json.loads(output), (place / "log.txt").read_text()
                row = {"scene": name, "ranks": ranks, "steps": j["step"], "bodies": j["bodies"], "inserted": j["inserted_bodies"],
                       "removed": j["removed_bodies"], "state_hash": j["state_hash"]}
                efforts = efforts_of(log) if ranks > 1 else []
                if efforts:
                    work = [e[0] for e in efforts]
                    row |= {"work_largest": max(work), "work_mean": round(sum(work) / ranks, 3), "divisions": int(efforts[0][5]),
                            "choices": int(efforts[0][6]), "dividing_share": round(max(e[7] / e[0] for e in efforts), 3),
                            "imbalance_over_time": re.search(r"since the last division:([ \d.]*)", log).group(1).strip()}
                rows.append({k: row.get(k, "") for k in ("scene", "ranks", "steps", "bodies", "inserted", "removed", "work_largest", "work_mean",
                                                          "divisions", "choices", "dividing_share", "imbalance_over_time", "state_hash")})
                print(rows[-1], flush=True)
                if row["state_hash"] != rows[-1 - numbers.index(ranks)]["state_hash"]:
                    sys.exit(f"{name} on {ranks} ranks ends elsewhere")
    write(out.with_name("ranks-balance.csv"), rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moreau", default="build/moreau")
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--weak", default="4000,16000")
    parser.add_argument("--strong", default="16000")
    parser.add_argument("--latency", default="10,50")
    parser.add_argument("--settle", type=float, default=0.25)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--few", type=int, default=5, help="steps, of the run that is subtracted")
    parser.add_argument("--sweeps", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--balance", action="store_true")
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "results" / "ranks.csv")
    o = parser.parse_args()
    program = str(pathlib.Path(o.moreau).resolve())
    numbers = [int(n) for n in o.ranks.split(",")]
    if o.model:
        with open(o.out, newline="") as file:
            return write_model(list(csv.DictReader(file)), o.out)
    if o.balance:
        return balance(program, numbers, o.out)
    both = lambda r: ("exact", "fast") if r > 1 else ("exact",)
    cases = [("weak", int(n) * r, r, r, s, 0.0) for n in o.weak.split(",") if n for r in numbers for s in both(r)]
    cases += [("apart", int(n), 1, r, "exact", 0.0) for n in o.weak.split(",") if n for r in numbers if r > 1]
    cases += [("strong", int(n), 1, r, s, 0.0) for n in o.strong.split(",") if n for r in numbers for s in both(r)]
    cases += [("latency", int(n), 1, 2, s, latency) for n in o.strong.split(",") if n for s in both(2)
              for latency in [0.0, *(float(x) for x in o.latency.split(",") if x)] if o.latency]
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    best, settled, hashes = {}, {}, {}
    with tempfile.TemporaryDirectory(prefix="moreau-ranks-") as folder:
        folder = pathlib.Path(folder)
        for _ in range(o.repeat):
            for case in cases:
                kind, count, blocks, ranks, sweeps, latency = case
                size = count, blocks
                if size not in settled:
                    scene = folder / "scene.toml"
                    scene.write_text(text_of(count, blocks, o.settle + STEP * (o.steps + o.few + 2)))
                    settled[size] = folder / f"settled-{count}-{blocks}"
                    subprocess.run([program, "run", scene, "--out", settled[size], "--until", str(o.settle), "--json"], check=True,
                                   capture_output=True)
                few, more = (run_apart(program, settled[size], folder / "run", ranks, n, o.sweeps) if kind == "apart" else
                             run(program, settled[size], folder / "run", ranks, n, sweeps, latency, o.sweeps) for n in (o.few, o.few + o.steps))
                if sweeps == "exact" and hashes.setdefault(size, more["state_hash"]) != more["state_hash"]:
                    sys.exit(f"{count} balls on {ranks} ranks end elsewhere than on others")
                row = {"kind": kind, "balls": count, "ranks": ranks, "mode": sweeps, "latency_us": latency, "steps": o.steps,
                       **difference(more, few), "version": version}
                key = "wall" if kind == "latency" else "work_largest"
                if case not in best or row[key] < best[case][key]:
                    best[case] = row
                print(row, flush=True)
    rows = [best[case] for case in cases]
    write(o.out, rows)
    write_model(rows, o.out)


if __name__ == "__main__":
    main()
