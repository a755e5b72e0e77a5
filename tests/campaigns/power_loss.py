#!/usr/bin/env python3
"""What a loss of power could take: all that is not forced to the disk. From the system calls of a run (strace): whenever a checkpoint
gets its name, it and all frames and rows that it vouches for have been forced before, and the folder is forced after."""
import re
import shutil
import subprocess
import sys

from campaign import MOREAU, Campaign

campaign = Campaign(__doc__, count=2)
if not shutil.which("strace"):
    print("strace is not installed")
    sys.exit(77)
for kind in list(campaign.kinds)[: campaign.options.count]:
    name, until = campaign.scene(kind, checkpoint="0.01")
    subprocess.run(["strace", "-f", "-qq", "-y", "-e", "trace=rename,fsync,write,openat,unlink", "-o", "calls", MOREAU, "run", name, "--out", "run",
                    "--until", str(until), "--threads", "1"], cwd=campaign.folder, capture_output=True, timeout=600, check=True)
    dirty = set()  # files written and not forced since
    folder_forced = True
    for line in (campaign.folder / "calls").read_text().splitlines():
        if found := re.search(r"write\(\d+<([^>]*/run/[^>]*)>", line):
            dirty.add(found[1])
        elif found := re.search(r"fsync\(\d+<([^>]*)>\) = 0", line):
            dirty.discard(found[1])
            campaign.counts["syncs"] += 1
            folder_forced = folder_forced or found[1].endswith("/run")
        elif found := re.search(r'rename\("([^"]*)", "([^"]*)"\) = 0', line):
            old, new = (str(campaign.folder / path) for path in found.groups())
            if old in dirty:
                dirty.discard(old)
                dirty.add(new)
            if new.endswith("/checkpoint.h5"):
                campaign.counts["checkpoints"] += 1
                if not folder_forced:
                    campaign.defect(f"{kind}: a checkpoint follows one whose name was never forced")
                folder_forced = False
                vouched = [f for f in dirty if re.search(r"(checkpoint.h5|frame_\d+.h5|series.csv|/measures/.*)$", f)]
                if vouched:
                    campaign.defect(f"{kind}: a checkpoint was named before these were on the disk: {vouched}")
    campaign.remove("run")
campaign.finish()
