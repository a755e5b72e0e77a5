"""Every scene of examples/ is valid and runs."""
import unittest

from program import REPOSITORY, ProgramTest


class Examples(ProgramTest):
    def test_checked_run_and_drawn(self):
        scenes = sorted((REPOSITORY / "examples").glob("**/*.toml"))
        self.assertGreaterEqual(len(scenes), 5)
        for scene in scenes:
            with self.subTest(scene.name):
                described = self.json_of("check", scene, "--json")
                self.assertTrue(described["valid"])
                until = 12 * described["time_step"]
                summary = self.json_of("run", scene, "--until", until, "--out", scene.stem, "--json")
                self.assertEqual(summary["step"], 12)
                self.assertEqual(summary["run"]["unconverged_steps"], 0)
                self.moreau("draw", scene.stem, "--width", "300")


if __name__ == "__main__":
    unittest.main()
