"""Drawing a run: arrows, sheets, films, curves, strips; and an apparatus run to its end."""
import html
import os
import re
import stat
import unittest

from program import ProgramTest, poured

# Discs fall through a gap between two fixed blocks and out of the simulation.
EMPTYING = """\
title = "emptying"
dimension = 2
gravity = 9.81
[time]
step = 1e-3
duration = 0.8
[output]
frames = 0.1
series = 0.01
checkpoint = {checkpoint}
[material]
density = 1000
[law]
friction = 0.3
[[motion]]
name = "turn"
kind = "rotation"
centre = [0.5, 0.9]
rate = 3
[[wall]]
box = {{ min = [0, -1], max = [1, 2], open = ["top", "bottom"] }}
[[block]]
name = "left"
vertices = [[0, 0], [0.35, 0], [0, 0.3]]
fixed = true
[[block]]
name = "right"
vertices = [[1, 0], [0.65, 0], [1, 0.3]]
fixed = true
[[block]]
name = "paddle"
size = [0.3, 0.04]
position = [0.5, 0.9]
motion = "turn"
[[grains]]
count = 50
diameter = {{ uniform = [0.05, 0.08] }}
region = {{ box = [[0.05, 0.3], [0.95, 0.8]] }}
[[sink]]
beyond = {{ point = [0, -0.4], direction = [0, -1] }}
"""


# Stones on the ground, in units with names.
UNITS = """\
dimension = 2
units = { length = "m", mass = "kg", time = "s" }
gravity = 9.81
time = { step = 1e-3, duration = 0.02 }
material = { density = 2000 }
law = { friction = 0.6 }
output = { frames = 0.01 }
brickwork = { brick = [0.5, 0.25], length = 3, courses = 6 }
wall = { plane = { normal = [0, 1] } }
"""


