"""Bodies that stand, lean and press, whose forces are known in closed form, with default settings and under both contact rules."""
import math
import unittest

import numpy

from known_answers import ball, block, box, down_a_slope, FLOOR2, FLOOR3, G, KnownTest, plane, Result, RULES


class Grooves(KnownTest):
    def test_disc_between_two_smooth_planes(self):
        # N_1 / sin(beta) = N_2 / sin(alpha) = W / sin(alpha + beta)
        alpha, beta, r = 0.4, 0.9, 0.2
        n1, n2 = [math.sin(alpha), math.cos(alpha)], [-math.sin(beta), math.cos(beta)]
        # n_1 . x = n_2 . x = r
        x = numpy.linalg.solve([n1, n2], [r, r])
        for o in self.rests(plane(n1) + plane(n2) + ball(x.tolist(), r), friction=0):
            weight = o.mass[0] * G
            self.near(o.pushed(0, ~0), weight * math.sin(beta) / math.sin(alpha + beta))
            self.near(o.pushed(0, ~1), weight * math.sin(alpha) / math.sin(alpha + beta))

    def test_ball_in_a_corner_of_three_smooth_planes(self):
        # Planes like the faces of a cube on its tip: each bears W / sqrt(3).
        n = numpy.array([[math.sqrt(2 / 3) * math.cos(t), math.sqrt(2 / 3) * math.sin(t), math.sqrt(1 / 3)] for t in (0.1, 0.1 + 2 * math.pi / 3, 0.1 + 4 * math.pi / 3)])
        x = numpy.linalg.solve(n, [0.3] * 3)
        for o in self.rests("".join(plane(k.tolist()) for k in n) + ball(x.tolist(), 0.3), dimension=3, friction=0):
            for wall in range(3):
                self.near(o.pushed(0, ~wall), o.mass[0] * G / math.sqrt(3))

    def test_square_on_its_corner(self):
        s = math.sqrt(0.5)
        groove = plane([s, s]) + plane([-s, s])
        for o in self.rests(groove + box([0.4, 0.4], [0, 0.2 * math.sqrt(2)], "angle = 0.7853981633974483\n"), friction=0):
            for wall in (0, 1):
                self.near(o.pushed(0, ~wall), o.mass[0] * G * s)

    def test_two_discs_in_a_bowl(self):
        # Centres at R - r from the middle, 2 r apart: the line to the middle leans by phi, sin(phi) = r / (R - r).
        R, r = 1.0, 0.25
        phi = math.asin(r / (R - r))
        y = -(R - r) * math.cos(phi)
        bowl = f"[[wall]]\ncircle = {{ radius = {R} }}\n" + ball([-r, y], r) + ball([r, y], r)
        for o in self.rests(bowl, friction=0):
            self.near(o.pushed(0, ~0), o.mass[0] * G / math.cos(phi))
            self.near(o.pushed(0, 1), o.mass[0] * G * math.tan(phi))

    def test_rod_in_a_bowl(self):
        # A capsule lies level in a smooth bowl: its ends, of radius e, at half its length a from the middle.
        R, a, e = 1.0, 0.6, 0.05
        phi = math.asin(a / (R - e))
        rod = block(f"parts = [{{ capsule = {{ ends = [[{-a}, 0], [{a}, 0]], radius = {e} }} }}]", [0, -(R - e) * math.cos(phi)])
        for o in self.rests(f"[[wall]]\ncircle = {{ radius = {R} }}\n" + rod, friction=0):
            self.near(o.pushed(0, ~0), o.mass[0] * G)  # both ends together: upright
            self.near(float(numpy.linalg.norm(o.force, axis=1).sum()), o.mass[0] * G / math.cos(phi))

    def test_ball_on_three_balls_in_a_tube(self):
        # Edges of a regular tetrahedron: each of the three bears W / (3 cos), cos = sqrt(2/3), and pushes the tube by W / (3 sqrt(2)).
        r = 0.1
        ring = 2 * r / math.sqrt(3)
        things = FLOOR3 + f"[[wall]]\ncylinder = {{ radius = {ring + r!r} }}\n"
        for k in range(3):
            things += ball([ring * math.cos(2 * math.pi * k / 3), ring * math.sin(2 * math.pi * k / 3), r], r)
        things += ball([0, 0, r + 2 * r * math.sqrt(2 / 3)], r)
        for o in self.rests(things, dimension=3, friction=0):
            weight = o.mass[0] * G
            for k in range(3):
                self.near(o.pushed(3, k), weight / (3 * math.sqrt(2 / 3)))
                self.near(o.pushed(k, ~1), weight / (3 * math.sqrt(2)))
                self.near(o.pushed(k, ~0), weight * 4 / 3)


