"""Drawings and tables as walls and stones."""
import unittest

import h5py

from program import ProgramTest, scene


class Drawings(ProgramTest):
    @staticmethod
    def ball_over(file):
        return scene(f"""
[[wall]]
mesh = "{file}"
[[grain]]
radius = 0.1
position = [0.5, 0.3]
""", duration=1.0)

    def test_svg_path_is_a_wall(self):
        self.write("floor.svg", '<svg xmlns="http://www.w3.org/2000/svg"><!-- <path d="M 0 -9 h 1"/> -->'
                                '<path style="fill:none" d="m 0,-1 v 1 h 1 V -1"/></svg>')
        self.write("s.toml", self.ball_over("floor.svg"))
        self.moreau("run", "s.toml", "--out", "run")
        self.path("floor.svg").unlink()
        with h5py.File(self.path("run") / "trajectory.h5") as trajectory:
            y = trajectory["frame_000001/bodies/position"][0, 1]
        self.assertAlmostEqual(y, 0.1, delta=1e-4)
        self.moreau("resume", "run", "--until", "1.1")

    def test_wrong_drawings_are_refused(self):
        for text, sentence in (("", "has no path"), ('<path d="L 1 1"/>', "does not begin with M"), ('<path d="M 0 0 L 1"/>', "a number is expected"),
                               ('<g transform="scale(2)"><path d="M0 0H1"/></g>', "transform"), ('<path d="M 0 0 X 3"/>', "command 'X'"),
                               ('<path d="M 0 0', "ends within an attribute"), ('<path d="M 0 0 H 1e99"/>', "a number is expected")):
            with self.subTest(text):
                self.write("bad.svg", text)
                self.write("s.toml", self.ball_over("bad.svg"))
                self.assertIn(sentence, self.refusal("check", "s.toml"))

    def test_vertices_from_a_table(self):
        self.write("stone.csv", "x,y\n0,0\n1,0\n1,2\n0,2\n")
        for name, value in (("file", '"stone.csv"'), ("array", "[[0, 0], [1, 0], [1, 2], [0, 2]]")):
            self.write(f"{name}.toml", scene(f"[block]\nvertices = {value}\n", duration=2e-3))
            self.moreau("run", f"{name}.toml", "--out", name)
        self.path("stone.csv").unlink()
        self.assertEqual(self.state_hash("file"), self.state_hash("array"))
        self.write("stone.csv", "0,0\n1,zero\n")
        self.assertIn("stone.csv", self.refusal("check", "file.toml"))


if __name__ == "__main__":
    unittest.main()
