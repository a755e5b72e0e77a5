#!/usr/bin/env python3
"""What the floor of a silo bears when discs are dropped into it one by one, and what it could bear.

    PYTHONPATH=build/python /usr/bin/python3 bench/silo.py [--seeds 8] [--steps 4e-3 2e-3 1e-3]

Printed for each step h: share of the weight on the floor, mean and standard deviation over the seeds, as the program computes it and
with another memory (below); and for the last packing the least and the largest share that any forces in balance within Coulomb's cones
allow, by linear programs. The other memory: a contact begins from its impulse of the last step or of the one before, whichever has the
smaller normal part, so that the impulse of a shock is not taken for a force.

And what it bears when the floor is withdrawn afterwards, as Janssen's law asks for: 1 cm/s for 1 s, then slower and slower to rest over 2 s,
so that the discs slide down along the walls and friction acts upwards. Shares before, while it sinks (mean from 0.3 to 1 s) and 1 s after it has come to rest.
"""
import argparse

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import lil_matrix

import moreau as mo

GRAVITY, FRICTION = 9.81, 0.5
SCENE = """dimension = 2
seed = {seed}
gravity = 9.81
time = {{ step = {h}, duration = 12.0 }}
material = {{ density = 1000 }}
law = {{ friction = 0.5 }}
[[wall]]
name = "silo"
box = {{ min = [-0.3, 0], max = [0.3, 5], open = ["top"] }}
[[source]]
rate = 10
end = 9.0
diameter = {{ uniform = [0.08, 0.12] }}
centre = [0, 0]
spread = 0.2
"""


# The same with a floor of its own that sinks from 11 s on.
SPEED, PAUSE, SLOWING = 0.01, 11.0, 2.0
SINKING = SCENE.replace("duration = 12.0", "duration = 15.0").replace('open = ["top"]', 'open = ["top", "bottom"]') + """[[motion]]
name = "sink"
kind = "table"
times = {times}
positions = {positions}
[[wall]]
name = "floor"
plane = {{ normal = [0, 1] }}
motion = "sink"
"""


def sunk(t):
    """Depth of the floor t after it began."""
    slowing = min(t - 1.0, SLOWING)
    return SPEED * (t if t < 1.0 else 1.0 + slowing - slowing**2 / (2.0 * SLOWING))


def withdraw(seed, h):
    since = [0.05 * k for k in range(61)]
    text = SINKING.format(seed=seed, h=h, times=[PAUSE + t for t in since], positions=[[0.0, -sunk(t)] for t in since])
    course = mo.Course(mo.Scene(text), threads=1)
    course.run(until=PAUSE - 2 * h)
    before, sinking = share(course), []
    for t in np.arange(PAUSE + 0.3, PAUSE + 1.0, 0.02):
        course.run(until=t)
        sinking.append(share(course))
    course.run()
    return before, np.mean(sinking), share(course)


def fill(seed, h, smaller):
    course = mo.Course(mo.Scene(SCENE.format(seed=seed, h=h)), threads=1)
    before = {}
    while not course.over:
        course.step()
        if not smaller:
            continue
        contacts = course.contacts
        normal, pairs = np.asarray(contacts.normal_force), list(zip(contacts.a.tolist(), contacts.b.tolist()))
        then = np.array([before.get(pair, 0.0) for pair in pairs])
        before = dict(zip(pairs, normal.tolist()))
        if pairs:
            course.set_impulses(h * np.where(normal > then, then / np.maximum(normal, 1e-300), 1.0)[:, None] * contacts.force)
    return course


def on_floor(contacts):
    return (contacts.b < 0) & (contacts.normal[:, 1] > 0.5)


def share(course):
    contacts = course.contacts
    return contacts.force[on_floor(contacts), 1].sum() / (course.bodies.mass.sum() * GRAVITY)


def possible(course):
    """Least and largest share of the floor: unknowns are the normal and tangential force of every contact."""
    contacts, mass = course.contacts, np.asarray(course.bodies.mass)
    n, count = np.asarray(contacts.normal), len(contacts.a)
    t = np.stack([-n[:, 1], n[:, 0]], axis=1)
    balance, cones = lil_matrix((3 * len(mass), 2 * count)), lil_matrix((2 * count, 2 * count))
    for c, (a, b) in enumerate(zip(contacts.a, contacts.b)):
        for k, direction in enumerate((n[c], t[c])):
            for body, sign in ((a, 1.0), (b, -1.0)) if b >= 0 else ((a, 1.0),):
                balance[3 * body, 2 * c + k] += sign * direction[0]
                balance[3 * body + 1, 2 * c + k] += sign * direction[1]
                balance[3 * body + 2, 2 * c + k] -= k  # moments over radii: both bodies are turned the same way
        cones[2 * c, 2 * c], cones[2 * c, 2 * c + 1] = -FRICTION, 1.0
        cones[2 * c + 1, 2 * c], cones[2 * c + 1, 2 * c + 1] = -FRICTION, -1.0
    weight = np.zeros(3 * len(mass))
    weight[1::3] = mass * GRAVITY
    cost = np.zeros(2 * count)
    cost[0::2] = on_floor(contacts) / weight.sum()
    bounds = [(0, None), (None, None)] * count
    return [sign * linprog(sign * cost, cones.tocsr(), np.zeros(2 * count), balance.tocsr(), weight, bounds, method="highs").fun for sign in (1, -1)]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seeds", type=int, default=8)
    p.add_argument("--steps", type=float, nargs="+", default=[4e-3, 2e-3, 1e-3])
    a = p.parse_args()
    for h in a.steps:
        for smaller in (False, True):
            courses = [fill(seed, h, smaller) for seed in range(1, a.seeds + 1)]
            shares = [share(course) for course in courses]
            low, high = possible(courses[0])
            print(f"h = {h:g} s, {'smaller of two impulses' if smaller else 'as it is':23s}: floor {np.mean(shares):.2f} +- {np.std(shares, ddof=1):.2f}; seed 1: {shares[0]:.2f}, "
                  f"possible {low:.2f} to {high:.2f}", flush=True)
        rows = np.array([withdraw(seed, h) for seed in range(1, a.seeds + 1)])
        words = (f"{mean:.2f} +- {deviation:.2f}" for mean, deviation in zip(rows.mean(axis=0), rows.std(axis=0, ddof=1)))
        print(f"h = {h:g} s, floor withdrawn: before {next(words)}, while it sinks {next(words)}, at rest again {next(words)}", flush=True)


if __name__ == "__main__":
    main()