class Leaning(KnownTest):
    def ladder(self, friction, angle=1.0, a=1.0, e=0.02):
        """A capsule against a smooth upright wall, on a rough floor."""
        c, s = math.cos(angle), math.sin(angle)
        rod = block(f"parts = [{{ capsule = {{ ends = [[{-a * c!r}, {a * s!r}], [{a * c!r}, {-a * s!r}]], radius = {e} }} }}]", [a * c + e, a * s + e])
        return ('[[material]]\nname = "wood"\ndensity = 700\n[[material]]\nname = "ice"\ndensity = 900\n'
                f'[[pair]]\nmaterials = ["wood", "wood"]\nfriction = {friction!r}\n[[pair]]\nmaterials = ["wood", "ice"]\nfriction = 0\n'
                + plane([0, 1], extra='material = "wood"\n') + plane([1, 0], extra='material = "ice"\n') + rod + 'material = "wood"\n')

    def run_ladder(self, friction, rule):
        self.write("s.toml", f"dimension = 2\ngravity = {G}\ntime = {{ step = 1e-3, duration = 0.5 }}\n" + self.ladder(friction))
        self.moreau("run", "s.toml", "--out", "r", "--force", "--threads", 1, "--set", f'contact.rule="{rule}"')
        return Result(self.path("r"))

    def test_ladder_against_a_smooth_wall(self):
        # Moments about the point of the floor, half length a, ends rounded by e: N (2 a sin + e) = W a cos.
        angle, a, e = 1.0, 1.0, 0.02
        c, s = math.cos(angle), math.sin(angle)
        wall = a * c / (2 * a * s + e)  # over the weight
        for rule in RULES:
            o = self.run_ladder(1.02 * wall, rule)
            weight = o.mass[0] * G
            self.assertLess(o.moved, 1e-5)
            self.near(o.pushed(0, ~1), wall * weight)
            self.near(o.between(0, ~0)[1], weight)
            self.near(abs(o.between(0, ~0)[0]), wall * weight)
            self.assertGreater(self.run_ladder(0.98 * wall, rule).moved, 1e-2)

    def test_overhang_of_bricks(self):
        # The top one may stand out by L/2, the next by L/4, then L/6 ...
        L, H, count = 1.0, 0.1, 5
        for share, falls in ((0.99, False), (1.01, True)):
            things, x = FLOOR2, 0.0
            for k in range(count):
                things += box([L, H], [x, H * (k + 0.5)])
                if k + 1 < count:
                    x += share * 0.5 * L / (count - 1 - k)
            if falls:
                for rule in RULES:
                    self.assertGreater(self.run_scene(things, rule, duration=1.0).moved, 0.01)
            else:
                self.rests(things, duration=1.0)

    def test_block_on_a_slope_slides_tips_or_stays(self):
        for width, height, friction, angle, what in ((0.4, 0.2, 0.5, 0.98 * math.atan(0.5), "stays"), (0.4, 0.2, 0.5, 1.02 * math.atan(0.5), "slides"),
                                                     (0.2, 1.0, 2.0, 0.98 * math.atan(0.2), "stays"), (0.2, 1.0, 2.0, 1.02 * math.atan(0.2), "tips")):
            things = FLOOR2 + box([width, height], [0, 0.5 * height])
            head = {"gravity": down_a_slope(angle), "friction": friction, "duration": 0.5}
            if what == "stays":
                self.rests(things, **head)
                continue
            for rule in RULES:
                o = self.run_scene(things, rule, **head)
                if what == "slides":
                    self.near(o.position[0, 0], 0.5 * G * (math.sin(angle) - friction * math.cos(angle)) * o.time**2)
                    self.assertLess(abs(o.spin[0]), 1e-6)
                else:
                    self.assertGreater(abs(float(o.spin[0])), 1e-2)

    def test_disc_before_a_step(self):
        # Gravity turned by an angle rolls a disc of radius R over a step s if tan(angle) > sqrt(R^2 - (R - s)^2) / (R - s).
        R, s = 0.5, 0.1
        reach = math.sqrt(R**2 - (R - s) ** 2)
        things = FLOOR2 + ball([0, R], R) + box([1.0, s], [reach + 0.5, 0.5 * s], "fixed = true\n")
        critical = math.atan(reach / (R - s))
        self.rests(things, gravity=down_a_slope(0.98 * critical), friction=1.0)
        for rule in RULES:
            self.assertGreater(self.run_scene(things, rule, gravity=down_a_slope(1.02 * critical), friction=1.0, duration=0.5).moved, 1e-2)


