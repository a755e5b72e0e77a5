#!/usr/bin/env python3
"""Every command with its options set to odd numbers, odd words and odd places: it does what was asked or says a sentence; it never
breaks, hangs or speaks of the language it is written in. --count command lines."""
import re
import subprocess

from campaign import LANGUAGE, MOREAU, Campaign, limits

NUMBERS = ["0", "-0", "-1", "1", "2", "3.7", "1e-320", "1e-300", "1e300", "1e308", "1e309", "-1e308", "nan", "-nan", "inf", "-inf", "1e-9", "1000000",
           "99999999999999999999", "-9223372036854775808", "2147483648", "0x10", "1,5", "+1", "1e", "1_000", "١"]
WORDS = ["", " ", ".", "..", "/", "-", "--", "auto", "é", "日本", "a" * 5000, "%s%n", "$(id)", "a=b", "=", ",", ":", "1:2", "1:2:0", "0:1:1e-30", "1,2,3", "nan,nan",
         "0,0,0,0", "last", "all", "\\", "'", '"', "\t", "\n", "a\nb", "\x7f", "NaN", "*", "[1]", "time>nan", "time>", ">", "(((((", "1/0", "sqrt(-1)", "mean(time)",
         "x=mean(time)", "x=mean(1/0)", "speed", "stress", "time", "step", "gravity", "piston:lid", "cell:xx", "force:0:1,0", "force:99999999:nan,1", "box:0,0,1,1",
         "sphere:0,0,0,nan", "disc", "perspective", "law.friction=0.1", "law.friction=nan", "grains.count=1e18", "time.step=1e-300", "time.step=1,2", "seed=-1", "title=\"",
         "output.frames=1e-30", "dimension=3", "grain[1].radius=1", "grain[99999999999].radius=1", "grains=1", "=1", "a.b.c.d.e=1", "[=]", "law={"]
PLACES = ["picture.png", "picture.svg", "picture.pdf", "no/such/folder/a.png", "/dev/full", "/dev/null", "folder", "plane", "a.csv", "a.json", "a.h5", "/proc/self/mem",
          "dangling", "loop", "b" * 300 + ".png", "é日.png", "plane/scene.toml/x", ""]
SCENE = """\
title = "odd"
dimension = {dimension}
seed = 1
gravity = 9.81
time = {{ step = 1e-3, duration = 0.04 }}
output = {{ frames = 0.01 }}
material = {{ density = 1000 }}
law = {{ friction = 0.4 }}
[[wall]]
name = "tray"
box = {{ min = {low}, max = {high} }}
{piston}
[[grains]]
count = 12
diameter = 0.09
arrangement = "lattice"
[[block]]
size = {size}
position = {place}
"""


PISTON = """\
[[piston]]
name = "lid"
walls = ["tray.top"]
force = 10
"""


def prepare(campaign):
    """Runs, a scene and a problem for the commands to work on, and places where nothing can be written."""
    for name, dimension, piston, more in (("plane", 2, PISTON, []), ("space", 3, PISTON, []), ("free", 3, "", ["--dump-problem", 30])):
        (campaign.folder / f"{name}.toml").write_text(SCENE.format(dimension=dimension, low=[0] * dimension, high=[1] * dimension, piston=piston,
                                                                   size=[0.2] * dimension, place=[0.7] * dimension))
        status, _, errors = campaign.moreau("run", f"{name}.toml", "--out", name, "--threads", 1, *more)
        if status != 0:
            campaign.defect(errors)
    (campaign.folder / "folder").mkdir()
    (campaign.folder / "dangling").symlink_to("nowhere/at/all")
    (campaign.folder / "loop").symlink_to("loop")


SUBJECTS = {"new": ["made", "plane", "é"], "check": ["plane.toml", "space.toml"], "run": ["plane.toml", "space.toml"], "resume": ["plane", "space"],
            "info": ["plane", "space"], "draw": ["plane", "space"], "measure": ["plane", "space"], "equilibrium": ["plane.toml", "space", "plane"],
            "statics": ["plane", "space", "plane.toml"], "elastic": ["plane", "space"], "bench": [], "solve": ["free/problem_30.hdf5"],
            "sweep": ["plane.toml"], "spectrum": ["plane.toml"], "view": ["plane"], "reproduce": []}
ALWAYS = {"view": ["--html", "page.html"], "bench": ["--grains", "100", "--steps", "2"], "run": ["--force", "--out", "made-run", "--threads", "1"],
          "resume": ["--threads", "1"], "sweep": ["--force", "--out", "made-sweep"], "solve": ["--max-time", "5"], "elastic": ["--load", "piston:lid", "--stiffness", "1e6"]}
ACCEPTED = range(0, 6)


def options_of(campaign, command):
    """Names of the options, and the words of their help."""
    help_text = campaign.moreau(command, "--help")[1]
    found = re.findall(r"^  (-[^\s,]+)(?:,(--\S+))?(.*)$", help_text, re.MULTILINE)
    kept = {}
    for short, long, words in found:
        kept[long or short.split(",")[-1]] = bool(re.match(r" (TEXT|INT|UINT|FLOAT)", words))
    for never in ("--help", "-h", "--port"):
        kept.pop(never, None)
    return kept


def attack(campaign, command, options):
    random = campaign.random
    subjects = SUBJECTS[command]
    line = [command]
    if subjects:
        line.append(random.choice(subjects) if random.random() < 0.9 else random.choice(WORDS + PLACES))
    if command == "measure":
        line += random.sample(campaign.quantities, 2)
    if command == "reproduce":
        line += ["--list"] if random.random() < 0.5 else [random.choice(WORDS)]
        return line
    line += ALWAYS.get(command, []) if random.random() < 0.9 or command in ("view", "bench") else []  # without these they would take long, or for ever
    for name in random.sample(sorted(options), min(len(options), random.choice((1, 1, 2, 3, 6)))):
        if command == "bench" and name in ("--grains", "--steps", "--threads"):
            continue
        line.append(name)
        if options[name]:
            line.append(random.choice(random.choice((NUMBERS, NUMBERS, WORDS, PLACES))))
    return line


campaign = Campaign(__doc__, count=40)
prepare(campaign)
campaign.quantities = re.findall(r"^  ([a-z][a-z-]+)  ", campaign.moreau("measure", "--list")[1], re.MULTILINE) or ["stress", "fabric"]
known = {command: options_of(campaign, command) for command in SUBJECTS}
for k in campaign.turns():
    command = list(SUBJECTS)[k % len(SUBJECTS)]
    line = attack(campaign, command, known[command])
    try:
        done = subprocess.run([MOREAU, *line], cwd=campaign.folder, capture_output=True, timeout=120, preexec_fn=limits(40, 6, 200), stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        campaign.defect(f"does not end: {line}")
        continue
    except ValueError:
        continue
    said = done.stderr.decode(errors="replace")
    campaign.counts[command] += 1
    campaign.counts["refused" if done.returncode else "done"] += 1
    if done.returncode not in ACCEPTED:
        campaign.defect(f"status {done.returncode}: {line}: {said[-300:]}")
    elif done.returncode and not said.strip() and not done.stdout.strip():
        campaign.defect(f"not a word: status {done.returncode}: {line}")
    elif LANGUAGE.search(said):
        campaign.defect(f"words of the language: {line}: {said[-300:]}")
campaign.finish()
