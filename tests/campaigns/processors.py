#!/usr/bin/env python3
"""Processors that the machine does not have, emulated (qemu-user), over all kinds of scenes: the state hash is that of the machine itself. --count
runs; every processor is met once before one is met again."""
import json
import shutil
import subprocess
import sys

from campaign import MOREAU, Campaign

campaign = Campaign(__doc__, count=4)
emulator = shutil.which("qemu-x86_64") or shutil.which("qemu-x86_64-static")
if not emulator:
    print("qemu-user is not installed")
    sys.exit(77)
SHORT = 0.1  # of the time for which other campaigns follow the scenes: an emulated processor is twenty times slower


def hash_of_run(*before, scene, until):
    line = [*before, MOREAU, "run", scene, "--out", "run", "--force", "--until", str(until), "--threads", "1", "--json"]
    result = subprocess.run(line, cwd=campaign.folder, capture_output=True, text=True, timeout=600)
    try:
        return json.loads(result.stdout)["state_hash"]
    except (json.JSONDecodeError, KeyError):
        return f"status {result.returncode}: {result.stderr[-300:]}"


def starts(processor):
    """Some names are of processors that this emulator, or the 64 bits of the program, are too much for."""
    return subprocess.run([emulator, "-cpu", processor, MOREAU, "--version"], capture_output=True).returncode == 0


names = [line.split()[1] for line in subprocess.run([emulator, "-cpu", "help"], capture_output=True, text=True).stdout.splitlines() if line.startswith("x86 ")]
# Versions of one model differ in what no program computes with.
processors = [name for name in names if name not in ("base", "host") and "-v" not in name and "-noTSX" not in name and not name.endswith(("-IBRS", "-IBPB"))]
campaign.random.shuffle(processors)
if campaign.options.count >= len(processors):  # 32-bit ones are told apart by trying
    processors = [name for name in processors if starts(name)]
else:
    processors = [name for name in ("Nehalem", "Haswell", "Opteron_G3", "qemu64") if name in processors]
campaign.counts["processors"] = len(processors)
expected = {}
for k in campaign.turns():
    kind = list(campaign.kinds)[k % len(campaign.kinds)]
    scene, until = campaign.scene(kind)
    until *= SHORT
    if kind not in expected:
        expected[kind] = hash_of_run(scene=scene, until=until)
    processor = processors[k % len(processors)]
    campaign.counts["runs"] += 1
    found = hash_of_run(emulator, "-cpu", processor, scene=scene, until=until)
    if found != expected[kind] or " " in found:
        campaign.defect(f"{kind} on {processor}: {found} instead of {expected[kind]}")
campaign.finish()
