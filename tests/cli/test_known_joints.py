"""Odd geometry and odd masses, whose answers are known in closed form: corners that coincide, seams, slots, edges on edges, slivers, clumps,
heavy bodies on light ones of other kinds, pistons and cells. Default settings, both contact rules."""
import math
import unittest

import numpy

from known_answers import ball, block, box, down_a_slope, FLOOR2, FLOOR3, G, KnownTest, plane, Result, RULES


FIXED = "fixed = true\n"
S = math.sqrt(0.5)


def clump(*parts):
    return block("parts = [" + ", ".join(f"{{ {shape}, at = {list(at)} }}" for shape, at in parts) + "]")


def bar(*size):
    return f"size = {list(size)}"


def on_edge(axis, more=""):
    return f"rotation = {{ axis = {axis}, angle = {math.pi / 4!r} }}\n{more}"


class StandingTest(KnownTest):
    def stands(self, things, *, free=None, share=1e-3, dimension=2, **head):
        """At rest under both rules, and on every body (those named) forces and moments balance to a share of its weight, moments about its centre."""
        results = self.rests(things, dimension=dimension, **head)
        for o in results:
            force, moment = numpy.zeros_like(o.position), numpy.zeros((len(o.mass), 3))
            padded = [(0, 0), (0, 3 - dimension)]
            arm, push = numpy.pad(o.point, padded), numpy.pad(o.force, padded)
            centre = numpy.pad(o.position, padded)
            for a, b, p, f in zip(o.a, o.b, arm, push):
                for body, sign in ((a, 1), (b, -1)):
                    if body >= 0:
                        force[body] += sign * f[:dimension]
                        moment[body] += sign * numpy.cross(p - centre[body], f)
            force[:, -1] -= o.mass * G
            for i in range(len(o.mass)) if free is None else free:
                self.assertLess(numpy.linalg.norm(force[i]), share * o.mass[i] * G, f"force on body {i}")
                self.assertLess(numpy.linalg.norm(moment[i]), share * o.mass[i] * G, f"moment on body {i}")
        return results


