#!/usr/bin/python3
"""Time to a given error, our solvers against those of Siconos, on a folder of FCLIB problems.

    bench/against_siconos.py FOLDER [--moreau build/moreau] [--tolerances 1e-4 1e-8] [--limit 20] [--out bench/results/siconos.csv]

Needs the Debian packages siconos and python3-siconos. Both sides get the same problem in local form (global problems are reduced first)
and are judged by the same measure, computed here: natural map over max(|q|, |r|, |u|). Siconos is asked for ever smaller tolerances of its
own until that measure is reached; the fastest of its solvers counts. Times are processor seconds of the solver alone, one thread, reading
and reduction excluded; short runs are repeated and the least time taken. The last lines are the geometric means of the ratios.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import h5py
import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl

SOLVERS_3D = ["NSGS", "NSGS quartic", "ADMM", "NSN_AC", "NSN_FB", "PROX"]


def matrix(group):
    nz, m, n = (int(np.ravel(group[k])[0]) for k in ("nz", "m", "n"))
    p, i, x = (group[k][...] for k in ("p", "i", "x"))
    if nz >= 0:
        return sp.csr_matrix((x[:nz], (i[:nz], p[:nz])), shape=(m, n))
    if nz == -1:
        return sp.csc_matrix((x[: p[n]], i[: p[n]], p[: n + 1]), shape=(m, n)).tocsr()
    return sp.csr_matrix((x[: p[m]], i[: p[m]], p[: m + 1]), shape=(m, n))


def load(path):
    with h5py.File(path) as f:
        if "fclib_local" in f:
            g = f["fclib_local"]
            W, q = matrix(g["W"]), g["vectors/q"][...].ravel()
        else:
            g = f["fclib_global"]
            M, H = matrix(g["M"]).tocsc(), matrix(g["H"]).tocsc()
            lu = sl.splu(M)
            W = sp.csr_matrix(H.T @ lu.solve(H.toarray()))
            q = H.T @ lu.solve(g["vectors/f"][...].ravel()) + g["vectors/w"][...].ravel()
        return W.tocsr(), q, g["vectors/mu"][...].ravel(), int(np.ravel(g["spacedim"])[0])


def save(path, W, q, mu, d):
    with h5py.File(path, "w") as f:
        g = f.create_group("fclib_local")
        g["spacedim"] = np.array([d], "i4")
        for k, v in (("m", W.shape[0]), ("n", W.shape[1]), ("nz", -2), ("nzmax", W.nnz)):
            g[f"W/{k}"] = np.array([v], "i4")
        g["W/p"], g["W/i"], g["W/x"] = W.indptr.astype("i4"), W.indices.astype("i4"), W.data
        g["vectors/q"], g["vectors/mu"] = q, mu


def error(W, q, mu, d, r):
    u = W @ r + q
    R, U = r.reshape(-1, d), u.reshape(-1, d).copy()
    U[:, 0] += mu * np.linalg.norm(U[:, 1:], axis=1)
    Z = R - U
    t = np.linalg.norm(Z[:, 1:], axis=1)
    P = Z.copy()
    P[mu * t <= -Z[:, 0]] = 0.0
    mantle = (t > mu * Z[:, 0]) & (mu * t > -Z[:, 0])
    n = (Z[mantle, 0] + mu[mantle] * t[mantle]) / (1 + mu[mantle] ** 2)
    P[mantle, 0] = n
    P[mantle, 1:] = (mu[mantle] * n / t[mantle])[:, None] * Z[mantle, 1:]
    norm = np.linalg.norm
    return norm(R - P) / max(norm(q), norm(r), norm(u), 1e-300)


def siconos_solvers(d):
    import siconos.numerics as sn

    if d == 2:
        return {"NSGS": sn.SICONOS_FRICTION_2D_NSGS, "CPG": sn.SICONOS_FRICTION_2D_CPG, "LEMKE": sn.SICONOS_FRICTION_2D_LEMKE}
    return {name: getattr(sn, "SICONOS_FRICTION_3D_" + name.split()[0]) for name in SOLVERS_3D}


def siconos_once(W, q, mu, d, name, tolerance):
    """Processor seconds and impulses of one call."""
    import siconos.numerics as sn

    ident = siconos_solvers(d)[name]
    M = W.toarray() if W.shape[0] < 200 or d == 2 else sp.csc_matrix(W)  # its solvers in the plane take dense matrices
    problem = sn.FrictionContactProblem(d, len(mu), M, q.copy(), mu.copy())
    options = sn.SolverOptions(ident)
    options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 2000 if "NSN" in name else 200000
    if name.endswith("quartic"):
        sn.solver_options_update_internal(options, 0, sn.SICONOS_FRICTION_3D_ONECONTACT_QUARTIC)
    r, u = np.zeros(len(q)), np.zeros(len(q))
    sn.numerics_set_verbose(0)
    begin = time.process_time()
    (sn.fc2d_driver if d == 2 else sn.fc3d_driver)(problem, r, u, options)
    return time.process_time() - begin, r


def siconos_worker(arguments):
    """In a process of its own: a solver that crashes or hangs costs one entry, not the benchmark."""
    path, name, tolerance = arguments
    W, q, mu, d = load(path)
    goal = float(tolerance)
    own = goal
    while own > 1e-16:
        seconds, r = siconos_once(W, q, mu, d, name, own)
        e = error(W, q, mu, d, r)
        if e <= goal:
            for _ in range(20 if seconds < 1e-3 else 2 if seconds < 0.1 else 0):
                seconds = min(seconds, siconos_once(W, q, mu, d, name, own)[0])
            print("RESULT", json.dumps({"seconds": seconds, "error": e}))
            return
        own /= 10.0
    print("RESULT", json.dumps({"seconds": None, "error": e}))


def run_siconos(path, name, tolerance, limit):
    try:
        done = subprocess.run([sys.executable, __file__, "--worker", str(path), name, str(tolerance)], capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT")]
    return json.loads(lines[-1][7:])["seconds"] if lines else None


def run_moreau(program, path, tolerance, limit):
    command = [program, "solve", str(path), "--tolerance", str(tolerance), "--max-time", str(limit), "--json"]
    said = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    seconds = said["processor_s"]
    repeat = 21 if seconds < 1e-3 else 3 if seconds < 0.1 else 1
    if said["converged"] and repeat > 1:
        said = json.loads(subprocess.run([*command, "--repeat", str(repeat)], capture_output=True, text=True).stdout)
        seconds = said["processor_s"] if said["processor_s"] > 1e-3 else said["time_s"]  # the processor clock counts microseconds
    return (seconds if said["converged"] else None), said


def main():
    if sys.argv[1:2] == ["--worker"]:
        return siconos_worker(sys.argv[2:])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("--moreau", default="build/moreau")
    p.add_argument("--tolerances", type=float, nargs="+", default=[1e-4, 1e-8])
    p.add_argument("--limit", type=float, default=20.0, help="seconds for one solver on one problem")
    p.add_argument("--out", default="bench/results/siconos.csv")
    a = p.parse_args()
    commit = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True).stdout.strip()
    machine = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "")
    rows, ratios = [], {t: [] for t in a.tolerances}
    with tempfile.TemporaryDirectory() as folder:
        for file in sorted(a.folder.glob("*.hdf5")):
            W, q, mu, d = load(file)
            local = pathlib.Path(folder) / file.name
            save(local, W, q, mu, d)
            for t in a.tolerances:
                ours, said = run_moreau(a.moreau, local, t, max(60.0, a.limit))
                times = {n: run_siconos(local, n, t, a.limit) for n in siconos_solvers(d)}
                reached = {n: s for n, s in times.items() if s is not None}
                best = min(reached, key=reached.get) if reached else None
                ratio = max(reached[best], 1e-6) / max(ours, 1e-6) if best and ours is not None else None
                if ratio:
                    ratios[t].append(ratio)
                rows.append([file.stem, len(mu), t, said["solver"], ours, said["error"], best, reached.get(best), ratio, commit, machine])
                print(*rows[-1][:9], flush=True)
    with open(a.out, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["problem", "contacts", "tolerance", "solver", "seconds", "error", "siconos_solver", "siconos_seconds", "ratio", "commit", "machine"])
        w.writerows(rows)
    for t, values in ratios.items():
        if values:
            print(f"tolerance {t:g}: {math.exp(sum(map(math.log, values)) / len(values)):.2f} times faster (geometric mean of {len(values)} problems)")


if __name__ == "__main__":
    main()
