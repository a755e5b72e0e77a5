"""Measures of processes, against the accounts that a run keeps by itself; grains that come through a mesh."""
import math
import unittest

import h5py

from program import REPOSITORY, ProgramTest, scene

BELT = scene("""
[[motion]]
name = "belt"
kind = "velocity"
velocity = [1, 0]
[[wall]]
name = "conveyor"
plane = { normal = [0, 1] }
surface = "belt"
[[grain]]
position = [0, 0.05]
radius = 0.05
[[grain]]
position = [0.3, 0.05]
radius = 0.05
[[sink]]
name = "end"
beyond = { point = [0.32, 0], direction = [1, 0] }
[[measure]]
quantity = "wall-drive"
every = 1e-3
[[measure]]
quantity = "exits"
every = 1e-3
[[measure]]
quantity = "flow"
plane = { point = [0.01, 0], normal = [1, 0] }
every = 0.1
""", gravity=9.81, duration=0.2)


class Belt(ProgramTest):
    def test_power_of_a_belt_is_the_work_in_the_ledger(self):
        self.write("s.toml", BELT)
        self.moreau("run", "s.toml", "--out", "run")
        work = float(self.table("run", "series")[-1]["wall_work"])
        power = sum(float(row["power"]) for row in self.table("run", "measures/wall-drive")) * 1e-3
        self.assertGreater(work, 0.1)
        self.assertLess(abs(power - work), 1e-9 * work)

    def test_where_nothing_has_left_there_is_a_table_without_rows(self):
        self.write("s.toml", BELT)
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.02")
        self.assertEqual((self.path("run") / "measures" / "exits.csv").read_text(), "step,time,phase,body,sink,material,mass,born,left_after,left_before,residence\n")
        self.moreau("resume", "run")
        self.assertEqual(len(self.table("run", "measures/exits")), 1)

    def test_what_leaves_through_a_sink_is_listed_once_and_counted(self):
        self.write("s.toml", BELT)
        self.moreau("run", "s.toml", "--out", "run")
        exits = self.table("run", "measures/exits")
        self.assertEqual([(row["body"], row["sink"]) for row in exits], [("1", "end")])
        self.assertEqual(exits[0]["material"], "grain")  # as a material without a name is called
        # It slides, with the acceleration mu g, until its lowest point has the speed of the belt (a disc: after 1 / (3 mu g)), then rolls at 1/3.
        sliding = 1 / (3 * 0.5 * 9.81)
        expected = sliding + 3 * (0.02 - 0.5 * 0.5 * 9.81 * sliding**2)
        self.assertLess(abs(float(exits[0]["residence"]) - expected), 2e-3)
        mass = 1000 * math.pi * 0.05**2
        for time, count in ((0.1, 1), (0.2, 0)):  # of the interval before each sample: afterwards nothing flows
            flow = [row for row in self.table("run", "measures/flow") if abs(float(row["time"]) - time) < 1e-9]
            found = {row["through"]: (int(row["forward"]), int(row["backward"])) for row in flow}
            self.assertEqual(found, {"plane": (count, 0), "end": (count, 0)})
            self.assertLess(abs(float(flow[0]["mass_rate"]) - count * mass / 0.1), 1e-6 * mass)

    def test_residence_times_of_a_fall_by_samples_and_from_frame_to_frame(self):
        """Ten discs fall one metre, one after the other; each is listed once, with the time of its fall."""
        self.write("s.toml", scene("""
[source]
rate = 20
count = 10
diameter = 0.01
centre = [0, 1]
[sink]
beyond = { point = [0, 0], direction = [0, -1] }
[[measure]]
quantity = "exits"
every = 0.05
""", gravity=9.81, duration=1, output="frames = 0.1"))
        self.moreau("run", "s.toml", "--out", "run")
        fall = math.sqrt(2 / 9.81)
        for rows, every in ((self.table("run", "measures/exits"), 0.05), (self.measured("run", "exits"), 0.1)):
            self.assertEqual(sorted(int(row["body"]) for row in rows), list(range(10)))
            for row in rows:
                self.assertLess(abs(float(row["residence"]) - fall), 0.5 * every + 2e-3, row)


class Mixer(ProgramTest):
    def test_torque_and_mixing_of_the_example(self):
        """Torque x rate is the power, its integral the work of the walls; species that were apart begin to mix, and are told by their names."""
        self.moreau("run", REPOSITORY / "examples" / "meshes" / "mesh-mixer.toml", "--out", "run", "--until", "0.3")
        paddle = [row for row in self.table("run", "measures/wall-drive") if row["wall"] == "paddle"]
        work = float(self.table("run", "series")[-1]["wall_work"])
        self.assertGreater(abs(work), 1e-3)  # at first what falls on the paddle drives it
        self.assertAlmostEqual(sum(float(row["power"]) for row in paddle) * 5e-4, work, delta=1e-9 * abs(work))
        self.assertAlmostEqual(-4 * sum(float(row["torque_y"]) for row in paddle) * 5e-4, work, delta=1e-9 * abs(work))
        mixing = self.table("run", "measures/mixing")
        self.assertEqual({row["species"] for row in mixing}, {"dark", "light"})
        lacey = [float(row["lacey"]) for row in mixing if row["species"] == "light"]
        self.assertTrue(0 <= lacey[0] < lacey[-1] < 0.5, lacey)
        wear = self.measured("run", "wear")
        self.assertEqual(len(wear), 12)
        self.assertGreater(sum(row["work"] for row in wear), 0)


class Inlet(ProgramTest):
    def test_grains_come_through_the_faces_of_a_mesh(self):
        self.write("inlet.csv", "0,1\n1,1\n")
        self.write("s.toml", scene("""
[[wall]]
plane = { normal = [0, 1] }
[[source]]
rate = 1000
diameter = 0.002
inlet = { mesh = "inlet.csv", position = [3, 0] }
""", seed=2, duration=0.4))
        self.moreau("run", "s.toml", "--out", "run")
        with h5py.File(self.path("run") / "trajectory.h5") as trajectory:
            x = trajectory["frame_000001/bodies/origin"][:, 0]
        self.assertEqual(len(x), 400)
        self.assertTrue(3 <= x.min() < 3.05 and 3.95 < x.max() <= 4)
        self.assertAlmostEqual(x.mean(), 3.5, delta=4 / math.sqrt(12 * 400))
        self.write("s.toml", (self.path("s.toml").read_text()).replace("[[source]]", "[[source]]\nspread = 1"))
        self.assertIn("one of the two ways", self.refusal("check", "s.toml"))


if __name__ == "__main__":
    unittest.main()
