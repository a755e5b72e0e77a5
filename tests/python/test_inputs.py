"""What a script may get wrong: one sentence each, and nothing happens."""
import os
import pathlib
import pickle
import sys
import types
import unittest.mock

import numpy as np

import moreau as mo
from scenes import FALLING, POURED, FolderTest


class InputTest(FolderTest):
    def refuses(self, call, *words, error=ValueError):
        with self.assertRaises(error) as caught:
            call()
        for word in words:
            self.assertIn(word, str(caught.exception))
        self.assertNotIn("_core", str(caught.exception))

    def test_numbers_that_are_none(self):
        nan = float("nan")
        self.refuses(lambda: mo.gauss_seidel(np.full((4, 4), nan), np.zeros(4), [0.1, 0.1]), "not finite")
        self.refuses(lambda: mo.gauss_seidel(np.eye(4), [0, nan, 0, 0], [0.1, 0.1]), "not finite")
        self.refuses(lambda: mo.gauss_seidel(np.eye(4), np.zeros(4), [0.1, 0.1], start=[0, nan, 0, 0]), "not finite")
        self.refuses(lambda: mo.gauss_seidel(np.eye(4), np.zeros(4), [0.1, nan]), "friction is nan")
        course = mo.Course(mo.Scene(FALLING), threads=1)
        self.refuses(lambda: course.run(until=nan), "until is nan")
        self.refuses(lambda: course.run(until=nan, before_step=lambda c: None), "until is nan")
        self.refuses(lambda: list(course.steps(until=nan)), "until is nan")
        self.refuses(lambda: course.bodies.push(0, [nan, 0, 0]), "impulse", "finite")
        self.assertEqual(course.step_number, 0)

    def test_bodies_with_numbers_that_are_none(self):
        course = mo.Course(mo.Scene(POURED, {"source[1].rate": 0.001}), threads=1)
        course.run(steps=2)
        for name in ("position", "velocity", "spin", "orientation"):
            values = course.bodies.writable(name)
            kept = np.array(values)
            values[1] = float("nan")
            for call in (lambda: course.run(steps=1), lambda: course.save(self.folder / "saved"), lambda: mo.measure(course, "forces"),
                         lambda: mo.equilibrium(course)):
                self.refuses(call, f"the {name} of body 1", error=mo.NotFinite)
            self.assertFalse((self.folder / "saved").exists())
            values[:] = kept
            course.run(steps=1)  # put right, it goes on
        self.assertEqual(course.step_number, 6)

    def test_gravity_as_a_number_points_downwards(self):
        course = mo.Course(mo.Scene(POURED), threads=1)
        for value in (-5, float("nan"), -1e-9):
            with self.assertRaises(ValueError) as caught:
                course.gravity = value
            self.assertIn(f"gravity is {value}; accepted: a number >= 0", str(caught.exception))
        course.gravity = [0, 5]
        self.assertEqual(course.gravity, (0, 5))

    def test_names_that_look_like_options_or_are_no_text(self):
        (self.folder / "-x.toml").write_text(POURED)
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            run = mo.run("-x.toml", "-out", until=0.01)
            self.assertEqual(run.path.name, "-out")
            mo.draw(run, "-picture.png")
            self.assertTrue(pathlib.Path("-picture.png").exists())
            self.refuses(lambda: mo.run("--help", "zz"), "--help", error=mo.ProgramError)
        finally:
            os.chdir(here)
        self.refuses(lambda: mo.load("a\udcff"), "a\udcff", error=mo.SceneError)
        self.refuses(lambda: mo.open("a\udcff"), "a\udcff", error=mo.StoreError)

    def test_a_matrix_that_no_masses_make_is_refused(self):
        for matrix in (np.zeros((2, 2)), -np.eye(2), np.diag([1.0, 0.0]), np.array([[1.0, 2.0], [2.0, 1.0]])):
            self.refuses(lambda: mo.gauss_seidel(matrix, -np.ones(2), [0.5]), "contact 0", "positive definite")
        apart = np.eye(4)
        apart[0, 2] = apart[2, 0] = -1.5
        self.refuses(lambda: mo.gauss_seidel(apart, -np.ones(4), 0.5), "positive semi-definite")
        apart[0, 2] = apart[2, 0] = -1.0  # a body squeezed between two: one mass, two contacts
        self.assertEqual(mo.gauss_seidel(apart, np.array([-1.0, 0.0, 1.0, 0.0]), 0.5)["converged"], True)

    def test_counts_and_bodies_that_do_not_exist(self):
        course = mo.Course(mo.Scene(FALLING), threads=1)
        self.refuses(lambda: course.run(steps=-5), "steps is -5")
        self.refuses(lambda: course.run(steps=1.5), error=TypeError)
        self.refuses(lambda: mo.Random(-1), "seed is -1")
        self.refuses(lambda: course.bodies.push(-1, [1, 0, 0]), "0 to 0", error=IndexError)
        self.refuses(lambda: course.bodies.push([0, 1], [1, 0, 0]), error=IndexError)
        self.refuses(lambda: course.set_contacts([(0, 0)], [[0, 0, 1]], [[0, 0, 0]]), "itself")
        course = mo.Course(mo.Scene({**FALLING, "wall": {"plane": {"point": [0, 0, -9], "normal": [0, 0, 1]}}}), threads=1)
        for normal in ([0, 0, 0], [0, 0, 2]):
            self.refuses(lambda: course.set_contacts([(0, ~0)], [normal], [[0, 0, 0]]), "the normal of (0, -1) has the length")
        up = [0, 0, 1]
        self.refuses(lambda: course.set_contacts([(0, ~0)] * 3, [up] * 3, [up] * 3), "(0, -1) is given twice")
        self.refuses(lambda: mo.Scene(5), "int", "load", error=TypeError)
        itself = {"dimension": 2}
        itself["a"] = itself
        self.refuses(lambda: mo.Scene(itself), "hold themselves")
        self.refuses(lambda: mo.ks_test([1], [float("nan")]), "the other sample has 1 values, 1 of which is not a number")
        self.refuses(lambda: mo.ks_test([], "norm"), "the first sample has 0 values")
        (self.folder / "s.toml").write_text(POURED)
        frames = mo.run(self.folder / "s.toml", self.folder / "run", until=0.01).frames
        for number in ("a", 1.5, None):
            self.refuses(lambda: frames[number], "frames have numbers", error=TypeError)

    def test_settings_are_a_dictionary(self):
        file = self.write("s.toml", POURED)
        for settings in ("law.friction=0.3", ["law.friction=0.3"], 5, ""):
            for call in (lambda: mo.load(file, settings), lambda: mo.Scene(POURED, settings), lambda: mo.run(file, self.folder / "run", settings),
                         lambda: mo.sweep(file, settings, folder=self.folder / "out")):
                self.refuses(call, f"settings is {settings!r}; accepted: a dictionary, as {{\"law.friction\": ", error=TypeError)
        self.refuses(lambda: mo.sweep(file, {"law.friction": [0.1]}, values="a=max(time)"), "values is 'a=max(time)'; accepted: a dictionary", error=TypeError)
        self.assertEqual([f.name for f in self.folder.iterdir()], ["s.toml"])

    def test_a_body_named_twice_is_pushed_twice(self):
        course = mo.Course(mo.Scene(FALLING), threads=1)
        before = course.bodies.velocity.copy()
        course.bodies.push([0, 0], [[0, float(course.bodies.mass[0]), 0]])
        np.testing.assert_allclose(course.bodies.velocity - before, [[0, 2, 0]])

    def test_gravity_is_a_vector_or_downwards(self):
        course = mo.Course(mo.Scene(FALLING), threads=1)
        course.gravity = 3
        self.assertEqual(course.gravity, (0.0, 0.0, -3.0))
        self.refuses(lambda: setattr(course, "gravity", [1, 2]), "2 components")

    def test_old_arrays_are_refused_in_comparisons_and_loops(self):
        course = self.pour()
        old, rows = course.bodies.position, iter(course.bodies.position)
        next(rows)
        count = len(course.bodies)
        course.run()
        self.assertGreater(len(course.bodies), count)
        self.refuses(lambda: old == old, error=mo.StaleView)
        self.refuses(lambda: old != 0.0, error=mo.StaleView)
        self.refuses(lambda: next(rows), error=mo.StaleView)
        new = course.bodies.position
        self.assertTrue((new == new.copy()).all())

    def test_a_scene_goes_to_other_processes(self):
        scene = mo.Scene(POURED)
        other = pickle.loads(pickle.dumps(scene))
        courses = [mo.Course(s, threads=1) for s in (scene, other)]
        for course in courses:
            course.run(steps=50)
        self.assertEqual(courses[0].hash, courses[1].hash)

    def test_tables(self):
        run = self.pour().save(self.folder / "run")
        self.refuses(lambda: run.measures["lod"], "no measure 'lod'", error=KeyError)
        self.refuses(lambda: self.pour().save(self.folder / "run"), "force=True", error=mo.StoreError)
        table = mo.Table({"a": [1, 2, 3], "b": [4, 5, 6]})
        self.assertIn("3 rows and 2 columns", repr(table))
        pandas = types.SimpleNamespace(DataFrame=lambda columns: {name: list(values) for name, values in columns.items()})
        with unittest.mock.patch.dict(sys.modules, pandas=pandas):
            self.assertEqual(table.to_pandas(), {"a": [1, 2, 3], "b": [4, 5, 6]})
        self.assertRegex(mo.__version__, r"^\d+\.\d+")
