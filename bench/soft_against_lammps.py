#!/usr/bin/python3
"""The soft engine beside LAMMPS (Debian package `lammps`): the same bed of discs or balls, the same stiffness and step, in turns.

usage: soft_against_lammps.py BENCH_SOFT [--count 4000] [--stiffness 1e5] [--rounds 5] [--discs] [--settle 3] [--warm 3000] ...

BENCH_SOFT is the program of bench/soft.cpp. Bodies fall from a jittered lattice for the time SETTLE by the soft engine; then both
codes make WARM steps, which are not counted (contacts get their tangential springs), and STEPS that are, ROUNDS times in turns, on one
core. A short SETTLE and WARM 0 take the bed while it falls. Rows of CSV: contact-steps per second of CPU time, walls included, and
their ratio; the last row has the medians.

With --residual R: seconds of CPU time until the forces balance to R (mean resultant of the bodies over the mean contact force), from the
same bed: by LAMMPS, by the soft engine, and by the soft engine to 1e-4 with an ending by the elastic engine.
"""
import argparse, math, os, random, re, statistics, subprocess, tempfile

LAMMPS = """
atom_style sphere
units si
dimension {dimension}
newton off
comm_modify vel yes
boundary {boundary}
read_data data
neighbor {skin} bin
neigh_modify delay 0 every 1 check yes
pair_style gran/hooke/history {k} {kt} {g} {gt} 0.5 1
pair_coeff * *
{walls}
fix g all gravity 9.81 vector {down}
fix i all nve/sphere {disc}
{plane}
timestep {step}
thermo 1000000
{run}
"""
TIMED = "run {warm}\nrun {steps}"
TO_REST = """variable size atom sqrt(fx^2+fy^2+fz^2)
compute mean all reduce ave v_size
variable left equal c_mean
fix stop all halt 100 v_left < {threshold} error continue
run {steps}"""


def lattice(count, dimension, seed=12345):
    rng = random.Random(seed)
    side = count ** (1 / dimension)
    across = int(side / 1.3)
    pitch = side / across
    rows = []
    for k in range(count):
        site = (k % across, 0, k // across) if dimension == 2 else (k % across, k // across % across, k // across ** 2)
        x = [(s + 0.5) * p + rng.uniform(-0.05, 0.05) for s, p in zip(site, (pitch, pitch, 1.3))]
        rows.append((*x, 0.5 * rng.uniform(0.8, 1.2), rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), 0.0))
    return side, rows


def write(path, side, dimension, rows):
    with open(path, "w") as file:
        file.write(f"# {len(rows)} {side!r} {dimension}\n")
        file.writelines(" ".join(repr(v) for v in row) + "\n" for row in rows)


def ours(options, folder, start, settle, steps, rounds, bed):
    command = [options.program, start, str(options.stiffness), str(settle), str(steps), str(rounds), bed]
    said = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    return [float(x) for x in re.findall(r"([\d.]+) M body-steps/s", said)], [int(x) for x in re.findall(r"contacts (\d+)", said)]


def data_of(folder, rows, side, dimension):
    far, top = side + 0.01, max(float(r[2]) for r in rows) + 2
    with open(os.path.join(folder, "data"), "w") as file:
        across = f"-0.01 {top} ylo yhi\n-0.5 0.5 zlo zhi" if dimension == 2 else f"-0.01 {far} ylo yhi\n-0.01 {top} zlo zhi"
        file.write(f"bed\n\n{len(rows)} atoms\n1 atom types\n-0.01 {far} xlo xhi\n{across}\n\nAtoms\n\n")
        for i, r in enumerate(rows):
            radius = float(r[3])
            density = 6 / math.pi if dimension == 3 else 4 * radius ** 2 / (4 / 3 * math.pi * radius ** 3)  # a sphere of that mass
            place = f"{r[0]} {r[2]} 0" if dimension == 2 else f"{r[0]} {r[1]} {r[2]}"
            file.write(f"{i + 1} 1 {2 * radius!r} {density!r} {place}\n")
        file.write("\nVelocities\n\n")
        for i, r in enumerate(rows):
            file.write(f"{i + 1} " + (f"{r[4]} {r[6]} 0" if dimension == 2 else f"{r[4]} {r[5]} {r[6]}") + " 0 0 0\n")


