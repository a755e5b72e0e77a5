#!/usr/bin/env python3
"""Scenes that rest: chains of balls with heavy ones on top, columns, stacks, a slab on columns, an arch, an incline.

    bench/rest.py [--program build/moreau] [--out FOLDER] [--rule midpoint|predictive] [--csv FILE] [NAME ...]

Every scene starts at rest and touching and runs with default settings and step 1e-3. Printed per scene and rule:
  speed   largest of any body over the last tenth of the run [m/s]
  sink    largest displacement of any body, over its size (ball diameter, box height, thickness of a stone)
  floor   vertical force of what is fixed over the weight, mean of the last tenth (from the balance of momentum)
  created largest growth of the energy above its first value [J]
  error   worst certified error of a step, in units of h |g|
  wall    seconds inside the steps
  cpu     seconds of processor time of a run that writes one row, not one for every step, less those of a run of one step (start and
          files): what the steps take, less disturbed by other programs than the wall clock
  other   the code that did best on the scene, of four with several settings each, its speed, sink and seconds inside the steps
          (ODE 0.16.2, Bullet 3.24, MuJoCo 2.2.2, Siconos 4.4.0; one core, one run each)
"""
import argparse, csv, json, math, os, resource, subprocess, tempfile
import h5py, numpy as np


def ball(position, radius, mass):
    return f"[[grain]]\nposition = {list(position)}\nradius = {radius}\nmass = {mass}\n"


def box(position, size, extra=""):
    return f"[[block]]\nsize = {list(size)}\nposition = {list(position)}\n{extra}"


def chain(masses, radius=0.05, dimension=3):
    at = lambda k: [0.0] * (dimension - 1) + [radius * (2 * k + 1)]
    return "".join(ball(at(k), radius, m) for k, m in enumerate(masses))


def plane(dimension, normal=None):
    return f"[[wall]]\nplane = {{ normal = {normal or [0.0] * (dimension - 1) + [1.0]} }}\n"


def stack(count, size):
    at = lambda k: [0.0] * (len(size) - 1) + [size[-1] * (k + 0.5)]
    return "".join(box(at(k), size) for k in range(count))


def slab(columns, cubes, side=0.1, apart=0.4, cube_mass=0.1, slab_mass=1000.0, thickness=0.1):
    text, half = "", apart * (columns - 1) / 2
    for i in range(columns):
        for j in range(columns):
            text += "".join(box([apart * i - half, apart * j - half, side * (k + 0.5)], [side] * 3, f"mass = {cube_mass}\n") for k in range(cubes))
    return text + box([0.0, 0.0, side * cubes + thickness / 2], [1.0, 1.0, thickness], f"mass = {slab_mass}\n")


def slab_in_plane():
    text = '[[material]]\nname = "cork"\ndensity = 100\n[[material]]\nname = "steel"\ndensity = 1e4\n'
    for x in (-0.4, 0.0, 0.4):
        text += "".join(box([x, 0.1 * (k + 0.5)], [0.1, 0.1], 'material = "cork"\n') for k in range(4))
    return text + box([0.0, 0.45], [1.0, 0.1], 'material = "steel"\n') + '[[wall]]\nmaterial = "cork"\nplane = { normal = [0, 1] }\n'


def tilted(angle, g=9.81):
    return [g * math.sin(angle), 0.0, -g * math.cos(angle)]


