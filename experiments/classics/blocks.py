"""The rocking block (Moreau 1994, sec. 6; 2003, sec. 6; 2004, sec. 7.5): restitution 0 at both corners, and yet it rocks."""

import numpy as np

import moreau as mo
from moreau.experiment import Laboratory, Section, compared, stated


def housner(a, b):
    return 1.0 - 1.5 * b * b / (a * a + b * b)


def landing(lab, half_height, friction):
    """Spin after / spin before when a block of half-width 1 that turns about its left corner lands on the right one."""
    course = mo.Course(lab.scene("block", {"block.size": [2, 2 * half_height], "block.position": [0, half_height],
                                           "law.friction": friction}), threads=1)
    course.bodies.writable("spin")[0] = -1.0
    course.bodies.writable("velocity")[0] = half_height, -1.0  # spin x (1, half_height)
    course.step()
    return -float(course.bodies.spin[0])


def rock(lab, half_width, half_height, tilt=0.12):
    """From a tilt on the left corner until the end of the scene: times, angles, and ratios of spins at the first impacts."""
    x = -half_width + half_width * np.cos(tilt) - half_height * np.sin(tilt)
    y = half_width * np.sin(tilt) + half_height * np.cos(tilt) + 1e-12
    course = mo.Course(lab.scene("rocking", {"block.size": [2 * half_width, 2 * half_height],
                                             "block.position": [round(x, 12), round(y, 12)]}), threads=1)
    times, angles, ratios, before = [], [], [], 0.0
    for report in course.steps():
        angle, now = float(course.bodies.orientation[0]), float(course.bodies.spin[0])
        # At an impact the spin changes at once; between impacts by g h at most.
        if abs(angle) < 2e-3 and abs(before) > 0.05 and now / before < 0.995 and len(ratios) < 4:
            ratios.append(now / before)
        before = now
        times.append(report.time)
        angles.append(angle)
    return times, angles, ratios


def rocking_block(lab: Laboratory) -> Section:
    section = Section("Rocking block", [
        "A block turns about its left corner and lands on the right one; all restitutions are 0. Newton's rule at each corner would stop "
        "it. With the formal velocity the left contact may open: half-height a, half-width b, the block goes on with the share "
        "1 - (3/2) b²/(a² + b²) of its spin if friction holds the right corner (Housner), and (a² - 2b²)/(a² + 4b²) without friction. "
        "Below a/b = 1/√2 (√2 without friction) both corners stay."], [
        compared("a/b = 2, friction 0: spin after / before", 0.25, landing(lab, 2.0, 0.0), 1e-5),
        compared("a/b = 2, friction 0.2: spin after / before", 0.470588, landing(lab, 2.0, 0.2), 1e-5),
        compared("a/b = 2, friction 0.36: spin after / before", 0.7, landing(lab, 2.0, 0.36), 1e-5),
        compared("a/b = 4, friction 0.2: spin after / before", housner(4, 1), landing(lab, 4.0, 0.2), 1e-5),
        compared("a/b = 0.70, friction 1: no rocking", 0.0, landing(lab, 0.70, 1.0), 1e-5),
        compared("a/b = 0.72, friction 1: rocks", housner(0.72, 1), landing(lab, 0.72, 1.0), 1e-5),
        compared("a/b = 1.40, friction 0: no rocking", 0.0, landing(lab, 1.40, 0.0), 1e-5)])
    slender, squat = rock(lab, 0.25, 1.0), rock(lab, 0.5, 0.3)
    section.rows += [compared(f"slender block let go: spin ratio at impact {i}", housner(1.0, 0.25), ratio, 5e-3)
                     for i, ratio in enumerate(slender[2], 1)]
    rebound = min(0.0, *squat[1])
    section.rows.append(stated("squat block (a/b = 0.6) let go", "one episode, then permanent contact",
                               f"largest tilt to the other side {-rebound:.1e} rad", rebound > -1e-4))
    with lab.axes(section, "rocking-block.svg", "Damped rocking of a slender block; a squat one falls back and stays. Friction 0.8.",
                  shape=0.4, title="Blocks let go from a tilt of 0.12 rad", xlabel="time [s]", ylabel="tilt [rad]") as axes:
        axes.plot(slender[0][::10], slender[1][::10], label="a/b = 4")
        axes.plot(squat[0][::10], squat[1][::10], label="a/b = 0.6")
    return section