class Supports(KnownTest):
    def test_plank_on_two_rods(self):
        a, b, t = -0.3, 0.7, 0.05
        rods = ball([a, -0.1], 0.1, "fixed = true\n") + ball([b, -0.1], 0.1, "fixed = true\n")
        for o in self.rests(rods + box([2.0, t], [0.0, 0.5 * t])):
            weight = o.mass[2] * G
            self.near(o.between(2, 0)[1], weight * b / (b - a))  # along the plank the rods may push against each other
            self.near(o.between(2, 1)[1], weight * -a / (b - a))

    def test_table_on_three_legs_with_a_ball(self):
        # Barycentric coordinates of the point below the common centre of mass.
        feet = numpy.array([[0.5, 0.0], [-0.4, 0.4], [-0.4, -0.5]])
        legs = "".join(ball([*f.tolist(), 0.1], 0.1, "fixed = true\n") for f in feet)
        at = numpy.array([-0.1, 0.05])
        things = legs + box([1.6, 1.6, 0.1], [0, 0, 0.25], "mass = 3\n") + ball([*at.tolist(), 0.5], 0.2, "mass = 5\n")
        share = numpy.linalg.solve(numpy.vstack([feet.T, [1, 1, 1]]), [*(5 * at / 8).tolist(), 1])
        for o in self.rests(things, dimension=3, duration=0.2):
            for k in range(3):
                self.near(o.between(4, k)[2], 8 * G * share[k])
            self.near(o.pushed(3, 4), 5 * G)

    def test_table_on_four_legs_bears_its_weight_without_a_moment(self):
        things = FLOOR3 + "".join(box([0.1, 0.1, 0.5], [x, y, 0.25]) for x in (-0.5, 0.5) for y in (-0.4, 0.4)) + box([1.2, 1.0, 0.1], [0, 0, 0.55])
        for o in self.rests(things, dimension=3, duration=0.2):
            weight = o.mass[4] * G
            legs = [o.between(4, k)[2] for k in range(4)]
            self.near(sum(legs), weight)
            self.assertGreater(min(legs), 0.0)
            on_top = o.b == 4  # a leg is the first of the two
            moment = numpy.cross(o.point[on_top] - o.position[4], -o.force[on_top]).sum(axis=0)
            self.assertLess(numpy.abs(moment).max(), 1e-3 * weight)
            for k in range(4):
                self.near(o.between(k, ~0)[2], legs[k] + o.mass[k] * G)

    def test_stack_of_all_kinds_of_bodies(self):
        things = FLOOR2 + box([1.0, 0.2], [0, 0.1])
        things += block("regular = { sides = 6, radius = 0.3 }", [0, 0.2 + 0.3 * math.cos(math.pi / 6)])
        y = 0.2 + 0.6 * math.cos(math.pi / 6)
        tray = [([0.8, 0.1], [0, y + 0.05]), ([0.1, 0.3], [-0.35, y + 0.25]), ([0.1, 0.3], [0.35, y + 0.25])]
        things += block("parts = [" + ", ".join(f"{{ size = {size}, at = {at} }}" for size, at in tray) + "]")
        things += box([0.9, 0.1], [0, y + 0.45]) + ball([0, y + 0.1 + 0.15], 0.15)  # the ball comes first, it is body 0
        for o in self.rests(things):
            above = o.mass[1:][::-1].cumsum()[::-1] * G
            self.near(o.pushed(1, ~0), above[0] + o.mass[0] * G)
            self.near(o.pushed(2, 1), above[1] + o.mass[0] * G)
            self.near(o.pushed(3, 2), above[2] + o.mass[0] * G)
            self.near(o.between(4, 3)[1] + o.between(4, 0)[1], above[3])  # the ball is as high as the tray
            self.near(o.between(0, 3)[1] + o.between(0, 4)[1], o.mass[0] * G)

    def test_clump_of_two_balls_and_a_dumbbell_across(self):
        things = FLOOR3 + block("parts = [{ ball = 0.1, at = [-0.2, 0, 0.1] }, { ball = 0.1, at = [0.2, 0, 0.1] }, { capsule = { ends = [[-0.2, 0, 0.1], [0.2, 0, 0.1]], radius = 0.05 } }]")
        for o in self.rests(things, dimension=3):
            self.assertEqual(len(o.force), 2)
            for f in o.force:
                self.near(f[2], 0.5 * o.mass[0] * G)

    def test_smooth_discs_side_by_side_hold_a_third(self):
        # Two discs between upright walls, apart by their diameter times 1.2; a third on them. The walls hold W tan / 2.
        r = 0.1
        half = 1.2 * r
        lean = math.asin(half / (2 * r))
        things = FLOOR2 + plane([1, 0], [-half - r, 0]) + plane([-1, 0], [half + r, 0])
        things += ball([-half, r], r) + ball([half, r], r) + ball([0, r + 2 * r * math.cos(lean)], r)
        for o in self.rests(things, friction=0):
            weight = o.mass[2] * G
            self.near(o.pushed(0, ~1), 0.5 * weight * math.tan(lean))
            self.near(o.pushed(0, ~0), 1.5 * weight)


