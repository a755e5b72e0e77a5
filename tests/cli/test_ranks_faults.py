"""Ranks that are lost, hang, have no room to write, or cannot share a scene: sentences, and nothing lost."""
import os
import pathlib
import re
import signal
import time
import unittest

from program import MOREAU
from ranks import MPIRUN, RanksTest, tray


class LostRanks(RanksTest):
    def ranks_of(self, launcher):
        """Process ids of the ranks, rank 0 first."""
        found = {}
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                parent = int(re.search(r"^PPid:\s*(\d+)", (folder / "status").read_text(), re.M).group(1))
                rank = re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", (folder / "environ").read_bytes())
            except (OSError, AttributeError):
                continue
            if parent == launcher and rank:
                found[int(rank.group(1))] = int(folder.name)
        return [found[r] for r in sorted(found)]

    def begin(self, environment=None):
        self.write("scene.toml", tray(2, 200, 20, checkpoint=0.1))
        process = self.start_ranks(3, "run", "scene.toml", "--out", "run", "--threads", "1", environment=environment)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (self.path("run") / "checkpoint.h5").exists():
            time.sleep(0.1)
        time.sleep(1.0)
        ranks = self.ranks_of(process.pid)
        self.assertEqual(len(ranks), 3)
        return process, ranks

    def test_a_killed_rank_ends_the_run_with_a_sentence_and_a_checkpoint(self):
        process, ranks = self.begin()
        os.kill(ranks[1], signal.SIGKILL)
        output, errors = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("moreau resume", errors)
        reached = self.json_of("info", "run", "--json")["step"]
        self.assertGreater(reached, 0)
        series = [int(row["step"]) for row in self.table("run", "series")]
        self.assertGreaterEqual(reached, 0.5 * series[-1])  # checkpoints are a tenth of a second apart
        until = f"{1e-3 * reached + 0.02:.6f}"
        self.mpirun(2, "resume", "run", "--threads", "1", "--until", until)
        self.moreau("run", "scene.toml", "--out", "alone", "--threads", "1", "--until", until)
        self.assertEqual(self.state_hash("run"), self.state_hash("alone"))

    def test_a_rank_that_hangs_is_noticed(self):
        process, ranks = self.begin({"MOREAU_LONGEST_SILENCE": "2"})
        os.kill(ranks[2], signal.SIGSTOP)
        try:
            output, errors = process.communicate(timeout=60)
        finally:
            try:
                os.kill(ranks[2], signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("silent", errors)


class FullDisks(RanksTest):
    """A limit on the size of files stands for a full disk, as in test_resume.py. Ranks talk by sockets, which need no files."""

    def on_limited(self, limits, *arguments):
        """A rank for each limit, in blocks of 512 bytes; None: none."""
        command = ["mpirun", *[word if word != "self,vader" else "self,tcp" for word in MPIRUN[1:]]]
        for k, limit in enumerate(limits):
            shell = f"{'' if limit is None else f'ulimit -f {limit}; '}exec {MOREAU} {' '.join(map(str, arguments))}"
            command += [*([":"] if k > 0 else []), "-n", "1", "sh", "-c", shell]
        process = self.start_command(command)
        output, errors = process.communicate(timeout=300)
        return process.returncode, errors

    def test_of_rank_0_end_the_run_with_a_sentence_and_what_was_computed_is_safe(self):
        self.write("scene.toml", tray(2, 100, 0.12, checkpoint=0.02))
        self.moreau("run", "scene.toml", "--out", "alone", "--threads", "1")
        largest = max(f.stat().st_size for f in self.path("alone").rglob("*"))
        status, errors = self.on_limited([int(0.8 * largest / 512), None], "run", "scene.toml", "--out", "run", "--threads", "1")
        self.assertNotEqual(status, 0)
        self.assertRegex(errors, r"moreau: run/\S+: cannot be written: File too large; .*moreau resume run\n")
        self.mpirun(3, "resume", "run", "--threads", "1")
        self.assert_same_run("alone", "run")

    def test_of_another_rank_do_not_matter(self):
        self.write("scene.toml", tray(2, 60, 0.06))
        self.moreau("run", "scene.toml", "--out", "alone", "--threads", "1")
        status, errors = self.on_limited([None, 0], "run", "scene.toml", "--out", "run", "--threads", "1")
        self.assertEqual(status, 0, errors)
        self.assert_same_run("alone", "run")


class Refusals(RanksTest):
    def refused(self, text, words):
        self.write("scene.toml", text)
        _, errors = self.mpirun(2, "run", "scene.toml", "--out", "run", status=1)
        sentences = [line for line in errors.splitlines() if line.startswith("moreau: ")]
        self.assertEqual(len(sentences), 1, errors)
        self.assertIn(words, sentences[0])
        self.assertFalse(self.path("run").exists())

    def test_scenes_that_cannot_be_shared_yet(self):
        self.refused(tray(2, 20, 0.1).replace("[law]", '[contact]\nshocks = "sequential"\n[law]'), "shocks")

    def test_engines_that_cannot_be_shared_yet(self):
        self.refused(tray(2, 20, 0.1).replace("seed = 4", 'seed = 4\nengine = "soft"').replace("friction = 0.4", "friction = 0.4\nstiffness = 100"), "rigid")

    def test_mistakes_are_told_once(self):
        self.refused(tray(2, 20, 0.1).replace("friction = 0.4", "friction = -1"), "friction")


if __name__ == "__main__":
    unittest.main()
