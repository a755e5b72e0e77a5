"""Indeterminacy of contact forces. Moreau 2003, sec. 8."""

import numpy as np
from scipy.optimize import linprog

import moreau as mo
from moreau.experiment import Laboratory, Report, Row, Section, main, measured, stated


class Statics:
    """A small planar assembly at rest, written out. Forces f of a step [impulse], contact by contact, normal then tangential, are
    admissible if G^T f + load = 0 and |f_T| <= mu f_N."""

    def __init__(self, scene: mo.Scene):
        course = mo.Course(scene, threads=1)
        gravity = np.array(course.gravity)
        course.gravity = (0.0, 0.0)
        course.step()  # finds the contacts, moves nothing
        contacts, bodies = course.contacts, course.frame()
        free = np.flatnonzero(bodies.kind == 0)
        number = {int(body): k for k, body in enumerate(free)}
        gained = scene.time_step * gravity
        mass = bodies.mass[free]
        self.inertia = np.column_stack([mass, mass, np.reshape(bodies.inertia, (len(bodies), -1))[free, 0]]).ravel()
        self.load = np.column_stack([mass * gained[0], mass * gained[1], 0 * mass]).ravel()
        self.weight = mass.sum() * np.linalg.norm(gained)
        self.point, self.normal = contacts.point, contacts.normal
        self.count = len(contacts)
        self.friction = np.full(self.count, course.law(course.materials[0])["friction"])
        self.G = np.zeros((2 * self.count, 3 * len(free)))
        for c, (a, b) in enumerate(contacts.pair):
            normal = contacts.normal[c]
            for k, axis in enumerate((normal, np.array([-normal[1], normal[0]]))):
                for body, sign in ((a, 1.0), (b, -1.0)):
                    if int(body) in number:
                        arm = contacts.point[c] - bodies.position[body]
                        turn = arm[0] * axis[1] - arm[1] * axis[0]
                        first = 3 * number[int(body)]
                        self.G[2 * c + k, first:first + 3] = sign * np.array([axis[0], axis[1], turn])
        self.delassus = self.G / self.inertia @ self.G.T
        self.free = self.G @ (self.load / self.inertia)
        self.gained = np.abs(self.load / self.inertia).max()

    def solve(self, start=(), order=()):
        """The forces that Gauss-Seidel finds, or None if it did not converge or the assembly is not at rest."""
        result = mo.gauss_seidel(self.delassus, self.free, self.friction, tolerance=1e-11 * self.gained, max_sweeps=50000, start=start,
                                 order=order)
        left = (self.load + self.G.T @ result["impulse"]) / self.inertia
        return result["impulse"] if result["converged"] and np.abs(left).max() <= 1e-7 * self.gained else None

    def support(self, contact, direction):
        """The admissible (f_N, f_T) / weight of one contact that lies farthest in a direction, by a linear program; None if there is
        none or it is infinitely far."""
        cone, cost = np.zeros((2 * self.count, 2 * self.count)), np.zeros(2 * self.count)
        for c in range(self.count):
            cone[2 * c:2 * c + 2, 2 * c:2 * c + 2] = [-self.friction[c], -1.0], [-self.friction[c], 1.0]
        cost[2 * contact:2 * contact + 2] = -np.asarray(direction)
        found = linprog(cost, A_ub=cone, b_ub=np.zeros(2 * self.count), A_eq=self.G.T, b_eq=-self.load / self.weight,
                        bounds=[(0, None), (None, None)] * self.count)
        return found.x[2 * contact:2 * contact + 2] if found.success else None

    def normal_range(self, contact):
        ends = [self.support(contact, (side, 0.0)) for side in (-1.0, 1.0)]
        return None if any(end is None for end in ends) else ends[1][0] - ends[0][0]

    def exact_set(self, contact):
        """The set of (f_N, f_T) / weight of one contact over all admissible forces: a convex polygon, its vertices in order around
        it. Between two vertices the farthest point across their line is a vertex too, or there is none between."""

        def between(start, end):
            side = end - start
            if np.linalg.norm(side) < 1e-9:
                return []
            outwards = np.array([side[1], -side[0]]) / np.linalg.norm(side)
            farthest = self.support(contact, outwards)
            if outwards @ (farthest - start) < 1e-10:
                return []
            return between(start, farthest) + [farthest] + between(farthest, end)

        first = [self.support(contact, d) for d in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))]
        polygon = []
        for start, end in zip(first, first[1:] + first[:1]):
            if not polygon or np.linalg.norm(start - polygon[-1]) > 1e-9:
                polygon.append(start)
            polygon += between(start, end)
        return np.array(polygon)


