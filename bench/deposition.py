#!/usr/bin/env python3
"""Deposition and tilt (bench/deposit.cpp) with the measures of a peer-comparison folder, one CSV row per run.

usage: deposition.py PEERS N [--program build/bench/bench_deposit] [--tilt] [options of bench_deposit ...]

PEERS is a folder with common/peerlib.py (start files and measures shared by all codes); rows go to $PEERS_CSV, files to $PEERS_WORK.
"""
import json, os, subprocess, sys

peers, count = sys.argv[1], int(sys.argv[2])
options = sys.argv[3:]
here = os.path.dirname(os.path.abspath(__file__))
program = os.path.join(here, "..", "build", "bench", "bench_deposit")
if "--program" in options:
    k = options.index("--program")
    program = options[k + 1]
    del options[k:k + 2]
sys.path.insert(0, os.path.join(peers, "common"))
import numpy as np, peerlib


def option(name, default):
    return options[options.index(name) + 1] if name in options else default


folder = peerlib.workdir("moreau", "_".join([str(count)] + [o.strip("-") for o in options]))
out = subprocess.run([program, peerlib.init("deposit", count), "--out", folder] + options, check=True, capture_output=True, text=True).stdout
result = json.loads(out)
step, threads = float(option("--step", "4e-3")), int(option("--threads", "1"))
settings = " ".join(options) or "defaults"
A = result["deposit"]
length, state = peerlib.analyze.load(os.path.join(folder, "state.txt"))
peerlib.add_row(peer="moreau", version="0.1.0", case="A", N=count, threads=threads, settings=settings, dt=step, steps=A["steps"], T_sim=5.0, T_full=5.0,
                timing={"wall_s": round(A["wall_s"], 3), "cpu_s": round(A["cpu_s"], 3)},
                measures=peerlib.measure(os.path.join(folder, "state.txt"), os.path.join(folder, "contacts.txt")),
                extra=json.dumps({k: A[k] for k in ("mean_sweeps", "unconverged", "worst_residual")}))
if "--tilt" in options:
    B, C = result["tilt_to_6"], result["hold_to_8"]
    at = [np.loadtxt(os.path.join(folder, f"state_{t}.txt"), comments="#") for t in (6, 8)]
    creep = np.linalg.norm(at[1][:, :3] - at[0][:, :3], axis=1)
    angle = np.radians(15)
    peerlib.add_row(peer="moreau", version="0.1.0", case="C", N=count, threads=threads, settings=settings, dt=step, steps=B["steps"] + C["steps"],
                    T_sim=8.0, T_full=8.0,
                    timing={"wall_s": round(B["wall_s"] + C["wall_s"], 3), "cpu_s": round(B["cpu_s"] + C["cpu_s"], 3)},
                    measures=peerlib.measure(os.path.join(folder, "state_8.txt"), None, (np.sin(angle), 0, -np.cos(angle))),
                    extra=json.dumps({"creep_median_d_per_s": float(np.median(creep)) / 2, "creep_mean_d_per_s": float(np.mean(creep)) / 2,
                                      "creep_max_d_per_s": float(np.max(creep)) / 2}))