class Corners(StandingTest):
    def test_brick_over_a_seam(self):
        for o in self.stands(FLOOR2 + box([1, 0.5], [-0.5, 0.25]) + box([1, 0.5], [0.5, 0.25]) + box([1, 0.5], [0, 0.75])):
            self.near(o.between(0, ~0)[1] + o.between(1, ~0)[1], o.mass.sum() * G)

    def test_four_blocks_that_meet_in_a_point(self):
        four = "".join(box([0.5, 0.5], [x, y]) for y in (0.25, 0.75) for x in (-0.25, 0.25))
        for o in self.stands(FLOOR2 + four + box([0.4, 0.4], [0, 1.2])):
            self.near(o.between(0, ~0)[1] + o.between(1, ~0)[1], o.mass.sum() * G)

    def test_eight_cubes_that_meet_in_a_point_and_a_ball_above_it(self):
        things = FLOOR3 + ball([0, 0, 1.2], 0.2, "mass = 50\n")
        things += "".join(box([0.5, 0.5, 0.5], [x, y, z]) for z in (0.25, 0.75) for x in (-0.25, 0.25) for y in (-0.25, 0.25))
        for o in self.stands(things, dimension=3, duration=0.1):
            self.near(sum(o.between(k, ~0)[2] for k in range(1, 9)), o.mass.sum() * G)

    def test_beam_on_its_edge_across_two_ridges(self):
        ridges = "".join(box([1, 0.2, 0.2], [0, y, -0.2 * S], on_edge([1, 0, 0], FIXED)) for y in (-0.5, 0.7))
        for o in self.rests(ridges + box([0.2, 2.0, 0.2], [0, 0.3, 0.2 * S], on_edge([0, 1, 0])), dimension=3, duration=0.05):
            self.near(o.between(2, 0)[2], o.mass[2] * G * 0.4 / 1.2)
            self.near(o.between(2, 1)[2], o.mass[2] * G * 0.8 / 1.2)

    def test_plate_on_two_ridges(self):
        ridges = "".join(box([1, 0.2, 0.2], [0, y, -0.2 * S], on_edge([1, 0, 0], FIXED)) for y in (-0.3, 0.7))
        for o in self.stands(ridges + box([0.5, 2, 0.1], [0, 0, 0.05]), dimension=3, free=[2]):
            self.near(o.between(2, 0)[2], 0.7 * o.mass[2] * G)
            self.near(o.between(2, 1)[2], 0.3 * o.mass[2] * G)

    def test_square_and_cube_on_the_corners_of_a_slot(self):
        # Turned by 45 degrees: each corner or edge pushes with W / sqrt(2).
        gap, a = 0.3, 0.5
        for dimension, turned in ((2, f"angle = {math.pi / 4!r}\n"), (3, on_edge([0, 1, 0]))):
            y = [0.0] * (dimension - 2)
            sides = "".join(box([1.0] * dimension, [x * (0.5 + 0.5 * gap), *y, -0.5], FIXED) for x in (-1, 1))
            things = sides + box([a] * dimension, [0.0, *y, a * S - 0.5 * gap], turned)
            for o in self.rests(things, dimension=dimension, friction=0, duration=0.1):
                for k in (0, 1):
                    self.near(o.pushed(2, k), o.mass[2] * G * S)

    def test_ball_on_the_corners_of_two_and_of_four_blocks(self):
        r, half = 0.4, 0.2
        two = ball([0, math.sqrt(r * r - half * half)], r) + box([1, 1], [-0.5 - half, -0.5], FIXED) + box([1, 1], [0.5 + half, -0.5], FIXED)
        for o in self.rests(two, friction=0):
            for k in (1, 2):
                self.near(o.pushed(0, k), o.mass[0] * G / (2 * math.sqrt(1 - (half / r) ** 2)))
        four = ball([0, 0, math.sqrt(r * r - 2 * half * half)], r)
        four += "".join(box([1, 1, 1], [x * (0.5 + half), y * (0.5 + half), -0.5], FIXED) for x in (-1, 1) for y in (-1, 1))
        for o in self.rests(four, dimension=3, friction=0):
            self.near(sum(o.between(0, k)[2] for k in range(1, 5)), o.mass[0] * G)

    def test_tenon_that_fits_its_slot_exactly(self):
        slot = box([0.4, 0.2], [-0.3, 0], FIXED) + box([0.4, 0.2], [0.3, 0], FIXED)
        for o in self.stands(slot + clump((bar(0.6, 0.1), [0, 0.15]), (bar(0.2, 0.6), [0, -0.2])), free=[2]):
            self.near(o.between(2, 0)[1] + o.between(2, 1)[1], o.mass[2] * G)

    def test_plates_of_a_tenth_of_a_millimetre_between_blocks(self):
        t = 1e-4
        plates = "".join(box([0.5, t], [0, 0.2 + t * (k + 0.5)]) for k in range(10))
        for o in self.stands(FLOOR2 + box([0.5, 0.2], [0, 0.1]) + plates + box([0.5, 0.2], [0, 0.3 + 10 * t])):
            above = o.mass[::-1].cumsum()[::-1] * G
            for k in range(1, 12):
                self.near(o.between(k, k - 1)[1], above[k])

    def test_block_on_a_wedge_of_a_thousandth(self):
        slope = 1e-3
        a = math.atan(slope)
        x = numpy.array([0.1, 0.6 * slope]) + 0.1 * numpy.array([-math.sin(a), math.cos(a)])
        wedge = block(f"vertices = [[-0.5, 0], [0.5, 0], [0.5, {slope}]]")
        for o in self.stands(FLOOR2 + wedge + box([0.2, 0.2], x.tolist(), f"angle = {a!r}\n")):
            self.near(o.between(1, 0)[1], o.mass[1] * G)
            self.near(o.between(0, ~0)[1], o.mass.sum() * G)

    def test_tetrahedron_on_its_face(self):
        e = 0.4
        corners = [[e / math.sqrt(3) * math.cos(t), e / math.sqrt(3) * math.sin(t), 0] for t in (0, 2 * math.pi / 3, 4 * math.pi / 3)]
        for o in self.stands(FLOOR3 + block(f"vertices = {[*corners, [0, 0, e * math.sqrt(2 / 3)]]}"), dimension=3):
            self.assertEqual(len(o.force), 3)
            for force in o.force:
                self.near(force[2], o.mass[0] * G / 3)