# name: dimension, friction, size, duration, gravity, text
SCENES = {
    "chain-1e6": (3, 0.4, 0.1, 2, 9.81, chain([1, 1, 1, 1, 1e6]) + plane(3)),
    "chain-1e4": (3, 0.4, 0.1, 2, 9.81, chain([1] * 8 + [1e4]) + plane(3)),
    "chain-1e2": (3, 0.4, 0.1, 2, 9.81, chain([1] * 12 + [100]) + plane(3)),
    "chain-1e8": (3, 0.4, 0.1, 2, 9.81, chain([1, 1, 1, 1, 1e8]) + plane(3)),
    "column-60": (3, 0.4, 0.1, 2, 9.81, chain([1] * 60) + plane(3)),
    "boxes-50": (3, 0.4, 0.1, 2, 9.81, stack(50, [0.5, 0.5, 0.1]) + plane(3)),
    "slab": (3, 0.4, 0.1, 2, 9.81, slab(3, 4) + plane(3)),
    "arch": (3, 0.7, 0.2, 2, 9.81, "[[arch]]\nradius = 1.0\nthickness = 0.2\ndepth = 0.4\nstones = 15\n"),
    "incline": (3, 0.4, 0.1, 20, tilted(0.98 * math.atan(0.4)), stack(3, [0.5, 0.5, 0.1]) + plane(3)),
    "slab-2d": (2, 0.4, 0.1, 2, 9.81, slab_in_plane()),
    "discs-100": (2, 0.4, 0.1, 2, 9.81, chain([1] * 100, dimension=2) + plane(2)),
    "balls-100": (3, 0.4, 0.1, 2, 9.81, chain([1] * 100) + plane(3)),
    "bricks-20": (2, 0.4, 0.1, 2, 9.81, stack(20, [0.5, 0.1]) + plane(2)),
    "bricks-80": (2, 0.4, 0.1, 2, 9.81, stack(80, [0.5, 0.1]) + plane(2)),
    "bricks-200": (2, 0.4, 0.1, 2, 9.81, stack(200, [0.5, 0.1]) + plane(2)),
    "discs-1e8": (2, 0.4, 0.1, 2, 9.81, chain([1, 1, 1, 1, 1e8], dimension=2) + plane(2)),
    "rolling-50": (2, "0.3, rolling_friction = 0.01", 0.1, 2, 9.81, chain([1] * 50, dimension=2) + plane(2)),
    "rolling-heavy": (3, "0.3, rolling_friction = 0.01, pivoting_friction = 0.01", 0.1, 2, 9.81, chain([1] * 8 + [1e4]) + plane(3)),
    "capped-heavy": (3, "0.3, friction_cap = 100", 0.1, 2, 9.81, chain([1] * 8 + [1e4]) + plane(3)),
}
# Best of the other codes: name and setting, speed, sink, seconds of the step calls.
OTHERS = {
    "chain-1e6": ("ODE WorldStep, cfm 1e-13", 4e-12, 2e-7, 0.01),
    "chain-1e4": ("ODE WorldStep", 1e-13, 4e-6, 0.02),
    "chain-1e2": ("ODE WorldStep", 1e-13, 7e-8, 0.03),
    "column-60": ("MuJoCo Newton, stiff, elliptic", 4e-13, 1e-4, 0.35),
    "boxes-50": ("MuJoCo Newton, stiff, elliptic, overlap 1e-8", 4e-13, 5e-5, 0.83),
    "slab": ("MuJoCo Newton, stiff, pyramidal", 8e-10, 2e-5, 1.18),
    "arch": ("MuJoCo Newton, stiff, pyramidal", 6e-6, 6e-4, 0.37),
    "incline": ("ODE WorldStep", 1e-8, 4e-5, 0.34),
}


def scene(name, rule, solver=""):
    dimension, friction, _, duration, gravity, text = SCENES[name]
    material = "" if "[[material]]" in text else "[material]\ndensity = 1000\n"
    return (f"dimension = {dimension}\ngravity = {gravity}\ntime = {{ step = 1e-3, duration = {duration} }}\ncontact = {{ rule = \"{rule}\" }}\n"
            f"output = {{ frames = {duration / 10}, series = 0.001 }}\nlaw = {{ friction = {friction} }}\n{solver}{material}{text}")


