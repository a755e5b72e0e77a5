"""Problems without solution, and shocks in chains. Alart 2015."""

import numpy as np

import moreau as mo
from moreau.experiment import Laboratory, Report, Section, compared, main, measured, stated

KAPPA = 0.5  # I / (m r^2) of the disc


class Answer:
    """Impulses of floor and wall on the ball after a step."""

    def __init__(self, course, normal):
        self.certificate = course.report.certificate
        self.floor_normal = self.floor_tangential = self.wall_normal = 0.0
        contacts = course.contacts
        for wall, impulse in zip(~contacts.b, contacts.impulse):
            if wall == 0:
                self.floor_tangential, self.floor_normal = impulse
            else:
                self.wall_normal = impulse @ normal


def push(lab, friction=0.5, speed=2.0, beta=0.5 * np.pi, pinch=0.0, cap=None, sweeps=3000):
    """One step of the ball at rest in the corner of the floor and a wall at the interior angle ``beta`` that comes at ``speed``. With
    ``pinch`` both contacts are there with the impulses of a ball pinched along the chord. ``cap``: of tangential impulses."""
    normal = np.array([-np.sin(beta), -np.cos(beta)])
    h = 0.0009765625
    # The wall is in its place at the middle of the step, when contacts are looked for.
    point = np.array([0.0, 0.5]) - 0.5 * normal - 0.5 * h * speed * normal
    settings = {"law.friction": friction, "solver.max_sweeps": sweeps, "contact.distance": 1e-12,
                "motion[push].velocity": list(speed * normal),
                "wall[piston].plane": {"point": list(point), "normal": list(normal)}}
    if cap:
        settings["law.friction_cap"] = cap / h  # a force
    course = mo.Course(lab.scene("ball", settings), threads=1)
    if pinch > 0.0:
        on_floor = pinch * np.array([np.tan(0.5 * beta), 1.0])  # the chord makes this slope with both normals
        course.set_contacts([(0, ~1), (0, ~0)], [normal, [0.0, 1.0]], [-on_floor, on_floor + [0.0, 1.0]])
    course.step()
    return Answer(course, normal)


def kind_of(lab, friction, speed):
    cold = push(lab, friction, speed)
    if cold.certificate.unbounded:
        return "no bounded solution"
    warm = push(lab, friction, speed, pinch=1.0)
    if not (cold.certificate.converged and warm.certificate.converged):
        return "undecided"
    return "indeterminate" if abs(warm.wall_normal - cold.wall_normal) > 1e-6 else "one solution"


