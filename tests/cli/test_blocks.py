"""Scenes of blocks from the file to the picture: what is told, stored, resumed and drawn."""
import unittest

import h5py
import numpy

from program import ProgramTest

# A column of three boxes on a plane, the upper two with an overhang, and a grain beside it.
SCENE = """\
dimension = {dimension}
gravity = 9.81
[time]
step = 1e-3
duration = 0.08
[output]
frames = 0.02
series = 0.001
[material]
density = 1000
[law]
friction = 0.5
[wall]
plane = {{ normal = {up} }}
[[block]]
size = {size}
position = {first}
[[block]]
size = {size}
position = {second}
[[block]]
size = {size}
position = {third}
rounding = 0.01
[[grain]]
position = {grain}
radius = 0.1
"""


def vector(dimension, x, height):
    return str([x, height] if dimension == 2 else [x, 0.0, height])


def scene(dimension):
    at = {name: vector(dimension, x, height)
          for name, x, height in [("first", 0, 0.1), ("second", 0.06, 0.3), ("third", 0.1, 0.51), ("grain", 1, 0.1)]}
    return SCENE.format(dimension=dimension, up=vector(dimension, 0, 1), size=[0.4] * (dimension - 1) + [0.2], **at)


class Blocks(ProgramTest):
    def test_resumed_run_is_the_same(self):
        for dimension in (2, 3):
            with self.subTest(dimension):
                name, whole, run = f"s{dimension}.toml", f"whole{dimension}", f"run{dimension}"
                self.write(name, scene(dimension))
                self.moreau("run", name, "--out", whole, "--threads", "1")
                self.moreau("run", name, "--out", run, "--until", "0.033", "--threads", "2")
                self.moreau("resume", run)
                self.assert_same_run(run, whole)
                self.assertIn("blocks.pvd", self.moreau("export", run))
                self.assertTrue((self.path(run + "-paraview") / "data" / "blocks_000001.vtp").exists())

    def test_numbers_tell_blocks_from_grains(self):
        self.write("s.toml", scene(2))
        told = self.json_of("check", "s.toml", "--json")
        self.assertEqual((told["bodies"], told["blocks"], told["radii"]), (4, 3, [0.1, 0.1]))
        half_diagonal = (0.2**2 + 0.1**2) ** 0.5
        numpy.testing.assert_allclose(told["block_reaches"], [half_diagonal, half_diagonal + 0.01])
        said = self.moreau("run", "s.toml", "--out", "run")
        self.assertIn("4 free, 0 fixed or driven; 3 blocks, 1 round", said)
        self.assertIn("moreau export", said)
        self.assertEqual(self.json_of("info", "run", "--json")["blocks"], 3)
        with h5py.File(self.path("run") / "trajectory.h5") as trajectory:
            frame = trajectory["frame_000004"]
            grain = int(numpy.flatnonzero(frame["bodies/shape"][:] < 0)[0])
            self.assertEqual(frame["bodies/radius"][grain], 0.1)
            corners = frame["shapes/vertex"][: frame["shapes/first_vertex"][1]]
            numpy.testing.assert_allclose(numpy.abs(corners), [[0.2, 0.1]] * 4, atol=1e-12)

    def test_pictures_show_joints_thrust_and_forces(self):
        self.write("s.toml", scene(2))
        self.moreau("run", "s.toml", "--out", "run")
        self.moreau("draw", "run", "-o", "plain.svg", "--colour", "none")
        self.moreau("draw", "run", "-o", "thrust.svg", "--colour", "none", "--thrust", "--hinges")
        plain, thrust = self.path("plain.svg").read_text(), self.path("thrust.svg").read_text()
        self.assertEqual((plain.count("<polygon"), thrust.count("<polygon")), (3, 3))
        self.assertIn("1 grain   ·   3 blocks", plain)
        self.assertIn("normal force", plain)
        self.assertNotIn("normal force", thrust)
        self.assertIn(">thrust<", thrust)
        self.write("t.toml", scene(3))
        self.moreau("run", "t.toml", "--out", "space")
        for arguments in [[], ["--thrust", "--hinges"], ["--view", "top"], ["--slice", "0.1"]]:
            self.moreau("draw", "space", "-o", "space.png", "--width", "300", *arguments)
            self.assertTrue(self.path("space.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n"))


if __name__ == "__main__":
    unittest.main()
