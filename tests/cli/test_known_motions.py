"""Bodies that roll, slide, swing and collide, whose motions are known in closed form, with default settings."""
import math
import unittest

import numpy

from known_answers import ball, block, box, down_a_slope, FLOOR2, FLOOR3, G, KnownTest, plane, Result, RULES


class Moving(KnownTest):
    def test_bodies_that_roll_down_a_slope(self):
        angle = 0.4
        for dimension, share, radius in ((2, 2 / 3, 0.1), (3, 5 / 7, 0.1)):
            for rule in RULES:
                things = plane([0] * (dimension - 1) + [1]) + ball([0] * (dimension - 1) + [radius], radius)
                o = self.run_scene(things, rule, dimension=dimension, gravity=down_a_slope(angle, dimension), friction=0.5, duration=0.5)
                self.near(o.velocity[0, 0], share * G * math.sin(angle) * o.time)
                self.near(o.position[0, 0], 0.5 * share * G * math.sin(angle) * o.time**2, 3e-3)
                # Too smooth to roll: it slides and spins up.
                o = self.run_scene(things, rule, dimension=dimension, gravity=down_a_slope(angle, dimension), friction=0.05, duration=0.5)
                self.near(o.velocity[0, 0], G * (math.sin(angle) - 0.05 * math.cos(angle)) * o.time)
                spin = numpy.abs(o.spin[0]).max()
                self.near(float(spin), (2 if dimension == 2 else 2.5) * 0.05 * G * math.cos(angle) / radius * o.time)

    def test_ball_that_slides_begins_to_roll(self):
        for dimension, share in ((2, 2 / 3), (3, 5 / 7)):
            for rule in RULES:
                things = plane([0] * (dimension - 1) + [1]) + ball([0] * (dimension - 1) + [0.1], 0.1, f"velocity = {[2.0] + [0] * (dimension - 1)}\n")
                o = self.run_scene(things, rule, dimension=dimension, friction=0.3, duration=0.5)
                self.near(o.velocity[0, 0], share * 2.0)

    def test_block_slides_off_a_wedge_that_gives_way(self):
        # Smooth wedge of mass M and angle a on a smooth floor, block m: acceleration of the wedge m g sin cos / (M + m sin^2).
        a, M, m = 0.5, 3.0, 1.0
        c, s, t = math.cos(a), math.sin(a), math.tan(a)
        wedge = block(f"vertices = [[0, 0], [3, 0], [3, {3 * t!r}]]", None, f"mass = {M}\n")
        x = numpy.array([2.0, 2.0 * t]) + 0.1 * numpy.array([-s, c])
        things = FLOOR2 + wedge + box([0.2, 0.2], x.tolist(), f"angle = {a}\nmass = {m}\n")
        for rule in RULES:
            o = self.run_scene(things, rule, friction=0, duration=0.4)
            self.near(o.velocity[0, 0], m * G * s * c / (M + m * s * s) * o.time, 2e-3)
            self.near(M * o.velocity[0, 0] + m * o.velocity[1, 0], 0.0, 1e-9, scale=1.0)

    def test_two_blocks_with_two_frictions_on_a_slope(self):
        angle = 0.4  # tan 0.42: the upper one (0.2) slides, the lower one (0.6) stays
        head = f"dimension = 2\ngravity = {down_a_slope(angle)}\ntime = {{ step = 1e-3, duration = 0.3 }}\n"
        head += '[[material]]\nname = "a"\ndensity = 1000\n[[material]]\nname = "b"\ndensity = 3000\n[[material]]\nname = "c"\ndensity = 1\n'
        head += '[[pair]]\nmaterials = ["a", "b"]\nfriction = 0.2\n[[pair]]\nmaterials = ["b", "c"]\nfriction = 0.6\n[[pair]]\nmaterials = ["a", "c"]\nfriction = 0\n[law]\nfriction = 0\n'
        things = plane([0, 1], extra='material = "c"\n') + box([2, 0.1], [0.5, 0.05], 'material = "b"\n') + box([0.2, 0.1], [0, 0.15], 'material = "a"\n')
        for rule in RULES:
            self.write("s.toml", head + things)
            self.moreau("run", "s.toml", "--out", "r", "--force", "--threads", 1, "--set", f'contact.rule="{rule}"')
            o = Result(self.path("r"))
            self.near(o.velocity[1, 0], G * (math.sin(angle) - 0.2 * math.cos(angle)) * o.time)
            self.assertLess(abs(o.velocity[0, 0]), 1e-9)
            self.near(o.between(0, ~0)[0], -(o.mass[0] * math.sin(angle) + 0.2 * o.mass[1] * math.cos(angle)) * G)

    def test_plank_on_two_turning_rollers(self):
        # They turn towards each other, 2 a apart, and the plank of thickness t swings. Friction acts below its centre:
        # (N_1 - N_2) (a - mu t / 2) = -W x, so that w^2 = mu g / (a - mu t / 2).
        a, t, mu, x0 = 1.0, 0.1, 0.2, 0.1
        things = '[[motion]]\nname = "right"\nkind = "rotation"\ncentre = [-1, -0.2]\nrate = -30\n[[motion]]\nname = "left"\nkind = "rotation"\ncentre = [1, -0.2]\nrate = 30\n'
        things += ball([-a, -0.2], 0.2, 'motion = "right"\n') + ball([a, -0.2], 0.2, 'motion = "left"\n') + box([4, t], [x0, 0.5 * t])
        for rule in RULES:
            o = self.run_scene(things, rule, friction=mu, duration=1.0)
            self.near(math.acos(o.position[2, 0] / x0) / o.time, math.sqrt(mu * G / (a - 0.5 * mu * t)), 1e-4)

    def test_disc_swings_in_a_bowl(self):
        # Rolling: w^2 = 2 g / (3 (R - r)); smooth: g / (R - r).
        R, r, x = 1.0, 0.1, 0.02
        for friction, share in ((0.5, 2 / 3), (0, 1)):
            y = -math.sqrt((R - r) ** 2 - x * x)
            things = f"[[wall]]\ncircle = {{ radius = {R} }}\n" + ball([x, y], r)
            for rule in RULES:
                o = self.run_scene(things, rule, friction=friction, duration=0.5)
                self.near(math.acos(o.position[0, 0] / x) / o.time, math.sqrt(share * G / (R - r)), 3e-3)

    def test_ball_on_a_turntable_goes_round_slowly(self):
        # Without slip its centre goes round with 2/7 of the table's rate.
        rate, r, v = 7.0, 0.05, 0.5
        # v - spin x r n = velocity of the table (at the origin 0): spin = (n x v) / r
        things = f'[[motion]]\nname = "turn"\nkind = "rotation"\naxis = [0, 0, 1]\nrate = {rate}\n[[wall]]\nplane = {{ normal = [0, 0, 1] }}\nsurface = "turn"\n'
        things += ball([0, 0, r], r, f"velocity = [{v}, 0, 0]\nspin = [0, {v / r}, 0]\n")
        for rule in RULES:
            o = self.run_scene(things, rule, dimension=3, friction=1.0, duration=math.pi / 2 / (2 * rate / 7), step=1e-4 * math.pi)
            turned = 2 * rate / 7 * o.time
            radius = v / (2 * rate / 7)
            self.near(o.position[0, 0], radius * math.sin(turned), 2e-3, scale=radius)
            self.near(o.position[0, 1], radius * (1 - math.cos(turned)), 2e-3, scale=radius)

    def test_spinning_cube_is_slowed_at_its_corners(self):
        # Torque mu W times the distance of the corners from the axis, whatever each of them bears.
        a, mu, rate = 0.2, 0.3, 20.0
        things = FLOOR3 + box([a, a, a], [0, 0, 0.5 * a], f"spin = [0, 0, {rate}]\n")
        for rule in RULES:
            o = self.run_scene(things, rule, dimension=3, friction=mu, duration=0.1)
            inertia = a * a / 6
            self.near(o.spin[0, 2], rate - mu * G * a / math.sqrt(2) / inertia * o.time, 2e-3)

    def test_braking_block_leans_forward(self):
        # N_front - N_rear = W mu height / width
        w, h, mu = 0.5, 0.3, 0.4
        things = FLOOR2 + box([w, h], [0, 0.5 * h], "velocity = [3, 0]\n")
        for rule in RULES:
            o = self.run_scene(things, rule, friction=mu, duration=0.2)
            self.near(o.velocity[0, 0], 3 - mu * G * o.time)
            low, high = sorted(o.force[:, 1])
            self.near(high - low, o.mass[0] * G * mu * h / w)

    def test_row_of_discs_pushed_by_an_accelerating_wall(self):
        # Disc k of n from the wall passes on (n - k) m a.
        n, r, a = 6, 0.1, 2.0
        things = f'[[motion]]\nname = "push"\nkind = "accelerogram"\ndirection = [1, 0]\nrecord = {{ times = [0, 10], accelerations = [{a}, {a}] }}\n'
        things += FLOOR2 + '[[wall]]\nplane = { normal = [1, 0] }\nmotion = "push"\n' + "".join(ball([r * (2 * k + 1), r], r) for k in range(n))
        for rule in RULES:
            o = self.run_scene(things, rule, friction=0, duration=0.2)
            for k in range(n - 1):
                self.near(o.pushed(k, k + 1), (n - 1 - k) * o.mass[0] * a, 2e-2)
            self.near(o.velocity[n - 1, 0], a * o.time, 1e-2)

    def test_two_balls_collide(self):
        for ratio in (1.0, 10.0, 1e4):
            for e in (1.0, 0.5, 0.0):
                things = ball([0, 0, 0], 0.1, "velocity = [1, 0, 0]\nmass = 1\n") + ball([0.25, 0, 0], 0.1, f"mass = {ratio}\n")
                o = self.run_scene(things, None, dimension=3, gravity=0, law=f"restitution = {e}", friction=0.3, duration=0.2)
                self.near(o.velocity[0, 0], (1 - e * ratio) / (1 + ratio), 1e-9, scale=1.0)
                self.near(o.velocity[1, 0], (1 + e) / (1 + ratio), 1e-9, scale=1.0)

    def test_ball_bounces_to_the_squares_of_its_restitution(self):
        # h_n = e^(2 n) h; its energy after the second bounce.
        e, height = 0.6, 1.0
        things = FLOOR3 + ball([0, 0, 0.1 + height], 0.1)
        first = math.sqrt(2 * height / G)
        time = first * (1 + 2 * e + e * e)  # at the top after the second bounce
        o = self.run_scene(things, None, dimension=3, friction=0, law=f"restitution = {e}", duration=round(time, 4), step=1e-4)
        self.near(o.position[0, 2] - 0.1, e**4 * height, 1e-2)


