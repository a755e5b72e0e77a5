#!/usr/bin/env python3
"""kill -9 at random moments, over all kinds of scenes, numbers of threads and intervals of checkpoints; resumed until it ends, a run
is byte for byte the one that was left alone. With --engines also in the phases of the other engines, and with the sweeps of a graphics
card imitated on the processor."""
import shutil
import signal
import time

from campaign import ENGINES, Campaign

campaign = Campaign(__doc__, count=10)
kinds = [*campaign.kinds, *((*ENGINES, "imitation of a card") if campaign.options.engines else ())]
alone = {}
for k in campaign.turns():
    kind = kinds[k % len(kinds)]
    before = ["--device", "imitation"] if kind == "imitation of a card" else []
    if kind in ENGINES:
        folder, until = campaign.at_the_engine(kind)
        begin, interval = ["resume", "run"], None
    else:
        folder = None
        interval = campaign.random.choice(("1e-9", "0.02", "30"))
        name, until = campaign.scene("balls and sources" if before else kind, checkpoint=interval)
        begin = [*before, "run", name, "--out", "run"]

    def place(run):
        if folder:
            shutil.copytree(campaign.folder / folder, campaign.folder / run)

    if (kind, interval) not in alone:  # the interval is part of the scene, which frames bear the digest of
        place("alone")
        begun = time.monotonic()
        command = ["resume", "alone"] if folder else ["run", name, "--out", "alone"]
        status, _, errors = campaign.moreau(*command, "--until", until, "--threads", 1)
        if status != 0:
            campaign.defect(f"{kind}: {errors}")
            campaign.remove("alone")
            continue
        alone[kind, interval] = (campaign.trace("alone"), time.monotonic() - begun)
        campaign.remove("alone")
    trace, seconds = alone[kind, interval]
    threads = campaign.random.choice((1, 2))
    place("run")
    command = begin
    for _ in range(campaign.random.choice((1, 2, 3, 6))):
        process = campaign.start(*command, "--until", until, "--threads", threads)
        time.sleep(campaign.random.uniform(0.0, campaign.random.choice((0.2, 0.5, 1.0)) * seconds))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        campaign.counts["kills" if process.returncode == -signal.SIGKILL else "too late"] += 1
        if not (campaign.folder / "run" / "scene.toml").exists():
            campaign.counts["before the run was there"] += 1
            command = begin
        else:
            command = [*before, "resume", "run"]
    status, _, errors = campaign.moreau(*command, "--until", until, "--threads", threads)
    campaign.counts["runs"] += 1
    if status != 0 or errors:
        campaign.defect(f"{kind}: after the kills, status {status}: {errors}")
    elif words := campaign.difference("run", trace):
        campaign.defect(f"{kind}: the resumed run differs in {words}")
    campaign.remove("run")
campaign.finish()