def map_of_solutions(lab: Laboratory) -> Section:
    section = Section("The ball between walls: which problems have solutions", [
        "A ball lies in the corner of a fixed floor and a wall that is driven towards it. The kernel of the Delassus operator is the "
        "pair of opposite forces along the chord between the contact points; it lies in both friction cones once friction reaches 1. "
        "Exact: friction below 1, one solution; 1 and above, none if the wall moves, and infinitely many if it rests."])
    found: dict[str, list] = {}
    wrong = count = 0
    for friction in np.arange(0.05, 2.0, 0.2 if lab.quick else 0.1):
        for speed in np.arange(0.0, 3.05, 0.5 if lab.quick else 0.25):
            kind = kind_of(lab, friction, speed)
            exact = "one solution" if friction < 1.0 else "indeterminate" if speed == 0.0 else "no bounded solution"
            wrong, count = wrong + (kind != exact), count + 1
            found.setdefault(kind, []).append((friction, speed))
    section.rows.append(compared(f"points of the map, {count} in all, that differ from theory", 0.0, wrong, 0.5))
    caption = ("What the solver says of each problem: it converges to the same impulses from a free and from a pinched start, to "
               "different ones, or its impulses grow without bound.")
    with lab.axes(section, "map.svg", caption, title="Ball between floor and wall", xlabel="friction",
                  ylabel="velocity of the wall / (g h)") as axes:
        for kind in ("one solution", "indeterminate", "no bounded solution", "undecided"):
            if kind in found:
                axes.plot(*zip(*found[kind]), "o", label=kind)
    with lab.axes(section, "growth.svg", "Impulses tend to infinity as friction tends to 1.", title="Impulse on the floor, wall at 2 g h",
                  xlabel="friction", ylabel="normal impulse / (m g h)", yscale="log") as axes:
        curve, points = np.arange(0.0, 0.995, 0.01), np.arange(0.0, 0.995, 0.09)
        axes.plot(curve, 1.0 / (1.0 - curve), label="1 / (1 - friction)")
        axes.plot(points, [push(lab, f, sweeps=20000).floor_normal for f in points], "o", label="computed")
    for friction in (0.5, 0.9, 0.99):
        exact = 1.0 / (1.0 - friction)
        section.rows.append(compared(f"friction {friction}: normal impulse on the floor / (m g h)", exact,
                                     push(lab, friction, sweeps=20000).floor_normal, 1e-6 * exact))
    growth = push(lab, 1.5, sweeps=1001).wall_normal - push(lab, 1.5, sweeps=1000).wall_normal
    section.rows.append(compared("friction 1.5: growth of the impulses per sweep / (m g h), V κ/(1 + 2κ)", 2 * KAPPA / (1 + 2 * KAPPA),
                                 growth, 1e-6))
    section.rows.append(compared("wall at rest, friction 1.5, pinched with 7 m g h: impulse of the wall is kept", 7.0,
                                 push(lab, 1.5, speed=0.0, pinch=7.0).wall_normal, 1e-9))
    section.rows.append(compared("wall at rest, friction 0.9, pinched with 7 m g h: no pinching is left", 0.0,
                                 push(lab, 0.9, speed=0.0, pinch=7.0).wall_normal, 1e-6))
    return section


def impulse_driven(lab: Laboratory) -> Section:
    section = Section("The wall driven by an impulse", [
        "The same ball; the wall has its mass and is pushed with an impulse P. Exact: there is always one bounded solution. With "
        "friction mu below 1 and P large enough both leave at (P/m - mu g h/(1 - mu))/2; with friction of 1 and more they are jammed, "
        "and no impulse, however large, moves them: none in bounded impulses for a wall that is to move."])
    for impulse in (4.0, 20.0):
        answers = {}
        for friction in (0.5, 1.5):
            course = mo.Course(lab.scene("pushed", {"law.friction": friction, "piston.force": impulse * 1024.0}), threads=1)
            course.step()
            answers[friction] = -course.bodies.velocity[0, 0], Answer(course, np.array([-1.0, 0.0]))
        (leaving, slides), (stuck, jammed) = answers[0.5], answers[1.5]
        section.rows += [
            compared(f"friction 0.5, P = {impulse:g} m g h: speed of the ball / (g h)", 0.5 * (impulse - 1), leaving, 1e-5 * impulse),
            compared(f"friction 0.5, P = {impulse:g} m g h: tangential impulse on the floor / (m g h)", 1.0, slides.floor_tangential,
                     1e-5 * impulse),
            compared(f"friction 1.5, P = {impulse:g} m g h: speed of the ball / (g h)", 0.0, stuck, 1e-5 * impulse),
            compared(f"friction 1.5, P = {impulse:g} m g h: normal impulse on the floor / (m g h)", 1.0 + impulse, jammed.floor_normal,
                     1e-5 * impulse)]
    return section


def wedge(lab: Laboratory) -> Section:
    section = Section("The wedge: lower critical friction", [
        "With an interior angle beta between floor and wall the chord makes the slope tan(beta/2) with both normals: beyond this "
        "friction a wall that comes nearer meets no solution. The paper says that such examples exist and shows none."])
    angles, critical = range(15, 91, 15), []
    for degrees in angles:
        beta, low, high = np.radians(degrees), 0.0, 2.0
        while high - low > (0.01 if lab.quick else 0.002):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if push(lab, middle, beta=beta, sweeps=20000).certificate.converged else (low, middle)
        critical.append(0.5 * (low + high))
        section.rows.append(compared(f"critical friction of a wedge of {degrees} degrees", np.tan(0.5 * beta), critical[-1],
                                     0.02 if lab.quick else 0.005))
    with lab.axes(section, "wedge.svg", "Largest friction for which the solver finds bounded impulses.", title="Critical friction",
                  xlabel="angle of the wedge [degrees]", ylabel="friction") as axes:
        curve = np.arange(5, 91)
        axes.plot(curve, np.tan(np.radians(curve) / 2), label="tan(beta/2)")
        axes.plot(angles, critical, "o", label="computed (bisection)")
    return section


