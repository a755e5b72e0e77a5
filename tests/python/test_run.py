"""Runs on the disk, measures, equilibrium, contact problems, pictures."""
import csv
import json
import os
import signal
import threading
import time
import unittest
import urllib.request

import numpy as np

import moreau as mo
from scenes import FALLING, POURED, PRESSED, FolderTest


class RunTest(FolderTest):
    @classmethod
    def setUpClass(cls):
        cls.shared = FolderTest("setUp")
        cls.shared.setUp()
        cls.addClassCleanup(cls.shared.doCleanups)
        text = POURED + '[[measure]]\nquantity = "coordination"\nevery = 0.05\n'
        cls.run_ = mo.run(mo.Scene(text), cls.shared.folder / "run", threads=1)

    def test_frames_series_and_measures(self):
        run = self.run_
        self.assertEqual(len(run.frames), 5)
        self.assertEqual(run.frames[-1].step, 200)
        self.assertEqual([frame.step for frame in run.frames[1:3]], [50, 100])
        with self.assertRaises(IndexError):
            run.frames[5]
        self.assertEqual(run.series["step"][-1], 200)
        self.assertEqual(run.series.time[0], 1e-3)
        self.assertEqual(list(run.measures), ["coordination"])
        self.assertTrue(run.summary["complete"])
        with self.assertRaisesRegex(KeyError, "no column 'stpe'"):
            run.series["stpe"]

    def test_a_signal_to_python_alone_ends_the_run_too(self):
        folder = self.shared.folder / "stopped"

        def signal_when_it_goes():
            while not (folder / "series.csv").exists():
                time.sleep(0.02)
            os.kill(os.getpid(), signal.SIGINT)

        other = threading.Thread(target=signal_when_it_goes)
        other.start()
        with self.assertRaises(KeyboardInterrupt):
            mo.run(mo.Scene(POURED, {"time.duration": 60.0, "source[1].rate": 0.001}), folder, threads=1)
        other.join()
        self.assertEqual(mo.open(folder).summary["outcome"], "interrupted")

    def test_events_of_the_quasi_static_engine_are_a_table(self):
        self.assertEqual(self.run_.events.rows, 0)
        scene = mo.Scene(PRESSED, {"phase[load].duration": 1.0})
        run = mo.run(scene, self.shared.folder / "events", threads=1)
        events = run.events
        self.assertGreater(events.rows, 1)
        np.testing.assert_array_equal(events.contacts, events.freedoms)
        np.testing.assert_allclose(events.load_upright, 1.0 + 0.2 * events.time, rtol=1e-12)
        self.assertTrue((np.diff(events.strain_upright) >= 0.0).all())

    def test_quantities_are_those_of_the_program(self):
        folder = self.shared.folder
        done = self.shared.moreau("measure", folder / "run", "stress", "--region", "layers:0.2", "--csv", folder / "stress.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = list(csv.DictReader(open(folder / "stress.csv")))
        table = mo.measure(self.run_, "stress", region="layers:0.2")
        self.assertEqual(table.rows, len(rows))
        for name in table.columns:
            if table[name].dtype.kind == "f":
                np.testing.assert_array_equal(table[name], [float(row[name]) for row in rows], err_msg=name)
        with self.assertRaisesRegex(ValueError, "there is no quantity 'stres', .*; did you mean 'stress'"):
            mo.measure(self.run_, "stres")
        with self.assertRaisesRegex(ValueError, "of 'heap' tell .*'slope'"):
            mo.measure(self.run_, "heap")
        with self.assertRaisesRegex(ValueError, "region"):
            mo.measure(self.run_, "stress", region="layer:a")
        with self.assertRaisesRegex(TypeError, "no option 'regoin'"):
            mo.measure(self.run_, "stress", regoin="all")

    def test_files_that_h5py_holds_open_are_read_all_the_same(self):
        import h5py

        with h5py.File(self.run_.path / "trajectory.h5") as trajectory:
            held = trajectory["frame_000004"]["bodies/position"]
            again = mo.open(self.run_.path)
            np.testing.assert_array_equal(again.frames[-1].position, held[:])
            self.assertEqual(mo.measure(again, "coordination").rows, 1)
            np.testing.assert_array_equal(held[:], again.frames[-1].position)  # theirs is as open as before
        mo.measure(self.run_, "coordination")

    def test_a_course_is_saved_as_a_run(self):
        folder = self.shared.folder
        course = mo.Course(self.run_.scene, threads=1)
        course.run(until=0.1)
        saved = course.save(folder / "saved", force=True)
        self.assertEqual(saved.summary["state_hash"], course.hash)
        np.testing.assert_array_equal(saved.frames[-1].position, course.bodies.position)
        mo.draw(saved, folder / "saved.png")
        mo.draw(course, folder / "course.png")  # the same picture without a folder of its own
        self.assertEqual((folder / "course.png").read_bytes(), (folder / "saved.png").read_bytes())
        self.assertEqual(mo.measure(saved.path, "coordination")["contacts"][0], mo.measure(saved, "coordination")["contacts"][0])
        done = self.shared.moreau("resume", folder / "saved")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(mo.open(folder / "saved").summary["state_hash"], self.run_.summary["state_hash"])
        with self.assertRaises(mo.StoreError):
            course.save(folder / "saved")
        course.save(folder / "saved", force=True)

    def test_reports_say_what_they_are(self):
        report = self.run_.course(threads=1).report
        self.assertIn("converged in", repr(report.certificate))
        self.assertIn("kinetic", repr(report.energy))
        self.assertIn("solve", repr(report.timings))

    def test_a_course_is_measured_as_its_frame_is(self):
        course = self.run_.course(threads=1)
        one, two = mo.measure(course, "coordination"), mo.measure(self.run_.frames[-1], "coordination")
        self.assertEqual({k: v.tolist() for k, v in one.items()}, {k: v.tolist() for k, v in two.items()})

    def test_averages_are_over_all_steps(self):
        course, other = self.run_.course(threads=1), mo.Course(self.run_.scene, threads=1)
        with self.assertRaisesRegex(ValueError, "the course is over"):
            mo.average(course, "stress", 0.1)
        other.run(until=0.1)
        twin = mo.Course(self.run_.scene, threads=1)
        twin.run(until=0.1)
        mean, deviation = mo.average(other, "coordination", 0.02)
        self.assertEqual(other.step_number, 120)
        each = [mo.measure(twin, "coordination") for _ in twin.steps(until=0.12)]
        self.assertEqual(len(each), 20)
        name = next(name for name in mean.columns if mean[name].dtype.kind == "f")
        self.assertAlmostEqual(float(mean[name][0]), sum(float(t[name][0]) for t in each) / 20, places=12)
        self.assertGreaterEqual(float(deviation[name][0]), 0.0)

    def test_every_quantity_can_be_asked_for(self):
        for name in mo.quantities(2):
            try:
                mo.measure(self.run_.frames[-1], name, since=self.run_.frames[0])
            except RuntimeError as refusal:  # one sentence, as a heap that is none
                self.assertTrue(str(refusal).startswith(f"{name}: "), refusal)

    def test_quantities_of_two_instants_compare_a_run_with_its_first_frame(self):
        first, last = self.run_.frames[0], self.run_.frames[-1]
        expected = mo.measure(last, "displacements", since=first)
        for what in (self.run_, self.run_.path, str(self.run_.path)):
            found = mo.measure(what, "displacements")
            self.assertEqual(list(found), list(expected))
            self.assertTrue((found["displacement_x"] == expected["displacement_x"]).all())
        with self.assertRaisesRegex(ValueError, "give the earlier one as `since`"):
            mo.measure(last, "displacements")

    def test_xarray_holds_all_frames(self):
        try:
            import xarray  # noqa: F401
        except ImportError:
            self.skipTest("python3-xarray is not installed")
        data = self.run_.to_xarray()
        self.assertEqual(data.position.shape, (5, len(self.run_.frames[-1]), 2))
        np.testing.assert_array_equal(data.position[-1], self.run_.frames[-1].position)
        self.assertTrue(np.isnan(data.position[0, -1]).all())  # not yet there
        np.testing.assert_array_equal(data.spin[-1], self.run_.frames[-1].spin)
        np.testing.assert_array_equal(data.mass, self.run_.frames[-1].mass)
        measured = mo.measure(self.run_, "coordination").to_xarray("region")
        self.assertEqual(float(measured.contacts[0]), mo.measure(self.run_, "coordination")["contacts"][0])
        series = self.run_.series.to_xarray("time")
        np.testing.assert_array_equal(series.contacts, self.run_.series["contacts"])
        named = mo.run(mo.Scene({**FALLING, "units": {"length": "cm", "time": "s"}}), self.shared.folder / "named", until=0.01)
        self.assertEqual(named.to_xarray().attrs["unit_of_length"], "cm")

    def test_a_run_is_shown_in_the_browser_and_in_notebooks(self):
        with self.run_.view(height=300) as viewer:
            with urllib.request.urlopen(viewer.address, timeout=60) as page:
                self.assertIn(b"<canvas", page.read())
            self.assertIn(f'<iframe src="{viewer.address}"', viewer._repr_html_())
        with self.assertRaises(OSError):
            urllib.request.urlopen(viewer.address, timeout=60)
        both = mo.view(self.run_, self.run_)
        with urllib.request.urlopen(both.address + "runs", timeout=60) as answer:
            self.assertEqual(json.load(answer)["runs"], 2)
        process = both._process
        del both  # ends with the object
        self.assertIsNotNone(process.wait(60))
        file = self.run_.export(self.shared.folder / "run.html", frames=2)
        self.assertIn(b"data-path", file.read_bytes())

    def test_pictures_are_those_of_the_program(self):
        picture = mo.draw(self.run_, self.shared.folder / "a.png", colour="speed", no_forces=True)
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
        curves = mo.draw([self.run_, self.run_], self.shared.folder / "a.svg", y="contacts", only="time>0.1")
        self.assertIn(b"<svg", curves.read_bytes())
        with self.assertRaisesRegex(mo.ProgramError, "frame 99 does not exist"):
            mo.draw(self.run_, self.shared.folder / "b.png", frame=99)

    def test_results_of_a_run_whose_scene_was_edited_are_refused(self):
        run = mo.run(self.write("s.toml", POURED), self.folder / "run", until=0.05)
        self.assertGreater(run.series.rows, 0)
        scene = self.folder / "run" / "scene.toml"
        whole = scene.read_text()
        scene.write_text(whole.replace("friction = 0.4", "friction = 0.6"))
        edited = mo.open(self.folder / "run")
        for name in ("scene", "series", "measures", "events", "summary"):
            with self.assertRaisesRegex(mo.StoreError, "was changed since the checkpoint of this run was computed"):
                getattr(edited, name)
        scene.write_text(whole)
        self.assertEqual(mo.open(self.folder / "run").summary["step"], 50)

    def test_what_is_no_run_is_refused(self):
        with self.assertRaises(mo.StoreError):
            mo.open(self.shared.folder)
        with self.assertRaises(mo.ProgramError) as caught:
            mo.run(mo.Scene(FALLING), self.shared.folder / "run")
        self.assertEqual(caught.exception.status, 1)


class StaticsTest(FolderTest):
    def test_a_ball_on_the_floor_is_at_rest_and_one_in_the_air_is_not(self):
        floor = {**FALLING, "wall": [{"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}],
                 "grain": [{"position": [0.0, 0.0, 0.5], "radius": 0.5}]}
        scene = mo.Scene(floor)
        found = mo.equilibrium(scene)
        self.assertTrue(found["possible"])
        weight = 10.0 * mo.Course(scene, threads=1).bodies.mass[0]
        np.testing.assert_allclose(found["force"][0], [0, 0, weight], rtol=1e-9, atol=1e-9 * weight)
        self.assertFalse(mo.equilibrium(mo.Scene(FALLING))["possible"])

    def test_a_problem_of_a_step_is_solved(self):
        file = self.write("a.toml", POURED)
        done = self.moreau("run", file, "--out", "run", "--dump-problem", 150, "--until", 0.16, "--threads", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        problem = self.folder / "run" / "problem_000150.hdf5"
        found = mo.solve(problem, tolerance=1e-9)
        self.assertTrue(found["converged"])
        self.assertLess(found["error"], 1e-9)
        self.assertTrue((found["impulse"][:, 0] >= -1e-12).all())
        with self.assertRaisesRegex(ValueError, "there is no solver 'ato'; did you mean 'auto'"):
            mo.solve(problem, solver="ato")
        with self.assertRaises(mo.StoreError):
            mo.solve(file)


if __name__ == "__main__":
    unittest.main()
