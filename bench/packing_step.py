#!/usr/bin/python3
"""One step of a packing of 10^4 spheres: the solver of the run against NSGS of Siconos on the same problem, to the same error.

    bench/packing_step.py [build/moreau] [--out bench/results/packing_step.csv] [--limit 600] [--keep FOLDER]

Runs bench/scenes/packing.toml, then makes one more step twice with --dump-problem: warm (impulses recalled) and cold (impulses of the checkpoint
set to zero). Both sides are judged on the dumped problem by the measure of bench/against_siconos.py; Siconos starts from the same impulses and is
asked until its error is at most ours. Seconds: solve_seconds of the run's series on one thread, least of --repeat tries (the clock on the wall: on
a busy machine take many); processor seconds of NSGS alone. Memory: peak of the run less that of a run with one sphere, all of it (bodies, search,
contacts, solver); for Siconos the matrix W and what its solver adds to the peak.
"""
import argparse
import csv
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import h5py
import numpy as np
import scipy.sparse as sp

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from against_siconos import error, load


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def worker(path, goal, warm, limit):
    import siconos.numerics as sn

    W, q, mu, d = load(path)
    with h5py.File(path) as f:
        start = f["guesses/1/r"][...] if warm == "warm" else np.zeros(len(q))
    M = sp.csc_matrix(W)
    del W
    before = peak()
    problem = sn.FrictionContactProblem(d, len(mu), M, q.copy(), mu.copy())
    own, goal, begin_all = float(goal), float(goal), time.time()
    while own > 1e-16 and time.time() - begin_all < float(limit):
        options = sn.SolverOptions(sn.SICONOS_FRICTION_3D_NSGS)
        options.dparam[sn.SICONOS_DPARAM_TOL] = own
        options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 100000
        r, u = start.copy(), np.zeros(len(q))
        begin = time.process_time()
        sn.fc3d_driver(problem, r, u, options)
        seconds = time.process_time() - begin
        e = error(M.tocsr(), q, mu, d, r)
        if e <= goal:
            print("RESULT", json.dumps({"seconds": seconds, "error": e, "bytes": M.data.nbytes + M.indices.nbytes + M.indptr.nbytes, "peak": peak() - before,
                                        "sweeps": int(options.iparam[sn.SICONOS_IPARAM_ITER_DONE])}))
            return
        own *= max(0.1, 0.5 * goal / e)


def run(moreau, *arguments):
    """Peak memory of the program, read while it runs: what the system adds up afterwards includes this interpreter."""
    process = subprocess.Popen([moreau, *map(str, arguments)], stdout=subprocess.DEVNULL)
    most = 0
    while process.poll() is None:
        try:
            text = open(f"/proc/{process.pid}/status").read()
            if f"Name:\t{os.path.basename(moreau)[:15]}\n" in text and "VmHWM" in text:
                most = max(most, 1024 * int(text.split("VmHWM:")[1].split()[0]))
        except (OSError, IndexError):
            pass
        time.sleep(0.002)
    if process.returncode != 0:
        sys.exit(f"moreau {' '.join(map(str, arguments))} failed")
    return most


def main():
    if sys.argv[1:2] == ["--worker"]:
        return worker(*sys.argv[2:])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = pathlib.Path(__file__).parent
    p.add_argument("moreau", nargs="?", default=str(here.parent / "build" / "moreau"))
    p.add_argument("--out", default=str(here / "results" / "packing_step.csv"))
    p.add_argument("--limit", type=float, default=600.0)
    p.add_argument("--repeat", type=int, default=9)
    p.add_argument("--keep", type=pathlib.Path, help="folder of the settled run: made if absent, used again if there")
    a = p.parse_args()
    commit = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True).stdout.strip()
    machine = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        settled = a.keep or folder / "settled"
        if not settled.exists():
            run(a.moreau, "run", here / "scenes" / "packing.toml", "--out", settled, "--until", 0.399, "--threads", 1)
        one = folder / "one.toml"
        one.write_text((here / "scenes" / "packing.toml").read_text().replace("count = 10000", "count = 1"))
        least = run(a.moreau, "run", one, "--out", folder / "one", "--until", 0.01, "--threads", 1)
        for kind in ("warm", "cold"):
            copy = folder / kind
            shutil.copytree(settled, copy)
            if kind == "cold":
                with h5py.File(copy / "checkpoint.h5", "r+") as f:
                    names = []
                    f.visit(names.append)
                    for name in names:
                        if name.endswith("impulse") and isinstance(f[name], h5py.Dataset):
                            f[name][...] = 0.0
            seconds, tried = 1e300, folder / "tried"
            for _ in range(a.repeat):
                shutil.rmtree(tried, ignore_errors=True)
                shutil.copytree(copy, tried)
                peak_run = run(a.moreau, "resume", tried, "--until", 0.4, "--threads", 1) - least
                row = list(csv.DictReader(open(tried / "series.csv")))[-1]
                seconds = min(seconds, float(row["solve_seconds"]))
            run(a.moreau, "resume", copy, "--until", 0.4, "--threads", 1, "--dump-problem", 400)
            problem = copy / "problem_000400.hdf5"
            W, q, mu, d = load(problem)
            with h5py.File(problem) as f:
                ours = error(W, q, mu, d, f["solution/r"][...])
                assert (abs(f["guesses/1/r"][...]).max() == 0.0) == (kind == "cold"), "the start is not what it should be"
            done = subprocess.run([sys.executable, __file__, "--worker", str(problem), str(ours), kind, str(a.limit)], capture_output=True, text=True)
            lines = [l for l in done.stdout.splitlines() if l.startswith("RESULT")]
            said = json.loads(lines[-1][7:]) if lines else None
            rows.append([kind, len(mu), ours, int(float(row["sweeps"])), seconds, peak_run, said and said["sweeps"], said and said["seconds"], said and said["error"],
                         said and said["bytes"] + said["peak"], said and said["seconds"] / seconds, commit, machine])
            print(*rows[-1], flush=True)
    with open(a.out, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["start", "contacts", "error", "sweeps", "seconds", "bytes", "siconos_sweeps", "siconos_seconds", "siconos_error",
                    "siconos_bytes", "ratio", "commit", "machine"])
        w.writerows(rows)


if __name__ == "__main__":
    main()