def orowan(lab: Laboratory) -> Section:
    """|P_T| <= min(mu P_N, K h): the chord is no longer free to carry any force, and solutions exist again."""
    section = Section("Coulomb-Orowan: the remedy", [
        "Alart proposes to cap friction at high normal forces (Coulomb and Tresca together): |f_T| <= min(mu f_N, K). With the cap K h = "
        "5 m g h the problem that had no solution has one: both contacts slide at the cap, floor m g h + K h, wall m V + K h."])
    for friction in (1.5, 3.0, 0.9):
        a = push(lab, friction, cap=5.0, sweeps=20000)
        section.rows += [compared(f"friction {friction:g}: normal impulse on the floor / (m g h)", 6.0, a.floor_normal, 1e-6),
                         compared(f"friction {friction:g}: tangential impulse on the floor / (m g h)", 5.0, a.floor_tangential, 1e-6),
                         compared(f"friction {friction:g}: normal impulse of the wall / (m g h)", 7.0, a.wall_normal, 1e-6),
                         measured(f"friction {friction:g}: sweeps", a.certificate.sweeps)]
    section.rows.append(compared("friction 0.9, cap 50 (not reached): normal impulse on the floor / (m g h)", 10.0,
                                 push(lab, 0.9, cap=50.0, sweeps=20000).floor_normal, 1e-5))
    return section


def discs(positions, velocities, restitution, shocks, tolerance, unbalanced, distance=None):
    """A course of equal discs of mass pi/4 without walls or weight; the step is 1e-3."""
    scene = {"dimension": 2, "gravity": 0, "time": {"step": 1e-3, "duration": 1.0}, "material": {"density": 1.0},
             "law": {"friction": 0, "restitution": restitution}, "contact": {"shocks": shocks},
             "solver": {"tolerance": tolerance, "unbalanced_tolerance": unbalanced, "max_sweeps": 100000},
             "grain": [{"position": list(map(float, x)), "radius": 0.5, "velocity": list(map(float, v))}
                       for x, v in zip(positions, velocities)]}
    if distance:
        scene["contact"]["distance"] = distance
    return mo.Course(mo.Scene(scene), threads=1)


def binary_shocks(v, restitution):
    """Balls in a row, shocks of two balls at a time, left to right, again until none approaches."""
    v, again = list(v), True
    while again:
        again = False
        for i in range(len(v) - 1):
            if v[i] > v[i + 1] + 1e-13:
                mean, half = 0.5 * (v[i] + v[i + 1]), 0.5 * restitution * (v[i] - v[i + 1])
                v[i], v[i + 1], again = mean - half, mean + half, True
    return v


def strike(n, restitution, gap, duration, shocks="together"):
    """A row of n touching (gap 0) or nearly touching balls struck at the left end: velocities, and the mean place of the kinetic
    energy in time."""
    x = np.arange(n) * (1.0 + gap)
    x[0] -= 0.5e-3 if gap == 0.0 else 0.0  # touches at the middle of the step
    course = discs([(a, 0) for a in x], [(i == 0, 0) for i in range(n)], restitution, shocks, 1e-13, 1e-9)
    times, places = [], []
    while True:
        course.step()
        energy = course.bodies.velocity[:, 0] ** 2
        times.append(course.time)
        places.append(float(np.arange(n) @ energy / energy.sum()))
        if course.time >= duration:
            return course.bodies.velocity[:, 0].copy(), times, places


