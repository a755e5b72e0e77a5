"""Several processes that want the same folder at once: one gets it, the others say so, and no run is lost."""
import os
import shutil
import subprocess
import threading
import unittest

from program import BALLS, MOREAU, SANITIZED, ProgramTest

REFUSALS = ("another moreau is at work", "already holds a run")
SHORT = BALLS.replace("duration = 0.1", "duration = 0.02")


class RaceTest(ProgramTest):
    environment = None

    def setUp(self):
        super().setUp()
        self.write("s.toml", SHORT)
        self.write("old.toml", SHORT.replace('title = "balls"', 'title = "old"'))
        self.moreau("run", "s.toml", "--out", "alone", "--threads", 1)
        self.hash = self.state_hash("alone")

    def together(self, count, *arguments):
        """Starts so many at the same moment; their statuses and what they said on standard error."""
        gate = threading.Barrier(count)
        results = [None] * count

        def one(k):
            gate.wait()
            process = subprocess.run([MOREAU, *map(str, arguments)], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=120)
            results[k] = (process.returncode, process.stderr)

        threads = [threading.Thread(target=one, args=(k,)) for k in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return results

    def check(self, results, run):
        for status, said in results:
            if status != 0:
                self.assertEqual(status, 1, said)
                self.assertTrue(said.startswith(f"moreau: {run}: ") and said.count("\n") == 1, said)
                self.assertTrue(any(sentence in said for sentence in REFUSALS), said)
        self.assertEqual(self.state_hash(run), self.hash)
        self.assertIn("is finished", self.moreau("resume", run))
        self.assert_same_run(run, "alone")
        self.assertEqual(sorted(f.name for f in self.path(run).iterdir()), sorted(f.name for f in self.path("alone").iterdir()))

    def test_one_wins(self):
        for k, count in enumerate((2, 2, 3, 4, 6, 8)):
            with self.subTest(f"{count} processes"):
                results = self.together(count, "run", "s.toml", "--out", f"deep/er/run{k}", "--threads", 1)
                self.assertEqual(sum(status == 0 for status, _ in results), 1, results)
                self.check(results, f"deep/er/run{k}")

    def test_forced_one_at_a_time(self):
        """By force a run that has just ended may be replaced in turn, but never one at work, and one is always there."""
        for k, count in enumerate((2, 2, 3, 4, 6, 8)):
            with self.subTest(f"{count} processes"):
                self.moreau("run", "old.toml", "--out", f"run{k}", "--threads", 1)
                results = self.together(count, "run", "s.toml", "--out", f"run{k}", "--force", "--threads", 1)
                self.assertGreaterEqual(sum(status == 0 for status, _ in results), 1, results)
                self.check(results, f"run{k}")

    def test_resumed_by_one(self):
        for k, count in enumerate((2, 4, 8)):
            with self.subTest(f"{count} processes"):
                self.moreau("run", "s.toml", "--out", f"run{k}", "--until", "0.01", "--threads", 1)
                results = self.together(count, "resume", f"run{k}", "--threads", 1)
                self.assertGreaterEqual(sum(status == 0 for status, _ in results), 1, results)
                self.check(results, f"run{k}")


class Race(RaceTest):
    """The short form of tests/campaigns/race.py, which runs hundreds of these."""

    def test_sweeps(self):
        """Also by force, which would remove the runs of one at work."""
        for k, how in enumerate(([], ["--force"])):
            arguments = ["sweep", "s.toml", "--set", "law.friction=0.3,0.4", "--out", f"many{k}"]
            self.moreau(*arguments) if how else None
            results = self.together(4, *arguments, *how)
            self.assertGreaterEqual(sum(status == 0 for status, _ in results), 1, results)
            for status, said in results:
                if status != 0:
                    self.assertEqual((status, said), (1, f"moreau: many{k}: another moreau is at work in this folder; wait for it, or end it first\n"))
            self.assertEqual(self.path(f"many{k}/table.csv").read_text().count(",finished,"), 2)
            self.assertEqual(self.state_hash(f"many{k}/runs/0001"), self.hash)

    def test_forced_run_that_cannot_begin_leaves_the_old_one(self):
        """Not even its first frame fits: the run that was to be replaced is there as before."""
        self.moreau("run", "old.toml", "--out", "run", "--threads", 1)
        before = {name: content for name, (content, _) in self.everything("run").items()}
        self.write("s.toml", BALLS.replace("count = 20", "count = 3000").replace("0.3, -0.3, 0", "3, -3, 0").replace("0.3, 0.3, 0.5", "3, 3, 0.5"))
        said = self.refusal("run", "s.toml", "--out", "run", "--force", preexec_fn=lambda: limit_files(20_000))
        self.assertIn("the run that was there is kept", said)
        self.assertEqual({name: content for name, (content, _) in self.everything("run").items()}, before)


NETWORK = """\
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>
int flock(int descriptor, int operation) {
  struct stat what;
  fstat(descriptor, &what);
  if (S_ISDIR(what.st_mode)) { errno = EBADF; return -1; }
  return ((int (*)(int, int))dlsym(RTLD_NEXT, "flock"))(descriptor, operation);
}
"""


@unittest.skipIf(SANITIZED or not shutil.which("cc"), "there is no C compiler, or a sanitizer wants to be loaded first")
class Network(RaceTest):
    """The same where folders cannot be locked, as on NFS. The files that are locked instead are gone in the end."""

    def setUp(self):
        super().setUp()
        self.write("network.c", NETWORK)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", "network.so", "network.c", "-ldl"], cwd=self.folder, check=True)
        self.environment = {**os.environ, "LD_PRELOAD": str(self.path("network.so"))}

    def check(self, results, run):
        super().check(results, run)
        self.assertEqual([str(f) for f in self.folder.rglob("*.lock")], [])


def limit_files(size):
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


if __name__ == "__main__":
    unittest.main()
