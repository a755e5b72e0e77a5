"""A course among threads of Python: one steps, others look, nobody harms it."""
import threading
import time

import moreau as mo
from scenes import POURED, FolderTest

LONG = POURED.replace("duration = 0.2", "duration = 20")


class ThreadTest(FolderTest):
    def test_a_second_thread_that_steps_or_changes_gets_a_sentence(self):
        course = mo.Course(mo.Scene(LONG), threads=1)
        made, refused, others = [], [], []

        def step():
            try:
                for _ in range(300):
                    try:
                        course.step()
                        made.append(1)
                    except mo.CourseBusy as error:
                        refused.append(str(error))
            except BaseException as error:
                others.append(error)

        threads = [threading.Thread(target=step) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(others, [])
        self.assertEqual(course.step_number, len(made))
        self.assertTrue(all("being stepped" in sentence for sentence in refused))
        alone = mo.Course(mo.Scene(LONG), threads=1)
        alone.run(steps=len(made))
        self.assertEqual(course.hash, alone.hash)

    def test_others_look_between_two_steps(self):
        course = mo.Course(mo.Scene(LONG), threads=1)
        course.step()
        runner = threading.Thread(target=lambda: course.run(steps=400))
        runner.start()
        looked = 0
        while runner.is_alive():
            frame = course.frame()
            mo.measure(course, "coordination")
            course.contacts, course.hash
            try:
                course.bodies.position.sum()
            except mo.StaleView:  # a source has just brought a body
                pass
            self.assertGreater(frame.time, 0.0)
            for change in (lambda: course.set_law(course.materials[0], friction=0.1), course.step, lambda: course.bodies.writable("velocity")):
                try:
                    change()
                except mo.CourseBusy as error:
                    looked += "being stepped" in str(error)
        runner.join()
        self.assertGreater(looked, 0)

    def test_looking_does_not_wait_for_the_end_of_the_run(self):
        course = mo.Course(mo.Scene(LONG), threads=1)
        runner = threading.Thread(target=lambda: course.run(steps=2000))
        runner.start()
        seen = []
        while runner.is_alive():
            seen.append(course.step_number)
        self.assertEqual(seen, sorted(seen))
        self.assertTrue(any(0 < step < 2000 for step in seen), seen[-3:])  # a look that waited would see nothing but the ends
        runner.join()
        self.assertEqual(course.step_number, 2000)