class Legends(ProgramTest):
    def words(self, *options):
        self.moreau("draw", "run", "-o", "a.svg", *options)
        return [html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", (self.folder / "a.svg").read_text())]

    def test_units_are_written_whole(self):
        self.write("s.toml", UNITS)
        self.moreau("run", "s.toml", "--out", "run")
        for options, unit in (((), "[kg m/s²]"), (("--colour", "pressure"), "kg/s²]"), (("--sheet", "2"), "[kg m/s²]")):
            words = self.words(*options)
            self.assertTrue(any(word.endswith(unit) for word in words), (options, words))
            self.assertFalse([word for word in words if "…" in word], (options, words))

    def test_where_no_joint_has_opened_it_is_said(self):
        self.write("s.toml", UNITS.replace("duration = 0.02", "duration = 0.01"))
        self.moreau("run", "s.toml", "--out", "run")
        for options in ((), ("--sheet", "2")):
            words = self.words("--colour", "joints", "--frame", "0") if not options else self.words("--colour", "joints", *options)
            self.assertIn("no joint", words)
            self.assertNotIn("0", words)

    def test_a_tilted_table_shows_where_gravity_points(self):
        self.write("s.toml", UNITS + "tilt = { to = 0.5, rate = 10 }\n")
        self.moreau("run", "s.toml", "--out", "run")
        self.assertIn("g  11.5°", self.words())  # 0.2 rad
        words = self.words("--sheet", "3")
        self.assertEqual([word for word in words if word.startswith("g ")], ["g  0.0°", "g  5.7°", "g  11.5°"])
        self.assertFalse([word for word in words if "…" in word], words)

    def test_a_scale_that_ends_below_the_widest_crack_says_so(self):
        """The upper of two stones is thrown off: it has slid farther than a fifth of its reach."""
        thrown = """\
dimension = 2
gravity = 9.81
time = { step = 1e-3, duration = 0.2 }
material = { density = 2000 }
law = { friction = 0.1 }
output = { frames = 0.1 }
[[wall]]
plane = { normal = [0, 1] }
[[block]]
size = [1, 0.5]
position = [0, 0.25]
[[block]]
size = [1, 0.5]
position = [0, 0.75]
velocity = [SPEED, 0]
"""
        for speed, marked in ((0.05, False), (4, True)):
            self.write("s.toml", thrown.replace("SPEED", str(speed)))
            self.moreau("run", "s.toml", "--out", "run", "--force")
            for options in ((), ("--sheet", "3")):
                self.assertEqual(any(word.startswith("≥") for word in self.words("--colour", "joints", *options)), marked, (speed, options))


class Draw(ProgramTest):
    def run_scene(self):
        self.write("s.toml", poured())
        self.moreau("run", "s.toml", "--out", "run", "--threads", "1")

    def refused(self, *arguments):
        return self.refusal("draw", "run", *arguments)

    def test_arrows_sheets_and_curves_are_pictures(self):
        self.run_scene()
        for name, arguments in {
            "displacement.png": ["--frame", "4", "--from", "2", "--colour", "arrows"],
            "velocity.svg": ["--arrows", "velocity", "--colour", "none"],
            "sheet.png": ["--sheet", "4", "--width", "900"],
            "chosen.svg": ["--frames", "0:6:2", "--arrows", "displacement"],
            "energy.svg": ["--y", "kinetic", "--y", "abs(energy_error)", "--log-y", "--x-label", "time [s]"],
            "phase.png": ["--x", "wall_work - dissipated", "--y", "kinetic + potential", "--points"],
            "strips.svg": ["--plot", "strips", "--strip", "0.2,0.05,0.2,0.3", "--strip", "0.4,0.3,0.8,0.1"],
        }.items():
            with self.subTest(name):
                self.moreau("draw", "run", "-o", name, *arguments)
                content = (self.folder / name).read_bytes()
                self.assertTrue(content.startswith(b"\x89PNG" if name.endswith("png") else b"<svg") or b"<svg" in content[:200])
                self.assertGreater(len(content), 2000)
        self.assertIn(b"time [s]", (self.folder / "energy.svg").read_bytes())
        self.assertIn(b"velocity [L/T]", (self.folder / "velocity.svg").read_bytes())

    def test_rows_of_several_names_are_a_curve_each(self):
        self.write("s.toml", poured().replace('title =', 'units = { length = "m", mass = "kg", time = "s" }\ntitle =', 1) if "title =" in poured()
                   else 'units = { length = "m", mass = "kg", time = "s" }\n' + poured())
        self.moreau("run", "s.toml", "--out", "run", "--threads", "1")
        table = "step,time,wall,torque_x\n" + "".join(f"{k},{0.1 * k},{wall},{sign * k}\n" for k in range(1, 9) for wall, sign in (("screw", 1), ("trough", -1)))
        (self.path("run") / "measures").mkdir(exist_ok=True)
        (self.path("run") / "measures" / "drive.csv").write_text(table)
        self.moreau("draw", "run", "--y", "torque_x", "--data", "measures/drive.csv", "-o", "a.svg")
        picture = self.path("a.svg").read_text()
        for words in (">screw<", ">trough<", ">torque_x [kg m²/s²]<", ">time [s]<"):
            self.assertIn(words, picture)
        self.moreau("draw", "run", "--y", "torque_x", "--data", "measures/drive.csv", "--only", "wall=screw", "--only", "time=0.3", "-o", "a.svg")
        self.assertNotIn(">screw<", self.path("a.svg").read_text())
        (self.path("run") / "measures" / "many.csv").write_text("step,time,wall,torque_x\n" + "".join(f"1,0.1,w{k},1\n" for k in range(30)))
        self.assertIn("--only COLUMN=VALUE", self.refused("--y", "torque_x", "--data", "measures/many.csv"))
        (self.path("run") / "measures" / "bodies.csv").write_text("step,time,body,mass\n1,0.1,1,2\n1,0.1,2,3\n")
        self.assertIn("several rows of step 1", self.refused("--y", "mass", "--data", "measures/bodies.csv"))
        self.moreau("draw", "run", "--y", "mass", "--data", "measures/bodies.csv", "--points", "-o", "a.svg")

    def test_runs_of_a_sweep_are_called_by_what_was_varied(self):
        self.write("s.toml", poured())
        self.moreau("sweep", "s.toml", "--set", "law.friction=0.1,0.4", "--until", "0.02", "--out", "sweep")
        self.moreau("draw", "sweep/runs/0001", "sweep/runs/0002", "--y", "kinetic", "-o", "a.svg")
        for words in (">law.friction = 0.1<", ">law.friction = 0.4<"):
            self.assertIn(words, self.path("a.svg").read_text())

    def test_mistakes_are_one_sentence(self):
        self.run_scene()
        for arguments, words in [
            (["--frame", "1", "--from", "99"], "frame 99 does not exist"),
            (["--arrows", "displacement"], "needs --from"),
            (["--frames", "1:2:0"], "--frames is '1:2:0'"),
            (["--frames", "0,77"], "--frames is '0,77'"),
            (["--y", "kinetik"], "no column 'kinetik'"),
            (["--y", "kinetic", "--data", "measures/none.csv"], "cannot be read"),
            (["--y", "kinetic", "--only", "region"], "COLUMN=VALUE"),
            (["--plot", "strips"], "needs at least one --strip"),
            (["--plot", "strips", "--strip", "1,2,3"], "--strip is '1,2,3'"),
            (["--movie", "film.avi"], "ends in .mp4"),
            (["--y", "1/0"], "no row has a value"),
            (["--y", "log(-1)"], "no row has a value"),
            (["--y", "phase"], "no row has a value"),
            (["--y", "time", "--x", "phase"], "no row has a value"),
            (["--y", "0", "--log-y"], "on a logarithmic axis above zero"),
            (["--look-at", "nan", "0"], "--look-at is 'nan 0'; accepted: finite numbers"),
        ]:
            with self.subTest(" ".join(arguments)):
                self.assertIn(words, self.refused(*arguments))

    def test_film_without_ffmpeg_is_refused_with_a_sentence(self):
        self.run_scene()
        environment = dict(os.environ, PATH=str(self.folder))
        self.assertIn("needs the program ffmpeg", self.refusal("draw", "run", "--movie", "film.mp4", env=environment))

    def test_film_hands_numbered_pictures_to_ffmpeg(self):
        self.run_scene()
        tool = self.folder / "ffmpeg"
        tool.write_text('#!/bin/sh\n[ "$1" = -version ] && exit 0\n'
                        'for word; do last=$word; case $word in *%06d.png) folder=${word%/*};; esac; done\n'
                        'ls "$folder" > "$last"\nstat -c %a "$folder" > mode\n')
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
        environment = dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}")
        self.moreau("draw", "run", "--movie", "film.mp4", "--frames", "0:6:3", "--width", "300", env=environment)
        self.assertEqual((self.folder / "film.mp4").read_text().split(), ["000000.png", "000001.png", "000002.png"])
        self.assertEqual(self.path("mode").read_text(), "700\n")
        film = "$(touch one) `touch two`; touch three.mp4"  # no shell reads it
        self.moreau("draw", "run", "--movie", film, "--frames", "0", "--width", "300", env=environment)
        self.assertEqual(self.path(film).read_text().split(), ["000000.png"])
        self.assertFalse({"one", "two", "three.mp4"} & {file.name for file in self.folder.iterdir()})


class Apparatus(ProgramTest):
    def test_a_run_with_sink_and_paddle_resumes_to_the_same_bits(self):
        self.write("s.toml", EMPTYING.format(checkpoint=30))
        whole = self.json_of("run", "s.toml", "--out", "whole", "--threads", "1", "--json")
        self.json_of("run", "s.toml", "--out", "cut", "--until", "0.43", "--threads", "2", "--json")
        resumed = self.json_of("resume", "cut", "--threads", "2", "--json")
        self.assertEqual(whole["state_hash"], resumed["state_hash"])
        self.assertGreater(whole["removed_bodies"], 10)
        self.assertEqual(whole["free_bodies"] + whole["removed_bodies"], 50)
        self.assertLess(abs(whole["energy_error"]), 1e-9 * abs(whole["removed_energy"]))
        self.moreau("draw", "whole")
        self.moreau("measure", "whole")
        header, *rows = self.series("whole")
        self.assertEqual(int(rows[-1][header.index("bodies")]), whole["bodies"])
        self.assertEqual(whole["bodies"], 53 - whole["removed_bodies"])
        self.assert_same_run("whole", "cut")


if __name__ == "__main__":
    unittest.main()
