"""Commands on a run that goes on: its checkpoint is older than its frames, and they say of which instant they speak."""
import signal

from program import ProgramTest, poured


class UnderWay(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("s.toml", poured(100, checkpoint=3600))
        process = self.start_until(120, "run", "s.toml", "--out", "run")  # frames up to t = 0.1 at least, the checkpoint of step 0
        self.addCleanup(process.wait, 60)
        self.addCleanup(process.send_signal, signal.SIGINT)

    def test_the_instant_is_named(self):
        words = r"at step 0 \(t = 0\), the last checkpoint; its frames have come to step \d{3,} \(t = [\d.]+\): the run goes on, or was killed"
        self.assertRegex(self.refusal("statics", "run"), "run: no contact carries a force " + words)
        self.assertRegex(self.refusal("elastic", "run", "--load", "gravity", "--stiffness", "1e6"), words)
        self.assertRegex(self.moreau("equilibrium", "run", status=3), "run " + words)
        found = self.json_of("equilibrium", "run", "--json", status=3)
        self.assertEqual((found["step"], found["time"]), (0, 0))
        self.assertGreaterEqual(found["newest_frame"]["step"], 50)
        self.write("t.toml", poured(0.02))
        self.assertRegex(self.moreau("run", "t.toml", "--from", "run", "--out", "next"), "begins where run was " + words)
        self.assertRegex((self.path("next") / "log.txt").read_text(), "begins where run was " + words)
        self.assertNotIn("begins", self.moreau("run", "t.toml", "--from", "run", "--out", "third", "--json"))

    def test_a_run_that_has_ended_is_named_without_doubt(self):
        self.write("t.toml", poured(0.3))
        self.moreau("run", "t.toml", "--out", "done")
        self.assertIn("  done at step 300 (t = 0.3)\n", self.moreau("statics", "done"))
        found = self.json_of("statics", "done", "--json")
        self.assertEqual((found["step"], "newest_frame" in found), (300, False))