class Heavy(StandingTest):
    def test_heavy_ball_on_a_pyramid_of_light_blocks(self):
        bricks = "".join(box([1, 0.5], at, "mass = 1\n") for at in ([-0.5, 0.25], [0.5, 0.25], [0, 0.75]))
        for o in self.stands(FLOOR2 + bricks + ball([0, 1.3], 0.3, "mass = 1e6\n"), share=1e-2):
            self.near(o.between(1, ~0)[1] + o.between(2, ~0)[1], o.mass.sum() * G)

    def test_heavy_plate_on_three_light_balls(self):
        feet = numpy.array([[0.5, 0.0], [-0.4, 0.4], [-0.4, -0.5]])
        things = FLOOR3 + "".join(ball([*f.tolist(), 0.1], 0.1, "mass = 0.1\n") for f in feet) + box([1.6, 1.6, 0.1], [0, 0, 0.25], "mass = 1e6\n")
        share = numpy.linalg.solve(numpy.vstack([feet.T, [1, 1, 1]]), [0, 0, 1])
        for o in self.stands(things, dimension=3, share=1e-2):
            for k in range(3):
                self.near(o.between(3, k)[2], 1e6 * G * share[k])

    def test_twenty_bricks_heavy_and_light_in_turn(self):
        bricks = "".join(box([0.4, 0.1], [0, 0.1 * (k + 0.5)], f"mass = {1e5 if k % 2 else 1.0}\n") for k in range(20))
        for o in self.stands(FLOOR2 + bricks):
            above = o.mass[::-1].cumsum()[::-1] * G
            for k in range(1, 20):
                self.near(o.between(k, k - 1)[1], above[k])

    def test_plates_and_balls_in_turn_heavy_and_light(self):
        things = FLOOR3
        for k in range(8):
            things += box([0.3, 0.3, 0.1], [0, 0, 0.2 * k + 0.05], f"mass = {1e4 if k % 2 else 1.0}\n")
            things += ball([0, 0, 0.2 * k + 0.15], 0.05, f"mass = {1.0 if k % 2 else 1e3}\n")
        for o in self.stands(things, dimension=3, duration=0.1):
            self.near(o.between(8, ~0)[2], o.mass.sum() * G)

    def test_heavy_lid_on_light_discs_in_a_box(self):
        r, n = 0.05, 4
        things = f'[[wall]]\nbox = {{ min = [0, 0], max = [{2 * r * n!r}, 5], open = ["top"] }}\n'
        things += "".join(ball([r * (1 + 2 * k), r * (1 + 2 * row)], r, "mass = 1e-3\n") for row in range(4) for k in range(n))
        for o in self.rests(things + box([2 * r * n, 0.2], [r * n, 8 * r + 0.1], "mass = 1e3\n")):
            self.near(o.force[o.b < 0, 1].sum(), o.mass.sum() * G)


class Clumps(StandingTest):
    def test_angle_tips_when_its_centre_passes_its_foot(self):
        # A column 0.2 x 1 with an arm 0.2 thick at its top: the centre of both is over the edge of the foot for an arm of sqrt(0.2).
        for share in (0.98, 1.02):
            arm = share * math.sqrt(0.2)
            things = FLOOR2 + clump((bar(0.2, 1), [0.1, 0.5]), (bar(arm, 0.2), [0.2 + 0.5 * arm, 0.9]))
            if share < 1:
                self.stands(things, duration=0.7)
            else:
                for rule in RULES:
                    self.assertGreater(self.run_scene(things, rule, duration=0.7).moved, 1e-2)

    def test_jack_on_three_of_its_balls(self):
        # Six balls on the axes of an octahedron that lies on a face.
        axes = numpy.array([[0, -1, 1], [2, -1, -1], [1, 1, 1]]).T / numpy.sqrt([2, 6, 3])  # columns: two along the floor, one upright
        tips = 0.2 * numpy.vstack([axes, -axes])
        middle = numpy.array([0, 0, 0.1 - tips[:, 2].min()])
        for o in self.stands(FLOOR3 + clump(*(("ball = 0.1", (middle + tip).tolist()) for tip in tips), ("ball = 0.12", middle.tolist())), dimension=3):
            loaded = o.force[o.force[:, 2] > 1e-6 * o.mass[0] * G]
            self.assertEqual(len(loaded), 3)
            for force in loaded:
                self.near(force[2], o.mass[0] * G / 3)

    def test_link_that_hangs_on_a_nail(self):
        link = clump((bar(0.5, 0.1), [0, 0.1]), (bar(0.1, 0.6), [-0.2, -0.15]), (bar(0.1, 0.6), [0.2, -0.15]), (bar(0.5, 0.1), [0, -0.5]))
        for o in self.stands(box([0.1, 0.1], [0, 0], FIXED) + link, free=[1]):
            self.near(o.between(1, 0)[1], o.mass[1] * G)

    def test_three_discs_in_a_cup(self):
        cup = clump((bar(0.5, 0.1), [0, 0.05]), (bar(0.1, 0.4), [-0.2, 0.3]), (bar(0.1, 0.4), [0.2, 0.3]))
        r = 0.075
        discs = ball([-r, 0.1 + r], r) + ball([r, 0.1 + r], r) + ball([0, 0.1 + r + r * math.sqrt(3)], r, "mass = 100\n")
        for o in self.stands(FLOOR2 + cup + discs, friction=0, free=[0, 1, 2]):
            self.near(o.between(3, ~0)[1], o.mass.sum() * G)
            self.near(o.pushed(2, 0), 100 * G / math.sqrt(3))


