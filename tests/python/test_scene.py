"""Scenes from files, texts and dictionaries, and keys that are set."""
import unittest

import moreau as mo
from scenes import FALLING, POURED, FolderTest


class SceneTest(FolderTest):
    def test_dictionaries_are_a_scene(self):
        scene = mo.Scene(FALLING)
        self.assertEqual((scene.dimension, len(scene), scene.time_step, scene.duration), (3, 1, 0.01, 1.0))
        self.assertEqual(mo.Scene(scene.text).text, scene.text)

    def test_a_key_that_is_there_is_replaced_and_one_that_is_not_is_added(self):
        file = self.write("a.toml", POURED)
        scene = mo.load(file, {"law.friction": 0.25, "solver.tolerance": 1e-5, "seed": 7, "grains.count": 10,
                               "source[1].rate": 20, "law.rolling_friction": 0.1})
        self.assertEqual((scene.seed, len(scene)), (7, 10))
        course = mo.Course(scene, threads=1)
        self.assertEqual(course.law("glass")["friction"], 0.25)
        self.assertEqual(course.law("glass")["rolling"], 0.1)
        self.assertIn("tolerance = 1e-05", scene.text)
        self.assertIn("rate = 20", scene.text)

    def test_a_name_in_several_places_of_a_file_is_that_of_all_its_stones(self):
        self.write("w.csv", "stone,x,y,width,height\nwall,0,0,1,1\nlintel,2,0,1,1\nwall,4,0,1,1\n")
        head = "dimension = 2\ntime = { step = 1e-3, duration = 1 }\nmaterial = { density = 1 }\nlaw = { friction = 0.5 }\n"
        named = mo.load(self.write("s.toml", head + 'stones = { file = "w.csv" }\n')).named
        self.assertEqual((named["stones"], named["stones.lintel"], named["stones.wall"]), (range(3), range(1, 2), [0, 2]))

    def test_a_list_is_entered_by_number_or_name(self):
        file = self.write("a.toml", POURED + '[[source]]\nname = "late"\nrate = 20\nradius = 0.04\ncentre = [0.75, 0]\n')
        self.assertIn("rate = 33", mo.load(file, {"source[2].rate": 33}).text)
        self.assertIn("rate = 34", mo.load(file, {"source[late].rate": 34}).text)
        with self.assertRaisesRegex(mo.SceneError, r"--set source.rate=35: 'source' has 2 entries"):
            mo.load(file, {"source.rate": 35})
        with self.assertRaisesRegex(mo.SceneError, r"no entry with the name 'early'"):
            mo.load(file, {"source[early].rate": 35})

    def test_mistakes_are_told_as_on_the_command_line(self):
        file = self.write("a.toml", POURED.replace("friction = 0.4", "friction = -1"))
        with self.assertRaises(mo.SceneError) as caught:
            mo.load(file)
        said = self.moreau("check", file).stderr
        self.assertEqual(said, f"moreau: {caught.exception}\n")
        self.assertRegex(str(caught.exception), r"a.toml:14:12: key 'law.friction' is -1; accepted")

    def test_a_mistake_elsewhere_does_not_ask_for_a_region(self):
        scene = {"dimension": 2, "time": {"step": 1e-3, "duration": 1.0}, "material": {"density": 1.0}, "law": {"friction": 0.3},
                 "wall": {"box": {"min": [0, 0], "max": [4, 4]}}, "grains": [{"arrangement": "lattice", "count": 4, "diameter": 1.0}],
                 "output": {"often": 1}}
        with self.assertRaisesRegex(mo.SceneError, "unknown key 'output.often'"):
            mo.Scene(scene)
        del scene["output"]
        self.assertEqual(len(mo.Scene(scene)), 4)

    def test_a_mistake_in_a_setting_is_told_at_the_setting_and_others_at_their_line(self):
        file = self.write("a.toml", POURED)
        with self.assertRaisesRegex(mo.SceneError, r"^--set law.friction=-1.0: key 'law.friction' is -1; accepted: a number >= 0"):
            mo.load(file, {"law.friction": -1.0})
        with self.assertRaisesRegex(mo.SceneError, r"^--set law.frction=0.1: unknown key 'law.frction'; did you mean 'friction'"):
            mo.load(file, {"law.frction": 0.1})
        wrong = self.write("b.toml", POURED.replace("rate = 60", "rate = -60"))
        with self.assertRaisesRegex(mo.SceneError, r"b.toml:24:8: key 'source\[1\].rate' is -60"):
            mo.load(wrong, {"solver.tolerance": 1e-5, "seed": 1234})

    def test_values_that_are_none_are_refused(self):
        file = self.write("a.toml", POURED)
        said = self.moreau("check", file, "--set", "law.friction=0,4").stderr
        self.assertIn("'0,4' is no number; did you mean 0.4?", said)
        self.assertIn("accepted: KEY=VALUE", self.moreau("check", file, "--set", "law").stderr)
        self.assertIn("is a table", self.moreau("check", file, "--set", "law=3").stderr)

    def test_units_are_short_names(self):
        scene = {"dimension": 2, "time": {"step": 1e-3, "duration": 1.0}, "material": {"density": 1.0}, "law": {"friction": 0.3},
                 "grain": [{"position": [0, 0], "radius": 0.5}]}
        mo.Scene({**scene, "units": {"length": "cm", "mass": "g", "time": "s"}})
        for units, sentence in (({"length": 3}, "key 'units.length' is 3; accepted: a string"), ({"lenght": "m"}, "unknown key 'units.lenght'"),
                                ({"time": "s" * 17}, "key 'units.time' is longer than 16 letters"), (3, "key 'units' is 3; accepted: a table")):
            with self.assertRaisesRegex(mo.SceneError, sentence):
                mo.Scene({**scene, "units": units})

    def test_what_is_set_is_what_the_run_keeps(self):
        file = self.write("a.toml", POURED)
        done = self.moreau("run", file, "--out", "run", "--set", "law.friction=0.1", "--set", "time.duration=0.02", "--threads", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("friction = 0.1", (self.folder / "run" / "scene.toml").read_text())
        run = mo.open(self.folder / "run")
        course = mo.Course(mo.load(file, {"law.friction": 0.1, "time.duration": 0.02}), threads=1)
        course.run()
        self.assertEqual(course.hash, run.summary["state_hash"])


if __name__ == "__main__":
    unittest.main()