class Turning(KnownTest):
    def test_plank_on_rollers_down_a_slope(self):
        # Rollers m turn without slip on the slope and under the plank M, which goes twice as fast as their centres:
        # a (M + 3 n m / 8) = g sin (M + n m / 2)
        angle, r, t = 0.2, 0.1, 0.1
        things = FLOOR2 + ball([-0.5, r], r) + ball([0.5, r], r) + box([4, t], [0, 2 * r + 0.5 * t])
        for rule in RULES:
            o = self.run_scene(things, rule, gravity=down_a_slope(angle), friction=0.8, duration=0.3)
            m, M = o.mass[0], o.mass[2]
            a = G * math.sin(angle) * (M + m) / (M + 0.75 * m)
            self.near(o.velocity[2, 0], a * o.time)
            self.near(o.velocity[0, 0], 0.5 * a * o.time)

    def test_cube_slides_the_way_it_is_pulled(self):
        # Coulomb's cone is round: askew to its sides a cube goes straight.
        for turn in (0.0, 0.3, 1.1):
            g = [4 * math.cos(turn), 4 * math.sin(turn), -G]
            for rule in RULES:
                o = self.run_scene(FLOOR3 + box([0.2, 0.2, 0.1], [0, 0, 0.05]), rule, dimension=3, gravity=g, friction=0.2, duration=0.3)
                along = (4 - 0.2 * G) * o.time
                self.near(o.velocity[0, 0], along * math.cos(turn), 1e-3, scale=along)
                self.near(o.velocity[0, 1], along * math.sin(turn), 1e-3, scale=along)

    def test_ball_with_side_spin_curves(self):
        # When it rolls its velocity is (5 v + 2 r spin x n) / 7, n upwards.
        v, spin, r = numpy.array([1.0, 0.5, 0.0]), numpy.array([12.0, -7.0, 3.0]), 0.1
        things = FLOOR3 + ball([0, 0, r], r, f"velocity = {v.tolist()}\nspin = {spin.tolist()}\n")
        end = (5 * v + 2 * r * numpy.cross(spin, [0, 0, 1])) / 7
        for rule in RULES:
            o = self.run_scene(things, rule, dimension=3, friction=0.3, duration=0.6)
            for d in (0, 1):
                self.near(o.velocity[0, d], end[d], 1e-6, scale=1.0)
            self.near(o.spin[0, 2], 3.0, 1e-9)  # nothing turns it about the upright axis

    def test_rod_that_strikes_a_stop_with_its_end(self):
        # Length 2 a, end rounded by e, level, at speed v: with k^2 its radius of gyration about the centre, P = m v / (1 + a^2 / k^2).
        a, e, v = 0.5, 0.005, 1.0
        rod = block(f"parts = [{{ size = [{2 * a}, {2 * e}] }}]", [0, 0.1], f"velocity = [0, {-v}]\n")
        stop = box([0.2, 0.1], [a - 1e-3 + 0.1, 0.02], "fixed = true\n")  # under the outermost millimetre
        o = self.run_scene(rod + stop, None, gravity=0, friction=0, duration=0.05)
        k2, arm = ((2 * a) ** 2 + (2 * e) ** 2) / 12, a - 1e-3
        # Two points of the joint, at a and a - 1e-3: the inner one holds, the outer one leaves.
        P = v / (1 + arm * arm / k2)
        self.near(o.velocity[0, 1], -(v - P), 5e-3)
        self.near(float(o.spin[0]), P * arm / k2, 5e-3)

    def test_disc_that_circles_in_a_bowl_without_gravity(self):
        # It presses with m v^2 / (R - r). Under the midpoint rule the polygon of its path costs pi h v / (R - r) of its speed in a turn;
        # under the predictive rule, which keeps it at its distance, this is of second order.
        R, r, v = 1.0, 0.2, 1.0
        things = f"[[wall]]\ncircle = {{ radius = {R} }}\n" + ball([R - r, 0], r, f"velocity = [0, {v}]\n")
        turn = 2 * math.pi * (R - r) / v
        for rule in RULES:
            for step in (2e-3, 1e-3):
                o = self.run_scene(things, rule, gravity=0, friction=0, duration=round(turn / step) * step, step=step)
                lost, angle = 1 - float(numpy.linalg.norm(o.velocity[0])) / v, step * v / (R - r)
                if rule == "midpoint":
                    self.near(lost, math.pi * angle, 0.03)
                else:
                    self.assertLess(lost, 10 * angle**2)
                self.near(o.pushed(0, ~0), o.mass[0] * v * v / (R - r), 10 * angle)

    def test_pendulum_of_a_smooth_disc_in_a_bowl(self):
        # Let go level with the middle, it passes the lowest place with sqrt(2 g (R - r)); never faster.
        R, r = 1.0, 0.1
        things = f"[[wall]]\ncircle = {{ radius = {R} }}\n" + ball([R - r, 0], r)
        for rule in RULES:
            self.run_scene(things, rule, [] if rule == "predictive" else ["penetration"], friction=0, duration=2.0)
            fastest = max(float(row["max_speed"]) for row in self.table("r", "series"))
            exact = math.sqrt(2 * G * (R - r))
            self.assertLess(fastest, exact * (1 + 1e-3))
            self.near(fastest, exact, 1e-2)

    def test_elastic_gas_keeps_its_energy_under_the_midpoint_rule(self):
        # Under the predictive rule pairs that a third disc throws together do not bounce: the numbers of the theory page, section 8.
        things = "[[wall]]\nbox = { min = [0, 0], max = [10, 10] }\n[[grains]]\ncount = 80\ndiameter = 0.7\nvelocities = { speed = 1 }\nregion = { box = [[0, 0], [10, 10]] }\n"
        lost = {}
        for rule, step in (("midpoint", 0.02), ("predictive", 0.02), ("predictive", 0.005)):
            self.run_scene(things, rule, ["bounce", "penetration"], seed=3, gravity=0, density=1, friction=0, law="restitution = 1", step=step, duration=80, output="series = 10")
            rows = self.table("r", "series")
            lost[rule, step] = 1 - float(rows[-1]["kinetic"]) / float(rows[0]["kinetic"])
        self.assertLess(abs(lost["midpoint", 0.02]), 1e-6)
        self.near(lost["predictive", 0.02], 0.66, 0.1)
        self.near(lost["predictive", 0.005], 0.22, 0.2)


if __name__ == "__main__":
    unittest.main()