class Friction(StandingTest):
    def test_two_rods_that_lean_on_each_other(self):
        # Moments about a foot: W a cos = H (2 a sin + e); the floor must bear H.
        a, e, angle = 0.5, 0.02, 1.0
        c, s = a * math.cos(angle), a * math.sin(angle)

        def rod(side):
            return block(f"parts = [{{ capsule = {{ ends = [[{side * c!r}, {-s!r}], [{-side * c!r}, {s!r}]], radius = {e} }} }}]", [side * (e + c), s + e])

        things, least = FLOOR2 + rod(-1) + rod(1), c / (2 * s + e)
        for o in self.stands(things, friction=1.02 * least):
            self.near(abs(o.between(0, 1)[0]), least * o.mass[0] * G)
        for rule in RULES:
            self.assertGreater(self.run_scene(things, rule, friction=0.98 * least, duration=0.5).moved, 1e-2)

    def test_ball_on_three_balls_on_a_floor(self):
        # It stands from tan(theta / 2) on, theta the angle of the lines of centres to the upright, sin(theta) = 1 / sqrt(3).
        r = 0.1
        ring = 2 * r / math.sqrt(3)
        things = FLOOR3 + "".join(ball([ring * math.cos(t), ring * math.sin(t), r], r) for t in (0, 2 * math.pi / 3, 4 * math.pi / 3))
        things += ball([0, 0, r + 2 * r * math.sqrt(2 / 3)], r)
        least = math.tan(0.5 * math.asin(1 / math.sqrt(3)))
        self.stands(things, dimension=3, friction=1.02 * least)
        for rule in RULES:
            self.assertGreater(self.run_scene(things, rule, dimension=3, friction=0.95 * least, duration=0.5).moved, 1e-2)

    def test_wedge_that_a_piston_drives_under_a_block(self):
        # The block slides up along a smooth stop when F = W tan(a + phi) + (W + w) tan(phi); accelerations from its balance.
        a, mu, W, w = 0.2, 0.3, 50.0, 5.0
        t, phi = math.tan(a), math.atan(mu)
        needed = G * (W * math.tan(a + phi) + (W + w) * mu)
        head = f"dimension = 2\ngravity = {G}\ntime = {{ step = 1e-3, duration = 0.2 }}\n"
        head += '[[material]]\nname = "wood"\ndensity = 700\n[[material]]\nname = "ice"\ndensity = 900\n'
        head += f'[[pair]]\nmaterials = ["wood", "wood"]\nfriction = {mu}\n[[pair]]\nmaterials = ["wood", "ice"]\nfriction = 0\n'
        things = plane([0, 1], extra='material = "wood"\n') + '[[wall]]\nname = "push"\nmaterial = "ice"\nplane = { normal = [-1, 0], point = [2, 0] }\n'
        things += block(f"vertices = [[0, 0], [2, 0], [2, {2 * t!r}]]", None, f'mass = {w}\nmaterial = "wood"\n')
        things += block(f"vertices = [[0.5, {0.5 * t!r}], [1.5, {1.5 * t!r}], [1.5, {1.5 * t + 0.5!r}], [0.5, {1.5 * t + 0.5!r}]]", None, f'mass = {W}\nmaterial = "wood"\n')
        things += box([0.2, 2], [0.4, 1.2 + 0.8 * t], 'fixed = true\nmaterial = "ice"\n')
        piston = 0.1
        for share in (0.97, 1.03):
            self.write("s.toml", head + things + f'[[piston]]\nwalls = ["push"]\nforce = {share * needed!r}\nmass = {piston}\n')
            for rule in RULES:
                self.moreau("run", "s.toml", "--out", "r", "--force", "--threads", 1, "--set", f'contact.rule="{rule}"')
                o = Result(self.path("r"))
                self.assertEqual(o.summary["run"]["unconverged_steps"], 0)
                if share < 1:
                    self.assertLess(o.moved, 1e-9)
                    continue
                # F - (w + M) A = R sin(a + phi) + mu (w g + R cos(a + phi)),  R cos(a + phi) = W (g + A tan(a))
                A = (share - 1) * needed / (w + piston + W * t * (math.tan(a + phi) + mu))
                self.near(o.velocity[0, 0], -A * o.time, 2e-3)
                self.near(o.velocity[1, 1], A * t * o.time, 2e-3)


