"""Commands and Python on the pages run as they stand there, on small scenes that have the names the pages use."""
import contextlib
import io
import os
import pathlib
import re
import subprocess

import numpy as np

import moreau as mo
from moreau.program import executable
from scenes import FolderTest

ROOT = pathlib.Path(__file__).resolve().parents[2]

PILE = """\
dimension = 3
gravity = 9.81
time = { step = 0.01, duration = 4.0 }
material = { density = 1000 }
law = { friction = 0.5 }
output = { frames = 0.05 }
wall = { plane = { normal = [0, 0, 1] } }
[[grains]]
count = 4
diameter = 0.2
region = { box = [[0, 0, 0], [1, 1, 1]] }
"""

# What is said in sweeps.md about one key: two kinds of grains under a lid.
LIDDED = """\
dimension = 2
time = { step = 0.01, duration = 0.05 }
material = { density = 1 }
law = { friction = 0.5 }
wall = { name = "box", box = { min = [0, 0], max = [30, 30] } }
[[grains]]
count = 5
diameter = 0.2
region = { box = [[0, 0], [30, 10]] }
[[grains]]
count = 5
diameter = 0.3
region = { box = [[0, 10], [30, 25]] }
[[piston]]
name = "lid"
walls = ["box.top"]
stress = 1
"""

# Two stones on the ground, shaken.
FACADE = """\
dimension = 2
gravity = 9.81
time = { step = 2e-3, duration = 0.1 }
material = { density = 2000 }
law = { friction = 0.6 }
[[motion]]
name = "quake"
kind = "accelerogram"
direction = [1, 0]
record = { times = [0, 0.05, 0.1], accelerations = [0, 3, 0] }
[[block]]
size = [2, 0.4]
position = [0, -0.2]
motion = "quake"
[[block]]
size = [0.5, 0.5]
position = [0, 0.25]
[[block]]
size = [0.5, 0.5]
position = [0, 0.75]
[[measure]]
quantity = "joint-summary"
every = 0.01
"""

SMALL_BIAXIAL = {"grains.count": 25, "wall.box": {"min": [-3, -3], "max": [3, 3]}, "phase[mix].end": {"travelled": 0.1}, "phase[press].duration": 1.0,
                 "phase[settle].duration": 0.2, "phase[settle].end.at_least": 0.1, "phase[shear].piston.velocity": 0.05, "phase[shear].end.strain": 0.01}


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)


