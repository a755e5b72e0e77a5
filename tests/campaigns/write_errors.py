#!/usr/bin/env python3
"""Every call by which a run makes, reads and writes its files fails in turn, with the errors that disks give (injected with strace). The run ends
with a sentence, or is not touched by it; what it says is safe is there; resumed, it is the run that was left alone. In an order drawn at
random, no place twice: --count beyond their number is all of them."""
import itertools
import re
import subprocess

from campaign import MOREAU, Campaign, skip_without_strace

campaign = Campaign(__doc__, count=20)
skip_without_strace()
name, _ = campaign.scene("discs from sources", checkpoint="1e-9")
UNTIL = 0.002
campaign.moreau("run", name, "--out", "alone", "--until", UNTIL, "--threads", 1)
alone = campaign.trace("alone")
arguments = ["run", name, "--out", "run", "--until", UNTIL, "--threads", "1"]
CALLS = {"write": ("ENOSPC", "EIO", "EDQUOT"), "pwrite64": ("ENOSPC", "EIO"), "rename": ("EIO", "ENOSPC", "EACCES"), "fsync": ("EIO", "ENOSPC"),
         "openat": ("EIO", "EMFILE", "ENOSPC"), "close": ("EIO",), "mkdir": ("EIO", "ENOSPC", "EACCES"), "read": ("EIO",), "pread64": ("EIO",), "ftruncate": ("EIO", "EFBIG"),
         "unlink": ("EIO", "EACCES"), "getdents64": ("EIO",), "flock": ("ENOLCK", "EIO")}


def strace(*options):
    return subprocess.run(["strace", "-f", "-qq", *options, MOREAU, *map(str, arguments)], cwd=campaign.folder, capture_output=True, text=True, timeout=300)


places = {}
for call in CALLS:
    strace("-y", "-e", f"trace={call}", "-o", "calls")
    lines = (campaign.folder / "calls").read_text().splitlines()
    lines = [line for line in lines if f" {call}(" in line and line.split()[0] == lines[0].split()[0]]  # injections count in each thread
    # Of files of the run, and what is said: the loader of the program ends it by itself.
    places[call] = [k for k, line in enumerate(lines, 1) if f"<{campaign.folder}/" in line or '"run' in line or call == "write"]
    campaign.random.shuffle(places[call])
    campaign.remove("run")
order = [(call, when) for turn in itertools.zip_longest(*places.values()) for call, when in zip(CALLS, turn) if when]
campaign.counts["places"] = len(order)
for k in campaign.turns():
    if k == len(order):
        break
    call, when = order[k]
    error = campaign.random.choice(CALLS[call])
    result = strace("-e", f"inject={call}:error={error}:when={when}", "-o", "/dev/null")
    campaign.counts[call] += 1
    words = f"{call} {when} fails with {error}"
    if result.returncode not in (0, 1, 127):
        campaign.defect(f"{words}: status {result.returncode}: {result.stderr}")
    campaign.counts["ended" if result.returncode else "not touched"] += 1
    safe = re.search(r"up to step (\d+)", result.stderr)
    if not (campaign.folder / "run" / "scene.toml").exists():
        campaign.counts["nothing was begun"] += 1
        if safe:
            campaign.defect(f"{words}: {result.stderr}")
        campaign.remove("run")
        continue
    if safe:
        status, output, errors = campaign.moreau("info", "run", "--json")
        if status != 0 or f'"step": {safe[1]},' not in output:
            campaign.defect(f"{words}: says {result.stderr}, but {output}{errors}")
    status, output, errors = campaign.moreau("resume", "run", "--until", UNTIL, "--threads", 1)
    if status != 0:
        campaign.defect(f"{words}: cannot be resumed: {errors}")
    elif campaign.trace("run") != alone:
        campaign.defect(f"{words}: the resumed run differs")
    campaign.remove("run")
campaign.finish()