class Pressed(StandingTest):
    def test_row_of_unlike_bodies_between_two_pistons(self):
        things = '[[wall]]\nname = "box"\nbox = { min = [0, -1], max = [1.5, 1] }\n'
        things += box([0.2, 0.2], [0.1, 0], "mass = 1e-2\n") + box([0.3, 0.5], [0.35, 0], "mass = 1e3\n") + ball([0.6, 0], 0.1, "mass = 1\n")
        things += box([0.3, 0.3], [0.85, 0]) + ball([1.1, 0], 0.1, "mass = 1e-2\n") + box([0.3, 0.2], [1.35, 0])
        things += '[[piston]]\nwalls = ["box.left"]\nforce = 100\n[[piston]]\nwalls = ["box.right"]\nforce = 100\n'
        for rule in RULES:
            o = self.run_scene(things, rule, gravity=0, duration=0.1)
            for a, b in ((2, 3), (3, 0), (0, 4), (4, 1), (1, 5)):
                self.near(o.pushed(a, b), 100)
            self.assertLess(o.speed, 1e-6)

    def test_cubic_lattice_in_a_cell_with_three_stresses(self):
        # Each face of a cube of d^2 carries stress d^2; lines of balls may share it unevenly.
        n, stresses = 3, (2.0, 3.0, 4.0)
        things = f"[cell]\nmin = [0, 0, 0]\nmax = {[n] * 3}\nstress = {{ xx = {stresses[0]}, yy = {stresses[1]}, zz = {stresses[2]} }}\n"
        things += "".join(ball([i + 0.2, j + 0.3, k + 0.4], 0.5) for i in range(n) for j in range(n) for k in range(n))
        for rule in RULES:
            o = self.run_scene(things, rule, dimension=3, gravity=0, friction=0, density=1, duration=0.2, step=1e-2)
            for axis, stress in enumerate(stresses):
                along = numpy.abs(o.normal[:, axis]) > 0.9
                self.assertEqual(along.sum(), n**3)
                self.near(numpy.linalg.norm(o.force[along], axis=1).mean(), stress)
            self.assertLess(o.speed, 1e-6)

    def test_bricks_in_running_bond_fill_a_cell(self):
        # Bed joints carry the upright stress; upright joints and friction of the beds share the other.
        n = 6
        things = f"[cell]\nmin = [0, 0]\nmax = [{0.4 * n}, {0.2 * n}]\nstress = {{ xx = 5, yy = 7 }}\n"
        things += "".join(box([0.4, 0.2], [0.2 + 0.4 * i + 0.2 * (j % 2), 0.1 + 0.2 * j]) for i in range(n) for j in range(n))
        for rule in RULES:
            o = self.run_scene(things, rule, gravity=0, density=1, duration=0.1)
            beds = numpy.abs(o.normal[:, 1]) > 0.9
            self.near(numpy.abs(o.force[beds, 1]).sum(), n * 7 * 0.4 * n)
            self.assertLess(o.speed, 1e-6)


