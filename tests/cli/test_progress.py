"""How a run tells how far it has come: plain lines into a file, one line that renews itself on a terminal."""
import os
import pty
import re
import time
import unittest

from program import ProgramTest, poured

LINE = re.compile(r"^ *(\d+) %  t = \S+ of \S+  ETA \S+  bodies \d+  contacts \d+  sweeps \d+  residual \S+  \d+ steps/s$")

# Two discs in a box whose lid comes down by two in ten units of time, then a rest.
SQUEEZED = """\
dimension = 2
[time]
step = 0.01
[output]
frames = 0.5
[material]
density = 1.0
[law]
friction = 0.3
[wall]
name = "box"
box = { min = [-5, -5], max = [5, 5] }
[[grain]]
position = [-1, 0]
radius = 0.5
[[grain]]
position = [1, 0]
radius = 0.5
[piston]
name = "lid"
walls = ["box.bottom", "box.top"]
velocity = 0.1
[[phase]]
name = "squeeze"
end = { strain = 0.2, piston = "lid" }
[[phase]]
name = "rest"
duration = 1.0
"""


class Progress(ProgramTest):
    def test_plain_lines_into_a_file(self):
        said = self.moreau("run", self.write("s.toml", poured(0.2)))
        self.assertNotIn("\r", said)
        percents = [int(m.group(1)) for m in map(LINE.match, said.splitlines()) if m]
        self.assertEqual(percents, sorted(percents))
        self.assertEqual(percents[-1], 100)
        self.assertTrue(10 <= len(percents) <= 12, percents)

    def test_last_line_is_100_percent_even_when_the_end_is_between_two_steps(self):
        said = self.moreau("run", self.write("s.toml", poured(0.2)), "--until", "0.0504")
        self.assertEqual([m.group(1) for m in map(LINE.match, said.splitlines()) if m][-1], "100")

    def test_json_alone_on_standard_output(self):
        self.assertEqual(self.json_of("run", self.write("s.toml", poured(0.1)), "--json")["step"], 100)

    def test_a_phase_that_ends_by_a_strain_is_as_far_as_its_strain(self):
        said = self.moreau("run", self.write("s.toml", SQUEEZED))
        lines = re.findall(r"^ *(\d+) %  squeeze: t = (\S+)  ETA", said, re.MULTILINE)
        self.assertGreater(len(lines), 3)
        for percent, time in lines:  # the phase is the first half of the run, and ten units of time long
            self.assertAlmostEqual(2 * int(percent) / 100, float(time) / 10, delta=0.02)
        self.assertIn("100 %  rest: ", said)

    def test_info_and_pictures_of_a_run_on_its_way_are_of_its_newest_frame(self):
        self.write("s.toml", SQUEEZED)
        process = self.start("run", "s.toml", "--out", "run", "--set", "phase[squeeze].end.strain=0.9", "--set", "piston.velocity=1e-4")
        until = time.monotonic() + 60
        while True:
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), until)
            time.sleep(0.2)
            if not self.path("run/series.csv").exists() or len(list(self.path("run/frames").glob("*"))) < 4:
                continue
            info = self.json_of("info", "run", "--json")
            if info["newest_frame"].get("phase") == "squeeze":
                break
        self.assertGreater(info["newest_frame"]["step"], info["step"])
        self.assertEqual(info["newest_frame"]["bodies"], 2)
        self.assertRegex(self.moreau("info", "run"), r"^the newest frame:\n  number .*(\n.*)*\nthe last checkpoint:\n")
        self.moreau("draw", "run", "--output", "a.svg")
        drawn = float(re.search(r"t = ([0-9.e+-]+)", self.path("a.svg").read_text())[1])
        self.assertGreaterEqual(drawn, info["newest_frame"]["time"] * (1 - 1e-3))

    def on_terminal(self, *arguments):
        master, slave = pty.openpty()
        process = self.start(*arguments, stdout=slave, stderr=slave)
        os.close(slave)
        said = b""
        try:
            while block := os.read(master, 65536):
                said += block
        except OSError:  # Linux says so when the other side is closed
            pass
        os.close(master)
        return process.wait(timeout=60), said.decode()

    def test_one_renewed_line_on_a_terminal(self):
        status, said = self.on_terminal("run", self.write("s.toml", poured(0.2)))
        self.assertEqual(status, 0)
        line, rest = said.replace("\r\n", "\n").split("\n", 1)
        shown = line.split("\r")
        self.assertEqual(shown[0], "")
        for text in shown[1:]:
            self.assertRegex(text.rstrip(), LINE)
        self.assertTrue(shown[-1].startswith("100 %"), shown[-1])
        self.assertNotIn("\r", rest)
        self.assertIn("state hash", rest)


if __name__ == "__main__":
    unittest.main()
