#!/usr/bin/env python3
"""What the estimates of errors and the finishing solver cost: the same scenes with `solver.finish` true and false, in turn.

    bench/certificate_cost.py [--program build/moreau] [--repeat 3] [--csv bench/results/certificate_cost.csv] [NAME ...]

Printed per scene: processor seconds with and without (the least of the repetitions, less those of a run of one step), their ratio, mean
sweeps of a step, factorisations, steps that did not converge, the worst certified error and the speed of the fastest body at the end.
"""
import argparse, csv, os, resource, statistics, subprocess, tempfile

here = os.path.dirname(os.path.abspath(__file__))
BOX = """dimension = 3
seed = 2
gravity = 9.81
time = { step = 2e-3, duration = 1.0 }
material = { density = 1000 }
law = { friction = 0.5 }
[[wall]]
box = { min = [0, 0, 0], max = [1, 1, 4], open = ["top"] }
[[grains]]
count = 1000
diameter = { uniform = [0.08, 0.12] }
region = { box = [[0, 0, 0], [1, 1, 2.2]] }
"""
WALL = """dimension = 2
gravity = 9.81
time = { step = 1e-3, duration = 0.2 }
contact = { rule = "%s" }
material = { density = 1800 }
law = { friction = 0.6 }
[[wall]]
plane = { normal = [0, 1] }
[[brickwork]]
brick = [0.4, 0.2]
length = 8.0
courses = 16
"""
SCENES = {  # name: text of the scene, duration
    "pile": (open(os.path.join(here, "..", "examples", "pile.toml")).read(), 0.6),
    "deposition": (BOX, 1.0),
    "wall, midpoint": (WALL % "midpoint", 0.2),
    "wall, predictive": (WALL % "predictive", 0.2),
    "shaken wall": (open(os.path.join(here, "scenes", "shaken-wall.toml")).read(), 0.1),
}


def cpu_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def run(program, folder, name, finish):
    text, duration = SCENES[name]
    scene, out = os.path.join(folder, "s.toml"), os.path.join(folder, "run")
    with open(scene, "w") as f:
        f.write(text)
    command = [program, "run", scene, "--out", out, "--force", "--threads", "1", "--set", f"solver.finish={finish}", "--set", "output.series=0"]
    start = cpu_of(command + ["--until", "1e-9"])
    seconds = cpu_of(command + ["--until", str(duration)]) - start
    with open(os.path.join(out, "series.csv")) as f:
        rows = list(csv.DictReader(f))
    number = lambda column: [float(r[column]) for r in rows if r[column]]
    return seconds, {"steps": len(rows), "contacts": int(rows[-1]["contacts"]), "sweeps": statistics.mean(number("sweeps")),
                     "factorisations": int(sum(number("factorisations"))), "unconverged": sum(r["converged"] == "0" for r in rows),
                     "error": max(number("error"), default=float("nan")), "speed": float(rows[-1]["max_speed"])}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--program", default=os.path.join(here, "..", "build", "moreau"))
    p.add_argument("--repeat", type=int, default=3)
    p.add_argument("--csv")
    p.add_argument("names", nargs="*")
    a = p.parse_args()
    commit = subprocess.run([a.program, "--version"], capture_output=True, text=True).stdout.strip()
    table = []
    with tempfile.TemporaryDirectory() as folder:
        for name in a.names or SCENES:
            found = {"true": [], "false": []}
            for _ in range(a.repeat):
                for finish in found:
                    found[finish].append(run(os.path.abspath(a.program), folder, name, finish))
            least = {finish: min(seconds for seconds, _ in results) for finish, results in found.items()}
            row = {"scene": name, "seconds_with": f"{least['true']:.3g}", "seconds_without": f"{least['false']:.3g}", "ratio": f"{least['true'] / least['false']:.3f}"}
            for finish, label in (("true", "with"), ("false", "without")):
                row |= {f"{key}_{label}": f"{value:.3g}" if isinstance(value, float) else value for key, value in found[finish][0][1].items()}
            table.append(row | {"program": commit})
            print(row, flush=True)
    if a.csv:
        with open(a.csv, "w", newline="") as f:
            out = csv.DictWriter(f, table[0].keys())
            out.writeheader()
            out.writerows(table)


if __name__ == "__main__":
    main()
