"""What the campaigns share: kinds of scenes, starting the program, judging what is left of a run, counting.

A campaign attacks the program again and again in one way and counts. `NAME.py --count N --seed S`; the counts are printed
as one line of JSON, and the status is 1 if there was a defect. A campaign that gets SIGTERM ends after the present attack, with the counts so far. Short forms are among the tests, long ones in docs/reliability.md.
"""
import argparse
import collections
import csv
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

MOREAU = os.environ.get("MOREAU", "moreau")
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

# An example of every kind of thing that has a state, and how long it is followed: some hundred steps, a second of computing.
KINDS = {
    "discs from sources": ("column-2d", 0.02),
    "balls and sources": ("pile", 0.04),
    "blocks in the plane": ("arch", 0.1),
    "joints of mortar": ("mortar-wall", 0.03),
    "polyhedra": ("polyhedra", 0.01),
    "pistons and phases": ("biaxial", 0.6),
    "periodic cell": ("shear-cell", 1.0),
    "driven wall": ("shaken-box", 0.02),
    "belt and sinks": ("conveyor", 0.05),
    "rocking on a recorded quake": ("rocking", 0.05),
}
# Engines that begin where another has prepared a packing: the phase of the example, and for how long it is followed.
ENGINES = {
    "soft engine": ("soft-biaxial", "yield", 0.075),
    "lubricated engine": ("lubricated", "flow", 8.0),
    "quasi-static engine": ("quasi-static", "load", 0.5),
    "elastic engine": ("elastic", "probe", 0.2),
}

# What a program must never say to a user: words of its language, or of a sanitizer (./check).
LANGUAGE = re.compile(r"std::|terminate called|what\(\)|basic_string|vector::|bad_alloc|stoi|stod|Assertion|HDF5-DIAG|\bCLI::|Sanitizer|runtime error:")


def skip_without_strace():
    """Ends the campaign where strace is not installed, or not allowed to look at other processes."""
    if not shutil.which("strace") or subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
        print("strace is not installed, or may not follow processes here")
        sys.exit(77)


def limits(seconds, memory, file):
    """For a process about to start: seconds of computing, GB of memory, MB of a file. A sanitizer takes addresses without measure."""

    def set_limits():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        if "ASAN_OPTIONS" not in os.environ:
            resource.setrlimit(resource.RLIMIT_AS, (memory << 30, memory << 30))
        resource.setrlimit(resource.RLIMIT_FSIZE, (file << 20, file << 20))

    return set_limits


class Campaign:
    def __init__(self, words, count=10):
        parser = argparse.ArgumentParser(description=words)
        parser.add_argument("--count", type=int, default=count)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--kinds", type=int, default=len(KINDS), help="so many of the kinds of scenes")
        parser.add_argument("--every", type=int, default=1, help="of the states that a campaign counts through, judge one in so many")
        parser.add_argument("--follow", type=float, default=1.0, help="follow the scenes for this share of their time")
        parser.add_argument("--engines", action="store_true", help="the other engines, too, and the imitation of a graphics card")
        self.options = parser.parse_args()
        self.random = random.Random(self.options.seed)
        self.kinds = dict(list(KINDS.items())[: self.options.kinds])
        self.counts = collections.Counter()
        self.defects = []
        self.begun = time.monotonic()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="moreau-campaign-")).resolve()
        self.prepared = {}
        self.told_to_end = False
        signal.signal(signal.SIGTERM, lambda *_: setattr(self, "told_to_end", True))

    def turns(self):
        """0, 1, 2 ... up to --count, or until the campaign is told to end."""
        for k in range(self.options.count):
            if self.told_to_end:
                return
            yield k

    def start(self, *arguments, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": self.folder, **options}
        return subprocess.Popen([MOREAU, *map(str, arguments)], **options)

    def moreau(self, *arguments, **options):
        """Status, standard output, standard error."""
        process = self.start(*arguments, **options)
        output, errors = process.communicate(timeout=600)
        return process.returncode, output, errors

    def scene(self, kind, checkpoint=None):
        """A copy of the example that writes a checkpoint so often; its name and end."""
        name, until = self.kinds[kind]
        until *= self.options.follow
        text = (REPOSITORY / "examples" / f"{name}.toml").read_text()
        if checkpoint is not None:
            lines = [line for line in text.splitlines() if not line.startswith("checkpoint")]
            if "[output]" not in lines:
                lines.insert(next(i for i, line in enumerate(lines) if line.startswith("[")), "[output]")
            lines.insert(lines.index("[output]") + 1, f"checkpoint = {checkpoint}")
            text = "\n".join(lines) + "\n"
        (self.folder / f"{name}.toml").write_text(text)
        return f"{name}.toml", until

    def at_the_engine(self, kind):
        """A run stopped in the phase of an engine of ENGINES; its folder, and until when it should be followed."""
        if kind not in self.prepared:
            name, phase, further = ENGINES[kind]
            run = f"at-{name}"
            process = self.start("run", REPOSITORY / "examples" / f"{name}.toml", "--out", run, "--threads", 1, "--set", "output.checkpoint=0.02")
            series = self.folder / run / "series.csv"
            while process.poll() is None and not (series.exists() and f",{phase}," in series.read_text()):
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=600)
            self.prepared[kind] = run, json.loads(self.moreau("info", run, "--json")[1])["time"] + self.options.follow * further
        return self.prepared[kind]

    def series(self, run):
        with open(self.folder / run / "series.csv", newline="") as file:
            rows = list(csv.reader(file))
        kept = [i for i, column in enumerate(rows[0]) if not column.endswith("_seconds")]
        return [[row[i] for i in kept] for row in rows]

    def trace(self, run):
        """All of a run that must not depend on what it went through."""
        root = self.folder / run
        status, output, errors = self.moreau("info", run, "--json")
        if status != 0:
            return f"info: {errors}"
        files = {str(f.relative_to(root)): f.read_bytes() for f in [*root.glob("*.pvd"), *root.glob("trajectory.h5"), *(root / "frames").glob("*"), *(root / "measures").glob("*")]}
        return json.loads(output)["state_hash"], self.series(run), files

    def difference(self, run, alone):
        """In what a run differs from the trace of one that was left alone; nothing where it does not."""
        now = self.trace(run)
        if now == alone or isinstance(now, str) or isinstance(alone, str):
            return "" if now == alone else f"{now if isinstance(now, str) else alone}"
        found = [words for k, words in ((0, "the state hash"), (1, "series.csv")) if now[k] != alone[k]]
        return ", ".join(found + sorted(name for name in {*now[2], *alone[2]} if now[2].get(name) != alone[2].get(name)))

    def remove(self, run):
        shutil.rmtree(self.folder / run, ignore_errors=True)

    def defect(self, words):
        self.defects.append(words)
        print(f"defect: {words}", file=sys.stderr)

    def finish(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        print(json.dumps({"campaign": pathlib.Path(sys.argv[0]).stem, "seed": self.options.seed, **self.counts,
                          "defects": len(self.defects), "seconds": round(time.monotonic() - self.begun)}))
        sys.exit(1 if self.defects else 0)
