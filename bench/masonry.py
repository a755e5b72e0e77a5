#!/usr/bin/env python3
"""Cold start of resting masonry: the first step of a brick wall written in global form and solved to 1e-8 by `moreau solve`, one thread.

    bench/masonry.py [build/moreau] [--courses 10 20 40 60] [--out bench/results/masonry.csv]

The wall of bench/scenes/wall-at-rest.toml with other numbers of courses. Nothing is recalled in a first step: that is the cold start. Times are
processor seconds of the solver alone.
"""
import argparse, csv, json, os, re, subprocess, tempfile

here = os.path.dirname(os.path.abspath(__file__))
p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("moreau", nargs="?", default=os.path.join(here, "..", "build", "moreau"))
p.add_argument("--courses", type=int, nargs="+", default=[10, 20, 40, 60])
p.add_argument("--tolerance", type=float, default=1e-8)
p.add_argument("--out", default=os.path.join(here, "results", "masonry.csv"))
a = p.parse_args()
moreau = os.path.abspath(a.moreau)
commit = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True).stdout.strip()
machine = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "")
text = open(os.path.join(here, "scenes", "wall-at-rest.toml")).read().replace("max_sweeps = 20000", "max_sweeps = 10")
rows = []
for courses in a.courses:
    with tempfile.TemporaryDirectory() as folder:
        scene, run = os.path.join(folder, "s.toml"), os.path.join(folder, "run")
        open(scene, "w").write(re.sub(r"courses = \d+", f"courses = {courses}", text))
        subprocess.run([moreau, "run", scene, "--out", run, "--until", "0.001", "--dump-problem", "1", "--dump-form", "global", "--threads", "1"],
                       check=True, capture_output=True)
        blocks = json.loads(subprocess.run([moreau, "check", scene, "--json"], capture_output=True, text=True).stdout)["blocks"]
        for solver in ("auto", "newton"):
            said = json.loads(subprocess.run([moreau, "solve", os.path.join(run, "problem_000001.hdf5"), "--solver", solver, "--json", "--max-time", "600",
                                              "--tolerance", str(a.tolerance)], capture_output=True, text=True).stdout)
            rows.append([blocks, said["contacts"], solver, said["solver"], said["iterations"], said["processor_s"], said["error"], commit, machine])
            print(*rows[-1][:7], flush=True)
with open(a.out, "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["blocks", "contacts", "asked", "solver", "iterations", "seconds", "error", "commit", "machine"])
    w.writerows(rows)