class PageTest(FolderTest):
    def shell(self, text):
        """Lines of a page, one command after the other, with `moreau` being the program that is tested."""
        (self.folder / "bin").mkdir(exist_ok=True)
        (self.folder / "bin" / "moreau").unlink(missing_ok=True)
        (self.folder / "bin" / "moreau").symlink_to(executable())
        done = subprocess.run(["bash", "-euc", text], cwd=self.folder, text=True, capture_output=True, check=False,
                              env={**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "MPLCONFIGDIR": str(self.folder)})
        self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def python(self, text, **names):
        os.chdir(self.folder)
        self.addCleanup(os.chdir, ROOT)
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(text, "page", "exec"), names)  # what a reader would type
        return names

    def biaxial(self, name="biaxial.toml"):
        (self.folder / name).parent.mkdir(exist_ok=True)
        return self.write(name, mo.load(ROOT / "examples" / "biaxial.toml", SMALL_BIAXIAL).text)

    def test_readme(self):
        mo.Scene(blocks("README.md", "toml")[0])
        self.write("pile.toml", PILE)
        first, second = blocks("README.md", "python")
        self.assertAlmostEqual(self.python(first)["course"].time, 4.0)
        mo.run("pile.toml", "runs/pile")
        names = self.python(second)
        self.assertEqual(len(names["position"]), 4)
        self.assertEqual(len(names["force"]), len(mo.open("runs/pile").frames[80].contacts))

    def test_python(self):
        self.write("pile.toml", PILE)
        (text,) = blocks("docs/python.md", "python")
        self.assertAlmostEqual(self.python(text)["course"].time, 4.0)  # the scene is over before 5

    def test_run_folder(self):
        """The line that compares two runs looks at all columns but those of seconds."""
        (line,) = re.findall(r"^    (diff .*series.csv\))$", (ROOT / "docs/run-folder.md").read_text(), re.MULTILINE)
        self.write("pile.toml", PILE)
        for name in ("one", "two"):
            self.shell(f"moreau run pile.toml --until 0.1 --out {name}")
        self.assertEqual(self.shell(line), "")
        (last,) = set(re.findall(r"-f1-(\d+)", line))
        names = (self.folder / "one" / "series.csv").read_text().split("\n", 1)[0].split(",")
        self.assertEqual([name.endswith("_seconds") for name in names], [k >= int(last) for k in range(len(names))])

    def test_sweeps(self):
        one_key, many_runs, ensembles = blocks("docs/sweeps.md", "sh")
        self.write("pile.toml", LIDDED)
        self.shell(one_key)
        self.assertIn("count = 100", mo.open(self.folder / "pile-run").scene.text)
        self.biaxial()
        self.shell(many_runs)
        self.write("pile.toml", PILE)
        self.shell("moreau sweep pile.toml --set law.friction=0.1,0.2 --seeds 1:2 --until 1")
        self.shell(ensembles)
        for file in ("peak.png", "strength.png", "strength.csv", "forces.pdf"):
            self.assertGreater((self.folder / file).stat().st_size, 100, file)
        (text,) = blocks("docs/sweeps.md", "python")
        self.python(text, mo=mo)

    def test_tilting_table(self):
        (page,) = re.findall(r"^## Tilting table\n(.*?)^## ", (ROOT / "docs/masonry.md").read_text(), re.DOTALL | re.MULTILINE)
        (scene,), (commands,) = (re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE) for language in ("toml", "sh"))
        self.write("table.toml", scene)
        self.shell(commands)
        summary = mo.open(self.folder / "table-run").measures["joint-summary"]
        topples = summary["time"][np.asarray(summary["widest"]) > 2e-3][0]
        self.assertTrue(0.33 < np.tan(0.05 * topples) < 0.36, topples)  # it takes half a second to be seen
        self.shell("moreau run table.toml --until 0.01 --out begun")
        factor = re.search(r"supported load[^0-9]*([0-9.]+)", self.shell("moreau statics begun --load acceleration:1,0"))
        self.assertAlmostEqual(float(factor[1]), 9.81 / 3, delta=0.02)

    def test_first_pile(self):
        (scene,), (commands,) = blocks("docs/tutorials/1-first-pile.md", "toml"), blocks("docs/tutorials/1-first-pile.md", "sh")
        self.write("pile.toml", scene.replace("duration = 8.0", "duration = 0.2").replace("frames = 0.5", "frames = 0.1"))
        self.assertIn("slope", self.shell(commands))

    def test_biaxial(self):
        self.biaxial("examples/biaxial.toml")
        for commands in blocks("docs/tutorials/2-biaxial.md", "sh"):
            self.shell(commands)
        self.assertTrue((self.folder / "strength.png").exists())
        (text,) = blocks("docs/tutorials/2-biaxial.md", "python")

        def shear_curve(run):
            load = run.measures["load"]
            load = load.only(load["phase"] == "shear")
            return 1 - load["length_y"] / load["length_y"][0], load["deviator"]

        names = self.python(text, mo=mo, np=np, sweep=mo.Sweep(self.folder / "biaxial"), shear_curve=shear_curve)
        self.assertEqual(len(names["runs"]), 4)
        self.assertEqual(names["mean"].shape, names["strain"].shape)

    def test_arch(self):
        (text,) = blocks("docs/tutorials/4-arch.md", "toml")
        self.assertGreaterEqual(len(mo.Scene('dimension = 2\ngravity = 9.81\ntime = { step = 1e-3, duration = 1.0 }\nmaterial = { density = 2000 }\nlaw = { friction = 0.7 }\n' + text)), 15)

    def test_steps(self):
        scene = mo.Scene(LIDDED.replace("duration = 0.05", "duration = 3.0").replace("material = { density = 1 }", 'material = { name = "grain", density = 1 }'))
        (text,) = blocks("docs/tutorials/7-python.md", "python")
        names = self.python(text, mo=mo, np=np, scene=scene)
        self.assertEqual(len(names["moved"]), 10)
        self.assertLess(names["course"].law("grain")["friction"], 0.02)

    def test_incremental_dynamic_analysis(self):
        self.write("facade.toml", FACADE)
        (commands,) = blocks("docs/tutorials/8-incremental-dynamic-analysis.md", "sh")
        self.shell(commands)
        self.assertEqual(mo.Sweep(self.folder / "facade-sweep").table["crack"].shape, (5,))

    def test_names_of_the_module_are_there(self):
        for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
            for name in re.findall(r"\bmo\.([A-Za-z_]+)", page.read_text()):
                self.assertTrue(hasattr(mo, name), f"{page}: mo.{name}")
        course = mo.Course(mo.Scene(LIDDED))
        table = (ROOT / "docs" / "python.md").read_text().split("## A course")[1].split("What is set holds")[0]
        members = set(re.findall(r"`([a-z_]+)[`(]", " ".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE)))) - {"member"}
        self.assertGreater(len(members), 15)
        self.assertEqual([name for name in members if not hasattr(course, name)], [])