class Pressed(KnownTest):
    def test_piston_on_a_stack(self):
        things = '[[wall]]\nname = "box"\nbox = { min = [0, 0], max = [0.4, 1] }\n' + "".join(box([0.3, 0.2], [0.2, 0.1 + 0.2 * k]) for k in range(5))
        things += '[[piston]]\nname = "press"\nwalls = ["box.top"]\nforce = 700\n'
        for o in self.rests(things, friction=0.4):
            for k in range(1, 5):
                self.near(o.pushed(k, k - 1), 700 + (5 - k) * o.mass[0] * G)

    def test_block_held_between_two_pistons(self):
        # By friction at both sides: 2 mu F >= W.
        for share in (1.02, 0.98):
            things = '[[wall]]\nname = "box"\nbox = { min = [-0.1, -2], max = [0.1, 2] }\n' + box([0.2, 0.2], [0, 0])
            things += f'[[piston]]\nwalls = ["box.left", "box.right"]\nforce = {share * 0.5 * 40 * G / 0.3!r}\n'
            if share > 1:
                for o in self.rests(things, friction=0.3):
                    self.near(o.between(0, ~0)[1] + o.between(0, ~1)[1], o.mass[0] * G)
            else:
                for rule in RULES:
                    o = self.run_scene(things, rule, friction=0.3, duration=0.3)
                    self.near(o.position[0, 1], -0.5 * (1 - share) * G * o.time**2, 2e-2)

    def test_triangular_lattice_in_a_pressed_cell(self):
        # p = sqrt(3) f / d
        d, n = 1.0, 4
        row = d * math.sqrt(3) / 2
        things = f"[cell]\nmin = [0, 0]\nmax = [{n * d}, {n * row!r}]\nstress = {{ xx = 2.5, yy = 2.5 }}\n"
        things += "".join(ball([d * (i + 0.5 * (j % 2)), row * j], 0.5 * d) for j in range(n) for i in range(n))
        for rule in RULES:
            o = self.run_scene(things, rule, gravity=0, friction=0, density=1, duration=0.2, step=1e-2)
            self.assertEqual(len(o.force), 3 * n * n)
            # Forces of a lattice are not unique: lines of discs may share it differently. Their mean is.
            self.near(numpy.linalg.norm(o.force, axis=1).mean(), 2.5 * d / math.sqrt(3))
            self.assertLess(o.speed, 1e-6)

    def test_wedge_under_a_disc(self):
        # A smooth wedge of angle a, held by a piston, under a disc that a stop keeps from running down: stop and piston push with
        # W tan(a), the flank with W / cos(a).
        a, r = 0.3, 0.1
        c, s, t = math.cos(a), math.sin(a), math.tan(a)
        x, y, weight = 0.5 - r * s, 0.5 * t + r * c, 1000 * math.pi * r * r * G
        things = FLOOR2 + '[[wall]]\nname = "push"\nplane = { normal = [-1, 0], point = [1, 0] }\n'
        things += block(f"vertices = [[0, 0], [1, 0], [1, {t!r}]]") + ball([x, y], r) + ball([x - 2 * r, y], r, "fixed = true\n")
        things += f'[[piston]]\nwalls = ["push"]\nforce = {weight * t!r}\n'
        for o in self.rests(things, friction=0):
            self.near(o.pushed(0, 2), weight / c)
            self.near(o.pushed(0, 1), weight * t)
            self.near(o.pushed(2, ~1), weight * t)


