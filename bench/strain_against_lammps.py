#!/usr/bin/python3
"""What a strain costs: the geometric quasi-static method beside LAMMPS (Debian package `lammps`) on one packing of discs without friction.

usage: PYTHONPATH=build/python strain_against_lammps.py [--count 100] [--seed 1] [--to 0.05] [--kappa 1e5] [--ramp 25] [--hold 25]

A periodic cell of discs is brought to an exact isostatic equilibrium under p = 1. Then the upright stress is raised by --to: by the geometric method (rigid
discs; strain after the last event), and by LAMMPS with contacts of stiffness kappa p, the cell driven by fix nph/sphere, a drag on the discs, --ramp units of time
of rising stress and --hold more. Printed: CPU seconds and strain of the one, then strain and CPU seconds of the other in ten parts of the way.
"""
import argparse, math, os, re, subprocess, tempfile
from pathlib import Path

import moreau as mo

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
fix move all nph/sphere x 1 1 {damp} y 1 1 {damp} ptemp 1.0 drag 1.0 disc
thermo_style custom step cpu ly lx pxx pyy ke
thermo {wait}
run {wait}
unfix move
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


def geometric(folder: Path, start: mo.Run, to: float) -> tuple[float, float, int]:
    """Upright strain at the end, CPU seconds, events."""
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
    return (float(events["strain_yy"][-1]) if events.rows else 0.0), cpu, events.rows


def lammps(folder: Path, start: mo.Run, options) -> list[tuple[int, float, float]]:
    """(steps, CPU seconds, upright strain since the end of the first relaxation) along the way."""
    frame = start.frames[-1]
    load = mo.measure(frame, "load")
    lengths = [float(load[f"length_{axis}"][0]) for axis in "xy"]
    with open(folder / "data", "w") as file:
        file.write(f"packing\n\n{len(frame.radius)} atoms\n1 atom types\n")
        for name, length in zip("xy", lengths):
            file.write(f"{-0.5 * length!r} {0.5 * length!r} {name}lo {name}hi\n")
        file.write("-0.5 0.5 zlo zhi\n\nAtoms\n\n")
        for k, ((x, y), r) in enumerate(zip(frame.position.tolist(), frame.radius.tolist())):
            file.write(f"{k + 1} 1 {2 * r!r} 1.0 {x!r} {y!r} 0.0\n")
    k, mass = options.kappa, math.pi / 16  # of the smallest disc
    step = math.pi * math.sqrt(mass / 2 / k) / 40
    ramp, hold, wait = (int(round(t / step / 10)) * 10 for t in (options.ramp, options.hold, 10.0))
    (folder / "in.load").write_text(LAMMPS.format(k=k, g=math.sqrt(k / mass), drag=0.5, step=step, damp=1.0, last=1 + options.to, wait=wait, ramp=ramp, hold=hold,
                                                  part=ramp // 10))
    subprocess.run(["lmp", "-in", "in.load"], cwd=folder, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, OMP_NUM_THREADS="1"))
    log = (folder / "log.lammps").read_text()
    share = [float(x) / 100 for x in re.findall(r"([\d.]+)% CPU use", log)]
    tables = [[list(map(float, line.split())) for line in block.split("\n")[1:] if line.strip()]
              for block in re.findall(r"Step[^\n]*(\n(?:[ \d.eE+-]+\n)+)Loop", log)]
    height, spent, rows = tables[0][-1][2], tables[0][-1][1] * share[0], [(int(tables[0][-1][0]), tables[0][-1][1] * share[0], 0.0)]
    for table, part in zip(tables[1:], share[1:]):
        rows += [(int(line[0]), spent + line[1] * part, 1 - line[2] / height) for line in table[1:]]
        spent += table[-1][1] * part
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, kind, default in (("count", int, 100), ("seed", int, 1), ("to", float, 0.05), ("kappa", float, 1e5), ("ramp", float, 25.0), ("hold", float, 25.0)):
        parser.add_argument(f"--{name}", type=kind, default=default)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start = sample(folder, options.count, options.seed)
        strain, seconds, events = geometric(folder, start, options.to)
        print("program,count,seed,q,kappa,steps_or_events,cpu_seconds,strain")
        print(f"moreau,{options.count},{options.seed},{options.to},rigid,{events},{seconds:.3f},{strain:.9f}", flush=True)
        for steps, cpu, found in lammps(folder, start, options):
            print(f"lammps,{options.count},{options.seed},{options.to},{options.kappa:g},{steps},{cpu:.3f},{found:.9f}", flush=True)


if __name__ == "__main__":
    main()
