#!/usr/bin/env python3
"""kill -9 at random moments, over all kinds of scenes, numbers of threads and intervals of checkpoints; resumed until it ends, a run
is byte for byte the one that was left alone."""
import signal
import time

from campaign import Campaign

campaign = Campaign(__doc__, count=10)
alone = {}
for k in range(campaign.options.count):
    kind = list(campaign.kinds)[k % len(campaign.kinds)]
    name, until = campaign.scene(kind, checkpoint=campaign.random.choice(("1e-9", "0.02", "30")))
    if kind not in alone:
        begun = time.monotonic()
        status, _, errors = campaign.moreau("run", name, "--out", "alone", "--until", until, "--threads", 1)
        if status != 0:
            campaign.defect(f"{kind}: {errors}")
            continue
        alone[kind] = (campaign.trace("alone"), time.monotonic() - begun)
        campaign.remove("alone")
    trace, seconds = alone[kind]
    threads = campaign.random.choice((1, 2))
    command = ["run", name, "--out", "run"]
    for _ in range(campaign.random.choice((1, 1, 2, 3))):
        process = campaign.start(*command, "--until", until, "--threads", threads)
        time.sleep(campaign.random.uniform(0.0, seconds))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        campaign.counts["kills" if process.returncode == -signal.SIGKILL else "too late"] += 1
        if not (campaign.folder / "run" / "scene.toml").exists():
            campaign.counts["before the run was there"] += 1
            command = ["run", name, "--out", "run"]
        else:
            command = ["resume", "run"]
    status, _, errors = campaign.moreau(*command, "--until", until, "--threads", threads)
    campaign.counts["runs"] += 1
    if status != 0 or errors:
        campaign.defect(f"{kind}: after the kills, status {status}: {errors}")
    elif campaign.trace("run") != trace:
        campaign.defect(f"{kind}: the resumed run differs")
    campaign.remove("run")
campaign.finish()
