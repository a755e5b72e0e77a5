"""What is measured on a conical pile at one instant: shape, density, pressure on the ground, forces across cuts."""

import numpy as np

import moreau as mo

RING = 0.75  # cm: two mean diameters
AXIS = (0.0, 0.0)


def frame_interval(run):
    return round(run.frames[1].time - run.frames[0].time, 9)  # times are sums of steps


def frame_at(run, time):
    """The frame next to this time; the last one if it is later."""
    interval = frame_interval(run)
    return run.frames[int(min(np.floor(time / interval + 0.5), len(run.frames) - 1))]


class Pile:
    def __init__(self, frame: mo.Frame):
        self.frame = frame
        free = frame.kind == 0
        self.position, self.radius, self.birth = frame.position[free], frame.radius[free], frame.birth[free]
        self.r = np.hypot(self.position[:, 0], self.position[:, 1])
        self.z = self.position[:, 2]
        self.top_speed = float(np.linalg.norm(frame.velocity[free], axis=1).max())
        self.grains = int(free.sum())
        self.carrying = int(mo.measure(frame, "forces")["contacts"][0])  # contacts
        slope = mo.measure(frame, "slope", sectors=12, axis=AXIS)
        self.angle, self.angle_error, self.height, self.reach = (float(slope[name][0]) for name in ("angle_degrees", "uncertainty_degrees",
                                                                                                     "height", "radius"))

    @property
    def bulk_density(self):
        """Share of matter in the heart of the pile: a cylinder that lies well inside the cone."""
        heart = f"ring:0,{0.35 * self.reach!r},0.5,{0.5 * self.height!r}"
        return float(mo.measure(self.frame, "solid-fraction", region=heart, axis=AXIS)["solid_fraction"][0])

    @property
    def pressure(self):
        """On the ground by rings about the axis [dPa]: middles of the rings, pressures, and that of the centre, the mean over the two
        innermost rings: one of them is a few grains."""
        rings = mo.measure(self.frame, "ground-pressure", width=RING, axis=AXIS)
        inner = rings["to"] <= 2.0 * RING + 1e-9
        return 0.5 * (rings["from"] + rings["to"]), rings["pressure"], float(rings["force"][inner].sum() / rings["area"][inner].sum())

    def layer_slopes(self, born_from, born_to, width):
        """A fossil layer about the axis: (r, mean height z, slope dz/dr) where it has grains enough."""
        layer = (self.birth >= born_from) & (self.birth < born_to)
        if not layer.any():
            return []
        bins = (self.r[layer] / width).astype(int)
        count, height = np.bincount(bins), np.bincount(bins, weights=self.z[layer])
        mean = height / np.maximum(count, 1)
        return [((k + 0.5) * width, mean[k], (mean[k + 1] - mean[k - 1]) / (2 * width)) for k in range(1, len(count) - 1)
                if min(count[k - 1:k + 2]) >= 8]

    def across(self, strips):
        """Forces per area across strips (r1, z1, r2, z2) about the axis: contacts, radial and vertical part of each."""
        if not strips:
            return []
        table = mo.measure(self.frame, "strips", strips=[",".join(map(repr, map(float, strip))) for strip in strips], axis=AXIS)
        return list(zip(table["contacts"], table["radial"], table["vertical"]))

    def cuts(self, heap, poured):
        """Forces across upright cylindrical cuts where fossil layers cross them: angles between force and layer [degrees], and residuals
        of reciprocity with a sloped cut through the same point. ``heap``: the pile whose shape counts."""
        length, places = heap.height / 4.0, []
        start = 0.15 * poured
        while start < 0.8 * poured:
            for r, z, slope in self.layer_slopes(start, start + 0.08 * poured, max(0.5, heap.reach / 12.0)):
                if z + 0.6 * length <= heap.height * (1.0 - r / heap.reach) and z - 0.5 * length >= 0.0:
                    places.append((r, z, slope))
            start += 0.05 * poured
        half = 0.5 * length / np.sqrt(2.0)
        upright = [(r, z - 0.5 * length, r, z + 0.5 * length) for r, z, _ in places]
        sloped = [(r - half, z - half, r + half, z + half) if r > half else upright[i] for i, (r, z, _) in enumerate(places)]
        angles, residuals = [], []
        for (r, z, slope), one, two, t, other in zip(places, upright, sloped, self.across(upright), self.across(sloped)):
            if t[0] < 20:
                continue
            # The force on the inner side points inwards; turned round it points away from the axis, as the layer is followed.
            angles.append(np.degrees(np.arctan2(-t[2], -t[1]) - np.arctan(slope)))
            if r > half and np.isfinite(residual := reciprocity(one, t, two, other)):
                residuals.append(residual)
        return np.array(angles), np.array(residuals)

    def bank(self, poured):
        """From 0.4 of the radius of the cone outwards: slopes of fossil layers below the horizontal, outwards, and directions of the
        force on cones parallel to the surface from the vertical, outwards [degrees]."""
        fall = np.tan(np.radians(self.angle))
        foot = self.height / fall  # of the cone: the outermost grain has run further
        layers, start = [], 0.15 * poured
        while start < 0.95 * poured:
            layers += [-np.degrees(np.arctan(slope)) for r, z, slope in self.layer_slopes(start, start + 0.08 * poured, max(0.5, foot / 12.0))
                       if 0.4 * foot < r < 0.8 * foot and z > RING]
            start += 0.05 * poured
        # Strips of a sixth of the flank, by a mean diameter deeper each, as long as they lie in the pile.
        length, strips, r = foot / 6.0, [], 0.4 * foot
        while r + length < 0.9 * foot:
            z = self.height - fall * r - 0.5 * RING
            while z - fall * length >= 0.5 * RING:
                strips.append((r, z, r + length, z - fall * length))
                z -= 0.5 * RING
            r += 0.25 * length
        signed = [np.copysign(1.0, t[2]) * np.array(t[1:]) for t in self.across(strips) if t[0] >= 20]  # T on either side of the cut
        return np.array(layers), np.array([np.degrees(np.arctan2(radial, vertical)) for radial, vertical in signed])

    def centre(self, born_from, born_to, reach):
        """Share of the grains of a layer that lie within ``reach`` of the axis, and their mean height."""
        layer = (self.birth >= born_from) & (self.birth < born_to)
        near = layer & (self.r < reach)
        return near.sum() / max(1, layer.sum()), float(self.z[near].mean()) if near.any() else 0.0

    @property
    def apex_rise(self):
        """How far the top rises above the surface at two to three ring widths from the axis: less when the apex is round."""
        tops = self.z + self.radius
        around = (self.r >= 2 * RING) & (self.r <= 3 * RING)
        turn = (np.arctan2(self.position[:, 1], self.position[:, 0]) / np.pi + 1.0) * 6.0
        sector = np.minimum(turn.astype(int), 11)
        highest = [tops[around & (sector == k)].max(initial=0.0) for k in range(12)]
        return float(tops[self.r < RING].max(initial=0.0) - np.mean(highest))


def reciprocity(first, on_first, second, on_second):
    """|nu.T' - nu'.T| over the size of both: 0 if the stress is symmetric (Moreau 2003, sec. 9)."""

    def normal(strip):
        r1, z1, r2, z2 = strip
        return np.array([z2 - z1, r1 - r2]) / np.hypot(r2 - r1, z2 - z1)

    one, two = np.array(on_first[1:]), np.array(on_second[1:])
    with np.errstate(invalid="ignore", divide="ignore"):
        return abs(normal(first) @ two - normal(second) @ one) / np.sqrt(np.linalg.norm(one) * np.linalg.norm(two))
