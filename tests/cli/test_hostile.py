"""What a stranger's scene or run folder may contain: it is data, and harms nothing outside its folder (docs/security.md)."""
import os
import shutil
import subprocess
import sys
import unittest

import h5py
import numpy

from program import BALLS, ProgramTest, poured

# A disc in a circle so large that it is straight, or far away.
CIRCLE = """\
dimension = 2
gravity = 9.81
[time]
step = 1e-3
duration = 0.01
[material]
density = 1
[law]
friction = 0.3
[[wall]]
circle = {{ centre = [0, {height}], radius = {radius} }}
[[grain]]
position = [0, 0.5]
radius = {grain}
"""


class Pictures(ProgramTest):
    def test_of_huge_circles(self):
        for radius, height in (("1e30", "0"), ("1e30", "1e30"), ("1e9", "1e9"), ("5e4", "5e4"), ("20", "20")):
            for grain in ("0.5", "1e-3"):
                with self.subTest(f"{radius} {height} {grain}"):
                    shutil.rmtree(self.path("run"), ignore_errors=True)
                    self.write("s.toml", CIRCLE.format(radius=radius, height=height, grain=grain))
                    process = self.start("run", "s.toml", "--out", "run", "--threads", "1")
                    process.communicate(timeout=60)
                    if process.returncode != 0:
                        continue  # refused: the grain is outside to the precision of such numbers
                    for output in ("p.png", "p.svg"):
                        self.moreau("draw", "run", "-o", output)

    def test_of_huge_bodies(self):
        self.write("s.toml", poured(duration=0.06))
        self.moreau("run", "s.toml", "--out", "run", "--threads", "1")
        for radius in (1e308, 1e200, 1e90, 1e30, 1e9):
            for row in (0, slice(None)):
                with h5py.File(self.path("run") / "frames" / "frame_000001.h5", "r+") as frame:
                    frame["bodies/radius"][row] = radius
                with self.subTest(f"{radius} {row}"):
                    for output in ("p.png", "p.svg"):
                        process = self.start("draw", "run", "--frame", "1", "-o", output)
                        process.communicate(timeout=60)
                        self.assertIn(process.returncode, (0, 1))


class Links(ProgramTest):
    """Links planted in a run folder do not lead a resumed run out of it."""

    def setUp(self):
        super().setUp()
        self.write("s.toml", BALLS)
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.05", "--threads", "1")
        self.path("outside").mkdir()
        for name in ("frame_000001.h5", "frame_000002.h5", "text"):
            self.write(f"outside/{name}", "precious")

    def untouched(self):
        self.assertEqual({f.name: f.read_text() for f in self.path("outside").iterdir()},
                         {name: "precious" for name in ("frame_000001.h5", "frame_000002.h5", "text")})

    def test_folders(self):
        for name in ("frames", "measures"):
            with self.subTest(name):
                shutil.copytree(self.path("run"), self.path("bad"))
                shutil.rmtree(self.path("bad") / name, ignore_errors=True)
                (self.path("bad") / name).symlink_to(self.path("outside"))
                for command in (["resume", "bad"], ["run", "s.toml", "--out", "bad", "--force"]):
                    self.assertIn("is a link", self.refusal(*command))
                    self.untouched()
                shutil.rmtree(self.path("bad"))

    def test_files(self):
        for name in ("series.csv", "log.txt", "checkpoint.h5.tmp", "summary.json", "summary.json.tmp", "trajectory.h5", "bodies.pvd.tmp",
                     "frames/frame_000001.h5.tmp", "frames/constants_000001.h5", "frames/constants_000001.h5.tmp", ".moreau.replaced", ".moreau.done", ".moreau.moving"):
            with self.subTest(name):
                shutil.copytree(self.path("run"), self.path("bad"))
                (self.path("bad") / name).unlink(missing_ok=True)
                (self.path("bad") / name).symlink_to(self.path("outside") / "text" if not name.startswith(".") else self.path("outside"))
                for command in (["resume", "bad"], ["info", "bad"], ["run", "s.toml", "--out", "bad", "--force"]):
                    self.start(*command).communicate(timeout=60)
                    self.untouched()
                shutil.rmtree(self.path("bad"))