def clouds(s: Statics, contact, count):
    """Forces of one contact over the weight, found in Moreau's two ways: from impulses drawn at random (normal ones up to the whole
    weight, tangential ones inside the cone), and from zero with the contacts swept in another order."""
    random = mo.Random(1)
    starts, orders = [], []
    for _ in range(count):
        start = np.empty(2 * s.count)
        for c in range(s.count):
            start[2 * c] = random.uniform(0.0, s.weight)
            start[2 * c + 1] = random.uniform(-1.0, 1.0) * s.friction[c] * start[2 * c]
        starts.append(start)
    random, order = mo.Random(2), list(range(s.count))
    for _ in range(count):
        for k in range(s.count, 1, -1):
            other = min(k - 1, int(random.uniform() * k))
            order[k - 1], order[other] = order[other], order[k - 1]
        orders.append(list(order))
    both = [[s.solve(start=start) for start in starts], [s.solve(order=order) for order in orders]]
    return [np.array([f[2 * contact:2 * contact + 2] / s.weight for f in found if f is not None]).reshape(-1, 2) for found in both]


def outside(polygon, cloud):
    """How far points lie outside the convex polygon at most; 0 if all are inside."""
    worst = 0.0
    for start, end in zip(polygon, np.roll(polygon, -1, axis=0)):
        side = end - start
        if np.linalg.norm(side) > 1e-9 and len(cloud):
            left = (side[0] * (cloud - start)[:, 1] - side[1] * (cloud - start)[:, 0]) / np.linalg.norm(side)
            worst = max(worst, float(-left.min()))
    return worst


def assembly(lab: Laboratory, name, title) -> Section:
    s = Statics(lab.scene(name))
    ranges = [s.normal_range(c) for c in range(s.count)]
    width = [-1.0 if r is None else r for r in ranges]
    if max(width) < 0:
        raise RuntimeError(f"{title}: no contact force is bounded, or the assembly cannot stand")
    contact = int(np.argmax(width))  # the one whose force is the least determined
    determined = sum(0 <= w < 1e-9 for w in width)
    exact = s.exact_set(contact)
    count = 40 if lab.quick else 1000
    random, permuted = clouds(s, contact, count)
    section = Section(title, [
        f"{len(s.inertia) // 3} bodies, {s.count} contacts: {2 * s.count} unknown forces for {len(s.inertia)} equations of balance. Shown "
        f"is the contact at ({s.point[contact][0]:.3g}, {s.point[contact][1]:.3g}) with normal ({s.normal[contact][0]:.3g}, "
        f"{s.normal[contact][1]:.3g}), the one whose normal force is the least determined; forces in units of the total weight. The exact "
        "set is the projection of a convex polyhedron, found by linear programs."])
    x, y = exact.T
    area = 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    span = {"exact": (x.min(), x.max()), "random": (random[:, 0].min(), random[:, 0].max()),
            "permuted": (permuted[:, 0].min(), permuted[:, 0].max())}
    text = {key: f"[{low + 0.0:.5f}, {high:.5f}]" for key, (low, high) in span.items()}
    length = {key: high - low for key, (low, high) in span.items()}
    rest = {key: f"{outside(exact, cloud):.1e} of the weight outside the exact set at most; {len(cloud)} of {count} ended at rest"
            for key, cloud in (("random", random), ("permuted", permuted))}
    section.rows = [
        Row("contacts whose normal force is determined by balance alone", "not given", f"{determined} of {s.count}"),
        measured("area of the exact set / weight²", area),
        stated(f"{count} random starts: all forces found are admissible", "admissible", rest["random"], outside(exact, random) < 1e-7),
        stated("random starts: different starts give different forces", "a cloud", f"normal force in {text['random']}",
               length["random"] > 1e-6),
        Row("exact range of the normal force", "not given", text["exact"]),
        measured("share of the exact range covered by random starts", length["random"] / length["exact"]),
        stated(f"{count} permuted sweeps from zero: all forces found are admissible", "admissible", rest["permuted"],
               outside(exact, permuted) < 1e-7),
        stated("permuted sweeps: the order of the sweep changes the forces", "different solutions", f"normal force in {text['permuted']}",
               length["permuted"] > 1e-6),
        measured("share of the exact range covered by permuted sweeps", length["permuted"] / length["exact"]),
    ]
    with lab.axes(section, f"cloud-{name}.svg", "Forces of one contact: each dot is one solution of the same problem of statics.",
                  title=title, xlabel="normal force / weight", ylabel="tangential force / weight", shape=0.7) as axes:
        axes.plot(*np.vstack([exact, exact[:1]]).T, label="exact set")
        axes.plot(*random.T, ".", label="random starts")
        axes.plot(*permuted.T, ".", label="permuted sweeps")
    return section


def reproduce(lab: Laboratory) -> Report:
    return Report(
        protocol=[
            "A small assembly at rest is handed to the solver again and again: one step from zero velocity. First from impulses drawn at "
            "random, then from zero impulses with the contacts swept in a random order. Each solution at rest is a set of forces that obeys "
            "Coulomb's law and the balance of all bodies; the forces of one contact make a cloud. In the plane the set of all such forces "
            "is a convex polyhedron, so that the cloud can be compared with the exact set."],
        choices=["The papers show no data; the assemblies, the friction 0.5 and the domain of the random starts (normal impulses up to the "
                 "whole weight) are chosen here."],
        sections=[assembly(lab, "wall", "A wall of seven bricks"), assembly(lab, "packing", "A pyramid of ten discs")])


if __name__ == "__main__":
    main(reproduce)
