"""Files of a run that are well formed and senseless are refused by every command, in a sentence, before anything is computed."""
import shutil
import unittest

import h5py
import numpy

from program import CELL, ProgramTest, poured

NAN, INF = float("nan"), float("inf")


def edit(file, change):
    """Valid checksums, another content."""
    with h5py.File(file, "r+") as f:
        change(f)


def put(path, value, row=0):
    def change(f):
        data = f[path]
        if data.ndim == 2:
            data[row, 0] = value
        else:
            data[row] = value
    return change


def claim(path):
    """More numbers than memory holds, of which the file has none."""
    def change(f):
        shape, kind = f[path].shape, f[path].dtype
        del f[path]
        f.create_dataset(path, (2**40, *shape[1:]), kind, chunks=(4096, *shape[1:]), compression="gzip")
    return change


def attribute(group, name, value):
    return lambda f: f[group].attrs.modify(name, value)


CHECKPOINTS = {
    "claimed positions": claim("state/bodies/position"),
    "position": put("state/bodies/position", NAN),
    "infinite position": put("state/bodies/position", INF),
    "velocity": put("state/bodies/velocity", NAN),
    "spin": put("state/bodies/spin", INF),
    "orientation": put("state/bodies/orientation", NAN),
    "radius": put("state/bodies/radius", NAN),
    "negative radius": put("state/bodies/radius", -1.0),
    "mass": put("state/bodies/mass", NAN),
    "no mass": put("state/bodies/mass", 0.0),
    "inertia": put("state/bodies/inertia", INF),
    "origin": put("state/bodies/origin", NAN),
    "birth": put("state/bodies/birth", NAN),
    "kind": put("state/bodies/kind", 17),
    "material": put("state/bodies/material", 1000000),
    "negative material": put("state/bodies/material", -5),
    "motion": put("state/bodies/motion", 12),
    "impulse": put("state/contacts/impulse", NAN),
    "normal": put("state/contacts/normal", NAN),
    "gap": put("state/contacts/gap", INF),
    "contact of a body that is not there": put("state/contacts/a", 4000),
    "contact of a wall that is not there": put("state/contacts/b", -67),
    "contacts out of order": put("state/contacts/a", 30),
    "order": put("state/order", 7, 3),
    "time": attribute("state", "time", NAN),
    "infinite time": attribute("state", "time", INF),
    "time before the start": attribute("state", "time", -1.0),
    "step of the impulses": attribute("state", "impulse_time_step", NAN),
    "kinetic energy": attribute("state/energy", "kinetic", NAN),
    "dissipated energy": attribute("state/energy", "dissipated", INF),
    "phase": attribute("state/drives", "phase", numpy.uint64(2**64 - 1)),
    "next phase": attribute("state/drives", "phase", numpy.uint64(1)),
    "start of the phase": attribute("state/drives", "phase_start", NAN),
    "path": attribute("state/drives", "travelled", NAN),
    "next frame": attribute("/", "next_frame", NAN),
    "next row": attribute("/", "next_series", INF),
    "frames": attribute("/", "frames", numpy.uint64(2**63)),
    "emitted": put("state/sources/emitted", 10**9),
    "random stream": lambda f: f["state/sources/random"].__setitem__(0, [0, 0, 0, 0]),
    "energy of the report": attribute("report/energy", "potential", NAN),
}

FRAMES = {
    "claimed positions": claim("bodies/position"),
    "position": put("bodies/position", NAN),
    "radius": put("bodies/radius", INF),
    "huge material": put("bodies/material", 1000000),
    "kind": put("bodies/kind", 9),
    "motion": put("bodies/motion", 77),
    "wall that is not there": put("contacts/b", -67),
    "body that is not there": put("contacts/b", 100000),
    "contact with itself": lambda f: f["contacts/b"].__setitem__(0, f["contacts/a"][0]),
    "force": put("contacts/force", NAN),
    "status": put("contacts/status", 3),
    "shape of a wall": put("walls/shape", 9),
    "point of a wall": put("walls/point", NAN),
    "material of a wall": put("walls/material", 4444),
    "shift of a wall": put("walls/shift", INF),
    "time": lambda f: f.attrs.modify("time", NAN),
    "phase": lambda f: f.attrs.modify("phase", numpy.uint64(2**64 - 1)),
}


