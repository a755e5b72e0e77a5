"""Balls: superball and three-parameter collisions, accumulation of bounces, Newton's chain."""

import numpy as np

import moreau as mo
from moreau.experiment import Laboratory, Section, compared, measured

BALL = {"dimension": 3, "gravity": 0, "time": {"step": 1e-3, "duration": 2.0}, "material": {"density": 1.0},
        "solver": {"tolerance": 1e-12, "unbalanced_tolerance": 1e-9, "max_sweeps": 20000}}


def bounce(lab, friction, restitution, tangential):
    """A ball of radius and mass 1 arrives at (1, 0, -1) without spin: its velocity and spin after, kinetic energy after / before."""
    arrival = np.array([1.0, 0.0, -1.0])
    course = mo.Course(lab.scene("ball", {"law.friction": friction, "law.restitution": restitution,
                                          "law.tangential_restitution": tangential,
                                          "grain.position": list(np.array([0.0, 0.0, 1.0]) - 0.5e-3 * arrival),  # touches at the midpoint
                                          "grain.velocity": list(arrival)}), threads=1)
    course.step()
    velocity, spin = course.bodies.velocity[0].copy(), course.bodies.spin[0].copy()
    return velocity, velocity - np.cross(spin, [0, 0, 1]), spin[1], course.report.energy.kinetic / 1.0


def superball(lab: Laboratory) -> Section:
    super_, slides, sticks = bounce(lab, 1, 1, 1), bounce(lab, 0.1, 0.8, 0.4), bounce(lab, 0.3, 0.5, 0)
    return Section("Superball and other bounces", [
        "A ball (I = 2/5 m r²) without spin meets a fixed floor at velocity (1, -1), horizontal and vertical. With both restitutions and "
        "friction 1 its spin and its horizontal velocity exchange and no energy is lost: the superball."], [
        compared("superball: horizontal velocity after", 3.0 / 7.0, super_[0][0], 1e-12),
        compared("superball: spin after", 10.0 / 7.0, super_[2], 1e-12),
        compared("superball: kinetic energy after / before", 1.0, super_[3], 1e-12),
        compared("ρ 0.8, τ 0.4, friction 0.1 (slides): velocity of the contact point", 0.37, slides[1][0], 1e-12),
        compared("ρ 0.5, τ 0, friction 0.3 (sticks): horizontal velocity", 5.0 / 7.0, sticks[0][0], 1e-12),
        compared("ρ 0.5, τ 0, friction 0.3 (sticks): velocity of the contact point", 0.0, sticks[1][0], 1e-12)])


def random_impacts(count):
    """Largest deviation from the closed form over random impacts of two free balls, the share of them that stick, and the largest
    change of the total momentum."""
    random = mo.Random(5)
    deviation = stuck = change = 0.0
    for _ in range(count):
        friction, restitution, tangential = (random.uniform() for _ in range(3))
        while True:
            normal = np.array([random.uniform(-1, 1) for _ in range(3)])  # towards ball 0
            if 0.1 <= np.linalg.norm(normal) <= 1.0:
                break
        normal /= np.linalg.norm(normal)
        radius, density, velocity, spin = np.empty(2), np.empty(2), np.empty((2, 3)), np.empty((2, 3))
        for k in range(2):
            radius[k] = random.uniform(0.2, 2.0)
            density[k] = random.uniform(0.5, 2.0)
            for d in range(3):
                velocity[k, d] = random.uniform(-1, 1)
                spin[k, d] = random.uniform(-1, 1) / radius[k]
        mass = density * 4.0 / 3.0 * np.pi * radius**3

        def relative(v, w):
            return v[0] - np.cross(radius[0] * w[0], normal) - v[1] - np.cross(radius[1] * w[1], normal)

        if relative(velocity, spin) @ normal > 0.0:
            velocity = velocity[::-1].copy()
        before = relative(velocity, spin)
        if before @ normal > -1e-3:
            continue
        # At the midpoint the two touch, overlapping by next to nothing.
        place = np.array([(radius.sum() - 1e-12) * normal, np.zeros(3)]) - 0.5e-3 * velocity
        course = mo.Course(mo.Scene({**BALL, "law": {"friction": friction, "restitution": restitution, "tangential_restitution": tangential},
                                     "grain": [{"position": list(place[k]), "radius": radius[k], "mass": mass[k], "velocity": list(velocity[k])}
                                               for k in range(2)]}), threads=1)
        course.bodies.writable("spin")[:] = spin
        course.step()
        after = relative(course.bodies.velocity, course.bodies.spin)
        approach, slip = -(before @ normal), before - (before @ normal) * normal
        grip = 3.5 * friction * (1 + restitution) * approach
        sticks = (1 + tangential) * np.linalg.norm(slip) <= grip
        stuck += sticks / count
        expected = restitution * approach * normal + (-tangential * slip if sticks else (1 - grip / np.linalg.norm(slip)) * slip)
        deviation = max(deviation, float(np.linalg.norm(after - expected)))
        change = max(change, float(np.linalg.norm(mass @ course.bodies.velocity - mass @ velocity)))
    return deviation, stuck, change


def bead_impacts(lab: Laboratory) -> Section:
    count = 500 if lab.quick else 5000
    deviation, stuck, change = random_impacts(count)
    return Section("Impacts of two beads", [
        "Two free balls of different sizes and masses meet with random velocities, spins and coefficients. For balls the formal velocity is "
        "the three-parameter law of Walton and of Foerster and others: the approach is reversed to the share ρ; the contact point's slip "
        "is reversed to the share τ if friction suffices, else reduced by 7/2 μ (1 + ρ) times the approach."], [
        compared(f"{count} random impacts: largest deviation of the relative velocity", 0.0, deviation, 1e-12),
        compared("largest change of the total momentum", 0.0, change, 1e-12),
        measured("share of impacts that stick", stuck)])


