#!/usr/bin/env python3
"""Numbers of threads, instruction sets and the imitation of a graphics card, drawn at random, over all kinds of scenes and engines; also
changed in mid-run: the state hash is that of one thread on the narrowest instructions. --count runs."""
import json
import shutil

from campaign import ENGINES, Campaign

campaign = Campaign(__doc__, count=10)
kinds = [*campaign.kinds, *(ENGINES if campaign.options.engines else ())]
sets = [name for name in ("sse2", "avx2", "avx512") if campaign.moreau("--instructions", name, "bench", "--grains", 10, "--steps", 1)[0] == 0]
expected = {}


def hash_of(run):
    status, output, errors = campaign.moreau("info", run, "--json")
    return json.loads(output)["state_hash"] if status == 0 else errors


def follow(kind, ways):
    """A run of this kind whose parts are made in these ways, one after the other."""
    campaign.remove("run")
    if kind in ENGINES:
        folder, until = campaign.at_the_engine(kind)
        shutil.copytree(campaign.folder / folder, campaign.folder / "run")
        start = json.loads(campaign.moreau("info", "run", "--json")[1])["time"]
    else:
        name, until = campaign.scene(kind)
        start = 0.0
    for k, (instructions, threads, device) in enumerate(ways):
        command = ["resume", "run"] if k > 0 or kind in ENGINES else ["run", name, "--out", "run"]
        end = start + (until - start) * (k + 1) / len(ways)
        status, _, errors = campaign.moreau("--instructions", instructions, "--device", device, *command, "--until", end, "--threads", threads)
        if status != 0:
            return errors
    return hash_of("run")


def way():
    return campaign.random.choice(sets), campaign.random.choice((1, 2, 3, 4, 5, 8, 13)), campaign.random.choice(("cpu", "cpu", "imitation"))


campaign.counts["instruction_sets"] = len(sets)
for k in campaign.turns():
    kind = kinds[k % len(kinds)]
    if kind not in expected:
        expected[kind] = follow(kind, [("sse2", 1, "cpu")])
    ways = [way() for _ in range(campaign.random.choice((1, 1, 2, 3)))]
    campaign.counts["runs"] += 1
    campaign.counts["parts"] += len(ways)
    found = follow(kind, ways)
    if found != expected[kind]:
        campaign.defect(f"{kind}, {ways}: {found} instead of {expected[kind]}")
campaign.finish()
