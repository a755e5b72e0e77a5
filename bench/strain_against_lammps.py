#!/usr/bin/python3
"""What a strain costs: the geometric quasi-static method beside LAMMPS (Debian package `lammps`) on one packing of discs without friction.

usage: PYTHONPATH=build/python strain_against_lammps.py [--count 100] [--seed 1] [--to 0.05] [--kappa 1e5] [--ramp 25] [--hold 10]

A periodic cell of discs is brought to an exact isostatic equilibrium under p = 1. Then the upright stress is raised by --to: by the geometric method (rigid
discs; load and strain after every event), and by LAMMPS with contacts of stiffness kappa p, the cell driven by fix nph/sphere, a drag on the discs, --ramp units of
time of rising stress and --hold more. LAMMPS begins in the elastic equilibrium of the same list of contacts, overlaps f / kappa; begun with discs that only
touch, all forces would have to come up at once, and the packing would be in another state before the load rises.
Printed as CSV: program, stiffness, q, CPU seconds so far, strain.
"""
import argparse, math, os, re, subprocess, tempfile
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

import moreau as mo

PARTS = 50  # of the rising stress, at which LAMMPS says where it is
LAMMPS = """
units lj
dimension 2
atom_style sphere
newton off
comm_modify vel yes
boundary p p p
read_data data
neighbor 0.15 bin
neigh_modify delay 0 every 1 check yes
pair_style gran/hooke {k} NULL {g} NULL 0.0 0
pair_coeff * *
fix flat all enforce2d
fix drag all viscous {drag}
timestep {step}
thermo_style custom step cpu ly lx pxx pyy ke
fix move all nph/sphere x 1 1 {damp} y 1 {last} {damp} ptemp 1.0 drag 1.0 disc
thermo {part}
run {ramp}
unfix move
fix move all nph/sphere x 1 1 {damp} y {last} {last} {damp} ptemp 1.0 drag 1.0 disc
run {hold}
"""


def sample(folder: Path, count: int, seed: int) -> mo.Run:
    """As the samples of combe-shear before their cycles."""
    text = (Path(__file__).parents[1] / "experiments" / "combe-shear" / "shear.toml").read_text()
    text = text[:text.index('[[phase]]\nname = "shear"')]
    half = 0.5 * round(count**0.5) + 0.05
    return mo.run(mo.Scene(text, {"seed": seed, "grains.count": count, "cell.min": [-half] * 2, "cell.max": [half] * 2}), folder / "sample", threads=1)


def geometric(folder: Path, start: mo.Run, to: float) -> tuple[list[tuple[float, float]], float]:
    """q and upright strain after every event, CPU seconds."""
    text = (start.path / "scene.toml").read_text()
    text = text[:text.index("[[phase]]")].replace("restitution = 1.0", "restitution = 0.0") + f"""
[[phase]]
name = "load"
engine = "quasi-static"
step = 0.01
duration = 1.0
cell = {{ rate = {{ xy = 0.0 }}, stress = {{ xx = 1.0, yy = {{ times = [0.0, 1.0], values = [1.0, {1 + to}] }} }} }}
"""
    before = os.times()
    run = mo.run(mo.Scene(text), folder / "geometric", threads=1, start=start)
    after = os.times()
    events = run.events
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return [(q - 1.0, strain) for q, strain in zip(events["load_yy"], events["strain_yy"])] if events.rows else [], cpu