class Soundness(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("s.toml", poured(duration=0.3))
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.2", "--threads", "1")

    def damaged(self, file, change):
        shutil.rmtree(self.path("bad"), ignore_errors=True)
        shutil.copytree(self.path("run"), self.path("bad"))
        for name in ("checkpoint.previous.h5",):  # no way out
            (self.path("bad") / name).unlink(missing_ok=True)
        edit(self.path("bad") / file, change)

    def test_checkpoint(self):
        for name, change in CHECKPOINTS.items():
            self.damaged("checkpoint.h5", change)
            for command in ("resume", "info", "draw", "equilibrium"):
                with self.subTest(f"{name}: {command}"):
                    self.assertRegex(self.refusal(command, "bad"), r"^bad/(checkpoint.h5: is damaged: |scene.toml: does not fit)")

    def test_frame(self):
        number = 4
        for name, change in FRAMES.items():
            self.damaged(f"frames/frame_{number:06}.h5", change)
            for command in (["measure", "bad", "stress", "--frame", number], ["draw", "bad", "--frame", number]):
                with self.subTest(f"{name}: {command[0]}"):
                    self.assertRegex(self.refusal(*command), r"^bad/(frames/frame_000004.h5: is damaged: |scene.toml: does not fit)")

    def test_cell_without_volume(self):
        self.write("s.toml", CELL)
        self.moreau("run", "s.toml", "--out", "run", "--until", "1", "--force", "--threads", "1")
        self.damaged("checkpoint.h5", lambda f: f["state/drives/cell_vectors"].__setitem__(0, [0.0, 0.0]))
        self.assertIn("has no volume", self.refusal("resume", "bad"))
        self.damaged("frames/frame_000001.h5", lambda f: f["cell/vectors"].__setitem__(0, [0.0, 0.0]))
        self.assertIn("is not finite", self.refusal("measure", "bad", "stress", "--frame", 1))


class ChangedScene(ProgramTest):
    """A run belongs to its scene: edited behind its back, it goes on only if that is said, and the log keeps it."""

    def setUp(self):
        super().setUp()
        self.write("s.toml", poured(duration=0.2))
        self.moreau("run", "s.toml", "--out", "run", "--until", "0.1", "--threads", "1")
        self.scene = self.path("run") / "scene.toml"
        self.text = self.scene.read_text()

    def test_is_refused_by_all(self):
        for old, new in (("friction = 0.4", "friction = 0.8"), ("gravity = 9.81", "gravity = 3"), ("step = 1e-3", "step = 5e-4"),
                         ("duration = 0.2", "duration = 0.3"), ("title", "# a remark\ntitle")):
            self.scene.write_text(self.text.replace(old, new))
            before = self.everything("run")
            for command in (["resume", "run"], ["info", "run"], ["draw", "run"], ["draw", "run", "--frame", "1"], ["equilibrium", "run"],
                            ["measure", "run", "stress"]):
                with self.subTest(f"{new}: {' '.join(command)}"):
                    self.assertRegex(self.refusal(*command), r"^run/scene.toml: was changed since .*moreau resume run --changed$")
            self.assertEqual(self.everything("run"), before)
        self.scene.write_text(self.text)
        self.moreau("resume", "run")

    def test_goes_on_when_told_to(self):
        self.scene.write_text(self.text.replace("friction = 0.4", "friction = 0.8"))
        said = self.moreau("resume", "run", "--changed", "--until", "0.15", "--threads", "1")
        self.assertIn("from step 100 (t = 0.1) on with a changed scene.toml", said)
        self.assertIn("with a changed scene.toml", (self.path("run") / "log.txt").read_text())
        self.moreau("resume", "run", "--until", "0.18")  # known now
        for frame in (0, 3):  # from before and after
            self.moreau("measure", "run", "stress", "--frame", frame)

    def test_another_version_is_told(self):
        edit(self.path("run") / "checkpoint.h5", lambda f: f.attrs.modify("commit", numpy.bytes_(b"0123456789ab")))
        said = self.moreau("resume", "run", "--threads", "1")
        self.assertRegex(said, r"computed up to step 100 .* by moreau \S+ \(0123456789ab\), from there on by moreau")
        self.assertIn("(0123456789ab), from there on by", (self.path("run") / "log.txt").read_text())

    def test_run_of_an_older_version_without_signatures_goes_on(self):
        for file in [self.path("run") / "checkpoint.h5", *(self.path("run") / "frames").glob("*.h5")]:
            edit(file, lambda f: [f.attrs.__delitem__(name) for name in ("scene", "version", "commit") if name in f.attrs])
        self.moreau("measure", "run", "stress", "--frame", "1")
        self.moreau("resume", "run")


class EditedSweep(ProgramTest):
    """The table of a sweep tells of each run the values that it has."""

    def sweep(self, *more):
        return "sweep", "s.toml", "--set", "law.friction=0.3,0.4", "--out", "many", *more

    def setUp(self):
        super().setUp()
        self.write("s.toml", poured(duration=0.02))
        self.moreau(*self.sweep("--value", "k=last(kinetic)"))

    def test_runs_moved_about(self):
        runs = self.path("many") / "runs"
        (runs / "0001").rename(runs / "0003")
        (runs / "0002").rename(runs / "0001")
        self.assertIn("runs/0001 holds another run than law.friction=0.3", self.refusal(*self.sweep()))
        (runs / "0001").rename(runs / "0002")
        self.moreau(*self.sweep())  # 0001 is made anew

    def test_values_that_cannot_be_read(self):
        (self.path("many") / "values.json").write_text("[{]")
        self.assertIn("values.json: is damaged", self.refusal(*self.sweep()))


if __name__ == "__main__":
    unittest.main()
