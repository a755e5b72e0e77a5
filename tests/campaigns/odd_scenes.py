#!/usr/bin/env python3
"""The examples with one or several of their values set to odd ones, and with every engine, for a few steps: each is refused in a
sentence, or runs to its end, or ends with a sentence and a checkpoint. --count scenes; the first are every example with every engine."""
import re
import subprocess
import tomllib

from campaign import LANGUAGE, MOREAU, REPOSITORY, Campaign, limits

ENGINES = ("rigid", "soft", "lubricated", "quasi-static", "elastic")
NUMBERS = ["0", "-1", "1", "-0.0", "1e-30", "1e-12", "1e12", "1e29", "1e30", "-1e30", "0.5", "1e-6", "1000000", "3", "1e31", "nan", "inf", "9223372036854775807"]
WORDS = ['""', '"x"', "true", "false", "[]", "[0, 0]", "[0, 0, 0]", "[1e30, -1e30]", "[1e-30, 0, 1e30]", "{}", "{ uniform = [1e-30, 1e30] }", "[[0, 0], [1e-30, 1e30]]",
         "{ times = [0, 1e-30], values = [1e30, -1e30] }", '"é\\n"', "[[]]", "1979-05-27"]
MORE = {"soft": ["law.stiffness=1e6"], "elastic": ["law.stiffness=1e6"]}
SECONDS = 25


def keys_of(table, path=""):
    for name, value in table.items():
        here = f"{path}.{name}" if path else name
        if isinstance(value, dict):
            yield from keys_of(value, here)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for k, entry in enumerate(value):
                yield from keys_of(entry, f"{here}[{k + 1}]")
        else:
            yield here
    yield from ([path] if path else [])


def judge(campaign, scene, sets):
    line = ["run", str(scene), "--out", "run", "--force", "--threads", "1", "--json"]
    for pair in sets:
        line += ["--set", pair]
    words = " ".join([scene.name, *sets])
    process = subprocess.Popen([MOREAU, *line], cwd=campaign.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limits(SECONDS, 8, 400))
    try:
        output, errors = process.communicate(timeout=6)
    except subprocess.TimeoutExpired:  # a long run is stopped as a user would stop it
        process.terminate()
        try:
            output, errors = process.communicate(timeout=600)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return campaign.defect(f"cannot be stopped: {words}")
    output, errors = output.decode(errors="replace"), errors.decode(errors="replace")
    status, series = process.returncode, campaign.folder / "run" / "series.csv"
    ended = {0: "ran", 130: "stopped", -15: "stopped"}.get(status, "refused or ended with a sentence")
    campaign.counts[ended] += 1
    if status not in (0, 1, 3, 4, 5, 6, 7, 130, -15):  # -15: while the scene was being read
        campaign.defect(f"status {status}: {words}: {errors[-300:]}")
    elif status > 0 and not (errors + output).strip():
        campaign.defect(f"not a word: status {status}: {words}")
    elif LANGUAGE.search(errors):
        campaign.defect(f"words of the language: {words}: {errors[-300:]}")
    elif status == 0 and series.exists() and re.search(r"\b(nan|inf)\b", series.read_text()):  # no step, no series
        campaign.defect(f"not a number in the series: {words}")
    if (campaign.folder / "run" / "checkpoint.h5").exists():
        done, output, errors = campaign.moreau("info", "run", "--json")
        if done != 0:
            campaign.defect(f"info: {errors}: {words}")


campaign = Campaign(__doc__, count=20)
examples = sorted([*(REPOSITORY / "examples").glob("*.toml"), *(REPOSITORY / "examples" / "meshes").glob("*.toml")])
tables = {scene: tomllib.loads(scene.read_text()) for scene in examples}


def short(scene, steps):
    """As many steps, whatever the phases."""
    step = float(tables[scene]["time"]["step"])
    return [f"phase[{k + 1}].duration={steps * step:g}" for k, _ in enumerate(tables[scene].get("phase", []))] or [f"time.duration={steps * step:g}"]


pairs = [(scene, engine) for scene in examples for engine in ENGINES]
if campaign.options.count < len(pairs):  # a short form sees some of them
    pairs = campaign.random.sample(pairs, campaign.options.count // 2)
for scene, engine in pairs:
    if campaign.told_to_end:
        break
    campaign.counts["engines"] += 1
    judge(campaign, scene, [*short(scene, 5), f'engine="{engine}"', *MORE.get(engine, [])])
for k in campaign.turns():
    if k < len(pairs):
        continue
    scene = campaign.random.choice(examples)
    keys = list(keys_of(tables[scene]))
    sets = [f"{key}={campaign.random.choice(campaign.random.choice((NUMBERS, NUMBERS, NUMBERS, WORDS)))}"
            for key in campaign.random.sample(keys, campaign.random.choice((1, 1, 1, 2, 3)))]
    campaign.counts["odd"] += 1
    judge(campaign, scene, [*(short(scene, 5) if campaign.random.random() < 0.8 else []), *sets])
campaign.finish()