class Units(KnownTest):
    """The same stack and arch of numbers in other units, and with steps from a microsecond to seconds."""

    def stack(self, length, mass):
        density = mass / length**2
        bricks = "".join(box([0.4 * length, 0.1 * length], [0, 0.1 * length * (k + 0.5)]) for k in range(8))
        return FLOOR2 + bricks, density

    def test_stacks_in_any_unit(self):
        for length, mass, time in ((1e3, 1e3, 1), (1e-3, 1, 1), (1e-3, 1e-6, 1e-3), (1e6, 1e-3, 1e3), (1e-9, 1e-12, 1e-6)):
            things, density = self.stack(length, mass)
            gravity, step = G * length / time**2, 1e-3 * time
            for rule in RULES:
                o = self.run_scene(things, rule, gravity=repr(gravity), density=repr(density), step=repr(step), duration=repr(100 * step))
                self.near(o.pushed(0, ~0), o.mass.sum() * gravity)
                self.assertLess(o.speed, 1e-6 * length / time)
                self.assertLess(o.moved, 1e-4 * length)

    def test_stacks_with_any_step(self):
        things, density = self.stack(1.0, 1000.0)
        for step in (1e-7, 1e-5, 1e-2, 1.0):
            for rule in RULES:
                o = self.run_scene(things, rule, ["travel"] if step == 1.0 else [], density=density, step=step, duration=50 * step)
                self.near(o.pushed(0, ~0), o.mass.sum() * G)
                self.assertLess(o.speed, 1e-3 * G * step, (step, rule))
                self.assertLess(o.moved, 3 * G * step**2 if rule == "midpoint" else 1e-6, (step, rule))

    def test_turned_gravity_is_a_turned_scene(self):
        # A slope with upright gravity, and a level floor with gravity that leans: the same path along the floor.
        angle, r = 0.3, 0.1
        along, up = numpy.array([math.cos(angle), -math.sin(angle)]), numpy.array([math.sin(angle), math.cos(angle)])
        for rule in RULES:
            level = self.run_scene(FLOOR2 + box([0.4, 0.2], [0, 0.1]), rule, gravity=down_a_slope(angle), friction=0.1, duration=0.3)
            turned = self.run_scene(plane(up.tolist()) + box([0.4, 0.2], (0.1 * up).tolist(), f"angle = {-angle}\n"), rule, friction=0.1, duration=0.3)
            self.near(float(turned.position[0] @ along), float(level.position[0, 0]), 1e-6)
            self.assertGreater(level.position[0, 0], 10 * r * 0.05)