class Strays(ProgramTest):
    """A finished run outlives folders that have the names of those in which --force keeps the run it replaces."""

    def test_commands_remove_nothing(self):
        self.write("s.toml", poured(duration=0.06))
        self.moreau("run", "s.toml", "--out", "run", "--threads", "1")

        def everything():
            return {file: file.read_bytes() if file.is_file() else None for file in self.path("bad").rglob("*")}

        commands = (["info", "bad"], ["measure", "bad", "stress"], ["draw", "bad", "-o", "p.png"], ["view", "bad", "--html", "p.html"], ["export", "bad"],
                    ["resume", "bad"], ["run", "s.toml", "--out", "bad", "--force"])
        for name in (".moreau.replaced", ".moreau.moving", ".moreau.done"):
            for inside in ("thesis.tex", "series.csv"):
                shutil.copytree(self.path("run"), self.path("bad"))
                (self.path("bad") / name).mkdir()
                (self.path("bad") / name / inside).write_text("mine")
                before = everything()
                for command in commands:
                    if name == ".moreau.done" and (command[0] not in ("resume", "run") or inside == "series.csv"):
                        continue  # the run stands: it can be read; rows of a run are what a kill leaves there
                    with self.subTest(f"{name} {inside} {command[0]}"):
                        self.assertIn(f"bad/{name}: ", said := self.refusal(*command))
                        self.assertIn("nothing was touched; move it elsewhere", said)
                        self.assertEqual(everything(), before)
                shutil.rmtree(self.path("bad"))


class Names(ProgramTest):
    def test_measures_cannot_be_named_out_of_the_folder(self):
        for name in ("../outside", "/tmp/outside", "a/b", ".."):
            with self.subTest(name):
                self.write("s.toml", BALLS + f'[[measure]]\nquantity = "stress"\nname = "{name}"\nevery = 0.01\n')
                self.refusal("run", "s.toml", "--out", "run")
                self.assertEqual([f.name for f in self.folder.iterdir()], ["s.toml"])


class NamedFiles(ProgramTest):
    """What a scene names and is no file, a device that never ends or a pipe that nobody writes to, is refused at once."""

    HEAD = ("dimension = {d}\ngravity = 1\ntime = {{ step = 1e-3, duration = 0.01 }}\nmaterial = {{ density = 1 }}\nlaw = {{ friction = 0.1 }}\n"
            "grain = {{ radius = 1e-3, position = {far} }}\n")
    MOTION = '[[motion]]\nname = "q"\nkind = "accelerogram"\ndirection = [1, 0]\nrecord = "{}"\n'
    NAMES = [(3, '[[wall]]\nmesh = "{}"\n', ("stl", "obj", "ply", "off")), (2, '[[wall]]\nmesh = "{}"\n', ("csv", "svg")),
             (2, '[[stones]]\nfile = "{}"\n', ("csv", "dxf")), (3, '[[stones]]\nfile = "{}"\n', ("csv", "obj")), (2, MOTION, ("csv", "AT2"))]

    def test_are_refused(self):
        for dimension, text, endings in self.NAMES:
            for ending in endings:
                device, pipe = self.path(f"device.{ending}"), self.path(f"pipe.{ending}")
                device.unlink(missing_ok=True), pipe.unlink(missing_ok=True)
                device.symlink_to("/dev/zero")
                os.mkfifo(pipe)
                for file in (device, pipe):
                    with self.subTest(f"{dimension}-D, {file.name}"):
                        self.write("s.toml", self.HEAD.format(d=dimension, far=[1000] + [0] * (dimension - 1)) + text.format(file.name))
                        self.assertRegex(self.refusal("check", "s.toml"), f"names '?{file.name}'?, which is no file; accepted: ")

    def test_are_refused_when_they_are_huge(self):
        for dimension, text, endings in self.NAMES:
            for ending in endings:
                mebibytes = 256 if ending in ("stl", "ply", "off") or (ending == "obj" and "mesh" in text) else 64
                file = self.path(f"huge.{ending}")
                with open(file, "wb") as content:
                    content.truncate((mebibytes << 20) + 1)  # takes no room
                with self.subTest(f"{dimension}-D, {file.name}"):
                    self.write("s.toml", self.HEAD.format(d=dimension, far=[1000] + [0] * (dimension - 1)) + text.format(file.name))
                    self.assertRegex(self.refusal("check", "s.toml"), f"names '?{file.name}'?, which is larger than {mebibytes << 20} bytes; accepted: ")


