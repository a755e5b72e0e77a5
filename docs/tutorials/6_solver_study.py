#!/usr/bin/python3
"""A solver study: contact problems of single steps, written out, solved by every solver to the same tolerance. `--short`: few small ones."""
import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import moreau as mo
from moreau.program import call

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--short", action="store_true", help="small and quick")
short = parser.parse_args().short

# 1. Problems: steps of discs that fall into a box, come to rest, and lie at rest.
scene = mo.Scene({"title": "box", "dimension": 2, "seed": 2, "gravity": 9.81, "time": {"step": 2e-3, "duration": 0.3 if short else 2.0},
                  "material": {"density": 1000}, "law": {"friction": 0.5}, "wall": {"box": {"min": [0, 0], "max": [1, 4], "open": ["top"]}},
                  "grains": [{"count": 30 if short else 250, "diameter": {"uniform": [0.04, 0.07]}, "region": {"box": [[0, 0], [1, 3]]}}]})
steps = [100, 140] if short else [150, 250, 350, 500, 700, 1000]
with open("box.toml", "w") as file:
    file.write(scene.text)
call("run", "box.toml", "--out", "box-run", "--force", *(word for step in steps for word in ("--dump-problem", step)))
problems = sorted(mo.open("box-run").path.glob("problem_*.hdf5"))
print(f"{len(problems)} problems")

# 2. Every solver on every problem. `converged` is what the solver reached by a measure of its own certificate, the same for all.
solvers = ["gauss-seidel", "nncg", "admm", "newton", "auto"]
times = {name: [] for name in solvers}
for problem in problems:
    for name in solvers:
        found = mo.solve(problem, solver=name, tolerance=1e-6, max_time=2.0 if short else 20.0)
        times[name].append(found["time"] if found["converged"] else np.inf)
        print(f"{problem.name}: {name:13} {'solved' if found['converged'] else 'not solved'} in {found['time']:.2e} s, "
              f"{found['iterations']} iterations, error {found['error']:.1e}")

# 3. Performance profile (Dolan and More 2002): share of problems solved within tau times the time of the best solver of each.
best = np.min([times[name] for name in solvers], axis=0)
tau = np.logspace(0, 3, 100)
for name in solvers:
    with np.errstate(invalid="ignore"):  # a problem that nobody solved counts for nobody
        ratio = np.divide(times[name], best)
    plt.step(tau, [(ratio <= t).mean() for t in tau], where="post", label=name)
plt.xscale("log")
plt.xlabel("time over that of the best solver of each problem")
plt.ylabel("share of the problems solved")
plt.legend()
plt.savefig("profile.png", dpi=150)