def elastic_equilibrium(frame: mo.Frame, k: float) -> tuple[np.ndarray, np.ndarray]:
    """Positions and lengths of the cell for which every contact of an isostatic list overlaps by f / k, to the first order: G u = -f / k has one solution, u being the
    displacements of the discs that carry (one is held) and the changes of both lengths."""
    load, contacts = mo.measure(frame, "load"), frame.contacts
    lengths = np.array([float(load[f"length_{axis}"][0]) for axis in "xy"])
    carries = contacts.normal_force > 1e-6 * contacts.normal_force.max()
    a, b, n, f = (values[carries] for values in (contacts.a, contacts.b, contacts.normal, contacts.normal_force))
    x = np.asarray(frame.position)
    images = np.round((x[a] - x[b]) / lengths)
    bodies = np.unique(np.concatenate([a, b]))
    place = np.full(len(x), -1)
    place[bodies[1:]] = np.arange(len(bodies) - 1)  # the first is held
    G = sparse.lil_matrix((len(f), 2 * len(bodies)))
    for c in range(len(f)):
        for end, sign in ((a[c], 1.0), (b[c], -1.0)):
            if place[end] >= 0:
                G[c, 2 * place[end]:2 * place[end] + 2] = sign * n[c]
        G[c, -2:] = -n[c] * images[c]
    if G.shape[0] != G.shape[1]:
        raise SystemExit(f"{G.shape[0]} contacts for {G.shape[1]} freedoms: the packing is not isostatic")
    u = splu(G.tocsc()).solve(-f / k)
    moved = x * (1 + u[-2:] / lengths)  # discs that carry nothing follow the cell
    moved[bodies] = x[bodies]
    moved[bodies[1:]] += u[:-2].reshape(-1, 2)
    return moved, lengths + u[-2:]


def lammps(folder: Path, start: mo.Run, options) -> list[tuple[float, float, float]]:
    """(q, CPU seconds, upright strain) along the way."""
    k, mass = options.kappa, math.pi / 16  # of the smallest disc
    frame = start.frames[-1]
    positions, lengths = elastic_equilibrium(frame, k)
    with open(folder / "data", "w") as file:
        file.write(f"packing\n\n{len(positions)} atoms\n1 atom types\n")
        for name, length in zip("xy", lengths.tolist()):
            file.write(f"{-0.5 * length!r} {0.5 * length!r} {name}lo {name}hi\n")
        file.write("-0.5 0.5 zlo zhi\n\nAtoms\n\n")
        for j, ((x, y), r) in enumerate(zip(positions.tolist(), frame.radius.tolist())):
            file.write(f"{j + 1} 1 {2 * r!r} 1.0 {x!r} {y!r} 0.0\n")
    step = math.pi * math.sqrt(mass / 2 / k) / 40
    ramp, hold = (int(round(t / step / PARTS)) * PARTS for t in (options.ramp, options.hold))
    (folder / "in.load").write_text(LAMMPS.format(k=k, g=math.sqrt(k / mass), drag=0.5, step=step, damp=1.0, last=1 + options.to, ramp=ramp, hold=hold, part=ramp // PARTS))
    subprocess.run(["lmp", "-in", "in.load"], cwd=folder, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, OMP_NUM_THREADS="1"))
    log = (folder / "log.lammps").read_text()
    share = [float(x) / 100 for x in re.findall(r"([\d.]+)% CPU use", log)]
    tables = [[list(map(float, line.split())) for line in block.split("\n")[1:] if line.strip()]
              for block in re.findall(r"Step[^\n]*(\n(?:[ \d.eE+-]+\n)+)Loop", log)]
    rows, spent = [], 0.0
    for table, part in zip(tables, share):
        rows += [(min(line[0] / ramp, 1.0) * options.to, spent + line[1] * part, 1 - line[2] / lengths[1]) for line in table[1:]]
        spent += table[-1][1] * part
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, kind, default in (("count", int, 100), ("seed", int, 1), ("to", float, 0.05), ("kappa", float, 1e5), ("ramp", float, 25.0), ("hold", float, 10.0)):
        parser.add_argument(f"--{name}", type=kind, default=default)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start = sample(folder, options.count, options.seed)
        events, seconds = geometric(folder, start, options.to)
        print("program,count,seed,kappa,q,cpu_seconds,strain")
        for q, strain in [*events, (options.to, events[-1][1] if events else 0.0)]:
            print(f"moreau,{options.count},{options.seed},rigid,{q:.6f},{seconds:.3f},{strain:.9f}", flush=True)
        for q, cpu, strain in lammps(folder, start, options):
            print(f"lammps,{options.count},{options.seed},{options.kappa:g},{q:.6f},{cpu:.3f},{strain:.9f}", flush=True)


if __name__ == "__main__":
    main()
