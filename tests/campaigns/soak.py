#!/usr/bin/env python3
"""One long run: memory, open files, the ledger of energy and the speed stay what they are. --count thousands of steps."""
import os
import time

from campaign import Campaign

SCENE = """\
dimension = 2
seed = 1
gravity = 9.81
[time]
step = 1e-3
duration = {duration}
[output]
frames = 0.5
series = 0.01
checkpoint = 1
[material]
density = 1000
[law]
friction = 0.4
[[motion]]
name = "shake"
kind = "sinusoid"
amplitude = 0.02
direction = [0, 1]
frequency = 5
[[wall]]
box = {{ min = [0, 0], max = [1, 3], open = ["top"] }}
motion = "shake"
[[grains]]
count = 60
diameter = {{ uniform = [0.06, 0.09] }}
region = {{ box = [[0, 0.05], [1, 2]] }}
"""

campaign = Campaign(__doc__, count=5)
(campaign.folder / "s.toml").write_text(SCENE.format(duration=campaign.options.count))
process = campaign.start("run", "s.toml", "--out", "run", "--threads", 1)
memory, files = [], []
while process.poll() is None:
    time.sleep(0.2)
    if campaign.told_to_end:
        process.terminate()  # ends after the present step
    try:
        with open(f"/proc/{process.pid}/statm") as statm:
            memory.append(int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE"))
        files.append(len(os.listdir(f"/proc/{process.pid}/fd")))
    except (FileNotFoundError, ProcessLookupError, IndexError):
        break
output, errors = process.communicate()
if process.returncode not in (0, 130):
    campaign.defect(errors)
else:
    rows = campaign.series("run")
    column = {name: k for k, name in enumerate(rows[0])}
    scale = max(abs(float(row[column["wall_work"]])) + abs(float(row[column["dissipated"]])) + abs(float(row[column["potential"]])) for row in rows[1:])
    drift = max(abs(float(row[column["energy_error"]])) for row in rows[1:]) / scale
    campaign.counts["steps"] = int(rows[-1][0])
    campaign.counts["ledger_drift"] = drift
    if drift > 1e-9:
        campaign.defect(f"the ledger of energy has drifted by {drift:.1e} of what passed through it")
    quarter = len(memory) // 4
    if quarter > 4:
        campaign.counts["kilobytes_early"], campaign.counts["kilobytes_late"] = max(memory[quarter: 2 * quarter]) // 1024, max(memory[-quarter:]) // 1024
        campaign.counts["open_files"] = max(files[-quarter:])
        # The list of frames grows by a few dozen bytes for each.
        if max(memory[-quarter:]) > 1.05 * max(memory[quarter: 2 * quarter]) + (4 << 20):
            campaign.defect(f"memory has grown from {max(memory[quarter: 2 * quarter])} to {max(memory[-quarter:])} bytes")
        if max(files[-quarter:]) > max(files[quarter: 2 * quarter]) + 1:
            campaign.defect("open files have grown in number")
campaign.finish()
