#!/usr/bin/python3
"""What stepping from Python costs: a loop that takes every step by itself, reads its report and looks at the array of positions,
beside what the library itself computes in these steps. Processor time of one thread.

usage: PYTHONPATH=build/python bench/python_cost.py [--balls 100000] [--steps 20]
"""
import argparse
import time

import moreau as mo

parser = argparse.ArgumentParser()
parser.add_argument("--balls", type=int, default=100000)
parser.add_argument("--steps", type=int, default=20)
options = parser.parse_args()

side = 1.02 * round(options.balls ** (1 / 3) + 0.5) / 2
course = mo.Course(mo.Scene({
    "dimension": 3, "seed": 1, "gravity": 9.81, "time": {"step": 2e-3, "duration": 100.0}, "material": {"density": 1.0}, "law": {"friction": 0.3},
    "wall": {"name": "box", "box": {"min": [-side, -side, -side], "max": [side, side, side]}},
    "grains": [{"arrangement": "lattice", "count": options.balls, "diameter": {"uniform": [0.8, 1.0]}, "random_speed": 3.0}]}), threads=1)
course.run(steps=100)

inside, advance = 0.0, course._core.advance


class Watched:
    """The course of the extension, with the time spent in steps."""

    def __getattr__(self, name):
        return getattr(core, name)

    def advance(self, *arguments):
        global inside
        start = time.thread_time()
        advance(*arguments)
        inside += time.thread_time() - start


core, course._core = course._core, Watched()
start, highest = time.thread_time(), 0.0
for _ in range(options.steps):
    report = course.step()
    highest = max(highest, float(course.bodies.position[0, 2]), report.max_speed, report.certificate.relative_residual, report.energy.kinetic)
loop = time.thread_time() - start
start = time.thread_time()
for _ in range(options.steps):
    advance(None, 0)  # the way in and out without a step
way = time.thread_time() - start
cost, step = (loop - inside + way) / options.steps, inside / options.steps
print(f"{options.balls} balls, {report.contacts} contacts: {step:.3g} s a step, {1e3 * cost:.3g} ms of it more by Python: {100 * cost / step:.2g} %")
