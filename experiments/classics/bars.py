"""Bars: wedged between converging walls (Moreau 2003, sec. 8.1), and sliding on a tip (Painleve)."""

import numpy as np

import moreau as mo
from moreau.experiment import Laboratory, Section, compared


def wedge(scene, thrust, steps):
    """The bar at rest with horizontal forces of ``thrust`` times its weight at both ends, half the weight each upwards; so many steps.
    Speed after them, and the thrust over the weight that is left."""
    course = mo.Course(scene, threads=1)
    gravity = np.array(course.gravity)
    weight = course.bodies.mass[0] * np.linalg.norm(gravity) * scene.time_step  # of a step, an impulse
    course.gravity = 0 * gravity
    course.step()  # finds the contacts, without loading them
    course.gravity = gravity
    sides = np.sign(course.contacts.normal[:, 0])
    assert len(sides) == 2, "the bar touches the walls at its two ends"
    course.set_impulses([[side * thrust * weight, 0.5 * weight] for side in sides])
    course.run(steps=steps)
    contacts = course.contacts
    left = abs(contacts.impulse[0, 0]) / weight if len(contacts) == 2 else 0.0
    return float(np.linalg.norm(course.bodies.velocity[0])), left


def wedged_bar(lab: Laboratory) -> Section:
    scene = lab.scene("bar", {"time.duration": 1.0})
    exact = 0.5 / np.tan(np.arctan(0.5) - np.radians(10.0))
    fall = 9.81 * scene.time_step
    low, high = 0.0, 4.0  # falls at low, rests at high
    while high - low > 1e-7:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if wedge(scene, middle, 1)[0] < 1e-3 * fall else (middle, high)
    speed, thrust = wedge(scene, 1.5 * exact, 100)
    return Section("Wedged bar", [
        "A heavy bar between two walls that converge upwards at 10 degrees from the vertical, friction 0.5, at rest. Rest and free fall are "
        "both solutions of the problem of one step; what decides is the degree of wedging, the contact forces that the bar brings from its "
        "past. It can rest if its ends are thrust outwards by at least X = mg / (2 tan(phi - beta)), phi the angle of friction and beta "
        "that of the walls. Here the impulses are given before the step, as a previous step would leave them."], [
        compared("least thrust that holds the bar, over its weight (bisection)", exact, high, 1e-6),
        compared("cold start: speed after one step, over g h", 1.0, wedge(scene, 0.0, 1)[0] / fall, 1e-9),
        compared("wedged by 0.99 X: speed after one step, over g h", 1.0, wedge(scene, 0.99 * exact, 1)[0] / fall, 1e-6),
        compared("wedged by 1.5 X: speed after 100 steps, over g h", 0.0, speed / fall, 1e-9),
        compared("wedged by 1.5 X: thrust after 100 steps, over X", 1.5, thrust / exact, 1e-9)])


def first_step(lab, friction, h):
    """Impulse on the tip of the rod in its first step, and the course."""
    course = mo.Course(lab.scene("rod", {"law.friction": friction, "time.step": h, "time.duration": 1.0}), threads=1)
    course.step()
    contacts = course.contacts
    return (contacts.impulse[0] if len(contacts) == 1 else np.zeros(2)), course


def painleve_rod(lab: Laboratory) -> Section:
    section = Section("Painlevé's rod", [
        "A homogeneous rod (half-length 1, mass 1) slides at unit speed on its lower tip, leading with it, at tan(angle) = 2. Beyond "
        "friction 4/3 no continuous motion exists: the tip jams at once, by a finite impulse without any collision, however small the step "
        "(frictional catastrophe). The one-contact problem then has one solution, sticking: impulse (0.4, 0.3)."])
    impulse, course = first_step(lab, 2.0, 1e-8)
    low, high = 0.5, 3.0
    while high - low > 1e-5:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if first_step(lab, middle, 1e-8)[0][1] > 0.1 else (middle, high)
    steps = 10.0 ** np.arange(-8, -1)
    caption = ("Beyond friction 4/3 the impulse of the first step does not depend on the step: an impact without collision. Below, it is "
               "that of a lasting force, proportional to h.")
    with lab.axes(section, "painleve-rod.svg", caption, title="Normal impulse of the first step", xlabel="time step h [s]",
                  ylabel="impulse [N s]", xscale="log", yscale="log") as axes:
        for friction in (2.0, 1.5, 1.2, 1.0):
            axes.plot(steps, [first_step(lab, friction, h)[0][1] for h in steps], label=f"friction {friction}")
    section.rows = [
        compared("friction 2: tangential impulse, h -> 0", 0.4, impulse[0], 1e-4),
        compared("friction 2: normal impulse, h -> 0", 0.3, impulse[1], 1e-4),
        compared("friction 2: horizontal velocity after", -0.6, course.bodies.velocity[0, 0], 1e-4),
        compared("friction 2: spin after (absolute)", 0.67082, abs(course.bodies.spin[0]), 1e-4),
        compared("friction 2: kinetic energy after (0.5 before)", 0.3, course.report.energy.kinetic, 1e-4),
        compared("critical friction (bisection, h = 1e-8)", 4.0 / 3.0, high, 1e-3),
        compared("friction 1: normal impulse / (g h), at h = 1e-6", 1.0 / (1.6 - 1.2), first_step(lab, 1.0, 1e-6)[0][1] / (9.81 * 1e-6),
                 1e-3)]
    return section
