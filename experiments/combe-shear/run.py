"""Two cycles of shear densify and leave a preferred direction. Combe 2001, sec. 2.4."""

import numpy as np
from scipy import optimize

import moreau as mo
from moreau.experiment import Laboratory, Report, Row, Section, main, measured, not_run, stated
from moreau.experiment.packing import FEWEST, SMALLEST, against, each, unjudged

SAMPLES = {1024: 8}  # of the full form
CLASSES = np.arange(-90, 91, 10)  # degrees


class Sample:
    """Void ratio, directions and forces of the contacts before and after."""

    def __init__(self, lab: Laboratory, count: int, seed: int):
        half = 0.5 * round(count**0.5) + 0.05
        settings = {"seed": seed, "grains.count": count, "cell.min": [-half, -half], "cell.max": [half, half]}
        if lab.quick:
            settings |= {"phase[mix].end.travelled": 1.0, "phase[shear].duration": 20.0,
                         "phase[shear].cell.rate.xy": {"times": [0, 2.49, 2.5, 7.49, 7.5, 12.49, 12.5, 17.49, 17.5, 20],
                                                       "values": [0.02, 0.02, -0.02, -0.02, 0.02, 0.02, -0.02, -0.02, 0.02, 0.02]}}
        run = lab.run(f"shear-{count}-{seed}", lab.scene("shear", settings))
        self.void, self.angle, self.force, self.isostatic = [], [], [], []
        for frame in (run.frames[-3], run.frames[-1]):
            self.void.append(1 / float(mo.measure(frame, "load")["solid_fraction"][0]) - 1)
            force = frame.contacts.normal_force
            keep = force > 1e-6 * force[force > 0].mean()
            normal = frame.contacts.normal[keep]
            angle = np.degrees(np.arctan2(normal[:, 1], normal[:, 0]))
            self.angle.append((angle + 90) % 180 - 90), self.force.append(force[keep])
            bodies = len(np.unique(frame.contacts.pair[keep]))
            self.isostatic.append(int(keep.sum()) - (2 * bodies - 2 + 2))  # one body is held, two components of the cell are free


def preferred(before, after) -> tuple[float, float, float, float]:
    """N0 (1 + d cos 2 (t - t0)) of the ratio of two histograms of directions: N0, d, t0 in degrees, standard error of d."""
    old, new = (np.histogram(angle, CLASSES)[0] for angle in (before, after))
    middle, good = np.radians(0.5 * (CLASSES[1:] + CLASSES[:-1])), (old > 0) & (new > 0)
    ratio = new[good] / old[good]
    error = ratio * np.sqrt(1 / new[good] + 1 / old[good])
    (a, c, s), covariance = optimize.curve_fit(lambda t, a, c, s: a + c * np.cos(2 * t) + s * np.sin(2 * t), middle[good], ratio, p0=[1, 0, 0],
                                               sigma=error, absolute_sigma=True)
    return a, float(np.hypot(c, s) / a), float(np.degrees(np.arctan2(s, c)) / 2), float(np.sqrt(covariance[1, 1]))


def reproduce(lab: Laboratory) -> Report:
    planned = {64: range(1, 2)} if lab.quick else lab.samples(SAMPLES)
    lab.ahead(each(planned, lambda n, seed: Sample(lab, n, seed)))
    samples = {n: [Sample(lab, n, seed) for seed in seeds] for n, seeds in planned.items()}
    table = Section("C27: before and after two cycles")
    for n, group in samples.items():
        before, after = ([s.void[k] for s in group] for k in (0, 1))
        change = [b - a for a, b in zip(before, after)]
        table.rows += [
            measured(f"N = {n}: void ratio before", before, "0.2045 (between walls)"), measured(f"N = {n}: void ratio after", after, "0.1972 (between walls)"),
            against(f"N = {n}: change of the void ratio", -0.0073, change, 0.003, n)]
        forces = [np.concatenate([s.force[k] / s.force[k].mean() for s in group]) for k in (0, 1)]
        angles = [np.concatenate([s.angle[k] for s in group]) for k in (0, 1)]
        published = {"all": (0.05, -46), "weak": (0.03, 38), "strong": (0.14, -47)}
        for kind, choose in (("all", lambda f: f > 0), ("weak", lambda f: f < 1), ("strong", lambda f: f > 1)):
            old, new = (angle[choose(f)] for angle, f in zip(angles, forces))
            if min(len(old), len(new)) < 200:
                table.rows.append(not_run(f"N = {n}, {kind} contacts: directions after over before", "d = {}, {} degrees".format(*published[kind]),
                                          f"{min(len(old), len(new))} contacts are too few"))
                continue
            scale, d, at, error = preferred(old, new)
            text = f"N0 = {scale:.2f}, d = {d:.3f} ± {error:.3f}, {at:.0f} degrees ({len(new)} contacts)"
            if kind == "strong":
                away = abs((at + 47 + 90) % 180 - 90)
                row = stated(f"N = {n}, strong contacts: directions after over before", "d = 0.14, -47 degrees", text, away < 15 and d > 2 * error,
                             "within 15 degrees, d above two standard errors")
                table.rows.append(row if n >= SMALLEST and len(group) >= FEWEST else unjudged(row))
            else:
                table.rows.append(Row(f"N = {n}, {kind} contacts: directions after over before", "d = {}, {} degrees".format(*published[kind]), text))
    every = [s for group in samples.values() for s in group]
    excess = sorted({x for s in every for x in s.isostatic})
    table.rows.append(stated("contacts less freedoms, before and after (one body held)", "0", ", ".join(map(str, excess)), excess == [0]))
    return Report(
        protocol=[f"Samples: {', '.join(f'{len(group)} of {n} discs' for n, group in samples.items())}. A periodic cell of frictionless rigid discs is pressed to p = 1 and brought to an "
                  "exact isostatic equilibrium, sheared through two full cycles of amplitude 0.05 at constant upright stress and width, and pressed "
                  "isotropically again."],
        choices=["The thesis shears between walls and does not give the amplitude; here the cell is periodic, the amplitude 0.05 and the rate 0.005.",
                 "The thesis shears by soft dynamics with kappa = 1e5; here the discs are rigid.",
                 "In a periodic cell all contacts are bulk. Void ratios of a cell lack the loose layer at walls: compare changes, not values."],
        sections=[table])


if __name__ == "__main__":
    main(reproduce)