class OtherFiles(ProgramTest):
    """HDF5 files may link to other files, and keep their numbers there. Nothing is read through them."""

    def setUp(self):
        super().setUp()
        self.write("s.toml", BALLS)
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.05", "--threads", "1", "--dump-problem", "50")
        self.problem = self.path("run/problem_000050.hdf5")
        self.moreau("solve", self.problem)

    def plant(self, make):
        """Where the free velocities of the problem were, `make(group)` puts something else."""
        with h5py.File(self.path("other.h5"), "w") as file, h5py.File(self.problem, "r+") as problem:
            group = problem["fclib_local/vectors"]
            numbers = group["q"][:]
            file["q"] = numbers
            self.path("raw").write_bytes(numbers.tobytes())
            del group["q"]
            make(group, len(numbers))

    def check(self, words):
        with h5py.File(self.problem) as file:  # which another reader follows: this test can fail
            self.assertEqual(len(file["fclib_local/vectors/q"][:]), len(numpy.fromfile(self.path("raw"))))
        self.assertIn(words, self.refusal("solve", self.problem))

    def test_links(self):
        self.plant(lambda group, _: group.__setitem__("q", h5py.ExternalLink(str(self.path("other.h5")), "/q")))
        self.check("fclib_local/vectors/q' cannot be read")

    def test_links_behind_links(self):
        def make(group, _):
            group["away"] = h5py.ExternalLink(str(self.path("other.h5")), "/")
            group["q"] = h5py.SoftLink("away/q")

        self.plant(make)
        self.check("fclib_local/vectors/q' cannot be read")

    def test_raw_numbers(self):
        self.plant(lambda group, n: group.create_dataset("q", (n,), "<f8", external=[(str(self.path("raw")), 0, 8 * n)]))
        self.check("fclib_local/vectors/q' lies in another file")

    def test_pieces(self):
        def make(group, n):
            layout = h5py.VirtualLayout((n,), "<f8")
            layout[:] = h5py.VirtualSource(str(self.path("other.h5")), "q", (n,))
            group.create_virtual_dataset("q", layout)

        self.plant(make)
        self.check("fclib_local/vectors/q' lies in another file")


PLUGIN = """\
#include <fcntl.h>
__attribute__((constructor)) static void loaded(void) { creat("loaded", 0666); }
int H5PLget_plugin_type(void) { return 0; }
const void* H5PLget_plugin_info(void) { return 0; }
"""


class Plugins(ProgramTest):
    """HDF5 loads code for the filters that a file names, from a folder that the environment names. A reader of moreau does not."""

    @unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
    def test_no_file_makes_the_library_load_code(self):
        self.write("filter.c", PLUGIN)
        self.path("plugins").mkdir()
        subprocess.run(["cc", "-shared", "-fPIC", "-o", "plugins/libfilter.so", "filter.c"], cwd=self.folder, check=True)
        with h5py.File(self.path("problem.hdf5"), "w") as file:
            group = file.create_group("fclib_local")
            creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            creation.set_chunk((1,))
            creation.set_filter(32015, h5py.h5z.FLAG_OPTIONAL, (1,))
            space = h5py.h5s.create_simple((1,))
            array = h5py.h5d.create(group.id, b"spacedim", h5py.h5t.STD_I32LE, space, creation)
            array.write_direct_chunk((0,), numpy.array([3], dtype="<i4").tobytes(), filter_mask=0)
        environment = {**os.environ, "HDF5_PLUGIN_PATH": str(self.path("plugins"))}
        code = "import h5py\ntry: h5py.File('problem.hdf5')['fclib_local/spacedim'][:]\nexcept OSError: pass"
        subprocess.run([sys.executable, "-c", code], cwd=self.folder, env=environment, check=True)
        self.assertTrue(self.path("loaded").exists(), "another reader loads it: this test can fail")
        self.path("loaded").unlink()
        self.refusal("solve", "problem.hdf5", env=environment)
        self.assertFalse(self.path("loaded").exists())


if __name__ == "__main__":
    unittest.main()
