"""What frames hold: constants once, reduced precision, chosen fields."""
import unittest

import h5py

from program import ProgramTest, scene


def balls(output=""):
    return scene("""
[[wall]]
plane = { normal = [0, 0, 1] }
[[grains]]
count = 60
diameter = { uniform = [0.08, 0.1] }
region = { box = [[0, 0, 0], [0.5, 0.5, 0.5]] }
""", dimension=3, gravity=9.81, duration=0.03, output="frames = 0.01\n" + output)


class Frames(ProgramTest):
    def test_constants_are_in_one_file_and_seen_through_links(self):
        self.write("s.toml", balls())
        self.moreau("run", "s.toml", "--out", "run")
        files = sorted(f.name for f in (self.path("run") / "frames").iterdir())
        self.assertEqual(files, ["constants_000000.h5"] + [f"frame_{k:06}.h5" for k in range(4)])
        with h5py.File(self.path("run") / "trajectory.h5") as trajectory:
            frame = trajectory["frame_000003"]
            self.assertEqual(frame["bodies/radius"].shape, (60,))
            self.assertEqual(frame["bodies/position"].shape, (60, 3))

    def test_reduced_frames_are_smaller_and_nearly_the_same(self):
        for name, output in (("full", ""), ("reduced", 'precision = "reduced"')):
            self.write(f"{name}.toml", balls(output))
            self.moreau("run", f"{name}.toml", "--out", name)
        full, reduced = (self.measured(run, "weight")[0] for run in ("full", "reduced"))
        self.assertAlmostEqual(full["weight"], reduced["weight"], delta=1e-8 * full["weight"])
        self.assertAlmostEqual(full["ground"], reduced["ground"], delta=1e-4 * full["weight"])
        self.assertEqual(self.state_hash("full"), self.state_hash("reduced"))
        size = {run: self.size_of_places(run) for run in ("full", "reduced")}
        self.assertLess(size["reduced"], 0.8 * size["full"])
        for run in ("full", "reduced"):
            self.moreau("draw", run, "--frame", "3", "-o", f"{run}.png")

    def size_of_places(self, run):
        with h5py.File(self.path(run) / "frames" / "frame_000003.h5") as frame:
            return frame["bodies/position"].id.get_storage_size()

    def test_chosen_fields(self):
        self.write("s.toml", balls("fields = []"))
        self.moreau("run", "s.toml", "--out", "run")
        self.assertIn("was written without 'contacts'", self.refusal("measure", "run", "stress"))
        self.moreau("measure", "run", "velocities")
        self.moreau("draw", "run", "--frame", "3", "-o", "p.png")
        self.assertNotIn("contacts.pvd", self.moreau("export", "run", "--frames", "3"))
        self.write("s.toml", balls('fields = ["spinn"]'))
        self.assertIn("accepted: any of", self.refusal("check", "s.toml"))


if __name__ == "__main__":
    unittest.main()
