#!/usr/bin/env python3
"""Two to eight processes want the same folder at the same moment, with and without --force, or resume the same run."""
import subprocess
import threading

from campaign import MOREAU, Campaign

REFUSALS = ("another moreau is at work in this folder", "already holds a run")
campaign = Campaign(__doc__, count=6)
name, _ = campaign.scene("discs from sources")
UNTIL = 0.002
campaign.moreau("run", name, "--out", "alone", "--until", UNTIL, "--threads", 1)
alone = campaign.trace("alone")


def together(count, arguments):
    gate = threading.Barrier(count)
    results = [None] * count

    def one(k):
        gate.wait()
        done = subprocess.run([MOREAU, *map(str, arguments)], cwd=campaign.folder, capture_output=True, text=True, timeout=300)
        results[k] = (done.returncode, done.stderr)

    threads = [threading.Thread(target=one, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


for k in campaign.turns():
    count, how = 2 + k % 7, ("new", "forced", "resumed")[k % 3]
    if how == "new":
        arguments = ["run", name, "--out", "deep/run", "--until", UNTIL, "--threads", 1]
    else:
        campaign.moreau("run", name, "--out", "deep/run", "--until", UNTIL / 2, "--threads", 1)
        arguments = ["run", name, "--out", "deep/run", "--force", "--until", UNTIL, "--threads", 1] if how == "forced" else [
            "resume", "deep/run", "--until", UNTIL, "--threads", 1]
    results = together(count, arguments)
    campaign.counts[how] += 1
    campaign.counts["processes"] += count
    winners = sum(status == 0 for status, _ in results)
    campaign.counts["refused"] += count - winners
    if winners == 0 or (how == "new" and winners > 1):
        campaign.defect(f"{how}, {count} processes: {winners} won: {results}")
    for status, said in results:
        if status != 0 and (status != 1 or said.count("\n") != 1 or not any(words in said for words in REFUSALS)):
            campaign.defect(f"{how}, {count} processes: a loser ended with {status}: {said}")
    if campaign.trace("deep/run") != alone:
        campaign.defect(f"{how}, {count} processes: the run is not the one that was left alone")
    campaign.remove("deep")
campaign.finish()