class Sliding(StandingTest):
    def test_block_down_a_slope_of_tiles(self):
        angle = 0.5
        for dimension in (2, 3):
            y, depth = [0.0] * (dimension - 2), [1.0] * (dimension - 2)
            tiles = "".join(box([0.25, *depth, 0.5], [0.25 * k - 0.9, *y, -0.25], FIXED) for k in range(20))
            for rule in RULES:
                o = self.run_scene(tiles + box([0.3, *(0.3 * d for d in depth), 0.2], [0.0, *y, 0.1]), rule, dimension=dimension,
                                   gravity=down_a_slope(angle, dimension), friction=0.2, duration=0.8)
                self.near(o.position[20, 0], 0.5 * G * (math.sin(angle) - 0.2 * math.cos(angle)) * o.time**2, 2e-3)

    def test_block_along_a_floor_and_a_wall_of_blocks(self):
        # Pressed to both: friction of both.
        tiles = "".join(box([0.5, 2, 0.5], [0.5 * k, 0.0, -0.25], FIXED) + box([0.5, 0.5, 0.6], [0.5 * k + 0.2, 0.55, 0.3], FIXED) for k in range(-1, 6))
        for rule in RULES:
            o = self.run_scene(tiles + box([0.3, 0.2, 0.2], [0, 0.2, 0.1], "velocity = [2, 0, 0]\n"), rule, dimension=3, gravity=[0, 4, -8], friction=0.2,
                               duration=0.5)
            self.near(o.velocity[-1, 0], 2 - 0.2 * 12 * o.time, 2e-3)

    def test_ball_that_rolls_over_the_corners_of_tiles(self):
        tiles = "".join(box([0.2, 0.2, 0.2], [0.2 * i, 0.2 * j, -0.1], FIXED) for i in range(-2, 8) for j in range(-2, 8))
        for rule in RULES:
            o = self.run_scene(ball([0.1, 0.1, 0.05], 0.05, "velocity = [1, 1, 0]\nspin = [-20, 20, 0]\n") + tiles, rule, dimension=3, duration=0.8)
            for d in (0, 1):  # contacts that are open by h^2 g count as closed under the midpoint rule: it hops by as much
                self.near(o.velocity[0, d], 1.0, 1e-9 if rule == "predictive" else 1e-4)

    def test_prism_tips_over_its_corner(self):
        # Gravity leans along the diagonal of a square foot: over the corner from tan = sqrt(2) w / h on.
        w, h = 0.2, 0.6
        for share in (0.98, 1.02):
            angle = share * math.atan(math.sqrt(2) * w / h)
            lean = [G * math.sin(angle) * S, G * math.sin(angle) * S, -G * math.cos(angle)]
            things = FLOOR3 + box([w, w, h], [0, 0, 0.5 * h])
            if share < 1:
                self.rests(things, dimension=3, gravity=lean, friction=1.9)
            else:
                for rule in RULES:
                    self.assertGreater(self.run_scene(things, rule, dimension=3, gravity=lean, friction=1.9, duration=0.5).moved, 5e-3)


class Adrift(KnownTest):
    """Without gravity nothing but the blow is brought: after it, rounding is all that is left to judge steps by."""

    def test_three_cubes_struck_by_a_fourth_go_on_together(self):
        things = box([0.2, 0.2], [-0.5, 0], "velocity = [1, 0]\n") + "".join(box([0.2, 0.2], [0.2 * k, 0]) for k in range(3))
        for rule in RULES:
            o = self.run_scene(things, rule, gravity=0, duration=0.5)
            for k in range(4):
                self.near(o.velocity[k, 0], 0.25, 1e-6)
            self.assertLess(o.summary["run"]["worst_error"], 1e-2)

    def test_bodies_that_touch_drift_for_ever(self):
        # Corners, faces and balls that touch, all with one velocity: no force between them.
        things = "".join(box([0.2, 0.2], [0.2 * i, 0.2 * j], "velocity = [3, 4]\n") for i in range(3) for j in range(3))
        things += "".join(ball([-0.1 + 0.2 * k, 0.6], 0.1, "velocity = [3, 4]\n") for k in range(4))
        for rule in RULES:
            o = self.run_scene(things, rule, gravity=0, duration=1.0)
            self.assertLess(numpy.abs(o.velocity - [3, 4]).max(), 1e-9)
            self.assertLess(numpy.abs(o.spin).max(), 1e-9)


if __name__ == "__main__":
    unittest.main()
