#!/usr/bin/env python3
"""Checkpoints, frames, problem files, tables, surveys, drawings, meshes and scenes edited at will, given to the harnesses of tests/fuzz: refused or harmless. --count
thousands of files of each kind."""
import os
import pathlib
import subprocess

from campaign import REPOSITORY, Campaign

campaign = Campaign(__doc__, count=1)
programs = pathlib.Path(os.environ.get("HARNESSES", "."))
for kind in ("checkpoint", "frame", "problem", "table", "survey", "drawing", "mesh", "scene", "course"):
    corpora = [REPOSITORY / "tests" / "fuzz" / "corpus" / ("scene" if kind == "course" else kind), *([REPOSITORY / "examples"] if kind in ("scene", "course") else [])]
    result = subprocess.run([programs / f"fuzz_{kind}", str(1000 * campaign.options.count), str(campaign.options.seed), *(corpus for corpus in corpora if corpus.exists())],
                            capture_output=True, text=True)
    campaign.counts[kind] += 1000 * campaign.options.count
    if result.returncode != 0:
        campaign.defect(f"fuzz_{kind}: status {result.returncode}: {result.stderr[-2000:]}")
campaign.finish()