class Packed(KnownTest):
    def test_beam_in_a_groove_in_space(self):
        s = math.sqrt(0.5)
        things = plane([s, 0, s]) + plane([-s, 0, s]) + box([0.2, 1.0, 0.2], [0, 0, 0.1 * math.sqrt(2)], "rotation = { axis = [0, 1, 0], angle = 0.7853981633974483 }\n")
        for o in self.rests(things, dimension=3, friction=0):
            for wall in (0, 1):
                self.near(o.pushed(0, ~wall), o.mass[0] * G * s)

    def test_heavy_ball_on_a_light_plank(self):
        things = ball([-1, -0.1], 0.1, "fixed = true\n") + ball([1, -0.1], 0.1, "fixed = true\n") + box([3, 0.01], [0, 0.005], "mass = 0.01\n")
        things += ball([0.2, 0.51], 0.5, "mass = 1e5\n")
        for o in self.rests(things):
            self.near(o.between(3, 0)[1], 0.005 * G + 0.4 * 1e5 * G)
            self.near(o.between(3, 1)[1], 0.005 * G + 0.6 * 1e5 * G)

    def test_piston_on_a_plate_on_three_balls(self):
        feet = [(0.3, 0.0), (-0.2, 0.2), (-0.2, -0.3)]
        things = '[[wall]]\nname = "box"\nbox = { min = [-1, -1, 0], max = [1, 1, 0.3] }\n' + "".join(ball([x, y, 0.1], 0.1) for x, y in feet)
        things += box([1, 1, 0.1], [0, 0, 0.25]) + '[[piston]]\nwalls = ["box.top"]\nforce = 300\n'
        for o in self.rests(things, dimension=3, duration=0.1):
            floor = sum(o.between(k, ~4)[2] for k in range(3))
            self.near(floor, o.mass.sum() * G + 300)

    def test_smooth_discs_fill_a_box(self):
        # 45 discs in rows that fit: side walls push alike, the floor bears the weight.
        r, n = 0.05, 5
        things = f'[[wall]]\nbox = {{ min = [0, 0], max = [{2 * r * (n + 0.5)!r}, 5], open = ["top"] }}\n'
        for row in range(9):
            things += "".join(ball([r * (1 + 2 * k + row % 2), r * (1 + math.sqrt(3) * row)], r) for k in range(n))
        for o in self.rests(things, friction=0):
            walls = {w: o.force[o.b == ~w].sum(axis=0) for w in range(3)}
            weight = o.mass.sum() * G
            self.near(sum(f[1] for f in walls.values()), weight)
            self.near(sum(f[0] for f in walls.values()), 0.0, 1e-3, scale=weight)

    def test_bracket_hangs_over_a_beam(self):
        # A body that is not convex: its legs hang down on both sides of a fixed beam.
        parts = [([0.6, 0.1], [0, 0.25]), ([0.1, 0.6], [-0.25, 0.0]), ([0.1, 0.6], [0.25, 0.0])]
        bracket = block("parts = [" + ", ".join(f"{{ size = {size}, at = {at} }}" for size, at in parts) + "]")
        for o in self.rests(box([0.3, 0.2], [0, 0.1], "fixed = true\n") + bracket):
            self.near(o.between(1, 0)[1], o.mass[1] * G)

    def test_stack_that_falls_as_one_comes_to_rest(self):
        things = FLOOR2 + "".join(box([0.4, 0.1], [0, 0.5 + 0.1 * (k + 0.5)]) for k in range(4))
        for rule in RULES:
            o = self.run_scene(things, rule, duration=1.0)
            self.near(o.pushed(0, ~0), o.mass.sum() * G)
            self.assertLess(o.speed, 1e-6)
            fall = o.position[:, 1] - o.start[:, 1]
            self.assertLess(abs(fall + 0.5).max(), 4e-3)  # caught within h v of the floor
            if rule == "predictive":
                self.assertLess(abs(fall + 0.5).max(), 1e-6)

    def test_discs_dropped_into_a_silo(self):
        # How floor and walls share the weight is not determined (theory, section 14); that they bear it is, and that every disc is held by
        # forces within their cones.
        things = '[[wall]]\nbox = { min = [-0.3, 0], max = [0.3, 3], open = ["top"] }\n'
        things += "[[source]]\nrate = 20\nend = 1.5\ndiameter = { uniform = [0.08, 0.12] }\ncentre = [0, 0]\nspread = 0.2\n"
        for rule in RULES:
            o = self.run_scene(things, rule, ["penetration"], duration=3.0, step=2e-3)
            weight, count = o.mass * G, len(o.mass)
            self.assertEqual(count, 30)
            resultant = numpy.zeros((count, 2))
            numpy.add.at(resultant, o.a, o.force)
            numpy.add.at(resultant, o.b[o.b >= 0], -o.force[o.b >= 0])
            resultant[:, 1] -= weight
            self.assertLess(numpy.linalg.norm(resultant, axis=1).max(), 0.05 * weight.mean())
            self.near(o.force[o.b < 0, 1].sum(), weight.sum(), 0.01)
            normal = (o.force * o.normal).sum(axis=1)
            across = numpy.linalg.norm(o.force - normal[:, None] * o.normal, axis=1)
            self.assertLess((across - 0.5 * normal).max(), 1e-9 * weight.mean())
            self.assertGreaterEqual(normal.min(), 0.0)


if __name__ == "__main__":
    unittest.main()