def chain(lab: Laboratory) -> Section:
    section = Section("A shock along a chain", [
        "A ball strikes a row of equal balls. If they touch, all contacts act in the same step, and the formal velocity shares the blow: "
        "no wave. With gaps of a thousandth of a diameter the contacts act one after the other and the shock travels. Compared with "
        "collisions two at a time, the reference for waves in chains."])
    n = 10
    for restitution in (1.0, 0.9):
        reference = binary_shocks([1.0] + [0.0] * (n - 1), restitution)
        touching, _, _ = strike(n, restitution, 0.0, 0.0)
        apart, times, places = strike(n, restitution, 1e-3, 0.5)
        sequential, _, _ = strike(n, restitution, 0.0, 0.0, "sequential")
        balls = f"{n} touching balls, ρ = {restitution:g}"
        section.rows += [
            compared(f"{balls}: last ball, (1 + ρ)/n", (1 + restitution) / n, touching[-1], 1e-9),
            stated(f"{balls}: the shock does not travel (Alart 2015)", f"not the {reference[-1]:.4f} of binary shocks",
                   f"last ball {touching[-1]:.4f}, first {touching[0]:.4f}", abs(touching[-1] - reference[-1]) > 0.1),
            compared(f"{balls}, sequential shocks: last ball", reference[-1], sequential[-1], 1e-9),
            compared(f"{balls}, sequential shocks: first ball", reference[0], sequential[0], 1e-9),
            compared(f"{n} balls a thousandth apart, ρ = {restitution:g}: last ball, binary shocks", reference[-1], apart[-1], 1e-9)]
        if restitution == 1.0:
            caption = ("ρ = 1, ten balls struck at the first: with small gaps the energy runs along the row as in Newton's cradle; "
                       "touching balls share it in the first step.")
            with lab.axes(section, "chain.svg", caption, shape=0.45, title="Mean place of the kinetic energy along the row",
                          xlabel="time", ylabel="ball") as axes:
                axes.plot(*strike(n, restitution, 0.0, 0.5)[1:], label="touching")
                axes.plot(times, places, label="a thousandth apart")
    return section


def packing(lab: Laboratory) -> Section:
    section = Section("A shock through a packing", [
        "The same question in the plane: a disc strikes the middle of the left side of a triangular packing of touching discs, no "
        "friction, restitution 1. Velocities after the one step in which all contacts act."])
    columns, rows = 8, 9
    column = np.array([i for i in range(columns) for _ in range(rows - i % 2)])
    places = [(i * 0.5 * np.sqrt(3.0), j + 0.5 * (i % 2)) for i in range(columns) for j in range(rows - i % 2)]
    places.append((-1.0 - 0.5e-3, 0.5 * (rows - 1)))
    velocities = [(0, 0)] * len(column) + [(1, 0)]
    with lab.axes(section, "packing.svg", "How far the blow reaches in one step with the two treatments.",
                  title="Largest speed by column", xlabel="column, from the struck side", ylabel="speed / speed of the striker") as axes:
        for shocks, name in (("together", "formal velocity"), ("sequential", "sequential shocks")):
            course = discs(places, velocities, 1.0, shocks, 1e-10, 1e-7, distance=1e-9)
            course.step()
            velocity = course.bodies.velocity.copy()
            speed = np.linalg.norm(velocity[:-1], axis=1)
            largest = [speed[column == c].max() for c in range(columns)]
            section.rows += [
                compared(f"{name}: momentum after / before", 1.0, velocity[:, 0].sum(), 1e-6),
                compared(f"{name}: kinetic energy after / before", 1.0, (velocity**2).sum(), 1e-5),
                measured(f"{name}: largest speed in the last column / speed of the striker", largest[-1]),
                measured(f"{name}: largest speed in the first column / speed of the striker", largest[0])]
            axes.plot(np.arange(columns) + 1, largest, label=name)
    return section


def reproduce(lab: Laboratory) -> Report:
    return Report(
        protocol=[
            "Alart's abstract names the example of a ball between two orthogonal walls, one of them driven, and says that its problem may "
            "have no solution, or none with bounded impulses; it gives no numbers. The exact answers used here follow from the equations "
            "of one step (README of this experiment). Every point is one step of the program, started from rest."],
        choices=["Disc of mass 1; velocities in units of g h, impulses in units of m g h."],
        sections=[part(lab) for part in (map_of_solutions, impulse_driven, wedge, orowan, chain, packing)])


if __name__ == "__main__":
    main(reproduce)
