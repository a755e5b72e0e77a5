#!/usr/bin/env python3
"""Cost of one step over sizes and threads: runs `moreau bench` and writes bench/results/step_cost.csv.

usage: bench/step_cost.py [build/moreau] [--sizes 1000 10000 100000] [--threads 1 2] [--discs]
"""
import argparse, csv, io, os, platform, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))
parser = argparse.ArgumentParser()
parser.add_argument("moreau", nargs="?", default=os.path.join(here, "..", "build", "moreau"))
parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10000, 100000])
parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
parser.add_argument("--discs", action="store_true", help="2-D instead of 3-D")
parser.add_argument("--out", default=os.path.join(here, "results", "step_cost.csv"))
options = parser.parse_args()


def machine():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return f"{line.split(':', 1)[1].strip()}, {os.cpu_count()} cores"
    return platform.machine()


rows = []
for size in options.sizes:
    for threads in options.threads:
        steps = max(3, min(50, 2_000_000 // size))
        command = [options.moreau, "bench", "--csv", "--grains", str(size), "--threads", str(threads), "--steps", str(steps)]
        if options.discs:
            command += ["--dimension", "2"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        row = next(csv.DictReader(io.StringIO(text)))
        row["machine"] = machine()
        rows.append(row)
        print(f"{row['grains']:>8} grains {threads} threads: {float(row['relaxations_per_second']) / 1e6:6.1f} M relaxations/s, "
              f"{float(row['seconds_per_step']):.4g} s/step, solver {100 * float(row['share_solve']):.1f} %, hash {row['state_hash']}")
        sys.stdout.flush()

new = not os.path.exists(options.out)
with open(options.out, "a", newline="") as f:
    writer = csv.DictWriter(f, rows[0].keys())
    if new:
        writer.writeheader()
    writer.writerows(rows)
