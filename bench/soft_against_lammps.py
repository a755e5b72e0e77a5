#!/usr/bin/python3
"""The soft engine beside LAMMPS (Debian package `lammps`): the same bed of balls at rest, the same stiffness and step, in turns.

usage: soft_against_lammps.py BENCH_SOFT N STIFFNESS [--settle 3] [--steps 3000] [--rounds 3] [--skin 0.15]

BENCH_SOFT is the program of bench/soft.cpp. Balls fall from a jittered lattice and come to rest by the soft engine; then both codes
make STEPS steps ROUNDS times, one after the other. Printed: contact-steps per second of CPU time, walls included, and their ratio.
"""
import argparse, math, os, random, re, subprocess, tempfile

DENSITY = 6 / math.pi
LAMMPS = """
atom_style sphere
units si
newton off
comm_modify vel yes
boundary f f f
read_data data
neighbor {skin} bin
neigh_modify delay 0 every 1 check yes
pair_style gran/hooke/history {k} {kt} {g} {gt} 0.5 1
pair_coeff * *
fix w1 all wall/gran hooke/history {k} {kt} {g} {gt} 0.5 1 xplane 0 {side}
fix w2 all wall/gran hooke/history {k} {kt} {g} {gt} 0.5 1 yplane 0 {side}
fix w3 all wall/gran hooke/history {k} {kt} {g} {gt} 0.5 1 zplane 0 NULL
fix g all gravity 9.81 vector 0 0 -1
fix i all nve/sphere
timestep {step}
thermo {steps}
run {steps}
"""


def lattice(count, seed=12345):
    rng = random.Random(seed)
    side = count ** (1 / 3)
    across = int(side / 1.3)
    pitch = side / across
    rows = []
    for k in range(count):
        site = (k % across, k // across % across, k // across ** 2)
        x = [(s + 0.5) * p + rng.uniform(-0.05, 0.05) for s, p in zip(site, (pitch, pitch, 1.3))]
        rows.append((*x, 0.5 * rng.uniform(0.8, 1.2), rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), 0.0))
    return side, rows


def write(path, side, rows):
    with open(path, "w") as file:
        file.write(f"# {len(rows)} {side!r}\n")
        file.writelines(" ".join(repr(v) for v in row) + "\n" for row in rows)


def ours(options, folder, start, settle, rounds, bed):
    command = [options.program, start, str(options.stiffness), str(settle), str(options.steps), str(rounds), bed]
    said = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    rate = [float(x) for x in re.findall(r"([\d.]+) M ball-steps/s", said)]
    contacts = int(re.findall(r"contacts (\d+)", said)[-1])
    return rate, contacts


def lammps(options, folder, bed):
    lines = open(os.path.join(folder, bed)).read().split("\n")
    _, count, side, step = lines[0].split()
    rows = [line.split() for line in lines[1:int(count) + 1]]
    top, far = max(float(r[2]) for r in rows) + 2, float(side) + 0.01
    with open(os.path.join(folder, "data"), "w") as file:
        file.write(f"bed\n\n{count} atoms\n1 atom types\n-0.01 {far} xlo xhi\n-0.01 {far} ylo yhi\n-0.01 {top} zlo zhi\n\nAtoms\n\n")
        for i, r in enumerate(rows):
            file.write(f"{i + 1} 1 {2 * float(r[3])!r} {DENSITY!r} {r[0]} {r[1]} {r[2]}\n")
        file.write("\nVelocities\n\n")
        for i, r in enumerate(rows):
            file.write(f"{i + 1} {r[4]} {r[5]} {r[6]} 0 0 0\n")
    k = options.stiffness
    g = 0.9 * 2 * math.sqrt(k / 0.5)
    text = LAMMPS.format(k=k, kt=2 / 7 * k, g=g, gt=0.5 * g, side=side, step=step, steps=options.steps, skin=options.skin)
    open(os.path.join(folder, "in.bed"), "w").write(text)
    subprocess.run(["lmp", "-in", "in.bed"], cwd=folder, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, OMP_NUM_THREADS="1"))
    log = open(os.path.join(folder, "log.lammps")).read()
    seconds = float(re.search(r"Loop time of (\S+)", log).group(1)) * float(re.search(r"([\d.]+)% CPU use", log).group(1)) / 100
    return int(count) * options.steps / seconds * 1e-6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("count", type=int)
    parser.add_argument("stiffness", type=float)
    parser.add_argument("--settle", type=float, default=3.0)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--skin", type=float, default=0.15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        side, rows = lattice(options.count)
        write(os.path.join(folder, "start"), side, rows)
        ours(options, folder, "start", options.settle, 1, "bed")
        print("balls,contacts,moreau_M_contact_steps_per_s,lammps_M_contact_steps_per_s,ratio")
        for _ in range(options.rounds):
            rate, contacts = ours(options, folder, "bed", 0.0, 1, "again")
            other, per_ball = lammps(options, folder, "bed"), contacts / options.count
            print(f"{options.count},{contacts},{rate[-1] * per_ball:.2f},{other * per_ball:.2f},{rate[-1] / other:.2f}", flush=True)


if __name__ == "__main__":
    main()