def lammps(options, folder, bed, run):
    lines = open(os.path.join(folder, bed)).read().split("\n")
    _, count, side, dimension, step = lines[0].split()
    dimension, side = int(dimension), float(side)
    data_of(folder, [line.split() for line in lines[1:int(count) + 1]], side, dimension)
    k = options.stiffness
    g = 0.9 * 2 * math.sqrt(k / 0.5)
    law = dict(k=k, kt=2 / 7 * k, g=g, gt=0.5 * g)
    wall = "fix w{n} all wall/gran hooke/history {k} {kt} {g} {gt} 0.5 1 {place}"
    places = [f"xplane 0 {side}", "yplane 0 NULL"] if dimension == 2 else [f"xplane 0 {side}", f"yplane 0 {side}", "zplane 0 NULL"]
    text = LAMMPS.format(**law, walls="\n".join(wall.format(n=n, place=p, **law) for n, p in enumerate(places)), dimension=dimension,
                         boundary="f f p" if dimension == 2 else "f f f", down="0 -1 0" if dimension == 2 else "0 0 -1",
                         disc="disc" if dimension == 2 else "", plane="fix p all enforce2d" if dimension == 2 else "",
                         step=step, run=run, skin=options.skin)
    open(os.path.join(folder, "in.bed"), "w").write(text)
    subprocess.run(["lmp", "-in", "in.bed"], cwd=folder, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, OMP_NUM_THREADS="1"))
    log = open(os.path.join(folder, "log.lammps")).read()
    seconds = float(re.findall(r"Loop time of (\S+)", log)[-1]) * float(re.findall(r"([\d.]+)% CPU use", log)[-1]) / 100
    return seconds, int(re.findall(r"Loop time of \S+ on \d+ procs for (\d+) steps", log)[-1])


def to_rest(options, folder):
    """Rows of CSV: seconds until the forces balance."""
    def by_us(**environment):
        command = [options.program, "bed", str(options.stiffness), "0", str(options.most), "1"]
        said = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True,
                              env=dict(os.environ, RESIDUAL=repr(options.residual), **environment)).stdout
        return re.search(r"residual (\S+) after (\d+) steps, (\S+) s \(cpu\), mean force (\S+)", said).groups()
    print("bodies,dimension,method,residual,steps,cpu_seconds")
    head = f"{options.count},{2 if options.discs else 3}"
    left, steps, seconds, _ = by_us(ELASTIC_BELOW="1e-4")
    print(f"{head},soft and elastic,{left},{steps},{seconds}", flush=True)
    left, steps, seconds, force = by_us()
    print(f"{head},soft,{left},{steps},{seconds}", flush=True)
    seconds, steps = lammps(options, folder, "bed", TO_REST.format(threshold=options.residual * float(force), steps=options.most))
    reached = f"{options.residual:g}" if steps < options.most else "not reached"
    print(f"{head},LAMMPS,{reached},{steps},{seconds:.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--stiffness", type=float, default=1e5)
    parser.add_argument("--discs", action="store_true")
    parser.add_argument("--settle", type=float, default=3.0, help="time")
    parser.add_argument("--warm", type=int, default=3000, help="steps that are not counted")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--skin", type=float, default=0.15)
    parser.add_argument("--residual", type=float)
    parser.add_argument("--most", type=int, default=1000000, help="steps to the residual")
    options = parser.parse_args()
    dimension = 2 if options.discs else 3
    with tempfile.TemporaryDirectory() as folder:
        side, rows = lattice(options.count, dimension)
        write(os.path.join(folder, "start"), side, dimension, rows)
        ours(options, folder, "start", options.settle, 1, 1, "bed")
        if options.residual:
            return to_rest(options, folder)
        print("bodies,dimension,settle,warm,contacts,moreau_M_contact_steps_per_s,lammps_M_contact_steps_per_s,ratio")
        found = []
        for _ in range(options.rounds):
            # As many steps to warm up as are counted, in rounds of their own.
            whole = max(1, round(options.warm / options.steps)) if options.warm > 0 else 0
            rate, contacts = ours(options, folder, "bed", 0.0, options.steps, whole + 1, "again")
            seconds, _ = lammps(options, folder, "bed", TIMED.format(warm=options.warm, steps=options.steps))
            other, per_body = options.count * options.steps / seconds * 1e-6, contacts[-1] / options.count
            found.append((contacts[-1], rate[-1] * per_body, other * per_body, rate[-1] / other))
            print(f"{options.count},{dimension},{options.settle:g},{options.warm}," + "%d,%.2f,%.2f,%.2f" % found[-1], flush=True)
        middle = [statistics.median(column) for column in zip(*found)]
        print(f"{options.count},{dimension},{options.settle:g},{options.warm}," + "%d,%.2f,%.2f,%.2f" % tuple(middle) + ",median")


if __name__ == "__main__":
    main()
