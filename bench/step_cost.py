#!/usr/bin/env python3
"""Cost of one step over sizes and threads: runs `moreau bench` and writes bench/results/step_cost.csv.

usage: bench/step_cost.py [build/moreau] [--balls 1000 10000 100000 1000000] [--discs 10000 100000 1000000] [--threads 1 2]

Each row: relaxations a second in the solver, seconds of a step and the share of its stages, bytes held per contact and per body,
peak resident memory of the program, hash of the state. The file is written anew.
"""
import argparse, csv, io, os, platform, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))
parser = argparse.ArgumentParser()
parser.add_argument("moreau", nargs="?", default=os.path.join(here, "..", "build", "moreau"))
parser.add_argument("--balls", type=int, nargs="*", default=[1000, 10000, 100000, 1000000])
parser.add_argument("--discs", type=int, nargs="*", default=[10000, 100000, 1000000])
parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
parser.add_argument("--extrapolated", action="store_true", help="sweeps with extrapolation, as runs do; without: plain sweeps")
parser.add_argument("--out", default=os.path.join(here, "results", "step_cost.csv"))
options = parser.parse_args()


def machine():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return f"{line.split(':', 1)[1].strip()}, {os.cpu_count()} cores"
    return platform.machine()


rows = []
for dimension, size in [(3, n) for n in options.balls] + [(2, n) for n in options.discs]:
    for threads in options.threads:
        steps = max(3, min(50, 2_000_000 // size))
        command = [options.moreau, "bench", "--csv", "--grains", str(size), "--threads", str(threads), "--steps", str(steps),
                   "--dimension", str(dimension)] + (["--extrapolation"] if options.extrapolated else [])
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        row = next(csv.DictReader(io.StringIO(text)))
        row["machine"] = machine()
        rows.append(row)
        print(f"{row['grains']:>8} {'balls' if dimension == 3 else 'discs'} {threads} threads: "
              f"{float(row['relaxations_per_second']) / 1e6:6.1f} M relaxations/s, {float(row['seconds_per_step']):.4g} s/step, "
              f"solver {100 * float(row['share_solve']):.1f} %, {float(row['bytes_per_contact']):.0f} B/contact, "
              f"{float(row['bytes_per_body']):.0f} B/body, {float(row['peak_resident_bytes']) / 1e6:.0f} MB, hash {row['state_hash']}")
        sys.stdout.flush()

with open(options.out, "w", newline="") as f:
    writer = csv.DictWriter(f, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