def measure(name, folder):
    dimension, _, size, duration, gravity, _ = SCENES[name]
    with open(os.path.join(folder, "series.csv")) as f:
        rows = list(csv.DictReader(line for line in f if not line.startswith("#")))
    late = [r for r in rows if float(r["time"]) > 0.9 * duration - 1e-9]
    energy = [float(r["kinetic"]) + float(r["potential"]) for r in rows]
    with h5py.File(os.path.join(folder, "trajectory.h5")) as run:
        frames = sorted(k for k in run if k.startswith("frame_"))
        first, before, last = (run[frames[k]]["bodies"] for k in (0, -2, -1))
        free = first["kind"][:] == 0 if "kind" in first else np.ones(len(first["mass"]), bool)
        mass = first["mass"][:][free]
        momentum = lambda b: (mass[:, None] * b["velocity"][:][free]).sum(0)
        g = np.array(gravity if isinstance(gravity, list) else [0.0] * (dimension - 1) + [-gravity])
        if len(g) < momentum(last).size: g = np.insert(g, 1, 0.0)
        dt = float(run[frames[-1]].attrs["time"]) - float(run[frames[-2]].attrs["time"])
        floor = mass.sum() * g - (momentum(last) - momentum(before)) / dt
        floor = float(np.dot(floor, g) / np.dot(g, g) / mass.sum())
        sink = float(np.abs(last["position"][:][free] - first["position"][:][free]).max()) / size
    with open(os.path.join(folder, "summary.json")) as f:
        summary = json.load(f)
    column = "error" if "error" in rows[-1] else None
    return dict(scene=name, speed=max(float(r["max_speed"]) for r in late), sink=sink, floor=floor, created=max(energy) - energy[0],
                error=max([float(r[column]) for r in rows if r[column]] or [math.nan]) if column else math.nan, sweeps=np.mean([float(r["sweeps"]) for r in rows]),
                unconverged=summary["run"]["unconverged_steps"], wall=sum(float(r["total_seconds"]) for r in rows))


def cpu_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--program", default="build/moreau")
    a.add_argument("--out", default=os.path.join(tempfile.gettempdir(), "rest"))
    a.add_argument("--rule", action="append")
    a.add_argument("--csv")
    a.add_argument("names", nargs="*")
    a = a.parse_args()
    table = []
    for name in a.names or SCENES:
        for rule in a.rule or ["midpoint", "predictive"]:
            folder = os.path.join(a.out, f"{name}-{rule}")
            os.makedirs(a.out, exist_ok=True)
            with open(folder + ".toml", "w") as f:
                f.write(scene(name, rule))
            run = [a.program, "run", folder + ".toml", "--out", folder, "--force", "--threads", "1"]
            quiet = run + ["--set", "output.series=100", "--set", "output.frames=100"]
            start, cpu = cpu_of(quiet + ["--until", "1e-3"])[0], cpu_of(quiet)[0]
            done = cpu_of(run)[1]
            if done.returncode not in (0,):
                print(name, rule, "status", done.returncode, done.stderr.strip()[-300:])
                if done.returncode != 0 and not os.path.exists(os.path.join(folder, "summary.json")): continue
            other = dict(zip(("other", "other_speed", "other_sink", "other_seconds"), OTHERS.get(name, ("", "", "", ""))))
            r = dict(rule=rule, **measure(name, folder), cpu=max(0.0, cpu - start), **other)
            table.append(r)
            print(f"{name:11s} {rule:10s} speed {r['speed']:.1e}  sink {r['sink']:.1e}  floor {r['floor']:.4f}  created {r['created']:.1e}  error {r['error']:.1e}"
                  f"  sweeps {r['sweeps']:.1f}  unconverged {r['unconverged']}  wall {r['wall']:.2f}  cpu {r['cpu']:.2f}"
                  + (f"  other: {r['other_speed']:.0e} {r['other_sink']:.0e} {r['other_seconds']} s ({r['other']})" if r["other"] else ""), flush=True)
    if a.csv:
        with open(a.csv, "w", newline="") as f:
            out = csv.DictWriter(f, table[0].keys())
            out.writeheader()
            out.writerows({k: f"{v:.3g}" if isinstance(v, float) else v for k, v in r.items()} for r in table)


if __name__ == "__main__":
    main()