def ping_pong(lab, h):
    """Times, energies above rest over the initial one, last time at which nothing touches, bounces told apart."""
    course = mo.Course(lab.scene("ping-pong", {"time.step": h}), threads=1)
    mass = float(course.bodies.mass[0])
    start, rest = mass * 9.81 * 1.5, mass * 9.81 * 0.5
    times, energies, end, bounces, touched = [], [], 0.0, 0, False
    for report in course.steps():
        if report.contacts == 0:
            end = report.time
            bounces += touched  # it has left the floor
        touched = report.contacts > 0
        times.append(report.time)
        energies.append((report.energy.kinetic + report.energy.potential - rest) / (start - rest))
    return times, energies, end, bounces


def bounce_accumulation(lab: Laboratory) -> Section:
    section = Section("Ping-pong ball: accumulation of bounces", [
        "A ball dropped from a height H that keeps the share ρ of its speed at each bounce makes infinitely many bounces in the time "
        "sqrt(2H/g) (1 + ρ)/(1 - ρ). A time step that holds many of them treats them as one. Moreau's check: repeat with half the step; if "
        "the curve of energy does not change, no harm was done."])
    exact = np.sqrt(2.0 / 9.81) * 9.0
    # Each flight k has the energy ρ^2k and lasts 2 ρ^k sqrt(2H/g); the fall lasts half of that.
    area = np.sqrt(2.0 / 9.81) * (1.0 + 2.0 * 0.512 / (1.0 - 0.512))
    falls = {h: ping_pong(lab, h) for h in (8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4)}
    steps = list(falls)
    integral = {h: sum(fall[1]) * fall[0][0] for h, fall in falls.items()}
    section.rows += [compared(f"h = {h:g}: end of the bouncing [s]", exact, falls[h][2], 25 * h) for h in steps]
    section.rows += [measured(f"area between the curves of h = {coarse:g} and half of it, over that of the exact curve",
                              abs(integral[fine] - integral[coarse]) / area, "tends to 0") for coarse, fine in zip(steps, steps[1:])]
    section.rows += [compared("area under the energy curve, h = 2.5e-4 [s]", area, integral[2.5e-4], 0.01 * area),
                     measured("bounces told apart, h = 2.5e-4", falls[2.5e-4][3], "infinitely many")]
    with lab.axes(section, "ping-pong.svg", "Step halving: the curves of energy approach each other.", shape=0.5,
                  title="Energy of the ball above its rest", xlabel="time [s]", ylabel="energy / initial energy") as axes:
        for h in (8e-3, 4e-3, 2e-3, 2.5e-4):
            axes.plot(*falls[h][:2], label=f"h = {h:g}")
    return section


def strike(restitution, gap, count, strikers, duration):
    """Velocities along a row after all impacts; the balls are ``gap`` apart, the first ``strikers`` of them arrive at speed 1."""
    grains = [{"position": [i * (1.0 + gap) - (0.5e-3 if gap == 0.0 and i < strikers else 0.0), 0, 0], "radius": 0.5, "mass": 1.0,
               "velocity": [1.0 if i < strikers else 0.0, 0, 0]} for i in range(count)]
    course = mo.Course(mo.Scene({**BALL, "law": {"friction": 0, "restitution": restitution}, "grain": grains,
                                 "solver": {**BALL["solver"], "tolerance": 1e-14}}), threads=1)
    course.step()
    course.run(until=duration)
    return course.bodies.velocity[:, 0].copy()


def newtons_chain(lab: Laboratory) -> Section:
    three, five, half = strike(1.0, 0.0, 3, 1, 0.0), strike(1.0, 0.0, 5, 1, 0.0), strike(0.5, 0.0, 3, 1, 0.0)
    two, gaps, soft = strike(1.0, 0.0, 5, 2, 0.0), strike(1.0, 0.01, 5, 1, 1.0), strike(0.9, 0.01, 5, 1, 1.0)
    return Section("Newton's chain", [
        "A ball strikes a row of equal balls that touch. All contacts are active in the same step; the formal velocity shares the blow among "
        "all, v = 1 - (1 + ρ)(n - 1)/n for the striker and (1 + ρ)/n for the others. Newton's cradle, where the last ball alone leaves, is "
        "not obtained (Alart 2015) unless small gaps make the contacts act one after the other."], [
        compared("3 balls, ρ = 1: striker", -1.0 / 3.0, three[0], 1e-10),
        compared("3 balls, ρ = 1: last ball", 2.0 / 3.0, three[2], 1e-10),
        compared("3 balls, ρ = 0.5: striker", 0.0, half[0], 1e-10),
        compared("5 balls, ρ = 1: striker", -0.6, five[0], 1e-10),
        compared("5 balls, ρ = 1: last ball (cradle: 1)", 0.4, five[4], 1e-10),
        compared("5 balls, ρ = 1: kinetic energy after / before", 1.0, (five**2).sum(), 1e-10),
        compared("2 strikers of 5, ρ = 1: strikers", -0.2, two[0], 1e-10),
        compared("2 strikers of 5, ρ = 1: last ball", 0.8, two[4], 1e-10),
        compared("5 balls with gaps of 1 %, ρ = 1: last ball", 1.0, gaps[4], 1e-10),
        compared("5 balls with gaps of 1 %, ρ = 0.9: last ball, (1.9/2)^4", 0.95**4, soft[4], 1e-10)])
