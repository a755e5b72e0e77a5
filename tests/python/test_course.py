"""A course stepped from Python: the same bits as the program, arrays without copies, changes between steps."""
import gc
import os
import pickle
import signal
import threading
import time

import numpy as np

import moreau as mo
from scenes import FALLING, POURED, PRESSED, FolderTest

# Two balls above a floor.
STACKED = """\
dimension = 3
gravity = 1
{top}
time = {{ step = 0.01, duration = 2 }}
material = {{ density = 1.0 }}
law = {{ friction = 0.0, restitution = 0.5 }}
wall = {{ name = "floor", plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }} }}
grain = [{{ position = [0, 0, 0.505], radius = 0.5 }}, {{ position = [0.01, 0, 1.52], radius = 0.5 }}]
"""


class CourseTest(FolderTest):
    def test_the_state_is_that_of_the_program(self):
        file = self.write("a.toml", POURED)
        done = self.moreau("run", file, "--out", "run", "--threads", 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        course = mo.Course(mo.load(file), threads=1)
        for _ in course.steps(every=0.03):
            course.bodies.position.sum()  # looking changes nothing
        run = mo.open(self.folder / "run")
        self.assertEqual(course.hash, run.summary["state_hash"])
        self.assertTrue(course.over)
        self.assertEqual(course.report.step, 200)
        np.testing.assert_array_equal(run.frames[-1].position, course.bodies.position)
        half = mo.Course(mo.load(file), threads=2)
        half.run(until=0.1)
        self.assertEqual(half.report.step, 100)
        half.run()
        self.assertEqual(half.hash, course.hash)

    def test_a_phase_that_can_never_end_is_told(self):
        scene = {"dimension": 2, "time": {"step": 0.01}, "material": {"density": 1.0}, "law": {"friction": 0.3},
                 "grain": [{"position": [0.0, 0.0], "radius": 0.1}], "phase": [{"name": "mix", "end": {"travelled": 1.0}}]}
        with self.assertRaisesRegex(mo.CourseError, "phase 'mix' can never end"):
            mo.Course(mo.Scene(scene), threads=1).run()
        course = mo.Course(mo.Scene(scene), threads=1)
        course.run(until=20.0)  # to a time that is given it goes all the same
        self.assertEqual(course.step_number, 2000)

    def test_what_an_engine_cannot_take_ends_the_course(self):
        scene = {"dimension": 2, "engine": "elastic", "time": {"step": 0.1, "duration": 1.0}, "material": {"density": 1.0},
                 "law": {"friction": 0.3, "stiffness": 1e4}, "grain": [{"position": [0.0, 0.0], "radius": 0.1}]}
        with self.assertRaisesRegex(mo.CourseError, "contacts that carry"):
            mo.Course(mo.Scene(scene), threads=1).run()

    def test_a_ball_in_flight(self):
        course = mo.Course(mo.Scene(FALLING), threads=1)
        course.bodies.push(0, [0.0, 3.0 * float(course.bodies.mass[0]), 0.0])
        course.run(until=0.5)
        # The midpoint rule is exact for a uniform force.
        np.testing.assert_allclose(course.bodies.position[0], [0.5, 1.5, 100 - 0.5 * 10 * 0.25], rtol=0, atol=1e-12)
        course.gravity = (0.0, 0.0, 0.0)
        velocity = course.bodies.velocity[0].copy()
        course.run(until=1.0)
        np.testing.assert_array_equal(course.bodies.velocity[0], velocity)
        self.assertLess(abs(course.report.energy.error), 1e-9)

    def test_reports_come_at_the_times_asked_for(self):
        course = mo.Course(mo.Scene(FALLING), threads=1)
        self.assertEqual([r.step for r in course.steps(until=0.5, every=0.1)], [10, 20, 30, 40, 50])
        self.assertEqual([r.step for r in course.steps(until=0.53)], [51, 52, 53])
        self.assertEqual(len(list(course.steps())), 47)
        self.assertEqual(list(course.steps()), [])
        for every in (5e-324, 1e-9, 0.004):  # shorter than a step: each step once
            course = mo.Course(mo.Scene(FALLING), threads=1)
            self.assertEqual([r.step for r in course.steps(until=0.03, every=every)], [1, 2, 3], every)

    def test_numbers_too_large_to_be_squared_are_refused(self):
        for what in ("position", "velocity", "spin"):
            course = mo.Course(mo.Scene(FALLING), threads=1)
            course.bodies.writable(what)[0] = 1e200
            with self.assertRaisesRegex(mo.NotFinite, f"the {what} of body 0 has the magnitude"):
                course.run(steps=1)

    def test_laws_change_between_steps(self):
        scene = {**FALLING, "gravity": 10.0, "wall": [{"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}],
                 "grain": [{"position": [0.0, 0.0, 0.5], "radius": 0.5, "velocity": [1.0, 0.0, 0.0]}]}
        course = mo.Course(mo.Scene(scene), threads=1)
        name = course.materials[0]
        course.set_law(name, friction=0.0)
        course.run(steps=10)
        self.assertAlmostEqual(course.bodies.velocity[0, 0], 1.0, places=12)  # slides freely
        course.set_law(name, friction=0.5)
        course.run()
        self.assertAlmostEqual(course.bodies.velocity[0, 0], 5 / 7, places=6)  # rolls: 5/7 of the speed of sliding
        with self.assertRaisesRegex(ValueError, "friction is -1"):
            course.set_law(name, friction=-1)
        with self.assertRaisesRegex(ValueError, "has no 'fiction' to change; did you mean 'friction'"):
            course.set_law(name, fiction=1)
        with self.assertRaisesRegex(ValueError, "no material 'gold'"):
            course.law("gold")

    def test_a_piston_is_asked_for_a_velocity_a_force_or_a_stress(self):
        scene = {"dimension": 2, "time": {"step": 0.01, "duration": 10.0}, "material": {"density": 1.0}, "law": {"friction": 0.3},
                 "wall": {"name": "box", "box": {"min": [-1, 0], "max": [1, 1]}}, "grain": [{"position": [0, 0.5], "radius": 0.5}],
                 "piston": [{"name": "lid", "walls": ["box.top"], "velocity": 0.0, "area": 2.0},
                            {"name": "side", "walls": ["box.left"], "velocity": 0.0}]}
        course = mo.Course(mo.Scene(scene), threads=1)

        def borne():
            walls = mo.measure(course, "wall-forces")
            return dict(zip(walls["wall"], walls["normal"]))["box.bottom"]

        for asked, force in (({"force": 3.0}, 3.0), ({"stress": 2.0}, 4.0)):
            course.set_piston("lid", **asked)
            course.run(steps=20)
            self.assertAlmostEqual(borne(), force, places=9)
        course.set_piston("lid", 2.5)  # of the kind it has
        course.run(steps=20)
        self.assertAlmostEqual(borne(), 5.0, places=9)
        start = course.pistons["lid"]["displacement"]
        course.set_piston("lid", velocity=-0.1)
        course.run(steps=100)
        self.assertAlmostEqual(course.pistons["lid"]["displacement"] - start, -0.1, places=12)
        self.assertEqual(course.pistons["lid"]["control"], "velocity")
        with self.assertRaisesRegex(ValueError, "'side' was never asked for a stress, so that its face is not known; accepted: a force"):
            course.set_piston("side", stress=1.0)
        with self.assertRaisesRegex(ValueError, "no piston 'lit'; did you mean 'lid'"):
            course.set_piston("lit", 1.0)
        for asked in ({}, {"force": 1.0, "stress": 1.0}):
            with self.assertRaisesRegex(TypeError, "things are asked of piston 'lid'; accepted: one"):
                course.set_piston("lid", **asked)

    def test_other_threads_go_on(self):
        course = mo.Course(mo.Scene(POURED, {"grains.count": 70, "time.duration": 5.0}), threads=1)
        ticks = []
        end = threading.Event()

        def tick():
            while not end.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.002)

        other = threading.Thread(target=tick)
        other.start()
        begin = time.monotonic()
        course.run(steps=600)
        lasted = time.monotonic() - begin
        end.set()
        other.join()
        self.assertGreater(sum(begin < t < begin + lasted for t in ticks), 3)

    def test_ctrl_c_stops_between_two_steps(self):
        course = mo.Course(mo.Scene(POURED, {"time.duration": 1000.0, "source[1].rate": 0.001}), threads=1)
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            course.run()
        timer.join()
        step = course.step_number
        self.assertGreater(step, 0)
        course.step()
        self.assertEqual(course.step_number, step + 1)

    def test_the_vectors_of_a_periodic_cell(self):
        text = ('dimension = 2\ntime = { step = 0.01, duration = 1 }\nmaterial = { density = 1 }\nlaw = { friction = 0 }\n'
                'cell = { min = [0, 0], max = [6, 4], rate = { xy = 0.1, yy = -0.05 } }\n[[grain]]\nposition = [1, 1]\nradius = 0.2\n')
        course = mo.Course(mo.Scene(text), threads=1)
        np.testing.assert_allclose(course.cell, [[6, 0], [0, 4]])
        before = course.frame()
        course.run()
        np.testing.assert_allclose(course.cell[1], [2 * (4 - course.cell[1, 1]), 4 * np.exp(-0.05)], rtol=1e-3)
        np.testing.assert_array_equal(course.frame().cell, course.cell)
        np.testing.assert_allclose(before.cell, [[6, 0], [0, 4]])
        half = mo.Course(mo.Scene(text.replace("rate = { xy = 0.1, yy = -0.05 }", 'periodic = ["x"]')), threads=1)
        np.testing.assert_allclose(half.cell, [[6, 0]])
        self.assertIsNone(mo.Course(mo.Scene(POURED), threads=1).cell)

    def test_a_course_that_fails_says_why(self):
        scene = mo.Scene(POURED, {"solver.max_sweeps": 1, "solver.on_limit": "stop", "solver.tolerance": 1e-12,
                                  "time.duration": 2.0, "solver.finish": False})
        course = mo.Course(scene, threads=1)
        with self.assertRaisesRegex(mo.NotConverged, r"step \d+ \(t = .*\) did not converge in 1 sweeps: .*on_limit"):
            course.run()
        with self.assertRaises(TypeError):
            mo.Course("a.toml")


class ViewTest(FolderTest):
    def test_arrays_look_at_the_memory_of_the_course(self):
        course = mo.Course(mo.Scene(FALLING), threads=1)
        position = course.bodies.position
        self.assertEqual(position.shape, (1, 3))
        before = position.copy()
        course.step()
        self.assertNotEqual(position[0, 2], before[0, 2])
        self.assertTrue(np.shares_memory(position, course.bodies.position))
        self.assertFalse(position.flags.writeable)
        with self.assertRaisesRegex(ValueError, "read-only; course.bodies.writable"):
            position[0, 0] = 1.0
        self.assertIs(type(position + 1), np.ndarray)
        self.assertIs(type(position.copy()), np.ndarray)
        self.assertFalse(np.shares_memory(position.copy(), position))

    def test_velocities_can_be_written(self):
        course = mo.Course(mo.Scene(FALLING), threads=1)
        velocity = course.bodies.writable("velocity")
        velocity[0] = [0.0, 2.0, 0.0]
        course.run(until=0.5)
        np.testing.assert_allclose(course.bodies.position[0], [0.0, 1.0, 98.75], rtol=0, atol=1e-12)
        with self.assertRaisesRegex(AttributeError, "'mass' cannot be written; accepted: 'position'"):
            course.bodies.writable("mass")
        with self.assertRaisesRegex(AttributeError, "bodies have no 'positon'; did you mean 'position'"):
            course.bodies.positon

    def test_a_source_makes_old_arrays_unusable(self):
        course = self.pour()
        position, part = course.bodies.position, course.bodies.radius[3:8]
        raw = np.asarray(course.bodies.position)
        count = len(course.bodies)
        while len(course.bodies) == count:
            course.step()
        for use in (lambda: position[0], lambda: position.sum(), lambda: position + 1, lambda: np.mean(position),
                    lambda: part.max(), lambda: position.copy(), lambda: list(part)):
            with self.assertRaisesRegex(mo.StaleView, "a source .* take the array anew"):
                use()
        self.assertIn("no longer", repr(position))
        self.assertEqual(len(course.bodies.position), len(course.bodies))
        self.assertTrue(np.isfinite(raw).all())  # memory without the watch is still whole
        del position, part, raw
        gc.collect()

    def test_memory_that_the_course_has_left_stays_whole(self):
        for rate in ({"rate": 300.0}, {"mass_rate": 600.0}):
            source = {**rate, "diameter": 0.05, "centre": [0, 2], "spread": 1.0}
            scene = mo.Scene({"dimension": 2, "gravity": 9.81, "time": {"step": 1e-3, "duration": 10.0}, "material": {"density": 1000.0},
                              "law": {"friction": 0.3}, "wall": {"plane": {"normal": [0, 1]}}, "source": source})
            course, untouched = mo.Course(scene, threads=1), mo.Course(scene, threads=1)
            for one in (course, untouched):
                one.run(steps=30)
            watched, written = course.bodies.radius, np.asarray(course.bodies.writable("velocity"))
            arrays = {name: np.asarray(getattr(course.bodies, name)) for name in ("radius", "position", "spin", "birth")}
            arrays["velocity"] = written
            count = len(course.bodies)
            while len(course.bodies) == count:
                for name in arrays:
                    np.testing.assert_array_equal(arrays[name], getattr(course.bodies, name))
                left = {name: array.copy() for name, array in arrays.items()}
                course.step(), untouched.step()
            for _ in range(300):  # the memory of the bodies moves more than once
                course.step(), untouched.step()
            self.assertGreater(len(course.bodies), 6 * count, rate)
            for name, values in left.items():
                np.testing.assert_array_equal(arrays[name], values, f"{rate} {name}")
                self.assertFalse(np.shares_memory(arrays[name], getattr(course.bodies, name)))
            written[:] = 1e6
            course.run(steps=50), untouched.run(steps=50)
            np.testing.assert_array_equal(course.bodies.velocity, untouched.bodies.velocity)
            for use in (lambda: watched.item(0), lambda: watched.flat[0], lambda: watched.tobytes(), lambda: watched.nonzero(),
                        lambda: watched.tofile(self.folder / "x"), lambda: pickle.dumps(watched)):
                with self.assertRaisesRegex(mo.StaleView, "a source .* take the array anew"):
                    use()
            new = course.bodies.radius
            self.assertEqual(new.item(0), new.flat[0])
            np.testing.assert_array_equal(pickle.loads(pickle.dumps(new)), new)

    # Engines that try states and keep one of them, and shocks, which are tried on the velocities.
    def test_arrays_follow_the_course_in_every_engine(self):
        lubricated = STACKED.format(top='engine = "lubricated"')
        shocks = STACKED.format(top='contact.shocks = "sequential"')
        for name, text, steps in (("quasi-static", PRESSED, 2000), ("lubricated", lubricated, 20), ("shocks", shocks, 75)):
            course = mo.Course(mo.Scene(text), threads=1)
            arrays = {key: getattr(course.bodies, key) for key in ("position", "velocity", "spin", "orientation", "radius")}
            for step in range(steps):
                if course.over:
                    break
                course.step()
                for key, array in arrays.items():
                    self.assertTrue(np.shares_memory(array, getattr(course.bodies, key)), f"{name}: {key} after step {step + 1}")
            self.assertTrue(course.over or name != "quasi-static")

    def test_names_can_be_completed(self):
        course = mo.Course(mo.Scene(FALLING), threads=1)
        course.step()
        for thing in (course.bodies, course.frame(), course.contacts):
            names = [name for name in dir(thing) if not name.startswith("_")]
            self.assertTrue({"position", "radius", "origin"} <= set(names) or {"normal", "gap", "force", "pair"} <= set(names), names)
            for name in names:
                self.assertTrue(hasattr(thing, name), name)

    def test_arrays_outlive_the_course(self):
        course = self.pour()
        position = course.bodies.position
        values = position.copy()
        del course
        gc.collect()
        np.testing.assert_array_equal(position, values)

    def test_contacts_balance_the_weight(self):
        scene = {**FALLING, "time": {"step": 0.01, "duration": 0.5}, "wall": [{"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}],
                 "grain": [{"position": [0.0, 0.0, 0.5], "radius": 0.5}]}
        course = mo.Course(mo.Scene(scene), threads=1)
        course.run()
        contacts = course.contacts
        self.assertEqual(len(contacts), 1)
        weight = 10.0 * course.bodies.mass[0]
        np.testing.assert_allclose(contacts.force[0], [0, 0, weight], rtol=1e-9, atol=1e-9 * weight)
        self.assertEqual(contacts.pair.tolist(), [[0, ~0]])
        self.assertAlmostEqual(contacts.normal_force[0], weight, places=9)
        kept = course.frame()
        self.assertEqual(kept.time, course.time)
